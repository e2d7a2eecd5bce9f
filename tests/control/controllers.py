"""Controllers of a scenario that are functional mock-up units: a unit of the tests (unit.c) is wired to cars.

Usage: python3 tests/control/controllers.py VDSIM-RUN LIBVDSIM.so UNIT.so VERSION    prints TAP; VERSION is that of FMI
"""
import csv
import os
import pathlib
import platform
import random
import subprocess
import sys
import tempfile
import zipfile

program, library, binary, version = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), int(sys.argv[4])
os.environ['VDSIM_LIBRARY'] = str(pathlib.Path(library).resolve())
sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'common'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'python'))
import vdsim  # noqa: E402
import tap  # noqa: E402
from tap import test  # noqa: E402

work = pathlib.Path(tempfile.mkdtemp(prefix='vdsim-controllers-'))
left = work / 'temporary'  # unpacked units must be removed
left.mkdir()
os.environ['TMPDIR'] = str(left)
top = pathlib.Path.cwd()
system = {2: 'linux64' if platform.machine() == 'x86_64' else platform.machine() + '-linux',
          3: platform.machine() + '-linux'}[version]
names = ['v', 'r', 'L', 'U', 'limit', 'kappa', 'law', 'trouble', 'steer', 'torque', 'count', 'active']
kinds = {'count': ('Integer', 'UInt16'), 'active': ('Boolean', 'Boolean'), 'law': ('Integer', 'Int32')}


def description(**change):
    """modelDescription.xml; a change replaces a text of it."""
    lines = []
    for i, name in enumerate(names):
        causality = 'input' if i < 2 else 'parameter' if i < 8 else 'output'
        kind = kinds.get(name, ('Real', 'Float64'))[version - 2]
        start = '' if causality == 'output' else ' start="%s"' % ('0' if kind != 'Boolean' else 'false')
        real = kind in ('Real', 'Float64')
        variability = 'fixed' if causality == 'parameter' else 'continuous' if real else 'discrete'
        head = f'name="{name}" valueReference="{i}" causality="{causality}" variability="{variability}"'
        lines.append(f'<ScalarVariable {head}><{kind}{start}/></ScalarVariable>' if version == 2
                     else f'<{kind} {head}{start}/>')
    state = 'FMUstate' if version == 2 else 'FMUState'
    token = 'guid' if version == 2 else 'instantiationToken'
    text = (f'<?xml version="1.0"?>\n<!-- a unit & its <parts> -->\n<fmiModelDescription fmiVersion="{version}.0" '
            f'modelName="test &lt;unit&gt;" {token}="{{test}}">\n'
            f'<CoSimulation modelIdentifier="unit" canGetAndSet{state}="true" canSerialize{state}="true"/>\n'
            '<ModelVariables>\n' + '\n'.join(lines) + '\n<String name="words" valueReference="77" causality="input"/>'
            '\n</ModelVariables>\n</fmiModelDescription>\n')
    if version == 2:
        text = text.replace('<String name="words" valueReference="77" causality="input"/>',
                            '<ScalarVariable name="words" valueReference="77" causality="input"><String start=""/>'
                            '</ScalarVariable>')
    for old, new in change.get('replace', ()):
        assert old in text, old
        text = text.replace(old, new)
    return text


def unit(name, archive=True, **change):
    """A unit as an archive, or as a folder."""
    path = work / (name + ('.fmu' if archive else ''))
    files = {'modelDescription.xml': description(**change).encode(), 'resources/note.txt': b'here\n',
             f'binaries/{change.get("system", system)}/unit.so': change.get('binary', binary.read_bytes())}
    if archive:
        with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as out:
            for entry, content in {**files, **change.get('more', {})}.items():
                out.writestr(entry, content)
    else:
        for entry, content in files.items():
            (path / entry).parent.mkdir(parents=True, exist_ok=True)
            (path / entry).write_bytes(content)
    return path


def scenario(name, text):
    path = work / (name + '.yaml')
    path.write_text(f'vehicle: {top}/scenarios/vehicles/sedan.yaml\n' + text)
    return path


def run(*arguments, good=True):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if good and done.returncode != 0:
        raise RuntimeError(done.stderr)
    return done


def table(*arguments):
    rows = list(csv.reader(run('-q', '--exact', *arguments).stdout.splitlines()))
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}


