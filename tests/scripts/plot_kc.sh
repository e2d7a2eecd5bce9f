#!/bin/sh
# scripts/plot-kc: the report sheet of shipped suspensions, of the size it states, and what it refuses.
# Usage: tests/scripts/plot_kc.sh VDSIM-KC-SWEEP
# Reads scenarios/suspensions/; writes a temporary folder. Skipped without gnuplot.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
command -v gnuplot >/dev/null || { echo "1..0 # SKIP no gnuplot"; exit 0; }

plan 9
draw() {
  rm -f "$work/it.png"
  scripts/plot-kc -o "$work/it.png" "$@" >"$work/out" 2>"$work/err"
  status=$?
}
refused() { [ $status -eq 2 ] && grep -q "$1" "$work/err" && [ ! -e "$work/it.png" ]; }

for name in dw_front_sports ta_rear_sedan; do
  "$exe" --side=both -o "$work/$name.csv" "scenarios/suspensions/$name.yaml" || exit 2
done
draw "$work/dw_front_sports.csv"
[ $status -eq 0 ] && [ ! -s "$work/err" ] && [ "$(size_of "$work/it.png")" = "1500 1120" ]
check "one corner, 1500 by 1120"
draw -t "two corners" "$work/dw_front_sports.csv" "$work/ta_rear_sedan.csv"
[ $status -eq 0 ] && [ ! -s "$work/err" ] && [ "$(size_of "$work/it.png")" = "1500 1160" ]
check "two corners with a title"
draw "$work/ta_rear_sedan.csv"
[ $status -eq 0 ] && [ ! -s "$work/err" ]
check "a corner without rack and spring: panels stay empty"
scripts/plot-kc -o "$work/it.svg" "$work/dw_front_sports.csv" && grep -q '</svg>' "$work/it.svg"
check "SVG"
draw
refused 'no CSV given'
check "no file"
draw "$work/nowhere.csv"
refused 'no such file'
check "a file that is not there"
head -n 1 "$work/dw_front_sports.csv" >"$work/empty.csv"
draw "$work/empty.csv"
refused 'no rows'
check "no rows"
printf 't_s,x_m\n0,1\n' >"$work/other.csv"
draw "$work/other.csv"
refused 'is it of vdsim-kc-sweep'
check "another tool's table"
draw -o "$work/it.gif" "$work/dw_front_sports.csv"
refused 'must end in .png or .svg'
check "another kind of picture"
all_well
