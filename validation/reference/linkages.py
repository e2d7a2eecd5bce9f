#!/usr/bin/env python3
"""Kinematics of wheel suspensions: poses over travel and rack, and gains at the design position.

Usage: validation/reference/linkages.py FOLDER    writes kc/synthetic_kc.csv, kc/gains.csv and kc/curves.csv

Natural coordinates (Garcia de Jalon and Bayo, 1994): the knuckle is the places of three of its points, whose distances
are constant; every other point, and its directions, are fixed in the frame of the three. Rods keep their lengths, a
strut's line goes through its top, the wheel centre has the height of the travel. Newton's method; derivatives by
complex steps (Squire and Trapp, 1998), which have no difference to cancel, so that gains, the derivatives of the
solution by the theorem of implicit functions, are exact. A semi-trailing arm turns about its line by Rodrigues'
formula.

Toe-in and camber with the top outward are positive, travel in bump and a rack to the left; spin is the turn of the
knuckle's forward direction as the side view shows it.
"""
import math
import sys

from tools import files, tables
from tools.tables import cross

TINY = 1e-30
DEGREE = math.pi / 180


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def atan2(y, x):
    """With a complex step, whose part of the derivative is (x dy - y dx)/(x^2 + y^2)."""
    y, x = complex(y), complex(x)
    angle = math.atan2(y.real, x.real)
    return complex(angle, (x.real * y.imag - y.real * x.imag) / (x.real**2 + y.real**2))


def length(a):
    return dot(a, a) ** 0.5


def in_frame(base, coefficients):
    """A direction by its parts along two sides of a triangle of points and their cross product."""
    e1, e2 = sub(base[1], base[0]), sub(base[2], base[0])
    parts = zip(e1, e2, cross(e1, e2))
    return [dot(coefficients, column) for column in parts]


def parts_of(base, direction):
    e1, e2 = sub(base[1], base[0]), sub(base[2], base[0])
    columns = (e1, e2, cross(e1, e2))
    return tables.solve([[column[i] for column in columns] for i in range(3)], [direction])[0]


class Knuckle:
    """Guided by rods (chassis, knuckle, whether the rack shifts it) and by the line of a strut (top, bottom)."""

    def __init__(self, wheel, rods, strut=None):
        self.centre, self.rods, self.strut = wheel["center"], rods, strut
        joints = []
        for _, point, _ in rods:
            if point not in joints:
                joints.append(point)
        self.base = joints[:3] if len(joints) >= 3 else joints + [strut[1]]
        self.start = [x for point in self.base for x in point]

    def point(self, base, place):
        """A point of the knuckle, given by its place in the design position."""
        return [x + y for x, y in zip(base[0], in_frame(base, parts_of(self.base, sub(place, self.base[0]))))]

    def residuals(self, state, travel, rack):
        base = [state[0:3], state[3:6], state[6:9]]
        out = []
        for i, j in ((0, 1), (1, 2), (2, 0)):
            now, design = sub(base[i], base[j]), sub(self.base[i], self.base[j])
            out.append(dot(now, now) - dot(design, design))
        for chassis, joint, steered in self.rods:
            shifted = [chassis[0], chassis[1] + (rack if steered else 0.0), chassis[2]]
            now, design = sub(self.point(base, joint), shifted), sub(joint, chassis)
            out.append(dot(now, now) - dot(design, design))
        if self.strut:
            top, bottom = self.strut
            line = sub(top, bottom)
            across = cross(line, [0.0, 1.0, 0.0])
            for axis in (across, cross(line, across)):
                turned = in_frame(base, parts_of(self.base, axis))
                out.append(dot(turned, sub(top, self.point(base, bottom))))
        out.append(self.point(base, self.centre)[2] - self.centre[2] - travel)
        return out

    def jacobian(self, state, travel, rack):
        columns = []
        for i in range(9):
            moved = [complex(x, TINY if i == j else 0.0) for j, x in enumerate(state)]
            columns.append([r.imag / TINY for r in self.residuals(moved, travel, rack)])
        return [list(row) for row in zip(*columns)]

    def solve(self, state, travel, rack):
        for _ in range(30):
            step = tables.solve(self.jacobian(state, travel, rack), [self.residuals(state, travel, rack)])[0]
            state = sub(state, step)
            if max(map(abs, step)) < 1e-14:
                break
        return state

    def figures(self, state):
        """Toe, camber, shift of the wheel centre, spin, and Onlyti/VDSim's own caster; rad and m."""
        base = [state[0:3], state[3:6], state[6:9]]
        forward, left = (in_frame(base, parts_of(self.base, axis)) for axis in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]))
        centre = self.point(base, self.centre)
        toe, camber = atan2(left[0], left[1]), -atan2(left[2], (left[0] ** 2 + left[1] ** 2) ** 0.5)
        if self.strut:
            line = sub(self.strut[0], self.point(base, self.strut[1]))
            caster = atan2(-line[0], line[2])
        else:
            line = sub(self.point(base, self.rods[2][1]), self.point(base, self.rods[0][1]))
            caster = atan2(line[0], line[2])
        dx, dy = centre[0] - self.centre[0], centre[1] - self.centre[1]
        return [toe, camber, dx, dy, atan2(-forward[2], forward[0]), caster]

    def gains(self):
        """Derivatives of the figures by travel and by rack at the design position."""
        jacobian, out = self.jacobian(self.start, 0.0, 0.0), []
        for travel, rack in ((complex(0.0, TINY), 0.0), (0.0, complex(0.0, TINY))):
            right = [-complex(r).imag / TINY for r in self.residuals(self.start, travel, rack)]
            rates = tables.solve(jacobian, [right])[0]
            moved = [complex(x, TINY * rate) for x, rate in zip(self.start, rates)]
            out.append([complex(f).imag / TINY for f in self.figures(moved)])
        return out


