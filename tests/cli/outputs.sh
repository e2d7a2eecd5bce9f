#!/bin/sh
# Files that outputs may replace: never an input, under any name or link; under a name that the program made, only
# results of these programs. Also modes, links, full devices.
# Usage: tests/cli/outputs.sh VDSIM-RUN VDSIM-KC-SWEEP VDSIM-XCHECK VDSIM-VALIDATE
# Reads scenarios/, baselines/; writes a temporary folder.
# shellcheck disable=SC2181,SC2012 # a status is that of a whole line; the names are those of this test
set -u

absolute() { echo "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"; }
sweep=$(absolute "$2") xcheck=$(absolute "$3") validate=$(absolute "$4")
# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 128

# --- inputs of every kind in one folder

cd "$work" || exit 2
mkdir in
cd in || exit 2
cp "$top/scenarios/suspensions/dw_front_sports.yaml" car.yaml
cp car.yaml other.yaml
printf 't_s,angle_rad\n0,0\n0.1,0.5\n1,0.5\n' >table_steer.csv
cat >table_steer.yaml <<END
base: $top/scenarios/iso/step_steer.yaml
run: {duration: 0.2}
steering_wheel: {type: table, file: table_steer.csv}
metrics: []
END
sed "s|$top/scenarios/iso/step_steer.yaml|base.yaml|" table_steer.yaml >based.yaml
printf 'base: %s/scenarios/iso/step_steer.yaml\n' "$top" >base.yaml
"$xcheck" -q --export-adams list.csv car.yaml || exit 2
"$sweep" -o curves.csv car.yaml || exit 2
cat >claims.yaml <<END
title: a test
source: a test
evidence: theory
claims:
  - claim: the car gets on
    kind: bound
    scenario: table_steer.yaml
    metric: final_speed_mps
    above: 1 m/s
  - claim: one is one
    kind: formula
    formula: "1"
    expect: 1
    tolerance: 0
