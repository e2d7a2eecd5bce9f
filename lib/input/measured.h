/* Measured tables: text files of numbers whose columns the reader names and unites.
 *
 * A scenario says which column of the file means what, in which unit, with which sign:
 *
 *   file: run12.csv
 *   time: {column: ET, unit: s}
 *   columns: {alpha: {column: SA, unit: deg, scale: -1}, load: {column: FZ, scale: -1}}
 *
 * These words are the same wherever a measured file is read. Whoever reads one (tyre/points_def.h is an example) puts
 * vd_measured_def first in his struct, has a row of vd_column_schema for each quantity that he knows, and asks for them
 * by an array of vd_measured_want.
 *
 * Files are taken as they are: fields between commas, semicolons, tabs or blanks; decimal points or commas; lines of
 * comment; a line of units below the names, or units in brackets behind them. What is found is said in a note. */
#ifndef VD_MEASURED_H
#define VD_MEASURED_H

#include "input/lines.h"
#include "input/schema.h"
#include "input/units.h"

#include <stdbool.h>
#include <stddef.h>

/* How a file is written. Stands first in the struct of whoever reads such files, so that vd_measured_rows is a group
 * of his rows. */
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
extern const vd_schema vd_measured_rows;

/* What the reader says of one quantity. The value is scale x number + offset, in the unit. */
typedef struct vd_column_def {
  const char *column; /* "": one of its usual names, if the file has it */
  const char *unit;   /* "": that of the file, or SI if the file says none */
  double scale;       /* NAN: 1 */
  double offset;      /* in the unit; NAN: 0 */
} vd_column_def;

/* A scalar is the name of the column. */
extern const vd_schema vd_column_schema;

/* A quantity that is looked for. */
typedef struct vd_measured_want {
  const char *key;          /* path of its vd_column_def below that of the file, for messages: "columns.alpha" */
  const char *unit;         /* SI; "1": none; NULL: its fields are words, not numbers */
  const char *const *names; /* usual names of its column, NULL-terminated; unless the file says its unit, that is
                             * what stands behind the last underscore, if it fits ("toe_deg"), else SI */
  const vd_column_def *said;
} vd_measured_want;

/* A table in SI. */
typedef struct vd_measured {
  size_t rows, count;
  double *const *value; /* [count][rows], in the order of what was wanted; NULL: the file has no such column */
  const char *const *const *text; /* the same of words; NULL for numbers */
  const bool *stated;             /* [count]: its unit is said, by the file or the reader */
  /* for vd_measured_place */
  int source;
  const size_t *offset; /* [rows], bytes before each row */
  const int *field;     /* [count], index of the field in the row, or -1 */
  char separator;
} vd_measured;

/* Reads a registered source. root: the tree of the scenario; path: of the mapping with the key `file`. Errors point
 * into the file, or to what names its columns: no names, a column or unit that is not there or does not fit, ragged
 * rows, fields that are no numbers, missing values (unless rows without them are to be omitted). Everything in *out
 * belongs to the arena. */
bool vd_measured_read_source(const vd_measured_def *def, int source, const vd_node *root, const char *path,
                             const vd_measured_want *want, size_t count, vd_arena *arena, vd_diag *d, vd_measured *out);

/* Registers a file to be read: a regular one of at most 1 GiB. False after an error at `at`. */
bool vd_measured_load(const char *path, vd_place at, vd_diag *d, int *source);

/* The place of a value in the file. */
vd_place vd_measured_place(const vd_measured *m, const vd_diag *d, size_t row, size_t wanted);

/* A unit as files write it: those of vd_unit_parse, and "-", "sec", "degree", "N-m" and the like. */
bool vd_measured_unit(const char *text, size_t length, vd_unit *unit);

/* The factor to SI of a column: of the unit that is said (at `said`), else of that of the file (at `written`), else 1.
 * In accelerations g is the standard gravity. False after an error: no unit, or not of the dimension of `si`. A unit
 * that is said but differs from the file's is a warning. */
typedef struct vd_unit_words {
  const char *text; /* "": none */
  vd_place at;
} vd_unit_words;
bool vd_measured_factor(const char *name, const char *si, vd_unit_words said, vd_unit_words written, vd_diag *d,
                        vd_unit *unit);

/* A number with a decimal point, or with a comma; false: it is none. */
bool vd_measured_number(vd_slice p, bool comma, double *value);

/* Whether a field stands for a value that is not there: empty, nan, na, notavail, in any case of letters. */
bool vd_measured_is_missing(vd_slice p);

#endif
