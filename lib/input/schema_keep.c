/* Keeps data between readings of one source, as in the cases of a study: parsed files, and the object that was decoded
 * when the source was read first. Later readings decode only rows whose nodes differ from those of the first reading.
 *
 * Lists, which lie in memory of their own, are decoded in every reading, so that a later check can change them. */
#include "input/schema_impl.h"

#include "base/base.h"

#include <assert.h>
#include <string.h>

typedef struct kept_default {
  struct kept_default *next;
  const vd_field *row;
  const vd_node *node;
} kept_default;

typedef struct kept_object {
  struct kept_object *next;
  const vd_schema *schema;
  int source;
  const void *bytes;
  vd_kept *mapping;
} kept_object;

typedef struct keeper {
  vd_arena *arena; /* NULL: nothing more is kept */
  vd_schema_file *files;
  kept_default *defaults;
  kept_object *objects;
} keeper;

void vd_schema_keep(vd_diag *d, vd_arena *arena) {
  keeper *k = vd_diag_reader_state(d);
  if (!k && arena) {
    k = vd_arena_alloc(arena, sizeof *k);
    vd_diag_set_reader_state(d, k);
  }
  if (k)
    k->arena = arena;
}

/* --- files and defaults --- */

vd_schema_file *vd_schema_find_file(vd_schema_file *f, vd_file_id id) {
  while (f && !(id.inode != 0 && f->id.device == id.device && f->id.inode == id.inode))
    f = f->next;
  return f;
}

const vd_schema_file *vd_schema_kept_id(const vd_diag *d, vd_file_id id) {
  const keeper *k = vd_diag_reader_state(d);
  return k ? vd_schema_find_file(k->files, id) : NULL;
}

const vd_schema_file *vd_schema_kept_path(const vd_diag *d, const char *path) {
  const keeper *k = vd_diag_reader_state(d);
  const vd_schema_file *f = k ? k->files : NULL;
  while (f && !(f->id.inode != 0 && strcmp(vd_diag_source_name(d, f->source), path) == 0))
    f = f->next;
  return f;
}

vd_node *vd_schema_parse(vd_schema_reader *r, const vd_schema_file *f) {
  keeper *k = vd_diag_reader_state(r->diag);
  for (const vd_schema_file *had = k ? k->files : NULL; had; had = had->next)
    if (had->source == f->source)
      return vd_tree_copy(r->arena, had->root);
  vd_node *root = vd_tree_parse(k && k->arena ? k->arena : r->arena, r->diag, f->source);
  if (!root || !k || !k->arena)
    return root;
  vd_schema_file *keep = vd_arena_alloc(k->arena, sizeof *keep);
  *keep = (vd_schema_file){.next = k->files, .id = f->id, .source = f->source, .root = root};
  k->files = keep;
  return vd_tree_copy(r->arena, root);
}

vd_node *vd_schema_parse_default(vd_schema_reader *r, const vd_field *row) {
  keeper *k = vd_diag_reader_state(r->diag);
  for (const kept_default *had = k ? k->defaults : NULL; had; had = had->next)
    if (had->row == row)
      return vd_tree_copy(r->arena, had->node);
  vd_diag *own = vd_diag_create();
  int source = vd_diag_add_source(own, row->key, row->def, strlen(row->def));
  vd_node *node = vd_tree_parse(k && k->arena ? k->arena : r->arena, own, source);
  vd_diag_destroy(own);
  assert(node && "default of a row");
  if (!k || !k->arena)
    return node;
  kept_default *keep = vd_arena_alloc(k->arena, sizeof *keep);
  *keep = (kept_default){k->defaults, row, node};
  k->defaults = keep;
  return vd_tree_copy(r->arena, node);
}

/* --- objects --- */

/* Returns the number of items of a list; 0 for other kinds of rows. */
static size_t items_of(const vd_field *row, const void *at) {
  switch (row->kind) {
  case VD_LIST: return ((const vd_names *)at)->count;
  case VD_NUMBERS: return ((const vd_numbers *)at)->count;
  case VD_POINTS: return ((const vd_points *)at)->count;
  case VD_STRUCTS: return ((const vd_structs *)at)->count;
  case VD_NUMBER:
  case VD_INTEGER:
  case VD_FLAG:
  case VD_CHOICE:
  case VD_STRING:
  case VD_PATH:
  case VD_STRUCT:
  case VD_VECTOR:
  case VD_GROUP: break;
  }
  return 0;
}

/* True if the value of a row lies in memory of its own. */
static bool is_list(const vd_field *row) {
  return row->kind == VD_LIST || row->kind == VD_NUMBERS || row->kind == VD_POINTS || row->kind == VD_STRUCTS;
}

