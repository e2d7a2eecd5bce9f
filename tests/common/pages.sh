#!/bin/sh
# shellcheck disable=SC2154,SC2034 # tap.sh makes work; tests set and read others
#
# Functions that run the examples of pages as printed; read after tap.sh.
#
# A block whose first line begins with `$ ` has commands, which may continue after `\` or `|` at the end of a line. The
# lines after a command are its output, with `...` for any lines. A block after a paragraph that ends in "`NAME`:" is
# that file. Figures are compared to the digits that are shown. The expected status is 0, but 2 if the output is an
# error, and 1 if it is a claim that fails.
#
# A test defines why_not COMMAND, which prints why a command cannot be tried here. It sets `others`, to which this file
# adds the headings of blocks that are neither files nor commands.

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
# Checks that a text is as expected.
cat >"$work/compare.awk" <<'AWK'
# Returns half of the last digit of a number that is shown.
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
