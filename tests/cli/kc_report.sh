#!/bin/sh
# The page of vdsim-kc-sweep --report: it needs no other file, its pictures show the curves, texts do not overlap, no
# picture is empty, and the linkage in headless Chromium has the poses of the sweep.
# Usage: tests/cli/kc_report.sh VDSIM-KC-SWEEP
# Reads scenarios/suspensions/; writes a temporary folder. Needs python3; without chromium the viewer is not tested.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

need_python
plan 32

cat >"$work/series.py" <<'END'
"""Compares the line of a picture with a column of the sweep: page, CSV, title, sweep, x, scale, y.
Prints the error in pixels."""
import csv, re, sys
page, table, title, sweep, x_name, scale, y_name = sys.argv[1:]
text = open(page, encoding='utf-8').read()
svg = next(s for s in re.findall(r'<svg viewBox.*?</svg>\n<path class="frame".*?</svg>', text, re.S)
    if f'>{title}<' in s)
number = lambda v: float(v.replace('\u2212', '-'))
along = [(float(x), number(v))
    for x, v in re.findall(r'class="tick" x="([^"]*)" y="[^"]*" text-anchor="middle">([^<]*)<', svg)][:-1]
up = [(float(y) - 3.6, number(v))
    for y, v in re.findall(r'class="tick" x="[^"]*" y="([^"]*)" text-anchor="end">([^<]*)<', svg)]
points = [tuple(map(float, p.split()))
    for p in re.split('[ML]', re.search(r'class="run h1" d="([^"]*)"', svg).group(1))[1:]]
linear = lambda ticks, p: ticks[0][1] + (p - ticks[0][0]) / (ticks[-1][0] - ticks[0][0]) * (ticks[-1][1] - ticks[0][1])
rows = sorted((float(scale) * float(r[x_name]), float(r[y_name])) for r in csv.DictReader(open(table))
    if r['sweep'] == sweep)
unit = abs((up[-1][1] - up[0][1]) / (up[-1][0] - up[0][0]))
worst = 0.0
for px, py in points:
    x, y = linear(along, px), linear(up, py)
    k = min(range(1, len(rows)), key=lambda i: abs(rows[i - 1][0] + rows[i][0] - 2 * x))
    (x0, y0), (x1, y1) = rows[k - 1], rows[k]
    worst = max(worst, abs(y0 + (x - x0) / (x1 - x0) * (y1 - y0) - y) / unit)
print(len(points), worst)
# both coordinates are rounded to 0.1 pixels; at a slope of two pixels per pixel the error is 0.15
sys.exit(0 if len(points) > 2 and worst < 0.2 else 1)
END

cat >"$work/drive.py" <<'END'
"""Opens pages at a travel and compares the wheel centres on the screen with the sweep. Arguments: a folder,
tests/common, and for each view NAME:TRAVEL:VIEW:WIDE. Prints a line for each view: NAME VIEW, and the greatest distance
or what is wrong."""
import csv, math, sys
work, common, *views = sys.argv[1:]
sys.path.insert(0, common)
import probes
sub = lambda a, b: [x - y for x, y in zip(a, b)]
dot = lambda a, b: sum(x * y for x, y in zip(a, b))
cross = lambda a, b: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
unit = lambda a: [x / math.hypot(*a) for x in a]

def compared(name, travel, p):
    row = next(r for r in csv.DictReader(open(f'{work}/{name}.csv'))
               if r['sweep'] == 'travel' and float(r['travel_mm']) == float(travel))
    centre = [1e-3 * float(row[f'wheel_{j}_mm']) for j in 'xyz']
    forward = unit(sub(p['target'], p['eye']))
    right = unit(cross(forward, p['up']))
    above = cross(right, forward)
    distances = []
    for side in (1, -1): # the right wheel is the left one's mirror image
        d = sub([centre[0], side * centre[1], centre[2]], p['eye'])
        depth = dot(d, forward)
        x, y = p['width'] / 2 + p['focal'] * dot(d, right) / depth, p['height'] / 2 - p['focal'] * dot(d, above) / depth
        got = p['wheels'][0][0 if side > 0 else 1]
        distances.append(math.hypot(got[0] - x, got[1] - y))
        if not (0 < x < p['width'] and 0 < y < p['height']):
            return 'a wheel is out of sight'
    return f'{"within" if all(d < 2 for d in distances) else "wrong by"} {max(distances):.3f} pixels'

