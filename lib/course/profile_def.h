/* Profiles as a file gives them. */
#ifndef VD_PROFILE_DEF_H
#define VD_PROFILE_DEF_H

#include "input/measured.h"
#include "base/arena.h"
#include "input/diag.h"
#include "input/tree.h"
#include "course/profile.h"

#include <stdbool.h>

typedef struct vd_profile_def {
  vd_profile profile;
  vd_measured_def table; /* file whose columns become the points of a table; it is not written once they are read */
  vd_column_def time, column;
} vd_profile_def;

extern const struct vd_schema vd_profile_schema;

typedef struct vd_profile_bounds {
  double lowest, highest;
  const char *unit;      /* SI unit of the values; "1": none */
  const char *unit_text; /* for the message, behind the bounds: " m/s" */
} vd_profile_bounds;

/* Completes a profile (a table by its file, noise by its pieces) and checks that it stays within the bounds. key: the
 * profile's key in root. */
void vd_profile_check(vd_profile_def *def, const char *key, vd_profile_bounds bounds, const vd_node *root,
                      vd_arena *arena, vd_diag *d);

/* Whether an interval (s), that of `sampler`, samples a profile that has passed its check: two samples a period or
 * fewer are an error, fewer than ten a warning. split: the interval is split at the points of a table; else the points
 * within it are not seen. Points closer than the interval are a warning in both cases. */
typedef struct vd_sampling {
  double interval;     /* s */
  double rows;         /* s, between the instants that are shown */
  const char *sampler; /* for the message: "a step" */
  bool split;
} vd_sampling;

void vd_profile_check_sampling(const vd_profile *p, const char *key, vd_sampling s, const vd_node *root, vd_diag *d);

/* Checks the sampling of any other periodic quantity: what it is, and its frequency, Hz. */
void vd_sampling_check(vd_sampling s, const char *what, double frequency, vd_place place, vd_diag *d);

#endif
