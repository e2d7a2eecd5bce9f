/* Measured tables: text files of numbers whose columns the reader names and unites.
 *
 * A scenario says which column of the file means what, in which unit, with which sign:
 *
 *   file: run12.csv
 *   time: {column: ET, unit: s}
 *   columns: {alpha: {column: SA, unit: deg, scale: -1}, load: {column: FZ, scale: -1}}
 *
 * These words are the same wherever a file of numbers is read: points of tyres, inputs and profiles over time, paths,
 * springs and dampers, height maps. Whoever reads one (tyre/points_def.h is an example) has a vd_measured_def in his
 * struct, a row of vd_column_schema for each quantity that he knows, and asks for them by an array of
 * vd_measured_quantity.
 *
 * Files are taken as they are: fields between commas, semicolons, tabs or blanks; decimal points or commas; lines of
 * comment, of which the last may hold the names; UTF-16; a line of units below the names, or units in
 * brackets behind them. What is found is said in a note. */
#ifndef VD_MEASURED_H
#define VD_MEASURED_H

#include "input/lines.h"
#include "base/arena.h"
#include "base/list.h"
#include "input/diag.h"
#include "input/tree.h"
#include "input/units.h"

#include <stdbool.h>
#include <stddef.h>

/* Largest magnitude of a value, in SI: differences of such, weighted by up to 1e18, squared and summed up, are numbers.
 * No quantity of a car comes near. */
#define VD_MEASURED_MAX 1e100

/* How a file is written. Stands first in the struct of whoever reads such files, so that vd_measured_rows is a group
 * of his rows; or anywhere in it, with VD_MEASURED_ROWS among them. */
typedef struct vd_measured_def {
  const char *file;    /* "": none */
  int separator;       /* enum vd_separator */
  int decimal;         /* enum vd_decimal */
  int missing;         /* enum vd_missing */
  int skip;            /* lines before the names */
  const char *comment; /* characters that begin a line of comment; "": # % and ! */
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

/* Rows of a vd_measured_def that stands first in a struct: { VD_F_GROUP(&vd_measured_rows) }. */
extern const struct vd_schema vd_measured_rows;

/* Rows of a vd_measured_def in a struct T: `in` is the path to it with its last point (curve.table.), `when` the set of
 * tag values for which they exist, or 0, `what` the help of the file. */
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
    VD_F_STRING(T, in comment, "comment", "\"\"", "characters that begin a line of comment; empty: # % and !"),        \
        .example = "\"#\"", .flags = VD_OMIT_DEFAULT, .only = (when)                                                   \
  }
extern const char *const vd_separator_names[], *const vd_decimal_names[], *const vd_missing_names[];

/* What the reader says of one quantity. The value is scale x number + offset, in the unit. */
typedef struct vd_column_def {
  const char *column; /* "": one of its usual names, if the file has it */
  const char *unit;   /* "": that of the file, or SI if the file says none */
  double scale;       /* NAN: 1 */
  double offset;      /* in the unit; NAN: 0 */
} vd_column_def;

/* A scalar is the name of the column. */
extern const struct vd_schema vd_column_schema;

/* The row of a column in a struct T of such. */
#define VD_F_COLUMN(T, m, k, u, text)                                                                                  \
  VD_F_STRUCT(T, m, vd_column_def, k, u, &vd_column_schema, VD_OMIT_DEFAULT, "{}", text)

/* Nothing is said. */
#define VD_NO_FILE   ((vd_measured_def){.file = "", .comment = ""})
#define VD_NO_COLUMN ((vd_column_def){"", "", NAN, NAN})
bool vd_column_is_given(const vd_column_def *column_def);

enum vd_column_need {
  VD_COLUMN_OPTIONAL,
  VD_COLUMN_NEEDED,
  /* if it is not named: what the others leave, if they leave as many columns as there are such quantities */
  VD_COLUMN_REST
};

/* A quantity that is looked for. */
typedef struct vd_measured_quantity {
  const char *key;          /* path of its vd_column_def below that of the file, for messages: "columns.alpha" */
  const char *unit;         /* SI; "1": none; NULL: its fields are words, not numbers */
  const char *const *names; /* usual names of its column, NULL-terminated; unless the file says its unit, that is
                             * what stands behind the last underscore, if it fits ("toe_deg"), else SI */
  const vd_column_def *column_def;
  int need; /* enum vd_column_need */
} vd_measured_quantity;

/* A table in SI. */
typedef struct vd_measured {
  size_t rows, count, columns; /* columns: of the file */
  double *const *value;        /* [count][rows], in the order of what was wanted; NULL: the file has no such column */
  const char *const *const *text; /* words likewise: [count][rows]; NULL for numbers */
  const bool *stated;             /* [count]: its unit is given, by the file or the reader */
  /* for vd_measured_place */
  int source;
  const size_t *offset; /* [rows], bytes before each row */
  const int *field;     /* [count], index of the field in the row, or -1 */
  char separator;
} vd_measured;

/* Reads a registered source. root: the tree of the scenario; path: the mapping that has the key `file`. Errors point
 * into the file, or to what names its columns: no names, a column or unit that is not there or does not fit, ragged
 * rows, fields that are no numbers, missing values (unless rows without them are to be omitted). Everything in *out
 * belongs to the arena. */
bool vd_measured_read_source(const vd_measured_def *def, int source, const vd_node *root, const char *path,
                             const vd_measured_quantity *want, size_t count, vd_arena *arena, vd_diag *d,
                             vd_measured *out);

/* Registers a file to be read: a regular one of at most 1 GiB. False after an error at `at`. */
bool vd_measured_load(const char *path, vd_place at, vd_diag *d, int *source);

/* Both: reads the file that the def names. */
bool vd_measured_read(const vd_measured_def *def, const vd_node *root, const char *path,
                      const vd_measured_quantity *want, size_t count, vd_arena *arena, vd_diag *d, vd_measured *out);

/* Whether the values of a quantity rise from row to row; false after an error at the first that does not. what: the
 * quantity, with its unit in SI: "time", "s". */
bool vd_measured_rises(const vd_measured *m, size_t wanted, const char *what, const char *unit, vd_diag *d);

/* Two quantities as points. */
vd_points vd_measured_points(const vd_measured *m, size_t x, size_t y, vd_arena *arena);

/* The place of a value in the file. */
vd_place vd_measured_place(const vd_measured *m, const vd_diag *d, size_t row, size_t wanted);

/* Reads a unit as files write it: as vd_unit_parse does, and "-", "sec", "degree", "N-m" and the like. */
bool vd_measured_unit(const char *text, size_t length, vd_unit *unit);

/* The factor to SI of a column: by the unit that the scenario gives (at `said`), else by the file's unit (at
 * `written`), else 1. In accelerations g is the standard gravity. False after an error: no unit, or not of the
 * dimension of `si`. A scenario's unit that differs from the file's is a warning. */
typedef struct vd_unit_words {
  const char *text; /* "": none */
  vd_place at;
} vd_unit_words;
bool vd_measured_factor(const char *name, const char *si, vd_unit_words column_def, vd_unit_words written, vd_diag *d,
                        vd_unit *unit);

/* A number with a decimal point, or with a comma; false: it is none. */
bool vd_measured_number(vd_slice p, bool comma, double *value);

/* Whether a field stands for a value that is not there: empty, nan, na, notavail, in any case of letters. */
bool vd_measured_is_missing(vd_slice p);

#endif
