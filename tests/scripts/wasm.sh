#!/bin/sh
# The core builds as WebAssembly, and the page of scripts/docs on which a car runs shows the figures of vdsim-run. Runs
# only with `scripts/test --all`; VDSIM_WASM=build/wasm uses a core that was built before.
# Usage: tests/scripts/wasm.sh VDSIM-RUN
# Skipped without Debian's emscripten, and the page without chromium. Reads the tree; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
[ "$seed" = all ] || { echo "1..0 # SKIP only with --all"; exit 0; }
command -v emcc >/dev/null || { echo "1..0 # SKIP no emcc"; exit 0; }

plan 4
VDSIM_WASM=${VDSIM_WASM:-$work/wasm}
export VDSIM_WASM
scripts/wasm "$VDSIM_WASM" >"$work/out" 2>&1 && [ -s "$VDSIM_WASM/vdsim.js" ]
check "the core builds as WebAssembly"
"$(dirname "$exe")/vdsim-validate" -q --quick --csv "$work/figures.csv" validation >"$work/out" 2>"$work/err" &&
  scripts/docs "$exe" "$work/site" "$work/figures.csv" >"$work/out" 2>"$work/err" && [ -s "$work/site/drive.html" ] &&
  grep -q 'href="drive.html"' "$work/site/index.html"
check "scripts/docs writes the page on which a car runs"
if command -v chromium >/dev/null; then
  # one car has another mass and another anti-roll bar
  chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=60000 --dump-dom \
    "file://$work/site/drive.html?car=sports_saloon&mass=2200&rear%20bar=40" >"$work/page" 2>/dev/null
  [ "$(grep -o '<polyline class="run[01]"' "$work/page" | wc -l)" -eq 8 ] && ! grep -q NaN "$work/page"
  check "the page draws four quantities of two cars" "$work/page"
  set -- --set vehicle=scenarios/vehicles/sports_saloon.yaml scenarios/handling/step_steer.yaml
  "$exe" -q --exact --metrics "$work/one.csv" "$@" &&
    angle=$("$exe" -q --resolved "$@" | sed -n '/^steering_wheel:/,/^[a-z]*:$/s/^  value: \([^ ]*\).*/\1/p') &&
    "$exe" -q --exact --metrics "$work/two.csv" "$@" --set auto=[] --set conditions=[] \
      --set steering_wheel.value="${angle%%[!0-9.]*}" --set vehicle.mass=2200 \
      --set vehicle.rear.antiroll_stiffness=40000
  python3 -B - "$work" >"$work/out" 2>"$work/err" <<'END'
import csv, re, sys
page = open(sys.argv[1] + '/page', encoding='utf-8').read()
for words, name, factor in (('steady lateral acceleration', 'ay_steady_mps2', 1),
                            ('response time of the yaw rate', 'yaw_rate_response_time_s', 1),
                            ('overshoot of the yaw rate', 'yaw_rate_overshoot', 100),
                            ('roll gradient', 'roll_gradient_deg_per_g', 1)):
    shown = map(float, re.search('<td>%s</td><td>([^<]*)</td><td>([^<]*)</td>' % words, page).groups())
    for value, file in zip(shown, ('one', 'two')):
        rows = csv.DictReader(open(f'{sys.argv[1]}/{file}.csv'))
        wanted = next(float(row['value']) for row in rows if row['metric'] == name) * factor
        assert value == float('%.3g' % wanted), (name, file, value, wanted)
END
  check "the figures on the page agree with vdsim-run"
else
  skip "the page draws four quantities of two cars" "no chromium"
  skip "the figures on the page agree with vdsim-run" "no chromium"
fi
all_well