views = [view.split(':') for view in views]
told, fault = probes.probes([(f'file://{work}/{name}.html#t={travel}&view={view}&probe', wide, 900)
                             for name, travel, view, wide in views])
for (name, travel, view, _), p in zip(views, told):
    print(f'{name} {view}: {fault or compared(name, travel, p)}')
END

dw=scenarios/suspensions/dw_front_sports.yaml
"$exe" -o "$work/dw.csv" "$dw" && "$exe" --mode=opposite --sweep=travel -o "$work/roll.csv" "$dw" || exit 2
run --report "$work/dw.html" "$dw"
[ $status -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
check "--report writes a page and nothing else"
python3 tests/common/page.py "$work/dw.html" 30 >"$work/out" 2>&1
check "the page needs no other file, its texts do not overlap, and no picture is empty" "$work/out"
series() { # CSV TITLE SWEEP X SCALE Y
  python3 "$work/series.py" "$work/dw.html" "$work/$1.csv" "$2" "$3" "$4" "$5" "$6" >"$work/out" 2>&1
  check "the picture '$2' over $4 is $6 of the sweep" "$work/out"
}
series dw 'Camber, deg' travel travel_mm 1 camber_deg
series dw 'Half track change, mm' travel travel_mm 1 half_track_change_mm
series roll 'Camber to the body, deg' travel roll_deg 1 camber_deg
series dw 'Contact point, sideways, mm' fy fy_N 1e-3 patch_y_mm
if command -v chromium >/dev/null 2>&1; then
  python3 "$work/drive.py" "$work" tests/common dw:0:outside:1280 dw:75:front:390 dw:-50:above:1280 >"$work/told" \
    2>"$work/err"
fi
for view in outside front above; do
  title="dw, $view: the wheels are where the sweep has them"
  if [ -f "$work/told" ]; then
    grep -q "^dw $view: within [0-9.]* pixels" "$work/told"
    check "$title" "$work/told" "$work/err"
  else
    skip "$title" "no chromium"
  fi
done

# springs, dampers, push rods and rockers are in space where the sweep has them, over travel and over the rack
cat >"$work/poses.py" <<'END'
"""Compares the scene of a page with both sweeps: page, CSV. Spring and damper have the lengths of the sweep over
travel; rods and sides of rockers keep their lengths; over the rack, the right wheel mirrors a left wheel at the
opposite rack."""
import csv, json, math, re, sys
page, table = sys.argv[1:]
scene = json.loads(re.search(r'id="scene">(.*?)</script>', open(page, encoding='utf-8').read(), re.S).group(1))
rows = list(csv.DictReader(open(table)))
of = lambda sweep, x: {float(r[x]): r for r in rows if r['sweep'] == sweep}
travel, rack = of('travel', 'travel_mm'), of('rack', 'rack_mm')
kinds = {1: 'spring_length_mm', 2: 'damper_length_mm'}
seen, worst = set(), 0.0
for motion, table in zip(scene['motions'], (travel, rack)):
    run = motion['runs'][0]
    assert motion['name'] == ('travel' if table is travel else 'rack') and run['t'][0] == sorted(table), motion['name']
    for k, kind in enumerate(run['rodKind']):
        ends = [[run['rods'][6 * k + 3 * e + j] for j in range(3)] for e in range(2)]
        long = [math.dist([c[i] for c in ends[0]], [c[i] for c in ends[1]]) for i in range(len(run['t'][0]))]
        seen.add(kind)
        if kind in (3, 4):
            worst = max(worst, 1e3 * (max(long) - min(long)))
        elif kind and table is travel:
            worst = max(worst, *(abs(1e3 * l - float(table[t][kinds[kind]])) for t, l in zip(run['t'][0], long)))
    for i, t in enumerate(run['t'][0]):
        for side in (0, 1):
            mine = table[t if side == 0 or table is travel else -t]
            want = [1e-3 * float(mine[f'wheel_{j}_mm']) * (-1 if side and j == 'y' else 1) for j in 'xyz']
            got = [run['wheel'][3 * side + j][i] for j in range(3)]
            worst = max(worst, 1e3 * math.dist(want, got))
print(f'kinds {sorted(seen)}, {worst:.2e} mm')
sys.exit(0 if seen == {0, 1, 2, 3, 4} and worst < 0.01 else 1)
END
rod=scenarios/suspensions/pushrod_front_formula.yaml
"$exe" -q -o "$work/rod.csv" "$rod" || exit 2
run -q --report "$work/rod.html" "$rod"
[ $status -eq 0 ] && python3 "$work/poses.py" "$work/rod.html" "$work/rod.csv" >"$work/out" 2>&1
check "springs, dampers, push rods and rockers are where the sweeps have them, over travel and rack" \
  "$work/out" "$work/err"
python3 tests/common/page.py "$work/rod.html" 29 >"$work/out" 2>&1 &&
  grep -q '>push rod and rocker<' "$work/rod.html" &&
  grep -q '<h1>Kinematics and compliance of a front axle: pushrod front formula</h1>' "$work/rod.html"
check "push rod and rocker are in the three views, too; the page has a title" "$work/out"

# a sheet without rows has no heading; a rigid axle has both wheels in its pose
for one in "mp_front_sedan 26" "ta_rear_sedan 18" "panhard_rear_coupe 12" "twist_beam_rear_compact 10"; do
  name=${one% *}
  run --report "$work/$name.html" "scenarios/suspensions/$name.yaml"
  [ $status -eq 0 ] && python3 tests/common/page.py "$work/$name.html" "${one#* }" >"$work/out" 2>&1
  check "$name: texts on the page do not overlap, and no picture is empty" "$work/out" "$work/err"
done
! grep -q '<h2>Steer' "$work/ta_rear_sedan.html" && grep -q '<h2>Bump' "$work/ta_rear_sedan.html"
check "a suspension without a rack has no sheet of the rack"

# a reference that is the scaled curve itself: its band of 5 % is from 0.95 to 1.05
run --report "$work/ref.html" --reference "$work/dw.csv" "$dw"
[ $status -eq 0 ] && python3 tests/common/page.py "$work/ref.html" 30 >"$work/out" 2>&1
check "the page takes a table of curves as its reference" "$work/out" "$work/err"
cat >"$work/band.py" <<'END'
import re, sys
text = open(sys.argv[1], encoding='utf-8').read()
svg = next(s for s in re.findall(r'<svg viewBox.*?</svg>\n<path class="frame".*?</svg>', text, re.S)
    if '>Motion ratio<' in s)
ys = lambda path: [float(p.split()[1].rstrip('Z')) for p in re.split('[ML]', path)[1:]]
up = [(float(y) - 3.6, float(v))
    for y, v in re.findall(r'class="tick" x="[^"]*" y="([^"]*)" text-anchor="end">([^<]*)<', svg)]
value = lambda y: up[0][1] + (y - up[0][0]) / (up[-1][0] - up[0][0]) * (up[-1][1] - up[0][1])
run, other = [ys(re.search(f'class="{c}" d="(M[^"]*L[^"]*)"', svg).group(1)) for c in ('run h1', 'run h1 d2')]
band = ys(re.search(r'class="band" d="(M[^"]*L[^"]*L[^"]*L[^"]*)"', svg).group(1))
top, low = value(min(run)), value(max(run)) # the greatest and the least
assert abs(value(min(other)) - top) < 1e-3 * top
assert abs(value(min(band)) / top - 1.05) < 2e-3 and abs(value(max(band)) / low - 0.95) < 2e-3, (value(min(band)), top)
END
python3 "$work/band.py" "$work/ref.html" >"$work/out" 2>"$work/err"
check "the band of the tolerance is 5 % of the reference to either side"

run --report "$work/other.html" --reference scenarios/suspensions/dw_front_sedan.yaml --rtol 0.1 "$dw"
[ $status -eq 0 ] && grep -q 'tolerance 10 %' "$work/other.html" &&
  python3 tests/common/page.py "$work/other.html" 30 >"$work/out" 2>&1 &&
  [ "$(grep -c '>reference<' "$work/other.html")" -gt "$(grep -c '>reference<' "$work/ref.html")" ]
check "a suspension as the reference has curves of roll and forces, too" "$work/out" "$work/err"

cat >"$work/figures.py" <<'END'
"""Compares the table of figures with the metrics of both suspensions: page, two CSV files. Each figure has a
definition; rounding errors of zero are shown as 0."""
import csv, re, sys
page, *tables = sys.argv[1:]
text = open(page, encoding='utf-8').read().replace('<wbr>', '')
mine, other = [{r['metric']: r for r in csv.DictReader(open(t))} for t in tables]
def number(cell):
    m = re.match(r'(\u2212|\+)?([0-9.]+)(?:\u00d710(\u207b?)([\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+))?', cell)
    if not m:
        return None
    raised = '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079'
    power = int(''.join(str(raised.index(c)) for c in m.group(4))) if m.group(4) else 0
    return (-1 if m.group(1) == '\u2212' else 1) * float(m.group(2)) * 10 ** (-power if m.group(3) else power)
rows = re.findall(r'<tr><td>(\w+)</td>' + 3 * '<td class="n" data-of="[a-z]*">(.*?)</td>' + '<td>(.*?)</td>', text)
near = lambda a, b: abs(a - b) <= 6e-4 * abs(b) + 1e-9
count = 0
for name, a, b, d, definition in rows:
    assert definition.strip(), name
    if not (mine[name]['value'] and other[name]['value']):
        continue
    va, vb = float(mine[name]['value']), float(other[name]['value'])
    assert near(number(a), va) and near(number(b), vb), (name, a, va, b, vb)
    assert abs(number(d) - (va - vb)) <= 6e-3 * abs(va - vb) + 1e-9, (name, d, va - vb)
    if d.endswith('%)'):
        share = number(d.rsplit('(', 1)[1])
        assert abs(share - 100 * (va - vb) / abs(vb)) <= 6e-3 * abs(share), (name, d)
    assert abs(va) > 1e-9 or a.startswith('0'), (name, a)
    count += 1
print(count, 'of', len(rows))
sys.exit(0 if count > 40 and len(rows) == len(mine) else 1)
END
"$exe" -q --metrics "$work/dw.metrics" "$dw" &&
  "$exe" -q --metrics "$work/sedan.metrics" scenarios/suspensions/dw_front_sedan.yaml || exit 2
python3 "$work/figures.py" "$work/other.html" "$work/dw.metrics" "$work/sedan.metrics" >"$work/out" 2>&1
check "the figures have definitions, the figures of the reference beside them, and deviations" "$work/out"
laid_out "nothing of the page is cut off, on a phone, a screen or paper" "$work/other.html"
grep -q '>reference: caster<' "$work/other.html" && grep -q '>reference: kingpin<' "$work/other.html"
check "each of two curves has its reference"

run --report "$work/again.html" "$dw"
cmp -s "$work/dw.html" "$work/again.html"
check "a suspension gives the same page each time"
run --report "$work/up.html" --travel=-50:50:5 --rack=-20:20:3 --sweep=travel,rack "$dw"
run --report "$work/down.html" --travel=50:-50:5 --rack=20:-20:3 --sweep=travel,rack "$dw"
# figures at lock are computed at the end of the range, as in --metrics, and depend on its direction: left out
for page in up down; do grep -v "<td>lock_" "$work/$page.html" >"$work/$page"; done
[ $status -eq 0 ] && cmp "$work/up" "$work/down" >"$work/out" 2>&1
check "a range written from high to low gives the same page" "$work/out" "$work/err"
# the origin of the scene: the wheel's centre at the design position
middle() {
  sed -n 's/.*"place":\(\[[^]]*\]\).*/\1/p' "$1" | sed 's/"n":[0-9]*,//g'
}
awk -F , -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "wheel_x_mm") x = i } NR > 1 { $x += 10 }
  1' "$work/dw.csv" >"$work/moved.csv"
