/* Traction control: starts on low and split friction and on a slope, hill hold, gentle driving. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

static const char *const start = "vehicle: ../vehicles/saloon.yaml\n"
                                 "run: {level: L2, duration: 8 s, slip: transient}\n"
                                 "throttle: {type: step, start: 0.2 s, rise: 0.2 s, value: 0.8}\n";
static const char *const hydraulic = "vehicle.brakes.pressure=hydraulic", *const plain = "vehicle.brakes.abs=none";
static const char *const with = "controllers=[tcs]", *const without = "controllers=[]";

typedef struct record {
  double speed, place; /* m/s, m, at 5 s */
  double spins;        /* m/s, greatest excess of a rim's speed over the car's, from 2 s on */
  double low;          /* m/s2, acceleration by both driven wheels at the peak of the left one */
} record;

/* Starts the car. left: the friction of both left wheels as a share of the ground's. */
static record started(const char *controllers, const char *drive, const char *ground, double left) {
  char setting[2][32];
  snprintf(setting[0], sizeof setting[0], "friction_fl=%g", left);
  snprintf(setting[1], sizeof setting[1], "friction_rl=%g", left);
  scene *s =
      scene_make(start, plain, hydraulic, controllers, drive, ground, setting[0], setting[1], "run.step=2.5 ms", NULL);
  record r = {0};
  for (double t = 0.1; t < 5.05; t += 0.1) {
    scene_run(s, t);
    for (int i = 0; i < VD_WHEELS && t > 2.0; i++)
      r.spins = tap_max(r.spins, s->model.vehicle.axle[vd_axle_of(i)].wheel_radius * s->sim.eval.motion.omega[i] -
                                     s->sim.eval.motion.vx);
  }
  const vd_row row = scene_row(s);
  r.speed = row.eval.motion.vx;
  r.place = row.eval.log.x;
  r.low = 2.0 * row.eval.log.mu_peak[VD_FL] * row.eval.tyre.load[VD_FL] / s->def.vehicle.mass;
  scene_free(s);
  return r;
}

/* Tests split friction. An open differential gives both wheels the torque of the sliding wheel: the car's acceleration
 * is at most 2 mu Fz/m with the friction of this wheel. The brake's torque on the sliding wheel adds to the torque of
 * both. */
static void split(void) {
  const record alone = started(without, "vehicle.drivetrain.drive=front", "ground.friction=1", 0.15);
  const record r = started(with, "vehicle.drivetrain.drive=front", "ground.friction=1", 0.15);
  tap_ok(alone.speed < alone.low * 4.8 && r.speed > 2.0 * alone.low * 4.8,
         "split friction: %.1f m/s after 5 s, without control %.1f m/s of at most %.1f m/s", r.speed, alone.speed,
         alone.low * 4.8);
  tap_ok(r.spins < 2.0 && alone.spins > 20.0, "  rims are faster than the car by %.1f m/s, without by %.0f m/s",
         r.spins, alone.spins);
}

/* Tests low friction on both sides, where the throttle alone limits the slip; sliding tyres pull less than gripping
 * ones. */
static void low(const char *drive) {
  const record alone = started(without, drive, "ground.friction=0.2", 1.0);
  const record r = started(with, drive, "ground.friction=0.2", 1.0);
  tap_ok(r.speed > 1.1 * alone.speed, "friction 0.2, %s: %.2f m/s after 5 s, without control %.2f m/s", drive, r.speed,
         alone.speed);
  tap_ok(r.spins < 2.0 && alone.spins > 20.0, "  rims are faster than the car by %.1f m/s, without by %.0f m/s",
         r.spins, alone.spins);
}

/* Tests a grade on split friction: 15 % need 1.45 m/s2; without control the car reaches 2 mu Fz/m with its sliding
 * wheel, 0.7 m/s2. */
static void slope(void) {
  const char *const hill = "ground={type: inclined, grade: 8.53 deg}";
  const record alone = started(without, "vehicle.drivetrain.drive=front", hill, 0.15);
  const record r = started(with, "vehicle.drivetrain.drive=front", hill, 0.15);
  tap_ok(alone.place < -1.0 && r.place > 4.0, "15 %% on split friction: %.1f m in 5 s, without control %.1f m", r.place,
         alone.place);
}

/* The brake pedal is released at 1.2 s, and the throttle opens at 2 s: between them g sin(grade) = 1.45 m/s2 would pull
 * the car back by at least 0.5 1.45 0.8^2 = 0.46 m. */
static void hill_hold(void) {
  double back[2], level = NAN, rolling = NAN;
  for (int k = 0; k < 3; k++) {
    scene *s =
        scene_make("vehicle: ../vehicles/saloon.yaml\nrun: {level: L2, duration: 8 s, slip: transient}\n"
                   "brake: {type: table, points: [[0, 0.5], [1, 0.5], [1.2, 0]]}\n"
                   "throttle: {type: step, start: 2 s, rise: 0.5 s, value: 0.5}\n",
                   plain, hydraulic, k == 1 ? without : with,
                   k == 2 ? "ground={type: inclined, grade: 0}" : "ground={type: inclined, grade: 8.53 deg}", NULL);
    double lowest = 0.0;
    for (double t = 0.05; t < 3.0; t += 0.05) {
      scene_run(s, t);
      lowest = tap_min(lowest, scene_row(s).eval.log.x);
      if (k == 2 && fabs(t - 1.5) < 0.01)
        level = scene_row(s).eval.log.wheel_pressure[VD_FL];
    }
    if (k == 0)
      rolling = scene_row(s).eval.log.wheel_pressure[VD_FL];
    if (k < 2)
      back[k] = -lowest;
    scene_free(s);
  }
  tap_ok(back[0] < 0.01 && back[1] > 0.46, "hill hold: the car rolls back by %.1f mm, without it by %.2f m",
         1e3 * back[0], back[1]);
  tap_near(rolling, 0.0, 0.0, "  the brakes are released once the car drives");
  tap_near(level, 0.0, 0.0, "  on level ground the brakes are released with the pedal");
}

/* Checks that a start that spins no wheel has the bits of one without the control. */
static void gentle(void) {
  double speed[2];
  for (int k = 0; k < 2; k++) {
    scene *s = scene_make(start, plain, hydraulic, "throttle.value=0.3", k == 0 ? with : without, NULL);
    scene_run(s, 4.0);
    speed[k] = scene_row(s).eval.motion.vx;
    scene_free(s);
  }
  tap_near(speed[0], speed[1], 0.0, "a start with 0.3 of the throttle has the bits of one without the control");
}

int main(void) {
  tap_plan(2 + 3 * 2 + 1 + 3 + 1);
  split();
  low("vehicle.drivetrain.drive=front");
  low("vehicle.drivetrain.drive=rear");
  low("vehicle.drivetrain.drive=all");
  slope();
  hill_hold();
  gentle();
  return tap_done();
}
