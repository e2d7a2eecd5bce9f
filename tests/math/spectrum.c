/* Spectra and weightings compared with closed forms.
 *
 * Random error of an estimate from n_d independent records (Bendat and Piersol, Random Data, ch. 9): the relative error
 * of |H1| is sqrt((1 - g2)/(2 g2 n_d)), and the error of its phase is equal, in rad. The error of a density is
 * 1/sqrt(n_d), of the coherence sqrt(2) (1 - g2)/(sqrt(g2) sqrt(n_d)), g2 the squared coherence. K Hann segments that
 * overlap by half count as n_d = K/(1 + 2/36 (K - 1)/K) records (Welch 1967: the correlation of neighbours is the
 * squared correlation of their windows, 1/6). Bounds are five such errors: in 1 of 3000 series of Gaussian noise one of
 * about 500 lines exceeds them. The seeds are fixed. */
#include "math/spectrum.h"
#include "base/base.h"
#include "tap.h"
#include "math/weighting.h"

#include <complex.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TESTS = 100, COUNT = 1 << 17, SEGMENT = 1000, LAG = 7 };

static const double rate = 100.0; /* Hz */
static const double errors = 5.0;

static double x[COUNT], y[COUNT], clean[COUNT];

static void noise(double *out, double sigma, unsigned long seed) {
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, seed);
  for (size_t i = 0; i < COUNT; i++)
    out[i] = gsl_ran_gaussian(rng, sigma);
  gsl_rng_free(rng);
}

/* Computes the coefficients of y[i] = a1 y[i-1] + a2 y[i-2] + b x[i]: poles of 5 Hz and damping ratio 0.1, gain 1 at
 * rest. */
static void coefficients(double a[2], double *b) {
  double w = 2.0 * VD_PI * 5.0 / rate, r = exp(-0.1 * w);
  a[0] = 2.0 * r * cos(w * sqrt(0.99));
  a[1] = -r * r;
  *b = 1.0 - a[0] - a[1];
}

static void filter(const double *in, double *out) {
  double a[2], b;
  coefficients(a, &b);
  for (size_t i = 0; i < COUNT; i++)
    out[i] = b * in[i] + (i > 0 ? a[0] * out[i - 1] : 0.0) + (i > 1 ? a[1] * out[i - 2] : 0.0);
}

static double complex exact(double f) {
  double a[2], b;
  coefficients(a, &b);
  double complex z = cexp(-I * 2.0 * VD_PI * f / rate);
  return b / (1.0 - a[0] * z - a[1] * z * z);
}

static double records(const vd_spectrum *s) {
  double k = (double)s->segments;
  return k / (1.0 + 2.0 / 36.0 * (k - 1.0) / k);
}

static double wrapped(double angle) {
  return remainder(angle, 2.0 * VD_PI);
}

/* ---- densities ---- */

static double sum_of(const double *density, const vd_spectrum *s) {
  double sum = 0.0;
  for (size_t k = 0; k < s->lines; k++)
    sum += density[k] * s->spacing;
  return sum;
}

