#include "input/schema_json.h"

#include "base/num.h"
#include "input/schema_impl.h"

#include <math.h>
#include <string.h>

/* One definition of the JSON Schema: a mapping, which may be used at several keys. */
typedef struct def {
  const vd_schema *schema;
  const char *unit; /* unit of rows that have "@" */
  bool file;        /* the mapping may have a key `base` */
} def;

struct vd_schema_defs {
  vd_arena *arena;
  def *def;
  size_t count, room;
};

/* Pattern of a number, with or without a unit. Whether the unit fits is checked by the program only, which knows all
 * units and their dimensions. */
static const char number_text[] = "[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?( *[^ ].*)?";

vd_schema_defs *vd_schema_defs_create(vd_arena *arena) {
  vd_schema_defs *defs = vd_arena_alloc(arena, sizeof *defs);
  *defs = (vd_schema_defs){.arena = arena};
  return defs;
}

static void write_text(const char *text, vd_buf *out) {
  vd_buf_puts(out, "\"");
  vd_buf_quote(out, text, strlen(text));
  vd_buf_puts(out, "\"");
}

/* --- definitions --- */

/* True if a definition has this schema, unit and kind. Two schemas may begin with the same rows and differ in their
 * number of rows. */
static bool is_def(const def *d, const vd_schema *schema, const char *unit, bool file) {
  return d->schema->field == schema->field && d->schema->count == schema->count && strcmp(d->unit, unit) == 0 &&
         d->file == file;
}

static void write_ref(vd_schema_defs *defs, const vd_schema *schema, const char *unit, bool file, vd_buf *out) {
  size_t i = 0;
  while (i < defs->count && !is_def(&defs->def[i], schema, unit, file))
    i++;
  if (i == defs->room) {
    def *more = vd_arena_alloc(defs->arena, (2 * defs->room + 16) * sizeof *more);
    if (defs->count > 0)
      memcpy(more, defs->def, defs->count * sizeof *more);
    defs->def = more;
    defs->room = 2 * defs->room + 16;
  }
  if (i == defs->count)
    defs->def[defs->count++] = (def){schema, unit, file};
  vd_buf_printf(out, "{\"$ref\": \"#/definitions/%zu\"}", i);
}

void vd_schema_defs_refer(vd_schema_defs *defs, const vd_schema *file, vd_buf *out) {
  write_ref(defs, file, "1", true, out);
}

const vd_schema *vd_schema_file_at(const vd_schema *schema, const char *path) {
  char key[128];
  for (;;) {
    size_t length = strcspn(path, ".");
    if (length >= sizeof key)
      return NULL;
    memcpy(key, path, length);
    key[length] = '\0';
    const vd_field *row = vd_schema_row(schema, key, -1);
    if (!row || !row->sub)
      return NULL;
    schema = row->sub;
    if (path[length] == '\0')
      return row->flags & VD_FILE ? schema : NULL;
    path += length + 1;
  }
}

/* --- values --- */

/* Writes the limits of bare numbers, which are in SI. They do not apply to a number with a unit, which is a string in
 * JSON. */
static void write_range(const vd_field *row, vd_buf *out) {
  char number[VD_NUM_MAX];
  if (row->lo > -INFINITY) {
    vd_num_print_shortest(row->lo, number);
    vd_buf_printf(out, ", \"%s\": %s", row->flags & VD_ABOVE ? "exclusiveMinimum" : "minimum", number);
  }
  if (row->hi < INFINITY) {
    vd_num_print_shortest(row->hi, number);
    vd_buf_printf(out, ", \"%s\": %s", row->flags & VD_BELOW ? "exclusiveMaximum" : "maximum", number);
  }
}

static void write_number(const vd_field *row, bool word, vd_buf *out) {
  vd_buf_printf(out, "{\"type\": [\"number\", \"string\"], \"pattern\": \"^(%s%s)$\"", word ? "auto|" : "",
                number_text);
  write_range(row, out);
  vd_buf_puts(out, "}");
}

/* Writes the type of a text. Without quotes it may look like a number or a truth value. */
static void write_any_text(vd_buf *out) {
  vd_buf_puts(out, "{\"type\": [\"string\", \"number\", \"boolean\"]}");
}

/* True if readers of YAML 1.1 read this word as the truth value `value`. */
static bool is_truth(const char *word, bool value) {
  static const char *const words[2][3] = {{"no", "off", "false"}, {"yes", "on", "true"}};
  for (int i = 0; i < 3; i++)
    if (strcmp(word, words[value][i]) == 0)
      return true;
  return false;
}

