#!/bin/sh
# Judges claims, each as a test: all claims that are cheap or quick, and a sample of the claims that take long. Checks
# that COUNTS.md is up to date, that wide claims have their reasons, that each scenario has a baseline, and that each
# baseline has a scenario.
# Usage: tests/cli/claims.sh VDSIM-VALIDATE
# Reads scenarios/, validation/, baselines/.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

# If a file takes half a second of a processor or more, a twelfth of its statements is drawn. If its statements take
# many seconds each, one of them is drawn for every second commit. If its statements share runs that take seconds, the
# file is judged for every sixth commit. Quick statements and cheap baselines are always judged; of the baselines that
# take long a twelfth is drawn.
slow="attitude axles cars chrono/sedan classes coast_down control crosswind driver drivetrain elastic free_flight
  hardpoints integrator iso_3888 iso_4138 iso_7401 kc_tables kinematic_figures link_masses load_transfer loop metrics
  parts paths race_cars ride road_places roads rollover sine_with_dwell standstill steering stunt symmetry track_car
  tyres measured/jeep_cherokee"
dear="driven_laps"
shared="cycles electric fits measured/volvo_v40 studies"
slow_baselines="cycles/ftp75 cycles/hwfet cycles/nedc cycles/udds cycles/wltc_class3b
  handling/braking_in_turn handling/chirp_steer handling/constant_radius handling/constant_speed
  handling/fishhook handling/j_turn handling/lane_change handling/obstacle_avoidance handling/pulse_steer
  handling/random_steer handling/sine_steer handling/slalom handling/weave hardpoints/constant_radius
  hardpoints/steered_axle iso/random_steer iso/random_steer_l3 iso/weave iso/weave_l3 iso/weave_torque
  ride/four_post_pitch ride/four_post_roll ride/four_post_sweep ride/iso8608_c_80 ride/washboard road/coast_down
  systems/fishhook systems/obstacle_avoidance systems/repeated_stops systems/sine_with_dwell
  systems/split_mu_start systems/split_mu_stop systems/stop_high_to_low track/bumpy_track"
for name in $slow; do echo "validation/$name.yaml"; done >"$work/slow"
for name in $dear; do echo "validation/$name.yaml"; done >"$work/dear"
for name in $shared; do echo "validation/$name.yaml"; done >"$work/shared"
"$exe" --list validation >"$work/listed"
"$exe" --quick --list validation | cut -f4 | sort -u >"$work/quick"
cut -f4 "$work/listed" | sort -u >"$work/places"
find validation -name '*.yaml' ! -path '*/data/*' | sort >"$work/files"
if [ "$seed" = all ]; then
  cp "$work/files" "$work/asked"
  cp "$work/files" "$work/whole"
else
  # on average five files for every six commits
  { cat "$work/shared"; for k in 1 2 3 4 5 6 7; do echo "none $k"; done; } | sample 2 | grep -v none >"$work/lucky"
  sort "$work/slow" "$work/dear" "$work/shared" | comm -13 - "$work/files" | grep -vx validation/baselines.yaml |
    sort - "$work/lucky" >"$work/whole"
  sed 's/$/:/' "$work/slow" >"$work/begins"
  grep -Ff "$work/begins" "$work/places" >"$work/of_slow"
  count=$(grep -c . "$work/of_slow")
  {
    sample $((count / 12)) <"$work/of_slow"
    sed 's/$/:/' "$work/dear" | grep -Ff - "$work/places" >"$work/of_dear"
    { cat "$work/of_dear"; sed 's/^/none /' "$work/of_dear"; } | sample 1 | grep -v none
    grep -Ff "$work/begins" "$work/quick"
  } | sort -u | awk -F: '
    $1 != file { printf "%s%s:", (NR > 1 ? "\n" : ""), $1; file = $1 }
    { printf "%s%s", (seen[$1]++ ? "," : ""), $2 }
    END { print "" }' | sort - "$work/whole" >"$work/asked"
  echo "$slow_baselines" | tr -s ' ' '\n' | sort >"$work/slow_baselines"
  count=$(grep -c . "$work/slow_baselines")
  sample $((count / 12)) <"$work/slow_baselines" >"$work/taken"
  grep -vxFf "$work/taken" "$work/slow_baselines" >"$work/left_out"
  python3 - "$work/left_out" "$top" >"$work/baselines.yaml" <<'END'
