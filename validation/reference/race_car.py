#!/usr/bin/env python3
"""Envelope and lap of a racing car as a point mass on four wheels, by the definitions of a public program.

Usage: validation/reference/race_car.py FOLDER    writes race/track.csv

Heilmeier and others, A quasi-steady-state lap time simulation for electrified race cars (IEEE EVER 2019): the axles
share the lateral force as the weight, each moves load by its share of mass x height/track, an axle's remaining
longitudinal force follows an ellipse of the sum of its wheels' peaks, and peaks fall with the load. No slip, no steer,
no yaw moment; brakes use what each axle has. The engine's power is a cubic through three speeds; the gear is the lowest
below its shift speed. Parameters: those of F1_Shanghai of the authors' laptime-simulation. That program divides the
drive force by the factor of the rotating masses also at constant speed, FORCED here; this is not physical.

With FORCED, on the line of Shanghai of the same authors in steps of 5 m, this program needs 94.04 s, and 94.11 s with
their corner speeds in steps of 0.2 m/s; theirs 94.140 s, both 284.5 km/h at most. The line has another licence, so the
track here is an invented one; its lap times are printed with the option -l, which takes ten seconds.
"""
import math
import sys

from tools import tables

G, MASS, AHEAD, BEHIND, HEIGHT, TRACK = 9.81, 733.0, 1.968, 1.632, 0.335, 1.6
WHEELBASE = AHEAD + BEHIND
DRAG, DOWNFORCE, DENSITY, ROLLING = 1.56, (2.20, 2.68), 1.18, 0.03
PEAK, FALL, NOMINAL = ((1.65, 1.85), (1.95, 2.15)), 5e-5, 3000.0
STATIC = (BEHIND / WHEELBASE, AHEAD / WHEELBASE)
GEARS = (0.04, 0.070, 0.095, 0.117, 0.143, 0.172, 0.190, 0.206)
SHIFT = (10000, 11800, 11800, 11800, 11800, 11800, 11800, 13000)
ROTATING = (1.16, 1.11, 1.09, 1.08, 1.08, 1.08, 1.07, 1.07)
POWER, DROP, LOW, BEST, HIGH, EFFICIENCY = 575e3, 41e3, 10500.0, 11400.0, 12200.0, 0.96
FORCED = False
CORNERS = ((0, 0), (500, 0), (560, 0.055), (620, 0.055), (680, 0), (800, 0), (900, -0.02), (1000, -0.02), (1100, 0),
           (1250, 0), (1300, 0.012), (1500, 0.012), (1600, 0), (1640, 0), (1680, -0.03), (1720, 0), (1760, 0.03),
           (1800, 0), (2300, 0))


def axle(i, speed, along, across):
    """The greatest longitudinal and lateral force of an axle, N."""
    load = STATIC[i] * MASS * G + 0.5 * DENSITY * DOWNFORCE[i] * speed**2
    load += (-1, 1)[i] * MASS * along * HEIGHT / WHEELBASE
    moved = STATIC[i] * MASS * abs(across) * HEIGHT / TRACK
    peaks = [0.0, 0.0]
    for side in (-1, 1):
        wheel = max(0.5 * load + side * moved, 30.0)
        for k in (0, 1):
            peaks[k] += (PEAK[i][k] - FALL * (wheel - NOMINAL)) * wheel
    return peaks


def left(i, speed, along, across):
    """The longitudinal force that the lateral one leaves to an axle; below 0: nothing is left."""
    forward, side = axle(i, speed, along, across)
    used = STATIC[i] * MASS * abs(across) / side
    return forward * math.sqrt(1 - used**2) if used < 1 else -1.0


def resistance(speed):
    down = MASS * G + 0.5 * DENSITY * sum(DOWNFORCE) * speed**2
    return 0.5 * DENSITY * DRAG * speed**2 + ROLLING * down


