/* The wheel as a disc on its road. */
#ifndef VD_WHEEL_DISC_H
#define VD_WHEEL_DISC_H

#include "linkage/linkage.h"

/* The wheel as a disc on a road parallel to the chassis' x-y plane, as a left wheel. */
typedef struct vd_wheel_disc {
  vd_jet3 centre, spin; /* spin: unit, outward */
  /* unit vectors: rolling direction, in the road; across, in the road; at right angles to the heading, in the wheel's
   * plane */
  vd_jet3 heading, outward, upward;
  vd_jet3 patch; /* the disc's lowest point */
  /* rad, rotation of the knuckle about `spin` since the design position, > 0 in the direction in which a wheel turns
   * that rolls ahead */
  vd_jet turn;
} vd_wheel_disc;

/* Computes the wheel's disc. knuckle: pose of the body that carries the wheel, from vd_knuckle_pose. right: the right
 * wheel of a rigid axle, mirrored in y. */
void vd_wheel_disc_at(const vd_linkage *l, const vd_pose *knuckle, bool right, vd_wheel_disc *w);

/* Returns the compression of a rigid axle's springs in heave per rise of its contact points. It is the mean of both
 * springs, which carry the load together but differ, because knuckles and lateral links of both sides are not mirror
 * images. *rise: sum of the rises of both contact points per heave. */
double vd_axle_spring_ratio(const vd_linkage *l, const vd_pose *pose, double *rise);

#endif
