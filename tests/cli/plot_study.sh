#!/bin/sh
# vdsim-plot --study: the pictures agree with the table; points, bars, lines and contours are read from the SVG.
# Expected figures are closed forms.
# Usage: tests/cli/plot_study.sh VDSIM-RUN    (vdsim-plot is beside it)
# Reads scenarios/; writes a temporary folder. Skipped without python3. PNG and PDF need rsvg-convert.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
need_python
plot=$(dirname "$exe")/vdsim-plot

plan 21
draw() { # KIND ARGUMENT...
  kind=$1
  shift
  "$plot" --study="$kind" "$@" >"$work/out" 2>"$work/err"
  status=$?
}

# Functions that read the contents of a picture, in the values of its axes.
cat >"$work/study.py" <<'END'
import csv, sys
sys.path.insert(0, sys.argv[4])
from svg import *
size, panels, boxes = read(sys.argv[1])
texts = [b[4] for b in boxes]
check_boxes(size, panels, boxes)
rows = [r for r in csv.DictReader(open(sys.argv[2])) if r["status"] == "ok"]
column = lambda name: [float(r[name]) for r in rows]
marks = lambda p: [q for plot in p.plots if plot.kind == "marks" for q in plot.points]


def bars(p, k):
    """Rectangles of the area k, in values: from, to, along x and along y."""
    x, y = p.scale("x")[0], p.scale("y")[0]
    out = []
    for polygon in [plot for plot in p.plots if plot.kind == "area"][k].polygons:
        across, up = [x(q[0]) for q in polygon], [y(q[1]) for q in polygon]
        out.append((across[0], across[2], min(up), max(up)))
    return out


exec(sys.argv[3])
END
look() { # PICTURE TABLE PROGRAM
  python3 "$work/study.py" "$@" "$top/tests/common" >"$work/out" 2>"$work/err"
}

# --- a shipped study ---
"$exe" -q -j 2 -o "$work" scenarios/study/step_steer_spread.yaml
s=$work/step_steer_spread.csv
draw scatter -o "$work/it.svg" -x grip,bar_rear_Nmprad yaw_rate_overshoot "$s"
[ $status -eq 0 ] && [ ! -s "$work/err" ] && look "$work/it.svg" "$s" '
for p, name in zip(panels, ["grip", "bar_rear_Nmprad"]):
    same_points(p, p.plots[0], column(name), column("yaw_rate_overshoot"), name)
expect(len(panels) == 2 and len(rows) == 34 and "34 of 40 cases" in texts, "excluded cases")
expect("bar rear, N m/rad" in texts, texts)'
check "scatter: the points are the cases that are ok, over factors with their units"
draw histogram -o "$work/hist.svg" yaw_rate_overshoot "$s"
p05=$(awk -F , '$1 == "yaw_rate_overshoot_p05" { printf "%.5g", $2 }' "$work/step_steer_spread.metrics.csv")
median=$(awk -F , '$1 == "yaw_rate_overshoot_median" { printf "%.5g", $2 }' "$work/step_steer_spread.metrics.csv")
p95=$(awk -F , '$1 == "yaw_rate_overshoot_p95" { printf "%.5g", $2 }' "$work/step_steer_spread.metrics.csv")
[ $status -eq 0 ] && [ -n "$p05" ] && grep -q "5 %: $p05<" "$work/hist.svg" &&
  grep -q "median: $median<" "$work/hist.svg" &&
  grep -q "95 %: $p95<" "$work/hist.svg"
check "histogram: the quantiles agree with the figures of the study"
look "$work/hist.svg" "$s" "
values = sorted(column('yaw_rate_overshoot'))
p = panels[0]
x, slope = p.scale('x')[:2]
for at, wanted in zip(p.instants, ($p05, $median, $p95)):
    expect(abs(x(at) - wanted) < 0.1/slope + 1e-5*wanted, f'{wanted} at {x(at)}')
drawn = bars(p, 0)
last = len(drawn) - 1
counts = [sum(low <= v < high or (k == last and v == values[-1]) for v in values) for k, (low, high) in enumerate(
    (values[0] + k*(values[-1] - values[0])/len(drawn), values[0] + (k + 1)*(values[-1] - values[0])/len(drawn))
    for k in range(len(drawn)))]
expect(len(p.instants) == 3 and len(drawn) >= 5 and sum(counts) == len(values), counts)
for k, ((low, high, least, most), n) in enumerate(zip(drawn, counts)):
    expect(abs(most - n) < 0.02 and abs(least) < 0.02, f'bar {k} is from {least} to {most}, not {n}')
    expect(abs(low - values[0] - k*(values[-1] - values[0])/len(drawn)) < 0.1/slope, f'bar {k} at {low}')"
