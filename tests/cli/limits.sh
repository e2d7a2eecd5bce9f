#!/bin/sh
# Envelopes, moment diagrams and laps: tables, metrics, pages, an envelope's file as the input of a lap, studies, and
# lines that cannot be driven. Three groups take long: lines within edges; a driven line and the sensitivities of laps;
# learnt margins and a race car. One of them is tried for each commit; with VDSIM_SAMPLE=all, all of them.
# Usage: tests/cli/limits.sh VDSIM-RUN
# Reads scenarios/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 41
quiet_success() { [ $status -eq 0 ] && [ ! -s "$work/err" ]; }
metric() { # FILE NAME
  awk -F, -v name="$2" '$1 == name { print $2 }' "$1"
}
near() { # A B SHARE
  awk -v a="$1" -v b="$2" -v share="$3" 'BEGIN { d = a / b - 1; exit !(d <= share && d >= -share) }'
}

run -q -o "$work/made/" scenarios/limits/envelope.yaml
quiet_success && [ "$(wc -l <"$work/made/envelope.csv")" -eq 469 ]
check "an envelope of 13 speeds and 36 directions has a row for each speed and direction"
awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
  { key = $c["speed_mps"] " " $c["direction_deg"]; a[key] = $c["across_mps2"] }
  END {
    for (key in a) {
      split(key, k, " ")
      other = k[1] " " (360 - k[2])
      if (k[2] > 0 && k[2] < 180 && a[key] + a[other] != 0) exit 1
    }
  }' "$work/made/envelope.csv"
check "the envelope's limits to the left and right are mirror images"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
  $c["error_mps2"] > 3e-8 { exit 1 }' "$work/made/envelope.csv"
check "the envelope's rows are steady states of the model"

run -q --metrics "$work/ay.csv" --set 'speeds=[45]' scenarios/limits/envelope.yaml
row=$(awk -F, '$1 == 45 && $3 == 90 { print $5 }' "$work/made/envelope.csv")
quiet_success && near "$(metric "$work/ay.csv" ay_max_mps2)" "$row" 1e-6
check "the lateral limit at a speed agrees with the row of this speed"

# A lap by the stored envelope of a car agrees with a lap by the car.
cat >"$work/by_file.yaml" <<END
kind: lap
envelope: file
file: $work/made/envelope.csv
path:
  type: segments
  closed: true
  segments:
    - {length: 300 m}
    - {length: 188.4955592153876 m, from: 0.0166666666666667 1/m}
    - {length: 300 m, from: 0}
    - {length: 188.4955592153876 m, from: 0.0166666666666667 1/m}
END
sed -e '/^file/d' -e 's/^envelope: file/vehicle: gt_race.yaml/' "$work/by_file.yaml" >"$work/by_car.yaml"
sed -i "s|gt_race.yaml|$PWD/scenarios/vehicles/gt_race.yaml|" "$work/by_car.yaml"
echo 'speeds: {from: 15 m/s, to: 75 m/s, points: 13}' >>"$work/by_car.yaml"
run -q --metrics "$work/file.csv" "$work/by_file.yaml"
quiet_success
check "a lap reads the table of an envelope"
run -q --metrics "$work/car.csv" "$work/by_car.yaml"
quiet_success && near "$(metric "$work/car.csv" lap_time_s)" "$(metric "$work/file.csv" lap_time_s)" 1e-6
check "a lap by a stored envelope takes as long as a lap that computes the envelope"

run -q --metrics "$work/mass.csv" scenarios/limits/point_mass_lap.yaml
quiet_success && near "$(metric "$work/mass.csv" lap_time_s)" 29.098918 1e-4
check "the lap of a point mass takes 29.0989 s, as another program computed with steps of 0.01 m"
sum=$(awk -F, '/^sector_/ { sum += $2 } END { printf "%.9g", sum }' "$work/mass.csv")
near "$sum" "$(metric "$work/mass.csv" lap_time_s)" 1e-7
check "the sectors of a lap add up to its time"

run -q --metrics "$work/moments.csv" scenarios/limits/moment_diagram.yaml
quiet_success && [ "$(metric "$work/moments.csv" points_missing)" = 0 ]
check "a moment diagram has a state at each of its points"
run -q --metrics "$work/speed.csv" --set hold=speed scenarios/limits/moment_diagram.yaml
run -q --metrics "$work/limit.csv" --set 'vehicle=scenarios/vehicles/sedan.yaml' --set 'speeds=[27.77777777777778]' \
  scenarios/limits/envelope.yaml
