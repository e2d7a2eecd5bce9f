/* Inputs over time: values from their definitions, rates compared with difference quotients, corners.
 *
 * Expected numbers are derived by hand from the definitions; nothing is taken from the code under test. */
#include "base/base.h"
#include "course/profile.h"
#include "math/spectrum.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static double value_at(const vd_profile *p, double t) {
  double value, rate;
  vd_profile_at(p, t, t, &value, &rate);
  return value;
}

/* Checks that the rate is the derivative within every piece, up to both of its ends. */
static void check_rate(const vd_profile *p, const char *name, double until) {
  double worst = 0.0, h = 1e-6;
  for (double from = 0.0; from < until;) {
    double to = fmin(vd_profile_next_corner(p, from), until), inside = 0.5 * (from + to);
    for (int i = 0; i <= 20; i++) {
      double t = from + (to - from) * i / 20.0, before, after, value, rate, unused;
      vd_profile_at(p, inside, t - h, &before, &unused);
      vd_profile_at(p, inside, t + h, &after, &unused);
      vd_profile_at(p, inside, t, &value, &rate);
      worst = tap_max(worst, fabs((after - before) / (2.0 * h) - rate));
    }
    from = to;
  }
  tap_near(worst, 0.0, 1e-6, "%s: the rate is the derivative in every piece", name);
}

/* Checks that corners come in order and are where the definition puts them. */
static void check_corners(const vd_profile *p, const char *name, int count, const double *expected) {
  double t = -1.0;
  bool ok = true;
  for (int i = 0; i < count; i++) {
    t = vd_profile_next_corner(p, t);
    ok &= t == expected[i];
  }
  ok &= vd_profile_next_corner(p, t) == INFINITY;
  tap_ok(ok, "%s: %d corners are where they belong", name, count);
}

static void take_worst(double *worst, double value) {
  *worst = tap_max(*worst, fabs(value));
}

static double rate_at(const vd_profile *p, double t) {
  double value, rate;
  vd_profile_at(p, t, t, &value, &rate);
  return rate;
}

/* True if value, rate or curvature jumps between t - h and t + h. In a smooth piece with |y'''| <= third,
 *   |y(t + h) - y(t - h) - 2 h y'(t)| <= third h^3/3   and   |y'(t + h) - 2 y'(t) + y'(t - h)| <= third h^2
 * where the second expression is h times the difference of the means of y'' over two intervals that lie h apart. A jump
 * J of the curvature at t + e adds J (h - |e|) to this expression. */
static bool jumps(const vd_profile *p, double t, double h, double third) {
  double value[3], rate[3];
  for (int i = 0; i < 3; i++)
    vd_profile_at(p, t + (i - 1) * h, t + (i - 1) * h, &value[i], &rate[i]);
  return fabs(value[2] - value[0] - 2.0 * h * rate[1]) > third * h * h * h / 3.0 + 1e-13 ||
         fabs(rate[2] - 2.0 * rate[1] + rate[0]) > third * h * h + 1e-11;
}

/* Checks that value, rate or curvature jumps at corners and nowhere else; `idle' corners may be smooth. The windows t
 * +- h overlap, so that no jump is missed; a window that contains a corner is not used for other places. */
static void check_jumps(const vd_profile *p, const char *name, double until, double third, int idle) {
  const double h = 1e-4;
  int missing = 0, quiet = 0;
  for (long k = 1; (double)k * h < until; k++) {
    double t = (double)k * h;
    missing += vd_profile_next_corner(p, t - 1.01 * h) > t + 1.01 * h && jumps(p, t, h, third);
  }
  for (double t = vd_profile_next_corner(p, 0.0); t < until; t = vd_profile_next_corner(p, t))
    quiet += !jumps(p, t - 0.3 * h, h, third);
  tap_ok(missing == 0 && quiet == idle,
         "%s: value, rate or curvature jumps at the corners (%d without a jump) and nowhere else (%d)", name, quiet,
         missing);
}

/* Returns the integral of the value minus the value at time 0, by Simpson's rule in each piece. */
static double area(const vd_profile *p, double until) {
  const int n = 400;
  double sum = 0.0;
  for (double from = 0.0; from < until;) {
    double to = fmin(vd_profile_next_corner(p, from), until), inside = 0.5 * (from + to), h = (to - from) / n;
    for (int i = 0; i <= n; i++) {
      double value, rate;
      vd_profile_at(p, inside, from + i * h, &value, &rate);
      sum += h / 3.0 * (i == 0 || i == n ? 1.0 : i % 2 ? 4.0 : 2.0) * (value - value_at(p, 0.0));
    }
    from = to;
  }
  return sum;
}

