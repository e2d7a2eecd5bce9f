/* Paths: closed forms, properties of every path, nearest points, gates. */
#include "paths.h"
#include "tap.h"

#include <stdint.h>

/* Returns the rounding error of coordinates up to `size` after a few operations. */
static double rounding(double size) {
  return 1e-15 * fmax(size, 1.0);
}

/* Integrates by composite Simpson's rule; compensated summation keeps thousands of equal terms from rounding to one
 * side. */
static double simpson(double (*f)(const void *, double), const void *data, double a, double b, int panels) {
  double h = (b - a) / (2 * panels), sum = f(data, a) + f(data, b), carry = 0.0;
  for (int i = 1; i < 2 * panels; i++) {
    double term = (i % 2 ? 4.0 : 2.0) * f(data, a + h * i) - carry, next = sum + term;
    carry = (next - sum) - term;
    sum = next;
  }
  return sum * h / 3.0;
}

/* --- laws of every path --- */

/* Bounds from which the errors between nodes follow: largest curvature, its rate, |P''''|, and steps of the rate and of
 * the curvature. */
typedef struct shape {
  double curvature, rate, fourth, kink, step;
} shape;

/* Returns the bound that path.h states between nodes for the derivative of the place minus the unit vector along the
 * heading. The constants of a kink and of a step are the greatest exact remainders over their places within the
 * interval. */
static double direction_error(const vd_path *path, const shape *k) {
  double h = path->spacing;
  return h * h * h * sqrt(3.0) / 216.0 * k->fourth + 0.0179 * h * h * k->kink + 0.1482 * h * k->step;
}

/* Compares heading, curvature and rate with difference quotients of the path inside the intervals. */
static void check_laws(const char *name, const vd_path *path, const shape *k) {
  double d = 1e-4, direction = 0.0, turn = 0.0, rate = 0.0, size = 1.0, turned = 1.0, sharp = 0.0;
  for (size_t i = 0; i + 1 < path->count; i++)
    for (int j = 1; j < 8; j++) {
      double s = ((double)i + j / 8.0) * path->spacing;
      vd_path_point a = at(path, s - d), p = at(path, s), b = at(path, s + d);
      direction =
          fmax(direction, hypot((b.x - a.x) / (2.0 * d) - cos(p.heading), (b.y - a.y) / (2.0 * d) - sin(p.heading)));
      turn = tap_max(turn, fabs((b.heading - a.heading) / (2.0 * d) - p.curvature));
      rate = tap_max(rate, fabs((b.curvature - a.curvature) / (2.0 * d) - p.curvature_rate));
      size = tap_max(size, tap_max(fabs(p.x), fabs(p.y)));
      turned = tap_max(turned, fabs(p.heading));
      sharp = tap_max(sharp, fabs(p.curvature));
    }
  /* the difference quotient has an error of d^2/6 times the third derivative, and rounding */
  double h = path->spacing, third = k->curvature * k->curvature + k->rate + 4.0 * k->step / h;
  double quotient = d * d / 6.0 * third + 8e-16 * size / d;
  tap_near(direction, 0.0, direction_error(path, k) + quotient, "%s: dP/ds is the unit vector along the heading", name);
  /* the cubic's third derivative is at most 12 (step/h^2) in the interval of a step, 6 kink/h in the interval of a
   * kink */
  double bend = d * d / 6.0 * (12.0 * k->step / (h * h) + 6.0 * k->kink / h + k->fourth) + 8e-16 * turned / d;
  tap_near(turn, 0.0, bend, "%s: curvature is d heading/ds", name);
  /* exact for the parabola except for rounding of heading differences, times 12/h^2, and of the quotient */
  tap_near(rate, 0.0, 48e-16 * turned / (h * h) + 8e-16 * fmax(sharp, turned / h) / d,
           "%s: curvature_rate is d curvature/ds", name);
}

