#!/bin/sh
# A measured file gives the inputs of a run (keys of `measured`) and its references (column_x and column_y).
# Usage: tests/cli/replay.sh VDSIM-RUN VDSIM-VALIDATE
#
# Expected values are those of the run from which the file was written. Between rows h apart, a sine of angular
# frequency w deviates from cubics without slope at its peaks by at most (w h)^2/8 of its amplitude.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

validate=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
plan 31

# --- a run in the form of a logger: semicolons, decimal commas, units below the names, another sign, another time axis

cat >"$work/driven.yaml" <<END
vehicle: $top/scenarios/vehicles/sedan.yaml
run: {duration: 8 s, level: L2}
initial: {speed: 90 km/h}
steering_wheel: {type: sine, amplitude: 40 deg, frequency: 0.5 Hz, start: 1 s}
log: {rate: 100 Hz, channels: [t_s, steering_wheel_rad, vx_mps, yaw_rate_radps, ay_mps2]}
END
run "$work/driven.yaml"
awk -F, 'BEGIN { print "# logger 12\nET;SWA;V;YR;AY\ns;deg;km/h;deg/s;g"; d = 45/atan2(1, 1); OFMT = CONVFMT = "%.9g" }
  NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  { line = ($1 + 10) ";" (-$at["steering_wheel_rad"]*d) ";" ($at["vx_mps"]*3.6) ";" ($at["yaw_rate_radps"]*d)
    line = line ";" ($at["ay_mps2"]/9.80665)
    gsub(/\./, ",", line); print line }' \
  "$work/out" >"$work/logger.csv"
[ "$(wc -l <"$work/logger.csv")" -eq 804 ]
check "a run is converted to the file of a logger"

cat >"$work/replay.yaml" <<END
base: driven.yaml
steering_wheel: {type: none}
measured:
  file: logger.csv
  time: {column: ET, offset: -10}
  columns: {steering_wheel: {column: SWA, scale: -1}}
END
# w h = 2 pi 0.5 Hz 10 ms = 0.0314: 1.23e-4 of 40 deg, and 4.65e-3 in the first interval
run --rate 1000 -c steering_wheel_rad "$work/replay.yaml"
awk -F, 'NR > 1 { t = $1; a = 40*atan2(1, 1)/45; x = t > 1 ? a*sin(3.14159265358979*(t - 1)) : 0
    d = $2 - x; if (d < 0) d = -d; if (!(d <= (t > 1 && t < 1.01 ? 4.66e-3 : 1.24e-4)*a)) bad = 1;
    if (d > worst) worst = d }
  END { print "# worst " worst; exit bad || NR != 8002 || !(worst > 0) }' "$work/out"
check "the steering-wheel angle agrees with the file, and is smooth between its rows"
grep -q "logger.csv:2:1: note: 801 rows, fields between semicolons, decimal commas, units in the line below the names, \
1 line of comment" "$work/err"
check "a note reports units and separators of the file"

cat >"$work/tolerances.yaml" <<END
source: the run that the file was written from
curves:
  - {y: yaw_rate_radps, y_offset: 0.01 deg/s, column_x: {column: ET, offset: -10}, column_y: YR}
  - {y: ay_mps2, y_offset: 0.003 m/s2, column_x: {column: ET, offset: -10}, column_y: AY}
  - {y: vx_mps, y_offset: 1e-3 m/s, column_x: {column: ET, offset: -10}, column_y: V}
END
against() { # TOLERANCES [OPTION...]
  tolerances=$1
  shift
  "$validate" "$@" --against "$work/logger.csv" --tolerances "$tolerances" "$work/replay.yaml" >"$work/out" \
    2>"$work/err"
  status=$?
}
against "$work/tolerances.yaml"
[ $status -eq 0 ] && grep -q '3 claims: 3 hold' "$work/out"
check "the replayed run lies within the boundaries about the file: yaw rate, lateral acceleration in g, speed in km/h"
[ "$(grep -c note: "$work/err")" -le 2 ]
check "the notes on a reference file are printed once"
against "$work/tolerances.yaml" --set measured.columns.steering_wheel.scale=-1.01
[ $status -eq 1 ] && grep -q '3 claims: 0 hold, 3 fail' "$work/out"
check "a steering ratio that is wrong by 1 % is noticed"

