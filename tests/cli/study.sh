#!/bin/sh
# Studies by vdsim-run: equal bytes for any number of processes and shards, and after any number of kills.
# Usage: tests/cli/study.sh VDSIM-RUN
# Reads scenarios/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 72

# --- a grid of 1000 short runs

cat >"$work/grid.yaml" <<END
kind: study
scenario: $top/scenarios/road/linear_step.yaml
set: [run.duration=2.5 s]
vary:
  - {name: mass, key: vehicle.mass, type: range, from: 1200 kg, to: 1.77 t, points: 20}
  - {name: speed, key: [initial.speed, speed.value], type: range, from: 36 km/h, to: 34, points: 25}
  - {name: level, key: run.level, type: list, values: [L0, L1]}
constraints:
  - {formula: mass*speed, below: 50000}
metrics: [yaw_rate_steady_radps, peak_ay_mps2]
END
run --count "$work/grid.yaml"
[ $status -eq 0 ] && [ "$(cat "$work/out")" = 1000 ]
check "--count prints the number of cases"
run --dry-run "$work/grid.yaml"
[ $status -eq 0 ] && [ "$(awk 'END { print NR }' "$work/out")" = 1001 ] &&
  [ "$(sed -n 1p "$work/out")" = "case,status,mass_kg,speed_mps,level" ] &&
  grep -q '^999,excluded,1770,34,L1$' "$work/out" &&
  grep -q '^1,,1200,10,L1$' "$work/out"
check "--dry-run prints the values of all cases, and which are excluded"
run -q -o "$work/one" "$work/grid.yaml"
[ $status -eq 0 ] && [ ! -s "$work/err" ] && [ "$(awk 'END { print NR }' "$work/one/grid.csv")" = 1001 ]
check "a study writes a row for each case"
awk -F , 'NR > 1 && ($3 * $4 < 50000) != ($2 == "ok") { exit 1 }' "$work/one/grid.csv"
check "cases are excluded where the constraint does not hold" "$work/one/grid.csv"
# linear theory: V delta/(L + K V^2) at L1, V tan(delta)/L at L0; a case also agrees with its single run
run --metrics - --set vehicle.mass="$(awk -F , '$1 == 303 { print $3 }' "$work/one/grid.csv")" \
  --set initial.speed="$(awk -F , '$1 == 303 { print $4 }' "$work/one/grid.csv")" \
  --set speed.value="$(awk -F , '$1 == 303 { print $4 }' "$work/one/grid.csv")" --set run.level=L1 \
  --set run.duration=2.5 \
  scenarios/road/linear_step.yaml
awk -F , 'NR == FNR { if ($1 == "yaw_rate_steady_radps") y = $2; if ($1 == "peak_ay_mps2") a = $2; next }
  $1 == 303 { exit !($7 == y && $6 == a) }' "$work/out" "$work/one/grid.csv"
check "a case has the metrics of its single run" "$work/one/grid.csv"
"$exe" -q -o - "$work/grid.yaml" >"$work/stdout.csv" && cmp -s "$work/stdout.csv" "$work/one/grid.csv"
check "on standard output the table is the same"
run -q -j 2 -o "$work/two" "$work/grid.yaml"
cmp -s "$work/one/grid.csv" "$work/two/grid.csv" && cmp -s "$work/one/grid.metrics.csv" "$work/two/grid.metrics.csv"
check "two processes give the same bytes"
for i in 1 2 3 4 5 6 7; do
  "$exe" -q --shard $i/7 -o "$work/shard$i" "$work/grid.yaml" || echo "shard $i failed"
done >"$work/out" 2>&1
run -q --merge -o "$work/seven" "$work/shard3" "$work/shard1" "$work/shard2" "$work/shard7" "$work/shard5" \
  "$work/shard6" "$work/shard4"
[ $status -eq 0 ] && cmp -s "$work/one/grid.csv" "$work/seven/grid.csv"
check "seven shards, merged in any order, give the same bytes"
run -q --resume -o "$work/seven" "$work/grid.yaml"
[ $status -eq 0 ] && cmp -s "$work/one/grid.metrics.csv" "$work/seven/grid.metrics.csv"
check "--resume of a merged study adds its figures"
grep -q '^shard: 3/7$' "$work/shard3/grid.provenance.yaml" && ! grep -q '^shard' "$work/seven/grid.provenance.yaml" &&
  grep -q '^cases: 1000$' "$work/seven/grid.provenance.yaml"