/* Checks continuity at each node and at the seam of a closed path, and even spacing. */
static void check_joints(const char *name, const vd_path *path) {
  double place = 0.0, heading = 0.0, curvature = 0.0, node = 0.0, size = 1.0, e = 1e-9;
  for (size_t i = path->closed ? 0 : 1; i + 1 < path->count; i++) {
    double s = (double)i * path->spacing;
    vd_path_point a = at(path, s - e), b = at(path, s + e), p = at(path, s);
    place = tap_max(place, hypot(b.x - a.x, b.y - a.y));
    heading = tap_max(heading, fabs(b.heading - a.heading));
    curvature = tap_max(curvature, fabs(b.curvature - a.curvature));
    node = tap_max(node, hypot(p.x - path->node[i].x, p.y - path->node[i].y));
    size = tap_max(size, fabs(s));
  }
  double loss =
      2.0 * e + 1e-15 * size; /* the change of the path itself; slopes of heading and curvature are < 1 and < 50 */
  tap_ok(place <= 1.1 * loss + rounding(size) && heading <= 1.4 * loss + rounding(size) &&
             curvature <= 100.0 * loss + rounding(size) / path->spacing && node <= 1e-14 * size,
         "%s: place, heading and curvature are continuous at the nodes (%g m, %g rad, %g 1/m; node %g m)", name, place,
         heading, curvature, node);
  tap_near((double)(path->count - 1) * path->spacing, path->length, 1e-15 * size,
           "%s: nodes are spread evenly over the length", name);
}

static void check_path(const char *name, const vd_path_def *def, shape k) {
  vd_path path = built(def);
  check_laws(name, &path, &k);
  check_joints(name, &path);
}

/* --- closed forms --- */

static void check_circle(double radius) {
  vd_path_def def = {.type = VD_PATH_CIRCLE, .x = 3.0, .y = -2.0, .yaw = 0.7, .radius = radius};
  vd_path path = built(&def);
  double worst = 0.0, turn = 0.0, k = fabs(1.0 / radius), h = path.spacing;
  double cx = def.x - radius * sin(def.yaw), cy = def.y + radius * cos(def.yaw);
  for (int i = -1000; i <= 2000; i++) {
    double s = path.length * i / 1000.0 + 0.01;
    vd_path_point p = at(&path, s);
    double angle = def.yaw + s / radius;
    worst = tap_max(worst, hypot(p.x - cx - radius * sin(angle), p.y - cy + radius * cos(angle)));
    turn = tap_max(turn, tap_max(fabs(p.heading - angle), fabs(p.curvature - 1.0 / radius)));
  }
  /* integration from node to node adds a rounding per node */
  double march = (double)path.count * 1e-15 * fabs(radius);
  tap_near(path.length, 2.0 * VD_PI * fabs(radius), 1e-14 * path.length,
           "circle of %g m: the length is that of the circle", radius);
  tap_near(worst, 0.0, h * h * h * h / 384.0 * k * k * k + march,
           "circle of %g m: places are on the circle over three turns", radius);
  tap_near(turn, 0.0, 1e-13 / h, "circle of %g m: heading grows beyond 2 pi, curvature is constant", radius);
  tap_ok(path.closed, "circle of %g m: the end is at the start", radius);
}

/* Computes Fresnel's series for a clothoid with curvature c s from the origin along x. */
static void fresnel(double c, double s, double *x, double *y) {
  double term = s, f = 0.5 * c * s * s;
  *x = *y = 0.0;
  for (int n = 0; n < 60; n++) {
    double part = term / (2 * n + 1);
    double sign = n % 4 < 2 ? 1.0 : -1.0;
    *(n % 2 ? y : x) += sign * part;
    term *= f / (n + 1);
  }
}

static void check_clothoid(void) {
  vd_path_def def = {.type = VD_PATH_CLOTHOID, .length = 40.0, .curvature_to = 0.1};
  vd_path path = built(&def);
  double c = 0.1 / 40.0, nodes = 0.0, between = 0.0, bend = 0.0, h = path.spacing;
  for (int i = 0; i <= 800; i++) {
    double s = i * 0.05, x, y;
    fresnel(c, s, &x, &y);
    vd_path_point p = at(&path, s);
    double *worst = i % 2 ? &between : &nodes;
    *worst = tap_max(*worst, hypot(p.x - x, p.y - y));
    bend = tap_max(bend, tap_max(fabs(p.curvature - c * s), fabs(p.heading - 0.5 * c * s * s)));
  }
  double fourth = 1e-3 + 3.0 * 0.1 * c;
  tap_near(nodes, 0.0, 400 * 1e-15 * 40.0, "clothoid: nodes are at the places of Fresnel's integrals");
  tap_near(between, 0.0, h * h * h * h / 384.0 * fourth + 400 * 1e-15 * 40.0,
           "clothoid: places between the nodes are also those of Fresnel's integrals");
  tap_near(bend, 0.0, 1e-14 / h, "clothoid: the curvature grows with the length");
}

