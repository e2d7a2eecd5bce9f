/* Scenarios of the track car: their definition, run, log and metrics. */
#ifndef VD_TRACK_RUN_H
#define VD_TRACK_RUN_H

#include "run/run.h"
#include "track_car/track_car.h"

struct vd_setting;

enum vd_track_relaxation { VD_TRACK_BY_RATE, VD_TRACK_BY_PASSES };

typedef struct vd_track_car_def {
  double mass; /* kg, on each spring */
  double spring_stiffness, spring_damping, damping_ratio;
  double spring_length, wheel_base, track_width;
  double max_speed, acceleration, coasting, grip, slip_rate, steering_rate, steering_latency;
  double cone;
  int relaxation; /* enum vd_track_relaxation */
  int relaxation_passes;
  double relaxation_share, relaxation_frames; /* -, 1/s */
} vd_track_car_def;

typedef struct vd_track_initial_def {
  double x, y, yaw; /* m, rad, world */
  double speed;     /* m/s, along the car's front */
  double height;    /* m, above the position at rest */
} vd_track_initial_def;

typedef struct vd_track_run_def {
  double step, duration, substep; /* s */
} vd_track_run_def;

typedef struct vd_track_log_def {
  double rate; /* 1/s */
} vd_track_log_def;

typedef struct vd_track_def {
  const char *title;
  int kind;
  double floor; /* m, height; auto: none */
  const char *mesh_file;
  int mesh_up; /* enum vd_mesh_up */
  vd_track_car_def car_def;
  vd_track_initial_def initial;
  vd_profile_def thrust, steer;
  vd_track_ring ring;
  vd_track_run_def run;
  vd_track_log_def log;
  const vd_mesh *mesh;  /* read with the scenario; in the arena */
  vd_track_car car;     /* built from the keys */
  vd_track_state start; /* state of the track car at the start */
} vd_track_def;

extern const struct vd_schema vd_track_schema;

/* Reads, completes and checks a registered source, including the mesh. False after errors, which are all in d. */
bool vd_track_read_source(int source, const struct vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                          vd_track_def *def);

/* Returns the columns of a row, in their order. In contrast to columns of vehicles, `offset' is the index in an array
 * of all values, and `levels` is empty. */
const vd_channel *vd_track_columns(size_t *count);

extern const vd_metric_set vd_track_metrics;

/* Runs the scenario. options->values is called at every step. log and metrics may be NULL; the metrics of a run that
 * failed cover the time up to the failure. */
void vd_track_run(const vd_track_def *def, const vd_run_options *options, vd_output *log, vd_metrics *metrics,
                  vd_run_report *report);

#endif