quiet_success && near "$(metric "$work/speed.csv" trim_ay_max_mps2)" "$(metric "$work/limit.csv" ay_max_mps2)" 1e-4
check "the trimmed limit of a moment diagram at a held speed is the lateral limit of the envelope"

for name in envelope moment_diagram lap; do
  run -q --report "$work/$name.html" scenarios/limits/$name.yaml
  quiet_success && [ "$(grep -c '<svg' "$work/$name.html")" -ge 1 ] && grep -q 'id="metrics"' "$work/$name.html"
  check "--report draws the pictures of $name.yaml"
done

panels() { # SET...: draws an envelope of the sedan, and prints its panels
  run -q --report "$work/panels.html" --set 'vehicle=scenarios/vehicles/sedan.yaml' "$@" scenarios/limits/envelope.yaml
  grep -o 'aria-label="[^"]* over [^"]*"' "$work/panels.html" | cut -d '"' -f 2 | sort -u
}
panels --set 'speeds=[20]' >"$work/panels"
quiet_success && [ "$(cat "$work/panels")" = "Longitudinal acceleration over lateral acceleration, left" ]
check "the envelope of one speed has no panels over speed"
panels --set 'speeds=[20, 30]' --set 'normal=[6, 9.81, 14]' >"$work/panels"
quiet_success && [ "$(sed 's/.*, normal \(.*\) g over .*/\1/' "$work/panels" | sort | uniq -c | tr -s ' \n' ' ')" = \
  ' 4 0.612 4 1 4 1.43 ' ]
check "an envelope of three normal accelerations has four panels for each of them"

run -q --metrics "$work/open.csv" --set start_speed=60 --set closed=false scenarios/limits/point_mass_lap.yaml
quiet_success && [ "$(metric "$work/open.csv" lap_time_s)" != "$(metric "$work/mass.csv" lap_time_s)" ]
check "an open line begins with the speed at its start"
run -q --metrics - --set start_speed=100 --set closed=false --set friction=0.2 \
  scenarios/limits/point_mass_lap.yaml
[ $status -eq 3 ] && grep -q 'the start is faster than .* at s = 0 m: 100 m/s, of at most [0-9.]* m/s' "$work/err"
check "a start that is too fast for the brakes to slow down in time is an error"
printf 's_m,curvature_1pm,slope_rad\n0,0,0.2\n100,0,0.2\n' >"$work/hill.csv"
run -q --metrics - --set line="$work/hill.csv" --set closed=false --set start_speed=10 --set friction=0.1 \
  scenarios/limits/point_mass_lap.yaml
[ $status -eq 3 ] && grep -q 'the car comes to rest: .* at s = ' "$work/err"
check "a hill that is too steep for the grip is an error that says where the car stops"
printf 's_m,curvature_1pm,bank_rad\n0,0.02,-0.5\n100,0.02,-0.5\n' >"$work/bank.csv"
run -q --metrics - --set line="$work/bank.csv" --set closed=false --set friction=0.3 \
  scenarios/limits/point_mass_lap.yaml
[ $status -eq 3 ] && grep -q 'no speed is possible: .* at s = 0 m' "$work/err"
check "a bank that is too steep for the grip is an error"

# An envelope with a radius of 8 m/s2, whose drive is 0.3 m/s2 below the drag: from 20 m/s the car rolls
# 20^2/(2 0.3) = 667 m.
awk 'BEGIN {
  print "speed_mps,along_mps2,across_mps2"
  for (v = 5; v <= 40; v += 35)
    for (i = 0; i < 8; i++) {
      along = 8 * cos(i * 0.7853981633974483)
      printf "%g,%.9g,%.9g\n", v, along < -0.3 ? along : -0.3, 8 * sin(i * 0.7853981633974483)
    }
}' >"$work/weak.csv"
cat >"$work/weak.yaml" <<END
kind: lap
envelope: file
file: weak.csv
start_speed: 20 m/s
path: {type: straight, length: 1000 m}
END
run -q --metrics - "$work/weak.yaml"
[ $status -eq 3 ] && grep -q 'the car comes to rest: drag, .* at s = 667 m' "$work/err"
check "a drag above the drive is an error that says where the car stops"
# A straight begins with its speed limit, or with the greatest speed of a table. Behind the limit of 30 m/s a friction
# of 1 accelerates with g: sqrt(30^2 + 2 g 100 m) = 53.4914 m/s after 300 m/30 m/s + (53.4914 - 30) m/s/g = 12.3955 s.
printf 's_m,curvature_1pm,limit_mps\n0,0,30\n300,0,30\n300.5,0,200\n400,0,200\n' >"$work/limited.csv"
printf 'kind: lap\nenvelope: mass\nmass: 1000 kg\nfriction: 1\nline: limited.csv\n' >"$work/limited.yaml"
run -q --metrics "$work/lap.csv" "$work/limited.yaml"
quiet_success && near "$(metric "$work/lap.csv" lap_time_s)" 12.3954563 1e-8 &&
  near "$(metric "$work/lap.csv" speed_max_mps)" 53.4914012 1e-8
