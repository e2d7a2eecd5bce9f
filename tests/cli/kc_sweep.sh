#!/bin/sh
# The command line of vdsim-kc-sweep: options, streams, files, exit status, and the format of its tables.
# Usage: tests/cli/kc_sweep.sh VDSIM-KC-SWEEP
# Reads scenarios/suspensions/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

dw=scenarios/suspensions/dw_front_sports.yaml
mp=scenarios/suspensions/mp_front_sedan.yaml
ta=scenarios/suspensions/ta_rear_sedan.yaml
corners=$(find scenarios/suspensions -name '*.yaml' | sort)
corner_count=$(echo "$corners" | awk 'END { print NR }')

tabled=$(find scenarios/kc -name '*.yaml' ! -name '*_right.yaml' | sort)
table_count=$(echo "$tabled" | awk 'END { print NR }')

plan $((141 + 3 * corner_count + table_count))
refused() { # PATTERN TITLE
  [ $status -eq 2 ] && [ ! -s "$work/out" ] && grep -q -e "$1" "$work/err"
  check "$2"
}
quiet_success() { [ $status -eq 0 ] && [ ! -s "$work/err" ]; }
# Prints the values of columns, chosen by name, of the rows of a file.
columns() { # FILE NAME...
  file=$1
  shift
  awk -F , -v names="$*" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
    { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }' "$file"
}
metric() { awk -F , -v name="$1" '$1 == name { print $2 }' "$work/out"; }
# whether |value - expected| <= allowed; a text that is not a number fails
near() { awk -v a="$1" -v b="$2" -v allowed="$3" '
  BEGIN { if (a == "") exit 1; d = a - b; exit !(d * d <= allowed * allowed) }'; }

# --- help and usage

run --help
quiet_success && grep -q 'usage: vdsim-kc-sweep' "$work/out" && awk 'length > 100 { exit 1 }' "$work/out"
check "--help goes to standard output and is no wider than 100 columns"
cp "$work/out" "$work/help"
run -h
quiet_success && cmp -s "$work/out" "$work/help"
check "-h prints the same as --help"
run --version
quiet_success && grep -Eqx 'vdsim-kc-sweep [0-9]+\.[0-9]+\.[0-9]+' "$work/out"
check "--version prints name and number"
run
refused 'no suspension given' "no operand is an error"
run "$dw" "$mp"
refused 'one suspension at a time' "two operands are an error"
run --sweeps=rack "$dw"
refused "did you mean '--sweep'" "an unknown option has a suggestion"
run --sweep=racks "$dw"
refused 'travel, rack, grid, fx' "an unknown sweep"
run --mode=roll "$dw"
refused 'parallel or opposite is needed' "an unknown mode"
run --side=front "$dw"
refused 'left, right or both is needed' "an unknown side"
for range in 1:2 a:b:3 1:2:1 1:2:3:4 1:2:2.5 1:2:20000 '' 1,2,3; do
  run --travel="$range" "$dw"
  refused "'--travel=$range'" "--travel=$range is no range"
done
run --check --graph "$dw"
refused 'exclude each other' "--check and --graph exclude each other"
for option in --sweep=fx --travel=-20:20:3 --fy=0:1000:2 --fz=1000:5000:5 --mode=opposite --side=both --partial; do
  run --metrics - "$option" "$dw"
  refused "'${option%%=*}' is for curves" "$option is refused for figures at the design position"
done
run nowhere.yaml
refused 'nowhere.yaml' "a file that is not there"
run --set wheel.centre=1 "$dw"
refused "did you mean 'center'" "a setting of an unknown key gets a suggestion"
run --sweep=rack "$ta"
refused 'no rack steers this wheel' "a rack where nothing is steered"
run --sweep=fy --set bushings=none "$dw"
refused 'nothing is elastic' "forces where nothing is elastic"

run --sweep=grid --travel=-50:50:10001 --rack=-10:10:10001 "$dw"
refused "sweep 'grid': 100020001 points are more than 1000000" "a grid of too many points is an error"
"$exe" --sweep=travel --travel=0:400:3 - <"$dw" >"$work/out" 2>"$work/err"
status=$?
refused '^<stdin>: error: sweep' "standard input has its name"

# --- columns

contract=sweep,travel_mm,rack_mm,fx_N,fy_N,fz_N,mz_Nm,toe_deg,camber_deg,steer_deg,caster_deg,kpi_deg
contract=$contract,wheel_x_mm,wheel_y_mm,wheel_z_mm,patch_x_mm,patch_y_mm,half_track_change_mm,scrub_mm,trail_mm
contract=$contract,spring_length_mm,motion_ratio,wheel_rate_Npmm,roll_centre_z_mm,anti_pct
run "$dw"
quiet_success && head -n 1 "$work/out" | grep -q "^$contract,"
check "the required columns come first, in their order"
cp "$work/out" "$work/all.csv"
cut -d , -f 1 "$work/out" | sed 1d | uniq -c | awk '{ printf "%s%s %s", (NR > 1 ? " " : ""), $2, $1 }' >"$work/sweeps"
[ "$(cat "$work/sweeps")" = "travel 41 rack 17 fx 9 fy 9 mz 9 fz 16 fx_centre 9" ]
check "--sweep=all has 41 travels, 17 racks, 9 of each force and 16 loads"
run --list-columns
quiet_success && [ "$(cut -f 1 "$work/out" | paste -s -d , -)" = "$(head -n 1 "$work/all.csv")" ]
check "--list-columns prints the columns in their order"
run "$dw"
cmp -s "$work/out" "$work/all.csv"
check "a second sweep writes the same bytes"
"$exe" - <"$dw" >"$work/stdin.csv" 2>&1 && cmp -s "$work/stdin.csv" "$work/all.csv"
check "- reads standard input"
run --exact --sweep=travel "$dw"
columns "$work/out" toe_deg | awk 'NR == 1 { exit !(length($1) > 15) }'
check "--exact has more digits"
run --sweep=grid --travel=-50:50:5 --rack=-10:10:3 "$dw"
[ "$(sed 1d "$work/out" | grep -c '^grid,')" = 15 ]
check "a grid has all pairs"
run --sweep=travel --travel=30 "$dw"
[ "$(columns "$work/out" travel_mm)" = 30 ]
check "a range of one number is one point"
run --sweep=fy --fy=-1000:1000:3 --fz=3000 "$dw"
[ "$(columns "$work/out" fy_N fz_N | paste -s -d , -)" = "-1000 3000,0 3000,1000 3000" ]
check "--fz is the load of the sweep --fy"

# --- both sides

run --sweep=travel,rack,fy --side=both --mode=parallel "$dw"
awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  $1 == "travel" && $at["side"] == "left" { toe = $at["toe_deg"]; steer = $at["steer_deg"]; y = $at["wheel_y_mm"];
    track = $at["half_track_change_mm"] }
  $1 == "travel" && $at["side"] == "right" && ($at["toe_deg"] != toe || $at["steer_deg"] + steer != 0 ||
      $at["wheel_y_mm"] + y != 0 ||
    $at["half_track_change_mm"] != track) { exit 1 }' "$work/out"
check "parallel travel: the right wheel is the left one's mirror"
awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  $1 == "rack" && $at["side"] == "left" { left[$3] = $at["toe_deg"] }
  $1 == "rack" && $at["side"] == "right" { right[-$3] = $at["toe_deg"]; n++ }
  END { for (r in left) if (left[r] != right[r]) exit 1; exit n != 17 }' "$work/out"
check "rack: the right wheel at a shift to the right mirrors the left wheel at a shift to the left"
awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  $1 == "fy" && $at["side"] == "left" { left[$5] = $at["toe_deg"] }
  $1 == "fy" && $at["side"] == "right" { right[-$5] = $at["toe_deg"]; n++ }
  END { for (f in left) if (left[f] != right[f]) exit 1; exit n != 9 }' "$work/out"
check "lateral force: the right wheel mirrors the left wheel under the opposite force"
run --sweep=travel --mode=opposite --side=both "$dw"
columns "$work/out" side travel_mm camber_deg roll_deg | awk '
  $1 == "left" { travel = $2; camber[$2] = $3; next }
  $2 + travel != 0 || ($4 > 0) != (travel < 0) && travel != 0 { bad = 1 }
  { right[$2] = $3 }
  END { for (z in right) if (right[z] != camber[z]) bad = 1; exit bad }'
check "opposite travel: the other wheel has the negative travel, and the body rolls away from the wheel that is up"

# --- figures

run --metrics - "$dw"
quiet_success && [ "$(head -n 1 "$work/out")" = metric,value,unit ] && near "$(metric toe_travel)" 0.034561 3.4e-5 &&
  near "$(metric camber_travel)" -0.091246 9.1e-5 && near "$(metric track_travel)" -0.444623 4.4e-4 &&
  near "$(metric toe_rack)" 0.202032 2e-4
check "dw_front_sports has the published gains"
near "$(metric caster_rack_seed)" 0.000004 0.51e-6 && near "$(metric caster)" -1.4321 1e-4
check "dw_front_sports has the published caster, and the caster of the true axis"
run --metrics - "$mp"
near "$(metric toe_travel)" -0.002389 2.4e-6 && near "$(metric camber_travel)" -0.034179 3.4e-5 &&
  near "$(metric track_travel)" -0.108420 1.1e-4 && near "$(metric toe_rack)" 0.200546 2e-4 &&
  near "$(metric caster_rack_seed)" 0.008388 8.4e-6
check "mp_front_sedan has the published gains"
near "$(metric caster)" 2.5448 1e-4
check "mp_front_sedan has the caster of its true axis"
run --metrics - "$ta"
quiet_success && grep -qx 'toe_rack,,deg/mm' "$work/out" && near "$(metric track_travel)" 0.052733 5.3e-5
check "a trailing arm has no gains over the rack: their fields are empty"
awk -F , 'NF != 3 || $3 == "" { exit 1 }' "$work/out"
check "every metric has a unit"

# the springs of a heavy rear axle, of an axle with motion ratio 1 at 4000 N, and of a beam whose hinge depends on the
# mode
for corner in four_link_rear_suv panhard_rear_coupe twist_beam_rear_compact; do
  for mode in parallel opposite; do
    run --sweep=travel --travel=0 --mode=$mode scenarios/suspensions/$corner.yaml
    columns "$work/out" spring_force_N
  done
done >"$work/forces"
awk 'NR % 2 { heave = $1; next } !($1 == heave && heave > 0) { bad = 1 } END { exit bad || NR != 6 }' "$work/forces" &&
  [ "$(sed -n 4p "$work/forces")" = 4000 ]
check "two joined wheels: the load of a spring at the design position does not depend on the mode"
beam=scenarios/suspensions/twist_beam_rear_compact.yaml
run --sweep=travel --travel=0 $beam
[ -z "$(columns "$work/out" roll_centre_z_mm)" ] && [ -n "$(columns "$work/out" anti_pct)" ] &&
  run --sweep=travel --travel=0 --mode=opposite $beam &&
  [ -n "$(columns "$work/out" roll_centre_z_mm)" ] && [ -z "$(columns "$work/out" anti_pct)" ]
check "a twist beam has its roll centre from opposite travel and its anti-lift from parallel travel"

# the bump steer depends most on the tie rod's inner end; the rack's ratio is the arm of the outer end
run --sensitivity "$dw"
[ $status -eq 0 ] && [ ! -s "$work/err" ] && [ "$(head -n 1 "$work/out")" = metric,point,axis,derivative,unit ] &&
  sed -n 2p "$work/out" | grep -q '^toe_travel,tie_rod\.[a-z]*,z,[-0-9.e]*,deg/mm2$' &&
  [ "$(cut -d, -f1 "$work/out" | uniq | sort | uniq -d)" = "" ]
check "--sensitivity sorts the derivatives of each figure by size"
# without loads and springs a compliance is inverse to a common factor of all stiffnesses: the sum of its derivatives by
# their logarithms is minus the compliance (Euler)
run --metrics - --fz=0 "$dw"
toe=$(sed -n 's/^toe_fy,\(.*\),.*/\1/p' "$work/out")
run --sensitivity --fz=0 "$dw"
[ $status -eq 0 ] && grep -q '^toe_fy,lca.*,(deg/kN)/mm$' "$work/out" &&
  awk -F, -v toe="$toe" '$1 == "toe_fy" && $5 == "(deg/kN)/%" { s += 100 * $4; n++ }
    END { d = s + toe; exit !(n > 10 && d * d <= 1e-14 * toe * toe) }' "$work/out"
check "--sensitivity shows the effect of the bushings' rates on the toe under a side force"
run --sensitivity --hold=ground "$dw"
[ $status -eq 0 ] && grep -q '^toe_fy' "$work/out" && [ ! -s "$work/err" ]
check "--sensitivity has the compliance of a wheel held by the ground"
run --sensitivity scenarios/suspensions/panhard_front_offroad.yaml
[ $status -eq 0 ] && grep -q '^roll_steer,steering.drag_link.gear,z,.*,(deg/deg)/mm$' "$work/out" &&
  grep -q '^toe_fy,steering.tie_rod.stiffness,,.*,(deg/kN)/%$' "$work/out"
check "--sensitivity has the rods that steer a rigid axle"
run --sensitivity -o "$work/sensitive.csv" "$dw" && [ $status -eq 0 ] && cmp -s "$work/out" /dev/null &&
  [ -s "$work/sensitive.csv" ]
check "--sensitivity -o writes to a file"
run --sensitivity --sweep=rack "$dw"
refused "'--sweep' is for curves" "--sensitivity takes no options of curves"
run --sensitivity --metrics - "$dw"
refused 'exclude each other' "--sensitivity and --metrics exclude each other"

masses() { run --dynamics --set mass.knuckle_inertia='[0.6, 0.9, 0.6]' "$@"; }
masses --travel=-40:40:9 --frequency=2 "$dw"
[ $status -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 10 ] &&
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { force = $at["mass_kg"] * $at["travel_accel_mps2"] + $at["velocity_N"] - $at["weight_N"] - $at["force_N"]
      if (force > 1e-5 || force < -1e-5) bad = 1 }
    NR == 2 { if (!($at["travel_rate_mps"] > 0.5026 && $at["travel_rate_mps"] < 0.5027)) bad = 1 } # 2 pi 2 Hz 40 mm
    END { exit bad }' "$work/out"
check "--dynamics: force is mass times acceleration, velocity terms and weight, over one period of a sine"
# 0.36 x 6.5 kg x (0.33 m)^2 = 0.255 kg m2, 0.5 x 6.5 kg x (0.33 m)^2 = 0.354 kg m2
run --dynamics "$dw"
[ $status -eq 0 ] && grep -q "knuckle_inertia' is not given; an estimate is used, \[0.255, 0.354, 0.255\] kg m2" \
  "$work/err" && mv "$work/out" "$work/estimated" &&
  run --dynamics --set mass.knuckle_inertia='[0.254826, 0.353925, 0.254826]' "$dw" && [ $status -eq 0 ] &&
  ! [ -s "$work/err" ] && cmp -s "$work/out" "$work/estimated"
check "--dynamics estimates inertias that are not given, and prints a remark"
for file in mp_front_sedan ta_rear_sedan 5link_rear_sports; do
  run --dynamics "scenarios/suspensions/$file.yaml"
  [ $status -eq 0 ] && grep -q 'an estimate is used' "$work/err" && [ "$(wc -l <"$work/out")" -eq 42 ]
  check "--dynamics has all masses of $file"
done
grep -v '^mass:' "$dw" >"$work/light.yaml"
run --dynamics "$work/light.yaml"
refused "does not give: knuckle, lca, uca, tie_rod; 'mass=default' uses those of the type" \
  "--dynamics names the bodies whose masses are missing"
run --dynamics --set mass=default "$work/light.yaml"
[ $status -eq 0 ] && cmp -s "$work/out" "$work/estimated"
check "--dynamics with mass=default takes the default masses of the type"

# beyond 40 mm of bump the lever of the push rod's rocker shortens: the rate falls from 30 N/mm
run --sweep=travel --travel=-100:100:11 "scenarios/suspensions/pushrod_front_formula.yaml"
[ $status -eq 0 ] &&
  grep -q "warning: the wheel rate changes its sign within the travel, from 11.96 N/mm at 80 mm to -54.15" "$work/err"
check "a wheel rate that changes its sign gets a remark"
run --sweep=travel --travel=-40:40:9 "scenarios/suspensions/pushrod_front_formula.yaml"
[ $status -eq 0 ] && ! [ -s "$work/err" ]
check "a wheel rate above 0 gets no remark"
masses "$dw" --sweep=travel
refused "'--sweep' is for curves" "--dynamics takes no options of curves"
run --frequency=2 "$dw"
refused "'--frequency' is for --dynamics" "--frequency is for --dynamics"
masses --frequency=0 "$dw"
refused 'one number above 0' "a frequency of 0 is refused"

run --metrics - --rack=-150:300:3 "$dw"
[ $status -eq 0 ] && grep -qx 'lock_rack,,mm' "$work/out" &&
  [ "$(cat "$work/err")" = "$dw: warning: no figures of the lock: the right wheel cannot reach rack 300 mm" ]
check "a lock that the rack cannot reach gives a warning"

missing=$("$exe" --list-columns | cut -f 1 | while IFS= read -r name; do
  grep -qx "\.It Cm $name" man/vdsim-kc-sweep.1 || echo "$name"
done)
[ -z "$missing" ]
check "every column is in the manual $missing"
missing=$({ "$exe" --metrics - "$dw"; "$exe" --metrics - "$ta"; } | cut -d , -f 1 | sort -u | grep -v '^metric$' |
    while IFS= read -r name; do
  sed -n '/^\.Sh METRICS/,/^\.Sh EXIT/p' man/vdsim-kc-sweep.1 | grep -qw "$name" || echo "$name"
done)
[ -z "$missing" ]
check "every metric is in the manual $missing"

# --- travel, rack and loads together

sedan=scenarios/suspensions/dw_front_sedan.yaml
beam=scenarios/suspensions/twist_beam_rear_compact.yaml
run --sweep=fy --fy=-1000:1000:3 --travel=-30 --rack=10 --fx=-2000 "$sedan"
[ "$(columns "$work/out" travel_mm rack_mm fx_N fy_N | paste -s -d , -)" = \
  "-30 10 -2000 -1000,-30 10 -2000 0,-30 10 -2000 1000" ]
check "single values of travel, rack and load are kept constant in a sweep of another load"
columns "$work/out" toe_deg >"$work/there"
run --sweep=fy --fy=-1000:1000:3 "$sedan"
columns "$work/out" toe_deg | paste - "$work/there" | awk '{ d = $1 - $2 } d * d < 1e-2 { exit 1 }'
check "under another load the wheel is at another place"
run --sweep=fy --travel=-30:30:3 "$sedan"
refused 'travel has several points but no sweep' "a range that is not swept is an error"
run --sweep=fy --travel=900 "$sedan"
refused "sweep 'fy': the left wheel cannot reach travel 900 mm at rack 0 mm" \
  "a travel that the wheel cannot reach is an error"
run --sweep=rack --rack=-10:10:3 --travel=20 "$sedan"
[ "$(columns "$work/out" travel_mm rack_mm | paste -s -d , -)" = "20 -10,20 0,20 10" ]
check "--sweep=rack --travel sweeps the rack at this travel"
[ -z "$(columns "$work/out" fz_N rack_force_N kingpin_moment_Nm | tr -d ' \n')" ]
check "the rack force is zero without a load"
run --sweep=rack --rack=10 --fz=4000 --fy=500 --set car.c_factor='50 mm' "$sedan"
columns "$work/out" fy_N fz_N rack_force_N hand_wheel_moment_Nm hand_wheel_deg steering_ratio |
  awk '{ moment = $3 * 0.05 / 6.283185307; exit !($1 == 500 && $2 == 4000 && $3 != 0 && ($4 - moment) ^ 2 + 0 < 1e-8 ||
    ($4 + moment) ^ 2 < 1e-8) } END { if ($5 * $5 < 71.99 * 71.99 || $5 * $5 > 72.01 * 72.01) exit 1 }'
