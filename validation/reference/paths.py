#!/usr/bin/env python3
"""Paths as curves with a parameter, and a car beside them: distance, offset, direction and curvature at its foot.

Usage: validation/reference/paths.py FOLDER    writes tables below paths/

Lines, arcs and clothoids by Fresnel's integrals; the lemniscate of Bernoulli, r^2 = a^2 cos(2 theta), whose curvature
is 3 r/a^2; the natural and the closed cubic spline over the lengths of the chords; the quintic lane changes of ISO
3888. The car follows a table of places and headings near the path (kinematic.py). Its foot is where the line to the
path is at right angles to it. The cones of the lane change are those of ISO 3888-1, and the body is a rectangle in plan
view.
"""
import math
import sys

from kinematic import Curve, Motion, crossing, negative, top
from tools import tables

SIMPSON = 8


def simpson(of, a, b, n=SIMPSON):
    h = (b - a) / (2 * n)
    return h / 3 * sum((1 if i in (0, 2 * n) else 4 if i % 2 else 2) * of(a + i * h) for i in range(2 * n + 1))


class Chain:
    """Pieces (length, curvature at the start, curvature at the end); the parameter is the length."""

    def __init__(self, pieces):
        self.start = [(0.0, 0.0, 0.0, 0.0)]  # s, x, y, heading
        self.pieces = pieces
        for length, _, _ in pieces:
            p = self.point(self.start[-1][0] + length)
            self.start.append((self.start[-1][0] + length, p[0], p[1], p[2]))

    def point(self, s):
        i = max((i for i in range(len(self.pieces)) if i < len(self.start) and self.start[i][0] <= s), default=0)
        s0, x, y, heading = self.start[i]
        length, k0, k1 = self.pieces[i]
        turn = lambda u: heading + k0 * u + (k1 - k0) / (2 * length) * u * u
        u = s - s0
        n = max(8, math.ceil(u))
        return (x + simpson(lambda q: math.cos(turn(q)), 0, u, n), y + simpson(lambda q: math.sin(turn(q)), 0, u, n),
                turn(u), k0 + (k1 - k0) * u / length)

    @staticmethod
    def length(u):
        return u


class Plane:
    """A curve whose place and its two derivatives are known."""

    def point(self, u):
        x, y, dx, dy, ddx, ddy = self.derivatives(u)
        return x, y, math.atan2(dy, dx), (dx * ddy - dy * ddx) / math.hypot(dx, dy)**3

    def length(self, u):
        n = max(1, math.ceil(abs(u - self.first) / self.piece))
        knots = [self.first + (u - self.first) * i / n for i in range(n + 1)]
        rate = lambda q: math.hypot(*self.derivatives(q)[2:4])
        return sum(simpson(rate, a, b) for a, b in zip(knots, knots[1:]))


class Lemniscate(Plane):
    """From the crossing along x into a loop to the left: half width 3 R, with R its least radius."""
    first, piece = 0.0, 0.2

    def __init__(self, radius):
        self.a = 3 * radius

    def derivatives(self, u):
        # polar: r = a sqrt(cos(2 theta)), sin(theta) sqrt(2) = sin(w), w = u - pi/2; by complex numbers, z = a cos(w)/(1 -
        # i sin(w)), turned by 45 degrees
        w = u - math.pi / 2
        c, s = math.cos(w), math.sin(w)
        turn = complex(1, 1) / math.sqrt(2)
        d = complex(1, -s)
        z = self.a * c / d
        z1 = self.a * (-s / d + 1j * c * c / d**2)
        z2 = self.a * (-c / d - 1j * s * c / d**2 - 2j * c * s / d**2 - 2 * c**3 / d**3)
        z, z1, z2 = (turn * q for q in (z, z1, z2))
        return z.real, z.imag, z1.real, z1.imag, z2.real, z2.imag