check "the provenance distinguishes a shard from the whole study"

# --- kills

killed=0
rounds=0
while [ $killed -lt 10 ] && [ $rounds -lt 60 ]; do
  rounds=$((rounds + 1))
  setsid "$exe" -q -j 2 --resume -o "$work/killed" "$work/grid.yaml" 2>"$work/err" &
  pid=$!
  sleep "0.0$((10 + rounds * 7 % 20))" # the ten pauses together take a third of the time of the whole study
  if kill -KILL $pid 2>/dev/null; then killed=$((killed + 1)); fi
  wait $pid 2>/dev/null
done 2>/dev/null
echo "killed $killed times in $rounds rounds" >"$work/out"
[ $killed -eq 10 ]
check "a study is killed ten times"
run -q -j 2 --resume -o "$work/killed" "$work/grid.yaml"
[ $status -eq 0 ] && cmp -s "$work/one/grid.csv" "$work/killed/grid.csv" &&
  cmp -s "$work/one/grid.metrics.csv" "$work/killed/grid.metrics.csv"
check "a killed study that is resumed gives the same bytes"
[ -z "$(find "$work/killed" -name '.*')" ] || rm -f "$work/killed"/.*.csv
printf '5 0.1 000' >>"$work/killed/grid.journal"
run -q --resume -o "$work/killed" "$work/grid.yaml"
[ $status -eq 0 ] && cmp -s "$work/one/grid.csv" "$work/killed/grid.csv"
check "a broken last line of the journal is ignored"

# --- a full disk, a folder that cannot be written, two processes in one folder

(
  trap '' XFSZ
  ulimit -f 40
  exec "$exe" -q -j 2 -o "$work/full" "$work/grid.yaml" 2>"$work/err"
)
status=$?
[ $status -eq 2 ] && grep -q 'grid.journal.: File too large' "$work/err" && [ ! -e "$work/full/grid.csv" ]
check "a study ends when its journal cannot be written"
[ "$(tail -c 1 "$work/full/grid.journal" | od -An -tx1 | tr -d ' ')" = 0a ]
check "the journal on a full disk ends with a whole line"
run -q -j 2 --resume -o "$work/full" "$work/grid.yaml"
[ $status -eq 0 ] && cmp -s "$work/one/grid.csv" "$work/full/grid.csv"
check "a study that ended at a full disk is resumed to the same bytes"
sed 's/points: 20/points: 2/; $ a histories: all' "$work/grid.yaml" >"$work/kept.yaml"
mkdir "$work/kept" && : >"$work/kept/kept.cases"
run -q -j 2 -o "$work/kept" "$work/kept.yaml"
[ $status -eq 2 ] && grep -q 'kept.cases/' "$work/err" && [ ! -e "$work/kept/kept.csv" ]
check "a study ends if a time history cannot be written"
rm "$work/kept/kept.cases"
run -q -j 2 --resume -o "$work/kept" "$work/kept.yaml"
[ $status -eq 0 ] &&
  [ "$(find "$work/kept/kept.cases" -name '*.csv' | awk 'END { print NR }')" = \
    "$(grep -c ',ok,' "$work/kept/kept.csv")" ]
check "--resume computes the case of a broken line again"
sed '$ a design: {type: random, count: 90000000}' "$work/grid.yaml" >"$work/long.yaml"
"$exe" -q -o "$work/long" "$work/long.yaml" 2>/dev/null &
pid=$!
while [ ! -s "$work/long/long.journal" ] && kill -0 $pid 2>/dev/null; do sleep 0.05; done
run --resume -o "$work/long" "$work/long.yaml"
kill -TERM $pid
wait $pid 2>/dev/null
[ $status -eq 2 ] && grep -q 'another process works on it' "$work/err"
check "two processes do not write one journal"

# --- a process that dies

