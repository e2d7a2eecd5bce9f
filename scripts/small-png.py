"""Makes a PNG of a drawing small, or compares two that it made.

Usage: small-png.py NOTE FILE.png...    (8 bits a channel, RGB or RGBA, not interlaced; replaced)
       small-png.py --same OLD.png NEW.png    (prints what differs; status 1 if anything does)
A small picture has the 16 most frequent colours; pixels of other colours get the nearest of these. NOTE, which is kept
in the file, identifies the program that drew the picture. Two pictures of one program must be equal bit by bit.
Pictures of different programs have different letters, but lines of one colour must be in equal places within two
pixels.
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
        if kind == 1:
            for i in range(size, len(row)):
                row[i] = row[i] + row[i - size] & 255
        elif kind == 2:
            row = bytearray([a + b & 255 for a, b in zip(row, above)])
        elif kind:
            for i, b in enumerate(above):
                a, c = (row[i - size], above[i - size]) if i >= size else (0, 0)
                if kind == 3:
                    row[i] = row[i] + (a + b) // 2 & 255
                elif b == c: # Paeth: the nearest of a, b, c to a + b - c
                    row[i] = row[i] + a & 255
                elif a == c:
                    row[i] = row[i] + b & 255
                else:
                    p = a + b - c
                    row[i] = row[i] + min((a, b, c), key=lambda v: abs(p - v)) & 255
        rows.append([bytes(row[i:i + 3]) for i in range(0, len(row), size)])
        above = row
    return rows


def write(path, note, rows):
    counts = collections.Counter(c for row in rows for c in row)
    palette = [c for c, _ in counts.most_common(16)]
    nearest = {c: min(range(len(palette)), key=lambda k: sum((x - y) ** 2 for x, y in zip(c, palette[k])))
        for c in counts}
    raw = bytearray()
    for row in rows:
        index = [nearest[c] for c in row] + [0] * (len(row) % 2)
        raw += b"\0" + bytes(a << 4 | b for a, b in zip(index[::2], index[1::2]))
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n")
        for kind, part in ((b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 4, 3, 0, 0, 0)),
                           (b"PLTE", b"".join(palette)), (b"tEXt", b"Software\0" + note.encode()),
                           (b"IDAT", zlib.compress(bytes(raw), 9)), (b"IEND", b"")):
            out.write(struct.pack(">I", len(part)) + kind + part + struct.pack(">I", zlib.crc32(kind + part)))


def parts(path):
    """Returns the size, the note, and the places (x, y) of each colour of a small picture."""
    data, at, part = open(path, "rb").read(), 8, {b"IDAT": b"", b"tEXt": b""}
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        part[kind] = data[at + 8:at + 8 + length]
        at += 12 + length
    width, height = struct.unpack(">II", part[b"IHDR"][:8])
    raw, stride = zlib.decompress(part[b"IDAT"]), (width + 1) // 2 + 1
    places = collections.defaultdict(set)
    for y in range(height):
        for x, byte in enumerate(raw[y * stride + 1:(y + 1) * stride]):
            places[byte >> 4].add((2 * x, y))
            places[byte & 15].add((2 * x + 1, y))
    colours = [part[b"PLTE"][i:i + 3] for i in range(0, len(part[b"PLTE"]), 3)]
    return (width, height), part[b"tEXt"], {c: places[i] for i, c in enumerate(colours)}


def hue(colour):
    """Returns which of red, green and blue are strong; None for grey and pale colours, which are edges of lines."""
    return None if max(colour) - min(colour) < 80 else tuple(c > (max(colour) + min(colour)) / 2 for c in colour)


def lines(colours):
    out = collections.defaultdict(set)
    for colour, places in colours.items():
        if hue(colour):
            out[hue(colour)] |= places
    return out


def difference(old, new):
    """Returns the difference of two pictures in words; empty: they count as equal."""
    if open(old, "rb").read() == open(new, "rb").read():
        return ""
    size, note, before = parts(old)
    new_size, new_note, now = parts(new)
    if size != new_size:
        return f"its size is {new_size[0]} x {new_size[1]}, not {size[0]} x {size[1]}"
    if note == new_note:
        return "" if before == now else "it is another picture"
    before, now = lines(before), lines(now)
    if not before or before.keys() != now.keys():
        return "its lines have other colours"
    for colour in before:
        for a, b in ((before[colour], now[colour]), (now[colour], before[colour])):
            near = {(x + i, y + j) for x, y in b for i in range(-2, 3) for j in range(-2, 3)}
            if len(a - near) > 0.005 * len(a):
                return f"{len(a - near)} of {len(a)} points of its lines lie elsewhere"
    return ""


if sys.argv[1:2] == ["--same"] and len(sys.argv) == 4:
    found = difference(*sys.argv[2:])
    sys.exit(f"{sys.argv[2]}: {found}" if found else 0)
if len(sys.argv) < 3 or sys.argv[1].startswith("-"):
    sys.exit(__doc__)
for name in sys.argv[2:]:
    write(name, sys.argv[1], read(name))
