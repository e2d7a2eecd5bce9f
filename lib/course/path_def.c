/* The keys of a path, and checks across them. */
#include "base/elementary.h"
#include "course/path_impl.h"

#include "base/base.h"
#include "input/schema.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WHEN VD_WHEN

enum {
  LANES = 1u << VD_PATH_ISO3888_1 | 1u << VD_PATH_ISO3888_2,
  CHAINS = 1u << VD_PATH_STRAIGHT | 1u << VD_PATH_CIRCLE | 1u << VD_PATH_CLOTHOID | 1u << VD_PATH_SEGMENTS,
  SLALOM = 1u << VD_PATH_SLALOM,
  PLACED = CHAINS | 1u << VD_PATH_EIGHT | LANES | SLALOM,
  ROUND = 1u << VD_PATH_CIRCLE | 1u << VD_PATH_EIGHT,
  LONG = 1u << VD_PATH_STRAIGHT | 1u << VD_PATH_CLOTHOID,
  MAY_CLOSE = 1u << VD_PATH_SEGMENTS | 1u << VD_PATH_WAYPOINTS,
};

static const char *const type_names[] = {"none",         "straight", "circle",    "clothoid",
                                         "figure_eight", "segments", "waypoints", "iso3888_1",
                                         "iso3888_2",    "slalom",   NULL};
static const char *const offset_names[] = {"centres", "edges", NULL};
static const char *const bound_names[] = {"at_least", "at_most", NULL};

static const vd_field segment_fields[] = {
    {VD_F_NUMBER(vd_segment_def, length, "length", "m", 0, 1e5, VD_ABOVE, NULL, "length of the piece")},
    {VD_F_NUMBER(
        vd_segment_def, from, "from", "1/m", -1, 1, VD_AUTO, "auto",
        "curvature at its start, left > 0; auto: curvature at the end of the previous piece, 0 for the first piece")},
    {VD_F_NUMBER(vd_segment_def, to, "to", "1/m", -1, 1, VD_AUTO, "auto",
                 "curvature at its end, linear between; auto: curvature at its start")},
};

static const vd_schema segment_schema = {.name = "segment", VD_SCHEMA_ROWS(vd_segment_def, segment_fields)};

static const vd_field column_fields[] = {
    {VD_F_COLUMN(vd_path_columns, x, "x", "m", "x in the world; empty: x_m or x")},
    {VD_F_COLUMN(vd_path_columns, y, "y", "m", "y in the world; empty: y_m or y")},
    {VD_F_COLUMN(vd_path_columns, speed, "speed", "m/s", "speed; empty: speed_mps or v_mps, if there is one")},
    {VD_F_COLUMN(vd_path_columns, left, "left", "m",
                 "room to the left edge of the track; empty: w_tr_left_m, if there is such a column")},
    {VD_F_COLUMN(vd_path_columns, right, "right", "m",
                 "room to the right edge; empty: w_tr_right_m, if there is such "
                 "a column")},
};

static const vd_schema columns_schema = {.name = "columns", VD_SCHEMA_ROWS(vd_path_columns, column_fields)};

/* A number that exists for some types of path. */
#define NUMBER(when, ...)                                                                                              \
  { VD_F_NUMBER(vd_path_def, __VA_ARGS__), .only = (when) }

