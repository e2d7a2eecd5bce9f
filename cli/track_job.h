/* Track cars: scenarios of a car with four wheel points on a mesh. */
#ifndef VD_TRACK_JOB_H
#define VD_TRACK_JOB_H

#include "job.h"
#include "run/track_run.h"

/* Runs a track car from its registered source and writes results and messages. Returns an exit status. */
int vd_track_job_run(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d);

#endif
