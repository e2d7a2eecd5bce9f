#include "math/spectrum.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/base.h"

#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double min_density = 1e-12; /* share of the greatest density */

static double *numbers(size_t count) {
  return vd_allocate(count ? count : 1, sizeof(double));
}

size_t vd_spectrum_greatest_prime(size_t n) {
  size_t greatest = 1;
  for (size_t p = 2; p <= n / p; p++)
    for (; n % p == 0; n /= p)
      greatest = p;
  return n > 1 ? n : greatest;
}

/* The next length without a prime factor above 5: for these factors GSL has special code of real transforms. Factors of
 * 7 make a transform four times slower. */
static size_t fast_length(size_t n) {
  while (vd_spectrum_greatest_prime(n) > 5)
    n++;
  return n;
}

/* ---- Welch ---- */

static double mean_of(const double *x, size_t count) {
  double sum = 0.0;
  for (size_t i = 0; i < count; i++)
    sum += x[i];
  return sum / (double)count;
}

/* Memory for the transform of one segment. */
typedef struct bench {
  size_t segment;
  double *window, *x, *y;
  gsl_fft_real_wavetable *table;
  gsl_fft_real_workspace *work;
} bench;

static void open_bench(bench *b, size_t segment, enum vd_window window) {
  double *x = numbers(3 * segment); /* segments of x and y, and the window */
  *b = (bench){segment,
               x + 2 * segment,
               x,
               x + segment,
               gsl_fft_real_wavetable_alloc(segment),
               gsl_fft_real_workspace_alloc(segment)};
  /* a periodic window: overlapping halves add up to one, so that all samples but those at the ends have equal weight */
  for (size_t i = 0; i < segment; i++)
    b->window[i] = window == VD_WINDOW_HANN ? 0.5 - 0.5 * vd_cos(2.0 * VD_PI * (double)i / (double)segment) : 1.0;
}

static void close_bench(bench *b) {
  gsl_fft_real_wavetable_free(b->table);
  gsl_fft_real_workspace_free(b->work);
  free(b->x);
}

static void transform(const bench *b, const double *from, double mean, double *to) {
  for (size_t i = 0; i < b->segment; i++)
    to[i] = b->window[i] * (from[i] - mean);
  gsl_fft_real_transform(to, 1, b->segment, b->table, b->work);
}

/* Line k of a real signal's transform, in GSL's order r0, r1, i1, r2, i2, ... */
static void line_of(const double *halfcomplex, size_t n, size_t k, double z[2]) {
  z[0] = k ? halfcomplex[2 * k - 1] : halfcomplex[0];
  z[1] = k && 2 * k < n ? halfcomplex[2 * k] : 0.0;
}

static void add_segment(const bench *b, vd_spectrum *s) {
  for (size_t k = 0; k < s->lines; k++) {
    double x[2], y[2];
    line_of(b->x, b->segment, k, x);
    line_of(b->y, b->segment, k, y);
    s->input[k] += x[0] * x[0] + x[1] * x[1];
    s->output[k] += y[0] * y[0] + y[1] * y[1];
    s->cross_real[k] += x[0] * y[0] + x[1] * y[1];
    s->cross_imag[k] += x[0] * y[1] - x[1] * y[0];
  }
}

/* Scales sums to one-sided densities. */
static void scale(const bench *b, double rate, vd_spectrum *s) {
  double power = 0.0;
  for (size_t i = 0; i < b->segment; i++)
    power += b->window[i] * b->window[i];
  for (size_t k = 0; k < s->lines; k++) {
    bool single = k == 0 || 2 * k == b->segment; /* these have no counterpart at a negative frequency */
    double factor = (single ? 1.0 : 2.0) / (rate * power * (double)s->segments);
    s->input[k] *= factor;
    s->greatest = vd_max(s->greatest, s->input[k]);
    s->output[k] *= factor;
    s->cross_real[k] *= factor;
    s->cross_imag[k] *= factor;
  }
}

