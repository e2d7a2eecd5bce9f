#include "schema_impl.h"

#include "base.h"
#include "num.h"
#include "units.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* --- rows --- */

const vd_field *vd_schema_tag_row(const vd_schema *schema) {
  for (size_t i = 0; schema->tag && i < schema->count; i++)
    if (strcmp(schema->field[i].key, schema->tag) == 0)
      return &schema->field[i];
  return NULL;
}

int vd_schema_choice(const vd_field *row, const char *text) {
  for (int i = 0; row->choices[i]; i++)
    if (strcmp(row->choices[i], text) == 0)
      return i;
  return -1;
}

int vd_schema_tag(const vd_schema *schema, const vd_node *mapping) {
  const vd_field *row = vd_schema_tag_row(schema);
  if (!row)
    return -1;
  const vd_node *node = vd_tree_get(mapping, row->key);
  const char *text = node ? node->text : row->def;
  return text ? vd_schema_choice(row, text) : -1;
}

bool vd_schema_applies(const vd_field *row, int tag) {
  return row->only == 0 || (tag >= 0 && (row->only & VD_WHEN(tag)) != 0);
}

const vd_field *vd_schema_row(const vd_schema *schema, const char *key, int tag) {
  const vd_field *first = NULL;
  for (size_t i = 0; i < schema->count; i++) {
    const vd_field *row = &schema->field[i];
    if (strcmp(row->key, key) != 0)
      continue;
    if (vd_schema_applies(row, tag))
      return row;
    if (!first)
      first = row;
  }
  return first;
}

const char *vd_schema_unit(const vd_field *row, const char *outer) {
  static const char *const per_second[][2] = {{"1", "1/s"}, {"rad", "rad/s"}, {"m/s", "m/s2"}};
  const char *unit = row->unit ? row->unit : "1";
  if (strcmp(unit, "@") == 0)
    return outer;
  if (strcmp(unit, "@/s") != 0)
    return unit;
  size_t i = 0;
  while (i < VD_COUNT(per_second) && strcmp(outer, per_second[i][0]) != 0)
    i++;
  assert(i < VD_COUNT(per_second));
  return per_second[i][1];
}

void vd_schema_range(const vd_field *row, vd_buf *out) {
  bool low = row->lo > -INFINITY, high = row->hi < INFINITY;
  if (low)
    vd_buf_printf(out, "%s %.6g", row->flags & VD_ABOVE ? ">" : ">=", row->lo);
  if (low && high)
    vd_buf_puts(out, " and ");
  if (high)
    vd_buf_printf(out, "%s %.6g", row->flags & VD_BELOW ? "<" : "<=", row->hi);
}

bool vd_schema_shorthand(const vd_schema *schema, const vd_node *node) {
  const vd_field *row = schema->shorthand ? vd_schema_row(schema, schema->shorthand, -1) : NULL;
  if (!row || vd_node_broken(node) || node->kind == VD_NODE_MAPPING)
    return false;
  return node->kind == VD_NODE_SCALAR || row->kind == VD_LIST || row->kind == VD_POINTS;
}

/* --- one value ---
 *
 * A node is decoded for a row: `label` is the key in messages (a shorthand is spoken of by the key
 * that was written), `unit` the row's own. */

typedef struct value {
  vd_schema_reader *reader;
  vd_diag *diag;
  const vd_field *row;
  const char *label;
  const char *unit;
  const vd_node *node;
} value;

enum { SHOWN = 40 }; /* characters of a value in a message */

/* Text of a scalar for a message. */
static const char *shown(const value *v) {
  const char *text = v->node->text;
  size_t length = strlen(text), end = 0;
  for (int n = 0; n < SHOWN && end < length; n++) {
    size_t size = vd_utf8(text + end, length - end, NULL);
    end += size ? size : 1;
  }
  if (end == length)
    return text;
  char *cut = vd_arena_alloc(v->reader->arena, end + 4);
  memcpy(cut, text, end);
  memcpy(cut + end, "...", 4);
  return cut;
}

