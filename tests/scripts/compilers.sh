#!/bin/sh
# gcc and clang, with and without optimisation, with and without AVX2, build the same tool: the logs of a run are the
# same bytes.
# Usage: tests/scripts/compilers.sh VDSIM-RUN
# VDSIM-RUN uses AVX2 if the processor has it. The others are built in a scratch folder, and do not choose. Skipped if
# one of the compilers is missing.
set -u
exe=$(realpath "$1")
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 2
LC_ALL=C
export LC_ALL
for compiler in gcc clang; do
  if ! command -v "$compiler" >/dev/null 2>&1; then
    echo "1..0 # SKIP $compiler is not installed"
    exit 0
  fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set -- scenarios/iso/step_steer.yaml scenarios/road/brake_straight.yaml scenarios/ride/potholes.yaml \
  scenarios/hardpoints/step_steer.yaml scenarios/iso/lane_change_80_l3.yaml scenarios/stunt/loop.yaml
echo "1..$#"

wide=$(grep -l '^VD_WIDE ' lib/*/*.c)
# the folder has several tools: only one main is compiled
others="$(find cli -name '*.c' ! -name 'vdsim-*') cli/vdsim-run.c $(grep -L '^VD_WIDE ' lib/*/*.c)"
sed -f cli/embed.sed cli/viewer.js >"$work/viewer.inc"
sed 's/@VCS_TAG@/test/' cli/commit.h.in >"$work/commit.h"
build() { # NAME COMPILER OPTION... SOURCE OR OBJECT...
  name=$1
  shift
  "$@" -std=c17 -ffp-contract=off -fno-math-errno -Wno-psabi -D_POSIX_C_SOURCE=200809L '-DVDSIM_VERSION="test"' \
    '-DVDSIM_OPTIONS=""' -Ilib -Icli -I"$work" \
    -o "$work/$name"
}
libraries='-lyaml -lcsv -lgsl -lgslcblas -lm'
programs='gcc clang'
# shellcheck disable=SC2086 # lists of words
{
  build gcc gcc -O1 $others $wide $libraries &
  build others.o clang -O0 -r $others || exit 1
  build clang clang -O0 "$work/others.o" $wide $libraries || exit 1
  if grep -qw avx2 /proc/cpuinfo; then
    programs="$programs clang-avx2"
    build clang-avx2 clang -O1 -mavx2 "$work/others.o" $wide $libraries || exit 1
  fi
}
wait $! || exit 1
ln -s "$exe" "$work/this"

n=0
for scenario; do
  n=$((n + 1))
  same=yes
  : >"$work/out"
  for program in this $programs; do
    "$work/$program" --exact "$scenario" >"$work/$program.csv" || echo "$program: exit status $?" >>"$work/out"
    cmp "$work/this.csv" "$work/$program.csv" >>"$work/out" 2>&1 || same=no
  done
  rows=$(wc -l <"$work/this.csv")
  if [ $same = yes ] && [ "$rows" -gt 100 ] && [ ! -s "$work/out" ]; then
    echo "ok $n - $scenario: $rows lines of this tool, $programs"
  else
    echo "not ok $n - $scenario: $rows lines of this tool, $programs"
    sed 's/^/# /' "$work/out"
  fi
done