static void test_densities(void) {
  vd_spectrum s;
  noise(x, 3.0, 1);
  for (size_t i = 0; i < COUNT; i++)
    y[i] = x[i] + 10.0;
  /* Parseval: one segment, no window */
  double mean = 0.0, square = 0.0;
  for (size_t i = 0; i < COUNT; i++)
    mean += x[i] / COUNT;
  for (size_t i = 0; i < COUNT; i++)
    square += (x[i] - mean) * (x[i] - mean) / COUNT;
  tap_ok(vd_spectrum_make(x, y, COUNT, rate, COUNT, VD_WINDOW_NONE, &s) && s.segments == 1,
         "all samples are one segment");
  tap_near(sum_of(s.input, &s) / square, 1.0, 1e-12, "Parseval: the density's sum is the mean square about the mean");
  tap_near(sum_of(s.output, &s) / square, 1.0, 1e-9, "an offset does not change the density");
  tap_near((double)s.lines, COUNT / 2 + 1.0, 0.0, "the lines reach from 0 to half the rate");
  tap_near(s.spacing * (double)(s.lines - 1), 0.5 * rate, 1e-9,
           "the last line of an even number of samples is at half the rate");
  vd_spectrum_finish(&s);
  tap_ok(vd_spectrum_make(x, y, 999, rate, 999, VD_WINDOW_NONE, &s), "an odd number of samples has a spectrum");
  mean = square = 0.0;
  for (size_t i = 0; i < 999; i++)
    mean += x[i] / 999;
  for (size_t i = 0; i < 999; i++)
    square += (x[i] - mean) * (x[i] - mean) / 999;
  tap_near(sum_of(s.input, &s) / square, 1.0, 1e-12,
           "Parseval: the density's sum is also the mean square for an odd number of samples");
  vd_spectrum_finish(&s);

  /* white noise is 2 sigma^2/rate everywhere; the first line loses power with the mean */
  vd_spectrum_make(x, x, COUNT, rate, SEGMENT, VD_WINDOW_HANN, &s);
  double worst = 0.0, average = 0.0;
  for (size_t k = 2; k + 2 < s.lines; k++) {
    worst = tap_max(worst, fabs(s.input[k] / (2.0 * 9.0 / rate) - 1.0) * sqrt(records(&s)));
    average += s.input[k] / (2.0 * 9.0 / rate) / (double)(s.lines - 4);
  }
  tap_ok(s.segments == 2 * (COUNT / SEGMENT) - 1 + (COUNT % SEGMENT >= SEGMENT / 2),
         "segments of half overlap: there are %zu", s.segments);
  tap_near(worst, 0.0, errors, "white noise: the density is 2 sigma^2/rate, in random errors");
  tap_near(average, 1.0, errors / sqrt(COUNT / 2.0), "white noise: the mean density over all lines is 2 sigma^2/rate");
  vd_spectrum_finish(&s);

  /* A sine: half the amplitude squared, on a line or between two. */
  for (int between = 0; between < 2; between++) {
    double f = 7.0 + 0.05 * between, peak = 0.0;
    size_t at = 0;
    for (size_t i = 0; i < COUNT; i++)
      x[i] = 2.0 * sin(2.0 * VD_PI * f * (double)i / rate + 0.3);
    vd_spectrum_make(x, x, COUNT, rate, SEGMENT, VD_WINDOW_HANN, &s);
    double power = sum_of(s.input, &s);
    for (size_t k = 0; k < s.lines; k++)
      if (s.input[k] > peak) {
        peak = s.input[k];
        at = k;
      }
    /* the mean square in a Hann window of whole periods is exact; otherwise the window's ends cause an error of
     * 1/(periods in the segment)^3 */
    tap_near(power, 2.0, between ? 1e-4 : 1e-5, "a sine of amplitude 2 %s has the power 2",
             between ? "between two lines" : "on a line");
    tap_near((double)at * s.spacing, f, 0.051, "the peak of a sine is at its frequency");
    vd_spectrum_finish(&s);
  }
  tap_ok(!vd_spectrum_make(x, x, 999, rate, SEGMENT, VD_WINDOW_HANN, &s),
         "there is no spectrum of fewer samples than a segment");
  tap_ok(!vd_spectrum_make(x, x, 999, rate, 1, VD_WINDOW_HANN, &s), "there is no spectrum of segments of one sample");
}

/* ---- responses ---- */

/* Compares gain, phase and coherence with the exact response, in units of the random error at the coherence g2(f). */
static void compare(const vd_spectrum *s, double noise_density, const char *what) {
  double gain = 0.0, phase = 0.0, coherence = 0.0;
  for (size_t k = 2; k + 2 < s->lines; k++) {
    double f = (double)k * s->spacing;
    double complex h = exact(f);
    vd_transfer got = vd_spectrum_transfer(s, k);
    double signal = pow(cabs(h), 2.0) * 2.0 / rate, g2 = signal / (signal + noise_density);
    double error = sqrt((1.0 - g2) / (2.0 * g2 * records(s)));
    if (g2 < 0.1)
      continue; /* the formulas of the errors hold for large g2 n_d */
    gain = tap_max(gain, fabs(got.gain / cabs(h) - 1.0) / error);
    phase = tap_max(phase, fabs(wrapped(got.phase - carg(h))) / error);
    /* the estimate of small coherences has a bias of 1/n_d */
    coherence = tap_max(coherence, (fabs(got.coherence - g2) - 1.0 / records(s)) /
                                       (sqrt(2.0 / records(s)) * (1.0 - g2) * sqrt(g2)));
  }
  tap_near(gain, 0.0, errors, "%s: |H1| is exact within its random errors", what);
  tap_near(phase, 0.0, errors, "%s: the phase is exact within its random errors", what);
  tap_near(coherence, 0.0, errors, "%s: the coherence is g2 = S/(S + N) within its random errors", what);
}

