/* Messages about the user's input: collected with their place, printed together.
 *
 *   car.yaml:2:1: error: unknown key 'mas' in vehicle; did you mean 'mass'?
 *       2 | mas: 1600
 *         | ^^^
 */
#ifndef VD_DIAG_H
#define VD_DIAG_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The place where a value was written. source: id of a registered source. line and column count from 1, columns in
 * characters; length: characters under the caret. line == 0: the whole source. */
typedef struct vd_place {
  int source;
  int line;
  int column;
  int length;
} vd_place;

enum vd_severity { VD_ERROR, VD_WARNING, VD_NOTE, VD_REMARK };

typedef struct vd_diag vd_diag;

vd_diag *vd_diag_create(void);
void vd_diag_destroy(vd_diag *d); /* accepts NULL */

/* Registers a text that messages point into and returns its id. The diag takes a copy, without a byte order
 * mark at its start. */
int vd_diag_add_source(vd_diag *d, const char *name, const char *text, size_t length);
/* Registers the bytes of a file, which may also be UTF-16, with or without a byte order mark, as spreadsheets and
 * loggers write it. Returns -1 after an error. */
int vd_diag_add_bytes(vd_diag *d, const char *name, const char *bytes, size_t length);
const char *vd_diag_source_name(const vd_diag *d, int source);
size_t vd_diag_source_text(const vd_diag *d, int source, const char **text);
/* Returns the place of `length` bytes at `offset` of a source's text. */
vd_place vd_diag_place(const vd_diag *d, int source, size_t offset, size_t length);

/* Forget what one reading of an input added, for input that is read repeatedly. vd_diag_mark returns the present number
 * of sources. vd_diag_rewind removes the sources that were added later, all messages, and the counts of errors; places
 * in the removed sources are then invalid. */
int vd_diag_mark(const vd_diag *d);
void vd_diag_rewind(vd_diag *d, int mark);

/* Store and return data that a reader keeps from one reading to the next, such as parsed files; NULL: none. The data
 * belongs to the reader. */
void vd_diag_set_reader_state(vd_diag *d, void *kept);
void *vd_diag_reader_state(const vd_diag *d);
/* Store and return the cache (base/cache.h) of results that readers compute from the sources; NULL: none. The cache
 * belongs to the caller. */
struct vd_cache;
void vd_diag_set_cache(vd_diag *d, struct vd_cache *cache);
struct vd_cache *vd_diag_cache(const vd_diag *d);
/* What a reader does about laps in which a driver learns. */
typedef struct vd_reader_laps {
  bool none;                                     /* no lap is driven, for a reader that only checks */
  void (*progress)(void *context, double share); /* called during the laps with the finished share; NULL: not called */
  void *context;
} vd_reader_laps;
void vd_diag_set_laps(vd_diag *d, const vd_reader_laps *laps); /* without a call laps are driven, without progress */
const vd_reader_laps *vd_diag_laps(const vd_diag *d);

/* Identity of a file: its device and inode. It does not depend on the name of the file. */
typedef struct vd_file_id {
  unsigned long long device, inode;
} vd_file_id;

/* Notes a file that was read; the name under which it was noted first remains. */
void vd_diag_note_file(vd_diag *d, const char *name, vd_file_id id);
/* Notes all files that another one has noted. */
void vd_diag_note_files(vd_diag *d, const vd_diag *from);
/* Return the number of noted files, and file i in the order in which they were noted. The name belongs to d. */
size_t vd_diag_files(const vd_diag *d);
const char *vd_diag_file(const vd_diag *d, size_t i, vd_file_id *id);
/* Returns the name under which a file is noted, or NULL if it is not noted. */
const char *vd_diag_find_file(const vd_diag *d, vd_file_id id);

/* Set and return two modes. If strict, a reader reports an error in place of an assumption about doubtful input. If
 * quiet, remarks are not kept. */
void vd_diag_set_strict(vd_diag *d, bool strict);
bool vd_diag_strict(const vd_diag *d);
void vd_diag_set_quiet(vd_diag *d, bool quiet);

/* Collects a message. Its text is in lower case, without a full stop, and begins with what is wrong. A note belongs to
 * the message before it; a remark stands alone and reports how a valid input was read. A message with the same text and
 * place is kept once, since several files may refer to one file. After 100 errors further errors are only counted, and
 * likewise warnings. vd_error always returns false, so that a caller that fails can return its result. */
bool vd_error(vd_diag *d, vd_place at, const char *format, ...) VD_PRINTF(3, 4);
void vd_warning(vd_diag *d, vd_place at, const char *format, ...) VD_PRINTF(3, 4);
void vd_note(vd_diag *d, vd_place at, const char *format, ...) VD_PRINTF(3, 4);
void vd_remark(vd_diag *d, vd_place at, const char *format, ...) VD_PRINTF(3, 4);

size_t vd_diag_errors(const vd_diag *d);
size_t vd_diag_warnings(const vd_diag *d);

/* Puts the messages in the order of their sources and lines; notes stay with their message. */
void vd_diag_sort(vd_diag *d);
/* Return the number of kept messages, and message i. The text belongs to d. */
size_t vd_diag_count(const vd_diag *d);
void vd_diag_message(const vd_diag *d, size_t i, enum vd_severity *severity, vd_place *at, const char **text);
/* Returns the text of the first kept error; "" if there is none. */
const char *vd_diag_first_error(const vd_diag *d);

/* Sorts the messages and appends them with the lines they point at. `colour` uses ANSI codes. */
void vd_diag_write(vd_diag *d, bool colour, vd_buf *out);
/* Writes the messages to a file, then deletes them. The counts of errors and warnings remain. */
void vd_diag_print(vd_diag *d, FILE *to, bool colour);

#endif
