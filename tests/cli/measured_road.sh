#!/bin/sh
# Cars on roads in the format of measured roads (OpenCRG), which scripts/make-crg writes. They are compared with the
# same surface from a formula, along x and turned, as text and binary. Also a bend, and a road that ends.
# Usage: tests/cli/measured_road.sh VDSIM-RUN
#
# Expected values: runs on ground `rough`, A (sin k1 x + 1/2 sin(k2 x + 1.3)) with A = 1 cm, wavelengths of 6 and 2.22
# m. The error of cubics by differences between heights h = 0.1 m apart is at most h3 M3/24 + h4 M4/384 = 5.3e-6 m, with
# M3 = A (k1^3 + k2^3/2) = 0.125 1/m2 and M4 = 0.33 1/m3; the error of the slopes is at most h2 M3/6 = 2.1e-4. They
# change the forces of a tyre of 200 kN/m and 4 kN by 1.1 N and 0.8 N; a factor of 3 allows for resonances.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 17

road() { sh "$top/scripts/make-crg" "$@"; }
rough='0.01*(sin(2*pi/6*(u-20))+0.5*sin(2*pi/6/0.37*(u-20)+1.3))' # u counts from x = -20 m
road -f KDBI -l 120 -i 0.1 -v '-3 -1 1 3' "$rough" >"$work/rough.crg"
cat >"$work/formula.yaml" <<END
vehicle: $top/scenarios/vehicles/sedan.yaml
ground: {type: rough, amplitude: 0.01, wavelength: 6}
run: {level: L3, duration: 4 s}
initial: {speed: 20 m/s}
speed: 20 m/s
log: {rate: 50 Hz, channels: [t_s, z_m, pitch_rad, roll_rad, fz_fl_N, fz_fr_N, fz_rl_N, fz_rr_N]}
END
cat >"$work/measured.yaml" <<END
base: formula.yaml
ground: {type: crg, file: rough.crg, x: -20, y: 0}
END
cat >"$work/turned.yaml" <<END
base: formula.yaml
ground: {type: crg, file: rough.crg, x: -17.551651237807454, y: -9.588510772084060, heading: 0.5}
initial: {speed: 20 m/s, yaw: 0.5}
END
run "$work/formula.yaml"
cp "$work/out" "$work/formula.csv"

# Checks the largest differences from the run on the formula: m, rad, N.
differ() {
  awk -F, 'NR == FNR { for (i = 1; i <= NF; i++) a[FNR, i] = $i; next }
    FNR > 1 { for (i = 2; i <= NF; i++) { d = $i - a[FNR, i]; d = d < 0 ? -d : d; k = i < 3 ? 1 : i < 5 ? 2 : 3;
        if (d > m[k]) m[k] = d } }
    END { printf "# %.3g m, %.3g rad, %.3g N over %d rows\n", m[1], m[2], m[3], FNR;
      exit !(FNR > 200 && m[1] < 1.6e-5 && m[2] < 1.2e-5 && m[3] < 6) }' \
    "$work/formula.csv" "$work/out"
}
run "$work/measured.yaml"
differ
check "a road of measured heights gives the run on the formula, within the error of the interpolation"
run "$work/turned.yaml"
differ
check "a road of measured heights gives the run on the formula, turned by 0.5 rad with the car"

# --- wheels on linkages, and a body that is free

linked="--set vehicle=$top/scenarios/vehicles/sedan_hardpoints.yaml"
for level in L4 L5; do
  # shellcheck disable=SC2086
  run --set run.level=$level $linked "$work/formula.yaml"
  cp "$work/out" "$work/formula.csv"
  # shellcheck disable=SC2086
  run --set run.level=$level $linked "$work/turned.yaml"
  differ
  check "a road of measured heights gives the run on the formula at $level, turned by 0.5 rad"
done
run "$work/formula.yaml"
cp "$work/out" "$work/formula.csv"

# --- formats: text of 7 decimals differs by 5e-8 m and 0.01 N

road -f LRFI -l 120 -i 0.1 -v '-3 -1 1 3' "$rough" >"$work/rough.crg"
run "$work/measured.yaml"
differ
check "a road from text of single precision gives the run on the formula"

# --- the ledger

run --metrics - "$work/turned.yaml"
awk -F, '$1 == "ledger_residual" { found = 1; exit !($2 < 1e-6) } END { if (!found) exit 1 }' "$work/out"
check "the energy ledger closes to 1e-6 on a road of text"

# --- a bend: a clothoid of 30 m into a circle of 40 m radius, banked; the car follows its line

road -l 90 -i 0.5 -v '-4 -2 0 2 4' -p 'u < 30 ? u*u/2400 : 0.375+(u-30)/40' -b 'u < 30 ? -u/600 : -0.05' \
  "0.003*sin(2*pi*u/5)" >"$work/bend.crg"
