/* Compliance: static equilibrium of knuckle and links on their bushings, springs and joints under forces at the contact
 * patch.
 *
 * Arms and rods with a bushing are bodies of their own, held by bushings at the chassis and by ball joints, rigid or
 * elastic, at the knuckle. A bushing's forces derive from a potential: with v the displacement of its point and t = 2
 * vec(q) of its turn's unit quaternion (2 sin(angle/2) along the axis), U = v'K v/2 + t'C t/2. Members without either
 * stay rigid. One chassis point without a bushing beside one with it is a ball joint. Of a strut the bushing is its top
 * mount: the end of its rod, which slides along the knuckle's line and turns about it freely, t = n0 x n of the line's
 * direction. A hinge's bushings hold the knuckle itself. A bushing of a steered member goes with the rack. A twist
 * beam's kinematic equivalent is rigid.
 *
 * Something has to keep the wheel up:
 *
 *   spring   a linear coil between its hardpoints, loaded with spring_load, or else so that the rigid linkage
 *            carries wheel_load at
 *            the design position; it alone answers fz, and how high the wheel comes to rest is an outcome: u[0] only
 *            says where the
 *            search starts and where on the wheel the patch is. It pulls when it is longer than unloaded. Its upper
 *            end, or its rocker, stands on the chassis, not on a mount.
 *   wheel    the wheel centre (of a rigid axle both) is held at the travel, as by a jack under it; no spring acts.
 *   auto     the spring, if its rate and load are known, at the design travel under fz > 0; the wheel everywhere
 * else. */
#ifndef VD_COMPLIANCE_H
#define VD_COMPLIANCE_H

#include "suspension/corner.h"

/* Of the road on the tyre, at the contact patch, in the chassis' axes; what is not said is 0. Beside fz nothing is
 * preloaded. */
typedef struct vd_patch_load {
  double fx, fy, fz; /* N */
  double mz;         /* N m */
} vd_patch_load;

enum vd_hold { VD_HOLD_AUTO, VD_HOLD_SPRING, VD_HOLD_WHEEL };

typedef struct vd_compliance vd_compliance; /* built for one corner */

/* NULL when out of memory. Nothing is elastic where the corner has no bushing: then the answers are those of the
 * linkage. Of l both hardpoints and joints are copied. */
vd_compliance *vd_compliance_create(const vd_corner *corner, const vd_linkage *l, enum vd_hold hold);
void vd_compliance_destroy(vd_compliance *c); /* accepts NULL */

typedef struct vd_compliance_state {
  vd_pose pose;    /* at and turn of the knuckle, u the rise of the wheel centre; its derivatives are not set here */
  double energy;   /* J in bushings, elastic ball joints and spring */
  double support;  /* N, of the jack, when the wheel is held */
  double residual; /* N and N m, largest of what is not in balance on any body */
  /* Motion of the knuckle's wheel centre (m, m, m) and turn (rad) per unit of force and moment at the patch, the latter
   * as a point of the knuckle: rows dx, dy, dz, rx, ry, rz; columns fx, fy, fz, mx, my, mz (1/N, 1/(N m)). */
  double flexibility[6][6];
} vd_compliance_state;

/* Equilibrium at the travel and rack u under a load, by Newton from the pose in *state (its pose must be set, from the
 * linkage or from a neighbouring answer), or else from the rigid linkage's with the load put on in parts. The forces
 * are dead and act on the point of the knuckle that is the wheel disc's lowest at the rigid linkage's pose for u; mz
 * keeps its axis, so that its work depends on the way for finite turns. False: none found: the linkage does not reach
 * u, a body is held by nothing, the spring is asked for and its load is not known, or the load is more than the links
 * bear before they turn over; *state is then as it was. */
bool vd_compliance_solve(vd_compliance *c, const double *u, const vd_patch_load *load, vd_compliance_state *state);

#endif
