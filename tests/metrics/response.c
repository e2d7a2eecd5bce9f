/* The frequency response that a run writes, of the linear single track with a sweep of the steering angle, compared
 * with its transfer functions.
 *
 * States vy and r, axle stiffnesses Cf and Cr (Pacejka, Tire and Vehicle Dynamics, ch. 1.3; Mitschke, Wallentowitz,
 * Dynamik der Kraftfahrzeuge), at s = j 2 pi f:
 *   vy' = a11 vy + a12 r + b1 d,   a11 = -(Cf+Cr)/(m v),        a12 = (b Cr - a Cf)/(m v) - v,      b1 = Cf/m
 *   r'  = a21 vy + a22 r + b2 d,   a21 = (b Cr - a Cf)/(J v),   a22 = -(a^2 Cf + b^2 Cr)/(J v),     b2 = a Cf/J
 *   r/d  = (a21 b1 + (s - a11) b2)/D,   vy/d = ((s - a22) b1 + a12 b2)/D,   D = (s - a11)(s - a22) - a12 a21
 *   ay/d = s vy/d + v r/d
 * At L2 the wheels' spin adds sum I_w y^2/R^2 to J (tests/math/linear.c). */
#include "run/run.h"
#include "scene.h"
#include "tap.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TESTS = 43 };

static const char text[] = "vehicle: ../vehicles/textbook_linear.yaml\n"
                           "run: {duration: 44 s}\n"
                           "steer: {type: chirp, start: 1 s, frequency: 0.1 Hz, end_frequency: 5 Hz, duration: 40 s,\n"
                           "  amplitude: 0.001, logarithmic: true}\n"
                           "response: {input: steer_rad, outputs: [yaw_rate_radps, ay_mps2], from: 0.2 Hz, to: 3 Hz}\n";

typedef struct exact {
  double complex yaw_rate, ay;
} exact;

static exact transfer(const vd_model *m, double v, double f) {
  double cf = 2.0 * vd_tyre_cornering_stiffness(&m->vehicle.tyre[VD_FL], 1.0, 0.0);
  double cr = 2.0 * vd_tyre_cornering_stiffness(&m->vehicle.tyre[VD_RL], 1.0, 0.0);
  double a = m->vehicle.masses.to_axle[VD_FRONT], b = m->vehicle.masses.to_axle[VD_REAR], mass = m->vehicle.mass;
  double j = m->vehicle.yaw_inertia;
  for (int i = 0; i < m->lanes.count; i++)
    j += m->lanes.inertia[i] * m->lanes.y[i] * m->lanes.y[i] / (m->lanes.radius[i] * m->lanes.radius[i]);
  double a11 = -(cf + cr) / (mass * v), a12 = (b * cr - a * cf) / (mass * v) - v, b1 = cf / mass;
  double a21 = (b * cr - a * cf) / (j * v), a22 = -(a * a * cf + b * b * cr) / (j * v), b2 = a * cf / j;
  double complex s = 2.0 * VD_PI * I * f, d = (s - a11) * (s - a22) - a12 * a21;
  double complex yaw_rate = (a21 * b1 + (s - a11) * b2) / d, vy = ((s - a22) * b1 + a12 * b2) / d;
  return (exact){yaw_rate, s * vy + v * yaw_rate};
}

enum { COLUMNS = 7, ROWS = 200 };

/* The written values; an empty field is NAN. */
typedef struct answer {
  bool written;
  char header[256];
  size_t rows;
  double value[ROWS][COLUMNS];
} answer;

static bool read_row(char *line, double *value) {
  for (int k = 0; k < COLUMNS; k++) {
    size_t length = strcspn(line, ",\n");
    value[k] = length ? strtod(line, NULL) : NAN;
    if (line[length] != (k < COLUMNS - 1 ? ',' : '\n'))
      return false;
    line += length + 1;
  }
  return *line == '\0';
}

static void read_back(const char *path, answer *out) {
  FILE *file = fopen(path, "r");
  char line[512];
  if (!file || !fgets(out->header, sizeof out->header, file))
    tap_diag("cannot read the response back");
  while (file && out->rows < ROWS && fgets(line, sizeof line, file) && read_row(line, out->value[out->rows]))
    out->rows++;
  if (file)
    fclose(file);
}

/* Runs a scene, writes the response to a file, and reads it back. */
static answer *respond(scene *s) {
  static answer out;
  char path[64];
  const char *folder = getenv("TMPDIR");
  snprintf(path, sizeof path, "%.40s/vdsim-XXXXXX", folder ? folder : "/tmp");
  int file = mkstemp(path);
  if (file >= 0)
    close(file);
  vd_response response;
  vd_run_report report;
  vd_run_options options = {.response = &response};
  memset(&out, 0, sizeof out);
  vd_response_init(&response, &s->def.response, s->def.run.step);
  vd_simulate(&s->def, &options, NULL, NULL, &report);
  vd_output *o = vd_output_open(path);
  out.written = o && vd_response_write(&response, o, VD_DIGITS_EXACT);
  if (out.written) {
    vd_output_commit(o, NULL);
    read_back(path, &out);
  } else {
    vd_output_discard(o);
  }
  vd_response_finish(&response);
  unlink(path);
  return &out;
}

