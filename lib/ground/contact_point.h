/* The contact point of a wheel, a thin disc, with a surface of any kind and direction. */
#ifndef VD_CONTACT_POINT_H
#define VD_CONTACT_POINT_H

#include "base/base.h"

/* A wheel in contact calculations: a thin disc. */
typedef struct vd_disc {
  double centre[3]; /* m, world */
  double axle[3];   /* unit, world: along the spin axis */
  double radius;    /* m, free */
  /* m, world: two places of the body to which the wheel belongs: a wheel radius above the wheel's centre, and the
   * middle of the body. If the wheel's centre is behind a thin surface, these places show whether the whole car is
   * behind it or only the wheel was pushed through it. NULL: not known */
  const double (*body)[3];
} vd_disc;

/* The point of a surface, in the plane of the disc, that is nearest to its centre. Where the surface is smooth, the
 * component of its normal in the plane of the disc points from the contact point to the centre. An edge is treated as
 * the limit of a rounding: its normal is at right angles to the edge, and the component of this normal in the plane of
 * the disc points to the centre, too. If the edge runs along the axle, the normal itself points to the centre. The
 * reach (below) is then a potential: its gradient is the normal divided by the length of the component in the plane of
 * the disc, also for displacements along the axle. A tyre spring between centre and contact point therefore neither
 * creates nor destroys energy. */
typedef struct vd_contact_point {
  double at[3];     /* m, world */
  double normal[3]; /* unit, world, towards the side that is driven on */
  /* m, from the tangent plane at the contact point to the centre, along the normal; < 0: the centre is behind the
   * surface */
  double distance;
  /* m, from the contact point to the centre, with the sign of the distance: distance/sqrt(1 - (normal . axle)^2) */
  double reach;
} vd_contact_point;

/* Converts a contact point to the one on the other side of the surface. */
static inline void vd_contact_point_reverse(vd_contact_point *contact) {
  contact->reach = -contact->reach;
  contact->distance = -contact->distance;
  for (int i = 0; i < 3; i++)
    contact->normal[i] = -contact->normal[i];
}

#endif
