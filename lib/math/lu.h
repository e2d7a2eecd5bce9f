/* Linear equations with a dense matrix, by elimination with row exchange (partial pivoting; Golub and Van Loan, Matrix
 * Computations, 4th ed., 3.4). Unlike those of a library, the results have the same bits on every machine. */
#ifndef VD_LU_H
#define VD_LU_H

#include "base/wide.h"

#include <stddef.h>

/* Subtracts factor times `pivot` from `row`. The two must not overlap. */
VD_INLINE void vd_row_less(double factor, const double *restrict pivot, size_t n, double *restrict row) {
  size_t j = 0;
  for (; j + 8 <= n; j += 8) {
    vd_wide_store(vd_wide_load(row + j) - factor * vd_wide_load(pivot + j), row + j);
    vd_wide_store(vd_wide_load(row + j + 4) - factor * vd_wide_load(pivot + j + 4), row + j + 4);
  }
  if (j + 4 <= n) {
    vd_wide_store(vd_wide_load(row + j) - factor * vd_wide_load(pivot + j), row + j);
    j += 4;
  }
  for (; j < n; j++)
    row[j] -= factor * pivot[j];
}

/* Returns the inner product with four independent sums, which the processor computes in parallel. */
VD_INLINE double vd_inner(const double *a, const double *b, size_t n) {
  vd_wide part = {0.0};
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    part += vd_wide_load(a + i) * vd_wide_load(b + i);
    part += vd_wide_load(a + i + 4) * vd_wide_load(b + i + 4);
  }
  if (i + 4 <= n) {
    part += vd_wide_load(a + i) * vd_wide_load(b + i);
    i += 4;
  }
  double first = part[0];
  for (; i < n; i++)
    first += a[i] * b[i];
  return first + part[1] + (part[2] + part[3]);
}

/* Copies the numbers from column `from', a multiple of four, to n of a row, each times `own', the scale of the row, and
 * the scale of its column. Returns the sum of all of them times zero, NaN if one is not finite. */
VD_INLINE double vd_scaled_row(const double *row, size_t from, size_t n, double own, const double *scale, double *to) {
  vd_wide none = {0.0};
  double zero = 0.0;
  size_t j = from;
  for (; j + 4 <= n; j += 4) {
    const vd_wide value = own * vd_wide_load(row + j) * vd_wide_load(scale + j);
    none += 0.0 * value;
    vd_wide_store(value, to + j);
  }
  for (; j < n; j++) {
    to[j] = own * row[j] * scale[j];
    zero += 0.0 * to[j];
  }
  return zero + none[0] + none[1] + (none[2] + none[3]);
}

/* Replaces the matrix a[n * n], row after row, by its factors: U on and above the diagonal, L below it; the diagonal of
 * L is 1. order[k]: the row that was exchanged with row k. A pivot of a singular matrix is 0. */
void vd_lu_factorise(double *a, size_t n, size_t *order);

/* Replaces the right side x by the solution. */
void vd_lu_solve(const double *factors, const size_t *order, size_t n, double *x);
/* Does the same with the terms of sums in another order, which is faster for large n. */
void vd_lu_solve_one(const double *factors, const size_t *order, size_t n, double *x);
/* Solves `count' right sides at a time, the columns of x[n][pitch]. */
void vd_lu_solve_all(const double *factors, const size_t *order, size_t n, size_t count, size_t pitch, double *x);

/* Copies the n rows and columns of a matrix, whose rows are `pitch' numbers apart, to out[n * n], each number times the
 * scales of its row and column. Returns false if a number is not finite. */
bool vd_lu_scaled(const double *matrix, size_t pitch, size_t n, const double *scale, double *out);
/* True if the symmetric matrix a[n * n] is positive definite: all pivots of an elimination without exchanges are
 * positive. Reads and replaces the numbers on and above the diagonal. */
bool vd_lu_is_positive(double *a, size_t n);

#endif
