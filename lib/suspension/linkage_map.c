#include "suspension/linkage_map_impl.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double travel_step = VD_MAP_TRAVEL_STEP, rack_step = VD_MAP_RACK_STEP, joined_step = VD_MAP_JOINED_STEP;
static const double pose_step = 0.02; /* m, of the poses from which Newton's method starts */
static const double least_travel = VD_MAP_LEAST_TRAVEL;

/* --- what is mapped --- */

static double shortening(const vd_linkage *l, const vd_pose *pose, const vd_element *e, vd_jet *length) {
  if (!e->given) {
    *length = (vd_jet){.v = -pose->u[0], .d = {-1.0}};
    return *length->d;
  }
  *length = vd_element_length(l, pose, e);
  return length->d[0];
}

static void keep(vd_jet j, double offset, double scale, enum vd_mapped what, vd_corner_pose *out) {
  out->value[what] = scale * (j.v - offset);
  out->by_travel[what] = scale * j.d[0];
  out->by_rack[what] = scale * j.d[1];
}

/* Lengths at design, and their change by travel; of joined wheels, by that of both. */
typedef struct element_start {
  double length[2], ratio[2];
} element_start;

static element_start start_elements(const vd_linkage *l, bool joined, const vd_pose *design) {
  const vd_element *element[2] = {&l->points.spring, &l->points.damper};
  element_start s;
  for (int k = 0; k < 2; k++) {
    vd_jet length;
    s.ratio[k] = -shortening(l, design, element[k], &length);
    if (joined)
      s.ratio[k] -= length.d[1];
    s.length[k] = length.v;
  }
  return s;
}

/* The turn about the spin axis s per input j is w_j . s, w_j the knuckle's rate by it; and dw_j/du_k = a_jk + (w_k x
 * w_j)/2, so that d(w_j . s)/du_k = a_jk . s + (w_k x w_j) . s/2 + w_j . (w_k x s) = a_jk . s - (w_k x w_j) . s/2. */
static void keep_spin(const vd_pose *pose, const double *s, int input, enum vd_mapped what, vd_corner_pose *out) {
  static const int second[VD_INPUTS][VD_INPUTS] = {{VD_UU, VD_UV}, {VD_UV, VD_VV}};
  const double *wj = pose->spin[input];
  double by[VD_INPUTS];
  for (int k = 0; k < VD_INPUTS; k++) {
    double turn[3];
    vd_cross(pose->spin[k], wj, turn);
    by[k] = vd_dot(pose->angular[second[input][k]], s) - 0.5 * vd_dot(turn, s);
  }
  out->value[what] = vd_dot(wj, s);
  out->by_travel[what] = by[0];
  out->by_rack[what] = by[1];
}

static void measure(const vd_linkage_map *map, const element_start *start, const vd_pose *pose, vd_corner_pose *out) {
  const vd_linkage *l = map->linkage;
  const vd_element *element[2] = {&l->points.spring, &l->points.damper};
  memset(out, 0, sizeof *out);
  for (int i = 0; i < 2; i++) {
    out->value[VD_MAP_X + i] = pose->at[i] - l->points.wheel_center[i];
    out->by_travel[VD_MAP_X + i] = pose->velocity[0][i];
    out->by_rack[VD_MAP_X + i] = pose->velocity[1][i];
  }
  vd_jet3 axle = vd_pose_direction(pose, l->spin_axis);
  const double s[3] = {axle.x.v, axle.y.v, axle.z.v};
  keep(axle.x, 0.0, 1.0, VD_MAP_AXLE_X, out);
  keep(axle.z, 0.0, 1.0, VD_MAP_AXLE_Z, out);
  keep_spin(pose, s, 0, VD_MAP_SPIN, out);
  if (map->joined)
    keep_spin(pose, s, 1, VD_MAP_OTHER_SPIN, out);
  for (int k = 0; k < 2; k++) {
    vd_jet length;
    shortening(l, pose, element[k], &length);
    keep(length, start->length[k], -1.0 / start->ratio[k], k == 0 ? VD_MAP_SPRING : VD_MAP_DAMPER, out);
  }
}

