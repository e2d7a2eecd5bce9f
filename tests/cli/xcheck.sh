#!/bin/sh
# vdsim-xcheck on the command line: verdicts, exit status, exports and imports, refusals.
# Usage: tests/cli/xcheck.sh VDSIM-XCHECK VDSIM-KC-SWEEP
# Reads scenarios/suspensions/ and tests/hardpoints/; writes a temporary folder.
set -u

[ $# -eq 2 ] || { echo "usage: tests/cli/xcheck.sh VDSIM-XCHECK VDSIM-KC-SWEEP" >&2; exit 2; }
sweep=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

corners="mp_front_sedan dw_front_sports ta_rear_sedan 5link_rear_sports"
folder=scenarios/suspensions
plan $((4 * 7 + 70 + 10 + 6 + 5))
# Checks status 2, an empty standard output, and exactly this message.
refused() { # WORDS
  [ $status -eq 2 ] && [ ! -s "$work/out" ] && [ "$(cat "$work/err")" = "$1" ]
  check "refused: $(echo "$1" | head -n 1)"
}
# Prints the number of verdicts of one kind.
count() { awk -F, -v kind="$1" 'NR > 1 && $7 == kind { n++ } END { print n + 0 }' "$work/out"; }
verdict() { awk -F, -v metric="$1" '$1 == metric { print $7 }' "$work/out"; }
wheel="--toe0=0 --camber0=0"

# --- export and import

for name in $corners; do
  file=$folder/$name.yaml
  radius=$(sed -n 's/.*static_radius: *\([0-9.]*\).*/\1/p' "$file")
  gains=5 curves=28
  case $name in
    ta_*) gains=3 curves=8 ;;
    5link_*) gains=3 curves=12 ;;
  esac
  run --export-adams "$work/$name.csv" "$file"
  [ $status -eq 0 ] && grep -q '^hpl_wheel_center,[0-9]*,-7[789]' "$work/$name.csv"
  check "$name: the export is in adams axes and millimetres"
  # shellcheck disable=SC2086 # a list of options
  run --rtol 1e-9 --atol 1e-12 $wheel "$file" "$work/$name.csv"
  [ $status -eq 0 ] && [ "$(count pass)" -eq $((2 * gains + 2)) ] && [ "$(count fail)" -eq 0 ]
  check "$name: $gains gains of the export and the changes over their sweeps agree to 1e-9"
  # shellcheck disable=SC2086
  run --curves --rtol 1e-9 --atol 1e-9 $wheel --radius "$radius" "$file" "$work/$name.csv"
  [ $status -eq 0 ] && [ "$(count pass)" -eq $((gains + curves)) ]
  check "$name: $curves curves of the export agree to 1e-9"
  # shellcheck disable=SC2086
  run --import "$work/$name.csv" $wheel --radius "$radius" -o "$work/$name.yaml"
  [ $status -eq 0 ] && run -q --rtol 1e-9 --atol 1e-12 --curves "$file" "$work/$name.yaml" && [ $status -eq 0 ] &&
    [ "$(count pass)" -eq $((gains + curves)) ] && [ ! -s "$work/err" ]
  check "$name: the import of the export gives the original suspension"
  run --export-adams - --axes=iso --length-unit=m "$work/$name.yaml"
  cp "$work/out" "$work/iso.csv"
  # shellcheck disable=SC2086
  run $wheel --rtol 1e-9 --atol 1e-12 "$work/iso.csv" "$work/$name.csv"
  [ $status -eq 0 ] && grep -q "axes: iso .*lengths in m, proven" "$work/err" &&
    grep -q "axes: adams .*lengths in mm, proven" "$work/err"
  check "$name: two lists with different axes and units agree"
  "$sweep" -o "$work/$name.kc.csv" "$file" 2>"$work/err"
  # differences of rows 5 mm apart, extrapolated: h^4 f^(5)/30 of curves over 0.3 m is 3e-9 of a slope; the table has
  # nine digits
  run --curves --rtol 1e-6 --atol 1e-5 "$file" "$work/$name.kc.csv"
  [ $status -eq 0 ] && [ "$(count pass)" -eq $((gains + curves)) ]
  check "$name: the suspension agrees with its table of curves as the candidate"
  run --curves --rtol 1e-6 --atol 1e-5 "$work/$name.kc.csv" "$file"
  [ $status -eq 0 ] && [ "$(count pass)" -eq $((gains + curves)) ]
  check "$name: the suspension agrees with its table of curves as the reference"
