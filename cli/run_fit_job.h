#ifndef VD_RUN_FIT_JOB_H
#define VD_RUN_FIT_JOB_H

#include "job.h"

/* Runs a fit of scenarios or suspensions from a registered source; an exit status. */
int vd_run_fit_job_run(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d);

#endif
