#!/bin/sh
# The tyre rig on the command line: its grid compared with reference data, symmetries, files and refusals.
# Usage: tests/cli/rig.sh VDSIM-RUN
# Reads scenarios/, man/ and validation/data/tyre/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

tyres=$(pwd)/scenarios/tyres
plan 28
good() { [ $status -eq 0 ] && [ ! -s "$work/err" ]; }

# Program of awk that finds the columns of a header row by name: at["fy_N"].
# shellcheck disable=SC2016 # awk's
columns='NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }'

# --- the reference grid

cat >"$work/grid.yaml" <<END
kind: tyre_rig
tyre: $tyres/mf61_synthetic.yaml
load: [1500, 4500, 7500]
pressure: [190000, 220000, 260000]
camber: [-0.06, 0, 0.06]
speed: 20
slip_ratios: [-0.3, -0.1, -0.03, 0, 0.03, 0.1, 0.3]
slip_angles: [-0.25, -0.1, -0.03, 0, 0.03, 0.1, 0.25]
END
run --exact "$work/grid.yaml"
good && [ "$(awk 'END { print NR }' "$work/out")" -eq $((1 + 3 * 3 * 3 * 7 * 7)) ]
check "a grid has a row for each combination"
awk -F, '
  function key(fz, kappa, alpha, gamma, p) { return sprintf("%.6g %.6g %.6g %.6g %.6g", fz, kappa, alpha, gamma, p) }
  function near(a, b) { return a - b <= 1e-4 && b - a <= 1e-4 }
  FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  NR == FNR {
    k = key($at["fz_N"], $at["kappa"], $at["alpha_rad"], $at["camber_rad"], $at["pressure_Pa"])
    fx[k] = $at["fx_N"]; fy[k] = $at["fy_N"]; mx[k] = $at["mx_Nm"]; my[k] = $at["my_Nm"]; mz[k] = $at["mz_Nm"]
    next
  }
  {
    k = key($1, $2, $3, $4, $5)
    if (!(k in fx)) { print "# no row for " k; bad = 1; next }
    if (!(near(fx[k], $7) && near(fy[k], $8) && near(mx[k], $9) && near(my[k], $10) && near(mz[k], $11))) {
      if (!bad++) print "# at " k ": " fx[k], fy[k], mx[k], my[k], mz[k] " instead of " $7, $8, $9, $10, $11
    }
    rows++
  }
  END { exit bad || rows != 891 }' "$work/out" validation/data/tyre/synthetic_mf61_reference.csv
check "forces and moments agree with the reference, in 891 rows"

# --- symmetry

for model in linear_80 mf96_touring tmeasy_touring; do
  run --exact --set "tyre='$tyres/$model.yaml'" scenarios/rig/fy_alpha.yaml
  good && awk -F, "$columns"'
    {
      f = $at["fy_N"]; m = $at["mz_Nm"]
      load = $at["fz_N"]
      if (load != last) { n = 0; last = load }
      n++
      fy[load, n] = f; mz[load, n] = m; count[load] = n
    }
    END {
      for (load in count)
        for (i = 1; i <= count[load]; i++) {
          k = count[load] + 1 - i
          if (fy[load, i] + fy[load, k] != 0 || mz[load, i] + mz[load, k] != 0) bad = 1
          if (i < k && !(fy[load, i] > 0)) bad = 1
          n = i
        }
      exit bad || count[1500] != 121
    }' "$work/out"
  check "$model: side force and moment change sign with the slip angle, to the last bit"
  awk -F, "$columns"' { if ($at["pressure_Pa"] != "" || $at["rl_m"] != "" || $at["mx_Nm"] != "") bad = 1 }
    END { exit bad || NR < 100 }' \
    "$work/out"
  check "$model: a quantity that the model does not have is an empty field"