done

# with the angles and the radius that the remark gives
for name in 5link_rear_sedan dw_front_sedan mp_front_compact sta_rear_sedan pushrod_front_formula; do
  run --export-adams "$work/list.csv" $folder/$name.yaml
  options=$(grep -o -e '--toe0=[^ ]* --camber0=[^ ]* --radius=[0-9.]*' "$work/err")
  # shellcheck disable=SC2086
  run --rtol 1e-9 --atol 1e-12 $options $folder/$name.yaml "$work/list.csv"
  # shellcheck disable=SC2086
  [ $status -eq 0 ] && [ "$(count fail)" -eq 0 ] && [ "$(count pass)" -ge 3 ] &&
    run -q --rtol 1e-9 --atol 1e-6 --curves=toe_deg,camber_deg,wheel_x_mm $options \
    $folder/$name.yaml "$work/list.csv" &&
    [ $status -eq 0 ]
  check "$name: the export agrees with $options"
done

# a toe link on a rack, and wishbones with a toe link at the chassis
sed 's/^type:/steering: none\n&/' $folder/dw_rear_sports.yaml >"$work/toe_link.yaml"
for file in $folder/5link_front_limousine.yaml "$work/toe_link.yaml"; do
  name=$(basename "$file" .yaml)
  run --export-adams "$work/list.csv" "$file"
  options=$(grep -o -e '--toe0=[^ ]* --camber0=[^ ]* --radius=[0-9.]* --steering=[a-z]*' "$work/err")
  # shellcheck disable=SC2086
  run $options --import "$work/list.csv" --force -o "$work/list.yaml"
  [ $status -eq 0 ] &&
    run -q --rtol 1e-9 --atol 1e-9 --curves=toe_deg,camber_deg,wheel_x_mm,patch_y_mm "$file" "$work/list.yaml"
  rack=$(verdict toe_rack)
  # the caster of five links depends on the spring's length, which the list does not have
  case $name$rack in
  5link_front_limousinepass | toe_link) ! awk -F, '$1 !~ /^caster/' "$work/out" | grep -q fail ;;
  *) false ;;
  esac
  check "$name: the import of the export steers like the original, with $options"
done
# shellcheck disable=SC2086
run $wheel --steering=rack,none "$work/dw_front_sports.csv" "$work/dw_front_sports.csv"
[ $status -eq 1 ] && [ "$(verdict toe_rack)" = absent ] && [ "$(verdict toe_travel)" = pass ]
check "a list whose tie rod is held has no change of toe over the rack"
# shellcheck disable=SC2086
run $wheel --steering=rack --radius=0.305 $folder/ta_rear_sedan.yaml "$work/ta_rear_sedan.csv"
refused "$work/ta_rear_sedan.csv: error: a trailing arm has no rod that a rack moves; omit --steering"

# types with rods of both sides and points in the middle of the car
for name in multilink_rear_compact twist_beam_rear_compact four_link_rear_suv panhard_rear_coupe; do
  run --export-adams "$work/list.csv" $folder/$name.yaml
  options=$(grep -o -e '--toe0=[^ ]* --camber0=[^ ]* --radius=[0-9.]*' "$work/err")
  # shellcheck disable=SC2086
  run $options --import "$work/list.csv" --force -o "$work/list.yaml"
  [ $status -eq 0 ] &&
    run -q --rtol 1e-9 --atol 1e-9 --curves=toe_deg,camber_deg,wheel_x_mm,patch_y_mm $folder/$name.yaml \
    "$work/list.yaml" && [ $status -eq 0 ] && [ "$(count pass)" -ge 7 ]
  check "$name: the import of the export has the same kinematics"
