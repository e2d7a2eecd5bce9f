#!/usr/bin/env python3
"""Friction of brake linings in two measured stops of a 1997 Jeep Cherokee: a law of load, speed and temperature.

Usage: validation/reference/linings.py FOLDER    writes linings/severe.csv, linings/moderate.csv, linings/law.csv

S. K. Rhee (SAE 740415): at one temperature the friction force of a lining is K P^a V^b, a from 0.80 to 1.25 and b from
-0.25 to 0.25; it fades by load, speed and temperature. Here K = K0 (1 - f D), D the rise of the temperature of the discs'
surface. The measured decelerations of both stops, less air and rolling resistance, give the gain K of every row; K0, a, b
and f are the least squares of its logarithm. They are fitted, and are no prediction: the question is whether one law
within Rhee's bounds has the course of both stops.

The surface is that of a half space of cast iron (effusivity 13.4 kW s^0.5/(m2 K)), 0.065 m2 a front wheel, with 95 % of
the heat: D(t) = (1/(e sqrt pi)) integral of q(s)/sqrt(t - s) ds. The accelerometer stands on the pitching body, and shows
1.064 times the deceleration, by the slope of the speed in the moderate stop.

The tables have the pressures of the stops times the ratio of this law to a constant gain. The constant one is the mean of
the moderate stop, so that the brakes of the vehicle file keep their level there.
"""
import csv
import math
import os
import sys

from tools import tables

MASS, WHEEL_INERTIA, RADIUS = 1663.0, 2.52, 0.338  # kg, kg m2, m: scenarios/vehicles/jeep_cherokee.yaml
FRONT, REAR = 0.59968, 0.22632                     # N m of an axle per kPa
PITCH = 1.064
MEASURED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "measured")


def read(name):
    with open(os.path.join(MEASURED, name), encoding="ascii") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [{key: float(value) for key, value in row.items()} for row in rows]


def speeds(rows, start):
    """m/s: as measured, else the start less the integral of the deceleration."""
    if "speed_mps" in rows[0]:
        return [row["speed_mps"] for row in rows]
    out = [start]
    for before, row in zip(rows, rows[1:]):
        out.append(out[-1] + (row["t_s"] - before["t_s"]) * (before["ax_mps2"] + row["ax_mps2"]) / (2 * PITCH))
    return out


def rises(rows, speed):
    """K: heat over a row is constant."""
    step = rows[1]["t_s"] - rows[0]["t_s"]
    flow = [0.95 * FRONT * row["front_pressure_kPa"] * v / RADIUS / (2 * 0.065) for row, v in zip(rows, speed)]
    edge = [math.sqrt(k * step) for k in range(len(rows) + 1)]
    return [2 / (13.4e3 * math.sqrt(math.pi)) * sum(flow[j] * (edge[i - j + 1] - edge[i - j]) for j in range(i + 1))
            for i in range(len(rows))]


def stop(name, start, first, last):
    """Rows of (t, front pressure, rear pressure, speed, rise of temperature, logarithm of the gain, is it fitted)."""
    rows = read(name)
    out = []
    for row, v, rise in zip(rows, speeds(rows, start), rises(rows, speeds(rows, start))):
        front, rear = row["front_pressure_kPa"], row["rear_pressure_kPa"]
        free = (0.5 * 1.225 * 0.51 * 2.4 * v * v + 0.012 * MASS * 9.80665)
        force = (MASS + 4 * WHEEL_INERTIA / RADIUS**2) * -row["ax_mps2"] / PITCH - free
        fitted = first <= row["t_s"] <= last
        gain = math.log(force * RADIUS / (FRONT * front + REAR * rear)) if fitted else 0.0
        out.append((row["t_s"], front, rear, max(v, 1.0), rise, gain, fitted))
    return out


def main(folder):
    moderate, severe = stop("jeep_cherokee_brake.csv", 0, 1.4, 8.4), stop("jeep_cherokee_severe.csv", 26.8, 0.9, 5.5)
    # each stop has the same weight: logarithm of the gain = k + (a - 1) log p + b log v - f D
    weighted = [(row, 1 / sum(x[6] for x in stop)) for stop in (moderate, severe) for row in stop if row[6]]

    def terms(row):
        return [1.0, math.log(max(row[1], 1.0) / 1800), math.log(row[3] / 10), -row[4]]

    normal = [[sum(w * terms(r)[i] * terms(r)[j] for r, w in weighted) for j in range(4)] for i in range(4)]
    law = tables.solve(normal, [[sum(w * terms(r)[i] * r[5] for r, w in weighted) for i in range(4)]])[0]

    def gain(row):
        return math.exp(sum(x * y for x, y in zip(law, terms(row))))

    kept = [row for row in moderate if row[6]]
    level = sum(gain(row) for row in kept) / len(kept)
    for name, rows in (("severe", severe), ("moderate", moderate)):
        tables.write(folder, f"linings/{name}.csv", ("t_s", "front_pressure_kPa", "rear_pressure_kPa"),
                     [(t, front * gain(row) / level, rear * gain(row) / level)
                      for row in rows for t, front, rear in [row[:3]]], 5)
    tables.write_numbers(folder, "linings/law.csv",
                         [("load_exponent", 1 + law[1], "1"), ("speed_exponent", law[2], "1"), ("fade", law[3], "1/K")]
                         + [(f"{name}_worst", max(abs(gain(r) / math.exp(r[5]) - 1) for r in rows if r[6]), "1")
                            for name, rows in (("severe", severe), ("moderate", moderate))], 4)


main(sys.argv[1])