class Arm:
    """A trailing or semi-trailing arm, which carries the wheel."""

    def __init__(self, wheel, pivots):
        self.pivot, axis = pivots[0], sub(pivots[1], pivots[0])
        self.centre, self.axis = wheel["center"], [x / length(axis) for x in axis]

    def turned(self, vector, angle):
        cos, sin = math.cos(angle), math.sin(angle)
        u = self.axis
        return [v * cos + w * sin + x * dot(u, vector) * (1 - cos) for v, w, x in zip(vector, cross(u, vector), u)]

    def figures(self, angle):
        arm = sub(self.centre, self.pivot)
        moved = sub(self.turned(arm, angle), arm)
        forward, left = self.turned([1.0, 0.0, 0.0], angle), self.turned([0.0, 1.0, 0.0], angle)
        spin = math.atan2(-forward[2], forward[0])
        return [math.atan2(left[0], left[1]), -math.asin(left[2]), moved[0], moved[1], spin], moved[2]

    def angle(self, travel):
        low, high = -1.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            rises = (self.figures(middle)[1] < travel) == (self.figures(1e-3)[1] > 0)
            low, high = (middle, high) if rises else (low, middle)
        return (low + high) / 2

    def solve(self, travel):
        return self.figures(self.angle(travel))[0]

    def patch(self, travel, radius):
        """Velocity along and across the car, per rise of the wheel centre, of the lowest point of the disc, as one of
        the arm."""
        angle = self.angle(travel)
        arm, spin = self.turned(sub(self.centre, self.pivot), angle), self.turned([0.0, 1.0, 0.0], angle)
        up = sub([0.0, 0.0, 1.0], [spin[2] * x for x in spin])
        lowest = sub(arm, [radius / length(up) * x for x in up])
        rise, point = cross(self.axis, arm)[2], cross(self.axis, lowest)
        return [point[0] / rise, point[1] / rise]

    def gains(self):
        """Velocities w x r of a turn w about the axis, and w x e of the spin axis, per rise of the wheel centre."""
        centre, spin = cross(self.axis, sub(self.centre, self.pivot)), cross(self.axis, [0.0, 1.0, 0.0])
        return [spin[0] / centre[2], -spin[2] / centre[2], centre[0] / centre[2], centre[1] / centre[2]]


def corner_of(file):
    kind, wheel = file["type"], file["wheel"]
    if kind == "trailing_arm":
        return Arm(wheel, list(file["arm_pivot"].values()))
    if kind == "five_link":
        return Knuckle(wheel, [(link["chassis"], link["knuckle"], False) for link in file["links"].values()])
    rods = [(file[name][end], file[name]["knuckle"], False) for name in ("lca", "uca") if name in file
            for end in ("chassis_front", "chassis_rear")]
    rods.append((file["tie_rod"]["rack"], file["tie_rod"]["knuckle"], True))
    return Knuckle(wheel, rods, (file["strut"]["top"], file["strut"]["bottom"]) if "strut" in file else None)


