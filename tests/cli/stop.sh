#!/bin/sh
# Tools that are stopped, by signals or because a resource is exhausted: processes end, temporary files are removed,
# finished results remain.
# Usage: tests/cli/stop.sh VDSIM-RUN VDSIM-KC-SWEEP VDSIM-VALIDATE
# Reads scenarios/; writes a temporary folder.
# shellcheck disable=SC2181,SC2012 # a status is that of a whole line; the names are those of this test
set -u

absolute() { echo "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"; }
sweep=$(absolute "$2") validate=$(absolute "$3")
# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 39

cd "$work" || exit 2
# links whose names identify the processes of this test
ln -s "$exe" vdsim-run
ln -s "$validate" vdsim-validate
exe=$work/vdsim-run validate=$work/vdsim-validate
mkdir tmp
TMPDIR=$work/tmp
export TMPDIR
printf 'base: %s/scenarios/iso/step_steer.yaml\nrun: {duration: 0.1}\nmetrics: []\n' "$top" >short.yaml
printf 'base: %s/short.yaml\nrun: {duration: 100000}\nlog: {rate: 1}\n' "$work" >long.yaml
cp long.yaml later.yaml
cat >search.yaml <<END
base: $work/long.yaml
search: {key: initial.speed, from: 10, to: 20, tolerance: 5, goals: {name: fast, metric: final_speed_mps, above: 15}}
END
cat >claims.yaml <<END
title: a test
source: a test
evidence: theory
claims:
  - {claim: one is one, kind: formula, formula: "1", expect: 1, tolerance: 0}
  - {claim: it gets on, kind: bound, scenario: long.yaml, metric: final_speed_mps, above: 1 m/s}
  - {claim: so does it, kind: bound, scenario: later.yaml, metric: final_speed_mps, above: 1 m/s}
END

# A shell without job control starts commands in the background with INT ignored; nohup starts all with HUP ignored, and
# no shell can undo this.
heard='import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])'
# Prints the processes of a tool.
left() { ps -A -o pid= -o args= | awk -v tool="$1" '$2 == tool { print $1 }'; }
running() { [ "$(left "$1" | grep -c '')" -ge 3 ]; } # with two processes
# Records and ends processes that should have ended.
end_left() { # TOOL
  processes=$(left "$1")
  # shellcheck disable=SC2086 # a list of numbers
  [ -z "$processes" ] || kill -KILL $processes
}
await() { # CONDITION: for up to 10 s
  tries=0
  until eval "$1" || [ $tries -ge 200 ]; do
    tries=$((tries + 1))
    sleep 0.05
  done
}
# Stops a tool as soon as the condition holds; its exit status is $status.
stop() { # SIGNAL CONDITION TOOL OPTION...
  signal=$1 condition=$2
  shift 2
  python3 -c "$heard" "$@" >"$work/out" 2>"$work/err" &
  pid=$!
  await "$condition"
  kill -"$signal" $pid
  wait $pid
  status=$?
  end_left "$1"
}
one_line() { # TEXT
  [ "$(cat "$work/err")" = "$1" ]
}
writing() { # FOLDER COUNT: so many temporary files are in it
  [ "$(find "$1" -name '.vdsim-*.tmp' | grep -c '')" -eq "$2" ]
}

for pair in TERM:143 INT:130 HUP:129; do
  name=${pair%:*}
  rm -rf many
  stop "$name" "[ -e many/short.resolved.yaml ] && writing many 2" "$exe" -j 3 -o many long.yaml later.yaml short.yaml
  [ $status -eq "${pair#*:}" ] && [ -z "$processes" ]
  check "$name to the parent of -j: status 128 + $((${pair#*:} - 128)), and no process is left"
  [ "$(find many -type f | sort | tr '\n' ' ')" = \
    "many/short.csv many/short.metrics.csv many/short.provenance.yaml many/short.resolved.yaml " ]
  check "$name: finished results stay, and no other file"
  one_line "vdsim-run: stopped by $name: 1 of 3 scenarios were finished; their results are kept"
  check "$name: one line says which results are kept"
  rm -rf one
  mkdir one
  stop "$name" "writing one 1" "$exe" -o one/log.csv long.yaml
  [ $status -eq "${pair#*:}" ] && [ -z "$(ls -A one)" ] && one_line "vdsim-run: stopped by $name: nothing is kept"
  check "$name ends a single run"
