#include "ground/bump.h"

#include "base/base.h"
#include "base/elementary.h"
#include "ground/ground_impl.h"
#include "input/schema.h"

/* clang-format off */
static const vd_field rows[] = {
  VD_GROUND_SLOPE_ROWS(VD_GROUND_BUMP),
  VD_GROUND_AT_ROW(VD_GROUND_BUMP, as.bump.at),
  VD_GROUND_OBSTACLE_ROW(VD_GROUND_BUMP, as.bump.height),
  VD_GROUND_LENGTH_ROW(VD_GROUND_BUMP, as.bump.length),
  VD_GROUND_SIDE_ROWS(VD_GROUND_BUMP, as.bump.sides),
  VD_GROUND_SIDE_EDGE_ROW(VD_GROUND_BUMP, as.bump.sides.edge),
};
/* clang-format on */

/* Adds h/2 (1 - cos(2 pi s/L)), whose slope is continuous and whose curvature jumps at both ends. */
static void raise(const vd_ground *ground, double x, double y, vd_road *road) {
  const vd_bump *p = &ground->as.bump;
  double s = x - p->at, k = 2.0 * VD_PI / p->length;
  if (s <= 0.0 || s >= p->length)
    return;
  vd_raise_between(&p->sides, 0.5 * p->height * (1.0 - vd_cos(k * s)), 0.5 * p->height * k * vd_sin(k * s), y, road);
}

static void curvature(const vd_ground *ground, const vd_box *box, vd_curvature_bounds *b) {
  const vd_bump *p = &ground->as.bump;
  double k = 2.0 * VD_PI / p->length, half = 0.5 * p->height;
  vd_range s = {box->x.low - p->at, box->x.high - p->at};
  if (!vd_range_overlaps(s, 0.0, p->length))
    return;
  /* the profile is 1 - cos(k s), and cos(k s) is the sine of an angle that is pi/2 greater */
  vd_span turn = vd_span_line(vd_range_clamped(s, 0.0, p->length), -0.25 * p->length, k);
  vd_span cosine = vd_span_of(vd_span_sine(turn.value), turn);
  vd_span profile = vd_span_plus(vd_span_constant(half), vd_span_scaled(cosine, -half));
  *b = vd_curvature_between(&p->sides, profile, box->y);
}

static void check(const vd_ground_context *ctx, const vd_ground_def *def) {
  const vd_bump *p = &def->as.bump;
  vd_ground_check_slope(ctx, "height", VD_PI * p->height / p->length);
  vd_ground_check_sides(ctx, &p->sides, p->height);
}

const vd_ground_variant vd_bump_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .surface = VD_SURFACE_HEIGHTS,
    .check = check,
    .waves = {"length", offsetof(vd_ground_def, as.bump.length), 1.0},
    .raise = raise,
    .curvature = curvature,
};
