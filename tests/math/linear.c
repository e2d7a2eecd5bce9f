/* Linear range: L1 and L2 with linear tyres compared with the closed form of the linear single track, over speeds, for
 * an under- and an oversteering car.
 *
 * Closed form (Mitschke, Wallentowitz; also in every textbook), axle stiffnesses Cf, Cr, states vy and r:
 *   vy' = -(Cf+Cr)/(m v) vy + [(b Cr - a Cf)/(m v) - v] r + Cf/m d
 *   r'  = (b Cr - a Cf)/(J v) vy - (a^2 Cf + b^2 Cr)/(J v) r + a Cf/J d
 * gain r/d = v/(L + K v^2), K = m (b Cr - a Cf)/(L Cf Cr), det = wn^2, -trace = 2 zeta wn.
 *
 * J is the yaw inertia. At L2 the yaw rate changes the spins of the four wheels, which roll freely on circles of
 * different radius; this adds sum I_w y^2/R^2 (1.6 % here), derived from the kinetic energy of rolling wheels and not
 * fitted.
 *
 * wn and zeta of the model come from a small step by Prony's method: samples of a second-order response obey x[k+2] =
 * c1 x[k+1] + c0 x[k] + d exactly, whose roots are exp(s T); least squares by GSL. It also finds the real, unstable
 * root of an oversteering car above its critical speed. */
#include "scene.h"
#include "tap.h"

#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "vehicle: ../vehicles/textbook_linear.yaml\n"
                           "run: {duration: 100 s}\n"
                           "steer: {type: step, start: 0, value: 0.0002}\n"
                           "speed: 1\n";
static const double angle = 0.0002; /* rad */

typedef struct theory {
  double gain, k, wn2, damping2, root; /* damping2 = 2 zeta wn; root: the greater real root, if the roots are real */
} theory;

static theory closed_form(const vd_model *m, double v) {
  double cf = 2.0 * vd_tyre_cornering_stiffness(&m->vehicle.tyre[0], 1.0, 0.0),
         cr = 2.0 * vd_tyre_cornering_stiffness(&m->vehicle.tyre[VD_RL], 1.0, 0.0);
  double a = m->vehicle.masses.to_axle[0], b = m->vehicle.masses.to_axle[1], l = a + b, mass = m->vehicle.mass;
  double j = m->vehicle.yaw_inertia;
  for (int i = 0; i < m->lanes.count; i++)
    j += m->lanes.inertia[i] * m->lanes.y[i] * m->lanes.y[i] / (m->lanes.radius[i] * m->lanes.radius[i]);
  double a11 = -(cf + cr) / (mass * v), a12 = (b * cr - a * cf) / (mass * v) - v;
  double a21 = (b * cr - a * cf) / (j * v), a22 = -(a * a * cf + b * b * cr) / (j * v);
  theory t = {.k = mass * (b * cr - a * cf) / (l * cf * cr), .wn2 = a11 * a22 - a12 * a21, .damping2 = -(a11 + a22)};
  t.gain = v / (l + t.k * v * v);
  double disc = 0.25 * t.damping2 * t.damping2 - t.wn2;
  t.root = disc >= 0.0 ? -0.5 * t.damping2 + sqrt(disc) : NAN;
  return t;
}

/* Computes wn^2 and 2 zeta wn from n samples of a response, T apart. */
static void prony(const double *x, size_t n, double period, theory *t) {
  size_t rows = n - 2;
  gsl_matrix *a = gsl_matrix_alloc(rows, 3), *cov = gsl_matrix_alloc(3, 3);
  gsl_vector *y = gsl_vector_alloc(rows), *c = gsl_vector_alloc(3);
  gsl_multifit_linear_workspace *w = gsl_multifit_linear_alloc(rows, 3);
  double chisq, scale = 0.0;
  for (size_t i = 0; i < n; i++)
    scale = tap_max(scale, fabs(x[i]));
  for (size_t i = 0; i < rows; i++) {
    gsl_matrix_set(a, i, 0, x[i + 1] / scale);
    gsl_matrix_set(a, i, 1, x[i] / scale);
    gsl_matrix_set(a, i, 2, 1.0);
    gsl_vector_set(y, i, x[i + 2] / scale);
  }
  gsl_multifit_linear(a, y, c, cov, &chisq, w);
  double c1 = gsl_vector_get(c, 0), c0 = gsl_vector_get(c, 1), disc = 0.25 * c1 * c1 + c0;
  t->damping2 = -log(-c0) / period;
  if (disc >= 0.0) {
    double z1 = 0.5 * c1 + sqrt(disc), z2 = 0.5 * c1 - sqrt(disc);
    t->wn2 = log(z1) * log(z2) / (period * period);
    t->root = log(z1) / period;
  } else {
    double phase = atan2(sqrt(-disc), 0.5 * c1), decay = 0.5 * log(-c0);
    t->wn2 = (phase * phase + decay * decay) / (period * period);
    t->root = NAN;
  }
  gsl_multifit_linear_free(w);
  gsl_vector_free(y);
  gsl_vector_free(c);
  gsl_matrix_free(a);
  gsl_matrix_free(cov);
}

