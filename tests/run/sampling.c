/* Inputs and roads that the steps cannot follow: fewer than ten samples per period cause a warning, two or fewer an
 * error (check_sampling_* in tests/bad/steps.cases). Inputs that need no sampling give no message. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

static const char text[] = "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s, level: L3}\ninitial: {speed: 20}\n";

static void warns(size_t expected, const char *setting, const char *more, const char *what) {
  scene *s = scene_make(text, setting, more, NULL);
  size_t got = vd_diag_warnings(s->diag);
  tap_ok(got == expected, "%s: the reader gives %zu warnings, %zu expected", what, got, expected);
  scene_free(s);
}

/* Checks a table with a point every 0.25 ms, -1200 N m at every fourth point and 400 to 402 N m at the others. A step
 * of 1 ms would read -1200 N m at all its ends. The speed is the integral of the force, so that missed points would
 * change it completely. */
static void fine_table(void) {
  static const char head[] = "drive_torque_rl={type: table, interpolation: hold, points: [";
  char setting[20000], step[3][20] = {"run.step=1 ms", "run.step=0.25 ms", "run.step=0.125 ms"};
  double speed[3];
  size_t length = (size_t)snprintf(setting, sizeof setting, "%s", head);
  for (int i = 0; i < 800; i++)
    length += (size_t)snprintf(setting + length, sizeof setting - length, "%s[%.5f, %d]", i ? "," : "", 0.00025 * i,
                               i % 4 == 0 ? -1200 : 400 + i % 3);
  snprintf(setting + length, sizeof setting - length, "]}");
  for (int i = 0; i < 3; i++) {
    scene *s = scene_make(text, "run.level=L2", "run.v_low=10", setting, step[i], NULL);
    scene_run(s, 0.2);
    speed[i] = s->sim.eval.motion.vx;
    if (i == 0)
      tap_ok(vd_diag_warnings(s->diag) == 1, "a table finer than the step gives a warning");
    scene_free(s);
  }
  tap_near(speed[0], speed[1], 1e-9, "steps are split at every point of a table: %.12f m/s as with shorter steps",
           speed[0]);
  tap_near(speed[1], speed[2], 1e-9, "steps of 0.125 ms, which need no splits, give the same: %.12f m/s", speed[2]);
}

int main(void) {
  tap_plan(12 + 3);
  warns(0, "steer={type: sine, amplitude: 0.01, frequency: 100}", NULL, "sine of 100 Hz at 1 ms");
  warns(1, "steer={type: sine, amplitude: 0.01, frequency: 101}", NULL, "sine of 101 Hz at 1 ms");
  warns(0, "steer={type: sine, amplitude: 0.01, frequency: 101}", "run.step=0.5 ms", "sine of 101 Hz at 0.5 ms");
  warns(1, "steer={type: chirp, amplitude: 0.01, frequency: 1, end_frequency: 400, duration: 1}", NULL,
        "chirp to 400 Hz");
  warns(1, "steer={type: random, rms: 0.001, frequency: 1, end_frequency: 150, period: 10}", NULL, "noise to 150 Hz");
  warns(1, "steer={type: pulse, amplitude: 0.01, duration: 3 ms, shape: half_sine}", NULL, "half sine of 3 ms");
  warns(0, "steer={type: pulse, amplitude: 0.01, duration: 0.3 ms, shape: triangle}", NULL,
        "triangle of 0.3 ms, whose corners split the step");
  warns(0, "steer={type: step, value: 0.01, rise: 0.1 ms}", NULL, "rise of 0.1 ms, whose corners split the step");
  warns(1, "yaw_rate={type: sine, amplitude: 0.1, frequency: 11}", NULL, "11 Hz for a driver who decides every 10 ms");
  warns(1, "yaw_rate={type: table, points: [[0, 0], [0.005, 0.1], [1, 0]]}", "no effect: points between two decisions",
        "table finer than a driver's decisions");
  warns(0, "ground={type: washboard, x_from: 9, x_to: 19, amplitude: 1 mm, wavelength: 0.2}", NULL,
        "waves of 0.2 m at 20 m/s");
  warns(1, "ground={type: washboard, x_from: 9, x_to: 19, amplitude: 1 mm, wavelength: 0.19}", NULL,
        "waves of 0.19 m at 20 m/s");
  fine_table();
  return tap_done();
}