/* Checks a dwell of 0.5 s at 0.7 Hz, as in FMVSS 126, about 0.2 and from 1 s on. T = 1/0.7 s. */
static void check_dwell(void) {
  const double T = 1.0 / 0.7, A = 0.3, w = 2.0 * VD_PI / T;
  const vd_profile p = {.type = VD_PROFILE_DWELL,
                        .as.dwell = {.from = 0.2, .amplitude = A, .frequency = 0.7, .start = 1.0, .dwell = 0.5}};
  const double held = 1.0 + 0.75 * T, go = held + 0.5, end = 1.0 + T + 0.5;
  double value, rate, low, high;

  check_rate(&p, "sine with dwell", 4.0);
  check_jumps(&p, "sine with dwell", 4.0, A * w * w * w, 0);
  double first = vd_profile_next_corner(&p, 0.0), second = vd_profile_next_corner(&p, first);
  double third = vd_profile_next_corner(&p, second), fourth = vd_profile_next_corner(&p, third);
  tap_ok(first == 1.0 && vd_profile_next_corner(&p, fourth) == INFINITY, "sine with dwell: there are four corners");
  tap_near(second, held, 1e-15, "sine with dwell: the dwell begins at 3/4 of the period");
  tap_near(third - second, 0.5, 1e-15, "sine with dwell: the dwell has the given duration");
  tap_near(fourth - first, T + 0.5, 1e-15, "sine with dwell: the manoeuvre lasts 1/f + dwell");

  tap_ok(value_at(&p, 0.5) == 0.2 && value_at(&p, 1.0) == 0.2 && value_at(&p, end + 1e-9) == 0.2,
         "sine with dwell: the value is `from` before and after");
  tap_near(value_at(&p, 1.0 + T / 8.0), 0.2 + A * sqrt(0.5), 1e-15,
           "sine with dwell: the value after 1/8 period is `from` + A sqrt(1/2)");
  tap_near(value_at(&p, 1.0 + T / 4.0), 0.2 + A, 1e-15, "sine with dwell: the first peak is `from` + A");
  tap_near(value_at(&p, 1.0 + T / 2.0), 0.2, 1e-15, "sine with dwell: the value is `from` at half the period");
  tap_near(rate_at(&p, 1.0 + T / 2.0), -A * w, 1e-14, "sine with dwell: the value falls fastest at half the period");
  tap_ok(value_at(&p, held + 0.1) == 0.2 - A && value_at(&p, go - 0.1) == 0.2 - A,
         "sine with dwell: the peak is kept in the dwell");
  tap_ok(rate_at(&p, held + 0.1) == 0.0, "sine with dwell: the rate is 0 in the dwell");
  vd_profile_at(&p, held - 0.1, held, &value, &rate);
  tap_near(fabs(value - (0.2 - A)) + fabs(rate), 0.0, 1e-14,
           "sine with dwell: the rate is 0 at the start of the dwell");
  tap_near(value_at(&p, go + T / 8.0), 0.2 - A * sqrt(0.5), 1e-14,
           "sine with dwell: the value is `from` - A sqrt(1/2) in the middle of the last quarter");
  tap_near(rate_at(&p, go + T / 8.0), A * w * sqrt(0.5), 1e-14,
           "sine with dwell: the rate is A w sqrt(1/2) in the middle of the last quarter");
  vd_profile_at(&p, end - 0.1, end, &value, &rate);
  tap_near(value, 0.2, 1e-14, "sine with dwell: the value returns to `from`");
  tap_near(rate, A * w, 1e-13, "sine with dwell: the rate at the end equals the rate at the start");

  /* three quarters of a sine enclose A T/(2 pi), the held peak -A dwell, the last quarter -A T/(2 pi) */
  tap_near(area(&p, 4.0), -A * 0.5, 1e-9, "sine with dwell: the area is the area of the dwell");
  vd_profile_range(&p, &low, &high);
  tap_ok(low == 0.2 - A && high == 0.2 + A, "sine with dwell: the range is +- the amplitude");

  const vd_profile sine = {.type = VD_PROFILE_SINE,
                           .as.sine = {.from = 0.2, .amplitude = A, .frequency = 0.7, .start = 1.0, .cycles = 1}};
  vd_profile none = p;
  none.as.dwell.dwell = 0.0;
  double worst = 0.0;
  for (int i = 0; i < 300; i++)
    worst = tap_max(worst, fabs(value_at(&none, i / 100.0) - value_at(&sine, i / 100.0)));
  tap_near(worst, 0.0, 1e-14, "a dwell of 0 s leaves one sine");
  check_jumps(&none, "a dwell of 0 s", 4.0, A * w * w * w, 1);
}

