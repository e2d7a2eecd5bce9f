/* Parts that every job of vdsim-run uses: settings and progress. */
#ifndef VD_JOB_H
#define VD_JOB_H

#include "run/run.h"

#include "input/schema.h"

#include <time.h>

typedef struct settings {
  const char *output;             /* NULL: stdout */
  const char *metrics, *response; /* NULL: not requested */
  const char *write_tir;          /* NULL: not requested */
  const char *report;             /* file of the page; NULL: not requested */
  bool handling;                  /* the operands are cars, which are driven through a programme of manoeuvres */
  const char *programme;          /* file that lists the manoeuvres; NULL: those that are shipped */
  const char *fmu;                /* file of the functional mock-up unit; NULL: not requested */
  int fmi;                        /* version of FMI, 2 or 3 */
  /* kind of the controller that the unit contains without its car; NULL: the unit contains the car */
  const char *controller;
  const char **parameter; /* keys of the scenario that become parameters of the unit */
  size_t parameters;
  bool linear;               /* linear analysis */
  const char *linear_file;   /* file of its results; NULL: they are only printed */
  double at;                 /* s, instant of the linear analysis; NAN: the end of the run */
  const char *template_kind; /* kind of the file that --template writes; NULL: not requested */
  vd_setting *set;
  size_t set_count;
  char **owned; /* texts generated for -c and --rate, which these settings own */
  size_t owned_count;
  enum vd_digits digits;
  int jobs;
  const char *log_option; /* "-c" or "--rate", if given; NULL: neither. They set keys of a vehicle's log */
  bool check, resolved, strict, quiet, verbose, directory;
  /* options of studies */
  bool resume, only_failed, count, dry_run, merge;
  int shard, shards; /* shard from 0 */
  long one_case;     /* number of the case of --case; -1: all cases */
  const char **scenario;
  size_t scenario_count;
  struct vd_cache *maps; /* maps of linkages and bushings, shared by everything that this program reads */
  vd_diag *inputs;       /* inputs of all scenarios that could be read beforehand; NULL: not known */
} vd_settings;

/* Writes the provenance of a run, with the settings of the command line. */
void vd_job_provenance(const vd_settings *s, const vd_origin *from, const vd_run_report *report, vd_buf *out);

/* Prints which values of a scenario are estimates, for --check. */
void vd_job_report_estimates(const char *scenario, const vd_schema *schema, const void *def);

/* A progress bar, on a terminal, for runs that take longer than two seconds. */
typedef struct vd_progress {
  struct timespec start;
  bool shown;
} vd_progress;

/* Returns the name of a file without folders and without .yaml or .yml. */
void vd_job_stem(const char *path, char *stem, size_t size);

/* Starts the clock of the progress bar, and returns whether to show the bar. */
bool vd_job_watch(const vd_settings *s, bool to_stdout, vd_progress *bar);
void vd_job_show_progress(void *context, double share); /* context: vd_progress */

/* Whether a file name is that of a time history: it ends in .csv, in .mat for MATLAB, or in .tdx for TYDEX. */
bool vd_job_is_log(const char *path);
bool vd_job_is_mat(const char *path);
bool vd_job_is_tydex(const char *path);

#endif
