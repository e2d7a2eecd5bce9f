/* What a scenario says of a measured road. */
#ifndef VD_CRG_DEF_H
#define VD_CRG_DEF_H

#include "ground/crg.h"
#include "input/diag.h"

typedef struct vd_crg_def {
  const char *file;        /* OpenCRG */
  double x, y, z, heading; /* m, rad: of the start of the reference line, world; NAN: as the file says */
  int interpolation;       /* enum vd_map_interpolation */
  const vd_crg *road;      /* read by vd_ground_complete; no key */
} vd_crg_def;

/* The road of a registered source. NULL after an error: one of the reader, keys that contradict each other or the data,
 * options that are not supported, slopes of more than 60 deg, a line that turns within the road. Remarks say what lies
 * beyond the borders. The road belongs to the arena. */
const vd_crg *vd_crg_build(int source, const vd_crg_def *def, vd_arena *arena, vd_diag *d);

#endif
