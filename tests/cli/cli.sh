#!/bin/sh
# The command line of vdsim-run: options, streams, files, exit status, and the format of the log.
# Usage: tests/cli/cli.sh VDSIM-RUN
# Reads scenarios/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

step=scenarios/iso/step_steer.yaml
brake=scenarios/road/brake_straight.yaml
# all scenarios in scenarios/, without their parts
scenarios=$(find scenarios -name '*.yaml' ! -path '*/vehicles/*' ! -path '*/tyres/*' ! -path '*/grounds/*' \
  ! -path '*/suspensions/*' ! -path '*/kc/*' | sort)
# The scenarios that are run here; baselines run all.
tried=$(echo "$scenarios" | sample 14)
rigs=$(echo "$tried" | grep '^scenarios/rig/')
# scenarios whose driver plans by runs at L2 or higher
planned='^scenarios/\(handling/\(lane_change\|obstacle_avoidance\|slalom\)\|systems/obstacle_avoidance\)\.yaml$'
stunts=$(echo "$tried" | grep -e '^scenarios/stunt/' -e '_search\.yaml$' -e "$planned")
tracks=$(echo "$tried" | grep -e '^scenarios/track/' -e '^scenarios/limits/')
vehicle_scenarios=$(echo "$tried" | grep -v -e '^scenarios/rig/' -e '^scenarios/fit/' -e '^scenarios/study/' \
    -e '^scenarios/optimise/' -e '^scenarios/stunt/' -e '^scenarios/track/' -e '^scenarios/limits/' \
    -e '_search\.yaml$' -e "$planned")
track_count=$(echo "$tracks" | grep -c .)
rig_count=$(echo "$rigs" | grep -c .)
stunt_count=$(echo "$stunts" | grep -c .)
vehicle_count=$(echo "$vehicle_scenarios" | grep -c .)
# scenarios that run at L3 alone
post_count=$(echo "$vehicle_scenarios" |
  grep -c -e '/four_post' -e '/fishhook_l3' -e '/handling/fishhook\.' -e '/systems/fishhook\.' -e '/kc_report')
levels="L0 L1 L2 L3"

# scenarios that run at L2 and L3: the body rolls, or the sides differ
lean_count=$(echo "$vehicle_scenarios" | grep -e '/road/fishhook\.yaml' -e '/systems/' | grep -vc '/systems/fishhook\.')
let_go_count=$(echo "$vehicle_scenarios" | grep -c -e '/free_steer' -e '/electric/') # scenarios that do not run at L0
linked_count=$(echo "$vehicle_scenarios" | grep '/hardpoints/' | grep -vc '/kc_report')

others_count=$((rig_count + track_count + stunt_count))
vehicle_tests=$((6 * vehicle_count - 3 * post_count - 2 * lean_count - let_go_count + linked_count))
plan $((97 + 5 * 4 + vehicle_tests + 3 * others_count))
# Checks status 2, an empty standard output, and a message that matches.
refused() { # PATTERN TITLE
  [ $status -eq 2 ] && [ ! -s "$work/out" ] && grep -q -e "$1" "$work/err"
  check "$2"
}
silent() { [ ! -s "$work/err" ]; }
quiet_success() { [ $status -eq 0 ] && silent; }
# remarks and notes about the contents of files are allowed
unwarned() { [ $status -eq 0 ] && ! grep -Eq ': (warning|error): ' "$work/err"; }

# --- help and usage

run --help
quiet_success && grep -q 'usage: vdsim-run' "$work/out" && grep -q '^  \$ vdsim-run' "$work/out"
check "--help goes to standard output, with an example"
for tool in "${exe%/*}"/vdsim-run "${exe%/*}"/vdsim-kc-sweep "${exe%/*}"/vdsim-xcheck "${exe%/*}"/vdsim-validate \
  "${exe%/*}"/vdsim-plot; do
  "$tool" --help || echo "no help: $tool"
done | awk 'length > 100 || /^no help: / { print; bad = 1 } END { exit bad }' >"$work/err"
check "no --help is wider than 100 columns" "$work/err"
cp "$work/out" "$work/help"
run -h
quiet_success && cmp -s "$work/out" "$work/help"
check "-h prints the same as --help"
run --version
quiet_success && grep -Eqx 'vdsim-run [0-9]+\.[0-9]+\.[0-9]+' "$work/out"
check "--version prints name and number"

