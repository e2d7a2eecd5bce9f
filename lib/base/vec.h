/* Vectors of three numbers, for code that does not compute four wheels at a time. */
#ifndef VD_VEC_H
#define VD_VEC_H

#include "base/base.h"

#include <math.h>

VD_INLINE double vd_dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out may be a or b. */
VD_INLINE void vd_cross(const double *a, const double *b, double *out) {
  double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

/* to - from */
VD_INLINE void vd_between(const double *from, const double *to, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = to[i] - from[i];
}

VD_INLINE double vd_norm(const double *a) {
  return sqrt(vd_dot(a, a));
}

VD_INLINE double vd_distance(const double *a, const double *b) {
  double d[3];
  vd_between(a, b, d);
  return vd_norm(d);
}

/* Distance of a point from the line through `from` along `axis`. */
VD_INLINE double vd_off_line(const double *from, const double *axis, const double *point) {
  double v[3], across[3];
  vd_between(from, point, v);
  vd_cross(axis, v, across);
  return vd_norm(across) / vd_norm(axis);
}

#endif
