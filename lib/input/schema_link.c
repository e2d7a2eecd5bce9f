/* Files, bases and settings: several texts become one tree. */
#include "base/memory.h"
#include "base/num.h"
#include "input/file.h"
#include "input/schema_impl.h"

#include "base/base.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  FILE_MAX = 64 << 20,  /* bytes of one file */
  FILE_DEPTH = 16,      /* files that refer to files */
  REFERENCES_MAX = 1000 /* references followed in all: files of files multiply */
};

/* The files being linked, innermost first. */
typedef struct chain {
  const struct chain *outer;
  const vd_schema_file *file;
} chain;

static void break_node(vd_node *node) {
  node->kind = VD_NODE_SCALAR;
  node->text = NULL;
  node->child = NULL;
}

/* --- reading files --- */

static vd_schema_file *add_file(vd_schema_reader *r, int source, const vd_file *from) {
  vd_schema_file *f = vd_arena_alloc(r->arena, sizeof *f);
  *f = (vd_schema_file){
      .next = r->files, .source = source, .folder = vd_file_folder(r->arena, vd_diag_source_name(r->diag, source))};
  if (from && from->regular) { /* a pipe can be read once only, and has no identity */
    f->id = from->id;
    f->known = true;
  }
  r->files = f;
  return f;
}

static vd_schema_file *known_file(const vd_schema_reader *r, const vd_file *file) {
  for (vd_schema_file *f = r->files; f && file->regular; f = f->next)
    if (f->known && f->id.device == file->id.device && f->id.inode == file->id.inode)
      return f;
  return NULL;
}

/* --- files that are kept --- */

typedef struct kept_file {
  struct kept_file *next;
  vd_file_id id;
  bool known; /* id is set */
  int source;
  const vd_node *root;
} kept_file;

typedef struct kept_default {
  struct kept_default *next;
  const vd_field *row;
  const vd_node *node;
} kept_default;

typedef struct keeper {
  vd_arena *arena; /* NULL: no more are kept */
  kept_file *first;
  kept_default *defaults;
} keeper;

void vd_schema_keep(vd_diag *d, vd_arena *arena) {
  keeper *k = vd_diag_kept(d);
  if (!k && arena) {
    k = vd_arena_alloc(arena, sizeof *k);
    vd_diag_set_kept(d, k);
  }
  if (k)
    k->arena = arena;
}

static const kept_file *find_kept(const vd_schema_reader *r, const vd_file *file, int source) {
  const keeper *k = vd_diag_kept(r->diag);
  const kept_file *f = k ? k->first : NULL;
  while (f &&
         !(file ? f->known && f->id.device == file->id.device && f->id.inode == file->id.inode : f->source == source))
    f = f->next;
  return f;
}

/* The tree of a source, parsed now or before. */
static vd_node *parse(vd_schema_reader *r, const vd_schema_file *f) {
  keeper *k = vd_diag_kept(r->diag);
  const kept_file *had = find_kept(r, NULL, f->source);
  if (had)
    return vd_tree_copy(r->arena, had->root);
  vd_node *root = vd_tree_parse(k && k->arena ? k->arena : r->arena, r->diag, f->source);
  if (!root || !k || !k->arena)
    return root;
  kept_file *keep = vd_arena_alloc(k->arena, sizeof *keep);
  *keep = (kept_file){.next = k->first, .id = f->id, .known = f->known, .source = f->source, .root = root};
  k->first = keep;
  return vd_tree_copy(r->arena, root);
}