sed 's/=2.5 s/=0.01 s/; $ a design: {type: random, count: 8000}' "$work/grid.yaml" >"$work/dies.yaml"
"$exe" -j 2 "$work/dies.yaml" >"$work/out" 2>"$work/err" &
pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
  sleep 0.1
  child=$(ps -A -o pid= -o ppid= | awk -v parent=$pid '$2 == parent { print $1; exit }')
  [ -n "$child" ] && kill -KILL "$child" && break
done
wait $pid
status=$?
[ $status -eq 3 ] && [ "$(grep -c 'died: signal 9' "$work/out")" = 1 ] &&
  [ "$(awk 'END { print NR }' "$work/out")" = 8001 ] &&
  grep -q '1 of its cases died' "$work/err"
check "a case whose process is killed has died, and the others are computed"

# --- refusals

refused() { # PATTERN TITLE
  [ $status -eq 2 ] && [ ! -s "$work/out" ] && grep -q -e "$1" "$work/err"
  check "$2"
}
run -o "$work/one" "$work/grid.yaml"
refused "grid.journal' exists already: --resume continues" "a study does not overwrite another one"
sed 's/points: 25/points: 24/' "$work/grid.yaml" >"$work/other.yaml"
mkdir "$work/other" && cp "$work/one/grid.journal" "$work/other/other.journal"
run --resume -o "$work/other" "$work/other.yaml"
refused "belongs to a study with other inputs" "--resume refuses a study that has changed"
run --resume --exact -o "$work/one" "$work/grid.yaml"
refused "belongs to a study with other inputs or options" "--exact, which changes the digits, makes it another study"
run --merge -o "$work/gap" "$work/shard1" "$work/shard2"
refused "is in none of the folders, which contain 286 of 1000 cases" "--merge refuses gaps"
[ ! -e "$work/gap/grid.csv" ] && [ ! -e "$work/gap/grid.journal" ]
check "--merge with gaps leaves no file"
run --merge -o "$work/gap" "$work/shard1" "$work/shard2" "$work/shard1"
refused "case 0 is in another folder, too" "--merge refuses duplicates"
"$exe" -q --shard 2/7 --set design=one_at_a_time -o "$work/odd" "$work/grid.yaml"
run --merge -o "$work/gap" "$work/shard1" "$work/odd"
refused "with other inputs" "--merge refuses another study"
mkdir "$work/blocked" "$work/shards[1]" && mkdir "$work/blocked/kept.csv" &&
  cp "$work"/kept/kept.[jr]* "$work/shards[1]"
run --merge -o "$work/blocked" "$work/shards[1]"
[ $status -eq 2 ] && [ ! -e "$work/blocked/kept.journal" ]
check "a --merge whose table cannot be written can be repeated"
rmdir "$work/blocked/kept.csv"
run -q --merge -o "$work/blocked" "$work/shards[1]"
[ $status -eq 0 ] && cmp -s "$work/kept/kept.csv" "$work/blocked/kept.csv"
check "--merge takes folders of any name"
run --merge -o "$work/gap" "$work"
refused "contains no journal" "--merge needs journals"
run --shard 8/7 -o "$work/gap" "$work/grid.yaml"
refused "'--shard 8/7': I/N is needed" "--shard needs I up to N"
run --shard 1/2 "$work/grid.yaml"
refused "need '-o DIR'" "a shard needs a folder"
run --case 1000 "$work/grid.yaml"
refused "the study has 1000 cases, from 0" "--case needs the number of a case"
run -c yaw_rate_radps "$work/grid.yaml"
refused "'-c' is for single runs" "channels are for single runs"
run --resume scenarios/iso/step_steer.yaml
refused "'--resume' is for studies" "--resume is for studies"


# --- factors

# a formula may use its own key, whose value in the scenario is 1573 kg; an empty word keeps the value of the scenario
cat >"$work/own.yaml" <<END
kind: study
scenario: $top/scenarios/road/linear_step.yaml
set: [run.duration=0.1 s]
vary:
  - {name: level, key: run.level, type: list, values: [L0, "L1\n,L2"]}
  - {name: mass, key: vehicle.mass, type: formula, formula: 2*vehicle.mass}
