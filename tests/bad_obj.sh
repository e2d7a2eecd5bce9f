#!/bin/sh
# Broken meshes: each must be refused with exactly the expected words.
# Usage: bad_obj.sh READER
# READER prints what is said about a file. tests/bad_obj/NAME.obj is the input, NAME.expect the words.
# BAD_UPDATE=1 writes the .expect files instead: read the difference before it is committed.
case $1 in
  /*) tool=$1 ;;
  *) tool=$PWD/$1 ;;
esac
cd "$(dirname "$0")/.." || exit 2
LC_ALL=C
export LC_ALL

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' HUP INT TERM

set -- tests/bad_obj/*.obj
echo "1..$#"
number=0
failed=0

for input in "$@"; do
  number=$((number + 1))
  name=${input%.obj}
  "$tool" "$input" < /dev/null > "$scratch/out" 2> "$scratch/err"
  status=$?
  [ -z "$BAD_UPDATE" ] || cp "$scratch/err" "$name.expect"
  problem=
  [ $status -eq 2 ] || problem="exit status $status instead of 2"
  [ ! -s "$scratch/out" ] || problem="$problem${problem:+, }words on stdout"
  [ -s "$scratch/err" ] || problem="$problem${problem:+, }no words on stderr"
  if ! diff -u "$name.expect" "$scratch/err" > "$scratch/diff" 2>&1; then
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
[ $failed -eq 0 ]
