/* Writes the list of keys from the rows. A mapping that stands below several keys is a block: its keys are listed once,
 * under the name of its schema in capitals (PROFILE). The keys above the mapping refer to this name. */
#include "input/schema_impl.h"

#include "base/arena.h"

#include <ctype.h>
#include <string.h>

typedef struct block {
  const vd_schema *schema;
  const char *name;
  const char *unit; /* unit of the keys that refer to the block; "@": their units differ */
  vd_buf users;     /* the keys that refer to the block */
  int uses;         /* number of keys that refer to it; a block has more than one */
  bool wanted, listed;
} block;

typedef struct lister {
  vd_arena *arena;
  block *block;
  size_t count, room;
  const char *asked; /* path of the key that is listed; NULL: all keys */
  bool full;         /* no blocks: every key with its whole path */
  vd_buf *out;
} lister;

/* A row and the set of variants for which it is listed; 0: all. */
typedef struct entry {
  const vd_field *row;
  unsigned only;
} entry;

static const char *kind_name(enum vd_field_kind kind) {
  switch (kind) {
  case VD_NUMBER: return "number";
  case VD_INTEGER: return "integer";
  case VD_FLAG: return "flag";
  case VD_CHOICE: return "choice";
  case VD_STRING: return "text";
  case VD_PATH: return "file name";
  case VD_LIST: return "list";
  case VD_POINTS: return "points";
  case VD_NUMBERS: return "numbers";
  case VD_STRUCTS: return "list of mappings";
  case VD_VECTOR: return "three numbers";
  case VD_STRUCT: return "mapping";
  case VD_GROUP: break;
  }
  return "";
}

/* --- variants --- */

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

/* True if rows of two variants are equal in all that is listed. */
static bool same_row(const vd_field *a, const vd_field *b) {
  return a->kind == b->kind && a->flags == b->flags && a->lo <= b->lo && a->lo >= b->lo && a->hi <= b->hi &&
         a->hi >= b->hi && a->sub == b->sub && a->choices == b->choices && same_text(a->key, b->key) &&
         same_text(a->unit, b->unit) && same_text(a->def, b->def) && same_text(a->help, b->help);
}

/* Returns the set of variants that have a row equal to this one; 0: all variants. *first: true if `row` is the first of
 * the equal rows. */
static unsigned variants_of(const vd_schema *schema, const vd_field *row, bool *first) {
  const vd_field *other, *tag = vd_schema_tag_row(schema);
  unsigned only = 0, all = 0;
  vd_schema_walk walk = {.schema = {schema}};
  *first = true;
  for (bool before = true; (other = vd_schema_next(&walk));) {
    before = before && other != row;
    if (other != row && !same_row(row, other))
      continue;
    *first = *first && !before;
    only |= other->only;
  }
  for (int i = 0; tag && tag->choices[i]; i++)
    all |= VD_WHEN(i);
  return row->only == 0 || (only & all) == all ? 0 : only;
}

/* Returns the rank of a row in its mapping: the tag first, then keys of all variants, of several, of the first variant,
 * of the second, and so on; in each group the required keys come first. */
static unsigned rank(const vd_schema *schema, const entry *e) {
  unsigned variant = 0, optional = e->row->def != NULL;
  if (schema->tag && strcmp(e->row->key, schema->tag) == 0)
    return 0;
  if (e->only == 0)
    return 1 + optional;
  while (!(e->only & VD_WHEN(variant)))
    variant++;
  return e->only == VD_WHEN(variant) ? 5 + 2 * variant + optional : 3 + optional;
}

static size_t entries_of(const vd_schema *schema, vd_arena *arena, entry **out) {
  const vd_field *row;
  size_t count = 0;
  vd_schema_walk all = {.schema = {schema}}, walk = all;
  while (vd_schema_next(&all))
    count++;
  *out = vd_arena_alloc(arena, (count + 1) * sizeof **out);
  for (count = 0; (row = vd_schema_next(&walk));) {
    bool first;
    entry e = {row, variants_of(schema, row, &first)};
    size_t at = first ? count++ : 0;
    for (; first && at > 0 && rank(schema, &(*out)[at - 1]) > rank(schema, &e); at--)
      (*out)[at] = (*out)[at - 1];
    if (first)
      (*out)[at] = e;
  }
  return count;
}

/* --- blocks --- */

