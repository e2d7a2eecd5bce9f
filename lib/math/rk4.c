#include "math/rk4.h"

#include "base/base.h"

#include <assert.h>

VD_WIDE void vd_rk4(vd_rates_fn *f, void *context, double h, int n, const double *k1, double *x) {
  double k2[VD_MAX_STATES], k3[VD_MAX_STATES], k4[VD_MAX_STATES], y[VD_MAX_STATES];
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
