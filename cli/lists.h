/* Lists of what a tool knows: one item a line, its fields separated by tabs, or JSON. */
#ifndef VD_LISTS_H
#define VD_LISTS_H

#include "input/schema.h"
#include "input/schema_json.h"

/* Makes a list an array of objects if --json was given. fields: their names there, with blanks between them; numbers:
 * as in vd_json_table. */
void vd_list_as_asked(vd_buf *lines, const char *fields, const char *numbers);
/* Prints it so, and frees it. Returns an exit status. */
int vd_list_print(vd_buf *lines, const char *fields, const char *numbers);

/* Prints the keys of a schema. block: a key, whose own line and those below it are printed, or a pattern with * and ?;
 * NULL: all. what: the files that have them, for a message. Returns an exit status. */
int vd_list_keys(const vd_schema *schema, const char *block, const char *what);

/* Prints the JSON Schema of one kind of file. Returns an exit status. */
int vd_list_schema(const vd_schema *file);

/* Prints a schema and frees it: `root`, members of its own, ended by a comma, and the definitions it refers to. */
int vd_list_schema_print(vd_schema_defs *defs, vd_buf *root);

#endif
