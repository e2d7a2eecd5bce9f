/* Tyre models compared with a second implementation of their sources: TMeasy of two editions of the book, Fiala, brush,
 * the Magic Formula of 1989 and 1994; and properties of all models: camber thrust, overturning, friction limits,
 * directions, mirror images. */
#include "tap.h"
#include "tyre_files.h"
#include "tyre/tyre_def.h"

#include <math.h>
#include <stdlib.h>

static const double degree = 3.14159265358979323846 / 180.0;

typedef struct state {
  double kappa, tan_alpha, camber, load, friction;
} state;

static vd_tyre_answer at(const vd_tyre *tyre, state s) {
  vd_tyre_answer a;
  const vd_tyre_question q = {.kappa = s.kappa,
                              .tan_alpha = s.tan_alpha,
                              .vx = 20.0,
                              .camber = s.camber,
                              .ground_friction = s.friction,
                              .load = s.load,
                              .radius = 0.3};
  vd_tyre_ask(tyre, &q, &a);
  return a;
}

static state any_state(double camber) {
  return (state){uniform(-1.5, 1.5), tan(uniform(-1.3, 1.3)), uniform(-camber, camber), uniform(200.0, 9000.0),
                 uniform(0.3, 1.3)};
}

static double sign(double x) {
  return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;
}

/* --- the tyres --- */

static const vd_tmeasy_curves along = {{90e3, 0.11, 3300, 0.5, 3150}, {160e3, 0.12, 6300, 0.6, 5900}};
static const vd_tmeasy_curves across = {{70e3, 0.18, 3100, 0.6, 2500}, {100e3, 0.20, 5500, 0.8, 4700}};

static vd_tyre tmeasy(int edition, const vd_tmeasy_curves *x, const vd_tmeasy_curves *y) {
  vd_tyre_def def = {.model = VD_TYRE_TMEASY,
                     .common = {.friction = 0.9, .pneumatic_trail = 0.03},
                     .as.tmeasy = {.edition = edition,
                                   .longitudinal = *x,
                                   .lateral = *y,
                                   .nominal_load = 3200.0,
                                   .trail_zero = 0.2,
                                   .trail_end = 0.5,
                                   .trail_double = 0.05,
                                   .trail_zero_double = 0.22,
                                   .trail_end_double = 0.6}};
  vd_tyre tyre;
  vd_tyre_complete(&def, NULL, NULL, "", NULL, NULL);
  vd_tyre_build(&def, false, &tyre);
  return tyre;
}

static vd_tyre fiala(double friction, double sliding) {
  vd_tyre_def def = {.model = VD_TYRE_FIALA, .common = {.friction = friction}, .as.fiala = {100e3, 60e3, sliding, 0.2}};
  vd_tyre tyre;
  vd_tyre_build(&def, false, &tyre);
  return tyre;
}

static vd_tyre brush(void) {
  vd_tyre_def def = {.model = VD_TYRE_BRUSH, .common = {.friction = 1.1}, .as.brush = {4.8828125e6, 0.128, 4000.0}};
  vd_tyre tyre;
  vd_tyre_build(&def, false, &tyre);
  return tyre;
}

/* all coefficients are given; they do not belong to a real tyre */
static double a89[] = {1.30, -22.1, 1011, 1078, 5.62, 0.022, -0.354, 0.707, 0.028, 0.003, 0.02, 14.8, 5, 12};
static double b89[] = {1.65, -21.3, 1144, 49.6, 226, 0.069, -0.006, 0.056, 0.486, 0.02, 0.03};
static double c89[] = {2.40,  -2.72, -2.28, -1.86, -2.73, 0.110,  0.030, -0.070, 0.643,
                       -4.04, 0.070, 0.015, 0.01,  -0.02, -0.066, 0.945, 0.3,    -0.5};
static double a94[] = {1.35, -18,  1050, 1100, 6,   0.015, -0.3,   0.6,  0.004,
                       0.02, 0.03, 4,    11,   0.3, 12,    0.0008, 0.04, 0.1};
static double b94[] = {1.60, -20, 1100, 45, 230, 0.06, -0.005, 0.05, 0.45, 0.02, 0.03, 6, -4, -0.1};
static double c94[] = {2.30, -2.5,  -2.2, -1.8, -2.6, 0.1,   0.025, -0.06, 0.6,  -3.9, 0.05,
                       0.01, -0.02, 0.02, 0.3,  -0.5, -0.05, 0.9,   0.001, 0.02, 0.05};

static vd_tyre pac(int model, double *a, double *b, double *c) {
  const bool older = model == VD_TYRE_PAC89;
  vd_tyre_def def = {.model = model,
                     .common = {.friction = 1.0},
                     .as.pac = {{.value = a, .count = older ? 14 : 18},
                                {.value = b, .count = older ? 11 : 14},
                                {.value = c, .count = older ? 18 : 21}}};
  vd_tyre tyre;
  vd_tyre_build(&def, false, &tyre);
  return tyre;
}

/* Makes a tyre without shifts and without a difference of the sides. */
static vd_tyre even_pac(void) {
  static double a[] = {1.30, -22.1, 1011, 1078, 5.62, 0.022, -0.354, 0.707, 0.028, 0, 0, 14.8};
  static double b[] = {1.65, -21.3, 1144, 49.6, 226, 0.069, -0.006, 0.056, 0.486};
  static double c[] = {2.40, -2.72, -2.28, -1.86, -2.73, 0.110, 0.030, -0.070, 0.643, -4.04};
  vd_tyre_def def = {.model = VD_TYRE_PAC89,
                     .common = {.friction = 1.0},
                     .as.pac = {{.value = a, .count = 12}, {.value = b, .count = 9}, {.value = c, .count = 10}}};
  vd_tyre tyre;
  vd_tyre_build(&def, false, &tyre);
  return tyre;
}

