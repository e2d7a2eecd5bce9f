#include "input/tree.h"

#include "base/memory.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* --- parser: events of libyaml to nodes --- */

typedef struct anchor {
  struct anchor *next;
  const char *name;
  vd_node *node;
  bool open; /* the node is not complete yet */
} anchor;

/* An open mapping or sequence. */
typedef struct level {
  vd_node *node;
  vd_node **end;   /* where the next child goes */
  anchor *anchor;  /* anchor of this mapping or sequence, or NULL */
  const char *key; /* key whose value follows, or NULL */
  vd_place key_place;
  uint64_t *hash; /* hashes of the keys, so that the search for a duplicate is fast */
  size_t keys, capacity;
} level;

typedef struct parse {
  yaml_parser_t yaml;
  vd_arena *arena;
  vd_diag *diag;
  int source;
  const char *text;
  size_t length, given; /* length of the text, and number of bytes that libyaml has been given */
  size_t event;         /* value of `given` at the last event */
  yaml_mark_t last;     /* end of the last event */
  bool long_text;       /* a text was longer than VD_TREE_TEXT */
  vd_node *root;
  level levels[VD_TREE_DEPTH];
  size_t depth;
  anchor *anchors;
  size_t anchor_count, nodes, alias_nodes;
  bool failed; /* some error was reported */
  bool stop;   /* reading ends here */
} parse;

static int to_int(size_t n) {
  return n < INT_MAX ? (int)n : INT_MAX;
}

static vd_place place(const parse *p, yaml_mark_t start, yaml_mark_t end) {
  bool one_line = end.line == start.line && end.column > start.column;
  return (vd_place){.source = p->source,
                    .line = to_int(start.line + 1),
                    .column = to_int(start.column + 1),
                    .length = one_line ? to_int(end.column - start.column) : 1};
}

static vd_place event_place(const parse *p, const yaml_event_t *e) {
  return place(p, e->start_mark, e->end_mark);
}

/* Returns the place of a scalar. Its event starts with its anchor, if any; but a plain scalar ends where the event
 * ends, and is as long as its text. */
static vd_place scalar_place(const parse *p, const yaml_event_t *e) {
  vd_place at = event_place(p, e);
  size_t length = vd_utf8_count((const char *)e->data.scalar.value, e->data.scalar.length);
  bool plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  if (plain && e->start_mark.line == e->end_mark.line && length <= e->end_mark.column) {
    at.column = to_int(e->end_mark.column - length + 1);
    at.length = to_int(length);
  }
  return at;
}

/* Report an error: FAIL continues to read, STOP does not. */
#define FAIL(p, at, ...) (vd_error((p)->diag, at, __VA_ARGS__), (p)->failed = true)
#define STOP(p, at, ...) (FAIL(p, at, __VA_ARGS__), (p)->stop = true)

static vd_node *new_node(parse *p, enum vd_node_kind kind, vd_place at) {
  if (++p->nodes > VD_TREE_NODES) {
    STOP(p, at, "more than %d values", (int)VD_TREE_NODES);
  }
  vd_node *node = vd_arena_alloc(p->arena, sizeof *node);
  node->kind = kind;
  node->place = at;
  return node;
}

/* Puts a node where the document is being read: into the open mapping or sequence. */
static void attach(parse *p, vd_node *node) {
  if (p->depth == 0) {
    p->root = node;
    return;
  }
  level *l = &p->levels[p->depth - 1];
  *l->end = node;
  l->end = &node->next;
  if (l->node->kind == VD_NODE_MAPPING) {
    node->key = l->key;
    node->key_place = l->key_place;
    if (node->place.length == 0) /* nothing stands after the colon */
      node->place = l->key_place;
    l->key = NULL;
  }
}

static bool key_is_next(const parse *p) {
  if (p->depth == 0)
    return false;
  const level *l = &p->levels[p->depth - 1];
  return l->node->kind == VD_NODE_MAPPING && !l->key;
}

