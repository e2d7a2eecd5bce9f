/* LuGre bristles as transient slip of any steady tyre model; see lugre.c. Their rates come with the forces. */
#ifndef VD_LUGRE_H
#define VD_LUGRE_H

#include "base/elementary.h"
#include "tyre/tyre.h"

#include <math.h>

/* Slips at which the steady force is taken, from the slip velocities (m/s): at |Vx|, or a thousandth of the slip
 * velocity if that is more. */
static inline void vd_lugre_slips(double slip_x, double slip_y, double vx, double *kappa, double *tan_alpha) {
  const double min_rolling = 1e-3, min_speed = 1e-9; /* share of |s|; m/s */
  double speed = vd_max(fabs(vx), vd_max(min_rolling * sqrt(slip_x * slip_x + slip_y * slip_y), min_speed));
  *kappa = slip_x / speed;
  *tan_alpha = -slip_y / speed;
}

/* What the bristles of n tyres follow; arrays have n entries. */
typedef struct vd_bristles {
  int count;
  const vd_tyre *const *tyre;
  const vd_slide *slide; /* their members from `bristles` on */
  const double *ground_friction;
  const double *load;            /* N */
  const vd_tyre_forces *rolling; /* steady forces without slip, of shifts of the curves and of camber; all written */
} vd_bristles;

/* Replaces the steady forces out->fx, fy of the tyres with bristles by the forces of the bristles, and writes their
 * rates and what the damper loses. */
void vd_lugre_forces(const vd_bristles *b, vd_tyre_forces *out);

#endif
