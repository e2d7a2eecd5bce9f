#!/bin/sh
# The programs from an empty prefix, as whoever installs them finds them: what is shipped runs from any folder, also after the
# prefix was moved, and what is shipped never hides a file of one's own.
# Usage: tests/cli/installed.sh VDSIM-RUN VDSIM-KC-SWEEP VDSIM-XCHECK VDSIM-VALIDATE
# Reads the build folder of the tools; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
build=$(dirname "$(dirname "$exe")")
exe_validate=$(dirname "$exe")/vdsim-validate
unset VDSIM_DATA

plan 19
DESTDIR=$work/root meson install -C "$build" --no-rebuild --quiet >"$work/out" 2>"$work/err"
check "it installs"
found=$(find "$work/root" -name vdsim-run -path '*/bin/*')
mv "${found%/bin/vdsim-run}" "$work/moved prefix" # nothing may know the place of the build
prefix="$work/moved prefix"
bin=$prefix/bin
mkdir "$work/mine"
cd "$work/mine" || exit 2
good() { [ $status -eq 0 ] && [ ! -s "$work/err" ]; }
use() { # TOOL ARGUMENT...
  tool=$1
  shift
  "$bin/$tool" "$@" >"$work/out" 2>"$work/err"
  status=$?
}

# --- what is shipped

use vdsim-run --list-manoeuvres
cut -f 2 "$work/out" >"$work/names"
while read -r name; do
  "$bin/vdsim-run" --check "$name" >/dev/null 2>"$work/err" || { echo "$name"; cat "$work/err"; }
done <"$work/names" >"$work/refused"
[ ! -s "$work/refused" ] && [ "$(wc -l <"$work/names")" -gt 100 ]
check "every name of --list-manoeuvres is read from a folder of one's own" "$work/refused"
use vdsim-run --rate 1 iso/step_steer.yaml
good && [ "$(head -c 4 "$work/out")" = t_s, ]
check "one runs by this name"
cp "$work/out" "$work/log"
use vdsim-run --rate 1 scenarios/iso/step_steer.yaml
good && cmp -s "$work/out" "$work/log"
check "also by that of the manual"
printf 'base: iso/step_steer.yaml\nvehicle: vehicles/sedan_automatic.yaml\n' >car.yaml
use vdsim-run -q -o out car.yaml
good && grep -qxF "scenario: \"car.yaml\"" out/car.provenance.yaml
check "a scenario of one's own may be based on it"
use vdsim-run -q --rate 1 --set vehicle=vehicles/sedan_automatic.yaml --set vehicle.front.tyre=tyres/brush_touring.yaml iso/step_steer.yaml
good
check "and a setting may name a shipped part"
printf 'base: fit/mf96.yaml\n' >fitted.yaml
use vdsim-run --check fitted.yaml
[ $status -eq 0 ]
check "the kind of a scenario follows from a shipped base"
use vdsim-kc-sweep --metrics - suspensions/dw_front_sports.yaml
good && grep -q '^toe_travel,' "$work/out"
check "a suspension is swept by its name"
use vdsim-xcheck -q suspensions/dw_front_sports.yaml scenarios/suspensions/dw_front_sports.yaml
good
check "and compared"
use vdsim-validate -q validation/single_track.yaml
good
check "a file of claims holds from anywhere"
use vdsim-validate --list
[ $status -eq 0 ] && [ "$(wc -l <"$work/out")" -eq "$(cd "$top" && "$exe_validate" --list | wc -l)" ]
check "without an operand all installed claims are read" "$work/err"
use vdsim-validate -q --filter 'single_track/1'
good
check "and judged"

# --- what is one's own

mkdir -p iso validation
sed 's/^title:.*/title: mine/' "$top/scenarios/road/coast_down.yaml" | sed "s,\.\./,$top/scenarios/,g" >iso/step_steer.yaml
use vdsim-run --resolved iso/step_steer.yaml
good && grep -q '^title: mine' "$work/out"
check "a file of one's own is taken before a shipped one of the same name"
use vdsim-run --check ./iso/sine_steer.yaml
[ $status -eq 2 ] && grep -q 'cannot open' "$work/err"
check "a name that begins with ./ is not looked up"
use vdsim-validate --list
[ $status -eq 2 ] && grep -q "no validation files in 'validation'" "$work/err"
check "nor is the folder validation/ if there is one"
use vdsim-run --check iso/no_such.yaml
[ $status -eq 2 ] && grep -qxF 'iso/no_such.yaml: error: cannot open: No such file or directory' "$work/err"
check "what is nowhere is said by the name that was given"
mkdir -p other/scenarios/iso
cp iso/step_steer.yaml other/scenarios/iso/weave.yaml
VDSIM_DATA=$work/mine/other use vdsim-run --resolved iso/weave.yaml
good && grep -q '^title: mine' "$work/out"
check "VDSIM_DATA names another folder of what is shipped"
use vdsim-run --version
[ $status -eq 0 ] && grep -qxF "data: $prefix/share/vdsim" "$work/out" && [ "$(cut -d : -f 1 "$work/out" | paste -sd ' ')" = "vdsim-run 0.1.0 commit compiler options data" ]
check "--version tells commit, compiler, options and the folder of what is shipped"
ln -s "$bin/vdsim-run" linked
./linked --check iso/weave.yaml >"$work/out" 2>"$work/err"
check "a link to a program finds it too"
all_well
