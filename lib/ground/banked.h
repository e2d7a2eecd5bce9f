/* A turn whose outside is raised. */
#ifndef VD_BANKED_H
#define VD_BANKED_H

#include "ground/road.h"

typedef struct vd_banked {
  double bank;         /* rad, outside up */
  double x, y;         /* m, world: middle of the turn */
  double radius;       /* m: radius of the circle at height 0 */
  double inner, outer; /* m: radii at which the bank ends; NAN: unbounded */
  double edge;         /* m: width over which the bank ends, centred on these radii */
} vd_banked;

#endif
