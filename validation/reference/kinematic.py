#!/usr/bin/env python3
"""Metrics of motions that are given functions of time.

Usage: validation/reference/kinematic.py FOLDER    writes tables below kinematic/

A motion is given by speed v, yaw rate r and side slip angle b over time. Place and heading follow by integration; a
table contains them, and a car with prescribed motion follows it exactly. Between its rows a table is a cubic with the
slopes of Steffen (Astronomy and Astrophysics 239 (1990) 443, eqs. 8, 11, 24 to 28), so that velocity and acceleration
are known at any instant: they contain neither a tyre nor an integration. The figures of the standards follow from these
functions of time by their definitions, with bisections, quadratures and least squares of this file. The program's
metrics read rows 1 ms apart; these figures use no rows, except that lines are fitted over instants 1 ms apart, whose
number has no effect.

The same figures are also computed from rows 8 ms apart, as if nothing else were known of the motion. Straight lines
join the rows, so that an error of one row is visible; onsets and ends of windows are between two rows.
"""
import math
import sys

from tools import files, tables

DEGREE = math.pi / 180
GRAVITY = 9.80665
STEP = 1e-3
APART = 8e-3


class Curve:
    """A table over time with Steffen's slopes."""

    def __init__(self, t, y):
        self.t, self.y = t, y
        h = [b - a for a, b in zip(t, t[1:])]
        s = [(b - a) / d for a, b, d in zip(y, y[1:], h)]
        slope = [self.end(s[0], s[1], h[0], h[1])]
        for i in range(1, len(s)):
            a, b = s[i - 1], s[i]
            p = (a * h[i] + b * h[i - 1]) / (h[i] + h[i - 1])
            slope.append((math.copysign(1, a) + math.copysign(1, b)) * min(abs(a), abs(b), abs(p) / 2))
        slope.append(self.end(s[-1], s[-2], h[-1], h[-2]))
        self.slope = slope

    @staticmethod
    def end(near, far, h, beyond):
        p = near * (1 + h / (h + beyond)) - far * h / (h + beyond)
        return 0.0 if p * near <= 0 else 2 * near if abs(p) > 2 * abs(near) else p

    def at(self, t):
        """Value, rate and second derivative."""
        low, high = 0, len(self.t) - 1
        if t >= self.t[-1] - 1e-12:
            t = self.t[-1] if abs(t - self.t[-1]) < 1e-9 else t
            if t > self.t[-1]:
                return self.y[-1], 0.0, 0.0
            low = high - 1
        else:
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if self.t[middle] <= t + 1e-12 else (low, middle)
        h, u = self.t[low + 1] - self.t[low], t - self.t[low]
        a, b, da, db = self.y[low], self.y[low + 1], self.slope[low], self.slope[low + 1]
        c, d = (3 * (b - a) / h - 2 * da - db) / h, (da + db - 2 * (b - a) / h) / (h * h)
        return a + u * (da + u * (c + u * d)), da + u * (2 * c + u * 3 * d), 2 * c + 6 * u * d


class Motion:
    """The motion of a car that follows the table; the tables of the steering wheel are beside those of the place."""

    step = STEP

    def __init__(self, until, row, speed, rate, slip, wheel, yaw=0.15):
        fine = row / 10
        place, x, y, heading = [], 0.0, 0.0, yaw
        weights = ((0, 1), (0.5, 4), (1, 1))
        for i in range(int(round((until + 2 * row) / fine)) + 1):  # the table goes on behind the end
            t = i * fine
            if i % 10 == 0:
                place.append((t, x, y, heading, wheel(t)))
            turn = [heading]  # by Simpson's rule to the middle and to the end
            for half in (1, 2):
                turn.append(turn[-1] + fine / 12 * (rate(t + (half - 1) * fine / 2) + 4 * rate(
                    t + (half - 0.5) * fine / 2) + rate(t + half * fine / 2)))
            x += fine / 6 * sum(w * speed(t + p * fine) * math.cos(turn[round(2 * p)] + slip(t + p * fine))
                                for p, w in weights)
            y += fine / 6 * sum(w * speed(t + p * fine) * math.sin(turn[round(2 * p)] + slip(t + p * fine))
                                for p, w in weights)
            heading = turn[-1]
        self.rows = [tuple(float(f"{v:.13g}") for v in p) for p in place]
        t = [p[0] for p in self.rows]
        self.x, self.y, self.yaw, self.wheel = (Curve(t, [p[k] for p in self.rows]) for k in (1, 2, 3, 4))
        self.until = until
        self.whole = self  # where a top is that of a parabola through three rows
        self.cache = {}

    def of(self, t):
        """All quantities at an instant."""
        key = round(t * 1e9)
        if key not in self.cache:
            (x, dx, ddx), (y, dy, ddy), (yaw, r, _) = self.x.at(t), self.y.at(t), self.yaw.at(t)
            c, s = math.cos(yaw), math.sin(yaw)
            vx, vy = c * dx + s * dy, c * dy - s * dx
            self.cache[key] = {
                "t": t, "x": x, "y": y, "yaw": yaw, "yaw_rate": r, "vx": vx, "vy": vy, "v": math.hypot(dx, dy),
                "ax": c * ddx + s * ddy, "ay": c * ddy - s * ddx, "slip": math.atan2(vy, vx),
                "wheel": self.wheel.at(t)[0], "steer": self.wheel.at(t)[0] / RATIO}
        return self.cache[key]

    def get(self, name):
        return lambda t: self.of(t)[name]

    def grid(self, start, end):
        h = self.step
        return [self.of(i * h) for i in range(math.ceil(start / h - 1e-9), math.floor(end / h + 1e-9) + 1)]

    def mean(self, name, start, end):
        rows = self.grid(start, end)
        return sum(p[name] for p in rows) / len(rows)

    def length(self, start, end):
        """Of the path, by Simpson's rule in pieces of a millisecond or less."""
        n = max(1, math.ceil((end - start) / STEP))
        h = (end - start) / n
        return sum(h / 6 * (self.of(start + i * h)["v"] + 4 * self.of(start + (i + 0.5) * h)["v"] + self.of(
            start + (i + 1) * h)["v"]) for i in range(n))

    def write(self, folder, name):
        header = ("t_s", "x_m", "y_m", "yaw_rad", "steering_wheel_rad")
        tables.write(folder, f"kinematic/{name}.csv", header, self.rows, 13)


