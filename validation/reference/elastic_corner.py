#!/usr/bin/env python3
"""Whole suspensions in equilibrium on their bushings: finite rotations, combined loads, away from the design position.

Usage: validation/reference/elastic_corner.py FOLDER    writes kc/elastic.csv and kc/elastic_figures.csv

Every knuckle, arm, link, blade, axle and half of a beam is a separate body. Its six unknowns are the displacement of
one of its points and a rotation by the parameters of Rodrigues, tan(angle/2) along the axis. Joints exert forces and
moments on the bodies that they connect; the forces in rigid joints are further unknowns, and their constraints further
equations. The sums of the forces on each body, and of the moments about its point, are zero. The equations are solved
by Newton's method; derivatives are found by complex steps (Squire and Trapp, 1998), joint by joint, so that no Hessian
is needed. All vectors are in the axes of the body of the car: x ahead, y left, z up.

Definitions, vdsim-suspension(5): the energy of a bushing is a function of the displacement of its point along its axes,
which are fixed to the chassis, and of t = 2 sin(angle/2) along the axis of its body's rotation. The moment of a strut's
mount depends only on the direction of the strut's line, by t = n0 x n. A beam has its six stiffnesses about the middle;
half of each acts along axes that turn with one arm, half along axes that turn with the other. A spring is a straight
coil. The road's forces have constant directions, and act on the lowest point of a round disc.

Steering: a rack shifts a point along y; a pitman arm turns it about an axis, by a path on the circle of its joint; a
relay rod is the coupler of a four-bar linkage across an axis, whose middle moves to the left. Knuckles of a rigid axle
turn about kingpins. The travels of such a steered axle are those of the places beside the wheels of an axle without
bushings. Its wheels are held at the heights that they have on that rigid axle. A drag link that a tie rod joins has a
uniform strain, so that both ends carry a share of the force of the tie rod.
"""
import math
import sys

from linkages import TINY, atan2, dot, length, sub
from tools import files, tables
from tools.tables import cross

DEGREE = math.pi / 180
FOLDER = "validation/data/kc/elastic/"


def add(a, b, factor=1.0):
    return [x + factor * y for x, y in zip(a, b)]


def unit(a):
    size = length(a)
    return [x / size for x in a]


def turned(rho, b):
    once = cross(rho, b)
    factor = 2 / (1 + dot(rho, rho))
    return add(b, add(once, cross(rho, once)), factor)


def half_turn(rho):
    """Cosine and vector of half the angle."""
    cosine = (1 + dot(rho, rho)) ** -0.5
    return cosine, [cosine * x for x in rho]


def turn_moment(rho, gradient):
    """Moment of a potential of t = 2 sin(angle/2) along the axis. A further rotation w changes t by c w + w x q, with c
    the cosine and q the vector of half the angle; the potential's slope g does the work g . dt = w . (c g + q x g)."""
    c, q = half_turn(rho)
    g = gradient([2 * x for x in q])
    return add(cross(q, g), g, c)


# --- laws ---

def steffen(points):
    """Cubics of M. Steffen, A&A 239 (1990) 443, straight on beyond both ends: a function of x."""
    x, y = [p[0] for p in points], [p[1] for p in points]
    n = len(x)
    h = [b - a for a, b in zip(x, x[1:])]
    s = [(b - a) / d for a, b, d in zip(y, y[1:], h)]

    def end(s0, s1, h0, h1):
        p = s0 * (1 + h0 / (h0 + h1)) - s1 * h0 / (h0 + h1)
        return 0.0 if p * s0 <= 0 else 2 * s0 if abs(p) > 2 * abs(s0) else p

    slope = [end(s[0], s[1], h[0], h[1])]
    for i in range(1, n - 1):
        p = (s[i - 1] * h[i] + s[i] * h[i - 1]) / (h[i - 1] + h[i])
        sign = math.copysign(1, s[i - 1]) + math.copysign(1, s[i])
        slope.append(sign * min(abs(s[i - 1]), abs(s[i]), abs(p) / 2))
    slope.append(end(s[-1], s[-2], h[-1], h[-2]))

    def value(at):
        real = complex(at).real
        if real <= x[0]:
            return y[0] + slope[0] * (at - x[0])
        if real >= x[-1]:
            return y[-1] + slope[-1] * (at - x[-1])
        i = max(k for k in range(n - 1) if x[k] <= real)
        d = at - x[i]
        return y[i] + d * (slope[i] + d * ((3 * s[i] - 2 * slope[i] - slope[i + 1]) / h[i]
                                           + d * (slope[i] + slope[i + 1] - 2 * s[i]) / h[i] ** 2))
    return value


def shifted(_):
    return lambda point, rack: [point[0], point[1] + rack, point[2]]


