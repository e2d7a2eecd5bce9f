#!/usr/bin/env python3
"""What loads on the wheels ask of the steering of a rigid axle, at the design position.

Usage: validation/reference/steered_axle.py FOLDER    writes kc/steered_axle.csv

The axle stands still. Each knuckle turns about its kingpin; the drag link and the tie rod keep their lengths, which
makes two linear equations of the two rates of turn per path of the gear's joint on its circle about an upright axis,
the right-hand way. The loads, the same for both wheels, then do work that the force along this path takes up: virtual
work (Goldstein, Classical Mechanics, 1.4). The arm turns by the path over the circle's radius, the hand wheel by the
gear's ratio times that.
"""
import math
import sys

from tools import files, tables
from tools.tables import cross

LOADS = ({"fx": 700.0, "fy": -1900.0, "fz": 4300.0, "mz": 45.0, "centre": 850.0},
         {"fx": -1200.0, "fy": 800.0, "fz": 5600.0, "mz": -70.0, "centre": -300.0})
DEGREE = math.pi / 180


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def length(a):
    return math.sqrt(dot(a, a))


def mirrored(a):
    return [a[0], -a[1], a[2]]


def main():
    file = files.read("validation/data/kc/steered_axle.yaml")
    steering, wheel, radius = file["steering"], file["wheel"], file["wheel"]["static_radius"]
    pin, gear, drag = steering["kingpin"], steering["drag_link"]["gear"], steering["drag_link"]["knuckle"]
    low = [pin["lower"], mirrored(pin["lower"])]
    high = [pin["upper"], mirrored(pin["upper"])]
    axis = [[x / length(sub(b, a)) for x in sub(b, a)] for a, b in zip(low, high)]
    tie = [steering["tie_rod"]["left"], mirrored(steering["tie_rod"]["left"])]
    centre = [wheel["center"], mirrored(wheel["center"])]
    spin = [x / length(wheel["spin_axis"]) for x in wheel["spin_axis"]]
    flat = math.hypot(spin[0], spin[1])
    down = [radius * spin[2] * spin[0] / flat, radius * spin[2] * spin[1] / flat, -radius * flat]
    patch = [[x + d for x, d in zip(c, way)] for c, way in zip(centre, (down, mirrored(down)))]

    def speed(side, point):
        """Of a point of the knuckle per turn about its kingpin."""
        return cross(axis[side], sub(point, low[side]))

    across, along = sub(drag, gear), sub(tie[0], tie[1])
    path = cross([0.0, 0.0, 1.0], sub(gear, steering["pivot"]))
    arm = length(path)
    turn = tables.solve([[0.0, dot(speed(1, drag), across)],
                         [dot(speed(0, tie[0]), along), -dot(speed(1, tie[1]), along)]], [[dot(path, across) / arm, 0.0]])[0]
    # angles in the ground plane, to the left: of the heading, which is across the wheel's axle
    axles = (spin, mirrored(spin))
    rates = [cross(axis[i], axles[i]) for i in (0, 1)]
    steer = [turn[i] * (axles[i][0] * rates[i][1] - axles[i][1] * rates[i][0]) / flat**2 for i in (0, 1)]
    gain = math.copysign(file["car"]["gear_ratio"] / arm, sum(steer))
    rows = []
    for load in LOADS:
        force, moments = [load["fx"], load["fy"], load["fz"]], []
        for i in (0, 1):
            moments.append(dot(force, speed(i, patch[i])) + load["mz"] * axis[i][2] + load["centre"] * speed(i, centre[i])[0])
        rack = -sum(t * m for t, m in zip(turn, moments))
        rows.append([0.0, 0.0, load["fx"], load["fy"], load["fz"], load["mz"], load["centre"], moments[0],
                     -steer[0] / DEGREE / 1e3, 2 * gain / sum(steer), rack, rack / gain])
    tables.write(sys.argv[1], "kc/steered_axle.csv", (
        "travel_mm", "rack_mm", "fx_N", "fy_N", "fz_N", "mz_Nm", "fx_centre_N", "kingpin_moment_Nm", "toe_rack_degpmm",
        "steering_ratio", "rack_force_N", "hand_wheel_moment_Nm"), rows, 11)


if __name__ == "__main__":
    main()
