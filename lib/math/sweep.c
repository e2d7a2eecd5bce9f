#include "math/sweep.h"

#include "base/elementary.h"

#include <math.h>

/* Intersects the interval *begin..*end of s with that where lo < at + move s < hi. Returns false if nothing
 * remains. */
static bool slab(double at, double move, double lo, double hi, double *begin, double *end) {
  if (move == 0.0)
    return at > lo && at < hi;
  double a = (lo - at) / move, b = (hi - at) / move;
  *begin = vd_max(*begin, vd_min(a, b));
  *end = vd_min(*end, vd_max(a, b));
  return *begin < *end;
}

/* Finds the interval of s in which from + move s is inside the box x0..x1, y0..y1; *share: its begin. */
static bool box(const double from[2], const double move[2], double x0, double x1, double y0, double y1, double *share) {
  double begin = 0.0, end = 1.0;
  bool standing = move[0] == 0.0 && move[1] == 0.0;
  if (!(x0 < x1 && y0 < y1))
    return false;
  if (!slab(from[0], move[0], x0, x1, &begin, &end) || !slab(from[1], move[1], y0, y1, &begin, &end))
    return false;
  *share = standing ? 0.0 : begin;
  return true;
}

/* Finds the interval of s in which from + move s is inside the circle about c = (x, y): |from + move s - c|^2 < r^2,
 * with d = from - c
 *   s = (-d.move -+ sqrt((d.move)^2 - |move|^2 (|d|^2 - r^2)))/|move|^2 */
static bool circle(const double from[2], const double move[2], double x, double y, double r, double *share) {
  double dx = from[0] - x, dy = from[1] - y, a = move[0] * move[0] + move[1] * move[1];
  double b = dx * move[0] + dy * move[1], c = dx * dx + dy * dy - r * r;
  if (c < 0.0) {
    *share = 0.0;
    return true;
  }
  double root = b * b - a * c;
  if (!(a > 0.0 && b < 0.0 && root > 0.0))
    return false;
  *share = c / (-b + sqrt(root)); /* the smaller root, without cancellation */
  return *share < 1.0;
}

bool vd_sweep_hit(const vd_rectangle *body, double radius, const double from[2], const double to[2], double *share) {
  double move[2] = {to[0] - from[0], to[1] - from[1]}, first = INFINITY, s;
  double x0 = -body->behind, x1 = body->ahead, y0 = -body->half, y1 = body->half;
  if (box(from, move, x0 - radius, x1 + radius, y0, y1, &s))
    first = vd_min(first, s);
  if (box(from, move, x0, x1, y0 - radius, y1 + radius, &s))
    first = vd_min(first, s);
  for (int i = 0; radius > 0.0 && i < 4; i++)
    if (circle(from, move, i & 1 ? x1 : x0, i & 2 ? y1 : y0, radius, &s))
      first = vd_min(first, s);
  if (!(first <= 1.0))
    return false;
  *share = first;
  return true;
}

/* Returns the distance of a point from the rectangle; it is 0 inside. */
static double outside(const vd_rectangle *body, const double p[2]) {
  double dx = vd_max(vd_max(-body->behind - p[0], p[0] - body->ahead), 0.0), dy = vd_max(fabs(p[1]) - body->half, 0.0);
  return vd_hypot(dx, dy);
}

/* Returns the distance of a point from the line between two points. */
static double from_line(double x, double y, const double from[2], const double to[2]) {
  double wx = to[0] - from[0], wy = to[1] - from[1], length = wx * wx + wy * wy;
  double s = length > 0.0 ? vd_min(vd_max(((x - from[0]) * wx + (y - from[1]) * wy) / length, 0.0), 1.0) : 0.0;
  return vd_hypot(x - from[0] - s * wx, y - from[1] - s * wy);
}

double vd_sweep_distance(const vd_rectangle *body, double radius, const double from[2], const double to[2]) {
  double share;
  if (vd_sweep_hit(body, radius, from, to, &share))
    return 0.0;
  /* two convex figures that do not meet are nearest at a corner of one of them */
  double least = vd_min(outside(body, from), outside(body, to));
  for (int i = 0; i < 4; i++)
    least = vd_min(least, from_line(i & 1 ? body->ahead : -body->behind, i & 2 ? body->half : -body->half, from, to));
  return vd_max(least - radius, 0.0);
}
