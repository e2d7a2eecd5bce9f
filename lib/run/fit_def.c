#include "run/fit_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/schema.h"
#include "run/kind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const vd_fit_stage_names[] = {"lateral",     "aligning", "longitudinal", "combined", "combined_aligning",
                                          "overturning", "rolling",  "all",          NULL};
const char *const vd_fit_loss_names[] = {"squares", "huber", "cauchy", NULL};

/* clang-format off */
static const vd_field stage_fields[] = {
  {VD_F_CHOICE(vd_fit_stage_def, stage, "stage", vd_fit_stage_names, NULL, "its rows and outputs: lateral: Fy of pure lateral slip; aligning: Mz of the same; longitudinal: Fx of pure longitudinal slip; combined: Fx and Fy of combined slip; combined_aligning: Mz of the same; overturning: Mx, rolling: My, all: everything, of all rows")},
  {VD_F_LIST(vd_fit_stage_def, free, "free", "[]", "figures that are found: keys of the tyre (lateral.b), numbers of its lists (a12), coefficients of a property file (PDY1), or names of stages for their groups; empty: the group of the stage"), .flags = VD_OMIT_DEFAULT},
  {VD_F_LIST(vd_fit_stage_def, fixed, "fixed", "[]", "figures that are left out of these"), .flags = VD_OMIT_DEFAULT},
};

static const vd_schema stage_schema = {.name = "stage", .size = sizeof(vd_fit_stage_def), .field = stage_fields, .count = VD_COUNT(stage_fields), .shorthand = "stage"};

static const vd_field bound_fields[] = {
  {VD_F_STRING(vd_fit_bound_def, figure, "figure", NULL, "name of a figure")},
  {VD_F_NUMBER(vd_fit_bound_def, low, "low", "1", -INFINITY, INFINITY, VD_AUTO | VD_ANY_UNIT, "auto", "lower bound, in SI; auto: none")},
  {VD_F_NUMBER(vd_fit_bound_def, high, "high", "1", -INFINITY, INFINITY, VD_AUTO | VD_ANY_UNIT, "auto", "upper bound, in SI; auto: none")},
};

static const vd_schema bound_schema = {.name = "bound", .size = sizeof(vd_fit_bound_def), .field = bound_fields, .count = VD_COUNT(bound_fields)};

#define EMPHASIS(id, key) VD_F_NUMBER(vd_fit_settings, emphasis[VD_FIT_##id], "emphasis_" key, "1", 0, 1e6, VD_ABOVE | VD_OMIT_DEFAULT, "1", "factor on the residuals of " key " after their division by the scatter that the fit estimates, in stages with several outputs")

static const vd_field fit_fields[] = {
  {VD_F_STRUCTS(vd_fit_settings, data, "data", "1", &vd_tyre_points_schema, "[]", "files of measured rows; empty: the points of the rig")},
  {VD_F_STRUCTS(vd_fit_settings, stages, "stages", "1", &stage_schema, "[]", "stages, one after the other; empty: all but `all` for which there are rows, in the order of the list")},
  {VD_F_NUMBER(vd_fit_settings, pure_slip_ratio, "pure_slip_ratio", "1", 0, 1, 0, "0.01", "greatest magnitude of the slip ratio in rows of pure lateral slip")},
  {VD_F_NUMBER(vd_fit_settings, pure_slip_angle, "pure_slip_angle", "rad", 0, 1, 0, "0.5 deg", "greatest magnitude of the slip angle in rows of pure longitudinal slip")},
  {VD_F_STRUCTS(vd_fit_settings, bounds, "bounds", "1", &bound_schema, "[]", "bounds in place of the usual ones"), .flags = VD_OMIT_DEFAULT},
  {VD_F_CHOICE(vd_fit_settings, loss, "loss", vd_fit_loss_names, "squares", "what is minimised: squares of the residuals; huber, cauchy: less of rows far off, for data with outliers")},
  {EMPHASIS(FX, "fx")},
  {EMPHASIS(FY, "fy")},
  {EMPHASIS(MX, "mx")},
  {EMPHASIS(MY, "my")},
  {EMPHASIS(MZ, "mz")},
  {VD_F_NUMBER(vd_fit_settings, confidence, "confidence", "1", 0, 1, VD_ABOVE | VD_BELOW, "0.95", "probability of the intervals of confidence")},
  {VD_F_INTEGER(vd_fit_settings, iterations, "iterations", 1, 100000, "500", "most iterations of a stage")},
  {VD_F_INTEGER(vd_fit_settings, starts, "starts", 1, 1000, "8", "starts that are tried with a part of the rows, of which the best is taken: the tyre's figures, usual ones, others around these; 1: the tyre's figures only")},
};

