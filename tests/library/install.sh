#!/bin/sh
# libvdsim from an empty prefix: exported symbols, C and Python programs that drive a car, and their records replayed by
# vdsim-run.
# Usage: tests/library/install.sh VDSIM-RUN
# Reads the build folder of the tool, scenarios/ and tests/library/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 18
build=$(dirname "$(dirname "$exe")")
programs=$top/tests/library
vehicles=$top/scenarios/vehicles

DESTDIR=$work/root meson install -C "$build" --no-rebuild --quiet >"$work/out" 2>"$work/err"
check "the library is installed"
pc=$(find "$work/root" -name vdsim.pc)
prefix=$work/root$(sed -n 's/^prefix=//p' "$pc")
libdir=$(dirname "$(find "$work/root" -name 'libvdsim.so')")
manual=$(find "$work/root" -name vdsim.3)
[ -n "$manual" ] && [ -f "$prefix/include/vdsim.h" ] && [ -f "$libdir/libvdsim.a" ]
check "there are a header, both libraries and a manual page" "$work/err"
config() { PKG_CONFIG_PATH=$(dirname "$pc") pkg-config "--define-variable=prefix=$prefix" "$@" vdsim; }
LD_LIBRARY_PATH=$libdir
export LD_LIBRARY_PATH

# --- exported symbols

sed -n 's/^VD_API .*[ *]\(vd_[a-z_]*\)(.*/\1/p' "$prefix/include/vdsim.h" | sort >"$work/declared"
nm -D --defined-only "$libdir/libvdsim.so" | sed 's/.* //' | sort >"$work/exported"
[ "$(wc -l <"$work/declared")" -gt 30 ] && cmp -s "$work/declared" "$work/exported"
check "the shared library exports the functions of vdsim.h and nothing else" "$work/exported"
while read -r name; do grep -q "^\.Fn $name " "$manual" || echo "$name"; done <"$work/declared" >"$work/missing"
[ ! -s "$work/missing" ]
check "the manual page describes every function of vdsim.h" "$work/missing"
abi=$(sed -n 's/^#define VD_ABI //p' "$prefix/include/vdsim.h")
readelf -d "$libdir/libvdsim.so" | grep -q "SONAME.*\[libvdsim\.so\.$abi\]"
check "the soname of the shared library carries VD_ABI"
nm "$libdir/libvdsim.a" 2>/dev/null | grep -wE 'U (exit|_exit|printf|puts|perror|signal|setlocale)' >"$work/found"
[ ! -s "$work/found" ]
check "nothing in the library exits, prints to standard output or sets signals or locale" "$work/found"
readelf -d "$libdir/libvdsim.so" "$(find "$work/root" -name vdsim_fmu.so)" >"$work/out" 2>&1
! grep -i gsl "$work/out" >"$work/found" && ! grep -q gsl "$pc" && [ "$(grep -c 'libc\.so' "$work/out")" -eq 2 ]
check "neither the library nor the binary of units is linked with GSL, whose licence is the GPL" "$work/found"

# --- a C program

# shellcheck disable=SC2046 # words
compile() { # NAME OPTION...
  source=$1
  shift
  ${CC:-cc} -std=c17 -Wall -Wextra -Werror "$programs/$source.c" -o "$work/$source" "$@" >"$work/out" 2>"$work/err"
}
cat >"$work/car.yaml" <<END
vehicle: $vehicles/sedan_automatic.yaml
run: {level: L3, duration: 6 s}
initial: {speed: 20}
END
# shellcheck disable=SC2046
compile pid $(config --cflags --libs)
check "a C program builds with what pkg-config says"
driven() { # [KEY=VALUE ...]
  "$work/pid" "$work/car.yaml" "$work/record.csv" "$work/log.csv" "$@" >"$work/out" 2>"$work/err"
}
table() { printf '%s={type: table, file: %s, column: %s, interpolation: hold}' "$1" "$work/record.csv" "$1"; }
# Whether two logs have the same numbers to the bit, with any number of digits.
same() { # FILE OTHER
  awk -F, -v other="$2" '
    { if ((getline line <other) <= 0 || split(line, part) != NF) exit 1 }
    { for (i = 1; i <= NF; i++) if ($i != part[i]) { print "line " NR ": " $i " and " part[i]; exit 1 } }
    END { if ((getline line <other) > 0) exit 1 }' "$1"
}
# The log of the program and that of vdsim-run from its record.
replayed() { # [KEY=VALUE ...]
  for key in throttle brake steering_wheel; do set -- "$@" "$(table $key)"; done
  for key; do set -- "$@" --set "$key"; shift; done
  "$exe" --exact "$@" "$work/car.yaml" >"$work/replay.csv" 2>"$work/err" &&
    same "$work/log.csv" "$work/replay.csv" >"$work/out"
}
driven && [ ! -s "$work/out" ] && [ ! -s "$work/err" ] && [ "$(wc -l <"$work/log.csv")" -eq 602 ]
check "the example drives a car, and nothing is printed"
replayed
check "vdsim-run with its record as hold tables gives the same log to the bit"
for level in L1 L2 L5; do
  driven run.level=$level vehicle.steering.dead_time=0.03 run.duration=3 &&
    replayed run.level=$level vehicle.steering.dead_time=0.03 run.duration=3
  check "the example drives a car at $level with a dead time of the steering"
done

# --- the static library

# shellcheck disable=SC2046
compile pid $(config --cflags --libs --static | sed 's/-lvdsim/-l:libvdsim.a/') &&
  mv "$work/log.csv" "$work/shared.csv" &&
  driven run.level=L5 vehicle.steering.dead_time=0.03 run.duration=3 &&
  cmp "$work/log.csv" "$work/shared.csv" >"$work/out"
check "a program with the static library gives the bytes of one with the shared library"
if command -v valgrind >/dev/null 2>&1; then
  valgrind -q --error-exitcode=9 --leak-check=full "$work/pid" "$work/car.yaml" "$work/record.csv" "$work/log.csv" \
    run.duration=0.1 >"$work/out" 2>"$work/err"
  check "the example touches no memory that is not its own, and frees all of its own"
else
  skip "the example touches no memory that is not its own, and frees all of its own" "no valgrind"
fi

# --- two cars

cars="iso/braking_in_turn_l3 road/launch_limited_slip"
# shellcheck disable=SC2046
compile two_cars $(config --cflags --libs) -pthread
# shellcheck disable=SC2086
set -- $cars
"$work/two_cars" "scenarios/$1.yaml" "$work/first.csv" "scenarios/$2.yaml" "$work/second.csv" >"$work/out" 2>"$work/err"
check "two cars run on two threads of one program"
"$exe" --exact "scenarios/$1.yaml" >"$work/one.csv" 2>/dev/null &&
  "$exe" --exact "scenarios/$2.yaml" >"$work/two.csv" 2>/dev/null &&
  same "$work/first.csv" "$work/one.csv" >"$work/out" && same "$work/second.csv" "$work/two.csv" >"$work/out"
check "two cars on two threads have the logs of two runs of vdsim-run"

# --- Python

if python3 -c 'import ctypes' 2>/dev/null; then
  python3 "$programs/pid.py" "$libdir/libvdsim.so" "$work/car.yaml" "$work/record.csv" "$work/log.csv" \
    >"$work/out" 2>"$work/err" &&
    replayed
  check "Python drives the car to the same numbers through ctypes"
else
  skip "Python drives the car to the same numbers through ctypes" "no python3"
fi
all_well
