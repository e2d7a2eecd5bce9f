#!/usr/bin/env python3
"""A rigid body that turns about its intermediate axis: Euler's equations by Runge and Kutta's method.

Usage: validation/reference/rigid_body.py FOLDER    writes free_flight/period.csv

The body is the sedan with its centre of gravity in the middle of the wheelbase. Its moments of inertia about the centre
of all masses are those of the body about its own centre, and of body and wheels as points (Steiner). A period lies
between two zeros of the pitch rate in which it falls. Half the step changes the period by less than 1e-11 of it.
"""
import sys

from tools import files, tables

STEP = 2e-3  # s


def moments():
    car = files.read("scenarios/vehicles/sedan.yaml")
    axle, half = car["front"], car["wheelbase"] / 2
    m_u, up = axle["unsprung_mass"], axle["wheel_radius"] - car["cg_height"]
    m_s = car["mass"] - 4 * m_u
    body = m_s * (4 * m_u * up / m_s) ** 2
    side = axle["track"] / 2
    return (car["roll_inertia"] + body + 4 * m_u * (up**2 + side**2),
            car["pitch_inertia"] + body + 4 * m_u * (up**2 + half**2), car["yaw_inertia"])


def period(step):
    ix, iy, iz = moments()

    def rates(_, w):
        return [(iy - iz) * w[1] * w[2] / ix, (iz - ix) * w[2] * w[0] / iy, (ix - iy) * w[0] * w[1] / iz]

    zeros, i, w = [], 0, [0.0, 2.0, 0.1]
    while len(zeros) < 2:
        after = tables.rk4(rates, 0.0, w, step)
        if w[1] > 0 >= after[1]:
            low, high = 0.0, step
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if tables.rk4(rates, 0.0, w, middle)[1] > 0 else (low, middle)
            zeros.append(i * step + low)
        w, i = after, i + 1
    return zeros[1] - zeros[0]


def main():
    tables.write_numbers(sys.argv[1], "free_flight/period.csv", [("tumbling_period", period(STEP), "s")])


if __name__ == "__main__":
    main()
