/* The solution of a fit of runs: its parameters and values, and its results. */
#include "study/fit_impl.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Step for derivatives by differences, as a share of a figure's range (of its `size` if it has no range), and the
 * singular value of the Jacobian below which figures count as undetermined. Values of a run have errors as large as the
 * tolerance of its integration, and jump where the integration chooses another step. At this difference the effects of
 * these errors and of curvature are both small. */
static const double run_difference = 1e-3, run_singular = 1e-4;
/* Relative change of scatters at which they count as settled, far below their statistical uncertainty. */
static const double run_settled = 1e-3;
enum { PATIENCE = 1, EXPLORED = 10 /* iterations from each start */, GROUPS = 2 };

/* Groups of the least squares: targets with known scatter (KNOWN), figures that share a scatter (FIGURES), then one
 * group for each column. */
enum { KNOWN, FIGURES };

typedef struct solving {
  const vd_run_fit *fit;
  vd_diag *d;
  vd_run_points points;
  /* number of values of the fit, plus one for each figure with a 'deviation': its start counts as a measured value */
  size_t values;
  double *measured, *weight, *scale; /* [values]; scale: factor on the model's value before it is compared */
  size_t *group;
  vd_fit_search search;
  vd_run_starts starts;
} solving;

/* --- what is searched --- */

static vd_fit_parameter parameter_of(const vd_run_free *f) {
  bool logarithm = f->def->logarithm;
  vd_ls_parameter x = {.start = vd_run_to_search(f, f->start), .low = f->low, .high = f->high, .size = f->size};
  if (logarithm) {
    x.low = f->low > 0.0 ? vd_log(f->low) : -INFINITY;
    x.high = isfinite(f->high) ? vd_log(f->high) : INFINITY;
    x.size = f->size / f->start;
  }
  return (vd_fit_parameter){.x = x, .before = x.start};
}

static void values(void *context, size_t count, const double *x, double *value) {
  solving *s = context;
  const vd_run_fit *f = s->fit;
  double *figure = vd_allocate(count * f->frees + 1, sizeof *figure);
  double *run = vd_allocate(count * f->values + 1, sizeof *run);
  for (size_t i = 0; i < count * f->frees; i++)
    figure[i] = vd_run_from_search(&f->free[i % f->frees], x[i]);
  vd_run_points_values(&s->points, count, figure, run);
  for (size_t i = 0; i < count; i++) {
    double *of = value + i * s->values;
    size_t prior = f->values;
    memcpy(of, run + i * f->values, f->values * sizeof *of);
    for (size_t k = 0; k < f->frees; k++)
      if (!isnan(f->free[k].def->deviation))
        of[prior++] = isnan(of[0]) ? NAN : x[i * f->frees + k];
    for (size_t k = 0; k < s->values; k++)
      of[k] *= s->scale[k];
  }
  free(figure);
  free(run);
}

static void start_at(void *context, int i, double *x) {
  const solving *s = context;
  const double *u = vd_design_numbers(s->starts.walk, (size_t)i - 1);
  for (size_t k = 0; k < s->search.parameters; k++)
    x[k] = (1.0 - u[k]) * s->search.parameter[k].x.low + u[k] * s->search.parameter[k].x.high;
}

/* --- the problem --- */

/* Sets the scale in which the values of a target are compared: the scatter if it is known; the value itself for
 * figures, which share a scatter; otherwise 1. */
static void set_target(solving *s, vd_run_target *t, size_t *groups) {
  const vd_run_fit *f = s->fit;
  bool known = !isnan(t->scatter);
  t->group = known ? KNOWN : t->column == 0 ? FIGURES : (*groups)++;
  for (size_t i = t->first; i < t->first + t->rows; i++) {
    s->scale[i] = known ? 1.0 / t->scatter : t->column == 0 ? 1.0 / fabs(f->measured[i]) : 1.0;
    s->measured[i] = f->measured[i] * s->scale[i];
    s->weight[i] = f->weight[i];
    s->group[i] = t->group;
  }
}

