#!/usr/bin/env python3
"""A double track without any symmetry, under all forces that may act in the plane of its road; and its single track.

Usage: validation/reference/whole_track.py FOLDER    writes tables below whole_track/

The model is that of two_track.py, with these parts in addition:

Places. The centre of gravity is to the left of the middle plane; forces of the air act in that plane at half the
wheelbase, on the road (SAE J1594), as functions of the angle of the flow: drag back, side force and yaw moment away
from the wind, roll moment away from it, two lifts. A push and a pull at a hitch act at their places on the body. The
road is a plane, of which the weight has components; wind is horizontal and grows over an edge as 3 u^2 - 2 u^3.

Steering axes. The front wheels' axes lean back by the caster and inward by the inclination, and meet the road ahead of
the contact by the trail and inside of it by the scrub. A wheel is turned about its axis until its heading has its
angle (Ackermann's part of the way from parallel: cot d_i = cot d -+ T/(2 L)). Turning at the rate w of its knuckle, the
lowest point of its disc moves at c' + (w - a (w . a)) x down: the rotation about the axle a is that of the bearing. The
slips contain this velocity. By virtual work the road's forces at the point, the load, Mz on the heading, and the brake,
whose torque acts on the rotation of the knuckle about the axle, give the moment on the wheel's angle.

Column. Steering wheel and gear are two masses on a torsion bar, J_w w'' = T - B - c_w w', J_g g'' = B + A - c_g g' +
Q/i, B = K (w - g) + c_t (w' - g'). The assistance is linear in the twist K (w - g) and, between rows, in the speed. Q
is the moment on the mean angle. Rear wheels follow a share of the mean angle, linear in speed, with a lag.

Drivetrain. The motor turns at i times the mean of the wheels' speeds by their shares; its torque, less that of its own
inertia J and the losses of the gears, goes to the wheels by their shares. Viscous differentials move torque from
the faster to the slower outputs; the speed of each output of the centre differential is the mean of its wheels.

Rolling resistance is a couple f R Fz against the spin. It and the spins' momentum are what the car has about y beside
the tyre forces. Each wheel may have a tyre of its own; an axle has the sum of its tyres' vertical stiffnesses.

The unsprung masses have the acceleration of the centre of gravity less gravity: all side forces over the mass.

The single track is the mean of both sides: wheels in the middle plane under half of their axle's load, each pair with
one spin and the mean of two mirrored steering axes; it has no roll.

Works are integrals of powers. With half the step the tables change by less than 1e-7 of the peaks.
"""
import functools
import math
import sys

from tools import files, tables
from two_track import GRAVITY, Axle

STEP, SHOWN = 1e-3, 0.2  # s
STANDS = 0.05  # m/s: rolling resistance is that times v/sqrt(v^2 + this^2), of the wheel's own speed
SPINS, WORKS = 6, ("drive", "brake", "tyre", "rolling", "aero", "outside", "steering", "assist", "column", "gears",
                   "differentials")
WHEELS = ("fl", "fr", "rl", "rr")
SINGLE = ("x_m", "y_m", "z_m", "yaw_rad", "vx_mps", "vy_mps", "yaw_rate_radps", "ax_mps2", "ay_mps2",
          "specific_force_x_mps2", "specific_force_y_mps2", "steer_actual_rad", "steering_column_rad",
          "steering_torque_Nm", "torsion_bar_torque_Nm", "assist_torque_Nm", "motor_speed_radps", "drag_N",
          "downforce_front_N", "downforce_rear_N", "body_pitch_rad") + tuple(f"work_{name}_J" for name in WORKS)
ROLL = ("body_roll_rad", "roll_rad", "pitch_rad", "cg_shift_x_m", "cg_shift_y_m")
EACH = (("fx", "N"), ("fy", "N"), ("fz", "N"), ("my", "Nm"), ("mz", "Nm"), ("kappa", ""), ("alpha", "rad"),
        ("omega", "radps"), ("drive_torque", "Nm"), ("brake_torque", "Nm"), ("wheel_x", "m"), ("wheel_y", "m"),
        ("wheel_z", "m"), ("axle_x", ""), ("axle_y", ""), ("axle_z", ""))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def linear(points, x):
    """Between two points, constant beyond."""
    (x0, y0), (x1, y1) = points
    return y0 + (y1 - y0) * min(max((x - x0) / (x1 - x0), 0.0), 1.0)