/* --- range --- */

/* How far the linkage goes in one direction of an input, at most `most`. */
static double reach(const vd_linkage *l, int input, double most) {
  vd_pose pose;
  double u[VD_INPUTS] = {0.0};
  vd_linkage_start(l, &pose);
  u[input] = most;
  vd_linkage_move(l, u, &pose);
  return pose.u[input];
}

static double steer_angle(const vd_linkage *l, const vd_pose *pose) {
  vd_jet3 axle = vd_pose_direction(pose, l->spin_axis);
  return vd_atan2(-axle.x.v, axle.y.v);
}

/* Mean angle of the left wheel and of the right one, which is the left one's mirror image at the opposite rack. */
static bool mean_steer(const vd_linkage *l, double rack, double *angle) {
  *angle = 0.0;
  for (int side = 0; side < 2; side++) {
    vd_pose pose;
    double sign = side == 0 ? 1.0 : -1.0;
    const double u[VD_INPUTS] = {0.0, sign * rack};
    vd_linkage_start(l, &pose);
    if (vd_linkage_move(l, u, &pose) != VD_LINKAGE_OK)
      return false;
    *angle += 0.5 * sign * steer_angle(l, &pose);
  }
  return true;
}

static bool mean_steer_of(const void *of, double rack, double *angle) {
  return mean_steer(of, rack, angle);
}

/* The rack that turns the wheels by an angle, by secants from a guess with a slope; NAN if it cannot. */
static double rack_for(const vd_steer_curve *of, double angle, double rack, double slope) {
  enum { ROUNDS = 60 };
  double mean, before = 0.0, tried = 0.0;
  for (int round = 0; round < ROUNDS; round++) {
    if (!of->mean(of->of, rack, &mean))
      return NAN;
    if (fabs(mean - angle) < 1e-14)
      return rack;
    double next_slope = round > 0 && mean != before ? (rack - tried) / (mean - before) : slope;
    before = mean;
    tried = rack;
    rack += (angle - mean) * next_slope;
    if (rack == tried)
      return rack;
  }
  return fabs(mean - angle) < 1e-9 ? rack : NAN;
}

bool vd_linkage_map_steer(const vd_steer_curve *of, double most, vd_arena *arena, vd_linkage_map *map) {
  enum { HALF = 32 };
  double mean, rack = 0.0, slope, value[2 * HALF + 1];
  if (!of->mean(of->of, 1e-4, &mean) || !(fabs(mean) > 1e-6))
    return false;
  slope = 1e-4 / mean;
  map->steer_axis = vd_axis_make(-most, most, most / HALF);
  value[HALF] = 0.0;
  for (int i = 1; i <= HALF; i++) {
    double angle = most * i / HALF, next = rack_for(of, angle, rack + slope * most / HALF, slope);
    if (!(fabs(next) > fabs(rack)))
      return false;
    slope = (next - rack) * HALF / most;
    rack = next;
    value[HALF + i] = rack;
    value[HALF - i] = -rack;
  }
  double *coefficient = vd_arena_alloc(arena, (2 * HALF + VD_BSPLINE_ENDS) * sizeof *coefficient);
  vd_bspline_fitter f = vd_bspline_fitter_make(2 * HALF);
  vd_bspline_fit(&f, value, 1, coefficient, 1);
  vd_bspline_fitter_free(&f);
  for (int i = 0, last = 2 * HALF + VD_BSPLINE_ENDS - 1; i <= last - i; i++) { /* odd to the last bit, too */
    coefficient[i] = 0.5 * (coefficient[i] - coefficient[last - i]);
    coefficient[last - i] = -coefficient[i];
  }
  map->steer = coefficient;
  map->most_steer = most;
  double end = fabs(rack);
  map->rack = vd_axis_make(-end, end, rack_step);
  return true;
}