static scene *make(const char *level, double v, const char *window, const char *more) {
  char run[32], speed[32], start[48], choice[64];
  snprintf(run, sizeof run, "run.level=%s", level);
  snprintf(speed, sizeof speed, "speed=%g", v);
  snprintf(start, sizeof start, "initial.speed=%g", v);
  snprintf(choice, sizeof choice, "response.window=%s", window);
  return scene_make(text, run, speed, start, choice, more, NULL);
}

/* Checks the response. Without a window, for a sweep that begins and ends straight, the bounds are the differences of
 * the model from the theory. With a Hann window they are wider, as a frequency of the sweep occurs only in a part of a
 * segment. */
static void check(const char *level, double v, const char *window, double gain_bound, double phase_bound) {
  scene *s = make(level, v, window, strcmp(window, "hann") == 0 ? "response.segment=10 s" : NULL);
  const answer *a = respond(s);
  double gain[2] = {0.0, 0.0}, phase[2] = {0.0, 0.0}, coherence = 0.0, jump = 0.0;
  char what[64];
  snprintf(what, sizeof what, "%s, %g m/s, %s", level, v, window);
  for (size_t i = 0; i < a->rows; i++) {
    const double *row = a->value[i];
    exact h = transfer(&s->model, v, row[0]);
    const double complex expected[] = {h.yaw_rate, h.ay};
    for (size_t k = 0; k < 2; k++) {
      const double *got = row + 1 + 3 * k;
      gain[k] = tap_max(gain[k], fabs(got[0] / cabs(expected[k]) - 1.0));
      phase[k] = tap_max(phase[k], fabs(remainder(got[1] - carg(expected[k]) * (180.0 / VD_PI), 360.0)));
      coherence = tap_max(coherence, 1.0 - got[2]);
      jump = i ? tap_max(jump, fabs(got[1] - a->value[i - 1][2 + 3 * k])) : 0.0;
    }
  }
  double first = a->value[0][0], last = a->value[a->rows ? a->rows - 1 : 0][0];
  size_t lines = strcmp(window, "hann") == 0 ? 29 : 124; /* every 1/10 Hz, 1/44 Hz */
  tap_ok(a->written && a->rows == lines && first >= 0.2 - 1e-9 && last <= 3.0 + 1e-9,
         "%s: %zu lines reach from 0.2 Hz to 3 Hz", what, a->rows);
  tap_str(a->header,
          "frequency_Hz,yaw_rate_radps_gain,yaw_rate_radps_phase_deg,yaw_rate_radps_coherence,ay_mps2_gain,"
          "ay_mps2_phase_deg,ay_mps2_coherence\n",
          "%s: the header has the names", what);
  tap_near(gain[0], 0.0, gain_bound, "%s: the gain of the yaw rate is the theory's", what);
  tap_near(phase[0], 0.0, phase_bound, "%s: the phase of the yaw rate is the theory's, deg", what);
  tap_near(gain[1], 0.0, gain_bound, "%s: the gain of ay is the theory's", what);
  tap_near(phase[1], 0.0, phase_bound, "%s: the phase of ay is the theory's, deg", what);
  tap_near(jump, 0.0, 90.0, "%s: the phases do not jump", what);
  if (lines == 29)
    tap_near(coherence, 0.0, 0.02, "%s: the coherence is 1", what);
  else
    tap_ok(isnan(coherence), "%s: one segment gives no coherence", what);
  scene_free(s);
}

static void test_segments(void) {
  /* a quarter of the 44000 steps of the run has the prime factor 11; 10976 = 2^5 7^3 is the next suitable number
   * below */
  scene *s = make("L1", 20.0, "none", NULL);
  tap_near(s->def.response.segment, 44.0, 1e-9, "auto, no window: the segment is the whole run");
  scene_free(s);
  s = make("L1", 20.0, "hann", NULL);
  tap_near(s->def.response.segment, 10.976, 1e-9,
           "auto, Hann's window: the segment is a quarter of the run or a little less");
  scene_free(s);
  s = make("L1", 20.0, "hann", "events=[{when: time, time: 5 s, end: true}]");
  tap_ok(!respond(s)->written, "no response is written for a run that ends within the first segment");
  scene_free(s);
}

int main(void) {
  tap_plan(TESTS);
  check("L1", 20.0, "none", 0.001, 0.05);
  check("L1", 30.0, "none", 0.001, 0.05);
  check("L2", 30.0, "none", 0.002, 0.15);
  check("L1", 20.0, "hann", 0.05, 3.0);
  check("L2", 30.0, "hann", 0.05, 3.0);
  test_segments();
  return tap_done();
}
