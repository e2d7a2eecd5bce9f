/* Reads hardpoint lists of every form into rows: tables (input/separated.h), mappings as YAML or JSON, tables
 * that a YAML file describes. Files with blocks are read in hardpoint_adams.c. */
#include "kc/hardpoint_impl.h"

#include "base/num.h"
#include "base/system.h"
#include "input/lines.h"
#include "input/measured.h"
#include "input/schema.h"

#include <math.h>
#include <string.h>

/* Usual names of the columns, in upper or lower case. */
enum { COLUMNS = 4, NAMES = 14 };
static const char *const usual_names[COLUMNS][NAMES] = {
    {"name", "point", "hardpoint", "hardpoint_name", "point_name", "point name", "hardpoint name", "loc_name", "label",
     "location", "coordinate", "pickup", "joint", NULL},
    {"x", "loc_x", "x_value", "x_loc", "pos_x", "x_m", "x_mm", "x_in", "x_coord", "coord_x", NULL},
    {"y", "loc_y", "y_value", "y_loc", "pos_y", "y_m", "y_mm", "y_in", "y_coord", "coord_y", NULL},
    {"z", "loc_z", "z_value", "z_loc", "pos_z", "z_m", "z_mm", "z_in", "z_coord", "coord_z", NULL},
};

/* --- tables, and tables with a description --- */

/* A name in the file, and the name of the point in VDSim. */
typedef struct naming {
  const char *name, *is;
} naming;

/* A YAML file that describes a table, with the keys of every measured table. */
typedef struct description {
  vd_measured_def table;
  vd_column_def column[COLUMNS];
  vd_structs points;
  int axle; /* enum vd_list_axle */
} description;

/* The struct to which the rows of the key `columns' belong; it is the member `column' of a description. */
typedef struct columns {
  vd_column_def of[COLUMNS];
} columns;

static const char *const axle_names[] = {"auto", "front", "rear", NULL};

/* clang-format off */
#define COLUMN(i, n, text) {VD_F_STRUCT(columns, of[i], vd_column_def, n, "1", &vd_column_schema, VD_OMIT_DEFAULT, \
    "{}", text)}
static const vd_field column_rows[] = {
  COLUMN(0, "name", "names of the points"), COLUMN(1, "x", "x"), COLUMN(2, "y", "y"), COLUMN(3, "z", "z"),
};
static const vd_schema column_schema = {.name = "columns of a hardpoint list", VD_SCHEMA_ROWS(columns, column_rows)};
static const vd_field naming_rows[] = {
  {VD_F_STRING(naming, name, "name", NULL, "name of the point in the file")},
  {VD_F_STRING(naming, is, "is", NULL, "name of the point in VDSim, such as lca_front")},
};
static const vd_schema naming_schema = {.name = "point", VD_SCHEMA_ROWS(naming, naming_rows)};
static const vd_field description_rows[] = {
  {VD_F_GROUP(&vd_measured_rows)},
  {VD_F_STRUCT(description, column, vd_column_def *, "columns", "1", &column_schema, VD_OMIT_DEFAULT, "{}",
      "columns with other than the usual names, their units and signs")},
  {VD_F_CHOICE(description, axle, "axle", axle_names, "auto", "axle to read from a file with both; auto: front")},
  {VD_F_STRUCTS(description, points, "points", "1", &naming_schema, "[]", "points with other than the known names")},
};
static const vd_schema description_schema = {.name = "hardpoint list", VD_SCHEMA_ROWS(description, description_rows)};
/* clang-format on */

/* Returns the name in VDSim of a point that the file calls `name'. */
static const char *known_as(const description *def, const char *name) {
  const naming *n = def->points.item;
  for (size_t i = 0; i < def->points.count; i++)
    if (strcasecmp(n[i].name, name) == 0)
      return n[i].is;
  return name;
}

