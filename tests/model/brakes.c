/* Brakes: distribution, handbrake, antilock system on high, low and split friction. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

static const char *const stop = "vehicle: ../vehicles/sedan.yaml\n"
                                "run: {level: L2, duration: 20 s, slip: transient}\n"
                                "initial: {speed: 100 km/h}\n"
                                "brake: {type: step, start: 0.2 s, rise: 0.1 s, value: 1}\n";

/* Figures of a stop. Deceleration and slips count from 0.6 s after the pedal begins to move until 5 m/s. */
typedef struct stop_record {
  double distance;       /* m, until the speed is 0.5 m/s */
  double least_share;    /* -, deceleration over that with all tyres at their peaks, at the loads of the same row */
  double slip_deviation; /* largest |kappa/kappa_peak - 1| of any wheel */
  double ledger;         /* largest |residual| over the kinetic energy at the start */
} stop_record;

/* Returns the deceleration with every tyre at its peak: sum(mu_peak Fz)/m, plus drag. Rolling resistance is a moment
 * within the wheels, which adds no force to those of the tyres. */
static double best_deceleration(const scene *s, const vd_row *row) {
  double force = row->eval.outside.drag;
  for (int i = 0; i < VD_WHEELS; i++)
    force += row->eval.log.mu_peak[i] * row->eval.tyre.load[i];
  return force / s->def.vehicle.mass;
}

static stop_record record_stop(scene *s) {
  stop_record r = {.least_share = INFINITY};
  double first = 0.0;
  for (vd_row row = scene_row(s); s->sim.status == VD_SIM_OK && row.eval.motion.vx > 0.5 && row.t < 19.9;
       row = scene_row(s)) {
    if (row.t == 0.0)
      first = row.eval.log.energy_kinetic;
    r.ledger = tap_max(r.ledger, fabs(row.eval.log.ledger) / first);
    r.distance = row.state.x[VD_S_DISTANCE];
    if (row.t > 0.8 && row.eval.motion.vx > 5.0) {
      r.least_share = tap_min(r.least_share, -row.eval.body.ax / best_deceleration(s, &row));
      for (int i = 0; i < VD_WHEELS; i++)
        r.slip_deviation = tap_max(r.slip_deviation, fabs(-row.eval.slip.kappa[i] / row.eval.log.kappa_peak[i] - 1.0));
    }
    scene_run(s, row.t + 0.01);
  }
  return r;
}

/* Locked wheels have less force than the peak (by 1.2 % for this tyre: sin(C atan(y)) at slip 1), so the controlled
 * stop is shorter. The controller's integral part removes a constant error of the slip. While the speed falls, the slip
 * at a constant torque drifts; the band of 3 % of the target slip covers this drift, which costs less than 1e-3 of the
 * force near the peak. */
static void anti_lock(const char *level, const char *slip, double friction) {
  char run[32], how[32], ground[48];
  snprintf(run, sizeof run, "run.level=%s", level);
  snprintf(how, sizeof how, "run.slip=%s", slip);
  snprintf(ground, sizeof ground, "ground.friction=%g", friction);
  scene *locked = scene_make(stop, run, how, ground, NULL);
  scene *controlled = scene_make(stop, run, how, ground, "vehicle.brakes.abs=slip", NULL);
  stop_record a = record_stop(locked), b = record_stop(controlled);
  tap_ok(b.distance < a.distance, "%s %s mu %g: stops in %.2f m, with locked wheels in %.2f m", level, slip, friction,
         b.distance, a.distance);
  tap_ok(b.slip_deviation < 0.03, "an anti-lock stop keeps the slip within 3 %% of the slip of the peak (%.4f)",
         b.slip_deviation);
  tap_ok(b.least_share > 0.999 && b.least_share <= 1.0 + 1e-9,
         "the deceleration of an anti-lock stop is at least 0.999 of the best (%.6f)", b.least_share);
  tap_ok(a.ledger < 1e-4 && b.ledger < 1e-4,
         "the ledger of a stop closes: %.1e with locked wheels, %.1e with the anti-lock system", a.ledger, b.ledger);
  scene_free(locked);
  scene_free(controlled);
}

static void steers_while_braking(void) {
  const char *steer = "steer={type: step, start: 0.6 s, rise: 0.1, value: 3 deg}";
  scene *locked = scene_make(stop, "ground.friction=0.9", steer, NULL);
  scene *controlled = scene_make(stop, "ground.friction=0.9", steer, "vehicle.brakes.abs=slip", NULL);
  scene_run(locked, 3.0);
  scene_run(controlled, 3.0);
  double a = scene_row(locked).eval.log.y, b = scene_row(controlled).eval.log.y;
  tap_ok(b > 0.5 && fabs(a) < 0.1 * b,
         "a car steered left while braking goes left by %.2f m, with locked wheels by %.2f m", b, a);
  scene_free(locked);
  scene_free(controlled);
}

/* Checks that more friction on the left pulls the car to the left, with and without the system, and that the mirrored
 * road gives the mirrored run. */