import re, sys
left_out = open(sys.argv[1]).read().split()
text = open("validation/baselines.yaml").read()
for folder, names in re.findall(r"Scenario (\w+)/\$each .*?each: \[(.*?)\]", text, re.S):
    kept = [name for name in re.split(r",\s*", names) if f"{folder}/{name}" not in left_out]
    text = text.replace(names, ", ".join(kept or re.split(",", names)[:1]))
print(text.replace("../", sys.argv[2] + "/"))
END
  echo "$work/baselines.yaml" >>"$work/asked"
fi

# All checks use the results of this one run.
# shellcheck disable=SC2046
run -q --tap -o "$work/tap" --csv "$work/figures.csv" $(cat "$work/asked")
claims=$(sed -n '1s/^1\.\.//p' "$work/tap")
plan $((${claims:-0} + 8))
echo "# $(grep -c . "$work/asked") files, $(grep -c : "$work/asked") of them in part, chosen by $seed"
sed 1d "$work/tap"
test_number=${claims:-0}
[ $status -eq 0 ] || failures=$((failures + 1))
sed 's/^/# /' "$work/err"

[ "$(grep -c . "$work/quick")" -ge 90 ] && [ "$(grep -c . "$work/quick")" -le 120 ]
check "about a hundred statements are quick" "$work/quick"

# A file that is judged in part has no row here. The test 'results' counts cases and known failures of all files.
sed 's/.*/,&,/' "$work/whole" >"$work/rows"
{ sed -n 1p "$work/figures.csv"; grep -Ff "$work/rows" "$work/figures.csv"; } >"$work/whole.csv"
sh scripts/update-results --check "$work/whole.csv" >"$work/stale" 2>&1
check "validation/COUNTS.md is fresh" "$work/stale"
sh scripts/update-results --loose "$work/figures.csv" >"$work/wide" 2>&1
check "statements that would not notice a change of a tenth give the reason" "$work/wide"
# With other line numbers the statements lose their reasons. Statements about an order are never wide.
sed 's/^[^,]*,validation\/modes.yaml,/&9/' "$work/figures.csv" >"$work/moved.csv"
sed 's/^\([^,]*,validation\/modes.yaml,[0-9]*\),[a-z]*,/\1,order,/' "$work/figures.csv" >"$work/ordered.csv"
! sh scripts/update-results --loose "$work/moved.csv" >"$work/wide" 2>&1 &&
  grep -q '^validation/modes\.yaml:9[0-9]*[[:blank:]].*[[:blank:]]?$' "$work/wide" &&
  ! sh scripts/update-results --loose "$work/ordered.csv" >"$work/wide" 2>&1 &&
  grep -q '^validation/modes\.yaml:[0-9]*[[:blank:]]not wide' "$work/wide"
check "a wide statement without a reason and a reason without a wide statement are noticed" "$work/wide"

for file in scenarios/*/*.yaml; do
  case $file in
    scenarios/vehicles/* | scenarios/suspensions/* | scenarios/kc/* | scenarios/tyres/* | scenarios/grounds/* | \
      scenarios/meshes/*) continue ;;
    scenarios/study/* | scenarios/optimise/*) continue ;; # many runs; the figures of studies have claims of their own
    scenarios/limits/*) continue ;; # no runs; tests compare their states with those of another program
    scenarios/fit/*) continue ;; # the last digits depend on GSL; other claims compare the results with known values
  esac
  echo "$file" | sed 's|scenarios/||; s|\.yaml$||'
done | sort >"$work/scenarios"
find baselines -name '*.csv' ! -name '*.metrics.csv' | sed 's|baselines/||; s|\.csv$||' | sort >"$work/baselines"
diff "$work/scenarios" "$work/baselines" >"$work/diff"
check "every scenario has its baseline, and every baseline its scenario" "$work/diff"
sed -n 's/^baselines\/.*Scenario \([^[:blank:]]*\) gives the results of its baseline$/\1/p' "$work/listed" |
  sort >"$work/claims"
diff "$work/scenarios" "$work/claims" >"$work/diff"
check "every scenario has the claim of its baseline" "$work/diff"
find baselines -type f | while IFS= read -r file; do echo "$(wc -c <"$file") $file"; done | awk '
  { n += $1; scenarios += $2 ~ /provenance/ } END { print n, scenarios; exit !(n < 9216 * scenarios) }' >"$work/size"
check "baselines take less than 9 KiB for each scenario" "$work/size"
while IFS= read -r name; do
  [ -f "baselines/$name.provenance.yaml" ] || echo "$name has no provenance"
done <"$work/baselines" >"$work/lost"
[ ! -s "$work/lost" ]
check "every baseline has its provenance" "$work/lost"
all_well
