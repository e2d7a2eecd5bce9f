/* YAML to structs and back by tables of fields.
 *
 * One row contains all that is known about a key: member, type, unit, range, default, help. The reader, the defaults,
 * the resolved file, --list-keys and the manual pages all use the same rows.
 *
 * Files: a scalar in place of a VD_FILE mapping names a file, relative to the folder of the file that contains the
 * scalar. The mapping of a file, and any mapping of a VD_FILE row, may have a key `base`. The file that it names is
 * read first; the keys of the mapping then override its keys. Mappings merge key by key; scalars, sequences, file
 * references and mappings with another tag value replace.
 *
 * Settings: the path of a setting may lead into the contents of a file. If it leads through a scalar that is a
 * shorthand (steer: 0.02), the scalar first becomes a mapping ({value: 0.02}). Items of a given list are named by their
 * index from 0 (events.1.brake=0.5). A mapping as the value of a setting replaces; file names in a setting are relative
 * to the working directory. */
#ifndef VD_SCHEMA_H
#define VD_SCHEMA_H

#include "input/diag.h"
#include "base/list.h"
#include "base/text.h"
#include "input/tree.h"

#include <stdbool.h>
#include <stddef.h>

enum vd_field_kind {
  VD_NUMBER,  /* double: a bare number, which is in SI, or a number with a unit */
  VD_INTEGER, /* int, with range */
  VD_FLAG,    /* bool: true or false */
  VD_CHOICE,  /* int: index into `choices` */
  VD_STRING,  /* const char * (arena) */
  VD_PATH,    /* const char *: file name, relative to the folder of the file that contains it */
  VD_STRUCT,  /* nested struct with its own schema */
  VD_LIST,    /* vd_names: sequence of strings; a scalar is a list of one */
  VD_POINTS,  /* vd_points: sequence of [x, y] pairs, x strictly rising unless VD_ANY_ORDER */
  VD_NUMBERS, /* vd_numbers: sequence of numbers, with range and unit like VD_NUMBER; a scalar is a list of one */
  VD_STRUCTS, /* vd_structs of sub->size bytes each: sequence of mappings by `sub`; a mapping is a list of one */
  VD_VECTOR,  /* double[3]: a sequence of three numbers, each with range and unit like VD_NUMBER; auto: three NAN */
  /* no key: the rows of `sub` stand here in place of this row; their offsets are those of the outer struct */
  VD_GROUP,
};

enum {
  VD_ABOVE = 1,      /* lo itself is excluded */
  VD_BELOW = 2,      /* hi itself is excluded */
  VD_AUTO = 4,       /* the word `auto` is allowed and stored as NAN: computed by the checks */
  VD_FILE = 8,       /* VD_STRUCT, items of VD_STRUCTS: a scalar names a file that contains the mapping */
  VD_ANY_ORDER = 16, /* VD_POINTS: x need not rise, for points in the plane */
  /* the resolved file omits the key if its value is auto, empty, 0, false or the first choice. It omits a VD_STRUCT if
   * it omits all its keys, or if its tag is the first choice */
  VD_OMIT_DEFAULT = 32,
  VD_KEYS = 128, /* VD_LIST: the items are dotted keys of the mapping in which the list stands */
  /* VD_NUMBER: any dimension is read; the caller, who knows the dimension, calls vd_schema_number_fits */
  VD_ANY_UNIT = 64,
  VD_VALUES = 512,     /* VD_LIST: the items are any values, each kept as its YAML text in one line */
  VD_IDENTIFIES = 256, /* a file that has this key belongs to this schema: see vd_schema_identifies */
};

typedef struct vd_schema vd_schema;

typedef struct vd_field {
  const char *key;
  enum vd_field_kind kind;
  size_t offset;
  const char *unit; /* SI unit of the member; "1": none; "@": the unit of the enclosing row */
  double lo, hi;    /* range of numbers; for VD_POINTS the range of y, with VD_ANY_ORDER of x, too */
  unsigned flags;
  unsigned only;              /* set of VD_WHEN(tag value) for which the row exists; 0: always */
  const char *def;            /* default as YAML text ("80 km/h", "auto", "{}"); NULL: required */
  const char *const *choices; /* NULL-terminated */
  const vd_schema *sub;
  const char *help;    /* one line for --list-keys and the manual */
  const char *x_unit;  /* unit of x for VD_POINTS; NULL: "s"; "@": the unit of y */
  const char *example; /* a valid value as YAML text; NULL: vd_schema_example makes one */
  const char *also;    /* synonyms of the key that people write, with blanks around each; NULL: none */
} vd_field;

