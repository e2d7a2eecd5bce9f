/* Fits: figures of a tyre from measured rows, or numbers of scenarios and suspensions from what was measured in runs.
 *
 * A fit is the keys of its file (run/fit_def.h) with what they name, and a row of functions. tyre_fit.h and run_fit.h
 * say what is particular to each; both search by fit_search.h, and least_squares.h says how values are weighed. */
#ifndef VD_FIT_H
#define VD_FIT_H

#include "study/fit_search.h"
#include "study/run_fit.h"
#include "study/tyre_fit.h"

struct vd_setting;

/* A fit as it was read; constant afterwards. */
typedef struct vd_fit {
  enum vd_kind kind;
  union {
    vd_tyre_fit tyre;
    vd_run_fit runs;
  } as;
} vd_fit;

/* Reads, completes and checks a fit from a registered source, and the files that it names. False after errors, all in
 * d. */
bool vd_fit_read_source(int source, const struct vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                        vd_fit *out);
/* The complete input in SI. */
void vd_fit_resolve(const vd_fit *fit, vd_buf *out);

/* How a fit is solved. */
typedef struct vd_fit_options {
  /* Makes runs at the same time: calls work(task, i, result) for each i below count, in any process, and take(task, i,
   * result) in this one, in any order; result NULL: the process died. False after a message. NULL: one after the
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
  double deviation, freedom;      /* standard deviation; NAN: see the note */
  bool logarithm;                 /* the deviation is that of the logarithm */
  const char *note;               /* why there is no interval; "" */
} vd_fit_coefficient;

enum vd_fit_table {
  VD_FIT_ROWS, /* measured, fitted, residual and weight of each value */
  VD_FIT_FIGURES,
  VD_FIT_CURVES, /* for pictures; a fit of runs runs the experiments again */
  VD_FIT_TYRE,
  VD_FIT_PROPERTIES, /* the tyre as a property file */
  VD_FIT_CORRELATIONS,
  VD_FIT_SETTINGS, /* KEY=VALUE of all keys, for --set @FILE */
  VD_FIT_TABLES
};

typedef struct vd_fit_result {
  vd_fit_coefficient *coefficient;
  size_t coefficients;
  double confidence;
  double *value;      /* the model's at the end: [rows][VD_FIT_OUTPUTS] of a tyre, [values] of runs */
  double *row_weight; /* factors by robust loss, one for each row; 1 without */
  size_t rows;        /* rows of the first table */
  unsigned tables;    /* set of VD_WHEN(VD_FIT_ROWS) ... that it has */
  /* figures of a tyre */
  vd_figures tyre;
  const char *properties; /* the tyre as a property file */
  vd_fit_stage *stage;
  size_t stages;
  double *start;             /* [values] of the model at the start */
  double *correlation;       /* [coefficients][coefficients]; NAN: there is none */
  double *scatter;           /* [targets], in their units */
  double freedom;            /* values that take part, less figures */
  double misfit;             /* mean square over the scatters of targets whose scatter is known; NAN: there is none */
  size_t undetermined, runs; /* figures that the data do not determine; runs that were made */
  int iterations;
} vd_fit_result;

/* options may be NULL. False after errors: values that do not suffice or do not determine a figure, a model without
 * values. Warnings for figures at their bounds. */
bool vd_fit_solve(const vd_fit *fit, const vd_fit_options *options, vd_arena *arena, vd_diag *d, vd_fit_result *out);

/* Writes one of the tables that the result has. */
void vd_fit_write(const vd_fit *fit, const vd_fit_result *r, enum vd_fit_table table, enum vd_digits digits,
                  vd_output *o);
/* r NULL: the names of all that the fit may have. */
void vd_fit_metrics(const vd_fit *fit, const vd_fit_result *r, vd_arena *arena, vd_metrics *out);
/* Writes remarks on a solved fit: lines that begin with the name of its file. */
void vd_fit_remark(const vd_fit *fit, const vd_fit_result *r, const char *name, vd_buf *out);

/* The ends of an interval of confidence; NAN without a deviation. */
void vd_fit_interval(const vd_fit_coefficient *c, double confidence, double *low, double *high);

#endif