/* Writes the choices of a row. In JSON Schema, a choice of digits alone is a number if the user does not quote it. */
static void write_choice(const vd_field *row, vd_buf *out) {
  vd_buf_puts(out, "{\"enum\": [");
  for (size_t i = 0; row->choices[i]; i++) {
    vd_buf_puts(out, i ? ", " : "");
    write_text(row->choices[i], out);
    if (row->choices[i][strspn(row->choices[i], "0123456789")] == '\0')
      vd_buf_printf(out, ", %s", row->choices[i]);
    for (int value = 0; value < 2; value++)
      if (is_truth(row->choices[i], value))
        vd_buf_puts(out, value ? ", true" : ", false");
  }
  vd_buf_puts(out, "]}");
}

static void write_value(vd_schema_defs *defs, const vd_field *row, const char *unit, vd_buf *out);

/* Writes what may stand for a mapping: a file name, or a value of its shorthand key. */
static void write_short(vd_schema_defs *defs, const vd_field *row, const char *unit, vd_buf *out) {
  const vd_schema *sub = row->sub;
  const vd_field *key = sub->shorthand ? vd_schema_row(sub, sub->shorthand, -1) : NULL;
  if (row->flags & VD_FILE)
    vd_buf_puts(out, ", {\"type\": \"string\"}");
  if (key) {
    vd_buf_puts(out, ", ");
    write_value(defs, key, vd_schema_unit(key, unit), out);
  }
}

/* Writes one mapping, or one item of a list of mappings. */
static void write_mapping(vd_schema_defs *defs, const vd_field *row, const char *unit, vd_buf *out) {
  vd_buf_puts(out, "{\"anyOf\": [");
  write_ref(defs, row->sub, unit, row->flags & VD_FILE, out);
  write_short(defs, row, unit, out);
  vd_buf_puts(out, "]}");
}

/* Writes that the value is a list of items, or one item alone. */
static void write_list(const vd_buf *item, vd_buf *out) {
  vd_buf_printf(out, "{\"anyOf\": [{\"type\": \"array\", \"items\": %s}, %s]}", item->text, item->text);
}

static void write_array(const vd_buf *item, int count, vd_buf *out) {
  vd_buf_printf(out, "{\"type\": \"array\", \"items\": %s, \"minItems\": %d, \"maxItems\": %d}", item->text, count,
                count);
}

static void write_value(vd_schema_defs *defs, const vd_field *row, const char *unit, vd_buf *out) {
  bool word = (row->flags & VD_AUTO) != 0;
  vd_buf item = {0}, pair = {0};
  switch (row->kind) {
  case VD_NUMBER: write_number(row, word, out); break;
  case VD_INTEGER:
    vd_buf_puts(out, "{\"type\": \"integer\"");
    write_range(row, out);
    vd_buf_puts(out, "}");
    break;
  case VD_FLAG: vd_buf_puts(out, "{\"type\": \"boolean\"}"); break;
  case VD_CHOICE: write_choice(row, out); break;
  case VD_STRING: write_any_text(out); break;
  case VD_PATH: vd_buf_puts(out, "{\"type\": \"string\"}"); break;
  case VD_STRUCT: write_mapping(defs, row, unit, out); break;
  case VD_STRUCTS:
    write_mapping(defs, row, unit, &item);
    write_list(&item, out);
    break;
  case VD_LIST:
    if (row->flags & VD_VALUES)
      vd_buf_puts(&item, "{}");
    else
      write_any_text(&item);
    write_list(&item, out);
    break;
  case VD_NUMBERS:
    write_number(row, word, &item);
    write_list(&item, out);
    break;
  case VD_POINTS:
    write_number(&(vd_field){.lo = -INFINITY, .hi = INFINITY}, false, &pair);
    write_array(&pair, 2, &item);
    vd_buf_printf(out, "{\"type\": \"array\", \"items\": %s}", item.text);
    break;
  case VD_VECTOR:
    write_number(row, false, &item);
    vd_buf_puts(out, word ? "{\"anyOf\": [{\"const\": \"auto\"}, " : "");
    write_array(&item, 3, out);
    vd_buf_puts(out, word ? "]}" : "");
    break;
  case VD_GROUP: break; /* it has no value of its own */
  }
  vd_buf_finish(&pair);
  vd_buf_finish(&item);
}

/* --- mappings --- */

