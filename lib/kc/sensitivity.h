/* Derivatives of the figures at the design position by the coordinates of the hardpoints, exact.
 *
 * Points that stand in one place are one hardpoint and move together; so do a rod's point of a rigid axle and its
 * mirror image. The wheel keeps its radius, its toe and its camber; the road stays the design road of its centre. */
#ifndef VD_KC_SENSITIVITY_H
#define VD_KC_SENSITIVITY_H

#include "base/text.h"
#include "kc/kc.h"

typedef struct vd_sensitivity {
  const char *metric, *unit; /* of the derivative */
  const char *point;         /* its key in a suspension file */
  int axis;                  /* 0 .. 2: x, y, z */
  double value;              /* in the unit */
} vd_sensitivity;

enum { VD_SENSITIVE = 23, VD_SENSITIVITIES = VD_SENSITIVE * (3 * VD_MEMBERS + 1) * 3 };

/* All that exist, by metric, the largest first. false: there is no linkage, or
 * it is an axle that steers, whose knuckles have no derivatives by hardpoints. */
bool vd_kc_sensitivities(const vd_corner *corner, vd_sensitivity *out, size_t *count);

/* As CSV: metric,point,axis,derivative,unit. */
bool vd_kc_sensitivities_write(const vd_corner *corner, bool exact, vd_buf *out);

#endif
