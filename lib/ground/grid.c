#include "ground/grid.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

const char *const vd_map_interpolation_names[] = {"bilinear", "bicubic", NULL};

vd_grid vd_grid_make(double *z, size_t nx, size_t ny, int interpolation) {
  size_t wide = nx + 2;
  for (size_t j = 1; j <= ny; j++) {
    z[j * wide] = z[j * wide + 2];
    z[j * wide + nx + 1] = z[j * wide + nx - 1];
  }
  memcpy(z, z + 2 * wide, wide * sizeof *z);
  memcpy(z + (ny + 1) * wide, z + (ny - 1) * wide, wide * sizeof *z);
  return (vd_grid){
      .z = z,
      .nx = nx,
      .ny = ny,
      .last_x = (double)(nx - 1),
      .last_y = (double)(ny - 1),
      .interpolation = interpolation,
  };
}

/* Bounds of the second derivatives within a cell, in units of the grid. A bound depends on four places in a row, of
 * which `row' is the first, or on four such rows, which begin at `corner'. Let D be the second difference of three
 * neighbours. Between the places 1 and 2 of a row Keys' cubic (vd_grid_weights) has the second derivatives q = D[012] -
 * (z3 - 3 z2 + 3 z1 - z0) at its left end and D[123] + (z3 - 3 z2 + 3 z1 - z0) at its right, and is linear in between.
 * Across, the weights of the two middle rows are 0 or above and sum to at most 9/8; those of the outer rows are 0 to
 * -2/27. */
static double max_curvature(const double *row, size_t stride, double sign) {
  double a = row[0], b = row[stride], c = row[2 * stride], d = row[3 * stride];
  double third = d - 3.0 * c + 3.0 * b - a, low = a - 2.0 * b + c - third, high = b - 2.0 * c + d + third;
  return vd_fast_max(sign * low, sign * high);
}

static double curvature_bound(const double *corner, size_t along, size_t across) {
  double most[4], outer = 2.0 / 27.0, middle = 9.0 / 8.0;
  for (size_t k = 0; k < 4; k++)
    most[k] = vd_fast_max(0.0, max_curvature(corner + k * across, along, k == 1 || k == 2 ? 1.0 : -1.0));
  return middle * vd_fast_max(most[1], most[2]) + outer * (most[0] + most[3]);
}

/* Returns a bound of the slope of Keys' cubic, which is quadratic, from its Bernstein coefficients. */
static double slope_bound(const double z[4]) {
  double low = 0.5 * (z[2] - z[0]), high = 0.5 * (z[3] - z[1]);
  double middle = low + 0.5 * (2.0 * z[0] - 5.0 * z[1] + 4.0 * z[2] - z[3]);
  return vd_fast_max(vd_fast_max(fabs(low), fabs(high)), fabs(middle));
}

/* Returns a bound of |d2z/dxdy| from the differences between neighbouring rows, which have weights of at most 1/2, 5/4,
 * 1/2. */
static double twist_bound(const double *corner, size_t wide) {
  static const double weight[] = {0.5, 1.25, 0.5};
  double sum = 0.0;
  for (size_t k = 0; k < 3; k++) {
    const double *row = corner + k * wide, *next = row + wide;
    const double step[] = {next[0] - row[0], next[1] - row[1], next[2] - row[2], next[3] - row[3]};
    sum += weight[k] * slope_bound(step);
  }
  return sum;
}

vd_curvature_bounds vd_grid_curvature(const vd_grid *grid, size_t i, size_t j) {
  size_t wide = grid->nx + 2;
  const double *corner = grid->z + j * wide + i;
  if (grid->interpolation == VD_MAP_BICUBIC)
    return (vd_curvature_bounds){curvature_bound(corner, 1, wide), curvature_bound(corner, wide, 1),
                                 twist_bound(corner, wide)};
  return (vd_curvature_bounds){
      .xy = fabs(corner[wide + 1] - corner[wide + 2] - corner[2 * wide + 1] + corner[2 * wide + 2])};
}

/* Returns a bound of the slope along one coordinate. The slope is a mean of the slopes in the rows across, whose
 * weights have a sum of absolute values of at most 5/4; for bilinear interpolation it is a mean of two slopes. */
static double max_slope(const vd_grid *grid, const double *corner, size_t along, size_t across) {
  double most = 0.0;
  bool cubic = grid->interpolation == VD_MAP_BICUBIC;
  for (size_t k = cubic ? 0 : 1; k < (cubic ? 4u : 3u); k++) {
    const double *row = corner + k * across;
    const double z[] = {row[0], row[along], row[2 * along], row[3 * along]};
    most = vd_fast_max(most, cubic ? slope_bound(z) : fabs(z[2] - z[1]));
  }
  return cubic ? 1.25 * most : most;
}

void vd_grid_slopes(const vd_grid *grid, size_t i, size_t j, double *x, double *y) {
  size_t wide = grid->nx + 2;
  const double *corner = grid->z + j * wide + i;
  *x = max_slope(grid, corner, 1, wide);
  *y = max_slope(grid, corner, wide, 1);
}

bool vd_grid_cells(vd_range s, double last_place, size_t *first, size_t *last) {
  vd_range clamped = vd_range_clamped(s, 0.0, last_place);
  *first = (size_t)vd_fast_min(clamped.low, last_place - 1.0);
  *last = (size_t)vd_fast_min(clamped.high, last_place - 1.0);
  return *last > *first || vd_range_overlaps(s, 0.0, 0.0) || vd_range_overlaps(s, last_place, last_place);
}
