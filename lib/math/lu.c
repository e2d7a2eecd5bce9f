#include "math/lu.h"

#include <math.h>

enum { MOST_AT_ONCE = 64 }; /* factors of a row that are collected at a time */

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

/* Subtracts the sum of the factors times the rows of x from `row`. Factors of zero, which are most factors in banded or
 * sparse equations, are skipped. The sum for four columns stays in a register for MOST_AT_ONCE factors at a time. */
static void less_rows(const double *factor, const double *x, size_t rows, size_t count, size_t pitch, double *row) {
  size_t at[MOST_AT_ONCE], used = 0, k = 0;
  for (size_t from = 0; from < rows; from += MOST_AT_ONCE) {
    const size_t to = from + MOST_AT_ONCE < rows ? from + MOST_AT_ONCE : rows;
    for (used = 0, k = from; k < to; k++)
      if (factor[k] != 0.0)
        at[used++] = k;
    for (k = 0; k + 4 <= count; k += 4) {
      vd_wide sum = vd_wide_load(row + k);
      for (size_t j = 0; j < used; j++)
        sum -= factor[at[j]] * vd_wide_load(x + at[j] * pitch + k);
      vd_wide_store(sum, row + k);
    }
    for (; k < count; k++)
      for (size_t j = 0; j < used; j++)
        row[k] -= factor[at[j]] * x[at[j] * pitch + k];
  }
}

VD_WIDE void vd_lu_solve_one(const double *factors, const size_t *order, size_t n, double *x) {
  for (size_t k = 0; k < n; k++)
    exchange(&x[k], &x[order[k]], 1);
  for (size_t i = 0; i < n; i++)
    x[i] -= vd_inner(factors + i * n, x, i);
  for (size_t i = n; i-- > 0;)
    x[i] = (x[i] - vd_inner(factors + i * n + i + 1, x + i + 1, n - i - 1)) / factors[i * n + i];
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

VD_WIDE bool vd_lu_scaled(const double *matrix, size_t pitch, size_t n, const double *scale, double *out) {
  double zero = 0.0; /* NaN as soon as a number is not finite */
  for (size_t i = 0; i < n; i++)
    zero += vd_scaled_row(matrix + i * pitch, 0, n, scale[i], scale, out + i * n);
  return zero == 0.0;
}

VD_WIDE bool vd_lu_is_positive(double *a, size_t n) {
  for (size_t k = 0; k < n; k++) {
    const double *pivot = a + k * n;
    if (!(pivot[k] > 0.0))
      return false;
    for (size_t i = k + 1; i < n; i++)
      if (pivot[i] != 0.0)
        vd_row_less(pivot[i] / pivot[k], pivot + i, n - i, a + i * n + i);
  }
  return true;
}
