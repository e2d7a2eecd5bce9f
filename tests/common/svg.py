"""Reads a picture in SVG: panels with lines, points and areas in the values of their axes, and boxes of texts in
pixels.

Usage: svg.py PICTURE.svg PROGRAM
PROGRAM is Python code that checks the picture by `panels`, `texts`, same_line() ...; status 1 if a check fails.
"""
import csv, math, re, sys
from xml.etree import ElementTree

# Advance widths of DejaVu Sans and DejaVu Sans Bold in thousandths of the size, from the blank to the tilde, then
# ² ° …
NORMAL = [int(w) for w in """
    318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 636 636 636 337 337
    838 838 838 531 1000 684 686 698 770 632 575 775 752 295 295 656 557 863 748 787 603 787 695 635 611 732 684 989
    685 611 685 390 337 390 838 500 500 613 635 550 635 615 352 635 634 278 278 579 278 974 634 612 635 635 411 521
    392 634 592 818 592 592 525 636 337 636 838 401 500 1000""".split()]
BOLD = [int(w) for w in """
    348 456 521 838 696 1002 872 306 457 457 523 838 380 415 380 365 696 696 696 696 696 696 696 696 696 696 400 400
    838 838 838 580 1000 774 762 734 830 683 683 821 837 372 372 775 637 995 837 850 733 850 770 720 682 812 774
    1103 771 724 725 457 365 457 838 500 500 675 716 593 716 678 435 716 712 343 343 665 343 1042 712 687 716 716
    493 595 478 712 652 924 645 652 582 712 365 712 838 438 500 1000""".split()]
LETTERS = [chr(c) for c in range(32, 127)] + list("²°…")
NEAR = 0.1 # pixels: how far a curve may be from its data
G = 9.80665
DEG = math.pi/180


def expect(condition, text):
    if not condition:
        sys.exit(f"{sys.argv[1]}: {text}")


class Panel:
    def __init__(self):
        self.x, self.y, self.plots, self.frame = [], [], [], None
        self.levels, self.instants, self.spans, self.log, self.log_y = [], [], [], False, False

    def scale(self, axis):
        """Value of a pixel, by the first and the last number of an axis."""
        tics = sorted(self.x if axis == "x" else self.y)
        expect(len(tics) > 1, f"an axis {axis} with {len(tics)} numbers")
        (p, a), (q, b) = tics[0], tics[-1]
        log = self.log if axis == "x" else self.log_y
        f = math.log if log else lambda v: v
        for pixel, v in tics:
            expect(abs((f(v) - f(a))/(f(b) - f(a))*(q - p) + p - pixel) < 0.03, f"tic {v} at {pixel}")
        value = lambda pixel: f(a) + (pixel - p)/(q - p)*(f(b) - f(a))
        return (lambda pixel: math.exp(value(pixel))) if log else value, (q - p)/(f(b) - f(a)), f, (p, f(a))


class Plot:
    def __init__(self, colour):
        self.colour, self.lines, self.points, self.polygons, self.dash = colour, [], [], [], ""


def written(text):
    """Returns the number of a tick label: "−0.5", "1×10⁻⁴"."""
    m = re.fullmatch("(.*)×10([⁻⁰¹²³⁴-⁹]+)", text)
    return float(m[1])*power("10" + m[2]) if m else float(text.replace("−", "-"))


def values(labels, unit):
    """Returns the numbers of tick labels; words are numbered from 0."""
    try:
        return [written(v)*unit for v in labels]
    except ValueError:
        return list(range(len(labels)))


def power(text):
    """Returns the power of ten in the unit of an axis: "Ledger residual, 10⁻⁶ J"."""
    m = re.search(r"10([⁻⁰¹²³⁴-⁹]+)(?: \S.*)?$", text)
    return 10.0**int(m[1].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))) if m else 1.0


def colours_of(style):
    """Returns the stroke, or without one the fill, and the dashes of each class, in the order of the rules."""
    rules = {}
    for classes, body in re.findall(r"svg \.([\w.]+)\{([^}]*)\}", style):
        colour = re.search(r"stroke:#([0-9a-f]+)", body) or re.search(r"fill:#([0-9a-f]+)", body)
        if colour:
            code = colour[1] if len(colour[1]) >= 6 else "".join(2*c for c in colour[1])
            colour = tuple(int(code[i:i + 2], 16) for i in (0, 2, 4))
        dash = re.search(r"stroke-dasharray:([^;]*)", body)
        had = rules.get(classes, (None, None))
        rules[classes] = (colour or had[0], dash[1] if dash else had[1])
    return rules


