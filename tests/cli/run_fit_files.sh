#!/bin/sh
# Fits of runs on the command line: files, runs with the results by --set @FILE, equal bytes, refusals, a picture.
# Usage: tests/cli/run_fit_files.sh VDSIM-RUN VDSIM-KC-SWEEP
# Reads scenarios/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
kc=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")

counts=$(printf '2\n3\n' | sample 1) # number of processes
plan $((48 + $(echo "$counts" | wc -l)))
figure() { awk -F, -v name="$2" -v column="$3" '$1 == name { print $column }' "$1"; }
# whether two numbers are equal within a tolerance
near() { awk -v a="$1" -v b="$2" -v tolerance="$3" '
  BEGIN { d = a - b; exit !(a != "" && d <= tolerance && -d <= tolerance) }'; }

# --- a car that is identified from a step and a sine; the files name their origin ---

run --exact -q -o "$work/a" scenarios/fit/car.yaml
[ $status -eq 0 ] && (cd "$work/a" && ls) >"$work/files"
printf '%s\n' car.correlations.csv car.csv car.curves.csv car.figures.csv car.metrics.csv car.provenance.yaml \
  car.resolved.yaml car.set | cmp -s - "$work/files"
check "a fit of runs writes its tables and settings"
[ "$(awk 'END { print NR }' "$work/a/car.csv")" -eq 805 ]
check "the table of a fit has one line for each measured value"
for pair in front_stiffness=95000 rear_stiffness=110000 yaw_inertia=2500 relaxation=0.4; do
  name=${pair%=*}
  awk -F, -v name="$name" -v truth="${pair#*=}" '
    $1 == name { found = $7 <= truth && truth <= $8 } END { exit !found }' \
    "$work/a/car.figures.csv"
  check "the interval contains the $name of the car that was measured" "$work/a/car.figures.csv"
done
# the noise is 0.15 deg/s = 0.002618 rad/s and 0.05 m/s2; its estimate from 201 rows scatters by 5 %
near "$(figure "$work/a/car.metrics.csv" sine_yaw_rate_radps_scatter 2)" 0.002618 0.0005
check "the estimated scatter of the yaw rate agrees with the noise"
near "$(figure "$work/a/car.metrics.csv" step_ay_mps2_scatter 2)" 0.05 0.01
check "the estimated scatter of the lateral acceleration agrees with the noise"
awk -F, 'NR > 1 { for (i = 2; i <= NF; i++) { c[NR - 1, i - 1] = $i } n = NR - 1 }
  END { for (i = 1; i <= n; i++) for (k = 1; k <= n; k++) {
    if (c[i, k] != c[k, i] || (i == k && c[i, k] != 1) || c[i, k] ^ 2 > 1) exit 1 }
  exit n != 4 }' "$work/a/car.correlations.csv"
check "the correlations are a symmetric matrix with ones" "$work/a/car.correlations.csv"

for jobs in $counts; do
  run --exact -q -j "$jobs" -o "$work/j$jobs" "$work/a/car.resolved.yaml"
  for part in correlations.csv csv curves.csv figures.csv metrics.csv set; do
    cmp "$work/a/car.$part" "$work/j$jobs/car.resolved.$part"
  done >"$work/err" 2>&1
  [ $status -eq 0 ] && [ ! -s "$work/err" ]
  check "the resolved fit with -j $jobs gives the same bytes"
done

# a run with the results gives the fitted curve
run --exact -c yaw_rate_radps --rate 50 --set "@$work/a/car.set" --set run.slip=transient --set run.duration='4 s' \
  --set 'steer={type: step, start: 0.5 s, value: 2 deg}' scenarios/road/linear_step.yaml
awk -F, 'NR == FNR { if (FNR > 1) y[sprintf("%.2f", $1)] = $2; next }
  $1 == "step" && $2 == "yaw_rate_radps" { d = $8 - y[sprintf("%.2f", $5)]; rows++; if (!(d * d < 1e-18)) exit 1 }
  END { exit rows != 201 }' "$work/out" "$work/a/car.csv"
check "--set @FILE runs the scenario with the fitted values"

"$(dirname "$exe")/vdsim-plot" --fit -o "$work/fit.svg" "$work/a/car.csv" 2>"$work/err" &&
  grep -q 'step: yaw rate, deg/s' "$work/fit.svg"
check "vdsim-plot --fit draws the measured values, the start and the result"
check_picture "the picture of --fit has the points and curves of the tables, and its texts do not overlap" \
  "$work/fit.svg" '
def by_target(name):
    of = {}
    for r in csv.DictReader(open(name)):
        if r["over"]:
            of.setdefault((r["data"], r["target"]), []).append(r)
    return of
measured, curves = by_target(sys.argv[3]), by_target(sys.argv[4])
expect(len(panels) == len(measured) == 4 and list(measured) == list(curves),
    (len(panels), list(measured), list(curves)))
for name in "yaw rate, deg/s", "lateral acceleration, g":
    expect(sum(t.endswith(name) for t in texts) == 2, texts)
size_of = {"yaw_rate_radps": DEG, "ay_mps2": G}
column = lambda rows, name: [float(r[name])/(1 if name == "x" else size_of[r["target"]]) for r in rows]
for panel, target in zip(panels, measured):
    start, fitted, points = panel.plots
    same_points(panel, points, column(measured[target], "x"), column(measured[target], "measured"), f"{target}")
    for plot, name in ((start, "start"), (fitted, "fitted")):
        same_line(panel, plot, column(curves[target], "x"), column(curves[target], name), f"{name} of {target}")
check_boxes(size, panels, boxes)' "$work/a/car.csv" "$work/a/car.curves.csv"

# --- profiles and fits to drawn runs: two distances of a car at constant speed ---

cat >"$work/again.yaml" <<END
kind: fit
scenario: $(pwd)/scenarios/road/linear_step.yaml
set: [run.level=L0, run.duration=2 s, steer=0]
fit:
  free: {name: v, key: [initial.speed, speed.value], start: 20}
  data:
    - {name: a, set: title=a, figures: {metric: distance_m, value: 50 m, scatter: 5 m}}
    - {name: b, set: title=b, figures: {metric: distance_m, value: 40 m, scatter: 5 m}}
  profile: 1
  resamples: 4
END
for jobs in 1 2; do
  run --exact -q -j $jobs -o "$work/again$jobs" "$work/again.yaml"
done
[ $status -eq 0 ] && [ "$(head -n 1 "$work/again1/again.profile.csv")" = held,offset,rise,v ] &&
  [ "$(awk 'END { print NR }' "$work/again1/again.profile.csv")" -eq 3 ] &&
  [ "$(head -n 1 "$work/again1/again.resamples.csv")" = resample,drawn_a,drawn_b,v ] &&
  [ "$(awk 'END { print NR }' "$work/again1/again.resamples.csv")" -eq 5 ]
check "a fit writes its profiles and its fits to drawn runs"
# v is 22.5 and its standard deviation 5/(2 sqrt 2), so that the interval of 95 % extends by 3.465 to each side; the
# interval of the profile is equal
near "$(figure "$work/again1/again.metrics.csv" v_profile_low 2)" 19.0352 1e-3 &&
  near "$(figure "$work/again1/again.metrics.csv" v_profile_high 2)" 25.9648 1e-3
check "the profile of a linear model gives the linear interval" "$work/again1/again.metrics.csv"
head -n 1 "$work/again1/again.csv" | grep -q ',low,high,resampled_low,resampled_high$' &&
  diff -r "$work/again1" "$work/again2" >"$work/err"
check "-j 2 gives the same bytes of profiles and of fits to drawn runs"

# --- hardpoints: the sweep with the results has the gains of the file ---

run --exact -q -o "$work/h" scenarios/fit/hardpoints.yaml
[ $status -eq 0 ] &&
  "$kc" --exact --metrics "$work/gains.csv" --set "@$work/h/hardpoints.set" scenarios/suspensions/dw_front_sports.yaml
good=$?
for pair in toe_travel=0 camber_travel=-0.07 caster_travel=0.02 toe_rack=0.19 roll_centre_z=50; do
  near "$(figure "$work/gains.csv" "${pair%=*}" 2)" "${pair#*=}" 1e-6 || good=1
done
[ $good -eq 0 ]
check "the fitted linkage has the five gains within 1e-6" "$work/gains.csv"

# --- anti-roll bars: the understeer gradient of a run with the results ---

run --exact -q --strict -o "$work/r" scenarios/fit/roll_stiffness.yaml
[ $status -eq 0 ] && ! [ -s "$work/err" ]
check "a fit that meets its targets ends with status 0 with --strict"
run --exact --metrics "$work/circle.csv" --set "@$work/r/roll_stiffness.set" scenarios/iso/constant_radius.yaml
near "$(figure "$work/circle.csv" understeer_gradient_deg_per_g 2)" 1 1e-6
check "a car with the fitted bars has the gradient" "$work/circle.csv"
awk -F= '/antiroll/ { sum += $2 } END { d = sum - 24000; exit !(d * d < 1e-12) }' "$work/r/roll_stiffness.set"
check "the sum of the stiffnesses of both anti-roll bars agrees with the formulas"

# --- a fit that misses: 1 deg/g needs a share of 0.24, and the bound is 0.5; from 0.2 on the interval, 0.04 to a
# standard deviation, goes beyond it
miss() { # LOW STATUS NOTE OPTION...
  low=$1 wanted=$2 note=$3
  shift 3
  run -q --force -o "$work/m" --set "fit.free={name: front_share, low: $low, high: 0.95, start: 0.55}" "$@" \
    scenarios/fit/roll_stiffness.yaml
  [ $status -eq "$wanted" ] && grep -q "^front_share,.*,$note\$" "$work/m/roll_stiffness.figures.csv"
}
miss 0.5 0 'at a bound' && grep -q "the result is at a bound.*'front_share' = 0.500" "$work/err" &&
  grep -q "'understeer_gradient_deg_per_g' is missed by 6.* times its scatter: 1.06.* deg/g instead of 1" "$work/err" &&
  grep -q '^at_bounds,1,' "$work/m/roll_stiffness.metrics.csv" &&
  grep -q '^missed,1,' "$work/m/roll_stiffness.metrics.csv"
check "a result at its bound and a missed target are reported"
bounded='fit.free={name: v, key: [initial.speed, speed.value], low: 10, high: 20, start: 15}'
run -q --set "$bounded" -o "$work/m" "$work/again.yaml"
[ $status -eq 0 ] && run -q --strict --force --set "$bounded" -o "$work/m" "$work/again.yaml" && [ $status -eq 1 ] &&
  grep -q '^v,.*,at a bound$' "$work/m/again.figures.csv"
check "--strict gives status 1 for a result at its bound"
miss 0.2 1 'the interval extends beyond a bound' --strict &&
  grep -q "intervals extend beyond bounds.*'front_share'" "$work/err"
check "an interval that extends beyond a bound is reported"

# --- curves of a suspension over its travel, with uneven rows ---

"$kc" --travel=-40:40:9 -c 'travel_mm,toe_deg,camber_deg' --set tie_rod.rack.2=0.17 \
  scenarios/suspensions/dw_front_sports.yaml |
  awk 'NR != 4 && NR != 5' >"$work/curve.csv"
cat >"$work/curve.yaml" <<END
kind: fit
suspension: $top/scenarios/suspensions/dw_front_sports.yaml
fit:
  free: {name: rack_height, key: tie_rod.rack.2, low: 0.1, high: 0.3, start: 0.2}
  data: {file: $work/curve.csv, columns: [{channel: toe_deg, scatter: 1e-4 deg}, camber_deg]}
END
run --exact -q -o "$work/s" "$work/curve.yaml"
near "$(figure "$work/s/curve.figures.csv" rack_height 5)" 0.17 1e-6
check "a coordinate is found from the curves over travel"

# --- rows over another channel: the slope of the steering wheel over ay in the linear range is L/v^2 + K --- of the
# textbook car at 20 m/s: 2.68/400 + 1.76082e-3 rad s2/m, times the ratio 16 at the steering wheel; K is proportional to
# 1/stiffness of the axles, so that the rear stiffness of 80 kN/rad is found again from the slope alone. The car lags
# about 0.1 s behind the ramp: d = 16 x 0.02 deg/s x 0.1 s = 0.0006 rad in all rows, by which the slope through 0 is
# wrong by d sum(ay)/(16 sum(ay^2)) = 2.6e-5 rad s2/m; of the rear axle's share m a/(L C) = 4.03e-3 that is 0.65 %.

awk 'BEGIN { print "ay_mps2,steering_wheel_rad"; s = 16 * (2.68 / 400 + 1.76082e-3)
  for (i = 5; i > 0; i--) printf "%.9g,%.9g\n", i * i * 0.08, i * i * 0.08 * s }' >"$work/slope.csv"