done
(
  trap '' HUP
  exec "$exe" -q --set run.duration=200 -o kept.csv long.yaml
) 2>"$work/err" &
pid=$!
await "writing . 1"
kill -HUP $pid
wait $pid
[ $? -eq 0 ] && [ -s kept.csv ]
check "a signal that nohup ignores stays ignored"
"$exe" -q -o old short.yaml && mv old/short.yaml old/long.yaml 2>/dev/null
for part in csv metrics.csv provenance.yaml resolved.yaml; do mv old/short.$part old/long.$part; done
cksum old/* >sums
stop TERM "writing old 1" "$exe" -o old long.yaml
cksum old/* | cmp -s - sums && [ "$(find old -type f | grep -c '')" -eq 4 ]
check "results of an earlier run stay as they were"
stop TERM "running $exe" "$exe" -j 2 search.yaml
[ $status -eq 143 ] && [ -z "$processes" ] && [ ! -s out ]
check "TERM ends a search"
stop TERM "running $validate" "$validate" -j 2 claims.yaml
[ $status -eq 143 ] && [ -z "$processes" ] &&
  grep -qx 'vdsim-validate: stopped by TERM: [01] of 3 parts were finished; nothing is kept' "$work/err"
check "TERM ends vdsim-validate"
[ -z "$(ls -A tmp)" ]
check "no stopped program leaves a temporary folder"
if [ "$(uname)" = Linux ]; then
  rm -rf many
  "$exe" -j 2 -o many long.yaml later.yaml 2>"$work/err" &
  pid=$!
  await "writing many 2"
  kill -KILL $pid
  await "writing many 0"
  wait $pid
  end_left "$exe"
  [ -z "$processes" ] && writing many 0
  check "processes also end with a parent that is killed"
else
  skip "processes also end with a parent that is killed" "only Linux ends them"
fi

# --- the next run that writes to a folder removes the temporary files of a killed run

mkdir left
holds() { [ "$(find left -name '.vdsim-*' | grep -c '')" -eq "$1" ]; } # COUNT
"$exe" -q -o left/long.csv long.yaml 2>"$work/err" &
killed=$!
"$exe" -q -o left long.yaml 2>"$work/err" &
lives=$!
await "writing left 2"
kill -KILL $killed
wait $killed 2>/dev/null
: >left/.vdsim-999999999-1-0.tmp # by a version without the machine in the name
: >left/.vdsim-$$-1-0.tmp          # of a killed process whose number another process, this shell, has now
touch left/.vdsim-notes.tmp
holds 5
check "a run that is killed leaves a temporary file"
"$exe" -q -o left short.yaml && [ -s left/short.csv ] && [ -e left/.vdsim-notes.tmp ] && holds 2 && writing left 2
check "the next run removes the temporary file of a killed run, but no file of a living run"
kill -TERM $lives
wait $lives 2>/dev/null
holds 1 && rm left/.vdsim-notes.tmp
check "a run that is stopped by a signal removes its own temporary file"
mkdir left/far && ln -s far/log.csv left/log.csv && : >left/far/.vdsim-999999999-1-0.tmp
"$exe" -q -o left/log.csv short.yaml && [ -s left/far/log.csv ] && [ "$(ls -A left/far)" = log.csv ]
check "a run that writes through a link removes the file of a killed run, too"

# --- temporary folders

TMPDIR=$work/nowhere
"$exe" -j 2 -o nowhere1 short.yaml absent.yaml 2>"$work/err"
[ $? -eq 2 ] && [ -s nowhere1/short.csv ] && grep -q '^absent.yaml: error: cannot open' "$work/err"
check "-j needs no temporary folder"
"$exe" -q -j 2 --set run.duration=0.1 --metrics "$work/found" search.yaml 2>"$work/err"
[ $? -ne 2 ]
check "a search with -j needs no temporary folder"
"$validate" -q -j 2 --filter 'claims/1' claims.yaml 2>"$work/err"
check "vdsim-validate -j needs no temporary folder"
unset TMPDIR

# --- closed streams

cp short.yaml told.yaml
"$exe" -v -o open.csv told.yaml 2>"$work/err" && [ -s "$work/err" ]
check "a run with a message succeeds"
"$exe" -v -o closed.csv told.yaml 2>&-
[ $? -eq 0 ] && cmp -s open.csv closed.csv
check "messages do not get into a log in place of a closed standard error"
"$exe" -v -o closed.csv told.yaml <&- >&- 2>&-
[ $? -eq 0 ] && cmp -s open.csv closed.csv
check "messages do not get into a log if all streams are closed"
"$exe" short.yaml >&- 2>"$work/err"
[ $? -eq 2 ] && grep -q "cannot write '-'" "$work/err"
check "a closed standard output is an error"
"$exe" -o closed.csv - <&- 2>"$work/err"
[ $? -eq 2 ] && grep -q '^<stdin>: error: cannot read' "$work/err"
check "a closed standard input is an error"
"$exe" -v -j 2 -o closed short.yaml told.yaml <&- >&- 2>&-
[ $? -eq 0 ] && cmp -s closed/told.csv open.csv
check "-j runs with all three standard streams closed"

# --- exhausted resources

limited() { # LIMIT TOOL OPTION...: its exit status
  (
    # shellcheck disable=SC3045 # skipped if there is no such limit
    ulimit -v "$1" && shift && exec "$@" >"$work/out" 2>"$work/err"
  )
}
# the least memory, in KiB, in which a tool starts
small=0
for size in 20000 40000 80000; do
  limited $size "$exe" --check short.yaml && { small=$((size + 20000)); break; }
done
sparse() { [ $? -eq 2 ] && [ "$(tail -n 1 "$work/err")" = "$1: error: out of memory" ]; }
if [ $small -gt 0 ]; then
  rm -rf less
  limited $small "$exe" -o less --set 'metrics=[handling]' --set run.duration=1000 --set log.rate=1000 long.yaml
  sparse vdsim-run && [ -z "$(ls -A less)" ]
  check "memory: a recorded run that needs too much ends with a message"
  limited $small "$exe" -j 2 -o less --set 'metrics=[handling]' --set run.duration=1000 long.yaml later.yaml
  [ $? -eq 2 ] && [ "$(grep -c '^vdsim-run: error: out of memory$' "$work/err")" -eq 2 ] && [ -z "$(ls -A less)" ]
  check "memory: processes of -j that need too much end with a message"
  limited $small "$sweep" --sweep=grid --travel=-50:50:1000 --rack=-20:20:1000 \
    "$top/scenarios/suspensions/dw_front_sports.yaml"
  sparse vdsim-kc-sweep && [ ! -s "$work/out" ]
  check "memory: a grid of curves that needs too much ends with a message"
  limited $small "$validate" -j 1 --filter 'claims/2' claims.yaml
  sparse vdsim-validate
  check "memory: a claim that needs too much ends with a message"
else
  for what in "a recorded run that needs too much ends" "processes of -j that need too much end" \
    "a grid of curves that needs too much ends" "a claim that needs too much ends"; do
    skip "memory: $what with a message" "no limit of memory can be set here"
  done
fi
mkdir small
(
  ulimit -f 8
  exec "$exe" -q -o small/log.csv --set run.duration=10 --set log.rate=100 short.yaml 2>"$work/err"
)
[ $? -eq 2 ] && [ "$(grep -c '' "$work/err")" -eq 1 ] &&
  grep -q "cannot write 'small/log.csv': File too large" "$work/err" &&
  [ -z "$(ls -A small)" ]
check "a file that cannot grow is an error"
(
  # shellcheck disable=SC3045
  ulimit -n 16
  exec "$exe" -q -j 8 -o few short.yaml told.yaml long.yaml later.yaml absent.yaml --set run.duration=0.1 2>"$work/err"
)
[ $? -eq 2 ] && [ "$(find few -name '*.metrics.csv' | grep -c '')" -eq 4 ] && ! grep -q 'too many\|Too many' "$work/err"
check "with a low limit of open files fewer processes run at a time"
cat >study.yaml <<END
kind: study
scenario: short.yaml
vary: [{name: mass, key: vehicle.mass, type: range, from: 1400 kg, to: 1700 kg, points: 40}]
metrics: [duration_s, distance_m]
END
sed 's/^metrics: .*/metrics: [run]/' short.yaml >short2.yaml && mv short2.yaml short.yaml
"$exe" -q -o all study.yaml
number=0
while [ $number -lt 45 ]; do number=$((number + 1)) && cp told.yaml told$number.yaml; done
for limit in 14 24 40 64; do
  rm -rf few fewer
  (
    # shellcheck disable=SC3045
    ulimit -n $limit
    timeout 60 "$exe" -j 60 -o few study.yaml || echo "a study: $limit"
    timeout 60 "$exe" -j 60 -o fewer told?*.yaml || echo "scenarios: $limit"
  ) >"$work/out" 2>"$work/err"
  note="note: only $limit files may be open (ulimit -n): [0-9]* process.* at a time, not 4[05]"
  [ "$(grep -c "$note" "$work/err")" -eq 2 ] && cmp -s few/study.csv all/study.csv && [ ! -s "$work/out" ] &&
    [ "$(find fewer -name '*.provenance.yaml' | grep -c '')" -eq 45 ]
  [ $? -eq 0 ] || cat "$work/out" "$work/err"
done >"$work/wrong"
[ ! -s "$work/wrong" ]
check "with more processes than open files allow, fewer processes do all work, and one line reports it" "$work/wrong"
(
  # shellcheck disable=SC3045
  ulimit -n 24
  exec timeout 60 "$exe" -j 60 --set run.duration=0.1 --metrics "$work/found" search.yaml >"$work/out" 2>"$work/err"
)
[ $? -le 1 ] && [ "$(grep -c 'files may be open' "$work/err")" -le 1 ]
check "with more processes than open files allow, fewer processes do a search"

all_well
