#include "ground/oval.h"

#include "base/base.h"
#include "base/elementary.h"
#include "ground/ground_impl.h"
#include "input/schema.h"

#include <math.h>

/* clang-format off */
static const vd_field rows[] = {
  VD_GROUND_OUTSIDE_UP_ROW(VD_GROUND_OVAL, as.oval.bank),
  VD_GROUND_AT_ROW(VD_GROUND_OVAL, as.oval.at),
  VD_GROUND_NUMBER(VD_GROUND_OVAL, "200 m", as.oval.length, "length", "m", 0, 1e5, VD_ABOVE, NULL,
     "length of the straights"),
  VD_GROUND_WIDTH_ROW(VD_GROUND_OVAL, as.oval.width),
  VD_GROUND_SIDE_EDGE_ROW(VD_GROUND_OVAL, as.oval.edge),
  VD_GROUND_NUMBER(VD_GROUND_OVAL, "0 m", as.oval.y, "y", "m", -VD_GROUND_FAR, VD_GROUND_FAR, 0, NULL,
     "middle of the first straight, world; the other one lies to its left"),
  VD_GROUND_RADIUS_ROW(VD_GROUND_OVAL, as.oval.radius),
  VD_GROUND_NUMBER(VD_GROUND_OVAL, "40 m", as.oval.transition, "transition", "m", 0, 1e4, VD_ABOVE, NULL,
     "length over which the bank grows at the end of a straight"),
};
/* clang-format on */

/* Adds z = tan(bank) B n, where n is the distance outwards from the middle of the road, limited to its sides, and B
 * falls from 1 in the half circles to 0 along the straights. Where a straight meets a half circle, the coordinate along
 * the road changes from x to an angle. The slope of B is 0 there, so that the slope of the road is continuous. */
static void raise(const vd_ground *ground, double x, double y, vd_road *road) {
  const vd_oval *p = &ground->as.oval;
  double dx = x - p->at, dy = y - p->y - p->radius, half = 0.5 * p->width, rise = vd_tan(p->bank);
  double slope, share = 1.0, share_slope = 0.0;
  if (dx > p->length) {
    dx -= p->length;
  } else if (dx > 0.0) {
    double left_slope, right_slope, per = 1.0 / p->transition;
    share -= vd_smooth_step(dx * per, &left_slope) * vd_smooth_step((p->length - dx) * per, &right_slope);
    share_slope = (right_slope - left_slope) * per; /* one of the two slopes is 0 */
    dx = 0.0;
  }
  double rho = sqrt(dx * dx + dy * dy);
  double n = vd_smooth_bound(rho - p->radius, -half, half, p->edge, &slope);
  slope *= rho > 0.0 ? rise * share / rho : 0.0;
  vd_raise(road, rise * share * n, rise * share_slope * n + slope * dx, slope * dy);
}

/* Returns bounds in one half circle; x and y count from its middle. */
static vd_curvature_bounds at_end(const vd_oval *p, vd_range x, vd_range y) {
  double half = 0.5 * p->width;
  const vd_box from = {x, y};
  vd_range rho = vd_range_of_radius(&from, p->radius - half - 0.5 * p->edge);
  vd_range n = {rho.low - p->radius, rho.high - p->radius};
  return vd_curvature_of_revolution(vd_span_scaled(vd_span_bound(n, -half, half, p->edge), vd_tan(p->bank)), rho);
}

static void curvature(const vd_ground *ground, const vd_box *box, vd_curvature_bounds *b) {
  const vd_oval *p = &ground->as.oval;
  vd_range x = {box->x.low - p->at, box->x.high - p->at};
  vd_range y = {box->y.low - p->y - p->radius, box->y.high - p->y - p->radius};
  if (x.low < 0.0)
    *b = vd_curvature_hull(*b, at_end(p, (vd_range){x.low, vd_fast_min(x.high, 0.0)}, y));
  if (x.high > p->length)
    *b = vd_curvature_hull(*b, at_end(p, (vd_range){vd_fast_max(x.low - p->length, 0.0), x.high - p->length}, y));
  if (!vd_range_overlaps(x, 0.0, p->length))
    return;
  /* on both straights n grows with the distance from the line in the middle between them */
  double half = 0.5 * p->width, per = 1.0 / p->transition;
  vd_range along = vd_range_clamped(x, 0.0, p->length);
  vd_span fall =
      vd_span_times(vd_span_rise(vd_span_line(along, 0.0, per)), vd_span_rise(vd_span_line(along, p->length, -per)));
  vd_span share = vd_span_plus(vd_span_constant(1.0), vd_span_scaled(fall, -1.0));
  const vd_box beside = {{0.0, 0.0}, y};
  vd_range rho = vd_range_of_radius(&beside, 0.0), out = {rho.low - p->radius, rho.high - p->radius};
  vd_span n = vd_span_scaled(vd_span_bound(out, -half, half, p->edge), vd_tan(p->bank));
  *b = vd_curvature_hull(*b, vd_curvature_of_product(share, n));
}

/* Checks the ranges of the keys. The slope across the road is greatest in the half circles, the slope along the road in
 * the middle of a transition; the root of the sum of their squares bounds the slope everywhere. */
static void check(const vd_ground_context *ctx, const vd_ground_def *def) {
  const vd_oval *p = &def->as.oval;
  double across = vd_tan(p->bank), along = VD_SMOOTH_STEP_SLOPE * across * 0.5 * p->width / p->transition;
  if (!(2.0 * p->transition <= p->length))
    vd_error(ctx->d, vd_ground_place(ctx, "transition"), "transition (%g m) must be at most half the length (%g m)",
             p->transition, p->length);
  vd_ground_check_slope(ctx, "transition", sqrt(across * across + along * along));
  if (!(0.5 * (p->width + p->edge) <= p->radius))
    vd_error(ctx->d, vd_ground_place(ctx, "radius"), "radius (%g m) must be at least half of width + side_edge (%g m)",
             p->radius, 0.5 * (p->width + p->edge));
  if (!(p->edge <= p->width))
    vd_error(ctx->d, vd_ground_place(ctx, "side_edge"), "side_edge (%g m) must be at most the width (%g m)", p->edge,
             p->width);
}

const vd_ground_variant vd_oval_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .surface = VD_SURFACE_HEIGHTS,
    .check = check,
    .raise = raise,
    .curvature = curvature,
};
