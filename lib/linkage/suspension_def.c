/* The keys of an axle's suspension, and their checks. */
#include "base/base.h"
#include "input/schema.h"
#include "linkage/suspension_def.h"

#include <math.h>
#include <stdio.h>

#define SPRING_CURVE  VD_WHEN(VD_SPRING_CURVE)
#define DAMPER_LINEAR VD_WHEN(VD_DAMPER_LINEAR)
#define DAMPER_CURVE  VD_WHEN(VD_DAMPER_CURVE)

static const char *const type_names[] = {"linear", "curve", NULL};
static const char *const spring_places[] = {"wheel", "spring", NULL};
static const char *const damper_places[] = {"wheel", "damper", NULL};

/* clang-format off */
#define CURVE_FILE(T, only_of, what, x, unit) \
  VD_MEASURED_ROWS(T, curve.table., only_of, what), \
  {VD_F_STRUCT(T, curve.x_column, vd_column_def, "x_column", unit, &vd_column_schema, VD_OMIT_DEFAULT, "{}", \
      "column of the " x "; empty: the first of two"), .only = only_of}, \
  {VD_F_STRUCT(T, curve.y_column, vd_column_def, "y_column", "N", &vd_column_schema, VD_OMIT_DEFAULT, "{}", \
      "column of the force; empty: the other of two"), .only = only_of}

static const vd_field spring_fields[] = {
  {VD_F_CHOICE(vd_spring_def, type, "type", type_names, "linear",
      "linear: constant stiffness, the key spring_stiffness; curve: force over compression from the free length")},
  {VD_F_CHOICE(vd_spring_def, at, "at", spring_places, "wheel",
      "where the curve applies: at the wheel, or along the linkage's spring, converted by its motion ratio"),
      .flags = VD_OMIT_DEFAULT, .only = SPRING_CURVE},
  CURVE_FILE(vd_spring_def, SPRING_CURVE, "file of force over compression", "compression", "m"),
  {VD_F_POINTS(vd_spring_def, curve.points, "points", "N", 0, 1e9, "[]",
      "pairs [compression, force] from [0, 0] on, rising, instead of a file; cubics without overshoot between them"),
      .x_unit = "m", .only = SPRING_CURVE},
};

const vd_schema vd_spring_schema = {.name = "spring", VD_SCHEMA_ROWS(vd_spring_def, spring_fields), .tag = "type"};

static const vd_field damper_fields[] = {
  {VD_F_CHOICE(vd_damper_def, type, "type", type_names, "linear",
      "linear: force proportional to the rate; curve: force over rate by points")},
  {VD_F_CHOICE(vd_damper_def, at, "at", damper_places, "wheel",
      "where rates and forces apply: at the wheel, or along the linkage's damper, converted by its motion ratio"),
      .flags = VD_OMIT_DEFAULT},
  {VD_F_NUMBER(vd_damper_def, bump, "bump", "N s/m", 0, 1e7, VD_AUTO, "auto",
      "force divided by rate in bump; auto: from the rate of the linkage's damper; without one not known, and only "
      "needed from L3 on"), .only = DAMPER_LINEAR},
  {VD_F_NUMBER(vd_damper_def, rebound, "rebound", "N s/m", 0, 1e7, VD_AUTO, "auto",
      "force divided by rate in rebound; auto: as in bump"), .only = DAMPER_LINEAR},
  CURVE_FILE(vd_damper_def, DAMPER_CURVE, "file of force over rate, bump > 0", "rate", "m/s"),
  {VD_F_POINTS(vd_damper_def, curve.points, "points", "N", -1e9, 1e9, "[]",
      "pairs [rate, force] through [0, 0], bump > 0, nowhere falling, instead of a file; cubics without overshoot "
      "between them"), .x_unit = "m/s", .only = DAMPER_CURVE},
};

const vd_schema vd_damper_schema = {.name = "damper", VD_SCHEMA_ROWS(vd_damper_def, damper_fields), .tag = "type",
    .shorthand = "bump"};

static const vd_field stop_fields[] = {
  {VD_F_NUMBER(vd_stop, gap, "gap", "m", 0, 10, VD_ABOVE, "80 mm",
      "travel of the wheel from the design position to the stop; default: typical of a car")},
  {VD_F_NUMBER(vd_stop, stiffness, "stiffness", "N/m", 0, 1e9, 0, "200 N/mm",
      "final stiffness at the wheel: F = stiffness d^2/(d + run), d the compression beyond the gap; 0: no stop; "
      "default: typical of a car")},
  {VD_F_NUMBER(vd_stop, run, "run", "m", 0, 10, 0, "20 mm",
      "travel beyond the gap at which the force is half of stiffness x travel; 0: full force at once; default: typical "
      "of a car")},
};

