#!/bin/sh
# vdsim-validate on the command line: verdicts of good and failing claims, formats, baselines, comparison with a time
# history, exit status.
# Usage: tests/cli/validate.sh VDSIM-VALIDATE
# Reads scenarios/, validation/, baselines/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
unset NO_COLOR

plan 106
# Writes a claim about the linear step, from the keys on standard input.
claim() { # NAME
  {
    echo "title: made for a test"
    echo "source: a test"
    echo "evidence: theory"
    echo "scenario: $top/scenarios/road/linear_step.yaml"
    echo "set: [run.duration=2 s]"
    echo "claims:"
    echo "  - claim: something holds"
    sed 's/^/    /'
  } >"$work/$1.yaml"
}
# Checks the verdict of the claim and the text of its details, without the place.
judged() { # VERDICT DETAILS
  [ $status -eq "$3" ] && [ ! -s "$work/err" ] && grep -q "^  $1" "$work/out" && grep -qF -e "$2" "$work/out"
}

# --- help, version, usage ---
run --help
[ $status -eq 0 ] && grep -q '^usage: vdsim-validate' "$work/out" && [ ! -s "$work/err" ]
check "--help prints the help"
run --version
[ $status -eq 0 ] && grep -q '^vdsim-validate [0-9]' "$work/out"
check "--version prints name and number"
refused() { # WORDS
  [ $status -eq 2 ] && [ ! -s "$work/out" ] && [ "$(cat "$work/err")" = "$1" ]
  check "refused: $1"
}
run --scale -1
refused "vdsim-validate: error: '--scale -1': a number of at least 0 is needed"
run -j 0
refused "vdsim-validate: error: '-j 0': a number from 1 to 1024 is needed"
run --tap --csv -
refused "vdsim-validate: error: only one of --tap, --json, --junit - and --csv - can go to standard output; see --help"
run --against x.csv scenarios/road/circle.yaml
refused "vdsim-validate: error: --against needs --tolerances; see --help"
run --tolerances x.yaml
refused "vdsim-validate: error: --tolerances and --set are for --against; see --help"
run --tolerence x
refused "vdsim-validate: error: unknown option '--tolerence'; did you mean '--tolerances'?; see --help"
run none.yaml
refused "none.yaml: error: cannot open: No such file or directory; nor is it in '$top/scenarios' or '$top'"
mkdir "$work/empty"
run "$work/empty"
refused "vdsim-validate: error: no validation files in '$work/empty'"
mkdir -p "$work/nested/inner/deep" "$work/nested/data" "$work/nested/inner/data"
for part in b a inner/c inner/deep/d; do
  printf 'kind: bound\nmetric: distance_m\nabove: 0\n' | claim nested/$part
done
echo "not: claims" | tee "$work/nested/data/x.yaml" >"$work/nested/inner/data/y.yaml"
ln -s "$work/nested" "$work/nested/inner/back"
run --list "$work/nested"
cut -f 1 "$work/out" | tr '\n' ' ' >"$work/order"
echo "a/1 b/1 inner/c/1 inner/deep/d/1 " | tr -d '\n' | cmp -s - "$work/order"
check "a folder gives its files, then the files of its folders, except folders named data and links" "$work/order"
mkdir "$work/nested/inner/same" "$work/nested/same"
for part in inner/same/e same/e; do
  printf 'kind: bound\nmetric: distance_m\nabove: 0\n' | claim nested/$part
done
run --list "$work/nested/same/e.yaml" "$work/nested/inner/same/e.yaml"
cut -f 1 "$work/out" | paste -s -d ' ' - >"$work/order"
[ "$(cat "$work/order")" = "same/e/1 inner/same/e/1" ]
check "names of files begin below the folder that all share, so that no two files have one name" "$work/order"
run --list "$work/nested/same/e.yaml" "$work/nested/same"
cut -f 1 "$work/out" | paste -s -d ' ' - >"$work/order"
[ "$(cat "$work/order")" = "e/1 e/1" ]
check "a single file is named by its stem" "$work/order"
rm -r "$work/nested/inner/same" "$work/nested/same"
run --filter 'nothing/*' validation/single_track.yaml
refused "vdsim-validate: error: no claim matches 'nothing/*'"