static block *block_of(lister *l, const vd_schema *schema) {
  for (size_t i = 0; i < l->count; i++)
    if (l->block[i].schema->field == schema->field && l->block[i].schema->count == schema->count)
      return &l->block[i];
  return NULL;
}

/* Returns the name of a block: "row of the torque map" becomes ROW_OF_THE_TORQUE_MAP. A number follows if another block
 * has this name. */
static const char *name_of(lister *l, const vd_schema *schema) {
  vd_buf name = {0};
  size_t same = 0;
  for (const char *c = schema->name; *c; c++)
    vd_buf_printf(&name, "%c", isalnum((unsigned char)*c) ? toupper((unsigned char)*c) : '_');
  for (size_t i = 0; i < l->count; i++)
    same += l->block[i].name && strcmp(l->block[i].schema->name, schema->name) == 0;
  if (same > 0)
    vd_buf_printf(&name, "_%zu", same + 1);
  const char *text = vd_arena_copy(l->arena, name.text, name.length);
  vd_buf_finish(&name);
  return text;
}

static bool has_own_rows(const vd_field *row, const vd_schema *schema) {
  return row->sub && row->sub->field != schema->field; /* a mapping of these same rows is not listed again */
}

static void add_path(const char *prefix, const char *key, vd_buf *out) {
  vd_buf_printf(out, "%s%s%s", prefix, prefix[0] ? "." : "", key);
}

/* Finds all mappings below a schema, and counts the keys that lead to each. */
static void collect(lister *l, const vd_schema *schema, const char *prefix, const char *outer) {
  entry *e;
  size_t count = entries_of(schema, l->arena, &e);
  for (size_t i = 0; i < count; i++) {
    const vd_field *row = e[i].row;
    if (!has_own_rows(row, schema))
      continue;
    const char *unit = vd_schema_unit_below(row, outer);
    block *b = block_of(l, row->sub);
    vd_buf path = {0};
    add_path(prefix, row->key, &path);
    if (b && ++b->uses == 2)
      b->name = name_of(l, b->schema);
    if (b && strcmp(b->unit, unit) != 0)
      b->unit = "@";
    if (b && b->uses <= 3)
      vd_buf_printf(&b->users, ", %s", path.text);
    if (!b) {
      if (l->count == l->room) {
        block *more = vd_arena_alloc(l->arena, (2 * l->room + 32) * sizeof *more);
        if (l->count > 0)
          memcpy(more, l->block, l->count * sizeof *more);
        l->block = more;
        l->room = 2 * l->room + 32;
      }
      l->block[l->count] = (block){.schema = row->sub, .unit = unit, .uses = 1};
      vd_buf_puts(&l->block[l->count++].users, path.text);
      vd_buf_puts(&path, row->kind == VD_STRUCTS ? "[]" : "");
      collect(l, row->sub, path.text, unit);
    }
    vd_buf_finish(&path);
  }
}

/* --- lines --- */

static void list_type(const vd_field *row, const block *refer, vd_buf *out) {
  const vd_schema *sub = row->kind == VD_STRUCT ? row->sub : NULL;
  if (refer)
    vd_buf_printf(out, "%s%s", row->kind == VD_STRUCTS ? "list of " : "", refer->name);
  else
    vd_buf_puts(out, kind_name(row->kind));
  if (row->flags & VD_AUTO)
    vd_buf_puts(out, " or auto");
  if (row->flags & VD_FILE)
    vd_buf_puts(out, " or file");
  else if (sub && sub->shorthand)
    vd_buf_printf(out, " or %s", kind_name(vd_schema_row(sub, sub->shorthand, -1)->kind));
}

static void list_unit(const vd_field *row, const block *refer, const char *unit, vd_buf *out) {
  bool mapping = refer && strcmp(refer->unit, "@") == 0 && strcmp(unit, "1") != 0;
  if (!vd_schema_has_unit(row) && !mapping)
    return;
  vd_buf_printf(out, "%s%s", unit[0] == '@' ? "unit of the key" : unit, unit[0] == '@' ? unit + 1 : "");
}

static void list_when(const vd_schema *schema, unsigned only, vd_buf *out) {
  const vd_field *tag = vd_schema_tag_row(schema);
  const char *separator = "=";
  vd_buf_puts(out, tag && only ? schema->tag : "");
  for (int i = 0; tag && only && tag->choices[i]; i++) {
    if (!(only & VD_WHEN(i)))
      continue;
    vd_buf_printf(out, "%s%s", separator, tag->choices[i]);
    separator = "|";
  }
}