static void split_friction(void) {
  for (int abs = 0; abs < 2; abs++) {
    const char *how = abs ? "vehicle.brakes.abs=slip" : "vehicle.brakes.abs=none";
    scene *left = scene_make(stop, how, "initial.speed=60 km/h",
                             "ground={friction: 0.9, patches: [{friction: 0.3, y_to: 0, edge: 0.2}]}", NULL);
    scene *right = scene_make(stop, how, "initial.speed=60 km/h",
                              "ground={friction: 0.9, patches: [{friction: 0.3, y_from: 0, edge: 0.2}]}", NULL);
    double worst = 0.0, least = INFINITY;
    for (int i = 1; i <= 10; i++) {
      scene_run(left, 0.1 * i);
      scene_run(right, 0.1 * i);
      vd_row a = scene_row(left), b = scene_row(right);
      worst = tap_max(worst, fabs(a.eval.motion.yaw_rate + b.eval.motion.yaw_rate));
      worst = tap_max(worst, fabs(a.eval.log.y + b.eval.log.y));
      if (i >= 4)
        least = tap_min(least, a.eval.motion.yaw_rate);
    }
    tap_ok(least > 0.05, "split friction, %s: the car yaws to the side with more friction (%.3f rad/s at least)", how,
           least);
    /* the weight w of friction, 0.9 - 0.6 w, is equal on both roads up to rounding; a car near its stability limit
     * magnifies rounding by some powers of ten in a second */
    tap_near(worst, 0.0, 1e-9, "a mirrored split road gives the mirrored stop");
    scene_free(left);
    scene_free(right);
  }
}

static void distribution(void) {
  for (int level = 1; level <= 2; level++) {
    char run[32];
    snprintf(run, sizeof run, "run.level=L%d", level);
    scene *s = scene_make(stop, run, "brake={type: step, start: 0.2 s, rise: 0.1 s, value: 0.5}",
                          "vehicle.brakes.load_dependent=true", NULL);
    scene_run(s, 1.0);
    vd_row row = scene_row(s);
    const vd_eval *e = &row.eval;
    double front = e->log.brake_torque[VD_FL] + e->log.brake_torque[VD_FR],
           rear = e->log.brake_torque[VD_RL] + e->log.brake_torque[VD_RR];
    double load_front = e->tyre.load[VD_FL] + e->tyre.load[VD_FR],
           load_rear = e->tyre.load[VD_RL] + e->tyre.load[VD_RR];
    tap_near(front / rear, load_front / load_rear, 1e-12,
             "L%d: the torques of load-dependent brakes are in the ratio of the axles' loads", level);
    tap_near(-(front + rear), 0.5 * 6000.0, 1e-9, "load-dependent brakes deliver the torque that the pedal commands");
    scene_free(s);
  }
}

static void handbrake(void) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {level: L2, duration: 5 s}\ninitial: {speed: 20 m/s}\n"
                        "handbrake: 0.2\nbrake: 0.1\n",
                        NULL);
  scene_run(s, 0.5);
  vd_row row = scene_row(s);
  tap_near(-row.eval.log.brake_torque[VD_FL], 0.1 * 6000.0 * 0.62 / 2.0, 1e-9,
           "the handbrake does not act on the front wheels");
  tap_near(-row.eval.log.brake_torque[VD_RL], 0.1 * 6000.0 * 0.38 / 2.0 + 0.2 * 2500.0 / 2.0, 1e-9,
           "the handbrake adds to the torque of the rear wheels");
  scene_free(s);
}

/* Checks that below its minimum speed the system lets the wheels lock, so that the car is held. */
static void standstill(void) {
  scene *s = scene_make(stop, "vehicle.brakes.abs=slip", "ground.friction=0.9", NULL);
  scene_run(s, 6.0);
  vd_row row = scene_row(s);
  double least = 1.0;
  for (int i = 0; i < VD_WHEELS; i++)
    least = tap_min(least, row.eval.log.pressure[i]);
  tap_near(least, 1.0, 1e-9, "after the stop the pressure is full again");
  tap_near(row.eval.motion.vx, 0.0, 1e-9, "the car stands still with the full pressure");
  scene_free(s);
}

/* The sedan's brakes have 6000 N m, 62 % in front: the full pressure of a front wheel is 1860 N m, of a rear wheel
 * 1140 N m. Requests add to a pedal of 0.2, and no sum is below zero or above the full pressure. */
static void requests(const char *level) {
  char run[32];
  snprintf(run, sizeof run, "run.level=%s", level);
  scene *s = scene_make(stop, run, "brake=0.2", "brake_request_fl=100 N m", "brake_request_fr=-1000 N m",
                        "pressure_request_rl=0.1", "pressure_request_rr=1", "drive_request_rr=50 N m", NULL);
  scene_run(s, 0.1);
  vd_row row = scene_row(s);
  const double expected[] = {0.2 * 1860.0 + 100.0, 0.0, 0.3 * 1140.0, 1140.0};
  double worst = 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    worst = tap_max(worst, fabs(row.eval.log.brake_torque[i] + expected[i]));
  tap_near(worst, 0.0, 1e-9, "%s: torque and pressure requests add to the pedal, between zero and full pressure",
           level);
  tap_near(row.eval.drive.drive_torque[VD_RR], 50.0, 1e-9,
           "%s: without throttle the drive request is the wheel's torque", level);
  tap_ok(row.eval.motion.yaw_rate < 0.0 && row.eval.log.pressure_request[VD_RR] == 1.0 &&
             fabs(row.eval.log.ledger) < 1e-4 * row.eval.log.energy_kinetic,
         "%s: the car turns to the side that is braked more; the log shows the request; the ledger closes", level);
  scene_free(s);
}

