/* Fits and optimisations. A fit determines figures of a tyre from measured rows, or numbers of scenarios and
 * suspensions from measurements that runs reproduce. An optimisation determines numbers for which metrics of runs reach
 * goals.
 *
 * A fit consists of the keys of its file (run/fit_def.h), the objects that they name, and the functions of its kind.
 * Fits use the search of fit_search.h, and optimisations use math/sqp.h. least_squares.h describes the weights of
 * values. */
#ifndef VD_FIT_H
#define VD_FIT_H

#include "math/sqp.h"
#include "study/fit_search.h"
#include "study/study_impl.h"
#include "run/fit_def.h"

struct vd_setting;

/* --- fits of a tyre --- */

/* A fit of a tyre has stages. Each stage has its rows (pure or combined slip), the outputs that it compares, and the
 * figures that it determines; the figures of earlier stages are fixed. The search starts with the rig's tyre. The file
 * tyre/figure_def.h lists the figures. */

/* A measured row in SI; NAN: not measured. */
typedef struct vd_tyre_fit_row {
  double load, pressure, camber, vx, kappa, alpha; /* pressure NAN: the pressure of the tyre */
  double tan_alpha;
  double measured[VD_FIT_OUTPUTS]; /* N, N m */
  double weight;
  size_t file, number; /* number of its file, and of the row in it, from 1 */
} vd_tyre_fit_row;

typedef struct vd_tyre_fit {
  vd_tyre_fit_def def; /* must be the first member */
  vd_tyre_fit_row *row;
  size_t rows;
  bool has[VD_FIT_OUTPUTS]; /* some row has this output */
  const vd_node *root;
} vd_tyre_fit;

typedef struct vd_fit_quality {
  size_t rows;
  double rms, largest, peak; /* N, N m: residuals of the final tyre, greatest measured magnitude */
  double scatter;            /* standard deviation of the noise, estimated by the fit */
  size_t checked;            /* number of rows with weight 0, which are not fitted */
  double deviation;          /* greatest magnitude of the residuals in the checked rows */
} vd_fit_quality;

typedef struct vd_fit_stage {
  int stage;
  size_t rows, coefficients;
  int iterations;
  const char *left_out; /* figures of the group that the rows do not determine; "": none */
  vd_fit_quality output[VD_FIT_OUTPUTS];
} vd_fit_stage;

/* --- fits of runs --- */

/* Each item of the data contains the measurements of one run. Data with the same scenario and settings form one
 * experiment, which is run once for all of them. A free figure is set in all experiments that have its keys, so that a
 * step and a sine determine the same car. A target is a compared quantity: a metric, or a channel over time or over
 * another channel, whose measured values are a column of a file. vdsim-study(5) describes the file.
 *
 * A measured row has an abscissa x, the time or a channel. It is compared with the value of the run at the instant at
 * which the run first reaches x, interpolated linearly between rows at most 1 ms apart. */

/* A key of an experiment that is set in each run. */
typedef struct vd_run_setting {
  const char *key;
  size_t free;                  /* index of the figure whose value the key gets if there is no formula */
  const vd_expression *formula; /* NULL: none */
} vd_run_setting;

typedef struct vd_run_experiment {
  vd_study base; /* the scenario or suspension that is run, without free figures */
  bool history;  /* some data of the experiment have rows over time */
  vd_run_setting *setting;
  size_t settings;
} vd_run_experiment;

typedef struct vd_run_free {
  const vd_run_free_def *def;
  const char *name, *unit;
  double start, low, high, size; /* SI; low, high infinite: no bound */
  bool *acts;                    /* [experiments]: whether the figure is set in the experiment */
} vd_run_free;

/* A series of values that are compared. */
typedef struct vd_run_target {
  const char *name, *unit; /* name and unit of the metric or channel */
  size_t data;
  size_t column;      /* column of the data; 0: the target is a metric */
  size_t first, rows; /* index of its first value among all values, and their number */
  double scatter;     /* in the unit; NAN: estimated */
  double weight;
  size_t group; /* group of the least squares */
} vd_run_target;