static void test_noisy(void) {
  vd_spectrum s;
  noise(x, 1.0, 2);
  noise(y, 0.7, 3);
  filter(x, clean);
  for (size_t i = 0; i < COUNT; i++)
    y[i] += clean[i];
  /* the resonance is 1 Hz wide and the lines are 0.1 Hz apart: the width of the window lowers the peak by 1 % */
  vd_spectrum_make(x, y, COUNT, rate, SEGMENT, VD_WINDOW_HANN, &s);
  compare(&s, 2.0 * 0.49 / rate, "noise in the output");
  vd_spectrum_finish(&s);
}

static void test_clean(void) {
  vd_spectrum s;
  noise(x, 1.0, 4);
  filter(x, y);
  vd_spectrum_make(x, y, COUNT, rate, 10 * SEGMENT, VD_WINDOW_HANN, &s);
  double gain = 0.0, phase = 0.0, coherence = 0.0;
  for (size_t k = 2; k + 2 < s.lines; k++) {
    double complex h = exact((double)k * s.spacing);
    vd_transfer got = vd_spectrum_transfer(&s, k);
    gain = tap_max(gain, fabs(got.gain / cabs(h) - 1.0));
    phase = tap_max(phase, fabs(wrapped(got.phase - carg(h))));
    coherence = tap_max(coherence, 1.0 - got.coherence);
  }
  /* the response of the filter decays in 1/(0.1 * 5 Hz * 2 pi) = 0.32 s: (4/3) (pi 0.32/100)^2 = 1.3e-4 of the power
   * comes from outside of the window; with 25 records the random error is sqrt(1.3e-4/50) = 1.6e-3, and five such
   * errors are 0.8 % */
  tap_near(gain, 0.0, 1e-2, "a linear system without noise: |H1| is exact to 1 %%");
  tap_near(phase, 0.0, 1e-2, "a linear system without noise: the phase is exact to 0.6 deg");
  tap_near(coherence, 0.0, 2e-3, "a linear system without noise: the coherence is 1");
  vd_spectrum_finish(&s);

  /* periodic input, one whole period after the transient has gone: exact */
  enum { PERIOD = 3000 };
  noise(x, 1.0, 5);
  for (size_t i = PERIOD; i < COUNT; i++)
    x[i] = x[i - PERIOD];
  filter(x, y);
  size_t from = 4 * PERIOD;
  gain = phase = coherence = 0.0;
  vd_spectrum_make(x + from, y + from, PERIOD, rate, PERIOD, VD_WINDOW_NONE, &s);
  for (size_t k = 1; k < s.lines; k++) {
    double complex h = exact((double)k * s.spacing);
    vd_transfer got = vd_spectrum_transfer(&s, k);
    gain = tap_max(gain, fabs(got.gain / cabs(h) - 1.0));
    phase = tap_max(phase, fabs(wrapped(got.phase - carg(h))));
    coherence = tap_max(coherence, isnan(got.coherence) ? 0.0 : 1.0);
  }
  tap_near(gain, 0.0, 1e-9, "a whole period: |H| is exact");
  tap_near(phase, 0.0, 1e-9, "a whole period: the phase is exact");
  tap_near(coherence, 0.0, 0.0, "one segment has no coherence");
  vd_spectrum_finish(&s);
  vd_spectrum_make(x + from, y + from, 5 * PERIOD, rate, PERIOD, VD_WINDOW_NONE, &s);
  for (size_t k = 1; k < s.lines; k++)
    coherence = tap_max(coherence, fabs(vd_spectrum_transfer(&s, k).coherence - 1.0));
  tap_ok(s.segments == 5, "segments without a window do not overlap");
  tap_near(coherence, 0.0, 1e-12, "five periods have the coherence 1");
  vd_spectrum_finish(&s);

  /* a pulse from rest to rest: one record is the whole response */
  memset(x, 0, sizeof x);
  for (size_t i = 100; i < 120; i++)
    x[i] = 1.0;
  filter(x, y);
  gain = 0.0;
  vd_spectrum_make(x, y, 6000, rate, 6000, VD_WINDOW_NONE, &s);
  for (size_t k = 1; k < s.lines; k++) {
    vd_transfer got = vd_spectrum_transfer(&s, k);
    if (!isnan(got.gain))
      gain = tap_max(gain, fabs(got.gain / cabs(exact((double)k * s.spacing)) - 1.0));
  }
  tap_near(gain, 0.0, 1e-8, "from rest to rest: |H| is exact");
  /* 20 samples: no power at multiples of 5 Hz */
  tap_ok(isnan(vd_spectrum_transfer(&s, 300).gain) && isnan(vd_spectrum_transfer(&s, 300).phase),
         "there is no response where the input has no power");
  vd_spectrum_finish(&s);
}

