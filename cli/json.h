/* Converts the lines, tables and keys that tools write to JSON. The JSON is made from that text, so that both forms
 * have the same digits. */
#ifndef VD_JSON_H
#define VD_JSON_H

#include "base/text.h"

/* Writes a table as an array of objects, one per line. separator: ',' for CSV as vd_csv_text writes it, '\t' for plain
 * fields. names: the names of the columns with blanks between them; NULL: the first line contains them. numbers: the
 * names of the columns that hold numbers, each with a blank before and after it; empty fields in these columns become
 * null. */
void vd_json_table(const char *text, char separator, const char *names, const char *numbers, vd_buf *out);

/* Writes the results of a tool as {"provenance": {...}, WHAT: [...]} from the lines of a provenance and a CSV. csv
 * NULL: an empty array; numbers NULL: all values are texts. */
void vd_json_results(const char *provenance, const char *what, const char *csv, const char *numbers, vd_buf *out);

/* Writes lines `key: value' as an object, for instance a provenance. Below a `key:' without value there is at least one
 * item `  - value'. */
void vd_json_object(const char *lines, vd_buf *out);

#endif