static double inner_cos(const void *data, double s) {
  const double *g = data; /* heading, curvature, rate */
  return cos(g[0] + s * (g[1] + 0.5 * g[2] * s));
}

static double inner_sin(const void *data, double s) {
  const double *g = data;
  return sin(g[0] + s * (g[1] + 0.5 * g[2] * s));
}

/* A line, a clothoid, an arc, and a clothoid back and beyond. A second quadrature computes the end piece by piece. */
static vd_segment_def winding[] = {
    {20.03, NAN, NAN}, {15.0, NAN, 0.05}, {22.22, NAN, NAN}, {30.0, NAN, -0.08}, {5.0, NAN, NAN}};

static void check_segments(void) {
  vd_path_def def = {.type = VD_PATH_SEGMENTS, .yaw = 0.3, .segments = {winding, VD_COUNT(winding)}};
  vd_path path = built(&def);
  const double bends[] = {0.0, 0.0, 0.05, 0.05, -0.08, -0.08};
  double x = 0.0, y = 0.0, heading = 0.3, length = 0.0;
  for (size_t i = 0; i < VD_COUNT(winding); i++) {
    double l = winding[i].length, g[] = {heading, bends[i], (bends[i + 1] - bends[i]) / l};
    x += simpson(inner_cos, g, 0.0, l, 4000);
    y += simpson(inner_sin, g, 0.0, l, 4000);
    heading += 0.5 * (bends[i] + bends[i + 1]) * l;
    length += l;
  }
  vd_path_point p = at(&path, path.length);
  tap_near(path.length, length, 0.0, "segments: the length is the sum of their lengths");
  tap_near(hypot(p.x - x, p.y - y), 0.0, 1e-12, "segments: `auto' continues the curvature; the end is at its place");
  tap_near(p.heading, heading, 1e-14, "segments: the heading at the end follows from the curvatures");
  vd_path_point beyond = at(&path, path.length + 10.0);
  tap_near(hypot(beyond.x - p.x - 10.0 * cos(heading), beyond.y - p.y - 10.0 * sin(heading)), 0.0, 1e-13,
           "an open path continues straight beyond its end");
  beyond = at(&path, -10.0);
  tap_near(hypot(beyond.x + 10.0 * cos(0.3), beyond.y + 10.0 * sin(0.3)), 0.0, 1e-14,
           "an open path continues straight before its start");
  tap_ok(beyond.curvature == 0.0 && isnan(beyond.speed) && beyond.speed_slope == 0.0,
         "an open path has neither curvature nor speed outside of its ends");
}

static void check_entry(void) {
  vd_path_def def = {.type = VD_PATH_CIRCLE, .radius = -25.0, .entry = 12.0, .laps = 1.5};
  vd_path path = built(&def);
  vd_path_point p = at(&path, 12.0), q = at(&path, 24.0), end = at(&path, path.length);
  double kink = 0.04 / 12.0; /* jump of the curvature's rate at both ends of the clothoid */
  tap_near(path.length, 24.0 + 1.5 * 2.0 * VD_PI * 25.0, 1e-13,
           "entry: the path has a straight, a clothoid and the turns");
  tap_near(hypot(p.x - 12.0, p.y), 0.0, pow(path.spacing, 3) / 192.0 * kink + 1e-14, "entry: the path begins straight");
  tap_near(q.curvature, -0.04, 0.0834 * path.spacing * kink, "entry: the clothoid ends with the circle's curvature");
  tap_near(end.heading, -0.5 * 12.0 / 25.0 - 3.0 * VD_PI, 1e-13, "entry: the path has the turns of its laps");
  /* half a turn later the point is opposite on the circle */
  vd_path_point r = at(&path, 24.0 + VD_PI * 25.0);
  tap_near(hypot(r.x - q.x, r.y - q.y), 50.0, 1e-10, "entry: the turns are on a circle of the given radius");
}