drive = 'run: {duration: 3 s, level: %s}\ninitial: {speed: 20 m/s}\nspeed: 20 m/s\n'
kappa, wheelbase = 0.004, 2.7


def wired(level, understeer, file, more=''):
    return drive % level + f'''controllers:
  - kind: fmu
    name: lateral control
    file: {file}
    period: 10 ms
    sensors: [{{channel: vx_mps, as: v}}, {{channel: yaw_rate_radps, as: r}}]
    requests: [{{input: steer, course: linear}}]
    set: [L={wheelbase!r}, U={understeer!r}, limit={limit!r}, kappa={kappa!r}]
{more}'''


limit = 0.6
whole, opened = unit('whole'), unit('opened', archive=False)


def of_car(level):
    """The wheelbase, and the gradient U of the car's own steering control, from its first decision, where the car
    does not turn yet: atan(kappa L) + U v^2 kappa + 0.3 kappa (L + U v^2)."""
    import math
    first = table(scenario('own', drive % level + f'curvature: {kappa}\n'), '-c', 'steer_rad', '--set', 'log.rate=100')
    delta, v2 = first['steer_rad'][1], 400.0
    return (delta - math.atan(kappa * wheelbase) - 0.3 * kappa * wheelbase) / (1.3 * kappa * v2)


for level in ('L0', 'L2', 'L3'):
    @test(f'{level}: the law of the own steering control as a unit drives the car to 1e-9 as that one does')
    def _(level=level):
        own = table(scenario('own', drive % level + f'curvature: {kappa}\n'))
        other = table(scenario('other', wired(level, of_car(level) if level != 'L0' else 0.0, whole)))
        for name in own:
            if name == 'curvature_error_1pm':  # there is no command of a curvature
                continue
            scale = max(map(abs, own[name])) or 1.0
            worst = max(abs(a - b) for a, b in zip(own[name], other[name]))
            assert worst <= 1e-9 * max(scale, 1.0), (name, worst, scale)
        assert len(own['t_s']) == len(other['t_s']) == 301


@test('an unpacked folder gives the bytes of the archive, and no unpacked file stays')
def _():
    text = wired('L2', 0.001, whole)
    one = run('-q', '--exact', scenario('archive', text)).stdout
    assert run('-q', '--exact', scenario('folder', text.replace(str(whole), str(opened)))).stdout == one
    assert not list(left.iterdir()), list(left.iterdir())


def study(name):
    path = work / 'study.yaml'
    path.write_text(f'kind: study\nscenario: {work}/{name}.yaml\nvary:\n'
                    '  - {name: mass, key: vehicle.mass, type: range, from: 1200, to: 1800, points: 6}\n'
                    'metrics: [yaw_rate_steady_radps]\n')
    return path


antilock = '''run: {duration: 2 s, level: L2}
initial: {speed: 25 m/s}
brake: {type: step, start: 0.1 s, rise: 0.1 s, value: 1}
controllers: [{kind: abs, seed: 7, sensors: [{channel: omega_fl_radps, noise: 0.05, lag: 5 ms}]}]
log: {channels: ["*", "abs_mode_*", "brake_valve_*", "brake_pressure_*"]}
'''


def controlled(name):
    path = work / (name + '.yaml')
    path.write_text(f'vehicle: {{base: {top}/scenarios/vehicles/sedan.yaml, brakes: {{pressure: hydraulic}}}}\n' +
                    antilock)
    return path


@test('phases, valves and pressures of anti-lock control are channels, and its state is part of a saved state')
def _():
    log = table(controlled('antilock'))
    modes = set(log['abs_mode_fl'])
    assert modes == {0.0, 1.0, 2.0, 3.0}, modes
    for mode, valve in zip(log['abs_mode_fl'], log['brake_valve_fl']):
        assert {0.0: valve == 1.0, 1.0: valve < 0.0, 2.0: valve == 0.0, 3.0: valve > 0.0}[mode], (mode, valve)
    assert 0.0 < min(log['brake_pressure_fl_Pa'][40:]) < max(log['brake_pressure_fl_Pa'][40:]) < 1e7
    car, other = (vdsim.Car(str(controlled('antilock'))) for _ in (1, 2))
    car.advance(0.6137)
    saved = car.save()
    names = [n for n in states if n != 't_s']
    car.advance(2.0)
    other.restore(saved)
    other.advance(2.0)
    assert car.values(names) == other.values(names)


