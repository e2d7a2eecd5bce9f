/* The car on four posts compared with its linear system; both are compared with closed forms.
 *
 * Measured: the posts sweep by 0.1 mm from 0.1 to 40 Hz in 400 whole periods, and the car comes to rest again, so that
 * the response needs no window. The errors are far below 1 %:
 *
 *   - 0.1 mm: the tyres are deflected by 15 mm and lose at most 40 N of their 3 kN; angles stay below 2e-4. Quadratic
 *     terms are about 1e-7 of the post's motion. At 12.7 Hz, between two modes, a post moves the diagonally opposite
 *     wheel by only 5e-5 of its own amplitude; the quadratic terms are 2e-3 of this. (At 1 mm they are 2e-2.)
 *   - Runge-Kutta at 25 Hz and 0.5 ms, (w h)^4/120: 3e-7.
 *   - At the end of the sweep the post's speed jumps by v = 25 mm/s. This has an unlimited spectrum v/w^2, of which
 *     twice the value at 2 kHz, the rate of the steps, is folded onto the lowest lines. The tyre transmits
 *     it with k_t. At 0.2 Hz the load's own gain is only 700 N/m and the sweep's spectrum
 *     a/sqrt(4 df/dt) = 0.35 mm s; there the error is 3e-4. (With a step of 1 ms and a sweep linear in time it is
 *     1.4e-2.)
 *
 * Modes are not peaks: at a damping ratio of 0.5 the peaks lie elsewhere. So a rational function with free poles is
 * fitted to the measured response: B. Gustavsen, A. Semlyen, "Rational approximation of frequency domain responses by
 * vector fitting", IEEE Trans. Power Delivery 14, 1999.
 *
 * Closed forms, of a car whose centre of gravity lies midway between equal axles; a post amplitude u, at s = j w.
 *
 * Heave, four quarter cars (Mitschke, Wallentowitz, Dynamik der Kraftfahrzeuge, two-mass model; Gillespie, Fundamentals
 * of Vehicle Dynamics, ch. 5), M a quarter of the sprung mass, S = k + c s, T = k_t + c_t s:
 *
 *   z = S T u/D,   z_u = (M s^2 + S) T u/D,   D = (m s^2 + S + T)(M s^2 + S) - S^2
 *   travel z_u - z,   load T (u - z_u)
 *
 * In parallel travel only the heights of the unsprung masses move relative to the body.
 *
 * Roll a of the body and b of the axles' beams, left posts +u, right -u; h half the track. Heights from the centre of
 * gravity: r of the roll centre (h_r above the road), z_s of the sprung mass; w = unsprung height - h_r; W the whole
 * weight. The body is held in the plane at the centre of gravity. The beams turn about the roll centre, so that their
 * masses move sideways by r a + w b:
 *
 *   [ (I_x + m_s z_s^2 + 4 m r^2) s^2 + R + W r - g (m_s z_s + 4 m r)   4 m r w s^2 - R ] [a]   [    0    ]
 *   [ 4 m r w s^2 - R   4 m (h^2 + w^2) s^2 + R + 4 h^2 T - W h_r - 4 m g w             ] [b] = [ 4 h T u ]
 *   R = 2 (2 h^2 S + K) with the bar's K of an axle
 *
 * The terms with W and g are of second order in the heights: the weights descend and the discs are inclined to their
 * posts. Travel on the right h (a - b), load on the left T (u - h b).
 *
 * Pitch a (nose down) and the axles' heights b in front, -b in the rear; front posts +u, rear -u; l half the wheelbase,
 * z_u and R_w the heights of the unsprung masses and of the wheel centres:
 *
 *   [ (I_y + m_s z_s^2 + 4 m z_u^2) s^2 + 4 l^2 S + W R_w - g (m_s z_s + 4 m z_u)    4 l S ] [a]   [   0   ]
 *   [ 4 l S                                                       4 m s^2 + 4 S + 4 T      ] [b] = [ 4 T u ]
 *
 * Travel in front b + l a. Wheels turn freely, so that their spin has no effect. */
#include "run/run.h"
#include "scene.h"
#include "tap.h"

#include <complex.h>
#include <gsl/gsl_complex.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_poly.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TESTS = 114, OUTPUTS = 12 };

