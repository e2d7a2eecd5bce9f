/* Minima under linear constraints: solutions, products X' A^-1 X, and the decision whether there is a minimum. */
#include "math/saddle.h"
#include "base/elementary.h"
#include "math/lu.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { N = 9, SIZE = N + 1, PITCH = 16, WIDTH = VD_SADDLE_PITCH(SIZE) };

/* Returns the k-th eigenvalue of the second differences of N points, 2 on the diagonal and -1 beside it. */
static double eigenvalue(int k) {
  return 4.0 * pow(sin(k * VD_PI / (2 * N + 2)), 2.0);
}

/* Makes the second differences minus s times the identity, with a constraint that fixes the component along their first
 * eigenvector, sin(i pi/(N + 1)). */
static void fill(double s, double *a) {
  memset(a, 0, SIZE * PITCH * sizeof *a);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++)
      a[i * PITCH + j] = i == j ? 2.0 - s : i - j == 1 || j - i == 1 ? -1.0 : 0.0;
    a[i * PITCH + N] = a[N * PITCH + i] = sqrt(2.0 / (N + 1)) * sin((i + 1) * VD_PI / (N + 1));
  }
}

static bool factorise(double s, double *factors) {
  static const double scale[SIZE] = {1.0, 0.5, 2.0, 1.0, 0.5, 2.0, 1.0, 0.5, 2.0, 1.0};
  double a[SIZE * PITCH];
  fill(s, a);
  return vd_saddle_factorise(a, PITCH, N, SIZE, scale, 1e-14, factors);
}

/* Tests the decision. With the first eigenvector fixed, there is a minimum for s below the second eigenvalue, although
 * the matrix is indefinite above the first one. */
static void decides(void) {
  double factors[SIZE * WIDTH];
  tap_ok(factorise(0.5 * eigenvalue(1), factors),
         "below the first eigenvalue there is a minimum, with the constraint or without it");
  tap_ok(factorise(1.001 * eigenvalue(1), factors) && factorise(0.999 * eigenvalue(2), factors),
         "between the first and second eigenvalues there is a minimum because of the constraint");
  tap_ok(!factorise(1.001 * eigenvalue(2), factors) && !factorise(0.999 * eigenvalue(3), factors),
         "there is no minimum above the second eigenvalue");
  tap_ok(!factorise(NAN, factors) && !factorise(INFINITY, factors), "a matrix whose numbers are not finite is refused");
}

/* Compares solution and products with those of elimination with row exchange. The condition number is at most
 * 4/(second eigenvalue - s) = 28, times 16 for the scales; the weight of the constraints, 1e3, costs three digits. */
static void solves(void) {
  static const double scale[SIZE] = {1.0, 0.5, 2.0, 1.0, 0.5, 2.0, 1.0, 0.5, 2.0, 1.0};
  double a[SIZE * PITCH], own[SIZE * SIZE], factors[SIZE * WIDTH], x[SIZE], truth[SIZE], worst = 0.0;
  size_t order[SIZE];
  const double s = 0.5 * (eigenvalue(1) + eigenvalue(2)), bound = 28.0 * 16.0 * 1e3 * DBL_EPSILON;
  fill(s, a);
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++)
      own[i * SIZE + j] = scale[i] * a[i * PITCH + j] * scale[j];
    x[i] = truth[i] = cos(i);
  }
  bool found = factorise(s, factors);
  vd_lu_factorise(own, SIZE, order);
  vd_lu_solve(own, order, SIZE, truth);
  vd_saddle_solve(factors, N, SIZE, x);
  for (int i = 0; i < SIZE; i++)
    worst = tap_max(worst, fabs(x[i] - truth[i]));
  tap_ok(found && worst <= bound, "solution and multiplier are within %.1e of the solution with row exchange", worst);

  for (size_t count = 8; count <= 12; count += 4) { /* a count of 8 has its own code */
    double columns[SIZE * 12] = {0.0}, kept[SIZE * 12], product[12 * 12];
    worst = 0.0;
    for (size_t k = 0; k < N * count; k++)
      columns[k] = sin((double)(k * k));
    memcpy(kept, columns, sizeof kept);
    vd_saddle_product(factors, SIZE, count, columns, product);
    for (size_t j = 0; j < count; j++) {
      for (size_t k = 0; k < SIZE; k++)
        truth[k] = kept[k * count + j];
      vd_lu_solve(own, order, SIZE, truth);
      for (size_t i = 0; i < count; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < SIZE; k++)
          sum += kept[k * count + i] * truth[k];
        worst = tap_max(worst, fabs(sum - product[i * count + j]));
      }
    }
    tap_ok(worst <= N * bound, "products X' A^-1 X of %zu columns are within %.1e of those with row exchange", count,
           worst);
  }
}

int main(void) {
  tap_plan(7);
  decides();
  solves();
  return tap_done();
}
