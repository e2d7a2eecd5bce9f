#include "stop.h"
#include "tool.h"

#include "base/base.h"

#include <errno.h>
#include <string.h>

enum {
  FILES = 64,      /* greatest number of temporary files that are removed; further ones remain */
  PROCESSES = 1024 /* the largest number of -j */
};

/* State of this module; it is changed only while signals are blocked, because the handler reads it. */
static struct {
  const char *name;
  bool child; /* a child process prints nothing, as its parent does */
  size_t finished, total;
  const char *unit, *kept;
  const char *file[FILES];
  vd_process process[PROCESSES]; /* 0: none */
} state = {.name = "vdsim", .kept = "nothing is kept"};

/* --- the message, by functions that a signal handler may call --- */

static void print_text(const char *text) {
  size_t length = strlen(text);
  if (write(STDERR_FILENO, text, (unsigned)length) < 0)
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
  print_text(vd_signal_word(number));
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

void vd_stop_clean(void) {
  for (size_t i = 0; i < FILES; i++)
    if (state.file[i]) {
      unlink(state.file[i]);
      state.file[i] = NULL;
    }
}

/* Waits for the end of a process. stopped: the signal by which it was stopped, 0: none; it is returned if SIGCHLD is
 * ignored, because the end is then not known. */
static vd_process_end wait_for(vd_process process, int stopped) {
  vd_process_end end = {.status = VD_EXIT_TROUBLE, .signal = stopped};
  while (!vd_process_wait(process, &end) && errno == EINTR)
    ;
  return end;
}

/* Stops the child processes. A process that ends normally at this moment has finished its piece. */
static void stop_processes(int number) {
  for (size_t i = 0; i < PROCESSES; i++)
    if (state.process[i] > 0)
      vd_process_stop(state.process[i], number);
  for (size_t i = 0; i < PROCESSES; i++)
    if (state.process[i] > 0)
      state.finished += wait_for(state.process[i], number).signal == 0;
}

static void stop(int number) {
  stop_processes(number);
  vd_stop_clean();
  if (!state.child)
    print_line(number);
  vd_signal_die(number);
}

void vd_stop_start(const char *name) {
  state.name = name;
  vd_signals_catch(stop);
}

void vd_stop_block(void) {
  vd_signals_block();
}

void vd_stop_unblock(void) {
  vd_signals_unblock();
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

vd_process vd_stop_start_process(const vd_worker_links *links) {
  vd_stop_block();
  vd_process process = vd_process_start(links);
  if (process == 0) {
    state.child = true;
    memset(state.file, 0, sizeof state.file);
    memset(state.process, 0, sizeof state.process);
  }
  for (size_t i = 0; i < PROCESSES && process > 0; i++)
    if (state.process[i] == 0) {
      state.process[i] = process;
      break;
    }
  vd_stop_unblock();
  return process;
}

vd_process_end vd_stop_wait(vd_process process) {
  vd_stop_block();
  vd_process_end end = wait_for(process, 0);
  for (size_t i = 0; i < PROCESSES; i++)
    if (state.process[i] == process)
      state.process[i] = 0;
  vd_stop_unblock();
  return end;
}
