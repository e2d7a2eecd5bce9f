/* Sequential quadratic programming finds published optima with their multipliers, and reports infeasible problems. */
#include "math/sqp.h"

#include "base/base.h"
#include "tap.h"

#include <math.h>
#include <string.h>

/* A problem whose variables have their own units. */
typedef struct example {
  size_t parameters, values;
  double low[4], high[4], start[4];
  void (*model)(const double *x, double *value);
  vd_sqp_value value[4];
  size_t points; /* number of points that were evaluated */
} example;

static void own(const example *e, const double *u, double *x) {
  for (size_t k = 0; k < e->parameters; k++)
    x[k] = e->low[k] + u[k] * (e->high[k] - e->low[k]);
}

static void many(void *context, size_t count, const double *u, double *value) {
  example *e = context;
  for (size_t i = 0; i < count; i++) {
    double x[4];
    own(e, u + i * e->parameters, x);
    e->model(x, value + i * e->values);
  }
  e->points += count;
}

static void solve(example *e, vd_sqp_solution *out, double *x) {
  double start[4];
  for (size_t k = 0; k < e->parameters; k++)
    start[k] = (e->start[k] - e->low[k]) / (e->high[k] - e->low[k]);
  e->points = 0;
  vd_sqp_solve(&(vd_sqp_problem){.parameters = e->parameters,
                                 .values = e->values,
                                 .value = e->value,
                                 .start = start,
                                 .settled = 1e-5,
                                 .iterations = 200,
                                 .many = many,
                                 .context = e},
               out);
  own(e, out->x, x);
  tap_diag("%d iterations, %zu points, f %.9g, c %.3g, x %.7g %.7g %.7g %.7g", out->iterations, e->points,
           out->objective, out->violation, x[0], x[1], x[2], x[3]);
}

static bool all_near(const double *x, const double *expected, size_t n, double tolerance) {
  bool near = true;
  for (size_t k = 0; k < n; k++)
    near = near && fabs(x[k] - expected[k]) <= tolerance;
  return near;
}

/* Hock and Schittkowski, Test Examples for Nonlinear Programming Codes, 1981, problems 1 (with two more bounds), 43 and
 * 71; the multipliers of 71 are those of IPOPT's documentation. */

static void rosenbrock(const double *x, double *value) {
  value[0] = 100.0 * (x[1] - x[0] * x[0]) * (x[1] - x[0] * x[0]) + (1.0 - x[0]) * (1.0 - x[0]);
}

static void rosen_suzuki(const double *x, double *value) {
  double a = x[0], b = x[1], c = x[2], d = x[3];
  value[0] = a * a + b * b + 2.0 * c * c + d * d - 5.0 * a - 5.0 * b - 21.0 * c + 7.0 * d;
  value[1] = 8.0 - a * a - b * b - c * c - d * d - a + b - c + d;
  value[2] = 10.0 - a * a - 2.0 * b * b - c * c - 2.0 * d * d + a + d;
  value[3] = 5.0 - 2.0 * a * a - b * b - c * c - 2.0 * a + b + d;
}

static void problem_71(const double *x, double *value) {
  value[0] = x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2];
  value[1] = x[0] * x[1] * x[2] * x[3];
  value[2] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
}

#define FREE -INFINITY, INFINITY