check "a straight with speed limits begins with its limit, and accelerates behind it"
sed 's/,-0.3,/,1,/' "$work/weak.csv" >"$work/full.csv" # enough drive to hold any speed
sed -e 's/weak/full/' -e '/^start_speed/d' "$work/weak.yaml" >"$work/full.yaml"
run -q --metrics "$work/lap.csv" "$work/full.yaml"
quiet_success && near "$(metric "$work/lap.csv" lap_time_s)" 25 1e-8
check "a straight without a limit is driven with the greatest speed of a table, 1000 m with 40 m/s"
sed -i 's/,[0-9.]*$//; s/,limit_mps//' "$work/limited.csv"
run -q --metrics - "$work/limited.yaml"
[ $status -eq 2 ] && grep -q "nothing limits the speed at the start of a line without a turn; give 'start_speed'" \
  "$work/err"
check "a point mass on a straight without limits needs a speed at its start"
limits_of_sedan() { # SET ... : an envelope of the sedan
  run -q --metrics "$work/sedan.csv" --set "vehicle=$PWD/scenarios/vehicles/sedan.yaml" "$@" \
    scenarios/limits/envelope.yaml
}
limits_of_sedan --set 'speeds=[90]' --set vehicle.aero.frontal_area=8
quiet_success && awk -v a="$(metric "$work/sedan.csv" ax_max_mps2)" 'BEGIN { exit !(a < 0) }' &&
  [ "$(metric "$work/sedan.csv" ax_limit)" = 2 ]
check "a car whose drive cannot hold a speed has limits around its coasting at this speed"
limits_of_sedan --set 'speeds=[25]' --set vehicle.cg_height=0.8 --set vehicle.front.antiroll_stiffness=200000
quiet_success && [ "$(metric "$work/sedan.csv" lifted_states)" -gt 0 ]
check "a wheel off the ground is a flag of its state, and no error"

# The full model drives the lap with speeds that follow from its limits. At 0.975 of these speeds its time is within 2 %
# of the quasi-steady lap at the limits, and it is at most 0.6 m beside the line: in a lane of 3 m a car of 1.8 m has
# 0.6 m to each side.
cat >"$work/track.yaml" <<END
type: segments
closed: true
segments:
  - {length: 200 m}
  - {length: 40 m, to: 0.02 1/m}
  - {length: 117.07963267948966 m}
  - {length: 40 m, to: 0}
  - {length: 200 m}
  - {length: 40 m, to: 0.02 1/m}
  - {length: 117.07963267948966 m}
  - {length: 40 m, to: 0}
END
cat >"$work/quasi.yaml" <<END
kind: lap
vehicle: $PWD/scenarios/vehicles/sedan.yaml
path: track.yaml
speeds: {from: 4 m/s, to: 95 m/s, points: 16}
END
cat >"$work/driven.yaml" <<END
vehicle: $PWD/scenarios/vehicles/sedan.yaml
run: {level: L2, duration: 40 s}
initial: {start: on_path}
path: track.yaml
path_speed: {limit: grip, margin: 0.975}
driver: {bandwidth: 1.5 rad/s}
events: {when: above, channel: path_s_m, level: 794.159, end: true}
metrics: {sets: [path]}
END
run -q --metrics "$work/quasi.csv" "$work/quasi.yaml"
lap=$(metric "$work/quasi.csv" lap_time_s)
driven() { # within 2 % above the lap, and near the line
  time=$(metric "$work/driven.csv" duration_s) beside=$(metric "$work/driven.csv" path_error_max_m)
  quiet_success && awk -v t="$time" -v lap="$lap" -v e="$beside" \
    'BEGIN { exit !(t > 0.995 * lap && t < 1.02 * lap && e < 0.6) }'
}
run -q --metrics "$work/driven.csv" --set vehicle.brakes.abs=none --set vehicle.brakes.pressure=hydraulic \
  "$work/driven.yaml"