static vd_tyre mf96(void) {
  vd_tyre_def def = {.model = VD_TYRE_MF96,
                     .common = {.friction = 1.0, .pneumatic_trail = 0.05},
                     .as.mf96 = {.longitudinal = {10.0, 1.65, 1.2, 0.97},
                                 .lateral = {8.0, 1.30, 0.9, -1.0},
                                 .nominal_load = 4000.0,
                                 .load_sensitivity = 0.15,
                                 .trail_falloff = 0.2,
                                 .trail_growth = 0.3}};
  vd_tyre tyre;
  vd_tyre_build(&def, false, &tyre);
  return tyre;
}

static vd_tyre linear(void) {
  vd_tyre_def def = {
      .model = VD_TYRE_LINEAR, .common = {.friction = 1.0, .pneumatic_trail = 0.03}, .as.linear = {80e3, 160e3}};
  vd_tyre tyre;
  vd_tyre_build(&def, false, &tyre);
  return tyre;
}

/* --- TMeasy, by the formulas of the books --- */

typedef struct five {
  double df0, fm, sm, fs, ss;
} five;

/* Returns the force of one direction by Rill and Castro (2020) or, without `parabolas`, by the cubic of 2011. */
static double book_force(five c, double s, bool parabolas) {
  if (parabolas && 2.0 * c.fm / c.df0 > c.sm) {
    c.ss += 2.0 * c.fm / c.df0 - c.sm;
    c.sm = 2.0 * c.fm / c.df0;
  }
  if (s > c.ss)
    return c.fs;
  if (s < c.sm) {
    double p = c.df0 * c.sm / c.fm - 2.0, sn = s / c.sm;
    return c.df0 * s / (1.0 + (sn + p) * sn);
  }
  double a = pow(c.fm / c.sm, 2.0) / (c.df0 * c.sm), meet = c.sm + (c.fm - c.fs) / (a * (c.ss - c.sm));
  if (!parabolas || meet > c.ss) {
    double sn = (s - c.sm) / (c.ss - c.sm);
    return c.fm - (c.fm - c.fs) * pow(sn, 2.0) * (3.0 - 2.0 * sn);
  }
  return s <= meet ? c.fm - a * pow(s - c.sm, 2.0) : c.fs + a * (meet - c.sm) / (c.ss - meet) * pow(c.ss - s, 2.0);
}

/* Returns the value at `u` of the parabola through (0, 0), (1, y1) and (2, y2), by Lagrange. */
static double book_parabola(double y1, double y2, double u) {
  return y1 * u * (2.0 - u) + 0.5 * y2 * u * (u - 1.0);
}

static double book_line(double y1, double y2, double u) {
  return y1 * (2.0 - u) + y2 * (u - 1.0);
}

static five book_figures(const vd_tmeasy_curves *c, double u, double mu) {
  return (five){book_parabola(c->nominal.df0, c->doubled.df0, u),
                mu * book_parabola(c->nominal.f_max, c->doubled.f_max, u),
                mu * book_line(c->nominal.s_max, c->doubled.s_max, u),
                mu * book_parabola(c->nominal.f_slide, c->doubled.f_slide, u),
                mu * book_line(c->nominal.s_slide, c->doubled.s_slide, u)};
}

static void book_forces(const vd_tmeasy_curves *cx, const vd_tmeasy_curves *cy, state s, bool parabolas, double *fx,
                        double *fy) {
  double u = s.load / 3200.0, mu = 0.9 * s.friction, tread = fmax(fabs(1.0 + s.kappa), 0.01);
  double sx = s.kappa / tread, sy = -s.tan_alpha / tread;
  five x = book_figures(cx, u, mu), y = book_figures(cy, u, mu);
  double rx = x.fm / x.df0, ry = y.fm / y.df0;
  double nx = x.sm / (x.sm + y.sm) + rx / (rx + ry), ny = y.sm / (x.sm + y.sm) + ry / (rx + ry);
  double angle = atan2(sy / ny, sx / nx), c = cos(angle), d = sin(angle), slip = hypot(sx / nx, sy / ny);
  five both = {hypot(x.df0 * nx * c, y.df0 * ny * d), hypot(x.fm * c, y.fm * d), hypot(x.sm / nx * c, y.sm / ny * d),
               hypot(x.fs * c, y.fs * d), hypot(x.ss / nx * c, y.ss / ny * d)};
  double f = book_force(both, slip, parabolas);
  *fx = f * c;
  *fy = f * d;
}

static void tmeasy_books(const vd_tmeasy_curves *cx, const vd_tmeasy_curves *cy, const char *which) {
  double worst[2] = {0.0, 0.0};
  for (int edition = 0; edition < 2; edition++) {
    const vd_tyre tyre = tmeasy(edition == 0 ? VD_TMEASY_2011 : VD_TMEASY_2020, cx, cy);
    for (int i = 0; i < 20000; i++) {
      double fx, fy;
      state s = any_state(0.0);
      s.load = uniform(200.0, 6400.0);
      vd_tyre_answer a = at(&tyre, s);
      book_forces(cx, cy, s, edition == 1, &fx, &fy);
      worst[edition] = tap_max(worst[edition], hypot(a.fx - fx, a.fy - fy));
    }
  }
  tap_near(worst[0], 0.0, 1e-8, "tmeasy 2011, %s: forces in combined slip are those of the book of 2011, N", which);
  tap_near(worst[1], 0.0, 1e-8, "tmeasy 2020, %s: forces in combined slip are those of the book of 2020, N", which);
}

/* Checks numbers by hand, at the nominal load and with a ground friction of 1/0.9, which cancels the tyre's 0.9.
 * Lateral: dF0 70 kN, s_M 0.18, F_M 3100 N, s_S 0.6, F_S 2500 N. a = 3100^2/(70e3 0.18^3) = 23540.07 N; s* = 0.18 +
 * 600/(a 0.42) = 0.2406866; at s = 0.21: 3100 - a 0.0009 = 3078.8139 N; b = a 0.0606866/0.3593134 = 3975.833 N, at s =
 * 0.4: 2500 + b 0.04 = 2659.0333 N. The cubic: u = 0.22/0.42, 3100 - 600 u^2 (3 - 2 u) = 2778.5876 N. */
