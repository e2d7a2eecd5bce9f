#include "tyre/load_curve.h"

#include "base/elementary.h"
#include "math/steffen.h"

#include <math.h>

/* Within a piece of the width h the force is y0 + s0 u + c2 u^2 + c3 u^3. */
typedef struct piece {
  double h, c2, c3;
} piece;

static piece piece_of(const vd_load_curve *c, int i) {
  double h = c->x[i + 1] - c->x[i], secant = (c->y[i + 1] - c->y[i]) / h;
  return (piece){h, (3.0 * secant - 2.0 * c->slope[i] - c->slope[i + 1]) / h,
                 (c->slope[i] + c->slope[i + 1] - 2.0 * secant) / (h * h)};
}

static vd_load_point inside(const vd_load_curve *c, int i, double u) {
  piece p = piece_of(c, i);
  return (vd_load_point){c->y[i] + u * (c->slope[i] + u * (p.c2 + u * p.c3)),
                         c->slope[i] + u * (2.0 * p.c2 + 3.0 * u * p.c3),
                         c->energy[i] + u * (c->y[i] + u * (c->slope[i] / 2.0 + u * (p.c2 / 3.0 + u * p.c3 / 4.0)))};
}

void vd_load_curve_build(const vd_mf_points *points, vd_load_curve *curve) {
  double xy[2 * VD_MF_CURVE];
  *curve = (vd_load_curve){.count = points->count};
  for (int i = 0; i < points->count; i++) {
    xy[2 * i] = curve->x[i] = points->deflection[i];
    xy[2 * i + 1] = curve->y[i] = points->load[i];
  }
  const vd_points list = {xy, (size_t)points->count};
  for (int i = 0; i < points->count; i++)
    curve->slope[i] = vd_steffen_slope(&list, (size_t)i);
  if (points->count > 0) /* a load beyond the last point is reached somewhere */
    curve->slope[points->count - 1] =
        vd_max(curve->slope[points->count - 1], 0.5 * vd_secant(&list, (size_t)points->count - 2));
  for (int i = 0; i + 1 < points->count; i++)
    curve->energy[i + 1] = inside(curve, i, piece_of(curve, i).h).energy;
}

vd_load_point vd_load_curve_at(const vd_load_curve *curve, double deflection) {
  int low = 0, high = curve->count - 1;
  if (!(deflection > curve->x[0]))
    return (vd_load_point){0.0, curve->slope[0], 0.0};
  if (deflection >= curve->x[high]) {
    double u = deflection - curve->x[high], slope = curve->slope[high];
    return (vd_load_point){curve->y[high] + slope * u, slope,
                           curve->energy[high] + u * (curve->y[high] + 0.5 * slope * u)};
  }
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (deflection < curve->x[middle])
      high = middle;
    else
      low = middle;
  }
  return inside(curve, low, deflection - curve->x[low]);
}

double vd_load_curve_deflection(const vd_load_curve *curve, double load) {
  int last = curve->count - 1;
  double low = curve->x[0], high = curve->x[last];
  if (load >= curve->y[last])
    return high + (load - curve->y[last]) / curve->slope[last];
  for (int i = 0; i < 200 && high - low > 1e-15 * curve->x[last]; i++) {
    double middle = 0.5 * (low + high);
    if (vd_load_curve_at(curve, middle).force < load)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

/* The slope of a piece is a parabola: highest at its ends, or at its vertex. */
double vd_load_curve_steepest(const vd_load_curve *curve) {
  double most = 0.0;
  for (int i = 0; i < curve->count; i++) {
    most = vd_max(most, curve->slope[i]);
    if (i + 1 == curve->count)
      break;
    piece p = piece_of(curve, i);
    double vertex = p.c3 < 0.0 ? -p.c2 / (3.0 * p.c3) : -1.0;
    if (vertex > 0.0 && vertex < p.h)
      most = vd_max(most, inside(curve, i, vertex).slope);
  }
  return most;
}
