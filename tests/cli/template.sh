#!/bin/sh
# Templates: files that run from few numbers, their estimates, and the shipped cars that began with one.
# Usage: tests/cli/template.sh VDSIM-RUN VDSIM-KC-SWEEP
# Reads scenarios/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

sweep=$2
case $sweep in /*) ;; *) sweep=$top/$sweep ;; esac
plan 47

# A metric of a run that is in $work/out.
metric() { awk -F, -v name="$1" '$1 == name { print $2 }' "$work/out"; }
# Whether a number is within a share of another.
near() { awk -v a="$1" -v b="$2" -v share="$3" 'BEGIN { d = a - b; exit !(a != "" && d * d <= (share * b) ^ 2) }'; }
# The number of estimates that --check counts.
count() {
  run --check "$@"
  sed -n '1s/^.*: \([0-9]*\) values\{0,1\} \(is\|are\) estimated$/\1/p' "$work/out"
}

# --- each template runs as its first lines say

for kind in car tyre suspension scenario; do
  run --template $kind -o "$work/$kind.yaml"
  [ $status -eq 0 ] && [ ! -s "$work/err" ] && [ ! -s "$work/out" ] && [ -s "$work/$kind.yaml" ]
  check "--template $kind writes a file and says nothing"
done
run -q --metrics - "$work/scenario.yaml"
[ $status -eq 0 ] && [ ! -s "$work/err" ] && near "$(metric ay_steady_mps2)" 4 0.2
check "the scenario runs; its step makes about the 4 m/s2 that it aims at"
for manoeuvre in constant_radius obstacle_avoidance accelerate brake; do
  "$exe" --template scenario --set manoeuvre=$manoeuvre >"$work/m.yaml"
  run -q --metrics - "$work/m.yaml"
  [ $status -eq 0 ] && [ ! -s "$work/err" ]
  check "the scenario $manoeuvre runs"
done
"$exe" --template scenario --set vehicle="$work/car.yaml" >"$work/m.yaml"
run -q --metrics - "$work/m.yaml"
[ $status -eq 0 ] && grep -q "^vehicle: \"$work/car.yaml\"" "$work/m.yaml"
check "the scenario drives a vehicle file"
run -q --set tyre="$work/tyre.yaml" scenarios/rig/fy_alpha.yaml
[ $status -eq 0 ] && [ ! -s "$work/err" ]
check "the tyre runs on a rig"
"$sweep" --check "$work/suspension.yaml" >"$work/out" 2>"$work/err" && [ ! -s "$work/err" ] &&
  grep -q 'suspension.yaml: 15 values are estimated$' "$work/out" && grep -q '^  lca.knuckle$' "$work/out"
check "the suspension is counted by vdsim-kc-sweep --check"

# --- comments come from the tables

help=$("$exe" --list-keys | awk -F '\t' '$1 == "vehicle.yaw_inertia" { print $6 }')
tr '\n' ' ' <"$work/car.yaml" | tr -d '#' | tr -s ' ' | grep -qF "$help"
check "the comment of a key is its help"
! awk 'length > 106' "$work"/*.yaml | grep -q . # comments are broken at 100, lists at 100 and a margin
check "no line is long"
for kind in car tyre suspension scenario; do
  [ "$("$exe" --list-keys=template_$kind | cut -f 6 | grep -c .)" -gt 4 ]
  check "--list-keys=template_$kind lists its numbers with help"
done

# --- a car from ten numbers, as a data sheet has them

ten() {
  "$exe" --template car --set mass='1500 kg' --set wheelbase='2.70 m' --set track='1.55 m' --set front_share='56 %' \
    --set cg_height='0.56 m' --set tyre=215/55R17 --set drive=rear --set power='120 kW' --set width='1.82 m' \
    --set turning_circle='11 m' "$@"
}
ten >"$work/ten.yaml"
all=$(count --set vehicle="$work/car.yaml" scenarios/iso/step_steer.yaml)
left=$(count --set vehicle="$work/ten.yaml" scenarios/iso/step_steer.yaml)
# mass, wheelbase, both tracks, place of the centre of gravity twice, drive, width, greatest angle; tyre and power are
# in others
[ "$status" -eq 0 ] && [ "$all" -eq 58 ] && [ "$left" -eq $((all - 9)) ]
check "ten numbers check, and what is given is no estimate: 49 of 58 are left"
for scenario in iso/constant_radius iso/constant_speed_l3 iso/step_steer iso/obstacle_avoidance_l3; do
  run -q -o "$work/runs" --set vehicle="$work/ten.yaml" scenarios/$scenario.yaml
  stem=$(basename $scenario)
  [ $status -eq 0 ] && [ "$(grep -c '^  - vehicle\.' "$work/runs/$stem.provenance.yaml")" -eq "$left" ] &&
    grep -q '^  - vehicle.rear.tyre.curve_lateral$' "$work/runs/$stem.provenance.yaml"
  check "it runs $scenario, whose provenance names the estimates"
done
run --check "$work/runs/step_steer.resolved.yaml"
[ $status -eq 0 ] && sed -n 1p "$work/out" | grep -q ": $left values are estimated$"
check "a resolved scenario keeps them"
sed -e 's/^yaw_inertia: .*/yaw_inertia: 2700 kg m2/' -e 's/\[yaw_inertia, /[/' -e 's/\[mass, yaw_inertia, /[mass, /' \
  "$work/ten.yaml" >"$work/one.yaml"
[ "$(count --set vehicle="$work/one.yaml" scenarios/iso/step_steer.yaml)" = $((left - 1)) ] &&
  ! grep -q yaw_inertia "$work/out"
check "a number that was measured, with its mark deleted, is one less"
run --check scenarios/iso/step_steer.yaml
[ $status -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
check "a car without estimates is not spoken of"

# --- the rules, by numbers from elsewhere

# 215/55R17: 431.8 mm + 2 x 118.25 mm = 668.3 mm; 3.05 x 668.3 mm/(2 pi) = 324.4 mm. Rhyne: 0.00028 x 230 x
# sqrt(0.81 x 215 x (236.5 + 431.8)) + 3.45 = 25.42 kgf/mm = 249.3 N/mm. Dynamic index 1: 1500 x 1.188 x 1.512 = 2694 kg
# m2.
grep -q '^  wheel_radius: 0.3244 m' "$work/ten.yaml" &&
  grep -q '^    vertical_stiffness: 249.3 N/mm' "$work/ten.yaml" &&
  grep -q '^yaw_inertia: 2694 kg m2' "$work/ten.yaml" && grep -q '^cg_to_front: 1.188 m' "$work/ten.yaml"
check "radius, stiffness of the tyre and yaw inertia are those of their formulas"
for degrees in 1 2.5 4; do
  ten --set understeer_per_g="$degrees deg" >"$work/u.yaml"
  run -q --metrics - --set vehicle="$work/u.yaml" --set run.level=L1 --set vehicle.front.tyre.pneumatic_trail=0 \
    --set vehicle.rear.tyre.pneumatic_trail=0 scenarios/iso/constant_speed.yaml
  # from 2 m/s2 to 4 m/s2, whose middle is 0.3 g: there the tyres have the slips asked for, without load transfer and
  # trails
  gradient=$(awk -v a="$(metric understeer_gradient_2_rad_per_mps2)" \
      -v b="$(metric understeer_gradient_4_rad_per_mps2)" \
    'BEGIN { print (a + b) / 2 * 9.80665 * 180 / 3.14159265 }')
  awk -v a="$gradient" -v b="$degrees" 'BEGIN { exit !((a - b) ^ 2 < 0.05 ^ 2) }'
  check "asked for $degrees deg/g, the single track understeers by that at 0.3 g, within 0.05 deg/g: $gradient"
done
for degrees in 4 5.5 7; do
  ten --set roll_per_g="$degrees deg" >"$work/u.yaml"
  run -q --metrics - --set vehicle="$work/u.yaml" --set metrics=handling scenarios/iso/constant_radius_l3.yaml
  # the rule has neither the lean of the axles nor the loads that the wheels exchange
  near "$(metric roll_gradient_deg_per_g)" $degrees 0.08
  check "asked for $degrees deg/g, its body rolls by that within 8 %: $(metric roll_gradient_deg_per_g)"
done
for type in macpherson double_wishbone; do
  run --template suspension --set type=$type --set roll_centre='80 mm' --set caster='4 deg' --set inclination='13 deg' \
    --set scrub='10 mm' --force -o "$work/s.yaml"
  "$sweep" --metrics - "$work/s.yaml" >"$work/out"
  near "$(metric roll_centre_z)" 80 0.01 && near "$(metric caster)" 4 0.002 && near "$(metric kpi)" 13 0.002 &&
    near "$(metric scrub)" 10 0.02 && awk -v a="$(metric toe_travel)" 'BEGIN { exit !(a * a < 0.0005 ^ 2) }'
  check "$type: the sweep finds roll centre, caster, inclination and scrub radius asked for, and no bump steer"
done

# --- the shipped cars began with the template, whose command they quote

for car in compact_hatchback suv electric_two_motors; do
  file=scenarios/vehicles/$car.yaml
  options=$(sed -n 's/^# //; /^ *vdsim-run --template/,/[^\\]$/p' $file | sed 's/\\$//; s/vdsim-run//' | tr '\n' ' ')
  eval "'$exe' $options --force -o '$work/made.yaml'"
  for from in "$work/made.yaml" $file; do
    "$exe" --resolved --set vehicle="$from" --set vehicle.source=x scenarios/iso/step_steer.yaml |
      grep -v 'estimates:' >"$work/resolved.$(basename "$from")"
  done
  diff "$work/resolved.made.yaml" "$work/resolved.$car.yaml" | grep '^>' | sed 's/^> *//; s/:.*//' |
    sort -u | tr '\n' ' ' >"$work/out"
  case $car in
    electric_two_motors) [ "$(cat "$work/out")" = "front_share max_power max_torque ratio wheel_inertia " ] ;;
    *) [ ! -s "$work/out" ] ;;
  esac
  check "$car is what the template makes of its numbers, but for its motors"
done

# --- what is wrong is said

refused() { # TITLE WORDS OPTION...
  title=$1 words=$2
  shift 2
  run "$@"
  [ $status -eq 2 ] && grep -q -- "$words" "$work/err" && [ ! -s "$work/out" ]
  check "$title"
}
refused "an unknown template" "the templates are car, tyre, suspension, scenario" --template cat
refused "an unknown number" "unknown key 'mas' in car's numbers; did you mean 'mass'?" --template car --set mas=3
refused "a tyre's size" "'205-55' is not a size of a tyre such as 205/55R16" --template car --set tyre=205-55
# 18 inches of diameter roll like any belt, at 3.05/(2 pi) of it; 225/45R17 in the other spellings of its sidewall
size() { "$exe" --template car --set mass='300 kg' --set tyre="$1" | sed 1,2d | grep -v 'name: '; }
size 225/45R17 >"$work/plain"
for spelling in '225/45 R 17' 'P225/45ZR17 91W' 'P 225/45 R17' '225 / 45 - 17'; do
  size "$spelling" | cmp -s - "$work/plain" || echo "$spelling" >>"$work/spelt"
done
[ -s "$work/plain" ] && [ ! -e "$work/spelt" ]
check "a size may be spelt as on sidewalls"
size 18x6.0-10 | awk '$1 == "wheel_radius:" { d = $2 - 0.0254 * 18 * 3.05 / 6.283185; found = d * d < 1e-7 }
  END { exit !found }'
check "a size in inches has its diameter"
refused "less roll than that of the tyres" "the tyres alone let this car roll by" --template car \
  --set roll_per_g='0.5 deg'
refused "an estimate of a key that is not there" "'mas' in 'estimates' is not a key of this vehicle" --check \
  --set vehicle.estimates='[mas]' scenarios/iso/step_steer.yaml
refused "an estimate twice" "'mass' is listed twice in 'estimates'" --check --set vehicle.estimates='[mass, mass]' \
  scenarios/iso/step_steer.yaml
refused "a scenario" "takes numbers (--set), no scenario" --template car scenarios/iso/step_steer.yaml

all_well
