#!/bin/sh
# scripts/slurm-study on a real Slurm with two nodes on this machine. One node is lost during the study, and the result
# still has the bytes of a single run. The test starts the daemons, which listen on the loopback interface and write
# only to the temporary folder.
# Usage: tests/scripts/slurm_study.sh VDSIM-RUN
# It takes minutes; it runs only with VDSIM_CLUSTER=yes, as in `scripts/test --all`. Needs root, slurm-wlm and munge.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
leave() {
  echo "1..0 # SKIP $1"
  exit 0
}
[ "${VDSIM_CLUSTER-}" = yes ] || leave "scripts/test --all runs it"
[ "$(id -u)" -eq 0 ] || leave "the daemons need root"
PATH=$PATH:/usr/sbin
for program in munged slurmctld slurmd sbatch squeue scontrol; do
  command -v $program >/dev/null || leave "no $program; scripts/setup --all installs it"
done
[ -d /proc/self ] || leave "no /proc"

# --- the cluster ---

# Prints the processes of the cluster, which have the name of its configuration in their environment.
processes() {
  for environment in /proc/[0-9]*/environ; do
    number=${environment#/proc/} number=${number%/environ}
    [ "$number" != $$ ] || continue
    { tr '\0' '\n' <"$environment"; } 2>/dev/null >"$work/environment" || continue
    grep -qx "SLURM_CONF=$SLURM_CONF" "$work/environment" || continue
    echo "$number"
  done
}
kill_each() { # PROCESS...
  for number; do kill -9 "$number" 2>/dev/null; done
}
stop_all() {
  for file in "$work"/d/*.pid; do
    [ -s "$file" ] && kill "$(cat "$file")" 2>/dev/null
  done
  sleep 1
  # shellcheck disable=SC2046 # numbers
  kill_each $(SLURM_CONF=$conf processes | while read -r number; do
    case $(cat "/proc/$number/comm" 2>/dev/null) in slurm* | vdsim-run | munged) echo "$number" ;; esac
  done)
}

chmod 755 "$work" # munge requires it
mkdir -m 755 "$work/d" "$work/d/state" "$work/d/spool.n1" "$work/d/spool.n2"
d=$work/d
conf=$d/slurm.conf
port=$((20000 + $$ % 20000))
host=$(hostname)
cat >"$conf" <<END
ClusterName=t
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$d/munge.sock
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$d/state
SlurmdSpoolDir=$d/spool.%n
SlurmctldPidFile=$d/slurmctld.pid
SlurmdPidFile=$d/%n.pid
SlurmctldLogFile=$d/slurmctld.log
SlurmdLogFile=$d/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdTimeout=10
MaxArraySize=1001
ReturnToService=2
SwitchType=switch/none
MpiDefault=none
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 RealMemory=500
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 RealMemory=500
PartitionName=p Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
END
SLURM_CONF=$conf
export SLURM_CONF
trap 'stop_all; chmod -R u+w "$work"; rm -rf "$work"' EXIT
dd if=/dev/urandom of="$d/munge.key" bs=1 count=1024 2>/dev/null
chmod 400 "$d/munge.key"
{
  munged --key-file="$d/munge.key" --socket="$d/munge.sock" --pid-file="$d/munged.pid" --log-file="$d/munged.log" \
    --seed-file="$d/munge.seed" --force && slurmctld && slurmd -N n1 && slurmd -N n2
} >"$work/out" 2>"$work/err" || leave "the daemons do not start here: $(tail -n 1 "$work/err")"

within() { # SECONDS COMMAND...: until it is true
  last=$(($(date +%s) + $1))
  shift
  until "$@"; do
    [ "$(date +%s)" -lt $last ] || return 1
    sleep 0.2
  done
}
nodes_idle() { [ "$(sinfo -h -N -o %t 2>/dev/null | grep -c idle)" -eq 2 ]; }
within 30 nodes_idle || leave "the nodes do not come up: $(tail -n 1 "$d/slurmctld.log")"

# --- the study ---

plan 13
# 20 shards of about a second each
cat >"$work/it's a study.yaml" <<END
kind: study
scenario: $top/scenarios/iso/step_steer.yaml
set: [run.duration=4 s]
vary:
  - {name: mass, key: vehicle.mass, type: uniform, from: 1300, to: 1700}
  - {name: grip, key: ground.friction, type: uniform, from: 0.7, to: 1}
design: {type: latin_hypercube, count: 6000, seed: 3}
metrics: [yaw_rate_gain*, peak_ay_mps2]
END
study="$work/it's a study.yaml" name="it's a study"
VDSIM_RUN=$exe
export VDSIM_RUN
"$exe" -q -j 2 -o "$work/one" --set design.seed=4 "$study"
tables() { find "$work/out 1" -name '*.csv' -path '*of20*' ! -name '*.times.csv' 2>/dev/null | awk 'END { print NR }'; }
submit() {
  (cd "$work" && "$top/scripts/slurm-study" -o 'out 1' --shards 20 --set design.seed=4 "$name.yaml" "$@" \
      >"$work/out" 2>"$work/err")
}

submit -- --partition=nowhere
[ $? -eq 2 ] && grep -q 'sbatch took no array' "$work/err"
check "options after -- are given to sbatch, and an error of sbatch ends the script"
submit
check "an array is submitted"
[ $failures -eq 0 ] || exit 1
grep -q '^array [0-9]*: shards 1-20 of 20; job [0-9]* merges them' "$work/out"
check "the script says that an array was submitted"
submit
[ $? -eq 2 ] && grep -q 'are still in the queue' "$work/err"
check "a study is not submitted while it runs"

both_work() { [ "$(tables)" -ge 3 ] && [ -n "$(busy n1)" ] && [ -n "$(busy n2)" ]; }
busy() { # NODE: the processes of vdsim-run on it; their names are read first, for the machine may have many others
  for folder in /proc/[0-9]*; do
    read -r called <"$folder/comm" || continue
    [ "$called" = vdsim-run ] || continue
    tr '\0' '\n' <"$folder/environ" >"$work/environment" || continue
    grep -qx "SLURM_CONF=$SLURM_CONF" "$work/environment" && grep -qx "SLURMD_NODENAME=$1" "$work/environment" &&
      echo "${folder#/proc/}"
  done 2>/dev/null
}
within 120 both_work
check "both nodes compute" "$d/slurmctld.log"
# Kill the daemon of the node first, so that nothing reports the end of its step; then the supervisor of the step and
# its processes
victims=$(busy n2)
keepers=$(for number in $victims; do awk '$1 == "PPid:" { print $2 }' "/proc/$number/status" 2>/dev/null; done |
  while read -r number; do case $(cat "/proc/$number/comm" 2>/dev/null) in slurmstepd) echo "$number" ;; esac; done)
before=$(tables)
kill -9 "$(cat "$d/n2.pid")"
# shellcheck disable=SC2086 # numbers
kill_each $keepers $victims
[ -n "$victims" ] && [ -n "$keepers" ] && [ "$before" -lt 20 ]
check "a node is killed when $before of 20 shards are complete"
# a shard on the other node is killed, too
# shellcheck disable=SC2046 # numbers
kill_each $(busy n1)
whole() { [ -f "$work/out 1/$name.metrics.csv" ] && [ -z "$(squeue -h)" ]; }
within 400 whole
check "all shards are computed and merged" "$d/slurmctld.log" "$work/out 1/$name.shards"/*.log
sinfo -h -n n2 -o %t | grep -q down
check "the lost node is down at the end of the study" "$d/slurmctld.log"
cmp -s "$work/one/$name.csv" "$work/out 1/$name.csv" &&
  cmp -s "$work/one/$name.metrics.csv" "$work/out 1/$name.metrics.csv"
check "the table and the figures have the bytes of a single run"
grep -q '^array .*: shards [0-9,-]* of 20; job' "$work/out 1/$name.shards/merge.log"
check "the job that merges has submitted the failed shards again" "$work/out 1/$name.shards/merge.log"
submit && [ -z "$(squeue -h)" ] && cmp -s "$work/one/$name.csv" "$work/out 1/$name.csv"
check "a repeated command finds nothing to do"
sed -i 's/to: 1700/to: 1701/' "$study"
submit
[ $? -eq 2 ] && grep -q 'belongs to a study with other inputs' "$work/err" &&
  cmp -s "$work/one/$name.csv" "$work/out 1/$name.csv"
check "a study that has changed is refused"
(cd "$work" && "$top/scripts/slurm-study" -o more --chunk 5 "$name.yaml" >"$work/out" 2>"$work/err")
[ $? -eq 2 ] && grep -q -- '--chunk 6' "$work/err"
check "more shards than an array takes are refused, with the number that fits"
all_well
