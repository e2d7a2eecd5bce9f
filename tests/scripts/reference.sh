#!/bin/sh
# The tables of validation/data agree with the output of the programs in validation/reference. Two programs are run for
# each commit.
# Usage: tests/scripts/reference.sh VDSIM-RUN    (which is not run)
# Reads validation/; writes a temporary folder. Skipped without python3.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
need_python

programs=$(cd validation/reference && find . -maxdepth 1 -name '*.py' | sed 's|^\./||; s|\.py$||' | sort)
everyone=$(echo "$programs" | wc -l)
# shellcheck disable=SC2046 # words
set -- $(echo "$programs" | sample 2)
plan $((2 * $# + 4))

tables() { # FOLDER
  (cd "$1" && find . -name '*.csv' | sed 's|^\./||' | LC_ALL=C sort)
}

for program; do
  mkdir "$work/$program"
  python3 -B "validation/reference/$program.py" "$work/$program" >"$work/out" 2>&1 && [ ! -s "$work/out" ] &&
    [ -n "$(tables "$work/$program")" ]
  check "validation/reference/$program.py writes tables" "$work/out"
  for table in $(tables "$work/$program"); do
    cmp "$work/$program/$table" "validation/data/$table"
  done >"$work/differ" 2>&1
  [ ! -s "$work/differ" ]
  check "the computed files agree with those in validation/data, byte for byte" "$work/differ"
done

for program; do tables "$work/$program"; done | sort >"$work/written"
uniq -d "$work/written" >"$work/twice"
[ ! -s "$work/twice" ]
check "no two programs write one table" "$work/twice"

# Results of other programs and measurements are in folders of their own. test-mf_paper compares the tables of the Magic
# Formula with tests/common/mf_paper.c, a second implementation in C; the other tables are inputs.
cat >"$work/other" <<'END'
^chrono/
^measured/
^tyre/paper_mf
^tyre/synthetic_mf61_reference.csv$
^tyre/pac02_reference.csv$
^kc/synthetic_hardpoints.csv$
^tyre/sine_history.csv$
^classes/ranges.csv$
^cones/
^driven_lap/bends.csv$
END
every="every other table of validation/data is written by one of them"
if [ $# -eq "$everyone" ]; then
  tables validation/data | grep -v -f "$work/other" | diff "$work/written" - >"$work/differ"
  check "$every" "$work/differ"
else
  skip "$every" "a part of them was run: VDSIM_SAMPLE=all sh scripts/test reference"
fi

grep -rhoE '[^ ",;:(]*reference/[a-z_0-9]+\.py' validation --include='*.yaml' --include='*.md' | sed 's|.*/||' |
  sort -u >"$work/named"
echo "$programs" | sed 's/$/.py/' | diff "$work/named" - >"$work/differ"
check "claims name each of these programs, and no others" "$work/differ"

# a table must be named in a key, where $each stands for any text, and not only in a comment or a source
# shellcheck disable=SC2016 # $ is that of sed and of each
find validation -name '*.yaml' -exec sed 's/#.*//; /^ *source:/d' {} + | grep -oE '[^] "[,=]*\.csv' | sort -u |
  sed 's|^\(\.\./\)*||; s|^data/||; s|\.|\\.|g; s|\$each|[^/]+|g; /^\[/d; s|.*|^(\\./)?(.*/)?&$|' >"$work/read"
grep -vE -f "$work/read" "$work/written" >"$work/unread"
[ ! -s "$work/unread" ]
check "each of the tables is read by a claim" "$work/unread"
all_well
