/* The keys of a controller that is a functional mock-up unit. */
#ifndef VD_FMU_DEF_H
#define VD_FMU_DEF_H

#include "base/list.h"

#include <stdbool.h>

struct vd_fmu_unit;

typedef struct vd_fmu_def {
  const char *file;               /* an archive, or the folder of an unpacked archive */
  vd_names set;                   /* parameters, "name=value" */
  const struct vd_fmu_unit *unit; /* not a key: the contents of the unit's description, in the arena of the reader */
} vd_fmu_def;

#endif
