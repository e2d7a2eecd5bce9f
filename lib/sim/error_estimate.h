/* How far the states of a run are from those of exact steps: an order of magnitude, at little cost.
 *
 * Each step makes an error, and the car carries it on. The first is measured, the second is modelled.
 *
 * Measured: a step of length h of order 4 makes the error l; two steps of h/2 make l/16, so that their difference is
 * 15/16 l. Some steps are made twice in this way: all of the first ones after the start, a corner of an input or an
 * event, where motions decay fast, then fewer, down to one in a tenth of a second or one in 24 steps. The steps between
 * count as the one before them. A tenth of a second resolves what a car follows in the plane, up to 3 Hz.
 *
 * Modelled: the errors e of the states go on as
 *   e' = l/h + transport - decay e,
 * with a decay for each state (states table; spins decay as in their steps, math/rk4.h), and the transport between
 * them that follows from kinematics alone: an error of the heading turns the velocity, one of the yaw rate turns the
 * axes in which vx and vy count, places are integrals of speeds, wheels and motor turn with the car. The forces by
 * which one error acts on another are left out. So the estimate is for a car that is stable, whose tyres do not
 * slide and keep to the road, between events that are few. A run that leaves this says so. */
#ifndef VD_ERROR_ESTIMATE_H
#define VD_ERROR_ESTIMATE_H

#include "model/model.h"

/* Why the estimate may be wrong by more than a factor of ten. */
enum vd_error_doubt {
  VD_ERROR_SWITCHES = 1, /* within a step: an event, a coupling or gear changed, or a controller came to its limits */
  VD_ERROR_LIFTS = 2,    /* a wheel without load */
  VD_ERROR_SLIDES = 4,   /* a slip above 0.1 */
  VD_ERROR_LARGE = 8,    /* the error is above 1e-2: not small enough to be added up */
};

/* Plain data: a copy goes on to the same bits. */
typedef struct vd_error_estimate {
  bool on;
  unsigned doubts;          /* enum vd_error_doubt */
  int gear;                 /* at the last step that was measured */
  bool saturated;           /* integrals of controllers stop and start at a limit */
  long steps, next;         /* since the last break; at which one is measured next */
  long repeats;             /* steps that count as the last one measured */
  double since;             /* s: up to there the errors are known */
  double made[VD_STATES];   /* by the last step that was measured, in the states' units */
  double error[VD_STATES];  /* at `since` */
  double worst[VD_STATES];  /* greatest magnitude so far */
  double first[VD_STATES];  /* the states at the start */
  double change[VD_STATES]; /* greatest |x - first| so far */
} vd_error_estimate;

/* The greatest error of all states and instants, relative to the larger of a state's scale (states table) and its
 * greatest change in the run. */
typedef struct vd_error_share {
  double share;    /* NAN: not estimated */
  int state;       /* index into vd_state_table of the state with the error */
  unsigned doubts; /* enum vd_error_doubt */
} vd_error_share;

/* From now on; to be called at t = 0. The steps stay the same to the bit. */
void vd_error_start(const vd_state_vector *s, vd_error_estimate *e);

/* Marks a corner, after which the next steps are unlike those before; found: it is an event or a change of modes within
 * a step. */
void vd_error_break(bool found, vd_error_estimate *e);

/* Whether the next step, of length h, is to be measured; else it counts as the last one that was. */
bool vd_error_due(double h, vd_error_estimate *e);

/* The car at an instant: its state and its rates, and how fast its wheels' spins decay. */
typedef struct vd_error_instant {
  double t; /* s */
  const vd_state_vector *state;
  const double *rates;
  const vd_eval *eval;
  const vd_decay *decay;
} vd_error_instant;

/* Carries the errors on to that instant. */
void vd_error_propagate(const vd_model *m, const vd_error_instant *now, vd_error_estimate *e);

/* A step from there that ends at `whole`, and at `halves` if it is made in two. */
void vd_error_measure(const vd_model *m, const double *whole, const double *halves, vd_error_estimate *e);

vd_error_share vd_error_greatest(const vd_model *m, const vd_error_estimate *e);

/* Says the error in words: which state has it, and the doubts. Below 110 characters; size > 0. */
void vd_error_describe(const vd_error_share *share, char *text, size_t size);

#endif