def drive(speed):
    """The force at the wheels by the engine, and the factor of the rotating masses."""
    round_ = 2.073 * (1 + (3.6 * speed - 60) * 0.045 / 200)
    speeds = [60 * speed / round_ / gear for gear in GEARS]
    gear = next((i for i, n in enumerate(speeds) if n < SHIFT[i]), len(GEARS) - 1)
    x, a, b = min(max(speeds[gear], 0.75 * LOW), 1.2 * HIGH) - BEST, LOW - BEST, HIGH - BEST
    cubic = (1 / b**2 - 1 / a**2) / (b - a)
    power = max(POWER - DROP * x * x * (1 / a**2 + cubic * (x - a)), 0.0)
    return EFFICIENCY * power / speed / (ROTATING[gear] if FORCED else 1), 1 if FORCED else ROTATING[gear]


def settle(formula):
    """The acceleration that is that of its own load transfer."""
    along = 0.0
    for _ in range(40):
        following = formula(along)
        if abs(following - along) < 1e-9:
            break
        along = 0.5 * (along + following)
    return along


def fastest(speed, across):
    engine, factor = drive(speed)

    def formula(along):
        grip, power = (force - resistance(speed) for force in (max(left(1, speed, along, across), 0.0), engine))
        return min(grip, power / factor if power > 0 else power) / MASS
    return settle(formula)


def slowest(speed, across):
    return settle(lambda along: -(sum(max(left(i, speed, along, across), 0.0) for i in (0, 1)) +
                                  resistance(speed)) / MASS)


def widest(speed):
    """The greatest lateral acceleration at constant speed: the rear axle carries the resistance."""
    low, high = 0.0, 90.0
    for _ in range(45):
        middle = 0.5 * (low + high)
        possible = left(0, speed, 0.0, middle) >= 0 and left(1, speed, 0.0, middle) >= resistance(speed)
        low, high = (middle, high) if possible else (low, middle)
    return low


def curvature(s):
    for (a, k), (b, following) in zip(CORNERS, CORNERS[1:]):
        if s <= b:
            return k + (following - k) * (s - a) / (b - a)
    return 0.0


def lap(step):
    """Lap time and greatest speed: forwards and backwards from the slowest place, with the middle of each step."""
    count = round(CORNERS[-1][0] / step)
    bends = [abs(curvature(i * step)) for i in range(count)]
    limits = [(v, widest(v)) for v in range(8, 110, 1)]
    speeds = []
    for bend in bends:
        most = 110.0
        for (v0, a0), (v1, a1) in zip(limits, limits[1:]):
            if v1 * v1 * bend > a1:
                d0, d1 = a0 - v0 * v0 * bend, a1 - v1 * v1 * bend
                most = v0 + (v1 - v0) * d0 / (d0 - d1)
                break
        speeds.append(most)
    slow = speeds.index(min(speeds))
    for way, limit in ((1, fastest), (-1, slowest)):
        for k in range(2 * count):
            i = (slow + way * k) % count
            j = (i + way) % count
            end = speeds[i]
            for _ in range(3):
                middle = 0.5 * (speeds[i] + end)
                along = way * limit(middle, middle**2 * 0.5 * (bends[i] + bends[j]))
                end = math.sqrt(max(speeds[i]**2 + 2 * along * step, 1.0))
            speeds[j] = min(speeds[j], end)
    return sum(2 * step / (speeds[i] + speeds[(i + 1) % count]) for i in range(count)), max(speeds)


def main():
    global FORCED
    if sys.argv[1:] == ["-l"]:
        for FORCED in (True, False):
            print(FORCED, lap(2.0), [(v, fastest(v, 0.0), widest(v), slowest(v, 0.0)) for v in (25, 35, 50, 65, 79)])
        return
    tables.write(sys.argv[1], "race/track.csv", ("s_m", "curvature_1pm"), CORNERS)


if __name__ == "__main__":
    main()