class Rows(Motion):
    """The same motion, known at its rows alone; between them all quantities are straight lines."""

    step = APART

    def __init__(self, motion):
        self.whole, self.until, count = motion, motion.until, round(motion.until / APART)
        self.row = [dict(motion.of(i * APART)) for i in range(count + 1)]
        self.row[0]["way"] = 0.0
        for i in range(1, count + 1):
            self.row[i]["way"] = self.row[i - 1]["way"] + motion.length((i - 1) * APART, i * APART)

    def of(self, t):
        place = t / APART
        i = min(max(math.floor(place + 1e-7), 0), len(self.row) - 2)
        share = 0.0 if abs(place - i) < 1e-7 else place - i
        return {k: a + share * (self.row[i + 1][k] - a) for k, a in self.row[i].items()}

    def length(self, start, end):
        return self.of(end)["way"] - self.of(start)["way"]


RATIO = files.read("scenarios/vehicles/textbook_linear.yaml")["steering"]["ratio"]
LENGTH = files.read("scenarios/vehicles/textbook_linear.yaml")["wheelbase"]
TO_FRONT = files.read("scenarios/vehicles/textbook_linear.yaml")["cg_to_front"]


def crossing(of, level, start, end, step=2e-3):
    """The first instant from `start` on at which of(t) rises to the level."""
    t = start
    while t < end:
        if of(t) < level <= of(min(t + step, end)):
            low, high = t, t + step
            for _ in range(40):
                middle = (low + high) / 2
                low, high = (middle, high) if of(middle) < level else (low, middle)
            return high
        t += step
    raise ValueError(f"{level} is not reached")


def negative(of):
    return lambda t: -of(t)


def top(of, start, end):
    """Instant and value of the greatest value, by golden sections about the best of many instants."""
    n = math.ceil((end - start) / 2e-3)
    best = max((start + (end - start) * i / n for i in range(n + 1)), key=of)
    low, high = max(start, best - 2e-3), min(end, best + 2e-3)
    share = (math.sqrt(5) - 1) / 2
    for _ in range(40):
        a, b = high - share * (high - low), low + share * (high - low)
        low, high = (low, b) if of(a) > of(b) else (a, high)
    t = (low + high) / 2
    return (t, of(t)) if of(t) >= of(best) else (best, of(best))


def first_top(of, start, end, above):
    """The same of the first of the tops above a level; between two rows of a table there may be one."""
    n = math.ceil((end - start) / 5e-4)
    t = [start + (end - start) * i / n for i in range(n + 1)]
    at = next(i for i in range(1, n) if of(t[i]) > 1.001 * above and of(t[i - 1]) < of(t[i]) >= of(t[i + 1]))
    return top(of, t[at - 1], t[at + 1])


def line(points):
    """Intercept and slope of the least squares."""
    n = len(points)
    x, y = sum(p[0] for p in points) / n, sum(p[1] for p in points) / n
    slope = sum((p[0] - x) * (p[1] - y) for p in points) / sum((p[0] - x)**2 for p in points)
    return y - slope * x, slope


def second_order(t, w, z):
    """Response of a damped oscillator to a step at t = 0."""
    if t <= 0:
        return 0.0
    d = w * math.sqrt(1 - z * z)
    return 1 - math.exp(-z * w * t) * (math.cos(d * t) + z * w / d * math.sin(d * t))


