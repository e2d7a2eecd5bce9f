#!/bin/sh
# Track cars on the command line: files, landing at any step, refusals and failures.
# Usage: tests/cli/track_run.sh VDSIM-RUN
# Reads scenarios/ and scripts/make-track; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

jump=scenarios/track/ramp_jump.yaml
plan 26
good() { [ $status -eq 0 ] && [ ! -s "$work/err" ]; }
refused() { [ $status -eq 2 ] && [ ! -s "$work/out" ] && grep -q -e "$1" "$work/err"; }
metric() { awk -F, -v name="$1" '$1 == name { print $2 }' "$2"; }

# --- the shipped meshes

for track in bumpy ramp_jump; do
  file=scenarios/grounds/${track%_track}
  [ $track = bumpy ] && file=scenarios/grounds/bumpy_track
  scripts/make-track $track >"$work/$track.obj" && cmp -s "$work/$track.obj" "$file.obj"
  check "$track: the shipped mesh is the output of its script"
done
scripts/make-track nosuch >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && [ ! -s "$work/out" ] && [ -s "$work/err" ]
check "scripts/make-track refuses another name"

# --- rows

run --exact "$jump"
good && [ "$(awk 'END { print NR }' "$work/out")" -eq $((2 + 5 * 50)) ]
check "a log has 50 rows for each second"
# shellcheck disable=SC2016 # awk's
columns='NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }'
awk -F, "$columns"'
  {
    all = $at["contact_fl"] + $at["contact_fr"] + $at["contact_rl"] + $at["contact_rr"]
    force = $at["force_fl_N"] + $at["force_fr_N"] + $at["force_rl_N"] + $at["force_rr_N"]
    if (all == 0 && force != 0) bad = 1
    if (all == 0) {
      if (last == 0 && n > 1) { # two rows in the air: one parabola, over 20 ms
        d = $at["z_m"] - z - (0.02 * vz - 0.5 * 9.80665 * 0.0004)
        if (!(d * d < 1e-24)) bad = 1
        seen++
      }
    }
    last = all; z = $at["z_m"]; vz = $at["vz_mps"]; n++
    r = $at["residual_J"]; if (!(r * r < 0.01)) bad = 1
  }
  END { exit bad || seen < 30 }' "$work/out"
check "in the air there is no force, the rows are on a parabola, and the energy ledger closes"
awk -F, "$columns"'
  { d = sqrt(($at["wheel_fl_x_m"] - $at["wheel_rl_x_m"])^2 + ($at["wheel_fl_z_m"] - $at["wheel_rl_z_m"])^2) }
  $at["t_s"] < 0.5 && !(d > 3.99999 && d < 4.00001) { bad = 1 }
  END { exit bad }' "$work/out"
check "the wheel points are a wheelbase apart"

# a program with y upwards writes x, z, -y
run --exact "$jump"
mv "$work/out" "$work/z_up.csv"
awk '$1 == "v" { print "v", $2, $4, $3 == 0 ? 0 : $3 ~ /^-/ ? substr($3, 2) : "-" $3; next } { print }' \
  scenarios/grounds/ramp_jump.obj >"$work/y_up.obj"
run --exact --set mesh="$work/y_up.obj" --set up=y "$jump"
good && cmp -s "$work/out" "$work/z_up.csv"
check "'up: y' reads a mesh with its y upwards"

# --- landing

run --exact --metrics - --set run.step=0.001 "$jump"
good && cp "$work/out" "$work/first"
check "the metrics at steps of 1 ms have the values of the landing"
for step in 2 5 10 20 50; do
  run --exact --metrics - --set run.step="$step ms" --set log.rate=10 "$jump"
  good && for name in landing_t_s landing_x_m landing_y_m landing_z_m apex_z_m takeoff_t_s; do
    printf '%s %s\n' "$(metric $name "$work/first")" "$(metric $name "$work/out")"
  done | awk '{ d = $1 - $2; if (!(d < 1e-9 && d > -1e-9) || NF != 2) bad = 1 } END { exit bad || NR != 6 }'
  check "steps of $step ms: take-off, apex and landing are the same to 1e-9"
done
run --metrics - --set thrust=0 --set initial.speed=0 "$jump"
good && [ "$(metric flights "$work/out")" -eq 0 ] && grep -q '^landing_x_m,,m,.*no flight' "$work/out"
check "without a flight the landing has no value, and a note has the reason"

# --- files and options

run -j 2 -o "$work/dir" "$jump" scenarios/rig/gough.yaml
good && [ "$(cd "$work/dir" && echo ramp*)" = \
  "ramp_jump.csv ramp_jump.metrics.csv ramp_jump.provenance.yaml ramp_jump.resolved.yaml" ]
check "a folder gets log, metrics, provenance and resolved scenario"
grep -q '^kind: track_car' "$work/dir/ramp_jump.provenance.yaml" &&
  grep -q '^complete: true' "$work/dir/ramp_jump.provenance.yaml"
check "the provenance names the kind"
run "$work/dir/ramp_jump.resolved.yaml"
good && cmp -s "$work/out" "$work/dir/ramp_jump.csv"
check "the resolved scenario runs from its folder, with its mesh"
printf 'base: %s/%s\ntitle: slower\ninitial: {speed: 5 m/s}\n' "$(pwd)" "$jump" >"$work/based.yaml"
run --check "$work/based.yaml"
good && run "$work/based.yaml" && good && ! cmp -s "$work/out" "$work/dir/ramp_jump.csv"
check "the kind may come from a base"
(cd scenarios/track && "$exe" - <ramp_jump.yaml) >"$work/out" 2>"$work/err" &&
  cmp -s "$work/out" "$work/dir/ramp_jump.csv"
check "- reads a track car from standard input"
run --rate 10 "$jump"
good && [ "$(awk 'END { print NR }' "$work/out")" -eq 52 ]
check "--rate sets the rows"
run -c x_m "$jump"
refused "'-c' is for vehicles; .* is a track car"
check "-c is an error"
run --response - "$jump"
refused "'--response' is for vehicles; .* is a track car"
check "--response is an error"
run --list-keys=track_car
good && grep -q '^car.spring_stiffness.number.N/m.' "$work/out" && run --list-keys=nosuch &&
  refused "there are also the keys of tyre_rig, track_car"
check "--list-keys=track_car prints its keys"
run --set kind=track_car scenarios/iso/step_steer.yaml
refused "a track car needs 'kind: track_car' in its file"
check "the kind cannot be set"

# --- failures during a run

run -o "$work/dir" --set initial.height=20 --set car.damping_ratio=0.1 "$jump"
[ $status -eq 3 ] &&
  grep -q 'error: a spring is compressed by more than its length: .* the rows before this are kept' "$work/err" &&
  [ -s "$work/dir/ramp_jump.incomplete.csv" ] && [ ! -e "$work/dir/ramp_jump.csv" ] &&
  [ ! -e "$work/dir/ramp_jump.metrics.csv" ] &&
  grep -q '^complete: false' "$work/dir/ramp_jump.provenance.yaml"
check "a car that falls through the mesh: status 3, incomplete rows, no results of an earlier run"
run --set initial.x=178 "$jump"
[ $status -eq 3 ] && grep -q 'has fallen off the mesh' "$work/err" && [ -s "$work/out" ]
check "a car that falls off the mesh: status 2"

all_well
