#!/usr/bin/env python3
"""Feeds mutated inputs to the programs, as files and on their command lines: every reader of lib/, COUNT inputs each.

Usage: mutated.py FOLDER COUNT SEED [READER]    (FOLDER has the four programs; READER: a name of READERS)

A mutant is a good file with one to three edits, drawn by SEED, the reader's name and the mutant's number alone. A
program must take it or refuse it with an error: no signal, no report of a sanitizer, no status but 0 to 3, no endless
run, no file left in TMPDIR. Prints TAP; an input that fails is kept in out/mutated.
"""
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 120  # s for one input; the slowest good one takes some seconds with sanitizers
STEP = ["vdsim-run", "--check", "scenarios/iso/step_steer.yaml", "--set"]
LIMITS = ["--set", "run.duration=0.02", "--set", "run.level=L3"]

# name: the good file; the arguments, with {} for the mutant; the functions of lib/ that read it. Where the arguments
# name {dir}, it is a copy of the folder of the good file, in which the mutant replaces the good file.
READERS = {
    "scenario": ("scenarios/iso/step_steer.yaml", ["vdsim-run", "--check", "{}"],
                 "vd_scenario_read_source vd_schema_read_source"),
    "car": ("scenarios/vehicles/sedan.yaml", [*STEP, "vehicle={}"], ""),
    "tyre": ("scenarios/tyres/mf96_touring.yaml", [*STEP, "vehicle.front.tyre={}"], ""),
    "settings": ("tests/settings.set", ["vdsim-run", "--check", "scenarios/iso/step_steer.yaml", "--set", "@{}"], ""),
    "track car": ("scenarios/track/ramp_jump.yaml", ["vdsim-run", "--check", "{}"], "vd_track_read_source"),
    "moment diagram": ("scenarios/limits/moment_diagram.yaml", ["vdsim-run", "--check", "{}"], "vd_limits_read_source"),
    "lap": ("scenarios/limits/point_mass_lap.yaml", ["vdsim-run", "--check", "{}"], ""),
    "line of a lap": ("scenarios/limits/point_mass_line.csv",
                      ["vdsim-run", "--check", "scenarios/limits/point_mass_lap.yaml", "--set", "line={}"], ""),
    "tyre rig": ("scenarios/rig/combined.yaml", ["vdsim-run", "--check", "{}"], "vd_rig_read_source"),
    "study": ("scenarios/study/tyre_scatter.yaml", ["vdsim-run", "--check", "{}"],
              "vd_study_read_source vd_subject_read"),
    "fit of a tyre": ("scenarios/fit/mf96.yaml", ["vdsim-run", "--check", "{}"],
                      "vd_fit_read_source vd_tyre_fit_read"),
    "fit of runs": ("scenarios/fit/car.yaml", ["vdsim-run", "--check", "{}"], "vd_run_fit_read"),
    "optimisation": ("scenarios/optimise/bump_steer.yaml", ["vdsim-run", "--check", "{}"], "vd_optimise_read"),
    "suspension": ("scenarios/suspensions/5link_rear_sports.yaml", ["vdsim-kc-sweep", "--check", "{}"],
                   "vd_corner_read_source"),
    "claims": ("validation/crosswind.yaml", ["vdsim-validate", "--list", "{}"], "vd_claims_read_source"),
    "tolerances": ("validation/data/tolerances/steady_turning.yaml",
                   ["vdsim-validate", "--against", "tests/run.csv", "--tolerances", "{}", *LIMITS,
                    "scenarios/road/linear_step.yaml"], ""),
    "property file, MF 6.1": ("scenarios/tyres/synthetic_mf61.tir",
                              [*STEP, "vehicle.front.tyre={{model: mf, file: '{}'}}"], "vd_tir_read_source"),
    "property file, PAC2002, of a side": ("scenarios/vehicles/chrono/pac02.tir",
                                          [*STEP, "vehicle.rear.tyre={{model: mf, file: '{}', side: right}}"],
                                          "vd_tir_read_sided"),
    "property file, Fiala": ("tests/good_adams/fiala_cr_only.tir",
                             [*STEP, "vehicle.front.tyre={{model: fiala, file: '{}'}}"], "vd_tir_read_kind"),
    "mesh": ("scenarios/grounds/ramp_jump.obj",
             ["vdsim-run", "--check", "scenarios/stunt/jump.yaml", "--set", "ground={{type: mesh, file: '{}'}}"],
             "vd_mesh_read_source"),
    "measured road": ("scenarios/road/measured_road.crg",
                      ["vdsim-run", "--check", "scenarios/road/measured_road.yaml", "--set", "ground.file={}"],
                      "vd_crg_read"),
    "height map": ("tests/heights.csv",
                   ["vdsim-run", "--check", "scenarios/ride/hill.yaml", "--set",
                    "ground={{type: heightmap, file: '{}'}}"], "vd_measured_read_source"),
    "measured inputs": ("tests/measured.csv",
                        [*STEP, "steering_wheel={{type: none}}", "--set",
                         "measured={{file: '{}', columns: {{steering_wheel: angle}}}}"], ""),
    "table of an input": ("scenarios/road/table_steer.csv",
                          ["vdsim-run", "--check", "scenarios/road/table_steer.yaml", "--set",
                           "steering_wheel.file={}"], ""),
    "waypoints": ("scenarios/road/waypoints.csv",
                  ["vdsim-run", "--check", "scenarios/road/waypoints.yaml", "--set", "path.file={}"], ""),
    "damper curve": ("tests/damper.csv", [*STEP, "vehicle.front.damper={{type: curve, file: '{}'}}"], ""),
    "tables of a wheel's path": ("tests/path.csv",
                                 [*STEP, "vehicle.front.kc.tables={{file: '{}'}}", "--set",
                                  "vehicle.rear.kc=scenarios/kc/ta_rear_sedan.yaml", "--set", "run.level=L3"], ""),
    "tables of a wheel's compliance": ("scenarios/kc/mp_front_sedan_compliance.csv",
                                       ["vdsim-xcheck", "--format", "compliance", "{}",
                                        "scenarios/kc/mp_front_sedan_compliance.csv"],
                                       "vd_wheel_compliance_read_source"),
    "points of a tyre": ("scenarios/fit/mf96_points.csv",
                         ["vdsim-run", "--check", "scenarios/fit/mf96.yaml", "--set", "fit.data.0.file={}"],
                         "vd_tyre_points_read_source"),
    "points of a tyre, TYDEX": ("tests/points.tdx",
                                ["vdsim-run", "--check", "scenarios/fit/mf96.yaml", "--set",
                                 "fit.data={{file: '{}'}}"], "vd_tydex_read vd_points_read_tydex"),
    "rows of a run": ("scenarios/fit/car_step.csv",
                      ["vdsim-run", "--check", "scenarios/fit/car.yaml", "--set", "fit.data.0.file={}"], ""),
    "design": ("tests/design.csv",
               ["vdsim-run", "--dry-run", "scenarios/study/tyre_scatter.yaml", "--set",
                "design={{type: list, file: '{}'}}"], ""),
    "hardpoints": ("tests/hardpoints/dw_adams_mm.csv",
                   ["vdsim-xcheck", "--import", "{}", "--toe0=0", "--camber0=0", "--radius=0.33"],
                   "vd_hardpoint_csv_read vd_hardpoint_rows_read"),
    "hardpoints as Adams writes them": ("tests/adams.sub",
                                        ["vdsim-xcheck", "--import", "{}", "--toe0=0", "--camber0=0", "--radius=0.33"],
                                        "vd_hardpoint_adams_read"),
    "curves": ("tests/hardpoints/curves_long.csv",
               ["vdsim-xcheck", "--curves", "{}", "tests/hardpoints/curves_long.csv"],
               "vd_kc_table_read vd_cells_read"),
    "curves of a report": ("tests/hardpoints/curves_short.csv",
                           ["vdsim-kc-sweep", "--report", "-", "--reference", "{}",
                            "scenarios/suspensions/dw_front_sports.yaml"], ""),
    "log to compare with": ("tests/run.csv",
                            ["vdsim-validate", "--against", "{}", "--tolerances",
                             "validation/data/tolerances/steady_turning.yaml", *LIMITS,
                             "scenarios/road/linear_step.yaml"], ""),
    "baseline": ("tests/base/linear_step.csv", ["vdsim-validate", "{dir}/claims.yaml"], ""),
    "metrics of a baseline": ("tests/base/linear_step.metrics.csv", ["vdsim-validate", "{dir}/claims.yaml"], ""),
    "journal": ("tests/journal/study.journal",
                ["vdsim-run", "-q", "-j", "1", "--resume", "-o", "{dir}", "{dir}/study.yaml"], "vd_journal_open"),
}
ODD = [b"", b"0", b"-1", b"1e308", b"-1e-320", b"1e999", b"nan", b"-inf", b"1,5", b"0x1p4", b"9" * 400, b"1e-5",
       b"2147483648", b"\xef\xbb\xbf", b"\xff\xfe", b"\0", b"\r", b"\n\n", b"\t", b"&a ", b"*a", b"<<: ", b"!!binary ",
       b"{", b"[[", b"- - ", b'"', b"'", b"#", b"$", b"%s%n", b"/", b"../..", b";", b",,,,", b"\xc3\x28",
       b"\xe2\x80\xa8", b"x" * 70000]


