/* Start of a car on its path, or beside its path. */
#include "run/scenario_impl.h"

#include "base/elementary.h"

#include <math.h>
#include <stdlib.h>

/* Returns the heading in the plane of the road whose projection on the horizontal plane is a given heading of the
 * world, rad. */
static double heading_in_plane(const vd_ground_def *def, double yaw) {
  vd_ground g;
  vd_ground_build(def, &g);
  const double cosine = vd_cos(yaw), sine = vd_sin(yaw);
  return vd_atan2(sine * g.along[0] - cosine * g.along[1], cosine * g.across[1] - sine * g.across[0]);
}

static void place_on_path(const vd_scenario_context *ctx, const vd_path_point *first, vd_scenario_def *def) {
  static const char *const keys[] = {"x", "y", "yaw"};
  vd_start *start = &def->initial;
  for (size_t i = 0; i < VD_COUNT(keys); i++)
    if (vd_tree_get(vd_tree_find(ctx->root, "initial"), keys[i]))
      vd_error(ctx->d, vd_tree_place_in(ctx->root, "initial", "%s", keys[i]),
               "'start: on_path' determines where the car starts; omit initial.%s", keys[i]);
  if (vd_inputs_prescribed(&def->inputs) != 0)
    vd_error(ctx->d, vd_tree_place(ctx->root, "initial.start"), "a prescribed motion determines where the car starts");
  start->x = first->x;
  start->y = first->y;
  start->yaw = heading_in_plane(&def->ground, first->heading);
  start->place = VD_START_GIVEN;
}

/* Remarks that the car starts beside its path, which may be a mistake. */
static void say_off_path(const vd_scenario_context *ctx, const vd_scenario_def *def) {
  const vd_start *start = &def->initial;
  vd_path_point at;
  double offset;
  vd_path_at(&def->track,
             vd_path_foot(&def->track, vd_path_nearest(&def->track, start->x, start->y), start->x, start->y, &offset),
             &at);
  double turn = remainder(start->yaw - heading_in_plane(&def->ground, at.heading), 2.0 * VD_PI);
  bool beside = fabs(offset) > def->vehicle.width, away = fabs(turn) > 0.5 * VD_PI;
  if (beside || away)
    vd_remark(ctx->d, vd_tree_place(ctx->root, "path"),
              "the car starts %.2g m beside its path, turned by %.0f degrees from the path's heading; 'initial.start: "
              "on_path' starts at "
              "the path's first point, along it",
              fabs(offset), fabs(turn) * 180.0 / VD_PI);
}

void vd_scenario_check_path(const vd_scenario_context *ctx, vd_scenario_def *def) {
  vd_path_point first;
  if (def->path.type == VD_PATH_NONE) {
    if (def->initial.place == VD_START_ON_PATH)
      vd_error(ctx->d, vd_tree_place(ctx->root, "initial.start"), "there is no path on which the car could start");
    if (def->path_speed.limit != VD_PATH_LIMIT_NONE)
      vd_error(ctx->d, vd_tree_place(ctx->root, "path_speed"), "there is no path for these speeds");
    return;
  }
  vd_path_build(&def->path, def->vehicle.width, ctx->arena, &def->track);
  vd_grip_limits *limits = vd_scenario_find_limits(ctx, def);
  if (limits)
    vd_scenario_set_speeds(ctx, limits, def);
  free(limits);
  vd_path_at(&def->track, 0.0, &first);
  if (def->initial.place == VD_START_ON_PATH)
    place_on_path(ctx, &first, def);
  else if (!vd_scenario_lateral_key(&def->inputs) && !vd_inputs_prescribed(&def->inputs))
    say_off_path(ctx, def);
}