def wave(given, t, begun):
    """A sine and its slope; a constant; nothing."""
    if not isinstance(given, dict):
        return given or 0.0, 0.0
    size, w = given["amplitude"] * begun, 2 * math.pi * given["frequency"]
    return size * math.sin(w * (t - given["start"])), size * w * math.cos(w * (t - given["start"]))


class Kingpin:
    """A left wheel on its steering axis, by the heading of the wheel."""

    def __init__(self, steering, radius):
        axis = [-math.tan(steering["caster"]), -math.tan(steering["inclination"]), 1.0]
        self.axis = [x / math.sqrt(dot(axis, axis)) for x in axis]
        self.arm, self.radius = [-steering["trail"], steering["scrub"], radius], radius

    def turned(self, v, p):
        k, c, s = self.axis, math.cos(p), math.sin(p)
        return [c * x + s * y + (1 - c) * dot(k, v) * z for x, y, z in zip(v, tables.cross(k, v), k)]

    def at(self, angle):
        """Velocity of the lowest point ahead, aside (in the wheel's axes) and up, and the turn about the axle; all by
        the angle."""
        p = angle
        for _ in range(20):
            a = self.turned([0.0, 1.0, 0.0], p)
            moves = tables.cross(self.axis, a)
            flat = a[0] ** 2 + a[1] ** 2
            heading = (a[0] * moves[1] - a[1] * moves[0]) / flat  # by p
            miss = math.atan2(-a[0], a[1]) - angle
            p -= miss / heading
            if abs(miss) < 1e-15:
                break
        turn = [x / heading for x in self.axis]
        centre = tables.cross(turn, self.turned(self.arm, p))
        about = dot(turn, a)
        down = [a[2] * a[0], a[2] * a[1], a[2] ** 2 - 1]
        down = [self.radius * x / math.sqrt(1 - a[2] ** 2) for x in down]
        moves = [x + y for x, y in zip(centre, tables.cross([w - about * x for w, x in zip(turn, a)], down))]
        c, s = math.cos(angle), math.sin(angle)
        return [moves[0] * c + moves[1] * s, moves[1] * c - moves[0] * s, moves[2], about]