check "a load gives a rack force and, with 50 mm a turn, a moment at the steering wheel: 10 mm are 72 degrees"

# --- forces

run --forces --sweep=fy,travel --fy=-2000:2000:3 --travel=-40:40:3 --fx=-1500 "$sedan"
quiet_success && head -n 1 "$work/out" | grep -q '^sweep,travel_mm,.*,side,from,on,point,x_mm,.*,pull_N$' &&
  awk -F , 'NR > 1 { key = $1 " " $2 " " $5
      if ($11 == "knuckle") for (i = 16; i <= 18; i++) { sum[key, i] += $i; seen[key, i] = 1 }
      if ($10 == "knuckle") exit 1 }
    END { for (k in seen) { n++; if (sum[k] * sum[k] > 1e-4) exit 1 } exit n != 3 * 6 }' "$work/out"
check "--forces: the sum of the forces on the knuckle is zero at every point"
cut -d , -f 10,11,12 "$work/out" | sed 1d | sort -u >"$work/joints"
grep -qx 'rack,tie_rod,tie_rod.rack' "$work/joints" && grep -qx 'spring,lca,spring.eye' "$work/joints" &&
  grep -qx 'spring,chassis,spring.chassis' "$work/joints" && [ "$(awk 'END { print NR }' "$work/joints")" = 13 ]
