/* Independent pieces of work, several at a time; their messages and results come in order. */
#ifndef VD_JOBS_H
#define VD_JOBS_H

#include <stddef.h>

/* Does piece i and returns its exit status. */
typedef int vd_job_fn(void *context, size_t i);

/* Does pieces 0..count-1, up to `jobs` at a time, each in a process of its own when jobs > 1; what they write to stderr
 * comes out in their order. Returns the highest exit status. */
int vd_jobs_run(vd_job_fn *work, void *context, size_t count, int jobs);

#endif
