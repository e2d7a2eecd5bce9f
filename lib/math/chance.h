/* Random numbers by their index, and the normal distribution.
 *
 * The same arguments give the same bits on every machine: arithmetic, square roots and own elementary functions. */
#ifndef VD_CHANCE_H
#define VD_CHANCE_H

#include <stddef.h>
#include <stdint.h>

/* vd_mix computes the random number of the state z (splitmix64: Steele, Lea, Flood, Fast splittable pseudorandom number
 * generators, OOPSLA 2014). A change of one bit of z changes each bit of the result with probability 1/2. The state of
 * the next number is z + vd_mix_step. */
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
/* Returns the inverse of vd_normal_quantile, by bisection: the probability that a standard normal variable is below z.
 * It is at least 1e-300, and by rounding 1 for z above about 8.3. */
double vd_normal_probability(double z);

#endif
