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

#include "run/fit.h"
#include "run/run_fit_def.h"
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
  const char *name, *unit; /* of the metric or channel */
  size_t data;
  size_t column;      /* of the data; 0: it is a metric */
  size_t first, rows; /* its values among all */
  double scatter;     /* in the unit; NAN: estimated */
  double weight;
  size_t group; /* of the least squares */
} vd_run_target;

typedef struct vd_run_data {
  vd_run_data_def *def;
  const char *name;
  size_t experiment, columns; /* 0: it has no file */
  const char **channel;       /* [columns]: the first is that over which the rows stand */
  const vd_channel **from;    /* the same of a vehicle or track car; else NULL */
  double *x;                  /* [rows], in the channel's unit */
  size_t rows;
  bool timed; /* x is the time */
} vd_run_data;

/* As it was read; constant afterwards. */
typedef struct vd_run_fit {
  vd_run_fit_def def;
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

/* Reads a fit from a registered source, its scenarios and measured files. False after errors, all in d. */
bool vd_run_fit_read_source(int source, const struct vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                            vd_run_fit *out);

/* How runs are made at the same time. */
typedef struct vd_run_fit_options {
  /* Calls work(task, i, result) for each i below count, in any process, and take(task, i, result) in this one, in any
   * order; result NULL: the process died. False after a message. NULL: one after the other. */
  bool (*each)(const void *context, size_t count, void (*work)(void *task, size_t i, vd_buf *result),
               void (*take)(void *task, size_t i, const vd_buf *result), void *task);
  const void *context;
  vd_fit_progress progress;
} vd_run_fit_options;

typedef struct vd_run_fit_result {
  vd_fit_coefficient *figure; /* [frees] */
  double *correlation;        /* [frees][frees]; NAN: there is none */
  double *value, *start;      /* [values], at the end and at the start; in the targets' units */
  double *row_weight;         /* [values], what robust loss made of it */
  double *scatter;            /* [targets], in their units */
  double freedom;             /* values that take part, less figures */
  double misfit;              /* mean square over the scatters of targets whose scatter is known; NAN: there is none */
  size_t held;                /* figures that the data do not determine */
  size_t runs;                /* that were made */
  int iterations;
} vd_run_fit_result;

/* False after errors. */
bool vd_run_fit_solve(const vd_run_fit *fit, const vd_run_fit_options *options, vd_arena *arena, vd_diag *d,
                      vd_run_fit_result *out);

/* --- what is written --- */

/* A row for each value: data, target, x, measured, of the start, fitted, residual, and residual over scatter. */
void vd_run_fit_write_rows(const vd_run_fit *fit, const vd_run_fit_result *r, enum vd_digits digits, vd_output *o);
void vd_run_fit_write_correlations(const vd_run_fit *fit, const vd_run_fit_result *r, enum vd_digits digits,
                                   vd_output *o);
/* Curves of the start and of the end between the measured rows, for pictures. Runs the experiments again. */
void vd_run_fit_write_curves(const vd_run_fit *fit, const vd_run_fit_result *r, enum vd_digits digits, vd_output *o);
/* KEY=VALUE of all keys, for --set @FILE. */
void vd_run_fit_write_settings(const vd_run_fit *fit, const vd_run_fit_result *r, vd_buf *out);
/* r NULL: their names. */
void vd_run_fit_metrics(const vd_run_fit *fit, const vd_run_fit_result *r, vd_arena *arena, vd_metrics *out);

#endif