run
refused 'no scenario' "no operand is an error"
run --metrcs - $step
refused "unknown option.*did you mean '--metrics'" "an unknown option gets a suggestion"
run -Z $step
refused "unknown option '-Z'" "an unknown letter is an error"
run $step -o
refused "needs an argument" "an option without its argument is an error"
run --check=yes $step
refused "takes no argument" "an argument of an option that takes none is an error"
run -j 0 $step
refused "from 1 to 1024" "-j 0 is an error"
run -j 2x $step
refused "from 1 to 1024" "-j with more than a number is an error"
run $step $brake
refused "-o DIR" "several scenarios need a folder"
run --metrics - -o "$work/x.csv" $step
refused "exclude" "--metrics and -o exclude each other"
run -o "$work/same" $step ./$step
refused "would write the same files" "two scenarios of one name do not overwrite each other"
run --set nonsense $step
refused "KEY=VALUE" "--set without '=' is an error"
run --set vehicle.mas=1500 $step
refused "did you mean 'mass'" "--set of an unknown key gets a suggestion"
run --set vehicle.mass='1600 m' $step
refused "another dimension" "--set of a wrong dimension is an error"
run --set run.level=L9 $step
refused "one of L0, L1, L2, L3" "--set of an unknown level lists the known levels"

# --- operands

run --rate 1 -- $step
quiet_success && cp "$work/out" "$work/plain" && [ -s "$work/plain" ]
check "-- ends the options"
cp $step "$work/-odd.yaml"
sed "s,\.\./vehicles,$(pwd)/scenarios/vehicles," $step >"$work/-odd.yaml"
(cd "$work" && "$exe" --rate 1 -- -odd.yaml) >"$work/out" 2>"$work/err" && cmp -s "$work/out" "$work/plain"
check "after -- a name may begin with a dash"
run $step --rate 1
quiet_success && cmp -s "$work/out" "$work/plain"
check "options may follow operands"
(cd scenarios/iso && "$exe" --rate 1 - <step_steer.yaml) >"$work/out" 2>"$work/err" && silent &&
  cmp -s "$work/out" "$work/plain"
check "- reads standard input"
run --rate 1 -o - $step
quiet_success && cmp -s "$work/out" "$work/plain"
check "-o - is standard output"
run --check $step $brake
quiet_success && [ ! -s "$work/out" ]
check "--check of good scenarios is silent"
# shellcheck disable=SC2086
run --check $tried
! grep -e ': warning: ' -e ' no effect' "$work/err" >"$work/warned"
check "no shipped scenario is warned of or has a key without effect" "$work/warned"

# --- files

run --rate 1 -o "$work/one.csv" $step
quiet_success && [ ! -s "$work/out" ] && cmp -s "$work/one.csv" "$work/plain"
check "-o FILE.csv writes the bytes of standard output"
[ "$(cd "$work" && echo one*)" = "one.csv one.provenance.yaml" ]
check "-o FILE.csv writes the provenance beside it and no other file"
grep -q "^complete: true" "$work/one.provenance.yaml" && grep -q "^level: L2" "$work/one.provenance.yaml"
check "the provenance says that the run is complete, and its level"

run --rate 10 -o "$work/serial/" $step $brake scenarios/road/bank.yaml
quiet_success && [ ! -s "$work/out" ]
check "several scenarios write to a new folder"
expected=
for stem in bank brake_straight step_steer; do
  expected="$expected $stem.csv $stem.metrics.csv $stem.provenance.yaml $stem.resolved.yaml"
done
[ " $(cd "$work/serial" && echo ./* | sed 's,\./,,g')" = "$expected" ]
check "each of several scenarios writes its four files and no other"
run --rate 10 -j 2 -o "$work/parallel" $step $brake scenarios/road/bank.yaml
quiet_success && diff -r "$work/serial" "$work/parallel" >/dev/null
check "-j 2 writes the same bytes as -j 1"
run --rate 10 -o "$work/serial2" $step $brake scenarios/road/bank.yaml
quiet_success && diff -r "$work/serial" "$work/serial2" >/dev/null
check "a second run writes the same bytes"
"$exe" --rate 10 -j 2 -o "$work/mixed" $step nosuch.yaml $brake 2>"$work/err"
[ $? -eq 2 ] && [ -f "$work/mixed/step_steer.csv" ] && [ -f "$work/mixed/brake_straight.csv" ] &&
  [ ! -e "$work/mixed/nosuch.csv" ]