static void check_duplicate(parse *p, level *l, uint64_t hash) {
  for (size_t i = 0; i < l->keys; i++) {
    if (l->hash[i] != hash)
      continue;
    const vd_node *first = vd_tree_get(l->node, l->key);
    if (first)
      FAIL(p, l->key_place, "duplicate key '%s'; first given at line %d", l->key, first->key_place.line);
    return;
  }
}

static void remember_key(parse *p, level *l, uint64_t hash) {
  if (l->keys == VD_TREE_KEYS) {
    STOP(p, l->key_place, "more than %d keys in one mapping", (int)VD_TREE_KEYS);
    return;
  }
  if (l->keys == l->capacity) {
    l->capacity = l->capacity ? 2 * l->capacity : 16;
    l->hash = vd_reallocate(l->hash, l->capacity, sizeof *l->hash);
  }
  l->hash[l->keys++] = hash;
}

static const char *scalar_text(parse *p, const yaml_event_t *e) {
  const char *value = (const char *)e->data.scalar.value;
  if (memchr(value, '\0', e->data.scalar.length)) {
    FAIL(p, event_place(p, e), "a text must not contain the character NUL");
  }
  return vd_arena_copy(p->arena, value, e->data.scalar.length);
}

static void take_key(parse *p, const yaml_event_t *e) {
  level *l = &p->levels[p->depth - 1];
  l->key_place = scalar_place(p, e);
  l->key = scalar_text(p, e);
  if (e->data.scalar.anchor) {
    FAIL(p, event_place(p, e), "anchors on keys are not supported");
  }
  if (l->key[0] == '\0') {
    FAIL(p, l->key_place, "empty key");
  } else if (strcmp(l->key, "<<") == 0 && e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE) {
    vd_error(p->diag, l->key_place, "merge keys are not supported; use base");
    p->failed = true;
  } else {
    uint64_t hash = vd_text_hash(VD_HASH_START, l->key, strlen(l->key));
    check_duplicate(p, l, hash);
    remember_key(p, l, hash);
  }
}

static anchor *add_anchor(parse *p, const yaml_char_t *name, vd_node *node, bool open, vd_place at) {
  if (!name)
    return NULL;
  if (p->anchor_count++ == VD_TREE_ANCHORS) {
    STOP(p, at, "more than %d anchors", (int)VD_TREE_ANCHORS);
  }
  anchor *a = vd_arena_alloc(p->arena, sizeof *a);
  const char *text = (const char *)name;
  *a = (anchor){p->anchors, vd_arena_copy(p->arena, text, strlen(text)), node, open};
  p->anchors = a;
  return a;
}

static void check_tag(parse *p, const yaml_char_t *tag, vd_place at) {
  static const char standard[] = "tag:yaml.org,2002:";
  if (!tag)
    return;
  const char *text = (const char *)tag;
  if (strncmp(text, standard, sizeof standard - 1) == 0)
    FAIL(p, at, "tags are not supported: '!!%s'", text + sizeof standard - 1);
  else
    FAIL(p, at, "tags are not supported: '%s'", text);
}

static void take_scalar(parse *p, const yaml_event_t *e) {
  check_tag(p, e->data.scalar.tag, event_place(p, e));
  if (key_is_next(p)) {
    take_key(p, e);
    return;
  }
  vd_node *node = new_node(p, VD_NODE_SCALAR, scalar_place(p, e));
  node->text = scalar_text(p, e);
  node->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  add_anchor(p, e->data.scalar.anchor, node, false, node->place);
  attach(p, node);
}

static void open_level(parse *p, enum vd_node_kind kind, const yaml_char_t *tag, const yaml_char_t *name, vd_place at) {
  check_tag(p, tag, at);
  if (key_is_next(p)) {
    STOP(p, at, "keys must be plain scalars");
    return;
  }
  if (p->depth == VD_TREE_DEPTH) {
    STOP(p, at, "nested deeper than %d levels", (int)VD_TREE_DEPTH);
    return;
  }
  vd_node *node = new_node(p, kind, at);
  anchor *a = add_anchor(p, name, node, true, at);
  attach(p, node);
  p->levels[p->depth++] = (level){.node = node, .end = &node->child, .anchor = a};
}

