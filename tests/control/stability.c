/* Stability control: sine with dwell with and without the control, steady turns, gentle driving, arbitration with
 * anti-lock. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

#include "base/elementary.h"

static const double deg = VD_PI / 180.0;
static const char *const hydraulic = "vehicle.brakes.pressure=hydraulic", *const plain = "vehicle.brakes.abs=none";
static const char *const both = "controllers=[abs, esc]", *const none = "controllers=[]";

typedef struct dwell {
  double ratio[2];  /* |yaw rate| 1.00 and 1.75 s after the end of steer, divided by its peak after the reversal */
  double displaced; /* m, 1.07 s after the beginning of steer */
} dwell;

/* Runs the sine with dwell of FMVSS 126 and UN R140 (figures from secondary sources): 80 km/h, 0.7 Hz, dwell of 0.5 s
 * after the third quarter of the period. */
static dwell dwell_of(const char *car, const char *controllers, const char *level, double amplitude) {
  const double start = 0.2, frequency = 0.7, look = 0.01, end = start + 1.0 / frequency + 0.5;
  char vehicle[64], steer[64];
  snprintf(vehicle, sizeof vehicle, "vehicle=scenarios/vehicles/%s.yaml", car);
  snprintf(steer, sizeof steer, "steering_wheel.amplitude=%.17g", amplitude);
  scene *s = scene_make("vehicle: ../vehicles/saloon.yaml\nrun: {level: L3, duration: 6 s, slip: transient}\n"
                        "initial: {speed: 80 km/h}\n"
                        "steering_wheel: {type: sine_with_dwell, start: 0.2 s, frequency: 0.7 Hz, dwell: 0.5 s, "
                        "amplitude: 1}\n",
                        vehicle, steer, controllers, plain, hydraulic, level, "run.step=1 ms", NULL);
  dwell d = {{NAN, NAN}, 0.0};
  double peak = 0.0, speed = 0.0;
  for (long i = 1; (double)i * look < end + 1.76; i++) {
    scene_run(s, (double)i * look);
    const double rate = s->sim.eval.motion.yaw_rate, t = (double)i * look;
    speed += s->sim.eval.body.ay * look;
    d.displaced += t <= start + 1.07 ? speed * look : 0.0;
    if (t > start + 0.5 / frequency && t < end && rate * amplitude < 0.0)
      peak = tap_max(peak, fabs(rate));
    d.ratio[0] = fabs(t - end - 1.00) < 0.51 * look ? fabs(rate) / peak : d.ratio[0];
    d.ratio[1] = fabs(t - end - 1.75) < 0.51 * look ? fabs(rate) / peak : d.ratio[1];
  }
  d.displaced = fabs(d.displaced);
  scene_free(s);
  return d;
}

/* Tests the limits of the regulations. Without the control the car spins at 270 deg. With the control its yaw rate
 * falls to 35 % and 20 % at every amplitude to both sides, and the car is displaced by 1.83 m or more at 5 A and above.
 * unit: A of slowly_increasing_steer.yaml at L3, deg. */
static void regulation(const char *car, double unit) {
  const double amplitude[] = {5.0 * unit, 6.5 * unit, 270.0};
  const dwell alone = dwell_of(car, none, "run.level=L3", 270.0 * deg);
  tap_ok(alone.ratio[1] > 0.2, "%s without control: %.0f %% of the yaw rate are left after 1.75 s", car,
         100.0 * alone.ratio[1]);
  for (int k = 0; k < 6; k++) {
    const double angle = amplitude[k / 2] * (k % 2 ? -deg : deg);
    const dwell d = dwell_of(car, both, "run.level=L3", angle);
    tap_ok(d.ratio[0] <= 0.35 && d.ratio[1] <= 0.2 && d.displaced >= 1.83,
           "with the control at %.0f deg: %.1f %%, %.1f %%, displaced by %.2f m", angle / deg, 100.0 * d.ratio[0],
           100.0 * d.ratio[1], d.displaced);
  }
}

static bool acts(const vd_sim *sim) {
  bool yes = sim->command.throttle_request != 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    yes |= sim->control_mode[VD_CONTROLLER_ESC][i] != 0.0;
  return yes;
}

/* Tests a steady turn after ISO 4138 at constant speed: the steering wheel turns until the car's limit. The control
 * does not act below 0.9 of the limit, because its reference contains the understeer of the car, whose gradient grows
 * towards the limit. */
