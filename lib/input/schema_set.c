/* Settings, which are laid over a tree at their paths, and the search for the row of a number by its path. */
#include "base/num.h"
#include "input/schema_impl.h"

#include "base/base.h"

#include <ctype.h>
#include <string.h>

vd_setting vd_setting_of_number(vd_arena *arena, const char *key, double value) {
  char number[VD_NUM_MAX];
  vd_buf b = {0};
  vd_num_print_shortest(value, number);
  vd_buf_printf(&b, "%s=%s", key, number);
  const char *text = vd_arena_copy(arena, b.text, b.length);
  vd_buf_finish(&b);
  return (vd_setting){.text = text};
}

/* --- settings --- */

/* True if a text is a number or a word, perhaps with a unit, which YAML would read as a plain scalar. It is read
 * without libyaml, which would take longer to start than the reading takes. */
static bool is_plain(const char *text) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+/^";
  size_t length = strlen(text);
  bool good = length > 0 && (isalnum((unsigned char)text[0]) || text[0] == '-') && text[length - 1] != ' ';
  good = good && !(text[0] == '-' && (length < 2 || !isdigit((unsigned char)text[1])));
  for (size_t i = 1; good && i < length; i++)
    good = strchr(plain, text[i]) || text[i] == ' ' || text[i] == '-';
  return good;
}

/* True if a plain scalar contains all of the text from which it was parsed. YAML drops comments and anchors and folds
 * lines. A comment behind a number is allowed, since it cannot be meant as a part of the value. */
static bool is_whole(const vd_node *node, const char *text) {
  size_t blank = strspn(text, " \t\r\n"), length = strlen(text);
  while (length > blank && strchr(" \t\r\n", text[length - 1]))
    length--;
  size_t used = strlen(node->text);
  bool same = strncmp(text + blank, node->text, used) == 0;
  const char *rest = text + blank + used;
  bool number =
      isdigit((unsigned char)node->text[node->text[0] == '-' || node->text[0] == '+' || node->text[0] == '.']);
  return same && (blank + used == length || (number && rest[strspn(rest, " \t")] == '#'));
}

/* True if YAML reads the text as a comment or as the end of a line, and so drops all of it. */
static bool is_dropped(const char *text) {
  text += strspn(text, " \t\r\n");
  return *text == '#' || strcmp(text, "\xc2\x85") == 0 || strcmp(text, "\xe2\x80\xa8") == 0 ||
         strcmp(text, "\xe2\x80\xa9") == 0;
}

/* Parses a value in YAML. It is refused if YAML would drop or change part of the text. */
static vd_node *parse_value(vd_schema_reader *r, int source, const char *text) {
  vd_node *node = is_dropped(text) ? NULL : vd_tree_parse(r->arena, r->diag, source);
  bool plain = node && node->kind == VD_NODE_SCALAR && !node->quoted;
  if (is_dropped(text) || (plain && !is_whole(node, text))) {
    vd_error(r->diag, vd_diag_place(r->diag, source, 0, strlen(text)),
             "YAML reads this value as '%s', without comments, anchors and ends of lines; put it in quotes",
             node ? node->text : "");
    return NULL;
  }
  return node;
}

/* Returns the value of KEY=VALUE. An empty value is the empty text, as in `--set name=`. */
static vd_node *read_value(vd_schema_reader *r, int source, const char *text) {
  if (is_plain(text)) {
    vd_node *node = vd_arena_alloc(r->arena, sizeof *node);
    node->place = vd_diag_place(r->diag, source, 0, strlen(text));
    node->text = vd_arena_copy(r->arena, text, strlen(text));
    return node;
  }
  if (text[strspn(text, " \t\r\n")] != '\0')
    return parse_value(r, source, text);
  vd_node *node = vd_arena_alloc(r->arena, sizeof *node);
  node->place = (vd_place){.source = source, .line = 1, .column = 1, .length = 1};
  node->text = "";
  node->quoted = true;
  return node;
}

/* Returns "a,b" as a sequence of both texts. */
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

/* Replaces a shorthand by the mapping for which it stands. */
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

/* Returns the child with this key. It is made if it does not exist, because a setting may give a key that no file
 * gives. */
static vd_node *make_child(vd_schema_reader *r, vd_node *mapping, const char *key, vd_place at) {
  vd_node *child = vd_tree_get(mapping, key);
  if (child)
    return child;
  child = vd_arena_alloc(r->arena, sizeof *child);
  *child = (vd_node){.kind = VD_NODE_MAPPING, .place = at, .key_place = at, .key = key};
  vd_schema_append(mapping, child);
  return child;
}

