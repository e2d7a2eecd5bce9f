#!/bin/sh
# Metrics of scenarios at the default accuracy are those of run.accuracy=1e-10 within 1e-5 of themselves or of their
# scales (tests/common/differ.sh). Where they are not there is a reason, and a bound. Run are scenarios with a reason,
# some in which much breaks the steps, and a sample of all others, another one for every commit. scripts/bench
# --scenarios shows all.
# Usage: tests/scripts/scenario_accuracy.sh VDSIM-RUN
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
# shellcheck source=tests/common/differ.sh
. tests/common/differ.sh
sample=6

# scenario | metrics | most | reason. The bound is what an error of one step, run.accuracy times the state's scale,
# makes of the metric; --linear --at shows the derivatives.
#
# split_mu_braking  The peak is the last row, as the car comes to rest. Its wheels are locked and slide, so that
#   friction, mu g = 6.6 m/s2, points against the velocity, which turns: ay = mu g vy/|v| changes by mu g/|v| per vy,
#   190 1/s at the 0.035 m/s at which the run ends. An error of 1e-6 m/s makes 1.9e-4 m/s2, of peaks of 1.7 and 1.1
#   m/s2.
# weave_torque  The slope of ay over the steering wheel is the rate of ay over that of the wheel, 0.22 rad/s where it is
#   least. There ay changes by 3.7 m/s2 per turn of the steering gear (rad), whose rate has the scale of 10 rad/s: an
#   error of 1e-5 rad/s makes 1.7e-4 of 10 m/s2 per rad.
cat >"$work/reasons" <<'END'
iso/split_mu_braking|peak_ay_mps2|2e-4|a peak where a slide ends, in which friction turns with the velocity
iso/split_mu_braking_l3|peak_ay_mps2|2e-4|as above
iso/weave_torque|weave_sensitivity_min_g_per_100deg|2e-5|a least slope, of the rates of ay and steering wheel
ride/kerb_strike||1e-5|a contact point jumps to the face of a kerb
ride/potholes||1e-5|wheels lift at edges
stunt/jump_20||1e-5|wheels leave the lip of a ramp
stunt/linkage_cliff||1e-5|springs meet their stops
road/launch_locked||1e-5|rows within steps in which spins decay fast
END
printf '%s\n' scenarios/*/*.yaml | sed 's|^scenarios/||; s|[.]yaml$||' >"$work/all"
# the planner's searches know a speed to their tolerance of 1 km/h, about 1e-2 of it
cut -d'|' -f1 "$work/reasons" | grep -vxF -f - "$work/all" |
  grep -vx -e handling/lane_change -e handling/obstacle_avoidance -e handling/slalom >"$work/others"

# Scenarios with steps and metrics; parts, rigs, fits, studies and track cars have none.
measured() { "$exe" -q --check --set run.accuracy=1e-10 "scenarios/$1.yaml" >/dev/null 2>&1; }

# What differs by more than 1e-5, without a reason or by more than the reason's bound. METRICS: patterns of the shell
beyond() { # SCENARIO METRICS MOST
  "$exe" -q --metrics "$work/default.csv" "scenarios/$1.yaml" 2>/dev/null
  "$exe" -q --metrics "$work/exact.csv" --set run.accuracy=1e-10 "scenarios/$1.yaml" 2>/dev/null
  differences "$work/default.csv" "$work/exact.csv" >"$work/differences"
  [ -s "$work/differences" ] || echo 'no metrics'
  set -f
  while read -r difference name; do
    allowed=1e-5
    for pattern in $2; do
      # shellcheck disable=SC2254 # a pattern
      case $name in $pattern) allowed=$3 ;; esac
    done
    awk -v d="$difference" -v a="$allowed" 'BEGIN { exit d <= a }' &&
      echo "$name differs by $difference, at most $allowed"
  done <"$work/differences"
  set +f
}

seed=$(git rev-parse --short=10 HEAD 2>/dev/null || echo 1)
number=$(printf %s "$seed" | cksum | cut -d' ' -f1)
count=$(wc -l <"$work/others")
plan $(($(wc -l <"$work/reasons") + sample))
echo "# the sample is that of $seed"
while IFS='|' read -r scenario metrics most reason; do
  beyond "$scenario" "$metrics" "$most" >"$work/out"
  [ ! -s "$work/out" ]
  check "$scenario: $reason" "$work/out"
done <"$work/reasons"
done_ones=0 place=$((number % count))
while [ "$done_ones" -lt $sample ]; do
  place=$(((place + 23) % count))
  scenario=$(sed -n "$((place + 1))p" "$work/others")
  measured "$scenario" || continue
  beyond "$scenario" '' 1e-5 >"$work/out"
  [ ! -s "$work/out" ]
  check "$scenario: no metric differs by more than 1e-5" "$work/out"
  done_ones=$((done_ones + 1))
done
all_well
