/* Estimate of the errors of a run's states relative to exact steps: an order of magnitude, at little cost.
 *
 * Each step makes an error, and the motion of the car propagates it. The error of a step is measured, its propagation
 * is modelled.
 *
 * Measured: a step of order 4 and length h has the error l; two steps of h/2 have l/16, so that their difference is
 * 15/16 l. Some steps are made twice in this way: all of the first steps after the start, a corner of an input or an
 * event, where motions decay fast; then fewer, down to one in a tenth of a second or one in 24 steps. A step that is
 * not measured has the error of the measured step before it. A tenth of a second resolves the car's motion in the
 * plane, up to 3 Hz.
 *
 * Modelled: the errors e of the states obey
 *   e' = l/h + transport - decay e,
 * with a decay for each state (states table; spins decay as in their steps, math/rk4.h), and a transport between states
 * that follows from kinematics only: an error of the heading turns the velocity, an error of the yaw rate turns the
 * axes of vx and vy, places are integrals of speeds, wheels and motor turn with the car. The forces by which one error
 * acts on another are neglected. So the estimate is valid for a stable car whose tyres do not slide and stay on the
 * road, with few events. Otherwise the estimate reports a doubt. */
#ifndef VD_ERROR_ESTIMATE_H
#define VD_ERROR_ESTIMATE_H

#include "model/model.h"

/* Reasons why the estimate may be wrong by more than a factor of ten. */
enum vd_error_doubt {
  VD_ERROR_SWITCHES = 1, /* within a step: an event, a coupling or gear changed, or a controller reached a limit */
  VD_ERROR_LIFTS = 2,    /* a wheel without load */
  VD_ERROR_SLIDES = 4,   /* a slip is above 0.1 */
  VD_ERROR_LARGE = 8,    /* the error is above 1e-2, too large for errors to be added */
};

/* Plain data: a copy continues to the same bits. */
typedef struct vd_error_estimate {
  bool on;
  unsigned doubts;         /* enum vd_error_doubt */
  int gear;                /* at the last measured step */
  bool saturated;          /* a controller is at its limit, so that its integral is stopped */
  long steps, next;        /* number of steps since the last break, and the number at which the next step is measured */
  long repeats;            /* number of later steps that are assigned the error of the last measured step */
  double since;            /* s: time up to which the errors are known */
  double made[VD_STATES];  /* error of the last measured step, in the states' units */
  double error[VD_STATES]; /* errors at `since` */
  double worst[VD_STATES]; /* greatest magnitude so far */
  double first[VD_STATES]; /* the states at the start */
  double change[VD_STATES]; /* greatest |x - first| so far */
} vd_error_estimate;

/* The greatest error of all states and instants, relative to the scale of the state (states table) or its greatest
 * change in the run, whichever is larger. */
typedef struct vd_error_share {
  double share;    /* NAN: not estimated */
  int state;       /* index into vd_state_table of the state with the error */
  double own;      /* the greatest error relative to the state's greatest change alone, however small the change is */
  int smallest;    /* index of the state with that error */
  unsigned doubts; /* enum vd_error_doubt */
} vd_error_share;

/* Starts the estimate; to be called at t = 0. The run does not change in any bit. */
void vd_error_start(const vd_state_vector *s, vd_error_estimate *e);

/* Marks a break, after which steps differ from the steps before it. found: the break is an event or a change of modes
 * within a step. */
void vd_error_break(bool found, vd_error_estimate *e);

/* Returns whether the next step, of length h, must be measured. Otherwise it is assigned the error of the last measured
 * step. */
bool vd_error_due(double h, vd_error_estimate *e);

/* The car at an instant: its state, its rates, and the decay rates of its wheels' spins. */
typedef struct vd_error_instant {
  double t; /* s */
  const vd_state_vector *state;
  const double *rates;
  const vd_eval *eval;
  const vd_decay *decay;
} vd_error_instant;

/* Propagates the errors to the instant `now'. */
void vd_error_propagate(const vd_model *m, const vd_error_instant *now, vd_error_estimate *e);

/* Measures the step from the instant of vd_error_propagate; `halves': its end if it is made in two halves. */
void vd_error_measure(const vd_model *m, const double *whole, const double *halves, vd_error_estimate *e);

vd_error_share vd_error_greatest(const vd_model *m, const vd_error_estimate *e);

/* Describes the error in words: the state with the greatest error; the state with the greatest error relative to its
 * own change, if this share is above 1e-4; and the doubts. Less than 150 characters; size > 0. */
void vd_error_describe(const vd_error_share *share, char *text, size_t size);

#endif
