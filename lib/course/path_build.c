/* Nodes of every kind of path. */
#include "course/path_impl.h"

#include "base/base.h"
#include "base/elementary.h"

#include <math.h>

/* Transforms nodes from the axes of the path's start to the world. */
static void to_world(const vd_path_def *def, vd_path_node *node, size_t count) {
  double c = vd_cos(def->yaw), s = vd_sin(def->yaw);
  for (size_t i = 0; i < count; i++) {
    double x = node[i].x, y = node[i].y;
    node[i].x = def->x + c * x - s * y;
    node[i].y = def->y + s * x + c * y;
    node[i].heading += def->yaw;
  }
}

/* --- pieces whose curvature is linear in their length: lines, arcs, clothoids --- */

typedef struct chain {
  const vd_segment_def *segment;
  size_t count, at;
  double start;       /* m: s at the start of the present piece */
  double heading;     /* rad: heading there */
  double bend, slope; /* 1/m and 1/m2: curvature at the start of the piece, and its rate */
  double end_bend;
  double x, y, s; /* present point */
  double carry_x, carry_y;
} chain;

static double heading_in(const chain *c, double s) {
  double u = s - c->start;
  return c->heading + u * (c->bend + 0.5 * c->slope * u);
}

static double east(const void *data, double s) {
  return vd_cos(heading_in(data, s));
}

static double north(const void *data, double s) {
  return vd_sin(heading_in(data, s));
}

/* Begins the next piece. before: curvature at the end of the previous piece, 1/m. */
static void start_piece(chain *c, double before) {
  const vd_segment_def *g = &c->segment[c->at];
  c->bend = isnan(g->from) ? before : g->from;
  c->end_bend = isnan(g->to) ? c->bend : g->to;
  c->slope = (c->end_bend - c->bend) / g->length;
}

/* Adds a step with compensated summation (Kahan 1965): rounding errors of a million equal steps would all have the same
 * sign. */
static void add_compensated(double *sum, double *carry, double step) {
  double rest = step - *carry, next = *sum + rest;
  *carry = (next - *sum) - rest;
  *sum = next;
}

/* Advances within one piece, with one quadrature over at most the distance of the nodes. */
static void integrate_to(chain *c, double s) {
  add_compensated(&c->x, &c->carry_x, vd_path_integral(east, c, c->s, s));
  add_compensated(&c->y, &c->carry_y, vd_path_integral(north, c, c->s, s));
  c->s = s;
}

static void advance(chain *c, double s) {
  while (c->at + 1 < c->count) {
    double length = c->segment[c->at].length, end = c->start + length;
    if (s < end - 1e-9 * vd_path_spacing) /* a node at a joint belongs to the next piece */
      break;
    integrate_to(c, end);
    c->heading += 0.5 * (c->bend + c->end_bend) * length;
    c->start = end;
    c->at++;
    start_piece(c, c->end_bend);
  }
  integrate_to(c, s);
}

static void build_chain(const vd_path_def *def, const vd_segment_def *segment, size_t count, bool closed,
                        vd_arena *arena, vd_path *path) {
  double length = 0.0;
  for (size_t i = 0; i < count; i++)
    length += segment[i].length;
  vd_path_node *node = vd_path_nodes(length, arena, path);
  chain c = {.segment = segment, .count = count};
  start_piece(&c, 0.0);
  for (size_t i = 0; i < path->count; i++) {
    advance(&c, i + 1 == path->count ? length : (double)i * path->spacing);
    node[i].x = c.x;
    node[i].y = c.y;
    node[i].heading = heading_in(&c, c.s);
    node[i].curvature = c.bend + c.slope * (c.s - c.start);
  }
  if (closed)
    vd_path_close(node, path);
  to_world(def, node, path->count);
}