static void close_level(parse *p) {
  level *l = &p->levels[--p->depth];
  if (l->anchor)
    l->anchor->open = false;
  free(l->hash);
  l->hash = NULL;
}

/* Copies the target of an alias. Aliases within it were copied before, so it contains none. */
static vd_node *copy_alias(parse *p, const vd_node *from, size_t depth, vd_place at) {
  if (p->stop)
    return NULL;
  if (++p->alias_nodes > VD_TREE_ALIAS_NODES) {
    STOP(p, at, "aliases expand to more than %d nodes", (int)VD_TREE_ALIAS_NODES);
    return NULL;
  }
  if (from->kind != VD_NODE_SCALAR && depth == VD_TREE_DEPTH) {
    STOP(p, at, "nested deeper than %d levels", (int)VD_TREE_DEPTH);
    return NULL;
  }
  vd_node *node = new_node(p, from->kind, from->place);
  *node = *from;
  node->next = node->child = NULL;
  vd_node **end = &node->child;
  for (const vd_node *c = from->child; c && !p->stop; c = c->next) {
    *end = copy_alias(p, c, depth + 1, at);
    if (*end)
      end = &(*end)->next;
  }
  return node;
}

static void take_alias(parse *p, const yaml_event_t *e) {
  const char *name = (const char *)e->data.alias.anchor;
  vd_place at = event_place(p, e);
  const anchor *a = p->anchors; /* the newest is first, because a name means its latest anchor */
  while (a && strcmp(a->name, name) != 0)
    a = a->next;
  if (key_is_next(p))
    STOP(p, at, "keys must be plain scalars");
  else if (!a)
    STOP(p, at, "alias '%s' has no anchor", name);
  else if (a->open)
    STOP(p, at, "alias '%s' contains itself", name);
  else {
    vd_node *node = copy_alias(p, a->node, p->depth, at);
    if (node) {
      node->key = NULL;
      node->place = at;
      attach(p, node);
    }
  }
}

static void take_event(parse *p, const yaml_event_t *e) {
  /* the cases are all values of libyaml's enum yaml_event_type_e */
  switch (e->type) {
  case YAML_SCALAR_EVENT: take_scalar(p, e); break;
  case YAML_ALIAS_EVENT: take_alias(p, e); break;
  case YAML_SEQUENCE_START_EVENT:
    open_level(p, VD_NODE_SEQUENCE, e->data.sequence_start.tag, e->data.sequence_start.anchor, event_place(p, e));
    break;
  case YAML_MAPPING_START_EVENT:
    open_level(p, VD_NODE_MAPPING, e->data.mapping_start.tag, e->data.mapping_start.anchor, event_place(p, e));
    break;
  case YAML_SEQUENCE_END_EVENT:
  case YAML_MAPPING_END_EVENT: close_level(p); break;
  case YAML_DOCUMENT_START_EVENT:
    if (p->root)
      STOP(p, event_place(p, e), "a second document; one is allowed per file");
    break;
  case YAML_STREAM_END_EVENT: p->stop = true; break;
  case YAML_NO_EVENT:
  case YAML_STREAM_START_EVENT:
  case YAML_DOCUMENT_END_EVENT: break;
  }
}

static vd_place mark_place(const parse *p, yaml_mark_t mark) {
  vd_place at = place(p, mark, mark);
  vd_place end = vd_diag_place(p->diag, p->source, p->length, 0);
  end.length = 1;
  return at.line > end.line ? end : at; /* libyaml counts a last line end that the text does not contain */
}

/* Returns the character at which libyaml failed, '\0' at the end of the text. */
static char failed_character(const parse *p) {
  const char *text;
  size_t at = p->yaml.problem_mark.index, i = 0;
  size_t length = vd_diag_source_text(p->diag, p->source, &text);
  for (; i < length && at > 0; at--) {
    size_t size = vd_utf8(text + i, length - i, NULL);
    i += size ? size : 1;
  }
  return i < length ? text[i] : '\0';
}