/* Checks pulses of height 0.4 over 0.1, from 1 s on, 1.2 s wide. */
static void check_pulses(void) {
  const double A = 0.4, T = 1.2;
  vd_profile p = {.type = VD_PROFILE_PULSE, .as.pulse = {.from = 0.1, .amplitude = A, .start = 1.0, .duration = T}};
  double low, high;

  p.as.pulse.shape = VD_PULSE_TRIANGLE;
  check_rate(&p, "triangle", 4.0);
  check_jumps(&p, "triangle", 4.0, 0.0, 0);
  check_corners(&p, "triangle", 3, (const double[]){1.0, 1.0 + 0.6, 1.0 + 1.2});
  tap_near(area(&p, 4.0), A * T / 2.0, 1e-14, "triangle: the area is A T/2");
  tap_near(value_at(&p, 1.15), 0.2, 1e-15, "triangle: the value is A/4 after T/8");
  tap_near(value_at(&p, 1.6), 0.5, 1e-15, "triangle: the value is A at the peak");
  tap_near(value_at(&p, 2.05), 0.2, 1e-15, "triangle: the value is A/4 at T/8 before the end");
  tap_near(rate_at(&p, 1.15), A / 0.6, 1e-15, "triangle: the value rises by A in T/2");
  tap_near(rate_at(&p, 2.05), -A / 0.6, 1e-15, "triangle: the value falls by A in T/2");
  tap_ok(value_at(&p, 0.9) == 0.1 && value_at(&p, 2.3) == 0.1, "triangle: the value is `from` outside");

  p.as.pulse.shape = VD_PULSE_HALF_SINE;
  check_rate(&p, "half sine", 4.0);
  check_jumps(&p, "half sine", 4.0, A * pow(VD_PI / T, 3.0), 0);
  check_corners(&p, "half sine", 2, (const double[]){1.0, 1.0 + 1.2});
  tap_near(area(&p, 4.0), 2.0 * A * T / VD_PI, 1e-10, "half sine: the area is 2 A T/pi");
  tap_near(value_at(&p, 1.2), 0.1 + A / 2.0, 1e-15, "half sine: the value is A/2 after T/6");
  tap_near(rate_at(&p, 1.2), A * VD_PI / T * sqrt(0.75), 1e-15,
           "half sine: the rate is sqrt(3/4) of its maximum after T/6");

  p.as.pulse.shape = VD_PULSE_RECTANGLE;
  check_rate(&p, "rectangle", 4.0);
  check_jumps(&p, "rectangle", 4.0, 0.0, 0);
  check_corners(&p, "rectangle", 2, (const double[]){1.0, 1.0 + 1.2});
  tap_near(area(&p, 4.0), A * T, 1e-14, "rectangle: the area is A T");
  tap_ok(value_at(&p, 0.99) == 0.1 && value_at(&p, 1.01) == 0.5 && value_at(&p, 2.19) == 0.5 &&
             value_at(&p, 2.21) == 0.1,
         "rectangle: the value jumps up and down");

  vd_profile_range(&p, &low, &high);
  tap_ok(low == 0.1 && high == 0.1 + A, "the range of a pulse contains `from` and the peak");
  p.as.pulse.amplitude = -A;
  vd_profile_range(&p, &low, &high);
  tap_ok(low == 0.1 - A && high == 0.1, "the range of a pulse downwards contains `from` and the peak");
  p.as.pulse.shape = VD_PULSE_TRIANGLE;
  tap_near(value_at(&p, 2.05), 0.0, 1e-15, "a triangle downwards has the value -A/4 at T/8 before the end");
  check_rate(&p, "triangle downwards", 4.0);
}

static vd_profile table_of(const double *xy, size_t count, int interpolation) {
  return (vd_profile){.type = VD_PROFILE_TABLE, .as.table = {{xy, count}, interpolation}};
}

/* Returns the worst deviation of the slopes at the points of a smooth table, from the side before and from the side
 * after. */