check "one bad scenario of several gives status 2 and does not stop the others"
"$exe" -j 1 -o "$work/mixed1" $step nosuch.yaml $brake 2>"$work/err1"
cmp -s "$work/err" "$work/err1"
check "messages are the same with -j 2 and -j 1"
run --metrics - $step
quiet_success && [ "$(head -n 1 "$work/out")" = "metric,value,unit,definition,note" ] &&
  grep -q '^yaw_rate_response_time_s,0\.[0-9]*,s,' "$work/out"
check "--metrics - prints the metrics"
cmp -s "$work/out" "$work/serial/step_steer.metrics.csv"
check "the metrics do not depend on the log rate"
run --metrics "$work/m.csv" $step
quiet_success && [ ! -s "$work/out" ] && cmp -s "$work/m.csv" "$work/serial/step_steer.metrics.csv"
check "--metrics FILE writes the same table"
chirp=scenarios/iso/chirp_steer.yaml
run --response - $chirp
cp "$work/out" "$work/response"
quiet_success && awk -F, '
  NR == 1 { if ($2 != "yaw_rate_radps_gain" || $6 != "ay_mps2_phase_deg" ||
        $10 != "sideslip_rad_coherence") bad = 1; next }
  NF != 10 || $1 < 0.2 || $1 > 3 || $1 <= last || $2 <= 0 || $4 != "" { bad = 1 }
  { last = $1 }
  END { exit bad || NR != 125 }' "$work/out"
check "--response - prints gain, phase and coherence by frequency"
run --response - $step
refused "no key 'response'" "--response of a scenario without one is an error"
run --response - --metrics - $chirp
refused "exclude" "--response and --metrics exclude each other"
run --response - scenarios/rig/fy_alpha.yaml
refused "'--response' is for vehicles" "--response of a tyre rig is an error"
run --rate 1 -o "$work/answer/" $chirp
quiet_success && cmp -s "$work/answer/chirp_steer.response.csv" "$work/response"
check "-o DIR writes the response, which does not depend on the log rate"
run --rate 1 -o "$work/answer/" --set 'response={}' $chirp
quiet_success && [ ! -e "$work/answer/chirp_steer.response.csv" ]
check "-o DIR removes the response of an earlier run"
run --resolved -o "$work/r.yaml" $step
quiet_success && [ ! -s "$work/out" ] && [ -s "$work/r.yaml" ] && [ ! -e "$work/r.provenance.yaml" ]
check "--resolved -o FILE writes one file"

# --- output that cannot be written

if [ -c /dev/full ]; then
  "$exe" $step >/dev/full 2>"$work/err"
  [ $? -eq 2 ] && grep -q 'cannot write' "$work/err"
  check "a full device is an error"
  run -o /dev/full $step
  refused 'cannot write' "a full device is an error, with -o"
  "$exe" --list-keys >/dev/full 2>"$work/err"
  [ $? -eq 2 ] && grep -q 'cannot write' "$work/err"
  check "a full device is an error, with --list-keys"
  run --metrics /dev/full $step
  refused 'cannot write' "a full device is an error, with --metrics"
else
  for title in "" ", with -o" ", with --list-keys" ", with --metrics"; do
    skip "a full device is an error$title" "no /dev/full"
  done
fi
run -o "$work/nosuch/x.csv" $step
refused 'cannot write' "a missing folder is an error"
run -o "$work/nosuch/x/" $step
refused 'cannot make' "a folder in a missing folder is an error"
mkdir "$work/locked"
chmod a-w "$work/locked"
if [ "$(id -u)" -eq 0 ]; then
  skip "an unwritable folder is an error" "root may write everywhere"
else
  run -o "$work/locked/x.csv" $step
  refused 'cannot write' "an unwritable folder is an error"
fi
mkdir "$work/clean"
run -o "$work/clean/x.csv" --set vehicle.mass=-1 $step
refused "'mass' must be > 0" "bad input is an error"
run -o "$work/clean/" --set vehicle.mass=-1 $step
refused "'mass' must be > 0" "bad input is an error, also with a folder for the results"
[ -z "$(ls -A "$work/clean")" ]
check "bad input leaves no file"
{ "$exe" scenarios/road/coast_down.yaml -c '*' 2>"$work/err"; echo $? >"$work/status"; } | head -n 2 >"$work/out"
[ "$(cat "$work/status")" -eq 0 ] && silent && [ "$(awk 'END { print NR }' "$work/out")" -eq 2 ]
check "a closed pipe is no error and prints nothing"