cat >"$work/slope.yaml" <<END
kind: fit
scenario: $top/scenarios/road/linear_step.yaml
set: [run.duration=54 s, 'steer={type: ramp, start: 0 s, rate: 0.02 deg/s, duration: 54 s}']
fit:
  free: {name: rear, key: vehicle.rear.tyre.cornering_stiffness, low: 60 kN/rad, high: 120 kN/rad, start: 90 kN/rad}
  data: {file: $work/slope.csv, over: ay_mps2, columns: {channel: steering_wheel_rad}}
END
run --exact -q -o "$work/s" "$work/slope.yaml"
near "$(figure "$work/s/slope.figures.csv" rear 5)" 80000 520
check "the rear stiffness is found from the steering wheel angle over ay"

# --- files in settings ---

mkdir -p "$work/here/sub" "$work/there"
echo "{base: $top/scenarios/vehicles/sedan.yaml, mass: 1234 kg}" >"$work/here/light.yaml"
cat >"$work/here/sub/mass.yaml" <<END
kind: fit
scenario: $top/scenarios/iso/step_steer.yaml
fit:
  free: {name: mass, key: vehicle.mass, low: 1000, high: 3000}
  data: {set: [vehicle=../light.yaml], figures: {metric: distance_m, value: 100, scatter: 1}}