static const vd_field path_fields[] = {
    {VD_F_CHOICE(vd_path_def, type, "type", type_names, "none", "kind of path")},
    NUMBER(PLACED, x, "x", "m", -1e6, 1e6, 0, "0", "place of its start"),
    NUMBER(PLACED, y, "y", "m", -1e6, 1e6, 0, "0", "place of its start"),
    NUMBER(PLACED, yaw, "yaw", "rad", -10, 10, 0, "0", "direction in which it starts, from world x, left > 0"),
    NUMBER(LONG, length, "length", "m", 0, 1e5, VD_ABOVE, NULL, "length"),
    NUMBER(ROUND, radius, "radius", "m", -1e4, 1e4, 0, NULL,
           "radius, magnitude at least 1 m; > 0: turns left; of a figure eight (a lemniscate) the smallest radius, "
           "with the sign of the first loop"),
    NUMBER(WHEN(VD_PATH_CLOTHOID), curvature_from, "curvature_from", "1/m", -1, 1, 0, "0",
           "curvature at its start, left > 0"),
    NUMBER(WHEN(VD_PATH_CLOTHOID), curvature_to, "curvature_to", "1/m", -1, 1, 0, NULL,
           "curvature at its end, linear between"),
    NUMBER(WHEN(VD_PATH_CIRCLE), entry, "entry", "m", 0, 1e4, 0, "0",
           "length of the straight and again of the clothoid before the circle; 0: neither, and the circle is closed"),
    NUMBER(WHEN(VD_PATH_CIRCLE), laps, "laps", "1", 0, 1e4, VD_ABOVE, "1",
           "number of turns of the circle after an entry; the path then goes straight on"),
    {VD_F_STRUCTS(vd_path_def, segments, "segments", "1", &segment_schema, NULL,
                  "lines, arcs and clothoids in their order"),
     .only = WHEN(VD_PATH_SEGMENTS)},
    VD_MEASURED_ROWS(vd_path_def, table., WHEN(VD_PATH_WAYPOINTS), "file of waypoints"),
    {VD_F_STRUCT(vd_path_def, columns, vd_path_columns, "columns", "1", &columns_schema, VD_OMIT_DEFAULT, "{}",
                 "columns of the file that give the waypoints"),
     .only = WHEN(VD_PATH_WAYPOINTS)},
    {VD_F_CORNERS(vd_path_def, waypoints, "waypoints", "m", -1e7, 1e7, "[]",
                  "pairs [x, y] in the world instead of a file; a cubic spline by chord length goes through them, "
                  "natural or closed"),
     .only = WHEN(VD_PATH_WAYPOINTS)},
    {VD_F_NUMBERS(vd_path_def, speeds, "speeds", "m/s", 0, 200, 0, "[]",
                  "speeds at the waypoints, interpolated without overshoot; empty: none"),
     .only = WHEN(VD_PATH_WAYPOINTS)},
    {VD_F_NUMBERS(vd_path_def, left, "left", "m", 0, 100, VD_OMIT_DEFAULT, "[]",
                  "room to the left edge of the track at the waypoints, linear between; empty: not known"),
     .only = WHEN(VD_PATH_WAYPOINTS)},
    {VD_F_NUMBERS(vd_path_def, right, "right", "m", 0, 100, VD_OMIT_DEFAULT, "[]",
                  "room to the right edge of the "
                  "track at the waypoints"),
     .only = WHEN(VD_PATH_WAYPOINTS)},
    {VD_F_FLAG(vd_path_def, closed, "closed", "false",
               "the end joins the start; with segments, both must agree within 1 mm and 1e-3 rad"),
     .only = MAY_CLOSE},
    NUMBER(LANES | SLALOM, approach, "approach", "m", 0, 1e4, 0, "30",
           "distance to the first gate; 30 m follow the last one, in a slalom one pitch more"),
    NUMBER(LANES, blend, "blend", "m", 0, 5, 0, "4",
           "length by which a lane change extends into the lanes before and after it"),
    {VD_F_CHOICE(vd_path_def, offset_between, "offset_between", offset_names, "centres",
                 "whether the lanes' offset, 3.5 m, is between their middles or their right edges"),
     .only = WHEN(VD_PATH_ISO3888_1)},
    {VD_F_CHOICE(vd_path_def, exit_bound, "exit_bound", bound_names, "at_least",
                 "whether the width of the last lane, 1.3 b + 0.25 m, is at least or at most 3 m"),
     .only = WHEN(VD_PATH_ISO3888_2)},
    NUMBER(LANES, cone_spacing, "cone_spacing", "m", 0.5, 100, 0, "3",
           "greatest distance of two cones along the edge of a lane"),
    NUMBER(LANES | SLALOM, cone_radius, "cone_radius", "m", 0, 1, 0, "0.15",
           "radius of the base of a cone, which touches the edge of the lane from outside; 0: a point"),
    {VD_F_INTEGER(
         vd_path_def, cones, "cones", 1, VD_PATH_GATES, "10",
         "number of cones in a row; the car passes to the left of the first cone, to the right of the next, and so on"),
     .only = SLALOM},
    NUMBER(SLALOM, pitch, "pitch", "m", 5, 100, 0, "18", "distance from one cone to the next"),
};

const vd_schema vd_path_schema = {.name = "path", VD_SCHEMA_ROWS(vd_path_def, path_fields), .tag = "type"};

/* Data with which messages of a check refer to the file. */
typedef struct context {
  const vd_node *root;
  const char *path;
  vd_arena *arena;
  vd_diag *d;
} context;

static vd_place at_key(const context *ctx, const char *key) {
  return vd_tree_place_in(ctx->root, ctx->path, "%s", key);
}

