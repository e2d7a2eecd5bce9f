/* The stages of a fit of a tyre: their figures and rows. */
#include "study/fit_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/system.h"
#include "input/schema.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { SEARCHED = 128 /* figures of a stage */ };

/* A figure that a stage searches: value = x (*times)/(*over). The stage may search the figures *times and *over,
 * too. */
typedef struct searched {
  const char *name;
  double *value, *times, *over; /* times, over NULL: 1; if they are searched, they come before this figure */
  vd_ls_parameter x;
  double begin; /* the tyre's own value */
  double usual; /* usual value of x, from the group; NAN: there is none */
  bool named;   /* the file names the figure, so that it must not be left out */
} searched;

typedef struct stage_run {
  const vd_tyre_fit *fit;
  vd_figures *tyre;
  int stage;
  searched all[SEARCHED];
  size_t count;
  const vd_tyre_fit_row **row; /* [rows] */
  size_t rows;
  bool aligning;  /* Mz is compared */
  size_t *at;     /* [values]: index of the compared output among the outputs of the rows */
  size_t *group;  /* [values]: the output */
  double *output; /* [rows][VD_FIT_OUTPUTS] */
  vd_fit_parameter parameter[SEARCHED];
  vd_fit_search search;
  vd_buf left_out;
  vd_place place;
} stage_run;

/* ---- the model ---- */

static double base_of(const searched *s) {
  return (s->times ? *s->times : 1.0) / (s->over ? *s->over : 1.0);
}

/* Sets the figures that were chosen, x [count]; figures that are left out keep the tyre's own values. */
static void set_figures(const stage_run *r, const double *x) {
  for (size_t k = 0; k < r->count; k++)
    *r->all[k].value = r->parameter[k].left_out ? r->all[k].begin : x[k] * base_of(&r->all[k]);
}

/* Computes the values of the model. A search with a part of the rows has its own context. */
static void model_values(void *context, size_t count, const double *x, double *value) {
  stage_run *r = context;
  size_t n = r->search.problem.rows;
  for (size_t i = 0; i < count; i++) {
    set_figures(r, x + i * r->count);
    vd_fit_evaluate(&r->fit->def.rig, &r->tyre->def, r->row, r->rows, r->aligning, r->output);
    for (size_t k = 0; k < n; k++)
      value[i * n + k] = r->output[r->at[k]];
  }
}

/* ---- the parameters of a stage ---- */

static const vd_figure_row *group_row(const stage_run *r, const char *name) {
  size_t count;
  const vd_figure_row *row = vd_tyre_figure_rows((enum vd_tyre_model)r->tyre->def.model, &count), *found = NULL;
  for (size_t i = 0; i < count; i++)
    if (strcasecmp(row[i].name, name) == 0 && (!found || (int)row[i].stage == r->stage))
      found = &row[i];
  return found;
}

static int index_of_value(const stage_run *r, const double *value) {
  for (size_t k = 0; k < r->count; k++)
    if (value && r->all[k].value == value)
      return (int)k;
  return -1;
}

static const vd_fit_bound_def *bound_of(const vd_tyre_fit *fit, const char *name) {
  const vd_fit_bound_def *bound = fit->def.fit.bounds.item;
  for (size_t i = 0; i < fit->def.fit.bounds.count; i++)
    if (strcasecmp(bound[i].figure, name) == 0)
      return &bound[i];
  return NULL;
}

static double *value_called(stage_run *r, const char *name) {
  vd_tyre_figure figure;
  return name && vd_figures_find(r->tyre, name, &figure) ? figure.value : NULL;
}

/* Sets the bounds of a figure that is in no group to its range as an input; a very wide range counts as no bounds. */
static void plain_bounds(const vd_tyre_figure *figure, searched *s) {
  double size = *figure->value != 0.0 ? 0.1 * fabs(*figure->value) : 0.1;
  bool wide = !(figure->high - figure->low < 1e4 * size);
  s->x = (vd_ls_parameter){.low = figure->low, .high = wide ? INFINITY : figure->high, .size = size};
  if (wide && figure->low < -1e4 * size)
    s->x.low = -INFINITY;
}

