#include "math/sqp.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = VD_SQP_PARAMETERS, M = VD_SQP_VALUES, SWEEPS = 20000 };

/* Share of the range for differences. The error of a central difference is then 250 times that of a value (which is
 * some 1e-6 of a run's metric), plus 7e-7 of the third derivative over the range. */
static const double difference = 2e-3;
static const double first_radius = 0.25, least_rho = 10.0, greatest_rho = 1e7;

/* A point with its values, their derivatives and the second derivatives along each parameter. */
typedef struct point {
  double x[N], value[M], slope[M][N], bend[M][N];
} point;

typedef struct state {
  const vd_sqp_problem *of;
  point now;
  double curve[N][N], inverse[N][N]; /* curvature of the Lagrangian, and its inverse */
  double rho, radius;
} state;

/* A step, with the multipliers (prices) of the limits of values and of the box. */
typedef struct program {
  double step[N], price[M], box_price[N];
} program;

/* --- points --- */

static bool has_values(const vd_sqp_problem *p, const double *value) {
  bool has = true;
  for (size_t k = 0; k < p->values; k++)
    has = has && isfinite(value[k]);
  return has;
}

/* Computes the offsets of the two other points along a parameter: on both sides, or both on one side of a point near a
 * bound. */
static void offsets(double x, double at[2]) {
  at[0] = x - difference >= 0.0 ? -difference : 2.0 * difference;
  at[1] = x + difference <= 1.0 ? difference : -2.0 * difference;
}

/* Computes the derivatives at 0 of the parabola through (0, y), (a, ya), (b, yb). If one of ya and yb has no value,
 * computes those of the straight line through the other point; if both have none, 0. */
static void differ(const double at[2], double y, double ya, double yb, double *slope, double *bend) {
  double a = at[0], b = at[1];
  double sa = (ya - y) / a, sb = (yb - y) / b;
  bool both = isfinite(sa) && isfinite(sb);
  *bend = both ? 2.0 * (sb - sa) / (b - a) : 0.0;
  *slope = both ? (sa * b - sb * a) / (b - a) : isfinite(sa) ? sa : isfinite(sb) ? sb : 0.0;
}

/* Evaluates a point and the differences around it. Returns false if the model has no values at the point. */
static bool evaluate(const vd_sqp_problem *p, point *at) {
  size_t n = p->parameters, count = 1 + 2 * n;
  double *x = vd_allocate(count * n, sizeof *x), *value = vd_allocate(count * p->values, sizeof *value);
  for (size_t i = 0; i < count; i++)
    memcpy(x + i * n, at->x, n * sizeof *x);
  for (size_t k = 0; k < n; k++) {
    double o[2];
    offsets(at->x[k], o);
    x[(1 + 2 * k) * n + k] += o[0];
    x[(2 + 2 * k) * n + k] += o[1];
  }
  p->many(p->context, count, x, value);
  memcpy(at->value, value, p->values * sizeof *value);
  for (size_t k = 0; k < n; k++) {
    double o[2];
    offsets(at->x[k], o);
    for (size_t v = 0; v < p->values; v++)
      differ(o, value[v], value[(1 + 2 * k) * p->values + v], value[(2 + 2 * k) * p->values + v], &at->slope[v][k],
             &at->bend[v][k]);
  }
  free(x);
  free(value);
  return has_values(p, at->value);
}

static double objective(const vd_sqp_problem *p, const double *value) {
  double f = 0.0;
  for (size_t v = 0; v < p->values; v++)
    f += p->value[v].weight * value[v];
  return f;
}

static double violation(const vd_sqp_problem *p, const double *value) {
  double c = 0.0;
  for (size_t v = 0; v < p->values; v++)
    c += vd_max(vd_max(p->value[v].low - value[v], value[v] - p->value[v].high), 0.0) / p->value[v].scale;
  return c;
}

static double merit(const state *s, const double *value) {
  return objective(s->of, value) + s->rho * violation(s->of, value);
}

static double slope_of(const vd_sqp_problem *p, const point *at, const double *price, size_t k) {
  double sum = 0.0;
  for (size_t v = 0; v < p->values; v++)
    sum += (p->value[v].weight - (price ? price[v] : 0.0)) * at->slope[v][k];
  return sum;
}

/* --- the quadratic program --- */

static double product(const double *a, const double *b, size_t n) {
  double sum = 0.0;
  for (size_t k = 0; k < n; k++)
    sum += a[k] * b[k];
  return sum;
}

/* Changes one price, within -most and most, so that the step keeps its limit: a price > 0 keeps the lower limit, < 0
 * the upper one. row: derivatives of what is limited; along: the inverse curvature times `row`. Returns the greatest
 * change of the step. */
