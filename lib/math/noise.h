/* Parts of periodic noise: random numbers, phases, and the sum of many cosines at once.
 *
 * The same seed gives the same bytes on every machine: the only operations are arithmetic and square roots, which IEEE
 * 754 rounds correctly. */
#ifndef VD_NOISE_H
#define VD_NOISE_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

typedef struct vd_phasor {
  double re, im;
} vd_phasor;

static inline vd_phasor vd_phasor_times(vd_phasor a, vd_phasor b) {
  return (vd_phasor){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Draws a number that is uniform on the unit circle. state: the seed in the first call; each call advances it. */
vd_phasor vd_noise_direction(uint64_t *state);

/* Returns exp(2 pi i j/n) for j < n/2; n is a power of two, at least 4. */
vd_phasor *vd_noise_roots(size_t n, vd_arena *arena);

/* Replaces x[j] by the sum over k of x[k] exp(2 pi i j k/n); n is a power of two, w are the roots of vd_noise_roots. */
void vd_noise_transform(vd_phasor *x, size_t n, const vd_phasor *w);

#endif
