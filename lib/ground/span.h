/* Bounds of heights over a piece of the road, by interval arithmetic with profiles and their first two derivatives. The
 * search for the contact point (height_contact.c) relies on them: they may be too wide, but never too narrow. The
 * second derivative is called bend. */
#ifndef VD_SPAN_H
#define VD_SPAN_H

#include "base/base.h"
#include "base/elementary.h"
#include "ground/road.h"

#include <math.h>
#include <stdbool.h>

typedef struct vd_range {
  double low, high;
} vd_range;

/* A rectangle of the road, world; a side may be at infinity. */
typedef struct vd_box {
  vd_range x, y; /* m */
} vd_box;

/* Upper bounds of d2z/dx2, d2z/dy2 (upward bends) and |d2z/dxdy| within a box. They are at least 0, and infinite where
 * the slope may jump upwards. */
typedef struct vd_curvature_bounds {
  double xx, yy, xy; /* 1/m */
} vd_curvature_bounds;

/* A function of one coordinate within a range. */
typedef struct vd_span {
  vd_range value, slope, bend; /* ranges of the function, its first and its second derivative */
} vd_span;

/* --- ranges --- */

/* Returns the product of two bounds. 0 times infinity is 0, because a factor with the bound 0 is 0 everywhere. */
static inline double vd_range_part(double a, double b) {
  return a == 0.0 || b == 0.0 ? 0.0 : a * b;
}

static inline vd_range vd_range_times(vd_range a, vd_range b) {
  double p = vd_range_part(a.low, b.low), q = vd_range_part(a.low, b.high);
  double r = vd_range_part(a.high, b.low), s = vd_range_part(a.high, b.high);
  return (vd_range){vd_fast_min(vd_fast_min(p, q), vd_fast_min(r, s)),
                    vd_fast_max(vd_fast_max(p, q), vd_fast_max(r, s))};
}

static inline vd_range vd_range_plus(vd_range a, vd_range b) {
  return (vd_range){a.low + b.low, a.high + b.high};
}

static inline vd_range vd_range_scaled(vd_range a, double factor) {
  return vd_range_times(a, (vd_range){factor, factor});
}

/* Returns the smallest range that contains both. */
static inline vd_range vd_range_hull(vd_range a, vd_range b) {
  return (vd_range){vd_fast_min(a.low, b.low), vd_fast_max(a.high, b.high)};
}

/* Clamps a range between two bounds. */
static inline vd_range vd_range_clamped(vd_range a, double low, double high) {
  return (vd_range){vd_fast_min(vd_fast_max(a.low, low), high), vd_fast_min(vd_fast_max(a.high, low), high)};
}

static inline bool vd_range_overlaps(vd_range a, double low, double high) {
  return a.high > low && a.low < high;
}

static inline double vd_range_size(vd_range a) {
  return vd_fast_max(fabs(a.low), fabs(a.high));
}

/* --- spans --- */

static inline vd_span vd_span_constant(double value) {
  return (vd_span){{value, value}, {0.0, 0.0}, {0.0, 0.0}};
}

static inline vd_span vd_span_plus(vd_span a, vd_span b) {
  return (vd_span){vd_range_plus(a.value, b.value), vd_range_plus(a.slope, b.slope), vd_range_plus(a.bend, b.bend)};
}

static inline vd_span vd_span_times(vd_span a, vd_span b) {
  vd_range cross = vd_range_scaled(vd_range_times(a.slope, b.slope), 2.0);
  return (vd_span){
      vd_range_times(a.value, b.value),
      vd_range_plus(vd_range_times(a.slope, b.value), vd_range_times(a.value, b.slope)),
      vd_range_plus(vd_range_plus(vd_range_times(a.bend, b.value), vd_range_times(a.value, b.bend)), cross)};
}

static inline vd_span vd_span_scaled(vd_span a, double factor) {
  return (vd_span){vd_range_scaled(a.value, factor), vd_range_scaled(a.slope, factor), vd_range_scaled(a.bend, factor)};
}

/* Returns bounds of f(u(x)) by the chain rule, from bounds of f over the range of u. */
static inline vd_span vd_span_of(vd_span f, vd_span u) {
  vd_range square = vd_range_times(u.slope, u.slope);
  return (vd_span){f.value, vd_range_times(f.slope, u.slope),
                   vd_range_plus(vd_range_times(f.bend, square), vd_range_times(f.slope, u.bend))};
}

/* Returns bounds of u = (x - from) per. */
static inline vd_span vd_span_line(vd_range x, double from, double per) {
  return (vd_span){vd_range_scaled((vd_range){x.low - from, x.high - from}, per), {per, per}, {0.0, 0.0}};
}

/* Returns the range of f over a range of u, from its values at both ends and at the extremes of f between them. */
static inline vd_range vd_range_of_extremes(double (*f)(double), vd_range u, int count, const double *extreme) {
  double a = f(u.low), b = f(u.high);
  vd_range all = {vd_fast_min(a, b), vd_fast_max(a, b)};
  for (int i = 0; i < count; i++)
    if (u.low < extreme[i] && u.high > extreme[i]) {
      double c = f(extreme[i]);
      all = vd_range_hull(all, (vd_range){c, c});
    }
  return all;
}

static inline double vd_smooth_step_slope(double u) {
  return 30.0 * u * u * (1.0 - u) * (1.0 - u);
}

static inline double vd_smooth_step_bend(double u) {
  return 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u);
}

