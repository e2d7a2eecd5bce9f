#include "math/spectrum.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/base.h"

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
  double *x = numbers(3 * segment); /* x, y and the window */
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

/* The transform of 2 size numbers as one of `size` complex ones, a power of two, in arrays of their parts: even places
 * are real parts, odd ones imaginary. */
typedef struct pass {
  size_t size;
  double *sine;            /* [size + 1]: sin(pi i / size) */
  double *re, *im;         /* [size] */
  double *other, *another; /* [size]: scratch */
} pass;

/* exp(-i pi k / size), 0 <= k <= size */
static void turn_of(const pass *p, size_t k, double w[2]) {
  size_t quarter = p->size / 2;
  w[0] = k <= quarter ? p->sine[quarter - k] : -p->sine[k - quarter];
  w[1] = -p->sine[k];
}

/* Sums and differences of two rows; the differences are turned. */
static inline void butterflies(size_t count, const double *restrict re, const double *restrict im, size_t apart,
                               const double w[2], double *restrict out_re, double *restrict out_im) {
  double wr = w[0], wi = w[1];
  for (size_t k = 0; k < count; k++) {
    double dr = re[k] - re[k + apart], di = im[k] - im[k + apart];
    out_re[k] = re[k] + re[k + apart];
    out_im[k] = im[k] + im[k + apart];
    out_re[k + count] = dr * wr - di * wi;
    out_im[k + count] = dr * wi + di * wr;
  }
}

/* Stockham's transform, which needs no reordering: rows of `row` numbers become half as many of twice the length. */
static void transform_all(pass *p, bool back) {
  for (size_t row = 1; row < p->size; row *= 2) {
    for (size_t at = 0; 2 * at < p->size; at += row) {
      double w[2];
      turn_of(p, 2 * at, w);
      w[1] = back ? -w[1] : w[1];
      butterflies(row, p->re + at, p->im + at, p->size / 2, w, p->other + 2 * at, p->another + 2 * at);
    }
    double *re = p->re, *im = p->im;
    p->re = p->other;
    p->im = p->another;
    p->other = re;
    p->another = im;
  }
}

/* Multiplies the lines k and size - k of the real signal by the response. With E and O the transforms of the even and
 * the odd places, the complex one holds E + i O, and the real one E + w O at k and conj(E - w O) at size - k. */
static void respond(pass *p, size_t k, const double h[2], const double mirrored[2]) {
  size_t m = k == 0 ? 0 : p->size - k;
  double w[2], er = 0.5 * (p->re[k] + p->re[m]), ei = 0.5 * (p->im[k] - p->im[m]);
  double odd[2] = {0.5 * (p->im[k] + p->im[m]), 0.5 * (p->re[m] - p->re[k])};
  turn_of(p, k, w);
  double tr = w[0] * odd[0] - w[1] * odd[1], ti = w[0] * odd[1] + w[1] * odd[0];
  double ar = (er + tr) * h[0] - (ei + ti) * h[1], ai = (er + tr) * h[1] + (ei + ti) * h[0];
  double br = (er - tr) * mirrored[0] + (ei - ti) * mirrored[1], bi = (ei - ti) * mirrored[0] - (er - tr) * mirrored[1];
  er = 0.5 * (ar + br);
  ei = 0.5 * (ai + bi);
  tr = 0.5 * (ar - br);
  ti = 0.5 * (ai - bi);
  odd[0] = w[0] * tr + w[1] * ti;
  odd[1] = w[0] * ti - w[1] * tr;
  p->re[k] = er - odd[1];
  p->im[k] = ei + odd[0];
  p->re[m] = er + odd[1];
  p->im[m] = odd[0] - ei;
}

static void respond_all(pass *p, double rate, vd_frequency_response *response, const void *context) {
  const double spacing = 0.5 * rate / (double)p->size;
  for (size_t k = 0; 2 * k <= p->size; k++) {
    double h[2], mirrored[2];
    response(context, spacing * (double)k, h);
    response(context, spacing * (double)(p->size - k), mirrored);
    if (k == 0) /* these lines are real */
      h[1] = mirrored[1] = 0.0;
    respond(p, k, h, mirrored);
  }
}

/* The transform makes the signal periodic. Therefore a smooth transition from its end to zero follows, and then zeros
 * until the filter's response has decayed: the end does not affect the beginning. */
static void extend(const double *x, size_t count, size_t rest, pass *p) {
  size_t back = 2 * p->size - count - rest;
  for (size_t i = 0; i < count + back; i++) {
    double fade = i < count ? 1.0 : 0.5 + 0.5 * vd_cos(VD_PI * (double)(i - count + 1) / (double)(back + 1));
    (i % 2 == 0 ? p->re : p->im)[i / 2] = i < count ? x[i] : x[count - 1] * fade;
  }
}

void vd_spectrum_filter(double *x, size_t count, double rate, double settle, vd_frequency_response *response,
                        const void *context) {
  if (count == 0)
    return;
  size_t rest = (size_t)ceil(settle * rate) + 1, n = 2;
  while (2 * n < count + 2 * rest)
    n *= 2;
  double *memory = numbers(5 * n + 1);
  pass p = {n, memory + 4 * n, memory, memory + n, memory + 2 * n, memory + 3 * n};
  for (size_t i = 0; i <= n / 2; i++)
    p.sine[i] = p.sine[n - i] = vd_sin(VD_PI * (double)i / (double)n);
  extend(x, count, rest, &p);
  transform_all(&p, false);
  respond_all(&p, rate, response, context);
  transform_all(&p, true);
  for (size_t i = 0; i < count; i++)
    x[i] = (i % 2 == 0 ? p.re : p.im)[i / 2] / (double)n;
  free(memory);
}