static void build_circle(const vd_path_def *def, vd_arena *arena, vd_path *path) {
  double bend = 1.0 / def->radius, turn = 2.0 * VD_PI * fabs(def->radius);
  vd_segment_def pieces[] = {{def->entry, 0.0, 0.0}, {def->entry, 0.0, bend}, {turn * def->laps, bend, bend}};
  if (def->entry > 0.0)
    build_chain(def, pieces, VD_COUNT(pieces), false, arena, path);
  else
    build_chain(def, &(vd_segment_def){turn, bend, bend}, 1, true, arena, path);
}

/* --- figure eight: lemniscate of Bernoulli (Lawrence, A Catalog of Special Plane Curves, 5.3) ---
 *
 * With half width a and parameter v, D = 1 + sin^2 v:
 *   x = a cos v/D   y = a sin v cos v/D   ds/dv = a/sqrt(D)   curvature 3 cos v/(a sqrt(D)), at most 3/a
 * The polar angle has the tangent y/x = sin v; the curve's direction is three times this angle plus a quarter turn. The
 * path begins at the crossing, v = -pi/2, where the direction is 45 degrees to the right of x; the first loop turns
 * left. */

static double eight_rate(const void *data, double v) {
  const double *radius = data;
  return 3.0 * fabs(*radius) / sqrt(1.0 + vd_sin(v) * vd_sin(v));
}

static void eight_point(const void *data, double v, vd_path_node *point) {
  const double *radius = data;
  double a = 3.0 * fabs(*radius), side = copysign(1.0, *radius), c = vd_cos(v), s = vd_sin(v), d = 1.0 + s * s;
  double x = a * c / d, y = a * s * c / d, eighth = sqrt(0.5);
  point->x = eighth * (x - y);
  point->y = side * eighth * (x + y);
  point->heading = side * (3.0 * vd_atan(s) + 0.75 * VD_PI);
  point->curvature = side * 3.0 * c / (a * sqrt(d));
}

static void build_eight(const vd_path_def *def, vd_arena *arena, vd_path *path) {
  static const double ends[] = {-0.5 * VD_PI, 1.5 * VD_PI};
  vd_path_curve curve = {eight_rate, eight_point, &def->radius, ends, VD_COUNT(ends)};
  vd_path_node *node = vd_path_sample(&curve, NULL, arena, path);
  vd_path_close(node, path);
  to_world(def, node, path->count);
}

/* --- the lane changes of ISO 3888, and a slalom ---
 *
 * Lengths and widths of ISO 3888-1 (double lane change) and ISO 3888-2 (obstacle avoidance) are taken from secondary
 * sources; they were not compared with the text of the standards. b is the vehicle's width. */

typedef struct section {
  double length; /* m */
  /* the width of the lane is by_width b + beside; by_width 0: the section is a change between two lanes */
  double by_width, beside;
  double bound; /* m, least or greatest width, as exit_bound states; 0: none */
} section;

static const section double_change[] = {
    {15.0, 1.1, 0.25, 0.0}, {30.0, 0.0, 0.0, 0.0},  {25.0, 1.2, 0.25, 0.0},
    {25.0, 0.0, 0.0, 0.0},  {15.0, 1.3, 0.25, 0.0}, {15.0, 1.3, 0.25, 0.0},
};
static const section avoidance[] = {
    {12.0, 1.1, 0.25, 0.0}, {13.5, 0.0, 0.0, 0.0}, {11.0, 1.0, 1.0, 0.0}, {12.5, 0.0, 0.0, 0.0}, {12.0, 1.3, 0.25, 3.0},
};
static const double double_change_offset = 3.5; /* m */
static const double avoidance_gap = 1.0;        /* m: left edge of the first lane to right edge of the next */
static const double run_out = 30.0;             /* m: straight after the last gate */

static const double free_width = 4.0;  /* m: width of a gate with one cone */
static const double beside_cone = 0.3; /* m: from the body to a cone of a slalom, on the path */

enum { CHANGES = VD_PATH_GATES + 1 };

/* The path through the lanes: y moves by across[i] to the left over the change i. */
typedef struct lane_course {
  size_t changes;
  double across[CHANGES];
  double from[CHANGES], length[CHANGES]; /* m, along x, including the blends into the lanes */
} lane_course;