def edit(text, draw):
    """Makes one edit of the bytes: of a byte, a stretch, a number, a word or a line."""
    at, end = sorted((draw.randrange(len(text) + 1), draw.randrange(len(text) + 1)))
    end = min(end, at + draw.choice([1, 4, 40, 4000]))
    lines = text.splitlines(keepends=True)
    kind = draw.randrange(8)
    if kind == 0:
        return text[:at] + bytes([draw.randrange(256)]) + text[at + 1:]
    if kind == 1:
        return text[:at] + text[end:]
    if kind == 2:
        return text[:end] + text[at:end] * draw.choice([1, 2, 50]) + text[end:]
    if kind == 3:
        return text[:at] + draw.choice(ODD) + text[at:]
    if kind == 4 and lines:
        i, j = draw.randrange(len(lines)), draw.randrange(len(lines))
        lines[i], lines[j] = draw.choice([(lines[j], lines[i]), (lines[j], lines[j]), (b"", lines[j])])
        return b"".join(lines)
    if kind == 5:
        return text[:at]
    words = list(re.finditer(rb"[-+.\w]+" if kind == 6 else rb"[-+]?[0-9][-+.0-9e]*", text))
    if not words:
        return text + b"1"
    word, other = draw.choice(words), draw.choice(words)
    return text[:word.start()] + draw.choice([other.group(), draw.choice(ODD)]) + text[word.end():]