static void check_eight(double radius) {
  vd_path_def def = {.type = VD_PATH_EIGHT, .x = -4.0, .y = 7.0, .yaw = 2.0, .radius = radius};
  vd_path path = built(&def);
  double a = 3.0 * fabs(radius), place = 0.0, bend = 0.0, sharpest = 0.0, left = radius > 0.0 ? 1.0 : -1.0;
  double axis = def.yaw + left * 0.25 * VD_PI; /* direction of the loops' axes */
  for (size_t i = 0; i < path.count; i++) {
    const vd_path_node *n = &path.node[i];
    double x = cos(axis) * (n->x - def.x) + sin(axis) * (n->y - def.y);
    double y = cos(axis) * (n->y - def.y) - sin(axis) * (n->x - def.x), rr = x * x + y * y;
    place = tap_max(place, fabs(rr * rr - a * a * (x * x - y * y)) / (a * a * a * a));
    bend = tap_max(bend, fabs(n->curvature - left * 3.0 * copysign(sqrt(rr), x) / (a * a)));
    sharpest = tap_max(sharpest, fabs(n->curvature));
  }
  vd_path_point p = at(&path, 0.0), q = at(&path, 0.5 * path.length), tip = at(&path, 0.25 * path.length);
  tap_near(path.length / a, 5.244115108584239620929679, 1e-13, "eight of %g m: the length is that of the lemniscate",
           radius);
  tap_near(place, 0.0, 1e-14, "eight of %g m: nodes obey the equation of the lemniscate", radius);
  tap_near(bend, 0.0, 1e-14, "eight of %g m: the curvature is 3 rho/a^2", radius);
  tap_near(hypot(q.x - def.x, q.y - def.y), 0.0, 1e-12 + a * pow(path.spacing / a, 4) / 6.0,
           "eight of %g m: the path crosses itself half way", radius);
  tap_near(p.heading, 2.0, 1e-14, "eight of %g m: the path starts along yaw", radius);
  tap_near(q.heading - p.heading, left * 1.5 * VD_PI, 1e-10, "eight of %g m: the first loop turns by 270 degrees",
           radius);
  tap_near(tip.curvature, 1.0 / radius, 20.0 * pow(path.spacing / a, 3) / a + 1e-13,
           "eight of %g m: the radius is smallest at the tip", radius);
  tap_near(at(&path, path.length - 1e-9).heading, 2.0, 1e-8, "eight of %g m: the second loop turns back", radius);
}

/* Checks that opposite radius and curvature change the signs of y and heading, equal to the last bit. */
static void check_mirror(const char *name, vd_path_def def, vd_path_def other) {
  vd_path a = built(&def), b = built(&other);
  double worst = 0.0;
  for (size_t i = 0; i < a.count; i++) {
    const vd_path_node *n = &a.node[i], *m = &b.node[i];
    worst = tap_max(worst, fabs(n->x - m->x) + fabs(n->y + m->y) + fabs(n->heading + m->heading) +
                               fabs(n->curvature + m->curvature));
  }
  tap_ok(a.count == b.count && worst == 0.0, "%s: with opposite sign the path is the mirror image", name);
}

/* --- lane changes --- */

static double quintic(double u) {
  u = fmin(fmax(u, 0.0), 1.0);
  return u * u * u * (10.0 - 15.0 * u + 6.0 * u * u);
}

typedef struct course {
  double across, from1, length1, from2, length2;
} course;

static double course_y(const course *c, double x) {
  return c->across * (quintic((x - c->from1) / c->length1) - quintic((x - c->from2) / c->length2));
}

static double quintic_slope(double u) {
  return u > 0.0 && u < 1.0 ? 30.0 * u * u * (1.0 - u) * (1.0 - u) : 0.0;
}

static double course_rate(const void *data, double x) {
  const course *c = data;
  double slope = c->across * (quintic_slope((x - c->from1) / c->length1) / c->length1 -
                              quintic_slope((x - c->from2) / c->length2) / c->length2);
  return sqrt(1.0 + slope * slope);
}

static void check_gates(const char *name, const vd_path *path, const vd_gate *expected, size_t count) {
  double worst = 0.0;
  for (size_t i = 0; i < count; i++) {
    const vd_gate *g = &path->gate[i], *e = &expected[i];
    worst = tap_max(worst, fabs(g->from - e->from) + fabs(g->to - e->to) + fabs(g->centre - e->centre) +
                               fabs(g->width - e->width));
  }
  tap_ok(path->gates == count, "%s: the course has %zu gates", name, count);
  tap_near(worst, 0.0, 4e-14, "%s: the gates have the places and widths of the standard", name);
}

