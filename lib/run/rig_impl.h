/* Declarations that the files of a rig share: the contents of its axes and its table, and its log as a TYDEX file. */
#ifndef VD_RIG_IMPL_H
#define VD_RIG_IMPL_H

#include "base/elementary.h"
#include "input/tydex.h"
#include "run/rig.h"

/* Returns the number of axes of a mode. */
static inline int vd_rig_axes(const vd_rig_def *def) {
  return def->mode == VD_RIG_STEADY ? VD_RIG_AXES : VD_RIG_KAPPA;
}

static inline bool vd_rig_has_points(const vd_rig_def *def) {
  return def->points.rows > 0;
}

/* Returns the number of combinations of the axes' values, or of rows of the table. */
static inline double vd_rig_combinations(const vd_rig_def *def) {
  double count = vd_rig_has_points(def) ? (double)def->points.rows : 1.0;
  for (int k = 0; k < vd_rig_axes(def) && !vd_rig_has_points(def); k++)
    count *= vd_max(vd_rig_axis_count(&def->axis[k]), 1.0);
  return count;
}

/* Returns the greatest load of the table, N. The damper and the friction limit of the deflections are set up for this
 * load, and are valid at any smaller load. */
static inline double vd_rig_greatest_load(const vd_rig_def *def) {
  const double *load = def->points.of[VD_POINT_LOAD];
  double greatest = load ? 0.0 : vd_rig_axis_value(&def->axis[VD_RIG_LOAD], 0);
  for (size_t i = 0; load && i < def->points.rows; i++)
    greatest = vd_max(greatest, load[i]);
  return greatest;
}

/* --- rig_tydex.c: W axes, SI units --- */

enum { VD_RIG_TYDEX_CHANNELS = 14 };

typedef struct vd_rig_tydex {
  size_t count;
  int column[VD_RIG_TYDEX_CHANNELS]; /* columns of the log */
  int camber;                        /* column of the inclination; a height is the radius times its cosine */
  bool height[VD_RIG_TYDEX_CHANNELS];
} vd_rig_tydex;

/* Writes the part before the rows. columns: the log's columns, in the order of a row's values; history: the rows are a
 * time history. */
void vd_rig_tydex_begin(vd_output *o, const char *title, const vd_channel *columns, size_t count, bool history,
                        vd_rig_tydex *t);
void vd_rig_tydex_row(vd_output *o, const vd_rig_tydex *t, const double *value, enum vd_digits digits);

#endif
