/* Random inputs: noise with a flat spectrum in a band.
 *
 * M. Shinozuka and G. Deodatis, "Simulation of stochastic processes by spectral representation", Applied Mechanics
 * Reviews 44(4), 1991: a sum of cosines with random phases, one for each spectral line of the band; the lines are 1/T
 * apart and have equal energy,
 *
 *   y = rms sqrt(2/N) sum over k of cos(2 pi k t/T + phi_k),   f_from <= k/T <= f_to,  N lines.
 *
 * Its mean is 0 and its mean square rms^2 in every realisation, over the period T; its values are normal by the central
 * limit theorem, with peaks of 3 to 4 rms.
 *
 * Evaluating N cosines at every instant would take longer than the model of the car. Therefore a fast Fourier transform
 * sums them once, at n samples of the period, and a run evaluates the quintic spline through the samples. A piece of
 * the spline has six numbers; value and rate take a dozen multiplications, however large N is. The B-spline
 * coefficients c obey (c[j-2] + 26 c[j-1] + 66 c[j] + 26 c[j+1] + c[j+2])/120 = y[j]. For a wave with the angle a = 2
 * pi k/n per sample, c is y divided by (16 + 13 cos a + cos^2 a)/30. Four derivatives are continuous, so that
 * Runge-Kutta keeps its order across the pieces. For a wave of n samples the error of the spline is 2/n^6 (de Boor, A
 * Practical Guide to Splines, XII). */
#include "math/noise.h"
#include "course/profile_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/schema.h"

#include <math.h>

static const vd_field random_fields[] = {
    VD_PROFILE_START(random, VD_PROFILE_RANDOM),
    VD_PROFILE_FREQUENCY(random, VD_PROFILE_RANDOM),
    VD_PROFILE_END_FREQUENCY(random, VD_PROFILE_RANDOM),
    VD_PROFILE_NUMBER(random.rms, VD_PROFILE_RANDOM, "rms", "@", 0, 1e12, VD_AUTO, NULL,
                      "root mean square about `from`, over a period; auto: found by a rule of the scenario's "
                      "key `auto`"),
    {VD_F_INTEGER(vd_profile_def, profile.as.random.seed, "seed", 0, 2147483647, "1", "seed of the random phases"),
     .only = VD_WHEN(VD_PROFILE_RANDOM)},
    VD_PROFILE_NUMBER(random.fade, VD_PROFILE_RANDOM, "fade", "s", 0, 1e6, 0, "1",
                      "time from the start in which the noise grows to its root mean square; 0: at once"),
    VD_PROFILE_NUMBER(random.period, VD_PROFILE_RANDOM, "period", "s", 0, 1e6, VD_ABOVE, "1000",
                      "time after which the noise repeats; its inverse is the distance of the spectral lines"),
};

const vd_schema vd_profile_random_rows = {.field = random_fields, .count = VD_COUNT(random_fields)};

static const double max_waves = 4e4; /* waves in a period: 24 MiB */
/* least number of samples in the shortest wave: the error is 7e-7 of its amplitude */
static const double samples_per_wave = 12.0;
enum { NUMBERS = 6 }; /* numbers of a piece */

/* Returns the number of the first line. A line at the end of the band is included even if rounding makes the product of
 * its frequency and the period differ from a whole number. */
static double first_line(const vd_profile_random *p) {
  return vd_max(ceil(p->frequency * p->period - 1e-9), 1.0);
}

static double last_line(const vd_profile_random *p) {
  return floor(p->end_frequency * p->period + 1e-9);
}

static bool has_usable_band(const vd_profile_random *p) {
  return p->end_frequency * p->period <= max_waves && first_line(p) <= last_line(p);
}

/* Sets all lines of the band. Random phases are also drawn for lines below the band, so that the phase of a line does
 * not depend on the lower end of the band. */
static void add_lines(const vd_profile_random *p, vd_phasor *x, size_t n, const vd_phasor *w) {
  uint64_t state = (uint64_t)p->seed;
  size_t first = (size_t)first_line(p), last = (size_t)last_line(p);
  double size = 0.5 * sqrt(2.0 / (double)(last - first + 1));
  for (size_t k = 1; k <= last; k++) {
    vd_phasor phase = vd_noise_direction(&state);
    double cosine = w[k].re, weight = size * 30.0 / (16.0 + cosine * (13.0 + cosine));
    if (k < first)
      continue;
    x[k] = (vd_phasor){weight * phase.re, weight * phase.im};
    x[n - k] = (vd_phasor){x[k].re, -x[k].im};
  }
}