/* Reports the most common errors of libyaml in words for a user. Returns false after another error. */
static bool report_common(parse *p) {
  const yaml_parser_t *y = &p->yaml;
  const char *problem = y->problem ? y->problem : "", *context = y->context ? y->context : "";
  vd_place at = mark_place(p, y->problem_mark), start = mark_place(p, y->context_mark);
  char c = failed_character(p);
  bool bracket = strstr(problem, "expected ',' or") != NULL, square = strchr(problem, ']') != NULL;
  bool key = strstr(problem, "did not find expected key") != NULL;

  if (y->error == YAML_READER_ERROR)
    return false;
  if (c == '\t' && (strstr(problem, "cannot start") || strstr(problem, "indentation")))
    vd_error(p->diag, at, "a tab in the indentation; use blanks");
  else if ((c == '@' || c == '`' || c == '%') && strstr(problem, "cannot start"))
    vd_error(p->diag, at, "a text that starts with '%c' needs quotes", c);
  else if (strstr(problem, "mapping values are not allowed"))
    vd_error(p->diag, at, "no ':' is expected here; check the indentation, or put the text in quotes");
  else if (strstr(problem, "could not find expected ':'"))
    vd_error(p->diag, start, "a ':' is missing after this key");
  else if (strstr(problem, "unknown escape"))
    vd_error(p->diag, at, "unknown escape in double quotes; use single quotes, or \\\\ for a backslash");
  else if (strstr(problem, "end of stream") && strstr(context, "quoted scalar"))
    vd_error(p->diag, start, "the quotes are never closed");
  else if (bracket && c == '\0')
    vd_error(p->diag, start, "'%c' is never closed", square ? '[' : '{');
  else if (key && (c == '}' || c == ']'))
    vd_error(p->diag, at, "'%c' closes nothing", c);
  else if (key) {
    vd_error(p->diag, at, "a key is expected here; check the indentation");
    vd_note(p->diag, start, "the mapping starts here");
  } else {
    return false;
  }
  p->failed = p->stop = true;
  return true;
}

static void report_yaml(parse *p) {
  const yaml_parser_t *y = &p->yaml;
  if (y->error == YAML_MEMORY_ERROR)
    vd_memory_out();
  if (p->long_text) {
    STOP(p, mark_place(p, p->last), "a text or a remark of more than %d bytes follows", (int)VD_TREE_TEXT);
    return;
  }
  if (report_common(p))
    return;
  const char *problem = y->problem ? y->problem : "not YAML";
  /* for an error of the encoding libyaml gives only the byte */
  vd_place at = y->error == YAML_READER_ERROR ? vd_diag_place(p->diag, p->source, y->problem_offset, 1)
                                              : mark_place(p, y->problem_mark);
  int first = (unsigned char)problem[0];
  if (first >= 'A' && first <= 'Z')
    first += 'a' - 'A';
  vd_error(p->diag, at, "%c%s", first, problem + 1);
  if (y->context)
    vd_note(p->diag, mark_place(p, y->context_mark), "%s", y->context);
  p->failed = p->stop = true;
}

/* Checks the encoding. libyaml would accept UTF-16, and its messages about other bytes are unclear. */
static bool check_bytes(vd_diag *d, int source, const char *text, size_t length) {
  if (length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)) {
    vd_error(d, (vd_place){.source = source}, "UTF-16 text; save it as UTF-8");
    return false;
  }
  for (size_t i = 0; i < length;) {
    bool ascii = text[i] > 0;
    size_t size = ascii ? 1 : vd_utf8(text + i, length - i, NULL);
    if (size == 0) {
      vd_error(d, vd_diag_place(d, source, i, 1), "not UTF-8: byte 0x%02x", (unsigned)(unsigned char)text[i]);
      return false;
    }
    if (text[i] == '\0') {
      vd_error(d, vd_diag_place(d, source, i, 1), "a NUL byte; this is not a text file");
      return false;
    }
    i += size;
  }
  return true;
}