/* Compares nodes with the closed form, in the axes of the start, and the length with Simpson's rule. */
static void check_course(const char *name, const vd_path *path, const course *c, double end) {
  double worst = 0.0, ce = cos(path->origin_yaw), se = sin(path->origin_yaw), last = 0.0, length;
  for (size_t i = 0; i < path->count; i++) {
    double dx = path->node[i].x - path->origin_x, dy = path->node[i].y - path->origin_y;
    double x = ce * dx + se * dy, y = ce * dy - se * dx;
    worst = tap_max(worst, fabs(y - course_y(c, x)));
    last = x;
  }
  const double knot[] = {0.0, c->from1, c->from1 + c->length1, c->from2, c->from2 + c->length2, end};
  length = 0.0;
  for (int i = 0; i < 5; i++)
    length += simpson(course_rate, c, knot[i], knot[i + 1], 2000);
  tap_near(worst, 0.0, 1e-13, "%s: straight lines and quintics make up the path", name);
  tap_near(last, end, 1e-12, "%s: the path ends 30 m behind the last gate", name);
  tap_near(path->length, length, 1e-11, "%s: s is the arc length", name);
}

/* Compares the greatest distance of the path from the middle of each lane with leaves[], m, and checks that a vehicle
 * of width b does not touch the cones. */
static void check_room(const char *name, const vd_path *path, const course *c, double b, const double leaves[]) {
  double worst = 0.0, room = INFINITY;
  for (size_t i = 0; i < path->gates; i++) {
    const vd_gate *g = &path->gate[i];
    double off = 0.0;
    for (int j = 0; j <= 1000; j++)
      off = tap_max(off, fabs(course_y(c, g->from + (g->to - g->from) * j / 1000.0) - g->centre));
    worst = tap_max(worst, fabs(off - leaves[i]));
    room = tap_min(room, 0.5 * (g->width - b) - off);
  }
  tap_near(worst, 0.0, 1e-13,
           "%s: at the end of a lane the path is off its middle by the quintic at u = blend/(length + 2 blend)", name);
  tap_ok(room > 0.0, "%s: a vehicle of %g m keeps %.3f m to the gates' edges", name, b, room);
}

static void check_double_change(double b) {
  vd_path_def def = {.type = VD_PATH_ISO3888_1, .x = 5.0, .y = 6.0, .yaw = 0.4, .approach = 30.0, .blend = 4.0};
  vd_path path;
  vd_path_build(&def, b, arena, &path);
  char name[64];
  snprintf(name, sizeof name, "ISO 3888-1 for %g m", b);
  vd_gate gates[] = {{30.0, 45.0, 0.0, 1.1 * b + 0.25, VD_CONES_BOTH},
                     {75.0, 100.0, 3.5, 1.2 * b + 0.25, VD_CONES_BOTH},
                     {125.0, 140.0, 0.0, 1.3 * b + 0.25, VD_CONES_BOTH},
                     {140.0, 155.0, 0.0, 1.3 * b + 0.25, VD_CONES_BOTH}};
  course c = {3.5, 41.0, 38.0, 96.0, 33.0};
  check_gates(name, &path, gates, 4);
  check_course(name, &path, &c, 185.0);
  double first = 3.5 * quintic(4.0 / 38.0), second = 3.5 * quintic(4.0 / 33.0);
  check_room(name, &path, &c, b, (const double[]){first, fmax(first, second), second, 0.0});
  def.offset_between = VD_OFFSET_EDGES;
  vd_path_build(&def, b, arena, &path);
  gates[1].centre = 3.5 + 0.05 * b;
  check_gates(name, &path, gates, 4);
  tap_near(path.gate[1].centre - 0.5 * path.gate[1].width + 0.5 * path.gate[0].width, 3.5, 1e-14,
           "%s: the right edges of the lanes are 3.5 m apart", name);
}

static void check_avoidance(double b) {
  vd_path_def def = {.type = VD_PATH_ISO3888_2, .x = -5.0, .yaw = -2.0, .approach = 20.0, .blend = 4.0};
  vd_path path;
  vd_path_build(&def, b, arena, &path);
  char name[64];
  snprintf(name, sizeof name, "ISO 3888-2 for %g m", b);
  double across = 0.5 * (1.1 * b + 0.25) + 1.0 + 0.5 * (b + 1.0);
  vd_gate gates[] = {{20.0, 32.0, 0.0, 1.1 * b + 0.25, VD_CONES_BOTH},
                     {45.5, 56.5, across, b + 1.0, VD_CONES_BOTH},
                     {69.0, 81.0, 0.0, fmax(1.3 * b + 0.25, 3.0), VD_CONES_BOTH}};
  course c = {across, 28.0, 21.5, 52.5, 20.5};
  check_gates(name, &path, gates, 3);
  check_course(name, &path, &c, 111.0);
  double first = across * quintic(4.0 / 21.5), second = across * quintic(4.0 / 20.5);
  check_room(name, &path, &c, b, (const double[]){first, fmax(first, second), second});
}

