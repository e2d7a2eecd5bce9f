/* Heights on an even grid. */
#ifndef VD_HEIGHTMAP_H
#define VD_HEIGHTMAP_H

#include "ground/grid.h"

typedef struct vd_heightmap {
  vd_grid grid;
  const vd_curvature_bounds *curvature; /* [ny - 1][nx - 1] */
  double x, y;                          /* m: the corner of the grid with the lowest x and y */
  double per_x, per_y;                  /* 1/m: grid points per metre along x and y */
} vd_heightmap;

#endif