sed "s|\.\./|$top/scenarios/|" scenarios/road/coast_down.yaml >"$work/utf8.yaml"
iconv -f UTF-8 -t UTF-16 <"$work/utf8.yaml" >"$work/utf16.yaml"
"$exe" -q "$work/utf8.yaml" >"$work/utf8.csv" && run -q "$work/utf16.yaml" && cmp "$work/utf8.csv" "$work/out" && silent
check "a scenario in UTF-16 is read as in UTF-8"

# A run that fails: the parameters are legal, but the step is far too long for a light car with great drag.
run -o "$work/bad/" --set vehicle.mass=10 --set vehicle.front.unsprung_mass=0.1 --set vehicle.rear.unsprung_mass=0.1 \
  --set vehicle.aero='{drag: 10, frontal_area: 100, air_density: 1}' --set speed=50 --set initial.speed=50 \
  --set run.step=0.001 --rate 1000 $step
[ $status -eq 3 ] && [ ! -s "$work/out" ] && grep -q 'no longer finite at t = 0\.00[0-9]* s (step [0-9]*)' "$work/err"
check "a state that becomes infinite or NaN is named, with time and step: status 3"
[ "$(cd "$work/bad" && echo ./*)" = \
  "./step_steer.incomplete.csv ./step_steer.provenance.yaml ./step_steer.resolved.yaml" ]
check "the rows of a failed run are kept as incomplete, without metrics"
awk -F, 'NR > 1 && $0 ~ /nan|inf/ { bad = 1 } END { exit bad || NR < 3 }' "$work/bad/step_steer.incomplete.csv"
check "the rows before a failure are complete and finite"
grep -q '^complete: false' "$work/bad/step_steer.provenance.yaml" &&
  grep -q '^failure: ' "$work/bad/step_steer.provenance.yaml"
check "the provenance of a failed run says so"

# --- settings and columns

run --resolved --set vehicle.mass='1.6 t' $step
quiet_success && grep -q '^  mass: 1600  # kg' "$work/out"
check "--set takes a unit"
run --resolved --set vehicle.mass=1 --set vehicle.mass=1600 $step
quiet_success && grep -q '^  mass: 1600  # kg' "$work/out"
check "the last --set wins"
run -c 'fz_*,yaw_rate_radps' --rate 1 $step
quiet_success && [ "$(head -n 1 "$work/out")" = "t_s,yaw_rate_radps,fz_fl_N,fz_fr_N,fz_rl_N,fz_rr_N" ]
check "-c takes names and globs, in the order of the table"
run -c yaw_rat $step
refused "^-c:1:1: error: no channel 'yaw_rat'.*did you mean" "-c of an unknown channel gets a suggestion"
run -c 'fz_*' --set run.level=L0 $step
refused "^-c:1:1: error: no channel 'fz_\*' at level L0" "-c of a channel that the level lacks is an error"
run -c t_s --rate 4 $step
quiet_success && [ "$(awk 'END { print NR }' "$work/out")" -eq 26 ] && [ "$(sed -n 3p "$work/out")" = 0.25 ] &&
  [ "$(sed -n '$p' "$work/out")" = 6 ]
check "--rate sets the rows per second"
run --rate '20 Hz' $step
quiet_success && [ "$(awk 'END { print NR }' "$work/out")" -eq 122 ]
check "--rate takes a unit"
run --rate 333 --set run.step=0.001 $step
refused "^--rate:1:1: error: .* integer fraction" "a rate that does not fit the step is an error"

run --rate 10 $step
cp "$work/out" "$work/nine"
run --rate 10 --exact $step
quiet_success && awk -F, '
  FNR == 1 { next }
  FNR == NR { for (i = 1; i <= NF; i++) nine[FNR, i] = $i; next }
  {
    for (i = 1; i <= NF; i++) {
      # the exact number, rounded to 9 digits, is the number in the other file
      if (sprintf("%.9g", $i) + 0 != nine[FNR, i] + 0) bad = 1
      digits = $i
      sub(/e.*/, "", digits); gsub(/[-.]/, "", digits); sub(/^0+/, "", digits)
      if (length(digits) > 17) bad = 1
      if (length(digits) >= 16) long++
    }
  }
  END { exit bad || long < 1000 }' "$work/nine" "$work/out"
check "--exact prints up to 17 digits of the same numbers"
awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  {
    sum = $at["fz_fl_N"] + $at["fz_fr_N"] + $at["fz_rl_N"] + $at["fz_rr_N"]
    carried = 1500 * 9.80665 + $at["downforce_front_N"] + $at["downforce_rear_N"]
    off = sum / carried - 1
    if (off > 1e-9 || off < -1e-9) bad = 1
  }
  END { exit bad || NR < 10 }' "$work/out"