/* Returns the place of a waypoint, or of the key `file` if a file gives the waypoints. */
static vd_place at_point(const context *ctx, size_t index) {
  const vd_node *list = vd_tree_get(vd_tree_find(ctx->root, ctx->path), "waypoints");
  const vd_node *entry = list && list->kind == VD_NODE_SEQUENCE ? list->child : NULL;
  for (; entry && index > 0; index--)
    entry = entry->next;
  return entry ? vd_node_place(entry) : at_key(ctx, list ? "waypoints" : "file");
}

/* --- waypoints from a file --- */

enum { X, Y, SPEED, LEFT, RIGHT, QUANTITIES };

/* Checks a column. False after an error at the first value out of its bounds. */
static bool in_range(const context *ctx, const vd_measured *table, size_t wanted, const char *name, double low,
                     double high) {
  const double *value = table->value[wanted];
  for (size_t row = 0; value && row < table->rows; row++)
    if (!(value[row] >= low && value[row] <= high)) {
      vd_error(ctx->d, vd_measured_place(table, ctx->d, row, wanted), "%s must be %.9g to %.9g, not %.9g", name, low,
               high, value[row]);
      return false;
    }
  return true;
}

/* Removes each row that has the same point as the row before; a logger writes such rows if it is faster than its GPS
 * receiver. Later rows move up. Returns the number of rows that remain. */
static size_t drop_repeated(const vd_measured *table) {
  size_t count = 0;
  for (size_t row = 0; row < table->rows; row++) {
    const bool same = count > 0 && table->value[X][row] == table->value[X][count - 1] &&
                      table->value[Y][row] == table->value[Y][count - 1];
    for (int q = X; q < QUANTITIES && !same; q++)
      if (table->value[q])
        table->value[q][count] = table->value[q][row];
    count += !same;
  }
  return count;
}

/* True if a column has heights by its name, with or without its unit. */
static bool is_height(const char *name) {
  static const char *const words[] = {"z", "elevation", "height", "altitude"};
  char lower[16] = "";
  for (size_t i = 0; i + 1 < sizeof lower && isalpha((unsigned char)name[i]); i++)
    lower[i] = (char)tolower((unsigned char)name[i]);
  for (size_t i = 0; i < VD_COUNT(words); i++)
    if (strcmp(lower, words[i]) == 0)
      return true;
  return false;
}

/* Names the columns that the path does not use: heights, since it is flat, and those of which one may be the speed with
 * a misspelt name. */
static void note_unused(const context *ctx, const char *file, const vd_measured *table) {
  size_t known = 0;
  for (int q = X; q < QUANTITIES; q++)
    known += table->value[q] != NULL;
  for (size_t i = 0; i < table->columns; i++)
    if (is_height(table->name[i])) {
      known++;
      vd_remark(ctx->d, at_key(ctx, "file"),
                "the column '%.60s' is not used: a path is flat; a lap has slopes by 'line', a run by its ground",
                table->name[i]);
    }
  if (!table->value[SPEED] && table->columns > known)
    vd_warning(ctx->d, at_key(ctx, "file"),
               "none of the %zu columns of '%s' is speed_mps or v_mps: the path has no speeds", table->columns, file);
}

