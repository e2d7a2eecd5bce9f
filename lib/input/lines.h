/* Slices of a text: the lines, fields and words of a file that is read by hand, and their places for messages. */
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
  size_t at;       /* start of the next line; beyond the text at its end */
  size_t comments; /* lines of comment that vd_lines_next_text has passed over */
  size_t errors;   /* by VD_LINES_ERROR */
} vd_lines;

/* An error at a slice, which is counted. */
#define VD_LINES_ERROR(lines, slice, ...)                                                                              \
  ((lines)->errors++, vd_error((lines)->d, vd_lines_place(lines, slice), __VA_ARGS__))

vd_lines vd_lines_of(int source, vd_arena *arena, vd_diag *d);

/* The next line, which ends by LF, CR LF, CR or with the text; false at the end. */
bool vd_lines_next(vd_lines *l, vd_slice *line);
/* The next line with text: not blank, nor a comment, which begins with one of these characters. False at the end. */
bool vd_lines_next_text(vd_lines *l, const char *comment, vd_slice *line);
/* The first character of a text that is neither blank nor of a line that begins with '#', and the end of its line;
 * the end of the text if there is none. */
size_t vd_first_line(const char *text, size_t length, size_t *end);
/* No fewer than the lines that are left. */
size_t vd_lines_left(const vd_lines *l);

vd_place vd_lines_place(const vd_lines *l, vd_slice s);
/* A slice with a zero byte behind it, in the arena, whole or as an excerpt. */
const char *vd_lines_copy(const vd_lines *l, vd_slice s);
const char *vd_lines_excerpt(const vd_lines *l, vd_slice s);

/* As much of a text as a message repeats: 40 characters, and three points in place of more. */
const char *vd_excerpt(vd_arena *arena, const char *text, size_t length);

/* Blanks and tabs; LF and CR. */
bool vd_is_blank(char c);
bool vd_is_break(char c);
/* A slice without the blanks around it. */
vd_slice vd_trimmed(vd_slice s);
/* Whether a slice is a word, in any case of letters. */
bool vd_slice_is(vd_slice s, const char *word);
/* The number that a slice is once each of the characters `written` is read as `meant`; false: it is none. */
bool vd_slice_number(vd_slice s, const char *written, char meant, double *value);

#endif
