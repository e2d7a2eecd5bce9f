/* Studies: many cases, their journal and their table of results; merging of the shards of one study. */
#ifndef VD_STUDY_JOB_H
#define VD_STUDY_JOB_H

#include "job.h"

/* Reads a study from a registered source, runs it, and writes results and messages. Returns an exit status. */
int vd_study_job_run(const vd_settings *s, const char *scenario, int source, vd_arena *arena, vd_diag *d);

/* Does --merge: joins the shards of a study, which are in the folders s->scenario, in one table in the folder
 * s->output. */
int vd_study_job_merge(const vd_settings *s);

#endif
