/* Measured tables: text files of numbers. A scenario says which column is which quantity, and in which unit.
 *
 * For example:
 *
 *   file: run12.csv
 *   time: {column: ET, unit: s}
 *   columns: {alpha: {column: SA, unit: deg, scale: -1}, load: {column: FZ, scale: -1}}
 *
 * These keys are the same wherever a file of numbers is read: points of tyres, inputs and profiles over time, paths,
 * springs and dampers, height maps. The struct of a reader (tyre/points_def.h is an example) contains a
 * vd_measured_def, and a vd_column_def with its row of vd_column_schema for each quantity. An array of
 * vd_measured_quantity says which quantities are to be read.
 *
 * Files have any form that input/separated.h reads, with decimal points or commas. A note reports what was found. */
#ifndef VD_MEASURED_H
#define VD_MEASURED_H

#include "base/arena.h"
#include "base/list.h"
#include "input/diag.h"
#include "input/separated.h"
#include "input/tree.h"

#include <stdbool.h>
#include <stddef.h>

/* Largest magnitude of a value, in SI. Differences of such values, weighted by up to 1e18, squared and summed up, are
 * still finite. No quantity of a car comes near. */
#define VD_MEASURED_MAX 1e100

/* The name of a file and how it is written. As the first member of a reader's struct it gets its rows from the group
 * vd_measured_rows. At another place in the struct it gets them from VD_MEASURED_ROWS. */
typedef struct vd_measured_def {
  const char *file;    /* "": none */
  int separator;       /* enum vd_separator */
  int decimal;         /* enum vd_decimal */
  int missing;         /* enum vd_missing */
  int skip;            /* lines before the names */
  const char *comment; /* characters that begin a line of comment; "": # % ! and // */
} vd_measured_def;

enum vd_separator {
  VD_SEPARATOR_AUTO,
  VD_SEPARATOR_COMMA,
  VD_SEPARATOR_SEMICOLON,
  VD_SEPARATOR_TAB,
  VD_SEPARATOR_BLANK
};
enum vd_decimal { VD_DECIMAL_AUTO, VD_DECIMAL_POINT, VD_DECIMAL_COMMA };
enum vd_missing { VD_MISSING_ERROR, VD_MISSING_OMIT };

/* Rows of a vd_measured_def that is the first member of a struct: { VD_F_GROUP(&vd_measured_rows) }. */
extern const struct vd_schema vd_measured_rows;

/* Rows of a vd_measured_def in a struct T. in: the path to the def, which ends with a point (curve.table.); when: the
 * set of tag values for which the rows exist, or 0; what: the help of the key `file`. */
#define VD_MEASURED_ROWS(T, in, when, what)                                                                            \
  {VD_F_PATH(T, in file, "file", "\"\"", what), .only = (when)},                                                       \
      {VD_F_CHOICE(T, in separator, "separator", vd_separator_names, "auto",                                           \
                   "what stands between fields; auto: the first of tab, semicolon and comma that is in the line of "   \
                   "names, else blanks"),                                                                              \
       .flags = VD_OMIT_DEFAULT, .only = (when)},                                                                      \
      {VD_F_CHOICE(T, in decimal, "decimal", vd_decimal_names, "auto",                                                 \
                   "decimal point or comma; auto: comma if a number that is used has one"),                            \
       .flags = VD_OMIT_DEFAULT, .only = (when)},                                                                      \
      {VD_F_CHOICE(T, in missing, "missing", vd_missing_names, "error",                                                \
                   "what is done with a row in which a value that is used is missing (empty, NaN, NA): it is an "      \
                   "error, or it is omitted"),                                                                         \
       .flags = VD_OMIT_DEFAULT, .only = (when)},                                                                      \
      {VD_F_INTEGER(T, in skip, "skip", 0, 1000000, "0", "lines before the line of names"), .flags = VD_OMIT_DEFAULT,  \
       .only = (when)},                                                                                                \
  {                                                                                                                    \
    VD_F_STRING(T, in comment, "comment", "\"\"", "characters that begin a line of comment; empty: # % ! and //"),     \
        .example = "\"#\"", .flags = VD_OMIT_DEFAULT, .only = (when)                                                   \
  }
extern const char *const vd_separator_names[], *const vd_decimal_names[], *const vd_missing_names[];

/* The keys of one quantity, which say where its values stand. A value is scale x number + offset, in the unit. */
typedef struct vd_column_def {
  const char *column; /* "": the column with one of the usual names of the quantity, if the file has such a column */
  const char *unit;   /* "": the unit that the file gives, else SI */
  double scale;       /* NAN: 1 */
  double offset;      /* in the unit; NAN: 0 */
} vd_column_def;

