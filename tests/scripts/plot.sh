#!/bin/sh
# Common properties of scripts/plot and the other scripts that draw: no name, title or heading of a column runs a
# command, and pictures are the same in a language with a decimal comma. Also scripts/plot and scripts/compare
# themselves.
# Usage: tests/scripts/plot.sh VDSIM-RUN    (the other tools are beside it)
# Reads scenarios/; writes a temporary folder. Skipped without gnuplot.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
command -v gnuplot >/dev/null || { echo "1..0 # SKIP no gnuplot"; exit 0; }

plan 35

# --- names ---
# gnuplot runs the text after a < in the name of a file, a shell the text in `` or $(), and a line break ends a text of
# gnuplot.
# shellcheck disable=SC2016 # nothing is to be expanded
folder=$work/'it'\''s "a" $(touch x) `touch x` <b'
name='<touch x;cat s.csv'
# shellcheck disable=SC1003,SC2016
title=$(printf 'one\nsystem "touch x"\n`touch x` $(touch x) \047q\047 "p" { [ @a %%d \\')
mkdir -p "$folder/again"
cd "$folder" || exit 2

"$exe" --rate 100 -c '*' --set run.duration=1 -o "$work/kerb.csv" "$top/scenarios/ride/kerb_strike.yaml" || exit 2
"$exe" -o "$work" "$top/scenarios/rig/camber_pressure.yaml" || exit 2
"$(dirname "$exe")/vdsim-kc-sweep" --travel=-50:50:3 --rack=-20:20:3 -o "$work/curves.csv" \
  "$top/scenarios/suspensions/dw_front_sports.yaml" || exit 2
printf 'frequency_Hz,it\047s_gain,it\047s_phase_deg,it\047s_coherence\n1,1.5,10,1\n2,0.97,20,0.5\n' \
  >"$work/response.csv"
# shellcheck disable=SC2016
printf 'case,status,it\047s `touch x` $(touch x),y\n0,ok,`touch x`,1.5\n1,ok,\047q $(touch x),2\n' >"$work/study.csv"
printf 'vary:\n  - name: x\n' >"$work/study.resolved.yaml"
# shellcheck disable=SC2016
printf 't_s,it\047s `touch x` $(touch x)\n0,1\n1,0.5\n2,3\n' >"$work/columns.csv"

# SCRIPT LOG OPTIONS...: the log under a name that is a command, twice, so that the keys show the whole path.
draw() {
  script=$1
  cp "$2" "$name"
  cp "$2" "again/$name"
  shift 2
  "$top/scripts/$script" -o it.svg -t "$title" "$@" "$name" "again/$name" >"$work/out" 2>"$work/err"
  status=$?
  rm -f "$name" "again/$name"
}
# No command was run, the title is in the picture, and nothing but the picture was written.
harmless() {
  left=$(find . -type f | sort)
  [ $status -eq 0 ] && [ ! -s "$work/err" ] && [ "$left" = ./it.svg ] && grep -q 'one system' it.svg && return
  printf '%s\n' "$left" >>"$work/out"
  find . -type f -exec rm -f {} +
  return 1
}
draw plot "$work/kerb.csv" vx_mps 'fz_*_N'
harmless
check "plot"
draw plot "$work/columns.csv" 'it*'
harmless && grep -q 'touch x' it.svg
check "plot, of a column whose name is a command"
draw plot-tyre "$work/camber_pressure.csv" fy
harmless
check "plot-tyre"
draw plot-kc "$work/curves.csv"
harmless
check "plot-kc"
# one table, with the resolved study beside it
if command -v python3 >/dev/null; then
  cp "$work/study.csv" "$name"
  cp "$work/study.resolved.yaml" "${name%.csv}.resolved.yaml"
  "$top/scripts/plot-study" -o it.svg -t "$title" scatter "$name" >"$work/out" 2>"$work/err"
  status=$?
  rm -f "$name" "${name%.csv}.resolved.yaml"
  harmless && grep -q 'touch x' it.svg
  check "plot-study, of columns and words that are commands"
else
  skip "plot-study" "no python3"
