#!/usr/bin/env python3
"""A car whose wheels hang on links: a free body, four travels, four spins; steered and driven or braked over a plane.

Usage: validation/reference/linked_car.py FOLDER    writes linked_car/NAME_drive.csv and NAME_brake.csv of four cars

Kane's equations, tyre, road and air are those of fourteen_dof.py, but every path of a wheel is that of a linkage, and
not given by factors. The ten speeds are those of the body and the rates of the four travels; each spin, relative to its
knuckle, follows from the torques about its axle.

Linkages. A knuckle has a place and a turn (a vector by Cayley's map); rods keep their lengths, an arm those from its
ball joint to both of its ends, a hinge its two points; the wheel centre has the height of the travel and the rack
shifts the tie rod: six equations, solved by Newton's method. An arm's rotation follows from its ball joint, a rocker's
from the length of its rod. All are analytic functions of travel and rack. They are evaluated at Chebyshev points and
represented by Chebyshev polynomials, whose derivatives are those of the motion. The range is a tenth of the distance to
the next singularity, so that they are exact to rounding except for some digits (Trefethen, Approximation Theory and
Approximation Practice, 2013, 8). Right wheels are mirror images, at the opposite rack.

Forces. A tyre's force and couples act on the disc of the wheel, whose velocity is that of the knuckle, turned by body,
travel and rack; the rotation of the knuckle by the rack about the wheel's own axle does not turn the wheel. A drive
torque and the torque of an inboard brake come from the body through a shaft, the torque of any other brake from the
knuckle. Springs and dampers have their rates at the design position, along their own lengths.

A rigid axle is one body; the heights of its wheels are both travels, which determine its motion. It holds brake and
drive torques itself. Its mass is at its ends and in their middle, in the shares that give its inertia.

Masses. A lumped unsprung mass is a point that begins at the height of the unsprung mass, and moves as the wheel centre
with the rack in its middle. If the bodies have masses, the knuckle with its wheel is seven points with the same
moments, and a uniform bar three, by Simpson's rule, which is exact. The body has the rest of the whole car at the
design position, whose moments are those of the car with lumped masses.
"""
import functools
import itertools
import math
import operator
import sys

from fourteen_dof import GRAVITY, CHANNELS, Car, columns_of, dot, plus, quaternion, times, turned
from tools import files, tables
from tools.tables import cross

TINY, STEP, SHOWN, ROUNDS = 1e-30, 1e-3, 0.01, 9
TRAVEL, RACK, BOTH = (11, 0.04), (6, 0.01), (8, 0.03)  # points of Chebyshev, over m: travel, rack, travels of an axle
FOLDER = "validation/data/linked_car/"


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def unit(a):
    return times(1 / math.sqrt(dot(a, a)), a)


def product(rows, v):
    return [dot(row, v) for row in rows]


def about(axis, cosine, sine, v):
    """Rodrigues: v turned about a unit vector."""
    side = cross(axis, v)
    return [cosine * x + sine * y + (1 - cosine) * dot(axis, v) * a for x, y, a in zip(v, side, axis)]


def cayley(g):
    """Rows of the turn by 2 atan|g|."""
    (x, y, z), size = g, dot(g, g)
    scale = 2 / (1 + size)
    return [[1 - scale * (y * y + z * z), scale * (x * y - z), scale * (x * z + y)],
            [scale * (x * y + z), 1 - scale * (x * x + z * z), scale * (y * z - x)],
            [scale * (x * z - y), scale * (y * z + x), 1 - scale * (x * x + y * y)]]


