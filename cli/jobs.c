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

/* A piece of work that runs in a process of its own; its messages are kept until the messages of all earlier pieces are
 * printed. */
typedef struct job {
  vd_process process; /* the running process; 0: none */
  int from[2];        /* reading ends of the pipes for messages and result; -1: closed */
  vd_buf messages, result;
  bool ended;
  vd_process_end end;
} job;

enum { MESSAGES, RESULT };

size_t vd_jobs_allowed(int jobs, size_t count, bool quiet) {
  /* number of files that this process opens besides the pipes: journals, tables, inputs, and pipe ends for the child */
  enum { OWN = 8 };
  size_t wanted = (size_t)jobs < count ? (size_t)jobs : count, most, open;
  if (!vd_process_file_limit(wanted + OWN, &most, &open))
    return (size_t)jobs;
  size_t allowed = most > open + OWN + 4 ? (most - open - OWN) / 2 : 1;
  if (allowed >= wanted)
    return (size_t)jobs;
  static bool remarked;
  if (!quiet && !remarked)
    vd_tool_note("only %zu files may be open (ulimit -n): %zu process%s at a time, not %zu", most, allowed,
                 allowed == 1 ? "" : "es", wanted);
  remarked = true;
  return allowed;
}

/* --- in the child process --- */

typedef struct child_work {
  const vd_jobs *all;
  size_t i;
  vd_buf result;
  int status;
} child_work;

static void do_work(void *context) {
  child_work *w = context;
  w->status = w->all->work(w->all->context, w->i, &w->result);
}

_Noreturn static void be_process(const vd_jobs *all, size_t i, const int to[2]) {
  child_work w = {.all = all, .i = i, .status = VD_EXIT_TROUBLE};
  dup2(to[MESSAGES], STDERR_FILENO);
  close(to[MESSAGES]);
  if (vd_memory_try(do_work, &w)) {
    /* an error here means that the parent no longer reads */
    vd_write_all(to[RESULT], w.result.text, w.result.length);
  } else {
    vd_stop_clean();
    vd_tool_error("out of memory");
  }
  fflush(NULL);
  _exit(w.status);
}

/* --- in the parent process --- */

static bool open_pipe(int *from, int *to) {
  int ends[2];
  if (!vd_process_pipe(ends))
    return false;
  *from = ends[0];
  *to = ends[1];
  return true;
}

static void close_all(int fd[2]) {
  for (int k = 0; k < 2; k++) {
    if (fd[k] >= 0)
      close(fd[k]);
    fd[k] = -1;
  }
}

/* Starts a process for a piece. Returns false with errno set if no process or pipe can be created now. */
static bool start(const vd_jobs *all, size_t i, job *piece) {
  int to[2] = {-1, -1};
  job *j = &piece[i];
  *j = (job){.from = {-1, -1}};
  fflush(NULL);
  bool open = open_pipe(&j->from[MESSAGES], &to[MESSAGES]) && open_pipe(&j->from[RESULT], &to[RESULT]);
  vd_process process =
      open ? vd_stop_start_process(&(vd_worker_links){.fd = {to[MESSAGES], to[RESULT], STDERR_FILENO}, .piece = i})
           : -1;
  if (process == 0) {
    /* inherited pipe ends of other pieces are closed: they would count towards the limit of open files */
    for (size_t k = 0; k <= i; k++)
      if (k == i || piece[k].process > 0)
        close_all(piece[k].from);
    be_process(all, i, to);
  }
  int error = errno;
  close_all(to);
  if (process < 0)
    close_all(j->from);
  j->process = process > 0 ? process : 0;
  errno = error;
  return process > 0;
}

/* Reads what is available in a pipe; a process has ended when both of its pipes are at their end. */
static void read_from(const vd_jobs *all, size_t i, job *j, int k) {
  enum { PIECE = 1 << 16 };
  vd_buf *text = k == MESSAGES ? &j->messages : &j->result;
  vd_buf_reserve(text, PIECE);
  ssize_t got = read(j->from[k], text->text + text->length, PIECE);
  if (got > 0)
    vd_buf_add_length(text, (size_t)got);
  if (got > 0 || (got < 0 && errno == EINTR))
    return;
  close(j->from[k]);
  j->from[k] = -1;
  if (j->from[1 - k] >= 0)
    return;
  j->end = vd_stop_wait(j->process);
  j->ended = true;
  if (all->take)
    all->take(all->context, i, &j->result);
  vd_buf_finish(&j->result);
}

