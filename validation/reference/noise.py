#!/usr/bin/env python3
"""Random inputs as the sum of their cosines.

Usage: validation/reference/noise.py FOLDER    writes tables below noise/

Shinozuka and Deodatis (Applied Mechanics Reviews 44(4), 1991): y = rms sqrt(2/N) sum cos(2 pi k t/T + phi_k) over the N
lines k/T of the band. The phases are the directions of points that are drawn uniformly in a square and lie within its
circle (von Neumann), from SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), one after the other from the first line of
the period on. The noise grows with 10 f^3 - 15 f^4 + 6 f^5.
"""
import math
import sys

from tools import tables

MASK = (1 << 64) - 1


class Directions:
    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        z ^= z >> 31
        return (z >> 11) / 2**52 - 1

    def phase(self):
        while True:
            a, b = self.uniform(), self.uniform()
            if 1e-6 <= a * a + b * b <= 1:
                return math.atan2(b, a)


class Noise:
    def __init__(self, low, high, rms, seed, period, start, fade, mean):
        first, last = max(math.ceil(low * period - 1e-9), 1), math.floor(high * period + 1e-9)
        draw = Directions(seed)
        phases = [draw.phase() for _ in range(last)]
        self.lines = [(2 * math.pi * k / period, phases[k - 1]) for k in range(first, last + 1)]
        self.size, self.start, self.fade, self.mean = rms * math.sqrt(2 / len(self.lines)), start, fade, mean

    def at(self, t):
        s = t - self.start
        if s <= 0:
            return self.mean
        f = min(s / self.fade, 1) if self.fade else 1
        return self.mean + f**3 * (10 - 15 * f + 6 * f * f) * self.size * sum(
            math.cos(w * s + phase) for w, phase in self.lines)


def main():
    folder = sys.argv[1]
    rows = []
    for name, noise in (
            ("slow", Noise(0.3, 2.0, 0.02, 1, 10.0, 0.4, 1.5, 0.01)),
            ("fast", Noise(1.0, 4.0, 0.01, 77, 3.0, 0.1, 0.0, -0.02)),
            ("wide", Noise(0.05, 3.0, 0.03, 2024, 25.0, 0.0, 1.0, 0.0))):
        rows += [(f"{name}_{t}", noise.at(float(t) / 10), "rad") for t in (2, 7, 13, 21, 34, 46)]
    tables.write_numbers(folder, "noise/figures.csv", rows, 9)


if __name__ == "__main__":
    main()