check "histogram: the heights of the bars are the counts"
draw scatter -o "$work/gain.svg" -x grip yaw_rate_gain_radps_per_rad "$s"
[ $status -eq 0 ] && look "$work/gain.svg" "$s" '
same_points(panels[0], panels[0].plots[0], column("grip"), column("yaw_rate_gain_radps_per_rad"), "gain")
expect("Yaw rate gain, rad/s per rad" in texts, texts)'
check "a gain has the unit of its name, and is not taken for an angle"
# --- closed forms ---
# y = 2 a - b + 7 on a grid of 5 x 5 levels; a and b have different units. Their levels have one variance V and no
# correlation: the variance of y is 4 V + V, the standardised coefficients are 2/sqrt 5 and -1/sqrt 5, and all variance
# is explained. c = 3 a + 1 follows from a; d is a word; e does not vary; z = (a - 2)^2 + b^2.
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
draw tornado -o "$work/tornado.svg" y_mps "$work/grid.csv"
[ $status -eq 0 ] && grep -q "'c' follows from those before it" "$work/err" && grep -q "'d' has words" "$work/err" &&
  grep -q "'e' does not vary" "$work/err" && [ "$(wc -l <"$work/err")" -eq 3 ]
check "tornado: factors that a regression cannot use are left out, with a message"
bar_values='
p = panels[0]
value = lambda b: b[1] # from 0
regression, rank = ([value(b) for b in bars(p, k)] for k in (0, 1))
'
# the smaller bar is below
look "$work/tornado.svg" "$work/grid.csv" "$bar_values
expect(len(regression) == 2 and p.words['y'] == ['b', 'a'], (regression, p.words))
expect(abs(regression[0] + 5**-0.5) < 1e-3 and abs(regression[1] - 2*5**-0.5) < 1e-3, regression)
expect(any('for 100.0 % of its variance; 25 of 27 cases' in t for t in texts), texts)"
check "tornado: standardised regression coefficients of a linear metric: 2/sqrt(5), -1/sqrt(5)"
# Spearman's correlation is Pearson's of the ranks; equal values share the mean of their ranks
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
# quick = a^3 has the ranks of a. Over a = 0 .. 4 the mean of a^3 is 20; the sum of (a - 2)(a^3 - 20) is
# 40 + 19 + 0 + 7 + 88 = 154, the sum of (a - 2)^2 is 10, and that of (a^3 - 20)^2 is 400 + 361 + 144 + 49 + 1936 = 2890
draw tornado -o "$work/quick.svg" -x a_m -x b_N quick "$work/grid.csv"
[ $status -eq 0 ] && look "$work/quick.svg" "$work/grid.csv" "$bar_values
expect(abs(regression[1] - 154/(10*2890)**0.5) < 1e-3 and abs(regression[0]) < 1e-3, regression)
expect(abs(rank[1] - 1) < 1e-3 and abs(rank[0]) < 1e-3, rank)
expect(any('for 82.1 %' in t for t in texts), texts)"
check "tornado: a cubic metric has the rank correlation 1 and the coefficient 154/sqrt(28900)"
draw surface -o "$work/surface.svg" -x a_m,b_N z "$work/grid.csv"
[ $status -eq 0 ] && [ ! -s "$work/err" ] && look "$work/surface.svg" "$work/grid.csv" '
p = panels[0]
x, y = p.scale("x")[0], p.scale("y")[0]
places = sorted((round(x(q[0]), 3), round(y(q[1])/1000, 3)) for q in marks(p))
expect(places == sorted((float(r["a_m"]), float(r["b_N"])/1000) for r in rows), places)
levels = set()
for plot in p.plots:
    z = [(10*x(q[0]) - 2)**2 + (y(q[1])/1000)**2 for line in plot.lines for q in line]
    if not z:
        continue
    # a contour has straight pieces between points of a mesh of 1/25: the error is at most 2 (1/25)^2/8 twice, plus a
    # fiftieth of a pixel
    expect(max(z) - min(z) < 0.02, f"a contour goes from {min(z)} to {max(z)}")
    levels.add(round(sum(z)/len(z), 1))
    expect(f"{round(sum(z)/len(z), 1):g}" in texts, f"no {sum(z)/len(z)} in the key")
