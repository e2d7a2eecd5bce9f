#include "base/system.h"

#include <errno.h>
#include <string.h>

bool vd_write_all(int fd, const void *bytes, size_t length) {
  enum { MOST = 1 << 30 };
  const char *at = bytes;
  while (length > 0) {
    ssize_t written = write(fd, at, length < MOST ? (unsigned)length : MOST);
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
  int fd = vd_open(path.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700), error = fd < 0 ? errno : 0;
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