@test('a study with anti-lock control has the same bytes in one process and in two')
def _():
    path = controlled('stops')
    path.write_text(path.read_text() + 'metrics: [step_steer]\n')
    one, two = (run('-q', '-j', j, '-o', work / f'stops{j}.csv', study('stops')) and
                (work / f'stops{j}.csv').read_bytes() for j in (1, 2))
    assert one == two and one.count(b'\n') == 7, one


@test('built-in controllers have sensors and requests of their own, and a car has one of a kind at most')
def _():
    for old, new, words in (('kind: abs', 'kind: abs, requests: [brake]', "key 'requests' does not apply"),
                            ('omega_fl_radps', 'vx_mps', "a controller of this kind does not read 'vx_mps'"),
                            ('[{kind: abs', '[abs, {kind: abs', "there is already a controller of the kind 'abs'"),
                            ('level: L2', 'level: L0', 'valves need vehicle.brakes.pressure: hydraulic')):
        path = controlled('wrong')
        path.write_text(path.read_text().replace(old, new))
        done = run('--check', path, good=False)
        assert done.returncode == 2 and words in done.stderr, (words, done.stderr)


@test('a study with a unit has the same bytes in one process and in two')
def _():
    scenario('studied', wired('L2', 0.001, whole) + 'metrics: [step_steer]\n')
    one, two = (run('-q', '-j', j, '-o', work / f'study{j}.csv', study('studied')) and
                (work / f'study{j}.csv').read_bytes() for j in (1, 2))
    assert one == two and one.count(b'\n') == 7, one
    assert not list(left.iterdir()), list(left.iterdir())


states = ['t_s', 'x_m', 'y_m', 'yaw_rad', 'vx_mps', 'yaw_rate_radps', 'omega_fl_radps', 'omega_rr_radps']


def braked(file, delay, more=''):
    return ('run: {duration: 1 s}\ninitial: {speed: 25 m/s}\n' + more + f'''controllers:
  - kind: fmu
    file: {file}
    period: 20 ms
    delay: {delay}
    requests:
      - {{input: brake_request_fl, from: torque}}
      - {{input: drive_request_rr, from: count, factor: 2}}
      - {{input: pressure_request_rl, from: active, factor: 0.25}}
    set: [law=1]
''')


@test('requests act as tables with held values: real, whole and boolean variables, with factors and a delay')
def _():
    for delay in (0.0, 0.03):
        # decision k, of 0.02 k s, acts a delay later; the brake acts from 0.3 s on
        count = ', '.join(f'[{0.02 * k + delay:.9g}, {2 * (k + 1)}]' for k in range(51))
        hold = 'type: table, interpolation: hold'
        given = (f'brake_request_fl: {{{hold}, points: [[0, 0], [{0.3 + delay:.9g}, 200]]}}\n'
                 f'drive_request_rr: {{{hold}, points: [{"[-1, 0], " if delay else ""}{count}]}}\n'
                 f'pressure_request_rl: {{{hold}, points: [[0, 0], [{0.3 + delay:.9g}, 0.25]]}}\n')
        a = table(scenario('hold', 'run: {duration: 1 s}\ninitial: {speed: 25 m/s}\n' + given), '-c', ','.join(states))
        b = table(scenario('braked', braked(whole, delay)), '-c', ','.join(states))
        worst = {n: max(abs(x - y) for x, y in zip(a[n], b[n])) for n in states}
        assert max(worst.values()) < 1e-14, (delay, worst)  # a time is 35 steps or 0.35 s
        assert b['yaw_rad'][-1] > 1e-3  # the left side is braked


@test('the log shows requests from the instant after their decision on')
def _():
    log = table(scenario('braked', braked(whole, 0.04)), '-c', 'brake_request_*,drive_request_rr_Nm,brake_torque_fl_Nm')
    brake, drive = log['brake_request_fl_Nm'], log['drive_request_rr_Nm']  # in rows of 10 ms
    assert brake[34] == 0.0 and brake[35] == 200.0 and log['brake_torque_fl_Nm'][35] == -200.0, brake
    assert drive[4] == 0.0 and drive[5] == drive[6] == 2.0 and drive[7] == 4.0, drive


