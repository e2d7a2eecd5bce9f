#!/bin/sh
# --json has the numbers and texts of the tables and lists; also lists of the keys of one block.
# Usage: tests/cli/json.sh VDSIM-RUN VDSIM-KC-SWEEP VDSIM-XCHECK VDSIM-VALIDATE
# Reads scenarios/ and tests/; writes a temporary folder. Needs python3 to read JSON.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
tools=$(dirname "$exe")
sweep=$tools/vdsim-kc-sweep
xcheck=$tools/vdsim-xcheck
validate=$tools/vdsim-validate
step=scenarios/road/table_steer.yaml
double=scenarios/suspensions/dw_front_sports.yaml

plan 31

# --- keys of one block

tab=$(printf '\t')
run '--list-keys=*'
cp "$work/out" "$work/all"
all_but_columns() { grep -Ev "^[^$tab]*\.(time|column)[.$tab]"; } # which refer to COLUMN
run --list-keys=steer
grep -E "^steer($tab|\.)" "$work/all" | all_but_columns >"$work/want"
grep '^steer' "$work/out" | all_but_columns | cmp -s - "$work/want" && [ "$(wc -l <"$work/want")" -gt 20 ] &&
  ! grep -Ev "^(steer|COLUMN)[.$tab]" "$work/out"
check "--list-keys=steer prints the keys of this block and of the mapping to which it refers, and no others"
run --list-keys=events.0.brake
grep -E "^events\[\]\.brake($tab|\.)" "$work/all" | all_but_columns >"$work/want"
grep '^events' "$work/out" | all_but_columns | cmp -s - "$work/want" && [ -s "$work/want" ]
check "--list-keys takes an item of a list for all items"
run '--list-keys=*[].mass'
grep -E "^[^$tab]*\[\]\.mass$tab" "$work/all" | cmp -s - "$work/out" && [ -s "$work/out" ]
check "--list-keys takes a pattern, in which brackets are literal"
run '--list-keys=tyre_rig.*'
cp "$work/out" "$work/rig"
run --list-keys=tyre_rig.load
grep -E "^load($tab|\.)" "$work/rig" | cmp -s - "$work/out" && [ -s "$work/out" ]
check "--list-keys finds a block of another kind of scenario"
run --list-keys=template_car.mass
[ "$(cut -f 1 "$work/out")" = mass ]
check "--list-keys finds a number of the template of a car"
run --list-keys=bump_stop.gap
[ $status -eq 2 ] && [ ! -s "$work/out" ] && grep -q "did you mean 'vehicle.front.bump_stop.gap'" "$work/err"
check "the last part of a key is an error that suggests the whole key"
run --list-keys=stifness
[ $status -eq 2 ] && grep -q "did you mean 'vehicle\.[a-z_.]*\.stiffness'" "$work/err"
check "a misspelt last part of a key gets a suggestion"
run --list-keys=vehicle.mas
[ $status -eq 2 ] && grep -q "did you mean 'vehicle.mass'" "$work/err"
check "a misspelt key gets a suggestion"
"$sweep" --list-keys=spring.rocker >"$work/out" 2>"$work/err" &&
  [ "$(cut -f 1 "$work/out" | sed 's/.*\.//' | paste -sd ' ')" = "rocker pivot axis rod_part rod_rocker" ]
check "vdsim-kc-sweep --list-keys=spring.rocker lists the keys of this block"
"$validate" --list-keys='claims[].expect' >"$work/out" 2>"$work/err" && [ "$(wc -l <"$work/out")" -eq 3 ]
check "vdsim-validate --list-keys takes a block with an item of a list"

# --- JSON

if ! python3 -c 'import json, csv' 2>/dev/null; then
  while [ "$test_number" -lt "$planned" ]; do skip "JSON" "no python3"; done
  all_well
  exit
fi

# Compares an array of objects with a table. The first line names the columns, or NAMES does; columns named in NUMBERS
# contain numbers; an empty field is null. Only the CSV has an apostrophe before a text that looks like a formula.
cat >"$work/same.py" <<'END'
import csv, json, re, sys
document, table, names, numbers = sys.argv[1:5]
array = json.load(open(document, encoding="utf-8"))
if len(sys.argv) > 5:
    array = array[sys.argv[5]]
if names:
    rows = [line.rstrip("\n").split("\t") for line in open(table, encoding="utf-8")]
    names = names.split()
else:
    rows = list(csv.reader(open(table, encoding="utf-8", newline="")))
    names = rows.pop(0)
assert rows and len(array) == len(rows), f"{len(array)} objects, {len(rows)} rows"
for got, row in zip(array, rows):
    assert list(got) == names, f"{list(got)}, not {names}"
    for name, text in zip(names, row):
        want = re.sub("^'(?=[-=+@])", "", text)
        if name in numbers.split():
            want = None if text == "" else json.loads(text)
        assert got[name] == want and type(got[name]) is type(want), f"{name}: {got[name]!r}, not {want!r}"
