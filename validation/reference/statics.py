#!/usr/bin/env python3
"""Linear statics of suspensions on bushings: rotation and shift of the wheel under small forces, in rational numbers.

Usage: validation/reference/statics.py FOLDER    writes kc/statics.csv

Bodies: knuckle, arms, tie rod or links. Each has six small displacements: u of its point at the wheel centre O, and a
rotation r. A point p of it moves by u + r x (p - O). Bushings at the chassis have an energy d K d/2 + r T r/2 along the
axes of the chassis. Ball joints, the line of the strut through its top, and the held height of the wheel centre are
constraints with multipliers. The road's load Fz acts on the lowest point of a round disc below the held centre, whose
height has the second-order term R rx^2/2 if the disc leans and none if it turns about its axle: Fz R is subtracted from
the stiffness of the knuckle about x. The spin axes are along y: toe is -rz, camber -rx.
"""
import math
import sys
from fractions import Fraction

from tools import files, tables
from tools.tables import cross

# Translation in N/m and rotation in N m/rad along x, y, z: Onlyti/VDSim (Apache-2.0), as vdsim-suspension(5) has them
BUSHINGS = {
    "lca_front": ((1.2e6, 1.2e6, 6.0e5), (2.5e4, 1.2e4, 4.0e4)),
    "lca_rear": ((1.0e6, 1.0e6, 5.0e5), (2.0e4, 1.0e4, 3.5e4)),
    "uca_front": ((1.0e6, 1.0e6, 5.0e5), (1.8e4, 1.0e4, 2.5e4)),
    "uca_rear": ((9.0e5, 9.0e5, 4.5e5), (1.6e4, 9.0e3, 2.2e4)),
    "tie_inner": ((5.0e5, 5.0e5, 3.0e5), (8.0e3, 6.0e3, 1.2e4)),
    "arm": ((8.0e5, 8.0e5, 4.0e5), (1.5e4, 2.0e4, 3.0e4)),
    "link": ((7.0e5, 7.0e5, 3.5e5), (1.2e4, 1.0e4, 2.0e4)),
}
LOAD = 4500  # N, of the metrics of a suspension
KNUCKLE = 0


class Corner:
    """The matrix of stiffnesses and the rows of constraints."""

    def __init__(self, bodies, centre):
        self.centre, self.size = centre, 6 * bodies
        self.stiffness = [[Fraction(0)] * self.size for _ in range(self.size)]
        self.constraints = []
        self.hold([(KNUCKLE, centre, 1)], (0, 0, 1))

    def shift(self, body, point, axis):
        """Coefficients of the displacement of a body's point along an axis: axis . u + r . (p x axis)."""
        row = [Fraction(0)] * self.size
        row[6 * body:6 * body + 6] = list(axis) + cross([p - c for p, c in zip(point, self.centre)], axis)
        return row

    def spring(self, row, rate):
        used = [(i, x) for i, x in enumerate(row) if x]
        for i, x in used:
            for j, y in used:
                self.stiffness[i][j] += rate * x * y

    def bushing(self, body, point, name):
        for i in range(3):
            axis = [Fraction(int(i == j)) for j in range(3)]
            self.spring(self.shift(body, point, axis), Fraction(BUSHINGS[name][0][i]))
            self.stiffness[6 * body + 3 + i][6 * body + 3 + i] += Fraction(BUSHINGS[name][1][i])

    def hold(self, points, axis):
        """The sum of sign times displacement of points along an axis is zero."""
        rows = [[sign * x for x in self.shift(body, p, axis)] for body, p, sign in points]
        self.constraints.append([sum(column) for column in zip(*rows)])

    def ball(self, a, b, point):
        for i in range(3):
            self.hold([(a, point, 1), (b, point, -1)], [Fraction(int(i == j)) for j in range(3)])

    def answer(self, loads, load=0, radius=0):
        """Displacements of the knuckle, u and r, under each load (force and moment at the wheel centre)."""
        n, c = self.size, self.constraints
        matrix = [row + [k[i] for k in c] for i, row in enumerate(self.stiffness)]
        matrix += [k + [Fraction(0)] * len(c) for k in c]
        matrix[3][3] -= load * radius
        right = [[Fraction(x) for x in given] + [Fraction(0)] * (n - 6 + len(c)) for given in loads]
        return [x[:6] for x in tables.solve(matrix, right)]