static double slopes_off(const vd_profile *p, const double *expected) {
  const vd_points *points = &p->as.table.points;
  double worst = 0.0;
  for (size_t i = 0; i < points->count; i++) {
    double t = points->xy[2 * i], value, rate;
    for (int side = -1; side <= 1; side += 2) {
      if ((i == 0 && side < 0) || (i + 1 == points->count && side > 0))
        continue;
      vd_profile_at(p, t + side * 1e-3, t, &value, &rate);
      worst = tap_max(worst, fabs(rate - expected[i]));
      worst = tap_max(worst, value == points->xy[2 * i + 1] ? 0.0 : 1.0); /* to the last bit */
    }
  }
  return worst;
}

/* Checks slopes and values of smooth tables that are known. */
static void check_steffen(void) {
  /* y = t^2 at uneven times: the limiter does not act, as |2 t|/2 is below every secant 3, 6, 9, so the parabola is
   * reproduced */
  const double square[] = {1.0, 1.0, 2.0, 4.0, 4.0, 16.0, 5.0, 25.0};
  vd_profile p = table_of(square, 4, VD_INTERPOLATE_SMOOTH);
  tap_near(slopes_off(&p, (const double[]){2.0, 4.0, 8.0, 10.0}), 0.0, 1e-14,
           "smooth: slopes at points of a parabola are exact");
  double worst = 0.0;
  for (int i = 0; i <= 400; i++) {
    double t = 1.0 + i / 100.0;
    if (t < 5.0)
      worst = tap_max(worst, fabs(value_at(&p, t) - t * t) + fabs(rate_at(&p, t) - 2.0 * t));
  }
  tap_near(worst, 0.0, 1e-13, "smooth: a parabola is reproduced between its points");

  const double straight[] = {0.0, 1.0, 0.5, 0.5, 2.0, -1.0, 2.25, -1.25};
  p = table_of(straight, 4, VD_INTERPOLATE_SMOOTH);
  worst = 0.0;
  for (int i = 0; i < 225; i++)
    worst = tap_max(worst, fabs(value_at(&p, i / 100.0) - (1.0 - i / 100.0)) + fabs(rate_at(&p, i / 100.0) + 1.0));
  tap_near(worst, 0.0, 1e-14, "smooth: a straight line is reproduced");

  /* level, up, level: all slopes are 0, so the rise is 3 u^2 - 2 u^3 = 3/16 - 1/32 at u = 1/4 */
  const double stair[] = {0.0, 0.0, 1.0, 0.0, 2.0, 1.0, 3.0, 1.0};
  p = table_of(stair, 4, VD_INTERPOLATE_SMOOTH);
  tap_near(slopes_off(&p, (const double[]){0.0, 0.0, 0.0, 0.0}), 0.0, 0.0, "smooth: a stair is level at its points");
  tap_near(value_at(&p, 1.25), 0.15625, 1e-15, "smooth: a stair is cubic between its points");
  tap_ok(value_at(&p, 0.7) == 0.0 && value_at(&p, 2.3) == 1.0, "smooth: level data stay level");

  /* secants 0.1, 1.9. At 1 the parabola's slope is (0.1 + 1.9)/2 = 1, limited to 2 x 0.1. At 0 it is 0.1 - 0.9 < 0,
   * limited to 0. At 2 it is 1.9 + 0.9 = 2.8, below the limit 2 x 1.9. */
  const double bend[] = {0.0, 0.0, 1.0, 0.1, 2.0, 2.0};
  p = table_of(bend, 3, VD_INTERPOLATE_SMOOTH);
  tap_near(slopes_off(&p, (const double[]){0.0, 0.2, 2.8}), 0.0, 1e-14, "smooth: the slopes of a bend are limited");

  /* secants 1, -6: the top is level; at 0 the parabola's slope is 1 + 3.5 = 4.5, limited to 2 x 1; at 2 it is -6 - 3.5
   * = -9.5 */
  const double top[] = {0.0, 0.0, 1.0, 1.0, 2.0, -5.0};
  p = table_of(top, 3, VD_INTERPOLATE_SMOOTH);
  tap_near(slopes_off(&p, (const double[]){2.0, 0.0, -9.5}), 0.0, 1e-14, "smooth: the slopes of a peak are limited");
}

/* Checks smooth tables of any data: they pass the points, have one slope from both sides, stay between neighbours, and
 * are monotone between them. */