def numbers(d):
    return [[tuple(map(float, q.split())) for q in re.findall(r"-?[\d.]+ -?[\d.]+", part)]
            for part in d.split("M") if part.strip()]


# Plots stand in this order: what is behind the lines, lines, what is on them.
ORDER = ("circle", "shape", "curve", "area", "run", "slope", "cones", "hits", "marks", "points")


def read_plot(panel, path, rules, dx, dy):
    """Takes a path of a panel."""
    classes, d = path.get("class").split(), path.get("d")
    shift = lambda p: (p[0] + dx, p[1] + dy)
    kind = classes[0]
    if kind == "at":
        panel.instants += [float(x) + dx for x in re.findall(r"M(-?[\d.]+)", d)]
    elif kind == "band":
        panel.spans.append(d)
    elif d:
        plot = Plot(None)
        for c in classes:
            colour, dash = rules.get(c, (None, None))
            plot.colour, plot.dash = colour or plot.colour, plot.dash if dash is None else dash
        parts = [[shift(p) for p in part] for part in numbers(d)]
        if kind == "guide" and len(parts[0]) == 2 and abs(parts[0][0][1] - parts[0][1][1]) < 0.01:
            panel.levels.append(parts[0][0][1])
            return
        plot.kind = kind if kind != "guide" else "circle" if len(parts[0]) > 20 else "slope"
        if kind in ("marks", "points", "cones"):
            radius = float(re.search(r"a([\d.]+)", d)[1])
            plot.points = [(p[0][0] + radius, p[0][1]) for p in parts]
        elif kind == "hits":
            plot.points = [(x + 3, y + 3) for x, y in (map(float, q) for q in re.findall(r"M(-?[\d.]+) (-?[\d.]+)", d))]
            plot.points = [shift(p) for p in plot.points]
        elif kind == "area":
            plot.polygons = parts
        else:
            plot.lines = parts
        panel.plots.append(plot)


def read(name):
    root = ElementTree.parse(name).getroot()
    space = "{http://www.w3.org/2000/svg}"
    rules = colours_of(root.find(space + "style").text)
    size = [float(v) for v in root.get("viewBox").split()[2:]]
    panels, boxes = [], []

    def take_text(t, dx, dy):
        kind, style = t.get("class"), t.get("style") or ""
        em = 12 if kind == "title" else 10.5 if kind == "tick" else 11
        em = float(re.search(r"font-size:([\d.]+)", style)[1]) if "font-size" in style else em
        widths = BOLD if kind == "title" else NORMAL
        width = em/1000*sum(widths[LETTERS.index(c)] if c in LETTERS else 700 for c in t.text or "")
        left = float(t.get("x")) + dx - {"start": 0, "middle": 0.5, "end": 1}[t.get("text-anchor", "start")]*width
        y = float(t.get("y")) + dy
        if t.text:
            boxes.append((left, y - 0.76*em, left + width, y + 0.24*em, t.text, kind))

    for node in root:
        if node.tag == space + "text":
            take_text(node, 0, 0)
        if node.tag != space + "g":
            continue
        dx, dy = map(float, re.findall(r"[-\d.]+", node.get("transform")))
        panel, grid, ticks, names = Panel(), [], {"middle": [], "end": []}, []
        for part in node:
            if part.tag == space + "text":
                take_text(part, dx, dy)
                if part.get("class") == "tick":
                    ticks[part.get("text-anchor")].append(part.text)
                elif part.get("class") == "title":
                    title = part.text or ""
                else:
                    names.append(part.text)
            elif part.get("class") == "grid":
                grid = re.findall(r"M(-?[\d.]+) (-?[\d.]+)([VH])", part.get("d"))
            elif part.get("class") == "frame":
                x, y, w, h = map(float, re.match(r"M(\S+) (\S+)h([\d.]+)v([\d.]+)", part.get("d")).groups())
                panel.frame = (x + dx, y + dy, x + w + dx, y + h + dy)
            elif part.tag == space + "svg":
                for path in part:
                    read_plot(panel, path, rules, dx, dy)
        panel.over = names[-1] if ticks["middle"] else ""
        panel.log = panel.over == "frequency, Hz"
        at = [float(g[0]) + dx for g in grid if g[2] == "V"], [float(g[1]) + dy for g in grid if g[2] == "H"]
        panel.title, panel.names = title, names
        panel.words = {"x": ticks["middle"], "y": ticks["end"]}
        panel.x = list(zip(at[0], values(ticks["middle"], power(panel.over))))
        panel.y = list(zip(at[1], values(ticks["end"], power(title))))
        panel.plots.sort(key=lambda plot: ORDER.index(plot.kind))
        panels.append(panel)
    for p in panels: # numbers of x stand below the last panel of a column
        if not p.x:
            below = next(q for q in panels[panels.index(p):] if q.x and abs(q.frame[0] - p.frame[0]) < 0.1)
            p.x, p.log, p.over = below.x, below.log, below.over
    return size, panels, boxes