/* --- nearest points --- */

static uint64_t seed = 20240229;

/* Returns a random number in -1..1. */
static double any(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) / 4503599627370496.0 - 1.0;
}

/* Takes points beside the path, within half of its smallest radius, and checks that their nearest points are found
 * again from a guess nearby. */
static void check_feet(const char *name, const vd_path_def *def, double reach) {
  vd_path path = built(def);
  double foot = 0.0, aside = 0.0, whole = 0.0, far = 0.5 * path.length;
  for (int i = 0; i < 2000; i++) {
    /* sometimes beyond the ends or across the seam */
    double s = far + 1.1 * far * any(), offset = reach * any(), got;
    vd_path_point p = at(&path, s);
    double x = p.x - offset * sin(p.heading), y = p.y + offset * cos(p.heading);
    double found = vd_path_foot(&path, s + 0.3 * reach * any(), x, y, &got);
    foot = tap_max(foot, fabs(found - s));
    aside = tap_max(aside, fabs(got - offset));
    vd_path_point q = at(&path, vd_path_nearest(&path, x, y));
    if (path.closed || (s >= 0.0 && s <= path.length))
      whole = tap_max(whole, hypot(x - q.x, y - q.y) - fabs(offset));
  }
  /* |f|, zero at the foot, is right to a few roundings of the coordinates, and its slope is at least 1/2 */
  tap_near(foot, 0.0, 1e-12, "%s: the foot of a perpendicular is the point at which it was raised", name);
  tap_near(aside, 0.0, 1e-12, "%s: the offset to the left is positive", name);
  tap_near(fmax(whole, 0.0), 0.0, 1e-12, "%s: the nearest point is not farther than the foot", name);
}

/* Checks nearest points from anywhere: the line is perpendicular, and no node is nearer. */
static void check_nearest(const char *name, const vd_path_def *def, double size) {
  vd_path path = built(def);
  double skew = 0.0, lost = 0.0;
  bool inside = true;
  for (int i = 0; i < 500; i++) {
    double x = size * any(), y = size * any(), s = vd_path_nearest(&path, x, y), best = INFINITY;
    vd_path_point p = at(&path, s);
    skew = tap_max(skew, fabs((x - p.x) * cos(p.heading) + (y - p.y) * sin(p.heading)));
    for (size_t j = 0; j < path.count; j++)
      best = tap_min(best, hypot(x - path.node[j].x, y - path.node[j].y));
    lost = tap_max(lost, hypot(x - p.x, y - p.y) - best);
    inside = inside && (!path.closed || (s >= 0.0 && s < path.length));
  }
  tap_near(skew, 0.0, 1e-11, "%s: the line from any point to its nearest point is perpendicular to the path", name);
  /* the line is perpendicular to the heading, not to the cubic; the excess is (direction error x
   * distance)^2/distance */
  tap_ok(lost <= 1e-10 && inside, "%s: no node is nearer (%g m)", name, lost);
}

