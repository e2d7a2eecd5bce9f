/* JSON Schema (draft 07) from tables of rows: for editors, which check and complete files while they are written.
 *
 * It says which keys a mapping may have, by its tag as far as that is written; types, choices and the ranges of bare
 * numbers; and the help of every key. It does not say which keys are required, which keys exclude each other, or
 * whether a unit fits: what a mapping lacks may be in a `base`, also in that of a mapping around it. */
#ifndef VD_SCHEMA_JSON_H
#define VD_SCHEMA_JSON_H

#include "base/arena.h"
#include "input/schema.h"

typedef struct vd_schema_defs vd_schema_defs;

vd_schema_defs *vd_schema_defs_create(vd_arena *arena);

/* {"$ref": ...} to the definition of a file. */
void vd_schema_defs_refer(vd_schema_defs *defs, const vd_schema *file, vd_buf *out);
/* The file that the row of a dotted path may name, with the unit of its place; NULL: there is none. */
const vd_schema *vd_schema_file_at(const vd_schema *schema, const char *path);

/* All definitions that were referred to, and those that these need: "NAME": {...}, without braces around them. */
void vd_schema_defs_write(vd_schema_defs *defs, vd_buf *out);

#endif
