#!/bin/sh
# vdsim-plot --manoeuvre=stunt: pictures of a kerb, a fall and a loop from the side and from above, whose lines are read
# back from the SVG; frames of an animation; refused inputs.
# Usage: tests/cli/plot_stunt.sh VDSIM-RUN    (vdsim-plot is beside it)
# Reads scenarios/; writes a temporary folder. Skipped without python3.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
need_python
plot=$(dirname "$exe")/vdsim-plot

plan 16
draw() {
  rm -f "$work/it.svg"
  "$plot" --manoeuvre=stunt -o "$work/it.svg" "$@" >"$work/out" 2>"$work/err"
  status=$?
}
refused() { [ $status -eq 2 ] && grep -q "$1" "$work/err" && [ ! -e "$work/it.svg" ]; }

"$exe" --rate 100 -c '*' -o "$work/kerb.csv" scenarios/ride/kerb_strike.yaml || exit 2
"$exe" --rate 100 --set initial.speed=10 --set handbrake=0 --set run.duration=1.5 -c '*' -o "$work/drop.csv" \
  scenarios/ride/drop.yaml || exit 2

# A log of a circle of 10 m with a total load of 12 kN, off the road in its upper half.
awk 'BEGIN {
  split("fl fr rl rr", wheel, " ")
  printf "t_s,x_m,y_m,z_m,quaternion_w,quaternion_x,quaternion_y,quaternion_z"
  for (k = 1; k <= 4; k++)
    printf ",contact_x_%s_m,contact_y_%s_m,road_%s_m,fx_%s_N,fy_%s_N,fz_%s_N,steer_%s_rad", wheel[k],
        wheel[k], wheel[k], wheel[k], wheel[k], wheel[k], wheel[k]
  print ""
  for (i = 0; i <= 400; i++) {
    a = 8 * atan2(1, 1) * i / 400
    printf "%g,%.9g,0,%.9g,%.9g,0,%.9g,0", i / 100, 10 * sin(a), 10 - 10 * cos(a), cos(a / 2), -sin(a / 2)
    for (k = 1; k <= 4; k++) {
      x = k < 3 ? 1.3 : -1.3
      y = k % 2 ? 0.8 : -0.8
      air = cos(a) < 0
      printf ",%.9g,%g,%.9g,%g,%g,%g,%g", 10 * sin(a) + x * cos(a) + 0.5 * sin(a), y,
          10 - 10 * cos(a) + x * sin(a) - 0.5 * cos(a),
        air ? 0 : -900, air ? 0 : 500, air ? 0 : 3000, k < 3 ? 0.2 : 0
    }
    print ""
  }
}' >"$work/loop.csv"

draw -n 5 "$work/kerb.csv" "$work/drop.csv"
[ $status -eq 0 ] && [ ! -s "$work/err" ]
check "vdsim-plot draws a picture of two runs"
"$plot" --manoeuvre=stunt -t "a loop" -o "$work/loop.svg" -n 9 "$work/loop.csv" && grep -q '</svg>' "$work/loop.svg"
check "the picture of a loop has the given title"
grep -q 'in the air' "$work/loop.svg" && grep -q 'as long as a car: 6 kN' "$work/loop.svg"
check "the flight has an entry in the key, and the loads have a scale"
"$plot" --manoeuvre=stunt -o "$work/kerb.svg" "$work/kerb.csv" && ! grep -q 'in the air' "$work/kerb.svg"
check "a run without a flight has no entry for a flight in the key"
# series LOG CARS: checks the contents of the views against the rows of the log; the outline of the car is in metres
# from its centre of gravity. All loads have one scale: the line as long as a car is the load that the axles exceed in
# 3 % of the rows with a load, rounded to 1/500 of the greatest load. Lines above 6 m are cut.
series() {
  check_picture "$1: path, road, cars, loads and forces are those of the log, its texts apart" "$work/$1.svg" '
c, cars = table(sys.argv[3]), int(sys.argv[4])
WHEELS, SIDE, ABOVE = ("fl", "fr", "rl", "rr"), \
    [(-2, -0.3), (2, -0.3), (2.1, 0.1), (1, 0.25), (0.4, 0.75), (-1.2, 0.75), (-1.9, 0.25), (-2.1, 0.2), (-2, -0.3)], \
    [(-2, -0.8), (1.6, -0.8), (2.1, -0.4), (2.1, 0.4), (1.6, 0.8), (-2, 0.8), (-2, -0.8), (0.4, -0.8),
        (0.7, 0), (0.4, 0.8)]
t, here = c("t_s"), list(zip(c("x_m"), c("y_m"), c("z_m")))
turns = list(zip(*(c("quaternion_" + k) for k in "wxyz")))
of = {w: {k: c(k.replace("*", w)) for k in ("contact_x_*_m", "contact_y_*_m", "road_*_m", "fx_*_N", "fy_*_N",
            "fz_*_N", "steer_*_rad")} for w in WHEELS}
rows = range(len(t))
def world(r, v): # v + 2 w (u x v) + 2 u x (u x v)
    w, u = turns[r][0], turns[r][1:]
    cross = lambda a, b: (a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0])
    once = cross(u, v)
    return [a + 2*w*b + 2*d for a, b, d in zip(v, once, cross(u, once))]