class Spline(Plane):
    """Through points; parameter: chords."""
    first = 0.0

    def __init__(self, points, closed=False):
        points = points + points[:1] if closed else points
        n = len(points) - 1
        h = [math.dist(a, b) for a, b in zip(points, points[1:])]
        self.knot = [sum(h[:i]) for i in range(n + 1)]
        self.points, self.h, self.piece = points, h, sum(h) / 60
        # unknown: slopes at the points, which make the second derivatives equal from both sides
        rows, right = [], [[], []]
        for i in range(n + 1):
            row = [0.0] * (n + 1)
            if i in (0, n) and not closed:
                j = 0 if i == 0 else n - 1
                row[i], row[j + 1 if i == 0 else j] = 2.0, 1.0
                side = [3 * (points[j + 1][k] - points[j][k]) / h[j] for k in (0, 1)]
            elif i == n:
                row[0], row[n] = 1.0, -1.0
                side = [0.0, 0.0]
            else:
                a, b = (i - 1) % n, i
                row[a] += 1 / h[a]
                row[i] += 2 / h[a] + 2 / h[b]
                row[i + 1] += 1 / h[b]
                side = [3 * ((points[b + 1][k] - points[b][k]) / h[b]**2 + (points[a + 1][k] - points[a][k]) / h[a]**2)
                        for k in (0, 1)]
            rows.append(row)
            right[0].append(side[0])
            right[1].append(side[1])
        self.slope = tables.solve(rows, right)  # one list for each coordinate

    def derivatives(self, u):
        i = max(k for k in range(len(self.h)) if self.knot[k] <= u or k == 0)
        h, t, out = self.h[i], u - self.knot[i], []
        for k in (0, 1):
            a, b, da, db = self.points[i][k], self.points[i + 1][k], self.slope[k][i], self.slope[k][i + 1]
            c, d = (3 * (b - a) / h - 2 * da - db) / h, (da + db - 2 * (b - a) / h) / h**2
            out.append((a + t * (da + t * (c + t * d)), da + t * (2 * c + 3 * d * t), 2 * c + 6 * d * t))
        (x, dx, ddx), (y, dy, ddy) = out
        return x, y, dx, dy, ddx, ddy


class Lanes(Plane):
    """y over x: from lane to lane by quintics, each longer than its section by the blends at both ends."""
    first, piece = 0.0, 4.0

    def __init__(self, changes):
        self.changes = changes  # (x at the start, length, rise)

    def derivatives(self, x):
        y = dy = ddy = 0.0
        for start, length, rise in self.changes:
            u = min(max((x - start) / length, 0.0), 1.0)
            y += rise * (6 * u**5 - 15 * u**4 + 10 * u**3)
            dy += rise / length * (30 * u**4 - 60 * u**3 + 30 * u**2)
            ddy += rise / length**2 * (120 * u**3 - 180 * u**2 + 60 * u)
        return x, y, 1.0, dy, 0.0, ddy


class Placed:
    """A path whose start is somewhere else."""

    def __init__(self, path, x, y, yaw):
        self.path, self.x, self.y, self.yaw = path, x, y, yaw
        self.length = path.length

    def point(self, u):
        x, y, heading, bend = self.path.point(u)
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        return self.x + c * x - s * y, self.y + s * x + c * y, heading + self.yaw, bend


class Follower(Motion):
    """Beside a path, along the parameter u(t), with an offset and a heading that are not its own."""

    def __init__(self, path, u, offset, until, row, wheel=lambda t: 0.0, twist=0.03):
        self.path, self.parameter = path, u
        rows = []
        for i in range(round((until + 2 * row) / row) + 1):
            t = i * row
            x, y, heading, _ = path.point(u(t))
            if rows:
                heading += 2 * math.pi * round((rows[-1][3] - heading) / (2 * math.pi))
            rows.append((t, x - offset(t) * math.sin(heading), y + offset(t) * math.cos(heading),
                         heading + twist, wheel(t)))
        self.rows = [tuple(float(f"{v:.11g}") for v in p) for p in rows]
        t = [p[0] for p in self.rows]
        self.x, self.y, self.yaw, self.wheel = (Curve(t, [p[k] for p in self.rows]) for k in (1, 2, 3, 4))
        self.until, self.cache = until, {}

    def foot(self, t):
        """Distance along the path, offset to the left, direction of motion relative to the path's, curvature."""
        car = self.of(t)
        ahead = lambda u: (lambda p: (car["x"] - p[0]) * math.cos(p[2]) + (car["y"] - p[1]) * math.sin(p[2]))(
            self.path.point(u))
        near = self.parameter(t)
        span = 0.02 * (self.parameter(1.0) - self.parameter(0.0))
        low, high = near - span, near + span
        while ahead(low) < 0:
            low -= span
        while ahead(high) > 0:
            high += span
        for _ in range(46):
            middle = (low + high) / 2
            low, high = (middle, high) if ahead(middle) > 0 else (low, middle)
        x, y, heading, bend = self.path.point(low)
        offset = (car["y"] - y) * math.cos(heading) - (car["x"] - x) * math.sin(heading)
        course = car["yaw"] + car["slip"] - heading
        return self.path.length(low), offset, math.remainder(course, 2 * math.pi), bend

    def offset(self, t):
        return self.foot(t)[1]


