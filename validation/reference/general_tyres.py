#!/usr/bin/env python3
"""Tyres none of whose parameters is zero, at random states: rolling in both directions, very slowly too, with camber,
sliding.

Usage: validation/reference/general_tyres.py FOLDER    writes tyre/general_TYRE.csv

A model gives its two pure forces at the length s of the slip, its trail, its friction ellipse and its slopes at zero
slip. The rules that all models share are this project's (vdsim-tyre(5)), not published ones. The force is along the
slip vector; for linear, fiala and mf96 it turns to the direction of the sliding tread from s = 0.5 to 1, at a constant
share of the friction ellipse. Camber adds -C Fz camber times 1 - share^2, the part of the ellipse that is not used, at
most half of its axis. The trail is behind the wheel centre in the direction of rolling. The side force moves the patch,
and camber loads it unevenly, as a row of springs. Curves: slip_vectors.py; tmeasy: Rill, Road Vehicle Dynamics (2011),
and the second edition of 2020.
"""
import math
import sys

from slip_vectors import sine
from tools import files, tables

POINTS = 40
RIG_RADIUS = 0.3  # m, for the rolling moment


def linear(t, load, s, _):
    limit = t["friction"] * load
    stiff = t["longitudinal_stiffness"], t["cornering_stiffness"]
    return min(stiff[0] * s, limit), min(stiff[1] * math.atan(s), limit), t["pneumatic_trail"], (limit, limit), stiff


def fiala(t, load, s, _):
    limit = (t["friction"] + (t["sliding_friction"] - t["friction"]) * min(s, 1)) * load
    stiff = t["longitudinal_stiffness"], t["cornering_stiffness"]
    along = stiff[0] * s
    h = max(0.0, 1 - stiff[1] * s / (3 * limit))
    return (along if along <= limit / 2 else limit - limit**2 / (4 * along), limit * (1 - h**3),
            t["width"] * (1 - h) * h**3 / (1 - h**3), (limit, limit), stiff)


def brush(t, load, s, tread):
    limit, length = t["friction"] * load, t["patch_length"] * math.sqrt(load / t["nominal_load"])
    stiff = t["tread_stiffness"] * length**2 / 2
    h = max(0.0, 1 - stiff * s / tread / (3 * limit))
    force = limit * (1 - h**3)
    return force, force, length / 2 * h**3 * (1 - h) / (1 - h**3), (limit, limit), (stiff, stiff)


def mf96(t, load, s, _):
    more = load / t["nominal_load"] - 1
    grip = t["friction"] * max(0.3, 1 - t["load_sensitivity"] * more) * load
    x, y = t["longitudinal"], t["lateral"]
    fx, fy = (sine(p["b"], p["c"], p["d"] * grip, p["e"], u) for p, u in ((x, s), (y, math.atan(s))))
    trail = t["pneumatic_trail"] * (1 + t["trail_growth"] * more) / math.hypot(1, math.atan(s) / t["trail_falloff"])
    return fx, fy, trail, (grip * x["d"], grip * y["d"]), tuple(grip * p["b"] * p["c"] * p["d"] for p in (x, y))


def through(curves, key, u, origin):
    """Over the relative load: the parabola through the origin and both values, or the straight line."""
    one, two = curves["nominal"][key], curves["double"][key]
    return u * (2 - u) * one + u * (u - 1) / 2 * two if origin else (2 - u) * one + (u - 1) * two


def rill(df0, s_max, f_max, s_slide, f_slide, s, second):
    """The curve through five figures."""
    if second and s_max < 2 * f_max / df0:
        s_slide, s_max = s_slide + 2 * f_max / df0 - s_max, 2 * f_max / df0
    if s <= s_max:
        u = s / s_max
        return df0 * s / (1 + u * (u + df0 * s_max / f_max - 2))
    if s >= s_slide:
        return f_slide
    curvature = f_max**2 / (df0 * s_max**3)
    meet = s_max + (f_max - f_slide) / (curvature * (s_slide - s_max))
    if not second or meet >= s_slide:
        u = (s - s_max) / (s_slide - s_max)
        return f_max - (f_max - f_slide) * u**2 * (3 - 2 * u)
    if s <= meet:
        return f_max - curvature * (s - s_max)**2
    return f_slide + (f_max - f_slide - curvature * (meet - s_max)**2) * ((s_slide - s) / (s_slide - meet))**2


def tmeasy_trail(t, load, s, second):
    u = load / t["nominal_load"]
    more = min(u, 2) - 1

    def over(one, two):
        return one + (two - one) * more

    zero, end = over(t["trail_zero"], t["trail_zero_double"]), over(t["trail_end"], t["trail_end_double"])
    full = over(t["pneumatic_trail"], t["pneumatic_trail_double"] / math.sqrt(2)) * math.sqrt(u)
    if second:
        zero, end = zero * t["friction"], end * t["friction"]
        # 1 + p s^2 + q s^3 + r s^4: zero at `zero`, zero and level at `end`
        p, q, r = tables.solve([[zero**2, zero**3, zero**4], [end**2, end**3, end**4], [2 * end, 3 * end**2, 4 * end**3]],
                               [[-1, -1, 0]])[0]
        share = 1 + p * s**2 + q * s**3 + r * s**4
    elif s <= zero:
        w, u = zero / end, s / zero
        share = (1 - w) * (1 - u) + w * (1 - (3 - 2 * u) * u**2)
    else:
        share = -(1 - zero / end) * (s - zero) / zero * ((end - s) / (end - zero))**2
    return full * share if s < end else 0.0