def corner_of(file):
    """Of a suspension file of a type that has such bushings."""
    kind, centre = file["type"], file["wheel"]["center"]
    arms = [name for name in ("lca", "uca") if name in file]
    if kind == "trailing_arm":
        corner = Corner(1, centre)
        for pivot in file["arm_pivot"].values():
            corner.bushing(KNUCKLE, pivot, "arm")
        return corner
    if kind == "five_link":
        corner = Corner(6, centre)
        for body, link in enumerate(file["links"].values(), 1):
            corner.bushing(body, link["chassis"], "link")
            corner.ball(body, KNUCKLE, link["knuckle"])
        return corner
    corner = Corner(2 + len(arms), centre)
    for body, name in enumerate(arms, 1):
        corner.bushing(body, file[name]["chassis_front"], name + "_front")
        corner.bushing(body, file[name]["chassis_rear"], name + "_rear")
        corner.ball(body, KNUCKLE, file[name]["knuckle"])
    tie = 1 + len(arms)
    corner.bushing(tie, file["tie_rod"]["rack"], "tie_inner")
    corner.ball(tie, KNUCKLE, file["tie_rod"]["knuckle"])
    if kind == "macpherson":
        top, bottom = file["strut"]["top"], file["strut"]["bottom"]
        line = [a - b for a, b in zip(top, bottom)]
        across = cross(line, [0, 1, 0])
        for axis in (across, cross(line, across)):
            corner.hold([(KNUCKLE, top, 1)], axis)
    return corner


def rods_of(file, rate):
    """Links as springs along their lines."""
    corner = Corner(1, file["wheel"]["center"])
    for link in file["links"].values():
        line = [a - b for a, b in zip(link["knuckle"], link["chassis"])]
        corner.spring(corner.shift(KNUCKLE, link["knuckle"], line), rate / sum(x * x for x in line))
    return corner


def at_contact(force, radius):
    """A force on the knuckle at the contact, R below the centre, as one at the centre and its moment."""
    return list(force) + cross([0, 0, -radius], force)


def main():
    per, numbers = 180 / math.pi, []

    def add(name, value, unit):
        numbers.append((name, value, unit))

    for name in ("dw_front_sports", "mp_front_sedan", "ta_rear_sedan", "5link_rear_sports"):
        file = files.read(f"scenarios/suspensions/{name}.yaml", Fraction)
        prefix, r = name.replace("5link", "five_link"), file["wheel"]["static_radius"]
        fx, fy, mz = corner_of(file).answer(
            [at_contact([1000, 0, 0], r), at_contact([0, 1000, 0], r), [0, 0, 0, 0, 0, 100]], LOAD, r)
        for load, x, unit in (("fx", fx, "deg/kN"), ("fy", fy, "deg/kN"), ("mz", mz, "deg/(100 N m)")):
            add(f"{prefix}_toe_{load}", -per * float(x[5]), unit)
            add(f"{prefix}_camber_{load}", -per * float(x[3]), unit)
        add(f"{prefix}_wheel_x_fx", 1000 * fx[0], "mm/kN")
        add(f"{prefix}_wheel_y_fy", 1000 * fy[1], "mm/kN")
        add(f"{prefix}_patch_y_fy", 1000 * (fy[1] + r * fy[3]), "mm/kN")

    file = files.read("scenarios/suspensions/5link_rear_sports.yaml", Fraction)
    r = file["wheel"]["static_radius"]
    # links of 7e5 N/m along their lines alone, without a load
    fx, fy = rods_of(file, Fraction(700000)).answer([at_contact([1000, 0, 0], r), at_contact([0, 1000, 0], r)])
    add("rods_toe_fx", -per * float(fx[5]), "deg/kN")
    add("rods_toe_fy", -per * float(fy[5]), "deg/kN")
    add("rods_camber_fy", -per * float(fy[3]), "deg/kN")
    # turn to the left without a load, of a wheel of 0.32 m: force at its centre, side force at the contact, moments
    tyre = Fraction("0.32")
    x = corner_of(file).answer(
        [[1, 0, 0, 0, 0, 0], at_contact([0, 1, 0], tyre), [0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 0]])
    for name, of, unit in zip(("centre_fx", "contact_fy", "mz", "my"), x, ("rad/N", "rad/N", "rad/(N m)", "rad/(N m)")):
        add(f"five_link_turn_{name}", of[5], unit)
    tables.write_numbers(sys.argv[1], "kc/statics.csv", numbers)


if __name__ == "__main__":
    main()
