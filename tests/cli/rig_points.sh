#!/bin/sh
# The tyre rig on points of a table, steady and over time: compared with its grid and its time histories; limits,
# refusals. TYDEX files: written, read again, refused.
# Usage: tests/cli/rig_points.sh VDSIM-RUN
# Reads scenarios/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

tyres=$(pwd)/scenarios/tyres
plan 31
good() { [ $status -eq 0 ] && [ ! -s "$work/err" ]; }

# Whether two logs have the given number of lines, and equal numbers within a relative tolerance.
near() { # TOLERANCE FILE FILE LINES
  paste -d, "$2" "$3" | awk -F, -v tolerance="$1" -v lines="$4" '
    NR == 1 { n = NF / 2; next }
    { for (i = 1; i <= n; i++) {
        a = $i; b = $(i + n); d = a - b; size = tolerance * ((a < 0 ? -a : a) + 1)
        if ((a == "") != (b == "") || !(d <= size && -d <= size)) {
          if (!bad++) print "# line " NR ", field " i ": " a ", " b }
      } }
    END { exit bad || NR != lines || n < 20 }'
}

# --- steady points

cat >"$work/grid.yaml" <<END
kind: tyre_rig
tyre: $tyres/mf61_synthetic.yaml
load: [1500, 4500]
pressure: [190000, 260000]
camber: [-0.06, 0.06]
speed: [10, 30]
slip_ratios: [-0.1, 0, 0.1]
slip_angles: [-0.1, 0, 0.1]
END
run --exact "$work/grid.yaml" && cp "$work/out" "$work/grid.csv"
printf 'kind: tyre_rig\ntyre: %s/mf61_synthetic.yaml\npoints: grid.csv\n' "$tyres" >"$work/again.yaml"
run --exact "$work/again.yaml"
good && [ "$(wc -l <"$work/out")" -eq 145 ] && cmp -s "$work/out" "$work/grid.csv"
check "a log of the rig, read as points, gives the same log, byte by byte"

# The points of the grid in the format of a test laboratory: SAE signs, degrees, kN, kPa, km/h, decimal commas.
awk -F, 'NR == 1 { print "# rig 7"; print "RUN;SA;SL;FZ;IA;P;V"; print "-;deg;%;kN;deg;kPa;km/h"; next }
  { line = sprintf("12;%.17g;%.17g;%.17g;%.17g;%.17g;%.17g", -$7 * 57.295779513082323, $6 * 100, -$1 / 1000,
        $3 * 57.295779513082323, $2 / 1000, $4 * 3.6)
    gsub(/\./, ",", line); print line }' "$work/grid.csv" >"$work/run12.txt"
cat >"$work/run12.yaml" <<END
kind: tyre_rig
tyre: $tyres/mf61_synthetic.yaml
points:
  file: run12.txt
  columns:
    alpha: {column: SA, scale: -1}
    kappa: SL
    load: {column: FZ, scale: -1}
    camber: IA
    pressure: P
    speed: V
END
run --exact "$work/run12.yaml"
[ $status -eq 0 ] && near 1e-9 "$work/out" "$work/grid.csv" 145
check "points in other units and with other signs give the same forces"
[ "$(grep -c . "$work/err")" -eq 3 ] &&
  grep -q "run12.txt:2:1: note: 144 rows, fields between semicolons, decimal commas, units in the line below \
the names, 1 line of comment" "$work/err"
check "one note says which units and separators were found"

run -o "$work/dir/" "$work/run12.yaml"
run --exact "$work/dir/run12.resolved.yaml" && cp "$work/out" "$work/resolved.csv"
run --exact "$work/run12.yaml" && [ -s "$work/out" ] && cmp -s "$work/out" "$work/resolved.csv"
check "the resolved rig reads the table from any folder"
cp "$work/run12.txt" "$work/before.txt"
run -o "$work/run12.txt" "$work/run12.yaml"
[ $status -eq 2 ] && cmp -s "$work/run12.txt" "$work/before.txt" && grep -q 'run12.txt' "$work/err"
check "no output replaces the table, which is an input"
printf 'alpha_rad\n0.01\n0.02\n' >"$work/one.csv"
printf 'kind: tyre_rig\ntyre: %s/mf96_touring.yaml\nload: 3 kN\nspeed: 20\npoints: one.csv\n' "$tyres" >"$work/one.yaml"
run "$work/one.yaml"
good && [ "$(cut -d, -f1,4,7 "$work/out" | tr '\n' ' ')" = "fz_N,vx_mps,alpha_rad 3000,20,0.01 3000,20,0.02 " ]
check "a quantity without a column in the table takes the single value of its key"