check "--forces names bodies and hardpoints"
run --forces --sweep=fy --fy=1000 --side=both "$sedan"
cp "$work/out" "$work/one"
run --forces --sweep=fy --fy=-1000 --side=both "$sedan"
awk -F , 'FNR == 1 { next }
  NR == FNR { if ($9 == "left") { y[$12 $10] = $17; mz[$12 $10] = $21; at[$12 $10] = $14; n++ } next }
  $9 == "right" { if ((y[$12 $10] + $17) ^ 2 > 1e-8 || (mz[$12 $10] + $21) ^ 2 > 1e-8 ||
        (at[$12 $10] + $14) ^ 2 > 1e-8) bad = 1; n-- }
  END { exit bad || n != 0 }' "$work/one" "$work/out"
check "--forces of the right wheel are mirror images"
run --forces --sweep=rack,fy --rack=-20:20:3 --fy=-2000:2000:3 --side=both scenarios/suspensions/dw_front_offroad.yaml
quiet_success && awk -F , 'NR > 1 { key = $1 " " $3 " " $5
      for (i = 16; i <= 18; i++) {
        if ($11 == "relay") sum[key, i] += $i
        if ($10 == "relay") sum[key, i] -= $i }
      if ($9 == "both") rows++
      if ($10 == "gear" && $11 == "pitman" && $21 * $21 > 1) turned++ }
    END { for (k in sum) { n++; if (sum[k] * sum[k] > 1e-6) exit 1 }
      exit n != 3 * 6 || rows != 5 * 6 || turned < 4 }' "$work/out"
