/* Parts that every job of vdsim-run uses: settings, names of results, and writing of results. */
#ifndef VD_JOB_H
#define VD_JOB_H

#include "run/run.h"

#include <time.h>

typedef struct settings {
  const char *output;             /* NULL: stdout */
  const char *metrics, *response; /* NULL: not requested */
  vd_setting *set;
  size_t set_count;
  char **owned; /* texts generated for -c and --rate */
  size_t owned_count;
  enum vd_digits digits;
  int jobs;
  const char *log_option; /* -c or --rate, if given: they set keys of a vehicle's log */
  bool check, resolved, quiet, verbose, directory;
  const char **scenario;
  size_t scenario_count;
} vd_settings;

/* A progress bar, on a terminal, for runs that take longer than two seconds. */
typedef struct vd_progress {
  struct timespec start;
  bool shown;
} vd_progress;

/* Names of the results of one scenario. */
typedef struct vd_result_names {
  char log[1024], incomplete[1024], metrics[1024], response[1024], resolved[1024], provenance[1024];
} vd_result_names;

/* Name without folders and without .yaml or .yml. */
void vd_job_stem(const char *path, char *stem, size_t size);

/* Whether to show progress; starts its clock. */
bool vd_job_watch(const vd_settings *s, bool to_stdout, vd_progress *bar);
void vd_job_show_progress(void *context, double share); /* context: vd_progress */

/* Makes the folder of the results as well. False after a message. */
bool vd_job_make_names(const vd_settings *s, const char *scenario, vd_result_names *n);

/* An exit status. */
int vd_job_write_provenance(const char *path, const char *scenario, const vd_buf *resolved, int level,
                            const vd_run_report *report);

/* Does what --check and --resolved request for a scenario that has been read; -1: the scenario is to be run. */
int vd_job_show(const vd_settings *s, const vd_buf *resolved);

/* Whether the output is a regular file: no device, pipe or link that a user gave as an output. */
bool vd_job_is_plain(const char *path);
void vd_job_remove_stale(const char *path);

#endif