fi
draw plot "$work/response.csv" --manoeuvre=response
harmless && grep -q "It's gain" it.svg
check "plot, of a frequency response"
draw plot-stunt "$work/kerb.csv" -n 3
harmless
check "plot-stunt"
# no < first: vdsim-run is given the scenario, gnuplot its title
# shellcheck disable=SC2016
scenario='-a`touch x` $(touch x)
system "touch x"
#.yaml'
printf 'title: a name\nbase: %s\n' "$top/scenarios/road/linear_step.yaml" >"$scenario"
"$top/scripts/compare" -e "$exe" -l L1,L2 -w 0.8:1.5 -o it.svg -- "$scenario" ay_mps2 >"$work/out" 2>"$work/err"
status=$?
rm -f -- "$scenario"
[ $status -eq 0 ] && [ ! -s "$work/err" ] && [ "$(find . -type f)" = ./it.svg ]
check "compare"
for level in L1 L2; do "$exe" -q -c 'yaw_rate_radps,ay_mps2' --set run.level=$level -o "$work/$level.csv" \
  "$top/scenarios/road/linear_step.yaml"; done
"$top/scripts/compare" -e "$exe" -l L1,L2 -w 0.8:1.5 -o it.svg "$top/scenarios/road/linear_step.yaml" \
  yaw_rate_radps ay_mps2
check_picture "its lines are those of both levels in the window, with their names" it.svg '
expect([len(p.plots) for p in panels] == [2, 2], [len(p.plots) for p in panels])
for panel, name, unit in zip(panels, ("yaw_rate_radps", "ay_mps2"), (DEG, G)):
    for plot, level in zip(panel.plots, ("L1", "L2")):
        c = table(f"{sys.argv[3]}/{level}.csv")
        rows = [i for i, t in enumerate(c("t_s")) if 0.8 - 1e-9 <= t <= 1.5 + 1e-9]
        same_line(panel, plot, [c("t_s")[i] for i in rows], [c(name)[i]/unit for i in rows], f"{name} at {level}")
        expect(level in texts, texts)
check_boxes(size, panels, boxes)' "$work"
rm -f it.svg
cp "$work/kerb.csv" ./-
cp "$work/kerb.csv" a=b
"$top/scripts/plot" -o it.svg vx_mps ./- a=b >"$work/out" 2>"$work/err" && grep -q '>a=b<' it.svg
check "logs named ./- and a=b are files"
rm -f -- - a=b it.svg
"$top/scripts/plot" -o -it.svg vx_mps "$work/kerb.csv" >"$work/out" 2>"$work/err" && [ -s ./-it.svg ]
check "a picture whose name begins with -"
rm -f ./-it.svg
TMPDIR=$folder "$top/scripts/plot" -o it.svg vx_mps "$work/kerb.csv" >"$work/out" 2>"$work/err" &&
  [ "$(find . -type f)" = ./it.svg ]
check "a temporary folder whose name is a command"
rm -f it.svg
mkdir init
printf 'system "touch x"\nset datafile separator tab\n' >init/.gnuplot
HOME=$folder/init "$top/scripts/plot" -o it.svg vx_mps "$work/kerb.csv" >"$work/out" 2>"$work/err" && [ ! -e x ]
check "the user's settings of gnuplot do not count"

# --- languages ---
cd "$work" || exit 2
draw_all() { # INTO
  mkdir "$1"
  for kind in plot plot-tyre plot-kc response plot-stunt plot-study compare; do
    case $kind in
      plot) set -- "$1" vx_mps,ay_mps2 fz_fl_N "$work/kerb.csv" ;;
      plot-tyre) set -- "$1" fy "$work/camber_pressure.csv" ;;
      plot-kc) set -- "$1" "$work/curves.csv" ;;
      response) set -- "$1" --manoeuvre=response "$work/response.csv" ;;
      plot-study) set -- "$1" scatter "$work/study.csv" ;;
      plot-stunt) set -- "$1" -n 3 "$work/kerb.csv" ;;
      compare) set -- "$1" -e "$exe" -l L1,L2 -w 0.8:1.5 "$top/scenarios/road/linear_step.yaml" vx_mps ;;
    esac
    into=$1
    shift
    script=$kind
    [ "$kind" != response ] || script=plot
    "$top/scripts/$script" -o "$into/$kind.svg" "$@" >>"$into/words" 2>&1 || echo "$kind failed" >>"$into/words"
    set -- "$into"
  done
}
draw_all "$work/c"
[ ! -s "$work/c/words" ]
check "in the language C all draw without a word" "$work/c/words"
grep -q 'camber -4°' "$work/c/plot-tyre.svg"
check "the degree sign is in the picture"

