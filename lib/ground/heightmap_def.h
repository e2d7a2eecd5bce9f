/* The keys of a height map. */
#ifndef VD_HEIGHTMAP_DEF_H
#define VD_HEIGHTMAP_DEF_H

#include "base/list.h"
#include "ground/heightmap.h"
#include "input/measured.h"

typedef struct vd_map_columns {
  vd_column_def of[3]; /* x, y, z */
} vd_map_columns;

typedef struct vd_heightmap_def {
  vd_measured_def table; /* file, which vd_ground_complete reads into the next three members */
  vd_map_columns columns;
  vd_numbers x_values, y_values, heights; /* m; heights row by row, along x */
  int interpolation;                      /* enum vd_map_interpolation */
  vd_heightmap map;                       /* not a key: made by vd_ground_complete */
} vd_heightmap_def;

#endif
