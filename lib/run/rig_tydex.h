/* The log of a tyre rig as a TYDEX file: W axes, SI units. */
#ifndef VD_RIG_TYDEX_H
#define VD_RIG_TYDEX_H

#include "input/tydex.h"
#include "sim/channel.h"

enum { VD_RIG_TYDEX_CHANNELS = 14 };

typedef struct vd_rig_tydex {
  size_t count;
  int column[VD_RIG_TYDEX_CHANNELS]; /* columns of the log */
  int camber;                        /* the column by whose cosine a radius becomes a height */
  bool height[VD_RIG_TYDEX_CHANNELS];
} vd_rig_tydex;

/* Writes what stands before the rows. columns: the log's columns, in whose order a row's values are; history: over
 * time. */
void vd_rig_tydex_begin(vd_output *o, const char *title, const vd_channel *columns, size_t count, bool history,
                        vd_rig_tydex *t);
void vd_rig_tydex_row(vd_output *o, const vd_rig_tydex *t, const double *value, enum vd_digits digits);

#endif
