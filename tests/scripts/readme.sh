#!/bin/sh
# Runs the examples of README.md, as printed, one after the other, in a copy of the tree, and checks that the files that
# it names exist. Runs the examples of vdsim-tutorial(7) in an empty folder.
#
# tests/common/pages.sh says how pages are read and judged.
# Usage: tests/scripts/readme.sh VDSIM-RUN    (the copy uses its build folder)
# Reads the tree; writes a temporary folder. Examples that take long are run for one commit of four. Examples that need
# rsvg-convert or ffmpeg are skipped without it.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
# shellcheck source=tests/common/pages.sh
. "$top/tests/common/pages.sh"
build=$(cd "$(dirname "$exe")/.." && pwd)

mkdir "$work/block" "$work/walk"
awk -v to="$work/block" -f "$work/blocks.awk" README.md
awk -f "$work/text.awk" man/vdsim-tutorial.7 | awk -v to="$work/walk" -f "$work/blocks.awk"

commands=$(cat "$work"/block/*.commands "$work"/walk/*.commands | grep -c '^\$ ')
plan $((commands + 8))

# --- the clone ---
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  git ls-files -co --exclude-standard | while IFS= read -r file; do [ ! -f "$file" ] || printf '%s\n' "$file"; done
else
  find . -type f ! -path './build*' ! -path './out/*'
fi >"$work/files"
mkdir "$work/clone"
tar -cf - -T "$work/files" | tar -xf - -C "$work/clone"
check "a copy of the tree is made"
DESTDIR=$work/root meson install -C "$build" --no-rebuild --quiet >"$work/out" 2>"$work/err"
check "the build is installed"
PKG_CONFIG_SYSROOT_DIR=$work/root
PKG_CONFIG_PATH=$(dirname "$(find "$work/root" -name vdsim.pc)")
LD_LIBRARY_PATH=$(dirname "$(find "$work/root" -name libvdsim.so)")
export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_PATH LD_LIBRARY_PATH

# The demo finds a finished build, and installs no packages.
ln -s "$build" "$work/clone/build"
mkdir "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/apt-get"
cp "$work/bin/apt-get" "$work/bin/sudo"
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>%s/built\n' "'$work'" >"$work/bin/ninja"
chmod +x "$work/bin/apt-get" "$work/bin/sudo" "$work/bin/ninja"
PATH=$work/bin:$PATH
cd "$work/clone" || exit 2
missing=
sh scripts/setup >/dev/null 2>&1 || missing="packages are missing: scripts/setup"
pictures=
command -v rsvg-convert >/dev/null || pictures="no rsvg-convert"
command -v ffmpeg >/dev/null && moving=$pictures || moving="no ffmpeg"

# --- the examples ---
# Examples that take ten seconds; the commands in them have tests of their own. No commit runs two groups of them.
one='one commit of four runs it'
drawn 0 4 && handling='' || handling=$one
drawn 2 4 && animate='' || animate=$one
drawn 3 4 && study='' || study=$one
why_not() { # COMMAND
  case $1 in
    'sh scripts/test') echo "it runs this test" ;;
    vdsim-validate) echo "the test 'claims' does it" ;;
    'sh scripts/demo') echo "$missing" ;;
    scripts/compare* | vdsim-plot*) echo "$pictures" ;;
    scripts/animate*) echo "${moving:-$animate}" ;;
    *' --handling '* | *handling.summary.csv) echo "$handling" ;;
    *turn_indices*) echo "$study" ;;
  esac
}
examples "$work/block"
[ "$others" = '## The tree|' ]
check "every block, except the tree of folders, is a file or has commands" "$block"
if [ -n "$missing" ]; then
  skip "the demo builds only what it needs" "$missing"
else
  [ "$(grep '^cli/' "$work/built" | tr '\n' ' ')" = 'cli/vdsim-run cli/vdsim-plot ' ]
  check "the demo builds only what it needs" "$work/built"
fi

# --- the files that README.md names ---
# Files of scenarios/ may be named without this folder, vdsim.h without lib/.
sed 's/#include <stdio.h>//' README.md python/README.md | tr -c 'A-Za-z0-9_./*\n-' ' ' |
  awk '{ for (i = 1; i <= NF; i++) print $i }' |
  sed 's/[.]*$//; s|^-*||' |
  grep -E -e '(^|/)[A-Za-z0-9_*]+\.(yaml|csv|c|h|md|html|png)$' \
    -e '^(baselines|build|cli|lib|man|out|report|scenarios|scripts|tests|validation)/' |
  sort -u >"$work/named"
while IFS= read -r name; do
  for path in "$name" "scenarios/$name" "lib/$name"; do
    # shellcheck disable=SC2086 # it may be a glob
    set -- $path
    [ ! -e "$1" ] || continue 2
  done
  case $name in
    *.png) [ -n "$pictures" ] || echo "$name" ;;
    page/handling.html) [ -n "$handling" ] || echo "$name" ;;
    *) echo "$name" ;;
  esac
done <"$work/named" >"$work/absent"
[ "$(wc -l <"$work/named")" -gt 40 ] && [ ! -s "$work/absent" ]
check "every file that README.md and the README of the package name exists" "$work/absent"

sed -n '/^## The tree/,/^## /s/^    \([a-z]*\/\).*/\1/p' README.md >"$work/named"
while IFS= read -r name; do [ -d "$name" ] || echo "$name"; done <"$work/named" >"$work/absent"
[ "$(wc -l <"$work/named")" -ge 5 ] && [ ! -s "$work/absent" ]
check "every folder in the README's tree exists" "$work/absent"

sed -n '/^## The tree/,/^## More/p' README.md | tr -c 'a-z0-9_-' '\n' | sort -u >"$work/named"
{ ls -d lib/*/ scenarios/*/ && find scripts -type f -perm -u+x ! -name '*.in'; } |
  sed 's|/$||; s|.*/||' | sort -u | comm -23 - "$work/named" >"$work/absent"
[ ! -s "$work/absent" ]
check "the README's tree has every folder of lib and scenarios, and every script" "$work/absent"

# --- the tutorial ---
others=
mkdir "$work/empty"
cd "$work/empty" || exit 2
examples "$work/walk"
[ -z "$others" ] && [ "$(grep -c '^\.Sh [1-8]\. ' "$top/man/vdsim-tutorial.7")" -eq 8 ]
check "the tutorial has eight steps, and every block is a file or has commands"
all_well