def mutant(good, name, number, seed):
    draw = random.Random(f"{seed}/{name}/{number}")
    text = good
    for _ in range(draw.choice([1, 1, 2, 3])):
        text = edit(text, draw)
    return text


def fault(done, words):
    """Returns the fault in the way a program ended, or None."""
    said = re.search(r"(?m)^(?! ).*\berror: ", words)
    if re.search(r"Sanitizer|runtime error:|Assertion", words):
        return "a report of a sanitizer, or a failed assertion"
    if done.returncode < 0:
        return signal.Signals(-done.returncode).name
    if done.returncode > 3:
        return f"status {done.returncode}"
    if done.returncode == 2 and not said:
        return "refused without a message"
    if done.returncode == 0 and said:
        return "status 0 in spite of an error"
    return None


def run(tree, programs, name, number, text):
    """Runs a program with a mutant; returns what is wrong, and its words."""
    good, arguments, _ = READERS[name]
    good = tree / good
    with tempfile.TemporaryDirectory() as folder:
        place = good.parent
        if any("{dir}" in a for a in arguments):
            place = pathlib.Path(folder) / "own"
            shutil.copytree(good.parent, place)
            path = place / good.name
        else:
            path = place / f"mutant{number}{good.suffix}"
        path.write_bytes(text)
        arguments = [a.format(path, dir=place) for a in arguments]
        temporary = pathlib.Path(folder) / "tmp"
        temporary.mkdir()
        try:
            done = subprocess.run([programs / arguments[0], *arguments[1:]], cwd=tree, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=PATIENCE, check=False,
                                  env={**os.environ, "TMPDIR": str(temporary)})
        except subprocess.TimeoutExpired:
            return f"no end in {PATIENCE} s", ""
        finally:
            if place == good.parent:
                path.unlink()
        words = done.stderr.decode(errors="replace")
        if number == 0 and done.returncode > 1:
            return "the good file is refused", words
        left = [p.name for p in temporary.iterdir()]
        return fault(done, words) or (f"left in TMPDIR: {left}" if left else None), words


