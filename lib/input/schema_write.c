/* Writes structs as text by their rows: the resolved file. */
#include "input/schema_impl.h"

#include "base/num.h"
#include "base/system.h"

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

/* True if a word means something else without quotes, to this program or to another YAML reader. */
static bool is_word(const char *text) {
  static const char *const words[] = {"true", "false", "null", "auto",     "yes", "no",  "on",
                                      "off",  "y",     "n",    "infinity", "inf", "nan", NULL};
  for (size_t i = 0; words[i]; i++)
    if (strcasecmp(text, words[i]) == 0)
      return true;
  return false;
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* True if all characters may stand in YAML without escapes. */
static bool is_printable(const char *text, size_t length) {
  vd_buf quoted = {0};
  vd_buf_quote(&quoted, text, length);
  bool same = quoted.length == length;
  vd_buf_finish(&quoted);
  return same;
}

/* True if a text can be written without quotes: it starts with a letter and contains only characters that have no
 * meaning in YAML, also within a flow list. All others are quoted, even if quotes are not necessary. */
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

/* True if a text is written as a block, which is easier to read: it consists of whole lines of printable characters. */
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

static void write_list(const vd_names *list, bool values, vd_buf *out) {
  vd_buf_puts(out, "[");
  for (size_t i = 0; i < list->count; i++) {
    vd_buf_puts(out, i ? ", " : "");
    if (values)
      vd_buf_puts(out, list->name[i]);
    else
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

static void write_numbers(const double *value, size_t count, vd_buf *out) {
  vd_buf_puts(out, "[");
  for (size_t i = 0; i < count; i++) {
    vd_buf_puts(out, i ? ", " : "");
    write_number(value[i], out);
  }
  vd_buf_puts(out, "]");
}

static void write_unit(const char *unit, vd_buf *out) {
  if (strcmp(unit, "1") == 0)
    return;
  vd_buf_puts(out, "  # ");
  vd_buf_puts(out, unit);
}

static void write_vector(const double *vector, const char *unit, vd_buf *out) {
  if (isnan(vector[0])) {
    vd_buf_puts(out, "auto");
    return;
  }
  write_numbers(vector, 3, out);
  write_unit(unit, out);
}

static void write_mapping(const vd_schema *schema, const void *object, const char *unit, int depth, vd_buf *out);

static void write_key(const vd_field *row, int depth, vd_buf *out) {
  indent(out, depth);
  vd_buf_puts(out, row->key);
  vd_buf_puts(out, ":");
}

/* Writes a struct. With VD_OMIT_DEFAULT nothing is written if all its keys are omitted, or if its tag is 0, the first
 * choice. */
static void write_struct(const vd_field *row, const void *member, const char *unit, int depth, vd_buf *out) {
  vd_buf inner = {0};
  write_mapping(row->sub, member, unit, depth + 1, &inner);
  if (!(row->flags & VD_OMIT_DEFAULT) || (inner.length && vd_schema_object_tag(row->sub, member) != 0)) {
    write_key(row, depth, out);
    vd_buf_puts(out, inner.length ? "\n" : " {}\n");
    vd_buf_add(out, inner.text, inner.length);
  }
  vd_buf_finish(&inner);
}

/* Writes a sequence of mappings in block form; the first key of each mapping stands behind its dash. */
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

/* Writes the value of a row. The text begins directly behind the colon, and ends with a line end. */
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
  case VD_PATH:
    if (is_block(*(const char *const *)member))
      write_block(*(const char *const *)member, depth, out);
    else
      write_string(*(const char *const *)member, out);
    break;
  case VD_LIST: write_list(member, row->flags & VD_VALUES, out); break;
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
    write_numbers(numbers->value, numbers->count, out);
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
  case VD_FLAG: return !omit_default || *(const bool *)member;
  case VD_CHOICE:
  case VD_INTEGER: return !omit_default || *(const int *)member != 0;
  case VD_STRUCTS: return !omit_default || ((const vd_structs *)member)->count > 0;
  case VD_POINTS: return !omit_default || ((const vd_points *)member)->count > 0;
  case VD_LIST: return !omit_default || ((const vd_names *)member)->count > 0;
  case VD_STRUCT: /* write_struct decides by its keys */
  case VD_NUMBERS:
  case VD_GROUP: break;
  }
  return true;
}

static void write_mapping(const vd_schema *schema, const void *object, const char *unit, int depth, vd_buf *out) {
  int tag = vd_schema_object_tag(schema, object);
  const vd_field *row;
  for (vd_schema_walk walk = {.schema = {schema}}; (row = vd_schema_next(&walk));) {
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
