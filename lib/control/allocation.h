/* Division of a force and a yaw moment among four wheels: a small quadratic programme, solved exactly.
 *
 *   minimise  sum T_i^2/s_i^2 + (m.T - M)^2/em^2 + (f.T - F)^2/ef^2,   low_i <= T_i <= high_i
 *
 * s_i is the friction limit of a wheel, so that all wheels use the same share of their limits. em and ef are small. If
 * the bounds allow M and F, their errors are about em^2 and ef^2. Otherwise the torques approach M and F as far as the
 * bounds allow. */
#ifndef VD_ALLOCATION_H
#define VD_ALLOCATION_H

#include "base/wheel.h"

typedef struct vd_allocation {
  double share[VD_WHEELS];                /* N m, >= 0; 0: the wheel has no torque */
  double low[VD_WHEELS], high[VD_WHEELS]; /* N m, low <= 0 <= high */
  double row[2][VD_WHEELS];               /* moment per torque, -; force per torque, 1/m */
  double wanted[2];                       /* N m, N */
  double error[2];                        /* N m, N, > 0: em, ef; INFINITY: the moment or the force is not required */
} vd_allocation;

/* Computes the torques, N m. */
void vd_allocation_solve(const vd_allocation *a, double *torque);

#endif