run --report "$work/above.html" --travel=10:50:5 --sweep=travel --reference "$work/moved.csv" "$dw"
[ $status -eq 0 ] && for name in design '+10 mm' '+50 mm'; do grep -q ">$name<" "$work/above.html" ||
  echo "no $name"; done >"$work/out"
[ ! -s "$work/out" ] && [ -n "$(middle "$work/up.html")" ] &&
  [ "$(middle "$work/above.html")" = "$(middle "$work/up.html")" ]
check "a range without the design position: the linkage is drawn there and at both ends" "$work/out" "$work/err"
cat >"$work/upon.py" <<'END'
"""A table of the sweep with values shifted by 10 mm must lie on the sweep itself: page, title of a picture of a change
from design. Compares values at equal x."""
import re, sys
text = open(sys.argv[1], encoding='utf-8').read()
svg = next(s for s in re.findall(r'<svg viewBox.*?</svg>\n<path class="frame".*?</svg>', text, re.S)
    if f'>{sys.argv[2]}<' in s)
run, other = [[tuple(map(float, q.split()))
        for q in re.split('[ML]', re.search(f'class="{c}" d="(M[^"]*L[^"]*)"', svg).group(1))[1:]]
              for c in ('run h1', 'other')]
at = lambda x: next(b[1] + (x - b[0]) / (c[0] - b[0]) * (c[1] - b[1]) for b, c in zip(other, other[1:])
    if b[0] <= x <= c[0])