def sensed(sensor, more=''):
    """What a unit reads of vx, exactly 10 + 5 t m/s, every 10 ms, as a request of the next row."""
    log = table(scenario('sensed', f'''run: {{duration: 2 s, level: L2}}
initial: {{speed: 10 m/s}}
prescribed_speed: {{type: table, points: [[0, 10], [10, 60]]}}
controllers:
  - kind: fmu
    file: {whole}
    period: 10 ms
{more}    sensors: [{{channel: vx_mps, as: v{sensor}}}]
    requests: [{{input: brake_request_rl, from: torque}}]
    set: [law=2]
'''), '-c', 'vx_mps,brake_request_rl_Nm')
    return log['vx_mps'][:-1], log['brake_request_rl_Nm'][1:]


@test('a sensor has a lag, a resolution, and noise by its seed, and is exact without them')
def _():
    import math
    import statistics
    v, shown = sensed('')
    assert shown == v
    v, shown = sensed(', resolution: 0.25')
    assert all(b == 0.25 * math.floor(a / 0.25 + 0.5) for a, b in zip(v, shown)) and len(set(shown)) > 30
    # x' = (v - x)/T held over a sample h is x += (1 - exp(-h/T)) (v - x): a ramp a stays a h/(exp(h/T) - 1) ahead
    v, shown = sensed(', lag: 50 ms')
    assert shown[0] == v[0] and abs(v[-1] - shown[-1] - 5 * 0.01 / math.expm1(0.2)) < 1e-9, (v[-1], shown[-1])
    v, shown = sensed(', noise: 0.1')
    error = [b - a for a, b in zip(v, shown)]
    # of 200 normal numbers the mean has the deviation 0.1/sqrt(200), the deviation that of 0.1/sqrt(400): 4 of each
    assert abs(statistics.mean(error)) < 0.0283 and abs(statistics.stdev(error) - 0.1) < 0.02, statistics.stdev(error)
    assert sensed(', noise: 0.1')[1] == shown and sensed(', noise: 0.1', '    seed: 2\n')[1] != shown


@test('requests of two controllers for a wheel add, and jump at the decisions of each')
def _():
    second = f"""  - kind: fmu
    file: {whole}
    period: 50 ms
    requests: [{{input: brake_request_fl, from: count}}]
    set: [law=1]
"""
    log = table(scenario('two', braked(whole, 0.0) + second), '-c', 'brake_request_fl_Nm')
    for row, value in enumerate(log['brake_request_fl_Nm'][1:]):  # of the decisions of row, shown in the next row
        t = 0.01 * row
        assert value == (200.0 if row >= 30 else 0.0) + 1.0 + row // 5, (t, value)
    done = run('--check', scenario('lines', braked(whole, 0.0) + second.replace('count}', 'count, course: linear}')),
               good=False)
    assert done.returncode == 2 and "whose requests add only with 'course: hold'" in done.stderr, done.stderr


def cars():
    path = scenario('saved', wired('L2', 0.001, whole))
    return vdsim.Car(str(path)), vdsim.Car(str(path))


@test('steps of any length give the bits of whole ones, and a restored state those of the run that saved it')
def _():
    whole_steps, cut = cars()
    for k in range(1, 101):
        whole_steps.advance(0.01 * k)
    for k in range(1, 137):
        cut.advance(0.0073 * k)
    saved = cut.save()
    cut.advance(1.0)
    names = [n for n in states if n != 't_s'] + ['steer_rad', 'ay_mps2']
    assert whole_steps.values(names) == cut.values(names)
    cut.advance(2.0)
    after = cut.values(names)
    for other in (cut, whole_steps, cars()[0]):
        other.restore(saved)
        other.advance(1.51)
        other.advance(2.0)
        assert other.values(names) == after
    cut.restart()
    cut.advance(1.0)
    whole_steps.restart()
    for k in range(1, 101):
        whole_steps.advance(0.01 * k)
    assert whole_steps.values(names) == cut.values(names)


def failed(function, *arguments):
    try:
        function(*arguments)
    except vdsim.Error as error:
        return str(error)
    raise AssertionError('an error was expected')


@test('a unit that cannot give its state runs, and says so when a state is requested')
def _():
    state = 'FMUstate' if version == 2 else 'FMUState'
    file = unit('mute', replace=[(f'canSerialize{state}="true"', f'canSerialize{state}="false"')])
    car = vdsim.Car(str(scenario('mute', wired('L2', 0.001, file))))
    car.advance(0.5)
    assert 'not available' in failed(car.save)
    one = cars()[0]
    one.advance(0.5)
    assert one['yaw_rate_radps'] == car['yaw_rate_radps']


