/* Converts the text of a scalar to a number, a word or a text, as its row says. */
#include "input/schema_impl.h"

#include "base/base.h"
#include "base/num.h"
#include "base/system.h"
#include "input/lines.h"
#include "input/units.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

const char *vd_schema_excerpt(const vd_schema_value *v) {
  return vd_excerpt(v->reader->arena, v->node->text, strlen(v->node->text));
}

bool vd_schema_wrong_kind(const vd_schema_value *v, const char *needs) {
  vd_place at = vd_node_place(v->node);
  if (vd_node_broken(v->node))
    return false;
  if (v->node->kind != VD_NODE_SCALAR)
    vd_error(v->diag, at, "'%s' needs %s, not a %s", v->label, needs,
             v->node->kind == VD_NODE_MAPPING ? "mapping" : "sequence");
  else if (v->node->text[0] == '\0')
    vd_error(v->diag, at, "'%s' needs %s, got nothing", v->label, needs);
  else
    vd_error(v->diag, at, "'%s' needs %s, got '%s'", v->label, needs, vd_schema_excerpt(v));
  return false;
}

/* Returns the place of a part of a plain scalar. */
static vd_place part(const vd_node *node, const char *at, size_t length) {
  vd_place p = node->place;
  size_t all = strlen(node->text);
  if (node->quoted || (size_t)p.length != vd_utf8_count(node->text, all))
    return p; /* the value is an alias, or has more than one line */
  p.column += (int)vd_utf8_count(node->text, (size_t)(at - node->text));
  p.length = (int)vd_utf8_count(at, length);
  return p;
}

static const char *suggest_unit(const char *word) {
  /* names of products stand first, so that "kmh" suggests "km/h" and not "kph" */
  static const char *const products[] = {
      "km/h", "m/s",     "m/s^2",   "mm/s",  "rad/s", "deg/s", "N/m",     "N/mm",      "N/rad",  "N/deg",
      "N m",  "N m/rad", "N m/deg", "N s/m", "kg m2", "kg/m3", "rad/s^2", "N m s/rad", "N s/mm",
  };
  static const char *const words[][2] = {
      {"degree", "deg"}, {"degrees", "deg"}, {"\u00b0", "deg"}, {"radians", "rad"}, {"sec", "s"},
      {"seconds", "s"},  {"metres", "m"},    {"meters", "m"},   {"newton", "N"},    {"hertz", "Hz"},
  };
  for (size_t i = 0; i < VD_COUNT(words); i++)
    if (strcmp(word, words[i][0]) == 0)
      return words[i][1];
  const char *product = vd_suggest(word, products, VD_COUNT(products));
  size_t count = 0;
  while (vd_unit_names()[count])
    count++;
  return product ? product : vd_suggest(word, vd_unit_names(), count);
}

static bool apply_unit(const vd_schema_value *v, const char *text, double *number) {
  size_t length = strlen(text);
  vd_unit unit, own;
  const char *bad;
  size_t bad_length;
  if (!vd_unit_parse(text, length, &unit, &bad, &bad_length)) {
    if (bad_length == 0) { /* a digit, an operator or nothing stands where a name is expected */
      bad = *bad ? bad : text;
      bad_length = strlen(bad);
    }
    const char *near = suggest_unit(text);
    if (!near) { /* only a part of the unit may be misspelt */
      near = suggest_unit(vd_arena_copy(v->reader->arena, bad, bad_length));
    } else {
      bad = text;
      bad_length = length;
    }
    vd_error(v->diag, part(v->node, bad, bad_length), "unknown unit '%s'%s%s%s",
             vd_excerpt(v->reader->arena, bad, bad_length), near ? "; did you mean '" : "", near ? near : "",
             near ? "'?" : "");
    return false;
  }
  if (v->row->flags & VD_ANY_UNIT) {
    *number = vd_unit_to_si(unit, *number);
    return true;
  }
  bool known = vd_unit_parse(v->unit, strlen(v->unit), &own, NULL, NULL);
  assert(known && "unit of a row");
  (void)known;
  if (!vd_dimension_equal(unit.dimension, own.dimension)) {
    vd_place at = part(v->node, text, length);
    if (strcmp(v->unit, "1") == 0)
      vd_error(v->diag, at, "'%s' has no unit, got '%s'", v->label, text);
    else
      vd_error(v->diag, at, "'%s' is in %s; '%s' is another dimension", v->label, v->unit, text);
    return false;
  }
  *number = vd_unit_to_si(unit, *number);
  return true;
}

