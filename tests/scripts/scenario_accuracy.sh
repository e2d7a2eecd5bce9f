#!/bin/sh
# Metrics of scenarios at the default accuracy are those of run.accuracy=1e-10 within 1e-5 of themselves or of their
# scales (tests/common/differ.sh). Where they are not there is a reason, and a bound. Scenarios with a reason are run, and
# a sample of all others, another one for every commit. scripts/bench --scenarios shows all.
# Usage: tests/scripts/scenario_accuracy.sh VDSIM-RUN
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
# shellcheck source=tests/common/differ.sh
. tests/common/differ.sh
sample=6

# scenario | metrics | most | reason
cat >"$work/reasons" <<'END'
hardpoints/link_masses|final_speed_mps peak_ay_mps2 least_wheel_load_N az_peak_mps2 ax_weighted_mps2 vibration_total_mps2 load_coefficient_*|2e-4|the edge of a kerb: contact passes from face to edge, where the force has a corner, and peaks stand there
ride/kerb_strike|ax_weighted_mps2 vibration_total_mps2|2e-4|the edge of a kerb, as above, and wheels that lift
ride/potholes|peak_ay_mps2 az_peak_mps2|1e-4|peaks at edges, where wheels lift and land
stunt/cliff|energy_change_J|1e-4|the car leaves an edge wheel by wheel: the work of its tyres depends on the instant at which each one does
stunt/linkage_cliff|energy_change_J|1e-4|as above
stunt/jump_20|energy_gravity_change_J|1e-4|the height at the end of a flight, times the weight of the car: the take-off from an edge moves by micrometres
iso/split_mu_braking|peak_ay_mps2|1e-4|a peak at a switch of the anti-lock system, which acts when a wheel is past a threshold
iso/split_mu_braking_l3|peak_ay_mps2|1e-4|as above
road/launch_locked|acceleration_peak_mps2|1e-4|a peak at the start, where the torque rises in one step and wheels begin to slip
iso/weave_torque|weave_sensitivity_min_g_per_100deg|1e-4|a least slope, a quotient of differences at one instant, in a steering with dry friction
ride/four_post_pitch|distance_m final_speed_mps|1e-3|a car on posts stands free along the road: errors of the steps move it by less than a millimetre in a minute
ride/four_post_sweep|distance_m final_speed_mps|1e-3|as above
END
printf '%s\n' scenarios/*/*.yaml | sed 's|^scenarios/||; s|[.]yaml$||' >"$work/all"
cut -d'|' -f1 "$work/reasons" | grep -vxF -f - "$work/all" >"$work/others"

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
    awk -v d="$difference" -v a="$allowed" 'BEGIN { exit d <= a }' && echo "$name differs by $difference, at most $allowed"
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
