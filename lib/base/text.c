#include "base/text.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void vd_buf_reserve(vd_buf *b, size_t more) {
  if (b->capacity - b->length > more)
    return;
  size_t capacity = b->capacity ? b->capacity : 64;
  while (capacity - b->length <= more)
    capacity *= 2;
  b->text = vd_reallocate(b->text, capacity, 1);
  b->capacity = capacity;
}

void vd_buf_add_length(vd_buf *b, size_t length) {
  b->length += length;
  b->text[b->length] = '\0';
}

void vd_buf_add(vd_buf *b, const char *bytes, size_t length) {
  vd_buf_reserve(b, length);
  if (length)
    memcpy(b->text + b->length, bytes, length);
  vd_buf_add_length(b, length);
}

void vd_buf_puts(vd_buf *b, const char *text) {
  vd_buf_add(b, text, strlen(text));
}

void vd_buf_vprintf(vd_buf *b, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  if (length < 0)
    vd_memory_out();
  vd_buf_reserve(b, (size_t)length);
  vsnprintf(b->text + b->length, (size_t)length + 1, format, again);
  b->length += (size_t)length;
  va_end(again);
}

void vd_buf_printf(vd_buf *b, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vd_buf_vprintf(b, format, args);
  va_end(args);
}

/* True if a code point beyond ASCII needs no escape in YAML. Line breaks need one. */
static bool is_printable(unsigned code) {
  return code >= 0xa0 && code != 0x2028 && code != 0x2029 && code != 0xfeff && (code < 0xfffe || code > 0xffff);
}

/* Uses escapes that YAML and JSON share. Bytes that are not UTF-8 are replaced. */
void vd_buf_quote(vd_buf *b, const char *bytes, size_t length) {
  for (size_t i = 0; i < length;) {
    unsigned code = 0;
    size_t size = vd_utf8(bytes + i, length - i, &code);
    bool verbatim = size > 1 ? is_printable(code) : code >= 0x20 && code < 0x7f;
    if (size == 0)
      vd_buf_puts(b, "\\uFFFD");
    else if (code == '"' || code == '\\')
      vd_buf_printf(b, "\\%c", (int)code);
    else if (code == '\n' || code == '\t')
      vd_buf_puts(b, code == '\n' ? "\\n" : "\\t");
    else if (verbatim)
      vd_buf_add(b, bytes + i, size);
    else
      vd_buf_printf(b, "\\u%04X", code);
    i += size ? size : 1;
  }
}

void vd_buf_finish(vd_buf *b) {
  free(b->text);
  *b = (vd_buf){0};
}

size_t vd_utf8(const char *text, size_t length, unsigned *code) {
  /* smallest code point that may take this many bytes: a longer form is not UTF-8 */
  static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (length == 0)
    return 0;
  unsigned lead = (unsigned char)text[0];
  size_t size = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
  if (size == 0 || size > length)
    return 0;

  unsigned c = size == 1 ? lead : lead & (0x7fu >> size);
  for (size_t i = 1; i < size; i++) {
    unsigned byte = (unsigned char)text[i];
    if (byte >> 6 != 2)
      return 0;
    c = c << 6 | (byte & 0x3f);
  }
  if (c < least[size] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
    return 0;
  if (code)
    *code = c;
  return size;
}

size_t vd_utf8_count(const char *text, size_t length) {
  size_t count = 0;
  for (size_t i = 0; i < length; count++) {
    size_t size = vd_utf8(text + i, length - i, NULL);
    i += size ? size : 1;
  }
  return count;
}

enum { WORD_MAX = 48 }; /* a longer word is no misspelt name */

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t min3(size_t a, size_t b, size_t c) {
  size_t m = a < b ? a : b;
  return m < c ? m : c;
}

/* Counts insertions, deletions, substitutions and swaps of neighbours, with three rows of the usual table. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
  size_t rows[3][WORD_MAX + 1];
  size_t *before = rows[0], *last = rows[1], *now = rows[2];
  for (size_t j = 0; j <= b_length; j++)
    last[j] = j;

  for (size_t i = 1; i <= a_length; i++) {
    now[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      char x = lower(a[i - 1]), y = lower(b[j - 1]);
      now[j] = min3(last[j] + 1, now[j - 1] + 1, last[j - 1] + (x != y));
      bool swapped = i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y;
      if (swapped && before[j - 2] + 1 < now[j])
        now[j] = before[j - 2] + 1;
    }
    size_t *free_row = before;
    before = last;
    last = now;
    now = free_row;
  }
  return last[b_length];
}

const char *vd_suggest(const char *word, const char *const *names, size_t count) {
  const char *best = NULL;
  size_t best_distance = WORD_MAX;
  size_t length = strlen(word);
  if (length > WORD_MAX)
    return NULL;
  for (size_t i = 0; i < count; i++) {
    size_t name_length = names[i] ? strlen(names[i]) : 0;
    if (name_length == 0 || name_length > WORD_MAX)
      continue;
    size_t d = distance(word, length, names[i], name_length);
    size_t longer = length > name_length ? length : name_length;
    if (d <= longer / 3 && d < best_distance) {
      best = names[i];
      best_distance = d;
    }
  }
  return best;
}

bool vd_ends_in(const char *text, const char *ending) {
  size_t length = strlen(text), end = strlen(ending);
  return length > end && strcasecmp(text + length - end, ending) == 0;
}

uint64_t vd_text_hash(uint64_t seed, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    seed = (seed ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  return seed;
}

bool vd_is_name(const char *text) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", others[] = "0123456789_";
  const char *p = text;
  while (*p && (strchr(letters, *p) || (p > text && strchr(others, *p))))
    p++;
  return *text && !*p;
}
