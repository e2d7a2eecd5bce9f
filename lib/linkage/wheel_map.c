/* Maps of wheels over travel and rack, made from tables.
 *
 * The knuckle's attitude consists of three rotations: its toe about the vertical, its camber about its heading, and its
 * spin angle about its axle. Let ' be the derivative by travel, and a the direction of the axle, outward. The knuckle's
 * rotation about the axle, per travel, is
 *
 *   w . a = spin' + (-toe' z) . a = spin' - toe' a_z
 *
 * because toe-in of the left wheel is a rotation to the right (-z), and camber turns about a line normal to a. */
#include "linkage/corner.h"
#include "linkage/linkage_map_impl.h"
#include "linkage/wheel_tables.h"

#include "base/elementary.h"

#include <math.h>
#include <string.h>

/* Tables of both wheels, for the steering. */
typedef struct pair {
  const vd_wheel_tables *left, *right;
} pair;

static double toe_change(const vd_wheel_tables *t, double rack) {
  double at[VD_TABLE_COORDINATES] = {0.0}, by[VD_TABLE_COORDINATES];
  at[vd_wheel_tables_rack(t)] = rack;
  return vd_wheel_tables_at(t, VD_TABLED_TOE, at, by);
}

/* Returns the mean steering angle of both wheels, to the left > 0. For mirror images it is odd in the rack, to the last
 * bit. */
static double mean_angle(const pair *p, double rack) {
  double mean = 0.5 * (toe_change(p->right, -rack) - toe_change(p->left, rack));
  return p->right != p->left ? mean
                             : 0.25 * (toe_change(p->left, -rack) - toe_change(p->left, rack) +
                                       toe_change(p->right, -rack) - toe_change(p->right, rack));
}

/* Computes the range of racks that the tables of both wheels cover. */
static void both_racks(const pair *p, double end[2]) {
  double left[2], right[2];
  vd_wheel_tables_range(p->left, vd_wheel_tables_rack(p->left), &left[0], &left[1]);
  vd_wheel_tables_range(p->right, vd_wheel_tables_rack(p->right), &right[0], &right[1]);
  end[0] = vd_max(left[0], -right[1]);
  end[1] = vd_min(left[1], -right[0]);
  if (p->right == p->left) {
    end[1] = vd_min(end[1], -end[0]);
    end[0] = -end[1];
  }
}

static bool mean_steer(const void *of, double rack, double *angle) {
  const double beyond = 1e-9;
  double end[2];
  both_racks(of, end);
  *angle = mean_angle(of, rack);
  return rack >= end[0] - beyond && rack <= end[1] + beyond;
}

double vd_wheel_tables_steer(const vd_wheel_tables *left, const vd_wheel_tables *right) {
  const pair p = {left, right};
  double end[2];
  both_racks(&p, end);
  return vd_min(fabs(mean_angle(&p, end[0])), fabs(mean_angle(&p, end[1])));
}

/* Computes the compression of spring and damper per travel of both wheels in the design position. */
static void find_ratios(const vd_wheel_tables *t, double ratio[2]) {
  static const double design[VD_TABLE_COORDINATES];
  for (int k = 0; k < 2; k++) {
    enum vd_tabled q = k == 0 ? VD_TABLED_SPRING : VD_TABLED_DAMPER;
    double by[VD_TABLE_COORDINATES];
    vd_wheel_tables_at(t, q, design, by);
    ratio[k] = vd_wheel_tables_have(t, q) ? -by[0] - (t->joined ? by[1] : 0.0) : 1.0;
  }
}

static void measure(const vd_wheel_tables *t, const double ratio[2], const double *at, vd_corner_pose *out) {
  double by[VD_TABLED][VD_TABLE_COORDINATES], value[VD_TABLED], axis[3], travel = at[VD_TABLE_TRAVEL];
  vd_wheel_tables_all(t, at, value, by);
  vd_spin_axis_of(t->toe + value[VD_TABLED_TOE], t->camber + value[VD_TABLED_CAMBER], axis);
  out->value[VD_MAP_X] = value[VD_TABLED_X];
  out->value[VD_MAP_Y] = value[VD_TABLED_Y];
  out->value[VD_MAP_AXLE_X] = axis[0];
  out->value[VD_MAP_AXLE_Z] = axis[2];
  out->value[VD_MAP_SPIN] = by[VD_TABLED_SPIN][0] - by[VD_TABLED_TOE][0] * axis[2];
  out->value[VD_MAP_OTHER_SPIN] = t->joined ? by[VD_TABLED_SPIN][1] - by[VD_TABLED_TOE][1] * axis[2] : 0.0;
  for (int k = 0; k < 2; k++) {
    enum vd_tabled q = k == 0 ? VD_TABLED_SPRING : VD_TABLED_DAMPER;
    out->value[VD_MAP_SPRING + k] = vd_wheel_tables_have(t, q) ? -value[q] / ratio[k] : travel;
  }
  out->lift[0] = vd_wheel_tables_have(t, VD_TABLED_Z) ? value[VD_TABLED_Z] - travel : 0.0;
  out->turn[0] = vd_wheel_tables_have(t, VD_TABLED_KINGPIN) ? value[VD_TABLED_KINGPIN] : -value[VD_TABLED_TOE];
}

/* --- knuckles of a steered axle --- */

typedef struct knuckle {
  const vd_wheel_tables *tables;
  const vd_linkage_map *map;
} knuckle;

