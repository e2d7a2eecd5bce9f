#include "input/schema_impl.h"

#include "base/base.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
  /* greatest number of mappings in all lists, because memory for a whole struct is allocated for each */
  ITEMS_MAX = 100000
};

/* --- lists --- */

static size_t count_children(const vd_node *node) {
  size_t count = 0;
  for (const vd_node *c = node->child; c; c = c->next)
    count++;
  return count;
}

/* Returns a node as one line of YAML. */
static const char *value_text(vd_arena *arena, const vd_node *node) {
  vd_buf text = {0};
  vd_tree_write(node, &text);
  const char *kept = vd_arena_copy(arena, text.text, text.length);
  vd_buf_finish(&text);
  return kept;
}

/* Reads a list of texts (vd_names) or of numbers (vd_numbers). A scalar is a list of one. */
static void decode_list(const vd_schema_value *v, void *out) {
  const vd_node *n = v->node;
  bool texts = v->row->kind == VD_LIST, one = n->kind == VD_NODE_SCALAR;
  if (n->kind == VD_NODE_MAPPING || (one && n->text[0] == '\0')) {
    vd_schema_wrong_kind(v, texts ? "a list of texts" : "a list of numbers");
    return;
  }
  size_t count = one ? 1 : count_children(n);
  const char **names = texts ? vd_arena_alloc(v->reader->arena, (count + 1) * sizeof *names) : NULL;
  double *numbers = texts ? NULL : vd_arena_alloc(v->reader->arena, (count + 1) * sizeof *numbers);
  vd_schema_value entry = *v;
  entry.node = one ? n : n->child;
  for (size_t i = 0; i < count; i++, entry.node = entry.node->next) {
    const vd_node *c = entry.node;
    if (!texts)
      vd_schema_number(&entry, &numbers[i]);
    else if (v->row->flags & VD_VALUES && (c->kind != VD_NODE_SCALAR || c->quoted || c->text[0]))
      names[i] = value_text(v->reader->arena, c);
    else
      vd_schema_string(&entry, &names[i]);
  }
  if (texts)
    *(vd_names *)out = (vd_names){names, count};
  else
    *(vd_numbers *)out = (vd_numbers){numbers, count};
}

static void decode_vector(const vd_schema_value *v, double *out) {
  const vd_node *n = v->node;
  if (vd_schema_is_auto(v)) {
    out[0] = out[1] = out[2] = NAN;
    return;
  }
  if (n->kind != VD_NODE_SEQUENCE) {
    vd_schema_wrong_kind(v, "three numbers [x, y, z]");
    return;
  }
  size_t count = count_children(n);
  if (count != 3) {
    vd_error(v->diag, vd_node_place(n), "'%s' needs three numbers [x, y, z], not %zu", v->label, count);
    return;
  }
  vd_schema_value entry = *v;
  entry.node = n->child;
  for (int i = 0; i < 3; i++, entry.node = entry.node->next) {
    double number;
    if (!vd_node_broken(entry.node) && vd_schema_read_number(&entry, &number) && vd_schema_in_range(&entry, number))
      out[i] = number;
  }
}

/* Returns the unit of x. "@" means the unit of y, which may come from the enclosing row. */
static const char *x_unit(const vd_schema_value *v) {
  const char *unit = v->row->x_unit ? v->row->x_unit : "s";
  return strcmp(unit, "@") == 0 ? v->unit : unit;
}

/* Reads one pair [x, y]. `last`: the pair before it, if x must rise; NULL: the first pair, or x need not rise. */
static bool decode_pair(const vd_schema_value *v, const double *last, double *xy) {
  const vd_node *n = v->node;
  if (vd_node_broken(n))
    return false;
  if (n->kind != VD_NODE_SEQUENCE || count_children(n) != 2) {
    vd_error(v->diag, vd_node_place(n), "'%s' needs pairs [x, y]", v->label);
    return false;
  }
  bool any_order = (v->row->flags & VD_ANY_ORDER) != 0;
  vd_schema_value x = *v, y = *v;
  x.node = n->child;
  x.unit = x_unit(v);
  y.node = n->child->next;
  bool good = vd_schema_read_number(&x, &xy[0]) && (!any_order || vd_schema_in_range(&x, xy[0]));
  good = vd_schema_read_number(&y, &xy[1]) && vd_schema_in_range(&y, xy[1]) && good;
  if (good && last && xy[0] <= *last) {
    vd_error(v->diag, x.node->place, "'%s' needs rising x; %s is not above the one before", v->label,
             vd_schema_excerpt(&x));
    return false;
  }
  return good;
}