check "--forces of a relay rod have the sum zero on both wheels, pitman and idler arm; the gear turns the arm"
run --forces --sweep=fy --fy=0:1000:2 scenarios/suspensions/pushrod_front_formula.yaml
quiet_success && [ "$(grep -c ',push_rod,lca,spring.rocker.rod_part,' "$work/out")" = 2 ] &&
  grep -q ',chassis,spring_rocker,spring.rocker.pivot,' "$work/out"
check "--forces has the forces on a push rod and its rocker"
run --metrics - --set car.c_factor='60 mm' scenarios/suspensions/dw_front_offroad.yaml
refused "'c_factor' and 'gear_ratio' both give the ratio of the steering" "a steering wheel with two ratios is an error"
run --metrics - --set car.axle=front --set car.gear_ratio=16 "$sedan"
refused "there is no pitman arm: 'steering.type' is not relay" "a pitman arm where there is none is an error"
run --forces --sweep=grid "$sedan"
refused 'forces are those of single sweeps' "--forces has no grid"
sed -e '/^beam:/,/section:/d' "$beam" >"$work/rigid_beam.yaml"
run --forces "$work/rigid_beam.yaml"
refused "no forces of a twist beam without its 'beam'" "--forces of a twist beam of unknown stiffness is an error"
run --forces --sweep=fy --fy=0:1000:2 "$beam"
quiet_success && grep -q ',other_knuckle,knuckle,arm_pivot.shear_centre,' "$work/out" &&
  grep -q ',chassis,other_knuckle,arm_pivot.bushing,' "$work/out"
