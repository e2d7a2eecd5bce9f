/* --write-tir: the tyres of a scenario as property files. */
#ifndef VD_TIR_JOB_H
#define VD_TIR_JOB_H

#include "job.h"

#include "tyre/tyre_def.h"

/* Writes the tyres of all wheels (FL, FR, RL, RR), or of a rig, as property files. If all tyres are equal there is one
 * file of the given name; otherwise there is a file for each axle or, if the tyres of an axle differ, for each wheel;
 * its name contains that of the axle or the wheel. Returns an exit status. */
int vd_tir_job(const vd_settings *s, const char *scenario, const vd_tyre_def *const *tyre, int count);

#endif
