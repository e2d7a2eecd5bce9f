/* Optimisations: find numbers of a scenario for which metrics of its runs reach goals. */
#include "study/fit_impl.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The ends of searches from several starts are compared by a sum: the aim, as a share of its value at the start, plus
 * this weight times the misses, as shares of their limits. */
static const double weight_of_misses = 1e3;

typedef struct optimising {
  const vd_run_fit *fit;
  vd_run_points points;
  vd_diag *d;
  vd_arena *arena;
  vd_sqp_value wanted[VD_SQP_VALUES]; /* limits and scales of all targets, without an aim */
  size_t aim[2], aims;                /* targets that have an aim */
  double scale[2];                    /* magnitude of each aim at the start */
  /* [starts][frees]: the starts that have values, as shares of the ranges */
  double *start;
  size_t starts;
  const vd_fit_progress *progress;
  size_t batches, done, searches; /* numbers of batches in the present search, of searches done, and of all searches */
} optimising;

/* --- shares of the ranges --- */

static double range_of(const vd_run_free *f) {
  return vd_run_to_search(f, f->high) - vd_run_to_search(f, f->low);
}

static void figures_at(const vd_run_fit *fit, const double *u, double *figure) {
  for (size_t k = 0; k < fit->frees; k++) {
    const vd_run_free *f = &fit->free[k];
    double low = vd_run_to_search(f, f->low), high = vd_run_to_search(f, f->high);
    /* the ends are exact: a value beyond a bound may be refused */
    figure[k] = u[k] <= 0.0 ? f->low : u[k] >= 1.0 ? f->high : vd_run_from_search(f, (1.0 - u[k]) * low + u[k] * high);
  }
}

/* Returns the derivative of a figure by its share of the range. */
static double stretch(const vd_run_free *f, double figure) {
  return f->def->logarithm ? figure * range_of(f) : range_of(f);
}

static void many(void *context, size_t count, const double *x, double *value) {
  optimising *o = context;
  size_t n = o->fit->frees;
  double *figure = vd_allocate(count * n, sizeof *figure);
  for (size_t i = 0; i < count; i++)
    figures_at(o->fit, x + i * n, figure + i * n);
  vd_run_points_values(&o->points, count, figure, value);
  free(figure);
  o->batches++;
  if (o->progress->show)
    o->progress->show(o->progress->context,
                      ((double)o->done + 1.0 - 1.0 / (1.0 + 0.2 * (double)o->batches)) / (double)o->searches);
}

/* --- the start --- */

static double sign_of(const vd_run_goal *g) {
  return g->aim == VD_AIM_MOST ? -1.0 : 1.0;
}

static void read_goals(optimising *o) {
  const vd_run_fit *f = o->fit;
  for (size_t t = 0; t < f->targets; t++) {
    const vd_run_goal *g = &f->goal[t];
    o->wanted[t] = (vd_sqp_value){.low = g->low, .high = g->high, .scale = 1e3 * g->tolerance};
    if (g->aim != VD_AIM_NONE)
      o->aim[o->aims++] = t;
  }
}

static size_t points_of(const optimising *o) {
  return o->aims == 2 ? (size_t)o->fit->def.fit.points : 1;
}

static bool has_values(const vd_run_fit *f, const double *value) {
  bool has = true;
  for (size_t t = 0; t < f->targets; t++)
    has = has && isfinite(value[t]);
  return has;
}

/* Runs all starts, and keeps the starts that have values. False after an error: no start has values. */
static bool find_starts(optimising *o) {
  const vd_run_fit *f = o->fit;
  size_t n = f->frees, count = (size_t)f->def.fit.starts.count;
  double *x = o->start = vd_arena_alloc(o->arena, count * n * sizeof *x);
  double *value = vd_arena_alloc(o->arena, count * f->targets * sizeof *value);
  vd_run_starts starts = {.walk = NULL};
  for (size_t k = 0; k < n; k++)
    x[k] = (vd_run_to_search(&f->free[k], f->free[k].start) - vd_run_to_search(&f->free[k], f->free[k].low)) /
           range_of(&f->free[k]);
  if (count > 1)
    vd_run_starts_begin(f, o->arena, &starts);
  for (size_t i = 1; i < count; i++)
    memcpy(x + i * n, vd_design_numbers(starts.walk, i - 1), n * sizeof *x);
  vd_design_finish(starts.walk);
  o->searches = 1;
  many(o, count, x, value);
  for (size_t i = 0; i < count; i++) {
    const double *of = value + i * f->targets;
    if (!has_values(f, of))
      continue;
    for (size_t a = 0; a < o->aims && o->starts == 0; a++)
      o->scale[a] = of[o->aim[a]] != 0.0 ? fabs(of[o->aim[a]]) : 1.0;
    memmove(x + o->starts++ * n, x + i * n, n * sizeof *x);
  }
  if (o->starts == 0)
    vd_error(o->d, vd_tree_place(f->root, "optimise"), "there is no run at the start: %s", o->points.why);
  o->searches = points_of(o) + (o->starts - 1) * (o->aims == 2 ? 2 : 1);
  return o->starts > 0;
}

