/* Structs to text by the same rows: the resolved file and the list of keys. */
#include "input/schema_impl.h"

#include "base/num.h"

#include <math.h>
#include <string.h>

static void indent(vd_buf *out, int depth) {
  for (int i = 0; i < depth; i++)
    vd_buf_puts(out, "  ");
}

static void write_number(double number, vd_buf *out) {
  char text[VD_NUM_MAX];
  vd_num_print_shortest(number, text);
  vd_buf_puts(out, isnan(number) ? "auto" : text);
}

/* --- strings --- */

/* Words that mean something else without quotes, here or to another YAML reader. */
static bool is_word(const char *text) {
  static const char *const words[] = {"true", "false", "null", "auto",     "yes", "no",  "on",
                                      "off",  "y",     "n",    "infinity", "inf", "nan", NULL};
  for (size_t i = 0; words[i]; i++) {
    size_t k = 0;
    while (words[i][k] && (text[k] | 0x20) == words[i][k])
      k++;
    if (!words[i][k] && !text[k])
      return true;
  }
  return false;
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether all characters stand in YAML as they are: then quotes change nothing within. */
static bool is_printable(const char *text, size_t length) {
  vd_buf quoted = {0};
  vd_buf_quote(&quoted, text, length);
  bool same = quoted.length == length;
  vd_buf_finish(&quoted);
  return same;
}

/* A plain text starts with a letter and has only harmless characters, also within a flow list. All else is quoted, even
 * if it need not be. */
static bool is_plain(const char *text) {
  size_t length = strlen(text);
  if (length == 0 || is_word(text) || text[length - 1] == ' ')
    return false;
  for (size_t i = 0; i < length;) {
    unsigned code = 0;
    size_t size = vd_utf8(text + i, length - i, &code);
    char c = text[i];
    bool inner = (c >= '0' && c <= '9') || strchr(" _-+./()", c) != NULL;
    bool good = size > 1 || is_letter(c) || c == '_' || c == '/' || (i && inner);
    if (size == 0 || !good)
      return false;
    i += size;
  }
  return is_printable(text, length);
}

static void write_string(const char *text, vd_buf *out) {
  text = text ? text : "";
  if (is_plain(text)) {
    vd_buf_puts(out, text);
    return;
  }
  vd_buf_puts(out, "\"");
  vd_buf_quote(out, text, strlen(text));
  vd_buf_puts(out, "\"");
}

/* --- fields --- */

/* Lines of printable characters, each ended, are easier to read as a block. */
static bool is_block(const char *text) {
  size_t length = text ? strlen(text) : 0;
  if (length < 2 || text[0] == ' ' || text[0] == '\n' || text[length - 1] != '\n' || text[length - 2] == '\n')
    return false;
  for (size_t i = 0; i < length; i++)
    if (text[i] != '\n' && (text[i] < 0x20 || text[i] > 0x7e))
      return false;
  return true;
}

static void write_block(const char *text, int depth, vd_buf *out) {
  vd_buf_puts(out, "|");
  for (size_t size; *text; text += size + 1) {
    size = strcspn(text, "\n");
    vd_buf_puts(out, "\n");
    if (size > 0)
      indent(out, depth + 1);
    vd_buf_add(out, text, size);
  }
}

static void write_list(const vd_names *list, vd_buf *out) {
  vd_buf_puts(out, "[");
  for (size_t i = 0; i < list->count; i++) {
    vd_buf_puts(out, i ? ", " : "");
    write_string(list->name[i], out);
  }
  vd_buf_puts(out, "]");
}

static void write_points(const vd_points *points, int depth, vd_buf *out) {
  for (size_t i = 0; i < points->count; i++) {
    vd_buf_puts(out, "\n");
    indent(out, depth + 1);
    vd_buf_puts(out, "- [");
    write_number(points->xy[2 * i], out);
    vd_buf_puts(out, ", ");
    write_number(points->xy[2 * i + 1], out);
    vd_buf_puts(out, "]");
  }
}

static void write_numbers(const vd_numbers *numbers, vd_buf *out) {
  vd_buf_puts(out, "[");
  for (size_t i = 0; i < numbers->count; i++) {
    vd_buf_puts(out, i ? ", " : "");
    write_number(numbers->value[i], out);
  }
  vd_buf_puts(out, "]");
}

static void write_unit(const char *unit, vd_buf *out) {
  if (strcmp(unit, "1") != 0)
    vd_buf_printf(out, "  # %s", unit);
}

static void write_vector(const double *vector, const char *unit, vd_buf *out) {
  if (isnan(vector[0])) {
    vd_buf_puts(out, "auto");
    return;
  }
  write_numbers(&(vd_numbers){vector, 3}, out);
  write_unit(unit, out);
}

static void write_mapping(const vd_schema *schema, const void *object, const char *unit, int depth, vd_buf *out);

static void write_key(const vd_field *row, int depth, vd_buf *out) {
  indent(out, depth);
  vd_buf_printf(out, "%s:", row->key);
}

/* A variant of the first kind, which means that there is none. */
static bool is_nothing(const vd_schema *schema, const void *object) {
  for (size_t i = 0; i < schema->count && schema->tag; i++)
    if (schema->field[i].key && strcmp(schema->field[i].key, schema->tag) == 0)
      return *(const int *)(const void *)((const char *)object + schema->field[i].offset) == 0;
  return false;
}

static void write_struct(const vd_field *row, const void *member, const char *unit, int depth, vd_buf *out) {
  vd_buf inner = {0};
  write_mapping(row->sub, member, unit, depth + 1, &inner);
  if (!(row->flags & VD_OMIT_DEFAULT) || (inner.length && !is_nothing(row->sub, member))) {
    write_key(row, depth, out);
    vd_buf_puts(out, inner.length ? "\n" : " {}\n");
    vd_buf_add(out, inner.text, inner.length);
  }
  vd_buf_finish(&inner);
}

/* A sequence of mappings in block form: the first key of each stands behind its dash. */
static void write_structs(const vd_field *row, const vd_structs *list, const char *unit, int depth, vd_buf *out) {
  const size_t first = 2 * ((size_t)depth + 2); /* blanks before a key, of which the dash takes two */
  vd_buf_puts(out, list->count ? "\n" : " []\n");
  for (size_t i = 0; i < list->count; i++) {
    vd_buf inner = {0};
    write_mapping(row->sub, (const char *)list->item + i * row->sub->size, unit, depth + 2, &inner);
    indent(out, depth + 1);
    vd_buf_puts(out, inner.length ? "- " : "- {}\n");
    if (inner.length)
      vd_buf_add(out, inner.text + first, inner.length - first);
    vd_buf_finish(&inner);
  }
}

/* The value of a row from the blank or line end after its colon, without the last line end. */
static void write_value(const vd_field *row, const void *member, const char *unit, int depth, vd_buf *out) {
  if (row->kind != VD_POINTS)
    vd_buf_puts(out, " ");
  switch (row->kind) {
  case VD_NUMBER: {
    double number = *(const double *)member;
    write_number(number, out);
    if (!isnan(number))
      write_unit(unit, out);
    break;
  }
  case VD_INTEGER: vd_buf_printf(out, "%d", *(const int *)member); break;
  case VD_FLAG: vd_buf_puts(out, *(const bool *)member ? "true" : "false"); break;
  case VD_CHOICE: write_string(row->choices[*(const int *)member], out); break;
  case VD_STRING:
    if (is_block(*(const char *const *)member)) {
      write_block(*(const char *const *)member, depth, out);
      break;
    }
    write_string(*(const char *const *)member, out);
    break;
  case VD_PATH: write_string(*(const char *const *)member, out); break;
  case VD_LIST: write_list(member, out); break;
  case VD_POINTS: {
    const vd_points *points = member;
    if (points->count == 0)
      vd_buf_puts(out, " []");
    else
      write_unit(unit, out);
    write_points(points, depth, out);
    break;
  }
  case VD_NUMBERS: {
    const vd_numbers *numbers = member;
    write_numbers(numbers, out);
    if (numbers->count > 0)
      write_unit(unit, out);
    break;
  }
  case VD_VECTOR: write_vector(member, unit, out); break;
  case VD_STRUCT:
  case VD_STRUCTS: break; /* see write_mapping */
  case VD_GROUP: break;
  }
  vd_buf_puts(out, "\n");
}

static bool is_given(const void *member) {
  const char *text = *(const char *const *)member;
  return text && text[0] != '\0';
}

static bool is_written(const vd_field *row, const void *member) {
  bool omit_default = (row->flags & VD_OMIT_DEFAULT) != 0;
  switch (row->kind) {
  case VD_PATH: return is_given(member);
  case VD_STRING: return !omit_default || is_given(member);
  case VD_NUMBER:
  case VD_VECTOR: return !omit_default || !isnan(*(const double *)member);
  case VD_CHOICE: return !omit_default || *(const int *)member != 0;
  case VD_FLAG: return !omit_default || *(const bool *)member;
  case VD_INTEGER: return !omit_default || *(const int *)member != 0;
  case VD_STRUCTS: return !omit_default || ((const vd_structs *)member)->count > 0;
  case VD_POINTS: return !omit_default || ((const vd_points *)member)->count > 0;
  case VD_LIST: return !omit_default || ((const vd_names *)member)->count > 0;
  case VD_STRUCT: /* by its keys, in write_struct */
  case VD_NUMBERS:
  case VD_GROUP: break;
  }
  return true;
}

static void write_mapping(const vd_schema *schema, const void *object, const char *unit, int depth, vd_buf *out) {
  int tag = vd_schema_object_tag(schema, object);
  const vd_field *row;
  vd_schema_walk walk = {.schema = {schema}};
  while ((row = vd_schema_next(&walk))) {
    const void *member = (const char *)object + row->offset;
    if (!vd_schema_applies(row, tag) || !is_written(row, member))
      continue;
    const char *own = vd_schema_unit(row, unit);
    if (row->kind == VD_STRUCT) {
      write_struct(row, member, own, depth, out);
      continue;
    }
    write_key(row, depth, out);
    if (row->kind == VD_STRUCTS)
      write_structs(row, member, own, depth, out);
    else
      write_value(row, member, own, depth, out);
  }
}

void vd_schema_write(const vd_schema *schema, const void *object, vd_buf *out) {
  write_mapping(schema, object, "1", 0, out);
}

/* --- list of keys --- */

static const char *kind_name(enum vd_field_kind kind) {
  switch (kind) {
  case VD_NUMBER: return "number";
  case VD_INTEGER: return "integer";
  case VD_FLAG: return "flag";
  case VD_CHOICE: return "choice";
  case VD_STRING: return "text";
  case VD_PATH: return "file name";
  case VD_LIST: return "list";
  case VD_POINTS: return "points";
  case VD_NUMBERS: return "numbers";
  case VD_STRUCTS: return "list of mappings";
  case VD_VECTOR: return "three numbers";
  case VD_STRUCT: return "mapping";
  case VD_GROUP: break;
  }
  return "";
}

static void list_type(const vd_field *row, vd_buf *out) {
  vd_buf_puts(out, kind_name(row->kind));
  if (row->flags & VD_AUTO)
    vd_buf_puts(out, " or auto");
  const vd_schema *sub = row->kind == VD_STRUCT ? row->sub : NULL;
  if (row->flags & VD_FILE)
    vd_buf_puts(out, " or file");
  else if (sub && sub->shorthand)
    vd_buf_printf(out, " or %s", kind_name(vd_schema_row(sub, sub->shorthand, -1)->kind));
}

static bool has_unit(const vd_field *row) {
  return row->kind == VD_NUMBER || row->kind == VD_POINTS || row->kind == VD_NUMBERS || row->kind == VD_VECTOR;
}

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

/* Rows of two variants that say the same. */
static bool same_row(const vd_field *a, const vd_field *b) {
  return a->kind == b->kind && a->flags == b->flags && a->lo <= b->lo && a->lo >= b->lo && a->hi <= b->hi &&
         a->hi >= b->hi && a->sub == b->sub && a->choices == b->choices && same_text(a->key, b->key) &&
         same_text(a->unit, b->unit) && same_text(a->def, b->def) && same_text(a->help, b->help);
}

/* The variants of all rows that are equal to this one; 0: all. *first: it is the first of them. */
static unsigned variants_of(const vd_schema *schema, const vd_field *row, bool *first) {
  const vd_field *other;
  unsigned only = 0;
  vd_schema_walk walk = {.schema = {schema}};
  *first = true;
  for (bool before = true; (other = vd_schema_next(&walk));) {
    before = before && other != row;
    if (other != row && !same_row(row, other))
      continue;
    *first = *first && !before;
    only |= other->only;
  }
  return row->only == 0 ? 0 : only;
}

static void list_when(const vd_schema *schema, unsigned only, vd_buf *out) {
  const vd_field *tag_row = vd_schema_tag_row(schema);
  if (only == 0 || !tag_row)
    return;
  const char *separator = "=";
  unsigned all = 0;
  for (int i = 0; tag_row->choices[i]; i++)
    all |= VD_WHEN(i);
  if ((only & all) == all)
    return;
  vd_buf_puts(out, schema->tag);
  for (int i = 0; tag_row->choices[i]; i++) {
    if (!(only & VD_WHEN(i)))
      continue;
    vd_buf_printf(out, "%s%s", separator, tag_row->choices[i]);
    separator = "|";
  }
}

static void list_row(const vd_field *row, const char *path, const char *unit, vd_buf *out) {
  vd_buf_printf(out, "%s\t", path);
  list_type(row, out);
  vd_buf_printf(out, "\t%s\t", has_unit(row) ? unit : "");
  if (row->kind == VD_CHOICE)
    for (size_t i = 0; row->choices[i]; i++)
      vd_buf_printf(out, "%s%s", i ? "|" : "", row->choices[i]);
  else if (has_unit(row) || row->kind == VD_INTEGER)
    vd_schema_range(row, out);
  vd_buf_printf(out, "\t%s\t%s\t", row->def ? row->def : "required", row->help ? row->help : "");
}

static void list_mapping(const vd_schema *schema, const char *prefix, const char *outer, vd_buf *out) {
  const vd_field *row;
  vd_schema_walk walk = {.schema = {schema}};
  while ((row = vd_schema_next(&walk))) {
    bool first;
    unsigned only = variants_of(schema, row, &first);
    if (!first)
      continue;
    const char *unit = vd_schema_unit(row, outer);
    vd_buf path = {0};
    vd_buf_printf(&path, "%s%s%s", prefix, prefix[0] ? "." : "", row->key);
    list_row(row, path.text, unit, out);
    list_when(schema, only, out);
    vd_buf_puts(out, "\n");
    if (row->kind == VD_STRUCTS)
      vd_buf_puts(&path, "[]");
    if (row->sub && row->sub->field != schema->field) /* the same rows are there already */
      list_mapping(row->sub, path.text, unit, out);
    vd_buf_finish(&path);
  }
}

void vd_schema_list(const vd_schema *schema, const char *prefix, vd_buf *out) {
  list_mapping(schema, prefix ? prefix : "", "1", out);
}
