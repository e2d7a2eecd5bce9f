#!/bin/sh
# The page of vdsim-run --report: it needs no other file, its pictures show the log, and its viewer, in headless
# Chromium, shows the wheels at the places of the log. Each commit opens three of eight views and one of nine layouts.
# Usage: tests/cli/run_report.sh VDSIM-RUN
# Reads scenarios/; writes a temporary folder. Needs python3; without chromium the viewer is not tested.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

need_python
plan 31

cat >"$work/series.py" <<'END'
"""Compares the lateral acceleration in the page's picture with the log: page, log."""
import csv, re, sys
text = open(sys.argv[1], encoding='utf-8').read()
rows = list(csv.DictReader(open(sys.argv[2])))
svg = next(s for s in re.findall(r'<svg viewBox.*?<path class="cursor".*?</svg>', text, re.S)
           if '>Lateral acceleration, g<' in s)
left, wide, first, last = map(float, re.search(r'data-clock="([^"]*)"', svg).group(1).split())
ticks = [(float(y) - 3.6, float(v.replace('\u2212', '-')))
         for y, v in re.findall(r'class="tick" x="[^"]*" y="([^"]*)" text-anchor="end">([^<]*)<', svg)]
(y0, v0), (y1, v1) = ticks[0], ticks[-1]
points = [tuple(map(float, p.split()))
    for p in re.split('[ML]', re.search(r'class="run h1" d="([^"]*)"', svg).group(1))[1:]]
time = [float(r['t_s']) for r in rows]
value = [float(r['ay_mps2']) / 9.80665 for r in rows]
unit = abs((v1 - v0) / (y1 - y0))  # g in a pixel
worst = 0.0
for x, y in points:
    t, v = first + (x - left) / wide * (last - first), v0 + (y - y0) / (y1 - y0) * (v1 - v0)
    k = min(range(len(time)), key=lambda i: abs(time[i] - t))
    near = value[max(0, k - 12):k + 13]
    worst = max(worst, min(near) - v, v - max(near))
print(len(points), worst / unit)
# a point is written to 0.1 pixel, which is 1.8 ms along x here: the log has its value within 12 rows of 1 ms
sys.exit(0 if len(points) > 20 and worst < 0.2 * unit else 1)
END

cat >"$work/poses.py" <<'END'
"""Compares channels of the wheels with other channels of the log: log, level. Prints the greatest error, m."""
import csv, math, sys
worst, lengths = 0.0, {}
for row in csv.DictReader(open(sys.argv[1])):
    r = {k: float(v) for k, v in row.items()}
    for w in ('fl', 'fr', 'rl', 'rr'):
        centre, axle = [[r[f'{n}_{j}_{w}{u}'] for j in 'xyz'] for n, u in (('wheel', '_m'), ('axle', ''))]
        worst = max(worst, abs(math.hypot(*axle) - 1))
        if sys.argv[2] >= 'L3':
            # the contact point is in the plane of the wheel, at the free radius minus the deflection
            d = [a - b for a, b in zip(centre, (r[f'contact_x_{w}_m'], r[f'contact_y_{w}_m'], r[f'road_{w}_m']))]
            worst = max(worst, abs(sum(a * b for a, b in zip(d, axle))))
            length = math.hypot(*d) + r[f'tyre_deflection_{w}_m']
            worst = max(worst, abs(length - lengths.setdefault(w, length)))
    if sys.argv[2] < 'L3':
        # on a level road the line between the middles of the axles has the heading and the length of the wheelbase; the
        # centre of gravity is on this line
        f, b = [[0.5 * (r[f'wheel_{j}_{a}l_m'] + r[f'wheel_{j}_{a}r_m']) for j in 'xy'] for a in 'fr']
        c, s, reach = math.cos(r['yaw_rad']), math.sin(r['yaw_rad']), math.dist(f, b)
        worst = max(worst, abs(f[0] - b[0] - reach * c), abs(f[1] - b[1] - reach * s),
                    abs(reach - lengths.setdefault('base', reach)), abs((r['x_m'] - b[0]) * s - (r['y_m'] - b[1]) * c))
        for w in ('fl', 'rr'):
            turned = r['yaw_rad'] + (r[f'steer_{w}_rad'] if sys.argv[2] == 'L2' else 0)
            if w == 'fl' and sys.argv[2] == 'L2':
                worst = max(worst, abs(r['axle_x_fl'] + math.sin(turned)), abs(r['axle_y_fl'] - math.cos(turned)))
print(worst)
sys.exit(0 if worst < 1e-9 else 1)  # rounding of places up to 150 m, and of angles that become vectors
END