done

# --- other forms of a list

awk -F, 'BEGIN {
    print "$ a comment\n[UNITS]\nLENGTH = '"'mm'"'\n[HARDPOINT]\n{hardpoint_name symmetry x_value y_value z_value}" }
  NR > 1 { sub(/^hpl_/, "", $1); print "'"'"'" $1 "'"' 'left/right' "'" $2, $3, $4 }
  END { print "[PARAMETER]\n'"'toe_angle' 'left/right' 'real'"' 0\n'"'camber_angle' 'left/right' 'real'"' 0" }' \
  "$work/dw_front_sports.csv" >"$work/dw.sub"
run --rtol 1e-9 --atol 1e-12 $folder/dw_front_sports.yaml "$work/dw.sub"
[ $status -eq 0 ] && grep -q "lengths in mm, as the file says; toe and camber as the file says$" "$work/err"
check "a subsystem file is read, with its unit, toe and camber"
run --length-unit=m $folder/dw_front_sports.yaml "$work/dw.sub"
[ $status -eq 2 ] && grep -q "error: lengths are said to be in m, but the file says mm$" "$work/err"
check "a unit that differs from the file's is refused"
sed -i 's/-750/-75O/' "$work/dw.sub"
run $folder/dw_front_sports.yaml "$work/dw.sub"
[ $status -eq 2 ] && grep -q "dw.sub:[0-9]*:[0-9]*: error: '-75O' is not a number$" "$work/err"
check "a bad number of a subsystem file is reported with its place"
# a table with y to the right and x forward, in inches, with names of its own
awk -F, 'NR == 1 { print "made by hand\nNo Item X Y Z" }
  NR > 1 { printf "%d \"P %d\" %.17g %.17g %.17g\n", NR, NR, -$2 / 25.4, $3 / 25.4, $4 / 25.4 }' \
  "$work/dw_front_sports.csv" >"$work/by_number.shk"
{
  echo "file: by_number.shk"
  echo "skip: 1"
  echo "columns: {name: Item, x: {column: X, unit: in}, y: {column: Y, unit: in, scale: -1}, z: {column: Z, unit: in}}"
  echo "points:"
  awk -F, 'NR > 1 { printf "  - {name: P %d, is: %s}\n", NR, $1 }' "$work/dw_front_sports.csv"
} >"$work/by_number.yaml"
# shellcheck disable=SC2086
run $wheel --rtol 1e-9 --atol 1e-12 $folder/dw_front_sports.yaml "$work/by_number.yaml"
[ $status -eq 0 ] && grep -q "left corner; axes: iso" "$work/err"
check "a described table with signs, units and names of its own is read"
# both axles in one file: the description chooses the rear axle, the option, which takes precedence, the front axle
awk -F, 'NR == 1
  NR > 1 { for (axle = 0; axle < 2; axle++)
    printf "%s_left_%s,%.17g,%.17g,%.17g\n", axle ? "rear" : "front", substr($1, 5), $2 + 2500*axle, $3, $4 }' \
  "$work/dw_front_sports.csv" >"$work/axles.csv"
printf 'file: axles.csv\naxle: rear\n' >"$work/axles.yaml"
run --import "$work/axles.yaml" --toe0=0 --camber0=0 --radius=0.33
[ $status -eq 0 ] && grep -q 'note: rear axle (the list has both, --axle=front takes the other)' "$work/err" &&
  grep -q 'center: \[-2.5, ' "$work/out" &&
  run --import "$work/axles.yaml" --toe0=0 --camber0=0 --radius=0.33 --axle=front && [ $status -eq 0 ] &&
  grep -q 'note: front axle' "$work/err" && grep -q 'center: \[0, ' "$work/out"
