"""Checks a standard picture: reads cli/pictures.txt a second time, computes its expressions over the columns of a log
in Python, and compares panels, units, lines, areas, marks and texts of the SVG. It shares no code with the program that
draws.
"""
import bisect, csv, fnmatch, math, os, re, svg
from svg import DEG, G, expect

NAN = float("nan")
WHEELS = {"fl": "front left", "fr": "front right", "rl": "rear left", "rr": "rear right"}
# The units at axes: their kind and their size in SI.
UNITS = {"s": ("s", 1), "m": ("m", 1), "mm": ("m", 1e-3), "rad": ("rad", 1), "deg": ("rad", DEG),
         "deg/s": ("rad/s", DEG),
         "rad/s": ("rad/s", 1), "rpm": ("rad/s", math.pi/30), "km/h": ("m/s", 1/3.6), "m/s": ("m/s", 1),
         "g": ("m/s2", G),
         "bar": ("Pa", 1e5), "K": ("K", 1),
         "N": ("N", 1), "kN": ("N", 1000), "N m": ("N m", 1), "J": ("J", 1), "kJ": ("J", 1000), "%": ("1", 0.01),
         "": ("1", 1)}
KINDS = {"s": "s", "m": "m", "rad": "rad", "radps": "rad/s", "mps": "m/s", "mps2": "m/s2", "N": "N",
    "Nm": "N m", "J": "J", "Pa": "Pa", "K": "K"}
# Usual units of the field: that of a kind, and those of columns with other units.
FIELD = {"rad": "deg", "rad/s": "deg/s", "m/s": "km/h", "m/s2": "g", "N": "kN", "J": "kJ", "Pa": "bar"}
OWN = {"motor_speed_radps": "rpm", "travel_*_m": "mm", "ledger_residual_J": "J", "kappa_*": "%",
    "abs_pressure_*": "%", "pedal_force_N": "N", "omega_*_radps": "rad/s", "brake": "%", "throttle": "%"}


def kind_of(column):
    return KINDS.get(column.rsplit("_", 1)[-1], "1") if "_" in column else "1"


def unit_of(column):
    own = [unit for name, unit in OWN.items() if fnmatch.fnmatch(column, name)]
    kind = kind_of(column)
    return own[0] if own else FIELD.get(kind, "" if kind == "1" else kind)


class Rows(list):
    """A column: operators apply to each of its values; missing values are NAN."""
    def with_other(self, other, how):
        return Rows(map(how, self, other if isinstance(other, list) else [other]*len(self)))

    def __add__(self, o): return self.with_other(o, lambda a, b: a + b)
    def __radd__(self, o): return self + o
    def __sub__(self, o): return self.with_other(o, lambda a, b: a - b)
    def __rsub__(self, o): return self.with_other(o, lambda a, b: b - a)
    def __mul__(self, o): return self.with_other(o, lambda a, b: a*b)
    def __rmul__(self, o): return self*o
    def __truediv__(self, o): return self.with_other(o, lambda a, b: a/b if b else NAN)
    def __pow__(self, o): return self.with_other(o, lambda a, b: a**b)
    def __neg__(self): return Rows(-a for a in self)


def each(function):
    return lambda v: Rows(function(a) if a == a else NAN for a in v) if isinstance(v, list) else function(v)


def least(a, b):
    return a.with_other(b, min)


def signs(flags):
    """Returns 1 where a flag is set, otherwise -1."""
    return Rows(1 if flag else -1 for flag in flags)