/* Returns bounds of vd_smooth_step, whose bend is extreme at 1/2 -+ 1/sqrt(12). Below 0 and above 1 it is constant. */
static inline vd_span vd_span_smooth_step(vd_range u) {
  static const double slope_extreme[] = {0.5}, bend_extreme[] = {0.21132486540518712, 0.78867513459481288};
  vd_range clamped = vd_range_clamped(u, 0.0, 1.0);
  double unused;
  return (vd_span){{vd_smooth_step(clamped.low, &unused), vd_smooth_step(clamped.high, &unused)},
                   vd_range_of_extremes(vd_smooth_step_slope, clamped, 1, slope_extreme),
                   vd_range_of_extremes(vd_smooth_step_bend, clamped, 2, bend_extreme)};
}

/* Returns bounds of the smooth step of u(x). */
static inline vd_span vd_span_rise(vd_span u) {
  return vd_span_of(vd_span_smooth_step(u.value), u);
}

/* Returns bounds of vd_window. */
static inline vd_span vd_span_window(double from, double to, double edge, vd_range x) {
  return vd_span_times(vd_span_rise(vd_span_line(x, from, 1.0 / edge)), vd_span_rise(vd_span_line(x, to, -1.0 / edge)));
}

/* Returns bounds of a sine within `half` of the middle m of a range, by |sin(m + d) - sin(m) cos(d)| <= |cos(m)
 * sin(d)|; value, slope: sin(m) and cos(m). */
static inline vd_range vd_range_near(double value, double slope, double half) {
  double turn = vd_fast_min(half, 0.5 * VD_PI), off = fabs(slope) * vd_fast_min(half, 1.0), fall = 0.5 * turn * turn;
  return vd_range_clamped((vd_range){value - off - fall, value + off + fall}, -1.0, 1.0);
}

static inline vd_span vd_span_sine(vd_range u) {
  double half = 0.5 * (u.high - u.low), middle = 0.5 * (u.low + u.high);
  vd_range any = {-1.0, 1.0}, sine = any, cosine = any;
  if (half < 0.5 * VD_PI) {
    double s = vd_sin(middle), c = vd_cos(middle);
    sine = vd_range_near(s, c, half);
    cosine = vd_range_near(c, s, half);
  }
  return (vd_span){sine, cosine, vd_range_scaled(sine, -1.0)};
}

/* Returns bounds of vd_smooth_bound. */
static inline vd_span vd_span_bound(vd_range n, double from, double to, double edge) {
  vd_span share = vd_span_constant(1.0);
  double unused;
  if (!isnan(from)) {
    n = vd_range_clamped(n, from - edge, INFINITY);
    share = vd_span_rise(vd_span_line(n, from - 0.5 * edge, 1.0 / edge));
  }
  if (!isnan(to)) {
    n = vd_range_clamped(n, -INFINITY, to + edge);
    share = vd_span_times(share, vd_span_rise(vd_span_line(n, to + 0.5 * edge, -1.0 / edge)));
  }
  return (vd_span){{vd_smooth_bound(n.low, from, to, edge, &unused), vd_smooth_bound(n.high, from, to, edge, &unused)},
                   share.value,
                   share.slope};
}

/* --- bends --- */

/* Returns the range of the distance rho from a vertical axis within a box, for a surface of revolution f(rho), whose
 * second derivatives are f'' along rho and f'/rho across. box: relative to the axis; least: m, radius within which f is
 * level. */
static inline vd_range vd_range_of_radius(const vd_box *box, double least) {
  double x = vd_fast_max(0.0, vd_fast_max(box->x.low, -box->x.high)),
         y = vd_fast_max(0.0, vd_fast_max(box->y.low, -box->y.high));
  double far = sqrt(vd_range_size(box->x) * vd_range_size(box->x) + vd_range_size(box->y) * vd_range_size(box->y));
  return vd_range_clamped((vd_range){sqrt(x * x + y * y), far}, least, INFINITY);
}

static inline vd_curvature_bounds vd_curvature_of_revolution(vd_span f, vd_range rho) {
  double across = vd_range_times(f.slope, (vd_range){1.0 / rho.high, 1.0 / rho.low}).high;
  double most = vd_fast_max(0.0, vd_fast_max(f.bend.high, across));
  return (vd_curvature_bounds){most, most, 0.0};
}

/* Returns bounds for a(x) b(y). */
static inline vd_curvature_bounds vd_curvature_of_product(vd_span a, vd_span b) {
  return (vd_curvature_bounds){vd_fast_max(0.0, vd_range_times(a.bend, b.value).high),
                               vd_fast_max(0.0, vd_range_times(a.value, b.bend).high),
                               vd_range_size(vd_range_times(a.slope, b.slope))};
}

static inline vd_curvature_bounds vd_curvature_hull(vd_curvature_bounds a, vd_curvature_bounds b) {
  return (vd_curvature_bounds){vd_fast_max(a.xx, b.xx), vd_fast_max(a.yy, b.yy), vd_fast_max(a.xy, b.xy)};
}

/* Returns bounds for a profile along x that vd_raise_between adds. */
static inline vd_curvature_bounds vd_curvature_between(const vd_sides *sides, vd_span profile, vd_range y) {
  double per = 1.0 / sides->edge;
  vd_span share = vd_span_constant(1.0);
  if (!isnan(sides->y_from))
    share = vd_span_rise(vd_span_line(y, sides->y_from - 0.5 * sides->edge, per));
  if (!isnan(sides->y_to))
    share = vd_span_times(share, vd_span_rise(vd_span_line(y, sides->y_to + 0.5 * sides->edge, -per)));
  return vd_curvature_of_product(profile, share);
}

#endif