static void add_figure(stage_run *r, const char *name, bool named) {
  vd_tyre_figure figure;
  const vd_figure_row *row = group_row(r, name);
  const vd_fit_bound_def *bound = bound_of(r->fit, name);
  if (r->count == SEARCHED || !vd_figures_find(r->tyre, name, &figure) || index_of_value(r, figure.value) >= 0)
    return;
  searched *s = &r->all[r->count];
  *s = (searched){.name = row ? row->name : name,
                  .value = figure.value,
                  .begin = *figure.value,
                  .usual = row && !bound ? row->start : NAN,
                  .named = named};
  if (row)
    s->x = (vd_ls_parameter){.low = row->low, .high = row->high, .size = row->size};
  else
    plain_bounds(&figure, s);
  if (bound) {
    s->x.low = isnan(bound->low) ? -INFINITY : bound->low;
    s->x.high = isnan(bound->high) ? INFINITY : bound->high;
  } else if (row) {
    s->times = value_called(r, row->times);
    s->over = value_called(r, row->over);
  }
  double x = *s->value / base_of(s);
  if (row && (*s->value == 0.0 || isnan(x)))
    x = row->start;
  s->x.start = vd_min(vd_max(x, s->x.low), s->x.high);
  *s->value = s->x.start * base_of(s);
  r->count++;
}

static bool is_listed(const vd_names *names, const char *name) {
  for (size_t i = 0; i < names->count; i++)
    if (strcasecmp(names->name[i], name) == 0)
      return true;
  return false;
}

/* Returns the index of a figure among the figures that were found, or their number if the figure was not found yet. */
static size_t place_of(const vd_fit_result *done, const char *name) {
  size_t i = 0;
  while (i < done->coefficients && strcasecmp(done->coefficient[i].name, name) != 0)
    i++;
  return i;
}

/* Adds the figures of a group. Figures that an earlier stage found are not searched again, unless `again'. */
static void add_group(stage_run *r, int stage, const vd_names *fixed, const vd_fit_result *done, bool again) {
  size_t count;
  const vd_figure_row *row = vd_tyre_figure_rows((enum vd_tyre_model)r->tyre->def.model, &count);
  for (size_t i = 0; i < count; i++)
    if ((int)row[i].stage == stage && !is_listed(fixed, row[i].name) &&
        (again || place_of(done, row[i].name) == done->coefficients))
      add_figure(r, row[i].name, false);
}

/* Orders the figures so that each comes after its `times' and `over'; these references are not circular. */
static void order_figures(stage_run *r) {
  for (size_t k = 0; k < r->count;) {
    int times = index_of_value(r, r->all[k].times), over = index_of_value(r, r->all[k].over);
    int from = times > over ? times : over;
    if (from <= (int)k) {
      k++;
      continue;
    }
    searched figure = r->all[from];
    memmove(&r->all[k + 1], &r->all[k], ((size_t)from - k) * sizeof *r->all);
    r->all[k] = figure;
  }
}

static void choose_figures(stage_run *r, const vd_fit_stage_def *def, const vd_fit_result *done) {
  if (def->free.count == 0)
    add_group(r, def->stage, &def->fixed, done, false);
  for (size_t i = 0; i < def->free.count; i++) {
    int group = vd_fit_stage_called(def->free.name[i]);
    if (group >= 0)
      add_group(r, group, &def->fixed, done, true);
    else if (!is_listed(&def->fixed, def->free.name[i]))
      add_figure(r, def->free.name[i], true);
  }
  order_figures(r);
}

static void leave_out(void *context, size_t k) {
  stage_run *r = context;
  vd_buf_printf(&r->left_out, "%s%s", r->left_out.length > 0 ? ", " : "", r->all[k].name);
  *r->all[k].value = r->all[k].begin;
}

/* ---- rows ---- */

