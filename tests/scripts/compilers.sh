#!/bin/sh
# gcc with and clang without optimisation build the same tool: the logs of a run are the same bytes.
# Builds both in a scratch folder; skipped if one of the compilers is missing.
set -u
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

# one build is without optimisation, which must not change a number either
optimisation() { if [ "$1" = gcc ]; then echo -O3; else echo -O0; fi; }
build() { # compiler
  # the folder has several tools: only one main is compiled
  # shellcheck disable=SC2046 # a list of words
  "$1" -std=c17 "$(optimisation "$1")" -ffp-contract=off -fno-math-errno -Wno-psabi -D_POSIX_C_SOURCE=200809L \
    '-DVDSIM_VERSION="test"' -Ilib -Icli $(find cli -name '*.c' ! -name 'vdsim-*') cli/vdsim-run.c lib/*/*.c \
    -lyaml -lcsv -lgsl -lgslcblas -lm -o "$work/$1"
}
build gcc &
build clang || exit 1
wait $! || exit 1

n=0
for scenario; do
  for compiler in gcc clang; do
    "$work/$compiler" --exact "$scenario" >"$work/$compiler.csv" || echo "# $compiler: exit status $?"
  done
  n=$((n + 1))
  rows=$(wc -l <"$work/gcc.csv")
  if [ "$rows" -gt 100 ] && cmp "$work/gcc.csv" "$work/clang.csv" >"$work/out" 2>&1; then
    echo "ok $n - $scenario: $rows lines"
  else
    echo "not ok $n - $scenario: $rows lines"
    sed 's/^/# /' "$work/out"
  fi
done
