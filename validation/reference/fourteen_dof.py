#!/usr/bin/env python3
"""A car with fourteen degrees of freedom: a free body, four travels, four spins; driven, braked, dropped on a plane.

Usage: validation/reference/fourteen_dof.py FOLDER    writes fourteen_dof/drive.csv, brake.csv, land.csv and struts.csv

Kane's equations, with nothing eliminated. The speeds are the velocity u of the place O of the centre of gravity at
rest, the body's angular velocity w, both in its axes, and the rates of the four travels. Each of five masses, the
sprung one and those of the wheels, is at a place r of the body's axes, so v = u + w x r + sum(d r/d s_j s_j'), and has
the partial velocities e_k, e_k x r, d r/d s_j. Sums over the masses of partial velocity times m (a - g), with the
inertia of the sprung mass, equal the products of the forces with the partial velocities of the contact points: ten
equations for ten accelerations. The attitude is a quaternion.

Places. The wheels of an axle are on a beam: it slides up the body's z by the mean travel and turns by f =
(s_right - s_left)/track about the roll centre. A point of it that is Y to the left of that centre and Z over it moves
by Z f' to the left and -Y f' up. Masses are at the height of the unsprung masses, wheel centres at the loaded radius.
The contact is on the disc of the wheel, where it is lowest over the road: there tyre force and spring force act, the
latter along the normal of the road and in the plane of the disc. A locked wheel moves forward by e s, e = p h/(c L)
over travel s at the front axle, -p h/(c L) at the rear, p the anti-dive, c the share of brakes, so Fx pushes the
travel by e Fx; p of the anti-squat and the share of the drive give the path of the wheel's centre, and the rotation of
the knuckle between, over which the torque of a shaft works: (e_drive - e)/R of it.

On struts, at L5, each wheel moves instead along a line of the body through its place, with its mass in its centre and
without these paths, and leans with the body.

Spins. A spin is relative to the knuckle; its axle n = (-sin d, cos d, 0) is fixed in the body, so that I (spin + w .
n)' = torque - R Fx, and -(H n)' acts on the body, with H = I (spin + w . n). The couples of a tyre act on the body.

The tyre is that of two_track.py, with a patch that has a width and moves to the side. The forces of the air act on the
road below the middle of the wheelbase, and below the axles. The steps are 2 ms, and 0.25 ms for landings, where tyres
meet the road within a step; half the step changes the tables by less than 4e-7 of the peaks, 2e-6 at landings.
"""
import functools
import math
import sys

from tools import files, tables
from two_track import GRAVITY, Axle

SHOWN = 0.05  # s
WHEELS = ("fl", "fr", "rl", "rr")
CHANNELS = (("roll_rad", "pitch_rad", "yaw_rad", "vx_mps", "vy_mps", "vz_mps", "yaw_rate_radps", "ax_mps2", "ay_mps2",
             "cg_vx_mps", "cg_vy_mps", "cg_vz_mps")
            + tuple(f"{name}_{w}_{unit}" for name, unit in (("travel", "m"), ("fz", "N"), ("omega", "radps"))
                    for w in WHEELS))


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def plus(*vectors):
    return [sum(x) for x in zip(*vectors)]


def times(factor, a):
    return [factor * x for x in a]


def turned(q):
    """The body's axes in the world, as rows, of a quaternion."""
    scale = 2 / sum(x * x for x in q)
    w, i, j, k = q
    return ([1 - scale * (j * j + k * k), scale * (i * j + k * w), scale * (i * k - j * w)],
            [scale * (i * j - k * w), 1 - scale * (i * i + k * k), scale * (j * k + i * w)],
            [scale * (i * k + j * w), scale * (j * k - i * w), 1 - scale * (i * i + j * j)])


def quaternion(axes):
    """The quaternion of axes as rows, not near half a turn."""
    w = math.sqrt(1 + axes[0][0] + axes[1][1] + axes[2][2]) / 2
    return [w, (axes[1][2] - axes[2][1]) / (4 * w), (axes[2][0] - axes[0][2]) / (4 * w),
            (axes[0][1] - axes[1][0]) / (4 * w)]