design: one_at_a_time
metrics: duration_s
END
run -q "$work/own.yaml"
[ $status -eq 0 ] && grep -q '^0,ok,,3146,0.1$' "$work/out" && grep -q '^1,ok,L0,3146,0.1$' "$work/out"
check "a formula may use the number that its key has in the scenario"
[ "$(awk 'END { print NR }' "$work/out")" = 4 ] && grep -q '^2,"refused: .*","L1 ,L2",3146,$' "$work/out"
check "a case has one line, even if a word contains a line end" "$work/out"
cat >"$work/wrong.yaml" <<END
kind: study
scenario: $top/scenarios/road/linear_step.yaml
vary:
  - {name: double, type: formula, formula: 2*vehicle.mass}
  - {name: mass, key: vehicle.mass, type: list, values: [1200, 1300]}
  - {name: again, key: vehicle.mass, type: list, values: [1400]}
END
run "$work/wrong.yaml"
refused "'vehicle.mass' is varied by 'mass' already" "a key has one factor"
refused "'vehicle.mass' is varied by a later factor" "a varied key stands before formulas of it"
cat >"$work/wrong.yaml" <<END
kind: study
scenario: $top/scenarios/road/linear_step.yaml
vary: [{name: duration, key: run.duration, type: list, values: [1, 2]}]
metrics: duration_s
END
run "$work/wrong.yaml"
refused "there is another column 'duration_s'" "a column has its own name"

# a design in the format of a spreadsheet: separator, title, decimal commas, units; the columns of the table are in SI
printf 'sep=;\nCases of Tuesday\n\nmass (t);angle;;\n[t];[\302\260];;\n1,5;18;;\n;;;\n1,6;9;;\n' >"$work/sheet.csv"
cat >"$work/sheet.yaml" <<END
kind: study
scenario: $top/scenarios/iso/step_steer.yaml
set: [run.duration=0.1 s]
vary: [{name: mass, key: vehicle.mass, type: uniform, from: 1000, to: 2000},
  {name: angle, key: steering_wheel.value, type: uniform, from: 0, to: 1}]
design: {type: list, file: sheet.csv}
metrics: duration_s
END
"$exe" -q -o "$work/sheet" "$work/sheet.yaml" && grep -q '^0,ok,1500,0.314159265,0.1$' "$work/sheet/sheet.csv" &&
  grep -q '^1,ok,1600,0.157079633,0.1$' "$work/sheet/sheet.csv"
check "a design is read in the format of a spreadsheet"
sed -i 's/\[t\];/[s];/; s/ (t)//' "$work/sheet.csv"
run -o "$work/sheet2" "$work/sheet.yaml"
refused "'s' is no unit of 'mass'" "columns of a design are in units of their keys"

# a design may contain names of files; if one of these files changes, --resume is refused as for another study
cp "$top/scenarios/tyres/mf96_sport.yaml" "$work/tyre.yaml"
printf 'tyre\ntyre.yaml\n' >"$work/tyres.csv"
cat >"$work/tyres.yaml" <<END
kind: study
scenario: $top/scenarios/iso/step_steer.yaml
set: [run.duration=0.1 s]
vary: [{name: tyre, key: [vehicle.front.tyre, vehicle.rear.tyre], type: list,
  values: [$top/scenarios/tyres/mf96_touring.yaml]}]
design: {type: list, file: tyres.csv}
metrics: duration_s
END
"$exe" -q -o "$work/tyres" "$work/tyres.yaml" && grep -q '^0,ok,tyre.yaml,0.1$' "$work/tyres/tyres.csv"
check "words in a design may be names of files"
echo '# changed' >>"$work/tyre.yaml"
run --resume -o "$work/tyres" "$work/tyres.yaml"
refused "belongs to a study with other inputs" "files of a design are inputs of the study"

# --- values have the kinds of their nodes: quoted values are texts, in lists, designs and files of settings

cat >"$work/texts.py" <<'END'
import csv, json, os, re, subprocess, sys
work, exe, top = sys.argv[1:]
texts = ["run #1", "@x", "a: b", "- a", "[1,2]", "*a", "&a b", "{a: 1}", "---", "!x", "%x", "it's", '"q"', "a, b",
         "| x", "1e3", "true", "\\x", "\u2028", "# x", "a  b"]