END
"$exe" --resolved "$work/here/sub/mass.yaml" >"$work/there/mass.yaml"
run --check "$work/there/mass.yaml"
[ $status -eq 0 ]
check "settings of a resolved fit that name files work from another folder"

# --- refusals ---

# the square of 1e308 overflows, so that the misfit would not be finite
run -q --set fit.data.0.figures.0.value=1e308 "$work/here/sub/mass.yaml"
[ $status -eq 2 ] &&
  grep -q "^--set fit.data.0.figures.0.value:1:1: error: 'value' is above 1e+100, which is not a measured value" \
  "$work/err"
check "a figure whose misfit would overflow is refused"
awk -F, 'BEGIN { OFS = "," } NR == 4 { $2 = "-1e308" } { print }' "$work/slope.csv" >"$work/steep.csv"
run -q --set "fit.data.0.file=$work/steep.csv" "$work/slope.yaml"
[ $status -eq 2 ] &&
  grep -q "steep.csv:4:[0-9]*: error: the value is above 1e+100 in SI, which is not a measured value" "$work/err"
check "a value of a file whose misfit would overflow is refused, with its place"

run -q --write-tir - scenarios/fit/car.yaml
[ $status -eq 2 ] && run -q --set fit.data.0.over.to='9 s' --set run.x=1 scenarios/fit/car.yaml && [ $status -eq 2 ]
check "options and keys of other kinds of scenarios are refused"
printf 'x\n' >"$work/no.set"
run --set "@$work/no.set" scenarios/road/linear_step.yaml
[ $status -eq 2 ] && grep -q "'x' is not KEY=VALUE" "$work/err"
check "a file of settings with a line that is no setting is refused"
echo 'run.duration=1 s' >"$work/in.set"
cp "$work/in.set" "$work/kept.set"
run -q --metrics "$work/in.set" --set "@$work/in.set" scenarios/road/linear_step.yaml
[ $status -eq 2 ] && cmp -s "$work/in.set" "$work/kept.set" && grep -q 'no output may replace it' "$work/err"
check "no output replaces a file of settings, which is an input"
printf 'run.duration=1 s\0\nx=3\n' >"$work/nul.set"
run -q --metrics - --set "@$work/nul.set" scenarios/road/linear_step.yaml
[ $status -eq 2 ] && grep -q 'it is not text' "$work/err"
check "a file of settings with a zero byte is refused"
: >"$work/empty.set"
run -q --metrics "$work/plain.csv" scenarios/road/linear_step.yaml
run -q --metrics "$work/set.csv" --set "@$work/empty.set" scenarios/road/linear_step.yaml
[ $status -eq 0 ] && cmp -s "$work/plain.csv" "$work/set.csv"
check "an empty file sets nothing" "$work/err"
printf 'rack_mm,toe_deg\n-10,0\n10,0.1\n' >"$work/rack.csv"
cat >"$work/rack.yaml" <<END
kind: fit
suspension: $top/scenarios/suspensions/ta_rear_sedan.yaml
fit:
  free: {name: height, key: wheel.center.2, low: 0.2, high: 0.5, start: 0.3}
  data: {over: rack_mm, file: rack.csv, columns: [{channel: toe_deg, scatter: 1e-3 deg}]}