static scene *make(const char *level, double cg, double v) {
  char run[32], cg_text[64], speed[64], start[64];
  snprintf(run, sizeof run, "run.level=%s", level);
  snprintf(cg_text, sizeof cg_text, "vehicle.cg_to_front=%.17g", cg);
  snprintf(speed, sizeof speed, "speed=%.17g", v);
  snprintf(start, sizeof start, "initial.speed=%.17g", v);
  return scene_make(text, run, cg_text, speed, start, NULL);
}

/* Measures the eigenvalues in the first instants of the step, and the gain at its end. */
static theory measure(const char *level, double cg, double v, const theory *expected) {
  enum { SAMPLES = 60 };
  double x[SAMPLES], skip = 0.03; /* s: the wheels' own modes of 2 ms have decayed by then */
  double scale = sqrt(fabs(expected->wn2));
  long stride = lround(fmax(fmin(0.2 / scale, 0.03), 0.004) / 0.001);
  scene *s = make(level, cg, v);
  for (int i = 0; i < SAMPLES; i++) {
    scene_run(s, skip + 0.001 * (double)(stride * i));
    x[i] = scene_row(s).eval.motion.yaw_rate;
  }
  theory got = {0};
  prony(x, SAMPLES, 0.001 * (double)stride, &got);
  if (expected->wn2 > 0.0) {
    double slow = isnan(expected->root) ? 0.5 * expected->damping2 : -expected->root;
    scene_run(s, fmin(fmax(25.0 / slow, 12.0), 99.0));
    got.gain = scene_row(s).eval.motion.yaw_rate / angle;
    got.k = (v / got.gain - 2.68) / (v * v);
  }
  scene_free(s);
  return got;
}

/* Compares a car with the closed form. Bounds: the angles of a stable car stay below 1.3e-3, so that terms of third
 * order are about 2e-6 of the linear ones. In a second the angles of an unstable car grow severalfold: 1e-4. At L2 the
 * spins follow the yaw rate within T = I_w v/(C R^2), 2 ms at 10 m/s. This changes their part of the inertia, 1.6 %, by
 * wn T = 4 % at all speeds, so that wn and zeta differ by up to 5e-4. */
static void check(const char *level, const char *car, double cg, double v) {
  const double steady = 5e-6, tolerance = strcmp(level, "L2") == 0 ? 5e-4 : 5e-6, unstable = 1e-4;
  scene *s = make(level, cg, v);
  theory t = closed_form(&s->model, v);
  scene_free(s);
  theory got = measure(level, cg, v, &t);
  if (t.wn2 > 0.0) {
    tap_near(got.gain / t.gain, 1.0, steady, "%s %s %g m/s: the steady yaw-rate gain is %.4f 1/s", level, car, v,
             t.gain);
    tap_near(got.k / t.k, 1.0, steady, "%s %s %g m/s: the understeer gradient is %.6f rad s2/m", level, car, v, t.k);
    tap_near(sqrt(got.wn2 / t.wn2), 1.0, tolerance, "%s %s %g m/s: the natural frequency is %.4f rad/s", level, car, v,
             sqrt(t.wn2));
    tap_near(got.damping2 / sqrt(got.wn2) / (t.damping2 / sqrt(t.wn2)), 1.0, tolerance,
             "%s %s %g m/s: the damping ratio is %.5f", level, car, v, 0.5 * t.damping2 / sqrt(t.wn2));
  } else {
    tap_near(got.root / t.root, 1.0, unstable, "%s %s %g m/s: the car diverges at %.5f 1/s", level, car, v, t.root);
    tap_ok(t.root > 0.0, "%s %s %g m/s is beyond the critical speed", level, car, v);
  }
}

