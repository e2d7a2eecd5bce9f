/* Turn slip of a car's tyres; only for models some of whose tyres depend on it (vd_model.turns). Out of line, so that
 * the others' steps are as short as without. */
#ifndef VD_TURN_SLIP_H
#define VD_TURN_SLIP_H

#include "model/model.h"

/* Twists of the lanes' contacts at static load. */
void vd_turn_build(vd_model *m);

/* turning: rad/s, of the lanes' wheels about the road's normal, to the left. Reads spins and contact velocities of e;
 * writes turn slips of e, and the rates of the twists. */
void vd_turn_slips(const vd_model *m, const double *x, const double *turning, vd_eval *e);

/* After the other works: the twists' rates in dx, and the energy that they keep of the work of the tyres. */
void vd_turn_ledger(const vd_model *m, const double *x, const vd_eval *e, double *dx);

/* Where knuckles do not turn by themselves against the body (L1 to L3): the aligning moments at the rates by which the
 * wheels are steered. The steering delivers what the tyres take. */
void vd_turn_steering(const vd_model *m, const vd_command *c, const vd_eval *e, double *dx);

/* Energy of the twists, J. */
double vd_turn_energy(const vd_model *m, const double *x);

#endif