END
ln table_steer.csv hard.csv
ln -s table_steer.csv soft.csv
ln -s claims.yaml link
cksum ./* >"$work/sums"
ls -A >"$work/names"

# Checks status 2, one line of error that matches, and an unchanged folder.
safe() { # PATTERN TITLE TOOL OPTION...
  pattern=$1 title=$2
  shift 2
  "$@" >"$work/out" 2>"$work/err"
  [ $? -eq 2 ] && [ "$(grep -c 'error: ' "$work/err")" -eq 1 ] && grep -qe "$pattern" "$work/err" &&
    cksum ./* | cmp -s - "$work/sums" && ls -A | cmp -s - "$work/names"
  check "no input is overwritten: $title"
}
input='an input of this run'
no_text='the output is not a yaml file'

"$exe" --check table_steer.yaml based.yaml && "$validate" -q claims.yaml
check "the inputs are good"
safe "$input" "a log beside a table of the same stem" "$exe" -o . table_steer.yaml
safe "$input" "a log beside a table, in a folder by its full name" "$exe" -o "$work/in/" table_steer.yaml
safe "$input" "a table of one scenario is not an output of another" "$exe" -o . based.yaml table_steer.yaml
safe "$input" "a table of one scenario is no output of another, with -j" "$exe" -j 2 -o . based.yaml table_steer.yaml
safe "$input" "the log named as the table" "$exe" -o table_steer.csv table_steer.yaml
safe "$input" "a hard link to the table" "$exe" -o hard.csv table_steer.yaml
safe "$input" "a symbolic link to the table" "$exe" -o soft.csv table_steer.yaml
safe "$input" "the table as metrics" "$exe" --metrics table_steer.csv table_steer.yaml
safe "$input" "a hard link to the table as metrics" "$exe" --metrics hard.csv table_steer.yaml
safe "$no_text" "metrics to another scenario" "$exe" --metrics base.yaml table_steer.yaml
safe "no scenario given" "--metrics takes the only scenario" "$exe" --metrics table_steer.yaml
safe "$no_text" "a response to a scenario" "$exe" --response base.yaml "$top/scenarios/iso/chirp_steer.yaml"
safe "ends in .csv, .mat or .tdx, a folder or -" "-o takes no scenario" "$exe" -o base.yaml table_steer.yaml
safe "ends in .csv, .mat or .tdx, a folder or -" "-o takes no scenario on a base" "$exe" -o based.yaml table_steer.yaml
safe "ends in .csv, .mat or .tdx, a folder or -" "-o takes no file of another kind" "$exe" -o link table_steer.yaml
safe "$no_text" "-o takes no new name of a scenario" "$exe" -o new.yaml table_steer.yaml
safe "$input" "the resolved scenario over the scenario" "$exe" --resolved -o table_steer.yaml table_steer.yaml
safe "$input" "the resolved scenario over its base" "$exe" --resolved -o base.yaml based.yaml
safe "$input" "the resolved scenario over its table" "$exe" --resolved -o table_steer.csv based.yaml
"$exe" --resolved based.yaml >"$work/out" 2>"$work/err" && "$exe" --resolved based.yaml 2>"$work/err" >>base.yaml
[ $? -eq 2 ] && grep -q "'<stdout>' is the file 'base.yaml', $input" "$work/err" && cksum ./* | cmp -s - "$work/sums"
check "standard output cannot go into an input"

safe "$no_text" "curves over a suspension" "$sweep" -o car.yaml car.yaml
safe "$input" "the resolved suspension over itself" "$sweep" --resolved -o car.yaml car.yaml
safe "no suspension given" "--metrics takes the only suspension" "$sweep" --metrics car.yaml
safe "$no_text" "metrics to another suspension" "$sweep" --metrics other.yaml car.yaml
safe "needs an argument" "an option is not taken as the name of a file" "$sweep" --metrics --rack=-30:30:3 car.yaml
safe "exclude each other" "metrics and -o" "$sweep" --metrics - -o new.csv car.yaml
safe "$no_text" "a list to another suspension" "$xcheck" --export-adams other.yaml car.yaml
safe "$no_text" "a list to its own suspension" "$xcheck" --export-adams car.yaml car.yaml
safe "$input" "an import over its list" "$xcheck" --import list.csv --toe0=0 --camber0=0 --radius=0.3 -o list.csv
safe "$input" "verdicts over the reference" "$xcheck" -o curves.csv curves.csv car.yaml
safe "$input" "verdicts over the candidate" "$xcheck" -o curves.csv car.yaml curves.csv

safe "not a yaml file" "CSV over the claims" "$validate" --csv claims.yaml claims.yaml
safe "not a yaml file" "the table over the claims" "$validate" -o claims.yaml claims.yaml
safe "not a yaml file" "JUnit over the claims" "$validate" --junit claims.yaml claims.yaml
safe "$input" "the table over the claims by another name" "$validate" -o link claims.yaml
safe "$input" "a list of claims over the claims" "$validate" --list -o link claims.yaml
safe "$input" "CSV over the table of a scenario of a claim" "$validate" -q --force --csv hard.csv claims.yaml
safe "$input" "CSV over the table of a scenario of a claim, in one process" \
  "$validate" -q -j 1 --force --csv table_steer.csv claims.yaml

# --- names that the program makes

cd "$work" || exit 2
mkdir made
printf 'mine\n' >made/table_steer.csv
safe_name() { # FILE
  "$exe" -o made in/table_steer.yaml >"$work/out" 2>"$work/err"
  [ $? -eq 2 ] && grep -q "'made/$1' is not a file of these programs and is not replaced" "$work/err" &&
    [ "$(cat "made/$1")" = mine ] && [ "$(ls made)" = "$1" ]
  check "a file that is not a result is not replaced under a name that the program made: $1"
}
for file in table_steer.csv table_steer.metrics.csv table_steer.resolved.yaml table_steer.provenance.yaml \
  table_steer.incomplete.csv; do
  rm -f made/*
  printf 'mine\n' >"made/$file"
  safe_name $file
done
printf 'mine\n' >made/exact.provenance.yaml
"$exe" -o made/exact.csv in/table_steer.yaml 2>"$work/err"
[ $? -eq 2 ] && [ "$(cat made/exact.provenance.yaml)" = mine ] && [ ! -e made/exact.csv ]
check "a named log does not replace a user's file by its provenance"
rm made/*
"$exe" -q -o made/exact.csv in/table_steer.yaml && cp made/exact.csv first.csv &&
  "$exe" -q -o made/exact.csv --set run.duration=0.1 in/table_steer.yaml && ! cmp -s made/exact.csv first.csv
check "a log of the given name is replaced by the next log"
"$exe" -q -o made in/table_steer.yaml && "$exe" -q -o made in/table_steer.yaml
check "results replace results"
rm made/table_steer.*
: >made/table_steer.csv
"$exe" -q -o made in/table_steer.yaml && [ -s made/table_steer.csv ]
check "an empty file is replaced"
mkdir report
printf 'mine\n' >report/claims.html
"$validate" -q --report report in/claims.yaml 2>"$work/err"
[ $? -eq 2 ] && [ "$(cat report/claims.html)" = mine ] && [ "$(ls report)" = claims.html ]
check "a page does not replace a user's file"
rm report/claims.html
"$validate" -q --report report in/claims.yaml && "$validate" -q --report report in/claims.yaml
check "pages replace pages"

# --- given names: files to be edited are kept, results replace results, --force replaces any file but inputs

mkdir named
cd named || exit 2
car=$work/in/car.yaml run=$work/in/table_steer.yaml chirp=$top/scenarios/iso/chirp_steer.yaml
study=$top/scenarios/study/step_steer_spread.yaml claims=$work/in/claims.yaml rig=$top/scenarios/rig/fy_alpha.yaml
printf 'my notes, a,b\n1,2,3\n' >notes
# Runs a command that writes FILE. It must replace a user's notes only with --force; KIND says
# whether it may replace its own output: a result may, a draft may not.
over() { # KIND FILE COMMAND...
  kind=$1 file=$2
  shift 2
  cp ../named/notes "$file"
  "$@" >"$work/out" 2>"$work/err"
  if [ $? -ne 2 ] || [ "$(grep -c 'error: .*--force' "$work/err")" -ne 1 ] || ! cmp -s notes "$file"; then
    echo "over notes: $*"
    cat "$work/err"
  fi
  "$@" --force >"$work/out" 2>"$work/err" || echo "--force: $*"
  ! cmp -s notes "$file" || echo "--force wrote nothing: $*"
  cp "$file" written
  "$@" >"$work/out" 2>"$work/err"
  again=$?
  case $kind in
    draft) [ $again -eq 2 ] && grep -q "'$file' exists already" "$work/err" && cmp -s written "$file" ;;
    result) [ $again -eq 0 ] ;;
  esac || { echo "again: $*"; cat "$work/err"; }
  : >"$file"
  "$@" >"$work/out" 2>"$work/err" || echo "empty: $*"
  [ -s "$file" ] || echo "stays empty: $*"
}
{
  for kind in car tyre suspension scenario; do
    over draft $kind.yaml "$exe" --template $kind -o $kind.yaml
  done
  over draft resolved.yaml "$exe" --resolved -o resolved.yaml "$run"
  over draft study.yaml "$exe" --resolved -o study.yaml "$study"
  over draft tyre.tir "$exe" --write-tir tyre.tir "$rig"
  over draft corner.yaml "$sweep" --resolved -o corner.yaml "$car"
  over draft list.yaml "$xcheck" -q --import "$work/in/list.csv" --toe0=0 --camber0=0 --radius=0.3 -o list.yaml
} >"$work/wrong"
[ ! -s "$work/wrong" ]
check "templates, resolved files, property files and imports are never replaced without --force" "$work/wrong"
{
  over result log.csv "$exe" -q -o log.csv "$run"
  over result chosen.csv "$exe" -q -c ax_mps2 -o chosen.csv "$run"
  over result rig.csv "$exe" -q -o rig.csv "$rig"
  over result rig.tdx "$exe" -q -o rig.tdx "$rig"
  over result run.mat "$exe" -q -o run.mat "$run"
  over result metrics.csv "$exe" --metrics metrics.csv "$run"
  over result metrics.json "$exe" --json --metrics metrics.json "$run"
  over result response.csv "$exe" --response response.csv "$chirp"
  over result page.html "$exe" -q --report page.html "$run"
  over result linear.csv "$exe" --linear=linear.csv "$run"
  over result linear.yaml "$exe" --linear=linear.yaml "$run"
  over result design.csv "$exe" --dry-run -o design.csv "$study"
} >"$work/wrong"
[ ! -s "$work/wrong" ]
check "results of vdsim-run replace results, and nothing else" "$work/wrong"

# --- files of MATLAB

mat() { # SCENARIO TITLE: the file has the numbers of the CSV
  "$exe" -q -o made.mat "$1" && "$exe" -q --exact -o made.csv "$1" &&
    python3 -B "$top/tests/common/mat.py" made.mat made.csv >"$work/wrong" 2>&1
  check "$2 as a file of MATLAB has the bits of CSV" "$work/wrong"
  rm -f made.*
}
mat "$run" "a run"
mat "$rig" "a rig, some of whose fields are empty,"
"$exe" -q -o made.mat "$study" 2>"$work/err"
[ $? -eq 2 ] && [ ! -e made.mat ] && grep -q "files of MATLAB are for logs; .* is a study" "$work/err"
check "a study as a file of MATLAB is refused" "$work/err"
"$exe" -q -o made.mf4 "$run" 2>"$work/err"
[ $? -eq 2 ] && [ ! -e made.mf4 ] && grep -q "MDF is not written: it needs a library of its own" "$work/err"
check "MDF is refused by name" "$work/err"
"$exe" -q -o made.parquet "$run" 2>"$work/err"
[ $? -eq 2 ] && [ ! -e made.parquet ] && grep -q "Parquet is written by the package for Python" "$work/err"
check "Parquet is refused by name" "$work/err"
{
  for option in -q --sensitivity --forces --matrix --factors --graph --columns=toe_deg,camber_deg --sweep=fy; do
    over result curves.csv "$sweep" $option -o curves.csv "$car"
  done
  over result figures.csv "$sweep" --metrics figures.csv "$car"
  over result figures.json "$sweep" --json --metrics figures.json "$car"
  over result corner.html "$sweep" -q --travel=-50:50:3 --report corner.html "$car"
  over result points.csv "$xcheck" -q --export-adams points.csv "$car"
  for option in -q --tap --json; do
    over result same.csv "$xcheck" -q $option -o same.csv "$car" "$car"
  done
  for option in -v --tap --json --list "--list --json"; do
    # shellcheck disable=SC2086 # two options
    over result said "$validate" $option -o said "$claims"
  done
  over result said.csv "$validate" -q --csv said.csv "$claims"
  over result said.xml "$validate" -q --junit said.xml "$claims"
} >"$work/wrong"
[ ! -s "$work/wrong" ]
check "the other programs do not replace a user's file" "$work/wrong"
"$exe" -q --template car -o mine.yaml && sed -i 's/^yaw_inertia:.*/yaw_inertia: 2600 kg m2 # measured/' mine.yaml &&
  ! "$exe" --template car -o mine.yaml 2>"$work/err" && grep -q '^yaw_inertia: 2600 kg m2 # measured' mine.yaml