END
run -q --metrics - "$work/rack.yaml"
[ $status -eq 1 ] && grep -q 'toe_deg has no value over rack_mm' "$work/err"
check "a curve over the rack of a linkage without a rack is refused"
# a gain of 3 needs a front axle that is so stiff that the car is not steady within 2 s; the run then has no gain
cat >"$work/cliff.yaml" <<END
kind: fit
scenario: $top/scenarios/road/linear_step.yaml
set: [run.duration=2 s]
fit:
  free: {name: f, key: vehicle.front.tyre.cornering_stiffness, low: 20 kN/rad, high: 300 kN/rad}
  data: {figures: {metric: yaw_rate_gain_radps_per_rad, value: 3, scatter: 0.01}}
END
run --metrics - "$work/cliff.yaml"
[ $status -eq 0 ] && grep -q 'warning: the search ended beside figures for which a run fails' "$work/err"
check "a fit that ends where runs have no value gives a message"
run -q -o "$work/title" --set 'title="a\nrun.x=5"' "$work/again.yaml"
[ $status -eq 0 ] && run -q --check --set "@$work/title/again.set" scenarios/road/linear_step.yaml && [ $status -eq 0 ]
check "a title of two lines makes no setting"

# --- a fit and an optimisation, each killed with two runs in its journal ---