# --- time histories

# Gives one slip angle over time as points and as a table of the rig's input, with equal steps.
cat >"$work/angle.csv" <<END
t_s,alpha_rad
0,0
0.1,0
0.15,0.05
0.4,-0.02
0.401,0.03
1,0.03
END
for tyre in mf96_touring mf61_synthetic lugre_touring; do
  cat >"$work/input.yaml" <<END
kind: tyre_rig
mode: transient
tyre: $tyres/$tyre.yaml
load: 4 kN
speed: 15
slip_angle: {type: table, file: angle.csv, column: alpha_rad}
duration: 1 s
rate: 1000
END
  printf 'kind: tyre_rig\nmode: transient\ntyre: %s/%s.yaml\nload: 4 kN\nspeed: 15\npoints: angle.csv\n' \
    "$tyres" "$tyre" >"$work/table.yaml"
  run --exact "$work/input.yaml" && cp "$work/out" "$work/input.csv"
  run --exact "$work/table.yaml"
  good && awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    NR == FNR { t = sprintf("%.3f", $at["t_s"]); fy[t] = $at["fy_N"]; mz[t] = $at["mz_Nm"];
      s[t] = $at["distance_m"]; next }
    { t = sprintf("%.3f", $at["t_s"])
      d = fy[t] - $at["fy_N"]; e = mz[t] - $at["mz_Nm"]; f = s[t] - $at["distance_m"]
      if (!(t in fy) || !(d * d < 1e-6 && e * e < 1e-10 && f * f < 1e-20)) { print "# " t, fy[t], $at["fy_N"]; bad = 1 }
      rows++ }
    END { exit bad || rows != 6 }' "$work/input.csv" "$work/out"
  check "$tyre: a measured history gives the time history of this input, in the rows of the table"
done

# A slow history is nearly steady: load, camber, speed, pressure and both slips have a cycle of 1000 s.
awk 'BEGIN {
  print "t_s,fz_N,pressure_Pa,camber_rad,vx_mps,kappa,alpha_rad"
  for (i = 0; i <= 200; i++) { p = 6.283185307179586 * i / 200
    printf "%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", 5 * i, 4000 + 1500 * sin(p), 220000 + 20000 * sin(2 * p),
        0.05 * sin(3 * p), 20 + 5 * cos(p), 0.05 * sin(p), 0.06 * cos(2 * p) } }' >"$work/slow.csv"
printf 'kind: tyre_rig\ntyre: %s/mf61_synthetic.yaml\npoints: slow.csv\n' "$tyres" >"$work/slow.yaml"
run --exact "$work/slow.yaml" && cp "$work/out" "$work/steady.csv"
run --exact --set mode=transient --set step='10 ms' "$work/slow.yaml"
# A relaxation length of 0.6 m at 20 m/s gives a lag of 30 ms. With an amplitude of 0.12 rad and a period of 1000 s this
# is 2e-5 rad, or 1.8 N at 90 kN/rad.
good && awk -F, '
  FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next }
  NR == FNR { fx[FNR] = $at[FILENAME, "fx_N"]; fy[FNR] = $at[FILENAME, "fy_N"]; next }
  { d = fx[FNR] - $at[FILENAME, "fx_N"]; e = fy[FNR] - $at[FILENAME, "fy_N"];
    if (!(d * d < 9 && e * e < 9)) { print "# " FNR, d, e; bad = 1 } rows++ }
  END { exit bad || rows != 201 }' "$work/steady.csv" "$work/out"
check "a slow history of load, pressure, camber, speed and slips has the steady forces"

