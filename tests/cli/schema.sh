#!/bin/sh
# JSON Schemas of scenarios and their parts: every file that is shipped is valid, and files with unknown keys, words or
# types are not. The program that reads the schema shares no code with the tables from which the schema is made.
# Usage: tests/cli/schema.sh VDSIM-RUN VDSIM-KC-SWEEP VDSIM-VALIDATE YAML-JSON
# Reads scenarios/, validation/ and tests/; writes a temporary folder. Needs python3; uses PyYAML if present.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
sweep=$(dirname "$exe")/vdsim-kc-sweep
validate=$(dirname "$exe")/vdsim-validate
case $4 in /*) json=$4 ;; *) json=$OLDPWD/$4 ;; esac

plan 18
if ! python3 -c 'import json, re' 2>/dev/null; then
  while [ "$test_number" -lt "$planned" ]; do skip "JSON Schema" "no python3"; done
  all_well
  exit
fi

# Validates files by a schema, and writes the names of invalid files to $work/invalid.
judge() { # SCHEMA FILE...
  schema=$1
  shift
  "$json" "$@" >"$work/documents" && python3 tests/cli/schema.py "$schema" "$work/documents" "$@" >"$work/invalid" \
    2>"$work/err"
}
valid() { # TITLE SCHEMA LEAST FILE...: at least LEAST files, all valid
  title=$1
  least=$3
  schema=$2
  shift 3
  judge "$schema" "$@" && [ ! -s "$work/invalid" ] && [ $# -ge "$least" ]
  check "$title ($#)" "$work/invalid" "$work/err"
}
# Prints the inputs of a folder of tests whose first message is about the input itself and contains the words. All of
# these inputs must be invalid.
broken() { # FOLDER WORDS
  awk 'FNR == 1 {
      file = FILENAME
      sub(/[.]expect$/, ".yaml", file)
      if (index($0, file ":") == 1) print
    }' tests/"$1"/*.expect | sed -n "s/^\([^:]*\):[0-9:]* error: $2.*/\1/p" | while read -r file; do
    [ ! -f "$file" ] || echo "$file"
  done
}
invalid() { # TITLE SCHEMA LEAST FOLDER WORDS
  title=$1
  # shellcheck disable=SC2046 # names without blanks
  set -- "$2" "$3" $(broken "$4" "$5")
  schema=$1
  least=$2
  shift 2
  judge "$schema" "$@" && [ "$(wc -l <"$work/invalid")" -eq $# ] && [ $# -ge "$least" ]
  check "$title ($#)" "$work/invalid" "$work/err"
  printf '%s\n' "$@" | while read -r file; do grep -q "^$file" "$work/invalid" || echo "# valid: $file"; done
}

"$exe" --schema >"$work/scenario" && "$exe" --schema=vehicle >"$work/vehicle" &&
  "$exe" --schema=vehicle.front.tyre >"$work/tyre" &&
  "$exe" --schema=ground >"$work/ground" && "$sweep" --schema >"$work/suspension" &&
  "$validate" --schema >"$work/claims"
check "six schemas are written"
[ "$(wc -c <"$work/scenario")" -lt 2000000 ]
check "the greatest schema is below 2 MB" /dev/null

# the names in the table of manoeuvres are scenarios
# shellcheck disable=SC2046
valid "every shipped scenario is valid" "$work/scenario" 150 $("$exe" --list-manoeuvres | cut -f 2 |
    sed 's,^,scenarios/,')
valid "every shipped vehicle" "$work/vehicle" 10 scenarios/vehicles/*.yaml
valid "every shipped tyre" "$work/tyre" 8 scenarios/tyres/*.yaml
valid "every shipped ground" "$work/ground" 1 scenarios/grounds/*.yaml
valid "every shipped suspension" "$work/suspension" 10 scenarios/suspensions/*.yaml
set -- validation/*.yaml validation/chrono/*.yaml validation/measured/*.yaml
valid "every shipped file of claims" "$work/claims" 35 "$@"
# PyYAML reads YAML 1.1, in which yes, no, on and off are truth values
if python3 -c 'import yaml' 2>/dev/null; then
  python3 -c 'import json, sys, yaml
for name in sys.argv[1:]:
    print(json.dumps(yaml.safe_load(open(name, encoding="utf-8")), default=str))' "$@" >"$work/documents" \
      2>"$work/err" &&
    python3 tests/cli/schema.py "$work/claims" "$work/documents" "$@" >"$work/invalid" 2>"$work/err" &&
    [ ! -s "$work/invalid" ] &&
    grep -q '"verified": false' "$work/documents"
  check "the shipped files are valid for a reader of YAML 1.1" "$work/invalid" "$work/err"
else
  skip "the shipped files are valid for a reader of YAML 1.1" "no PyYAML"
fi
"$exe" --resolved scenarios/iso/step_steer.yaml >"$work/resolved.yaml" &&
  "$exe" --resolved scenarios/rig/fy_alpha.yaml >"$work/resolved_rig.yaml"
valid "a resolved scenario, in which every key is written" "$work/scenario" 2 "$work/resolved.yaml" \
  "$work/resolved_rig.yaml"

# broken inputs
python3 -B tests/common/cases.py "$work/tree" bad bad_suspension bad_validation && cd "$work/tree" || exit 2
invalid "scenarios with an unknown key are invalid" "$work/scenario" 5 bad "unknown key"
invalid "scenarios with an unknown word are invalid" "$work/scenario" 10 bad "'[a-z_]*' must be one of"
invalid "suspensions with an unknown key are invalid" "$work/suspension" 2 bad_suspension "unknown key"
# words of `part' of a spring depend on the type, so that the schema allows any text there
invalid "suspensions with an unknown word are invalid" "$work/suspension" 4 bad_suspension \
  "'\(type\|ref\|axle\|bushings\)' must be one of"
invalid "claims with an unknown key are invalid" "$work/claims" 1 bad_validation "unknown key"
invalid "claims with an unknown word are invalid" "$work/claims" 1 bad_validation "'[a-z_]*' must be one of"
bad() { # NAME, text on standard input
  cat >"$work/$1.yaml"
  judge "$work/scenario" "$work/$1.yaml" && [ -s "$work/invalid" ] || echo "$1"
}
{
  echo 'vehicle: {mass: -1}' | bad range
  echo 'steer: {type: step, value: 1, rate: 2}' | bad other_variant
  echo 'run: {duration: [1]}' | bad type
  echo 'kind: nonsense' | bad kind
  echo 'base: {a: 1}' | bad base
  echo 'run: {accuracy: x}' | bad text
  printf 'kind: tyre_rig\nvehicle: car.yaml\n' | bad key_of_another_kind
  echo '- a' | bad list
} >"$work/passed"
[ ! -s "$work/passed" ]
check "wrong ranges, wrong types and keys of another variant or kind are invalid" "$work/passed"
run --schema=steer
[ $status -eq 2 ] && grep -q 'does not name a file' "$work/err"
check "--schema of a key that names no file is refused"
all_well
