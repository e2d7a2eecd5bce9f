"""Checks the curves of each standard picture against physics and the standards. A picture with a wrong expression in
cli/pictures.txt agrees with its own declaration, but not with these independent formulas. Values are read from the SVG,
in the units of its axes.
"""
import cmath, csv, math, os, subprocess
from pictures import Run
from svg import DEG, G, expect

KMH = 3.6


class Picture:
    def __init__(self, panels, run):
        self.panels = panels
        self.run = Run(run + ".csv")
        self.stem = run
        self.c, self.m = self.run.columns, self.run.facts

    def points(self, panel, plot=0):
        """Returns the points of a line, in the units of the axes."""
        p = self.panels[panel]
        x, y = p.scale("x")[0], p.scale("y")[0]
        return [(x(q[0]), y(q[1])) for part in p.plots[plot].lines for q in part]

    def mark(self, panel, plot):
        (q,) = self.panels[panel].plots[plot].points
        return self.panels[panel].scale("x")[0](q[0]), self.panels[panel].scale("y")[0](q[1])

    def key(self, path):
        return float(self.run.keys[path])


def close(a, b, tolerance, what):
    expect(abs(a - b) <= tolerance, f"{what}: {a} drawn, {b} by hand, {tolerance} allowed")


def at(points, x):
    """Returns the y of a line at x; along the line x grows."""
    k = next((i for i in range(1, len(points)) if points[i][0] >= x), len(points) - 1)
    (x0, y0), (x1, y1) = points[k - 1:k + 1]
    return y0 + (x - x0)/((x1 - x0) or 1)*(y1 - y0)


def fitted(points):
    """Returns slope and mean of the straight line of least squares."""
    n = len(points)
    mx, my = sum(p[0] for p in points)/n, sum(p[1] for p in points)/n
    return sum((x - mx)*(y - my) for x, y in points)/sum((x - mx)**2 for x, y in points), mx, my


def area(points):
    return sum((b[0] - a[0])*(a[1] + b[1])/2 for a, b in zip(points, points[1:]))


def until(points, x):
    return [q for q in points if q[0] < x] + [(x, at(points, x))]


def peak(points):
    return max(points, key=lambda p: abs(p[1]))


