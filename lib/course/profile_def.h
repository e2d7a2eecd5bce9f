/* Profiles as a file gives them. */
#ifndef VD_PROFILE_DEF_H
#define VD_PROFILE_DEF_H

#include "input/schema.h"
#include "course/profile.h"

typedef struct vd_profile_def {
  vd_profile profile;
  const char *file; /* table: CSV whose column becomes the points; "" after that */
  const char *column;
} vd_profile_def;

extern const vd_schema vd_profile_schema;

typedef struct vd_profile_bounds {
  double lowest, highest;
  const char *unit; /* for the message, with a blank before it: " m/s" */
} vd_profile_bounds;

/* Completes a profile (a table by its CSV, noise by its pieces) and checks that it stays within the bounds. key: of the
 * profile in root. */
void vd_profile_check(vd_profile_def *def, const char *key, vd_profile_bounds bounds, const vd_node *root,
                      vd_arena *arena, vd_diag *d);

#endif
