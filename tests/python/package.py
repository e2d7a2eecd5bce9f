"""The package vdsim for Python gives the results of the command line, to the bit, with numpy and without it.

Usage: python3 tests/python/package.py LIBVDSIM.so FOLDER-OF-PROGRAMS [without-numpy]    prints TAP
"""
import contextlib
import copy
import csv
import hashlib
import importlib.util
import io
import json
import math
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import threading
import zipfile

os.environ["VDSIM_LIBRARY"] = str(pathlib.Path(sys.argv[1]).resolve())
os.environ["VDSIM_PROGRAMS"] = programs = str(pathlib.Path(sys.argv[2]).resolve())
bare = len(sys.argv) > 3
if bare:
    sys.modules["numpy"] = None  # an import of it fails
elif importlib.util.find_spec("numpy") is None:
    print("1..0 # SKIP no numpy; python_bare tests the same without it")
    sys.exit(0)
sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import vdsim  # noqa: E402

tests = []
step = "scenarios/iso/step_steer.yaml"


def test(title):
    return lambda function: tests.append((title, function))


def command(name, *arguments):
    done = subprocess.run([os.path.join(programs, name), *arguments], capture_output=True, text=True, check=True)
    return list(csv.reader(done.stdout.splitlines()))


def same(table, rows):
    assert list(table) == rows[0], (list(table), rows[0])
    for i, name in enumerate(rows[0]):
        values = list(table[name])
        assert len(values) == len(rows) - 1, (name, len(values), len(rows) - 1)
        for row, value in zip(rows[1:], values):
            expected = row[i] if isinstance(value, str) else float(row[i]) if row[i] else math.nan
            assert value == expected or (math.isnan(value) and math.isnan(expected)), (name, row[0], value, expected)


def drawn(part, parts):
    """Whether a part of a slow test is tried: for one commit of so many, or if all are asked for."""
    commit = os.environ.get("VDSIM_SAMPLE", "all")
    return commit == "all" or hashlib.sha256(commit.encode()).digest()[0] % parts == part


