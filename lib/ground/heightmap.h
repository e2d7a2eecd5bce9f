/* Heights on an even grid. */
#ifndef VD_HEIGHTMAP_H
#define VD_HEIGHTMAP_H

#include "ground/span.h"

#include <stddef.h>

enum vd_map_interpolation { VD_MAP_BILINEAR, VD_MAP_BICUBIC };

/* The grid has one more row and column of heights on every side. */
typedef struct vd_heightmap {
  const double *z;       /* m, [ny + 2][nx + 2] */
  const vd_bends *bends; /* [ny - 1][nx - 1] */
  size_t nx, ny;
  double x, y;           /* m: the corner of the grid with the lowest x and y */
  double per_x, per_y;   /* 1/m: grid points along x, y */
  double last_x, last_y; /* nx - 1, ny - 1 */
  int interpolation;     /* enum vd_map_interpolation */
} vd_heightmap;

#endif