def poses():
    """Of the synthetic corners, travels of 10 mm each, from the design position outwards."""
    for kind in ("double_wishbone", "macpherson", "five_link", "trailing_arm"):
        corner = corner_of(files.read(f"validation/data/kc/{kind}.yaml"))
        steered = kind in ("double_wishbone", "macpherson")
        for rack in (0.0, -0.02, 0.02) if steered else (0.0,):
            found = {}
            for sign in (-1, 1):
                state = None if isinstance(corner, Arm) else corner.start
                for step in range(9):
                    travel = sign * step / 100
                    if state is None:
                        found[sign * step] = corner.solve(travel)
                    else:
                        state = corner.solve(state, travel, rack)
                        found[sign * step] = corner.figures(state)
            for step in range(-8, 9):
                toe, camber, dx, dy, spin = (complex(x).real for x in found[step][:5])
                fixed = [f"{x:.9f}" if abs(x) > 1e-12 else "0.000000000" for x in
                         (toe / DEGREE, camber / DEGREE, dx, dy, spin / DEGREE)]
                yield [kind, rack, step / 100] + fixed


def gains():
    rods = {"": {}, "_tie_rod_up": {"knuckle": [-0.30, 0.73, 0.252]},
            "_tie_rod_forward": {"knuckle": [-0.298, 0.73, 0.25]}}
    places = {name: f"scenarios/suspensions/{name}.yaml" for name in
              ("mp_front_sedan", "dw_front_sports", "ta_rear_sedan", "5link_rear_sports")}
    places.update({name: f"validation/data/kc/{name}.yaml" for name in
                   ("double_wishbone", "macpherson", "five_link", "trailing_arm")})
    for name, place in places.items():
        for suffix, change in rods.items() if name == "mp_front_sedan" else (("", {}),):
            file = files.read(place)
            if change:
                file["tie_rod"].update(change)
            corner = corner_of(file)
            if isinstance(corner, Arm):
                row, by_rack = corner.gains(), ["", ""]
            else:
                row, rack = corner.gains()
                by_rack = [rack[0] / DEGREE, rack[5] / DEGREE] if "tie_rod" in file else ["", ""]
            yield [name + suffix, row[0] / DEGREE, row[1] / DEGREE, row[2], row[3]] + by_rack


def slopes(figures, step=0.0025):
    """First and second derivatives at the design position, by differences over five poses: of fourth order."""
    a, b, c, d, e = ([complex(x).real for x in figures(i * step)] for i in (-2, -1, 0, 1, 2))
    first = [(u - 8 * v + 8 * x - y) / (12 * step) for u, v, x, y in zip(a, b, d, e)]
    return first, [(-u + 16 * v - 30 * w + 16 * x - y) / (12 * step**2) for u, v, w, x, y in zip(a, b, c, d, e)]


def curves():
    """Toe gains, the camber gain of the sedan's strut; and how slopes change over travel, of the sedan's semi-trailing arm, and of arms that turn about axes
    along the car."""
    for short, name in (("mp", "mp_front_sedan"), ("dw", "dw_front_sports"), ("five_link", "5link_rear_sports")):
        gains_of = corner_of(files.read(f"scenarios/suspensions/{name}.yaml")).gains()[0]
        yield f"{short}_toe", gains_of[0], "rad/m"
        if short == "mp":
            yield f"{short}_camber", gains_of[1], "rad/m"
    file = files.read("scenarios/suspensions/ta_rear_sedan.yaml")
    arm, radius = corner_of(file), file["wheel"]["static_radius"]
    first, second = slopes(arm.solve)
    for i, name, unit in ((0, "toe", "rad/m"), (1, "camber", "rad/m"), (2, "centre", "1")):
        yield f"ta_{name}", first[i], unit
        yield f"ta_{name}_change", second[i], "1/m" if unit == "1" else "rad/m2"
    change = slopes(lambda travel: arm.patch(travel, radius))[0]
    for name, value, by_travel in zip(("brake", "across"), arm.patch(0.0, radius), change):
        yield f"ta_{name}", value, "1"
        yield f"ta_{name}_change", by_travel, "1/m"
    arms = corner_of(files.read("validation/data/kc/inclined_arms.yaml"))
    first, second = slopes(lambda travel: arms.figures(arms.solve(arms.start, travel, 0.0)))
    # the knuckle turns about the axis along the car by minus its camber
    yield "arms_turn", -first[1], "rad/m"
    yield "arms_turn_change", -second[1], "rad/m2"
    yield "arms_side", first[3], "1"
    yield "arms_side_change", second[3], "1/m"