/* Compares the closed form with a table of another derivation. */
static void check_reference(void) {
  static const struct {
    double v, gain, wn, zeta;
  } row[] = {{10.0, 3.5012999229191424, 20.822868105272388, 0.9841241310855513},
             {20.0, 5.909592061742006, 11.333432339030594, 0.9040635867317066},
             {30.0, 7.034428452688219, 8.481646533939237, 0.8053580516004178},
             {40.0, 7.2762814943527365, 7.2222158439663175, 0.7093490219462969}};
  for (size_t i = 0; i < VD_COUNT(row); i++) {
    scene *s = make("L1", 1.1, row[i].v);
    theory t = closed_form(&s->model, row[i].v);
    scene_free(s);
    double wn = sqrt(t.wn2);
    tap_ok(fabs(t.gain / row[i].gain - 1.0) < 1e-12 && fabs(wn / row[i].wn - 1.0) < 1e-12 &&
               fabs(0.5 * t.damping2 / wn / row[i].zeta - 1.0) < 1e-12,
           "the closed form at %g m/s equals the table of another derivation", row[i].v);
  }
}

/* Checks gain and phase of the yaw rate in the last period of a sine, by the Fourier sums over this period. The start's
 * motion has decayed for 3 s, by exp(-15) = 3e-7; angles of 3e-4 rad have terms of third order of 1e-7: 1e-6. */
static void check_frequency(const char *level, double v, double f, double gain, double phase_deg, double tolerance) {
  char amplitude[96];
  snprintf(amplitude, sizeof amplitude, "steer={type: sine, amplitude: 0.0002, frequency: %.17g}", f);
  char run[32], speed[64], start[64];
  snprintf(run, sizeof run, "run.level=%s", level);
  snprintf(speed, sizeof speed, "speed=%.17g", v);
  snprintf(start, sizeof start, "initial.speed=%.17g", v);
  scene *s = scene_make(text, run, amplitude, speed, start, NULL);
  long period = lround(1000.0 / f), settle = period * (long)ceil(3.0 * f);
  double re = 0.0, im = 0.0;
  scene_run(s, 0.001 * (double)settle);
  for (long i = 0; i < period; i++) {
    double t = 0.001 * (double)(settle + i), w = 2.0 * VD_PI * f;
    double r = scene_row(s).eval.motion.yaw_rate;
    re += r * sin(w * t);
    im += r * cos(w * t);
    vd_sim_step(&s->sim);
  }
  scene_free(s);
  double got = 2.0 * hypot(re, im) / (double)period / angle, phase = atan2(im, re) * 180.0 / VD_PI;
  tap_near(got / gain, 1.0, tolerance, "%s %g m/s %g Hz: yaw-rate gain %.4f 1/s", level, v, f, gain);
  tap_near(phase, phase_deg, tolerance * 100.0, "%s %g m/s %g Hz: the phase is %.2f deg", level, v, f, phase_deg);
}

int main(void) {
  static const double speeds[] = {10.0, 20.0, 30.0, 40.0, 50.0};
  tap_plan(4 + 2 * (5 * 4 + 3 * 4 + 2 * 2) + 12);
  check_reference();
  for (int l = 0; l < 2; l++) {
    const char *level = l == 0 ? "L1" : "L2";
    for (size_t i = 0; i < VD_COUNT(speeds); i++)
      check(level, "understeering", 1.10, speeds[i]);
    for (size_t i = 0; i < VD_COUNT(speeds); i++)
      check(level, "oversteering", 1.58, speeds[i]);
  }
  /* from the worked table, linear_bicycle */
  check_frequency("L1", 20.0, 0.5, 5.803797904198405, -14.271644267503541, 1e-6);
  check_frequency("L1", 20.0, 2.0, 4.171045894771642, -51.12509787540847, 1e-6);
  check_frequency("L1", 30.0, 0.2, 7.0677055154187665, -5.0624403611369715, 1e-6);
  check_frequency("L1", 30.0, 1.0, 6.928116046826542, -32.02836075814149, 1e-6);
  check_frequency("L1", 40.0, 1.0, 8.238206910306353, -33.45312568583002, 1e-6);
  /* at L2 the wheels add 1.6 % of yaw inertia, which change the gain by -0.5 % and the phase by -0.5 deg */
  check_frequency("L2", 30.0, 1.0, 6.928116046826542, -32.02836075814149, 0.01);
  return tap_done();
}
