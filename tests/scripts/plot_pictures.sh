#!/bin/sh
# scripts/plot: its lines are those of the log, read back from the SVG by the numbers at its axes; every standard
# picture of a shipped manoeuvre is what scripts/plot-pictures declares, computed again from the log by
# tests/common/pictures.py, and agrees with its standard by tests/common/drawn.py; texts do not overlap, marks are at
# the values of the metrics, colours can be distinguished.
# Usage: tests/scripts/plot_pictures.sh VDSIM-RUN
# Reads scenarios/; writes a temporary folder. Skipped without gnuplot or python3.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
command -v gnuplot >/dev/null || { echo "1..0 # SKIP no gnuplot"; exit 0; }
command -v python3 >/dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
PATH=$(dirname "$exe"):$PATH
VDSIM_RUN=$exe PYTHONDONTWRITEBYTECODE=1
export PATH VDSIM_RUN PYTHONDONTWRITEBYTECODE

# NAME RUN SETS of each standard picture, from scripts/plot-pictures
pictures=$(awk -F ' *[|] *' '
  $1 == "picture" { sub(/.*\//, "", $6); sub(/ .*/, "", $3); print $2, $6, $3 }' scripts/plot-pictures)
number_of_pictures=$(printf '%s\n' "$pictures" | wc -l)
plan $((27 + 3 * number_of_pictures - 2))
look() { # PICTURE PROGRAM
  python3 "$top/tests/common/svg.py" "$@" >"$work/out" 2>"$work/err"
}

# --- any channel, in the units of the field ---
runs=$(awk -F ' *[|] *' '$1 == "picture" { print $6 }' scripts/plot-pictures | sort -u)
for run in $runs; do set -- "$@" "scenarios/$run.yaml"; done
shift
"$exe" -q -j 2 -o "$work" "$@" || exit 2
"$exe" -q -o "$work/one.csv" --set run.level=L1 scenarios/handling/step_steer.yaml || exit 2
cd "$work" || exit 2
scripts=$top/scripts
draw() { # OPTIONS AND LOGS...: without a word
  "$scripts/plot" "$@" >"$work/out" 2>"$work/err" && [ ! -s "$work/err" ] && [ ! -s "$work/out" ]
}

draw -o it.svg steering_wheel vx_mps ay 'fz_*_N' step_steer.csv && look it.svg '
c = table("step_steer.csv")
t = c("t_s")
expect(len(panels) == 4 and [len(p.plots) for p in panels] == [1, 1, 1, 4], [len(p.plots) for p in panels])
for p, (name, unit) in zip(panels, (("steering_wheel_rad", DEG), ("vx_mps", 1/3.6), ("ay_mps2", G))):
    same_line(p, p.plots[0], t, [v/unit for v in c(name)], name)
for plot, w in zip(panels[3].plots, ("fl", "fr", "rl", "rr")):
    same_line(panels[3], plot, t, [v/1000 for v in c(f"fz_{w}_N")], w)
for text in ("Steering wheel angle [deg]", "Speed [km/h]", "Lateral acceleration [g]", "Wheel load [kN]", "time [s]"):
    expect(text in texts, f"no {text} in {texts}")'
check "the lines are those of the log, in deg, km/h, g and kN"
look it.svg '
expect("ISO 7401 step steer to 4 m/s2, 100 km/h, saloon, L3" in texts and "saloon, L3" in texts, texts)
expect(any(t.startswith("half the steering angle at 1.05 s") for t in texts) and "steady window" in texts, texts)'
check "the title names manoeuvre, car and level; the instant of the step and the window of its metrics are marked"
draw --si --plain -o it.svg steering_wheel yaw_rate step_steer.csv && look it.svg '
c = table("step_steer.csv")
same_line(panels[0], panels[0].plots[0], c("t_s"), c("steering_wheel_rad"), "angle")
expect("steady window" not in texts and "Steering wheel angle [rad]" in texts and "Yaw rate [rad/s]" in texts, texts)'
check "--si draws rad and rad/s, --plain marks nothing"
for run in handling/step_steer stunt/jump_10; do
  "$exe" -q --exact -o exact "$top/scenarios/$run.yaml" &&
    "$exe" -q --exact -o field --set log.units=field "$top/scenarios/$run.yaml" || exit 2
done
: >differ
for picture in --manoeuvre --manoeuvre=overview 'yaw_rate ay vx roll'; do
  # shellcheck disable=SC2086 # words
  { draw -o si.svg $picture exact/step_steer.csv && draw -o it.svg $picture field/step_steer.csv &&
    cmp si.svg it.svg; } || echo "$picture" >>differ
done
draw --stunt -o si.svg exact/jump_10.csv && draw --stunt -o it.svg field/jump_10.csv && cmp si.svg it.svg &&
  [ ! -s differ ]
check "logs in SI and in the units of the field give the same pictures" "$work/differ"
draw -u 'vx=mph,yaw*=rad/s' -o it.svg vx yaw_rate ay step_steer.csv && look it.svg '
c = table("step_steer.csv")
same_line(panels[0], panels[0].plots[0], c("t_s"), [v/0.44704 for v in c("vx_mps")], "mph")
same_line(panels[1], panels[1].plots[0], c("t_s"), c("yaw_rate_radps"), "rad/s")
same_line(panels[2], panels[2].plots[0], c("t_s"), [v/G for v in c("ay_mps2")], "g")'
check "-u gives channels other units, by name and glob"
draw -w 1:2 --ylim=0:10, -o it.svg yaw_rate ay step_steer.csv && look it.svg '
c = table("step_steer.csv")
inside = [i for i, t in enumerate(c("t_s")) if 1 - 1e-9 <= t <= 2 + 1e-9]
y = panels[0].frame[3], panels[0].frame[1]
value = panels[0].scale("y")[0]
expect(abs(value(y[0])) < 0.05 and abs(value(y[1]) - 10) < 0.05, "limits")
same_line(panels[1], panels[1].plots[0], [c("t_s")[i] for i in inside], [c("ay_mps2")[i]/G for i in inside], "window")'
check "-w draws a part of the time, --ylim limits an axis"
draw -x x_m -o it.svg y_m step_steer.csv && look it.svg '
c = table("step_steer.csv")
same_line(panels[0], panels[0].plots[0], c("x_m"), c("y_m"), "path")
expect(abs(panels[0].scale("x")[1] + panels[0].scale("y")[1]) < 1e-3*panels[0].scale("x")[1], "scales differ")'
check "a path has one scale"
draw -x steering_wheel -o it.svg yaw_rate step_steer.csv && look it.svg '
c = table("step_steer.csv")
same_line(panels[0], panels[0].plots[0], [v/DEG for v in c("steering_wheel_rad")], [v/DEG for v in c("yaw_rate_radps")],
    "cross plot")'
check "one channel over another"
draw -d -l 'two tracks,one track' -o it.svg yaw_rate step_steer.csv one.csv && look it.svg '
a, b = table("step_steer.csv"), table("one.csv")
same_line(panels[0], panels[0].plots[0], a("t_s"), [v/DEG for v in a("yaw_rate_radps")], "first")
same_line(panels[0], panels[0].plots[1], b("t_s"), [v/DEG for v in b("yaw_rate_radps")], "second")
expect(a("t_s") == b("t_s"), "rows differ")
same_line(panels[1], panels[1].plots[0], a("t_s"),
    [(v - u)/DEG for u, v in zip(a("yaw_rate_radps"), b("yaw_rate_radps"))], "difference")
expect("two tracks" in texts and "one track" in texts and "Yaw rate, less that of two tracks [deg/s]" in texts, texts)'
check "two runs with their labels, and the difference"
awk -F , 'NR == 1 || NR % 3 == 2' one.csv >third.csv
draw -d -o it.svg yaw_rate step_steer.csv third.csv && look it.svg '
a, b = table("step_steer.csv"), table("third.csv")
of = dict(zip(a("t_s"), a("yaw_rate_radps")))
same_line(panels[1], panels[1].plots[0], b("t_s"), [(v - of[t])/DEG for t, v in zip(b("t_s"), b("yaw_rate_radps"))],
    "difference")'
check "the difference of logs with other rows is that at the same time"
"$scripts/plot" -o it.svg vx - <step_steer.csv >out 2>err && [ ! -s err ] && look it.svg '
c = table("step_steer.csv")
same_line(panels[0], panels[0].plots[0], c("t_s"), [3.6*v for v in c("vx_mps")], "vx")'
check "LOG - is standard input"
for ending in png pdf; do draw -s 900x500 -o "it.$ending" vx ay step_steer.csv || echo "$ending" >>err; done
[ ! -s err ] && [ "$(size_of it.png)" = "900 500" ] && grep -aq 'MediaBox \[ *0 0 900 500 *\]' it.pdf &&
  draw -s 390 -o it.png vx step_steer.csv &&
  [ "$(size_of it.png | cut -d ' ' -f 1)" = 390 ]
check "PNG and PDF have the size of -s"
cp one.csv other.csv && sed 's/^rows: .*/rows: 17/' step_steer.provenance.yaml >other.provenance.yaml &&
  cp step_steer.resolved.yaml other.resolved.yaml
draw -o it.svg vx other.csv && look it.svg 'expect("other" in texts and not any("ISO" in t for t in texts), texts)'
check "files of another run beside a log count for nothing"

# --- standard pictures ---
chosen() { # NAME LOG: the picture is the one that --manoeuvre takes by itself
  draw --manoeuvre -o auto.svg "$2" && cmp auto.svg "$1.svg" >out 2>err && draw --manoeuvre -o it.png "$2" &&
    [ "$(size_of it.png | cut -d ' ' -f 1)" = 1100 ]
}
while read -r name run sets; do
  if [ "$name" = stunt ]; then
    draw --manoeuvre -o it.svg "$run.csv" && look it.svg 'check_boxes(size, panels, boxes)' &&
      grep -q '>in the air<' it.svg && grep -q '>jump' it.svg
    check "a stunt is drawn from the side and from above, with its title"
    continue
  fi
  draw "--manoeuvre=$name" -o "$name.svg" "$run.csv" &&
    look "$name.svg" 'expect(panels and all(p.plots for p in panels), len(panels)); check_boxes(size, panels, boxes)' &&
    draw "--manoeuvre=$name" -s 390 -o it.svg "$run.csv" && look it.svg 'check_boxes(size, panels, boxes)' &&
    { [ "$sets" = '*' ] || chosen "$name" "$run.csv"; }
  if [ "$sets" = '*' ]; then by="of any run"; else by="chosen by the sets of the run"; fi
  check "$name of $run, $by, its texts apart at 1100 and at 390 pixels"
  # a response has no rows in plot-pictures
  [ "$name" = response ] ||
    look "$name.svg" "from pictures import declared; declared('$name', '$run.csv', '$name.svg', panels, boxes)"
  check "$name: units, lines, areas, marks and figures are what plot-pictures declares, computed again from the log"
  look "$name.svg" "import drawn; getattr(drawn, '$name')(drawn.Picture(panels, '$run'))"
  check "$name: what is drawn is so by physics and by the standard"
done <<END
$pictures
END

look dwell.svg '
c, m = table("sine_with_dwell.csv"), metrics("sine_with_dwell.metrics.csv")
p = panels[-1]
rows = [i for i, t in enumerate(c("t_s")) if m["swd_begin_s"] <= t < m["swd_begin_s"] + 1.5]
t = [c("t_s")[i] - m["swd_begin_s"] for i in rows]
v, s = [0.0], [0.0]
for k in range(1, len(rows)):
    v.append(v[-1] + (t[k] - t[k - 1])*(c("ay_mps2")[rows[k]] + c("ay_mps2")[rows[k - 1]])/2)
    s.append(s[-1] + (t[k] - t[k - 1])*(v[k] + v[k - 1])/2)
same_line(p, p.plots[0], t, s, "displacement")
x = p.scale("x")[0](p.plots[1].points[0][0])
y = p.scale("y")[0](p.plots[1].points[0][1])
# rows of 100 Hz against 1 kHz, without the filter of the metric
expect(abs(x - 1.07) < 1e-3 and abs(y/m["swd_displacement_m"] - 1) < 0.02, (x, y, m["swd_displacement_m"]))'
check "sine with dwell: the displacement is ay integrated twice, its mark where the metric says"
look free_steer.svg '
c, m = table("free_steer.csv"), metrics("free_steer.metrics.csv")
rows = [i for i, t in enumerate(c("t_s")) if t > m["free_steer_time_s"] - 1]
t = [c("t_s")[i] - m["free_steer_time_s"] for i in rows]
same_line(panels[0], panels[0].plots[0], t, [c("steering_wheel_rad")[i]/DEG for i in rows], "angle")
same_line(panels[1], panels[1].plots[0], t, [c("yaw_rate_radps")[i]/DEG for i in rows], "yaw rate")
value = panels[1].scale("y")[0]
left = m["free_steer_yaw_rate_residual"]*m["free_steer_yaw_rate_radps"]
levels = [pairs(d) for d in re.findall(r"stroke=.rgb\( 96,  96,  96\). stroke-dasharray=[^ ]* *d=.(M[^Z\x27]*)",
        open("free_steer.svg").read())]
y = [q[1] for d in levels for q in d if inside(panels[1].frame, q)]
expect(len(y) == 2 and max(abs(value(v) - left/DEG) for v in y) < 0.02,
    f"left {left/DEG}, drawn at {[value(v) for v in y]}")
# at the return the difference of the yaw rate from its residual is 10 % of that before the release
x, y = panels[1].plots[1].points[0]
expect(abs(panels[1].scale("x")[0](x) - m["free_steer_return_time_s"]) < 1e-3, "return")
expect(abs(abs(value(y) - left/DEG)/(0.1*m["free_steer_yaw_rate_radps"]/DEG) - 1) < 0.02, "yaw rate at the return")'
check "free steer: the lines from a second before the release on, what is left, and the return at 10 %"
look crosswind.svg '
c, m = table("crosswind.csv"), metrics("crosswind.metrics.csv")
rows = [i for i, t in enumerate(c("t_s")) if t > m["crosswind_entry_s"] - 0.5]
t = [c("t_s")[i] - m["crosswind_entry_s"] for i in rows]
same_line(panels[0], panels[0].plots[0], t, [c("yaw_rate_radps")[i]/DEG for i in rows], "yaw rate")
point_at(panels[0], panels[0].plots[1], m["crosswind_yaw_rate_peak_time_s"], m["crosswind_yaw_rate_peak_radps"]/DEG,
    "peak of the yaw rate")
point_at(panels[1], panels[1].plots[1], m["crosswind_ay_peak_time_s"], m["crosswind_ay_peak_mps2"]/G, "peak of ay")
# the car drives along x until the wind
same_line(panels[2], panels[2].plots[0], t, [c("y_m")[i] for i in rows], "deviation")
for plot, after in ((1, 1), (2, 2)):
    point_at(panels[2], panels[2].plots[plot], after, m[f"crosswind_deviation_{after}s_m"],
        f"deviation after {after} s")
point_at(panels[3], panels[3].plots[1], 2, m["crosswind_heading_2s_rad"]/DEG, "turn after 2 s")
expect(len(panels) == 6, "the steering wheel is held: no panel")'
check "crosswind: peaks, deviation and turn where the metrics say"
look acceleration.svg '
c, m = table("zero_to_100.csv"), metrics("zero_to_100.metrics.csv")
same_line(panels[0], panels[0].plots[0], c("t_s"), [3.6*v for v in c("vx_mps")], "speed")
point_at(panels[0], panels[0].plots[1], m["acceleration_time_s"], 100, "100 km/h")
same_line(panels[1], panels[1].plots[0], c("t_s"), c("distance_m"), "distance")
(x, y), = panels[1].plots[1].points
expect(abs(panels[1].scale("x")[0](x) - m["acceleration_time_s"]) < 0.02
    and abs(panels[1].scale("y")[0](y) - m["acceleration_distance_m"]) < 0.4, "distance at 100 km/h")
same_line(panels[3], panels[3].plots[0], c("t_s"), [v*30/math.pi for v in c("motor_speed_radps")], "motor")'
check "acceleration: speed and distance with the instant at which the speed is reached"
mkdir flying && "$exe" -q -o flying --set metrics.from_speed="80 km/h" --set metrics.to_speed="120 km/h" \
  "$top/scenarios/road/zero_to_100.yaml" &&
  draw --manoeuvre -o it.svg flying/zero_to_100.csv && look it.svg '
c, m = table("flying/zero_to_100.csv"), metrics("flying/zero_to_100.metrics.csv")
x = panels[0].scale("x")[0]
first, last = panels[0].plots[0].lines[0][0], panels[0].plots[0].lines[-1][-1]
# it begins at the first row behind the last one at 80 km/h, and the run ends at 14 s
after = [v for t, v in zip(c("t_s"), c("vx_mps")) if 14 - t <= x(last[0]) + 1e-3]
expect(0 <= x(first[0]) < 0.02 and 80/3.6 <= after[0] < 80.5/3.6 and min(after) >= 80/3.6 - 1e-9,
    (x(first[0]), after[:3]))
point_at(panels[0], panels[0].plots[1], m["acceleration_time_s"], 120, "120 km/h")'
check "acceleration of a car that rolls: from the last instant at its first speed"
look tyres.svg '
curve = [q for q in panels[0].plots if q.colour == (144, 144, 144)]
expect(len(curve) == 1 and len(curve[0].lines) == 2, "two curves of the tyre")
# in a quasi-steady lane change the forces are between the curves of least and greatest load
low, high = curve[0].lines
for q in panels[0].plots:
    for x, y in (point for line in q.lines for point in line):
        edges = [max(l, key=lambda point: -abs(point[0] - x))[1] for l in (low, high)]
        expect(min(edges) - 6 < y < max(edges) + 6, (x, y, edges))'
check "tyres: the forces lie between the curves at the least and the greatest load"

# --- long names, colours, refusals ---
long=a_name_of_a_run_that_is_far_too_long_for_any_picture_of_a_report_and_even_for_two_of_them_side_by_side
mkdir -p "$long" && cp step_steer.csv "$long/$long.csv" && cp one.csv "$long-2.csv"
long_names() { # WIDTH
  draw -s "$1" -t "A title that is longer than any picture is wide, with WORDS IN CAPITALS, and $long$long" \
    -o it.svg vx_mps,vy_mps,yaw_rate_radps \
    'drive_torque_*' "$long/$long.csv" "$long-2.csv" "$long/$long.csv" &&
    look it.svg 'check_boxes(size, panels, boxes)' && grep -q '…<' it.svg
}
long_names 390 && long_names 1100
check "long names are wrapped or cut, and do not overlap"
draw -o it.svg vx,vy,ax_mps2,ay,roll step_steer.csv && cp it.svg five.svg &&
  draw -o it.svg vx step_steer.csv one.csv third.csv other.csv step_steer.csv &&
  look it.svg '
# Vienot, Brettel, Mollon 1999: colours as protanopes and deuteranopes see them, from linear RGB; then L*, a*, b* of CIE
# 1976 under D65.
SEEN = {"protanope": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
        "deuteranope": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
        "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1))}
linear = lambda v: v/12.92 if v <= 0.04045 else ((v + 0.055)/1.055)**2.4
def lab(rgb, how):
    c = [linear(v/255) for v in rgb]
    r, g, b = (max(0, sum(k*v for k, v in zip(row, c))) for row in SEEN[how])
    xyz = ((0.4124*r + 0.3576*g + 0.1805*b)/0.9505, 0.2126*r + 0.7152*g + 0.0722*b,
           (0.0193*r + 0.1192*g + 0.9505*b)/1.089)
    f = [v**(1/3) if v > 0.008856 else 7.787*v + 16/116 for v in xyz]
    return 116*f[1] - 16, 500*(f[0] - f[1]), 200*(f[1] - f[2])
for name in ("it.svg", "five.svg"):
    plots = read(name)[1][0].plots
    expect(len(plots) == 5, f"{name}: {len(plots)} lines")
    for i, a in enumerate(plots):
        for b in plots[:i]:
            for how in SEEN: # 2.3 can just be seen side by side; thin lines need several times that
                expect(math.dist(lab(a.colour, how), lab(b.colour, how)) > 10,
                    f"{name}: {how}: {a.colour} and {b.colour}")
            expect(a.dash != b.dash, f"{name}: {a.colour} and {b.colour} have one dash: {a.dash}")
work = read("energy.svg")[1][1].plots
expect(len(work) > 3, "areas of works")
for a, b in zip(work, work[1:]): # in print side by side
    expect(abs(lab(a.colour, "all")[0] - lab(b.colour, "all")[0]) > 10, f"grey of {a.colour} and {b.colour}")'
check "lines differ in colour for the colour-blind and in dash for print, areas side by side in grey"
refused() { # WORDS ARGUMENTS...
  words=$1
  shift
  rm -f no.svg
  "$scripts/plot" -o no.svg "$@" >out 2>err
  [ $? -eq 2 ] && [ ! -s out ] && [ ! -e no.svg ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q "^plot: .*$words" err && return
  sed 's/^/# /' err
  return 1
}
refused "no column 'yaw_rat' in step_steer.csv; did you mean yaw_rad, yaw_rate_radps or yaw_rate_error_radps?" \
  yaw_rat step_steer.csv &&
  refused "no column matches 'fzz\*' in step_steer.csv; did you mean" 'fzz*' step_steer.csv
check "refused: an unknown channel, with three near ones"
refused "'yaw_rate_radps' is in rad/s, not in 'km/h'; it can be shown in rad/s, deg/s, 1/min" \
  -u yaw_rate=km/h yaw_rate step_steer.csv &&
  refused "'yaw_rate_radps' is in rad/s, not in 'turns'" -u yaw_rate=turns yaw_rate step_steer.csv &&
  refused "no such channel is drawn" -u roll=rad yaw_rate step_steer.csv &&
  refused "CHANNEL=UNIT" -u roll yaw_rate step_steer.csv
check "refused: a unit of another kind, or of another channel"
refused "FROM:TO" -w 1,5:2 vx step_steer.csv && refused "no rows between 8 and 9 s" -w 8:9 vx step_steer.csv &&
  refused "WIDTH" -s 40 vx step_steer.csv && refused "no room" -s 900x100 vx vy step_steer.csv &&
  refused "unknown option --many" --many vx step_steer.csv
check "refused: limits, sizes and options that make no sense"
refused "no picture 'weaving'; there are handling, " --manoeuvre=weaving step_steer.csv &&
  refused "takes no channels" --manoeuvre vx step_steer.csv &&
  refused "are for channels" -d --manoeuvre step_steer.csv &&
  refused "is it a frequency response" --manoeuvre=response step_steer.csv
check "refused: an unknown picture, channels of a standard one, a response that was not made"
"$scripts/plot" --list >out 2>err && [ "$(grep -c '^[a-z]' out)" -eq "$number_of_pictures" ] &&
  grep -q '^handling  *handling diagram' out
check "--list names the standard pictures"
"$scripts/plot" --manoeuvre=all -o every.svg lane_change_80_l3.csv >out 2>err && [ ! -s err ] &&
  [ "$(printf '%s\n' every-*.svg | wc -l)" -eq 7 ] &&
  cmp -s every-lane_change.svg lane_change.svg && cmp -s every-energy.svg energy.svg
check "all pictures of a run"
all_well
