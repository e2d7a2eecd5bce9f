#!/bin/sh
# vdsim-run --linear: matrices as CSV and YAML, the text for readers, instants, and scenarios without a linear system.
# Usage: tests/cli/linear_model.sh VDSIM-RUN
# Reads scenarios/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 16
step=scenarios/road/linear_step.yaml

# The linear single-track model at v = 20 m/s: the derivative of vy' is -2 C/(m v) by vy, and C/(m 16) by the steering
# wheel angle, with C = 160 kN/rad of an axle and the steering ratio 16.
run --linear="$work/car.csv" --at 0.5 $step
[ $status -eq 0 ] && [ ! -s "$work/err" ] && head -n 1 "$work/car.csv" | grep -qx part,row,column,value
check "--linear=FILE.csv writes a table"
awk -F , 'function off(got, expected) { return (got / expected - 1)^2 > 1e-16 }
  $1 == "A" && $2 == "vy_mps" && $3 == "vy_mps" { n++; if (off($4, -320000 / 1573 / 20)) bad = 1 }
  $1 == "B" && $2 == "vy_mps" && $3 == "steering_wheel_rad" { n++; if (off($4, 160000 / 1573 / 16)) bad = 1 }
  END { exit bad || n != 2 }' "$work/car.csv"
check "A and B are those of the linear single track" "$work/car.csv"
awk -F , '$1 == "A" { a[$2]++ } $1 == "C" { c++; output[$2] = 1 } $1 == "D" { d++ } $1 == "B" { input[$3] = 1 }
  END { for (i in a) n++; for (i in a) if (a[i] != n) bad = 1; for (i in output) m++; for (i in input) p++
    exit bad || c != n * m || d != m * p || n < 3 || m < 10 || p < 3 }' "$work/car.csv"
check "A is square, and C and D have a row for each output" "$work/car.csv"
grep -q 'side_slip .*yaw\|yaw .*side_slip' "$work/out" && grep -q 'left out .*yaw_rad: nothing depends' "$work/out" &&
  grep -q 'controller of speed or acceleration is in the loop' "$work/out"
check "the text for readers names motions, neglected effects, and control loops"

run --linear $step
[ $status -eq 0 ] && head -n 1 "$work/out" | grep -q 't = 5 s'
check "without --at the model is linearised at the end of the run"
run --linear=- --at 0.503 -c 'vy_mps,yaw*' $step
[ $status -eq 0 ] && grep -q '^instant,t_s,value,0.503$' "$work/out" &&
  grep -q '^C,yaw_rate_radps,yaw_rate_radps,1$' "$work/out" &&
  ! grep -q '^C,ay' "$work/out" && ! grep -q '^C,yaw_rad,' "$work/out"
check "--at takes any instant, -c takes channels; yaw is no output if no state determines it"
run --linear="$work/car.yaml" --exact $step
[ $status -eq 0 ] && sed -n 1p "$work/car.yaml" | grep -qx 'level: L1' &&
  grep -q 'rate_of: speed_mps' "$work/car.yaml" &&
  grep -q '^difference_error: ' "$work/car.yaml"
check "--linear=FILE.yaml writes YAML"
cp "$work/car.yaml" "$work/first.yaml"
run --linear="$work/car.yaml" --exact $step
[ $status -eq 0 ] && cmp -s "$work/car.yaml" "$work/first.yaml"
check "a second --linear replaces its file by the same bytes"

cp $step "$work/mine.yaml"
run --linear="$work/mine.yaml" $step
[ $status -eq 2 ] && cmp -s $step "$work/mine.yaml"
check "a scenario is not overwritten"
run --linear --set run.level=L0 $step
[ $status -eq 2 ] && grep -q 'nothing to linearise' "$work/err"
check "level L0 is refused"
run --linear --set run.level=L5 --set run.links=stiff --set run.step=auto $step
[ $status -eq 2 ] && grep -q "run.links: rigid" "$work/err"
check "stiff links are refused"
run --linear scenarios/rig/fy_alpha.yaml
[ $status -eq 2 ] && grep -q 'a tyre rig: ' "$work/err"
check "a tyre rig is refused with its reason"
run --linear scenarios/study/turn_indices.yaml
[ $status -eq 2 ] && grep -q 'metrics: modes' "$work/err"
check "a study is refused with a hint at the metrics"
run --linear --at 7 $step
[ $status -eq 2 ] && grep -q 'the run ends at 5 s' "$work/err"
check "--at after the end of the run is refused"
run --at 1 $step
[ $status -eq 2 ] && grep -q -- '--at sets the instant of --linear, which is not given' "$work/err"
check "--at without --linear is refused"
run --linear --at -1 $step
[ $status -eq 2 ] && grep -q "seconds from the start" "$work/err"
check "--at before the start is refused"
all_well
