#include "linkage/linkage_map_impl.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec.h"
#include "math/chebyshev.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double knuckle_step = 0.015; /* m, step of both travels in maps of three variables */
enum { KNUCKLE_STEERS = 32 };             /* cells of the steering angle in these maps */
static const double pose_step = 0.02;     /* m, step of the stored poses from which Newton's method starts */
static const double stride = 0.03;        /* m, greatest distance from pose to pose while the places are solved */
/* m and rad (rotations about the spin axis are multiplied by 0.1 m): greatest error of the polynomials; the error of
 * the splines is greater */
static const double smooth = 1e-8;

static const vd_axis no_axis; /* for splines of one coordinate */

/* --- the mapped quantities --- */

/* Sets the length of spring or damper, and returns its derivative by the travel. */
static double length_slope(const vd_linkage *l, const vd_pose *pose, const vd_element *e, vd_jet *length) {
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

/* Lengths of spring and damper in the design position, and their decrease per travel there; for joined wheels, per
 * travel of both. */
typedef struct element_start {
  double length[2], ratio[2];
} element_start;

static element_start start_elements(const vd_linkage *l, bool joined, const vd_pose *design) {
  const vd_element *element[2] = {&l->points.spring, &l->points.damper};
  element_start s;
  for (int k = 0; k < 2; k++) {
    vd_jet length;
    s.ratio[k] = -length_slope(l, design, element[k], &length);
    if (joined)
      s.ratio[k] -= length.d[1];
    s.length[k] = length.v;
  }
  return s;
}

/* Stores the turn about the spin axis s per input j. It is w_j . s, where w_j is the knuckle's rotation per input u_j;
 * and dw_j/du_k = a_jk + (w_k x w_j)/2 with a_jk = pose->angular, symmetric in j and k, so that d(w_j . s)/du_k = a_jk
 * . s + (w_k x w_j) . s/2 + w_j . (w_k x s) = a_jk . s - (w_k x w_j) . s/2. */
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

/* Computes the quantities of the pose that depend on the body that carries the wheel. */
static void measure_wheel(const vd_linkage_map *map, const vd_pose *knuckle, vd_corner_pose *out) {
  const vd_linkage *l = map->linkage;
  const double *design = l->points.wheel_center;
  vd_jet3 centre = vd_pose_point(l, knuckle, design), axle = vd_pose_direction(knuckle, l->spin_axis);
  const double s[3] = {axle.x.v, axle.y.v, axle.z.v};
  keep(centre.x, design[0], 1.0, VD_MAP_X, out);
  keep(centre.y, design[1], 1.0, VD_MAP_Y, out);
  keep(axle.x, 0.0, 1.0, VD_MAP_AXLE_X, out);
  keep(axle.z, 0.0, 1.0, VD_MAP_AXLE_Z, out);
  keep_spin(knuckle, s, 0, VD_MAP_SPIN, out);
  if (map->joined || map->rack.cells)
    keep_spin(knuckle, s, 1, VD_MAP_OTHER_SPIN, out);
}

static void measure(const vd_linkage_map *map, const element_start *start, const vd_pose *pose, vd_corner_pose *out) {
  const vd_linkage *l = map->linkage;
  const vd_element *element[2] = {&l->points.spring, &l->points.damper};
  vd_pose knuckle;
  memset(out, 0, sizeof *out);
  vd_knuckle_pose(l, pose, false, &knuckle);
  measure_wheel(map, &knuckle, out);
  if (l->points.steer.given) {
    out->lift[0] = knuckle.at[2] - l->points.wheel_center[2] - pose->u[0];
    out->lift[1] = knuckle.velocity[0][2] - 1.0;
    out->lift[2] = knuckle.velocity[1][2];
    vd_jet turn = vd_knuckle_turn(l, pose, false);
    const double about[4] = {turn.v, turn.d[0], turn.d[1]};
    memcpy(out->turn, about, sizeof about);
  }
  for (int k = 0; k < 2; k++) {
    vd_jet length;
    length_slope(l, pose, element[k], &length);
    keep(length, start->length[k], -1.0 / start->ratio[k], k == 0 ? VD_MAP_SPRING : VD_MAP_DAMPER, out);
  }
}

/* --- range --- */

/* Returns the greatest value of an input that the linkage reaches, at most `most', which has the sign of the
 * direction. */
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

/* Computes the mean steering angle of both wheels of an axle. The right wheel's angle follows from its own outward spin
 * axis. */
static bool mean_axle_steer(const vd_linkage *l, double rack, double *angle) {
  const double right[3] = {l->spin_axis[0], -l->spin_axis[1], l->spin_axis[2]};
  vd_pose pose, knuckle[2];
  vd_linkage_start(l, &pose);
  pose.gear = rack;
  for (int side = 0; side < 2; side++)
    vd_knuckle_pose(l, &pose, side, &knuckle[side]);
  vd_jet3 outward = vd_pose_direction(&knuckle[1], right);
  *angle = 0.5 * (steer_angle(l, &knuckle[0]) + vd_atan2(outward.x.v, -outward.y.v));
  return isfinite(*angle);
}

/* Links of the left wheel, and mirrored links of the right wheel; they differ only if the steering is asymmetric. pose:
 * poses of both at the latest racks. */
typedef struct steered_pair {
  const vd_linkage *side[2];
  vd_pose *pose;
} steered_pair;

/* Computes the mean steering angle of both wheels. The right wheel is computed as a left one at the opposite rack. of:
 * a steered_pair. */
static bool mean_steer(const void *of, double rack, double *angle) {
  const steered_pair *both = of;
  if (both->side[0]->points.steer.given)
    return mean_axle_steer(both->side[0], rack, angle);
  *angle = 0.0;
  for (int side = 0; side < 2; side++) {
    vd_pose *pose = &both->pose[side];
    double sign = side == 0 ? 1.0 : -1.0;
    const double u[VD_INPUTS] = {0.0, sign * rack};
    if (vd_linkage_stride(both->side[side], u, stride, pose) != VD_LINKAGE_OK)
      return false;
    *angle += 0.5 * sign * steer_angle(both->side[side], pose);
  }
  return true;
}

/* Returns the rack at which the mean steering angle has a value, by secants from a guess of the rack and of its slope;
 * NAN: there is none. */
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

enum { STEER_HALF = 32 }; /* steps of the mean angle to either side */
enum { LEAST_CELLS = 8 }; /* least number of cells of a rack, for the short racks of rear wheels */

/* Finds the racks for angles to one side at steps of `step' rad; false if the rack cannot turn the wheels that far. */
static bool find_racks(const vd_steer_curve *of, double step, double *to) {
  double mean, rack = 0.0, slope;
  if (!of->mean(of->of, 1e-4, &mean) || !(fabs(mean) > 1e-6))
    return false;
  slope = 1e-4 / mean;
  for (int i = 1; i <= STEER_HALF; i++) {
    double next = rack_for(of, step * i, rack + slope * step, slope);
    if (!(fabs(next) > fabs(rack)))
      return false;
    slope = (next - rack) / step;
    rack = next;
    to[i - 1] = rack;
  }
  return true;
}

bool vd_linkage_map_steer(const vd_steer_curve *of, double most, vd_arena *arena, vd_linkage_map *map) {
  enum { HALF = STEER_HALF };
  double side[2][HALF], value[2 * HALF + 1];
  const bool odd = !of->asymmetric;
  if (!find_racks(of, most / HALF, side[0]) || (!odd && !find_racks(of, -most / HALF, side[1])))
    return false;
  map->steer_axis = vd_axis_make(-most, most, most / HALF);
  value[HALF] = 0.0;
  for (int i = 1; i <= HALF; i++) {
    value[HALF + i] = side[0][i - 1];
    value[HALF - i] = odd ? -side[0][i - 1] : side[1][i - 1];
  }
  double *coefficient = vd_arena_alloc(arena, (2 * HALF + VD_BSPLINE_ENDS) * sizeof *coefficient);
  vd_bspline_fit_product(&map->steer_axis, &no_axis, 1, value, 1, coefficient);
  /* makes the coefficients odd to the last bit */
  for (int i = 0, last = 2 * HALF + VD_BSPLINE_ENDS - 1; odd && i <= last - i; i++) {
    coefficient[i] = 0.5 * (coefficient[i] - coefficient[last - i]);
    coefficient[last - i] = -coefficient[i];
  }
  map->steer = coefficient;
  map->most_steer = most;
  double ends[] = {value[0], value[2 * HALF]};
  const double from = vd_min(ends[0], ends[1]), to = vd_max(ends[0], ends[1]);
  map->rack = vd_axis_make(from, to, vd_min(VD_MAP_RACK_STEP, (to - from) / LEAST_CELLS));
  return true;
}

/* --- building --- */

/* Poses are smooth functions of travel and rack. The linkage is solved at a few Chebyshev points, and the polynomials
 * through these give the values at the nodes of the splines. Close to a dead point, where as many points as nodes would
 * be needed, the linkage is solved at the nodes. */
typedef struct survey_axis {
  int count;
  bool nodes;
} survey_axis;

typedef struct survey_work {
  const vd_linkage_map *map;
  const element_start *start;
  survey_axis along[VD_INPUTS];
  vd_pose *pose; /* [travel][rack] */
  double (*value)[VD_MAPPED];
} survey_work;

static const vd_axis *axis_of(const survey_work *s, int input) {
  return input == 0 ? &s->map->travel : &s->map->rack;
}

static double place_at(const survey_work *s, int input, int i) {
  const vd_axis *axis = axis_of(s, input);
  if (s->along[input].nodes)
    return vd_axis_node(axis, i);
  return axis->from + 0.5 * (1.0 + vd_chebyshev_site(i, s->along[input].count)) * axis->cells * axis->step;
}

/* Returns the index of the k-th place of an axis, counted from the middle to both sides in turn; inward() returns the
 * neighbour of a place towards the middle. */
static int outward(int k, int count) {
  return count / 2 + (k % 2 ? -(k + 1) / 2 : k / 2);
}

static int inward(int i, int count) {
  return i < count / 2 ? i + 1 : i - 1;
}

/* Solves one place from its neighbour. */
static bool survey_place(const survey_work *s, int row, int column) {
  const int rows = s->along[0].count, columns = s->along[1].count;
  const double u[VD_INPUTS] = {place_at(s, 0, row), place_at(s, 1, column)};
  vd_pose *pose = &s->pose[row * columns + column];
  vd_corner_pose at;
  if (row != rows / 2)
    *pose = s->pose[inward(row, rows) * columns + column];
  else if (column != columns / 2)
    *pose = s->pose[row * columns + inward(column, columns)];
  else
    vd_linkage_start(s->map->linkage, pose);
  if (vd_linkage_stride(s->map->linkage, u, stride, pose) != VD_LINKAGE_OK)
    return false;
  measure(s->map, s->start, pose, &at);
  memcpy(s->value[row * columns + column], at.value, sizeof at.value);
  return isfinite(at.value[VD_MAP_SPRING] + at.value[VD_MAP_DAMPER]); /* otherwise the rod of a rocker does not reach */
}

static void survey_free(survey_work *s) {
  free(s->pose);
  free(s->value);
}

/* Returns the index of a place among the places of `before'; -1: it is not among them. */
static int known_at(const survey_axis *axis, const survey_axis *before, int i) {
  if (axis->nodes != before->nodes || axis->count == before->count)
    return axis->nodes == before->nodes ? i : -1;
  return i % 2 ? -1 : i / 2;
}

/* Solves all places, or copies those that `before' (may be NULL) has. False: a place does not close, or a rocker's rod
 * does not reach. */
static bool survey_all_places(survey_work *s, const survey_work *before) {
  const int rows = s->along[0].count, columns = s->along[1].count;
  s->pose = vd_allocate((size_t)(rows * columns), sizeof *s->pose);
  s->value = vd_allocate((size_t)(rows * columns), sizeof *s->value);
  for (int k = 0; k < rows * columns; k++) {
    const int column = outward(k / rows, columns), row = outward(k % rows, rows), to = row * columns + column;
    const int old[VD_INPUTS] = {before ? known_at(&s->along[0], &before->along[0], row) : -1,
                                before ? known_at(&s->along[1], &before->along[1], column) : -1};
    if (old[0] >= 0 && old[1] >= 0) {
      const int from = old[0] * before->along[1].count + old[1];
      s->pose[to] = before->pose[from];
      memcpy(s->value[to], before->value[from], sizeof s->value[to]);
    } else if (!survey_place(s, row, column)) {
      return false;
    }
  }
  return true;
}

/* Returns the largest of the last two Chebyshev coefficients of all quantities along an axis. */
static double worst_tail(const survey_work *s, int input) {
  const int count = s->along[input].count, columns = s->along[1].count, rows = s->along[1 - input].count;
  double worst = 0.0, tail[2 * VD_MAPPED];
  for (int r = 0; r < rows; r++) {
    vd_chebyshev_tails(s->value[input == 0 ? r : r * columns], count, input == 0 ? columns : 1, VD_MAPPED, tail);
    for (int k = 0; k < 2 * VD_MAPPED; k++) {
      const bool spin = k % VD_MAPPED == VD_MAP_SPIN || k % VD_MAPPED == VD_MAP_OTHER_SPIN;
      worst = vd_max(worst, spin ? 0.1 * fabs(tail[k]) : fabs(tail[k]));
    }
  }
  return worst;
}

/* Returns an axis with `count' sites; with its nodes if these are not more, or if the sites would be too many. */
static survey_axis axis_with(const vd_axis *axis, int count) {
  const int nodes = axis->cells + 1;
  if (axis->cells == 0)
    return (survey_axis){1, false};
  return count < nodes && count <= VD_MOST_SITES ? (survey_axis){count, false} : (survey_axis){nodes, true};
}

/* Doubles the number of sites along the axes that need more. False: none does. */
static bool refine(survey_work *s) {
  bool more = false;
  const survey_work is = *s;
  for (int input = 0; input < VD_INPUTS; input++) {
    survey_axis *own = &s->along[input];
    if (own->count == 1 || own->nodes || worst_tail(&is, input) <= smooth)
      continue;
    *own = axis_with(axis_of(s, input), 2 * own->count - 1);
    more = true;
  }
  return more;
}

/* Interpolates from the places of one axis to the nodes of the splines, in `rows' rows of `width' numbers each. */
static double *spread(survey_axis from, const vd_axis *axis, int rows, int width, const double *value) {
  const int nodes = axis->cells + 1;
  double *out = vd_allocate((size_t)(rows * nodes), (size_t)width * sizeof *out);
  if (from.nodes)
    memcpy(out, value, (size_t)(rows * nodes * width) * sizeof *out);
  else
    vd_chebyshev_spread(from.count, (vd_chebyshev_to){nodes, true}, rows, width, value, out);
  return out;
}

/* Computes the figures at all nodes, [travel nodes][rack nodes]. */
static void spread_survey(const survey_work *s, vd_corner_pose *value) {
  const int rows = s->map->travel.cells + 1, columns = s->map->rack.cells + 1;
  double *half = spread(s->along[1], &s->map->rack, s->along[0].count, VD_MAPPED, s->value[0]);
  double *whole = spread(s->along[0], &s->map->travel, 1, columns * VD_MAPPED, half);
  for (int i = 0; i < rows * columns; i++)
    memcpy(value[i].value, whole + i * VD_MAPPED, sizeof value[i].value);
  free(half);
  free(whole);
}

static bool survey_map(const vd_linkage_map *map, const element_start *start, vd_corner_pose *value) {
  enum { FEW_TRAVELS = 8, FEW_RACKS = 11 };
  survey_work now = {.map = map, .start = start}, before;
  now.along[0] = axis_with(&map->travel, FEW_TRAVELS);
  now.along[1] = axis_with(&map->rack, map->joined ? FEW_TRAVELS : FEW_RACKS);
  bool found = survey_all_places(&now, NULL);
  for (before = now; found && refine(&now); before = now) {
    found = survey_all_places(&now, &before);
    survey_free(&before);
  }
  if (found)
    spread_survey(&now, value);
  survey_free(&now);
  return found;
}

const double *vd_linkage_map_surface(const vd_linkage_map *map, const vd_corner_pose *value, vd_arena *arena) {
  double *surface = vd_arena_alloc(arena, vd_bspline_places(&map->travel, &map->rack) * VD_MAPPED * sizeof *surface);
  vd_bspline_fit_product(&map->travel, &map->rack, VD_MAPPED, value->value, sizeof *value / sizeof(double), surface);
  return surface;
}

const double *vd_linkage_map_path(const vd_linkage_map *map, const double *value, vd_arena *arena) {
  double *path = vd_arena_alloc(arena, 2 * ((size_t)map->travel.cells + VD_BSPLINE_ENDS) * sizeof *path);
  vd_bspline_fit_product(&map->travel, &no_axis, 2, value, 2, path);
  return path;
}

/* --- knuckles of a steered axle --- */

/* Fits spline coefficients to values at the nodes of both travels and the gear. */
static const double *fit_cube(const vd_axis *travel, const vd_axis *gear, const double *value, vd_arena *arena) {
  const size_t places = vd_bspline_places(travel, travel), row = ((size_t)gear->cells + 1) * VD_MAPPED;
  const size_t fitted = vd_bspline_places(gear, &no_axis) * VD_MAPPED;
  double *half = vd_allocate(places * row, sizeof *half);
  double *whole = vd_arena_alloc(arena, places * fitted * sizeof *whole);
  vd_bspline_fit_product(travel, travel, row, value, row, half);
  for (size_t k = 0; k < places; k++)
    vd_bspline_fit_product(gear, &no_axis, VD_MAPPED, half + k * row, VD_MAPPED, whole + k * fitted);
  free(half);
  return whole;
}

double vd_linkage_map_gear_rack(const vd_linkage_map *map, int node) {
  double slope, place = vd_axis_node(&map->gear, node);
  return map->steer ? vd_linkage_rack(map, place, &slope) : place;
}

bool vd_linkage_map_knuckle(const vd_knuckle_survey *survey, double racks, vd_arena *arena, vd_linkage_map *map) {
  const double end = map->travel.cells * map->travel.step, most = map->steer ? map->most_steer : racks;
  map->gear = vd_axis_make(-most, most, map->steer ? 2.0 * most / KNUCKLE_STEERS : VD_MAP_RACK_STEP);
  map->knuckle_travel = vd_axis_make(map->travel.from, map->travel.from + end, knuckle_step);
  size_t nodes = (size_t)map->knuckle_travel.cells + 1, row = ((size_t)map->gear.cells + 1) * VD_MAPPED;
  double *value = vd_allocate(nodes * nodes * row, sizeof *value);
  bool found = true;
  for (size_t k = 0; found && k < nodes * nodes; k++)
    found = survey->racks(survey->of, vd_axis_node(&map->knuckle_travel, (int)(k / nodes)), (int)(k % nodes),
                          value + k * row);
  if (found)
    map->knuckle = fit_cube(&map->knuckle_travel, &map->gear, value, arena);
  free(value);
  return found;
}

/* The state of the survey that passes from one travel to the next. */
typedef struct axle_survey {
  const vd_linkage_map *map;
  vd_pose column, pose; /* poses at the first and at the latest travel of the other wheel */
} axle_survey;

static bool survey_racks(void *of, double travel, int other, double *value) {
  const element_start start = {.ratio = {1.0, 1.0}};
  axle_survey *s = of;
  const vd_linkage_map *map = s->map;
  const double u[VD_INPUTS] = {travel, vd_axis_node(&map->knuckle_travel, other)};
  if (other == 0)
    s->pose = s->column;
  if (vd_linkage_move(map->linkage, u, &s->pose) != VD_LINKAGE_OK)
    return false;
  if (other == 0)
    s->column = s->pose;
  for (int k = 0; k <= map->gear.cells; k++, value += VD_MAPPED) {
    vd_corner_pose at;
    s->pose.gear = vd_linkage_map_gear_rack(map, k);
    measure(map, &start, &s->pose, &at);
    at.value[VD_MAP_LIFT] = at.lift[0];
    at.value[VD_MAP_TURN] = at.turn[0];
    memcpy(value, at.value, sizeof at.value);
    if (!isfinite(at.value[VD_MAP_X]))
      return false;
  }
  return true;
}

/* Returns whether the map is accurate in the middle of its eight corner cells. Close to a dead point it is not. */
static bool is_smooth(const vd_linkage_map *map) {
  const double tolerance = 1e-6; /* rad */
  const vd_axis *t = &map->knuckle_travel, *g = &map->gear;
  for (int corner = 0; corner < 8; corner++) {
    const vd_axis *const axis[] = {t, t, g};
    double place[3], slope;
    for (int a = 0; a < 3; a++)
      place[a] = axis[a]->from + axis[a]->step * (corner >> a & 1 ? axis[a]->cells - 0.5 : 0.5);
    double rack = map->steer ? vd_linkage_rack(map, place[2], &slope) : place[2];
    vd_corner_pose mapped, exact;
    vd_linkage_map_at(map, place[0], place[1], &mapped);
    vd_knuckle_map_at(map, place[0], place[1], rack, &mapped);
    if (!vd_linkage_exact_at(map, place[0], place[1], rack, &exact))
      return false;
    for (int k = VD_MAP_AXLE_X; k <= VD_MAP_AXLE_Z; k++)
      if (!(fabs(mapped.value[k] - exact.value[k]) <= tolerance))
        return false;
  }
  return true;
}

/* Makes the map of an axle's knuckles. False: drag link or tie rod do not reach a place of the grid, or are close to a
 * dead point there. */
static bool map_knuckle(vd_linkage_map *map, vd_arena *arena) {
  const vd_linkage *l = map->linkage;
  axle_survey s = {.map = map};
  double pin[3];
  vd_linkage_start(l, &s.column);
  vd_between(l->points.steer.kingpin[0][0], l->points.steer.kingpin[0][1], pin);
  map->shaft = vd_knuckle_shaft(pin, l->spin_axis);
  const double racks = 4.0 * VD_MAP_RACK_STEP; /* range for an axle that is not steered: its rack does not move */
  return vd_linkage_map_knuckle(&(vd_knuckle_survey){survey_racks, &s}, racks, arena, map) && is_smooth(map);
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
    vd_linkage_stride(map->linkage, aside, stride, &at);
    for (int i = 0; i < map->pose_rows; i++) {
      const double u[VD_INPUTS] = {coarse(&map->travel, i, map->pose_rows), rack};
      vd_linkage_stride(map->linkage, u, stride, &at);
      pose[i * map->pose_columns + j] = at;
    }
  }
  map->pose = pose;
}

