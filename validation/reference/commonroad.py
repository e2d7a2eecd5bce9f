#!/usr/bin/env python3
"""Kinematic (KS) and linear (ST) single track of CommonRoad: their right-hand sides, integrated from random states.

Usage: validation/reference/commonroad.py FOLDER    writes commonroad/ks_N.csv and st_N.csv, and their inputs

M. Althoff, CommonRoad: Vehicle Models (2019), sections 4 and 5 and tables of parameters; Althoff, Koschi and Manzinger,
CommonRoad: Composable Benchmarks for Motion Planning on Roads, IEEE Intelligent Vehicles Symposium 2017. Random inputs:
a steering rate and an acceleration, constant over each interval. Limits of steering, speed and acceleration are left
out: the inputs stay within them.
Exit status: 0; 1: the right-hand sides are not those that CommonRoad publishes at one state.
"""
import math
import sys

from tools import tables

GRAVITY = 9.80665  # CommonRoad itself has 9.81
FRICTION, STIFFNESS = 1.048, 20.89  # 1/rad: cornering stiffness over friction and load, both axles
# mass kg, yaw inertia kg m2, centre of gravity to front and rear axle m, its height m
CARS = {
    1: (1225.0, 1538.0, 0.883, 1.508, 0.557),
    2: (1093.0, 1791.0, 1.156, 1.422, 0.574),
    3: (1478.0, 2473.0, 1.150, 1.321, 0.747),
}
INTERVAL, INTERVALS = 0.5, 10  # s
STEP, SHOWN = 1e-3, 0.2  # s
COLUMNS = ("t_s", "x_m", "y_m", "yaw_rad", "yaw_rate_radps", "sideslip_rad")


def ks(state, steer_rate, acceleration, wheelbase):
    """Of x and y of the rear axle's middle, steering angle, speed, heading."""
    _, _, steer, speed, heading = state
    yaw_rate = speed / wheelbase * math.tan(steer)
    return [speed * math.cos(heading), speed * math.sin(heading), steer_rate, acceleration, yaw_rate]


def st(state, steer_rate, acceleration, car, friction=FRICTION, stiffness=STIFFNESS, gravity=GRAVITY):
    """Of x and y of the centre of gravity, steering angle, speed, heading, yaw rate, slip angle. The force that
    accelerates the car acts along its velocity."""
    _, _, steer, speed, heading, yaw_rate, slip = state
    mass, inertia, front, rear, height = car
    # side forces over slip angle and mass, times the wheelbase
    c_front = friction * stiffness * (gravity * rear - acceleration * height)
    c_rear = friction * stiffness * (gravity * front + acceleration * height)
    alpha_front = steer - slip - front * yaw_rate / speed
    alpha_rear = -slip + rear * yaw_rate / speed
    length = front + rear
    return [
        speed * math.cos(heading + slip),
        speed * math.sin(heading + slip),
        steer_rate,
        acceleration,
        yaw_rate,
        mass * (front * c_front * alpha_front - rear * c_rear * alpha_rear) / (inertia * length),
        (c_front * alpha_front + c_rear * alpha_rear) / (speed * length) - yaw_rate,
    ]


def st_along_car(state, steer_rate, acceleration, car):
    """The same with that force along the car's axis, so that its part across the velocity turns the velocity."""
    rates = st(state, steer_rate, acceleration, car)
    rates[6] -= acceleration * state[6] / state[3]
    return rates


def published():
    """Largest deviation from the derivatives that CommonRoad's own test of its models has, with the unrounded car 2.
    Its height there is that of the sprung mass, 2.01355 ft, where the document has that of the whole car."""
    foot, slug, slug_foot2 = 0.3048, 14.593903, 1.355818
    car = (74.91452 * slug, 1321.416 * slug_foot2, 3.793293 * foot, 4.667707 * foot, 2.01355 * foot)
    at_ks = [3.9579422297936526, 0.0391650102771405, 0.0378491427211811, 16.3546957860883566, 0.0294717351052816]
    at_st = [2.0233348142065677, 0.0041907137716636, 0.0197545248559617, 15.7216236334290116, 0.0025857914776859,
             0.0529001056654038, 0.0033012170610298]
    of_ks = [16.3475935934250209, 0.4819314886013121, 0.15, 5.1464424102339752, 0.2401426578627629]
    of_st = [15.7213512030862397, 0.0925527979719355, 0.15, 5.3536773276413925, 0.0529001056654038, 0.6435589397748606,
             0.0313297971641291]
    got = ks(at_ks, 0.15, of_ks[3], car[2] + car[3]) + st(at_st, 0.15, of_st[3], car, 1.0489, 21.92 / 1.0489, 9.81)
    return max(abs(a - b) for a, b in zip(got, of_ks + of_st))


