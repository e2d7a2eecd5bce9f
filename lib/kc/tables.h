/* Tables of a wheel's path, computed from hardpoints, for cars that drive on tables (compliance/wheel_tables_def.h).
 * vdsim-kc-sweep --tables writes them. */
#ifndef VD_KC_TABLES_H
#define VD_KC_TABLES_H

#include "compliance/wheel_compliance.h"
#include "kc/sweep.h"

/* Names of the loads' columns in a table of compliance: "fx_drive_N" .. */
extern const char *const vd_kc_load_columns[VD_RIG_LOADS];

typedef struct vd_kc_tables {
  vd_buf left, right; /* CSV; right is empty if the right wheel is the mirror image of the left one */
  vd_buf compliance;  /* CSV of the left wheel; empty for a rigid corner, and for wheels that an axle or a beam joins */
} vd_kc_tables;

/* Computes the default ranges: +-120 mm of travel, or as far as the links allow, in steps of 10 mm, or of 20 mm if
 * there is another input. The rack covers 0.62 rad of steering, or what the links allow at all travels, in steps of 20
 * mm (10 mm for an axle). */
void vd_kc_tables_ranges(const vd_corner *corner, vd_kc_range *travel, vd_kc_range *rack);

/* Writes rows over the travel, and over the rack if the wheel is steered. If an axle or a beam joins both wheels, the
 * rows are over both travels, and for an axle that steers also over its rack. The compliance has rows with one load at
 * a time, without vertical load, at the design position and, if the travel reaches so far, 50 mm above and below it.
 * Loads go up to twice the wheel's load, or 8 kN, as far as there are equilibria. False after a message: a point cannot
 * be reached. The caller must finish *out and the report's messages. */
bool vd_kc_tables_write(const vd_corner *corner, const vd_kc_range *travel, const vd_kc_range *rack,
                        enum vd_digits digits, vd_kc_tables *out, vd_kc_report *report);

/* Writes the compliance only, with rows at the travels `height', m. False: the corner is rigid, or joins its wheels. */
bool vd_kc_tables_compliance(const vd_corner *corner, const double *height, size_t heights, enum vd_digits digits,
                             vd_buf *out);

/* First words of the file that vd_kc_tables_yaml writes. */
#define VD_KC_TABLES_START "# The wheel's path by the hardpoints of "

/* Writes the YAML file for the key `kc' of an axle, or `right_kc', which names the table of a wheel, NAME.csv, and its
 * compliance, NAME_compliance.csv, if there is one. */
void vd_kc_tables_yaml(const vd_corner *corner, const char *name, bool compliance, vd_buf *out);

#endif
