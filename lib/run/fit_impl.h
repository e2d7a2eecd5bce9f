/* Shared by fit.c, fit_def.c, fit_tyre.c and fit_write.c. */
#ifndef VD_FIT_IMPL_H
#define VD_FIT_IMPL_H

#include "run/fit.h"

typedef struct vd_fit_output_info {
  const char *key, *unit; /* "fy", "N" */
  enum vd_point_quantity quantity;
} vd_fit_output_info;
extern const vd_fit_output_info vd_fit_outputs[VD_FIT_OUTPUTS];

/* Whether a stage compares an output of a row; not whether it was measured. */
bool vd_fit_takes(const vd_fit_settings *fit, int stage, const vd_fit_row *row, enum vd_fit_output output);

/* Outputs [count][VD_FIT_OUTPUTS] of a tyre at rows; aligning: Mz, too, else it is NAN. */
void vd_fit_evaluate(const vd_rig_def *rig, const vd_tyre_def *tyre, const vd_fit_row *const *row, size_t count,
                     bool aligning, double *out);

#endif
