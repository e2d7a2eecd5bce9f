/* Growable text and spelling suggestions. */
#ifndef VD_TEXT_H
#define VD_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__MINGW32__)
#define VD_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define VD_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define VD_PRINTF(text, first)
#endif

/* Text that grows. It is initialised with zeros, and freed by vd_buf_finish. `text` is NUL-terminated once anything was
 * added, NULL before. */
typedef struct vd_buf {
  char *text;
  size_t length;
  size_t capacity;
} vd_buf;

void vd_buf_add(vd_buf *b, const char *bytes, size_t length);
void vd_buf_puts(vd_buf *b, const char *text);
void vd_buf_printf(vd_buf *b, const char *format, ...) VD_PRINTF(2, 3);
void vd_buf_vprintf(vd_buf *b, const char *format, va_list args) VD_PRINTF(2, 0);
/* Adds the content of a double-quoted YAML string, with backslash and quote escaped. */
void vd_buf_quote(vd_buf *b, const char *bytes, size_t length);
/* Makes room for `more` bytes behind the text. A caller that writes there itself then adds the number of bytes with
 * vd_buf_add_length. */
void vd_buf_reserve(vd_buf *b, size_t more);
void vd_buf_add_length(vd_buf *b, size_t length);
void vd_buf_finish(vd_buf *b);

/* Returns the number of bytes of the valid UTF-8 character at the start of text[0..length), 0 if there is none; *code
 * is its code point, unless `code` is NULL. */
size_t vd_utf8(const char *text, size_t length, unsigned *code);
/* Counts the characters in text[0..length); a byte that is not UTF-8 counts as one. */
size_t vd_utf8_count(const char *text, size_t length);

/* The hash FNV-1a by Fowler, Noll and Vo, 64 bit. It shows that two inputs differ; it is not for cryptography. seed:
 * VD_HASH_START, or the hash of the bytes before. */
#define VD_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t vd_text_hash(uint64_t seed, const char *text, size_t length);

/* True if text is a name: letters, digits and underscores, a letter first. */
bool vd_is_name(const char *text);

/* True if the name of a file is longer than `ending` and ends in it, in upper or lower case. */
bool vd_ends_in(const char *text, const char *ending);

/* Returns the nearest of `count` names (NULL entries are skipped), which `word` probably means, or NULL if none is near
 * enough: its Damerau-Levenshtein distance, without regard to case, is at most a third of the longer word. Of several
 * names at the same distance the first is returned. */
const char *vd_suggest(const char *word, const char *const *names, size_t count);

#endif