/* The goal of an optimisation for a target, in the unit of the target. */
typedef struct vd_run_goal {
  double low, high; /* infinite: no limit; equal: a target */
  double tolerance;
  enum vd_run_aim aim;
} vd_run_goal;

typedef struct vd_run_data {
  vd_run_data_def *def;
  const char *name;
  size_t experiment, columns; /* columns 0: there is no file */
  const char **channel;       /* [columns]: the first is the channel over which the rows are given */
  const vd_channel **from;    /* channels of a vehicle or track car, one for each column; NULL for others */
  double *x;                  /* [rows], in the channel's unit */
  size_t rows;
  bool timed; /* x is the time */
} vd_run_data;

typedef struct vd_run_fit {
  vd_run_fit_def def; /* must be the first member */
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
  vd_run_goal *goal;         /* [targets], only of an optimisation, in which each target has one value */
  double *measured, *weight; /* [values], in the targets' units */
  size_t values;
} vd_run_fit;

/* --- both kinds --- */

/* A fit that was read; it is constant afterwards. */
typedef struct vd_fit {
  enum vd_kind kind;
  uint64_t hash; /* hash of everything that was read, and of the version */
  union {
    vd_tyre_fit tyre;
    vd_run_fit runs;
  } as;
} vd_fit;

/* Reads, completes and checks a fit from a registered source, and the files that it names. False after errors, which
 * are all in d. */
bool vd_fit_read_source(int source, const struct vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                        vd_fit *out);
/* Writes the complete input in SI. */
void vd_fit_resolve(const vd_fit *fit, vd_buf *out);

/* How a fit is solved. */
typedef struct vd_fit_options {
  /* Makes runs in parallel. For each i below count it calls work(task, i, result) in any process, then take(task, i,
   * result) in this process, in any order; result NULL: the process died. A result is one line of text,
   * which depends only on the fit and on the number of earlier results; a result of an earlier attempt can therefore be
   * passed to `take' without a call of `work'. Returns false after a message. NULL: runs are made one after the
   * other. */
  bool (*each)(void *context, size_t count, void (*work)(void *task, size_t i, vd_buf *result),
               void (*take)(void *task, size_t i, const vd_buf *result), void *task);
  void *context;
  vd_fit_progress progress;
} vd_fit_options;

/* A figure that was found. */
typedef struct vd_fit_coefficient {
  const char *name, *unit, *stage;
  double start, value, low, high; /* low, high: bounds; infinite: none */
  /* standard deviation; NAN: there is none, and the note gives the reason; freedom: degrees of freedom */
  double deviation, freedom;
  bool logarithm;   /* the deviation is a deviation of the logarithm */
  const char *note; /* reason why there is no interval; "": there is one */
} vd_fit_coefficient;

enum vd_fit_table {
  VD_FIT_ROWS, /* measured, fitted, residual and weight of each value */
  VD_FIT_FIGURES,
  VD_FIT_CURVES, /* for pictures; a fit of runs runs the experiments again */
  VD_FIT_TYRE,
  VD_FIT_PROPERTIES, /* the tyre as a property file */
  VD_FIT_CORRELATIONS,
  VD_FIT_SETTINGS, /* KEY=VALUE of all keys, for --set @FILE */
  VD_FIT_PROFILE,
  VD_FIT_RESAMPLES,
  VD_FIT_TABLES
};

/* A point of a profile: one figure is fixed, and the others are fitted again. */
typedef struct vd_fit_profile {
  size_t figure;
  double offset; /* offset of the fixed figure, in its standard deviations */
  /* root of the rise of the sum of squares, with the sign of the offset; equal to the offset if the model is linear in
   * the figures; NAN: there is no fit */
  double rise;
  double *value; /* [frees], SI */
} vd_fit_profile;

/* A fit to data that were drawn with replacement. */
typedef struct vd_fit_resample {
  int *drawn;    /* [datas]: how often each was drawn */
  double *value; /* [frees], SI; NAN: there is no fit */
} vd_fit_resample;