class Law:
    """Force and moment of a bushing over displacement and turn."""

    def __init__(self, given, mirrored=False):
        x = unit(given.get("x_axis", [1.0, 0.0, 0.0]))
        y = unit(cross(given.get("z_axis", [0.0, 0.0, 1.0]), x))
        polar = [x, y, cross(x, y)]
        axial = polar
        if mirrored:  # on the other side of the car: forces are mirrored like places, moments with the opposite sign
            polar = [[a[0], -a[1], a[2]] for a in polar]
            axial = [[-a[0], a[1], -a[2]] for a in axial]
        self.axes = [polar, axial]
        self.rules = []
        for kind, motion, effect in (("translation", "translation", "force"), ("rotation", "rotation", "moment")):
            for i, axis in enumerate("xyz"):
                rate = given.get(kind, [0.0] * 3)[i]
                cubic = given.get("cubic_" + motion, [0.0] * 3)[i]
                preload = given.get("preload_" + effect, [0.0] * 3)[i]
                table = given.get(f"{effect}_{axis}")
                self.rules.append((rate, cubic, preload, steffen(table) if table else None))

    def gradient(self, which, v):
        out = [0.0] * 3
        for axis, (rate, cubic, preload, table) in zip(self.axes[which], self.rules[3 * which:]):
            x = dot(axis, v)
            out = add(out, axis, preload + (table(x) if table else rate * x) + cubic * x ** 3)
        return out

    def force(self, v):
        return self.gradient(0, v)

    def moment(self, t):
        return self.gradient(1, t)


# --- bodies and joints ---

class Body:
    """Its point of reference at design, and the first of its six unknowns: displacement and parameters of Rodrigues."""

    def __init__(self, system, at):
        self.at, self.first = at, system.more(6)
        self.unknowns = list(range(self.first, self.first + 6))


class Place:
    """A point of a body whose six unknowns are x."""

    def __init__(self, body, x, point):
        self.arm = turned(x[3:6], sub(point, body.at))
        self.now = add(add(body.at, x[0:3]), self.arm)
        self.moved = sub(self.now, point)

    def push(self, force):
        return list(force) + cross(self.arm, force)


def minus(a):
    return [-x for x in a]


class System:
    """Joints: each has the numbers of its unknowns, and a function of them that gives as many residuals, which are
    added to the equations of the same numbers. The equations of a body are the sums of the forces and of the moments on
    it."""

    def __init__(self):
        self.size, self.joints, self.start = 0, [], []

    def more(self, count, start=0.0):
        self.start += [start] * count
        self.size += count
        return self.size - count

    def join(self, unknowns, function):
        self.joints.append((unknowns, function))

    def residual(self, state):
        out = [0.0] * self.size
        for unknowns, function in self.joints:
            for k, r in zip(unknowns, function([state[k] for k in unknowns])):
                out[k] += r
        return out

    def jacobian(self, state):
        out = [[0.0] * self.size for _ in range(self.size)]
        for unknowns, function in self.joints:
            x = [complex(state[k]) for k in unknowns]
            for i, k in enumerate(unknowns):
                x[i] += complex(0, TINY)
                for row, r in zip(unknowns, function(x)):
                    if isinstance(r, complex) and r.imag:
                        out[row][k] += r.imag / TINY
                x[i] = complex(state[k])
        return out

    def solve(self, state):
        """Returns None if Newton's method does not converge."""
        for _ in range(12):
            step = tables.solve(self.jacobian(state), [self.residual(state)])[0]
            state = sub(state, step)
            if max(abs(s) for s in step[:6]) < 1e-13:
                return state
        return None


def plane_linkage(gear):
    """The motion of a relay rod's points: a function of a design place and the shift of the rod's middle to the
    left."""
    up = unit(gear["axis"])
    ahead, left = cross([0.0, 1.0, 0.0], up), [0.0, 1.0, 0.0]
    pivots = [gear["pivot"], gear.get("other_pivot") or mirror(gear["pivot"])]
    joints = [gear["joint"], gear.get("other_joint") or mirror(gear["joint"])]
    middle = [(a + b) / 2 for a, b in zip(*joints)]
    reach = [length(flat(sub(j, p), up)) for j, p in zip(joints, pivots)]

    def moved(point, state, shift):
        """The point, turned about the middle of the rod in the plane normal to the axis, and moved with the middle."""
        cosine, sine = (1 - state[1] ** 2) / (1 + state[1] ** 2), 2 * state[1] / (1 + state[1] ** 2)
        arm = sub(point, middle)
        a, b, c = dot(arm, ahead), dot(arm, left), dot(arm, up)
        out = add(add(middle, ahead, state[0]), left, shift)
        for axis, part in ((ahead, cosine * a - sine * b), (left, sine * a + cosine * b), (up, c)):
            out = add(out, axis, part)
        return out

    def wrong(state, shift):
        return [length(flat(sub(moved(j, state, shift), p), up)) - r for j, p, r in zip(joints, pivots, reach)]

    def place(point, shift):
        state = [0.0, 0.0]
        for _ in range(20):
            columns = [wrong([complex(x, TINY * (i == k)) for i, x in enumerate(state)], shift) for k in range(2)]
            matrix = [[complex(column[row]).imag / TINY for column in columns] for row in range(2)]
            state = sub(state, tables.solve(matrix, [wrong(state, shift)])[0])
        return moved(point, state, shift)
    return place


def pitman(gear):
    """The place of a joint on the pitman arm, by its path on its circle."""
    axis = unit(gear["axis"])

    def place(point, path):
        arm = flat(sub(point, gear["pivot"]), axis)
        angle = path / length(arm)
        turn = add([(math.cos(angle) - 1) * c for c in arm], cross(axis, arm), math.sin(angle))
        return add(point, turn)
    return place


