/* Tyre rigs: scenarios that run one tyre without a car. */
#ifndef VD_RIG_JOB_H
#define VD_RIG_JOB_H

#include "job.h"
#include "run/rig.h"

/* Runs a rig from its registered source and writes results and messages. Returns an exit status. */
int vd_rig_job_run(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d);

#endif