check "a key or an option chooses one of two axles, and the choice is reported"
sed -i 's/scale: -1/scle: -1/' "$work/by_number.yaml"
# shellcheck disable=SC2086
run $wheel $folder/dw_front_sports.yaml "$work/by_number.yaml"
[ $status -eq 2 ] && grep -q "by_number.yaml:3:[0-9]*: error: unknown key 'scle'.*did you mean 'scale'" "$work/err"
check "a wrong key of a description is an error"

# a suspension file as JSON, with toe and camber instead of a spin axis and the older name of `part`
cat >"$work/sta.json" <<END
{"type": "trailing_arm", "wheel": {"center": [0, 0.73, 0.3], "toe": 0.0034906585039886592,
  "camber": -0.026179938779914944, "static_radius": 0.3},
 "arm_pivot": {"chassis_inboard": [0.35, 0.2, 0.312], "chassis_outboard": [0.46, 0.58, 0.318]},
 "spring": {"chassis": [0.11, 0.48, 0.45], "eye": [0.12, 0.48, 0.215], "on": "arm", "rate": 62000}}
END
run -q "$work/sta.json" "$work/sta.json" && [ $status -eq 0 ] &&
  "$sweep" --metrics - "$work/sta.json" >"$work/out" 2>"$work/err" &&
  grep -q '^toe,0.2,deg$' "$work/out" && grep -q '^camber,-1.5,deg$' "$work/out" && [ ! -s "$work/err" ]
check "a suspension as JSON is read with its toe and camber"
"$sweep" --resolved "$work/sta.json" >"$work/resolved.yaml" && grep -q '^  part: arm$' "$work/resolved.yaml" &&
  ! grep -qw -e on -e toe "$work/resolved.yaml"
check "the resolved file of JSON names the part by 'part'"

# in heave a twist beam has no roll centre, in the file and in its table
beam=$folder/twist_beam_rear_compact.yaml
"$sweep" -o "$work/beam.csv" $beam 2>"$work/err"
run --curves --rtol 1e-6 --atol 1e-5 $beam "$work/beam.csv"
[ $status -eq 0 ] && [ "$(count pass)" -gt 3 ]
check "a twist beam agrees with its own table of curves"

# --- suspensions that differ

mp=$folder/mp_front_sedan.yaml
dw=$folder/dw_front_sports.yaml
# the slope of the tie rod changes by 2/330, and the steering arm is 0.28 m long: 0.02 rad/m or 0.0012 deg/mm, half of
# the toe gain; camber, track and the ratio of the rack do not change
awk -F, -v OFS=, '/tierod_outer/ { $4 += 2 } 1' "$work/mp_front_sedan.csv" >"$work/moved.csv"
# shellcheck disable=SC2086
run $wheel "$mp" "$work/moved.csv"
[ $status -eq 1 ] && [ "$(verdict toe_travel)" = fail ] && [ "$(verdict camber_travel)" = pass ] &&
  [ "$(count fail)" -eq 4 ]
check "a tie rod end 2 mm higher fails at 5 %"
grep -q "^vdsim-xcheck: 4 of 12 figures differ: toe_travel, toe_travel@travel_mm=[-0-9]*, \
wheel_x_travel@travel_mm=[-0-9]*, spin_travel@travel_mm=[-0-9]*$" "$work/err"
check "the figures that differ are named"
grep -q "^vdsim-xcheck: note: toe_travel: 'tie_rod.knuckle' is 2 mm away (100 % of the deviation)$" "$work/err"
check "the hardpoint that causes the differences is named"
# A joint that is moved along its rod gives the same velocities at the design position, so that neither change affects
# the gains. Away from this position the end of a rod of 330 mm moves on an arc of 180 mm, or on an arc that is curved
# to the other side.
awk -F, -v OFS=, '/tierod_inner/ { $2 += 0; $3 -= 149.3838; $4 += 13.5803 } 1' "$work/mp_front_sedan.csv" \
  >"$work/slid.csv"
