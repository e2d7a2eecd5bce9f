/* Random numbers by their index, and the normal distribution.
 *
 * The same arguments give the same bits on every machine: arithmetic, square roots and own elementary functions. */
#ifndef VD_CHANCE_H
#define VD_CHANCE_H

#include <stddef.h>
#include <stdint.h>

/* splitmix64 (Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014) of the state z: a change
 * of one bit of z changes each bit of the result with probability 1/2. From one number to the next, vd_mix_step is
 * added to the state. */
static const uint64_t vd_mix_step = UINT64_C(0x9E3779B97F4A7C15);

static inline uint64_t vd_mix(uint64_t z) {
  z += vd_mix_step;
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

/* Returns number i of a stream of a seed, uniform in (0, 1) without the ends. Numbers may be computed in any order. */
double vd_chance(uint64_t seed, uint64_t stream, uint64_t i);

/* Writes the numbers 0 to count - 1 in random order; the same arguments give the same order. */
void vd_chance_order(uint64_t seed, uint64_t stream, uint32_t *order, uint32_t count);

/* Returns the z below which a standard normal variable lies with probability p, 0 < p < 1. Wichura's algorithm AS 241
 * (Applied Statistics 37, 1988, 477) has a relative error of about 1e-16. */
double vd_normal_quantile(double p);
/* Returns the inverse of vd_normal_quantile, by bisection: a probability within (0, 1) for every finite z. */
double vd_normal_probability(double z);

#endif
