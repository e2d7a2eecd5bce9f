/* Vectors of three numbers, for code that does not compute four wheels at a time. */
#ifndef VD_VEC_H
#define VD_VEC_H

#include "base/base.h"

#include <math.h>

static const double vd_unit_vectors[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

VD_INLINE double vd_dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Computes a x b; out may be a or b. */
VD_INLINE void vd_cross(const double *a, const double *b, double *out) {
  double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

/* Adds share v to sum. */
VD_INLINE void vd_add_share(double share, const double *v, double *sum) {
  for (int i = 0; i < 3; i++)
    sum[i] += share * v[i];
}

/* Computes the vector to - from. */
VD_INLINE void vd_between(const double *from, const double *to, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = to[i] - from[i];
}

/* Adds `share` times the moment of a force about the point `about` to sum. The force acts at the point `at`. */
VD_INLINE void vd_add_moment(double share, const double *about, const double *at, const double *force, double *sum) {
  double arm[3], moment[3];
  vd_between(about, at, arm);
  vd_cross(arm, force, moment);
  vd_add_share(share, moment, sum);
}

VD_INLINE double vd_norm(const double *a) {
  return sqrt(vd_dot(a, a));
}

/* Divides a by its length; out may be a. */
VD_INLINE void vd_normalise(const double *a, double *out) {
  double length = vd_norm(a);
  for (int i = 0; i < 3; i++)
    out[i] = a[i] / length;
}

/* Subtracts from a vector its component along a unit vector. */
VD_INLINE void vd_take_along(const double *unit, double *v) {
  double along = vd_dot(unit, v);
  for (int i = 0; i < 3; i++)
    v[i] -= along * unit[i];
}

/* Computes two unit vectors that are normal to `unit` and to each other. */
VD_INLINE void vd_across(const double *unit, double *first, double *second) {
  int least = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(unit[i]) < fabs(unit[least]))
      least = i;
  vd_cross(unit, vd_unit_vectors[least], first);
  vd_normalise(first, first);
  vd_cross(unit, first, second);
}

VD_INLINE double vd_distance(const double *a, const double *b) {
  double d[3];
  vd_between(a, b, d);
  return vd_norm(d);
}

/* Returns the distance of a point from the line through `from` along `axis`. */
VD_INLINE double vd_off_line(const double *from, const double *axis, const double *point) {
  double v[3], across[3];
  vd_between(from, point, v);
  vd_cross(axis, v, across);
  return vd_norm(across) / vd_norm(axis);
}

#endif
