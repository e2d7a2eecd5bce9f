/* Keys and data of claims that the curve of a reference lies within tolerances around the curve of a run. */
#ifndef VD_CLAIM_BOUNDARY_H
#define VD_CLAIM_BOUNDARY_H

#include "input/measured.h"
#include "sim/channel.h"

/* A curve of a run with the tolerances of a boundary check (ISO 19364, ISO 19365). */
typedef struct vd_claim_curve_def {
  const char *x, *y; /* channels, and columns of the reference */
  /* columns of the reference, if their names differ from the channels or they are not in SI */
  vd_column_def column_x, column_y;
  const char *x_offset, *x_gain, *y_offset, *y_gain;
} vd_claim_curve_def;

extern const struct vd_schema vd_claim_curve_schema;

/* Tolerances of a curve: each coordinate has an offset (SI) and a share of its magnitude. */
typedef struct vd_claim_curve {
  const vd_channel *x, *y;
  double x_offset, x_gain, y_offset, y_gain;
  size_t count;
  const double *reference_x, *reference_y;
} vd_claim_curve;

typedef struct vd_claim_boundary {
  vd_claim_curve *curves;
  size_t count;
} vd_claim_boundary;

#endif