# --- kinds, holding and failing ---
claim value <<'END'
kind: value
metric: final_speed_mps
expect: 72 km/h
tolerance: 0.01 m/s
END
run -v "$work/value.yaml"
judged ok "expected 20 m/s, got " 0
check "a value holds"
sed 's/72 km/71 km/' "$work/value.yaml" >"$work/off.yaml"
run "$work/off.yaml"
judged FAIL "final_speed_mps: expected 19.72222 m/s, got 19.9997 m/s; deviation 0.277" 1
check "a wrong value fails"
run --scale 100 "$work/off.yaml"
[ $status -eq 0 ]
check "with a greater scale a wrong value holds"
run --scale 0 "$work/value.yaml"
judged FAIL "and none is allowed" 1
check "with scale 0 every residual is shown"
claim missing <<'END'
kind: value
metric: stopping_distance_m
expect: 40 m
tolerance: 1 m
END
run "$work/missing.yaml"
judged FAIL "'stopping_distance_m' has no value: " 1
check "a metric without a value fails with its reason"
claim bad_run <<'END'
kind: value
set: [vehicle.mass=-1 kg]
metric: distance_m
expect: 40 m
tolerance: 1 m
END
run "$work/bad_run.yaml"
judged FAIL "--set vehicle.mass:1:1: error: 'mass' must be > 0" 1
check "a scenario that cannot be read fails with its reason"
claim key <<'END'
kind: value
metric: distance_m
expect: {formula: vehicle.mas}
tolerance: 1 m
END
run "$work/key.yaml"
judged FAIL "formula 'vehicle.mas': column 1: there is no 'vehicle.mas'" 1
check "a formula with an unknown key fails"
claim bound <<'END'
kind: bound
channel: brake
of: maximum
above: 0
END
run "$work/bound.yaml"
judged FAIL "maximum of brake above 0: got 0" 1
check "zero is not above zero"
claim level <<'END'
kind: bound
channel: travel_fl_m
above: 0
END
run "$work/level.yaml"
judged FAIL "level L1 has no channel 'travel_fl_m'" 1
check "a channel that the level does not have fails"
claim formula <<'END'
kind: formula
where: [A = 2, B = A + 1]
formula: A*B
expect: 6
tolerance: 0
END
run "$work/formula.yaml"
[ $status -eq 0 ]
check "a definition can use definitions before it"
claim nan <<'END'
kind: formula
formula: sqrt(1 - 2)
expect: 6
tolerance: 100
END
run "$work/nan.yaml"
judged FAIL "column 1: 'sqrt' of -1 is not a finite number" 1
check "a value that is not a number fails"
claim mirror <<'END'
kind: mirror
set: [run.level=L3]
channels: ["*"]
tolerance: 1e-6 %
END
run "$work/mirror.yaml"
[ $status -eq 0 ]
check "a mirrored step holds"
claim unlike <<'END'
kind: mirror
set: [run.level=L3]
against_set: [run.level=L3]
channels: [ay_mps2]
tolerance: 1 %
END
run "$work/unlike.yaml"
judged FAIL "ay_mps2 at " 1
check "a step is not its own mirror image"
claim path <<'END'
kind: mirror
scenario: ../scenarios/road/circle.yaml
channels: [ay_mps2]
tolerance: 1 %
END
sed "s|\.\./scen|$top/scen|; s|duration=2 s|duration=1 s|" "$work/path.yaml" >"$work/circle.yaml"
run "$work/circle.yaml"
judged FAIL "a path is not mirrored automatically: give the other run by 'against' or 'against_set'" 1
check "a path that cannot be mirrored is an error"
claim agree <<'END'
kind: agree
against_set: [run.duration=3 s]
channels: [ay_mps2]
tolerance: 1 %
END
sed -i 's/^set:.*//' "$work/agree.yaml"
run "$work/agree.yaml"
judged FAIL "one run ends at 5 s, the other at 3 s: give the end of the comparison by 'to'" 1
check "runs of different lengths do not agree"
echo "    to: 3 s" >>"$work/agree.yaml"
run "$work/agree.yaml"
[ $status -eq 0 ]
check "runs of different lengths agree up to a given time"
claim order <<'END'
kind: order
set: [run.duration=1.2 s]
channel: yaw_rate_radps
step: 2 ms
above: 3.5
below: 4.5
END
run "$work/order.yaml"
[ $status -eq 0 ]
check "an order of convergence holds"
claim rounding <<'END'
kind: order
channel: t_s
step: 4 ms
above: 3.5
END
run "$work/rounding.yaml"
judged FAIL "final of t_s changes by 0 and 0, which are rounding errors: a greater step is needed" 1
check "differences that are rounding errors have no order"
claim energy <<'END'
kind: energy
never_rises: true
tolerance: "1e-6"
END
run "$work/energy.yaml"
judged FAIL "rise of the energy at " 1
check "never_rises fails if a force drives the car"
claim refused <<'END'
kind: refused
set: [run.step=1 s]
words: "'step' must be"
END
run "$work/refused.yaml"
[ $status -eq 0 ]
check "a refusal holds"
sed 's/run.step=1 s/run.step=1 ms/' "$work/refused.yaml" >"$work/taken.yaml"
run "$work/taken.yaml"
judged FAIL "the input is not refused; expected: 'step' must be" 1
check "an input that is accepted is not refused"
sed 's/must be/may be/' "$work/refused.yaml" >"$work/words.yaml"
run "$work/words.yaml"
judged FAIL "the input is refused with another message: --set run.step:1:1: error: 'step' must be" 1
check "a refusal with another message fails"
claim gain <<'END'
kind: value
channel: yaw_rate_radps
of: gain
frequency: 1 Hz
expect: 1
tolerance: 1
END
run "$work/gain.yaml"
judged FAIL "the scenario has no frequency response" 1
check "a gain without a response fails"
claim table <<'END'
kind: table
table: t.csv
suspension: c.yaml
columns:
  - {is: travel, column: travel_m}
  - {is: toe, column: toe_deg, unit: deg, tolerance: 0.001 deg}