static vd_ls_problem make_problem(solving *s, vd_arena *arena) {
  const vd_run_fit *f = s->fit;
  size_t n = f->frees, groups = GROUPS;
  s->values = f->values;
  for (size_t k = 0; k < n; k++)
    s->values += isnan(f->free[k].def->deviation) ? 0 : 1;
  s->measured = vd_arena_alloc(arena, 3 * s->values * sizeof *s->measured);
  s->weight = s->measured + s->values;
  s->scale = s->weight + s->values;
  s->group = vd_arena_alloc(arena, s->values * sizeof *s->group);
  for (size_t t = 0; t < f->targets; t++)
    set_target(s, &f->target[t], &groups);
  size_t prior = f->values;
  for (size_t k = 0; k < n; k++) {
    const vd_run_free *free = &f->free[k];
    s->search.parameter[k] = parameter_of(free);
    if (isnan(free->def->deviation))
      continue;
    s->scale[prior] = 1.0 / free->def->deviation;
    s->measured[prior] = vd_run_to_search(free, free->start) * s->scale[prior];
    s->weight[prior] = 1.0;
    s->group[prior++] = KNOWN;
  }
  bool *known = vd_arena_alloc(arena, groups * sizeof *known);
  double *emphasis = vd_arena_alloc(arena, groups * sizeof *emphasis);
  for (size_t g = 0; g < groups; g++)
    emphasis[g] = 1.0;
  known[KNOWN] = true;
  return (vd_ls_problem){.rows = s->values,
                         .groups = groups,
                         .measured = s->measured,
                         .weight = s->weight,
                         .group = s->group,
                         .emphasis = emphasis,
                         .known = known,
                         .loss = (enum vd_loss)f->def.fit.loss,
                         .iterations = f->def.fit.iterations,
                         .difference = run_difference,
                         .singular = run_singular,
                         .settled = run_settled,
                         .patience = PATIENCE};
}

static const vd_fit_model model = {.values = values, .start = start_at, .at_once = true};

static void make_search(solving *s, vd_arena *arena) {
  const vd_run_fit_settings *fit = &s->fit->def.fit;
  int most = fit->iterations < EXPLORED ? fit->iterations : EXPLORED;
  s->search = (vd_fit_search){.model = &model,
                              .context = s,
                              .parameter = vd_arena_alloc(arena, s->fit->frees * sizeof *s->search.parameter),
                              .parameters = s->fit->frees,
                              .starts = fit->starts.count,
                              .round = {{.iterations = most, .best = INT_MAX}},
                              .arena = arena,
                              .progress = &s->points.options->progress,
                              .to = vd_run_fit_first_share(s->fit),
                              .pace = 0.1};
  s->search.problem = make_problem(s, arena);
  if (fit->starts.count > 1)
    vd_run_starts_begin(s->fit, arena, &s->starts);
}

/* --- the solution --- */

static const char not_determined[] = "held at its start: the data do not determine it";
static const char together[] = "determined only together with the other figures that have this note";
static const char no_freedom[] = "no interval: there are as many figures as values";

static bool check_solution(const solving *s, const vd_ls_solution *out) {
  vd_place place = vd_tree_place(s->fit->root, "fit");
  if (s->search.count == 0)
    vd_error(s->d, place, "at their starts, none of the figures changes the values that are compared with the data");
  else if (!vd_fit_search_enough(&s->search))
    vd_error(s->d, place,
             "there are %zu values for %zu figures; the fit needs more data, fewer figures, or a 'deviation' for "
             "some figures",
             s->values, s->search.count);
  else if (out->status == VD_LS_NOT_FINITE)
    vd_error(s->d, place, "no run can be compared with the data %s: %s",
             out->iterations == 0 ? "at the start" : "near the result", s->points.why);
  else
    return true;
  return false;
}

/* --- the results --- */

