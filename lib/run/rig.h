/* A tyre rig: one tyre at prescribed load, slips, camber, pressure and speed, without a car. It computes steady forces
 * on a grid or at the points of a measured table. Or it computes a time history with the transients of the tyre; the
 * inputs are then profiles or the rows of a table. */
#ifndef VD_RIG_H
#define VD_RIG_H

#include "tyre/points_def.h"
#include "tyre/relax.h"
#include "run/run.h"

struct vd_setting;

enum vd_rig_mode { VD_RIG_STEADY, VD_RIG_TRANSIENT };

/* The values of an axis of the grid: a list, or evenly spaced values. */
typedef struct vd_rig_axis {
  vd_numbers values;
  double from, to; /* used if `points` is not 0 */
  int points;
} vd_rig_axis;

extern const struct vd_schema vd_rig_axis_schema;

static inline int vd_rig_axis_count(const vd_rig_axis *a) {
  return a->points > 0 ? a->points : (int)a->values.count;
}

static inline double vd_rig_axis_value(const vd_rig_axis *a, int i) {
  if (a->points == 0)
    return a->values.value[i];
  if (a->points == 1)
    return a->from;
  /* symmetric about the middle, so that a sweep through zero contains exactly zero */
  double last = a->points - 1;
  return (a->from * (last - i) + a->to * i) / last;
}

/* Axes of the grid, in the order of the loops: load is outermost, slip angle innermost. */
enum vd_rig_quantity {
  VD_RIG_LOAD,
  VD_RIG_PRESSURE,
  VD_RIG_CAMBER,
  VD_RIG_SPEED,
  VD_RIG_CURVATURE,
  VD_RIG_KAPPA,
  VD_RIG_ALPHA,
  VD_RIG_AXES
};

typedef struct vd_rig_def {
  const char *title;
  int kind; /* 1: tyre_rig */
  int mode; /* enum vd_rig_mode */
  vd_tyre_def tyre;
  int side;                              /* 0 left, 1 right: where the tyre is mounted */
  double wheel_radius;                   /* m, for tyres without a radius of their own */
  double friction;                       /* friction of the ground */
  vd_rig_axis axis[VD_RIG_AXES];         /* N, Pa, rad, m/s, 1/m, -, rad; not used for kappa and alpha if transient */
  vd_profile_def slip_ratio, slip_angle; /* transient, over time */
  /* m/s, slip velocities in addition to the product of slips and speed; at standstill the whole slip velocity */
  vd_profile_def tread_speed, side_speed;
  vd_profile_def yaw_rate; /* rad/s, transient, over time: added to the yaw rate by the curvature */
  double duration, step;   /* s, transient; duration NAN: the duration of the table */
  double rate;             /* 1/s, rows of the log */
  /* A table replaces the axes of which it has a column; the other axes have one value. The log then has the rows of the
   * table. */
  vd_tyre_points_def table;
  vd_tyre_points points; /* rows 0: there is no table */
} vd_rig_def;

extern const struct vd_schema vd_rig_schema;

/* Reads, completes and checks a rig from a registered source. */
bool vd_rig_read_source(int source, const struct vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                        vd_rig_def *def);

/* Returns the number of rows of the output without the header. It is a double, because it may exceed any integer. */
double vd_rig_rows(const vd_rig_def *def);

/* Returns the columns of a row, in their order. In contrast to columns of vehicles, `offset' is the index in an array
 * of all values, and `levels` is a set of VD_WHEN(mode). */
const vd_channel *vd_rig_columns(size_t *count);

/* Returns the column of the only axis that has more than one value; -1: no axis or several axes have more than one. */
int vd_rig_swept(const vd_rig_def *def);

/* Runs the rig and writes CSV or TYDEX; o may be NULL. A quantity that the tyre model does not have is an empty field,
 * and NAN for options->values. In a time history options->values is called at every step. If a force is not finite, the
 * status is VD_SIM_BAD_STATE, and the rows before it are written. */
void vd_rig_run(const vd_rig_def *def, const vd_run_options *options, vd_output *o, vd_run_report *report);

/* The metrics of a rig. */
extern const vd_metric_set vd_rig_metrics;

/* Runs as vd_rig_run does and computes the rig's metrics; options->values is not called. */
void vd_rig_measure(const vd_rig_def *def, const vd_run_options *options, vd_output *log, vd_metrics *out,
                    vd_run_report *report);

#endif
