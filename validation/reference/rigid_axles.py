#!/usr/bin/env python3
"""Kinematics of rigid axles on rods, with both wheels at the same travel: columns of vdsim-kc-sweep, and its figures.

Usage: validation/reference/rigid_axles.py FOLDER    writes kc/panhard_axle.csv, four_link_axle.csv, general_axle.csv,
                                                     axle_figures.csv

The axle is one body, its turn a quaternion (Goldstein, Classical Mechanics, 4). Rods keep their lengths and both wheel
centres have their heights: seven equations in quaternion and shift, by Newton's method. Derivatives are by complex
steps (Squire and Trapp, 1998).

Views. An axle rotates in side view as it travels in heave, and in front view in roll. A point of it has the velocity v
+ w x r, with r from the wheel centre; in each view one point of the plane has no velocity (Milliken and Milliken, Race
Car Vehicle Dynamics, 1995, 17). The contact of a locked wheel moves as a point of the axle; with a shaft from the body
the motion of the wheel centre counts. Links carry load transfer in proportion to the rearward motion of these points
per rise (17.3). The contact of a free wheel moves as its lowest point: the line normal to its motion meets the middle
plane of the car at the roll centre. Second derivatives, of the roll centre's height in roll and of the motion ratio in
heave, are differences of five points, whose error falls with the fourth power of 0.2 mm.
"""
import math
import sys

from tools import files, tables

TINY, DEGREE = 1e-30, math.pi / 180


def mirrored(point):
    return [point[0], -point[1], point[2]]