check "a template that is written again keeps measured values"
printf 't_s,yaw_rate_radps\n0,0\n' >measured.csv
"$exe" -q -c yaw_rate_radps -o measured.csv "$run" 2>"$work/err"
[ $? -eq 2 ] && [ "$(wc -l <measured.csv)" -eq 2 ]
check "measurements with names of channels are not replaced as a log"
"$exe" -q "$run" >piped.csv && "$exe" -q -o piped.csv --set run.duration=0.1 "$run" && [ -e piped.provenance.yaml ]
check "a log that was written through standard output is replaced as a log"
printf 'mine\n' >fz.front.tir
"$exe" --write-tir fz.tir --set vehicle.front.tyre="$top/scenarios/tyres/mf61_synthetic.yaml" \
  --set vehicle.rear.tyre="$top/scenarios/tyres/parking_mf61.yaml" "$run" 2>"$work/err"
[ $? -eq 2 ] && grep -q "'fz.front.tir' exists already" "$work/err" && [ "$(cat fz.front.tir)" = mine ] &&
  [ ! -e fz.rear.tir ]
check "if one of several property files may not be written, none is written"
mkdir tables && printf 'mine\n' >tables/car.yaml
"$sweep" --tables tables "$car" 2>"$work/err"
[ $? -eq 2 ] && [ "$(ls tables)" = car.yaml ] && "$sweep" --force --tables tables "$car" &&
  "$sweep" --tables tables "$car"
