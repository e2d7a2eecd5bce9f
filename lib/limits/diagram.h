/* The moment diagram of a car (Milliken and Milliken, Race Car Vehicle Dynamics, ch. 8): yaw moment and lateral
 * acceleration over body slip and steer, at constant speed.
 *
 * The coefficient of the moment is Cn = N/(m g L) with the moment N about the centre of gravity, the weight m g without
 * downforce, and the wheelbase L. Signs as in ISO 8855: with a positive slip of the body the nose points to the right
 * of the path, so that a car is stable where dCn/d(slip) at constant steer is positive. The book (RCVD) uses the
 * opposite sign of the slip. */
#ifndef VD_DIAGRAM_H
#define VD_DIAGRAM_H

#include "limits/limit.h"

/* The longitudinal condition of the diagram. */
enum vd_diagram_hold {
  VD_HOLD_COAST,        /* no torque at the wheels: the clutch is open */
  VD_HOLD_SPEED,        /* drive or brakes hold the speed */
  VD_HOLD_ACCELERATION, /* drive or brakes hold an acceleration along the path */
};

typedef struct vd_diagram_plan {
  double speed; /* m/s */
  enum vd_diagram_hold hold;
  double acceleration; /* m/s2, along the path, for VD_HOLD_ACCELERATION */
  double turn_rate;    /* rad/s; NAN: the turn rate of the path, lateral acceleration divided by speed */
  vd_limit_bounds bounds;
  int gear;
} vd_diagram_plan;

typedef struct vd_diagram_point {
  double side_slip, steer;                  /* rad */
  double cn;                                /* - */
  double ay, ax;                            /* m/s2, in the axes of the body */
  double across, along;                     /* m/s2, in the axes of the path */
  double pedal;                             /* -, throttle > 0, brake < 0 */
  double load[VD_WHEELS], alpha[VD_WHEELS]; /* N, rad; by wheel */
  double error;                             /* greatest deviation from a steady state, m/s2, rad/s2 */
  bool found, lifted;
} vd_diagram_point;

/* Derivatives at a point. */
typedef struct vd_diagram_slopes {
  double cn_slip, cn_steer, ay_slip, ay_steer; /* 1/rad, m/s2/rad */
} vd_diagram_slopes;

typedef struct vd_diagram {
  vd_diagram_plan plan;
  vd_trim trim; /* last point */
  bool known;   /* the trim is a solved state */
  double step;  /* rad, the last change of slip and steer that one solution covered */
} vd_diagram;

/* Starts a diagram. False: the car has no steady state straight ahead. */
bool vd_diagram_start(const vd_model *m, const vd_diagram_plan *plan, vd_diagram *d);

/* Solves for the state at a slip and steer, starting from the last point. False: there is no such state; p->found is
 * false. */
bool vd_diagram_at(vd_diagram *d, double side_slip, double steer, vd_diagram_point *p);

/* Computes the derivatives at a point that was found. False: a neighbouring state does not exist. */
bool vd_diagram_slopes_at(vd_diagram *d, const vd_diagram_point *p, vd_diagram_slopes *out);

/* Finds the trimmed state at a steer, in which there is no yaw moment. */
bool vd_diagram_trim(vd_diagram *d, double steer, vd_diagram_point *p);

/* Find a trimmed state with the greatest lateral acceleration to the left, and return what limits it. Trimmed states
 * form several curves, because tyres may be beyond their peaks. vd_diagram_trimmed_limit searches all curves, also
 * those on which a wheel spins. vd_diagram_steered_limit follows the curve from straight ahead, on which a car stays
 * while its steer grows slowly: to the first greatest acceleration, or to the greatest steer if this comes before. */
enum vd_limit vd_diagram_trimmed_limit(vd_diagram *d, vd_diagram_point *p);
enum vd_limit vd_diagram_steered_limit(vd_diagram *d, vd_diagram_point *p);

#endif
