#!/usr/bin/env python3
"""Coefficients of lib/base/elementary.c: minimax polynomials by the Remez exchange in 60 digits, and constants.

Each polynomial p approximates g on [a, b] so that the greatest weight(z) |p(z) - g(z)| is as small as possible. The
weight turns an error of p into a relative error of the function. Needs mpmath; prints C initialisers and the errors
that remain after the coefficients are rounded to doubles."""
import math
from mpmath import mp, mpf, matrix, lu_solve, taylor

mp.dps = 60


def value(c, z):
    p = mpf(0)
    for k in c:
        p = p * z + k
    return p


def remez(g, weight, a, b, degree):
    """Coefficients, the highest power first."""
    a, b, n = mpf(a), mpf(b), degree + 2
    x = [(a + b) / 2 - (b - a) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    for _ in range(12):
        m, right = matrix(n, n), matrix(n, 1)
        for i in range(n):
            for k in range(degree + 1):
                m[i, k] = x[i] ** (degree - k)
            m[i, degree + 1] = (-1) ** i / weight(x[i])
            right[i] = g(x[i])
        c = list(lu_solve(m, right))[: degree + 1]
        error = lambda z: weight(z) * (value(c, z) - g(z))
        # the extreme point of the error between two of its zeros
        count = 40 * n
        grid = [a + (b - a) * (1 - mp.cos(mp.pi * i / count)) / 2 for i in range(count + 1)]
        e = [error(z) for z in grid]
        runs, best = [], 0
        for i in range(1, count + 1):
            if e[i] * e[best] < 0:
                runs.append(best)
                best = i
            elif abs(e[i]) > abs(e[best]):
                best = i
        runs.append(best)
        while len(runs) > n:
            runs.pop(0 if abs(e[runs[0]]) < abs(e[runs[-1]]) else -1)
        if len(runs) < n:
            break
        x = [grid[i] for i in runs]
    return c


def show(name, g, weight, a, b, degree):
    c = [float(k) for k in remez(g, weight, a, b, degree)]
    worst = max(weight(z) * abs(value([mpf(k) for k in c], z) - g(z))
                for z in (mpf(a) + (mpf(b) - mpf(a)) * i / 2000 for i in range(1, 2001)))
    print("static const double %s[] = {%s}; /* 2^%.1f */" % (name, ", ".join(repr(k) for k in c), mp.log(worst, 2)))


def pieces(name, x, *bits):
    """x as a sum of doubles with so many significant bits."""
    out = []
    for n in bits:
        e = mp.floor(mp.log(abs(x), 2)) + 1 - n
        k = mp.floor(x / mpf(2) ** e) if n < 53 else mp.nint(x / mpf(2) ** e)
        out.append(k * mpf(2) ** e)
        x -= out[-1]
    print(name, " ".join(repr(float(p)) for p in out), " ".join(float(p).hex() for p in out))


def series(f, first, step, terms):
    """f's Taylor coefficients of the powers first, first + step, ..., as a function of the power's base."""
    c = taylor(f, 0, first + step * terms)
    return lambda z: sum(c[first + step * i] * z ** i for i in range(terms + 1))


def main():
    quarter, eighth = mp.pi / 4, mp.pi / 8
    root = mp.sqrt
    odd = lambda f, terms=26: series(f, 3, 2, terms)
    show("sine", odd(mp.sin), lambda z: z, 1e-9, quarter ** 2, 5)
    show("cosine", series(mp.cos, 4, 2, 26), lambda z: z * z, 1e-9, quarter ** 2, 5)
    small = lambda f, p: (lambda z: f(root(z)) / root(z) ** p)
    show("tangent", odd(mp.tan, 40), lambda z: z, 1e-9, eighth ** 2, 9)
    show("arc_tangent", odd(mp.atan, 60), lambda z: z, 1e-9, mpf(1) / 16, 7)
    show("arc_sine", lambda z: (mp.asin(root(z)) - root(z)) / root(z) ** 3, lambda z: z, 1e-9, mpf(1) / 4, 12)
    half = mp.log(2) / 2
    show("exponential", series(mp.exp, 3, 1, 30), lambda z: z * z + mpf(10) ** -30, -half, half, 9)
    s = (root(2) - 1) / (root(2) + 1)
    show("logarithm", lambda z: sum(2 * z ** i / (2 * i + 5) for i in range(40)), lambda z: z * z, 0, s * s, 6)
    pieces("pi/2", mp.pi / 2, 53, 53)
    pieces("pi/2 33", mp.pi / 2, 33, 53)
    pieces("pi", mp.pi, 53, 53)
    pieces("atan(1/2)", mp.atan(mpf(1) / 2), 53, 53)
    pieces("ln 2", mp.log(2), 42, 53)
    pieces("1/ln 2", 1 / mp.log(2), 53, 53)
    pieces("1/ln 10", 1 / mp.log(10), 53, 53)
    pieces("2/3", mpf(2) / 3, 53, 53)
    mp.prec = 1400
    words = int(mp.floor(2 / mp.pi * mpf(2) ** (32 * 38)))
    print("2/pi", ", ".join("0x%08x" % (words >> 32 * (37 - i) & 0xFFFFFFFF) for i in range(38)))


main()
