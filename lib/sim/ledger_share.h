/* The ledger residual as a share of the energy that passed through the run.
 *
 * The residual is energy minus initial energy minus work, an energy that appears or disappears without a cause. It is
 * compared with the greatest sum so far of the kinetic energy and the magnitudes of all works: energies of height,
 * springs and tyres come only from these. At rest the sum is zero. Therefore the energy of the car's springs and tyres
 * under the static loads F is added, the sum of F^2/(2 k) over all stiffnesses k: about 1000 J for a car of 1500 kg, as
 * much as its kinetic energy at 1.2 m/s. */
#ifndef VD_LEDGER_SHARE_H
#define VD_LEDGER_SHARE_H

#include "model/model.h"

typedef struct vd_ledger_share {
  double rest;     /* J, energy of springs and tyres under the static loads */
  double passed;   /* J, greatest sum so far of kinetic energy and works */
  double share;    /* the greatest so far; NAN: some residual was not finite */
  double residual; /* J, residual of the greatest share */
  double x, y;     /* m, world, centre of gravity at the instant of the greatest share */
  double from, to; /* s: the residual reached its value between these instants */
  double seen;     /* s, the latest instant */
} vd_ledger_share;

void vd_ledger_share_start(const vd_model *m, vd_ledger_share *l);
/* Adds an evaluation that is complete (vd_model_observe); instants must not decrease. */
void vd_ledger_share_add(const vd_eval *e, double t, vd_ledger_share *l);

#endif
