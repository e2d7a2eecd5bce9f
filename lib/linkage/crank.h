/* A point that turns about an axis, such as the ball joint of an arm, an end of a rocker, the joint of a pitman arm, or
 * a joint on a knuckle that turns about its kingpin. */
#ifndef VD_CRANK_H
#define VD_CRANK_H

#include "math/jet.h"

/* The design position: `foot` is the foot of the perpendicular from the point to the axis, `arm` leads from the foot to
 * the point. */
typedef struct vd_crank {
  double axis[3], foot[3]; /* axis: unit */
  double arm[3], aside[3]; /* aside: axis x arm */
  double radius2;          /* arm . arm */
} vd_crank;

typedef struct vd_crank_turn {
  vd_jet cosine, sine;
} vd_crank_turn;

/* Makes a crank. axis: of any length, a direction through `origin`. */
vd_crank vd_crank_make(const double *origin, const double *axis, const double *point);

vd_crank_turn vd_crank_turned(vd_jet angle);

/* Returns the turn that takes the point to a place on its circle; the second function returns the angle of this
 * turn. */
vd_crank_turn vd_crank_turn_to(const vd_crank *c, vd_jet3 place);
vd_jet vd_crank_angle(const vd_crank *c, vd_jet3 place);

/* Returns the angle at which the point keeps its distance from the other end of a rod. The axis may move with a body:
 * `arm` and `aside` are the crank's vectors in their present directions. `apart` leads from the rod's other end to the
 * foot; in the design position this end is at `design`. The result is NAN where the rod does not reach or is at its
 * dead centre. */
vd_crank_turn vd_crank_close(const vd_crank *c, const double *design, vd_jet3 apart, vd_jet3 arm, vd_jet3 aside);

/* Returns the place of the point after a turn; the second function returns the derivative of this place by the
 * angle. */
vd_jet3 vd_crank_point(const vd_crank *c, const vd_crank_turn *turn);
vd_jet3 vd_crank_rate(const vd_crank *c, const vd_crank_turn *turn);

/* Computes the rotation matrix of a turn about a unit axis (Rodrigues). */
void vd_crank_rotation(const double *axis, double cosine, double sine, double out[3][3]);

#endif
