/* Quadratic programmes within a box; the unknowns form a ring or a row:
 *
 *   minimise x'Hx/2 + g'x, low <= x <= high
 *
 * H is positive semidefinite and couples an unknown with at most `reach' neighbours to either side. The method follows
 * the central path with steps in x and in the multipliers of the bounds (primal-dual interior points: Nocedal and
 * Wright, Numerical Optimization, 2nd ed., section 16.6). The order of the unknowns is that of a folded ring, in which
 * coupled unknowns are at most 2 reach apart, so that the Cholesky factor is banded. The work is proportional to the
 * number of unknowns. */
#ifndef VD_BOX_QP_H
#define VD_BOX_QP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct vd_box_qp {
  size_t count, reach;
  double *matrix;         /* [count][2 reach + 1]: rows of the lower triangle, in the folded order */
  double *g, *low, *high; /* [count], low < high */
  double *work;           /* memory for the solver */
} vd_box_qp;

/* Allocates memory, and sets the matrix and g to 0. */
void vd_box_qp_make(size_t count, size_t reach, vd_box_qp *q);
void vd_box_qp_free(vd_box_qp *q);

/* Sets the matrix and g to 0. */
void vd_box_qp_clear(vd_box_qp *q);

/* Adds weight r r' to the matrix, where r has the entries `row' at the unknowns from `first' on, around the ring. */
void vd_box_qp_add(vd_box_qp *q, size_t first, size_t entries, const double *row, double weight);

/* Computes an x within the box. The cost is above its minimum by at most 1e-10 of the change that the gradient in the
 * middle of the box predicts. Returns false if this accuracy was not reached. */
bool vd_box_qp_solve(const vd_box_qp *q, double *x);

#endif
