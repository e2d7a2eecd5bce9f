/* --write-tir: the tyres of a scenario as property files. */
#ifndef VD_TIR_JOB_H
#define VD_TIR_JOB_H

#include "job.h"

#include "tyre/tyre_def.h"

/* Writes the tyres of all wheels, FL, FR, RL, RR, or of a rig as property files. Equal tyres make one file. If all are
 * equal, it has the given name; else each name says its axle, and its side if the axle's tyres differ. Returns an exit
 * status. */
int vd_tir_job(const vd_settings *s, const char *scenario, const vd_tyre_def *const *tyre, int count);

#endif
