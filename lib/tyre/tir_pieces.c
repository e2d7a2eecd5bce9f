#include "tyre/tir_impl.h"

#include "base/system.h"

#include <string.h>

bool vd_tir_named(const vd_tir_reader *r, vd_tir_span s, const char *pattern) {
  size_t length = strlen(pattern);
  if (length > 0 && pattern[length - 1] == '*')
    return s.length >= length - 1 && strncasecmp(r->text + s.at, pattern, length - 1) == 0;
  return s.length == length && strncasecmp(r->text + s.at, pattern, length) == 0;
}

bool vd_tir_listed(const vd_tir_reader *r, vd_tir_span s, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (vd_tir_named(r, s, list[i]))
      return true;
  return false;
}

size_t vd_tir_index(const vd_tir_reader *r, const char *name) {
  size_t i = 0;
  while (i < r->keys && strcmp(r->key[i].key, name) != 0)
    i++;
  return i;
}

vd_place vd_tir_place(const vd_tir_reader *r, vd_tir_span s) {
  return vd_diag_place(r->d, r->source, s.at, s.length > 0 ? s.length : 1);
}

vd_tir_excerpt vd_tir_excerpt_of(const vd_tir_reader *r, vd_tir_span s) {
  vd_tir_excerpt out = {{0}};
  size_t length = s.length < VD_TIR_EXCERPT ? s.length : VD_TIR_EXCERPT;
  for (size_t i = 0; i < length; i++) {
    char c = r->text[s.at + i];
    out.text[i] = c >= ' ' && c < 0x7f ? c : '?';
  }
  if (s.length > VD_TIR_EXCERPT)
    memcpy(out.text + length, "...", 3);
  return out;
}

double *vd_tir_member(void *figures, const vd_tir_key *key) {
  return (double *)(void *)((char *)figures + key->offset);
}

double vd_tir_value(const void *figures, const vd_tir_key *key) {
  return *(const double *)(const void *)((const char *)figures + key->offset);
}

bool vd_tir_is_pressure(const signed char *dimension) {
  static const signed char pressure[VD_TIR_EXPONENTS] = {VD_TIR_OF_PRESSURE};
  return memcmp(dimension, pressure, sizeof pressure) == 0;
}

bool vd_tir_note(vd_tir_reader *r, vd_tir_span key, vd_tir_span value, vd_tir_span *given) {
  if (given->length > 0) {
    vd_tir_fail(r, key, "'%s' is given a second time here", vd_tir_excerpt_of(r, key).text);
    vd_note(r->d, vd_tir_place(r, *given), "the first is here");
    return false;
  }
  *given = value;
  return true;
}

void vd_tir_fail(vd_tir_reader *r, vd_tir_span at, const char *format, ...) {
  vd_buf words = {0};
  va_list args;
  va_start(args, format);
  vd_buf_vprintf(&words, format, args);
  va_end(args);
  vd_error(r->d, vd_tir_place(r, at), "%s", words.text);
  vd_buf_finish(&words);
  r->errors++;
}

void vd_tir_assume(vd_tir_reader *r, vd_place at, const char *format, ...) {
  vd_buf words = {0};
  va_list args;
  va_start(args, format);
  vd_buf_vprintf(&words, format, args);
  va_end(args);
  if (vd_diag_strict(r->d))
    vd_error(r->d, at, "the file does not give this: %s would be assumed", words.text);
  else
    vd_buf_printf(&r->assumed, "%s%s", r->assumed.length > 0 ? ", " : "", words.text);
  vd_buf_finish(&words);
}
