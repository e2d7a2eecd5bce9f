/* Heights on an even grid, from a CSV file with columns of x, y and z, one row for each place in any order, or from the
 * scenario itself. */
#include "ground/heightmap_def.h"

#include "base/base.h"
#include "base/elementary.h"
#include "ground/ground_impl.h"
#include "input/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double uneven = 1e-3; /* tolerance as a share of the spacing, because decimals may be rounded */
static const double highest = 1e4; /* m */

enum { MOST = 250000 };

/* clang-format off */
static const vd_field column_fields[] = {
  {VD_F_COLUMN(vd_map_columns, of[0], "x", "m", "x of the place; empty: x_m or x")},
  {VD_F_COLUMN(vd_map_columns, of[1], "y", "m", "y of the place; empty: y_m or y")},
  {VD_F_COLUMN(vd_map_columns, of[2], "z", "m", "height; empty: z_m or z")},
};

static const vd_schema columns_schema = {.name = "columns", VD_SCHEMA_ROWS(vd_map_columns, column_fields)};

static const vd_field rows[] = {
  VD_GROUND_SLOPE_ROWS(VD_GROUND_HEIGHTMAP),
  VD_MEASURED_ROWS(vd_ground_def, heightmap.table., VD_WHEN(VD_GROUND_HEIGHTMAP),
    "file of heights, a row for each place of an even grid"),
  {VD_F_STRUCT(vd_ground_def, heightmap.columns, vd_map_columns, "columns", "1", &columns_schema, VD_OMIT_DEFAULT, "{}",
     "columns of the file that give places and heights"), .only = VD_WHEN(VD_GROUND_HEIGHTMAP)},
  {VD_F_NUMBERS(vd_ground_def, heightmap.x_values, "x_values", "m", -VD_GROUND_FAR, VD_GROUND_FAR, 0, "[]",
     "x of the grid instead of a file, evenly rising"), .only = VD_WHEN(VD_GROUND_HEIGHTMAP)},
  {VD_F_NUMBERS(vd_ground_def, heightmap.y_values, "y_values", "m", -VD_GROUND_FAR, VD_GROUND_FAR, 0, "[]",
     "y of the grid, evenly rising"), .only = VD_WHEN(VD_GROUND_HEIGHTMAP)},
  {VD_F_NUMBERS(vd_ground_def, heightmap.heights, "heights", "m", -1e4, 1e4, 0, "[]",
     "heights: first all heights for the first of y_values, then all for the second, and so on"),
   .only = VD_WHEN(VD_GROUND_HEIGHTMAP)},
  VD_GROUND_INTERPOLATION_ROW(VD_GROUND_HEIGHTMAP, heightmap.interpolation),
};
/* clang-format on */

/* --- reading --- */