static const vd_schema settings_schema = {.name = "fit", .size = sizeof(vd_fit_settings), .field = fit_fields, .count = VD_COUNT(fit_fields)};

static const vd_field fields[] = {
  {VD_F_GROUP(&vd_rig_schema)},
  {VD_F_STRUCT(vd_fit_def, fit, vd_fit_settings, "fit", "1", &settings_schema, 0, "{}", "what is found from which rows")},
};
/* clang-format on */

const vd_schema vd_fit_schema = {
    .name = "fit", .size = sizeof(vd_fit_def), .field = fields, .count = VD_COUNT(fields), .tag = "mode"};

/* ---- measured rows ---- */

/* What a row has if its file has no such column: the only value of the rig's axis. */
static double axis_or(const vd_rig_axis *a, double none) {
  return a->points == 1 ? a->from : a->points == 0 && a->values.count == 1 ? a->values.value[0] : none;
}

static double value_of(const vd_tyre_points *p, enum vd_point_quantity q, size_t i, double other) {
  return p->of[q] ? p->of[q][i] : other;
}

static void take_row(const vd_fit_def *def, const vd_tyre_points *p, size_t i, vd_fit_row *out) {
  const vd_rig_axis *axis = def->rig.axis;
  *out = (vd_fit_row){.load = p->of[VD_POINT_LOAD][i],
                      .pressure = value_of(p, VD_POINT_PRESSURE, i, axis_or(&axis[VD_RIG_PRESSURE], NAN)),
                      .camber = value_of(p, VD_POINT_CAMBER, i, axis_or(&axis[VD_RIG_CAMBER], 0.0)),
                      .vx = value_of(p, VD_POINT_SPEED, i, axis_or(&axis[VD_RIG_SPEED], 16.7)),
                      .kappa = value_of(p, VD_POINT_KAPPA, i, 0.0),
                      .alpha = value_of(p, VD_POINT_ALPHA, i, 0.0),
                      .weight = value_of(p, VD_POINT_WEIGHT, i, 1.0),
                      .number = i + 1};
  out->tan_alpha = vd_tan(out->alpha);
  for (int k = 0; k < VD_FIT_OUTPUTS; k++)
    out->measured[k] = value_of(p, vd_fit_outputs[k].quantity, i, NAN);
}

/* A file must say the load and a slip, and something that was measured. */
static bool has_columns(const vd_tyre_points *p, vd_place at, vd_diag *d) {
  size_t before = vd_diag_errors(d);
  bool output = false;
  for (int k = 0; k < VD_FIT_OUTPUTS; k++)
    output |= p->of[vd_fit_outputs[k].quantity] != NULL;
  if (!p->of[VD_POINT_LOAD])
    vd_error(d, at, "the file has no column of the load; say which with 'columns: {load: {column: NAME}}'");
  if (!p->of[VD_POINT_KAPPA] && !p->of[VD_POINT_ALPHA])
    vd_error(d, at, "the file has no column of a slip; say which with 'columns: {alpha: {column: NAME}}', or kappa");
  if (!output)
    vd_error(d, at,
             "the file has no column of a force or moment; say which with 'columns: {fy: {column: NAME}}', or fx, mx, "
             "my, mz");
  return vd_diag_errors(d) == before;
}

static void add_points(vd_fit_def *def, const vd_tyre_points *p, size_t file, vd_arena *arena) {
  vd_fit_row *all = vd_arena_alloc(arena, (def->rows + p->rows) * sizeof *all);
  if (def->rows > 0)
    memcpy(all, def->row, def->rows * sizeof *all);
  def->row = all;
  for (size_t i = 0; i < p->rows; i++) {
    vd_fit_row *row = &def->row[def->rows++];
    take_row(def, p, i, row);
    row->file = file;
    for (int k = 0; k < VD_FIT_OUTPUTS; k++)
      def->has[k] |= !isnan(row->measured[k]);
  }
}

