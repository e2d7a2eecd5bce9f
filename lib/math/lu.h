/* Linear equations with a dense matrix, by elimination with row exchange (partial pivoting; Golub and Van Loan, Matrix
 * Computations, 4th ed., 3.4). Unlike a library, it gives the same bits on every machine. */
#ifndef VD_LU_H
#define VD_LU_H

#include "base/base.h"

#include <stddef.h>

/* row -= factor pivot. The two never overlap: the compiler may compute several numbers at a time. */
static inline void vd_row_less(double factor, const double *restrict pivot, size_t n, double *restrict row) {
  for (size_t j = 0; j < n; j++)
    row[j] -= factor * pivot[j];
}

/* Replaces the matrix a[n * n], row after row, by its factors: U on and above the diagonal, L below it; the diagonal of
 * L is 1. order[k]: the row that was exchanged with row k. A pivot of a singular matrix is 0. */
void vd_lu_factorise(double *a, size_t n, size_t *order);

/* Replaces the right side x by the solution. */
void vd_lu_solve(const double *factors, const size_t *order, size_t n, double *x);
/* The same for many equations, with sums in another order. */
void vd_lu_solve_one(const double *factors, const size_t *order, size_t n, double *x);
/* Solves `count' right sides at a time, the columns of x[n][pitch]. */
void vd_lu_solve_all(const double *factors, const size_t *order, size_t n, size_t count, size_t pitch, double *x);

#endif
