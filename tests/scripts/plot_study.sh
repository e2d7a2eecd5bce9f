#!/bin/sh
# scripts/plot-study: its pictures show the numbers of the table. They are read from the SVG: points, bars, lines,
# contours. Expected figures are closed forms. Usage: tests/scripts/plot_study.sh VDSIM-RUN Reads scenarios/; writes a
# temporary folder. Skipped without gnuplot or python3.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
command -v gnuplot >/dev/null || { echo "1..0 # SKIP no gnuplot"; exit 0; }
command -v python3 >/dev/null || { echo "1..0 # SKIP no python3"; exit 0; }

plan 20
draw() {
  scripts/plot-study "$@" >"$work/out" 2>"$work/err"
  status=$?
}

# The contents of a picture, in pixels.
cat >"$work/svg.py" <<'END'
import csv, re, sys
picture, table = sys.argv[1:3]
svg = open(picture, encoding="utf-8").read()
rows = [r for r in csv.DictReader(open(table)) if r["status"] == "ok"]
column = lambda name: [float(r[name]) for r in rows]
pairs = lambda text: [tuple(map(float, p.split(","))) for p in re.findall(r"-?[\d.]+,-?[\d.]+", text)]
points = [tuple(map(float, p))
    for p in re.findall(r"<use xlink:href='#gpPt\d+' transform='translate\(([\d.-]+),([\d.-]+)\)", svg)]
bars = lambda rgb: [pairs(p) for p in re.findall(r"<polygon fill = 'rgb\(%s\)'[^>]* points = '([^']*)'" % rgb, svg)]
paths = lambda rgb: [pairs(l) for p in re.findall(r"<path stroke='rgb\(%s\)'[^>]* d='([^']*)'" % rgb, svg)
    for l in p.split("M") if l.strip()]
texts = re.findall(r"<text>(?:<tspan[^>]*>)?([^<]*)", svg)
BLUE, RED, GRID, WHITE = "  0, 114, 178", "213,  94,   0", "216, 216, 216", "255, 255, 255"


def straight(pixels, values, tolerance=0.02):
    """Whether pixels are a linear function of the values, to a fiftieth of a pixel: an SVG has two decimals."""
    low, high = values.index(min(values)), values.index(max(values))
    slope = (pixels[high] - pixels[low]) / (values[high] - values[low])
    return all(abs(pixels[low] + slope * (v - values[low]) - p) <= tolerance for p, v in zip(pixels, values))


def expect(condition, text):
    if not condition:
        sys.exit(f"{picture}: {text}")


exec(sys.argv[3])
END
look() { # PICTURE TABLE PROGRAM
  python3 "$work/svg.py" "$@" >"$work/out" 2>"$work/err"
}

# --- a shipped study ---
"$exe" -q -j 2 -o "$work" scenarios/study/step_steer_spread.yaml
s=$work/step_steer_spread.csv
draw -o "$work/scatter.svg" -y yaw_rate_overshoot -x grip -x bar_rear_Nmprad scatter "$s"
[ $status -eq 0 ] && [ ! -s "$work/err" ] && look "$work/scatter.svg" "$s" '
n = len(rows)
expect(len(points) == 2*n, f"{len(points)} points for {n} cases")
for i, name in enumerate(["grip", "bar_rear_Nmprad"]):
    x, y = zip(*points[i*n:(i + 1)*n])
    expect(straight(x, column(name)) and straight(y, column("yaw_rate_overshoot")),
        name + ": points are not those of the table")