check "the loads of every row sum to weight and downforce, to 1e-9"
if command -v gawk >/dev/null || awk 'BEGIN { exit sprintf("%.17g", 0.1) != "0.10000000000000001" }'; then
  awk -F, 'NR > 1 { for (i = 1; i <= NF; i++) if (sprintf("%.17g", $i) != $i) { t = sprintf("%.17g", $i);
        if (t + 0 != $i + 0) bad = 1 } }
    END { exit bad }' "$work/out"
  check "the numbers of a log can be read back"
else
  skip "the numbers of a log can be read back" "awk without 17 digits"
fi

# --- the table of channels

"$exe" --list-channels >"$work/channels"
[ "$(awk -F '\t' 'NF != 4 || $1 !~ /^[a-z][A-Za-z0-9_]*$/' "$work/channels" | wc -l)" -eq 0 ] &&
  [ "$(cut -f 1 "$work/channels" | sort | uniq -d | wc -l)" -eq 0 ]
check "--list-channels: four fields a line, plain names, each once"
"$exe" --list-states >"$work/states"
[ "$(awk -F '\t' '
  NF != 5 || $1 !~ /^[a-z][a-z0-9_]*$/ || !($3 > 0) || $4 !~ /^L[0-5]$/' "$work/states" | wc -l)" -eq 0 ] &&
  [ "$(cut -f 1 "$work/states" | sort | uniq -d | wc -l)" -eq 0 ]
check "--list-states: five fields a line, plain names, each once"
# Every metric that a run writes is in the list with the same unit and definition, and a run with its set writes every
# listed metric.
"$exe" --list-metrics >"$work/metrics"
[ "$(awk -F '\t' 'NF != 5 || $1 !~ /^[a-z][A-Za-z0-9_]*$/ || /\t\t|^\t|\t$/' "$work/metrics" | wc -l)" -eq 0 ] &&
  [ "$(cut -f 1,3 "$work/metrics" | sort | uniq -d | wc -l)" -eq 0 ]
check "--list-metrics: five fields a line, plain names, each once in its set"
sets=$(cut -f 3 "$work/metrics" | uniq)
written() { # CSV: name, unit and definition, separated by tabs
  awk '
    NR > 1 {
      n = 1; f[1] = ""; quoted = 0
      for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) f[++n] = ""
        else f[n] = f[n] c
      }
      printf "%s\t%s\t%s\n", f[1], f[3], f[4]
    }' "$1"
}
asked=$(echo "$sets" | grep -vx -e run -e tyre_rig -e track_car -e envelope -e moment_diagram -e lap | paste -sd , -)
"$exe" --metrics "$work/asked.csv" -q --set "metrics=[$asked]" --set run.duration=0.1 scenarios/iso/step_steer.yaml \
  2>"$work/err" &&
  "$exe" --metrics "$work/car.csv" -q --set run.duration=0.1 scenarios/track/ramp_jump.yaml 2>>"$work/err" &&
  "$exe" --metrics "$work/rig.csv" -q scenarios/rig/fy_alpha.yaml 2>>"$work/err" &&
  "$exe" --metrics "$work/gg.csv" -q --set 'speeds=[30]' scenarios/limits/envelope.yaml 2>>"$work/err" &&
  "$exe" --metrics "$work/moments.csv" -q scenarios/limits/moment_diagram.yaml 2>>"$work/err" &&
  "$exe" --metrics "$work/lap.csv" -q scenarios/limits/point_mass_lap.yaml 2>>"$work/err" &&
  { for name in asked rig car gg moments lap; do written "$work/$name.csv"; done; } >"$work/all" &&
  awk -F '\t' -v OFS='\t' '{ print $1, $2, $5 }' "$work/metrics" | diff - "$work/all" >"$work/difference"
check "--list-metrics: names, units and definitions are those that are written"
head -n 4 "$work/difference" | sed 's/^/# /'
run --list-metrics=braking
quiet_success && [ "$(cut -f 3 "$work/out" | uniq)" = braking ]
check "--list-metrics=SET lists the metrics of one set"
run --list-metrics=nosuch
refused "the sets are run, " "--list-metrics of an unknown set is refused"
"$exe" -q -o "$work/sample/" scenarios/iso/obstacle_avoidance.yaml scenarios/ride/four_post_sweep.yaml \
  scenarios/stunt/jump.yaml
