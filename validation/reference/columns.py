#!/usr/bin/env python3
"""The columns of vdsim-kc-sweep for a complete double wishbone, over travel and rack, and its figures at the design
position.

Usage: validation/reference/columns.py FOLDER    writes kc/columns.csv, kc/turned.csv, kc/rear.csv and
kc/figures.csv

The poses are those of linkages.py. All other columns follow from places and velocities of points of the left wheel in
the axes of that program: x ahead, y to the left, z up. The angular velocity w and the velocity v of the knuckle are
found from the derivatives of three directions and of the wheel centre, by complex steps. Second derivatives are
differences of five points, whose error falls with the fourth power of 1 mm.
"""
import math
import sys

from linkages import DEGREE, TINY, atan2, corner_of, dot, in_frame, length, parts_of, sub
from tools import files, tables
from tools.tables import cross

PLACES = [(travel, rack) for travel in (-0.05, 0.0, 0.04) for rack in (-0.02, 0.0, 0.015)]
LOAD = {"fx": 400.0, "fy": -1500.0, "fz": 4200.0, "mz": 35.0, "centre": 650.0}


def add(a, b, factor=1.0):
    return [x + factor * y for x, y in zip(a, b)]


class Wishbone:
    def __init__(self, file):
        self.file, self.knuckle = file, corner_of(file)
        axis = file["wheel"]["spin_axis"]
        self.spin = [x / length(axis) for x in axis]
        self.radius = file["wheel"]["static_radius"]
        self.turns = []  # rows of turned.csv
        design = self.seen(self.knuckle.start)
        self.road, self.design = design["patch"][2], design
        rates = self.rates(self.knuckle.start, 0.0, 0.0)[0]
        per_travel = self.slope(self.knuckle.start, rates)
        # F MR = W d(contact z)/dz
        self.force = file["wheel_load"] * per_travel["patch"][2] / -per_travel["spring"]

    def on_arm(self, base, element):
        """A point of the lower arm, which turns about its axis with its outer joint."""
        arm = self.file["lca"]
        ends = [arm["chassis_front"], arm["chassis_rear"]]
        design = ends + [arm["knuckle"]]
        now = ends + [self.knuckle.point(base, arm["knuckle"])]
        eye = self.file[element]["eye"]
        return add(now[0], in_frame(now, parts_of(design, sub(eye, design[0]))))

    def seen(self, state):
        """Places and lengths of a state, which may be complex."""
        base = [state[0:3], state[3:6], state[6:9]]
        turned = [in_frame(base, parts_of(self.knuckle.base, axis)) for axis in
                  ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0])]
        axis = in_frame(base, parts_of(self.knuckle.base, self.spin))
        centre = self.knuckle.point(base, self.knuckle.centre)
        down = [axis[2] * axis[0], axis[2] * axis[1], axis[2] ** 2 - 1.0]
        out = {"turned": turned, "axis": axis, "centre": centre,
               "patch": add(centre, down, self.radius / length(down)),
               "lower": self.knuckle.point(base, self.file["lca"]["knuckle"]),
               "upper": self.knuckle.point(base, self.file["uca"]["knuckle"])}
        for element in ("spring", "damper"):
            out[element] = length(sub(self.file[element]["chassis"], self.on_arm(base, element)))
        out["toe"] = atan2(axis[0], axis[1])
        out["camber"] = -atan2(axis[2], (axis[0] ** 2 + axis[1] ** 2) ** 0.5)
        king = sub(out["upper"], out["lower"])
        out["caster"], out["kpi"] = atan2(-king[0], king[2]), atan2(-king[1], king[2])
        return out

    def rates(self, state, travel, rack):
        """Derivatives of the state by travel and by rack."""
        jacobian = self.knuckle.jacobian(state, travel, rack)
        steps = ((complex(travel, TINY), rack), (travel, complex(rack, TINY)))
        right = [[-complex(r).imag / TINY for r in self.knuckle.residuals(state, *step)] for step in steps]
        return tables.solve(jacobian, right)

    def slope(self, state, rates):
        """Derivatives of the columns."""
        moved = self.seen([complex(x, TINY * r) for x, r in zip(state, rates)])

        def imaginary(x):
            return [imaginary(y) for y in x] if isinstance(x, list) else complex(x).imag / TINY

        return {name: imaginary(value) for name, value in moved.items()}

    def at(self, travel, rack):
        state = self.knuckle.start
        steps = 20
        for i in range(1, steps + 1):
            state = self.knuckle.solve(state, travel * i / steps, rack * i / steps)
        return state

    def first(self, travel, rack):
        """Motion ratio and height of the roll centre, of which derivatives by travel are taken."""
        state = self.at(travel, rack)
        s, d = self.seen(state), self.slope(state, self.rates(state, travel, rack)[0])
        height = s["patch"][2] - self.road + s["patch"][1] * d["patch"][1] / d["patch"][2]
        return [-d["spring"], height]

    def second(self, travel, rack, h=1e-3):
        f = [self.first(travel + k * h, rack) for k in (-2, -1, 1, 2)]
        return [(f[0][i] - 8 * f[1][i] + 8 * f[2][i] - f[3][i]) / (12 * h) for i in range(2)]

    def row(self, travel, rack):
        car, state = self.file["car"], self.at(travel, rack)
        s = self.seen(state)
        by_travel, by_rack = (self.slope(state, rates) for rates in self.rates(state, travel, rack))
        # w = sum(e x e')/2 of three perpendicular directions e
        turn = [sum(cross(*pair)[j] for pair in zip(s["turned"], by_travel["turned"])) / 2 for j in range(3)]
        centre, patch, velocity = s["centre"], s["patch"], by_travel["centre"]
        arm = sub(patch, centre)
        brake = velocity[0] + cross(turn, arm)[0]  # of the patch as a point of the knuckle
        roll_slope = by_travel["patch"][1] / by_travel["patch"][2]
        ratio_slope, migration = self.second(travel, rack)
        ratio = -by_travel["spring"]
        force = self.force + self.file["spring"]["rate"] * (self.design["spring"] - s["spring"])
        rate = self.file["spring"]["rate"] * ratio**2 + force * ratio_slope
        tyre = self.file["tyre_rate"]
        king, low = sub(s["upper"], s["lower"]), s["lower"]
        ground, level = (add(low, king, (z - low[2]) / king[2]) for z in (patch[2], centre[2]))
        # castor and scrub in the tyre's axes of ISO 8855: along the wheel's trace on the road, and across it
        trace = math.hypot(s["axis"][0], s["axis"][1])
        ahead, across = ([sign * s["axis"][i] / trace for sign, i in axis] + [0.0] for axis in
                         (((1, 1), (-1, 0)), ((1, 0), (1, 1))))
        front = [centre[1] - velocity[2] / turn[0], centre[2] + velocity[1] / turn[0]]
        side = [centre[0] + velocity[2] / turn[1], centre[2] - velocity[0] / turn[1]]
        lever = (1.0 if car["axle"] == "front" else -1.0) * car["wheelbase"] / car["cg_height"]
        couple = add(cross(sub(patch, low), [LOAD["fx"], LOAD["fy"], LOAD["fz"]]), [0.0, 0.0, LOAD["mz"]])
        couple = add(couple, cross(sub(centre, low), [LOAD["centre"], 0.0, 0.0]))
        mm, degree = 1e3, 1 / DEGREE
        spin = math.atan2(-s["turned"][0][2], s["turned"][0][0])
        return {
            "travel_mm": mm * travel, "rack_mm": mm * rack, "fx_N": LOAD["fx"], "fy_N": LOAD["fy"],
            "fz_N": LOAD["fz"], "mz_Nm": LOAD["mz"],
            "toe_deg": degree * s["toe"].real, "camber_deg": degree * s["camber"].real,
            "steer_deg": -degree * s["toe"].real,
            "caster_deg": degree * s["caster"].real, "kpi_deg": degree * s["kpi"].real,
            "wheel_x_mm": mm * centre[0], "wheel_y_mm": mm * centre[1], "wheel_z_mm": mm * centre[2],
            "patch_x_mm": mm * patch[0], "patch_y_mm": mm * patch[1], "patch_z_mm": mm * patch[2],
            "half_track_change_mm": mm * (centre[1] - self.design["centre"][1]),
            "scrub_mm": mm * dot(sub(patch, ground), across), "trail_mm": mm * dot(sub(ground, patch), ahead),
            "kingpin_offset_mm": mm * dot(sub(centre, level), across),
            "spindle_trail_mm": mm * dot(sub(level, centre), ahead),
            "wheel_spin_deg": degree * spin,
            "spring_length_mm": mm * s["spring"], "damper_length_mm": mm * s["damper"],
            "motion_ratio": ratio, "damper_ratio": -by_travel["damper"], "spring_force_N": force,
            "wheel_rate_Npmm": 1e-3 * rate, "ride_rate_Npmm": 1e-3 * rate * tyre / (rate + tyre),
            "roll_centre_z_mm": mm * (patch[2] - self.road + patch[1] * roll_slope),
            "roll_centre_height_mm": mm * patch[1] * roll_slope, "roll_centre_migration": migration,
            "toe_travel_degpmm": 1e-3 * degree * by_travel["toe"],
            "camber_travel_degpmm": 1e-3 * degree * by_travel["camber"],
            "caster_travel_degpmm": 1e-3 * degree * by_travel["caster"],
            "toe_rack_degpmm": 1e-3 * degree * by_rack["toe"], "track_travel": velocity[1],
            "brake_slope": brake / velocity[2], "drive_slope": velocity[0] / velocity[2],
            "anti_pct": 100 * car["brake_share"] * lever * brake,
            "anti_drive_pct": 100 * car["drive_share"] * lever * velocity[0],
            "front_centre_y_mm": mm * front[0], "front_centre_z_mm": mm * front[1],
            "front_arm_mm": mm * (centre[1] - front[0]),
            "front_angle_deg": degree * math.atan2(front[1] - patch[2], patch[1] - front[0]),
            "side_centre_x_mm": mm * side[0], "side_centre_z_mm": mm * side[1],
            "side_arm_mm": mm * (side[0] - centre[0]),
            "side_angle_deg": degree * math.atan2(side[1] - patch[2], patch[0] - side[0]),
            "kingpin_moment_Nm": dot(king, couple) / length(king),
            "caster_seed_deg": -degree * s["caster"].real,
            "angle_lower_deg": degree * self.arm_angle(state, "lca"),
            "angle_upper_deg": degree * self.arm_angle(state, "uca"),
            "roll_centre_planes_z_mm": mm * self.planes(s),
            "fx_centre_N": LOAD["centre"],
        } | self.axle(travel, rack)

    def arm_angle(self, state, name):
        """Angle of an arm about the line of its inner joints, by the right-hand rule about the direction from rear to
        front."""
        arm, base = self.file[name], [state[0:3], state[3:6], state[6:9]]
        line = sub(arm["chassis_front"], arm["chassis_rear"])
        line = [x / length(line) for x in line]
        before, now = (sub(p, arm["chassis_rear"]) for p in (arm["knuckle"], self.knuckle.point(base, arm["knuckle"])))
        before, now = (add(v, line, -dot(v, line)) for v in (before, now))
        return math.atan2(dot(line, cross(before, now)), dot(before, now))

    def planes(self, s):
        """Height of the roll centre above the road of the design position, by the lines in which the planes of both
        arms intersect the transverse plane through the wheel's centre."""
        lines, x, (_, y, z) = [], s["centre"][0], s["patch"]
        for name, outer in (("lca", "lower"), ("uca", "upper")):
            arm = self.file[name]
            normal = cross(sub(arm["chassis_front"], s[outer]), sub(arm["chassis_rear"], s[outer]))
            # normal . (p - outer) = 0 at x: b y + c z = d
            lines.append((normal[1], normal[2], dot(normal, s[outer]) - normal[0] * x))
        (b, c, d), (e, f, g) = lines
        pole = ((d * f - c * g) / (b * f - c * e), (b * g - d * e) / (b * f - c * e))
        return z - self.road - y * (pole[1] - z) / (pole[0] - y)

    def axle(self, travel, rack):
        """Both wheels at the same travel: the right one is a left one with the rack the other way, mirrored in y."""
        car, mm, degree = self.file["car"], 1e3, 1 / DEGREE
        seen, slope, height, toe_rack, power = [], [], [], [], []
        for side in (1.0, -1.0):
            state = self.at(travel, side * rack)
            s = self.seen(state)
            by_travel, by_rack = (self.slope(state, rates) for rates in self.rates(state, travel, side * rack))
            toe_rack.append(by_rack["toe"])
            # power of the loads per speed of the rack while the spring holds the wheel up and keeps its length; the
            # contact is a point of the knuckle. The loads are those of the road, the same for both wheels
            up, power_of = -by_rack["spring"] / by_travel["spring"], []
            for by in (by_rack, by_travel):
                turn = [sum(cross(*pair)[j] for pair in zip(s["turned"], by["turned"])) / 2 for j in range(3)]
                speed = add(by["centre"], cross(turn, sub(s["patch"], s["centre"])))
                power_of.append(dot([LOAD["fx"], side * LOAD["fy"], LOAD["fz"]], speed) + side * LOAD["mz"] * turn[2]
                                + LOAD["centre"] * by["centre"][0])
            power.append(power_of[0] + up * power_of[1])
            seen.append(s)
            slope.append(by_travel["patch"][1] / by_travel["patch"][2])
            height.append(s["patch"][2] - self.road + s["patch"][1] * slope[-1])
        (left, right), (h1, h2), (s1, s2) = seen, height, slope
        track = left["patch"][1] + right["patch"][1]
        steer = [-left["toe"].real, right["toe"].real]
        # z = h1 - s1 y of the left wheel and z = h2 + s2 y of the right one
        cross_y = (h1 - h2) / (s1 + s2)
        by_rack = -sum(toe_rack) / 2  # of the mean steer angle
        gain = math.copysign(2 * math.pi, by_rack) / car["c_factor"]  # of the steering wheel, to the left
        row = {
            "track_change_mm": mm * (track - 2 * self.design["patch"][1]),
            "roll_deg": degree * math.atan2(right["patch"][2] - left["patch"][2], track),
            "axle_roll_centre_z_mm": mm * (h1 + h2) / 2, "roll_centre_cross_y_mm": mm * cross_y,
            "axle_roll_centre_planes_z_mm": mm * (self.planes(left) + self.planes(right)) / 2,
            "roll_centre_cross_z_mm": mm * (h1 - s1 * cross_y),
            "steer_left_deg": degree * steer[0], "steer_right_deg": degree * steer[1],
            "hand_wheel_deg": degree * gain * rack, "steering_ratio": gain / by_rack,
            "rack_force_N": power[1] - power[0], "hand_wheel_moment_Nm": (power[1] - power[0]) / gain,
        }
        if rack:
            patch = [left["patch"], [right["patch"][0], -right["patch"][1]]]
            self.turns.append([mm * travel, mm * rack] + self.turn(patch, steer))
        return row

    def turn(self, patch, steer):
        """Without slip a wheel moves on a circle about a point of its normal. At 100 % both normals meet on the line of
        the other axle: the inner wheel's point on this line determines the angle of the outer one."""
        car = self.file["car"]
        front = car["axle"] == "front"
        behind = self.knuckle.centre[0] + (-car["wheelbase"] if front else car["wheelbase"])
        # wheels behind the line that turn to the left have it on their right
        inner, outer = (0, 1) if (sum(steer) > 0) == front else (1, 0)
        pole = patch[inner][1] + (patch[inner][0] - behind) / math.tan(steer[inner])
        ideal = math.atan((patch[outer][0] - behind) / (pole - patch[outer][1]))
        return [100 * (steer[inner] - steer[outer]) / (steer[inner] - ideal),
                2 * abs((patch[outer][0] - behind) / math.sin(steer[outer]))]


    def figures(self):
        """Figures at the design position: those of the columns, by their units, and the further figures of an axle."""
        column, rates = self.row(0.0, 0.0), self.rates(self.knuckle.start, 0.0, 0.0)
        by_travel, by_rack = (self.slope(self.knuckle.start, each) for each in rates)
        for name, text in (("mm", "mm"), ("deg", "deg"), ("Npmm", "N/mm"), ("degpmm", "deg/mm"), ("N", "N"), ("", "1")):
            for key, value in column.items():
                stem, _, unit = key.rpartition("_")
                if unit == name and stem in FIGURES:
                    yield stem, value, text
                elif name == "" and key in FIGURES:
                    yield key, value, text
        yield "caster_rack", 1e-3 / DEGREE * by_rack["caster"], "deg/mm"
        yield "wheel_recession_travel", by_travel["centre"][0], "1"
        yield "patch_track_travel", by_travel["patch"][1], "1"
        car = self.file["car"]
        for force, names in (("brake", ("anti_dive", "anti_lift")), ("drive", ("anti_lift_drive", "anti_squat"))):
            lever = 100 * car[force + "_share"] * car["wheelbase"] / car["cg_height"]
            for axle, sign in zip(names, (1.0, -1.0)):  # the load of the rear axle decreases
                yield axle + "_outboard", sign * lever * column["brake_slope"], "%"
                yield axle + "_inboard", sign * lever * column["drive_slope"], "%"
        # the body rolls by 1 rad, its left side up: in its axes the contact point and the wheel move down by y
        travel = -self.design["patch"][1] / by_travel["patch"][2]
        camber = travel * by_travel["camber"]
        yield "roll_steer", -travel * by_travel["toe"], "1"
        yield "roll_camber_body", camber, "1"
        yield "roll_camber_road", camber - 1.0, "1"


