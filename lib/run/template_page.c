/* Writes lines as a file. Help texts and units come from the schema rows of the keys, so that both always agree with
 * the schema. */
#include "run/template_impl.h"

#include "base/base.h"
#include "input/schema.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { COLUMNS = 100 }; /* width of comments */

void vd_page_add(vd_template_page *page, const char *prefix, const vd_template_line *line, size_t count,
                 const void *figures) {
  assert(page->count + count <= VD_PAGE_ENTRIES);
  for (size_t i = 0; i < count; i++)
    page->entry[page->count++] =
        (vd_page_entry){vd_arena_printf(page->arena, "%s%s", prefix, line[i].key), &line[i], figures, page->given};
}

void vd_page_add_type(vd_template_page *page, int type, const vd_template_choice *choice, size_t count,
                      const void *figures) {
  for (size_t i = 0; i < count; i++)
    if (choice[i].only == 0 || (choice[i].only & VD_WHEN(type)))
      vd_page_add(page, "", &choice[i].line, 1, figures);
}

bool vd_page_refuse(const vd_template_page *page, const char *number, const char *format, ...) {
  vd_buf text = {0};
  va_list args;
  va_start(args, format);
  vd_buf_vprintf(&text, format, args);
  va_end(args);
  vd_error(page->d, vd_tree_place(page->given, number), "%s", text.text);
  vd_buf_finish(&text);
  return false;
}

/* --- values --- */

/* Units that are more readable than SI. */
static const struct shown {
  const char *si, *unit;
  double scale; /* factor from SI to the unit */
} shown_units[] = {
    {"rad/N", "deg/kN", 1e3 * 180.0 / VD_PI},
    {"rad/N/m", "deg/kNm", 1e3 * 180.0 / VD_PI},
    {"N/m", "N/mm", 1e-3},
    {"rad", "deg", 180.0 / VD_PI},
    {"W", "kW", 1e-3},
    {"m/s", "km/h", 3.6},
    {"Pa", "bar", 1e-5},
};

/* Writes a figure with four digits, because no rule of thumb is more accurate, and without an exponent. */
static void write_figure(double value, vd_buf *out) {
  double size = fabs(value);
  int digits = 3;
  for (double top = 10.0; size >= top && digits > 0; top *= 10.0)
    digits--;
  for (double low = 1.0; size < low && size > 0.0 && digits < 6; low *= 0.1)
    digits++;
  vd_buf text = {0};
  vd_buf_printf(&text, "%.*f", digits, size > 0.0 ? value : 0.0);
  while (digits > 0 && text.text[text.length - 1] == '0')
    text.length--;
  text.length -= digits > 0 && text.text[text.length - 1] == '.';
  vd_buf_add(out, text.text, text.length);
  vd_buf_finish(&text);
}

static void write_number(double value, const char *unit, vd_buf *out) {
  for (size_t i = 0; i < VD_COUNT(shown_units); i++)
    if (strcmp(unit, shown_units[i].si) == 0) {
      value *= shown_units[i].scale;
      unit = shown_units[i].unit;
      break;
    }
  write_figure(value, out);
  if (strcmp(unit, "1") != 0)
    vd_buf_printf(out, " %s", unit);
}

/* Writes a straight line over the travel. */
static void write_slope(double slope, const char *unit, vd_buf *out) {
  const double reach = 0.1, value = reach * slope * (strcmp(unit, "mm") == 0 ? 1e3 : 180.0 / VD_PI);
  for (int side = -1; side <= 1; side += 2) {
    vd_buf_printf(out, side < 0 ? "[[-100 mm, " : " %s], [100 mm, ", unit);
    write_figure(side * value, out);
  }
  vd_buf_printf(out, " %s]]", unit);
}

static bool is_given(const vd_page_entry *e) {
  for (const char *word = e->line->given; word && *word;) {
    char name[64];
    size_t length = strcspn(word, " ");
    assert(length < sizeof name);
    memcpy(name, word, length);
    name[length] = '\0';
    if (vd_tree_find(e->given, name))
      return true;
    word += length + strspn(word + length, " ");
  }
  return false;
}

static bool is_estimate(const vd_page_entry *e) {
  return e->line->rule && !is_given(e);
}

