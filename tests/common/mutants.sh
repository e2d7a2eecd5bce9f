#!/bin/sh
# Builds of the core with one error each, for scripts/mutate. To be read by: . tests/common/mutants.sh
# A list of mutants has lines "who is to notice|file of lib/|LINE FUNCTION KIND ORDINAL|what is broken", as
# scripts/mutants.py prints them. Needs $work, a folder, and $build, the build folder whose objects are used for all
# sources without the error. Works from the top of the tree.
# shellcheck disable=SC2154 # both are set by the calling script

# Builds the programs, and records how the core is compiled, how the programs are linked, and which file includes which.
# Wide sources are compiled twice, and both compilations get the error: every processor uses the plain compilation's
# functions without VD_WIDE.
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

# Prints the sources that an error affects: its file, or the files that include it. If $work/lines (mutants_covered)
# exists, an error in a header affects only sources with code of its line.
mutants_sources() { # FILE LINE
  case $1 in
    *.h) ;;
    *) echo "$1"; return ;;
  esac
  if [ -f "$work/lines" ]; then
    reached=$(awk -v header="$1" -v line="$2" '$2 == header && $3 == line { print $1 }' "$work/lines")
    [ -z "$reached" ] || { echo "$reached"; return; }
  fi
  awk -v header="$1" '$2 == header { print $1 }' "$work/needs"
}

# Writes the broken file.
mutant_write() { # WORKER FILE ADDRESS
  rm -rf "$work/mutant.$1"
  mkdir -p "$work/mutant.$1/${2%/*}"
  # shellcheck disable=SC2086 # FUNCTION KIND ORDINAL
  python3 scripts/mutants.py apply "$2" ${3#* } >"$work/mutant.$1/$2"
}

# Compiles only the broken file, or the files that include it. Code that is not optimised would cost more time than its
# compilation saves.
mutant_compile() { # WORKER FILE LINE   -> $work/objects.WORKER
  mutant=$work/mutant.$1
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
}

# Links a program with the mutant's objects, and those of $extra; they precede the archive of the core and replace its
# objects.
mutant_link() { # OUTPUT WORKER PROGRAM
  command=$(sed "s| -o [^ ]* | -o '$1' $(cat "$work/objects.$2") ${extra-} -Wl,-S |" "$work/link.$3")
  (cd "$build" && eval "$command")
}

# Succeeds if a mutant compiles to the objects of the sound core.
mutant_is_equal() { # WORKER FILE LINE
  mkdir -p "$work/broken.$1" && mv "$work/mutant.$1"/*.o "$work/broken.$1" &&
    cp "lib/$2" "$work/mutant.$1/$2" || return 1
  mutant_compile "$1" "$2" "$3" || return 1
  equal=true
  for object in "$work/broken.$1"/*.o; do
    cmp -s "$object" "$work/mutant.$1/${object##*/}" || equal=false
  done
  rm -r "$work/broken.$1"
  $equal
}

# Judges all mutants of a list; each worker takes the next free mutant. The verdicts are printed in the order of the
# list. Ends when there is a file $work/enough. Verdicts are also written to the file $kept at once, if that is set.
mutants_judge() { # LIST WORKERS JUDGE   (JUDGE WORKER NUMBER WHO FILE ADDRESS WHAT prints a verdict)
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
  while IFS='|' read -r who file address what; do
    next=$((next + 1))
    [ ! -f "$work/enough" ] || return
    mkdir "$work/taken/$next" 2>/dev/null || continue
    # in a subshell, as functions share all variables
    ("$3" "$2" "$next" "$who" "$file" "$address" "$what") >"$work/verdict.$2" </dev/null
    [ -z "${kept-}" ] || cat "$work/verdict.$2" >>"$kept"
    mv "$work/verdict.$2" "$work/results/$next"
  done <"$1"
}
