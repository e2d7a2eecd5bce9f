#include "math/bspline.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "math/lu.h"

#include <assert.h>
#include <stdlib.h>

vd_axis vd_axis_make(double from, double to, double about) {
  int cells =
      (int)vd_max(ceil((to - from) / about - 1e-9), 3.0); /* one cubic through four nodes; fewer do not fix one */
  double step = (to - from) / cells;
  return (vd_axis){from, step, 1.0 / step, cells};
}

double vd_axis_node(const vd_axis *a, int i) {
  return i == a->cells ? a->from + a->cells * a->step : a->from + i * a->step;
}

vd_bspline_fitter vd_bspline_fitter_make(int cells) {
  size_t n = (size_t)(cells + VD_BSPLINE_ENDS);
  vd_bspline_fitter f = {n, vd_allocate(n * n, sizeof *f.factors), vd_allocate(n, sizeof *f.x),
                         vd_allocate(n, sizeof *f.order)};
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
  free(f->x);
  free(f->order);
}

void vd_bspline_fit(const vd_bspline_fitter *f, const double *value, size_t value_stride, double *coefficient,
                    size_t stride) {
  size_t n = f->count;
  f->x[0] = f->x[n - 1] = 0.0;
  for (size_t i = 0; i + 2 < n; i++)
    f->x[i + 1] = value[i * value_stride];
  vd_lu_solve(f->factors, f->order, n, f->x);
  for (size_t i = 0; i < n; i++)
    coefficient[i * stride] = f->x[i];
}

/* Along for each node across, then across for each coefficient. */
void vd_bspline_fit_product(const vd_axis *along, const vd_axis *across, size_t width, const double *value,
                            size_t pitch, double *coefficient) {
  size_t nodes = (size_t)across->cells + 1, rows = (size_t)along->cells + VD_BSPLINE_ENDS, columns = nodes + 2;
  double *half = across->cells ? vd_allocate(rows * nodes * width, sizeof *half) : coefficient;
  vd_bspline_fitter f = vd_bspline_fitter_make(along->cells);
  for (size_t j = 0; j < nodes; j++)
    for (size_t k = 0; k < width; k++)
      vd_bspline_fit(&f, value + j * pitch + k, nodes * pitch, half + j * width + k, nodes * width);
  vd_bspline_fitter_free(&f);
  if (half == coefficient)
    return;
  f = vd_bspline_fitter_make(across->cells);
  for (size_t i = 0; i < rows; i++)
    for (size_t k = 0; k < width; k++)
      vd_bspline_fit(&f, half + i * nodes * width + k, width, coefficient + i * columns * width + k, width);
  vd_bspline_fitter_free(&f);
  free(half);
}