awk -F, -v OFS=, '
  /tierod_inner/ { sub("inner", "OUTER") } /tierod_outer/ { sub("outer", "inner") } 1' "$work/mp_front_sedan.csv" \
  >"$work/exchanged.csv"
for list in slid exchanged; do
  # shellcheck disable=SC2086
  run -q --gains --rtol 1e-3 --atol 1e-6 $wheel "$mp" "$work/$list.csv"
  [ $status -eq 0 ] && [ "$(count pass)" -eq 5 ]
  check "$list: the gains at the design position agree"
  # shellcheck disable=SC2086
  run $wheel "$mp" "$work/$list.csv"
  [ $status -eq 1 ] && [ "$(verdict toe_travel)" = pass ] &&
    grep -q '^toe_travel@travel_mm=-*100,.*,deg,fail$' "$work/out"
  check "$list: the changes over the travel do not agree"
done
grep -q "note: toe_travel@travel_mm=100: 'tie_rod.rack' and 'tie_rod.knuckle' are exchanged (100 % of the deviation)$" \
  "$work/err"
check "two points that are exchanged are named"
# shellcheck disable=SC2086
run $wheel "$mp" "$work/slid.csv"
grep -q "note: toe_travel@travel_mm=-100: 'tie_rod.rack' is 150 mm away (100 % of the deviation)$" "$work/err"
check "a joint that was moved along its rod is named"
# shellcheck disable=SC2086
run --gains $wheel "$mp" "$work/moved.csv"
[ $status -eq 1 ] && [ "$(count fail)" -eq 1 ] && [ "$(count pass)" -eq 4 ]
check "--gains compares only the gains"
# shellcheck disable=SC2086
run --curves=toe_deg,camber_deg $wheel "$mp" "$work/moved.csv"
[ $status -eq 1 ] && [ "$(awk 'END { print NR }' "$work/out")" -eq 10 ] &&
  grep -q "^toe_deg@travel_mm=[-0-9]*,.*,deg,fail$" "$work/out"
check "the worst point of a curve is named"
# shellcheck disable=SC2086
run -q --tap $wheel "$mp" "$work/moved.csv"
[ $status -eq 1 ] && [ ! -s "$work/err" ] && [ "$(head -n 1 "$work/out")" = 1..12 ] &&
  grep -q '^not ok 1 - toe_travel: ' "$work/out" &&
  [ "$(grep -c '^ok ' "$work/out")" -eq 8 ]
check "--tap prints the verdicts of the CSV"
# an axle, whose wheels hardly steer in heave
axle=$folder/four_link_rear_suv.yaml
run --export-adams "$work/axle.csv" $axle
exchange() { # ROD FROM TO
  awk -F, -v rod="$1" '
    NR == FNR { if ($1 ~ rod "_inner") inner = $2 "," $3 "," $4; if ($1 ~ rod "_outer") outer = $2 "," $3 "," $4; next }
    $1 ~ rod "_inner" { print $1 "," outer; next } $1 ~ rod "_outer" { print $1 "," inner; next } 1' "$2" "$2" >"$3"
}
exchange lower_link "$work/axle.csv" "$work/exchanged.csv"
# shellcheck disable=SC2086
run $wheel "$work/axle.csv" "$work/exchanged.csv"
[ $status -eq 1 ] && [ "$(verdict toe_travel)" = pass ] &&
  grep -q "wheel_x_travel@.*'links.lower_left.chassis' and .* are exchanged" "$work/err"
check "an axle whose links have their ends exchanged fails by the path of the wheel"
"$sweep" --exact --mode=opposite --sweep=travel --travel=-50:50:3 \
  -c travel_mm,toe_deg,half_track_change_mm,wheel_x_mm $axle |
  awk -F, 'NR == 2 { toe = $2; a = $3; b = $4 } NR == 3 { printf "%.9g %.9g %.9g\n", toe - $2, a - $3, b - $4 }' \
  >"$work/opposite"