/* A point that an optimisation found, with the aim that is optimal there. */
typedef struct vd_optimum {
  double *figure; /* [frees], SI */
  /* [targets]: change of the aim per change of the target's active limit, each in its unit; 0: no limit is active */
  double *price;
  double *bound_price; /* [frees]: change of the aim per change of the figure's active bound */
  vd_sqp_solution solution;
  size_t target; /* target whose metric is optimal; SIZE_MAX: none is */
} vd_optimum;

typedef struct vd_fit_result {
  vd_fit_coefficient *coefficient;
  size_t coefficients;
  /* numbers of figures that end at a bound, and of other figures whose intervals extend beyond a bound */
  size_t at_bounds, beyond_bounds;
  /* number of targets of runs whose residuals are too great for their scatters */
  size_t missed;
  double confidence;
  double *value;      /* values of the final model: [rows][VD_FIT_OUTPUTS] of a tyre, [values] of runs */
  double *row_weight; /* weights by the robust loss, one for each row; 1 without robust loss */
  size_t rows;        /* rows of the first table */
  unsigned tables;    /* tables of this result: a set of VD_WHEN(VD_FIT_ROWS) ... */
  /* figures of a tyre */
  vd_figures tyre;
  const char *properties; /* the tyre as a property file */
  vd_fit_stage *stage;
  size_t stages;
  double *start;       /* [values] of the model at the start */
  double *half;        /* [values]: half width of the interval of confidence for a measured value; NAN: unknown */
  double *correlation; /* [coefficients][coefficients]; NAN: there is none */
  vd_fit_profile *profile;
  size_t profiles;
  vd_fit_resample *resample;
  size_t resamples;
  /* [values]: as `half', but from the scatter of the fits to drawn data; NULL: there are no such fits */
  double *resampled_half;
  double *scatter; /* [targets], in their units */
  double freedom;  /* number of fitted values minus number of figures */
  /* mean square of (residual/scatter) over targets with known scatter; NAN: there is no such target */
  double misfit;
  size_t undetermined, runs; /* number of figures that the data do not determine; number of runs */
  int iterations;
  /* only of an optimisation: one point, or the points of the front in their order */
  vd_optimum *optimum;
  /* number of points; index of the point from which the values and coefficients of the result come */
  size_t optima, chosen;
} vd_fit_result;

/* Solves a fit. options may be NULL. False after errors: there are too few values, the values do not determine a
 * figure, or a model has no values. Warnings name figures at their bounds, intervals that extend beyond bounds, and
 * targets that are missed. */
bool vd_fit_solve(const vd_fit *fit, const vd_fit_options *options, vd_arena *arena, vd_diag *d, vd_fit_result *out);

/* Writes one of the tables of the result. */
void vd_fit_write(const vd_fit *fit, const vd_fit_result *r, enum vd_fit_table table, enum vd_digits digits,
                  vd_output *o);
/* Makes the metrics of a result; r NULL: only the names of all metrics that the fit may have. */
void vd_fit_metrics(const vd_fit *fit, const vd_fit_result *r, vd_arena *arena, vd_metrics *out);
/* Writes remarks about a solved fit: lines that begin with the name of its file. */
void vd_fit_remark(const vd_fit *fit, const vd_fit_result *r, const char *name, vd_buf *out);

/* Computes the ends of the interval of confidence of figure k from its profile: the values at which the profile reaches
 * the rise of the confidence. NAN: the points of the profile do not extend so far. */
void vd_run_fit_profile_interval(const vd_fit_result *r, size_t k, double *low, double *high);

/* Returns the standard deviation of figure k over the fits to drawn data; NAN: there are fewer than two fits. */
double vd_run_fit_resampled_deviation(const vd_fit_result *r, size_t k);

/* Computes the ends of a confidence interval; NAN without a deviation. */
void vd_fit_interval(const vd_fit_coefficient *c, double confidence, double *low, double *high);

#endif
