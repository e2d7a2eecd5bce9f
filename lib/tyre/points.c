#include "tyre/points_def.h"

#include "base/base.h"
#include "input/file.h"
#include "input/schema.h"
#include "input/tydex.h"

#include <string.h>

/* clang-format off */
#define COLUMN(id, key, unit, name, help) \
  {VD_F_STRUCT(vd_point_columns, of[VD_POINT_##id], vd_column_def, key, unit, &vd_column_schema, VD_OMIT_DEFAULT, \
      "{}", \
     help)},

static const vd_field column_fields[] = {VD_POINT_QUANTITIES_LIST(COLUMN)};

static const vd_schema columns_schema = {.name = "columns", VD_SCHEMA_ROWS(vd_point_columns, column_fields)};

static const vd_field points_fields[] = {
  {VD_F_GROUP(&vd_measured_rows)},
  {VD_F_STRUCT(vd_tyre_points_def, time, vd_column_def, "time", "s", &vd_column_schema, VD_OMIT_DEFAULT, "{}",
     "column of the time, if the file is a time history; empty: t_s, time_s or time")},
  {VD_F_STRUCT(vd_tyre_points_def, columns, vd_point_columns, "columns", "1", &columns_schema, VD_OMIT_DEFAULT, "{}",
     "columns of the quantities in the file")},
};
/* clang-format on */

const vd_schema vd_tyre_points_schema = {
    .name = "points", VD_SCHEMA_ROWS(vd_tyre_points_def, points_fields), .shorthand = "file"};

const char *const vd_point_keys[VD_POINT_QUANTITIES] = {
#define KEY(id, key, unit, name, help) key,
    VD_POINT_QUANTITIES_LIST(KEY) "time"};

/* Limits of the values, in the order of the quantities. Quantities that the virtual tyre rig can command have the
 * limits of the rig's keys. */
static const struct {
  enum vd_point_quantity quantity;
  double lowest, highest;
} limits[] = {{VD_POINT_LOAD, 0.0, 1e6},
              {VD_POINT_PRESSURE, 0.0, 1e7},
              {VD_POINT_CAMBER, -1.5, 1.5},
              {VD_POINT_SPEED, -200.0, 200.0},
              {VD_POINT_CURVATURE, -1e6, 1e6},
              {VD_POINT_KAPPA, -100.0, 100.0},
              {VD_POINT_ALPHA, -0.5 * VD_PI, 0.5 * VD_PI},
              {VD_POINT_WEIGHT, 0.0, 1e12}};

/* Reports the first value of each quantity that is out of range. */
static bool check(const vd_tyre_points *p, vd_diag *d) {
  bool good = true;
  for (size_t i = 0; i < VD_COUNT(limits); i++) {
    const double *value = p->of[limits[i].quantity];
    for (size_t row = 0; value && row < p->rows; row++)
      if (!(value[row] >= limits[i].lowest && value[row] <= limits[i].highest)) {
        vd_error(d, vd_measured_place(&p->table, d, row, limits[i].quantity),
                 "%s is %.9g; it must be between %g and %g%s", vd_point_keys[limits[i].quantity], value[row],
                 limits[i].lowest, limits[i].highest,
                 limits[i].quantity == VD_POINT_LOAD && value[row] < 0.0 ? " (scale: -1 changes the sign)" : "");
        good = false;
        break;
      }
  }
  return good && (!p->of[VD_POINT_TIME] || vd_measured_rises(&p->table, VD_POINT_TIME, "time", "s", d));
}

bool vd_tyre_points_read_source(const vd_tyre_points_def *def, int source, const vd_node *root, const char *path,
                                vd_arena *arena, vd_diag *d, vd_tyre_points *out) {
#define NAMES(id, key, unit, name, help) {name, NULL},
  static const char *const names[][4] = {VD_POINT_QUANTITIES_LIST(NAMES){"t_s", "time_s", "time", NULL}};
#define WANT(id, key, unit, name, help)                                                                                \
  {"columns." key, unit, names[VD_POINT_##id], &def->columns.of[VD_POINT_##id], VD_COLUMN_OPTIONAL},
  const vd_measured_quantity want[] = {
      VD_POINT_QUANTITIES_LIST(WANT){"time", "s", names[VD_POINT_TIME], &def->time, VD_COLUMN_OPTIONAL}};
  _Static_assert(VD_COUNT(want) == VD_POINT_QUANTITIES && VD_COUNT(names) == VD_POINT_QUANTITIES, "all quantities");
  const char *text;
  size_t length = vd_diag_source_text(d, source, &text);
  *out = (vd_tyre_points){.rows = 0};
  if (!(vd_tydex_is(text, length)
            ? vd_points_read_tydex(def, source, root, path, want, arena, d, &out->table)
            : vd_measured_read_source(&def->table, source, root, path, want, VD_COUNT(want), arena, d, &out->table)))
    return false;
  out->rows = out->table.rows;
  for (size_t i = 0; i < VD_POINT_QUANTITIES; i++)
    out->of[i] = out->table.value[i];
  return check(out, d);
}

bool vd_tyre_points_read(vd_tyre_points_def *def, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d,
                         vd_tyre_points *out) {
  int source;
  *out = (vd_tyre_points){.rows = 0};
  if (!vd_measured_load(def->table.file, vd_tree_place_in(root, path, "file"), d, &source))
    return false;
  def->table.file = vd_file_full(arena, def->table.file);
  return vd_tyre_points_read_source(def, source, root, path, arena, d, out);
}
