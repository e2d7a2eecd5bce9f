/* The keys of a measured road. */
#ifndef VD_CRG_DEF_H
#define VD_CRG_DEF_H

#include "ground/crg.h"
#include "input/diag.h"

typedef struct vd_crg_def {
  const char *file;        /* OpenCRG */
  double x, y, z, heading; /* m, rad: start of the reference line, world; NAN: as in the file */
  int interpolation;       /* enum vd_map_interpolation */
  const vd_crg *road;      /* not a key: read by vd_ground_complete */
} vd_crg_def;

/* Builds the road of a registered source. NULL after an error: the reader fails, keys contradict each other or the
 * data, or options are not supported. It is also an error if heights are impossible, or if cross sections meet within
 * the road, because the reference line turns too sharply. Remarks state what the road has beyond its borders. The road
 * belongs to the arena. */
const vd_crg *vd_crg_build(int source, const vd_crg_def *def, vd_arena *arena, vd_diag *d);

#endif