static void steady(const char *car) {
  char vehicle[64];
  snprintf(vehicle, sizeof vehicle, "vehicle=scenarios/vehicles/%s.yaml", car);
  scene *s = scene_make("vehicle: ../vehicles/saloon.yaml\nrun: {level: L3, duration: 60 s, slip: transient}\n"
                        "initial: {speed: 80 km/h}\nspeed: 80 km/h\nsteering_wheel: {type: ramp, start: 0, rate: 5 "
                        "deg/s, duration: 36 s}\n",
                        vehicle, both, plain, hydraulic, NULL);
  double most = 0.0, first = INFINITY;
  for (double t = 0.1; t < 36.0 && s->sim.eval.body.ay > most - 0.3; t += 0.1) {
    scene_run(s, t);
    most = tap_max(most, s->sim.eval.body.ay);
    if (acts(&s->sim) && first == INFINITY)
      first = s->sim.eval.body.ay;
  }
  tap_ok(most > 6.0 && first > 0.9 * most, "%s: steady turns to %.2f m/s2; the control acts from %.2f m/s2 on", car,
         most, first);
  scene_free(s);
}

/* Checks that a step steer within the linear range has the bits of one without the control. */
static void gentle(void) {
  double yaw[2];
  bool acted = false;
  for (int k = 0; k < 2; k++) {
    scene *s = scene_make("vehicle: ../vehicles/saloon.yaml\nrun: {level: L2, duration: 4 s, slip: transient}\n"
                          "initial: {speed: 80 km/h}\n"
                          "steering_wheel: {type: step, start: 0.2 s, rise: 0.15 s, value: 30 deg}\n",
                          plain, hydraulic, k == 0 ? "controllers=[esc]" : none, NULL);
    for (double t = 0.05; t < 3.0; t += 0.05) {
      scene_run(s, t);
      acted |= acts(&s->sim);
    }
    yaw[k] = scene_row(s).eval.motion.yaw_rate;
    scene_free(s);
  }
  tap_ok(!acted, "the control does not act in a step steer to 4 m/s2");
  tap_near(yaw[0], yaw[1], 0.0, "  which has the bits of one without the control");
}

/* Checks full throttle in a turn of a car with rear drive: the control closes the throttle, and the car keeps its
 * course. */
static void throttle(void) {
  double slip[2];
  for (int k = 0; k < 2; k++) {
    scene *s = scene_make("vehicle: {base: ../vehicles/sports_saloon.yaml, drivetrain: {drive: rear}}\n"
                          "run: {level: L2, duration: 8 s, slip: transient}\ninitial: {speed: 50 km/h}\n"
                          "ground: {friction: 0.4}\n"
                          "steering_wheel: {type: step, start: 0.2 s, rise: 0.5 s, value: 40 deg}\n"
                          "throttle: {type: step, start: 2 s, rise: 0.1 s, value: 1}\n",
                          plain, hydraulic, k == 0 ? "controllers=[esc]" : none, NULL);
    scene_run(s, 4.0);
    slip[k] = fabs(scene_row(s).eval.log.sideslip);
    scene_free(s);
  }
  tap_ok(slip[0] < 5.0 * deg && slip[1] > 20.0 * deg,
         "full throttle in a turn on friction 0.4: side slip of %.1f deg, without control of %.1f deg", slip[0] / deg,
         slip[1] / deg);
}

/* Checks that a request adds to the throttle pedal: 0.8 - 0.3 acts as 0.5, and 0.2 - 0.3 as 0. */
static void requested(void) {
  const char *const setting[] = {"throttle=0.8", "throttle=0.5", "throttle=0.2", "throttle=0"};
  double speed[4];
  for (int k = 0; k < 4; k++) {
    scene *s = scene_make("vehicle: ../vehicles/saloon.yaml\nrun: {level: L2, duration: 2 s}\ninitial: {speed: 10}\n",
                          setting[k], k % 2 == 0 ? "throttle_request=-0.3" : "throttle_request=0", NULL);
    scene_run(s, 1.0);
    speed[k] = s->sim.eval.motion.vx;
    scene_free(s);
  }
  tap_near(speed[0], speed[1], 1e-12, "throttle 0.8 with a request of -0.3 is throttle 0.5");
  tap_near(speed[2], speed[3], 0.0, "  throttle 0.2 with a request of -0.3 is throttle 0");
}

static const struct {
  const char *car;
  double unit; /* deg */
} cars[] = {
    {"saloon", 25.05}, {"compact", 23.55}, {"crossover", 24.03}, {"sports_saloon", 22.00}, {"electric_saloon", 21.02}};

int main(void) {
  int chosen = 0, of = VD_COUNT(cars);
  for (int k = 0; k < of; k++)
    chosen += tap_sampled(k, of);
  tap_plan(chosen * (7 + 1) + 2 + 1 + 2);
  for (int k = 0; k < of; k++)
    if (tap_sampled(k, of)) {
      regulation(cars[k].car, cars[k].unit);
      steady(cars[k].car);
    }
  gentle();
  throttle();
  requested();
  return tap_done();
}
