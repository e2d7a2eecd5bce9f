#include "jobs.h"

#include "tool.h"

#include "base/base.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* One piece of work in a process of its own; its messages are kept until its turn. */
typedef struct job {
  pid_t pid; /* -1: not started */
  FILE *messages;
  bool ended;
  int raw; /* status from waitpid */
} job;

static void start(vd_job_fn *work, void *context, size_t i, job *j) {
  fflush(NULL);
  j->messages = tmpfile();
  j->pid = j->messages ? fork() : -1;
  if (j->pid < 0)
    vd_tool_error("cannot start a process: %s", strerror(errno));
  if (j->pid != 0)
    return;
  dup2(fileno(j->messages), STDERR_FILENO);
  int status = work(context, i);
  fflush(NULL);
  _exit(status);
}

/* The line of the progress. */
typedef struct progress {
  struct timespec start;
  size_t done, failed;
  bool shown;
} progress;

static void erase(progress *l) {
  if (l->shown)
    fputs("\r\033[K", stderr);
  l->shown = false;
}

/* The time left if what is to come takes as long as what is done. */
static void draw(progress *l, size_t count) {
  struct timespec now;
  char bar[41], failed[32] = "";
  clock_gettime(CLOCK_MONOTONIC, &now);
  double elapsed = (double)(now.tv_sec - l->start.tv_sec) + 1e-9 * (double)(now.tv_nsec - l->start.tv_nsec);
  double left = elapsed * (double)(count - l->done) / (double)(l->done > 0 ? l->done : 1);
  for (size_t i = 0; i < 40; i++)
    bar[i] = i * count < 40 * l->done ? '#' : '.';
  bar[40] = '\0';
  if (l->failed > 0)
    snprintf(failed, sizeof failed, ", %zu failed", l->failed);
  erase(l);
  fprintf(stderr, "[%s] %zu of %zu done%s, %.0f %s left", bar, l->done, count, failed,
          left < 100.0 ? left : left / 60.0, left < 100.0 ? "s" : "min");
  l->shown = true;
}

/* Waits for the end of a process; returns how many have ended. */
static size_t wait_for_one(job *all, size_t count, progress *l) {
  size_t ended = 0;
  int raw = 0;
  pid_t pid;
  do
    pid = waitpid(-1, &raw, 0);
  while (pid < 0 && errno == EINTR);
  for (size_t i = 0; i < count; i++)
    if (all[i].pid > 0 && !all[i].ended && (pid < 0 || all[i].pid == pid)) {
      all[i].ended = true; /* without child processes its status is lost */
      all[i].raw = pid < 0 ? VD_EXIT_TROUBLE << 8 : raw;
      l->failed += all[i].raw != 0;
      ended++;
    }
  l->done += ended;
  return ended;
}

/* Prints its messages. */
static int finish(job *j, vd_job_end *end) {
  bool good = j->pid > 0 && WIFEXITED(j->raw);
  char *line = NULL;
  size_t room = 0;
  if (!j->messages)
    return VD_EXIT_TROUBLE;
  rewind(j->messages);
  for (ssize_t length; (length = getline(&line, &room, j->messages)) > 0;) {
    fwrite(line, 1, (size_t)length, stderr);
    if (end && *end->reason == '\0' && strstr(line, "error: "))
      snprintf(end->reason, sizeof end->reason, "%.*s", (int)strcspn(line, "\n"), line);
  }
  free(line);
  fclose(j->messages);
  if (j->pid > 0 && WIFSIGNALED(j->raw))
    vd_tool_error("a process died of signal %d", WTERMSIG(j->raw));
  return good ? WEXITSTATUS(j->raw) : VD_EXIT_TROUBLE;
}

/* From good to bad. */
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

/* Every piece in a process of its own; any process that ends makes room for the next one. */
static int run_apart(const vd_jobs *all, progress *l) {
  job *piece = vd_tool_allocate(all->count, sizeof *piece);
  size_t started = 0, running = 0, told = 0;
  int worst = VD_EXIT_YES;
  while (told < all->count) {
    for (; started < all->count && running < (size_t)all->jobs; started++) {
      start(all->work, all->context, started, &piece[started]);
      if (piece[started].pid > 0) {
        running++;
      } else {
        piece[started].ended = true;
        l->done++;
        l->failed++;
      }
    }
    if (running > 0 && !piece[told].ended)
      running -= wait_for_one(piece, started, l);
    if (piece[told].ended)
      erase(l);
    for (; told < started && piece[told].ended; told++) {
      vd_job_end *end = all->end ? &all->end[told] : NULL;
      int status = finish(&piece[told], end);
      if (end)
        end->status = status;
      worst = worse(worst, status);
    }
    if (all->watch)
      draw(l, all->count);
  }
  free(piece);
  return worst;
}

int vd_jobs_run(const vd_jobs *all) {
  progress l = {.done = 0};
  bool apart = all->jobs > 1 || all->watch || all->end;
  int worst = VD_EXIT_YES;
  clock_gettime(CLOCK_MONOTONIC, &l.start);
  if (apart && all->count > 1)
    worst = run_apart(all, &l);
  else
    for (size_t i = 0; i < all->count; i++)
      worst = worse(worst, all->work(all->context, i));
  erase(&l);
  return worst;
}