/* True if a key is in a mapping that is one estimate. */
static bool is_part(const vd_template_page *page, const char *key) {
  for (size_t i = 0; i < page->count; i++) {
    size_t length = strlen(page->entry[i].key);
    if (page->entry[i].line->kind == VD_LINE_WHOLE && strncmp(page->entry[i].key, key, length) == 0 &&
        key[length] == '.')
      return true;
  }
  return false;
}

/* Returns the length of the prefix of the nearest list of estimates that contains a key. */
static size_t scope_of(const vd_template_page *page, const char *key) {
  size_t nearest = 0;
  for (size_t i = 0; i < page->count; i++) {
    size_t length = strlen(page->entry[i].key) - strlen("estimates");
    if (page->entry[i].line->kind == VD_LINE_ESTIMATES && length > nearest &&
        strncmp(page->entry[i].key, key, length) == 0)
      nearest = length;
  }
  return nearest;
}

static void write_estimates(const vd_template_page *page, const vd_page_entry *list, size_t margin, vd_buf *out) {
  size_t scope = strlen(list->key) - strlen("estimates"), column = margin + strlen("estimates: ["), count = 0;
  vd_buf_puts(out, "[");
  for (size_t i = 0; i < page->count; i++) {
    const vd_page_entry *e = &page->entry[i];
    if (!is_estimate(e) || strncmp(e->key, list->key, scope) != 0 || scope_of(page, e->key) != scope ||
        is_part(page, e->key))
      continue;
    const char *name = e->key + scope;
    column += strlen(name) + 2;
    if (count++ > 0)
      vd_buf_puts(out, column > COLUMNS ? "," : ", ");
    if (count > 1 && column > COLUMNS) {
      vd_buf_printf(out, "\n%*s", (int)margin + 2, "");
      column = margin + 2 + strlen(name) + 2;
    }
    vd_buf_puts(out, name);
  }
  vd_buf_puts(out, "]");
}

/* Writes a value. unit: unit of the value; "1" if the unit is not known, which makes it an SI unit. */
static void write_value(const vd_template_page *page, const vd_page_entry *e, const char *unit, size_t margin,
                        vd_buf *out) {
  const void *member = (const char *)e->figures + e->line->offset;
  switch (e->line->kind) {
  case VD_LINE_VALUE: write_number(*(const double *)member, unit, out); break;
  case VD_LINE_VECTOR:
    for (int i = 0; i < 3; i++) {
      vd_buf_puts(out, i ? ", " : "[");
      write_figure(((const double *)member)[i], out);
    }
    vd_buf_puts(out, "]");
    break;
  case VD_LINE_WORD:
    vd_buf_puts(out, "\"");
    vd_buf_quote(out, *(const char *const *)member, strlen(*(const char *const *)member));
    vd_buf_puts(out, "\"");
    break;
  case VD_LINE_TEXT: vd_buf_puts(out, e->line->text); break;
  case VD_LINE_YAML: vd_buf_puts(out, *(const char *const *)member); break;
  case VD_LINE_SLOPE: write_slope(*(const double *)member, e->line->text, out); break;
  case VD_LINE_ESTIMATES: write_estimates(page, e, margin, out); break;
  case VD_LINE_WHOLE: break;
  }
}

/* --- comments --- */

/* The object that the lines describe, after it was read. */
typedef struct made_of {
  const vd_schema *schema;
  const void *object; /* NULL: not yet read */
  vd_node *root;
} made_of;

void vd_page_comment(const char *intro, const char *text, size_t margin, vd_buf *out) {
  size_t column = 0;
  for (int part = 0; part < 2; part++)
    for (const char *word = part ? text : intro; *word;) {
      size_t length = strcspn(word, " ");
      if (column == 0 || column + 1 + length > COLUMNS) {
        vd_buf_printf(out, "%s%*s#", column ? "\n" : "", (int)margin, "");
        column = margin + 1;
      }
      vd_buf_puts(out, " ");
      vd_buf_add(out, word, length);
      column += 1 + length;
      word += length + strspn(word + length, " ");
    }
  if (column > 0)
    vd_buf_puts(out, "\n");
}