struct vd_schema {
  const char *name; /* noun for the mapping in messages, such as "vehicle" or "axle" */
  size_t size;
  const vd_field *field;
  size_t count;
  const char *tag; /* key of the VD_CHOICE that `only` refers to; NULL: none */
  /* A scalar in place of the mapping sets this key; if the key is a list of any kind, a sequence does so, too. NULL:
   * the mapping has no shorthand. For a VD_FILE row a scalar names a file. */
  const char *shorthand;
};

/* Initialises the rows of a schema whose struct is T from an array of rows. */
#define VD_SCHEMA_ROWS(T, rows) .size = sizeof(T), .field = (rows), .count = VD_COUNT(rows)

/* A tagged union in YAML: the tag's row is a VD_CHOICE, and rows with `only` fill the members of the union. The rows of
 * one variant can stand in the variant's own file, in a schema of which only `field` and `count` are used; a VD_GROUP
 * row of the union's schema refers to it. Members of rows that do not apply remain zero bytes. */
#define VD_WHEN(tag_value) (1u << (unsigned)(tag_value))

/* The member's C type is checked against the kind when the table is compiled. */
#define VD_AT(T, member, type) .offset = offsetof(T, member) + 0 * sizeof(_Generic(((T *)0)->member, type : 0))

#define VD_F_NUMBER(T, m, k, u, l, h, fl, d, text)                                                                     \
  .key = (k), .kind = VD_NUMBER, VD_AT(T, m, double), .unit = (u), .lo = (l), .hi = (h), .flags = (fl), .def = (d),    \
  .help = (text)
/* A number of any size; the caller knows its unit. auto: no number is given. */
#define VD_F_ANY_NUMBER(T, m, k, text)                                                                                 \
  VD_F_NUMBER(T, m, k, "1", -INFINITY, INFINITY, VD_AUTO | VD_OMIT_DEFAULT | VD_ANY_UNIT, "auto", text)
#define VD_F_INTEGER(T, m, k, l, h, d, text)                                                                           \
  .key = (k), .kind = VD_INTEGER, VD_AT(T, m, int), .unit = "1", .lo = (l), .hi = (h), .def = (d), .help = (text)
#define VD_F_FLAG(T, m, k, d, text)                                                                                    \
  .key = (k), .kind = VD_FLAG, VD_AT(T, m, bool), .unit = "1", .def = (d), .help = (text)
#define VD_F_CHOICE(T, m, k, c, d, text)                                                                               \
  .key = (k), .kind = VD_CHOICE, VD_AT(T, m, int), .unit = "1", .choices = (c), .def = (d), .help = (text)
#define VD_F_STRING(T, m, k, d, text)                                                                                  \
  .key = (k), .kind = VD_STRING, VD_AT(T, m, const char *), .unit = "1", .def = (d), .help = (text)
#define VD_F_PATH(T, m, k, d, text)                                                                                    \
  .key = (k), .kind = VD_PATH, VD_AT(T, m, const char *), .unit = "1", .def = (d), .help = (text)
#define VD_F_STRUCT(T, m, type, k, u, s, fl, d, text)                                                                  \
  .key = (k), .kind = VD_STRUCT, VD_AT(T, m, type), .unit = (u), .sub = (s), .flags = (fl), .def = (d), .help = (text)
#define VD_F_GROUP(s) .key = "", .kind = VD_GROUP, .sub = (s)
#define VD_F_LIST(T, m, k, d, text)                                                                                    \
  .key = (k), .kind = VD_LIST, VD_AT(T, m, vd_names), .unit = "1", .def = (d), .help = (text)
