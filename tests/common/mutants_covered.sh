#!/bin/sh
# Measures which lines of the core each unit executes, for the errors that scripts/mutate draws. A unit is a scenario, a
# suspension, or statements of claims; it cannot notice an error in a line that it does not execute. A script reads
# tests/common/mutants.sh, tests/common/mutants_drawn.sh and this file in this order, sets $work, $build, $files and
# $workers, and calls the functions from the top of the tree. The measurement is kept in $build-covered until one of its
# inputs changes.
# shellcheck disable=SC2154 # the calling script sets the four

# $work/units:   "number kind milliseconds what", cheapest first. Kinds: run, a scenario of the baselines; sweep, a
#                suspension; claim, a statement FILE:LINE or a file; quick, a statement that is marked as quick
# $work/lines:   "source file line executed" for each line with code; executed: by runs and sweeps
# $work/reached: "file line ,FROM-TO,FROM-TO...": the numbers of the units that execute it
mutants_covered() {
  covered=$build-covered
  [ -f "$covered/build.ninja" ] || meson setup "$covered" -Db_coverage=true -Doptimization=1 >"$work/ninja" 2>&1 ||
    { cat "$work/ninja" >&2; return 1; }
  ninja -C "$covered" cli/vdsim-validate cli/vdsim-kc-sweep >"$work/ninja" 2>&1 || { cat "$work/ninja" >&2; return 1; }
  covered=$(cd "$covered" && pwd)
  key=$({ echo "$files"; find lib validation scenarios baselines tests/common/mutants_covered.sh -type f |
      LC_ALL=C sort |
    xargs cat; } | cksum | tr ' ' .)
  if [ ! -d "$covered/units.$key" ]; then
    measured=$covered/measured.$key # continues where it was stopped
    [ -d "$measured" ] || rm -rf "$covered"/units.* "$covered"/measured.*
    mkdir -p "$measured" "$work/measuring" "$work/both" && ln -s "$PWD/lib" "$work/lib"
    mutants_units >"$work/asked" || return 1
    covering=
    worker=0
    while [ "$worker" -lt "$workers" ]; do
      mutants_measure "$worker" &
      covering="$covering $!"
      worker=$((worker + 1))
    done
    for process in $covering; do
      wait "$process" || return 1
    done
    [ ! -f "$work/unsound" ] || { sed 's/^/does not hold for the sound core: /' "$work/unsound" >&2; return 1; }
    mutants_merge
    mutants_lines >"$work/both/lines"
    for part in lines reached; do
      [ -s "$work/both/$part" ] || return 1
    done
    [ "$(wc -l <"$work/both/units")" -eq "$(wc -l <"$work/asked")" ] || return 1
    mv "$work/both" "$covered/units.$key" && rm -r "$measured"
  fi
  for part in units lines reached; do
    cp "$covered/units.$key/$part" "$work/$part" || return 1
  done
}

# Prints all units, each with a number: "number kind what".
mutants_units() {
  "$build/cli/vdsim-validate" --list validation/baselines.yaml >"$work/listed" || return 1
  {
    cut -f 5 "$work/listed" | sed -n 's/^Scenario \([^ ]*\) gives the results of its baseline$/run \1/p'
    [ "$(grep -c . "$work/listed")" -eq "$(grep -c 'Scenario .* gives the results' "$work/listed")" ] || return 1
    for suspension in scenarios/suspensions/*.yaml; do
      echo "sweep $suspension"
    done
    # shellcheck disable=SC2086 # words
    "$build/cli/vdsim-validate" --quick --list $files 2>/dev/null | cut -f 4 >"$work/quick"
    # shellcheck disable=SC2086 # words
    "$build/cli/vdsim-validate" --list $files | cut -f 4 | awk -v quick="$work/quick" '
      BEGIN { while ((getline line <quick) > 0) is[line] }
      function put(of, kind) {
        if (of in lines) print kind, of lines[of]
        delete lines[of]
        delete count[of]
      }
      seen[$0]++ { next }
      /^validation\/(measured\/|fits|studies)/ { # statements that share long runs
        sub(/:.*/, "")
        if (!seen[$0]++) print "claim", $0
        next
      }
      { # six statements of a file together
        kind = $0 in is ? "quick" : "claim"
        split($0, at, ":")
        if (at[1] != file) {
          put(file, "claim")
          put(file " ", "quick")
          file = at[1]
        }
        of = kind == "quick" ? file " " : file
        lines[of] = lines[of] (of in count ? "," : ":") at[2]
        if (++count[of] == 6) put(of, kind)
      }
      END {
        put(file, "claim")
        put(file " ", "quick")
      }' | tr -d ' ' | sed 's/^\(claim\|quick\)/\1 /'
  } | awk '{ print NR, $0 }'
}

# Writes a validation file with one baseline claim for each scenario. A claim has five lines; the first begins in line
# 6.
mutants_probe_file() { # FOLDER-OF-BASELINES SCENARIO...
  folder=$1
  shift
  printf 'title: What changes\nsource: "own output"\n\nclaims:\n'
  for scenario; do
    printf '\n  - claim: Scenario %s\n    kind: baseline\n    scenario: %s\n    baseline: %s\n' "$scenario" \
      "$PWD/scenarios/$scenario.yaml" "$folder/$scenario.csv"
  done
}

