/* Independent pieces of work, several at a time; their messages and results come in order. */
#ifndef VD_JOBS_H
#define VD_JOBS_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Does piece i, adds its result to the text, and returns its exit status. */
typedef int vd_job_fn(void *context, size_t i, vd_buf *result);
/* Takes the result of piece i, in the process that called vd_jobs_run, as soon as the piece has ended. A piece that
 * died has none. */
typedef void vd_job_taker(void *context, size_t i, const vd_buf *result);

/* How a piece ended. */
typedef struct vd_job_end {
  int status;       /* exit status */
  char reason[240]; /* the first error among its messages; empty: none */
} vd_job_end;

typedef struct vd_jobs {
  vd_job_fn *work;
  vd_job_taker *take; /* NULL: there are no results */
  void *context;
  size_t count;
  int jobs;                /* pieces at a time */
  bool quiet;              /* no remark that the limit of open files allows fewer */
  bool watch;              /* on a terminal: a line of how many are done and have failed, and the time left */
  vd_job_end *end;         /* receives `count` of them, if not NULL */
  const bool *enough;      /* once it is true no piece is begun any more; NULL: all are done */
  const char *unit, *kept; /* for the line if a signal stops the tool: "scenarios", "their results are kept" */
} vd_jobs;

/* How many of `jobs` processes are to run for so many pieces: those that the limit of open files allows, each with two
 * pipes to this process. A remark says so unless `quiet`. */
size_t vd_jobs_allowed(int jobs, size_t count, bool quiet);

/* Does pieces 0..count-1 or as many as are enough, each in a process of its own unless one after the other is done
 * without watch and ends. What they write to stderr comes out in their order; it and the results come through pipes, so
 * that no temporary folder is needed. Returns the worst exit status: trouble, a run that ended early, no, yes. */
int vd_jobs_run(const vd_jobs *all);

/* "ended early": what an exit status says. */
const char *vd_jobs_word(int status);

#endif
