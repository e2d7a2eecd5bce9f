/* Rows of a schema: which of them exist, which apply, and their names in messages. */
#include "input/schema_impl.h"

#include "base/base.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const vd_field *vd_schema_next(vd_schema_walk *walk) {
  for (;;) {
    const vd_schema *schema = walk->schema[walk->depth];
    if (walk->at[walk->depth] == schema->count) {
      if (walk->depth == 0)
        return NULL;
      walk->depth--;
      continue;
    }
    const vd_field *row = &schema->field[walk->at[walk->depth]++];
    if (row->kind != VD_GROUP)
      return row;
    assert(walk->depth == 0);
    walk->schema[++walk->depth] = row->sub;
    walk->at[walk->depth] = 0;
  }
}

const vd_field *vd_schema_tag_row(const vd_schema *schema) {
  return schema->tag ? vd_schema_row(schema, schema->tag, -1) : NULL;
}

int vd_schema_object_tag(const vd_schema *schema, const void *object) {
  const vd_field *row = vd_schema_tag_row(schema);
  return row ? *(const int *)(const void *)((const char *)object + row->offset) : -1;
}

int vd_schema_choice(const vd_field *row, const char *text) {
  for (int i = 0; row->choices[i]; i++)
    if (strcmp(row->choices[i], text) == 0)
      return i;
  return -1;
}

int vd_schema_tag(const vd_schema *schema, const vd_node *mapping) {
  const vd_field *row = vd_schema_tag_row(schema);
  if (!row)
    return -1;
  const vd_node *node = vd_tree_get(mapping, row->key);
  const char *text = node ? node->text : row->def;
  return text ? vd_schema_choice(row, text) : -1;
}

bool vd_schema_applies(const vd_field *row, int tag) {
  return row->only == 0 || (tag >= 0 && (row->only & VD_WHEN(tag)) != 0);
}

bool vd_schema_identifies(const vd_schema *schema, const vd_node *file) {
  const vd_field *row;
  for (vd_schema_walk walk = {.schema = {schema}}; (row = vd_schema_next(&walk));) {
    const vd_node *node = vd_tree_get(file, row->key);
    if (node && (row->flags & VD_IDENTIFIES || (row->kind == VD_STRUCT && vd_schema_identifies(row->sub, node))))
      return true;
  }
  return false;
}

const vd_field *vd_schema_row(const vd_schema *schema, const char *key, int tag) {
  const vd_field *row, *first = NULL;
  for (vd_schema_walk walk = {.schema = {schema}}; (row = vd_schema_next(&walk));) {
    if (*row->key != *key || strcmp(row->key, key) != 0) /* most differ in their first letter */
      continue;
    if (vd_schema_applies(row, tag))
      return row;
    if (!first)
      first = row;
  }
  return first;
}

size_t vd_schema_keys(const vd_schema *schema, int tag, const char **names) {
  const vd_field *row;
  size_t count = 0;
  vd_schema_walk walk = {.schema = {schema}};
  while (count < VD_SCHEMA_KEYS && (row = vd_schema_next(&walk)))
    if (vd_schema_applies(row, tag) || tag < 0)
      names[count++] = row->key;
  return count;
}

const char *vd_schema_unit(const vd_field *row, const char *outer) {
  static const char *const per_second[][2] = {{"1", "1/s"},     {"rad", "rad/s"}, {"rad/s", "rad/s2"},
                                              {"1/m", "1/m/s"}, {"m", "m/s"},     {"m/s", "m/s2"},
                                              {"m/s2", "m/s3"}, {"N", "N/s"},     {"N m", "N m/s"}};
  const char *unit = row->unit ? row->unit : "1";
  if (strcmp(unit, "@") == 0)
    return outer;
  if (strcmp(unit, "@/s") != 0)
    return unit;
  size_t i = 0;
  while (i < VD_COUNT(per_second) && strcmp(outer, per_second[i][0]) != 0)
    i++;
  assert(i < VD_COUNT(per_second));
  return per_second[i][1];
}

const char *vd_schema_unit_below(const vd_field *row, const char *outer) {
  const char *unit = row->unit ? row->unit : "1";
  return outer[0] == '@' && unit[0] == '@' ? unit : vd_schema_unit(row, outer);
}

bool vd_schema_within(const vd_field *row, double x) {
  bool above = row->flags & VD_ABOVE ? x > row->lo : x >= row->lo;
  return above && (row->flags & VD_BELOW ? x < row->hi : x <= row->hi);
}

void vd_schema_range(const vd_field *row, vd_buf *out) {
  bool low = row->lo > -INFINITY, high = row->hi < INFINITY;
  if (low)
    vd_buf_printf(out, "%s %.6g", row->flags & VD_ABOVE ? ">" : ">=", row->lo);
  if (low && high)
    vd_buf_puts(out, " and ");
  if (high)
    vd_buf_printf(out, "%s %.6g", row->flags & VD_BELOW ? "<" : "<=", row->hi);
}

bool vd_schema_is_list(const vd_field *row) {
  return row->kind == VD_LIST || row->kind == VD_POINTS || row->kind == VD_NUMBERS || row->kind == VD_STRUCTS ||
         row->kind == VD_VECTOR;
}

bool vd_schema_has_unit(const vd_field *row) {
  return row->kind == VD_NUMBER || row->kind == VD_POINTS || row->kind == VD_NUMBERS || row->kind == VD_VECTOR;
}