class Linkage:
    """A left wheel's, in the axes of its file."""

    def __init__(self, file):
        own = file["linkage"]
        file = files.merged(files.read(FOLDER + own["base"]), own)
        self.centre, self.axle, self.file = file["wheel"]["center"], unit(file["wheel"]["spin_axis"]), file
        self.rods, self.arms, self.hinge = [], {}, None
        for name in ("lca", "uca"):
            if name in file:
                arm = file[name]
                self.arms[name] = arm["chassis_front"], arm["chassis_rear"], arm["knuckle"]
                self.rods += [(arm[end], arm["knuckle"], 0.0) for end in ("chassis_front", "chassis_rear")]
        if "tie_rod" in file:
            self.rods.append((file["tie_rod"]["rack"], file["tie_rod"]["knuckle"], 1.0))
        self.rods += [(rod["chassis"], rod["knuckle"], 0.0) for rod in file.get("links", {}).values()]
        if "arm_pivot" in file:
            self.hinge = file["arm_pivot"]["chassis_inboard"], file["arm_pivot"]["chassis_outboard"]
        self.inboard = "car" in file
        self.second, self.first = RACK if "tie_rod" in file else (1, 1.0), TRAVEL

    def place(self, state, point):
        return plus(self.centre, state[:3], product(cayley(state[3:]), minus(point, self.centre)))

    def residuals(self, state, travel, rack):
        turn = cayley(state[3:])
        at = plus(self.centre, state[:3])
        out = [state[2] - travel]
        for chassis, end, steered in self.rods:
            now = minus(plus(at, product(turn, minus(end, self.centre))), chassis)
            now[1] = now[1] - steered * rack
            first = minus(end, chassis)
            out.append(dot(now, now) - dot(first, first))
        if self.hinge:
            moved = [minus(self.place(state, point), point) for point in self.hinge]
            out += moved[0] + [moved[1][0], moved[1][2]]
        return out

    def state(self, travel, rack, guess):
        x = list(guess)
        for _ in range(ROUNDS):
            wrong = [-r for r in self.residuals(x, travel, rack)]
            if max(map(abs, wrong)) < 1e-15:
                break
            columns = []
            for j in range(6):
                moved = [complex(v, TINY if i == j else 0.0) for i, v in enumerate(x)]
                columns.append([complex(r).imag / TINY for r in self.residuals(moved, travel, rack)])
            x = plus(x, tables.solve(list(zip(*columns)), [wrong])[0])
        return x

    joins = False

    def on_part(self, state, part, point):
        if part == "knuckle":
            return self.place(state, point)
        front, rear, ball = self.arms[part]
        axis = unit(minus(front, rear))
        old, new = minus(ball, rear), minus(self.place(state, ball), rear)
        old, new = (minus(v, times(dot(v, axis), axis)) for v in (old, new))
        size = dot(old, old)
        return plus(rear, about(axis, dot(old, new) / size, dot(cross(old, new), axis) / size, minus(point, rear)))

    def length(self, state, element):
        chassis, eye = element["chassis"], element["eye"]
        if "rocker" not in element:
            return math.dist(self.on_part(state, element["part"], eye), chassis)
        rocker = element["rocker"]
        pivot, axis = rocker["pivot"], unit(rocker["axis"])
        end = self.on_part(state, element["part"], rocker["rod_part"])
        arm, rod, angle = minus(rocker["rod_rocker"], pivot), math.dist(rocker["rod_part"], rocker["rod_rocker"]), 0.0
        for _ in range(ROUNDS):
            at = about(axis, math.cos(angle), math.sin(angle), arm)
            apart = minus(plus(pivot, at), end)
            angle -= (dot(apart, apart) - rod * rod) / (2 * dot(apart, cross(axis, at)))
        return math.dist(plus(pivot, about(axis, math.cos(angle), math.sin(angle), minus(eye, pivot))), chassis)

    def figures(self, state):
        """Nine of the turn, three of the wheel centre, the lengths of spring and damper."""
        return (list(itertools.chain(*cayley(state[3:]))) + plus(self.centre, state[:3])
                + [self.length(state, self.file[name]) for name in ("spring", "damper")])

    def bodies(self, turning):
        """Points (mass, place at design, whether it moves with the knuckle, else the end of a bar and its share)."""
        given = self.file.get("mass")
        if not given:
            return []
        a, out = self.axle, [[given["knuckle"], self.centre, 1.0, None]]
        trace = sum(given["knuckle_inertia"]) / 2
        b = unit(cross(a, [1.0, 0.0, 0.0]))
        around = [(([float(i == k) for k in range(3)]), trace - inertia)
                  for i, inertia in enumerate(given["knuckle_inertia"])]
        around += [(a, turning / 2), (b, -turning / 2), (cross(a, b), -turning / 2)]
        reach = 0.1
        for axis, second in around:
            for side in (reach, -reach):
                mass = second / (2 * reach * reach)
                out.append([mass, plus(self.centre, times(side, axis)), 1.0, None])
                out[0][0] -= mass
        bars = []
        for name, (front, rear, ball) in self.arms.items():
            legs = [math.dist(end, ball) for end in (front, rear)]
            bars += [(given[name] * leg / sum(legs), end, ball) for leg, end in zip(legs, (front, rear))]
        if "tie_rod" in self.file:
            bars.append((given["tie_rod"], self.file["tie_rod"]["rack"], self.file["tie_rod"]["knuckle"]))
        bars += [(given["link"], rod["chassis"], rod["knuckle"]) for rod in self.file.get("links", {}).values()]
        for mass, inner, outer in bars:
            out += [[mass / 6 * count, outer, share, inner] for count, share in ((1, 0.0), (4, 0.5), (1, 1.0))]
        return out


