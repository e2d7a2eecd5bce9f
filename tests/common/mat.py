"""Checks that a file of MATLAB, level 5, has the columns of a CSV file, to the bit.

Usage: python3 tests/common/mat.py RUN.mat RUN.csv    prints what differs; exit status 1 then
Read by its own reader after MathWorks, "MAT-File Format", and by scipy.io if it is there."""
import csv
import math
import struct
import sys


def elements(data, at, end):
    while at < end:
        kind, size = struct.unpack_from("<II", data, at)
        yield kind, data[at + 8:at + 8 + size]
        at += 8 + (size + 7) // 8 * 8
    assert at == end, "an element goes beyond its end"


def read(data):
    assert data[:19] == b"MATLAB 5.0 MAT-file" and data[124:128] == b"\x00\x01IM", "the header"
    found = {}
    for kind, body in elements(data, 128, len(data)):
        assert kind == 14, "a matrix is expected"
        (flags_kind, flags), (size_kind, size), (name_kind, name), (value_kind, value) = elements(body, 0, len(body))
        assert (flags_kind, size_kind, name_kind, value_kind) == (6, 5, 1, 9) and flags[0] == 6
        rows, columns = struct.unpack("<ii", size)
        assert columns == 1 and len(value) == 8 * rows
        found[name.decode("ascii")] = struct.unpack(f"<{rows}d", value)
    return found


def same(a, b):
    return len(a) == len(b) and all(x == y or (math.isnan(x) and math.isnan(y)) for x, y in zip(a, b))


with open(sys.argv[1], "rb") as file, open(sys.argv[2], newline="", encoding="ascii") as table:
    header, *rows = list(csv.reader(table))
    expected = {name: [float(row[i]) if row[i] else math.nan for row in rows] for i, name in enumerate(header)}
    readers = {"own": read(file.read())}
try:
    from scipy.io import loadmat
    readers["scipy"] = {k: v.ravel().tolist() for k, v in loadmat(sys.argv[1]).items() if not k.startswith("__")}
except ImportError:
    pass
wrong = [f"{reader}: {name}" for reader, found in readers.items() for name in sorted({*found, *expected})
         if not same(found.get(name, ()), expected.get(name, ()))]
print(*wrong, sep="\n", end="")
sys.exit(bool(wrong))
