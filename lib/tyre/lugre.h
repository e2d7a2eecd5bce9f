/* LuGre bristles as transient slip of any steady tyre model; see lugre.c. Their rates are computed with the forces. */
#ifndef VD_LUGRE_H
#define VD_LUGRE_H

#include "base/elementary.h"
#include "tyre/tyre.h"

#include <math.h>

/* Computes the slips for the steady force, from the slip velocities (m/s): these are divided by |Vx|, or by a
 * thousandth of the slip velocity if that is greater. */
static inline void vd_lugre_slips(double slip_x, double slip_y, double vx, double *kappa, double *tan_alpha) {
  const double min_rolling = 1e-3, min_speed = 1e-9; /* share of |s|; m/s */
  double speed = vd_max(fabs(vx), vd_max(min_rolling * sqrt(slip_x * slip_x + slip_y * slip_y), min_speed));
  *kappa = slip_x / speed;
  *tan_alpha = -slip_y / speed;
}

/* Inputs of the bristles of n tyres; arrays have n entries. */
typedef struct vd_bristles {
  int count;
  const vd_tyre *const *tyre;
  const vd_slide *slide; /* only the members from `bristles` on are used */
  const double *ground_friction;
  const double *load; /* N */
  /* steady forces without slip, from shifts of the curves and camber; all entries are set */
  const vd_tyre_forces *rolling;
} vd_bristles;

/* Replaces the steady forces out->fx, fy of the tyres with bristles by the forces of the bristles. Writes the rates of
 * the bristles and the power that the damper dissipates. */
void vd_lugre_forces(const vd_bristles *b, vd_tyre_forces *out);

#endif