done
# If the file belongs to one side, a tyre mounted on the right is the mirror image of this tyre on the left: Fy, Mx and
# Mz change sign with slip angle and camber, Fx and My do not. If the file belongs to neither side, the tyre is the same
# on both sides.
cat >"$work/left.yaml" <<END
kind: tyre_rig
tyre: {model: mf, file: sided.tir}
load: [2000, 5000]
speed: 20
camber: [-0.05, 0, 0.05]
slip_ratios: [-0.1, 0, 0.05]
slip_angles: [-0.1, -0.02, 0, 0.02, 0.1]
END
sed "s/^TYRESIDE.*/TYRESIDE = 'SYMMETRIC'/" scenarios/tyres/synthetic_mf61.tir >"$work/sided.tir"
run --exact "$work/left.yaml" && cp "$work/out" "$work/left.csv"
run --exact --set side=right "$work/left.yaml"
good && [ -s "$work/left.csv" ] && cmp -s "$work/out" "$work/left.csv"
check "a symmetric file gives the same tyre on either side"
for side in left right; do
  upper=$(echo $side | tr '[:lower:]' '[:upper:]')
  sed "s/^TYRESIDE.*/TYRESIDE = '$upper'/" scenarios/tyres/synthetic_mf61.tir >"$work/sided.tir"
  run --exact --set side=$side "$work/left.yaml"
  good && cmp -s "$work/out" "$work/left.csv"
  check "a tyre of the $side side, mounted on the $side, is as measured"
done
run --exact --set side=left "$work/left.yaml"
good && awk -F, '
  FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  function key(sign) { return $at["fz_N"] " " sign * $at["camber_rad"] " " $at["kappa"] " " sign * $at["alpha_rad"] }
  NR == FNR {
    k = key(1)
    fx[k] = $at["fx_N"]; fy[k] = $at["fy_N"]; mx[k] = $at["mx_Nm"]; my[k] = $at["my_Nm"]; mz[k] = $at["mz_Nm"]
    next
  }
  {
    k = key(-1)
    if (!(k in fx) || fx[k] != $at["fx_N"] || my[k] != $at["my_Nm"]) bad = 1
    if (fy[k] + $at["fy_N"] != 0 || mx[k] + $at["mx_Nm"] != 0 || mz[k] + $at["mz_Nm"] != 0) bad = 1
    rows++
  }
  END { exit bad || rows != 90 }' "$work/left.csv" "$work/out"
check "a tyre of the right side, mounted on the left, is its mirror image, to the last bit"
run --exact scenarios/rig/fy_alpha.yaml
good && awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i; name[i] = $i } next }
  { for (i = 1; i <= NF; i++) if ($i == "" && name[i] !~ /^contact_/) bad = 1 }
  $at["rl_m"] > 0.32 || $at["rl_m"] < 0.25 { bad = 1 } END { exit bad }' "$work/out"
check "the tyre model mf has all quantities"

# --- time

run --set rate=1000 --set slip_angle.value="0.1 deg" --set slip_angle.start=0.1 scenarios/rig/step_angle.yaml
good && awk -F, "$columns"'
  $at["t_s"] + 0 == 0.1 && $at["alpha_rad"] < 0.02 * $at["alpha_input_rad"] { begins++ }
  $at["vx_mps"] >= 10 && $at["t_s"] + 0 == 3 { if ($at["alpha_rad"] / $at["alpha_input_rad"] < 0.99) bad = 1; ends++ }
  $at["vx_mps"] == 10 && $at["t_s"] + 0 == 0.16 { share = $at["alpha_rad"] / $at["alpha_input_rad"] }
  $at["vx_mps"] == 10 && $at["t_s"] + 0 == 0.16 { grown = 1 - exp(-0.6 / $at["sigma_y_m"]) }
  END { exit bad || begins != 3 || ends != 2 || share / grown < 0.97 || share / grown > 1.03 }' "$work/out"
check "after a step the slip follows with the relaxation length"
run scenarios/rig/standstill.yaml
good && awk -F, "$columns"'
  $at["t_s"] < 5.1 && $at["t_s"] > 0.2 { if (!($at["fy_N"] < last)) bad = 1 }
  { last = $at["fy_N"] }
  $at["t_s"] + 0 == 5.5 { held = last }
  END { exit bad || held != last || !(last < -2500) }' "$work/out"
check "at standstill the force rises like the force of a spring, and is held"
printf 't_s,alpha_rad\n0,0\n1,0.1\n' >"$work/angle.csv"
cat >"$work/table.yaml" <<END
kind: tyre_rig
mode: transient
tyre: $tyres/mf96_touring.yaml
slip_angle: {type: table, file: angle.csv, column: alpha_rad}
duration: 1 s
END
run "$work/table.yaml"
good && awk -F, "$columns"' $at["t_s"] + 0 == 0.5 { a = $at["alpha_input_rad"] }
  END { exit !(a > 0.0499999 && a < 0.0500001) }' "$work/out"