cat >"$work/drive.py" <<'END'
"""Opens pages and compares the wheel centres on the screen with the logs. Standard input has a line for each view:
page, time, view, wide, high, name. Prints a line for each: its name, and the greatest distance or what is wrong."""
import csv, math, sys
work, common = sys.argv[1:]
sys.path.insert(0, common)
import probes
sub = lambda a, b: [x - y for x, y in zip(a, b)]
dot = lambda a, b: sum(x * y for x, y in zip(a, b))
cross = lambda a, b: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
unit = lambda a: [x / math.hypot(*a) for x in a]

def compared(page, time, view, p):
    rows = list(csv.DictReader(open(f'{work}/{page}.csv')))
    row = {k: float(v) for k, v in min(rows, key=lambda r: abs(float(r['t_s']) - float(time))).items()}
    if abs(row['t_s'] - float(time)) > 1e-9 or abs(p['t'] - float(time)) > 1e-9:
        return 'no row at that time'
    forward = unit(sub(p['target'], p['eye']))
    right = unit(cross(forward, p['up']))
    above = cross(right, forward)
    if view == 'outside' and math.dist(p['target'], [row['x_m'], row['y_m'], row['z_m']]) > 0.005:
        return 'the camera does not look at the car'
    distances, seen = [], 0
    for i, w in enumerate(('fl', 'fr', 'rl', 'rr')):
        centre = [row[f'wheel_{j}_{w}_m'] if f'wheel_x_{w}_m' in row else row[f'wheel_{w}_{j}_m'] for j in 'xyz']
        d = sub(centre, p['eye'])
        depth = dot(d, forward)
        x, y = p['width'] / 2 + p['focal'] * dot(d, right) / depth, p['height'] / 2 - p['focal'] * dot(d, above) / depth
        seen += 0 <= x <= p['width'] and 0 <= y <= p['height'] and depth > 0
        if depth > 0.3:  # others are beside or behind the camera
            distances.append(math.hypot(p['wheels'][0][i][0] - x, p['wheels'][0][i][1] - y))
    good = all(d < 2 for d in distances) and seen >= {'wheel': 1, 'driver': 0}.get(view, 4)
    return f'{"within" if good else "wrong by"} {max(distances, default=0):.3f} pixels, {seen} wheels in sight'

views = [line.rstrip('\n').split(' ', 5) for line in sys.stdin]
told, fault = probes.probes([(f'file://{work}/{page}.html#t={time}&view={view}&probe', wide, high)
                             for page, time, view, wide, high, _ in views])
for (page, time, view, _, _, name), p in zip(views, told):
    print(f'{name}: {fault or compared(page, time, view, p)}')
END

channels='t_s,x_m,y_m,z_m,yaw_rad,steer_??_rad,ay_mps2,wheel_*,axle_*'
contacts="$channels,contact_*,road_*,tyre_deflection_*"
step=scenarios/iso/step_steer.yaml
loop=scenarios/stunt/loop.yaml
kerb=scenarios/hardpoints/kerb_strike.yaml
track=scenarios/track/ramp_jump.yaml

# make NAME SCENARIO CHANNELS PICTURES RATE; logs of vehicles also have instants between the frames of the page
make() {
  "$exe" -q --report "$work/$1.html" "$2" 2>"$work/err" &&
    python3 tests/common/page.py "$work/$1.html" "$4" >"$work/out" 2>&1
  check "$1: the page needs no other file, and texts do not overlap"
  cat "$work/err" "$work/out" | sed 's/^/# /'
  "$exe" -q --exact --rate "$5" ${3:+-c "$3"} -o "$work/$1.csv" "$2"
}
make step "$step" "$channels" 14 1000
make loop "$loop" "$contacts" 10 1000
make kerb "$kerb" "$contacts" 14 1000
make track "$track" '' 6 100

"$exe" -q --report "$work/chirp.html" scenarios/iso/chirp_steer.yaml 2>"$work/err" &&
  python3 tests/common/page.py "$work/chirp.html" 20 >"$work/out" 2>&1 &&
  grep -q '>Side slip angle phase, deg<' "$work/chirp.html"
check "a frequency response is drawn"

