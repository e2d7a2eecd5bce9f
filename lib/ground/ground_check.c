/* Checks that several grounds share. */
#include "ground/ground_impl.h"

#include "base/base.h"
#include "base/elementary.h"

#include <math.h>

vd_place vd_ground_place(const vd_ground_context *ctx, const char *key) {
  return vd_tree_place_in(ctx->root, ctx->path, "%s", key);
}

bool vd_ground_check_slope(const vd_ground_context *ctx, const char *key, double slope) {
  bool good = fabs(slope) <= VD_GROUND_STEEPEST;
  if (!good)
    vd_error(ctx->d, vd_ground_place(ctx, key), "%s makes a slope of %.1f deg; at most 60 deg", key,
             vd_atan(fabs(slope)) * 180.0 / VD_PI);
  return good;
}

void vd_ground_check_edge(const vd_ground_context *ctx, double edge, double length, const char *name) {
  if (!(2.0 * edge <= length))
    vd_error(ctx->d, vd_ground_place(ctx, "edge"), "edge (%g m) must be at most half the %s (%g m)", edge, name,
             length);
}

void vd_ground_check_sides(const vd_ground_context *ctx, const vd_sides *sides, double height) {
  if (isnan(sides->y_from) && isnan(sides->y_to))
    return;
  if (sides->y_from >= sides->y_to)
    vd_error(ctx->d, vd_ground_place(ctx, "y_to"), "y_to (%g m) must lie above y_from (%g m)", sides->y_to,
             sides->y_from);
  else if (sides->edge > sides->y_to - sides->y_from)
    vd_error(ctx->d, vd_ground_place(ctx, "side_edge"), "side_edge (%g m) must be at most y_to - y_from (%g m)",
             sides->edge, sides->y_to - sides->y_from);
  else
    vd_ground_check_slope(ctx, "side_edge", VD_SMOOTH_STEP_SLOPE * height / sides->edge);
}
