#!/usr/bin/env python3
"""Quantiles of the yaw rate V tan(delta)/L of a car without slip, where V and delta have uniform distributions.

Usage: validation/reference/distributions.py FOLDER    writes studies/quantiles.csv

P(V tan(delta)/L <= r) is the mean over delta of the share of V below r L/tan(delta), by the midpoint rule; its inverse
is found by bisection. The share has kinks, at which the rule is of second order: its error is 1e-9 with these
intervals.
"""
import math
import sys

from tools import tables

WHEELBASE = 2.68  # m
SPEEDS, ANGLES = (5.0, 15.0), (math.radians(1), math.radians(3))
INTERVALS = 20000


def main():
    width = (ANGLES[1] - ANGLES[0]) / INTERVALS
    tangents = [math.tan(ANGLES[0] + (i + 0.5) * width) for i in range(INTERVALS)]

    def share(rate):
        below = (rate * WHEELBASE / t for t in tangents)
        return sum(min(max((v - SPEEDS[0]) / (SPEEDS[1] - SPEEDS[0]), 0.0), 1.0) for v in below) / INTERVALS

    numbers = []
    for name, wanted in (("p05", 0.05), ("median", 0.5), ("p95", 0.95)):
        low, high = 0.0, 0.3
        for _ in range(32):
            middle = (low + high) / 2
            low, high = (middle, high) if share(middle) < wanted else (low, middle)
        numbers.append(("yaw_rate_" + name, (low + high) / 2, "rad/s"))
    tables.write_numbers(sys.argv[1], "studies/quantiles.csv", numbers, 7)


if __name__ == "__main__":
    main()
