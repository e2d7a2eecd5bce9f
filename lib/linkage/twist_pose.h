/* Both wheels of a twist beam at two travels.
 *
 * Each arm with its half of the cross beam is one body on a ball joint, the pivot P. The halves meet in the shear
 * centre M in the middle of the car, where they turn against each other about the beam alone: in bending it is rigid.
 * So each pose is made of two turns, an angle a of both arms about the line through the pivots, and an angle b of this
 * arm, -b of the other one, about its line from P to M:
 *
 *   R = Y(a) D(b),   wheel centre = P + R (W - P)
 *
 * M is the same point of both halves in every pose. The two turns b add to one about the beam, 2 b d_y, which twists
 * it, as d is mirrored on the other side. a alone is VD_PARALLEL, b alone VD_OPPOSITE. */
#ifndef VD_TWIST_POSE_H
#define VD_TWIST_POSE_H

#include "linkage/linkage.h"

/* The pose at travels u[0] of this wheel and u[1] of the other one, by Newton's method from the design position.
 * False: a dead point lies between, or nothing closes; *pose is then unchanged. */
bool vd_twist_close(const vd_linkage *l, const double *u, vd_pose *pose);

/* rad per m of difference of the travels, at design: how far parallel and opposite wheels twist the beam; see above. */
double vd_twist_per_travel(const vd_linkage *l);

#endif
