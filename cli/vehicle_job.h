/* Vehicles: scenarios that drive a car, once or as a search. */
#ifndef VD_VEHICLE_JOB_H
#define VD_VEHICLE_JOB_H

#include "job.h"

/* Runs a vehicle from its registered source and writes results and messages. Returns an exit status. */
int vd_vehicle_job_run(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d);

#endif
