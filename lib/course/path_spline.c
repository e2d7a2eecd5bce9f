/* Makes a path through waypoints: a cubic spline whose parameter is the length of the chords. */
#include "course/path_impl.h"

#include "base/elementary.h"

#include <math.h>
#include <string.h>

/* A spline. Span i goes from point i to point i + 1; the last span of a closed spline ends at the first point. The
 * parameter u is i plus the share of the chord. */
typedef struct spline {
  const double *xy;
  size_t points, spans;
  double *chord;   /* [spans] */
  double *bend[2]; /* [spans + 1] second derivatives of x and y by the chord's length */
} spline;

static const double *point_of(const spline *p, size_t i) {
  return p->xy + 2 * (i % p->points);
}

/* Solves in place by Thomas' algorithm, for a symmetric, diagonally dominant tridiagonal matrix; side[i] couples i and
 * i + 1. */
static void solve(size_t n, const double *middle, const double *side, double *x, double *work) {
  double pivot = middle[0];
  for (size_t i = 0; i < n; i++) {
    if (i > 0) {
      work[i] = side[i - 1] / pivot;
      pivot = middle[i] - side[i - 1] * work[i];
      x[i] -= side[i - 1] * x[i - 1];
    }
    x[i] /= pivot;
  }
  for (size_t i = n - 1; i > 0; i--)
    x[i - 1] -= work[i] * x[i];
}

/* Solves like solve(), with a coefficient `corner` that also couples the first and the last unknown: Sherman and
 * Morrison (Press et al., Numerical Recipes, 2.7.2). Overwrites middle. */
static void solve_periodic(size_t n, double *middle, const double *side, double corner, double *x, double *work) {
  double *v = work + n, gamma = -middle[0];
  memset(v, 0, n * sizeof *v);
  v[0] = gamma;
  v[n - 1] = corner;
  middle[0] -= gamma;
  middle[n - 1] -= corner * corner / gamma;
  solve(n, middle, side, x, work);
  solve(n, middle, side, v, work);
  double factor = (x[0] + x[n - 1] * corner / gamma) / (1.0 + v[0] + v[n - 1] * corner / gamma);
  for (size_t i = 0; i < n; i++)
    x[i] -= factor * v[i];
}

/* Computes the second derivatives M from the continuity of the first derivatives (de Boor, A Practical Guide to
 * Splines, ch. IV):
 *   h[i-1] M[i-1] + 2 (h[i-1] + h[i]) M[i] + h[i] M[i+1] = 6 ((y[i+1] - y[i])/h[i] - (y[i] - y[i-1])/h[i-1])
 * An open spline is natural: M = 0 at the ends, which is the curvature of the straight lines that continue the path. */
static void bend(const spline *p, size_t axis, bool closed, double *m, double *work) {
  size_t first = closed ? 0 : 1, n = p->spans - first;
  double *middle = work, *rest = work + n;
  if (n == 0)
    return;
  for (size_t i = first; i < p->spans; i++) {
    size_t before = i > 0 ? i - 1 : p->spans - 1;
    double here = point_of(p, i)[axis];
    double ahead = point_of(p, i + 1)[axis] - here, behind = here - point_of(p, before)[axis];
    middle[i - first] = 2.0 * (p->chord[before] + p->chord[i]);
    m[i] = 6.0 * (ahead / p->chord[i] - behind / p->chord[before]);
  }
  if (closed) {
    solve_periodic(n, middle, p->chord, p->chord[n - 1], m, rest);
    m[n] = m[0];
  } else {
    solve(n, middle, p->chord + 1, m + 1, rest);
  }
}

static spline make_spline(const vd_points *points, bool closed, vd_arena *scratch) {
  spline p = {.xy = points->xy, .points = points->count, .spans = points->count - (closed ? 0 : 1)};
  p.chord = vd_arena_alloc(scratch, p.spans * sizeof(double));
  double *work = vd_arena_alloc(scratch, 3 * p.spans * sizeof *work);
  for (size_t i = 0; i < p.spans; i++) {
    const double *a = point_of(&p, i), *b = point_of(&p, i + 1);
    p.chord[i] = vd_hypot(b[0] - a[0], b[1] - a[1]);
  }
  for (size_t axis = 0; axis < 2; axis++) {
    p.bend[axis] = vd_arena_alloc(scratch, (p.spans + 1) * sizeof(double));
    bend(&p, axis, closed, p.bend[axis], work);
  }
  return p;
}

/* Evaluates one coordinate at the share t of a span of length h: value, first and second derivative by the length of
 * the chord. */
static void span_at(double h, double a, double b, double bend_a, double bend_b, double t, double out[3]) {
  double r = 1.0 - t, sixth = h * h / 6.0;
  out[0] = r * a + t * b + sixth * ((r * r * r - r) * bend_a + (t * t * t - t) * bend_b);
  out[1] = (b - a) / h + h / 6.0 * ((3.0 * t * t - 1.0) * bend_b - (3.0 * r * r - 1.0) * bend_a);
  out[2] = r * bend_a + t * bend_b;
}

