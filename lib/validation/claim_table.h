/* Claims that the rows of a reference's table are reproduced: what a file says of one, and what is read. */
#ifndef VD_CLAIM_TABLE_H
#define VD_CLAIM_TABLE_H

#include "input/quantity.h"
#include "base/list.h"

#include <stdbool.h>
#include <stddef.h>

/* The quantities that a column of a reference's table may hold: VD_Q_ of it, its name in a file, its unit (NULL: that
 * of the column), whether it is of a tyre (else of a suspension), and whether it is an input (else it is compared). */
/* clang-format off */
#define VD_CLAIM_QUANTITY_ROWS(ROW) \
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
  ROW(CONTACT_LENGTH, "contact_length", "m", true, false) \
  ROW(CONTACT_WIDTH, "contact_width", "m", true, false) \
  ROW(TRAVEL, "travel", "m", false, true) \
  ROW(RACK, "rack", "m", false, true) \
  ROW(LOAD_FX, "load_fx", "N", false, true) /* loads of the road; any of them makes the rows equilibria */ \
  ROW(LOAD_FY, "load_fy", "N", false, true) \
  ROW(LOAD_FZ, "load_fz", "N", false, true) \
  ROW(LOAD_MZ, "load_mz", "N m", false, true) \
  ROW(LOAD_FX_CENTRE, "load_fx_centre", "N", false, true) \
  ROW(TOE, "toe", "rad", false, false) \
  ROW(CAMBER, "camber", "rad", false, false) \
  ROW(CASTER, "caster", "rad", false, false) \
  ROW(KPI, "kpi", "rad", false, false) \
  ROW(SCRUB, "scrub", "m", false, false) \
  ROW(TRAIL, "trail", "m", false, false) \
  ROW(WHEEL_DX, "wheel_dx", "m", false, false) /* from the design position */ \
  ROW(WHEEL_DY, "wheel_dy", "m", false, false) \
  ROW(HALF_TRACK, "half_track", "m", false, false) /* change of the patch's y */ \
  ROW(SPIN, "spin", "rad", false, false) \
  ROW(SUPPORT, "support", "N", false, false) /* force of the jack at the wheel centre, under loads */ \
  ROW(MOTION_RATIO, "motion_ratio", "1", false, false) \
  ROW(SPRING_LENGTH, "spring_length", "m", false, false) \
  ROW(ROLL_CENTRE, "roll_centre", "m", false, false) \
  ROW(ROLL_CENTRE_PLANES, "roll_centre_planes", "m", false, false) /* by the lines of the arms */ \
  ROW(TOE_TRAVEL, "toe_travel", "rad/m", false, false) /* derivatives are exact; gains are at design */ \
  ROW(CAMBER_TRAVEL, "camber_travel", "rad/m", false, false) \
  ROW(TRACK_TRAVEL, "track_travel", "1", false, false) \
  ROW(TOE_RACK, "toe_rack", "rad/m", false, false) \
  ROW(CASTER_RACK_SEED, "caster_rack_seed", "rad/m", false, false) \
  ROW(BRAKE_SLOPE, "brake_slope", "1", false, false) /* of the patch as a point of the knuckle, along by travel */ \
  ROW(DRIVE_SLOPE, "drive_slope", "1", false, false) /* of the wheel centre, along by travel */ \
  ROW(SWEPT, "swept", NULL, false, false) /* the column of vdsim-kc-sweep with the name of the table's, in its unit */
/* clang-format on */

#define VD_CLAIM_QUANTITY(id, name, unit, tyre, input) VD_Q_##id,
enum vd_claim_quantity { VD_CLAIM_QUANTITY_ROWS(VD_CLAIM_QUANTITY) VD_CLAIM_QUANTITIES };
#undef VD_CLAIM_QUANTITY

/* One column of a reference's table. */
typedef struct vd_claim_column_def {
  const char *column;  /* empty: a formula */
  const char *formula; /* formula of the table's columns by their names */
  int is;              /* enum vd_claim_quantity */
  const char *unit;    /* unit of the column's numbers; empty: SI */
  vd_names tolerance;  /* tolerance of what is compared; none: an input */
} vd_claim_column_def;

/* The keys of this kind alone. */
typedef struct vd_claim_table_def {
  const char *tyre;
  int sweep; /* 0: each row says its point, else 1 + enum vd_kc_sweep */
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
  double *value; /* one per row, SI */
} vd_claim_column;

typedef struct vd_claim_table {
  size_t rows;
  vd_claim_column *columns;
  size_t column_count;
} vd_claim_table;

#endif