static const char text[] = "kind: four_post\n"
                           "vehicle: ../vehicles/sedan.yaml\n"
                           "run: {level: L3, step: 0.5 ms, duration: 64 s}\n"
                           "post_fl: &post {type: chirp, start: 1 s, frequency: 0.1 Hz, end_frequency: 40.0517 Hz,\n"
                           "  duration: 60 s, amplitude: 0.1 mm, logarithmic: true}\n"
                           "post_fr: *post\n"
                           "post_rl: *post\n"
                           "post_rr: *post\n"
                           "response:\n"
                           "  input: road_fl_m\n"
                           "  outputs: [z_m, roll_rad, pitch_rad, az_mps2, travel_fl_m, travel_fr_m, travel_rl_m,\n"
                           "    travel_rr_m, fz_fl_N, fz_fr_N, fz_rl_N, fz_rr_N]\n"
                           "  window: none\n"
                           "  from: 0.2 Hz\n"
                           "  to: 25 Hz\n";

enum output { Z, ROLL, PITCH, AZ, TRAVEL, LOAD = TRAVEL + VD_WHEELS };
static const char *const output_name[OUTPUTS] = {"z",         "roll",      "pitch",     "az",
                                                 "travel fl", "travel fr", "travel rl", "travel rr",
                                                 "load fl",   "load fr",   "load rl",   "load rr"};

/* Amplitudes of the posts fl, fr, rl, rr as multiples of 0.1 mm. */
typedef struct pattern {
  const char *name;
  double post[VD_WHEELS];
} pattern;

static const pattern heave = {"heave", {1, 1, 1, 1}}, roll = {"roll", {1, -1, 1, -1}},
                     pitch = {"pitch", {1, 1, -1, -1}}, one = {"one post", {1, 0, 0, 0}},
                     bounce = {"front", {1, 1, 0, 0}}, twist = {"front, opposed", {1, -1, 0, 0}};

/* A car that was run on posts. */
typedef struct rig {
  scene *s;
  const pattern *posts;
  size_t lines; /* number of lines of the response, from `from` to `to` */
  double *frequency;
  double complex (*measured)[OUTPUTS];
  vd_linear linear;
} rig;

static void linearise(rig *r) {
  const vd_channel *output[OUTPUTS];
  size_t count;
  const vd_channel *channel = vd_channel_table(&count);
  for (int i = 0; i < OUTPUTS; i++)
    for (size_t k = 0; k < count; k++)
      if (strcmp(channel[k].name, r->s->def.response.outputs.name[i]) == 0)
        output[i] = &channel[k];
  if (!vd_linearise(&r->s->model, &r->s->sim.command, &r->s->sim.state, output, OUTPUTS, &r->linear))
    tap_diag("the linear system is not finite");
}

static void measure(rig *r) {
  vd_response response;
  vd_run_report report;
  vd_run_options options = {.response = &response};
  vd_response_def *def = &r->s->def.response;
  vd_response_init(&response, def, r->s->def.run.step);
  vd_simulate(&r->s->def, &options, NULL, NULL, &report);
  size_t segment = (size_t)lround(def->segment / r->s->def.run.step);
  for (int i = 0; i < OUTPUTS; i++) {
    vd_spectrum spectrum;
    if (!vd_spectrum_make(response.value[0], response.value[1 + i], response.count, 1.0 / r->s->def.run.step, segment,
                          VD_WINDOW_NONE, &spectrum)) {
      tap_diag("the run was too short: %s", report.failure);
      break;
    }
    if (!r->frequency) {
      r->frequency = calloc(spectrum.lines, sizeof *r->frequency);
      r->measured = calloc(spectrum.lines, sizeof *r->measured);
    }
    r->lines = 0;
    for (size_t k = 0; k < spectrum.lines; k++) {
      double f = (double)k * spectrum.spacing;
      if (f < def->from || f > def->to)
        continue;
      vd_transfer h = vd_spectrum_transfer(&spectrum, k);
      r->frequency[r->lines] = f;
      r->measured[r->lines++][i] = h.gain * cexp(I * h.phase);
    }
    vd_spectrum_finish(&spectrum);
  }
  vd_response_finish(&response);
}

static rig *make(const pattern *p, const char *const *settings) {
  static const char *const key[] = {"post_fl", "post_fr", "post_rl", "post_rr"};
  rig *r = calloc(1, sizeof *r);
  char amplitude[VD_WHEELS][48];
  const char *more[4] = {0};
  for (int i = 0; i < VD_WHEELS; i++)
    snprintf(amplitude[i], sizeof amplitude[i], "%s.amplitude=%g mm", key[i], 0.1 * p->post[i]);
  for (int i = 0; i < 4 && settings && settings[i]; i++)
    more[i] = settings[i];
  r->posts = p;
  r->s = scene_make(text, amplitude[0], amplitude[1], amplitude[2], amplitude[3], more[0], more[1], more[2], more[3],
                    NULL);
  linearise(r);
  measure(r);
  return r;
}

