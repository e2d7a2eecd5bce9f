/* Steering whose wheel angles depend on the state (lag, column, rear wheels), and the moments about steering axes.
 * These functions are not inlined, so cars without such a steering do not become slower.
 *
 * Column. The steering wheel (angle w, inertia J_w) turns the gear (angle g, inertia J_g of all parts that turn with
 * the front wheels) through a torsion bar; both angles are referred to the steering wheel. The mean angle of the front
 * wheels is d(g), by the steering ratio.
 *
 *   J_w w'' = T - B - c_w w' - F_w,                    B = K (w - g) + c_t (w' - g')
 *   J_g g'' = B + A(v, K (w - g)) - c_g g' - F_g + Q d'(g) - stop
 *
 * T is the torque of the hands, A the torque of the assistance, F_w and F_g are frictions that can stick
 * (vehicle/steering.h), and Q is the moment of the road, the spins and the suspension on the mean angle, by virtual
 * work: the moment of every front wheel on its own angle, times the slope of this angle over the mean; for linkages the
 * force of the links on the rack, times the slope of the rack. Hands that prescribe the angle deliver T = B + c_w w' +
 * F_w, and the kinetic energy of the wheel as work (vd_steered_take_hold): this T does not contain the inertia of the
 * wheel, because w'' is not known at the corners of an input.
 *
 * Wheels on steering axes (L1 to L3, L5 on hubs and struts) turn about these axes: their contact points move with the
 * angle, and the same arm appears in slips and in moments. Unsprung masses do not move, as at L4. At L1 and L2 the car
 * has no height: the work by which the loads lift it is counted as work from outside. */
#ifndef VD_STEERED_H
#define VD_STEERED_H

#include "model/model.h"

/* Steering axes by wheel, from m->kingpin. */
typedef struct vd_steered_wheels {
  double move[3][VD_WHEELS], move_slope[3][VD_WHEELS]; /* m, m/rad, by vd_kingpin_pose */
  double axle[3][VD_WHEELS], axle_slope[3][VD_WHEELS];
  double turn[3][VD_WHEELS];
} vd_steered_wheels;

/* Sets the flags and constants of the model. */
void vd_steered_build(vd_model *m);

/* Sets the wheel angles from the state. own: a copy of the driver's command. */
void vd_steered_set_angles(const vd_model *m, const double *x, vd_command *own);

/* Computes the places of wheels at their angles about their steering axes; rear wheels turn about upright axes in their
 * middle planes. */
void vd_steered_poses(const vd_model *m, const vd_command *c, vd_steered_wheels *w);

/* Computes the derivatives of the contact points by the wheels' angles at L1 and L2. Writes arms of e. */
void vd_steered_arms(const vd_model *m, const vd_command *c, vd_eval *e);

/* Adds the steering to the level's rates. own: the command with the wheels' angles; c: the driver's. Writes moments of
 * e, and rates of the column and works to dx. */
void vd_steered_rates(const vd_model *m, const vd_command *c, const vd_command *own, const double *x,
                      const double *mode, vd_eval *e, double *dx);

/* Starts the column and the rear wheels at a speed, m/s. */
void vd_steered_start(const vd_model *m, const vd_command *c, double speed, vd_state_vector *s);

/* Sets the state to the angle and rate of hands that prescribe the steering wheel angle, at the end of a step and after
 * a corner. twisted: after a corner the prescribed angle may differ from that of the wheel, which twists the bar. */
void vd_steered_take_hold(const vd_model *m, const vd_command *c, bool twisted, vd_state_vector *s);

/* Write for the log: vd_steered_observe the angles of steering wheel and column; vd_steered_torque, without a column,
 * the torque at the steering wheel that balances the road, without friction, mass and assistance of the steering. If
 * linkages guide the wheels, this torque follows from the force on the rack. Otherwise wheels turn about their steering
 * axes or, for cars with neither axes nor column, about upright axes in their middle planes, `trail` ahead of the
 * contact. */
void vd_steered_observe(const vd_model *m, const vd_command *c, const vd_state_vector *s, vd_eval *e);
void vd_steered_torque(const vd_model *m, vd_eval *e);

/* Returns the energy of the column's masses, torsion bar, stops and frictions, J. */
double vd_steered_energy(const vd_model *m, const vd_command *c, const double *x);

#endif
