/* A kerb, or a drop. */
#ifndef VD_STEP_H
#define VD_STEP_H

#include "ground/road.h"

typedef struct vd_step {
  double at;     /* m, world x at which it begins */
  double height; /* m; < 0: a drop */
  double edge;   /* m, along x, over which it rises */
  vd_sides sides;
} vd_step;

#endif
