#!/bin/sh
# Broken inputs: a tool must refuse each with status 2, an empty stdout and exactly the expected message on stderr.
# Usage: broken.sh TOOL FOLDER EXTENSION [OPTION]    (a folder of tests/; the option goes before each input)
# The inputs, their messages and more arguments are in families, tests/FOLDER/FAMILY.cases (CONTRIBUTING.md), or in
# files beside them. An input NAME_warned gives only a warning and has status 0. Every input of a folder `good_...` has
# status 0, too, with or without a message.
# BAD_UPDATE=1 writes the messages instead; read the difference before you commit it. Needs python3.
set -u
case $1 in
  /*) tool=$1 ;;
  *) tool=$PWD/$1 ;;
esac
folder=$2
extension=$3

option=${4-}
cd "$(dirname "$0")/../.." || exit 2
LC_ALL=C
export LC_ALL
unset NO_COLOR

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' HUP INT TERM
top=$PWD
python3 -B tests/common/cases.py "$scratch/tree" "$folder" && cd "$scratch/tree" || exit 2

mkdir "$scratch/tmp" || exit 2
TMPDIR=$scratch/tmp VDSIM_DATA='' # so that messages contain no folder of this machine
export TMPDIR VDSIM_DATA

set -- tests/"$folder"/*."$extension"
echo "1..$(($# + 1))"
number=0
failed=0

for input in "$@"; do
  number=$((number + 1))
  name=${input%."$extension"}
  expected=2
  case $name in *_warned | tests/good_*/*) expected=0 ;; esac
  set -- ${option:+"$option"}
  [ -f "$name.expect" ] || : >"$name.expect"
  if [ -f "$name.args" ]; then
    while IFS= read -r argument; do
      set -- "$@" "$argument"
    done <"$name.args"
  fi
  "$tool" "$@" "$input" </dev/null >"$scratch/out" 2>"$scratch/err"
  status=$?
  [ -z "${BAD_UPDATE-}" ] || cp "$scratch/err" "$name.expect"
  problem=
  [ $status -eq $expected ] || problem="exit status $status instead of $expected"
  [ ! -s "$scratch/out" ] || problem="$problem${problem:+, }words on stdout"
  [ -s "$scratch/err" ] || [ "${folder#good_}" != "$folder" ] || problem="$problem${problem:+, }no words on stderr"
  if ! diff -u "$name.expect" "$scratch/err" >"$scratch/diff" 2>&1; then
    problem="$problem${problem:+, }other words than expected"
  fi
  if [ -z "$problem" ]; then
    echo "ok $number - ${name##*/}"
  else
    failed=$((failed + 1))
    echo "not ok $number - ${name##*/}"
    echo "# $problem"
    sed 's/^/# /' "$scratch/diff"
  fi
done
if [ -z "$(ls -A "$TMPDIR")" ]; then
  echo "ok $((number + 1)) - nothing is left in TMPDIR"
else
  failed=$((failed + 1))
  echo "not ok $((number + 1)) - nothing is left in TMPDIR"
fi
if [ -n "${BAD_UPDATE-}" ]; then
  python3 -B "$top/tests/common/cases.py" --update "$scratch/tree" "$folder" "$extension" || exit 2
fi
[ $failed -eq 0 ]
