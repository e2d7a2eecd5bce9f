#!/bin/sh
# Adds a ground and a tyre to a copy of the tree by patches that touch only the files named in CONTRIBUTING.md. The copy
# is built without warnings, without optimisation and without AVX2. It computes the new ground and tyre, and gives the
# logs of this tree otherwise. The copy is built for one commit of three.
# Usage: tests/scripts/toys.sh VDSIM-RUN
# Writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 8
toys=tests/scripts/toys

# Prints the files of lib/ that a section of CONTRIBUTING.md names, with NAME replaced.
named() { # SECTION NAME
  awk -v section="### $1" '/^###? / { inside = $0 == section } inside && /^\| `lib\//' CONTRIBUTING.md |
    sed "s/^| \`\([^\`]*\)\`.*/\1/; s/NAME/$2/" | sort
}
touched() { # PATCH
  sed -n 's|^+++ b/\(lib/[^[:space:]]*\).*|\1|p' "$toys/$1.patch" | sort
}
for toy in 'ground crest' 'tyre tanh'; do
  named "A ${toy% *}" "${toy#* }" >"$work/named"
  touched "${toy% *}" >"$work/touched"
  [ -s "$work/named" ] && cmp -s "$work/named" "$work/touched"
  check "the patch of a ${toy% *} touches the files that CONTRIBUTING.md names" "$work/named" "$work/touched"
done

mkdir "$work/tree"
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  git ls-files -co --exclude-standard | while IFS= read -r file; do [ ! -f "$file" ] || echo "$file"; done
else
  find . -type f ! -path './build*' ! -path './out/*'
fi >"$work/files"
tar -cf - -T "$work/files" | tar -xf - -C "$work/tree"
for toy in ground tyre; do
  patch -s -p1 -d "$work/tree" <"$toys/$toy.patch"
done >"$work/out" 2>&1
[ ! -s "$work/out" ]
check "both patches apply to the tree as it is" "$work/out"

if ! drawn 1 3; then
  for title in "builds without a warning" "has the ground" "has the tyre" "gives the logs of this tree" \
    "lists its keys"; do
    skip "the copy $title" "one commit of three builds it: VDSIM_SAMPLE=all sh scripts/test toys"
  done
  all_well
  exit
fi
# Builds without optimisation, which takes most of the time of a build, and without AVX2 (VD_WIDE): without the
# attribute ifunc no source is compiled twice.
(cd "$work/tree" && meson setup build -Doptimization=0 -Ddebug=false -Dwerror=true -Dc_args=-Difunc=unknown &&
  ninja -C build cli/vdsim-run) >"$work/out" 2>&1
check "the copy builds without a warning" "$work/out"
run=$work/tree/build/cli/vdsim-run

# At the steepest place of the hill h/2 (1 - cos(2 pi s/L)) the slope is pi h/L; the holding force is m g sin(atan(pi
# h/L)). (Over the wheelbase the slope changes by 2e-4 of itself.)
"$run" -c 'fx_*_N' -o - "$work/tree/scenarios/toys/crest.yaml" >"$work/out" 2>"$work/err"
awk -F, 'END {
  slope = 3.14159265358979 * 10 / 400
  expected = 1500 * 9.80665 * slope / sqrt(1 + slope * slope)
  sum = 0
  for (i = 1; i <= NF; i++) if ($i + 0 > -1e5) sum += $i
  sum -= $1
  d = sum - expected
  exit !(d <= 5e-4 * expected && d >= -5e-4 * expected)
}' "$work/out"
check "a braked car stands on the new ground with m g sin of its slope on the tyres" "$work/err" "$work/out"

# F = mu Fz tanh(C s/(mu Fz)): 4000 tanh(2) and 4000 tanh(0.4), odd in s.
cp "$toys/tyre.yaml" "$work/tyre.yaml"
"$run" -o - "$work/tyre.yaml" >"$work/out" 2>"$work/err"
awk -F, '
  function tanh(x) { return (exp(x) - exp(-x)) / (exp(x) + exp(-x)) }
  NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
  NR > 1 {
    d = $at["fx_N"] - 4000 * tanh(80000 * $at["kappa"] / 4000)
    if (d <= 1e-4 && d >= -1e-4) good++
  }
  END { exit good != 3 }' "$work/out"
check "the new tyre gives its hyperbolic tangent on the rig" "$work/err" "$work/out"

for scenario in iso/step_steer road/brake_straight ride/potholes hardpoints/step_steer iso/lane_change_80_l3 \
  stunt/loop; do
  scenario=scenarios/$scenario.yaml
  "$run" --exact "$scenario" >"$work/log" && "$exe" --exact "$scenario" | cmp - "$work/log" &&
    [ "$(wc -l <"$work/log")" -gt 100 ] || echo "$scenario"
done >"$work/out" 2>"$work/err"
[ ! -s "$work/out" ]
check "logs of shipped scenarios agree with those of the optimised tool without the patches, to the byte"

# The keys of the ground and the tyre are listed, so that the manual can be generated.
"$run" --list-keys >"$work/out" 2>"$work/err" && grep -q '^ground\.length.*crest' "$work/out" &&
  grep -q '^TYRE\.stiffness' "$work/out"
check "--list-keys has the keys of the ground and the tyre" "$work/err"
all_well
