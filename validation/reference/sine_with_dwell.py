#!/usr/bin/env python3
"""The linear single track through a sine with dwell: the figures that ISO 19365 compares, and the time history.

Usage: validation/reference/sine_with_dwell.py FOLDER    writes single_track/dwell.csv and single_track/dwell_figures.csv

m (vy' + V r) = C1 alpha1 + C2 alpha2, Iz r' = a C1 alpha1 - b C2 alpha2 (Milliken and Milliken, Race Car Vehicle Dynamics,
SAE, 1995, 5). The steering is piecewise a sine, a constant, a sine and zero; over each piece the motion is the exact one of a
linear system: x = Re(p exp(j w t)) + modes, with p = (j w - A)^-1 B, so that no integration is needed. Peaks and zeros are
found by bisection of exact derivatives; the displacement is the exact double integral of ay.
"""
import cmath
import math
import sys

from tools import tables

MASS, INERTIA, FRONT, REAR, STIFFNESS, RATIO, SPEED = 1573.0, 2873.0, 1.10, 1.58, 160e3, 16.0, 20.0
FREQUENCY, DWELL, AMPLITUDE = 0.7, 0.5, math.radians(32.0) / RATIO
BEGIN_ANGLE, DISPLACED_AFTER = math.radians(5.0) / RATIO, 1.07

A = ((-2 * STIFFNESS / (MASS * SPEED), (REAR - FRONT) * STIFFNESS / (MASS * SPEED) - SPEED),
     ((REAR - FRONT) * STIFFNESS / (INERTIA * SPEED), -(FRONT**2 + REAR**2) * STIFFNESS / (INERTIA * SPEED)))
B = (STIFFNESS / MASS, FRONT * STIFFNESS / INERTIA)


def solve(matrix, right):
    (p, q), (r, s) = matrix
    det = p * s - q * r
    return ((right[0] * s - q * right[1]) / det, (p * right[1] - right[0] * r) / det)


def modes():
    trace, det = A[0][0] + A[1][1], A[0][0] * A[1][1] - A[0][1] * A[1][0]
    root = cmath.sqrt(trace**2 / 4 - det)
    return [(pole, (A[0][1], pole - A[0][0])) for pole in (trace / 2 + root, trace / 2 - root)]


class Piece:
    """Motion while the steering is Re(size exp(j w (t - start))): a sum of exponentials in t - start for each quantity."""

    def __init__(self, start, end, size, w, state):
        self.start, self.end, self.size, self.w = start, end, size, w
        jw = 1j * w
        forced = solve(((jw - A[0][0], -A[0][1]), (-A[1][0], jw - A[1][1])), (B[0] * size, B[1] * size))
        rest = (state[0] - forced[0].real, state[1] - forced[1].real)
        (p1, v1), (p2, v2) = modes()
        c = solve(((v1[0], v2[0]), (v1[1], v2[1])), rest)
        self.vy = [(jw, forced[0]), (p1, c[0] * v1[0]), (p2, c[1] * v2[0])]
        self.r = [(jw, forced[1]), (p1, c[0] * v1[1]), (p2, c[1] * v2[1])]
        self.ay = [(p, p * y + SPEED * r) for (p, y), (_, r) in zip(self.vy, self.r)]

    def value(self, of, t, order=0):
        return sum((p**order * x * cmath.exp(p * (t - self.start))).real for p, x in getattr(self, of))

    def steer(self, t):
        return (self.size * cmath.exp(1j * self.w * (t - self.start))).real

    def integrals(self, start, end):
        """Of ay over [start, end]: its integral, and the integral of that."""
        once = twice = 0.0
        for p, x in self.ay:
            h, z = end - start, x * cmath.exp(p * (start - self.start))
            if p == 0:
                once, twice = once + (z * h).real, twice + (z * h * h / 2).real
            else:
                once += (z * (cmath.exp(p * h) - 1) / p).real
                twice += (z * ((cmath.exp(p * h) - 1) / p - h) / p).real
        return once, twice


def pieces():
    w, quarter = 2 * math.pi * FREQUENCY, 0.25 / FREQUENCY
    plan = [(3 * quarter, -1j * AMPLITUDE, w), (DWELL, -AMPLITUDE, 0.0), (quarter, -AMPLITUDE, w), (2.0, 0.0, 0.0)]
    out, t, state = [], 0.0, (0.0, 0.0)
    for length, size, rate in plan:
        out.append(Piece(t, t + length, size, rate, state))
        t += length
        state = (out[-1].value("vy", t), out[-1].value("r", t))
    return out


def at(motion, t):
    return next((p for p in motion if t < p.end), motion[-1])


def bisect(of, low, high):
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if (of(low) > 0) == (of(middle) > 0) else (low, middle)
    return (low + high) / 2


def waves(motion, of, begin):
    """First peak, its time, the change of sides, second peak, its time; times after the beginning."""
    step = 1e-3
    value = lambda t: at(motion, t).value(of, t)
    grid = [begin + step * i for i in range(1, 3000)]
    zeros = [t for t in grid if value(t - step) > 0 >= value(t) or value(t - step) < 0 <= value(t)][:2]
    zero = bisect(value, zeros[0] - step, zeros[0])
    first = max((t for t in grid if t < zero), key=value)
    second = min((t for t in grid if zero < t < zeros[1]), key=value)
    out = []
    for t in (first, second):
        p = at(motion, t)
        low, high = max(t - step, p.start), min(t + step, p.end)
        slope = lambda u: p.value(of, u, 1)
        top = bisect(slope, low, high) if (slope(low) > 0) != (slope(high) > 0) else t  # a corner is a peak itself
        out.append((abs(value(top)), top - begin))
    return out[0] + (zero - begin,) + out[1]


def main():
    motion = pieces()
    begin = math.asin(BEGIN_ANGLE / AMPLITUDE) / (2 * math.pi * FREQUENCY)
    end, speed, place = begin + DISPLACED_AFTER, 0.0, 0.0
    for p in motion:
        low, high = max(p.start, begin), min(p.end, end)
        if low < high:
            once, twice = p.integrals(low, high)
            place += speed * (high - low) + twice
            speed += once
    rows = [("displacement_m", place, "m")]
    for of, name, suffix, unit in (("r", "yaw_rate", "radps", "rad/s"), ("ay", "ay", "mps2", "m/s2")):
        names = ((f"peak_1_{suffix}", unit), ("peak_1_time_s", "s"), ("zero_time_s", "s"), (f"peak_2_{suffix}", unit),
                 ("peak_2_time_s", "s"))
        rows += [(f"{name}_{n}", x, u) for (n, u), x in zip(names, waves(motion, of, begin))]
    folder = sys.argv[1]
    tables.write_numbers(folder, "single_track/dwell_figures.csv", rows, 9)

    lines = []
    for i in range(91):
        t = i / 20
        p = at(motion, t - 1)
        x = [RATIO * p.steer(t - 1), p.value("r", t - 1), p.value("ay", t - 1), p.value("vy", t - 1) / SPEED]
        lines.append([t] + (x if t > 1 else [0.0] * 4))
    columns = ("t_s", "steering_wheel_rad", "yaw_rate_radps", "ay_mps2", "sideslip_rad")
    tables.write(folder, "single_track/dwell.csv", columns, lines)


if __name__ == "__main__":
    main()