# shellcheck disable=SC2086
run $wheel --exact --travel=-50:-49.999:2 $axle "$work/exchanged.csv"
read -r toe x y <"$work/opposite"
awk -F, -v toe="$toe" -v y="$y" -v x="$x" 'function off(a, b) { d = a - b; return d * d > 1e-6 }
  $1 ~ /^toe_opposite/ { n++; bad += off($2, toe) } $1 ~ /^track_opposite/ { n++; bad += off($2, y) }
  $1 ~ /^wheel_x_opposite/ { n++; bad += off($2, x) } END { exit n != 3 || bad > 0 }' "$work/out"
check "changes over opposite travels agree with vdsim-kc-sweep --mode=opposite"
run --export-adams "$work/links.csv" $folder/multilink_rear_compact.yaml
exchange trailing_lower "$work/links.csv" "$work/exchanged.csv"
# shellcheck disable=SC2086
run $wheel "$work/links.csv" "$work/exchanged.csv"
[ $status -eq 0 ] &&
  grep -q "^vdsim-xcheck: note: 'links.trailing_lower.chassis' and .* are exchanged, which no figure shows$" "$work/err"
check "points that differ are named even if all figures pass"
# shellcheck disable=SC2086
run $wheel --rtol 2 "$mp" "$work/moved.csv"
[ $status -eq 0 ]
check "a gain that differs passes with a greater --rtol"
# shellcheck disable=SC2086
run --gains $wheel --atol 0.01 "$mp" "$work/moved.csv"
[ $status -eq 0 ]
check "a gain that differs passes with a greater --atol"
run "$dw" "$mp"
[ $status -eq 1 ] && [ "$(verdict toe_travel)" = fail ]
check "two suspension files that differ fail"
run "$dw" $folder/ta_rear_sedan.yaml
[ $status -eq 1 ] && [ "$(verdict toe_rack)" = absent ] && [ "$(verdict caster_rack)" = absent ] &&
  grep -q '^toe_rack,0.2[0-9]*,,,,deg/mm,absent$' "$work/out"
check "a gain of one side only is absent"
run --tap "$dw" $folder/ta_rear_sedan.yaml
grep -q '^not ok 4 - toe_rack: the candidate has none$' "$work/out"
check "a gain of one side only fails in TAP"
run --exact -o "$work/verdicts.csv" "$dw" "$dw"
[ $status -eq 0 ] && [ ! -s "$work/out" ] && grep -q '^toe_travel,0.03455832[0-9]\{8,10\}' "$work/verdicts.csv"
check "-o FILE --exact writes up to 17 digits to a file"
awk -F, 'NR > 1 && NR < 7 { a = $2 < 0 ? -$2 : $2; a *= 0.05; if (a < 1e-4) a = 1e-4; d = $5 - a;
    if (d > 1e-9 || d < -1e-9) exit 1 }' \
  "$work/verdicts.csv"
check "the allowed deviation is the larger of atol and rtol times the reference"
run -v "$dw" "$dw"
[ "$(cat "$work/err")" = "vdsim-xcheck: 12 figures agree" ]
check "-v prints how many figures agree"
cp "$dw" "$work/stdin.yaml"
"$exe" "$dw" - --format=yaml <"$work/stdin.yaml" >"$work/out" 2>"$work/err" && [ "$(count pass)" -eq 12 ]
check "- reads standard input with --format"
# shellcheck disable=SC2086
"$exe" $wheel "$dw" - <tests/hardpoints/dw_adams_mm.csv >"$work/out" 2>"$work/err" &&
  grep -q '^<stdin>: note: left' "$work/err"
check "- reads standard input and recognises its format"
# shellcheck disable=SC2086
run $wheel --side=right "$dw" tests/hardpoints/both_sides.csv
[ $status -eq 0 ] && grep -q 'note: right corner' "$work/err"
check "--side=right takes the right side of a list of both"

# --- tables