const vd_schema vd_stop_schema = {.name = "stop", VD_SCHEMA_ROWS(vd_stop, stop_fields)};
/* clang-format on */

/* The quantities of an element's curve, for messages. */
typedef struct meaning {
  const char *element, *x, *unit;
} meaning;

/* Data with which messages refer to an element. */
typedef struct context {
  const vd_node *root;
  char path[96]; /* of its mapping */
  vd_diag *d;
} context;

static context context_of(const vd_node *root, const char *path, const char *element, vd_diag *d) {
  context c = {.root = root, .d = d};
  snprintf(c.path, sizeof c.path, "%s.%s", path, element);
  return c;
}

static void load_curve(const context *ctx, meaning m, vd_arena *arena, vd_curve_def *curve) {
  enum { X, Y };
  static const char *const none[] = {NULL};
  const vd_measured_quantity want[] = {[X] = {"x_column", m.unit, none, &curve->x_column, VD_COLUMN_REST},
                                       [Y] = {"y_column", "N", none, &curve->y_column, VD_COLUMN_REST}};
  vd_measured table;
  if (!vd_measured_read(&curve->table, ctx->root, ctx->path, want, VD_COUNT(want), arena, ctx->d, &table) ||
      !vd_measured_rises(&table, X, m.x, m.unit, ctx->d))
    return;
  curve->points = vd_measured_points(&table, X, Y, arena);
  curve->table = VD_NO_FILE;
  curve->x_column = curve->y_column = VD_NO_COLUMN;
}

static void complete_curve(const context *ctx, meaning m, vd_arena *arena, vd_curve_def *curve) {
  bool file = *curve->table.file != '\0', points = curve->points.count > 0, x = vd_column_is_given(&curve->x_column);
  if (file && points)
    vd_error(ctx->d, vd_tree_place_in(ctx->root, ctx->path, "file"), "a curve has a file or points, not both");
  else if (file)
    load_curve(ctx, m, arena, curve);
  else if (!points)
    vd_error(ctx->d, vd_tree_place(ctx->root, ctx->path), "the curve of the %s has neither file nor points", m.element);
  else if (x || vd_column_is_given(&curve->y_column))
    vd_error(ctx->d, vd_tree_place_in(ctx->root, ctx->path, x ? "x_column" : "y_column"), "a column belongs to a file");
}

void vd_suspension_complete(vd_suspension_def *def, const vd_node *root, const char *path, vd_arena *arena,
                            vd_diag *d) {
  const context spring = context_of(root, path, "spring", d), damper = context_of(root, path, "damper", d);
  if (isnan(def->damper.rebound))
    def->damper.rebound = def->damper.bump;
  if (def->spring.type == VD_SPRING_CURVE)
    complete_curve(&spring, (meaning){"spring", "compression", "m"}, arena, &def->spring.curve);
  if (def->damper.type == VD_DAMPER_CURVE)
    complete_curve(&damper, (meaning){"damper", "rate", "m/s"}, arena, &def->damper.curve);
}

/* Converts points [x, y] along an element to [x/ratio, y ratio] at the wheel. */
static void curve_to_wheel(vd_curve_def *curve, double ratio, vd_arena *arena) {
  size_t count = curve->points.count;
  double *xy = vd_arena_alloc(arena, 2 * count * sizeof *xy);
  for (size_t i = 0; i < count; i++) {
    xy[2 * i] = curve->points.xy[2 * i] / ratio;
    xy[2 * i + 1] = curve->points.xy[2 * i + 1] * ratio;
  }
  curve->points.xy = xy;
}

static bool has_ratio(const context *ctx, double ratio, const char *what) {
  if (ratio > 0.0)
    return true;
  vd_error(ctx->d, vd_tree_place_in(ctx->root, ctx->path, "at"),
           isnan(ratio) ? "the linkage of this axle has no %s; a curve at the wheel needs none"
                        : "the linkage's %s gets longer in bump",
           what);
  return false;
}

