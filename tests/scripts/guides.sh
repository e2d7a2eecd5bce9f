#!/bin/sh
# Runs the examples of the guides, vdsim-guide-*(7), as printed, each guide in an empty folder, and checks that the
# channels in the glossary exist.
# Usage: tests/scripts/guides.sh VDSIM-RUN
# tests/common/pages.sh says how pages are read and judged. Reads man/; writes a temporary folder. Pictures are skipped
# without rsvg-convert, programs without a compiler.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
# shellcheck source=tests/common/pages.sh
. "$top/tests/common/pages.sh"
build=$(cd "$(dirname "$exe")/.." && pwd)
why_not() { # COMMAND
  case $1 in
    vdsim-plot*) command -v rsvg-convert >/dev/null || echo "no rsvg-convert" ;;
    cc*) command -v cc >/dev/null || echo "no compiler" ;;
  esac
}

# uses libvdsim of the build; tests/scripts/readme.sh tries an installed one
LD_LIBRARY_PATH=$(dirname "$(find "$build" -name libvdsim.so)")
mkdir "$work/bin"
printf '#!/bin/sh\necho "-I%s/lib -L%s -lvdsim"\n' "$top" "$LD_LIBRARY_PATH" >"$work/bin/pkg-config"
chmod +x "$work/bin/pkg-config"
PATH=$work/bin:$(dirname "$exe"):$PATH
export LD_LIBRARY_PATH PATH

guides=
for page in man/vdsim-guide-*.7; do
  name=$(basename "$page" .7)
  guides="$guides $name"
  mkdir "$work/$name" "$work/$name.blocks"
  awk -f "$work/text.awk" "$page" | awk -v to="$work/$name.blocks" -f "$work/blocks.awk"
done
plan $(($(cat "$work"/*.blocks/*.commands | grep -c '^\$ ') + 3))

others=
for name in $guides; do
  cd "$work/$name" || exit 2
  examples "$work/$name.blocks"
done
cd "$top" || exit 2
[ "$(echo "$guides" | wc -w)" -eq 7 ]
check "there are seven guides"
# the three blocks: rows of a tyre test, a controller from another tool, and a command for Slurm
[ "$others" = '|||' ]
check "all blocks except three are files or have commands"
"$exe" --list-channels | cut -f 1 >"$work/channels"
tr -c 'a-zN0-9_' '\n' <man/vdsim-guide-words.7 | grep -E '_(mps2?|radps|rad|N|m)$' | grep -v gain |
  sort -u >"$work/named"
[ "$(wc -l <"$work/named")" -gt 10 ] && ! grep -vxF -f "$work/channels" "$work/named" >"$work/out"
check "the channels that the glossary names exist"
all_well
