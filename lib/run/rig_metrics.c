/* Metrics of a rig: extremes and last values of its columns, over all rows of a grid or all steps of its time
 * histories. */
#include "run/rig_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The metrics of each column, in their order. */
enum { LEAST, GREATEST, END, FIGURES };

#define ROWS(column, name, suffix, unit)                                                                               \
  {name "_least" suffix, unit, "least value of the column " column},                                                   \
      {name "_greatest" suffix, unit, "greatest value of the column " column}, {                                       \
    name "_end" suffix, unit, "value of the column " column " in the last row"                                         \
  }

/* X(column, name, suffix, unit) */
#define COLUMNS(X)                                                                                                     \
  X("fx_N", "fx", "_N", "N"), X("fy_N", "fy", "_N", "N"), X("mx_Nm", "mx", "_Nm", "N m"),                              \
      X("my_Nm", "my", "_Nm", "N m"), X("mz_Nm", "mz", "_Nm", "N m"), X("trail_m", "trail", "_m", "m"),                \
      X("re_m", "re", "_m", "m"), X("rl_m", "rl", "_m", "m"), X("mu_peak", "mu_peak", "", "1"),                        \
      X("kappa_peak", "kappa_peak", "", "1"), X("alpha_peak_rad", "alpha_peak", "_rad", "rad"),                        \
      X("slip_stiffness_N", "slip_stiffness", "_N", "N"),                                                              \
      X("cornering_stiffness_Npr", "cornering_stiffness", "_Npr", "N/rad"), X("sigma_x_m", "sigma_x", "_m", "m"),      \
      X("sigma_y_m", "sigma_y", "_m", "m"), X("contact_length_m", "contact_length", "_m", "m")

#define COLUMN(column, name, suffix, unit) column
static const char *const column_names[] = {COLUMNS(COLUMN)};

static const vd_metric_info metrics[] = {COLUMNS(ROWS)};

const vd_metric_set vd_rig_metrics = {.key = "tyre_rig", .title = "every tyre rig", VD_METRIC_ROWS(metrics)};

typedef struct record {
  size_t column[VD_COUNT(column_names)];
  double figure[VD_COUNT(column_names)][FIGURES]; /* NAN: the column had no value */
} record;

static void begin(record *r) {
  size_t count;
  const vd_channel *table = vd_rig_columns(&count);
  for (size_t i = 0; i < VD_COUNT(column_names); i++) {
    for (size_t k = 0; k < count; k++)
      if (strcmp(table[k].name, column_names[i]) == 0)
        r->column[i] = k;
    for (int k = 0; k < FIGURES; k++)
      r->figure[i][k] = NAN;
  }
}

static void record_row(void *context, const double *value) {
  record *r = context;
  for (size_t i = 0; i < VD_COUNT(column_names); i++) {
    double v = value[r->column[i]], *figure = r->figure[i];
    if (!(v >= figure[LEAST]) && !isnan(v))
      figure[LEAST] = v;
    if (!(v <= figure[GREATEST]) && !isnan(v))
      figure[GREATEST] = v;
    figure[END] = v;
  }
}

void vd_rig_measure(const vd_rig_def *def, const vd_run_options *options, vd_output *log, vd_metrics *out,
                    vd_run_report *report) {
  vd_run_options reading = *options;
  record r;
  begin(&r);
  reading.values = record_row;
  reading.row_context = &r;
  vd_rig_run(def, &reading, log, report);
  out->count = 0;
  vd_metrics_add_rows(&vd_rig_metrics, out);
  for (size_t i = 0; i < out->count; i++) {
    out->metric[i].value = r.figure[i / FIGURES][i % FIGURES];
    if (isnan(out->metric[i].value))
      snprintf(out->metric[i].reason, sizeof out->metric[i].reason, "the column has no value with this tyre");
  }
}
