/* Replaces file references and bases by the contents of their files, so that several files become one tree. */
#include "base/memory.h"
#include "input/file.h"
#include "input/schema_impl.h"

#include "base/base.h"
#include "base/system.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
  FILE_MAX = 64 << 20,  /* bytes of one file */
  FILE_DEPTH = 16,      /* greatest depth of files that refer to files */
  REFERENCES_MAX = 1000 /* greatest number of references followed in all, because files that refer to files multiply */
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

static vd_schema_file *add_file(vd_schema_reader *r, int source, vd_file_id id) {
  vd_schema_file *f = vd_arena_alloc(r->arena, sizeof *f);
  const char *folder = vd_file_folder(r->arena, vd_diag_source_name(r->diag, source));
  *f = (vd_schema_file){.next = r->files, .id = id, .source = source, .folder = folder};
  r->files = f;
  return f;
}

/* Reads an open file as a source. Returns 0 or an errno. */
static int read_source(vd_diag *d, vd_file *file, const char *name, int *source) {
  vd_buf text = {0};
  int error = vd_file_read(file, FILE_MAX, &text);
  if (error == 0)
    *source = vd_diag_add_bytes(d, name, text.text ? text.text : "", text.length);
  if (error == 0 && *source < 0)
    error = EILSEQ;
  vd_buf_finish(&text);
  return error;
}

/* Returns the file, which is read and parsed only once. NULL after a failure; then *error is an errno and *verb names
 * the action that failed. A file that is kept under this name is not opened again. */
static vd_schema_file *load(vd_schema_reader *r, const char *path, const char **verb, int *error) {
  vd_file file;
  const vd_schema_file *kept = vd_schema_kept_path(r->diag, path);
  vd_file_id id = kept ? kept->id : (vd_file_id){0, 0};
  *verb = "open";
  *error = 0;
  if (!kept) {
    *error = vd_file_open(path, VD_FILE_REGULAR, r->diag, &file);
    if (*error != 0)
      return NULL;
    id = file.id;
  }
  vd_schema_file *f = vd_schema_find_file(r->files, id);
  bool opened = !kept;
  kept = f || kept ? kept : vd_schema_kept_id(r->diag, id);
  int source = kept ? kept->source : -1;
  *verb = "read";
  if (opened && (f || kept))
    vd_file_close(&file);
  else if (opened)
    *error = read_source(r->diag, &file, path, &source);
  if (!f && *error == 0) {
    f = add_file(r, source, id);
    f->root = vd_schema_parse(r, f);
  }
  return f;
}

/* Reports that a file, by its name as it is written, cannot be opened or read. */
static void complain(vd_diag *d, vd_place at, const char *verb, const char *quoted, const char *name, int error) {
  vd_buf text = {0};
  if (error == EILSEQ) /* vd_diag_add_bytes has reported it */
    return;
  if (error == EFBIG)
    vd_buf_puts(&text, "larger than 64 MiB");
  else
    vd_file_say_why(name, error, &text);
  vd_error(d, at, "cannot %s%s%s%s: %s", verb, *quoted ? " '" : "", quoted, *quoted ? "'" : "", text.text);
  vd_buf_finish(&text);
}

bool vd_schema_slurp(const char *path, vd_diag *d, int *source) {
  vd_file file;
  const char *verb = "open", *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
  int error = vd_file_open(path, VD_FILE_ANY, d, &file);
  if (error == 0) {
    verb = "read";
    error = read_source(d, &file, name, source);
  }
  if (error != 0) {
    *source = vd_diag_add_source(d, name, "", 0);
    complain(d, (vd_place){.source = *source}, verb, "", path, error);
  }
  return error == 0;
}

vd_schema_file *vd_schema_open_source(vd_schema_reader *r, int source) {
  struct stat status;
  vd_file_id id = {0, 0};
  if (stat(vd_diag_source_name(r->diag, source), &status) == 0)
    id = (vd_file_id){(unsigned long long)status.st_dev, (unsigned long long)status.st_ino};
  vd_schema_file *f = add_file(r, source, id);
  f->root = vd_schema_parse(r, f);
  return f;
}