def smooth(t, rise):
    u = min(max(t / rise, 0.0), 1.0)
    return u * u * u * (10 - 15 * u + 6 * u * u)


# --- a step of the steering wheel, ISO 7401 ---

def step_motion():
    return Motion(6.0, 0.05,
                  lambda t: 20 - 0.6 * smooth(t - 0.8, 2.5),
                  lambda t: 0.2 * second_order(t - 1.1, 6.0, 0.5),
                  lambda t: -0.03 * second_order(t - 1.1, 4.0, 0.6),
                  lambda t: 0.6 * smooth(t - 1.0, 0.3))


def step_figures(m, window=0.5):
    steady = {k: m.mean(k, m.until - window, m.until) for k in ("wheel", "steer", "yaw_rate", "ay", "slip")}
    at = lambda share: crossing(m.get("wheel"), share * steady["wheel"], 0.0, m.until)
    t0 = at(0.5)
    yield "step_time_s", t0
    yield "steering_rise_time_s", at(0.9) - at(0.1)
    yield "step_speed_mps", m.of(t0)["vx"]
    yield "speed_change_mps", m.of(m.until)["vx"] - m.of(t0)["vx"]
    yield "steering_wheel_steady_rad", steady["wheel"]
    yield "steer_steady_rad", steady["steer"]
    yield "yaw_rate_steady_radps", steady["yaw_rate"]
    yield "ay_steady_mps2", steady["ay"]
    yield "sideslip_steady_rad", steady["slip"]
    yield "yaw_rate_gain_radps_per_rad", steady["yaw_rate"] / steady["wheel"]
    yield "ay_gain_mps2_per_rad", steady["ay"] / steady["wheel"]
    yield "yaw_rate_road_wheel_gain_radps_per_rad", steady["yaw_rate"] / steady["steer"]
    yield "ay_road_wheel_gain_mps2_per_rad", steady["ay"] / steady["steer"]
    yield "sideslip_per_ay_rad_per_mps2", steady["slip"] / steady["ay"]
    for key, name in (("yaw_rate", "yaw_rate"), ("ay", "ay")):
        yield f"{name}_response_time_s", crossing(m.get(key), 0.9 * steady[key], 0.9, m.until) - t0
        if key == "yaw_rate":  # the acceleration of a table jumps at its rows and has tops there
            t, height = first_top(m.get(key), t0, m.until, steady[key])
            yield f"{name}_peak_response_time_s", t - t0
            yield f"{name}_overshoot", height / steady[key] - 1
            yield "tb_factor_deg_s", (t - t0) * abs(steady["slip"])


# --- a turn in which the car brakes to a standstill: ISO 7975, ISO 9816, ISO 21994, ISO 14512, UN R13-H ---

BRAKE_AT, THROTTLE_AT, SLOWS_AT = 3.02, 3.31, 3.5


def stop_motion():
    after = lambda t: max(t - SLOWS_AT, 0.0)
    speed = lambda t: 0.05 + 19.95 * math.exp(-after(t)**2 / (2 * 1.2**2))
    return Motion(8.0, 0.05, speed,
                  lambda t: 0.2 * speed(t) / 20 * (1 + 0.4 * math.sin(3.5 * after(t)) * (1 - math.exp(-4 * after(t)**2))),
                  lambda t: 0.02 + 0.02 * (1 - math.cos(1.7 * after(t))),
                  lambda t: 0.5 + 0.2 * (1 - math.cos(1.3 * after(t))), 0.1)


def turn_figures(m, name, t0, window=0.5):
    v0, r0, b0 = (m.mean(k, t0 - window, t0) for k in ("v", "yaw_rate", "slip"))
    start, radius = m.of(t0), v0 / r0
    course = start["yaw"] + start["slip"]
    middle = start["x"] - radius * math.sin(course), start["y"] + radius * math.cos(course)
    ratio = lambda t: m.of(t)["yaw_rate"] / (r0 * m.of(t)["v"] / v0)
    yield f"{name}_onset_s", t0
    yield f"{name}_speed_mps", v0
    yield f"{name}_ay_mps2", r0 * v0
    yield f"{name}_radius_m", radius
    for text, span in (("05", 0.5), ("1", 1.0), ("2", 2.0)):
        p = m.of(t0 + span)
        yield f"{name}_deceleration_{text}_mps2", (v0 - p["v"]) / span
        yield f"{name}_yaw_ratio_{text}", ratio(t0 + span)
        yield f"{name}_ay_ratio_{text}", p["ay"] / (r0 * p["v"]**2 / v0)
        yield f"{name}_sideslip_change_{text}_rad", p["slip"] - b0
        yield f"{name}_deviation_{text}_m", math.hypot(p["x"] - middle[0], p["y"] - middle[1]) - radius
    yield f"{name}_yaw_ratio_max", top(ratio, t0, t0 + 2)[1]
    yield f"{name}_yaw_ratio_min", -top(negative(ratio), t0, t0 + 2)[1]


