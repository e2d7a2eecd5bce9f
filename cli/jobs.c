#include "jobs.h"

#include "tool.h"

#include "base/base.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

/* Waits for the end of a process; returns how many have ended. */
static size_t wait_for_one(job *all, size_t count) {
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
      ended++;
    }
  return ended;
}

/* Prints its messages. */
static int finish(job *j) {
  bool good = j->pid > 0 && WIFEXITED(j->raw);
  if (!j->messages)
    return VD_EXIT_TROUBLE;
  rewind(j->messages);
  for (int c; (c = getc(j->messages)) != EOF;)
    putc(c, stderr);
  fclose(j->messages);
  if (j->pid > 0 && WIFSIGNALED(j->raw))
    vd_tool_error("a process died of signal %d", WTERMSIG(j->raw));
  return good ? WEXITSTATUS(j->raw) : VD_EXIT_TROUBLE;
}

static int worse(int a, int b) {
  return a > b ? a : b;
}

int vd_jobs_run(vd_job_fn *work, void *context, size_t count, int jobs) {
  int worst = VD_EXIT_YES;
  if (jobs <= 1 || count <= 1) {
    for (size_t i = 0; i < count; i++)
      worst = worse(worst, work(context, i));
    return worst;
  }
  job *all = vd_tool_allocate(count, sizeof *all);
  /* any process that ends makes room for the next one; messages are printed in order */
  size_t started = 0, running = 0, told = 0;
  while (told < count) {
    for (; started < count && running < (size_t)jobs; started++) {
      start(work, context, started, &all[started]);
      if (all[started].pid > 0)
        running++;
      else
        all[started].ended = true;
    }
    if (running > 0 && !all[told].ended)
      running -= wait_for_one(all, started);
    for (; told < started && all[told].ended; told++)
      worst = worse(worst, finish(&all[told]));
  }
  free(all);
  return worst;
}
