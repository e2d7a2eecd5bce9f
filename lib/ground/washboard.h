/* A sine along the road. */
#ifndef VD_WASHBOARD_H
#define VD_WASHBOARD_H

#include "ground/road.h"

typedef struct vd_washboard {
  double x_from, x_to; /* m, world */
  double amplitude;    /* m */
  double wavelength;   /* m */
  double edge;         /* m, length at both ends over which the sine grows and falls */
  vd_sides sides;
} vd_washboard;

#endif