class Axle:
    def __init__(self, path, both):
        """both: names of the rods that have a mirror image."""
        file = files.read(path)
        self.rods = []
        for name, rod in file["links"].items():
            ends = rod["chassis"], rod["knuckle"]
            self.rods += [ends, [mirrored(p) for p in ends]] if name in both else [ends]
        self.centre, self.radius, self.file = file["wheel"]["center"], file["wheel"]["static_radius"], file
        size = sum(x * x for x in file["wheel"]["spin_axis"]) ** 0.5
        self.axis = [x / size for x in file["wheel"]["spin_axis"]]
        self.start = [1.0] + [0.0] * 6
        self.road = self.seen(self.start, 1)["patch"][2]
        # both springs carry both wheels' loads in heave
        sides = [self.motion(self.start, (0.0, 0.0), 1.0, side) for side in (1, -1)]
        self.force = file["wheel_load"] * sum(m["patch"][2] for m in sides) / -sum(m["spring"] for m in sides)

    def placed(self, state, point, turn_only=False):
        w, x, y, z = state[:4]
        rows = ((w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)),
                (2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)),
                (2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z))
        turned = [sum(a * b for a, b in zip(row, point)) for row in rows]
        return turned if turn_only else [a + b for a, b in zip(turned, state[4:])]

    def residuals(self, state, travel):
        out = [sum(q * q for q in state[:4]) - 1.0]
        for chassis, end in self.rods:
            lengths = [sum((a - b) ** 2 for a, b in zip(p, chassis)) for p in (self.placed(state, end), end)]
            out.append(lengths[0] - lengths[1])
        for centre, rise in zip((self.centre, mirrored(self.centre)), travel):
            out.append(self.placed(state, centre)[2] - centre[2] - rise)
        return out

    def jacobian(self, state, travel):
        columns = []
        for j in range(7):
            moved = [complex(x, TINY if i == j else 0.0) for i, x in enumerate(state)]
            columns.append([complex(r).imag / TINY for r in self.residuals(moved, travel)])
        return [list(row) for row in zip(*columns)]

    def at(self, travel):
        state = self.start
        for i in range(1, 11):
            now = [t * i / 10 for t in travel]
            for _ in range(12):
                wrong = [-r for r in self.residuals(state, now)]
                step = tables.solve(self.jacobian(state, now), [wrong])[0]
                state = [x + dx for x, dx in zip(state, step)]
        return state

    def seen(self, state, side):
        """Of a wheel as a left one: toe, camber, centre, contact, lengths."""
        own = (lambda p: p) if side > 0 else mirrored
        axis = own(self.placed(state, own(self.axis), True))
        centre = own(self.placed(state, own(self.centre)))
        flat = (axis[0] * axis[0] + axis[1] * axis[1]) ** 0.5
        down = [axis[2] * axis[0] / flat, axis[2] * axis[1] / flat, (axis[2] * axis[2] - 1.0) / flat]
        out = {"toe": axis[0] / axis[1], "camber": -axis[2] / flat, "centre": centre,
               "patch": [c + self.radius * d for c, d in zip(centre, down)]}
        for name in ("spring", "damper"):
            element = self.file[name]
            eye = own(self.placed(state, own(element["eye"])))
            out[name] = sum((a - b) ** 2 for a, b in zip(eye, element["chassis"])) ** 0.5
        return out

    def views(self, travel):
        """Motions per travel of the left wheel, the right one's the same or opposite."""
        state, mm, car = self.at(travel), 1e3, self.file["car"]
        live = self.file.get("final_drive", "axle") == "axle"
        heave, roll = (self.motion(state, travel, other) for other in (1.0, -1.0))
        s = self.seen(state, 1)
        r = [a - b for a, b in zip(s["patch"], s["centre"])]
        v, w = heave["centre"], heave["turn"]
        drive, brake = v[0], v[0] + w[1] * r[2] - w[2] * r[1]
        lever = (1.0 if car["axle"] == "front" else -1.0) * car["wheelbase"] / car["cg_height"]
        slope = roll["patch"][1] / roll["patch"][2]
        height, ratio = s["patch"][1] * slope, -heave["spring"]
        force = self.force + self.file["spring"]["rate"] * (self.seen(self.start, 1)["spring"] - s["spring"])
        rate = self.file["spring"]["rate"] * ratio ** 2 - force * difference(lambda h: self.stretch(travel, h))
        out = {"drive_slope": drive, "brake_slope": brake,
               "anti_pct": 100 * car["brake_share"] * lever * brake,
               "anti_drive_pct": 100 * car["drive_share"] * lever * (brake if live else drive),
               "side_angle_deg": math.atan((v[0] + w[1] * r[2]) / (1.0 - w[1] * r[0])) / DEGREE,
               "roll_centre_height_mm": mm * height,
               "roll_centre_z_mm": mm * (height + s["patch"][2] - self.road),
               "roll_centre_migration": difference(lambda h: self.roll_centre(travel, h)),
               "spring_force_N": force, "wheel_rate_Npmm": 1e-3 * rate,
               "ride_rate_Npmm": 1e-3 * rate * self.file["tyre_rate"] / (rate + self.file["tyre_rate"])}
        if abs(w[1]) > 1e-9:
            out.update({"side_arm_mm": mm / w[1], "side_centre_x_mm": mm * (s["centre"][0] + 1.0 / w[1]),
                        "side_centre_z_mm": mm * (s["centre"][2] - v[0] / w[1])})
        v, w = roll["centre"], roll["turn"]
        out.update({"front_angle_deg": math.atan((v[1] - w[0] * r[2]) / (1.0 + w[0] * r[1])) / DEGREE,
                    "front_arm_mm": mm / w[0], "front_centre_y_mm": mm * (s["centre"][1] - 1.0 / w[0]),
                    "front_centre_z_mm": mm * (s["centre"][2] + v[1] / w[0])})
        return out

    def roll_centre(self, travel, h):
        """Height, the left wheel h higher and the right one lower."""
        now = [travel[0] + h, travel[1] - h]
        state = self.at(now)
        s, roll = self.seen(state, 1), self.motion(state, now, -1.0)
        return s["patch"][2] + s["patch"][1] * roll["patch"][1] / roll["patch"][2]

    def stretch(self, travel, h):
        """Of the spring per heave, both wheels h higher."""
        now = [t + h for t in travel]
        return self.motion(self.at(now), now, 1.0)["spring"]

    def figures(self):
        """At the design position; roll is that of the contacts, positive where the left side rises."""
        state, car = self.start, self.file["car"]
        heave, roll = (self.motion(state, (0.0, 0.0), other) for other in (1.0, -1.0))
        s = self.seen(state, 1)
        lean = roll["patch"][2] / s["patch"][1]
        behind = -100 * car["wheelbase"] / car["cg_height"] * heave["centre"][0]
        return {"wheel_recession_travel": (heave["centre"][0], "1"), "patch_track_travel": (heave["patch"][1], "1"),
                "roll_steer": (roll["toe"] / lean, "1"), "roll_camber_body": (-roll["camber"] / lean, "1"),
                "anti_lift_inboard": (car["brake_share"] * behind, "%"),
                "anti_squat_inboard": (car["drive_share"] * behind, "%")}

    def motion(self, state, travel, other, side=1):
        """Of the left wheel, or of the right one as a left one, per the left one's travel, and the turn of the axle."""
        rates = tables.solve(self.jacobian(state, travel), [[0.0] * 5 + [1.0, other]])[0]
        moved = self.seen([complex(x, TINY * r) for x, r in zip(state, rates)], side)
        w, x, y, z = state[:4]
        dw, dx, dy, dz = rates[:4]
        out = {name: [complex(x).imag / TINY for x in moved[name]] for name in ("centre", "patch")}
        out.update({name: complex(moved[name]).imag / TINY / (1 + moved[name].real ** 2) for name in ("toe", "camber")})
        out["spring"] = complex(moved["spring"]).imag / TINY
        out["turn"] = [2 * (w * dx - x * dw + y * dz - z * dy), 2 * (w * dy - y * dw + z * dx - x * dz),
                       2 * (w * dz - z * dw + x * dy - y * dx)]
        return out

    def row(self, travel):
        travel = (travel, travel)
        state, mm = self.at(travel), 1e3
        rates = tables.solve(self.jacobian(state, travel), [[0.0] * 5 + [1.0] * 2])[0]
        s, right, design = self.seen(state, 1), self.seen(state, -1), self.seen(self.start, 1)
        moved = self.seen([complex(x, TINY * r) for x, r in zip(state, rates)], 1)

        def rate(name):
            return complex(moved[name]).imag / TINY

        toe = math.atan(s["toe"])
        track = s["patch"][1] + right["patch"][1]
        return {
            "travel_mm": mm * travel[0], "toe_deg": toe / DEGREE, "steer_deg": -toe / DEGREE,
            "camber_deg": math.atan(s["camber"]) / DEGREE,
            "wheel_x_mm": mm * s["centre"][0], "wheel_y_mm": mm * s["centre"][1], "wheel_z_mm": mm * s["centre"][2],
            "patch_x_mm": mm * s["patch"][0], "patch_y_mm": mm * s["patch"][1], "patch_z_mm": mm * s["patch"][2],
            "half_track_change_mm": mm * (s["centre"][1] - design["centre"][1]),
            "track_change_mm": mm * (track - 2 * design["patch"][1]),
            "roll_deg": math.atan2(right["patch"][2] - s["patch"][2], track) / DEGREE,
            "spring_length_mm": mm * s["spring"], "damper_length_mm": mm * s["damper"],
            "motion_ratio": -rate("spring"), "damper_ratio": -rate("damper"),
            "toe_travel_degpmm": rate("toe") / (1 + s["toe"] ** 2) / DEGREE / mm,
            "track_travel": complex(moved["centre"][1]).imag / TINY,
            **self.views(travel),
        }


def difference(f, h=2e-4):
    """To nine digits, which do not depend on the last bits of a libm."""
    return float(f"{(f(-2 * h) - 8 * f(-h) + 8 * f(h) - f(2 * h)) / (12 * h):.9g}")


def main():
    figures = []
    for name, file, both in (("panhard", "scenarios/suspensions/panhard_rear_coupe", ("lower_left",)),
                             ("four_link", "scenarios/suspensions/four_link_rear_suv", ("lower_left", "upper_left")),
                             ("general", "validation/data/kc/general_axle", ("lower_left",))):
        axle = Axle(f"{file}.yaml", both)
        rows = [axle.row(travel) for travel in (-0.06, -0.02, 0.0, 0.03, 0.06)]
        tables.write(sys.argv[1], f"kc/{name}_axle.csv", list(rows[0]), [list(row.values()) for row in rows], 11)
        figures += [[f"{name}_{figure}", value, unit] for figure, (value, unit) in axle.figures().items()]
    tables.write(sys.argv[1], "kc/axle_figures.csv", ["name", "value", "unit"], figures, 11)


if __name__ == "__main__":
    main()
