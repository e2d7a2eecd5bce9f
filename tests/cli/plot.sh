#!/bin/sh
# vdsim-plot: lines agree with the log; they are read back from the SVG by the numbers at its axes. Standard pictures of
# shipped manoeuvres agree with cli/pictures.txt, computed again from the log by tests/common/pictures.py, and with
# their standards, by hand in tests/common/drawn.py. Texts do not overlap, marks agree with the metrics, colours can be
# told apart. Also pictures of suspensions, tyre rigs and fits, and refused options.
# Usage: tests/cli/plot.sh VDSIM-RUN    (the other tools are beside it)
# Reads scenarios/; writes a temporary folder. Skipped without python3. PNG and PDF need rsvg-convert.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
need_python
plot=$(dirname "$exe")/vdsim-plot sweep=$(dirname "$exe")/vdsim-kc-sweep
command -v rsvg-convert >/dev/null && raster=yes || raster=
VDSIM_RUN=$exe
export VDSIM_RUN

# NAME RUN SETS of each standard picture, as the table has them; a part for each commit
awk -F ' *[|] *' '
  $1 == "picture" && $2 != "stunt" { sub(/ .*/, "", $3); print $2, $6, $3 }' cli/pictures.txt >"$work/all"
sample 2 <"$work/all" >"$work/pictures"
number_of_pictures=$(awk 'END { print NR }' "$work/pictures")
plan $((57 + 3 * number_of_pictures))
look() { # PICTURE PROGRAM
  python3 "$top/tests/common/svg.py" "$@" >"$work/out" 2>"$work/err"
}

# --- any channel, in the units of the field ---
set -- scenarios/handling/step_steer.yaml scenarios/iso/lane_change_80_l3.yaml
cut -d ' ' -f 2 "$work/pictures" | grep -vx -e handling/step_steer -e iso/lane_change_80_l3 | sort -u >"$work/runs"
while read -r run; do set -- "$@" "scenarios/$run.yaml"; done <"$work/runs"
"$exe" -q -j 2 -o "$work" "$@" || exit 2
"$exe" -q -o "$work/one.csv" --set run.level=L1 scenarios/handling/step_steer.yaml || exit 2
cd "$work" || exit 2
draw() { # OPTIONS AND LOGS...: draws without messages
  "$plot" "$@" >"$work/out" 2>"$work/err" && [ ! -s "$work/err" ] && [ ! -s "$work/out" ]
}

draw -o it.svg steering_wheel vx_mps ay 'fz_*_N' step_steer.csv && look it.svg '
c = table("step_steer.csv")
t = c("t_s")
expect(len(panels) == 4 and [len(p.plots) for p in panels] == [1, 1, 1, 4], [len(p.plots) for p in panels])
for p, (name, unit) in zip(panels, (("steering_wheel_rad", DEG), ("vx_mps", 1/3.6), ("ay_mps2", G))):
    same_line(p, p.plots[0], t, [v/unit for v in c(name)], name)
for plot, w in zip(panels[3].plots, ("fl", "fr", "rl", "rr")):
    same_line(panels[3], plot, t, [v/1000 for v in c(f"fz_{w}_N")], w)
for text in ("Steering wheel angle, deg", "Speed, km/h", "Lateral acceleration, g", "Wheel load, kN", "time, s"):
    expect(text in texts, f"no {text} in {texts}")'
check "the lines agree with the log, in deg, km/h, g and kN"
look it.svg '
expect("ISO 7401 step steer to 4 m/s2, 100 km/h, saloon, L3" in texts and "saloon, L3" in texts, texts)
expect(any(t.startswith("half the steering angle at 1.05 s") for t in texts) and "steady window" in texts, texts)'
check "the title names manoeuvre, car and level; the instant of the step and the window of its metrics are marked"
draw --si --plain -o it.svg steering_wheel yaw_rate step_steer.csv && look it.svg '
c = table("step_steer.csv")
same_line(panels[0], panels[0].plots[0], c("t_s"), c("steering_wheel_rad"), "angle")
expect("steady window" not in texts and "Steering wheel angle, rad" in texts and "Yaw rate, rad/s" in texts, texts)'
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
draw --manoeuvre=stunt -o si.svg exact/jump_10.csv && draw --manoeuvre=stunt -o it.svg field/jump_10.csv &&
  cmp si.svg it.svg &&
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
check "the axes of a path have one scale"
draw -x steering_wheel -o it.svg yaw_rate step_steer.csv && look it.svg '
c = table("step_steer.csv")
same_line(panels[0], panels[0].plots[0], [v/DEG for v in c("steering_wheel_rad")], [v/DEG for v in c("yaw_rate_radps")],
    "cross plot")'
