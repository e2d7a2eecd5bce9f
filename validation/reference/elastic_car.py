#!/usr/bin/env python3
"""Wheels of a car on bushings, in equilibrium under the loads of tyres and brakes.

Usage: validation/reference/elastic_car.py FOLDER    writes kc/elastic_car.csv

The suspensions are those of elastic_corner.py, in which every member is a separate body. A tyre's forces and moments
act at the point of its disc that is nearest to the road, a plane that is inclined in the axes of the body. A wheel
turns freely about its axle, except for the torque of its brake, which its knuckle holds. The wheel's centre is held at
its travel.

The loads of a run are known only after the run. The table therefore has the wheel's angles and place at loads near
those, and the derivatives by travel, rack and loads; complex steps make of each derivative one more right-hand side of
Newton's equations. The second-order terms of the remaining differences are negligible.
"""
import sys

from elastic_corner import FOLDER, Corner, Place, add, atan2, dot, mirror, turned
from linkages import TINY
from tools import files, tables
from tools.tables import cross

# travel, rack, then of the tyre fx, fy, fz, my, mz, the distance of the contact from the wheel's centre, the brake's
# torque on the wheel, and the plane's normal along the body's x and y
INPUTS = ("travel", "rack", "fx", "fy", "fz", "my", "mz", "reach", "brake", "nx", "ny")
MIRRORED = ("rack", "fy", "mz", "ny")
SEEN = ("toe", "camber", "ahead", "outward")
NEAR = {
    "fl": (-0.022902, -0.0024112, -1243, 296.55, 3288.1, -18.742, -14.71, 0.38364, -465, 0.0026833, 0.038919),
    "fr": (0.027955, -0.0024112, -1273.4, 2371.9, 5363.4, -30.571, -114.91, 0.3742, -465, 0.0026833, 0.038919),
    "rl": (-0.013375, 0, 279.18, 674.69, 2247.7, -10.789, -33.396, 0.32466, -285, 0.0026833, 0.038919),
    "rr": (0.036573, 0, 254.55, 1254, 3883.6, -18.641, -61.92, 0.31721, -285, 0.0026833, 0.038919),
}


class Loaded(Corner):
    """On a tyre; self.given: of INPUTS from fx on."""

    given, inputs = None, INPUTS

    def stand(self):
        self.jack = [self.wheel(self.knuckle, self.centre, self.axle, 0)]
        if self.joined:
            self.jack.append(self.wheel(self.other, mirror(self.centre), [-c for c in mirror(self.axle)], 1))

    def wheel(self, body, centre, to_left, number):
        """On the road, and held at its height."""
        def road(x):
            fx, fy, fz, my, mz, reach, brake, nx, ny = self.given[number]
            hub = Place(body, x, centre)
            axle, normal = turned(x[3:6], to_left), [nx, ny, (1 - nx * nx - ny * ny) ** 0.5]
            lean = dot(normal, axle)
            upright = (1 - lean * lean) ** 0.5
            disc = [c / upright for c in add(normal, axle, -lean)]
            ahead, left = cross(axle, disc), add([upright * c for c in axle], disc, -lean)
            force = add(add([fx * c for c in ahead], left, fy), normal, fz)
            moment = add(cross([-reach * c for c in disc], force), normal, mz)
            return add(hub.push(force), [0.0] * 3 + add(moment, axle, -brake - dot(moment, axle)))

        def held(x):
            hub = Place(body, x, centre)
            return hub.push([0.0, 0.0, x[6]]) + [hub.moved[2] - self.heights[number]]
        self.system.join(body.unknowns, road)
        first = self.system.more(1)
        self.system.join(body.unknowns + [first], held)
        return first

    def put(self, inputs):
        self.heights, self.rack, self.given = [inputs[0]], inputs[1], [inputs[2:]]

    def answers(self, inputs):
        """The figures, and their derivatives by the inputs."""
        state = self.system.start
        for part in range(1, 9):
            self.put([x * part / 8 if "travel" in name or name == "rack" else x for name, x in zip(self.inputs, inputs)])
            state = self.system.solve(state)
        yield "its", [complex(x).real for x in self.seen(state)]
        jacobian = self.system.jacobian(state)
        for k, name in enumerate(self.inputs):
            self.put([complex(x, TINY * (i == k)) for i, x in enumerate(inputs)])
            step = tables.solve(jacobian, [[-complex(r).imag / TINY for r in self.system.residual(state)]])[0]
            yield name, [complex(x).imag / TINY for x in self.seen([complex(x, TINY * d) for x, d in zip(state, step)])]

    def seen(self, state):
        axle = Place(self.knuckle, state[:6], add(self.centre, self.axle)).arm
        return [atan2(axle[0], axle[1]), -atan2(axle[2], (axle[0] ** 2 + axle[1] ** 2) ** 0.5), state[0], state[1]]