def even(n): # the last row at or before each time
    return [max(r for r in rows if t[r] <= t[0] + (t[-1] - t[0])*i/(n - 1) + 1e-9) for i in range(n)]
def axle(r, wheels): # returns the load of an axle, and its place
    at = [(of[w]["fz_*_N"][r], of[w]["contact_x_*_m"][r], of[w]["contact_y_*_m"][r], of[w]["road_*_m"][r])
        for w in wheels]
    at = [p for p in at if p[0] > 0]
    load = sum(p[0] for p in at)
    return load, [sum(p[0]*p[k] for p in at)/load for k in (1, 2, 3)] if load else None
air = [all(of[w]["fz_*_N"][r] <= 0 for w in WHEELS) for r in rows]
view = lambda v, p: (p[0], p[2] if v == 0 else p[1])
fields = []
for v, panel in enumerate(panels):
    xslope, (px, ax), yslope, (py, ay) = (f for axis in "xy" for f in panel.scale(axis)[1::2])
    expect(abs(xslope + yslope) < 1e-3*xslope, "the scales differ")
    pixel = lambda p: (px + (p[0] - ax)*xslope, py + (p[1] - ay)*yslope)
    plots = list(panel.plots)
    # the outlines of cars and the road come first; lines of forces and of the path are drawn over them
    forces, rest = plots[2 - v:4 - v], plots[:2 - v] + plots[4 - v:]
    def polylines(plot, lines, what):
        lines = [l for l in lines if len(l) > 1]
        expect(len(plot.lines) == len(lines), f"{what}: {len(plot.lines)} lines of {len(lines)}")
        for drawn, line in zip(plot.lines, lines):
            one = Plot(None)
            one.lines = [drawn]
            same_line(panel, one, [p[0] for p in line], [p[1] for p in line], what)
    # body
    polylines(rest[0], [[view(v, [a + b for a, b in zip(here[r], world(r, (x, 0, y) if v == 0 else (x, y, 0)))])
                for x, y in (SIDE, ABOVE)[v]]
                        for r in even(cars)], "cars")
    # the line of the road follows the contact of the front axle; it is interrupted in the air
    if v == 0:
        lines = [[]]
        for r in rows:
            load, at = axle(r, WHEELS[:2])
            lines[-1].append(view(0, at)) if load > 0 else lines.append([])
        polylines(rest[1], lines, "road")
    # where a flight begins or ends, the path changes its line at the first row of the new state
    for flying, plot in zip((False, True), rest[2 - v:]):
        lines, last = [[]], None
        for r in rows:
            if air[r] == flying:
                lines[-1].append(view(v, here[r]))
            elif last == flying:
                lines[-1].append(view(v, here[r]))
                lines.append([])
            last = air[r]
        polylines(plot, lines, "path in the air" if flying else "path")
    expect(len(rest) == 3 - v + any(air), f"{len(rest)} lines without forces")
    if v == 0: # lines of loads go from the contact of the axle downwards along the vertical axis of the body
        loads = [axle(r, w)[0] for w in (WHEELS[:2], WHEELS[2:]) for r in rows]
        loads = sorted(f for f in loads if f > 0)
        first = next(r for r in even(max(120, 10*cars)) if axle(r, WHEELS[:2])[0] > 0)
        drawn = [panel.scale(axis)[0](p[k]) for p in forces[0].lines[0] for k, axis in enumerate("xy")]
        seen = math.hypot(*(view(0, world(first, (0, 0, 1)))))
        full = 4*axle(first, WHEELS[:2])[0]/math.hypot(drawn[2] - drawn[0], drawn[3] - drawn[1])*seen
        share = lambda level: sum(f > level for f in loads)/len(loads)
        expect(share(full*1.0005) <= 0.03 < share((full - loads[-1]/500)*0.9995), f"{full} N: {share(full)} above")
        # the first line gives the scale to 0.02 pixels; the text below has two digits
        candidates = [loads[-1]*k/500 for k in range(1, 501)]
        exact = min(candidates, key=lambda f: abs(f - full))
        expect(abs(full/exact - 1) < 5e-4, f"{full} N, {exact} N")
        expect(any(t.endswith(f"line as long as a car: {exact/1000:.2g} kN") for t in texts), texts)
        length = lambda force: min(6, 4*force/exact)
    for k, wheels in enumerate((WHEELS[:2], WHEELS[2:])):
        lines = []
        if v == 0:
            for r in even(max(120, 10*cars)):
                load, at = axle(r, wheels)
                if load > 0:
                    lines.append((at, [-length(load)*x for x in world(r, (0, 0, 1))]))
        else:
            for r in even(cars):
                for w in wheels:
                    f = complex(of[w]["fx_*_N"][r], of[w]["fy_*_N"][r])
                    f = f/abs(f)*length(abs(f)) if f else f
                    f *= complex(math.cos(of[w]["steer_*_rad"][r]), math.sin(of[w]["steer_*_rad"][r]))
                    if of[w]["fz_*_N"][r] > 0:
                        lines.append(([of[w][n][r] for n in ("contact_x_*_m", "contact_y_*_m", "road_*_m")],
                                world(r, (f.real, f.imag, 0))))
        # a force that is too short to be visible has no line
        ends = [(pixel(view(v, a)), pixel(view(v, [p + q for p, q in zip(a, b)]))) for a, b in lines]
        sure = sum(math.dist(*e) > 0.03 for e in ends)
        expect(sure > 3 and sure <= len(forces[k].lines) <= len(ends),
            f"{sure} to {len(ends)} forces, {len(forces[k].lines)} lines")
        for line in forces[k].lines:
            expect(any(math.dist(line[0], a) < 0.03 and math.dist(line[-1], b) < 0.03 for a, b in ends),
                f"a force at {line} is not of the log")
        for a, b in ends:
            expect(math.dist(a, b) <= 0.03 or any(math.dist(l[0], a) < 0.03 and math.dist(l[-1], b) < 0.03
                    for l in forces[k].lines), f"no force from {a} to {b}")