class Run:
    """Log, metrics and keys of a run; the names that an expression may have."""
    def __init__(self, log):
        rows = list(csv.DictReader(open(log)))
        stem = log[:-4]
        self.columns = {name: Rows(float(r[name]) if r[name] else NAN for r in rows) for name in rows[0]}
        for name in [n for n in self.columns if n.endswith("_deg")]: # the program reads all in SI
            self.columns[name[:-3] + "rad"] = self.columns.pop(name)*DEG
        self.facts = svg.metrics(stem + ".metrics.csv")
        key, self.keys = [], {}
        for line in open(stem + ".resolved.yaml", encoding="utf-8"):
            m = re.match(r"( *)(?:- )?(\w+): *([^#]*)", line)
            if m:
                key[len(m[1])//2:] = [m[2]]
                self.keys[".".join(key)] = m[3].strip()
        for name, path in {"wheelbase": "vehicle.wheelbase", "steady_window": "metrics.steady_window",
                           "from_speed": "metrics.from_speed",
                           "to_speed": "metrics.to_speed", "fit_from": "metrics.fit_from", "fit_to": "metrics.fit_to",
                           "path_x": "path.x",
                           "path_y": "path.y", "path_yaw": "path.yaw", "course_from": "path.approach"}.items():
            if re.match(r"[-+.\d]", self.keys.get(path, "")):
                self.facts[name] = float(self.keys[path])
        if self.keys.get("path.type") == "iso3888_1":
            self.facts["course_to"] = self.facts["course_from"] + 125 # 15 + 30 + 25 + 25 + 15 + 15 m
        self.macros, self.known_values = {}, {}

    def length(self):
        return len(next(iter(self.columns.values())))

    # the names that pictures.txt derives, computed as it describes them
    def end(self):
        return self.columns["t_s"][-1]

    def braked(self):
        first = next(i for i, v in enumerate(self.columns["brake"]) if v > 0)
        return self.columns["t_s"][max(0, first - 1)]

    def begun(self):
        t, v = self.columns["t_s"], self.columns["vx_mps"]
        last = next((i for i, x in enumerate(v) if x >= self.facts["to_speed"]), len(v))
        low = max(i for i in range(last) if v[i] <= self.facts["from_speed"] + 1e-6)
        part = (self.facts["from_speed"] - v[low])/(v[low + 1] - v[low]) if v[low + 1] > v[low] else 0
        return t[low] + part*(t[low + 1] - t[low])

    def cycles(self):
        x = self.columns["steering_wheel_rad"]
        up = [i for i in range(1, len(x)) if x[i - 1] < 0 <= x[i]]
        return signs(up[0] <= i <= up[-1] for i in range(len(x)))

    def turning(self):
        """Returns 1 in the rows from the first motion of the steering wheel until it stops, otherwise -1."""
        x, rest = self.columns["steering_wheel_rad"], 1e-6
        first = next(i for i, v in enumerate(x) if abs(v) > rest)
        stop = first
        while stop + 1 < len(x) and abs(x[stop + 1]) > abs(x[stop]):
            stop += 1
        return signs(first <= i <= stop for i in range(len(x)))

    def calm(self):
        """Returns which rows are nearly steady: |ay| changes by at most 1 m/s3 over the quarters of a second before and
        after."""
        t, ay, v = (self.columns[n] for n in ("t_s", "ay_mps2", "vx_mps"))
        n, out = len(t), []
        for r in range(n):
            before = max(bisect.bisect_right(t, t[r] - 0.25 + 1e-9) - 1, 0)
            after = min(bisect.bisect_left(t, t[r] + 0.25 - 1e-9), n - 1)
            out.append(t[after] - t[before] > 0.49 and abs(ay[r] - ay[before]) <= 0.25
                and abs(ay[after] - ay[r]) <= 0.25 and v[r] > 1)
        return out

    def turn(self):
        ay = [a for a, calm in zip(self.columns["ay_mps2"], self.calm()) if calm]
        return math.copysign(1, max(ay, key=abs))

    def steady(self):
        """Returns 1 in the nearly steady rows except for the entry into the turn, otherwise -1. The entry ends half a
        second after the last row of the first half that is not nearly steady or, if ay grows over the run, whose ay is
        less than a quarter of a second before."""
        calm, t, ay = self.calm(), self.columns["t_s"], [abs(a) for a in self.columns["ay_mps2"]]
        half = len(t)//2
        grows, last = ay[half - 1] > ay[half//2], None
        for r in range(half):
            back = next(i for i in range(max(0, bisect.bisect_left(t, t[r] - 0.25) - 1), r + 1) if t[r] - t[i] <= 0.25)
            if t[r] - t[0] > 0.26 and (not calm[r] or (grows and ay[r] < ay[back])):
                last = r
        return signs(c and (last is None or t[r] > t[last] + 0.5) for r, c in enumerate(calm))

    DERIVED = ("end", "braked", "begun", "cycles", "turning", "turn", "steady")

    def value(self, text, rows=None):
        """The values of an expression in the rows that are drawn; by default in all. NameError: the run lacks a
        name."""
        rows = range(self.length()) if rows is None else rows
        run = self

        def integral(v):
            t, out = run.columns["t_s"], [0.0]
            for k in range(1, len(rows)):
                out.append(out[-1] + (t[rows[k]] - t[rows[k - 1]])*(v[k] + v[k - 1])/2)
            return Rows(out)

        class Names(dict):
            def __missing__(self, name):
                if name in run.macros:
                    return run.value(run.macros[name], rows)
                if name in run.DERIVED:
                    got = run.known_values.get(name) or getattr(run, name)()
                    run.known_values[name] = got
                    return Rows(got[i] for i in rows) if isinstance(got, list) else got
                if name in run.columns:
                    return Rows(run.columns[name][i] for i in rows)
                return run.facts[name]
        names = Names(min=least, pi=math.pi, g=G, abs=each(abs), sin=each(math.sin),
                      sqrt=each(lambda a: math.sqrt(a) if a >= 0 else NAN),
                      cos=each(math.cos), integral=integral,
                      start=lambda name: run.columns[name][rows[0]])
        text = re.sub(r"([a-zA-Z_]\w*)\.start\b", r"start('\1')", text)
        return eval(text.replace("^", "**"), {"__builtins__": {}}, names)

    def known(self, text, rows=None):
        try:
            return self.value(text, rows)
        except NameError: # of eval, where a name is missing
            return None

    def filled(self, text):
        """A text with its {values}, three digits each; None if one is missing."""
        try:
            return re.sub(r"\{([^}]*)\}", lambda m: digits(self.value(m[1])), text)
        except NameError:
            return None


def digits(v):
    text = f"{v:.3g}"
    return f"{v:.0f}" if "e+" in text else text


class Over:
    def __init__(self, text, name="", only="", unit=None):
        self.text, self.name, self.only, self.unit = text, name, only, unit


class Declared:
    def __init__(self, over, title, flags=""):
        self.over, self.title, self.items, self.unit = over, title, [], None
        self.unit = next((f[3:] for f in flags.split() if f.startswith("as:")), None)
        self.given = self.unit is not None


def declaration(name):
    """What pictures.txt has of a picture: panels, text below the title, macros, column for whose values it repeats."""
    panels, say, macros, each, here, over = [], "", {}, None, False, None
    for line in open(os.path.join(os.path.dirname(__file__), "../../cli/pictures.txt"), encoding="utf-8"):
        part = [p.strip() for p in line.rstrip("\n").split("|")]
        if line.startswith("#") or not part[0]:
            continue
        if part[0] == "picture":
            here = part[1] == name
        elif not here:
            continue
        elif part[0] == "let":
            macros[part[1]] = part[2]
        elif part[0] == "each":
            each = part[1]
        elif part[0] == "over":
            over = Over(*part[1:])
        elif part[0] == "panel":
            panels.append(Declared(over, *part[1:]))
        elif part[0] == "say":
            say = part[1]
        else:
            panels[-1].items.append(part)
    return panels, say, macros, each


def first_column(run, text):
    for name in re.findall(r"[A-Za-z_]\w*", text):
        if name in run.macros:
            return first_column(run, run.macros[name])
        if name in run.columns:
            return name
    return None


def rows_of(run, only):
    return [i for i, k in enumerate(run.value(only)) if k >= 0] if only else list(range(run.length()))


def same_value(a, b):
    return abs(a - b) <= 1e-9*(1 + abs(b))


def families(run, over, item, only, most):
    """[(value, rows)] of a family: the rows of each value, evenly over at most so many of them."""
    rows = rows_of(run, only)
    found = []
    for row, v in zip(rows, run.value(item[2], rows)):
        if v == v:
            mine = next((f for f in found if same_value(f[0], v)), None)
            if mine is None:
                found.append((v, [row]))
            else:
                mine[1].append(row)
    count = min(len(found), most)
    return [found[k*(len(found) - 1)//(count - 1) if count > 1 else 0] for k in range(count)]


def lines_of_family(run, over, item, lines):
    named = "#" in item[3]
    closed = item[4:] == ["closed"]
    for w in WHEELS if "@" in item[1] else [""]:
        all_rows, text = [], item[1].replace("@", w)
        for value, rows in families(run, over, item, over.only, 5 if named else 25):
            rows = rows + rows[:1] if closed else rows
            if named:
                lines.append((rows, run.value(over.text, rows), run.value(text, rows), text))
            all_rows += rows
        if not named and all_rows:
            lines.append((all_rows, run.value(over.text, all_rows), run.value(text, all_rows), text))


def lines_of(run, panel):
    """(rows, x, y, name) of every line and area of a panel, in the order of the table, in SI."""
    lines = []
    for item in panel.items:
        over = panel.over
        if item[0] == "line":
            wheels = WHEELS if "@" in over.text + over.only + item[1] else [""]
            for w in wheels:
                if len(item) > 2 and re.fullmatch("[fr][lr] [fr][lr]", item[2]) and w not in item[2].split():
                    continue
                text, x, only = (t.replace("@", w) for t in (item[1], over.text, over.only))
                if run.known(text) is None or run.known(x) is None or (only and run.known(only) is None):
                    continue
                rows = rows_of(run, only)
                values = run.value(text, rows) if rows else []
                if any(v == v for v in values):
                    lines.append((rows, run.value(x, rows), values, text))
        elif item[0] == "family":
            lines_of_family(run, over, item, lines)
        elif item[0] == "area":
            rows = rows_of(run, over.only)
            for part in item[1].split():
                terms = [part] if "-" in part else [t for t in part.split("+") if run.known(t) is not None]
                if terms and run.known("+".join(terms)) is not None:
                    lines.append((rows, run.value(over.text, rows), run.value("+".join(terms), rows), "+".join(terms)))
    return lines


def moves(values):
    return any(abs(v - values[0]) > 1e-9*(abs(v) + abs(values[0])) + 1e-12 for v in values)


def axis_units(run, panel, boxes, drawn):
    """Checks the title and the name of x at the panel, with the units of the field. Returns the sizes of both units in
    SI, (x, y)."""
    out = []
    lines = lines_of(run, panel)
    for axis in "xy":
        over = panel.over
        name = first_column(run, over.text.replace("@", "fl") if axis == "x" else lines[0][3])
        given = over.unit if axis == "x" else panel.unit
        unit = unit_of(name) if given is None else given
        shown = "" if unit == "1" else unit
        expect(UNITS[shown][0] == kind_of(name) or given is not None, f"{name} in {unit}")
        text = (over.name if axis == "x" else panel.title[0].upper() + panel.title[1:]
            if len(panel.title) > 1 else panel.title) + \
            (f", {re.sub('s2$', 's²', shown)}" if shown else "")
        left, top, right, foot = drawn.frame
        if axis == "x": # below the column of panels
            at = [b for b in boxes if abs(b[0] + b[2] - left - right) < 1 and b[1] > foot]
            found = min(at, key=lambda b: b[1], default=None)
        else:
            at = [b for b in boxes if abs(b[0] - left) < 1 and b[3] < top + 1]
            found = max(at, key=lambda b: b[1], default=None)
            at = [b for b in at if b[1] > found[1] - 4*(found[3] - found[1])]
        expect(found and text in [re.sub("10[⁻⁰¹²³⁴-⁹]+ ", "", b[4]) for b in at],
            f"'{text}' is not at the axis {axis}, but {found}")
        out.append(1 if given is not None else UNITS[shown][1])
    return out


def off(line, x, y):
    """Returns the distance of a point from a line over growing x."""
    i = min(max(bisect.bisect_left(line, (x - 0.02,)), 1), len(line) - 1)
    def distance(a, b):
        square = math.dist(a, b)**2
        t = 0 if square == 0 else min(1, max(0, ((x - a[0])*(b[0] - a[0]) + (y - a[1])*(b[1] - a[1]))/square))
        return math.hypot(x - a[0] - t*(b[0] - a[0]), y - a[1] - t*(b[1] - a[1]))
    return min(distance(a, b) for a, b in zip(line[max(0, i - 3):i + 3], line[max(0, i - 2):i + 4]))


def same_areas(drawn, plots, lines, xsize, ysize):
    """Checks that every area begins at those before it whose values have the same sign, and that the corners of its
    polygon are those of its edges."""
    up, down, edges = {}, {}, []
    for rows, xs, ys, name in lines:
        low = [(up if y >= 0 else down).get(r, 0.0) for r, y in zip(rows, ys)]
        for r, y in zip(rows, ys):
            stack = up if y >= 0 else down
            stack[r] = stack.get(r, 0.0) + y
        edges.append((xs, low, [a + b for a, b in zip(low, ys)], name))
    span = max(0.0, max(up.values(), default=0)) - min(0.0, min(down.values(), default=0))
    edges = [e for e in edges if max(abs(a - b) for a, b in zip(e[1], e[2])) >= span/500]
    expect(len(plots) == len(edges), f"{len(plots)} areas of {[e[3] for e in edges]}")
    _, xslope, _, (px, ax) = drawn.scale("x")
    _, yslope, _, (py, ay) = drawn.scale("y")
    for plot, (xs, low, high, name) in zip(plots, edges):
        (polygon,) = plot.polygons
        turn = len(polygon)//2 # forwards on one edge, backwards on the other
        upper, lower = polygon[:turn], polygon[:turn - 1:-1]
        thick = 0
        for x, a, b in zip(xs, low, high):
            if abs(b - a)*abs(yslope)/ysize < 0.05:
                continue
            thick += 1
            pixel = px + (x/xsize - ax)*xslope
            for edge, line in ((b, upper), (a, lower)):
                want = py + (edge/ysize - ay)*yslope
                expect(off(line, pixel, want) < 2*svg.NEAR, f"area {name}: no edge at {x}, {edge}")
        expect(thick > 5, f"area {name}: nothing to see")
        # the polygon has no area beyond: its ink is the sum of the trapezoids
        thickness = [abs(p[1] - q[1]) for p, q in zip(upper, lower)]
        ink = sum(abs(upper[k][0] - upper[k - 1][0])*(thickness[k] + thickness[k - 1]) for k in range(1, turn))/2
        want = sum(abs(xs[k] - xs[k - 1])*(abs(high[k] - low[k]) + abs(high[k - 1] - low[k - 1]))/2
            for k in range(1, len(xs)))
        want *= abs(xslope*yslope)/xsize/ysize
        expect(abs(ink - want) < 0.02*want + 1, f"area {name}: {ink} square pixels, {want} expected")


def same_marks(run, panel, drawn, plots, line, sizes, texts_at):
    """Checks slopes, points, levels, instants and circles, with their texts."""
    (rows, xs, ys, _), (xsize, ysize) = line, sizes
    _, xslope, _, (px, ax) = drawn.scale("x")
    _, yslope, _, (py, ay) = drawn.scale("y")
    pixel = lambda x, y: (px + (x/xsize - ax)*xslope, py + (y/ysize - ay)*yslope)
    stated, texts = [], [b[4] for b in texts_at]
    for item in panel.items:
        item = item + [""]*4
        kind = item[0]
        if kind == "slope":
            k, low, high = (run.known(t) for t in item[1:4])
            if k is None or low is None or high is None:
                continue
            inside = [(x, y) for x, y in zip(xs, ys) if low <= x <= high]
            mx, my = (sum(p[j] for p in inside)/len(inside) for j in (0, 1))
            half = (high - low)/2
            ends = [pixel(x, my + k*(x - mx)) for x in (low - half, high + half)]
            plot = plots.pop(0)
            got = [p for part in plot.lines for p in part]
            expect(len(got) == 2 and all(math.dist(a, b) < 2*svg.NEAR for a, b in zip(sorted(got), sorted(ends))),
                f"slope {item[1]}: {got}, not {ends}")
            name = first_column(run, panel.over.text)
            stated.append(f"{item[4]} {digits(k*xsize/ysize)} {unit_of(first_column(run, line[3]))}/{unit_of(name)}")
        elif kind == "mark":
            x, y = run.known(item[1]), run.known(item[2]) if item[2] else None
            text = run.filled(item[3])
            if x is None or (item[2] and y is None):
                continue
            if not item[2]:
                i = next((i for i in range(len(xs) - 1) if xs[i] <= x <= xs[i + 1]), None)
                if i is None:
                    continue
                y = ys[i] + (x - xs[i])/((xs[i + 1] - xs[i]) or 1)*(ys[i + 1] - ys[i])
            svg.point_at(drawn, plots.pop(0), x/xsize, y/ysize, f"mark {item[3]}")
            stated.append(text)
        elif kind in ("level", "at"):
            v = run.known(item[1])
            if v is None:
                continue
            at = pixel(0, v)[1] if kind == "level" else pixel(v, 0)[0]
            got = drawn.levels if kind == "level" else drawn.instants
            expect(any(abs(at - p) < svg.NEAR for p in got), f"{kind} {item[1]}: none at {at} but {got}")
            stated.append(run.filled(item[2]))
        elif kind == "words": # texts that stand on the frame or on each other are left out
            only = f"min({panel.over.only}, {item[4]})" if panel.over.only else item[4]
            written = 0
            for value, rows in families(run, panel.over, item, only, 5):
                size = UNITS[unit_of(first_column(run, item[2]))][1]
                text = item[3].replace("#", digits(value/size).replace("-", "−") + "°")
                at = pixel(run.value(panel.over.text, rows[:1])[0], run.value(item[1], rows[:1])[0])
                for b in texts_at:
                    if b[4] == text:
                        written += 1
                        expect(abs(b[0] + b[2] - 2*at[0]) < 8 and abs(b[1] + b[3] - 2*at[1]) < 8, f"{text}: {b}, {at}")
            expect(written > 2, f"{item[3]}: {written} texts")
        elif kind == "circle":
            stated.append(run.filled(item[2]) or None)
    for text in stated:
        expect(not text or any(t == text or (t.endswith("…") and text.startswith(t[:-1])) for t in texts),
            f"no text '{text}' in {texts}")
    return plots


def same_circles(run, panel, drawn, plots, sizes):
    for item in panel.items:
        if item[0] == "circle":
            r, plot = run.value(item[1]), plots.pop(0)
            circle = Rows(i*math.pi/90 for i in range(181))
            svg.same_line(drawn, plot, [r*math.cos(a)/sizes[0] for a in circle],
                [r*math.sin(a)/sizes[1] for a in circle], "circle")
        elif item[0] in ("course", "cars", "curves", "edges"):
            expect(plots.pop(0).lines, item[0]) # other tests check these
    return plots


def declared(name, log, panels, boxes):
    """Checks that a picture of this log is as pictures.txt declares."""
    run = Run(log)
    shown, say, run.macros, each = declaration(name)
    expect(each is None or len(set(run.columns[each])) == 1, f"{each} has several values: not read by this test")
    shown = [p for p in shown if any(moves(line[2]) for line in lines_of(run, p))]
    expect(len(panels) == len(shown) > 0, f"{len(panels)} panels, not {[p.title for p in shown]}")
    texts = [b[4] for b in boxes]
    for panel, drawn in zip(shown, panels):
        sizes = axis_units(run, panel, boxes, drawn)
        lines, plots = lines_of(run, panel), list(drawn.plots)
        plots = same_circles(run, panel, drawn, plots, sizes)
        if any(item[0] == "area" for item in panel.items):
            same_areas(drawn, plots, lines, *sizes)
            continue
        for rows, xs, ys, text in lines:
            there = [(x/sizes[0], y/sizes[1]) for x, y in zip(xs, ys) if x == x and y == y]
            expect(plots, f"{text} is not drawn")
            svg.same_line(drawn, plots.pop(0), [p[0] for p in there], [p[1] for p in there], f"{panel.title}: {text}")
        plots = same_marks(run, panel, drawn, plots, lines[0], sizes, boxes)
        expect(not plots or "course" in [item[0] for item in panel.items],
            f"{panel.title}: {len(plots)} lines more than declared")
    stated = run.filled(say) if say else None
    expect(not stated or stated in " ".join(texts), f"'{stated}' is not below the title")
