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
more). psi is the integral of the yaw rate. What such speeds leave without a slope is beside it, and the scatter of the
slowly increasing steer about parabolas of 3 s, of which half a window to each side is used: no model has a part in it.
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


def scatter(name, first, last):
    """Root mean square about parabolas of 3 s, their middles."""
    t, ay = read(name)[:2]
    square = []
    for i, time in enumerate(t):
        if first <= time <= last:
            near = [j for j in range(len(t)) if abs(t[j] - time) <= 1.5]
            x, _ = least_squares([[1, t[j] - time, (t[j] - time) ** 2] for j in near], [ay[j] for j in near])
            square.append((ay[i] - x[0]) ** 2)
    return math.sqrt(sum(square) / len(square))


def main(folder):
    out = []
    for name, first, last, powers in (("step", 3, 13, 2), ("sis", 4, 41, 3)):
        ahead, left, after, before = slope(f"jeep_cherokee_{name}.csv", first, last, powers)
        out += [(f"{name}_ahead", ahead, "1"), (f"{name}_left", left, "1"),
                (f"{name}_inclined", after, "m/s2"), (f"{name}_level", before, "m/s2")]
    for name, first, last in (("early", 1, 16), ("late", 16, 42)):
        out.append((f"scatter_{name}", scatter("jeep_cherokee_sis.csv", first, last), "m/s2"))
    tables.write_numbers(folder, "inclined_road/slope.csv", out, 4)


main(sys.argv[1])
