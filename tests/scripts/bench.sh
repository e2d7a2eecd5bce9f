#!/bin/sh
# scripts/bench: errors of the integration, options, tables, and files. Builds, times and errors come from stubs, so
# that the figures are known: the commit needs 200 ns a step and the work tree 100.
# Usage: tests/scripts/bench.sh BENCH VDSIM_RUN    (vdsim-plot is beside VDSIM_RUN)
# Writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
plot=$(cd "$(dirname "$2")" && pwd)/vdsim-plot

plan 29
# errors of real runs
figures() { # STEP
  "$exe" precision L3 mf96 "$1" 2>/dev/null
}
coarse=$(figures '4 ms') && fine=$(figures '2 ms')
# the method has fourth order: half the step has a sixteenth of the error
echo "$coarse $fine" | awk '{ ratio = $1/$4; exit !(NF == 6 && ratio > 14 && ratio < 18) }'
check "half the step has a sixteenth of the error: $coarse, $fine"
! figures '1 s' >"$work/out"
check "a step that is refused has no figures"
"$exe" study scenarios/study/turn_indices.yaml 3 >"$work/out" 2>"$work/err" &&
  awk '{ exit !(NF == 2 && $1 > 0 && $2 > 0) }' "$work/out"
check "'bench study' prints the times to run and to read a case"
# The limits are ten times those of scripts/bench --corners, for builds with sanitizers.
for file in dw_front_sedan 5link_rear_sedan twist_beam_rear_compact panhard_front_offroad; do
  "$exe" corner "scenarios/suspensions/$file.yaml"
done >"$work/out" 2>"$work/err" &&
  awk '!(NF == 3 && $1 > 0 && $1 < 500 && $2 > 0 && $2 < 50 && $3 > $2 && $3 < 1000) { exit 1 }
    END { exit NR != 4 }' "$work/out"
check "times of an equilibrium of a suspension and of its sweeps are within limits" "$work/out" "$work/err"
# The limits are twice those of scripts/bench --bushings.
"$exe" bushings "$2" scenarios/vehicles/sports_hardpoints.yaml >"$work/out" 2>"$work/err" &&
  awk '{ exit !(NF == 3 && $1 > 0 && $2 > $1 && $3 > 1 && $3 < 8) }' "$work/out"
check "the cost of L4 on bushings over rigid links is within its limit: $(cat "$work/out")" "$work/out" "$work/err"
# Builds with sanitizers and busy machines change all times by a common factor. The ratios of the times must agree with
# the ratios in the table of README.md.
for level in L1 L2 L3 L4; do
  for tyre in linear mf96 tmeasy mf61; do echo $level $tyre; done
done >"$work/rows"
{ echo L3 mf96; sample 4 <"$work/rows" | grep -v 'L3 mf96'; } >"$work/chosen"
while read -r level tyre; do
  "$exe" precision "$level" "$tyre" auto 1e-6 2>/dev/null | awk -v name="$level $tyre" '{ print name, 1e9/$2 }'
done <"$work/chosen" >"$work/speeds"
awk -F '|' 'FNR == NR { split($0, f, " "); now[f[1], f[2]] = f[3]; next }
  /^\| level .* cases an hour/ { for (i = 3; i <= 6; i++) { gsub(/ /, "", $i); tyre[i] = $i }; table = 1 }
  table && $2 ~ /^ L[1-4] $/ {
    gsub(/ /, "", $2)
    for (i = 3; i <= 6; i++) { said[$2, tyre[i]] = $i; rows++ }
    gsub(/[, ]/, "", $7)
    if (!($7 + 0 > 50000 && $7 + 0 < 5e6)) wrong = wrong " " $2 " cases"
  }
  !NF { table = 0 }
  END {
    for (name in said) {
      if (!(name in now)) continue
      tried++
      ratio = said[name]/now[name]/(said["L3", "mf96"]/now["L3", "mf96"])
      if (!(ratio > 1/4 && ratio < 4 && said[name]/now[name] > 1/10 && said[name]/now[name] < 20)) {
        split(name, part, SUBSEP)
        wrong = wrong " " part[1] " " part[2] " " now[name]
      }
    }
    if (rows != 16 || tried < 3 || wrong) { print rows + 0 " figures; wrong:" wrong; exit 1 }
  }' "$work/speeds" README.md >"$work/out"
