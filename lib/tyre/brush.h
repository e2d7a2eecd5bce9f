/* Brush tyre: elastic bristles under a parabolic pressure; see brush.c. */
#ifndef VD_BRUSH_H
#define VD_BRUSH_H

#include "tyre/tyre_model.h"

typedef struct vd_brush {
  double tread_stiffness; /* N/m2, force per metre of the bristles' deflection and metre of contact length */
  double patch_length;    /* m, at the nominal load */
  double nominal_load;    /* N */
} vd_brush;

extern const vd_tyre_variant vd_brush_variant;

#endif
