#include "course/path.h"

#include "base/elementary.h"

#include <math.h>

/* Computes a point on the straight line that continues the path beyond an end. */
static void point_outside(const vd_path_node *end, double beyond, vd_path_point *point) {
  point->heading = end->heading;
  point->x = end->x + beyond * vd_cos(end->heading);
  point->y = end->y + beyond * vd_sin(end->heading);
  point->speed = end->speed;
  point->grip = end->grip;
  point->drive = end->drive;
}

/* Evaluates at t the cubic with values a and b and slopes slope_a and slope_b at t = 0 and 1. out: value, first and
 * second derivative by t. */
static void hermite(double a, double b, double slope_a, double slope_b, double t, double out[3]) {
  double rise = b - a, c2 = 3.0 * rise - 2.0 * slope_a - slope_b, c3 = slope_a + slope_b - 2.0 * rise;
  out[0] = a + t * (slope_a + t * (c2 + t * c3));
  out[1] = slope_a + t * (2.0 * c2 + t * 3.0 * c3);
  out[2] = 2.0 * c2 + 6.0 * t * c3;
}

/* Returns the slope of the speed at a node, 1/s: the slope of the parabola through the speeds at the node and its
 * neighbours, or, at the end of an open path, the slope of the line to its neighbour. Both intervals beside a node use
 * this slope, so that the slope of the speed is continuous. */
static double pace_at(const vd_path *path, const vd_path_node *node) {
  const vd_path_node *first = path->node, *last = &path->node[path->count - 1];
  const vd_path_node *before = node > first   ? node - 1
                               : path->closed ? last - 1
                                              : node,
                     *after = node < last    ? node + 1
                              : path->closed ? first + 1
                                             : node;
  int intervals = (before != node) + (after != node);
  return (after->speed - before->speed) / (intervals * path->spacing);
}

static void point_inside(const vd_path *path, double s, vd_path_point *point) {
  double before = 0.0, h = path->spacing, v[3]; /* before: heading of the complete laps of a closed path */
  if (path->closed) {
    double turns = floor(s / path->length);
    s -= turns * path->length;
    before = turns * (path->node[path->count - 1].heading - path->node[0].heading);
  }
  double place = vd_max(s, 0.0) / h;
  size_t last = path->count - 2, i = place < (double)last ? (size_t)place : last;
  const vd_path_node *a = &path->node[i], *b = a + 1;
  double t = place - (double)i;
  hermite(a->x, b->x, h * vd_cos(a->heading), h * vd_cos(b->heading), t, v);
  point->x = v[0];
  hermite(a->y, b->y, h * vd_sin(a->heading), h * vd_sin(b->heading), t, v);
  point->y = v[0];
  hermite(a->heading, b->heading, h * a->curvature, h * b->curvature, t, v);
  point->heading = v[0] + before;
  point->curvature = v[1] / h;
  point->curvature_rate = v[2] / (h * h);
  point->speed = a->speed;
  point->grip = a->grip;
  point->drive = a->drive;
  if (path->has_speed) {
    hermite(a->speed, b->speed, h * pace_at(path, a), h * pace_at(path, b), t, v);
    point->speed = v[0];
    point->speed_slope = v[1] / h;
  }
}

/* Returns the interval between nodes that contains s; *t: the share of the interval before s; *turns: the complete laps
 * of a closed path before s. Beyond the ends of an open path, s is clamped to them. */
static size_t interval_of(const vd_path *path, double s, double *turns, double *t) {
  *turns = path->closed ? floor(s / path->length) : 0.0;
  s -= *turns * path->length;
  double place = vd_min(vd_max(s / path->spacing, 0.0), (double)(path->count - 1));
  size_t last = path->count - 2, i = place < (double)last ? (size_t)place : last;
  *t = place - (double)i;
  return i;
}

void vd_path_room(const vd_path *path, double s, double room[2]) {
  double turns, t;
  room[0] = room[1] = 0.0;
  if (path->count < 2 || !path->room)
    return;
  size_t i = interval_of(path, s, &turns, &t);
  for (int k = 0; k < 2; k++)
    room[k] = path->room[i][k] + t * (path->room[i + 1][k] - path->room[i][k]);
}

double vd_path_quickest(const vd_path *path, double s) {
  double turns, t;
  if (path->count < 2)
    return 0.0;
  const vd_path_node *a = &path->node[interval_of(path, s, &turns, &t)], *b = a + 1;
  return turns * path->node[path->count - 1].quickest + a->quickest + t * (b->quickest - a->quickest);
}

void vd_path_at(const vd_path *path, double s, vd_path_point *point) {
  *point = (vd_path_point){.s = s, .speed = NAN};
  if (path->count < 2)
    return;
  if (!path->closed && s < 0.0)
    point_outside(&path->node[0], s, point);
  else if (!path->closed && s > path->length)
    point_outside(&path->node[path->count - 1], s - path->length, point);
  else
    point_inside(path, s, point);
}

/* Returns the distance, m, by which the point x, y is ahead of the path's point at s. *left: its distance to the left,
 * m; *curvature: curvature of the path at s, 1/m. */
static double ahead_of(const vd_path *path, double s, double x, double y, double *left, double *curvature) {
  vd_path_point p;
  vd_path_at(path, s, &p);
  double c = vd_cos(p.heading), e = vd_sin(p.heading);
  *left = c * (y - p.y) - e * (x - p.x);
  *curvature = p.curvature;
  return c * (x - p.x) + e * (y - p.y);
}

/* Solves f(s) = (X - P(s)) . t(s) = 0. f falls through 0 at a nearest point; its slope is f' = -1 + curvature x offset.
 * Newton's method is used where this slope is below -0.1. Elsewhere s changes in the direction in which the distance
 * falls, by growing steps, until f changes its sign. The bracket is halved if a step would leave it. */
double vd_path_foot(const vd_path *path, double guess, double x, double y, double *offset) {
  double low = -INFINITY, high = INFINITY, s = guess, stride = vd_max(path->spacing, 1e-3), curvature;
  for (int i = 0; i < 100; i++) {
    double ahead = ahead_of(path, s, x, y, offset, &curvature), slope = 1.0 - curvature * *offset;
    if (ahead > 0.0)
      low = s;
    else
      high = s;
    double step = slope > 0.1 ? ahead / slope : copysign(stride, ahead), next = s + step;
    if (fabs(step) > 8.0 * stride)
      next = s + copysign(8.0 * stride, ahead);
    stride *= 2.0;
    if (!(next > low && next < high)) /* also true if no number lies between low and high */
      next = isfinite(low) && isfinite(high) ? 0.5 * (low + high) : next;
    if (ahead == 0.0 || fabs(next - s) <= 1e-14 + 4e-16 * fabs(s))
      break;
    s = next;
  }
  return s;
}

double vd_path_nearest(const vd_path *path, double x, double y) {
  double nearest = INFINITY, offset;
  size_t at = 0;
  for (size_t i = 0; i < path->count; i++) {
    double dx = x - path->node[i].x, dy = y - path->node[i].y, distance = dx * dx + dy * dy;
    if (distance < nearest) {
      nearest = distance;
      at = i;
    }
  }
  double s = vd_path_foot(path, (double)at * path->spacing, x, y, &offset);
  if (path->closed)
    s -= path->length * floor(s / path->length);
  return s < path->length || !path->closed ? s : 0.0;
}