expect(n == 34 and any("34 of 40 cases" in t for t in texts), "excluded cases")'
check "scatter: the points are the cases that are ok"
draw -o "$work/hist.svg" -y yaw_rate_overshoot histogram "$s"
p05=$(awk -F , '$1 == "yaw_rate_overshoot_p05" { printf "%.5g", $2 }' "$work/step_steer_spread.metrics.csv")
median=$(awk -F , '$1 == "yaw_rate_overshoot_median" { printf "%.5g", $2 }' "$work/step_steer_spread.metrics.csv")
p95=$(awk -F , '$1 == "yaw_rate_overshoot_p95" { printf "%.5g", $2 }' "$work/step_steer_spread.metrics.csv")
[ $status -eq 0 ] && [ -n "$p05" ] && grep -q "5 %: $p05<" "$work/hist.svg" &&
  grep -q "median: $median<" "$work/hist.svg" &&
  grep -q "95 %: $p95<" "$work/hist.svg"
check "histogram: the quantiles are the study's own figures"
look "$work/hist.svg" "$s" "
values = sorted(column('yaw_rate_overshoot'))
drawn = [b for b in bars(BLUE)]
at = [l[-1][0] for l in paths(RED) if len(l) == 2 and abs(l[0][0] - l[1][0]) < 0.01]
expect(len(at) == 3, f'{len(at)} lines of quantiles')
value_at = lambda pixel: $p05 + (pixel - at[0])/(at[2] - at[0])*($p95 - $p05)
expect(abs(value_at(at[1]) - $median) < 1e-4*$median, 'the median is not at its place')
counts = []
for b in drawn:
    low, high = value_at(min(p[0] for p in b)), value_at(max(p[0] for p in b))
    counts.append((sum(low - 1e-5 <= v < high - 1e-5 for v in values) + (b is drawn[-1] and values[-1] >= high - 1e-5),
                   max(p[1] for p in b) - min(p[1] for p in b)))
expect(len(drawn) >= 5 and sum(c for c, _ in counts) == len(values), f'bars hold {counts}')
expect(straight([h for _, h in counts], [c for c, _ in counts], 0.05), f'heights are not the counts: {counts}')"
check "histogram: the bars have the heights of their counts"

# --- closed forms ---
# y = 2 a - b + 7 on a grid of 5 x 5 levels, scaled differently. The levels have one variance V in parts of the range,
# and no correlation: the variance of y is 4 V + V, and the coefficients are 2/sqrt 5 and -1/sqrt 5 with all variance
# explained. c = 3 a + 1 follows from a; d is a word; e does not vary; z = (a - 2)^2 + b^2.
{
  echo 'case,status,a_m,b_N,c,d,e,y_mps,z,quick'
  for a in 0 1 2 3 4; do
    for b in 0 1 2 3 4; do
      z=$(((a - 2) * (a - 2) + b * b))
      echo "$((5 * a + b)),ok,0.$a,${b}000,$((3 * a + 1)),w$((b % 2)),5,$((2 * a - b + 7)),$z,$((a * a * a))"
    done
  done
  echo '25,"refused: a, b",9,9,9,w0,5,,,'
  echo '26,ended: overturned,9,9000,9,w0,5,999,999,999'
} >"$work/grid.csv"
printf 'kind: study\nvary:\n%sdesign:\n  type: grid\n' \
  "$(for f in a b c d e; do printf '  - name: %s\n    type: list\n.' $f; done | tr -d .)
" >"$work/grid.resolved.yaml"
draw -o "$work/tornado.svg" -y y_mps tornado "$work/grid.csv"
[ $status -eq 0 ] && grep -q "'c' follows from those before it" "$work/err" && grep -q "'d' has words" "$work/err" &&
  grep -q "'e' does not vary" "$work/err" && [ "$(wc -l <"$work/err")" -eq 3 ]
