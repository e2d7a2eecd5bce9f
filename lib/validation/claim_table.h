/* Keys and data of claims that the rows of a reference's table are reproduced. */
#ifndef VD_CLAIM_TABLE_H
#define VD_CLAIM_TABLE_H

#include "input/quantity.h"
#include "base/list.h"

#include <stdbool.h>
#include <stddef.h>

/* Quantities of the columns of a reference's table. ROW: id of VD_Q_, name in a file, unit (NULL: the unit of the
 * column), true: of a tyre, false: of a suspension; true: an input, false: compared. FIGURE: id of VD_Q_, name in a
 * file, the figure of kinematics whose value in SI is compared, and the state to which it belongs: the row's pose, the
 * change from the design position to this pose, or the design position. */
/* clang-format off */
#define VD_CLAIM_QUANTITY_ROWS(ROW, FIGURE) \
  ROW(LOAD, "load", "N", true, true) \
  ROW(KAPPA, "kappa", "1", true, true) \
  ROW(ALPHA, "alpha", "rad", true, true) \
  ROW(GAMMA, "gamma", "rad", true, true) /* camber, top to the right > 0 */ \
  ROW(PRESSURE, "pressure", "Pa", true, true) \
  ROW(SPEED, "speed", "m/s", true, true) \
  ROW(CURVATURE, "curvature", "1/m", true, true) /* turn slip */ \
  ROW(FX, "fx", "N", true, false) \
  ROW(FY, "fy", "N", true, false) \
  ROW(MX, "mx", "N m", true, false) \
  ROW(MY, "my", "N m", true, false) \
  ROW(MZ, "mz", "N m", true, false) \
  ROW(PNEUMATIC_TRAIL, "pneumatic_trail", "m", true, false) \
  ROW(RESIDUAL_MOMENT, "residual_moment", "N m", true, false) \
  ROW(MU_X, "mu_x", "1", true, false) \
  ROW(MU_Y, "mu_y", "1", true, false) \
  ROW(SLIP_STIFFNESS, "slip_stiffness", "N", true, false) \
  ROW(CORNERING_STIFFNESS, "cornering_stiffness", "N/rad", true, false) \
  ROW(SIGMA_X, "sigma_x", "m", true, false) \
  ROW(SIGMA_Y, "sigma_y", "m", true, false) \
  ROW(RE, "re", "m", true, false) \
  ROW(LOADED_RADIUS, "loaded_radius", "m", true, false) \
  ROW(CONTACT_LENGTH, "contact_length", "m", true, false) \
  ROW(CONTACT_WIDTH, "contact_width", "m", true, false) \
  ROW(TRAVEL, "travel", "m", false, true) \
  ROW(RACK, "rack", "m", false, true) \
  ROW(LOAD_FX, "load_fx", "N", false, true) /* loads of the road; with any load column the rows are equilibria on
                                             * bushings */ \
  ROW(LOAD_FY, "load_fy", "N", false, true) \
  ROW(LOAD_FZ, "load_fz", "N", false, true) \
  ROW(LOAD_MZ, "load_mz", "N m", false, true) \
  ROW(LOAD_FX_CENTRE, "load_fx_centre", "N", false, true) \
  FIGURE(TOE, "toe", TOE, POSE) \
  FIGURE(CAMBER, "camber", CAMBER, POSE) \
  FIGURE(CASTER, "caster", CASTER, POSE) \
  FIGURE(KPI, "kpi", KPI, POSE) \
  FIGURE(SCRUB, "scrub", SCRUB, POSE) \
  FIGURE(TRAIL, "trail", TRAIL, POSE) \
  FIGURE(WHEEL_DX, "wheel_dx", WHEEL_X, CHANGE) \
  FIGURE(WHEEL_DY, "wheel_dy", WHEEL_Y, CHANGE) \
  FIGURE(HALF_TRACK, "half_track", PATCH_Y, CHANGE) \
  FIGURE(SPIN, "spin", WHEEL_SPIN, POSE) \
  ROW(SUPPORT, "support", "N", false, false) /* force of the jack at the wheel centre, under loads */ \
  FIGURE(MOTION_RATIO, "motion_ratio", MOTION_RATIO, POSE) \
  FIGURE(SPRING_LENGTH, "spring_length", SPRING_LENGTH, POSE) \
  FIGURE(ROLL_CENTRE, "roll_centre", ROLL_CENTRE_Z, POSE) \
  FIGURE(ROLL_CENTRE_PLANES, "roll_centre_planes", ROLL_CENTRE_PLANES_Z, POSE) \
  FIGURE(TOE_TRAVEL, "toe_travel", TOE_TRAVEL, DESIGN) \
  FIGURE(CAMBER_TRAVEL, "camber_travel", CAMBER_TRAVEL, DESIGN) \
  FIGURE(TRACK_TRAVEL, "track_travel", TRACK_TRAVEL, DESIGN) \
  FIGURE(TOE_RACK, "toe_rack", TOE_RACK, DESIGN) \
  FIGURE(CASTER_RACK_SEED, "caster_rack_seed", CASTER_RACK_SEED, DESIGN) \
  FIGURE(BRAKE_SLOPE, "brake_slope", BRAKE_SLOPE, POSE) \
  FIGURE(DRIVE_SLOPE, "drive_slope", DRIVE_SLOPE, POSE) \
  ROW(SWEPT, "swept", NULL, false, false) /* the column of vdsim-kc-sweep that has this column's name and unit */
/* clang-format on */

#define VD_CLAIM_QUANTITY(id, ...) VD_Q_##id,
enum vd_claim_quantity { VD_CLAIM_QUANTITY_ROWS(VD_CLAIM_QUANTITY, VD_CLAIM_QUANTITY) VD_CLAIM_QUANTITIES };
#undef VD_CLAIM_QUANTITY

/* One column of a reference's table. */
typedef struct vd_claim_column_def {
  const char *column;  /* empty: a formula */
  const char *formula; /* formula of the table's columns by their names */
  int is;              /* enum vd_claim_quantity */
  const char *unit;    /* unit of the column's numbers; empty: SI */
  vd_names tolerance;  /* tolerance of a compared quantity; none: it is an input */
} vd_claim_column_def;

/* The keys that only this kind has. */
typedef struct vd_claim_table_def {
  const char *tyre;
  /* 0: each row of the table gives its point; otherwise 1 + enum vd_kc_sweep: the table has the rows of this sweep */
  int sweep;
  vd_names only;
  vd_structs columns; /* vd_claim_column_def */
} vd_claim_table_def;

/* A column of a reference's table, in SI. */
typedef struct vd_claim_column {
  const char *name; /* name of the column, or the formula */
  enum vd_claim_quantity is;
  vd_unit unit;
  bool compared;
  vd_tolerance tolerance;
  double *value; /* one for each row, SI */
} vd_claim_column;

typedef struct vd_claim_table {
  size_t rows;
  vd_claim_column *columns;
  size_t column_count;
} vd_claim_table;

#endif
