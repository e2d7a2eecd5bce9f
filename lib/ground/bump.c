#include "ground/bump.h"

#include "base/base.h"
#include "base/elementary.h"
#include "ground/ground_impl.h"
#include "input/schema.h"

/* clang-format off */
static const vd_field rows[] = {
  VD_GROUND_SLOPE_ROWS(VD_GROUND_BUMP),
  {VD_F_NUMBER(vd_ground_def, as.bump.at, "at", "m", -VD_GROUND_FAR, VD_GROUND_FAR, 0, NULL,
     "world x at which it begins"), .only = VD_WHEN(VD_GROUND_BUMP),
   .example = "20 m"},
  {VD_F_NUMBER(vd_ground_def, as.bump.height, "height", "m", -20, 20, 0, NULL,
     "height; < 0: a dip, a drop"), .only = VD_WHEN(VD_GROUND_BUMP),
   .example = "8 cm"},
  {VD_F_NUMBER(vd_ground_def, as.bump.length, "length", "m", 0, 1e5, VD_ABOVE, NULL,
     "length along x"), .only = VD_WHEN(VD_GROUND_BUMP),
   .example = "0.6 m"},
  VD_GROUND_SIDE_ROWS(VD_GROUND_BUMP, as.bump.sides),
  VD_GROUND_SIDE_EDGE_ROW(VD_GROUND_BUMP, as.bump.sides.edge),
};
/* clang-format on */

/* h/2 (1 - cos(2 pi s/L)): its slope is continuous, its curvature jumps at both ends. */
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
  /* the profile is 1 - cos(k s), the cosine a sine a quarter of a turn ahead */
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

static double shortest(const vd_ground_def *def, const char **key) {
  *key = "length";
  return def->as.bump.length;
}

const vd_ground_variant vd_bump_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .surface = VD_SURFACE_HEIGHTS,
    .check = check,
    .shortest = shortest,
    .raise = raise,
    .curvature = curvature,
};