check "--forces of a twist beam has both pivots and the middle of the beam"
run --forces --sweep=travel --set bushings=none "$dw"
quiet_success && [ "$(awk 'END { print NR }' "$work/out")" -gt 400 ]
check "--forces computes the forces of rigid links"

# --- the compliance of an axle

run --matrix --travel=20 "$sedan"
quiet_success && awk -F , 'NF != 14 { exit 1 } NR > 1 { for (j = 2; j <= 13; j++) c[NR - 1, j - 1] = $j }
  END { for (i = 1; i <= 12; i++) for (j = 1; j <= 12; j++) if ((c[i, j] - c[j, i]) ^ 2 > 1e-20 ||
        (i <= 6) != (j <= 6) && c[i, j] != 0) exit 1
    exit NR != 13 }' "$work/out"
check "--matrix has 12 rows and columns, is symmetric, and the wheels do not influence each other"
run --matrix --set car.antiroll_stiffness=12000 "$sedan"
quiet_success && awk -F , '$1 == "z_left_m" { exit !($10 > 0) }' "$work/out"
check "with an anti-roll bar the wheels influence each other in --matrix"
run --factors --hold=centre "$sedan"
quiet_success && cp "$work/out" "$work/factors" && head -n 1 "$work/out" |
  grep -qx 'factor,in_phase,opposed,left,right,unit,hold'
