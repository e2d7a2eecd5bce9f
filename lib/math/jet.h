/* Numbers with their first and second derivatives with respect to two inputs. A result computed with such numbers from
 * the pose of a linkage has exact derivatives without further formulas.
 *
 * Truncated Taylor arithmetic (Griewank and Walther, Evaluating Derivatives, SIAM 2008, chapter 13). */
#ifndef VD_JET_H
#define VD_JET_H

#include "base/base.h"
#include "base/elementary.h"

#include <math.h>

enum { VD_INPUTS = 2 }; /* for a linkage: travel and rack, or both travels of an axle */
enum vd_second {
  VD_UU,
  VD_UV,
  VD_VV,
  VD_SECONDS
}; /* second derivatives: twice by the first input, by both, twice by the second */

typedef struct vd_jet {
  double v;             /* value */
  double d[VD_INPUTS];  /* first derivatives */
  double h[VD_SECONDS]; /* second derivatives */
} vd_jet;

typedef struct vd_jet3 {
  vd_jet x, y, z;
} vd_jet3;

static inline vd_jet vd_jet_constant(double v) {
  return (vd_jet){.v = v};
}

/* Returns f(a), from the values of f, f' and f'' at a. */
static inline vd_jet vd_jet_chain(vd_jet a, double f, double slope, double curvature) {
  return (vd_jet){f,
                  {slope * a.d[0], slope * a.d[1]},
                  {slope * a.h[VD_UU] + curvature * a.d[0] * a.d[0], slope * a.h[VD_UV] + curvature * a.d[0] * a.d[1],
                   slope * a.h[VD_VV] + curvature * a.d[1] * a.d[1]}};
}

/* Returns p a + q b. */
static inline vd_jet vd_jet_blend(double p, vd_jet a, double q, vd_jet b) {
  vd_jet r = {.v = p * a.v + q * b.v};
  for (int i = 0; i < VD_INPUTS; i++)
    r.d[i] = p * a.d[i] + q * b.d[i];
  for (int i = 0; i < VD_SECONDS; i++)
    r.h[i] = p * a.h[i] + q * b.h[i];
  return r;
}

static inline vd_jet vd_jet_add(vd_jet a, vd_jet b) {
  return vd_jet_blend(1.0, a, 1.0, b);
}

static inline vd_jet vd_jet_sub(vd_jet a, vd_jet b) {
  return vd_jet_blend(1.0, a, -1.0, b);
}

static inline vd_jet vd_jet_scale(double p, vd_jet a) {
  return vd_jet_chain(a, p * a.v, p, 0.0);
}

static inline vd_jet vd_jet_mul(vd_jet a, vd_jet b) {
  return (vd_jet){a.v * b.v,
                  {a.d[0] * b.v + a.v * b.d[0], a.d[1] * b.v + a.v * b.d[1]},
                  {a.h[VD_UU] * b.v + 2.0 * a.d[0] * b.d[0] + a.v * b.h[VD_UU],
                   a.h[VD_UV] * b.v + a.d[0] * b.d[1] + a.d[1] * b.d[0] + a.v * b.h[VD_UV],
                   a.h[VD_VV] * b.v + 2.0 * a.d[1] * b.d[1] + a.v * b.h[VD_VV]}};
}

static inline vd_jet vd_jet_inverse(vd_jet a) {
  double f = 1.0 / a.v;
  return vd_jet_chain(a, f, -f * f, 2.0 * f * f * f);
}

static inline vd_jet vd_jet_div(vd_jet a, vd_jet b) {
  return vd_jet_mul(a, vd_jet_inverse(b));
}

static inline vd_jet vd_jet_sqrt(vd_jet a) {
  double f = sqrt(a.v), slope = 0.5 / f;
  return vd_jet_chain(a, f, slope, -0.5 * slope / a.v);
}

/* Returns the angle of (x, y). */
static inline vd_jet vd_jet_atan2(vd_jet y, vd_jet x) {
  static const int first[VD_SECONDS] = {0, 0, 1}, second[VD_SECONDS] = {0, 1, 1};
  double scale = 1.0 / (x.v * x.v + y.v * y.v), gx = -y.v * scale, gy = x.v * scale;
  double hxx = -2.0 * gx * gy, hxy = gx * gx - gy * gy;
  vd_jet r = {.v = vd_atan2(y.v, x.v)};
  for (int i = 0; i < VD_INPUTS; i++)
    r.d[i] = gx * x.d[i] + gy * y.d[i];
  for (int k = 0; k < VD_SECONDS; k++) {
    int i = first[k], j = second[k];
    r.h[k] = gx * x.h[k] + gy * y.h[k] + hxx * (x.d[i] * x.d[j] - y.d[i] * y.d[j]) +
             hxy * (x.d[i] * y.d[j] + y.d[i] * x.d[j]);
  }
  return r;
}

static inline vd_jet3 vd_jet3_constant(const double *v) {
  return (vd_jet3){vd_jet_constant(v[0]), vd_jet_constant(v[1]), vd_jet_constant(v[2])};
}

static inline void vd_jet3_value(vd_jet3 a, double *v) {
  v[0] = a.x.v;
  v[1] = a.y.v;
  v[2] = a.z.v;
}

static inline vd_jet3 vd_jet3_sub(vd_jet3 a, vd_jet3 b) {
  return (vd_jet3){vd_jet_sub(a.x, b.x), vd_jet_sub(a.y, b.y), vd_jet_sub(a.z, b.z)};
}

static inline vd_jet3 vd_jet3_add(vd_jet3 a, vd_jet3 b) {
  return (vd_jet3){vd_jet_add(a.x, b.x), vd_jet_add(a.y, b.y), vd_jet_add(a.z, b.z)};
}

static inline vd_jet3 vd_jet3_scale(vd_jet p, vd_jet3 a) {
  return (vd_jet3){vd_jet_mul(p, a.x), vd_jet_mul(p, a.y), vd_jet_mul(p, a.z)};
}

static inline vd_jet vd_jet3_dot(vd_jet3 a, vd_jet3 b) {
  return vd_jet_add(vd_jet_mul(a.x, b.x), vd_jet_add(vd_jet_mul(a.y, b.y), vd_jet_mul(a.z, b.z)));
}

static inline vd_jet3 vd_jet3_cross(vd_jet3 a, vd_jet3 b) {
  return (vd_jet3){vd_jet_sub(vd_jet_mul(a.y, b.z), vd_jet_mul(a.z, b.y)),
                   vd_jet_sub(vd_jet_mul(a.z, b.x), vd_jet_mul(a.x, b.z)),
                   vd_jet_sub(vd_jet_mul(a.x, b.y), vd_jet_mul(a.y, b.x))};
}

static inline vd_jet vd_jet3_length(vd_jet3 a) {
  return vd_jet_sqrt(vd_jet3_dot(a, a));
}

/* Returns the vector with its y reversed. */
static inline vd_jet3 vd_jet3_mirror(vd_jet3 a) {
  a.y = vd_jet_scale(-1.0, a.y);
  return a;
}

/* Returns the first derivative along a direction of the inputs. */
static inline double vd_jet_along(vd_jet a, const double *along) {
  return a.d[0] * along[0] + a.d[1] * along[1];
}

#endif