mkdir "$work/locale"
localedef -i de_DE -f UTF-8 "$work/locale/de_DE.UTF-8" >/dev/null 2>&1
if [ "$(LOCPATH=$work/locale LC_ALL=de_DE.UTF-8 env printf '%.1f' 0,5 2>/dev/null)" = 0,5 ]; then
  (LOCPATH=$work/locale LC_ALL=de_DE.UTF-8 && export LOCPATH LC_ALL && draw_all "$work/de")
  [ ! -s "$work/de/words" ]
  check "in a language with a decimal comma all draw without a word" "$work/de/words"
  for kind in plot plot-tyre plot-kc response plot-stunt plot-study compare; do
    cmp "$work/c/$kind.svg" "$work/de/$kind.svg" >"$work/out" 2>&1
    check "$kind draws the same with a decimal comma"
  done
else
  skip "in a language with a decimal comma all draw without a word" "no language with a decimal comma"
  for kind in plot plot-tyre plot-kc response plot-stunt plot-study compare; do
    skip "$kind draws the same with a decimal comma" "no language with a decimal comma"
  done
fi

# --- scripts/plot and scripts/compare: refusals ---
refused() { # WORDS COMMAND...
  words=$1
  shift
  "$@" >"$work/out" 2>"$work/err"
  [ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q "$words" "$work/err"
}
refused 'no channel given' "$top/scripts/plot" "$work/kerb.csv" && refused 'no log given' "$top/scripts/plot" vx_mps
check "refused: no channel, or no log"
refused "no column 'v_mps' in $work/kerb.csv" "$top/scripts/plot" v_mps "$work/kerb.csv" &&
  refused 'no column matches' "$top/scripts/plot" 'v*x' "$work/kerb.csv"
check "refused: a channel that the log has not"
refused 'no such file' "$top/scripts/plot" vx_mps "$work/none.csv" &&
  refused 'must end in .png, .svg or .pdf' "$top/scripts/plot" -o it.gif vx_mps "$work/kerb.csv"
check "refused: a missing log, another kind of picture"
ln "$work/kerb.csv" "$work/hard.svg" && ln -s kerb.csv "$work/soft.svg" && cksum <"$work/kerb.csv" >"$work/sum"
refused 'no picture replaces it' "$top/scripts/plot" -o "$work/hard.svg" vx_mps "$work/kerb.csv" &&
  refused 'no picture replaces it' "$top/scripts/plot" -o "$work/soft.svg" vx_mps "$work/kerb.csv" &&
  cksum <"$work/kerb.csv" | cmp -s - "$work/sum"
check "refused: a picture that is a link to its log"
refused "takes FROM:TO in s, not '0,8:3'" "$top/scripts/compare" -e "$exe" -w 0,8:3 \
  "$top/scenarios/road/linear_step.yaml"
check "refused: a window with a decimal comma"

# --- unusual numbers, globs and words: it neither hangs nor draws something else ---
plot() { timeout 20 "$top/scripts/plot" -o it.svg "$@"; }
printf 't_s,v\n0,1\n1,2\n2,4\n' >few.csv
: >"$work/wrong"
for limits in --xlim=5:5 --xlim=5:1 --ylim=0:0 --xlim=1e9:1000000000.000001 --xlim=:1e400 --xlim=1.2.3:5 \
  --xlim=.:. -w2:1; do
  refused 'takes FROM:TO' plot "$limits" v few.csv || echo "$limits" >>"$work/wrong"
done
[ ! -s "$work/wrong" ] && refused 'leaves nothing between 5 and 2' plot --xlim=5: v few.csv
check "refused: limits of an axis that are equal, reversed or no numbers" "$work/wrong"
for cell in nan inf -inf 1e400; do
  printf 't_s,v\n0,1\n%s,2\n1,%s\n2,4\n' "$cell" "$cell" >cells.csv
  plot v cells.csv >"$work/out" 2>&1 && [ ! -s "$work/out" ] && ! grep -Eq '>[-+]?(nan|inf)' it.svg ||
    echo "$cell" >>"$work/wrong"
  printf 't_s,v\n0,%s\n1,%s\n' "$cell" "$cell" >cells.csv
  refused 'nothing to draw' plot v cells.csv || echo "$cell alone" >>"$work/wrong"
done
[ ! -s "$work/wrong" ]
check "cells that are no finite number are missing" "$work/wrong"
for ends in '1700000000 1700000030' '1230000 1230010' '1234567 1234568' '-3e9 1e7' '0 1e-6'; do
  printf 't_s,v\n%s,1\n%s,2\n' "${ends% *}" "${ends#* }" >cells.csv
  # those of y are 0.9 ... 2.1
  plot v cells.csv && grep -o '>[-+0-9.e]*[0-9]<' it.svg >numbers && [ "$(wc -l <numbers)" -gt 8 ] &&
    [ -z "$(sort numbers | uniq -d)" ] ||
    echo "$ends" >>"$work/wrong"
done
[ ! -s "$work/wrong" ]
check "numbers of an axis differ from their neighbours, however large" "$work/wrong"
# shellcheck disable=SC1003
for glob in '*[' '[v*' 'v[z-a]' '[^]' '*\' '*[[:alpha:]]'; do
  refused 'no column matches' plot "$glob" few.csv && refused 'no such channel is drawn' plot -u "$glob=m" v few.csv ||
    echo "$glob" >>"$work/wrong"
done
[ ! -s "$work/wrong" ] && plot '[u-w]' few.csv && plot '[!t]' few.csv
check "a [ that begins no set of letters stands for itself" "$work/wrong"
for option in -w1:2 -s900 --plain -lx --si --xlim=1:2; do
  refused 'the picture stunt takes no -' plot --manoeuvre=stunt "$option" "$work/kerb.csv" ||
    echo "$option" >>"$work/wrong"
done
head -n 2 few.csv >one_row.csv
[ ! -s "$work/wrong" ] && refused 'no picture drawn' plot --manoeuvre=all one_row.csv &&
  refused 'lacks the name' plot --manoeuvre= few.csv
check "refused: options that a picture does not heed, no picture at all, a picture without a name" "$work/wrong"
refused "'-w' is behind a channel or a log" plot v few.csv -w 1:2 && refused 'it.svg is no log' plot v few.csv it.svg &&
  cp few.csv ./-few.csv && plot -- v -few.csv && plot v - <few.csv
check "refused: options behind the logs, a picture as a log"
# the same rows in the forms of other programs give the same picture
printf 't_s,v_kmh,yaw_rate_degps,ay_mps2\n0,85.5,1.5,0.25\n0.5,86,2.5,-1\n1,85,2,1.5\n' >log.csv
plot v yaw_rate ay log.csv && mv it.svg ours.svg
printf '\357\273\277sep=;\r\n"t [s]";v (km/h);yaw rate [\302\260/s];ay [m/s\302\262];\r\n' >log.csv
printf '0,0;85,5;1,5;0,25;\r\n0,5;86,0;2,5;-1,0;\r\n1,0;85,0;2,0;1,5;\r\n' >>log.csv
plot v yaw_rate ay log.csv && mv it.svg excel.svg
printf '# of Tuesday\n# t v yaw_rate ay\n# s km/h deg/s m/s^2\n0 85.5 1.5 0.25\n0.5 86 2.5 -1\n1 85 2 1.5\n' >log.csv
plot v yaw_rate ay log.csv && mv it.svg numpy.svg
printf 't v yaw_rate ay\n[s] [km/h] [deg/s] [m/s2]\n0 85.5 1.5 0.25\n0.5 86 2.5 -1\n1 85 2 1.5\n' | tr ' ' '\t' |
  iconv -f UTF-8 -t UTF-16 >log.csv
plot v yaw_rate ay log.csv && mv it.svg unicode.svg
cmp ours.svg excel.svg >"$work/wrong" 2>&1 && cmp ours.svg numpy.svg >>"$work/wrong" 2>&1 &&
  cmp ours.svg unicode.svg >>"$work/wrong" 2>&1
check "tables of spreadsheets, numpy and loggers are drawn as ours are" "$work/wrong"
all_well
