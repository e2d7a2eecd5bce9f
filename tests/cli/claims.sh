#!/bin/sh
# Judges all claims, each as a test. Checks that COUNTS.md is fresh, that wide claims say why they are, and that each
# scenario has a baseline and the reverse.
# Usage: tests/cli/claims.sh VDSIM-VALIDATE
# Reads scenarios/, validation/, baselines/.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
LC_ALL=C
export LC_ALL

# One run of all claims serves all checks.
run -q --tap -o "$work/tap" --csv "$work/figures.csv" validation
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
# figures of another file have no reasons, and the reasons here stand at none
sed 's/^\([^,]*,validation\/mod\)es.yaml,/\1.yaml,/' "$work/figures.csv" >"$work/moved.csv"
! sh scripts/update-results --loose "$work/moved.csv" >"$work/wide" 2>&1 &&
  grep -q '^validation/mod\.yaml:.*[[:blank:]]?$' "$work/wide" &&
  grep -q '^validation/modes\.yaml:[0-9]*[[:blank:]]not wide' "$work/wide"
check "a wide statement without a reason and a reason without a wide statement are noticed" "$work/wide"

for file in scenarios/*/*.yaml; do
  case $file in
    scenarios/vehicles/* | scenarios/suspensions/* | scenarios/kc/* | scenarios/tyres/* | scenarios/grounds/* | \
      scenarios/meshes/*) continue ;;
    scenarios/study/*) continue ;; # many runs; the figures of studies have claims of their own
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
  { n += $1 } END { print n; exit !(n < 1572864) }' >"$work/size"
check "baselines are smaller than 1.5 MiB" "$work/size"
while IFS= read -r name; do
  [ -f "baselines/$name.provenance.yaml" ] || echo "$name has no provenance"
done <"$work/baselines" >"$work/lost"
[ ! -s "$work/lost" ]
check "every baseline has its provenance" "$work/lost"
all_well