missing=0
for file in "$work"/serial/*.metrics.csv "$work"/sample/*.metrics.csv; do
  written "$file" >"$work/some"
  grep -vxFf "$work/all" "$work/some" >"$work/difference" &&
    { sed "s,^,# $(basename "$file"): ," "$work/difference"; missing=1; }
done
[ $missing -eq 0 ] && [ -s "$work/some" ]
check "--list-metrics has every metric that a sample of runs has written"
"$exe" '--list-keys=*' >"$work/keys"
# A key may have different meanings for the variants of a ground or a tyre; each of its lines then names its variants.
# The mappings of a suspension depend on its type.
[ "$(awk -F '\t' 'NF != 8' "$work/keys" | wc -l)" -eq 0 ] &&
  awk -F '\t' '
    $1 ~ /\.linkage\[\]\./ { next }
    { lines[$1]++; if ($7 == "") always[$1] = 1; sub(/^.*=/, "", $7); n = split($7, variant, "|")
      for (i = 1; i <= n; i++) if (seen[$1, variant[i]]++) twice = 1 }
    END { for (key in lines) if (lines[key] > 1 && always[key]) twice = 1; exit twice }' "$work/keys"
check "--list-keys: eight fields a line, each key once, or once for each variant"
"$exe" --list-keys | awk -F '\t' '
  NF != 8 || ($6 !~ /^keys of / && $8 == "") { bad = 1 } # all but headings have an example
  match($2, /[A-Z][A-Z_0-9]+/) { refers[substr($2, RSTART, RLENGTH)] = 1 }
  $1 ~ /^[A-Z_0-9]+$/ { heading[$1]++ }
  END {
    for (name in refers) if (heading[name] != 1) bad = 1
    exit bad || NR > 1500 || !("INPUT" in refers)
  }'
check "keys that mappings share are listed once, under the name to which the mappings refer; every key has an example"

basic="t_s x_m y_m z_m roll_rad pitch_rad yaw_rad vx_mps vy_mps yaw_rate_radps ax_mps2 ay_mps2 steer_rad throttle brake
  omega_fl_radps omega_fr_radps omega_rl_radps omega_rr_radps energy_J work_J ledger_residual_J"
dynamic="fx_fl_N fy_fr_N fz_rl_N mz_rr_Nm kappa_fl alpha_fr_rad mu_peak_rl alpha_peak_rr_rad kappa_peak_fl contact_fr"
moving="vz_mps roll_rate_radps pitch_rate_radps az_mps2 travel_fl_m travel_rate_fr_mps compression_rl_m
  spring_force_rr_N damper_force_fl_N tyre_deflection_fr_m camber_rl_rad road_rr_m
  energy_spring_J work_suspension_J work_tyre_vertical_J"
has() { # FILE NAME...: all are in the header
  file=$1
  shift
  for name; do head -n 1 "$file" | tr ',' '\n' | grep -qx "$name" || return 1; done
}
lacks() {
  file=$1
  shift
  for name; do ! head -n 1 "$file" | tr ',' '\n' | grep -qx "$name" || return 1; done
}
# Lists all channels, except channels that are written only if they are named.
for level in $levels; do
  run --set run.level="$level" $step
  quiet_success
  check "$level: a step steer runs"
  [ "$(head -n 1 "$work/out")" = "$(awk -F '\t' -v level="$level" '
    $1 == "throttle_request" || $1 == "rear_steer_request_rad" || $1 == "pedal_force_N" { next }
    $1 ~ /_(request|mode)_[fr][lr](_|$)/ { next }
    $1 ~ /^(disc_.._K|battery_.*|motor_[1-4]_.*|work_(shafts|motors|inverters|battery|auxiliaries|engine)_J)$/ { next }
    $1 ~ /^(recuperated_J|energy_battery_J)$/ { next }
    $1 ~ /^((wheel|axle)_[xyz]|brake_(valve|pressure)|master_pressure)_/ { next }
    index($3, level) { printf "%s%s", sep, $1; sep = "," }
    END { print "" }' "$work/channels")" ]
  check "$level: the header agrees with the list of channels of this level"
  # shellcheck disable=SC2086 # lists of words
  case $level in
    L0) has "$work/out" $basic && lacks "$work/out" $dynamic body_roll_rad ;;
    L1) has "$work/out" $basic $dynamic tipping && lacks "$work/out" body_roll_rad ;;
    L2) has "$work/out" $basic $dynamic body_roll_rad tipping && lacks "$work/out" $moving ;;
    L3) has "$work/out" $basic $dynamic body_roll_rad $moving && lacks "$work/out" tipping ;;
  esac
  check "$level: the log has the documented columns, and none of another level"
  awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' "$work/out"
  check "$level: every row has as many fields as the header"
  awk -F, 'NR > 1 && /[^-+0-9.e,]/ { exit 1 } END { exit NR != 602 }' "$work/out"
  check "$level: 601 rows of finite numbers"
done

# --- the table of manoeuvres

run --list-manoeuvres
cp "$work/out" "$work/manoeuvres"
quiet_success && [ "$(awk -F '\t' 'NF != 4 || /\t\t|^\t|\t$/' "$work/manoeuvres" | wc -l)" -eq 0 ] &&
  [ "$(cut -f 1 "$work/manoeuvres" | sort | uniq -d | wc -l)" -eq 0 ]
check "--list-manoeuvres: four fields a line, each name once"
missing=0
cut -f 2 "$work/manoeuvres" >"$work/listed"
while IFS= read -r file; do
  [ -f "scenarios/$file" ] || { echo "# no scenarios/$file"; missing=1; }
done <"$work/listed"
[ $missing -eq 0 ] && [ -s "$work/listed" ]
check "every file of --list-manoeuvres exists"
echo "$scenarios" | sed 's,^scenarios/,,' >"$work/shipped"
sort "$work/listed" | diff "$work/shipped" - >"$work/difference"
check "--list-manoeuvres has every shipped scenario once"
sed 's/^/# /' "$work/difference"

# --- completion

# Prints in one line what bash, which splits words at `=`, offers after the given words.
offer() {
  bash -c '
    . cli/vdsim-run.bash
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _vdsim_run "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    echo "${COMPREPLY[*]}"' bash "$exe" "$@"
}
offers() { # EXPECTED TITLE WORD...
  expected=$1
  title=$2
  shift 2
  offered=$(offer "$@" 2>&1)
  [ "$offered" = "$expected" ]
  check "completion: $title"
  [ "$offered" = "$expected" ] || echo "# offered '$offered', expected '$expected'"
}
if command -v bash >/dev/null; then
  offers "--list-channels --list-states --list-metrics --list-keys --list-manoeuvres" "long options" --list
  offers "sine_steer sine_with_dwell" "the sets of metrics" --list-metrics = sine
  offers "steer steering_wheel steering_torque" "blocks of keys" --list-keys = stee
  [ "$(offer - | tr ' ' '\n' | grep -c '^-')" -eq "$("$exe" --help | grep -oE '^ {2,6}(-[a-z], )?--[a-z-]+' |
        grep -oE -e '-[a-z-]+' | grep -c .)" ]
  check "completion: every option of the help"
  offers "initial." "a key, one segment at a time" --set initial
  offers "initial.start= initial.x= initial.y= initial.yaw= initial.speed= initial.lift= initial.z= initial.pitch= \
initial.roll= initial.vy= initial.yaw_rate= initial.roll_rate= initial.pitch_rate=" \
    "the keys of a mapping" --set initial.
  offers "ground.patches.0.shape=" "a key within a list" --set ground.patches.0.sh
  offers "L0 L1 L2 L3 L4 L5" "the choices of a key" --set run.level = L
  offers "true false" "the values of a flag" --set = run.lean =
  offers "tyre" "templates" --template ty
  offers "front_share= friction=" "numbers of a template" --template car --set fr
  offers "fz_fl_N fz_fr_N" "channels" -c fz_f
  offers "vx_mps,fz_fl_N vx_mps,fz_fr_N" "channels after others" --channels vx_mps,fz_f
  offers "$step" "scenario files" scenarios/iso/step
else
  for title in "long options" "sets" "blocks" "every option" "a key" "a mapping" "a list" "choices" \
    "flags" "templates" "numbers" "channels" "more channels" "files"; do
    skip "completion: $title" "no bash"
  done
fi

# --- shipped scenarios

# grounds with heights need L3 or above
relief="rough|iso8608|heightmap|crg|bump|step|sweep|washboard|potholes"
for scenario in $vehicle_scenarios; do
  case $scenario in
    */random_steer*) set -- --set run.duration=125 ;; # 12 min in full; the noise does not depend on the duration
    */cycles/* | */repeated_stops*) set -- --set run.duration=60 ;; # half an hour and 12 min in full
    *) set -- ;;
  esac
  run --resolved --set log.rate=20 "$@" "$scenario"
  cp "$work/out" "$work/first.yaml"
  unwarned && "$exe" --resolved "$work/first.yaml" >"$work/second.yaml" && cmp -s "$work/first.yaml" "$work/second.yaml"
  check "$scenario: the resolved scenario resolves to itself"
  run --exact --set log.rate=20 "$@" "$scenario"
  cp "$work/out" "$work/original.csv"
  unwarned && "$exe" --exact "$work/first.yaml" >"$work/again.csv" && cmp -s "$work/original.csv" "$work/again.csv"
  check "$scenario: the resolved scenario gives the same log"
  case $scenario in
    */systems/fishhook.yaml) possible=L3 ;;
    */systems/*) possible="L2 L3" ;; # the left side differs from the right side
    */electric/*) possible=${levels#L0 } ;; # they log torques of wheels
    */four_post* | */fishhook_l3.yaml | */handling/fishhook.yaml) possible=L3 ;; # fishhooks depend on the roll rate
    */kc_report.yaml) possible=L3 ;;              # has compliance curves and no hardpoints
    */fishhook.yaml) possible="L2 L3" ;;          # depends on the roll angle
    */hardpoints/*) possible="$levels L4" ;;
    */free_steer.yaml) possible=${levels#L0 } ;; # a kinematic car's steering has no torque
    *) possible=$levels ;;
  esac
  for level in $possible; do
    case $level in L[34]) free=yes ;; *) free=no ;; esac
    run --rate 10 --set run.level="$level" "$@" "$scenario"
    if [ "$free" = no ] && sed -n '/^ground:/,/^[^ ]*run:/p' "$work/first.yaml" | grep -Eq "^  type: ($relief)\$"; then
      refused "at level $level the ground is a plane" "$scenario: refused at $level"
      continue
    fi
    if [ "$free" = no ] && grep -Eq '^  lift: .*[1-9]' "$work/first.yaml"; then
      refused "can start above the road" "$scenario: refused at $level"
      continue
    fi
    # A car that would tip over gives a warning, not a failure. Beyond its limit L2 may find no balance of the loads;
    # then the run ends early with a message.
    { [ $status -eq 0 ] && ! grep -q 'error' "$work/err" ||
      { [ "$level" = L2 ] && [ $status -eq 3 ] && grep -q 'error: .* the car is about to tip$' "$work/err"; }; } &&
      [ "$(awk 'END { print NR }' "$work/out")" -gt 10 ]
    check "$scenario: runs at $level"
  done