/* A scalar in place of the mapping is the name of the column. */
extern const struct vd_schema vd_column_schema;

/* The row of a vd_column_def that is a member of a struct T. */
#define VD_F_COLUMN(T, m, k, u, text)                                                                                  \
  VD_F_STRUCT(T, m, vd_column_def, k, u, &vd_column_schema, VD_OMIT_DEFAULT, "{}", text)

/* Values for readers whose scenario has no such keys: no file, and a column without any key. */
#define VD_NO_FILE   ((vd_measured_def){.file = "", .comment = ""})
#define VD_NO_COLUMN ((vd_column_def){"", "", NAN, NAN})
bool vd_column_is_given(const vd_column_def *column_def);

enum vd_column_need {
  VD_COLUMN_OPTIONAL,
  VD_COLUMN_NEEDED,
  /* without a name: one of the columns that no other quantity uses, if there are as many as such quantities */
  VD_COLUMN_REST
};

/* A quantity that is to be read. */
typedef struct vd_measured_quantity {
  const char *key;  /* path of its vd_column_def below that of the file, for messages: "columns.alpha" */
  const char *unit; /* SI unit; "1": no unit; NULL: its fields are words, not numbers */
  /* usual names of its column, NULL-terminated. If the file gives no unit, the part of the name behind the last
   * underscore is the unit, if its dimension fits ("toe_deg"); else the unit is SI */
  const char *const *names;
  const vd_column_def *column_def;
  int need; /* enum vd_column_need */
} vd_measured_quantity;

/* A table in SI. */
typedef struct vd_measured {
  size_t rows, count, columns;    /* columns: number of columns of the file */
  const char *const *name;        /* [columns], names of all columns, without their units */
  double *const *value;           /* [count][rows], in the order of the quantities; NULL: the file has no such column */
  const char *const *const *text; /* [count][rows], the fields of quantities that are words; NULL for numbers */
  const char *const *unit; /* [count]: unit as the scenario or the file gives it; "": neither gives one, so it is SI */
  /* for vd_measured_place */
  int source;
  const size_t *offset; /* [rows], bytes before each row */
  const int *field;     /* [count], index of the field in the row, or -1 */
  char separator;
} vd_measured;

/* Reads a registered source. root: the tree of the scenario; path: the mapping that has the key `file`. Errors point
 * into the file, or to the key that names a column: the file has no names, a column or unit is missing or does not fit,
 * rows differ in length, a field is not a number, a value is missing (unless such rows are to be omitted). Everything
 * in *out belongs to the arena. */
bool vd_measured_read_source(const vd_measured_def *def, int source, const vd_node *root, const char *path,
                             const vd_measured_quantity *want, size_t count, vd_arena *arena, vd_diag *d,
                             vd_measured *out);

/* Registers a regular file of at most 1 GiB as a source. Returns false after an error, which points to `at`. */
bool vd_measured_load(const char *path, vd_place at, vd_diag *d, int *source);

/* Registers and reads the file that the def names. */
bool vd_measured_read(const vd_measured_def *def, const vd_node *root, const char *path,
                      const vd_measured_quantity *want, size_t count, vd_arena *arena, vd_diag *d, vd_measured *out);

/* True if the values of a quantity rise from row to row. Otherwise it reports an error at the first row whose value
 * does not rise. what, unit: name and SI unit of the quantity: "time", "s". */
bool vd_measured_rises(const vd_measured *m, size_t wanted, const char *what, const char *unit, vd_diag *d);

/* Returns two quantities as points (x, y). */
vd_points vd_measured_points(const vd_measured *m, size_t x, size_t y, vd_arena *arena);

/* Returns the place of a value in the file. */
vd_place vd_measured_place(const vd_measured *m, const vd_diag *d, size_t row, size_t wanted);

/* A unit as it is written, and its place. */
typedef struct vd_unit_words {
  const char *text; /* "": none */
  vd_place at;
} vd_unit_words;
/* Finds the unit of a column: the unit that the scenario gives (column_def), else the unit that the file gives
 * (written), else SI. For accelerations, g is the standard gravity. Returns false after an error: the unit is unknown,
 * or its dimension differs from that of `si`. If scenario and file give different units, a warning follows. */
bool vd_measured_factor(const char *name, const char *si, vd_unit_words column_def, vd_unit_words written, vd_diag *d,
                        vd_unit *unit);

#endif