def refused(kind, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was expected")


for title, scenario, settings in (
        ("a step steer", step, {}),
        ("a heavier car at L3", step, {"vehicle.mass": 1600, "run.level": "L3"}),
        ("a setting with a unit", step, {"vehicle.mass": "1.6 t"}),
        ("a run that ends before its duration", "scenarios/iso/stopping_distance.yaml", {}),
        ("a flight at L5", "scenarios/stunt/jump.yaml", {})):
    @test(f"{title}: the bits of vdsim-run")
    def _(scenario=scenario, settings=settings):
        options = [x for k, v in settings.items() for x in ("--set", f"{k}={v}")]
        same(vdsim.run(scenario, settings), command("vdsim-run", "-q", "--exact", *options, scenario))


@test("channels are chosen by patterns, and have their units")
def _():
    run = vdsim.run(step, channels=["yaw*", "fz_*"])
    same(run, command("vdsim-run", "-q", "--exact", "-c", "yaw*,fz_*", step))
    assert run.units["yaw_rate_radps"] == "rad/s" and run.units["fz_fl_N"] == "N"


@test("metrics agree with vdsim-run --metrics")
def _():
    metrics, rows = vdsim.run(step).metrics, command("vdsim-run", "-q", "--exact", "--metrics", "-", step)
    assert list(metrics) == [row[0] for row in rows[1:]]
    for row in rows[1:]:
        value = float(metrics[row[0]])
        assert value == float(row[1]) if row[1] else math.isnan(value), row
        assert metrics[row[0]].unit == row[2]


@test("a shipped scenario is found from any folder, and the resolved one gives the same run")
def _():
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            first = vdsim.run("iso/step_steer.yaml")
            again = vdsim.run(first.resolved, text=True)
        finally:
            os.chdir(here)
    assert list(first["ay_mps2"]) == list(again["ay_mps2"]) and "step steer" in first.title


@test("a car that a controller drives has the same bits after a restart, and after a saved state")
def _():
    def drive(car, until):
        while car.time < until - 1e-9:
            car["steer"] = 0.1 * (0.2 - car["yaw_rate_radps"])
            car.advance(car.time + 0.01)
        return car["yaw_rate_radps"]
    with vdsim.Car(step) as car:
        first = drive(car, 2.0)
        state = car.save()
        late = drive(car, 3.0)
        car.restore(state)
        assert drive(car, 3.0) == late
        with vdsim.Car(step) as other:
            other.restore(state)
            assert drive(other, 3.0) == late
        car.restart()
        assert car.time == 0.0 and drive(car, 2.0) == first
    assert 0.05 < first < 0.15  # a proportional controller reaches a part of the 0.2 rad/s


@test("cars in threads do not affect each other")
def _():
    masses, found = (1400, 1500, 1600), {}
    alone = {m: list(vdsim.run(step, {"vehicle.mass": m})["ay_mps2"]) for m in masses}

    def work(mass):
        found[mass] = list(vdsim.run(step, {"vehicle.mass": mass})["ay_mps2"])
    threads = [threading.Thread(target=work, args=(m,)) for m in masses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


@test("errors have file, line and column")
def _():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "car.yaml")
        path.write_text(f"base: {pathlib.Path(step).resolve()}\nvehicle: {{mas: 1600}}\n")
        error = refused(vdsim.InputError, vdsim.run, path)
    assert error.line == 2 and error.file.endswith("car.yaml") and "did you mean 'mass'" in str(error), str(error)
    assert "cannot open" in str(refused(vdsim.InputError, vdsim.run, "nowhere.yaml"))
    assert "must" in str(refused(vdsim.InputError, vdsim.run, step, {"vehicle.mass": -1}))
    with vdsim.Car(step) as car:
        refused(KeyError, lambda: car["yaw_rat"])
        refused(ValueError, car.__setitem__, "brake", 2.0)
        refused(ValueError, car.__setitem__, "brake", math.nan)
        refused(ValueError, car.__setitem__, "brake", "full")
        refused(KeyError, car.__setitem__, "brak", 0.0)
        car.advance(1.0)
        assert "before the present" in str(refused(ValueError, car.advance, 0.5))
        assert "not finite" in str(refused(ValueError, car.advance, math.inf))
        refused(vdsim.Error, lambda: car.metrics)


@test("a run that fails raises an error with its time, and keeps the rows until then")
def _():
    settings = {"run.level": "L3", "steering_wheel": {"type": "constant", "value": 6}, "ground.friction": 3,
                "vehicle.cg_height": 1.2}
    error = refused(vdsim.RunError, vdsim.run, step, settings)
    assert 0.0 < error.time < 6.0 and error.run is not None
    times = list(error.run["t_s"])
    assert times and times[-1] <= error.time


class Scalar:
    """Imitates a number of numpy."""
    def __init__(self, value):
        self.value = value

    def tolist(self):
        return self.value


@test("settings may be paths, texts that YAML would cut, and numbers and arrays of numpy")
def _():
    for value in ("car #2: a", "a\nb", "it's \"a\" # b", "true", ""):
        assert vdsim.Car(step, {"title": value}).title == value
    assert vdsim.Car(step, {"title": pathlib.Path("/a #2/b.yaml")}).title == "/a #2/b.yaml"
    assert "'/a #2.yaml'" in str(refused(vdsim.InputError, vdsim.Car, step, {"vehicle": pathlib.Path("/a #2.yaml")}))
    car = vdsim.Car(step, {"vehicle.mass": Scalar(1600.0), "run.lean": Scalar(False)})
    assert "lean: false" in car.resolved and "mass: 1600" in car.resolved
    same(vdsim.run(step, channels="yaw*,fz_*"), command("vdsim-run", "-q", "--exact", "-c", "yaw*,fz_*", step))


@test("a closed car raises; a car is no sequence and has no copy; a state may be a bytearray, also at the end of a run")
def _():
    with vdsim.Car(step) as car:
        assert "yaw_rate_radps" in car and "yaw" not in car
        refused(TypeError, list, car)
        refused(TypeError, copy.copy, car)
        assert car.advance(100.0) is False
        car.restore(bytearray(car.save()))
        assert car.ended
    for use in (lambda: car.time, lambda: car["yaw_rate_radps"], lambda: car.advance(1.0), lambda: car.failure,
                lambda: car.__setitem__("steer", 0.1), car.save, car.restart):
        assert "closed" in str(refused(vdsim.Error, use))


@test("a study, a rig and a suspension give the tables of the programs, to the bit")
def _():
    study = "scenarios/study/step_steer_spread.yaml"
    with tempfile.TemporaryDirectory() as folder:
        command("vdsim-run", "-q", "--exact", "-o", folder, study)
        rows = list(csv.reader(open(os.path.join(folder, "step_steer_spread.csv"), encoding="utf-8")))
        shares = []
        same(vdsim.study(study, jobs=2, progress=shares.append), rows)
        same(vdsim.study(study, folder=pathlib.Path(folder, "kept")), rows)
        refused(ValueError, vdsim.study, study, jobs=0)
    assert shares == sorted(shares) and shares[-1] == 1.0 and len(shares) > 3
    rig = "scenarios/rig/fy_alpha.yaml"
    same(vdsim.rig(rig), command("vdsim-run", "-q", "--exact", rig))
    corner = "scenarios/suspensions/dw_front_sports.yaml"
    same(vdsim.kc_sweep(corner, sweep="travel"), command("vdsim-kc-sweep", "--exact", "--sweep=travel", corner))
    for options in ({"sweep": "fy", "fx_centre": 100, "hold": "ground", "gravity": True, "side": "both"},
                    {"forces": True}):
        words = [f"--{k.replace('_', '-')}" + ("" if v is True else f"={v}") for k, v in options.items()]
        same(vdsim.kc_sweep(corner, **options), command("vdsim-kc-sweep", "--exact", *words, corner))
    same(vdsim.kc_sweep(corner, metrics=True), command("vdsim-kc-sweep", "--exact", "--metrics", "-", corner))


@test("studies, rigs and sweeps need no program, unless a study is to be kept in a folder")
def _():
    os.environ["VDSIM_PROGRAMS"], path = "/nowhere", os.environ["PATH"]
    os.environ["PATH"] = "/nowhere"
    build, vdsim._c._tree = vdsim._c._tree, lambda: pathlib.Path("/nowhere")
    try:
        vdsim.rig("scenarios/rig/fy_alpha.yaml")
        vdsim.kc_sweep("scenarios/suspensions/dw_front_sports.yaml", sweep="travel")
        assert len(list(vdsim.study("scenarios/study/fishhook_series.yaml")["case"])) == 5
        refused(FileNotFoundError, vdsim.study, "scenarios/study/fishhook_series.yaml", folder="kept")
    finally:
        os.environ["VDSIM_PROGRAMS"], os.environ["PATH"], vdsim._c._tree = programs, path, build


@test("errors of studies, rigs and sweeps name file, option or kind; a car that overturns has a row in a study")
def _():
    corner = "scenarios/suspensions/dw_front_sports.yaml"
    refused(vdsim.InputError, vdsim.study, "nowhere.yaml")
    error = refused(vdsim.InputError, vdsim.rig, "scenarios/rig/fy_alpha.yaml", {"tyre.modle": "linear"})
    assert error.file == "--set tyre.modle" and error.line == 1, (error.file, error.line)
    assert "no such option" in str(refused(ValueError, vdsim.kc_sweep, corner, travle="-60:60:7"))
    assert "is for curves" in str(refused(ValueError, vdsim.kc_sweep, corner, metrics=True, travel="-60:60:7"))
    far = {"sweep": "travel", "travel": "-900:900:7"}
    assert "cannot reach travel" in str(refused(vdsim.RunError, vdsim.kc_sweep, corner, **far))
    assert "this is a vehicle" in str(refused(vdsim.InputError, vdsim.rig, step))
    assert "this is a tyre_rig" in str(refused(vdsim.InputError, vdsim.run, "scenarios/rig/fy_alpha.yaml"))
    table = vdsim.study("scenarios/study/step_steer_spread.yaml", {"set": ["vehicle.cg_height=1.2", "ground.friction=3",
                                                                           "steering_wheel=6", "run.level=L3"]})
    assert any(status.startswith("ended: ") for status in table["status"]), table["status"][:3]


@test("one case of a study is a run, with the numbers of its row; settings after loading make another car")
def _():
    study = "scenarios/study/step_steer_spread.yaml"
    row = vdsim.study(study)
    one = vdsim.run(study, case=7, channels="ay*")
    assert one.metrics["peak_ay_mps2"].value == row["peak_ay_mps2"][7] and list(one) == ["t_s", "ay_mps2"]
    same(one, command("vdsim-run", "-q", "--exact", "--case", "7", "-c", "ay*", study))
    with vdsim.Car(study, case=7) as car, car.changed({"vehicle.mass": 1800}) as heavy:
        assert "mass: 1800" in heavy.resolved and "mass: 1800" not in car.resolved
        car.advance(2.0)
        heavy.advance(2.0)
        assert car["ay_mps2"] != heavy["ay_mps2"]
    refused(IndexError, vdsim.run, study, case=40)
    refused(vdsim.InputError, vdsim.Car, study)


@test("shipped files are found")
def _():
    assert vdsim.data_file("iso/step_steer.yaml").read_bytes() == pathlib.Path(step).read_bytes()
    assert vdsim.data_file().joinpath("scenarios").is_dir()
    assert "no shipped file" in str(refused(FileNotFoundError, vdsim.data_file, "iso/no.yaml"))


@test("a study of which some cases died has a table")
def _():
    with tempfile.TemporaryDirectory() as folder:
        fake = pathlib.Path(folder, "vdsim-run")
        fake.write_text(f'#!/bin/sh\n"{programs}/vdsim-run" "$@"; exit 3\n', encoding="utf-8")
        fake.chmod(0o755)
        os.environ["VDSIM_PROGRAMS"] = folder
        try:
            table = vdsim.study("scenarios/study/step_steer_spread.yaml", jobs=2, folder=pathlib.Path(folder, "kept"))
            assert len(table["case"]) == 40
        finally:
            os.environ["VDSIM_PROGRAMS"] = programs


@test("columns are arrays of numpy if it is installed, otherwise lists; tables become data frames")
def _():
    run = vdsim.run(step)
    if bare:
        assert type(run["t_s"]) is list
        return None
    try:
        import numpy
    except ImportError:
        return "no numpy"
    assert isinstance(run["t_s"], numpy.ndarray)
    try:
        import pandas  # noqa: F401
    except ImportError:
        return "no pandas"
    assert list(run.to_pandas().columns) == list(run)
    return None


handling, spread = "scenarios/handling/step_steer.yaml", "scenarios/study/step_steer_spread.yaml"
strut = "scenarios/suspensions/mp_front_compact.yaml"
crossover = "scenarios/vehicles/crossover.yaml"
# the commands of the README's section "Use" that print a table, and the same in Python
use = (
    (f"vdsim-run --rate 1 -c vx_mps,yaw_rate_radps,ay_mps2,fz_fl_N {handling}",
     lambda: vdsim.run(handling, rate=1, channels="vx_mps,yaw_rate_radps,ay_mps2,fz_fl_N")),
    (f"vdsim-run --set vehicle.mass='1700 kg' --set run.level=L1 --metrics - {handling}",
     lambda: vdsim.table(handling, {"vehicle.mass": "1700 kg", "run.level": "L1"}, metrics=True)),
    (f"vdsim-run --set vehicle={crossover} --metrics - {handling}",
     lambda: vdsim.table(handling, {"vehicle": pathlib.Path(crossover)}, metrics=True)),
    ("vdsim-run -o wet.csv wet.yaml", lambda: vdsim.run("wet.yaml")),
    ("vdsim-run --metrics - scenarios/ride/iso8608_c_80.yaml",
     lambda: vdsim.table("scenarios/ride/iso8608_c_80.yaml", metrics=True)),
    ("vdsim-run --rate 200 -c '*' -o drop.csv scenarios/ride/drop.yaml",
     lambda: vdsim.run("scenarios/ride/drop.yaml", rate=200, channels=["*"])),
    (f"vdsim-run --case 3 -c yaw_rate_radps --rate 1 {spread}",
     lambda: vdsim.run(spread, case=3, rate=1, channels=["yaw_rate_radps"])),
    ("vdsim-run -o out scenarios/stunt/loop.yaml", lambda: vdsim.table("scenarios/stunt/loop.yaml")),
    ("vdsim-run -o out scenarios/rig/fy_alpha.yaml", lambda: vdsim.rig("scenarios/rig/fy_alpha.yaml")),
    ("vdsim-run --metrics - scenarios/track/ramp_jump.yaml",
     lambda: vdsim.table("scenarios/track/ramp_jump.yaml", metrics=True)),
    (f"vdsim-kc-sweep -o strut.csv {strut}", lambda: vdsim.kc_sweep(strut)),
    (f"vdsim-kc-sweep --metrics - {strut}", lambda: vdsim.kc_sweep(strut, metrics=True)))


@test("the examples of the README's section Use, in Python, give the bytes of the command line")
def _():
    here, readme = pathlib.Path.cwd(), pathlib.Path("README.md").read_text(encoding="utf-8")
    wet = readme.split("This one is `wet.yaml`:\n\n")[1].split("\n\n")[0]
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(here / "scenarios", pathlib.Path(folder, "scenarios"))
        os.chdir(folder)
        try:
            pathlib.Path("wet.yaml").write_text("\n".join(line[4:] for line in wet.splitlines()), encoding="utf-8")
            for line, function in use if bare else use[:4]:  # with numpy only the first examples differ
                assert f"    $ {line}\n" in readme, line
                name, *options = shlex.split(line)
                if "-o" in options:  # to standard output
                    del options[options.index("-o"):options.index("-o") + 2]
                done = subprocess.run([os.path.join(programs, name), "-q", *options], capture_output=True, check=True)
                assert function().to_csv().encode() == done.stdout, line
            subprocess.run([os.path.join(programs, "vdsim-run"), "-q", "-j", "2", "-o", "out",
                            *map(str, pathlib.Path("scenarios/ladder").glob("*.yaml"))], check=True)
            for file in pathlib.Path("scenarios/ladder").glob("*.yaml"):
                vdsim.run(file).to_csv("run.csv")
                assert pathlib.Path("run.csv").read_bytes() == pathlib.Path("out", file.stem + ".csv").read_bytes()
            wrong = f"vdsim-run --set vehicle.mas='1700 kg' {handling}"
            done = subprocess.run([os.path.join(programs, "vdsim-run"), *shlex.split(wrong)[1:]], capture_output=True,
                                  text=True, check=False)
            error = refused(vdsim.InputError, vdsim.run, handling, {"vehicle.mas": "1700 kg"})
            assert f"    $ {wrong}\n" in readme and f"{error}\n" == done.stderr, done.stderr
        finally:
            os.chdir(here)


@test("a wheel, installed into an empty folder, gives the bits of vdsim-run without anything else")
def _():
    if not bare:
        return "python_bare tests it"
    if not sys.platform.startswith("linux"):
        return "not Linux"
    if not drawn(0, 3):
        return "one commit of three makes the wheel"
    script = ("import json, vdsim\nrun = vdsim.run('iso/step_steer.yaml')\n"
              "print(json.dumps([vdsim.__file__, str(vdsim.data_file()), {name: list(run[name]) for name in run}]))")
    with tempfile.TemporaryDirectory() as folder:
        site, empty = pathlib.Path(folder, "site"), pathlib.Path(folder, "empty")
        empty.mkdir()
        wheel = subprocess.run([sys.executable, pathlib.Path(__file__).resolve().parents[2] / "scripts/wheel", "-o",
                                folder, sys.argv[1]], capture_output=True, text=True, check=True).stdout.strip()
        if os.environ.get("VDSIM_SAMPLE") == "all" and importlib.util.find_spec("pip"):
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target",
                            site, wheel], check=True, capture_output=True)
        else:
            with zipfile.ZipFile(wheel) as archive:  # what pip does with it
                archive.extractall(site)
        done = subprocess.run([sys.executable, "-B", "-c", script], cwd=empty, env={"PYTHONPATH": str(site)},
                              capture_output=True, text=True, check=True)
        package, data, table = json.loads(done.stdout)
        assert package.startswith(f"{site}/vdsim/") and data == f"{site}/vdsim/share/vdsim"
    same(table, command("vdsim-run", "-q", "--exact", step))