/* --- points --- */

/* Optimises one aim from x; aim SIZE_MAX: only meets all limits. limit: limit of the other aim, with the scale `span';
 * NAN: no limit. */
static void find_point(optimising *o, size_t aim, double limit, double span, const double *x, vd_optimum *out) {
  const vd_run_fit *f = o->fit;
  vd_sqp_value wanted[VD_SQP_VALUES];
  memcpy(wanted, o->wanted, sizeof wanted);
  bool has = aim != SIZE_MAX;
  double weight = has ? sign_of(&f->goal[o->aim[aim]]) / o->scale[aim] : 1.0;
  if (has)
    wanted[o->aim[aim]].weight = weight;
  if (!isnan(limit)) {
    vd_sqp_value *other = &wanted[o->aim[1 - aim]];
    *(f->goal[o->aim[1 - aim]].aim == VD_AIM_LEAST ? &other->high : &other->low) = limit;
    other->scale = span;
  }
  *out = (vd_optimum){.figure = vd_arena_alloc(o->arena, f->frees * sizeof *out->figure),
                      .price = vd_arena_alloc(o->arena, f->targets * sizeof *out->price),
                      .bound_price = vd_arena_alloc(o->arena, f->frees * sizeof *out->bound_price),
                      .target = has ? o->aim[aim] : SIZE_MAX};
  o->batches = 0;
  vd_sqp_solve(&(vd_sqp_problem){.parameters = f->frees,
                                 .values = f->targets,
                                 .value = wanted,
                                 .start = x,
                                 .settled = f->def.fit.settled,
                                 .iterations = f->def.fit.iterations,
                                 .many = many,
                                 .context = o},
               &out->solution);
  o->done++;
  figures_at(f, out->solution.x, out->figure);
  for (size_t t = 0; t < f->targets; t++)
    out->price[t] = has ? out->solution.price[t] / weight + 0.0 : 0.0;
  for (size_t k = 0; k < f->frees; k++)
    out->bound_price[k] =
        has ? out->solution.bound_price[k] / weight / stretch(&f->free[k], out->figure[k]) + 0.0 : 0.0;
}

/* Finds the best result of the searches from all starts; among equal results, the first one. */
static void find_best(optimising *o, size_t aim, vd_optimum *out) {
  double least = INFINITY;
  for (size_t i = 0; i < o->starts; i++) {
    vd_optimum end;
    find_point(o, aim, NAN, 1.0, o->start + i * o->fit->frees, &end);
    double merit = end.solution.objective + weight_of_misses * end.solution.violation;
    if (i == 0 || merit < least) {
      least = merit;
      *out = end;
    }
  }
}

/* Returns the point of the front that is nearest to the best values of both aims, each scaled by its range along the
 * front. */
static size_t choose(const optimising *o, const vd_optimum *all, size_t count) {
  size_t chosen = 0;
  double least = INFINITY;
  for (size_t i = 0; i < count && count > 1; i++) {
    double square = 0.0;
    for (size_t a = 0; a < 2; a++) {
      double best = all[a == 0 ? 0 : count - 1].solution.value[o->aim[a]];
      double worst = all[a == 0 ? count - 1 : 0].solution.value[o->aim[a]];
      double share = (all[i].solution.value[o->aim[a]] - best) / (worst - best);
      square += share * share;
    }
    if (square < least) {
      least = square;
      chosen = i;
    }
  }
  return chosen;
}

/* Finds the Pareto front. Each aim is optimised alone. Between these two points the first aim is optimised with evenly
 * spaced limits of the second aim. */
static size_t find_front(optimising *o, vd_optimum *all) {
  size_t count = points_of(o), other = o->aim[1];
  vd_optimum *last = &all[count - 1];
  find_best(o, 0, &all[0]);
  find_best(o, 1, last);
  double from = all[0].solution.value[other], to = last->solution.value[other];
  if (!(fabs(to - from) > 1e-6 * (fabs(from) + fabs(to)))) /* one point is best for both aims */
    return 1;
  for (size_t i = 1; i + 1 < count; i++) {
    double share = (double)i / (double)(count - 1);
    find_point(o, 0, (1.0 - share) * from + share * to, fabs(to - from), all[i - 1].solution.x, &all[i]);
  }
  return count;
}

