#!/usr/bin/env python3
"""Forces in the steering of a rigid axle by loads on its wheels.

Usage: validation/reference/steered_axle.py FOLDER    writes kc/steered_axle.csv

The axle stands still. Each knuckle turns about its kingpin; the drag link and the tie rod keep their lengths, which
gives two linear equations for the rates of both angles per path of the gear's joint on its circle about an upright
axis, positive by the right-hand rule. By virtual work (Goldstein, Classical Mechanics, 1.4) the force along this path
balances the work of the loads, which are the same for both wheels. The arm turns by the path over the circle's radius,
the steering wheel by the gear's ratio times that.
"""
import math
import sys

from tools import files, tables
from tools.tables import cross

LOADS = ({"fx": 700.0, "fy": -1900.0, "fz": 4300.0, "mz": 45.0, "centre": 850.0},
         {"fx": -1200.0, "fy": 800.0, "fz": 5600.0, "mz": -70.0, "centre": -300.0},
         {"fx": 1500.0, "fy": 300.0, "fz": 3800.0, "mz": 25.0, "centre": 2000.0})
DEGREE = math.pi / 180


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def length(a):
    return math.sqrt(dot(a, a))


def mirrored(a):
    return [a[0], -a[1], a[2]]


def turned(vector, about, angle):
    """Rodrigues' formula."""
    c, s, along = math.cos(angle), math.sin(angle), dot(about, vector)
    return [v * c + w * s + u * along * (1 - c) for v, w, u in zip(vector, cross(about, vector), about)]


def row(file, rack, load):
    steering, wheel, radius = file["steering"], file["wheel"], file["wheel"]["static_radius"]
    pin, pivot = steering["kingpin"], steering["pivot"]
    low = [pin["lower"], mirrored(pin["lower"])]
    high = [pin["upper"], mirrored(pin["upper"])]
    axis = [[x / length(sub(b, a)) for x in sub(b, a)] for a, b in zip(low, high)]
    upright, start = [0.0, 0.0, 1.0], sub(steering["drag_link"]["gear"], pivot)
    arm = length(cross(upright, start))
    gear = [a + b for a, b in zip(pivot, turned(start, upright, rack / arm))]
    path = cross(upright, sub(gear, pivot))

    def place(side, point, angle):
        return [a + b for a, b in zip(low[side], turned(sub(point, low[side]), axis[side], angle))]

    def speed(side, point):
        """Of a point of the knuckle, at its place, per turn about its kingpin."""
        return cross(axis[side], sub(point, low[side]))

    def find(side, point, other, size):
        """The angle, and with it the place of a point, at which it keeps its distance from another one."""
        angle = 0.0
        for _ in range(50):
            now = place(side, point, angle)
            line = sub(now, other)
            angle -= (dot(line, line) - size**2) / (2 * dot(line, speed(side, now)))
        return angle, place(side, point, angle)

    design = steering["drag_link"]["knuckle"], steering["tie_rod"]["left"]
    right, drag = find(1, design[0], gear, length(sub(design[0], steering["drag_link"]["gear"])))
    far = place(1, mirrored(design[1]), right)
    left, near = find(0, design[1], far, length(sub(design[1], mirrored(design[1]))))
    angle = (left, right)

    across, along = sub(drag, gear), sub(near, far)
    turn = tables.solve([[0.0, dot(speed(1, drag), across)], [dot(speed(0, near), along), -dot(speed(1, far), along)]],
                        [[dot(path, across) / arm, 0.0]])[0]
    spin = [x / length(wheel["spin_axis"]) for x in wheel["spin_axis"]]
    moments, steer = [], []
    for i, (axle, centre) in enumerate(((spin, wheel["center"]), (mirrored(spin), mirrored(wheel["center"])))):
        if i == 1:
            axle = [-x for x in axle]  # to the left, too
        axle, centre = turned(axle, axis[i], angle[i]), place(i, centre, angle[i])
        flat, rate = math.hypot(axle[0], axle[1]), cross(axis[i], axle)
        patch = [c + radius * d for c, d in zip(centre, (
            axle[2] * axle[0] / flat, axle[2] * axle[1] / flat, -flat))]
        # of the heading, which is across the wheel's axle, to the left
        steer.append(turn[i] * (axle[0] * rate[1] - axle[1] * rate[0]) / flat**2)
        moments.append(dot([load["fx"], load["fy"], load["fz"]], speed(i, patch)) + load["mz"] * axis[i][2]
                       + load["centre"] * speed(i, centre)[0])
    gain = math.copysign(file["car"]["gear_ratio"] / arm, sum(steer))
    force = -sum(t * m for t, m in zip(turn, moments))
    return [0.0, 1e3 * rack, load["fx"], load["fy"], load["fz"], load["mz"], load["centre"], moments[0],
            -steer[0] / DEGREE / 1e3, 2 * gain / sum(steer), force, force / gain]


def main():
    file = files.read("validation/data/kc/steered_axle.yaml")
    tables.write(sys.argv[1], "kc/steered_axle.csv", (
        "travel_mm", "rack_mm", "fx_N", "fy_N", "fz_N", "mz_Nm", "fx_centre_N", "kingpin_moment_Nm", "toe_rack_degpmm",
        "steering_ratio", "rack_force_N", "hand_wheel_moment_Nm"), [
            row(file, rack, load) for rack, load in zip((0.0, -0.03, 0.045), LOADS)], 11)


if __name__ == "__main__":
    main()
