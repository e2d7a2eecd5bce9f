#!/usr/bin/env python3
"""What a torque converter, which the models do not have, does to a measured 1997 Jeep Cherokee.

Usage: validation/reference/torque_converter.py FOLDER    writes torque_converter/jeep.csv

The converter's pump takes the torque C w^2 at engine speed w; its turbine gives that times a ratio, which falls in a
straight line from its greatest value at rest to 1 at 0.87 of the engine's speed. C is constant to 0.7 of that speed and
falls to nothing at equal speeds. Bounds are those usual for converters of such engines, from memory: stall at 1700 rpm with
275 N m and a ratio of 2.0, to 2400 rpm with 300 N m and 2.3; idle from 600 to 750 rpm with brakes on, 700 rpm before the start;
inertia of engine and pump 0.2 to 0.35 kg m2; shifts of a light throttle at 4, 8 and 12 m/s.

push: by how much the engine at idle accelerates the car in first gear, at the measured speeds of the moderate stop, 9.3 to
9.6 s. excess: speed of the car above the measured one 10 s after the throttle opens a tenth, by one power of the engine
from standstill on, which reaches the last measured speed; wheels get 95 % of the turbine.
"""
import csv
import math
import os
import sys

from tools import tables

RADIUS, MASS, AXLE, GEARS, SHIFTS = 0.338, 1746.0, 3.55, (2.804, 1.531, 1.0, 0.753), (4.0, 8.0, 12.0)
MEASURED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "measured")
LOW, HIGH = (300 / (2400 * math.pi / 30)**2, 2.3), (275 / (1700 * math.pi / 30)**2, 2.0)


def read(name):
    with open(os.path.join(MEASURED, name), encoding="ascii") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [(float(row["t_s"]), float(row["speed_mps"])) for row in rows]


def pump(slip, capacity, w):
    """slip: turbine's over pump's speed."""
    return capacity * w * w * min(1.0, max(0.0, (1 - slip) / 0.3))


def ratio(slip, most):
    return max(1.0, most - (most - 1) * slip / 0.87)


def push(capacity, most, idle):
    speeds = [v for t, v in read("jeep_cherokee_brake.csv") if 9.3 <= t <= 9.6]
    gear, w = GEARS[0] * AXLE / RADIUS, idle * math.pi / 30
    return sum(ratio(v * gear / w, most) * pump(v * gear / w, capacity, w) * gear / MASS for v in speeds) / len(speeds)


def speeds(power, capacity, most, inertia, end, step=0.01):
    """Speed over the time from the opening of the throttle, which takes 0.3 s. The engine does not fall below idle."""
    idle = 700 * math.pi / 30
    v, w, out = 0.0, idle, [0.0]
    for i in range(round(end / step)):
        gear = GEARS[sum(v > shift for shift in SHIFTS)] * AXLE / RADIUS
        load = pump(v * gear / w, capacity, w)
        drive = max(power * min(1.0, i * step / 0.3), capacity * idle**3) / w
        force = 0.95 * ratio(v * gear / w, most) * load * gear
        drag = 0.5 * 1.225 * 0.51 * 2.4 * v * v + 0.012 * 1663 * 9.80665
        w = max(w + (drive - load) / inertia * step, idle)
        v = max(0.0, v + (force - drag) / MASS * step)
        out.append(v)
    return out


def excess(capacity, most, inertia):
    rows = read("jeep_cherokee_accel.csv")
    start, last = 0.5, rows[-1]
    low, high = 8000.0, 16000.0
    for _ in range(16):
        power = (low + high) / 2
        if speeds(power, capacity, most, inertia, last[0] - start, 0.02)[-1] < last[1]:
            low = power
        else:
            high = power
    t, measured = min(rows, key=lambda row: abs(row[0] - start - 10))
    return speeds(low, capacity, most, inertia, t - start)[-1] - measured


def main(folder):
    pushes = [push(*converter, idle) for converter in (LOW, HIGH) for idle in (600, 750)]
    excesses = [excess(*converter, inertia) for converter in (LOW, HIGH) for inertia in (0.2, 0.35)]
    tables.write_numbers(folder, "torque_converter/jeep.csv", [
        ("push_low", min(pushes), "m/s2"), ("push_high", max(pushes), "m/s2"),
        ("excess_low", min(excesses), "m/s"), ("excess_high", max(excesses), "m/s")], 3)


main(sys.argv[1])
