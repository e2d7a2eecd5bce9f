/* --write-tir: the tyres of a scenario as property files. */
#ifndef VD_TIR_JOB_H
#define VD_TIR_JOB_H

#include "job.h"

#include "tyre/tyre_def.h"

/* The tyres of all wheels, FL, FR, RL, RR, or of a rig. Those that are the same make one file: of the given name if all
 * are; else each name says its axle, and its side if the axle's differ. An exit status. */
int vd_tir_job(const vd_settings *s, const char *scenario, const vd_tyre_def *const *tyre, int count);

#endif