cat >"$work/killed_fit.yaml" <<END
kind: fit
scenario: $top/scenarios/road/linear_step.yaml
set: [run.duration=20 s]
fit:
  free: {name: v, key: [initial.speed, speed.value], low: 10 m/s, high: 60 m/s, start: 15 m/s}
  data: {figures: {metric: yaw_rate_gain_radps_per_rad, value: 0.4, scatter: 0.01}}
END
cat >"$work/killed_optimum.yaml" <<END
kind: optimise
scenario: $top/scenarios/road/linear_step.yaml
set: [run.duration=20 s]
optimise:
  free: {name: v, key: [initial.speed, speed.value], low: 10 m/s, high: 60 m/s, start: 15 m/s}
  runs: {goals: {metric: yaw_rate_gain_radps_per_rad, aim: most}}
END
for kind in fit optimum; do
  run -q -o "$work/whole" "$work/killed_$kind.yaml"
  setsid "$exe" -q -o "$work/part" "$work/killed_$kind.yaml" 2>"$work/err" &
  pid=$!
  lines=0 # two lines of the head, two runs
  while [ "$lines" -lt 4 ] && kill -0 $pid 2>/dev/null; do
    [ -e "$work/part/killed_$kind.journal" ] && lines=$(awk 'END { print NR }' "$work/part/killed_$kind.journal")
    sleep 0.02
  done
  kill -KILL $pid
  wait $pid 2>/dev/null
  run -o "$work/part" "$work/killed_$kind.yaml"
  [ $status -eq 2 ] && [ "$lines" -ge 4 ] && grep -q 'exists already: --resume continues' "$work/err"
  check "a killed run of killed_$kind.yaml is not begun again without --resume"
  run -q -j 2 --resume -o "$work/part" "$work/killed_$kind.yaml"
  [ $status -eq 0 ] && [ ! -e "$work/part/killed_$kind.journal" ]
  check "--resume continues killed_$kind.yaml, and removes the journal when the results are written"
  rm -f "$work/part"/.*.csv # the file that was being written when it was killed
  diff -r "$work/whole" "$work/part" >"$work/out"
  check "the resumed run of killed_$kind.yaml gives the bytes of a run that was not killed" "$work/out"
done
run --resume --metrics - "$work/killed_fit.yaml"
[ $status -eq 2 ] && grep -q -e "--resume needs '-o DIR'" "$work/err"
check "--resume without -o is refused"

# --- optimisations ---

run -o "$work/tie" scenarios/optimise/bump_steer.yaml
[ $status -eq 0 ] && near "$(figure "$work/tie/bump_steer.metrics.csv" run1_toe_travel 2)" 0 0.0005
check "hardpoints without bump steer are found"
"$kc" --metrics - --set "@$work/tie/bump_steer.set" scenarios/suspensions/dw_front_bump_steer.yaml \
  >"$work/out" 2>/dev/null
near "$(figure "$work/out" toe_travel 2)" 0 0.0005
check "the settings of the found hardpoints have no bump steer in a sweep"
run -q -j 3 -o "$work/tie3" scenarios/optimise/bump_steer.yaml
diff -r "$work/tie" "$work/tie3" >"$work/out"
check "the bytes are the same for any number of processes" "$work/out"
for file in bars dampers; do
  run --check "scenarios/optimise/$file.yaml"
  [ $status -eq 0 ]
  check "scenarios/optimise/$file.yaml is read"
done
cat >"$work/far.yaml" <<END
kind: optimise
scenario: $top/scenarios/road/linear_step.yaml
optimise:
  free: {name: v, key: [initial.speed, speed.value], low: 10 m/s, high: 30 m/s, start: 15 m/s}
  runs: {goals: {metric: yaw_rate_gain_radps_per_rad, above: 9}}
END
run --strict -o "$work/far" "$work/far.yaml"
[ $status -eq 1 ] && grep -q "cannot be met" "$work/err" &&
  grep -q 'held at its upper bound' "$work/far/far.figures.csv"
check "a limit that cannot be met is reported with the bound that prevents it, and fails with --strict"

all_well
