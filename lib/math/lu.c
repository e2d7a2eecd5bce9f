#include "math/lu.h"

#include <math.h>

static void exchange(double *a, double *b, size_t n) {
  for (size_t j = 0; j < n; j++) {
    double kept = a[j];
    a[j] = b[j];
    b[j] = kept;
  }
}

VD_WIDE void vd_lu_factorise(double *a, size_t n, size_t *order) {
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabs(a[i * n + k]) > fabs(a[best * n + k]))
        best = i;
    order[k] = best;
    if (best != k)
      exchange(&a[k * n], &a[best * n], n);
    for (size_t i = k + 1; i < n; i++) {
      if (a[i * n + k] == 0.0)
        continue;
      double factor = a[i * n + k] / a[k * n + k];
      a[i * n + k] = factor;
      vd_row_less(factor, &a[k * n + k + 1], n - k - 1, &a[i * n + k + 1]);
    }
  }
}

void vd_lu_solve(const double *factors, const size_t *order, size_t n, double *x) {
  for (size_t k = 0; k < n; k++)
    exchange(&x[k], &x[order[k]], 1);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      x[i] -= factors[i * n + j] * x[j];
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; j++)
      x[i] -= factors[i * n + j] * x[j];
    x[i] /= factors[i * n + i];
  }
}

/* row -= sum of the factors times the rows of x. Factors of zero are skipped: in banded or sparse equations most
 * are. */
static void less_rows(const double *factor, const double *x, size_t rows, size_t count, size_t pitch, double *row) {
  for (size_t j = 0; j < rows; j++)
    if (factor[j] != 0.0)
      vd_row_less(factor[j], x + j * pitch, count, row);
}

/* Inner product with four independent sums, which the processor computes in parallel. */
static double inner(const double *a, const double *b, size_t n) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (size_t k = 0; k < 4; k++)
      sum[k] += a[i + k] * b[i + k];
  for (; i < n; i++)
    sum[0] += a[i] * b[i];
  return sum[0] + sum[1] + (sum[2] + sum[3]);
}

VD_WIDE void vd_lu_solve_one(const double *factors, const size_t *order, size_t n, double *x) {
  for (size_t k = 0; k < n; k++)
    exchange(&x[k], &x[order[k]], 1);
  for (size_t i = 0; i < n; i++)
    x[i] -= inner(factors + i * n, x, i);
  for (size_t i = n; i-- > 0;)
    x[i] = (x[i] - inner(factors + i * n + i + 1, x + i + 1, n - i - 1)) / factors[i * n + i];
}

VD_WIDE void vd_lu_solve_all(const double *factors, const size_t *order, size_t n, size_t count, size_t pitch,
                             double *x) {
  for (size_t k = 0; k < n; k++)
    if (order[k] != k)
      exchange(x + k * pitch, x + order[k] * pitch, count);
  for (size_t i = 0; i < n; i++)
    less_rows(factors + i * n, x, i, count, pitch, x + i * pitch);
  for (size_t i = n; i-- > 0;) {
    double *row = x + i * pitch, pivot = factors[i * n + i];
    less_rows(factors + i * n + i + 1, row + pitch, n - i - 1, count, pitch, row);
    for (size_t j = 0; j < count; j++)
      row[j] /= pivot;
  }
}
