/* Text with fields between separators: CSV and similar tables. input/table.h (texts) and input/measured.h (numbers with
 * units) read all such files by these functions.
 *
 * They find the separator (tab, semicolon, comma, blanks) and skip blank lines, comments, rows that consist of
 * separators only, and lines of text above the names. The names may stand in a comment, as numpy.savetxt writes them.
 * Units are in brackets behind the names, or in a line below them. Fields may be quoted (RFC 4180) and then contain
 * separators, line breaks and doubled quotation marks. Lines may end with separators. The first line may be sep=; as
 * spreadsheets write it. */
#ifndef VD_SEPARATED_H
#define VD_SEPARATED_H

#include "input/lines.h"
#include "input/units.h"

enum { VD_MAX_COLUMNS = 4096 };

/* The form of a file, as far as the caller determines it. */
typedef struct vd_separated_form {
  char separator;      /* 0: it is to be found */
  const char *comment; /* characters that begin a line of comment; "": # % ! and also // */
  int skip;            /* lines above the names */
  bool words;          /* rows may consist of words, so that a line of units must consist of units only */
} vd_separated_form;

typedef struct vd_separated {
  vd_lines in; /* position behind names and units */
  const char *comment;
  char separator; /* separator of the rows */
  size_t columns;
  const char **name, **unit; /* [columns], names without their units, units without brackets; "": none */
  vd_slice *name_field;      /* [columns], the name with its unit */
  bool has_units;            /* the units stand in a line below the names */
  bool behind_marker;        /* the names stand in a comment */
  size_t above;              /* lines of text above the names */
} vd_separated;

/* Reads names and units. Returns false after an error: there are no names, or too many. */
bool vd_separated_open(const vd_separated_form *form, int source, vd_arena *arena, vd_diag *d, vd_separated *out);
/* Does the work of vd_separated_open without messages, for a look at the names. */
bool vd_separated_look(int source, const vd_diag *d, vd_arena *arena, vd_separated *out);

/* Writes the next row. A line break within quotes does not end the row. Returns false at the end of the text. */
bool vd_separated_row(vd_separated *s, vd_slice *row);
/* Takes the next field from the rest of a row, without the quotes around it. Returns false if no field is left. */
bool vd_separated_field(char separator, vd_slice *rest, vd_slice *field);
/* Splits a row into its fields, as many as there are names. Returns false after an error: the row has more or fewer. */
bool vd_separated_split(vd_separated *s, vd_slice row, vd_slice *field);
/* Copies a field, in which doubled quotation marks become one. Returns NULL after an error: there is text before or
 * after the quotes of the field, the closing quote is missing, or the field contains a zero byte. */
const char *vd_separated_copy(vd_separated *s, vd_slice field);
/* Returns the place of a field of the row that begins at an offset. */
vd_place vd_separated_place(const vd_diag *d, int source, char separator, size_t offset, size_t column);

/* True if a field stands for a missing value: empty, nan, na, n/a, #n/a, notavail, null, in upper or lower case. */
bool vd_separated_is_missing(vd_slice field);
/* Reads a number with a decimal point or, if `comma`, a decimal comma. Returns false if the field is not a number. */
bool vd_separated_number(vd_slice field, bool comma, double *value);
/* Reads a unit as files write it. Besides the units of vd_unit_parse it accepts "-", "sec", "degree", "N-m" and the
 * like. */
bool vd_separated_unit(const char *text, size_t length, vd_unit *unit);

#endif
