/* Brake discs that warm up: energy, cooling, fade; and circuits that fail. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

#include "base/base.h"

enum { LEVELS = 4, TESTS = 2 * LEVELS + 6 + 4 + 2 };

/* capacities 4000 and 2000 J/K */
static const char *const car =
    "vehicle:\n  base: ../vehicles/textbook_linear.yaml\n"
    "  brakes: {max_torque: 4000 N m, front_share: 0.6, handbrake_torque: 1500 N m, heat: &heat {type: disc,\n"
    "    front_capacity: 4000 J/K, rear_capacity: 2000 J/K}}\n"
    "run: {duration: 60 s}\ninitial: {speed: 30 m/s}\n";

#define BRAKES "brake={type: step, start: 0.1 s, rise: 0.1 s, value: 0.4}"

static double heat_in_discs(const vd_row *row) {
  double sum = 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    sum += row->eval.log.disc[i] * (vd_is_front(i) ? 4000.0 : 2000.0);
  return sum;
}

/* Checks that the discs contain all work of the brakes, also of wheels that lock. */
static void energy(const char *level, const char *brake, const char *what) {
  scene *s = scene_make(car, level, brake, NULL);
  scene_run(s, 5.0);
  vd_row row = scene_row(s);
  const double work = -row.state.x[VD_S_WORK_BRAKE], error = heat_in_discs(&row) / work - 1.0;
  tap_ok(work > 1e4 && fabs(error) < 1e-6, "%s, %s: the discs contain the work of the brakes to %.1e", level, what,
         error);
  scene_free(s);
}

/* A disc that is not braked cools by T' = -h T/C; h = 20 W/K at 25 m/s lies on the line from 10 W/K at rest to 30 W/K
 * at 50 m/s. */
static void cooling(void) {
  scene *s =
      scene_make(car, "run.level=L1", "initial.speed=25 m/s", "speed=25 m/s",
                 "vehicle.brakes.heat.front_cooling=[[0, 10], [50, 30]]", "vehicle.brakes.heat.start=300 K", NULL);
  scene_run(s, 50.0);
  vd_row row = scene_row(s);
  tap_near(row.eval.log.disc[VD_FL], 300.0 * exp(-20.0 * 50.0 / 4000.0), 1e-3, "a disc cools as an exponential");
  tap_near(row.eval.log.disc[VD_RL], 300.0, 1e-9, "a disc without cooling keeps its temperature");
  scene_free(s);
}

/* Under a constant torque a wheel's speed falls linearly with time, and so does the heating p - q t of the disc, K/s.
 * From T' + l T = p - q t follows T = A - B t + (T0 - A) exp(-l t), B = q/l, A = p/l + q/l^2, with the rate of cooling
 * l. The slip of about 1 % makes the wheel slower than the car, so that p and q come from its spin. */
static void braking(void) {
  scene *s = scene_make(car, "run.level=L2", BRAKES, "vehicle.brakes.heat.front_cooling=[[0, 40], [1, 40]]", NULL);
  scene_run(s, 0.2);
  const double w0 = scene_row(s).eval.motion.omega[VD_FL], T0 = scene_row(s).eval.log.disc[VD_FL];
  scene_run(s, 4.2);
  vd_row row = scene_row(s);
  const double torque = 0.4 * 4000.0 * 0.6 / 2.0, t = 4.0, l = 40.0 / 4000.0;
  const double p = torque * w0 / 4000.0, q = torque * (w0 - row.eval.motion.omega[VD_FL]) / t / 4000.0;
  const double B = q / l, A = p / l + q / (l * l), expected = (T0 - A) * exp(-l * t) + A - B * t;
  tap_near(row.eval.log.disc[VD_FL] / expected, 1.0, 1e-3, "a disc under a constant torque is %.2f K above the air",
           expected);
  scene_free(s);
}

static double brake_torque(const char *start, const char *friction, const char *sliding) {
  scene *s = scene_make(car, "run.level=L2", BRAKES, start, friction, sliding,
                        "vehicle.brakes.heat.front_capacity=10000 kJ/K", NULL);
  scene_run(s, 1.0);
  const double torque = scene_row(s).eval.log.brake_torque[VD_FL];
  scene_free(s);
  return torque;
}