# The wheel rolls before the first row: with constant rows the force is steady from the start, except at standstill.
printf 't_s,alpha_rad\n0,0.03\n1,0.03\n' >"$work/constant.csv"
printf 'kind: tyre_rig\ntyre: %s/mf96_touring.yaml\nspeed: 10\npoints: constant.csv\n' "$tyres" >"$work/constant.yaml"
run --exact "$work/constant.yaml" && cp "$work/out" "$work/steady.csv"
run --exact --set mode=transient "$work/constant.yaml"
# after ten lengths the deviation is exp(-10) = 4.5e-5 of the force
good && awk -F, '
  FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next }
  NR == FNR { fy = $at[FILENAME, "fy_N"]; next }
  { d = $at[FILENAME, "fy_N"] / fy - 1; if (!(d * d < 1e-8)) bad = 1; rows++ }
  END { exit bad || rows != 2 }' "$work/steady.csv" "$work/out"
check "a history begins with the steady force of a rolling wheel"
run --exact --set mode=transient --set speed=0 "$work/constant.yaml"
good && awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { if ($at["fy_N"] + 0 != 0) bad = 1 }
  END { exit bad || NR != 3 }' "$work/out"
check "a history at standstill begins without force"

# --- TYDEX

awk -F, 'NR == 1 || $1 == 4500' "$work/grid.csv" >"$work/some.csv"
printf 'kind: tyre_rig\ntitle: some points\ntyre: %s/mf61_synthetic.yaml\npoints: some.csv\n' "$tyres" \
  >"$work/some.yaml"
run --exact -o "$work/some.tdx" "$work/some.yaml"
good && [ ! -s "$work/out" ] &&
  [ "$(echo "$work"/some.*)" = "$work/some.csv $work/some.provenance.yaml $work/some.tdx $work/some.yaml" ]
check "the rig writes a log in TYDEX, with its provenance beside it"
grep -q '^FZW       Vertical force                N         1         0         0$' "$work/some.tdx" &&
  grep -q '^RELEASE .* 1.3$' "$work/some.tdx" && grep -q '^some points$' "$work/some.tdx" &&
  [ "$(tail -n 1 "$work/some.tdx")" = "**END" ] &&
  [ "$(grep -c '^\*\*' "$work/some.tdx")" -eq 6 ]
check "a TYDEX log has the sections of release 1.3"
printf 'kind: tyre_rig\ntyre: %s/mf61_synthetic.yaml\npoints: some.tdx\n' "$tyres" >"$work/tydex.yaml"
run --exact "$work/tydex.yaml"
[ $status -eq 0 ] && cmp -s "$work/out" "$work/some.csv" && [ "$(wc -l <"$work/out")" -eq 73 ]
check "TYDEX read as points gives the same log, byte by byte"
[ "$(cat "$work/err")" = \
  "$work/some.tdx: note: 72 rows of TYDEX, forces in W axes, moments in W axes, \
INCLANGL > 0 taken for a top to the right" ]
check "a note says in which axes TYDEX was read"
run -o "$work/some.tdx" "$work/tydex.yaml"
[ $status -eq 2 ] && grep -q 'some.tdx' "$work/err" && run --exact "$work/tydex.yaml" &&
  cmp -s "$work/out" "$work/some.csv"
check "TYDEX does not replace the points from which it is computed"
run --exact -o "$work/history.tdx" --set mode=transient --set step='10 ms' "$work/slow.yaml" &&
  run --exact --set mode=transient --set step='10 ms' "$work/slow.yaml" &&
  cp "$work/out" "$work/history.csv"
sed 's/slow.csv/history.tdx/' "$work/slow.yaml" >"$work/again.yaml"
run --exact --set mode=transient --set step='10 ms' "$work/again.yaml"
[ $status -eq 0 ] && near 1e-9 "$work/out" "$work/history.csv" 202
check "a time history is unchanged after writing and reading TYDEX"
printf 'kind: tyre_rig\ntyre: %s/linear_80.yaml\n' "$tyres" >"$work/linear.yaml"
run -o "$work/linear.tdx" "$work/linear.yaml"
good && grep -q ' NOTAVAIL ' "$work/linear.tdx"
check "quantities that the model does not have are NOTAVAIL"
sed 's/some.tdx/linear.tdx/; s/mf61_synthetic/linear_80/' "$work/tydex.yaml" >"$work/again.yaml"
run "$work/linear.yaml" && cp "$work/out" "$work/linear.csv" && run "$work/again.yaml"
[ $status -eq 0 ] && cmp -s "$work/out" "$work/linear.csv"
check "a column that is NOTAVAIL is absent when it is read"
run -o "$work/car.tdx" scenarios/iso/step_steer.yaml
[ $status -eq 2 ] && [ ! -e "$work/car.tdx" ] &&
  grep -q "TYDEX files are for tyre rigs; 'scenarios/iso/step_steer.yaml' is not a tyre rig" "$work/err"
