/* Derivatives of the figures at the design position (kc/sweep.h) by the coordinates of the hardpoints, and by the rates
 * of bushings, ball joints, steering rods and spring.
 *
 * Points that stand in one place are one hardpoint and move together; so do a rod's point of a rigid axle and its
 * mirror image. The wheel keeps its radius, its toe and its camber; the road stays the design road of its centre; the
 * spring's load at design stays the file's, or follows the wheel's. */
#ifndef VD_KC_SENSITIVITY_H
#define VD_KC_SENSITIVITY_H

#include "kc/sweep.h"

enum {
  VD_HARDPOINTS = 3 * VD_MEMBERS + 23,
  VD_SENSITIVITIES = VD_KC_METRICS * (VD_HARDPOINTS * 3 + VD_MEMBERS * 13 + 3),
  VD_SENSITIVE_NAME = 64
};

typedef struct vd_sensitivity {
  int place; /* of its metric in the table of metrics, after which brake_slope and drive_slope come */
  const char *metric;
  char unit[VD_SENSITIVE_NAME];  /* of the derivative */
  char point[VD_SENSITIVE_NAME]; /* its key in a suspension file */
  int axis;                      /* 0 .. 2: x, y, z; -1: of a number */
  bool by_rate;                  /* not by a place, but by a share of a rate */
  double value;                  /* in the unit */
} vd_sensitivity;

/* All that exist, by metric, those by points before those by rates, the largest first. They use of the plan what the
 * metrics use. False, with a message: there is no linkage. A message also says which metrics there are not, and why;
 * the others are there. The caller must finish the report's messages. */
bool vd_kc_sensitivities(const vd_corner *corner, const vd_kc_plan *plan, vd_sensitivity *out, size_t *count,
                         vd_kc_report *report);

/* Writes them as CSV, metric,point,axis,derivative,unit, in the plan's digits. */
bool vd_kc_sensitivities_write(const vd_corner *corner, const vd_kc_plan *plan, vd_buf *out, vd_kc_report *report);

#endif