class RigidAxle(Linkage):
    """One body that carries both wheels: the second coordinate is the travel of the other one, in place of the rack.
    Its upper rod and Panhard rod are on one side: the right wheel is the left one of the mirror image."""

    joins = True

    def __init__(self, file, right):
        super().__init__(file)

        def mirrored(rods):
            return [([x, -y, z], [a, -b, c], 0.0) for (x, y, z), (a, b, c), _ in rods]

        self.rods += mirrored(self.rods[:1])  # the other lower rod
        if right:
            self.rods = mirrored(self.rods)
        self.first = self.second = BOTH

    def residuals(self, state, travel, rack):
        x, y, z = self.centre
        return super().residuals(state, travel, 0.0) + [self.place(state, [x, -y, z])[2] - z - rack]


def chebyshev(count, x, reach):
    """Polynomials at x over -reach to reach, their first and second derivatives."""
    u = x / reach
    if count == 1:
        return [1.0], [0.0], [0.0]
    t, d, s = [1.0, u], [0.0, 1.0], [0.0, 0.0]
    for _ in range(count - 2):
        t, d, s = (t + [2 * u * t[-1] - t[-2]], d + [2 * u * d[-1] + 2 * t[-1] - d[-2]],
                   s + [2 * u * s[-1] + 4 * d[-1] - s[-2]])
    return t, times(1 / reach, d), times(1 / reach**2, s)


def nodes(count, reach):
    return [reach * math.cos(math.pi * (k + 0.5) / count) for k in range(count)]


def transform(values):
    """Coefficients of lists of numbers at the nodes."""
    n = len(values)
    rows = [[math.cos(math.pi * i * (k + 0.5) / n) * (2 - (i == 0)) / n for k in range(n)] for i in range(n)]
    return [plus(*[times(w, v) for w, v in zip(row, values)]) for row in rows]


class Corner:
    """A left wheel's functions of travel and rack, or of both travels; places from O."""

    def __init__(self, link, axle, radius_height, unsprung_height):
        self.link = link
        self.shift = minus([axle.x, axle.half, radius_height], link.centre)
        points = link.bodies(axle.inertia)
        self.masses = [point[0] for point in points] or [axle.mass / 2]
        offset = plus(self.shift, [0.0, 0.0, unsprung_height - radius_height])

        def places(state):
            if not points:
                return plus(link.centre, state[:3], offset)
            out = []
            for _, place, share, inner in points:
                end = link.place(state, place)
                out += plus(self.shift, end if inner is None else plus(times(share, end), times(1 - share, inner)))
            return out

        def reached(travel, second):
            return link.state(travel, second, link.state(travel / 2, second / 2, [0.0] * 6))

        def table(figures, second):
            """Rows of coefficients: by the second coordinate, then by travel."""
            grid = [list(itertools.chain(*transform([figures(reached(x, y)) for x in nodes(*link.first)])))
                    for y in nodes(*second)]
            flat, size = transform(grid), link.first[0]
            width = len(flat[0]) // size
            return [[row[i * width + k] for row in flat for i in range(size)] for k in range(width)]

        self.table = table(link.figures, link.second)
        self.paths = link.second if link.joins else (1, 1.0)
        self.places = table(places, self.paths)
        rest, slope = self.at(0.0, 0.0), self.points_at(0.0, 0.0)[1]
        self.start = [f[0] for f in rest[12:]], [-f[1] - (f[2] if link.joins else 0.0) for f in rest[12:]]
        self.design = places([0.0] * 6)
        self.hanging = dot_all(self.masses, slope[2::3])

    def bases(self, travel, second, reach):
        """Of the value and its derivatives z, r, zz, zr, rr."""
        t, d, s = chebyshev(self.link.first[0], travel, self.link.first[1])
        tr, dr, sr = chebyshev(reach[0], second, reach[1])
        return [[y * x for y in by for x in bx]
                for by, bx in ((tr, t), (tr, d), (dr, t), (tr, s), (dr, d), (sr, t))]

    def at(self, travel, second):
        """The same of each figure."""
        bases = self.bases(travel, second, self.link.second)
        return [tuple(dot_all(f, base) for base in bases) for f in self.table]

    def points_at(self, travel, second):
        return [[dot_all(f, base) for f in self.places] for base in self.bases(travel, second, self.paths)]

    def angle(self, rack):
        """Of the wheel, to the left, of the axle whose outward direction is that of the file."""
        figures = self.at(0.0, rack)
        axis = [sum(figures[3 * i + k][0] * self.link.axle[k] for k in range(3)) for i in range(3)]
        return math.atan2(-axis[0], axis[1])


