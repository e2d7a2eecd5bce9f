#include "math/noise.h"

#include "math/chance.h"

#include <math.h>

/* Returns a random number, uniform in -1..1. */
static double uniform(uint64_t *state) {
  uint64_t z = vd_mix(*state);
  *state += vd_mix_step;
  return (double)(z >> 11) / 4503599627370496.0 - 1.0;
}

/* Draws a point of the disc and projects it onto the circle (von Neumann). */
vd_phasor vd_noise_direction(uint64_t *state) {
  vd_phasor p;
  double square;
  do {
    p.re = uniform(state);
    p.im = uniform(state);
    square = p.re * p.re + p.im * p.im;
  } while (square > 1.0 || square < 1e-6);
  double length = sqrt(square);
  return (vd_phasor){p.re / length, p.im / length};
}

/* Each root is a product of roots whose j is a power of two; these follow from a quarter turn by halving angles. */
vd_phasor *vd_noise_roots(size_t n, vd_arena *arena) {
  vd_phasor *w = vd_arena_alloc(arena, n / 2 * sizeof *w), root = {0.0, 1.0};
  for (size_t j = n / 4; j >= 1; j /= 2) {
    w[j] = root;
    root.re = sqrt(0.5 * (1.0 + root.re));
    root.im = root.im / (2.0 * root.re);
  }
  w[0] = (vd_phasor){1.0, 0.0};
  for (size_t high = 1; high < n / 2; high *= 2)
    for (size_t j = 1; j < high; j++)
      w[high + j] = vd_phasor_times(w[high], w[j]);
  return w;
}

/* Uses the algorithm of Cooley and Tukey. */
void vd_noise_transform(vd_phasor *x, size_t n, const vd_phasor *w) {
  for (size_t i = 1, j = 0; i < n; i++) {
    size_t bit = n / 2;
    for (; j & bit; bit /= 2)
      j ^= bit;
    j |= bit;
    if (i < j) {
      vd_phasor t = x[i];
      x[i] = x[j];
      x[j] = t;
    }
  }
  for (size_t half = 1; half < n; half *= 2)
    for (size_t start = 0; start < n; start += 2 * half)
      for (size_t j = 0; j < half; j++) {
        vd_phasor *a = &x[start + j], *b = a + half, t = vd_phasor_times(*b, w[j * (n / (2 * half))]);
        *b = (vd_phasor){a->re - t.re, a->im - t.im};
        *a = (vd_phasor){a->re + t.re, a->im + t.im};
      }
}
