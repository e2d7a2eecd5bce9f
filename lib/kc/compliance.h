/* Compliance: static equilibrium of knuckle and links on their bushings, springs and joints under forces at the contact
 * patch.
 *
 * Arms and rods with a bushing are bodies of their own. Bushings connect them to the chassis; ball joints, rigid or
 * elastic, connect them to the knuckle. A bushing's forces derive from a potential: with v the displacement of its
 * point and t = 2 vec(q) of its turn's unit quaternion (2 sin(angle/2) along the axis), U = v'K v/2 + t'C t/2. Members
 * without bushings and elastic ball joints stay rigid. If only one of two chassis points has a bushing, the other is a
 * ball joint. The bushing of a strut is its top mount, at the end of its rod. The rod slides along the knuckle's line
 * and turns about it freely; t = n0 x n of the line's direction. A hinge's bushings support the knuckle itself. A
 * bushing of a steered member moves with the rack. A twist beam's kinematic equivalent is rigid.
 *
 * The wheel needs a vertical support:
 *
 *   spring   a linear coil between its hardpoints. Its load at the design position is spring_load; if that is unknown,
 *            it is the load at which the rigid linkage carries wheel_load. The spring alone balances fz, and the height
 *            of the wheel centre is a result: u[0] only says where the search starts and where on the wheel the patch
 *            is. A spring longer than its free length pulls. Its upper end, or its rocker, is mounted on the chassis,
 *            not on a mount.
 *   wheel    a jack fixes the wheel centre (of a rigid axle both) at the travel; no spring acts.
 *   auto     the spring, if its rate and load are known, at the design travel under fz > 0; the wheel in all other
 *            cases. */
#ifndef VD_COMPLIANCE_H
#define VD_COMPLIANCE_H

#include "suspension/corner.h"

/* Force and moment of the road on the tyre, at the contact patch, in the chassis' axes; what is not set is 0. Only fz
 * has a preload that balances it. */
typedef struct vd_patch_load {
  double fx, fy, fz; /* N */
  double mz;         /* N m */
} vd_patch_load;

enum vd_hold { VD_HOLD_AUTO, VD_HOLD_SPRING, VD_HOLD_WHEEL };

typedef struct vd_compliance vd_compliance; /* built for one corner */

/* A corner without bushings is not elastic: the results are then those of the linkage.
 * Hardpoints and joints of l are copied. */
vd_compliance *vd_compliance_create(const vd_corner *corner, const vd_linkage *l, enum vd_hold hold);
void vd_compliance_destroy(vd_compliance *c); /* accepts NULL */

typedef struct vd_compliance_state {
  vd_pose pose;    /* at and turn of the knuckle, u the rise of the wheel centre; its derivatives are not set here */
  double energy;   /* J in bushings, elastic ball joints and spring */
  double support;  /* N, of the jack, if the wheel centre is fixed */
  double residual; /* N and N m, largest imbalance of any body */
  /* Motion of the knuckle's wheel centre (m, m, m) and turn (rad) per unit of force and moment at the patch, the latter
   * as a point of the knuckle: rows dx, dy, dz, rx, ry, rz; columns fx, fy, fz, mx, my, mz (1/N, 1/(N m)). */
  double flexibility[6][6];
} vd_compliance_state;

/* Equilibrium at the travel and rack u under a load. Newton's method starts at the pose in *state, which must be set
 * (from the linkage or from a neighbouring equilibrium); if that fails, it starts at the rigid linkage's pose and
 * applies the load in parts. The forces are dead and act on the point of the knuckle that is the wheel disc's lowest at
 * the rigid linkage's pose for u; mz keeps its axis, so that its work depends on the path for finite turns. False, and
 * *state unchanged, if there is no equilibrium: the linkage does not reach u, nothing supports a body, the spring is
 * needed and its load is not known, or the links turn over under the load. */
bool vd_compliance_solve(vd_compliance *c, const double *u, const vd_patch_load *load, vd_compliance_state *state);

#endif