/* True if a text is a word for infinity or not-a-number, as people and programs write it. */
static bool names_infinite(const char *text) {
  static const char *const words[] = {"inf", ".inf", "infinity", "nan", ".nan"};
  text += *text == '-' || *text == '+';
  for (size_t i = 0; i < VD_COUNT(words); i++)
    if (strcasecmp(text, words[i]) == 0)
      return true;
  return false;
}

/* True if a character may follow a number directly: a blank, or the first character of a unit. */
static bool starts_unit(char c) {
  return c == ' ' || c == '\t' || c == '%' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Remarks on a speed that few cars reach, given without a unit: it may be meant in km/h. */
static void doubt_speed(const vd_schema_value *v, double number) {
  static const double fast = 70.0; /* m/s */
  if (strcmp(v->unit, "m/s") == 0 && fabs(number) > fast)
    vd_remark(v->diag, v->node->place, "'%s' without a unit is in m/s: %.6g m/s are %.6g km/h", v->label, number,
              3.6 * number);
}

bool vd_schema_read_number(const vd_schema_value *v, double *number) {
  const vd_node *n = v->node;
  if (n->kind != VD_NODE_SCALAR || vd_node_broken(n) || n->text[0] == '\0')
    return vd_schema_wrong_kind(v, "a number");
  if (n->quoted) {
    vd_error(v->diag, n->place, "'%s' needs a number, not text in quotes", v->label);
    return false;
  }
  size_t used = 0, length = strlen(n->text);
  bool parsed = vd_num_parse(n->text, length, number, &used);
  const char *rest = n->text + used;
  if (!parsed && used == 0 && !names_infinite(n->text))
    return vd_schema_wrong_kind(v, "a number");
  if (parsed && (rest[0] == 'x' || rest[0] == 'X') && used > 0 && n->text[used - 1] == '0') /* hexadecimal */
    return vd_schema_wrong_kind(v, "a decimal number");
  if (parsed && rest[0] == ',' && rest[1] >= '0' && rest[1] <= '9')
    return vd_schema_wrong_kind(v, "a number with a point before its decimals, no comma");
  if (parsed && rest[0] && !starts_unit(rest[0]))
    return vd_schema_wrong_kind(v, "a number");
  rest += strspn(rest, " \t");
  if (parsed && rest[0] && !apply_unit(v, rest, number))
    return false;
  if (!parsed || !isfinite(*number)) {
    vd_error(v->diag, n->place, "'%s' must be finite", v->label);
    return false;
  }
  if (!rest[0])
    doubt_speed(v, *number);
  return true;
}

bool vd_schema_in_range(const vd_schema_value *v, double number) {
  const vd_field *f = v->row;
  if (vd_schema_within(f, number))
    return true;
  vd_buf range = {0};
  vd_schema_range(f, &range);
  bool bare = f->kind == VD_INTEGER || strcmp(v->unit, "1") == 0;
  vd_error(v->diag, v->node->place, "'%s' must be %s%s%s, got %s", v->label, range.text, bare ? "" : " ",
           bare ? "" : v->unit, vd_schema_excerpt(v));
  vd_buf_finish(&range);
  return false;
}

bool vd_schema_is_auto(const vd_schema_value *v) {
  const vd_node *n = v->node;
  return v->row->flags & VD_AUTO && n->kind == VD_NODE_SCALAR && !vd_node_broken(n) && !n->quoted &&
         strcmp(n->text, "auto") == 0;
}

void vd_schema_number(const vd_schema_value *v, double *out) {
  double number;
  if (vd_schema_is_auto(v))
    *out = NAN;
  else if (vd_schema_read_number(v, &number) && vd_schema_in_range(v, number))
    *out = number;
}

bool vd_schema_number_fits(const vd_number_row *number, const char *label, const vd_node *node, bool range,
                           vd_arena *arena, vd_diag *d, double *value) {
  vd_schema_reader r = {.arena = arena, .diag = d};
  vd_schema_value v = {.reader = &r, .diag = d, .row = number->row, .label = label, .unit = number->unit, .node = node};
  double read;
  bool good = vd_schema_read_number(&v, &read) && (!range || vd_schema_in_range(&v, read));
  if (good && value)
    *value = read;
  return good;
}

void vd_schema_integer(const vd_schema_value *v, int *out) {
  const vd_node *n = v->node;
  double number = 0;
  size_t used = 0;
  bool scalar = n->kind == VD_NODE_SCALAR && !n->quoted;
  bool parsed = scalar && vd_num_parse(n->text, strlen(n->text), &number, &used);
  if (!parsed || n->text[used] != '\0' || number != floor(number))
    vd_schema_wrong_kind(v, "a whole number");
  else if (vd_schema_in_range(v, number)) {
    if (number >= INT_MIN && number <= INT_MAX)
      *out = (int)number;
    else
      vd_error(v->diag, n->place, "'%s' is too large, got %s", v->label, vd_schema_excerpt(v));
  }
}

void vd_schema_flag(const vd_schema_value *v, bool *out) {
  const vd_node *n = v->node;
  bool scalar = n->kind == VD_NODE_SCALAR && !n->quoted && n->text[0];
  if (scalar && strcmp(n->text, "true") == 0)
    *out = true;
  else if (scalar && strcmp(n->text, "false") == 0)
    *out = false;
  else if (scalar)
    vd_error(v->diag, n->place, "'%s' must be true or false, got '%s'", v->label, vd_schema_excerpt(v));
  else
    vd_schema_wrong_kind(v, "true or false");
}

void vd_schema_word(const vd_schema_value *v, int *out) {
  const vd_node *n = v->node;
  if (n->kind != VD_NODE_SCALAR || n->text[0] == '\0') {
    vd_schema_wrong_kind(v, "a word");
    return;
  }
  int index = vd_schema_choice(v->row, n->text);
  if (index >= 0) {
    *out = index;
    return;
  }
  vd_buf list = {0};
  size_t count = 0;
  for (; v->row->choices[count]; count++)
    vd_buf_printf(&list, "%s%s", count ? ", " : "", v->row->choices[count]);
  const char *near = vd_suggest(n->text, v->row->choices, count);
  vd_error(v->diag, n->place, "'%s' must be one of %s; got '%s'%s%s%s", v->label, list.text, vd_schema_excerpt(v),
           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  vd_buf_finish(&list);
}

void vd_schema_string(const vd_schema_value *v, const char **out) {
  const vd_node *n = v->node;
  if (n->kind != VD_NODE_SCALAR || vd_node_broken(n) || (n->text[0] == '\0' && !n->quoted))
    vd_schema_wrong_kind(v, "a text");
  else
    *out = n->text;
}

void vd_schema_file_name(const vd_schema_value *v, const char **out) {
  const vd_node *n = v->node;
  bool optional = n->kind == VD_NODE_SCALAR && n->quoted && v->row->def;
  if (n->kind != VD_NODE_SCALAR || (n->text[0] == '\0' && !optional))
    vd_schema_wrong_kind(v, "a file name");
  else if (strcmp(n->text, "-") == 0)
    vd_error(v->diag, n->place, "standard input cannot be referred to");
  else
    *out = vd_schema_path(v->reader, n->place, n->text);
}