static void check_smooth_laws(void) {
  enum { N = 60 };
  double xy[2 * N];
  unsigned seed = 12345;
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525u + 1013904223u;
    double a = (seed >> 8) / 16777216.0;
    seed = seed * 1664525u + 1013904223u;
    double b = (seed >> 8) / 16777216.0;
    xy[2 * i] = (i > 0 ? xy[2 * i - 2] : 0.0) + 0.01 + a * a;
    xy[2 * i + 1] = i % 7 == 3 ? xy[2 * i - 1] : b * b * b - 0.3; /* some level pieces */
  }
  const vd_profile p = table_of(xy, N, VD_INTERPOLATE_SMOOTH);
  double kink = 0.0;
  bool meets = true, monotone = true, within = true;
  for (size_t i = 1; i < N; i++) {
    double t0 = xy[2 * i - 2], y0 = xy[2 * i - 1], t1 = xy[2 * i], y1 = xy[2 * i + 1], inside = 0.5 * (t0 + t1);
    double value, rate, before = y0, after, next;
    vd_profile_at(&p, inside, t1, &value, &rate);
    vd_profile_at(&p, t1 + 1e-6, t1, &next, &after);
    meets &= value == y1 && next == y1;
    if (i + 1 < N)
      kink = tap_max(kink, fabs(rate - after));
    for (int k = 0; k <= 1000; k++) {
      vd_profile_at(&p, inside, t0 + (t1 - t0) * k / 1000.0, &value, &rate);
      monotone &= rate * (y1 - y0) >= -1e-12 && (value - before) * (y1 - y0) >= -1e-16;
      within &= value >= fmin(y0, y1) && value <= fmax(y0, y1);
      before = value;
    }
  }
  tap_ok(meets, "smooth: the curve passes through every point from both sides to the last bit");
  tap_near(kink, 0.0, 1e-12, "smooth: the slope is continuous at every point");
  tap_ok(monotone, "smooth: the curve is monotone between two points");
  tap_ok(within, "smooth: the curve stays within the values of its two points");
}

static void check_tables(void) {
  const double xy[] = {1.0, 0.5, 2.0, 1.5, 2.5, 1.0, 3.5, 1.2};
  const vd_profile hold = table_of(xy, 4, VD_INTERPOLATE_HOLD), linear = table_of(xy, 4, VD_INTERPOLATE_LINEAR);
  const vd_profile smooth = table_of(xy, 4, VD_INTERPOLATE_SMOOTH), two = table_of(xy, 2, VD_INTERPOLATE_SMOOTH);
  const double points[] = {1.0, 2.0, 2.5, 3.5};

  tap_ok(value_at(&hold, 0.0) == 0.5 && value_at(&hold, 1.0) == 0.5 && value_at(&hold, 1.99) == 0.5 &&
             value_at(&hold, 2.0) == 1.5 && value_at(&hold, 2.4) == 1.5 && value_at(&hold, 3.0) == 1.0 &&
             value_at(&hold, 9.0) == 1.2,
         "hold: the value is that of the last point");
  double value, rate;
  vd_profile_at(&hold, 1.5, 2.0, &value, &rate);
  tap_ok(value == 0.5 && rate == 0.0, "hold: at a corner the given side selects the piece");
  check_rate(&hold, "hold", 5.0);
  check_rate(&smooth, "smooth", 5.0);
  check_corners(&hold, "hold", 4, points);
  check_corners(&smooth, "smooth", 4, points);
  check_jumps(&hold, "hold", 5.0, 0.0, 1); /* the first point's value also holds before this point */
  check_jumps(&linear, "linear", 5.0, 0.0, 0);
  /* third derivative 6 (d_a + d_b - 2 s)/h^2; |d_a + d_b - 2 s| <= 2 |s| = 2, h >= 0.5 */
  check_jumps(&smooth, "smooth", 5.0, 48.0, 0);
  tap_ok(value_at(&two, 1.25) == 0.75 && rate_at(&two, 1.25) == 1.0, "smooth: two points give a line");

  bool constant = true;
  for (int mode = VD_INTERPOLATE_HOLD; mode <= VD_INTERPOLATE_SMOOTH; mode++) {
    const vd_profile one = table_of(xy, 1, mode);
    for (int i = 0; i <= 4; i++)
      constant &= value_at(&one, 0.5 * i) == 0.5 && rate_at(&one, 0.5 * i) == 0.0;
    constant &= vd_profile_next_corner(&one, 0.0) == 1.0 && vd_profile_next_corner(&one, 1.0) == INFINITY;
  }
  tap_ok(constant, "one point is a constant in every mode");
}

