/* Vertical load of a tyre as a function of its deflection, through measured points: [DEFLECTION_LOAD_CURVE] of a
 * property file. Between the points the curve consists of monotone cubics, because an overshoot could make the
 * stiffness negative. The load is 0 below the first point; beyond the last one the curve continues straight. */
#ifndef VD_LOAD_CURVE_H
#define VD_LOAD_CURVE_H

#include "math/curve.h"

enum { VD_MF_CURVE = VD_CURVE_POINTS /* greatest number of points: 100, as Adams allows, and the origin */ };

typedef struct vd_mf_points {
  size_t count;               /* 0: there is no curve */
  double xy[2 * VD_MF_CURVE]; /* m, N; both rise from 0 */
} vd_mf_points;

static inline vd_points vd_mf_points_list(const vd_mf_points *points) {
  return (vd_points){points->xy, points->count};
}

typedef struct vd_load_point {
  double force, slope, energy; /* N, N/m, J */
} vd_load_point;

/* Builds a curve through points, m and N. Fewer than two give no curve. */
void vd_load_curve_build(vd_points points, vd_curve *curve);
vd_load_point vd_load_curve_at(const vd_curve *curve, double deflection);
/* Returns the deflection at a load >= 0. */
double vd_load_curve_deflection(const vd_curve *curve, double load);

#endif