static bool load_file(const context *ctx, vd_path_def *def) {
  static const char *const names[][3] = {{"x_m", "x", NULL},
                                         {"y_m", "y", NULL},
                                         {"speed_mps", "v_mps", NULL},
                                         {"w_tr_left_m", NULL},
                                         {"w_tr_right_m", NULL}};
  const vd_measured_quantity want[] = {
      [X] = {"columns.x", "m", names[X], &def->columns.x, VD_COLUMN_NEEDED},
      [Y] = {"columns.y", "m", names[Y], &def->columns.y, VD_COLUMN_NEEDED},
      [SPEED] = {"columns.speed", "m/s", names[SPEED], &def->columns.speed, VD_COLUMN_OPTIONAL},
      [LEFT] = {"columns.left", "m", names[LEFT], &def->columns.left, VD_COLUMN_OPTIONAL},
      [RIGHT] = {"columns.right", "m", names[RIGHT], &def->columns.right, VD_COLUMN_OPTIONAL},
  };
  vd_measured table;
  if (!vd_measured_read(&def->table, ctx->root, ctx->path, want, VD_COUNT(want), ctx->arena, ctx->d, &table) ||
      !in_range(ctx, &table, X, "x", -vd_path_farthest, vd_path_farthest) ||
      !in_range(ctx, &table, Y, "y", -vd_path_farthest, vd_path_farthest) ||
      !in_range(ctx, &table, SPEED, "speed", 0.0, vd_path_fastest) ||
      !in_range(ctx, &table, LEFT, "the room to the left", 0.0, vd_path_widest) ||
      !in_range(ctx, &table, RIGHT, "the room to the right", 0.0, vd_path_widest))
    return false;
  note_unused(ctx, def->table.file, &table);
  const size_t count = drop_repeated(&table);
  if (count < table.rows)
    vd_remark(ctx->d, at_key(ctx, "file"), "%zu rows are at the same point as the row before, and are left out",
              table.rows - count);
  table.rows = count;
  def->waypoints = vd_measured_points(&table, X, Y, ctx->arena);
  if (table.value[SPEED])
    def->speeds = (vd_numbers){table.value[SPEED], count};
  if (table.value[LEFT])
    def->left = (vd_numbers){table.value[LEFT], count};
  if (table.value[RIGHT])
    def->right = (vd_numbers){table.value[RIGHT], count};
  def->table = VD_NO_FILE;
  def->columns = (vd_path_columns){VD_NO_COLUMN, VD_NO_COLUMN, VD_NO_COLUMN, VD_NO_COLUMN, VD_NO_COLUMN};
  return true;
}

/* --- checks --- */

static bool check_points(const context *ctx, const vd_path_def *def) {
  const vd_points *p = &def->waypoints;
  size_t least = def->closed ? 3 : 2;
  if (p->count < least) {
    vd_error(ctx->d, at_point(ctx, p->count), "%zu waypoints; %s path needs at least %zu", p->count,
             def->closed ? "a closed" : "a", least);
    return false;
  }
  for (size_t i = 1; i < p->count; i++)
    if (p->xy[2 * i] == p->xy[2 * i - 2] && p->xy[2 * i + 1] == p->xy[2 * i - 1]) {
      vd_error(ctx->d, at_point(ctx, i), "waypoints %zu and %zu are the same point", i, i + 1);
      return false;
    }
  return true;
}

/* Drops the last point of a closed path if it repeats the first point, as in many files, perhaps rounded
 * differently. */
static void drop_last_again(const context *ctx, vd_path_def *def) {
  const vd_points *p = &def->waypoints;
  const double *first = p->xy, *last = p->xy + 2 * (p->count - 1);
  if (!def->closed || p->count < 2 || vd_hypot(last[0] - first[0], last[1] - first[1]) > 1e-3)
    return;
  vd_remark(ctx->d, at_point(ctx, p->count - 1), "the last waypoint repeats the first, and is left out");
  vd_numbers *of[] = {&def->speeds, &def->left, &def->right};
  for (size_t i = 0; i < VD_COUNT(of); i++)
    of[i]->count -= of[i]->count == p->count;
  def->waypoints.count--;
}

/* Checks the sum of the chords; a longer path would need too much memory. */
static bool check_chords(const context *ctx, const vd_path_def *def) {
  double length = 0.0;
  for (size_t i = 1; i < def->waypoints.count; i++) {
    const double *b = def->waypoints.xy + 2 * i, *a = b - 2;
    length += vd_hypot(b[0] - a[0], b[1] - a[1]);
  }
  if (length <= vd_path_longest)
    return true;
  vd_error(ctx->d, at_point(ctx, 0), "the chords between the waypoints have %.4g m; a path has at most %g m", length,
           vd_path_longest);
  return false;
}

static void check_sharpness(const context *ctx, const vd_path *path) {
  size_t worst = 0;
  for (size_t i = 1; i < path->count; i++)
    if (!(fabs(path->node[i].curvature) <= fabs(path->node[worst].curvature)))
      worst = i;
  const vd_path_node *node = &path->node[worst];
  if (!(fabs(node->curvature) <= vd_path_sharpest))
    vd_error(ctx->d, at_point(ctx, 0),
             "the curve through the waypoints has a radius of %.3g m near [%.6g, %.6g]; at least %g m",
             1.0 / fabs(node->curvature), node->x, node->y, 1.0 / vd_path_sharpest);
}

