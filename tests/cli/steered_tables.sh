#!/bin/sh
# A rigid axle that steers, on tables from vdsim-kc-sweep: cars on the tables agree with cars on the hardpoints.
# Usage: tests/cli/steered_tables.sh VDSIM-KC-SWEEP VDSIM-RUN VDSIM-VALIDATE VDSIM-XCHECK
# Reads scenarios/; writes a temporary folder.
set -u

[ $# -eq 4 ] ||
  { echo "usage: tests/cli/steered_tables.sh VDSIM-KC-SWEEP VDSIM-RUN VDSIM-VALIDATE VDSIM-XCHECK" >&2; exit 2; }
path_of() { echo "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"; }
drive=$(path_of "$2")
validate=$(path_of "$3")
xcheck=$(path_of "$4")
# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 12
axle=scenarios/suspensions/panhard_front_offroad.yaml

run --tables "$work" $axle && "$exe" --tables "$work" scenarios/suspensions/four_link_rear_suv.yaml
[ $status -eq 0 ] && [ -s "$work/panhard_front_offroad.csv" ] && [ -s "$work/panhard_front_offroad_right.csv" ]
check "both wheels have tables over travel, other travel and rack"
for side in "" _right; do
  awk -F, 'NR > 1 && $1 == 0 && $2 == 0 && $3 == 0 { n++ }
    END { exit n != 1 || NR != 1 + 13 * 13 * 22 }' "$work/panhard_front_offroad$side.csv"
  check "travels go to 120 mm in steps of 20 mm, racks in steps of 10 mm as far as they steer to either side$side" \
    "$work/panhard_front_offroad$side.csv"
done
"$xcheck" --curves --rtol 2e-3 $axle "$work/panhard_front_offroad.csv" >"$work/out" 2>"$work/err" &&
  ! grep -q 'fail\|absent' "$work/out"
check "xcheck: all curves and gains agree with the hardpoints"

# --- cars

cat >"$work/car.yaml" <<END1
base: $top/scenarios/vehicles/offroad_axles.yaml
front: {kc: panhard_front_offroad.yaml, right_kc: panhard_front_offroad_right.yaml}
rear: {kc: four_link_rear_suv.yaml}
END1
# The error of the linkage's map is 1e-6 rad; tables add the error of their splines (tests/kc/axle_steer.c). An error of
# 1e-5 rad is 2e-4 of a steer angle of 3 degrees.
cat >"$work/claims.yaml" <<END1
title: steered axle on tables
source: "virtual work"
evidence: levels
claims:
  - claim: step steer to 4 m/s2
    kind: agree
    scenario: &step $top/scenarios/hardpoints/steered_axle.yaml
    set: [run.level=L3, &car vehicle=$work/car.yaml, &more steering_wheel.value=75 deg]
    against_set: [run.level=L4, *car, *more]
    channels: &motion [yaw_rate_radps, body_roll_rad, sideslip_rad, ay_mps2]
    tolerance: 0.02 %
  - claim: step steer to 6.7 m/s2, to the left
    kind: agree
    scenario: *step
    set: [run.level=L3, *car, &far steering_wheel.value=120 deg]
    against_set: [run.level=L4, *car, *far]
    channels: *motion
    tolerance: 0.02 %
  - claim: step steer to 6.7 m/s2, to the right
    kind: agree
    scenario: *step
    set: [run.level=L3, *car, &right steering_wheel.value=-120 deg]
    against_set: [run.level=L4, *car, *right]
    channels: *motion
    tolerance: 0.02 %
  - claim: left wheels up a kerb, straight ahead, by bump steer alone
    kind: agree
    scenario: *step
    set: [run.level=L3, *car, &kerb ground=$top/scenarios/grounds/kerb_left.yaml, &ahead steering_wheel.value=0 deg,
      &v speed=15 km/h, &v0 initial.speed=15 km/h, &long run.duration=8 s]
    against_set: [run.level=L4, *car, *kerb, *ahead, *v, *v0, *long]
    channels: [yaw_rate_radps, body_roll_rad, y_m, toe_fl_rad, toe_fr_rad]
    tolerance: 0.1 %
  - claim: to the lock at a walk
    kind: agree
    scenario: *step
    set: [run.level=L3, *car, &slow speed=6 km/h, &slow2 initial.speed=6 km/h, &lock steering_wheel.value=430 deg,
      &slope steering_wheel.rise=2 s]
    against_set: [run.level=L4, *car, *slow, *slow2, *lock, *slope]
    channels: [yaw_rate_radps, z_m, toe_fl_rad, toe_fr_rad]
    tolerance: 0.1 %
END1
"$validate" -v "$work/claims.yaml" >"$work/out" 2>"$work/err" && grep -q '5 claims: 5 hold' "$work/out"
check "L3 on tables agrees with L4 on hardpoints: steps to both sides, a kerb under one wheel, at the lock"

metric() { "$drive" -q --metrics - --set "vehicle=$work/car.yaml" "$@" scenarios/hardpoints/steered_axle.yaml \
    2>"$work/err" |
  tee "$work/out" | awk -F, -v name="$name" '$1 == name { print $2 }'; }
name=ledger_residual
for more in steering_wheel.value='120 deg' run.slip=transient \
  ground='{type: bump, at: 20 m, length: 4 m, height: 5 cm}'; do
  metric --set run.level=L3 --set "$more" | awk '{ n++; if (!($1 <= 1e-6)) bad = 1 } END { exit bad || n != 1 }'
  check "L3: the ledger closes to 1e-6, $more"
done
# L2 has neither heave nor camber of the tyres
name=yaw_rate_steady_radps
echo "$(metric --set run.level=L3) $(metric --set run.level=L2)" | awk '
  { exit !(NF == 2 && ($1 - $2) / $1 < 0.04 && ($2 - $1) / $1 < 0.04) }'
check "L2 on tables has the yaw rate of L3 on tables, within 4 %"

# --- steer over the rack together with tables of both travels, and keys of the steering in place of a rack

awk -F, 'NR == 1 || $3 == 0 { print $1 "," $2 "," $4 "," $5 "," $6 "," $7 "," $8 "," $10 "," $11 }' \
  "$work/panhard_front_offroad.csv" >"$work/travels.csv"
awk -F, 'NR == 1 || ($1 == 0 && $2 == 0) { print $3 "," $4 "," $5 "," $6 "," $7 }' "$work/panhard_front_offroad.csv" \
  >"$work/rack.csv"
awk -F, 'NR == 1 || $3 == 0 { print $1 "," $2 "," $4 "," $5 "," $6 "," $7 "," $8 "," $10 "," $11 }' \
  "$work/panhard_front_offroad_right.csv" >"$work/right.csv"
awk -F, 'NR == 1 || ($1 == 0 && $2 == 0) { print $3 "," $4 "," $5 "," $6 "," $7 }' \
  "$work/panhard_front_offroad_right.csv" >"$work/right_rack.csv"
echo "$(metric --set run.level=L3) $(metric --set run.level=L3 \
      --set "vehicle.front.kc={live: true, tables: [$work/travels.csv, $work/rack.csv]}" \
  --set "vehicle.front.right_kc={live: true, tables: [$work/right.csv, $work/right_rack.csv]}")" |
  awk '{ exit !(NF == 2 && ($1 - $2) / $1 < 0.01 && ($2 - $1) / $1 < 0.01) }'
check "tables over both travels and a table over the rack are added, to 1 % in a turn"
metric --set run.level=L3 --set "vehicle.front.kc={live: true, tables: $work/travels.csv}" \
  --set "vehicle.front.right_kc={live: true, tables: $work/right.csv}" | awk '
    { n++; if (!($1 > 0.1)) bad = 1 } END { exit bad || n != 1 }'
check "without a rack the wheels of an axle turn by the keys of the steering"

refused() { # WORDS TITLE
  grep -q "$1" "$work/err"
  check "refused: $2"
}
"$drive" --check --set run.level=L3 --set "vehicle=$work/car.yaml" \
  --set "vehicle.front.right_kc=$work/four_link_rear_suv.yaml" \
  scenarios/hardpoints/steered_axle.yaml >"$work/out" 2>"$work/err"
refused "tables over the rack are needed for both wheels that an axle joins" "a rack in the tables of only one wheel"
all_well