void vd_suspension_to_wheel(vd_suspension_def *def, double spring_ratio, double damper_ratio, const vd_node *root,
                            const char *path, vd_arena *arena, vd_diag *d) {
  const context spring = context_of(root, path, "spring", d), damper = context_of(root, path, "damper", d);
  if (def->spring.type == VD_SPRING_CURVE && def->spring.at == VD_AT_ELEMENT &&
      has_ratio(&spring, spring_ratio, "spring"))
    curve_to_wheel(&def->spring.curve, spring_ratio, arena);
  if (def->damper.at == VD_AT_ELEMENT && has_ratio(&damper, damper_ratio, "damper")) {
    if (def->damper.type == VD_DAMPER_CURVE)
      curve_to_wheel(&def->damper.curve, damper_ratio, arena);
    def->damper.bump *= damper_ratio * damper_ratio;
    def->damper.rebound *= damper_ratio * damper_ratio;
  }
  def->spring.at = def->damper.at = VD_AT_WHEEL;
}

static vd_place at_points(const context *ctx) {
  return vd_tree_place_in(ctx->root, ctx->path, "points");
}

static vd_place at_point(const context *ctx, size_t index) {
  char key[32];
  snprintf(key, sizeof key, "points.%zu", index);
  return vd_tree_place_in(ctx->root, ctx->path, "%s", key);
}

/* Checks that a curve has at least two points, and at most as many as there is room for. */
static bool check_count(const context *ctx, const vd_points *points, const char *what) {
  if (points->count == 1)
    vd_error(ctx->d, at_points(ctx), "the curve of the %s needs two points at least", what);
  else if (points->count > VD_CURVE_POINTS)
    vd_error(ctx->d, at_points(ctx), "the curve of the %s has %zu points; there is room for %d", what, points->count,
             VD_CURVE_POINTS);
  return points->count >= 2 && points->count <= VD_CURVE_POINTS;
}

static void check_spring(const context *ctx, const vd_points *points, double static_load) {
  const double *xy = points->xy;
  if (!check_count(ctx, points, "spring"))
    return;
  if (!(xy[0] == 0.0 && xy[1] == 0.0)) {
    vd_error(ctx->d, at_point(ctx, 0), "the curve of a spring begins at its free length, at [0, 0], not at [%g, %g]",
             xy[0], xy[1]);
    return;
  }
  for (size_t i = 1; i < points->count; i++)
    if (!(xy[2 * i + 1] > xy[2 * i - 1])) {
      vd_error(ctx->d, at_point(ctx, i), "the force of a spring must rise; at %g m it is %g N after %g N", xy[2 * i],
               xy[2 * i + 1], xy[2 * i - 1]);
      return;
    }
  /* the static load may be the last force, where the curve ends */
  double most = xy[2 * points->count - 1];
  if (static_load >= most)
    vd_error(ctx->d, at_points(ctx), "the static load of the spring (%.0f N) is beyond its curve, which ends at %.0f N",
             static_load, most);
}

static void check_damper(const context *ctx, const vd_points *points) {
  const double *xy = points->xy;
  if (!check_count(ctx, points, "damper"))
    return;
  bool through = false;
  for (size_t i = 0; i < points->count; i++) {
    through |= xy[2 * i] == 0.0 && xy[2 * i + 1] == 0.0;
    if (i > 0 && !(xy[2 * i + 1] >= xy[2 * i - 1])) {
      vd_error(ctx->d, at_point(ctx, i), "the force of a damper must not fall; at %g m/s it is %g N after %g N",
               xy[2 * i], xy[2 * i + 1], xy[2 * i - 1]);
      return;
    }
  }
  double first = xy[0], last = xy[2 * points->count - 2];
  if (!through)
    vd_error(ctx->d, at_points(ctx), "the curve of a damper must have the point [0, 0]");
  else if (!(first < 0.0 && last > 0.0))
    vd_error(ctx->d, at_points(ctx),
             "the curve of a damper needs rates on both sides of 0; it reaches from %g to %g m/s", first, last);
}

void vd_suspension_check(const vd_suspension_def *def, double static_load, const vd_node *root, const char *path,
                         vd_diag *d) {
  const context spring = context_of(root, path, "spring", d), damper = context_of(root, path, "damper", d);
  if (def->spring.type == VD_SPRING_CURVE && def->spring.curve.points.count > 0)
    check_spring(&spring, &def->spring.curve.points, static_load);
  if (def->damper.type == VD_DAMPER_CURVE && def->damper.curve.points.count > 0)
    check_damper(&damper, &def->damper.curve.points);
}
