#!/bin/sh
# scripts/plot-tyre: each of its pictures from a shipped rig, their size, lines and texts, and refused inputs.
# Usage: tests/scripts/plot_tyre.sh VDSIM-RUN
# Reads scenarios/; writes a temporary folder. Skipped without gnuplot.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
command -v gnuplot >/dev/null || { echo "1..0 # SKIP no gnuplot"; exit 0; }

plan 29
draw() {
  scripts/plot-tyre "$@" >"$work/out" 2>"$work/err"
  status=$?
}

# KIND LONGEST-LABEL CSV...: 620 high; 830 wide without a legend, else 880 and 7.5 for each letter; a degree sign counts
# as two, since awk counts bytes.
picture() {
  kind=$1 label=$2
  shift 2
  rm -f "$work/it.png"
  draw -o "$work/it.png" "$kind" "$@"
  [ $status -eq 0 ] && [ ! -s "$work/err" ] && [ -s "$work/it.png" ] && size_of "$work/it.png" |
    awk -v label="$(printf %s "$label" | sed 's/°/o/')" -v degrees="$(printf %s "$label" | grep -c '°')" '{
      letters = length(label)
      low = letters ? int(880 + 7.5 * letters) : 830
      if (!($1 >= low && $1 <= low + 8 * degrees && $2 == 620)) {
        print "# " $0 " pixels instead of " low " 620"; exit 1
      }
    }'
}

"$exe" -o "$work" scenarios/rig/*.yaml 2>"$work/err" && [ ! -s "$work/err" ]
check "the shipped rigs run"
picture fy "1.5 kN" "$work/fy_alpha.csv"
check "fy of fy_alpha"
picture fy "2.2 bar, camber -4°" "$work/camber_pressure.csv"
check "fy of camber_pressure"
picture fx "1.5 kN" "$work/fx_kappa.csv"
check "fx of fx_kappa"
picture ellipse "slip angle -8°" "$work/combined.csv"
check "ellipse of combined"
picture mz "1.5 kN" "$work/fy_alpha.csv"
check "mz of fy_alpha"
picture gough "1.5 kN" "$work/gough.csv"
check "gough of gough"
picture transient "10 m/s" "$work/step_angle.csv"
check "transient of step_angle"
picture time "30 m/s" "$work/sine_angle.csv"
check "time of sine_angle"
picture time "" "$work/standstill.csv"
check "time of standstill, one line without a legend"

# lines KIND CSV X SCALE Y SCALE BY: of each load (of combined slip, each angle; of a moving wheel, each case) from the
# SVG; `transient` ends where the slowest wheel has rolled to
lines() {
  if ! command -v python3 >/dev/null; then
    skip "$1 of $2: its lines are those of the table, its texts apart" "no python3"
    return
  fi
  scripts/plot-tyre -o "$work/it.svg" "$1" "$work/$2.csv" &&
    PYTHONDONTWRITEBYTECODE=1 python3 tests/common/svg.py "$work/it.svg" '
name, x, xscale, y, yscale, by, rig, kind = sys.argv[3:]
groups = {}
for r in csv.DictReader(open(name)):
    groups.setdefault(r[by], []).append((float(r[x])/eval(xscale), float(r[y])/eval(yscale)))
expect(len(panels) == 1 and len(panels[0].plots) == len(groups),
    f"{[len(p.plots) for p in panels]} lines, {len(groups)} in the table")
expect((len(groups) > 1) == (rig != "standstill"), f"{len(groups)} lines")
end = min(points[-1][0] for points in groups.values()) if kind == "transient" else math.inf
for plot, points in zip(panels[0].plots, groups.values()):
    after = next((i for i, p in enumerate(points) if p[0] > end), None)
    if after:
        (x0, y0), (x1, y1) = points[after - 1:after + 1]
        points = points[:after] + [(end, y0 + (y1 - y0)*(end - x0)/(x1 - x0))]
    same_line(panels[0], plot, [p[0] for p in points], [p[1] for p in points], y)
check_boxes(size, panels, boxes)' "$work/$2.csv" "$3" "$4" "$5" "$6" "${7-fz_N}" "$2" "$1" >"$work/out" 2>"$work/err"
  check "$1 of $2: its lines are those of the table, its texts apart"
}
lines fy fy_alpha alpha_rad DEG fy_N 1000
lines mz fy_alpha alpha_rad DEG mz_Nm 1
lines fx fx_kappa kappa 0.01 fx_N 1000
lines gough gough fy_N 1000 mz_Nm 1
lines ellipse combined fx_N 1000 fy_N 1000 alpha_rad
lines transient step_angle distance_m 1 fy_N 1000 case
lines time sine_angle t_s 1 fy_N 1000 case
lines time standstill t_s 1 fy_N 1000 case

"$exe" -o "$work/other" --set "tyre=scenarios/tyres/mf96_touring.yaml" scenarios/rig/gough.yaml 2>"$work/err"
mv "$work/other/gough.csv" "$work/mf96.csv"
picture gough "1.5 kN, gough" "$work/gough.csv" "$work/mf96.csv"
check "two tyres in one picture"

# ARGUMENTS...: status 2, one line that names the error, no picture.
refused() {
  words=$1
  shift
  rm -f "$work/it.png"
  draw "$@"
  [ $status -eq 2 ] && [ ! -s "$work/out" ] && [ "$(grep -c '' "$work/err")" -eq 1 ] && [ ! -e "$work/it.png" ] &&
    grep -q "^plot-tyre: .*$words" "$work/err" && return
  sed 's/^/# /' "$work/err"
  return 1
}

: >"$work/empty.csv"
head -n 1 "$work/fy_alpha.csv" >"$work/header.csv"
printf 'time,force\n0,1\n' >"$work/foreign.csv"
refused "no kind of picture"
check "refused: no kind"
refused "no kind 'fz'" -o "$work/it.png" fz "$work/fy_alpha.csv"
check "refused: an unknown kind"
refused "no CSV" -o "$work/it.png" fy
check "refused: no file"
refused "no such file" -o "$work/it.png" fy "$work/missing.csv"
check "refused: a missing file"
refused "empty file" -o "$work/it.png" fy "$work/empty.csv"
check "refused: an empty file"
refused "no rows" -o "$work/it.png" fy "$work/header.csv"
check "refused: a header alone"
refused "no column" -o "$work/it.png" fy "$work/foreign.csv"
check "refused: foreign columns"
refused "transient rig" -o "$work/it.png" fy "$work/step_angle.csv" &&
  refused "transient rig" -o "$work/it.png" transient "$work/fy_alpha.csv" &&
  refused "stands still" -o "$work/it.png" transient "$work/standstill.csv"
check "refused: a kind that does not suit the rig"
refused "must end in" -o "$work/it.jpg" fy "$work/fy_alpha.csv"
check "refused: another kind of file"
refused "no such folder" -o "$work/missing/it.png" fy "$work/fy_alpha.csv"
check "refused: a missing folder"

all_well
