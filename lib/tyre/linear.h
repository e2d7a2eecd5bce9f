/* Linear tyre: constant stiffnesses up to the friction circle; see linear.c. */
#ifndef VD_LINEAR_H
#define VD_LINEAR_H

#include "tyre/tyre_model.h"

typedef struct vd_linear_tyre {
  double cornering_stiffness;    /* N/rad, one tyre */
  double longitudinal_stiffness; /* N per unit slip */
} vd_linear_tyre;

/* Four tyres side by side. */
typedef struct vd_linear_four {
  double longitudinal[VD_WHEELS], cornering[VD_WHEELS], friction[VD_WHEELS], trail[VD_WHEELS];
} vd_linear_four;

extern const vd_tyre_variant vd_linear_variant;

#endif
