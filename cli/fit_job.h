/* Fits of tyres and of runs. */
#ifndef VD_FIT_JOB_H
#define VD_FIT_JOB_H

#include "job.h"

/* Reads a fit from the file that d registers as `source`, solves it, and writes its results and messages. Returns an
 * exit status. */
int vd_fit_job_run(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d);

#endif
