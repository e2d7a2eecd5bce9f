#!/bin/sh
# The programs installed to an empty prefix: shipped scenarios run from any folder, also after the prefix was moved, and
# shipped files never hide a file of the user.
# Usage: tests/cli/installed.sh VDSIM-RUN VDSIM-KC-SWEEP VDSIM-XCHECK VDSIM-VALIDATE
# Reads the build folder of the tools; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
build=$(dirname "$(dirname "$exe")")
exe_validate=$(dirname "$exe")/vdsim-validate
unset VDSIM_DATA

plan 38
mkdir "$work/other"
(
  cd "$work/other" || exit 2
  for name in iso/step_steer.yaml scenarios/iso/step_steer.yaml study/step_steer_spread.yaml; do
    "$exe" --check $name || echo $name
  done
  "$exe" --version | grep -qxF "data: $top" || echo data
  corner=suspensions/dw_front_sports.yaml
  "$(dirname "$exe")/vdsim-kc-sweep" --check $corner >/dev/null || echo sweep
  "$(dirname "$exe")/vdsim-xcheck" -q $corner $corner >/dev/null || echo xcheck
  "$exe_validate" -q --filter single_track/1 validation/single_track.yaml || echo validate
) >"$work/wrong" 2>&1
[ ! -s "$work/wrong" ]
check "programs in the build folder find the shipped files" "$work/wrong"
nowhere="nor is it in '$top/scenarios' or '$top'"
fails_with() { # LINE TOOL ARGUMENT...: in the error
  line=$1
  shift
  (cd "$work/other" && "$@") >"$work/out" 2>"$work/err"
  [ $? -eq 2 ] && grep -qxF "$line" "$work/err"
}
fails_with "iso/no_such.yaml: error: cannot open: No such file or directory; $nowhere" "$exe" --check iso/no_such.yaml
check "a missing file is reported with the folders that were searched"
printf 'base: iso/no_such.yaml\n' >"$work/other/base.yaml"
fails_with "base.yaml:1:7: error: cannot open 'iso/no_such.yaml': No such file or directory; $nowhere" \
  "$exe" --check base.yaml
check "a missing base of a scenario is reported with the folders that were searched"
fails_with "./no_such.yaml: error: cannot open: No such file or directory" "$exe" --check ./no_such.yaml
check "no folder is searched for a name that begins with ./"
VDSIM_DATA='' fails_with "iso/step_steer.yaml: error: cannot open: No such file or directory" \
  "$exe" --check iso/step_steer.yaml
check "an empty VDSIM_DATA names no folder to search"
DESTDIR=$work/root meson install -C "$build" --no-rebuild --quiet >"$work/out" 2>"$work/err"
check "the programs are installed"
found=$(find "$work/root" -name vdsim-run -path '*/bin/*')
mv "${found%/bin/vdsim-run}" "$work/moved prefix" # no file may contain the place of the build
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

# --- shipped files

use vdsim-run --list-manoeuvres
cut -f 2 "$work/out" >"$work/names"
grep -v '^handling/' "$work/names" >"$work/tried"
# Numbers of scenarios in handling/ are found by runs; runs of random steering last 12 minutes each.
grep '^handling/' "$work/names" | if [ "$seed" = all ]; then cat; else grep -v random_steer; fi |
  sample 1 >>"$work/tried"
while read -r name; do
  "$bin/vdsim-run" --check "$name" >/dev/null 2>"$work/err" || { echo "$name"; cat "$work/err"; }
done <"$work/tried" >"$work/refused"
[ ! -s "$work/refused" ] && [ "$(wc -l <"$work/names")" -gt 100 ]
check "every name of --list-manoeuvres is read, whatever the working folder" "$work/refused"
use vdsim-run --rate 1 iso/step_steer.yaml
good && [ "$(head -c 4 "$work/out")" = t_s, ]
check "a shipped scenario runs by its name in --list-manoeuvres"
cp "$work/out" "$work/log"
use vdsim-run --rate 1 scenarios/iso/step_steer.yaml
good && cmp -s "$work/out" "$work/log"
check "a shipped scenario runs by its path in the manual"
printf 'base: iso/step_steer.yaml\nvehicle: vehicles/sedan_automatic.yaml\n' >car.yaml
use vdsim-run -q -o out car.yaml
good && grep -qxF "scenario: \"car.yaml\"" out/car.provenance.yaml
check "a user's scenario may have a shipped scenario as its base"
use vdsim-run -q --rate 1 --set vehicle=vehicles/sedan_automatic.yaml --set \
  vehicle.front.tyre=tyres/brush_touring.yaml iso/step_steer.yaml
