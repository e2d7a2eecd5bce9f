/* Declarations that the files of fits share. */
#ifndef VD_FIT_IMPL_H
#define VD_FIT_IMPL_H

#include "study/fit.h"

struct vd_setting;

/* --- a kind of fit --- */

typedef void vd_fit_writer(const vd_fit *fit, const vd_fit_result *r, enum vd_digits digits, vd_output *o);

typedef void vd_fit_metrics_maker(const vd_fit *fit, const vd_fit_result *r, vd_arena *arena, vd_metrics *out);

typedef struct vd_fit_functions {
  bool (*read)(int source, const struct vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d, vd_fit *out);
  bool (*solve)(const vd_fit *fit, const vd_fit_options *options, vd_arena *arena, vd_diag *d, vd_fit_result *out);
  bool estimates;                      /* its figures are estimates, whose true values may lie beyond the bounds */
  vd_fit_writer *write[VD_FIT_TABLES]; /* NULL: the kind has no such table */
  vd_fit_metrics_maker *metrics;
  void (*remark)(const vd_fit *fit, const vd_fit_result *r, const char *name, vd_buf *out);
} vd_fit_functions;

extern const vd_fit_functions vd_tyre_fit_functions, vd_run_fit_functions, vd_optimise_functions;

/* --- fit.c --- */

/* Copies an array of `count' items of a size, with memory for `more' items, at least one. */
void *vd_fit_grown(vd_arena *arena, const void *old, size_t count, size_t more, size_t size);

/* Text of the note for a figure at a bound. */
extern const char vd_fit_at_bound[];
/* A metric whose name consists of parts, joined by underscores; empty parts are left out. vd_fit_add_metrics adds
 * metrics until the list is full, and puts the parts `before' in front of their names. */
typedef struct vd_fit_metric {
  const char *name, *unit, *definition;
  double value;
} vd_fit_metric;
void vd_fit_add_metrics(const vd_fit_metric *add, size_t count, const char *const before[2], vd_arena *arena,
                        vd_metrics *all);
/* Writes a text and frees it. */
void vd_fit_write_text(vd_buf *text, vd_output *o);
/* Writes fields with a comma after each. */
void vd_fit_write_words(const char *const *word, size_t count, vd_output *o);
vd_fit_writer vd_fit_write_figures; /* the table of coefficients */

/* --- tyre_fit_*.c --- */

typedef struct vd_fit_output_info {
  const char *key, *unit; /* "fy", "N" */
  enum vd_point_quantity quantity;
} vd_fit_output_info;
extern const vd_fit_output_info vd_fit_outputs[VD_FIT_OUTPUTS];

/* Returns the stage whose name is the word; -1: there is none. */
int vd_fit_stage_called(const char *word);

/* True if a stage compares an output in a row, measured or not. */
bool vd_fit_takes(const vd_tyre_fit *fit, int stage, const vd_tyre_fit_row *row, enum vd_fit_output output);

/* Computes the outputs [count][VD_FIT_OUTPUTS] of a tyre at rows; aligning: also Mz, which is NAN otherwise. */
void vd_fit_evaluate(const vd_rig_def *rig, const vd_tyre_def *tyre, const vd_tyre_fit_row *const *row, size_t count,
                     bool aligning, double *out);

bool vd_tyre_fit_read(int source, const struct vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                      vd_fit *out);
vd_fit_writer vd_tyre_fit_write_rows, vd_tyre_fit_write_curves, vd_tyre_fit_write_tyre, vd_tyre_fit_write_properties;
void vd_tyre_fit_metrics(const vd_fit *fit, const vd_fit_result *r, vd_arena *arena, vd_metrics *out);
void vd_tyre_fit_remark(const vd_fit *fit, const vd_fit_result *r, const char *name, vd_buf *out);

/* --- run_fit_model.c: runs with values of the free figures --- */

/* Number of values that follow the columns in a row of a run's record: the highest and the lowest x so far. */
enum { VD_RUN_EXTREMES = 2 };
typedef struct vd_run_record {
  double *value; /* [rows][columns + VD_RUN_EXTREMES] */
  size_t columns, rows, capacity;
} vd_run_record;

