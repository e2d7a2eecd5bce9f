#!/usr/bin/env python3
"""Friction of brake linings in two measured stops of a 1997 Jeep Cherokee: a law of load, speed and temperature.

Usage: validation/reference/linings.py FOLDER    writes linings/severe.csv, equal.csv, moderate.csv, law.csv

S. K. Rhee (SAE 740415): at one temperature the friction force of a lining is K P^a V^b, a from 0.80 to 1.25 and b from
-0.25 to 0.25; it fades by load, speed and temperature. Here K = K0 (1 - f D), D the rise of the temperature of the discs'
surface. The measured decelerations of both stops, less air and rolling resistance, give the gain K of every row; K0, a, b
and f are the least squares of its logarithm. They are fitted, and are no prediction: the question is whether one law
within Rhee's bounds has the course of both stops.

The pressure of the rear lines in the severe stop was not plotted. The law is fitted twice: with the column of the table,
which has a proportioning valve, and with equal pressures in all lines (names with equal).

The surface is that of a half space of cast iron (effusivity 13.4 kW s^0.5/(m2 K)), 0.065 m2 a front wheel, with 95 % of
the heat: D(t) = (1/(e sqrt pi)) integral of q(s)/sqrt(t - s) ds. The accelerometer stands on the pitching body, and shows
1.064 times the deceleration, by the slope of the speed in the moderate stop.

The tables have the pressures of the stops times the ratio of the law to a constant gain. The constant one is the mean of
the moderate stop, so that the brakes of the vehicle file keep their level there.

gain_ratio: the mean gain of the severe stop over that of the moderate one at equal pressures; gain_ratio_dragged: the same
if, beside air and rolling resistance, 0.15 m/s2 brake in both stops, as the traces show before the pedal is pressed (engine
and driveline); faded: the ratio of the means of the law's factors of temperature and speed alone.
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


def stop(name, start, first, last, equal=False, drag=0.0):
    """Rows of (t, front pressure, rear pressure, speed, rise of temperature, logarithm of the gain, is it fitted)."""
    rows = read(name)
    out = []
    for row, v, rise in zip(rows, speeds(rows, start), rises(rows, speeds(rows, start))):
        front = row["front_pressure_kPa"]
        rear = front if equal else row["rear_pressure_kPa"]
        free = (0.5 * 1.225 * 0.51 * 2.4 * v * v + 0.012 * MASS * 9.80665) + drag * MASS
        force = (MASS + 4 * WHEEL_INERTIA / RADIUS**2) * -row["ax_mps2"] / PITCH - free
        fitted = first <= row["t_s"] <= last
        gain = math.log(force * RADIUS / (FRONT * front + REAR * rear)) if fitted else 0.0
        out.append((row["t_s"], front, rear, max(v, 1.0), rise, gain, fitted))
    return out


def stops(equal=False, drag=0.0):
    return (stop("jeep_cherokee_brake.csv", 0, 1.4, 8.4, equal, drag),
            stop("jeep_cherokee_severe.csv", 26.8, 0.9, 5.5, equal, drag))


def terms(row):
    return [1.0, math.log(max(row[1], 1.0) / 1800), math.log(row[3] / 10), -row[4]]


def least_squares(both):
    """k, a - 1, b, f of: logarithm of the gain = k + (a - 1) log p + b log v - f D. Each stop has the same weight."""
    weighted = [(row, 1 / sum(x[6] for x in rows)) for rows in both for row in rows if row[6]]
    normal = [[sum(w * terms(r)[i] * terms(r)[j] for r, w in weighted) for j in range(4)] for i in range(4)]
    return tables.solve(normal, [[sum(w * terms(r)[i] * r[5] for r, w in weighted) for i in range(4)]])[0]


def mean(rows, value):
    kept = [value(row) for row in rows if row[6]]
    return sum(kept) / len(kept)


def ratio(both, value):
    return mean(both[1], value) / mean(both[0], value)


def law(folder, equal):
    """Writes the tables of a law, and returns the law, its gain and the stops."""
    both = moderate, severe = stops(equal)
    x = least_squares(both)

    def gain(row):
        return math.exp(sum(a * b for a, b in zip(x, terms(row))))

    level = mean(moderate, gain)
    for name, rows in (("equal", severe),) if equal else (("severe", severe), ("moderate", moderate)):
        tables.write(folder, f"linings/{name}.csv", ("t_s", "front_pressure_kPa", "rear_pressure_kPa"),
                     [(row[0], row[1] * gain(row) / level, row[2] * gain(row) / level) for row in rows], 5)
    return x, gain, both


def main(folder):
    numbers = []
    for equal, prefix in ((False, ""), (True, "equal_")):
        x, gain, both = law(folder, equal)
        numbers += [(prefix + "load_exponent", 1 + x[1], "1"), (prefix + "speed_exponent", x[2], "1"),
                    (prefix + "fade", x[3], "1/K")]
        numbers += [(f"{prefix}{name}_worst", max(abs(gain(r) / math.exp(r[5]) - 1) for r in rows if r[6]), "1")
                    for name, rows in zip(("moderate", "severe"), both)]
    numbers += [("faded", ratio(both, lambda r: math.exp(x[2] * terms(r)[2] + x[3] * terms(r)[3])), "1"),
                ("gain_ratio", ratio(both, lambda r: math.exp(r[5])), "1"),
                ("gain_ratio_dragged", ratio(stops(True, 0.15), lambda r: math.exp(r[5])), "1")]
    tables.write_numbers(folder, "linings/law.csv", numbers, 4)


main(sys.argv[1])
