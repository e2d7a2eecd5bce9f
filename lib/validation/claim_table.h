/* Claims that the rows of a reference's table are reproduced: what a file says of one, and what is read. */
#ifndef VD_CLAIM_TABLE_H
#define VD_CLAIM_TABLE_H

#include "input/quantity.h"
#include "base/list.h"

#include <stdbool.h>
#include <stddef.h>

/* What a column of a reference's table may hold. */
enum vd_claim_quantity {
  VD_Q_LOAD, /* of a tyre: in */
  VD_Q_KAPPA,
  VD_Q_ALPHA,
  VD_Q_GAMMA, /* camber, top to the right > 0 */
  VD_Q_PRESSURE,
  VD_Q_SPEED,
  VD_Q_CURVATURE, /* turn slip */
  VD_Q_FX,        /* out */
  VD_Q_FY,
  VD_Q_MX,
  VD_Q_MY,
  VD_Q_MZ,
  VD_Q_PNEUMATIC_TRAIL,
  VD_Q_RESIDUAL_MOMENT,
  VD_Q_MU_X,
  VD_Q_MU_Y,
  VD_Q_SLIP_STIFFNESS,
  VD_Q_CORNERING_STIFFNESS,
  VD_Q_SIGMA_X,
  VD_Q_SIGMA_Y,
  VD_Q_RE,
  VD_Q_CONTACT_LENGTH,
  VD_Q_CONTACT_WIDTH,
  VD_Q_TRAVEL, /* of a suspension: in */
  VD_Q_RACK,
  VD_Q_LOAD_FX, /* of the road, as vd_wheel_load; any of them makes the rows equilibria */
  VD_Q_LOAD_FY,
  VD_Q_LOAD_FZ,
  VD_Q_LOAD_MZ,
  VD_Q_LOAD_FX_CENTRE,
  VD_Q_TOE, /* out */
  VD_Q_CAMBER,
  VD_Q_CASTER,
  VD_Q_KPI,
  VD_Q_SCRUB,
  VD_Q_TRAIL,
  VD_Q_WHEEL_DX, /* from the design position */
  VD_Q_WHEEL_DY,
  VD_Q_HALF_TRACK, /* change of the patch's y */
  VD_Q_SPIN,
  VD_Q_SUPPORT, /* of the jack at the wheel centre, under loads */
  VD_Q_MOTION_RATIO,
  VD_Q_SPRING_LENGTH,
  VD_Q_ROLL_CENTRE,
  VD_Q_ROLL_CENTRE_PLANES, /* by the lines of the arms */
  VD_Q_TOE_TRAVEL,         /* exact derivatives; gains are at the design position */
  VD_Q_CAMBER_TRAVEL,
  VD_Q_TRACK_TRAVEL,
  VD_Q_TOE_RACK,
  VD_Q_CASTER_RACK_SEED,
  VD_Q_BRAKE_SLOPE, /* of the patch as a point of the knuckle, along over travel */
  VD_Q_DRIVE_SLOPE, /* the same of the wheel centre */
  VD_Q_SWEPT,       /* the column of vdsim-kc-sweep with the name of the table's, in its unit */
  VD_CLAIM_QUANTITIES,
};

/* One column of a reference's table. */
typedef struct vd_claim_column_def {
  const char *column;  /* empty: a formula */
  const char *formula; /* of the table's columns by their names */
  int is;              /* enum vd_claim_quantity */
  const char *unit;    /* of the column's numbers; empty: SI */
  vd_names tolerance;  /* of what is compared; none: an input */
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
  const char *name; /* of the column, or the formula */
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
