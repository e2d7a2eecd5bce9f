/* Cubic splines through points at any steps, with two continuous derivatives, in Hermite's form: a value and a slope at
 * each point. The third derivative does not jump at the second point and the last but one (de Boor, A Practical Guide
 * to Splines, ch. IV: not-a-knot), so that a cubic is met exactly. Three points make a parabola, two a line, one a
 * constant. */
#ifndef VD_CUBIC_H
#define VD_CUBIC_H

#include <stddef.h>

/* Slopes of the spline through y over rising x; y and slope: `stride` doubles apart. */
void vd_cubic_slopes(const double *x, size_t count, const double *y, size_t stride, double *slope);

/* The spline at a place, and its slope; beyond the ends the last cubics go on. */
double vd_cubic_at(const double *x, size_t count, const double *y, const double *slope, size_t stride, double at,
                   double *derivative);

#endif