check "--factors has its columns"
run --metrics - --hold=centre "$sedan"
for name in toe_fx toe_fy toe_mz camber_fx camber_fy camber_mz patch_y_fy patch_x_fy toe_fx_centre; do
  [ "$(metric $name)" = "$(awk -F , -v name=$name '$1 == name { print $4 }' "$work/factors")" ] || echo "$name"
done >"$work/differ"
[ ! -s "$work/differ" ]
check "--factors at the design position with the centre held agree with --metrics"
run --factors --trail=50 "$sedan" && cp "$work/out" "$work/trail"
run --factors "$sedan"
! cmp -s "$work/trail" "$work/out" && [ "$(grep -v _trail "$work/trail")" = "$(grep -v _trail "$work/out")" ]
check "--trail changes only the factors of the force behind the contact"
run --sweep=travel --travel=-20:20:3 "$dw" && cp "$work/out" "$work/all.csv"
run -c 'camber_deg,travel_mm,to?_deg' --sweep=travel --travel=-20:20:3 "$dw"
quiet_success && cut -d , -f 2,8,9 "$work/all.csv" | cmp -s - "$work/out"
check "-c writes the columns that match, in the order of the table"
run --columns='*' --sweep=travel --travel=-20:20:3 "$dw"
quiet_success && cmp -s "$work/all.csv" "$work/out"
check "-c '*' writes all columns"
for list in 'toe_deg,toe' '' 'toe_deg,' 'toe_rad'; do
  run -c "$list" "$dw"
  refused "'--columns=$list'" "-c '$list' is no list of columns"
