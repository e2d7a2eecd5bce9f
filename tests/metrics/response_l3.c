/* The frequency response of L3 to its steering, with small angles and linear tyres, against its own linearisation.
 *
 *   x' = A x + b u + e u',   y = C x + d u + f u',   y/u (j w) = C (j w - A)^-1 (b + j w e) + d + j w f
 *
 * A and C are those of linearise.h about the car that runs straight on; b, e, d, f are central differences over the
 * steering angle and its rate, of which a step of 1e-4 rad leaves 1e-8. The run is a sweep of 1 mrad from rest to rest,
 * so that the spectra of the whole run give the response at every line. ISO 7401 has the response from 0.2 Hz on; its
 * limits here, 1 % and 1 degree, are those required of the single and the double track against linear theory. */
#include "sim/linearise.h"
#include "scene.h"
#include "math/spectrum.h"
#include "tap.h"

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OUTPUTS = 3, STEPS = 44000, VALUES = VD_LINEAR_STATES + OUTPUTS, TESTS = 3 * (1 + 2 * OUTPUTS) };

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

/* A car that steers: the linearised model, and what its steering adds. */
typedef struct steered {
  const vd_channel *output[OUTPUTS];
  vd_linear linear;
  double angle[VALUES], rate[VALUES]; /* slopes of rates and outputs over the steering angle and its rate */
} steered;

static void sample(const scene *s, const steered *car, double angle, double rate, double *value) {
  static const vd_row blank;
  vd_command command = s->sim.command;
  vd_row row = blank;
  double dx[VD_STATES] = {0.0};
  command.steer = angle;
  command.steer_rate = rate;
  vd_command_lower(&s->model, &command);
  row.state = s->sim.state;
  row.t = command.t;
  vd_model_rates(&s->model, &command, row.state.x, row.state.mode, &row.eval, dx);
  vd_model_observe(&s->model, &command, &row.state, 0.0, VD_VIEW_ALL, &row.eval);
  for (int i = 0; i < car->linear.count; i++)
    value[i] = dx[car->linear.state[i]];
  for (int i = 0; i < OUTPUTS; i++)
    value[car->linear.count + i] = vd_channel_value(car->output[i], &row);
}

static bool linearise(const scene *s, steered *car) {
  const double h = 1e-4, h_rate = 1e-3; /* rad, rad/s */
  double up[VALUES], down[VALUES];
  for (int i = 0; i < OUTPUTS; i++)
    car->output[i] = channel_named(names[i]);
  bool good = vd_linearise(&s->model, &s->sim.command, &s->sim.state, car->output, OUTPUTS, &car->linear);
  sample(s, car, h, 0.0, up);
  sample(s, car, -h, 0.0, down);
  for (int i = 0; i < car->linear.count + OUTPUTS; i++)
    car->angle[i] = (up[i] - down[i]) / (2.0 * h);
  sample(s, car, 0.0, h_rate, up);
  sample(s, car, 0.0, -h_rate, down);
  for (int i = 0; i < car->linear.count + OUTPUTS; i++)
    car->rate[i] = (up[i] - down[i]) / (2.0 * h_rate);
  return good;
}

static void respond(const steered *car, double frequency, gsl_complex *answer) {
  const vd_linear *l = &car->linear;
  size_t n = (size_t)l->count;
  double w = 2.0 * VD_PI * frequency;
  gsl_matrix_complex *matrix = gsl_matrix_complex_alloc(n, n);
  gsl_vector_complex *right = gsl_vector_complex_alloc(n), *x = gsl_vector_complex_alloc(n);
  gsl_permutation *order = gsl_permutation_alloc(n);
  int sign;
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < n; k++)
      gsl_matrix_complex_set(matrix, i, k, gsl_complex_rect(-l->a[i][k], i == k ? w : 0.0));
    gsl_vector_complex_set(right, i, gsl_complex_rect(car->angle[i], w * car->rate[i]));
  }
  gsl_linalg_complex_LU_decomp(matrix, order, &sign);
  gsl_linalg_complex_LU_solve(matrix, order, right, x);
  for (size_t i = 0; i < OUTPUTS; i++) {
    answer[i] = gsl_complex_rect(car->angle[n + i], w * car->rate[n + i]);
    for (size_t k = 0; k < n; k++)
      answer[i] = gsl_complex_add(answer[i], gsl_complex_mul_real(gsl_vector_complex_get(x, k), l->c[i][k]));
  }
  gsl_matrix_complex_free(matrix);
  gsl_vector_complex_free(right);
  gsl_vector_complex_free(x);
  gsl_permutation_free(order);
}

static double worse(double worst, double value) {
  return value <= worst ? worst : value; /* NaN stays */
}

static void compare(const steered *car, int output, const double *in, const double *out, const char *what) {
  vd_spectrum spectrum;
  double gain = 0.0, phase = 0.0, spacing = 1000.0 / STEPS;
  vd_spectrum_make(in, out, STEPS, 1000.0, STEPS, VD_WINDOW_NONE, &spectrum);
  for (size_t k = (size_t)ceil(0.2 / spacing); (double)k * spacing <= 3.0; k++) {
    gsl_complex expected[OUTPUTS];
    vd_transfer got = vd_spectrum_transfer(&spectrum, k);
    respond(car, (double)k * spacing, expected);
    gain = worse(gain, fabs(got.gain / gsl_complex_abs(expected[output]) - 1.0));
    phase = worse(phase, fabs(remainder(got.phase - gsl_complex_arg(expected[output]), 2.0 * VD_PI)));
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
    in[i] = row.eval.steer;
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
  check(30.0, "vehicle.front.antiroll_stiffness=20 kN m/rad", "30 m/s with a stabiliser in front");
  return tap_done();
}
