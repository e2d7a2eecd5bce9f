/* Polynomials through the Chebyshev points of the interval -1 .. 1, here "sites". A few sites represent a smooth
 * function to rounding error (Trefethen, Approximation Theory and Approximation Practice, ch. 2 to 8). */
#ifndef VD_CHEBYSHEV_H
#define VD_CHEBYSHEV_H

#include <stdbool.h>

enum { VD_MOST_SITES = 33 };

/* Returns site i of `count'; a single site is the middle of the interval. */
double vd_chebyshev_site(int i, int count);

/* Computes the weights with which the values at the sites add up to the value of the polynomial at `at`. */
void vd_chebyshev_shares(double at, int count, double *share);

/* Computes the last two Chebyshev coefficients of `width` polynomials from their values at `count` sites. In `value`,
 * two neighbouring sites are apart * width numbers from each other. The coefficients that such polynomials neglect have
 * about the size of these two. tail: [2][width] */
void vd_chebyshev_tails(const double *value, int count, int apart, int width, double *tail);

/* The points at which values of a polynomial are computed: sites, or nodes at equal steps. */
typedef struct vd_chebyshev_to {
  int count;
  bool nodes;
} vd_chebyshev_to;

/* Computes the values at these points from those at the sites. value: [rows][count][width], out:
 * [rows][to.count][width] */
void vd_chebyshev_spread(int count, vd_chebyshev_to to, int rows, int width, const double *value, double *out);

#endif