def write_goods(tree, programs):
    """Writes the good files that the tree does not have."""
    write = {
        "tests/settings.set": "# of a fit\nvehicle.mass=1600 kg\nsteering_wheel.value=0.4\nrun={duration: 2 s}\n",
        "tests/heights.csv": "x_m,y_m,z_m\n" + "".join(f"{10 * i},{8 * j},{0.01 * i * j}\n" for i in range(6)
                                                            for j in range(4)),
        "tests/measured.csv": "time,angle\ns,deg\n0,0\n0.5,0\n1,10\n2,12\n60,12\n",
        "tests/path.csv": "travel_mm,toe_deg,camber_deg,wheel_x_mm\n-80,-0.3,0.9,-2\n-40,-0.1,0.4,-1\n0,0,0,0\n"
                          "40,0.1,-0.5,1\n80,0.2,-1.1,3\n",
        "tests/damper.csv": "rate_mps,force_N\n-1,-900\n-0.2,-400\n0,0\n0.2,300\n1,800\n",
        "tests/points.tdx": "**HEADER\nRELEASE   Release of the format                       1.3\n**CONSTANTS\n"
                            "INCLANGL  Inclination                   deg       0\n**MEASURCHANNELS\n"
                            "SLIPANGL  Slip angle                    deg       1         0         0\n"
                            "LONGSLIP  Slip ratio                    %         1         0         0\n"
                            "FX        Longitudinal force            N         1         0         0\n"
                            "FYW       Lateral force                 N         1         0         0\n"
                            "FZW       Vertical force                kN        1         0         0\n"
                            "MZW       Aligning moment               Nm        1         0         0\n"
                            "**MEASURDATA\n-8 0 3 3300 4 -60\n-4 0 1 2400 4 -90\n-1 0 9 750 4 -40\n2 0 -4 -1400 4 70\n"
                            "6 0 2 -3000 4 75\n-6 0 2 1500 2 -30\n0 -10 -3500 8 4 0\n0 2 1500 2 4 0\n**END\n",
        "tests/design.csv": "b,friction\n8,0.8\n9.5,1\n12,1.2\n",
        "tests/base/claims.yaml": "title: Nothing has changed\nsource: none\nclaims:\n  - claim: Nothing has changed\n"
                                  "    kind: baseline\n    scenario: SCENARIO\n    set: [run.duration=0.05 s]\n"
                                  "    baseline: linear_step.csv\n",
        "tests/journal/study.yaml": "kind: study\nscenario: SCENARIO\nset: [run.duration=0.02 s]\n"
                                    "vary: {name: m, key: vehicle.mass, type: list, values: [1500, 1600, 1700]}\n"
                                    "metrics: [final_speed_mps]\n",
    }
    for name, text in write.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("SCENARIO", f"'{tree}/scenarios/road/linear_step.yaml'"))
    points = [line.split(",") for line in (tree / "tests/hardpoints/dw_adams_mm.csv").read_text().splitlines()[1:]]
    (tree / "tests/adams.sub").write_text(
        "[UNITS]\n LENGTH = 'mm'\n ANGLE = 'degrees'\n"
        "[HARDPOINT]\n{hardpoint_name symmetry x_value y_value z_value}\n"
        + "".join(f" '{n[4:]}' 'left/right' {x} {y} {z}\n" for n, x, y, z in points)
        + "[PARAMETER]\n{parameter_name symmetry type value}\n 'toe_angle' 'left/right' 'real' 0.1\n")
    for arguments in (["vdsim-run", *LIMITS, "-o", "tests/run.csv", "scenarios/road/linear_step.yaml"],
                      ["vdsim-run", "--set", "run.duration=0.05", "-o", "tests/base",
                       "scenarios/road/linear_step.yaml"],
                      ["vdsim-run", "-q", "-j", "1", "-o", "tests/journal", "tests/journal/study.yaml"]):
        subprocess.run([programs / arguments[0], *arguments[1:]], cwd=tree, check=True)


def main():
    programs, count, seed = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), sys.argv[3]
    names = sys.argv[4:] or list(READERS)
    print(f"1..{len(names) + 1}")
    failed = 0
    with tempfile.TemporaryDirectory() as work, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tree = pathlib.Path(work)
        for folder in ("scenarios", "validation", "tests/hardpoints", "tests/good_adams"):
            shutil.copytree(TOP / folder, tree / folder)
        write_goods(tree, programs)
        for number, name in enumerate(names, 1):
            good = (tree / READERS[name][0]).read_bytes()
            texts = [good] + [mutant(good, name, i, seed) for i in range(1, count + 1)]
            ends = list(pool.map(lambda i: run(tree, programs, name, i, texts[i]), range(len(texts))))
            bad = [i for i, (what, _) in enumerate(ends) if what]
            print(f"{'not ' if bad else ''}ok {number} - {name}: {count} mutants", flush=True)
            failed += bool(bad)
            for i in bad:
                kept = TOP / "out/mutated" / (re.sub(r"\W+", "_", name) + f"_{i}" + (tree / READERS[name][0]).suffix)
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_bytes(texts[i])
                print(f"# {kept.relative_to(TOP)}: {ends[i][0]}")
                print("".join(f"#   {line[:200]}\n" for line in ends[i][1].splitlines()[:8]), end="")
    headers = "".join(p.read_text() for p in (TOP / "lib").glob("*/*.h"))
    there = set(re.findall(r"\b(vd_\w*read\w*)\([^()]*\bint source\b", headers)) | {"vd_journal_open"}
    named = set(" ".join(r[2] for r in READERS.values()).split())
    print(f"{'' if there == named else 'not '}ok {len(names) + 1} - every reader of lib/ has inputs here")
    print("".join(f"# {f}\n" for f in sorted(there ^ named)), end="")
    sys.exit(failed > 0 or there != named)


main()
