#!/bin/sh
# Random cars and scenarios: none is wrong in silence. 200 of one seed, or 2000 with `scripts/test --all`.
# Usage: tests/scripts/random.sh VDSIM-RUN
# Reads scenarios/; writes a temporary folder.
set -u

[ $# -eq 1 ] || { echo "usage: tests/scripts/random.sh VDSIM-RUN" >&2; exit 2; }
exe=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/../.." || exit 2
count=200
[ "${VDSIM_SAMPLE-}" != all ] || count=2000
sh scripts/random -n $count "$exe"