def stop_figures(m, nominal):
    t0, first = BRAKE_AT, m.of(BRAKE_AT)
    falls = lambda v: crossing(negative(m.get("vx")), -v, t0, m.until)
    end, v0 = falls(0.1), first["vx"]
    way = m.length(t0, end)
    vb, ve = 0.8 * v0, 0.1 * v0
    course = first["yaw"] + first["slip"]
    aside = lambda t: abs((m.of(t)["y"] - first["y"]) * math.cos(course) - (m.of(t)["x"] - first["x"]) * math.sin(course))
    change = lambda key, to: top(lambda t: abs(m.of(t)[key] - first[key]), t0, to)[1]
    yield "brake_onset_s", t0
    yield "brake_initial_speed_mps", v0
    yield "stopping_distance_m", way
    yield "stopping_time_s", end - t0
    yield "mfdd_mps2", (vb * vb - ve * ve) / (2 * m.length(falls(vb), falls(ve)))
    yield "deceleration_peak_mps2", top(negative(m.get("ax")), t0, end)[1]
    yield "deceleration_mean_mps2", v0 * v0 / (2 * way)
    yield "stopping_speed_deviation_mps", v0 - nominal
    yield "stopping_distance_corrected_m", way * (nominal / v0)**2
    yield "pedal_rise_time_s", 0.9 * 0.4  # of a rise of 0.4 s at an even rate
    yield "stopping_lateral_deviation_m", top(aside, t0, end)[1]
    yield "stopping_heading_change_rad", change("yaw", end)
    yield "split_yaw_rate_1_radps", m.of(t0 + 1)["yaw_rate"]
    yield "split_heading_change_1_rad", change("yaw", t0 + 1)
    yield "split_wheel_1_rad", change("wheel", t0 + 1)
    yield "split_wheel_2_rad", change("wheel", t0 + 2)
    yield "split_wheel_rad", change("wheel", end)
    yield "split_lateral_deviation_m", top(aside, t0, end)[1]
    yield "split_sideslip_rad", change("slip", t0 + 2)


# --- a turn that grows: ISO 4138, ISO 13674-2, FMVSS 126's slowly increasing steer, and an acceleration ---

WHEEL_STOPS = 9.0


def growing_motion():
    share = lambda t: max(t - 0.5, 0.0) / 11.5
    bent = lambda t: min(share(t), share(WHEEL_STOPS))
    return Motion(12.0, 0.1,
                  lambda t: 28 + 4 * smooth(t - 0.5, 12.0),
                  lambda t: 0.212 * share(t) + 0.003 * math.sin(1.1 * max(t - 0.5, 0.0)) + 0.012 * smooth(t - 4.2, 0.3),
                  lambda t: -0.05 * share(t)**2,
                  lambda t: 0.9 * bent(t) + 0.5 * bent(t)**3, 0.1)