END
cp validation/data/kc/double_wishbone.yaml "$work/c.yaml"
printf 'travel_m,toe_deg\n0,0\n-0.08,0.327045092\n' >"$work/t.csv"
run "$work/table.yaml"
[ $status -eq 0 ]
check "a table holds"
printf 'travel_m,toe_deg\n0,0\n-0.08,0.337045092\n' >"$work/t.csv"
run "$work/table.yaml"
judged FAIL "toe in row 2: expected 0.3370451 deg, got 0.3270451 deg; \
deviation 0.01 deg is 10 x the allowed 0.001 deg" 1
check "a wrong table fails with row and figure"
printf 'travel_m,toe_deg\n0,0\n-0.9,0.337045092\n' >"$work/t.csv"
run "$work/table.yaml"
judged FAIL "row 2: the linkage does not reach travel -0.9 m, rack 0 m" 1
check "a row that cannot be reached fails"

# --- known failures ---
{ cat "$work/off.yaml"; echo "    known_failure: the test is wrong"; } >"$work/known.yaml"
run "$work/known.yaml"
[ $status -eq 0 ] && grep -q '^  known' "$work/out" && grep -q 'known failure: the test is wrong' "$work/out" &&
  grep -q '^1 claim: 0 hold, 0 fail, 1 known failure$' "$work/out"
check "a known failure is named and counted, and the status is 0"
{ cat "$work/value.yaml"; echo "    known_failure: the test is wrong"; } >"$work/surprise.yaml"
run "$work/surprise.yaml"
judged FAIL "it holds, but is known to fail: the test is wrong" 1
check "a known failure that holds fails"

# --- formats ---
run --tap "$work/value.yaml" "$work/off.yaml" "$work/known.yaml" "$work/surprise.yaml"
[ $status -eq 1 ] && sed -n 1p "$work/out" | grep -qx '1\.\.4' && [ "$(grep -c '^ok' "$work/out")" -eq 1 ] &&
  [ "$(grep -c '^not ok' "$work/out")" -eq 3 ] &&
  grep -q '^not ok 3 - known/1 something holds # TODO known failure: the test is wrong$' "$work/out" &&
  grep -q '^# 4 claims: 1 holds, 1 fails, 1 known failure, 1 known to fail holds$' "$work/out"
check "--tap prints the Test Anything Protocol"
run --junit "$work/j.xml" --csv "$work/c.csv" "$work/value.yaml" "$work/off.yaml" "$work/known.yaml"
[ $status -eq 1 ] && [ -s "$work/out" ]
check "--junit and --csv write beside the table"
python3 - "$work/j.xml" <<'END'
import sys, xml.etree.ElementTree as e
root = e.parse(sys.argv[1]).getroot()
cases = root.findall('testsuite/testcase')
assert (root.tag == 'testsuites' and root.get('tests') == '3' and root.get('failures') == '1'
    and root.get('skipped') == '1')
