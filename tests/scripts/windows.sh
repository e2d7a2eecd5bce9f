#!/bin/sh
# The programs for Windows, built by scripts/windows and run by wine, give the bytes of this system: logs of ten
# scenarios, a study in two processes, and the binary of units. Runs only with `scripts/test --all`.
# Usage: tests/scripts/windows.sh VDSIM-RUN DRIVE.c    (DRIVE.c drives a unit)
# VDSIM_WINDOWS: the folder of scripts/windows, so that the libraries need not be built again. Skipped without the cross
# compiler, wine, or the tools of scripts/windows; reads the tree, writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
drive=${2:-tests/fmi/drive.c}
[ "$seed" = all ] || { echo "1..0 # SKIP only with --all"; exit 0; }
for program in x86_64-w64-mingw32-gcc wine cmake dpkg-source apt-get; do
  command -v $program >/dev/null || { echo "1..0 # SKIP no $program"; exit 0; }
done

plan 18
folder=${VDSIM_WINDOWS:-$work/windows}
MESON_OPTIONS=-Doptimization=1 sh scripts/windows "$folder" cli/vdsim-run.exe cli/vdsim-kc-sweep.exe \
  cli/vdsim-xcheck.exe cli/vdsim-validate.exe cli/vdsim-plot.exe lib/vdsim_fmu.dll >"$work/out" 2>"$work/err"
check "the five programs and the binary of units build"

WINEPREFIX=$work/prefix WINEDEBUG=-all
export WINEPREFIX WINEDEBUG
there() { # PROGRAM ARGUMENT...
  program=$1
  shift
  timeout 300 wine "$folder/build/cli/$program.exe" "$@" >"$work/out" 2>"$work/err"
}
there vdsim-run --version && grep -q '^vdsim-run ' "$work/out"
check "vdsim-run starts"

for scenario in iso/step_steer iso/chirp_steer iso/braking_in_turn_l3 ladder/lc8_path ride/washboard \
  hardpoints/step_steer stunt/loop track/bumpy_track rig/combined limits/envelope; do
  rm -rf "$work/log" "$work/other"
  mkdir "$work/log" "$work/other"
  "$exe" -q --exact -o "$work/log" "scenarios/$scenario.yaml" >"$work/out" 2>"$work/err" &&
    there vdsim-run -q --exact -o "$work/other" "scenarios/$scenario.yaml" &&
    (cd "$work/log" && ls ./*.csv && for file in *.csv; do cmp "$file" "$work/other/$file" || exit 1; done) >"$work/out"
  check "$scenario: the log has the bytes of this system"
done

cat >"$work/study.yaml" <<END
title: yaw rate, two processes
kind: study
scenario: $top/scenarios/road/linear_step.yaml
set: [run.level=L0, run.duration=2 s]
vary:
  - {name: V, key: [initial.speed, speed.value], type: uniform, from: 5, to: 15}
  - {name: delta, key: steer.value, type: uniform, from: 1 deg, to: 3 deg}
metrics: yaw_rate_steady_radps
design: {type: latin_hypercube, count: 40, seed: 1}
END
cd "$work" || exit 2
"$exe" -q -o here study.yaml && there vdsim-run -q -j 2 -o "two\\" study.yaml && cmp here/study.csv two/study.csv
check "a study with -j 2 gives the table of this system"
grep -c '^[0-9]' two/study.times.csv >"$work/out" && [ "$(cat "$work/out")" -eq 40 ]
check "a study with -j 2 writes a time for each of its cases"
cd "$top" || exit 2
echo 'speed: 3' >"$work/bad.yaml"
set -- scenarios/road/j_turn.yaml "$work/bad.yaml" scenarios/road/brake_straight.yaml
"$exe" -j 2 -o "$work/here" "$@" 2>"$work/words"
there vdsim-run -j 2 -o "$work/there" "$@"
[ $? -eq 2 ] && cmp "$work/words" "$work/err" && cmp "$work/here/j_turn.csv" "$work/there/j_turn.csv" &&
  cmp "$work/here/brake_straight.csv" "$work/there/brake_straight.csv"
check "several scenarios with -j 2 give the bytes, messages and status of this system" "$work/words" "$work/err"
there vdsim-validate -q -j 2 validation/kinematic_car.yaml
check "vdsim-validate gives the verdicts of this system"

# One unit has binaries of both systems. The binary of Windows comes from the data folder.
data=$work/data parts="$drive lib/base/system_posix.c lib/base/system_windows.c lib/base/system.c lib/base/text.c
  lib/base/memory.c"
mkdir -p "$data/fmu/x86_64-windows" && ln -s "$top/scenarios" "$data/scenarios" &&
  cp "$folder/build/lib/vdsim_fmu.dll" "$data/fmu/x86_64-windows"
VDSIM_DATA=$data "$exe" -q --fmu "$work/car.fmu" -c 'yaw_rate_radps,fz_*' scenarios/handling/step_steer.yaml &&
  (mkdir "$work/car" && cd "$work/car" && python3 -m zipfile -e ../car.fmu . &&
    ls binaries/linux64/car.so binaries/win64/car.dll) >"$work/out" 2>"$work/err"
check "a unit holds binaries for linux64 and win64"
token=$(sed -n 's/.*guid="\([^"]*\)".*/\1/p' "$work/car/modelDescription.xml")
outputs=$(sed -n 's/.*valueReference="\([0-9]*\)".*causality="output".*/\1/p' "$work/car/modelDescription.xml")
# shellcheck disable=SC2086 # lists of words
gcc -std=c17 -D_POSIX_C_SOURCE=200809L -Ilib $parts -o "$work/drive" -ldl >"$work/out" 2>"$work/err" &&
  x86_64-w64-mingw32-gcc -std=c17 -D_POSIX_C_SOURCE=200809L -D__USE_MINGW_ANSI_STDIO=1 -Ilib $parts \
    -o "$work/drive.exe" -static >>"$work/out" 2>>"$work/err" &&
  "$work/drive" "$work/car/binaries/linux64/car.so" "file://$work/car/resources" "$token" 0.0073 300 $outputs \
    >"$work/units" 2>>"$work/err" &&
  timeout 300 wine "$work/drive.exe" "$work/car/binaries/win64/car.dll" "file:///Z:$work/car/resources" "$token" \
    0.0073 300 $outputs >"$work/out" 2>>"$work/err" &&
  [ "$(wc -w <"$work/out")" -eq 1500 ] && cmp "$work/units" "$work/out"
check "the binaries of both systems give the same bits in 300 steps of 7.3 ms" "$work/err"
wineserver -k
all_well
