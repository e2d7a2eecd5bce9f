/* Tables as CSV (RFC 4180). A table is read as a whole, and written row by row. */
#ifndef VD_TABLE_H
#define VD_TABLE_H

#include "base/arena.h"
#include "base/text.h"
#include "input/diag.h"

#include <stdbool.h>
#include <stddef.h>

/* A table of texts with named columns. Files of measured numbers are read by input/measured.h. */
typedef struct vd_cells {
  size_t columns, rows;
  const char *const *name;     /* [columns] */
  const char *const *unit;     /* [columns], as the file writes it; "": the column has none */
  const char *const *text;     /* [rows][columns], without blanks around */
  struct vd_cells_text *where; /* places of the fields in the source */
} vd_cells;

/* Reads a registered source of any form that input/separated.h reads. Errors point into the source: no names, an empty
 * or duplicate name, no rows, a row of another length, a quotation mark within a field, a missing closing quotation
 * mark. Everything in *out belongs to the arena. */
bool vd_cells_read(int source, vd_arena *arena, vd_diag *d, vd_cells *out);
/* Returns the index of a column, upper and lower case taken as equal, or -1. */
int vd_cells_column(const vd_cells *c, const char *name);
/* Converts columns in the units of the field (log.units=field) to SI: speed_kmh becomes speed_mps. */
void vd_cells_to_si(vd_cells *c);
/* Returns the place of a field, or of the name of its column. */
vd_place vd_cells_place(const vd_cells *c, size_t row, size_t column);
vd_place vd_cells_name_place(const vd_cells *c, size_t column);
/* True if a field is a number; decimals may have commas if these do not separate fields. */
bool vd_cells_is_number(const vd_cells *c, size_t row, size_t column, double *value);
/* Reads the number in a field. Returns false after an error, which points to the field; an empty field is an error. */
bool vd_cells_number(const vd_cells *c, size_t row, size_t column, double *value);

/* Text output to a file or to standard output, in blocks. A file is written under a temporary name in the same folder
 * and appears under its own name when vd_output_commit succeeds. It takes over mode and owner of the file that it
 * replaces; a symbolic link remains a link to it. A device or a named pipe is written directly. SIGPIPE is expected to
 * be ignored. */
typedef struct vd_output vd_output;

enum vd_digits { VD_DIGITS_9, VD_DIGITS_EXACT };

/* Opens an output to a file; path "-": to standard output. After an error it sets errno and returns NULL. */
vd_output *vd_output_open(const char *path);
/* Makes an output that adds to a text. */
vd_output *vd_output_to(vd_buf *text);
/* Removes the temporary files in a folder that killed processes of this machine have left. A running process has a lock
 * on its file. */
void vd_output_clear(const char *folder);
/* Returns the temporary name, or NULL if the output is written directly. */
const char *vd_output_temporary(const vd_output *o);
void vd_output_puts(vd_output *o, const char *text);
void vd_output_bytes(vd_output *o, const char *bytes, size_t length);
/* Writes one CSV row of count numbers, ended by LF; NAN is an empty field. */
void vd_output_row(vd_output *o, const double *value, size_t count, enum vd_digits digits);
/* Writes numbers of a row with a comma at the end; fields that are no numbers follow. */
void vd_output_numbers(vd_output *o, const double *value, size_t count, enum vd_digits digits);
/* Writes a text as a CSV field, in quotes if RFC 4180 requires them. A spreadsheet computes a text that begins with = +
 * - @ or a control character, quoted or not, so that a text from a file could run commands. Such a text is written in
 * quotes with an apostrophe before it, as OWASP advises. Numbers are written by the functions above. */
void vd_output_field(vd_output *o, const char *text);
void vd_csv_text(const char *text, vd_buf *out);
/* Writes out what is buffered, for pipes whose reader needs each row at once. */
void vd_output_flush(vd_output *o);
/* Returns the errno of the first failed write, 0 if none has failed. EPIPE: the reader of a pipe has closed it. */
int vd_output_error(const vd_output *o);
/* Flushes and closes the output, renames it to final_name (NULL: the name given at open), and frees it. Returns 0 or an
 * errno. */
int vd_output_commit(vd_output *o, const char *final_name);
/* Closes and removes what was written, and frees the output. Accepts NULL. */
void vd_output_discard(vd_output *o);

#endif