/* A list of the keys of its mapping whose values are estimates. Unlike marks or comments beside the numbers, a list is
 * kept by every reader of YAML, and stands in the resolved file. */
#define VD_F_ESTIMATES(T, m)                                                                                           \
  VD_F_LIST(T, m, "estimates", "[]", "keys whose values are estimates, by rules of thumb; --check counts them"),       \
      .flags = VD_KEYS | VD_OMIT_DEFAULT
#define VD_F_POINTS(T, m, k, u, l, h, d, text)                                                                         \
  .key = (k), .kind = VD_POINTS, VD_AT(T, m, vd_points), .unit = (u), .lo = (l), .hi = (h), .def = (d), .help = (text)

#define VD_F_CORNERS(T, m, k, u, l, h, d, text)                                                                        \
  VD_F_POINTS(T, m, k, u, l, h, d, text), .x_unit = (u), .flags = VD_ANY_ORDER
#define VD_F_NUMBERS(T, m, k, u, l, h, fl, d, text)                                                                    \
  .key = (k), .kind = VD_NUMBERS, VD_AT(T, m, vd_numbers), .unit = (u), .lo = (l), .hi = (h), .flags = (fl),           \
  .def = (d), .help = (text)
#define VD_F_STRUCTS(T, m, k, u, s, d, text)                                                                           \
  .key = (k), .kind = VD_STRUCTS, VD_AT(T, m, vd_structs), .unit = (u), .sub = (s), .def = (d), .help = (text)

#define VD_F_VECTOR(T, m, k, u, l, h, fl, d, text)                                                                     \
  .key = (k), .kind = VD_VECTOR, VD_AT(T, m, double *), .unit = (u), .lo = (l), .hi = (h), .flags = (fl), .def = (d),  \
  .help = (text)

/* A walk over the rows of a schema, including the rows of its groups: start with {.schema = {schema}}. */
typedef struct vd_schema_walk {
  const vd_schema *schema[2];
  size_t at[2];
  int depth;
} vd_schema_walk;

/* Returns the next row, or NULL at the end. */
const vd_field *vd_schema_next(vd_schema_walk *walk);

/* Returns the value of the tag in an object, or -1 if the schema has no tag. */
int vd_schema_object_tag(const vd_schema *schema, const void *object);

/* True if a parsed file contains a key whose row has the flag VD_IDENTIFIES. The row may be in this schema or in that
 * of a nested struct. */
bool vd_schema_identifies(const vd_schema *schema, const vd_node *file);

/* True if a row applies for a value of the tag. */
bool vd_schema_applies(const vd_field *row, int tag);

/* A KEY=VALUE from the command line. VALUE is YAML text. */
typedef struct vd_setting {
  const char *text;
  /* folder to which its file names are relative, "" or ending in '/'; NULL: the working directory */
  const char *folder;
  const char *option; /* option that messages name, such as "-c"; NULL: --set KEY */
  bool list;          /* VALUE is not YAML but a list of texts with commas between them */
} vd_setting;

/* Makes the setting KEY=VALUE for a number in SI, without rounding. Its text is in the arena. */
vd_setting vd_setting_of_number(vd_arena *arena, const char *key, double value);

/* Reads `path` ("-": standard input), replaces file references and `base:` mappings by their contents, applies the
 * settings in order, and fills *out (schema->size bytes). All errors of all files are collected in d; returns false if
 * there was an error. *root (`root` may be NULL) is the complete tree without defaults, for vd_tree_place; NULL after
 * errors. Everything allocated, texts in *out included, belongs to the arena. Members whose row does not apply are
 * zero. */
bool vd_schema_read(const vd_schema *schema, const char *path, const vd_setting *settings, size_t count,
                    vd_arena *arena, vd_diag *d, void *out, vd_node **root);

/* Does the same as vd_schema_read with a registered source. Relative file names start at the folder in the name of the
 * source. */
bool vd_schema_read_source(const vd_schema *schema, int source, const vd_setting *settings, size_t count,
                           vd_arena *arena, vd_diag *d, void *out, vd_node **root);

