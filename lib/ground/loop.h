/* A vertical loop. */
#ifndef VD_LOOP_H
#define VD_LOOP_H

#include "ground/strip.h"

typedef struct vd_loop_strip {
  vd_strip strip;
  double middle[2]; /* m: q0, q1 of the circle's centre */
  double radius;    /* m */
  double length;    /* m: length of the curve */
} vd_loop_strip;

/* Geometry of a loop, for metrics. The strip is a cylinder, whose cross-section lies in a vertical plane. This plane is
 * turned about the vertical, so that a car that enters along world x stays in the middle of the strip and leaves along
 * world x. The car is steered straight on, along a geodesic of the cylinder. The curve of the cross-section has the
 * length L = 2 pi R + entry, and its end lies D ahead of its beginning (0 for a circle). The angle of the plane is then
 * -psi, sin(psi) = offset/(L - D), and the exit begins D cos(psi) + L sin(psi) tan(psi) ahead of the entry, and
 * `offset` to the side. */
typedef struct vd_loop {
  /* m, world: point of the axis of the circle that is nearest to the apex of the strip's middle */
  double centre[3];
  double axis[3];           /* unit, horizontal */
  double radius;            /* m */
  double apex[3];           /* m, world: apex of the strip's middle */
  double enter[3], exit[3]; /* m, world: ends of the strip's middle */
  double skew;              /* rad: psi */
  double length;            /* m: length of the strip's middle */
} vd_loop;

#endif
