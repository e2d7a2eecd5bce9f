#!/bin/sh
# The manual: pages are clean mdoc, their generated parts are up to date, and every example has the output on the page.
# Usage: tests/scripts/man.sh VDSIM-RUN
# Reads man/ and scenarios/; writes a temporary folder, where also `-o out` of the examples goes.
#
# Examples are the lines `.Dl $ command` and the lines "$ command" of literal blocks; they run from the top of the
# repository, and lines after a command in a block are the beginning of its output. A literal block after the comment
# `.\" example: KIND` is YAML: a scenario, a rig, a fit, a track_car, a study, a vehicle or a tyre, with file names from
# the top of the repository. Examples that take seconds run for one commit of four.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

# The examples call `vdsim-run`, whatever the name of the executable; the other tools are beside it.
mkdir "$work/bin" "$work/run" "$work/yaml"
command_for() { # NAME EXE
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
command_for vdsim-run "$exe"
for tool in vdsim-kc-sweep vdsim-xcheck vdsim-validate vdsim-plot; do
  command_for $tool "$(dirname "$exe")/$tool"
done
PATH=$work/bin:$PATH
export PATH

# Writes every example to files: run/N.sh and run/N.out (expected output, may be empty), or yaml/N.KIND; N.where has its
# line.
awk -v work="$work" '
  function plain(text) {
    gsub(/\\\(aq/, "\x27", text)
    gsub(/\\-/, "-", text)
    gsub(/\\&/, "", text)
    gsub(/\\e/, "\\", text)
    return text
  }
  function start(command) {
    base = work "/run/" ++runs
    sub(/ -o out /, " -o " work "/results ", command)
    print command >(base ".sh")
    printf "" >(base ".out")
    print FILENAME ":" FNR >(base ".where")
    command_goes_on = command ~ /\\$/
    in_run = 1
  }
  FILENAME ~ /vdsim-(tutorial|guide)/ { next } # tests/scripts/readme.sh and guides.sh run their examples
  FNR == 1 { block = 0; kind = "" }
  /^\.Dl \$ / { start(plain(substr($0, 7))); in_run = 0; next }
  /^\.\\" example: / { kind = $3; next }
  /^\.Bd -literal/ {
    block = 1
    in_run = 0
    if (kind != "") {
      file = work "/yaml/" ++yamls "." kind
      print FILENAME ":" FNR >(work "/yaml/" yamls ".where")
    }
    next
  }
  /^\.Ed/ { block = 0; kind = ""; in_run = 0; next }
  !block { next }
  kind != "" { print plain($0) >file; next }
  /^\$ / { start(plain(substr($0, 3))); next }
  in_run && command_goes_on { line = plain($0); print line >(base ".sh"); command_goes_on = line ~ /\\$/; next }
  in_run { print plain($0) >(base ".out") }
' man/*.[1-9]

count() { find "$1" -name '*.where' | awk 'END { print NR }'; }
pages=$(ls man/*.[1-9])
page_count=$(echo "$pages" | awk 'END { print NR }')
runs=$(count "$work/run")
yamls=$(count "$work/yaml")

plan $((2 * page_count + 5 + runs + yamls))
ok() { # STATUS TITLE
  [ "$1" -eq 0 ]
  check "$2" /dev/null
}
show() { sed 's/^/# /' "$1"; }

for page in $pages; do
  if command -v mandoc >/dev/null; then
    mandoc -Tlint -Wwarning "$page" >"$work/lint" 2>&1
    status=$?
    [ -s "$work/lint" ] && status=1
    ok $status "$page: mandoc finds no fault"
    show "$work/lint"
  else
    skip "$page: mandoc finds no fault" "no mandoc"
  fi
  if command -v groff >/dev/null && [ -n "$(find /usr/share/groff -name doc.tmac 2>/dev/null)" ]; then
    groff -e -mdoc -ww -z "$page" >"$work/lint" 2>&1
    status=$?
    [ -s "$work/lint" ] && status=1 # groff warns and exits 0
    ok $status "$page: groff finds no fault"
    show "$work/lint"
  else
    skip "$page: groff finds no fault" "no groff"
  fi
done

sh scripts/update-man --check "$exe" >"$work/stale" 2>&1
status=$?
ok $status "keys, channels and metrics in the pages agree with the program"
show "$work/stale"

awk '/^\.Dl / { line = $0; gsub(/\\\(aq/, "x", line); gsub(/\\[&e]/, "", line)
  if (length(line) > 76) { print FILENAME ":" FNR ": " $0; bad = 1 } } END { exit bad }' man/*.[1-9] >"$work/wide"
ok $? "no example of one line is wrapped on the page"
show "$work/wide"

# The synopsis names each option by its long or its short name.
: >"$work/missing"
for tool in vdsim-run vdsim-validate vdsim-kc-sweep vdsim-xcheck vdsim-plot; do
  sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p' "man/$tool.1" | tr ' ' '\n' | sed 's/^-*//' >"$work/messages"
  $tool --help | sed -n 's/^ \{2,6\}\(-\([a-z]\), \)\{0,1\}--\([a-z0-9-]*\).*/\3 \2/p' | while read -r long short; do
    grep -qx -e "$long" ${short:+-e "[qv]*${short}[vx]*"} "$work/messages" || echo "$tool --$long" >>"$work/missing"
  done
done
[ ! -s "$work/missing" ]
ok $? "the synopses have every option of the help"
show "$work/missing"

[ "$runs" -ge 6 ]
ok $? "there are examples to run ($runs)"
[ "$yamls" -ge 6 ]
ok $? "there are examples to check ($yamls)"

# Examples that take seconds; the commands in them have tests of their own. No commit runs both groups of them.
slow=
drawn 1 4 || slow='/\*[.]yaml\|scenarios/fit/\(car\|roll_stiffness\)[.]yaml\|single_track/\*'
drawn 3 4 || slow="${slow:+$slow\\|}mutate -c\\|lap_sensitivities\\|racing_line"
n=1
while [ $n -le "$runs" ]; do
  title="$(cat "$work/run/$n.where"): $(head -n 1 "$work/run/$n.sh")"
  if [ "$slow" ] && grep -q "$slow" "$work/run/$n.sh"; then
    skip "$title" "one commit of four runs it"
    n=$((n + 1))
    continue
  fi
  sh "$work/run/$n.sh" >"$work/out" 2>"$work/err"
  status=$?
  lines=$(awk 'END { print NR }' "$work/run/$n.out")
  if [ "$lines" -gt 0 ]; then
    head -n "$lines" "$work/out" >"$work/begin"
    cmp -s "$work/begin" "$work/run/$n.out" || { status=1; diff "$work/run/$n.out" "$work/begin" >>"$work/err"; }
  fi
  ok $status "$title"
  show "$work/err"
  n=$((n + 1))
done

# File names in the examples are relative to the top folder; the files of the examples are in another folder.
n=1
while [ $n -le "$yamls" ]; do
  where=$(cat "$work/yaml/$n.where")
  for file in "$work/yaml/$n".*; do
    case $file in *.where) continue ;; esac
    kind=${file##*.}
    sed "s,scenarios/\([a-z]*/[a-z0-9_]*\.\(yaml\|obj\|csv\)\),$top/scenarios/\1,g" "$file" >"$work/yaml/$n.yaml"
    set -- "$exe" --check
    case $kind in
      scenario) set -- "$@" "$work/yaml/$n.yaml" ;;
      vehicle) set -- "$@" --set "vehicle='$work/yaml/$n.yaml'" scenarios/iso/step_steer.yaml ;;
      rig | fit | track_car | study | optimise | envelope | moment_diagram | lap) set -- "$@" "$work/yaml/$n.yaml" ;;
      tyre) set -- "$@" --set "vehicle.front.tyre='$work/yaml/$n.yaml'" scenarios/iso/step_steer.yaml ;;
      *) set -- false ;;
    esac
    "$@" >"$work/err" 2>&1
    ok $? "$where: $kind passes --check"
    show "$work/err"
  done
  n=$((n + 1))
done

all_well