static void fade(void) {
  const char *const pads = "vehicle.brakes.heat.friction=[[100, 1], [300, 0.8], [500, 0.5]]";
  const char *const none = "vehicle.brakes.heat.friction=[]", *const even = "vehicle.brakes.heat.sliding=[]";
  const double cold = brake_torque("vehicle.brakes.heat.start=0 K", pads, even);
  tap_near(fabs(cold), 480.0, 1e-3, "a cold brake delivers the torque without fade");
  tap_near(brake_torque("vehicle.brakes.heat.start=300 K", pads, even) / cold, 0.8, 1e-5,
           "a brake 300 K above the air has 0.8 of the cold torque");
  tap_near(brake_torque("vehicle.brakes.heat.start=700 K", none, "vehicle.brakes.heat.sliding=[[0, 0.7], [60, 0.7]]") /
               cold,
           0.7, 1e-9, "a factor of 0.7 at all sliding speeds multiplies the brake torque");
}

/* Of 1600 N m the front brakes have 0.6. The torques of the circuit that works stay, and a failed diagonal circuit
 * turns the car towards the side whose front brake works. */
static void circuits(void) {
  static const struct {
    const char *failed;
    double left, turns;
  } row[] = {{"front", 0.4, 0.0}, {"rear", 0.6, 0.0}, {"fl_rr", 0.5, -1.0}, {"fr_rl", 0.5, 1.0}};
  for (size_t k = 0; k < VD_COUNT(row); k++) {
    char failed[64];
    snprintf(failed, sizeof failed, "vehicle.brakes.failed_circuit=%s", row[k].failed);
    scene *s = scene_make(car, "run.level=L2", BRAKES, failed, NULL);
    scene_run(s, 0.6);
    const vd_row at = scene_row(s);
    const double torque = at.eval.log.brake_torque[VD_FL] + at.eval.log.brake_torque[VD_FR] +
                          at.eval.log.brake_torque[VD_RL] + at.eval.log.brake_torque[VD_RR];
    const double yaw = at.state.x[VD_S_YAW_RATE];
    tap_ok(fabs(torque / (-1600.0 * row[k].left) - 1.0) < 1e-9 &&
               (row[k].turns == 0.0 ? yaw == 0.0 : yaw * row[k].turns > 1e-4),
           "a failed circuit, %s: the other brakes have %g N m, and the yaw rate is %.1e rad/s", row[k].failed, -torque,
           yaw);
    scene_free(s);
  }
}

/* Recuperation replaces friction brakes only where they work: the car brakes as it does without recuperation. */
static void recuperation(void) {
  static const char *const electric = "vehicle: ../vehicles/electric_compact.yaml\ninitial: {speed: 20 m/s}\n"
                                      "run: {level: L2, duration: 2 s}\n"
                                      "brake: {type: step, start: 0.1 s, rise: 0.1 s, value: 0.1}\n";
  static const char *const failed[] = {"vehicle.brakes.failed_circuit=rear", "vehicle.brakes.failed_circuit=fl_rr"};
  for (int k = 0; k < 2; k++) {
    double ax[2], taken = 0.0;
    for (int with = 0; with < 2; with++) {
      scene *s = scene_make(electric, failed[k],
                            with ? "vehicle.brakes.recuperation=all" : "vehicle.brakes.recuperation=none", NULL);
      scene_run(s, 1.0);
      ax[with] = scene_row(s).eval.body.ax;
      taken = scene_row(s).state.x[VD_S_RECUPERATED];
      scene_free(s);
    }
    tap_ok(taken > 1e3 && fabs(ax[1] / ax[0] - 1.0) < 1e-4,
           "%s: the deceleration is equal with and without recuperation, %.4f and %.4f m/s2", failed[k], ax[1], ax[0]);
  }
}

int main(void) {
  static const char *const level[LEVELS] = {"run.level=L1", "run.level=L2", "run.level=L3", "run.level=L5"};
  tap_plan(TESTS);
  for (int k = 0; k < LEVELS; k++) {
    energy(level[k], BRAKES, "braking");
    energy(level[k], "handbrake={type: step, start: 0.1 s, value: 1}", "handbrake");
  }
  cooling();
  braking();
  fade();
  circuits();
  recuperation();
  return tap_done();
}
