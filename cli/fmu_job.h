/* Writes a scenario as a functional mock-up unit, a car for other programs: --fmu. */
#ifndef VD_FMU_JOB_H
#define VD_FMU_JOB_H

#include "job.h"

/* Writes s->fmu from a scenario that was read; `resolved` is its complete text. Returns an exit status. */
int vd_fmu_job(const vd_settings *s, const char *scenario, const vd_buf *resolved);

#endif
