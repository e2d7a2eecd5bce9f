/* A whole run: simulate, write the log, record for the metrics. */
#ifndef VD_RUN_H
#define VD_RUN_H

#include "run/scenario.h"
#include "input/table.h"

typedef struct vd_run_options {
  enum vd_digits digits;
  /* called from time to time with the finished share, if not NULL */
  void (*progress)(void *context, double share);
  void *progress_context;
  vd_response *response; /* receives every row (vd_scenario_row_interval), if not NULL */
  /* called for each row, if not NULL; view: set of enum vd_view, the parts of the row that the callback needs */
  void (*row)(void *context, const vd_row *row);
  unsigned view;
  bool grid; /* `row` is called only for the rows at the ends of steps, and changes no metric */
  /* replaces `row` for a tyre rig and a track car: receives the values of all columns */
  void (*values)(void *context, const double *value);
  void *row_context;
  bool tydex; /* writes the log of a tyre rig as a TYDEX file */
} vd_run_options;

typedef struct vd_run_report {
  enum vd_sim_status status;
  char failure[240];             /* what failed and when; empty if the run did not fail */
  char doubt[240];               /* as in vd_instance_doubt; empty if there is none */
  bool reader_gone;              /* the run ended because the reader of the log closed its pipe */
  long rows;                     /* log rows written */
  double end_time;               /* s */
  long parts, splits, unsettled; /* numbers of steps, as in vd_sim */
} vd_run_report;

/* Marks the channels of the log, one flag for each row of vd_channel_table; wanted must have VD_CHANNELS flags. */
void vd_log_columns(const vd_scenario_def *def, bool *wanted);

/* Writes the first line of a log. */
void vd_log_header(vd_output *log, const vd_channel *column, size_t count);

/* Runs the scenario. log (NULL: no time history) and recorder may be NULL. */
void vd_simulate(const vd_scenario_def *def, const vd_run_options *options, vd_output *log, vd_recorder *recorder,
                 vd_run_report *report);

/* Computes all metrics that the scenario requests, from a recorder that kept samples. */
void vd_run_metrics(const vd_scenario_def *def, const vd_recorder *recorder, vd_metrics *out);

void vd_write_metrics(vd_output *o, const vd_metrics *metrics, enum vd_digits digits);
/* vd_write_metrics_head writes the header of the table of metrics, vd_write_metric the line of one metric. */
void vd_write_metrics_head(vd_output *o);
void vd_write_metric(vd_output *o, const vd_metric *metric, enum vd_digits digits);

/* The input from which a log comes. */
typedef struct vd_origin {
  const char *tool, *scenario;
  const char *resolved; /* [length] */
  size_t length;
  enum vd_kind kind;
  int level; /* level of the model, for a vehicle */
} vd_origin;

/* Writes the provenance of a log: name of the tool, version, scenario, hash of the resolved input (FNV-1a, 64 bit), how
 * the run ended. */
void vd_write_provenance(vd_buf *out, const vd_origin *from, const vd_run_report *report);

#endif