@test('a state that the unit does not take back is an error')
def _():
    path = scenario('stubborn', wired('L2', 0.001, whole).replace('set: [', 'set: [trouble=8, '))
    car = vdsim.Car(str(path))
    car.advance(0.1)
    saved = car.save()
    assert 'not available' in failed(car.restore, saved)
    car.restart()
    car.advance(0.1)


@test('a program cannot set what a controller writes, nor what excludes it')
def _():
    car = cars()[0]
    for name in ('steer', 'steering_wheel', 'curvature'):
        assert 'not available' in failed(car.__setitem__, name, 0.0)
    car['speed'] = 21.0


@test('a unit that changes the rounding of the processor changes no bit')
def _():
    text = wired('L2', 0.001, whole)
    plain = run('-q', '--exact', scenario('plain', text)).stdout
    rounding = run('-q', '--exact', scenario('rounding', text.replace('set: [', 'set: [trouble=9, '))).stdout
    rows = [a for a, b in zip(plain.splitlines(), rounding.splitlines()) if a != b]
    # the results of the unit are rounded upwards, by a bit; those of the car are not
    worst = max((abs(float(x) - float(y)) for a, b in zip(plain.splitlines()[1:], rounding.splitlines()[1:])
                 for x, y in zip(a.split(','), b.split(','))), default=0.0)
    assert worst < 1e-6, (worst, rows[:2])


word = 'fmi2' if version == 2 else 'fmi3'
troubles = {1: 'its step reports an error: the sensor is not plausible',
            2: 'its step discards the step: the step is too long in step 4' if version == 2 else 'the step is too long',
            3: 'its step reports a fatal error: all is lost', 4: 'it requests steer = nan',
            5: 'its function that sets a variable reports an error: the variable cannot be set',
            6: 'it makes no instance: the key is', 7: 'its initialisation reports an error: a parameter is missing'}


@test('a unit that fails ends the run with its words, and the rows before it stay')
def _():
    for trouble, words in troubles.items():
        file = unit('keyless', replace=[('{test}', '{other}')]) if trouble == 6 else whole
        text = wired('L2', 0.001, file).replace('set: [', f'set: [trouble={trouble}, ')
        done = run('-q', '-c', 'vx_mps', scenario('trouble', text), good=False)
        at = '0.03' if trouble < 6 else '0'
        assert done.returncode == 3 and words in done.stderr, (trouble, done)
        assert f'at t = {at} s a controller failed: lateral control: ' in done.stderr, done.stderr
        assert done.stdout.count('\n') == (5 if trouble < 6 else 1), (trouble, done.stdout)
    assert not list(left.iterdir()), list(left.iterdir())


@test('units that cannot be used are refused with the place in the scenario')
def _():
    token = 'guid' if version == 2 else 'instantiationToken'
    broken = work / 'broken.fmu'
    broken.write_bytes(b'PK\3\4 no archive')
    cases = {
        'no binary for this system, binaries/%s/unit.so; it has one for win64' % system if version == 2 else
        'no binary for this system, binaries/%s/unit.so; it has one for x86_64-windows' % system:
            unit('elsewhere', system='win64' if version == 2 else 'x86_64-windows'),
        'is a unit of FMI 1.0; 2.0 and 3.0 are known': unit('old', replace=[(f'fmiVersion="{version}.0"',
                                                                           'fmiVersion="1.0"')]),
        f'modelDescription.xml has no {token}': unit('tokenless', replace=[(f'{token}=', 'key=')]),
        'is no unit for co-simulation': unit('exchange', replace=[('CoSimulation', 'ModelExchange')]),
        'needs the program that made it': unit('tool', replace=[('modelIdentifier=', 'needsExecutionTool="true" '
                                                                 'modelIdentifier=')]),
        'line 5: an end without a start': unit('crossed', replace=[('<ModelVariables>', '</fmiModelDescription></x>')]),
        'line 2: a comment or section has no end': unit('open', replace=[('-->', '-- >')]),
        'a document type is not read': unit('typed', replace=[('<!-- a', '<!DOCTYPE x><!-- a')]),
        "has no variable 'steer'; did you mean 'steers'?": unit('renamed', replace=[('"steer"', '"steers"')]),
        "'steer' of": unit('inward', replace=[('name="steer" valueReference="8" causality="output"',
                                               'name="steer" valueReference="8" causality="input"')]),
        'neither a folder nor an archive of a unit': broken,
        'cannot be read: No such file': work / 'missing.fmu',
        'has no modelDescription.xml': unit('bare'),
    }
    with zipfile.ZipFile(cases['has no modelDescription.xml'], 'w') as empty:
        empty.writestr('nothing', '')
    for words, file in cases.items():
        done = run('--check', scenario('refused', wired('L2', 0.001, file)), good=False)
        place = 'refused.yaml:%d:' % (11 if "'steer" in words else 8)
        assert done.returncode == 2 and words in done.stderr and place in done.stderr, (words, done.stderr)


