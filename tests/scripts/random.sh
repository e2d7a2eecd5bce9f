#!/bin/sh
# Random cars and scenarios: none gives a wrong number without a message. There are 100 of one of two fixed seeds, or
# with `scripts/test --all` 2000 of a seed from the commit.
# Usage: tests/scripts/random.sh VDSIM-RUN
# Reads scenarios/; writes a temporary folder.
set -u

[ $# -eq 1 ] || { echo "usage: tests/scripts/random.sh VDSIM-RUN" >&2; exit 2; }
exe=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/../.." || exit 2
count=100 seed=1
case ${VDSIM_SAMPLE-} in *[02468ace]) seed=2 ;; esac
if [ "${VDSIM_SAMPLE-}" = all ]; then
  drawn=$(git rev-parse HEAD 2>/dev/null | cut -c 1-7)
  count=2000 seed=$((0x${drawn:-1}))
fi
sh scripts/random -n $count -s $seed "$exe"
