#!/bin/sh
# Property files of tyres on the command line: remarks, --strict, --write-tir.
# Usage: tests/cli/property_file.sh VDSIM-RUN VDSIM-VALIDATE
# Reads scenarios/, tests/good_tir and tests/good_adams; writes a temporary folder. Needs python3.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

top=$(pwd)
validate=$2
case $validate in /*) ;; *) validate=$top/$validate ;; esac
plan 36
python3 -B tests/common/cases.py "$work/tree" good_tir good_adams || exit 2

# Prints a rig with the tyre of a file; $2: more lines.
rig() {
  cat <<END
kind: tyre_rig
tyre: {model: mf, file: "$1"${2-}}
load: [800, 4100, 9000]
camber: [-0.06, 0.05]
speed: 20
slip_ratios: [-0.1, 0, 0.2]
slip_angles: [-0.2, 0.02, 0.1]
END
}

# --- the remark on what was read and assumed

rig "$work/tree/tests/good_tir/side_unknown.tir" >"$work/rig.yaml"
run "$work/rig.yaml"
[ $status -eq 0 ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
  grep -q "side_unknown.tir: remark: read as PAC2002, 47 figures; assumed: TYRESIDE = 'LEFT' (it is UNKNOWN)" \
  "$work/err"
check "one line says what was read from the file and what was assumed"
cp "$work/out" "$work/left.csv"
run -q "$work/rig.yaml"
[ $status -eq 0 ] && [ ! -s "$work/err" ]
check "-q leaves out the line on what was read and assumed"
rig "$work/tree/tests/good_tir/side_unknown.tir" ", side: left" >"$work/messages.yaml"
run --strict "$work/messages.yaml"
[ $status -eq 0 ] && [ ! -s "$work/err" ] && cmp -s "$work/out" "$work/left.csv"
check "the key 'side' gives the side that the file does not name"
rig "$work/tree/tests/good_tir/side_unknown.tir" ", side: right" >"$work/messages.yaml"
run --strict "$work/messages.yaml"
[ $status -eq 0 ] && ! cmp -s "$work/out" "$work/left.csv"
check "a tyre measured on the right has other forces"
rig "$work/tree/tests/good_tir/pac2002.tir" ", side: symmetric" >"$work/messages.yaml"
run --set side=right "$work/messages.yaml"
[ $status -eq 0 ] && cmp -s "$work/out" "$work/left.csv"
check "the key 'side' overrides TYRESIDE: a symmetric tyre is the same on both sides"

# --- --strict

run --strict "$work/rig.yaml"
[ $status -eq 2 ] && [ ! -s "$work/out" ] &&
  grep -q "side_unknown.tir:11:13: error: the file does not give this" "$work/err"
check "--strict: an assumption is an error, with the place in the file"
rig "$work/tree/tests/good_tir/pac2002.tir" >"$work/plain.yaml"
run --strict "$work/plain.yaml"
[ $status -eq 0 ] && [ ! -s "$work/err" ]
check "--strict reads a complete file"
cat >"$work/car.yaml" <<END
vehicle:
  base: "$top/scenarios/vehicles/sedan.yaml"
  front: {tyre: {model: mf, file: "$work/tree/tests/good_tir/units_missing.tir"}}
run: {duration: 0.1 s}
initial: {speed: 10 m/s}
END
run --strict "$work/car.yaml"
[ $status -eq 2 ] && grep -q "units_missing.tir: error: the file does not give this: SI units" "$work/err"
check "--strict: an assumption about a car's tyre is an error"
cat >"$work/claims.yaml" <<END
title: A car
source: none
evidence: theory
claims:
  - claim: The ledger of a car on this tyre closes
    kind: energy
    scenario: car.yaml
    tolerance: "1"
END
"$validate" "$work/claims.yaml" >"$work/out" 2>"$work/err"
plain=$?
"$validate" --strict "$work/claims.yaml" >"$work/strict" 2>>"$work/err"
strict=$?
[ $plain -eq 0 ] && [ $strict -eq 1 ] && grep -q "the file does not give this" "$work/strict"
check "vdsim-validate --strict fails a claim for an assumption"

# --- --write-tir

same=0
count=0
for file in "$work"/tree/tests/good_tir/*.tir; do
  rig "$file" >"$work/one.yaml"
  run --exact -q "$work/one.yaml"
  cp "$work/out" "$work/before.csv"
  run -q --force --write-tir "$work/written.tir" "$work/one.yaml"
  rig written.tir >"$work/two.yaml"
  run --exact --strict -q "$work/two.yaml"
  count=$((count + 1))
  if [ $status -eq 0 ] && cmp -s "$work/out" "$work/before.csv"; then
    same=$((same + 1))
  else
    echo "# ${file##*/}: $(head -n 1 "$work/err")"
  fi
