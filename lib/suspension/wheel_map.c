/* Maps of wheels over travel and rack, made of tables.
 *
 * The knuckle's attitude is that of three turns: by its toe about the vertical, by its camber about its own heading, by
 * its spin about its own axle. It turns about this axle, which points outward along a, at
 *
 *   w . a = spin' + (toe' z) . a = spin' + toe' sin(camber)
 *
 * per unit of travel, toe-in of the left wheel being a turn to the right (-z) and a . z = -sin(camber): so that
 * w . a = spin' - toe' a_z. */
#include "suspension/corner.h"
#include "suspension/linkage_map_impl.h"
#include "suspension/wheel_tables.h"

#include "base/elementary.h"

#include <math.h>

/* Both wheels' tables, for the steering. */
typedef struct pair {
  const vd_wheel_tables *left, *right;
} pair;

static double toe_change(const vd_wheel_tables *t, double rack) {
  double by[2];
  return vd_wheel_tables_at(t, VD_TABLED_TOE, 0.0, rack, by);
}

/* The part of the mean angle of both wheels that is odd in the rack: all of it, if the wheels are mirror images. */
static bool mean_steer(const void *of, double rack, double *angle) {
  const pair *p = of;
  double from, to, right_from, right_to, beyond = 1e-9;
  vd_wheel_tables_range(p->left, true, &from, &to);
  vd_wheel_tables_range(p->right, true, &right_from, &right_to);
  double most = vd_min(vd_min(to, -from), vd_min(right_to, -right_from));
  *angle = 0.25 * (toe_change(p->left, -rack) - toe_change(p->left, rack) + toe_change(p->right, -rack) -
                   toe_change(p->right, rack));
  return fabs(rack) <= most + beyond;
}

/* Lengths of spring and damper at the design position, per travel of both wheels: by how much they shorten. */
typedef struct elements {
  double ratio[2];
} elements;

static elements design_elements(const vd_wheel_tables *t) {
  elements e;
  for (int k = 0; k < 2; k++) {
    enum vd_tabled q = k == 0 ? VD_TABLED_SPRING : VD_TABLED_DAMPER;
    double by[2];
    vd_wheel_tables_at(t, q, 0.0, 0.0, by);
    e.ratio[k] = vd_wheel_tables_have(t, q) ? -by[0] - (t->joined ? by[1] : 0.0) : 1.0;
  }
  return e;
}

static void measure(const vd_wheel_tables *t, const elements *e, double travel, double second, vd_corner_pose *out) {
  double by[VD_TABLED][2], value[VD_TABLED], axis[3];
  for (int q = 0; q < VD_TABLED; q++)
    value[q] = vd_wheel_tables_at(t, (enum vd_tabled)q, travel, second, by[q]);
  vd_spin_axis_of(t->toe + value[VD_TABLED_TOE], t->camber + value[VD_TABLED_CAMBER], axis);
  out->value[VD_MAP_X] = value[VD_TABLED_X];
  out->value[VD_MAP_Y] = value[VD_TABLED_Y];
  out->value[VD_MAP_AXLE_X] = axis[0];
  out->value[VD_MAP_AXLE_Z] = axis[2];
  out->value[VD_MAP_SPIN] = by[VD_TABLED_SPIN][0] - by[VD_TABLED_TOE][0] * axis[2];
  out->value[VD_MAP_OTHER_SPIN] = t->joined ? by[VD_TABLED_SPIN][1] - by[VD_TABLED_TOE][1] * axis[2] : 0.0;
  for (int k = 0; k < 2; k++) {
    enum vd_tabled q = k == 0 ? VD_TABLED_SPRING : VD_TABLED_DAMPER;
    out->value[VD_MAP_SPRING + k] = vd_wheel_tables_have(t, q) ? -value[q] / e->ratio[k] : travel;
  }
}

static bool fit(const vd_wheel_tables *t, const vd_linkage_map *axes, vd_arena *arena, vd_linkage_map *map) {
  elements e = design_elements(t);
  if (!(e.ratio[0] > 0.0 && e.ratio[1] > 0.0))
    return false;
  *map = *axes;
  map->spring_ratio = e.ratio[0];
  map->damper_ratio = e.ratio[1];
  int columns = map->rack.cells + 1;
  size_t nodes = (size_t)((map->travel.cells + 1) * columns);
  vd_corner_pose *value = vd_arena_alloc(arena, nodes * sizeof *value);
  double *path = vd_arena_alloc(arena, 2 * nodes * sizeof *path), by[2];
  for (int i = 0; i <= map->travel.cells; i++) {
    double travel = vd_axis_node(&map->travel, i);
    for (int j = 0; j < columns; j++)
      measure(t, &e, travel, map->rack.cells ? vd_axis_node(&map->rack, j) : 0.0, &value[i * columns + j]);
    path[2 * i] = vd_wheel_tables_at(t, VD_TABLED_X, travel, 0.0, by);
    path[2 * i + 1] = vd_wheel_tables_at(t, VD_TABLED_Y, travel, 0.0, by);
  }
  map->surface = vd_linkage_map_surface(map, value, arena);
  if (!map->joined)
    map->path = vd_linkage_map_path(map, path, arena);
  return true;
}

const vd_linkage_map *vd_wheel_tables_map(const vd_wheel_tables *left, const vd_wheel_tables *right, double most_travel,
                                          double most_steer, vd_arena *arena, enum vd_map_status *status) {
  vd_linkage_map axes = {.joined = left->joined}, *map = vd_arena_alloc(arena, sizeof *map), *other = map;
  const pair both = {left, right};
  double from = -most_travel, to = most_travel;
  *status = VD_MAP_STEER;
  if (most_steer > 0.0 && !vd_linkage_map_steer(&(vd_steer_curve){mean_steer, &both, false}, most_steer, arena, &axes))
    return NULL;
  for (int side = 0; side < 2; side++) {
    const vd_wheel_tables *t = side == 0 ? left : right;
    for (int second = 0; second <= t->joined; second++) {
      double first, last;
      vd_wheel_tables_range(t, second, &first, &last);
      from = vd_max(from, first);
      to = vd_min(to, last);
    }
  }
  *status = VD_MAP_SHORT;
  if (!(from < -VD_MAP_LEAST_TRAVEL && to > VD_MAP_LEAST_TRAVEL))
    return NULL;
  axes.travel = vd_axis_make(from, to, axes.joined ? VD_MAP_JOINED_STEP : VD_MAP_TRAVEL_STEP);
  if (axes.joined)
    axes.rack = axes.travel;
  *status = VD_MAP_SPRING_SIGN;
  if (!fit(left, &axes, arena, map))
    return NULL;
  if (right != left) {
    other = vd_arena_alloc(arena, sizeof *other);
    if (!fit(right, &axes, arena, other))
      return NULL;
    other->right = other;
  }
  map->right = other;
  *status = VD_MAP_OK;
  return map;
}
