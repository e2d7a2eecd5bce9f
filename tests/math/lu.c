/* Factors with row exchange: solutions of equations whose solution is known. */
#include "math/lu.h"
#include "base/elementary.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Solves for (1, 2, 3, 4, 5) with Hilbert's matrix of order 5: the error is the condition number, 4.8e5, times the
 * rounding error. */
static void hilbert(void) {
  enum { N = 5 };
  double a[N * N], x[N] = {0.0}, worst = 0.0;
  size_t order[N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i * N + j] = 1.0 / (i + j + 1);
      x[i] += a[i * N + j] * (j + 1);
    }
  vd_lu_factorise(a, N, order);
  vd_lu_solve(a, order, N, x);
  for (int i = 0; i < N; i++)
    worst = tap_max(worst, fabs(x[i] - (i + 1)));
  tap_near(worst, 0.0, 4.8e5 * N * DBL_EPSILON, "equations with Hilbert's matrix are solved");
}

/* Solves y + z = 5, 2 x + z = 5, x + 2 y = 5: the first pivot is 0, and every number is exact in doubles. */
static void exchanged(void) {
  double a[] = {0.0, 1.0, 1.0, 2.0, 0.0, 1.0, 1.0, 2.0, 0.0}, x[] = {5.0, 5.0, 5.0};
  size_t order[3];
  vd_lu_factorise(a, 3, order);
  vd_lu_solve(a, order, 3, x);
  tap_ok(x[0] == 1.0 && x[1] == 2.0 && x[2] == 3.0, "equations with a zero on the diagonal are solved");
}

static void singular(void) {
  double a[] = {1.0, 2.0, 2.0, 4.0};
  size_t order[2];
  vd_lu_factorise(a, 2, order);
  tap_ok(a[3] == 0.0, "the last pivot of a singular matrix is 0");
}

/* Checks that several right sides solved at once have the same bits as each solved alone, for a band matrix, whose
 * factors have zeros. */
static void together(void) {
  enum { N = 7, COUNT = 5, PITCH = 6 };
  double a[N * N] = {0.0}, all[N * PITCH], one[N];
  size_t order[N];
  bool same = true;
  for (int i = 0; i < N; i++)
    for (int j = i > 2 ? i - 2 : 0; j < N && j <= i + 1; j++)
      a[i * N + j] = i == j ? 0.5 : 1.0 / (1 + i + 3 * j);
  for (int i = 0; i < N * PITCH; i++)
    all[i] = sin(i);
  vd_lu_factorise(a, N, order);
  vd_lu_solve_all(a, order, N, COUNT, PITCH, all);
  for (int k = 0; k < PITCH; k++) {
    for (int i = 0; i < N; i++)
      one[i] = sin(i * PITCH + k);
    if (k < COUNT)
      vd_lu_solve(a, order, N, one);
    for (int i = 0; i < N; i++)
      same = same && one[i] == all[i * PITCH + k];
  }
  tap_ok(same, "five right sides at a time have the bits of one at a time, and the sixth column does not change");
}

/* Checks one right side of many equations, which is solved with four partial sums: the solution differs by rounding
 * only. The matrix has 4 on the diagonal, and other elements that keep its condition below 10. */
static void alone(void) {
  enum { N = 23 };
  double a[N * N], x[N], again[N], worst = 0.0;
  size_t order[N];
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++)
      a[i * N + j] = i == j ? 4.0 : 0.25 * sin(i + 3 * j);
    x[i] = again[i] = cos(i);
  }
  vd_lu_factorise(a, N, order);
  vd_lu_solve(a, order, N, x);
  vd_lu_solve_one(a, order, N, again);
  for (int i = 0; i < N; i++)
    worst = tap_max(worst, fabs(x[i] - again[i]));
  tap_near(worst, 0.0, 10.0 * N * DBL_EPSILON, "many equations with one right side are solved up to rounding");
}

/* Tests the decision on definiteness. The second differences of N points, 2 on the diagonal and -1 beside it, have the
 * eigenvalues 4 sin^2(k pi/(2 N + 2)), k = 1 to N. The matrix minus s times the identity is positive definite for s
 * below the first eigenvalue, and is not for s between the first two. */
static void definite(void) {
  enum { N = 9 };
  const double first = 4.0 * pow(sin(VD_PI / (2 * N + 2)), 2.0);
  bool right = true;
  for (int below = 0; below < 2; below++) {
    double a[N * N] = {0.0};
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        a[i * N + j] = i == j ? 2.0 - first * (below ? 0.999 : 1.001) : i - j == 1 || j - i == 1 ? -1.0 : 0.0;
    right = right && vd_lu_is_positive(a, N) == (below == 1);
  }
  tap_ok(right, "a matrix is positive definite until its least eigenvalue is below 0");
}

/* Checks that a matrix is scaled by powers of two, without rounding, and that a number that is not finite is found at
 * every place. */
static void scaled(void) {
  enum { N = 6, PITCH = 8 };
  const double scale[N] = {1.0, 2.0, 0.5, 4.0, 0.25, 8.0};
  double a[N * PITCH], out[N * N];
  bool right = true;
  for (int i = 0; i < N * PITCH; i++)
    a[i] = i % PITCH < N ? (double)i : HUGE_VAL;
  right = right && vd_lu_scaled(a, PITCH, N, scale, out);
  for (int i = 0; i < N * N; i++)
    right = right && out[i] == scale[i / N] * (i / N * PITCH + i % N) * scale[i % N];
  for (int i = 0; i < N * N; i++) {
    double kept = a[i / N * PITCH + i % N];
    a[i / N * PITCH + i % N] = i % 2 ? NAN : -INFINITY;
    right = right && !vd_lu_scaled(a, PITCH, N, scale, out);
    a[i / N * PITCH + i % N] = kept;
  }
  tap_ok(right, "a matrix is scaled, and numbers that are not finite are found");
}

int main(void) {
  tap_plan(7);
  hilbert();
  exchanged();
  singular();
  together();
  alone();
  definite();
  scaled();
  return tap_done();
}
