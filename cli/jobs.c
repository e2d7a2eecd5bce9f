#include "jobs.h"

#include "base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A piece in a process of its own; its words are kept until its turn comes. */
typedef struct job {
  pid_t pid; /* -1: not started */
  FILE *words;
} job;

static void start(vd_job_fn *work, void *context, size_t i, job *j) {
  fflush(NULL);
  j->words = tmpfile();
  j->pid = j->words ? fork() : -1;
  if (j->pid < 0)
    fprintf(stderr, "error: cannot start a process: %s\n", strerror(errno));
  if (j->pid != 0)
    return;
  dup2(fileno(j->words), STDERR_FILENO);
  int status = work(context, i);
  fflush(NULL);
  _exit(status);
}

/* Waits for the process and passes its words on. */
static int finish(job *j) {
  int raw = 0, status = VD_EXIT_TROUBLE;
  if (j->pid > 0 && waitpid(j->pid, &raw, 0) == j->pid && WIFEXITED(raw))
    status = WEXITSTATUS(raw);
  if (!j->words)
    return status;
  rewind(j->words);
  for (int c; (c = getc(j->words)) != EOF;)
    putc(c, stderr);
  fclose(j->words);
  if (j->pid > 0 && WIFSIGNALED(raw))
    fprintf(stderr, "error: a process died of signal %d\n", WTERMSIG(raw));
  return status;
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
  job *all = calloc(count, sizeof *all);
  if (!all)
    abort();
  for (size_t ended = 0, started = 0; ended < count; ended++) {
    for (; started < count && started < ended + (size_t)jobs; started++)
      start(work, context, started, &all[started]);
    worst = worse(worst, finish(&all[ended]));
  }
  free(all);
  return worst;
}