static bool measure_racks(void *of, double travel, int other, double *value) {
  static const double any[2] = {1.0, 1.0};
  const knuckle *n = of;
  const vd_linkage_map *map = n->map;
  for (int k = 0; k <= map->gear.cells; k++, value += VD_MAPPED) {
    const double at[] = {travel, vd_axis_node(&map->knuckle_travel, other), vd_linkage_map_gear_rack(map, k)};
    vd_corner_pose pose;
    measure(n->tables, any, at, &pose);
    memcpy(value, pose.value, sizeof pose.value);
    value[VD_MAP_LIFT] = pose.lift[0];
    value[VD_MAP_TURN] = pose.turn[0];
  }
  return true;
}

/* Builds the joint of the drive shaft. The rack turns the knuckle about the kingpin. The kingpin's direction follows
 * from the rates of three rotations: by toe about the vertical, by camber about the heading, by spin about the axle. */
static vd_shaft_joint shaft_of(const vd_wheel_tables *t) {
  static const enum vd_tabled of[3] = {VD_TABLED_TOE, VD_TABLED_CAMBER, VD_TABLED_SPIN};
  static const double design[VD_TABLE_COORDINATES];
  double rate[3], axle[3], kingpin[3], by[VD_TABLE_COORDINATES];
  for (int k = 0; k < 3; k++) {
    vd_wheel_tables_at(t, of[k], design, by);
    rate[k] = by[VD_TABLE_GEAR];
  }
  vd_spin_axis_of(t->toe, t->camber, axle);
  const double heading[3] = {vd_cos(t->toe), -vd_sin(t->toe), 0.0}, up = rate[0] > 0.0 ? -1.0 : 1.0;
  for (int i = 0; i < 3; i++)
    kingpin[i] = up * (rate[2] * axle[i] - rate[1] * heading[i] - (i == 2 ? rate[0] : 0.0));
  return vd_knuckle_shaft(kingpin, axle);
}

static bool fit_knuckle(const vd_wheel_tables *t, vd_arena *arena, vd_linkage_map *map) {
  double from, to;
  knuckle n = {t, map};
  vd_wheel_tables_range(t, VD_TABLE_GEAR, &from, &to);
  map->shaft = shaft_of(t);
  return vd_linkage_map_knuckle(&(vd_knuckle_survey){measure_racks, &n}, vd_min(to, -from), arena, map);
}

static bool fit(const vd_wheel_tables *t, const vd_linkage_map *axes, vd_arena *arena, vd_linkage_map *map) {
  double ratio[2];
  find_ratios(t, ratio);
  if (!(ratio[0] > 0.0 && ratio[1] > 0.0))
    return false;
  *map = *axes;
  map->spring_ratio = ratio[0];
  int columns = map->rack.cells + 1;
  size_t nodes = (size_t)((map->travel.cells + 1) * columns);
  vd_corner_pose *value = vd_arena_alloc(arena, nodes * sizeof *value);
  double *path = vd_arena_alloc(arena, 2 * nodes * sizeof *path), by[VD_TABLE_COORDINATES];
  for (int i = 0; i <= map->travel.cells; i++) {
    double at[VD_TABLE_COORDINATES] = {vd_axis_node(&map->travel, i)};
    path[2 * i] = vd_wheel_tables_at(t, VD_TABLED_X, at, by);
    path[2 * i + 1] = vd_wheel_tables_at(t, VD_TABLED_Y, at, by);
    for (int j = 0; j < columns; j++) {
      at[VD_TABLE_SECOND] = map->rack.cells ? vd_axis_node(&map->rack, j) : 0.0;
      measure(t, ratio, at, &value[i * columns + j]);
    }
  }
  map->surface = vd_linkage_map_surface(map, value, arena);
  if (!map->joined)
    map->path = vd_linkage_map_path(map, path, arena);
  return !(map->joined && vd_wheel_tables_over(t, VD_TABLE_GEAR)) || fit_knuckle(t, arena, map);
}

/* Makes the map of the wheel p->left, as a left wheel. */
static const vd_linkage_map *map_wheel(const pair *p, double most_travel, double most_steer, vd_arena *arena,
                                       enum vd_map_status *status) {
  vd_linkage_map axes = {.joined = p->left->joined}, *map = vd_arena_alloc(arena, sizeof *map);
  double from = -most_travel, to = most_travel;
  *status = VD_MAP_STEER;
  if (most_steer > 0.0 &&
      !vd_linkage_map_steer(&(vd_steer_curve){mean_steer, p, p->right != p->left}, most_steer, arena, &axes))
    return NULL;
  for (int side = 0; side < 2; side++) {
    const vd_wheel_tables *t = side == 0 ? p->left : p->right;
    for (enum vd_table_coordinate k = VD_TABLE_TRAVEL; k < vd_wheel_tables_rack(t); k++) {
      double first, last;
      vd_wheel_tables_range(t, k, &first, &last);
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
  if (!fit(p->left, &axes, arena, map))
    return NULL;
  *status = VD_MAP_OK;
  map->right = map;
  return map;
}

const vd_linkage_map *vd_wheel_tables_map(const vd_wheel_tables *left, const vd_wheel_tables *right, double most_travel,
                                          double most_steer, vd_arena *arena, enum vd_map_status *status) {
  const pair both = {left, right}, image = {right, left};
  const vd_linkage_map *map = map_wheel(&both, most_travel, most_steer, arena, status);
  if (!map || right == left)
    return map;
  vd_linkage_map *own = vd_arena_alloc(arena, sizeof *own);
  *own = *map;
  own->right = map_wheel(&image, most_travel, most_steer, arena, status);
  return own->right ? own : NULL;
}
