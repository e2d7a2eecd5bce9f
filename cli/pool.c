#include "pool.h"

#include "jobs.h"
#include "progress.h"
#include "stop.h"
#include "tool.h"

#include "base/base.h"
#include "base/memory.h"
#include "base/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* number of pieces that a process has at a time, so that it need not wait for the next one */
enum { AHEAD = 2 };

/* The header that a process sends before the bytes of a result. */
typedef struct frame {
  size_t i, length;
  double seconds;
  bool failed;
} frame;

typedef struct worker {
  vd_process process; /* the running process; 0: none */
  int to, from;
  size_t piece[AHEAD], pieces; /* pieces that the process has and has not finished, in this order */
  vd_buf text;                 /* received, but not yet a whole frame */
} worker;

typedef struct running {
  const vd_pool *pool;
  worker *worker;
  size_t workers, busy;
  bool more;            /* `next' may still have pieces */
  bool stopped, failed; /* stopped: no more pieces are started; failed: a piece could not be done */
  /* [workers * AHEAD], pieces that a process had not begun when it died; another process gets them */
  size_t *again, again_count;
  vd_progress_line line;
  struct timespec ticked;
} running;

static double seconds_since(const struct timespec *begun) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - begun->tv_sec) + 1e-9 * (double)(now.tv_nsec - begun->tv_nsec);
}

/* --- in a child process --- */

static bool read_whole(int fd, void *bytes, size_t length) {
  char *at = bytes;
  while (length > 0) {
    ssize_t got = read(fd, at, (unsigned)length);
    if (got == 0 || (got < 0 && errno != EINTR))
      return false;
    at += got > 0 ? got : 0;
    length -= got > 0 ? (size_t)got : 0;
  }
  return true;
}

typedef struct serving {
  const vd_pool *pool;
  int from, to;
} serving;

static void serve(void *context) {
  const serving *s = context;
  void *own = s->pool->begin(s->pool->context);
  vd_buf text = {0};
  size_t i;
  while (read_whole(s->from, &i, sizeof i)) {
    struct timespec begun;
    frame f = {.i = i};
    text.length = 0;
    vd_buf_add(&text, (const char *)&f, sizeof f);
    clock_gettime(CLOCK_MONOTONIC, &begun);
    f.failed = !s->pool->work(own, i, &text);
    f.seconds = seconds_since(&begun);
    f.length = text.length - sizeof f;
    memcpy(text.text, &f, sizeof f);
    if (!vd_write_all(s->to, text.text, text.length))
      return;
  }
}

_Noreturn static void be_worker(const vd_pool *pool, int from, int to) {
  serving s = {pool, from, to};
  bool good = vd_memory_try(serve, &s);
  if (!good)
    vd_stop_clean();
  fflush(NULL);
  _exit(good ? VD_EXIT_YES : VD_EXIT_TROUBLE);
}

/* --- in the parent process --- */

/* Starts a process. Returns false with errno set if no process or pipe can be created now. */
static bool start(running *r, worker *w) {
  int to[2], from[2];
  if (!vd_process_pipe(to))
    return false;
  if (!vd_process_pipe(from)) {
    close(to[0]);
    close(to[1]);
    return false;
  }
  fflush(NULL);
  vd_process process = vd_stop_start_process(&(vd_worker_links){.fd = {to[0], from[1], STDERR_FILENO}});
  if (process == 0) {
    /* inherited pipe ends are closed: a reader sees the end of a pipe only when no process has its other end open */
    for (size_t k = 0; k < r->workers; k++)
      if (r->worker[k].process > 0) {
        close(r->worker[k].to);
        close(r->worker[k].from);
      }
    close(to[1]);
    close(from[0]);
    be_worker(r->pool, to[0], from[1]);
  }
  int error = errno;
  close(to[0]);
  close(from[1]);
  if (process < 0) {
    close(to[1]);
    close(from[0]);
    errno = error;
    return false;
  }
  *w = (worker){.process = process, .to = to[1], .from = from[0]};
  return true;
}

static bool next_piece(running *r, size_t *i) {
  if (r->stopped)
    return false;
  if (r->again_count > 0) {
    *i = r->again[--r->again_count];
    return true;
  }
  r->more = r->more && r->pool->next(r->pool->context, i);
  return r->more;
}

/* Gives a process as many pieces as it may have; closes its input when there are no more. */
static void send_pieces(running *r, worker *w) {
  size_t i;
  while (w->to >= 0 && w->pieces < AHEAD && next_piece(r, &i)) {
    w->piece[w->pieces++] = i;
    if (!vd_write_all(w->to, &i, sizeof i))
      break; /* the process has died; the end of its other pipe will show this */
  }
  if (w->to >= 0 && w->pieces == 0) {
    close(w->to);
    w->to = -1;
  }
}

static void done(running *r, worker *w, double seconds, const vd_buf *result, const char *how) {
  size_t i = w->piece[0];
  memmove(w->piece, w->piece + 1, --w->pieces * sizeof *w->piece);
  r->line.done++;
  if (!r->pool->take(r->pool->context, i, seconds, result, how))
    r->stopped = true;
}

