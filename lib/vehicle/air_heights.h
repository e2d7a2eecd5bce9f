/* Aerodynamic coefficients as functions of the ride heights at both axles, and thus of the rake: cubic splines in both
 * directions (math/cubic.h) through the points of a grid, constant beyond it. */
#ifndef VD_AIR_HEIGHTS_H
#define VD_AIR_HEIGHTS_H

#include "base/base.h"
#include "base/list.h"

#include <stdbool.h>

/* Coefficients that may depend on the direction of the air, and on the ride heights. */
enum vd_air_map { VD_AIR_DRAG, VD_AIR_SIDE, VD_AIR_YAW, VD_AIR_ROLL, VD_AIR_FRONT, VD_AIR_REAR, VD_AIR_MAPS };

enum { VD_AIR_HEIGHTS = 12 };

/* The map as the file gives it. Its values are added to the coefficients of drag and downforce. The coefficients of
 * side force, yaw and roll moment change their sign with the side from which the air comes; the values of the map
 * multiply them. */
typedef struct vd_air_heights_def {
  vd_numbers at[VD_AXLES]; /* m: rise of the body above the road from the design position, at each axle */
  /* -; the values of the first front height come first, then the values of the second, and so on; none: the coefficient
   * does not depend on the heights */
  vd_numbers value[VD_AIR_MAPS];
} vd_air_heights_def;

typedef struct vd_air_heights {
  size_t count[VD_AXLES]; /* 0: coefficients do not depend on the heights */
  double at[VD_AXLES][VD_AIR_HEIGHTS];
  bool given[VD_AIR_MAPS];
  /* [front][rear]: the value, its slopes by the front and the rear height, and its mixed derivative */
  double node[VD_AIR_MAPS][VD_AIR_HEIGHTS][VD_AIR_HEIGHTS][4];
} vd_air_heights;

static inline bool vd_air_map_is_factor(enum vd_air_map i) {
  return i == VD_AIR_SIDE || i == VD_AIR_YAW || i == VD_AIR_ROLL;
}

void vd_air_heights_build(const vd_air_heights_def *def, vd_air_heights *h);

/* Computes the values to be added, or the factors, of all coefficients at the rises of both axles, m. */
void vd_air_heights_at(const vd_air_heights *h, const double *rise, double *change);

#endif
