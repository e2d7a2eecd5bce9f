#include "tyre/load_curve.h"

#include "base/elementary.h"

void vd_load_curve_build(vd_points points, vd_curve *curve) {
  *curve = (vd_curve){.count = 0};
  if (points.count < 2)
    return;
  vd_curve_build(&points, curve);
  int last = curve->count - 1;
  /* the slope at the end is not 0, so that every load beyond the last point is reached */
  double secant = (curve->a[last] - curve->a[last - 1]) / (curve->x[last] - curve->x[last - 1]);
  vd_curve_end(curve, vd_max(curve->b[last], 0.5 * secant));
}

vd_load_point vd_load_curve_at(const vd_curve *curve, double deflection) {
  vd_load_point p = {0.0, curve->b[0], 0.0};
  if (deflection > curve->x[0]) {
    p.force = vd_curve_at(curve, deflection, &p.slope);
    p.energy = vd_curve_integral(curve, deflection);
  }
  return p;
}

double vd_load_curve_deflection(const vd_curve *curve, double load) {
  int last = curve->count - 1;
  if (load >= curve->a[last])
    return curve->x[last] + (load - curve->a[last]) / curve->b[last];
  return load > curve->a[0] ? vd_curve_inverse(curve, load) : curve->x[0];
}