check "tornado: factors that do not belong into a regression are left out, with a word"
bar_values='
grid = sorted(l[0][0] for l in paths(GRID) if len(l) == 2 and abs(l[0][0] - l[1][0]) < 0.01)
expect(len(grid) == 5, f"{len(grid)} grid lines of -1 .. 1")
value = lambda b: (max(b, key=lambda p: abs(p[0] - grid[2]))[0] - grid[2])/(grid[4] - grid[2])
regression, rank = ([value(b) for b in bars(c)[1:]] for c in (BLUE, RED))  # the first is of the legend
'
# the smaller one is below
look "$work/tornado.svg" "$work/grid.csv" "$bar_values
expect(len(regression) == 2, regression)
expect(abs(regression[0] + 5**-0.5) < 1e-3 and abs(regression[1] - 2*5**-0.5) < 1e-3, regression)
expect(any('for 100.0 % of its variance; 25 of 27 cases' in t for t in texts), texts)"
check "tornado: standardised regression coefficients of a linear metric: 2/sqrt(5), -1/sqrt(5)"
# Spearman: Pearson of the ranks; equal values share the mean of theirs
look "$work/tornado.svg" "$work/grid.csv" "$bar_values
def ranks(v):
    return [sum(w < x for w in v) + 0.5*(sum(w == x for w in v) + 1) for x in v]
def pearson(a, b):
    m, k = sum(a)/len(a), sum(b)/len(b)
    return sum((p - m)*(q - k) for p, q in zip(a, b))/(sum((p - m)**2 for p in a)*sum((q - k)**2 for q in b))**0.5
for name, shown in (('b_N', rank[0]), ('a_m', rank[1])):
    wanted = pearson(ranks(column(name)), ranks(column('y_mps')))
    expect(abs(wanted - shown) < 1e-3 and abs(wanted) > 0.3, (name, wanted, shown))"
check "tornado: rank correlations, by their definition"
# quick = a^3: its ranks are those of a. Of a = 0 .. 4 the cubes have the mean 20; the sum of (a - 2)(a^3 - 20) is
# 40 + 19 + 0 + 7 + 88 = 154, and those of the squares are 10 and 400 + 361 + 144 + 49 + 1936 = 2890
draw -o "$work/quick.svg" -y quick -x a_m -x b_N tornado "$work/grid.csv"
[ $status -eq 0 ] && look "$work/quick.svg" "$work/grid.csv" "$bar_values
expect(abs(regression[1] - 154/(10*2890)**0.5) < 1e-3 and abs(regression[0]) < 1e-3, regression)
expect(abs(rank[1] - 1) < 1e-3 and abs(rank[0]) < 1e-3, rank)
expect(any('for 82.1 %' in t for t in texts), texts)"
check "tornado: a cubic metric has the rank correlation 1 and the coefficient 154/sqrt(28900)"
draw -o "$work/surface.svg" -y z -x a_m -x b_N surface "$work/grid.csv"
[ $status -eq 0 ] && [ ! -s "$work/err" ] && look "$work/surface.svg" "$work/grid.csv" '
expect(len(points) == 2*len(rows), f"{len(points)} points")
x, y = zip(*points[:len(rows)])
expect(straight(x, column("a_m")) and straight(y, column("b_N")), "points")
a = lambda px: 4*(px - min(x))/(max(x) - min(x))
b = lambda py: 4*(max(y) - py)/(max(y) - min(y))
lines = [l for l in paths(WHITE) if len(l) > 2]
levels = set()
for l in lines:
    z = [(a(p) - 2)**2 + b(q)**2 for p, q in l]
    # straight pieces between points of a mesh of 1/25: the error is at most 2 (1/25)^2/8 twice, and a fiftieth of a
    # pixel
    expect(max(z) - min(z) < 0.02, f"a contour goes from {min(z)} to {max(z)}")
    levels.add(round(sum(z)/len(z), 1))
expect(len(levels) >= 5 and all(v == int(v) for v in levels), levels)
expect(any("explains 100.0 %" in t for t in texts), texts)'
check "surface: the contours of a sum of squares are circles of round levels"
draw -o "$work/words.svg" -y y_mps -x d scatter "$work/grid.csv"
[ $status -eq 0 ] && grep -q '>w0<\|>w0$' "$work/words.svg" && look "$work/words.svg" "$work/grid.csv" '
expect(len(points) == len(rows) and len({p[0] for p in points}) == 2, "words")
expect(all((p[0] == min(points)[0]) == (r["d"] == "w0") for p, r in zip(points, rows)), "words at the wrong place")'
check "scatter: words stand side by side"