static void finish(rig *r) {
  scene_free(r->s);
  free(r->frequency);
  free(r->measured);
  free(r);
}

/* Worst deviation of one output over all lines: gain, and phase in degrees. */
typedef struct deviation {
  double gain, phase;
} deviation;

static void deviate(deviation *d, double complex got, double complex expected) {
  d->gain = tap_max(d->gain, fabs(cabs(got) / cabs(expected) - 1.0));
  d->phase = tap_max(d->phase, fabs(carg(got / expected)) * (180.0 / VD_PI));
}

static void linear_at(const rig *r, double frequency, double complex *h) {
  double response[OUTPUTS][2];
  static const char *const road[VD_WHEELS] = {"road_fl_m", "road_fr_m", "road_rl_m", "road_rr_m"};
  double amplitude[VD_LINEAR_INPUTS] = {0.0};
  for (int i = 0; i < VD_WHEELS; i++)
    amplitude[vd_linear_input_called(&r->linear, road[i])] = r->posts->post[i];
  bool good = vd_linear_response(&r->linear, amplitude, frequency, response);
  for (int i = 0; i < OUTPUTS; i++)
    h[i] = good ? response[i][0] + I * response[i][1] : (double)NAN;
}

/* ---- measured response and linear system ---- */

/* Number of responses so far: each commit measures half of them. */
static int response;

/* Compares the measured response with that of the linear system. outputs: those that respond to this pattern; all
 * others are 0 by symmetry. */
static void test_linear(const char *car, const pattern *p, const char *const *settings, const enum output *outputs,
                        int count) {
  if (tap_left_out(1 + count, response++, 2))
    return;
  rig *r = make(p, settings);
  deviation worst[OUTPUTS] = {{0}};
  for (size_t k = 0; k < r->lines; k++) {
    double complex h[OUTPUTS];
    linear_at(r, r->frequency[k], h);
    for (int i = 0; i < OUTPUTS; i++)
      deviate(&worst[i], r->measured[k][i], h[i]);
  }
  tap_ok(r->lines == 1588, "%s, %s: the response has %zu lines", car, p->name, r->lines);
  for (int i = 0; i < count; i++) {
    const deviation *d = &worst[outputs[i]];
    tap_ok(d->gain <= 0.01 && d->phase <= 1.0, "%s, %s: %s agrees within 1 %% and 1 deg (%.2g %%, %.2g deg)", car,
           p->name, output_name[outputs[i]], 100.0 * d->gain, d->phase);
  }
  finish(r);
}

/* ---- closed forms ---- */

typedef struct forms {
  double complex s, spring, tyre; /* S, T */
  double sprung, mass, quarter;   /* m_s, m, M */
} forms;

static forms forms_at(const vd_model *m, double frequency) {
  const vd_vehicle_axle *axle = &m->vehicle.axle[VD_FRONT];
  const vd_tyre_common *tyre = &m->vehicle.tyre[VD_FL].common;
  double complex s = 2.0 * VD_PI * I * frequency;
  double sprung = m->vehicle.mass - 4.0 * axle->unsprung_mass;
  return (forms){.s = s,
                 .spring = axle->spring_stiffness + axle->suspension.damping_bump * s,
                 .tyre = tyre->vertical_stiffness + tyre->vertical_damping * s,
                 .sprung = sprung,
                 .mass = axle->unsprung_mass,
                 .quarter = 0.25 * sprung};
}

static void heave_form(const vd_model *m, double frequency, double complex *h) {
  forms q = forms_at(m, frequency);
  double complex body = q.quarter * q.s * q.s + q.spring, wheel = q.mass * q.s * q.s + q.spring + q.tyre;
  double complex d = wheel * body - q.spring * q.spring, zu = body * q.tyre / d;
  h[Z] = q.spring * q.tyre / d;
  h[AZ] = q.s * q.s * h[Z];
  for (int i = 0; i < VD_WHEELS; i++) {
    h[TRAVEL + i] = zu - h[Z];
    h[LOAD + i] = q.tyre * (1.0 - zu);
  }
}

