#!/usr/bin/env python3
"""Compliance of wheels that a K&C rig measures under one load at a time, applied under all loads of a run at once.

Usage: validation/reference/giving_wheels.py FOLDER    writes the tables kc/giving_*.csv

By vdsim-vehicle(5) the curves become one energy of the loads, whose gradient is the displacement. Its variables are
the loads of a rig: a force ahead at the wheel centre, one ahead at the contact of a braked wheel, a side force at the
contact, and a moment about the vertical. There is also a moment about the wheel's heading, which no rig applies; its
flexibility is the least with which no load does negative work. Each curve is a polynomial of the fourth degree of its
load, fitted by least squares over 101 evenly spaced loads, up to 1.8 times the static load ahead, 2.8 times it to the
side, and a moment of 145 mm times it. If both of two slopes that must be equal are measured, their mean is used.

    W = sum of the integrals of own curves + sum over pairs of x_k s_kj(x_j) + x_j s_jk(x_k) - c_jk x_j x_k

Bushings that are twisted without load add their displacement, relative to the wheel on rigid links, to this gradient.

Displacements are small, but rotations are finite. They are Gibbs' vectors g = 2 tan(angle/2) along the axis; the
conjugate of g for a moment M about the wheel's centre is (M - g x M/2)/(1 + g^2/4). Toe, camber and spin of a rig
become such a vector by the product of three rotations.

The loads of a run are known only after the run. The table therefore has toe and camber at loads near those, and their
derivatives by the loads, by complex steps; the second-order terms of the differences are 1e-8 rad for loads within
1e-3.
"""
import cmath
import math
import sys

from linkages import TINY
from tools import files, tables
from tools.tables import cross

DEGREE, KILO, PLACES = math.pi / 180, 1e3, 101
GRAVITY = 9.80665
LOADS = ("fx_drive", "fx_brake", "fy", "mz")
DRIVE, BRAKE, SIDE, TURN, LEAN = range(5)
FOLDER = "validation/data/kc/"


# Cubics over the load of a rig, N or N m; a spline through some points of a cubic is the same cubic. Beyond their ends
# the curves continue with their last secants. Name of the file: load, quantity, coefficients in deg per power of kN or
# kN m, points.
CURVES = {
    "giving_brake.csv": ("fx_brake", "toe", (0.11, 0.006, -0.0017), (-5000, -3200, -1500, 0, 1200, 3100, 4600)),
    "giving_turn.csv": ("mz", "toe", (-1.1, 0.9, 14.0), (-150, -100, -40, 0, 60, 90, 140)),
    "giving_side.csv": ("fy", "toe", (0.17, -0.008, -0.0024), (-4800, -3000, -1400, 0, 1300, 3000, 4500)),
    "giving_drive.csv": ("fx_drive", "camber", (-0.03, 0.007, 0.0022), (-4500, -2800, -1500, 0, 1600, 3300, 4900)),
}


def curve_of(name):
    """deg."""
    _, _, powers, points = CURVES[name]

    def inside(load):
        return sum(c * (load / KILO) ** (n + 1) for n, c in enumerate(powers))

    def value(load):
        for end, last in ((points[0], points[1]), (points[-1], points[-2])):
            if abs(load) > abs(end) and load * end > 0:
                return inside(end) + (load - end) * (inside(end) - inside(last)) / (end - last)
        return inside(load)
    return value


# fx, fy, fz, my, mz, distance of the contact from the wheel centre, brake torque, and of the road's normal x and y in the
# body's axes, toe-in on rigid links
INPUTS = ("fx", "fy", "fz", "my", "mz", "reach", "brake", "nx", "ny", "toe")
NEAR = {
    "fl": (-1461.9, -588.95, 3317.9, -15.926, 29.036, 0.32357, -465, -0.0077389, 0.04555, 0.044176),
    "fr": (-1496.6, 3372.2, 5460.2, -26.209, -157.43, 0.31375, -465, -0.0077389, 0.04555, 0.055812),
    "rl": (289.91, 1641.3, 2066.8, -9.9205, -75.527, 0.32546, -285, -0.0077389, 0.04555, -0.04),
    "rr": (261.25, 296.28, 3925.1, -18.84, -14.801, 0.31711, -285, -0.0077389, 0.04555, -0.04),
}