/* --- building --- */

/* All poses of the grid, each from its neighbour; false if one does not close or a rocker does not follow. value:
 * [travel nodes][rack nodes]. */
static bool survey(const vd_linkage_map *map, const element_start *start, vd_corner_pose *value) {
  const vd_linkage *l = map->linkage;
  vd_pose column;
  vd_linkage_start(l, &column);
  for (int j = 0; j <= map->rack.cells; j++) {
    double rack = map->rack.cells ? vd_axis_node(&map->rack, j) : 0.0;
    const double u[VD_INPUTS] = {0.0, rack};
    if (vd_linkage_move(l, u, &column) != VD_LINKAGE_OK)
      return false;
    for (int half = 0; half < 2; half++) {
      vd_pose pose = column;
      for (int k = 0; k <= map->travel.cells; k++) {
        int i = half == 0 ? k : map->travel.cells - k;
        double travel = vd_axis_node(&map->travel, i);
        if (half == 0 ? travel < 0.0 : travel >= 0.0)
          continue;
        const double there[VD_INPUTS] = {travel, rack};
        vd_corner_pose *at = &value[i * (map->rack.cells + 1) + j];
        if (vd_linkage_move(l, there, &pose) != VD_LINKAGE_OK)
          return false;
        measure(map, start, &pose, at);
        if (!isfinite(at->value[VD_MAP_SPRING] + at->value[VD_MAP_DAMPER])) /* a rocker goes no further */
          return false;
      }
    }
  }
  return true;
}

/* Along the travel for each rack, then along the rack for each coefficient. */
const double *vd_linkage_map_surface(const vd_linkage_map *map, const vd_corner_pose *value, vd_arena *arena) {
  size_t rows = (size_t)map->travel.cells + VD_BSPLINE_ENDS, nodes = (size_t)map->rack.cells + 1;
  size_t columns = map->rack.cells ? nodes + 2 : 1;
  double *along = vd_arena_alloc(arena, rows * nodes * VD_MAPPED * sizeof *along);
  const size_t pose = sizeof *value / sizeof(double);
  vd_bspline_fitter f = vd_bspline_fitter_make(map->travel.cells);
  for (size_t j = 0; j < nodes; j++)
    for (size_t k = 0; k < VD_MAPPED; k++)
      vd_bspline_fit(&f, &value[j].value[k], nodes * pose, &along[j * VD_MAPPED + k], nodes * VD_MAPPED);
  vd_bspline_fitter_free(&f);
  if (!map->rack.cells)
    return along;
  double *surface = vd_arena_alloc(arena, rows * columns * VD_MAPPED * sizeof *surface);
  f = vd_bspline_fitter_make(map->rack.cells);
  for (size_t i = 0; i < rows; i++)
    for (size_t k = 0; k < VD_MAPPED; k++)
      vd_bspline_fit(&f, &along[i * nodes * VD_MAPPED + k], VD_MAPPED, &surface[i * columns * VD_MAPPED + k],
                     VD_MAPPED);
  vd_bspline_fitter_free(&f);
  return surface;
}

const double *vd_linkage_map_path(const vd_linkage_map *map, const double *value, vd_arena *arena) {
  double *path = vd_arena_alloc(arena, 2 * ((size_t)map->travel.cells + VD_BSPLINE_ENDS) * sizeof *path);
  vd_bspline_fitter f = vd_bspline_fitter_make(map->travel.cells);
  for (size_t k = 0; k < 2; k++)
    vd_bspline_fit(&f, value + k, 2, path + k, 2);
  vd_bspline_fitter_free(&f);
  return path;
}

