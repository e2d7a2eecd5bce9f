/* The height of a ground at one place, and the smooth curves of which profiles are made. */
#ifndef VD_ROAD_H
#define VD_ROAD_H

#include "base/wide.h"

#include <math.h>

/* The surface z(x, y) at one place. */
typedef struct vd_road {
  double z;                /* m, world */
  double slope_x, slope_y; /* dz/dx, dz/dy: exact derivatives of z */
} vd_road;

/* The keys, traits and functions of one kind of ground (ground_impl.h). */
typedef struct vd_ground_variant vd_ground_variant;

static inline void vd_raise(vd_road *road, double z, double slope_x, double slope_y) {
  road->z += z;
  road->slope_x += slope_x;
  road->slope_y += slope_y;
}

/* The heights and slopes at four places. */
typedef struct vd_roads {
  vd_wide z, slope_x, slope_y;
  vd_wide bend, bend_rate, twist; /* 1/m, 1/m2, 1/m: d2z/dx2, d3z/dx3, d2z/dxdy; only `raise_four' writes them */
} vd_roads;

#define VD_SMOOTH_STEP_SLOPE 1.875 /* the greatest slope of vd_smooth_step, at u = 1/2 */

/* Returns a step that rises from 0 to 1 for u from 0 to 1, with a continuous curvature: 10 u^3 - 15 u^4 + 6 u^5. The
 * slope is 30 u^2 (1 - u)^2. */
static inline double vd_smooth_step(double u, double *slope) {
  if (u <= 0.0 || u >= 1.0) {
    *slope = 0.0;
    return u <= 0.0 ? 0.0 : 1.0;
  }
  *slope = 30.0 * u * u * (1.0 - u) * (1.0 - u);
  return u * u * u * (10.0 + u * (-15.0 + 6.0 * u));
}

/* Computes vd_smooth_step lane by lane. */
VD_INLINE vd_wide vd_smooth_steps(vd_wide u, vd_wide *slope) {
  vd_wide none = vd_wide_of(0.0), one = vd_wide_of(1.0);
  vd_wide_mask below = u <= 0.0, above = u >= 1.0;
  *slope = vd_wide_select(below | above, none, 30.0 * u * u * (1.0 - u) * (1.0 - u));
  vd_wide value = u * u * u * (10.0 + u * (-15.0 + 6.0 * u));
  return vd_wide_select(below, none, vd_wide_select(above, one, value));
}

/* Returns a window: 1 between `from` and `to`, 0 outside, with a smooth step of width `edge` inside each end. */
static inline double vd_window(double from, double to, double edge, double x, double *slope) {
  double rise_slope, fall_slope;
  double rise = vd_smooth_step((x - from) / edge, &rise_slope), fall = vd_smooth_step((to - x) / edge, &fall_slope);
  *slope = (rise_slope * fall - rise * fall_slope) / edge;
  return rise * fall;
}

/* Returns the integral of vd_smooth_step from 0 to u. */
static inline double vd_smooth_step_sum(double u) {
  if (u <= 0.0)
    return 0.0;
  return u < 1.0 ? u * u * u * u * (2.5 + u * (u - 3.0)) : u - 0.5;
}

/* Returns a smooth clamp: n between `from` and `to`, constant beyond them. The slope falls from 1 to 0 by smooth steps
 * of width `edge`, which are centred on the two bounds and do not overlap. A bound that is NAN has no effect. */
static inline double vd_smooth_bound(double n, double from, double to, double edge, double *slope) {
  double value = n, unused;
  *slope = 1.0;
  if (!isnan(from)) {
    double u = (n - from) / edge + 0.5;
    value += from + edge * vd_smooth_step_sum(u) - n;
    *slope *= vd_smooth_step(u, &unused);
  }
  if (!isnan(to)) {
    double u = (to - n) / edge + 0.5;
    value += to - edge * vd_smooth_step_sum(u) - n;
    *slope *= vd_smooth_step(u, &unused);
  }
  return value;
}

/* The sides at which an obstacle ends. */
typedef struct vd_sides {
  double y_from, y_to; /* m, world y; NAN: unbounded */
  double edge;         /* m: the obstacle ends over this width, centred on the side */
} vd_sides;

/* Adds the profile z(x) with its slope dz/dx between the sides of an obstacle; at the sides its height falls by a
 * smooth step. */
static inline void vd_raise_between(const vd_sides *sides, double z, double slope, double y, vd_road *road) {
  double left = 1.0, right = 1.0, left_slope = 0.0, right_slope = 0.0;
  if (!isnan(sides->y_from))
    right = vd_smooth_step((y - sides->y_from) / sides->edge + 0.5, &right_slope);
  if (!isnan(sides->y_to))
    left = vd_smooth_step((sides->y_to - y) / sides->edge + 0.5, &left_slope);
  double share = right * left;
  vd_raise(road, z * share, slope * share, 0.0);
  if (right_slope != 0.0 || left_slope != 0.0)
    road->slope_y += z * (right_slope * left - right * left_slope) / sides->edge;
}

#endif