static void test_delay(void) {
  vd_spectrum s;
  noise(x, 1.0, 6);
  for (size_t i = 0; i < COUNT; i++)
    y[i] = i < LAG ? 0.0 : 2.0 * x[i - LAG];
  vd_spectrum_make(x, y, COUNT, rate, SEGMENT, VD_WINDOW_HANN, &s);
  /* The window of the output differs from the window of the delayed input. The share of the power (w(t) - w(t - T))^2
   * over w^2 = (4/3) (pi T/segment)^2 is not correlated with the input; half of it is the bias of the gain. */
  double gain = 0.0, phase = 0.0, lost = 4.0 / 3.0 * pow(VD_PI * LAG / SEGMENT, 2.0), g2 = 1.0 - lost,
         error = sqrt((1.0 - g2) / (2.0 * g2 * records(&s)));
  for (size_t k = 2; k + 2 < s.lines; k++) {
    vd_transfer got = vd_spectrum_transfer(&s, k);
    double expected = -2.0 * VD_PI * (double)k * s.spacing * LAG / rate;
    gain = tap_max(gain, fabs(got.gain / 2.0 - 1.0));
    phase = tap_max(phase, fabs(wrapped(got.phase - expected)));
  }
  tap_near(gain, 0.0, 0.5 * lost + errors * error, "a delay does not change the gain");
  tap_near(phase, 0.0, errors * error, "a delay: the phase is -w T, in random errors of %.2g rad", error);
  vd_spectrum_finish(&s);
}

static void test_primes(void) {
  static const struct {
    size_t n, prime;
  } row[] = {{1, 1}, {2, 2}, {44000, 11}, {44001, 4889}, {1024, 2}, {49, 7}, {999983, 999983}};
  for (size_t i = 0; i < VD_COUNT(row); i++)
    tap_near((double)vd_spectrum_greatest_prime(row[i].n), (double)row[i].prime, 0.0,
             "the greatest prime factor of %zu is found", row[i].n);
}

/* ---- weightings ---- */

/* ISO 2631-1:1997, table 3: principal frequency weightings in one-third octaves, in thousandths. */
static const struct {
  double f, wk, wd;
} table[] = {
    {0.1, 31.2, 62.4}, {0.2, 121, 243},   {0.4, 352, 713},   {0.5, 418, 853},   {0.63, 459, 944}, {0.8, 477, 992},
    {1.0, 482, 1011},  {1.25, 484, 1008}, {1.6, 494, 968},   {2.0, 531, 890},   {2.5, 631, 776},  {3.15, 804, 642},
    {4.0, 967, 512},   {5.0, 1039, 409},  {6.3, 1054, 323},  {8.0, 1036, 253},  {12.5, 902, 161}, {16.0, 768, 125},
    {20.0, 636, 100},  {31.5, 405, 63.2}, {63.0, 186, 29.5}, {80.0, 132, 21.1},
};

/* Returns one unit of the last printed digit: the table has three digits, and some values are truncated, for example
 * 768.7 to 768. */
static double last_digit(double value) {
  return value < 100.0 ? 0.1 : 1.0;
}

static void test_table(void) {
  for (size_t i = 0; i < VD_COUNT(table); i++) {
    double h[2];
    vd_weighting(VD_WK, table[i].f, h);
    tap_near(1e3 * hypot(h[0], h[1]), table[i].wk, last_digit(table[i].wk), "Wk(%g Hz) is that of the table",
             table[i].f);
    vd_weighting(VD_WD, table[i].f, h);
    tap_near(1e3 * hypot(h[0], h[1]), table[i].wd, last_digit(table[i].wd), "Wd(%g Hz) is that of the table",
             table[i].f);
  }
}

/* Returns the r.m.s. of a weighted sine of amplitude 1 that starts at 0, over its last whole seconds, when the effect
 * of an offset has decayed. */
