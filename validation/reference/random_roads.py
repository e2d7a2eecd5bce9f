#!/usr/bin/env python3
"""Phases of the waves of random roads.

Usage: validation/reference/random_roads.py FOLDER    writes tables below random_roads/

A profile of the period L is the sum over whole k of sqrt(2 G(k/L)/L) cos(2 pi k x/L + phi_k) (Shinozuka and Deodatis,
Applied Mechanics Reviews 44(4), 1991), with phases of points that fall evenly into a circle, from SplitMix64, one line
after the other from the first of the period on. That of the right profile is ahead by an angle whose mean resultant is
the root g of the squared coherence, so that the cross spectrum has the coherence: the wrapped Cauchy distribution
(McCullagh, Annals of Statistics 24, 1996), the image (U + g)/(1 + g U) of an even U on the unit circle, drawn after the
phase. g^2 is (1 + (2 pi n t^0.97/3.3)^2.2)^-0.88 (Ammon, Vehicle System Dynamics 20, 1992).
"""
import cmath
import math
import sys

from noise import Directions
from tools import tables


def measured(n, track):
    return (1 + (2 * math.pi * n * track**0.97 / 3.3)**2.2)**-0.44


def lines(seed, length, last, root):
    """Of each line its number, the phase of the left profile, and the angle by which the right one is ahead."""
    draw = Directions(seed)
    for k in range(1, last + 1):
        phase, even = draw.phase(), cmath.rect(1, draw.phase())
        g = root(k / length)
        yield k, phase, cmath.phase((even + g) / (1 + g * even))


def middle(root):
    """Root mean square over the period of the mean of both profiles of class A, 0.3 to 0.6 cycles/m, seed 1: each line
    has the power G/L (1 + cos apart)/2."""
    length, roughness = 1000.0, 16e-6 * 0.1**2
    return math.sqrt(sum(roughness * length / k**2 * (1 + math.cos(apart)) / 2
                         for k, _, apart in lines(1, length, 600, root) if k >= 300))


def main():
    rows = []
    for k, phase, apart in lines(7, 11.0, 5, lambda n: measured(n, 2.3)):
        rows += [(f"phase_{k}", phase, "rad"), (f"apart_{k}", apart, "rad")]
    rows += [(f"sharp_{k}", phase, "rad") for k, phase, _ in lines(11, 2.75, 5, lambda n: measured(n, 1.55))]
    rows += [("middle_none", middle(lambda n: 0.0), "m"), ("middle_measured", middle(lambda n: measured(n, 1.55)), "m")]
    tables.write_numbers(sys.argv[1], "random_roads/figures.csv", rows, 9)


if __name__ == "__main__":
    main()
