"""Units of controllers without their car (vdsim-run --controller), and of a car with its driver: connected to the car,
each gives the run of the built-in controller. If an importer drives a controller, it decides at its instants, and gives
a status for every call.

Usage: python3 tests/fmi/controller.py VDSIM-RUN VERSION    prints TAP; VERSION is 2 or 3, of FMI
"""
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing is written beside the sources
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'common'))
from importer import ERROR, OK, Instance, Unit  # noqa: E402
import tap  # noqa: E402
from tap import test  # noqa: E402

program, version = sys.argv[1], int(sys.argv[2])
work = pathlib.Path(tempfile.mkdtemp(prefix='vdsim-controller-'))
top, here = pathlib.Path.cwd(), pathlib.Path(__file__).parent
os.environ['TMPDIR'] = str(work)


def run(*arguments, good=True):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if good and done.returncode != 0:
        raise RuntimeError(done.stderr)
    return done


def table(path):
    rows = list(csv.reader(run('-q', '--exact', path).stdout.splitlines()))
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}


# For each kind: the controller in the scenario, other controllers, the rest of the scenario, a channel of its requests.
# The built-in abs reads the modes of esc and tcs, which a unit does not give; so esc and tcs are tested without abs.
vehicle = 'vehicle: {base: %s/scenarios/vehicles/%s.yaml%s}\n'
hydraulic = vehicle % (top, 'saloon', ', brakes: {abs: none, pressure: hydraulic}')
turn = 'initial: {speed: 25 m/s}\nground: {friction: 0.5}\n' \
    'steering_wheel: {type: sine, start: 0.1 s, frequency: 0.7 Hz, amplitude: 150 deg}\n'
kinds = {
    'abs': ('{kind: abs, sensors: [{channel: omega_fl_radps, noise: 0.05, lag: 5 ms}]}', 'esc',
            hydraulic + turn + 'run: {duration: 1.2 s, level: L2}\n'
            'brake: {type: step, start: 0.1 s, rise: 0.1 s, value: 1}\n', 'brake_valve_fl'),
    'esc': ('{kind: esc, delay: 10 ms}', '', hydraulic + turn + 'run: {duration: 2 s, level: L2}\n',
            'pressure_request_fr'),
    'tcs': ('{kind: tcs, period: 10 ms}', '', hydraulic + 'run: {duration: 2 s, level: L2, slip: transient}\n'
            'friction_fr: 0.15\nfriction_rr: 0.15\nthrottle: {type: step, start: 0.2 s, rise: 0.3 s, value: 0.7}\n',
            'throttle_request'),
    'torque_vectoring': ('{kind: torque_vectoring, understeer: -0.01, damping: 2}', '', vehicle % (top, 'saloon', '') +
                         'run: {duration: 1 s, level: L2}\ninitial: {speed: 20 m/s}\nspeed: 20 m/s\n'
                         'steer: {type: step, start: 0.1 s, rise: 0.3 s, value: 2 deg}\n', 'drive_request_rl_Nm'),
    'damper': ('{kind: damper, lag: 10 ms}', '', vehicle % (top, 'saloon', '') +
               'run: {duration: 1 s, level: L3}\ninitial: {speed: 20 m/s}\nspeed: 20 m/s\n'
               'ground: {type: iso8608, class: C, seed: 3}\n', 'damper_request_fl_N'),
    'rear_steer': ('{kind: rear_steer, yaw_gain: 50 ms, delay: 20 ms}', '',
                   vehicle % (top, 'textbook_linear', ', steering: {rear: {gain: [[0, 0], [100, 0]], lag: 20 ms}}') +
                   'run: {duration: 1 s, level: L2}\ninitial: {speed: 30 m/s}\nspeed: 30 m/s\n'
                   'steer: {type: step, start: 0.1 s, rise: 0.3 s, value: 1 deg}\n', 'steer_rl_rad'),
}


def scenario(kind, controllers):
    path = work / (kind + ('_unit' if 'fmu' in controllers else '') + '.yaml')
    path.write_text(kinds[kind][2] + controllers + f'log: {{channels: ["*", {kinds[kind][3]}]}}\n')
    return path