static void solve(double complex a11, double complex a12, double complex a22, double complex right, double complex *a,
                  double complex *b) {
  double complex d = a11 * a22 - a12 * a12;
  *a = -a12 * right / d;
  *b = a11 * right / d;
}

static void roll_form(const vd_model *m, double frequency, double complex *h) {
  const vd_vehicle *v = &m->vehicle;
  const vd_vehicle_axle *axle = &v->axle[VD_FRONT];
  forms q = forms_at(m, frequency);
  double complex a, b, ss = q.s * q.s;
  double half = 0.5 * axle->track, r = axle->roll_centre_height - v->cg_height, rise = axle->roll_centre_height;
  double w = axle->unsprung_height - rise, weight = v->mass * VD_GRAVITY;
  double zs = -4.0 * q.mass * (axle->unsprung_height - v->cg_height) / q.sprung;
  double complex springs = 2.0 * (2.0 * half * half * q.spring + axle->antiroll_stiffness);
  double complex a11 = (v->roll_inertia + q.sprung * zs * zs + 4.0 * q.mass * r * r) * ss + springs + weight * r -
                       VD_GRAVITY * (q.sprung * zs + 4.0 * q.mass * r);
  double complex a12 = 4.0 * q.mass * r * w * ss - springs;
  double complex a22 = 4.0 * q.mass * (half * half + w * w) * ss + springs + 4.0 * half * half * q.tyre -
                       weight * rise - 4.0 * q.mass * VD_GRAVITY * w;
  solve(a11, a12, a22, 4.0 * half * q.tyre, &a, &b);
  h[ROLL] = a;
  for (int i = 0; i < VD_WHEELS; i++) {
    h[TRAVEL + i] = half * (a - b) * (-vd_side_sign(i));
    h[LOAD + i] = q.tyre * (1.0 - half * b) * vd_side_sign(i);
  }
}

static void pitch_form(const vd_model *m, double frequency, double complex *h) {
  const vd_vehicle *v = &m->vehicle;
  const vd_vehicle_axle *axle = &v->axle[VD_FRONT];
  forms q = forms_at(m, frequency);
  double complex a, b, ss = q.s * q.s;
  double half = 0.5 * v->wheelbase, zu = axle->unsprung_height - v->cg_height,
         wheel = axle->wheel_radius - v->cg_height;
  double zs = -4.0 * q.mass * zu / q.sprung;
  double complex a11 = (v->pitch_inertia + q.sprung * zs * zs + 4.0 * q.mass * zu * zu) * ss +
                       4.0 * half * half * q.spring + v->mass * VD_GRAVITY * wheel -
                       VD_GRAVITY * (q.sprung * zs + 4.0 * q.mass * zu);
  double complex a12 = 4.0 * half * q.spring, a22 = 4.0 * (q.mass * ss + q.spring + q.tyre);
  solve(a11, a12, a22, 4.0 * q.tyre, &a, &b);
  h[PITCH] = a;
  for (int i = 0; i < VD_WHEELS; i++) {
    h[TRAVEL + i] = (b + half * a) * (i < 2 ? 1.0 : -1.0);
    h[LOAD + i] = q.tyre * (1.0 - b) * (i < 2 ? 1.0 : -1.0);
  }
}

static void test_form(const char *car, const pattern *p, const char *const *settings,
                      void (*form)(const vd_model *m, double frequency, double complex *h), const enum output *outputs,
                      int count) {
  if (tap_left_out(3 * count, response++, 2))
    return;
  rig *r = make(p, settings);
  deviation run[OUTPUTS] = {{0}}, linear[OUTPUTS] = {{0}};
  for (size_t k = 0; k < r->lines; k++) {
    double complex h[OUTPUTS], expected[OUTPUTS] = {0};
    linear_at(r, r->frequency[k], h);
    form(&r->s->model, r->frequency[k], expected);
    for (int i = 0; i < OUTPUTS; i++) {
      deviate(&run[i], r->measured[k][i], expected[i]);
      deviate(&linear[i], h[i], expected[i]);
    }
  }
  for (int i = 0; i < count; i++) {
    enum output o = outputs[i];
    tap_near(run[o].gain, 0.0, 0.005, "%s, %s: %s has the gain of the closed form in a run", car, p->name,
             output_name[o]);
    tap_near(run[o].phase, 0.0, 0.5, "%s, %s: %s has the phase of the closed form in a run, deg", car, p->name,
             output_name[o]);
    tap_near(hypot(linear[o].gain, linear[o].phase * (VD_PI / 180.0)), 0.0, 1e-7,
             "%s, %s: %s of the linear system is the closed form", car, p->name, output_name[o]);
  }
  finish(r);
}