# --- endings ---
draw -o "$work/it.png" -y y_mps histogram "$work/grid.csv"
[ $status -eq 0 ] && [ "$(size_of "$work/it.png")" = "800 532" ]
check "a PNG"
draw -o "$work/it.pdf" -t 'a title' -y y_mps histogram "$work/grid.csv"
[ $status -eq 0 ] && [ "$(head -c 5 "$work/it.pdf")" = %PDF- ] && grep -aq 'MediaBox \[ *0 0 800 564 *\]' "$work/it.pdf"
check "a PDF, as large as the PNG at 72 dots an inch"

# --- refusals ---
refused() { # WORDS ARGUMENTS...: status 2, one line, no picture
  words=$1
  shift
  rm -f "$work/no.svg"
  draw -o "$work/no.svg" "$@"
  [ $status -eq 2 ] && [ ! -s "$work/out" ] && [ ! -e "$work/no.svg" ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
    grep -q "^plot-study: .*$words" "$work/err" && return
  sed 's/^/# /' "$work/err"
  return 1
}
refused "no kind of picture" && refused "no kind 'pie'; the kinds are" pie "$s" && refused "table of one study" scatter
check "refused: no kind, an unknown one, no table"
refused "-y is one of the metrics peak_ay_mps2, yaw" scatter "$s"
check "refused: one of several metrics is not named"
refused "no metric 'yaw_rate_overshot' .*did you mean 'yaw_rate_overshoot'" -y yaw_rate_overshot scatter "$s" &&
  refused "no factor 'mass' .*did you mean 'mass_kg'" -y yaw_rate_overshoot -x mass scatter "$s" &&
  refused "no factor 'q'.*there are factors mass_kg, yaw" -y yaw_rate_overshoot -x q scatter "$s"
check "refused: unknown columns, with near ones"
refused "over two factors" -y z -x a_m surface "$work/grid.csv" &&
  refused "three values of each" -y z -x a_m -x c surface "$work/grid.csv"
check "refused: a surface over one factor, or over two that go together"
cp "$work/step_steer_spread.times.csv" "$work/t.csv" && cp "$work/grid.resolved.yaml" "$work/t.resolved.yaml"
refused "is it the table of a study" scatter "$work/t.csv"
check "refused: another table"
cp "$s" "$work/alone.csv"
refused "no such file: .*alone.resolved.yaml" -y yaw_rate_overshoot scatter "$work/alone.csv"
check "refused: a table without its resolved study"
head -n 1 "$work/grid.csv" >"$work/none.csv" && cp "$work/grid.resolved.yaml" "$work/none.resolved.yaml"
refused "0 of 0 cases are ok" -y z scatter "$work/none.csv"
check "refused: no cases"
# gnuplot runs what follows a < in the name of a file, a shell what stands in `` or $()
(
  cd "$work" || exit 2
  # shellcheck disable=SC2016
  printf 'case,status,it\047s `touch x` $(touch x),y\n0,ok,`touch x`,1.5\n1,ok,\047q $(touch x),2\n' \
    >'<touch x;cat s.csv'
  printf 'vary:\n  - name: x\n' >'<touch x;cat s.resolved.yaml'
  # shellcheck disable=SC2016
  "$top/scripts/plot-study" -t '`touch x` $(touch x) "q"' -o it.svg scatter '<touch x;cat s.csv' >out 2>err &&
    [ ! -e x ] && grep -q 'touch x' it.svg
)
check "names of files, columns and words are no commands"
scripts/plot-study -h | grep -q '^usage: scripts/plot-study'
check "-h says how it is used"
all_well
