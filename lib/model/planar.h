/* The motion in the ground plane that L1 and L2 share: forces at the contact points, wheel spins, ledger.
 * L1 is the same car with each axle's two wheels in one lane on its centre line. */
#ifndef VD_PLANAR_H
#define VD_PLANAR_H

#include "model/model.h"

bool vd_planar_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                     double *dx);

#endif