static void check_published(void) {
  vd_sqp_solution s;
  double x[4] = {0.0};
  example valley = {2, 1, {-2.0, -1.5}, {2.0, 2.0}, {-1.2, 1.0}, rosenbrock, {{1.0, FREE, 1.0}}, 0};
  solve(&valley, &s, x);
  /* A central difference of e in x_1 adds e^2/6 times the third derivative, 2400 x_1; that in x_2 is exact. On the
   * valley x_2 = x_1^2 this leaves -2 (1 - x_1) + 400 e^2 x_1 = 0, with e = 0.002 * 4. */
  double expected = 2.0 / (2.0 + 400.0 * 0.008 * 0.008);
  tap_ok(s.status == VD_SQP_SOLVED && all_near(x, (const double[]){expected, expected * expected}, 2, 1e-3),
         "problem 1, a curved valley: the error is that of the differences");
  example suzuki = {
      4,
      4,
      {-5.0, -5.0, -5.0, -5.0},
      {5.0, 5.0, 5.0, 5.0},
      {0.0},
      rosen_suzuki,
      {{1.0, FREE, 1.0}, {0.0, 0.0, INFINITY, 8.0}, {0.0, 0.0, INFINITY, 10.0}, {0.0, 0.0, INFINITY, 5.0}},
      0};
  solve(&suzuki, &s, x);
  /* quadratic: differences are exact, so that only the last step remains */
  tap_ok(s.status == VD_SQP_SOLVED && all_near(x, (const double[]){0.0, 1.0, 2.0, -1.0}, 4, 1e-3) &&
             fabs(s.objective + 44.0) < 1e-4,
         "problem 43, two of three limits hold");
  tap_ok(s.price[1] > 0.5 && fabs(s.price[2]) < 1e-9 && s.price[3] > 1.0,
         "problem 43: prices (multipliers) show which two limits hold");
  example hs71 = {4,
                  3,
                  {1.0, 1.0, 1.0, 1.0},
                  {5.0, 5.0, 5.0, 5.0},
                  {1.0, 5.0, 5.0, 1.0},
                  problem_71,
                  {{1.0, FREE, 1.0}, {0.0, 25.0, INFINITY, 25.0}, {0.0, 40.0, 40.0, 40.0}},
                  0};
  solve(&hs71, &s, x);
  tap_ok(s.status == VD_SQP_SOLVED && all_near(x, (const double[]){1.0, 4.7429994, 3.8211503, 1.3794082}, 4, 2e-3) &&
             fabs(s.objective - 17.0140173) < 1e-4,
         "problem 71, a target, a limit and a bound hold");
  tap_ok(fabs(s.price[1] - 0.552294) < 1e-3 && fabs(s.price[2] + 0.161469) < 1e-3,
         "problem 71 has the prices that IPOPT finds");
  tap_ok(s.bound_price[0] > 0.1 && s.bound_price[1] == 0.0, "problem 71 has a price of the bound of x_1 alone");
}

/* --- infeasible problems --- */

static void line(const double *x, double *value) {
  value[0] = x[0] * x[0];
  value[1] = x[0];
  value[2] = x[0];
}

/* Tests contradictory conditions: x must be 1 and at least 3, and the second condition has three times the weight: the
 * least weighted violation violates the first one. */
static void check_impossible(void) {
  vd_sqp_solution s;
  double x[4] = {0.0};
  example e = {1, 3, {-5.0}, {5.0}, {4.5}, line, {{1.0, FREE, 1.0}, {0.0, 1.0, 1.0, 3.0}, {0.0, 3.0, INFINITY, 1.0}},
               0};
  solve(&e, &s, x);
  tap_ok(s.status == VD_SQP_SOLVED && fabs(x[0] - 3.0) < 1e-6 && fabs(s.violation - 2.0 / 3.0) < 1e-6,
         "if limits exclude each other, the sum of violations is least for any objective");
  e.start[0] = -4.0;
  solve(&e, &s, x);
  tap_ok(s.status == VD_SQP_SOLVED && fabs(x[0] - 3.0) < 1e-6,
         "if limits exclude each other, the sum of violations is least from the other side, too");
}

/* --- a concave objective with a limit --- */

static void cubic(const double *x, double *value) {
  value[0] = value[1] = x[0] * x[0] * x[0] - 3.0 * x[0];
}

/* Checks the maximum of x^3 - 3 x, whose slope grows from x = 1 on, with the limit 4: x = 2.195823345. */
static void check_downward(void) {
  vd_sqp_solution s;
  double x[4] = {0.0};
  example e = {1, 2, {-2.0}, {2.5}, {1.375}, cubic, {{-0.05, FREE, 1.0}, {0.0, -INFINITY, 4.0, 4.0}}, 0};
  solve(&e, &s, x);
  tap_ok(s.status == VD_SQP_SOLVED && fabs(x[0] - 2.195823345) < 1e-4 && s.price[1] < 0.0,
         "an objective that falls at a growing rate is followed to its limit");
}

/* --- models that have no values at some points --- */

static void root(const double *x, double *value) {
  value[0] = x[0] < 0.1 ? NAN : sqrt(x[0]) + 0.01 / x[0];
}

/* Checks a search whose minimum, at x = 0.02^(2/3) = 0.0737, is below 0.1, where there are no values: it must end at
 * the edge. */
static void check_gap(void) {
  vd_sqp_solution s;
  double x[4] = {0.0};
  example e = {1, 1, {-1.0}, {3.0}, {2.0}, root, {{1.0, FREE, 1.0}}, 0};
  solve(&e, &s, x);
  tap_ok(s.status == VD_SQP_BLOCKED && x[0] >= 0.1 && x[0] < 0.1 + 1e-3, "a search ends beside points without values");
  e.start[0] = 0.0;
  solve(&e, &s, x);
  tap_ok(s.status == VD_SQP_NO_VALUE, "a search does not begin at a point without values");
}

int main(void) {
  tap_plan(11);
  check_published();
  check_impossible();
  check_downward();
  check_gap();
  return tap_done();
}
