/* Four wheels at a time: a vector of four numbers, in the order of the wheels, for code that runs at every step.
 * Elementary functions of such vectors are in base/wide_elementary.h.
 *
 * These are the vectors of GCC and Clang: +, -, *, / work lane by lane and give the same bits as scalars. Functions
 * marked VD_WIDE (base.h) use registers of four numbers if the processor has them. */
#ifndef VD_WIDE_H
#define VD_WIDE_H

#include "base/base.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* vectors are passed between inlined functions only, so their calling convention does not matter */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef double vd_wide __attribute__((vector_size(4 * sizeof(double))));
typedef int64_t vd_wide_mask __attribute__((vector_size(4 * sizeof(double))));
typedef uint64_t vd_wide_bits __attribute__((vector_size(4 * sizeof(double))));
/* A vector as a member of a struct, which need not be aligned for vectors. */
typedef double vd_wide_stored __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double))));

typedef struct vd_wide3 {
  vd_wide x, y, z;
} vd_wide3;

VD_INLINE vd_wide vd_wide_load(const double *from) {
  vd_wide v;
  memcpy(&v, from, sizeof v);
  return v;
}

VD_INLINE void vd_wide_store(vd_wide v, double *to) {
  memcpy(to, &v, sizeof v);
}

VD_INLINE vd_wide vd_wide_of(double x) {
  return (vd_wide){x, x, x, x};
}

/* Copies the number of each axle to its left and right wheel. */
VD_INLINE vd_wide vd_wide_axles(const double *axle) {
  return (vd_wide){axle[0], axle[0], axle[1], axle[1]};
}

VD_INLINE vd_wide vd_wide_sqrt(vd_wide v) {
  return (vd_wide){sqrt(v[0]), sqrt(v[1]), sqrt(v[2]), sqrt(v[3])};
}

/* Returns `yes` in the lanes where all bits of the mask are 1, `no` where all are 0. */
VD_INLINE vd_wide vd_wide_select(vd_wide_mask mask, vd_wide yes, vd_wide no) {
  return (vd_wide)((mask & (vd_wide_mask)yes) | (~mask & (vd_wide_mask)no));
}

/* Returns the greatest whole number <= x; for |x| >= 2^51 the result may be off by 1. */
VD_INLINE vd_wide vd_wide_floor(vd_wide x) {
  const vd_wide units = vd_wide_of(0x1.8p52); /* its last bit counts 1 */
  vd_wide nearest = (x + units) - units;
  return nearest - vd_wide_select(nearest > x, vd_wide_of(1.0), vd_wide_of(0.0));
}

/* Return the maximum and the minimum. If `a` is NaN the result is b; if `b` is NaN the result is NaN. */
VD_INLINE vd_wide vd_wide_max(vd_wide a, vd_wide b) {
  return vd_wide_select(a > b, a, b);
}

VD_INLINE vd_wide vd_wide_min(vd_wide a, vd_wide b) {
  return vd_wide_select(a < b, a, b);
}

VD_INLINE vd_wide vd_wide_clamp(vd_wide x, vd_wide least, vd_wide most) {
  return vd_wide_min(vd_wide_max(x, least), most);
}

VD_INLINE vd_wide vd_wide_abs(vd_wide x) {
  return (vd_wide)((vd_wide_mask)x & INT64_MAX);
}

/* Returns x with its sign reversed in the lanes where `sign` is negative. */
VD_INLINE vd_wide vd_wide_signed(vd_wide x, vd_wide sign) {
  return (vd_wide)((vd_wide_mask)x ^ ((vd_wide_mask)sign & INT64_MIN));
}

/* True if any lane is not zero. */
VD_INLINE bool vd_wide_any(vd_wide v) {
  vd_wide_mask other = v != 0.0;
  return (other[0] | other[1] | other[2] | other[3]) != 0;
}

/* Adds left and right first, then the axles: mirrored cars have the same sum to the last bit. */
VD_INLINE double vd_wide_sum(vd_wide v) {
  return (v[0] + v[1]) + (v[2] + v[3]);
}

VD_INLINE vd_wide vd_wide_dot(vd_wide3 a, vd_wide3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

VD_INLINE vd_wide3 vd_wide_cross(vd_wide3 a, vd_wide3 b) {
  return (vd_wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

VD_INLINE vd_wide3 vd_wide_scaled(vd_wide s, vd_wide3 a) {
  return (vd_wide3){s * a.x, s * a.y, s * a.z};
}

VD_INLINE vd_wide3 vd_wide_plus(vd_wide3 a, vd_wide3 b) {
  return (vd_wide3){a.x + b.x, a.y + b.y, a.z + b.z};
}

/* Exchanges the numbers of left and right wheel of each axle. */
VD_INLINE vd_wide vd_wide_swapped(vd_wide v) {
  return __builtin_shufflevector(v, v, 1, 0, 3, 2);
}

VD_INLINE vd_wide3 vd_wide3_swapped(vd_wide3 v) {
  return (vd_wide3){vd_wide_swapped(v.x), vd_wide_swapped(v.y), vd_wide_swapped(v.z)};
}

/* Sets both lanes of each axle to the sum of left and right. */
VD_INLINE vd_wide vd_wide_pairs(vd_wide v) {
  return v + vd_wide_swapped(v);
}

/* Sums each of four vectors, with the same bits as vd_wide_sum. */
VD_INLINE vd_wide vd_wide_sums(vd_wide a, vd_wide b, vd_wide c, vd_wide d) {
  vd_wide ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  vd_wide cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

/* Transposes a matrix of four rows. */
VD_INLINE void vd_wide_turned(const vd_wide *row, vd_wide *column) {
  vd_wide va = row[0], vb = row[1], vc = row[2], vd = row[3];
  vd_wide ab = __builtin_shufflevector(va, vb, 0, 4, 2, 6), ab1 = __builtin_shufflevector(va, vb, 1, 5, 3, 7);
  vd_wide cd = __builtin_shufflevector(vc, vd, 0, 4, 2, 6), cd1 = __builtin_shufflevector(vc, vd, 1, 5, 3, 7);
  column[0] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
  column[1] = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
  column[2] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
  column[3] = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

VD_INLINE void vd_wide_columns(const double *a, const double *b, const double *c, const double *d, vd_wide *column) {
  const vd_wide row[4] = {vd_wide_load(a), vd_wide_load(b), vd_wide_load(c), vd_wide_load(d)};
  vd_wide_turned(row, column);
}

/* Sums each of four vectors over both axles. Left and right lanes of each vector must be equal. */
VD_INLINE vd_wide vd_wide_sums_both(vd_wide a, vd_wide b, vd_wide c, vd_wide d) {
  vd_wide ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), cd = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

/* Load and store the vectors of four wheels from and to arrays [3][4]. */
VD_INLINE vd_wide3 vd_wide3_load(const double *v) {
  return (vd_wide3){vd_wide_load(v), vd_wide_load(v + VD_WHEELS), vd_wide_load(v + 2 * VD_WHEELS)};
}

VD_INLINE void vd_wide3_store(vd_wide3 v, double *to) {
  vd_wide_store(v.x, to);
  vd_wide_store(v.y, to + VD_WHEELS);
  vd_wide_store(v.z, to + 2 * VD_WHEELS);
}

/* Repeats one vector for all four wheels. */
VD_INLINE vd_wide3 vd_wide3_repeat(const double *v) {
  vd_wide zero = {0.0, 0.0, 0.0, 0.0};
  return (vd_wide3){zero + v[0], zero + v[1], zero + v[2]};
}

#endif
