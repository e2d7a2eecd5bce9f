/* Turn slip of a car's tyres; only for models some of whose tyres depend on it (vd_model.turn_slip). Out of line, so
 * that the others' steps are as short as without. */
#ifndef VD_TURN_SLIP_H
#define VD_TURN_SLIP_H

#include "model/model.h"

/* Twists of the lanes' contacts at static load. */
void vd_turn_build(vd_model *m);

/* turning: rad/s, of the lanes' wheels about the road's normal, to the left. Reads spins and contact velocities of e;
 * writes turn slips of e, and the rates of the twists. */
void vd_turn_slips(const vd_model *m, const double *x, const double *turning, vd_eval *e);

/* Adds, after the other works, the twists' rates in dx, the energy that they keep of the work of the tyres, and, up to
 * L3, the work of the aligning moments on the wheels as they are steered, which the steering delivers. At L4 and L5,
 * and on steering axes, knuckles turn by themselves, so that it is in the works already. */
void vd_turn_ledger(const vd_model *m, const vd_command *c, const double *x, const vd_eval *e, double *dx);

/* Energy of the twists, J. */
double vd_turn_energy(const vd_model *m, const double *x);

#endif