/* --- noise ---
 *
 * The noise is sampled over whole periods, between the generator's own samples. There is no leakage, so that each line
 * of the spectrum is one cosine. */

enum { SAMPLES = 8192 };
static const double band_from = 0.2, band_to = 3.0, long_period = 100.0;

static vd_profile noise_of(double from, double to, double fade, int seed, vd_arena *arena) {
  vd_profile p = {.type = VD_PROFILE_RANDOM,
                  .as.random = {.from = 0.2,
                                .start = 1.0,
                                .frequency = from,
                                .end_frequency = to,
                                .rms = 0.3,
                                .fade = fade,
                                .period = long_period,
                                .seed = seed}};
  vd_profile_random_build(&p.as.random, arena);
  return p;
}

/* Samples the period that begins when the fade ends. */
static void sample(const vd_profile *p, double *y) {
  const vd_profile_random *r = &p->as.random;
  for (int i = 0; i < SAMPLES; i++)
    y[i] = value_at(p, r->start + r->fade + 0.00371 + r->period * i / SAMPLES) - r->from;
}

/* Returns the FNV-1a hash of the samples. */
static uint64_t hash_of(const double *y) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (int i = 0; i < SAMPLES; i++) {
    uint64_t bits;
    memcpy(&bits, &y[i], sizeof bits);
    for (int k = 0; k < 8; k++)
      hash = (hash ^ (bits >> 8 * k & 0xff)) * 0x100000001b3u;
  }
  return hash;
}

static void check_spectrum(const double *y) {
  vd_spectrum s;
  double mean = 0.0, square = 0.0, fourth = 0.0, inside = 0.0, outside = 0.0;
  for (int i = 0; i < SAMPLES; i++) {
    mean += y[i] / SAMPLES;
    square += y[i] * y[i] / SAMPLES;
    fourth += y[i] * y[i] * y[i] * y[i] / SAMPLES;
  }
  tap_near(mean, 0.0, 1e-9, "noise: the mean of a period is 0 (%.1e)", mean);
  tap_near(sqrt(square), 0.3, 1e-7, "noise: its r.m.s. is the given one (%.1e)", sqrt(square) - 0.3);
  /* 3 for a normal law, 3 (1 - 1/(2 N)) for N cosines; a sample of 200 independent values deviates by sqrt(24/200) */
  tap_near(fourth / (square * square), 3.0, 3.0 * sqrt(24.0 / 200.0),
           "noise: the fourth moment is that of the normal law (%.2f)", fourth / (square * square));
  vd_spectrum_make(y, y, SAMPLES, SAMPLES / long_period, SAMPLES, VD_WINDOW_NONE, &s);
  const size_t first = 20, last = 300; /* 0.2 and 3 Hz, both counted */
  const double level = 0.3 * 0.3 / (0.01 * (double)(last - first + 1));
  for (size_t k = 1; k < s.lines; k++) {
    if (k >= first && k <= last)
      take_worst(&inside, s.input[k] / level - 1.0);
    else
      outside += s.input[k] * s.spacing;
  }
  vd_spectrum_finish(&s);
  tap_near(inside, 0.0, 2e-6, "noise: every line of the band has the same energy (%.1e)", inside);
  tap_near(sqrt(outside) / 0.3, 0.0, 1e-6, "noise: the spectrum outside the band is zero (%.1e)", sqrt(outside) / 0.3);
}

/* Checks that lines common to two bands, here those of the narrower band, have equal phases. */
static void check_phases(const double *narrow, vd_arena *arena) {
  vd_profile wide = noise_of(0.1, 4.5, 0.0, 1, arena);
  double *y = calloc(SAMPLES, sizeof *y), worst = 0.0;
  vd_spectrum s;
  sample(&wide, y);
  vd_spectrum_make(narrow, y, SAMPLES, SAMPLES / long_period, SAMPLES, VD_WINDOW_NONE, &s);
  for (size_t k = 20; k <= 300; k++)
    take_worst(&worst, vd_spectrum_transfer(&s, k).phase);
  vd_spectrum_finish(&s);
  free(y);
  tap_near(worst, 0.0, 1e-5, "noise: lines in another band have the same phases (%.1e rad)", worst);
}

