#!/bin/sh
# Mutants: the tests or claims in the list notice each mutant of a sample; the list follows a refactoring; a record ends
# if the function, test or claim on which it depends changes; a seed always draws the same errors.
# The sample has only mutants with a current record. Other records may be stale because a function or a test has
# changed, which is not a fault of the commit under test; `scripts/test --all` tries these mutants, too.
# Usage: tests/scripts/mutants.sh TOOL    (its path gives the build folder)
# Writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
VDSIM_BUILD=${exe%/cli/*}
export VDSIM_BUILD

# mutants that a test or claim notices
awk -F'|' '!/^#/ && $6 != "" && $6 !~ /[?]/ && $6 != "equal" && $6 != "nobody"' tests/mutants.tsv >"$work/known"
python3 scripts/mutants.py current >"$work/current"
all=$(grep -c . "$work/known") recorded=$(grep -c . "$work/current")
if [ "$seed" = all ]; then cat "$work/known"; else sample 2 <"$work/current"; fi >"$work/list"
unset VDSIM_SAMPLE # mutants are judged by whole tests
chosen=$(grep -c . "$work/list")
plan $((chosen + 8))
echo "# $chosen of $recorded mutants, chosen by $seed; the same again: VDSIM_SAMPLE=$seed sh scripts/test mutants"
echo "# $((all - recorded)) more were not tried since what they depend on was changed: scripts/mutate -u tries them"

[ "$recorded" -ge 20 ] || echo "only $recorded: run scripts/mutate -u" >"$work/err"
[ ! -s "$work/err" ]
check "at least 20 mutants have been tried with their functions, tests and claims as they are now" "$work/err"

# A function gets another name, another file, and a new line before its mutants.
tree=$work/tree
mkdir -p "$tree/tests" "$tree/lib/math" "$tree/lib/vehicle" && cp -R scripts "$tree/scripts" &&
  cp -R tests/common "$tree/tests" && cp -R lib/course "$tree/lib" && cp lib/math/rk4.[ch] "$tree/lib/math" &&
  cp lib/vehicle/loads.[ch] "$tree/lib/vehicle"
awk -F'|' '$1 == "math/rk4.c" || $1 == "vehicle/loads.c"' tests/mutants.tsv >"$tree/tests/mutants.tsv"
cut -d'|' -f3,6- "$tree/tests/mutants.tsv" | sort >"$work/before"
(
  cd "$tree" || exit
  sed 's/vd_rk4_decaying/vd_runge_kutta/g; s/  double k2.VD_MAX_STATES./  double unused = 2.0 * h * h - h;\n&/' \
    lib/math/rk4.c >lib/course/rk4.c
  rm lib/math/rk4.c
  ! python3 scripts/mutants.py check >"$work/messages" &&
    grep -q 'rk4.c vd_rk4_decaying .* run scripts/mutate --redraw' "$work/messages" &&
    python3 scripts/mutants.py redraw && python3 scripts/mutants.py check
) >"$work/out" 2>&1 && grep -q '^course/rk4.c|vd_runge_kutta|' "$tree/tests/mutants.tsv" &&
  grep -v '^#' "$tree/tests/mutants.tsv" | cut -d'|' -f3,6- | sort | cmp -s - "$work/before"
check "mutants follow a function to another name, file and line, and keep their records" "$work/out"

# The record of a mutant depends on its function and the test, but on no comment and on no other function.
(
  cd "$tree" || exit
  current() { # COUNT WHAT
    [ "$(python3 scripts/mutants.py current | wc -l)" -eq "$1" ] || echo "$1 current with $2"
  }
  mkdir tests/math && echo 'int first;' >tests/math/steps.c
  current 0 'no record'
  grep '|vd_runge_kutta|' tests/mutants.tsv | awk -F'|' 'NR == 1 { print $1, $2, $3, $4 "|test:steps" }' >"$work/found"
  python3 scripts/mutants.py note "$work/found"
  current 1 'a record'
  sed -i 's/  double unused = /  \/* reason *\/\n&/; s/double replace_value(/&int more, /' lib/course/rk4.c
  current 1 'a comment and another function'
  sed -i 's/  double unused = /&1.0 + /' lib/course/rk4.c
  current 0 'another function body'
  sed -i 's/  double unused = 1.0 + /  double unused = /' lib/course/rk4.c
  current 1 'the function as it was'
  echo '/* more steps */' >>tests/math/steps.c
  current 1 'another comment of the test'
  echo 'int steps;' >>tests/math/steps.c
  current 0 'another test'
  python3 scripts/mutants.py guesses | grep -c '^test:steps?|course/rk4.c|[0-9]* vd_runge_kutta ' | grep -qx 1 ||
    echo "it is no guess"
) >"$work/out" 2>&1
[ ! -s "$work/out" ]
check "a record becomes a guess when the function or the test that notices the mutant changes" "$work/out"

# A test that does not execute the error does not notice it.
grep -m 1 "^math/rk4.c|" "$work/known" | awk -F'|' -v OFS='|' '{ $6 = "test:num"; print }' >"$work/harmless"
scripts/mutate -f "$work/harmless" >"$work/out" 2>"$work/err"
[ $? -eq 1 ] && grep -q '^not ok 1 .*: not noticed by test:num$' "$work/out" && grep -q '^# 0 of 1 noticed$' "$work/out"
check "an error that a test does not execute is not noticed" "$work/out" "$work/err"
sed 's/|[0-9]*|/|100000|/' "$work/harmless" >"$work/stale"
scripts/mutate -f "$work/stale" >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q 'is no place of lib/$' "$work/err"
check "a mutant whose place does not exist is an error" "$work/err"

# draws in a small part of the sources, which has errors of all kinds
(
  cd "$tree" || exit
  scripts/mutate -r 50 -s 7 -l >"$work/drawn" && scripts/mutate -k 10 -s 7 -l | cmp -s - "$work/drawn" &&
    ! scripts/mutate -r 50 -s 8 -l | cmp -s - "$work/drawn" &&
    [ "$(cut -d'|' -f4 "$work/drawn" | cut -d, -f1 | sort | uniq -c | tr -s ' \n' ' ')" = \
      ' 10 factor 10 index 10 name 10 sign 10 term ' ]
)
check "errors drawn at random are ten of each of five kinds, and depend only on the seed" "$work/drawn"
! scripts/mutate -k 10 -r 10 -n 2>"$work/err" && grep -qx 'mutate: -r and -k exclude each other' "$work/err"
check "-r and -k exclude each other" "$work/err"

scripts/mutate -f "$work/list" >"$work/out" 2>"$work/err"
[ $? -le 1 ] && grep -qx "1\.\.$chosen" "$work/out"
check "all mutants of the sample are tried" "$work/out" "$work/err"
grep '^\(not \)\{0,1\}ok' "$work/out" | awk '{ sub(/ok [0-9]+/, "ok " 8 + NR); print }'
[ $failures -eq 0 ] && ! grep -q '^not ok' "$work/out"
