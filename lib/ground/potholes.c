#include "ground/potholes.h"

#include "base/base.h"
#include "base/elementary.h"
#include "ground/ground_impl.h"
#include "input/schema.h"

#include <math.h>

/* clang-format off */
static const vd_field rows[] = {
  VD_GROUND_SLOPE_ROWS(VD_GROUND_POTHOLES),
  {VD_F_CORNERS(vd_ground_def, as.potholes.places, "places", "m", -VD_GROUND_FAR, VD_GROUND_FAR, NULL,
     "middles [x, y] of the potholes in the world; potholes must not overlap"), .only = VD_WHEN(VD_GROUND_POTHOLES),
   .example = "[[20, 0.8], [24, -0.8]]"},
  VD_GROUND_NUMBER(VD_GROUND_POTHOLES, "6 cm", as.potholes.depth, "depth", "m", 0, 1, VD_ABOVE, NULL,
     "depth of a pothole"),
  VD_GROUND_LENGTH_ROW(VD_GROUND_POTHOLES, as.potholes.length),
  VD_GROUND_WIDTH_ROW(VD_GROUND_POTHOLES, as.potholes.width),
  VD_GROUND_NUMBER(VD_GROUND_POTHOLES, "0.2 m", as.potholes.edge, "edge", "m", 0, 1e3, VD_ABOVE | VD_AUTO, "auto",
     "length over which a pothole reaches its depth, also at its sides; auto: 0.2 m, or less in a small pothole"),
};
/* clang-format on */

/* Potholes do not overlap, so the first one that contains the place is the only one. */
static void raise(const vd_ground *ground, double x, double y, vd_road *road) {
  const vd_potholes *p = &ground->as.potholes;
  double half_x = 0.5 * p->length, half_y = 0.5 * p->width;
  for (size_t i = 0; i < p->places.count; i++) {
    double dx = x - p->places.xy[2 * i], dy = y - p->places.xy[2 * i + 1], along_slope, across_slope;
    if (!(fabs(dx) < half_x && fabs(dy) < half_y))
      continue;
    double along = vd_window(-half_x, half_x, p->edge, dx, &along_slope);
    double across = vd_window(-half_y, half_y, p->edge, dy, &across_slope);
    vd_raise(road, -p->depth * along * across, -p->depth * along_slope * across, -p->depth * along * across_slope);
    return;
  }
}

static void curvature(const vd_ground *ground, const vd_box *box, vd_curvature_bounds *b) {
  const vd_potholes *p = &ground->as.potholes;
  double half_x = 0.5 * p->length, half_y = 0.5 * p->width;
  for (size_t i = 0; i < p->places.count; i++) {
    double x = p->places.xy[2 * i], y = p->places.xy[2 * i + 1];
    if (!vd_range_overlaps(box->x, x - half_x, x + half_x) || !vd_range_overlaps(box->y, y - half_y, y + half_y))
      continue;
    vd_span along = vd_span_window(x - half_x, x + half_x, p->edge, box->x);
    vd_span across = vd_span_window(y - half_y, y + half_y, p->edge, box->y);
    *b = vd_curvature_hull(*b, vd_curvature_of_product(vd_span_scaled(along, -p->depth), across));
  }
}

static void complete(const vd_ground_context *ctx, vd_ground_def *def, vd_arena *arena) {
  vd_potholes *p = &def->as.potholes;
  (void)ctx, (void)arena;
  if (isnan(p->edge))
    p->edge = vd_min(VD_GROUND_KERB_EDGE, 0.5 * vd_min(p->length, p->width));
}

static void check_apart(const vd_ground_context *ctx, const vd_potholes *p) {
  const double *xy = p->places.xy;
  for (size_t i = 1; i < p->places.count; i++)
    for (size_t k = 0; k < i; k++)
      if (fabs(xy[2 * i] - xy[2 * k]) < p->length && fabs(xy[2 * i + 1] - xy[2 * k + 1]) < p->width) {
        vd_error(ctx->d, vd_ground_place(ctx, "places"), "the potholes at (%g, %g) m and (%g, %g) m overlap", xy[2 * k],
                 xy[2 * k + 1], xy[2 * i], xy[2 * i + 1]);
        return;
      }
}

static void check(const vd_ground_context *ctx, const vd_ground_def *def) {
  enum { MOST = 200 };
  const vd_potholes *p = &def->as.potholes;
  if (p->places.count > MOST)
    vd_error(ctx->d, vd_ground_place(ctx, "places"), "%zu potholes; at most %d", p->places.count, (int)MOST);
  else
    check_apart(ctx, p);
  vd_ground_check_edge(ctx, p->edge, p->length, "length");
  vd_ground_check_edge(ctx, p->edge, p->width, "width");
  vd_ground_check_slope(ctx, "depth", VD_SMOOTH_STEP_SLOPE * p->depth / p->edge);
}

const vd_ground_variant vd_potholes_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .surface = VD_SURFACE_HEIGHTS,
    .complete = complete,
    .check = check,
    .raise = raise,
    .curvature = curvature,
};
