#include "base/system.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
         sizeof function); /* ISO C does not allow to convert a pointer to an object to one to a function */
  return function;
}

int vd_temporary_folder(vd_buf *path) {
  const char *parent = getenv("TMPDIR");
  vd_buf_printf(path, "%s/vdsim-XXXXXX", parent && *parent ? parent : "/tmp");
  return mkdtemp(path->text) ? 0 : errno;
}

bool vd_write_all(int fd, const void *bytes, size_t length) {
  const char *at = bytes;
  while (length > 0) {
    ssize_t written = write(fd, at, length);
    if (written < 0 && errno != EINTR)
      return false;
    at += written > 0 ? written : 0;
    length -= written > 0 ? (size_t)written : 0;
  }
  return true;
}

int vd_write_below(const char *folder, const char *name, const void *bytes, size_t length) {
  vd_buf path = {0};
  vd_buf_printf(&path, "%s/%s", folder, name);
  for (char *slash = strchr(path.text + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path.text, 0700);
    *slash = '/';
  }
  int fd = open(path.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700), error = fd < 0 ? errno : 0;
  vd_buf_finish(&path);
  if (error == 0) {
    error = vd_write_all(fd, bytes, length) ? 0 : errno;
    error = close(fd) == 0 || error ? error : errno;
  }
  return error;
}

void vd_remove_folder(const char *path) {
  DIR *folder = opendir(path);
  vd_buf name = {0};
  for (const struct dirent *entry; folder && (entry = readdir(folder));) {
    struct stat info;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
      continue;
    name.length = 0;
    vd_buf_printf(&name, "%s/%s", path, entry->d_name);
    if (lstat(name.text, &info) == 0 && S_ISDIR(info.st_mode))
      vd_remove_folder(name.text);
    else
      unlink(name.text);
  }
  if (folder)
    closedir(folder);
  vd_buf_finish(&name);
  rmdir(path);
}