assert len(root.findall('testsuite')) == 3 and len(cases) == 3
assert cases[1].find('failure').get('message').startswith('final_speed_mps: expected 19.7')
assert cases[2].find('skipped').get('message') == 'known failure: the test is wrong'
END
check "JUnit XML is well-formed and counts"
python3 - "$work/c.csv" <<'END'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert [r['verdict'] for r in rows] == ['holds', 'fails', 'known'], rows
assert abs(float(rows[1]['expected']) - 71 / 3.6) < 1e-6 and rows[1]['unit'] == 'm/s' and rows[1]['allowed'] == '0.01'
assert all(None not in r for r in rows)
END
check "CSV can be read back"
cat >"$work/marks.yaml" <<'END'
title: marks
source: "a < b & \"c\""
evidence: theory
claims:
  - claim: "a <b> & \"c\", # d"
    kind: formula
    formula: "1"
    expect: 2
    tolerance: 0
END
run --junit - "$work/marks.yaml"
python3 -c 'import sys, xml.etree.ElementTree as e
case = e.parse(sys.argv[1]).getroot().find("testsuite/testcase")
assert case.get("name") == "a <b> & \"c\", # d" and case.find("failure").text == "source: a < b & \"c\""' "$work/out"
check "markup is escaped in XML"
run --tap "$work/marks.yaml"
grep -qF 'not ok 1 - marks/1 a <b> & "c", \# d' "$work/out"
check "markup is escaped in TAP"
run --csv - "$work/marks.yaml"
python3 -c 'import csv, sys
assert list(csv.DictReader(open(sys.argv[1])))[0]["sentence"] == "a <b> & \"c\", # d"' "$work/out"
check "markup is escaped in CSV"
cat >"$work/formulas.yaml" <<'END'
title: "@title"
source: "-source, with a comma"
evidence: theory
claims:
  - claim: "=HYPERLINK(\"http://a\")"
    kind: formula
    formula: "-2"
    expect: -1
    tolerance: 0
END
run --csv - "$work/formulas.yaml"
python3 -c 'import csv, sys
row = list(csv.DictReader(open(sys.argv[1])))[0]
assert row["sentence"] == "\x27=HYPERLINK(\"http://a\")" and row["title"] == "\x27@title", row
assert row["source"] == "\x27-source, with a comma" and row["quantity"] == "\x27-2", row
assert row["expected"] == "-1" and row["got"] == "-2"' "$work/out" && grep -q ",\"'-2\",.*,-1,-2,1,0,," "$work/out"
check "no text in the CSV begins like a formula of a spreadsheet; numbers are unchanged"
run --list "$work/value.yaml" "$work/off.yaml"
[ $status -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 2 ] &&
  [ "$(tr '\t' '|' <"$work/out" | head -n 1)" = "value/1|value|theory|$work/value.yaml:7|something holds" ]
check "--list runs nothing"
run -q "$work/value.yaml"
[ $status -eq 0 ] && [ ! -s "$work/out" ]
check "-q is silent if all claims hold"
run -q "$work/value.yaml" "$work/off.yaml"
[ $status -eq 1 ] && ! grep -q '^  ok' "$work/out" && grep -q '^  FAIL' "$work/out"
check "-q shows the claims that fail"
run --filter 'off/*' "$work/value.yaml" "$work/off.yaml"
[ $status -eq 1 ] && grep -q '^1 claim:' "$work/out"
check "--filter selects by file and number"
run --list validation/attitude.yaml:42,31 "$work/off.yaml"
[ $status -eq 0 ] &&
  last=$(cut -f 4 "$work/out" | tail -n 1 | cut -d: -f 2) &&
  [ "$(cut -f 4 "$work/out" | uniq -c | tr -s ' \n' ' ')" = \
  " 2 validation/attitude.yaml:31 2 validation/attitude.yaml:42 1 $work/off.yaml:$last " ]
