#!/bin/sh
# The understeer budget: closed forms of its parts, the effect of removing one cause, and the sum for shipped cars.
# Usage: tests/cli/understeer_budget.sh VDSIM-RUN
# Reads scenarios/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 17

# Writes a turn with slowly growing speed, for cars with any drive.
cat >"$work/turn.yaml" <<END
base: $top/scenarios/iso/constant_radius.yaml
vehicle: $top/scenarios/vehicles/textbook_linear.yaml
run: {level: L3, compliance: none}
metrics: {sets: [steady_circular, understeer_budget]}
END

budget() { # NAME SETTING...   metrics in $work/NAME
  name=$1
  shift
  run -q --metrics "$work/$name" "$@" "$work/turn.yaml"
}
value() { awk -F, -v name="$2" '$1 == name { print $2 }' "$work/$1"; } # NAME METRIC
part() { value "$1" "understeer_by_$2_deg_per_g"; }                    # NAME CAUSE
near() { awk -v a="$1" -v b="$2" -v by="$3" 'BEGIN { d = a - b; exit !(a != "" && b != "" && d * d <= by ^ 2) }'; }

parts() { # FILE...
  awk -F, '$1 ~ /^(budget|understeer_by)/ && $1 !~ /_(front|rear)_deg/ { print FILENAME ": " $1 " " $2 }' "$@" \
    >"$work/parts"
}

# --- closed forms, K in deg/g

# K = m (b - a)/(L C) = 1.76082e-3 rad s2/m, C = 160 kN/rad of an axle; front m b/(L C), rear m a/(L C)
budget plain
near "$(part plain tyres)" 0.98937 2e-4 && near "$(part plain tyres_front)" 3.25656 1e-3 &&
  near "$(part plain tyres_rear)" 2.26718 1e-3
check "linear tyres give W_f/C_f - W_r/C_r" "$work/plain"
# A trail t gives the moment t m ay out of the turn. Forces t m ay/L at both axles balance it: angles t m ay/(L C).
budget trail --set vehicle.front.tyre.pneumatic_trail='30 mm' --set vehicle.rear.tyre.pneumatic_trail='30 mm'
near "$(part trail aligning_moment)" 0.12367 1e-3
check "a trail t gives t m g/L (1/C_f + 1/C_r)" "$work/trail"
# A wheel turns by 0.05 deg/kN out of the turn; a front wheel has the side force of 4.5468 kN per g.
compliance='vehicle.front.kc={toe: [[-0.1, 0], [0.1, 0]], compliance: {toe: {fy: 0.05 deg/kN}}}'
other='vehicle.rear.kc={toe: [[-0.1, 0], [0.1, 0]], compliance: {toe: {fy: 0 deg/kN}}}'
budget fy --set "$compliance" --set "$other" --set run.compliance=linear
near "$(part fy side_force_compliance_front)" 0.22734 1e-3
check "a compliance steer c gives c F" "$work/fy"
# Toe over travel is 10 deg/m; the travels are taken from the log at about 2 and 4 m/s2.
budget bump --set 'vehicle.front.kc={toe: [[-0.1, 1 deg], [0.1, -1 deg]]}' --set "$other"
"$exe" -q -c ay_mps2,travel_fl_m,travel_fr_m --set 'vehicle.front.kc={toe: [[-0.1, 1 deg], [0.1, -1 deg]]}' \
  --set "$other" "$work/turn.yaml" >"$work/log"
awk -F, -v part="$(part bump roll_steer_front)" '
  NR > 1 && $2 > 2 && !a { a = $2; z = $4 - $3 }
  NR > 1 && $2 > 4 && !b { b = $2; y = $4 - $3 }
  END { d = 10 * 0.5 * (y - z) / (b - a) * 9.80665; exit !(d > 0.5 && (part - d) ^ 2 < (0.01 * d) ^ 2) }' "$work/log"
check "roll steer is toe per travel times travel" "$work/bump"

# --- one cause removed: the gradient changes by its part, and other parts change by less than a tenth of this part

moves() { # CAUSE WITH WITHOUT
  awk -F, -v cause="understeer_by_$1_deg_per_g" '
    FNR == 1 { file++ }
    $1 == "budget_gradient_deg_per_g" { k[file] = $2 }
    $1 ~ /^understeer_by/ && $1 !~ /_(front|rear)_deg/ { part[file, $1] = $2; names[$1] = 1 }
    END {
      whole = part[1, cause] - part[2, cause]
      if (whole ^ 2 < 0.01 || part[2, cause] ^ 2 > (0.06 * whole) ^ 2) exit 1
      if ((k[1] - k[2] - whole) ^ 2 > (0.07 * whole) ^ 2) exit 1
      for (name in names) {
        d = part[1, name] - part[2, name]
        if (name != cause && d ^ 2 > (0.1 * whole) ^ 2) exit 1
      }
    }' "$work/$2" "$work/$3"
  status=$?
  parts "$work/$2" "$work/$3"
  [ $status -eq 0 ]
  check "without $1 the gradient changes by its part" "$work/parts"
}

