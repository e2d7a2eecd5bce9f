#!/usr/bin/env python3
"""Modes of a quarter car and of the sedan: a half car with heave, pitch and two axles, and the body on its axles in
roll.

Usage: validation/reference/vibration.py FOLDER    writes ride/modes.csv

Roots of det(M s^2 + C s + K), whose polynomial is expanded; a mode has the natural frequency |s|/(2 pi) and the damping
ratio -Re s/|s|.

Half car: O is the centre of all masses in the design position, a point of the body; z its rise, p the pitch with the
nose down, w_i the rise of the wheels of an axle at x_i. Springs act along the body's vertical, on w_i - z + x_i p,
tyres on w_i. The wheels are z_u above O (less than 0) and go forward with the body by z_u p, the sprung mass at
(x_s, z_s) likewise; as the moments of the masses about O are zero, so is the sum of these momenta, and O does not move
along the car. A wheel's height is z - x_i p + z_u cos p + travel, on which the tyre acts with the load F_i of the
design position: its second-order part is the stiffness z_u sum F_i = W z_u in pitch. Those of gravity cancel about O.

Roll: a is that of the body, b that of the axles, which are rigid beams to this model of the masses: the roll centre on
the road is r above O, the beams' masses e above it. O is held laterally, so that the beams move by r a + e b and the
sprung mass by z_s a; W r - g (m_s z_s + 4 m_u r) and -4 m_u g e are the second-order parts of tyres and weights.
"""
import math
import sys

from tools import files, tables

GRAVITY = 9.80665


def times(p, q):
    out = [0.0] * (len(p) + len(q) - 1)
    for i, x in enumerate(p):
        for j, y in enumerate(q):
            out[i + j] += x * y
    return out


def determinant(matrix):
    """Of polynomials, lowest power first, by the first row."""
    if len(matrix) == 1:
        return matrix[0][0]
    total = [0.0] * (2 * len(matrix) + 1)
    for j, entry in enumerate(matrix[0]):
        minor = times(entry, determinant([row[:j] + row[j + 1:] for row in matrix[1:]]))
        for k, x in enumerate(minor):
            total[k] += -x if j % 2 else x
    return total


def roots(p):
    """All at once: Weierstrass, Durand and Kerner."""
    while p[-1] == 0.0:
        p = p[:-1]
    n = len(p) - 1
    size = (abs(p[0] / p[-1])) ** (1 / n)
    z = [size * complex(0.4, 0.9) ** k for k in range(n)]
    for _ in range(500):
        for i in range(n):
            value = 0j
            for x in reversed(p):
                value = value * z[i] + x
            z[i] -= value / p[-1] / math.prod(z[i] - z[j] for j in range(n) if j != i)
    return z


def modes(mass, damping, stiffness):
    """(natural frequency in Hz, damping ratio) of pairs of complex roots, the slowest first."""
    n = range(len(mass))
    found = roots(determinant([[[stiffness[i][j], damping[i][j], mass[i][j]] for j in n] for i in n]))
    return sorted((abs(s) / (2 * math.pi), -s.real / abs(s)) for s in found if s.imag > 0)


def elements(n, parts):
    """The sum of rate times row times its transpose."""
    out = [[0.0] * n for _ in range(n)]
    for rate, row in parts:
        for i in range(n):
            for j in range(n):
                out[i][j] += rate * row[i] * row[j]
    return out


def quarter_car():
    body, wheel, spring, damper, tyre = 290.0, 59.0, 16812.0, 1000.0, 190000.0
    between, at_road = (1.0, -1.0), (0.0, 1.0)
    return modes(elements(2, [(body, (1.0, 0.0)), (wheel, at_road)]), elements(2, [(damper, between)]),
                 elements(2, [(spring, between), (tyre, at_road)]))


class Sedan:
    def __init__(self):
        car = files.read("scenarios/vehicles/sedan.yaml")
        axle = car["front"]  # both axles are equal
        self.car, self.wheel, self.radius = car, axle["unsprung_mass"], axle["wheel_radius"]
        self.sprung = car["mass"] - 4 * self.wheel
        self.k, self.c = axle["spring_stiffness"], axle["damper"]
        self.tyre = files.read("scenarios/tyres/mf96_touring.yaml")["vertical_stiffness"]
        self.half_track, self.height, self.weight = axle["track"] / 2, car["cg_height"], car["mass"] * GRAVITY

    def half_car(self):
        x = (self.car["cg_to_front"], self.car["cg_to_front"] - self.car["wheelbase"])
        z_u = self.radius - self.height
        x_s, z_s = -2 * self.wheel * sum(x) / self.sprung, -4 * self.wheel * z_u / self.sprung
        travels = [(-1.0, x[0], 1.0, 0.0), (-1.0, x[1], 0.0, 1.0)]
        wheels = [(0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)]
        pitch = (0.0, 1.0, 0.0, 0.0)
        inertia = self.car["pitch_inertia"] + self.sprung * z_s**2 + 4 * self.wheel * z_u**2
        mass = [(self.sprung, (1.0, -x_s, 0.0, 0.0)), (inertia, pitch)] + [(2 * self.wheel, row) for row in wheels]
        stiffness = [(2 * self.k, row) for row in travels] + [(2 * self.tyre, row) for row in wheels]
        return modes(elements(4, mass), elements(4, [(2 * self.c, row) for row in travels]),
                     elements(4, stiffness + [(self.weight * z_u, pitch)]))

    def roll(self):
        r, e, h1, m_u = -self.height, self.radius, self.half_track, self.wheel
        z_s = 4 * m_u * (self.height - e) / self.sprung
        body, axles, between = (1.0, 0.0), (0.0, 1.0), (1.0, -1.0)
        inertia = self.car["roll_inertia"] + self.sprung * z_s**2
        weights = self.weight * r - GRAVITY * (self.sprung * z_s + 4 * m_u * r)
        return modes(
            elements(2, [(inertia, body), (4 * m_u, (r, e)), (4 * m_u * h1**2, axles)]),
            elements(2, [(4 * h1**2 * self.c, between)]),
            elements(2, [(4 * h1**2 * self.k, between), (4 * h1**2 * self.tyre, axles), (weights, body),
                         (-4 * m_u * GRAVITY * e, axles)]))


def main():
    sedan = Sedan()
    heave, pitch, rear, front = sedan.half_car()
    found = list(zip(("quarter_body", "quarter_wheel"), quarter_car()))
    found += [("heave", heave), ("pitch", pitch), ("front_hop", front), ("rear_hop", rear), ("roll", sedan.roll()[0])]
    tables.write_numbers(sys.argv[1], "ride/modes.csv", [
        row for name, (frequency, damping) in found
        for row in ((f"{name}_frequency", frequency, "Hz"), (f"{name}_damping", damping, "1"))], 10)


if __name__ == "__main__":
    main()