static void keep_figures(const solving *s, const vd_ls_solution *out, vd_fit_result *result) {
  const vd_run_fit *f = s->fit;
  const size_t *at = s->search.at, n = f->frees, count = s->search.count;
  bool estimated = false, singular = out->status == VD_LS_UNDETERMINED;
  for (size_t i = 0; i < s->values; i++)
    estimated |= s->group[i] != KNOWN && s->weight[i] > 0.0;
  bool spread = !singular && (!estimated || out->freedom > 0.0);
  for (size_t k = 0; k < count; k++) {
    const vd_run_free *free = &f->free[at[k]];
    vd_fit_coefficient *c = &result->coefficient[at[k]];
    double variance = out->covariance[k * count + k];
    c->value = vd_run_from_search(free, out->parameter[k]);
    c->note = out->at_bound[k]             ? vd_fit_at_bound
              : singular && out->marked[k] ? together
              : !spread                    ? (singular ? "no interval: see the other notes" : no_freedom)
                                           : "";
    c->deviation = spread && !out->at_bound[k] ? sqrt(variance) : NAN;
    c->freedom = estimated ? out->freedom : INFINITY;
    for (size_t j = 0; j < count; j++)
      if (spread && !out->at_bound[k] && !out->at_bound[j])
        result->correlation[at[k] * n + at[j]] =
            out->covariance[k < j ? k * count + j : j * count + k] / sqrt(variance * out->covariance[j * count + j]);
  }
  for (size_t k = 0; k < n; k++)
    if (s->search.parameter[k].left_out) {
      result->coefficient[k].note = not_determined;
      result->undetermined++;
    }
}

static void keep_values(const solving *s, const vd_ls_solution *out, vd_fit_result *result) {
  const vd_run_fit *f = s->fit;
  double squares = 0.0, count = 0.0;
  for (size_t i = 0; i < f->values; i++) {
    result->value[i] = out->value[i] / s->scale[i];
    result->row_weight[i] = out->row_weight[i];
    if (s->group[i] == KNOWN && s->weight[i] > 0.0) {
      double u = s->weight[i] * (out->value[i] - s->measured[i]);
      squares += u * u;
      count += 1.0;
    }
  }
  result->misfit = count > 0.0 ? squares / count : NAN;
  for (size_t t = 0; t < f->targets; t++)
    result->scatter[t] = out->freedom > 0.0 || f->target[t].group == KNOWN
                             ? out->scatter[f->target[t].group] / s->scale[f->target[t].first]
                             : NAN;
}

static void warn(const solving *s, const vd_ls_solution *out, const vd_fit_result *result) {
  vd_place place = vd_tree_place(s->fit->root, "fit");
  if (out->status == VD_LS_SLOW)
    vd_warning(s->d, place, "the fit has not converged after %d iterations; the best figures so far are used",
               out->iterations);
  if (out->blocked)
    vd_warning(s->d, place,
               "the search ended beside figures for which a run fails%s%s: there may be a better result, and the "
               "intervals may be wrong, since they assume a minimum",
               *s->points.why ? ", " : "", s->points.why);
  for (size_t i = 0; i < s->fit->frees; i++)
    if (*result->coefficient[i].note)
      vd_warning(s->d, vd_tree_place(s->fit->root, vd_tree_item_path(s->fit->root, "fit.free", i, s->fit->arena)),
                 "'%s' = %.6g: %s", s->fit->free[i].name, result->coefficient[i].value, result->coefficient[i].note);
}

/* Warns of targets whose residuals are too large for their known scatter. The mean of n squares of (error/scatter) is
 * 1, with a standard deviation of sqrt(2/n). A target is missed if this mean is beyond the limit of the fit's
 * confidence. */
static void warn_of_missed_targets(const solving *s, vd_fit_result *r) {
  const vd_run_fit *f = s->fit;
  double most = vd_ls_quantile(r->confidence, INFINITY);
  for (size_t t = 0; t < f->targets; t++) {
    const vd_run_target *target = &f->target[t];
    double squares = 0.0, count = 0.0;
    for (size_t i = target->first; i < target->first + target->rows && target->group == KNOWN; i++)
      if (f->weight[i] > 0.0) {
        double u = (f->measured[i] - r->value[i]) / target->scatter;
        squares += u * u;
        count += 1.0;
      }
    if (!(squares > count + most * sqrt(2.0 * count)))
      continue;
    r->missed++;
    vd_place place = vd_tree_place(f->root, vd_tree_item_path(f->root, "fit.data", target->data, f->arena));
    if (target->rows == 1)
      vd_warning(s->d, place, "'%s' is missed by %.3g times its scatter: %.6g %s instead of %.6g", target->name,
                 sqrt(squares), r->value[target->first], target->unit, f->measured[target->first]);
    else
      vd_warning(s->d, place, "'%s' is missed: the root mean square of its residuals is %.3g times its scatter",
                 target->name, sqrt(squares / count));
  }
}

