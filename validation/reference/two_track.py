#!/usr/bin/env python3
"""A double track: four wheels, a plane, loads by the balance of moments; a sine of the steering, driven and braked.

Usage: validation/reference/two_track.py FOLDER    writes two_track/drive.csv and two_track/brake.csv

Newton's and Euler's laws for the plane and the spins, with axes of ISO 8855. Wheel i at (x, y) moves with (vx - r y, vy
+ r x), which a rotation by its angle transforms to its own axes; slips kappa = (R w - Vx)/Vx and tan alpha = Vy/Vx. The
tyre is the Magic Formula with constant B, C and E: both pure curves at the length of the slip vector s = (kappa, -tan
alpha), the force along s, Mz = -t Fy.

Loads. The spin momentum I w of a wheel is along its axle, n = (-sin d, cos d), which turns at the rate r + d': its
change needs a moment I w' n - I w (r + d') (cos d, sin d). About the lateral axis the load of the rear axle grows by (X
h + sum of these - m_s g h_s pitch)/L: by the tyre forces X with the height of the centre of gravity as arm, by the
spins, and by the weight of the leaning body. Springs in series with tyres carry it, but the tyres alone carry the share
of the unsprung masses. About the longitudinal axis a side force less the inertia force of the unsprung masses, F = Y -
m_u ay, acts on the body at the roll centre: F h_rc and m_u ay h_u load the wheels of their axle directly. The rest, F
(h_s - h_rc), the moment of the spins, and that of the leaning weight, m_s g d roll, acts on the springs and bars, which
share it by their roll stiffnesses, each in series with its tyres. The unsprung masses have the acceleration of the
centre of gravity. Loads and tyre forces depend on each other; each evaluation finds them by iteration. With half the
step the tables change by less than 2e-7 of the peaks.
"""
import functools
import math
import sys

from tools import files, tables

GRAVITY = 9.80665
STEP, SHOWN = 2e-3, 0.1  # s
CHANNELS = ("vx_mps", "yaw_rate_radps", "sideslip_rad", "ax_mps2", "ay_mps2", "body_roll_rad", "body_pitch_rad",
            "fz_fl_N", "fz_fr_N", "fz_rl_N", "fz_rr_N", "omega_fl_radps", "omega_fr_radps", "omega_rl_radps",
            "omega_rr_radps")


class Axle:
    def __init__(self, file, x):
        tyre = file["tyre"]
        self.x, self.half, self.radius, self.inertia = x, file["track"] / 2, file["wheel_radius"], file["wheel_inertia"]
        self.mass, self.roll_centre = 2 * file["unsprung_mass"], file["roll_centre_height"]
        spring, rubber = 2 * file["spring_stiffness"], 2 * tyre["vertical_stiffness"]
        self.spring_flex, self.tyre_flex = 1 / spring, 1 / rubber
        self.roll_spring = spring * self.half**2 + file["antiroll_stiffness"]
        self.roll_tyre = rubber * self.half**2
        self.tyre = tyre

    def force(self, load, slip_x, slip_y):
        """Fx, Fy and Mz at a slip vector."""
        t, length = self.tyre, math.hypot(slip_x, slip_y)
        if length == 0.0:
            return 0.0, 0.0, 0.0
        mu = t["friction"] * (1 - t["load_sensitivity"] * (load / t["nominal_load"] - 1))
        angle, of = math.atan(length), []
        for p, s in ((t["longitudinal"], length), (t["lateral"], angle)):
            bs = p["b"] * s
            of.append(mu * load * p["d"] * math.sin(p["c"] * math.atan(bs - p["e"] * (bs - math.atan(bs)))) / length)
        fy = of[1] * slip_y
        return of[0] * slip_x, fy, -t["pneumatic_trail"] / math.hypot(1, angle / t["trail_falloff"]) * fy