def growing_figures(m, low, high, tolerance):
    rows = m.grid(0, m.until)
    reach = round(0.25 / m.step)
    steady = [reach <= i < len(rows) - reach and all(
        abs(rows[i + k]["ay"] - rows[i]["ay"]) <= 0.25 for k in (
        sign * math.ceil(reach * n / 5) for n in range(1, 6) for sign in (-1, 1))) for i in range(len(rows))]
    bend = lambda p: p["yaw_rate"] / p["v"]
    beyond = lambda p: p["steer"] - LENGTH * bend(p)
    window = lambda a, b: [p for p, good in zip(rows, steady) if good and a <= p["ay"] <= b and p["yaw_rate"] > 0]
    inside = window(low, high)
    slope = lambda of, points: line([(p["ay"], of(p)) for p in points])[1]
    yield "circular_fit_from_mps2", min(p["ay"] for p in inside)
    yield "circular_fit_to_mps2", max(p["ay"] for p in inside)
    for name, unit, of in (("speed", "mps", lambda p: p["vx"]), ("radius", "m", lambda p: 1 / bend(p)),
                           ("steer", "rad", lambda p: p["steer"])):
        values = [of(p) for p in inside]
        average = sum(values) / len(values)
        yield f"circular_{name}_{unit}", average
        yield f"circular_{name}_spread", (max(values) - min(values)) / average
    u = slope(beyond, inside)
    yield "understeer_gradient_rad_per_mps2", u
    yield "steering_wheel_gradient_rad_per_mps2", slope(lambda p: p["wheel"], inside)
    yield "ackermann_gradient_rad_per_mps2", slope(lambda p: LENGTH * bend(p), inside)
    yield "sideslip_gradient_rad_per_mps2", slope(lambda p: p["slip"], inside)
    yield "sideslip_own_gradient_rad_per_mps2", slope(lambda p: p["slip"] - (LENGTH - TO_FRONT) * bend(p), inside)
    yield "stability_factor_s2pm2", u / LENGTH
    yield "characteristic_speed_mps", math.sqrt(LENGTH / u)
    for ay in (2, 4, 6):
        yield f"understeer_gradient_{ay}_rad_per_mps2", slope(beyond, window(ay - 0.5, ay + 0.5))
    base, rise = line([(p["ay"], beyond(p)) for p in inside])
    yield "linear_range_mps2", next(p["ay"] for p, good in zip(rows, steady) if good and p["ay"] > high and abs(
        beyond(p) - base - rise * p["ay"]) > tolerance)
    yield "steady_ay_reached_mps2", max(p["ay"] for p, good in zip(rows, steady) if good)

    slow = []
    for p in rows:
        if p["ay"] > 0.375 * GRAVITY:
            break
        if p["ay"] >= 0.1 * GRAVITY:
            slow.append(p)
    base, rise = line([(p["wheel"], p["ay"]) for p in slow])
    yield "sis_angle_rad", (0.3 * GRAVITY - base) / rise
    yield "sis_gain_mps2_per_rad", rise
    yield "sis_rate_radps", line([(p["t"], p["wheel"]) for p in slow])[1]
    yield "sis_speed_mps", sum(p["vx"] for p in slow) / len(slow)

    passage = [p for p in rows if p["t"] <= WHEEL_STOPS and low <= p["ay"] <= high and p["t"] > 0.5]
    graph = lambda x, y: line([(p[x], p[y]) for p in passage])
    zero = lambda fitted: -fitted[0] / fitted[1]
    yield "transition_start_s", 0.5
    yield "transition_speed_mps", sum(p["vx"] for p in passage) / len(passage)
    yield "transition_wheel_rate_radps", graph("t", "wheel")[1]
    yield "transition_ay_rate_mps3", graph("t", "ay")[1]
    yield "transition_yaw_rate_gradient_radps_per_rad", graph("wheel", "yaw_rate")[1]
    yield "transition_yaw_rate_wheel_deadband_rad", zero(graph("wheel", "yaw_rate"))
    yield "transition_yaw_rate_delay_s", zero(graph("t", "yaw_rate")) - 0.5
    yield "transition_ay_gradient_mps2_per_rad", graph("wheel", "ay")[1]
    yield "transition_ay_wheel_deadband_rad", zero(graph("wheel", "ay"))
    yield "transition_ay_delay_s", zero(graph("t", "ay")) - 0.5

    begin, end = (crossing(m.get("vx"), v, 0.0, m.until) for v in (28.5, 30.5))
    yield "acceleration_time_s", end - begin
    yield "acceleration_distance_m", m.length(begin, end)
    yield "acceleration_mean_mps2", 2.0 / (end - begin)
    yield "acceleration_peak_mps2", top(m.get("ax"), 0.0, m.until)[1]


# --- a sine at the steering wheel, ISO 7401, and the figures of a crosswind for it ---

def sine_motion():
    w = 2 * math.pi * 0.5

    def wave(t, late, first, second):
        p = w * (t - 0.5 - late)
        return 0.0 if not 0 < p < 2 * math.pi else (first if p < math.pi else second) * math.sin(p)**3

    # cubes of sines begin and end without a jump of the rate
    return Motion(4.0, 0.025,
                  lambda t: 20 - 0.5 * smooth(t - 0.5, 2.0),
                  lambda t: wave(t, 0.113, 0.25, 0.32),
                  lambda t: wave(t, 0.237, -0.012, -0.02),
                  lambda t: wave(t, 0.0, 0.5, 0.6), 0.6)


def sine_figures(m):
    end = m.until
    pairs = {}
    for key in ("wheel", "yaw_rate", "ay"):
        one = top(m.get(key), 0.3, 1.9)
        two = top(negative(m.get(key)), 1.4, 3.2)
        pairs[key] = one, two
    (t1, a1), (t2, a2) = pairs["wheel"]
    yield "sine_speed_mps", m.of(crossing(m.get("wheel"), 0.05 * max(a1, a2), 0.0, end))["vx"]
    yield "sine_wheel_peak_1_rad", a1
    yield "sine_wheel_peak_2_rad", a2
    yield "sine_ay_peak_1_mps2", pairs["ay"][0][1]
    yield "sine_ay_peak_2_mps2", pairs["ay"][1][1]
    yield "sine_frequency_Hz", 0.5 / (t2 - t1)
    for name, key, unit in (("yaw_rate", "yaw_rate", "radps_per_rad"), ("ay", "ay", "mps2_per_rad")):
        for i, (t, a) in enumerate(((t1, a1), (t2, a2))):
            if key != "ay":  # its top lies at one of the jumps near the summit, of nearly the same heights
                yield f"sine_{name}_lag_{i + 1}_s", pairs[key][i][0] - t
            yield f"sine_{name}_gain_{i + 1}_{unit}", pairs[key][i][1] / a