static int rising(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Returns the different values of a column in rising order. */
static vd_numbers values_of(const vd_measured *table, int axis, vd_arena *arena) {
  double *value = vd_arena_alloc(arena, table->rows * sizeof *value);
  size_t count = 0;
  memcpy(value, table->value[axis], table->rows * sizeof *value);
  qsort(value, table->rows, sizeof *value, rising);
  for (size_t i = 0; i < table->rows; i++)
    if (count == 0 || value[i] > value[count - 1])
      value[count++] = value[i];
  return (vd_numbers){value, count};
}

static size_t index_of(const vd_numbers *values, double value) {
  const double *found = bsearch(&value, values->value, values->count, sizeof value, rising);
  return (size_t)(found - values->value);
}

/* Requires at least two values at equal distances. */
static bool check_even(const vd_ground_context *ctx, const char *key, const char *name, const vd_numbers *values) {
  const double *v = values->value;
  if (values->count < 2) {
    vd_error(ctx->d, vd_ground_place(ctx, key), "a height map needs 2 or more %s, not %zu", name, values->count);
    return false;
  }
  for (size_t i = 1; i < values->count; i++) {
    double step = v[1] - v[0];
    if (!(v[i] > v[i - 1]))
      vd_error(ctx->d, vd_ground_place(ctx, key), "%s must rise; after %g m comes %g m", name, v[i - 1], v[i]);
    else if (!(fabs(v[i] - v[i - 1] - step) <= uneven * step))
      vd_error(ctx->d, vd_ground_place(ctx, key), "%s must rise evenly; after %g m comes %g m, not %g m", name,
               v[i - 1], v[i], v[i - 1] + step);
    else
      continue;
    return false;
  }
  return true;
}

/* Checks that the number of heights is within its limit, without overflow of the product. */
static bool check_count(const vd_ground_context *ctx, const char *key, size_t nx, size_t ny) {
  if (nx <= MOST && ny <= MOST && nx * ny <= MOST)
    return true;
  vd_error(ctx->d, vd_ground_place(ctx, key), "a height map of %zu by %zu places; at most %d", nx, ny, (int)MOST);
  return false;
}

/* Fills the grid. Every place must be given once. */
static bool fill(const vd_ground_context *ctx, vd_heightmap_def *def, const vd_measured *table, vd_arena *arena) {
  size_t nx = def->x_values.count, places = nx * def->y_values.count, lacking = 0, first = 0;
  double *z = vd_arena_alloc(arena, places * sizeof *z);
  for (size_t i = 0; i < places; i++)
    z[i] = NAN;
  for (size_t i = 0; i < table->rows; i++) {
    double x = table->value[0][i], y = table->value[1][i];
    double *here = &z[index_of(&def->y_values, y) * nx + index_of(&def->x_values, x)];
    if (!isnan(*here)) {
      vd_error(ctx->d, vd_ground_place(ctx, "file"), "'%s' has two heights at x %g m, y %g m", def->table.file, x, y);
      return false;
    }
    *here = table->value[2][i];
  }
  for (size_t i = places; i-- > 0;)
    if (isnan(z[i])) {
      lacking++;
      first = i;
    }
  def->heights = (vd_numbers){z, places};
  if (lacking > 0)
    vd_error(ctx->d, vd_ground_place(ctx, "file"),
             "'%s' lacks %zu of %zu heights of its grid, the first at x %g m, y %g m", def->table.file, lacking, places,
             def->x_values.value[first % nx], def->y_values.value[first / nx]);
  return lacking == 0;
}

/* Reads the file into the lists, so that the resolved scenario does not depend on the file. */
static bool load(const vd_ground_context *ctx, vd_heightmap_def *def, vd_arena *arena) {
  static const char *const names[][3] = {{"x_m", "x", NULL}, {"y_m", "y", NULL}, {"z_m", "z", NULL}};
  static const char *const keys[] = {"columns.x", "columns.y", "columns.z"};
  vd_measured_quantity want[3];
  vd_measured table;
  for (int i = 0; i < 3; i++)
    want[i] = (vd_measured_quantity){keys[i], "m", names[i], &def->columns.of[i], VD_COLUMN_NEEDED};
  if (!vd_measured_read(&def->table, ctx->root, ctx->path, want, VD_COUNT(want), arena, ctx->d, &table))
    return false;
  def->x_values = values_of(&table, 0, arena);
  def->y_values = values_of(&table, 1, arena);
  if (!check_even(ctx, "file", "x_m", &def->x_values) || !check_even(ctx, "file", "y_m", &def->y_values) ||
      !check_count(ctx, "file", def->x_values.count, def->y_values.count) || !fill(ctx, def, &table, arena))
    return false;
  def->table = VD_NO_FILE;
  for (int i = 0; i < 3; i++)
    def->columns.of[i] = VD_NO_COLUMN;
  return true;
}

static bool check_lists(const vd_ground_context *ctx, const vd_heightmap_def *def) {
  size_t nx = def->x_values.count, ny = def->y_values.count;
  if (def->heights.count == 0) {
    vd_error(ctx->d, vd_tree_place(ctx->root, ctx->path), "the height map has neither file nor heights");
    return false;
  }
  if (!check_even(ctx, "x_values", "x_values", &def->x_values) ||
      !check_even(ctx, "y_values", "y_values", &def->y_values) || !check_count(ctx, "heights", nx, ny))
    return false;
  if (def->heights.count == nx * ny)
    return true;
  vd_error(ctx->d, vd_ground_place(ctx, "heights"), "%zu heights for %zu x_values and %zu y_values", def->heights.count,
           nx, ny);
  return false;
}

/* Checks that heights are in range and that slopes between neighbours are at most 60 deg. key: the key that gives the
 * heights. */
static void check_heights(const vd_ground_context *ctx, const char *key, const vd_heightmap_def *def) {
  const double *x = def->x_values.value, *y = def->y_values.value, *z = def->heights.value;
  size_t nx = def->x_values.count;
  for (size_t i = 0; i < def->heights.count; i++) {
    size_t a = i % nx, b = i / nx;
    if (!(fabs(z[i]) <= highest)) {
      vd_error(ctx->d, vd_ground_place(ctx, key), "the height at x %g m, y %g m must be -10000 to 10000 m, not %g m",
               x[a], y[b], z[i]);
      return;
    }
    double along = a > 0 ? (z[i] - z[i - 1]) / (x[a] - x[a - 1]) : 0.0;
    double across = b > 0 ? (z[i] - z[i - nx]) / (y[b] - y[b - 1]) : 0.0;
    double slope = vd_max(fabs(along), fabs(across));
    if (!(slope <= VD_GROUND_STEEPEST)) {
      vd_error(ctx->d, vd_ground_place(ctx, key),
               "the heights make a slope of %.1f deg before x %g m, y %g m; at most 60 deg",
               vd_atan(slope) * 180.0 / VD_PI, x[a], y[b]);
      return;
    }
  }
}

/* --- the grid --- */

static void bound_curvature(vd_heightmap *map, vd_arena *arena) {
  const vd_grid *g = &map->grid;
  vd_curvature_bounds *curvature = vd_arena_alloc(arena, (g->nx - 1) * (g->ny - 1) * sizeof *curvature);
  for (size_t j = 0; j + 1 < g->ny; j++)
    for (size_t i = 0; i + 1 < g->nx; i++) {
      vd_curvature_bounds b = vd_grid_curvature(g, i, j);
      b.xx *= map->per_x * map->per_x;
      b.yy *= map->per_y * map->per_y;
      b.xy *= map->per_x * map->per_y;
      curvature[j * (g->nx - 1) + i] = b;
    }
  map->curvature = curvature;
}

static void make_grid(vd_heightmap_def *def, vd_arena *arena) {
  size_t nx = def->x_values.count, ny = def->y_values.count;
  const double *x = def->x_values.value, *y = def->y_values.value;
  double *z = vd_arena_alloc(arena, (nx + 2) * (ny + 2) * sizeof *z);
  for (size_t j = 0; j < ny; j++)
    memcpy(z + (j + 1) * (nx + 2) + 1, def->heights.value + j * nx, nx * sizeof *z);
  def->map = (vd_heightmap){
      .grid = vd_grid_make(z, nx, ny, def->interpolation),
      .x = x[0],
      .y = y[0],
  };
  def->map.per_x = def->map.grid.last_x / (x[nx - 1] - x[0]);
  def->map.per_y = def->map.grid.last_y / (y[ny - 1] - y[0]);
  bound_curvature(&def->map, arena);
}

static void complete(const vd_ground_context *ctx, vd_ground_def *ground, vd_arena *arena) {
  vd_heightmap_def *def = &ground->heightmap;
  bool file = def->table.file && *def->table.file,
       lists = def->heights.count > 0 || def->x_values.count > 0 || def->y_values.count > 0;
  if (file && lists) {
    vd_error(ctx->d, vd_ground_place(ctx, "file"), "a height map is given by a file or here, not by both");
    return;
  }
  if (!(file ? load(ctx, def, arena) : check_lists(ctx, def)))
    return;
  check_heights(ctx, file ? "file" : "heights", def);
  make_grid(def, arena);
}

/* --- surface --- */

static void raise(const vd_ground *ground, double x, double y, vd_road *road) {
  const vd_heightmap *m = &ground->as.heightmap;
  vd_road here;
  vd_grid_at(&m->grid, (x - m->x) * m->per_x, (y - m->y) * m->per_y, &here);
  vd_raise(road, here.z, here.slope_x * m->per_x, here.slope_y * m->per_y);
}

static void curvature(const vd_ground *ground, const vd_box *box, vd_curvature_bounds *b) {
  const vd_heightmap *m = &ground->as.heightmap;
  vd_range x = vd_range_scaled((vd_range){box->x.low - m->x, box->x.high - m->x}, m->per_x);
  vd_range y = vd_range_scaled((vd_range){box->y.low - m->y, box->y.high - m->y}, m->per_y);
  size_t first[2], last[2];
  bool cross_x = vd_grid_cells(x, m->grid.last_x, &first[0], &last[0]),
       cross_y = vd_grid_cells(y, m->grid.last_y, &first[1], &last[1]);
  for (size_t j = first[1]; j <= last[1]; j++)
    for (size_t i = first[0]; i <= last[0]; i++)
      *b = vd_curvature_hull(*b, m->curvature[j * (m->grid.nx - 1) + i]);
  if (m->grid.interpolation == VD_MAP_BILINEAR && cross_x)
    b->xx = INFINITY;
  if (m->grid.interpolation == VD_MAP_BILINEAR && cross_y)
    b->yy = INFINITY;
}

static void build(const vd_ground_def *def, vd_ground_shape *shape) {
  shape->heightmap = def->heightmap.map;
}

const vd_ground_variant vd_heightmap_variant = {
    .rows = {.field = rows, .count = VD_COUNT(rows)},
    .surface = VD_SURFACE_HEIGHTS,
    .complete = complete,
    .build = build,
    .raise = raise,
    .curvature = curvature,
};
