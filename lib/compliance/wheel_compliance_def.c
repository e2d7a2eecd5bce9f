#include "compliance/wheel_compliance_def.h"

#include "base/base.h"
#include "input/file.h"
#include "input/schema.h"

#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
#define COLUMN_AT(i, key, unit, help) \
  {VD_F_STRUCT(vd_compliance_columns, of[i], vd_column_def, key, unit, &vd_column_schema, VD_OMIT_DEFAULT, "{}", help)},
#define LOAD_COLUMN(id, key, unit, most, help) COLUMN_AT(VD_RIG_##id, key, unit, help)
#define COLUMN(id, key, unit, most, help) COLUMN_AT(VD_COMPLIANCE_QUANTITIES + VD_DISPLACEMENT_##id, key, unit, help)
#define BY(id, key, unit, limit, help) \
  {VD_F_NUMBER(vd_compliance_row_def, by[VD_RIG_##id], key, unit, -(limit), limit, VD_AUTO | VD_OMIT_DEFAULT, "auto", \
      help "; auto: not known")},

static const vd_field column_fields[] = {
  VD_RIG_LOAD_LIST(LOAD_COLUMN)
  VD_DISPLACEMENT_LIST(COLUMN)
  COLUMN_AT(VD_COMPLIANCE_TRAVEL, "travel", "m",
      "rise of the wheel centre from the design position; default: 0")
};

static const vd_schema columns_schema = {.name = "columns", VD_SCHEMA_ROWS(vd_compliance_columns, column_fields)};

static const vd_field file_fields[] = {
  {VD_F_GROUP(&vd_measured_rows)},
  {VD_F_STRUCT(vd_compliance_file_def, columns, vd_compliance_columns, "columns", "1", &columns_schema,
      VD_OMIT_DEFAULT, "{}",
      "columns of the quantities in the file")},
};

static const vd_schema file_schema = {.name = "table", VD_SCHEMA_ROWS(vd_compliance_file_def, file_fields),
    .shorthand = "file"};

#define LOADS(of, most) \
  BY(FX_DRIVE, "fx_drive", of "/N", most, "change per force ahead at the centre of a wheel that a shaft drives") \
  BY(FX_BRAKE, "fx_brake", of "/N", most, \
      "change per force ahead at the contact of a wheel that its knuckle brakes; such forces are < 0") \
  BY(FY, "fy", of "/N", most, "change per force to the left at the contact of the left wheel") \
  BY(MZ, "mz", of "/N/m", 10 * (most), "change per moment about the vertical, to the left, on the left wheel")

static const vd_field angle_fields[] = {LOADS("rad", 1e-2)};
static const vd_field place_fields[] = {LOADS("m", 1e-3)};

static const vd_schema angle_schema = {.name = "compliance", VD_SCHEMA_ROWS(vd_compliance_row_def, angle_fields)};
static const vd_schema place_schema = {.name = "compliance", VD_SCHEMA_ROWS(vd_compliance_row_def, place_fields)};

#define ROW(id, key, schema, help) \
  {VD_F_STRUCT(vd_wheel_compliance_def, of[VD_DISPLACEMENT_##id], vd_compliance_row_def, key, "1", schema, \
      VD_OMIT_DEFAULT, "{}", help)},

static const vd_field fields[] = {
  {VD_F_STRUCTS(vd_wheel_compliance_def, tables, "tables", "1", &file_schema, "[]",
      "files of rows under one load at a time"), .flags = VD_OMIT_DEFAULT},
  ROW(TOE, "toe", &angle_schema, "coefficients of the toe instead of curves, toe-in > 0")
  ROW(CAMBER, "camber", &angle_schema, "coefficients of the camber, top outward > 0")
  ROW(X, "x", &place_schema, "coefficients of the displacement of the wheel centre ahead")
  ROW(Y, "y", &place_schema, "coefficients of the displacement of the wheel centre outward")
  ROW(CONTACT_Y, "contact_y", &place_schema,
    "coefficients of the displacement of the contact point outward, if y is not known")
  ROW(SPIN, "spin", &angle_schema,
    "coefficients of the rotation of the knuckle about the wheel's axle, > 0 as a wheel rolls ahead")
  {VD_F_NUMBER(vd_wheel_compliance_def, radius, "radius", "m", 0.05, 2, VD_AUTO | VD_OMIT_DEFAULT, "auto",
      "height of the wheel centre over the contact, on the rig; auto: that of the car")},
};
/* clang-format on */
_Static_assert(VD_COUNT(fields) == VD_DISPLACEMENTS + 2, "a row for each quantity");

const vd_schema vd_wheel_compliance_schema = {
    .name = "compliance", VD_SCHEMA_ROWS(vd_wheel_compliance_def, fields), .shorthand = "tables"};

typedef struct reading {
  const vd_node *root;
  const char *path; /* of the mapping of the file */
  vd_arena *arena;
  vd_diag *d;
  int source; /* of a table without a mapping, whose root is NULL */
  vd_measured table;
  vd_wheel_compliance *out;
} reading;

static const double same = 1e-7; /* m; travels that are nearer than this are the same */

static vd_place file_place(const reading *r) {
  return r->root ? vd_tree_place_in(r->root, r->path, "file") : (vd_place){.source = r->source};
}

/* Usual names of columns, without `columns`. */
static const char *const names[VD_COMPLIANCE_WANTED][8] = {
    [VD_RIG_FX_DRIVE] = {"fx_drive", "fx_drive_N", "fx_drive_kN", "fx_centre_N"},
    [VD_RIG_FX_BRAKE] = {"fx_brake", "fx_brake_N", "fx_brake_kN", "fx_N"},
    [VD_RIG_FY] = {"fy", "fy_N", "fy_kN"},
    [VD_RIG_MZ] = {"mz", "mz_Nm"},
    [VD_COMPLIANCE_QUANTITIES + VD_DISPLACEMENT_TOE] = {"toe", "toe_deg", "toe_rad"},
    [VD_COMPLIANCE_QUANTITIES + VD_DISPLACEMENT_CAMBER] = {"camber", "camber_deg", "camber_rad"},
    [VD_COMPLIANCE_QUANTITIES + VD_DISPLACEMENT_X] = {"x", "dx", "dx_mm", "wheel_x_mm", "wheel_x_m"},
    [VD_COMPLIANCE_QUANTITIES + VD_DISPLACEMENT_Y] = {"y", "dy", "dy_mm", "half_track_change_mm"},
    [VD_COMPLIANCE_QUANTITIES + VD_DISPLACEMENT_CONTACT_Y] = {"contact_y", "contact_y_mm"},
    [VD_COMPLIANCE_QUANTITIES + VD_DISPLACEMENT_SPIN] = {"spin", "spin_deg", "spin_rad", "knuckle_spin_deg"},
    [VD_COMPLIANCE_TRAVEL] = {"travel", "travel_mm", "travel_m", "jounce", "jounce_mm", "wheel_travel",
                              "wheel_travel_mm"},
};

static const struct {
  const char *column, *unit;
  double most;
} quantity[VD_COMPLIANCE_WANTED] = {
#define QUANTITY(id, key, unit, most, help) {"columns." key, unit, most},
    VD_RIG_LOAD_LIST(QUANTITY) VD_DISPLACEMENT_LIST(QUANTITY){"columns.travel", "m", 1.0}};

static const char *key_of(int wanted) {
  return strchr(quantity[wanted].column, '.') + 1;
}

static bool read_rows(reading *r, vd_compliance_file_def *def) {
  vd_measured_quantity want[VD_COMPLIANCE_WANTED];
  for (size_t i = 0; i < VD_COUNT(want); i++)
    want[i] =
        (vd_measured_quantity){quantity[i].column, quantity[i].unit, names[i], &def->columns.of[i], VD_COLUMN_OPTIONAL};
  return vd_measured_read_source(&def->file, r->source, r->root, r->path, want, VD_COUNT(want), r->arena, r->d,
                                 &r->table);
}

bool vd_wheel_table_load(vd_measured_def *file, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d,
                         int *source) {
  if (*file->file == '\0') {
    vd_error(d, vd_tree_place(root, path), "a table needs a file");
    return false;
  }
  if (!vd_measured_load(file->file, vd_tree_place_in(root, path, "file"), d, source))
    return false;
  file->file = vd_file_full(arena, file->file);
  return true;
}

/* Checks the values: one that is far too large probably has a wrong unit. Displacements are relative to the first
 * row. */
static bool check_values(const reading *r) {
  for (int i = 0; i < VD_COMPLIANCE_WANTED; i++)
    for (size_t k = 0; r->table.value[i] && k < r->table.rows; k++) {
      bool load = i < VD_RIG_LOADS || i == VD_COMPLIANCE_TRAVEL;
      double change = r->table.value[i][k] - (load ? 0.0 : r->table.value[i][0]);
      if (!(fabs(change) <= quantity[i].most)) {
        vd_error(r->d, vd_measured_place(&r->table, r->d, k, (size_t)i),
                 "%s %s %.6g %s here, too much for a wheel's compliance; is the unit of the column right?", key_of(i),
                 load ? "is" : "has changed by", change, quantity[i].unit);
        return false;
      }
    }
  return true;
}

/* Finds the only load of a row; -1: none. False after an error: the row has two. */
static bool load_of(const reading *r, size_t row, int *load) {
  *load = -1;
  for (int j = 0; j < VD_RIG_LOADS; j++) {
    if (!r->table.value[j] || r->table.value[j][row] == 0.0)
      continue;
    if (*load >= 0) {
      vd_error(r->d, vd_measured_place(&r->table, r->d, row, (size_t)j), "a row has one load; this one has %s and %s",
               key_of(*load), key_of(j));
      return false;
    }
    *load = j;
  }
  return true;
}

typedef struct load_row {
  double load;
  size_t row;
} load_row;

static int by_load(const void *a, const void *b) {
  const load_row *x = a, *y = b;
  return (x->load > y->load) - (x->load < y->load);
}

/* Makes the curves over one load from `count` rows, whose loads rise. */
static bool make_curves(const reading *r, int load, const load_row *rows, size_t count,
                        vd_compliance_curve (*of)[VD_RIG_LOADS]) {
  double *at = vd_arena_alloc(r->arena, 2 * count * sizeof *at), *value = at + count;
  for (size_t i = 0; i < count; i++) {
    at[i] = rows[i].load;
    if (i > 0 && !(at[i] > at[i - 1])) {
      size_t later = rows[i].row > rows[i - 1].row ? rows[i].row : rows[i - 1].row;
      vd_error(r->d, vd_measured_place(&r->table, r->d, later, (size_t)load),
               "a second row at this load; rows that go up and down again are to be averaged first");
      return false;
    }
  }
  if (!(at[0] <= 0.0 && at[count - 1] >= 0.0)) {
    vd_error(r->d, file_place(r), "%s goes from %.6g to %.6g; a curve needs a row without load, or rows on both sides",
             key_of(load), at[0], at[count - 1]);
    return false;
  }
  for (int q = 0; q < VD_DISPLACEMENTS; q++) {
    const double *from = r->table.value[VD_COMPLIANCE_QUANTITIES + q];
    if (!from)
      continue;
    if (of[q][load].count > 0) {
      vd_error(r->d, file_place(r), "two tables have %s over %s", key_of(VD_COMPLIANCE_QUANTITIES + q), key_of(load));
      return false;
    }
    for (size_t i = 0; i < count; i++)
      value[i] = from[rows[i].row];
    of[q][load] = vd_compliance_curve_make(at, value, count, r->arena);
  }
  return true;
}

/* Returns the curves at a travel, which are created if there are none yet. */
static vd_compliance_curve (*curves_at(const reading *r, double travel))[VD_RIG_LOADS] {
  vd_wheel_compliance *out = r->out;
  if (fabs(travel) <= same)
    return out->of;
  vd_compliance_height *height = vd_arena_alloc(r->arena, (out->heights + 1) * sizeof *height);
  for (size_t i = 0; i < out->heights; i++)
    height[i] = out->height[i];
  out->height = height;
  for (size_t i = 0; i < out->heights; i++)
    if (fabs(height[i].travel - travel) <= same)
      return height[i].of;
  height += out->heights++;
  *height = (vd_compliance_height){.travel = travel};
  return height->of;
}

/* Reads the rows at a travel. False after errors. */
static bool read_height(const reading *r, double travel, bool *loaded) {
  vd_compliance_curve(*of)[VD_RIG_LOADS] = curves_at(r, travel);
  const double *at = r->table.value[VD_COMPLIANCE_TRAVEL];
  for (int j = 0; j < VD_RIG_LOADS; j++) {
    load_row *rows = vd_arena_alloc(r->arena, (r->table.rows + 1) * sizeof *rows);
    size_t count = 0, idle = 0;
    for (size_t k = 0; r->table.value[j] && k < r->table.rows; k++) {
      int load;
      if (!load_of(r, k, &load))
        return false;
      if (load != j && (load >= 0 || idle > 0)) /* one row without load is enough */
        continue;
      if (at && !(fabs(at[k] - travel) <= same))
        continue;
      idle += load < 0;
      rows[count++] = (load_row){r->table.value[j][k], k};
    }
    if (count < 2)
      continue;
    *loaded = true;
    qsort(rows, count, sizeof *rows, by_load);
    if (!make_curves(r, j, rows, count, of))
      return false;
  }
  return true;
}

static bool read_file(reading *r, vd_compliance_file_def *def) {
  bool loaded = false, known = false;
  if (!read_rows(r, def) || !check_values(r))
    return false;
  const double *at = r->table.value[VD_COMPLIANCE_TRAVEL];
  for (int q = 0; q < VD_DISPLACEMENTS; q++)
    known |= r->table.value[VD_COMPLIANCE_QUANTITIES + q] != NULL;
  for (size_t k = 0; k < (at ? r->table.rows : 1); k++) {
    bool first = true;
    for (size_t i = 0; i < k; i++)
      first &= !(fabs(at[i] - at[k]) <= same);
    if (first && !read_height(r, at ? at[k] : 0.0, &loaded))
      return false;
  }
  if (!loaded)
    vd_error(r->d, file_place(r),
             "no column of a load with two rows: name fx_drive, fx_brake, fy or mz with 'columns'");
  else if (!known)
    vd_error(r->d, file_place(r), "no column of toe, camber or another quantity: name it with 'columns'");
  return loaded && known;
}

bool vd_wheel_compliance_is_given(const vd_wheel_compliance_def *def) {
  bool is_given = def->tables.count > 0;
  for (int q = 0; q < VD_DISPLACEMENTS; q++)
    for (int j = 0; j < VD_RIG_LOADS; j++)
      is_given |= !isnan(def->of[q].by[j]);
  return is_given;
}

bool vd_wheel_compliance_read_source(int source, vd_arena *arena, vd_diag *d, vd_wheel_compliance *out) {
  vd_compliance_file_def def = {.file = VD_NO_FILE};
  reading r = {.path = "", .arena = arena, .d = d, .source = source, .out = out};
  for (int i = 0; i < VD_COMPLIANCE_WANTED; i++)
    def.columns.of[i] = VD_NO_COLUMN;
  *out = (vd_wheel_compliance){.radius = NAN};
  return read_file(&r, &def);
}

bool vd_wheel_compliance_read(vd_wheel_compliance_def *def, const vd_node *root, const char *path, vd_arena *arena,
                              vd_diag *d, vd_wheel_compliance *out) {
  bool good = true;
  char key[160], list[128];
  reading r = {.root = root, .arena = arena, .d = d, .out = out};
  *out = (vd_wheel_compliance){.radius = def->radius};
  snprintf(list, sizeof list, "%s.tables", path);
  for (size_t i = 0; i < def->tables.count; i++) {
    r.path = vd_tree_item_path(root, list, i, arena);
    vd_compliance_file_def *file = (vd_compliance_file_def *)def->tables.item + i;
    good = vd_wheel_table_load(&file->file, root, r.path, arena, d, &r.source) && read_file(&r, file) && good;
  }
  for (int q = 0; q < VD_DISPLACEMENTS; q++)
    for (int j = 0; j < VD_RIG_LOADS; j++) {
      static const double unit[] = {0.0, 1.0};
      const double value[] = {0.0, def->of[q].by[j]};
      if (isnan(value[1]))
        continue;
      snprintf(key, sizeof key, "%s.%s.%s", path, key_of(VD_COMPLIANCE_QUANTITIES + q), key_of(j));
      if (out->of[q][j].count > 0) {
        vd_error(d, vd_tree_place(root, key), "a table has %s over %s, too", key_of(VD_COMPLIANCE_QUANTITIES + q),
                 key_of(j));
        good = false;
      }
      out->of[q][j] = vd_compliance_curve_make(unit, value, 2, arena);
    }
  if (good && out->heights > 0 && !vd_wheel_compliance_given(out)) {
    vd_error(d, vd_tree_place(root, path),
             "compliance at %g mm of travel also needs the compliance at the design position",
             1e3 * out->height[0].travel);
    good = false;
  }
  return good;
}
