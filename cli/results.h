/* The results of one scenario: its time history, and what stands beside it. They appear together or not at all, and the
 * results of an earlier run do not stay among them. */
#ifndef VD_RESULTS_H
#define VD_RESULTS_H

#include "job.h"

#include "input/schema.h"

/* Files of results, in the order in which they appear. The provenance comes first: it says that the others are
 * results. */
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
  VD_RESULT_INCOMPLETE, /* the name of the log of a run that failed */
  VD_RESULTS
};

typedef struct vd_results {
  const vd_settings *settings;
  const char *scenario;
  const vd_buf *resolved;
  const vd_schema *schema; /* schema of the scenario, for its estimates; NULL: it can have none */
  const void *def;
  enum vd_kind kind;
  int level;            /* level of the vehicle model */
  const vd_buf *origin; /* further lines for the provenance; NULL: none */
  bool alone;           /* the log is standard output, a device or a pipe: nothing stands beside it */
  vd_buf metrics;       /* their text, once they are written */
  char name[VD_RESULTS][1024];
  vd_output *output[VD_RESULTS]; /* NULL: not open */
} vd_results;

/* Writes metrics or response; an exit status. */
typedef int vd_result_writer(void *context, enum vd_result_file which, vd_output *o);

/* Whether a run writes rows and nothing that says what they are of. */
bool vd_results_rows_alone(const vd_settings *s);

/* Whether all outputs of a scenario may be written; false after messages. */
bool vd_results_may_write(const vd_settings *s, const char *scenario);
/* As vd_results_may_write, for the results that only a fit has. */
bool vd_results_may_write_fit(const vd_settings *s, const char *scenario);

/* DIR/STEM of the results, or the name that -o gives, without its ending; false after a message. */
bool vd_results_base(const vd_settings *s, const char *scenario, char *base, size_t size);

/* For a scenario that has been read: does what --check and --resolved request, and makes sure that its outputs may be
 * written. Returns an exit status, or -1 if it is to be run. */
int vd_results_begin(const vd_settings *s, const char *scenario, const vd_buf *resolved);

/* Closes and removes what is open. */
void vd_results_discard(vd_results *r);

/* Opens the log; false after a message. settings to level are set. */
bool vd_results_open(vd_results *r);
/* Writes what the report tells of. has: set of VD_WHEN(VD_RESULT_...) that `write` can write. Returns an exit status,
 * without that of the run. */
int vd_results_commit(vd_results *r, const vd_run_report *report, unsigned has, vd_result_writer *write, void *context);

/* Writes metrics or response to a file by itself; an exit status. settings to level are set. */
int vd_result_write(vd_results *r, const char *path, enum vd_result_file which, const vd_run_report *report,
                    vd_result_writer *write, void *context);

#endif
