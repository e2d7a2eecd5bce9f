/* Heights on an even grid, for height maps and measured roads: interpolation, and bounds of slopes and second
 * derivatives. Coordinates are in units of the grid: places are counted from 0 along x and y, and slopes are per
 * place. */
#ifndef VD_GRID_H
#define VD_GRID_H

#include "ground/road.h"
#include "ground/span.h"

#include <stddef.h>

enum vd_map_interpolation { VD_MAP_BILINEAR, VD_MAP_BICUBIC };

/* Names of enum vd_map_interpolation, for rows of keys. */
extern const char *const vd_map_interpolation_names[];

typedef struct vd_grid {
  const double *z; /* m, [ny + 2][nx + 2]: one more row and column of heights on every side */
  size_t nx, ny;
  double last_x, last_y; /* nx - 1, ny - 1 */
  int interpolation;     /* enum vd_map_interpolation */
} vd_grid;

/* Makes a grid of nx by ny heights, which stand in z[ny + 2][nx + 2] within a border of one place. The border gets the
 * heights of the mirror images of its places, so that the bicubic surface is level where it meets the border. */
vd_grid vd_grid_make(double *z, size_t nx, size_t ny, int interpolation);

/* Returns bounds of the second derivatives within the cell between the places i, i + 1 and j, j + 1. Bilinear heights
 * have kinks at the borders of cells; these are not included. */
vd_curvature_bounds vd_grid_curvature(const vd_grid *grid, size_t i, size_t j);
/* Computes bounds of the slopes |dz/dx| and |dz/dy| within a cell. */
void vd_grid_slopes(const vd_grid *grid, size_t i, size_t j, double *x, double *y);

/* Finds the cells *first to *last that a range of places touches. True if the range crosses a border between two cells
 * or of the grid. */
bool vd_grid_cells(vd_range s, double last_place, size_t *first, size_t *last);

/* Computes the weights of the four places around u of a cell, 0 to 1, and their derivatives: straight lines, or the
 * cubic convolution of Keys (1981), whose slope at a place is the slope of the straight line through its two
 * neighbours. */
static inline void vd_grid_weights(int interpolation, double u, double w[4], double d[4]) {
  if (interpolation == VD_MAP_BILINEAR) {
    w[0] = w[3] = d[0] = d[3] = 0.0;
    w[1] = 1.0 - u;
    w[2] = u;
    d[1] = -1.0;
    d[2] = 1.0;
    return;
  }
  w[0] = u * (-0.5 + u * (1.0 - 0.5 * u));
  w[1] = 1.0 + u * u * (1.5 * u - 2.5);
  w[2] = u * (0.5 + u * (2.0 - 1.5 * u));
  w[3] = u * u * (0.5 * u - 0.5);
  d[0] = -0.5 + u * (2.0 - 1.5 * u);
  d[1] = u * (4.5 * u - 5.0);
  d[2] = 0.5 + u * (4.0 - 4.5 * u);
  d[3] = u * (1.5 * u - 1.0);
}

/* Returns the cell that contains s, in places, and the part of the cell that lies before s. Outside the grid s is
 * clamped to the border, and *slope is 0; inside, *slope is 1. */
static inline size_t vd_grid_cell(double s, double last, double *part, double *slope) {
  bool inside = s >= 0.0 && s <= last;
  double clamped = inside ? s : s < 0.0 ? 0.0 : last;
  size_t i = (size_t)vd_min(clamped, last - 1.0);
  *part = clamped - (double)i;
  *slope = inside ? 1.0 : 0.0;
  return i;
}

/* Computes the height and slopes at a place. Outside the grid the height of the border continues level. */
static inline void vd_grid_at(const vd_grid *g, double x, double y, vd_road *road) {
  double u, v, inside_x, inside_y, wx[4], wy[4], dx[4], dy[4];
  size_t i = vd_grid_cell(x, g->last_x, &u, &inside_x);
  size_t j = vd_grid_cell(y, g->last_y, &v, &inside_y);
  vd_grid_weights(g->interpolation, u, wx, dx);
  vd_grid_weights(g->interpolation, v, wy, dy);
  double sum = 0.0, along = 0.0, across = 0.0;
  for (size_t k = 0; k < 4; k++) {
    const double *row = g->z + (j + k) * (g->nx + 2) + i;
    double z = wx[0] * row[0] + wx[1] * row[1] + wx[2] * row[2] + wx[3] * row[3];
    sum += wy[k] * z;
    along += wy[k] * (dx[0] * row[0] + dx[1] * row[1] + dx[2] * row[2] + dx[3] * row[3]);
    across += dy[k] * z;
  }
  *road = (vd_road){sum, along * inside_x, across * inside_y};
}

#endif