check "-x draws one channel over another"
draw -d -l 'two tracks,one track' -o it.svg yaw_rate step_steer.csv one.csv && look it.svg '
a, b = table("step_steer.csv"), table("one.csv")
same_line(panels[0], panels[0].plots[0], a("t_s"), [v/DEG for v in a("yaw_rate_radps")], "first")
same_line(panels[0], panels[0].plots[1], b("t_s"), [v/DEG for v in b("yaw_rate_radps")], "second")
expect(a("t_s") == b("t_s"), "rows differ")
same_line(panels[1], panels[1].plots[0], a("t_s"),
    [(v - u)/DEG for u, v in zip(a("yaw_rate_radps"), b("yaw_rate_radps"))], "difference")
expect("two tracks" in texts and "one track" in texts and "Yaw rate minus that of two tracks, deg/s" in texts, texts)'
check "vdsim-plot draws two runs with their labels, and their difference"
awk 'BEGIN { print "cost,error"; for (k = 1; k < 8; k++) print 2^k "," 3*2^(-4*k) }' >order.csv
draw --log -x cost -o it.svg error order.csv && look it.svg '
c = table("order.csv")
p = panels[0]
p.log = p.log_y = True
same_line(p, p.plots[0], c("cost"), c("error"), "error")
(x0, y0), (x1, y1) = p.plots[0].lines[0][0], p.plots[0].lines[0][-1]
# one straight line on logarithmic axes: a power of the fourth order
expect(all(abs((x - x0)*(y1 - y0) - (y - y0)*(x1 - x0)) < 0.1*math.hypot(x1 - x0, y1 - y0)
    for x, y in p.plots[0].lines[0]), "not straight")
check_boxes(size, panels, boxes)'
check "--log draws a power as a straight line"
draw -y vx,ay -o it.svg step_steer.csv && draw -o same.svg vx,ay step_steer.csv && cmp it.svg same.svg
check "-y draws a panel as an argument does"
awk -F , 'NR == 1 || NR % 3 == 2' one.csv >third.csv
draw -d -o it.svg yaw_rate step_steer.csv third.csv && look it.svg '
a, b = table("step_steer.csv"), table("third.csv")
of = dict(zip(a("t_s"), a("yaw_rate_radps")))
same_line(panels[1], panels[1].plots[0], b("t_s"), [(v - of[t])/DEG for t, v in zip(b("t_s"), b("yaw_rate_radps"))],
    "difference")'
check "the difference of logs with other rows is taken at equal times"
"$plot" -o it.svg vx - <step_steer.csv >out 2>err && [ ! -s err ] && look it.svg '
c = table("step_steer.csv")
same_line(panels[0], panels[0].plots[0], c("t_s"), [3.6*v for v in c("vx_mps")], "vx")'
check "LOG - is standard input"
if [ "$raster" ]; then
  for ending in png pdf; do draw -s 900x500 -o "it.$ending" vx ay step_steer.csv || echo "$ending" >>err; done
  [ ! -s err ] && [ "$(size_of it.png)" = "900 500" ] && grep -aq 'MediaBox \[ *0 0 900 500 *\]' it.pdf &&
    draw -s 390 -o it.png vx step_steer.csv &&
    [ "$(size_of it.png | cut -d ' ' -f 1)" = 390 ]
  check "PNG and PDF have the size of -s"
else
  skip "PNG and PDF have the size of -s" "no rsvg-convert"
fi
cp one.csv other.csv && sed 's/^rows: .*/rows: 17/' step_steer.provenance.yaml >other.provenance.yaml &&
  cp step_steer.resolved.yaml other.resolved.yaml