check "a table is read from the folder of its scenario"

# --- the command line

printf 'base: %s/scenarios/rig/gough.yaml\nload: 2 kN\n' "$(pwd)" >"$work/based.yaml"
run "$work/based.yaml"
good && [ "$(awk 'END { print NR }' "$work/out")" -eq 62 ]
check "the kind may come from a base"
(cd scenarios/rig && "$exe" - <gough.yaml) >"$work/stdin" 2>"$work/err" &&
  "$exe" scenarios/rig/gough.yaml >"$work/out" && cmp -s "$work/stdin" "$work/out"
check "- reads a rig from standard input"
run -j 2 -o "$work/dir" scenarios/rig/gough.yaml scenarios/rig/sine_angle.yaml scenarios/iso/step_steer.yaml
good && cmp -s "$work/dir/gough.csv" "$work/stdin" && [ -s "$work/dir/step_steer.metrics.csv" ] &&
  [ "$(cd "$work/dir" && echo gough*)" = "gough.csv gough.provenance.yaml gough.resolved.yaml" ]
check "rigs and vehicles can write their files to one folder"
grep -q '^kind: tyre_rig' "$work/dir/gough.provenance.yaml" && grep -q '^rows: 305' "$work/dir/gough.provenance.yaml" &&
  grep -q '^complete: true' "$work/dir/gough.provenance.yaml"
check "the provenance names the kind"
run "$work/dir/gough.resolved.yaml"
good && cmp -s "$work/out" "$work/stdin"
check "the resolved rig runs from its folder, with its property file"
mkdir "$work/here" "$work/there"
for place in here there; do
  cp scenarios/tyres/synthetic_mf61.tir scenarios/tyres/mf61_synthetic.yaml "$work/$place"
  sed 's|\.\./tyres/||' scenarios/rig/gough.yaml >"$work/$place/gough.yaml"
  (cd "$work/$place" && "$exe" --resolved gough.yaml) >"$work/$place.yaml" 2>"$work/err"
done
[ -s "$work/here.yaml" ] && cmp -s "$work/here.yaml" "$work/there.yaml" && ! grep -q "$work" "$work/here.yaml"
check "a resolved rig does not depend on the place of its files"
rm -r "$work/here" "$work/there"
run "$work/here.yaml"
good && cmp -s "$work/out" "$work/stdin" && run --resolved "$work/here.yaml" && cmp -s "$work/out" "$work/here.yaml"
check "a resolved rig gives the same rows without the files, and resolves to itself"
run --check --set "slip_angles={from: 0, to: 10 deg, points: 3}" scenarios/rig/gough.yaml
good && [ ! -s "$work/out" ]
check "--check of a good rig is silent"
for option in "-c fy_N" "--rate 10"; do
  # shellcheck disable=SC2086 # an option and its argument
  run $option scenarios/rig/gough.yaml
  [ $status -eq 2 ] && [ ! -s "$work/out" ] && grep -q "'${option% *}' is for vehicles" "$work/err"
  check "${option% *} is refused"
done
# the side force of the linear tyre is -80 kN/rad times the slip angle: its extremes are at the ends of the slip angles
# and its last row is at +4 deg
run --metrics - --set tyre=scenarios/tyres/linear_80.yaml --set 'load=[6 kN]' \
  --set 'slip_angles={from: -2 deg, to: 4 deg, points: 7}' scenarios/rig/fy_alpha.yaml
good && awk -F , 'function off(got, deg) { d = got + 8e4 * deg * atan2(0, -1) / 180; return d * d > 1e-12 * got * got }
  $1 == "fy_least_N" { n++; if (off($2, 4)) bad = 1 } $1 == "fy_end_N" { n++; if (off($2, 4)) bad = 1 }
  $1 == "fy_greatest_N" { n++; if (off($2, -2)) bad = 1 } END { exit bad || n != 3 }' "$work/out"
check "--metrics writes the extremes and last values of the columns"

# --- the manual

"$exe" scenarios/rig/sine_angle.yaml | head -n 1 | tr ',' '\n' >"$work/header"
missing=0
while IFS= read -r name; do
  grep -q "^\.It Cm.* $name\( \|\$\)" man/vdsim-tyre.5 || { echo "# $name"; missing=1; }
done <"$work/header"
[ $missing -eq 0 ] && [ -s "$work/header" ]
check "every column is in vdsim-tyre(5)"

all_well
