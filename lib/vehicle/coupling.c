#include "vehicle/coupling.h"

#include <math.h>

/* A pivot below this share of its row's own size means that the row depends on earlier ones. */
static const double redundant = 1e-12;

static double weighted(int n, const double *a, const double *inverse_inertia, const double *b) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += a[i] * inverse_inertia[i] * b[i];
  return sum;
}

/* Gauss-Jordan on [A I^-1 B | A I^-1], in place, row by row in order; the right block, negated, is then `hold`. */
void vd_coupled_solve(int n, const double *inverse_inertia, int count, const vd_coupling *coupling, const bool *stuck,
                      vd_coupled *out) {
  double left[VD_COUPLINGS][VD_COUPLINGS], right[VD_COUPLINGS][VD_SHAFTS], size[VD_COUPLINGS];
  int index[VD_COUPLINGS], rows = 0;
  for (int k = 0; k < count; k++) {
    for (int j = 0; j < n; j++)
      out->hold[k][j] = 0.0;
    if (stuck[k])
      index[rows++] = k;
  }
  for (int r = 0; r < rows; r++) {
    const double *a = coupling[index[r]].a;
    for (int s = 0; s < rows; s++)
      left[r][s] = weighted(n, a, inverse_inertia, coupling[index[s]].b);
    for (int j = 0; j < n; j++)
      right[r][j] = a[j] * inverse_inertia[j];
    size[r] = left[r][r];
  }
  bool carries[VD_COUPLINGS] = {false};
  for (int p = 0; p < rows; p++) {
    carries[p] = fabs(left[p][p]) > redundant * fabs(size[p]);
    if (!carries[p])
      continue;
    double inverse = 1.0 / left[p][p];
    for (int s = 0; s < rows; s++)
      left[p][s] *= inverse;
    for (int j = 0; j < n; j++)
      right[p][j] *= inverse;
    for (int r = 0; r < rows; r++) {
      double factor = r == p ? 0.0 : left[r][p];
      if (factor == 0.0)
        continue;
      for (int s = 0; s < rows; s++)
        left[r][s] -= factor * left[p][s];
      for (int j = 0; j < n; j++)
        right[r][j] -= factor * right[p][j];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out->accel[i][j] = i == j ? inverse_inertia[i] : 0.0;
  for (int r = 0; r < rows; r++) {
    if (!carries[r])
      continue;
    const double *b = coupling[index[r]].b;
    for (int j = 0; j < n; j++) {
      out->hold[index[r]][j] = -right[r][j];
      for (int i = 0; i < n; i++)
        out->accel[i][j] -= inverse_inertia[i] * b[i] * right[r][j];
    }
  }
}