const char *vd_schema_path(vd_schema_reader *r, vd_place at, const char *name) {
  const char *folder = ""; /* folder for settings and defaults */
  for (const vd_schema_file *f = r->files; f; f = f->next)
    if (f->source == at.source)
      folder = f->folder;
  const char *written = name;
  while (strncmp(name, "./", 2) == 0 && name[2] != '\0' && name[2] != '/' && strcmp(name, "./-") != 0)
    name += 2;
  if (vd_path_is_absolute(name) || name[0] == '\0')
    folder = "";
  size_t a = strlen(folder), b = strlen(name);
  char *path = vd_arena_alloc(r->arena, a + b + 1);
  memcpy(path, folder, a);
  memcpy(path + a, name, b);
  const char *shipped = access(path, F_OK) == 0 ? NULL : vd_file_in_data(r->arena, written);
  return shipped ? shipped : path;
}

/* --- references --- */

/* Prints the names of the files from `first`, the outermost, to the file of `c`, the innermost. */
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

/* Returns the file that a scalar names; NULL after errors. */
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
  const char *verb;
  int error;
  vd_schema_file *f = load(r, path, &verb, &error);
  if (!f)
    complain(r->diag, node->place, verb, path, node->text, error);
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

/* Removes the key from the mapping and returns its node. */
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

void vd_schema_append(vd_node *mapping, vd_node *child) {
  vd_node **end = &mapping->child;
  while (*end)
    end = &(*end)->next;
  *end = child;
}

static void expand_base(vd_schema_reader *r, const vd_schema *schema, vd_node *node, const chain *in);

/* True if two mappings have the same tag value, so that their keys may be merged. If their tag values differ, the
 * mapping on top replaces the one below. */
static bool same_variant(const vd_schema *schema, const vd_node *top, const vd_node *below) {
  const vd_node *x = schema->tag ? vd_tree_get(top, schema->tag) : NULL;
  const vd_node *y = schema->tag ? vd_tree_get(below, schema->tag) : NULL;
  if (!x || !x->text || (y && !y->text))
    return true;
  const char *before = y ? y->text : vd_schema_tag_row(schema)->def;
  return !before || strcmp(x->text, before) == 0;
}

/* --- the path of the mapping that is being linked, for settings of bases --- */

/* Appends a key to the path or, if key is NULL, the index of an item. Returns what `leave` needs to undo this. */
static size_t enter(vd_schema_reader *r, const char *key, size_t item) {
  const size_t before = r->at.length;
  if (!r->bases)
    return before;
  if (before > 0)
    vd_buf_puts(&r->at, ".");
  if (key)
    vd_buf_puts(&r->at, key);
  else
    vd_buf_printf(&r->at, "%zu", item);
  return before;
}

static void leave(vd_schema_reader *r, size_t before) {
  if (!r->bases)
    return;
  r->at.length = before;
  r->at.text[before] = '\0';
}

/* Returns the last setting of the base of the mapping that is being linked; NULL if there is none, or if the mapping
 * stands in the file that this setting names. */
static vd_schema_set *base_set(const vd_schema_reader *r) {
  const char *at = r->at.length > 0 ? r->at.text : "";
  for (size_t i = r->sets; r->bases && i-- > r->done;)
    if (r->set[i].base_of && strcmp(r->set[i].base_of, at) == 0)
      return r->set[i].open ? NULL : &r->set[i];
  return NULL;
}

/* Lays the children of `over` over those of `under`. The result becomes the children of `over`, in the order of
 * `under`, with new keys at the end. */
static void merge(vd_schema_reader *r, const vd_schema *schema, vd_node *under, vd_node *over, const chain *in) {
  int tag = vd_schema_tag(schema, over);
  vd_node *next;
  for (vd_node *top = over->child; top; top = next) {
    next = top->next;
    top->next = NULL;
    const vd_field *row = vd_schema_row(schema, top->key, tag);
    vd_node *below = vd_tree_get(under, top->key);
    if (!below) {
      vd_schema_append(under, top);
      continue;
    }
    bool both = row && row->kind == VD_STRUCT && top->kind == VD_NODE_MAPPING && below->kind == VD_NODE_MAPPING;
    const size_t outer = enter(r, top->key, 0);
    /* like the name of a file, a mapping with a base of its own replaces what is below */
    const bool replaces = both && (row->flags & VD_FILE) && vd_tree_get(top, "base");
    if (replaces)
      expand_base(r, row->sub, top, in);
    if (both && !replaces && same_variant(row->sub, top, below))
      merge(r, row->sub, below, top, in);
    leave(r, outer);
    top->next = below->next;
    *below = *top;
  }
  over->child = under->child;
}