PLACE = (3.0, -2.0, 0.4)
WIDTH, AHEAD, BEHIND = 1.8, 0.9, 0.8  # m: of the car, and beyond its axles


def lane_course(sections, approach, blend, rise):
    x, changes = approach, []
    for length, width in sections:
        if width is None:
            changes.append((x - blend, length + 2 * blend, rise * (1 if not changes else -1)))
        x += length
    return Lanes(changes)


DOUBLE = [(15, 1.1 * WIDTH + 0.25), (30, None), (25, 1.2 * WIDTH + 0.25), (25, None), (15, 1.3 * WIDTH + 0.25), (15, 1.3 * WIDTH + 0.25)]
AVOID = [(12, 1.1 * WIDTH + 0.25), (13.5, None), (11, WIDTH + 1), (12.5, None), (12, max(3, 1.3 * WIDTH + 0.25))]


def runs():
    wave = lambda t: 0.3 * math.sin(0.9 * t + 0.4)
    along = lambda t: 2 + 15 * t + 0.4 * math.sin(1.3 * t)
    yield "segments", Follower(Placed(Chain([(20, 0, 0), (25, 0, 0.03), (30, 0.03, 0.03), (20, 0.03, -0.01), (60, -0.01, 0.004)]),
                                      *PLACE), along, wave, 8.2, 0.25)
    yield "clothoid", Follower(Placed(Chain([(150, 0.01, -0.02)]), *PLACE), along, wave, 8.2, 0.25)
    # before its start and after its end a path continues straight
    yield "beyond", Follower(Placed(Chain([(20, 0, 0), (40, 0.01, 0.02), (100, 0, 0)]), *PLACE), along, wave, 8.2, 0.25)
    k = 1 / 40
    yield "circle", Follower(Placed(Chain([(30, 0, 0), (30, 0, k), (80 * math.pi, k, k)]), *PLACE), along, wave, 8.2, 0.25)
    yield "eight", Follower(Placed(Lemniscate(15.0), *PLACE), lambda t: 0.1 + 0.38 * t, wave, 8.2, 0.25)
    points = [(0, 0), (25, 3), (45, 18), (52, 45), (80, 60), (110, 55), (140, 62)]
    yield "waypoints", Follower(Spline(points), along, wave, 8.2, 0.25)
    loop = [(0, 0), (35, -6), (60, 15), (45, 42), (12, 45), (-9, 22)]
    yield "closed", Follower(Spline(loop, True), along, wave, 8.2, 0.25)
    edges = 3.5 + (1.2 - 1.1) * WIDTH / 2
    yield "double", Follower(Placed(lane_course(DOUBLE, 20, 3, edges), *PLACE), along, wave, 8.2, 0.25)
    gap = 0.5 * (1.1 * WIDTH + 0.25) + 1 + 0.5 * (WIDTH + 1)
    yield "avoid", Follower(Placed(lane_course(AVOID, 10, 2.5, gap), *PLACE), lambda t: 2 + 11 * t, wave, 8.2, 0.25)


# --- cones, gates and speeds of the double lane change ---

def cones(spacing, radius, approach, rise):
    out, gates, x = [], [], approach
    for i, (length, width) in enumerate(DOUBLE):
        if width is not None:
            middle = rise if len(gates) == 1 else 0.0
            spaces = math.ceil(length / spacing - 1e-9)
            for k in range(1 if len(gates) == 3 else 0, spaces + 1):  # the last two gates share a pair
                out += [(x + length * k / spaces, middle + side * (width / 2 + radius), len(gates)) for side in (-1, 1)]
            gates.append((x, x + length, middle, width))
        x += length
    return out, gates