check "tables replace tables"
cp "$run" own.yaml && cp "$work/in/table_steer.csv" . && "$exe" --force --resolved -o own.yaml own.yaml 2>"$work/err"
[ $? -eq 2 ] && grep -q "$input" "$work/err" && cmp -s "$run" own.yaml
check "--force replaces no input"
mkfifo pipe
cat pipe >piped &
"$exe" --template car -o pipe && "$exe" --template car -o /dev/null && "$exe" --template car -o /dev/stdout >out.yaml
[ $? -eq 0 ] && wait && cmp -s piped out.yaml && [ -s piped ]
check "every output can go to a device or a pipe"
mkdir cases && printf 'mine\n' >cases/spread.csv
sed "s,^scenario: .*,scenario: $top/scenarios/iso/step_steer.yaml," "$study" >spread.yaml
"$exe" -q -o cases --set design.count=2 spread.yaml 2>"$work/err"
[ $? -eq 2 ] && [ "$(ls cases)" = spread.csv ] && [ "$(cat cases/spread.csv)" = mine ]
check "a study does not replace a user's file"
cd "$work" || exit 2

# --- several runs into one folder at the same time: all files are from one of the runs

for mass in 1400 1500 1600 1700; do
  "$exe" -q -o own$mass --set vehicle.mass=$mass --set 'metrics=[handling]' in/table_steer.yaml
