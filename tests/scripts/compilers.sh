#!/bin/sh
# Programs of gcc and clang, with and without AVX2, write logs of equal bytes. (tests/scripts/toys.sh compares gcc
# without optimisation.) For each commit a twelfth of the objects of gcc is replaced by objects of clang, and for half
# of the commits the program runs without AVX2.
# Usage: tests/scripts/compilers.sh VDSIM-RUN
# VDSIM-RUN uses AVX2 if the processor has it. Its objects are linked to another program that does not, on any
# processor; objects of clang are built in a scratch folder. Skipped if one of the compilers is missing.
set -u

for compiler in gcc clang; do
  if ! command -v "$compiler" >/dev/null 2>&1; then
    echo "1..0 # SKIP $compiler is not installed"
    exit 0
  fi
done
# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
set -- scenarios/iso/step_steer.yaml scenarios/road/brake_straight.yaml scenarios/ride/potholes.yaml \
  scenarios/hardpoints/step_steer.yaml scenarios/iso/lane_change_80_l3.yaml scenarios/stunt/loop.yaml
plan $(($# + 1))

# Lists the objects of the tool, with both variants for wide registers. The object that selects one is compiled below.
folder=${exe%/cli/*}
python3 - "$folder" >"$work/all_objects" <<'END'
import json, sys
for unit in json.load(open(sys.argv[1] + "/compile_commands.json")):
    folder, _, name = unit["output"].partition(".p/")
    if not name.endswith("wide_choice.c.o") and folder in (
            "lib/libvdsim.a", "lib/libvdsim_reading.a", "lib/libvdsim_plain.a", "lib/libvdsim_avx2.a", "cli/vdsim-run",
            "cli/libtool.a"):
        print(unit["output"])
END
all=$(grep -c . "$work/all_objects")
sample $((all / 12)) <"$work/all_objects" >"$work/objects"
# Compiles the sources with the options of the build, except for optimisation and warnings, and writes the command that
# links the objects. An object before an archive replaces the object in the archive.
python3 - "$folder" "$work" "$(ninja -C "$folder" -t commands cli/vdsim-run | tail -n 1)" >"$work/link" <<'END'
import json, os, shlex, subprocess, sys
folder, work, link = sys.argv[1:]
drawn = open(work + "/objects").read().split()
before = [work + "/choice.o"] if os.path.exists(folder + "/lib/wide_choice.c") else []
words = shlex.split(link)
for unit in json.load(open(folder + "/compile_commands.json")):
    name = unit["output"]
    if name not in drawn:
        continue
    made = f"{work}/clang/{name}"
    os.makedirs(os.path.dirname(made), exist_ok=True)
    given = shlex.split(unit["command"])
    given = iter(given[next(i for i, word in enumerate(given) if word.startswith("-")):])
    command = ["clang", "-w"]
    for word in given:
        if word in ("-MQ", "-MF", "-o"):
            next(given)
        elif word.startswith("-O"):
            command += ["-O1" if "_plain" in name or "_avx2" in name else "-O0"]
        elif not word.startswith(("-W", "-MD")):
            command += [word]
    subprocess.run(command + ["-o", made], cwd=folder, check=True)
    if name in words:
        words[words.index(name)] = made
    else:
        before.append(made)
at = words.index("-o")
words[at + 1] = work + "/clang/tool"
print(shlex.join(words[:at + 2] + before + words[at + 2:]))
END
[ -s "$work/link" ] && [ "$(grep -c . "$work/objects")" -ge 20 ]
check "clang compiles $(grep -c . "$work/objects") of $all objects" "$work/link"

# a file with another selection of functions, linked before the archive of the core, replaces the file in it
programs=
if [ -f "$folder/lib/wide_choice.c" ]; then kinds='wide plain'; else kinds=plain; fi
for registers in $(echo "$kinds" | tr ' ' '\n' | sample 1); do
  if [ -f "$folder/lib/wide_choice.c" ]; then
    cp "$folder/lib/wide_choice.c" "$work/choice.c"
    if [ "$registers" = plain ]; then
      sed -i 's/? avx2 : plain/? plain : plain/' "$work/choice.c"
      ! cmp -s "$work/choice.c" "$folder/lib/wide_choice.c" || exit 1
    fi
    gcc -c -o "$work/choice.o" "$work/choice.c" || exit 1
  fi
  (cd "$folder" && eval "$(cat "$work/link")") || exit 1
  mv "$work/clang/tool" "$work/$registers"
  programs=${programs:+$programs }$registers
done
ln -s "$exe" "$work/this"

for scenario; do
  same=yes
  : >"$work/out"
  for program in this $programs; do
    "$work/$program" --exact "$scenario" >"$work/$program.csv" || echo "$program: exit status $?" >>"$work/out"
    cmp "$work/this.csv" "$work/$program.csv" >>"$work/out" 2>&1 || same=no
  done
  rows=$(wc -l <"$work/this.csv")
  [ $same = yes ] && [ "$rows" -gt 100 ] && [ ! -s "$work/out" ]
  check "$scenario: $rows lines of gcc's program, and of clang's with registers: $programs" "$work/out"
done
all_well