/* Computes the coefficients of the polynomial between two samples, from the six B-splines that are not zero there. */
static void quintic(const double *c, double *out) {
  out[0] = (c[0] + 26.0 * c[1] + 66.0 * c[2] + 26.0 * c[3] + c[4]) / 120.0;
  out[1] = (-c[0] - 10.0 * c[1] + 10.0 * c[3] + c[4]) / 24.0;
  out[2] = (c[0] + 2.0 * c[1] - 6.0 * c[2] + 2.0 * c[3] + c[4]) / 12.0;
  out[3] = (-c[0] + 2.0 * c[1] - 2.0 * c[3] + c[4]) / 12.0;
  out[4] = (c[0] - 4.0 * c[1] + 6.0 * c[2] - 4.0 * c[3] + c[4]) / 24.0;
  out[5] = (-c[0] + 5.0 * c[1] - 10.0 * c[2] + 10.0 * c[3] - 5.0 * c[4] + c[5]) / 120.0;
}

void vd_profile_random_build(vd_profile_random *p, vd_arena *arena) {
  p->piece = NULL;
  p->pieces = p->highest = 0.0;
  if (!has_usable_band(p))
    return;
  size_t n = 8;
  while ((double)n < samples_per_wave * last_line(p))
    n *= 2;
  vd_arena *scratch = vd_arena_create();
  const vd_phasor *w = vd_noise_roots(n, scratch);
  vd_phasor *x = vd_arena_alloc(scratch, n * sizeof *x);
  /* one more piece, for a time that is rounded up to the end of the period */
  double *piece = vd_arena_alloc(arena, (n + 1) * NUMBERS * sizeof *piece);
  add_lines(p, x, n, w);
  vd_noise_transform(x, n, w);
  for (size_t i = 0; i <= n; i++) {
    double c[NUMBERS];
    for (size_t j = 0; j < NUMBERS; j++)
      c[j] = x[(i + n + j - 2) % n].re;
    quintic(c, piece + NUMBERS * i);
    p->highest = vd_max(p->highest, fabs(c[2])); /* the values of a spline lie between its coefficients */
  }
  vd_arena_destroy(scratch);
  p->piece = piece;
  p->pieces = (double)n;
}

void vd_profile_random_check(vd_profile_random *p, const char *key, const vd_node *root, vd_arena *arena, vd_diag *d) {
  vd_profile_random_build(p, arena);
  if (!(p->frequency <= p->end_frequency))
    vd_error(d, vd_tree_place_in(root, key, "end_frequency"),
             "the highest frequency (%g Hz) must not be below the lowest (%g Hz)", p->end_frequency, p->frequency);
  else if (!(p->end_frequency * p->period <= max_waves))
    vd_error(d, vd_tree_place_in(root, key, "period"),
             "the period (%g s) has %g waves of the highest frequency; at most %g are possible", p->period,
             p->end_frequency * p->period, max_waves);
  else if (!has_usable_band(p))
    vd_error(d, vd_tree_place_in(root, key, "period"),
             "there is no spectral line from %g Hz to %g Hz: the lines are %g Hz apart, the inverse of the period",
             p->frequency, p->end_frequency, 1.0 / p->period);
}

/* Computes the noise and its rate at the time s since its start. */
static void noise_at(const vd_profile_random *p, double s, double *value, double *rate) {
  double turn = s / p->period, place = (turn - floor(turn)) * p->pieces;
  long i = (long)place;
  double u = place - (double)i;
  const double *c = p->piece + NUMBERS * i;
  double slope = c[1] + u * (2.0 * c[2] + u * (3.0 * c[3] + u * (4.0 * c[4] + u * (5.0 * c[5]))));
  *value = p->rms * (c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5])))));
  *rate = p->rms * slope * (p->pieces / p->period);
}

void vd_profile_random_at(const vd_profile_random *p, double inside, double t, double *value, double *rate) {
  double noise, slope;
  *value = p->from;
  if (inside <= p->start)
    return;
  noise_at(p, t - p->start, &noise, &slope);
  if (inside < p->start + p->fade) {
    double f = (t - p->start) / p->fade; /* 6 f^5 - 15 f^4 + 10 f^3: continuous curvature at both ends */
    slope = f * f * (f * (f * (6.0 * f - 15.0) + 10.0) * slope + 30.0 * (1.0 - f) * (1.0 - f) / p->fade * noise);
    noise *= f * f * f * (f * (6.0 * f - 15.0) + 10.0);
  }
  *value += noise;
  *rate = slope;
}

double vd_profile_random_corner(const vd_profile_random *p, double t) {
  return vd_profile_corner_after(t, (const double[]){p->start, p->fade > 0.0 ? p->start + p->fade : INFINITY}, 2);
}
