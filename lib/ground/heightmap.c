/* Heights on an even grid, from a CSV file with the columns x_m, y_m and z_m, one row for each place in any order, or
 * from the scenario itself. */
#include "ground/heightmap_def.h"

#include "base/base.h"
#include "base/elementary.h"
#include "ground/ground_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double uneven = 1e-3; /* of the spacing: decimals may be rounded */
static const double highest = 1e4; /* m */

enum { MOST = 250000 };

static const char *const interpolation_names[] = {"bilinear", "bicubic", NULL};

/* clang-format off */
static const vd_field column_fields[] = {
  {VD_F_STRUCT(vd_map_columns, of[0], vd_column_def, "x", "m", &vd_column_schema, VD_UNSAID, "{}", "x of the place; empty: x_m")},
  {VD_F_STRUCT(vd_map_columns, of[1], vd_column_def, "y", "m", &vd_column_schema, VD_UNSAID, "{}", "y of the place; empty: y_m")},
  {VD_F_STRUCT(vd_map_columns, of[2], vd_column_def, "z", "m", &vd_column_schema, VD_UNSAID, "{}", "height; empty: z_m")},
};

static const vd_schema columns_schema = {
    .name = "columns", .size = sizeof(vd_map_columns), .field = column_fields, .count = VD_COUNT(column_fields)};

static const vd_field rows[] = {
  VD_GROUND_SLOPE_ROWS(VD_GROUND_HEIGHTMAP),
  VD_MEASURED_ROWS(vd_ground_def, heightmap.table., VD_WHEN(VD_GROUND_HEIGHTMAP), "file of heights, a row for each place of an even grid"),
  {VD_F_STRUCT(vd_ground_def, heightmap.columns, vd_map_columns, "columns", "1", &columns_schema, VD_UNSAID, "{}", "which columns of the file are the places and heights"), .only = VD_WHEN(VD_GROUND_HEIGHTMAP)},
  {VD_F_NUMBERS(vd_ground_def, heightmap.x_values, "x_values", "m", -VD_GROUND_FAR, VD_GROUND_FAR, 0, "[]", "x of the grid instead of a file, evenly rising"), .only = VD_WHEN(VD_GROUND_HEIGHTMAP)},
  {VD_F_NUMBERS(vd_ground_def, heightmap.y_values, "y_values", "m", -VD_GROUND_FAR, VD_GROUND_FAR, 0, "[]", "y of the grid, evenly rising"), .only = VD_WHEN(VD_GROUND_HEIGHTMAP)},
  {VD_F_NUMBERS(vd_ground_def, heightmap.heights, "heights", "m", -1e4, 1e4, 0, "[]", "heights, all of the first y_values before those of the second"), .only = VD_WHEN(VD_GROUND_HEIGHTMAP)},
  {VD_F_CHOICE(vd_ground_def, heightmap.interpolation, "interpolation", interpolation_names, "bicubic", "interpolation between the heights; bilinear has kinks"), .only = VD_WHEN(VD_GROUND_HEIGHTMAP)},
};
/* clang-format on */

static bool from_file(const vd_heightmap_def *def) {
  return def->table.file && *def->table.file;
}

/* --- reading --- */

