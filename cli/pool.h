/* Runs many small pieces of work in a few processes. Unlike in jobs.h, a process does many pieces one after
 * the other, so that it reads its inputs only once; pieces end in any order, and their messages are not kept. */
#ifndef VD_POOL_H
#define VD_POOL_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct vd_pool {
  void *context;
  int jobs;     /* number of processes */
  size_t count; /* number of pieces, for the progress line */
  bool quiet;   /* no remark is printed if the limit of open files allows fewer processes */
  bool watch;   /* shows a line on a terminal: how many pieces are done, how many per second, and the time left */
  bool follows; /* the pieces depend on earlier work of this process; see process.h */
  /* Called in the parent: sets the number of the next piece; returns false if there is none. */
  bool (*next)(void *context, size_t *i);
  /* Called in each process: `begin` makes the data that the process keeps, `work` computes a piece's result. `work'
   * returns false after a message if the piece could not be done. */
  void *(*begin)(void *context);
  bool (*work)(void *own, size_t i, vd_buf *result);
  /* Called in the parent with a piece's result and the time that it took. how: what ended the process ("signal 9") if
   * it died in this piece, else NULL. Returns false if no more pieces are to be done. */
  bool (*take)(void *context, size_t i, double seconds, const vd_buf *result, const char *how);
  /* Called in the parent about once a second. Returns false if no more pieces are to be done. */
  bool (*tick)(void *context);
} vd_pool;

/* Runs all pieces. Returns false after a message if no process could be started, or if a piece could not be done, after
 * which no further pieces are started. */
bool vd_pool_run(const vd_pool *pool);

#endif