vd_node *vd_schema_parse_default(vd_schema_reader *r, const vd_field *row) {
  keeper *k = vd_diag_kept(r->diag);
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

/* Reads an open file as a source; an errno. */
static int read_source(vd_diag *d, vd_file *file, const char *name, int *source) {
  vd_buf text = {0};
  int error = vd_file_read(file, FILE_MAX, &text);
  if (error == 0)
    *source = vd_diag_add_source(d, name, text.text ? text.text : "", text.length);
  vd_buf_finish(&text);
  return error;
}

/* The file, read and parsed once, and closed; NULL after an errno in *error. */
static vd_schema_file *load(vd_schema_reader *r, vd_file *file, const char *name, int *error) {
  int source;
  vd_schema_file *f = known_file(r, file);
  const kept_file *had = f || !file->regular ? NULL : find_kept(r, file, -1);
  *error = 0;
  if (f || had)
    vd_file_close(file);
  else
    *error = read_source(r->diag, file, name, &source);
  if (!f && *error == 0) {
    f = add_file(r, had ? had->source : source, file);
    f->root = parse(r, f);
  }
  return f;
}

static const char *why(int error) {
  return error == EFBIG ? "larger than 64 MiB" : vd_file_why(error);
}

/* "-" is standard input. */
static const char *name_of(const char *path) {
  return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

vd_setting vd_setting_of_number(vd_arena *arena, const char *key, double value) {
  char number[VD_NUM_MAX];
  vd_buf b = {0};
  vd_num_print_shortest(value, number);
  vd_buf_printf(&b, "%s=%s", key, number);
  const char *text = vd_arena_copy(arena, b.text, b.length);
  vd_buf_finish(&b);
  return (vd_setting){.text = text};
}

bool vd_schema_slurp(const char *path, vd_diag *d, int *source) {
  vd_file file;
  const char *verb = "open";
  int error = vd_file_open(path, VD_FILE_ANY, d, &file);
  if (error == 0) {
    verb = "read";
    error = read_source(d, &file, name_of(path), source);
  }
  if (error != 0) {
    *source = vd_diag_add_source(d, name_of(path), "", 0);
    vd_error(d, (vd_place){.source = *source}, "cannot %s: %s", verb, why(error));
  }
  return error == 0;
}

vd_schema_file *vd_schema_open(vd_schema_reader *r, const char *path) {
  vd_file file;
  vd_schema_file *f = NULL;
  const char *verb = "open";
  int error = vd_file_open(path, VD_FILE_ANY, r->diag, &file);
  if (error == 0) {
    verb = "read";
    f = load(r, &file, name_of(path), &error);
  }
  if (!f) {
    int source = vd_diag_add_source(r->diag, name_of(path), "", 0);
    vd_error(r->diag, (vd_place){.source = source}, "cannot %s: %s", verb, why(error));
  }
  return f;
}

vd_schema_file *vd_schema_open_source(vd_schema_reader *r, int source) {
  struct stat status;
  bool exists = stat(vd_diag_source_name(r->diag, source), &status) == 0;
  vd_schema_file *f = add_file(r, source, NULL);
  if (exists) {
    f->id = (vd_file_id){(unsigned long long)status.st_dev, (unsigned long long)status.st_ino};
    f->known = true;
  }
  f->root = parse(r, f);
  return f;
}

const char *vd_schema_path(vd_schema_reader *r, vd_place at, const char *name) {
  const char *folder = ""; /* of settings and defaults */
  for (const vd_schema_file *f = r->files; f; f = f->next)
    if (f->source == at.source)
      folder = f->folder;
  const char *written = name;
  while (strncmp(name, "./", 2) == 0 && name[2] != '\0' && name[2] != '/' && strcmp(name, "./-") != 0)
    name += 2;
  if (name[0] == '/' || name[0] == '\0')
    folder = "";
  size_t a = strlen(folder), b = strlen(name);
  char *path = vd_arena_alloc(r->arena, a + b + 1);
  memcpy(path, folder, a);
  memcpy(path + a, name, b);
  const char *shipped = access(path, F_OK) == 0 ? NULL : vd_file_in_data(r->arena, written);
  return shipped ? shipped : path;
}

/* --- references --- */

/* Prints the files from `first` inwards, outermost first; `c` is the innermost. */
static void print_chain(const vd_schema_reader *r, const chain *c, const vd_schema_file *first, vd_buf *out) {
  if (c->file != first)
    print_chain(r, c->outer, first, out);
  vd_buf_printf(out, "%s -> ", vd_diag_source_name(r->diag, c->file->source));
}

static bool check_chain(vd_schema_reader *r, const chain *in, const vd_schema_file *f, vd_place at) {
  int depth = 1;
  for (const chain *c = in; c; c = c->outer, depth++) {
    if (c->file != f)
      continue;
    vd_buf text = {0};
    print_chain(r, in, f, &text);
    vd_error(r->diag, at, "cyclic reference: %s%s", text.text, vd_diag_source_name(r->diag, f->source));
    vd_buf_finish(&text);
    return false;
  }
  if (depth > FILE_DEPTH)
    vd_error(r->diag, at, "files refer to files more than %d deep", (int)FILE_DEPTH);
  return depth <= FILE_DEPTH;
}

/* The file that a scalar names, NULL after errors. */
static vd_schema_file *follow(vd_schema_reader *r, const vd_node *node, const chain *in) {
  if (r->references++ >= REFERENCES_MAX) {
    vd_error(r->diag, node->place, "more than %d references to files", (int)REFERENCES_MAX);
    return NULL;
  }
  if (strcmp(node->text, "-") == 0) {
    vd_error(r->diag, node->place, "standard input cannot be referred to");
    return NULL;
  }
  const char *path = vd_schema_path(r, node->place, node->text);
  vd_file file;
  vd_schema_file *f = NULL;
  const char *verb = "open";
  int error = vd_file_open(path, VD_FILE_REGULAR, r->diag, &file);
  if (error == 0) {
    verb = "read";
    f = load(r, &file, path, &error);
  }
  if (!f)
    vd_error(r->diag, node->place, "cannot %s '%s': %s", verb, path, why(error));
  if (!f || !f->root || !check_chain(r, in, f, node->place))
    return NULL;
  if (f->root->kind != VD_NODE_MAPPING) {
    vd_error(r->diag, f->root->place, "a file that is referred to needs a mapping, not a %s",
             f->root->kind == VD_NODE_SEQUENCE ? "sequence" : "scalar");
    return NULL;
  }
  return f;
}

static void link_mapping(vd_schema_reader *r, const vd_schema *schema, vd_node *node, bool file, const chain *in);

/* Takes the key out of the mapping. */
static vd_node *take(vd_node *mapping, const char *key) {
  for (vd_node **c = &mapping->child; *c; c = &(*c)->next) {
    if (strcmp((*c)->key, key) != 0)
      continue;
    vd_node *found = *c;
    *c = found->next;
    found->next = NULL;
    return found;
  }
  return NULL;
}

static void append(vd_node *mapping, vd_node *child) {
  vd_node **end = &mapping->child;
  while (*end)
    end = &(*end)->next;
  *end = child;
}

static void expand_base(vd_schema_reader *r, const vd_schema *schema, vd_node *node, const chain *in);

/* The tag value that a mapping has when it does not write one; NULL: none. */
static const char *default_variant(const vd_schema *schema) {
  const vd_field *row = vd_schema_tag_row(schema);
  return row ? row->def : NULL;
}

/* A mapping that writes another tag value than the one below has is another thing: their keys do not mix. */
static bool same_variant(const vd_schema *schema, const vd_node *top, const vd_node *below) {
  const vd_node *x = schema->tag ? vd_tree_get(top, schema->tag) : NULL;
  const vd_node *y = schema->tag ? vd_tree_get(below, schema->tag) : NULL;
  if (!x || !x->text || (y && !y->text))
    return true;
  const char *before = y ? y->text : default_variant(schema);
  return !before || strcmp(x->text, before) == 0;
}

/* Lays the children of `over` over those of `under`, which becomes the children of `over`. The
 * order is that of `under`, with new keys at the end. */
static void merge(vd_schema_reader *r, const vd_schema *schema, vd_node *under, vd_node *over, const chain *in) {
  int tag = vd_schema_tag(schema, over);
  vd_node *next;
  for (vd_node *top = over->child; top; top = next) {
    next = top->next;
    top->next = NULL;
    const vd_field *row = vd_schema_row(schema, top->key, tag);
    vd_node *below = vd_tree_get(under, top->key);
    if (!below) {
      append(under, top);
      continue;
    }
    bool both = row && row->kind == VD_STRUCT && top->kind == VD_NODE_MAPPING && below->kind == VD_NODE_MAPPING;
    if (both && (row->flags & VD_FILE)) /* first: the base may say which variant it is */
      expand_base(r, row->sub, top, in);
    if (both && same_variant(row->sub, top, below))
      merge(r, row->sub, below, top, in);
    top->next = below->next;
    *below = *top;
  }
  over->child = under->child;
}

/* Of mappings that stand in a base, messages about what they lack point to the mapping laid over it. */
static void inherit(vd_node *node, int base, vd_place heir) {
  if (node->place.source == base || node->heir.source == base)
    node->heir = heir;
  for (vd_node *c = node->child; c; c = c->next)
    inherit(c, base, heir);
}

/* Lays the mapping over what its key `base` names. */
static void expand_base(vd_schema_reader *r, const vd_schema *schema, vd_node *node, const chain *in) {
  vd_node *base = vd_tree_get(node, "base");
  if (!base || vd_node_broken(base) || vd_schema_row(schema, "base", -1))
    return;
  if (base->kind != VD_NODE_SCALAR) {
    vd_error(r->diag, vd_node_place(base), "'base' needs a file name, not a %s",
             base->kind == VD_NODE_SEQUENCE ? "sequence" : "mapping");
    break_node(base);
    return;
  }
  vd_schema_file *f = follow(r, base, in);
  if (!f) {
    break_node(base);
    return;
  }
  take(node, "base");
  vd_node *under = vd_tree_copy(r->arena, f->root);
  link_mapping(r, schema, under, true, &(chain){in, f});
  inherit(under, f->source, vd_node_place(node));
  merge(r, schema, under, node, in);
}

/* Replaces a scalar by the mapping of the file that it names. */
static void expand_file(vd_schema_reader *r, const vd_schema *schema, vd_node *node, const chain *in) {
  vd_schema_file *f = follow(r, node, in);
  if (!f) {
    break_node(node);
    return;
  }
  vd_node *root = vd_tree_copy(r->arena, f->root);
  link_mapping(r, schema, root, true, &(chain){in, f});
  node->kind = root->kind;
  node->place = root->place;
  node->child = root->child;
  node->text = NULL;
}

/* Makes a list of one of a node that stands for its only item. The item keeps the key, to which
 * messages about it point. */
static void make_list(vd_schema_reader *r, vd_node *node) {
  vd_node *item = vd_arena_alloc(r->arena, sizeof *item);
  *item = *node;
  item->next = NULL;
  node->kind = VD_NODE_SEQUENCE;
  node->text = NULL;
  node->child = item;
}

static void link_value(vd_schema_reader *r, const vd_field *row, vd_node *node, const chain *in);

/* Links what stands for a mapping by `sub`, be it in full, in a file or in short. */
static void link_struct(vd_schema_reader *r, const vd_schema *sub, vd_node *node, bool file, const chain *in) {
  if (node->kind == VD_NODE_MAPPING)
    link_mapping(r, sub, node, file, in);
  else if (file && node->kind == VD_NODE_SCALAR && node->text && node->text[0] != '\0')
    expand_file(r, sub, node, in);
  else if (node->kind == VD_NODE_SEQUENCE && vd_schema_shorthand(sub, node))
    link_value(r, vd_schema_row(sub, sub->shorthand, -1), node, in);
}

static void link_value(vd_schema_reader *r, const vd_field *row, vd_node *node, const chain *in) {
  bool file = (row->flags & VD_FILE) != 0;
  if (row->kind == VD_STRUCT)
    link_struct(r, row->sub, node, file, in);
  if (row->kind != VD_STRUCTS)
    return;
  bool name = file && node->kind == VD_NODE_SCALAR && node->text && node->text[0] != '\0';
  if (node->kind == VD_NODE_MAPPING || name) /* so that paths may count on the index */
    make_list(r, node);
  for (vd_node *c = node->child; c; c = c->next)
    link_struct(r, row->sub, c, file, in);
}

static void link_mapping(vd_schema_reader *r, const vd_schema *schema, vd_node *node, bool file, const chain *in) {
  if (file)
    expand_base(r, schema, node, in);
  int tag = vd_schema_tag(schema, node);
  for (vd_node *c = node->child; c; c = c->next) {
    const vd_field *row = vd_schema_row(schema, c->key, tag);
    if (row)
      link_value(r, row, c, in);
  }
}

void vd_schema_link(vd_schema_reader *r, const vd_schema *schema, vd_node *root, const vd_schema_file *file) {
  chain c = {.file = file};
  if (root->kind == VD_NODE_MAPPING)
    link_mapping(r, schema, root, true, file ? &c : NULL);
}

/* --- settings --- */

/* A number or a word, perhaps with a unit: what YAML would make a plain scalar of. Starting libyaml would take longer
 * than reading it. */
static bool is_plain(const char *text) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+/^";
  size_t length = strlen(text);
  bool good = length > 0 && (isalnum((unsigned char)text[0]) || text[0] == '-') && text[length - 1] != ' ';
  good = good && !(text[0] == '-' && (length < 2 || !isdigit((unsigned char)text[1])));
  for (size_t i = 1; good && i < length; i++)
    good = strchr(plain, text[i]) || text[i] == ' ' || text[i] == '-';
  return good;
}

/* The value of KEY=VALUE; the empty value is the empty text, as `--set name=` is meant. */
static vd_node *read_value(vd_schema_reader *r, int source, const char *text) {
  if (is_plain(text)) {
    vd_node *node = vd_arena_alloc(r->arena, sizeof *node);
    node->place = vd_diag_place(r->diag, source, 0, strlen(text));
    node->text = vd_arena_copy(r->arena, text, strlen(text));
    return node;
  }
  if (text[strspn(text, " \t\r\n")] != '\0')
    return vd_tree_parse(r->arena, r->diag, source);
  vd_node *node = vd_arena_alloc(r->arena, sizeof *node);
  node->place = (vd_place){.source = source, .line = 1, .column = 1, .length = 1};
  node->text = "";
  node->quoted = true;
  return node;
}

/* "a,b" as the sequence of both. */
static vd_node *split_value(vd_schema_reader *r, int source, const char *text) {
  vd_node *list = vd_arena_alloc(r->arena, sizeof *list), **end = &list->child;
  *list = (vd_node){.kind = VD_NODE_SEQUENCE, .place = vd_diag_place(r->diag, source, 0, strlen(text))};
  for (const char *p = text; p; p = p[0] == ',' ? p + 1 : NULL) {
    size_t length = strcspn(p, ",");
    vd_node *item = *end = vd_arena_alloc(r->arena, sizeof *item);
    *item = (vd_node){.kind = VD_NODE_SCALAR,
                      .text = vd_arena_copy(r->arena, p, length),
                      .quoted = true,
                      .place = vd_diag_place(r->diag, source, (size_t)(p - text), length)};
    end = &item->next;
    p += length;
  }
  return list;
}

/* Turns a scalar that stands for a shorthand into the mapping it means. */
static void expand_shorthand(vd_schema_reader *r, const vd_schema *schema, vd_node *node) {
  vd_node *child = vd_arena_alloc(r->arena, sizeof *child);
  *child = *node;
  child->next = NULL;
  child->key = schema->shorthand;
  child->key_place = node->place;
  node->kind = VD_NODE_MAPPING;
  node->text = NULL;
  node->child = child;
}

/* The child with this key, made if need be: a setting may be the first to speak of it. */
static vd_node *make_child(vd_schema_reader *r, vd_node *mapping, const char *key, vd_place at) {
  vd_node *child = vd_tree_get(mapping, key);
  if (child)
    return child;
  child = vd_arena_alloc(r->arena, sizeof *child);
  *child = (vd_node){.kind = VD_NODE_MAPPING, .place = at, .key_place = at, .key = key};
  append(mapping, child);
  return child;
}

/* A key without a value yet, to which a setting may give one. */
static bool is_unset(const vd_node *node) {
  return node->kind == VD_NODE_SCALAR && !node->quoted && node->text[0] == '\0';
}

/* How far a setting has come on its path: a node, and what the tables know of it. */
typedef struct walk {
  vd_schema_reader *r;
  const char *path; /* all of it */
  const char *rest; /* what is still to go, from the part that is next */
  size_t length;    /* of that part */
  vd_place at;
  vd_node *node;
  const vd_schema *schema; /* of a mapping, NULL: unknown */
  const vd_field *list;    /* the row of a list, NULL: none */
} walk;

/* The part of the path before the next one, as %.*s. */
static int so_far(const walk *w) {
  return w->rest == w->path ? 0 : (int)(w->rest - w->path - 1);
}

/* Goes to an item of the list that the walk has come to. */
static bool enter_item(walk *w) {
  size_t index, count = 0;
  if (!vd_tree_index(w->rest, w->length, &index)) {
    vd_error(w->r->diag, w->at, "'%.*s' is a list; '%.*s' is no index, which counts from 0", so_far(w), w->path,
             (int)w->length, w->rest);
    return false;
  }
  vd_node *item = vd_tree_item(w->node, index);
  if (!item) {
    for (const vd_node *c = w->node->child; c; c = c->next)
      count++;
    vd_error(w->r->diag, w->at, "'%.*s' has %zu item%s, counted from 0; there is no item %zu", so_far(w), w->path,
             count, count == 1 ? "" : "s", index);
    return false;
  }
  w->schema = w->list && w->list->kind == VD_STRUCTS ? w->list->sub : NULL;
  w->list = NULL;
  w->node = item;
  return true;
}

/* Goes to a key of the mapping that the walk has come to, made if need be. */
static bool enter_key(walk *w) {
  const char *key = vd_arena_copy(w->r->arena, w->rest, w->length);
  const vd_field *row = w->schema ? vd_schema_row(w->schema, key, vd_schema_tag(w->schema, w->node)) : NULL;
  const vd_node *child = vd_tree_get(w->node, key);
  bool list = row && vd_schema_is_list(row), last = w->rest[w->length] == '\0';
  if (list && !last && (!child || (!vd_node_broken(child) && is_unset(child)))) {
    vd_error(w->r->diag, w->at, "'%.*s' is not given; only a list that is can be set by index",
             (int)(w->rest - w->path) + (int)w->length, w->path);
    return false;
  }
  w->schema = row && row->kind == VD_STRUCT ? row->sub : NULL;
  w->list = list ? row : NULL;
  w->node = make_child(w->r, w->node, key, w->at);
  return true;
}

/* Writes in full what was written in short, as far as the next part of the path needs it. */
static void expand_short(walk *w) {
  vd_node *n = w->node;
  size_t index;
  bool counts = vd_tree_index(w->rest, w->length, &index);
  if (is_unset(n))
    n->kind = VD_NODE_MAPPING;
  if (n->kind == VD_NODE_SCALAR && w->list && w->list->kind != VD_POINTS && w->list->kind != VD_VECTOR)
    make_list(w->r, n);
  if (n->kind == VD_NODE_MAPPING || !w->schema || !vd_schema_shorthand(w->schema, n))
    return;
  if (n->kind == VD_NODE_SEQUENCE && counts) { /* the short form is a list: its items are meant */
    w->list = vd_schema_row(w->schema, w->schema->shorthand, -1);
    w->schema = NULL;
  } else {
    expand_shorthand(w->r, w->schema, n);
  }
}

/* One part of the path; false if it leads nowhere, which is reported. */
static bool enter(walk *w) {
  if (vd_node_broken(w->node))
    return false;
  expand_short(w);
  if (w->node->kind == VD_NODE_MAPPING)
    return enter_key(w);
  if (w->node->kind == VD_NODE_SEQUENCE && !w->schema)
    return enter_item(w);
  vd_error(w->r->diag, w->at, "'%.*s' is no mapping; '%s' cannot be set in it", so_far(w), w->path, w->rest);
  return false;
}

static void set_at(vd_schema_reader *r, const vd_schema *schema, vd_node *root, const char *path,
                   const vd_node *value) {
  walk w = {.r = r, .path = path, .rest = path, .at = value->place, .node = root, .schema = schema};
  for (bool more = true; more; w.rest += w.length + more) {
    w.length = strcspn(w.rest, ".");
    if (!enter(&w))
      return;
    more = w.rest[w.length] != '\0';
  }
  vd_node *next = w.node->next;
  const char *key = w.node->key;
  *w.node = *value;
  w.node->next = next;
  w.node->key = key;
  w.node->key_place = value->place;
}

static bool good_path(const char *path) {
  size_t length = strlen(path);
  return length > 0 && path[0] != '.' && path[length - 1] != '.' && !strstr(path, "..");
}

void vd_schema_set(vd_schema_reader *r, const vd_schema *schema, vd_node *root, const vd_setting *setting) {
  const char *equals = strchr(setting->text, '=');
  size_t length = equals ? (size_t)(equals - setting->text) : strlen(setting->text);
  const char *path = vd_arena_copy(r->arena, setting->text, length);
  const char *text = equals ? equals + 1 : "";

  vd_buf name = {0};
  if (setting->option)
    vd_buf_puts(&name, setting->option);
  else
    vd_buf_printf(&name, "--set %s", equals && length == 0 ? setting->text : path);
  int source = vd_diag_add_source(r->diag, name.text, text, strlen(text));
  vd_buf_finish(&name);
  vd_place whole = {.source = source};
  if (setting->folder) { /* as if it stood in a file there */
    vd_schema_file *f = vd_arena_alloc(r->arena, sizeof *f);
    *f = (vd_schema_file){.next = r->files, .source = source, .folder = setting->folder};
    r->files = f;
  }
  if (!equals) {
    vd_error(r->diag, whole, "missing '='; the form is KEY=VALUE");
  } else if (!good_path(path)) {
    vd_error(r->diag, whole, "empty key; the form is KEY=VALUE");
  } else {
    vd_node *value = setting->list ? split_value(r, source, text) : read_value(r, source, text);
    if (!value) { /* reported; a missing key must not be reported as well */
      value = vd_arena_alloc(r->arena, sizeof *value);
      value->place = (vd_place){.source = source, .line = 1, .column = 1, .length = 1};
    }
    set_at(r, schema, root, path, value);
    vd_schema_link(r, schema, root, NULL);
  }
}

/* --- numbers by their path --- */

/* How far a path to a number has come: as `walk`, but it changes nothing and what is not written has its default. */
typedef struct search {
  const char *path, *rest;
  size_t length; /* of the part that is next */
  vd_place at;
  vd_diag *diag;
  const vd_schema *schema; /* of a mapping, NULL: there is none */
  const vd_field *row;     /* that the last part named */
  const char *unit;
  const vd_node *node; /* NULL: not written */
  bool item;           /* a number of a list */
} search;

static bool no_number(const search *w, const char *why) {
  vd_error(w->diag, w->at, "'%s' leads to no number: '%.*s' %s", w->path, (int)(w->rest - w->path) + (int)w->length,
           w->path, why);
  return false;
}

static bool find_item(search *w) {
  size_t index;
  bool numbers = w->row->kind == VD_NUMBERS || w->row->kind == VD_VECTOR;
  w->node = vd_tree_index(w->rest, w->length, &index) ? vd_tree_item(w->node, index) : NULL;
  if (!w->node || !(numbers || w->row->kind == VD_STRUCTS))
    return no_number(w, "is no item of a list that is given");
  w->item = numbers;
  w->schema = numbers ? NULL : w->row->sub;
  w->row = numbers ? w->row : NULL;
  return true;
}

static bool find_key(search *w) {
  char key[128];
  int tag = vd_schema_tag(w->schema, w->node);
  memcpy(key, w->rest, w->length);
  key[w->length] = '\0';
  w->row = vd_schema_row(w->schema, key, tag);
  if (!w->row) {
    const char *names[VD_SCHEMA_KEYS];
    size_t count = vd_schema_keys(w->schema, tag, names);
    const char *near = vd_suggest(key, names, count);
    vd_error(w->diag, w->at, "'%s' leads to no number: unknown key '%s' in %s%s%s%s", w->path, key, w->schema->name,
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return false;
  }
  if (!vd_schema_applies(w->row, tag))
    return no_number(w, "does not apply to this variant");
  w->unit = vd_schema_unit(w->row, w->unit);
  w->node = vd_tree_get(w->node, key);
  w->schema = w->row->kind == VD_STRUCT ? w->row->sub : NULL;
  return true;
}

bool vd_schema_find_number(const vd_schema *schema, const vd_node *root, const char *path, vd_place at, vd_diag *d,
                           vd_number_row *out) {
  search w = {.path = path, .rest = path, .at = at, .diag = d, .schema = schema, .unit = "1", .node = root};
  if (!good_path(path)) {
    vd_error(d, at, "'%s' is no key", path);
    return false;
  }
  for (bool more = true; more; w.rest += w.length + more) {
    w.length = strcspn(w.rest, ".");
    more = w.rest[w.length] != '\0';
    if (w.item || (!w.schema && !(w.row && vd_schema_is_list(w.row))) || w.length >= 128)
      return no_number(&w, "does not exist");
    if (!(w.schema ? find_key(&w) : find_item(&w)))
      return false;
  }
  if (w.row && w.schema && w.schema->shorthand && (!w.node || w.node->kind != VD_NODE_MAPPING)) {
    w.row = vd_schema_row(w.schema, w.schema->shorthand, -1);
    w.unit = vd_schema_unit(w.row, w.unit);
  }
  if (!w.row || !(w.item || w.row->kind == VD_NUMBER)) {
    vd_error(d, at, "'%s' is %s", path,
             !w.row || w.schema                                      ? "a mapping; a number in it is needed"
             : w.row->kind == VD_NUMBERS || w.row->kind == VD_VECTOR ? "a list; a number in it is needed, by its index"
                                                                     : "no number");
    return false;
  }
  *out = (vd_number_row){w.row, w.unit};
  return true;
}