def flat(a, axis):
    return add(a, axis, -dot(a, axis))


def mirror(point):
    return [point[0], -point[1], point[2]]


class Corner:
    """A suspension of any kind. load() sets the loads of self.system. bare: a rigid axle that is not held at the heights of its linkage without bushings."""

    def __init__(self, file, bare=False):
        self.file, self.system = file, System()
        wheel = file["wheel"]
        self.centre, self.radius = wheel["center"], wheel["static_radius"]
        if "toe" in wheel:  # toe-in and camber of the left wheel
            toe, camber = wheel["toe"], wheel["camber"]
            self.axle = [math.sin(toe) * math.cos(camber), math.cos(toe) * math.cos(camber), -math.sin(camber)]
        else:
            self.axle = unit(wheel["spin_axis"])
        self.knuckle = self.other = self.carrier = Body(self.system, self.centre)
        gear = file.get("steering", {})
        self.geared = {"relay": plane_linkage, "pitman": pitman}.get(gear.get("type"), shifted)(gear)
        self.rigid = None
        self.bushings, self.balls = file.get("bushings", {}), file.get("ball_joints", {})
        self.rack, self.heights, self.loads, self.free = 0.0, [0.0, 0.0], None, False
        self.bodies, self.fixed = {}, []  # fixed: rows of the rigid linkage by v and w of the knuckle
        self.joined = file["type"] in ("twist_beam", "panhard_axle", "four_link_axle")
        self.bare = bare
        getattr(self, file["type"])()
        if "spring" in file and "rate" in file["spring"]:
            self.springs()
        self.stand()

    # -- joints --

    def bushing(self, body, point, law, steered=False):
        def f(x):
            place = Place(body, x, point)
            moved = sub(place.moved, sub(self.geared(point, self.rack), point)) if steered else place.moved
            out = place.push(minus(law.force(moved)))
            return out[:3] + sub(out[3:], turn_moment(x[3:6], law.moment))
        self.system.join(body.unknowns, f)

    def ball(self, a, b, point, rate=None, along=None):
        """a and b have a point in common, or a rate holds them together there; along: a direction of b that is free."""
        def stretched(x):
            pa, pb = Place(a, x[0:6], point), Place(b, x[6:12], point)
            force = [rate * d for d in sub(pb.now, pa.now)]
            return pa.push(force) + pb.push(minus(force))

        def rigid(x):
            pa, pb = Place(a, x[0:6], point), Place(b, x[6:12], point)
            gap = sub(pb.now, pa.now)
            if along is None:
                force, shut = x[12:15], gap
            else:
                sides = [turned(x[9:12], side) for side in across(along)]
                force = add([x[12] * c for c in sides[0]], sides[1], x[13])
                shut = [dot(side, gap) for side in sides]
            return pa.push(force) + pb.push(minus(force)) + shut
        if rate:
            self.system.join(a.unknowns + b.unknowns, stretched)
        else:
            count = 3 if along is None else 2
            first = self.system.more(count)
            self.system.join(a.unknowns + b.unknowns + list(range(first, first + count)), rigid)

    def distance(self, a, point, b, other, rate=None, steered=False):
        """A rod without mass between two bodies, or a body and the chassis (b None)."""
        design = length(sub(point, other))
        pulls = None if rate else self.system.more(1)

        def f(x):
            pa = Place(a, x[0:6], point)
            if b:
                pb = Place(b, x[6:12], other)
                far = pb.now
            else:
                far = self.geared(other, self.rack) if steered else other
            d = sub(far, pa.now)
            now = length(d)
            pull = rate * (now - design) if rate else x[-1]
            force = [pull * c / now for c in d]
            out = pa.push(force)
            if b:
                out += pb.push(minus(force))
            return out if rate else out + [dot(d, d) - design ** 2]
        self.system.join(a.unknowns + (b.unknowns if b else []) + ([] if rate else [pulls]), f)

    def rod(self, name, link, steered=False, mirrored=False, bushing=None):
        """A body between its bushing and its ball joint at the knuckle."""
        inner, outer = ([[p[0], -p[1], p[2]] for p in link] if mirrored else link)
        law = self.bushings.get(bushing or name, self.bushings.get("links"))
        self.fixed.append((outer, unit(sub(outer, inner))))
        if law is None:
            self.distance(self.carrier, outer, None, inner, steered=steered)
            return
        body = Body(self.system, inner)
        self.bodies[name] = body
        self.bushing(body, inner, Law(law), steered)
        self.ball(body, self.carrier, outer, self.balls.get(name))

    def arm(self, name, points):
        front, rear, outer = points["chassis_front"], points["chassis_rear"], points["knuckle"]
        body = Body(self.system, front)
        self.bodies[name] = body
        self.bushing(body, front, Law(self.bushings[name + "_front"]))
        self.bushing(body, rear, Law(self.bushings[name + "_rear"]))
        self.ball(body, self.knuckle, outer, self.balls.get(name))
        for inner in (front, rear):
            self.fixed.append((outer, unit(sub(outer, inner))))

    def tie_rod(self):
        rod = self.file["tie_rod"]
        self.rod("tie_rod", (rod["rack"], rod["knuckle"]), steered=True, bushing="tie_inner")

    # -- kinds --

    def double_wishbone(self):
        self.arm("lca", self.file["lca"])
        self.arm("uca", self.file["uca"])
        self.tie_rod()

    def macpherson(self):
        """The rod slides along the knuckle's line and turns about it; its end moves in the elastic mount, whose force
        is normal to the line."""
        self.arm("lca", self.file["lca"])
        self.tie_rod()
        top, bottom = self.file["strut"]["top"], self.file["strut"]["bottom"]
        line, law = unit(sub(top, bottom)), Law(self.bushings["strut_top"])
        slid = self.system.more(1)

        def f(x):
            now = turned(x[3:6], line)
            place = Place(self.knuckle, x[0:6], top)
            arm = add(place.arm, now, x[6])
            force = minus(law.force(add(place.moved, now, x[6])))
            # t = n0 x n; a turn w does the work g . (n0 x (w x n)) = w . (n x (g x n0))
            g = law.moment(cross(line, now))
            return force + sub(cross(arm, force), cross(now, cross(g, line))) + [dot(now, force)]
        self.system.join(self.knuckle.unknowns + [slid], f)
        for side in across(line):
            self.fixed.append((top, side))

    def five_link(self):
        for name, link in self.file["links"].items():
            self.rod(name, (link["chassis"], link["knuckle"]),
                     steered=name == "toe_link" and self.file.get("steering", {}).get("type") == "rack")

    def multi_link(self):
        """The blade: one body on two bushings, which holds the knuckle at two points."""
        names = [name for name in self.file["links"] if name.startswith("trailing")]
        links = [self.file["links"][name] for name in names]
        for link in links:
            self.fixed.append((link["knuckle"], unit(sub(link["knuckle"], link["chassis"]))))
        blade = Body(self.system, links[0]["chassis"])
        for name, link in zip(names, links):
            self.bushing(blade, link["chassis"], Law(self.bushings[name]))
        self.ball(blade, self.knuckle, links[0]["knuckle"])
        self.ball(blade, self.knuckle, links[1]["knuckle"], along=unit(sub(links[1]["knuckle"], links[0]["knuckle"])))
        for name, link in self.file["links"].items():
            if name not in names:
                self.rod(name, (link["chassis"], link["knuckle"]))

    def trailing_arm(self):
        points = [self.file["arm_pivot"][name] for name in ("chassis_inboard", "chassis_outboard")]
        for point, name in zip(points, ("arm_inboard", "arm_outboard")):
            self.bushing(self.knuckle, point, Law(self.bushings.get(name, self.bushings.get("arm"))))
        self.fixed += [(points[0], axis) for axis in ([1, 0, 0], [0, 1, 0], [0, 0, 1])]
        self.fixed += [(points[1], side) for side in across(unit(sub(*points)))]

    def integral_link(self):
        arm, link = self.file["h_arm"], self.file["integral_link"]
        self.arm("h_arm", arm)
        self.bodies["h_arm"].reaches = [arm["chassis_front"], arm["chassis_rear"], arm["knuckle"]]
        self.distance(self.knuckle, link["knuckle"], self.bodies["h_arm"], link["arm"], self.balls.get("integral_link"))
        self.five_link()

    def panhard_axle(self):
        steering = self.file.get("steering")
        if steering:
            self.carrier = Body(self.system, self.centre)
            self.other = Body(self.system, mirror(self.centre))
            self.kingpins(steering)
        for name, link in self.file["links"].items():
            points = (link["chassis"], link["knuckle"])
            self.rod(name, points)
            if name.endswith("_left"):
                self.rod(name[:-4] + "right", points, mirrored=True)

    four_link_axle = panhard_axle

    def kingpins(self, steering):
        """Knuckles on the axle, drag link and tie rod."""
        pin, drag, tie = steering["kingpin"], steering["drag_link"], steering["tie_rod"]
        knuckles = [self.knuckle, self.other]
        for body, side, turn in zip(knuckles, ("", "_right"), (list, mirror)):
            lower, upper = (pin.get(end + side) or turn(pin[end]) for end in ("lower", "upper"))
            self.ball(self.carrier, body, lower)
            self.ball(self.carrier, body, upper, along=unit(sub(upper, lower)))
        driven = 0 if drag["knuckle"][1] > 0 else 1
        self.distance(knuckles[driven], drag["knuckle"], None, drag["gear"], drag.get("stiffness"), steered=True)
        ends = [tie.get("left") or mirror(tie["right"]), tie.get("right") or mirror(tie["left"])]
        if tie.get("joins") != "drag_link":
            self.distance(self.knuckle, ends[0], self.other, ends[1], tie.get("stiffness"))
            return
        whole = sub(drag["knuckle"], drag["gear"])
        share = dot(sub(ends[driven], drag["gear"]), whole) / dot(whole, whole)
        far, joint, rate = ends[1 - driven], add(drag["gear"], whole, share), tie.get("stiffness")
        held = None if rate else self.system.more(1)

        def f(x):
            pa, pb = Place(knuckles[driven], x[0:6], drag["knuckle"]), Place(knuckles[1 - driven], x[6:12], far)
            gear = self.geared(drag["gear"], self.rack)
            d = sub(pb.now, add(gear, sub(pa.now, gear), share))
            now, design = length(d), length(sub(far, joint))
            pull = rate * (now - design) if rate else x[-1]
            force = [pull * c / now for c in d]
            out = pa.push([share * c for c in force]) + pb.push(minus(force))
            return out if rate else out + [dot(d, d) - design ** 2]
        self.system.join(knuckles[driven].unknowns + knuckles[1 - driven].unknowns + ([] if rate else [held]), f)

    def rigid_axle(self):
        """The same axle on rigid rods, held beside its wheels."""
        steering = self.file["steering"]
        rods = {name: {k: v for k, v in steering[name].items() if k != "stiffness"} for name in ("drag_link", "tie_rod")}
        bare = {k: v for k, v in self.file.items() if k not in ("bushings", "ball_joints", "spring")}
        return Corner(bare | {"steering": steering | rods}, bare=True)

    def rigid_heights(self, travel, rack):
        """The rises of the wheel centres of the rigid axle."""
        self.rigid = self.rigid or self.rigid_axle()
        state = self.rigid.equilibrium(travel, rack, [0.0] * 5)
        return [state[body.first + 2] for body in (self.rigid.knuckle, self.rigid.other)]

    def twist_beam(self):
        """Both arms and the beam between them; the right arm is a body at the other wheel's centre."""
        pivot, middle = self.file["arm_pivot"]["bushing"], self.file["arm_pivot"]["shear_centre"]
        x, y, z = self.centre
        self.other = Body(self.system, [x, -y, z])
        self.bushing(self.knuckle, pivot, Law(self.bushings["arm"]))
        self.bushing(self.other, [pivot[0], -pivot[1], pivot[2]], Law(self.bushings["arm"], mirrored=True))
        rates, tilt, off = beam_of(self.file["beam"])
        axes = [[math.cos(tilt), 0.0, -math.sin(tilt)], [0.0, 1.0, 0.0], [math.sin(tilt), 0.0, math.cos(tilt)]]
        points = [middle, [middle[0] + off[0], middle[1], middle[2] + off[1]], middle]

        def f(x):
            bodies = [(self.knuckle, x[0:6]), (self.other, x[6:12])]
            out = [[0.0] * 6, [0.0] * 6]
            for rate, axis, point in zip(rates, axes, points):
                places = [Place(body, own, point) for body, own in bodies]
                gap = sub(places[0].now, places[1].now)
                for i, (_, own) in enumerate(bodies):
                    # half of the rate along an axis that turns with body i: on both points the force, and on that
                    # body the moment of the axis, which is turned through the gap
                    now = turned(own[3:6], axis)
                    size = 0.5 * rate * dot(now, gap)
                    force = [size * c for c in now]
                    out[0] = sub(out[0], places[0].push(force))
                    out[1] = add(out[1], places[1].push(force))
                    out[i] = sub(out[i], [0.0] * 3 + cross(force, gap))
            # rotation of the left arm relative to the right one, by the product of the quaternions of both
            (a, p), (b, q) = half_turn(x[3:6]), half_turn(x[9:12])
            scalar, vector = a * b + dot(p, q), add(add([b * c for c in p], q, -a), cross(p, q))
            moment = [0.0] * 3
            for rate, axis in zip(rates[3:], axes):
                moment = add(moment, axis, rate * 2 * dot(axis, vector))
            moment = turned(x[9:12], add(cross(vector, moment), moment, scalar))
            return sub(out[0], [0.0] * 3 + moment) + add(out[1], [0.0] * 3 + moment)
        self.system.join(self.knuckle.unknowns + self.other.unknowns, f)
        self.fixed += [(pivot, axis) for axis in ([1, 0, 0], [0, 1, 0], [0, 0, 1])]

    # -- springs --

    def rigid_rates(self, at):
        """Velocity and turn of the knuckle per rise of the contact with a rigid linkage; of an axle both wheels
        rise."""
        rows = [list(n) + cross(sub(p, self.centre), n) for p, n in self.fixed]
        if self.file["type"] == "twist_beam":
            rows += [[0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 1]]
        elif self.file["type"] == "integral_link":
            # both ends of the link, one on the arm, whose motion follows from that of its ball joint
            arm, link = self.bodies["h_arm"].reaches, self.file["integral_link"]
            n = sub(link["knuckle"], link["arm"])
            row = list(n) + cross(sub(link["knuckle"], self.centre), n)
            for i in range(6):
                v, w = [float(i == k) for k in range(3)], [float(i == k) for k in range(3, 6)]
                row[i] -= dot(n, self.arm_velocity(arm, v, w, link["arm"]))
            rows.append(row)
        elif self.joined:
            rows.append([0, 0, 0, 1, 0, 0])
        rows.append([0, 0, 1] + cross(at, [0, 0, 1]))
        found = tables.solve([[float(c) for c in row] for row in rows], [[0.0] * 5 + [1.0]])[0]
        return found[:3], found[3:]

    def arm_velocity(self, points, v, w, point):
        front, rear, outer = points
        axis, reach = unit(sub(front, rear)), sub(outer, rear)
        way = cross(axis, reach)
        speed = add(v, cross(w, sub(outer, self.centre)))
        rate = dot(way, speed) / dot(way, way)
        return [rate * c for c in cross(axis, sub(point, rear))]

    def springs(self):
        """The spring acts on the knuckle, an arm or a rod, or on a rocker that a rod pushes."""
        spring, strut = self.file["spring"], self.file.get("strut", {})
        unit_ends = self.file.get("spring_damper", {})
        part = "lca" if "lca" in unit_ends else spring.get("part", "knuckle")
        top = unit_ends.get("chassis", spring.get("chassis", strut.get("top")))
        eye = unit_ends.get("lca", spring.get("eye", strut.get("bottom")))
        body = self.bodies.get(part, self.carrier)
        foot, rocker = eye, spring.get("rocker")
        if rocker:
            foot = rocker["rod_part"]
        # speed of the foot with a rigid linkage, and of the spring's length
        axle, up = self.axle, [0.0, 0.0, 1.0]
        lowest = [-self.radius * c for c in unit(sub(up, [axle[2] * c for c in axle]))]
        if "load" in spring:
            load = spring["load"]
        else:
            v, w = self.rigid_rates(lowest)
            if body is self.knuckle:
                speed = add(v, cross(w, sub(foot, self.centre)))
            elif part in self.file.get("links", {}):
                link = self.file["links"][part]
                inner, outer = link["chassis"], link["knuckle"]
                share = dot(sub(foot, inner), sub(outer, inner)) / dot(sub(outer, inner), sub(outer, inner))
                speed = [share * c for c in add(v, cross(w, sub(outer, self.centre)))]
            else:
                points = self.file[part]
                speed = self.arm_velocity([points[k] for k in ("chassis_front", "chassis_rear", "knuckle")], v, w, foot)
            if rocker:
                axis, rod = unit(rocker["axis"]), sub(rocker["rod_part"], rocker["rod_rocker"])
                way = cross(axis, sub(rocker["rod_rocker"], rocker["pivot"]))
                rate = dot(rod, speed) / dot(rod, way)
                speed = [rate * c for c in cross(axis, sub(eye, rocker["pivot"]))]
            load = self.file["wheel_load"] / dot(speed, unit(sub(top, eye)))
        design = length(sub(top, eye))

        def coil(now, upper):
            d = sub(now, upper)
            size = length(d)
            return [(load + spring["rate"] * (design - size)) * c / size for c in d]

        def straight(body, side):
            foot_here, upper = ([p[0], side * p[1], p[2]] for p in (eye, top))

            def f(x):
                place = Place(body, x, foot_here)
                return place.push(coil(place.now, upper))
            self.system.join(body.unknowns, f)

        def through_rocker(x):
            """Unknowns: the rocker's turn and the push in the rod."""
            place = Place(body, x[0:6], foot)
            axis, pivot = unit(rocker["axis"]), rocker["pivot"]
            rho = [x[6] * c for c in axis]
            arm, rod_arm = turned(rho, sub(eye, pivot)), turned(rho, sub(rocker["rod_rocker"], pivot))
            rod = sub(place.now, add(pivot, rod_arm))
            force = [x[7] * c for c in rod]
            balance = dot(axis, cross(arm, coil(add(pivot, arm), top))) - dot(axis, cross(rod_arm, force))
            long = sub(foot, rocker["rod_rocker"])
            return place.push(force) + [balance, dot(rod, rod) - dot(long, long)]
        if rocker:
            first = self.system.more(2)
            self.system.join(body.unknowns + [first, first + 1], through_rocker)
            return
        straight(body, 1.0)
        if self.joined:
            straight(self.other if self.file["type"] == "twist_beam" else self.carrier, -1.0)

    # -- the wheel --

    def lowest(self, rho):
        s = turned(rho, self.axle)
        e = sub([0.0, 0.0, 1.0], [s[2] * c for c in s])
        size = length(e)
        return [-self.radius * c / size for c in e]

    def stand(self):
        """The road's load and the jacks that hold the wheel centres."""
        def road(x):
            force, moment = self.loads[0:3], [0.0, 0.0, self.loads[3]]
            couple = add(cross(self.lowest(x[3:6]), force), moment)
            return [force[0] + self.loads[4], force[1], force[2]] + couple

        def jack(body, point, number):
            first = self.system.more(1)

            def f(x):
                place = Place(body, x[0:6], point)
                held = x[6] if self.free else place.moved[2] - self.heights[number]
                return place.push([0.0, 0.0, x[6]]) + [held]
            self.system.join(body.unknowns + [first], f)
            return first
        self.system.join(self.knuckle.unknowns, road)
        self.jack = jack(self.carrier if self.bare else self.knuckle, self.centre, 0)
        if self.joined:
            x, y, z = self.centre
            jack(self.carrier if self.bare else self.other, [x, -y, z], 1)

    def equilibrium(self, travel, other, loads, parts=1):
        """other: the rack, or the other wheel's travel. The solution begins at the design position, and goes on in more
        parts if Newton's method does not converge."""
        state = self.system.start
        for k in range(1, parts + 1):
            share = k / parts
            self.heights, self.rack = [share * travel, share * other if self.joined else 0.0], share * other
            if self.carrier is not self.knuckle:  # both wheels alike; the second input is that of the steering
                self.heights = [share * travel] * 2 if self.bare else self.rigid_heights(share * travel, share * other)
            self.loads = [share * x for x in loads]
            state = self.system.solve(state) if state else None
        if state is None and parts >= 64:
            raise ArithmeticError("no equilibrium")
        return state or self.equilibrium(travel, other, loads, 4 * parts)

    def figures(self, state):
        rho = state[3:6]
        s, ahead = turned(rho, self.axle), turned(rho, [1.0, 0.0, 0.0])
        centre = add(self.centre, state[0:3])
        patch, design = add(centre, self.lowest(rho)), add(self.centre, self.lowest([0.0] * 3))
        return {"toe_deg": atan2(s[0], s[1]) / DEGREE,
                "camber_deg": -atan2(s[2], (s[0] ** 2 + s[1] ** 2) ** 0.5) / DEGREE,
                "wheel_spin_deg": atan2(-ahead[2], ahead[0]) / DEGREE,
                "wheel_x_mm": 1e3 * centre[0], "wheel_y_mm": 1e3 * centre[1],
                "dx_mm": 1e3 * state[0], "half_track_change_mm": 1e3 * state[1],
                "patch_x_mm": 1e3 * patch[0], "patch_y_mm": 1e3 * patch[1], "patch_z_mm": 1e3 * patch[2],
                "half_track_mm": 1e3 * (patch[1] - design[1])}

    def compliance(self, load):
        """Derivatives of angles, and of points of the knuckle, by loads at the design position under a vertical
        load."""
        state = self.equilibrium(0.0, 0.0, [0.0, 0.0, load, 0.0, 0.0])
        contact = self.lowest(state[3:6])
        pushes = {"fx": [1, 0, 0] + cross(contact, [1, 0, 0]), "fy": [0, 1, 0] + cross(contact, [0, 1, 0]),
                  "mz": [0, 0, 0, 0, 0, 1], "fx_centre": [1, 0, 0, 0, 0, 0]}
        zero = [0.0] * (self.system.size - 6)
        steps = tables.solve(self.system.jacobian(state), [minus(push) + zero for push in pushes.values()])
        rho = state[3:6]
        body = turned(minus(rho), contact)  # the contact as a point of the knuckle
        out = {}
        for name, step in zip(pushes, steps):
            moved = [complex(x, TINY * d) for x, d in zip(state[:6], step)]
            point = add(moved[:3], turned(moved[3:], body))
            seen = self.figures(moved)
            for key, value in (("toe", seen["toe_deg"]), ("camber", seen["camber_deg"]), ("wheel_x", 1e3 * moved[0]),
                               ("wheel_y", 1e3 * moved[1]), ("patch_x", 1e3 * point[0]), ("patch_y", 1e3 * point[1])):
                out[f"{key}_{name}"] = complex(value).imag / TINY
        return out


