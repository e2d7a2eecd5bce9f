#!/bin/sh
# gcc and clang, with and without AVX2, build the same tool: the logs of a run are the same bytes. gcc without
# optimisation is compared by tests/scripts/toys.sh. For every second commit clang, for the others gcc without AVX2.
# Usage: tests/scripts/compilers.sh VDSIM-RUN
# VDSIM-RUN uses AVX2 if the processor has it. Its objects are linked to another program that does not, on any
# processor; objects of clang are built in a scratch folder. Skipped if one of the compilers is missing.
set -u

for compiler in gcc clang; do
  if ! command -v "$compiler" >/dev/null 2>&1; then
    echo "1..0 # SKIP $compiler is not installed"
    exit 0
  fi
done
# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
set -- scenarios/iso/step_steer.yaml scenarios/road/brake_straight.yaml scenarios/ride/potholes.yaml \
  scenarios/hardpoints/step_steer.yaml scenarios/iso/lane_change_80_l3.yaml scenarios/stunt/loop.yaml
plan $#

wide=$(grep -l '^VD_WIDE ' lib/*/*.c)
# The folder has several tools: only one main is compiled. Left out are sources for Windows, and those of the binary of
# functional mock-up units.
others="$(find cli -name '*.c' ! -name 'vdsim-*' ! -name '*_windows.c') cli/vdsim-run.c
  $(grep -L '^VD_WIDE ' lib/*.c lib/*/*.c | grep -v -e fmi/fmi -e fmi/mockup -e fmi/no_ -e _windows)"
sed -f cli/embed.sed cli/viewer.js >"$work/viewer.inc"
sed -f cli/embed.sed cli/pictures.txt >"$work/pictures.inc"
sed 's/@VCS_TAG@/test/' cli/commit.h.in >"$work/commit.h"
build() { # NAME COMPILER OPTION... SOURCE OR OBJECT...
  name=$1
  shift
  "$@" -std=c17 -ffp-contract=off -fno-math-errno -Wno-psabi -D_POSIX_C_SOURCE=200809L '-DVDSIM_VERSION="test"' \
    '-DVDSIM_OPTIONS=""' -Ilib -Icli -I"$work" \
    -o "$work/$name"
}
libraries='-lyaml -lcsv -lzip -lgsl -lgslcblas -lm'
programs=
asked=$(printf 'clang\nplain\n' | sample 1)
# shellcheck disable=SC2086 # lists of words
case $asked in *clang*)
  programs=clang
  build others.o clang -O0 -r $others || exit 1
  build clang clang -O0 "$work/others.o" $wide $libraries || exit 1
  if grep -qw avx2 /proc/cpuinfo; then
    programs="$programs clang-avx2"
    build clang-avx2 clang -O1 -mavx2 "$work/others.o" $wide $libraries || exit 1
  fi
  ;;
esac
# another selection of functions, linked before the archive of the core, replaces the one in it
folder=${exe%/cli/*}
if [ -f "$folder/lib/wide_choice.c" ] && case $asked in *plain*) true ;; *) false ;; esac; then
  programs=${programs:+$programs }plain
  sed 's/? avx2 : plain/? plain : plain/' "$folder/lib/wide_choice.c" >"$work/choice.c"
  ! cmp -s "$work/choice.c" "$folder/lib/wide_choice.c" && gcc -c -o "$work/choice.o" "$work/choice.c" || exit 1
  command=$(ninja -C "$folder" -t commands cli/vdsim-run | tail -n 1 |
    sed "s| -o [^ ]* | -o '$work/plain' '$work/choice.o' |")
  (cd "$folder" && eval "$command") || exit 1
fi
ln -s "$exe" "$work/this"

for scenario; do
  same=yes
  : >"$work/out"
  for program in this $programs; do
    "$work/$program" --exact "$scenario" >"$work/$program.csv" || echo "$program: exit status $?" >>"$work/out"
    cmp "$work/this.csv" "$work/$program.csv" >>"$work/out" 2>&1 || same=no
  done
  rows=$(wc -l <"$work/this.csv")
  [ $same = yes ] && [ "$rows" -gt 100 ] && [ ! -s "$work/out" ]
  check "$scenario: $rows lines of this tool, $programs" "$work/out"
done
all_well
