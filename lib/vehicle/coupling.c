#include "vehicle/coupling.h"

#include <math.h>

/* If elimination reduces a pivot below this share of its first value, the row depends on earlier rows. */
static const double redundant = 1e-12;

static double weighted(int n, const double *a, const double *inverse_inertia, const double *b) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += a[i] * inverse_inertia[i] * b[i];
  return sum;
}

/* Solves by Gauss-Jordan elimination of [A I^-1 B | A I^-1], in place, row by row in order. Afterwards the negated
 * right block is `hold'. */
void vd_coupled_solve(int n, const double *inverse_inertia, int count, const vd_coupling *coupling, const bool *stuck,
                      vd_coupled *out) {
  double row[VD_COUPLINGS][VD_COUPLINGS + VD_SHAFTS], size[VD_COUPLINGS];
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
      row[r][s] = weighted(n, a, inverse_inertia, coupling[index[s]].b);
    for (int j = 0; j < n; j++)
      row[r][rows + j] = a[j] * inverse_inertia[j];
    size[r] = row[r][r];
  }
  bool carries[VD_COUPLINGS] = {false};
  for (int p = 0; p < rows; p++) {
    carries[p] = fabs(row[p][p]) > redundant * fabs(size[p]);
    if (!carries[p])
      continue;
    double inverse = 1.0 / row[p][p];
    for (int c = 0; c < rows + n; c++)
      row[p][c] *= inverse;
    for (int r = 0; r < rows; r++) {
      double factor = r == p ? 0.0 : row[r][p];
      for (int c = 0; c < rows + n && factor != 0.0; c++)
        row[r][c] -= factor * row[p][c];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out->accel[i][j] = i == j ? inverse_inertia[i] : 0.0;
  for (int r = 0; r < rows; r++) {
    if (!carries[r])
      continue;
    const double *b = coupling[index[r]].b, *right = row[r] + rows;
    for (int j = 0; j < n; j++) {
      out->hold[index[r]][j] = -right[j];
      for (int i = 0; i < n; i++)
        out->accel[i][j] -= inverse_inertia[i] * b[i] * right[j];
    }
  }
}
