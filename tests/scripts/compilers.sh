#!/bin/sh
# gcc with and clang without optimisation build the same tool: the logs of a run agree to 1e-9 in every column, absolute below
# one, relative above.
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
  scenarios/hardpoints/step_steer.yaml
echo "1..$((2 * $#))"

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
  if [ "$rows" -gt 100 ] && [ "$rows" -eq "$(wc -l <"$work/clang.csv")" ]; then
    echo "ok $n - $scenario: $rows lines from both"
  else
    echo "not ok $n - $scenario: $rows lines from gcc"
  fi
  n=$((n + 1))
  # ledger residuals are rounding errors, in J of about 1e5 J: they are compared with the energy
  paste -d, "$work/gcc.csv" "$work/clang.csv" | awk -F, -v n="$n" -v what="$scenario" '
    NR == 1 { half = NF / 2; for (i = 1; i <= half; i++) name[i] = $i; next }
    { for (i = 1; i <= half; i++) {
        a = $i + 0; b = $(i + half) + 0; d = a - b; if (d < 0) d = -d
        scale = a < 0 ? -a : a; if (scale < 1) scale = 1
        if (name[i] == "ledger_residual_J") scale = 1e5
        if (!(d / scale <= worst)) { worst = d / scale; where = name[i] } } }
    END { printf "%s %d - %s: gcc and clang agree to %.1e (worst in %s)\n", worst <= 1e-9 ? "ok" : "not ok", n, what, worst, where }'
done
