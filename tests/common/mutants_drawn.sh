#!/bin/sh
# Errors that scripts/mutate draws at random: their possible places, and whether they change a result.
# To be read after mutants.sh by: . tests/common/mutants_drawn.sh. Needs $work, $build; works from the top of the
# tree.
# shellcheck disable=SC2154 # both are set by the calling script

# Prints all curves and metrics of a suspension, with all digits.
mutants_sweep() { # KC-SWEEP SUSPENSION
  limited 60 "$1" -q --exact --partial --sweep all "$2" 2>&1
  limited 60 "$1" -q --exact --metrics - "$2" 2>&1
}

# Makes a program whose baselines have all digits, and its baselines. A number has changed if it differs by more than a
# millionth of its scale: the greatest magnitude in its column, or the magnitude of the metric. The program's object,
# $extra, is linked to all mutants. $work/probe.yaml has the scenarios cheapest first.
mutants_probe() {
  scaled='double scale = 0.0, now = cell(b, i, (size_t)column[n]);'
  scaled="$scaled for (size_t r = 0; r < rows; r++) scale = vd_max(scale, fabs(cell(b, r, (size_t)column[n])));"
  scaled="$scaled compare_value(k, now, fabs(got - now) <= 1e-6 * scale ? now : got + copysign(1e6 * scale, got - now),"
  edit="s|\"%.6g\", value|\"%.15g\", value|;s|  compare_value(k, cell(b, i, (size_t)column\\[n\\]), got,|  $scaled|"
  mkdir -p "$work/mutant.probe/validation"
  sed "$edit" lib/validation/baseline.c >"$work/mutant.probe/validation/baseline.c"
  mutant_compile probe validation/baseline.c 1 && mutant_link "$work/run.probe" probe vdsim-validate || return 1
  [ "$(grep -c '1e-6 \* scale\|%.15g' "$work/mutant.probe/validation/baseline.c")" -eq 2 ] || return 1
  # shellcheck disable=SC2034 # used by mutant_link
  extra=$(echo "$work"/mutant.probe/*.o)
  "$work/run.probe" -q -j "$workers" --write-baselines "$work/probe" validation/baselines.yaml || return 1
  awk '$2 == "run" { print $4 }' "$work/units" >"$work/scenarios"
  # shellcheck disable=SC2046 # words
  mutants_probe_file "$work/probe" $(cat "$work/scenarios") >"$work/probe.yaml"
  "$work/run.probe" -q -j "$workers" --scale 0.1 "$work/probe.yaml" || return 1
  mkdir "$work/swept"
  awk '$2 == "sweep" { print $4 }' "$work/units" | while read -r suspension; do
    mutants_sweep "$build/cli/vdsim-kc-sweep" "$suspension" >"$work/swept/${suspension##*/}"
  done
}

# Succeeds if a mutant changes a logged number, or a number of a sweep, in units that execute it. A mutant that hangs or
# crashes counts as a change. For errors outside of kc and suspension sweeps are not run.
mutant_changes() { # WORKER FILE UNITS
  lines=$(awk '
    FNR == NR { line[$1] = 6 + 5 * (NR - 1); next } $2 == "run" { printf "%s%d", n++ ? "," : "", line[$4] }' \
    "$work/scenarios" "$3")
  if [ "$lines" ]; then
    limited 60 "$work/run.$1" -x -j 1 -q --scale 0.1 "$work/probe.yaml:$lines" >"$work/changes.$1" 2>&1 || return 0
  fi
  case $2 in kc/* | suspension/*) ;; *) return 1 ;; esac
  grep -q '^[0-9]* sweep ' "$3" || return 1
  mutant_link "$work/second.$1" "$1" vdsim-kc-sweep || return 0
  awk '$2 == "sweep" { print $4 }' "$3" >"$work/sweeps.$1"
  while read -r suspension; do
    ! mutants_sweep "$work/second.$1" "$suspension" | sweep_differs "$work/swept/${suspension##*/}" || return 0
  done <"$work/sweeps.$1"
  return 1
}

# Succeeds if curves or metrics of a suspension differ from those of the sound core. The scale of a metric is its own
# magnitude.
sweep_differs() { # SOUND
  awk -F, '
    /^(metric,|sweep,)/ { block++ } # curves or metrics
    FNR == 1 { block = 0 }
    FNR == NR {
      sound[FNR] = $0
      lines = FNR
      for (c = 4; c <= NF; c++) if ($c ^ 2 > most[block, c]) most[block, c] = $c ^ 2
      next
    }
    $0 == sound[FNR] { next }
    {
      n = split(sound[FNR], was, ",")
      found = n != NF
      for (c = 1; c <= n && !found; c++) {
        scale = n == 3 ? was[c] ^ 2 : most[block, c]
        number = $c ~ /^[-+0-9.e]+$/ && was[c] ~ /^[-+0-9.e]+$/
        found = $c != was[c] && !(number && ($c - was[c]) ^ 2 <= 1e-12 * scale)
      }
      if (found) exit
    }
    END { exit !(found || FNR != lines) }' "$1" -
}

# Reads verdicts of an earlier call about the same errors.
mutants_resume() { # LIST FILE
  [ -f "$2" ] || return 0
  mkdir -p "$work/taken" "$work/results"
  awk -F'|' 'FNR == NR { begins[FNR] = FNR " - " $2 ": " $4; next }
    {
      rest = $0
      if (!sub(/^(not )?ok /, "", rest)) next
      number = rest + 0
      if (number in begins && substr(rest, 1, length(begins[number])) == begins[number]) print number "|" $0
    }' "$1" "$2" | while IFS='|' read -r number verdict; do
    mkdir -p "$work/taken/$number"
    printf '%s\n' "$verdict" >"$work/results/$number"
  done
}

# Runs a command that may use so many seconds of a processor, and eight gigabytes.
limited() { # SECONDS COMMAND...
  seconds=$1
  shift
  # shellcheck disable=SC2046 # words
  timeout $((10 * seconds)) $(command -v prlimit >/dev/null && echo prlimit --as=8000000000 --cpu="$seconds") \
    "$@" </dev/null
}