def built_in(kind):
    own, beside = kinds[kind][:2]
    return scenario(kind, f'controllers: [{own}{", " if beside else ""}{beside}]\n')


units = {}  # by kind: a library that is loaded must not be written again


def export(kind):
    path = work / (kind + '.fmu')
    if kind not in units:
        run('-q', '--fmi', version, '--fmu', path, '--controller', kind, '--parameter', 'vehicle.mass', built_in(kind))
        units[kind] = Unit(path, work / (kind + '_unpacked'))
    return units[kind]


def sampled(names):
    """Returns half of the items, and the other half for the other version; all items if VDSIM_SAMPLE is "all"."""
    return [name for k, name in enumerate(names) if os.environ.get('VDSIM_SAMPLE') == 'all' or k % 2 == version % 2]


for kind in sampled(kinds):
    @test(f'{kind}: the unit, connected to the car, gives the run of the built-in controller to 1e-9')
    def _(kind=kind):
        unit = export(kind)
        wiring = (unit.folder / 'documentation' / 'controllers.yaml').read_text()
        beside = kinds[kind][1]
        own = table(built_in(kind))
        other = table(scenario(kind, wiring + (f'  - {beside}\n' if beside else '')))
        request = own[kinds[kind][3]]
        assert len(set(request)) > 20, request  # it acts
        compare(own, other)


def compare(own, other, left_out=('none',)):
    assert len(own) > 50 and list(own) == list(other)
    for name in own:
        if name.startswith(left_out):
            continue
        scale = max(max(map(abs, own[name])), 1.0)
        worst = max(abs(a - b) for a, b in zip(own[name], other[name]))
        assert len(own[name]) == len(other[name]) and worst <= 1e-9 * scale, (name, worst, scale)


# For each name: speed, driver, period in ms, input. The steering wheel moves along straight lines from one decision to
# the next. The outputs of a unit are its values at the end of a step; with `course: linear' they arrive without delay.
drivers = {
    'a curvature at L3': ('run: {level: L3, duration: 1 s}\nspeed: 25 m/s\n', 'curvature: 0.004\n', 10, 'steer'),
    'a double lane change at L2': ('run: {level: L2, duration: 4 s, slip: transient}\nacceleration: 0\n',
                                   'path: {type: iso3888_1, approach: 5 m}\n'
                                   'driver: {type: planner, period: 20 ms, delay: 0.1 s}\n', 20, 'steering_wheel'),
}
for name in sampled(drivers):
    @test(f'a unit of a car with a driver drives the car like the built-in driver, to 1e-9: {name}')
    def _(name=name, file=work / 'driver.fmu', path=work / 'driver.yaml'):
        car, task, period, steers = drivers[name]
        car = vehicle % (top, 'saloon', '') + 'initial: {speed: 25 m/s}\n' + car
        path.write_text(car + task)
        own = table(path)
        run('-q', '--fmi', version, '--fmu', file, '-c', 'steer_rad,steering_wheel_rad', path)
        path.write_text(car + f'controllers:\n  - kind: fmu\n    file: {file}\n    period: {period} ms\n'
                        f'    requests: [{{input: {steers}, from: {steers}, course: linear}}]\n')
        assert max(own['steering_wheel_rad']) > 0.1
        compare(own, table(path), ('path_', 'curvature_error'))


@test('the description is valid by the schema of the standard, and its names agree with the unit of the car')
def _():
    car, unit = work / 'car.fmu', export('esc')
    path = work / 'car.yaml'
    path.write_text(kinds['esc'][2] + 'throttle_request: 0\npressure_request_fl: 0\npressure_request_fr: 0\n'
                    'pressure_request_rl: 0\npressure_request_rr: 0\n')
    run('-q', '--fmi', version, '--fmu', car, '-c', '*', path)
    car = Unit(car, work / 'car')
    if shutil.which('xmllint'):
        name = {2: 'schema2/fmi2ModelDescription.xsd', 3: 'schema3/fmi3ModelDescription.xsd'}[version]
        subprocess.run(['xmllint', '--noout', '--schema', here / name, unit.folder / 'modelDescription.xml'],
                       check=True, capture_output=True)
    wires = [v for v in unit.variables.values() if v.causality in ('input', 'output')]
    assert len(wires) == 15
    for v in wires:  # the pedals are commands: inputs of the car, which it also shows
        end = car.variables[v.name]
        assert end.causality == {'input': 'output', 'output': 'input'}[v.causality] and end.unit == v.unit, v.name


