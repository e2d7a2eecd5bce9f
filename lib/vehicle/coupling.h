/* Shafts with friction couplings between them, which stick or slip: brakes, clutch, differentials.
 *
 * The coordinates are the speeds q of n shafts, each with its own inertia; each coupling k is a pair of rows: its
 * relative speed is a_k . q, and its torque t acts on the shafts as t b_k (b = a, except for the losses of gears). The
 * torque of a coupling that slips is known. A coupling that sticks has a_k . dq/dt = 0, which determines its torque:
 *
 *   I dq/dt = f + sum over the sticking (b_k t_k),   a_k . dq/dt = 0
 *   =>  t = -(A I^-1 B)^-1 A I^-1 f,   dq/dt = I^-1 (f + B t)
 *
 * t and dq/dt are linear in f; their matrices are computed once for a set of stuck couplings. Conditions of stuck
 * couplings may be redundant (two locked brakes behind a locked differential): then the later coupling has no
 * torque. */
#ifndef VD_COUPLING_H
#define VD_COUPLING_H

#include "base/base.h"

enum { VD_SHAFTS = VD_WHEELS + 1, VD_COUPLINGS = 8 };

typedef struct vd_coupling {
  double a[VD_SHAFTS], b[VD_SHAFTS];
} vd_coupling;

/* Response to torques f: dq/dt = accel f, t = hold f. */
typedef struct vd_coupled {
  double accel[VD_SHAFTS][VD_SHAFTS];
  double hold[VD_COUPLINGS][VD_SHAFTS]; /* rows of slipping couplings are zero */
} vd_coupled;

/* Computes the response while some couplings stick. inverse_inertia[n]: 1/(kg m2). If conditions are redundant, earlier
 * couplings carry the torque. */
void vd_coupled_solve(int n, const double *inverse_inertia, int count, const vd_coupling *coupling, const bool *stuck,
                      vd_coupled *out);

#endif