bool vd_node_broken(const vd_node *node) {
  return node->kind == VD_NODE_SCALAR && !node->text;
}

bool vd_schema_shorthand(const vd_schema *schema, const vd_node *node) {
  const vd_field *row = schema->shorthand ? vd_schema_row(schema, schema->shorthand, -1) : NULL;
  if (!row || vd_node_broken(node) || node->kind == VD_NODE_MAPPING)
    return false;
  return node->kind == VD_NODE_SCALAR || vd_schema_is_list(row);
}

/* Finds the row at a dotted path, and its member. any: rows of other variants are accepted, too; their members have no
 * meaning. */
static const vd_field *find_row(const vd_schema *schema, const void *object, const char *path, bool any,
                                const void **member) {
  size_t length = strcspn(path, "."), index;
  int tag = vd_schema_object_tag(schema, object);
  const vd_field *row;
  for (vd_schema_walk walk = {.schema = {schema}}; (row = vd_schema_next(&walk));) {
    if (strlen(row->key) != length || memcmp(row->key, path, length) != 0 || !(any || vd_schema_applies(row, tag)))
      continue;
    *member = (const char *)object + row->offset;
    if (path[length] == '\0')
      return row;
    path += length + 1;
    if (row->kind == VD_STRUCT)
      return find_row(row->sub, *member, path, any, member);
    const vd_structs *list = *member;
    length = strcspn(path, ".");
    if (row->kind != VD_STRUCTS || !vd_schema_applies(row, tag) || path[length] == '\0' ||
        !vd_tree_index(path, length, &index) || index >= list->count)
      return NULL;
    return find_row(row->sub, (const char *)list->item + index * row->sub->size, path + length + 1, any, member);
  }
  return NULL;
}

const vd_field *vd_schema_row_at(const vd_schema *schema, const void *object, const char *path) {
  const void *member;
  return find_row(schema, object, path, false, &member);
}

bool vd_schema_knows(const vd_schema *schema, const void *object, const char *path) {
  const void *member;
  return find_row(schema, object, path, true, &member) != NULL;
}

double *vd_schema_number_at(const vd_schema *schema, void *object, const char *path, const vd_field **out) {
  union { /* not const: the caller owns the struct and may change it */
    const void *member;
    double *number;
  } at;
  const vd_field *row = find_row(schema, object, path, false, &at.member);
  if (row)
    *out = row;
  return row && row->kind == VD_NUMBER ? at.number : NULL;
}

static size_t list_estimates(const vd_names *names, const char *prefix, vd_buf *out) {
  for (size_t i = 0; i < names->count; i++)
    vd_buf_printf(out, "%s%s%s\n", prefix, *prefix ? "." : "", names->name[i]);
  return names->count;
}

/* True if the resolved file omits a mapping because its tag is the first choice (VD_OMIT_DEFAULT). */
static bool is_omitted(const vd_field *row, const void *member) {
  return row->kind == VD_STRUCT && (row->flags & VD_OMIT_DEFAULT) && vd_schema_object_tag(row->sub, member) == 0;
}

size_t vd_schema_estimates(const vd_schema *schema, const void *object, const char *prefix, vd_buf *out) {
  int tag = vd_schema_object_tag(schema, object);
  size_t count = 0;
  const vd_field *row;
  for (vd_schema_walk walk = {.schema = {schema}}; (row = vd_schema_next(&walk));) {
    const void *member = (const char *)object + row->offset;
    if (!vd_schema_applies(row, tag))
      continue;
    if (row->kind == VD_LIST && row->flags & VD_KEYS)
      count += list_estimates(member, prefix, out);
    if ((row->kind != VD_STRUCT && row->kind != VD_STRUCTS) || is_omitted(row, member))
      continue;
    const vd_structs *list = row->kind == VD_STRUCTS ? member : NULL;
    for (size_t i = 0; i < (list ? list->count : 1); i++) {
      vd_buf path = {0};
      vd_buf_puts(&path, prefix);
      vd_buf_puts(&path, *prefix ? "." : "");
      vd_buf_puts(&path, row->key);
      if (list)
        vd_buf_printf(&path, ".%zu", i);
      count +=
          vd_schema_estimates(row->sub, list ? (const char *)list->item + i * row->sub->size : member, path.text, out);
      vd_buf_finish(&path);
    }
  }
  return count;
}

size_t vd_schema_number_names(const vd_schema *schema, const void *object, const char *prefix, vd_arena *arena,
                              size_t most, const char **name) {
  int tag = vd_schema_object_tag(schema, object);
  size_t count = 0;
  const vd_field *row;
  for (vd_schema_walk walk = {.schema = {schema}}; (row = vd_schema_next(&walk)) && count < most;) {
    const void *member = (const char *)object + row->offset;
    if ((row->kind != VD_NUMBER && row->kind != VD_STRUCT) || !vd_schema_applies(row, tag))
      continue;
    vd_buf path = {0};
    vd_buf_printf(&path, "%s%s%s", prefix, *prefix ? "." : "", row->key);
    const char *text = vd_arena_copy(arena, path.text, path.length);
    vd_buf_finish(&path);
    if (row->kind == VD_NUMBER)
      name[count++] = text;
    else
      count += vd_schema_number_names(row->sub, member, text, arena, most - count, name + count);
  }
  return count;
}