check "the ratios of measured speeds agree with README.md within a factor of 4, for each level and tyre" "$work/out" \
  "$work/speeds"
for name in L3 L4kerb L4bushings; do "$exe" deadline $name; done >"$work/out" 2>"$work/err" &&
  awk '!(NF == 5 && $1 > 0 && $2 >= $1 && $3 >= $2 && $4 >= 4 && $4 < 5 && $5 > 4) { exit 1 } END { exit NR != 3 }' \
    "$work/out"
check "calls of vd_advance take time, and in the mean four evaluations or slightly more" "$work/out" "$work/err"
! "$exe" deadline L9 >"$work/out" 2>&1
check "'bench deadline' has no figures for an unknown run" "$work/out"
"$exe" limits L1 ../vehicles/sedan.yaml >"$work/out" 2>"$work/err" &&
  awk '{ for (i = 1; i <= 6; i++) if (!($i > 0)) exit 1 } END { exit !(NR == 1 && NF == 6 && $4 > $3) }' "$work/out"
check "limits of a car take time: the envelope, the diagram, a lap, and a lap with slopes more" "$work/out" "$work/err"
if ! command -v git >/dev/null 2>&1; then
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do skip "bench $i" "no git"; done
  exit
fi

mkdir -p "$work/repo/scripts" "$work/repo/tests/common" "$work/bin" "$work/tmp"
cp scripts/bench "$work/repo/scripts"
cp tests/common/differ.sh "$work/repo/tests/common"
cd "$work/repo" || exit 2
git init -q . && git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m first
TMPDIR=$work/tmp STUBS=$work
ln -s "$plot" "$work/plot"
export TMPDIR STUBS

# Each build has the name `before' or `after'. Its steps advance a simulated clock.
cat >"$work/bin/meson" <<'END'
#!/bin/sh
mkdir -p "$2/tests" "$2/cli"
ln -sf "$STUBS/plot" "$2/cli/vdsim-plot"
[ "$3" = . ] && name='after 100' || name='before 200'
cat >"$2/tests/bench" <<INNER
#!/bin/sh
set -- $name "\$@"
if [ "\$3" = corner ]; then
  case \$4 in *rigid*) exit 1 ;; esac
  [ \$# -gt 4 ] || echo "9.50 0.700 2.100"
  exit
fi
if [ "\$3" = bushings ]; then
  case \$5 in *hard*) exit 1 ;; esac
  echo "25.0 75.0 3.00"
  exit
fi
if [ "\$3" = precision ]; then
  [ "\$6" != '16 ms' ] || exit 2
  echo "1e-\${#6} 1000 0.500"
  exit
