/* The keys of a steering. Members that are also in steering.h have the same meaning. */
#ifndef VD_STEERING_DEF_H
#define VD_STEERING_DEF_H

#include "base/arena.h"
#include "base/list.h"
#include "input/diag.h"
#include "input/tree.h"
#include "vehicle/steering.h"

typedef struct vd_steering_column_def {
  vd_column column;      /* the stiffness of its frictions is not set here, but by vd_steering_build */
  double friction_angle; /* rad, friction limit divided by stiffness, for steering wheel and gear */
} vd_steering_column_def;

/* One row of the assistance: its torque as a function of the torque of the torsion bar, at one speed. */
typedef struct vd_assist_row {
  double speed;     /* m/s */
  vd_points torque; /* pairs (N m, N m) */
} vd_assist_row;

typedef struct vd_rear_steering_def {
  vd_points gain; /* pairs (speed, m/s; ratio) */
  double lag;     /* s */
} vd_rear_steering_def;

typedef struct vd_steering_def {
  double ratio, max_angle, ackermann, lag, rate_limit, dead_time;
  double trail, scrub, inclination, caster;
  vd_points ratio_curve; /* factor on the ratio as a function of the steering wheel angle */
  vd_structs column;     /* vd_steering_column_def, none or one */
  vd_structs assist;     /* vd_assist_row, speed rising */
  vd_structs rear;       /* vd_rear_steering_def, none or one */
  /* not keys: made by vd_steering_complete from keys that passed their checks */
  const vd_curve *gear, *assist_curve, *rear_gain;
} vd_steering_def;

extern const struct vd_schema vd_steering_schema;

/* Sets the values that were `auto`, and makes the curves. */
void vd_steering_complete(vd_steering_def *s, vd_arena *arena);

/* Checks across keys. `path` is the steering's key in `root`. */
void vd_steering_check(const vd_steering_def *s, const vd_node *root, const char *path, vd_diag *d);

/* Builds the steering from a complete definition. */
void vd_steering_build(const vd_steering_def *def, vd_steering *s);

/* Returns the greatest rate (eigenfrequency or damping rate) of the motions of the column on its springs, 1/s; 0
 * without a column. road: N m/rad, stiffness with which the road resists the mean angle of the front wheels. */
double vd_steering_rate(const vd_steering *s, double road);

#endif