/* Marks mappings of a base, so that messages about their missing keys point to the mapping that is laid over them. */
static void inherit(vd_node *node, int base, vd_place overlay) {
  if (node->place.source == base || node->overlay.source == base)
    node->overlay = overlay;
  for (vd_node *c = node->child; c; c = c->next)
    inherit(c, base, overlay);
}

/* Lays the mapping over the file that its key `base`, or a setting of this key, names. */
static void expand_base(vd_schema_reader *r, const vd_schema *schema, vd_node *node, const chain *in) {
  vd_node *base = vd_tree_get(node, "base");
  if (!base || vd_schema_row(schema, "base", -1))
    return;
  vd_schema_set *set = base_set(r);
  if (set) {
    vd_node *next = base->next;
    *base = *set->value;
    base->next = next;
    base->key = "base";
    base->key_place = base->place;
    set->used = true;
  }
  if (vd_node_broken(base) || vd_node_is_null(base))
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
  if (set)
    set->open = true;
  link_mapping(r, schema, under, true, &(chain){in, f});
  if (set)
    set->open = false;
  inherit(under, f->source, vd_node_place(node));
  merge(r, schema, under, node, in);
}

/* True if a scalar names a file of measured or fitted data where a file of keys is needed. This is an error: a data
 * file is the value of the key `file` of the mapping. */
static bool names_data(vd_schema_reader *r, const vd_schema *schema, const vd_node *node) {
  static const char *const endings[] = {".tir", ".tpf", ".crg", ".obj", ".csv", ".txt", ".tdx", ".kc"};
  const vd_field *row, *tag = vd_schema_tag_row(schema);
  bool data = false;
  for (size_t i = 0; i < VD_COUNT(endings); i++)
    data |= vd_ends_in(node->text, endings[i]);
  if (!data || !vd_schema_row(schema, "file", -1))
    return false;
  vd_buf form = {0};
  for (vd_schema_walk walk = {.schema = {schema}}; tag && (row = vd_schema_next(&walk));)
    for (int i = 0; strcmp(row->key, "file") == 0 && tag->choices[i]; i++)
      if (row->only & VD_WHEN(i))
        vd_buf_printf(&form, "%s%s%s", form.length ? " or " : tag->key, form.length ? "" : ": ", tag->choices[i]);
  vd_error(r->diag, node->place, "'%s' is not a file of keys in YAML; its key is 'file': {%s%sfile: %s}", node->text,
           form.length ? form.text : "", form.length ? ", " : "", node->text);
  vd_buf_finish(&form);
  return true;
}

/* Replaces a scalar by the mapping of the file that it names. */
static void expand_file(vd_schema_reader *r, const vd_schema *schema, vd_node *node, const chain *in) {
  if (names_data(r, schema, node)) {
    break_node(node);
    return;
  }
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

void vd_schema_make_list(vd_schema_reader *r, vd_node *node) {
  vd_node *item = vd_arena_alloc(r->arena, sizeof *item);
  *item = *node;
  item->next = NULL;
  node->kind = VD_NODE_SEQUENCE;
  node->text = NULL;
  node->child = item;
}

static void link_value(vd_schema_reader *r, const vd_field *row, vd_node *node, const chain *in);

/* Links a node that gives a mapping of schema `sub`. The node is the mapping, the name of its file, or a shorthand. */
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
  if (node->kind == VD_NODE_MAPPING || name) /* so that indices in paths are valid */
    vd_schema_make_list(r, node);
  size_t item = 0;
  for (vd_node *c = node->child; c; c = c->next, item++) {
    const size_t outer = enter(r, NULL, item);
    link_struct(r, row->sub, c, file, in);
    leave(r, outer);
  }
}

static void link_mapping(vd_schema_reader *r, const vd_schema *schema, vd_node *node, bool file, const chain *in) {
  if (file)
    expand_base(r, schema, node, in);
  int tag = vd_schema_tag(schema, node);
  for (vd_node *c = node->child; c; c = c->next) {
    const vd_field *row = vd_schema_row(schema, c->key, tag);
    if (!row || vd_node_is_null(c)) /* the value null removes the key */
      continue;
    const size_t outer = enter(r, c->key, 0);
    link_value(r, row, c, in);
    leave(r, outer);
  }
}

void vd_schema_link(vd_schema_reader *r, const vd_schema *schema, vd_node *root, const vd_schema_file *file) {
  chain c = {.file = file};
  if (root->kind == VD_NODE_MAPPING)
    link_mapping(r, schema, root, true, file ? &c : NULL);
}
