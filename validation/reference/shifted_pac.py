#!/usr/bin/env python3
"""The Magic Formula in the forms of 1989 and of 1994 with none of the coefficients of a pure force zero, on a leaning wheel.

Usage: validation/reference/shifted_pac.py FOLDER    writes tyre/shifted_pac89_FORCE.csv, tyre/shifted_pac94_FORCE.csv

Formulas: Bakker, Pacejka and Lidner, SAE 890087 (1989); Pacejka and Bakker, "The Magic Formula Tyre Model", Vehicle System
Dynamics 21 (1993), supplement, in the coefficients of Adams/Tire's PAC89 and PAC94. Loads in kN, angles in degrees, slip in
percent, forces in N; y to the right and z down. One force at a time, where the other slip with its shift is zero, so that no
rule of combined slip is in it. The coefficients are invented and stand in the claims, too.
"""
import math
import sys

from tools import tables

A89 = (1.3, -22.1, 1011, 1078, 5.6, 0.022, -0.354, 0.307, 0.028, 0.013, -0.21, 11.8, 14.8, -9.2)
B89 = (1.65, -21.3, 1144, 49.6, 226, 0.069, -0.006, 0.056, 0.486, 0.031, -0.12)
C89 = (2.4, -2.72, -2.28, -1.86, -2.73, 0.11, 0.03, -0.07, 0.643, -4.04, 0.015, 0.066, 0.0045, 0.1, -0.066, 0.945, 0.03, 1.2)
A94 = (1.3, -22.1, 1011, 1078, 5.6, 0.022, -0.354, 0.307, 0.013, -0.21, 0.028, 14.8, -9.2, 0.31, 11.8, 0.0005, 0.05, -0.04)
B94 = (1.65, -21.3, 1144, 49.6, 226, 0.069, -0.006, 0.056, 0.486, 0.031, -0.12, 21, -33, -0.1)
C94 = (2.4, -2.72, -2.28, -1.86, -2.73, 0.11, 0.03, -0.07, 0.643, -4.04, 0.015, 0.0045, 0.1, 0.066, 0.03, 1.2, -0.066, 0.945,
       0.001, 0.02, 0.05)


def formula(c, d, slope, e, lean, shift, rise, x):
    x += shift
    b = slope / (c * d)
    e = min(e * (1 - lean * math.copysign(1, x)), 1)
    return d * math.sin(c * math.atan(b * x - e * (b * x - math.atan(b * x)))) + rise


def side_force(year, f, slip, camber):
    a = A89 if year == 89 else A94
    d, slope = (a[1] * f + a[2]) * f, a[3] * math.sin(2 * math.atan(f / a[4])) * (1 - a[5] * abs(camber))
    e = a[6] * f + a[7]
    if year == 89:
        return formula(a[0], d, slope, e, 0, a[8] * camber + a[9] * f + a[10], a[11] * f * camber + a[12] * f + a[13], slip)
    return formula(a[0], d * (1 - a[15] * camber**2), slope, e, a[16] * camber + a[17], a[8] * f + a[9] + a[10] * camber,
                   a[11] * f + a[12] + (a[13] * f**2 + a[14] * f) * camber, slip)


def longitudinal_force(year, f, slip, _):
    b = B89 if year == 89 else B94
    rise, lean = (0, 0) if year == 89 else (b[11] * f + b[12], b[13])
    return formula(b[0], (b[1] * f + b[2]) * f, (b[3] * f**2 + b[4] * f) * math.exp(-b[5] * f), b[6] * f**2 + b[7] * f + b[8],
                   lean, b[9] * f + b[10], rise, slip)


def aligning_moment(year, f, slip, camber):
    c = C89 if year == 89 else C94
    d, e, g = (c[1] * f + c[2]) * f, c[7] * f**2 + c[8] * f + c[9], abs(camber)
    slope = (c[3] * f**2 + c[4] * f) * (1 - c[6] * g) * math.exp(-c[5] * f)
    if year == 89:
        return formula(c[0], d, slope, e * (1 - c[10] * g), 0, c[11] * camber + c[12] * f + c[13],
                       (c[14] * f**2 + c[15] * f) * camber + c[16] * f + c[17], slip)
    return formula(c[0], d * (1 - c[18] * camber**2), slope, e / (1 - c[10] * g), c[19] * camber + c[20],
                   c[11] * f + c[12] + c[13] * camber, c[14] * f + c[15] + (c[16] * f**2 + c[17] * f) * camber, slip)


def main():
    for year in 89, 94:
        for name, force, slips in (("fx", longitudinal_force, (-24, -7.3, -2.1, 0.8, 4.4, 19)),
                                   ("fy", side_force, (-9.1, -3.7, -1.2, 0.6, 2.9, 11.3)),
                                   ("mz", aligning_moment, (-9.1, -3.7, -1.2, 0.6, 2.9, 11.3))):
            rows = [(f, slip, camber, force(year, f, slip, camber)) for f in (1.3, 3.1, 5.9) for slip in slips
                    for camber in ((0,) if name == "fx" else (-3.2, 0, 4.7))]
            tables.write(sys.argv[1], f"tyre/shifted_pac{year}_{name}.csv", ("Fz_kN", "slip", "camber_deg", "value"), rows, 12)


main()
