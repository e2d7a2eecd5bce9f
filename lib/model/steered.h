/* Steering whose wheels' angles depend on the state (lag, column, rear wheels), and the moments about its axes. Out of
 * line: cars without it do not pay for it.
 *
 * Column. The steering wheel (angle w, inertia J_w) turns the gear (angle g, inertia J_g, all that turns with the
 * front wheels) through a torsion bar; both angles count at the steering wheel. The mean angle of the front wheels
 * is d(g), by the ratio.
 *
 *   J_w w'' = T - B - c_w w' - F_w,                    B = K (w - g) + c_t (w' - g')
 *   J_g g'' = B + A(v, K (w - g)) - c_g g' - F_g + Q d'(g) - stop
 *
 * T is the torque of the hands, A the torque of the assistance, F_w and F_g are frictions that hold
 * (vehicle/steering.h), and Q is the moment of the road, the spins and the suspension on the mean angle, by virtual
 * work: the moment of every front wheel on its own angle, times the slope of this angle over the mean; for linkages
 * the force of the links on the rack, times the slope of the rack. Hands that turn the wheel by an angle deliver T =
 * B + c_w w' + F_w, and its kinetic energy as work (vd_steered_take_hold): its inertia is not in this T, for w'' is not
 * known at the corners of an input.
 *
 * Wheels on steering axes (L1 to L3, L5 on hubs and struts) turn about them: their contact points move with the angle,
 * by an arm that is in the slips as it is in the moments. Unsprung masses do not, as at L4. At L1 and L2 the car has no
 * height: the work by which the loads lift it comes from outside. */
#ifndef VD_STEERED_H
#define VD_STEERED_H

#include "model/model.h"

/* Steering axes by wheel, from m->kingpin. */
typedef struct vd_steered_wheels {
  double move[3][VD_WHEELS], move_slope[3][VD_WHEELS]; /* m, m/rad, by vd_kingpin_pose */
  double axle[3][VD_WHEELS], axle_slope[3][VD_WHEELS];
  double turn[3][VD_WHEELS];
} vd_steered_wheels;

/* The flags and constants of the model. */
void vd_steered_build(vd_model *m);

/* The command that the wheels have: angles from the state. own: a copy of the driver's. */
void vd_steered_set_angles(const vd_model *m, const double *x, vd_command *own);

/* Wheels at their angles about their steering axes; rear ones about upright axes in their middle planes. */
void vd_steered_poses(const vd_model *m, const vd_command *c, vd_steered_wheels *w);

/* L1, L2: arms of the contact points by the wheels' angles. Writes arms of e. */
void vd_steered_arms(const vd_model *m, const vd_command *c, vd_eval *e);

/* Adds the steering to the level's rates. own: the wheels' command; c: the driver's. Writes moments of e; rates of the
 * column and works of dx. */
void vd_steered_rates(const vd_model *m, const vd_command *c, const vd_command *own, const double *x,
                      const double *mode, vd_eval *e, double *dx);

/* The column and the rear wheels at the start, at a speed, m/s. */
void vd_steered_start(const vd_model *m, const vd_command *c, double speed, vd_state_vector *s);

/* Gives the state the angle and the rate of hands that turn the wheel by an angle: at the end of a step, and (twisted:
 * the hands may take hold of a wheel at another angle) after a corner. */
void vd_steered_take_hold(const vd_model *m, const vd_command *c, bool twisted, vd_state_vector *s);

/* For the log: angles of steering wheel and column; and, without a column, the torque at the steering wheel that
 * balances the road without friction, mass or assistance between. Where linkages guide the wheels, they transmit it
 * from the rack; elsewhere wheels turn about their steering axes or, of cars with neither axes nor column, about
 * upright axes in their middle planes, `trail` ahead of the contact. */
void vd_steered_observe(const vd_model *m, const vd_command *c, const vd_state_vector *s, vd_eval *e);
void vd_steered_torque(const vd_model *m, vd_eval *e);

/* J, of the column's masses, torsion bar, stops and frictions. */
double vd_steered_energy(const vd_model *m, const vd_command *c, const double *x);

#endif