/* Reads a table. root: the file that describes it; NULL: there is none. */
static bool read_measured(const description *def, int source, const vd_node *root, vd_arena *arena, vd_diag *d,
                          vd_hardpoint_rows *out) {
  static const char *const keys[COLUMNS] = {"columns.name", "columns.x", "columns.y", "columns.z"};
  vd_measured_quantity want[COLUMNS];
  vd_measured table;
  for (int i = 0; i < COLUMNS; i++)
    want[i] = (vd_measured_quantity){
        .key = keys[i], .unit = i == 0 ? NULL : "m", .names = usual_names[i], .column_def = &def->column[i]};
  want[0].need = VD_COLUMN_REST;
  if (!vd_measured_read_source(&def->table, source, root, "", want, COLUMNS, arena, d, &table))
    return false;
  for (int i = 0; i < COLUMNS; i++)
    if (i == 0 ? !table.text[0] : !table.value[i])
      return vd_error(d, (vd_place){.source = source}, "no column '%s'%s: a hardpoint list begins with name,x,y,z",
                      usual_names[i][0], i > 0 ? " with numbers" : "");
  if (!*table.unit[1] != !*table.unit[2] || !*table.unit[2] != !*table.unit[3])
    return vd_error(d, (vd_place){.source = source}, "some of x, y and z have a unit, others have none");
  for (size_t k = 0; k < table.rows; k++) {
    vd_hardpoint_row *row = vd_hardpoint_rows_add(out, arena);
    row->name = known_as(def, table.text[0][k]);
    row->place = vd_measured_place(&table, d, k, 0);
    for (int i = 0; i < 3; i++)
      row->at[i] = table.value[i + 1][k];
  }
  out->axle = (enum vd_list_axle)def->axle;
  if (*table.unit[1]) {
    vd_unit *unit = vd_arena_alloc(arena, sizeof *unit);
    out->unit_text = table.unit[1];
    if (!vd_separated_unit(out->unit_text, strlen(out->unit_text), unit))
      return false;
    out->unit = unit;
  }
  return true;
}

/* Returns the index of the column with a usual name; the number of columns if there is none. */
static size_t usual_column(const vd_separated *table, int quantity) {
  for (size_t k = 0; k < table->columns; k++)
    for (int n = 0; usual_names[quantity][n]; n++)
      if (strcasecmp(usual_names[quantity][n], table->name[k]) == 0)
        return k;
  return table->columns;
}

/* Reads a table that no file describes. Rows without coordinates are headings and are left out. If no column has a
 * usual heading for names, the first column that is not x, y or z contains the names. */
static bool read_plain(int source, vd_arena *arena, vd_diag *d, vd_hardpoint_rows *out) {
  description def = {.table = {.file = "", .comment = "", .missing = VD_MISSING_OMIT}};
  vd_separated table;
  for (int i = 0; i < COLUMNS; i++)
    def.column[i] = VD_NO_COLUMN;
  if (vd_separated_look(source, d, arena, &table) && usual_column(&table, 0) == table.columns)
    for (size_t k = table.columns; k-- > 0;)
      if (k != usual_column(&table, 1) && k != usual_column(&table, 2) && k != usual_column(&table, 3))
        def.column[0].column = table.name[k];
  return read_measured(&def, source, NULL, arena, d, out);
}

static bool read_described(int source, vd_arena *arena, vd_diag *d, vd_hardpoint_rows *out) {
  description def;
  vd_node *root;
  int table;
  return vd_schema_read_source(&description_schema, source, NULL, 0, arena, d, &def, &root) &&
         vd_measured_load(def.table.file, vd_tree_place(root, "file"), d, &table) &&
         read_measured(&def, table, root, arena, d, out);
}

/* --- mappings --- */

static bool read_number(const vd_node *node, double *value) {
  size_t used;
  return node && node->kind == VD_NODE_SCALAR && vd_num_parse(node->text, strlen(node->text), value, &used) &&
         node->text[used] == '\0' && isfinite(*value);
}

/* Reads [x, y, z] or {x: .., y: .., z: ..}. */
static bool read_coordinates(const vd_node *node, double *at) {
  static const char *const axis[] = {"x", "y", "z"};
  bool good = node->kind != VD_NODE_SCALAR;
  for (size_t i = 0; i < 3 && good; i++)
    good = read_number(node->kind == VD_NODE_SEQUENCE ? vd_tree_item(node, i) : vd_tree_get(node, axis[i]), &at[i]);
  return good && !vd_tree_item(node, 3);
}

