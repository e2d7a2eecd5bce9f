#include "study/fit_impl.h"

#include "base/elementary.h"
#include "input/schema.h"
#include "run/kind.h"

#include <math.h>

/* ---- measured rows ---- */

/* Returns the value of a quantity for a file without its column: the only value of the rig's axis, or `none' if the
 * axis does not have one value. */
static double axis_or(const vd_rig_axis *a, double none) {
  return a->points == 1 ? a->from : a->points == 0 && a->values.count == 1 ? a->values.value[0] : none;
}

static double value_of(const vd_tyre_points *p, enum vd_point_quantity q, size_t i, double other) {
  return p->of[q] ? p->of[q][i] : other;
}

static void take_row(const vd_tyre_fit *fit, const vd_tyre_points *p, size_t i, vd_tyre_fit_row *out) {
  const vd_rig_axis *axis = fit->def.rig.axis;
  *out = (vd_tyre_fit_row){.load = p->of[VD_POINT_LOAD][i],
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

/* Checks that a file has a load, a slip, and a measured force or moment. */
static bool has_columns(const vd_tyre_points *p, vd_place at, vd_diag *d) {
  size_t before = vd_diag_errors(d);
  bool output = false;
  for (int k = 0; k < VD_FIT_OUTPUTS; k++)
    output |= p->of[vd_fit_outputs[k].quantity] != NULL;
  if (!p->of[VD_POINT_LOAD])
    vd_error(d, at, "the file has no column of the load; name it with 'columns: {load: {column: NAME}}'");
  if (!p->of[VD_POINT_KAPPA] && !p->of[VD_POINT_ALPHA])
    vd_error(d, at, "the file has no column of a slip; name it with 'columns: {alpha: {column: NAME}}', or kappa");
  if (!output)
    vd_error(d, at,
             "the file has no column of a force or moment; name it with 'columns: {fy: {column: NAME}}', or fx, mx, "
             "my, mz");
  return vd_diag_errors(d) == before;
}

static void add_points(vd_tyre_fit *fit, const vd_tyre_points *p, size_t file, vd_arena *arena) {
  fit->row = vd_fit_grown(arena, fit->row, fit->rows, p->rows, sizeof *fit->row);
  for (size_t i = 0; i < p->rows; i++) {
    vd_tyre_fit_row *row = &fit->row[fit->rows++];
    take_row(fit, p, i, row);
    row->file = file;
    for (int k = 0; k < VD_FIT_OUTPUTS; k++)
      fit->has[k] |= !isnan(row->measured[k]);
  }
}

static void read_rows(vd_tyre_fit *fit, vd_arena *arena, vd_diag *d) {
  size_t count = fit->def.fit.data.count;
  vd_tyre_points_def *of = vd_fit_grown(arena, fit->def.fit.data.item, count, 0, sizeof *of);
  fit->def.fit.data.item = of; /* the file names are valid from any folder */
  if (count == 0 && !*fit->def.rig.table.table.file)
    vd_error(d, vd_tree_place_in(fit->root, "fit", "data"), "a fit needs measured rows: 'fit: {data: [{file: NAME}]}'");
  for (size_t i = 0; i < count || (i == 0 && *fit->def.rig.table.table.file); i++) {
    const char *path = count > 0 ? vd_arena_printf(arena, "fit.data.%zu", i) : "points";
    vd_tyre_points points;
    if (vd_tyre_points_read(count > 0 ? &of[i] : &fit->def.rig.table, fit->root, path, arena, d, &points) &&
        has_columns(&points, vd_tree_place(fit->root, path), d))
      add_points(fit, &points, i + 1, arena);
  }
}

/* ---- checks ---- */

static void check_names(const vd_tyre_fit *fit, vd_figures *f, const vd_names *names, const char *path, vd_arena *arena,
                        vd_diag *d) {
  for (size_t i = 0; i < names->count; i++) {
    vd_tyre_figure figure;
    if (vd_fit_stage_called(names->name[i]) >= 0 || vd_figures_find(f, names->name[i], &figure))
      continue;
    vd_error(d, vd_tree_place(fit->root, vd_arena_printf(arena, "%s.%zu", path, i)), "this tyre has no figure '%s'%s",
             names->name[i], vd_did_you_mean(arena, vd_figures_suggest(f, names->name[i], arena)));
  }
}

static void check_bounds(const vd_tyre_fit *fit, vd_figures *f, vd_arena *arena, vd_diag *d) {
  const vd_fit_bound_def *bound = fit->def.fit.bounds.item;
  for (size_t i = 0; i < fit->def.fit.bounds.count; i++) {
    const char *path = vd_arena_printf(arena, "fit.bounds.%zu", i);
    vd_tyre_figure figure;
    double low = isnan(bound[i].low) ? -INFINITY : bound[i].low, high = isnan(bound[i].high) ? INFINITY : bound[i].high;
    if (!vd_figures_find(f, bound[i].figure, &figure)) {
      const vd_names one = {&bound[i].figure, 1};
      check_names(fit, f, &one, vd_arena_printf(arena, "%s.figure", path), arena, d);
    } else if (!(low < high)) {
      vd_error(d, vd_tree_place(fit->root, path), "the bounds of '%s' are empty: low must be below high",
               bound[i].figure);
    }
  }
}

static void check_stages(const vd_tyre_fit *fit, vd_figures *f, vd_arena *arena, vd_diag *d) {
  const vd_fit_stage_def *stage = fit->def.fit.stages.item;
  for (size_t i = 0; i < fit->def.fit.stages.count; i++) {
    const char *path = vd_arena_printf(arena, "fit.stages.%zu", i);
    check_names(fit, f, &stage[i].free, vd_arena_printf(arena, "%s.free", path), arena, d);
    check_names(fit, f, &stage[i].fixed, vd_arena_printf(arena, "%s.fixed", path), arena, d);
    if (stage[i].stage == VD_FIT_ALL && stage[i].free.count == 0)
      vd_error(d, vd_tree_place(fit->root, path), "stage 'all' has no group of its own: name its figures in 'free'");
  }
}

static void check(vd_tyre_fit *fit, vd_arena *arena, vd_diag *d) {
  if (fit->def.rig.kind != VD_SCENARIO_FIT)
    vd_error(d, vd_tree_place(fit->root, "kind"), "a fit is of kind fit");
  if (fit->def.rig.mode != VD_RIG_STEADY)
    vd_error(d, vd_tree_place(fit->root, "mode"), "a fit uses steady forces: its rig must be of mode steady");
  vd_tyre_check(&fit->def.rig.tyre, fit->root, "tyre", d);
  if (vd_diag_errors(d) > 0)
    return;
  vd_figures f;
  vd_figures_init(&fit->def.rig.tyre, arena, &f);
  check_stages(fit, &f, arena, d);
  check_bounds(fit, &f, arena, d);
}

bool vd_tyre_fit_read(int source, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d, vd_fit *out) {
  vd_tyre_fit *fit = &out->as.tyre;
  vd_node *root;
  *fit = (vd_tyre_fit){.rows = 0};
  if (!vd_schema_read_source(&vd_tyre_fit_schema, source, settings, count, arena, d, &fit->def, &root))
    return false;
  fit->root = root;
  vd_tyre_complete(&fit->def.rig.tyre, NULL, root, "tyre", arena, d);
  check(fit, arena, d);
  if (vd_diag_errors(d) == 0)
    read_rows(fit, arena, d);
  return vd_diag_errors(d) == 0;
}
