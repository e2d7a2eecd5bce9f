/* Random numbers that can be asked for by their index, and the normal distribution.
 *
 * The same arguments give the same bits on every machine: arithmetic, square roots and own elementary functions. */
#ifndef VD_CHANCE_H
#define VD_CHANCE_H

#include <stddef.h>
#include <stdint.h>

/* Uniform in (0, 1), without its ends: number i of a stream of a seed. Each is computed by itself, in any order. */
double vd_chance(uint64_t seed, uint64_t stream, uint64_t i);

/* A random order of 0 to count - 1, for the same arguments always the same one. */
void vd_chance_order(uint64_t seed, uint64_t stream, uint32_t *order, uint32_t count);

/* The standard normal variable that is not exceeded with probability p, 0 < p < 1; Wichura's algorithm AS 241 (Applied
 * Statistics 37, 1988, 477), relative error about 1e-16. */
double vd_normal_quantile(double p);
/* The inverse of vd_normal_quantile, by bisection: a probability within (0, 1) for every finite z. */
double vd_normal_probability(double z);

#endif
