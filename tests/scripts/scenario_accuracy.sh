#!/bin/sh
# Metrics of scenarios at the default accuracy agree with those of run.accuracy=1e-10 within 1e-5 of the metric or of
# its scale (tests/common/differ.sh). Exceptions have a reason and a bound. The test runs the exceptions, some scenarios
# with many discontinuities, and a sample of the others, which differs from commit to commit. It leaves out scenarios of
# 12 min. scripts/bench --scenarios shows all differences.
# Usage: tests/scripts/scenario_accuracy.sh VDSIM-RUN
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
# shellcheck source=tests/common/differ.sh
. tests/common/differ.sh

# scenario | metrics | bound | reason. The bound is the error of the metric due to the error of one step, which is
# run.accuracy times the state's scale; --linear --at shows the derivatives.
#
# split_mu_braking  The peak is in the last row, when the car comes to rest. Its wheels are locked and slide, so that
#   friction, mu g = 6.6 m/s2, acts against the velocity, which turns: ay = mu g vy/|v| changes by mu g/|v| per vy, or
#   190 1/s at the 0.035 m/s at which the run ends. An error of 1e-6 m/s gives 1.9e-4 m/s2; the peaks are 1.7 and 1.1
#   m/s2.
# weave_torque  The slope of ay over the steering wheel angle is the rate of ay over the rate of the angle, which is at
#   least 0.22 rad/s. There ay changes by 3.7 m/s2 per rad of the steering gear, whose rate has the scale of 10 rad/s:
#   an error of 1e-5 rad/s gives 1.7e-4 of 10 m/s2 per rad.
#
# The next scenarios use a rate from two steps 0.02 s apart; an error of 1e-5 m/s2 in one of them gives 5e-4 m/s3.
# constant_radius  The run ends when ay stops growing. The second derivative of ay is 0.25 m/s4 then, so that the end
#   changes by 2e-3 s of 45 s. At 29 m/s the car departs from the circle with 0.2 m/s and 6e-3 rad/s: this changes 917 m
#   by 0.06 m, the distance from the circle by 4e-4 m, and the angle by 1.2e-5 of 0.1 rad.
# constant_speed  As for constant_radius, but the second derivative is only 6e-4 m/s4: 0.8 s of 81 s.
# weave  The slope of ay over the steering wheel angle is 9 m/s2 per rad, and this angle changes by 0.27 rad/s: a
#   relative error of 2e-4. The steering torque follows the side force, so that its least slope has the same error.
cat >"$work/reasons" <<'END'
handling/constant_radius|duration_s distance_m path_error_* path_heading_*|4e-4|the end, where ay is greatest
handling/constant_speed|duration_s distance_m|1e-2|the end, where ay is greatest, and nearly constant
handling/weave|weave_sensitivity_min_g_per_100deg weave_*_linearity|2e-4|a least slope, of two steps
iso/split_mu_braking|peak_ay_mps2|2e-4|a peak where a slide ends, in which friction turns with the velocity
iso/split_mu_braking_l3|peak_ay_mps2|2e-4|a peak where a slide ends, in which friction turns with the velocity
iso/weave_torque|weave_sensitivity_min_g_per_100deg|2e-5|a least slope, of the rates of ay and steering wheel
END
# scenarios in which a contact point jumps to the face of a kerb, wheels lift at edges or leave the end of a ramp,
# springs reach their stops, or rows are within steps in which wheel spins decay fast
cat >"$work/always" <<'END'
ride/kerb_strike
ride/potholes
stunt/jump_20
stunt/linkage_cliff
road/launch_locked
END
# left out: searches by the planner, whose speeds have a tolerance of 1 km/h, about 1e-2; and controllers of valves and
# brakes, which decide by thresholds, so that a decision one period earlier or later changes the following cycles
printf '%s\n' scenarios/*/*.yaml | sed 's|^scenarios/||; s|[.]yaml$||' | grep -vxF -f "$work/always" |
  grep -vx -e handling/lane_change -e handling/obstacle_avoidance -e handling/slalom \
    -e systems/split_mu_start -e systems/split_mu_stop -e systems/stop_high_to_low >"$work/others"

# Whether a scenario has steps and metrics; parts, rigs, fits, studies and track cars have none.
measured() { "$exe" -q --check --set run.accuracy=1e-10 "scenarios/$1.yaml" >/dev/null 2>&1; }

# Prints metrics that differ by more than 1e-5, or by more than the bound of an exception. METRICS: patterns
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

most_others=3
[ "$seed" != all ] || most_others=1000
[ "$seed" = all ] && long='' || long=random_steer
grep -v -e "${long:-^$}" "$work/others" | sample 15 | while read -r scenario; do
  if measured "$scenario"; then echo "$scenario"; fi
done | head -n "$most_others" >"$work/sample"

plan $(($(cat "$work/always" "$work/sample" | wc -l)))
echo "# the sample is that of $seed"
cat "$work/always" "$work/sample" >"$work/run"
while read -r scenario; do
  bounds=$(grep "^$scenario|" "$work/reasons" | cut -d'|' -f2,3)
  beyond "$scenario" "${bounds%|*}" "${bounds#*|}" >"$work/out"
  [ ! -s "$work/out" ]
  check "$scenario: no metric differs by more than 1e-5$(grep "^$scenario|" "$work/reasons" | cut -d'|' -f3,4 |
    sed 's/|/ for a reason: /; s/^/, or /')" "$work/out"
done <"$work/run"
all_well