done
[ "$count" -gt 40 ] && [ "$same" -eq "$count" ]
check "each of $count files is written, and read back strictly to the same bytes of all columns"

# The resolved scenario of a tyre of another model needs no file, either.
same=0
count=0
for file in "$work"/tree/tests/good_adams/*.tir; do
  model=${file##*/}
  model=${model%%_*}
  rig "$file" | sed "s/model: mf/model: $model/" >"$work/one.yaml"
  run --exact -q "$work/one.yaml"
  cp "$work/out" "$work/before.csv"
  run -q --force --write-tir "$work/written.tir" "$work/one.yaml"
  rig written.tir | sed "s/model: mf/model: $model/" >"$work/two.yaml"
  run --exact --strict -q "$work/two.yaml"
  cp "$work/out" "$work/after.csv"
  [ $status -eq 0 ] || echo "# ${file##*/}: $(head -n 1 "$work/err")"
  run -q --resolved "$work/one.yaml"
  cp "$work/out" "$work/resolved.yaml"
  run --exact --strict "$work/resolved.yaml"
  count=$((count + 1))
  if [ $status -eq 0 ] && [ ! -s "$work/err" ] && ! grep -q '\.tir' "$work/resolved.yaml" &&
    cmp -s "$work/after.csv" "$work/before.csv" && cmp -s "$work/out" "$work/before.csv"; then
    same=$((same + 1))
  else
    echo "# ${file##*/} differs"
  fi
done
[ "$count" -gt 30 ] && [ "$same" -eq "$count" ]
check "each of $count files of Fiala, PAC89 and PAC94 is written and resolved, and both read back to the same bytes"

rig "$work/tree/tests/good_adams/fiala_mm_degree.tir" \
  ", cornering_stiffness: 70 kN/rad, friction: 0.7, sliding_friction: 0.6" |
  sed 's/model: mf/model: fiala/' >"$work/one.yaml"
run --exact "$work/one.yaml"
cp "$work/out" "$work/before.csv"
cat >"$work/two.yaml" <<END
kind: tyre_rig
tyre: {model: fiala, cornering_stiffness: 70 kN/rad, longitudinal_stiffness: 90 kN, friction: 0.7,
  sliding_friction: 0.6, width: 0.21, vertical_stiffness: 210 N/mm, vertical_damping: 2.4 N s/mm,
  rolling_resistance: 0.01, relaxation_longitudinal: 0.12, relaxation_lateral: 0.48}
load: [800, 4100, 9000]
camber: [-0.06, 0.05]
speed: 20
slip_ratios: [-0.1, 0, 0.2]
slip_angles: [-0.2, 0.02, 0.1]
END
run --exact "$work/two.yaml"
[ $status -eq 0 ] && cmp -s "$work/out" "$work/before.csv"
check "keys beside 'file' override the file"
run --write-tir "$work/x.tir" "$work/two.yaml"
[ $status -eq 2 ] && grep -q "need an unloaded_radius" "$work/err"
check "--write-tir of a tyre with neither a file nor a radius is refused"
run --write-tir "$work/keys.tir" --set tyre.unloaded_radius=0.32 "$work/two.yaml"
[ $status -eq 0 ] && grep -qx 'CALPHA = 70000' "$work/keys.tir" &&
  grep -qx 'ROLLING_RESISTANCE = 0.0032' "$work/keys.tir"
