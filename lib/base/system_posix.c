#define _GNU_SOURCE /* for dladdr */

#include "base/system.h"

#if !defined(_WIN32)
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#if defined(__x86_64__)
#define PROCESSOR "x86_64"
#elif defined(__aarch64__)
#define PROCESSOR "aarch64"
#elif defined(__i386__)
#define PROCESSOR "x86"
#else
#define PROCESSOR "other"
#endif
#if defined(__APPLE__)
const char vd_system_name[] = PROCESSOR "-darwin", vd_system_library_ending[] = "dylib";
#else
const char vd_system_name[] = PROCESSOR "-linux", vd_system_library_ending[] = "so";
#endif

void *vd_library_open(const char *path, vd_buf *why) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    vd_buf_puts(why, dlerror());
  return library;
}

void vd_library_close(void *library) {
  if (library)
    dlclose(library);
}

vd_function *vd_library_function(void *library, const char *name) {
  void *object = dlsym(library, name);
  vd_function *function;
  memcpy(&function, &object,
         sizeof function); /* ISO C has no conversion of a pointer to an object to a pointer to a function */
  return function;
}

int vd_temporary_folder(vd_buf *path) {
  const char *parent = getenv("TMPDIR");
  vd_buf_printf(path, "%s/vdsim-XXXXXX", parent && *parent ? parent : "/tmp");
  return mkdtemp(path->text) ? 0 : errno;
}

/* Opens /dev/null in place of each missing standard stream. Otherwise the next file that is opened would get the number
 * of this stream, and what is written to the stream would go to this file. /dev/null is opened so that it cannot be
 * read as an input, and cannot be written as an output. */
static bool open_missing_streams(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
      return false;
  return true;
}

bool vd_system_start(int argc, char **argv) {
  (void)argc, (void)argv;
  return open_missing_streams();
}

void vd_program_path(char *path, size_t size) {
  ssize_t length = readlink("/proc/self/exe", path, size - 1);
  path[length > 0 ? length : 0] = '\0';
}

void vd_module_path(char *path, size_t size) {
  static const char here;
  Dl_info info = {0};
  *path = '\0';
  if (dladdr(&here, &info) && info.dli_fname)
    snprintf(path, size, "%s", info.dli_fname);
}

int vd_processors(void) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors > 1 ? (int)processors : 1;
}

void vd_machine_name(char *name, size_t size) {
  *name = '\0';
  gethostname(name, size - 1);
  name[size - 1] = '\0';
}

int vd_open(const char *path, int flags, unsigned mode) {
  return open(path, flags, (mode_t)mode);
}

bool vd_path_is_absolute(const char *path) {
  return *path == '/';
}

int vd_file_lock(int fd, bool wait) {
  const struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  int done;
  do
    done = fcntl(fd, wait ? F_SETLKW : F_SETLK, &whole);
  while (done != 0 && errno == EINTR);
  return done == 0 ? 0 : errno == EAGAIN || errno == EACCES ? EBUSY : errno;
}

int vd_file_hold(int fd, bool wait) {
  int done;
  do
    done = flock(fd, LOCK_EX | (wait ? 0 : LOCK_NB));
  while (done != 0 && errno == EINTR);
  return done == 0 ? 0 : errno == EWOULDBLOCK ? EBUSY : errno;
}

ssize_t vd_link_target(const char *path, char *to, size_t size) {
  return readlink(path, to, size);
}

/* Sets owner, group and mode. If the group cannot be set, members of the new group get only the rights that all others
 * had. */
void vd_keep_mode(int fd, const struct stat *from) {
  mode_t mode = from->st_mode & 07777;
  struct stat now;
  if (fstat(fd, &now) != 0)
    return;
  if (now.st_gid != from->st_gid && fchown(fd, (uid_t)-1, from->st_gid) != 0)
    mode = (mode & ~(mode_t)02070) | (mode & 07) << 3;
  if (now.st_uid != from->st_uid && fchown(fd, from->st_uid, (gid_t)-1) != 0)
    mode &= ~(mode_t)04000;
  if (fchmod(fd, mode) != 0)
    return; /* the file keeps the mode of a new file */
}

bool vd_stream_open(vd_stream *s) {
  *s = (vd_stream){.text = NULL};
  s->file = open_memstream(&s->text, &s->length);
  return s->file != NULL;
}

bool vd_stream_finish(vd_stream *s) {
  return fclose(s->file) == 0;
}

FILE *vd_stream_of(const void *bytes, size_t length) {
  return fmemopen((void *)(uintptr_t)bytes, length, "rb");
}
#endif
