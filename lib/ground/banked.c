#include "ground/banked.h"

#include "base/base.h"
#include "base/elementary.h"
#include "ground/ground_impl.h"
#include "input/schema.h"

#include <math.h>

/* clang-format off */
static const vd_field rows[] = {
  VD_GROUND_OUTSIDE_UP_ROW(VD_GROUND_BANKED, as.banked.bank),
  VD_GROUND_SIDE_EDGE_ROW(VD_GROUND_BANKED, as.banked.edge),
  VD_GROUND_NUMBER(VD_GROUND_BANKED, "0 m", as.banked.x, "x", "m", -VD_GROUND_FAR, VD_GROUND_FAR, 0, NULL,
     "world x of the middle of the turn"),
  VD_GROUND_NUMBER(VD_GROUND_BANKED, "60 m", as.banked.y, "y", "m", -VD_GROUND_FAR, VD_GROUND_FAR, 0, NULL,
     "world y of the middle of the turn"),
  VD_GROUND_RADIUS_ROW(VD_GROUND_BANKED, as.banked.radius),
  VD_GROUND_NUMBER(VD_GROUND_BANKED, "50 m", as.banked.inner, "inner", "m", 0, 1e5, VD_AUTO, "auto",
     "radius inside which the turn is level; auto: a cone down to the middle"),
  VD_GROUND_NUMBER(VD_GROUND_BANKED, "70 m", as.banked.outer, "outer", "m", 0, 1e5, VD_AUTO, "auto",
     "radius outside which the turn is level; auto: unbounded"),
};
/* clang-format on */

/* Adds z = tan(bank) (rho - R), where the distance rho from the middle is limited to inner..outer. Without an inner
 * radius the turn is a cone; at its tip, in the middle, the slope is set to 0. */
static void raise(const vd_ground *ground, double x, double y, vd_road *road) {
  const vd_banked *p = &ground->as.banked;
  double dx = x - p->x, dy = y - p->y, rho = sqrt(dx * dx + dy * dy), slope, rise = vd_tan(p->bank);
  double z = rise * (vd_smooth_bound(rho, p->inner, p->outer, p->edge, &slope) - p->radius);
  slope *= rho > 0.0 ? rise / rho : 0.0;
  vd_raise(road, z, slope * dx, slope * dy);
}

static void curvature(const vd_ground *ground, const vd_box *box, vd_curvature_bounds *b) {
  const vd_banked *p = &ground->as.banked;
  vd_box from = {{box->x.low - p->x, box->x.high - p->x}, {box->y.low - p->y, box->y.high - p->y}};
  vd_range rho = vd_range_of_radius(&from, isnan(p->inner) ? 0.0 : p->inner - 0.5 * p->edge);
  *b =
      vd_curvature_of_revolution(vd_span_scaled(vd_span_bound(rho, p->inner, p->outer, p->edge), vd_tan(p->bank)), rho);
}

static void check(const vd_ground_context *ctx, const vd_ground_def *def) {
  const vd_banked *p = &def->as.banked;
  /* a comparison with an unbounded side, NAN, is false */
  if (p->inner >= p->outer)
    vd_error(ctx->d, vd_ground_place(ctx, "outer"), "outer (%g m) must lie beyond inner (%g m)", p->outer, p->inner);
  else if (p->edge > p->outer - p->inner)
    vd_error(ctx->d, vd_ground_place(ctx, "side_edge"), "side_edge (%g m) must be at most outer - inner (%g m)",
             p->edge, p->outer - p->inner);
  if (p->inner < 0.5 * p->edge)
    vd_error(ctx->d, vd_ground_place(ctx, "inner"), "inner (%g m) must be at least half the side_edge (%g m)", p->inner,
             p->edge);
}

const vd_ground_variant vd_banked_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .surface = VD_SURFACE_HEIGHTS,
    .check = check,
    .raise = raise,
    .curvature = curvature,
};