END
same() { # TITLE JSON TABLE NAMES NUMBERS [MEMBER]
  title=$1
  shift
  python3 "$work/same.py" "$@" >"$work/differs" 2>&1
  check "$title" "$work/differs" "$work/err"
}
list() { # TOOL OPTION NAMES NUMBERS
  "$1" "$2" >"$work/lines" 2>"$work/err"
  "$1" "$2" --json >"$work/json" 2>"$work/err"
  same "${1##*/} $2 --json" "$work/json" "$work/lines" "$3" "$4"
}
keys="key type unit range default meaning when example"
list "$exe" --list-channels "name unit levels meaning" ""
list "$exe" --list-states "name unit scale level meaning" scale
list "$exe" --list-metrics "name unit set standard definition" ""
list "$exe" --list-manoeuvres "name scenario standard meaning" ""
list "$exe" --list-keys=vehicle.front.tyre "$keys" ""
list "$sweep" --list-keys "$keys" ""
list "$sweep" --list-columns "name unit meaning" ""
list "$validate" --list-keys "$keys" ""

run --metrics - $step
cp "$work/out" "$work/csv"
run --metrics - --json $step
same "metrics of a run" "$work/out" "$work/csv" "" value metrics
run -o "$work/o" --json --set title='a "quoted" \ = title' --set 'log.rate=20' $step
[ $status -eq 0 ]
same "-o DIR writes the results to STEM.results.json" "$work/o/table_steer.results.json" \
  "$work/o/table_steer.metrics.csv" "" value metrics
python3 - "$work/o/table_steer" >"$work/out" 2>&1 <<'END'
import json, sys
stem = sys.argv[1]
p = json.load(open(stem + ".results.json"))["provenance"]
text = open(stem + ".provenance.yaml").read()
for key in ("tool", "version", "level", "rows", "end_time", "complete", "resolved_fnv1a64"):
    value = {True: "true", False: "false"}.get(p[key], p[key]) if isinstance(p[key], bool) else p[key]
    assert f'{key}: {value}\n' in text or f'{key}: "{value}"\n' in text, key
assert p["rows"] == len(open(stem + ".csv").readlines()) - 1 and p["complete"] is True
assert p["settings"] == ['title=a "quoted" \\ = title', "log.rate=20"], p["settings"]
END
check "the provenance in JSON agrees with the file of the provenance, with the settings as they were given"
sed -n '/^settings:/,$p' "$work/o/table_steer.provenance.yaml" >"$work/out"
cat >"$work/want" <<'END'
settings:
  - "title=a \"quoted\" \\ = title"
  - "log.rate=20"
END
cmp -s "$work/out" "$work/want"
check "the provenance has the settings"
run -o "$work/o" $step
[ $status -eq 0 ] && [ ! -e "$work/o/table_steer.results.json" ] &&
  ! grep -q settings "$work/o/table_steer.provenance.yaml"
check "a run without --json removes the JSON of an earlier run"
run -o "$work/bad" --json --set run.level=L3 --set vehicle.cg_height=1.9 scenarios/iso/step_steer.yaml # it overturns
[ $status -eq 3 ] && python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
assert d["metrics"] == [] and d["provenance"]["complete"] is False and d["provenance"]["failure"]' \
  "$work/bad/step_steer.results.json" 2>"$work/out"
check "the JSON of a run that ends early has the failure and no metrics"
run --json $step
[ $status -eq 2 ] && grep -q -e '--json is for' "$work/err" && [ ! -s "$work/out" ]
check "a time history is not written as JSON"

"$sweep" --metrics - $double >"$work/csv" 2>"$work/err"
"$sweep" --metrics - --json --set 'name="x"' $double >"$work/json" 2>"$work/err"
same "metrics of a sweep" "$work/json" "$work/csv" "" value metrics
grep -q '"settings": \["name=\\"x\\""\]' "$work/json"
check "the metrics of a sweep have its settings" "$work/json"
set -- --toe0=0 --camber0=0 $double tests/hardpoints/dw_adams_mm.csv
"$xcheck" "$@" >"$work/csv" 2>"$work/err"
"$xcheck" --json "$@" >"$work/json" 2>"$work/err"
same "verdicts of a cross-check" "$work/json" "$work/csv" "" "reference candidate deviation allowed" verdicts

# A claim whose sentence begins like a formula and contains all characters that CSV and JSON quote.
cat >"$work/claims.yaml" <<END
title: "=1+1, \"two\""
evidence: theory
claims:
  - claim: "-1 \\\\ \\"quoted\\", with a comma\\tand a tab"
    kind: value
    source: own
    scenario: $top/$step
    metric: duration_s
    expect: 6 s
    tolerance: 1 ms
  - claim: this one fails
    kind: value
    source: own
    scenario: $top/$step
    metric: duration_s
    expect: 5 s
    tolerance: 1 ms
END
"$validate" -q --csv - "$work/claims.yaml" >"$work/csv" 2>"$work/err"
"$validate" --json "$work/claims.yaml" >"$work/json" 2>"$work/err"
[ $? -eq 1 ] && [ "$(wc -l <"$work/csv")" -eq 3 ]
check "--json of claims ends with the status of their verdicts"
same "verdicts of claims" "$work/json" "$work/csv" "" "line expected got deviation allowed share" verdicts
python3 -c 'import json, sys
p = json.load(open(sys.argv[1]))["provenance"]; assert (p["claims"], p["holds"], p["fails"]) == (2, 1, 1), p' \
  "$work/json" >"$work/out" 2>&1
check "--json of claims has the counts of the verdicts"
all_well