check "--write-tir writes a tyre of keys with a radius, and its rolling resistance as a length"
cat >"$work/car.yaml" <<END
vehicle:
  base: "$top/scenarios/vehicles/sedan.yaml"
  front: {tyre: {model: pac94, file: "$work/tree/tests/good_adams/pac94_side_missing.tir"}}
  rear: {tyre: {model: pac94, file: "$work/tree/tests/good_adams/pac94_side_missing.tir"}}
run: {duration: 0.1 s}
initial: {speed: 10 m/s}
END
run "$work/car.yaml"
[ $status -eq 0 ] && [ "$(grep -c "remark: read as PAC94" "$work/err")" -eq 1 ]
check "a property file of both axles is reported once"

rig "$work/tree/tests/good_tir/vendor_section.tir" >"$work/one.yaml"
run -q --write-tir - "$work/one.yaml"
[ $status -eq 0 ] && grep -qx '\[MAKER\]' "$work/out" && grep -qx "CONSTRUCTION = 'R4'" "$work/out" &&
  grep -qx 'free text of the maker' "$work/out" && grep -qx '{a b}' "$work/out" && grep -qx '3 4' "$work/out" &&
  grep -qx "PROPERTY_FILE_FORMAT = 'PAC2002'" "$work/out"
check "unknown sections of vendors are kept"
rig "$work/tree/tests/good_tir/header_and_shape.tir" >"$work/one.yaml"
run -q --write-tir - "$work/one.yaml"
[ $status -eq 0 ] && sed -n '/^\[SHAPE\]/,$p' "$work/out" | grep -q '^1.0 0.4'
check "the section [SHAPE] is kept"
rig "$work/tree/tests/good_tir/adams_pressure.tir" >"$work/one.yaml"
run --write-tir - "$work/one.yaml"
grep -qx 'IP = 260000' "$work/out" && grep -qx 'IP_NOM = 220000' "$work/out" &&
  grep -qx '\[TIRE_CONDITIONS\]' "$work/out" &&
  grep -qx 'QPZ1 = 0.2' "$work/out"
check "PAC2002 is written with the names of Adams"

# Pressure and friction of the scenario are in the file.
rig "$work/tree/tests/good_tir/adams_pressure.tir" ", pressure: 3 bar, friction: 0.5" >"$work/one.yaml"
run --exact "$work/one.yaml"
cp "$work/out" "$work/before.csv"
run --force --write-tir "$work/written.tir" "$work/one.yaml"
rig written.tir >"$work/two.yaml"
run --exact "$work/two.yaml"
[ $status -eq 0 ] && grep -qx 'IP = 300000' "$work/written.tir" && grep -qx 'LMUY = 0.5' "$work/written.tir" &&
  cmp -s "$work/out" "$work/before.csv"
check "pressure and friction of the scenario are in the file"

# Combined slip: a file with its coefficients, and one without.
weighed=$top/scenarios/tyres/synthetic_mf61.tir bare=$top/validation/data/tyre/pure_mf61.tir
turning=$top/validation/data/tyre/paper_mf52.tir
for one in "$weighed, combined: ellipse" "$weighed, combined: none" "$weighed, combined: weights" \
  "$bare, combined: ellipse" "$bare, combined: none" "$turning, combined: ellipse, turn_slip: on"; do
  rig "${one%%,*}" ",${one#*,}" >"$work/one.yaml"
  run --exact -q "$work/one.yaml"
  cp "$work/out" "$work/before.csv"
  run -q --force --write-tir "$work/written.tir" "$work/one.yaml"
  rig written.tir >"$work/two.yaml"
  run --exact -q "$work/two.yaml"
  [ $status -eq 0 ] && cmp -s "$work/out" "$work/before.csv"
  check "the written file gives the forces of${one#*,}"
done
for one in "$bare, combined: weights" "$turning, combined: none, turn_slip: on"; do
  rig "${one%%,*}" ",${one#*,}" >"$work/one.yaml"
  rm -f "$work/x.tir"
  run -q --force --write-tir "$work/x.tir" "$work/one.yaml"
  [ $status -eq 2 ] && [ ! -e "$work/x.tir" ] && grep -q "mf needs the coefficients of its 'combined" "$work/err"
  check "refused, because no property file can express it:${one#*,}"
done