static const double *fit_path(const vd_linkage_map *map, vd_arena *arena) {
  const vd_linkage *l = map->linkage;
  double *value = vd_arena_alloc(arena, 2 * ((size_t)map->travel.cells + 1) * sizeof *value);
  vd_pose pose;
  vd_linkage_start(l, &pose);
  for (int i = 0; i <= map->travel.cells; i++) {
    const double u[VD_INPUTS] = {vd_axis_node(&map->travel, i), 0.0};
    enum vd_linkage_status status = vd_linkage_move(l, u, &pose);
    assert(status == VD_LINKAGE_OK);
    for (int k = 0; k < 2; k++)
      value[2 * i + k] = pose.at[k] - l->points.wheel_center[k];
  }
  return vd_linkage_map_path(map, value, arena);
}

static double coarse(const vd_axis *fine, int i, int count) {
  return fine->from + (fine->cells * fine->step * i) / (count - 1);
}

static int coarse_count(const vd_axis *fine) {
  return fine->cells ? (int)ceil(fine->cells * fine->step / pose_step) + 1 : 1;
}

static void store_poses(vd_linkage_map *map, vd_arena *arena) {
  map->pose_rows = coarse_count(&map->travel);
  map->pose_columns = coarse_count(&map->rack);
  vd_pose *pose = vd_arena_alloc(arena, (size_t)(map->pose_rows * map->pose_columns) * sizeof *pose);
  for (int j = 0; j < map->pose_columns; j++) {
    double rack = map->rack.cells ? coarse(&map->rack, j, map->pose_columns) : 0.0;
    vd_pose at;
    vd_linkage_start(map->linkage, &at);
    const double aside[VD_INPUTS] = {0.0, rack};
    vd_linkage_move(map->linkage, aside, &at);
    for (int i = 0; i < map->pose_rows; i++) {
      const double u[VD_INPUTS] = {coarse(&map->travel, i, map->pose_rows), rack};
      vd_linkage_move(map->linkage, u, &at);
      pose[i * map->pose_columns + j] = at;
    }
  }
  map->pose = pose;
}

/* The widest travel at which all of the rack, or the same travel of the other wheel, works, in steps. */
static vd_corner_pose *survey_all(vd_linkage_map *map, const element_start *start, double down, double up,
                                  vd_arena *arena) {
  for (; down < -least_travel && up > least_travel; down += travel_step, up -= travel_step) {
    map->travel = vd_axis_make(down, up, map->joined ? joined_step : travel_step);
    if (map->joined)
      map->rack = map->travel;
    size_t nodes = (size_t)((map->travel.cells + 1) * (map->rack.cells + 1));
    vd_corner_pose *value = vd_arena_alloc(arena, nodes * sizeof *value);
    if (survey(map, start, value))
      return value;
  }
  return NULL;
}

static vd_linkage_map *create(const vd_hardpoints *points, double most_travel, double most_steer, vd_arena *arena,
                              enum vd_map_status *status) {
  vd_linkage *l = vd_arena_alloc(arena, sizeof *l);
  vd_linkage_map *map = vd_arena_alloc(arena, sizeof *map);
  bool built = vd_linkage_build(points, VD_EACH, l);
  vd_pose design;
  assert(built);
  map->linkage = l;
  map->right = map;
  map->joined = vd_linkage_joins(points->type);
  vd_linkage_start(l, &design);
  element_start start = start_elements(l, map->joined, &design);
  *status = VD_MAP_SPRING_SIGN;
  if (!(start.ratio[0] > 0.0 && start.ratio[1] > 0.0))
    return NULL;
  map->spring_ratio = start.ratio[0];
  map->damper_ratio = start.ratio[1];
  *status = VD_MAP_STEER;
  if (most_steer > 0.0 && !vd_linkage_map_steer(&(vd_steer_curve){mean_steer_of, l}, most_steer, arena, map))
    return NULL;
  *status = VD_MAP_SHORT;
  vd_corner_pose *value = survey_all(map, &start, reach(l, 0, -most_travel), reach(l, 0, most_travel), arena);
  if (!value)
    return NULL;
  map->surface = vd_linkage_map_surface(map, value, arena);
  if (!map->joined)
    map->path = fit_path(map, arena);
  store_poses(map, arena);
  *status = VD_MAP_OK;
  return map;
}

