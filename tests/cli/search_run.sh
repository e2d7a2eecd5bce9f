#!/bin/sh
# Searches by vdsim-run: thresholds known in closed form, output files, and searches without a value.
# Usage: tests/cli/search_run.sh VDSIM-RUN
# Reads scenarios/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 23
value() { # METRIC: its value in the file out
  awk -F , -v name="$1" '$1 == name { print $2 }' "$work/out"
}
near() { # GOT EXPECTED TOLERANCE
  awk -v got="$1" -v expected="$2" -v tolerance="$3" 'BEGIN {
    off = got - expected
    if (got != "" && off <= tolerance && -off <= tolerance) exit 0
    print "# got " got ", expected " expected ", allowed " tolerance
    exit 1
  }'
}

# A car that only air drag decelerates, M v' = -k v^2, rolls M/k ln(1 + v k T/M) in the time T. M includes the inertia
# of the wheels' rotation, a share of 5 %. At L2 the decelerating wheels have a slip below 1e-4, which acts on this
# share.
cat >"$work/coast.yaml" <<END
vehicle:
  base: $top/scenarios/vehicles/textbook_linear.yaml
  aero: {drag: 0.8, frontal_area: 2.5 m2}
run: {level: L0, duration: 20 s}
log: {rate: 10 Hz}
search:
  key: initial.speed
  from: 36 km/h
  to: 60
  tolerance: 1e-3
  goals:
    - {name: half_a_kilometre, metric: distance_m, above: 0.5 km}
    - {name: less_than_300_m, metric: distance_m, below: 300, side: highest}
    - {name: still_fast, metric: final_speed_mps, above: 90 km/h}
END
far() { awk -v d="$1" 'BEGIN { m = 1573 + 4 * 1.8 / 0.09; k = 0.5 * 1.225 * 0.8 * 2.5;
    printf "%.9g", m / (k * 20) * (exp(d * k / m) - 1) }'; }
# v = v0/(1 + v0 k T/M)
fast=$(awk 'BEGIN { m = 1573 + 4 * 1.8 / 0.09; k = 1.225; printf "%.9g", 25 / (1 - 25 * k * 20 / m) }')
for level in L0 L2; do
  run --metrics - --set run.level=$level "$work/coast.yaml"
  [ $status -eq 0 ] && [ ! -s "$work/err" ] && near "$(value half_a_kilometre)" "$(far 500)" 1e-3
  check "$level: the search finds the lowest speed from which a car coasts half a kilometre"
  near "$(value less_than_300_m)" "$(far 300)" 1e-3
  check "$level: the search finds the highest speed from which a car coasts less than 300 m"
  near "$(value still_fast)" "$fast" 1e-3
  check "$level: the search finds the lowest speed from which a car is still fast at the end"
done
cp "$work/out" "$work/metrics"
awk -F , '$1 ~ /_low$/ { low = $2 } $1 ~ /_high$/ && !($2 - low <= 1e-3 && $2 > low) { bad = 1 }
  $1 ~ /_changes$/ && $2 != 1 { bad = 1 }
  END { exit bad }' "$work/metrics" && [ "$(value tolerance)" = 0.001 ]
check "brackets are as narrow as the tolerance, with one change each"

# A brake of 1200 N m on wheels of 0.3 m holds the car if its weight along the slope is below 4 kN. A slope force that
# is greater by 1e-4 of the weight moves the car by 2 mm in 2 s.
cat >"$work/grade.yaml" <<END
vehicle: $top/scenarios/vehicles/textbook_linear.yaml
ground: {type: inclined, grade: 1 deg}
run: {level: L0, duration: 2 s}
brake: 0.2
search:
  key: ground.grade
  from: 5 deg
  to: 45 deg
  tolerance: 0.01 deg
  goals: {name: steepest, metric: distance_m, below: 2 mm, side: highest, remark: statics}
END
steepest=$(awk 'BEGIN { s = 4000 / (1573 * 9.80665); printf "%.9g", atan2(s, sqrt(1 - s * s)) }')
run --metrics - "$work/grade.yaml"
[ $status -eq 0 ] && near "$(value steepest)" "$steepest" 3e-4 && grep -q '^steepest,.*,statics$' "$work/out"
check "the search finds the steepest grade on which brakes hold the car, and prints a remark"

# Output files.
run "$work/coast.yaml"
[ $status -eq 0 ] &&
  [ "$(head -n 1 "$work/out")" = \
  trial,value,distance_m,final_speed_mps,half_a_kilometre,less_than_300_m,still_fast,note ]
check "the table has a column for each metric and for each goal"
awk -F , 'NR > 1 && ($1 != NR - 1 || $5 != ($3 > 500) || $6 != ($3 < 300) || $7 != ($4 > 25)) { bad = 1 }
  END { exit bad || NR < 40 }' "$work/out" &&
  [ "$(sed -n 2p "$work/out" | cut -d , -f 2)" = 10 ] && [ "$(sed -n 3p "$work/out" | cut -d , -f 2)" = 60 ] &&
  [ "$(cut -d , -f 2 "$work/out" | sort | uniq -d | wc -l)" -eq 0 ]
