/* Traits, inputs and results that all tyre models share.
 *
 * Contact frame: x along the wheel's heading in the road plane, y to its left, z along the road normal; forces act from
 * the road on the tyre.
 *   kappa     = (R omega - Vx)/max(|Vx|, v_low) > 0 drives
 *   tan alpha = Vy/max(|Vx|, v_low_y)           > 0 slides to the left, so Fy < 0
 * (floors: model/lanes.h). Above the floors (kappa, -tan alpha) |Vx| is the velocity of the road relative to the
 * tread: the direction in which a sliding tyre is pushed. A braked and locked wheel has kappa = -1 above v_low.
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

/* Properties of a model that matter to its callers. */
typedef struct vd_tyre_traits {
  bool file;     /* it reads a property file, which tyres of one vehicle share */
  bool moments;  /* it has an overturning and a rolling moment of its own */
  bool camber;   /* its forces depend on camber */
  bool pressure; /* its forces depend on the inflation pressure */
} vd_tyre_traits;

/* Inputs and states of the bristles of n tyres (lugre.c), arrays [n]. */
typedef struct vd_bristle_inputs {
  const double *slip_x, *slip_y;   /* m/s, slip velocities R omega - Vx and -Vy */
  const double *state_x, *state_y; /* m, deflections */
  const double *damper;            /* s */
  double fastest;                  /* 1/s, highest rate of a deflection */
} vd_bristle_inputs;

/* State of motion of n tyres at the road, arrays [n]. */
typedef struct vd_contact {
  const double *kappa, *tan_alpha; /* steady slips; with relaxation lengths the slips of the deflections */
  const double *vx;                /* m/s; NULL: for models that do not depend on speed */
  /* rad/s, spins, for which rolling moments never drive the wheel. NULL: rolling moments by the formulas of the
   * models */
  const double *omega;
  const double *camber; /* rad, top to the right > 0; NULL: upright */
  /* 1/m, for tyres with turn slip: yaw velocity of the wheel divided by the speed of the contact point, to the left >
   * 0; spin of the wheel divided by this speed. NULL: both are 0 */
  const double *curvature, *rolling;
  const vd_bristle_inputs *bristle_inputs; /* NULL: steady slip */
} vd_contact;

/* Quantities of one tyre that depend on slip and not on the load. A model uses the members that it needs. */
typedef struct vd_slide {
  double fx, fy; /* pure forces at s, without their factors that depend on load */
  double cx, cy; /* unit vector of the slip vector s; tmeasy: slips relative to the speed of the tread */
  double turn;   /* share by which the direction of the force has turned to s, 0..1 */
  double trail;  /* m, if it does not depend on load */
  double camber; /* rad; set if a tyre of the row has camber thrust or a patch with a width */
  double thrust; /* N, side force of the camber in the last pass; it has no trail */
  /* last pass: factor of the slip ratio on the side force, for models in which Mz has the same factor */
  double share;
  double twist;    /* N m, last pass: Mz due to Fx at the arm of the lateral deflection */
  double friction; /* last pass: friction of ground and tyre, for models whose trail depends on it */
  bool bristles;   /* the two rows of members below are set */
  /* m/s, slip velocity and speed; m, deflections; s and 1/s, as in vd_bristle_inputs */
  double sx, sy, vx, zx, zy, damper, fastest;
} vd_slide;

/* Forces of n tyres, arrays [n]. */
typedef struct vd_tyre_forces {
  double fx[VD_WHEELS], fy[VD_WHEELS]; /* N */
  /* N m, overturning and rolling moment; set only if the model has this trait */
  double mx[VD_WHEELS], my[VD_WHEELS];
  double rate_x[VD_WHEELS], rate_y[VD_WHEELS]; /* m/s, of the deflections; set only for bristles */
  double damped[VD_WHEELS];                    /* W, loss of the damper; written only for bristles */
} vd_tyre_forces;

/* Where vd_tyre_at_loads writes its results; arrays have n entries. */
typedef struct vd_tyre_results {
  double *fx, *fy;         /* N */
  double *mx, *my, *mz;    /* N m; mx and my are 0 for models that have none */
  double *rate_x, *rate_y; /* m/s, of the deflections; set only for bristles */
  double *damped;          /* W, loss of the damper; written only for bristles */
} vd_tyre_results;

/* For models that do not compute in lanes. */
typedef struct vd_no_lanes {
  char none;
} vd_no_lanes;

#endif
