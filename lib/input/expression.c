#include "input/expression.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/num.h"
#include "input/quantity.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 2000 }; /* characters; the depth of recursion grows with the length */

enum node_kind { NUMBER, NAME, NEGATIVE, SUM, DIFFERENCE, PRODUCT, QUOTIENT, POWER, BUILT_IN, CALL };

struct vd_expression {
  enum node_kind kind;
  int column; /* column in the formula, from 1 */
  vd_place place;
  double number;
  const char *text; /* the name; for CALL, name of the function */
  const char *word; /* CALL: its first argument, if that is a word */
  int function;     /* BUILT_IN: index into functions */
  size_t arguments;
  const vd_expression *argument[VD_EXPRESSION_ARGUMENTS];
};

/* --- functions and constants --- */

typedef struct function {
  const char *name;
  size_t arguments;
  double (*one)(double);
  double (*two)(double, double);
} function;

static double least(double a, double b) {
  return a <= b ? a : b <= a ? b : NAN;
}

static double most(double a, double b) {
  return a >= b ? a : b >= a ? b : NAN;
}

static const function functions[] = {
    {"sqrt", 1, sqrt, NULL},    {"sin", 1, vd_sin, NULL},   {"cos", 1, vd_cos, NULL},   {"tan", 1, vd_tan, NULL},
    {"asin", 1, vd_asin, NULL}, {"acos", 1, vd_acos, NULL}, {"atan", 1, vd_atan, NULL}, {"atan2", 2, NULL, vd_atan2},
    {"exp", 1, vd_exp, NULL},   {"log", 1, vd_log, NULL},   {"abs", 1, fabs, NULL},     {"min", 2, NULL, least},
    {"max", 2, NULL, most},
};

static bool constant(const char *name, double *value) {
  if (strcmp(name, "pi") == 0)
    *value = VD_PI;
  else if (strcmp(name, "g") == 0)
    *value = VD_GRAVITY;
  else
    return false;
  return true;
}

/* --- reading --- */

typedef struct reader {
  const char *text;
  size_t length, at;
  int depth;
  vd_place place;
  const vd_expression_world *world;
  vd_arena *arena;
  vd_diag *d;
  bool failed;
} reader;

/* Returns the place of `length` bytes at `from`. If the source does not contain the formula unchanged, on one line and
 * without escapes, the place is the whole scalar. */
static vd_place place_of(const reader *r, size_t from, size_t length) {
  vd_place p = r->place;
  int all = (int)vd_utf8_count(r->text, r->length), quotes = p.length == all + 2;
  if (p.line == 0 || (p.length != all && !quotes))
    return p;
  p.column += quotes + (int)vd_utf8_count(r->text, from);
  p.length = length > 0 ? (int)vd_utf8_count(r->text + from, length) : 1;
  return p;
}

