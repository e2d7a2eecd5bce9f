/* Cubic splines at equal steps with two continuous derivatives, over one axis or as products over two axes: values of
 * the basis, and fits of the coefficients (de Boor, A Practical Guide to Splines, ch. IV and XVII; not-a-knot ends). */
#ifndef VD_BSPLINE_H
#define VD_BSPLINE_H

#include "base/wide.h"

#include <stddef.h>

enum { VD_BSPLINE_ENDS = 3 }; /* a spline of n cells has n + 3 coefficients */

typedef struct vd_axis {
  double from, step, per_step; /* in the unit of the argument (m, rad ...); per_step: 1/step */
  int cells;
} vd_axis;

/* Divides a range into at least three cells, each at most about as long as `about`. */
vd_axis vd_axis_make(double from, double to, double about);
double vd_axis_node(const vd_axis *a, int i);
/* Divides the range of another axis in the same way. */
static inline vd_axis vd_axis_coarse(const vd_axis *fine, double about) {
  return vd_axis_make(fine->from, fine->from + fine->cells * fine->step, about);
}

/* Returns the cell that contains `at`, and the values and derivatives of its four splines there. Beyond the ends the
 * last cubics continue. */
VD_INLINE int vd_bspline_basis(const vd_axis *a, double at, double *b, double *b1) {
  double u = (at - a->from) * a->per_step, top = a->cells - 1;
  int cell = (int)vd_fast_min(vd_fast_max(u, 0.0), top);
  double t = u - cell, s = 1.0 - t, t2 = t * t, s2 = s * s;
  b[0] = s2 * s * (1.0 / 6.0);
  b[1] = (3.0 * t2 * t - 6.0 * t2 + 4.0) * (1.0 / 6.0);
  b[2] = (3.0 * s2 * s - 6.0 * s2 + 4.0) * (1.0 / 6.0);
  b[3] = t2 * t * (1.0 / 6.0);
  b1[0] = -0.5 * s2 * a->per_step;
  b1[1] = (1.5 * t2 - 2.0 * t) * a->per_step;
  b1[2] = (2.0 * s - 1.5 * s2) * a->per_step;
  b1[3] = 0.5 * t2 * a->per_step;
  return cell;
}

/* Computes the second derivatives of the four splines. */
VD_INLINE void vd_bspline_second_basis(const vd_axis *a, double at, int cell, double *b2) {
  double t = (at - a->from) * a->per_step - cell, scale = a->per_step * a->per_step;
  b2[0] = (1.0 - t) * scale;
  b2[1] = (3.0 * t - 2.0) * scale;
  b2[2] = (1.0 - 3.0 * t) * scale;
  b2[3] = t * scale;
}

/* The values b and the derivatives b1 of the four splines of one axis at an argument. The numbers of neighbouring
 * splines are `apart` places from each other in memory. */
typedef struct vd_bsplines_at {
  const double *b, *b1;
  int apart;
} vd_bsplines_at;

/* Evaluates `width` functions, a multiple of 4, and their derivatives, each a sum of products of splines over two axes.
 * `from` points to the `width` coefficients of the first spline of both axes; two neighbouring splines of `along` are
 * `row` numbers apart. */
VD_INLINE void vd_bspline_product(const double *from, ptrdiff_t row, int width, vd_bsplines_at along,
                                  vd_bsplines_at across, double *value, double *by_along, double *by_across) {
  vd_wide b[4], b1[4], zero = vd_wide_of(0.0);
  for (int i = 0; i < 4; i++) {
    b[i] = vd_wide_of(across.b[i * across.apart]);
    b1[i] = vd_wide_of(across.b1[i * across.apart]);
  }
  for (int k = 0; k < width; k += 4) {
    vd_wide sums = zero, sums1 = zero, sums2 = zero; /* the first terms replace them: -0 stays -0 */
    for (int i = 0; i < 4; i++) {
      const double *c = from + i * row + k;
      vd_wide own = vd_wide_of(along.b[i * along.apart]), own1 = vd_wide_of(along.b1[i * along.apart]);
      vd_wide c0 = vd_wide_load(c), c1 = vd_wide_load(c + width);
      vd_wide c2 = vd_wide_load(c + 2 * width), c3 = vd_wide_load(c + 3 * width);
      vd_wide sum = b[0] * c0 + b[1] * c1 + b[2] * c2 + b[3] * c3;
      vd_wide slope = b1[0] * c0 + b1[1] * c1 + b1[2] * c2 + b1[3] * c3;
      if (i == 0) {
        sums = own * sum;
        sums1 = own1 * sum;
        sums2 = own * slope;
      } else {
        sums += own * sum;
        sums1 += own1 * sum;
        sums2 += own * slope;
      }
    }
    vd_wide_store(sums, value + k);
    vd_wide_store(sums1, by_along + k);
    vd_wide_store(sums2, by_across + k);
  }
}

/* The factorised equations for the coefficients c of a spline through values f at cells + 1 nodes: (c[i-1] + 4 c[i] +
 * c[i+1])/6 = f[i], and the third derivative does not jump at the second node and the last node but one. */
typedef struct vd_bspline_fitter {
  size_t count;
  double *factors;
  size_t *order;
} vd_bspline_fitter;

vd_bspline_fitter vd_bspline_fitter_make(int cells);
void vd_bspline_fitter_free(vd_bspline_fitter *f);
/* Fits `width' functions at once, side by side: value[cells + 1][value_pitch], coefficient[cells + 3][pitch]. */
void vd_bspline_fit(const vd_bspline_fitter *f, size_t width, const double *value, size_t value_pitch,
                    double *coefficient, size_t pitch);

/* Fits `width` functions of two axes at once. value: [along.cells + 1][across.cells + 1], `pitch` numbers from node to
 * node; coefficient: [along.cells + 3][across.cells + 3][width]. If `across` has no cells, there is one column. */
void vd_bspline_fit_product(const vd_axis *along, const vd_axis *across, size_t width, const double *value,
                            size_t pitch, double *coefficient);
static inline size_t vd_bspline_places(const vd_axis *along, const vd_axis *across) {
  return (size_t)(along->cells + VD_BSPLINE_ENDS) * (size_t)(across->cells ? across->cells + VD_BSPLINE_ENDS : 1);
}

#endif