study = f"""kind: study
scenario: {top}/scenarios/iso/step_steer.yaml
set: [run.duration=0.01]
metrics: duration_s
"""
vary = "vary: [{name: t, key: title, type: list, values: %s}]\n"
os.chdir(work)
open("texts.yaml", "w").write(study + vary % json.dumps(texts))
open("cells.yaml", "w").write(study + vary % "[x]" + "design: {type: list, file: texts.csv}\n")
csv.writer(open("texts.csv", "w"), quoting=csv.QUOTE_ALL).writerows([["t"]] + [[t] for t in texts])
open("again.yaml", "w").write(subprocess.run([exe, "--resolved", "texts.yaml"], capture_output=True, text=True).stdout)
for name in ("texts.yaml", "cells.yaml", "again.yaml"):
    for i, text in enumerate(texts):
        out = subprocess.run([exe, "-q", "--case", str(i), "--resolved", name], capture_output=True, text=True).stdout
        title = re.search("^title: (.*)$", out, re.M)
        title = title.group(1) if title else ""
        title = json.loads(title) if title.startswith('"') else title
        if title != text:
            print(f"{name}: {text!r} ran as {title!r}")
END
python3 "$work/texts.py" "$work" "$exe" "$top" >"$work/wrong" 2>&1
[ ! -s "$work/wrong" ]
check "a study runs the texts in its list or its file" "$work/wrong"
for study in texts cells again; do
  run -q "$work/$study.yaml"
  [ $status -eq 0 ] && [ "$(grep -c ',ok,' "$work/out")" -eq 21 ] && cp "$work/out" "$work/$study.table"
done
cmp -s "$work/texts.table" "$work/cells.table" && cmp -s "$work/texts.table" "$work/again.table" &&
  grep -q '^0,ok,run #1,' "$work/texts.table"
check "the table of a study shows the texts of a factor"
mkdir "$work/files"
for name in 'car #2' '[old] car' 'car: b' '@car'; do
  echo "{base: $top/scenarios/vehicles/sedan.yaml, title: \"$name\", mass: 1234 kg}" | sed 's/title/name/' \
    >"$work/files/$name.yaml"
done
cat >"$work/files/study.yaml" <<END
kind: study
scenario: $top/scenarios/iso/step_steer.yaml
set: [run.duration=0.01]
vary: [{name: car, key: vehicle, type: list,
  values: ["car #2.yaml", "[old] car.yaml", "car: b.yaml", "@car.yaml"]}]
metrics: duration_s
END
for i in 0 1 2 3; do
  run -q --case $i --resolved "$work/files/study.yaml"
  [ $status -eq 0 ] && sed -n 's/^  name: //p' "$work/out" | tr -d '"' | head -n 1
done >"$work/cars"
[ "$(paste -sd , "$work/cars")" = 'car #2,[old] car,car: b,@car' ]
check "names of files in a list may contain #, brackets, colons and @" "$work/cars"
cat >"$work/nodes.yaml" <<END
kind: study
scenario: $top/scenarios/iso/step_steer.yaml
set: [run.duration=0.01]
vary:
  - {name: steer, key: steering_wheel, type: list, values: [0.1, {type: step, value: 0.2, start: 1 ms}]}
  - {name: sets, key: metrics, type: list, values: [[], [handling, modes]]}
metrics: duration_s
END
run -q --case 3 --resolved "$work/nodes.yaml"
[ $status -eq 0 ] && grep -q 'sets: \[handling, modes\]' "$work/out" && grep -q '^  value: 0.2 ' "$work/out"
check "lists and mappings are values, too"
printf '%s\n' 'title="run #1"' '# a remark' 'run.duration=0.5 s # short' >"$work/given"
run -q --resolved --set @"$work/given" scenarios/iso/step_steer.yaml
[ $status -eq 0 ] && grep -qx 'title: "run #1"' "$work/out" && grep -q '^  duration: 0.5 ' "$work/out"
check "a file of settings has values in quotes, and remarks behind numbers"
echo 'title=run #1' >"$work/given"
run -q --resolved --set @"$work/given" scenarios/iso/step_steer.yaml
refused "YAML reads this value as 'run'" "a setting of which YAML would drop a part is refused"

# --- the first lines of a journal