check "FILE:LINE,LINE selects the statements that begin in these lines" "$work/out"
run "$work/value.yaml:7,9"
refused "vdsim-validate: error: no statement of '$work/value.yaml' begins in line 9; --list shows the lines"
cp "$work/value.yaml" "$work/value.yaml:7"
run "$work/value.yaml:7"
[ $status -eq 0 ] && grep -q '^1 claim: 1 holds' "$work/out"
check "a file named FILE:LINE is read as a file"
rm "$work/value.yaml:7"
run --filter '*hold?' "$work/value.yaml" "$work/off.yaml"
[ $status -eq 1 ] && grep -q '^2 claims:' "$work/out"
check "--filter selects by words"
# a separate run, as claims that share a run are judged together
sed 's/duration=2 s/duration=2.5 s/' "$work/value.yaml" >"$work/later.yaml"
for jobs in 1 2; do
  run -x -j $jobs "$work/value.yaml" "$work/off.yaml" "$work/later.yaml"
  [ $status -eq 1 ] && grep -q '^  FAIL' "$work/out" &&
    { [ $jobs -gt 1 ] || grep -q '^2 claims: 1 holds, 1 fails' "$work/out"; }
  check "-x -j $jobs begins no claim after the first that fails"
done
run --quick "$work/value.yaml"
refused "vdsim-validate: error: no claim has \`quick: yes\`"
sed 's/^    kind:/    quick: yes\n    kind:/' "$work/value.yaml" >"$work/asked.yaml"
run --quick "$work/asked.yaml" "$work/off.yaml"
[ $status -eq 0 ] && grep -q '^1 claim:' "$work/out"
check "--quick judges the claims with 'quick: yes'"
run --junit "$work/none/j.xml" "$work/value.yaml"
[ $status -eq 2 ] &&
  grep -q "^vdsim-validate: error: cannot write '$work/none/j.xml': No such file or directory$" "$work/err"
check "an output that cannot be written is an error"
"$exe" -v "$work/value.yaml" "$work/off.yaml" >"$work/plain" 2>&1
run -v -o "$work/named" "$work/value.yaml" "$work/off.yaml"
[ ! -s "$work/out" ] && [ ! -s "$work/err" ] && cmp -s "$work/plain" "$work/named"
check "-o FILE gets the table"
run --tap -o "$work/named" --csv - "$work/value.yaml" "$work/off.yaml"
grep -qx '1\.\.[0-9]*' "$work/named" && head -n 1 "$work/out" | grep -q '^claim,'
check "-o FILE gets TAP, beside CSV on standard output"
run --list -o "$work/named" "$work/value.yaml" "$work/off.yaml"
[ $status -eq 0 ] && [ ! -s "$work/out" ] && [ -s "$work/named" ]
check "-o FILE gets the list"

# --- equal output for any number of processes ---
run -v -j 1 validation/single_track.yaml validation/friction.yaml "$work/off.yaml" validation/kinematics.yaml
cp "$work/out" "$work/one"
run -v -j 2 validation/single_track.yaml validation/friction.yaml "$work/off.yaml" validation/kinematics.yaml
[ $status -eq 1 ] && cmp -s "$work/one" "$work/out"
check "-j 1 and -j 2 print the same bytes"
run -v -j 7 validation/single_track.yaml validation/friction.yaml "$work/off.yaml" validation/kinematics.yaml
cmp -s "$work/one" "$work/out"
check "-j 7 prints the same bytes"
# claims on one study are one unit of work, whose cases are distributed to the processes
cat >"$work/many.yaml" <<END
kind: study
scenario: $top/scenarios/road/linear_step.yaml
set: [run.duration=0.5 s, vehicle.yaw_inertia=2500 kg m2]
vary: {name: speed, key: initial.speed, type: list, values: [10 m/s, 20 m/s, 30 m/s, 15 m/s, 25 m/s, 5 m/s]}
constraints: {formula: speed, below: 28}
metrics: [peak_yaw_rate_radps]
END
cat >"$work/many_claims.yaml" <<END
title: made for a test
source: a test
evidence: theory
scenario: many.yaml
claims:
  - {claim: one case is excluded, kind: value, metric: excluded, expect: 1, tolerance: 0}
  - {claim: the mean is known, kind: value, metric: peak_yaw_rate_radps_mean, expect: 1e3, tolerance: 1}
END
run -v -j 1 "$work/many_claims.yaml"
cp "$work/out" "$work/one"
[ $status -eq 1 ] && grep -q '^  ok *1 one case is excluded' "$work/one"
check "claims on a study with a case that is excluded" "$work/one" "$work/err"
run -v -j 3 "$work/many_claims.yaml"
cmp -s "$work/one" "$work/out"
check "the cases of a study's claims give the same bytes in three processes"
(cd "$work" && "$exe" -q "$top/validation/single_track.yaml")
check "a run from another folder prints the same bytes"

