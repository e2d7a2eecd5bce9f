#!/usr/bin/env python3
"""Corners of a car whose kinematics are known in closed form: elementary geometry, without a solver.

Usage: validation/reference/corners.py FOLDER    writes tables below kc/
"""
import math
import sys

from tools import files, tables

DATA, SHIPPED = "validation/data/kc/", "scenarios/suspensions/"
TRAVELS = [i / 100 for i in range(-8, 9)]


def parallel_arms():
    """A parallelogram: the wheel stays upright, its centre draws a circle of the arms' length l."""
    lower = files.read(DATA + "parallel_arms.yaml")["lca"]
    l = lower["knuckle"][1] - lower["chassis_front"][1]
    return ("travel_m", "dy_m", "camber_rad", "toe_rad"), [(z, math.sqrt(l * l - z * z) - l, 0, 0) for z in TRAVELS]


def arm():
    file = files.read(DATA + "pure_trailing_arm.yaml")
    return file["arm_pivot"]["chassis_inboard"][0] - file["wheel"]["center"][0]


def pure_trailing_arm():
    """A circle about the pivot, ahead of the wheel at its height: sin(turn) = z/r."""
    r = arm()
    return ("travel_m", "dx_m", "dy_m", "camber_rad", "toe_rad", "spin_rad"), [
        (z, r - math.sqrt(r * r - z * z), 0, 0, 0, math.asin(z / r)) for z in TRAVELS]


def trailing_spring():
    """From the middle of that arm, e, up to a point of the chassis: length and its derivative, -n . de/dz."""
    spring, r, rows = files.read(DATA + "trailing_spring.yaml")["spring"], arm(), []
    up = spring["chassis"][2] - spring["eye"][2]
    for z in TRAVELS:
        sine, cosine = z / r, math.sqrt(1 - z * z / (r * r))
        # of e ahead of its design position and above it
        x, h = r / 2 * (1 - cosine), r / 2 * sine
        length = math.hypot(x, up - h)
        # d(x, h)/dz = (sine, cosine)/(2 cosine)
        rows.append((z, length, ((up - h) * cosine - x * sine) / (length * 2 * cosine)))
    return ("travel_m", "length_m", "motion_ratio"), rows


def trailing_rocker():
    """Levers: half of the travel at the push rod, times the ratio of the rocker's arms."""
    rocker = files.read(DATA + "trailing_rocker.yaml")["spring"]
    pivot, rod = rocker["rocker"]["pivot"], rocker["rocker"]["rod_rocker"]
    return ("motion_ratio",), [(0.5 * (rocker["eye"][2] - pivot[2]) / (pivot[0] - rod[0]),)]


def meet(p, d, q, e):
    """Where the lines p + s d and q + t e in a plane meet."""
    s = ((q[0] - p[0]) * e[1] - (q[1] - p[1]) * e[0]) / (d[0] * e[1] - d[1] * e[0])
    return p[0] + s * d[0], p[1] + s * d[1]


def instant_centre(file):
    """In front view, (y, z): of the lines of both arms, or of the arm and the perpendicular to the strut at its top."""
    lower, p = file["lca"]["knuckle"][1:], file["lca"]["chassis_front"][1:]
    if "strut" in file:
        q, bottom = file["strut"]["top"][1:], file["strut"]["bottom"][1:]
        e = (q[1] - bottom[1], bottom[0] - q[0])
    else:
        q, upper = file["uca"]["chassis_front"][1:], file["uca"]["knuckle"][1:]
        e = (upper[0] - q[0], upper[1] - q[1])
    return meet(p, (lower[0] - p[0], lower[1] - p[1]), q, e)


def front_view(name):
    """The wheel turns about the instant centre by 1/distance per travel; the roll centre is where the line from the
    contact point to the instant centre meets the middle plane. The tie rod points to the instant centre: no toe."""
    file = files.read(DATA + name)
    (_, y, z), radius, (yi, zi) = file["wheel"]["center"], file["wheel"]["static_radius"], instant_centre(file)
    turn = 1 / (y - yi)
    ground = z - radius
    return ("roll_centre_m", "camber_radpm", "toe_radpm", "dy_per_m"), [
        (ground + y * (zi - ground) / (y - yi), -turn, 0, -turn * (z - zi))]


def symmetric_links():
    """Bump is the mirror image of rebound: no toe or shift of first order."""
    return ("toe_radpm", "dx_per_m", "dy_per_m"), [(0, 0, 0)]


def semi_trailing():
    """Velocities u x r of the contact point and the wheel centre along the axis u, per rise of the centre, and u x s of
    the spin axis s, which is along y."""
    file = files.read(SHIPPED + "ta_rear_sedan.yaml")
    p, q = file["arm_pivot"].values()
    (ux, uy, uz), (x, y, z) = (b - a for a, b in zip(p, q)), (c - a for a, c in zip(p, file["wheel"]["center"]))
    rise = ux * y - uy * x
    low = z - file["wheel"]["static_radius"]
    return ("patch_dx", "centre_dx", "centre_dy", "camber_radpm", "toe_radpm"), [
        ((uy * low - uz * y) / rise, (uy * z - uz * y) / rise, (uz * x - ux * z) / rise, -ux / rise, -uz / rise)]


def steering_axes():
    """The line through the ball joints, or through the lower one and the top of the strut, down to the road."""
    rows = []
    for name in ("dw_front_sports", "mp_front_sedan"):
        file = files.read(f"{SHIPPED}{name}.yaml")
        low, high = file["lca"]["knuckle"], file["strut"]["top"] if "strut" in file else file["uca"]["knuckle"]
        (x, y, z), radius = file["wheel"]["center"], file["wheel"]["static_radius"]
        back, inward = ((a - b) / (high[2] - low[2]) for a, b in zip(low[:2], high[:2]))
        above = low[2] - (z - radius)
        scrub, trail = y - (low[1] + inward * above), low[0] + back * above - x
        rows.append((name, math.atan(back), math.atan(inward), scrub, trail))
    return ("corner", "caster_rad", "kpi_rad", "scrub_m", "trail_m"), rows


def beam(height):
    """A wheel that turns with a beam about a roll centre at this height, t up to 0.16 rad; of the sedan. Half a track
    beside it and R - h above it, its centre rises by T/2 sin t + (R - h)(cos t - 1) and goes outward by
    T/2 (cos t - 1) - (R - h) sin t; its spring has T/2 t."""
    axle = files.read("scenarios/vehicles/sedan.yaml")["front"]
    half, up, rows = axle["track"] / 2, axle["wheel_radius"] - height, []
    for i in range(-8, 9):
        t = i / 50
        sine, less = math.sin(t), math.cos(t) - 1
        rows.append((half * sine + up * less, half * less - up * sine, -t, -half * t, -half * t))
    return ("travel_m", "y", "camber_rad", "spring_length_m", "damper_length_m"), rows


def main():
    for name, (header, rows) in {
            "parallel_arms": parallel_arms(), "pure_trailing_arm": pure_trailing_arm(),
            "trailing_spring": trailing_spring(), "trailing_rocker": trailing_rocker(),
            "roll_centre": front_view("inclined_arms.yaml"), "planar_strut": front_view("planar_strut.yaml"),
            "level_rates": symmetric_links(), "semi_trailing": semi_trailing(),
            "steering_axis": steering_axes()}.items():
        tables.write(sys.argv[1], f"kc/{name}.csv", header, rows, 12)
    for name, height in (("beam_front", 0.10), ("beam_rear", 0.15)):
        tables.write(sys.argv[1], f"kc/{name}.csv", *beam(height))


if __name__ == "__main__":
    main()
