/* Fits of runs: numbers of scenarios and suspensions from figures and measured rows.
 *
 * What was measured stands in data; each is of one run. Runs of one scenario with the same settings are one experiment,
 * run once for all data of it. Free figures are laid over all experiments that have their keys, so that a step and a
 * sine find one car. What is compared are targets: a metric, or a column of a file with a channel over time or over
 * another channel. least_squares.h says how they are weighed; vdsim-study(5) says what a file may contain.
 *
 * A measured row stands at x; the run's value there is that where its channel of x first reaches it, on straight lines
 * between rows at most 1 ms apart. */
#ifndef VD_RUN_FIT_H
#define VD_RUN_FIT_H

#include "run/fit_def.h"
#include "study/study_impl.h"

struct vd_setting;

/* Keys of an experiment that get a value in each run. */
typedef struct vd_run_setting {
  const char *key;
  size_t free;                  /* whose value it gets, or: */
  const vd_expression *formula; /* NULL: none */
} vd_run_setting;

typedef struct vd_run_experiment {
  vd_study base; /* what is run, without free figures */
  bool history;  /* it has rows over time */
  vd_run_setting *setting;
  size_t settings;
} vd_run_experiment;

typedef struct vd_run_free {
  const vd_run_free_def *def;
  const char *name, *unit;
  double start, low, high, size; /* SI; low, high infinite: no bound */
  bool *acts;                    /* [experiments] */
} vd_run_free;

/* A series of values that are compared. */
typedef struct vd_run_target {
  const char *name, *unit; /* name and unit of the metric or channel */
  size_t data;
  size_t column;      /* column of the data; 0: it is a metric */
  size_t first, rows; /* place and number of its values among all */
  double scatter;     /* in the unit; NAN: estimated */
  double weight;
  size_t group; /* group of the least squares */
} vd_run_target;

typedef struct vd_run_data {
  vd_run_data_def *def;
  const char *name;
  size_t experiment, columns; /* 0: it has no file */
  const char **channel;       /* [columns]: the first is that over which the rows stand */
  const vd_channel **from;    /* channels of a vehicle or track car, one a column; else NULL */
  double *x;                  /* [rows], in the channel's unit */
  size_t rows;
  bool timed; /* x is the time */
} vd_run_data;

typedef struct vd_run_fit {
  vd_run_fit_def def; /* first */
  const vd_node *root;
  vd_arena *arena;
  const char *folder;
  vd_run_experiment *experiment;
  size_t experiments;
  vd_run_free *free;
  size_t frees;
  vd_run_data *data;
  size_t datas;
  vd_run_target *target;
  size_t targets;
  double *measured, *weight; /* [values], in the targets' units */
  size_t values;
} vd_run_fit;

#endif