# --- baselines ---
baseline() { # judges a claim about the baseline $work/b.csv
  cat >"$work/baseline.yaml" <<END
title: baseline
source: earlier output
evidence: theory
claims:
  - claim: nothing has changed
    kind: baseline
    scenario: $top/scenarios/road/linear_step.yaml
    baseline: b.csv
END
  run "$work/baseline.yaml"
}
b=baselines/road/linear_step
cp $b.csv "$work/b.csv"
cp $b.metrics.csv "$work/b.metrics.csv"
baseline
[ $status -eq 0 ]
check "a baseline holds"
awk -F, -v OFS=, 'NR == 10 { $2 = $2 + 0.01 } NR == 12 { $3 = $3 + 5 } { print }' $b.csv >"$work/b.csv"
baseline
judged FAIL "y_m at 2.083 s: expected 5.5269 m, got 0.5268972 m; " 1 &&
  grep -q "; 2 of [0-9]* values have changed, first x_m at 1.666 s$" "$work/out"
check "a perturbed baseline fails with the first and the largest deviation, their time and channel"
sed 's/^t_s,/extra_m,t_s,/; 2,$s/^/0,/' $b.csv >"$work/b.csv"
baseline
judged FAIL "the run does not have the column 'extra_m' of the baseline" 1
check "a baseline with an extra column fails"
cut -d, -f1,3- $b.csv >"$work/b.csv"
baseline
judged FAIL "the baseline has no column 'x_m'" 1
check "a baseline without a column fails"
sed '$d' $b.csv >"$work/b.csv"
baseline
judged FAIL "the baseline has 24 rows, the run gives 25" 1
check "a baseline truncated by a row fails"
{ sed '$d' $b.csv; printf '5,98.7,'; } >"$work/b.csv"
baseline
[ $status -eq 2 ] && grep -q "^$work/b.csv:26:1: error: row of 3 fields below " "$work/err"
check "a baseline truncated within a row fails"
sed '5s/,[^,]*/,nan/' $b.csv >"$work/b.csv"
baseline
[ $status -eq 2 ] && grep -q "^$work/b.csv:5:[0-9]*: error: 'nan' in column 'x_m' is not a number$" "$work/err"
check "a baseline with a word in place of a number fails"
sed '5s/,[^,]*/,/' $b.csv >"$work/b.csv"
baseline
judged FAIL "x_m at 0.625 s: expected -, got " 1 || judged FAIL "x_m at 0.625 s" 1
check "a baseline with an empty field fails"
: >"$work/b.csv"
baseline
[ $status -eq 2 ] && grep -q "^$work/b.csv" "$work/err"
check "an empty baseline fails"
rm "$work/b.csv"
baseline
[ $status -eq 2 ] && grep -q ": error: cannot open '$work/b.csv': No such file or directory$" "$work/err"
check "a missing baseline fails"
cp $b.csv "$work/b.csv"
sed 's/^distance_m,.*/distance_m,99,m/' $b.metrics.csv >"$work/b.metrics.csv"
baseline
judged FAIL "distance_m: expected 99 m, got " 1
check "a baseline with a changed metric fails"
{ cat $b.metrics.csv; echo nonsense_m,1,m; } >"$work/b.metrics.csv"
baseline
judged FAIL "the run does not have the metric 'nonsense_m' of the baseline" 1
check "a baseline with another metric fails"
sed '/^distance_m,/d' $b.metrics.csv >"$work/b.metrics.csv"
baseline
judged FAIL "the baseline has no metric 'distance_m'" 1
check "a baseline without a metric fails"
sed 's/^\(distance_m,.*\),m$/\1,km/' $b.metrics.csv >"$work/b.metrics.csv"
baseline
judged FAIL "the baseline has 'distance_m' in 'km', the run in 'm'" 1
check "a baseline with another unit fails"
{ cat $b.metrics.csv; grep '^distance_m,' $b.metrics.csv; } >"$work/b.metrics.csv"
baseline
judged FAIL "the baseline has the metric 'distance_m' twice" 1
check "a baseline with a metric twice fails"
rm "$work/b.metrics.csv"
baseline
judged FAIL "the baseline has no metrics: there is no file '$work/b.metrics.csv'" 1
check "a baseline without its file of metrics fails"
cp $b.metrics.csv "$work/b.metrics.csv"
# A regression test of a user: one command makes and renews baselines in any folder, another command compares them.
mkdir "$work/user"
cat >"$work/user/car.yaml" <<END
base: $top/scenarios/vehicles/textbook_linear.yaml
mass: 1500 kg
END
cat >"$work/user/step.yaml" <<END
base: $top/scenarios/road/linear_step.yaml
vehicle: car.yaml
END
cat >"$work/user/regression.yaml" <<END
title: our car
source: our earlier runs
evidence: baseline
claims:
  - claim: \$each runs as before
    kind: baseline
    each: [step]
    scenario: \$each.yaml
    baseline: reference/\$each.csv
    tolerances:
      - {name: 'yaw_rate*', tolerance: [0.2 rad/s, 1 %]}