draw -o it.svg vx other.csv && look it.svg 'expect("other" in texts and not any("ISO" in t for t in texts), texts)'
check "files of another run beside a log are ignored"

# --- standard pictures ---
chosen() { # NAME LOG: whether --manoeuvre without a name draws this picture
  draw --manoeuvre -o auto.svg "$2" && cmp auto.svg "$1.svg" >out 2>err
}
while read -r name run sets; do
  run=${run##*/}
  if [ "$sets" = '*' ]; then by="of any run"; else by="chosen by the sets of the run"; fi
  draw "--manoeuvre=$name" -o "$name.svg" "$run.csv" &&
    look "$name.svg" 'expect(panels and all(p.plots for p in panels), len(panels)); check_boxes(size, panels, boxes)' &&
    draw "--manoeuvre=$name" -s 390 -o it.svg "$run.csv" &&
    look it.svg 'check_boxes(size, panels, boxes)' &&
    { [ "$sets" = '*' ] || chosen "$name" "$run.csv"; }
  check "$name of $run, $by, its texts apart at 1100 and at 390 pixels"
  # a response has no rows in the table
  [ "$name" = response ] ||
    look "$name.svg" "from pictures import declared; declared('$name', '$run.csv', panels, boxes)"
  check "$name: units, lines, areas, marks and figures agree with the table, computed again from the log"
  look "$name.svg" "import drawn; getattr(drawn, '$name')(drawn.Picture(panels, '$run'))"
  check "$name: the picture agrees with physics and with the standard"
done <"$work/pictures"

mkdir flying && "$exe" -q -o flying --set metrics.from_speed="80 km/h" --set metrics.to_speed="120 km/h" \
  "$top/scenarios/road/zero_to_100.yaml" &&
  draw --manoeuvre -o it.svg flying/zero_to_100.csv && look it.svg '
c, m = table("flying/zero_to_100.csv"), metrics("flying/zero_to_100.metrics.csv")
x = panels[0].scale("x")[0]
first, last = panels[0].plots[0].lines[0][0], panels[0].plots[0].lines[-1][-1]
# the picture begins at the first row after the last row at 80 km/h, and the run ends at 14 s
after = [v for t, v in zip(c("t_s"), c("vx_mps")) if 14 - t <= x(last[0]) + 1e-3]
expect(0 <= x(first[0]) < 0.02 and 80/3.6 <= after[0] < 80.5/3.6 and min(after) >= 80/3.6 - 1e-9,
    (x(first[0]), after[:3]))
point_at(panels[0], panels[0].plots[1], m["acceleration_time_s"], 120, "120 km/h")'
check "acceleration of a car that rolls: from the last instant at its first speed"
"$exe" -q --rate 10 -o sparse "$top/scenarios/iso/lane_change_80_l3.yaml" &&
  draw --manoeuvre=lane_change -o every.svg lane_change_80_l3.csv &&
  draw --manoeuvre=lane_change -o it.svg sparse/lane_change_80_l3.csv && look it.svg '
def hits(p): # m
    x, y = p.scale("x")[0], p.scale("y")[0]
    return sorted((x(q[0]), y(q[1])) for plot in p.plots if plot.kind == "hits" for q in plot.points)
there, here = hits(read("every.svg")[1][0]), hits(panels[0])
expect(len(there) == metrics("sparse/lane_change_80_l3.metrics.csv")["cone_hits"] > 0, there)
expect(len(here) == len(there) and all(math.dist(a, b) < 0.05 for a, b in zip(there, here)), (there, here))'
check "the crosses of a lane change agree with the hits in the metrics, also with few rows"
draw --manoeuvre=loads -l 'two tracks,one track' -o it.svg step_steer.csv one.csv && look it.svg '
check_boxes(size, panels, boxes)
titles = [p.title for p in panels]
expect(titles[:2] == [f"Wheel loads, stacked: {n}, kN" for n in ("two tracks", "one track")], titles)
for p, name in zip(panels, ("step_steer.csv", "one.csv")):
    c, y = table(name), p.scale("y")[0]
    tops = [max(y(q[1]) for q in polygon) for plot in p.plots for polygon in plot.polygons]
    total = max(sum(c(f"fz_{w}_N")[i] for w in ("fl", "fr", "rl", "rr")) for i in range(len(c("t_s"))))
    expect(abs(max(tops) - total/1000) < 0.02, f"{name}: {max(tops)} of {total}")'
check "areas of several runs have a panel for each run"
"$exe" -q -o lone.csv "$top/scenarios/handling/step_steer.yaml" &&
  ! "$plot" --manoeuvre=step -o no.svg lone.csv >out 2>err && [ ! -e no.svg ] &&
  grep -q "metrics of the run are not beside it.*'vdsim-run -o FOLDER' writes both" err
check "a picture that needs metrics gives a message without them"
# --- axes and signs ---
cat >turns.py <<'END'
"""Checks that each arc of a drawing turns by the right-hand rule: about an axis that points to the reader it turns
anticlockwise. The table has for each drawing its axes to the right and upwards, and the axes of its arcs."""
import re, sys
SIGN = {s + a: [int(s + "1") * (k == n) for n in range(3)] for s in "+-" for k, a in enumerate("xyz")}
VIEWS = [("Car from above", "+x +y", "+z +z +z"), ("Car from behind", "-y +z", "+x"),
         ("Car from the right", "+x +z", "+y"), ("Tyre from above", "+x +y", "+z +z"),
         ("Tyre from behind", "-y +z", "+x +x"),
         # positive camber of the left wheel: top outward; positive toe of both wheels: front inward
         ("Left wheel from behind", "-y +z", "-x +x"), ("Wheel from the right", "+x +z", "-y"),
         ("Front wheels from above", "-y +x", "-z +z"),
         ("Steering wheel from the seat", "-y +z", "-x"),
         # a slope uphill turns the road's x upwards, about -y; with the left side up it rolls about x
         ("Road from the right", "+x +z", "-y"), ("Road from behind", "-y +z", "+x"),
         ("Body in space, L5", "+x +y", "")]
text = open(sys.argv[1], encoding="utf-8").read()
panels = re.findall(r"<g transform.*?</g>", text, re.S)
assert len(panels) == len(VIEWS), len(panels)
for panel, (title, page, about) in zip(panels, VIEWS):
    assert re.search('class="title"[^>]*>([^<]*)<', panel)[1] == title, panel[:200]
    (a, b, c), (d, e, f) = (SIGN[axis] for axis in page.split())
    reader = [b * f - c * e, c * d - a * f, a * e - b * d]
    arcs = re.findall(r'class="run h3[^"]*" d="M([^"]*)"', panel)[::2]  # between them are the heads of the arrows
    assert len(arcs) == len(about.split()), (title, arcs)
    for arc, axis in zip(arcs, about.split()):
        p = [tuple(map(float, q.split())) for q in arc.split("L")]
        (x0, y0), (x1, y1), (x2, y2) = p[0], p[len(p) // 2], p[-1]
        turn = -((x1 - x0) * (y2 - y1) - (x2 - x1) * (y1 - y0))  # y of the page is downwards
        assert turn * sum(u * v for u, v in zip(SIGN[axis], reader)) > 0, (title, axis, turn)
END
draw --axes -o axes.svg && python3 turns.py axes.svg >out 2>err
check "drawings of the axes turn by the right-hand rule"
! "$plot" --axes step_steer.csv >out 2>err && grep -q -e '--axes takes no logs' err
check "the axes are drawn without a log"
# --- long names, colours, refused options ---
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
  draw --manoeuvre=energy -o areas.svg lane_change_80_l3.csv && look it.svg '
# Vienot, Brettel, Mollon 1999: the linear RGB that protanopes and deuteranopes see; then L*, a*, b* of CIE 1976 under
# D65.
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
            for how in SEEN: # a difference of 2.3 can just be seen side by side; thin lines need several times more
                expect(math.dist(lab(a.colour, how), lab(b.colour, how)) > 10,
                    f"{name}: {how}: {a.colour} and {b.colour}")
            expect(a.dash != b.dash, f"{name}: {a.colour} and {b.colour} have one dash: {a.dash}")
work = read("areas.svg")[1][1].plots
expect(len(work) > 3, "areas of works")
for a, b in zip(work, work[1:]): # in print side by side
    expect(abs(lab(a.colour, "all")[0] - lab(b.colour, "all")[0]) > 10, f"grey of {a.colour} and {b.colour}")'
check "lines differ in colour for the colour-blind and in dash for print, areas side by side in grey"
refused() { # WORDS ARGUMENTS...
  words=$1
  shift
  rm -f no.svg
  "$plot" -o no.svg "$@" >out 2>err
  [ $? -eq 2 ] && [ ! -s out ] && [ ! -e no.svg ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q "^vdsim-plot: error: .*$words" err && return
  sed 's/^/# /' err
  return 1
}
refused "no column 'yaw_rat' in step_steer.csv; did you mean 'yaw_rad'?" \
  yaw_rat step_steer.csv &&
  refused "no column matches 'fzz\*' in step_steer.csv" 'fzz*' step_steer.csv
check "refused: an unknown channel, with a near one"
refused "'yaw_rate_radps' is in rad/s, not in 'km/h'; it can be shown in rad/s, deg/s, rpm" \
  -u yaw_rate=km/h yaw_rate step_steer.csv &&
  refused "'yaw_rate_radps' is in rad/s, not in 'turns'" -u yaw_rate=turns yaw_rate step_steer.csv &&
  refused "no such channel is drawn" -u roll=rad yaw_rate step_steer.csv &&
  refused "CHANNEL=UNIT" -u roll yaw_rate step_steer.csv
check "refused: a unit of another kind, or of another channel"
refused "FROM:TO" -w 1,5:2 vx step_steer.csv && refused "no rows between 8 and 9 s" -w 8:9 vx step_steer.csv &&
  refused "WIDTH" -s 40 vx step_steer.csv && refused "no room" -s 900x100 vx vy step_steer.csv &&
  refused "unknown option '--many'" --many vx step_steer.csv
check "refused: limits, sizes and options that make no sense"
refused "no picture 'weav'; did you mean 'weave'?" --manoeuvre=weav step_steer.csv &&
  refused "takes no channels" --manoeuvre vx step_steer.csv &&
  refused "are for channels" -d --manoeuvre step_steer.csv &&
  refused "is it a frequency response" --manoeuvre=response step_steer.csv
check "refused: an unknown picture, channels of a standard one, a response that was not made"
"$plot" --list >out 2>err && [ "$(grep -c '^[a-z]' out)" -eq "$(awk 'END { print NR + 1 }' all)" ] &&
  grep -q '^handling  *handling diagram' out
check "--list names the standard pictures"
# the pictures of the scripts that vdsim-plot has replaced
old='handling increasing step response lane_change weave transition dwell brake_turn split braking power_off rollover
  sine free_steer crosswind acceleration ride stunt overview path gg loads energy tyres'
"$plot" --list | awk '/^[a-z]/ { print $1 }' | sort >names
# shellcheck disable=SC2086 # words
printf '%s\n' $old | sort | comm -23 - names >missing
{ "$plot" --tyre=no -o no.svg step_steer.csv; "$plot" --study=no -o no.svg step_steer.csv; } 2>kinds
for kind in fy fx ellipse mz gough transient time scatter tornado histogram surface; do
  grep -q "there are .*\<$kind\>" kinds || echo "$kind"
done >>missing
for name in kc tyre fit stunt study; do
  ln -s "$plot" "vdsim-plot-$name" && ! "./vdsim-plot-$name" no.csv >out 2>err || echo "vdsim-plot-$name"
  grep -q '^vdsim-plot: error: no channel' err && echo "vdsim-plot-$name asks for channels"
done >>missing
[ ! -s missing ]
check "every picture of the former scripts exists under its old name" missing
"$plot" --list --json >out 2>err && python3 -c '
import json
all = json.load(open("out"))
assert {"picture", "shows", "sets", "scenario"} == set(all[0])
assert "handling" in [one["picture"] for one in all]' >>err 2>&1
check "--list --json prints the pictures as JSON" out err
"$plot" --manoeuvre=all -o every.svg lane_change_80_l3.csv >out 2>err && [ ! -s err ] &&
  [ "$(printf '%s\n' every-*.svg | wc -l)" -eq 9 ] && cmp -s every-energy.svg areas.svg
check "--manoeuvre=all draws all pictures of a run"
# --- numbers, globs and words with which vdsim-plot must neither hang nor draw another picture ---
plot() { rm -f no.svg; timeout 20 "$plot" -o it.svg "$@" >out 2>err; }
printf 't_s,v\n0,1\n1,2\n2,4\n' >few.csv
: >"$work/wrong"
for limits in --xlim=5:5 --xlim=5:1 --ylim=0:0 --xlim=1e9:1000000000.000001 --xlim=:1e400 --xlim=1.2.3:5 \
  --xlim=.:. -w2:1; do
  refused 'takes FROM:TO' "$limits" v few.csv || echo "$limits" >>"$work/wrong"
done
[ ! -s "$work/wrong" ] && refused 'leaves nothing between 5 and 2' --xlim=5: v few.csv
check "refused: limits of an axis that are equal, reversed or no numbers" "$work/wrong"
for cell in nan inf -inf 1e400; do
  printf 't_s,v\n0,1\n%s,2\n1,%s\n2,4\n' "$cell" "$cell" >cells.csv
  plot v cells.csv && [ ! -s err ] && ! grep -Eq '>[-+]?(nan|inf)' it.svg ||
    echo "$cell" >>"$work/wrong"
  printf 't_s,v\n0,%s\n1,%s\n' "$cell" "$cell" >cells.csv
  refused 'nothing to draw' v cells.csv || echo "$cell alone" >>"$work/wrong"
done
[ ! -s "$work/wrong" ]
check "cells that are no finite number are missing" "$work/wrong"
for ends in '1700000000 1700000030' '1230000 1230010' '1234567 1234568' '-3e9 1e7' '0 1e-6'; do
  printf 't_s,v\n%s,1\n%s,2\n' "${ends% *}" "${ends#* }" >cells.csv
  plot v cells.csv && look it.svg '
for axis in (panels[0].x, panels[0].y):
    expect(len({v for p, v in axis}) == len(axis) > 2, axis)' ||
    echo "$ends" >>"$work/wrong"
done
[ ! -s "$work/wrong" ]
check "neighbouring numbers of an axis differ, even if the numbers are large" "$work/wrong"
# shellcheck disable=SC1003
for glob in '*[' '[v*' 'v[z-a]' '[^]' '*\' ; do
  refused 'no column matches' "$glob" few.csv && refused 'no such channel is drawn' -u "$glob=m" v few.csv ||
    echo "$glob" >>"$work/wrong"
done
[ ! -s "$work/wrong" ] && plot '[u-w]' few.csv && plot '[!t]' few.csv
check "a [ without a valid set of letters is literal" "$work/wrong"
head -n 2 few.csv >one_row.csv
plot --manoeuvre=overview - <step_steer.csv
check "a standard picture is drawn from standard input"
refused "'ay_mps2' is in m/s2, not in 'kg'" --manoeuvre=step -u ay=kg step_steer.csv &&
  refused 'no such channel is drawn' --manoeuvre=step -u nonsense=deg step_steer.csv &&
  refused 'are for the picture stunt' --manoeuvre=step --frames=1 step_steer.csv &&
  refused 'are for logs' --kc -d few.csv && refused "not '5abc'" --manoeuvre=stunt -n 5abc step_steer.csv
check "refused: units and options without effect on a standard picture"
"$plot" --manoeuvre=stunt --frames=0.5 -w 0:1 -o frame.svg step_steer.csv >out 2>err &&
  [ "$(echo frame-*.svg)" = "frame-0001.svg frame-0002.svg frame-0003.svg" ]
check "frames end with the window" err
printf 't_s,foo_m\n0,1\n1,2\n2,\n3,4\n4,5\n' >gap.csv
sed 's/^2,/2,3/' gap.csv >whole.csv
draw -d -o it.svg foo gap.csv whole.csv && look it.svg '
end = max(x for p in panels[1].plots for line in p.lines for x, _ in line)
expect(panels[1].scale("x")[0](end) > 3.9, end)'
check "a difference continues after a gap"
cp step_steer.csv alone.csv
"$plot" --manoeuvre -o alone.svg alone.csv >out 2>err && [ -s alone.svg ] && grep -q "'vdsim-run -o FOLDER'" err
check "a log without other files is drawn, and a note reports what is missing" err
refused 'no picture drawn' --manoeuvre=all one_row.csv && refused 'lacks the name' --manoeuvre= few.csv
check "refused: no picture at all, a picture without a name"
refused 'it.svg is no log' v few.csv it.svg && cp few.csv ./-few.csv && plot -- v -few.csv && plot v - <few.csv &&
  plot v few.csv -w 1:2
check "refused: a picture as a log; options may stand anywhere, but not after --"
# equal rows in the formats of other programs give equal pictures
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
check "tables of spreadsheets, numpy and loggers are drawn like logs of vdsim-run" "$work/wrong"

# --- files and names ---
refused 'no channel given' step_steer.csv && refused 'no log given' vx_mps &&
  refused 'takes no channels' --kc vx one.csv
check "refused: no channel, no log, channels of a table"
"$plot" vx_mps none.csv >out 2>err
[ $? -eq 2 ] && [ ! -s out ] && grep -q "none.csv: error: cannot read 'none.csv'" err &&
  refused 'must end in .svg, .png or .pdf' -o it.gif vx_mps one.csv
check "refused: a missing log, another kind of picture" out err
cp one.csv linked.csv && ln linked.csv hard.svg && ln -s linked.csv soft.svg && cksum <linked.csv >sum
for link in hard.svg soft.svg; do "$plot" -o "$link" vx_mps linked.csv >out 2>err && echo "$link"; done >wrong
[ ! -s wrong ] && cksum <linked.csv | cmp -s - sum
check "refused: a picture that is a link to its log" wrong
echo mine >mine.svg
! "$plot" -o mine.svg vx one.csv 2>err && "$plot" -o it.svg vx one.csv 2>>err && "$plot" -o it.svg ay one.csv 2>>err &&
  grep -q mine mine.svg
check "a picture replaces only a picture"
"$plot" vx one.csv >out.svg 2>err && "$plot" -o - vx one.csv | cmp - out.svg && "$plot" -o it.svg vx one.csv &&
  cmp it.svg out.svg
check "without -o, and with -o -, SVG goes to standard output"
# shellcheck disable=SC2016
printf 't_s,it\047s `touch x` $(touch x) <b>&\n0,1\n1,0.5\n2,3\n' >columns.csv
draw -o it.svg -t '<b> & "q"' 'it*' columns.csv && [ ! -e x ] && look it.svg '
expect("<b> & \"q\"" in texts and any("touch x" in t and "<b>&" in t for t in texts), texts)'
check "titles and names of columns are escaped, and not executed"
"$exe" -q -c yaw_rate_radps,ay_mps2 --set run.level=L2 -o L2.csv "$top/scenarios/road/linear_step.yaml"
"$exe" -q -c yaw_rate_radps,ay_mps2 --set run.level=L1 -o L1.csv "$top/scenarios/road/linear_step.yaml"
PATH=$(dirname "$exe"):$PATH "$top/scripts/compare" -e "$exe" -l L1,L2 -w 0.8:1.5 -o it.svg \
  "$top/scenarios/road/linear_step.yaml" yaw_rate_radps ay_mps2 && look it.svg '
expect([len(p.plots) for p in panels] == [2, 2], [len(p.plots) for p in panels])
for panel, name, unit in zip(panels, ("yaw_rate_radps", "ay_mps2"), (DEG, G)):
    for plot, level in zip(panel.plots, ("L1", "L2")):
        c = table(f"{level}.csv")
        rows = [i for i, t in enumerate(c("t_s")) if 0.8 - 1e-9 <= t <= 1.5 + 1e-9]
        same_line(panel, plot, [c("t_s")[i] for i in rows], [c(name)[i]/unit for i in rows], f"{name} at {level}")
        expect(level in texts, texts)
check_boxes(size, panels, boxes)'
check "scripts/compare: the lines agree with the logs of both levels in the window, and have the names of the levels"

# --- suspensions ---
for name in dw_front_sports ta_rear_sedan; do
  "$sweep" --side=both -o "$name.csv" "$top/scenarios/suspensions/$name.yaml" || exit 2
done
draw --kc -o it.svg dw_front_sports.csv && look it.svg '
rows = [r for r in csv.DictReader(open("dw_front_sports.csv")) if r["side"] == "left"]
# sweep, x and its scale, columns, in the order of vdsim-plot(1); Ackermann is drawn from 3 degrees of steer
SHEET = [("travel", "travel_mm", 1, [["toe_deg"], ["camber_deg"], ["caster_deg", "kpi_deg"], ["half_track_change_mm"],
                                     ["roll_centre_z_mm", "roll_centre_planes_z_mm"], ["motion_ratio", "damper_ratio"],
                                     ["wheel_rate_Npmm", "ride_rate_Npmm"], ["anti_pct", "anti_drive_pct"]]),
         ("rack", "rack_mm", 1, [["toe_deg"], ["camber_deg"], ["caster_deg", "kpi_deg"], ["half_track_change_mm"]]),
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
expect(at >= 12 and len(panels) - at <= 1, f"{at} of {len(panels)} panels")'
check "--kc: the lines agree with the table"
draw --kc -o it.svg ta_rear_sedan.csv && look it.svg 'expect(len(panels) == 7, len(panels))' &&
  draw --kc -o it.svg dw_front_sports.csv "$top/scenarios/kc/dw_front_sports_compliance.csv" && look it.svg '
second = [p for p in panels for q in p.plots if q.colour == (213, 94, 0)]
expect(len(second) == 3 and "dw_front_sports_compliance" in texts, (len(second), texts))'
check "seven panels without rack and spring, none empty; a table of compliance is drawn over a sheet"
long=a_suspension_of_a_name_that_is_long
cp dw_front_sports.csv $long.csv
draw --kc -t "two corners" -o it.svg $long.csv ta_rear_sedan.csv && look it.svg 'check_boxes(size, panels, boxes)'
check "the texts of a picture of --kc do not overlap"
printf 't_s,x_m\n0,1\n' >other.csv
refused 'is it of vdsim-kc-sweep' --kc other.csv
check "refused: a table of another tool"

# --- tyre rigs ---
"$exe" -q -o . "$top"/scenarios/rig/*.yaml || exit 2
# there is a line for each load; with combined slip, for each angle; for time histories, for each case. `transient' ends
# at the distance that the slowest wheel has rolled
: >wrong
while read -r kind rig x xscale y yscale by; do
  { draw "--tyre=$kind" -o it.svg "$rig.csv" && look it.svg '
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
check_boxes(size, panels, boxes)' "$rig.csv" "$x" "$xscale" "$y" "$yscale" "$by" "$rig" "$kind"; } ||
    { echo "$kind of $rig"; cat err; }
done >wrong <<END
fy fy_alpha alpha_rad DEG fy_N 1000 fz_N
mz fy_alpha alpha_rad DEG mz_Nm 1 fz_N
fx fx_kappa kappa 0.01 fx_N 1000 fz_N
gough gough fy_N 1000 mz_Nm 1 fz_N
ellipse combined fx_N 1000 fy_N 1000 alpha_rad
transient step_angle distance_m 1 fy_N 1000 case
time sine_angle t_s 1 fy_N 1000 case
time standstill t_s 1 fy_N 1000 case
END
[ ! -s wrong ]
check "--tyre: every kind has the lines of its table, and its texts do not overlap" wrong
cp gough.csv twin.csv
draw --tyre=gough -o it.svg gough.csv twin.csv && grep -q '>1.5 kN, twin<' it.svg
check "two tyres in one picture"
refused "no picture 'fz' of a tyre" --tyre=fz fy_alpha.csv && refused "no column" --tyre=fy other.csv &&
  refused "transient rig" --tyre=fy step_angle.csv && refused "transient rig" --tyre=transient fy_alpha.csv &&
  refused "stands still" --tyre=transient standstill.csv
check "refused: an unknown kind, columns of another table, a kind that does not fit the rig"
all_well