static int rising(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The different values of a column in rising order. */
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

/* At least two values, each as far from the last as the second from the first. */
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

/* The bounds also keep the product of the counts in range. */
static bool check_count(const vd_ground_context *ctx, const char *key, size_t nx, size_t ny) {
  if (nx <= MOST && ny <= MOST && nx * ny <= MOST)
    return true;
  vd_error(ctx->d, vd_ground_place(ctx, key), "a height map of %zu by %zu places; at most %d", nx, ny, (int)MOST);
  return false;
}

/* Every place of the grid once. */
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

/* Reads the file into the lists, so that the resolved scenario stands alone. */
static bool load(const vd_ground_context *ctx, vd_heightmap_def *def, vd_arena *arena) {
  static const char *const names[][2] = {{"x_m", NULL}, {"y_m", NULL}, {"z_m", NULL}};
  static const char *const keys[] = {"columns.x", "columns.y", "columns.z"};
  vd_measured_want want[3];
  vd_measured table;
  for (int i = 0; i < 3; i++)
    want[i] = (vd_measured_want){keys[i], "m", names[i], &def->columns.of[i], VD_COLUMN_NEEDED};
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

/* Heights in range, and no neighbours that are too far apart. `key` holds them. */
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

static size_t mirrored(size_t padded, size_t count) {
  if (padded == 0)
    return 1;
  return padded <= count ? padded - 1 : count - 2;
}

/* Bounds of the bends within a cell, in units of the grid; corner: the first of the four rows of four places that
 * make it. Between the places 1 and 2 of a row, with second differences D of each three neighbours, Keys' cubic
 * (weights() below) has the second derivatives q = D[012] - (z3 - 3 z2 + 3 z1 - z0) at its left end and D[123] + the
 * same at its right, and is linear in between. Across, the weights of the two middle rows are 0 or above and sum to
 * at most 9/8; those of the outer rows are 0 to -2/27. */
static double most_bend(const double *row, size_t stride, double sign) {
  double a = row[0], b = row[stride], c = row[2 * stride], d = row[3 * stride];
  double third = d - 3.0 * c + 3.0 * b - a, low = a - 2.0 * b + c - third, high = b - 2.0 * c + d + third;
  return vd_most(sign * low, sign * high);
}

static double bend_bound(const double *corner, size_t along, size_t across) {
  double most[4], outer = 2.0 / 27.0, middle = 9.0 / 8.0;
  for (size_t k = 0; k < 4; k++)
    most[k] = vd_most(0.0, most_bend(corner + k * across, along, k == 1 || k == 2 ? 1.0 : -1.0));
  return middle * vd_most(most[1], most[2]) + outer * (most[0] + most[3]);
}

/* A bound of the slope of Keys' cubic, a quadratic, by its values in Bernstein's form. */
static double slope_bound(const double z[4]) {
  double low = 0.5 * (z[2] - z[0]), high = 0.5 * (z[3] - z[1]);
  double middle = low + 0.5 * (2.0 * z[0] - 5.0 * z[1] + 4.0 * z[2] - z[3]);
  return vd_most(vd_most(fabs(low), fabs(high)), fabs(middle));
}

/* d2z/dxdy, by the differences of neighbouring rows: their weights are at most 1/2, 5/4, 1/2. */
static double twist_bound(const double *corner, size_t wide) {
  static const double weight[] = {0.5, 1.25, 0.5};
  double sum = 0.0;
  for (size_t k = 0; k < 3; k++) {
    const double *row = corner + k * wide, *next = row + wide;
    const double step[] = {next[0] - row[0], next[1] - row[1], next[2] - row[2], next[3] - row[3]};
    sum += weight[k] * slope_bound(step);
  }
  return sum;
}

/* Straight lines have bends at the borders of the cells alone. */
static void bound_bends(vd_heightmap *map, vd_arena *arena) {
  size_t wide = map->nx + 2;
  vd_bends *bends = vd_arena_alloc(arena, (map->nx - 1) * (map->ny - 1) * sizeof *bends);
  for (size_t j = 0; j + 1 < map->ny; j++)
    for (size_t i = 0; i + 1 < map->nx; i++) {
      const double *corner = map->z + j * wide + i;
      vd_bends b = {.xy = fabs(corner[wide + 1] - corner[wide + 2] - corner[2 * wide + 1] + corner[2 * wide + 2])};
      if (map->interpolation == VD_MAP_BICUBIC)
        b = (vd_bends){bend_bound(corner, 1, wide), bend_bound(corner, wide, 1), twist_bound(corner, wide)};
      b.xx *= map->per_x * map->per_x;
      b.yy *= map->per_y * map->per_y;
      b.xy *= map->per_x * map->per_y;
      bends[j * (map->nx - 1) + i] = b;
    }
  map->bends = bends;
}

/* The rows and columns beyond the borders mirror those within, so that the bicubic surface meets the border level, as
 * it goes on beyond. */
static void make_grid(vd_heightmap_def *def, vd_arena *arena) {
  size_t nx = def->x_values.count, ny = def->y_values.count, wide = nx + 2;
  const double *x = def->x_values.value, *y = def->y_values.value;
  double *z = vd_arena_alloc(arena, wide * (ny + 2) * sizeof *z);
  for (size_t j = 0; j < ny + 2; j++)
    for (size_t i = 0; i < wide; i++)
      z[j * wide + i] = def->heights.value[mirrored(j, ny) * nx + mirrored(i, nx)];
  def->map = (vd_heightmap){
      .z = z,
      .nx = nx,
      .ny = ny,
      .x = x[0],
      .y = y[0],
      .last_x = (double)(nx - 1),
      .last_y = (double)(ny - 1),
      .interpolation = def->interpolation,
  };
  def->map.per_x = def->map.last_x / (x[nx - 1] - x[0]);
  def->map.per_y = def->map.last_y / (y[ny - 1] - y[0]);
  bound_bends(&def->map, arena);
}

static void complete(const vd_ground_context *ctx, vd_ground_def *ground, vd_arena *arena) {
  vd_heightmap_def *def = &ground->heightmap;
  bool file = from_file(def), lists = def->heights.count > 0 || def->x_values.count > 0 || def->y_values.count > 0;
  if (file && lists) {
    vd_error(ctx->d, vd_ground_place(ctx, "file"), "a height map comes from a file or stands here, not both");
    return;
  }
  if (!(file ? load(ctx, def, arena) : check_lists(ctx, def)))
    return;
  check_heights(ctx, file ? "file" : "heights", def);
  make_grid(def, arena);
}

/* --- surface --- */

/* Weights of the four places around u of a cell, 0 to 1, and their derivatives: straight lines, or the cubic
 * convolution of Keys (1981), whose slope at a place is that from its one neighbour to the other. */
static void weights(int interpolation, double u, double w[4], double d[4]) {
  if (interpolation == VD_MAP_BILINEAR) {
    w[0] = w[3] = d[0] = d[3] = 0.0;
    w[1] = 1.0 - u;
    w[2] = u;
    d[1] = -1.0;
    d[2] = 1.0;
    return;
  }
  w[0] = u * (-0.5 + u * (1.0 - 0.5 * u));
  w[1] = 1.0 + u * u * (1.5 * u - 2.5);
  w[2] = u * (0.5 + u * (2.0 - 1.5 * u));
  w[3] = u * u * (0.5 * u - 0.5);
  d[0] = -0.5 + u * (2.0 - 1.5 * u);
  d[1] = u * (4.5 * u - 5.0);
  d[2] = 0.5 + u * (4.0 - 4.5 * u);
  d[3] = u * (1.5 * u - 1.0);
}

/* The cell that holds s, counted in places, and the part of the cell; held outside, where *slope is 0. */
static size_t cell(double s, double last, double *part, double *slope) {
  bool inside = s >= 0.0 && s <= last;
  double held = inside ? s : s < 0.0 ? 0.0 : last;
  size_t i = (size_t)vd_min(held, last - 1.0);
  *part = held - (double)i;
  *slope = inside ? 1.0 : 0.0;
  return i;
}

static void raise(const vd_ground *ground, double x, double y, vd_road *road) {
  const vd_heightmap *m = &ground->as.heightmap;
  double u, v, inside_x, inside_y, wx[4], wy[4], dx[4], dy[4];
  size_t i = cell((x - m->x) * m->per_x, m->last_x, &u, &inside_x);
  size_t j = cell((y - m->y) * m->per_y, m->last_y, &v, &inside_y);
  weights(m->interpolation, u, wx, dx);
  weights(m->interpolation, v, wy, dy);
  double sum = 0.0, along = 0.0, across = 0.0;
  for (size_t k = 0; k < 4; k++) {
    const double *row = m->z + (j + k) * (m->nx + 2) + i;
    double z = wx[0] * row[0] + wx[1] * row[1] + wx[2] * row[2] + wx[3] * row[3];
    sum += wy[k] * z;
    along += wy[k] * (dx[0] * row[0] + dx[1] * row[1] + dx[2] * row[2] + dx[3] * row[3]);
    across += dy[k] * z;
  }
  vd_raise(road, sum, along * inside_x * m->per_x, across * inside_y * m->per_y);
}

/* The cells from *first to *last that a range of s touches. True: it crosses a border between two, or of the map. */
static bool cells(vd_range s, double last_place, size_t *first, size_t *last) {
  vd_range held = vd_range_held(s, 0.0, last_place);
  *first = (size_t)vd_least(held.low, last_place - 1.0);
  *last = (size_t)vd_least(held.high, last_place - 1.0);
  return *last > *first || vd_range_meets(s, 0.0, 0.0) || vd_range_meets(s, last_place, last_place);
}

static void bends(const vd_ground *ground, const vd_box *box, vd_bends *b) {
  const vd_heightmap *m = &ground->as.heightmap;
  vd_range x = vd_range_scaled((vd_range){box->x.low - m->x, box->x.high - m->x}, m->per_x);
  vd_range y = vd_range_scaled((vd_range){box->y.low - m->y, box->y.high - m->y}, m->per_y);
  size_t first[2], last[2];
  bool cross_x = cells(x, m->last_x, &first[0], &last[0]), cross_y = cells(y, m->last_y, &first[1], &last[1]);
  for (size_t j = first[1]; j <= last[1]; j++)
    for (size_t i = first[0]; i <= last[0]; i++)
      *b = vd_bends_hull(*b, m->bends[j * (m->nx - 1) + i]);
  if (m->interpolation == VD_MAP_BILINEAR && cross_x)
    b->xx = INFINITY;
  if (m->interpolation == VD_MAP_BILINEAR && cross_y)
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
    .bends = bends,
};
