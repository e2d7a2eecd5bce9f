/* Where the disc of a wheel stands on a surface of any kind and direction. */
#ifndef VD_FOOT_H
#define VD_FOOT_H

#include "base.h"

/* A wheel as the road meets it: a thin disc. */
typedef struct vd_disc {
  double centre[3]; /* m, world */
  double axle[3];   /* unit, world: along the spin axis */
  double radius;    /* m, free */
} vd_disc;

/* The point of a surface, in the plane of the disc, that is nearest to its centre. At a point where the surface is smooth the
 * direction from there to the centre is the normal less its part along the axle; on an edge the normal is that direction.
 * The height of the centre over the point is then a potential whose gradient is the normal: a tyre spring between them neither
 * creates nor destroys energy. */
typedef struct vd_foot {
  double at[3];     /* m, world */
  double normal[3]; /* unit, world, towards the side that is driven on */
  double
      distance; /* m, of the centre from the tangent plane at the foot, along the normal; < 0: the centre is behind the surface */
  double
      reach; /* m, of the centre from the foot, with the sign of the distance; on smooth places distance/sqrt(1 - (n . axle)^2) */
} vd_foot;

#endif