fi
[ "\$3" != L1 ] || exit 2
[ ! -e "\$STUBS/wait" ] || sleep 1
[ "\$5" != 22000 ] || echo "\$1 \$3 \$4" >>"\$STUBS/calls"
echo \$((\$(cat "\$STUBS/clock") + \$2 * \$5 + 1000)) >"\$STUBS/clock"
INNER
# This stub reads for 1 ms and runs for 2 s; the relative error of its metric is 1e-4 or 5e-5 if no accuracy is given.
cat >"$2/cli/vdsim-run" <<INNER
#!/bin/sh
set -- $name "\$@"
time=1000000 wrong=2.000\$2
for argument; do
  case \$argument in
  --check) checks=yes ;;
  run.accuracy=*) wrong=2 ;;
  *tyres/*) exit 2 ;;
  esac
done
[ -n "\${checks-}" ] || time=\$((1000000 + 100000 * \$2))
echo \$((\$(cat "\$STUBS/clock") + time)) >"\$STUBS/clock"
while [ \$# -gt 0 ] && [ "\$1" != --metrics ]; do shift; done
[ -n "\${checks-}" ] ||
  printf 'metric,value,unit\nledger_residual,%s,1\nfar_m,%s,m\nnear_rad,0.0%s,rad\n' "\$2" "\$wrong" 1 >"\$2"
echo 'scenarios/iso/a.yaml: 2 s simulated in 20 steps, 1 of them split at corners and events, 0 rows' >&2
INNER
chmod +x "$2/tests/bench" "$2/cli/vdsim-run"
END
printf '#!/bin/sh\nexit 0\n' >"$work/bin/ninja"
printf '#!/bin/sh\ncat "%s"\n' "$work/clock" >"$work/bin/date"
chmod +x "$work"/bin/*
echo 0 >"$work/clock"
PATH=$work/bin:$PATH

clean() {
  [ "$(git worktree list | wc -l)" -eq 1 ] && [ -z "$(ls -A "$work/tmp")" ]
}
refused() { # TEXT ARGUMENTS...
  text=$1
  shift
  sh scripts/bench "$@" >"$work/out" 2>"$work/err" </dev/null
  [ $? -eq 2 ] && grep -q -e "$text" "$work/err" && [ ! -s "$work/out" ]
}

sh scripts/bench --help >"$work/out" 2>"$work/err" && grep -q '^Usage: scripts/bench' "$work/out" &&
  grep -q -e '--compare COMMIT' "$work/out"
check "--help prints the usage"
refused 'unknown argument --fast' --fast
check "an unknown option is refused"
refused -- '--compare needs a value' --compare
check "--compare needs a commit"
refused 'no commit nothing' --compare nothing && clean
check "a commit that does not exist is refused"
refused '--study takes a number of cases' --study 0 && refused 'only one task' --study --precision
check "--study 0 is refused"
refused '--rounds is a whole number' --compare HEAD --rounds 0
check "--rounds 0 is refused"
refused 'belongs to a task' --only 'L3 *'
check "--only by itself is refused"
refused 'only one task' --compare HEAD --precision
check "two tasks at once are refused"
refused '--rounds belongs to' --precision --rounds 3
check "--rounds for a task without rounds is refused"

: >"$work/calls"
sh scripts/bench --compare HEAD --only 'L[13] m*' --rounds 3 >"$work/out" 2>"$work/err" </dev/null
status=$?
printf '%s\n' 'L1 mf96 absent' 'L1 mf61 absent' 'L3 mf96 200 100 0.500 0.500 .. 0.500' \
  'L3 mf61 200 100 0.500 0.500 .. 0.500' >"$work/wanted"
sed '1d; s/  */ /g' "$work/out" >"$work/got"
[ $status -eq 0 ] && cmp -s "$work/wanted" "$work/got"
check "--compare prints costs and ratios, and names a row that the commit lacks" "$work/out" "$work/err"
[ "$(awk '$2 " " $3 == "L3 mf96" { print $1 }' "$work/calls" | tr '\n' ' ')" = \
  'before after after before before after ' ]
check "the runs of the two builds alternate" "$work/calls"
clean
check "the comparison leaves neither a folder nor a worktree"

: >"$work/wait"
sh scripts/bench --compare HEAD --only 'L3 mf96' >/dev/null 2>&1 </dev/null &
pid=$!
while kill -0 $pid 2>/dev/null && [ -z "$(ls -A "$work/tmp")" ]; do sleep 0.1; done
kill -TERM $pid
wait $pid
[ $? -eq 143 ] && clean
check "a signal that ends the script leaves neither a folder nor a worktree"

