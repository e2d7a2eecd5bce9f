#include "compliance/wheel_tables_def.h"

#include "base/base.h"
#include "input/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define COLUMN_AT(i, key, unit, help) \
  {VD_F_STRUCT(vd_kc_columns, of[i], vd_column_def, key, unit, &vd_column_schema, VD_OMIT_DEFAULT, "{}", help)},
#define COLUMN(id, key, unit, most, help) COLUMN_AT(VD_KC_QUANTITIES + VD_TABLED_##id, key, unit, help)
#define POINTS(id, key, unit, most, help) \
  {VD_F_POINTS(vd_kc_def, of[VD_TABLED_##id], key, unit, -2 * (most), 2 * (most), "[]", \
      "pairs [travel, value] instead of a file: " help), .x_unit = "m", .flags = VD_OMIT_DEFAULT},

static const vd_field column_fields[] = {
  COLUMN_AT(VD_KC_AT_TRAVEL, "travel", "m", "rise of the wheel centre relative to the body from the design position")
  COLUMN_AT(VD_KC_AT_RACK, "rack", "m", "shift of the rack to the left")
  COLUMN_AT(VD_KC_AT_OTHER, "other_travel", "m", "travel of the other wheel, where an axle or a beam joins both")
  VD_TABLED_LIST(COLUMN)
};

static const vd_schema columns_schema = {.name = "columns", VD_SCHEMA_ROWS(vd_kc_columns, column_fields)};

static const vd_field file_fields[] = {
  {VD_F_GROUP(&vd_measured_rows)},
  {VD_F_STRUCT(vd_kc_file_def, columns, vd_kc_columns, "columns", "1", &columns_schema, VD_OMIT_DEFAULT, "{}",
      "columns of the quantities in the file")},
};

static const vd_schema file_schema = {.name = "table", VD_SCHEMA_ROWS(vd_kc_file_def, file_fields),
    .shorthand = "file"};

static const vd_field kc_fields[] = {
  {VD_F_STRUCTS(vd_kc_def, tables, "tables", "1", &file_schema, "[]",
      "files of rows over travel, rack, travel of the other wheel, or several of these"), .flags = VD_OMIT_DEFAULT},
  VD_TABLED_LIST(POINTS)
  {VD_F_STRUCT(vd_kc_def, compliance, vd_wheel_compliance_def, "compliance", "1", &vd_wheel_compliance_schema,
      VD_OMIT_DEFAULT, "{}",
      "displacements of the wheel on its bushings under forces, used with run.compliance")},
  {VD_F_FLAG(vd_kc_def, live, "live", "false",
      "the wheels are those of a rigid axle that carries the final drive"), .flags = VD_OMIT_DEFAULT},
};
/* clang-format on */

const vd_schema vd_kc_schema = {.name = "kc", VD_SCHEMA_ROWS(vd_kc_def, kc_fields), .shorthand = "tables"};

typedef struct reading {
  const vd_node *root;
  const char *path; /* of the mapping of the file */
  vd_arena *arena;
  vd_diag *d;
  bool right;
  vd_measured table;
  const double *at[VD_TABLE_COORDINATES]; /* of the rows; NULL: the file has no such column */
  size_t column[VD_TABLE_COORDINATES];
} reading;

static vd_place file_place(const reading *r) {
  return vd_tree_place_in(r->root, r->path, "file");
}

/* Usual names of columns, without `columns`. */
static const char *const names[VD_KC_WANTED][8] = {
    [VD_KC_AT_TRAVEL] = {"travel", "travel_mm", "travel_m", "jounce", "jounce_mm", "wheel_travel", "wheel_travel_mm"},
    [VD_KC_AT_RACK] = {"rack", "rack_mm", "rack_m"},
    [VD_KC_AT_OTHER] = {"other_travel", "other_travel_mm", "other_travel_m"},
    [VD_KC_QUANTITIES + VD_TABLED_TOE] = {"toe", "toe_deg", "toe_rad"},
    [VD_KC_QUANTITIES + VD_TABLED_CAMBER] = {"camber", "camber_deg", "camber_rad"},
    [VD_KC_QUANTITIES + VD_TABLED_X] = {"x", "dx", "dx_mm", "wheel_x_mm", "wheel_x_m"},
    [VD_KC_QUANTITIES + VD_TABLED_Y] = {"y", "dy", "dy_mm", "half_track_change_mm"},
    [VD_KC_QUANTITIES + VD_TABLED_Z] = {"z", "dz", "dz_mm", "wheel_z_mm", "wheel_z_m"},
    [VD_KC_QUANTITIES + VD_TABLED_KINGPIN] = {"kingpin_turn", "kingpin_turn_deg", "kingpin_turn_rad"},
    [VD_KC_QUANTITIES + VD_TABLED_SPIN] = {"spin", "spin_deg", "spin_rad", "knuckle_spin_deg"},
    [VD_KC_QUANTITIES + VD_TABLED_SPRING] = {"spring_length", "spring_length_mm", "spring_length_m"},
    [VD_KC_QUANTITIES + VD_TABLED_DAMPER] = {"damper_length", "damper_length_mm", "damper_length_m"},
    [VD_KC_QUANTITIES + VD_TABLED_ENERGY] = {"bushing_energy", "bushing_energy_J"},
    [VD_KC_QUANTITIES + VD_TABLED_BUSHING_TOE] = {"bushing_toe", "bushing_toe_deg", "bushing_toe_rad"},
    [VD_KC_QUANTITIES + VD_TABLED_BUSHING_CAMBER] = {"bushing_camber", "bushing_camber_deg", "bushing_camber_rad"},
    [VD_KC_QUANTITIES + VD_TABLED_BUSHING_X] = {"bushing_x", "bushing_x_mm", "bushing_x_m"},
    [VD_KC_QUANTITIES + VD_TABLED_BUSHING_Y] = {"bushing_y", "bushing_y_mm", "bushing_y_m"},
    [VD_KC_QUANTITIES + VD_TABLED_BUSHING_SPIN] = {"bushing_spin", "bushing_spin_deg", "bushing_spin_rad"},
};

static const struct {
  const char *column, *unit;
  double most;
} quantity[VD_KC_WANTED] = {
#define QUANTITY(id, key, unit, most, help) {"columns." key, unit, most},
    {"columns.travel", "m", 1.0},
    {"columns.rack", "m", 1.0},
    {"columns.other_travel", "m", 1.0},
    VD_TABLED_LIST(QUANTITY)};

static const char *key_of(size_t wanted) {
  return strchr(quantity[wanted].column, '.') + 1;
}

static bool read_rows(reading *r, vd_kc_file_def *def) {
  vd_measured_quantity want[VD_KC_WANTED];
  int source;
  for (size_t i = 0; i < VD_KC_WANTED; i++)
    want[i] =
        (vd_measured_quantity){quantity[i].column, quantity[i].unit, names[i], &def->columns.of[i], VD_COLUMN_OPTIONAL};
  return vd_wheel_table_load(&def->file, r->root, r->path, r->arena, r->d, &source) &&
         vd_measured_read_source(&def->file, source, r->root, r->path, want, VD_KC_WANTED, r->arena, r->d, &r->table);
}

/* Checks the values: one that is far too large probably has a wrong unit. */
static bool check_values(const reading *r) {
  for (size_t i = 0; i < VD_KC_WANTED; i++)
    for (size_t k = 0; r->table.value[i] && k < r->table.rows; k++) {
      double value = r->table.value[i][k];
      /* of x, y and z only the change is checked */
      bool place = i >= VD_KC_QUANTITIES + VD_TABLED_X && i <= VD_KC_QUANTITIES + VD_TABLED_Z;
      if (!(fabs(place ? value - r->table.value[i][0] : value) <= quantity[i].most)) {
        vd_error(r->d, vd_measured_place(&r->table, r->d, k, i),
                 "%s is %.6g %s here, too much for a wheel; is the unit of the column right?", key_of(i), value,
                 quantity[i].unit);
        return false;
      }
    }
  return true;
}

static int by_value(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static const double same = 1e-7; /* m; places that are nearer than this are the same */

/* Returns the different values of a coordinate, rising; without a column only the value 0. */
static const double *places(const reading *r, const double *value, size_t *count) {
  double *at = vd_arena_alloc(r->arena, (r->table.rows + 1) * sizeof *at);
  *count = 1;
  if (!value)
    return at;
  memcpy(at, value, r->table.rows * sizeof *at);
  qsort(at, r->table.rows, sizeof *at, by_value);
  for (size_t i = 1; i < r->table.rows; i++)
    if (at[i] - at[*count - 1] > same)
      at[(*count)++] = at[i];
  return at;
}

static size_t place_of(const double *at, size_t count, double value) {
  size_t i = 0;
  while (i + 1 < count && at[i] < value - same)
    i++;
  return i;
}

/* Returns the place of a point of the grid along coordinate k. */
static double place_at(const vd_wheel_table *t, size_t cell, int k) {
  for (int after = VD_TABLE_COORDINATES - 1; after > k; after--)
    cell /= t->count[after];
  return t->at[k][cell % t->count[k]];
}

static void tell_gap(const reading *r, const vd_wheel_table *t, size_t cell) {
  static const char *const name[] = {"travel", "rack", "other_travel"};
  vd_buf places = {0};
  for (int k = 0; k < VD_TABLE_COORDINATES; k++)
    if (k <= VD_TABLE_SECOND || r->at[k])
      vd_buf_printf(&places, "%s%s %.6g m", k == 0 ? "" : " and ", name[r->column[k]], place_at(t, cell, k));
  vd_error(r->d, file_place(r), "the rows do not form a grid: there is no row at %s", places.text);
  vd_buf_finish(&places);
}

/* Returns the row of each point of the grid; NULL after an error. If a grid has more points than rows, at least one of
 * its first rows + 1 points has no row, so no more points are checked. */
static const size_t *grid_rows(const reading *r, const vd_wheel_table *t) {
  size_t rows = r->table.rows, cells = 1;
  for (int c = 0; c < VD_TABLE_COORDINATES && cells <= rows; c++)
    cells *= t->count[c];
  if (cells > rows)
    cells = rows + 1;
  size_t *row = vd_arena_alloc(r->arena, cells * sizeof *row);
  for (size_t k = 0; k < rows; k++) {
    size_t at = 0;
    for (int c = 0; c < VD_TABLE_COORDINATES && at < cells; c++)
      at = at * t->count[c] + (r->at[c] ? place_of(t->at[c], t->count[c], r->at[c][k]) : 0);
    if (at >= cells)
      continue;
    if (row[at] > 0) {
      vd_error(r->d,
               vd_measured_place(&r->table, r->d, k, r->at[0] ? (size_t)VD_KC_AT_TRAVEL : r->column[VD_TABLE_SECOND]),
               "a second row at this place; rows that go up and down again are to be averaged first");
      return NULL;
    }
    row[at] = k + 1;
  }
  for (size_t i = 0; i < cells; i++)
    if (row[i] == 0) {
      tell_gap(r, t, i);
      return NULL;
    }
  return row;
}

/* Chooses the coordinates of a table. The rack of a mirrored right wheel has the opposite sign. */
static void choose_coordinates(reading *r) {
  double *rack = r->table.value[VD_KC_AT_RACK], *other = r->table.value[VD_KC_AT_OTHER];
  bool both = rack && other;
  for (size_t k = 0; rack && r->right && k < r->table.rows; k++)
    rack[k] = 0.0 - rack[k];
  r->at[VD_TABLE_TRAVEL] = r->table.value[VD_KC_AT_TRAVEL];
  r->at[VD_TABLE_SECOND] = rack && !other ? rack : other;
  r->at[VD_TABLE_GEAR] = both ? rack : NULL;
  r->column[VD_TABLE_TRAVEL] = VD_KC_AT_TRAVEL;
  r->column[VD_TABLE_SECOND] = rack && !other ? VD_KC_AT_RACK : VD_KC_AT_OTHER;
  r->column[VD_TABLE_GEAR] = VD_KC_AT_RACK;
}

static bool make_table(reading *r, vd_wheel_table *t) {
  bool known = false;
  if (!r->at[VD_TABLE_TRAVEL] && !r->at[VD_TABLE_SECOND]) {
    vd_error(r->d, file_place(r), "no column of travel or rack: name it with 'columns'");
    return false;
  }
  for (int k = 0; k < VD_TABLE_COORDINATES; k++)
    t->at[k] = places(r, r->at[k], &t->count[k]);
  const size_t *row = grid_rows(r, t);
  if (!row)
    return false;
  size_t cells = t->count[VD_TABLE_TRAVEL] * t->count[VD_TABLE_SECOND] * t->count[VD_TABLE_GEAR];
  for (size_t q = 0; q < VD_TABLED; q++) {
    const double *from = r->table.value[VD_KC_QUANTITIES + q];
    known |= from != NULL;
    if (!from)
      continue;
    double *value = vd_arena_alloc(r->arena, cells * sizeof *value);
    for (size_t i = 0; i < cells; i++)
      value[i] = from[row[i] - 1];
    t->value[q] = value;
  }
  if (!known)
    vd_error(r->d, file_place(r), "no column of toe, camber or another quantity: name it with 'columns'");
  return known;
}

static bool read_file(reading *r, vd_kc_file_def *def, vd_wheel_table *t) {
  if (!read_rows(r, def) || !check_values(r))
    return false;
  choose_coordinates(r);
  return make_table(r, t);
}

static void make_points(const reading *r, const vd_points *points, enum vd_tabled q, vd_wheel_table *t) {
  double *at = vd_arena_alloc(r->arena, points->count * sizeof *at);
  double *value = vd_arena_alloc(r->arena, points->count * sizeof *value);
  for (size_t i = 0; i < points->count; i++) {
    at[i] = points->xy[2 * i];
    value[i] = points->xy[2 * i + 1];
  }
  const double *none = vd_arena_alloc(r->arena, sizeof *none);
  *t = (vd_wheel_table){.count = {points->count, 1, 1}, .at = {at, none, none}};
  t->value[q] = value;
}

/* For joined wheels, makes the rack the third coordinate of each table that is over the rack alone. */
static void move_racks(const vd_wheel_tables *t, vd_wheel_table *table, const bool *racked) {
  for (size_t i = 0; i < t->count && t->joined; i++)
    if (racked[i]) {
      const double *none = table[i].at[VD_TABLE_GEAR];
      table[i].count[VD_TABLE_GEAR] = table[i].count[VD_TABLE_SECOND];
      table[i].at[VD_TABLE_GEAR] = table[i].at[VD_TABLE_SECOND];
      table[i].count[VD_TABLE_SECOND] = 1;
      table[i].at[VD_TABLE_SECOND] = none;
    }
}

/* Checks that no quantity is in two tables over the same coordinate, and that places lie on both sides of the design
 * position. */
static bool check_tables(const reading *r, const vd_wheel_tables *t) {
  const char *const over[] = {"travel", t->joined ? "travel of the other wheel" : "rack", "rack"};
  size_t before = vd_diag_errors(r->d);
  for (size_t q = 0; q < VD_TABLED; q++)
    for (int k = 0; k < VD_TABLE_COORDINATES; k++) {
      int count = 0;
      for (size_t i = 0; i < t->count; i++)
        count += t->table[i].value[q] && t->table[i].count[k] > 1;
      if (count > 1)
        vd_error(r->d, vd_tree_place(r->root, r->path), "two tables have %s over the %s", key_of(VD_KC_QUANTITIES + q),
                 over[k]);
    }
  for (enum vd_table_coordinate k = VD_TABLE_TRAVEL; k < VD_TABLE_COORDINATES; k++) {
    double from, to;
    vd_wheel_tables_range(t, k, &from, &to);
    if (!(from < 0.0 && to > 0.0))
      vd_error(r->d, vd_tree_place(r->root, r->path),
               "the tables must have values on both sides of the design position; they have %s from %g to %g m",
               over[k], from, to);
  }
  return vd_diag_errors(r->d) == before;
}

bool vd_kc_given(const vd_kc_def *def) {
  size_t count = def->tables.count;
  for (size_t q = 0; q < VD_TABLED; q++)
    count += def->of[q].count;
  return count > 0;
}

bool vd_kc_read(vd_kc_def *def, double toe, double camber, bool right, const vd_node *root, const char *path,
                vd_arena *arena, vd_diag *d, vd_wheel_tables *out) {
  vd_wheel_table *table = vd_arena_alloc(arena, (def->tables.count + VD_TABLED) * sizeof *table);
  bool good = true, *racked = vd_arena_alloc(arena, (def->tables.count + VD_TABLED) * sizeof *racked);
  char list[128];
  snprintf(list, sizeof list, "%s.tables", path);
  reading r = {.root = root, .path = path, .arena = arena, .d = d, .right = right};
  *out = (vd_wheel_tables){.table = table};
  for (size_t i = 0; i < def->tables.count; i++) {
    r.path = vd_tree_item_path(root, list, i, arena);
    vd_kc_file_def *file = (vd_kc_file_def *)def->tables.item + i;
    good &= read_file(&r, file, &table[out->count]);
    out->joined |= good && r.table.value[VD_KC_AT_OTHER];
    racked[out->count++] = good && r.table.value[VD_KC_AT_RACK] && !r.table.value[VD_KC_AT_OTHER];
  }
  for (size_t q = 0; q < VD_TABLED; q++)
    if (def->of[q].count > 0)
      make_points(&r, &def->of[q], (enum vd_tabled)q, &table[out->count++]);
  r.path = path;
  if (!good)
    return false;
  move_racks(out, table, racked);
  if (!check_tables(&r, out))
    return false;
  for (size_t i = 0; i < out->count; i++)
    vd_wheel_table_finish(&table[i], arena);
  const double origin[VD_TABLE_COORDINATES] = {0.0};
  out->toe = isnan(toe) ? vd_wheel_tables_value(out, VD_TABLED_TOE, origin) : toe;
  out->camber = isnan(camber) ? vd_wheel_tables_value(out, VD_TABLED_CAMBER, origin) : camber;
  return true;
}
