/* Tables of kinematic curves, as vdsim-kc-sweep writes them, or any CSV with columns like travel_mm,toe_deg,camber_deg.
 *
 * Values are kept in the units of the field: degrees, millimetres, and ratios. */
#ifndef VD_KC_TABLE_H
#define VD_KC_TABLE_H

#include "base/arena.h"
#include "input/diag.h"
#include "kc/sweep.h"

/* Figures that can be compared: end of the name VD_CURVE_...; whether only the change from the design position is
 * compared, because the origin is arbitrary; whether the figure needs the wheel's loaded radius. */
/* clang-format off */
#define VD_CURVE_ROWS(ROW) \
  ROW(TOE, false, false) ROW(CAMBER, false, false) ROW(CASTER, false, false) ROW(KPI, false, false) \
  ROW(HALF_TRACK_CHANGE, false, false) ROW(WHEEL_X, true, false) ROW(WHEEL_Y, true, false) \
  ROW(PATCH_X, true, true) ROW(PATCH_Y, true, true) ROW(SCRUB, false, true) ROW(TRAIL, false, true) \
  ROW(SPRING_LENGTH, true, false) ROW(MOTION_RATIO, false, false) ROW(ROLL_CENTRE_Z, false, true)
/* clang-format on */

#define VD_CURVE(id, ...) VD_CURVE_##id,
enum vd_curve_quantity { VD_CURVE_ROWS(VD_CURVE) VD_CURVES };
#undef VD_CURVE

typedef struct vd_curve_column {
  enum vd_kc_figure figure;
  bool change, radius;
} vd_curve_column;

extern const vd_curve_column vd_curve_columns[VD_CURVES];
const vd_kc_figure_info *vd_curve_figure(int quantity);

typedef struct vd_kc_curves {
  size_t count;
  double *at;               /* mm, rising */
  double *value[VD_CURVES]; /* [count]; NULL: there is no such column, or all of it is empty; NAN: an empty field */
} vd_kc_curves;

typedef struct vd_kc_table {
  vd_kc_curves sweep[VD_SWEEPS]; /* count 0: the table does not have this sweep */
} vd_kc_table;

/* Reads a registered source. A column `sweep` tells to which sweep a row belongs; without this column a row belongs to
 * a sweep if it has no force and its other input is zero or missing. If there is a column `other_travel`, only rows of
 * parallel travel are read; if there is a column `side`, only rows of the left wheel. Other columns are ignored;
 * lengths may be in _m, angles in _rad. */
bool vd_kc_table_read(int source, vd_arena *arena, vd_diag *d, vd_kc_table *out);

/* Returns the value of a curve at x (mm): that of the row at x if there is one, otherwise that of the cubic through
 * four rows around x; NAN outside of the rows and where there is no number. */
double vd_kc_curve_value(const vd_kc_curves *c, enum vd_curve_quantity q, double x);

/* Computes the slope at x = 0 by the polynomial through the row there and up to two rows on each side. False: one of
 * the sides has no row. */
bool vd_kc_curve_slope(const vd_kc_curves *c, enum vd_curve_quantity q, double *slope);

#endif