expect(len(levels) >= 5 and all(v == int(v) for v in levels), levels)
expect(any("explains 100.0 %" in t for t in texts), texts)'
check "surface: the contours of a sum of squares are circles of round levels, which the key names"
draw scatter -o "$work/words.svg" -x d y_mps "$work/grid.csv"
[ $status -eq 0 ] && look "$work/words.svg" "$work/grid.csv" '
p = panels[0]
expect(p.words["x"] == ["w0", "w1"], p.words)
x = p.scale("x")[0]
expect(sorted(round(x(q[0])) for q in marks(p)) == sorted(int(r["d"][1]) for r in rows), "words at the wrong place")'
check "scatter: the words of a factor have places side by side"
long=factor_of_a_study_that_nobody_would_type_twice
{
  echo "case,status,$long,${long}_2_N,a_metric_with_a_name_that_is_longer_than_any_picture_on_a_telephone_is_wide_m"
  for k in 0 1 2 3 4 5; do echo "$k,ok,scenarios/vehicles/a_file_$((k % 3))_with_a_long_name.yaml,$((k * k)),$k"; done
} >"$work/long.csv"
printf 'vary:\n  - name: a\n  - name: b\n' >"$work/long.resolved.yaml"
for kind in scatter tornado histogram; do
  for size in 390 1100; do
    draw "$kind" -s $size -o "$work/long.svg" "$work/long.csv"
    look "$work/long.svg" "$work/long.csv" '' && continue
    echo "$kind at $size"
    cat "$work/err"
  done
done >"$work/wrong"
for size in 390 1100; do
  draw surface -s $size -o "$work/long.svg" -x b_N,a_m z "$work/grid.csv"
  look "$work/long.svg" "$work/grid.csv" '' && continue
  echo "surface at $size"
  cat "$work/err"
done >>"$work/wrong"
[ ! -s "$work/wrong" ]
check "texts do not overlap at 390 and at 1100 pixels, also long names" "$work/wrong"

# --- endings ---
if command -v rsvg-convert >/dev/null; then
  draw histogram -s 800x532 -o "$work/it.png" y_mps "$work/grid.csv"
  [ $status -eq 0 ] && [ "$(size_of "$work/it.png")" = "800 532" ]
  check "-o FILE.png writes a PNG"
else
  skip "-o FILE.png writes a PNG" "no rsvg-convert"
fi
ln -s "$plot" "$work/vdsim-plot-study"
draw scatter -o "$work/it.svg" -x grip,mass_kg yaw_rate_overshoot "$s"
"$work/vdsim-plot-study" -o "$work/other.svg" -x grip -x mass_kg -y yaw_rate_overshoot scatter "$s" &&
  cmp "$work/it.svg" "$work/other.svg"
check "vdsim-plot-study takes the picture as its first argument, and the metric also by -y"

# --- refusals ---
refused() { # WORDS KIND ARGUMENTS...: checks status 2, one line of message, and no picture
  words=$1 kind=$2
  shift 2
  rm -f "$work/no.svg"
  draw "$kind" -o "$work/no.svg" "$@"
  [ $status -eq 2 ] && [ ! -s "$work/out" ] && [ ! -e "$work/no.svg" ] &&
    [ "$(grep -c '^vdsim-plot: error: ' "$work/err")" -eq 1 ] &&
    grep -q "$words" "$work/err" && return
  sed 's/^/# /' "$work/err"
  return 1
}
refused "no picture 'pie' of a study; there are scatter" pie "$s" && refused "no log given" scatter &&
  refused "take one table" scatter "$s" "$s"
check "refused: an unknown picture, no table, two tables"
refused "one of its metrics: peak_ay_mps2, yaw" scatter "$s" &&
  refused "one of its metrics" scatter peak_ay_mps2 yaw_rate_overshoot "$s"
check "refused: of several metrics none is named, or two are named"
refused "no metric 'yaw_rate_overshot' .*did you mean 'yaw_rate_overshoot'" scatter yaw_rate_overshot "$s" &&
  refused "no factor 'mass' .*did you mean 'mass_kg'" scatter -x mass yaw_rate_overshoot "$s" &&
  refused "no factor 'q'.*there are mass_kg, yaw" scatter -x q yaw_rate_overshoot "$s"
check "refused: unknown columns, with near ones"
refused "over two factors" surface -x a_m z "$work/grid.csv" &&
  refused "three values of each" surface -x a_m,c z "$work/grid.csv"
check "refused: a surface over one factor, or over two factors that depend on each other"
cp "$work/step_steer_spread.times.csv" "$work/t.csv" && cp "$work/grid.resolved.yaml" "$work/t.resolved.yaml"
refused "is it the table of a study" scatter "$work/t.csv"
check "refused: another table"
cp "$s" "$work/alone.csv"
"$plot" --study=scatter -o "$work/no.svg" yaw_rate_overshoot "$work/alone.csv" >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && [ ! -e "$work/no.svg" ] && grep -q "alone.resolved.yaml" "$work/err"
check "refused: a table without its resolved study"
head -n 1 "$work/grid.csv" >"$work/none.csv" && cp "$work/grid.resolved.yaml" "$work/none.resolved.yaml"
printf '0,refused: x,1,2,3,w0,5,,,\n' >>"$work/none.csv"
refused "0 of 1 cases are ok" scatter z "$work/none.csv"
check "refused: no cases"
refused "d, -l and --log are for logs" scatter --log z "$work/grid.csv"
check "refused: options of logs"
all_well