def dot_all(a, b):
    return sum(map(operator.mul, a, b))


class LinkedCar(Car):
    def __init__(self, name):
        path = f"{FOLDER}{name}.yaml"
        file = files.read(path)
        super().__init__(False, path)
        self.corners = []  # by wheel
        for axle, part in zip(self.axles, (file["front"], file["rear"])):
            heights = part["loaded_radius"] - self.height, part["unsprung_height"] - self.height
            if part["linkage"]["base"] == "panhard.yaml":
                self.corners += [Corner(RigidAxle(part, right), axle, *heights) for right in (False, True)]
            else:
                self.corners += [Corner(Linkage(part), axle, *heights)] * 2
        for axle, ride, corner in zip(self.axles, self.rides, self.corners[::2]):
            ride.static += (axle.mass / 2 - corner.hanging) * GRAVITY
        front = self.corners[0]
        means = [[(front.angle(r) - front.angle(-r)) / 2] for r in nodes(*RACK)]
        self.steer = [c[0] for c in transform(means)]
        # what an axle shares: (m - 2 c) T^2/2 is its inertia, but the car keeps its own
        self.shared = []
        for axle, corner, part in zip(self.axles, self.corners[::2], (file["front"], file["rear"])):
            track = 2 * axle.half
            joins = corner.link.joins
            self.shared.append(axle.mass / 4 - part["unsprung_roll_inertia"] / track**2 if joins else 0.0)
            self.inertia[2][2] += self.shared[-1] * track**2
        # the whole car less what moves, at design: mass, first and second moments
        self.moments = [0.0, [0.0] * 3, [[0.0] * 3 for _ in range(3)]]
        self.add(self.sprung, self.centre)
        for row, own in zip(self.moments[2], self.inertia):
            row[:] = plus(row, own)
        for axle, corner, part in zip(self.axles, self.corners[::2], (file["front"], file["rear"])):
            if "mass" not in corner.link.file:
                continue
            for side in (1, -1):
                self.add(axle.mass / 2, [axle.x, side * axle.half, part["unsprung_height"] - self.height])
                for i, mass in enumerate(corner.masses):
                    x, y, z = corner.design[3 * i:3 * i + 3]
                    self.add(-mass, [x, side * y, z])

    def add(self, mass, at):
        self.moments[0] += mass
        self.moments[1] = plus(self.moments[1], times(mass, at))
        for i in range(3):
            for j in range(3):
                self.moments[2][i][j] += mass * ((dot(at, at) if i == j else 0.0) - at[i] * at[j])

    def rack(self, steer, rate):
        """The rack of a mean angle of the front wheels, and its rate."""
        rack, slope = 0.0, 1.0
        for _ in range(6):
            value, by, _ = (dot_all(self.steer, base) for base in chebyshev(RACK[0], rack, RACK[1]))
            rack, slope = rack + (steer - value) / by, by
        return rack, rate / slope


def turn_of(rows, by):
    """w of the turning [w x] = rows by'."""
    (_, ab, ac), (ba, _, bc), (ca, cb, _) = [[dot(a, b) for b in by] for a in rows]
    return [(cb - bc) / 2, (ac - ca) / 2, (ba - ab) / 2]


