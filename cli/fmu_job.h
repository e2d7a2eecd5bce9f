/* Does --fmu: writes a scenario as a functional mock-up unit, so that other programs can use its car. */
#ifndef VD_FMU_JOB_H
#define VD_FMU_JOB_H

#include "job.h"

/* Writes s->fmu from a scenario that was read. resolved: its complete text; read: the files that were read, of which
 * `source` is the scenario. Returns an exit status. */
int vd_fmu_job(const vd_settings *s, const char *scenario, const vd_buf *resolved, const vd_diag *read, int source);

#endif