def crosswind_figures(m):
    t0 = next(p["t"] for p in m.grid(0, m.until) if abs(p["ay"]) > 1e-6)  # a jump shows at the row behind it
    start = m.of(0)
    yield "entry_s", t0
    for key, unit in (("yaw_rate", "radps"), ("ay", "mps2")):
        t, size = top(lambda u: abs(m.of(u)[key]), t0, m.until)
        yield f"{key}_peak_{unit}", m.of(t)[key]
        yield f"{key}_peak_time_s", t - t0
    for text in ("1", "2"):
        p = m.of(t0 + float(text))
        yield f"deviation_{text}s_m", (p["y"] - start["y"]) * math.cos(start["yaw"]) - (p["x"] - start["x"]) * math.sin(
            start["yaw"])
    yield "heading_2s_rad", m.of(t0 + 2)["yaw"] - start["yaw"]


# --- a sine with dwell to the right, FMVSS 126 and ISO 19365, from an offset of the steering wheel and in a turn ---

# The steering wheel turns at 71.6 deg/s for 0.22 s and returns, which is not the beginning of steer; then it turns at
# 78.5 deg/s for 0.21 s, then slower, then fast. The beginning of steer needs 75 deg/s for 0.2 s.
WHEEL = ((0.0, 0.02), (0.02, 0.02), (0.24, -0.255), (0.48, 0.02), (1.504, 0.02), (1.714, -0.2677), (1.811, -0.3877),
         (2.0, -1.8), (2.2, -1.8), (2.5, 0.02), (2.7, 1.6), (3.2, 1.6), (3.457, 0.02), (7.0, 0.02))


class Polyline:
    def __init__(self, points):
        self.points = points

    def at(self, t):
        for (t0, a), (t1, b) in zip(self.points, self.points[1:]):
            if t < t1:
                return a + (b - a) * max(t - t0, 0.0) / (t1 - t0), (b - a) / (t1 - t0), 0.0
        return self.points[-1][1], 0.0, 0.0


def dwell_motion():
    bell = lambda t, middle, width: math.exp(-((t - middle) / width)**2)
    m = Motion(6.0, 0.1,
               lambda t: 22 - 1.5 * smooth(t - 1.4, 3.0),
               lambda t: (0.012 + 0.004 * t - 0.31 * bell(t, 2.14, 0.42) + 0.42 * bell(t, 3.03, 0.41)
                          - 0.06 * smooth(t - 3.1, 1.2)),
               lambda t: 0.004 - 0.03 * bell(t, 2.4, 0.4) + 0.05 * bell(t, 3.2, 0.5), lambda t: 0.0, 0.3)
    m.wheel = Polyline(WHEEL)
    return m


def dwell_figures(m, unit_angle):
    rows = m.grid(0, m.until)
    rate = [0.0] + [(b["wheel"] - a["wheel"]) / m.step for a, b in zip(rows, rows[1:])]
    long = math.ceil(0.2 / m.step - 1e-6)
    start = next(i for i in range(len(rows) - long)
                 if all(-r > 75 * DEGREE for r in rate[i + 1:i + 1 + long]))
    before = [p for p in rows if -1 - 1e-9 <= p["t"] - rows[start]["t"] <= 1e-9]
    zero = {k: sum(p[k] for p in before) / len(before) for k in ("wheel", "yaw_rate", "ay")}
    wheel = lambda t: zero["wheel"] - m.of(t)["wheel"]  # to the right > 0
    begin = crossing(wheel, 5 * DEGREE, rows[start]["t"], m.until)
    back = crossing(negative(wheel), -1e-6, begin, m.until)
    lowest = top(negative(wheel), back, m.until)[0]
    end = crossing(wheel, -1e-6, max(lowest, 3.2), m.until)
    largest = max(top(wheel, begin, back)[1], top(negative(wheel), back, m.until)[1])
    yield "begin_s", begin
    yield "end_s", end
    yield "speed_mps", m.of(begin)["vx"]
    yield "amplitude_rad", largest
    yield "amplitude_per_a", largest / unit_angle
    aside = {k: (lambda k: lambda t: m.of(t)[k] - zero[k])(k) for k in ("yaw_rate", "ay")}
    summit = lambda t: m.whole.of(t)["yaw_rate"] - zero["yaw_rate"]  # parabolas between the rows of the table
    at, peak = first_top(summit, back, m.until, 0.0)
    yield "yaw_rate_peak_radps", peak
    yield "yaw_rate_peak_s", at
    yield "yaw_ratio_100", abs(aside["yaw_rate"](end + 1.0)) / peak
    yield "yaw_ratio_175", abs(aside["yaw_rate"](end + 1.75)) / peak
    speed = place = 0.0
    instants = [begin] + [p["t"] for p in rows if begin < p["t"] < begin + 1.07] + [begin + 1.07]
    for a, b in zip(instants, instants[1:]):
        h, u, v = b - a, -aside["ay"](a), -aside["ay"](b)
        place += h * speed + h * h * (2 * u + v) / 6
        speed += h * (u + v) / 2
    yield "displacement_m", place
    for key, unit in (("yaw_rate", "radps"), ("ay", "mps2")):
        changes = crossing(aside[key], 0.0, begin + 0.3, m.until)
        of = summit if key == "yaw_rate" else aside[key]
        after = crossing(negative(aside[key]), 0.0, changes + 1e-6, m.until)  # ay jumps, and soon returns for a moment
        first, second = top(negative(of), begin, changes), top(of, changes, after)
        yield f"{key}_peak_1_{unit}", first[1]
        yield f"{key}_peak_1_time_s", first[0] - begin
        yield f"{key}_zero_time_s", changes - begin
        yield f"{key}_peak_2_{unit}", second[1]
        yield f"{key}_peak_2_time_s", second[0] - begin


