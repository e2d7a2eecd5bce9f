/* Slices of a text, for readers of files that are neither YAML nor CSV: lines, fields and words, and their places for
 * messages. */
#ifndef VD_LINES_H
#define VD_LINES_H

#include "base/arena.h"
#include "input/diag.h"

typedef struct vd_slice {
  const char *text; /* not ended by a zero byte */
  size_t length;
} vd_slice;

/* The text of a registered source while it is read line by line. */
typedef struct vd_lines {
  vd_arena *arena;
  vd_diag *d;
  int source;
  const char *text;
  size_t length;
  size_t at;       /* start of the next line; >= length after the last line */
  size_t comments; /* lines of comment that vd_lines_next_text has passed over */
  size_t errors;   /* number of errors by VD_LINES_ERROR */
} vd_lines;

/* Reports an error at a slice and counts it. */
#define VD_LINES_ERROR(lines, slice, ...)                                                                              \
  ((lines)->errors++, vd_error((lines)->d, vd_lines_place(lines, slice), __VA_ARGS__))

vd_lines vd_lines_of(int source, vd_arena *arena, vd_diag *d);

/* Writes the next line, which ends with LF, CR LF, CR or the end of the text. Returns false at the end. */
bool vd_lines_next(vd_lines *l, vd_slice *line);
/* Returns the length of the comment mark at the start of a line: one of the characters in `comment`, or //. Returns 0
 * if the line has no such mark. */
size_t vd_comment_mark(vd_slice line, const char *comment);
/* Writes the next line that is neither blank nor a comment. Returns false at the end. */
bool vd_lines_next_text(vd_lines *l, const char *comment, vd_slice *line);
/* Returns the position of the first character that is neither blank nor in a line of comment (# or //); *end is the
 * end of its line. Without such a character both are the end of the text. */
size_t vd_first_line(const char *text, size_t length, size_t *end);
/* Returns an upper bound of the number of lines that are left. */
size_t vd_lines_left(const vd_lines *l);

vd_place vd_lines_place(const vd_lines *l, vd_slice s);
/* Copies a slice into the arena and ends it with a zero byte: vd_lines_copy the whole slice, vd_lines_excerpt an
 * excerpt for messages. */
const char *vd_lines_copy(const vd_lines *l, vd_slice s);
const char *vd_lines_excerpt(const vd_lines *l, vd_slice s);

/* Shortens a text for a message: its first 40 characters, and three points if there are more. */
const char *vd_excerpt(vd_arena *arena, const char *text, size_t length);

/* vd_is_blank: blank or tab. vd_is_break: LF or CR. */
bool vd_is_blank(char c);
bool vd_is_break(char c);
/* Returns a slice without the blanks around it. */
vd_slice vd_trimmed(vd_slice s);
/* True if a slice equals a word, without regard to case. */
bool vd_slice_is(vd_slice s, const char *word);
/* Reads a slice as a number. Each character of `written` in the slice is first replaced by `meant`. Returns false if
 * the result is not a number. */
bool vd_slice_number(vd_slice s, const char *written, char meant, double *value);

#endif