static void check_noise(void) {
  vd_arena *arena = vd_arena_create();
  const vd_profile p = noise_of(band_from, band_to, 0.0, 1, arena), faded = noise_of(band_from, band_to, 2.0, 1, arena);
  const vd_profile other = noise_of(band_from, band_to, 0.0, 2, arena);
  double *y = calloc(SAMPLES, sizeof *y), *z = calloc(SAMPLES, sizeof *z);
  double low, high, most = 0.0, repeats = 0.0, product = 0.0;
  sample(&p, y);
  tap_ok(hash_of(y) == 0xc3936a1ee1d57abdu, "noise: seed 1 has these bytes (%016llx)", (unsigned long long)hash_of(y));
  check_spectrum(y);
  check_phases(y, arena);
  for (int i = 0; i < SAMPLES; i++) {
    double t = 1.01 + 0.03 * i;
    take_worst(&most, y[i]);
    take_worst(&repeats, value_at(&p, t + 100.0) - value_at(&p, t));
  }
  vd_profile_range(&p, &low, &high);
  tap_ok(fabs(low + high - 0.4) < 1e-15 && high - 0.2 >= most && high - 0.2 < 1.05 * most,
         "noise: the range contains all values and is close to them (%.6f, %.6f)", high - 0.2, most);
  tap_near(repeats, 0.0, 1e-12, "noise: the values repeat after the period (%.1e)", repeats);
  sample(&other, z);
  for (int i = 0; i < SAMPLES; i++)
    product += y[i] * z[i] / SAMPLES / 0.09;
  /* the mean of 281 products of two cosines with independent phases has a standard deviation of 1/sqrt(2 x 281) */
  tap_near(product, 0.0, 4.0 / sqrt(562.0), "noise: another seed gives other noise (correlation %.3f)", product);

  tap_ok(value_at(&faded, 1.0) == 0.2 && value_at(&faded, 0.3) == 0.2, "noise: the value is `from` before the start");
  /* the quintic is 1/2 in the middle of the fade, and 53/512 after a quarter */
  tap_near(value_at(&faded, 2.0) - 0.2, 0.5 * (value_at(&p, 2.0) - 0.2), 1e-15,
           "noise: in the middle of the fade the amplitude is half");
  tap_near(value_at(&faded, 1.5) - 0.2, 53.0 / 512.0 * (value_at(&p, 1.5) - 0.2), 1e-15,
           "noise: after a quarter of the fade the amplitude is that of the quintic");
  tap_ok(value_at(&faded, 3.5) == value_at(&p, 3.5), "noise: after the fade the amplitude is whole");
  check_rate(&p, "noise", 30.0);
  check_rate(&faded, "fading noise", 30.0);
  check_corners(&p, "noise", 1, (const double[]){1.0});
  check_corners(&faded, "fading noise", 2, (const double[]){1.0, 3.0});
  /* |y'''| <= w^3 x the range; during the fade there are three more terms, each smaller */
  const double w = 2.0 * VD_PI * band_to;
  check_jumps(&p, "noise", 12.0, w * w * w * (high - 0.2), 0);
  check_jumps(&faded, "fading noise", 12.0, 4.0 * w * w * w * (high - 0.2), 2);
  free(y);
  free(z);
  vd_arena_destroy(arena);
}