def across(line):
    """Two directions across a line."""
    first = unit(cross(line, [1.0, 0.0, 0.0] if abs(line[0]) < 0.6 else [0.0, 1.0, 0.0]))
    return first, cross(line, first)


def beam_of(beam):
    """Stiffnesses along and about the axes 1, 2 (along the beam), 3; tilt; centroid from the shear centre. Of a
    section: a U open downwards by the formulas of Young and Budynas, Roark's Formulas (7th ed., 2002), tables 9.2 and
    10.3."""
    tilt, off = beam.get("tilt", 0.0), [beam.get("centroid_x", 0.0), beam.get("centroid_z", 0.0)]
    if "torsion" in beam:
        torsion, bending = beam["torsion"], [beam["bending_x"], beam["bending_z"]]
        axial, shear, warping = beam["axial"], [beam["shear_x"], beam["shear_z"]], beam["warping"]
    else:
        points, t = beam["section"]["points"], beam["section"]["thickness"]
        h, b, young, shear = points[2][0] - points[1][0], -points[0][1], 210e9, [math.inf, math.inf]
        axial = young * t * (h + 2 * b)
        torsion = young / 2.6 * t ** 3 * (h + 2 * b) / 3
        down = b * b / (h + 2 * b)  # of the centroid below the web
        above = 3 * b * b / (h + 6 * b)  # of the shear centre above it
        off = [0.0, -down - above]
        bending = [young * t * (2 * b ** 3 / 3 - (h + 2 * b) * down ** 2), young * t * (h ** 3 / 12 + b * h * h / 2)]
        warping = young * h * h * b ** 3 * t / 12 * (2 * h + 3 * b) / (h + 6 * b)
    l = beam["length"]
    u = l / 2 * math.sqrt(torsion / warping)
    # along axis 1 the beam bends about axis 3, and the other way round
    rates = [12 * ei / (l ** 3 * (1 + 12 * ei / (l * l * ga))) for ei, ga in zip(reversed(bending), shear)]
    return [rates[0], axial / l, rates[1], bending[0] / l, torsion / l / (1 - math.tanh(u) / u), bending[1] / l], tilt, off