static void tmeasy_hand(void) {
  const vd_tyre older = tmeasy(VD_TMEASY_2011, &along, &across), newer = tmeasy(VD_TMEASY_2020, &along, &across);
  state s = {.load = 3200.0, .friction = 1.0 / 0.9, .tan_alpha = 0.21};
  tap_near(at(&newer, s).fy, -3078.8139, 1e-4, "tmeasy 2020: the force at s = 0.21 is that of the first parabola");
  s.tan_alpha = 0.4;
  tap_near(at(&newer, s).fy, -2659.0333, 1e-3, "tmeasy 2020: the force at s = 0.4 is that of the second parabola");
  double u = 0.22 / 0.42;
  tap_near(at(&older, s).fy, -(3100.0 - 600.0 * u * u * (3.0 - 2.0 * u)), 1e-9,
           "tmeasy 2011: the force at s = 0.4 is that of the cubic");
}

/* Compares Project Chrono's Sedan in a steady turn at the limit (run_sedan_tmeasy_step10): the rear right wheel at 2.45
 * times the nominal load, where the trail -Mz/Fy is still linear in the load. Chrono adds 0.01 m/s to the speed of the
 * tread, which changes the slip by 4.5e-4 of its value and the trail by about 6e-6 m. Chrono's forces beyond the peak
 * follow the book of 2020. */
static void tmeasy_of_chrono(void) {
  static const vd_tmeasy_curves x = {{45378.659, 0.13913, 2788.7941, 0.66667, 1979.4461},
                                     {96155.111, 0.13913, 5381.9873, 0.66667, 3799.2504}},
                                y = {{39472.353, 0.14852, 2471.9306, 0.96524, 2058.7485},
                                     {63475.937, 0.18504, 4512.9959, 1.0714, 3819.9465}};
  vd_tyre_def def = {.model = VD_TYRE_TMEASY,
                     .common = {.friction = 1.0, .pneumatic_trail = 0.014961},
                     .as.tmeasy = {.edition = VD_TMEASY_CHRONO,
                                   .longitudinal = x,
                                   .lateral = y,
                                   .nominal_load = 2469.7078,
                                   .trail_zero = 0.16337,
                                   .trail_end = 0.96524,
                                   .trail_double = 0.022584,
                                   .trail_zero_double = 0.20355,
                                   .trail_end_double = 1.0714}};
  vd_tyre tyre;
  vd_tyre_complete(&def, NULL, NULL, "", NULL, NULL);
  vd_tyre_build(&def, false, &tyre);
  state s = {.kappa = -0.00205457, .tan_alpha = tan(4.2489 * VD_PI / 180.0), .load = 6039.21, .friction = 1.0};
  tap_near(at(&tyre, s).trail, 0.0174188, 1e-5,
           "tmeasy chrono: the trail at 2.45 times the nominal load is that of the run, m");
  const vd_tyre its = tmeasy(VD_TMEASY_CHRONO, &along, &across), newer = tmeasy(VD_TMEASY_2020, &along, &across);
  s = (state){.load = 3200.0, .friction = 1.0 / 0.9, .tan_alpha = 0.4};
  tap_near(at(&its, s).fy, at(&newer, s).fy, 0.0, "tmeasy chrono: forces beyond the peak follow the parabolas of 2020");
}

/* Checks that the trail of 2020 is the polynomial of fourth order with n(0) = n0, n'(0) = 0, n(s0) = 0, n(sE) = n'(sE)
 * = 0: these five conditions give (1 - s/s0)(1 - s/sE)^2 (1 + k s), for which n'(0) = 0 requires k = 1/s0 + 2/sE. */
static void tmeasy_trail(void) {
  const vd_tyre newer = tmeasy(VD_TMEASY_2020, &along, &across);
  double worst = 0.0;
  for (int i = 0; i < 5000; i++) {
    state s = {.tan_alpha = uniform(0.001, 0.7), .load = uniform(500.0, 6400.0), .friction = uniform(0.4, 1.2)};
    double u = s.load / 3200.0, mu = 0.9 * s.friction;
    double s0 = mu * book_line(0.2, 0.22, u), se = mu * book_line(0.5, 0.6, u), x = s.tan_alpha;
    double share = x < se ? (1.0 - x / s0) * pow(1.0 - x / se, 2.0) * (1.0 + x * (1.0 / s0 + 2.0 / se)) : 0.0;
    double n = sqrt(u) * book_line(0.03, 0.05 / sqrt(2.0), u) * share;
    worst = tap_max(worst, fabs(at(&newer, s).trail - n));
  }
  tap_near(worst, 0.0, 1e-12,
           "tmeasy 2020: the trail is the polynomial of its five conditions, at any load and friction, m");
  tmeasy_of_chrono();
  vd_tyre_def plain = {.model = VD_TYRE_TMEASY,
                       .common = {.friction = 1.0, .pneumatic_trail = 0.03},
                       .as.tmeasy = {.edition = VD_TMEASY_2011,
                                     .longitudinal = along,
                                     .lateral = across,
                                     .nominal_load = 3200.0,
                                     .trail_zero = 0.2,
                                     .trail_end = 0.5,
                                     .trail_double = NAN,
                                     .trail_zero_double = NAN,
                                     .trail_end_double = NAN}};
  vd_tyre tyre;
  vd_tyre_complete(&plain, NULL, NULL, "", NULL, NULL);
  vd_tyre_build(&plain, false, &tyre);
  double low = at(&tyre, (state){.tan_alpha = 0.05, .load = 1600.0, .friction = 1.0}).trail;
  double high = at(&tyre, (state){.tan_alpha = 0.05, .load = 6400.0, .friction = 1.0}).trail;
  tap_near(high / low, 2.0, 1e-12, "tmeasy: by default the trail grows with the square root of the load");
}

