/* Shared functions of the libFuzzer targets: messages that are discarded, and files with the fuzzer's bytes. */
#ifndef VD_FUZZ_H
#define VD_FUZZ_H

#include "input/diag.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts if an input was refused without an error message, or accepted in spite of one. Also writes the messages, to
 * test the writer. */
static inline void fuzz_check_messages(vd_diag *d, bool good) {
  vd_buf words = {0};
  if (good != (vd_diag_errors(d) == 0))
    abort();
  vd_diag_write(d, false, &words);
  vd_buf_finish(&words);
}

enum { FUZZ_FILES = 4 };

/* Files with the fuzzer's bytes, in a folder of TMPDIR that is made once and removed at the end of the process. */
static char fuzz_folder[200], fuzz_path[FUZZ_FILES][256];

static inline void fuzz_remove(void) {
  for (int i = 0; i < FUZZ_FILES; i++)
    if (fuzz_path[i][0])
      unlink(fuzz_path[i]);
  rmdir(fuzz_folder);
}

/* Writes a file; returns its path. The file remains until four more files have been written. */
static inline const char *fuzz_file(const char *name, const char *text, size_t length) {
  static int next;
  const char *where = getenv("TMPDIR");
  if (!fuzz_folder[0]) {
    snprintf(fuzz_folder, sizeof fuzz_folder, "%s/vdsim-fuzz-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(fuzz_folder) || atexit(fuzz_remove) != 0)
      abort();
  }
  char *to = fuzz_path[next++ % FUZZ_FILES];
  if (*to)
    unlink(to);
  snprintf(to, sizeof fuzz_path[0], "%s/%s", fuzz_folder, name);
  FILE *f = fopen(to, "wb");
  if (!f || fwrite(text, 1, length, f) != length || fclose(f) != 0)
    abort();
  return to;
}

/* Returns a good text with the fuzzer's edits, of five bytes each: the kind of edit, two bytes for its place, its
 * character, and its length. The caller frees the result, which ends with a NUL. */
static inline char *fuzz_edited(const char *good, size_t length, const uint8_t *data, size_t size, size_t *edited) {
  char *text = malloc(length + 256 * (size / 5 + 1) + 1);
  if (!text)
    abort();
  memcpy(text, good, length);
  for (; size >= 5 && length > 0; size -= 5, data += 5) {
    size_t at = (size_t)(data[1] | data[2] << 8) % length, count = data[4];
    switch (data[0] % 4) {
    case 0: text[at] = (char)data[3]; break;
    case 1: /* removes characters */
      count = count < length - at ? count : length - at;
      memmove(text + at, text + at + count, length - at - count);
      length -= count;
      break;
    case 2: /* inserts characters */
      memmove(text + at + count, text + at, length - at);
      memset(text + at, data[3], count);
      length += count;
      break;
    case 3: length = at; break;
    }
  }
  text[length] = '\0';
  *edited = length;
  return text;
}

#endif
