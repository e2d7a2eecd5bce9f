/* Compliance of a wheel as a vehicle file gives it: the key `compliance` of `kc`.
 *
 *   compliance:
 *     tables:
 *       - {file: lateral.csv, columns: {fy: {column: "Lateral force", unit: kN}, toe: {column: "Toe", unit: deg}}}
 *     toe: {fx_brake: -0.05 deg/kN, mz: 0.4 deg/kNm}
 *
 * A row of a file has one nonzero load, or none. If the file has a column of travel, the row holds for that travel,
 * otherwise for the design position. Coefficients hold for the design position and replace curves. */
#ifndef VD_WHEEL_COMPLIANCE_DEF_H
#define VD_WHEEL_COMPLIANCE_DEF_H

#include "input/measured.h"
#include "compliance/wheel_compliance.h"

/* Columns that a file may have: the loads, then the quantities, then the travel. */
enum {
  VD_COMPLIANCE_QUANTITIES = VD_RIG_LOADS,
  VD_COMPLIANCE_TRAVEL = VD_RIG_LOADS + VD_DISPLACEMENTS,
  VD_COMPLIANCE_WANTED
};

typedef struct vd_compliance_columns {
  vd_column_def of[VD_COMPLIANCE_WANTED];
} vd_compliance_columns;

typedef struct vd_compliance_file_def {
  vd_measured_def file;
  vd_compliance_columns columns;
} vd_compliance_file_def;

typedef struct vd_compliance_row_def {
  double by[VD_RIG_LOADS]; /* rad or m per N or N m; NAN: not given */
} vd_compliance_row_def;

typedef struct vd_wheel_compliance_def {
  vd_structs tables; /* vd_compliance_file_def */
  vd_compliance_row_def of[VD_DISPLACEMENTS];
  double radius; /* NAN: auto */
} vd_wheel_compliance_def;

extern const struct vd_schema vd_wheel_compliance_schema;

/* Registers the table's file and makes its name absolute. False after an error. */
bool vd_wheel_table_load(vd_measured_def *file, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d,
                         int *source);

bool vd_wheel_compliance_is_given(const vd_wheel_compliance_def *def);

/* Reads the files of the mapping at `path', whose names in the def become absolute. False after errors: no load, two
 * loads in one row, a quantity twice, values that are far too large. The arena owns everything in *out. */
bool vd_wheel_compliance_read(vd_wheel_compliance_def *def, const vd_node *root, const char *path, vd_arena *arena,
                              vd_diag *d, vd_wheel_compliance *out);

/* Reads a registered source whose columns have usual names. */
bool vd_wheel_compliance_read_source(int source, vd_arena *arena, vd_diag *d, vd_wheel_compliance *out);

#endif
