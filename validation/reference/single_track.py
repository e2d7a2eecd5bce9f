#!/usr/bin/env python3
"""The linear single track in closed form.

Usage: validation/reference/single_track.py FOLDER    writes tables below single_track/

m (vy' + V r) = C1 alpha1 + C2 alpha2, Iz r' = a C1 alpha1 - b C2 alpha2, alpha1 = delta - (vy + a r)/V, alpha2 =
-(vy - b r)/V: Milliken and Milliken, Race Car Vehicle Dynamics (SAE, 1995), 5. With x' = A x + B delta, the poles p1,
p2 of s^2 - (a11 + a22) s + det and the numerator N(s) = n2 s^2 + n1 s + n0 of a quantity, a step of the steering gives
delta (N(0)/det + N(p1) exp(p1 t)/(p1 (p1 - p2)) + N(p2) exp(p2 t)/(p2 (p2 - p1))).
"""
import cmath
import math
import sys

from tools import files, tables

DEGREE = math.pi / 180
GRAVITY = 9.80665


class Car:
    def __init__(self, speed):
        car = files.read("scenarios/vehicles/textbook_linear.yaml")
        c = 2 * files.read("scenarios/tyres/linear_80.yaml")["cornering_stiffness"]  # of both axles
        self.m, self.inertia, self.a, self.v, self.c = car["mass"], car["yaw_inertia"], car["cg_to_front"], speed, c
        self.length = car["wheelbase"]
        self.b = self.length - self.a
        self.ratio = car["steering"]["ratio"]
        m, iz, a, b, v = self.m, self.inertia, self.a, self.b, self.v
        self.matrix = [[-2 * c / (m * v), -(a - b) * c / (m * v) - v],
                       [-(a - b) * c / (iz * v), -(a * a + b * b) * c / (iz * v)]]
        self.input = [c / m, a * c / iz]
        (a11, a12), (a21, a22) = self.matrix
        self.trace, self.det = a11 + a22, a11 * a22 - a12 * a21
        # N(s) of vy and of r by Cramer's rule
        self.of_vy = [a12 * self.input[1] - a22 * self.input[0], self.input[0], 0.0]
        self.of_r = [a21 * self.input[0] - a11 * self.input[1], self.input[1], 0.0]
        # ay = vy' + V r
        self.of_ay = [v * self.of_r[0], self.of_vy[0] + v * self.of_r[1], self.of_vy[1]]
        self.understeer = m * (b - a) / (self.length * c)  # rad s2/m

    def rates(self, steer, state):
        return [sum(x * y for x, y in zip(row, state)) + b * steer for row, b in zip(self.matrix, self.input)]

    def step(self, numerator, t):
        """Of a quantity, per angle of the step, t after it."""
        if t < 0:
            return 0.0
        p = [self.trace / 2 + sign * cmath.sqrt(self.trace**2 / 4 - self.det) for sign in (1, -1)]
        at = [numerator[0] + numerator[1] * x + numerator[2] * x * x for x in p]
        value = numerator[0] / self.det
        for i in (0, 1):
            value += at[i] * cmath.exp(p[i] * t) / (p[i] * (p[i] - p[1 - i]))
        return value.real


