#include "ground/washboard.h"

#include "base/base.h"
#include "base/elementary.h"
#include "ground/ground_impl.h"
#include "input/schema.h"

#include <math.h>

/* clang-format off */
static const vd_field rows[] = {
  VD_GROUND_SLOPE_ROWS(VD_GROUND_WASHBOARD),
  VD_GROUND_NUMBER(VD_GROUND_WASHBOARD, "20 m", as.washboard.x_from, "x_from", "m", -VD_GROUND_FAR, VD_GROUND_FAR, 0,
     NULL, "world x at which the waves begin"),
  VD_GROUND_NUMBER(VD_GROUND_WASHBOARD, "60 m", as.washboard.x_to, "x_to", "m", -VD_GROUND_FAR, VD_GROUND_FAR, 0, NULL,
     "world x at which the waves end"),
  VD_GROUND_AMPLITUDE_ROW(VD_GROUND_WASHBOARD, as.washboard.amplitude),
  VD_GROUND_NUMBER(VD_GROUND_WASHBOARD, "0.8 m", as.washboard.wavelength, "wavelength", "m", 0, 1e4, VD_ABOVE, NULL,
     "length of a wave"),
  VD_GROUND_WAVES_EDGE_ROW(VD_GROUND_WASHBOARD, as.washboard.edge),
  VD_GROUND_SIDE_ROWS(VD_GROUND_WASHBOARD, as.washboard.sides),
  VD_GROUND_SIDE_EDGE_ROW(VD_GROUND_WASHBOARD, as.washboard.sides.edge),
};
/* clang-format on */

static void raise(const vd_ground *ground, double x, double y, vd_road *road) {
  const vd_washboard *p = &ground->as.washboard;
  double k = 2.0 * VD_PI / p->wavelength, share_slope;
  if (x <= p->x_from || x >= p->x_to)
    return;
  double u = k * (x - p->x_from), share = vd_window(p->x_from, p->x_to, p->edge, x, &share_slope);
  double slope = p->amplitude * (share_slope * vd_sin(u) + share * k * vd_cos(u));
  vd_raise_between(&p->sides, p->amplitude * share * vd_sin(u), slope, y, road);
}

static void curvature(const vd_ground *ground, const vd_box *box, vd_curvature_bounds *b) {
  const vd_washboard *p = &ground->as.washboard;
  if (!vd_range_overlaps(box->x, p->x_from, p->x_to))
    return;
  vd_range x = vd_range_clamped(box->x, p->x_from, p->x_to);
  vd_span turn = vd_span_line(x, p->x_from, 2.0 * VD_PI / p->wavelength);
  vd_span waves = vd_span_of(vd_span_sine(turn.value), turn), share = vd_span_window(p->x_from, p->x_to, p->edge, x);
  *b = vd_curvature_between(&p->sides, vd_span_scaled(vd_span_times(share, waves), p->amplitude), box->y);
}

static void complete(const vd_ground_context *ctx, vd_ground_def *def, vd_arena *arena) {
  vd_washboard *p = &def->as.washboard;
  (void)ctx, (void)arena;
  if (isnan(p->edge))
    p->edge = vd_min(p->wavelength, fabs(0.5 * (p->x_to - p->x_from)));
}

static void check(const vd_ground_context *ctx, const vd_ground_def *def) {
  const vd_washboard *p = &def->as.washboard;
  if (!(p->x_from < p->x_to)) {
    vd_error(ctx->d, vd_ground_place(ctx, "x_to"), "x_to (%g m) must lie above x_from (%g m)", p->x_to, p->x_from);
    return;
  }
  vd_ground_check_edge(ctx, p->edge, p->x_to - p->x_from, "length");
  vd_ground_check_slope(ctx, "amplitude", 2.0 * VD_PI * p->amplitude / p->wavelength);
  vd_ground_check_sides(ctx, &p->sides, p->amplitude);
}

const vd_ground_variant vd_washboard_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .surface = VD_SURFACE_HEIGHTS,
    .complete = complete,
    .check = check,
    .waves = {"wavelength", offsetof(vd_ground_def, as.washboard.wavelength), 1.0},
    .raise = raise,
    .curvature = curvature,
};