int main(void) {
  const double xy[] = {1.0, 0.5, 2.0, 1.5, 2.5, 1.0};
  const vd_profile constant = {.type = VD_PROFILE_CONSTANT, .as.constant.value = 0.3};
  const vd_profile jump = {.type = VD_PROFILE_STEP, .as.step = {.from = 0.1, .value = 0.4, .start = 1.0}};
  const vd_profile step = {.type = VD_PROFILE_STEP, .as.step = {.from = 0.1, .value = 0.4, .start = 1.0, .rise = 0.2}};
  const vd_profile ramp = {.type = VD_PROFILE_RAMP,
                           .as.ramp = {.from = 0.1, .rate = 0.5, .start = 1.0, .duration = 2.0}};
  const vd_profile sine = {.type = VD_PROFILE_SINE,
                           .as.sine = {.from = 0.2, .amplitude = 0.3, .frequency = 0.5, .start = 1.0, .cycles = 1}};
  const vd_profile chirp = {
      .type = VD_PROFILE_CHIRP,
      .as.chirp = {.amplitude = 0.3, .frequency = 0.5, .end_frequency = 4.0, .start = 1.0, .duration = 5.0}};
  vd_profile octave = chirp, flat = chirp;
  const vd_profile table = table_of(xy, 3, VD_INTERPOLATE_LINEAR);
  octave.as.chirp.logarithmic = flat.as.chirp.logarithmic = true;
  flat.as.chirp.end_frequency = flat.as.chirp.frequency;

  tap_plan(8 + 7 + 12 + 76 + 20);
  check_rate(&constant, "constant", 5.0);
  check_rate(&step, "step", 5.0);
  check_rate(&ramp, "ramp", 5.0);
  check_rate(&sine, "sine", 5.0);
  check_rate(&chirp, "linear chirp", 8.0);
  check_rate(&octave, "logarithmic chirp", 8.0);
  check_rate(&flat, "logarithmic chirp of one frequency", 8.0);
  check_rate(&table, "table", 5.0);

  check_corners(&constant, "constant", 0, NULL);
  check_corners(&jump, "step at once", 1, (const double[]){1.0});
  check_corners(&step, "step", 2, (const double[]){1.0, 1.0 + 0.2});
  check_corners(&ramp, "ramp", 2, (const double[]){1.0, 3.0});
  check_corners(&sine, "one sine", 2, (const double[]){1.0, 3.0});
  check_corners(&chirp, "chirp", 2, (const double[]){1.0, 6.0});
  check_corners(&table, "table", 3, (const double[]){1.0, 2.0, 2.5});

  double value, rate, low, high;
  vd_profile_at(&jump, 0.9, 1.0, &value, &rate);
  tap_near(value, 0.1, 0.0, "a step at once has the old value on the side before");
  vd_profile_at(&jump, 1.1, 1.0, &value, &rate);
  tap_near(value, 0.4, 0.0, "a step at once has the new value on the side after");
  tap_near(value_at(&step, 1.1), 0.25, 1e-15, "a rising step has half its height after half its rise");
  tap_near(value_at(&ramp, 9.0), 1.1, 1e-15, "a ramp keeps its final value");
  tap_near(value_at(&sine, 1.5), 0.5, 1e-15, "a sine has its peak after a quarter period");
  tap_near(value_at(&sine, 9.0), 0.2, 0.0, "a sine ends after its cycles");
  /* after 2.5 s the frequency is 2.25 Hz or, logarithmic, sqrt(0.5 x 4) = 1.414 Hz; the phase is 2 pi times its
   * integral */
  tap_near(value_at(&chirp, 3.5), 0.3 * sin(2.0 * VD_PI * (0.5 * 2.5 + 0.7 * 2.5 * 2.5 / 2.0)), 1e-12,
           "linear chirp: the phase is the integral of the frequency after half its duration");
  tap_near(value_at(&octave, 3.5), 0.3 * sin(2.0 * VD_PI * (sqrt(2.0) - 0.5) * 5.0 / log(8.0)), 1e-12,
           "logarithmic chirp: the phase is the integral of the frequency after half its duration");
  tap_near(value_at(&table, 1.25), 0.75, 1e-15, "a table is linear between its points");
  tap_ok(value_at(&table, 0.0) == 0.5 && value_at(&table, 3.0) == 1.0, "a table is constant outside its points");
  vd_profile_range(&table, &low, &high);
  tap_ok(low == 0.5 && high == 1.5, "the range of a table is that of its values");
  vd_profile_range(&sine, &low, &high);
  tap_ok(low == 0.2 - 0.3 && high == 0.2 + 0.3, "the range of a sine is +- its amplitude about `from`");

  check_jumps(&jump, "step at once", 5.0, 0.0, 0);
  check_jumps(&step, "step", 5.0, 0.0, 0);
  check_jumps(&ramp, "ramp", 5.0, 0.0, 0);
  check_jumps(&sine, "one sine", 5.0, 0.3 * pow(VD_PI, 3.0), 0);
  /* y''' of A sin(phase), phase' = w <= 2 pi 4: A (w^3 + 3 w w' + w''), w' = 2 pi 0.7 or w ln 8/5, w'' = w'^2/w */
  const double w = 8.0 * VD_PI;
  check_jumps(&chirp, "linear chirp", 8.0, 0.3 * (w * w * w + 3.0 * w * 2.0 * VD_PI * 0.7), 0);
  check_jumps(&octave, "logarithmic chirp", 8.0, 0.3 * w * (w * w + 1.3 * w + 0.2), 0);
  check_dwell();
  check_pulses();
  check_steffen();
  check_smooth_laws();
  check_tables();
  check_noise();
  return tap_done();
}
