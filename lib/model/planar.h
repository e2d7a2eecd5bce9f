/* The motion in the ground plane that L1 and L2 share: forces at the contact points, wheel spins, ledger.
 * At L1 both wheels of an axle share one lane on the car's centre line. */
#ifndef VD_PLANAR_H
#define VD_PLANAR_H

#include "model/model.h"

/* False: the load loop did not converge. */
bool vd_planar_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                     double *dx);

#endif
