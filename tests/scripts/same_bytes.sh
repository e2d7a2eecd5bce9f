#!/bin/sh
# Equal bytes on all machines: the library calls no inexact function of libm; logs do not change with a libm that uses
# neither FMA nor AVX2; the elementary functions have the same bits on i386 with SSE2 and on aarch64.
# Usage: tests/scripts/same_bytes.sh VDSIM-RUN    (the library is beside its folder)
# VDSIM_AARCH64_ROOT: a folder with usr/include and usr/lib/aarch64-linux-gnu that contain libyaml, libcsv and GSL as
# static libraries; vdsim-run is then built for aarch64, too, and its logs are compared. Parts whose compiler or
# qemu-user is missing are skipped. tests/scripts/compilers.sh compares gcc and clang, and code with and without AVX2.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

scenarios="iso/step_steer iso/braking_in_turn_l3 iso/lane_change_80_l3 road/clothoid ride/washboard
  hardpoints/step_steer stunt/loop track/bumpy_track rig/combined"
compiler_aarch64=aarch64-linux-gnu-gcc

plan 9
library=$(dirname "$exe")/../lib/libvdsim.a

nm "$library" >"$work/symbols" 2>/dev/null && grep -q ' T vd_sin$' "$work/symbols"
check "nm reads the symbols of the library" "$work/symbols"
grep -E -e ' U (a?(sin|cos|tan)h?|sincos|atan2|exp(2|10|m1)?|log(2|10|1p)?)f?$' \
  -e ' U (pow|hypot|cbrt|erfc?|[lt]gamma|fma|fmin|fmax)f?$' \
  "$work/symbols" >"$work/libm"
[ ! -s "$work/libm" ]
check "no object of the library calls an inexact function of libm" "$work/libm"

logs() { # FOLDER PROGRAM...: the log of every scenario
  to=$1
  shift
  mkdir "$to"
  for scenario in $scenarios; do
    "$@" -q --exact "scenarios/$scenario.yaml" >"$to/$(echo "$scenario" | tr / _).csv" || return 1
  done
}
logs "$work/here" "$exe"
check "scenarios run with a libm that has neither FMA nor AVX2" "$work/err"
GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA logs "$work/plain" "$exe" && diff -rq "$work/here" "$work/plain" >"$work/out"
check "the logs of scenarios do not change if libm has neither FMA nor AVX2" "$work/out"

can() { # COMPILER...: whether it builds programs that run here
  echo 'int main(void) { return 0; }' >"$work/can.c"
  "$@" "$work/can.c" -lm -o "$work/can" 2>/dev/null && $emulator "$work/can" 2>/dev/null
}
for machine in "i386::gcc -m32 -msse2 -mfpmath=sse" "aarch64:qemu-aarch64:$compiler_aarch64 -static"; do
  compiler=${machine##*:}
  emulator=${machine#*:}
  emulator=${emulator%%:*}
  machine=${machine%%:*}
  # shellcheck disable=SC2086 # lists of words
  if can $compiler; then
    $compiler -std=c17 -O2 -ffp-contract=off -D_POSIX_C_SOURCE=200809L -Ilib -Itests/common tests/base/elementary.c \
      lib/base/elementary.c tests/common/tap.c -lm -o "$work/test" >"$work/out" 2>&1 &&
      $emulator "$work/test" >"$work/out" 2>&1
    check "$machine: tests/base/elementary.c" "$work/out"
  else
    skip "$machine: tests/base/elementary.c" "no compiler or no emulator"
  fi
done
# shellcheck disable=SC2086 # a list of words
if emulator='' && can gcc -m32; then
  gcc -m32 -msse2 -mfpmath=sse -std=c17 -Wall -Wextra -Wconversion -Werror -Wno-psabi -fsyntax-only \
    -D_POSIX_C_SOURCE=200809L \
    '-DVDSIM_VERSION="test"' -Ilib -idirafter "/usr/include/$(gcc -print-multiarch)" lib/*.c lib/*/*.c >"$work/out" 2>&1
  check "i386: the library compiles" "$work/out"
else
  skip "i386: the library compiles" "no compiler"
fi

root=${VDSIM_AARCH64_ROOT-}
if [ -n "$root" ]; then
  libraries=$root/usr/lib/aarch64-linux-gnu
  # shellcheck disable=SC2046 # a list of words
  $compiler_aarch64 -static -std=c17 -O2 -ffp-contract=off -fno-math-errno -Wno-psabi -D_POSIX_C_SOURCE=200809L \
    '-DVDSIM_VERSION="test"' -Ilib -Icli -I"$root/usr/include" $(find cli -name '*.c' ! -name 'vdsim-*') \
    cli/vdsim-run.c \
    lib/*.c $(find lib -mindepth 2 -name '*.c' ! -path 'lib/fmi/[fmn]*') "$libraries/libyaml.a" \
    "$libraries/libcsv.a" "$libraries/libzip.a" "$libraries/libz.a" "$libraries/libgsl.a" \
    "$libraries/libgslcblas.a" -lm \
    -o "$work/run-aarch64" >"$work/out" 2>&1
  check "aarch64: vdsim-run builds" "$work/out"
  logs "$work/aarch64" qemu-aarch64 "$work/run-aarch64" && diff -rq "$work/here" "$work/aarch64" >"$work/out"
  check "aarch64: the logs have the bytes of this machine" "$work/out"
else
  skip "aarch64: vdsim-run builds" "VDSIM_AARCH64_ROOT is not set"
  skip "aarch64: the logs have the bytes of this machine" "VDSIM_AARCH64_ROOT is not set"
fi
all_well