cat >"$work/head.yaml" <<END
kind: study
scenario: $top/scenarios/iso/step_steer.yaml
set: [run.duration=0.01]
vary: [{name: mass, key: vehicle.mass, type: range, from: 1400 kg, to: 1700 kg, points: 3}]
metrics: [final_speed_mps, distance_m]
END
"$exe" -q -o "$work/head" "$work/head.yaml"
sed -n 2p "$work/head/head.journal" >"$work/out"
for change in '2s/\([a-z_]*\),\([a-z_]*\)$/\2,\1/' '2s/.*/a/' '2s/,distance_m//' "2s/\$/$(printf '\r')/" \
  '2s/status/Status/' '1s/ 3 0 1 / 4 0 1 /' '1s/ 0 1 / 1 2 /' '2d'; do
  rm -rf "$work/changed" "$work/merged" && mkdir "$work/changed"
  sed "$change" "$work/head/head.journal" >"$work/changed/head.journal"
  "$exe" -q --resume -o "$work/changed" "$work/head.yaml" 2>"$work/err"
  [ $? -eq 2 ] && [ ! -e "$work/changed/head.csv" ] || printf '%s\n' "--resume: $change"
  cp "$work/head/head.resolved.yaml" "$work/changed"
  "$exe" -q --merge -o "$work/merged" "$work/changed" 2>"$work/err"
  [ $? -eq 2 ] && [ ! -e "$work/merged/head.csv" ] || printf '%s\n' "--merge: $change"
done >"$work/wrong"
[ ! -s "$work/wrong" ] && grep -q '^case,status,mass_kg,[a-z_]*,[a-z_]*$' "$work/out"
check "a journal whose first lines have been changed is refused" "$work/wrong"
rm -rf "$work/changed" && mkdir "$work/changed" && : >"$work/changed/head.journal"
run -q --resume -o "$work/changed" "$work/head.yaml"
[ $status -eq 0 ] && cmp -s "$work/head/head.csv" "$work/changed/head.csv"
check "a journal that is empty after a kill is begun again"

# --- one case

run --case 303 -c yaw_rate_radps --rate 10 "$work/grid.yaml"
[ $status -eq 0 ] && [ "$(sed -n 1p "$work/out")" = t_s,yaw_rate_radps ] &&
  [ "$(awk 'END { print NR }' "$work/out")" = 27 ]
check "--case runs one case, with a time history"
run -q --case 303 -o "$work/case" "$work/grid.yaml"
[ $status -eq 0 ] && awk -F , '
  NR == FNR { if ($1 == "yaw_rate_steady_radps") y = $2; next } $1 == 303 { exit !($7 == y) }' \
  "$work/case/linear_step.metrics.csv" "$work/one/grid.csv"
check "--case with -o leaves all results of the case in a folder"
run --case 999 "$work/grid.yaml"
[ $status -eq 1 ] && grep -q 'case 999 is excluded' "$work/err"
check "an excluded case is not run"

# --- cases that end early or are refused

cat >"$work/ends.yaml" <<END
kind: study
scenario: $top/scenarios/road/fishhook_l3.yaml
vary:
  - {name: height, key: vehicle.cg_height, type: list, values: [0.5, 1.6, 0.6]}
  - {name: mass, key: vehicle.mass, type: list, values: [1500, 10]}
metrics: duration_s
histories: some
interesting: [{formula: height, above: 1}]
END
run -j 2 -o "$work/ends" "$work/ends.yaml"
[ $status -eq 0 ] && grep -q '6 cases: .* refused' "$work/err"
check "refused cases are counted"
awk -F , '$4 == 10 && $2 !~ /^"?refused: / { exit 1 }' "$work/ends/ends.csv" &&
  [ "$(awk 'END { print NR }' "$work/ends/ends.csv")" = 7 ]
check "refused cases have their reason in the table" "$work/ends/ends.csv"
[ "$(find "$work/ends/ends.cases" -name '*.csv' | awk 'END { print NR }')" = 1 ]
check "time histories of the requested cases are kept"
run -q -j 2 --only-failed -o "$work/ends" "$work/ends.yaml"
[ $status -eq 0 ] && [ "$(awk 'END { print NR }' "$work/ends/ends.csv")" = 7 ]
check "--only-failed repeats the cases that failed"

# --- the case at which a series stops

sed -e '/^histories/d; /^interesting/d' -e 's/^metrics: .*/metrics: [two_wheel_lift, duration_s]/' "$work/ends.yaml" \
  >"$work/stop.yaml"
