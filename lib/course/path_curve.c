/* Makes nodes at equal arc lengths of a curve that is given by another parameter. */
#include "course/path_impl.h"

#include "base/base.h"
#include "base/elementary.h"

#include <math.h>

/* Integrates by Gauss and Legendre's rule with five points (Abramowitz and Stegun, Handbook of Mathematical Functions,
 * table 25.4, n = 5). The error is (b - a)^11 (5!)^4/(11 (10!)^3) f^(10) (25.4.30): for cos(k u) over 0.1 m at k = 1/m,
 * 4e-24 m. */
double vd_path_integral(double (*f)(const void *data, double u), const void *data, double a, double b) {
  static const double place[] = {0.53846931010568309104, 0.90617984593866399280};
  static const double weight[] = {0.47862867049936646804, 0.23692688505618908751};
  double middle = 0.5 * (a + b), half = 0.5 * (b - a), sum = 0.56888888888888888889 * f(data, middle);
  for (size_t i = 0; i < VD_COUNT(place); i++)
    sum += weight[i] * (f(data, middle - half * place[i]) + f(data, middle + half * place[i]));
  return half * sum;
}

vd_path_node *vd_path_nodes(double length, vd_arena *arena, vd_path *path) {
  size_t intervals = (size_t)vd_max(ceil(length / vd_path_spacing - 0.5), 1.0);
  vd_path_node *node = vd_arena_alloc(arena, (intervals + 1) * sizeof *node);
  path->node = node;
  path->count = intervals + 1;
  path->length = length;
  path->spacing = length / (double)intervals;
  for (size_t i = 0; i <= intervals; i++)
    node[i].speed = NAN;
  return node;
}

void vd_path_close(vd_path_node *node, vd_path *path) {
  size_t n = path->count - 1;
  double turns = round((node[n].heading - node[0].heading) / (2.0 * VD_PI));
  double x = node[n].x - node[0].x, y = node[n].y - node[0].y;
  double heading = node[n].heading - node[0].heading - 2.0 * VD_PI * turns;
  for (size_t i = 0; i < n; i++) {
    double part = (double)i / (double)n;
    node[i].x -= part * x;
    node[i].y -= part * y;
    node[i].heading -= part * heading;
    node[i].curvature -= heading / path->length;
  }
  double speed = node[n].speed;
  node[n] = node[0];
  node[n].heading += 2.0 * VD_PI * turns;
  node[n].speed = speed;
  path->closed = true;
}

/* Pieces of a curve, about as long as the distance of the nodes, so that a quadrature over each is exact to
 * rounding. */
typedef struct pieces {
  double *u, *s; /* [count + 1] */
  size_t count;
} pieces;

static size_t parts_of(const vd_path_curve *c, size_t span) {
  double length = vd_path_integral(c->rate, c->data, c->knot[span], c->knot[span + 1]);
  return (size_t)vd_max(ceil(vd_min(length, 10.0 * vd_path_longest) / vd_path_spacing), 1.0);
}

static pieces cut(const vd_path_curve *c, double *knot_s, vd_arena *scratch) {
  pieces p = {0};
  size_t room = 1;
  for (size_t k = 0; k + 1 < c->knots; k++)
    room += parts_of(c, k);
  p.u = vd_arena_alloc(scratch, room * sizeof *p.u);
  p.s = vd_arena_alloc(scratch, room * sizeof *p.s);
  p.u[0] = c->knot[0];
  for (size_t k = 0; k + 1 < c->knots; k++) {
    size_t parts = parts_of(c, k);
    double from = c->knot[k], to = c->knot[k + 1];
    if (knot_s)
      knot_s[k] = p.s[p.count];
    for (size_t i = 1; i <= parts; i++, p.count++) {
      p.u[p.count + 1] = i == parts ? to : from + (to - from) * (double)i / (double)parts;
      p.s[p.count + 1] = p.s[p.count] + vd_path_integral(c->rate, c->data, p.u[p.count], p.u[p.count + 1]);
    }
  }
  if (knot_s)
    knot_s[c->knots - 1] = p.s[p.count];
  return p;
}

/* Finds u at s within a piece by Newton's method, limited to the piece. The slope ds/du is known, so two or three steps
 * suffice. */
static double u_at(const vd_path_curve *c, const pieces *p, size_t piece, double s) {
  double low = p->u[piece], high = p->u[piece + 1], wanted = s - p->s[piece], all = p->s[piece + 1] - p->s[piece];
  double u = all > 0.0 ? vd_min(low + (high - low) * wanted / all, high) : low;
  for (int i = 0; i < 20; i++) {
    double miss = vd_path_integral(c->rate, c->data, low, u) - wanted, rate = c->rate(c->data, u);
    if (fabs(miss) <= 1e-16 + 3e-16 * fabs(u) * rate || !(rate > 0.0))
      break;
    double next = vd_min(vd_max(u - miss / rate, low), high);
    if (next == u)
      break;
    u = next;
  }
  return u;
}

vd_path_node *vd_path_sample(const vd_path_curve *curve, double *knot_s, vd_arena *arena, vd_path *path) {
  vd_arena *scratch = vd_arena_create();
  pieces p = cut(curve, knot_s, scratch);
  vd_path_node *node = vd_path_nodes(p.s[p.count], arena, path);
  for (size_t i = 0, piece = 0; i < path->count; i++) {
    double s = (double)i * path->spacing;
    while (piece + 1 < p.count && p.s[piece + 1] < s)
      piece++;
    curve->at(curve->data, i + 1 == path->count ? p.u[p.count] : u_at(curve, &p, piece, s), &node[i]);
    if (i > 0)
      node[i].heading = node[i - 1].heading + remainder(node[i].heading - node[i - 1].heading, 2.0 * VD_PI);
  }
  vd_arena_destroy(scratch);
  return node;
}