worst = max(abs(y - at(x)) for x, y in run)
print(len(run), worst)
sys.exit(0 if len(run) > 1 and worst < 0.5 else 1)
END
python3 "$work/upon.py" "$work/above.html" 'Wheel centre, lengthwise, mm' >"$work/out" 2>&1
check "the changes of a table are counted from the design position" "$work/out"

# compares with the compliance of --tables for this suspension, which is without vertical load, as on a rig
cat >"$work/rig.py" <<'END'
"""Checks a table of compliance in the sheets of forces: page, table. Points of the reference are rows of the table, the
curve goes through them, and the band is 5 % of the greatest change to either side, at every load."""
import csv, math, re, sys
text = open(sys.argv[1], encoding='utf-8').read()
rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open(sys.argv[2]))]
number = lambda v: float(v.replace('\u2212', '-'))
pictures = re.findall(r'<svg viewBox.*?</svg>\n<path class="frame".*?</svg>', text, re.S)
loads = [('fx_drive_N', 'force ahead at the centre, kN', 1e-3), ('fx_brake_N', 'force ahead at the contact, kN', 1e-3),
         ('fy_N', 'lateral force, kN', 1e-3), ('mz_Nm', 'moment, N m', 1.0)]
shown = {'toe_deg': 'Toe, deg', 'camber_deg': 'Camber, deg', 'wheel_x_mm': 'Wheel centre, lengthwise, mm',
         'half_track_change_mm': 'Half track change, mm'}
