/* The frequency response of L3 to its steering, with small angles and linear tyres, compared with its linearisation
 * about straight running (linearise.h), C (j w - A)^-1 B + D. The run is a sweep of 1 mrad that begins and ends
 * straight, so that the spectra of the whole run give the response at every line. ISO 7401 begins at 0.2 Hz. The
 * limits, 1 % and 1 degree, are those for the single and the double track compared with linear theory. */
#include "sim/linearise.h"
#include "scene.h"
#include "math/spectrum.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OUTPUTS = 3, STEPS = 44000, TESTS = 3 * (1 + 2 * OUTPUTS) };

static const char text[] = "vehicle: ../vehicles/textbook_linear.yaml\n"
                           "run: {level: L3, duration: 45 s}\n"
                           "steer: {type: chirp, start: 1 s, frequency: 0.1 Hz, end_frequency: 5 Hz, duration: 40 s,\n"
                           "  amplitude: 0.001, logarithmic: true}\n";

static const char *const names[OUTPUTS] = {"yaw_rate_radps", "ay_mps2", "roll_rad"};

static const vd_channel *channel_named(const char *name) {
  size_t count;
  const vd_channel *table = vd_channel_table(&count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(table[i].name, name) == 0)
      return &table[i];
  return NULL;
}

/* A car with two steered wheels. */
typedef struct steered {
  const vd_channel *output[OUTPUTS];
  vd_linear linear;
  double amplitude[VD_LINEAR_INPUTS];
} steered;

static bool linearise(const scene *s, steered *car) {
  for (int i = 0; i < OUTPUTS; i++)
    car->output[i] = channel_named(names[i]);
  bool good = vd_linearise(&s->model, &s->sim.command, &s->sim.state, car->output, OUTPUTS, &car->linear);
  for (int k = 0; k < car->linear.inputs; k++)
    car->amplitude[k] = 0.0;
  int wheel = vd_linear_input_called(&car->linear, "steering_wheel_rad");
  if (wheel >= 0)
    car->amplitude[wheel] = s->model.vehicle.steering.ratio; /* one radian of the road wheels */
  return good && wheel >= 0;
}

static void compare(const steered *car, int output, const double *in, const double *out, const char *what) {
  vd_spectrum spectrum;
  double gain = 0.0, phase = 0.0, spacing = 1000.0 / STEPS;
  vd_spectrum_make(in, out, STEPS, 1000.0, STEPS, VD_WINDOW_NONE, &spectrum);
  for (size_t k = (size_t)ceil(0.2 / spacing); (double)k * spacing <= 3.0; k++) {
    double expected[OUTPUTS][2];
    vd_transfer got = vd_spectrum_transfer(&spectrum, k);
    if (!vd_linear_response(&car->linear, car->amplitude, (double)k * spacing, expected))
      expected[output][0] = NAN;
    double size = hypot(expected[output][0], expected[output][1]);
    gain = tap_max(gain, fabs(got.gain / size - 1.0));
    phase = tap_max(phase, fabs(remainder(got.phase - atan2(expected[output][1], expected[output][0]), 2.0 * VD_PI)));
  }
  vd_spectrum_finish(&spectrum);
  tap_near(gain, 0.0, 0.01, "%s: gain of %s from 0.2 to 3 Hz", what, names[output]);
  tap_near(phase * 180.0 / VD_PI, 0.0, 1.0, "%s: phase of %s, deg", what, names[output]);
}

static void check(double v, const char *more, const char *what) {
  static double in[STEPS], out[OUTPUTS][STEPS];
  static steered car;
  char speed[32], start[48];
  snprintf(speed, sizeof speed, "speed=%g", v);
  snprintf(start, sizeof start, "initial.speed=%g", v);
  scene *s = scene_make(text, speed, start, more, NULL);
  tap_ok(linearise(s, &car), "%s: the straight run is linearised", what);
  for (size_t i = 0; i < STEPS; i++) {
    vd_row row = scene_row(s);
    in[i] = row.eval.steering.steer;
    for (int k = 0; k < OUTPUTS; k++)
      out[k][i] = vd_channel_value(car.output[k], &row);
    vd_sim_step(&s->sim);
  }
  for (int k = 0; k < OUTPUTS; k++)
    compare(&car, k, in, out[k], what);
  scene_free(s);
}

int main(void) {
  tap_plan(TESTS);
  check(20.0, NULL, "20 m/s");
  check(30.0, NULL, "30 m/s");
  check(30.0, "vehicle.front.antiroll_stiffness=20 kN m/rad", "30 m/s with an anti-roll bar in front");
  return tap_done();
}
