/* Searches: scenarios that are run many times, each time with another value of one key. */
#ifndef VD_SEARCH_JOB_H
#define VD_SEARCH_JOB_H

#include "job.h"

/* A scenario with a search that was read and checked, and its origin. */
typedef struct vd_search_job {
  const vd_settings *settings;
  const char *scenario; /* name of the scenario as it was given */
  const char *source;   /* name and text of the source, from which every trial reads the scenario again */
  const char *text;
  size_t length;
  const vd_scenario_def *def;
  const vd_buf *resolved;
} vd_search_job;

/* Checks that the scenario can be read with the searched key at both ends of its range; prints the reasons if it
 * cannot. Returns an exit status. */
int vd_search_job_check(const vd_search_job *job);

/* Runs all trials and writes the results and messages. Returns VD_EXIT_NO if a goal has no value: the goal holds at
 * both ends, at neither, or at the wrong end. */
int vd_search_job_run(const vd_search_job *job);

#endif
