#!/bin/sh
# Builds of the core with one edit, for tests/scripts/mutants.sh and scripts/mutate. Read first: . tests/common/mutants.sh
# A list of mutants has lines "who is to notice | file of lib/ | sed expression | what is broken". Needs $work, a folder, and
# $build, the build folder whose objects serve for all that an edit does not touch. Works from the top of the tree.
# shellcheck disable=SC2154 # the two are the reader's

# The edits of a list that no longer find their place, a line each: they prove nothing.
mutants_stale() { # LIST
  while IFS='|' read -r _ file edit what; do
    if [ ! -f "lib/$file" ] || ! sed "$edit" "lib/$file" >"$work/edited" || cmp -s "lib/$file" "$work/edited"; then
      echo "the edit of lib/$file no longer finds its place: $what"
    fi
  done <"$1"
}

# A number of lines of a list, spread over its first column; the same lines for the same seed on every machine.
mutants_sample() { # LIST HOW-MANY SEED
  number=$(printf %s "$3" | cksum | cut -d' ' -f1)
  awk -F'|' -v x="$number" '
    function next_number() { return x = (x * 16807) % 2147483647 }
    BEGIN { x = x % 2147483646 + 1; next_number() }
    { printf "%s|%010d|%d\n", $1, next_number(), NR }' "$1" | LC_ALL=C sort |
    awk -F'|' -v wanted="$2" -v number="$number" '
      { line[NR] = $3 }
      END {
        if (wanted > NR) wanted = NR
        for (i = 0; i < wanted; i++) print line[int((i + number % 1000 / 1000) * NR / wanted) + 1]
      }' | sort -n | awk 'FNR == NR { chosen[$1]; next } FNR in chosen' - "$1"
}

# Brings the programs up to date, and notes how the core is compiled, how they are linked, and which file includes which.
# Both compilations of wide sources are broken: functions without VD_WIDE are those of the plain one on every processor.
mutants_prepare() { # PROGRAM...   (targets of the build folder)
  ninja -C "$build" "$@" >"$work/ninja" 2>&1 || { cat "$work/ninja" >&2; return 1; }
  ninja -C "$build" -t commands lib/libvdsim.a | grep -e ' -c ' >"$work/compile"
  for program; do
    ninja -C "$build" -t commands "$program" | tail -n 1 >"$work/link.$(basename "$program")"
  done
  ninja -C "$build" -t deps | awk '
    /^[^ ]/ { source = ""; wanted = /^lib\//; next }
    wanted && sub(/^ .*\/lib\//, "") { if (source == "") source = $0; else print source, $0 }' | sort -u >"$work/needs"
}

# The sources that an edit reaches: its file, or what includes it. An edit of a numbered line of a header reaches only what
# has code of that line, where $work/lines (mutants_covered) says so.
mutants_sources() { # FILE EDIT
  case $1 in
    *.h) ;;
    *) echo "$1"; return ;;
  esac
  line=${2%%s/*}
  if [ -f "$work/lines" ] && [ "$line" ]; then
    reached=$(awk -v header="$1" -v line="$line" '$2 == header && $3 == line { print $1 }' "$work/lines")
    [ -z "$reached" ] || { echo "$reached"; return; }
  fi
  awk -v header="$1" '$2 == header { print $1 }' "$work/needs"
}

# Compiles anew only the broken file, or what includes it; without optimisation that costs more than it saves. The
# mutant's objects, and those of $extra, stand before the archive of the core and take the place of its own.
mutant_build() { # WORKER FILE EDIT PROGRAM   -> $work/run.WORKER, $work/objects.WORKER
  mutant=$work/mutant.$1
  rm -rf "$mutant"
  mkdir -p "$mutant/${2%/*}"
  sed "$3" "lib/$2" >"$mutant/$2"
  top=$PWD objects=
  for source in $(mutants_sources "$2" "$3"); do
    [ -f "$mutant/$source" ] && from=$mutant/$source || from=$top/lib/$source
    grep -e "/lib/$source\$" "$work/compile" |
      sed "s| -MD -MQ [^ ]* -MF [^ ]*||; s| -o [^ ]* -c .*\$||; s| -I| -I'$mutant' -I|" >"$mutant/commands"
    times=0 # wide sources may be compiled twice
    while read -r command; do
      times=$((times + 1))
      object=$mutant/$(echo "$source" | tr / ,).$times.o
      (cd "$build" && eval "$command -O1 -g0 -w -o '$object' -c '$from'") || return 1
      objects="$objects $object"
    done <"$mutant/commands"
  done
  echo "$objects" >"$work/objects.$1"
  mutant_link "$work/run.$1" "$objects" "$4"
}

mutant_link() { # OUTPUT OBJECTS PROGRAM
  command=$(sed "s| -o [^ ]* | -o '$1' $2 ${extra-} -Wl,-S |" "$work/link.$3")
  (cd "$build" && eval "$command")
}

# Judges all of a list, each worker the next one that nobody has; the verdicts are printed in their order as they come. Ends
# when there is a file $work/enough. Verdicts are also written to the file $kept as they come, if that is set.
mutants_judge() { # LIST WORKERS JUDGE   (JUDGE WORKER NUMBER WHO FILE EDIT WHAT prints a verdict)
  mkdir -p "$work/taken" "$work/results"
  worker=0
  while [ "$worker" -lt "$2" ]; do
    mutants_work_off "$1" "$worker" "$3" &
    worker=$((worker + 1))
  done
  turn=0
  while [ "$turn" -lt "$(wc -l <"$1")" ]; do
    turn=$((turn + 1))
    while [ ! -f "$work/results/$turn" ]; do
      [ ! -f "$work/enough" ] || break 2
      sleep 0.2
    done
    cat "$work/results/$turn"
  done
  wait
}

mutants_work_off() { # LIST WORKER JUDGE
  next=0
  while IFS='|' read -r who file edit what; do
    next=$((next + 1))
    [ ! -f "$work/enough" ] || return
    mkdir "$work/taken/$next" 2>/dev/null || continue
    # in a shell of its own, as variables are everybody's
    ("$3" "$2" "$next" "$who" "$file" "$edit" "$what") >"$work/verdict.$2" </dev/null
    [ -z "${kept-}" ] || cat "$work/verdict.$2" >>"$kept"
    mv "$work/verdict.$2" "$work/results/$next"
  done <"$1"
}