driven
check "brakes with hydraulic pressures have the same limits"
for level in L2 L3; do
  run -q --metrics "$work/driven.csv" --set run.level=$level "$work/driven.yaml"
  driven
  check "a lap of $level at 0.975 of its limits takes the quasi-steady time within 2 %, within 0.6 m of the line"
done
if drawn 2 3; then
  run -q --metrics "$work/driven.csv" --set path_speed.margin=auto \
    --set 'auto=[{key: path_speed.margin, metric: path_error_max_m, target: 0.5, from: 0.95, to: 1, tolerance: 0.02}]' \
    "$work/driven.yaml"
  driven && near "$(metric "$work/driven.csv" path_error_max_m)" 0.5 0.02
  check "a margin is learnt by laps until the car is half a metre beside its line"
else
  skip "a margin is learnt by laps until the car is half a metre beside its line" "not drawn"
fi
if drawn 1 3; then
  run --check --set path_speed.margin=auto --set path_speed.laps=1 \
    --set auto='[{key: path_speed.margin, metric: path_error_max_m, target: 0.3, from: 0.8, to: 0.9,
      tolerance: 0.05}]' "$work/driven.yaml"
  margin=$(sed -n "s/.*'path_speed.margin' is \([0-9.]*\): .*/\1/p" "$work/err")
  [ $status -eq 0 ] && [ -n "$margin" ] && ! grep -q 'the best of' "$work/err" &&
    run --metrics "$work/learnt.csv" --set path_speed.margin="$margin" --set path_speed.laps=1 "$work/driven.yaml" &&
    grep -q 'the best of 1 laps' "$work/err" && near "$(metric "$work/learnt.csv" path_error_max_m)" 0.3 0.05
  check "--check drives no laps to learn from, but drives those of the runs that find a number"
else
  skip "--check drives no laps to learn from, but drives those of the runs that find a number" "not drawn"
fi
run -q --metrics "$work/slow.csv" --set path_speed.lateral=4 --set path_speed.drive=2 --set path_speed.brake=2 \
  --set path_speed.margin=1 "$work/driven.yaml"
quiet_success && near "$(metric "$work/slow.csv" peak_ay_mps2)" 4 0.05
check "speeds with a limit of comfort take the bends with 4 m/s2"
# At 6.5 m/s, with the front wheels at 27 degrees, the tyres bound the turn, and at 6 m/s the steering angle does. The
# body slips by 9 degrees there, and the rear axle by less than the 6 degrees of path_speed, so that both limits are
# the same state. 1 %: interpolation between the speeds of the table.
cat >"$work/hairpin.yaml" <<END
kind: envelope
vehicle: $PWD/scenarios/vehicles/sedan.yaml
speeds: [6.5 m/s]
END
run -q --metrics "$work/hairpin.csv" "$work/hairpin.yaml"
radius=$(awk -v ay="$(metric "$work/hairpin.csv" ay_max_mps2)" 'BEGIN { print 6.5 * 6.5 / ay }')
run -q --metrics "$work/hairpin.csv" --set 'path={type: circle}' --set path.radius="$radius" \
  --set path_speed.margin=1 --set run.duration=0.1 --set 'events=[]' "$work/driven.yaml"
quiet_success && near "$(metric "$work/hairpin.csv" path_entry_speed_mps)" 6.5 0.01
check "path_speed takes a hairpin at the speed whose lateral acceleration the envelope allows"

# Lines within the edges of a track.
if drawn 0 3; then
  for goal in centre minimum_curvature minimum_time; do
    run -q --metrics "$work/$goal.csv" --set racing_line.goal=$goal scenarios/limits/racing_line.yaml
    quiet_success || break
  done
  awk -F, '$1 == "lap_time_s" { t[++n] = $2 } $1 == "edge_least_m" { e[n] = $2 } $1 == "line_gain_s" { g[n] = $2 }
    END { exit !(n == 3 && t[2] < 0.95 * t[1] && t[3] < 0.97 * t[2] && g[1] == 0 && g[3] - t[1] + t[3] < 1e-6 &&
                 e[1] > 4 && e[2] > 0.295 && e[3] > 0.295) }' \
    "$work/centre.csv" "$work/minimum_curvature.csv" "$work/minimum_time.csv"
  check "the line of least curvature is faster than the middle, that of least time still faster; both keep the margin"