# --- the examples of the manual, unchanged, on a run that is written in their format

example() { # PAGE FIRST LINE: the literal block that begins so
  awk -v first="$2" '
    /^[.]Ed/ && on { exit } held && index($0, first) == 1 { on = 1 } { held = /^[.]Bd/ } on' "$top/man/$1"
}
example vdsim-scenario.5 '# run 12' | sed 3q >"$work/run12.csv"
sed 1d "$work/logger.csv" | awk -F';' '
  BEGIN { OFS = ";" } NR > 2 { gsub(/,/, "."); $1 -= 7; line = $0; gsub(/\./, ",", line); print line }' \
  >>"$work/run12.csv"
[ "$(sed -n '4p' "$work/run12.csv" | cut -d';' -f1,3)" = '3;90' ] && [ "$(wc -l <"$work/run12.csv")" -eq 804 ]
check "a scenario with the manual's lines reads a file in degrees, km/h and g with semicolons and decimal commas"
{
  echo 'base: driven.yaml'
  echo 'steering_wheel: {type: none}'
  example vdsim-scenario.5 measured:
} >"$work/manual.yaml"
{
  example vdsim-validate.1 'source: ISO 19364' | sed 2q
  example vdsim-validate.1 '  - {y: ay_mps2'
} >"$work/manual_tolerances.yaml"
"$validate" -v --against "$work/run12.csv" --tolerances "$work/manual_tolerances.yaml" "$work/manual.yaml" \
  >"$work/out" 2>"$work/err"
status=$?
[ $status -eq 0 ] && grep -q '1 claim: 1 holds' "$work/out"
check "the manual's measured inputs replay it, and the manual's boundaries judge it"
run --rate 100 --exact -c vx_mps "$work/manual.yaml"
# away from its ends and corners; the tolerance is the effect of a filter of 10 Hz on a speed that changes by 0.1 m/s
# with 1 Hz, (1/10)^4
awk -F, 'NR == FNR { split($0, f, ";"); gsub(/,/, ".", f[3]); v[FNR - 3] = f[3]/3.6; next }
  FNR > 1 && $1 >= 2 && $1 <= 7 { d = $2 - v[FNR - 1]; if (d < 0) d = -d; if (d > worst) worst = d; n++ }
  END { print "# worst " worst; exit !(n == 501 && worst > 0 && worst < 1e-4) }' "$work/run12.csv" "$work/out"
check "a replayed run follows the speed of the file"

# --- all files are read with these keys; a scenario with them resolves to the bytes of a scenario with files in SI

same() { # FILE FILE
  run --resolved "$work/$1" && cp "$work/out" "$work/one" && run --resolved "$work/$2" && cmp -s "$work/one" "$work/out"
}
cat >"$work/profile.yaml" <<END
base: driven.yaml
steering_wheel:
  {type: table, interpolation: smooth, file: logger.csv, time: {column: ET, offset: -10},
    column: {column: SWA, scale: -1}}
END
same replay.yaml profile.yaml
check "a steering-wheel table may read a logger's file in its units"

printf '# dyno sheet 7\nv;F\nmm/s;kN\n-500;-0,75\n0;0\n500;0,5\n' >"$work/damper.csv"
cat >"$work/dyno.yaml" <<END
base: driven.yaml
vehicle: {front: {damper: {type: curve, file: damper.csv}}}
END
cat >"$work/dyno_si.yaml" <<END
base: driven.yaml
vehicle: {front: {damper: {type: curve, points: [[-0.5, -750], [0, 0], [0.5, 500]]}}}
END
same dyno.yaml dyno_si.yaml
check "a damper's curve is read in the format of a dynamometer"
cat >"$work/coil.yaml" <<END
base: driven.yaml
vehicle: {front: {spring_stiffness: auto, spring: {type: curve, file: spring.csv, x_column: {unit: mm},
  y_column: {column: load, unit: kN, scale: -1}}}}
