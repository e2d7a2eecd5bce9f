#!/bin/sh
# Every key of a suspension file has an effect in a vehicle, or a message says that it has none.
# Usage: tests/cli/linkage_keys.sh VDSIM-RUN
# Reads scenarios/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 30

# An arm of 0.5 m on a hinge along y: a point u metres behind the hinge moves u/0.5 of the wheel's travel. So the spring
# at 0.25 m has the ratio 0.5 and the damper at 0.4 m has 0.8; both are at right angles to the arm. At the wheel: 120
# N/mm 0.5^2 = 30 N/mm, 4687.5 N s/m 0.8^2 = 3000 N s/m. The effective mass of the travel is the mass of the knuckle,
# plus its inertia minus the wheel's over (0.5 m)^2, plus a third of the uniform arm: 30 + 0 + 9/3 = 33 kg. With a wheel
# of 1 kg m2 it is 30 + (1.1 - 1)/0.25 + 9/3 = 33.4 kg.
cat >"$work/arm.yaml" <<END
type: trailing_arm
wheel: {center: [0, 0.775, 0.32], spin_axis: [0, 1, 0], static_radius: 0.32}
arm_pivot: {chassis_inboard: [0.5, 0.2, 0.32], chassis_outboard: [0.5, 0.6, 0.32]}
spring: {chassis: [0.25, 0.45, 0.82], eye: [0.25, 0.45, 0.32], part: arm, rate: 120 N/mm}
damper: {chassis: [0.1, 0.45, 0.82], eye: [0.1, 0.45, 0.32], part: arm, rate: 4687.5 N s/m}
mass: {knuckle: 30 kg, knuckle_inertia: [0.8, 1.1, 0.8], arm: 9 kg}
END
cat >"$work/bump.yaml" <<END
base: $top/scenarios/ride/bump.yaml
vehicle:
  base: $top/scenarios/vehicles/sedan_hardpoints.yaml
  rear: {track: 1.55 m, linkage: $work/arm.yaml, spring_stiffness: auto, damper: {bump: auto}, unsprung_mass: auto}
run: {level: L4, duration: 0.5 s}
END
axle() { awk -v from="$1:" '$1 == from { on = 1 } on && $1 == key { print $2; exit }' key="$2:" "$work/out"; }

# --- figures with an effect

run --resolved "$work/bump.yaml"
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a - b <= 1e-9 * b && b - a <= 1e-9 * b) }'; }
near "$(axle rear spring_stiffness)" 30000
check "spring_stiffness: auto is the rate of the linkage's spring at the wheel"
near "$(axle rear bump)" 3000 && near "$(axle rear rebound)" 3000
check "damper.bump: auto is the rate of the linkage's damper at the wheel"
# 30 kg of the knuckle and a third of the 9 kg of the arm; all inertia of the knuckle belongs to the wheel, which turns
# freely on its bearing
near "$(axle rear unsprung_mass)" 33
check "unsprung_mass: auto is the effective mass of the linkage's travel"
# In a run, the wheel hop with the bodies of the linkage has the frequency of a wheel with this mass at its centre,
# which moves straight up. The places of the masses change only the body, by 0.1 %: 13 kg of its 1340 kg turn by some
# degrees. If the wheel's inertia counted, the effective mass would be 37.4 kg, and the frequency 5.5 % lower.
hop() {
  run --metrics - --set 'metrics=[modes]' --set run.duration='0.1 s' --set vehicle.rear.wheel_inertia='1 kg m2' \
    --set vehicle.rear.link_masses="$1" "$work/bump.yaml"
  awk -F, '$1 == "rear_hop_frequency_Hz" { print $2 }' "$work/out"
}
awk -v a="$(hop lumped)" -v b="$(hop bodies)" 'BEGIN { exit !(a > 5 && a - b <= 2e-3 * b && b - a <= 2e-3 * b) }'
check "a wheel with the effective mass hops at the frequency of the bodies of the linkage"
run --resolved "$work/bump.yaml"
cp "$work/out" "$work/resolved.yaml"
[ $status -eq 0 ] && [ ! -s "$work/err" ]
check "a linkage and a car with equal figures give no message"
run --check "$work/resolved.yaml"
[ $status -eq 0 ] && [ ! -s "$work/err" ]
check "the resolved file has the figures of car and linkage, and they are equal"

travel() { # SETTING...
  for setting; do set -- "$@" --set "$setting"; shift; done
  run --exact -c travel_rl_m "$@" "$work/bump.yaml"
}
farthest() { # FILE: from $work/out, of all rows, m
  awk -F, 'FNR == 1 { next } NR == FNR { z[FNR] = $2; next }
    { d = $2 - z[FNR]; if (d < 0) d = -d; if (!(d <= most)) most = d; rows++ }
    END { printf "%.3g\n", rows == 51 ? most : 1 }' "$1" "$work/out"
}
travel
cp "$work/out" "$work/first.csv"
travel vehicle.rear.linkage.0.spring.rate='132 N/mm'
cp "$work/out" "$work/stiff.csv"
travel vehicle.rear.spring_stiffness='33 N/mm' vehicle.rear.linkage.0.spring.rate=auto
awk -v same="$(farthest "$work/stiff.csv")" -v other="$(farthest "$work/first.csv")" \
  'BEGIN { exit !(same < 1e-12 && other > 1e-6) }'
check "a spring.rate 10 % higher gives a wheel rate 10 % higher, in the run, too"

# --- car and linkage with different springs or dampers: refused