done
# Most stunts need L5 or are searches. A search prints the number of its runs that failed, and has a row for each run.
for scenario in $stunts; do
  run --resolved "$scenario"
  cp "$work/out" "$work/first.yaml"
  quiet_success && "$exe" --resolved "$work/first.yaml" >"$work/second.yaml" &&
    cmp -s "$work/first.yaml" "$work/second.yaml"
  check "$scenario: the resolved scenario resolves to itself"
  timeout 60 "$exe" --exact "$scenario" >"$work/original.csv" 2>"$work/err" && ! grep -q 'error' "$work/err" &&
    awk -F, 'NR == 1 { n = NF } NF < n { exit 1 } END { exit NR < 6 }' "$work/original.csv"
  check "$scenario: runs to its end"
  "$exe" --exact "$work/first.yaml" >"$work/again.csv" 2>"$work/err" && cmp -s "$work/original.csv" "$work/again.csv"
  check "$scenario: the resolved scenario gives the same rows"
done
for scenario in $rigs $tracks; do
  run --resolved "$scenario"
  cp "$work/out" "$work/first.yaml"
  quiet_success && "$exe" --resolved "$work/first.yaml" >"$work/second.yaml" &&
    cmp -s "$work/first.yaml" "$work/second.yaml"
  check "$scenario: the resolved scenario resolves to itself"
  run --exact "$scenario"
  cp "$work/out" "$work/original.csv"
  quiet_success && "$exe" --exact "$work/first.yaml" >"$work/again.csv" && cmp -s "$work/original.csv" "$work/again.csv"
  check "$scenario: the resolved scenario gives the same rows"
  awk -F, 'NR == 1 { n = NF } NF != n || (NR > 1 && /[^-+0-9.e,]/) { exit 1 }
    END { exit NR < 100 }' "$work/original.csv"
  check "$scenario: each row has as many numbers as the header has columns"
done

all_well