python3 "$work/series.py" "$work/step.html" "$work/step.csv" >"$work/out" 2>&1
check "the picture of the lateral acceleration agrees with the log"
sed 's/^/# /' "$work/out"
for one in "step L2" "loop L5" "kerb L4"; do
  # shellcheck disable=SC2086 # name and level
  python3 "$work/poses.py" "$work/${one% *}.csv" ${one#* } >"$work/out" 2>&1
  check "$one: centres and axles of the wheels agree with the other channels"
  sed 's/^/# /' "$work/out"
done
"$exe" -q --exact --set run.level=L3 --rate 100 -c "$contacts" -o "$work/l3.csv" "$step"
python3 "$work/poses.py" "$work/l3.csv" L3 >"$work/out" 2>&1
check "step L3: centres and axles of the wheels agree with the other channels"
sed 's/^/# /' "$work/out"

cat >"$work/views" <<END
step 2.345 outside 1280 900 step steer
step 5 above 390 844 step steer on a phone, from above
loop 2.2 outside 1280 900 loop, upside down
loop 3.117 driver 1280 900 loop, from the seat
kerb 1.25 outside 1280 900 L4 on a kerb
kerb 1.263 wheel 390 844 L4 on a kerb, at the wheel
track 1.23 outside 1280 900 track car
track 3 above 1280 900 track car from above
END
why="three of the views are opened"
cut -d ' ' -f 6- "$work/views" | sample 3 | sed 's/^/ /; s/$/$/' >"$work/opened"
: >"$work/told"
if command -v chromium >/dev/null 2>&1; then
  grep -f "$work/opened" "$work/views" | python3 "$work/drive.py" "$work" tests/common >"$work/told" 2>"$work/err"
else
  why="no chromium"
fi
while read -r _ _ _ _ _ name; do
  title="$name: the wheels are where the log has them"
  if [ "$why" = "no chromium" ] || ! grep -qxF " $name\$" "$work/opened"; then
    skip "$title" "$why"
    continue
  fi
  grep -q "^$name: within [0-9.]* pixels" "$work/told"
  check "$title" "$work/told" "$work/err"
done <"$work/views"
sed 's/^/# /' "$work/told"

"$exe" -q --report "$work/two.html" "$step" scenarios/ride/step_steer.yaml 2>"$work/err" &&
  python3 tests/common/page.py "$work/two.html" 14 >"$work/out" 2>&1 &&
  grep -c '"rodWheel"' "$work/two.html" | grep -qx 2
check "the page of two runs shows both"
cat "$work/out" "$work/err" | sed 's/^/# /'

# Two variants of a car with one name, and five manoeuvres: the page shows how they differ.
sed 's/^vehicle:.*/vehicle: {base: ..\/vehicles\/saloon.yaml, mass: 1700 kg}/' scenarios/handling/step_steer.yaml \
  >"$work/heavy.yaml"
sed -i "s|\.\./|$top/scenarios/|" "$work/heavy.yaml"
sed "s|\.\./|$top/scenarios/|; s|sedan.yaml|saloon.yaml|" scenarios/handling/step_steer.yaml >"$work/light.yaml"
"$exe" -q --report "$work/variants.html" "$work/light.yaml" "$work/heavy.yaml" 2>"$work/err" &&
  python3 tests/common/page.py "$work/variants.html" 14 >"$work/out" 2>&1 &&
  grep -q '<th class="n of">light</th><th class="n of">heavy</th>' "$work/variants.html"
check "two variants of one name are distinguished by their files"
cat "$work/out" "$work/err" | sed 's/^/# /'

# 1700 - 1532 = 168 kg, 11 % of 1532
tr -d '\n' <"$work/variants.html" >"$work/flat"
differ='vehicle.<wbr>mass</td><td[^>]*><span>1532[^<]*kg</span></td><td[^>]*><span>1700[^<]*kg<'
grep -q "Keys that differ</h2>.*$differ" "$work/flat"
check "the keys that differ are listed with their units"
python3 - "$work/variants.html" >"$work/out" 2>&1 <<'END'
import re, sys
text = open(sys.argv[1], encoding='utf-8').read()
row = re.search(r'<tr><td>steering_<wbr>wheel_<wbr>steady_<wbr>rad</td>(.*?)</tr>', text, re.S).group(1)
first, second, by = [float(v.replace('\u2212', '-')) for v in re.findall(r'([\u2212+\d.]+)(?:\u202fdeg| \()', row)]
print(first, second, by)
# values of four digits: each is within 0.005 of the exact one
sys.exit(0 if by != 0 and abs(second - first - by) <= 0.0101 else 1)
END
check "a value has its difference from the value of the first run"
sed 's/^/# /' "$work/out"

set --
for one in step_steer sine_steer weave transition braking_in_turn; do
  set -- "$@" "scenarios/handling/$one.yaml"
done
"$exe" -q --report "$work/five.html" "$@" 2>"$work/err" &&
  python3 tests/common/page.py "$work/five.html" 60 >"$work/out" 2>&1 &&
  [ "$(grep -c '>Steering wheel torque, N m<' "$work/five.html")" -eq 5 ] &&
  [ "$(grep -c '<th class="n of">Value</th>' "$work/five.html")" -eq 5 ]
check "five manoeuvres have five charts of each quantity, and five tables"
cat "$work/out" "$work/err" | sed 's/^/# /'

awk -F ' *[|] *' '
  $1 == "picture" { on = $2 ~ /^(step|sine|weave|transition|brake_turn|path|gg)$/ }
  on && $1 == "panel" && $2 != "y" { print $2 }' cli/pictures.txt | sort -u >"$work/panels"
grep -o '<text class="title"[^>]*>[^<,]*' "$work/five.html" | sed 's/.*>//' | sort -u |
  comm -23 "$work/panels" - >"$work/out"
[ "$(wc -l <"$work/panels")" -eq 10 ] && [ ! -s "$work/out" ] && grep -q '>90 % at [0-9.]* s<' "$work/five.html" &&
  grep -q '>Braking in a turn: motion and its reference' "$work/five.html"
check "the page has the pictures of cli/pictures.txt, with their marks" "$work/out"
"$exe" -q --report "$work/circle.html" scenarios/handling/constant_radius.yaml 2>"$work/err" &&
  "$exe" -q --metrics "$work/circle.csv" scenarios/handling/constant_radius.yaml 2>>"$work/err" &&
  python3 - "$work/circle.html" "$work/circle.csv" <<'END' >"$work/out" 2>&1
import csv, re, sys
text = open(sys.argv[1], encoding='utf-8').read()
m = {r['metric']: r['value'] for r in csv.DictReader(open(sys.argv[2]))}
pictures = re.findall(r'<svg viewBox.*?<path class="frame".*?</svg>', text, re.S)
svg = next(s for s in pictures if '>Steering angle less L/R' in s)
slope, = re.findall(r'>understeer gradient ([-\d.]+) deg/g<', svg)
wanted = float(m['understeer_gradient_deg_per_g'])
assert abs(float(slope) - wanted) < 0.006, (slope, wanted)
# the entry into the turn is left out: ay grows from the first point on
x = [float(p.split()[0]) for p in re.split('[ML]', re.search(r'class="run[^"]*" d="([^"]*)"', svg).group(1))[1:]]
assert len(x) > 10 and all(b >= a - 0.15 for a, b in zip(x, x[1:])), x[:20]
END
check "the handling diagram has its gradient, and no entry into the turn" "$work/out" "$work/err"

# Five cars whose names differ at the end of a long text, with a word that has no place for a break.
set --
for i in 1 2 3 4 5; do
  printf 'base: %s/scenarios/vehicles/saloon.yaml\nmass: %d kg\nname: "%s %d"\n' "$top" $((1500 + 30 * i)) \
    "A saloon with the quite unreasonably long name of a press release, Donaudampfschifffahrtsgesellschaftsauto" $i \
    >"$work/car$i.yaml"
  sed "s|\.\./|$top/scenarios/|; s|^vehicle:.*|vehicle: car$i.yaml|" scenarios/handling/step_steer.yaml \
    >"$work/a_long_name_of_a_scenario_without_any_blank_$i.yaml"
  set -- "$@" "$work/a_long_name_of_a_scenario_without_any_blank_$i.yaml"
done
"$exe" -q --report "$work/long.html" "$@" 2>"$work/err" &&
  python3 tests/common/page.py "$work/long.html" 14 >"$work/out" 2>&1 &&
  for i in 1 2 3 4 5; do
    grep -q "<th class=\"n of\">A saloon with .*… $i</th>" "$work/long.html" || echo "no $i"
  done >"$work/out" &&
  [ "$(grep -c '>A saloon with[^<]*… 5</text>' "$work/long.html")" -ge 14 ] && [ ! -s "$work/out" ]
check "long names are shortened to the parts in which they differ" "$work/out" "$work/err"

printf '%s\n' step loop kerb track chirp variants five circle long | sample 1 | sed "s|.*|$work/&.html|" >"$work/laid"
# shellcheck disable=SC2046 # names without blanks
laid_out "on a phone, a screen and paper nothing is cut or covered: $(sed 's|.*/||' "$work/laid" | tr '\n' ' ')" \
  $(cat "$work/laid")

"$exe" -q --report "$work/again.html" "$step" && cmp -s "$work/step.html" "$work/again.html"
check "a run gives the same page each time"

"$exe" -q --set duration=x --report "$work/none.html" "$step" >/dev/null 2>&1
[ $? -eq 2 ] && [ ! -e "$work/none.html" ]
check "a bad scenario: status 2 and no page"

"$exe" --report "$work/rig.html" scenarios/rig/fy_alpha.yaml 2>"$work/err"
[ $? -eq 2 ] && grep -q "shows a car; 'scenarios/rig/fy_alpha.yaml' is a tyre rig" "$work/err"
check "--report of a tyre rig is refused"

"$exe" --report "$work/a.html" -o "$work/b" "$step" 2>"$work/err"
[ $? -eq 2 ] && grep -q 'cannot be combined with -o' "$work/err"
check "--report and a time history exclude each other"

all_well
