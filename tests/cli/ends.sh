#!/bin/sh
# Ends of runs: exit statuses, messages, the list of failures, the progress.
# Usage: tests/cli/ends.sh VDSIM-RUN
# Reads scenarios/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 24
silent() { [ ! -s "$work/err" ]; }

good=$work/good.yaml wrong=$work/wrong.yaml over=$work/over.yaml search=$work/search.yaml
printf 'base: %s/scenarios/iso/step_steer.yaml\nrun: {duration: 0.1}\nmetrics: []\n' "$top" >"$good"
printf 'base: %s\nmass: 7\n' "$good" >"$wrong"
# a centre of gravity 1.5 m high: the car tips at 0.75 m/1.5 m of m g, and the friction of the tyres is 1
cat >"$over" <<END
vehicle: {base: $top/scenarios/vehicles/sedan_seed.yaml, cg_height: 1.5}
run: {level: L3, duration: 3 s}
initial: {speed: 20}
steer: {type: step, start: 0.1 s, value: 10 deg}
END
cat >"$search" <<END
base: $good
search: {key: initial.speed, from: 10, to: 20, tolerance: 5, goals: {name: never, metric: final_speed_mps, above: 100}}
END

# --- one scenario

run -c t_s "$over"
[ $status -eq 3 ] && [ "$(grep -c '' "$work/err")" -eq 1 ] &&
  grep -q '^.*over.yaml: error: the car has overturned at t = ' "$work/err"
check "a car that overturns: status 3"
[ -s "$work/out" ] && awk '/kept/ { exit 1 }' "$work/err"
check "no file is written if the rows go to standard output"
run -o "$work/over.csv" "$over"
[ $status -eq 3 ] && [ "$(grep -o 'the rows before this are kept' "$work/err" | grep -c '')" -eq 1 ] &&
  [ -s "$work/over.incomplete.csv" ]
check "the message mentions the kept rows once"
grep -q '^failure: "the car has overturned at t = [0-9.]* s; the model has contact with the road only at the tyres"$' \
  "$work/over.provenance.yaml"
check "the failure is in the provenance"
run --metrics - "$over"
[ $status -eq 3 ] && [ ! -s "$work/out" ]
check "--metrics of a run that ends early writes no metrics: status 3"
if [ -c /dev/full ]; then
  "$exe" "$over" >/dev/full 2>"$work/err"
  [ $? -eq 2 ]
  check "rows that cannot be written are trouble, however the run ends"
else
  skip "rows that cannot be written are trouble, however the run ends" "there is no /dev/full"
fi
run --response - --set run.stop_below=20 --set initial.speed=20.5 --set speed=15 scenarios/iso/chirp_steer.yaml
[ $status -eq 3 ] && grep -q 'the run ended before one segment of the response' "$work/err"
check "a run too short for its response: status 3"

# A circle that begins 3 m ahead of the car, in the opposite direction: the car turns at full lock.
cat >"$work/lost.yaml" <<END
vehicle: $top/scenarios/vehicles/sedan.yaml
run: {level: L2, duration: 20 s}
initial: {speed: 20}
path: {type: circle, radius: -300 m, x: 3 m, yaw: 180 deg}
speed: 20
END
run --metrics - "$work/lost.yaml"
[ $status -eq 3 ] && [ ! -s "$work/out" ] &&
  grep -q ': error: the car has lost its path: from t = 0 s on .* at t = 5 s it is near x = .* m, y = ' "$work/err" &&
  grep -q ":4:1: remark: the car starts 0.* m beside its path, turned by 1[78][0-9] degrees from .*; 'initial.start: " \
    "$work/err"
check "a car that loses its path: status 3, and a message about a start in the opposite direction"
run --metrics - --set 'initial={start: on_path, speed: 20}' "$work/lost.yaml"
[ $status -eq 0 ] && silent
check "a car that starts at the path's first point follows it"
run --resolved "$work/lost.yaml"
[ $status -eq 0 ] && ! grep -q lost_after "$work/out" && run --resolved --set run.lost_after=2 "$work/lost.yaml" &&
  grep -q '^  lost_after: 2  # s$' "$work/out"
check "a resolved file has the time of a lost path only if the scenario gives it"

# --- numbers without a unit

remarks=$(for speed in 70 100 -100 '100 m/s' '360 km/h'; do
  "$exe" --check --set initial.speed="$speed" "$good" 2>&1 >"$work/out" | grep -c 'remark: .* m/s are -*360 km/h'
done | tr '\n' ' ')
[ "$remarks" = "0 1 1 0 0 " ]
check "a number above 70 m/s without a unit is reported in km/h"

# --- the last row