/* "'mass' needs a number, " and what was there instead. */
static bool wrong_kind(const value *v, const char *needs) {
  vd_place at = vd_node_place(v->node);
  if (v->node->kind != VD_NODE_SCALAR)
    vd_error(v->diag, at, "'%s' needs %s, not a %s", v->label, needs,
             v->node->kind == VD_NODE_MAPPING ? "mapping" : "sequence");
  else if (v->node->text[0] == '\0')
    vd_error(v->diag, at, "'%s' needs %s, got nothing", v->label, needs);
  else
    vd_error(v->diag, at, "'%s' needs %s, got '%s'", v->label, needs, shown(v));
  return false;
}

/* The place of a part of a plain scalar. */
static vd_place part(const vd_node *node, const char *at, size_t length) {
  vd_place p = node->place;
  size_t all = strlen(node->text);
  if (node->quoted || (size_t)p.length != vd_utf8_count(node->text, all))
    return p; /* an alias, or more than one line */
  p.column += (int)vd_utf8_count(node->text, (size_t)(at - node->text));
  p.length = (int)vd_utf8_count(at, length);
  return p;
}

static const char *suggest_unit(const char *word) {
  /* products first: what is nearest to "kmh" is not "kph" */
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

static bool apply_unit(const value *v, const char *text, double *number) {
  size_t length = strlen(text);
  vd_unit unit, own;
  const char *bad;
  size_t bad_length;
  if (!vd_unit_parse(text, length, &unit, &bad, &bad_length)) {
    if (bad_length == 0) { /* where a name should be there is a digit, an operator or nothing */
      bad = *bad ? bad : text;
      bad_length = strlen(bad);
    }
    const char *near = suggest_unit(text);
    if (!near) { /* perhaps only a part is misspelt */
      near = suggest_unit(vd_arena_copy(v->reader->arena, bad, bad_length));
    } else {
      bad = text;
      bad_length = length;
    }
    vd_error(v->diag, part(v->node, bad, bad_length), "unknown unit '%.*s'%s%s%s",
             bad_length < SHOWN ? (int)bad_length : SHOWN, bad, near ? "; did you mean '" : "", near ? near : "",
             near ? "'?" : "");
    return false;
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

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The words for infinity and not-a-number that people and programs write. */
static bool names_infinite(const char *text) {
  static const char *const words[] = {"inf", ".inf", "infinity", "nan", ".nan"};
  text += *text == '-' || *text == '+';
  for (size_t i = 0; i < VD_COUNT(words); i++) {
    size_t k = 0;
    while (words[i][k] && lower(text[k]) == words[i][k])
      k++;
    if (!words[i][k] && !text[k])
      return true;
  }
  return false;
}

/* What may follow a number directly: a blank or the first character of a unit. */
static bool starts_unit(char c) {
  return c == ' ' || c == '\t' || c == '%' || (lower(c) >= 'a' && lower(c) <= 'z');
}

static bool read_number(const value *v, double *number) {
  const vd_node *n = v->node;
  if (n->kind != VD_NODE_SCALAR || n->text[0] == '\0')
    return wrong_kind(v, "a number");
  if (n->quoted) {
    vd_error(v->diag, n->place, "'%s' needs a number, not text in quotes", v->label);
    return false;
  }
  size_t used = 0, length = strlen(n->text);
  bool parsed = vd_num_parse(n->text, length, number, &used);
  const char *rest = n->text + used;
  if (!parsed && used == 0 && !names_infinite(n->text))
    return wrong_kind(v, "a number");
  if (parsed && lower(rest[0]) == 'x' && used > 0 && n->text[used - 1] == '0') /* hexadecimal */
    return wrong_kind(v, "a decimal number");
  if (parsed && rest[0] && !starts_unit(rest[0]))
    return wrong_kind(v, "a number");
  rest += strspn(rest, " \t");
  if (parsed && rest[0] && !apply_unit(v, rest, number))
    return false;
  if (!parsed || !isfinite(*number)) {
    vd_error(v->diag, n->place, "'%s' must be finite", v->label);
    return false;
  }
  return true;
}

static bool in_range(const value *v, double number) {
  const vd_field *f = v->row;
  bool low = f->flags & VD_ABOVE ? number > f->lo : number >= f->lo;
  bool high = f->flags & VD_BELOW ? number < f->hi : number <= f->hi;
  if (low && high)
    return true;
  vd_buf range = {0};
  vd_schema_range(f, &range);
  bool bare = f->kind == VD_INTEGER || strcmp(v->unit, "1") == 0;
  vd_error(v->diag, v->node->place, "'%s' must be %s%s%s, got %s", v->label, range.text, bare ? "" : " ",
           bare ? "" : v->unit, shown(v));
  vd_buf_finish(&range);
  return false;
}

static void decode_number(const value *v, double *out) {
  const vd_node *n = v->node;
  bool word = n->kind == VD_NODE_SCALAR && !n->quoted && strcmp(n->text, "auto") == 0;
  double number;
  if ((v->row->flags & VD_AUTO) && word)
    *out = NAN;
  else if (read_number(v, &number) && in_range(v, number))
    *out = number;
}

static void decode_integer(const value *v, int *out) {
  const vd_node *n = v->node;
  double number = 0;
  size_t used = 0;
  bool scalar = n->kind == VD_NODE_SCALAR && !n->quoted;
  bool parsed = scalar && vd_num_parse(n->text, strlen(n->text), &number, &used);
  if (!parsed || n->text[used] != '\0' || number != floor(number))
    wrong_kind(v, "a whole number");
  else if (in_range(v, number)) {
    if (number >= INT_MIN && number <= INT_MAX)
      *out = (int)number;
    else
      vd_error(v->diag, n->place, "'%s' is too large, got %s", v->label, shown(v));
  }
}

static void decode_flag(const value *v, bool *out) {
  const vd_node *n = v->node;
  bool scalar = n->kind == VD_NODE_SCALAR && !n->quoted && n->text[0];
  if (scalar && strcmp(n->text, "true") == 0)
    *out = true;
  else if (scalar && strcmp(n->text, "false") == 0)
    *out = false;
  else if (scalar)
    vd_error(v->diag, n->place, "'%s' must be true or false, got '%s'", v->label, shown(v));
  else
    wrong_kind(v, "true or false");
}

static bool decode_choice(const value *v, int *out) {
  const vd_node *n = v->node;
  if (n->kind != VD_NODE_SCALAR || n->text[0] == '\0')
    return wrong_kind(v, "a word");
  int index = vd_schema_choice(v->row, n->text);
  if (index >= 0) {
    *out = index;
    return true;
  }
  vd_buf list = {0};
  size_t count = 0;
  for (; v->row->choices[count]; count++)
    vd_buf_printf(&list, "%s%s", count ? ", " : "", v->row->choices[count]);
  const char *near = vd_suggest(n->text, v->row->choices, count);
  vd_error(v->diag, n->place, "'%s' must be one of %s; got '%s'%s%s%s", v->label, list.text, shown(v),
           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  vd_buf_finish(&list);
  return false;
}

static void decode_string(const value *v, const char **out) {
  const vd_node *n = v->node;
  if (n->kind != VD_NODE_SCALAR || (n->text[0] == '\0' && !n->quoted))
    wrong_kind(v, "a text");
  else
    *out = n->text;
}

static void decode_path(const value *v, const char **out) {
  const vd_node *n = v->node;
  bool optional = n->kind == VD_NODE_SCALAR && n->quoted && v->row->def;
  if (n->kind != VD_NODE_SCALAR || (n->text[0] == '\0' && !optional))
    wrong_kind(v, "a file name");
  else if (strcmp(n->text, "-") == 0)
    vd_error(v->diag, n->place, "standard input cannot be referred to");
  else
    *out = vd_schema_path(v->reader, n->place, n->text);
}

static size_t count_children(const vd_node *node) {
  size_t count = 0;
  for (const vd_node *c = node->child; c; c = c->next)
    count++;
  return count;
}

static void decode_list(const value *v, vd_names *out) {
  const vd_node *n = v->node;
  bool one = n->kind == VD_NODE_SCALAR;
  if (n->kind == VD_NODE_MAPPING || (one && n->text[0] == '\0')) {
    wrong_kind(v, "a list of texts");
    return;
  }
  size_t count = one ? 1 : count_children(n), i = 0;
  const char **names = vd_arena_alloc(v->reader->arena, (count + 1) * sizeof *names);
  for (const vd_node *c = one ? n : n->child; c; c = one ? NULL : c->next) {
    value item = *v;
    item.node = c;
    decode_string(&item, &names[i++]);
  }
  *out = (vd_names){names, count};
}

/* One [x, y]; `last` is the x before it, NULL for the first. */
static bool decode_pair(const value *v, const double *last, double *xy) {
  const vd_node *n = v->node;
  if (n->kind != VD_NODE_SEQUENCE || count_children(n) != 2) {
    vd_error(v->diag, vd_node_place(n), "'%s' needs pairs [x, y]", v->label);
    return false;
  }
  value x = *v, y = *v;
  x.node = n->child;
  x.unit = v->row->x_unit ? v->row->x_unit : "s";
  y.node = n->child->next;
  bool good = read_number(&x, &xy[0]);
  good = read_number(&y, &xy[1]) && in_range(&y, xy[1]) && good;
  if (good && last && xy[0] <= *last) {
    vd_error(v->diag, x.node->place, "'%s' needs rising x; %s is not above the one before", v->label, shown(&x));
    return false;
  }
  return good;
}

static void decode_points(const value *v, vd_points *out) {
  const vd_node *n = v->node;
  if (n->kind != VD_NODE_SEQUENCE) {
    wrong_kind(v, "a list of pairs [x, y]");
    return;
  }
  /* no points at all is a value only where it is the default */
  size_t count = count_children(n), i = 0;
  if (count == 0 && !(v->row->def && strcmp(v->row->def, "[]") == 0)) {
    vd_error(v->diag, vd_node_place(n), "'%s' needs at least one pair [x, y]", v->label);
    return;
  }
  double *xy = vd_arena_alloc(v->reader->arena, (count + 1) * 2 * sizeof *xy);
  bool good = true;
  for (const vd_node *c = n->child; c; c = c->next, i++) {
    value pair = *v;
    pair.node = c;
    if (c->kind != VD_NODE_SEQUENCE) { /* and so will be all others */
      decode_pair(&pair, NULL, NULL);
      return;
    }
    /* after a bad pair there is nothing to compare with */
    good = decode_pair(&pair, i > 0 && good ? &xy[2 * i - 2] : NULL, &xy[2 * i]);
  }
  *out = (vd_points){xy, count};
}

/* --- mappings --- */

static void decode_mapping(vd_schema_reader *r, const vd_schema *schema, const vd_node *node, const char *unit,
                           const char *label, void *out);

static void decode_struct(const value *v, void *out) {
  const vd_schema *sub = v->row->sub;
  const vd_node *n = v->node;
  if (n->kind == VD_NODE_MAPPING) {
    decode_mapping(v->reader, sub, n, v->unit, NULL, out);
  } else if (vd_schema_shorthand(sub, n) && (n->kind != VD_NODE_SCALAR || n->text[0] != '\0')) {
    vd_node child = *n;
    child.next = NULL;
    child.key = sub->shorthand;
    vd_node mapping = *n;
    mapping.kind = VD_NODE_MAPPING;
    mapping.child = &child;
    decode_mapping(v->reader, sub, &mapping, v->unit, v->label, out);
  } else {
    bool file = (v->row->flags & VD_FILE) != 0;
    wrong_kind(v, file ? "a mapping or a file name" : sub->shorthand ? "a mapping or a value" : "a mapping");
  }
}

static void decode_value(const value *v, void *out) {
  if (vd_node_broken(v->node))
    return;
  switch (v->row->kind) {
  case VD_NUMBER: decode_number(v, out); break;
  case VD_INTEGER: decode_integer(v, out); break;
  case VD_FLAG: decode_flag(v, out); break;
  case VD_CHOICE: decode_choice(v, out); break;
  case VD_STRING: decode_string(v, out); break;
  case VD_PATH: decode_path(v, out); break;
  case VD_STRUCT: decode_struct(v, out); break;
  case VD_LIST: decode_list(v, out); break;
  case VD_POINTS: decode_points(v, out); break;
  }
}

static void place_all(vd_node *node, vd_place at) {
  node->place = node->key_place = at;
  for (vd_node *c = node->child; c; c = c->next)
    place_all(c, at);
}

/* Most defaults are plain scalars or empty, and starting libyaml takes longer than reading them. */
static bool is_simple(const char *text) {
  return strpbrk(text, "\"'{}[]&*#!|>%@`,") == NULL && strstr(text, ": ") == NULL && strncmp(text, "- ", 2) != 0;
}

/* The default of a row as a node; messages about it point to the mapping that lacks the key. */
static vd_node *default_node(vd_schema_reader *r, const vd_field *row, vd_place at) {
  vd_node *node = NULL;
  if (is_simple(row->def) || strcmp(row->def, "{}") == 0 || strcmp(row->def, "[]") == 0) {
    node = vd_arena_alloc(r->arena, sizeof *node);
    node->text = row->def;
    node->quoted = row->def[0] == '\0';
    node->kind = row->def[0] == '{' ? VD_NODE_MAPPING : row->def[0] == '[' ? VD_NODE_SEQUENCE : VD_NODE_SCALAR;
  } else {
    vd_diag *own = vd_diag_create();
    int source = vd_diag_add_source(own, row->key, row->def, strlen(row->def));
    node = vd_tree_parse(r->arena, own, source);
    vd_diag_destroy(own);
    assert(node && "default of a row");
  }
  place_all(node, at);
  node->key = row->key;
  return node;
}

/* The value of a row in a mapping, or its default; NULL if it is missing, which is reported unless
 * the mapping is `incomplete`. */
static const vd_node *row_node(vd_schema_reader *r, const vd_schema *schema, const vd_field *row,
                               const vd_node *mapping, bool incomplete) {
  const vd_node *node = vd_tree_get(mapping, row->key);
  if (node)
    return node;
  if (row->def)
    return default_node(r, row, vd_node_place(mapping));
  if (!incomplete)
    vd_error(r->diag, vd_node_place(mapping), "missing key '%s' in %s", row->key, schema->name);
  return NULL;
}

static void unknown_key(vd_schema_reader *r, const vd_schema *schema, const vd_node *node, int tag) {
  const char *names[256];
  size_t count = 0;
  for (size_t i = 0; i < schema->count && count < VD_COUNT(names); i++)
    if (vd_schema_applies(&schema->field[i], tag) || tag < 0)
      names[count++] = schema->field[i].key;
  size_t colon = strcspn(node->key, ":");
  for (size_t i = 0; i < count && node->key[colon]; i++)
    if (strlen(names[i]) == colon && memcmp(names[i], node->key, colon) == 0) {
      vd_error(r->diag, node->key_place, "a blank is missing after '%s:'", names[i]);
      return;
    }
  const char *near = vd_suggest(node->key, names, count);
  vd_error(r->diag, node->key_place, "unknown key '%s' in %s%s%s%s", node->key, schema->name,
           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void check_keys(vd_schema_reader *r, const vd_schema *schema, const vd_node *mapping, int tag) {
  for (const vd_node *c = mapping->child; c; c = c->next) {
    const vd_field *row = vd_schema_row(schema, c->key, tag);
    bool failed_base = strcmp(c->key, "base") == 0 && vd_node_broken(c);
    if (!row && !failed_base)
      unknown_key(r, schema, c, tag);
    else if (row && tag >= 0 && !vd_schema_applies(row, tag))
      vd_error(r->diag, c->key_place, "key '%s' does not apply to %s %s '%s'", c->key, schema->name, schema->tag,
               vd_schema_tag_row(schema)->choices[tag]);
  }
}

/* Decodes one row of a mapping. */
static void decode_row(vd_schema_reader *r, const vd_schema *schema, const vd_field *row, const vd_node *node,
                       const char *unit, const char *label, void *out) {
  bool shorthand = label && strcmp(row->key, schema->shorthand) == 0;
  value v = {.reader = r,
             .diag = r->diag,
             .row = row,
             .label = shorthand ? label : row->key,
             .unit = vd_schema_unit(row, unit),
             .node = node};
  decode_value(&v, (char *)out + row->offset);
}

/* Fills a struct. `label` is the key that a shorthand was written for, NULL for a mapping. */
static void decode_mapping(vd_schema_reader *r, const vd_schema *schema, const vd_node *node, const char *unit,
                           const char *label, void *out) {
  const vd_node *base = vd_tree_get(node, "base");
  bool incomplete = base && vd_node_broken(base);

  /* the tag first: it says which other rows there are */
  const vd_field *tag_row = vd_schema_tag_row(schema);
  int tag = -1;
  if (tag_row) {
    const vd_node *n = row_node(r, schema, tag_row, node, incomplete);
    if (n) {
      decode_row(r, schema, tag_row, n, unit, label, out);
      tag = n->kind == VD_NODE_SCALAR && n->text ? vd_schema_choice(tag_row, n->text) : -1;
    }
  }

  check_keys(r, schema, node, tag);
  for (size_t i = 0; i < schema->count; i++) {
    const vd_field *row = &schema->field[i];
    if (row == tag_row || !vd_schema_applies(row, tag))
      continue;
    const vd_node *n = row_node(r, schema, row, node, incomplete);
    if (n)
      decode_row(r, schema, row, n, unit, label, out);
  }
}

/* --- entry --- */

static bool read_file(vd_schema_reader *r, const vd_schema *schema, vd_schema_file *file, const vd_setting *settings,
                      size_t count, void *out, vd_node **root) {
  vd_node *tree = file ? file->root : NULL;
  if (root)
    *root = NULL;
  memset(out, 0, schema->size);
  if (!tree)
    return false;
  size_t before = vd_diag_errors(r->diag);
  if (tree->kind != VD_NODE_MAPPING) {
    vd_error(r->diag, tree->place, "%s needs a mapping, not a %s", schema->name,
             tree->kind == VD_NODE_SEQUENCE ? "sequence" : "scalar");
    return false;
  }
  vd_schema_link(r, schema, tree, file);
  for (size_t i = 0; i < count; i++)
    vd_schema_set(r, schema, tree, &settings[i]);
  decode_mapping(r, schema, tree, "1", NULL, out);
  bool good = vd_diag_errors(r->diag) == before;
  if (root && good)
    *root = tree;
  return good;
}

bool vd_schema_read(const vd_schema *schema, const char *path, const vd_setting *settings, size_t count,
                    vd_arena *arena, vd_diag *d, void *out, vd_node **root) {
  vd_schema_reader r = {.arena = arena, .diag = d};
  return read_file(&r, schema, vd_schema_open(&r, path), settings, count, out, root);
}

bool vd_schema_read_source(const vd_schema *schema, int source, const vd_setting *settings, size_t count,
                           vd_arena *arena, vd_diag *d, void *out, vd_node **root) {
  vd_schema_reader r = {.arena = arena, .diag = d};
  return read_file(&r, schema, vd_schema_open_source(&r, source), settings, count, out, root);
}