/* Narrows the range of travel by steps until every rack (joined wheels: every travel of the other wheel in this range)
 * can be reached, and surveys it. */
static vd_corner_pose *survey_all(vd_linkage_map *map, const element_start *start, double down, double up,
                                  vd_arena *arena) {
  for (; down < -VD_MAP_LEAST_TRAVEL && up > VD_MAP_LEAST_TRAVEL;
       down += VD_MAP_TRAVEL_STEP, up -= VD_MAP_TRAVEL_STEP) {
    map->travel = vd_axis_make(down, up, map->joined ? VD_MAP_JOINED_STEP : VD_MAP_TRAVEL_STEP);
    if (map->joined)
      map->rack = map->travel;
    size_t nodes = (size_t)((map->travel.cells + 1) * (map->rack.cells + 1));
    vd_corner_pose *value = vd_arena_alloc(arena, nodes * sizeof *value);
    if (survey_map(map, start, value))
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
  *status = VD_MAP_STEER;
  const bool asymmetric = points->gear.asymmetric;
  vd_hardpoints mirrored;
  vd_linkage image;
  vd_hardpoints_mirror(points, &mirrored);
  if (asymmetric && !vd_linkage_build(&mirrored, VD_EACH, &image))
    return NULL;
  vd_pose turned[2];
  const steered_pair both = {{l, asymmetric ? &image : l}, turned};
  for (int side = 0; side < 2; side++)
    vd_linkage_start(both.side[side], &turned[side]);
  if (most_steer > 0.0 && !vd_linkage_map_steer(&(vd_steer_curve){mean_steer, &both, asymmetric || points->steer.given},
                                                most_steer, arena, map))
    return NULL;
  *status = VD_MAP_SHORT;
  vd_corner_pose *value = survey_all(map, &start, reach(l, 0, -most_travel), reach(l, 0, most_travel), arena);
  if (!value)
    return NULL;
  map->surface = vd_linkage_map_surface(map, value, arena);
  if (!map->joined)
    map->path = fit_path(map, arena);
  store_poses(map, arena);
  *status = VD_MAP_STEER;
  if (points->steer.given && !map_knuckle(map, arena))
    return NULL;
  *status = VD_MAP_OK;
  return map;
}

VD_WIDE const vd_linkage_map *vd_linkage_map_create(const vd_corner *corner, double most_travel, double most_steer,
                                                    vd_arena *arena, enum vd_map_status *status) {
  vd_hardpoints other;
  vd_linkage_map *map = create(&corner->points, most_travel, most_steer, arena, status);
  if (vd_hardpoints_mirror(&corner->points, &other) && map)
    map->right = create(&other, most_travel, most_steer, arena, status);
  return map && map->right ? map : NULL;
}

/* --- poses solved at every call --- */

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

/* Computes the derivatives by the rack of a steered axle. They are the derivatives by the second input of poses whose
 * inputs are one travel and the rack. */
static void measure_gear(const vd_linkage_map *map, const vd_pose *pose, vd_corner_pose *out) {
  static const double own[VD_INPUTS] = {1.0, 0.0}, other[VD_INPUTS] = {0.0, 1.0};
  const vd_linkage *l = map->linkage;
  vd_pose racked[2] = {vd_pose_by_rack(pose, own), vd_pose_by_rack(pose, other)}, knuckle[2];
  vd_corner_pose by[2];
  for (int k = 0; k < 2; k++) {
    vd_knuckle_pose(l, &racked[k], false, &knuckle[k]);
    measure_wheel(map, &knuckle[k], &by[k]);
  }
  memset(out->by_gear, 0, sizeof out->by_gear);
  for (int k = VD_MAP_X; k <= VD_MAP_SPIN; k++)
    out->by_gear[k] = by[0].by_rack[k];
  out->by_gear[VD_MAP_OTHER_SPIN] = by[1].by_rack[VD_MAP_SPIN];
  out->lift[3] = knuckle[0].velocity[1][2];
  out->turn[3] = vd_knuckle_turn(l, &racked[0], false).d[1];
}

bool vd_linkage_exact_at(const vd_linkage_map *map, double travel, double rack, double gear, vd_corner_pose *out) {
  vd_pose design, pose, still, middle;
  vd_linkage_start(map->linkage, &design);
  element_start start = start_elements(map->linkage, map->joined, &design);
  if (!map->rack.cells)
    rack = 0.0;
  if (!close_at(map, travel, rack, &pose) || !close_at(map, travel, map->joined ? rack : 0.0, &still))
    return false;
  pose.gear = map->knuckle ? gear : 0.0;
  measure(map, &start, &pose, out);
  if (map->knuckle)
    measure_gear(map, &pose, out);
  vd_knuckle_pose(map->linkage, &still, false, &middle);
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