static double hold(const double *row, const double *along, size_t n, double low, double high, double most,
                   double *price, double *step) {
  double own = product(row, along, n), is = product(row, step, n), before = *price, change = 0.0;
  if (!(own > 0.0))
    return 0.0;
  double to_low = before + (low - is) / own, to_high = before + (high - is) / own;
  *price = to_low > 0.0 ? vd_min(to_low, most) : to_high < 0.0 ? vd_max(to_high, -most) : 0.0;
  for (size_t k = 0; k < n; k++) {
    double d = (*price - before) * along[k];
    step[k] += d;
    change = vd_max(change, fabs(d));
  }
  return change;
}

/* Solves the quadratic program. at: values of the present point, or corrected values; the values after a step are
 * linear functions of it. */
static void solve_program(const state *s, const double *at, double rho, double radius, program *out) {
  const vd_sqp_problem *p = s->of;
  size_t n = p->parameters;
  double along[M][N], low[N], high[N];
  memset(out, 0, sizeof *out);
  for (size_t k = 0; k < n; k++) {
    low[k] = vd_max(-s->now.x[k], -radius);
    high[k] = vd_min(1.0 - s->now.x[k], radius);
    for (size_t j = 0; j < n; j++)
      out->step[k] -= s->inverse[k][j] * slope_of(p, &s->now, NULL, j);
  }
  for (size_t v = 0; v < p->values; v++)
    for (size_t k = 0; k < n; k++)
      along[v][k] = product(s->inverse[k], s->now.slope[v], n);
  double change = 1.0;
  for (int sweep = 0; sweep < SWEEPS && change > 1e-15; sweep++) {
    change = 0.0;
    for (size_t v = 0; v < p->values; v++) {
      const vd_sqp_value *of = &p->value[v];
      if (isfinite(of->low) || isfinite(of->high))
        change = vd_max(change, hold(s->now.slope[v], along[v], n, of->low - at[v], of->high - at[v], rho / of->scale,
                                     &out->price[v], out->step));
    }
    for (size_t k = 0; k < n; k++) {
      double row[N] = {0.0};
      row[k] = 1.0;
      change = vd_max(change, hold(row, s->inverse[k], n, low[k], high[k], INFINITY, &out->box_price[k], out->step));
    }
  }
  for (size_t k = 0; k < n; k++)
    out->step[k] = vd_max(low[k], vd_min(out->step[k], high[k]));
}

static double linear_violation(const state *s, const double *at, const double *step) {
  double value[M];
  for (size_t v = 0; v < s->of->values; v++)
    value[v] = at[v] + product(s->now.slope[v], step, s->of->parameters);
  return violation(s->of, value);
}

/* Solves the program, and raises rho as long as that reduces the violation of limits after the step. */
static void solve_and_steer(state *s, program *out) {
  const double *at = s->now.value;
  solve_program(s, at, s->rho, s->radius, out);
  double left = linear_violation(s, at, out->step);
  while (left > 1e-9 && s->rho < greatest_rho) {
    program other;
    solve_program(s, at, 10.0 * s->rho, s->radius, &other);
    double then = linear_violation(s, at, other.step);
    if (!(then < 0.9 * left))
      return;
    s->rho *= 10.0;
    left = then;
    *out = other;
  }
}

/* Returns the decrease of the merit that the program predicts. */
static double predicted(const state *s, const program *q) {
  size_t n = s->of->parameters;
  double slope = 0.0, bend = 0.0;
  for (size_t k = 0; k < n; k++) {
    slope += slope_of(s->of, &s->now, NULL, k) * q->step[k];
    bend -= (slope_of(s->of, &s->now, q->price, k) - q->box_price[k]) * q->step[k];
  }
  return -slope - 0.5 * vd_max(bend, 0.0) +
         s->rho * (violation(s->of, s->now.value) - linear_violation(s, s->now.value, q->step));
}

/* --- curvature --- */

/* Sets the first curvature to that of the objective along each parameter, or to a tenth of the objective's greatest
 * slope if this is greater. */
static void start_curvature(state *s) {
  const vd_sqp_problem *p = s->of;
  double least = 1e-3;
  for (size_t k = 0; k < p->parameters; k++)
    least = vd_max(least, 0.1 * fabs(slope_of(p, &s->now, NULL, k)));
  for (size_t k = 0; k < p->parameters; k++) {
    double bend = 0.0;
    for (size_t v = 0; v < p->values; v++)
      bend += p->value[v].weight * s->now.bend[v][k];
    s->curve[k][k] = vd_max(fabs(bend), least);
    s->inverse[k][k] = 1.0 / s->curve[k][k];
  }
}

/* Updates the curvature by the step and the change of the Lagrangian's derivatives. The change is damped so that the
 * curvature stays positive definite: if the Lagrangian is concave, the curvature falls, and steps grow. */