@test('descriptions with random edits are read or refused with words')
def _():
    draw = random.Random(20)
    text, path = description(), opened / 'modelDescription.xml'
    for _ in range(60):
        changed = list(text)
        for _ in range(draw.randint(1, 4)):
            at, what = draw.randrange(len(changed)), draw.randrange(3)
            changed[at:at + draw.randint(1, 40)] = [] if what == 0 else draw.choice('<>/"&= x0') if what == 1 else \
                changed[at:at + 60] * 2
        path.write_text(''.join(changed))
        done = run('--check', scenario('edited', wired('L2', 0.001, opened)), good=False)
        assert done.returncode in (0, 2) and (done.returncode == 0 or 'error: ' in done.stderr), (done, changed)
    path.write_text(text)


@test('a binary that is no library, has another version or lacks a function ends the run')
def _():
    file = unit('garbage', binary=b'\x7fELF garbage')
    done = run('-q', scenario('garbage', wired('L2', 0.001, file)), good=False)
    assert done.returncode == 3 and 'controller failed: lateral control: ' in done.stderr, done
    assert not list(left.iterdir()), list(left.iterdir())


@test('wiring is checked: channels, inputs, causalities, types, periods, and what the scenario gives itself')
def _():
    good = wired('L2', 0.001, whole)
    cases = {
        ('yaw_rate_radps', 'yaw_rate_rps'): "no channel 'yaw_rate_rps' at level L2; did you mean 'yaw_rate_radps'?",
        ('channel: vx_mps', 'channel: "v*"'): 'a sensor is one channel, not a pattern',
        ('as: r', 'as: rr'): "has no variable 'rr'",
        ('as: r', 'as: words'): 'is String, which is no number',
        ('as: r', 'as: steer'): "'steer' of '%s' is of causality output, not input" % whole,
        ('input: steer,', 'input: stear, from: steer,'): "there is no input 'stear'; did you mean 'steer'?",
        ('input: steer,', 'input: prescribed_x, from: steer,'): 'only functions of time prescribe a motion',
        ('input: steer,', 'input: post_fl, from: steer,'): "there are posts only with 'kind: four_post'",
        ('input: steer,', 'input: throttle, from: steer,'): 'speed and throttle, which a controller writes, exclude',
        ('input: steer,', 'input: speed, from: steer,'): 'a controller writes speed',
        ('input: steer,', 'input: steering_torque, from: steer,'): 'needs vehicle.steering.column',
        ('period: 10 ms', 'period: 7.77 ms'): 'the period (0.00777 s) is not a whole number of steps',
        ('period: 10 ms', 'period: 10 ms\n    delay: 0.77 ms'): 'the delay (0.00077 s) is not a whole number of steps',
        ('L=', 'wheels=4, L='): "has no variable 'wheels'",
        ('L=', 'L '): "a parameter is set by NAME=NUMBER, not by 'L 2.7'",
        ('course: linear}', 'course: linear}, {input: curvature, from: steer}'): 'curvature and steer exclude each',
        ('course: linear}', 'course: linear}, {input: steer}'): 'steer is written twice',
        ('course: linear', 'start: 1'): 'steer starts at 1, outside -0.5 to 0.5',
        ('kind: fmu', 'kind: acc'): "'kind'",
    }
    for (old, new), words in cases.items():
        assert old in good, old
        text = good.replace(old, new).replace('level: L2', 'level: L2, slip: transient')
        done = run('--check', scenario('wiring', text), good=False)
        assert done.returncode == 2 and words in done.stderr and 'wiring.yaml:' in done.stderr, (words, done.stderr)


@test('a car with a foreign unit is not exported as a unit')
def _():
    done = run('-q', '--fmu', work / 'car.fmu', scenario('nested', wired('L2', 0.001, whole)), good=False)
    assert done.returncode == 2 and 'cannot contain another unit' in done.stderr, done


tap.run(work)
