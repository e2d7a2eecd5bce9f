#!/bin/sh
# Functions that the tests in shell share. A test reads this file first: . "$(dirname "$0")/../common/tap.sh"
# Its first argument is the tool under test, whose absolute path is then $exe. The test runs in the top folder of the
# tree, $top, and has a temporary folder, $work, which is removed at its end.

[ $# -ge 1 ] || { echo "usage: $0 TOOL" >&2; exit 2; }
exe=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/../.." || exit 2
# shellcheck disable=SC2034 # the tests use it, and status too
top=$PWD
work=$(mktemp -d) || exit 2
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
# Figures are read with a point; programs in Python leave nothing in the tree.
LC_ALL=C PYTHONDONTWRITEBYTECODE=1
export LC_ALL PYTHONDONTWRITEBYTECODE
exec </dev/null
: >"$work/out"
: >"$work/err"

# A slow test tries a part of its cases, different ones for every commit; all if VDSIM_SAMPLE is "all".
seed=${VDSIM_SAMPLE:-$(git rev-parse --short=10 HEAD 2>/dev/null || echo 1)}
sample() { # COUNT   of the lines of standard input
  if [ "$seed" = all ]; then cat; else python3 "$top/scripts/mutants.py" sample "$1" "$seed"; fi
}

# Succeeds if part K of the N parts of a slow test is tried: in one of N commits. No commit tries two parts.
drawn() { # K N    K from 0 to N - 1
  [ "$seed" = all ] || [ $(($(printf %s "$seed" | cksum | cut -d ' ' -f 1) % $2)) -eq "$1" ]
}

# Skips the whole test without python3.
need_python() {
  command -v python3 >/dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
}

planned=0
test_number=0
failures=0
plan() { # COUNT
  planned=$1
  echo "1..$1"
}

# The condition is the exit status of the command before it: `[ ... ]; check "title"`. If it fails, the output is shown.
check() { # TITLE [FILE...]
  if [ $? -eq 0 ]; then word=ok; else word="not ok"; failures=$((failures + 1)); fi
  test_number=$((test_number + 1))
  printf '%s %d - %s\n' "$word" $test_number "$1"
  [ "$word" = ok ] && return
  shift
  [ $# -gt 0 ] || set -- "$work/out" "$work/err"
  head -n 40 "$@" | sed 's/^/# /'
}

skip() { # TITLE REASON
  test_number=$((test_number + 1))
  printf 'ok %d - %s # SKIP %s\n' $test_number "$1" "$2"
}

# Runs the tool; its output goes to $work/out and $work/err, its exit status to $status.
# shellcheck disable=SC2034
run() {
  "$exe" "$@" >"$work/out" 2>"$work/err"
  status=$?
}

# Prints width and height from the header of a PNG: two numbers of four bytes each, the highest first.
size_of() { # FILE
  [ "$(od -An -tx1 -N8 "$1" | tr -d ' ')" = 89504e470d0a1a0a ] || { echo "no PNG"; return; }
  od -An -tu1 -j16 -N8 "$1" | awk '
    { print (($1 * 256 + $2) * 256 + $3) * 256 + $4, (($5 * 256 + $6) * 256 + $7) * 256 + $8 }'
}

# Checks the contents of an SVG by tests/common/svg.py; skipped without python3.
check_picture() { # TITLE PICTURE.svg PROGRAM ARGUMENTS...
  if ! command -v python3 >/dev/null; then skip "$1" "no python3"; return; fi
  title_of_picture=$1
  shift
  python3 "$top/tests/common/svg.py" "$@" >"$work/out" 2>"$work/err"
  check "$title_of_picture"
}

# Checks that nothing of pages is cut off or lies on something else, on a phone, a screen and a sheet of paper; skipped
# without chromium.
laid_out() { # TITLE PAGE...
  if ! command -v chromium >/dev/null; then skip "$1" "no chromium"; return; fi
  title_of_pages=$1
  shift
  PYTHONDONTWRITEBYTECODE=1 python3 "$top/tests/common/laid_out.py" 390,1280,a4 "$@" >"$work/out" 2>"$work/err"
  check "$title_of_pages"
}

# The last line of a test: succeeds if all checks passed, and as many as planned.
all_well() {
  [ $failures -eq 0 ] && [ $test_number -eq "$planned" ]
}