FIGURES = ("toe", "camber", "caster", "kpi", "scrub", "trail", "kingpin_offset", "spindle_trail", "spring_force",
           "wheel_rate", "ride_rate", "roll_centre_z", "front_arm", "front_angle", "side_arm", "side_angle",
           "toe_travel", "camber_travel", "caster_travel", "toe_rack", "motion_ratio", "damper_ratio", "track_travel",
           "roll_centre_migration")


def main():
    wishbone = Wishbone(files.read("validation/data/kc/complete_wishbone.yaml"))
    rows = [wishbone.row(*place) for place in PLACES]
    tables.write(sys.argv[1], "kc/columns.csv", list(rows[0]), [list(row.values()) for row in rows], 11)
    columns = ["travel_mm", "rack_mm", "ackermann_pct", "turning_circle_m"]
    tables.write(sys.argv[1], "kc/turned.csv", columns, wishbone.turns, 11)
    tables.write_numbers(sys.argv[1], "kc/figures.csv", wishbone.figures())
    behind = files.read("validation/data/kc/complete_wishbone.yaml")
    rear = Wishbone(behind | {"car": behind["car"] | {"axle": "rear"}})
    rows = {(row["travel_mm"], row["rack_mm"]): row for row in (rear.row(*place) for place in PLACES if place[1])}
    shown = ("anti_pct", "anti_drive_pct", "steer_left_deg", "hand_wheel_deg", "steering_ratio")
    tables.write(sys.argv[1], "kc/rear.csv", columns + list(shown),
                 [turn + [rows[tuple(turn[:2])][key] for key in shown] for turn in rear.turns], 11)


if __name__ == "__main__":
    main()
