#include "math/steffen.h"

#include "base/elementary.h"

#include <math.h>

double vd_secant(const vd_points *points, size_t i) {
  const double *a = points->xy + 2 * i;
  return (a[3] - a[1]) / (a[2] - a[0]);
}

/* Returns the slope at the first or last point: that of the parabola through it and the next two points, limited to 0..
 * 2 s. s is the secant over the interval h next to the end, `far` the secant over the next interval h_far. Half the
 * parabola's second derivative is (s - far)/(h + h_far) and its slope in the middle of h is s, so the slope at the end
 * is s + (s - far) h/(h + h_far). */
static double end_slope(double s, double far, double h, double h_far) {
  double parabola = s + (s - far) * h / (h + h_far);
  if (parabola * s <= 0.0)
    return 0.0;
  return fabs(parabola) > 2.0 * fabs(s) ? 2.0 * s : parabola;
}

/* Uses the slopes of M. Steffen, "A simple method for monotonic interpolation in one dimension", A&A 239 (1990) 443:
 * the slope of the parabola through the point and its neighbours, but at most twice either secant, and 0 at an extreme
 * point. A cubic with both slopes within 0..3 of its own secant is monotone, so it never leaves the range of its two
 * points. */
double vd_steffen_slope(const vd_points *points, size_t i) {
  const double *x = points->xy;
  size_t last = points->count - 1;
  if (last == 1)
    return vd_secant(points, 0);
  if (i == 0)
    return end_slope(vd_secant(points, 0), vd_secant(points, 1), x[2] - x[0], x[4] - x[2]);
  const double *c = x + 2 * i;
  if (i == last)
    return end_slope(vd_secant(points, i - 1), vd_secant(points, i - 2), c[0] - c[-2], c[-2] - c[-4]);

  double before = vd_secant(points, i - 1), after = vd_secant(points, i), h_before = c[0] - c[-2],
         h_after = c[2] - c[0];
  double parabola = (before * h_after + after * h_before) / (h_before + h_after);
  double least = vd_min(vd_min(fabs(before), fabs(after)), 0.5 * fabs(parabola));
  return copysign(least, before) + copysign(least, after);
}