check "a vehicle has no TYDEX log"
# The 72 points in C axes, in degrees and kN, and with raw numbers that are to be scaled.
awk '
  BEGIN { deg = 57.295779513082323 }
  /^\*\*MEASURDATA/ { data = 1
    print "DSTGRWHC  Height of the wheel centre    mm        1         0         0"
    print; next }
  /^\*\*END/ { print; data = 0; next }
  /^SLIPANGL/ { print "SLIPANGL  Slip angle                    deg       0.5       -10       0"; next }
  /^LONGSLIP/ { print "LONGSLIP  Longitudinal slip             %         100       0         0"; next }
  /^INCLANGL/ { print "INCLANGL  Inclination angle             deg       1         0         0"; next }
  /^F[YZ]W/ { sub(/W/, "C"); sub(/ N  /, " kN "); print; next }
  /^M[XYZ]W/ { sub(/W/, "C"); print; next }
  /^DSTGRWHC/ { next }
  data { s = sin($4); c = cos($4); l = $12 / c
    # about the centre, in H: the contact point is at (0, l s, -l c)
    mx = $9 + l * (s * $8 + c * $7); my = $10 - l * c * $6; mz = $11 - l * s * $6
    printf "%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", $1, $2, $3 * deg * 2 + 10,
        $4 * deg, $5, $6,
      (c * $7 + s * $8) / 1000, (c * $8 - s * $7) / 1000, mx, c * my + s * mz, c * mz - s * my, $12 * 1000; next }
  { print }' "$work/some.tdx" >"$work/centre.tdx"
sed 's/some.tdx/centre.tdx/' "$work/tydex.yaml" >"$work/again.yaml"
run --exact "$work/again.yaml"
grep -q 'forces in C axes, moments in C axes' "$work/err" && near 1e-9 "$work/out" "$work/some.csv" 73
check "points in C axes, in other units, scaled, give the same log"

# --- refusals: if the table is wrong, the message has the place in the table

refused() { # TEXT OF points: MESSAGE [SETTING]
  printf 'kind: tyre_rig\ntyre: %s/mf96_touring.yaml\npoints: %s\n' "$tyres" "$1" >"$work/bad.yaml"
  run --check ${3:+--set "$3"} "$work/bad.yaml"
  [ $status -eq 2 ] && [ ! -s "$work/out" ] && grep -qF "$2" "$work/err"
  check "refused: $2"
}
printf 'fz_N,t_s\n4000,0\n-4000,1\n' >"$work/negative.csv"
refused negative.csv \
  "negative.csv:3:1: error: load is -4000; it must be between 0 and 1e+06 (scale: -1 changes the sign)"
printf 'fz_N,t_s\n4000,0\n4000,1\n4000,1\n' >"$work/stays.csv"
refused stays.csv "stays.csv:4:6: error: time 1 s does not rise from the row before (1 s)"
printf 'fz_N,t_s\n0,0\n0,1\n' >"$work/unloaded.csv"
refused unloaded.csv "bad.yaml:3:9: error: a tyre without load has no time history" mode=transient
refused one.csv "bad.yaml:3:9: error: a time history needs a column of time: 'time: {column: NAME}'" mode=transient
refused one.csv "'load' has several values; with points it needs one value or a column" "load=[1000, 2000]"
refused missing.csv "bad.yaml:3:9: error: cannot read "
refused "angle.csv
mode: transient
duration: 1 s" "bad.yaml:5:11: error: the points determine the duration of their time history; omit 'duration'"

cat >"$work/bad.tdx" <<END
**HEADER
**MEASURCHANNELS
FZW       Vertical force                N         1         0         0
**MEASURDATA
4000
4x00
**END
END
refused bad.tdx "bad.tdx:6:1: error: '4x00' in channel 'FZW' is not a number"
refused "{file: some.tdx, columns: {alpha: SLIPANGLE}}" "no channel 'SLIPANGLE'"

all_well
