#!/bin/sh
# Reads mutated inputs with every reader; the commit is the seed. There are five inputs for each reader of the built
# programs; with `scripts/test --all` 100, for programs with the sanitizers of addresses and of undefined behaviour.
# Usage: tests/scripts/mutated.sh VDSIM-RUN    (the other programs are beside it)
# Reads the tree; writes a temporary folder, and out/mutated: inputs that fail.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
need_python
programs=$(dirname "$exe") count=5
if [ "$seed" = all ]; then
  count=100 seed=$(git rev-parse HEAD 2>/dev/null || echo 1)
  programs=$work/build/cli
  echo 'int main(void) { return 0; }' >"$work/main.c"
  if ! ${CC:-cc} -fsanitize=address,undefined -o "$work/main" "$work/main.c" 2>"$work/err" || ! "$work/main"; then
    echo "1..0 # SKIP the compiler has no sanitizers"
    exit 0
  fi
  if ! { meson setup "$work/build" -Doptimization=1 -Db_sanitize=address,undefined \
    -Dc_args=-fno-sanitize-recover=all &&
    ninja -C "$work/build" cli/vdsim-run cli/vdsim-kc-sweep cli/vdsim-xcheck cli/vdsim-validate; } >"$work/out" 2>&1
  then
    tail -n 20 "$work/out" >&2
    exit 1
  fi
fi
PYTHONDONTWRITEBYTECODE=1 python3 tests/common/mutated.py "$programs" $count "$seed"
