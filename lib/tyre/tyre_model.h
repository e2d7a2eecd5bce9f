/* What all tyre models share: traits, what they are given, and what they return.
 *
 * Contact frame: x along the wheel's heading in the road plane, y to its left, z along the road normal;
 * forces act from the road on the tyre.
 *   kappa     = (R w - Vx)/max(|Vx|, v_low)     > 0 drives
 *   tan alpha = Vy/max(|Vx|, v_low_y)           > 0 slides to the left, so Fy < 0
 * (floors: model/lanes.h). Above the floors (kappa, -tan alpha) |Vx| is the velocity of the tread relative to the road,
 * reversed: the direction in which a sliding tyre is pushed. A braked and locked wheel has kappa = -1 above v_low.
 *
 * Tyres of one model that are evaluated together are a group. Functions of a step take a whole group, so that there is
 * one call for each group and a model may compute its tyres side by side in four lanes. */
#ifndef VD_TYRE_MODEL_H
#define VD_TYRE_MODEL_H

#include "base/wide.h"

/* tyre_impl.h */
typedef struct vd_tyre_variant vd_tyre_variant;

/* tyre.h */
typedef struct vd_tyre vd_tyre;
typedef struct vd_tyre_question vd_tyre_question;
typedef struct vd_tyre_answer vd_tyre_answer;
typedef struct vd_tyre_twist vd_tyre_twist;

/* What others must know of a model to use it. */
typedef struct vd_tyre_traits {
  bool file;     /* it reads a property file, which tyres of one vehicle share */
  bool moments;  /* it has an overturning and a rolling moment of its own */
  bool camber;   /* its forces depend on camber */
  bool pressure; /* they depend on the inflation pressure */
} vd_tyre_traits;

/* What bends the bristles of n tyres (lugre.c), arrays [n]. */
typedef struct vd_bending {
  const double *slip_x, *slip_y;   /* m/s, R w - Vx and -Vy */
  const double *state_x, *state_y; /* m, deflections */
  const double *damper;            /* s */
  double fastest;                  /* 1/s, highest rate of a deflection */
} vd_bending;

/* How n tyres meet the road, arrays [n]. */
typedef struct vd_contact {
  const double *kappa, *tan_alpha; /* steady slips; with relaxation lengths those that follow the deflections */
  const double *vx;                /* m/s; NULL: for models that do not depend on speed */
  const double *omega;  /* rad/s, spins: a rolling moment never drives the wheel. NULL: moments as models have them */
  const double *camber; /* rad, top to the right > 0; NULL: upright */
  /* 1/m, for tyres with turn slip: yaw velocity of the wheel over the speed of the contact point, to the left > 0; spin
   * of the wheel over that speed. NULL: both are 0 */
  const double *curvature, *rolling;
  const vd_bending *bending; /* NULL: steady */
} vd_contact;

/* What the slip of one tyre decides for its forces at any load. A model uses the members that it needs. */
typedef struct vd_slide {
  double fx, fy;   /* pure forces at s, as far as they do not depend on load */
  double cx, cy;   /* unit vector of the slip vector s; tmeasy: slips over the tread's speed */
  double turn;     /* how far the direction of the force has turned into s, 0..1 */
  double trail;    /* m, where it does not depend on load */
  double camber;   /* rad; set where some tyre of the row has camber thrust or a patch of some width */
  double thrust;   /* N, side force of the camber in the last pass; it has no trail */
  double share;    /* last pass: share of the side force that slip ratio leaves, where Mz falls likewise */
  double twist;    /* N m, last pass: Mz of Fx at the arm of the lateral deflection */
  double friction; /* last pass: friction of ground and tyre, where a trail depends on it */
  bool bristles;   /* the members below are set */
  double sx, sy, vx, zx, zy, damper, fastest;
} vd_slide;

/* Forces of n tyres, arrays [n]. */
typedef struct vd_tyre_forces {
  double fx[VD_WHEELS], fy[VD_WHEELS];         /* N */
  double mx[VD_WHEELS], my[VD_WHEELS];         /* N m, overturning and rolling moment; written only with the trait */
  double rate_x[VD_WHEELS], rate_y[VD_WHEELS]; /* m/s, of the deflections; written only for bristles */
  double damped[VD_WHEELS];                    /* W, loss of the damper; written only for bristles */
} vd_tyre_forces;

/* Destinations of vd_tyre_at_loads; arrays have n entries. */
typedef struct vd_tyre_results {
  double *fx, *fy;         /* N */
  double *mx, *my, *mz;    /* N m; mx and my are 0 for models that have none */
  double *rate_x, *rate_y; /* m/s, of the deflections; written only for bristles */
  double *damped;          /* W, loss of the damper; written only for bristles */
} vd_tyre_results;

/* For models that do not compute in lanes. */
typedef struct vd_no_lanes {
  char none;
} vd_no_lanes;

#endif