# Runs a worker, which takes the next free unit until none is left, runs it, and records its time and the lines that it
# executes, as "number kind milliseconds what" and lines "file line".
mutants_measure() { # WORKER
  store=$work/store.$1
  (cd "$covered" && find lib -name '*.gcno') | while read -r notes; do
    mkdir -p "$store/${notes%/*}"
    ln -s "$covered/$notes" "$store/$notes"
  done
  GCOV_PREFIX=$store GCOV_PREFIX_STRIP=$(echo "$covered" | tr -cd / | wc -c)
  export GCOV_PREFIX GCOV_PREFIX_STRIP
  while read -r number kind what; do
    [ ! -f "$measured/$number" ] || continue
    mkdir "$work/measuring/$number" 2>/dev/null || continue
    begin=$(date +%s%N)
    mutants_unit "$covered/cli" "$kind" "$what" "$1" >"$work/unit.$1" 2>&1 </dev/null || echo "$what" >>"$work/unsound"
    end=$(date +%s%N)
    {
      echo "$number $kind $(((end - begin) / 1000000)) $what"
      (cd "$store" && find lib -name '*.gcda' -exec gcov -t {} + 2>/dev/null </dev/null) | awk -F: '
        $2 + 0 == 0 && $3 == "Source" {
          file = $4
          if (!sub(/^.*\/lib\//, "", file)) file = ""
          next
        }
        file != "" && $1 ~ /[1-9]/ && $1 !~ /-$/ && !seen[file, $2 + 0]++ { print file, $2 + 0 }'
    } >"$work/executed.$1"
    (cd "$store" && find . -name '*.gcda' -exec rm {} +)
    [ "$(wc -l <"$work/executed.$1")" -gt 1 ] || return 1
    mv "$work/executed.$1" "$measured/$number"
  done <"$work/asked"
}

# Writes the list of units with their times, and for each line the units that execute it.
# shellcheck disable=SC2016 # awk's
mutants_merge() {
  (cd "$measured" && find . -type f -exec sed -n 1p {} \;) | LC_ALL=C sort -k3,3n -k1,1n >"$work/both/units"
  (cd "$measured" && seq "$(wc -l <"$work/asked")" | xargs awk '
    # a list of ranges of numbers, the last one open
    FNR == 1 { unit = $1; next }
    {
      at = $1 " " $2
      if (!(at in last)) list[at] = "," unit "-"
      else if (last[at] != unit - 1) list[at] = list[at] last[at] "," unit "-"
      last[at] = unit
    }
    END { for (at in list) print at, list[at] last[at] }') >"$work/both/reached"
}

# Runs a unit of work with the programs of a folder.
mutants_unit() { # FOLDER KIND WHAT NAME
  case $2 in
    run)
      mutants_probe_file "$PWD/baselines" "$3" >"$work/unit.$4.yaml"
      "$1/vdsim-validate" -q -j 1 "$work/unit.$4.yaml"
      ;;
    sweep) mutants_sweep "$1/vdsim-kc-sweep" "$3" ;;
    *) "$1/vdsim-validate" -q -j 1 "$3" ;;
  esac
}

# Prints the lines that have code in each source, and whether runs or sweeps execute them.
mutants_lines() {
  (cd "$covered" && find lib -name '*.gcda' -exec rm {} +
    find lib -name '*.gcno' -exec sh -c 'for f; do gcov -t "$f" 2>/dev/null; done' sh {} +) |
      awk -F: -v asked="$work/asked" \
    -v reached="$work/both/reached" '
    BEGIN {
      FS = " "
      while ((getline <asked) > 0) if ($2 == "run" || $2 == "sweep") most = $1
      while ((getline <reached) > 0) { # the first of its numbers is the least
        split($3, first, /[,-]/)
        if (first[2] + 0 <= most) executed[$1 " " $2]
      }
      FS = ":"
    }
    $2 + 0 == 0 && $3 == "Source" {
      file = $4
      if (!sub(/^.*\/lib\//, "", file)) file = ""
      if (file ~ /\.c$/) source = file # first of its object
      next
    }
    file != "" && $1 !~ /-$/ { print source, file, $2 + 0, (file " " ($2 + 0)) in executed ? 1 : 0 }' | sort -u
}

# Succeeds if runs or sweeps execute the line of an error. The first line of a statement counts for the whole statement;
# lines outside of functions, and far from any code, count as executed.
mutant_executed() { # FILE LINE
  line=$2
  sed -n "${line}p" "lib/$1" | grep -q '^ ' || return 0
  awk -v file="$1" -v line="$line" '
    $2 == file && $3 <= line && $3 > line - 8 {
      if ($3 > last) executed = 0
      if ($3 >= last) { last = $3; executed += $4 }
    }
    END { exit last > 0 && executed == 0 }' "$work/lines"
}

# Prints the units that execute the line of an error, cheapest first, as in $work/units. A line without code belongs to
# the lines before and after it; macros and lines outside of functions, or far from any code, are executed by all units.
mutant_reach() { # FILE LINE
  line=$2
  if ! sed -n "${line}p" "lib/$1" | grep -q '^ ' || sed -n "$((line - 1))p" "lib/$1" | grep -q '\\$'; then
    cat "$work/units"
    return
  fi
  awk -v file="$1" -v line="$line" -v lines="$work/lines" -v reached="$work/reached" '
    BEGIN {
      while ((getline <lines) > 0) {
        if ($2 != file) continue
        if ($3 <= line && $3 > line - 8 && $3 > before) before = $3
        if ($3 >= line && $3 < line + 8 && (!after || $3 < after)) after = $3
      }
      while (before && (getline <reached) > 0)
        if ($1 == file && ($2 == before || $2 == after)) {
          n = split(substr($3, 2), range, ",")
          for (i = 1; i <= n; i++) {
            split(range[i], ends, "-")
            for (k = ends[1]; k <= ends[2]; k++) by[k]
          }
        }
    }
    !before || $1 in by' "$work/units"
}