def lane_change(m, spacing=4.0, radius=0.12):
    rise = 3.5
    feet, gates = cones(spacing, radius, 20, rise)
    wheelbase, to_front = 2.68, 1.10
    front, rear, half = to_front + AHEAD, wheelbase - to_front + BEHIND, WIDTH / 2

    def seen(t):
        """Place and heading in the axes of the course."""
        p, (x0, y0, yaw0) = m.of(t), PLACE
        c, s = math.cos(yaw0), math.sin(yaw0)
        return c * (p["x"] - x0) + s * (p["y"] - y0), c * (p["y"] - y0) - s * (p["x"] - x0), p["yaw"] - yaw0

    def gap(cone, t):
        x, y, yaw = seen(t)
        c, s = math.cos(yaw), math.sin(yaw)
        ahead, left = c * (cone[0] - x) + s * (cone[1] - y), c * (cone[1] - y) - s * (cone[0] - x)
        return math.hypot(max(ahead - front, -rear - ahead, 0.0), max(abs(left) - half, 0.0)) - radius

    def passes(by, place):
        at = lambda t: seen(t)[0] + by * math.cos(seen(t)[2])
        t = crossing(at, place, 0.0, m.until)
        return t, seen(t)[1] + by * math.sin(seen(t)[2])

    hits, first, least = [0] * 4, math.inf, math.inf
    along = [seen(i * 2e-3)[0] for i in range(int(m.until / 2e-3) + 1)]
    for cone in feet:
        for i in range(int(m.until / 2e-3) + 1):
            t = i * 2e-3
            if abs(along[i] - cone[0]) > 6:
                continue
            g = gap(cone, t)
            least = min(least, max(g, 0.0))
            if g < 0:
                hits[cone[2]] += 1
                first = min(first, crossing(negative(lambda q: gap(cone, q)), 0.0, t - 2e-3, t))
                break
    through = sum(all(abs(passes(front, x)[1] - g[2]) <= g[3] / 2 for x in g[:2]) for g in gates)
    begin, end = passes(front, gates[0][0])[0], passes(-rear, gates[-1][1])[0]
    biggest = lambda of: max(top(of, begin, end)[1], top(negative(of), begin, end)[1])
    yield "lane_offset_m", rise
    for i, g in enumerate(gates):
        yield f"gate_{i + 1}_width_m", g[3]
        yield f"gate_{i + 1}_cone_hits", hits[i]
    yield "cone_hits", sum(hits)
    yield "cones", len(feet)
    if sum(hits):
        yield "first_cone_hit_s", first
    yield "cone_clearance_m", 0.0 if sum(hits) else least
    yield "gates_passed", through
    yield "lane_change_passed", int(through == 4 and not sum(hits))
    yield "lane_change_entry_speed_mps", m.of(begin)["vx"]
    yield "lane_change_exit_speed_mps", m.of(end)["vx"]
    yield "lane_change_time_s", end - begin
    yield "lane_change_deviation_m", max(abs(m.offset(begin + (end - begin) * i / 100)) for i in range(101))
    yield "lane_change_ay_mps2", biggest(m.get("ay"))
    yield "lane_change_yaw_rate_radps", biggest(m.get("yaw_rate"))
    yield "lane_change_sideslip_rad", biggest(m.get("slip"))
    yield "lane_change_wheel_rad", biggest(m.get("wheel"))


def lane_runs():
    path = Placed(lane_course(DOUBLE, 20, 4, 3.5), *PLACE)
    along = lambda t: 4 + 20 * t - 0.15 * t * t
    wheel = lambda t: 0.4 * math.sin(1.1 * t)
    yield "clean", Follower(path, along, lambda t: 0.05 * math.sin(1.7 * t), 8.2, 0.1, wheel, 0.0)
    # across its course, with the middle of its front outside the first gate, but not its centre of gravity
    yield "across", Follower(path, along, lambda t: 0.5, 8.2, 0.1, wheel, 0.35)
    yield "hits", Follower(path, along, lambda t: 0.28 * math.sin(1.1 * t + 0.9), 8.2, 0.1, wheel, 0.01)


def main():
    folder = sys.argv[1]
    numbers = []
    header = ("t_s", "x_m", "y_m", "yaw_rad", "steering_wheel_rad")
    for name, m in runs():
        tables.write(folder, f"paths/{name}.csv", header[:4], [p[:4] for p in m.rows], 11)
        for t in (2, 4, 6, 8):
            s, offset, heading, bend = m.foot(float(t))
            numbers.append((f"{name}_{t}", s + 10 * offset + 30 * heading + 300 * bend, "1"))
    for name, m in lane_runs():
        tables.write(folder, f"paths/{name}.csv", header, m.rows, 11)
        numbers += [(f"{name}_{figure}", value, "1") for figure, value in lane_change(m)]
    tables.write_numbers(folder, "paths/figures.csv", numbers, 9)


if __name__ == "__main__":
    main()