# travel and rack or the other wheel's travel in m; fx, fy, fz, mz of the road, fx at the wheel centre
CASES = [
    (0.0, 0.0, [-2500.0, 1800.0, 4000.0, 55.0, 600.0]),
    (0.03, -0.015, [1200.0, -3000.0, 6500.0, -70.0, -1500.0]),
    (-0.025, 0.02, [0.0, 2600.0, 1500.0, 90.0, 2200.0]),
    (0.02, 0.02, [-3200.0, -1400.0, 3000.0, -40.0, 0.0]),
]
KINDS = {  # name: share of the forces, whether the second input is used
    "wishbone": (1.0, True), "five_link": (1.0, False), "blade": (0.7, False), "trailing_arm": (1.0, False),
    "strut": (1.0, True), "integral_link": (1.0, True), "pushrod": (0.3, True), "twist_beam": (0.7, True),
    "u_beam": (0.7, True), "panhard": (1.0, True), "relay": (1.0, True), "relay_rigid_rod": (1.0, True),
    "steered_axle": (0.7, True), "haltenberger": (0.7, True)}
# what vdsim-kc-sweep(1) sweeps by default: mm, N, N m
RANGES = {"travel": (-100, 100, 41), "rack": (-40, 40, 17), "fx": (-4000, 4000, 9), "fy": (-4000, 4000, 9),
          "mz": (-100, 100, 9), "fx_centre": (-4000, 4000, 9), "fz": (500, 8000, 16)}