static bool same(const vd_node *a, const vd_node *b) {
  const char *const text[][2] = {{a->key, b->key}, {a->text, b->text}};
  for (size_t i = 0; i < VD_COUNT(text); i++)
    if (text[i][0] != text[i][1] && !(text[i][0] && text[i][1] && strcmp(text[i][0], text[i][1]) == 0))
      return false;
  if (a->kind != b->kind || a->quoted != b->quoted || memcmp(&a->place, &b->place, sizeof a->place) != 0)
    return false;
  const vd_node *x = a->child, *y = b->child;
  while (x && y && same(x, y)) {
    x = x->next;
    y = y->next;
  }
  return !x && !y;
}

static size_t size_of(const vd_field *row) {
  switch (row->kind) {
  case VD_NUMBER: return sizeof(double);
  case VD_INTEGER:
  case VD_CHOICE: return sizeof(int);
  case VD_FLAG: return sizeof(bool);
  case VD_STRING:
  case VD_PATH: return sizeof(const char *);
  case VD_STRUCT: return row->sub->size;
  case VD_LIST: return sizeof(vd_names);
  case VD_NUMBERS: return sizeof(vd_numbers);
  case VD_POINTS: return sizeof(vd_points);
  case VD_STRUCTS: return sizeof(vd_structs);
  case VD_VECTOR: return 3 * sizeof(double);
  case VD_GROUP: break;
  }
  return 0;
}

/* True if two rows that apply for a tag share bytes, as mappings do whose keys are members of the outer struct. *count:
 * number of rows that apply. */
static bool share_bytes(const vd_schema *schema, int tag, size_t *count) {
  const vd_field *a, *b;
  bool share = false;
  *count = 0;
  for (vd_schema_walk one = {.schema = {schema}}; (a = vd_schema_next(&one));) {
    if (!vd_schema_applies(a, tag))
      continue;
    ++*count;
    for (vd_schema_walk other = one; (b = vd_schema_next(&other));)
      share |= vd_schema_applies(b, tag) && a->offset < b->offset + size_of(b) && b->offset < a->offset + size_of(a);
  }
  return share;
}

vd_kept *vd_schema_keep_rows(const vd_schema_reader *r, const vd_schema *schema, int tag, vd_kept *out) {
  const keeper *k = vd_diag_reader_state(r->diag);
  size_t count;
  if (share_bytes(schema, tag, &count))
    return NULL;
  *out = (vd_kept){tag, true, vd_arena_alloc(k->arena, (count + 1) * sizeof *out->row)};
  return out;
}

void vd_schema_keep_row(const vd_schema_reader *r, const vd_field *row, const vd_node *mapping, vd_kept_row *out) {
  const keeper *k = vd_diag_reader_state(r->diag);
  const vd_node *node = vd_tree_get(mapping, row->key);
  out->node = node && !is_list(row) ? vd_tree_copy(k->arena, node) : NULL;
  out->inner = row->kind == VD_STRUCT ? vd_arena_alloc(k->arena, sizeof *out->inner) : NULL;
}

void vd_schema_kept_row(const vd_field *row, const void *at, const vd_kept_row *kept, vd_kept *out) {
  out->whole &= items_of(row, at) == 0 && (!kept->inner || kept->inner->whole);
}

bool vd_schema_is_kept(const vd_field *row, const vd_node *mapping, const vd_kept_row *kept) {
  if (is_list(row) || (kept->inner && !kept->inner->whole))
    return false;
  const vd_node *node = vd_tree_get(mapping, row->key);
  return node && kept->node ? same(node, kept->node) : !node && !kept->node;
}

const void *vd_schema_kept(vd_schema_reader *r, const vd_schema *schema, int source) {
  keeper *k = vd_diag_reader_state(r->diag);
  const kept_object *had = k && !k->arena ? k->objects : NULL;
  while (had && !(had->source == source && had->schema == schema))
    had = had->next;
  r->keeps = k && k->arena;
  r->kept = r->keeps ? vd_arena_alloc(k->arena, sizeof *r->kept) : had ? had->mapping : NULL;
  return had ? had->bytes : NULL;
}

void vd_schema_keep_object(const vd_schema_reader *r, const vd_schema *schema, int source, vd_kept *mapping,
                           const void *object) {
  keeper *k = vd_diag_reader_state(r->diag);
  kept_object *keep = vd_arena_alloc(k->arena, sizeof *keep);
  void *bytes = vd_arena_alloc(k->arena, schema->size);
  memcpy(bytes, object, schema->size);
  *keep = (kept_object){k->objects, schema, source, bytes, mapping};
  k->objects = keep;
}