END
cat >"$work/coil_si.yaml" <<END
base: driven.yaml
vehicle: {front: {spring_stiffness: auto, spring: {type: curve, points: [[0, 0], [0.125, 2500], [0.25, 6000]]}}}
END
printf 'load,length\n0,0\n-2.5,125\n-6,250\n' >"$work/spring.csv"
same coil.yaml coil_si.yaml
check "a spring's curve is read with the opposite sign"

printf 'lap\teast_mm\tnorth_mm\tV\n1\t0\t0\t36\n1\t50000\t0\t54\n1\t100000\t2000\t72\n' >"$work/track.csv"
cat >"$work/track.yaml" <<END
base: driven.yaml
steering_wheel: {type: none}
path: {type: waypoints, file: track.csv, columns: {x: east_mm, y: north_mm, speed: {column: V, unit: km/h}}}
END
cat >"$work/track_si.yaml" <<END
base: driven.yaml
steering_wheel: {type: none}
path: {type: waypoints, waypoints: [[0, 0], [50, 0], [100, 2]], speeds: [10, 15, 20]}
END
same track.yaml track_si.yaml
check "waypoints with speeds are read from a file in other units"

printf 'X,Y,Z\n[m],[m],[mm]\n0,0,0\n10,0,500\n0,10,250\n10,10,125\n' >"$work/map.csv"
cat >"$work/map.yaml" <<END
base: driven.yaml
run: {level: L3}
ground: {type: heightmap, file: map.csv, columns: {x: X, y: Y, z: Z}}
END
cat >"$work/map_si.yaml" <<END
base: driven.yaml
run: {level: L3}
ground: {type: heightmap, x_values: [0, 10], y_values: [0, 10], heights: [0, 0.5, 0.25, 0.125]}
END
same map.yaml map_si.yaml
check "a height map is read from a file in other units"

# --- hints
hint() { # KEYS WORDS
  printf 'source: a test\ncurves:\n  - {%s, column_x: {column: ET, offset: -10}}\n' "$1" >"$work/hint.yaml"
  against "$work/hint.yaml"
  [ $status -eq 1 ] && grep -qF "$2" "$work/out"
}
hint 'y: yaw_rate_radps, y_offset: 0.01 deg/s, column_y: {column: YR, unit: rad/s}' \
  'multiplied by 0.0174533 the reference lies inside: is it in degrees?'
check "degrees that are taken for radians are recognised"
hint 'y: ay_mps2, y_offset: 0.003 m/s2, column_y: {column: AY, unit: m/s2, scale: -1}' \
  'multiplied by -9.80665 the reference lies inside: is it in g, with the opposite sign?'
check "g, with the opposite sign, is recognised"
hint 'y: vx_mps, y_offset: 1e-3 m/s, column_y: {column: V, unit: m/s}' \
  'multiplied by 0.277778 the reference lies inside: is it in km/h?'
check "km/h that are taken for m/s are recognised"
hint 'y: yaw_rate_radps, y_offset: 0.01 deg/s, column_y: {column: YR, scale: 1.2}' yaw_rate_radps &&
  ! grep -q 'lies inside:' "$work/out"
check "a deviation that no unit explains gets no hint"

# --- resolved, sampled anew, filtered
run -o "$work/resolved/" "$work/replay.yaml"
run --exact "$work/replay.yaml" && cp "$work/out" "$work/direct.csv"
run --exact "$work/resolved/replay.resolved.yaml"
[ $status -eq 0 ] && cmp -s "$work/out" "$work/direct.csv" &&
  ! grep -q 'logger.csv' "$work/resolved/replay.resolved.yaml"