else
  skip "the line of least curvature is faster than the middle, that of least time still faster; both keep the margin" \
    "not drawn"
fi

# A file in the form of public files, whose column names are in a comment: an oval of 200 m straights and 60 m radius.
awk 'BEGIN {
  pi = 3.14159265358979; l = 200; r = 60; n = 120
  print "# x_m,y_m,w_tr_right_m,w_tr_left_m"
  for (i = 0; i < n; i++) {
    s = (2 * l + 2 * pi * r) * i / n
    if (s < l) { x = s; y = 0 }
    else if (s < l + pi * r) { a = (s - l) / r; x = l + r * sin(a); y = r - r * cos(a) }
    else if (s < 2 * l + pi * r) { x = 2 * l + pi * r - s; y = 2 * r }
    else { a = (s - 2 * l - pi * r) / r; x = -r * sin(a); y = r + r * cos(a) }
    printf "%.6f,%.6f,%.3f,%.3f\n", x, y, 5 + 2 * sin(2 * pi * i / n), 6
  } }' >"$work/oval.csv"
cat >"$work/oval.yaml" <<END
kind: lap
envelope: mass
mass: 1000 kg
friction: 1.5
max_power: 300 kW
path: {type: waypoints, closed: true, file: oval.csv}
racing_line: {goal: minimum_time, car_width: 2 m, margin: 0.5 m}
END
run -o "$work/oval/" "$work/oval.yaml"
[ $status -eq 0 ] && ! grep -q warning "$work/err" && awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
  { s = $c["s_m"]; k = $c["curvature_1pm"]; x = $c["x_m"]; y = $c["y_m"]; l = $c["left_m"]; r = $c["right_m"]
    if (NR == 2) { x0 = x; y0 = y; k0 = k; v0 = $c["speed_mps"] } else turned += 0.5 * (k + last) * (s - before)
    last = k; before = s; if (l < 1.49 || r < 1.49) exit 1
    if (l < least) least = l }
  BEGIN { least = 9 }
  END { exit !(x == x0 && y == y0 && k - k0 < 1e-9 && k0 - k < 1e-9 && $c["speed_mps"] == v0 &&
               turned / 6.283185307 - 1 < 1e-4 && 1 - turned / 6.283185307 < 1e-4 && least < 1.51) }' \
  "$work/oval/oval.csv"
check "a file with widths is a track; its line keeps the margin, touches an edge, and joins smoothly"

run -q --metrics "$work/own.csv" --set racing_line.goal=centre "$work/oval.yaml"
width=$(metric "$work/own.csv" edge_least_m)
near "$width" 2 0.001 && near "$(metric "$work/oval/oval.metrics.csv" line_gain_s)" \
  "$(awk -v a="$(metric "$work/own.csv" lap_time_s)" -v b="$(metric "$work/oval/oval.metrics.csv" lap_time_s)" \
    'BEGIN { print a - b }')" 1e-4
check "distance of the path to the edges, and time that the racing line saves, agree with a lap along the path"

# Around a circle of 50 m, 10 m wide: the fastest line is along the inner edge, the line of least curvature along the
# outer edge.
circle() { # GOAL
  printf 'kind: lap\nenvelope: mass\nmass: 1000 kg\nfriction: 1.5\n%s\n%s\n' 'path: {type: circle, radius: 50 m}' \
    "racing_line: {goal: $1, track_width: 10 m, car_width: 1.8 m, margin: 0.1 m}" >"$work/circle.yaml"
  run -q --metrics "$work/circle.csv" "$work/circle.yaml"
  metric "$work/circle.csv" lap_time_s
}
near "$(circle minimum_time)" 11.1110 3e-4 && near "$(circle minimum_curvature)" 12.0385 3e-4
check "around a circle the fastest line is the inner edge, 2 pi sqrt(46 m/(1.5 g)); least curvature the outer one"
run -q --report "$work/line.html" "$work/oval.yaml"
[ $status -eq 0 ] && grep -q 'edges of the track' "$work/line.html"
check "the map of the report has the edges of the track"