refused() { # WORDS SETTING...
  words=$1
  shift
  for setting; do set -- "$@" --set "$setting"; shift; done
  run --check "$@" "$top/scenarios/hardpoints/step_steer.yaml"
  [ $status -eq 2 ] && grep -q "error: $words" "$work/err"
  check "refused: $words"
}
front=vehicle.front.linkage.0
refused "the linkage's spring makes .* N/m at the wheel, not 30000 N/m" "$front.spring.rate=500 N/mm"
refused "the linkage's damper makes .* N s/m at the wheel, not 3000 N s/m" "$front.damper.rate=5000"
refused "the axle's damper is a curve, and the linkage has a damper.rate" "$front.damper.rate=5000" \
  "vehicle.front.damper={type: curve, points: [[-1, -3000], [0, 0], [1, 3000]]}"
refused "'auto' takes the unsprung mass from a linkage that gives its masses" "vehicle.front.unsprung_mass=auto"
refused "linear compliance is for level L4" "run.level=L5" "run.compliance=true"
refused "the rear linkage has no bushings" "run.compliance=true" "$front.bushings=none" \
  "vehicle.rear.linkage.0.bushings=none"

# --- figures that both car and linkage have: the run uses the car's figures, with a message

warns_of() { # WORDS SETTING
  run --check --set "$2" "$top/scenarios/hardpoints/compliance_steer.yaml"
  [ $status -eq 0 ] && grep -q "warning: $1" "$work/err"
  check "warns of: $2"
}
warns_of "the linkage has 0.3 m (wheel.static_radius), the car 0.32 m" "$front.wheel.static_radius=0.3"
# 4087.5 N: 1500 kg x 9.81 m/s2 x 1.5/2.7 / 2
says="the linkage has 4500 N (wheel_load), the car"
warns_of "$says 4087 N\|$says 4086 N" \
  "$front.wheel_load=4500"
warns_of "the linkage has .* N (spring.load, at the wheel)" "$front.spring.load=9000"
warns_of "the linkage has 3e+05 N/m (tyre_rate), the car 2.2e+05 N/m" "$front.tyre_rate=300000"
warns_of "the run uses unsprung_mass, 40 kg" "$front.mass.lca=200"
warns_of "the linkage has 3 m (car.wheelbase)" "$front.car={axle: front, wheelbase: 3}"
warns_of "the linkage has 0.6 m (car.cg_height)" "$front.car={axle: front, cg_height: 0.6}"
warns_of "the linkage has 0.7 (car.brake_share), the car 0.62" "$front.car={axle: front, brake_share: 0.7}"
warns_of "the linkage has 1 (car.drive_share), the car 0" "$front.car={axle: front, drive_share: 1}"
warns_of "compliance has no effect: it is for level L4, and for tables from L1 on; the wheels of" "run.level=L3"
warns_of "the front linkage has no bushings" "$front.bushings=none"

run --check --set "$front.wheel_load=4087" --set "$front.tyre_rate=220000" \
  --set "$front.car={axle: front, wheelbase: 2.7, cg_height: 0.55, brake_share: 0.62, drive_share: 0}" \
  "$top/scenarios/hardpoints/step_steer.yaml"
[ $status -eq 0 ] && [ ! -s "$work/err" ]
check "no warning if linkage and car agree"


# With 'spring_load' the design position is not the position at rest. In the design position the load of a wheel is the
# spring_load plus the wheel's own weight, 4500 + 40 x 9.81 N.
run --check --set vehicle.front.spring_load=4500 --set "$front.wheel_load=4892" \
  "$top/scenarios/hardpoints/step_steer.yaml"
[ $status -eq 0 ] && ! grep -q "wheel_load" "$work/err"
check "the spring_load determines the load at the design position"
run --check --set vehicle.front.spring_load=4500 --set "$front.wheel_load=4087" \
  "$top/scenarios/hardpoints/step_steer.yaml"
[ $status -eq 0 ] &&
  grep -q "the linkage has 4087 N (wheel_load), the car 4892 N (load of a wheel by its spring_load)" "$work/err"
check "a wheel_load that belongs to the car at rest is reported as different from the load by spring_load"

# Both bushings of the arm's hinge turn by 1/(0.5 m) of the travel: they add 2 K/0.25 m2, 40 N/mm for K = 5000 N m/rad.
stiff() { # K
  run --check --set run.compliance=nonlinear --set \
    "vehicle.rear.linkage.0.bushings={arm: {translation: [1e9, 1e9, 1e9], rotation: [500, $1, 500]}}" "$work/bump.yaml"
}
stiff 5000
[ $status -eq 0 ] &&
  grep -q "warning: the bushings of the rear wheels turn with the travel and add 40 N/mm to the wheel rate of 30 N/mm" \
  "$work/err"
check "bushings that add to the wheel rate are reported"
stiff 1500
[ $status -eq 0 ] && ! grep -q "turn with the travel" "$work/err"
check "bushings that add 12 N/mm are not reported"

# Tables contain the bushings' stiffness in their energy, E = 20 kN/m z^2, whose second derivative is 40 N/mm.
camber='camber: [[-120 mm, 1 deg], [120 mm, -3 deg]]'
cat >"$work/tables.yaml" <<END
base: $top/scenarios/iso/step_steer.yaml
vehicle:
  base: $top/scenarios/vehicles/sedan.yaml
  front: {kc: {$camber}}
  rear: {kc: {$camber, bushing_energy: [[-0.1, 200], [-0.05, 50], [0, 0], [0.05, 50], [0.1, 200]]}}
run: {level: L3, compliance: nonlinear}
END
run --check "$work/tables.yaml"
grep -q "warning: the bushings of the rear wheels .* look at 'bushing_energy' of the tables and its unit" "$work/err" &&
  ! grep -q "'rotation'" "$work/err"
check "the message on bushings names the energy where tables contain the stiffness" "$work/err"

all_well
