"""Shared by the programs in validation/reference: tables, cross products, linear equations, Runge-Kutta, random
numbers."""
import os


def write(folder, path, header, rows, digits=9):
    """A CSV at `path` below `folder`; numbers have so few significant digits that the last bits of a libm have no
    effect. A number below 1e-15 is a rounding error, and is written as zero."""
    place = os.path.join(folder, path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "w", encoding="ascii", newline="\n") as file:
        file.write(",".join(header) + "\n")
        for row in rows:
            file.write(",".join(x if isinstance(x, str) else _number(float(x), digits) for x in row) + "\n")


def _number(x, digits):
    return f"{x if abs(x) >= 1e-15 else 0.0:.{digits}g}"


def write_numbers(folder, path, numbers, digits=12):
    """Rows (name, value, unit) for the key `numbers` of a validation file."""
    write(folder, path, ("name", "value", "unit"), numbers, digits)


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def solve(matrix, right):
    """x of matrix x = right by Gauss with pivots, of floats or of fractions. right: a list of columns."""
    n = len(matrix)
    rows = [list(line) + [column[i] for column in right] for i, line in enumerate(matrix)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, n):
            if rows[i][k]:
                f = rows[i][k] / rows[k][k]
                rows[i] = [a - f * b if b else a for a, b in zip(rows[i], rows[k])]
    for k in reversed(range(n)):
        for j in range(n, n + len(right)):
            known = sum(rows[k][i] * rows[i][j] for i in range(k + 1, n))
            rows[k][j] = (rows[k][j] - known) / rows[k][k]
    return [[rows[i][n + j] for i in range(n)] for j in range(len(right))]


def rk4(rates, t, state, step):
    """The state after one step."""
    k1 = rates(t, state)
    k2 = rates(t + step / 2, [x + step / 2 * k for x, k in zip(state, k1)])
    k3 = rates(t + step / 2, [x + step / 2 * k for x, k in zip(state, k2)])
    k4 = rates(t + step, [x + step * k for x, k in zip(state, k3)])
    return [x + step / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(state, k1, k2, k3, k4)]


class Random:
    """The generator of Park and Miller (1988), evenly between two bounds."""

    def __init__(self, seed):
        self.value = seed

    def between(self, low, high):
        self.value = self.value * 16807 % 2147483647
        return low + (high - low) * self.value / 2147483647
