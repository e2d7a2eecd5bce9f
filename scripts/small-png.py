"""Makes a PNG of a drawing small: the 16 colours that it has most, each other pixel in the nearest of them.

Usage: small-png.py FILE.png...    (8 bits a channel, RGB or RGBA, not interlaced; replaced)
"""
import collections
import struct
import sys
import zlib


def read(path):
    data = open(path, "rb").read()
    at, body, width, height, size = 8, b"", 0, 0, 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        part = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", part)
            assert depth == 8 and colour in (2, 6) and interlace == 0
            size = 3 if colour == 2 else 4
        body += part if kind == b"IDAT" else b""
        at += 12 + length
    raw, above, rows = zlib.decompress(body), bytearray(width * size), []
    for y in range(height):
        start = y * (width * size + 1)
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + width * size])
        for i in range(len(row)):
            a = row[i - size] if i >= size else 0
            b, c = above[i], above[i - size] if i >= size else 0
            p = a + b - c
            paeth = min((a, b, c), key=lambda v: abs(p - v))
            row[i] = (row[i] + (0, a, b, (a + b) // 2, paeth)[kind]) & 255
        rows.append([bytes(row[i:i + 3]) for i in range(0, len(row), size)])
        above = row
    return rows


def write(path, rows):
    counts = collections.Counter(c for row in rows for c in row)
    palette = [c for c, _ in counts.most_common(16)]
    nearest = {c: min(range(len(palette)), key=lambda k: sum((x - y) ** 2 for x, y in zip(c, palette[k]))) for c in counts}
    raw = bytearray()
    for row in rows:
        index = [nearest[c] for c in row] + [0] * (len(row) % 2)
        raw += b"\0" + bytes(a << 4 | b for a, b in zip(index[::2], index[1::2]))
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n")
        for kind, part in ((b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 4, 3, 0, 0, 0)),
                           (b"PLTE", b"".join(palette)), (b"IDAT", zlib.compress(bytes(raw), 9)), (b"IEND", b"")):
            out.write(struct.pack(">I", len(part)) + kind + part + struct.pack(">I", zlib.crc32(kind + part)))


for name in sys.argv[1:]:
    write(name, read(name))