/* Gives libyaml the text piece by piece. If VD_TREE_TEXT bytes bring no event, one text or comment is longer than this.
 * Such a text is refused, because reading all of it would take seconds. */
static int feed(void *context, unsigned char *to, size_t size, size_t *given) {
  parse *p = context;
  size_t left = p->length - p->given;
  p->long_text = p->given - p->event > VD_TREE_TEXT;
  *given = size < left ? size : left;
  memcpy(to, p->text + p->given, *given);
  p->given += *given;
  return !p->long_text;
}

static void read_events(parse *p) {
  while (!p->stop) {
    yaml_event_t event;
    if (!yaml_parser_parse(&p->yaml, &event)) {
      report_yaml(p);
    } else {
      p->event = p->given;
      p->last = event.end_mark;
      take_event(p, &event);
      yaml_event_delete(&event);
    }
  }
}

vd_node *vd_tree_parse(vd_arena *a, vd_diag *d, int source) {
  const char *text;
  size_t length = vd_diag_source_text(d, source, &text);
  if (!check_bytes(d, source, text, length))
    return NULL;
  parse p = {.arena = a, .diag = d, .source = source, .text = text, .length = length};
  if (!yaml_parser_initialize(&p.yaml))
    vd_memory_out();
  yaml_parser_set_input(&p.yaml, feed, &p);
  yaml_parser_set_encoding(&p.yaml, YAML_UTF8_ENCODING);

  read_events(&p);
  while (p.depth > 0) /* levels that are still open after an error */
    close_level(&p);
  yaml_parser_delete(&p.yaml);
  const vd_node *root = p.root;
  if (!p.failed && (!root || (root->kind == VD_NODE_SCALAR && !root->quoted && root->text[0] == '\0'))) {
    vd_error(d, (vd_place){.source = source}, "empty file");
    return NULL;
  }
  return p.failed ? NULL : p.root;
}

/* --- access --- */

vd_node *vd_tree_copy(vd_arena *a, const vd_node *node) {
  vd_node *copy = vd_arena_alloc(a, sizeof *copy);
  *copy = *node;
  copy->next = copy->child = NULL;
  vd_node **end = &copy->child;
  for (const vd_node *c = node->child; c; c = c->next) {
    *end = vd_tree_copy(a, c);
    end = &(*end)->next;
  }
  return copy;
}

/* True if a scalar needs no quotes anywhere, within brackets or alone in its line. This holds for numbers with units
 * and single words. */
static bool stays_plain(const char *text) {
  static const char inner[] = " _.+-/^%*()~";
  size_t length = strlen(text);
  bool good = length > 0 && strchr(" %*()^", text[0]) == NULL && text[length - 1] != ' ' &&
              !(text[0] == '-' && (length < 2 || strchr(" -", text[1]))) && strncmp(text, "...", 3) != 0;
  for (size_t i = 0, size; good && i < length; i += size) {
    unsigned code = 0;
    size = vd_utf8(text + i, length - i, &code);
    bool letter = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z');
    good = size > 1 ? code >= 0xa0 && code < 0x2000
                    : letter || (text[i] >= '0' && text[i] <= '9') || strchr(inner, text[i]);
    size = size ? size : 1;
  }
  return good;
}

void vd_tree_write(const vd_node *node, vd_buf *out) {
  const bool list = node->kind == VD_NODE_SEQUENCE;
  if (node->kind == VD_NODE_SCALAR && !node->quoted && stays_plain(node->text)) {
    vd_buf_puts(out, node->text);
    return;
  }
  if (node->kind == VD_NODE_SCALAR) {
    vd_buf_puts(out, "\"");
    vd_buf_quote(out, node->text, strlen(node->text));
    vd_buf_puts(out, "\"");
    return;
  }
  vd_buf_puts(out, list ? "[" : "{");
  for (const vd_node *c = node->child; c; c = c->next) {
    vd_buf_puts(out, c == node->child ? "" : ", ");
    if (!list) {
      vd_tree_write(&(vd_node){.kind = VD_NODE_SCALAR, .text = c->key}, out);
      vd_buf_puts(out, ": ");
    }
    vd_tree_write(c, out);
  }
  vd_buf_puts(out, list ? "]" : "}");
}