check_boxes(size, panels, boxes)' "$work/$1.csv" "$2"
}
"$plot" --manoeuvre=stunt -o "$work/kerb.svg" -n 5 "$work/kerb.csv"
series kerb 5
series loop 9
"$plot" --manoeuvre=stunt -o "$work/three.svg" -n 3 "$work/loop.csv" 2>"$work/err"
check_picture "at the apex the roof is 0.75 m below the centre, the floor 0.3 m above" "$work/three.svg" '
y, shape = panels[0].scale("y")[0], panels[0].plots[0].lines[1]
low, high = min(y(p[1]) for p in shape), max(y(p[1]) for p in shape)
expect(abs(low - 19.25) < 0.01 and abs(high - 20.3) < 0.01, (low, high))'
check_picture "the longest load is as long as a car, and there is no load in the air" "$work/three.svg" '
x, y = (panels[0].scale(axis)[0] for axis in "xy")
loads = [[(x(p[0]), y(p[1])) for p in line] for line in panels[0].plots[2].lines]
expect(50 < len(loads) < 70, len(loads))
for a, b in loads:
    expect(abs(math.dist(a, b) - 4) < 0.02 and a[1] < 12, (a, b))'
"$plot" --manoeuvre=stunt -n 3 --frames=1 -o "$work/frame.svg" "$work/loop.csv" 2>"$work/err" && [ ! -s "$work/err" ] &&
  [ "$(cd "$work" && printf '%s ' frame-* | tr -d 'a-z.-')" = "0001 0002 0003 0004 0005 " ] &&
  grep -q '>3.00 s<' "$work/frame-0004.svg"
check "frames of an animation: every second of four, with the time above"
check_picture "a frame shows the car at this time, within the limits of the whole run" "$work/frame-0002.svg" '
whole = read(sys.argv[3])[1]
for p, q in zip(panels, whole):
    for axis in "xy":
        expect(abs(p.scale(axis)[1]/q.scale(axis)[1] - 1) < 1e-3, axis)
x, y = (panels[0].scale(axis)[0] for axis in "xy")
(car,) = panels[0].plots[0].lines
floor = [(x(p[0]), y(p[1])) for p in car[:2]] # at a quarter of the circle the car stands upright, its floor outside
expect(all(abs(p[0] - 10.3) < 0.02 for p in floor) and abs(floor[0][1] + floor[1][1] - 20) < 0.04, floor)' \
  "$work/three.svg"

draw
refused 'no log given'
check "refused: no file"
draw "$work/nowhere.csv"
refused 'No such file'
check "refused: a missing file"
head -n 1 "$work/loop.csv" >"$work/empty.csv"
draw "$work/empty.csv"
refused 'no rows'
check "refused: a file without rows"
printf 't_s,x_m\n0,1\n1,2\n' >"$work/other.csv"
draw "$work/other.csv"
refused "no column 'y_m'"
check "refused: a log without heights"
draw -o "$work/it.gif" "$work/loop.csv"
refused 'must end in .svg, .png or .pdf'
check "refused: another kind of picture"
draw -n 1 "$work/loop.csv"
refused 'takes a number'
check "refused: a number of one car"
all_well