const vd_linkage_map *vd_linkage_map_create(const vd_corner *corner, double most_travel, double most_steer,
                                            vd_arena *arena, enum vd_map_status *status) {
  vd_hardpoints other;
  vd_linkage_map *map = create(&corner->points, most_travel, most_steer, arena, status);
  vd_hardpoints_mirror(&corner->points, &other);
  if (map && memcmp(other.member, corner->points.member, sizeof other.member) != 0)
    map->right = create(&other, most_travel, most_steer, arena, status);
  return map && map->right ? map : NULL;
}

/* --- asking --- */

VD_INLINE void path_at(const vd_linkage_map *map, double travel, int cell, const double *b, const double *b1,
                       vd_corner_pose *out) {
  double b2[4];
  vd_wide low = {0.0}, high = {0.0};
  vd_bspline_second_basis(&map->travel, travel, cell, b2);
  for (int i = 0; i < 4; i += 2) {
    vd_wide both = vd_wide_load(map->path + 2 * (cell + i)), one = __builtin_shufflevector(both, both, 0, 1, 0, 1);
    vd_wide other = __builtin_shufflevector(both, both, 2, 3, 2, 3);
    low = low + (vd_wide){b[i], b[i], b1[i], b1[i]} * one;
    low = low + (vd_wide){b[i + 1], b[i + 1], b1[i + 1], b1[i + 1]} * other;
    high = high + (vd_wide){b2[i], b2[i], 0.0, 0.0} * one;
    high = high + (vd_wide){b2[i + 1], b2[i + 1], 0.0, 0.0} * other;
  }
  vd_wide_store(low, out->path);
  vd_wide_store(high, out->path + 4);
}

VD_WIDE static void joined_at(const vd_linkage_map *map, double travel, double other, vd_corner_pose *out) {
  double bt[4], bt1[4], bt2[4], bo[4], bo1[4], bo2[4];
  int row = vd_bspline_basis(&map->travel, travel, bt, bt1), column = vd_bspline_basis(&map->rack, other, bo, bo1);
  int columns = map->rack.cells + VD_BSPLINE_ENDS;
  vd_bspline_second_basis(&map->travel, travel, row, bt2);
  vd_bspline_second_basis(&map->rack, other, column, bo2);
  vd_wide none = {0.0}, own = none, mixed = none, twice = none; /* second derivatives of x and y, in the first half */
  for (int half = 0; half < VD_MAPPED; half += 4) {
    vd_wide value = none, by_travel = none, by_other = none;
    for (int i = 0; i < 4; i++) {
      const double *c = map->surface + ((row + i) * columns + column) * VD_MAPPED + half;
      vd_wide c0 = vd_wide_load(c), c1 = vd_wide_load(c + VD_MAPPED);
      vd_wide c2 = vd_wide_load(c + 2 * VD_MAPPED), c3 = vd_wide_load(c + 3 * VD_MAPPED);
      vd_wide sum = bo[0] * c0 + bo[1] * c1 + bo[2] * c2 + bo[3] * c3;
      vd_wide slope = bo1[0] * c0 + bo1[1] * c1 + bo1[2] * c2 + bo1[3] * c3;
      value += bt[i] * sum;
      by_travel += bt1[i] * sum;
      by_other += bt[i] * slope;
      if (half == 0) {
        own += bt2[i] * sum;
        mixed += bt1[i] * slope;
        twice += bt[i] * (bo2[0] * c0 + bo2[1] * c1 + bo2[2] * c2 + bo2[3] * c3);
      }
    }
    vd_wide_store(value, out->value + half);
    vd_wide_store(by_travel, out->by_travel + half);
    vd_wide_store(by_other, out->by_rack + half);
  }
  for (int k = 0; k < 2; k++) {
    out->path[k] = out->value[VD_MAP_X + k];
    out->path[2 + k] = out->by_travel[VD_MAP_X + k];
    out->path[4 + k] = own[VD_MAP_X + k];
    out->other_path[k] = out->by_rack[VD_MAP_X + k];
    out->other_path[2 + k] = mixed[VD_MAP_X + k];
    out->other_path[4 + k] = twice[VD_MAP_X + k];
    out->path[6 + k] = out->other_path[6 + k] = 0.0;
  }
}

