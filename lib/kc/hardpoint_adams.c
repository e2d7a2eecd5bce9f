/* Reads subsystem files of Adams/Car: blocks of text between names in brackets.
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
 * Points and parameters with the symmetry 'left/right' are given for the left side. As in this program, toe-in and a
 * camber with the top outward are positive in Adams. */
#include "kc/hardpoint_impl.h"

#include "input/lines.h"
#include "input/measured.h"

#include <math.h>
#include <string.h>

enum { MAX_BAD = 20, WORDS = 6 };

typedef struct reader {
  vd_lines in;
  size_t errors;
  vd_hardpoint_rows *out;
  double angle[2]; /* toe and camber, as written */
  vd_unit angles;  /* unit of both */
} reader;

static void bad(reader *r, vd_slice w, const char *what) {
  vd_error(r->in.d, vd_lines_place(&r->in, w), "%s", what);
  r->errors++;
}

/* Splits a line into words, which are separated by blanks or enclosed in single quotes; the quotes are removed. Returns
 * the number of words. */
static size_t split(vd_slice line, vd_slice *out) {
  size_t count = 0;
  while (line.length > 0 && count < WORDS) {
    bool quoted = *line.text == '\'';
    const char *start = line.text + quoted, *end = start, *last = line.text + line.length;
    while (end < last && (quoted ? *end != '\'' : !vd_is_blank(*end)))
      end++;
    out[count++] = vd_trimmed((vd_slice){start, (size_t)(end - start)});
    const char *rest = end < last ? end + 1 : end;
    line = vd_trimmed((vd_slice){rest, (size_t)(last - rest)});
  }
  return count;
}

static bool number(vd_slice w, double *value) {
  return vd_separated_number(w, false, value) && isfinite(*value);
}

/* Reads KEY = 'value'. */
static void read_unit(reader *r, vd_slice line) {
  const char *equals = memchr(line.text, '=', line.length);
  if (!equals)
    return;
  vd_slice key = vd_trimmed((vd_slice){line.text, (size_t)(equals - line.text)}), w[WORDS];
  vd_slice rest = vd_trimmed((vd_slice){equals + 1, line.length - (size_t)(equals + 1 - line.text)});
  if (split(rest, w) == 0)
    return;
  vd_slice value = w[0];
  bool length = vd_slice_is(key, "LENGTH");
  if (!length && !vd_slice_is(key, "ANGLE"))
    return;
  vd_unit *unit = vd_arena_alloc(r->in.arena, sizeof *unit);
  if (!vd_separated_unit(value.text, value.length, unit) ||
      !vd_dimension_equal(unit->dimension, length ? (vd_dimension){.m = 1} : (vd_dimension){.rad = 1})) {
    bad(r, value, length ? "this is not a unit of length" : "this is not a unit of angle");
  } else if (length) {
    r->out->unit = unit;
    r->out->unit_text = vd_lines_copy(&r->in, value);
  } else {
    r->angles = *unit;
  }
}

static void read_point(reader *r, vd_slice line) {
  vd_slice w[WORDS];
  if (split(line, w) < 5) {
    bad(r, line, "a point needs a name, its symmetry and three coordinates");
    return;
  }
  vd_hardpoint_row *row = vd_hardpoint_rows_add(r->out, r->in.arena);
  row->name = vd_lines_copy(&r->in, w[0]);
  row->place = vd_lines_place(&r->in, w[0]);
  row->single = vd_slice_is(w[1], "single");
  row->side = row->single ? VD_LIST_UNSTATED : vd_slice_is(w[1], "right") ? VD_LIST_RIGHT : VD_LIST_LEFT;
  if (!row->single && !vd_slice_is(w[1], "right") && !vd_slice_is(w[1], "left") && !vd_slice_is(w[1], "left/right"))
    bad(r, w[1], "the symmetry of a point is 'left/right', 'left', 'right' or 'single'");
  for (int i = 0; i < 3; i++)
    if (!number(w[2 + i], &row->at[i])) {
      vd_error(r->in.d, vd_lines_place(&r->in, w[2 + i]), "'%s' is not a number", vd_lines_excerpt(&r->in, w[2 + i]));
      r->errors++;
    }
}

static void read_parameter(reader *r, vd_slice line) {
  static const char *const names[] = {"toe_angle", "camber_angle"};
  vd_slice w[WORDS];
  if (split(line, w) < 4 || vd_slice_is(w[1], "right"))
    return;
  for (int i = 0; i < 2; i++)
    if (vd_slice_is(w[0], names[i]) && !number(w[3], &r->angle[i]))
      bad(r, w[3], "this is not a number");
}

static void read_line(reader *r, vd_slice line, vd_slice *block) {
  if (line.length == 0 || strchr("$!{(", *line.text))
    return;
  if (*line.text == '[') {
    const char *close = memchr(line.text, ']', line.length);
    *block = close ? vd_trimmed((vd_slice){line.text + 1, (size_t)(close - line.text) - 1}) : (vd_slice){"", 0};
  } else if (vd_slice_is(*block, "UNITS")) {
    read_unit(r, line);
  } else if (vd_slice_is(*block, "HARDPOINT")) {
    read_point(r, line);
  } else if (vd_slice_is(*block, "PARAMETER")) {
    read_parameter(r, line);
  }
}

bool vd_hardpoint_adams_read(int source, vd_arena *arena, vd_diag *d, vd_hardpoint_rows *out) {
  reader r = {.in = vd_lines_of(source, arena, d), .out = out, .angle = {NAN, NAN}};
  vd_slice block = {"", 0}, line;
  vd_unit_parse("deg", 3, &r.angles, NULL, NULL);
  while (r.errors < MAX_BAD && vd_lines_next(&r.in, &line))
    read_line(&r, vd_trimmed(line), &block);
  out->toe0 = vd_unit_to_si(r.angles, r.angle[0]);
  out->camber0 = vd_unit_to_si(r.angles, r.angle[1]);
  for (size_t i = 0; out->unit && i < out->count; i++)
    for (int k = 0; k < 3; k++)
      out->row[i].at[k] = vd_unit_to_si(*out->unit, out->row[i].at[k]);
  if (r.errors == 0 && out->count == 0)
    vd_error(d, (vd_place){.source = source}, "no block [HARDPOINT] with points");
  return r.errors == 0 && out->count > 0;
}