check "the resolved scenario needs no other file and gives the same bytes"

# The filter halves a sine at the cutoff and keeps its phase, far from its ends.
awk 'BEGIN { print "t_s,angle";
    for (i = 0; i <= 1000; i++) printf "%.2f,%.9f\n", i/100, 0.2*sin(2*3.14159265358979*2*i/100) }' >"$work/sine.csv"
cat >"$work/filtered.yaml" <<END
vehicle: $top/scenarios/vehicles/sedan.yaml
run: {duration: 10 s, level: L1}
initial: {speed: 90 km/h}
measured: {file: sine.csv, columns: {steering_wheel: angle}, cutoff: 2 Hz}
END
run --rate 100 -c steering_wheel_rad "$work/filtered.yaml"
awk -F, 'NR > 1 && $1 > 3 && $1 < 7 { d = $2 - 0.1*sin(2*3.14159265358979*2*$1); if (d < 0) d = -d;
    if (!(d <= 1e-6)) bad++; n++ }
  END { exit bad || n < 390 }' "$work/out"
check "the filter halves the amplitude of a sine at the cutoff, without lag"

# 1, 2, 4, 8 at uneven times, along straight lines every 0.5 s: 1 1.5 2 3 4 5 6 7 8
printf 'time,gas\n0,0.1\n1,0.2\n2,0.4\n4,0.8\n' >"$work/uneven.csv"
cat >"$work/sampled.yaml" <<END
vehicle: $top/scenarios/vehicles/sedan.yaml
run: {duration: 4 s, level: L1}
initial: {speed: 10 km/h}
measured: {file: uneven.csv, columns: {throttle: {column: gas}}, interval: 0.5 s}
END
run -o "$work/resolved/" "$work/sampled.yaml"
awk '/^throttle:/ { on = 1 } on && /- \[/ { gsub(/[][,-]/, " "); got = got " " $1 ":" sprintf("%.9g", $2) }
  /^brake:/ { on = 0 } END { print got }' \
  "$work/resolved/sampled.resolved.yaml" >"$work/out"
[ "$(cat "$work/out")" = " 0:0.1 0.5:0.15 1:0.2 1.5:0.3 2:0.4 2.5:0.5 3:0.6 3.5:0.7 4:0.8" ]
check "rows are resampled at even intervals"

# --- gears keep their last value
printf 't,g\n0,2\n1.5,3\n' >"$work/gears.csv"
cat >"$work/gears.yaml" <<END
base: $top/scenarios/road/gear_shifts.yaml
run: {duration: 3 s}
gear: {type: none}
measured: {file: gears.csv, columns: {gear: g}, interval: 0.1}
END
run --rate 4 -c gear "$work/gears.yaml"
[ $status -eq 0 ] && awk -F, '
  NR > 1 && ($1 < 1.5 && $2 != 2 || $1 > 2.1 && $2 != 3) { bad = 1 } END { exit bad || NR != 14 }' "$work/out"
check "gears are not interpolated"

awk 'BEGIN { print "t_s,angle"; for (i = 0; i < 200000; i++) printf "%.3f,%.6f\n", i/1000, 0.1*sin(i/1000) }' \
  >"$work/long.csv"
printf 'base: filtered.yaml\nrun: {duration: 1 s}\nmeasured: {file: long.csv}\n' >"$work/long.yaml"
run --metrics - "$work/long.yaml"
[ $status -eq 0 ]
check "200,000 rows are read"

# --- a log in the units of the field: every reader takes the units from the names