static const char *const coast = "vehicle: ../vehicles/sedan.yaml\n"
                                 "run: {level: L2, duration: 20 s, slip: transient}\n"
                                 "initial: {speed: 100 km/h}\n";

/* Returns the pressure at a wheel as a share of the full pressure. */
static double pressure(scene *s, int wheel, double t) {
  scene_run(s, t);
  return scene_row(s).state.x[VD_S_PRESSURE + wheel];
}

/* Checks a rise of pressure with 100 bar, 1000 bar/s, dead time 20 ms and time constant 10 ms. The pressure rises by
 * 10/s from -0.2 and passes 0 after 20 ms. It reaches 0.9 after 110 ms and then follows 1 - 0.1 exp(-t/10 ms). */
static void pressures(const char *level) {
  char run[32];
  snprintf(run, sizeof run, "run.level=%s", level);
  scene *s =
      scene_make(coast, run, "vehicle.brakes.pressure=hydraulic", "brake={type: step, start: 0.2 s, value: 1}", NULL);
  tap_near(pressure(s, VD_FL, 0.2), -0.2, 1e-12, "%s: before the pedal is pressed the pads rest at their clearance",
           level);
  tap_near(pressure(s, VD_FL, 0.22), 0.0, 1e-6, "%s: the pads touch after the dead time", level);
  tap_near(pressure(s, VD_FR, 0.26), 0.4, 1e-6, "%s: the pressure rises at its greatest rate", level);
  tap_near(scene_row(s).eval.log.brake_torque[VD_FL], -0.4 * 1860.0, 0.01, "%s: the brake torque follows the pressure",
           level);
  tap_near(pressure(s, VD_FL, 0.33), 1.0 - 0.1 * exp(-2.0), 1e-4, "%s: the pressure approaches the pedal's pressure",
           level);
  scene_free(s);
}

/* Checks valves: a closed valve keeps the pressure, releasing lowers it by 15/s, a valve half open raises it by half of
 * 10/s. Above the pedal's pressure the pump raises it by 3/s, so that the clearance takes 67 ms. */
static void valves(void) {
  scene *s = scene_make(coast, "vehicle.brakes.pressure=hydraulic", "brake={type: step, start: 0.2 s, value: 1}",
                        "brake_valve_fl={type: table, interpolation: hold, points: [[0, 1], [0.3, 0], [0.4, -1], "
                        "[0.42, 0.5]]}",
                        "pressure_request_rr={type: step, start: 0, value: 0.3}", NULL);
  tap_near(pressure(s, VD_RR, 0.05), -0.05, 1e-6, "the pump covers the clearance");
  tap_near(pressure(s, VD_RR, 0.1), 0.1, 1e-6, "the pump builds a pressure without a pedal");
  tap_near(pressure(s, VD_FL, 0.3), 0.8, 1e-6, "an open valve follows the pedal");
  tap_near(pressure(s, VD_FL, 0.39), 0.8, 1e-6, "a closed valve holds the pressure");
  tap_near(pressure(s, VD_FL, 0.42), 0.5, 1e-6, "a released pressure falls");
  tap_near(pressure(s, VD_FL, 0.46), 0.7, 1e-6, "half the opening raises the pressure at half the rate");
  scene_free(s);
  s = scene_make(coast, "vehicle.brakes.pressure=hydraulic",
                 "brake={type: table, points: [[0, 1], [0.2, 1], [0.21, 0]]}", "brake_valve_fl=0", NULL);
  tap_near(pressure(s, VD_FL, 0.2), 1.0, 1e-9, "a run starts with the pressure of its pedal");
  tap_near(pressure(s, VD_FL, 0.5), -0.2, 1e-6, "releasing the pedal also lowers the pressure behind a closed valve");
  scene_free(s);
}

int main(void) {
  tap_plan(6 * 4 + 1 + 4 + 4 + 2 + 2 + 2 * 3 + 3 * 5 + 8);
  pressures("L1");
  pressures("L2");
  pressures("L3");
  valves();
  anti_lock("L1", "steady", 0.9);
  anti_lock("L1", "transient", 0.3);
  anti_lock("L2", "steady", 0.9);
  anti_lock("L2", "steady", 0.3);
  anti_lock("L2", "transient", 0.9);
  anti_lock("L2", "transient", 0.3);
  steers_while_braking();
  split_friction();
  distribution();
  handbrake();
  standstill();
  requests("L2");
  requests("L3");
  return tap_done();
}
