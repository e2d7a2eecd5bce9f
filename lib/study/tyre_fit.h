/* A fit of a tyre: stages take their rows (pure or combined slip), the outputs that they compare, and the figures that
 * they find; what earlier stages found is held. The rig's tyre is the start; figure_def.h says which figures there are.
 */
#ifndef VD_TYRE_FIT_H
#define VD_TYRE_FIT_H

#include "run/fit_def.h"

/* A measured row in SI; NAN: not measured. */
typedef struct vd_tyre_fit_row {
  double load, pressure, camber, vx, kappa, alpha; /* pressure NAN: the tyre's own */
  double tan_alpha;
  double measured[VD_FIT_OUTPUTS]; /* N, N m */
  double weight;
  size_t file, number; /* numbers of its file and of the row in it, from 1 */
} vd_tyre_fit_row;

typedef struct vd_tyre_fit {
  vd_tyre_fit_def def; /* first */
  vd_tyre_fit_row *row;
  size_t rows;
  bool has[VD_FIT_OUTPUTS]; /* some row has it */
  const vd_node *root;
} vd_tyre_fit;

typedef struct vd_fit_quality {
  size_t rows;
  double rms, largest, peak; /* N, N m: residuals with the final tyre, greatest measured magnitude */
  double scatter;            /* standard deviation of the noise, as the fit estimates it */
  size_t checked;            /* rows of weight 0, which take no part */
  double deviation;          /* greatest magnitude of their residuals */
} vd_fit_quality;

typedef struct vd_fit_stage {
  int stage;
  size_t rows, coefficients;
  int iterations;
  const char *left_out; /* figures of the group that the rows do not determine; "" */
  vd_fit_quality output[VD_FIT_OUTPUTS];
} vd_fit_stage;

#endif