static size_t spline_at(const spline *p, double u, double x[3], double y[3]) {
  size_t i = u < (double)p->spans ? (size_t)u : p->spans - 1;
  const double *a = point_of(p, i), *b = point_of(p, i + 1);
  double t = u - (double)i;
  span_at(p->chord[i], a[0], b[0], p->bend[0][i], p->bend[0][i + 1], t, x);
  span_at(p->chord[i], a[1], b[1], p->bend[1][i], p->bend[1][i + 1], t, y);
  return i;
}

static double spline_rate(const void *data, double u) {
  const spline *p = data;
  double x[3], y[3];
  size_t i = spline_at(p, u, x, y);
  return p->chord[i] * vd_hypot(x[1], y[1]);
}

static void spline_point(const void *data, double u, vd_path_node *point) {
  double x[3], y[3];
  spline_at(data, u, x, y);
  double speed = vd_hypot(x[1], y[1]);
  point->x = x[0];
  point->y = y[0];
  point->heading = vd_atan2(y[1], x[1]);
  point->curvature = (x[1] * y[2] - y[1] * x[2]) / (speed * speed * speed);
}

/* --- speeds: monotone between waypoints, with a continuous slope (Steffen 1990, Astron. Astrophys. 239, 443) --- */

typedef struct speed_curve {
  const double *value, *s; /* [points], [spans + 1] */
  size_t points, spans;
  bool closed;
} speed_curve;

static double secant(const speed_curve *c, size_t span) {
  return (c->value[(span + 1) % c->points] - c->value[span]) / (c->s[span + 1] - c->s[span]);
}

/* Returns the slope of the speed at a waypoint (Steffen's eq. 11); at the ends of an open path, the slope of the
 * secant. */
static double speed_slope(const speed_curve *c, size_t i) {
  if (!c->closed && (i == 0 || i == c->spans))
    return secant(c, i == 0 ? 0 : c->spans - 1);
  size_t after = i % c->spans, before = after > 0 ? after - 1 : c->spans - 1;
  double a = secant(c, before), b = secant(c, after);
  double ha = c->s[before + 1] - c->s[before], hb = c->s[after + 1] - c->s[after];
  double parabola = fabs(a * hb + b * ha) / (ha + hb);
  return (copysign(1.0, a) + copysign(1.0, b)) * vd_min(vd_min(fabs(a), fabs(b)), 0.5 * parabola);
}

static void set_speeds(const speed_curve *c, vd_path_node *node, vd_path *path) {
  for (size_t i = 0, span = 0; i < path->count; i++) {
    double s = (double)i * path->spacing;
    while (span + 1 < c->spans && c->s[span + 1] <= s)
      span++;
    double h = c->s[span + 1] - c->s[span], t = vd_min((s - c->s[span]) / h, 1.0), rise = secant(c, span) * h;
    double a = speed_slope(c, span) * h, b = speed_slope(c, span + 1) * h;
    node[i].speed = c->value[span] + t * (a + t * (3.0 * rise - 2.0 * a - b + t * (a + b - 2.0 * rise)));
  }
  path->has_speed = true;
}

/* Sets the room to the edges, linear between the waypoints; knot_s are the arc lengths of the waypoints. */
static void set_room(const vd_path_def *def, const double *knot_s, size_t spans, vd_arena *arena, vd_path *path) {
  double(*room)[2] = vd_arena_alloc(arena, path->count * sizeof *room);
  for (size_t i = 0, span = 0; i < path->count; i++) {
    double s = (double)i * path->spacing;
    while (span + 1 < spans && knot_s[span + 1] <= s)
      span++;
    double u = vd_min((s - knot_s[span]) / (knot_s[span + 1] - knot_s[span]), 1.0);
    size_t next = (span + 1) % def->left.count;
    room[i][0] = def->left.value[span] + u * (def->left.value[next] - def->left.value[span]);
    room[i][1] = def->right.value[span] + u * (def->right.value[next] - def->right.value[span]);
  }
  path->room = (const double(*)[2])room;
}

void vd_path_build_waypoints(const vd_path_def *def, vd_arena *arena, vd_path *path) {
  vd_arena *scratch = vd_arena_create();
  spline p = make_spline(&def->waypoints, def->closed, scratch);
  double *knot = vd_arena_alloc(scratch, (p.spans + 1) * sizeof *knot);
  double *knot_s = vd_arena_alloc(scratch, (p.spans + 1) * sizeof *knot_s);
  for (size_t i = 0; i <= p.spans; i++)
    knot[i] = (double)i;
  vd_path_curve curve = {spline_rate, spline_point, &p, knot, p.spans + 1};
  vd_path_node *node = vd_path_sample(&curve, knot_s, arena, path);
  if (def->speeds.count == p.points)
    set_speeds(&(speed_curve){def->speeds.value, knot_s, p.points, p.spans, def->closed}, node, path);
  if (def->left.count == p.points && def->right.count == p.points)
    set_room(def, knot_s, p.spans, arena, path);
  if (def->closed)
    vd_path_close(node, path);
  vd_arena_destroy(scratch);
}