/* Waits until processes have written something, and reads it; returns how many processes have ended. */
static size_t receive(const vd_jobs *all, job *piece, size_t from, size_t to, vd_progress_line *l) {
  size_t ended = 0, count = 2 * (to - from);
  int *fd = vd_allocate(count, sizeof *fd);
  bool *ready = vd_allocate(count, sizeof *ready);
  for (size_t n = 0; n < count; n++) {
    const job *j = &piece[from + n / 2];
    fd[n] = j->process > 0 ? j->from[n % 2] : -1;
  }
  vd_process_poll(fd, count, -1, ready);
  for (size_t n = 0; n < count; n++)
    if (ready[n]) {
      job *j = &piece[from + n / 2];
      read_from(all, from + n / 2, j, (int)(n % 2));
      ended += j->ended;
      l->failed += j->ended && (j->end.status != VD_EXIT_YES || j->end.signal != 0);
    }
  l->done += ended;
  free(fd);
  free(ready);
  return ended;
}

/* Prints the messages of a piece. Returns its exit status. */
static int finish(job *j, vd_job_end *end) {
  const char *line = j->messages.text ? j->messages.text : "";
  fwrite(line, 1, j->messages.length, stderr);
  while (end && *line && *end->reason == '\0') {
    size_t length = strcspn(line, "\n");
    const char *word = strstr(line, "error: ");
    if (word && word < line + length)
      snprintf(end->reason, sizeof end->reason, "%.*s", (int)length, line);
    line += length + (line[length] == '\n');
  }
  vd_buf_finish(&j->messages);
  if (j->end.signal != 0)
    vd_tool_error("a process died of signal %d", j->end.signal);
  return j->end.status;
}

/* The ways in which pieces can end, from the best to the worst. */
static const struct {
  int status;
  const char *word;
} rank[] = {{VD_EXIT_YES, "done"}, {VD_EXIT_NO, "no"}, {VD_EXIT_ENDED, "ended early"}, {VD_EXIT_TROUBLE, "trouble"}};

static size_t rank_of(int status) {
  size_t i = 0;
  while (i + 1 < VD_COUNT(rank) && rank[i].status != status)
    i++;
  return i;
}

const char *vd_jobs_word(int status) {
  return rank[rank_of(status)].word;
}

static int worse(int a, int b) {
  return rank_of(a) > rank_of(b) ? a : b;
}

static bool is_enough(const vd_jobs *all) {
  return all->enough && *all->enough;
}

/* Starts as many processes as may run at a time. A piece whose process cannot be started waits for the end of another
 * process; it fails if no process is running. */
static size_t start_processes(const vd_jobs *all, size_t at_most, job *piece, size_t started, size_t *running,
                              vd_progress_line *l) {
  while (started < all->count && *running < at_most && !is_enough(all)) {
    if (start(all, started, piece)) {
      ++*running;
    } else if (*running > 0) {
      break;
    } else {
      vd_tool_error("cannot start a process: %s", strerror(errno));
      piece[started].ended = true;
      piece[started].end.status = VD_EXIT_TROUBLE;
      l->done++;
      l->failed++;
    }
    started++;
  }
  return started;
}

static void tell_stop(const vd_jobs *all, size_t done) {
  if (all->unit)
    vd_stop_set_message(done, all->count, all->unit, all->kept);
}

/* Runs every piece in a process of its own; when a process ends, the next one is started. */
static int run_apart(const vd_jobs *all, vd_progress_line *l) {
  job *piece = vd_allocate(all->count, sizeof *piece);
  size_t at_most = vd_jobs_allowed(all->jobs, all->count, all->quiet);
  size_t started = 0, running = 0, finished = 0;
  int worst = VD_EXIT_YES;
  while (finished < all->count && !(finished == started && is_enough(all))) {
    started = start_processes(all, at_most, piece, started, &running, l);
    if (running > 0 && !piece[finished].ended)
      running -= receive(all, piece, finished, started, l);
    tell_stop(all, l->done);
    if (piece[finished].ended)
      vd_line_erase(l);
    for (; finished < started && piece[finished].ended; finished++) {
      vd_job_end *end = all->end ? &all->end[finished] : NULL;
      int status = finish(&piece[finished], end);
      if (end)
        end->status = status;
      worst = worse(worst, status);
    }
    if (all->watch)
      vd_line_draw(l, all->count);
  }
  free(piece);
  return worst;
}

/* Runs the pieces one after the other in this process. */
static int run_here(const vd_jobs *all) {
  int worst = VD_EXIT_YES;
  for (size_t i = 0; i < all->count && !is_enough(all); i++) {
    vd_buf result = {0};
    int status = all->work(all->context, i, &result);
    worst = worse(worst, status);
    if (all->end)
      all->end[i].status = status;
    if (all->take)
      all->take(all->context, i, &result);
    vd_buf_finish(&result);
    tell_stop(all, i + 1);
  }
  return worst;
}

int vd_jobs_run(const vd_jobs *all) {
  vd_progress_line l;
  bool apart = all->jobs > 1 || all->watch || all->end;
  vd_line_start(&l);
  tell_stop(all, 0);
  apart = apart && all->count > 1;
  vd_worker_links links;
  if (apart && vd_process_is_worker(&links))
    be_process(all, links.piece, links.fd);
  int worst = apart && vd_process_possible(all->follows) ? run_apart(all, &l) : run_here(all);
  vd_line_erase(&l);
  return worst;
}