done
run -c toe_deg --metrics - "$dw"
refused "'--columns' is for curves" "-c with --metrics is an error"
run -c toe_deg --forces "$dw"
refused "'--columns' is for curves" "-c with --forces is an error"
run --trail=50 "$sedan"
refused "'--trail' is for --factors" "--trail without --factors is an error"
run --matrix --travel=-10:10:3 "$sedan"
refused "'--travel' is for curves; --matrix takes one travel" "--matrix takes no range"
run --factors --sweep=fy "$sedan"
refused "'--sweep' is for curves; --factors takes one travel" "--factors takes no sweep"
run --matrix "$work/rigid_beam.yaml"
refused "no compliance of a twist beam without its 'beam'" "--matrix of a twist beam of unknown stiffness is an error"
run --matrix "$beam"
quiet_success && [ "$(awk 'END { print NR }' "$work/out")" -eq 13 ] && ! grep -q ',0,0,0,0,0,0,free' "$work/out"
check "--matrix of a twist beam: a force on one wheel moves the other wheel"
run --matrix --set bushings=none "$dw"
refused 'nothing is elastic' "--matrix of rigid links without a spring"
run --matrix --travel=900 "$sedan"
refused 'the linkage does not reach them' "--matrix out of reach"

# --- out of reach

run --sweep=travel --travel=0:400:5 "$dw"
refused 'cannot reach travel 300 mm; the last travel that it reaches is 212' \
  "a travel out of reach is named, with the last travel in reach"
run --sweep=fy --fy=-1e7:1e7:3 "$dw"
refused "no equilibrium of the left wheel at -10000000 N; the last load with one is 0 N" \
  "a load without equilibrium is named, with the last load that has one"
formula=scenarios/suspensions/pushrod_front_formula.yaml
run --sweep=travel --travel=0:200:5 $formula
refused 'cannot reach travel 150 mm; .* is 12[0-9.]* mm, where the rocker of the spring goes no further' \
  "the end of a rocker's motion limits the travel, too"
last=$(sed 's/.*reaches is \([0-9.]*\) mm.*/\1/' "$work/err")
run --sweep=travel --travel="$last" $formula
quiet_success && [ "$(columns "$work/out" travel_mm)" = "$last" ]
check "the named last travel can be reached: $last mm"
run --sweep=travel --travel=0:400:5 --partial -o "$work/partial.csv" "$dw"
[ $status -eq 1 ] && [ "$(columns "$work/partial.csv" travel_mm | paste -s -d ' ' -)" = "0 100 200" ] &&
  grep -q warning "$work/err"
check "--partial keeps the points that can be reached, status 1"
run -q --sweep=travel --travel=0:400:5 --partial "$dw"
[ $status -eq 1 ] && [ ! -s "$work/err" ]
check "--partial -q prints no warning"
run --sweep=travel --travel=0:400:5 -o "$work/none.csv" "$dw"
[ $status -eq 2 ] && [ ! -e "$work/none.csv" ]
check "without --partial no file is written"

# --- files

run --sweep=travel -v -o "$work/one.csv" "$dw"
[ $status -eq 0 ] && [ ! -s "$work/out" ] && [ "$(sed 1d "$work/one.csv" | grep -c '')" = 41 ] &&
  grep -q '41 rows' "$work/err"
check "-o FILE writes a file, and -v prints the number of rows"
run -o "$work/no/such/folder.csv" "$dw"
refused 'cannot write' "an output that cannot be written"
run --check "$dw"
quiet_success && [ ! -s "$work/out" ]
check "--check of a good file is silent"
run --graph "$dw"
quiet_success && [ -s "$work/out" ]
check "--graph prints bodies, joints and points"

# --- completion