def handling(p):
    # the Ackermann angle is L times the curvature of the path, here from heading and distance
    course, s = [a + b for a, b in zip(p.c["yaw_rad"], p.c["sideslip_rad"])], p.c["distance_m"]
    at_ay = {}
    for i in range(len(s)//2, len(s) - 20):
        # the yaw rate over the speed lacks the change of the side slip angle
        k = (course[i + 20] - course[i - 20] - p.c["sideslip_rad"][i + 20] + p.c["sideslip_rad"][i - 20])/(s[i + 20]
            - s[i - 20])
        at_ay[abs(p.c["ay_mps2"][i])/G] = abs(p.c["steer_actual_rad"][i] - p.key("vehicle.wheelbase")*k)/DEG
    points = p.points(1)
    for x, y in points[len(points)//2:-80:40]:
        close(y, at_ay[min(at_ay, key=lambda a: abs(a - x))], 0.03, "steering angle minus that of Ackermann")
    for panel, name in enumerate(("steering_wheel", "understeer", "sideslip", "roll")):
        a, b = p.points(panel, 1)
        slope = (b[1] - a[1])/(b[0] - a[0])
        close(slope, p.m[name + "_gradient_rad_per_mps2"]*G/DEG, 2e-3*abs(slope) + 0.02, name)
    expect(p.m["understeer_gradient_rad_per_mps2"] > 0 and points[-1][1] > points[0][1],
        "an understeering car needs more angle")


def increasing(p):
    # FMVSS 126, S7.6.1: A is the angle at 0.3 g of the line fitted from 0.1 to 0.375 g
    slope, mx, my = fitted([q for q in p.points(0) if 0.1 <= q[0] <= 0.375])
    x, y = p.mark(0, 1)
    close(x, 0.3, 1e-3, "0.3 g")
    close(y, my + slope*(0.3 - mx), 0.01*y, "the angle A")


def step(p):
    x0 = p.m["step_time_s"]
    points = p.points(1)
    # the integral of the yaw rate is the change of the heading
    i = next(i for i, t in enumerate(p.c["t_s"]) if t - x0 >= points[0][0] - 1e-3)
    close(area(points), (p.c["yaw_rad"][-1] - p.c["yaw_rad"][i])/DEG, 0.05, "heading")
    tail = [y for x, y in points if x > points[-1][0] - p.m["steady_window"]]
    close(at(points, p.mark(1, 1)[0]), 0.9*sum(tail)/len(tail), 0.05, "90 % of the steady yaw rate")
    close(p.mark(1, 1)[1], 0.9*sum(tail)/len(tail), 0.02, "90 % of the steady yaw rate")
    close(p.mark(1, 2)[1], max(y for x, y in points), 0.02, "the peak")
    wheel = p.points(0)
    close(at(wheel, 0), wheel[-1][1]/2, 0.2, "half the steering angle at the time 0")


def response(p):
    # the car begins and ends at rest: the response is the ratio of the Fourier integrals of the whole run
    t = p.c["t_s"]
    names = ("yaw_rate_radps", "ay_mps2", "sideslip_rad")
    units = (1, G/(100*DEG), 1) # deg/s per deg, g per 100 deg, deg per deg
    wheel = p.c["steering_wheel_rad"]
    expect(len(p.panels) == 6, f"{len(p.panels)} panels: of one segment there is no coherence")
    for f in (0.4, 0.8, 1.2, 2.0):
        turn = [cmath.exp(-2j*math.pi*f*x) for x in t]
        integral = lambda v: sum((a - v[0])*b for a, b in zip(v, turn))
        for k, (name, unit) in enumerate(zip(names, units)):
            ratio = integral(p.c[name])/integral(wheel)
            gain = at(p.points(k), f)*unit
            close(gain, abs(ratio), 0.015*abs(ratio), f"gain of {name} at {f} Hz")
            off = (at(p.points(3 + k), f) - cmath.phase(ratio)/DEG + 180) % 360 - 180
            close(off, 0, 1.5, f"phase of {name} at {f} Hz")


def outline(p, panel, plot, of_course=False):
    """Checks that the cars are as long and wide as the body, and stand in poses of the log."""
    v = lambda name: p.key("vehicle." + name)
    ahead, behind = v("cg_to_front") + v("overhang_front"), v("wheelbase") - v("cg_to_front") + v("overhang_rear")
    x, y = (p.panels[panel].scale(axis)[0] for axis in "xy")
    cars = [[(x(q[0]), y(q[1])) for q in part] for part in p.panels[panel].plots[plot].lines]
    expect(len(cars) > 5, f"{len(cars)} cars")
    unit = 0.03/abs(p.panels[panel].scale("x")[1])
    for car in cars:
        close(math.dist(car[0], car[1]), ahead + behind, 3*unit, "length")
        close(math.dist(car[1], car[2]), v("width"), 3*unit, "width")
        rear = [(a + b)/2 for a, b in zip(car[1], car[2])]
        front = [(a + b)/2 for a, b in zip(car[0], car[3])]
        part = behind/(ahead + behind)
        here = [a + part*(b - a) for a, b in zip(rear, front)]
        i = min(range(len(p.c["t_s"])), key=lambda i: math.dist(here, (p.c["x_m"][i], p.c["y_m"][i])))
        close(math.dist(here, (p.c["x_m"][i], p.c["y_m"][i])), 0, 4*unit, "place of a car")
        close(math.atan2(front[1] - rear[1], front[0] - rear[0]), p.c["yaw_rad"][i], 0.02, "heading of a car")


def lane_change(p):
    # ISO 3888-1: sections of 15, 30, 25, 25, 15 and 15 m; the lanes are 1.1, 1.2, 1.3 and 1.3 times the width of the
    # vehicle plus 0.25 m, the second 3.5 m beside the first; cones are outside of the edges, at most at the spacing of
    # the course
    b, x = p.key("vehicle.width"), p.key("path.approach")
    radius, most, cones, hits = p.key("path.cone_radius"), p.key("path.cone_spacing"), set(), 0
    for length, lane in ((15, (1.1, 0)), (30, None), (25, (1.2, 3.5)), (25, None), (15, (1.3, 0)), (15, (1.3, 0))):
        if lane:
            n = math.ceil(length/most - 1e-9)
            half = (lane[0]*b + 0.25)/2 + radius
            cones |= {(round(x + length*k/n, 6), round(lane[1] + side*half, 6)) for k in range(n + 1)
                for side in (-1, 1)}
        x += length
    xv, yv = (p.panels[0].scale(axis)[0] for axis in "xy")
    expect(p.panels[0].plots[-1].points and len(p.panels[0].plots[-1].points) == int(p.m["cone_hits"]) > 0, "cones hit")
    drawn = [(xv(q[0]), yv(q[1])) for plot in p.panels[0].plots for q in plot.points]
    unit = 0.03/abs(p.panels[0].scale("x")[1])
    expect(len(drawn) == len(cones) == int(p.m["cones"]), f"{len(drawn)} cones drawn, {len(cones)} by the standard")
    for cone in cones:
        expect(any(math.dist(cone, q) < unit for q in drawn), f"no cone at {cone}")
    outline(p, 0, 0)
    # the course is along x
    close(max(y for x, y in p.points(0, 1)), max(p.c["y_m"]), 2*unit, "greatest lateral displacement of the car")


def weave(p):
    # within half of the amplitude, ISO 13674-1; slopes over the steering wheel are per degree, those of ay in g
    x = max(x for x, y in p.points(0))
    close(x, p.m["weave_wheel_rad"]/DEG, 0.02, "amplitude of the steering wheel")
    for panel, slope in enumerate((p.m["weave_ay_slope_mps2_per_rad"]*DEG/G, p.m["weave_yaw_rate_slope_radps_per_rad"],
                                   p.m["weave_torque_slope_Nm_per_rad"]*DEG,
                                   p.m["weave_torque_gradient_Nm_per_mps2"]*G)):
        points = p.points(panel)
        half = max(abs(x) for x, y in points)/2
        close(fitted([q for q in points if abs(q[0]) <= half])[0], slope, 0.01*slope, f"slope of panel {panel}")
    expect(p.points(1)[50][0] != 0 and area(p.points(0)) != 0, "a loop")


def transition(p):
    # lines of least squares over the rows with |ay| from 0.5 to 1.5 m/s2; without friction the dead band is the rate of
    # the steering wheel times the delay. The metrics have rows of 1 kHz, the log of 50 Hz
    low, high = (p.key("metrics.fit_" + end) for end in ("from", "to"))
    wheel, torque = p.points(1), p.points(3)
    inside = [i for i, (x, y) in enumerate(wheel) if low <= y*G <= high]
    for panel in range(6):
        if panel == 4: # no line
            continue
        points, line = p.points(panel), p.points(panel, 1)
        slope, mx, my = fitted([points[i] for i in inside])
        for x, y in (line[0], line[-1]):
            close(y, my + slope*(x - mx), 3e-3*abs(points[-1][1]), f"line of panel {panel}")
        x, y = p.mark(panel, 2)
        close(at(line, x) if line[0][0] <= x else line[0][1] + slope*(x - line[0][0]), y, 3e-3*abs(points[-1][1]),
            f"mark of panel {panel}")
        expect((x == 0 or abs(y) < 1e-3 * points[-1][1]) or abs(x) < 1e-3*points[-1][0], f"a mark on an axis: {x}, {y}")
    slope, mx, my = fitted([p.points(4)[i] for i in inside])
    close(p.mark(4, 1)[0], mx - my/slope, 0.02, "dead band of the torque")
    rate = p.m["transition_wheel_rate_radps"]/DEG
    close(p.mark(1, 2)[0], rate*p.mark(5, 2)[0], 0.01, "dead band of ay, and rate times delay")


def dwell(p):
    # FMVSS 126, S5.2: yaw rate 1.00 and 1.75 s after the completion of steer, over its second peak
    begin, end = p.m["swd_begin_s"], p.m["swd_end_s"]
    points = p.points(1)
    second = min(points, key=lambda q: q[1]) if p.c["steering_wheel_rad"][next(i for i, t in enumerate(p.c["t_s"])
            if t > begin + 0.3)] > 0 else \
        max(points, key=lambda q: q[1])
    close(p.mark(1, 1)[1], second[1], 0.05, "peak")
    for after, name, plot in ((1, "100", 2), (1.75, "175", 3)):
        x, y = p.mark(1, plot)
        close(x, end + after - begin, 2e-3, "time")
        close(abs(y/second[1]), p.m["swd_yaw_ratio_" + name], 5e-3, "ratio")


def of_turn(p, prefix):
    # the reference stays on the initial circle with the speed of the run: r = v/R, ay = v^2/R
    t0, radius = p.m[prefix + "_onset_s"], p.m[prefix + "_radius_m"]
    for i, t in enumerate(p.c["t_s"]):
        if t0 + 0.1 < t < t0 + 2.9 and i % 20 == 0:
            v = p.c["vx_mps"][i]
            close(at(p.points(0, 1), t - t0), v/radius/DEG, 5e-3*v/radius/DEG, "yaw rate on the circle")
            close(at(p.points(1, 1), t - t0), v*v/radius/G, 5e-3*v*v/radius/G, "ay on the circle")
    for panel, name in enumerate(("yaw", "ay")):
        ratio = at(p.points(panel), 1)/at(p.points(panel, 1), 1)
        close(ratio, p.m[f"{prefix}_{name}_ratio_1"], 5e-3, name + " over its reference")


def brake_turn(p):
    of_turn(p, "turn_brake")
    expect(min(y for x, y in p.points(2)) < -0.3, "a car that brakes decelerates")


def power_off(p):
    of_turn(p, "power_off")


def slip(p, panel, first):
    """Checks kappa = R_e omega/v - 1 of the front left wheel; R_e from the start, where it rolls freely."""
    t, v, spin = p.c["t_s"], p.c["vx_mps"], p.c["omega_fl_radps"]
    lever = p.c["yaw_rate_radps"], p.key("vehicle.front.track")/2
    roll = v[0]/spin[0]*(1 + p.c["kappa_fl"][0])
    points = p.points(panel)
    for i in range(len(t)):
        if t[i] > first + 0.02 and v[i] > 3 and i % 10 == 0:
            along = v[i] - lever[0][i]*lever[1] # the speed of the left wheel's centre
            close(at(points, t[i] - first), 100*(roll*spin[i]/along - 1), 0.7, "slip")
    expect(min(y for x, y in points) < -3, "a braked wheel slips")


def split(p):
    t0 = p.points(0)[0][0]
    brake = next(t for t, b in zip(p.c["t_s"], p.c["brake"]) if b > 0) - 0.01
    close(t0, 0, 0.02, "it begins with the brake")
    heading = [(t - brake, a/DEG) for t, a in zip(p.c["t_s"], p.c["yaw_rad"]) if t >= brake - 1e-6]
    # the picture has no panels for constant quantities, such as the angle of a fixed steering wheel
    close(area(until(p.points(0), 1)), at(heading, 1) - heading[0][1], 0.1, "heading after a second")
    close(at(p.points(0), 1), p.m["split_yaw_rate_1_radps"]/DEG, 0.1, "yaw rate after a second")
    left = sum(at(p.points(4, k), 0.2) for k in (0, 2))
    right = sum(at(p.points(4, k), 0.2) for k in (1, 3))
    # the car turns to the side that brakes more
    expect((left < right) == (p.m["split_yaw_rate_1_radps"] > 0) and left < 0, f"forces {left} and {right} kN")
    slip(p, 3, brake)


def braking(p):
    speed, way, slow = p.points(0), p.points(1), p.points(2)
    close(area(speed)/KMH, way[-1][1], 0.02*way[-1][1]**0.5, "distance as the area below the speed")
    close(area(slow)*G, (speed[0][1] - speed[-1][1])/KMH, 0.1, "speed as the area below the deceleration")
    # UN R13-H: the mean fully developed deceleration, from 0.8 to 0.1 of the speed at the onset
    v1, v2 = 0.8*speed[0][1], 0.1*speed[0][1]
    s1, s2 = (at([(-v, s) for (_, v), (_, s) in zip(speed, way)], -v) for v in (v1, v2))
    close((v1*v1 - v2*v2)/KMH**2/2/(s2 - s1), p.m["mfdd_mps2"], 0.02*p.m["mfdd_mps2"], "mfdd")
    slip(p, 3, p.m["brake_onset_s"])
    # the torque of a brake is proportional to its pressure, while the wheel turns
    t0 = p.m["brake_onset_s"]
    torque = [abs(b)/at(p.points(4), t - t0) for t, b, v in zip(p.c["t_s"], p.c["brake_torque_fl_Nm"], p.c["vx_mps"])
              if t0 + 0.3 < t < t0 + 2.5]
    close(max(torque), min(torque), 0.01*max(torque), "torque over pressure")


def rollover(p):
    close(max((abs(y) for x, y in p.points(1))), p.m["rollover_ay_mps2"]/G, 0.01, "greatest ay")
    close(max((abs(y) for x, y in p.points(2))), p.m["rollover_roll_rad"]/DEG, 0.05, "greatest roll")
    weight(p, 3)


def weight(p, panel):
    """Checks that the mean sum of the loads over a run is the car's weight, to 1 % for aerodynamics and heave."""
    total = sum(area(p.points(panel, k)) for k in range(4))/(p.points(panel)[-1][0] - p.points(panel)[0][0])
    close(total, p.key("vehicle.mass")*G/1000, 0.01*total, "weight")


def cycle(p):
    driven, commanded = p.points(0, 0), p.points(0, 1)
    close(area(driven)/KMH, p.m["distance_m"], 1e-3*p.m["distance_m"], "distance as the area below the speed")
    close(area(commanded)/KMH, p.m["distance_m"] - p.m["cycle_distance_deviation_m"], 1e-3*p.m["distance_m"],
        "distance of the command")
    for plot, key, sign in ((0, "work_drive_J", 1), (1, "work_brake_J", -1), (2, "work_aero_J", -1)):
        last = p.points(2, plot)[-1][1]
        close(last, sign*p.c[key][-1]/1000, 2e-3*abs(last), key)


def sine(p):
    tops = [max(p.points(k), key=lambda q: q[1])[0] for k in range(3)]
    rows = p.c["t_s"][1] - p.c["t_s"][0]
    close(tops[1] - tops[0], p.m["sine_yaw_rate_lag_1_s"], 1.5*rows, "lag of the yaw rate")
    close(tops[2] - tops[0], p.m["sine_ay_lag_1_s"], 1.5*rows, "lag of ay")


def free_steer(p):
    # the driver releases the steering wheel at 0: the driver's torque becomes 0, and the angle falls
    wheel = p.points(0)
    before, after = at(wheel, -0.5), at(wheel, 0.3)
    expect(abs(after) < 0.9*abs(before), f"steering wheel {before}, then {after} deg")
    close(at(p.points(2), -0.1), p.m["free_steer_ay_mps2"]/G, 0.005, "ay before the release")
    close(at(p.points(1), -0.1), p.m["free_steer_yaw_rate_radps"]/DEG, 0.05, "yaw rate before the release")


def crosswind(p):
    turned, rate = p.points(3), p.points(0)
    close(area(until(rate, 2)), at(turned, 2), 0.02, "turn of the car as the area below its yaw rate")
    close(peak(rate)[1], p.m["crosswind_yaw_rate_peak_radps"]/DEG, 0.02, "peak")


def acceleration(p):
    speed, way = p.points(0), p.points(1)
    close(area(speed)/KMH, way[-1][1], 0.5, "distance as the area below the speed")
    close(area(until(p.points(2), p.m["acceleration_time_s"]))*G*KMH, 100, 1,
        "speed as the area below the acceleration")


def ride(p):
    close(peak(p.points(0))[1]*G, math.copysign(p.m["az_peak_mps2"], peak(p.points(0))[1]), 0.35, "greatest az")
    for plot, axle in ((0, "front"), (2, "rear")):
        ys = [y for x, y in p.points(2, plot)]
        close(min(ys), 1000*p.m[f"travel_{axle}_min_m"], 0.8, "travel")
        close(max(ys), 1000*p.m[f"travel_{axle}_max_m"], 0.8, "travel")
        close(min(y for x, y in p.points(3, plot)), p.m["least_wheel_load_N"]/1000, 0.02, "wheels lift")


def start(p):
    speed = p.points(0)
    close(speed[-1][1], KMH*p.m["final_speed_mps"], 0.2, "speed at the end")
    close(p.points(1)[-1][1], p.m["distance_m"], 0.2, "distance")
    # m a + m g sin(slope) + drag, which is the sum of the tyres' forces
    forces = sum(at(p.points(4, k), 5.0) for k in range(4))
    mass, slope = p.key("vehicle.mass"), p.key("ground.grade")
    a = (at(speed, 5.5) - at(speed, 4.5))/KMH
    want = (mass*(a + G*math.sin(slope)) + at(list(zip(p.c["t_s"], p.c["drag_N"])), 5.0))/1000
    close(forces, want, 0.03*want, "sum of the forces")
    # the right front wheel has 0.15 of the friction, and its brake drives the left one through the differential
    expect(max(y for x, y in p.points(4, 1)) < 0.2*max(p.c["fz_fr_N"])/1000*max(p.c["mu_peak_fl"]), "force on ice")
    expect(at(p.points(5, 1), 2.5) > 10 > at(p.points(5, 0), 2.5), "pressures")


def fade(p):
    # what the brakes take from the car in the first stop heats the discs; cooling in 10 s is below 2 %
    row = next(i for i, t in enumerate(p.c["t_s"]) if t > 9.9)
    heat = sum(2*p.key(f"vehicle.brakes.heat.{axle}_capacity")*at(p.points(2, k), p.c["t_s"][row])
               for k, axle in enumerate(("front", "rear")))
    work = p.c["work_brake_J"][0] - p.c["work_brake_J"][row]
    expect(0.96*work < heat < work, f"heat {heat}, work of the brakes {work}")
    close(max(y for x, y in p.points(0)), 120, 0.5, "speed between the stops")
    tops = p.points(2)
    expect(at(tops, 640) > at(tops, 320) > at(tops, 50) > 0, "discs get hotter")
    torque = p.points(3)[0][1]*p.c["brake"][0]
    close(torque, -p.c["brake_torque_fl_Nm"][0], 0.02*torque, "torque")


def pedal(p):
    force = p.points(0)
    expect(force[0][0] > 0, force[0])
    # in proportion to the pressure, until anti-lock control releases it
    master, drag = p.points(1), force[0][1]
    share = (at(force, 140) - drag)/(at(force, 90) - drag)
    close(share, at(master, 140)/at(master, 90), 0.05*share, "deceleration over pressure")
    close(at(master, 250), 0.85*p.key("vehicle.brakes.pressure.full")/1e5, 0.5, "run-out point of the booster")
    expect(all(y > -35 for k in range(4) for x, y in p.points(2, k)), "a wheel locks")
    close(p.points(3)[0][1], 130, 0.5, "speed at the start")


def envelope(p):
    first = p.points(0, 0) # at the lowest speed, that of the metrics
    for metric, direction in (("ay_max_mps2", (1, 0)), ("ay_max_right_mps2", (-1, 0)), ("ax_max_mps2", (0, 1)),
                              ("brake_max_mps2", (0, -1))):
        off = min(math.hypot(x - direction[0]*p.m[metric]/G, y - direction[1]*p.m[metric]/G) for x, y in first)
        close(off, 0, 0.01, f"distance of {metric} from the diagram")
    for k in range(5): # the car is symmetric
        points = p.points(0, k)
        close(max(min(math.hypot(x + u, y - v) for u, v in points) for x, y in points), 0, 0.02, "mirror image")
    best = max(p.points(1, 0), key=lambda q: q[1])
    close(best[1], p.m["ay_best_mps2"]/G, 0.01, "greatest lateral limit")
    close(best[0], KMH*p.m["ay_best_speed_mps"], 0.5, "its speed")
    close(p.points(2, 0)[0][1], p.m["ay_side_slip_rad"]/DEG, 0.05, "side slip")
    close(p.points(2, 1)[0][1], p.m["ay_steer_rad"]/DEG, 0.05, "steer")
    # the road carries weight and downforce, and more on the outer side
    loads = [p.points(3, k)[0][1] for k in range(4)]
    weight = p.key("vehicle.mass")*G/1000
    close(sum(loads), weight*(1 + p.m["aero_weight"]), 0.005*weight, "sum of the loads")
    expect(loads[0] < loads[1] and loads[2] < loads[3], loads)


def diagram(p):
    panel = p.panels[0]
    x, y = panel.scale("x")[0], panel.scale("y")[0]
    for plot, metric in ((0, "stability_index"), (1, "agility_index")): # gradients where both angles are 0
        lines = [[(x(a), y(b)) for a, b in line] for line in panel.plots[plot].lines]
        expect(len(lines) == 21, f"{len(lines)} lines")
        points = sorted(lines[10])
        near = [q for q in points if abs(q[0]) < 0.25]
        slope = (near[-1][1] - near[0][1])/(near[-1][0] - near[0][0])
        close(slope, p.m[metric], 0.05*abs(p.m[metric]) + 0.004, metric)
    # no line crosses Cn = 0 beyond the trimmed limit, to either side
    limit = p.m["trim_ay_max_mps2"]/G
    lines = [[(x(a), y(b)) for a, b in line] for plot in panel.plots[:2] for line in plot.lines]
    cross = [a + (c - a)*b/(b - d) for line in lines for (a, b), (c, d) in zip(line, line[1:]) if b*d < 0]
    close(max(map(abs, cross)), limit, 0.01, "greatest lateral acceleration without a yaw moment")
    for plot, side in ((2, 1), (3, -1)):
        close(p.mark(0, plot)[0], side*limit, 0.005, "limit")


def lap(p):
    speed = p.points(0)
    time = sum((b[0] - a[0])*KMH*2/(a[1] + b[1]) for a, b in zip(speed, speed[1:]))
    close(time, p.m["lap_time_s"], 0.01*p.m["lap_time_s"], "time by the speeds that are drawn")
    close(p.points(1)[-1][1], p.m["lap_time_s"], 0.1, "time at the end")
    # the edges are as far from each other as the track is wide, and the line is between them
    left, right = ([(p.panels[2].scale("x")[0](a), p.panels[2].scale("y")[0](b)) for a, b in line]
                   for line in p.panels[2].plots[0].lines)
    width = 10 # m
    to_line = lambda q, line: min(math.hypot(q[0] - a[0] - t*(b[0] - a[0]), q[1] - a[1] - t*(b[1] - a[1]))
        for a, b in zip(line, line[1:]) for t in [min(1, max(0, ((q[0] - a[0])*(b[0] - a[0]) +
        (q[1] - a[1])*(b[1] - a[1]))/(math.dist(a, b)**2 or 1)))])
    for q in left[::7]:
        close(to_line(q, right), width, 0.2, "width of the track")
    for k in range(1, len(p.panels[2].plots)):
        for q in p.points(2, k)[::9]:
            close(to_line(q, left) + to_line(q, right), width, 0.2, "distance between the edges at the line")
    # in a corner v^2 over the radius
    across = max(abs(v*v*k) for v, k in zip(p.c["speed_mps"], p.c["curvature_1pm"]))
    close(max(abs(a) for a, b in p.points(3)), across/G, 0.02, "greatest lateral acceleration")


def overview(p):
    close(area(p.points(4)), (p.c["yaw_rad"][-1] - p.c["yaw_rad"][0])/DEG, 0.05,
        "heading as the area below the yaw rate")
    close(area(p.points(1))/KMH, p.m["distance_m"], 0.3, "distance as the area below the speed")
    close(max(abs(y) for x, y in p.points(3)), p.m["peak_ay_mps2"]/G, 0.01, "greatest ay")
    close(max(abs(y) for x, y in p.points(4)), p.m["peak_yaw_rate_radps"]/DEG, 0.1, "greatest yaw rate")


def histories(p):
    overview(Picture([p.panels[0], p.panels[1], p.panels[5], p.panels[2], p.panels[3]], p.stem))


def wheels(p):
    # the loads of all wheels are those of the axles; a slip angle is small where its side force is
    for panel, name in ((0, "fz_{}_N"), (2, "fy_{}_N")):
        for k, w in enumerate(("fl", "fr", "rl", "rr")):
            close(max(y for x, y in p.points(panel, k)), max(p.c[name.format(w)])/1000, 0.01, name.format(w))


def path(p):
    points = p.points(0, 1)
    close(sum(math.dist(a, b) for a, b in zip(points, points[1:])), p.m["distance_m"], 0.5, "length of the path")
    outline(p, 0, 0)


def gg(p):
    points = p.points(0, 2)
    close(max(abs(x) for x, y in points), p.m["peak_ay_mps2"]/G, 0.01, "greatest ay")
    close(-min(y for x, y in points), p.m["deceleration_peak_mps2"]/G, 0.01, "greatest deceleration")
    # no tyre transmits more than friction times its load; its used friction is its force over its load
    for k, w in enumerate(("fl", "fr", "rl", "rr")):
        fx, fy, fz = (p.c[f"{f}_{w}_N"] for f in ("fx", "fy", "fz"))
        used = max(math.hypot(x, y) for x, y in p.points(1, k + 1))
        close(used, max(math.hypot(a, b)/f for a, b, f in zip(fx, fy, fz)), 2e-3, "friction used")
        expect(0.2 < used < max(p.c[f"mu_peak_{w}"])*1.02, f"friction {used}")
        close(min(y for x, y in p.points(1, k + 1)), min(a/f for a, f in zip(fx, fz)), 2e-3, "friction used to brake")


def loads(p):
    weight(p, 1)


def energy(p):
    stored, works, both, rest = range(4)
    t, ends = p.c["t_s"], []
    # at the row in which the energy deviates most from its initial value
    k = max(range(len(t)), key=lambda i: abs(p.c["energy_J"][i] - p.c["energy_J"][0]))
    for panel in (stored, works):
        value = p.panels[panel].scale("y")[0]
        _, slope, _, (px, ax) = p.panels[panel].scale("x")
        at_row = px + (t[k] - ax)*slope
        ys = [value(q[1]) for plot in p.panels[panel].plots for poly in plot.polygons for q in poly
            if abs(q[0] - at_row) < 0.03]
        expect(ys, "no corner of an area at that row")
        ends.append(max(ys + [0]) + min(ys + [0]))
    # areas of less than 1/500 of a panel's height, of either sign, are not drawn
    for end, plot in zip(ends, (0, 1)):
        y = at(p.points(both, plot), t[k])
        span = abs(1/p.panels[plot].scale("y")[1])*(p.panels[plot].frame[3] - p.panels[plot].frame[1])
        close(end, y, 3*span/500, "sum of the areas")
    close(max(abs(y) for x, y in p.points(rest)), 0, 1e-6*max(p.c["energy_kinetic_J"]), "the ledger closes")
    # m v^2/2 and J r^2/2; the energies of wheels, springs and roll are far smaller in a lane change
    m, j = p.key("vehicle.mass"), p.key("vehicle.yaw_inertia")
    kinetic = [(m*(x*x + y*y) + j*r*r)/2000 for x, y, r in zip(p.c["vx_mps"], p.c["vy_mps"], p.c["yaw_rate_radps"])]
    k = max(range(len(kinetic)), key=lambda i: abs(kinetic[i] - kinetic[0]))
    close(at(p.points(both), p.c["t_s"][k]), kinetic[k] - kinetic[0], 0.15*abs(kinetic[0] - kinetic[k]),
        "kinetic energy")


def tyres(p):
    # the curves are those of the rig, at the least and the greatest load of the axle's wheels
    for panel, (axle, wheels) in enumerate((("front", ("fl", "fr")), ("rear", ("rl", "rr")))):
        loads = [f for w in wheels for f in p.c[f"fz_{w}_N"] if f > 100]
        limit = max(abs(x) for k in (1, 2) for x, y in p.points(panel, k))*DEG
        lines, inside = [], False
        for line in open(p.stem + ".resolved.yaml", encoding="utf-8"):
            inside = line.startswith(f"  {axle}:") if line[:3].strip() or (line[:2] == "  "
                and line[2] != " ") else inside
            lines.append(line) if inside else None
        start = next(i for i, line in enumerate(lines) if line.startswith("    tyre:"))
        end = next((i for i in range(start + 1, len(lines)) if not lines[i].startswith("      ")), len(lines))
        with open("rig.yaml", "w", encoding="utf-8") as out:
            out.write("kind: tyre_rig\ntyre:\n" + "".join(line[4:] for line in lines[start + 1:end]) +
                      f"load: [{min(loads):.12g}, {max(loads):.12g}]\n"
                      f"slip_angles: [{-limit}, {-limit/2}, {limit/4}, {limit}]\n")
        subprocess.run([os.environ["VDSIM_RUN"], "-q", "-o", "rig.csv", "rig.yaml"], check=True)
        curve = next(q for q in p.panels[panel].plots if q.colour == (144, 144, 144))
        x, y = (p.panels[panel].scale(a)[0] for a in "xy")
        lines = [[(x(q[0]), y(q[1])) for q in part] for part in curve.lines]
        for r in csv.DictReader(open("rig.csv")):
            line = min(lines, key=lambda l: abs(at(l, float(r["alpha_rad"])/DEG) - float(r["fy_N"])/1000))
            close(at(line, float(r["alpha_rad"])/DEG), float(r["fy_N"])/1000, 0.01, f"curve at {r['fz_N']} N")
            expect(float(r["alpha_rad"])*float(r["fy_N"]) < 0, "Fy = -C alpha")
        expect(abs(lines[0][0][1]) < abs(lines[1][0][1]), "two loads")