# --- a double lane change, ISO 3888-1, whose path starts elsewhere in another direction; lanes of secondary sources ---

WIDTH, NOSE, TAIL, RADIUS, SPACING, APPROACH, COURSE = 1.75, 0.83, 1.07, 0.2, 2.8, 6.0, 0.7
GATES = [(APPROACH + a, APPROACH + b, middle, factor * WIDTH + 0.25) for a, b, middle, factor in (
    (0, 15, 0.0, 1.1), (45, 70, 3.5, 1.2), (95, 110, 0.0, 1.3), (110, 125, 0.0, 1.3))]


def lane_motion():
    def hump(t, start, span, order):
        u = (t - start) / span
        if not 0 < u < 1:
            return 0.0
        return (30 * u * u * (1 - u)**2 if order == 0 else 60 * u * (1 - u) * (1 - 2 * u) / span) * 3.5 / (22 * span)

    course = lambda t, order: hump(t, 0.96, 1.36, order) - hump(t, 3.42, 1.13, order)
    m = Motion(7.0, 0.05, lambda t: 22 - 0.3 * smooth(t - 0.5, 6.0), lambda t: course(t, 1) - 0.004, lambda t: 0.004 * t,
               lambda t: 0.0, COURSE)
    m.wheel = Polyline(((0.0, 0.1), (8.0, 0.9)))
    return m


def cones():
    for i, (start, end, middle, width) in enumerate(GATES):
        n = math.ceil((end - start) / SPACING)
        for k in range(1 if i == 3 else 0, n + 1):  # the last lane is one with that before, and shares a pair with it
            for side in (1, -1):
                yield i, start + (end - start) * k / n, middle + side * (width / 2 + RADIUS)


def lane_figures(m, origin):
    c, s = math.cos(COURSE), math.sin(COURSE)
    front, back = TO_FRONT + NOSE, LENGTH - TO_FRONT + TAIL
    rows = []
    for p in m.grid(0, m.until):
        dx, dy = p["x"] - origin[0], p["y"] - origin[1]
        rows.append((p["t"], c * dx + s * dy, c * dy - s * dx, p["yaw"] - COURSE))

    def passes(ahead, line):
        points = [(t, x + ahead * math.cos(a), y + ahead * math.sin(a)) for t, x, y, a in rows]
        u, v = next((u, v) for u, v in zip(points, points[1:]) if u[1] < line <= v[1])
        share = (line - u[1]) / (v[1] - u[1])
        return u[0] + share * (v[0] - u[0]), u[2] + share * (v[2] - u[2])

    def seen(row, cone):
        _, x, y, a = row
        dx, dy = cone[1] - x, cone[2] - y
        return math.cos(a) * dx + math.sin(a) * dy, math.cos(a) * dy - math.sin(a) * dx

    def distance(a, b, share):
        x, y = a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
        return math.hypot(max(x - front, -back - x, 0.0), max(abs(y) - WIDTH / 2, 0.0)) - RADIUS

    hits, least, first, count = [0] * 4, math.inf, math.inf, 0
    for cone in cones():
        count += 1
        for u, v in zip(rows, rows[1:]):
            a, b = seen(u, cone), seen(v, cone)
            if distance(a, b, 0) > min(least, 0.3) + 0.2:
                continue
            low, high = 0.0, 1.0
            for _ in range(60):  # the distance from a convex body has one minimum
                u1, u2 = low + (high - low) / 3, high - (high - low) / 3
                low, high = (low, u2) if distance(a, b, u1) < distance(a, b, u2) else (u1, high)
            near = high
            least = min(least, max(distance(a, b, near), 0.0))
            if distance(a, b, near) <= 0:
                low, high = 0.0, near
                for _ in range(50):
                    middle = (low + high) / 2
                    low, high = (middle, high) if distance(a, b, middle) > 0 else (low, middle)
                hits[cone[0]] += 1
                first = min(first, u[0] + high * (v[0] - u[0]))
                break
    through = sum(all(abs(passes(front, x)[1] - middle) <= width / 2 for x in (start, end))
                  for start, end, middle, width in GATES)
    enters, leaves = passes(front, GATES[0][0])[0], passes(-back, GATES[-1][1])[0]
    for i in range(4):
        yield f"gate_{i + 1}_cone_hits", hits[i]
    yield "cone_hits", sum(hits)
    yield "gates_passed", through
    if sum(hits) > 0:
        yield "first_cone_hit_s", first
        return
    yield "cones", count
    yield "cone_clearance_m", least
    yield "passing_speed_mps", m.of(enters)["vx"]
    yield "lane_change_entry_speed_mps", m.of(enters)["vx"]
    yield "lane_change_exit_speed_mps", m.of(leaves)["vx"]
    yield "lane_change_time_s", leaves - enters
    inside = [p for p in m.grid(0, m.until) if enters <= p["t"] <= leaves]
    for key, name in (("ay", "ay_mps2"), ("yaw_rate", "yaw_rate_radps"), ("slip", "sideslip_rad"), ("wheel", "wheel_rad")):
        yield f"lane_change_{name}", max(abs(p[key]) for p in inside)


