#include "math/fft.h"

#include "base/base.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void vd_fft_init(vd_fft *f, size_t n) {
  *f = (vd_fft){n, vd_allocate(2 * n + 1, sizeof *f->turn), NULL};
  f->part = f->turn + n;
  for (size_t k = 0; k < n; k++) {
    double angle = 2.0 * VD_PI * (double)k / (double)n;
    f->turn[k] = (vd_complex){vd_cos(angle), -vd_sin(angle)};
  }
}

void vd_fft_finish(vd_fft *f) {
  free(f->turn);
  f->turn = f->part = NULL;
}

/* 4 as long as it divides n, as it needs fewest products; then the smallest prime factor. */
static size_t radix_of(size_t n) {
  if (n % 4 == 0)
    return 4;
  for (size_t p = 2; p <= n / p; p++)
    if (n % p == 0)
      return p;
  return n;
}

static vd_complex by_minus_j(vd_complex z) {
  return (vd_complex){z.im, -z.re};
}

static void four(const vd_complex *t, vd_complex *out, size_t m) {
  vd_complex even = vd_complex_add(t[0], t[2]), even_less = vd_complex_sub(t[0], t[2]);
  vd_complex odd = vd_complex_add(t[1], t[3]), odd_less = by_minus_j(vd_complex_sub(t[1], t[3]));
  out[0] = vd_complex_add(even, odd);
  out[m] = vd_complex_add(even_less, odd_less);
  out[2 * m] = vd_complex_sub(even, odd);
  out[3 * m] = vd_complex_sub(even_less, odd_less);
}

/* The sums of p numbers with all their turns. */
static void many(const vd_fft *f, size_t p, const vd_complex *t, vd_complex *out, size_t m) {
  for (size_t q = 0; q < p; q++) {
    vd_complex sum = t[0];
    for (size_t r = 1; r < p; r++)
      sum = vd_complex_add(sum, vd_complex_mul(t[r], f->turn[r * q % p * (f->n / p)]));
    out[q * m] = sum;
  }
}

/* Transforms the n numbers x[0], x[step] ..., which are n of f->n = n step. */
static void transform(const vd_fft *f, size_t n, size_t step, const vd_complex *x, vd_complex *out) {
  if (n == 1) {
    *out = *x;
    return;
  }
  size_t p = radix_of(n), m = n / p;
  vd_complex *t = f->part;
  for (size_t r = 0; r < p; r++)
    transform(f, m, step * p, x + r * step, out + r * m);
  for (size_t k = 0; k < m; k++) {
    t[0] = out[k];
    for (size_t r = 1; r < p; r++)
      t[r] = vd_complex_mul(out[r * m + k], f->turn[r * k * step]);
    if (p == 4)
      four(t, out + k, m);
    else
      many(f, p, t, out + k, m);
  }
}

void vd_fft_transform(const vd_fft *f, const vd_complex *x, vd_complex *out) {
  transform(f, f->n, 1, x, out);
}
