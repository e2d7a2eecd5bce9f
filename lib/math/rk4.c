#include "math/rk4.h"

#include "base/base.h"

#include <assert.h>
#include <math.h>

VD_WIDE void vd_rk4_last(vd_rates_fn *f, void *context, double h, int n, const double *k1, double *x, double *k4) {
  double k2[VD_MAX_STATES], k3[VD_MAX_STATES], y[VD_MAX_STATES];
  assert(n >= 1 && n <= VD_MAX_STATES);

  for (int i = 0; i < n; i++)
    y[i] = x[i] + 0.5 * h * k1[i];
  f(context, 1, y, k2);

  for (int i = 0; i < n; i++)
    y[i] = x[i] + 0.5 * h * k2[i];
  f(context, 2, y, k3);

  for (int i = 0; i < n; i++)
    y[i] = x[i] + h * k3[i];
  f(context, 3, y, k4);

  for (int i = 0; i < n; i++)
    x[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
}

void vd_rk4(vd_rates_fn *f, void *context, double h, int n, const double *k1, double *x) {
  double k4[VD_MAX_STATES];
  vd_rk4_last(f, context, h, n, k1, x, k4);
}

/* Four independent sums, which the processor computes in parallel. */
VD_WIDE double vd_rk4_error(double h, int n, const double *k4, const double *end, const double *weight) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) {
      double e = (k4[i + k] - end[i + k]) * weight[i + k];
      sum[k] += e * e;
    }
  for (; i < n; i++) {
    double e = (k4[i] - end[i]) * weight[i];
    sum[0] += e * e;
  }
  return h / 6.0 * sqrt(sum[0] + sum[1] + (sum[2] + sum[3]));
}
