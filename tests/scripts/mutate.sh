#!/bin/sh
# A few mutants of scripts/mutate, or with VDSIM_MUTANTS=all every one: claims fail for a broken core, a harmless change is not
# caught, a stale edit is found.
# Usage: tests/scripts/mutate.sh VDSIM-VALIDATE    (its path tells the build folder)
# Writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

VDSIM_BUILD=${exe%/cli/*}
export VDSIM_BUILD
every=0
[ "${VDSIM_MUTANTS-}" != all ] || every=1
plan $((13 + every))

scripts/mutate -n >"$work/out" 2>"$work/err"
check "the edits of all mutants find their place"

# One mutant of each kind, for which a quick file of claims fails: reaction, dropped term, stale stage, sign, tyre. The sixth
# mutant changes nothing that can be measured.
scripts/mutate -l 'the wheel feels 1 % less force' 'a Coriolis term is missing' 'a stage of the integrator is stale' \
  'the side velocity has a wrong sign' 'a camber term has a wrong sign' >"$work/list"
echo 'tyres|math/rk4.c|s/0\.5 \* h \* k1/h * 0.5 * k1/|nothing is broken' >>"$work/list"
scripts/mutate -f "$work/list" -c validation/single_track.yaml -c validation/integrator.yaml -c validation/tyres.yaml \
  -c validation/kinematic_car.yaml >"$work/out" 2>"$work/err"
[ $? -eq 1 ] && [ ! -s "$work/err" ] && sed -n 1p "$work/out" | grep -qx '1\.\.6'
check "six mutants, one of them harmless: exit status 1"
n=0
while [ $n -lt 5 ]; do
  n=$((n + 1))
  what=$(sed -n "${n}p" "$work/list" | cut -d'|' -f4-)
  grep "^ok $n - .*: caught by [a-z_]*/[0-9]* " "$work/out" | grep -qF -e ": $what: "
  check "caught: $what"
done
grep -q '^not ok 6 - math/rk4\.c: nothing is broken: all claims hold$' "$work/out" && grep -q '^# 5 of 6 caught$' "$work/out"
check "a harmless change is not caught"
echo 'tyres|math/rk4.c|s/no such words/other words/|an edit of old' >"$work/list"
scripts/mutate -f "$work/list" >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && [ ! -s "$work/out" ] &&
  [ "$(cat "$work/err")" = "mutate: the edit of lib/math/rk4.c no longer finds its place: an edit of old" ]
check "an edit that changes nothing is trouble"
[ "$(scripts/mutate -l | wc -l)" -ge 25 ] && scripts/mutate -l | cut -d'|' -f2-3 | sort | uniq -d >"$work/out" && [ ! -s "$work/out" ]
check "there are at least 25 different mutants"
scripts/mutate -r 50 -s 7 -l >"$work/list" && scripts/mutate -r 50 -s 7 -l | cmp -s - "$work/list" &&
  ! scripts/mutate -r 50 -s 8 -l | cmp -s - "$work/list" &&
  [ "$(cut -d'|' -f4 "$work/list" | cut -d, -f1 | sort | uniq -c | tr -s ' \n' ' ')" = ' 10 index 10 member 10 number 10 sign 10 term ' ]
check "errors drawn at random are ten of each of five kinds, and those of their seed" "$work/list"
scripts/mutate -k 10 -s 7 -l | cmp -s - "$work/list" && ! scripts/mutate -k 10 -r 10 -n 2>"$work/err" &&
  grep -qx 'mutate: -r and -k exclude each other' "$work/err"
check "errors drawn until enough count are the same ones" "$work/err"
scripts/mutate -r 300 -s 7 -n >"$work/out" 2>&1
check "each edit changes something" "$work/out"
if [ $every -eq 1 ]; then
  scripts/mutate >"$work/out" 2>"$work/err"
  code=$?
  grep -e '^not ok' -e '^# [0-9]* of' "$work/out" >"$work/missed"
  sed 's/^/# /' "$work/missed"
  [ $code -eq 0 ]
  check "all mutants are caught" "$work/err" "$work/missed"
fi