if drawn 1 3; then
  run -q -o "$work/line/" --set vehicle=scenarios/vehicles/sedan.yaml \
    --set 'speeds={from: 4 m/s, to: 60 m/s, points: 12}' \
    --set corner_share=0.85 --set brake_share=0.85 --set drive_share=0.85 --set racing_line.margin=0.8 \
    scenarios/limits/racing_line.yaml
  cat >"$work/on_line.yaml" <<END
vehicle: $PWD/scenarios/vehicles/sedan.yaml
run: {level: L2, duration: 60 s}
initial: {start: on_path, speed: 18 m/s}
path: {type: waypoints, file: line/racing_line.csv, closed: true}
driver: {bandwidth: 1.5 rad/s}
events: {when: above, channel: path_s_m, level: 854, end: true}
metrics: {sets: [path]}
END
  run -q --metrics "$work/driven.csv" "$work/on_line.yaml"
  lap=$(metric "$work/line/racing_line.metrics.csv" lap_time_s)
  [ $status -eq 0 ] && awk -v t="$(metric "$work/driven.csv" duration_s)" -v lap="$lap" \
    -v e="$(metric "$work/driven.csv" path_error_max_m)" \
    'BEGIN { exit !(t > 0.99 * lap && t < 1.02 * lap && e < 0.8) }'
  check "L2 drives the line with shares of 0.85 in its time, and within the edges"
else
  skip "L2 drives the line with shares of 0.85 in its time, and within the edges" "not drawn"
fi
# Braking into a bend that tightens, and an S behind it: a driver who exceeds the grip limit of the tyres spins there.
# On a road of 7 m a car of 2 m has 2.5 m to each side.
cat >"$work/esses.yaml" <<END
type: segments
segments:
  - {length: 150 m}
  - {length: 120 m, to: -0.02 1/m}
  - {length: 60 m, to: -0.03 1/m}
  - {length: 25 m, to: 0}
  - {length: 30 m, to: 0.03 1/m}
  - {length: 30 m}
  - {length: 60 m, to: 0}
  - {length: 60 m}
END
if drawn 2 3; then
  sed -e 's/sedan.yaml/gt_race.yaml/' -e 's/track.yaml/esses.yaml/' -e 's/0.975/0.97/' -e 's/794.159/535/' \
    "$work/driven.yaml" >"$work/race.yaml"
  sed -i 's/^events: .*/events: [{when: above, channel: path_s_m, level: 535, end: true},/' "$work/race.yaml"
  sed -i 's/^metrics: .*/  {when: above, channel: path_error_m, level: 3, end: true}]\n&/' "$work/race.yaml"
  run -q --metrics "$work/race.csv" "$work/race.yaml"
  quiet_success && awk -v e="$(metric "$work/race.csv" path_error_max_m)" -v s="$(metric "$work/race.csv" distance_m)" \
    'BEGIN { exit !(e < 2.5 && s > 530) }'
  check "a race car keeps to a road of 7 m in a bend that tightens and an S behind it, at 0.97 of its limits"
else
  skip "a race car keeps to a road of 7 m in a bend that tightens and an S behind it, at 0.97 of its limits" "not drawn"
fi

if drawn 1 3; then
  run -q -o "$work/study" scenarios/study/lap_sensitivities.yaml
  quiet_success && awk -F, '
    NR == 2 { base = $8 }
    NR == 3 { light = $8 } NR == 4 { heavy = $8 } NR == 5 { slippery = $8 } NR == 6 { rough = $8 }
    END { exit !(light < base && base < heavy && rough < base && base < slippery) }' "$work"/study/*sensitivities.csv
  check "a study finds that mass costs time and friction saves it"
else
  skip "a study finds that mass costs time and friction saves it" "not drawn"
fi

# The car becomes more stable at its limit with more roll stiffness in front or less in the rear, with less wing in
# front or more in the rear, and with mass further ahead. A wing raises the limit of its end of the car.
run -q -o "$work/balance" scenarios/study/balance_at_the_limit.yaml
quiet_success && awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
  { s[$1] = $c["trim_stability_1prad"]; a[$1] = $c["trim_ay_max_mps2"] }
  END { exit !(s[1] < s[2] && s[3] > s[4] && s[5] > s[6] && s[7] < s[8] && s[9] > s[10] && a[5] < a[6]) }' \
  "$work/balance/balance_at_the_limit.csv"
check "bars, springs, wings and ballast change the balance at the limit as theory says"
all_well
