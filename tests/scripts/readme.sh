#!/bin/sh
# The examples of README.md, as printed, one after the other, in a copy of the tree like a clone, and the files that it
# names; and those of vdsim-tutorial(7), in an empty folder.
#
# A block whose first line begins with `$ ` has commands, which may continue after `\` or `|` at the end of a line. The
# lines after a command are its output, with `...` for any lines. A block after a paragraph that ends in "`NAME`:" is
# that file. Figures are compared to the digits that are shown. The expected status is 0, but 2 if the output is an
# error, and 1 if it is a claim that fails.
# Usage: tests/scripts/readme.sh VDSIM-RUN    (the copy uses its build folder)
# Reads the tree; writes a temporary folder. What needs rsvg-convert or ffmpeg is skipped without it.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
build=$(cd "$(dirname "$exe")/.." && pwd)

# NUMBER.file: name and text; NUMBER.commands; NUMBER.other: the heading; the number is that of the first line.
cat >"$work/blocks.awk" <<'AWK'

  function finish(    name) {
    if (!first) return
    if (block ~ /^\$ /) name = to "/" first ".commands"
    else if (match(before, /`[A-Za-z0-9_]+\.[a-z]+`:$/)) {
      name = to "/" first ".file"
      print substr(before, RSTART + 1, RLENGTH - 3) >name
    } else {
      name = to "/" first ".other"
      print heading >name
    }
    printf "%s", block >name
    close(name)
    first = 0
    block = blank = ""
  }
  /^$/ { blank = blank "\n"; next }
  /^    / {
    if (!first) { first = sprintf("%04d", NR); blank = "" }
    block = block blank substr($0, 5) "\n"
    blank = ""
    next
  }
  { finish(); before = $0; blank = "" }
  /^#/ { heading = $0 }
  END { finish() }
