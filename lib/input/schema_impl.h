/* Functions and structs that only the files schema*.c use. */
#ifndef VD_SCHEMA_IMPL_H
#define VD_SCHEMA_IMPL_H

#include "input/schema.h"

/* A file that was read. root: its tree as parsed, before references are replaced; NULL if parsing failed. */
typedef struct vd_schema_file {
  struct vd_schema_file *next;
  vd_file_id id; /* 0, 0: unknown, for a pipe, which can be read only once */
  int source;
  const char *folder; /* folder to which its file names are relative, "" or ending in '/' */
  vd_node *root;
} vd_schema_file;

/* A setting that was read. A setting of a key `base` takes effect while files are linked: it replaces the base that the
 * file names, and the keys of the mapping override those of the new base. If no file contains this mapping, the setting
 * is laid over the tree like other settings. */
typedef struct vd_schema_set {
  /* base_of: path of the mapping whose `base` is set, "" for the root; NULL: another key is set */
  const char *path, *base_of;
  const vd_node *value;
  bool used, open; /* for a base: it has taken effect; the file that it names is being linked */
} vd_schema_set;

/* A mapping as it was when its source was read first, for readings of the same source with other settings. */
typedef struct vd_kept_row vd_kept_row;
typedef struct vd_kept {
  int tag;
  bool whole;       /* neither this mapping nor one below it has lists, so that its bytes contain all of it */
  vd_kept_row *row; /* the rows that apply, in their order; NULL: the mapping is not kept */
} vd_kept;

struct vd_kept_row {
  const vd_node *node; /* NULL: the mapping lacked the key, or the row is a list */
  vd_kept *inner;      /* the kept mapping of a VD_STRUCT; else NULL */
};

typedef struct vd_schema_reader {
  vd_arena *arena;
  vd_diag *diag;
  vd_schema_file *files;
  int references; /* number of references followed so far */
  size_t items;   /* number of items in lists of mappings so far */
  vd_schema_set *set;
  size_t sets, done; /* number of settings; number of them laid over the tree so far */
  bool bases;        /* some settings are of a key `base` */
  vd_buf at;         /* if `bases`: path of the mapping that is being linked */
  vd_kept *kept;     /* of the mapping that is being decoded; NULL: none */
  bool keeps;        /* `kept` is being filled */
} vd_schema_reader;

/* --- rows (schema_row.c) --- */

enum { VD_SCHEMA_KEYS = 256 /* keys of one mapping, over all variants, among which suggestions are searched */ };

const vd_field *vd_schema_tag_row(const vd_schema *schema); /* NULL if there is none */
/* Returns the index of `text` in the row's choices, or -1. */
int vd_schema_choice(const vd_field *row, const char *text);
/* Returns the value of the tag in a mapping, or its default if it is not written; -1 if the value is unknown, or there
 * is no tag. */
int vd_schema_tag(const vd_schema *schema, const vd_node *mapping);
/* Returns the row of a key that applies for the tag, else the first row of the key, else NULL. */
const vd_field *vd_schema_row(const vd_schema *schema, const char *key, int tag);
/* Lists the keys of the rows that apply, or of all rows if tag < 0. Returns their number. */
size_t vd_schema_keys(const vd_schema *schema, int tag, const char **names);
const char *vd_schema_unit(const vd_field *row, const char *outer); /* resolves "@" */
/* Returns the unit of a row, like vd_schema_unit; but `outer` may be "@" (an unknown unit), as in the list of keys. */
const char *vd_schema_unit_below(const vd_field *row, const char *outer);
bool vd_schema_within(const vd_field *row, double x);   /* true if x is in the row's range */
void vd_schema_range(const vd_field *row, vd_buf *out); /* "> 0 and <= 1", "" if unlimited */
bool vd_schema_is_list(const vd_field *row);            /* true if its value is a sequence in YAML */
bool vd_schema_has_unit(const vd_field *row);           /* true for one or more numbers with a unit */
/* True if a node that is not a mapping may stand for {shorthand: node}. */
bool vd_schema_shorthand(const vd_schema *schema, const vd_node *node);