echo 'stop: [{formula: height, above: 0.55}, {formula: metric.two_wheel_lift, above: 0.5}]' >>"$work/stop.yaml"
run -q -j 2 -o "$work/stop" "$work/stop.yaml"
# Finds the first case that meets both conditions. The car with 1.6 m overturns, which counts as a case; refused cases
# do not count.
awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) back[$i] = NF - i; next } # a status may hold a comma
  $(NF - back["height_m"]) > 0.55 && $(NF - back["two_wheel_lift"]) == 1 {
    print $1, $(NF - back["height_m"]), $(NF - back["mass_kg"]); exit }' \
  "$work/stop/stop.csv" >"$work/first"
awk -F , '$1 == "stop_case" { n = $2 } $1 == "stop_height" { h = $2 } $1 == "stop_mass" { m = $2 }
  END { print n, h, m }' \
  "$work/stop/stop.metrics.csv" >"$work/messages"
[ "$status" -eq 0 ] && [ -s "$work/first" ] && grep -q '^[0-9]* 1.6 1500$' "$work/first" &&
  cmp "$work/first" "$work/messages" >"$work/differ"
check "stop_case and stop_FACTOR give the first case in which all conditions of 'stop' hold" "$work/messages"
run -q --set stop.1.above=2 -o "$work/on" "$work/stop.yaml"
grep -q '^stop_case,,' "$work/on/stop.metrics.csv" && grep -q '^stop_height,,' "$work/on/stop.metrics.csv"
check "a series that does not stop has no such case" "$work/on/stop.metrics.csv"

# --- other kinds

cat >"$work/kc.yaml" <<END
kind: study
suspension: $top/scenarios/suspensions/dw_front_sedan.yaml
vary: [{name: z, key: tie_rod.rack.2, type: uniform, from: 240 mm, to: 245 mm}]
design: {type: sobol, count: 4}
metrics: ["*toe*"]
END
run -q "$work/kc.yaml"
cp "$work/out" "$work/kc.csv"
[ $status -eq 0 ] && [ "$(grep -c ',ok,' "$work/kc.csv")" = 4 ]
check "a suspension can be varied"
"$(dirname "$exe")/vdsim-kc-sweep" --metrics - --set tie_rod.rack.2=0.2425 \
  "$top/scenarios/suspensions/dw_front_sedan.yaml" >"$work/gains" 2>&1
awk -F , 'NR == FNR { gain[$1] = $2; next }
  FNR == 1 { for (i = 4; i <= NF; i++) name[i] = $i; next }
  $1 == 0 { for (i = 4; i <= NF; i++) if (gain[name[i]] != $i) exit 1; exit !(NF > 4) }' "$work/gains" "$work/kc.csv"
check "the gains of the varied suspension agree with vdsim-kc-sweep" "$work/gains" "$work/kc.csv"
cat >"$work/track.yaml" <<END
kind: study
scenario: $top/scenarios/track/ramp_jump.yaml
set: [run.duration=1 s]
vary: [{name: mass, key: car.mass, type: range, from: 20 kg, to: 40, points: 3}]
END
run -q "$work/track.yaml"
[ $status -eq 0 ] && [ "$(grep -c ',ok,' "$work/out")" = 3 ]
check "a track car can be varied"
cat >"$work/search.yaml" <<END
kind: study
scenario: $work/coast.yaml
vary: [{name: drag, key: vehicle.aero.drag, type: list, values: [0.4, 0.8]}]
metrics: half_a_kilometre
END
cat >"$work/coast.yaml" <<END
vehicle:
  base: $top/scenarios/vehicles/textbook_linear.yaml
  aero: {drag: 0.8, frontal_area: 2.5 m2}
run: {level: L0, duration: 20 s}
search:
  key: initial.speed
  from: 36 km/h
  to: 60
  tolerance: 1e-3
  goals: [{name: half_a_kilometre, metric: distance_m, above: 0.5 km}]