static void decode_points(const vd_schema_value *v, vd_points *out) {
  const vd_node *n = v->node;
  if (n->kind != VD_NODE_SEQUENCE) {
    vd_schema_wrong_kind(v, "a list of pairs [x, y]");
    return;
  }
  /* an empty list is valid only as the default */
  size_t count = count_children(n), i = 0;
  if (count == 0 && !(v->row->def && strcmp(v->row->def, "[]") == 0)) {
    vd_error(v->diag, vd_node_place(n), "'%s' needs at least one pair [x, y]", v->label);
    return;
  }
  double *xy = vd_arena_alloc(v->reader->arena, (count + 1) * 2 * sizeof *xy);
  bool rising = !(v->row->flags & VD_ANY_ORDER), good = true;
  for (const vd_node *c = n->child; c; c = c->next, i++) {
    vd_schema_value pair = *v;
    pair.node = c;
    if (c->kind != VD_NODE_SEQUENCE) { /* one message is enough, because the other items will be wrong, too */
      decode_pair(&pair, NULL, NULL);
      return;
    }
    /* there is nothing to compare with after a bad pair */
    good = decode_pair(&pair, rising && i > 0 && good ? &xy[2 * i - 2] : NULL, &xy[2 * i]);
  }
  *out = (vd_points){xy, count};
}

/* --- mappings --- */

static void decode_mapping(vd_schema_reader *r, const vd_schema *schema, const vd_node *node, const char *unit,
                           const char *label, void *out);

/* True if a node is a shorthand (vd_schema_shorthand). A key without a value is not a shorthand. */
static bool is_shorthand(const vd_schema *sub, const vd_node *node) {
  return vd_schema_shorthand(sub, node) && (node->kind != VD_NODE_SCALAR || node->text[0] != '\0');
}

static void decode_struct(const vd_schema_value *v, void *out) {
  const vd_schema *sub = v->row->sub;
  const vd_node *n = v->node;
  if (n->kind == VD_NODE_MAPPING) {
    decode_mapping(v->reader, sub, n, v->unit, NULL, out);
  } else if (is_shorthand(sub, n)) {
    vd_node child = *n;
    child.next = NULL;
    child.key = sub->shorthand;
    vd_node mapping = *n;
    mapping.kind = VD_NODE_MAPPING;
    mapping.child = &child;
    decode_mapping(v->reader, sub, &mapping, v->unit, v->label, out);
  } else {
    bool file = (v->row->flags & VD_FILE) != 0;
    vd_schema_wrong_kind(v, file ? "a mapping or a file name" : sub->shorthand ? "a mapping or a value" : "a mapping");
  }
}

/* Decodes a list of mappings into structs without gaps between them, each like the mapping of a VD_STRUCT row. */
static void decode_structs(const vd_schema_value *v, vd_structs *out) {
  const vd_schema *sub = v->row->sub;
  const vd_node *n = v->node;
  bool one = n->kind == VD_NODE_MAPPING || (n->kind == VD_NODE_SCALAR && is_shorthand(sub, n));
  if (!one && n->kind != VD_NODE_SEQUENCE) {
    vd_schema_wrong_kind(v, "a list of mappings");
    return;
  }
  size_t count = one ? 1 : count_children(n);
  if (v->reader->items > ITEMS_MAX) /* reported already */
    return;
  v->reader->items += count;
  if (v->reader->items > ITEMS_MAX) {
    vd_error(v->diag, vd_node_place(n), "more than %d mappings in lists", (int)ITEMS_MAX);
    return;
  }
  char *items = count ? vd_arena_alloc(v->reader->arena, count * sub->size) : NULL;
  const vd_node *c = one ? n : n->child;
  for (size_t i = 0; i < count; i++, c = c->next) {
    vd_schema_value item = *v;
    item.node = c;
    if (!vd_node_broken(c))
      decode_struct(&item, items + i * sub->size);
  }
  *out = (vd_structs){items, count};
}