/* Chooses every stride-th of the rows that have a value for the stage. */
static void choose_rows(stage_run *r, size_t stride, vd_arena *arena) {
  const vd_tyre_fit *fit = r->fit;
  size_t most = fit->rows / stride + 1, values = 0, found = 0;
  double *measured = vd_arena_alloc(arena, 2 * most * VD_FIT_OUTPUTS * sizeof *measured),
         *weight = measured + most * VD_FIT_OUTPUTS;
  r->row = vd_arena_alloc(arena, most * sizeof *r->row);
  r->group = vd_arena_alloc(arena, 2 * most * VD_FIT_OUTPUTS * sizeof *r->group);
  r->at = r->group + most * VD_FIT_OUTPUTS;
  r->rows = 0;
  for (size_t i = 0; i < fit->rows; i++) {
    const vd_tyre_fit_row *row = &fit->row[i];
    bool taken = found % stride == 0, has_value = false;
    for (unsigned k = 0; k < VD_FIT_OUTPUTS; k++) {
      if (isnan(row->measured[k]) || !(row->weight > 0.0) || !(row->load > 0.0) || !vd_fit_takes(fit, r->stage, row, k))
        continue;
      has_value = true;
      if (!taken)
        continue;
      measured[values] = row->measured[k];
      weight[values] = row->weight;
      r->group[values] = k;
      r->aligning |= k == VD_FIT_MZ;
      r->at[values++] = r->rows * VD_FIT_OUTPUTS + k;
    }
    found += has_value;
    if (has_value && taken)
      r->row[r->rows++] = row;
  }
  r->output = vd_arena_alloc(arena, (r->rows + 1) * VD_FIT_OUTPUTS * sizeof *r->output);
  r->search.problem = (vd_ls_problem){.rows = values,
                                      .groups = VD_FIT_OUTPUTS,
                                      .measured = measured,
                                      .weight = weight,
                                      .group = r->group,
                                      .emphasis = fit->def.fit.emphasis,
                                      .loss = (enum vd_loss)fit->def.fit.loss,
                                      .iterations = fit->def.fit.iterations};
}

static void *thin(void *context, size_t rows, vd_arena *arena, vd_ls_problem *problem) {
  const stage_run *r = context;
  stage_run *part = vd_arena_alloc(arena, sizeof *part);
  *part = *r;
  choose_rows(part, r->rows / rows + 1, arena);
  *problem = part->search.problem;
  return part;
}

/* ---- a stage ---- */

static bool report(const stage_run *r, const vd_ls_solution *s, vd_diag *d) {
  const char *name = vd_fit_stage_names[r->stage];
  vd_buf marked = {0};
  for (size_t k = 0; k < r->search.count; k++)
    if (s->marked[k])
      vd_buf_printf(&marked, "%s%s", marked.length > 0 ? ", " : "", r->all[r->search.at[k]].name);
  switch (s->status) {
  case VD_LS_SOLVED: break;
  case VD_LS_SLOW:
    vd_warning(d, r->place, "stage '%s' has not converged after %d iterations; the best figures so far are used", name,
               s->iterations);
    break;
  case VD_LS_NOT_FINITE: vd_error(d, r->place, "stage '%s': the tyre has no finite force at the start", name); break;
  case VD_LS_NO_EFFECT:
    vd_error(d, r->place,
             "stage '%s': at the start, its rows do not depend on %s, or not independently of the figures before", name,
             marked.text);
    break;
  case VD_LS_UNDETERMINED:
    vd_error(d, r->place, "stage '%s': its rows do not determine %s independently of each other%s", name, marked.text,
             s->iterations == 0 ? " and of the figures before" : "; fix some of them with 'fixed'");
    break;
  }
  vd_buf_finish(&marked);
  return s->status == VD_LS_SOLVED || s->status == VD_LS_SLOW;
}

/* Returns the radical inverse of i in a base: a number of Halton's sequence, which is evenly distributed in 0..1. */
static double spread(unsigned i, unsigned base) {
  double value = 0.0, digit = 1.0;
  for (; i > 0; i /= base) {
    digit /= base;
    value += digit * (i % base);
  }
  return value;
}

