/* Every key's example in --list-keys is accepted by the reader: its type, unit, range, choices, required keys, and
 * files that exist. */
#include "base/base.h"
#include "input/schema_impl.h"
#include "run/kind.h"
#include "run/template.h"
#include "linkage/corner_def.h"
#include "tap.h"
#include "validation/claim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAPPINGS = 2000 };

typedef struct visit {
  const vd_schema *schema;
  const char *unit;
} visit;

static visit done[MAPPINGS];
static size_t mappings, keys;

static bool is_done(const vd_schema *schema, const char *unit) {
  for (size_t i = 0; i < mappings; i++)
    if (done[i].schema == schema && strcmp(done[i].unit, unit) == 0)
      return true;
  return false;
}

/* Reads the example with a schema of only this row. If the value names a key of the mapping (VD_KEYS), this schema does
 * not know that key, so it is looked up here. */
static bool reads_back(const vd_schema *schema, const vd_field *row, const char *unit) {
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_field one = *row;
  vd_buf example = {0}, text = {0};
  one.unit = unit;
  one.only = 0;
  one.def = NULL;
  one.flags &= ~(unsigned)VD_KEYS;
  const vd_schema alone = {.name = "example", .size = schema->size, .field = &one, .count = 1};
  vd_schema_example(schema, row, unit, &example);
  vd_buf_printf(&text, "%s: %s\n", row->key, example.text);
  int source = vd_diag_add_source(d, "scenarios/example.yaml", text.text, text.length);
  void *object = vd_arena_alloc(arena, schema->size);
  bool good = vd_schema_read_source(&alone, source, NULL, 0, arena, d, object, NULL) && !strpbrk(example.text, "\t\n");
  if (row->flags & VD_KEYS) { /* [KEY] */
    char *key = vd_arena_copy(arena, example.text + 1, example.length - 2);
    good &= vd_schema_row(schema, key, -1) != NULL;
  }
  if (!good) {
    tap_diag("%s: %s", schema->name, text.text);
    vd_diag_print(d, stdout, false);
  }
  vd_buf_finish(&example);
  vd_buf_finish(&text);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return good;
}

static bool read_all(const vd_schema *schema, const char *outer) {
  bool good = true;
  const vd_field *row;
  vd_schema_walk walk = {.schema = {schema}};
  if (is_done(schema, outer))
    return true;
  if (mappings == MAPPINGS)
    return false;
  done[mappings++] = (visit){schema, outer};
  while ((row = vd_schema_next(&walk))) {
    const char *unit = vd_schema_unit(row, outer);
    keys++;
    good &= reads_back(schema, row, unit);
    if (row->sub)
      good &= read_all(row->sub, unit);
  }
  return good;
}

int main(void) {
  tap_plan(VD_KINDS + VD_TEMPLATES + 2);
  for (size_t i = 0; i < VD_KINDS; i++)
    tap_ok(read_all(vd_kinds[i].schema, "1"), "examples of the keys of a %s", vd_kinds[i].key);
  for (size_t i = 0; i < VD_TEMPLATES; i++)
    tap_ok(read_all(vd_templates[i].numbers, "1"), "examples of the numbers of template %s", vd_templates[i].key);
  tap_ok(read_all(&vd_validation_schema, "1") && read_all(&vd_tolerances_schema, "1"),
         "examples of the keys of claims");
  tap_ok(keys > 1000, "%zu keys of %zu mappings", keys, mappings);
  return tap_done();
}
