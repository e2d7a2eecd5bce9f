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

# Runs all first, so that one process compares all messages.
mkdir "$scratch/got" || exit 2
problems=
for input in "$@"; do
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
  got=$scratch/got/${name##*/}.expect
  "$tool" "$@" "$input" </dev/null >"$scratch/out" 2>"$got"
  status=$?
  [ $status -eq $expected ] || problems="$problems${name##*/}: exit status $status instead of $expected
"
  [ ! -s "$scratch/out" ] || problems="$problems${name##*/}: words on stdout
"
  [ -s "$got" ] || [ "${folder#good_}" != "$folder" ] || problems="$problems${name##*/}: no words on stderr
"
done
[ -z "${BAD_UPDATE-}" ] || cp "$scratch/got"/*.expect "tests/$folder"
differ=$(diff -rq "tests/$folder" "$scratch/got" | grep -v "^Only in tests/" |
  sed 's/.*[/ ]\([^/ ]*\)[.]expect.*/\1: other words than expected/')

for input in tests/"$folder"/*."$extension"; do
  number=$((number + 1))
  name=${input%."$extension"}
  case "
$problems$differ" in
    *"
${name##*/}: "*)
      failed=$((failed + 1))
      echo "not ok $number - ${name##*/}"
      printf '%s%s\n' "$problems" "$differ" | sed -n "s/^${name##*/}: /# /p"
      diff -u "$name.expect" "$scratch/got/${name##*/}.expect" | sed 's/^/# /'
      ;;
    *) echo "ok $number - ${name##*/}" ;;
  esac
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
