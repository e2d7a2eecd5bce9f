/* Columns of vdsim-kc-sweep, as its users read them, for the rows of a reference's table. */
#ifndef VD_CLAIM_SWEEP_H
#define VD_CLAIM_SWEEP_H

#include "linkage/corner.h"
#include "validation/claim.h"

/* Computes a sweep of one point. input: by quantity, SI; loaded: under its forces. got: one per column of the claim,
 * SI, of which those that are swept are written. False: the sweep does not reach it. */
bool vd_claim_sweep_point(const vd_corner *corner, const vd_claim *claim, const double *input, bool loaded,
                          double *got);

/* Computes all rows of the claim's sweep, with its default range; got: as many rows as the table has. Returns how many
 * rows the sweep has; -1: not all are reached, or there is no such sweep. */
long vd_claim_sweep_all(const vd_corner *corner, const vd_claim *claim, double *got);

#endif
