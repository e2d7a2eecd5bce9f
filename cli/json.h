/* What tools write as lines, tables and keys, as JSON. All of it is made from the text of the other form, so that both
 * say the same: the digits of a number are those of the CSV. */
#ifndef VD_JSON_H
#define VD_JSON_H

#include "base/text.h"

/* Writes a table as an array of objects, one a line. separator ',': CSV as vd_csv_text writes it, '\t': plain fields.
 * names: the columns' names with blanks between them; NULL: the first line has them. numbers: the columns that hold
 * numbers, each name with a blank before and behind it; empty fields in these columns become null. */
void vd_json_table(const char *text, char separator, const char *names, const char *numbers, vd_buf *out);

/* The results of a tool, {"provenance": {...}, WHAT: [...]}, from the lines of a provenance and a CSV; NULL: none. */
void vd_json_results(const char *provenance, const char *what, const char *csv, const char *numbers, vd_buf *out);

/* Lines `key: value`, and at least one item `  - value` below a `key:`, as an object: a provenance. */
void vd_json_object(const char *lines, vd_buf *out);

#endif
