#include "math/spectrum.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/base.h"
#include "math/fft.h"

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

/* Returns the next length without a prime factor above 5, for a fast transform. */
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
  double *window;
  vd_complex *windowed, *x, *y; /* the samples in the window, and the lines of both signals */
  vd_fft fft;
} bench;

static void open_bench(bench *b, size_t segment, enum vd_window window) {
  *b = (bench){.segment = segment, .window = numbers(segment)};
  b->windowed = vd_allocate(3 * segment, sizeof *b->windowed);
  b->x = b->windowed + segment;
  b->y = b->x + segment;
  vd_fft_init(&b->fft, segment);
  /* a periodic window: overlapping halves add up to one, so that all samples except at the ends have equal weight */
  for (size_t i = 0; i < segment; i++)
    b->window[i] = window == VD_WINDOW_HANN ? 0.5 - 0.5 * vd_cos(2.0 * VD_PI * (double)i / (double)segment) : 1.0;
}

static void close_bench(bench *b) {
  vd_fft_finish(&b->fft);
  free(b->windowed);
  free(b->window);
}

static void transform(const bench *b, const double *from, double mean, vd_complex *to) {
  for (size_t i = 0; i < b->segment; i++)
    b->windowed[i] = (vd_complex){b->window[i] * (from[i] - mean), 0.0};
  vd_fft_transform(&b->fft, b->windowed, to);
}

static void add_segment(const bench *b, vd_spectrum *s) {
  for (size_t k = 0; k < s->lines; k++) {
    vd_complex x = b->x[k], y = b->y[k];
    s->input[k] += vd_complex_abs2(x);
    s->output[k] += vd_complex_abs2(y);
    s->cross_real[k] += x.re * y.re + x.im * y.im;
    s->cross_imag[k] += x.re * y.im - x.im * y.re;
  }
}

/* Scales sums to one-sided densities. */
static void scale(const bench *b, double rate, vd_spectrum *s) {
  double power = 0.0;
  for (size_t i = 0; i < b->segment; i++)
    power += b->window[i] * b->window[i];
  for (size_t k = 0; k < s->lines; k++) {
    bool single = k == 0 || 2 * k == b->segment; /* at 0 and half the rate: no line at a negative frequency */
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

/* Appends a smooth transition to zero to the signal, and zeros until the filter's response has decayed: the transform
 * makes the signal periodic, and its end must not affect its beginning. Two samples form one complex number. */
static void extend(const double *x, size_t count, size_t total, size_t rest, vd_complex *out) {
  size_t back = total - count - rest;
  for (size_t i = 0; i < total; i++) {
    double value = 0.0;
    if (i < count)
      value = x[i];
    else if (i < count + back)
      value = x[count - 1] * (0.5 + 0.5 * vd_cos(VD_PI * (double)(i - count + 1) / (double)(back + 1)));
    if (i % 2 == 0)
      out[i / 2].re = value;
    else
      out[i / 2].im = value;
  }
}

static vd_complex conjugate(vd_complex z) {
  return (vd_complex){z.re, -z.im};
}

/* Filters the lines a = Z[k] and b = Z[half - k] of half = n/2 numbers x[2i] + j x[2i + 1]. The even samples have the
 * lines E = (a + b*)/2, the odd samples O = (a - b*)/2j, and all samples together X[k] = E + w O and X[half - k]* = E -
 * w O, where w = exp(-2 pi j k/n). After the filter E and O follow from X, and a = E + j O and b = (E - j O)* follow
 * from E and O. */
static void filter_pair(vd_complex *a, vd_complex *b, vd_complex w, vd_complex h_low, vd_complex h_high) {
  vd_complex even = vd_complex_scale(vd_complex_add(*a, conjugate(*b)), 0.5);
  vd_complex less = vd_complex_scale(vd_complex_sub(*a, conjugate(*b)), 0.5);
  vd_complex odd = vd_complex_mul((vd_complex){less.im, -less.re}, w);
  vd_complex low = vd_complex_mul(vd_complex_add(even, odd), h_low);
  vd_complex high = vd_complex_mul(vd_complex_sub(even, odd), conjugate(h_high));
  even = vd_complex_scale(vd_complex_add(low, high), 0.5);
  odd = vd_complex_mul(vd_complex_scale(vd_complex_sub(low, high), 0.5), conjugate(w));
  *a = (vd_complex){even.re - odd.im, even.im + odd.re};
  *b = (vd_complex){even.re + odd.im, odd.re - even.im};
}

/* Data of a filter: both responses of every pair of lines, and the turns between even and odd samples. */
typedef struct filter_bench {
  vd_fft fft;
  vd_complex *z, *line, *turn, *low, *high;
} filter_bench;

static void compute_responses(const filter_bench *b, double rate, vd_frequency_response *response,
                              const void *context) {
  const size_t half = b->fft.n;
  for (size_t k = 0; 2 * k <= half; k++) {
    double low[2], high[2], real = k == 0 ? 0.0 : 1.0; /* the lines at 0 and at half the rate are real */
    response(context, rate * (double)k / (double)(2 * half), low);
    response(context, rate * (double)(half - k) / (double)(2 * half), high);
    b->low[k] = (vd_complex){low[0], real * low[1]};
    b->high[k] = (vd_complex){high[0], real * high[1]};
  }
}

static void filter_one(const filter_bench *b, double *x, size_t count, size_t rest) {
  const size_t half = b->fft.n;
  vd_complex *z = b->z, *line = b->line;
  extend(x, count, 2 * half, rest, z);
  vd_fft_transform(&b->fft, z, line);
  line[half] = line[0];
  for (size_t k = 0; 2 * k <= half; k++)
    filter_pair(&line[k], &line[half - k], b->turn[k], b->low[k], b->high[k]);
  /* The inverse transform is the conjugate of the transform of the conjugate lines. */
  for (size_t k = 0; k < half; k++)
    line[k] = conjugate(line[k]);
  vd_fft_transform(&b->fft, line, z);
  for (size_t i = 0; i < count; i++)
    x[i] = (i % 2 == 0 ? z[i / 2].re : -z[i / 2].im) / (double)half;
}

void vd_spectrum_filter(const vd_filtered *signal, size_t signals, size_t count, double rate, double settle,
                        vd_frequency_response *response) {
  if (count == 0 || signals == 0)
    return;
  size_t rest = (size_t)ceil(settle * rate) + 1, half = fast_length((count + rest + rest / 10 + 2) / 2),
         pairs = half / 2 + 1;
  filter_bench b;
  vd_fft_init(&b.fft, half);
  b.z = vd_allocate(2 * half + 1 + 3 * pairs, sizeof *b.z);
  b.line = b.z + half;
  b.turn = b.line + half + 1;
  b.low = b.turn + pairs;
  b.high = b.low + pairs;
  for (size_t k = 0; k < pairs; k++) {
    double angle = VD_PI * (double)k / (double)half;
    b.turn[k] = k % 2 == 0 ? b.fft.turn[k / 2] : (vd_complex){vd_cos(angle), -vd_sin(angle)};
  }
  for (size_t i = 0; i < signals; i++) {
    if (i == 0 || signal[i].context != signal[i - 1].context)
      compute_responses(&b, rate, response, signal[i].context);
    filter_one(&b, signal[i].x, count, rest);
  }
  vd_fft_finish(&b.fft);
  free(b.z);
}