VD_WIDE void vd_linkage_map_at(const vd_linkage_map *map, double travel, double rack, vd_corner_pose *out) {
  double bt[4], bt1[4], br[4], br1[4];
  if (map->joined) {
    joined_at(map, travel, rack, out);
    return;
  }
  int row = vd_bspline_basis(&map->travel, travel, bt, bt1),
      columns = map->rack.cells ? map->rack.cells + VD_BSPLINE_ENDS : 1;
  path_at(map, travel, row, bt, bt1, out);
  const double *from = map->surface + row * columns * VD_MAPPED;
  vd_wide none = {0.0};
  if (!map->rack.cells) {
    for (int half = 0; half < VD_MAPPED; half += 4) {
      vd_wide value = none, slope = none;
      for (int i = 0; i < 4; i++) {
        vd_wide c = vd_wide_load(from + i * VD_MAPPED + half);
        value += bt[i] * c;
        slope += bt1[i] * c;
      }
      vd_wide_store(value, out->value + half);
      vd_wide_store(slope, out->by_travel + half);
      vd_wide_store(none, out->by_rack + half);
    }
    return;
  }
  int column = vd_bspline_basis(&map->rack, rack, br, br1);
  vd_bspline_product(from + column * VD_MAPPED, columns, VD_MAPPED, bt, bt1, br, br1, out->value, out->by_travel,
                     out->by_rack);
}

static int nearest(const vd_axis *fine, int count, double at) {
  if (count == 1)
    return 0;
  double u = (at - fine->from) * (count - 1) / (fine->cells * fine->step);
  return (int)vd_min(vd_max(floor(u + 0.5), 0.0), count - 1);
}

static bool close_at(const vd_linkage_map *map, double travel, double rack, vd_pose *pose) {
  int row = nearest(&map->travel, map->pose_rows, travel), column = nearest(&map->rack, map->pose_columns, rack);
  const double u[VD_INPUTS] = {travel, rack};
  *pose = map->pose[row * map->pose_columns + column];
  return vd_linkage_move(map->linkage, u, pose) == VD_LINKAGE_OK;
}

bool vd_linkage_exact_at(const vd_linkage_map *map, double travel, double rack, vd_corner_pose *out) {
  vd_pose design, pose, middle;
  vd_linkage_start(map->linkage, &design);
  element_start start = start_elements(map->linkage, map->joined, &design);
  if (!map->rack.cells)
    rack = 0.0;
  if (!close_at(map, travel, rack, &pose) || !close_at(map, travel, map->joined ? rack : 0.0, &middle))
    return false;
  measure(map, &start, &pose, out);
  if (!map->rack.cells)
    memset(out->by_rack, 0, sizeof out->by_rack);
  for (int k = 0; k < 2; k++) {
    out->path[k] = middle.at[k] - map->linkage->points.wheel_center[k];
    out->path[2 + k] = middle.velocity[0][k];
    out->path[4 + k] = middle.accel[VD_UU][k];
    if (map->joined) {
      out->other_path[k] = middle.velocity[1][k];
      out->other_path[2 + k] = middle.accel[VD_UV][k];
      out->other_path[4 + k] = middle.accel[VD_VV][k];
    }
  }
  return true;
}

double vd_linkage_rack(const vd_linkage_map *map, double steer, double *slope) {
  double b[4], b1[4], rack = 0.0;
  int cell = vd_bspline_basis(&map->steer_axis, steer, b, b1);
  *slope = 0.0;
  for (int i = 0; i < 4; i++) {
    rack += b[i] * map->steer[cell + i];
    *slope += b1[i] * map->steer[cell + i];
  }
  return rack;
}