class Car:
    def __init__(self):
        file = files.read("validation/data/two_track/car.yaml")
        self.mass, self.inertia, self.height = file["mass"], file["yaw_inertia"], file["cg_height"]
        self.length = file["wheelbase"]
        a = file["cg_to_front"]
        self.axles = (Axle(file["front"], a), Axle(file["rear"], a - self.length))
        self.motor = file["drivetrain"]["max_torque"] * file["drivetrain"]["ratio"]
        share = file["brakes"]["front_share"]
        self.brakes = [file["brakes"]["max_torque"] * s / 2 for s in (share, 1 - share)]
        f, r = self.axles
        self.sprung = self.mass - f.mass - r.mass
        self.sprung_height = (self.mass * self.height - f.mass * f.radius - r.mass * r.radius) / self.sprung
        weights = (-r.x / self.length, f.x / self.length)
        self.static = [self.mass * GRAVITY * w for w in weights]
        # height of the roll axis below the sprung mass, by its loads on the axles
        shares = [(self.mass * w - axle.mass) / self.sprung for w, axle in zip(weights, self.axles)]
        self.arm = self.sprung_height - sum(s * axle.roll_centre for s, axle in zip(shares, self.axles))

    def leaning(self, sums, spins):
        """Loads, roll and pitch under the sums of forces X, Y front, Y rear, and the moments of the spins about x and
        y."""
        x, side = sums[0], sums[1:]
        f, r = self.axles
        ay = sum(side) / self.mass
        # pitch
        direct = x * (f.mass * f.radius + r.mass * r.radius) / (self.mass * self.length)
        springs, rubber = f.spring_flex + r.spring_flex, f.tyre_flex + r.tyre_flex
        weight = self.sprung * GRAVITY * self.sprung_height
        # L moved = moment - weight pitch,  L pitch = -(moved - direct) springs - moved rubber
        moment = x * self.height + spins[1]
        moved = (moment - weight * direct * springs / self.length) / (
            self.length - weight * (springs + rubber) / self.length)
        pitch = -((moved - direct) * springs + moved * rubber) / self.length
        # roll
        total, stiffness, at_once = -spins[0], -self.sprung * GRAVITY * self.arm, []
        for axle, y in zip(self.axles, side):
            entering = y - axle.mass * ay
            at_once.append(entering * axle.roll_centre + axle.mass * ay * axle.radius)
            series = axle.roll_spring * axle.roll_tyre / (axle.roll_spring + axle.roll_tyre)
            total += entering * (self.sprung_height - axle.roll_centre) + series * at_once[-1] / axle.roll_tyre
            stiffness += series
        roll = total / stiffness
        loads = []
        for axle, static, g, sign in zip(self.axles, self.static, at_once, (-1, 1)):
            # on the springs E = K (roll - lean of the axle), (E + G)/K_t its lean
            e = axle.roll_spring * (roll - g / axle.roll_tyre) / (1 + axle.roll_spring / axle.roll_tyre)
            load, change = (static + sign * moved) / 2, (e + g) / (2 * axle.half)
            loads += [load - change, load + change]
        return loads, roll, pitch

    def evaluate(self, state, steer, steer_rate, pedals, loads):
        """Rates of (vx, vy, yaw rate, spins), loads, roll and pitch."""
        vx, vy, yaw_rate = state[:3]
        wheels = []
        for i in range(4):
            axle = self.axles[i // 2]
            y = -axle.half if i % 2 else axle.half
            angle = steer if i < 2 else 0.0
            c, s = math.cos(angle), math.sin(angle)
            bx, by = vx - yaw_rate * y, vy + yaw_rate * axle.x
            ahead, left = bx * c + by * s, by * c - bx * s
            slip = (axle.radius * state[3 + i] - ahead) / ahead, -left / ahead
            wheels.append((axle, y, c, s, slip))
        throttle, brake = pedals
        torque = [-self.brakes[i // 2] * brake + (self.motor * throttle / 2 if i > 1 else 0.0) for i in range(4)]
        for _ in range(100):
            sums, turning, rates = [0.0, 0.0, 0.0], 0.0, []
            for i, (axle, y, c, s, slip) in enumerate(wheels):
                fx, fy, mz = axle.force(loads[i], *slip)
                along, across = fx * c - fy * s, fx * s + fy * c
                sums[0] += along
                sums[1 + i // 2] += across
                turning += axle.x * across - y * along + mz
                rates.append((torque[i] - axle.radius * fx) / axle.inertia)
            spins = [0.0, 0.0]
            for i, (axle, _, c, s, _) in enumerate(wheels):
                turned = axle.inertia * state[3 + i] * (yaw_rate + (steer_rate if i < 2 else 0.0))
                spins[0] -= axle.inertia * rates[i] * s + turned * c
                spins[1] += axle.inertia * rates[i] * c - turned * s
            before = loads
            loads, roll, pitch = self.leaning(sums, spins)
            if max(abs(a - b) for a, b in zip(loads, before)) < 1e-9:
                break
        ax, ay = sums[0] / self.mass, (sums[1] + sums[2]) / self.mass
        return [ax + vy * yaw_rate, ay - vx * yaw_rate, turning / self.inertia] + rates, (ax, ay, roll, pitch, loads)


def run(name, step=STEP):
    scenario = files.read(f"validation/data/two_track/{name}.yaml")
    car, sine = Car(), scenario["steer"]
    pedals = scenario.get("throttle", 0.0), scenario.get("brake", 0.0)
    speed, duration = scenario["initial"]["speed"], scenario["run"]["duration"]
    loads = [car.static[i // 2] / 2 for i in range(4)]

    def steer(t, begun):
        """Angle and rate, which begins with its full value."""
        size, w = sine["amplitude"] * begun, 2 * math.pi * sine["frequency"]
        return size * math.sin(w * (t - sine["start"])), size * w * math.cos(w * (t - sine["start"]))

    def rates(begun, t, state):
        return car.evaluate(state, *steer(t, begun), pedals, loads)[0]

    state = [speed, 0.0, 0.0] + [speed / car.axles[i // 2].radius for i in range(4)]
    per_row = round(SHOWN / step)
    for i in range(round(duration / step) + 1):
        t, begun = i * step, (i + 0.5) * step > sine["start"]
        _, (ax, ay, roll, pitch, now) = car.evaluate(state, *steer(t, begun), pedals, loads)
        loads = now
        if i % per_row == 0:
            slip = math.atan2(state[1], state[0])
            yield [t, state[0], state[2], slip, ax, ay, roll, pitch] + now + state[3:]
        state = tables.rk4(functools.partial(rates, begun), t, state, step)


def main():
    for name in ("drive", "brake"):
        tables.write(sys.argv[1], f"two_track/{name}.csv", ("t_s",) + CHANNELS, run(name), 8)


if __name__ == "__main__":
    main()