static double weighted_rms(enum vd_weighting_kind kind, double f, double sampled, size_t count, size_t from) {
  double square = 0.0;
  for (size_t i = 0; i < count; i++)
    x[i] = (from > 0 ? 5.0 : 0.0) + sin(2.0 * VD_PI * f * (double)i / sampled);
  vd_weighting_apply(&(vd_weighted){kind, x}, 1, count, sampled);
  for (size_t i = from; i < count; i++)
    square += x[i] * x[i] / (double)(count - from);
  return sqrt(square);
}

static void as_it_is(const void *context, double frequency, double h[2]) {
  (void)context;
  (void)frequency;
  h[0] = 1.0;
  h[1] = 0.0;
}

/* Sets the response of a delay of half a second, two samples at 4 samples a second: exp(-i pi f), which is real at half
 * the rate. */
static void two_later(const void *context, double frequency, double h[2]) {
  (void)context;
  h[0] = cos(VD_PI * frequency);
  h[1] = -sin(VD_PI * frequency);
}

/* Checks the filter for any number of samples: odd, even, or one more than a power of two. */
static void test_filter(void) {
  static const size_t count[] = {1, 2, 3, 7, 64, 65, 4000};
  double same = 0.0, late = 0.0;
  noise(clean, 1.0, 5);
  for (size_t k = 0; k < VD_COUNT(count); k++) {
    memcpy(x, clean, sizeof x);
    vd_spectrum_filter(&(vd_filtered){x, NULL}, 1, count[k], 4.0, 1.0, as_it_is);
    memcpy(y, clean, sizeof y);
    vd_spectrum_filter(&(vd_filtered){y, NULL}, 1, count[k], 4.0, 1.0, two_later);
    for (size_t i = 0; i < count[k]; i++) {
      same = tap_max(same, fabs(x[i] - clean[i]));
      late = tap_max(late, fabs(y[i] - (i < 2 ? 0.0 : clean[i - 2])));
    }
  }
  tap_near(same, 0.0, 1e-14, "a filter of gain 1 returns every sample");
  tap_near(late, 0.0, 1e-14, "a delay of two samples shifts every sample");
}

static void test_weighted_sine(void) {
  static const double frequency[] = {0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 31.5};
  for (size_t i = 0; i < VD_COUNT(frequency); i++) {
    double h[2], f = frequency[i];
    vd_weighting(VD_WK, f, h);
    double expected = hypot(h[0], h[1]) * sqrt(0.5);
    tap_near(weighted_rms(VD_WK, f, 1e3, 120000, 0) / expected, 1.0, 5e-3, "Wk-weighted sine of %g Hz, from its start",
             f);
    tap_near(weighted_rms(VD_WK, f, 1e2, 4000, 2000) / expected, 1.0, 1e-4,
             "Wk-weighted sine at 100 samples a second, without its start: %g Hz", f);
  }
  for (size_t i = 0; i < 4000; i++)
    x[i] = 3.0;
  vd_weighting_apply(&(vd_weighted){VD_WK, x}, 1, 4000, 100.0);
  double largest = 0.0;
  for (size_t i = 500; i < 4000; i++)
    largest = tap_max(largest, fabs(x[i]));
  /* the response to a step of a high pass at w = 2 pi 0.4 Hz, of second order, is at most sqrt(2) exp(-w t/sqrt(2)) */
  tap_near(largest / 3.0, 0.0, sqrt(2.0) * exp(-2.0 * VD_PI * 0.4 * vd_weighting_settle * sqrt(0.5)),
           "a constant acceleration has no weighted value once the filter has settled");
  /* later samples do not change earlier ones: the filter is causal */
  noise(clean, 1.0, 7);
  memcpy(x, clean, sizeof x);
  memcpy(y, clean, sizeof y);
  vd_weighting_apply(&(vd_weighted){VD_WD, x}, 1, 4000, 100.0);
  vd_weighting_apply(&(vd_weighted){VD_WD, y}, 1, 3000, 100.0);
  double apart = 0.0;
  for (size_t i = 0; i < 2990; i++)
    apart = tap_max(apart, fabs(x[i] - y[i]));
  /* a jump at the end, of up to 4 sigma, lacks frequencies above 50 Hz, where Wd is 0.039: a ripple of 0.039 * 4/(pi 10
   * samples) */
  tap_near(apart, 0.0, 5e-3, "later samples do not change earlier ones");
}

int main(void) {
  tap_plan(TESTS);
  test_densities();
  test_noisy();
  test_clean();
  test_delay();
  test_primes();
  test_table();
  test_filter();
  test_weighted_sine();
  return tap_done();
}
