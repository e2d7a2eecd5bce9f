/* Planes: level ground, and one of grade and bank. They have no parameters but those of every ground. */
#ifndef VD_PLANE_H
#define VD_PLANE_H

#include "ground/road.h"

extern const vd_ground_variant vd_flat_variant, vd_inclined_variant;

#endif