class Joined(Loaded):
    """Both wheels of a beam, each on its tyre."""

    def put(self, inputs):
        left, right, plane = inputs[:8], inputs[8:16], inputs[16:]
        self.heights, self.given = [left[0], right[0]], [left[1:] + plane, right[1:] + plane]

    def seen(self, state):
        """Of the left wheel, then of the right one, as a left one."""
        out = super().seen(state)
        x = state[self.other.first:self.other.first + 6]
        axle = mirror([-c for c in turned(x[3:6], [-c for c in mirror(self.axle)])])
        return out + [atan2(axle[0], axle[1]), -atan2(axle[2], (axle[0] ** 2 + axle[1] ** 2) ** 0.5), x[0], -x[1]]


OWN = ("travel", "fx", "fy", "fz", "my", "mz", "reach", "brake")
PAIR = [f"{side}_{name}" for side in ("left", "right") for name in OWN] + ["nx", "ny"]
Joined.inputs = PAIR
BEAM_NEAR = (
    0.0043488, 278.55, 521.36, 2257.9, -10.838, -25.907, 0.32461, -285,
    0.036148, 253.98, 1125.7, 3888.4, -18.664, -55.722, 0.31718, -285,
    0.0055503, 0.026463,
)


def main():
    arm = files.read(FOLDER + "trailing_arm.yaml")
    corners = {"f": Loaded(files.read(FOLDER + "relay_mirrored.yaml")),
               "r": Loaded(arm | {"wheel": arm["wheel"] | {"static_radius": 0.32}})}
    car = files.read("validation/data/kc/elastic_car.yaml")["vehicle"]
    base = files.read("scenarios/vehicles/sedan.yaml")
    middle = {"f": base["cg_to_front"], "r": base["cg_to_front"] - base["wheelbase"]}
    half = {"f": car["front"]["track"] / 2, "r": car["rear"]["track"] / 2}
    rows = []
    for place, near in NEAR.items():
        side = 1.0 if place[1] == "l" else -1.0
        rows += [[f"{place}_side", side, "1"], [f"{place}_steers", float(place[0] == "f"), "1"],
                 [f"{place}_x", middle[place[0]], "m"], [f"{place}_y", half[place[0]], "m"]]
        rows += [[f"{place}_near_{name}", value, "1"] for name, value in zip(INPUTS, near)]
        own = [side * x if name in MIRRORED else x for name, x in zip(INPUTS, near)]
        for name, values in corners[place[0]].answers(own):
            sign = side if name in MIRRORED else 1.0
            for what, value in zip(SEEN, values):
                rows.append([f"{place}_{what}" if name == "its" else f"{place}_{what}_by_{name}", sign * value, "1"])
    beam = Joined(files.read(FOLDER + "u_beam.yaml"))
    rows += [[f"beam_near_{name}", value, "1"] for name, value in zip(PAIR, BEAM_NEAR)]
    for name, values in beam.answers(list(BEAM_NEAR)):
        for i, value in enumerate(values):
            key = f"{('left', 'right')[i // 4]}_{SEEN[i % 4]}"
            rows.append([f"beam_{key}" if name == "its" else f"beam_{key}_by_{name}", value, "1"])
    half = files.read("validation/data/kc/elastic_beam_car.yaml")["vehicle"]["rear"]["track"] / 2
    rows.append(["beam_y", half, "m"])
    tables.write_numbers(sys.argv[1], "kc/elastic_car.csv", rows, 10)


if __name__ == "__main__":
    main()
