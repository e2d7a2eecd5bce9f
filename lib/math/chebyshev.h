/* Polynomials through few places of an interval, -1 .. 1, by which smooth functions are known to rounding: the
 * Chebyshev points, here "sites" (Trefethen, Approximation Theory and Approximation Practice, ch. 2 to 8). */
#ifndef VD_CHEBYSHEV_H
#define VD_CHEBYSHEV_H

#include <stdbool.h>

enum { VD_MOST_SITES = 33 };

/* Site i of `count' along the interval; of one alone its middle. */
double vd_chebyshev_site(int i, int count);

/* Shares of the sites in the polynomial's value at a place. */
void vd_chebyshev_shares(double at, int count, double *share);

/* The last two Chebyshev coefficients of a row of sites, `width' numbers at each and `apart' sites from one to the
 * next: about what the next ones are. tail: [2][width] */
void vd_chebyshev_tails(const double *value, int count, int apart, int width, double *tail);

/* Where a polynomial's values are wanted: at so many sites, or at so many nodes at equal steps. */
typedef struct vd_chebyshev_to {
  int count;
  bool nodes;
} vd_chebyshev_to;

/* Values there from those at the sites: `rows' rows of `width' numbers each. */
void vd_chebyshev_spread(int count, vd_chebyshev_to to, int rows, int width, const double *value, double *out);

#endif
