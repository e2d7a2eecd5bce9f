/* Growable text and spelling suggestions. */
#ifndef VD_TEXT_H
#define VD_TEXT_H

#include <stdarg.h>
#include <stddef.h>

#if defined(__GNUC__)
#define VD_PRINTF(format, first) __attribute__((format(printf, format, first)))
#else
#define VD_PRINTF(format, first)
#endif

/* Text that grows; zero-initialise it, free it with vd_buf_finish. `text` is NUL-terminated
 * once anything was added, NULL before. Running out of memory aborts: these are small. */
typedef struct vd_buf {
  char *text;
  size_t length;
  size_t capacity;
} vd_buf;

void vd_buf_add(vd_buf *b, const char *bytes, size_t length);
void vd_buf_puts(vd_buf *b, const char *text);
void vd_buf_printf(vd_buf *b, const char *format, ...) VD_PRINTF(2, 3);
void vd_buf_vprintf(vd_buf *b, const char *format, va_list args) VD_PRINTF(2, 0);
void vd_buf_finish(vd_buf *b);

/* The entry of `names` (count of them, NULL entries skipped) that `word` was probably meant to be, or NULL if none
 * is near: Damerau-Levenshtein distance of at most a third of the longer word, at least 1. */
const char *vd_suggest(const char *word, const char *const *names, size_t count);

#endif
