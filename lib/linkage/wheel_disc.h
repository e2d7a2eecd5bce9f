/* The wheel as a disc on its road. */
#ifndef VD_WHEEL_DISC_H
#define VD_WHEEL_DISC_H

#include "linkage/linkage.h"

/* The wheel as a disc over a road parallel to the chassis' x-y plane, as a left wheel. */
typedef struct vd_wheel_disc {
  vd_jet3 centre, spin; /* spin: unit, outward */
  /* unit: where the wheel rolls, in the road; across in the road; in the wheel's plane */
  vd_jet3 heading, outward, upward;
  vd_jet3 patch; /* the disc's lowest point */
  vd_jet turn;   /* rad, of the knuckle about `spin` since the design position, as a wheel turns that rolls ahead */
} vd_wheel_disc;

/* knuckle: of the body that carries it, vd_knuckle_pose. right: of a rigid axle's right wheel, mirrored in y. */
void vd_wheel_disc_at(const vd_linkage *l, const vd_pose *knuckle, bool right, vd_wheel_disc *w);

/* How much the springs of a rigid axle shorten in heave per rise of its contacts: both together, since they have one
 * load, and neither knuckles nor lateral links are mirror images. rise: of both contacts per heave. */
double vd_axle_spring_ratio(const vd_linkage *l, const vd_pose *pose, double *rise);

#endif