good
check "a setting may name a shipped file, such as a car"
printf 'base: fit/mf96.yaml\n' >fitted.yaml
use vdsim-run --check fitted.yaml
[ $status -eq 0 ]
check "the kind of a scenario follows from a shipped base"
use vdsim-kc-sweep --metrics - suspensions/dw_front_sports.yaml
good && grep -q '^toe_travel,' "$work/out"
check "a suspension is swept by its name"
use vdsim-xcheck -q suspensions/dw_front_sports.yaml scenarios/suspensions/dw_front_sports.yaml
good
check "a suspension is compared by its name"
use vdsim-validate -q validation/single_track.yaml
good
check "the claims of a file hold, whatever the working folder"
use vdsim-validate --list
[ $status -eq 0 ] && [ "$(wc -l <"$work/out")" -eq "$(cd "$top" && "$exe_validate" --list | wc -l)" ]
check "without an operand all installed claims are read" "$work/err"
use vdsim-validate -q --filter 'single_track/1'
[ $status -eq 0 ] && [ ! -s "$work/out" ]
check "without an operand all installed claims are judged"

# --- files of the user

mkdir -p iso validation
sed 's/^title:.*/title: mine/' "$top/scenarios/road/coast_down.yaml" | sed "s,\.\./,$top/scenarios/,g" \
  >iso/step_steer.yaml
use vdsim-run --resolved iso/step_steer.yaml
good && grep -q '^title: mine' "$work/out"
check "a user's file is taken before a shipped one of the same name"
use vdsim-run --check ./iso/sine_steer.yaml
[ $status -eq 2 ] && grep -q 'cannot open' "$work/err"
check "a name that begins with ./ is not looked for among the shipped files"
use vdsim-validate --list
[ $status -eq 2 ] && grep -q "no validation files in 'validation'" "$work/err"
check "the user's folder validation/, if there is one, is read instead of the shipped one"
use vdsim-run --check iso/no_such.yaml
nowhere="nor is it in '$prefix/share/vdsim/scenarios' or '$prefix/share/vdsim'"
[ $status -eq 2 ] && grep -qxF "iso/no_such.yaml: error: cannot open: No such file or directory; $nowhere" "$work/err"
check "a missing file is reported by the given name, with the folders of the prefix"
mkdir -p other/scenarios/iso
cp iso/step_steer.yaml other/scenarios/iso/weave.yaml
VDSIM_DATA=$work/mine/other use vdsim-run --resolved iso/weave.yaml
good && grep -q '^title: mine' "$work/out"
check "VDSIM_DATA names another folder of shipped files"
use vdsim-run --version
version=$(sed -n "s/^  version: .\(.*\).,$/\1/p" "$top/meson.build")
[ $status -eq 0 ] && grep -qxF "data: $prefix/share/vdsim" "$work/out" &&
  [ "$(cut -d : -f 1 "$work/out" | paste -sd ' ')" = "vdsim-run $version commit compiler options data" ]
check "--version tells commit, compiler, options and the folder of shipped files"
ln -s "$bin/vdsim-run" linked
./linked --check iso/weave.yaml >"$work/out" 2>"$work/err"
check "a program that is called through a link finds the shipped files, too"

# --- the scripts, and completion

run_script() { # NAME ARGUMENT...
  use "$@"
  [ $status -eq 0 ] || cat "$work/err" >"$work/out"
}
for name in animate compare; do
  use vdsim-$name -h
  if [ $status -ne 0 ] || ! head -n 1 "$work/out" | grep -q "^usage: vdsim-$name " ||
    grep -n 'scripts/\|build/' "$work/out"; then echo $name; fi
  [ -e "$prefix/share/man/man1/vdsim-$name.1" ] || echo "no page of $name"
done >"$work/wrong"
[ ! -s "$work/wrong" ]
check "every script for users is a program with help and a page, which use its installed name" "$work/wrong"
if command -v rsvg-convert >/dev/null; then
  "$bin/vdsim-run" -q --rate 20 -o runs iso/sine_steer.yaml
  run_script vdsim-plot -o step.png steer yaw_rate runs/sine_steer.csv
  size_of step.png | grep -q '^[0-9]'
  check "vdsim-plot draws a channel"
  run_script vdsim-plot --manoeuvre -o standard.svg runs/sine_steer.csv
  grep -q '<svg' standard.svg
  check "vdsim-plot draws the standard picture"
  PATH=/usr/bin:/bin run_script vdsim-compare -o both.png iso/sine_steer.yaml
  size_of both.png | grep -q '^[0-9]'
  check "vdsim-compare finds the programs beside it, and the shipped files"
else
  for title in "vdsim-plot draws" "the standard picture" "vdsim-compare"; do skip "$title" "no rsvg-convert"; done
fi
"$bin/vdsim-kc-sweep" -q -o dw.csv suspensions/dw_front_sports.yaml
for name in kc tyre fit stunt study; do
  [ -e "$prefix/share/man/man1/vdsim-plot-$name.1" ] || echo "no page of $name"
  use "vdsim-plot-$name" --help
  good || echo "vdsim-plot-$name"
