#include "process.h"

#if defined(_WIN32)
#include "base/memory.h"

#include <errno.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* The environment variable that makes a program a worker: the handles of its links, and the number of its piece. */
static const char variable[] = "VDSIM_WORKER";

static HANDLE handle_of(int fd) {
  return (HANDLE)_get_osfhandle(fd);
}

/* --- workers --- */

/* Whether the program reads standard input. Scenarios on it can be read only once, so that no worker could read
 * them. */
static bool reads_stdin(void) {
  for (int i = 1; i < __argc; i++)
    if (strcmp(__argv[i], "-") == 0)
      return true;
  return false;
}

bool vd_process_possible(bool follows) {
  static bool later;
  bool first = !later && !follows && !reads_stdin();
  later = true;
  return first;
}

bool vd_process_will_work(void) {
  return getenv(variable) != NULL;
}

bool vd_process_is_worker(vd_worker_links *links) {
  unsigned long long handle[VD_WORKER_LINKS], piece;
  const char *text = getenv(variable);
  if (!text || sscanf(text, "%llx,%llx,%llx,%llu", &handle[0], &handle[1], &handle[2], &piece) != 4)
    return false;
  for (int i = 0; i < VD_WORKER_LINKS; i++)
    links->fd[i] = _open_osfhandle((intptr_t)handle[i], _O_BINARY);
  links->piece = (size_t)piece;
  dup2(links->fd[VD_WORKER_LINKS - 1], STDERR_FILENO);
  _putenv_s(variable, "");
  vd_process_possible(true); /* the worker starts no processes itself */
  return true;
}

/* Makes a process end with this one: the system ends all processes of a job when its last handle is closed. */
static void put_in_job(HANDLE process) {
  static HANDLE job;
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit = {.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE};
  if (!job && (job = CreateJobObjectA(NULL, NULL)))
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limit, sizeof limit);
  if (job)
    AssignProcessToJobObject(job, process);
}

vd_process vd_process_start(const vd_worker_links *links) {
  char program[4096], value[120];
  HANDLE handle[VD_WORKER_LINKS];
  for (int i = 0; i < VD_WORKER_LINKS; i++) {
    handle[i] = handle_of(links->fd[i]);
    SetHandleInformation(handle[i], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
  }
  snprintf(value, sizeof value, "%llx,%llx,%llx,%zu", (unsigned long long)(uintptr_t)handle[0],
           (unsigned long long)(uintptr_t)handle[1], (unsigned long long)(uintptr_t)handle[2], links->piece);
  SetEnvironmentVariableA(variable, value);
  SECURITY_ATTRIBUTES inherit = {.nLength = sizeof inherit, .bInheritHandle = TRUE};
  HANDLE none = CreateFileA("NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherit,
                            OPEN_EXISTING, 0, NULL);
  STARTUPINFOA how = {
      .cb = sizeof how, .dwFlags = STARTF_USESTDHANDLES, .hStdInput = none, .hStdOutput = none, .hStdError = none};
  PROCESS_INFORMATION made;
  DWORD length = GetModuleFileNameA(NULL, program, sizeof program);
  BOOL good = length > 0 && length < sizeof program &&
              CreateProcessA(program, GetCommandLineA(), NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL, &how, &made);
  CloseHandle(none);
  SetEnvironmentVariableA(variable, NULL);
  for (int i = 0; i < VD_WORKER_LINKS; i++)
    SetHandleInformation(handle[i], HANDLE_FLAG_INHERIT, 0);
  if (!good) {
    errno = EAGAIN;
    return -1;
  }
  put_in_job(made.hProcess);
  ResumeThread(made.hThread);
  CloseHandle(made.hThread);
  return (vd_process)made.hProcess;
}

void vd_process_stop(vd_process process, int number) {
  TerminateProcess((HANDLE)process, 128u + (unsigned)number);
}

bool vd_process_wait(vd_process process, vd_process_end *end) {
  DWORD code = 2;
  WaitForSingleObject((HANDLE)process, INFINITE);
  GetExitCodeProcess((HANDLE)process, &code);
  CloseHandle((HANDLE)process);
  *end = (vd_process_end){.status = code < 128 ? (int)code : 2,
                          .signal = code < 128   ? 0
                                    : code < 256 ? (int)code - 128
                                                 : SIGSEGV};
  return true;
}

/* --- pipes --- */

/* The C library declares this in a header whose name equals that of one of our headers. */
__declspec(dllimport) intptr_t __cdecl _spawnvp(int mode, const char *program, const char *const *argv);

bool vd_process_filter(char *const *argv, FILE *from, FILE *to) {
  const int kept[2] = {_dup(STDIN_FILENO), _dup(STDOUT_FILENO)};
  fflush(stdout);
  _dup2(_fileno(from), STDIN_FILENO);
  _dup2(_fileno(to), STDOUT_FILENO);
  intptr_t status = _spawnvp(0, /* waits */ argv[0], (const char *const *)argv);
  for (int fd = STDIN_FILENO; fd <= STDOUT_FILENO; fd++) {
    _dup2(kept[fd], fd);
    _close(kept[fd]);
  }
  return status == 0;
}

bool vd_process_pipe(int ends[2]) {
  return _pipe(ends, 1 << 16, _O_BINARY | _O_NOINHERIT) == 0;
}

static bool can_read(int fd) {
  DWORD bytes = 0;
  return fd >= 0 && (!PeekNamedPipe(handle_of(fd), NULL, 0, NULL, &bytes, NULL) || bytes > 0);
}

bool vd_process_poll(const int *fd, size_t count, int ms, bool *ready) {
  bool any = false;
  for (int waited = 0;; waited++) {
    for (size_t i = 0; i < count; i++)
      any |= ready[i] = can_read(fd[i]);
    if (any || (ms >= 0 && waited >= ms))
      return any;
    Sleep(1);
  }
}

bool vd_process_file_limit(size_t wanted, size_t *most, size_t *open) {
  (void)wanted, (void)most, (void)open;
  return false;
}

/* --- signals --- */

static void (*on_stop)(int number);
static CRITICAL_SECTION blocked;

/* Runs in a thread of its own, and waits there while signals are blocked. */
static BOOL WINAPI on_console(DWORD event) {
  EnterCriticalSection(&blocked);
  on_stop(event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT ? SIGINT : SIGTERM);
  return FALSE;
}

static void on_abort(int number) {
  _exit(128 + number);
}

void vd_signals_catch(void (*stop)(int number)) {
  on_stop = stop;
  InitializeCriticalSection(&blocked);
  SetConsoleCtrlHandler(on_console, TRUE);
  signal(SIGABRT, on_abort);
}

void vd_signals_block(void) {
  if (on_stop)
    EnterCriticalSection(&blocked);
}

void vd_signals_unblock(void) {
  if (on_stop)
    LeaveCriticalSection(&blocked);
}

void vd_signals_become_errors(void) {
}

const char *vd_signal_word(int number) {
  return number == SIGINT ? "INT" : "TERM";
}

void vd_signal_die(int number) {
  _exit(128 + number);
}
#endif