/* Sets the gates, and the places of the changes between them. Returns x at the end of the path, m. */
static double set_gates(const vd_path_def *def, double vehicle_width, const section *sections, size_t count,
                        vd_path *path, lane_course *course) {
  double x = def->approach;
  for (size_t i = 0; i < count; i++) {
    const section *g = &sections[i];
    if (g->by_width > 0.0) {
      double width = g->by_width * vehicle_width + g->beside;
      if (g->bound > 0.0)
        width = def->exit_bound == VD_EXIT_AT_LEAST ? vd_max(width, g->bound) : vd_min(width, g->bound);
      path->gate[path->gates++] = (vd_gate){.from = x, .to = x + g->length, .width = width};
    } else {
      course->from[course->changes] = x - def->blend;
      course->length[course->changes++] = g->length + 2.0 * def->blend;
    }
    x += g->length;
  }
  return x + run_out;
}

/* Returns the distance between the centre lines of the first two lanes, m. */
static double lane_offset(const vd_path_def *def, const vd_gate *gate) {
  double half_more = 0.5 * (gate[1].width - gate[0].width);
  if (def->type == VD_PATH_ISO3888_2)
    return 0.5 * gate[0].width + avoidance_gap + 0.5 * gate[1].width;
  return double_change_offset + (def->offset_between == VD_OFFSET_EDGES ? half_more : 0.0);
}

size_t vd_path_cones(const vd_path *path, vd_cone cone[VD_PATH_CONES]) {
  size_t count = 0;
  for (size_t i = 0; i < path->gates; i++) {
    const vd_gate *g = &path->gate[i], *before = i ? g - 1 : NULL;
    bool goes_on = before && before->to == g->from && before->centre == g->centre && before->width == g->width;
    long spaces = lround(vd_max(1.0, ceil((g->to - g->from) / path->cone_spacing - 1e-9)));
    for (long k = goes_on ? 1 : 0; k <= (g->cones == VD_CONES_BOTH ? spaces : 0); k++)
      for (int side = g->cones == VD_CONES_LEFT ? 1 : -1; side <= (g->cones == VD_CONES_RIGHT ? -1 : 1); side += 2)
        if (count < VD_PATH_CONES)
          cone[count++] = (vd_cone){
              .x = g->from + (g->to - g->from) * (double)k / (double)spaces,
              .y = g->centre + side * (0.5 * g->width + path->cone_radius),
              .gate = (int)i,
          };
  }
  return count;
}

/* Computes y and its derivatives by x. A change has y = D (10 u^3 - 15 u^4 + 6 u^5), the quintic without slope and
 * curvature at its ends. It starts `blend` before the end of the lane and ends `blend` after the start of the next one.
 * The path therefore leaves the centre line before the lane ends, by y(u) at u = blend/(length + 2 blend). */
static void course_at(const lane_course *c, double x, double y[3]) {
  y[0] = y[1] = y[2] = 0.0;
  for (size_t i = 0; i < c->changes; i++) {
    double d = c->across[i], w = c->length[i], u = vd_min(vd_max((x - c->from[i]) / w, 0.0), 1.0);
    y[0] += d * u * u * u * (10.0 + u * (6.0 * u - 15.0));
    y[1] += d / w * 30.0 * u * u * (1.0 - u) * (1.0 - u);
    y[2] += d / (w * w) * 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u);
  }
}

static double course_rate(const void *data, double x) {
  double y[3];
  course_at(data, x, y);
  return sqrt(1.0 + y[1] * y[1]);
}

static void course_point(const void *data, double x, vd_path_node *point) {
  double y[3];
  course_at(data, x, y);
  double rate = sqrt(1.0 + y[1] * y[1]);
  point->x = x;
  point->y = y[0];
  point->heading = vd_atan(y[1]);
  point->curvature = y[2] / (rate * rate * rate);
}