class Ride:
    """The data of an axle that a plane model does not have: heights, dampers, paths."""

    def __init__(self, file, axle, car, sign, struts):
        tyre = file["tyre"]
        self.above_mass = file["loaded_radius" if struts else "unsprung_height"] - file["roll_centre_height"]
        self.above_wheel = file["loaded_radius"] - file["roll_centre_height"]
        self.roll_centre = file["roll_centre_height"] - car["cg_height"]
        self.spring, self.bar = file["spring_stiffness"], file["antiroll_stiffness"] / file["track"]**2
        self.damper = file["damper"]
        self.tyre_spring, self.tyre_damper = tyre["vertical_stiffness"], tyre["vertical_damping"]
        load = car["mass"] * GRAVITY / 2 * abs(car["other"]) / car["wheelbase"]
        self.static = load - file["unsprung_mass"] * GRAVITY
        self.free = file["loaded_radius"] + load / self.tyre_spring
        self.width, self.side_spring = tyre["patch_width"], tyre["lateral_stiffness"]
        height = sign * car["cg_height"] / car["wheelbase"]
        brake, drive = car["shares"]
        self.path = 0.0 if struts else file.get("anti_brake", 0.0) * height / brake
        driven = 0.0 if struts or not drive else file.get("anti_drive", 0.0) * height / drive
        self.shaft = (driven - self.path) / axle.radius

    def overturning(self, load, fx, fy, lean):
        """Mx and the part of Mz of a patch which the side force shifts, and which a lean loads unevenly.

        A row of springs over the width b is compressed by z + lean y. If all of it touches the road, the load is off
        the middle by lean c b^2/(12 Fz); otherwise it is a triangle of the length l = sqrt(2 Fz b/(c lean)), whose
        centre is off the middle by b/2 - l/3.
        """
        if load == 0.0:
            return 0.0, 0.0
        shift, b, c = fy / self.side_spring, self.width, self.tyre_spring
        arm = abs(lean) * c * b * b / (12 * load)
        if arm > b / 6:
            arm = b / 2 - math.sqrt(2 * load * b / (c * abs(lean))) / 3
        return load * (shift - math.copysign(arm, lean)), -shift * fx


