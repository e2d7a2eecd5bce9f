/* Operating points of a tyre and quantities measured at them: a table whose rows are points, or a time history.
 *
 * Files are TYDEX (input/tydex.h) or CSV and the like (input/measured.h). All values are in SI, in the contact frame of
 * tyre_model.h: side force and slip angle to the left, camber with the top to the right. */
#ifndef VD_TYRE_POINTS_DEF_H
#define VD_TYRE_POINTS_DEF_H

#include "input/measured.h"

/* X(quantity, key, SI unit, usual name of its column (as in a rig's log), meaning). */
#define VD_POINT_QUANTITIES_LIST(X)                                                                                    \
  X(LOAD, "load", "N", "fz_N", "wheel load")                                                                           \
  X(PRESSURE, "pressure", "Pa", "pressure_Pa", "inflation pressure")                                                   \
  X(CAMBER, "camber", "rad", "camber_rad", "inclination of the wheel, top to the right > 0")                           \
  X(SPEED, "speed", "m/s", "vx_mps", "speed of the contact point along the wheel")                                     \
  X(CURVATURE, "curvature", "1/m", "curvature_1pm",                                                                    \
    "turn slip: yaw velocity of the wheel divided by its speed, to the left > 0")                                      \
  X(KAPPA, "kappa", "1", "kappa", "slip ratio, > 0 drives")                                                            \
  X(ALPHA, "alpha", "rad", "alpha_rad", "slip angle; > 0 moves to the left and gives a side force to the right")       \
  X(FX, "fx", "N", "fx_N", "force of the road on the tyre, ahead")                                                     \
  X(FY, "fy", "N", "fy_N", "force of the road on the tyre, to the left")                                               \
  X(MX, "mx", "N m", "mx_Nm", "overturning couple, left side up > 0")                                                  \
  X(MY, "my", "N m", "my_Nm", "rolling resistance moment, < 0 rolling ahead")                                          \
  X(MZ, "mz", "N m", "mz_Nm", "aligning moment, to the left > 0")                                                      \
  X(ROLLING_RADIUS, "rolling_radius", "m", "re_m", "effective rolling radius")                                         \
  X(LOADED_RADIUS, "loaded_radius", "m", "rl_m", "loaded radius")                                                      \
  X(WEIGHT, "weight", "1", "weight", "weight of the row in a fit, >= 0")

enum vd_point_quantity {
#define VD_ENUM(id, key, unit, name, help) VD_POINT_##id,
  VD_POINT_QUANTITIES_LIST(VD_ENUM)
#undef VD_ENUM
      VD_POINT_TIME, /* given by the key `time`; it rises from row to row */
  VD_POINT_QUANTITIES
};

/* Keys in messages, SI units. */
extern const char *const vd_point_keys[VD_POINT_QUANTITIES];

/* The keys of a mapping of points, such as `points` of a rig. */
typedef struct vd_point_columns {
  vd_column_def of[VD_POINT_TIME];
} vd_point_columns;

typedef struct vd_tyre_points_def {
  vd_measured_def table; /* table.file "": there are no points */
  vd_column_def time;
  vd_point_columns columns;
} vd_tyre_points_def;

/* Schema of the mapping; a scalar in its place is the name of the file. Its row should have VD_OMIT_DEFAULT and the
 * default "{}". */
extern const struct vd_schema vd_tyre_points_schema;

/* The points in SI. */
typedef struct vd_tyre_points {
  size_t rows;
  const double *of[VD_POINT_QUANTITIES]; /* [rows]; NULL: the file has no such column */
  vd_measured table;                     /* for vd_measured_place, which takes the quantity */
} vd_tyre_points;

/* Reads the file of the mapping at `path` of the scenario's tree, and makes its name in the def absolute. Checks that
 * loads and weights are >= 0, angles below 90 deg, and times rise. False after errors, with places in the file.
 * Everything in *out belongs to the arena. */
bool vd_tyre_points_read(vd_tyre_points_def *def, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d,
                         vd_tyre_points *out);

/* Reads points like vd_tyre_points_read, from a registered source. */
bool vd_tyre_points_read_source(const vd_tyre_points_def *def, int source, const vd_node *root, const char *path,
                                vd_arena *arena, vd_diag *d, vd_tyre_points *out);

/* Reads columns like vd_measured_read_source, but of a TYDEX file (points_tydex.c). want: the quantities of enum
 * vd_point_quantity. */
bool vd_points_read_tydex(const vd_tyre_points_def *def, int source, const vd_node *root, const char *path,
                          const vd_measured_quantity *want, vd_arena *arena, vd_diag *d, vd_measured *out);

#endif
