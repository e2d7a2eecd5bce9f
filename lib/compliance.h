/* Compliance: static equilibrium of knuckle and links on their bushings, springs and joints under forces at the contact patch.
 *
 * Arms and rods with a bushing are bodies of their own, held by bushings at the chassis and by ball joints, rigid or elastic, at the
 * knuckle. A bushing's forces derive from a potential: with v the displacement of its point and t = 2 vec(q) of its turn's unit
 * quaternion, U = v'K v/2 + t'C t/2; t is the rotation vector to the third order.
 * The spring keeps the wheel up: with spring_rate given it is loaded so that wheel_load is carried at the rigid linkage's design
 * position; without it the wheel centre is held at the travel (a jack under the wheel centre). */
#ifndef VD_COMPLIANCE_H
#define VD_COMPLIANCE_H

#include "corner.h"

/* Of the road on the tyre, at the contact patch, in the chassis' axes; what is not said is 0. Beside fz nothing is preloaded. */
typedef struct vd_patch_load {
  double fx, fy, fz; /* N */
  double mz;         /* N m */
} vd_patch_load;

enum vd_hold { VD_HOLD_AUTO, VD_HOLD_SPRING, VD_HOLD_WHEEL };

typedef struct vd_compliance vd_compliance; /* built for one corner */

/* NULL when out of memory. Nothing is elastic where the corner has no bushing: then the answers are those of the linkage. */
vd_compliance *vd_compliance_create(const vd_corner *corner, const vd_linkage *l, enum vd_hold hold);
void vd_compliance_destroy(vd_compliance *c); /* accepts NULL */

typedef struct vd_compliance_state {
  vd_pose pose;    /* at and turn of the knuckle; its derivatives are those of the rigid linkage and not set here */
  double energy;   /* J in bushings, elastic ball joints and spring */
  double support;  /* N, of the jack, when the wheel is held */
  double residual; /* N and N m, largest of what is not in balance */
  /* Motion of the knuckle's wheel centre (m, m, m) and turn (rad) per unit of force and moment at the patch, the latter as a
   * point of the knuckle: rows dx, dy, dz, rx, ry, rz; columns fx, fy, fz, mx, my, mz (1/N, 1/(N m)). */
  double flexibility[6][6];
} vd_compliance_state;

/* Equilibrium at the travel and rack u under a load, by Newton from the pose in *state (its pose must be set, from the linkage or
 * from a neighbouring answer). False: none found. */
bool vd_compliance_solve(vd_compliance *c, const double *u, const vd_patch_load *load, vd_compliance_state *state);

#endif
