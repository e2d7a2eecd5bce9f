/* Potholes: rectangles with smooth walls and a level bottom. */
#ifndef VD_POTHOLES_H
#define VD_POTHOLES_H

#include "base/list.h"
#include "ground/road.h"

typedef struct vd_potholes {
  vd_points places;     /* m, world: middles; no two holes overlap */
  double length, width; /* m: along x and along y */
  double depth;         /* m */
  double edge;          /* m, width over which a wall falls, inside the rectangle */
} vd_potholes;

#endif