/* Writes the comments before a line: the help of its key and the source of its value. Each text is written only once,
 * so that the keys of the rear axle do not repeat the comments of the front axle. */
static void comment(const vd_template_page *page, size_t i, const made_of *of, size_t margin, vd_buf *out) {
  const vd_page_entry *e = &page->entry[i];
  const vd_field *row = vd_schema_row_at(of->schema, of->object, e->key);
  bool helped = e->line->kind == VD_LINE_ESTIMATES, ruled = false;
  for (size_t k = 0; k < i; k++) {
    const vd_template_line *line = page->entry[k].line;
    helped |= vd_schema_row_at(of->schema, of->object, page->entry[k].key) == row;
    ruled |= line->rule && e->line->rule && strcmp(line->rule, e->line->rule) == 0;
  }
  if (!helped)
    vd_page_comment("", row->help, margin, out);
  if (is_given(e))
    vd_page_comment("given", "", margin, out);
  else if (e->line->rule && (!ruled || !helped))
    vd_page_comment("estimate: ", ruled ? "by the same rule" : e->line->rule, margin, out);
}

/* --- the file --- */

/* Opens the mappings that contain a key but not the previous key; returns the depth. */
static size_t open_mappings(vd_arena *arena, const made_of *of, const char *key, const char *before, vd_buf *out) {
  size_t depth = 0, same = 0;
  while (before[same] && before[same] == key[same])
    same++;
  for (const char *dot = key; (dot = strchr(dot, '.')); dot++, depth++) {
    size_t end = (size_t)(dot - key), begin = end;
    while (begin > 0 && key[begin - 1] != '.')
      begin--;
    if (end < same) /* the previous key is in this mapping, too */
      continue;
    const char *path = vd_arena_copy(arena, key, end);
    if (of->object && depth == 0)
      vd_buf_puts(out, "\n");
    if (of->object)
      vd_page_comment("", vd_schema_row_at(of->schema, of->object, path)->help, 2 * depth, out);
    vd_buf_printf(out, "%*s%.*s:\n", (int)(2 * depth), "", (int)(end - begin), key + begin);
  }
  return depth;
}

static const char *unit_of(const vd_template_page *page, const vd_page_entry *e, const made_of *of) {
  vd_number_row number;
  bool known = of->object && e->line->kind == VD_LINE_VALUE &&
               vd_schema_find_number(of->schema, of->root, e->key, (vd_place){.source = -1}, page->d, &number);
  return known ? number.unit : "1";
}

/* Writes all lines, with comments and units if the object that they describe was already read. */
static void write_page(const vd_template_page *page, const made_of *of, vd_buf *out) {
  const char *before = "";
  for (size_t i = 0; i < page->count; i++) {
    const vd_page_entry *e = &page->entry[i];
    if (e->line->kind == VD_LINE_WHOLE)
      continue;
    const vd_field *row = of->object ? vd_schema_row_at(of->schema, of->object, e->key) : NULL;
    const char *name = strrchr(e->key, '.') ? strrchr(e->key, '.') + 1 : e->key;
    size_t depth = open_mappings(page->arena, of, e->key, before, out), margin = 2 * depth;
    assert(row || !of->object);
    if (row)
      comment(page, i, of, margin, out);
    vd_buf_printf(out, "%*s%s: ", (int)margin, "", name);
    write_value(page, e, unit_of(page, e, of), margin, out);
    vd_buf_puts(out, "\n");
    before = e->key;
  }
}

/* Reads the object from lines without comments. False: a number is outside its range. */
static bool read_bare(const vd_template_page *page, made_of *of) {
  vd_buf text = {0};
  write_page(page, of, &text);
  int source = vd_diag_add_source(page->d, "template", text.text, text.length);
  vd_buf_finish(&text);
  void *object = vd_arena_alloc(page->arena, of->schema->size);
  bool good = vd_schema_read_source(of->schema, source, NULL, 0, page->arena, page->d, object, &of->root);
  of->object = object;
  return good;
}

bool vd_page_write(const vd_template_page *page, const vd_schema *schema, vd_buf *out) {
  made_of of = {.schema = schema};
  bool good = read_bare(page, &of);
  if (good)
    write_page(page, &of, out);
  return good;
}
