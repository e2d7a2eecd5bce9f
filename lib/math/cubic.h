/* Cubic splines through points at any steps, with two continuous derivatives, in Hermite's form: a value and a slope at
 * each point. The third derivative does not jump at the second point and the last but one (de Boor, A Practical Guide
 * to Splines, ch. IV: not-a-knot), so that points of a cubic give that cubic exactly. Three points give a parabola, two
 * points a line, one point a constant. */
#ifndef VD_CUBIC_H
#define VD_CUBIC_H

#include <stddef.h>

/* Computes the slopes of the spline through y over rising x. Entries of y and slope are `stride` doubles apart. */
void vd_cubic_slopes(const double *x, size_t count, const double *y, size_t stride, double *slope);

/* The spline at a place is the sum of the values and slopes of two points times these weights; by_value and by_slope
 * are the weights of its derivative. Beyond the ends the last cubics continue. If there is only one point, it is used
 * as both. */
typedef struct vd_cubic_place {
  size_t point[2];
  double value[2], slope[2], by_value[2], by_slope[2];
} vd_cubic_place;

vd_cubic_place vd_cubic_find(const double *x, size_t count, double at);

#endif
