#!/bin/sh
# Judges claims, each as a test: all, but only a part of the files that take long. Checks that COUNTS.md is up to date,
# that wide claims have their reasons, and that
# each scenario has a baseline and each baseline a scenario.
# Usage: tests/cli/claims.sh VDSIM-VALIDATE
# Reads scenarios/, validation/, baselines/.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
LC_ALL=C
export LC_ALL

slow="attitude axles classes fits hardpoints iso_7401 kc_tables loop ride roads steering studies stunt track_car"
for name in $slow; do echo "validation/$name.yaml"; done >"$work/slow"
sample 3 <"$work/slow" >"$work/chosen"
find validation -name '*.yaml' ! -path '*/data/*' | sort | grep -vxFf "$work/slow" >>"$work/chosen"
echo "# of the files that take long: $(grep -xFf "$work/slow" "$work/chosen" | tr '\n' ' ')chosen by $seed"

# One run serves all checks.
# shellcheck disable=SC2046
run -q --tap -o "$work/tap" --csv "$work/figures.csv" $(sort "$work/chosen")
claims=$(sed -n '1s/^1\.\.//p' "$work/tap")
plan $((${claims:-0} + 8))
sed 1d "$work/tap"
test_number=${claims:-0}
[ $status -eq 0 ] || failures=$((failures + 1))
sed 's/^/# /' "$work/err"

# they were judged with the others
"$exe" --quick --list validation | cut -f4 | sort -u | wc -l >"$work/quick"
[ "$(cat "$work/quick")" -ge 90 ] && [ "$(cat "$work/quick")" -le 120 ]
check "about a hundred statements are quick" "$work/quick"

sh scripts/update-results --check "$work/figures.csv" >"$work/stale" 2>&1
check "validation/COUNTS.md is fresh" "$work/stale"
sh scripts/update-results --loose "$work/figures.csv" >"$work/wide" 2>&1
check "statements that would not notice a tenth say why" "$work/wide"
# figures with other line numbers have no reasons, and the reasons here belong to none
sed 's/^[^,]*,validation\/modes.yaml,/&9/' "$work/figures.csv" >"$work/moved.csv"
! sh scripts/update-results --loose "$work/moved.csv" >"$work/wide" 2>&1 &&
  grep -q '^validation/modes\.yaml:9[0-9]*[[:blank:]].*[[:blank:]]?$' "$work/wide" &&
  grep -q '^validation/modes\.yaml:[0-9]*[[:blank:]]not wide' "$work/wide"
check "a wide statement without a reason and a reason without a wide statement are noticed" "$work/wide"

for file in scenarios/*/*.yaml; do
  case $file in
    scenarios/vehicles/* | scenarios/suspensions/* | scenarios/kc/* | scenarios/tyres/* | scenarios/grounds/* | \
      scenarios/meshes/*) continue ;;
    scenarios/study/* | scenarios/optimise/*) continue ;; # many runs; the figures of studies have claims of their own
    scenarios/limits/*) continue ;; # no runs; tests compare their states with another program's
    scenarios/fit/*) continue ;; # its last digits are those of GSL; other claims compare it with the truth
  esac
  echo "$file" | sed 's|scenarios/||; s|\.yaml$||'
done | sort >"$work/scenarios"
find baselines -name '*.csv' ! -name '*.metrics.csv' | sed 's|baselines/||; s|\.csv$||' | sort >"$work/baselines"
diff "$work/scenarios" "$work/baselines" >"$work/diff"
check "every scenario has its baseline, and every baseline its scenario" "$work/diff"
"$exe" --list --filter 'baselines/*' validation |
  sed 's/.*Scenario \([^[:blank:]]*\) gives the results of its baseline$/\1/' | sort >"$work/claims"
diff "$work/scenarios" "$work/claims" >"$work/diff"
check "every scenario has the claim of its baseline" "$work/diff"
find baselines -type f | while IFS= read -r file; do wc -c <"$file"; done | awk '
  { n += $1 } END { print n; exit !(n < 1677722) }' >"$work/size"
check "baselines are smaller than 1.6 MiB" "$work/size"
while IFS= read -r name; do
  [ -f "baselines/$name.provenance.yaml" ] || echo "$name has no provenance"
done <"$work/baselines" >"$work/lost"
[ ! -s "$work/lost" ]
check "every baseline has its provenance" "$work/lost"
all_well