/* Returns the unit of length that a mapping states beside its points; NULL: none. */
static const vd_node *unit_of(const vd_node *root) {
  static const char *const keys[] = {"units", "unit", "length_unit"};
  for (size_t i = 0; i < VD_COUNT(keys); i++) {
    const vd_node *node = vd_tree_get(root, keys[i]);
    if (node && node->kind == VD_NODE_SCALAR)
      return node;
  }
  return NULL;
}

/* Takes the unit from its node, and converts the rows from it to m. */
static bool take_unit(const vd_node *node, vd_arena *arena, vd_diag *d, vd_hardpoint_rows *out) {
  vd_unit *unit = vd_arena_alloc(arena, sizeof *unit);
  if (!vd_separated_unit(node->text, strlen(node->text), unit) ||
      !vd_dimension_equal(unit->dimension, (vd_dimension){.m = 1}))
    return vd_error(d, vd_node_place(node), "'%s' is not a unit of length", node->text);
  out->unit = unit;
  out->unit_text = node->text;
  for (size_t i = 0; i < out->count; i++)
    for (int k = 0; k < 3; k++)
      out->row[i].at[k] = vd_unit_to_si(*unit, out->row[i].at[k]);
  return true;
}

/* Returns whether a node is a mapping of points, beside which it may have a unit; a point has only scalars. */
static bool is_group(const vd_node *node) {
  const vd_node *p = node->kind == VD_NODE_MAPPING ? node->child : NULL;
  while (p && p->kind == VD_NODE_SCALAR)
    p = p->next;
  return p != NULL;
}

/* Sets *unit to the unit that a node states, if any. A list has one unit: false after an error if there are two. */
static bool note_unit(const vd_node *node, const vd_node **unit, vd_diag *d) {
  const vd_node *own = unit_of(node);
  if (own && *unit && strcmp(own->text, (*unit)->text) != 0)
    return vd_error(d, vd_node_place(own), "the list states two units, '%s' and '%s'", (*unit)->text, own->text);
  *unit = own ? own : *unit;
  return true;
}

/* Reads the points of a mapping or sequence. The keys above a point belong to its name: front.left.lca_front. unit: any
 * mapping, or a point, may state it. */
static bool read_points(const vd_node *points, const char *above, const vd_node **unit, vd_arena *arena, vd_diag *d,
                        vd_hardpoint_rows *out) {
  bool good = note_unit(points, unit, d);
  for (const vd_node *p = points->child; p; p = p->next) {
    if (p == unit_of(points))
      continue;
    const vd_node *given = points->kind == VD_NODE_SEQUENCE ? vd_tree_get(p, "name") : NULL;
    const char *own = given && given->kind == VD_NODE_SCALAR ? given->text : p->key ? p->key : "";
    const char *name = vd_arena_printf(arena, "%s%s%s", above, *above ? "." : "", own);
    double at[3];
    if (!given && is_group(p)) {
      good &= read_points(p, name, unit, arena, d, out);
    } else if (read_coordinates(p, at)) {
      good &= note_unit(p, unit, d);
      vd_hardpoint_row *row = vd_hardpoint_rows_add(out, arena);
      row->name = name;
      row->place = p->key ? p->key_place : p->place;
      memcpy(row->at, at, sizeof at);
    } else {
      good = vd_error(d, vd_node_place(p), "a point needs three numbers: [x, y, z] or x, y and z");
    }
  }
  return good;
}

/* Reads {lca_front: [..], ..}, or a list of {name: .., x: .., y: .., z: ..}; either may be the value of
 * `hardpoints`. */