done >"$work/wrong"
use vdsim-plot-kc -o a.svg dw.csv
good && "$bin/vdsim-plot" --kc -o b.svg dw.csv && cmp a.svg b.svg >>"$work/wrong" 2>&1 && [ ! -s "$work/wrong" ]
check "each vdsim-plot-KIND is vdsim-plot --KIND" "$work/wrong"
PATH=$bin:$PATH
export PATH
for tool in run kc-sweep xcheck validate plot; do # the text of the program's help
  "vdsim-$tool" --help | awk '
    $1 ~ /^-/ { for (i = 1; i <= 2 && $i ~ /^-/; i++) { sub(/,$/, "", $i); sub(/[[=].*/, "", $i); print $i } }' |
    grep '^--' | sort >"$work/options.$tool"
done
if command -v fish >/dev/null; then
  for tool in run kc-sweep xcheck validate plot; do
    HOME=$work fish --no-config -c \
      "source '$prefix/share/fish/vendor_completions.d/vdsim-$tool.fish'; complete -C 'vdsim-$tool --'" |
      cut -f 1 | sort | diff "$work/options.$tool" -
  done >"$work/wrong" 2>&1
  [ ! -s "$work/wrong" ] && [ "$(wc -l <"$work/options.run")" -gt 30 ]
  check "fish completes the options of the help" "$work/wrong"
  HOME=$work fish --no-config -c \
    "source '$prefix/share/fish/vendor_completions.d/vdsim-run.fish'; complete -C 'vdsim-run --set steer.ra'" \
    >"$work/out"
  [ "$(cat "$work/out")" = "steer.rate=$(printf '\t')slope" ]
  check "fish completes keys"
  for one in "plot --manoeuvre=free" "run --list-keys=steering_w"; do
    HOME=$work fish --no-config -c \
      "source '$prefix/share/fish/vendor_completions.d/vdsim-${one%% *}.fish'; complete -C 'vdsim-$one'" |
      cut -f 1
  done >"$work/out"
  [ "$(tr '\n' ' ' <"$work/out")" = "--manoeuvre=free_steer --list-keys=steering_wheel " ]
  check "fish completes pictures and blocks of keys"
else
  for title in "fish completes options" "fish completes keys" "fish completes pictures"; do
    skip "$title" "no fish"
  done
fi
if command -v zsh >/dev/null; then
  cat >"$work/zsh" <<'END'
_describe() { print -l -- ${(P)2} }
compadd() { print -l -- $keys }
_files() { print files }
place=$1
shift
words=("$@") CURRENT=$# PREFIX=${words[$#]}
source $place
END
  for tool in run kc-sweep xcheck validate plot; do
    zsh -f "$work/zsh" "$prefix/share/zsh/site-functions/_vdsim" "vdsim-$tool" -- | cut -d : -f 1 | grep '^--' |
      sort | diff "$work/options.$tool" -
  done >"$work/wrong" 2>&1
  [ ! -s "$work/wrong" ]
  check "zsh completes the options of the help" "$work/wrong"
  zsh -f "$work/zsh" "$prefix/share/zsh/site-functions/_vdsim" vdsim-run --set steer | grep -qx 'steer.rate='
  check "zsh completes keys"
  { zsh -f "$work/zsh" "$prefix/share/zsh/site-functions/_vdsim" vdsim-plot --manoeuvre=free | cut -d : -f 1
    zsh -f "$work/zsh" "$prefix/share/zsh/site-functions/_vdsim" vdsim-run --list-keys=steer; } >"$work/out"
  grep -qx -e '--manoeuvre=free_steer' "$work/out" && grep -qx -e '--list-keys=steering_wheel' "$work/out"
  check "zsh completes pictures and blocks of keys"
else
  for title in "zsh completes options" "zsh completes keys" "zsh completes pictures"; do
    skip "$title" "no zsh"
  done
fi
if command -v bash >/dev/null; then
  offered() { # WORD...: the last one is completed
    bash -c '. "$0"
      COMP_WORDS=("$@")
      COMP_CWORD=$(($# - 1))
      _vdsim_plot "$1" "${COMP_WORDS[COMP_CWORD]}"
      echo "${COMPREPLY[*]}"' \
      "$prefix/share/bash-completion/completions/vdsim-plot" "$@" 2>/dev/null
  }
  printf 't_s,yaw_rad,yaw_rate_radps\n0,0,0\n' >log.csv
  [ "$(offered vdsim-plot log.csv yaw_r)" = "yaw_rad yaw_rate_radps" ]
  check "bash completes columns of a log on the line"
  [ "$(offered vdsim-plot --sti)" = "" ] && [ "$(offered vdsim-plot --fra)" = "--frames" ]
  check "bash completes options"
  [ "$(offered vdsim-plot --manoeuvre = st)" = "step stunt start" ] &&
    [ "$(offered vdsim-plot --manoeuvre = | wc -w)" -gt 24 ]
  check "bash completes standard pictures"
else
  for title in "bash completes columns" "bash completes options" "bash completes pictures"; do
    skip "$title" "no bash"
  done
fi
all_well