static void decode_value(const vd_schema_value *v, void *out) {
  if (vd_node_broken(v->node))
    return;
  switch (v->row->kind) {
  case VD_NUMBER: vd_schema_number(v, out); break;
  case VD_INTEGER: vd_schema_integer(v, out); break;
  case VD_FLAG: vd_schema_flag(v, out); break;
  case VD_CHOICE: vd_schema_word(v, out); break;
  case VD_STRING: vd_schema_string(v, out); break;
  case VD_PATH: vd_schema_file_name(v, out); break;
  case VD_STRUCT: decode_struct(v, out); break;
  case VD_LIST:
  case VD_NUMBERS: decode_list(v, out); break;
  case VD_POINTS: decode_points(v, out); break;
  case VD_STRUCTS: decode_structs(v, out); break;
  case VD_VECTOR: decode_vector(v, out); break;
  case VD_GROUP: break; /* a group has no value of its own */
  }
}

static void place_all(vd_node *node, vd_place at) {
  node->place = node->key_place = at;
  for (vd_node *c = node->child; c; c = c->next)
    place_all(c, at);
}

/* True if a default is a plain scalar or empty, as most are. Such defaults are read without libyaml, which would take
 * longer to start than the reading takes. */
static bool is_simple(const char *text) {
  return strpbrk(text, "\"'{}[]&*#!|>%@`,") == NULL && strstr(text, ": ") == NULL && strncmp(text, "- ", 2) != 0;
}

static vd_node *plain_node(vd_arena *arena, const char *text) {
  vd_node *node = vd_arena_alloc(arena, sizeof *node);
  *node = (vd_node){.kind = VD_NODE_SCALAR, .text = text, .quoted = text[0] == '\0'};
  return node;
}

/* Parses a default that is a mapping of one word, such as "{type: none}"; NULL: the default has another form. */
static vd_node *entry_node(vd_arena *arena, const char *text) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
  if (!strchr(text, ':'))
    return NULL;
  const char *key = text + (text[0] == '{'), *word = key + strspn(key, letters);
  const size_t length = (size_t)(word - key), size = strncmp(word, ": ", 2) == 0 ? strspn(word + 2, letters) : 0;
  if (key == text || length == 0 || size == 0 || strcmp(word + 2 + size, "}") != 0)
    return NULL;
  vd_node *mapping = plain_node(arena, "");
  *mapping = (vd_node){.kind = VD_NODE_MAPPING, .child = plain_node(arena, vd_arena_copy(arena, word + 2, size))};
  mapping->child->key = vd_arena_copy(arena, key, length);
  return mapping;
}

/* Returns the default of a row as a node; messages about it point to the mapping that lacks the key. */
static vd_node *default_node(vd_schema_reader *r, const vd_field *row, vd_place at) {
  vd_node *node = entry_node(r->arena, row->def);
  if (!node && (is_simple(row->def) || strcmp(row->def, "\"\"") == 0)) {
    node = plain_node(r->arena, row->def[0] == '"' ? "" : row->def);
  } else if (!node && (strcmp(row->def, "{}") == 0 || strcmp(row->def, "[]") == 0)) {
    node = plain_node(r->arena, "");
    *node = (vd_node){.kind = row->def[0] == '{' ? VD_NODE_MAPPING : VD_NODE_SEQUENCE};
  } else if (!node) {
    node = vd_schema_parse_default(r, row);
  }
  place_all(node, at);
  node->key = row->key;
  return node;
}

/* Returns the value of a row in a mapping, or its default; NULL if it is missing, which is reported unless the mapping
 * is `incomplete`. */
static const vd_node *row_node(vd_schema_reader *r, const vd_schema *schema, const vd_field *row,
                               const vd_node *mapping, bool incomplete) {
  const vd_node *node = vd_tree_get(mapping, row->key);
  if (node)
    return node;
  if (row->def)
    return default_node(r, row, vd_node_missing_place(mapping));
  if (!incomplete)
    vd_error(r->diag, vd_node_missing_place(mapping), "missing key '%s' in %s", row->key, schema->name);
  if (!incomplete && mapping->overlay.line > 0)
    vd_note(r->diag, vd_node_place(mapping), "%s begins here", schema->name);
  return NULL;
}

