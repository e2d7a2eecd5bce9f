#include "input/lines.h"

#include "base/num.h"
#include "base/system.h"

#include <string.h>

vd_lines vd_lines_of(int source, vd_arena *arena, vd_diag *d) {
  vd_lines l = {.arena = arena, .d = d, .source = source};
  l.length = vd_diag_source_text(d, source, &l.text);
  return l;
}

bool vd_lines_next(vd_lines *l, vd_slice *line) {
  if (l->at >= l->length)
    return false;
  size_t end = l->at;
  while (end < l->length && !vd_is_break(l->text[end]))
    end++;
  *line = (vd_slice){l->text + l->at, end - l->at};
  l->at = end + (end + 1 < l->length && l->text[end] == '\r' && l->text[end + 1] == '\n' ? 2 : 1);
  return true;
}

size_t vd_comment_mark(vd_slice line, const char *comment) {
  if (line.length > 0 && line.text[0] != '\0' && strchr(comment, line.text[0]))
    return 1;
  return line.length > 1 && memcmp(line.text, "//", 2) == 0 ? 2 : 0;
}

bool vd_lines_next_text(vd_lines *l, const char *comment, vd_slice *line) {
  while (vd_lines_next(l, line)) {
    vd_slice inside = vd_trimmed(*line);
    if (vd_comment_mark(inside, comment) > 0)
      l->comments++;
    else if (inside.length > 0)
      return true;
  }
  return false;
}

size_t vd_first_line(const char *text, size_t length, size_t *end) {
  vd_lines in = {.text = text, .length = length};
  vd_slice line;
  if (!vd_lines_next_text(&in, "#", &line))
    line = (vd_slice){text + length, 0};
  *end = (size_t)(line.text - text) + line.length;
  return (size_t)(vd_trimmed(line).text - text);
}

size_t vd_lines_left(const vd_lines *l) {
  size_t count = 1;
  for (size_t i = l->at; i < l->length; i++)
    count += vd_is_break(l->text[i]);
  return count;
}

vd_place vd_lines_place(const vd_lines *l, vd_slice p) {
  return vd_diag_place(l->d, l->source, (size_t)(p.text - l->text), p.length > 0 ? p.length : 1);
}

const char *vd_lines_copy(const vd_lines *l, vd_slice p) {
  return vd_arena_copy(l->arena, p.text, p.length);
}

const char *vd_lines_excerpt(const vd_lines *l, vd_slice p) {
  return vd_excerpt(l->arena, p.text, p.length);
}

const char *vd_excerpt(vd_arena *arena, const char *text, size_t length) {
  enum { LONGEST = 40 };
  size_t end = 0;
  for (int n = 0; n < LONGEST && end < length; n++) {
    size_t size = vd_utf8(text + end, length - end, NULL);
    end += size ? size : 1;
  }
  char *shown = vd_arena_alloc(arena, end + sizeof "...");
  memcpy(shown, text, end);
  memcpy(shown + end, end < length ? "..." : "", end < length ? sizeof "..." : 1);
  return shown;
}

bool vd_is_blank(char c) {
  return c == ' ' || c == '\t';
}

bool vd_is_break(char c) {
  return c == '\n' || c == '\r';
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

bool vd_slice_number(vd_slice p, const char *written, char meant, double *value) {
  enum { LONGEST = 64 };
  char copy[LONGEST];
  size_t used;
  if (p.length < LONGEST) {
    for (size_t i = 0; i < p.length; i++)
      copy[i] = memchr(written, p.text[i], strlen(written)) ? meant : p.text[i];
    p.text = copy;
  }
  return vd_num_parse(p.text, p.length, value, &used) && used == p.length;
}