AWK
# A manual page as text of that form: literal blocks are indented, a file is named by `.Pa NAME :`.
cat >"$work/text.awk" <<'AWK'
  { gsub(/\\\(aq/, "\047"); gsub(/\\&/, ""); gsub(/\\e/, "\\") }
  /^\.Bd / { print ""; indent = "    "; next }
  /^\.Ed/ { print ""; indent = ""; next }
  indent != "" { print indent $0; next }
  /^\.Pa [A-Za-z0-9_]+\.[a-z]+ :$/ { print "`" $2 "`:"; next }
  { print "text" }
AWK
mkdir "$work/block" "$work/walk"
awk -v to="$work/block" -f "$work/blocks.awk" README.md
awk -f "$work/text.awk" man/vdsim-tutorial.7 | awk -v to="$work/walk" -f "$work/blocks.awk"

# Whether a text is as expected.
cat >"$work/compare.awk" <<'AWK'
# A half of the last digit of a number that is shown.
function half(word,    exponent, decimals) {
  exponent = match(word, /e/) ? substr(word, RSTART + 1) + 0 : 0
  sub(/e.*/, "", word)
  decimals = match(word, /\./) ? length(word) - RSTART : 0
  return 0.5 * 10 ^ (exponent - decimals)
}
function number(word) { return word ~ /^-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?$/ }
function alike(a, b,    n, i, x, y, d) {
  n = split(a, x, /[ ,]+/)
  if (split(b, y, /[ ,]+/) != n) return 0
  for (i = 1; i <= n; i++) {
    if (x[i] == y[i]) continue
    if (!number(x[i]) || !number(y[i])) return 0
    d = x[i] - y[i]
    if (!(d * d <= 1.000001 * half(x[i]) ^ 2)) return 0
  }
  return 1
}
FILENAME == ARGV[1] { expected[++count] = $0; next }
{ got[++lines] = $0 }
END {
  at = 1
  for (i = 1; i <= count; i++) {
    if (expected[i] ~ /^ *\.\.\.$/) { any = 1; continue }
    while (any && at <= lines && !alike(expected[i], got[at])) at++
    if (at > lines || !alike(expected[i], got[at])) { print "the page prints: " expected[i]; exit 1 }
    at++
    any = 0
  }
  if (count && !any && at <= lines) { print "the page does not print: " got[at]; exit 1 }
}
AWK

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
why_not() { # COMMAND
  case $1 in
    'sh scripts/test') echo "it runs this test" ;;
    vdsim-validate) echo "the test 'claims' does it" ;;
    'sh scripts/demo') echo "$missing" ;;
    scripts/compare* | vdsim-plot*) echo "$pictures" ;;
    scripts/animate*) echo "$moving" ;;
  esac
}
try() { # COMMAND, with what it prints in $work/expected
  reason=$(why_not "$1")
  if [ -n "$reason" ]; then
    skip "\$ $(printf %s "$1" | head -n 1)" "$reason"
    return
  fi
  expected=0
  ! grep -q '^  FAIL ' "$work/expected" || expected=1
  ! grep -q 'error:' "$work/expected" || expected=2
  eval "$1" >"$work/out" 2>&1
  status=$?
  awk -f "$work/compare.awk" "$work/expected" "$work/out" >"$work/err" && [ $status -eq $expected ]
  check "\$ $(printf %s "$1" | head -n 1)"
}
others=
examples() { # FOLDER of blocks
  for block in "$1"/*; do
    case $block in
      *.file) sed 1d "$block" >"$(head -n 1 "$block")" ;;
      *.other) others="$others$(head -n 1 "$block")|" ;;
      *.commands)
        command=
        while IFS= read -r line || [ -n "$line" ]; do
          case "$command:$line" in
            *\\:* | *\|:*) command="$command
$line" ;;
            *:'$ '*)
              [ -z "$command" ] || try "$command"
              command=${line#??}
              : >"$work/expected"
              ;;
            *) printf '%s\n' "$line" >>"$work/expected" ;;
          esac
        done <"$block"
        try "$command"
        ;;
    esac
  done
}
examples "$work/block"
[ "$others" = '## The tree|' ]
check "every block but that of the tree is a file or has commands" "$block"
if [ -n "$missing" ]; then
  skip "the demo builds what it needs alone" "$missing"
else
  [ "$(grep '^cli/' "$work/built" | tr '\n' ' ')" = 'cli/vdsim-run cli/vdsim-plot ' ]
  check "the demo builds what it needs alone" "$work/built"
fi

# --- the files that it names ---
# Those of scenarios/ may be named without this folder, vdsim.h without lib/.
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
  [ -n "$pictures" ] && [ "${name%.png}" != "$name" ] || echo "$name"
done <"$work/named" >"$work/absent"
[ "$(wc -l <"$work/named")" -gt 40 ] && [ ! -s "$work/absent" ]
check "every file that it names is there, and that of the package" "$work/absent"

sed -n '/^## The tree/,/^## /s/^    \([a-z]*\/\).*/\1/p' README.md >"$work/named"
while IFS= read -r name; do [ -d "$name" ] || echo "$name"; done <"$work/named" >"$work/absent"
[ "$(wc -l <"$work/named")" -ge 5 ] && [ ! -s "$work/absent" ]
check "every folder of its tree is there" "$work/absent"

sed -n '/^## The tree/,/^## More/p' README.md | tr -c 'a-z0-9_-' '\n' | sort -u >"$work/named"
{ ls -d lib/*/ scenarios/*/ && find scripts -type f -perm -u+x ! -name '*.in'; } |
  sed 's|/$||; s|.*/||' | sort -u | comm -23 - "$work/named" >"$work/absent"
[ ! -s "$work/absent" ]
check "its tree has every folder of lib and scenarios, and every script" "$work/absent"

# --- the tutorial ---
others=
mkdir "$work/empty"
cd "$work/empty" || exit 2
examples "$work/walk"
[ -z "$others" ] && [ "$(grep -c '^\.Sh [1-8]\. ' "$top/man/vdsim-tutorial.7")" -eq 8 ]
check "the walk has eight steps, and every block of it is a file or has commands"
all_well