# --- a release of the steering wheel, ISO 17288: the yaw rate oscillates about its end value, with growing decay ---

RELEASE = 2.003


def release_motion():
    def rate(t):
        u = max(t - RELEASE - 0.12, 0.0)
        return 0.03 + 0.002 * min(t, RELEASE + 0.12) + 0.166 * math.exp(-0.6 * u - 0.25 * u * u) * math.cos(5.0 * u)

    return Motion(9.0, 0.1, lambda t: 20.0 - 0.02 * t, rate, lambda t: -0.02 - 0.0005 * t, lambda t: 0.0)


def release_figures(m, window=0.5):
    rows = m.grid(0, m.until)
    let_go = next(p["t"] for p in rows if p["t"] >= RELEASE)
    held = max(p["t"] for p in rows if p["t"] < RELEASE)
    before, ay = (m.mean(k, held - window, held) for k in ("yaw_rate", "ay"))
    left = m.mean("yaw_rate", m.until - window, m.until)
    aside = lambda t: m.whole.of(t)["yaw_rate"] - left
    zeros, start = [], RELEASE
    for turn in (negative(aside), aside, negative(aside), aside):
        start = crossing(turn, 0.0, start, m.until)
        zeros.append(start)
    tops = [top(of, a, b) for of, a, b in zip((negative(aside), aside, negative(aside)), zeros, zeros[1:])]
    sizes = [height for _, height in tops]
    beyond = [p["t"] for p in rows if abs(p["yaw_rate"] - left) > 0.1 * abs(before)]
    damping = lambda a, b: math.log(a / b) / math.hypot(math.pi, math.log(a / b))
    yield "time_s", let_go
    yield "ay_mps2", ay
    yield "yaw_rate_radps", before
    yield "yaw_rate_residual", left / before
    yield "return_time_s", beyond[-1] - let_go
    yield "yaw_rate_overshoot", sizes[0] / (before - left)
    yield "frequency_Hz", 0.5 / (tops[1][0] - tops[0][0])
    yield "damping", damping(sizes[0], sizes[1])
    yield "damping_later", damping(sizes[1], sizes[2])


def main():
    folder = sys.argv[1]
    figures = []
    for name, motion, sets in (
            ("step", step_motion(), lambda m: step_figures(m)),
            ("stop", stop_motion(), lambda m: [*turn_figures(m, "turn_brake", BRAKE_AT), *turn_figures(
                m, "power_off", THROTTLE_AT), *stop_figures(m, 22.0)]),
            ("growing", growing_motion(), lambda m: growing_figures(m, 1.0, 4.0, 0.003)),
            ("sine", sine_motion(), lambda m: [*sine_figures(m), *(
                (f"crosswind_{k}", v) for k, v in crosswind_figures(m))]),
            ("release", release_motion(), lambda m: [(f"free_steer_{k}", v) for k, v in release_figures(m)]),
            ("dwell", dwell_motion(), lambda m: [(f"swd_{k}", v) for k, v in dwell_figures(m, 0.4)])):
        motion.write(folder, name)
        for prefix, known in ((name, motion), (f"rows_{name}", Rows(motion))):
            figures += [(f"{prefix}_{figure}", value, "1") for figure, value in sets(known)]
    lane = lane_motion()
    lane.write(folder, "lane")
    for name, origin in (("clean", (0.08, -0.09)), ("hit", (0.15, -0.175)), ("beside", (0.72, -0.9))):
        figures += [(f"rows_{name}_{figure}", value, "1") for figure, value in lane_figures(Rows(lane), origin)]
    tables.write_numbers(folder, "kinematic/figures.csv", figures, 7)


if __name__ == "__main__":
    main()
