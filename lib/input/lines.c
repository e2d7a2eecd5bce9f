#include "input/lines.h"

#include <string.h>
#include <strings.h>

enum { EXCERPT = 40 /* bytes of a bad slice that a message repeats */ };

vd_lines vd_lines_of(int source, vd_arena *arena, vd_diag *d) {
  vd_lines l = {.arena = arena, .d = d, .source = source};
  l.length = vd_diag_source_text(d, source, &l.text);
  return l;
}

static bool ends_line(char c) {
  return c == '\n' || c == '\r';
}

bool vd_lines_next(vd_lines *l, vd_slice *line) {
  if (l->at >= l->length)
    return false;
  size_t end = l->at;
  while (end < l->length && !ends_line(l->text[end]))
    end++;
  *line = (vd_slice){l->text + l->at, end - l->at};
  l->at = end + (end + 1 < l->length && l->text[end] == '\r' && l->text[end + 1] == '\n' ? 2 : 1);
  return true;
}

size_t vd_lines_left(const vd_lines *l) {
  size_t count = 1;
  for (size_t i = l->at; i < l->length; i++)
    count += ends_line(l->text[i]);
  return count;
}

vd_place vd_lines_place(const vd_lines *l, vd_slice p) {
  return vd_diag_place(l->d, l->source, (size_t)(p.text - l->text), p.length > 0 ? p.length : 1);
}

const char *vd_lines_copy(const vd_lines *l, vd_slice p) {
  return vd_arena_copy(l->arena, p.text, p.length);
}

const char *vd_lines_excerpt(const vd_lines *l, vd_slice p) {
  return vd_arena_copy(l->arena, p.text, p.length < EXCERPT ? p.length : EXCERPT);
}

bool vd_is_blank(char c) {
  return c == ' ' || c == '\t';
}

vd_slice vd_trimmed(vd_slice p) {
  while (p.length > 0 && vd_is_blank(*p.text)) {
    p.text++;
    p.length--;
  }
  while (p.length > 0 && vd_is_blank(p.text[p.length - 1]))
    p.length--;
  return p;
}

bool vd_slice_is(vd_slice p, const char *word) {
  return strlen(word) == p.length && strncasecmp(word, p.text, p.length) == 0;
}