run -o "$work/stop.csv" --rate 10 -c t_s,vx_mps scenarios/road/brake_straight.yaml
[ $status -eq 0 ] && awk -F, '
  function off_grid(t) { t = t * 10 - int(t * 10 + 0.5); return t * t > 1e-12 }
  NR > 2 { odd += off_grid(last) }
  { last = $1; speed = $2 }
  END { speed -= 0.1 / 3.6; exit odd || !off_grid(last) || speed * speed > 1e-18 }' "$work/stop.csv"
check "all rows lie on the grid of the log, except the last row, which is at the end"
[ "$(tail -n 1 "$work/stop.csv" | cut -d , -f 1)" = "$(awk '
  /^end_time:/ { printf "%.9g", $2 }' "$work/stop.provenance.yaml")" ]
check "the end in the provenance is the time of the last row"

# --- the guard

# A step of 10 ms over a kerb: the force changes its direction within a step, and the residual is proportional to it.
coarse="--set run.step=0.01 --set run.v_low=20 --set run.v_low_y=2.5 --set run.duration=2.5 --set initial.speed=6
  scenarios/ride/kerb_strike.yaml"
# shellcheck disable=SC2086 # options and a name
run --metrics - $coarse
cp "$work/err" "$work/doubt"
[ $status -eq 0 ] &&
  grep -q "^scenarios/ride/kerb_strike.yaml: warning: [0-9.]* J [a-z ]* between t = .* and .* s \
near x = .* m, y = .* m: 0.00[0-9]* of the energy that passed through the run$" "$work/doubt" &&
  awk -F, '$1 == "ledger_residual" { found = $2 > 1e-3 && $2 < 1e-2 } END { exit !found }' "$work/out"
check "a residual above 1e-3 is a warning with amount, time and place"
# shellcheck disable=SC2086
run -q --metrics - $coarse
[ $status -eq 0 ] && ! grep -q nothing "$work/err"
check "-q leaves out the warning on the residual"
# shellcheck disable=SC2086
run --metrics - --set run.ledger_limit=1e-3 $coarse
[ $status -eq 3 ] && [ ! -s "$work/out" ] && grep -q ': error: .* above run.ledger_limit (0.001)$' "$work/err"
check "a residual above run.ledger_limit ends the run"
run -o "$work/deep.csv" --set initial.lift=30 --set run.duration=4 scenarios/ride/drop.yaml
[ $status -eq 3 ] &&
  grep -q ": error: the [a-z]* [a-z]* tyre is deflected by 0.[0-9]* m, more than its radius of 0.[0-9]* m, \
at t = 2.[0-9]* s; the rows before this are kept$" "$work/err" && [ -s "$work/deep.incomplete.csv" ]
check "a tyre deflected beyond its radius ends the run"
run --metrics - scenarios/stunt/rest.yaml
[ $status -eq 0 ] && silent && awk -F, '
  $1 == "ledger_residual" { found = $2 >= 0 && $2 < 1e-10 } END { exit !found }' "$work/out"
check "the residual of a car at rest is a rounding error"

# --- several

several() { "$exe" -o "$work/several" "$@" >"$work/out" 2>"$work/err"; status=$?; }
several "$good" "$over"
[ $status -eq 3 ] && [ "$(tail -n 2 "$work/err" | head -n 1)" = "vdsim-run: 1 of 2 scenarios failed" ] &&
  tail -n 1 "$work/err" | grep -q "^vdsim-run: $over: status 3, ended early: the car has overturned"
check "one scenario that ended early gives status 3, and the last line names it"
several "$over" "$wrong" "$good"
[ $status -eq 2 ] && [ "$(grep -c '^vdsim-run: ' "$work/err")" -eq 3 ] &&
  tail -n 1 "$work/err" | grep -q "^vdsim-run: $wrong: status 2, trouble: $wrong:2:1: error: unknown key 'mass'"
check "trouble is worse than a run that ended early, and every failure has its line"
cp "$work/err" "$work/serial"
several -j 3 "$over" "$wrong" "$good"
cmp -s "$work/err" "$work/serial"
check "the list of failures does not depend on -j"
several "$search" "$over"
[ $status -eq 3 ] && grep -q "^vdsim-run: $search: status 1, no: goal 'never'" "$work/err"
check "a run that ended early is worse than a search without an answer"
several -q "$over" "$wrong"
[ $status -eq 2 ] && ! grep -q '^vdsim-run: ' "$work/err"
check "-q prints only errors"
if script -qc true /dev/null >"$work/out" 2>&1; then
  cp "$work/good.yaml" "$work/second.yaml"
  script -qc "'$exe' -j 2 -o '$work/several' '$good' '$over' '$work/second.yaml'" /dev/null >"$work/out" 2>/dev/null
  tr '\r' '\n' <"$work/out" | grep -q ' 3 of 3 done, 1 failed, 0 s left'
  check "a terminal shows how many scenarios are done and have failed, and the time left"
else
  skip "a terminal shows how many scenarios are done and have failed, and the time left" "there is no script(1)"
fi
all_well