static inline double vd_run_record_value(const vd_run_record *r, size_t row, size_t column) {
  return r->value[row * (r->columns + VD_RUN_EXTREMES) + column];
}

/* The model of one process, whose readers keep the files from run to run. */
typedef struct vd_run_model vd_run_model;
vd_run_model *vd_run_model_start(const vd_run_fit *fit);
void vd_run_model_finish(vd_run_model *m); /* accepts NULL */

/* Runs an experiment with free figures, SI, and writes the values of its targets to value [values]; other values are
 * not changed. False: the run failed or was refused, and `why' is the reason. */
bool vd_run_model_values(vd_run_model *m, size_t experiment, const double *figure, double *value, char *why,
                         size_t size);
/* Returns the record of the data after vd_run_model_values; the record is valid until the next run. */
const vd_run_record *vd_run_model_record(const vd_run_model *m, size_t data);
/* Returns the value of a column at x. If the run does not reach x, returns the value of the nearest row and sets
 * *beyond (`beyond' may be NULL). */
double vd_run_record_at(const vd_run_record *record, size_t column, double x, bool *beyond);

/* Returns the value of a formula; NAN with the reason in `why'. */
double vd_run_formula(const vd_run_fit *fit, const vd_run_experiment *of, const vd_expression *formula,
                      const double *figure, char *why, size_t size);

/* --- run_points.c: runs of all experiments at several points --- */

typedef struct vd_run_points {
  const vd_run_fit *fit;
  const vd_fit_options *options;
  vd_run_model *model; /* model of this process, which exists before others are forked */
  size_t runs;         /* number of runs so far */
  char why[400];       /* reason why the last failed run has no values */
} vd_run_points;

/* Writes the values [count][values] of all targets at points [count][frees], SI; NAN: the run at this point has no
 * values. */
void vd_run_points_values(vd_run_points *r, size_t count, const double *figure, double *value);

/* The starts of a search. The first one is given by the file; the others are the cases, from 0 on, of a study's design
 * between the bounds. */
typedef struct vd_run_starts {
  vd_study design;
  vd_design_walk *walk; /* for vd_design_finish; NULL: there is one start */
} vd_run_starts;
void vd_run_starts_begin(const vd_run_fit *fit, vd_arena *arena, vd_run_starts *out);

/* --- run_fit_again.c: further fits after the one that gave the result --- */

/* Makes the profiles and the fits to drawn data that the file requests. found: the solution of the search; weight
 * [search->problem.rows]: weights of the problem, which this function changes; scale [search->problem.rows]: factors on
 * the values of the runs. */
void vd_run_fit_again(const vd_run_fit *f, vd_fit_search *search, const vd_ls_solution *found, double *weight,
                      const double *scale, vd_fit_result *r);

/* Returns the share of the whole progress that the first fit takes. */
double vd_run_fit_first_share(const vd_run_fit *f);

/* Convert the value of a free figure to the parameter that is searched, and back. */
double vd_run_to_search(const vd_run_free *f, double value);
double vd_run_from_search(const vd_run_free *f, double x);

/* --- run_fit_*.c --- */

bool vd_run_fit_read(int source, const struct vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                     vd_fit *out);
vd_fit_writer vd_run_fit_write_rows, vd_run_fit_write_curves, vd_run_fit_write_correlations, vd_run_fit_write_settings,
    vd_run_fit_write_profile, vd_run_fit_write_resamples;
void vd_run_fit_metrics(const vd_fit *fit, const vd_fit_result *r, vd_arena *arena, vd_metrics *out);
void vd_run_fit_remark(const vd_fit *fit, const vd_fit_result *r, const char *name, vd_buf *out);

/* --- optimise*.c --- */

bool vd_optimise_read(int source, const struct vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                      vd_fit *out);
vd_fit_writer vd_optimise_write_points, vd_optimise_write_figures;
vd_fit_metrics_maker vd_optimise_metrics;
void vd_optimise_remark(const vd_fit *fit, const vd_fit_result *r, const char *name, vd_buf *out);
/* Returns the distance of a value from its goal, in the unit of the value; 0: the goal is met. */
double vd_optimise_miss(const vd_run_goal *goal, double value);

#endif
