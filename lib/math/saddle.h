/* Equations of a minimum under linear constraints: a symmetric matrix H of n coordinates, and the slopes C of m
 * constraints with their multipliers,
 *   H x + C'y = a,   C x = b.
 * H alone may be singular. H + w C'C has the same solution with the multipliers y - w b (augmented Lagrangian; Nocedal
 * and Wright, Numerical Optimization, 2nd ed., 17.3); the matrix is then eliminated without exchange of rows, on and
 * above its diagonal only. By Sylvester's law of inertia the stationary point is a minimum, for any w, exactly if n
 * pivots are positive and m are negative (Gould 1985). */
#ifndef VD_SADDLE_H
#define VD_SADDLE_H

#include <stdbool.h>
#include <stddef.h>

/* Length of the rows of the factors, which hold vectors of four. */
#define VD_SADDLE_PITCH(size) (((size) + 3) / 4 * 4)

/* Factorises `size' equations, the first `coordinates' of which belong to coordinates. Rows of the matrix are `pitch'
 * numbers apart and zero from `size' up to VD_SADDLE_PITCH(size); each number is multiplied by the scales of its row
 * and column. factors[size * VD_SADDLE_PITCH(size)]. False: no minimum, or the smallest pivot divided by the largest is
 * at most `singular'; then the factors are useless. */
bool vd_saddle_factorise(const double *matrix, size_t pitch, size_t coordinates, size_t size, const double *scale,
                         double singular, double *factors);
enum { VD_SADDLE_CONSTRAINTS = 64 }; /* at most */

/* Replaces the right side x, scaled like the matrix, by the scaled solution. */
void vd_saddle_solve(const double *factors, size_t coordinates, size_t size, double *x);
/* Computes X' A^-1 X of X[size][count], whose rows are scaled and zero at the constraints; X is replaced. count: a
 * multiple of four. product[count * count]. */
void vd_saddle_product(const double *factors, size_t size, size_t count, double *x, double *product);

#endif
