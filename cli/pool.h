/* Many small pieces of work, done by a few processes that stay. Unlike jobs.h a process does one piece after the
 * other, so that what is read once serves them all; pieces end in any order, and their messages are not kept. */
#ifndef VD_POOL_H
#define VD_POOL_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct vd_pool {
  void *context;
  int jobs;     /* processes */
  size_t count; /* pieces, for the line of the progress */
  bool quiet;   /* no remark that the limit of open files allows fewer */
  bool watch;   /* on a terminal: a line of how many are done, how many a second, and the time left */
  /* Called by the parent: sets the number of the next piece; false: there is none. */
  bool (*next)(void *context, size_t *i);
  /* Called in each process: `begin` makes what it keeps, `work` computes a piece's result. False after a message: the
   * piece could not be done. */
  void *(*begin)(void *context);
  bool (*work)(void *own, size_t i, vd_buf *result);
  /* Called by the parent with the result and the time that it took. how: NULL, or what ended the process ("signal 9").
   * False: no more pieces are to be done. */
  bool (*take)(void *context, size_t i, double seconds, const vd_buf *result, const char *how);
  /* Called by the parent about once a second. False: no more pieces are to be done. */
  bool (*tick)(void *context);
} vd_pool;

/* Does all pieces. False after a message: no process could be had, or a piece could not be done and no more were. */
bool vd_pool_run(const vd_pool *pool);

#endif