/* --- camber and overturning --- */

static void camber_thrust(vd_tyre tyre, const char *name) {
  const double load = 3000.0, lean = 0.04, stiffness = 0.7;
  tyre.common.camber_stiffness = stiffness;
  vd_tyre_answer a = at(&tyre, (state){0.0, 0.0, lean, load, 1.0});
  tap_near(a.fy, -stiffness * load * lean, 1e-9,
           "%s: a leaning wheel has a force C Fz camber to the side of its top, N", name);
  tap_near(a.mz, 0.0, 1e-9, "%s: the camber thrust has no trail, N m", name);
  double h = 1e-6, up = at(&tyre, (state){0.0, h, lean, load, 1.0}).fy,
         down = at(&tyre, (state){0.0, -h, lean, load, 1.0}).fy;
  tap_near((down - up) / (2.0 * h) / a.cornering_stiffness, 1.0, 1e-3,
           "%s: camber does not change the cornering stiffness", name);
  double excess = -1.0, mirror = 0.0;
  for (int i = 0; i < 5000; i++) {
    state s = any_state(0.5), m = s;
    m.tan_alpha = -s.tan_alpha;
    m.camber = -s.camber;
    vd_tyre_answer f = at(&tyre, s), g = at(&tyre, m);
    double limit_x = f.mu_peak * s.load, limit_y = limit_x;
    if (tyre.model == VD_TYRE_MF96) /* models whose longitudinal and lateral peaks differ */
      limit_y *= 0.9 / 1.2;
    if (tyre.model == VD_TYRE_TMEASY) {
      double u = s.load / 3200.0, mu = 0.9 * s.friction;
      if (u > 2.0)
        continue;
      limit_x = book_figures(&along, u, mu).fm;
      limit_y = book_figures(&across, u, mu).fm;
    }
    s.camber = 0.0; /* TMeasy's rule of combined slip has its own bound, up to 1 % beyond the ellipse */
    vd_tyre_answer upright = at(&tyre, s);
    double used = fmax(hypot(upright.fx / limit_x, upright.fy / limit_y), 1.0);
    excess = tap_max(excess, hypot(f.fx / limit_x, f.fy / limit_y) - used);
    mirror = tap_max(mirror, fabs(f.fx - g.fx) + fabs(f.fy + g.fy) + fabs(f.mz + g.mz));
  }
  tap_ok(excess <= 1e-12, "%s: with camber the force stays within the friction ellipse (%.1e)", name, excess);
  tap_ok(mirror == 0.0, "%s: with camber left and right are exact mirror images", name);
}

/* Returns the moment of a row of 20000 springs across the patch. Their stiffnesses add up to the tyre's stiffness, and
 * their forces to the load: the mean compression is found by bisection. */
static double spring_row(double width, double stiffness, double load, double camber) {
  const int n = 20000;
  double low = -1.0, high = 1.0, moment = 0.0;
  for (int k = 0; k < 60; k++) {
    double sum = 0.0, mean = 0.5 * (low + high);
    moment = 0.0;
    for (int i = 0; i < n; i++) {
      double y = width * ((i + 0.5) / n - 0.5); /* to the left */
      double f = fmax(0.0, mean - camber * y) * stiffness / n;
      sum += f;
      moment += y * f;
    }
    if (sum < load)
      low = mean;
    else
      high = mean;
  }
  return moment;
}

static void overturning(void) {
  vd_tyre tyre = linear();
  tap_ok(isnan(at(&tyre, (state){0.0, 0.1, 0.1, 3000.0, 1.0}).mx), "without a width the overturning moment is unknown");
  tyre.common.patch_width = 0.18;
  tyre.common.vertical_stiffness = 200e3;
  const double lean[] = {0.01, -0.1, 0.16, 0.3, 1.0};
  for (size_t i = 0; i < sizeof lean / sizeof *lean; i++) {
    double mx = at(&tyre, (state){0.0, 0.0, lean[i], 3000.0, 1.0}).mx, row = spring_row(0.18, 200e3, 3000.0, lean[i]);
    tap_near(mx, row, 1e-4 * fabs(row),
             "the overturning moment at a lean of %g equals that of a row of springs, %.2f N m", lean[i], row);
  }
  /* cz b^2/12 lean = 200e3 0.0324/12 0.01 = 5.4 N m, to the right */
  tap_near(at(&tyre, (state){0.0, 0.0, 0.01, 3000.0, 1.0}).mx, -5.4, 1e-12,
           "the overturning moment at a small lean is -cz b^2/12 lean");
  tyre.common.patch_width = 0.0;
  tyre.common.lateral_stiffness = 120e3;
  state s = {0.02, 0.01, 0.0, 3000.0, 1.0};
  vd_tyre_answer soft = at(&tyre, s);
  tyre.common.lateral_stiffness = NAN;
  vd_tyre_answer rigid = at(&tyre, s);
  tap_near(soft.mx, 3000.0 * soft.fy / 120e3, 1e-9, "a contact shifted by Fy: the load has the overturning arm Fy/c");
  tap_near(soft.mz - rigid.mz, -soft.fx * soft.fy / 120e3, 1e-9,
           "a contact shifted by Fy: Fx turns the wheel with the arm Fy/c");
}

static void growing_trail(void) {
  const vd_tyre tyre = mf96();
  double one = at(&tyre, (state){0.0, 0.05, 0.0, 4000.0, 1.0}).trail,
         two = at(&tyre, (state){0.0, 0.05, 0.0, 8000.0, 1.0}).trail;
  tap_near(two / one, 1.3, 1e-12, "mf96: the trail grows by trail_growth when the load doubles");
}

