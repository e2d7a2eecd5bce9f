/* Reads hardpoint lists of every form into rows: CSV, tables with other separators, mappings as YAML or JSON, tables
 * that a YAML file describes. Files with blocks are read in hardpoint_adams.c. */
#include "kc/hardpoint_impl.h"

#include "base/num.h"
#include "input/lines.h"
#include "input/measured.h"
#include "input/schema.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Usual names of the columns. */
enum { COLUMNS = 4, NAMES = 14 };
static const char *const usual[COLUMNS][NAMES] = {
    {"name", "Name", "NAME", "point", "Point", "hardpoint", "Hardpoint", "hardpoint_name", "point_name", "point name",
     "loc_name", "label", NULL},
    {"x", "X", "loc_x", "Loc_X", "LOC_X", "x_value", "x_loc", "X_value", "pos_x", NULL},
    {"y", "Y", "loc_y", "Loc_Y", "LOC_Y", "y_value", "y_loc", "Y_value", "pos_y", NULL},
    {"z", "Z", "loc_z", "Loc_Z", "LOC_Z", "z_value", "z_loc", "Z_value", "pos_z", NULL},
};

static bool is_usual(int what, const char *name, size_t length) {
  for (int k = 0; usual[what][k]; k++)
    if (strlen(usual[what][k]) == length && strncasecmp(usual[what][k], name, length) == 0)
      return true;
  return false;
}

static bool refuse_without(int what, int source, vd_diag *d) {
  return vd_error(d, (vd_place){.source = source}, "no column '%s': a hardpoint list begins with name,x,y,z",
                  usual[what][0]);
}

bool vd_hardpoint_row_at(const vd_hardpoint_rows *rows, size_t row, double *at) {
  bool good = true;
  if (rows->cells.rows == 0)
    memcpy(at, rows->row[row].at, 3 * sizeof *at);
  else
    for (int i = 0; i < 3; i++)
      good &= vd_cells_number(&rows->cells, row, (size_t)rows->column[i + 1], &at[i]);
  for (int i = 0; good && rows->unit && i < 3; i++)
    at[i] = vd_unit_to_si(*rows->unit, at[i]);
  return good;
}

/* --- comma-separated values --- */

/* The column with one of the usual names, or -1. *unit: text in brackets behind the name, or NULL. */
static int find_column(const vd_cells *cells, int what, const char **unit) {
  for (size_t i = 0; i < cells->columns; i++) {
    const char *name = cells->name[i], *open = strpbrk(name, "[(");
    size_t length = open ? (size_t)(open - name) : strlen(name), all = strlen(name);
    bool closed = open && (name[all - 1] == ']' || name[all - 1] == ')');
    while (length > 0 && name[length - 1] == ' ')
      length--;
    if (is_usual(what, name, length)) {
      *unit = closed ? open + 1 : NULL;
      return (int)i;
    }
  }
  return -1;
}

/* Sets the unit from a column's name; `text' includes the closing bracket. All columns must have the same unit. */
static bool take_unit(vd_hardpoint_rows *out, int column, const char *text, vd_arena *arena, vd_diag *d) {
  vd_place at = vd_cells_name_place(&out->cells, (size_t)column);
  vd_unit *unit = vd_arena_alloc(arena, sizeof *unit);
  size_t length = strlen(text) - 1;
  if (!vd_measured_unit(text, length, unit) || !vd_dimension_equal(unit->dimension, (vd_dimension){.m = 1}))
    return vd_error(d, at, "'%.*s' is not a unit of length", (int)length, text);
  if (out->unit && unit->numerator * out->unit->denominator != out->unit->numerator * unit->denominator)
    return vd_error(d, at, "x, y and z are not in the same unit");
  out->unit = unit;
  out->unit_text = vd_arena_copy(arena, text, length);
  return true;
}

static bool read_cells(int source, vd_arena *arena, vd_diag *d, vd_hardpoint_rows *out) {
  bool good = true;
  if (!vd_cells_read(source, arena, d, &out->cells))
    return false;
  for (int i = 0; i < COLUMNS; i++) {
    const char *unit = NULL;
    out->column[i] = find_column(&out->cells, i, &unit);
    if (out->column[i] < 0) {
      good = refuse_without(i, source, d);
    } else if (i > 0 && unit) {
      good &= take_unit(out, out->column[i], unit, arena, d);
    }
  }
  for (size_t i = 0; good && i < out->cells.columns; i++) {
    bool known = false;
    for (int k = 0; k < COLUMNS; k++)
      known |= (size_t)out->column[k] == i;
    if (!known)
      vd_warning(d, vd_cells_name_place(&out->cells, i), "this column is not used");
  }
  for (size_t i = 0; good && i < out->cells.rows; i++) {
    vd_hardpoint_row *row = vd_hardpoint_rows_add(out, arena);
    row->name = out->cells.text[i * out->cells.columns + (size_t)out->column[0]];
    row->place = vd_cells_place(&out->cells, i, (size_t)out->column[0]);
  }
  return good;
}

/* --- tables with other separators, and tables with a description --- */