static void list_row(const entry *e, const char *path, const char *unit, const block *refer, const vd_schema *schema,
                     vd_buf *out) {
  const vd_field *row = e->row;
  vd_buf_printf(out, "%s\t", path);
  list_type(row, refer, out);
  vd_buf_puts(out, "\t");
  list_unit(row, refer, unit, out);
  vd_buf_puts(out, "\t");
  if (row->kind == VD_CHOICE)
    for (size_t i = 0; row->choices[i]; i++)
      vd_buf_printf(out, "%s%s", i ? "|" : "", row->choices[i]);
  else if (vd_schema_has_unit(row) || row->kind == VD_INTEGER)
    vd_schema_range(row, out);
  vd_buf_printf(out, "\t%s\t%s\t", row->def ? row->def : "required", row->help ? row->help : "");
  list_when(schema, e->only, out);
  vd_buf_puts(out, "\t");
  vd_schema_example(schema, row, unit, out);
  vd_buf_puts(out, "\n");
}

/* True if `path` is `key` or lies below it. */
static bool is_below(const char *path, const char *key) {
  size_t length = strlen(key);
  return strncmp(path, key, length) == 0 && (path[length] == '\0' || strchr(".[", path[length]));
}

static void list_mapping(lister *l, const vd_schema *schema, const char *prefix, const char *outer) {
  entry *e;
  size_t count = entries_of(schema, l->arena, &e);
  for (size_t i = 0; i < count; i++) {
    const vd_field *row = e[i].row;
    const char *unit = vd_schema_unit_below(row, outer);
    vd_buf path = {0};
    add_path(prefix, row->key, &path);
    bool inside = !l->asked || is_below(path.text, l->asked), leads = !inside && is_below(l->asked, path.text);
    block *b = has_own_rows(row, schema) && inside && !l->full ? block_of(l, row->sub) : NULL;
    if (b && (b->uses == 1 || (l->asked && strcmp(path.text, l->asked) == 0)))
      b = NULL;
    if (inside)
      list_row(&e[i], path.text, unit, b, schema, l->out);
    if (b)
      b->wanted = true;
    vd_buf_puts(&path, row->kind == VD_STRUCTS ? "[]" : "");
    if (has_own_rows(row, schema) && !b && (inside || leads))
      list_mapping(l, row->sub, path.text, unit);
    vd_buf_finish(&path);
  }
}

static void list_block(lister *l, block *b) {
  b->listed = true;
  if (!l->asked || strcmp(l->asked, b->name) == 0) {
    vd_buf_printf(l->out, "%s\tmapping\t\t\t\tkeys of %s", b->name, b->users.text);
    if (b->uses > 3)
      vd_buf_printf(l->out, " and %d more", b->uses - 3);
    vd_buf_puts(l->out, "\t\t\n");
  }
  list_mapping(l, b->schema, b->name, b->unit);
  l->asked = NULL;
}

/* Lists the blocks to which listed lines refer. The lines of a block may refer to further blocks, which are listed,
 * too. */
static void list_wanted(lister *l) {
  for (size_t i = 0; i < l->count;) {
    block *b = &l->block[i];
    bool now = b->wanted && !b->listed;
    if (now)
      list_block(l, b);
    i = now ? 0 : i + 1;
  }
}

bool vd_schema_list(const vd_schema *schema, const char *path, vd_buf *out) {
  lister l = {.arena = vd_arena_create(), .asked = path, .out = out};
  size_t before = out->length;
  collect(&l, schema, "", "1");
  list_mapping(&l, schema, "", "1");
  for (size_t i = 0; i < l.count && path && out->length == before; i++)
    if (l.block[i].uses > 1 && is_below(path, l.block[i].name))
      list_block(&l, &l.block[i]);
  l.asked = NULL;
  list_wanted(&l);
  for (size_t i = 0; i < l.count; i++)
    vd_buf_finish(&l.block[i].users);
  vd_arena_destroy(l.arena);
  return out->length > before;
}

void vd_schema_list_full(const vd_schema *schema, vd_buf *out) {
  lister l = {.arena = vd_arena_create(), .full = true, .out = out};
  list_mapping(&l, schema, "", "1");
  vd_arena_destroy(l.arena);
}
