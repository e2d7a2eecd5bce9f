/* Eigenvalues and eigenvectors of a real matrix, and linear equations with complex matrices.
 *
 * Golub and Van Loan, Matrix Computations, 4th ed.: reduction to Hessenberg form by reflections (7.4.3), QR steps with
 * two implicit shifts (Francis, 7.5.1) for the eigenvalues, inverse iteration (7.6.1) for the vectors, elimination with
 * row exchange (3.4). Unlike those of a library, the results have the same bits on every machine. */
#ifndef VD_EIGEN_H
#define VD_EIGEN_H

#include "math/complex.h"

#include <stdbool.h>
#include <stddef.h>

/* Computes the eigenvalues of a[n * n], row after row, and right eigenvectors of length 1 as the columns of vector[n *
 * n]. a is overwritten. Complex eigenvalues come in successive pairs of exact conjugates, and so do their vectors.
 * Vectors of equal eigenvalues are independent if the matrix has independent ones. Returns false if a number is not
 * finite or the iteration does not end. */
bool vd_eigen_solve(double *a, size_t n, vd_complex *value, vd_complex *vector);

/* Replaces the matrix a[n * n] by its factors, as vd_lu_factorise does. Returns the magnitude of the smallest pivot,
 * which is 0 for a singular matrix; NaN if a number is not finite. */
double vd_complex_factorise(vd_complex *a, size_t n, size_t *order);
/* Replaces the right side x by the solution. */
void vd_complex_solve(const vd_complex *factors, const size_t *order, size_t n, vd_complex *x);

#endif
