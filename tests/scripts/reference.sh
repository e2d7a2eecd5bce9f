#!/bin/sh
# The tables of other programs in validation/reference/ are what these programs write.
# Usage: tests/scripts/reference.sh VDSIM-RUN    (which is not asked)
# Reads validation/; writes a temporary folder. Skipped without python3.
set -u

command -v python3 >/dev/null || { echo "1..0 # SKIP no python3"; exit 0; }

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 3
mkdir "$work/commonroad"
python3 -B validation/reference/commonroad.py "$work/commonroad" >"$work/out" 2>&1
check "CommonRoad's single tracks have the rates that it publishes at one state" "$work/out"
for table in "$work"/commonroad/*.csv; do
  cmp "$table" "validation/data/commonroad/$(basename "$table")"
done >"$work/differ" 2>&1
[ ! -s "$work/differ" ]
check "the tables of CommonRoad's single tracks are what validation/reference/commonroad.py writes" "$work/differ"
find "$work/commonroad" -name '*.csv' | sed 's|.*/||' | sort >"$work/written"
(cd validation/data/commonroad && ls -- *.csv) | sort | diff - "$work/written" >"$work/differ"
check "each of these tables is written by it" "$work/differ"
all_well