static vd_node *get(const vd_node *mapping, const char *key, size_t length) {
  if (!mapping || mapping->kind != VD_NODE_MAPPING)
    return NULL;
  for (vd_node *c = mapping->child; c; c = c->next)
    if (strncmp(c->key, key, length) == 0 && c->key[length] == '\0')
      return c;
  return NULL;
}

bool vd_node_is_null(const vd_node *node) {
  return node->kind == VD_NODE_SCALAR && node->text && !node->quoted &&
         (strcmp(node->text, "null") == 0 || strcmp(node->text, "~") == 0);
}

void vd_tree_drop_nulls(vd_node *root) {
  for (vd_node **c = &root->child; *c;)
    if (root->kind == VD_NODE_MAPPING && vd_node_is_null(*c)) {
      *c = (*c)->next;
    } else {
      vd_tree_drop_nulls(*c);
      c = &(*c)->next;
    }
}

vd_node *vd_tree_get(const vd_node *mapping, const char *key) {
  return get(mapping, key, strlen(key));
}

vd_node *vd_tree_item(const vd_node *sequence, size_t index) {
  if (!sequence || sequence->kind != VD_NODE_SEQUENCE)
    return NULL;
  vd_node *item = sequence->child;
  for (; item && index > 0; index--)
    item = item->next;
  return item;
}

bool vd_tree_index(const char *text, size_t length, size_t *index) {
  *index = 0;
  for (size_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9')
      return false;
    *index = 10 * *index + (size_t)(text[i] - '0');
  }
  return length == 1 || (length > 1 && length < 10 && text[0] != '0'); /* no list has 10^9 items */
}

/* Returns the child for the first part of a path. *path advances to the next part, and is NULL at the end. */
static vd_node *step(const vd_node *node, const char **path) {
  size_t length = strcspn(*path, ".");
  size_t index;
  vd_node *child = get(node, *path, length);
  if (!child && vd_tree_index(*path, length, &index))
    child = vd_tree_item(node, index);
  *path = (*path)[length] ? *path + length + 1 : NULL;
  return child;
}

vd_node *vd_tree_find(const vd_node *root, const char *path) {
  vd_node *node = NULL;
  do {
    node = step(root, &path);
    root = node;
  } while (node && path);
  return node;
}

vd_place vd_node_place(const vd_node *node) {
  bool whole_file = !node->key || node->key_place.source != node->place.source;
  return node->kind == VD_NODE_SCALAR || whole_file ? node->place : node->key_place;
}

vd_place vd_node_missing_place(const vd_node *mapping) {
  return mapping->overlay.line > 0 ? mapping->overlay : vd_node_place(mapping);
}

vd_place vd_tree_place(const vd_node *root, const char *path) {
  const vd_node *node = root;
  if (!root)
    return (vd_place){.source = -1};
  while (path) {
    const vd_node *child = step(node, &path);
    if (!child)
      return vd_node_missing_place(node);
    node = child;
  }
  return vd_node_place(node);
}

vd_place vd_tree_place_in(const vd_node *root, const char *path, const char *key, ...) {
  vd_buf full = {0};
  va_list args;
  vd_buf_printf(&full, "%s%s", path, *path ? "." : "");
  va_start(args, key);
  vd_buf_vprintf(&full, key, args);
  va_end(args);
  vd_place place = vd_tree_place(root, full.text);
  vd_buf_finish(&full);
  return place;
}

const char *vd_tree_item_path(const vd_node *root, const char *path, size_t item, vd_arena *arena) {
  const vd_node *list = vd_tree_find(root, path);
  vd_buf full = {0};
  vd_buf_puts(&full, path);
  if (list && list->kind == VD_NODE_SEQUENCE)
    vd_buf_printf(&full, ".%zu", item);
  const char *kept = vd_arena_copy(arena, full.text, full.length);
  vd_buf_finish(&full);
  return kept;
}
