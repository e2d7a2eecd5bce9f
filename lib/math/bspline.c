#include "math/bspline.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "math/lu.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

vd_axis vd_axis_make(double from, double to, double about) {
  int cells =
      (int)vd_max(ceil((to - from) / about - 1e-9), 3.0); /* at least three cells, since one cubic needs four nodes */
  double step = (to - from) / cells;
  return (vd_axis){from, step, 1.0 / step, cells};
}

double vd_axis_node(const vd_axis *a, int i) {
  return i == a->cells ? a->from + a->cells * a->step : a->from + i * a->step;
}

vd_bspline_fitter vd_bspline_fitter_make(int cells) {
  size_t n = (size_t)(cells + VD_BSPLINE_ENDS);
  vd_bspline_fitter f = {n, vd_allocate(n * n, sizeof *f.factors), vd_allocate(n, sizeof *f.order)};
  static const double jump[] = {1.0, -4.0, 6.0, -4.0, 1.0};
  assert(n >= 5);
  for (size_t i = 0; i + 2 < n; i++)
    for (size_t k = 0; k < 3; k++)
      f.factors[(i + 1) * n + i + k] = k == 1 ? 4.0 / 6.0 : 1.0 / 6.0;
  for (size_t k = 0; k < 5; k++) {
    f.factors[k] = jump[k];
    f.factors[n * n - 5 + k] = jump[k];
  }
  vd_lu_factorise(f.factors, n, f.order);
  return f;
}

void vd_bspline_fitter_free(vd_bspline_fitter *f) {
  free(f->factors);
  free(f->order);
}

void vd_bspline_fit(const vd_bspline_fitter *f, size_t width, const double *value, size_t value_pitch,
                    double *coefficient, size_t pitch) {
  size_t n = f->count;
  memset(coefficient, 0, width * sizeof *coefficient);
  for (size_t i = 0; i + 2 < n; i++)
    memcpy(coefficient + (i + 1) * pitch, value + i * value_pitch, width * sizeof *coefficient);
  memset(coefficient + (n - 1) * pitch, 0, width * sizeof *coefficient);
  vd_lu_solve_all(f->factors, f->order, n, width, pitch, coefficient);
}

/* Fits the splines over `along` at all nodes of `across` at once, then splines over `across` through all coefficients
 * of the first fit at once. A solution for few columns would spend most of its time on the search for factors that are
 * not zero. */
void vd_bspline_fit_product(const vd_axis *along, const vd_axis *across, size_t width, const double *value,
                            size_t pitch, double *coefficient) {
  const size_t nodes = (size_t)across->cells + 1, rows = (size_t)along->cells + VD_BSPLINE_ENDS, columns = nodes + 2;
  const size_t bytes = width * sizeof *value;
  double *half = vd_allocate(rows * nodes * width, sizeof *half);
  vd_bspline_fitter f = vd_bspline_fitter_make(along->cells);
  for (size_t i = 0; i + 2 < rows; i++)
    for (size_t j = 0; j < nodes; j++)
      memcpy(half + ((i + 1) * nodes + j) * width, value + (i * nodes + j) * pitch, bytes);
  vd_lu_solve_all(f.factors, f.order, rows, nodes * width, nodes * width, half);
  vd_bspline_fitter_free(&f);
  if (!across->cells) {
    memcpy(coefficient, half, rows * bytes);
    free(half);
    return;
  }
  double *turned = vd_allocate(columns * rows * width, sizeof *turned); /* [columns][rows] */
  f = vd_bspline_fitter_make(across->cells);
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < nodes; j++)
      memcpy(turned + ((j + 1) * rows + i) * width, half + (i * nodes + j) * width, bytes);
  vd_lu_solve_all(f.factors, f.order, columns, rows * width, rows * width, turned);
  vd_bspline_fitter_free(&f);
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++)
      memcpy(coefficient + (i * columns + j) * width, turned + (j * rows + i) * width, bytes);
  free(turned);
  free(half);
}
