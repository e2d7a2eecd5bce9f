#!/bin/sh
# Fits on the command line: files, a rig with the fitted tyre, refusals, equal bytes of equal fits, a picture.
# Usage: tests/cli/fit_run.sh VDSIM-RUN
# Reads scenarios/ and validation/data/tyre/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 15
fit=scenarios/fit/mf96.yaml
metric() { awk -F, -v name="$1" '$1 == name { print $2 }' "$work/out"; }

run --exact -q -o "$work/a" $fit
[ $status -eq 0 ] && (cd "$work/a" && ls) >"$work/files"
printf '%s\n' mf96.csv mf96.curves.csv mf96.figures.csv mf96.metrics.csv mf96.provenance.yaml mf96.resolved.yaml \
  mf96.tyre.yaml | cmp -s - "$work/files"
check "a fit writes its tables and the tyre"
[ "$(awk 'END { print NR }' "$work/a/mf96.csv")" -eq 557 ] && head -n 1 "$work/a/mf96.csv" |
  grep -q 'fy_N,fy_fit_N,fy_residual_N'
check "the table of a fit has one line for each measured row"

run --exact -q -o "$work/b" $fit
diff -r "$work/a" "$work/b" >"$work/err"
check "a second run of a fit gives the same bytes"
run --exact -q -o "$work/c" "$work/a/mf96.resolved.yaml"
cmp "$work/a/mf96.csv" "$work/c/mf96.resolved.csv" 2>"$work/err"
check "the resolved fit gives the same bytes"

# rows of weight 0 have the forces of the true tyre without noise; 1 % of the greatest force is 55 N
run -q --metrics - validation/data/tyre/fit_mf96.yaml
[ $status -eq 0 ] && awk -v y="$(metric lateral_fy_check)" -v x="$(metric longitudinal_fx_check)" \
  'BEGIN { exit !(x > 0 && x < 55 && y > 0 && y < 55) }'
check "the forces agree with those of the true tyre within 1 %"

# whether the written tyre, in a rig at the measured points, gives the forces of the fit
gives_fit() { # FIT TYRE: the log of the fit, the value of the rig's key `tyre'
  printf 'kind: tyre_rig\ntyre: %s\npoints: %s\n' "$2" "$1" >"$work/rig.yaml"
  run --exact -q "$work/rig.yaml"
  [ $status -eq 0 ] && awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next }
    NR == FNR { fy[FNR] = $at[FILENAME, "fy_fit_N"]; next }
    { d = fy[FNR] - $at[FILENAME, "fy_N"]; if (!(d * d < 1e-18)) exit 1; rows++ }
    END { exit rows != 556 }' "$1" "$work/out"
}
gives_fit "$work/a/mf96.csv" "$work/a/mf96.tyre.yaml"
check "a rig with the fitted tyre gives the fitted forces"

cat >"$work/mf.yaml" <<END
base: $top/$fit
tyre: {base: $top/scenarios/tyres/mf61_synthetic.yaml, friction: 0.8, combined: none}
fit: {stages: [lateral, longitudinal]}
END
run --exact -q -o "$work/mf" "$work/mf.yaml"
[ $status -eq 0 ] && [ -s "$work/mf/mf.tir" ] && gives_fit "$work/mf/mf.csv" "{model: mf, file: $work/mf/mf.tir}"
check "a rig with the written property file, which also has the tyre's other keys, gives the fitted forces"

cat >"$work/fiala.yaml" <<END
base: $top/$fit
tyre: {base: $top/scenarios/tyres/fiala_touring.yaml, unloaded_radius: 0.33}
fit: {stages: [lateral]}
END
run --exact -q -o "$work/fiala" "$work/fiala.yaml"
[ $status -eq 0 ] && gives_fit "$work/fiala/fiala.csv" "{model: fiala, file: $work/fiala/fiala.tir}"
check "a fitted tyre of another model gives the fitted forces, too"

refuses() { # STATUS WORDS SETTING...
  wanted=$1 words=$2
  shift 2
  run -q "$@" $fit
  [ $status -eq "$wanted" ] && grep -qF "$words" "$work/err"
  check "$words"
}
refuses 2 "this tyre has no figure 'lateral.bb'; did you mean 'lateral.b'?" \
  --set 'fit.stages=[{stage: lateral, free: [lateral.bb]}]'
refuses 2 "the file has no column of the load; name it with" --set fit.data.0.columns.load={}
refuses 2 "a fit needs measured rows" --set 'fit.data=[]'
refuses 2 "stage 'all' has no group of its own" --set 'fit.stages=[all]'
refuses 1 "its rows do not depend on vertical_damping" --set 'fit.stages=[{stage: lateral, free: [vertical_damping]}]'

"$(dirname "$exe")/vdsim-plot" --fit -o "$work/fit.svg" "$work/a/mf96.csv" 2>"$work/err" &&
  grep -q '4.50 kN' "$work/fit.svg"
check "vdsim-plot --fit draws points and curves"
# side force where the wheel rolls freely, longitudinal force where it rolls straight
check_picture "the picture has the measured points and the fitted tyre's curves, and its texts do not overlap" \
  "$work/fit.svg" '
rows, curves = list(csv.DictReader(open(sys.argv[3]))), {}
for r in csv.DictReader(open(sys.argv[4])):
    curves.setdefault(r["curve"], []).append({k: float(v) for k, v in r.items() if v})
expect(len(panels) == 2 and [len(p.plots) for p in panels] == [8, 8], [len(p.plots) for p in panels])
for panel, slip, unit, force, other, least in zip(panels, ("alpha_rad", "kappa"), (DEG, 0.01), ("fy_N", "fx_N"),
                                                        ("kappa", "alpha_rad"), (0.01, 0.5*DEG)):
    of = [c for c in curves.values() if any(r[slip] for r in c)]
    for i, curve in enumerate(of):
        load = curve[0]["fz_N"]
        near = [r for r in rows if abs(float(r[other])) <= least and abs(float(r["fz_N"]) - load) < 750 and r[force]]
        expect(len(near) > 20, f"{len(near)} points at {load} N")
        same_points(panel, panel.plots[4 + i], [float(r[slip])/unit for r in near],
            [float(r[force])/1000 for r in near], f"{force} at {load} N")
        same_line(panel, panel.plots[i], [r[slip]/unit for r in curve], [r[force]/1000 for r in curve],
            f"{force} at {load} N")
check_boxes(size, panels, boxes)' "$work/a/mf96.csv" "$work/a/mf96.curves.csv"

all_well
