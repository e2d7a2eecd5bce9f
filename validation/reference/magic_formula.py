#!/usr/bin/env python3
"""The sine version of the Magic Formula, y = D sin(C atan(B x - E (B x - atan(B x)))), and friction at its limits.

Usage: validation/reference/magic_formula.py FOLDER    writes tables below tyre/

1987: Bakker, Nyborg and Pacejka, SAE 870421, with the coefficients a1 to a8 that it publishes, without camber and
shifts: D = a1 F^2 + a2 F, E = a6 F^2 + a7 F + a8, F in kN, slip angles in degrees and slip ratios in per cent. Its own
form, y = D sin(C atan(B phi)), phi = (1 - E) x + (E/B) atan(B x), is the same. The touring tyre has constant B, C
and E.
"""
import math
import sys

from tools import files, tables

SLIP_ANGLES = (0.5, 1, 2, 4, 6, 8, 10, 12, 15)  # deg
SLIP_RATIOS = (0.5, 1, 2, 5, 10, 15, 20, 30, 50, 100)  # %
# channel: slips, C, a1 to a8, and B C D by a3, a4, a5 and the load
CURVES_1987 = {
    "Fy_N": (SLIP_ANGLES, 1.30, (-22.1, 1011, 1078, 1.82, 0.208, 0, -0.354, 0.707),
             lambda a3, a4, a5, load: a3 * math.sin(a4 * math.atan(a5 * load))),
    "Mz_Nm": (SLIP_ANGLES, 2.40, (-2.72, -2.28, -1.86, -2.73, 0.110, -0.070, 0.643, -4.04),
              lambda a3, a4, a5, load: (a3 * load**2 + a4 * load) / math.exp(a5 * load)),
    "Fx_N": (SLIP_RATIOS, 1.65, (-21.3, 1144, 49.6, 226, 0.069, -0.006, 0.056, 0.486),
             lambda a3, a4, a5, load: (a3 * load**2 + a4 * load) / math.exp(a5 * load)),
}


def curve(b, c, d, e, x):
    return d * math.sin(c * math.atan(b * x - e * (b * x - math.atan(b * x))))


def of_1987():
    for channel, (slips, c, a, stiffness) in CURVES_1987.items():
        for load in (2, 4, 6, 8):
            d = a[0] * load**2 + a[1] * load
            e = a[5] * load**2 + a[6] * load + a[7]
            b = stiffness(*a[2:5], load) / (c * d)
            for x in slips:
                yield channel, load, x, b, f"{c:.2f}", d, e, curve(b, c, d, e, x)


class Touring:
    """Forces in axes of ISO: Fy is opposite to the slip angle. Friction falls with the load, the trail with the slip
    angle a as t/sqrt(1 + (a/a0)^2), vdsim-tyre(5)."""

    def __init__(self):
        self.of = files.read("scenarios/tyres/mf96_touring.yaml")

    def force(self, curve_of, load, slip):
        p, nominal = self.of[curve_of], self.of["nominal_load"]
        mu = self.of["friction"] * (1 - self.of["load_sensitivity"] * (load / nominal - 1))
        return curve(p["b"], p["c"], p["d"] * mu * load, p["e"], slip)

    def fx(self, load, kappa):
        return self.force("longitudinal", load, kappa)

    def fy(self, load, alpha):
        return -self.force("lateral", load, alpha)

    def mz(self, load, alpha):
        trail = self.of["pneumatic_trail"] / math.sqrt(1 + (alpha / self.of["trail_falloff"]) ** 2)
        return -trail * self.fy(load, alpha)


def limits():
    """Slopes at zero and what the curves tend to: B C D and D sin(C pi/2); the rest is the formula."""
    tyre, load = Touring(), 4000.0
    x, y = tyre.of["longitudinal"], tyre.of["lateral"]
    steep_x, steep_y = (p["b"] * p["c"] * p["d"] * load * 1e-7 for p in (x, y))
    return [
        ("slope", load, 1e-7, 0, steep_x, 0),
        ("slope", load, 0, 1e-7, 0, -steep_y),
        ("slope", load, -1e-7, 0, -steep_x, 0),
        # 1 - E times a large slip is still a large one
        ("asymptote", load, 1e9, 0, x["d"] * load * math.sin(x["c"] * math.pi / 2), 0),
        ("sideways", load, 0, 1.5707963, 0, tyre.fy(load, 1.5707963)),
        ("lifted", 0, 0.1, 0.1, 0, 0),
    ]


def locked():
    """Coulomb's friction 1 opposite to the velocity, whose direction is the slip angle."""
    load = 4000.0
    return [("locked", load, -1, math.radians(a), -load * math.cos(math.radians(a)), -load * math.sin(math.radians(a)))
            for a in (0, 10, 30, 60, 85)]


def drawn():
    """Curves of the touring tyre in adapted SAE axes (y to the right, z down; the slip angle has the sign of FY), as a
    laboratory writes them."""
    tyre, rows = Touring(), []
    for load in (1500, 3000, 4500, 6000):
        for i in range(57):
            a = -14 + i / 2
            at = -math.radians(a)
            fy, mz = -tyre.fy(load, at), -tyre.mz(load, at)
            rows.append((f"{a:.3f}", "0.0000", str(-load), "0", f"{-fy:.0f}", f"{-mz:.1f}", "0"))
    for load in (1500, 3000, 4500, 6000):
        for i in range(49):
            k = -0.3 + i / 80
            rows.append(("0.000", f"{k:.4f}", str(-load), f"{tyre.fx(load, k):.0f}", "0", "0.0", "0"))
    return [("deg", "-", "N", "N", "N", "N m", "-")] + rows


def main():
    folder = sys.argv[1]
    tables.write(folder, "tyre/sae870421_reference.csv", (
        "channel", "Fz_kN", "slip", "B", "C", "D", "E", "value"), of_1987(), 12)
    header = ("what", "load_N", "kappa", "alpha_rad", "fx_N", "fy_N")
    tables.write(folder, "tyre/limits.csv", header, limits(), 12)
    tables.write(folder, "tyre/locked.csv", header, locked(), 12)
    tables.write(folder, "tyre/mf96_check.csv", ("SA", "SR", "FZ", "FX", "FY", "MZ", "weight"), drawn())


if __name__ == "__main__":
    main()
