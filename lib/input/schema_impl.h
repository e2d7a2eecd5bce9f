/* Shared by the files schema*.c only. */
#ifndef VD_SCHEMA_IMPL_H
#define VD_SCHEMA_IMPL_H

#include "input/schema.h"

/* A file that was read; `root` is as parsed, NULL if that failed. */
typedef struct vd_schema_file {
  struct vd_schema_file *next;
  vd_file_id id; /* 0, 0: unknown, as of a pipe, which can be read only once */
  int source;
  const char *folder; /* "" or ending in '/': what its relative names start from */
  vd_node *root;
} vd_schema_file;

/* A setting. One of a key `base` replaces what the mapping's file says there, so that what lies over the file's base
 * lies over it; it is laid over the tree as others are where no file has the key. */
typedef struct vd_schema_set {
  const char *path, *base_of; /* the mapping whose base it is, "" of the root; NULL: another key */
  const vd_node *value;
  bool used, open; /* a base: it has taken its place; the file that it names is being linked */
} vd_schema_set;

typedef struct vd_schema_reader {
  vd_arena *arena;
  vd_diag *diag;
  vd_schema_file *files;
  int references; /* followed so far */
  size_t items;   /* items in lists of mappings so far */
  vd_schema_set *set;
  size_t sets, done; /* laid over the tree so far */
  bool bases;        /* some are */
  vd_buf at;         /* the path of what is being linked, if some are */
} vd_schema_reader;

/* --- rows (schema_row.c) --- */

enum { VD_SCHEMA_KEYS = 256 /* keys of one mapping, over all variants, among which suggestions are searched */ };

const vd_field *vd_schema_tag_row(const vd_schema *schema); /* NULL if there is none */
/* Index of `text` in the row's choices, or -1. */
int vd_schema_choice(const vd_field *row, const char *text);
/* Value of the tag written in a mapping, else of its default; -1 if unknown or no tag. */
int vd_schema_tag(const vd_schema *schema, const vd_node *mapping);
/* The row of a key that applies, else the first one of the key, else NULL. */
const vd_field *vd_schema_row(const vd_schema *schema, const char *key, int tag);
/* The keys of the rows that apply, of all rows where tag < 0; returns how many. */
size_t vd_schema_keys(const vd_schema *schema, int tag, const char **names);
const char *vd_schema_unit(const vd_field *row, const char *outer); /* resolves "@" */
/* Unit of a row; in lists of keys the unit above may be unknown, "@". */
const char *vd_schema_unit_below(const vd_field *row, const char *outer);
bool vd_schema_within(const vd_field *row, double x);   /* of the row's range */
void vd_schema_range(const vd_field *row, vd_buf *out); /* "> 0 and <= 1", "" if unlimited */
bool vd_schema_is_list(const vd_field *row);            /* a sequence in YAML */
bool vd_schema_has_unit(const vd_field *row);           /* one or more numbers with a unit */
/* True if a node that is no mapping may stand for {shorthand: node}. */
bool vd_schema_shorthand(const vd_schema *schema, const vd_node *node);

/* --- one value (schema_value.c) ---
 *
 * A node is decoded for a row. `label` is the key in messages: for a shorthand, the key that was written. `unit` is the
 * row's own, resolved. No message is given about a broken node. */

typedef struct vd_schema_value {
  vd_schema_reader *reader;
  vd_diag *diag;
  const vd_field *row;
  const char *label;
  const char *unit;
  const vd_node *node;
} vd_schema_value;

const char *vd_schema_excerpt(const vd_schema_value *v); /* text of a scalar for a message */
/* Reports "'mass' needs a number, " and what the file has instead; always false. */
bool vd_schema_wrong_kind(const vd_schema_value *v, const char *needs);
bool vd_schema_read_number(const vd_schema_value *v, double *number); /* finite, in SI, of any size */
bool vd_schema_in_range(const vd_schema_value *v, double number);
bool vd_schema_is_auto(const vd_schema_value *v); /* the word, where the row allows it */
/* Decodes a number, also an entry of a list, whose row is of another kind. */
void vd_schema_number(const vd_schema_value *v, double *out);
void vd_schema_integer(const vd_schema_value *v, int *out);
void vd_schema_flag(const vd_schema_value *v, bool *out);
void vd_schema_word(const vd_schema_value *v, int *out); /* one of the choices */
void vd_schema_string(const vd_schema_value *v, const char **out);
void vd_schema_file_name(const vd_schema_value *v, const char **out);

/* --- files (schema_link.c) and settings (schema_set.c) --- */

/* A node that could not be read: a scalar without text. Its errors were reported, so no function reports it again. Such
 * a node as the `base` of a mapping says that keys may be missing. */
bool vd_node_broken(const vd_node *node);

/* The default of a row, parsed now or before, for those that read the same schemas many times (vd_schema_keep). */
vd_node *vd_schema_parse_default(vd_schema_reader *r, const vd_field *row);

vd_schema_file *vd_schema_open_source(vd_schema_reader *r, int source);
/* A file name as written at `at`, from the working directory. */
const char *vd_schema_path(vd_schema_reader *r, vd_place at, const char *name);
/* Replaces file references and bases in root; `file` is the one that root came from. */
void vd_schema_link(vd_schema_reader *r, const vd_schema *schema, vd_node *root, const vd_schema_file *file);
/* As vd_schema_link, with all settings in their order. */
void vd_schema_assemble(vd_schema_reader *r, const vd_schema *schema, vd_node *root, const vd_schema_file *file,
                        const vd_setting *settings, size_t count);

/* Appends behind the last child. */
void vd_schema_append(vd_node *mapping, vd_node *child);
/* Makes a list of one of a node that stands for its only item. The item keeps the key, to which messages about it
 * point. */
void vd_schema_make_list(vd_schema_reader *r, vd_node *node);

#endif