done
mkdir one
for round in 1 2 3 4 5 6 7 8 9 10; do
  for mass in 1400 1500 1600 1700; do
    "$exe" -q -o one --set vehicle.mass=$mass --set 'metrics=[handling]' in/table_steer.yaml || echo $mass &
  done
  wait
  mass=$(sed -n 's/.*vehicle.mass=\([0-9]*\).*/\1/p' one/table_steer.provenance.yaml)
  diff -r one own"$mass" || echo "round $round"
done >"$work/wrong" 2>&1
[ ! -s "$work/wrong" ] && [ "$(ls -A one | wc -l)" -eq 4 ]
check "runs into one folder leave the files of one run" "$work/wrong"
for round in 1 2 3 4 5; do
  for rack in 10 20 30; do
    "$sweep" --tables turns --rack=-$rack:$rack:3 in/car.yaml || echo "round $round" &
  done
  wait
  rack=$(tail -n 1 turns/car.csv | cut -d , -f 2)
  rm -rf own
  "$sweep" --tables own --rack=-"$rack":"$rack":3 in/car.yaml && diff -r own turns || echo "round $round"
done >"$work/wrong" 2>&1
[ ! -s "$work/wrong" ]
check "tables into one folder are the files of one program" "$work/wrong"

# --- baselines