def check_boxes(size, panels, boxes):
    """Checks that no text leaves the picture or overlaps another one. Only words beside lines may be in a panel."""
    for i, a in enumerate(boxes):
        expect(a[0] > -0.5 and a[1] > -0.5 and a[2] < size[0] + 0.5 and a[3] < size[1] + 0.5,
            f"'{a[4]}' leaves the picture: {a[:4]}, {size}")
        for b in boxes[:i]:
            expect(min(a[2], b[2]) - max(a[0], b[0]) < 0.5 or min(a[3], b[3]) - max(a[1], b[1]) < 0.5,
                f"'{a[4]}' overlaps '{b[4]}'")
        for p in panels:
            f = p.frame
            expect(not f or a[5] == "words" or min(a[2], f[2]) - max(a[0], f[0]) < 1
                or min(a[3], f[3]) - max(a[1], f[1]) < 4,
                f"'{a[4]}' stands in a panel")


def table(name):
    rows = list(csv.DictReader(open(name)))
    return lambda column: [float(r[column]) for r in rows]


def metrics(name):
    return {r["metric"]: float(r["value"]) for r in csv.DictReader(open(name)) if r["value"]}


def same_line(panel, plot, xs, ys, what):
    """Checks that the line is the polyline of these values, to a tenth of a pixel."""
    xvalue, xslope, fx, (px, ax) = panel.scale("x")
    yvalue, yslope, fy, (py, ay) = panel.scale("y")
    drawn = [p for line in plot.lines for p in line]
    expected = [(px + (fx(x) - ax)*xslope, py + (fy(y) - ay)*yslope) for x, y in zip(xs, ys)]
    expect(len(drawn) > 1, f"{what}: no line")

    def near(p, line, start):
        """Returns the piece of a line that comes within NEAR of a point, searched from the last one on, or None."""
        n = len(line) - 1
        for k in range(n):
            i = (start + k) % n
            (x0, y0), (x1, y1) = line[i], line[i + 1]
            if not (min(x0, x1) - NEAR <= p[0] <= max(x0, x1) + NEAR):
                continue
            l2 = (x1 - x0)**2 + (y1 - y0)**2
            t = 0 if l2 == 0 else min(1, max(0, ((p[0] - x0)*(x1 - x0) + (p[1] - y0)*(y1 - y0))/l2))
            if math.hypot(p[0] - x0 - t*(x1 - x0), p[1] - y0 - t*(y1 - y0)) < NEAR:
                return i
        return None

    for one, other in ((expected, drawn), (drawn, expected)):
        at = 0
        for p in one:
            at = near(p, other, at)
            expect(at is not None, f"{what}: {p} is not on the line")


def point_at(panel, plot, x, y, what):
    xvalue, xslope, fx, (px, ax) = panel.scale("x")
    yvalue, yslope, fy, (py, ay) = panel.scale("y")
    want = px + (x - ax)*xslope, py + (y - ay)*yslope
    expect(any(math.hypot(p[0] - want[0], p[1] - want[1]) < NEAR for p in plot.points),
        f"{what}: no point at {want} but {plot.points}")


def same_points(panel, plot, xs, ys, what):
    """Checks that the points are these values and no others, to a tenth of a pixel."""
    expect(len(plot.points) == len(xs), f"{what}: {len(plot.points)} points of {len(xs)}")
    for x, y in zip(xs, ys):
        point_at(panel, plot, x, y, what)
    xvalue, yvalue = panel.scale("x")[0], panel.scale("y")[0]
    x_one, y_one = (NEAR/abs(panel.scale(axis)[1]) for axis in "xy")
    for p in plot.points:
        expect(any(abs(xvalue(p[0]) - x) < x_one and abs(yvalue(p[1]) - y) < y_one for x, y in zip(xs, ys)),
            f"{what}: a point at {p}")


if __name__ == "__main__":
    size, panels, boxes = read(sys.argv[1])
    texts = [b[4] for b in boxes]
    exec(sys.argv[2])