END
run --write-baselines "$work/user/reference" "$work/user/regression.yaml"
[ $status -eq 0 ] && [ "$(ls "$work/user/reference")" = "step.csv
step.metrics.csv
step.provenance.yaml
step.resolved.yaml" ]
check "--write-baselines writes to the folder of the claims, whatever its name" "$work/err"
run "$work/user/regression.yaml"
cp "$work/out" "$work/one"
[ $status -eq 0 ] && "$exe" --write-baselines "$work/user/reference" "$work/user/regression.yaml"
check "the baselines hold, and are renewed by the command that made them" "$work/one"
sed -i 's/^mass:.*/mass: 1600 kg/' "$work/user/car.yaml"
run -v "$work/user/regression.yaml"
judged FAIL "; the input has changed: vehicle.mass (1500, now 1600)" 1 && ! grep -q "yaw_rate_radps at" "$work/out"
check "after a change of the car the message names the key; a tolerance of the user applies to its channels"
rm "$work/user/reference/step.resolved.yaml"
run "$work/user/regression.yaml"
judged FAIL "; the input has changed, or the set of keys in resolved inputs" 1
check "without the resolved input the hash of the input shows a change"
"$(dirname "$exe")/vdsim-run" -q -o "$work/user/reference" --rate 7 -c 't_s,mu_peak*,ay_mps2' "$work/user/step.yaml"
run "$work/user/regression.yaml"
[ $status -eq 0 ]
check "a log of vdsim-run -o can be a baseline, with its rows and columns" "$work/out" "$work/err"
sed -i 's/^mass:.*/mass: 1500 kg/' "$work/user/car.yaml"
run "$work/user/regression.yaml"
judged FAIL "; the input has changed: vehicle.mass (1600, now 1500)" 1
check "a baseline from a log fails with the key that has changed"
sed -i 's,name: .yaw_rate\*.,name: ay_mps2,' "$work/user/regression.yaml"
run "$work/user/regression.yaml"
judged FAIL "the tolerance of 'ay_mps2' is not in 'm/s2'" 1
check "a tolerance in another dimension is refused"
sed -i 's,name: ay_mps2,name: ay_mpss,' "$work/user/regression.yaml"
run "$work/user/regression.yaml"
[ $status -eq 2 ] && grep -q "regression.yaml:11:16: error: no channel or metric has the name 'ay_mpss'" "$work/err"
check "a tolerance that applies to no column is refused" "$work/err"

# The files and commands of the manual.
mkdir -p "$work/manual/scenarios"
sed -n '/^\.Ss Regression of your own/,/^\.Ss Report/p' man/vdsim-validate.1 >"$work/section"
block() { # NUMBER
  awk -v n="$1" '/^\.Ed/ { inside = 0 } inside && at == n { print } /^\.Bd/ { inside = 1; at++ }' "$work/section"
}
block 1 >"$work/manual/regression.yaml"
block 2 >"$work/manual/commands"
echo "base: $top/scenarios/iso/step_steer.yaml" >"$work/manual/scenarios/step_steer.yaml"
echo "base: $top/scenarios/iso/stopping_distance.yaml" >"$work/manual/scenarios/braking.yaml"
mkdir "$work/path" && ln -s "$exe" "$work/path/vdsim-validate"
(cd "$work/manual" && PATH=$work/path:$PATH sh -e commands) >"$work/out" 2>"$work/err" &&
  grep -q '^2 claims, cases of 1 statement: 2 hold' "$work/out"
check "the regression of the manual is made and checked by its commands" "$work/out" "$work/err"
cat >"$work/baseline_and_more.yaml" <<END
title: a baseline, and a claim that needs another set of metrics of the same run
source: a test
evidence: theory
scenario: $top/scenarios/road/linear_step.yaml
claims:
  - {claim: nothing has changed, kind: baseline, baseline: b.csv}
  - {claim: the wheels are loaded, kind: bound, metric: least_wheel_load_N, above: 0 N}
END
run "$work/baseline_and_more.yaml"
[ $status -eq 0 ] && grep -q '^2 claims: 2 hold' "$work/out"
check "metrics that another claim requests need not be in the baseline"

# --- comparison with a time history ---
cat >"$work/tolerances.yaml" <<'END'
source: a test
curves:
  - {y: yaw_rate_radps, y_offset: 1 mrad/s, y_gain: 1 %}
  - {y: ay_mps2, x: yaw_rate_radps, y_offset: 0.01 m/s2, x_offset: 1 mrad/s}
END
sed -i 's/1 mrad\/s/0.06 deg\/s/' "$work/tolerances.yaml"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
  { print $1 "," $(at["yaw_rate_radps"]) "," $(at["ay_mps2"]) }' \
  $b.csv >"$work/reference.csv"
run --against "$work/reference.csv" --tolerances "$work/tolerances.yaml" scenarios/road/linear_step.yaml
[ $status -eq 0 ]
check "a run lies within the tolerances of its own history"
run --against "$work/reference.csv" --tolerances "$work/tolerances.yaml" --set steer.value='0.6 deg' \
  scenarios/road/linear_step.yaml
judged FAIL "yaw_rate_radps, worst at t_s = " 1 || judged FAIL "ay_mps2, worst at " 1
check "another run does not lie within the tolerances"

# Logs that are longer than the run, as measured logs are; one of them by one row. Only requested curves are compared.
awk -F, 'NR == 1 || $1 > 0.3' "$work/reference.csv" >"$work/log.csv"
tail -n 1 "$work/reference.csv" | awk -F, '{ print $1 + 0.1 "," $2 "," $3 }' >>"$work/log.csv"
printf 'source: a test\ncurves: [{y: yaw_rate_radps, y_offset: 0.06 deg/s, y_gain: 1 %%}]\n' >"$work/timed.yaml"
run --against "$work/log.csv" --tolerances "$work/timed.yaml" scenarios/road/linear_step.yaml
[ $status -eq 0 ] &&
  grep -q 'compared from .* the times of the run; 1 of [0-9]* rows of the reference are beyond' "$work/out"
check "a log that is longer than the run is compared over the common span, and the omitted part is reported"
run --against "$work/log.csv" --tolerances "$work/timed.yaml" --set steer.value='0.6 deg' \
  scenarios/road/linear_step.yaml
judged FAIL "yaw_rate_radps, worst at t_s = " 1 && grep -q '1 of [0-9]* rows of the reference are beyond' "$work/out"
check "a deviation within the common span still fails"
printf 'to: 60 s\n' >>"$work/timed.yaml"
run --against "$work/log.csv" --tolerances "$work/timed.yaml" scenarios/road/linear_step.yaml
judged FAIL "the run ends at " 1
check "'to' must lie within the run"
printf 't_s,yaw_rate_radps\n100,0\n101,0\n' >"$work/apart.csv"
sed -i '/^to:/d' "$work/timed.yaml"
run --against "$work/apart.csv" --tolerances "$work/timed.yaml" scenarios/road/linear_step.yaml
judged FAIL "has no time in common with the reference" 1
check "a log without a common span of time is refused"

cat >"$work/unstated.yaml" <<END
title: made for a test
source: a test
evidence: theory
claims:
  - claim: a linear tyre has an overturning moment
    kind: mirror
    scenario: $top/scenarios/rig/fy_alpha.yaml
    set: [tyre=$top/scenarios/tyres/linear_80.yaml]
    channels: [fy_N, mx_Nm]
    tolerance: 1e-9 %
END
run "$work/unstated.yaml"
judged FAIL "the tyre's model does not compute 'mx_Nm'" 1
check "a channel that both rigs leave out does not agree"
run --against "$work/reference.csv" --tolerances "$work/tolerances.yaml" scenarios/rig/fy_alpha.yaml
refused "scenarios/rig/fy_alpha.yaml: error: a time history is compared with the run of a vehicle, not of a tyre rig"
# no other statement needs this run
run -q --filter '*From the end of the ramp to the apex*' validation/track_car.yaml
[ $status -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
check "a filtered claim whose formula has only metrics runs without a message"
all_well