/* Removes a word and its underscore from the start or end of a key, and returns the rest; NULL if the key has the word
 * at neither end. */
static const char *without(vd_arena *a, const char *key, const char *word) {
  const size_t all = strlen(key), length = strlen(word);
  if (all <= length + 1)
    return NULL;
  if (strncmp(key, word, length) == 0 && key[length] == '_')
    return key + length + 1;
  if (strcmp(key + all - length, word) == 0 && key[all - length - 1] == '_')
    return vd_arena_copy(a, key, all - length - 1);
  return NULL;
}

/* True if the key is a synonym of the row's key (vd_field.also). */
static bool is_also(const vd_field *row, const char *key) {
  const size_t length = strlen(key);
  const char *found = length > 0 && !strchr(key, ' ') ? row->also : NULL;
  while (found && (found = strstr(found, key)) && (found[-1] != ' ' || found[length] != ' '))
    found += length;
  return found != NULL;
}

/* Returns the valid name that an unknown key probably means; NULL if none is known. The name is the key of which the
 * unknown key is a synonym (vd_field.also), or the path of a key in a mapping below this one. In the second case the
 * unknown key may also contain the name of that mapping, before or behind the key. */
static const char *true_name(vd_schema_reader *r, const vd_schema *schema, const char *key) {
  const char *inside = NULL;
  const vd_field *row;
  for (vd_schema_walk walk = {.schema = {schema}}; (row = vd_schema_next(&walk));) {
    if (is_also(row, key))
      return row->key;
    if (row->kind != VD_STRUCT || inside)
      continue;
    const char *rest = without(r->arena, key, row->key), *inner = rest ? rest : key;
    if (vd_schema_row(row->sub, inner, -1))
      inside = vd_arena_printf(r->arena, "%s.%s", row->key, inner);
  }
  return inside;
}

static void unknown_key(vd_schema_reader *r, const vd_schema *schema, const vd_node *node, int tag) {
  const char *names[VD_SCHEMA_KEYS];
  size_t count = vd_schema_keys(schema, tag, names);
  size_t colon = strcspn(node->key, ":");
  for (size_t i = 0; i < count && node->key[colon]; i++)
    if (strlen(names[i]) == colon && memcmp(names[i], node->key, colon) == 0) {
      vd_error(r->diag, node->key_place, "a blank is missing after '%s:'", names[i]);
      return;
    }
  const char *known = true_name(r, schema, node->key), *near = known ? known : vd_suggest(node->key, names, count);
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
  vd_schema_value v = {.reader = r,
                       .diag = r->diag,
                       .row = row,
                       .label = shorthand ? label : row->key,
                       .unit = vd_schema_unit(row, unit),
                       .node = node};
  decode_value(&v, (char *)out + row->offset);
}

/* Checks a list of keys: each must exist in the mapping, and stand once in the list. */
static void check_listed(vd_schema_reader *r, const vd_schema *schema, const vd_field *row, const vd_node *list,
                         const void *object) {
  const vd_node *first = list->kind == VD_NODE_SEQUENCE ? list->child : list;
  for (const vd_node *c = first; c; c = first == list ? NULL : c->next) {
    const vd_node *before = first;
    if (c->kind != VD_NODE_SCALAR || !c->text)
      continue;
    while (before != c && (!before->text || strcmp(before->text, c->text) != 0))
      before = before->next;
    if (before != c)
      vd_error(r->diag, vd_node_place(c), "'%s' is listed twice in '%s'", c->text, row->key);
    else if (!vd_schema_row_at(schema, object, c->text))
      vd_error(r->diag, vd_node_place(c), "'%s' in '%s' is not a key of this %s", c->text, row->key, schema->name);
  }
}

/* A mapping and the struct that it fills. */
typedef struct target {
  const vd_schema *schema;
  const vd_node *node;
  const char *unit, *label; /* label: the key that a shorthand was written for, NULL if a mapping was written */
  void *out;
  int tag;
  bool incomplete;
  const vd_field *listed; /* the list of keys, if there is one */
} target;