/* --- the result --- */

static void keep(const optimising *o, vd_fit_result *r) {
  const vd_run_fit *f = o->fit;
  const vd_optimum *at = &r->optimum[r->chosen];
  r->rows = r->optima;
  r->runs = o->points.runs;
  r->coefficients = f->frees;
  r->coefficient = vd_arena_alloc(o->arena, f->frees * sizeof *r->coefficient);
  r->value = vd_arena_alloc(o->arena, f->targets * sizeof *r->value);
  memcpy(r->value, at->solution.value, f->targets * sizeof *r->value);
  for (size_t i = 0; i < f->frees; i++)
    r->coefficient[i] = (vd_fit_coefficient){.name = f->free[i].name,
                                             .unit = f->free[i].unit,
                                             .stage = "",
                                             .start = f->free[i].start,
                                             .value = at->figure[i],
                                             .low = f->free[i].low,
                                             .high = f->free[i].high,
                                             .deviation = NAN,
                                             .note = ""};
  for (size_t i = 0; i < r->optima; i++)
    r->iterations += r->optimum[i].solution.iterations;
}

/* Warns of goals that are missed, and of points that have not converged. */
static void warn(const optimising *o, vd_fit_result *r) {
  const vd_run_fit *f = o->fit;
  size_t slow = 0, blocked = 0;
  for (size_t i = 0; i < r->optima; i++) {
    slow += r->optimum[i].solution.status == VD_SQP_SLOW;
    blocked += r->optimum[i].solution.status == VD_SQP_BLOCKED;
  }
  if (slow > 0)
    vd_warning(o->d, vd_tree_place(f->root, "optimise"),
               "%zu of %zu points have not settled after %d iterations; the best values so far are used", slow,
               r->optima, f->def.fit.iterations);
  if (blocked > 0)
    vd_warning(
        o->d, vd_tree_place(f->root, "optimise"),
        "at %zu of %zu points no step gives the change that differences predict: a metric jumps, bends sharply or ends "
        "there%s%s",
        blocked, r->optima, *o->points.why ? ": " : "", o->points.why);
  for (size_t t = 0; t < f->targets; t++) {
    double miss = 0.0;
    for (size_t i = 0; i < r->optima; i++)
      miss = vd_max(miss, vd_optimise_miss(&f->goal[t], r->optimum[i].solution.value[t]));
    if (!(miss > f->goal[t].tolerance))
      continue;
    r->missed++;
    vd_warning(o->d, vd_tree_place(f->root, vd_tree_item_path(f->root, "optimise.runs", f->target[t].data, f->arena)),
               "'%s' cannot be met; where all goals together are missed least, it is missed by %.4g %s: %.6g",
               f->target[t].name, miss, f->target[t].unit, r->value[t]);
  }
}

static bool solve(const vd_fit *of, const vd_fit_options *options, vd_arena *arena, vd_diag *d, vd_fit_result *out) {
  const vd_run_fit *fit = &of->as.runs;
  optimising *o = vd_arena_alloc(arena, sizeof *o);
  *o = (optimising){.fit = fit, .d = d, .arena = arena, .progress = &options->progress};
  o->points = (vd_run_points){fit, options, vd_run_model_start(fit), 0, ""};
  read_goals(o);
  bool good = find_starts(o);
  if (good) {
    out->optimum = vd_arena_alloc(arena, points_of(o) * sizeof *out->optimum);
    out->optima = o->aims == 2 ? find_front(o, out->optimum) : 1;
    if (o->aims < 2)
      find_best(o, o->aims == 1 ? 0 : SIZE_MAX, out->optimum);
    out->chosen = choose(o, out->optimum, out->optima);
    keep(o, out);
    warn(o, out);
  }
  vd_run_model_finish(o->points.model);
  return good;
}

const vd_fit_functions vd_optimise_functions = {.read = vd_optimise_read,
                                                .solve = solve,
                                                .write = {[VD_FIT_ROWS] = vd_optimise_write_points,
                                                          [VD_FIT_FIGURES] = vd_optimise_write_figures,
                                                          [VD_FIT_SETTINGS] = vd_run_fit_write_settings},
                                                .metrics = vd_optimise_metrics,
                                                .remark = vd_optimise_remark};
