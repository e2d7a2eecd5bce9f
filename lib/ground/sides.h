/* How far an obstacle reaches to the sides. */
#ifndef VD_SIDES_H
#define VD_SIDES_H

#include "ground/road.h"

#include <math.h>

typedef struct vd_sides {
  double y_from, y_to; /* m, world y; NAN: unbounded */
  double edge;         /* m: the obstacle ends over this width, centred on the side */
} vd_sides;

/* Adds the profile z(x) with its slope dz/dx as far as it reaches to the sides; there its height falls by a smooth
 * step. */
static inline void vd_raise_between(const vd_sides *sides, double z, double slope, double y, vd_road *road) {
  double left = 1.0, right = 1.0, left_slope = 0.0, right_slope = 0.0;
  if (!isnan(sides->y_from))
    right = vd_smooth_step((y - sides->y_from) / sides->edge + 0.5, &right_slope);
  if (!isnan(sides->y_to))
    left = vd_smooth_step((sides->y_to - y) / sides->edge + 0.5, &left_slope);
  double share = right * left;
  vd_raise(road, z * share, slope * share, 0.0);
  if (right_slope != 0.0 || left_slope != 0.0)
    road->slope_y += z * (right_slope * left - right * left_slope) / sides->edge;
}

#endif