class Car:
    def __init__(self, scenario):
        file = files.read("validation/data/whole_track/car.yaml")
        if isinstance(scenario["vehicle"], dict):
            file["brakes"]["load_dependent"] = "true"
        self.single = scenario["run"]["level"] == "L1"
        self.mass, self.inertia, self.height = file["mass"], file["yaw_inertia"], file["cg_height"]
        self.length, a = file["wheelbase"], file["cg_to_front"]
        self.left = 0.0 if self.single else file["cg_left"]
        parts = (file["front"], file["rear"])
        self.axles = [Axle(part, x) for part, x in zip(parts, (a, a - self.length))]
        right = Axle({**file["front"], "tyre": file["front"]["right_tyre"][0]}, a)
        self.tyres = [self.axles[0], right, self.axles[1], self.axles[1]]
        front = self.axles[0]
        rubber = [t.tyre["vertical_stiffness"] for t in self.tyres[:2]]
        front.tyre_flex, front.roll_tyre = 1 / sum(rubber), sum(rubber) * front.half**2
        ground = scenario.get("ground", {})
        slopes = [math.tan(ground.get(of, 0.0)) for of in ("grade", "bank")]
        size = math.sqrt(1 + slopes[0] ** 2 + slopes[1] ** 2)
        self.normal = [-slopes[0] / size, -slopes[1] / size, 1 / size]
        self.along = [x / math.hypot(1, slopes[0]) for x in (1.0, 0.0, slopes[0])]
        self.across = tables.cross(self.normal, self.along)
        self.gravity = GRAVITY * self.normal[2]
        front, rear = self.axles
        self.heights = [part["unsprung_height"] for part in parts]
        self.sprung = self.mass - front.mass - rear.mass
        self.sprung_height = (self.mass * self.height - dot((front.mass, rear.mass), self.heights)) / self.sprung
        weights = (-rear.x / self.length, front.x / self.length)
        self.static = [self.mass * self.gravity * w for w in weights]
        shares = [(self.mass * w - axle.mass) / self.sprung for w, axle in zip(weights, self.axles)]
        self.arm = self.sprung_height - sum(s * axle.roll_centre for s, axle in zip(shares, self.axles))
        self.kingpin = Kingpin(file["steering"], front.radius)
        self.steering, self.column = file["steering"], file["steering"]["column"][0]
        self.rear = file["steering"]["rear"][0]
        self.train, self.brakes, self.air, self.hitch = (file[of] for of in ("drivetrain", "brakes", "aero", "hitch"))
        share = self.train["front_share"]
        self.shares = [share / 2, share / 2, (1 - share) / 2, (1 - share) / 2]
        self.wind = scenario.get("wind", [None])[0]
        self.push = scenario.get("push", {}).get("at")
        self.force = [scenario.get(f"push_{of}", 0.0) for of in "xyz"]
        self.drawbar = scenario.get("drawbar", 0.0)
        self.direct = [scenario.get(f"drive_torque_{w}") for w in WHEELS]
        self.retard = [scenario.get(f"brake_torque_{w}", 0.0) for w in WHEELS]
        self.has_direct = self.direct[0] is not None
        self.pedals = [0.0 if self.has_direct else scenario.get(of, 0.0) for of in ("throttle", "brake", "handbrake")]
        self.hands = scenario.get("steering_wheel"), scenario.get("steering_torque")

    def rolling(self, begins):
        """Spins at the start: of wheels that roll as their contact points move, and of a motor as the car goes straight
        on, connected by an impulse through the gears."""
        ratio, spin = self.train["ratio"], []
        inertias = [self.axles[i // 2].inertia for i in range(4)]
        for i in range(4):
            axle = self.axles[i // 2]
            y = 0.0 if self.single else (-axle.half if i % 2 else axle.half) - self.left
            spin.append((begins["speed"] - begins["yaw_rate"] * y) / axle.radius)
        motor = ratio * sum(s * begins["speed"] / self.axles[i // 2].radius for i, s in enumerate(self.shares))
        impulse = (motor - ratio * dot(self.shares, spin)) / (
            1 / self.train["inertia"] + ratio**2 * sum(s * s / n for s, n in zip(self.shares, inertias)))
        return [w + ratio * s * impulse / n for w, s, n in zip(spin, self.shares, inertias)]

    def angles(self, mean):
        """Of both front wheels, and their slopes by the mean angle."""
        if self.single:
            return [mean, mean], [0.5, 0.5]
        out, slope, t = [], [], math.tan(mean)
        for side in (1, -1):
            reach = 1 - side * self.axles[0].half / self.length * t
            wanted = math.atan2(t, reach)
            out.append(mean + self.steering["ackermann"] * (wanted - mean))
            by = (1 + t * t) / (reach**2 + t * t)  # d atan(t/reach)/d mean, reach' = -(1 - reach)/t t'
            slope.append(1 + self.steering["ackermann"] * (by - 1))
        return out, slope

    def wind_at(self, x):
        if not self.wind:
            return [0.0, 0.0]
        share, edge = 1.0, self.wind.get("edge")
        if edge:
            u = min(max(0.5 + (x - self.wind["x_from"]) / edge, 0.0), 1.0)
            share = u * u * (3 - 2 * u)
        return [share * self.wind["speed"] * of(self.wind["direction"]) for of in (math.cos, math.sin)]

    def outside(self, state):
        """Forces X, Y, moment about z through the centre of gravity, lifting the right and the front wheels' load by
        roll and pitch moments about the road below it, lifts of the axles; drag, lifts and power of the air, power of
        pushes."""
        x, y, heading, vx, vy, r = state[:6]
        c, s = math.cos(heading), math.sin(heading)
        px = x * self.along[0] + y * self.across[0]
        wind = self.wind_at(px) + [0.0]
        along, across = dot(wind, self.along), dot(wind, self.across)
        ahead, aside = vx - along * c - across * s, vy - across * c + along * s
        square = ahead**2 + aside**2
        angle, side = math.atan2(abs(aside), ahead), 1 if aside >= 0 else -1
        q = self.air["air_density"] / 2 * self.air["frontal_area"] * square
        drag, push, yaw, roll, front, rear = (
            q * linear(self.air[f"{of}_map"], angle) for of in ("drag", "side", "yaw", "roll", "front", "rear"))
        a, b = self.axles[0].x, -self.axles[1].x
        of_air = [-drag, -side * push, -side * yaw * self.length - side * push * (a - b) / 2 - self.left * drag]
        air_power = dot(of_air, (vx, vy, r))
        total, rolls, pitches = list(of_air), side * roll * self.length, 0.0
        lifts, power = [-front, -rear], 0.0
        acts = [([-self.drawbar, 0.0, 0.0], self.hitch["at"])]
        if self.push:
            acts.append((self.force, self.push))
        for force, (ahead, aside, up) in acts:
            ahead += a
            moment = ahead * force[1] - (aside - self.left) * force[0]
            for k, of in enumerate((force[0], force[1], moment)):
                total[k] += of
            power += force[0] * vx + force[1] * vy + moment * r
            rolls += aside * force[2] - up * force[1]
            pitches += up * force[0]
            lifts[0] += force[2] * (ahead + b) / self.length
            lifts[1] += force[2] * (a - ahead) / self.length
        return total, rolls, pitches, lifts, (drag, front, rear, air_power, power)

    def leaning(self, tyres, spins, outside):
        """Loads, roll and pitch under tyre forces X, Y front, Y rear, what spins and rolling take, what is outside."""
        force, rolls, pitches, lifts, _ = outside
        f, r = self.axles
        x, side = tyres[0] + force[0], tyres[1:]
        direct = x * (f.mass * self.heights[0] + r.mass * self.heights[1]) / (self.mass * self.length)
        springs, rubber = f.spring_flex + r.spring_flex, f.tyre_flex + r.tyre_flex
        weight = self.sprung * self.gravity * self.sprung_height
        sunk = [-lift * (axle.spring_flex + axle.tyre_flex) for axle, lift in zip(self.axles, lifts)]
        # L moved = moment - weight pitch,  L pitch = sunk front - sunk rear - (moved - direct) springs - moved rubber
        moved = (x * self.height - pitches + spins[1] - weight * (sunk[0] - sunk[1] + direct * springs) / self.length) / (
            self.length - weight * (springs + rubber) / self.length)
        pitch = (sunk[0] - sunk[1] - (moved - direct) * springs - moved * rubber) / self.length
        # the weight beside the middle plane, and forces on the body whose inertia is at the sprung mass
        accel = (sum(side) + force[1]) / self.mass
        total = -spins[0] + rolls + force[1] * self.sprung_height - self.mass * self.gravity * self.left
        stiffness, at_once = -self.sprung * self.gravity * self.arm, []
        for axle, y, height in zip(self.axles, side, self.heights):
            entering = y - axle.mass * accel
            at_once.append(entering * axle.roll_centre + axle.mass * accel * height)
            series = axle.roll_spring * axle.roll_tyre / (axle.roll_spring + axle.roll_tyre)
            total += entering * (self.sprung_height - axle.roll_centre) + series * at_once[-1] / axle.roll_tyre
            stiffness += series
        roll = 0.0 if self.single else total / stiffness
        loads = []
        for axle, static, g, sign, lift in zip(self.axles, self.static, at_once, (-1, 1), lifts):
            e = axle.roll_spring * (roll - g / axle.roll_tyre) / (1 + axle.roll_spring / axle.roll_tyre)
            load, change = (static + sign * moved - lift) / 2, 0.0 if self.single else (e + g) / (2 * axle.half)
            loads += [load - change, load + change]
        return loads, roll, pitch

    def capacities(self, loads):
        """Torques of the brakes."""
        _, pedal, lever = self.pedals
        share = [self.brakes["front_share"], 1 - self.brakes["front_share"]]
        if "load_dependent" in self.brakes:
            share = [(loads[0] + loads[1]) / sum(loads), (loads[2] + loads[3]) / sum(loads)]
        hand = (0.0, lever * self.brakes["handbrake_torque"])
        own = self.retard
        if self.single:
            own = [(own[i // 2 * 2] + own[i // 2 * 2 + 1]) / 2 for i in range(4)]
        return [(self.brakes["max_torque"] * pedal * share[i // 2] + hand[i // 2]) / 2 + own[i] for i in range(4)]

    def torques(self, spin):
        """Of differentials and direct commands, and the loss of the differentials."""
        out = list(self.direct) if self.has_direct else [0.0] * 4
        if self.single:
            out = [(out[i // 2 * 2] + out[i // 2 * 2 + 1]) / 2 for i in range(4)]
        lost = 0.0
        halves = ((1, -1, 0, 0), (0, 0, 1, -1), (0.5, 0.5, -0.5, -0.5))
        for name, outputs in zip(("front", "rear", "centre"), halves):
            if self.single and name != "centre":
                continue
            slip = dot(outputs, spin)
            torque = -self.train[f"{name}_differential"]["ramp"] * slip
            # of the single track a centre differential has one output for each axle, whose lane has two wheels
            out = [x + torque * o for x, o in zip(out, outputs)]
            lost += torque * slip
        return out, lost

    def driven(self, spin, others):
        """Accelerations of the spins under the torques of all but the motor, those of the motor on the wheels, its
        own losses in the gears. The clutch sticks: motor speed = i sum(share spin)."""
        ratio, inertia, i = self.train["ratio"], self.train["inertia"], self.inertias
        motor = 0.0 if self.has_direct else self.train["max_torque"] * self.pedals[0]
        forward = ratio * dot(self.shares, spin)
        for loss in (self.train["efficiency"], 1 / self.train["efficiency"]):
            # J W' = motor - q, I w' = others + loss ratio share q, W = ratio sum(share w)
            free = ratio * sum(s * o / n for s, o, n in zip(self.shares, others, i))
            gain = loss * ratio**2 * sum(s * s / n for s, n in zip(self.shares, i))
            q = (motor - inertia * free) / (1 + inertia * gain)
            if q * forward >= 0:
                break
        torque = [loss * ratio * s * q for s in self.shares]
        return ([(o + t) / n for o, t, n in zip(others, torque, i)], torque, motor * forward,
                (loss - 1) * q * forward)

    def evaluate(self, state, hand, loads):
        """Rates of (x, y, heading, vx, vy, r, 4 spins, gear, its rate, rear angle, wheel, its rate, works); what is
        shown."""
        heading, vx, vy, r = state[2:6]
        spin = state[SPINS:SPINS + 4]
        gear, gear_rate, behind, wheel, wheel_rate = state[10:15]
        ratio, k = self.steering["ratio"], self.column
        turned_by_angle = hand[0] is not None
        if turned_by_angle:
            wheel, wheel_rate = hand[0]
        mean, mean_rate = gear / ratio, gear_rate / ratio
        angles, slopes = self.angles(mean)
        behind_rate = (linear(self.rear["gain"], abs(vx)) * mean - behind) / self.rear["lag"]
        angles, rates = angles + [behind] * 2, [0.0] * 4
        rates[:2] = [mean_rate * (1.0 if self.single else s) for s in slopes]
        rates[2:] = [behind_rate] * 2
        self.inertias = [self.axles[i // 2].inertia for i in range(4)]
        wheels = []
        for i in range(4):
            axle = self.axles[i // 2]
            y = 0.0 if self.single else (-axle.half if i % 2 else axle.half) - self.left
            c, s = math.cos(angles[i]), math.sin(angles[i])
            bx, by = vx - r * y, vy + r * axle.x
            arm = [0.0] * 4
            if i < 2:
                left, right = self.kingpin.at(angles[i]), self.kingpin.at(-angles[i])
                right = [-right[0], right[1], -right[2], -right[3]]
                arm = right if i else left
                if self.single:
                    arm = [(p + q) / 2 for p, q in zip(left, right)]
            ahead = bx * c + by * s + rates[i] * arm[0]
            aside = by * c - bx * s + rates[i] * arm[1]
            wheels.append((axle, y, c, s, ahead, aside, arm))
        outside = self.outside(state)
        total = outside[0]
        own, lost = self.torques(spin)
        for _ in range(100):
            sums, turning, forces, others = [0.0] * 3, 0.0, [], []
            brakes = self.capacities(loads)
            for i, (axle, y, c, s, ahead, aside, _) in enumerate(wheels):
                tyre = self.tyres[i]
                slip = (axle.radius * spin[i] - ahead) / ahead, -aside / ahead
                fx, fy, mz = tyre.force(loads[i], *slip)
                rolling = axle.radius * loads[i] / math.hypot(1, STANDS / (axle.radius * spin[i]))
                forces.append([fx, fy, mz, -tyre.tyre["rolling_resistance"] * rolling, slip])
            if self.single:  # the mean of both sides
                for i in (0, 2):
                    mean_of = [(p + q) / 2 for p, q in zip(forces[i][:4], forces[i + 1][:4])]
                    forces[i][:4] = forces[i + 1][:4] = mean_of
            for (axle, y, c, s, *_), (fx, fy, mz, my, _), of_brake, of_train, i in zip(wheels, forces, brakes, own,
                                                                                       range(4)):
                along, across = fx * c - fy * s, fx * s + fy * c
                sums[0] += along
                sums[1 + i // 2] += across
                turning += axle.x * across - y * along + mz
                others.append(of_train - axle.radius * fx + my - of_brake)
            spinning, torque, power, gears = self.driven(spin, others)
            spins = [0.0, 0.0]
            for i, (axle, _, c, s, *_) in enumerate(wheels):
                along_axle = axle.inertia * spinning[i] - forces[i][3]
                upright = axle.inertia * spin[i] * (r + rates[i])
                spins[0] -= along_axle * s + upright * c
                spins[1] += along_axle * c - upright * s
            before = loads
            loads, roll, pitch = self.leaning(sums, spins, outside)
            if max(abs(p - q) for p, q in zip(loads, before)) < 1e-9:
                break
        pull = [-GRAVITY * of[2] for of in (self.along, self.across)]
        c, s = math.cos(heading), math.sin(heading)
        pull = [pull[0] * c + pull[1] * s, pull[1] * c - pull[0] * s]
        ax = (sums[0] + total[0]) / self.mass + pull[0]
        ay = (sum(sums[1:]) + total[1]) / self.mass + pull[1]
        # the steering
        on_mean, works = 0.0, dict.fromkeys(WORKS, 0.0)
        for i, (axle, _, _, _, ahead, aside, arm) in enumerate(wheels):
            fx, fy, mz, my, _ = forces[i]
            about = brakes[i] * arm[3]
            moment = fx * arm[0] + fy * arm[1] + loads[i] * arm[2] + mz + about
            if i < 2:
                on_mean += moment * slopes[i] * (2 if self.single else 1)
            # L1 moves both wheels of an axle by one angle
            works["tyre"] += fx * (ahead - axle.radius * spin[i]) + fy * aside + mz * (r + rates[i])
            works["outside"] += loads[i] * arm[2] * rates[i]
            works["rolling"] += my * spin[i]
            works["brake"] += brakes[i] * (arm[3] * rates[i] - spin[i])
            works["steering"] -= moment * rates[i]
            works["drive"] += (self.direct_of(i) if self.has_direct else 0.0) * spin[i]
        if self.single:
            on_mean = 0.0
            for i, (*_, arm) in enumerate(wheels[:2]):
                fx, fy, mz, _, _ = forces[i]
                on_mean += fx * arm[0] + fy * arm[1] + loads[i] * arm[2] + mz + brakes[i] * arm[3]
        twist = k["stiffness"] * (wheel - gear)
        bar = twist + k["twist_damping"] * (wheel_rate - gear_rate)
        rows = self.steering["assist"]
        slopes_of = [row["torque"][1][1] / row["torque"][1][0] for row in rows]
        at = 0 if abs(vx) < rows[1]["speed"] else 1
        assist = twist * linear([[rows[n]["speed"], slopes_of[n]] for n in (at, at + 1)], abs(vx))
        against = bar + k["wheel_damping"] * wheel_rate
        torque_of_hands = against if turned_by_angle else hand[1]
        gear_accel = (bar + assist - k["gear_damping"] * gear_rate + on_mean / ratio) / k["gear_inertia"]
        wheel_accel = 0.0 if turned_by_angle else (torque_of_hands - against) / k["wheel_inertia"]
        works["steering"] += on_mean * mean_rate + torque_of_hands * wheel_rate
        works["assist"] = assist * gear_rate
        works["column"] = (-k["twist_damping"] * (wheel_rate - gear_rate) ** 2 - k["wheel_damping"] * wheel_rate**2
                           - k["gear_damping"] * gear_rate**2)
        works["drive"] += power
        works["gears"], works["differentials"] = gears, lost
        works["aero"] = outside[4][3]
        works["outside"] += outside[4][4]
        out = [vx * c - vy * s, vx * s + vy * c, r, ax + vy * r, ay - vx * r, (turning + total[2]) / self.inertia]
        out += spinning + [gear_rate, gear_accel, behind_rate, 0.0 if turned_by_angle else wheel_rate, wheel_accel]
        out += [works[of] for of in WORKS]
        drives = [p + q for p, q in zip(own, torque)]
        seen = (ax, ay, pull, mean, gear, torque_of_hands, bar, assist, outside[4], roll, pitch, loads, forces, drives,
                brakes, angles, wheels)
        return out, seen

    def direct_of(self, i):
        if self.single:
            return (self.direct[i // 2 * 2] + self.direct[i // 2 * 2 + 1]) / 2
        return self.direct[i]

    def shown(self, t, state, seen):
        (ax, ay, pull, mean, gear, hands, bar, assist, air, roll, pitch, loads, forces, drives, brakes, angles,
         _) = seen
        x, y, heading, vx, vy, r = state[:6]
        axes = self.along, self.across, self.normal
        at = [sum(part * of[k] for part, of in zip((x, y, self.height), axes)) for k in range(3)]
        c, s = math.cos(heading), math.sin(heading)
        ahead = [c * p + s * q for p, q in zip(self.along, self.across)]
        aside = [c * q - s * p for p, q in zip(self.along, self.across)]
        forward = [math.cos(pitch) * p - math.sin(pitch) * n for p, n in zip(ahead, self.normal)]
        above = [math.sin(pitch) * p + math.cos(pitch) * n for p, n in zip(ahead, self.normal)]
        left = [math.cos(roll) * p + math.sin(roll) * q for p, q in zip(aside, above)]
        up = tables.cross(forward, left)
        row = [t] + at + [math.atan2(forward[1], forward[0]), vx, vy, r, ax, ay, ax - pull[0], ay - pull[1], mean, gear,
                          hands, bar, assist, self.train["ratio"] * dot(self.shares, state[SPINS:SPINS + 4]), *air[:3],
                          pitch] + state[15:]
        if not self.single:
            share = self.sprung / self.mass
            row += [roll, math.atan2(left[2], up[2]), -math.asin(forward[2]), share * self.sprung_height * pitch,
                    share * self.arm * roll]
        rows = {of: [] for of, _ in EACH}
        for i in range(4):
            axle = self.axles[i // 2]
            out = (-axle.half if i % 2 else axle.half) - self.left
            place = [x + c * axle.x - s * out, y + s * axle.x + c * out, axle.radius]
            place = [sum(part * of[k] for part, of in zip(place, axes)) for k in range(3)]
            p, q = math.cos(heading + angles[i]), math.sin(heading + angles[i])
            fx, fy, mz, my, slip = forces[i]
            axle_of = [p * v - q * u for u, v in zip(self.along, self.across)]
            for of, value in zip(rows, (fx, fy, loads[i], my, mz, slip[0], math.atan(-slip[1]), state[SPINS + i],
                                        drives[i], -brakes[i], *place, *axle_of)):
                rows[of].append(value)
        return row + [value for of in rows for value in rows[of]]


def run(name, step=STEP):
    scenario = files.read(f"validation/data/whole_track/{name}.yaml")
    car, begins = Car(scenario), scenario["initial"]
    loads, start = [car.static[i // 2] / 2 for i in range(4)], begins["speed"]
    # the centre of gravity is above x = y = 0
    above = [-car.height * x for x in car.normal[:2]]
    place = tables.solve([[car.along[k], car.across[k]] for k in range(2)], [above])[0]
    state = place + [begins.get("yaw", 0.0), start, begins["vy"], begins["yaw_rate"]] + car.rolling(begins)
    state += [0.0] * (5 + len(WORKS))
    hand_rate = 0.0
    given = car.hands[0] or car.hands[1]

    def hand(t, begun):
        value = wave(given, t, begun)
        return (value, None) if car.hands[0] else (None, value[0])

    def rates(begun, t, now):
        return car.evaluate(now, hand(t, begun), loads)[0]

    for i in range(round(scenario["run"]["duration"] / step) + 1):
        t, begun = i * step, (i + 0.5) * step > given["start"]
        seen = car.evaluate(state, hand(t, begun), loads)[1]
        loads = seen[11]
        if car.hands[0]:  # hands that turn the wheel by an angle do the work of its kinetic energy
            now = hand(t, begun)[0][1]
            state[15 + WORKS.index("steering")] += car.column["wheel_inertia"] / 2 * (now**2 - hand_rate**2)
            hand_rate = now
        if i % round(SHOWN / step) == 0:
            yield car.shown(t, state, seen)
        state = tables.rk4(functools.partial(rates, begun), t, state, step)


def main():
    of_wheels = tuple(f"{of}_{w}" + (f"_{unit}" if unit else "") for of, unit in EACH for w in WHEELS)
    for name in ("drive", "brake", "torques", "single_drive", "single_brake"):
        channels = SINGLE + (() if name.startswith("single") else ROLL) + of_wheels
        tables.write(sys.argv[1], f"whole_track/{name}.csv", ("t_s",) + channels, run(name), 8)


if __name__ == "__main__":
    main()