static vd_expression *fail(reader *r, size_t from, size_t length, const char *message, const char *what) {
  if (!r->failed)
    vd_error(r->d, place_of(r, from, length), message, what);
  r->failed = true;
  return NULL;
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static char next(reader *r) {
  while (r->at < r->length && strchr(" \t\r\n", r->text[r->at]))
    r->at++;
  return r->at < r->length ? r->text[r->at] : '\0';
}

static vd_expression *make(reader *r, enum node_kind kind, size_t from, const vd_expression *a,
                           const vd_expression *b) {
  vd_expression *e = vd_arena_alloc(r->arena, sizeof *e);
  e->kind = kind;
  e->column = (int)vd_utf8_count(r->text, from) + 1;
  e->place = place_of(r, from, 1);
  e->argument[0] = a;
  e->argument[1] = b;
  e->arguments = (a != NULL) + (size_t)(b != NULL);
  return e;
}

static vd_expression *read_sum(reader *r);
static vd_expression *read_sign(reader *r);

static vd_expression *read_number(reader *r) {
  size_t from = r->at, used;
  double value;
  if (!vd_num_parse(r->text + r->at, r->length - r->at, &value, &used))
    return fail(r, from, used ? used : 1, "a number is too large", NULL);
  r->at += used;
  if (next(r) == '[') {
    size_t open = r->at++, close = open + strcspn(r->text + open, "]");
    vd_unit unit;
    if (close >= r->length)
      return fail(r, open, 1, "']' is missing", NULL);
    if (!vd_quantity_unit(r->text + r->at, close - r->at, &unit))
      return fail(r, r->at, close - r->at, "'%s' is not a unit",
                  vd_arena_copy(r->arena, r->text + r->at, close - r->at));
    value = vd_unit_to_si(unit, value);
    r->at = close + 1;
  }
  vd_expression *e = make(r, NUMBER, from, NULL, NULL);
  e->number = value;
  return e;
}

/* Returns the index of a function, or -1 if the language has no function of this name. */
static int function_of(const char *name, size_t length) {
  for (size_t i = 0; i < VD_COUNT(functions); i++)
    if (strlen(functions[i].name) == length && strncmp(functions[i].name, name, length) == 0)
      return (int)i;
  return -1;
}

bool vd_expression_function(const char *name, size_t length) {
  return function_of(name, length) >= 0;
}

/* True if the caller or the language defines a function of this name. */
static bool known_function(const reader *r, const char *name, size_t *arguments, bool *word, int *index) {
  *word = false;
  *index = function_of(name, strlen(name));
  if (*index >= 0) {
    *arguments = functions[*index].arguments;
    return true;
  }
  return r->world && r->world->function && r->world->function(r->world->context, name, arguments, word);
}

static bool read_word(reader *r, const char **word) {
  next(r);
  size_t from = r->at;
  while (r->at < r->length && is_letter(r->text[r->at]))
    r->at++;
  *word = vd_arena_copy(r->arena, r->text + from, r->at - from);
  return r->at > from;
}

static vd_expression *read_call(reader *r, const char *name, size_t from) {
  size_t arguments = 0;
  bool word;
  int index;
  vd_buf wrong = {0};
  if (!known_function(r, name, &arguments, &word, &index))
    return fail(r, from, strlen(name), "there is no function '%s'", name);
  vd_expression *e = make(r, index >= 0 ? BUILT_IN : CALL, from, NULL, NULL);
  e->place = place_of(r, from, strlen(name));
  e->function = index;
  e->text = name;
  r->at++; /* skips the parenthesis */
  for (size_t i = 0; i < arguments; i++) {
    if (i > 0 && next(r) == ',')
      r->at++;
    else if (i > 0)
      break;
    if (word && i == 0) {
      if (!read_word(r, &e->word))
        return fail(r, r->at, 1, "'%s' needs a word first, such as front or rear", name);
    } else if (!(e->argument[e->arguments] = read_sum(r))) {
      return NULL;
    } else {
      e->arguments++;
    }
  }
  if (next(r) == ')' && e->arguments + word == arguments) {
    r->at++;
    return e;
  }
  vd_buf_printf(&wrong, "'%s' takes %zu argument%s in parentheses", name, arguments, arguments == 1 ? "" : "s");
  fail(r, from, strlen(name), "%s", wrong.text);
  vd_buf_finish(&wrong);
  return NULL;
}

static vd_expression *read_name(reader *r) {
  size_t from = r->at;
  while (r->at < r->length && (is_letter(r->text[r->at]) || is_digit(r->text[r->at]) || r->text[r->at] == '.'))
    r->at++;
  const char *name = vd_arena_copy(r->arena, r->text + from, r->at - from);
  if (next(r) == '(')
    return read_call(r, name, from);
  vd_expression *e = make(r, NAME, from, NULL, NULL);
  e->place = place_of(r, from, strlen(name));
  e->text = name;
  if (constant(name, &e->number))
    e->kind = NUMBER;
  return e;
}

static vd_expression *read_operand(reader *r) {
  char c = next(r);
  if (is_digit(c) || c == '.')
    return read_number(r);
  if (is_letter(c))
    return read_name(r);
  if (c != '(')
    return c ? fail(r, r->at, 1, "a number, a name or '(' is needed here", NULL)
             : fail(r, r->length, 0, "the formula ends too early", NULL);
  size_t from = r->at++;
  vd_expression *e = read_sum(r);
  if (e && next(r) != ')')
    return fail(r, from, 1, "')' is missing", NULL);
  r->at++;
  return e;
}

static vd_expression *read_power(reader *r) {
  vd_expression *a = read_operand(r);
  if (!a || next(r) != '^')
    return a;
  size_t from = r->at++;
  vd_expression *b = read_sign(r);
  return b ? make(r, POWER, from, a, b) : NULL;
}

/* Every recursion passes through this function, which limits the depth. */
static vd_expression *read_sign(reader *r) {
  if (++r->depth > VD_EXPRESSION_DEPTH)
    return fail(r, r->at, 1, "the formula is nested too deeply", NULL);
  char c = next(r);
  size_t from = r->at;
  vd_expression *e;
  if (c == '-' || c == '+') {
    r->at++;
    e = read_sign(r);
    e = e && c == '-' ? make(r, NEGATIVE, from, e, NULL) : e;
  } else {
    e = read_power(r);
  }
  r->depth--;
  return e;
}

/* Reads operands with one of the operators between each two, and combines them from left to right. */
static vd_expression *read_chain(reader *r, vd_expression *(*operand)(reader *), const char *operators,
                                 enum node_kind first, enum node_kind second) {
  vd_expression *a = operand(r);
  for (char c; a && ((c = next(r)) == operators[0] || c == operators[1]);) {
    size_t from = r->at++;
    vd_expression *b = operand(r);
    a = b ? make(r, c == operators[0] ? first : second, from, a, b) : NULL;
  }
  return a;
}

static vd_expression *read_product(reader *r) {
  return read_chain(r, read_sign, "*/", PRODUCT, QUOTIENT);
}

static vd_expression *read_sum(reader *r) {
  return read_chain(r, read_product, "+-", SUM, DIFFERENCE);
}

vd_expression *vd_expression_read(const char *text, vd_place at, const vd_expression_world *world, vd_arena *arena,
                                  vd_diag *d) {
  reader r = {.text = text, .length = strlen(text), .place = at, .world = world, .arena = arena, .d = d};
  if (r.length > LONGEST) {
    vd_error(d, at, "a formula of %zu characters is too long; %d are allowed", r.length, LONGEST);
    return NULL;
  }
  vd_expression *e = read_sum(&r);
  if (e && next(&r) != '\0')
    return fail(&r, r.at, 1, "'%s' is not understood here",
                vd_arena_copy(arena, text + r.at, vd_utf8(text + r.at, r.length - r.at, NULL)));
  return e;
}

/* --- evaluating --- */

typedef struct evaluation {
  const vd_expression_world *world;
  char *why;
  size_t size;
} evaluation;

static double complain(const evaluation *ev, const vd_expression *e, const char *what) {
  if (ev->why[0] == '\0')
    snprintf(ev->why, ev->size, "column %d: %s", e->column, what);
  return NAN;
}

/* Returns the value that the caller defines for a name, or for a call of one of the caller's functions. */
static double value_of_word(const evaluation *ev, const vd_expression *e, const double *argument) {
  const vd_expression_world *w = ev->world;
  bool call = e->kind == CALL, known = false;
  double value = NAN;
  const char *why = NULL;
  char text[200];
  if (w && call && w->call)
    known = w->call(w->context, e->text, e->word, argument, &value, &why);
  else if (w && !call && w->name)
    known = w->name(w->context, e->text, &value, &why);
  if (known && isfinite(value))
    return value;
  snprintf(text, sizeof text, call ? "the function '%s' has no value here" : "there is no '%s'", e->text);
  return complain(ev, e, why ? why : text);
}

static double value_of(const evaluation *ev, const vd_expression *e) {
  double a[VD_EXPRESSION_ARGUMENTS] = {0.0}, value = NAN;
  char text[120];
  for (size_t i = 0; i < e->arguments; i++)
    if (isnan(a[i] = value_of(ev, e->argument[i])))
      return NAN;
  switch (e->kind) {
  case NUMBER: return e->number;
  case NAME:
  case CALL: return value_of_word(ev, e, a);
  case NEGATIVE: value = -a[0]; break;
  case SUM: value = a[0] + a[1]; break;
  case DIFFERENCE: value = a[0] - a[1]; break;
  case PRODUCT: value = a[0] * a[1]; break;
  case QUOTIENT: value = a[0] / a[1]; break;
  case POWER: value = vd_pow(a[0], a[1]); break;
  case BUILT_IN: {
    const function *f = &functions[e->function];
    value = f->one ? f->one(a[0]) : f->two(a[0], a[1]);
    break;
  }
  }
  if (isfinite(value))
    return value;
  if (e->arguments == 1)
    snprintf(text, sizeof text, "'%s' of %.9g is not a finite number", e->text ? e->text : "-", a[0]);
  else
    snprintf(text, sizeof text, "'%s' of %.9g and %.9g is not a finite number",
             e->kind == QUOTIENT ? "/"
             : e->kind == POWER  ? "^"
             : e->text           ? e->text
                                 : "+-*",
             a[0], a[1]);
  return complain(ev, e, text);
}

double vd_expression_value(const vd_expression *e, const vd_expression_world *world, char *why, size_t size) {
  why[0] = '\0';
  return value_of(&(evaluation){world, why, size}, e);
}

void vd_expression_names(const vd_expression *e, void (*visit)(void *context, const char *name, vd_place at),
                         void *context) {
  if (e->kind == NAME)
    visit(context, e->text, e->place);
  for (size_t i = 0; i < e->arguments; i++)
    vd_expression_names(e->argument[i], visit, context);
}
