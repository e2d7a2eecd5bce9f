/* Shared by the files of a fit of runs. */
#ifndef VD_RUN_FIT_IMPL_H
#define VD_RUN_FIT_IMPL_H

#include "study/run_fit.h"

/* --- run_fit_model.c: runs with values of the free figures --- */

/* What a run shows of one of the data: series [columns][rows]. */
typedef struct vd_run_record {
  double **series;
  double *highest, *lowest; /* [rows], of x up to each row */
  size_t rows, capacity;
} vd_run_record;

/* A worker's own readers of the files, kept from run to run. */
typedef struct vd_run_model vd_run_model;
vd_run_model *vd_run_model_start(const vd_run_fit *fit);
void vd_run_model_finish(vd_run_model *m); /* accepts NULL */

/* Runs an experiment with free figures, SI, and writes the values of its targets into value [values], the others are
 * left. False: there are none, since the run ended early or was refused; why. */
bool vd_run_model_values(vd_run_model *m, size_t experiment, const double *figure, double *value, char *why,
                         size_t size);
/* The record of data after such a run, until the next one. */
const vd_run_record *vd_run_model_record(const vd_run_model *m, size_t data);
/* The value of a column at x. beyond (may be NULL): x is not reached, and the value is where it came nearest. */
double vd_run_record_at(const vd_run_record *record, size_t column, double x, bool *beyond);

/* Number of an end of the data, of all the values of x. */
double vd_run_data_end(const vd_run_data *data, bool greatest);

/* The value of a formula. */
double vd_run_formula(const vd_run_fit *fit, const vd_run_experiment *of, const vd_expression *formula,
                      const double *figure, char *why, size_t size);

#endif
