#include "math/root.h"

#include "base/elementary.h"

#include <math.h>

void vd_root_start(double low, double high, double f_high, double x, double f, double tolerance, vd_root *root) {
  *root = (vd_root){.low = low, .high = high, .tolerance = tolerance, .x = {high, x, NAN}, .f = {f_high, f, NAN}};
}

static double secant(const vd_root *r) {
  return r->x[0] - r->f[0] * ((r->x[1] - r->x[0]) / (r->f[1] - r->f[0]));
}

static double inverse_parabola(const vd_root *r) {
  const double *x = r->x, *f = r->f, d01 = f[0] - f[1], d02 = f[0] - f[2], d12 = f[1] - f[2];
  return x[0] * (f[1] / d01) * (f[2] / d02) - x[1] * (f[0] / d01) * (f[2] / d12) + x[2] * (f[0] / d02) * (f[1] / d12);
}

bool vd_root_next(const vd_root *r, double *x) {
  const double width = r->high - r->low, least = 0.5 * r->tolerance;
  double guess = inverse_parabola(r);
  if (!(guess > r->low && guess < r->high))
    guess = secant(r);
  bool outside = !(guess > r->low && guess < r->high);
  if (isnan(guess) || r->slow >= (outside ? 1 : 4))
    guess = r->low + 0.5 * width;
  guess += copysign(least, guess - r->x[0]);
  *x = vd_max(vd_min(guess, r->high - least), r->low + least);
  return width > r->tolerance;
}

void vd_root_put(double x, double f, vd_root *r) {
  const double width = r->high - r->low;
  if (f < 0.0)
    r->high = x;
  else
    r->low = x;
  r->slow = r->high - r->low > 0.5 * width ? r->slow + 1 : 0;
  for (int i = VD_ROOT_POINTS - 1; i > 0; i--) {
    r->x[i] = r->x[i - 1];
    r->f[i] = r->f[i - 1];
  }
  r->x[0] = x;
  r->f[0] = isfinite(f) ? f : NAN;
}
