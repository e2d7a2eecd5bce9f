/* Writes one valid value of a key, as it stands in a file. It is the first of these that exists: the example of the
 * row, its default, a usual value of its unit, a number within its range. */
#include "input/schema_impl.h"

#include "base/base.h"
#include "base/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values that are usual for a road vehicle. */
typedef struct usual {
  const char *unit, *text;
  double si;
} usual;

static const usual usuals[] = {
    {"1", "0.5", 0.5},
    {"m", "0.3 m", 0.3},
    {"m2", "2 m2", 2},
    {"m/s", "20 m/s", 20},
    {"rad", "0.05 rad", 0.05},
    {"rad/s", "0.2 rad/s", 0.2},
    {"s", "0.5 s", 0.5},
    {"1/s", "2 Hz", 2},
    {"1/m", "0.02 1/m", 0.02},
    {"kg", "40 kg", 40},
    {"kg m2", "1.5 kg m2", 1.5},
    {"N", "4 kN", 4000},
    {"N m", "200 N m", 200},
    {"N/m", "30 N/mm", 30000},
    {"N s/m", "2 kN s/m", 2000},
    {"N/rad", "60 kN/rad", 60000},
    {"N m/rad", "20 kN m/rad", 20000},
    {"Pa", "220 kPa", 220000},
    {"m/N", "0.2 mm/kN", 2e-7},
    {"rad/N", "2 mrad/kN", 2e-6},
};

static double number_within(const vd_field *row) {
  double low = row->lo, high = row->hi;
  if (vd_schema_within(row, 1.0))
    return 1.0;
  if (!isfinite(low) || !isfinite(high))
    return isfinite(low) ? 2 * low : high - 1;
  if (low > 0)
    return sqrt(low * high);
  return low + high > 0 || low + high < 0 ? (low + high) / 2 : high / 2;
}

/* True if a default is a number other than 0. *bare: it has no unit. */
static bool is_number(const char *def, double *value, bool *bare) {
  char *end = NULL;
  if (!def || !strchr("+-.0123456789", def[0]))
    return false;
  *value = strtod(def, &end);
  *bare = *end == '\0';
  return *value > 0 || *value < 0;
}

static void add_unit(const char *unit, vd_buf *out) {
  if (strcmp(unit, "1") != 0 && unit[0] != '@')
    vd_buf_printf(out, " %s", unit);
}

/* Writes an example number: without a unit if `si`, else with its unit. */
static void add_number(const vd_field *row, const char *unit, bool si, vd_buf *out) {
  double value;
  bool bare;
  if (row->kind == VD_NUMBER && is_number(row->def, &value, &bare)) {
    vd_buf_puts(out, row->def);
    add_unit(bare ? unit : "1", out);
    return;
  }
  for (size_t i = 0; i < VD_COUNT(usuals); i++) {
    if (strcmp(usuals[i].unit, unit) != 0 || !vd_schema_within(row, usuals[i].si))
      continue;
    if (si)
      vd_buf_printf(out, "%g", usuals[i].si);
    else
      vd_buf_puts(out, usuals[i].text);
    return;
  }
  vd_buf_printf(out, "%.3g", number_within(row));
  add_unit(si ? "1" : unit, out);
}

/* Writes the default if it is a sequence with entries; returns false if it is not. */
static bool add_sequence(const vd_field *row, vd_buf *out) {
  bool good = row->def && row->def[0] == '[' && strcmp(row->def, "[]") != 0;
  vd_buf_puts(out, good ? row->def : "");
  return good;
}

static void add_vector(const vd_field *row, const char *unit, vd_buf *out) {
  if (add_sequence(row, out))
    return;
  if (strcmp(unit, "m") == 0 && vd_schema_within(row, 0.1) && vd_schema_within(row, 0.7)) {
    vd_buf_puts(out, "[0.1, 0.7, 0.3]");
    return;
  }
  if (strcmp(unit, "1") == 0 && vd_schema_within(row, 0.0)) {
    vd_buf_puts(out, "[0, 1, 0]");
    return;
  }
  for (int i = 0; i < 3; i++) {
    vd_buf_puts(out, i ? ", " : "[");
    add_number(row, unit, true, out);
  }
  vd_buf_puts(out, "]");
}

static void add_points(const vd_field *row, const char *unit, vd_buf *out) {
  if (add_sequence(row, out))
    return;
  if (row->flags & VD_ANY_ORDER) {
    vd_buf_puts(out, "[[0, 0], [4, 0], [4, 2]]");
    return;
  }
  vd_buf_printf(out, "[[0, %s], [1, ", vd_schema_within(row, 0.0) ? "0" : "1");
  add_number(row, unit, true, out);
  vd_buf_puts(out, "]]");
}

