#!/usr/bin/env python3
"""The road of two measured manoeuvres of a 1997 Jeep Cherokee: its inclination, by lateral acceleration and yaw rate.

Usage: validation/reference/inclined_road.py FOLDER    writes inclined_road/slope.csv

In steady turning the lateral acceleration over the yaw rate r is the speed. On a plane that rises by a ahead and by b to
the left of the first heading, a sensor that turns with the car shows g (a sin psi + b (cos psi - 1)) less, psi the angle
by which the car has turned to the right, and its zero taken before the turn. Drive torque that does not change lets the
speed vary by g/r times the same terms, which is the same share of the acceleration again: in place of the slope the
traces show it twice. With a speed that is held they show it once. The apparent slope is the least squares of

    ay = (v0 + v1 t + ...) r - g (A sin psi + B (cos psi - 1)),

with a speed that falls in a straight line (step) or in a parabola (slowly increasing steer, whose tyres brake more and
more). psi is the integral of the yaw rate. What such speeds leave without a slope is beside it.

scatter, worst, inside: the slowly increasing steer about parabolas through its own rows within 1.5 s, without a model: root
mean square, greatest distance in the bands of validation/measured/jeep_cherokee.yaml, share of the rows inside of them.
"""
import csv
import math
import os
import sys

from tools import tables

G = 9.80665
MEASURED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "measured")


def read(name):
    """Columns t, ay, r, psi; SI, to the right > 0."""
    with open(os.path.join(MEASURED, name), encoding="ascii") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    t, ay, r = [[float(row[key]) * scale for row in rows]
                for key, scale in (("t_s", 1), ("ay_mps2", 1), ("yaw_rate_degps", math.pi / 180))]
    psi = [0.0]
    for i in range(1, len(t)):
        psi.append(psi[-1] + (r[i] + r[i - 1]) * (t[i] - t[i - 1]) / 2)
    return t, ay, r, psi


def least_squares(terms, values):
    """Factors of the terms, and the root mean square of what they leave."""
    n = range(len(terms[0]))
    x = tables.solve([[sum(row[i] * row[j] for row in terms) for j in n] for i in n],
                     [[sum(row[i] * y for row, y in zip(terms, values)) for i in n]])[0]
    left = [y - sum(p * q for p, q in zip(x, row)) for row, y in zip(terms, values)]
    return x, math.sqrt(sum(e * e for e in left) / len(left))


def slope(name, first, last, powers):
    t, ay, r, psi = read(name)
    used = [i for i in range(len(t)) if first <= t[i] <= last]
    level = [[r[i] * ((t[i] - first) / (last - first)) ** k for k in range(powers)] for i in used]
    plane = [row + [-G * math.sin(psi[i]), -G * (math.cos(psi[i]) - 1)] for i, row in zip(used, level)]
    values = [ay[i] for i in used]
    x, left = least_squares(plane, values)
    return x[-2], x[-1], left, least_squares(level, values)[1]


def smooth(t, y):
    """At every row the middle of the parabola of least squares through the rows within 1.5 s."""
    out = []
    for time in t:
        near = [j for j in range(len(t)) if abs(t[j] - time) <= 1.5]
        x, _ = least_squares([[1, t[j] - time, (t[j] - time) ** 2] for j in near], [y[j] for j in near])
        out.append(x[0])
    return out


def scatter(t, y, curve, first, last):
    """Root mean square of the rows about a curve."""
    square = [(b - a) ** 2 for time, a, b in zip(t, curve, y) if first <= time <= last]
    return math.sqrt(sum(square) / len(square))


def outside(t, y, curve, first, last, wide, high):
    """Greatest distance of a row from a curve in half axes of ellipses, and the share of the rows within 1 of them."""
    parts = 8
    line = [(t[j] + (t[j + 1] - t[j]) * k / parts, curve[j] + (curve[j + 1] - curve[j]) * k / parts)
            for j in range(len(t) - 1) for k in range(parts)]
    far = [min(math.hypot((time - a) / wide, (value - b) / high) for a, b in line if abs(time - a) <= 2 * wide)
           for time, value in zip(t, y) if first <= time <= last]
    return max(far), sum(x <= 1 for x in far) / len(far)


def main(folder):
    out = []
    for name, first, last, powers in (("step", 3, 13, 2), ("sis", 4, 41, 3)):
        ahead, left, after, before = slope(f"jeep_cherokee_{name}.csv", first, last, powers)
        out += [(f"{name}_ahead", ahead, "1"), (f"{name}_left", left, "1"),
                (f"{name}_inclined", after, "m/s2"), (f"{name}_level", before, "m/s2")]
    t, ay = read("jeep_cherokee_sis.csv")[:2]
    curve = smooth(t, ay)
    for name, first, last, high in (("early", 1, 16, 0.09), ("late", 16, 42, 0.14)):
        worst, inside = outside(t, ay, curve, first, last, 0.29, high)
        out += [(f"scatter_{name}", scatter(t, ay, curve, first, last), "m/s2"),
                (f"worst_{name}", worst, "1"), (f"inside_{name}", inside, "1")]
    tables.write_numbers(folder, "inclined_road/slope.csv", out, 4)


main(sys.argv[1])
