/* Worker processes, their pipes, and the signals that stop a program, as far as they differ between systems. On POSIX a
 * process is copied, and the copy continues from the call. On Windows the program is started again with the same
 * command line; when it reaches the call that started it, it becomes the worker. What a program does before this
 * call must therefore have no effect outside of the process, and only the first such call can have workers.
 *
 * A call: one call of vd_jobs_run or vd_pool_run, whose pieces (jobs.h, pool.h) the workers do. */
#ifndef VD_PROCESS_H
#define VD_PROCESS_H

#include "base/system.h"

#include <signal.h>
#include <stdint.h>

typedef intptr_t vd_process; /* 0: none */

/* Data that a worker gets from the process that starts it: pipes, the stream for its messages, and the number of its
 * piece. */
enum { VD_WORKER_LINKS = 3 };
typedef struct vd_worker_links {
  int fd[VD_WORKER_LINKS];
  size_t piece;
} vd_worker_links;

/* How a process ended: signal that ended it (0: none), or its exit status. */
typedef struct vd_process_end {
  int status, signal;
} vd_process_end;

/* Whether processes can be started for a call. follows: their work depends on earlier work of this process. */
bool vd_process_possible(bool follows);
/* Whether this process was started as a worker, and has not reached its call yet. */
bool vd_process_will_work(void);
/* Whether this process was started as a worker of this call; *links: its links. */
bool vd_process_is_worker(vd_worker_links *links);
/* Starts a process and returns it; 0 in the copy; -1 with errno set if no process can be started now. */
vd_process vd_process_start(const vd_worker_links *links);
void vd_process_stop(vd_process process, int number);
/* Waits for the end of a process. False with errno set: EINTR, or the end is not known. */
bool vd_process_wait(vd_process process, vd_process_end *end);

/* From this call on, writing to a closed pipe, or beyond the limit of a file's size, fails with an error and not by a
 * signal. */
void vd_signals_become_errors(void);

/* Runs a program, which is searched in PATH, with one file as its input and another as its output. False: it failed, or
 * does not exist. */
bool vd_process_filter(char *const *argv, FILE *from, FILE *to);

/* Makes a pipe; ends[0] is for reading. Programs that are started do not inherit the ends, except those in their
 * links. */
bool vd_process_pipe(int ends[2]);
/* Waits up to `ms' milliseconds (-1: without limit) until a pipe has something to read or has ended. ready: which
 * pipes. False: none. A negative fd is skipped. */
bool vd_process_poll(const int *fd, size_t count, int ms, bool *ready);

/* Finds how many files this process may open, and how many are open. False: the limit is far above `wanted'. */
bool vd_process_file_limit(size_t wanted, size_t *most, size_t *open);

/* Calls `stop' on INT, TERM or HUP, unless the signal was ignored at the program's start. */
void vd_signals_catch(void (*stop)(int number));
/* Between vd_signals_block and vd_signals_unblock no such signal is delivered; calls nest. */
void vd_signals_block(void);
void vd_signals_unblock(void);
const char *vd_signal_word(int number);
/* Lets the program die of a signal, so that a shell ends its script, too. */
void vd_signal_die(int number);

#endif