cat >"$work/bend.yaml" <<END
vehicle: $top/scenarios/vehicles/sedan.yaml
ground: {type: crg, file: bend.crg, x: -4}
run: {level: L3, duration: 5 s}
initial: {speed: 40 km/h}
speed: 40 km/h
curvature: {type: table, points: [[0, 0], [2.7, 0.025], [5, 0.025]]}
END
run --metrics - "$work/bend.yaml"
awk -F, '$1 == "ledger_residual" { found = 1; exit !($2 < 1e-6) } END { if (!found) exit 1 }' "$work/out"
check "a banked bend: the ledger closes to 1e-6"
run -c roll_rad,z_m "$work/bend.yaml"
# the outside of the bend is higher by 0.05 m/m; at 0.31 g the body rolls outward by a smaller angle
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "roll_rad") at = i } NR > 1 { roll = $at }
  END { exit !(roll > -0.05 && roll < 0) }' "$work/out"
check "a banked bend: the car leans into it"

# --- provenance: the resolved scenario has the full path of the road's file

mkdir "$work/other" && cp "$work"/*.crg "$work"/*.yaml "$work/other"
for folder in "$work" "$work/other"; do
  run -o "$folder/bent.csv" --set run.duration=0.1 "$folder/bend.yaml"
  sed -n 's/^resolved_fnv1a64: //p' "$folder/bent.provenance.yaml"
done >"$work/hashes"
[ "$(wc -l <"$work/hashes")" -eq 2 ] && [ "$(uniq "$work/hashes" | wc -l)" -eq 1 ]
check "one scenario in two folders has one hash" "$work/hashes"

# --- refusals and ends

run --set run.level=L2 --check "$work/bend.yaml"
[ "$status" -eq 2 ]
check "L2 refuses a measured road"
road -l 30 -v '-3 0 3' -o 'BORDER_MODE_U = 0' 0 >"$work/rough.crg"
# the road ends at x = -20 + 30 m; the front axle is cg_to_front ahead of x_m
for level in L3 L4 L5; do
  # shellcheck disable=SC2086
  run --set run.level=$level $linked "$work/measured.yaml"
  [ "$status" -eq 3 ] &&
    grep -q 'front left wheel has left the measured road at t = .* near x = 10[0-9.]* m, .*BORDER_MODE' "$work/err"
  check "$level: a run that leaves a road with border mode 0 ends with a message: which wheel, and where"
done
# a road from x = -30 m to 0: the front axle, cg_to_front ahead of the start at x = 0, stands beyond its end
for level in L3 L4 L5; do
  # shellcheck disable=SC2086
  run --set run.level=$level --set ground.x=-30 $linked "$work/measured.yaml"
  [ "$status" -eq 3 ] &&
    grep -q "front left wheel stands beside the measured road at t = 0 s, near x = 1.2 m, y = 0.775 m: .*BORDER_MODE" \
    "$work/err"
  check "$level: a car that starts beyond the end of such a road gets a message with the place of the wheel"
done

# --- memory ---

# A road in short floats, as measured roads are published: 2 million heights along a line that bends. The file and its
# heights take at most five times the size of the file. For each float the file takes 4 bytes, the grid 8 and the
# bounds 4; the line takes 25 doubles for each of 10000 rows, a quarter of the file. The memory of the program itself is
# measured by a run on a formula.
python3 - "$work/long.crg" <<'END'
import array, math, sys

columns = 201
header = '$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 0.05\n$\n$KD_DEFINITION\n#:KRBI\nD:reference line phi,rad\n'
header += ''.join(f'D:long section at v = {0.02 * i - 2.0:.2f},m\n' for i in range(columns)) + '$\n$$$$\n'
numbers = array.array('f')
for row in range(10000):
    numbers.append(1e-4 * row)
    numbers.extend(0.01 * math.sin(0.05 * row + 0.3 * k) for k in range(columns))
numbers.extend([math.nan] * (-len(numbers) % 20))
if sys.byteorder == 'little':
    numbers.byteswap()
with open(sys.argv[1], 'wb') as out:
    out.write(header.encode() + numbers.tobytes())
END
python3 - "$exe" "$work" >"$work/out" 2>"$work/err" <<'END'
import math, os, subprocess, sys

exe, folder = sys.argv[1:]

def peak(*args):  # in bytes; includes the small memory of this process before it executes the program
    run = subprocess.Popen([exe, '-q', '-o', f'{folder}/peak', *args, f'{folder}/formula.yaml'])
    _, status, used = os.wait4(run.pid, 0)
    return used.ru_maxrss * 1024 if status == 0 else math.inf

# the kernel may take back pages, so the least of three runs with the road is compared with the most of three without
short = ['--set', 'run.duration=0.1']
road = min(peak('--set', f'ground={{type: crg, file: {folder}/long.crg}}', *short) for _ in range(3))
times = (road - max(peak(*short) for _ in range(3))) / os.path.getsize(f'{folder}/long.crg')
print(f'{times:.2f} times the file')
sys.exit(not 1.0 < times <= 5.0)
END
check "a long measured road takes at most five times the size of its file in memory" "$work/out" "$work/err"
sed 's/^/# /' "$work/out"

all_well