/* --- Fiala --- */

/* Checks pure slip by the manual of Adams/Tire. */
static void fiala_forces(void) {
  const vd_tyre tyre = fiala(1.0, 0.8);
  double worst = 0.0, moment = 0.0;
  for (int i = 0; i < 5000; i++) {
    double load = uniform(500.0, 9000.0), kappa = uniform(-1.5, 1.5), alpha = uniform(-1.2, 1.2), t = tan(alpha);
    double ux = 1.0 - 0.2 * fmin(fabs(kappa), 1.0), critical = ux * load / (2.0 * 100e3);
    double fx = fabs(kappa) < critical ? 100e3 * kappa
                                       : sign(kappa) * (ux * load - fabs(pow(ux * load, 2.0) / (4.0 * kappa * 100e3)));
    double uy = 1.0 - 0.2 * fmin(fabs(t), 1.0), h = 1.0 - 60e3 * fabs(t) / (3.0 * uy * load);
    double fy = -uy * load * sign(t) * (h > 0.0 ? 1.0 - pow(h, 3.0) : 1.0);
    double mz = h > 0.0 ? uy * load * 0.2 * (1.0 - h) * pow(h, 3.0) * sign(t) : 0.0;
    vd_tyre_answer x = at(&tyre, (state){kappa, 0.0, 0.0, load, 1.0}), y = at(&tyre, (state){0.0, t, 0.0, load, 1.0});
    worst = tap_max(worst, fabs(x.fx - fx) + fabs(y.fy - fy) + fabs(x.fy) + fabs(y.fx));
    moment = tap_max(moment, fabs(y.mz - mz));
  }
  tap_near(worst, 0.0, 1e-8, "fiala: pure forces at 5000 random slips and loads are those of the manual, N");
  tap_near(moment, 0.0, 1e-9, "fiala: aligning moments of pure side slip are those of the manual, N m");
  /* critical slip 4000/(2 1e5) = 0.02 with U = 1: at kappa = 0.04 the force is 4000 - 4000^2/(4 0.04 1e5) = 3000 N */
  const vd_tyre even = fiala(1.0, 1.0);
  tap_near(at(&even, (state){0.04, 0.0, 0.0, 4000.0, 1.0}).fx, 3000.0, 1e-9,
           "fiala: the force at twice the critical slip is 3000 N");
}

static void highest(const vd_tyre *tyre, double load, const char *name) {
  vd_tyre_answer a = at(tyre, (state){0.0, 0.0, 0.0, load, 1.0});
  double best_x = 0.0, best_y = 0.0, side = 1.0;
  double x = at(tyre, (state){a.kappa_peak, 0.0, 0.0, load, 1.0}).fx;
  if (tyre->model == VD_TYRE_BRUSH) { /* kappa_peak is the peak of a braked wheel */
    side = -1.0;
    x = at(tyre, (state){-a.kappa_peak, 0.0, 0.0, load, 1.0}).fx;
  }
  double y = -at(tyre, (state){0.0, tan(a.alpha_peak), 0.0, load, 1.0}).fy;
  for (double s = 0.0005; s < 0.99; s += 0.0005) {
    best_x = tap_max(best_x, side * at(tyre, (state){side * s, 0.0, 0.0, load, 1.0}).fx);
    best_y = tap_max(best_y, -at(tyre, (state){0.0, s, 0.0, load, 1.0}).fy);
  }
  tap_ok(side * x >= best_x * (1.0 - 1e-12) && side * x <= best_x * (1.0 + 1e-4),
         "%s: Fx is highest at kappa_peak %.4f", name, a.kappa_peak);
  tap_ok(y >= best_y * (1.0 - 1e-12) && y <= best_y * (1.0 + 1e-4), "%s: Fy is highest at alpha_peak %.4f rad", name,
         a.alpha_peak);
}

/* --- brush --- */

/* Adds up the forces of bristles along the patch from the leading edge: c_p times the deflection, but at most friction
 * times the parabolic pressure 3 Fz/(4 a) (1 - (x/a)^2). */
static void bristles(state s, double *fx, double *fy, double *mz) {
  const int n = 200000;
  double a = 0.064 * sqrt(s.load / 4000.0), mu = 1.1 * s.friction;
  double sx = s.kappa / fabs(1.0 + s.kappa), sy = -s.tan_alpha / fabs(1.0 + s.kappa), slip = hypot(sx, sy);
  double sum = 0.0, moment = 0.0;
  for (int i = 0; i < n; i++) {
    double x = a - 2.0 * a * (i + 0.5) / n;
    double stuck = 4.8828125e6 * slip * (a - x), most = mu * 3.0 * s.load / (4.0 * a) * (1.0 - x * x / (a * a));
    double f = fmin(stuck, most) * 2.0 * a / n;
    sum += f;
    moment += x * f;
  }
  *fx = sum * sx / slip;
  *fy = sum * sy / slip;
  *mz = moment * sy / slip;
}