static void describe(const vd_field *row, const char *unit, vd_buf *out) {
  vd_buf text = {0}, range = {0};
  bool number = vd_schema_has_unit(row);
  vd_buf_puts(&text, row->help ? row->help : "");
  if (number && strcmp(unit, "1") != 0)
    vd_buf_printf(&text, "%sunit: %s", text.length ? "; " : "", unit);
  vd_schema_range(row, &range);
  if ((number || row->kind == VD_INTEGER) && range.length > 0)
    vd_buf_printf(&text, "; range: %s", range.text);
  vd_buf_printf(&text, "; %s%s", row->def ? "default: " : "required", row->def ? row->def : "");
  write_text(text.text, out);
  vd_buf_finish(&range);
  vd_buf_finish(&text);
}

/* Writes one key, with the values that any of its rows accepts. */
static void write_property(vd_schema_defs *defs, const def *d, const vd_field *first, vd_buf *out) {
  const vd_field *row;
  const char *before = "";
  write_text(first->key, out);
  vd_buf_puts(out, ": {\"description\": ");
  describe(first, vd_schema_unit(first, d->unit), out);
  vd_buf_puts(out, ", \"anyOf\": [");
  for (vd_schema_walk walk = {.schema = {d->schema}}; (row = vd_schema_next(&walk));) {
    if (strcmp(row->key, first->key) != 0)
      continue;
    vd_buf_puts(out, before);
    write_value(defs, row, vd_schema_unit(row, d->unit), out);
    before = ", ";
  }
  vd_buf_puts(out, "]}");
}

static bool has_several(const vd_schema *schema, const char *key) {
  const vd_field *row;
  size_t count = 0;
  for (vd_schema_walk walk = {.schema = {schema}}; (row = vd_schema_next(&walk));)
    count += strcmp(row->key, key) == 0;
  return count > 1;
}

/* Writes what applies if the tag has this value: which keys are allowed, and the values of keys that have several
 * rows. */
static void write_variant(vd_schema_defs *defs, const def *d, const vd_field *tag, int value, vd_buf *out) {
  const vd_field *row;
  vd_buf names = {0}, own = {0};
  vd_buf_puts(&names, d->file ? "\"base\"" : "");
  for (vd_schema_walk walk = {.schema = {d->schema}}; (row = vd_schema_next(&walk));) {
    if (!vd_schema_applies(row, value))
      continue;
    vd_buf_puts(&names, names.length ? ", " : "");
    write_text(row->key, &names);
    if (!has_several(d->schema, row->key))
      continue;
    vd_buf_puts(&own, own.length ? ", " : "");
    write_text(row->key, &own);
    vd_buf_puts(&own, ": ");
    write_value(defs, row, vd_schema_unit(row, d->unit), &own);
  }
  vd_buf_printf(out, "{\"if\": {\"properties\": {\"%s\": {\"const\": \"%s\"}}, \"required\": [\"%s\"]}, ", tag->key,
                tag->choices[value], tag->key);
  vd_buf_printf(out, "\"then\": {\"propertyNames\": {\"enum\": [%s]}, \"properties\": {%s}}}", names.text,
                own.text ? own.text : "");
  vd_buf_finish(&own);
  vd_buf_finish(&names);
}

static void write_def(vd_schema_defs *defs, const def *d, vd_buf *out) {
  const vd_field *row, *tag = vd_schema_tag_row(d->schema);
  vd_buf_printf(out, "{\"title\": \"%s\", \"type\": \"object\", \"additionalProperties\": false, \"properties\": {",
                d->schema->name);
  if (d->file)
    vd_buf_puts(out, "\"base\": {\"description\": \"file whose keys these override\", \"type\": \"string\"}");
  const char *before = d->file ? ", " : "";
  for (vd_schema_walk walk = {.schema = {d->schema}}; (row = vd_schema_next(&walk));) {
    if (row != vd_schema_row(d->schema, row->key, -1))
      continue; /* an earlier row has written this key */
    vd_buf_puts(out, before);
    write_property(defs, d, row, out);
    before = ", ";
  }
  vd_buf_puts(out, "}");
  for (int i = 0; tag && tag->choices[i]; i++) {
    vd_buf_puts(out, i ? ",\n" : ", \"allOf\": [\n");
    write_variant(defs, d, tag, i, out);
  }
  vd_buf_puts(out, tag ? "]}" : "}");
}

void vd_schema_defs_write(vd_schema_defs *defs, vd_buf *out) {
  for (size_t i = 0; i < defs->count; i++) { /* the number of definitions grows in the loop */
    const def d = defs->def[i];
    vd_buf_printf(out, "%s\"%zu\": ", i ? ",\n" : "", i);
    write_def(defs, &d, out);
  }
}