/* ---- modes ---- */

enum { MOST_POLES = 8 };

/* Vector fitting of several outputs with common poles. pole: poles with a positive imaginary part, rad/s. */
typedef struct fit {
  int pairs, outputs;
  enum output output[4];
  double complex pole[MOST_POLES / 2];
} fit;

/* Computes the partial fractions of real functions: a pair a, a* has the two functions 1/(s-a) + 1/(s-a*) and j/(s-a) -
 * j/(s-a*). */
static void fractions(const fit *f, double complex s, double complex *phi) {
  for (int i = 0; i < f->pairs; i++) {
    double complex one_part = 1.0 / (s - f->pole[i]), other = 1.0 / (s - conj(f->pole[i]));
    phi[2 * i] = one_part + other;
    phi[2 * i + 1] = I * (one_part - other);
  }
}

/* Moves the poles to the zeros of sigma = 1 + sum c phi, the eigenvalues of A - b c. */
static void move_poles(fit *f, const double *c) {
  size_t n = 2 * (size_t)f->pairs;
  gsl_matrix *a = gsl_matrix_calloc(n, n);
  gsl_vector_complex *value = gsl_vector_complex_alloc(n);
  gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc(n);
  for (int i = 0; i < f->pairs; i++) {
    size_t k = 2 * (size_t)i;
    double re = creal(f->pole[i]), im = cimag(f->pole[i]);
    gsl_matrix_set(a, k, k, re);
    gsl_matrix_set(a, k + 1, k + 1, re);
    gsl_matrix_set(a, k, k + 1, im);
    gsl_matrix_set(a, k + 1, k, -im);
  }
  for (size_t i = 0; i < n; i += 2)
    for (size_t k = 0; k < n; k++)
      gsl_matrix_set(a, i, k, gsl_matrix_get(a, i, k) - 2.0 * c[k]);
  gsl_eigen_nonsymm(a, value, work);
  int found = 0;
  for (size_t k = 0; k < n; k++) {
    gsl_complex z = gsl_vector_complex_get(value, k);
    if (GSL_IMAG(z) > 0.0 && found < f->pairs)
      f->pole[found++] = -fabs(GSL_REAL(z)) + I * GSL_IMAG(z);
  }
  while (found < f->pairs)
    f->pole[found++] = (double)NAN; /* a pair that does not oscillate: the fit has failed */
  gsl_matrix_free(a);
  gsl_vector_complex_free(value);
  gsl_eigen_nonsymm_free(work);
}

/* Makes one round: residues of every output and of sigma by least squares of the relative deviation. */
static void refine(const rig *r, fit *f) {
  enum { STRIDE = 8 };
  size_t poles = 2 * (size_t)f->pairs, own = poles + 1, outputs = (size_t)f->outputs;
  size_t columns = outputs * own + poles, lines = (r->lines + STRIDE - 1) / STRIDE, row = 0;
  gsl_matrix *x = gsl_matrix_calloc(2 * lines * outputs, columns), *covariance = gsl_matrix_alloc(columns, columns);
  gsl_vector *y = gsl_vector_alloc(2 * lines * outputs), *c = gsl_vector_alloc(columns);
  gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(2 * lines * outputs, columns);
  double chi;
  for (size_t k = 0; k < r->lines; k += STRIDE) {
    double complex phi[MOST_POLES];
    fractions(f, 2.0 * VD_PI * I * r->frequency[k], phi);
    for (size_t o = 0; o < outputs; o++, row += 2) {
      double complex h = r->measured[k][f->output[o]];
      double weight = 1.0 / cabs(h);
      for (int part = 0; part < 2; part++) {
        double complex turn = part ? -I * weight : weight; /* real, then imaginary part */
        for (size_t j = 0; j < poles; j++) {
          gsl_matrix_set(x, row + (size_t)part, o * own + j, creal(turn * phi[j]));
          gsl_matrix_set(x, row + (size_t)part, outputs * own + j, -creal(turn * h * phi[j]));
        }
        gsl_matrix_set(x, row + (size_t)part, o * own + poles, creal(turn));
        gsl_vector_set(y, row + (size_t)part, creal(turn * h));
      }
    }
  }
  gsl_multifit_linear(x, y, c, covariance, &chi, work);
  move_poles(f, gsl_vector_const_ptr(c, outputs * own));
  gsl_multifit_linear_free(work);
  gsl_matrix_free(x);
  gsl_matrix_free(covariance);
  gsl_vector_free(y);
  gsl_vector_free(c);
}

