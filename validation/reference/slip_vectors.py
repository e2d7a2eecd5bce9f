#!/usr/bin/env python3
"""Tyres whose formulas have few parameters, at random loads and slips in both directions at once.

Usage: validation/reference/slip_vectors.py FOLDER    writes tyre/slip_TYRE.csv

Slip is s = (kappa, -tan alpha), its length below 0.45, where no model turns the direction of the force. Forces are
along s, axes those of ISO, Mz = -t Fy.

linear: stiffness times slip up to the friction; a constant trail. fiala: E. Fiala (1954), in the form of Adams/Tire,
with a friction U that falls in proportion to the slip; both pure curves at the length of s. brush: bristles under a
parabolic pressure, Pacejka, Tire and Vehicle Dynamics (3rd ed., 2012), 3.2; theoretical slip s/(1 + kappa); the patch
grows with the root of the load. mf96: magic_formula.py. pac89, pac94: those of Adams/Tire without camber, and its
friction ellipse: each pure force has the share 1/sqrt(1 + (A p'/(p D'))^2), A itself and D' the other's peak, p and p'
its slip and the other.
"""
import math
import sys

from tools import files, tables

POINTS = 40


def sine(b, c, d, e, x):
    return d * math.sin(c * math.atan(b * x - e * (b * x - math.atan(b * x))))


def along(sx, sy, pure_x, pure_y, trail):
    """Fx, Fy, Mz of the values of both curves at the length of a slip vector."""
    length = math.hypot(sx, sy)
    fy = pure_y * sy / length
    return pure_x * sx / length, fy, -trail * fy


def linear(t, load, kappa, tangent):
    size, limit = math.hypot(kappa, tangent), t["friction"] * load
    fx = min(t["longitudinal_stiffness"] * size, limit)
    fy = min(t["cornering_stiffness"] * math.atan(size), limit)
    return along(kappa, -tangent, fx, fy, t.get("pneumatic_trail", 0.0))


def fiala(t, load, kappa, tangent):
    size = math.hypot(kappa, tangent)
    limit = (t["friction"] + (t["sliding_friction"] - t["friction"]) * size) * load
    stiff = t["longitudinal_stiffness"] * size
    fx = stiff if stiff <= limit / 2 else limit - limit**2 / (4 * stiff)
    h = max(0.0, 1 - t["cornering_stiffness"] * size / (3 * limit))
    return along(kappa, -tangent, fx, limit * (1 - h**3), t["width"] * (1 - h) * h**3 / (1 - h**3))


def brush(t, load, kappa, tangent):
    sx, sy, limit = kappa / (1 + kappa), -tangent / (1 + kappa), t["friction"] * load
    length = t["patch_length"] * math.sqrt(load / t["nominal_load"])
    adhering = max(0.0, 1 - t["tread_stiffness"] * length**2 / 2 * math.hypot(sx, sy) / (3 * limit))
    force = limit * (1 - adhering**3)
    trail = length / 2 * adhering**3 * (1 - adhering) / (1 - adhering**3)
    return along(sx, sy, force, force, trail)


def mf96(t, load, kappa, tangent):
    size = math.hypot(kappa, tangent)
    mu = t["friction"] * (1 - t["load_sensitivity"] * (load / t["nominal_load"] - 1))
    of = [sine(p["b"], p["c"], p["d"] * mu * load, p["e"], x)
          for p, x in ((t["longitudinal"], size), (t["lateral"], math.atan(size)))]
    return along(kappa, -tangent, *of, t["pneumatic_trail"] / math.hypot(1, math.atan(size) / t["trail_falloff"]))


def pac(t, load, kappa, tangent):
    a, b, c, f = t["a"], t["b"], t["c"], load / 1000
    ratio, angle = 100 * kappa, -math.degrees(math.atan(tangent))

    def curve(shape, d, stiffness, e, x):
        return sine(stiffness / (shape * d), shape, d, min(e, 1.0), x)

    dy, dx = (a[1] * f + a[2]) * f, (b[1] * f + b[2]) * f
    fy = curve(a[0], dy, a[3] * math.sin(2 * math.atan(f / a[4])), a[6] * f + a[7], angle)
    fx = curve(b[0], dx, (b[3] * f + b[4]) * f * math.exp(-b[5] * f),
               (b[6] * f * f + b[7] * f + b[8]) * (1 - (b[13:] or [0])[0] * math.copysign(1, ratio)), ratio)
    mz = curve(c[0], (c[1] * f + c[2]) * f, (c[3] * f + c[4]) * f * math.exp(-c[5] * f),
               c[7] * f * f + c[8] * f + c[9], angle)
    of_x = 1 / math.hypot(1, fx * tangent / (kappa * dy))
    of_y = 1 / math.hypot(1, fy * kappa / (tangent * dx))
    fx, fy = fx * of_x, fy * of_y
    # the patch, which the side force moves, is the arm of the longitudinal force
    return fx, fy, mz * of_y - fx * fy / t.get("lateral_stiffness", math.inf)


def main():
    for seed, (name, model) in enumerate((("linear_80", linear), ("fiala_touring", fiala), ("brush_touring", brush),
                                          ("mf96_touring", mf96), ("pac89_touring", pac), ("pac94_touring", pac)), 1):
        tyre, random, rows = files.read(f"scenarios/tyres/{name}.yaml"), tables.Random(seed), []
        for _ in range(POINTS):
            load, size, turn = random.between(1500, 7000), 0.45 * random.between(0, 1)**2, random.between(-3.1, 3.1)
            kappa, tangent = size * math.cos(turn), size * math.sin(turn)
            rows.append([load, kappa, math.atan(tangent)] + list(model(tyre, load, kappa, tangent)))
        header = ("load_N", "kappa", "alpha_rad", "fx_N", "fy_N", "mz_Nm")
        tables.write(sys.argv[1], f"tyre/slip_{name}.csv", header, rows, 12)


if __name__ == "__main__":
    main()
