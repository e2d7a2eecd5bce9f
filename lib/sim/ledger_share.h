/* The ledger residual as a share of the energy that passed through the run.
 *
 * The residual, energy less initial energy less work, is an energy from nothing or into nothing. What it is compared
 * with is the greatest sum so far of the kinetic energy and the magnitudes of all works: no energy reaches heights,
 * springs or tyres except through these. A car at rest has none; therefore the energy is added that its springs and
 * tyres hold under the static loads F on their stiffnesses k, sum of F^2/(2 k): some 1000 J for a car of 1500 kg, as
 * much as it has at 1.2 m/s. */
#ifndef VD_LEDGER_SHARE_H
#define VD_LEDGER_SHARE_H

#include "model/model.h"

typedef struct vd_ledger_share {
  double rest;     /* J, of springs and tyres under the static loads */
  double passed;   /* J, greatest turnover so far */
  double share;    /* the greatest so far; NAN: some residual was not finite */
  double residual; /* J, there */
  double x, y;     /* m, world, of the centre of gravity there */
  double from, to; /* s: between these instants the residual reached its value there */
  double seen;     /* s, the last instant */
} vd_ledger_share;

void vd_ledger_share_start(const vd_model *m, vd_ledger_share *l);
/* Takes an evaluation that is complete (vd_model_observe); instants do not fall. */
void vd_ledger_share_add(const vd_eval *e, double t, vd_ledger_share *l);

#endif
