/* Envelopes, moment diagrams and laps. */
#ifndef VD_LIMITS_JOB_H
#define VD_LIMITS_JOB_H

#include "job.h"

/* Computes an envelope, a diagram or a lap from its registered source, and writes results and messages. Returns an exit
 * status. */
int vd_limits_job_run(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d);

#endif
