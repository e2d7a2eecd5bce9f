#define _XOPEN_SOURCE 700 /* for realpath; the rest is POSIX 2008 */

#include "input/file.h"

#include "base/base.h"
#include "base/memory.h"
#include "base/system.h"
#include "input/data_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int vd_file_open(const char *path, enum vd_file_kind kind, vd_diag *d, vd_file *f) {
  struct stat s;
  bool any = kind == VD_FILE_ANY, standard = any && strcmp(path, "-") == 0;
  /* opening a named pipe without a writer must not wait */
  int fd = standard ? STDIN_FILENO : vd_open(path, O_RDONLY | O_CLOEXEC | (any ? 0 : O_NONBLOCK | O_NOCTTY), 0);
  if (fd < 0)
    return errno;
  *f = (vd_file){.fd = fd};
  int error = fstat(fd, &s) != 0 ? errno : 0;
  f->regular = error == 0 && S_ISREG(s.st_mode);
  if (error == 0 && !any && !f->regular && !S_ISDIR(s.st_mode)) /* reading a folder is an error of its own */
    error = ENODEV;
  if (error != 0) {
    vd_file_close(f);
  } else if (f->regular) {
    f->size = (size_t)s.st_size;
    f->id = (vd_file_id){(unsigned long long)s.st_dev, (unsigned long long)s.st_ino};
    vd_diag_note_file(d, standard ? "<stdin>" : path, f->id);
  }
  return error;
}

void vd_file_close(vd_file *f) {
  if (f->fd != STDIN_FILENO)
    close(f->fd);
}

int vd_file_read(vd_file *f, size_t most, vd_buf *text) {
  enum { PIECE = 1 << 16 };
  size_t start = text->length, piece = f->regular && f->size < most ? f->size + 1 : PIECE;
  int error = f->regular && f->size > most ? EFBIG : 0;
  ssize_t got = 1;
  while (error == 0 && got != 0) {
    vd_buf_reserve(text, piece);
    vd_buf_add_length(text, 0); /* an empty file is an empty text */
    got = read(f->fd, text->text + text->length, (unsigned)piece);
    if (got < 0 && errno != EINTR)
      error = errno;
    if (got > 0)
      vd_buf_add_length(text, (size_t)got);
    if (text->length - start > most)
      error = EFBIG;
  }
  vd_file_close(f);
  return error;
}

/* True if a name is not searched for in the data folder: it is empty, absolute, or begins with ./ or ../ . */
static bool is_placed(const char *name) {
  return *name == '\0' || vd_path_is_absolute(name) || strncmp(name, "./", 2) == 0 || strncmp(name, "../", 3) == 0;
}

const char *vd_file_in_data(vd_arena *arena, const char *name) {
  const char *data = is_placed(name) ? NULL : vd_data_folder(arena), *found = NULL;
  const char *const below[] = {"/scenarios/", "/"};
  for (size_t i = 0; i < VD_COUNT(below) && data && !found; i++) {
    vd_buf path = {0};
    vd_buf_printf(&path, "%s%s%s", data, below[i], name);
    if (access(path.text, F_OK) == 0)
      found = vd_arena_copy(arena, path.text, path.length);
    vd_buf_finish(&path);
  }
  return found;
}

void vd_file_say_why(const char *name, int error, vd_buf *out) {
  vd_arena *arena = vd_arena_create();
  const char *data = error != ENOENT || is_placed(name) ? NULL : vd_data_folder(arena);
  vd_buf_puts(out, vd_file_why(error));
  if (data)
    vd_buf_printf(out, "; nor is it in '%s/scenarios' or '%s'", data, data);
  vd_arena_destroy(arena);
}

const char *vd_file_why(int error) {
  return error == ENODEV ? "not a regular file" : strerror(error);
}

const char *vd_file_folder(vd_arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return vd_arena_copy(arena, path, slash ? (size_t)(slash - path) + 1 : 0);
}

const char *vd_file_full(vd_arena *arena, const char *path) {
  char *full = realpath(path, NULL);
  const char *kept = full ? vd_arena_copy(arena, full, strlen(full)) : path;
  free(full);
  return kept;
}