static const char *const mode_name[VD_RIDE_MODES] = {"heave",       "pitch",    "roll",      "front hop",
                                                     "front tramp", "rear hop", "rear tramp"};

/* Compares each named mode with the nearest fitted pair, by the distance of the eigenvalues, which contain frequency
 * and damping. */
static void compare_modes(const rig *r, const fit *f, const enum vd_ride_mode *named) {
  vd_modes modes;
  if (!vd_modes_at(&r->s->model, &r->s->sim.command, &r->s->sim.state, &modes))
    tap_diag("the matrix has no eigenvalues");
  for (int i = 0; i < f->pairs; i++) {
    const vd_mode_shape *mode = &modes.mode[named[i]];
    double size = 2.0 * VD_PI * mode->frequency, best = INFINITY;
    double complex pole = 0.0;
    double complex expected = size * (-mode->damping + I * sqrt(1.0 - mode->damping * mode->damping));
    for (int k = 0; k < f->pairs; k++)
      if (cabs(f->pole[k] - expected) < best) {
        pole = f->pole[k];
        best = cabs(pole - expected);
      }
    double fitted = cabs(pole) / (2.0 * VD_PI);
    tap_near(fitted / mode->frequency, 1.0, 0.01, "%s: the fitted frequency, %.4f Hz, is that of the eigenvalue",
             mode_name[named[i]], fitted);
    tap_near(-creal(pole) / cabs(pole) / mode->damping, 1.0, 0.01,
             "%s: the fitted damping ratio, %.4f, is that of the eigenvalue", mode_name[named[i]],
             -creal(pole) / cabs(pole));
  }
}

static void test_fitted(void) {
  static const enum vd_ride_mode symmetric[] = {VD_RIDE_HEAVE, VD_RIDE_PITCH, VD_RIDE_FRONT_HOP, VD_RIDE_REAR_HOP};
  static const enum vd_ride_mode opposed[] = {VD_RIDE_ROLL, VD_RIDE_FRONT_TRAMP, VD_RIDE_REAR_TRAMP};
  /* initial poles away from the modes, lightly damped as the method requires */
  fit f = {4, 4, {Z, PITCH, TRAVEL + VD_FL, TRAVEL + VD_RL}, {0}};
  for (int i = 0; i < 4; i++)
    f.pole[i] = 2.0 * VD_PI * (-0.01 + I) * (1.0 + 6.0 * i);
  rig *r = make(&bounce, NULL);
  for (int round = 0; round < 15; round++)
    refine(r, &f);
  compare_modes(r, &f, symmetric);
  finish(r);

  r = make(&twist, NULL);
  f = (fit){3, 3, {ROLL, TRAVEL + VD_FL, TRAVEL + VD_RL}, {0}};
  for (int i = 0; i < 3; i++)
    f.pole[i] = 2.0 * VD_PI * (-0.01 + I) * (1.0 + 9.0 * i);
  for (int round = 0; round < 15; round++)
    refine(r, &f);
  compare_modes(r, &f, opposed);
  finish(r);
}

/* Computes the eigenvalues of the quarter car, in ascending frequency:
 *   M m s^4 + c (M + m) s^3 + ((M + m) k + M k_t) s^2 + c k_t s + k k_t = 0. */
static void quarter_modes(const vd_model *m, vd_mode_shape *mode) {
  const vd_vehicle_axle *axle = &m->vehicle.axle[VD_FRONT];
  double kt = m->vehicle.tyre[VD_FL].common.vertical_stiffness, k = axle->spring_stiffness;
  double c = axle->suspension.damping_bump, small = axle->unsprung_mass, big = 0.25 * m->vehicle.mass - small;
  double poly[] = {k * kt, c * kt, (big + small) * k + big * kt, c * (big + small), big * small}, root[8];
  int found = 0;
  gsl_poly_complex_workspace *work = gsl_poly_complex_workspace_alloc(5);
  gsl_poly_complex_solve(poly, 5, work, root);
  gsl_poly_complex_workspace_free(work);
  for (int i = 0; i < 4; i++)
    if (root[2 * i + 1] > 0.0 && found < 2) {
      double size = hypot(root[2 * i], root[2 * i + 1]);
      mode[found++] = (vd_mode_shape){size / (2.0 * VD_PI), -root[2 * i] / size, 1.0};
    }
  if (found == 2 && mode[0].frequency > mode[1].frequency) {
    vd_mode_shape swap = mode[0];
    mode[0] = mode[1];
    mode[1] = swap;
  }
}