# The completions after the given words, in one line, from a bash that splits words at `=`.
offered() {
  bash -c '
    . cli/vdsim-kc-sweep.bash
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _vdsim_kc_sweep "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    echo "${COMPREPLY[*]}"' bash "$exe" "$@"
}
completes() { # EXPECTED WORD...
  expected=$1
  shift
  if command -v bash >/dev/null; then
    [ "$(offered "$@")" = "$expected" ]
    check "completion: $*"
  else
    skip "completion: $*" "no bash"
  fi
}
completes "--mode" --mo
completes "--list-keys" --list-k
completes "opposite" --mode = o
completes "wheel wheel_load" --list-keys = whe
completes "travel,rack" --sweep = travel,ra
completes "wheel.center= wheel.static_radius= wheel.spin_axis= wheel.toe= wheel.camber=" --set wheel.
completes "scenarios/suspensions/ta_rear_sedan.yaml" scenarios/suspensions/ta_

# --- weights

run --gravity --forces --sweep=fy --fy=0 scenarios/suspensions/dw_front_sedan.yaml
quiet_success && awk -F, '$10 == "gravity" && $12 == "centre_of_gravity" { sum += $18; n++ }
  END { d = sum + 9.80665 * (38 + 5.5 + 2.2 + 1); exit !(n == 4 && d * d < 1e-8) }' "$work/out"
check "--gravity: knuckle, arms and tie rod have the weights of the file"
run --gravity --metrics - scenarios/suspensions/dw_front_bump_steer.yaml
refused "gravity needs all masses" "--gravity without masses is an error"
run --gravity --sensitivity $dw
refused "'--gravity' is for curves" "--gravity beside --sensitivity is an error"

# --- tables of wheels' paths

for file in $tabled; do
  name=$(basename "$file" .yaml)
  run --tables "$work/tables" "scenarios/suspensions/$name.yaml"
  quiet_success && [ ! -s "$work/out" ]
  check "$name: --tables writes its tables"
done
diff -r "$work/tables" scenarios/kc >"$work/diff"
check "scenarios/kc/ agrees with the output of --tables for its suspensions" "$work/diff"
run --tables "$work/few" --travel=-50:50:11 --rack=-20:20:3 $mp
quiet_success &&
  [ "$(columns "$work/few/mp_front_sedan.csv" travel_mm rack_mm | awk 'END { print NR, $0 }')" = "33 50 20" ]
check "--tables takes ranges from the options"
rm -f "$work/refused"
for corner in $corners; do
  run --tables "$work/default" "$corner"
  quiet_success || echo "$corner" >>"$work/refused"
done
[ ! -s "$work/refused" ]
check "each shipped suspension reaches the default ranges of --tables"
limousine=scenarios/suspensions/5link_front_limousine.yaml
columns "$work/default/5link_front_limousine.csv" travel_mm rack_mm >"$work/out"
head -n 1 "$work/out" | grep -qx -e '-120 -80' && tail -n 1 "$work/out" | grep -qx '120 80'
check "where links lock under steer, the range of the rack is reduced and that of the travel is not"
run --tables "$work/none" --rack=-100:100:3 $limousine
refused "the wheel cannot reach travel -120 mm with -100 mm of rack" "a longer rack locks the links"
run --tables "$work/short" --set 'links.upper_fore.chassis=[0.14, 0.62, 0.65]' \
  scenarios/suspensions/5link_rear_sedan.yaml
quiet_success && columns "$work/short/5link_rear_sedan.csv" travel_mm | head -n 1 | grep -qx -e -20
check "a link that locks 22 mm below the design position ends the travel there"
run --tables "$work/none" --travel=-300:300:3 $mp
refused "the wheel cannot reach travel -300 mm" "--tables beyond the reach is an error" && [ ! -e "$work/none" ]
run --tables "$work/none" --side=both $mp
refused "'--side' is for curves" "--tables with --side is an error"

# --- every shipped suspension

for corner in $corners; do
  run --side=both "$corner"
  [ $status -eq 0 ] && ! grep -v "the wheel rate changes its sign" "$work/err" && ! grep -qi 'nan\|inf' "$work/out"
  check "$corner: all sweeps of both wheels have finite numbers"
  cp "$work/out" "$work/direct.csv"
  run --resolved "$corner"
  cp "$work/out" "$work/resolved.yaml"
  quiet_success && "$exe" -q --side=both "$work/resolved.yaml" >"$work/again.csv" 2>&1 &&
    cmp -s "$work/direct.csv" "$work/again.csv"
  check "$corner: the resolved file gives the same bytes"
  run --metrics - "$corner"
  quiet_success
  check "$corner: --metrics has no message"
done

all_well