FREE = ("wishbone", "blade", "trailing_arm", "strut", "integral_link", "pushrod")
FIGURES = ("toe_fx", "toe_fy", "toe_mz", "camber_fx", "camber_fy", "camber_mz", "wheel_x_fx", "wheel_y_fy", "patch_y_fy",
           "patch_x_fy", "patch_y_fx", "toe_fx_centre", "camber_fx_centre")


def grid(low, high, count):
    return [low + (high - low) * i / (count - 1) for i in range(count)]


def placed(name, corner, share, second):
    for travel, other, loads in CASES:
        other, loads = other if second else 0.0, [share * x for x in loads]
        state = corner.equilibrium(travel, other, loads)
        seen = {key: complex(value).real for key, value in corner.figures(state).items()}
        yield {"corner": name, "travel_mm": 1e3 * travel, "rack_mm": 1e3 * other, "fx_N": loads[0], "fy_N": loads[1],
               "fz_N": loads[2], "mz_Nm": loads[3], "fx_centre_N": loads[4]} | seen | {"support_N": state[corner.jack]}


def defaults():
    """The points of the sweeps, as the manual gives them; inputs that are not swept are 0, and the load is 4500 N."""
    for sweep, of in RANGES.items():
        for value in grid(*of):
            row = dict.fromkeys(("travel", "rack", "fx", "fy", "mz", "fx_centre"), 0.0) | {"fz": 4500.0, sweep: value}
            yield [sweep] + [row[key] for key in RANGES]


