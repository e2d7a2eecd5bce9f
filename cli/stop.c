#define _XOPEN_SOURCE 700

#include "stop.h"
#include "tool.h"

#include "base/base.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum {
  FILES = 64,      /* largest number of temporary files that are removed; more than these are left */
  PROCESSES = 1024 /* the largest number of -j */
};

static const struct {
  int number;
  const char *word;
} signals[] = {{SIGINT, "INT"}, {SIGTERM, "TERM"}, {SIGHUP, "HUP"}};

/* State of this module; it is changed only while signals are blocked, because the handler reads it. */
static struct {
  const char *name;
  bool child; /* a child process prints nothing, as its parent does */
  size_t finished, total;
  const char *unit, *kept;
  const char *file[FILES];
  pid_t process[PROCESSES]; /* 0: none */
  int blocks;
  sigset_t before; /* the signal mask before vd_stop_block */
} state = {.name = "vdsim", .kept = "nothing is kept"};

/* --- the message, by functions that a signal handler may call --- */

static void print_text(const char *text) {
  size_t length = strlen(text);
  if (write(STDERR_FILENO, text, length) < 0)
    return; /* standard error is closed */
}

static void write_count(size_t n) {
  char digits[24];
  size_t at = sizeof digits - 1;
  digits[at] = '\0';
  do
    digits[--at] = (char)('0' + n % 10);
  while ((n /= 10) > 0);
  print_text(digits + at);
}

static void print_line(int number) {
  print_text(state.name);
  print_text(": stopped by ");
  for (size_t i = 0; i < VD_COUNT(signals); i++)
    if (signals[i].number == number)
      print_text(signals[i].word);
  print_text(": ");
  if (state.total > 0) {
    write_count(state.finished);
    print_text(" of ");
    write_count(state.total);
    print_text(" ");
    print_text(state.unit);
    print_text(" were finished; ");
  }
  print_text(state.kept);
  print_text("\n");
}

/* --- signals --- */

static void fill_set(sigset_t *set) {
  sigemptyset(set);
  for (size_t i = 0; i < VD_COUNT(signals); i++)
    sigaddset(set, signals[i].number);
}

void vd_stop_clean(void) {
  for (size_t i = 0; i < FILES; i++)
    if (state.file[i]) {
      unlink(state.file[i]);
      state.file[i] = NULL;
    }
}

/* Stops the child processes. One that ends normally at this moment has finished its piece. */
static void stop_processes(int number) {
  for (size_t i = 0; i < PROCESSES; i++)
    if (state.process[i] > 0)
      kill(state.process[i], number);
  for (size_t i = 0; i < PROCESSES; i++) {
    int status = number;
    while (state.process[i] > 0 && waitpid(state.process[i], &status, 0) < 0 && errno == EINTR)
      ;
    state.finished += state.process[i] > 0 && WIFEXITED(status);
  }
}

static void stop(int number) {
  sigset_t set;
  stop_processes(number);
  vd_stop_clean();
  if (!state.child)
    print_line(number);
  signal(number, SIG_DFL); /* the tool dies of the signal itself, so that a shell ends its script, too */
  fill_set(&set);
  raise(number);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void vd_stop_start(const char *name) {
  state.name = name;
  struct sigaction action = {.sa_handler = stop}, now;
  fill_set(&action.sa_mask);
  for (size_t i = 0; i < VD_COUNT(signals); i++)
    if (sigaction(signals[i].number, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
      sigaction(signals[i].number, &action, NULL);
}

void vd_stop_block(void) {
  sigset_t set, before;
  fill_set(&set);
  sigprocmask(SIG_BLOCK, &set, &before);
  if (state.blocks++ == 0)
    state.before = before;
}

void vd_stop_unblock(void) {
  if (--state.blocks == 0)
    sigprocmask(SIG_SETMASK, &state.before, NULL);
}

/* --- what is cleaned up: message, files and processes --- */

void vd_stop_set_message(size_t finished, size_t total, const char *unit, const char *kept) {
  vd_stop_block();
  state.finished = finished;
  state.total = total;
  state.unit = unit;
  state.kept = kept;
  vd_stop_unblock();
}

void vd_stop_add_file(const char *path) {
  for (size_t i = 0; i < FILES; i++)
    if (!state.file[i]) {
      state.file[i] = path;
      return;
    }
}

void vd_stop_forget_file(const char *path) {
  for (size_t i = 0; i < FILES; i++)
    if (state.file[i] == path)
      state.file[i] = NULL;
}

pid_t vd_stop_fork(void) {
  pid_t parent = getpid();
  vd_stop_block();
  pid_t pid = fork();
  if (pid == 0) {
    state.child = true;
    memset(state.file, 0, sizeof state.file);
    memset(state.process, 0, sizeof state.process);
#ifdef __linux__ /* the child also ends if the parent is killed */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (getppid() != parent)
      _exit(VD_EXIT_TROUBLE);
  }
  for (size_t i = 0; i < PROCESSES && pid > 0; i++)
    if (state.process[i] == 0) {
      state.process[i] = pid;
      break;
    }
  vd_stop_unblock();
  return pid;
}

int vd_stop_wait(pid_t pid) {
  int status = 0;
  pid_t ended;
  vd_stop_block();
  do
    ended = waitpid(pid, &status, 0);
  while (ended < 0 && errno == EINTR);
  for (size_t i = 0; i < PROCESSES; i++)
    if (state.process[i] == pid)
      state.process[i] = 0;
  vd_stop_unblock();
  return ended == pid ? status : VD_EXIT_TROUBLE << 8; /* the status is not available, as when SIGCHLD is ignored */
}
