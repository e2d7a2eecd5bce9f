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

/* Returns the radix: 4, which needs the fewest products, if it divides n, else the smallest prime factor of n. */
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

/* Each of these functions computes a transform of the p numbers t, and writes it to out[0], out[m] ... */

VD_INLINE void two(const vd_complex *t, vd_complex *out, size_t m) {
  out[0] = vd_complex_add(t[0], t[1]);
  out[m] = vd_complex_sub(t[0], t[1]);
}

VD_INLINE void three(const vd_complex *t, vd_complex *out, size_t m) {
  const double sin60 = 0.86602540378443864676;
  vd_complex sum = vd_complex_add(t[1], t[2]), middle = vd_complex_sub(t[0], vd_complex_scale(sum, 0.5));
  vd_complex side = by_minus_j(vd_complex_scale(vd_complex_sub(t[1], t[2]), sin60));
  out[0] = vd_complex_add(t[0], sum);
  out[m] = vd_complex_add(middle, side);
  out[2 * m] = vd_complex_sub(middle, side);
}

VD_INLINE void four(const vd_complex *t, vd_complex *out, size_t m) {
  vd_complex even = vd_complex_add(t[0], t[2]), even_less = vd_complex_sub(t[0], t[2]);
  vd_complex odd = vd_complex_add(t[1], t[3]), odd_less = by_minus_j(vd_complex_sub(t[1], t[3]));
  out[0] = vd_complex_add(even, odd);
  out[m] = vd_complex_add(even_less, odd_less);
  out[2 * m] = vd_complex_sub(even, odd);
  out[3 * m] = vd_complex_sub(even_less, odd_less);
}

VD_INLINE void five(const vd_complex *t, vd_complex *out, size_t m) {
  const double cos72 = 0.30901699437494742410, sin72 = 0.95105651629515357212;
  const double cos144 = -0.80901699437494742410, sin144 = 0.58778525229247312917;
  vd_complex a = vd_complex_add(t[1], t[4]), b = vd_complex_add(t[2], t[3]);
  vd_complex c = vd_complex_sub(t[1], t[4]), d = vd_complex_sub(t[2], t[3]);
  for (size_t q = 1; q <= 2; q++) {
    double of_a = q == 1 ? cos72 : cos144, of_b = q == 1 ? cos144 : cos72;
    double of_c = q == 1 ? sin72 : sin144, of_d = q == 1 ? sin144 : -sin72;
    vd_complex middle = {t[0].re + of_a * a.re + of_b * b.re, t[0].im + of_a * a.im + of_b * b.im};
    vd_complex side = {of_c * c.im + of_d * d.im, -(of_c * c.re + of_d * d.re)};
    out[q * m] = vd_complex_add(middle, side);
    out[(5 - q) * m] = vd_complex_sub(middle, side);
  }
  out[0] = vd_complex_add(t[0], vd_complex_add(a, b));
}

static void many(const vd_fft *f, size_t p, const vd_complex *t, vd_complex *out, size_t m) {
  for (size_t q = 0; q < p; q++) {
    vd_complex sum = t[0];
    for (size_t r = 1; r < p; r++)
      sum = vd_complex_add(sum, vd_complex_mul(t[r], f->turn[r * q % p * (f->n / p)]));
    out[q * m] = sum;
  }
}

VD_INLINE void sums(const vd_fft *f, size_t p, const vd_complex *t, vd_complex *out, size_t m) {
  if (p == 4)
    four(t, out, m);
  else if (p == 5)
    five(t, out, m);
  else if (p == 3)
    three(t, out, m);
  else if (p == 2)
    two(t, out, m);
  else
    many(f, p, t, out, m);
}

/* Joins p transforms of m numbers to one. The compiler makes a copy of it for each radix that is frequent. */
VD_INLINE void join(const vd_fft *f, size_t p, size_t m, size_t step, vd_complex *t, vd_complex *out) {
  for (size_t k = 0, turn = 0; k < m; k++, turn += step) {
    t[0] = out[k];
    for (size_t r = 1; r < p; r++)
      t[r] = vd_complex_mul(out[r * m + k], f->turn[r * turn]);
    sums(f, p, t, out + k, m);
  }
}

/* Transforms every step-th number, n in all: x[0], x[step] ... f->n = n step. */
static void transform(const vd_fft *f, size_t n, size_t step, const vd_complex *x, vd_complex *out) {
  size_t p = radix_of(n), m = n / p;
  vd_complex *t = f->part;
  if (m <= 1) {
    for (size_t r = 0; r < n; r++)
      t[r] = x[r * step];
    sums(f, n, t, out, 1);
    return;
  }
  for (size_t r = 0; r < p; r++)
    transform(f, m, step * p, x + r * step, out + r * m);
  vd_complex few[5];
  switch (p) {
  case 2: join(f, 2, m, step, few, out); break;
  case 3: join(f, 3, m, step, few, out); break;
  case 4: join(f, 4, m, step, few, out); break;
  case 5: join(f, 5, m, step, few, out); break;
  default: join(f, p, m, step, t, out); break;
  }
}

void vd_fft_transform(const vd_fft *f, const vd_complex *x, vd_complex *out) {
  transform(f, f->n, 1, x, out);
}