static void test_quarter_modes(const char *const *symmetric) {
  rig *r = make(&heave, symmetric);
  vd_modes modes;
  vd_mode_shape expected[2] = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
  vd_modes_at(&r->s->model, &r->s->sim.command, &r->s->sim.state, &modes);
  quarter_modes(&r->s->model, expected);
  const vd_mode_shape *front = &modes.mode[VD_RIDE_FRONT_HOP], *rear = &modes.mode[VD_RIDE_REAR_HOP];
  /* equal axles: one hop in phase, the other in antiphase; the quarter car's is that in phase */
  bool front_nearer = fabs(front->frequency - expected[1].frequency) < fabs(rear->frequency - expected[1].frequency);
  const vd_mode_shape *hop = front_nearer ? front : rear;
  tap_near(modes.mode[VD_RIDE_HEAVE].frequency, expected[0].frequency, 1e-7,
           "heave has the frequency of the quarter car, Hz");
  tap_near(modes.mode[VD_RIDE_HEAVE].damping, expected[0].damping, 1e-7,
           "heave has the damping ratio of the quarter car");
  tap_near(hop->frequency, expected[1].frequency, 1e-6, "hop has the frequency of the quarter car, Hz");
  tap_near(hop->damping, expected[1].damping, 1e-7, "hop has the damping ratio of the quarter car");
  finish(r);
}

/* ---- the set of metrics ---- */

static const vd_metric *find(const vd_metrics *m, const char *name) {
  static const vd_metric none = {.value = NAN, .reason = "there is no such metric", .definition = ""};
  for (size_t i = 0; i < m->count; i++)
    if (strcmp(m->metric[i].name, name) == 0)
      return &m->metric[i];
  return &none;
}

static const vd_metrics *metrics_of(scene *s) {
  static vd_metrics out;
  vd_recorder recorder;
  vd_run_report report;
  vd_run_options options = {0};
  vd_recorder_init(&recorder, true);
  vd_simulate(&s->def, &options, NULL, &recorder, &report);
  vd_run_metrics(&s->def, &recorder, &out);
  vd_recorder_finish(&recorder);
  return &out;
}

static const char driving[] = "vehicle: ../vehicles/sedan.yaml\n"
                              "run: {level: L3, duration: 10 ms}\n"
                              "initial: {speed: 40 m/s}\n"
                              "metrics: modes\n";

static void test_metrics(void) {
  static const char *const names[] = {"heave", "pitch", "roll", "front_hop", "front_tramp", "rear_hop", "rear_tramp"};
  scene *s = scene_make(text, "run.duration=10 ms", "metrics=modes", "response={}", NULL);
  vd_metrics posts = *metrics_of(s);
  scene_free(s);
  tap_near(find(&posts, "front_tyre_only_frequency_Hz")->value, sqrt(220e3 / 40.0) / (2.0 * VD_PI), 1e-9,
           "the tyre-only frequency is that of the unsprung mass on its tyre");
  tap_near(find(&posts, "front_spring_only_damping")->value, 3000.0 / (2.0 * sqrt(30e3 * 40.0)), 1e-9,
           "the spring-only damping is that of the unsprung mass on its spring");
  tap_ok(strstr(find(&posts, "front_tyre_only_frequency_Hz")->definition,
                "a rule of thumb; the frequency of wheel hop is higher") &&
             strstr(find(&posts, "front_spring_only_damping")->definition, "many times the stiffness of the spring"),
         "the definitions of the rules of thumb state why these are not modes");
  /* sqrt((k + k_t)/m) of the sedan's wheel is above the hop frequency; the tyre-only frequency omits the spring */
  tap_near(find(&posts, "front_hop_frequency_Hz")->value, 12.0, 0.1, "the sedan's front wheels hop at 12.0 Hz");
  tap_near(find(&posts, "front_hop_damping")->value, 0.51, 0.01,
           "the hop of the sedan's front wheels has a damping ratio of 0.51");

  s = scene_make(driving, NULL);
  const vd_metrics *moving = metrics_of(s);
  bool all = true;
  for (size_t i = 0; i < VD_COUNT(names); i++) {
    char key[48];
    snprintf(key, sizeof key, "%s_damping", names[i]);
    double damping = find(moving, key)->value;
    if (!(damping > 0.05 && damping < 1.0)) {
      tap_diag("%s at 40 m/s: %g %s", key, damping, find(moving, key)->reason);
      all = false;
    }
  }
  tap_ok(all, "each mode exists and is damped at 40 m/s");
  /* the tyres' forces in the plane hardly change symmetric modes, and the names of modes must not change with the
   * speed */
  tap_near(find(moving, "heave_frequency_Hz")->value / find(&posts, "heave_frequency_Hz")->value, 1.0, 0.01,
           "driving hardly changes heave");
  tap_near(find(moving, "pitch_frequency_Hz")->value / find(&posts, "pitch_frequency_Hz")->value, 1.0, 0.01,
           "driving hardly changes pitch");
  scene_free(s);

  s = scene_make(driving, "run.level=L2", NULL);
  tap_str(find(metrics_of(s), "heave_frequency_Hz")->reason, "this level has no ride modes",
          "a level without travels has no ride modes: L2");
  scene_free(s);

  s = scene_make(driving, "vehicle.front.damper=60 kN s/m", NULL);
  tap_str(find(metrics_of(s), "front_hop_frequency_Hz")->reason,
          "no oscillating mode has this shape; the motion may be overdamped",
          "an overdamped wheel has no hop frequency");
  scene_free(s);
}