/* True if a key has no value yet, so that a setting may give one. */
static bool is_unset(const vd_node *node) {
  return (node->kind == VD_NODE_SCALAR && !node->quoted && node->text[0] == '\0') || vd_node_is_null(node);
}

/* A walk along the path of a setting: the node that it has reached, and the schema of this node. */
typedef struct walk {
  vd_schema_reader *r;
  const char *path; /* the whole path */
  const char *rest; /* the rest of the path, which begins with the next part */
  size_t length;    /* length of the next part */
  vd_place at;
  vd_node *node;
  const vd_schema *schema; /* schema of a mapping, NULL: unknown */
  const vd_field *list;    /* the row of a list, NULL: none */
} walk;

/* Returns the length of the path before its next part, for %.*s. */
static int so_far(const walk *w) {
  return w->rest == w->path ? 0 : (int)(w->rest - w->path - 1);
}

/* Goes to an item of the list that the walk has reached. */
static bool enter_item(walk *w) {
  size_t index, count = 0;
  if (!vd_tree_index(w->rest, w->length, &index)) {
    vd_error(w->r->diag, w->at, "'%.*s' is a list; '%.*s' is not an index, which counts from 0", so_far(w), w->path,
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

/* Goes to a key of the mapping that the walk has reached; the key is made if it does not exist. */
static bool enter_key(walk *w) {
  const char *key = vd_arena_copy(w->r->arena, w->rest, w->length);
  const vd_field *row = w->schema ? vd_schema_row(w->schema, key, vd_schema_tag(w->schema, w->node)) : NULL;
  const vd_node *child = vd_tree_get(w->node, key);
  bool list = row && vd_schema_is_list(row), last = w->rest[w->length] == '\0';
  if (list && !last && (!child || (!vd_node_broken(child) && is_unset(child)))) {
    vd_error(w->r->diag, w->at, "'%.*s' is not given; only an item of a given list can be set by index",
             (int)(w->rest - w->path) + (int)w->length, w->path);
    return false;
  }
  w->schema = row && row->kind == VD_STRUCT ? row->sub : NULL;
  w->list = list ? row : NULL;
  w->node = make_child(w->r, w->node, key, w->at);
  return true;
}

/* If the next part of the path leads into the node, replaces a shorthand by its mapping, and a single value by a list
 * of one item. */
static void expand_short(walk *w) {
  vd_node *n = w->node;
  size_t index;
  bool counts = vd_tree_index(w->rest, w->length, &index);
  if (is_unset(n))
    n->kind = VD_NODE_MAPPING;
  if (n->kind == VD_NODE_SCALAR && w->list && w->list->kind != VD_POINTS && w->list->kind != VD_VECTOR)
    vd_schema_make_list(w->r, n);
  if (n->kind == VD_NODE_MAPPING || !w->schema || !vd_schema_shorthand(w->schema, n))
    return;
  if (n->kind == VD_NODE_SEQUENCE && counts) { /* the shorthand is a list, and the path leads to one of its items */
    w->list = vd_schema_row(w->schema, w->schema->shorthand, -1);
    w->schema = NULL;
  } else {
    expand_shorthand(w->r, w->schema, n);
  }
}

/* Follows one part of the path. Returns false, after an error, if the part leads nowhere. */
static bool enter(walk *w) {
  if (vd_node_broken(w->node))
    return false;
  expand_short(w);
  if (w->node->kind == VD_NODE_MAPPING)
    return enter_key(w);
  if (w->node->kind == VD_NODE_SEQUENCE && !w->schema)
    return enter_item(w);
  vd_error(w->r->diag, w->at, "'%.*s' is not a mapping; '%s' cannot be set in it", so_far(w), w->path, w->rest);
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

/* If a path ends in the key `base`, returns the path of its mapping; else NULL. */
static const char *mapping_of_base(vd_schema_reader *r, const char *path) {
  const char *dot = strrchr(path, '.');
  if (strcmp(dot ? dot + 1 : path, "base") != 0)
    return NULL;
  return vd_arena_copy(r->arena, path, dot ? (size_t)(dot - path) : 0);
}

/* Reads one setting KEY=VALUE. Returns false after errors. */
static bool read_setting(vd_schema_reader *r, const vd_setting *setting, vd_schema_set *out) {
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
  if (setting->folder) { /* relative file names start at that folder */
    vd_schema_file *f = vd_arena_alloc(r->arena, sizeof *f);
    *f = (vd_schema_file){.next = r->files, .source = source, .folder = setting->folder};
    r->files = f;
  }
  if (!equals || !good_path(path)) {
    vd_error(r->diag, whole, "%s; the form is KEY=VALUE", equals ? "empty key" : "missing '='");
    return false;
  }
  vd_node *value = setting->list ? split_value(r, source, text) : read_value(r, source, text);
  if (!value) { /* the error was reported; without this the key would also be reported as missing */
    value = vd_arena_alloc(r->arena, sizeof *value);
    value->place = (vd_place){.source = source, .line = 1, .column = 1, .length = 1};
  }
  *out = (vd_schema_set){.path = path, .value = value, .base_of = mapping_of_base(r, path)};
  return true;
}

/* True if the path `inner` is `outer` or lies below it. */
static bool within(const char *outer, const char *inner) {
  const size_t length = strlen(outer);
  return strncmp(outer, inner, length) == 0 && (inner[length] == '\0' || inner[length] == '.');
}

/* Marks later settings of a key `base` at or below `path` as not used: a setting at `path` has replaced the mapping
 * there, and they must take effect again. */
static void use_again(vd_schema_reader *r, const char *path) {
  for (size_t i = r->done; i < r->sets; i++)
    r->set[i].used &= !(r->set[i].base_of && within(path, r->set[i].base_of));
}

void vd_schema_assemble(vd_schema_reader *r, const vd_schema *schema, vd_node *root, const vd_schema_file *file,
                        const vd_setting *settings, size_t count) {
  r->set = vd_arena_alloc(r->arena, (count + 1) * sizeof *r->set);
  for (size_t i = 0; i < count; i++) {
    vd_schema_set *next = &r->set[r->sets];
    if (!read_setting(r, &settings[i], next))
      continue;
    r->sets++;
    r->bases |= next->base_of != NULL;
  }
  vd_schema_link(r, schema, root, file);
  while (r->done < r->sets) {
    const vd_schema_set *s = &r->set[r->done++];
    if (s->used)
      continue;
    set_at(r, schema, root, s->path, s->value);
    use_again(r, s->path);
    vd_schema_link(r, schema, root, NULL);
  }
  vd_buf_finish(&r->at);
}

/* --- numbers by their path --- */

/* A walk along the path to a number. Unlike `walk` it changes nothing, and a key that is not written has its
 * default. */
typedef struct search {
  const char *path, *rest;
  size_t length; /* length of the next part */
  vd_place at;
  vd_diag *diag;
  const vd_schema *schema; /* schema of a mapping, NULL: there is none */
  const vd_field *row;     /* row that the last part named */
  const char *unit;
  const vd_node *node; /* NULL: the key is not written */
  bool item;           /* the walk has reached a number in a list */
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

/* Goes to the end of the path. Returns false after an error. */
static bool find_end(search *w) {
  if (!good_path(w->path)) {
    vd_error(w->diag, w->at, "'%s' is not a key", w->path);
    return false;
  }
  for (bool more = true; more; w->rest += w->length + more) {
    w->length = strcspn(w->rest, ".");
    more = w->rest[w->length] != '\0';
    if (w->item || (!w->schema && !(w->row && vd_schema_is_list(w->row))) || w->length >= 128)
      return no_number(w, "does not exist");
    if (!(w->schema ? find_key(w) : find_item(w)))
      return false;
  }
  return true;
}

bool vd_schema_takes_text(const vd_schema *schema, const vd_node *root, const char *path) {
  vd_diag *dropped = vd_diag_create();
  search w = {.path = path, .rest = path, .diag = dropped, .schema = schema, .unit = "1", .node = root};
  bool list = find_end(&w) && w.row && !w.item &&
              (vd_schema_is_list(w.row) || (w.row->kind == VD_STRUCT && !(w.row->flags & VD_FILE)));
  vd_diag_destroy(dropped);
  return !list;
}

bool vd_schema_find_number(const vd_schema *schema, const vd_node *root, const char *path, vd_place at, vd_diag *d,
                           vd_number_row *out) {
  search w = {.path = path, .rest = path, .at = at, .diag = d, .schema = schema, .unit = "1", .node = root};
  if (!find_end(&w))
    return false;
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
