#!/bin/sh
# Errors that scripts/mutate draws at random: where they may be, and whether they change anything.
# Read first: . tests/common/mutants.sh, . tests/common/mutants_drawn.sh. Needs $work, $build; works from the top of the tree.
# shellcheck disable=SC2154 # the two are the reader's

# What the scenarios of the baselines and the sweeps of all suspensions execute, measured in a build of its own,
# $build-covered, which stays for the next time. $work/lines: "source file line executed" for each line with code.
mutants_covered() {
  covered=$build-covered
  [ -f "$covered/build.ninja" ] || meson setup "$covered" -Db_coverage=true -Doptimization=1 >"$work/ninja" 2>&1 ||
    { cat "$work/ninja" >&2; return 1; }
  ninja -C "$covered" cli/vdsim-validate cli/vdsim-kc-sweep >"$work/ninja" 2>&1 || { cat "$work/ninja" >&2; return 1; }
  find "$covered" -name '*.gcda' -exec rm {} +
  "$covered/cli/vdsim-validate" -q -j 1 validation/baselines.yaml >"$work/ninja" 2>&1
  mutants_sweep "$covered/cli/vdsim-kc-sweep" >"$work/swept"
  (cd "$covered" && find lib -name '*.gcda' -exec sh -c 'for f; do gcov -t "$f" 2>/dev/null; done' sh {} +) | awk -F: '
    $2 + 0 == 0 && $3 == "Source" {
      file = $4
      if (!sub(/^.*\/lib\//, "", file)) file = ""
      if (file ~ /\.c$/) source = file # first of its object
      next
    }
    file != "" && $1 !~ /-$/ { print source, file, $2 + 0, $1 ~ /[1-9]/ }' | sort -u >"$work/lines"
  [ -s "$work/lines" ]
}

# Whether any of these executes the line of an edit. The first line of a statement counts for all of it; what stands outside of
# functions, and far from any code, counts as executed.
mutant_executed() { # FILE EDIT
  line=${2%%s/*}
  sed -n "${line}p" "lib/$1" | grep -q '^ ' || return 0
  awk -v file="$1" -v line="$line" '
    $2 == file && $3 <= line && $3 > line - 8 {
      if ($3 > last) executed = 0
      if ($3 >= last) { last = $3; executed += $4 }
    }
    END { exit last > 0 && executed == 0 }' "$work/lines"
}

# All curves and metrics of all suspensions, with all digits.
mutants_sweep() { # KC-SWEEP
  for suspension in scenarios/suspensions/*.yaml; do
    echo "# $suspension"
    "$1" -q --exact --partial --sweep all "$suspension" 2>&1
    "$1" -q --exact --metrics - "$suspension" 2>&1
  done
}

# A program whose baselines have all digits, and baselines by it: what differs from them by more than a millionth of its scale,
# the greatest magnitude in its column or that of the metric, has changed. Its object, $extra, goes into all mutants.
mutants_probe() {
  edit='s|"%.6g", value|"%.15g", value|;s|  compare_value(k, cell(b, i, (size_t)column\[n\]), got,|  double scale = 0.0, now = cell(b, i, (size_t)column[n]); for (size_t r = 0; r < rows; r++) scale = vd_max(scale, fabs(cell(b, r, (size_t)column[n]))); compare_value(k, now, fabs(got - now) <= 1e-6 * scale ? now : got + copysign(1e6 * scale, got - now),|'
  mutant_build probe validation/baseline.c "$edit" vdsim-validate || return 1
  [ "$(grep -c '1e-6 \* scale\|%.15g' "$work/mutant.probe/validation/baseline.c")" -eq 2 ] || return 1
  # shellcheck disable=SC2034 # of mutant_build
  extra=$(echo "$work"/mutant.probe/*.o)
  "$work/run.probe" -q --write-baselines "$work/probe" validation/baselines.yaml || return 1
  sed "s|\.\./baselines|$work/probe|;s|\.\./scenarios|$PWD/scenarios|" validation/baselines.yaml >"$work/probe.yaml"
  mutants_sweep "$build/cli/vdsim-kc-sweep" >"$work/swept"
}

# Whether a mutant changes a number that is logged, or one of a sweep. What hangs or crashes changes all.
mutant_changes() { # WORKER FILE
  limited 60 "$work/run.$1" -x -j 1 -q --scale 0.1 "$work/probe.yaml" >"$work/changes.$1" 2>&1 || return 0
  case $2 in kc/* | suspension/*) ;; *) return 1 ;; esac
  mutants_sweep "$work/second.$1" | awk -F, '
    # a block of lines is the curves or the metrics of a suspension; the scale of a metric is its own magnitude
    FNR == 1 { block = 0 }
    /^(#|metric,|sweep,)/ { block++ }
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
    END { exit !(found || FNR != lines) }' "$work/swept" -
}

# A command that may use so many seconds of a processor, and eight gigabytes.
limited() { # SECONDS COMMAND...
  seconds=$1
  shift
  # shellcheck disable=SC2046 # words
  timeout $((10 * seconds)) $(command -v prlimit >/dev/null && echo prlimit --as=8000000000 --cpu="$seconds") "$@" </dev/null
}