static void check_waypoints(const context *ctx, vd_path_def *def) {
  bool file = *def->table.file != '\0';
  if (file && (def->waypoints.count > 0 || def->speeds.count > 0 || def->left.count > 0 || def->right.count > 0)) {
    vd_error(ctx->d, at_key(ctx, "file"), "waypoints and speeds are given by a file or here, not by both");
    return;
  }
  if (!file && def->waypoints.count == 0) {
    vd_error(ctx->d, vd_tree_place(ctx->root, ctx->path), "the path has neither file nor waypoints");
    return;
  }
  if (file && !load_file(ctx, def))
    return;
  drop_last_again(ctx, def);
  if (!check_points(ctx, def) || !check_chords(ctx, def))
    return;
  if (def->speeds.count > 0 && def->speeds.count != def->waypoints.count)
    vd_error(ctx->d, at_key(ctx, "speeds"), "%zu speeds for %zu waypoints", def->speeds.count, def->waypoints.count);
  if (def->left.count != def->right.count || (def->left.count > 0 && def->left.count != def->waypoints.count))
    vd_error(ctx->d, at_key(ctx, def->left.count > 0 ? "left" : "right"),
             "left has %zu values and right %zu, for %zu waypoints", def->left.count, def->right.count,
             def->waypoints.count);
  vd_arena *scratch = vd_arena_create();
  vd_path path;
  vd_path_build(def, 0.0, scratch, &path);
  check_sharpness(ctx, &path);
  vd_arena_destroy(scratch);
}

static bool check_length(const context *ctx, const char *key, double length) {
  if (length <= vd_path_longest)
    return true;
  vd_error(ctx->d, at_key(ctx, key), "the path has %.4g m; at most %g m", length, vd_path_longest);
  return false;
}

static void check_closed(const context *ctx, const vd_path_def *def) {
  vd_path_def open = *def;
  vd_path path;
  vd_arena *scratch = vd_arena_create();
  open.closed = false;
  vd_path_build(&open, 0.0, scratch, &path);
  const vd_path_node *a = &path.node[0], *b = &path.node[path.count - 1];
  double miss = vd_hypot(b->x - a->x, b->y - a->y), angle = fabs(remainder(b->heading - a->heading, 2.0 * VD_PI));
  if (!(miss <= 1e-3 && angle <= 1e-3))
    vd_error(ctx->d, at_key(ctx, "closed"), "the end of the segments is %.4g m and %.4g rad away from their start",
             miss, angle);
  vd_arena_destroy(scratch);
}

static void check_segments(const context *ctx, const vd_path_def *def) {
  const vd_segment_def *segment = def->segments.item;
  double length = 0.0;
  for (size_t i = 0; i < def->segments.count; i++)
    length += segment[i].length;
  if (def->segments.count == 0)
    vd_error(ctx->d, at_key(ctx, "segments"), "the path has no segments");
  else if (check_length(ctx, "segments", length) && def->closed)
    check_closed(ctx, def);
}

static void check_round(const context *ctx, const vd_path_def *def) {
  static const double lemniscate = 5.244115108584239620929679; /* ratio of length to half width: 4 K(1/sqrt 2)/sqrt 2 */
  double r = fabs(def->radius), length = 2.0 * VD_PI * r;
  if (!(r >= 1.0 / vd_path_sharpest)) {
    vd_error(ctx->d, at_key(ctx, "radius"), "the magnitude of radius must be at least %g m", 1.0 / vd_path_sharpest);
    return;
  }
  if (def->type == VD_PATH_EIGHT)
    length = lemniscate * 3.0 * r;
  else if (def->entry > 0.0)
    length = 2.0 * def->entry + def->laps * length;
  check_length(ctx, def->type == VD_PATH_CIRCLE && def->entry > 0.0 ? "laps" : "radius", length);
}

void vd_path_complete(vd_path_def *def, const vd_node *root, const char *path, vd_arena *arena, vd_diag *d) {
  context ctx = {root, path, arena, d};
  switch ((enum vd_path_type)def->type) {
  case VD_PATH_CIRCLE:
  case VD_PATH_EIGHT: check_round(&ctx, def); break;
  case VD_PATH_SEGMENTS: check_segments(&ctx, def); break;
  case VD_PATH_WAYPOINTS: check_waypoints(&ctx, def); break;
  case VD_PATH_NONE:
  case VD_PATH_STRAIGHT:
  case VD_PATH_CLOTHOID:
  case VD_PATH_ISO3888_1:
  case VD_PATH_ISO3888_2: break;
  case VD_PATH_SLALOM:
    if (!(def->approach >= def->pitch))
      vd_error(d, at_key(&ctx, "approach"),
               "approach must be at least the pitch (%g m): the path turns to the first cone one pitch before it",
               def->pitch);
    break;
  }
}
