/* Computes columns as vdsim-kc-sweep writes them, for the rows of a reference's table. */
#ifndef VD_CLAIM_SWEEP_H
#define VD_CLAIM_SWEEP_H

#include "linkage/corner.h"
#include "validation/claim.h"

/* Computes a sweep with one point. input: values by quantity, SI; loaded: the forces of the input act. got: one number
 * per column of the claim, SI; only the numbers of swept columns are written. False: the sweep does not reach the
 * point. */
bool vd_claim_sweep_point(const vd_corner *corner, const vd_claim *claim, const double *input, bool loaded,
                          double *got);

/* Computes all rows of the claim's sweep with its default range; got has as many rows as the table. Returns the number
 * of rows of the sweep; -1: some rows are not reached, or there is no such sweep. */
long vd_claim_sweep_all(const vd_corner *corner, const vd_claim *claim, double *got);

#endif