books = pathlib.Path(__file__).resolve().parents[2].glob("python/notebooks/*.ipynb")
for book in sorted(books) if bare else ():
    @test(f"the notebook {book.name} runs")
    def _(book=book):
        read = json.loads(book.read_text(encoding="utf-8"))
        cells = [cell for cell in read["cells"] if cell["cell_type"] == "code"]
        assert read["nbformat"] == 4 and len(cells) > 3 and not any(cell["outputs"] for cell in cells)
        names, printed = {}, io.StringIO()
        with contextlib.redirect_stdout(printed):
            for cell in cells:
                exec(compile("".join(cell["source"]), f"{book.name}, {cell['id']}", "exec"), names)
        check = {"controller": lambda: abs(names["integral"] - 0.2) < 0.002 < abs(names["rates"][-1] - 0.2),
                 "runs": lambda: "did you mean 'mass'" in printed.getvalue(),
                 "studies": lambda: names["run"].metrics["yaw_rate_overshoot"].value == max(
                     names["cases"]["yaw_rate_overshoot"])}
        assert check[book.stem](), printed.getvalue()


@test("packages have the version of the library, and CHANGELOG.md a heading for it")
def _():
    top, version = pathlib.Path(__file__).resolve().parents[2], vdsim.version()
    assert f'version = "{version}"' in (top / "python/pyproject.toml").read_text(encoding="utf-8")
    assert (top / "debian/changelog").read_text(encoding="utf-8").startswith(f"vdsim ({version}) ")
    assert f"\n## {version}" in (top / "CHANGELOG.md").read_text(encoding="utf-8")


@test("progress rises to 1; channels and inputs are listed with their units")
def _():
    shares = []
    vdsim.run(step, progress=shares.append)
    assert shares == sorted(shares) and abs(shares[-1] - 1.0) < 1e-9
    assert vdsim.channels(step)["yaw_rate_radps"]["unit"] == "rad/s" and vdsim.inputs()["steer"]["unit"] == "rad"


print(f"1..{len(tests)}")
bad = 0
for number, (title, function) in enumerate(tests, 1):
    title += " (without numpy)" if bare else ""
    try:
        skipped = function()
        print(f"ok {number} - {title}{' # SKIP ' + skipped if skipped else ''}", flush=True)
    except Exception as error:  # an assertion, or an error of a broken package
        bad += 1
        print(f"not ok {number} - {title}\n# {type(error).__name__}: {str(error)[:600]}", flush=True)
sys.exit(bad > 0)