def bisect(of, low, high):
    """Where of(t) changes its sign."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (of(low) > 0) == (of(middle) > 0) else (low, middle)
    return (low + high) / 2


def response(car):
    """Time at 90 % of the steady yaw rate, and overshoot, both after a step of the steering."""
    steady = car.of_r[0] / car.det
    rise = bisect(lambda t: car.step(car.of_r, t) - 0.9 * steady, 0.0, 0.4)
    slope = [0.0, car.of_r[0], car.of_r[1]]
    peak = bisect(lambda t: car.step(slope, t), rise, 1.0)
    return rise, car.step(car.of_r, peak) / steady - 1


def spectrum(car, lines):
    """Gains and phases over the steering wheel at some frequencies, and figures from the lines of a spectrum."""
    def at(numerator, hz):
        s = 2j * math.pi * hz
        return (numerator[0] + numerator[1] * s + numerator[2] * s * s) / (s * s - car.trace * s + car.det) / car.ratio

    for name, of, unit in (("yaw_rate", car.of_r, "1/s"), ("ay", car.of_ay, "m/s2")):
        for text, hz in (("02", 0.2), ("05", 0.5), ("1", 1.0), ("2", 2.0)):
            yield f"{name}_gain_{text}", abs(at(of, hz)), unit
            yield f"{name}_phase_{text}", cmath.phase(at(of, hz)), "rad"
    gain = lambda hz: abs(at(car.of_r, hz))
    lag = lambda of: lambda hz: cmath.phase(at(of, hz)) + math.pi / 4
    best = max(lines, key=gain)
    yield "resonance", gain(best) / gain(0.2), "1"
    yield "resonance_line", best, "Hz"
    yield "bandwidth", bisect(lambda hz: gain(hz) - 10**-0.15 * gain(0.2), best, 3.0), "Hz"
    yield "lag_45", bisect(lag(car.of_r), 0.2, 3.0), "Hz"
    yield "ay_lag_45", bisect(lag(car.of_ay), 0.2, 1.5), "Hz"


def between_lines(car, spacing):
    """Figures from lines beside the frequencies: interpolated linearly, and the greatest from 0.2 Hz on."""
    points = [2j * math.pi * k * spacing for k in range(1 + int(4 / spacing))]
    of = lambda numerator: [(numerator[0] + numerator[1] * s + numerator[2] * s * s) / (
        s * s - car.trace * s + car.det) / car.ratio for s in points]
    read = lambda values, hz: values[int(hz / spacing)] + (hz / spacing % 1) * (
        values[int(hz / spacing) + 1] - values[int(hz / spacing)])
    for name, numerator, unit in (("yaw_rate", car.of_r, "1/s"), ("ay", car.of_ay, "m/s2")):
        gain, phase = [abs(h) for h in of(numerator)], [cmath.phase(h) for h in of(numerator)]
        for text, hz in (("02", 0.2), ("05", 0.5), ("1", 1.0), ("2", 2.0)):
            yield f"{name}_gain_{text}", read(gain, hz), unit
            yield f"{name}_phase_{text}", read(phase, hz), "rad"
        if name == "yaw_rate":
            yield "lag_45", bisect(lambda hz: read(phase, hz) + math.pi / 4, 0.2, 3.0), "Hz"
            from_on = range(math.ceil(0.2 / spacing), math.ceil(3.0 / spacing) + 1)
            best = max(from_on, key=lambda k: gain[k])
            yield "resonance", gain[best] / read(gain, 0.2), "1"
            yield "resonance_line", best * spacing, "Hz"
            half_power = 10**-0.15 * read(gain, 0.2)
            yield "bandwidth", bisect(lambda hz: read(gain, hz) - half_power, best * spacing, 3.0), "Hz"


def main():
    folder = sys.argv[1]
    car = Car(20.0)
    root, w = math.sqrt(car.det), 2 * math.pi
    gain = abs(complex(car.of_r[0], car.of_r[1] * w) / complex(car.det - w * w, -car.trace * w))
    tables.write_numbers(folder, "single_track/figures.csv", [
        ("understeer_gradient", car.understeer / DEGREE * GRAVITY, "deg/g"),
        ("characteristic_speed", math.sqrt(car.length / car.understeer), "m/s"),
        ("yaw_mode", root, "rad/s"),
        ("yaw_damping", -car.trace / (2 * root), "1"),
        ("yaw_gain_1_Hz", gain, "1/s"),
    ])
    # lines of a run of 20 s
    tables.write_numbers(folder, "single_track/spectrum.csv", spectrum(Car(30.0), [i / 20 for i in range(4, 61)]), 9)
    # lines of runs of 13 s
    tables.write_numbers(folder, "single_track/between_lines.csv", [
        (f"between_{name}", value, unit) for name, value, unit in between_lines(Car(22.0), 1 / 13)], 9)
    rise, overshoot = response(Car(30.0))
    tables.write_numbers(folder, "single_track/responses.csv", [
        ("rise_30", rise, "s"),
        ("overshoot_30", overshoot, "1"),
    ], 9)

    steer = 0.5 * DEGREE
    rows = [(t / 20, steer if t >= 20 else 0.0) + tuple(
        steer * car.step(of, t / 20 - 1) / by for of, by in ((car.of_r, 1), (car.of_ay, 1), (car.of_vy, car.v)))
        for t in range(81)]
    columns = ("t_s", "steer_rad", "yaw_rate_radps", "ay_mps2", "sideslip_rad")
    tables.write(folder, "single_track/step.csv", columns, rows)

    car = Car(100 / 3.6)
    slip = car.b / car.v**2 - car.a * car.m / (car.length * car.c)
    per_ay = (1, car.length / car.v**2 + car.understeer, slip, 1 / car.v)
    tables.write(folder, "single_track/turn.csv", ("ay_mps2", "steer_rad", "sideslip_rad", "yaw_rate_radps"),
                 [[ay / 10 * x for x in per_ay] for ay in range(2, 15)])


if __name__ == "__main__":
    main()
