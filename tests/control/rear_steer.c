/* Rear steering by control: a steady turn without side slip, limits, damping. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

#include "base/base.h"

static const char *const turn = "vehicle:\n  base: ../vehicles/textbook_linear.yaml\n"
                                "  steering: {rear: {gain: [[0, 0], [100, 0]], lag: 20 ms}}\n"
                                "run: {level: L2, duration: 10 s}\n"
                                "steer: {type: step, start: 0.1 s, rise: 0.3 s, value: 0.2 deg}\n";

static vd_row turned(const char *speed, const char *controllers, double until) {
  char initial[48], held[48];
  snprintf(initial, sizeof initial, "initial.speed=%s", speed);
  snprintf(held, sizeof held, "speed=%s", speed);
  scene *s = scene_make(turn, initial, held, controllers, "run.step=2.5 ms", NULL);
  scene_run(s, until);
  const vd_row row = scene_row(s);
  scene_free(s);
  return row;
}

/* Tests the ratio dr/d of rear to front steer at which a single track has no side slip, with m 1573 kg, a 1.10 m, b
 * 1.58 m, L 2.68 m, C 160000 N/rad per axle: at 30 m/s m v2/(L C) = 3.3015, (1.10 3.3015 - 1.58)/(1.10 + 1.58 3.3015) =
 * 0.32482 */
static void no_slip(void) {
  const char *const speed[] = {"10 m/s", "20 m/s", "30 m/s"};
  for (int k = 0; k < 3; k++) {
    const vd_row plain = turned(speed[k], "controllers=[]", 8.0);
    const vd_row row = turned(speed[k], "controllers=[rear_steer]", 8.0);
    tap_ok(fabs(row.eval.log.sideslip) < 0.01 * fabs(plain.eval.log.sideslip) && row.eval.body.ay > 0.01,
           "%s: side slip of %.2e rad, without control %.2e rad", speed[k], row.eval.log.sideslip,
           plain.eval.log.sideslip);
    if (k == 2)
      tap_near(row.eval.steering.angle[VD_RL] / row.eval.steering.steer, 0.32482, 1e-5,
               "  with the ratio of the single track");
  }
}

static void limited(void) {
  const vd_row row = turned("30 m/s", "controllers=[{kind: rear_steer, most: 0.05 deg}]", 8.0);
  tap_near(row.eval.steering.angle[VD_RR], 0.05 * VD_PI / 180.0, 1e-9, "the angle of the rear wheels is limited");
}

/* Checks that a controller in the vehicle file acts like one in the scenario. */
static void of_the_car(void) {
  const vd_row own = turned("30 m/s", "vehicle.controllers=[rear_steer]", 3.0);
  const vd_row row = turned("30 m/s", "controllers=[rear_steer]", 3.0);
  tap_ok(own.eval.log.sideslip == row.eval.log.sideslip && fabs(row.eval.steering.angle[VD_RL]) > 1e-4,
         "a controller in the vehicle file acts as one in the scenario");
}

/* Tests wheels on linkages and tables, which turn by their racks: their range must hold the request although the gain
 * is zero. At 5 m/s the side forces, 0.16 m/s2, turn the wheels elastically by 0.001 deg. */
static void on_racks(void) {
  static const char *const car[] = {"vehicles/saloon.yaml", "vehicles/sedan.yaml"};
  for (size_t k = 0; k < VD_COUNT(car); k++) {
    char text[256];
    snprintf(text, sizeof text,
             "vehicle: {base: ../%s, steering: {rear: [{gain: [[0, 0], [1, 0]]}]}}\n"
             "run: {level: L3, duration: 2 s}\ninitial: {speed: 5 m/s}\nspeed: 5 m/s\n",
             car[k]);
    scene *s = scene_make(text, "rear_steer_request=1 deg", NULL);
    scene_run(s, 1.0);
    const vd_row row = scene_row(s);
    tap_near(0.5 * (row.eval.steering.angle[VD_RL] + row.eval.steering.angle[VD_RR]), VD_PI / 180.0,
             0.01 * VD_PI / 180.0, "%s: the rear wheels turn as requested", car[k]);
    scene_free(s);
  }
}

/* Tests the end of the rack: with a gain, the rack is mapped for the gain times the largest angle of the front wheels,
 * and a fiftieth more. The actuator has a lag of 50 ms, so that a request of 1 deg passes 0.01 * 35 deg * 1.02 = 0.357
 * deg after 50 ms * ln(1 / (1 - 0.357)) = 22.1 ms. */
static void beyond_the_rack(void) {
  scene *s = scene_make("vehicle: {base: ../vehicles/saloon.yaml, steering: {max_angle: 35 deg, rear: [{gain: [[0, "
                        "0.01], [1, 0.01]], lag: 50 ms}]}}\n"
                        "run: {level: L3, duration: 2 s}\ninitial: {speed: 5 m/s}\nspeed: 5 m/s\n",
                        "rear_steer_request=1 deg", NULL);
  scene_run(s, 1.0);
  tap_ok(s->sim.status == VD_SIM_OUT_OF_RACK, "a run ends where a request steers beyond the range of the rack");
  tap_near(s->sim.failure_time, 0.0221, 0.001,
           "it ends within a step of the time at which the actuator reaches its limit");
  scene_free(s);
}

int main(void) {
  tap_plan(4 + 1 + 1 + 2 + 2);
  no_slip();
  limited();
  of_the_car();
  on_racks();
  beyond_the_rack();
  return tap_done();
}
