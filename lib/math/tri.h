/* Numbers with three infinitesimals a, b, c, whose squares are 0: a function of them has its mixed third derivative by
 * three directions as the factor of a b c, and those of lower orders beside it.
 *
 * Truncated Taylor arithmetic as in math/jet.h; see there. */
#ifndef VD_TRI_H
#define VD_TRI_H

#include "base/base.h"
#include "base/elementary.h"

#include <math.h>

/* Places of the factors: bits. */
enum { VD_TRI_A = 1, VD_TRI_B = 2, VD_TRI_C = 4, VD_TRI_PARTS = 8 };

typedef struct vd_tri {
  double c[VD_TRI_PARTS];
} vd_tri;

typedef struct vd_tri3 {
  vd_tri v[3];
} vd_tri3;

static inline vd_tri vd_tri_of(double x) {
  return (vd_tri){{x}};
}

static inline vd_tri vd_tri_add(vd_tri x, vd_tri y) {
  for (int i = 0; i < VD_TRI_PARTS; i++)
    x.c[i] += y.c[i];
  return x;
}

static inline vd_tri vd_tri_sub(vd_tri x, vd_tri y) {
  for (int i = 0; i < VD_TRI_PARTS; i++)
    x.c[i] -= y.c[i];
  return x;
}

static inline vd_tri vd_tri_scale(double p, vd_tri x) {
  for (int i = 0; i < VD_TRI_PARTS; i++)
    x.c[i] *= p;
  return x;
}

/* x y of numbers with a and b alone, added to r. */
static inline void vd_tri_mul_half(const double *x, const double *y, double *r) {
  r[0] += x[0] * y[0];
  r[1] += x[0] * y[1] + x[1] * y[0];
  r[2] += x[0] * y[2] + x[2] * y[0];
  r[3] += x[0] * y[3] + x[1] * y[2] + x[2] * y[1] + x[3] * y[0];
}

static inline vd_tri vd_tri_mul(vd_tri x, vd_tri y) {
  vd_tri r = {{0.0}};
  vd_tri_mul_half(x.c, y.c, r.c);
  vd_tri_mul_half(x.c, y.c + VD_TRI_C, r.c + VD_TRI_C);
  vd_tri_mul_half(x.c + VD_TRI_C, y.c, r.c + VD_TRI_C);
  return r;
}

/* f(x), from the values of f and its three derivatives at x. */
static inline vd_tri vd_tri_chain(vd_tri x, double f, double f1, double f2, double f3) {
  x.c[0] = 0.0;
  vd_tri square = vd_tri_mul(x, x), r = vd_tri_scale(f3 / 6.0, vd_tri_mul(square, x));
  for (int i = 1; i < VD_TRI_PARTS; i++)
    r.c[i] += f1 * x.c[i] + 0.5 * f2 * square.c[i];
  r.c[0] = f;
  return r;
}

static inline vd_tri vd_tri_inverse(vd_tri x) {
  double f = 1.0 / x.c[0];
  return vd_tri_chain(x, f, -f * f, 2.0 * f * f * f, -6.0 * f * f * f * f);
}

static inline vd_tri vd_tri_div(vd_tri x, vd_tri y) {
  return vd_tri_mul(x, vd_tri_inverse(y));
}

static inline vd_tri vd_tri_sqrt(vd_tri x) {
  double f = sqrt(x.c[0]), inverse = 1.0 / x.c[0];
  return vd_tri_chain(x, f, 0.5 * f * inverse, -0.25 * f * inverse * inverse, 0.375 * f * inverse * inverse * inverse);
}

static inline vd_tri3 vd_tri3_of(const double *v) {
  return (vd_tri3){{vd_tri_of(v[0]), vd_tri_of(v[1]), vd_tri_of(v[2])}};
}

static inline vd_tri3 vd_tri3_add(vd_tri3 x, vd_tri3 y) {
  for (int i = 0; i < 3; i++)
    x.v[i] = vd_tri_add(x.v[i], y.v[i]);
  return x;
}

static inline vd_tri3 vd_tri3_sub(vd_tri3 x, vd_tri3 y) {
  for (int i = 0; i < 3; i++)
    x.v[i] = vd_tri_sub(x.v[i], y.v[i]);
  return x;
}

static inline vd_tri3 vd_tri3_scale(double p, vd_tri3 x) {
  for (int i = 0; i < 3; i++)
    x.v[i] = vd_tri_scale(p, x.v[i]);
  return x;
}

static inline vd_tri3 vd_tri3_times(vd_tri p, vd_tri3 x) {
  for (int i = 0; i < 3; i++)
    x.v[i] = vd_tri_mul(p, x.v[i]);
  return x;
}

static inline vd_tri vd_tri3_dot(vd_tri3 x, vd_tri3 y) {
  return vd_tri_add(vd_tri_mul(x.v[0], y.v[0]), vd_tri_add(vd_tri_mul(x.v[1], y.v[1]), vd_tri_mul(x.v[2], y.v[2])));
}

/* By a constant vector. */
static inline vd_tri vd_tri3_along(const double *n, vd_tri3 x) {
  return vd_tri_add(vd_tri_scale(n[0], x.v[0]), vd_tri_add(vd_tri_scale(n[1], x.v[1]), vd_tri_scale(n[2], x.v[2])));
}

static inline vd_tri3 vd_tri3_cross(vd_tri3 x, vd_tri3 y) {
  vd_tri3 r;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    r.v[i] = vd_tri_sub(vd_tri_mul(x.v[j], y.v[k]), vd_tri_mul(x.v[k], y.v[j]));
  }
  return r;
}

static inline vd_tri vd_tri3_length(vd_tri3 x) {
  return vd_tri_sqrt(vd_tri3_dot(x, x));
}

static inline vd_tri3 vd_tri3_unit(vd_tri3 x) {
  return vd_tri3_times(vd_tri_inverse(vd_tri3_length(x)), x);
}

/* Its image on the other side of the plane y = 0. */
static inline vd_tri3 vd_tri3_mirrored(vd_tri3 x) {
  x.v[1] = vd_tri_scale(-1.0, x.v[1]);
  return x;
}

/* x without its part along the unit vector e. */
static inline vd_tri3 vd_tri3_across(vd_tri3 x, vd_tri3 e) {
  return vd_tri3_sub(x, vd_tri3_times(vd_tri3_dot(x, e), e));
}

#endif