def tmeasy(t, load, kappa, tangent, tread):
    """Fx, Fy, trail, ellipse and slopes; slips are those of the tread."""
    second, mu, u = t["edition"] != 2011, t["friction"], load / t["nominal_load"]
    pure = []
    for curves in (t["curve_longitudinal"], t["curve_lateral"]):
        pure.append([through(curves, "df0", u, True)] +
                    [mu * through(curves, key, u, key[0] == "f") for key in ("s_max", "f_max", "s_slide", "f_slide")])
    (dx, mx, fx, sx, gx), (dy, my, fy, sy, gy) = pure
    nx = mx / (mx + my) + fx / dx / (fx / dx + fy / dy)
    ny = my / (mx + my) + fy / dy / (fx / dx + fy / dy)
    x, y = kappa / tread / nx, -tangent / tread / ny
    s = math.hypot(x, y)
    c, d = x / s, y / s
    of = [math.hypot(c * a, d * b) for a, b in ((dx * nx, dy * ny), (mx / nx, my / ny), (fx, fy), (sx / nx, sy / ny), (gx, gy))]
    force = rill(*of, s, second)
    return force * c, force * d, tmeasy_trail(t, load, abs(tangent / tread), second), (fx, fy), (dx, dy)


def turned(x, y, cx, cy, ellipse, s):
    """A force whose direction turns into that of the slip (cx, cy); its share of the ellipse stays."""
    u = min(max((s - 0.5) / 0.5, 0.0), 1.0)
    turn = u**3 * (6 * u**2 - 15 * u + 10)
    length = math.hypot(x, y)
    a, b = (1 - turn) * x / length + turn * cx, (1 - turn) * y / length + turn * cy
    scale = math.hypot(x / ellipse[0], y / ellipse[1]) / math.hypot(a / ellipse[0], b / ellipse[1])
    return a * scale, b * scale


def lean_arm(t, load, camber):
    """Distance by which a row of springs across the patch moves the load to the side of the camber."""
    width, lean = t["patch_width"], abs(camber)
    slope = t["vertical_stiffness"] / width * lean  # of the load per width over the width
    touching = math.sqrt(2 * load / slope)
    arm = width / 2 - touching / 3 if touching < width else slope * width**3 / 12 / load
    return math.copysign(arm, camber)


def forces(name, t, load, kappa, alpha, camber, speed):
    """Fx, Fy, Mx, My, Mz and both slopes."""
    u = max(-1.0, min(1.0, speed / 0.1))
    way, tangent = u * (3 - u**2) / 2, math.tan(alpha)
    s, tread = math.hypot(kappa, tangent), max(0.01, abs(1 + kappa * way))
    cx, cy = kappa / s, -tangent / s
    if name.startswith("tmeasy"):
        fx, fy, trail, ellipse, stiff = tmeasy(t, load, kappa, tangent, tread)
    else:
        model = {"linear": linear, "fiala": fiala, "brush": brush, "mf96": mf96}[name]
        x, y, trail, ellipse, stiff = model(t, load, s, tread)
        fx, fy = turned(x * cx, y * cy, cx, cy, ellipse, s)
    left = max(0.0, 1 - (fx / ellipse[0])**2 - (fy / ellipse[1])**2)
    thrust = left * max(-ellipse[1] / 2, min(ellipse[1] / 2, -t["camber_stiffness"] * load * camber))
    mz = -way * trail * fy
    fy += thrust
    aside = fy / t["lateral_stiffness"]
    return (fx, fy, load * (aside - lean_arm(t, load, camber)),
            -math.copysign(t["rolling_resistance"] * load * RIG_RADIUS, speed), mz - aside * fx) + stiff


def main():
    for seed, name in enumerate(("linear", "fiala", "brush", "mf96", "tmeasy", "tmeasy_2011"), 21):
        tyre, random, rows = files.read(f"validation/data/tyre/general_{name}.yaml"), tables.Random(seed), []
        for _ in range(POINTS):
            load, camber = random.between(800, 7000), random.between(-0.4, 0.4)
            size, turn = 1.4 * random.between(0, 1)**3, random.between(-3.1, 3.1)
            speed = math.copysign(10**random.between(-1.7, 1.5), random.between(-1, 1))
            kappa, alpha = size * math.cos(turn), math.atan(size * math.sin(turn))
            rows.append([load, kappa, alpha, camber, speed] + list(forces(name, tyre, load, kappa, alpha, camber, speed)))
        header = ("load_N", "kappa", "alpha_rad", "gamma_rad", "speed_mps", "fx_N", "fy_N", "mx_Nm", "my_Nm", "mz_Nm",
                  "slip_stiffness_N", "cornering_stiffness_Npr")
        tables.write(sys.argv[1], f"tyre/general_{name}.csv", header, rows, 13)


if __name__ == "__main__":
    main()