/* Returns the first choice that is not the default and does not mean "none" or "off". */
static int choice(const vd_field *row) {
  static const char *const idle[] = {"none", "auto", "off", "false"};
  for (int i = 0; row->choices[i]; i++) {
    bool good = !row->def || strcmp(row->def, row->choices[i]) != 0;
    for (size_t k = 0; k < VD_COUNT(idle); k++)
      good &= strcmp(idle[k], row->choices[i]) != 0;
    if (good)
      return i;
  }
  return 0;
}

static void add_key(const vd_schema *schema, const vd_field *row, const char *outer, const char **separator,
                    vd_buf *out) {
  vd_buf_printf(out, "%s%s: ", *separator, row->key);
  vd_schema_example(schema, row, vd_schema_unit_below(row, outer), out);
  *separator = ", ";
}

/* Writes a mapping with the tag and the required keys of its variant, or with the first key if none is required. */
static void add_mapping(const vd_schema *schema, const char *unit, vd_buf *out) {
  const vd_field *row, *tag = vd_schema_tag_row(schema), *first = NULL;
  const char *separator = "{";
  int value = tag ? choice(tag) : -1;
  if (tag)
    add_key(schema, tag, unit, &separator, out);
  for (vd_schema_walk walk = {.schema = {schema}}; (row = vd_schema_next(&walk));) {
    if (row == tag || !vd_schema_applies(row, value))
      continue;
    first = first ? first : row;
    if (!row->def)
      add_key(schema, row, unit, &separator, out);
  }
  if (separator[0] == '{' && first)
    add_key(schema, first, unit, &separator, out);
  vd_buf_puts(out, "}");
}

static void add_text(const vd_field *row, vd_buf *out) {
  if (row->def && row->def[0] && strcmp(row->def, "\"\"") != 0)
    vd_buf_puts(out, row->def);
  else if (row->kind == VD_PATH)
    vd_buf_printf(out, "%s.csv", row->key);
  else
    vd_buf_puts(out, "text");
}

/* Writes a list. A list of keys (VD_KEYS) names the first number of the mapping. */
static void add_list(const vd_schema *schema, const vd_field *row, vd_buf *out) {
  const vd_field *other;
  vd_schema_walk walk = {.schema = {schema}};
  if (add_sequence(row, out))
    return;
  while (row->flags & VD_KEYS && (other = vd_schema_next(&walk)))
    if (other->kind == VD_NUMBER) {
      vd_buf_printf(out, "[%s]", other->key);
      return;
    }
  vd_buf_puts(out, "[a, b]");
}

void vd_schema_example(const vd_schema *schema, const vd_field *row, const char *unit, vd_buf *out) {
  const vd_schema *sub = row->sub;
  double value;
  bool bare;
  if (row->example) {
    vd_buf_puts(out, row->example);
    return;
  }
  switch (row->kind) {
  case VD_NUMBER: add_number(row, unit, false, out); break;
  case VD_INTEGER:
    if (is_number(row->def, &value, &bare))
      vd_buf_puts(out, row->def);
    else
      vd_buf_printf(out, "%.0f", ceil(number_within(row)));
    break;
  case VD_FLAG: vd_buf_puts(out, row->def && strcmp(row->def, "true") == 0 ? "false" : "true"); break;
  case VD_CHOICE: vd_buf_puts(out, row->choices[choice(row)]); break;
  case VD_STRING:
  case VD_PATH: add_text(row, out); break;
  case VD_LIST: add_list(schema, row, out); break;
  case VD_NUMBERS:
    if (add_sequence(row, out))
      break;
    vd_buf_puts(out, "[");
    add_number(row, unit, false, out);
    vd_buf_puts(out, "]");
    break;
  case VD_VECTOR: add_vector(row, unit, out); break;
  case VD_POINTS: add_points(row, unit, out); break;
  case VD_STRUCTS:
    vd_buf_puts(out, "[");
    add_mapping(sub, unit, out);
    vd_buf_puts(out, "]");
    break;
  case VD_STRUCT:
    if (sub->shorthand) {
      row = vd_schema_row(sub, sub->shorthand, -1);
      vd_schema_example(sub, row, vd_schema_unit_below(row, unit), out);
    } else
      add_mapping(sub, unit, out);
    break;
  case VD_GROUP: break;
  }
}
