/* Smooth curves through points: cubics with the slopes of Steffen (math/steffen.h), and straight lines beyond both
 * ends. Points that rise give a curve that rises. */
#ifndef VD_CURVE_H
#define VD_CURVE_H

#include "base/list.h"

enum { VD_CURVE_POINTS = 101, VD_CURVE_BINS = 256 };

/* y = a + s (b + s (c + s d)), s = x - x[i], from point i to the next. A table of equal bins of x finds the piece. */
typedef struct vd_curve {
  int count; /* 0: there is no curve */
  double x[VD_CURVE_POINTS], a[VD_CURVE_POINTS], b[VD_CURVE_POINTS], c[VD_CURVE_POINTS], d[VD_CURVE_POINTS];
  double area[VD_CURVE_POINTS]; /* integral of y from x[0] to x[i] */
  double bins_per_x;
  unsigned char first[VD_CURVE_BINS]; /* point at or before the bin's start */
} vd_curve;

/* Builds a curve through 2 to VD_CURVE_POINTS points whose x rise. */
void vd_curve_build(const vd_points *points, vd_curve *curve);
/* Replaces the slope at the last point and beyond it. */
void vd_curve_end(vd_curve *curve, double slope);
double vd_curve_at(const vd_curve *curve, double x, double *slope); /* slope may be NULL */
/* Returns the integral of y from x[0] to x. */
double vd_curve_integral(const vd_curve *curve, double x);
/* Returns the x, between the first and the last point, at which a rising curve has the value y, to the last bit. */
double vd_curve_inverse(const vd_curve *curve, double y);
/* Returns the greatest slope anywhere. */
double vd_curve_steepest(const vd_curve *curve);

#endif