/* --- one value (schema_value.c) ---
 *
 * A node is decoded for a row. `label` is the key that messages name; for a shorthand it is the key that the user
 * wrote. `unit` is the unit of the row, with "@" resolved. A broken node (vd_node_broken) gets no message. */

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
/* Reads a finite number in SI, without a check of the range. */
bool vd_schema_read_number(const vd_schema_value *v, double *number);
bool vd_schema_in_range(const vd_schema_value *v, double number);
bool vd_schema_is_auto(const vd_schema_value *v); /* true for the word `auto`, if the row allows it */
/* Decodes a number. It may be an entry of a list, whose row is not a VD_NUMBER. */
void vd_schema_number(const vd_schema_value *v, double *out);
void vd_schema_integer(const vd_schema_value *v, int *out);
void vd_schema_flag(const vd_schema_value *v, bool *out);
void vd_schema_word(const vd_schema_value *v, int *out); /* one of the choices */
void vd_schema_string(const vd_schema_value *v, const char **out);
void vd_schema_file_name(const vd_schema_value *v, const char **out);

/* --- what is kept between readings (schema_keep.c) --- */

/* Parse a source, and the default of a row, to a tree. While files are kept (vd_schema_keep), each is parsed only
 * once. */
vd_node *vd_schema_parse(vd_schema_reader *r, const vd_schema_file *f);
vd_node *vd_schema_parse_default(vd_schema_reader *r, const vd_field *row);

/* Finds a file in a list by its identity; NULL if the list lacks it, or the identity is unknown. */
vd_schema_file *vd_schema_find_file(vd_schema_file *f, vd_file_id id);
/* Find a kept file by its identity, or by the name under which it was read; NULL if no such file is kept. */
const vd_schema_file *vd_schema_kept_id(const vd_diag *d, vd_file_id id);
const vd_schema_file *vd_schema_kept_path(const vd_diag *d, const char *path);

/* Begins to decode an object: sets r->kept and r->keeps. Returns the bytes of the object that was kept for the source,
 * or NULL. */
const void *vd_schema_kept(vd_schema_reader *r, const vd_schema *schema, int source);
/* Keeps an object that was decoded without a message, before anything else changes it. */
void vd_schema_keep_object(const vd_schema_reader *r, const vd_schema *schema, int source, vd_kept *mapping,
                           const void *object);
/* Fill a kept mapping. vd_schema_keep_rows sets its tag; it returns NULL, and keeps nothing, if rows share bytes.
 * Before a row is decoded, vd_schema_keep_row keeps the node of the row. Afterwards vd_schema_kept_row notes whether
 * the mapping is still whole. */
vd_kept *vd_schema_keep_rows(const vd_schema_reader *r, const vd_schema *schema, int tag, vd_kept *out);
void vd_schema_keep_row(const vd_schema_reader *r, const vd_field *row, const vd_node *mapping, vd_kept_row *out);
void vd_schema_kept_row(const vd_field *row, const void *at, const vd_kept_row *kept, vd_kept *out);
/* True if the bytes of a row are those of the kept object, because its node is the same. */
bool vd_schema_is_kept(const vd_field *row, const vd_node *mapping, const vd_kept_row *kept);

/* --- files (schema_link.c) and settings (schema_set.c) --- */

/* True if a node stands for something that could not be read; it is a scalar without text. Its errors were reported, so
 * no function reports it again. If the `base` of a mapping is such a node, missing keys of the mapping are not
 * reported. */
bool vd_node_broken(const vd_node *node);

vd_schema_file *vd_schema_open_source(vd_schema_reader *r, int source);
/* Returns the path, relative to the working directory, of a file whose name is written at `at`. */
const char *vd_schema_path(vd_schema_reader *r, vd_place at, const char *name);
/* Replaces file references and bases in root; `file` is the file from which root came. */
void vd_schema_link(vd_schema_reader *r, const vd_schema *schema, vd_node *root, const vd_schema_file *file);
/* Does the work of vd_schema_link and applies all settings in their order. */
void vd_schema_assemble(vd_schema_reader *r, const vd_schema *schema, vd_node *root, const vd_schema_file *file,
                        const vd_setting *settings, size_t count);

/* Appends a child behind the last one. */
void vd_schema_append(vd_node *mapping, vd_node *child);
/* Replaces a node that stands for the only item of a list by a list of this item. The item keeps the key, to which
 * messages about it point. */
void vd_schema_make_list(vd_schema_reader *r, vd_node *node);

#endif
