/* Lists that the tools print: one item per line with fields separated by tabs, or JSON. */
#ifndef VD_LISTS_H
#define VD_LISTS_H

#include "input/schema.h"
#include "input/schema_json.h"

/* Converts a list to an array of objects if --json was given. fields: the names of the fields in JSON, with blanks
 * between them; numbers: as in vd_json_table. */
void vd_list_convert(vd_buf *lines, const char *fields, const char *numbers);
/* Prints a list, as vd_list_convert converts it, and frees it. Returns an exit status. */
int vd_list_print(vd_buf *lines, const char *fields, const char *numbers);

/* Prints the keys of a schema. block: a key that is printed with all keys below it, or a pattern with * and ?; NULL:
 * all keys. what: the kind of files with these keys, for a message. Returns an exit status. */
int vd_list_keys(const vd_schema *schema, const char *block, const char *what);

/* Prints the JSON Schema of one kind of file. Returns an exit status. */
int vd_list_schema(const vd_schema *file);

/* Prints a JSON Schema and frees `root'. root: the members of the outermost object, ended by a comma; defs: the
 * definitions that these members refer to. Returns an exit status. */
int vd_list_schema_print(vd_schema_defs *defs, vd_buf *root);

#endif