cat >"$work/a.csv" <<END
travel_mm,toe_deg,camber_deg
-5,-0.1,0.2
0,0,0
5,0.1,-0.2
END
sed 's/0.1/0.104/' "$work/a.csv" >"$work/b.csv"
sed 's/0.1/0.107/' "$work/a.csv" >"$work/c.csv"
sed 's/toe_deg/steer/; s/camber_deg/kpi_deg/' "$work/a.csv" >"$work/d.csv"
run --curves "$work/a.csv" "$work/b.csv"
[ $status -eq 0 ] && [ "$(count pass)" -eq 4 ]
check "two tables within 5 % pass"
run --curves "$work/a.csv" "$work/c.csv"
[ $status -eq 1 ] && [ "$(verdict toe_travel)" = fail ] && [ "$(verdict toe_deg@travel_mm=-5)" = fail ] &&
  [ "$(count pass)" -eq 2 ]
check "two tables beyond 5 % fail"
run "$work/d.csv" "$work/d.csv"
refused "vdsim-xcheck: error: there is nothing to compare"
run --curves=kpi_deg "$work/d.csv" "$work/d.csv"
[ $status -eq 0 ] && [ "$(count pass)" -eq 1 ]
check "two tables without gains are compared by a curve"

# --- axes and units that must be given

run "$dw" "$work/dw_front_sports.csv"
refused "$work/dw_front_sports.csv: error: a hardpoint list does not contain the wheel's toe and camber at the design \
position; give it with --toe0 and --camber0"
# shellcheck disable=SC2086
run -q --curves $wheel "$dw" "$work/dw_front_sports.csv"
refused "$work/dw_front_sports.csv: error: 'patch_x_mm' needs the wheel's loaded radius; give it with --radius"
# shellcheck disable=SC2086
run -q --import "$work/dw_front_sports.csv" $wheel
refused "$work/dw_front_sports.csv: error: a hardpoint list does not contain the wheel's loaded radius; \
give it with --radius"
# millimetres with x rearward, declared as metres with x forward
# shellcheck disable=SC2086
run $wheel --axes=iso --length-unit=m "$dw" "$work/dw_front_sports.csv"
refused "$work/dw_front_sports.csv:2:1: error: lengths are said to be in m, but a half track of 790 is in mm
    2 | hpl_wheel_center,0,-790,330
      | ^^^^^^^^^^^^^^^^"
# shellcheck disable=SC2086
run $wheel --axes=,iso "$dw" "$work/dw_front_sports.csv"
refused "$work/dw_front_sports.csv:2:1: error: 'hpl_wheel_center' at y = -790 would lie on the right in iso axes, \
as --axes says
    2 | hpl_wheel_center,0,-790,330
      | ^^^^^^^^^^^^^^^^"
sed 's/^hpl_//' "$work/dw_front_sports.csv" >"$work/bare.csv"
# shellcheck disable=SC2086
run $wheel "$dw" "$work/bare.csv"
refused "$work/bare.csv: error: cannot tell the axes of names without hpl_ or hpr_; say which with \
--axes=iso (x forward, y left) or --axes=adams (x rearward, y right)"
# shellcheck disable=SC2086
run $wheel --axes=iso,adams "$dw" "$work/bare.csv"
[ $status -eq 0 ] && grep -q "axes: adams (x rearward, y right), as stated" "$work/err"
check "the axes in the options are used"
awk -F, -v OFS=, 'NR > 1 { $2 = -$2 } 1' "$work/dw_front_sports.csv" >"$work/mirror.csv"
# shellcheck disable=SC2086
run $wheel "$dw" "$work/mirror.csv"
refused "$work/mirror.csv:3:1: error: 'lca_front' would lie behind 'lca_rear' in adams axes: the list \
is a mirror image, or its names are exchanged
    3 | hpl_lca_front,150,-300,80
      | ^^^^^^^^^^^^^"
run --radius 0.3 "$dw" "$mp"
refused "vdsim-xcheck: error: neither file is a hardpoint list: --axes, --length-unit, --side, --toe0, --camber0, \
--radius and --steering are for these"

