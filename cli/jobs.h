/* Independent pieces of work, several at a time; messages are printed in order, results arrive as pieces end. */
#ifndef VD_JOBS_H
#define VD_JOBS_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Does piece i, adds its result to the text, and returns its exit status. */
typedef int vd_job_fn(void *context, size_t i, vd_buf *result);
/* Receives the result of piece i in the process that called vd_jobs_run, as soon as the piece has ended. A piece whose
 * process died has no result. */
typedef void vd_job_taker(void *context, size_t i, const vd_buf *result);

/* How a piece ended. */
typedef struct vd_job_end {
  int status;       /* exit status */
  char reason[240]; /* the first error among its messages; empty: none */
} vd_job_end;

typedef struct vd_jobs {
  vd_job_fn *work;
  vd_job_taker *take; /* receives the results; NULL: the pieces have none */
  void *context;
  size_t count;
  int jobs;     /* number of pieces that run at a time */
  bool follows; /* the pieces depend on earlier work of this process; see process.h */
  bool quiet;   /* no remark is printed if the limit of open files allows fewer processes */
  /* shows a line on a terminal: how many pieces are done, how many have failed, and the time left */
  bool watch;
  vd_job_end *end;    /* [count] receives how each piece ended; NULL: not wanted */
  const bool *enough; /* when this becomes true no further piece is started; NULL: all pieces are run */
  /* words of the message that is printed if a signal stops the tool: "scenarios", "their results are kept" */
  const char *unit, *kept;
} vd_jobs;

/* Returns how many of `jobs` processes are to run for `count` pieces: the limit of open files must leave room for two
 * pipes from each process. Prints a remark if it allows fewer, unless `quiet`. */
size_t vd_jobs_allowed(int jobs, size_t count, bool quiet);

/* Runs pieces 0..count-1, or until `enough' is true, each in a process of its own. All run in this process if there is
 * only one piece, or if only one runs at a time and neither `watch' nor `end' is set. Messages to stderr are printed in
 * the order of the pieces. Messages and results come through pipes, so no temporary folder is needed. Returns the worst
 * exit status, from the worst: VD_EXIT_TROUBLE, VD_EXIT_ENDED, VD_EXIT_NO, VD_EXIT_YES. */
int vd_jobs_run(const vd_jobs *all);

/* Returns the words for an exit status, for instance "ended early". */
const char *vd_jobs_word(int status);

#endif