/* A name in the file and the point that it means. */
typedef struct naming {
  const char *name, *is;
} naming;

/* A YAML file that describes a table, with the keys of every measured table. */
typedef struct description {
  vd_measured_def table;
  vd_column_def column[COLUMNS];
  vd_structs points;
} description;

typedef struct columns {
  vd_column_def of[COLUMNS];
} columns;

/* clang-format off */
#define COLUMN(i, n, text) {VD_F_STRUCT(columns, of[i], vd_column_def, n, "1", &vd_column_schema, VD_OMIT_DEFAULT, \
    "{}", text)}
static const vd_field column_rows[] = {
  COLUMN(0, "name", "names of the points"), COLUMN(1, "x", "x"), COLUMN(2, "y", "y"), COLUMN(3, "z", "z"),
};
static const vd_schema column_schema = {.name = "columns of a hardpoint list", VD_SCHEMA_ROWS(columns, column_rows)};
static const vd_field naming_rows[] = {
  {VD_F_STRING(naming, name, "name", NULL, "name of the point in the file")},
  {VD_F_STRING(naming, is, "is", NULL, "its name here, such as lca_front")},
};
static const vd_schema naming_schema = {.name = "point", VD_SCHEMA_ROWS(naming, naming_rows)};
static const vd_field description_rows[] = {
  {VD_F_GROUP(&vd_measured_rows)},
  {VD_F_STRUCT(description, column, vd_column_def *, "columns", "1", &column_schema, VD_OMIT_DEFAULT, "{}",
      "columns with other than the usual names, their units and signs")},
  {VD_F_STRUCTS(description, points, "points", "1", &naming_schema, "[]", "points with other than the known names")},
};
static const vd_schema description_schema = {.name = "hardpoint list", VD_SCHEMA_ROWS(description, description_rows)};
/* clang-format on */

static const vd_unit metre = {.numerator = 1, .denominator = 1, .dimension = {.m = 1}};

static const char *known_as(const description *def, const char *name) {
  const naming *n = def->points.item;
  for (size_t i = 0; i < def->points.count; i++)
    if (strcasecmp(n[i].name, name) == 0)
      return n[i].is;
  return name;
}

/* root: the file that describes the table; NULL: there is none. */
static bool read_measured(const description *def, int source, const vd_node *root, vd_arena *arena, vd_diag *d,
                          vd_hardpoint_rows *out) {
  static const char *const keys[COLUMNS] = {"columns.name", "columns.x", "columns.y", "columns.z"};
  vd_measured_quantity want[COLUMNS];
  vd_measured table;
  for (int i = 0; i < COLUMNS; i++)
    want[i] = (vd_measured_quantity){
        .key = keys[i], .unit = i == 0 ? NULL : "m", .names = usual[i], .column_def = &def->column[i]};
  if (!vd_measured_read_source(&def->table, source, root, "", want, COLUMNS, arena, d, &table))
    return false;
  bool good = true;
  for (int i = 0; i < COLUMNS; i++)
    if (i == 0 ? !table.text[0] : !table.value[i])
      good = refuse_without(i, source, d);
  if (good && (table.stated[1] != table.stated[2] || table.stated[2] != table.stated[3]))
    good = vd_error(d, (vd_place){.source = source}, "some of x, y and z have a unit, others have none");
  for (size_t k = 0; good && k < table.rows; k++) {
    vd_hardpoint_row *row = vd_hardpoint_rows_add(out, arena);
    row->name = known_as(def, table.text[0][k]);
    row->place = vd_measured_place(&table, d, k, 0);
    for (int i = 0; i < 3; i++)
      row->at[i] = table.value[i + 1][k];
  }
  if (good && table.stated[1]) {
    out->unit = &metre;
    out->unit_text = "the units of its columns";
  }
  return good;
}

