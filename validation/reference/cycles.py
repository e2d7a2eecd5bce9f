#!/usr/bin/env python3
"""Drive cycles: distance, and the energies of a car that follows them exactly on its road load, in closed form.

The speed is linear between the points of a cycle, so that the acceleration of a piece is constant and the force at the
wheels is F = m_e a + A + B v + C v^2, m_e = m + sum I_w/R^2. Integrals of F v over time are polynomials; the force
changes its sign at the roots of F, at most two in a piece. At rest the brakes hold and nothing is delivered.

Usage: validation/reference/cycles.py FOLDER    writes energy.csv below cycles/
"""
import math
import sys

from tools import files, tables

SHIPPED = "scenarios/cycles/"
CAR = files.read("scenarios/vehicles/electric_compact.yaml")


def number(text):
    return float(str(text).split()[0])


def cycle(name):
    with open(f"{SHIPPED}{name}.csv", encoding="utf-8") as file:
        head, *lines = file.read().split()
    unit = 0.44704 if head.endswith("_mph") else 1/3.6
    return [(float(t), float(v)*unit) for t, v in (line.split(",") for line in lines)]


def work(a, b, c, accel, first, last):
    """Integral of (a + b v + c v^2) v over the time in which v goes from first to last."""
    return sum(p*(last**k - first**k)/k for k, p in ((2, a), (3, b), (4, c)))/accel


def roots(a, b, c):
    if c == 0:
        return [-a/b] if b else []
    under = b*b - 4*a*c
    return [] if under < 0 else [(-b - math.sqrt(under))/(2*c), (-b + math.sqrt(under))/(2*c)]


def energies(points):
    """Distance, m; work against the road load, of the motor and of the brakes, J."""
    load = [number(CAR["road_load"][k]) for k in "abc"]
    radius = number(CAR["front"]["wheel_radius"])
    mass = number(CAR["mass"]) + 4*number(CAR["front"]["wheel_inertia"])/radius**2
    way = road = drive = brake = 0.0
    for (t0, v0), (t1, v1) in zip(points, points[1:]):
        accel, span = (v1 - v0)/(t1 - t0), t1 - t0
        way += span*(v0 + v1)/2
        if accel == 0:
            steady = (load[0] + load[1]*v0 + load[2]*v0*v0)*v0*span
            road, drive = road + steady, drive + steady
            continue
        road += work(*load, accel, v0, v1)
        force = [load[0] + mass*accel, load[1], load[2]]
        cuts = sorted([v for v in roots(*force) if min(v0, v1) < v < max(v0, v1)], reverse=v1 < v0)
        ends = [v0, *cuts, v1]
        for u, v in zip(ends, ends[1:]):
            done = work(*force, accel, u, v)
            drive, brake = drive + max(done, 0), brake + max(-done, 0)
    return way, road, drive, brake


def rows():
    """Of each cycle."""
    both = {name: cycle(name) for name in ("wltc_class3b", "udds", "nedc", "hwfet")}
    both["ftp75"] = both["udds"] + [(t + 1969, v) for t, v in both["udds"] if t <= 505]
    for name, points in both.items():
        way, *done = energies(points)
        yield f"{name}_distance", way, "m"
        for part, work_done in zip(("road_load", "drive", "brake"), done):
            yield f"{name}_{part}", work_done/3.6/way, "W h/km"


if __name__ == "__main__":
    tables.write_numbers(sys.argv[1], "cycles/energy.csv", rows(), 8)
