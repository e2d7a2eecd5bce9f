#include "ground/step.h"

#include "base/base.h"
#include "ground/ground_impl.h"
#include "input/schema.h"

#include <math.h>

/* clang-format off */
static const vd_field rows[] = {
  VD_GROUND_SLOPE_ROWS(VD_GROUND_STEP),
  VD_GROUND_AT_ROW(VD_GROUND_STEP, as.step.at),
  VD_GROUND_OBSTACLE_ROW(VD_GROUND_STEP, as.step.height),
  {VD_F_NUMBER(vd_ground_def, as.step.edge, "edge", "m", 0, 1e3, VD_ABOVE | VD_AUTO, "auto",
     "length over which the step rises; auto: 0.2 m"), .only = VD_WHEN(VD_GROUND_STEP)},
  VD_GROUND_SIDE_ROWS(VD_GROUND_STEP, as.step.sides),
  VD_GROUND_SIDE_EDGE_ROW(VD_GROUND_STEP, as.step.sides.edge),
};
/* clang-format on */

static void raise(const vd_ground *ground, double x, double y, vd_road *road) {
  const vd_step *p = &ground->as.step;
  double slope, z = vd_smooth_step((x - p->at) / p->edge, &slope);
  vd_raise_between(&p->sides, p->height * z, p->height * slope / p->edge, y, road);
}

static void curvature(const vd_ground *ground, const vd_box *box, vd_curvature_bounds *b) {
  const vd_step *p = &ground->as.step;
  if (box->x.high > p->at) {
    vd_span rise = vd_span_rise(vd_span_line(box->x, p->at, 1.0 / p->edge));
    *b = vd_curvature_between(&p->sides, vd_span_scaled(rise, p->height), box->y);
  }
}

static void complete(const vd_ground_context *ctx, vd_ground_def *def, vd_arena *arena) {
  (void)ctx, (void)arena;
  if (isnan(def->as.step.edge))
    def->as.step.edge = VD_GROUND_KERB_EDGE;
}

static void check(const vd_ground_context *ctx, const vd_ground_def *def) {
  const vd_step *p = &def->as.step;
  vd_ground_check_slope(ctx, "height", VD_SMOOTH_STEP_SLOPE * p->height / p->edge);
  vd_ground_check_sides(ctx, &p->sides, p->height);
}

const vd_ground_variant vd_step_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .surface = VD_SURFACE_HEIGHTS,
    .complete = complete,
    .check = check,
    .raise = raise,
    .curvature = curvature,
};