baselines() { # PATH
  cat >b.yaml <<END
title: a test
source: a test
evidence: theory
claims:
  - claim: nothing has changed
    kind: baseline
    scenario: in/table_steer.yaml
    baseline: $1
END
  "$validate" -q --write-baselines written b.yaml 2>"$work/err"
}
baselines baselines/a/b.csv &&
  [ "$(ls written/a | tr '\n' ' ')" = "b.csv b.metrics.csv b.provenance.yaml b.resolved.yaml " ]
check "baselines are written"
baselines baselines/a/b.csv
check "baselines are replaced"
rm written/a/*
printf 'mine\n' >written/a/b.csv
baselines baselines/a/b.csv
[ $? -eq 2 ] && [ "$(cat written/a/b.csv)" = mine ] && grep -q 'is not a file of these programs' "$work/err"
check "baselines do not replace a user's file"
rm -r written
for path in baselines/../../leaves.csv ../leaves.csv "$work/leaves.csv" baselines/a/../../leaves.csv; do
  baselines "$path"
  [ $? -eq 2 ] && grep -q "would be written outside of 'written'" "$work/err" && [ ! -e leaves.csv ] &&
    [ ! -e ../leaves.csv ] && [ ! -d written ]
  check "--write-baselines does not leave its folder: ${path#"$work"}"
done

# --- links and modes

mkdir far links
ln -s ../far/log.csv links/table_steer.csv
"$exe" -q -o links in/table_steer.yaml
[ $? -eq 0 ] && [ -L links/table_steer.csv ] && [ -s far/log.csv ] && [ "$(ls far)" = log.csv ] &&
  [ "$(ls links | tr '\n' ' ')" = \
  "table_steer.csv table_steer.metrics.csv table_steer.provenance.yaml table_steer.resolved.yaml " ]
check "a log that is a link to no file: its target is made, all other files are beside the link"
cp links/table_steer.metrics.csv first.csv
"$exe" -q -o links --set run.duration=0.1 in/table_steer.yaml
[ $? -eq 0 ] && [ "$(tail -n 1 links/table_steer.csv | cut -d , -f 1)" = 0.1 ] && [ -L links/table_steer.csv ] &&
  grep -qx 'end_time: 0.1' links/table_steer.provenance.yaml &&
  grep -q 'duration: 0.1 ' links/table_steer.resolved.yaml &&
  ! cmp -s links/table_steer.metrics.csv first.csv
check "results behind a link are renewed together"
"$exe" -q -o links --set vehicle.mass=10 --set vehicle.front.unsprung_mass=0.1 --set vehicle.rear.unsprung_mass=0.1 \
  --set vehicle.aero='{drag: 10, frontal_area: 100, air_density: 10}' --set initial.speed=50 \
  --set run.step=0.001 in/table_steer.yaml 2>"$work/err"
[ $? -eq 3 ] && [ -L links/table_steer.csv ] && [ ! -e far/log.csv ] && [ -s links/table_steer.incomplete.csv ] &&
  [ ! -e links/table_steer.metrics.csv ]
check "a run that fails leaves no earlier log behind a link"
ln -s loop.csv links/loop.csv
"$exe" -o links/loop.csv in/table_steer.yaml 2>"$work/err"
[ $? -eq 2 ] && grep -q 'cannot write' "$work/err" && [ -L links/loop.csv ]
check "a link to itself is an error"
"$exe" -q -o mode.csv in/table_steer.yaml && chmod 604 mode.csv && "$exe" -q -o mode.csv in/table_steer.yaml
[ "$(ls -l mode.csv | cut -c 1-10)" = -rw----r-- ]
check "a file that is replaced keeps its mode"
if [ "$(id -u)" -eq 0 ]; then
  chown 12:34 mode.csv && "$exe" -q -o mode.csv in/table_steer.yaml
  [ "$(ls -ln mode.csv | awk '{ print $3 ":" $4 }')" = 12:34 ]
  check "a file that is replaced keeps its owner"
else
  skip "a file that is replaced keeps its owner" "only root may give files away"
fi

# --- devices that cannot be written

"$exe" -q -c t_s,yaw_rate_radps --rate 10 -o reference.csv in/table_steer.yaml
printf 'source: a test\ncurves: [{y: yaw_rate_radps, y_offset: 1 deg/s}]\n' >tolerances.yaml

# Checks status 2 and one message if standard output, or the output file, is a full device.
full() { # TITLE TOOL OPTION...
  title=$1
  shift
  "$@" >/dev/full 2>"$work/err"
  [ $? -eq 2 ] && [ "$(grep -c '' "$work/err")" -eq 1 ] && grep -q 'error: cannot write ' "$work/err"
  check "full: $title"
}
full_file() { # TITLE TOOL OPTION...
  title=$1
  shift
  "$@" >/dev/null 2>"$work/err"
  [ $? -eq 2 ] && [ "$(grep -c '' "$work/err")" -eq 1 ] && grep -q "error: cannot write '/dev/full'" "$work/err"
  check "full: $title"
}
car=in/car.yaml
short="--set run.duration=0.1"
if [ -c /dev/full ]; then
  full "the log" "$exe" in/table_steer.yaml
  for list in resolved "metrics -"; do
    # shellcheck disable=SC2086 # an option with its argument
    full "vdsim-run --$list" "$exe" --$list in/table_steer.yaml
  done
  full "vdsim-run, a rig" "$exe" "$top/scenarios/rig/fy_alpha.yaml"
  # shellcheck disable=SC2086
  full "vdsim-run, a track car" "$exe" $short "$top/scenarios/track/ramp_jump.yaml"
  full "vdsim-run --response" "$exe" --response - "$top/scenarios/iso/chirp_steer.yaml"
  for list in channels states metrics keys manoeuvres; do full "vdsim-run --list-$list" "$exe" --list-$list; done
  for tool in "$exe" "$sweep" "$xcheck" "$validate"; do
    full "$(basename "$tool") --help" "$tool" --help
    full "$(basename "$tool") --version" "$tool" --version
  done
  full_file "vdsim-run -o" "$exe" -o /dev/full in/table_steer.yaml
  full_file "vdsim-run --metrics" "$exe" --metrics /dev/full in/table_steer.yaml
  full_file "vdsim-run --response" "$exe" --response /dev/full "$top/scenarios/iso/chirp_steer.yaml"
  full_file "vdsim-run --resolved -o" "$exe" --resolved -o /dev/full in/table_steer.yaml
  full "curves" "$sweep" $car
  for verb in "metrics -" resolved graph list-columns list-keys; do
    # shellcheck disable=SC2086
    full "vdsim-kc-sweep --$verb" "$sweep" --$verb $car
  done
  full_file "vdsim-kc-sweep -o" "$sweep" -o /dev/full $car
  full_file "vdsim-kc-sweep --metrics" "$sweep" --metrics /dev/full $car
  full "verdicts" "$xcheck" -q $car $car
  full "vdsim-xcheck --tap" "$xcheck" -q --tap $car $car
  full "vdsim-xcheck --export-adams" "$xcheck" -q --export-adams - $car
  full "vdsim-xcheck --import" "$xcheck" -q --import in/list.csv --toe0=0 --camber0=0 --radius=0.3
  full_file "vdsim-xcheck -o" "$xcheck" -q -o /dev/full $car $car
  full_file "vdsim-xcheck --export-adams" "$xcheck" -q --export-adams /dev/full $car
  for verb in list list-keys tap "junit -" "csv -" verbose; do
    # shellcheck disable=SC2086
    full "vdsim-validate --$verb" "$validate" --$verb in/claims.yaml
  done
  full "vdsim-validate --against" "$validate" --against reference.csv --tolerances tolerances.yaml in/table_steer.yaml
  for verb in o -csv -junit; do full_file "vdsim-validate -$verb" "$validate" -$verb /dev/full in/claims.yaml; done
else
  while [ $test_number -lt "$planned" ]; do skip "full" "no /dev/full"; done
fi
all_well
