/* Turn slip of a car's tyres; only for models with tyres that depend on it (vd_model.turn_slip). These functions are
 * not inlined, so that the steps of other models do not become slower. */
#ifndef VD_TURN_SLIP_H
#define VD_TURN_SLIP_H

#include "model/model.h"

/* Computes the constants of the lanes' contact twists at static load. */
void vd_turn_build(vd_model *m);

/* Computes turn slips. turning: rad/s, of the lanes' wheels about the road's normal, to the left. Reads spins and
 * contact velocities of e; writes turn slips of e, and the rates of the twists. */
void vd_turn_slips(const vd_model *m, const double *x, const double *turning, vd_eval *e);

/* Adds to dx the twists' rates, the part of the tyres' work that the twists store, and, up to L3, the work of the
 * aligning moments on the steered wheels, which the steering delivers. Called after the other works. At L4 and L5, and
 * on steering axes, the rotation of the knuckles is part of the equations, so the works contain it already. */
void vd_turn_ledger(const vd_model *m, const vd_command *c, const double *x, const vd_eval *e, double *dx);

/* Returns the energy of the twists, J. */
double vd_turn_energy(const vd_model *m, const double *x);

#endif