static void read_rows(vd_fit_def *def, vd_arena *arena, vd_diag *d) {
  size_t count = def->fit.data.count;
  vd_tyre_points_def *of = vd_arena_alloc(arena, (count + 1) * sizeof *of);
  if (count > 0)
    memcpy(of, def->fit.data.item, count * sizeof *of);
  def->fit.data.item = of; /* with names of files that hold from any folder */
  if (count == 0 && !*def->rig.table.table.file)
    vd_error(d, vd_tree_place_in(def->root, "fit", "data"), "a fit needs measured rows: 'fit: {data: [{file: NAME}]}'");
  for (size_t i = 0; i < count || (i == 0 && *def->rig.table.table.file); i++) {
    char path[40] = "points";
    vd_tyre_points points;
    if (count > 0)
      snprintf(path, sizeof path, "fit.data.%zu", i);
    if (vd_tyre_points_read(count > 0 ? &of[i] : &def->rig.table, def->root, path, arena, d, &points) &&
        has_columns(&points, vd_tree_place(def->root, path), d))
      add_points(def, &points, i + 1, arena);
  }
}

/* ---- checks ---- */

static void check_names(const vd_fit_def *def, vd_figures *f, const vd_names *names, const char *path, vd_arena *arena,
                        vd_diag *d) {
  for (size_t i = 0; i < names->count; i++) {
    vd_tyre_figure figure;
    bool stage = false;
    for (int k = 0; k < VD_FIT_ALL; k++)
      stage |= strcmp(names->name[i], vd_fit_stage_names[k]) == 0;
    if (stage || vd_figures_find(f, names->name[i], &figure))
      continue;
    const char *near = vd_figures_suggest(f, names->name[i], arena);
    char at[80];
    snprintf(at, sizeof at, "%s.%zu", path, i);
    vd_error(d, vd_tree_place(def->root, at), "this tyre has no figure '%s'%s%s%s", names->name[i],
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
}

static void check_bounds(const vd_fit_def *def, vd_figures *f, vd_arena *arena, vd_diag *d) {
  const vd_fit_bound_def *bound = def->fit.bounds.item;
  for (size_t i = 0; i < def->fit.bounds.count; i++) {
    char path[60];
    snprintf(path, sizeof path, "fit.bounds.%zu", i);
    vd_tyre_figure figure;
    double low = isnan(bound[i].low) ? -INFINITY : bound[i].low, high = isnan(bound[i].high) ? INFINITY : bound[i].high;
    if (!vd_figures_find(f, bound[i].figure, &figure)) {
      const vd_names one = {&bound[i].figure, 1};
      snprintf(path, sizeof path, "fit.bounds.%zu.figure", i);
      check_names(def, f, &one, path, arena, d);
    } else if (!(low < high)) {
      vd_error(d, vd_tree_place(def->root, path), "the bounds of '%s' are empty: low must be below high",
               bound[i].figure);
    }
  }
}

static void check_stages(const vd_fit_def *def, vd_figures *f, vd_arena *arena, vd_diag *d) {
  const vd_fit_stage_def *stage = def->fit.stages.item;
  for (size_t i = 0; i < def->fit.stages.count; i++) {
    char path[60];
    snprintf(path, sizeof path, "fit.stages.%zu.free", i);
    check_names(def, f, &stage[i].free, path, arena, d);
    snprintf(path, sizeof path, "fit.stages.%zu.fixed", i);
    check_names(def, f, &stage[i].fixed, path, arena, d);
    snprintf(path, sizeof path, "fit.stages.%zu", i);
    if (stage[i].stage == VD_FIT_ALL && stage[i].free.count == 0)
      vd_error(d, vd_tree_place(def->root, path), "stage 'all' has no group of its own: say what is free");
  }
}

static void check(vd_fit_def *def, vd_arena *arena, vd_diag *d) {
  if (def->rig.kind != VD_SCENARIO_FIT)
    vd_error(d, vd_tree_place(def->root, "kind"), "a fit is of kind fit");
  if (def->rig.mode != VD_RIG_STEADY)
    vd_error(d, vd_tree_place(def->root, "mode"), "a fit takes steady forces: its rig is of mode steady");
  vd_tyre_check(&def->rig.tyre, def->root, "tyre", d);
  if (vd_diag_errors(d) > 0)
    return;
  vd_figures f;
  vd_figures_init(&def->rig.tyre, arena, &f);
  check_stages(def, &f, arena, d);
  check_bounds(def, &f, arena, d);
}

bool vd_fit_read_source(int source, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                        vd_fit_def *def) {
  vd_node *root;
  def->row = NULL;
  def->rows = 0;
  if (!vd_schema_read_source(&vd_fit_schema, source, settings, count, arena, d, def, &root))
    return false;
  def->root = root;
  vd_tyre_complete(&def->rig.tyre, NULL, root, "tyre", arena, d);
  check(def, arena, d);
  if (vd_diag_errors(d) == 0)
    read_rows(def, arena, d);
  return vd_diag_errors(d) == 0;
}
