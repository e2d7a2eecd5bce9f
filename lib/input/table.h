/* Tables as CSV (RFC 4180): reading whole, writing as a run goes.
 * The only includer of libcsv's <csv.h>, for which reason this is not called csv.h. */
#ifndef VD_TABLE_H
#define VD_TABLE_H

#include "base/arena.h"
#include "base/text.h"
#include "input/diag.h"

#include <stdbool.h>
#include <stddef.h>

/* A table of texts with named columns. Files of numbers that somebody measured are read by input/measured.h. */
typedef struct vd_cells {
  size_t columns, rows;
  const char *const *name;     /* [columns] */
  const char *const *text;     /* [rows][columns], without blanks around */
  struct vd_cells_text *where; /* their places in the source */
} vd_cells;

/* Reads a registered source with one header row; blanks around a field, blank lines, CRLF, quotes, a byte order mark
 * and a missing last newline are fine, and a line that begins with '#' is a comment, which may hold the names. Fields
 * are between commas, or between semicolons or tabs if the first row has no comma; then decimals may have commas.
 * Errors point into it: no header,
 * empty or duplicate column name, ragged row, a stray or open quote, no rows. Everything in *out belongs to the
 * arena. */
bool vd_cells_read(int source, vd_arena *arena, vd_diag *d, vd_cells *out);
/* Index of a column, upper and lower case taken as equal, or -1. */
int vd_cells_column(const vd_cells *c, const char *name);
/* The place of a field, or of the name of its column. */
vd_place vd_cells_place(const vd_cells *c, size_t row, size_t column);
vd_place vd_cells_name_place(const vd_cells *c, size_t column);
/* The number in a field; false after an error that points at it. An empty field is an error, too. */
bool vd_cells_number(const vd_cells *c, size_t row, size_t column, double *value);

/* Text output to a file or to standard output, in blocks. A file is written under a temporary name
 * in the same folder and appears under its own name when vd_output_commit succeeds. A file that it replaces
 * gives it mode and owner; a symbolic link stays one. What is not a regular file (a device, a named pipe) is
 * written directly. SIGPIPE is expected to be ignored. */
typedef struct vd_output vd_output;

enum vd_digits { VD_DIGITS_9, VD_DIGITS_EXACT };

/* path "-": standard output. NULL with errno set on failure. */
vd_output *vd_output_open(const char *path);
/* An output that adds to a text. */
vd_output *vd_output_to(vd_buf *text);
/* Removes the temporary files in a folder that processes of this machine have left when they were killed: nobody holds
 * their locks. */
void vd_output_clear(const char *folder);
/* The temporary name; NULL: it is written directly. */
const char *vd_output_temporary(const vd_output *o);
void vd_output_puts(vd_output *o, const char *text);
void vd_output_bytes(vd_output *o, const char *bytes, size_t length);
/* One CSV row of count numbers, LF-terminated; NAN is an empty field. */
void vd_output_row(vd_output *o, const double *value, size_t count, enum vd_digits digits);
/* Writes a row with a comma at the end, before fields that are no numbers. */
void vd_output_numbers(vd_output *o, const double *value, size_t count, enum vd_digits digits);
/* A text as a CSV field, in quotes where RFC 4180 asks for them. A spreadsheet computes what begins with = + - @
 * or a control character, quoted or not, so that a text from a file could run commands. Such a text gets an
 * apostrophe before it, and quotes, as OWASP advises. Numbers have functions of their own. */
void vd_output_field(vd_output *o, const char *text);
void vd_csv_text(const char *text, vd_buf *out);
/* Writes out what is buffered, for pipes whose reader needs each row at once. */
void vd_output_flush(vd_output *o);
/* errno of the first failed write, 0 if all went well so far. EPIPE: the reader has gone. */
int vd_output_error(const vd_output *o);
/* Flushes, closes, renames to final_name (NULL: the name given at open); frees. Returns 0 or an
 * errno. */
int vd_output_commit(vd_output *o, const char *final_name);
/* Closes and removes what was written; frees. Accepts NULL. */
void vd_output_discard(vd_output *o);

#endif