/* Keeps parsed files and decoded objects for a scenario that is read many times with other settings. Files that are
 * read from now on are parsed only once for this diag. If the first reading of a source had no messages, later readings
 * of the source decode only what differs. All is kept in the arena, which must live as long as the diag is used for
 * reading; the first reading must use the same arena. arena NULL: what was kept is still used, but nothing more is
 * kept, so that the diag can be rewound (vd_diag_rewind). */
void vd_schema_keep(vd_diag *d, vd_arena *arena);

/* Registers the contents of a file ("-": standard input), to be read with vd_schema_read_source. */
bool vd_schema_slurp(const char *path, vd_diag *d, int *source);

/* The row that describes a number in a tree. */
typedef struct vd_number_row {
  const vd_field *row;
  const char *unit; /* its unit, with "@" resolved */
} vd_number_row;

/* Finds the row of the number that a setting with this dotted path would change; the tree determines which variants
 * apply. Returns false after an error, which points to `at`: the key does not exist, or it is not a number. */
bool vd_schema_find_number(const vd_schema *schema, const vd_node *root, const char *path, vd_place at, vd_diag *d,
                           vd_number_row *out);

/* True if the value of a setting with this path can be a text or a word. False if the key is a list, or a mapping that
 * cannot be a file. True for an unknown key. */
bool vd_schema_takes_text(const vd_schema *schema, const vd_node *root, const char *path);

/* True if a node is a number that fits the unit of a row and, if `range`, its range. Errors call the number `label`.
 * *value is set to the number in SI; `value` may be NULL. */
bool vd_schema_number_fits(const vd_number_row *number, const char *label, const vd_node *node, bool range,
                           vd_arena *arena, vd_diag *d, double *value);

/* Returns the number at a dotted path in a struct that was read, and its row; NULL if the path leads to no number.
 * Paths lead to items of lists of mappings ("events.1.time"), not into other lists. */
double *vd_schema_number_at(const vd_schema *schema, void *object, const char *path, const vd_field **row);
/* Returns the row at a dotted path, which may be the row of a mapping; NULL if no row applies. */
const vd_field *vd_schema_row_at(const vd_schema *schema, const void *object, const char *path);
/* True if there is a row at this path, for the variant in use or for another one. */
bool vd_schema_knows(const vd_schema *schema, const void *object, const char *path);
/* Writes the full paths of all keys in the lists of VD_F_ESTIMATES of a struct, one a line, and returns their number.
 * The items of a list of mappings are counted from 0. */
size_t vd_schema_estimates(const vd_schema *schema, const void *object, const char *prefix, vd_buf *out);
/* Writes the paths of all numbers that vd_schema_number_at finds, at most `most`, each behind `prefix`. Returns the
 * number of paths. */
size_t vd_schema_number_names(const vd_schema *schema, const void *object, const char *prefix, vd_arena *arena,
                              size_t most, const char **name);

/* Writes every field in SI as YAML that reads back to the same struct and the same bytes. */
void vd_schema_write(const vd_schema *schema, const void *object, vd_buf *out);

/* Writes one line per key, tab-separated: path, type, unit, range or choices, default or "required", help, when the key
 * applies ("type=step|ramp", empty: always), and an example. The line of a mapping precedes the lines of its keys. The
 * keys of the mappings of a list `events` have paths that begin with `events[]`. Within a mapping the order is: the
 * tag, keys of all variants, keys of several variants, keys of a single variant; in each group the required keys come
 * first.
 *
 * A mapping that stands below several keys is listed once, at the end, under the name of its schema in capitals. The
 * lines of these keys have this name as their type. `path` selects what is listed: one key with all keys below it, or a
 * mapping by its name in capitals; NULL: everything. Returns false if there is no such key or name. */
bool vd_schema_list(const vd_schema *schema, const char *path, vd_buf *out);
/* Writes lines as vd_schema_list does, for every path that a setting may have: shared mappings are repeated at each of
 * their keys. */
void vd_schema_list_full(const vd_schema *schema, vd_buf *out);

/* Writes one value that is valid for a row of a schema. unit: the unit of the row, with "@" resolved. */
void vd_schema_example(const vd_schema *schema, const vd_field *row, const char *unit, vd_buf *out);

#endif
