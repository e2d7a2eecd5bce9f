/* --linear: a linear analysis of one vehicle scenario. */
#ifndef VD_LINEAR_JOB_H
#define VD_LINEAR_JOB_H

#include "job.h"

/* Whether the options of the command line fit a linear analysis of this kind of scenario; false after a message. */
bool vd_linear_job_may(const vd_settings *s, const char *scenario, enum vd_kind kind);

/* Runs the linear analysis of a scenario that has been read. Returns an exit status. */
int vd_linear_job_run(const vd_settings *s, const char *scenario, const vd_scenario_def *def);

#endif
