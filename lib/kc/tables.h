/* Tables of a wheel's path for cars that drive on such (compliance/wheel_tables_def.h), from hardpoints: what
 * vdsim-kc-sweep --tables writes. */
#ifndef VD_KC_TABLES_H
#define VD_KC_TABLES_H

#include "compliance/wheel_compliance.h"
#include "kc/sweep.h"

extern const char *const vd_kc_load_columns[VD_RIG_LOADS]; /* of a table of compliance: "fx_drive_N" .. */

typedef struct vd_kc_tables {
  vd_buf left, right; /* CSV; right is empty where the right wheel is the mirror image of the left one */
  vd_buf compliance;  /* CSV of the left wheel; empty of a rigid corner, and of wheels that an axle or a beam joins */
} vd_kc_tables;

/* +-120 mm of travel, or as far as the links let it, every 10 mm, or 20 mm with another input; the rack as far as it
 * turns the wheels by 0.62 rad, or as far as the links let it at all travels, every 20 mm, that of an axle every 10
 * mm. */
void vd_kc_tables_ranges(const vd_corner *corner, vd_kc_range *travel, vd_kc_range *rack);

/* Writes rows over the travel; over the rack too if the wheel is steered, or over the travel of the other wheel, to
 * which an axle or a beam joins it, and then the rack of an axle that steers. The compliance has rows under one load at
 * a time, at the design position and 50 mm over and under it, up to twice the wheel's load or 8 kN as far as the
 * bushings hold, without vertical load. False after a message: a point cannot be reached. The caller must finish *out
 * and the report's messages. */
bool vd_kc_tables_write(const vd_corner *corner, const vd_kc_range *travel, const vd_kc_range *rack,
                        enum vd_digits digits, vd_kc_tables *out, vd_kc_report *report);

/* The compliance alone, with rows at these travels, m. False: the corner is rigid, or joins its wheels. */
bool vd_kc_tables_compliance(const vd_corner *corner, const double *height, size_t heights, enum vd_digits digits,
                             vd_buf *out);

/* How that file begins. */
#define VD_KC_TABLES_START "# The wheel's path by the hardpoints of "

/* The file that names one of them, NAME.csv, for the key `kc` of an axle, or `right_kc`; and the compliance, if there
 * is one, NAME_compliance.csv. */
void vd_kc_tables_yaml(const vd_corner *corner, const char *name, bool compliance, vd_buf *out);

#endif
