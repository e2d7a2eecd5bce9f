/* Vertical load of a tyre over its deflection, through measured points: [DEFLECTION_LOAD_CURVE] of a property file.
 * Monotone cubics (Steffen) between the points, so that no overshoot makes a stiffness below zero; 0 below the first
 * point, and beyond the last one the straight line of its slope. */
#ifndef VD_LOAD_CURVE_H
#define VD_LOAD_CURVE_H

enum { VD_MF_CURVE = 101 /* points: 100, as Adams allows, and the origin */ };

typedef struct vd_mf_points {
  int count;                                         /* 0: there is no curve */
  double deflection[VD_MF_CURVE], load[VD_MF_CURVE]; /* m, N; both rise from 0 */
} vd_mf_points;

typedef struct vd_load_curve {
  int count;                                                 /* 0: there is no curve */
  double x[VD_MF_CURVE], y[VD_MF_CURVE], slope[VD_MF_CURVE]; /* m, N, N/m */
  double energy[VD_MF_CURVE];                                /* J, up to the point */
} vd_load_curve;

typedef struct vd_load_point {
  double force, slope, energy; /* N, N/m, J */
} vd_load_point;

void vd_load_curve_build(const vd_mf_points *points, vd_load_curve *curve);
vd_load_point vd_load_curve_at(const vd_load_curve *curve, double deflection);
/* The deflection at a load >= 0. */
double vd_load_curve_deflection(const vd_load_curve *curve, double load);
/* The greatest slope anywhere. */
double vd_load_curve_steepest(const vd_load_curve *curve);

#endif
