/* Tables of kinematic curves: what vdsim-kc-sweep writes, or any CSV with columns like travel_mm,toe_deg,camber_deg.
 *
 * Values are kept in the units of the field: degrees, millimetres, and ratios. */
#ifndef VD_KC_TABLE_H
#define VD_KC_TABLE_H

#include "base/arena.h"
#include "input/diag.h"
#include "kc/kc.h"

enum vd_sweep { VD_SWEEP_TRAVEL, VD_SWEEP_RACK, VD_SWEEPS };

/* What can be compared, by its column. */
enum vd_curve_quantity {
  VD_CURVE_TOE,
  VD_CURVE_CAMBER,
  VD_CURVE_CASTER,
  VD_CURVE_KPI,
  VD_CURVE_HALF_TRACK,
  VD_CURVE_WHEEL_X,
  VD_CURVE_WHEEL_Y,
  VD_CURVE_PATCH_X,
  VD_CURVE_PATCH_Y,
  VD_CURVE_SCRUB,
  VD_CURVE_TRAIL,
  VD_CURVE_SPRING_LENGTH,
  VD_CURVE_MOTION_RATIO,
  VD_CURVE_ROLL_CENTRE,
  VD_CURVES
};

typedef struct vd_curve_column {
  const char *name; /* as vdsim-kc-sweep writes it: "toe_deg" */
  const char *unit; /* "deg", "mm" or "1" */
  bool change;      /* compared by its change from the design position: its origin is the file's own */
  bool radius;      /* needs the wheel's loaded radius */
} vd_curve_column;

extern const vd_curve_column vd_curve_columns[VD_CURVES];
extern const char *const vd_sweep_names[]; /* "travel", "rack" */

typedef struct vd_kc_curves {
  size_t count;
  double *at;               /* mm, rising */
  double *value[VD_CURVES]; /* [count]; NULL: no such column, or all of it empty; NAN: an empty field */
} vd_kc_curves;

typedef struct vd_kc_table {
  vd_kc_curves sweep[VD_SWEEPS]; /* count 0: not there */
} vd_kc_table;

/* Reads a registered source. A column `sweep` says to which sweep a row belongs; without it a row belongs to a sweep if
 * it has no force and its other input is zero or missing. Of rows with a column `other_travel` those of
 * parallel travel are read. If there is a column `side`, only rows of the left wheel are
 * read. Other columns are ignored; lengths may be in _m, angles in _rad. */
bool vd_kc_table_read(int source, vd_arena *arena, vd_diag *d, vd_kc_table *out);

/* The value of a curve: its row if there is one at x (mm), else on the cubic through four rows around; NAN outside of
 * the rows and where there is no number. */
double vd_kc_curve_value(const vd_kc_curves *c, enum vd_curve_quantity q, double x);

/* The slope at x = 0 by the row there and up to two to either side: with even steps the central difference,
 * extrapolated after Richardson if there are two. False if there are no rows on both sides. */
bool vd_kc_curve_slope(const vd_kc_curves *c, enum vd_curve_quantity q, double *slope);

#endif