END
run -q "$work/search.yaml"
# M v' = -k v^2 rolls M/k ln(1 + v k T/M) in T: v = M/(k T) (exp(k s/M) - 1), and the search finds it to 1e-3
[ $status -eq 0 ] && awk -F , 'NR > 1 { m = 1573 + 4 * 1.8 / 0.09; k = 0.5 * 1.225 * $3 * 2.5
  off = $4 - m / (k * 20) * (exp(500 * k / m) - 1); rows++; if (!(off <= 1e-3 && off >= -1e-3)) exit 1 }
END { exit rows != 2 }' "$work/out"
check "a search can be varied: the speeds from which a car coasts half a kilometre"

# --- cars on linkages share their maps: more linkages than a process keeps, each used twice

{
  echo "kind: study"
  echo "scenario: $top/scenarios/hardpoints/step_steer.yaml"
  echo 'set: [run.duration=0.05 s, "metrics=[]", steering_wheel=1]'
  echo "vary:"
  echo "  - {name: friction, key: ground.friction, type: list, values: [0.6, 1]}"
  echo "  - name: arm"
  echo "    key: vehicle.front.linkage.0.lca.chassis_front"
  echo "    type: list"
  echo "    values:"
  awk 'BEGIN { for (i = 0; i < 18; i++) printf "      - \"[0.1, 0.32, %.3f]\"\n", 0.17 + 0.001 * i }'
  echo "metrics: [final_speed_mps, peak_ay_mps2]"
} >"$work/linked.yaml"
run -q --exact "$work/linked.yaml"
cp "$work/out" "$work/linked.csv"
alike=$status
for i in 0 17 18 35; do
  run --exact --case $i --metrics - "$work/linked.yaml"
  alone=$(awk -F , '$1 == "final_speed_mps" || $1 == "peak_ay_mps2" { printf ",%s", $2 }' "$work/out")
  grep -q "^$i,ok,.*$alone\$" "$work/linked.csv" && [ "$alone" != , ] || alike=1
done
[ "$alike" -eq 0 ] && [ "$(awk -F , '{ print $NF }' "$work/linked.csv" | sort -u | wc -l)" -ge 19 ]
check "each case on a linkage has the bytes of its single run, and linkages have different results" "$work/linked.csv"

# --- shipped studies

run -q -j 2 scenarios/study/step_steer_spread.yaml
[ $status -eq 0 ] && [ "$(grep -c ',ok,' "$work/out")" -gt 20 ]
check "the shipped study runs"
run --resolved scenarios/study/step_steer_spread.yaml
cp "$work/out" "$work/resolved.yaml"
run --resolved "$work/resolved.yaml"
[ $status -eq 0 ] && cmp -s "$work/out" "$work/resolved.yaml"
check "a resolved study reads back to the same bytes"
# settings and values that name files are relative to the folder of the study, also in a resolved study elsewhere
mkdir -p "$work/here/sub" "$work/there"
echo "{base: $top/scenarios/vehicles/sedan.yaml, mass: 1234 kg}" >"$work/here/light.yaml"
echo "{base: $top/scenarios/vehicles/sedan.yaml, mass: 2345 kg}" >"$work/here/heavy.yaml"
cat >"$work/here/sub/cars.yaml" <<END
kind: study
scenario: $top/scenarios/iso/step_steer.yaml
set: [run.duration=0.1 s, 'metrics=[run]', vehicle.base=../light.yaml]
vary: {name: car, key: vehicle, type: list, values: [../light.yaml, ../heavy.yaml]}
metrics: [distance_m, final_speed_mps]
END
run -q --exact "$work/here/sub/cars.yaml"
[ $status -eq 0 ] && [ "$(cut -d, -f4- "$work/out" | sort -u | wc -l)" -eq 3 ]
check "a study varies the file of the car"
cp "$work/out" "$work/cars.csv"
"$exe" --resolved "$work/here/sub/cars.yaml" >"$work/there/cars.yaml"
run -q --exact "$work/there/cars.yaml"
[ $status -eq 0 ] && cmp -s "$work/out" "$work/cars.csv"
check "a resolved study finds the files of cars from another folder"
run --check scenarios/study/turn_indices.yaml
[ $status -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
check "--check reads a study"
run -q -j 2 --metrics - scenarios/study/step_steer_spread.yaml
[ $status -eq 0 ] && grep -q '^yaw_rate_overshoot_median,' "$work/out"
check "--metrics prints the figures of a study"
all_well