columns=steering_wheel_rad,vx_mps,yaw_rate_radps,ay_mps2,x_m
run --exact -c "$columns" "$work/driven.yaml"
cp "$work/out" "$work/si.csv"
run --exact -c "$columns" --set log.units=field "$work/driven.yaml"
cp "$work/out" "$work/exact.csv"
[ $status -eq 0 ] && [ "$(head -n 1 "$work/out")" = t_s,x_m,vx_kmh,yaw_rate_degps,ay_g,steering_wheel_deg ]
check "the names in a log give its units"
alike() { # LOG SHARE   of the value in SI
  awk -F , -v share="$2" '
    BEGIN { CONVFMT = "%.17g"; pi = atan2(0, -1); split("1 1 " 1000/3600 " " pi/180 " 9.80665 " pi/180, size, " ") }
    FNR == 1 { file++; next }
    { for (i = 1; i <= NF; i++) {
        if (file == 1) { of[FNR, i] = $i; continue }
        d = $i*size[i] - of[FNR, i]
        n++
        if (!(d*d <= (share*of[FNR, i])^2)) bad = 1
      } }
    END { exit bad || n != 801*6 }' "$work/si.csv" "$1"
}
alike "$work/exact.csv" 1e-15 # three roundings of 1.1e-16
check "with --exact a log in units of the field, read back, agrees with the log in SI to the last bits"
run -o "$work/field.csv" -c "$columns" --set log.units=field "$work/driven.yaml"
alike "$work/field.csv" 5.001e-9
check "without --exact a log read back agrees to the nine digits that are printed"

cat >"$work/tolerances.yaml" <<END
source: the run that the log was written from
curves:
  - {y: yaw_rate_radps, y_offset: 1e-8 rad/s}
  - {y: ay_mps2, x: yaw_rate_radps, y_offset: 1e-3 m/s2, x_offset: 1e-4 rad/s}
  - {y: vx_mps, y_offset: 1e-6 m/s}
END
judge() { # OPTION...
  "$validate" --against "$work/field.csv" --tolerances "$work/tolerances.yaml" "$@" "$work/driven.yaml" >"$work/out" \
    2>"$work/err"
}
judge && grep -q '3 claims: 3 hold' "$work/out"
check "a log in units of the field is a reference of its run, without units in the tolerances"
! judge --set initial.speed='90.1 km/h' && grep -q '3 claims: 0 hold, 3 fail' "$work/out"
check "the run does not agree with the run at another speed"
cat >"$work/field.yaml" <<END
title: a baseline in the units of the field
source: the run that the log was written from
claims:
  - {claim: The sedan drives as it did, kind: baseline, scenario: driven.yaml, baseline: field.csv}
  - {claim: The faster sedan drives as the other did, kind: baseline, scenario: driven.yaml, baseline: again.csv,
     set: [initial.speed=91 km/h]}
END
for ending in csv provenance.yaml; do cp "$work/field.$ending" "$work/again.$ending"; done
! "$validate" "$work/field.yaml" >"$work/out" 2>"$work/err" && grep -q '2 claims: 1 holds, 1 fails' "$work/out" &&
  grep -q 'FAIL.*faster' "$work/out"
check "a log in units of the field is a baseline of its run, and of no other run"
cat >"$work/again.yaml" <<END
base: driven.yaml
steering_wheel: {type: none}
measured: {file: field.csv, columns: {steering_wheel: steering_wheel_deg}}
END
run -c steering_wheel_rad "$work/again.yaml"
awk -F , '
  FNR == 1 { file++; next }
  { if (file == 1) of[FNR] = $6; else { d = $2 - of[FNR]; n++; if (!(d*d <= 1e-16)) bad = 1 } }
  END { exit bad || n != 801 }' "$work/si.csv" "$work/out"
check "a log in units of the field turns the steering wheel by the same angles"
for units in si field; do
  "$exe" -q --report "$work/$units.html" --set log.units=$units "$work/driven.yaml"
  sed -e '/resolved_fnv1a64\|log\.units\|units: "*field/d' "$work/$units.html" >"$work/$units.page"
done
[ -s "$work/si.page" ] && cmp "$work/si.page" "$work/field.page" >"$work/err" 2>&1
check "the page of a run does not depend on the units of its log"
all_well