static void build_course(const vd_path_def *def, const lane_course *course, double end, vd_arena *arena,
                         vd_path *path) {
  double knots[2 * CHANGES + 2] = {0.0};
  size_t count = 1;
  for (size_t i = 0; i < course->changes; i++) {
    if (course->from[i] > knots[count - 1])
      knots[count++] = course->from[i];
    knots[count++] = course->from[i] + course->length[i];
  }
  knots[count++] = end;
  vd_path_curve curve = {course_rate, course_point, course, knots, count};
  vd_path_node *node = vd_path_sample(&curve, NULL, arena, path);
  to_world(def, node, path->count);
}

static void build_lanes(const vd_path_def *def, double vehicle_width, vd_arena *arena, vd_path *path) {
  lane_course course = {0};
  bool first = def->type == VD_PATH_ISO3888_1;
  double end = set_gates(def, vehicle_width, first ? double_change : avoidance,
                         first ? VD_COUNT(double_change) : VD_COUNT(avoidance), path, &course);
  course.across[0] = lane_offset(def, path->gate);
  course.across[1] = -course.across[0];
  path->gate[1].centre = course.across[0];
  build_course(def, &course, end, arena, path);
}

/* Builds the path of a slalom. The cones stand on the x axis, and the car passes them on the left and on the right in
 * turn. Beside each cone the path is parallel to the axis. The first change begins one pitch before the first cone, and
 * the last change ends one pitch after the last cone. */
static void build_slalom(const vd_path_def *def, double vehicle_width, vd_arena *arena, vd_path *path) {
  lane_course course = {.changes = (size_t)def->cones + 1};
  double beside = 0.5 * vehicle_width + def->cone_radius + beside_cone, side = 1.0;
  path->gates = (size_t)def->cones;
  for (size_t i = 0; i < course.changes; i++) {
    double x = def->approach + (double)i * def->pitch;
    course.from[i] = x - def->pitch;
    course.length[i] = def->pitch;
    course.across[i] = i == 0 || i == path->gates ? side * beside : 2.0 * side * beside;
    if (i < path->gates)
      path->gate[i] = (vd_gate){.from = x,
                                .to = x,
                                .centre = side * (def->cone_radius + 0.5 * free_width),
                                .width = free_width,
                                .cones = side > 0.0 ? VD_CONES_RIGHT : VD_CONES_LEFT};
    side = -side;
  }
  build_course(def, &course, def->approach + (double)def->cones * def->pitch + run_out, arena, path);
}

void vd_path_build(const vd_path_def *def, double vehicle_width, vd_arena *arena, vd_path *path) {
  *path = (vd_path){
      .origin_x = def->x,
      .origin_y = def->y,
      .origin_yaw = def->yaw,
      .type = (enum vd_path_type)def->type,
      .offset_between = (enum vd_lane_offset)def->offset_between,
      .exit_bound = (enum vd_exit_bound)def->exit_bound,
      .cone_spacing = def->cone_spacing,
      .cone_radius = def->cone_radius,
  };
  vd_segment_def piece = {def->length, 0.0, 0.0};
  switch ((enum vd_path_type)def->type) {
  case VD_PATH_NONE: break;
  case VD_PATH_STRAIGHT: build_chain(def, &piece, 1, false, arena, path); break;
  case VD_PATH_CIRCLE: build_circle(def, arena, path); break;
  case VD_PATH_CLOTHOID:
    piece.from = def->curvature_from;
    piece.to = def->curvature_to;
    build_chain(def, &piece, 1, false, arena, path);
    break;
  case VD_PATH_EIGHT: build_eight(def, arena, path); break;
  case VD_PATH_SEGMENTS: build_chain(def, def->segments.item, def->segments.count, def->closed, arena, path); break;
  case VD_PATH_WAYPOINTS: vd_path_build_waypoints(def, arena, path); break;
  case VD_PATH_ISO3888_1:
  case VD_PATH_ISO3888_2: build_lanes(def, vehicle_width, arena, path); break;
  case VD_PATH_SLALOM: build_slalom(def, vehicle_width, arena, path); break;
  }
}