count = 0
for load, axis, scale in loads:
    for column, title in shown.items():
        if load == 'mz_Nm' and column.endswith('_mm'):
            continue
        svg = next(s for s in pictures if f'>{title}<' in s and f'>{axis}<' in s)
        line = lambda c: [tuple(map(float, p.rstrip('Z').split())) for p in
                                    re.split('[ML]', re.search(f'class="{c}" d="(M[^"]*L[^"]*)"', svg).group(1))[1:]]
        along = [(float(x), number(v))
            for x, v in re.findall(r'class="tick" x="([^"]*)" y="[^"]*" text-anchor="middle">([^<]*)<', svg)][:-1]
        # a number in the corner of both axes stands beside its tick
        along = along[1:] if len(along) > 2 else along
        up = [(float(y) - 3.6, number(v))
            for y, v in re.findall(r'class="tick" x="[^"]*" y="([^"]*)" text-anchor="end">([^<]*)<', svg)]
        at = lambda ticks, v: ticks[0][0] + (v - ticks[0][1]) / (ticks[-1][1] - ticks[0][1]) * (ticks[-1][0]
            - ticks[0][0])
        mine = [r for r in rows if r['travel_mm'] == 0 and all(r[o] == 0 for o, _, _ in loads if o != load)]
        rest = next(r[column] for r in mine if r[load] == 0)
        expected = [(at(along, scale * r[load]), at(up, r[column])) for r in mine]
        other, run, band = line('other'), line('run h1'), line('band')
        # Points in the middle of straight lines are left out. A band is drawn along one edge and back along the other.
        k = max(range(len(band)), key=lambda i: band[i][0])
        on = lambda chain, x: next(p[1] + (x - p[0]) / max(q[0] - p[0], 1e-9) * (q[1] - p[1])
                                   for p, q in zip(chain, chain[1:]) if p[0] - 0.1 <= x <= q[0] + 0.1)
        edge = [sorted(band[:k + 1]), sorted(band[k + 1:])]
        pixels = abs(up[-1][0] - up[0][0]) / abs(up[-1][1] - up[0][1])
        half = pixels * max(1e-4, 0.05 * max(abs(r[column] - rest) for r in mine))
        for x, y in expected:
            if abs(on(other, x) - y) > 0.25:
                sys.exit(f'{title}, {axis}: the reference is at {on(other, x)}, not at {y}')
            got = sorted(on(e, x) for e in edge)
            if abs(got[0] - y + half) > 0.3 or abs(got[1] - y - half) > 0.3:
                sys.exit(f'{title}, {axis}: the band is {got} about {y}, not {half} to either side')
        for x, y in expected: # the forces of the curve reach half of the greatest force in the table
            if run[0][0] <= x <= run[-1][0]:
                count += 1
                if abs(on(run, x) - y) > 0.25:
                    sys.exit(f'{title}, {axis}: the run is at {on(run, x)}, not at {y}')
