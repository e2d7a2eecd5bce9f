/* Derivatives of the figures in the design position (kc/sweep.h) by the coordinates of the hardpoints, and by the rates
 * of bushings, ball joints, steering rods and spring.
 *
 * Points at the same place are one hardpoint and move together; so do a rod's point of a rigid axle and its mirror
 * image. The wheel keeps its radius, toe and camber; the road remains the design road of the wheel centre; the spring's
 * load in the design position remains that of the file, or follows the wheel's load. */
#ifndef VD_KC_SENSITIVITY_H
#define VD_KC_SENSITIVITY_H

#include "kc/sweep.h"

enum {
  VD_HARDPOINTS = 3 * VD_MEMBERS + 23,
  VD_SENSITIVITIES = VD_KC_METRICS * (VD_HARDPOINTS * 3 + VD_MEMBERS * 13 + 3),
  VD_SENSITIVE_NAME = 64
};

typedef struct vd_sensitivity {
  int place; /* index of its metric in the table of metrics; brake_slope and drive_slope come after the last one */
  const char *metric;
  char unit[VD_SENSITIVE_NAME];  /* of the derivative */
  char point[VD_SENSITIVE_NAME]; /* its key in a suspension file */
  int axis;                      /* 0 .. 2: x, y, z; -1: the derivative is by a number */
  bool by_rate;                  /* the derivative is by a rate, per % of it, not by a place */
  double value;                  /* the derivative in `unit' */
} vd_sensitivity;

/* Lists all derivatives that exist, by metric, places before rates, the largest magnitude first. Reads the same parts
 * of the plan as the metrics do. False, with a message: there is no linkage. A message also names the metrics that do
 * not exist, with the reason; derivatives of all other metrics are listed. The caller must finish the report's
 * messages. */
bool vd_kc_sensitivities(const vd_corner *corner, const vd_kc_plan *plan, vd_sensitivity *out, size_t *count,
                         vd_kc_report *report);

/* Writes the list as CSV, metric,point,axis,derivative,unit, with the plan's digits. */
bool vd_kc_sensitivities_write(const vd_corner *corner, const vd_kc_plan *plan, vd_buf *out, vd_kc_report *report);

#endif
