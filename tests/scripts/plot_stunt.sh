#!/bin/sh
# scripts/plot-stunt: pictures of a kerb, a fall and a loop from the side and from above, an animation, and refused inputs.
# Usage: tests/scripts/plot_stunt.sh VDSIM-RUN
# Reads scenarios/; writes a temporary folder. Skipped without gnuplot.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
command -v gnuplot >/dev/null || { echo "1..0 # SKIP no gnuplot"; exit 0; }

plan 16
draw() {
  rm -f "$work/it.png"
  scripts/plot-stunt -o "$work/it.png" "$@" >"$work/out" 2>"$work/err"
  status=$?
}
refused() { [ $status -eq 2 ] && grep -q "$1" "$work/err" && [ ! -e "$work/it.png" ]; }

"$exe" --rate 100 -c '*' -o "$work/kerb.csv" scenarios/ride/kerb_strike.yaml || exit 2
"$exe" --rate 100 --set initial.speed=10 --set handbrake=0 --set run.duration=1.5 -c '*' -o "$work/drop.csv" scenarios/ride/drop.yaml || exit 2

# A log of a circle of 10 m with a total load of 12 kN, off the road in its upper half.
awk 'BEGIN {
  split("fl fr rl rr", wheel, " ")
  printf "t_s,x_m,y_m,z_m,quaternion_w,quaternion_x,quaternion_y,quaternion_z"
  for (k = 1; k <= 4; k++)
    printf ",contact_x_%s_m,contact_y_%s_m,road_%s_m,fx_%s_N,fy_%s_N,fz_%s_N,steer_%s_rad", wheel[k], wheel[k], wheel[k], wheel[k], wheel[k], wheel[k], wheel[k]
  print ""
  for (i = 0; i <= 400; i++) {
    a = 8 * atan2(1, 1) * i / 400
    printf "%g,%.9g,0,%.9g,%.9g,0,%.9g,0", i / 100, 10 * sin(a), 10 - 10 * cos(a), cos(a / 2), -sin(a / 2)
    for (k = 1; k <= 4; k++) {
      x = k < 3 ? 1.3 : -1.3
      y = k % 2 ? 0.8 : -0.8
      printf ",%.9g,%g,%.9g,0,%g,%g,0", 10 * sin(a) + x * cos(a) + 0.5 * sin(a), y, 10 - 10 * cos(a) + x * sin(a) - 0.5 * cos(a), cos(a) < 0 ? 0 : 500, cos(a) < 0 ? 0 : 3000
    }
    print ""
  }
}' >"$work/loop.csv"

draw "$work/kerb.csv"
[ $status -eq 0 ] && [ ! -s "$work/err" ] && [ "$(size_of "$work/it.png" | cut -d ' ' -f 1)" = 1100 ]
check "the picture of a car on a kerb is 1100 wide"
draw -t "a loop" "$work/loop.csv"
# 1000 pixels for 20 m would make the side view too high: it is limited to 700
[ $status -eq 0 ] && [ ! -s "$work/err" ] && awk -v size="$(size_of "$work/it.png")" 'BEGIN { split(size, n, " "); exit !(n[1] == 1100 && n[2] > 66 + 700 + 60 + 140 + 49) }'
check "the picture of a loop with a title is not too high"
draw -n 5 "$work/kerb.csv" "$work/drop.csv"
[ $status -eq 0 ] && [ ! -s "$work/err" ]
check "a picture of two runs"
scripts/plot --stunt -o "$work/loop.svg" -n 9 "$work/loop.csv" && grep -q '</svg>' "$work/loop.svg"
check "scripts/plot --stunt draws SVG"
grep -q 'in the air' "$work/loop.svg" && grep -q 'as long as a car: 6 kN' "$work/loop.svg"
check "the flight has an entry in the key, and the loads have a scale"
scripts/plot-stunt -o "$work/kerb.svg" "$work/kerb.csv" && ! grep -q 'in the air' "$work/kerb.svg"
check "a run without a flight has no such entry"
# The gnuplot script contains the coordinates: the car is upside down at the apex.
# A gnuplot that prints its script instead of drawing it.
mkdir "$work/bin"
cat >"$work/bin/gnuplot" <<END
#!/bin/sh
for last; do :; done
cat "\$last" >"$work/script"
END
chmod +x "$work/bin/gnuplot"
PATH=$work/bin:$PATH scripts/plot-stunt -o "$work/it.svg" -n 3 "$work/loop.csv" 2>"$work/err"
grep -q 'drew nothing' "$work/err" && awk '/^\$b1_car1/ { inside = 1; next } /^END/ { inside = 0 } inside' "$work/script" |
  awk 'BEGIN { RS = "" } NR == 2 { n = split($0, v, /[ \n]+/); for (i = 2; i <= n; i += 2) { if (v[i] < low || low == "") low = v[i]; if (v[i] > high) high = v[i] } }
    END { exit !(low > 19.249 && low < 19.251 && high > 20.299 && high < 20.301) }'
check "at the apex the roof is 0.75 m below the centre, the floor 0.3 m above"
awk '/^\$b1_load10/ { inside = 1; next } /^END/ { inside = 0 } inside' "$work/script" |
  awk 'BEGIN { RS = "" } { l = sqrt(($3 - $1)^2 + ($4 - $2)^2); if (l < 3.999 || l > 4.001 || $2 > 11.9) bad = 1 } END { exit bad || NR < 50 || NR > 70 }'
check "the longest load is as long as a car, and there is no load in the air"
scripts/plot-stunt --animate -n 5 -o "$work/loop.gif" "$work/loop.csv" 2>"$work/err" && [ ! -s "$work/err" ] && [ "$(head -c 4 "$work/loop.gif")" = GIF8 ]
check "an animation"

draw
refused 'no log given'
check "refused: no file"
draw "$work/nowhere.csv"
refused 'no such file'
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
refused 'must end in .png, .svg or .pdf'
check "refused: another kind of picture"
scripts/plot-stunt --animate -o "$work/it.png" "$work/loop.csv" 2>"$work/err"
status=$?
refused 'must end in .gif'
check "refused: another kind of animation"
draw -n 1 "$work/loop.csv"
refused 'takes a number'
check "refused: a series of one car"
all_well