def roll_centres():
    """Of the cars on hardpoints: half of the track times how far the contact point goes outwards per rise of its wheel, the height
    at which the lines normal to the paths of both contact points meet. The lowest point of the disc goes with the centre, and
    outwards by the radius times the turn about the axis along the car."""
    for car in ("sedan", "sports"):
        vehicle = files.read(f"scenarios/vehicles/{car}_hardpoints.yaml")
        for axle in ("front", "rear"):
            link = vehicle[axle]["linkage"]
            base, over = (link["base"], link) if isinstance(link, dict) else (link, {})
            file = files.merged(files.read("scenarios/vehicles/" + base), over)
            corner, wheel = corner_of(file), file["wheel"]
            row = corner.gains() if isinstance(corner, Arm) else corner.gains()[0]
            yield f"{car}_{axle}_centre", wheel["center"][1] * (row[3] - wheel["static_radius"] * row[1]), "m"


def rolls():
    """Steer to the left and camber of the left wheel relative to a body that rolls about the middle of its track, per
    roll angle, left side up: the lowest point of the disc stays on the road, which is a plane that turns the other way round in the axes
    of the body."""
    for name in ("ta_rear_sedan", "dw_front_sports", "mp_front_sedan", "5link_rear_sports"):
        file = files.read(f"scenarios/suspensions/{name}.yaml")
        corner, centre, radius = corner_of(file), file["wheel"]["center"], file["wheel"]["static_radius"]

        def wheel(travel):
            """Centre, spin axis, toe and camber."""
            if isinstance(corner, Arm):
                angle = corner.angle(travel)
                (toe, camber, dx, dy, _), rise = corner.figures(angle)
                at = [centre[0] + dx, centre[1] + dy, centre[2] + rise]
                return at, corner.turned([0.0, 1.0, 0.0], angle), toe, camber
            state = corner.solve(corner.start, travel, 0.0)
            base = [state[0:3], state[3:6], state[6:9]]
            spin = in_frame(base, parts_of(corner.base, [0.0, 1.0, 0.0]))
            return [complex(x).real for x in corner.point(base, centre)], spin, *corner.figures(state)[:2]

        def gap(travel, roll):
            """Height of the lowest point over the road, which is below the design centre by the radius at first."""
            at, spin, _, _ = wheel(travel)
            normal = [0.0, math.sin(roll), math.cos(roll)]
            up = sub(normal, [dot(normal, spin) * x for x in spin])
            return dot(normal, sub(at, [0.0, 0.0, centre[2] - radius])) - radius * length(up)

        def rolled(roll):
            travel, last = 0.0, -centre[1] * roll
            high, low = gap(travel, roll), gap(last, roll)
            while abs(last - travel) > 1e-14 and high != low:  # secants
                travel, last = last, last - low * (last - travel) / (low - high)
                high, low = low, gap(last, roll)
            _, _, toe, camber = wheel(last)
            return [-complex(toe).real, complex(camber).real]

        steer, camber = slopes(rolled)[0]
        yield f"roll_steer_{name}", steer, "1"
        yield f"roll_camber_{name}", camber, "1"


def main():
    folder = sys.argv[1]
    tables.write_numbers(folder, "kc/rolls.csv", list(rolls()), 7)
    tables.write(folder, "kc/synthetic_kc.csv", (
        "corner", "rack_m", "travel_m", "toe_deg", "camber_deg", "dx_m", "dy_m", "spin_deg"), poses())
    columns = ("corner", "toe_degpm", "camber_degpm", "dx_per_m", "dy_per_m", "toe_rack_degpm", "caster_rack_degpm")
    tables.write(folder, "kc/gains.csv", columns, gains(), 10)
    # second differences over 2.5 mm keep nine digits
    tables.write_numbers(folder, "kc/curves.csv", list(curves()) + list(roll_centres()), 7)


if __name__ == "__main__":
    main()