def integrate(rates, state, inputs):
    """Runge and Kutta's rows (t, state), one every SHOWN, of inputs that are constant over each interval."""
    rows = [(0.0, state)]
    per_interval, per_row = round(INTERVAL / STEP), round(SHOWN / STEP)
    for i in range(INTERVALS * per_interval):
        u = inputs[i // per_interval]
        state = tables.rk4(lambda _, x, u=u: rates(x, *u), i * STEP, state, STEP)
        if (i + 1) % per_row == 0:
            rows.append(((i + 1) * STEP, state))
    return rows


def draw(random, steer, rate, acceleration):
    """Inputs of all intervals: a steering rate that leads to an angle up to `steer`, and an acceleration."""
    angle, inputs = 0.0, []
    for _ in range(INTERVALS):
        target = random.between(max(-steer, angle - rate * INTERVAL), min(steer, angle + rate * INTERVAL))
        inputs.append(((target - angle) / INTERVAL, random.between(-acceleration, acceleration)))
        angle = target
    return inputs


def write_inputs(folder, name, state, inputs, mass):
    """Steering angle and speed at the ends of intervals, straight lines between, and the force from then on."""
    steer, speed, rows = state[2], state[3], []
    for i, (steer_rate, acceleration) in enumerate(inputs):
        rows.append((i * INTERVAL, steer, speed, mass * acceleration))
        steer += steer_rate * INTERVAL
        speed += acceleration * INTERVAL
    rows.append((INTERVALS * INTERVAL, steer, speed, 0.0))
    tables.write(folder, f"commonroad/{name}_inputs.csv", ("t_s", "steer_rad", "speed_mps", "push_x_N"), rows, 8)


def main():
    folder = sys.argv[1]
    off = published()
    if not off < 1e-7:
        print(f"commonroad.py: the right-hand sides are off by {off:g}", file=sys.stderr)
        return 1
    for number, car in CARS.items():
        random = tables.Random(100 + number)
        front, rear = car[2], car[3]
        wheelbase = front + rear
        inputs = draw(random, 0.4, 0.35, 1.5)
        start = [0.0, 0.0, 0.0, random.between(6.0, 9.0), 0.0]
        write_inputs(folder, f"ks_{number}", start, inputs, car[0])
        rows = integrate(lambda x, s, a, l=wheelbase: ks(x, s, a, l), start, inputs)
        # at the centre of gravity, `rear` ahead of the middle of the rear axle
        tables.write(folder, f"commonroad/ks_{number}.csv", COLUMNS, [
            (t, x[0] + rear * (math.cos(x[4]) - 1.0), x[1] + rear * math.sin(x[4]), x[4],
             x[3] / wheelbase * math.tan(x[2]), math.atan(rear / wheelbase * math.tan(x[2]))) for t, x in rows], 8)

        inputs = draw(random, 0.006, 0.02, 4.0)
        speed, yaw_rate, slip = (random.between(*bounds) for bounds in ((22.0, 30.0), (-0.02, 0.02), (-0.003, 0.003)))
        start = [0.0, 0.0, 0.0, speed, 0.0, yaw_rate, slip]
        write_inputs(folder, f"st_{number}", start, inputs, car[0])
        rows = integrate(lambda x, s, a, c=car: st_along_car(x, s, a, c), start, inputs)
        tables.write(folder, f"commonroad/st_{number}.csv", COLUMNS, [
            (t, x[0], x[1], x[4], x[5], x[6]) for t, x in rows], 8)
    return 0


if __name__ == "__main__":
    sys.exit(main())