bool vd_spectrum_make(const double *x, const double *y, size_t count, double rate, size_t segment,
                      enum vd_window window, vd_spectrum *s) {
  *s = (vd_spectrum){.segment = segment};
  if (segment < 2 || count < segment)
    return false;
  size_t advance = window == VD_WINDOW_HANN ? (segment + 1) / 2 : segment;
  s->lines = segment / 2 + 1;
  s->spacing = rate / (double)segment;
  s->input = numbers(4 * s->lines); /* memory of all four densities */
  s->output = s->input + s->lines;
  s->cross_real = s->output + s->lines;
  s->cross_imag = s->cross_real + s->lines;
  double x_mean = mean_of(x, count), y_mean = mean_of(y, count);
  bench b;
  open_bench(&b, segment, window);
  for (size_t at = 0; at + segment <= count; at += advance) {
    transform(&b, x + at, x_mean, b.x);
    transform(&b, y + at, y_mean, b.y);
    add_segment(&b, s);
    s->segments++;
  }
  scale(&b, rate, s);
  close_bench(&b);
  return true;
}

void vd_spectrum_finish(vd_spectrum *s) {
  free(s->input);
  *s = (vd_spectrum){0};
}

vd_transfer vd_spectrum_transfer(const vd_spectrum *s, size_t line) {
  double x = s->input[line], y = s->output[line];
  if (!(x > min_density * s->greatest))
    return (vd_transfer){NAN, NAN, NAN};
  double size = vd_hypot(s->cross_real[line], s->cross_imag[line]);
  return (vd_transfer){
      .gain = size / x,
      .phase = vd_atan2(s->cross_imag[line], s->cross_real[line]),
      .coherence = s->segments < 2 ? NAN
                   : y > 0.0       ? vd_min(1.0, size / x * (size / y))
                                   : 0.0,
  };
}

/* ---- filter ---- */

/* The transform makes the signal periodic. Therefore a smooth transition from its end to zero follows, and then zeros
 * until the filter's response has decayed: the end does not affect the beginning. */
static double *extended(const double *x, size_t count, size_t total, size_t rest) {
  double *out = numbers(total);
  size_t back = total - count - rest;
  memcpy(out, x, count * sizeof *out);
  for (size_t i = 0; i < back; i++)
    out[count + i] = x[count - 1] * (0.5 + 0.5 * vd_cos(VD_PI * (double)(i + 1) / (double)(back + 1)));
  return out;
}

void vd_spectrum_filter(double *x, size_t count, double rate, double settle, vd_frequency_response *response,
                        const void *context) {
  if (count == 0)
    return;
  size_t rest = (size_t)ceil(settle * rate) + 1, n = fast_length(count + rest + rest / 10 + 1);
  double *z = extended(x, count, n, rest), h[2];
  gsl_fft_real_wavetable *forth = gsl_fft_real_wavetable_alloc(n);
  gsl_fft_halfcomplex_wavetable *back = gsl_fft_halfcomplex_wavetable_alloc(n);
  gsl_fft_real_workspace *work = gsl_fft_real_workspace_alloc(n);
  response(context, 0.0, h);
  gsl_fft_real_transform(z, 1, n, forth, work);
  z[0] *= h[0];
  for (size_t k = 1; 2 * k <= n; k++) {
    double line[2];
    line_of(z, n, k, line);
    response(context, rate * (double)k / (double)n, h);
    z[2 * k - 1] = line[0] * h[0] - line[1] * h[1];
    if (2 * k < n)
      z[2 * k] = line[0] * h[1] + line[1] * h[0];
  }
  gsl_fft_halfcomplex_inverse(z, 1, n, back, work);
  memcpy(x, z, count * sizeof *x);
  gsl_fft_real_workspace_free(work);
  gsl_fft_halfcomplex_wavetable_free(back);
  gsl_fft_real_wavetable_free(forth);
  free(z);
}