static void update(state *s, const point *before, const double *price) {
  size_t n = s->of->parameters;
  double y[N], d[N], by_curve[N], by_inverse[N];
  for (size_t k = 0; k < n; k++) {
    y[k] = slope_of(s->of, &s->now, price, k) - slope_of(s->of, before, price, k);
    d[k] = s->now.x[k] - before->x[k];
  }
  for (size_t k = 0; k < n; k++)
    by_curve[k] = product(s->curve[k], d, n);
  double is = product(d, by_curve, n), dy = product(d, y, n);
  if (!(is > 0.0))
    return;
  double share = dy < 0.2 * is ? 0.8 * is / (is - dy) : 1.0;
  for (size_t k = 0; k < n; k++)
    y[k] = share * y[k] + (1.0 - share) * by_curve[k];
  dy = product(d, y, n);
  for (size_t k = 0; k < n; k++)
    by_inverse[k] = product(s->inverse[k], y, n);
  double yhy = product(y, by_inverse, n);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++) {
      s->curve[i][k] += y[i] * y[k] / dy - by_curve[i] * by_curve[k] / is;
      s->inverse[i][k] += (1.0 + yhy / dy) * d[i] * d[k] / dy - (by_inverse[i] * d[k] + d[i] * by_inverse[k]) / dy;
    }
}

/* --- the search --- */

static double length_of(const program *q, size_t n) {
  double length = 0.0;
  for (size_t k = 0; k < n; k++)
    length = vd_max(length, fabs(q->step[k]));
  return length;
}

/* Tries a step. Returns true if the point that it reaches, *trial, is to be the new point. */
static bool try_step(state *s, const program *q, double expected, point *trial, double *ratio) {
  const vd_sqp_problem *p = s->of;
  for (size_t k = 0; k < p->parameters; k++)
    trial->x[k] = vd_max(0.0, vd_min(s->now.x[k] + q->step[k], 1.0));
  *ratio = -1.0;
  if (!evaluate(p, trial))
    return false;
  *ratio = (merit(s, s->now.value) - merit(s, trial->value)) / expected;
  return *ratio > 1e-3;
}

static void accept(state *s, const point *trial, const double *price) {
  point before = s->now;
  s->now = *trial;
  update(s, &before, price);
}

/* Makes one iteration. Returns VD_SQP_SLOW if another one may follow. If curved limits forbid a step, the program is
 * solved once more with the values to which the step led; the new step follows the limit (second-order correction). */
static enum vd_sqp_status iterate(state *s, point *trial) {
  const vd_sqp_problem *p = s->of;
  program q;
  double ratio;
  solve_and_steer(s, &q);
  double length = length_of(&q, p->parameters), expected = predicted(s, &q);
  if (s->radius < p->settled && length > 0.99 * s->radius)
    return VD_SQP_BLOCKED;
  if (length < p->settled || !(expected > 0.0))
    return VD_SQP_SOLVED;
  bool good = try_step(s, &q, expected, trial, &ratio);
  if (!good && ratio > -1.0 && violation(p, trial->value) > linear_violation(s, s->now.value, q.step)) {
    double at[M];
    program bent;
    for (size_t v = 0; v < p->values; v++)
      at[v] = trial->value[v] - product(s->now.slope[v], q.step, p->parameters);
    solve_program(s, at, s->rho, s->radius, &bent);
    good = try_step(s, &bent, expected, trial, &ratio);
  }
  if (good)
    accept(s, trial, q.price);
  if (ratio < 0.25)
    s->radius = 0.4 * length;
  else if (ratio > 0.75 && length > 0.99 * s->radius)
    s->radius = vd_min(2.0 * s->radius, 1.0);
  return VD_SQP_SLOW;
}

void vd_sqp_solve(const vd_sqp_problem *p, vd_sqp_solution *out) {
  state *s = vd_allocate(1, sizeof *s);
  point *trial = vd_allocate(1, sizeof *trial);
  *s = (state){.of = p, .rho = least_rho, .radius = first_radius};
  *out = (vd_sqp_solution){.status = VD_SQP_NO_VALUE};
  memcpy(s->now.x, p->start, p->parameters * sizeof *s->now.x);
  if (evaluate(p, &s->now)) {
    memcpy(out->start, s->now.value, sizeof out->start);
    out->status = VD_SQP_SLOW;
    start_curvature(s);
    while (out->iterations < p->iterations && (out->status = iterate(s, trial)) == VD_SQP_SLOW)
      out->iterations++;
    program q;
    s->radius = 1.0;
    solve_and_steer(s, &q);
    memcpy(out->price, q.price, sizeof out->price);
    memcpy(out->bound_price, q.box_price, sizeof out->bound_price);
    memcpy(out->value, s->now.value, sizeof out->value);
    out->objective = objective(p, out->value);
    out->violation = violation(p, out->value);
  }
  memcpy(out->x, s->now.x, sizeof out->x);
  free(trial);
  free(s);
}