class Pose:
    """One wheel: R, c and their derivatives by travel and by rack or other travel; axle to the left, turns."""

    def __init__(self, corner, right, travel, second):
        side = -1.0 if right else 1.0
        flip = 1.0 if corner.link.joins else side  # of the second coordinate, for a mirror image
        figures = corner.at(travel, flip * second)
        signs = (1.0, 1.0, flip, 1.0, flip, 1.0)
        turn, centre = [], []
        for order, sign in enumerate(signs):
            f = [sign * x[order] for x in figures[:12]]
            rows = [f[3 * i:3 * i + 3] for i in range(3)]
            if right:
                for i, j in ((0, 1), (1, 0), (1, 2), (2, 1)):
                    rows[i][j] = -rows[i][j]
            turn.append(rows)
            centre.append([f[9], side * f[10], f[11]])
        self.centre = plus(centre[0], [corner.shift[0], side * corner.shift[1], corner.shift[2]])
        self.moves = centre[1:3]
        x, y, z = corner.link.axle
        design = [side * x, y, side * z]
        self.axle = a = product(turn[0], design)
        self.leans = [product(rows, design) for rows in turn[1:3]]
        self.turns = [turn_of(rows, turn[0]) for rows in turn[1:3]]
        self.spin = [dot(w, a) for w in self.turns]
        # d(w_j . a)/dk of j, k: travel and travel, travel and second, second and second
        self.bends = [dot(plus(turn_of(turn[3 + j + k], turn[0]), turn_of(turn[1 + j], turn[1 + k])), a)
                      + dot(self.turns[j], self.leans[k]) for j, k in ((0, 0), (0, 1), (1, 0), (1, 1))]
        (lengths, ratios), self.elements = corner.start, []
        for f, length, ratio in zip(figures[12:], lengths, ratios):
            self.elements.append(((length - f[0]) / ratio, -f[1] / ratio, -flip * f[2] / ratio))
        self.masses = []
        place = corner.points_at(travel, second if corner.link.joins else 0.0)
        for j in range(len(corner.masses)):
            self.masses.append([[v[3 * j], side * v[3 * j + 1], v[3 * j + 2]] for v in place])