def add(a, b, factor=1.0):
    return [x + factor * y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def attitude(toe, camber, spin):
    """Columns of the turn of a left wheel: toe-in turns it to the right, camber its top outward."""
    def about(axis, angle):
        c, s = cmath.cos(angle), cmath.sin(angle)
        return lambda v: add(add([c * x for x in v], cross(axis, v), s), axis, (1 - c) * dot(axis, v))
    turns = (about([0.0, 1.0, 0.0], spin), about([1.0, 0.0, 0.0], -camber), about([0.0, 0.0, 1.0], -toe))
    columns = []
    for axis in range(3):
        v = [float(axis == i) for i in range(3)]
        for turn in turns:
            v = turn(v)
        columns.append(v)
    return columns


def gibbs(start, end):
    """2 tan(angle/2) along the axis of the turn from one attitude to the other: it turns each direction d into e with
    e - d = g x (d + e)/2."""
    axis = [0.0] * 3
    for d, e in zip(start, end):
        axis = add(axis, cross(d, e), 0.5)  # sin(angle) along the axis
    cosine = (sum(dot(d, e) for d, e in zip(start, end)) - 1) / 2
    return [2 * x / (1 + cosine) for x in axis]


def turned(g, v):
    once = cross(g, v)
    return add(v, add(once, cross(g, once), 0.5), 1 / (1 + dot(g, g) / 4))


class Wheel:
    """Of the left side. static: its load at rest."""

    def __init__(self, name, static):
        file = files.read(f"{FOLDER}{name}.yaml")
        given = file["compliance"]
        self.toe, self.camber = file["toe"][0][1], file["camber"][0][1]
        self.radius, self.force = given["radius"], 1.8 * static
        self.curve = {}
        for table in given["tables"]:
            load, quantity = CURVES[table["file"]][:2]
            self.curve[quantity, load] = drawn(curve_of(table["file"]))
        for quantity in ("toe", "camber", "x", "y", "contact_y", "spin"):
            for key, slope in given.get(quantity, {}).items():
                self.curve[quantity, key] = rate(slope)
        self.most = [self.force, self.force, 1.555 * self.force, 0.0806 * self.force]
        self.start = attitude(self.toe, self.camber, 0.0)
        own = {key[len("bushing_"):]: value[0][1] for key, value in file.items() if key.startswith("bushing_")}
        g = gibbs(self.start, attitude(self.toe + own["toe"], self.camber + own["camber"], own["spin"]))
        c, s = math.cos(self.toe), math.sin(self.toe)
        # ahead, aside; lean, wind, turn
        self.twisted = [complex(x).real for x in (c * own["x"] - s * own["y"], s * own["x"] + c * own["y"],
                                                  c * g[0] - s * g[1], s * g[0] + c * g[1], g[2])]
        self.series = [[self.fit(k, j) for j in range(4)] for k in range(5)]
        self.slopes()

    def at(self, quantity, load, size):
        curve = self.curve.get((quantity, load))
        return curve(size) if curve else 0.0

    def moves(self, load, size):
        """Along all five variables, by one load; None: not measured."""
        key = LOADS[load]
        change = {q: self.at(q, key, size) for q in ("toe", "camber", "x", "y", "contact_y", "spin")}
        known = {q: (q, key) in self.curve for q in change}
        g = gibbs(self.start, attitude(self.toe + change["toe"], self.camber + change["camber"], change["spin"]))
        c, s = math.cos(self.toe), math.sin(self.toe)
        lean, wind = c * g[0] - s * g[1], s * g[0] + c * g[1]
        # the contact of an upright disc lies below its centre, of a leaning one beside it
        out = [change["x"], change["x"] - self.radius * (wind - math.sin(self.camber) * g[2]),
               change["contact_y"] if known["contact_y"] else change["y"] + self.radius * lean, g[2], lean]
        there = [known["x"], known["x"] and known["spin"], known["y"] or known["contact_y"], known["toe"], known["camber"]]
        return [complex(x).real if k else None for x, k in zip(out, there)]

    def fit(self, variable, load):
        """Coefficients of the first four powers of the load over its range; None: not measured."""
        places = [2 * i / (PLACES - 1) - 1 for i in range(PLACES)]
        values = [self.moves(load, u * self.most[load])[variable] for u in places]
        if values[0] is None:
            return None
        matrix = [[sum(u ** (m + n) for u in places) for n in range(1, 5)] for m in range(1, 5)]
        right = [sum(u ** m * y for u, y in zip(places, values)) for m in range(1, 5)]
        return tables.solve(matrix, [right])[0]

    def slopes(self):
        """c[j][k], by the loads themselves."""
        raw = [[None if f is None else f[0] / self.most[j] for j, f in enumerate(row)] for row in self.series]
        self.c = [[0.0] * 5 for _ in range(5)]
        for j in range(5):
            for k in range(5):
                both = [raw[a][b] for a, b in ((j, k), (k, j)) if b != LEAN and raw[a][b] is not None]
                self.c[j][k] = sum(both) / len(both) if both else 0.0
        own = self.c[LEAN][:4]
        self.c[LEAN][LEAN] = dot(own, tables.solve([row[:4] for row in self.c[:4]], [own])[0])

    def gradient(self, x):
        out = []
        for k in range(5):
            total = sum(self.c[k][j] * x[j] for j in range(5))
            for j in range(4):
                f = self.series[k][j]
                if f:  # beyond the slope; of displacement k by load j
                    u = x[j] / self.most[j]
                    total += sum(f[n - 1] * u ** n for n in range(2, 5))
            if k < LEAN:
                for j in range(5):
                    f = self.series[j][k]
                    if f and j != k:
                        u = x[k] / self.most[k]
                        total += x[j] * sum(n * f[n - 1] * u ** (n - 1) for n in range(2, 5)) / self.most[k]
            out.append(total)
        return out

    def stands(self, fx, fy, fz, my, mz, reach, brake, nx, ny, toe):
        """Toe-in, camber and the wheel centre's shift ahead and outward under the loads of a tyre on a plane, in axes
        of the body, of the left wheel."""
        normal = [nx, ny, cmath.sqrt(1 - nx * nx - ny * ny)]
        c, s = cmath.cos(toe), cmath.sin(toe)
        ahead, aside, up = [c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]
        level = math.cos(self.camber)
        axle = [s * level, c * level, -math.sin(self.camber)]
        g, now = [0.0] * 3, axle
        for _ in range(60):
            lean = dot(normal, now)
            upright = cmath.sqrt(1 - lean * lean)
            disc = [x / upright for x in add(normal, now, -lean)]
            on, left = cross(now, disc), add([upright * x for x in now], disc, -lean)
            force = add(add([fx * x for x in on], left, fy), normal, fz)
            moment = add(add(cross([-reach * x for x in disc], force), normal, mz), now, my)
            # a wheel turns freely about its axle, except for its brake
            moment = add(moment, now, -brake - dot(moment, now))
            p = [x / (1 + dot(g, g) / 4) for x in add(moment, cross(g, moment), -0.5)]
            tilt, wind, turn = dot(p, ahead), dot(p, aside), p[2]
            out = dot(force, aside)
            braking = -wind / self.radius
            x = [dot(force, ahead) - braking, braking, out, turn - self.radius * math.sin(self.camber) * braking,
                 tilt - self.radius * out]
            d = self.gradient(x)
            # of the moments in the wheel's own axes: those of the brake lead to three variables
            about = (d[DRIVE] - d[BRAKE]) / self.radius + math.sin(self.camber) * d[TURN]
            own = self.twisted
            g = add(add([(d[LEAN] + own[2]) * v for v in ahead], aside, about + own[3]), up, d[TURN] + own[4])
            now = turned(g, axle)
        shift = add([(d[DRIVE] + own[0]) * v for v in ahead], aside, d[SIDE] - self.radius * d[LEAN] + own[1])
        return cmath.atan(now[0] / now[1]), -cmath.asin(now[2]), shift[0], shift[1]


def drawn(curve):
    return lambda load: DEGREE * curve(load)


def rate(text):
    """Such as 0.1 deg/kN."""
    number, unit = text.split() if isinstance(text, str) else (text, "")
    top, _, below = unit.partition("/")
    size = float(number) * {"deg": DEGREE, "mm": 1e-3}[top] / {"kN": KILO, "kNm": KILO}[below]
    return lambda load: size * load


def main():
    for name, (load, quantity, _, points) in CURVES.items():
        header = [f"{load} [{'N m' if load == 'mz' else 'N'}]", f"{quantity} [deg]"]
        tables.write(sys.argv[1], "kc/" + name, header, [[p, curve_of(name)(p)] for p in points], 12)
    car = files.read("scenarios/vehicles/sedan.yaml")
    weight, ahead = car["mass"] * GRAVITY / 2, car["cg_to_front"] / car["wheelbase"]
    wheels = {"f": Wheel("giving_front", weight * (1 - ahead)), "r": Wheel("giving_rear", weight * ahead)}
    middle = {"f": car["cg_to_front"], "r": car["cg_to_front"] - car["wheelbase"]}
    half, rows = car["front"]["track"] / 2, []
    for place, near in NEAR.items():
        wheel, side = wheels[place[0]], 1.0 if place[1] == "l" else -1.0
        # a right wheel is the mirror image of a left one
        sign = [side if name in ("fy", "mz", "ny") else 1.0 for name in INPUTS]
        rows += [[f"{place}_side", side, "1"], [f"{place}_x", middle[place[0]], "m"], [f"{place}_y", half, "m"]]
        for name, value in zip(INPUTS, near):
            rows.append([f"{place}_{name}", value, "1"])
        for k in range(-1, len(INPUTS)):
            own = [s * complex(v, TINY if i == k else 0.0) for i, (s, v) in enumerate(zip(sign, near))]
            for what, angle in zip(("toe", "camber", "ahead", "outward"), wheel.stands(*own)):
                if k < 0:
                    rows.append([f"{place}_its_{what}", angle.real, "1"])
                else:
                    rows.append([f"{place}_{what}_by_{INPUTS[k]}", angle.imag / TINY, "1"])
    tables.write_numbers(sys.argv[1], "kc/giving_wheels.csv", rows, 10)
    return wheels


if __name__ == "__main__":
    main()
