#include "math/step_gap.h"

#include "base/base.h"

#include <math.h>

/* Four independent sums, which the processor computes in parallel. */
VD_WIDE double vd_step_gap(const vd_step_ends *step, const double *weight) {
  const double half = 0.5 * step->h, *x0 = step->x0, *x1 = step->x1, *f0 = step->rates0, *f1 = step->rates1;
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  int i = 0;
  for (; i + 4 <= step->n; i += 4)
    for (int k = 0; k < 4; k++) {
      double e = (half * (f0[i + k] + f1[i + k]) - (x1[i + k] - x0[i + k])) * weight[i + k];
      sum[k] += e * e;
    }
  for (; i < step->n; i++) {
    double e = (half * (f0[i] + f1[i]) - (x1[i] - x0[i])) * weight[i];
    sum[0] += e * e;
  }
  return sqrt(sum[0] + sum[1] + (sum[2] + sum[3]));
}