/* Checks that the car stays in place. Posts push upwards and have no friction: no force moves the car in the plane, and
 * no tyre changes a wheel's spin. */
static void test_stays(void) {
  scene *s = scene_make(text, "post_rl.amplitude=-1 mm", "post_fr.amplitude=1 mm", "run.accuracy=1e-5", NULL);
  scene_run(s, 12.0);
  const double *x = s->sim.state.x;
  tap_near(x[VD_S_DISTANCE] + fabs(x[VD_S_VX]) + fabs(x[VD_S_VY]), 0.0, 1e-15, "a car on posts stays where it is");
  scene_free(s);
}

int main(void) {
  static const char *const symmetric[] = {"vehicle.cg_to_front=1.35 m", NULL};
  static const char *const rich[] = {"vehicle.cg_to_front=1.35 m", "vehicle.front.roll_centre_height=0.1 m",
                                     "vehicle.rear.roll_centre_height=0.1 m", NULL};
  static const char *const damped[] = {"vehicle.cg_to_front=1.35 m", "vehicle.front.tyre.vertical_damping=100 N s/m",
                                       "vehicle.rear.tyre.vertical_damping=100 N s/m", NULL};
  static const char *const equipped[] = {"vehicle.front.roll_centre_height=0.08 m",
                                         "vehicle.front.antiroll_stiffness=15000 N m/rad",
                                         "vehicle.front.tyre.vertical_damping=150 N s/m", NULL};
  static const enum output every[] = {Z,          ROLL,       PITCH, AZ,       TRAVEL,   TRAVEL + 1,
                                      TRAVEL + 2, TRAVEL + 3, LOAD,  LOAD + 1, LOAD + 2, LOAD + 3};
  static const enum output upright[] = {Z, PITCH, AZ, TRAVEL, TRAVEL + 2, LOAD, LOAD + 2};
  static const enum output heaving[] = {Z, AZ, TRAVEL, LOAD}, rolling[] = {ROLL, TRAVEL, LOAD},
                           pitching[] = {PITCH, TRAVEL, LOAD};
  tap_plan(TESTS);
  test_linear("sedan", &heave, NULL, upright, VD_COUNT(upright));
  test_linear("sedan", &one, NULL, every, VD_COUNT(every));
  test_linear("equipped sedan", &one, equipped, every, VD_COUNT(every));
  test_form("symmetric", &heave, symmetric, heave_form, heaving, VD_COUNT(heaving));
  test_form("symmetric", &roll, symmetric, roll_form, rolling, VD_COUNT(rolling));
  test_form("raised roll centres", &roll, rich, roll_form, rolling, VD_COUNT(rolling));
  test_form("symmetric", &pitch, symmetric, pitch_form, pitching, VD_COUNT(pitching));
  test_form("damped tyres", &heave, damped, heave_form, heaving, VD_COUNT(heaving));
  test_quarter_modes(symmetric);
  test_fitted();
  test_metrics();
  test_stays();
  return tap_done();
}