def ready(unit):
    one = Instance(unit)
    assert one.initialise() == OK, one.messages
    return one


def driven(one, sizes, until):
    """Returns requests of the rear steering at its decisions, with sensors that depend only on the time."""
    found, k = [], 0
    while one.time < until - 1e-9:
        assert one.set('yaw_rate', round(one.time, 9)) == OK and one.set('steering_wheel', 0.5) == OK
        for wheel in ('fl', 'fr', 'rl', 'rr'):
            assert one.set(f'wheel_{wheel}.omega', 80.0) == OK
        assert one.step(sizes[k % len(sizes)]) == OK, one.messages
        found.append((round(one.time, 9), one.get('input.rear_steer_request')))
        k += 1
    return found


@test('the unit decides once in a period, by its sensors at this instant; a request acts after its delay')
def _():
    one = ready(export('rear_steer'))
    assert one.get('input.rear_steer_request') == 0.0
    value = dict(driven(one, [0.0025], 0.2))
    # Decision k, at k T with the yaw rate k T, is the decision at 0 plus k T times the gain, 50 ms. The request reaches
    # it along a line, one period after its delay of 20 ms.
    first = value[0.025]
    assert value[0.02] == 0.0 and abs(value[0.0225] - 0.5 * first) < 1e-15 and first > 1e-3, (first, value[0.0225])
    for k in range(1, 30):
        for t, wanted in ((0.025 + 0.005 * k, k), (0.0225 + 0.005 * k, k - 0.5)):
            assert abs(value[round(t, 9)] - first - 0.05 * 0.005 * wanted) < 1e-12, (t, value[round(t, 9)])
    one.free()


@test('steps of 7.3 ms give equal decisions, and a restored state repeats them to the bit')
def _():
    unit = export('rear_steer')
    one, other = ready(unit), ready(unit)
    driven(one, [0.0073], 0.1)
    saved = one.save()
    after = driven(one, [0.0073, 0.001], 0.2)
    one.restore(saved)
    assert driven(one, [0.0073, 0.001], 0.2) == after
    other.restore(saved)
    assert driven(other, [0.0073, 0.001], 0.2) == after
    for each in (one, other):
        each.free()


@test('wrong calls are refused, and do not change the unit')
def _():
    unit = export('esc')
    one, other = ready(unit), ready(unit)
    assert one.set('yaw_rate', float('nan')) == ERROR and one.set('yaw_rate', float('inf')) == ERROR
    assert one.set('input.throttle_request', 0.5) == ERROR and one.set('vehicle.mass', 1500.0) == ERROR
    assert one.step(-0.01) == ERROR and one.step(0.01, start=3.0) == ERROR and one.step(float('nan')) == ERROR
    assert one.step(1e9) == ERROR
    for each in (one, other):
        for _ in range(40):
            assert each.set('yaw_rate', 0.9) == OK and each.step(0.005) == OK
    wanted = [v for v in unit.variables.values() if v.causality == 'output']
    assert one.values(wanted) == other.values(wanted) and any(one.values(wanted))
    one.free()
    other.free()


@test('a controller that cannot be exported as a unit is refused with the reason')
def _():
    car = built_in('esc')
    for arguments, words in ((['--controller', 'abs'], "no controller 'abs' that is built in"),
                             (['--controller', 'fmu'], "no controller 'fmu' that is built in"),
                             (['--controller', 'esc', '-c', 'vx_mps'], '--controller and -c exclude each other')):
        done = run('-q', '--fmu', work / 'bad.fmu', *arguments, car, good=False)
        assert done.returncode == 2 and words in done.stderr, done
    done = run('--controller', 'esc', car, good=False)
    assert done.returncode == 2 and 'are for --fmu' in done.stderr, done


tap.run(work)