check "the trials are in order: the ends first, no value twice, with their verdicts"
cp "$work/out" "$work/trials"
run -j 4 "$work/coast.yaml"
cmp -s "$work/out" "$work/trials"
check "trials that run at the same time give the same bytes"
run --set run.level=L2 -o "$work/results" "$work/coast.yaml"
[ $status -eq 0 ] && cmp -s "$work/results/coast.metrics.csv" "$work/metrics" &&
  [ "$(cd "$work/results" && echo ./*)" = \
  "./coast.csv ./coast.metrics.csv ./coast.provenance.yaml ./coast.resolved.yaml" ] &&
  grep -q "^rows: $(($(wc -l <"$work/results/coast.csv") - 1))\$" "$work/results/coast.provenance.yaml"
check "a folder gets trials, metrics, resolved scenario and provenance"
run "$work/results/coast.resolved.yaml"
cmp -s "$work/out" "$work/results/coast.csv"
check "the resolved scenario gives the same search"
run --set search={} --rate 1 -c vx_mps "$work/coast.yaml"
[ $status -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 22 ]
check "a scenario whose search is removed is a single run"
run --set search.scan=3 --set search.tolerance=1 "$work/coast.yaml"
[ "$(sed -n 4,6p "$work/out" | cut -d , -f 2 | tr '\n' ' ')" = "22.5 35 47.5 " ]
check "a scan tries evenly spaced values first"

# Searches without a value.
run --set search.to=20 -q "$work/coast.yaml"
[ $status -eq 1 ] && [ "$(wc -l <"$work/err")" -eq 2 ] &&
  grep -q "goal 'half_a_kilometre' holds at neither end; at 10: [0-9.]*, at 20: [0-9.]*; it has no value" \
  "$work/err" &&
  [ "$(sed -n 3p "$work/out" | cut -d , -f 2)" = 20 ]
check "a goal that holds at neither end: status 1, and the trials are written"
run --set search.from=40 --metrics "$work/m.csv" "$work/coast.yaml"
[ $status -eq 1 ] && grep -q "goal 'half_a_kilometre' holds at both ends" "$work/err" &&
  grep -q '^half_a_kilometre,,m/s,.*holds at both ends' "$work/m.csv"
check "a goal that holds at both ends: the metrics give this reason"
run --set search.goals.1.side=lowest "$work/coast.yaml"
[ $status -eq 1 ] &&
  grep -q "goal 'less_than_300_m' holds only at the end at which its 'side' requires it not to hold" "$work/err"
check "a goal that holds at the wrong end: status 1"
run --set initial.speed=40 --set search.key=run.duration --set search.from=1 --set search.to=20 "$work/coast.yaml"
[ $status -eq 2 ] && [ ! -s "$work/out" ] &&
  grep -q -- '--set run.duration:1:1: error: duration .* not a whole number' "$work/err"
check "a value of the range that the scenario refuses is an error of input"
for option in "-c vx_mps" "--rate 10" "--response -"; do
  # shellcheck disable=SC2086 # an option and its value
  run $option "$work/coast.yaml"
  if [ $status -ne 2 ] || ! grep -q 'is for single runs' "$work/err"; then echo "$option" >"$work/accepted"; fi
done
[ ! -e "$work/accepted" ]
check "options of single runs are refused"
# A car with a high centre of gravity overturns in a turn.
cat >"$work/over.yaml" <<END
vehicle: $top/scenarios/vehicles/sedan_seed.yaml
run: {level: L3, duration: 3 s}
initial: {speed: 20}
steer: {type: step, start: 0.5 s, value: 10 deg}
search:
  key: vehicle.cg_height
  from: 0.5
  to: 1.5
  tolerance: 0.1
  goals: {name: highest, metric: final_speed_mps, above: 0, side: highest}
END
run "$work/over.yaml"
[ $status -eq 0 ] &&
  grep -q 'runs failed, in which only partial goals can hold; the first, at 1.5: the car has overturned' \
  "$work/err" &&
  grep -q '^2,1.5,[0-9.-]*,0,"*the car has overturned' "$work/out"
check "in a failed run no goal holds, and the note has the reason"
# A car that stands more than 20 m beside its path has lost it.
cat >"$work/lost.yaml" <<END
vehicle: $top/scenarios/vehicles/sedan.yaml
run: {duration: 6 s}
path: {type: straight, length: 100 m}
search:
  key: initial.y
  from: 0
  to: 50
  tolerance: 0.1
  goals: {name: farthest, metric: duration_s, above: 1, side: highest}
END
run --metrics - "$work/lost.yaml"
[ $status -eq 0 ] && awk -F, '$1 == "farthest" { found = $2 > 19.9 && $2 <= 20 } END { exit !found }' "$work/out" &&
  grep -q 'the first, at 50: the car has lost its path' "$work/err"
check "a car that loses its path fails its goal"
printf 'base: %s/scenarios/rig/fy_alpha.yaml\nsearch: {key: friction}\n' "$top" >"$work/rig.yaml"
run "$work/rig.yaml"
[ $status -eq 2 ] && grep -q "unknown key 'search'" "$work/err"
check "a tyre rig has no search"
all_well
