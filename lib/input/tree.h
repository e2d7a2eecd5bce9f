/* YAML text as a tree of nodes with the places at which they were written.
 *
 * One document, plain mappings, sequences and scalars; duplicate keys, second documents, tags, merge keys, aliases that
 * contain themselves or expand too far, and nesting beyond VD_TREE_DEPTH are errors with messages of their own. Only
 * tree.c includes <yaml.h>. */
#ifndef VD_TREE_H
#define VD_TREE_H

#include "base/arena.h"
#include "base/text.h"
#include "input/diag.h"

#include <stdbool.h>
#include <stddef.h>

enum {
  VD_TREE_DEPTH = 32,          /* deepest nesting; a scenario needs 5 */
  VD_TREE_ALIAS_NODES = 10000, /* nodes that aliases may add in all */
  VD_TREE_NODES = 2000000,     /* nodes in all; enough for tables of a few MB of text */
  VD_TREE_TEXT = 1 << 20,      /* bytes of one text */
  VD_TREE_KEYS = 1000,         /* keys of one mapping */
  VD_TREE_ANCHORS = 1000,      /* anchors in all */
};

enum vd_node_kind { VD_NODE_SCALAR, VD_NODE_SEQUENCE, VD_NODE_MAPPING };

typedef struct vd_node vd_node;
struct vd_node {
  enum vd_node_kind kind;
  vd_place place;     /* place of the value */
  vd_place key_place; /* place of the key, in a mapping */
  const char *key;    /* in a mapping, else NULL */
  const char *text;   /* text of a scalar; NUL-terminated, no NUL inside */
  bool quoted;        /* scalar in quotes or a block: text, never a number */
  /* for a mapping in a base: the mapping laid over it, to which messages about missing keys point; line 0: none */
  vd_place overlay;
  vd_node *child; /* first entry of a mapping or sequence, in order */
  vd_node *next;  /* next sibling */
};

/* Parses a registered source; NULL after errors. An empty document is an error too. An alias becomes a copy of the
 * value of its anchor. The place of the copy is that of the alias. Keys may be quoted, so that JSON can be read. */
vd_node *vd_tree_parse(vd_arena *a, vd_diag *d, int source);
/* Returns a deep copy, without siblings; texts are shared. */
vd_node *vd_tree_copy(vd_arena *a, const vd_node *node);

/* Adds the node as YAML in one line, which reads back to the same node: plain scalars stay plain if they can be numbers
 * or words, and all others are in quotes. */
void vd_tree_write(const vd_node *node, vd_buf *out);

/* True if a value is YAML's word for none: null or ~, not in quotes. */
bool vd_node_is_null(const vd_node *node);
/* Removes the keys whose values are null from all mappings. */
void vd_tree_drop_nulls(vd_node *root);

/* Returns the child of a mapping with this key; NULL if there is none, or if `mapping` is NULL or of another kind. */
vd_node *vd_tree_get(const vd_node *mapping, const char *key);
/* Returns the item of a sequence at this index; NULL if there is none, or if `sequence` is NULL or of another kind. */
vd_node *vd_tree_item(const vd_node *sequence, size_t index);
/* Reads a part of a path as an index from 0. Returns false if it is not a number of digits without a leading zero. */
bool vd_tree_index(const char *text, size_t length, size_t *index);
/* Returns the node at a dotted path, or NULL. An index in the path names an item of a sequence ("events.1.brake"). */
vd_node *vd_tree_find(const vd_node *root, const char *path);
/* Returns the place for a message about a whole node: the value of a scalar, else the key; for a mapping that is a
 * whole file, the start of the file. */
vd_place vd_node_place(const vd_node *node);
/* Returns the place for a message about a key that the mapping lacks: the mapping that is laid over all others. */
vd_place vd_node_missing_place(const vd_node *mapping);
/* Returns the place for a message about `path`: the value if it is written, else the nearest enclosing key. */
vd_place vd_tree_place(const vd_node *root, const char *path);
/* Returns the place for a message about a key of the mapping at `path`. `key` is a printf format; an empty path is the
 * root. */
vd_place vd_tree_place_in(const vd_node *root, const char *path, const char *key, ...) VD_PRINTF(3, 4);
/* Returns the path of an item of the list at `path`. If a single item is written in place of the list, the result is
 * `path`. */
const char *vd_tree_item_path(const vd_node *root, const char *path, size_t item, vd_arena *arena);

#endif