# --- usage

run "$dw"
refused "vdsim-xcheck: error: a reference and a candidate are needed; see --help"
run --axes=saa "$dw" "$dw"
refused "vdsim-xcheck: error: '--axes=saa': iso or adams is needed"
run --toe0=1m "$dw" "$dw"
refused "vdsim-xcheck: error: '--toe0=1m': an angle of at most 45 degrees is needed"
run --rtol=-1 "$dw" "$dw"
refused "vdsim-xcheck: error: '--rtol=-1': a number of at least 0 is needed"
run --curves=tow_deg "$dw" "$dw"
refused "vdsim-xcheck: error: '--curves': there is no curve 'tow_deg'; did you mean 'toe_deg'?"
run --travel=5:1:3 "$dw" "$dw"
refused "vdsim-xcheck: error: '--travel=5:1:3': FROM:TO:POINTS in mm is needed, such as -100:100:41"
run --export-adams - --tap "$dw"
refused "vdsim-xcheck: error: --curves, --gains, --tap and --json are for a comparison; see --help"
printf 'a,b\n1,2\n' >"$work/other.csv"
run "$dw" "$work/other.csv"
refused "$work/other.csv: error: neither a suspension (.yaml, .json) nor a hardpoint list (columns name,x,y,z) nor a \
table of curves (travel_mm, rack_mm) or compliance (fx_drive_N, fx_brake_N); state the format with \
--format=yaml, hardpoints, curves or compliance"
run "$dw" "$work/none.csv"
refused "$work/none.csv: error: cannot open: No such file or directory"
# --- tables of wheels' paths agree with their hardpoints; gains are differences of rows 20 mm apart

for table in scenarios/kc/*.csv; do
  case $table in *_right.csv | *_compliance.csv) continue ;; esac
  run --curves --rtol 2e-3 "$folder/$(basename "$table" .csv).yaml" "$table"
  [ $status -eq 0 ] && [ "$(count fail)" -eq 0 ] && [ "$(count absent)" -eq 0 ]
  check "$table: all curves agree with the hardpoints"
done
# --- the compliance of the tables agrees, too, at three heights, for five quantities over four loads

for table in scenarios/kc/*_compliance.csv; do
  run --rtol 1e-6 "$folder/$(basename "$table" _compliance.csv).yaml" "$table"
  [ $status -eq 0 ] && [ "$(count pass)" -eq 60 ] && [ "$(count fail)" -eq 0 ] && [ "$(count absent)" -eq 0 ]
  check "$table: compliance agrees with the bushings"
done
sports=scenarios/kc/dw_front_sports_compliance.csv
awk -F, -v OFS=, '$1 == 0 && $4 == 4000 { $6 -= 0.05 } { print }' $sports >"$work/off_compliance.csv"
run --rtol 2e-2 "$work/off_compliance.csv" "$folder/dw_front_sports.yaml"
[ $status -eq 1 ] && [ "$(count fail)" -eq 1 ] && grep -q '^toe_deg@fy_N=4000,.*,fail$' "$work/out"
check "a row that is 0.05 deg off is found"
cut -d, -f1-7 $sports >"$work/few_compliance.csv"
run "$sports" "$work/few_compliance.csv"
[ $status -eq 1 ] && [ "$(count pass)" -eq 24 ] && [ "$(count absent)" -eq 36 ]
check "a figure that one of two tables lacks is absent"
run "$folder/dw_front_bump_steer.yaml" $sports
refused "dw front bump steer: error: 'dw front bump steer' is rigid, or joins its wheels; there is no compliance to \
compare with a table's"
run scenarios/kc/dw_front_sports.csv $sports
refused "error: a table of compliance is compared with such a table or with a suspension"

run --help
[ $status -eq 0 ] && grep -q '^usage: vdsim-xcheck' "$work/out" && [ ! -s "$work/err" ]
check "--help prints the help"

all_well
