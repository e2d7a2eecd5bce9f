/* Steady states of a car, found on the rates of its own model (L1 to L3).
 *
 * A car at speed V accelerates by `along' in the direction of its path and by `across' to the left of it; `upward' is
 * the acceleration of a road that curves upwards. The state is steady if the car's attitude to the path, its travels
 * and its slips do not change. With unit vectors T along the path, N to the left of it and Z normal to the road, in
 * body axes, the turn rate w about Z and the velocity V T of the reference point, the rates of the model must be
 *
 *   u' = along T + (across - w V) N + upward Z,   spin' = spin along/V,   all other rates 0
 *
 * The turn rate w is given, or it is the turn rate of the path, across/V, for which the term with N vanishes. The
 * caller chooses the unknowns and the equations. The solver is Newton's method with differences for the Jacobian and
 * Broyden's updates of its inverse. One more equation may fix the place on a curve of solutions (vd_trim_row).
 *
 * Signs as in ISO 8855: slip angle of the body and steer to the left > 0. */
#ifndef VD_TRIM_H
#define VD_TRIM_H

#include "model/model.h"

/* Quantities of a steady state. SIDE_SLIP, STEER: rad, of the body and of the road wheels (mean); PEDAL: m/s2,
 * acceleration by the pedals of a car without resistance, throttle > 0, brake < 0; ALONG, ACROSS: m/s2, accelerations
 * along and across the path; REACH: m/s2, a further acceleration in the direction of the ray. From INNER on: wheel
 * slips, positions of body and wheels. */
enum vd_trim_quantity {
  VD_TRIM_SIDE_SLIP,
  VD_TRIM_STEER,
  VD_TRIM_PEDAL,
  VD_TRIM_ALONG,
  VD_TRIM_ACROSS,
  VD_TRIM_REACH,
  VD_TRIM_INNER,
  VD_TRIM_QUANTITIES = VD_TRIM_INNER + 36,
};

/* A quantity that is a state, and the state whose rate gives the equation for this quantity. */
typedef struct vd_trim_inner {
  int state, rate; /* enum vd_state */
  double base;     /* value of the state for a quantity of 0 */
  double weight;   /* factor of the rate in the equation */
} vd_trim_inner;

typedef struct vd_trim {
  const vd_model *m;
  double speed, upward; /* m/s, m/s2 */
  double ray[2];        /* along and across: unit vector of the ray */
  /* the components of the ray are ahead and to the left of the body; false: of the path */
  bool body_axes;
  double turn_rate;              /* rad/s; NAN: across/V */
  bool turns;                    /* the yaw acceleration is a result, and has no equation */
  double full_drive, full_brake; /* m/s2: PEDAL at full throttle; -PEDAL at full brake */
  int inners;
  vd_trim_inner inner[VD_TRIM_QUANTITIES - VD_TRIM_INNER];

  int count; /* number of unknowns and of equations */
  int unknown[VD_TRIM_QUANTITIES];
  /* the last equation is row . (z - from) = advance, in quantities divided by their scales, if `rowed' */
  bool rowed;
  double row[VD_TRIM_QUANTITIES], from[VD_TRIM_QUANTITIES], advance;

  double z[VD_TRIM_QUANTITIES], scale[VD_TRIM_QUANTITIES];
  /* results of the evaluation at z */
  vd_command c;
  vd_state_vector s;
  vd_eval e;
  double dx[VD_STATES];
  double accel[2];                     /* m/s2, along and across */
  double path[3], left[3], up[3];      /* T, N, Z in body axes */
  double residual[VD_TRIM_QUANTITIES]; /* scaled residuals of the equations */
  double weight[3];                    /* weights of vx', vy' and the yaw acceleration in the equations */
  long evaluations;
  bool has_inverse;
  /* inverse of the scaled Jacobian, [count][count]; the last member, since vd_trim_copy omits its unused part */
  double inverse[VD_TRIM_QUANTITIES * VD_TRIM_QUANTITIES];
} vd_trim;

/* Starts with the car straight ahead at a speed, m/s; gear: of an engine. The model must outlive t. False: the car has
 * no position of rest. */
bool vd_trim_start(const vd_model *m, double speed, int gear, vd_trim *t);

/* Copies all members except the unused part of the inverse, which is most of the struct. */
void vd_trim_copy(const vd_trim *from, vd_trim *to);

/* Chooses the unknowns: the listed quantities and all inner quantities. The list must have one quantity for each of
 * these equations: two for the velocities, one for the yaw acceleration unless t->turns, one for the row if `rowed'. */
void vd_trim_choose(vd_trim *t, const int *quantity, int count, bool rowed);

/* Evaluates the model at t->z. False: the model's rates failed. */
bool vd_trim_evaluate(vd_trim *t);

/* Solves the equations, starting from t->z, until the greatest scaled residual is at most `tolerance'. False: there is
 * no solution nearby; z is then undefined. */
bool vd_trim_solve(vd_trim *t, double tolerance);

/* Tolerances of the residual: vd_trim_exact for rates that are exact to rounding, vd_trim_passing for intermediate
 * points of a curve. */
extern const double vd_trim_exact, vd_trim_passing;

/* Computes the Jacobian at the evaluated point anew and inverts it. False: it is singular. */
bool vd_trim_renew(vd_trim *t);

/* Replaces the row of the last equation, which starts from the present z. */
void vd_trim_row(vd_trim *t, const double *row, double advance);

/* Computes the direction of the curve of solutions of all equations except the last. The length of the vector is 1 in
 * scaled unknowns. */
void vd_trim_tangent(const vd_trim *t, double *direction);

/* Returns the greatest deviation of a rate from its value in a steady state, m/s2 or rad/s2, at the evaluated point. */
double vd_trim_error(const vd_trim *t);

/* Returns the greatest scaled residual at the evaluated point. A residual of 1 is a missing force of about the weight
 * of the car, also at a wheel of small inertia, whose rate is large for a small force. */
double vd_trim_residual(const vd_trim *t);

/* Returns the index of a quantity among the unknowns; -1: the quantity is given. */
int vd_trim_index(const vd_trim *t, int quantity);

/* Replaces the state by its mirror image, and evaluates the model. False: the model's rates failed. */
bool vd_trim_mirror(vd_trim *t);

#endif