static void brush_forces(void) {
  const vd_tyre tyre = brush();
  double worst = 0.0, moment = 0.0;
  for (int i = 0; i < 40; i++) {
    double fx, fy, mz;
    state s = {uniform(-0.4, 0.4), tan(uniform(-0.4, 0.4)), 0.0, uniform(500.0, 8000.0), uniform(0.5, 1.2)};
    vd_tyre_answer a = at(&tyre, s);
    bristles(s, &fx, &fy, &mz);
    worst = tap_max(worst, hypot(a.fx - fx, a.fy - fy) / s.load);
    moment = tap_max(moment, fabs(a.mz - mz) / s.load);
  }
  tap_near(worst, 0.0, 1e-8,
           "brush: the force in combined slip is the sum of the bristles' forces, divided by the load");
  tap_near(moment, 0.0, 1e-9, "brush: the aligning moment is the sum of the bristles' moments, divided by the load, m");
  /* C = 2 c_p a^2 = 2 4.8828125e6 0.064^2 = 40000 N; slides from tan(alpha) = 3 1.1 4000/40000 = 0.33 */
  vd_tyre_answer a = at(&tyre, (state){0.0, 0.0, 0.0, 4000.0, 1.0});
  tap_near(a.cornering_stiffness, 40e3, 1e-6, "brush: the stiffness is 2 c_p a^2");
  tap_near(tan(a.alpha_peak), 0.33, 1e-12, "brush: the whole patch slides from tan(alpha) = 3 mu Fz/C on");
  tap_near(at(&tyre, (state){0.0, 0.165, 0.0, 4000.0, 1.0}).fy, -0.875 * 4400.0, 1e-9,
           "brush: the force is 7/8 of the friction force if half of the patch slides");
  tap_near(at(&tyre, (state){0.0, 1e-7, 0.0, 4000.0, 1.0}).trail, 0.128 / 6.0, 1e-7,
           "brush: the trail at zero slip is a sixth of the patch");
}

/* --- Magic Formula of 1989 and 1994 --- */

static double curve(double b, double c, double d, double e, double x) {
  e = tap_min(e, 1.0);
  return d * sin(c * atan(b * x - e * (b * x - atan(b * x))));
}

/* Computes forces by the form of 1989. Coefficients have the indices of the paper; alpha and camber g are in degrees,
 * kappa in percent, f in kN. */
static void form_89(double kappa, double alpha, double g, double f, double *fx, double *fy, double *mz) {
  const double *a = a89, *b = b89, *c = c89;
  double d = a[1] * f * f + a[2] * f, bcd = a[3] * sin(2.0 * atan(f / a[4])) * (1.0 - a[5] * fabs(g));
  double x = alpha + a[8] * g + a[9] * f + a[10];
  *fy = curve(bcd / (a[0] * d), a[0], d, a[6] * f + a[7], x) + a[11] * f * g + a[12] * f + a[13];
  d = b[1] * f * f + b[2] * f;
  bcd = (b[3] * f * f + b[4] * f) * exp(-b[5] * f);
  *fx = curve(bcd / (b[0] * d), b[0], d, b[6] * f * f + b[7] * f + b[8], kappa + b[9] * f + b[10]);
  d = c[1] * f * f + c[2] * f;
  bcd = (c[3] * f * f + c[4] * f) * (1.0 - c[6] * fabs(g)) * exp(-c[5] * f);
  x = alpha + c[11] * g + c[12] * f + c[13];
  *mz = curve(bcd / (c[0] * d), c[0], d, (c[7] * f * f + c[8] * f + c[9]) * (1.0 - c[10] * fabs(g)), x) +
        (c[14] * f * f + c[15] * f) * g + c[16] * f + c[17];
}

static void form_94(double kappa, double alpha, double g, double f, double *fx, double *fy, double *mz) {
  const double *a = a94, *b = b94, *c = c94;
  double d = (a[1] * f * f + a[2] * f) * (1.0 - a[15] * g * g);
  double bcd = a[3] * sin(2.0 * atan(f / a[4])) * (1.0 - a[5] * fabs(g)), x = alpha + a[8] * f + a[9] + a[10] * g;
  *fy = curve(bcd / (a[0] * d), a[0], d, (a[6] * f + a[7]) * (1.0 - (a[16] * g + a[17]) * sign(x)), x) + a[11] * f +
        a[12] + (a[13] * f * f + a[14] * f) * g;
  d = b[1] * f * f + b[2] * f;
  bcd = (b[3] * f * f + b[4] * f) * exp(-b[5] * f);
  x = kappa + b[9] * f + b[10];
  *fx =
      curve(bcd / (b[0] * d), b[0], d, ((b[6] * f + b[7]) * f + b[8]) * (1.0 - b[13] * sign(x)), x) + b[11] * f + b[12];
  d = (c[1] * f * f + c[2] * f) * (1.0 - c[18] * g * g);
  bcd = (c[3] * f * f + c[4] * f) * (1.0 - c[6] * fabs(g)) * exp(-c[5] * f);
  x = alpha + c[11] * f + c[12] + c[13] * g;
  *mz = curve(bcd / (c[0] * d), c[0], d,
              (c[7] * f * f + c[8] * f + c[9]) * (1.0 - (c[19] * g + c[20]) * sign(x)) / (1.0 - c[10] * fabs(g)), x) +
        c[14] * f + c[15] + (c[16] * f * f + c[17] * f) * g;
}

/* Compares forces in pure slip, with the other slip at the origin of its curve. */
static void pac_forces(const vd_tyre *tyre, const char *name) {
  const bool older = tyre->model == VD_TYRE_PAC89;
  double worst_x = 0.0, worst_y = 0.0, worst_z = 0.0;
  for (int i = 0; i < 5000; i++) {
    double f = uniform(0.5, 9.0), g = uniform(-8.0, 8.0), kappa = uniform(-40.0, 40.0), alpha = uniform(-25.0, 25.0);
    double fx, fy, mz, unused;
    double free_x = older ? -(b89[9] * f + b89[10]) : -(b94[9] * f + b94[10]);
    double free_y = older ? -(a89[8] * g + a89[9] * f + a89[10]) : -(a94[8] * f + a94[9] + a94[10] * g);
    (older ? form_89 : form_94)(kappa, free_y, g, f, &fx, &unused, &unused);
    (older ? form_89 : form_94)(free_x, alpha, g, f, &unused, &fy, &mz);
    vd_tyre_answer x = at(tyre, (state){0.01 * kappa, tan(free_y * degree), g * degree, 1000.0 * f, 1.0});
    vd_tyre_answer y = at(tyre, (state){0.01 * free_x, tan(alpha * degree), g * degree, 1000.0 * f, 1.0});
    worst_x = tap_max(worst_x, fabs(x.fx - fx));
    worst_y = tap_max(worst_y, fabs(y.fy + fy)); /* in the papers Fy is positive to the right */
    worst_z = tap_max(worst_z, fabs(y.mz + mz)); /* in the papers the axis of Mz points down */
  }
  tap_near(worst_x, 0.0, 1e-7, "%s: Fx at 5000 random slips, loads and cambers is that of the paper, N", name);
  tap_near(worst_y, 0.0, 1e-7, "%s: the side force is that of the paper, N", name);
  tap_near(worst_z, 0.0, 1e-7, "%s: the aligning moment is that of the paper, N m", name);
}

