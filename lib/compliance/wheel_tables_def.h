/* Tables of a wheel's path as a vehicle file gives them: the key `kc` of an axle.
 *
 *   kc:
 *     tables:
 *       - {file: front_travel.csv, columns: {toe: {column: "Toe Angle", unit: deg}}}
 *       - front_rack.csv
 *     camber: [[-100 mm, 1.8 deg], [0, -0.5 deg], [100 mm, -3.1 deg]]
 *
 * Files are described as in input/measured.h. They have any of the quantities of VD_TABLED_LIST over travel, rack, or
 * all pairs of both, in any order of rows. Lists of points in the vehicle file are over travel. */
#ifndef VD_WHEEL_TABLES_DEF_H
#define VD_WHEEL_TABLES_DEF_H

#include "input/measured.h"
#include "compliance/wheel_compliance_def.h"
#include "linkage/wheel_tables.h"

/* Columns that a file may have: the coordinates, then the quantities. */
enum { VD_KC_AT_TRAVEL, VD_KC_AT_RACK, VD_KC_AT_OTHER, VD_KC_QUANTITIES, VD_KC_WANTED = VD_KC_QUANTITIES + VD_TABLED };

typedef struct vd_kc_columns {
  vd_column_def of[VD_KC_WANTED];
} vd_kc_columns;

typedef struct vd_kc_file_def {
  vd_measured_def file;
  vd_kc_columns columns;
} vd_kc_file_def;

typedef struct vd_kc_def {
  vd_structs tables; /* vd_kc_file_def */
  vd_points of[VD_TABLED];
  vd_wheel_compliance_def compliance;
  bool live; /* a rigid axle that carries the final drive */
} vd_kc_def;

extern const struct vd_schema vd_kc_schema;

/* Returns whether the definition has any table. */
bool vd_kc_given(const vd_kc_def *def);

/* Reads the files of the mapping at `path', whose names in the def become absolute. toe, camber: rad, in the design
 * position; NAN: those of the tables. right: the tables are those of a right wheel, and *out is its mirror image. False
 * after errors: no travel, a quantity twice, rows that make no grid, no row on one side of the design position. The
 * arena owns everything in *out. */
bool vd_kc_read(vd_kc_def *def, double toe, double camber, bool right, const vd_node *root, const char *path,
                vd_arena *arena, vd_diag *d, vd_wheel_tables *out);

#endif
