/* Writes a JSON Schema (draft 07) from tables of rows. Editors use it to check and complete files while they are
 * written.
 *
 * It contains the keys of each mapping (for the value of its tag, if the tag is written), their types, choices and
 * help, and the ranges of bare numbers. It does not say which keys are required, because a key may stand in a `base` of
 * its mapping or of a mapping around it. Nor does it say which keys exclude each other, or whether a unit fits. */
#ifndef VD_SCHEMA_JSON_H
#define VD_SCHEMA_JSON_H

#include "base/arena.h"
#include "input/schema.h"

typedef struct vd_schema_defs vd_schema_defs;

vd_schema_defs *vd_schema_defs_create(vd_arena *arena);

/* Writes {"$ref": ...} to the definition of a file. */
void vd_schema_defs_refer(vd_schema_defs *defs, const vd_schema *file, vd_buf *out);
/* Returns the schema of the file that a key, by its dotted path, may name; NULL if it can name no file. */
const vd_schema *vd_schema_file_at(const vd_schema *schema, const char *path);

/* Writes all definitions that were referred to, and the definitions that these need: "NAME": {...}, without braces
 * around the whole. */
void vd_schema_defs_write(vd_schema_defs *defs, vd_buf *out);

#endif