/* Counts the process's present piece as not done, which ends the work. */
static void fail(running *r, worker *w) {
  memmove(w->piece, w->piece + 1, --w->pieces * sizeof *w->piece);
  r->failed = r->stopped = true;
}

/* Handles the end of a process; if it still had pieces, it died in the first of them, and the others are done again. */
static void end_worker(running *r, worker *w) {
  char how[40];
  close(w->from);
  if (w->to >= 0)
    close(w->to);
  vd_process_end end = vd_stop_wait(w->process);
  if (end.signal != 0)
    snprintf(how, sizeof how, "signal %d", end.signal);
  else
    snprintf(how, sizeof how, "out of memory");
  if (w->pieces > 0)
    done(r, w, 0.0, &(vd_buf){0}, how);
  for (size_t k = 0; k < w->pieces; k++)
    r->again[r->again_count++] = w->piece[k];
  vd_buf_finish(&w->text);
  w->process = 0;
  r->busy--;
}

static void take_frames(running *r, worker *w) {
  size_t at = 0;
  frame f;
  while (w->text.length - at >= sizeof f) {
    memcpy(&f, w->text.text + at, sizeof f);
    if (w->text.length - at - sizeof f < f.length)
      break;
    vd_buf result = {.text = w->text.text + at + sizeof f, .length = f.length, .capacity = f.length};
    at += sizeof f + f.length;
    if (f.failed)
      fail(r, w);
    else
      done(r, w, f.seconds, &result, NULL);
  }
  memmove(w->text.text, w->text.text + at, w->text.length - at);
  w->text.length -= at;
}

static void receive(running *r, worker *w) {
  enum { PIECE = 1 << 16 };
  vd_buf_reserve(&w->text, PIECE);
  ssize_t got = read(w->from, w->text.text + w->text.length, PIECE);
  if (got < 0 && errno == EINTR)
    return;
  if (got <= 0) {
    end_worker(r, w);
    return;
  }
  vd_buf_add_length(&w->text, (size_t)got);
  take_frames(r, w);
  send_pieces(r, w);
}

/* Calls `tick' of the caller about once a second, even while no process sends anything. */
static void tick(running *r) {
  if (seconds_since(&r->ticked) < 1.0)
    return;
  clock_gettime(CLOCK_MONOTONIC, &r->ticked);
  if (!r->pool->tick(r->pool->context))
    r->stopped = true;
  if (r->pool->watch)
    vd_line_draw(&r->line, r->pool->count);
}

/* Starts processes while there is work for them. Returns false after a message if no process is running and none can be
 * started. */
static bool start_workers(running *r) {
  for (size_t k = 0; k < r->workers && !r->stopped && (r->more || r->again_count > 0); k++)
    if (r->worker[k].process == 0) {
      if (start(r, &r->worker[k])) {
        r->busy++;
        send_pieces(r, &r->worker[k]);
      } else {
        return r->busy > 0 || vd_tool_error("cannot start a process: %s", strerror(errno));
      }
    }
  return true;
}

static bool run_apart(const vd_pool *pool) {
  running r = {.pool = pool, .workers = vd_jobs_allowed(pool->jobs, pool->count, pool->quiet), .more = true};
  r.worker = vd_allocate(r.workers, sizeof *r.worker);
  r.again = vd_allocate(r.workers * AHEAD, sizeof *r.again);
  int *fd = vd_allocate(r.workers, sizeof *fd);
  bool *ready = vd_allocate(r.workers, sizeof *ready);
  bool good = true;
  vd_line_start(&r.line);
  r.ticked = r.line.start;
  while ((good = start_workers(&r)) && r.busy > 0) {
    for (size_t k = 0; k < r.workers; k++)
      fd[k] = r.worker[k].process > 0 ? r.worker[k].from : -1;
    vd_process_poll(fd, r.workers, 1000, ready);
    for (size_t k = 0; k < r.workers; k++)
      if (ready[k])
        receive(&r, &r.worker[k]);
    tick(&r);
  }
  vd_line_erase(&r.line);
  free(fd);
  free(ready);
  free(r.worker);
  free(r.again);
  return good && !r.failed;
}

/* Does all pieces in this process. */
static bool run_here(const vd_pool *pool) {
  void *own = pool->begin(pool->context);
  bool good = true, more = true;
  for (size_t i; good && more && pool->next(pool->context, &i);) {
    struct timespec begun;
    vd_buf result = {0};
    clock_gettime(CLOCK_MONOTONIC, &begun);
    good = pool->work(own, i, &result);
    more = good && pool->take(pool->context, i, seconds_since(&begun), &result, NULL) && pool->tick(pool->context);
    vd_buf_finish(&result);
  }
  return good;
}

bool vd_pool_run(const vd_pool *pool) {
  vd_worker_links links;
  if (vd_process_is_worker(&links))
    be_worker(pool, links.fd[0], links.fd[1]);
  return vd_process_possible(pool->follows) ? run_apart(pool) : run_here(pool);
}