static bool read_plain(int source, vd_arena *arena, vd_diag *d, vd_hardpoint_rows *out) {
  description def = {.table = {.file = "", .comment = ""}};
  for (int i = 0; i < COLUMNS; i++)
    def.column[i] = (vd_column_def){.column = "", .unit = "", .scale = NAN, .offset = NAN};
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

static bool number_of(const vd_node *node, double *value) {
  size_t used;
  return node && node->kind == VD_NODE_SCALAR && vd_num_parse(node->text, strlen(node->text), value, &used) &&
         node->text[used] == '\0' && isfinite(*value);
}

/* Reads [x, y, z] or {x: .., y: .., z: ..}. */
static bool read_place(const vd_node *node, double *at) {
  static const char *const axis[] = {"x", "y", "z"};
  bool good = node->kind != VD_NODE_SCALAR;
  for (size_t i = 0; i < 3 && good; i++)
    good = number_of(node->kind == VD_NODE_SEQUENCE ? vd_tree_item(node, i) : vd_tree_get(node, axis[i]), &at[i]);
  return good && !vd_tree_item(node, 3);
}

/* Reads {lca_front: [..], ..}, or a list of {name: .., x: .., y: .., z: ..}; either may be the value of
 * `hardpoints`. */
static bool read_tree(int source, vd_arena *arena, vd_diag *d, vd_hardpoint_rows *out) {
  const vd_node *root = vd_tree_parse(arena, d, source);
  bool good = root;
  if (!root)
    return false;
  const vd_node *points = vd_tree_get(root, "hardpoints") ? vd_tree_get(root, "hardpoints") : root;
  for (const vd_node *p = points->child; p; p = p->next) {
    const vd_node *name = points->kind == VD_NODE_SEQUENCE ? vd_tree_get(p, "name") : NULL;
    vd_hardpoint_row *row = vd_hardpoint_rows_add(out, arena);
    row->name = name && name->kind == VD_NODE_SCALAR ? name->text : p->key ? p->key : "";
    row->place = p->key ? p->key_place : p->place;
    if (!read_place(p, row->at))
      good = vd_error(d, vd_node_place(p), "a point needs three numbers: [x, y, z] or x, y and z");
  }
  if (good && out->count == 0)
    vd_error(d, (vd_place){.source = source}, "no points");
  return good && out->count > 0;
}

/* --- the form of a file --- */

enum list_form { CSV, TABLE, BLOCKS, TREE };
enum tree_kind { OTHER, PLACES, DESCRIPTION };

static enum list_form form_of(int source, const vd_diag *d) {
  const char *text, *path = vd_diag_source_name(d, source);
  size_t end = 0, length = vd_diag_source_text(d, source, &text), at = vd_first_line(text, length, &end);
  if (at < length &&
      (text[at] == '$' || (text[at] == '[' && memchr(text + at, ']', end - at) && !memchr(text + at, ',', end - at))))
    return BLOCKS;
  if (vd_ends_in(path, ".yaml") || vd_ends_in(path, ".yml") || vd_ends_in(path, ".json") ||
      (at < length && (text[at] == '{' || text[at] == '[')))
    return TREE;
  return at < length && !memchr(text + at, ',', end - at) ? TABLE : CSV;
}

/* Whether a line has the usual names of all four columns, each followed by a unit or nothing. */
static bool names_columns(vd_slice line) {
  unsigned marks = 0;
  for (size_t at = 0, end; at < line.length; at = end + 1) {
    end = at;
    while (end < line.length && !strchr("\t;,", line.text[end]))
      end++;
    vd_slice field = vd_trimmed((vd_slice){line.text + at, end - at});
    while (field.length > 0 && strchr("\"#", *field.text))
      field = vd_trimmed((vd_slice){field.text + 1, field.length - 1});
    size_t length = 0;
    while (length < field.length && !strchr("\"[(", field.text[length]))
      length++;
    field = vd_trimmed((vd_slice){field.text, length});
    for (int i = 0; i < COLUMNS; i++)
      marks |= is_usual(i, field.text, field.length) ? 1u << i : 0u;
  }
  return marks == (1u << COLUMNS) - 1u;
}

/* Whether the first line, or a comment before it, names the columns; blanks may separate the names. */
static bool has_columns(int source, const vd_diag *d) {
  const char *text;
  size_t last, length = vd_diag_source_text(d, source, &text);
  vd_lines in = {.text = text, .length = length};
  vd_slice line;
  bool found = false;
  vd_first_line(text, length, &last);
  while (!found && in.at <= last && vd_lines_next(&in, &line)) {
    found = names_columns(line);
    if (found || memchr(line.text, ',', line.length))
      continue;
    char blanks[128] = "";
    size_t n = line.length < sizeof blanks ? line.length : 0;
    for (size_t i = 0; i < n; i++)
      blanks[i] = line.text[i] == ' ' ? ',' : line.text[i];
    found = names_columns((vd_slice){blanks, n});
  }
  return found;
}

/* Determines what a tree is: a description has `file`; a list has `hardpoints` or only places; a suspension has
 * neither. */
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
    kind = PLACES;
  else if (root && root->kind == VD_NODE_MAPPING && root->child)
    kind = read_place(root->child, at) ? PLACES : OTHER;
  vd_diag_destroy(quiet);
  vd_arena_destroy(arena);
  return kind;
}

bool vd_hardpoint_is_list(int source, const vd_diag *d) {
  switch (form_of(source, d)) {
  case BLOCKS: return true;
  case TREE: return tree_kind_of(source, d) != OTHER;
  case CSV:
  case TABLE: break;
  }
  return has_columns(source, d);
}

bool vd_hardpoint_rows_read(int source, vd_arena *arena, vd_diag *d, vd_hardpoint_rows *out) {
  *out = (vd_hardpoint_rows){.toe0 = NAN, .camber0 = NAN};
  switch (form_of(source, d)) {
  case CSV: return read_cells(source, arena, d, out);
  case TABLE: return read_plain(source, arena, d, out);
  case BLOCKS: return vd_hardpoint_adams_read(source, arena, d, out);
  case TREE: break;
  }
  return tree_kind_of(source, d) == DESCRIPTION ? read_described(source, arena, d, out)
                                                : read_tree(source, arena, d, out);
}