def evaluate(car, normal, command, state):
    """Rates of the state (quaternion, height over the plane, u, w, travels, their rates, spins), and what is shown."""
    rack, rack_rate, throttle, brake = command
    axes = turned(state[:4])
    n = [dot(axis, normal) for axis in axes]
    height, u, w = state[4], state[5:8], state[8:11]
    travel, rate, spin = state[11:15], state[15:19], state[19:23]
    matrix, right = [[0.0] * 10 for _ in range(10)], [0.0] * 10
    base = minus(cross(w, u), times(GRAVITY, [-axis[2] for axis in axes]))  # acceleration less gravity, of O

    def body(mass, first, second):
        """Parts that turn with the body: moments about O."""
        x, y, z = first
        for i, row in enumerate(([0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0])):
            matrix[i][i] += mass
            for j in range(3):
                matrix[i][3 + j] += row[j]
                matrix[3 + j][i] += row[j]
                matrix[3 + i][3 + j] += second[i][j]
        force = plus(times(mass, base), cross(w, cross(w, first)))
        moment = plus(cross(first, base), cross(w, product(second, w)))
        for i in range(3):
            right[i] -= force[i]
            right[3 + i] -= moment[i]

    def push(at, force):
        moment = cross(at, force)
        for i in range(3):
            right[i] += force[i]
            right[3 + i] += moment[i]

    body(*car.moments)
    momentum = plus(times(car.moments[0], u), cross(w, car.moments[1]))
    for x, along, up in zip((car.middle, car.axles[0].x, car.axles[1].x), (-car.air[0], 0.0, 0.0),
                            (0.0, -car.air[1], -car.air[2])):
        push([x, 0.0, -car.height], times(u[0] * abs(u[0]), [along, 0.0, up]))

    def point(mass, at, columns, by):
        """A mass at a place that moves by columns (k, vector) with the velocity and acceleration `by' of the
        travels."""
        whirl = cross(w, plus(cross(w, at), times(2, by[0])))
        known = plus(base, whirl, by[1])
        body(mass, at_moment := times(mass, at), [[mass * (dot(at, at) if p == q else 0.0) - at_moment[p] * at[q]
                                                   for q in range(3)] for p in range(3)])
        for k, v in columns:
            for row, x in enumerate(times(mass, v) + cross(at_moment, v)):
                matrix[row][k] += x
                matrix[k][row] += x
            for j, u_j in columns:
                matrix[k][j] += mass * dot(v, u_j)
            right[k] -= mass * dot(v, known)
        rest = plus(times(2, cross(w, by[0])), by[1])
        moment = cross(at_moment, rest)
        for row in range(3):
            right[row] -= mass * rest[row]
            right[3 + row] -= moment[row]
        return times(mass, plus(u, cross(w, at), by[0]))

    loads, spins, poses = [], [], []
    for i in range(4):
        corner = car.corners[i]
        second = travel[i ^ 1] if corner.link.joins else rack if i < 2 else 0.0
        poses.append(Pose(corner, i % 2, travel[i], second))
        rates_of = rate[i], rate[i ^ 1]
        for k, mass in zip(range(len(corner.masses)), corner.masses):
            at, z, o, zz, zo, oo = poses[i].masses[k]
            if not corner.link.joins:
                momentum = plus(momentum, point(mass, at, [(6 + i, z)],
                                                (times(rate[i], z), times(rate[i] ** 2, zz))))
                continue
            own = [(6 + i, z), (6 + (i ^ 1), o)], (
                plus(times(rates_of[0], z), times(rates_of[1], o)),
                plus(times(rates_of[0] ** 2, zz), times(2 * rates_of[0] * rates_of[1], zo),
                     times(rates_of[1] ** 2, oo)))
            shared = car.shared[i // 2]
            momentum = plus(momentum, point(mass - 2 * shared, at, *own))
            if i % 2:  # the middle
                middle = times(0.5, plus(at, last[0]))
                columns = [(k, times(0.5, plus(a, b))) for (k, a), (_, b) in zip(own[0], reversed(last[1]))]
                by = [times(0.5, plus(a, b)) for a, b in zip(own[1], last[2])]
                momentum = plus(momentum, point(4 * shared, middle, columns, by))
            last = (at,) + own
    for i, pose in enumerate(poses):
        axle, ride, corner = car.axles[i // 2], car.rides[i // 2], car.corners[i]
        joins = corner.link.joins
        turning = rate[i ^ 1] if joins else rack_rate if i < 2 else 0.0
        speeds = rate[i], turning
        travels = [6 + i] + [6 + (i ^ 1)] * joins
        # a rack's turn about the wheel's axle is the wheel's
        turns = [pose.turns[0], pose.turns[1] if joins else cross(pose.axle, pose.leans[1])]
        about_axle = [pose.spin[0], pose.spin[1] if joins else 0.0]
        # the disc on the road
        lean = dot(n, pose.axle)
        upright = math.sqrt(1 - lean * lean)
        disc = times(1 / upright, plus(n, times(-lean, pose.axle)))
        length = (height + dot(n, pose.centre)) / upright
        down = times(-length, disc)
        contact = plus(pose.centre, down)
        arms = [plus(move, cross(turn, down)) for move, turn in zip(pose.moves, turns)]
        velocity = plus(u, cross(w, contact), *map(times, speeds, arms))
        # the tyre
        depth = max(ride.free - length, 0.0)
        load = ride.tyre_spring * depth - ride.tyre_damper * min(depth / 0.005, 1.0) * dot(n, velocity) / upright
        load = max(load, 0.0) / upright
        ahead = cross(pose.axle, disc)
        aside = cross(n, ahead)
        along = dot(ahead, velocity)
        fx, fy, mz = axle.force(load, (axle.radius * spin[i] - along) / along, -dot(aside, velocity) / along)
        mx, twist = ride.overturning(load, fx, fy, math.asin(lean))
        force = plus(times(fx, ahead), times(fy, aside), times(load, n))
        couple = plus(times(mx, ahead), times(mz + twist, n))
        push(contact, force)
        loads.append(load)
        # spring, bar, damper
        spring, damper = pose.elements
        shorter = dot_all(damper[1:], speeds)
        pressed = ride.static + ride.spring * spring[0]
        damping = ride.damper["bump" if shorter > 0 else "rebound"] * shorter
        right[6 + i] -= ride.bar * (travel[i] - travel[i ^ 1])
        # the wheel: what turns it, H' = torque a + H a'; shafts from the body work on the knuckle's turn
        drive, stop = car.motor * throttle / 2 if i > 1 else 0.0, -car.brakes[i // 2] * brake
        torque = drive + stop - axle.radius * fx
        moved = plus(*map(times, speeds, pose.leans))
        whole = axle.inertia * (spin[i] + dot(w, pose.axle) + dot_all(about_axle, speeds))
        wheel = plus(times(torque, pose.axle), times(whole, plus(cross(w, pose.axle), moved)))
        shaft = 0.0 if joins else drive + (stop if corner.link.inboard else 0.0)
        for j, k in enumerate(travels):
            right[k] += (dot(force, arms[j]) + dot(couple, turns[j]) - pressed * spring[1 + j]
                         - damping * damper[1 + j] + shaft * about_axle[j] - dot(wheel, turns[j]))
        for row, x in enumerate(minus(couple, wheel)):
            right[3 + row] += x
        zz, zo, oz, oo = pose.bends
        rise = (zz * rate[i] + zo * turning) * rate[i]
        if joins:
            rise += (oz * rate[i] + oo * turning) * turning
        spins.append((torque / axle.inertia - dot(w, moved) - rise, pose.axle, list(zip(travels, about_axle))))
    (solved,) = tables.solve(matrix, [right])
    spun = [free - dot(solved[3:6], axis) - sum(p * solved[k] for k, p in by) for free, axis, by in spins]
    q, (p, y, r) = state[:4], w
    turns = [(-q[1] * p - q[2] * y - q[3] * r) / 2, (q[0] * p + q[2] * r - q[3] * y) / 2,
             (q[0] * y + q[3] * p - q[1] * r) / 2, (q[0] * r + q[1] * y - q[2] * p) / 2]
    rates = turns + [dot(n, u)] + solved[:6] + rate + solved[6:] + spun
    return rates, (axes, n, loads, times(1 / car.mass, momentum), plus(solved[:3], cross(w, u)))


def shown(state, seen):
    """As in fourteen_dof.py."""
    axes, n, loads, mean, acceleration = seen
    forward = unit(plus([1.0, 0.0, 0.0], times(-n[0], n)))
    along = [forward, cross(n, forward), n]
    return [math.atan2(axes[1][2], axes[2][2]), -math.asin(axes[0][2]), math.atan2(axes[0][1], axes[0][0])] + [
        dot(axis, state[5:8]) for axis in along] + [dot(along[2], state[8:11])] + [
        dot(axis, acceleration) for axis in along[:2]] + [
        sum(x * axis[k] for x, axis in zip(mean, axes)) for k in range(3)] + state[11:15] + loads + state[19:23]


def run(car, name):
    scenario = files.read(f"{FOLDER}{name}.yaml")
    sine, begins = scenario["steer"], scenario["initial"]
    ground = scenario.get("ground", {})
    slopes = [math.tan(ground.get("grade", 0.0)), math.tan(ground.get("bank", 0.0))]
    normal = unit([-slopes[0], -slopes[1], 1.0])
    ahead = unit([1.0, 0.0, slopes[0]])
    w = [begins[f"{name}_rate"] for name in ("roll", "pitch", "yaw")]
    state = quaternion((ahead, cross(normal, ahead), normal)) + [car.height, begins["speed"], 0.0, 0.0] + w + [0.0] * 8
    for i in range(4):
        axle = car.axles[i // 2]
        out = -axle.half if i % 2 else axle.half
        state.append((begins["speed"] - w[2] * out + w[1] * -car.height) / axle.radius)
    pedals = scenario.get("throttle", 0.0), scenario.get("brake", 0.0)
    omega = 2 * math.pi * sine["frequency"]

    @functools.lru_cache(None)
    def command(t):
        angle = sine["amplitude"] * math.sin(omega * t)
        return car.rack(angle, sine["amplitude"] * omega * math.cos(omega * t)) + pedals

    def rates(t, x):
        return evaluate(car, normal, command(t), x)[0]

    for i in range(round(scenario["run"]["duration"] / STEP) + 1):
        t = i * STEP
        if i % round(SHOWN / STEP) == 0:
            yield [t] + shown(state, evaluate(car, normal, command(t), state)[1])
        state = tables.rk4(rates, t, state, STEP)


def main():
    for name in ("wishbones", "rockers", "masses", "axle"):
        car = LinkedCar(name)
        for case in ("drive", "brake"):
            tables.write(sys.argv[1], f"linked_car/{name}_{case}.csv", ("t_s",) + CHANNELS, run(car, f"{name}_{case}"), 9)


if __name__ == "__main__":
    main()
