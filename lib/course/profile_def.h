/* The keys of a profile. */
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
  /* file whose columns become the points of a table; a resolved scenario has the points instead */
  vd_measured_def table;
  vd_column_def time, column; /* columns of that file: time and value */
} vd_profile_def;

extern const struct vd_schema vd_profile_schema;

typedef struct vd_profile_bounds {
  double lowest, highest;
  const char *unit;      /* SI unit of the values; "1": none */
  const char *unit_text; /* unit in messages, after the bounds: " m/s" */
} vd_profile_bounds;

/* Completes a profile (reads the file of a table, makes the waves of noise) and checks that it stays within the bounds.
 * key: the profile's place in root, for messages. */
void vd_profile_check(vd_profile_def *def, const char *key, vd_profile_bounds bounds, const vd_node *root,
                      vd_arena *arena, vd_diag *d);

typedef struct vd_sampling {
  double interval;     /* s, time between samples of the profile */
  double rows;         /* s, time between rows of the log */
  const char *sampler; /* name of the interval in messages: "a step" */
  bool split;          /* steps are split at the points of a table; false: points within a step have no effect */
} vd_sampling;

/* Checks that the interval samples a profile that has passed its check: at most two samples in a period are an error,
 * fewer than ten a warning. There is also a warning if points of a table are closer than s.rows; its text depends on
 * s.split. */
void vd_profile_check_sampling(const vd_profile *p, const char *key, vd_sampling s, const vd_node *root, vd_diag *d);

/* Checks the sampling of any other periodic quantity. what: its name in messages; frequency: Hz. */
void vd_sampling_check(vd_sampling s, const char *what, double frequency, vd_place place, vd_diag *d);

#endif