int main(void) {
  arena = vd_arena_create();
  double xy[64];
  vd_segment_def pieces[4];
  oval(pieces, 0.0);
  const vd_path_def line = {.type = VD_PATH_STRAIGHT, .x = 1.0, .y = 2.0, .yaw = -3.0, .length = 55.55};
  const vd_path_def circle = {.type = VD_PATH_CIRCLE, .radius = 10.0}, small = {.type = VD_PATH_CIRCLE, .radius = -1.0};
  const vd_path_def entry = {.type = VD_PATH_CIRCLE, .radius = 20.0, .entry = 10.0, .laps = 0.4};
  const vd_path_def clothoid = {.type = VD_PATH_CLOTHOID, .length = 40.0, .curvature_from = 0.1, .curvature_to = -0.2};
  const vd_path_def eight = {.type = VD_PATH_EIGHT, .radius = 8.0};
  const vd_path_def stadium = {.type = VD_PATH_SEGMENTS, .closed = true, .segments = {pieces, 4}};
  const vd_path_def winds = {.type = VD_PATH_SEGMENTS, .segments = {winding, VD_COUNT(winding)}};
  const vd_path_def loop = {.type = VD_PATH_WAYPOINTS, .closed = true, .waypoints = ring(24, 20.0, xy)};
  const vd_path_def change = {.type = VD_PATH_ISO3888_1, .approach = 30.0, .blend = 4.0};
  const vd_path_def avoid = {.type = VD_PATH_ISO3888_2, .approach = 30.0, .blend = 4.0};

  tap_plan(175);
  check_path("line", &line, (shape){0});
  check_path("circle", &circle, (shape){.curvature = 0.1, .fourth = 1e-3});
  check_path("circle of 1 m", &small, (shape){.curvature = 1.0, .fourth = 1.0});
  check_path("entry", &entry,
             (shape){.curvature = 0.05, .rate = 0.005, .fourth = 1.25e-4 + 3 * 0.05 * 0.005, .kink = 0.005});
  check_path("clothoid", &clothoid, (shape){.curvature = 0.2, .rate = 0.0075, .fourth = 8e-3 + 3 * 0.2 * 0.0075});
  /* rho'' = -2 rho^3/a^4 and |rho'| <= 1: |k'| <= 3/a^2, |k''| <= 6/a^3, |P''''| <= (6 + 27 + 27)/a^3, a = 24 */
  check_path("eight", &eight, (shape){.curvature = 0.125, .rate = 3.0 / 576, .fourth = 60.0 / 13824});
  check_path("stadium", &stadium, (shape){.curvature = 0.1, .fourth = 1e-3, .step = 0.1});
  check_path(
      "segments", &winds,
      (shape){.curvature = 0.08, .rate = 0.13 / 30, .fourth = 5.12e-4 + 3 * 0.08 * 0.13 / 30, .kink = 0.13 / 30});
  /* a uniform spline's third derivative and the rate step by the waypoints' distance c times the fourth derivative, c
   * k^3 */
  check_path(
      "waypoints of a circle", &loop,
      (shape){.curvature = 0.05, .rate = 2.0 * 5.24 * 1.25e-4, .fourth = 10 * 1.25e-4, .kink = 2.0 * 5.24 * 1.25e-4});
  /* y = D q(u): |q''| <= 5.78, |q'''| <= 60, |q''''| <= 360, q''' steps by 60 at the ends; the slopes of up to 0.2 add
   * a tenth, those of up to 0.33 a half at most */
  check_path("ISO 3888-1", &change,
             (shape){.curvature = 3.5 * 5.78 / (33 * 33),
                     .rate = 3.5 * 60 / pow(33, 3),
                     .fourth = 1.1 * 3.5 * 360 / pow(33, 4),
                     .kink = 3.5 * 60 / pow(33, 3)});
  check_path("ISO 3888-2", &avoid,
             (shape){.curvature = 3.6 * 5.78 / (20.5 * 20.5),
                     .rate = 3.6 * 60 / pow(20.5, 3),
                     .fourth = 1.5 * 3.6 * 360 / pow(20.5, 4),
                     .kink = 3.6 * 60 / pow(20.5, 3)});

  check_circle(10.0);
  check_circle(-30.0);
  check_circle(1.0);
  check_clothoid();
  check_segments();
  check_entry();
  check_eight(8.0);
  check_eight(-30.0);
  vd_path_def other = circle;
  other.radius = -10.0;
  check_mirror("circle", circle, other);
  other = eight;
  other.radius = -8.0;
  check_mirror("eight", eight, other);
  other = clothoid;
  other.curvature_from = -0.1;
  other.curvature_to = 0.2;
  check_mirror("clothoid", clothoid, other);

  for (int i = 0; i < 3; i++) {
    check_double_change((const double[]){1.5, 1.8, 2.2}[i]);
    check_avoidance((const double[]){1.5, 1.8, 2.2}[i]);
  }

  check_feet("line", &line, 5.0);
  check_feet("circle", &circle, 5.0);
  check_feet("entry", &entry, 10.0);
  check_feet("eight", &eight, 2.0);
  check_feet("ISO 3888-1", &change, 10.0);
  check_feet("waypoints of a circle", &loop, 9.0);
  check_nearest("circle", &circle, 30.0);
  check_nearest("eight", &eight, 40.0);
  check_nearest("segments", &winds, 60.0);
  vd_arena_destroy(arena);
  return tap_done();
}