static void decode_target_row(vd_schema_reader *r, const vd_field *row, target *t) {
  const vd_node *n = row_node(r, t->schema, row, t->node, t->incomplete);
  if (n)
    decode_row(r, t->schema, row, n, t->unit, t->label, t->out);
  if (row->flags & VD_KEYS && n && t->node->kind == VD_NODE_MAPPING)
    t->listed = row;
}

/* Decodes all rows except that of the tag. own: the kept data of the mapping, NULL if nothing is kept. If r->keeps, it
 * is filled. Otherwise t->out contains the kept bytes already, and rows whose nodes are unchanged are left out. */
static void decode_rows(vd_schema_reader *r, vd_kept *own, target *t) {
  const vd_field *row, *tag_row = vd_schema_tag_row(t->schema);
  vd_kept_row *kept = own ? own->row : NULL;
  for (vd_schema_walk walk = {.schema = {t->schema}}; (row = vd_schema_next(&walk));) {
    if (row == tag_row || !vd_schema_applies(row, t->tag))
      continue;
    if (own && r->keeps)
      vd_schema_keep_row(r, row, t->node, kept);
    if (!own || r->keeps || !vd_schema_is_kept(row, t->node, kept)) {
      r->kept = own ? kept->inner : NULL;
      decode_target_row(r, row, t);
    }
    if (own && r->keeps)
      vd_schema_kept_row(row, (const char *)t->out + row->offset, kept, own);
    kept += own ? 1 : 0;
  }
}

static void decode_mapping(vd_schema_reader *r, const vd_schema *schema, const vd_node *node, const char *unit,
                           const char *label, void *out) {
  const vd_node *base = vd_tree_get(node, "base");
  target t = {.schema = schema, .node = node, .unit = unit, .label = label, .out = out, .tag = -1};
  t.incomplete = base && vd_node_broken(base);

  /* the tag first: it determines which rows apply */
  const vd_field *tag_row = vd_schema_tag_row(schema);
  const vd_node *n = tag_row ? row_node(r, schema, tag_row, node, t.incomplete) : NULL;
  if (n && n->kind == VD_NODE_SCALAR && n->text)
    t.tag = vd_schema_choice(tag_row, n->text);
  vd_kept *own = r->kept;
  if (own && r->keeps) {
    own = vd_schema_keep_rows(r, schema, t.tag, own);
  } else if (own && (!own->row || own->tag != t.tag || t.incomplete)) {
    memset(out, 0, schema->size); /* what was kept does not apply */
    own = NULL;
  }
  r->kept = NULL;
  if (n)
    decode_row(r, schema, tag_row, n, unit, label, out);
  check_keys(r, schema, node, t.tag);
  decode_rows(r, own, &t);
  if (t.listed) /* checked last, when the variants of all mappings are known */
    check_listed(r, schema, t.listed, row_node(r, schema, t.listed, node, t.incomplete), out);
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
  vd_schema_assemble(r, schema, tree, file, settings, count);
  vd_tree_drop_nulls(tree);
  size_t messages = vd_diag_count(r->diag);
  const void *kept = vd_schema_kept(r, schema, file->source);
  vd_kept *mapping = r->kept;
  if (kept)
    memcpy(out, kept, schema->size);
  decode_mapping(r, schema, tree, "1", NULL, out);
  bool good = vd_diag_errors(r->diag) == before;
  if (r->keeps && good && vd_diag_count(r->diag) == messages)
    vd_schema_keep_object(r, schema, file->source, mapping, out);
  if (root && good)
    *root = tree;
  return good;
}

bool vd_schema_read(const vd_schema *schema, const char *path, const vd_setting *settings, size_t count,
                    vd_arena *arena, vd_diag *d, void *out, vd_node **root) {
  int source;
  vd_schema_reader r = {.arena = arena, .diag = d};
  vd_schema_file *file = vd_schema_slurp(path, d, &source) ? vd_schema_open_source(&r, source) : NULL;
  return read_file(&r, schema, file, settings, count, out, root);
}

bool vd_schema_read_source(const vd_schema *schema, int source, const vd_setting *settings, size_t count,
                           vd_arena *arena, vd_diag *d, void *out, vd_node **root) {
  vd_schema_reader r = {.arena = arena, .diag = d};
  return read_file(&r, schema, vd_schema_open_source(&r, source), settings, count, out, root);
}
