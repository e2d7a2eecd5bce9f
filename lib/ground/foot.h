/* The contact point of a wheel's disc with a surface of any kind and direction. */
#ifndef VD_FOOT_H
#define VD_FOOT_H

#include "base/base.h"

/* A wheel as the road meets it: a thin disc. */
typedef struct vd_disc {
  double centre[3]; /* m, world */
  double axle[3];   /* unit, world: along the spin axis */
  double radius;    /* m, free */
  /* m, world: two places of the body that the wheel belongs to, one above the wheel's centre by its radius and one in
   * the middle of the body. They tell whether a wheel whose centre is behind a thin surface came from there or was
   * pushed through it. NULL: not known */
  const double (*body)[3];
} vd_disc;

/* The point of a surface, in the plane of the disc, that is nearest to its centre. At a point where the surface is
 * smooth the direction from there to the centre is the normal less its part along the axle. An edge is the limit of a
 * rounding: its normal is at right angles to the edge, and the normal's part in the plane of the disc has this
 * direction; across an edge that runs along the axle it is the direction itself. The reach is then a potential whose
 * gradient is the normal, divided by its part in the disc's plane, also for moves along the axle: a tyre spring between
 * centre and foot neither creates nor destroys energy. */
typedef struct vd_foot {
  double at[3];     /* m, world */
  double normal[3]; /* unit, world, towards the side that is driven on */
  double
      /* m, of the centre from the tangent plane at the foot, along the normal; < 0: the centre is behind the surface */
      distance;
  double reach; /* m, of the centre from the foot, with the sign of the distance; distance/sqrt(1 - (n . axle)^2) */
} vd_foot;

/* Turns a foot over: the foot on the other side of the surface. */
static inline void vd_foot_reverse(vd_foot *foot) {
  foot->reach = -foot->reach;
  foot->distance = -foot->distance;
  for (int i = 0; i < 3; i++)
    foot->normal[i] = -foot->normal[i];
}

#endif