def on_springs(name, corner):
    """States under loads that the spring alone carries, from 0.5 to 1.5 times that of the wheel, if it is known."""
    corner.free = True
    load = corner.file.get("wheel_load")
    loads = grid(0.5 * load, 1.5 * load, 11) if load else grid(*RANGES["fz"])
    states = {}
    for way in (loads[len(loads) // 2:], loads[len(loads) // 2::-1]):  # each from its neighbour, outwards
        state = corner.system.start
        for fz in way:
            corner.loads = [0.0, 0.0, fz, 0.0, 0.0]
            state = states[fz] = corner.system.solve(state)
    for fz in loads:
        state = states[fz]
        seen = {key: complex(value).real for key, value in corner.figures(state).items() if key in SEEN_FREE}
        yield {"corner": name, "fz_N": fz, "travel_mm": 1e3 * state[2]} | seen


SEEN_FREE = ("toe_deg", "camber_deg", "wheel_x_mm", "wheel_y_mm", "patch_z_mm")


def main():
    rows, numbers, free = [], [], []
    for name, (share, second) in KINDS.items():
        corner = Corner(files.read(f"{FOLDER}{name}.yaml"))
        rows += placed(name, corner, share, second)
        for key, value in corner.compliance(4500.0).items():
            if key in FIGURES:
                what = key.split("_", maxsplit=1)[0]
                per, unit_of = (1e2, "(100 N m)") if key.endswith("_mz") else (1e3, "kN")
                numbers.append((f"{name}_{key}", per * value, ("mm/" if what in ("wheel", "patch") else "deg/") + unit_of))
        if name in FREE:
            free += on_springs(name, corner)
    for table, of in (("elastic", rows), ("free_wheels", free)):
        tables.write(sys.argv[1], f"kc/{table}.csv", list(of[0]), [list(row.values()) for row in of], 11)
    tables.write_numbers(sys.argv[1], "kc/elastic_figures.csv", numbers, 10)
    columns = ["sweep"] + [key + ("_mm" if key in ("travel", "rack") else "_Nm" if key == "mz" else "_N") for key in RANGES]
    tables.write(sys.argv[1], "kc/default_sweeps.csv", columns, defaults())


if __name__ == "__main__":
    main()
