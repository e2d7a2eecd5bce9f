#include "math/multilinear.h"

#include "base/elementary.h"

/* Returns the index of the last point at or before x. *share: the place of x in the interval behind this point,
 * 0..1. */
static int place(const double *axis, int count, double x, double *share) {
  int low = 0, high = count - 1;
  *share = 0.0;
  if (!(x > axis[0]))
    return 0;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (axis[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  if (high > low)
    *share = vd_min((x - axis[low]) / (axis[high] - axis[low]), 1.0);
  return low;
}

double vd_multilinear_at(const vd_multilinear *g, const double *x) {
  int at[VD_GRID_AXES];
  double share[VD_GRID_AXES], sum = 0.0;
  for (int k = 0; k < VD_GRID_AXES; k++)
    at[k] = place(g->axis[k], g->count[k], x[k], &share[k]);
  for (int corner = 0; corner < 1 << VD_GRID_AXES; corner++) {
    int index = 0;
    double weight = 1.0;
    for (int k = 0; k < VD_GRID_AXES; k++) {
      int up = corner >> k & 1;
      weight *= up ? share[k] : 1.0 - share[k];
      index = index * g->count[k] + at[k] + (up && share[k] > 0.0 ? 1 : 0);
    }
    if (weight > 0.0)
      sum += weight * g->value[index];
  }
  return sum;
}
