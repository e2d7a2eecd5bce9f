#!/bin/sh
# Mutants: the test or claim of the list notices each of a sample, the list follows a refactoring, and a seed draws the
# same errors.
# Usage: tests/scripts/mutants.sh TOOL    (its path tells the build folder)
# Writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
VDSIM_BUILD=${exe%/cli/*}
export VDSIM_BUILD

# those that something notices
awk -F'|' '!/^#/ && $6 != "" && $6 !~ /[?]/ && $6 != "equal" && $6 != "nobody"' tests/mutants.tsv >"$work/known"
all=$(grep -c . "$work/known")
sample 3 <"$work/known" >"$work/list"
unset VDSIM_SAMPLE # mutants are judged by whole tests
chosen=$(grep -c . "$work/list")
plan $((chosen + 7))
echo "# $chosen of $all mutants, chosen by $seed; the same again: VDSIM_SAMPLE=$seed sh scripts/test mutants"

scripts/mutate -n >"$work/out" 2>"$work/err"
check "all mutants find their place" "$work/err"

# A function gets another name and another file, and a line before its mutants.
tree=$work/tree
mkdir -p "$tree/tests" "$tree/scripts" && cp -R lib "$tree/lib" && cp scripts/mutants.py "$tree/scripts"
awk -F'|' '$1 == "math/rk4.c" || $1 == "vehicle/loads.c"' tests/mutants.tsv >"$tree/tests/mutants.tsv"
cut -d'|' -f3,6- "$tree/tests/mutants.tsv" | sort >"$work/before"
(
  cd "$tree" || exit
  sed 's/vd_rk4_decaying/vd_runge_kutta/g; s/  double k2.VD_MAX_STATES./  double unused = 2.0 * h * h - h;\n&/' \
    lib/math/rk4.c >lib/course/rk4.c
  rm lib/math/rk4.c
  ! python3 scripts/mutants.py check >"$work/said" &&
    grep -q 'rk4.c vd_rk4_decaying .* run scripts/mutate --redraw' "$work/said" &&
    python3 scripts/mutants.py redraw && python3 scripts/mutants.py check
) >"$work/out" 2>&1 && grep -q '^course/rk4.c|vd_runge_kutta|' "$tree/tests/mutants.tsv" &&
  grep -v '^#' "$tree/tests/mutants.tsv" | cut -d'|' -f3,6- | sort | cmp -s - "$work/before"
check "mutants follow a function to another name, file and line, with what is known of them" "$work/out"

# A test that does not execute the error does not notice it.
sed -n 1p "$work/known" | awk -F'|' -v OFS='|' '{ $6 = "test:num"; print }' >"$work/harmless"
scripts/mutate -f "$work/harmless" >"$work/out" 2>"$work/err"
[ $? -eq 1 ] && grep -q '^not ok 1 .*: not noticed by test:num$' "$work/out" && grep -q '^# 0 of 1 noticed$' "$work/out"
check "an error that a test does not execute is not noticed" "$work/out" "$work/err"
sed 's/|[0-9]*|/|100000|/' "$work/harmless" >"$work/stale"
scripts/mutate -f "$work/stale" >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q 'is no place of lib/$' "$work/err"
check "a place that is not there is trouble" "$work/err"

scripts/mutate -r 50 -s 7 -l >"$work/drawn" && scripts/mutate -k 10 -s 7 -l | cmp -s - "$work/drawn" &&
  ! scripts/mutate -r 50 -s 8 -l | cmp -s - "$work/drawn" &&
  [ "$(cut -d'|' -f4 "$work/drawn" | cut -d, -f1 | sort | uniq -c | tr -s ' \n' ' ')" = \
    ' 10 factor 10 index 10 name 10 sign 10 term ' ]
check "errors drawn at random are ten of each of five kinds, and those of their seed" "$work/drawn"
! scripts/mutate -k 10 -r 10 -n 2>"$work/err" && grep -qx 'mutate: -r and -k exclude each other' "$work/err"
check "errors are drawn by one of two numbers" "$work/err"

scripts/mutate -f "$work/list" >"$work/out" 2>"$work/err"
[ $? -le 1 ] && grep -qx "1\.\.$chosen" "$work/out"
check "the sample is tried" "$work/out" "$work/err"
grep '^\(not \)\{0,1\}ok' "$work/out" | awk '{ sub(/ok [0-9]+/, "ok " 7 + NR); print }'
[ $failures -eq 0 ] && ! grep -q '^not ok' "$work/out"