/* Sets a start after the first one, which is the tyre's own. The second start has the usual values of the groups; the
 * others have values around these, at factors of 0.4 to 2.5 or, where the usual value is 0, at distances of up to two
 * sizes. */
static void start_at(void *context, int start, double *x) {
  static const unsigned prime[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
  const stage_run *r = context;
  for (size_t k = 0; k < r->count; k++) {
    const searched *s = &r->all[k];
    if (isnan(s->usual))
      continue;
    double far = start == 1 ? 0.0 : 2.0 * spread((unsigned)start + (unsigned)k, prime[k % VD_COUNT(prime)]) - 1.0;
    double near = s->usual != 0.0 ? s->usual * vd_exp(0.9 * far) : 2.0 * s->x.size * far;
    x[k] = vd_min(vd_max(near, s->x.low), s->x.high);
  }
}

/* The sum of squares of tyre curves has several minima. Therefore two rounds determine the start of the search: a few
 * iterations from all starts with a part of the rows, then a few from the best starts with more rows. */
static const vd_fit_model model = {
    .values = model_values, .start = start_at, .thin = thin, .leave_out = leave_out, .prunes = true, .spare = 1};
static const vd_fit_round all_starts = {.rows = 160, .iterations = 20, .best = INT_MAX},
                          best_starts = {.rows = 800, .iterations = 20, .best = 3};

static bool solve_stage(stage_run *r, vd_diag *d, vd_ls_solution *s) {
  size_t named = 0;
  for (size_t k = 0; k < r->count; k++) {
    named += r->all[k].named ? 1 : 0;
    r->parameter[k] = (vd_fit_parameter){.x = r->all[k].x, .needed = r->all[k].named};
  }
  size_t rows = r->search.problem.rows;
  r->search.parameters = r->count;
  if (!(rows > named) || !vd_fit_search_run(&r->search, s)) {
    vd_error(d, r->place, "stage '%s' has %zu values for %zu figures; it needs more rows or fewer figures",
             vd_fit_stage_names[r->stage], rows, rows > named ? r->search.count : named);
    return false;
  }
  if (!report(r, s, d))
    return false;
  double x[SEARCHED] = {0.0};
  for (size_t k = 0; k < r->search.count; k++)
    x[r->search.at[k]] = s->parameter[k];
  set_figures(r, x);
  return true;
}

/* Adds `scale` times the derivatives of a figure by the parameters x to `slope'; value = x (*times)/(*over). */
static void add_slopes(const stage_run *r, size_t k, double scale, double *slope) {
  const searched *s = &r->all[k];
  int times = index_of_value(r, s->times), over = index_of_value(r, s->over);
  slope[k] += scale * base_of(s);
  if (times >= 0 && !r->parameter[times].left_out)
    add_slopes(r, (size_t)times, scale * *s->value / *s->times, slope);
  if (over >= 0 && !r->parameter[over].left_out)
    add_slopes(r, (size_t)over, -scale * *s->value / *s->over, slope);
}

static double deviation_of(const stage_run *r, const vd_ls_solution *s, size_t k) {
  size_t n = r->search.count;
  const size_t *at = r->search.at;
  double slope[SEARCHED] = {0.0}, variance = 0.0;
  add_slopes(r, at[k], 1.0, slope);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      variance +=
          slope[at[i]] != 0.0 && slope[at[j]] != 0.0 ? slope[at[i]] * slope[at[j]] * s->covariance[i * n + j] : 0.0;
  return s->at_bound[k] ? NAN : sqrt(variance);
}

static void keep(const stage_run *r, const vd_ls_solution *s, vd_fit_result *out, vd_diag *d) {
  vd_buf bounded = {0};
  for (size_t k = 0; k < r->search.count; k++) {
    const searched *a = &r->all[r->search.at[k]];
    vd_tyre_figure figure;
    double base = base_of(a);
    vd_figures_find(r->tyre, a->name, &figure);
    size_t at = place_of(out, a->name);
    double first = at < out->coefficients ? out->coefficient[at].start : a->begin;
    out->coefficient[at] = (vd_fit_coefficient){.name = a->name,
                                                .unit = figure.unit,
                                                .stage = vd_fit_stage_names[r->stage],
                                                .start = first,
                                                .value = *a->value,
                                                .low = a->x.low * base,
                                                .high = a->x.high * base,
                                                .deviation = deviation_of(r, s, k),
                                                .freedom = s->freedom,
                                                .note = s->at_bound[k] ? vd_fit_at_bound : ""};
    out->coefficients = at < out->coefficients ? out->coefficients : at + 1;
    if (s->at_bound[k])
      vd_buf_printf(&bounded, "%s%s = %.6g", bounded.length > 0 ? ", " : "", a->name, *a->value);
  }
  if (bounded.length > 0)
    vd_warning(d, r->place, "stage '%s' ends at bounds: %s", vd_fit_stage_names[r->stage], bounded.text);
  vd_buf_finish(&bounded);
}

static void keep_rows(const stage_run *r, const vd_ls_solution *s, const vd_fit_result *out, vd_fit_stage *stage) {
  for (size_t i = 0; i < r->search.problem.rows; i++) {
    size_t row = (size_t)(r->row[r->at[i] / VD_FIT_OUTPUTS] - r->fit->row);
    out->row_weight[row * VD_FIT_OUTPUTS + r->group[i]] = s->row_weight[i];
  }
  for (int k = 0; k < VD_FIT_OUTPUTS; k++)
    stage->output[k].scatter = s->scatter[k];
}

static bool run_stage(stage_run *r, const vd_fit_stage_def *def, vd_arena *arena, vd_diag *d, vd_fit_result *out) {
  vd_ls_solution s;
  choose_figures(r, def, out);
  bool good = solve_stage(r, d, &s);
  if (good) {
    vd_fit_stage *stage = &out->stage[out->stages++];
    const vd_buf *left_out = &r->left_out;
    *stage = (vd_fit_stage){.stage = r->stage,
                            .rows = r->rows,
                            .coefficients = r->search.count,
                            .iterations = s.iterations,
                            .left_out = vd_arena_copy(arena, left_out->text ? left_out->text : "", left_out->length)};
    keep_rows(r, &s, out, stage);
    keep(r, &s, out, d);
  }
  vd_buf_finish(&r->left_out);
  return good;
}

/* ---- all stages ---- */

static void find_quality(const vd_tyre_fit *fit, const vd_fit_result *r, vd_fit_stage *stage) {
  for (unsigned k = 0; k < VD_FIT_OUTPUTS; k++) {
    vd_fit_quality *q = &stage->output[k];
    double squares = 0.0;
    for (size_t i = 0; i < fit->rows; i++) {
      double measured = fit->row[i].measured[k], residual = r->value[i * VD_FIT_OUTPUTS + k] - measured;
      if (isnan(residual) || !vd_fit_takes(fit, stage->stage, &fit->row[i], k))
        continue;
      if (!(fit->row[i].weight > 0.0)) {
        q->checked++;
        q->deviation = vd_max(q->deviation, fabs(residual));
        continue;
      }
      q->rows++;
      squares += residual * residual;
      q->largest = vd_max(q->largest, fabs(residual));
      q->peak = vd_max(q->peak, fabs(measured));
    }
    q->rms = q->rows > 0 ? sqrt(squares / (double)q->rows) : NAN;
  }
}

static void evaluate_all(const vd_tyre_fit *fit, vd_arena *arena, vd_fit_result *out) {
  const vd_tyre_fit_row **row = vd_arena_alloc(arena, (fit->rows + 1) * sizeof *row);
  for (size_t i = 0; i < fit->rows; i++)
    row[i] = &fit->row[i];
  vd_fit_evaluate(&fit->def.rig, &out->tyre.def, row, fit->rows, true, out->value);
  for (size_t i = 0; i < out->stages; i++)
    find_quality(fit, out, &out->stage[i]);
}

/* Sets the name and the source of the fitted tyre. */
static void sign(const vd_tyre_fit *fit, vd_arena *arena, vd_tyre_def *tyre) {
  tyre->source = vd_arena_printf(arena, "fit of vdsim-run to %zu measured rows%s%s", fit->rows,
                                 *tyre->name ? ", from the start " : "", tyre->name);
  tyre->name = *fit->def.rig.title ? fit->def.rig.title : "fitted";
}

static void keep_properties(vd_arena *arena, vd_fit_result *out) {
  vd_buf text = {0};
  if (vd_tyre_write_tir(&out->tyre.def, &text))
    out->properties = vd_arena_copy(arena, text.text, text.length);
  else
    out->tables &= ~VD_WHEN(VD_FIT_PROPERTIES);
  vd_buf_finish(&text);
}

static bool solve(const vd_fit *of, const vd_fit_options *options, vd_arena *arena, vd_diag *d, vd_fit_result *out) {
  const vd_tyre_fit *fit = &of->as.tyre;
  const vd_tyre_fit_settings *says = &fit->def.fit;
  bool given = says->stages.count > 0, good = true;
  size_t stages = given ? says->stages.count : VD_FIT_ALL, values = (fit->rows + 1) * VD_FIT_OUTPUTS;
  out->rows = fit->rows;
  out->confidence = says->confidence;
  out->stage = vd_arena_alloc(arena, stages * sizeof *out->stage);
  out->coefficient = vd_arena_alloc(arena, SEARCHED * stages * sizeof *out->coefficient);
  out->value = vd_arena_alloc(arena, values * sizeof *out->value);
  out->row_weight = vd_arena_alloc(arena, values * sizeof *out->row_weight);
  for (size_t i = 0; i < values; i++)
    out->row_weight[i] = 1.0;
  vd_figures_init(&fit->def.rig.tyre, arena, &out->tyre);
  stage_run *r = vd_arena_alloc(arena, sizeof *r);
  for (size_t i = 0; i < stages && good; i++) {
    const vd_fit_stage_def automatic = {.stage = (int)i};
    const vd_fit_stage_def *stage = given ? (const vd_fit_stage_def *)says->stages.item + i : &automatic;
    const char *path = given ? vd_arena_printf(arena, "fit.stages.%zu", i) : "fit";
    *r = (stage_run){.fit = fit, .tyre = &out->tyre, .stage = stage->stage, .place = vd_tree_place(fit->root, path)};
    r->search = (vd_fit_search){.model = &model,
                                .context = r,
                                .parameter = r->parameter,
                                .starts = says->starts,
                                .round = {all_starts, best_starts},
                                .arena = arena,
                                .progress = &options->progress,
                                .from = (double)i / (double)stages,
                                .to = (double)(i + 1) / (double)stages,
                                .pace = 0.03};
    choose_rows(r, 1, arena);
    if (r->search.problem.rows > 0 || given)
      good = run_stage(r, stage, arena, d, out);
  }
  if (good && out->stages == 0) {
    vd_error(d, vd_tree_place(fit->root, "fit"), "no row belongs to any stage");
    good = false;
  }
  if (good) {
    evaluate_all(fit, arena, out);
    vd_figures_finish(&out->tyre, arena);
    sign(fit, arena, &out->tyre.def);
    keep_properties(arena, out);
  }
  return good;
}

const vd_fit_functions vd_tyre_fit_functions = {.estimates = true,
                                                .read = vd_tyre_fit_read,
                                                .solve = solve,
                                                .write = {[VD_FIT_ROWS] = vd_tyre_fit_write_rows,
                                                          [VD_FIT_FIGURES] = vd_fit_write_figures,
                                                          [VD_FIT_CURVES] = vd_tyre_fit_write_curves,
                                                          [VD_FIT_TYRE] = vd_tyre_fit_write_tyre,
                                                          [VD_FIT_PROPERTIES] = vd_tyre_fit_write_properties},
                                                .metrics = vd_tyre_fit_metrics,
                                                .remark = vd_tyre_fit_remark};