/* Sets the intervals in which the measured values of all rows are expected, whether fitted or not. With values
 * linearised in the figures, the variance of a value is g'C g + s^2: C is the covariance of the figures, g the
 * derivative of the value by the figures, s the scatter of the value itself. The change of a value in a run with one
 * figure changed by its standard deviation is the product of this deviation and an element of g. If residuals are too
 * great for known scatters, the model is wrong; both parts then grow by the misfit. */
static void keep_intervals(solving *s, vd_fit_result *r) {
  const vd_run_fit *f = s->fit;
  const size_t n = f->frees;
  double *figure = vd_allocate(n * n + 1, sizeof *figure), *run = vd_allocate(n * f->values + 1, sizeof *run);
  for (size_t k = 0; k < n; k++)
    for (size_t j = 0; j < n; j++) {
      const vd_fit_coefficient *c = &r->coefficient[j];
      double step = j != k || isnan(c->deviation) ? 0.0 : c->deviation;
      bool up = c->logarithm ? c->value * vd_exp(step) <= c->high : c->value + step <= c->high;
      step *= up ? 1.0 : -1.0;
      figure[k * n + j] = c->logarithm ? c->value * vd_exp(step) : c->value + step;
    }
  vd_run_points_values(&s->points, n, figure, run);
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < f->values; i++)
      run[k * f->values + i] =
          (run[k * f->values + i] - r->value[i]) * (figure[k * n + k] < r->coefficient[k].value ? -1.0 : 1.0);
  const double quantile = vd_ls_quantile(r->confidence, INFINITY), growth = r->misfit > 1.0 ? sqrt(r->misfit) : 1.0;
  for (size_t t = 0; t < f->targets; t++)
    for (size_t i = f->target[t].first; i < f->target[t].first + f->target[t].rows; i++) {
      double square = r->scatter[t] * r->scatter[t];
      for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < n; j++)
          if (!isnan(r->coefficient[k].deviation) && !isnan(r->coefficient[j].deviation))
            square += r->correlation[k * n + j] * run[k * f->values + i] * run[j * f->values + i];
      r->half[i] = quantile * growth * sqrt(square);
    }
  free(figure);
  free(run);
}

/* Reports rows that the last run does not reach. They are compared with the run's nearest value. timed: true checks
 * rows over time: an error, because no figure can make a run longer; false checks rows over a channel: a warning. */
static bool check_reach(solving *s, bool timed) {
  const vd_run_fit *f = s->fit;
  bool good = true;
  for (size_t k = 0; k < f->datas; k++) {
    const vd_run_record *record = vd_run_model_record(s->points.model, k);
    size_t count = 0;
    for (size_t i = 0; i < f->data[k].rows && f->data[k].timed == timed && f->data[k].from; i++) {
      bool beyond;
      vd_run_record_at(record, 0, f->data[k].x[i], &beyond);
      count += beyond;
    }
    vd_place place = vd_tree_place(f->root, vd_tree_item_path(f->root, "fit.data", k, f->arena));
    if (count > 0 && timed)
      vd_error(
          s->d, place,
          "%zu of %zu rows are beyond the end of the run; lengthen the run, or omit these rows with 'over: {to: %.6g}'",
          count, f->data[k].rows, record->rows > 0 ? vd_run_record_value(record, record->rows - 1, 0) : 0.0);
    else if (count > 0)
      vd_warning(s->d, place,
                 "the run does not reach %zu of %zu rows; they are compared with the nearest value of the run", count,
                 f->data[k].rows);
    good &= !(count > 0 && timed);
  }
  return good;
}

