/* Fiala's tyre in the form of Adams/Tire; see fiala.c. */
#ifndef VD_FIALA_H
#define VD_FIALA_H

#include "tyre/tyre_model.h"

typedef struct vd_fiala {
  double longitudinal_stiffness; /* N, CSLIP */
  double cornering_stiffness;    /* N/rad, CALPHA */
  double sliding_friction;       /* UMIN; UMAX is the tyre's friction */
  double width;                  /* m, WIDTH */
} vd_fiala;

extern const vd_tyre_variant vd_fiala_variant;

#endif
