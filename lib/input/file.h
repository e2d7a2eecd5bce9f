/* Opens files for reading. No other code opens input files. Each file is noted in the vd_diag (vd_diag_note_file), so
 * that a tool knows which files it must not overwrite. */
#ifndef VD_FILE_H
#define VD_FILE_H

#include "base/arena.h"
#include "input/diag.h"

typedef struct vd_file {
  int fd;
  bool regular;
  size_t size;   /* size of a regular file when it was opened */
  vd_file_id id; /* identity of a regular file */
} vd_file;

enum vd_file_kind {
  VD_FILE_ANY,    /* also "-", which is standard input, and pipes and devices */
  VD_FILE_REGULAR /* no pipe or device, which could keep the reader waiting for ever */
};

/* Opens and notes the file. Returns 0 or an errno; ENODEV: the file is not of this kind. */
int vd_file_open(const char *path, enum vd_file_kind kind, vd_diag *d, vd_file *f);
/* Adds the whole file to the text and closes it. Returns 0 or an errno; EFBIG: it has more than `most` bytes. */
int vd_file_read(vd_file *f, size_t most, vd_buf *text);
void vd_file_close(vd_file *f);
/* Returns the folder in which a path lies, with its '/'; "": the working directory. */
const char *vd_file_folder(vd_arena *arena, const char *path);
/* Returns the absolute name of a file, which is valid from any working directory; the name itself if there is no such
 * file. */
const char *vd_file_full(vd_arena *arena, const char *path);
/* Searches for a file that does not exist under its name: first in the folder scenarios/ of the data folder
 * (vd_data_folder), then in the data folder itself. Returns NULL if neither contains it, or if its name begins with
 * '/', './' or '../'. */
const char *vd_file_in_data(vd_arena *arena, const char *name);
/* Returns the reason for an error of these functions. */
const char *vd_file_why(int error);
/* Adds the reason why a name cannot be opened. If the file does not exist, the reason names the data folders that were
 * searched. */
void vd_file_say_why(const char *name, int error, vd_buf *out);

#endif