/* Checks the same tyre with the opposite sign of its slip angle: every odd function of the angle changes the sign of
 * its slope. */
static void pac_other_sign(void) {
  double a[18], c[21], worst = 0.0;
  for (int i = 0; i < 18; i++)
    a[i] = i == 3 || (i >= 8 && i <= 10) || i == 16 || i == 17 ? -a94[i] : a94[i];
  for (int i = 0; i < 21; i++)
    c[i] = i == 3 || i == 4 || (i >= 11 && i <= 13) || i == 19 || i == 20 ? -c94[i] : c94[i];
  const vd_tyre one = pac(VD_TYRE_PAC94, a94, b94, c94), other = pac(VD_TYRE_PAC94, a, b94, c);
  for (int i = 0; i < 1000; i++) {
    state s = any_state(0.1);
    vd_tyre_answer f = at(&one, s), g = at(&other, s);
    worst = tap_max(worst, fabs(f.fx - g.fx) + fabs(f.fy - g.fy) + fabs(f.mz - g.mz));
  }
  tap_near(worst, 0.0, 1e-8, "pac94: data with the opposite sign of the slip angle give the same tyre");
}

/* Checks that two saturated forces of equal friction have the ratio of their slips. Also checks the ellipse by hand: at
 * the peaks of both pure curves, of forces X and Y at slips p and q, Fx/X = 1/sqrt(1 + (X q/(p Y))^2). */
static void pac_ellipse(void) {
  const vd_tyre tyre = even_pac();
  vd_tyre_answer free = at(&tyre, (state){0.0, 0.0, 0.0, 4000.0, 1.0});
  double p = free.kappa_peak, q = tan(free.alpha_peak), top_x = -21.3 * 16.0 + 1144.0 * 4.0,
         top_y = -22.1 * 16.0 + 1011.0 * 4.0;
  vd_tyre_answer both = at(&tyre, (state){p, q, 0.0, 4000.0, 1.0});
  tap_near(both.fx / top_x, 1.0 / sqrt(1.0 + pow(top_x * q / (p * top_y), 2.0)), 1e-9,
           "pac89: Fx at both peaks is that of the friction ellipse");
  tap_near(hypot(both.fx / top_x, both.fy / top_y), 1.0, 1e-9,
           "pac89: at both peaks the force is on the friction ellipse");
  tap_near(both.fy / both.fx, -q / p, 1e-9, "pac89: two saturated forces have the ratio of their slips");
}

/* --- all --- */

/* Checks slopes and limits. `turns`: the force of a sliding tyre is opposite to its velocity; in TMeasy it has the
 * direction of the normalised slips instead. */
static void slopes_and_limits(const vd_tyre *tyre, bool turns, const char *name) {
  const double h = 1e-6;
  double slope = 0.0, excess = -1.0, mirror = 0.0, direction = 0.0, power = -1e9, jump = 0.0;
  for (double load = 500.0; load < 9000.0; load += 850.0) {
    vd_tyre_answer zero = at(tyre, (state){0.0, 0.0, 0.0, load, 1.0});
    double x = at(tyre, (state){h, 0.0, 0.0, load, 1.0}).fx / h, y = -at(tyre, (state){0.0, h, 0.0, load, 1.0}).fy / h;
    slope = tap_max(slope, fabs(x / zero.slip_stiffness - 1.0) + fabs(y / zero.cornering_stiffness - 1.0));
  }
  for (int i = 0; i < 10000; i++) {
    state s = any_state(0.0), m = s, n = s;
    m.tan_alpha = -s.tan_alpha;
    n.kappa += 1e-9;
    n.tan_alpha += 1e-9;
    vd_tyre_answer f = at(tyre, s), g = at(tyre, m), near = at(tyre, n);
    excess = tap_max(excess, hypot(f.fx, f.fy) / (f.mu_peak * s.load) - 1.0);
    mirror = tap_max(mirror, fabs(f.fx - g.fx) + fabs(f.fy + g.fy) + fabs(f.mz + g.mz));
    power = tap_max(power, -(f.fx * s.kappa - f.fy * s.tan_alpha) / s.load); /* power of the slip: never positive */
    jump = tap_max(jump, hypot(near.fx - f.fx, near.fy - f.fy) / s.load);
    s.kappa = -1.0; /* locked: the force opposes its velocity (1, tan alpha) */
    f = at(tyre, s);
    direction = tap_max(direction, fabs(-f.fx * s.tan_alpha + f.fy) / hypot(1.0, s.tan_alpha) / hypot(f.fx, f.fy));
  }
  tap_near(slope, 0.0, 1e-3, "%s: the slopes at zero slip are its stiffnesses, at every load", name);
  tap_ok(excess <= 1e-12, "%s: the force stays within the friction of its peak (%.1e)", name, excess);
  tap_ok(mirror == 0.0, "%s: left and right are exact mirror images", name);
  tap_ok(power <= 0.0, "%s: slip dissipates at every combination (%.1e)", name, power);
  tap_near(jump, 0.0, 1e-6, "%s: a slip of 1e-9 does not make the force jump, as a share of the load", name);
  if (turns)
    tap_near(direction, 0.0, 1e-9, "%s: the force on a locked wheel is opposite to its velocity", name);
  vd_tyre_answer none = at(tyre, (state){0.3, -0.4, 0.0, 0.0, 1.0});
  tap_ok(none.fx == 0.0 && none.fy == 0.0 && none.mz == 0.0, "%s: without load there is no force", name);
}

