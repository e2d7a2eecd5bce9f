/* Subsystem files of Adams/Car: blocks of text between names in brackets.
 *
 *   [UNITS]
 *   LENGTH = 'mm'
 *   ANGLE = 'degrees'
 *   $ comment
 *   [HARDPOINT]
 *   {hardpoint_name  symmetry  x_value  y_value  z_value}
 *   'lca_front'  'left/right'  -200.0  -400.0  150.0
 *   [PARAMETER]
 *   {parameter_name  symmetry  type  value}
 *   'toe_angle'  'left/right'  'real'  0.1
 *
 * Points and parameters of both sides are written as those of the left one. Adams counts toe-in and a top that leans
 * outward as positive, as we do. */
#include "kc/hardpoint_impl.h"

#include "base/num.h"
#include "input/measured.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { MAX_BAD = 20, WORDS = 6, SHOWN = 40 };

typedef struct word {
  const char *text;
  size_t length;
} word;

typedef struct reader {
  vd_arena *arena;
  vd_diag *d;
  int source;
  const char *text;
  size_t length, errors;
  vd_hardpoint_rows *out;
  double angle[2]; /* of toe and camber, as written */
  vd_unit angles;  /* in which they are */
} reader;

static vd_place place_of(const reader *r, word w) {
  return vd_diag_place(r->d, r->source, (size_t)(w.text - r->text), w.length > 0 ? w.length : 1);
}

static void bad(reader *r, word w, const char *what) {
  vd_error(r->d, place_of(r, w), "%s", what);
  r->errors++;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static word trimmed(const char *text, size_t length) {
  while (length > 0 && is_blank(*text)) {
    text++;
    length--;
  }
  while (length > 0 && is_blank(text[length - 1]))
    length--;
  return (word){text, length};
}

static bool is(word w, const char *text) {
  return w.length == strlen(text) && strncasecmp(w.text, text, w.length) == 0;
}

/* Words between blanks, or in single quotes, which are taken off; returns how many. */
static size_t split(word line, word *out) {
  size_t count = 0;
  while (line.length > 0 && count < WORDS) {
    bool quoted = *line.text == '\'';
    const char *start = line.text + quoted, *end = start, *last = line.text + line.length;
    while (end < last && (quoted ? *end != '\'' : !is_blank(*end)))
      end++;
    out[count++] = trimmed(start, (size_t)(end - start));
    const char *rest = end < last ? end + 1 : end;
    line = trimmed(rest, (size_t)(last - rest));
  }
  return count;
}

static bool number(word w, double *value) {
  return vd_measured_number(w.text, w.length, false, value) && isfinite(*value);
}

/* KEY = 'value' */
static void read_unit(reader *r, word line) {
  const char *equals = memchr(line.text, '=', line.length);
  if (!equals)
    return;
  word key = trimmed(line.text, (size_t)(equals - line.text)), w[WORDS];
  word rest = trimmed(equals + 1, line.length - (size_t)(equals + 1 - line.text));
  if (split(rest, w) == 0)
    return;
  word value = w[0];
  bool length = is(key, "LENGTH");
  if (!length && !is(key, "ANGLE"))
    return;
  vd_unit *unit = vd_arena_alloc(r->arena, sizeof *unit);
  if (!vd_measured_unit(value.text, value.length, unit) ||
      !vd_dimension_equal(unit->dimension, length ? (vd_dimension){.m = 1} : (vd_dimension){.rad = 1})) {
    bad(r, value, length ? "this is no unit of length" : "this is no unit of angle");
  } else if (length) {
    r->out->unit = unit;
    r->out->unit_text = vd_arena_copy(r->arena, value.text, value.length);
  } else {
    r->angles = *unit;
  }
}

static void read_point(reader *r, word line) {
  word w[WORDS];
  if (split(line, w) < 5) {
    bad(r, line, "a point needs a name, its symmetry and three coordinates");
    return;
  }
  vd_hardpoint_row *row = vd_hardpoint_rows_add(r->out, r->arena);
  row->name = vd_arena_copy(r->arena, w[0].text, w[0].length);
  row->place = place_of(r, w[0]);
  row->single = is(w[1], "single");
  row->side = row->single ? VD_LIST_UNSTATED : is(w[1], "right") ? VD_LIST_RIGHT : VD_LIST_LEFT;
  if (!row->single && !is(w[1], "right") && !is(w[1], "left") && !is(w[1], "left/right"))
    bad(r, w[1], "the symmetry of a point is 'left/right', 'left', 'right' or 'single'");
  for (int i = 0; i < 3; i++)
    if (!number(w[2 + i], &row->at[i])) {
      vd_error(r->d, place_of(r, w[2 + i]), "'%.*s' is not a number",
               (int)(w[2 + i].length < SHOWN ? w[2 + i].length : SHOWN), w[2 + i].text);
      r->errors++;
    }
}

static void read_parameter(reader *r, word line) {
  static const char *const names[] = {"toe_angle", "camber_angle"};
  word w[WORDS];
  if (split(line, w) < 4 || is(w[1], "right"))
    return;
  for (int i = 0; i < 2; i++)
    if (is(w[0], names[i]) && !number(w[3], &r->angle[i]))
      bad(r, w[3], "this is not a number");
}

static void read_line(reader *r, word line, word *block) {
  if (line.length == 0 || strchr("$!{(", *line.text))
    return;
  if (*line.text == '[') {
    const char *close = memchr(line.text, ']', line.length);
    *block = close ? trimmed(line.text + 1, (size_t)(close - line.text) - 1) : (word){"", 0};
  } else if (is(*block, "UNITS")) {
    read_unit(r, line);
  } else if (is(*block, "HARDPOINT")) {
    read_point(r, line);
  } else if (is(*block, "PARAMETER")) {
    read_parameter(r, line);
  }
}

bool vd_hardpoint_adams_read(int source, vd_arena *arena, vd_diag *d, vd_hardpoint_rows *out) {
  reader r = {.arena = arena, .d = d, .source = source, .out = out, .angle = {NAN, NAN}};
  word block = {"", 0};
  vd_unit_parse("deg", 3, &r.angles, NULL, NULL);
  r.length = vd_diag_source_text(d, source, &r.text);
  for (size_t at = 0; at < r.length && r.errors < MAX_BAD;) {
    size_t end = at;
    while (end < r.length && r.text[end] != '\n' && r.text[end] != '\r')
      end++;
    read_line(&r, trimmed(r.text + at, end - at), &block);
    at = end + 1;
  }
  out->toe0 = vd_unit_to_si(r.angles, r.angle[0]);
  out->camber0 = vd_unit_to_si(r.angles, r.angle[1]);
  if (r.errors == 0 && out->count == 0)
    vd_error(d, (vd_place){.source = source}, "no block [HARDPOINT] with points");
  return r.errors == 0 && out->count > 0;
}
