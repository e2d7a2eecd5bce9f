#include "math/sobol.h"

#include <stdint.h>

enum { BITS = 30 };

/* The primitive polynomial of a dimension, with its coefficients as bits, and the first numbers of the recursion, as
 * many as the degree of the polynomial. The first dimension has no polynomial: its numbers are all 1. */
/* clang-format off */
static const struct {
  uint32_t polynomial, first[8];
} dimension[VD_SOBOL_MOST] = {
    {1, {1}}, {3, {1}}, {7, {1, 1}}, {11, {1, 3, 7}}, {13, {1, 1, 5}}, {19, {1, 3, 1, 1}}, {25, {1, 1, 3, 7}},
    {37, {1, 3, 3, 9, 9}}, {59, {1, 3, 7, 13, 3}}, {47, {1, 1, 5, 11, 27}}, {61, {1, 3, 5, 1, 15}},
    {55, {1, 1, 7, 3, 29}}, {41, {1, 3, 7, 7, 21}}, {67, {1, 1, 1, 9, 23, 37}}, {97, {1, 3, 3, 5, 19, 33}},
    {91, {1, 1, 3, 13, 11, 7}}, {109, {1, 1, 7, 13, 25, 5}}, {103, {1, 3, 5, 11, 7, 11}}, {115, {1, 1, 1, 3, 13, 39}},
    {131, {1, 3, 1, 15, 17, 63, 13}}, {193, {1, 1, 5, 5, 1, 27, 33}}, {137, {1, 3, 3, 3, 25, 17, 115}},
    {145, {1, 1, 3, 15, 29, 15, 41}}, {143, {1, 3, 1, 7, 3, 23, 79}}, {241, {1, 3, 7, 9, 31, 29, 17}},
    {157, {1, 1, 5, 13, 11, 3, 29}}, {185, {1, 3, 1, 9, 5, 21, 119}}, {167, {1, 1, 3, 1, 23, 13, 75}},
    {229, {1, 3, 3, 11, 27, 31, 73}}, {171, {1, 1, 7, 7, 19, 25, 105}}, {213, {1, 3, 5, 5, 21, 9, 7}},
    {191, {1, 1, 1, 15, 5, 49, 59}}, {253, {1, 1, 1, 1, 1, 33, 65}}, {203, {1, 3, 5, 15, 17, 19, 21}},
    {211, {1, 1, 7, 11, 13, 29, 3}}, {239, {1, 3, 7, 5, 7, 11, 113}}, {247, {1, 1, 5, 3, 15, 19, 61}},
    {285, {1, 3, 1, 1, 9, 27, 89, 7}}, {369, {1, 1, 3, 7, 31, 15, 45, 23}}, {299, {1, 3, 3, 9, 9, 25, 107, 39}},
};
/* clang-format on */

/* Computes the direction numbers of a dimension, scaled to BITS bits. */
static void directions(size_t d, uint32_t *v) {
  uint32_t m[BITS];
  int degree = 0;
  while (dimension[d].polynomial >> (degree + 1))
    degree++;
  for (int j = 0; j < BITS; j++) {
    if (degree == 0)
      m[j] = 1;
    else if (j < degree)
      m[j] = dimension[d].first[j];
    else
      m[j] = m[j - degree];
    for (int k = 1; k <= degree && j >= degree; k++)
      if (dimension[d].polynomial >> (degree - k) & 1)
        m[j] ^= m[j - k] << k;
    v[j] = m[j] << (BITS - 1 - j);
  }
}

void vd_sobol_point(size_t i, size_t dimensions, double *x) {
  uint32_t gray = (uint32_t)((i + 1) ^ ((i + 1) >> 1));
  for (size_t d = 0; d < dimensions; d++) {
    uint32_t v[BITS], sum = 0;
    directions(d, v);
    for (int j = 0; j < BITS; j++)
      if (gray >> j & 1)
        sum ^= v[j];
    x[d] = (double)sum / (double)(1u << BITS);
  }
}
