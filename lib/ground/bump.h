/* A bump or a dip across the road: one period of a cosine. */
#ifndef VD_BUMP_H
#define VD_BUMP_H

#include "ground/road.h"

typedef struct vd_bump {
  double at;     /* m, world x at which it begins */
  double length; /* m */
  double height; /* m; < 0: a dip */
  vd_sides sides;
} vd_bump;

#endif
