/* Processes that do pieces of this one's work, their pipes, and the signals that stop a program: what differs between
 * systems for the programs alone. Where a process can be copied (POSIX), the copy goes on from the call. On Windows the
 * program is started anew with the same command line; when it comes to the call that started it, it becomes the worker.
 * What it does before must therefore change nothing that others see, and only the first such call of a program can have
 * workers. */
#ifndef VD_PROCESS_H
#define VD_PROCESS_H

#include "base/system.h"

#include <signal.h>
#include <stdint.h>

typedef intptr_t vd_process; /* 0: none */

/* What a worker gets from the process that starts it: pipes and its messages' stream, and the number of its piece. */
enum { VD_WORKER_LINKS = 3 };
typedef struct vd_worker_links {
  int fd[VD_WORKER_LINKS];
  size_t piece;
} vd_worker_links;

/* How a process ended: by a signal, 0: none, or with an exit status. */
typedef struct vd_process_end {
  int status, signal;
} vd_process_end;

/* Whether processes can be started for a call. follows: its work depends on earlier work of this process. */
bool vd_process_possible(bool follows);
/* Whether this process was started anew to be a worker, and has not yet come to the call. */
bool vd_process_will_work(void);
/* Whether this process was started anew to be a worker of this call, and its links. */
bool vd_process_is_worker(vd_worker_links *links);
/* Starts a process; returns 0 in a copy, and -1 with errno set if none can be started now. */
vd_process vd_process_start(const vd_worker_links *links);
void vd_process_stop(vd_process process, int number);
/* Waits for the end of a process. False with errno set: EINTR, or the end is not known. */
bool vd_process_wait(vd_process process, vd_process_end *end);

/* Writing to a closed pipe, or beyond the limit of a file's size, then fails with an error and no signal. */
void vd_signals_become_errors(void);

/* Runs a program, which is searched in PATH, from a file to a file. False: it failed, or is not there. */
bool vd_process_filter(char *const *argv, FILE *from, FILE *to);

/* Makes a pipe whose ends a program that is started does not inherit, apart from its links: ends[0] reads. */
bool vd_process_pipe(int ends[2]);
/* Waits up to `ms' milliseconds, -1: for ever, until pipes have something to read or have ended, and tells which.
 * False: none. A negative number is no pipe. */
bool vd_process_poll(const int *fd, size_t count, int ms, bool *ready);

/* How many files this process may open, and how many are open already. False: the limit is far above `wanted'. */
bool vd_process_file_limit(size_t wanted, size_t *most, size_t *open);

/* Signals that stop a program, unless they were ignored at its start: INT, TERM, HUP. */
void vd_signals_catch(void (*stop)(int number));
/* Between the two no such signal is delivered; calls nest. */
void vd_signals_block(void);
void vd_signals_unblock(void);
const char *vd_signal_word(int number);
/* Lets the program die of a signal, so that a shell ends its script, too. */
void vd_signal_die(int number);

#endif