static bool read_tree(int source, vd_arena *arena, vd_diag *d, vd_hardpoint_rows *out) {
  const vd_node *root = vd_tree_parse(arena, d, source);
  if (!root)
    return false;
  const vd_node *inner = vd_tree_get(root, "hardpoints"), *unit = unit_of(root);
  const bool good =
      read_points(inner ? inner : root, "", &unit, arena, d, out) && (!unit || take_unit(unit, arena, d, out));
  if (good && out->count == 0)
    vd_error(d, (vd_place){.source = source}, "no points");
  return good && out->count > 0;
}

/* --- the form of a file --- */

enum list_form { TABLE, BLOCKS, TREE };
enum tree_kind { OTHER, POINTS, DESCRIPTION };

/* Finds the form of a file from its first line and its extension. Blocks begin with a comment ($...) or a heading
 * ([NAME]). A first line that begins with [ belongs to a JSON list if it has a comma or does not end the list. */
static enum list_form form_of(int source, const vd_diag *d) {
  const char *text, *path = vd_diag_source_name(d, source);
  size_t end = 0, length = vd_diag_source_text(d, source, &text), at = vd_first_line(text, length, &end);
  if (at < length &&
      (text[at] == '$' || (text[at] == '[' && memchr(text + at, ']', end - at) && !memchr(text + at, ',', end - at))))
    return BLOCKS;
  return vd_ends_in(path, ".yaml") || vd_ends_in(path, ".yml") || vd_ends_in(path, ".json") ||
                 (at < length && (text[at] == '{' || text[at] == '['))
             ? TREE
             : TABLE;
}

/* Returns whether a table has columns x, y and z with usual names, and another column. */
static bool has_columns(int source, const vd_diag *d) {
  vd_arena *arena = vd_arena_create();
  vd_separated table;
  bool good = vd_separated_look(source, d, arena, &table) && table.columns >= COLUMNS;
  for (int i = 1; i < COLUMNS && good; i++)
    good = usual_column(&table, i) < table.columns;
  vd_arena_destroy(arena);
  return good;
}

/* Determines the content of a tree: a description has `file`; a list has `hardpoints`, is a sequence, or has no `type`
 * and begins with a point; a suspension is none of these. */
static enum tree_kind tree_kind_of(int source, const vd_diag *d) {
  const char *text;
  size_t length = vd_diag_source_text(d, source, &text);
  vd_arena *arena = vd_arena_create();
  vd_diag *quiet = vd_diag_create();
  const vd_node *root = vd_tree_parse(arena, quiet, vd_diag_add_source(quiet, "", text, length));
  enum tree_kind kind = OTHER;
  double at[3];
  if (vd_tree_get(root, "file"))
    kind = DESCRIPTION;
  else if (vd_tree_get(root, "hardpoints") || (root && root->kind == VD_NODE_SEQUENCE))
    kind = POINTS;
  else if (root && root->kind == VD_NODE_MAPPING && !vd_tree_get(root, "type")) {
    const vd_node *p = root->child;
    while (p && (p == unit_of(root) || (p->kind == VD_NODE_MAPPING && p->child && p->child->kind != VD_NODE_SCALAR)))
      p = p == unit_of(root) ? p->next : p->child;
    kind = p && read_coordinates(p, at) ? POINTS : OTHER;
  }
  vd_diag_destroy(quiet);
  vd_arena_destroy(arena);
  return kind;
}

bool vd_hardpoint_is_list(int source, const vd_diag *d) {
  switch (form_of(source, d)) {
  case BLOCKS: return true;
  case TREE: return tree_kind_of(source, d) != OTHER;
  case TABLE: break;
  }
  return has_columns(source, d);
}

bool vd_hardpoint_rows_read(int source, vd_arena *arena, vd_diag *d, vd_hardpoint_rows *out) {
  *out = (vd_hardpoint_rows){.toe0 = NAN, .camber0 = NAN};
  switch (form_of(source, d)) {
  case TABLE: return read_plain(source, arena, d, out);
  case BLOCKS: return vd_hardpoint_adams_read(source, arena, d, out);
  case TREE: break;
  }
  return tree_kind_of(source, d) == DESCRIPTION ? read_described(source, arena, d, out)
                                                : read_tree(source, arena, d, out);
}
