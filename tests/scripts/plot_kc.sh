#!/bin/sh
# scripts/plot-kc: the report sheet of shipped suspensions, its size, and refused inputs.
# Usage: tests/scripts/plot_kc.sh VDSIM-KC-SWEEP
# Reads scenarios/suspensions/; writes a temporary folder. Skipped without gnuplot.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
command -v gnuplot >/dev/null || { echo "1..0 # SKIP no gnuplot"; exit 0; }

plan 13
draw() {
  rm -f "$work/it.png"
  scripts/plot-kc -o "$work/it.png" "$@" >"$work/out" 2>"$work/err"
  status=$?
}
refused() { [ $status -eq 2 ] && grep -q "$1" "$work/err" && [ ! -e "$work/it.png" ]; }

for name in dw_front_sports ta_rear_sedan; do
  "$exe" --side=both -o "$work/$name.csv" "scenarios/suspensions/$name.yaml" || exit 2
done
draw "$work/dw_front_sports.csv"
[ $status -eq 0 ] && [ ! -s "$work/err" ] && [ "$(size_of "$work/it.png")" = "1500 1120" ]
check "the sheet of one corner is 1500 by 1120"
draw -t "two corners" "$work/dw_front_sports.csv" "$work/ta_rear_sedan.csv"
[ $status -eq 0 ] && [ ! -s "$work/err" ] && [ "$(size_of "$work/it.png")" = "1500 1160" ]
check "a sheet of two corners with a title"
draw "$work/ta_rear_sedan.csv"
[ $status -eq 0 ] && [ ! -s "$work/err" ]
check "a corner without rack and spring has fewer rows of panels"
# toe, camber, half track and roll centre over travel, toe and camber over the lateral force, toe over the longitudinal
# one
[ "$(size_of "$work/it.png")" = "1500 580" ]
check "seven panels in two rows, none of them empty"
scripts/plot-kc -o "$work/it.svg" "$work/dw_front_sports.csv" && grep -q '</svg>' "$work/it.svg"
check "a sheet as SVG"
# the compliance of the same suspension, without vertical load
scripts/plot-kc -o "$work/both.svg" "$work/dw_front_sports.csv" scenarios/kc/dw_front_sports_compliance.csv \
  >"$work/out" 2>"$work/err" &&
  [ ! -s "$work/err" ] && [ "$(grep -c "^.<path stroke='rgb(213,  94,   0)'  d='M[^L]* L" "$work/both.svg")" -eq 3 ] &&
  grep -q '>dw_front_sports_compliance<' "$work/both.svg" &&
  grep -q "<use xlink:href='#gpPt.*rgb(213,  94,   0)" "$work/both.svg" &&
  scripts/plot-kc -o "$work/it.png" scenarios/kc/dw_front_sports_compliance.csv &&
  [ "$(size_of "$work/it.png")" = "1500 310" ]
check "a table of compliance over it: toe and camber over the lateral force, toe over the longitudinal one, \
and its name"
if command -v python3 >/dev/null; then
  PYTHONDONTWRITEBYTECODE=1 python3 tests/common/svg.py "$work/it.svg" '
rows = [r for r in csv.DictReader(open(sys.argv[3])) if r["side"] == "left"]
# sweep, x and its scale, columns, in the order of scripts/plot-kc -h; it draws Ackermann from 3 degrees of steer on
SHEET = [("travel", "travel_mm", 1, [["toe_deg"], ["camber_deg"], ["caster_deg", "kpi_deg"], ["half_track_change_mm"]]),
         ("rack", "rack_mm", 1, [["toe_deg"], ["camber_deg"], ["caster_deg", "kpi_deg"], ["half_track_change_mm"]]),
         ("travel", "travel_mm", 1, [["roll_centre_z_mm", "roll_centre_planes_z_mm"], ["motion_ratio", "damper_ratio"],
                                     ["wheel_rate_Npmm", "ride_rate_Npmm"], ["anti_pct", "anti_drive_pct"]]),
         ("fy", "fy_N", 1e-3, [["toe_deg"], ["camber_deg"]]), ("fx", "fx_N", 1e-3, [["toe_deg"]])]
at = 0
for sweep, x, scale, sheet in SHEET:
    mine = [r for r in rows if r["sweep"] == sweep]
    for columns in sheet:
        columns = [c for c in columns if any(r[c] for r in mine)]
        if not columns:
            continue
        expect(len(panels[at].plots) == len(columns), f"{columns}: {len(panels[at].plots)} lines")
        for c, plot in zip(columns, panels[at].plots):
            some = [r for r in mine if r[c]]
            same_line(panels[at], plot, [scale*float(r[x]) for r in some], [float(r[c]) for r in some], f"{sweep}: {c}")
        at += 1
expect(at >= 12 and len(panels) - at <= 1, f"{at} of {len(panels)} panels")' "$work/dw_front_sports.csv" \
  >"$work/out" 2>"$work/err"
  check "its lines are those of the table"
  long=a_suspension_of_a_name_that_is_long
  cp "$work/dw_front_sports.csv" "$work/$long.csv"
  scripts/plot-kc -t "two corners" -o "$work/it.svg" "$work/$long.csv" "$work/ta_rear_sedan.csv" &&
    PYTHONDONTWRITEBYTECODE=1 python3 tests/common/svg.py "$work/it.svg" 'check_boxes(size, panels, boxes)' \
    >"$work/out" 2>"$work/err"
  check "its texts lie apart"
else
  for title in "its lines are those of the table" "its texts lie apart"; do skip "$title" "no python3"; done
fi
draw
refused 'no CSV given'
check "refused: no file"
draw "$work/nowhere.csv"
refused 'no such file'
check "refused: a missing file"
head -n 1 "$work/dw_front_sports.csv" >"$work/empty.csv"
draw "$work/empty.csv"
refused 'no rows'
check "refused: a file without rows"
printf 't_s,x_m\n0,1\n' >"$work/other.csv"
draw "$work/other.csv"
refused 'is it of vdsim-kc-sweep'
check "refused: a table of another tool"
draw -o "$work/it.gif" "$work/dw_front_sports.csv"
refused 'must end in .png, .svg or .pdf'
check "refused: another kind of picture"
all_well
