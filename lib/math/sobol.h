/* Sobol's sequence of points that fill a cube evenly. Its direction numbers are those of P. Bratley and B. L. Fox,
 * Algorithm 659, ACM Trans. Math. Software 14 (1988) 88, its order is that of I. A. Antonov and V. M. Saleev (1979). */
#ifndef VD_SOBOL_H
#define VD_SOBOL_H

#include <stddef.h>

enum { VD_SOBOL_MOST = 40 }; /* dimensions for which direction numbers exist */

/* Computes point i of the sequence, from 0, in the cube 0 ... 1. The numbers are multiples of 2^-30, without rounding;
 * i < 2^30 - 1. Point 0 is the middle. */
void vd_sobol_point(size_t i, size_t dimensions, double *x);

#endif
