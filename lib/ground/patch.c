#include "ground/patch.h"

#include "base/base.h"
#include "base/elementary.h"
#include "ground/ground_impl.h"
#include "input/schema.h"

#include <math.h>

static const char *const shape_names[] = {"rectangle", "polygon", NULL};

/* clang-format off */
static const vd_field patch_fields[] = {
  {VD_F_CHOICE(vd_patch_def, shape, "shape", shape_names, "rectangle", "shape of the outline")},
  {VD_F_NUMBER(vd_patch_def, friction, "friction", "1", 0, 5, VD_ABOVE, NULL,
     "friction of the patch in place of the ground's")},
  {VD_F_NUMBER(vd_patch_def, x_from, "x_from", "m", -VD_GROUND_FAR, VD_GROUND_FAR, VD_AUTO, "auto",
     "world x of a side; auto: unbounded"), .only = VD_WHEN(VD_PATCH_RECTANGLE)},
  {VD_F_NUMBER(vd_patch_def, x_to, "x_to", "m", -VD_GROUND_FAR, VD_GROUND_FAR, VD_AUTO, "auto",
     "world x of the other side; auto: unbounded"), .only = VD_WHEN(VD_PATCH_RECTANGLE)},
  {VD_F_NUMBER(vd_patch_def, y_from, "y_from", "m", -VD_GROUND_FAR, VD_GROUND_FAR, VD_AUTO, "auto",
     "world y of a side; auto: unbounded"), .only = VD_WHEN(VD_PATCH_RECTANGLE)},
  {VD_F_NUMBER(vd_patch_def, y_to, "y_to", "m", -VD_GROUND_FAR, VD_GROUND_FAR, VD_AUTO, "auto",
     "world y of the other side; auto: unbounded"), .only = VD_WHEN(VD_PATCH_RECTANGLE)},
  {VD_F_CORNERS(vd_patch_def, corners, "corners", "m", -VD_GROUND_FAR, VD_GROUND_FAR, NULL,
     "corners [x, y] in the world, in either direction of rotation"), .only = VD_WHEN(VD_PATCH_POLYGON)},
  {VD_F_NUMBER(vd_patch_def, edge, "edge", "m", 0, 1e3, 0, "0.1",
     "width over which the friction blends, centred on the outline; 0: sharp")},
};
/* clang-format on */

const vd_schema vd_patch_schema = {.name = "patch", VD_SCHEMA_ROWS(vd_patch_def, patch_fields), .tag = "shape"};

static vd_place patch_place(const vd_ground_context *ctx, size_t index, const char *key) {
  vd_buf full = {0};
  vd_buf_printf(&full, "patches.%zu.%s", index, key);
  vd_place place = vd_ground_place(ctx, full.text);
  vd_buf_finish(&full);
  return place;
}

void vd_patch_check(const vd_ground_context *ctx, const vd_ground_def *def) {
  const vd_patch_def *patch = def->patches.item;
  for (size_t i = 0; i < def->patches.count; i++) {
    const vd_patch_def *p = &patch[i];
    if (p->shape == VD_PATCH_POLYGON) {
      if (p->corners.count < 3)
        vd_error(ctx->d, patch_place(ctx, i, "corners"), "a polygon has 3 corners or more, not %zu", p->corners.count);
      continue;
    }
    /* a comparison with an unbounded side, NAN, is false */
    if (p->x_from >= p->x_to)
      vd_error(ctx->d, patch_place(ctx, i, "x_to"), "x_to (%g m) must lie above x_from (%g m)", p->x_to, p->x_from);
    if (p->y_from >= p->y_to)
      vd_error(ctx->d, patch_place(ctx, i, "y_to"), "y_to (%g m) must lie above y_from (%g m)", p->y_to, p->y_from);
  }
}

/* --- friction --- */

/* Returns the distance by which v lies beyond the nearer side; negative if v is between both. A side that is NAN is
 * unbounded. */
static double beyond(double from, double to, double v) {
  double below = isnan(from) ? -INFINITY : from - v, above = isnan(to) ? -INFINITY : v - to;
  return vd_max(below, above);
}

/* Returns the distance to the outline of a rectangle, inside positive. From outside, the nearest point is on a side if
 * one coordinate lies beyond the rectangle, or a corner if both do; from inside, it is on the nearest side. */
static double rectangle_depth(const vd_patch_def *p, double x, double y) {
  double bx = beyond(p->x_from, p->x_to, x), by = beyond(p->y_from, p->y_to, y);
  if (bx > 0.0 && by > 0.0)
    return -sqrt(bx * bx + by * by);
  return -vd_max(bx, by);
}

/* Returns the square of the distance from (x, y) to the segment a b. A segment of no length is a point. */
static double segment_distance2(const double *a, const double *b, double x, double y) {
  double dx = b[0] - a[0], dy = b[1] - a[1], px = x - a[0], py = y - a[1];
  double length2 = dx * dx + dy * dy;
  double u = length2 > 0.0 ? vd_min(vd_max((px * dx + py * dy) / length2, 0.0), 1.0) : 0.0;
  double ex = px - u * dx, ey = py - u * dy;
  return ex * ex + ey * ey;
}

/* True if the ray from (x, y) to x = infinity crosses the segment a b. An end on the ray counts as below it. A corner
 * on the ray is then counted once if the outline crosses the ray there, and never or twice if the outline only touches
 * the ray. The divisor is signed, because segments go down as well as up. */
static bool crosses(const double *a, const double *b, double x, double y) {
  if ((a[1] > y) == (b[1] > y))
    return false;
  return x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]);
}

/* Returns the distance to the outline of a polygon, inside positive. A place is inside after an odd number of
 * crossings. */
static double polygon_depth(const vd_patch_def *p, double x, double y) {
  const double *corner = p->corners.xy;
  double nearest = INFINITY;
  bool inside = false;
  for (size_t i = 0, j = p->corners.count - 1; i < p->corners.count; j = i++) {
    const double *a = corner + 2 * j, *b = corner + 2 * i;
    nearest = vd_min(nearest, segment_distance2(a, b, x, y));
    inside ^= crosses(a, b, x, y);
  }
  return inside ? sqrt(nearest) : -sqrt(nearest);
}

/* Returns the share of the patch in the friction. Its slope in any direction is at most 1.5/edge: 6 u (1 - u) <= 1.5,
 * and the depth changes by at most the distance between two places. */
static double share(const vd_patch_def *p, double x, double y) {
  double depth = p->shape == VD_PATCH_POLYGON ? polygon_depth(p, x, y) : rectangle_depth(p, x, y);
  if (p->edge == 0.0)
    return depth >= 0.0 ? 1.0 : 0.0;
  double u = vd_min(vd_max(0.5 + depth / p->edge, 0.0), 1.0);
  return u * u * (3.0 - 2.0 * u);
}

double vd_patched_friction(const vd_patch_def *patch, size_t count, double friction, double x, double y) {
  for (size_t i = 0; i < count; i++) {
    const vd_patch_def *p = &patch[i];
    double w = share(p, x, y);
    /* for w = 1 the result is exactly the friction of the patch */
    friction = w == 1.0 ? p->friction : friction + w * (p->friction - friction);
  }
  return friction;
}