cat >"$work/car.yaml" <<END
vehicle:
  base: "$top/scenarios/vehicles/sedan.yaml"
  front: {tyre: {model: mf, file: "$work/tree/tests/good_tir/pac2002.tir"}}
  rear: {tyre: {model: mf, file: "$work/tree/tests/good_tir/fittyp_61.tir"}}
run: {duration: 0.1 s}
END
run --write-tir "$work/car.tir" "$work/car.yaml"
[ $status -eq 0 ] && [ ! -e "$work/car.tir" ] && grep -q PAC2002 "$work/car.front.tir" &&
  grep -qx 'FITTYP = 61' "$work/car.rear.tir"
check "--write-tir of a car with two tyres writes a file for each axle"
run --write-tir - "$work/car.yaml"
[ $status -eq 2 ] && grep -q "has tyres that differ" "$work/err"
check "--write-tir - is refused for a car with two tyres"
run --force --write-tir "$work/car.tir" \
  --set vehicle.rear.tyre="{model: mf, file: $work/tree/tests/good_tir/pac2002.tir}" \
  "$work/car.yaml"
[ $status -eq 0 ] && [ -s "$work/car.tir" ]
check "--write-tir of a car with one tyre writes one file"
run --write-tir "$work/x.tir" "$top/scenarios/iso/step_steer.yaml"
[ $status -eq 2 ] && grep -q "tyres of models mf, fiala, pac89 and pac94 can" "$work/err" && [ ! -e "$work/x.tir" ]
check "a tyre of another model cannot be written as a property file"
run --write-tir "$work/x.tir" --resolved "$work/rig.yaml"
[ $status -eq 2 ] && grep -q "exclude each other" "$work/err"
check "--write-tir and --resolved exclude each other"

# --- coefficients that a file leaves out: shapes are from SAE 870421 (C = 1.65 of Fx, 1.3 of Fy), peaks have no source

sed '/^PC[XY]1/d' "$work/tree/tests/good_tir/pac2002.tir" >"$work/few.tir"
sed -e 's/^PCX1.*/PCX1 = 1.65/' -e 's/^PCY1.*/PCY1 = 1.3/' "$work/tree/tests/good_tir/pac2002.tir" >"$work/all.tir"
rig "$work/all.tir" >"$work/rig.yaml"
run "$work/rig.yaml"
cp "$work/out" "$work/all.csv"
rig "$work/few.tir" >"$work/rig.yaml"
run "$work/rig.yaml"
[ $status -eq 0 ] && cmp -s "$work/out" "$work/all.csv" &&
  grep -q "assumed: .*PCX1 = 1.65 (Bakker.*SAE 870421).*PCY1 = 1.3 (Bakker" "$work/err"
check "shape factors that the file leaves out are assumed from a source, and are listed"
run --strict "$work/rig.yaml"
[ $status -eq 2 ] && grep -q "few.tir: error: the file does not give this" "$work/err"
check "--strict refuses shape factors that the file leaves out"

# --- forces that the scenario needs and the tyre lacks

sed 's/^USE_MODE.*/USE_MODE = 2/' "$work/tree/tests/good_tir/fittyp_61.tir" >"$work/cornering.tir"
grep -q "^USE_MODE" "$work/cornering.tir" || sed -i "s/^\\[MODEL\\]/&\\nUSE_MODE = 2/" "$work/cornering.tir"
cat >"$work/car.yaml" <<END
vehicle:
  base: "$top/scenarios/vehicles/sedan.yaml"
  front: {tyre: {model: mf, file: "$work/cornering.tir"}}
  rear: {tyre: {model: mf, file: "$work/cornering.tir"}}
run: {level: L3, duration: 0.1 s}
initial: {speed: 20 m/s}
brake: 1
END
run --check "$work/car.yaml"
[ $status -eq 0 ] && [ "$(grep -c "tyre has no longitudinal force: it can neither drive nor brake" "$work/err")" -eq 2 ]
check "a tyre that was fitted only to cornering is reported if the scenario brakes"
run --check --set brake=0 "$work/car.yaml"
[ $status -eq 0 ] && ! grep -q "longitudinal force" "$work/err"
check "a tyre that was fitted only to cornering gives no message if the car coasts"

all_well