print(count, 'points')
sys.exit(0 if count > 60 else 1)
END
# the default bushings are so soft that every sheet has a visible curve
mkdir "$work/tables" && "$exe" --set bushings=default --tables "$work/tables" "$dw" &&
  rig=$(echo "$work"/tables/*_compliance.csv)
run --report "$work/rig.html" --set bushings=default --reference "$rig" "$dw"
[ $status -eq 0 ] && python3 "$work/rig.py" "$work/rig.html" "$rig" >"$work/out" 2>&1 &&
  python3 tests/common/page.py "$work/rig.html" 30 >>"$work/out" 2>&1
check "a rig's table of compliance is drawn in the sheets of forces, with a band from its greatest change" \
  "$work/out" "$work/err"
run --report "$work/none.html" --reference "$rig" scenarios/suspensions/dw_front_bump_steer.yaml
[ $status -eq 2 ] && [ ! -e "$work/none.html" ] &&
  grep -q "is a table of compliance, and 'dw front bump steer' is rigid" "$work/err"
check "refused: a table of compliance over a rigid suspension"
VDSIM_DATA=$PWD "$exe" --report "$work/found.html" --travel=-50:50:3 --sweep=travel \
  --reference suspensions/dw_front_sedan.yaml \
  suspensions/dw_front_sports.yaml >"$work/out" 2>"$work/err"
check "suspension and reference are found among those shipped" "$work/err"
run --reference "$work/dw.csv" "$dw"
[ $status -eq 2 ] && grep -q "'--reference' is for --report" "$work/err"
check "a reference without --report is refused"
run --report "$work/far.html" --travel=-300:300:61 "$dw"
[ $status -eq 1 ] && grep -q 'class="warn"><p>sweep &#39;travel&#39;: the left wheel cannot reach' "$work/far.html" &&
  grep -q "warning: sweep 'travel': the left wheel cannot reach travel .* the last travel that it reaches" "$work/err"
check "points that cannot be reached are left out: status 1, a remark on the page and on standard error"
run --report "$work/none.html" --reference "$work/nothing.csv" "$dw"
[ $status -eq 2 ] && [ ! -e "$work/none.html" ]
check "a reference that is not there: status 2 and no page"
all_well