static vd_tyre_answer moving(const vd_tyre *tyre, state s, double vx) {
  vd_tyre_answer a;
  const vd_tyre_question q = {.kappa = s.kappa,
                              .tan_alpha = s.tan_alpha,
                              .vx = vx,
                              .camber = s.camber,
                              .ground_friction = s.friction,
                              .load = s.load,
                              .radius = 0.3};
  vd_tyre_ask(tyre, &q, &a);
  return a;
}

/* Checks that a wheel that rolls backwards equals a wheel that rolls forwards, rotated by half a turn about z. The
 * rotation reverses x and y, and so both slips, the lean, Fx, Fy and My, but not quantities about z. This holds for
 * tyres whose curves have no shifts. A wheel that moves backwards and is locked, with a tread speed of zero, has kappa
 * = 1. */
static void backwards(const vd_tyre *tyre, bool turns, const char *name) {
  double turned = 0.0, power = 0.0, direction = 0.0;
  bool opposed = true, restoring = true;
  for (int i = 0; i < 4000; i++) {
    state s = any_state(0.2);
    const state r = {-s.kappa, -s.tan_alpha, -s.camber, s.load, s.friction};
    vd_tyre_answer a = moving(tyre, s, 15.0), b = moving(tyre, r, -15.0);
    double d = fabs(a.fx + b.fx) + fabs(a.fy + b.fy) + fabs(a.mz - b.mz) / 0.3 + fabs(a.my + b.my) / 0.3;
    turned = tap_max(turned, d / s.load);
    s.camber = 0.0;
    b = moving(tyre, s, -15.0);
    double gained = (b.fy * s.tan_alpha - b.fx * s.kappa) / s.load; /* divided by |Vx| */
    power = tap_max(power, gained);
    opposed = opposed && !(b.fy * s.tan_alpha > 0.0) && !(b.fx * s.kappa < 0.0);
    vd_tyre_answer small = moving(tyre, (state){0.0, 0.01 * sign(s.tan_alpha), 0.0, s.load, s.friction}, -15.0);
    restoring = restoring && !(small.mz * small.fy < 0.0) && small.my >= 0.0;
    s.kappa = 1.0;
    b = moving(tyre, s, -15.0);
    double force = hypot(b.fx, b.fy), off = fabs(b.fx * s.tan_alpha + b.fy) / (force * hypot(1.0, s.tan_alpha));
    direction = tap_max(direction, off);
  }
  tap_ok(turned <= 1e-12,
         "%s: rolling backwards is rolling forwards, rotated by half a turn about z (%.1e of the load)", name, turned);
  tap_ok(power <= 0.0 && opposed, "%s: backwards, slip dissipates, and forces oppose it (%.1e)", name, power);
  vd_tyre_answer usual = moving(tyre, (state){0.0, 0.01, 0.0, 4000.0, 1.0}, -15.0);
  tap_ok(restoring && usual.fy < 0.0 && usual.mz < 0.0,
         "%s: backwards, the moment has the opposite sign, and rolling is resisted", name);
  if (turns) /* as in slopes_and_limits */
    tap_near(direction, 0.0, 1e-9, "%s: the force on a wheel locked backwards is opposite to its velocity", name);
}

int main(void) {
  srand(1);
  const vd_tmeasy_curves flat = {{30e3, 0.11, 3300, 0.5, 3150}, {56e3, 0.12, 6300, 0.6, 5900}};
  const vd_tmeasy_curves abrupt = {{70e3, 0.18, 3100, 0.2, 1000}, {100e3, 0.20, 5500, 0.23, 1900}};
  const vd_tyre t11 = tmeasy(VD_TMEASY_2011, &along, &across), t20 = tmeasy(VD_TMEASY_2020, &along, &across);
  const vd_tyre f = fiala(1.0, 0.8), even = fiala(1.0, 1.0), b = brush(), p = even_pac(), m = mf96(), l = linear();
  const vd_tyre p89 = pac(VD_TYRE_PAC89, a89, b89, c89), p94 = pac(VD_TYRE_PAC94, a94, b94, c94);
  tap_plan(6 + 3 + 2 + 5 * 6 + 9 + 1 + 3 + 2 + 2 + 2 + 6 + 3 + 3 + 1 + 3 + 3 * 7 + 6 + 7 * 4);
  tmeasy_books(&along, &across, "usual curves");
  tmeasy_books(&flat, &across, "a slope that bends upwards");
  tmeasy_books(&along, &abrupt, "an abrupt fall");
  tmeasy_hand();
  tmeasy_trail();
  camber_thrust(l, "linear");
  camber_thrust(m, "mf96");
  camber_thrust(t11, "tmeasy 2011");
  camber_thrust(t20, "tmeasy 2020");
  camber_thrust(even, "fiala");
  camber_thrust(b, "brush");
  overturning();
  growing_trail();
  fiala_forces();
  highest(&f, 4000.0, "fiala");
  highest(&b, 4000.0, "brush");
  highest(&p, 4000.0, "pac89");
  brush_forces();
  pac_forces(&p89, "pac89");
  pac_forces(&p94, "pac94");
  pac_other_sign();
  pac_ellipse();
  slopes_and_limits(&f, true, "fiala");
  slopes_and_limits(&b, true, "brush");
  slopes_and_limits(&p, true, "pac89");
  slopes_and_limits(&t20, false, "tmeasy 2020");
  backwards(&l, true, "linear");
  backwards(&m, true, "mf96");
  backwards(&t11, false, "tmeasy 2011");
  backwards(&t20, false, "tmeasy 2020");
  backwards(&f, true, "fiala");
  backwards(&b, true, "brush");
  backwards(&p, true, "pac89");
  return tap_done();
}