flat='vehicle.front.kc={toe: [[-0.1, 0], [0.1, 0]], compliance: {toe: {fy: 0 deg/kN}}}'
budget flat --set "$flat" --set "$other"
moves aligning_moment trail plain
moves side_force_compliance fy flat
moves roll_steer bump flat
camber='--set vehicle.front.tyre.camber_stiffness=0.8 --set vehicle.rear.tyre.camber_stiffness=0.8'
trail='--set vehicle.front.tyre.pneumatic_trail=0.04 --set vehicle.rear.tyre.pneumatic_trail=0.04'
# shellcheck disable=SC2086
{
  budget lean $camber --set vehicle.front.camber_gain=0.9
  budget upright $camber
  budget soft $trail --set run.compliance=linear --set "$other" \
    --set 'vehicle.front.kc={toe: [[-0.1, 0], [0.1, 0]], compliance: {toe: {mz: 1 deg/kNm}}}'
  budget stiff $trail --set "$flat" --set "$other"
}
moves roll_camber lean upright
moves aligning_compliance soft stiff
budget column --set vehicle=scenarios/vehicles/sedan_eps.yaml
budget rigid --set vehicle=scenarios/vehicles/sedan.yaml
moves steering_system column rigid
# The bar increases the front share of the lateral load transfer; the stiffness of tyres is not proportional to the
# load. Trails and drive forces depend on the loads, too.
budget bar --set vehicle=scenarios/vehicles/compact_hatchback.yaml --set vehicle.front.antiroll_stiffness='60 kN m/rad'
budget none --set vehicle=scenarios/vehicles/compact_hatchback.yaml --set vehicle.front.antiroll_stiffness=0
moves load_transfer bar none
# Downforce makes the tyres of both axles stiffer.
budget wing --set vehicle=scenarios/vehicles/race_car.yaml
budget bare --set vehicle=scenarios/vehicles/race_car.yaml \
  --set vehicle.aero.downforce_front=0 --set vehicle.aero.downforce_rear=0
parts "$work/wing" "$work/bare"
near "$(part bare air)" 0 1e-9 && awk -v f="$(part wing air_front)" -v r="$(part wing air_rear)" \
  'BEGIN { exit !(f < -0.3 && r < -0.3) }'
check "downforce reduces the slip of both axles" "$work/parts"

# --- the report draws the parts that are not zero

run -q --report "$work/page.html" "$work/turn.yaml" --set vehicle=scenarios/vehicles/sedan_tables.yaml
awk '/aria-label="Understeer budget"/ { there = 1 } there && /<\/svg>/ { print; exit } there { print }' \
  "$work/page.html" >"$work/picture"
budget drawn --set vehicle=scenarios/vehicles/sedan_tables.yaml
shown=0
for name in 'tyres and weight:understeer_by_tyres' 'roll steer:understeer_by_roll_steer' \
  'understeer gradient:budget_gradient'; do
  number=$(value drawn "${name#*:}_deg_per_g" | awk '{ printf "%.2f", $1 }')
  grep -q ">${name%%:*}</text><rect class=\"part\".*>$number</text>" "$work/picture" && shown=$((shown + 1))
done
[ $shown -eq 3 ] && ! grep -q 'steering system' "$work/picture"
check "the report draws the parts" "$work/picture"

# --- the sum of the parts is the gradient of the run within 2 %, or within 0.01 deg/g for a nearly neutral car, whose
# gradient is a small difference of the parts of both axles; 0.01 deg/g is a third of a per cent of these parts

cars=0
sums() { # NAME   gradient and sum of $work/out
  awk -F, -v car="$1" '
    $1 == "budget_gradient_deg_per_g" { k = $2 }
    $1 == "budget_sum_deg_per_g" { sum = $2 }
    END { off = (k - sum) ^ 2
      if (k == "" || sum == "" || off > (0.02 * k) ^ 2 && off > 1e-4) print car ": gradient " k ", sum " sum }' \
    "$work/out" >>"$work/off"
}
for level in L2 L3 L4 L5; do
  : >"$work/off"
  cars=0
  case $level in # the other levels take long
    L5) chosen=$(printf '%s\n' scenarios/vehicles/*.yaml) ;;
    *) chosen=$(printf '%s\n' scenarios/vehicles/*.yaml | sample 8) ;;
  esac
  for car in $chosen; do
    [ $cars -lt 3 ] || [ "$seed" = all ] || break
    bushings=none
    case $level$car in
      L[345]*_seed*) continue ;;              # needs other keys
      L4*) bushings=nonlinear ;;
      L5*sedan_hardpoints* | L5*saloon*) ;; # one car of each kind
      L5*) continue ;;
    esac
    run -q --metrics - --set vehicle="$car" --set run.level=$level --set run.compliance=$bushings "$work/turn.yaml"
    [ $status -eq 0 ] || continue # this car lacks keys for the level
    cars=$((cars + 1))
    sums "$car"
  done
  echo "$cars" >"$work/cars"
  [ ! -s "$work/off" ] && [ $cars -ge 1 ]
  check "at $level the sum of the parts is the gradient, for $cars cars" "$work/off" "$work/cars"
done