rm "$work/wait"
sh scripts/bench --precision --only 'L3 mf96' >"$work/out" 2>"$work/err" </dev/null
status=$?
awk 'NR > 1 { print $1, $2, $3, $4, $(NF - 2), $(NF - 1), $NF }' build-bench/precision.txt >"$work/got"
{
  for step in 0.25 0.5 1 2 4 8; do
    text="$step ms"
    echo "L3 mf96 $step 0 1e-${#text} 1000 0.500"
  done
  echo 'L3 mf96 16 0 - - -'
  for accuracy in 1e-3 1e-4 1e-5 1e-6 1e-7 1e-8 1e-10; do echo "L3 mf96 auto $accuracy 1e-4 1000 0.500"; done
} >"$work/wanted"
[ $status -eq 0 ] && cmp -s "$work/wanted" "$work/got"
check "--precision: all steps and accuracies; a refused step has no figures" "$work/got" "$work/err"
grep -q '^picture: build-bench/precision.svg' "$work/out" &&
  grep -q '>ns per simulated second<' build-bench/precision.svg && grep -q '>L3<' build-bench/precision.svg
check "--precision for a part of the rows draws a picture" "$work/out" "$work/err"

mkdir -p scenarios/iso scenarios/tyres
touch scenarios/iso/a.yaml scenarios/iso/b.yaml scenarios/tyres/t.yaml
git add scenarios && git -c user.name=a -c user.email=a@example.org commit -q -m second
sh scripts/bench --scenarios --only '*/a' >"$work/out" 2>"$work/err" </dev/null
status=$?
sed '1d; s/  */ /g; s/ *$//' "$work/out" >"$work/got"
echo 'iso/a 10 5.000 5.0e-05 far_m' >"$work/wanted"
[ $status -eq 0 ] && cmp -s "$work/wanted" "$work/got"
check "--scenarios prints steps, time without reading, and error" "$work/out" "$work/err"
sh scripts/bench --scenarios HEAD --rounds 1 >"$work/out" 2>"$work/err" </dev/null
status=$?
sed '1d; s/  */ /g; s/ *$//' "$work/out" >"$work/got"
for name in a b; do echo "iso/$name 10 10.000 1.0e-04 far_m 10 5.000 5.0e-05 far_m 5.0e-05 far_m"; done >"$work/wanted"
[ $status -eq 0 ] && cmp -s "$work/wanted" "$work/got" && clean
check "--scenarios COMMIT: figures of both builds, and the differences of their metrics" "$work/out" "$work/err"

# This stub counts 5000 instructions for the start, 100 for a step without tables, and 200 for a step with them, of
# which 37 are in the tables.
cat >"$work/bin/valgrind" <<'END'
#!/bin/sh
start=5000 each=100
case "$*" in *L3kc*) each=200 ;; esac
case "$*" in *--toggle-collect=vd_linkage_maps_at*) start=0 each=37 ;; esac
for steps; do :; done
echo "==1== Collected : $((start + each * steps))" >&2
END
chmod +x "$work/bin/valgrind"
sh scripts/bench --tables >"$work/out" 2>"$work/err" </dev/null
status=$?
sed '1d; s/  */ /g' "$work/out" >"$work/got"
for tyre in linear mf96 tmeasy mf61; do echo "$tyre 100 200 37 18.5 %"; done >"$work/wanted"
[ $status -eq 0 ] && cmp -s "$work/wanted" "$work/got"
check "--tables prints the cost of a step without and with tables, and the share of the tables" "$work/out" "$work/err"

# shows OPTION ROW TITLE: checks that the table of an option has one row
shows() {
  sh scripts/bench "$1" >"$work/out" 2>"$work/err" </dev/null
  status=$?
  sed '1d; s/  */ /g' "$work/out" >"$work/got"
  echo "$2" >"$work/wanted"
  [ $status -eq 0 ] && cmp -s "$work/wanted" "$work/got"
  check "$3" "$work/out" "$work/err"
}
mkdir -p scenarios/suspensions && : >scenarios/suspensions/soft.yaml && : >scenarios/suspensions/rigid.yaml
shows --corners 'soft 9.50 100 0.700 2.100' "--corners: an equilibrium, sweeps, and none of what is not elastic"
mkdir -p scenarios/vehicles && : >scenarios/vehicles/soft.yaml && : >scenarios/vehicles/hard.yaml
shows --bushings 'soft 25.0 75.0 3.00' "--bushings: a run on rigid links, on bushings, and none of what has no linkages"