static bool run_here(solving *s, const double *figure, double *value) {
  bool good = true;
  for (size_t i = 0; i < s->fit->experiments && good; i++) {
    good = vd_run_model_values(s->points.model, i, figure, value, s->points.why, sizeof s->points.why);
    s->points.runs++;
  }
  if (!good)
    vd_error(s->d, vd_tree_place(s->fit->root, "fit"), "no run can be compared with the data: %s", s->points.why);
  return good;
}

static void make_result(const vd_run_fit *f, vd_arena *arena, vd_fit_result *out) {
  size_t n = f->frees;
  out->rows = f->values;
  out->confidence = f->def.fit.confidence;
  out->coefficients = n;
  out->coefficient = vd_arena_alloc(arena, n * sizeof *out->coefficient);
  out->correlation = vd_arena_alloc(arena, n * n * sizeof *out->correlation);
  out->value = vd_arena_alloc(arena, 4 * f->values * sizeof *out->value);
  out->start = out->value + f->values;
  out->row_weight = out->start + f->values;
  out->half = out->row_weight + f->values;
  out->scatter = vd_arena_alloc(arena, f->targets * sizeof *out->scatter);
  for (size_t i = 0; i < n * n; i++)
    out->correlation[i] = NAN;
  for (size_t i = 0; i < n; i++)
    out->coefficient[i] = (vd_fit_coefficient){.name = f->free[i].name,
                                               .unit = f->free[i].unit,
                                               .stage = vd_fit_stage_names[VD_FIT_ALL],
                                               .start = f->free[i].start,
                                               .value = f->free[i].start,
                                               .low = f->free[i].low,
                                               .high = f->free[i].high,
                                               .deviation = NAN,
                                               .logarithm = f->free[i].def->logarithm,
                                               .note = ""};
}

static bool solve(const vd_fit *of, const vd_fit_options *options, vd_arena *arena, vd_diag *d, vd_fit_result *out) {
  const vd_run_fit *fit = &of->as.runs;
  solving *s = vd_arena_alloc(arena, sizeof *s);
  double figure[VD_RUN_FIT_FREE];
  vd_ls_solution solution;
  *s = (solving){.fit = fit, .d = d, .points = {fit, options, vd_run_model_start(fit), 0, ""}};
  make_result(fit, arena, out);
  make_search(s, arena);
  for (size_t i = 0; i < fit->frees; i++)
    figure[i] = fit->free[i].start;
  bool good = run_here(s, figure, out->start) && check_reach(s, true);
  if (good) {
    vd_fit_search_run(&s->search, &solution);
    good = check_solution(s, &solution);
  }
  if (good) {
    keep_figures(s, &solution, out);
    keep_values(s, &solution, out);
    out->iterations = solution.iterations;
    out->freedom = solution.freedom;
    warn(s, &solution, out);
    for (size_t i = 0; i < fit->frees; i++)
      figure[i] = out->coefficient[i].value;
    good = run_here(s, figure, out->value) && check_reach(s, false);
    warn_of_missed_targets(s, out);
    if (good) {
      keep_intervals(s, out);
      vd_run_fit_again(fit, &s->search, &solution, s->weight, s->scale, out);
    }
  }
  out->runs = s->points.runs;
  vd_design_finish(s->starts.walk);
  vd_run_model_finish(s->points.model);
  return good;
}

const vd_fit_functions vd_run_fit_functions = {.estimates = true,
                                               .read = vd_run_fit_read,
                                               .solve = solve,
                                               .write = {[VD_FIT_ROWS] = vd_run_fit_write_rows,
                                                         [VD_FIT_FIGURES] = vd_fit_write_figures,
                                                         [VD_FIT_CURVES] = vd_run_fit_write_curves,
                                                         [VD_FIT_CORRELATIONS] = vd_run_fit_write_correlations,
                                                         [VD_FIT_SETTINGS] = vd_run_fit_write_settings,
                                                         [VD_FIT_PROFILE] = vd_run_fit_write_profile,
                                                         [VD_FIT_RESAMPLES] = vd_run_fit_write_resamples},
                                               .metrics = vd_run_fit_metrics,
                                               .remark = vd_run_fit_remark};
