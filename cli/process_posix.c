#define _XOPEN_SOURCE 700

#include "process.h"

#if !defined(_WIN32)
#include "base/base.h"
#include "base/memory.h"

#include <errno.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

bool vd_process_possible(bool follows) {
  (void)follows;
  return true;
}

bool vd_process_will_work(void) {
  return false;
}

bool vd_process_is_worker(vd_worker_links *links) {
  (void)links;
  return false;
}

vd_process vd_process_start(const vd_worker_links *links) {
  pid_t parent = getpid(), pid = fork();
  (void)links; /* the copy of the process has the links already */
  if (pid == 0) {
#ifdef __linux__ /* the child also ends if the parent is killed */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (getppid() != parent)
      _exit(2);
  }
  return pid;
}

void vd_process_stop(vd_process process, int number) {
  kill((pid_t)process, number);
}

bool vd_process_wait(vd_process process, vd_process_end *end) {
  int raw = 0;
  if (waitpid((pid_t)process, &raw, 0) != (pid_t)process)
    return false;
  *end =
      (vd_process_end){.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 2, .signal = WIFSIGNALED(raw) ? WTERMSIG(raw) : 0};
  return true;
}

extern char **environ;

bool vd_process_filter(char *const *argv, FILE *from, FILE *to) {
  posix_spawn_file_actions_t files;
  pid_t child;
  int status = 0;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, fileno(from), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(to), STDOUT_FILENO);
  bool good = posix_spawnp(&child, argv[0], &files, NULL, argv, environ) == 0;
  posix_spawn_file_actions_destroy(&files);
  return good && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool vd_process_pipe(int ends[2]) {
  if (pipe(ends) != 0)
    return false;
  for (int i = 0; i < 2; i++)
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return true;
}

bool vd_process_poll(const int *fd, size_t count, int ms, bool *ready) {
  struct pollfd *list = vd_allocate(count, sizeof *list);
  nfds_t pipes = 0, next = 0; /* poll refuses more entries than files may be open, even if some are not pipes */
  for (size_t i = 0; i < count; i++)
    if (fd[i] >= 0)
      list[pipes++] = (struct pollfd){.fd = fd[i], .events = POLLIN};
  bool any = poll(list, pipes, ms) > 0;
  for (size_t i = 0; i < count; i++)
    ready[i] = fd[i] >= 0 && list[next++].revents != 0 && any;
  free(list);
  return any;
}

bool vd_process_file_limit(size_t wanted, size_t *most, size_t *open) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur / 8 > wanted)
    return false;
  *open = 0;
  for (int fd = 0; (rlim_t)fd < limit.rlim_cur; fd++)
    *open += fcntl(fd, F_GETFD) >= 0;
  *most = (size_t)limit.rlim_cur;
  return true;
}

/* --- signals --- */

static const struct {
  int number;
  const char *word;
} signals[] = {{SIGINT, "INT"}, {SIGTERM, "TERM"}, {SIGHUP, "HUP"}};

static int blocks;
static sigset_t before; /* the signal mask before the first vd_signals_block */

static void fill_set(sigset_t *set) {
  sigemptyset(set);
  for (size_t i = 0; i < VD_COUNT(signals); i++)
    sigaddset(set, signals[i].number);
}

void vd_signals_catch(void (*stop)(int number)) {
  struct sigaction action = {.sa_handler = stop}, now;
  fill_set(&action.sa_mask);
  for (size_t i = 0; i < VD_COUNT(signals); i++)
    if (sigaction(signals[i].number, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
      sigaction(signals[i].number, &action, NULL);
}

void vd_signals_block(void) {
  sigset_t set, present;
  fill_set(&set);
  sigprocmask(SIG_BLOCK, &set, &present);
  if (blocks++ == 0)
    before = present;
}

void vd_signals_unblock(void) {
  if (--blocks == 0)
    sigprocmask(SIG_SETMASK, &before, NULL);
}

void vd_signals_become_errors(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

const char *vd_signal_word(int number) {
  for (size_t i = 0; i < VD_COUNT(signals); i++)
    if (signals[i].number == number)
      return signals[i].word;
  return "";
}

void vd_signal_die(int number) {
  sigset_t set;
  signal(number, SIG_DFL);
  fill_set(&set);
  raise(number);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}
#endif
