#include "vehicle/brake_heat.h"

#include "base/base.h"
#include "input/schema.h"

/* clang-format off */
#define DISC .only = VD_WHEN(VD_BRAKE_HEAT_DISC)

static const char *const type_names[] = {"none", "disc", NULL};

static const vd_field fields[] = {
  {VD_F_CHOICE(vd_brake_heat, type, "type", type_names, "none",
      "none: brakes stay cold; disc: each wheel has a disc that warms up, and pads whose friction depends on it")},
  {VD_F_NUMBER(vd_brake_heat, capacity[VD_FRONT], "front_capacity", "J/K", 0, 1e7, VD_ABOVE, NULL,
      "heat capacity of a front disc: its mass times 460 to 550 J/(kg K)"), DISC, .example = "4500 J/K"},
  {VD_F_NUMBER(vd_brake_heat, capacity[VD_REAR], "rear_capacity", "J/K", 0, 1e7, VD_ABOVE, NULL,
      "heat capacity of a rear disc or drum"), DISC, .example = "2500 J/K"},
  {VD_F_POINTS(vd_brake_heat, cooling[VD_FRONT], "front_cooling", "W/K", 0, 1e4, "[]",
      "pairs [speed of the car, cooling of a front disc per K above the air]; smooth between, constant outside"),
   DISC, .x_unit = "m/s", .example = "[[0, 3], [30 m/s, 18 W/K]]"},
  {VD_F_POINTS(vd_brake_heat, cooling[VD_REAR], "rear_cooling", "W/K", 0, 1e4, "[]",
      "pairs [speed of the car, cooling of a rear disc per K above the air]"),
   DISC, .x_unit = "m/s", .example = "[[0, 2], [30 m/s, 11 W/K]]"},
  {VD_F_NUMBER(vd_brake_heat, start, "start", "K", 0, 2000, 0, "0", "temperature of the discs above the air at t = 0"),
   DISC, .example = "80 K"},
  {VD_F_POINTS(vd_brake_heat, friction, "friction", "1", 0, 10, "[]",
      "pairs [temperature of the disc above the air, factor of the pads' friction]; smooth between, constant outside"),
   DISC, .x_unit = "K", .example = "[[0, 1], [400 K, 1], [600 K, 0.7]]"},
  {VD_F_POINTS(vd_brake_heat, sliding, "sliding", "1", 0, 10, "[]",
      "pairs [speed of the wheel's rim, factor of the pads' friction]; smooth between, constant outside"),
   DISC, .x_unit = "m/s", .example = "[[0, 1.05], [40 m/s, 0.9]]"},
};
/* clang-format on */

const vd_schema vd_brake_heat_schema = {
    .name = "brake heat", VD_SCHEMA_ROWS(vd_brake_heat, fields), .tag = "type", .shorthand = "type"};

vd_brake_curve vd_brake_curve_of(const vd_points *points, vd_arena *arena) {
  if (points->count < 2 || points->count > VD_CURVE_POINTS)
    return (vd_brake_curve){0};
  vd_curve *curve = vd_arena_alloc(arena, sizeof *curve);
  vd_curve_build(points, curve);
  return (vd_brake_curve){curve, points->xy[0], points->xy[2 * (points->count - 1)]};
}

void vd_brake_heat_complete(vd_brake_heat *heat, vd_arena *arena) {
  for (int a = 0; a < VD_AXLES; a++)
    heat->by_speed[a] = vd_brake_curve_of(&heat->cooling[a], arena);
  heat->by_heat = vd_brake_curve_of(&heat->friction, arena);
  heat->by_sliding = vd_brake_curve_of(&heat->sliding, arena);
}

void vd_brake_heat_check(const vd_brake_heat *heat, const vd_node *root, const char *path, vd_diag *d) {
  const struct {
    const char *key;
    const vd_points *points;
  } curve[] = {{"front_cooling", &heat->cooling[VD_FRONT]},
               {"rear_cooling", &heat->cooling[VD_REAR]},
               {"friction", &heat->friction},
               {"sliding", &heat->sliding}};
  for (size_t i = 0; i < VD_COUNT(curve); i++)
    if (curve[i].points->count == 1 || curve[i].points->count > VD_CURVE_POINTS)
      vd_error(d, vd_tree_place_in(root, path, "%s", curve[i].key), "%s needs 2 to %d pairs, not %zu", curve[i].key,
               (int)VD_CURVE_POINTS, curve[i].points->count);
}