class Car:
    def __init__(self, struts, path="validation/data/fourteen_dof/car.yaml"):
        self.struts = struts
        file = files.read(path)
        a, length, share = file["cg_to_front"], file["wheelbase"], file["brakes"]["front_share"]
        self.axles = (Axle(file["front"], a), Axle(file["rear"], a - length))
        self.rides = [
            Ride(part, axle, {**file, "other": other, "shares": shares}, sign, struts)
            for part, axle, other, shares, sign in zip((file["front"], file["rear"]), self.axles, (length - a, a),
                                                       ((share, 0.0), (1 - share, 1.0)), (1, -1))]
        self.motor = file["drivetrain"]["max_torque"] * file["drivetrain"]["ratio"]
        self.brakes = [file["brakes"]["max_torque"] * s / 2 for s in (share, 1 - share)]
        self.mass, self.height = file["mass"], file["cg_height"]
        self.sprung = self.mass - sum(axle.mass for axle in self.axles)
        unsprung = [(axle.mass, axle.x, part["loaded_radius" if struts else "unsprung_height"])
                    for axle, part in zip(self.axles, (file["front"], file["rear"]))]
        x = -sum(m * x for m, x, _ in unsprung) / self.sprung
        z = (self.mass * self.height - sum(m * h for m, _, h in unsprung)) / self.sprung - self.height
        self.centre = [x, 0.0, z]
        yaw = file["yaw_inertia"] - self.sprung * x * x - sum(
            axle.mass * (axle.x**2 + axle.half**2) for axle in self.axles)
        xy, xz, yz = (file[f"product_{axes}"] for axes in ("xy", "xz", "yz"))
        self.inertia = [[file["roll_inertia"], -xy, -xz], [-xy, file["pitch_inertia"], -yz], [-xz, -yz, yaw]]
        air = file["aero"]
        pressure = air["air_density"] * air["frontal_area"] / 2
        self.air = [pressure * air[of] for of in ("drag", "downforce_front", "downforce_rear")]
        self.middle = a - length / 2

    def on_beam(self, i, travel, above):
        """A point of wheel i's beam over its middle plane, and how it moves with the travels left and right."""
        axle, ride = self.axles[i // 2], self.rides[i // 2]
        left, right = travel[i // 2 * 2], travel[i // 2 * 2 + 1]
        if self.struts:
            left = right = travel[i]
        angle = (right - left) / (2 * axle.half)
        sine, cosine = math.sin(angle), math.cos(angle)
        out = -axle.half if i % 2 else axle.half
        y, z = out * cosine + above * sine, above * cosine - out * sine
        return [axle.x, y, ride.roll_centre + (left + right) / 2 + z], sine, cosine

    def partials(self, i, at, travel):
        """Motion of a point of the beam by the travels of its left and its right wheel; its height above the pivot."""
        if self.struts:
            return ([0.0, 0.0, 1.0 - i % 2], [0.0, 0.0, 0.0 + i % 2], 0.0)
        ride, track = self.rides[i // 2], 2 * self.axles[i // 2].half
        over = at[2] - ride.roll_centre - (travel[i // 2 * 2] + travel[i // 2 * 2 + 1]) / 2
        return ([0.0, -over / track, 0.5 + at[1] / track], [0.0, over / track, 0.5 - at[1] / track], over)


class Motion:
    """The equations at one state."""

    def __init__(self):
        self.matrix = [[0.0] * 10 for _ in range(10)]
        self.right = [0.0] * 10

    def push(self, columns, force):
        for k, column in columns:
            self.right[k] += dot(column, force)

    def mass(self, m, columns, known):
        """A mass whose acceleration is that of the columns and a known one."""
        for k, a in columns:
            row = self.matrix[k]
            for j, b in columns:
                row[j] += m * dot(a, b)
        self.push(columns, times(-m, known))


def columns_of(at, wheels):
    """Partial velocities of a place: of u, of w, of the travels."""
    x, y, z = at
    return [(0, [1.0, 0.0, 0.0]), (1, [0.0, 1.0, 0.0]), (2, [0.0, 0.0, 1.0]),
            (3, [0.0, -z, y]), (4, [z, 0.0, -x]), (5, [-y, x, 0.0])] + wheels


def evaluate(car, normal, command, state):
    """Rates of the state (quaternion, height over the plane, u, w, travels, their rates, spins), and what is shown."""
    steer, steer_rate, throttle, brake = command
    axes = turned(state[:4])
    n = [dot(axis, normal) for axis in axes]
    height, u, w = state[4], state[5:8], state[8:11]
    travel, rate, spin = state[11:15], state[15:19], state[19:23]
    speeds = u + w + rate
    motion = Motion()
    gravity = [-GRAVITY * axis[2] for axis in axes]
    whirl = tables.cross(w, u)

    def known(at, velocity, curve):
        """Acceleration less gravity without the accelerations of the coordinates. velocity: relative to the body."""
        return plus(whirl, tables.cross(w, tables.cross(w, at)), times(2, tables.cross(w, velocity)), curve,
                    times(-1, gravity))

    def at_speed(columns):
        return plus(*[times(speeds[k], column) for k, column in columns])

    # the sprung mass
    columns = columns_of(car.centre, [])
    motion.mass(car.sprung, columns, known(car.centre, [0.0] * 3, [0.0] * 3))
    masses = [(car.sprung, columns)]
    for k in range(3):
        for j in range(3):
            motion.matrix[3 + k][3 + j] += car.inertia[k][j]
    moment = tables.cross([dot(row, w) for row in car.inertia], w)
    for x, along, up in zip((car.middle, car.axles[0].x, car.axles[1].x), (-car.air[0], 0.0, 0.0),
                            (0.0, -car.air[1], -car.air[2])):
        motion.push(columns_of([x, 0.0, -car.height], []), times(u[0] * abs(u[0]), [along, 0.0, up]))
    loads, accelerations = [], [0.0] * 4
    for i in range(4):
        axle, ride = car.axles[i // 2], car.rides[i // 2]
        pair = (6 + i // 2 * 2, 7 + i // 2 * 2)
        # the mass
        at, _, _ = car.on_beam(i, travel, ride.above_mass)
        left, right, over = car.partials(i, at, travel)
        swing = 0.0 if car.struts else (rate[pair[1] - 6] - rate[pair[0] - 6]) / (2 * axle.half)
        columns = columns_of(at, [(pair[0], left), (pair[1], right)])
        relative = plus(times(rate[pair[0] - 6], left), times(rate[pair[1] - 6], right))
        curve = [0.0, -swing**2 * at[1], -swing**2 * over]
        motion.mass(axle.mass / 2, columns, known(at, relative, curve))
        masses.append((axle.mass / 2, columns))
        # the disc on the road
        centre, sine, cosine = car.on_beam(i, travel, ride.above_wheel)
        centre[0] += ride.path * travel[i]
        angle, turning = (steer, steer_rate) if i < 2 else (0.0, 0.0)
        c, s = math.cos(angle), math.sin(angle)
        axis = [-s, c * cosine, -c * sine]
        lean = dot(n, axis)
        upright = math.sqrt(1 - lean * lean)
        disc = times(1 / upright, plus(n, times(-lean, axis)))
        length = (height + dot(n, centre)) / upright
        down = times(-length, disc)
        contact = plus(centre, down)
        left, right, _ = car.partials(i, contact, travel)
        (left, right)[i % 2][0] += ride.path
        columns = columns_of(contact, [(pair[0], left), (pair[1], right)])
        velocity = plus(at_speed(columns), times(turning, tables.cross([0.0, sine, cosine], down)))
        # the tyre
        depth = max(ride.free - length, 0.0)
        load = ride.tyre_spring * depth - ride.tyre_damper * min(depth / 0.005, 1.0) * dot(n, velocity) / upright
        load = max(load, 0.0) / upright
        ahead = tables.cross(axis, disc)
        aside = tables.cross(n, ahead)
        along = dot(ahead, velocity)
        fx, fy, mz = axle.force(load, (axle.radius * spin[i] - along) / along, -dot(aside, velocity) / along)
        mx, twist = ride.overturning(load, fx, fy, math.asin(lean))
        force = plus(times(fx, ahead), times(fy, aside), times(load, n))
        motion.push(columns, force)
        loads.append(load)
        # the suspension
        damper = ride.damper["bump" if rate[i] > 0 else "rebound"]
        shaft = car.motor * throttle / 2 if i > 1 else 0.0
        motion.right[6 + i] += (shaft * ride.shaft - ride.static - ride.spring * travel[i] - damper * rate[i]
                                - ride.bar * (travel[i] - travel[i ^ 1]))
        # the spin: H n with n' = -steer' (c, s, 0)
        stand = [-s, c, 0.0]
        torque = shaft - car.brakes[i // 2] * brake - axle.radius * fx
        momentum = axle.inertia * (spin[i] + dot(w, stand))
        moves = plus(tables.cross(w, stand), [-turning * c, -turning * s, 0.0])
        moment = plus(moment, times(mx, ahead), times(mz + twist, n), times(-torque, stand), times(-momentum, moves))
        accelerations[i] = (torque / axle.inertia, stand, dot(w, [-turning * c, -turning * s, 0.0]))
    for k in range(3):
        motion.right[3 + k] += moment[k]
    (solved,) = tables.solve(motion.matrix, [motion.right])
    spins = [free - dot(solved[3:6], stand) - drift for free, stand, drift in accelerations]
    q, (p, y, r) = state[:4], w
    turns = [(-q[1] * p - q[2] * y - q[3] * r) / 2, (q[0] * p + q[2] * r - q[3] * y) / 2,
             (q[0] * y + q[3] * p - q[1] * r) / 2, (q[0] * r + q[1] * y - q[2] * p) / 2]
    rates = turns + [dot(n, u)] + solved[:6] + rate + solved[6:] + spins
    mean = [sum(m * x for m, x in zip((m for m, _ in masses), values)) / car.mass
            for values in zip(*[at_speed(columns) for _, columns in masses])]
    return rates, (axes, n, loads, mean, plus(solved[:3], whirl))


def shown(car, state, seen):
    """The channels: angles relative to the horizon; the motion of O along the plane, that of all masses in the world.
    On struts, at L5, the motion of O is along the body's axes."""
    axes, n, loads, mean, acceleration = seen
    forward = plus([1.0, 0.0, 0.0], times(-n[0], n))
    forward = times(1 / math.sqrt(dot(forward, forward)), forward)
    along = [forward, tables.cross(n, forward), n]
    if car.struts:
        along = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    return [math.atan2(axes[1][2], axes[2][2]), -math.asin(axes[0][2]), math.atan2(axes[0][1], axes[0][0])] + [
        dot(axis, state[5:8]) for axis in along] + [dot(along[2], state[8:11])] + [
        dot(axis, acceleration) for axis in along[:2]] + [
        sum(x * axis[k] for x, axis in zip(mean, axes)) for k in range(3)] + state[11:15] + loads + state[19:23]


def run(name, step):
    scenario = files.read(f"validation/data/fourteen_dof/{name}.yaml")
    car, sine, begins = Car(scenario["run"]["level"] == "L5"), scenario["steer"], scenario["initial"]
    ground = scenario.get("ground", {})
    slopes = [math.tan(ground.get("grade", 0.0)), math.tan(ground.get("bank", 0.0))]
    normal = [-slopes[0], -slopes[1], 1.0]
    normal = times(1 / math.sqrt(dot(normal, normal)), normal)
    ahead = times(1 / math.hypot(1, slopes[0]), [1.0, 0.0, slopes[0]])
    w = [begins.get(f"{name}_rate", 0.0) for name in ("roll", "pitch", "yaw")]
    height = car.height + normal[2] * begins.get("lift", 0.0)
    state = quaternion((ahead, tables.cross(normal, ahead), normal))
    state += [height, begins["speed"], 0.0, 0.0] + w + [0.0] * 8
    for i in range(4):
        axle, ride = car.axles[i // 2], car.rides[i // 2]
        out = -axle.half if i % 2 else axle.half
        state.append((begins["speed"] - w[2] * out + w[1] * -car.height) / axle.radius)
    pedals = scenario.get("throttle", 0.0), scenario.get("brake", 0.0)

    def command(t, begun):
        size, omega = sine["amplitude"] * begun, 2 * math.pi * sine["frequency"]
        phase = omega * (t - sine["start"])
        return (size * math.sin(phase), size * omega * math.cos(phase)) + pedals

    def rates(begun, t, x):
        return evaluate(car, normal, command(t, begun), x)[0]

    for i in range(round(scenario["run"]["duration"] / step) + 1):
        t, begun = i * step, (i + 0.5) * step > sine["start"]
        if i % round(SHOWN / step) == 0:
            yield [t] + shown(car, state, evaluate(car, normal, command(t, begun), state)[1])
        state = tables.rk4(functools.partial(rates, begun), t, state, step)


def main():
    for name, step in (("drive", 2e-3), ("brake", 2e-3), ("land", 2.5e-4), ("struts", 2.5e-4)):
        tables.write(sys.argv[1], f"fourteen_dof/{name}.csv", ("t_s",) + CHANNELS, run(name, step), 8)


if __name__ == "__main__":
    main()
