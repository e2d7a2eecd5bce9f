/* The results of one scenario: its time history and the files beside it. They get their final names together or not at
 * all, and no results of an earlier run are left among them. */
#ifndef VD_RESULTS_H
#define VD_RESULTS_H

#include "job.h"

#include "input/schema.h"

/* Files of results, in the order in which they get their names. The provenance is first: it marks the others as results
 * of these programs. */
enum vd_result_file {
  VD_RESULT_PROVENANCE,
  VD_RESULT_LOG,
  VD_RESULT_RESOLVED,
  VD_RESULT_METRICS,
  VD_RESULT_JSON, /* provenance and metrics */
  VD_RESULT_RESPONSE,
  VD_RESULT_FIGURES, /* this and the following: results of a fit */
  VD_RESULT_CURVES,
  VD_RESULT_TYRE,
  VD_RESULT_PROPERTIES,
  VD_RESULT_CORRELATIONS,
  VD_RESULT_SETTINGS,
  VD_RESULT_PROFILE,
  VD_RESULT_RESAMPLES,
  VD_RESULT_INCOMPLETE, /* the log of a run that failed, under another name */
  VD_RESULTS
};

typedef struct vd_results {
  const vd_settings *settings;
  const char *scenario;
  const vd_buf *resolved;
  const vd_schema *schema; /* schema of the scenario, for the list of estimates; NULL: the scenario has no estimates */
  const void *def;
  enum vd_kind kind;
  int level;            /* level of the vehicle model */
  const vd_buf *origin; /* further lines of the provenance; NULL: none */
  bool alone;           /* the log goes to standard output, a device or a pipe, and there are no files beside it */
  bool mat;             /* the log becomes a file of MATLAB; until then its rows are in memory */
  vd_buf rows;
  vd_buf metrics; /* text of the metrics, once they have been written */
  char name[VD_RESULTS][1024];
  vd_output *output[VD_RESULTS]; /* NULL: not open */
} vd_results;

/* Writes the contents of the file `which', for instance the metrics; returns an exit status. */
typedef int vd_result_writer(void *context, enum vd_result_file which, vd_output *o);

/* Whether a run writes rows without a provenance or other files that describe them. */
bool vd_results_rows_alone(const vd_settings *s);

/* Whether all outputs of a scenario may be written; false after messages. */
bool vd_results_may_write(const vd_settings *s, const char *scenario);
/* Like vd_results_may_write, for the results that only fits have. */
bool vd_results_may_write_fit(const vd_settings *s, const char *scenario);

/* Makes DIR/STEM of the results, or the name given by -o without its extension; false after a message. */
bool vd_results_base(const vd_settings *s, const char *scenario, char *base, size_t size);

/* Prints what --check or --resolved request for a scenario that was read; otherwise makes sure that the outputs may be
 * written. Returns an exit status, or -1 if the scenario is to be run. */
int vd_results_begin(const vd_settings *s, const char *scenario, const vd_buf *resolved);

/* Closes and removes the open outputs. */
void vd_results_discard(vd_results *r);

/* Opens the log; false after a message. The members from `settings' to `level' must be set. */
bool vd_results_open(vd_results *r);
/* Writes the results of a run with this report. has: set of VD_WHEN(VD_RESULT_...) that `write` can write. Returns an
 * exit status for writing, which does not include the outcome of the run. */
int vd_results_commit(vd_results *r, const vd_run_report *report, unsigned has, vd_result_writer *write, void *context);

/* Writes only metrics or only the frequency response to a file; returns an exit status. The members from `settings' to
 * `level' must be set. */
int vd_result_write(vd_results *r, const char *path, enum vd_result_file which, const vd_run_report *report,
                    vd_result_writer *write, void *context);

#endif
