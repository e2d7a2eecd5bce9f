/* Files of the kinds fit and optimise. A fit determines figures of a tyre from measured rows, or keys of scenarios and
 * suspensions from measurements that their runs reproduce. Both fits have `kind: fit`; a fit of runs is recognised by
 * its keys that are flagged VD_IDENTIFIES. An optimisation determines keys so that metrics of runs reach goals; its
 * file is like a fit of runs, with goals in place of measurements. */
#ifndef VD_FIT_DEF_H
#define VD_FIT_DEF_H

#include "input/measured.h"
#include "input/schema.h"
#include "math/least_squares.h"
#include "tyre/figure_def.h"
#include "tyre/points_def.h"
#include "run/rig.h"

/* --- fits of a tyre: a rig, usually given by `base`, with a mapping `fit` --- */

enum vd_fit_output { VD_FIT_FX, VD_FIT_FY, VD_FIT_MX, VD_FIT_MY, VD_FIT_MZ, VD_FIT_OUTPUTS };

/* The stages of figure_def.h, and a further stage VD_FIT_ALL with all rows and outputs. */
enum { VD_FIT_ALL = VD_TYRE_STAGES, VD_FIT_STAGES };
extern const char *const vd_fit_stage_names[]; /* NULL-terminated */

typedef struct vd_fit_stage_def {
  int stage;
  vd_names free, fixed; /* figures, or stages for their groups; if free is empty, the group of the stage */
} vd_fit_stage_def;

typedef struct vd_fit_bound_def {
  const char *figure;
  double low, high; /* NAN: no bound */
} vd_fit_bound_def;

typedef struct vd_tyre_fit_settings {
  vd_structs data;   /* vd_tyre_points_def */
  vd_structs stages; /* vd_fit_stage_def; empty: all stages that have rows, except VD_FIT_ALL */
  vd_structs bounds; /* vd_fit_bound_def */
  /* -, rad: greatest magnitude of the other slip in rows of pure slip */
  double pure_slip_ratio, pure_slip_angle;
  double emphasis[VD_FIT_OUTPUTS];
  int loss; /* enum vd_loss */
  double confidence;
  int iterations, starts;
} vd_tyre_fit_settings;

typedef struct vd_tyre_fit_def {
  vd_rig_def rig; /* first member: the keys of a rig are keys of a fit */
  vd_tyre_fit_settings fit;
} vd_tyre_fit_def;

extern const vd_schema vd_tyre_fit_schema;

/* --- fits of runs: keys that are found from measured figures and rows --- */

enum { VD_RUN_FIT_FREE = 64, VD_RUN_FIT_DATA = 64 };

/* A number that is searched. */
typedef struct vd_run_free_def {
  const char *name; /* empty: made from the first key */
  vd_names keys;    /* dotted paths; all keys receive the value, in every scenario that has them */
  double start;     /* SI; NAN: the number of the first scenario that has a key */
  double low, high; /* SI; NAN: no bound */
  double size;      /* SI: a significant change; NAN: a tenth of the start */
  bool logarithm;   /* the logarithm is searched */
  double deviation; /* SI: standard deviation of the start if it is a measured value; NAN: it is not measured */
} vd_run_free_def;

typedef struct vd_run_formula_def {
  vd_names keys;
  const char *formula; /* formula of the names of free figures and of numbers of the scenario */
} vd_run_formula_def;

/* Aim of a metric, in addition to its limits. */
enum vd_run_aim { VD_AIM_NONE, VD_AIM_LEAST, VD_AIM_MOST };

/* A metric and its measured or wanted value. */
typedef struct vd_run_figure_def {
  const char *metric, *value, *scatter; /* texts; bare numbers are in the metric's unit; scatter empty: estimated */
  double weight;
  /* only of an optimisation: limits as texts (empty: none), and aim, enum vd_run_aim */
  const char *above, *below, *tolerance;
  int aim;
} vd_run_figure_def;

typedef struct vd_run_column_def {
  const char *channel; /* channel of the log, or column of a sweep */
  vd_column_def column;
  const char *scatter; /* text; empty: estimated from the residuals */
  double weight;
} vd_run_column_def;

typedef struct vd_run_over_def {
  const char *channel; /* empty: t_s, or travel_mm of a suspension */
  vd_column_def column;
  double from, to; /* SI; rows outside are left out; NAN: no bound */
} vd_run_over_def;

/* Measurements of one run: figures, rows of a file, or both. */
typedef struct vd_run_data_def {
  vd_measured_def table; /* must be the first member */
  const char *name;
  const char *scenario, *suspension; /* empty: as in the fit */
  vd_names set;                      /* settings that follow the settings of the fit */
  vd_structs figures;                /* vd_run_figure_def */
  vd_run_over_def over;
  vd_structs columns; /* vd_run_column_def */
  vd_column_def row_weight;
} vd_run_data_def;

typedef struct vd_run_starts_def {
  int count, design, seed; /* number and design of starts (vd_run_start_designs), seed */
} vd_run_starts_def;

typedef struct vd_run_fit_settings {
  vd_structs free;     /* vd_run_free_def */
  vd_structs formulas; /* vd_run_formula_def */
  vd_structs data;     /* vd_run_data_def */
  int loss;            /* enum vd_loss */
  double confidence;
  int iterations;
  vd_run_starts_def starts;
  /* number of points on each side of a figure at which the other figures are fitted again; 0: none */
  int profile;
  int resamples;  /* number of fits to data that are drawn with replacement; 0: none */
  double settled; /* of an optimisation: it ends when changes are below this share of the range */
  int points;     /* of an optimisation with two aims: number of compromises between both */
} vd_run_fit_settings;

typedef struct vd_run_fit_def {
  const char *title;
  int kind;
  const char *scenario, *suspension;
  const char *folder; /* folder of files in settings; "": the fit's own */
  vd_names set;
  vd_run_fit_settings fit;
} vd_run_fit_def;

extern const struct vd_schema vd_run_fit_schema, vd_optimise_schema;

#endif
