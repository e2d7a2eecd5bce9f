#include "run/fit_impl.h"

#include "base/base.h"
#include "base/elementary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SEARCHED = 128 /* figures of a stage */ };

/* A figure that a stage searches: value = x times/over, where times and over may be searched, too. */
typedef struct searched {
  const char *name;
  double *value, *times, *over; /* times, over: NULL: 1 */
  int times_at, over_at;        /* their indices among the searched, before this one; -1 */
  vd_ls_parameter x;
  double begin; /* the tyre's own value */
  double usual; /* of x, by the group; NAN: there is none */
  bool named;   /* not from a group: it must not be left out */
} searched;

typedef struct stage_run {
  const vd_fit_def *def;
  vd_figures *tyre;
  int stage;
  searched all[SEARCHED];
  size_t count;
  const vd_fit_row **row; /* [rows] */
  size_t rows;
  bool aligning;  /* Mz is compared */
  size_t *at;     /* [values]: which of the rows' outputs is compared */
  double *output; /* [rows][VD_FIT_OUTPUTS] */
  vd_ls_problem problem;
  vd_place place;
  const vd_fit_progress *progress;
  double from, to; /* shares of the progress */
  int steps;
} stage_run;

/* ---- the model ---- */

static double base_of(const searched *s) {
  return (s->times ? *s->times : 1.0) / (s->over ? *s->over : 1.0);
}

static void set_figures(const stage_run *r, const double *x) {
  for (size_t k = 0; k < r->count; k++)
    *r->all[k].value = x[k] * base_of(&r->all[k]);
}

static void model(void *context, const double *x, double *value) {
  stage_run *r = context;
  set_figures(r, x);
  vd_fit_evaluate(&r->def->rig, &r->tyre->def, r->row, r->rows, r->aligning, r->output);
  for (size_t i = 0; i < r->problem.rows; i++)
    value[i] = r->output[r->at[i]];
}

/* How many iterations there will be is not known: the share approaches its end. */
static void step(void *context) {
  stage_run *r = context;
  r->steps++;
  if (r->progress && r->progress->show)
    r->progress->show(r->progress->context, r->to - (r->to - r->from) / (1.0 + 0.03 * r->steps));
}

/* ---- what is searched ---- */

static const vd_figure_row *group_row(const stage_run *r, const char *name) {
  size_t count;
  const vd_figure_row *row = vd_tyre_figure_rows((enum vd_tyre_model)r->tyre->def.model, &count), *found = NULL;
  for (size_t i = 0; i < count; i++)
    if (strcasecmp(row[i].name, name) == 0 && (!found || (int)row[i].stage == r->stage))
      found = &row[i];
  return found;
}

static int index_of(const stage_run *r, const char *name) {
  for (size_t k = 0; k < r->count; k++)
    if (name && strcasecmp(r->all[k].name, name) == 0)
      return (int)k;
  return -1;
}

static const vd_fit_bound_def *bound_of(const vd_fit_def *def, const char *name) {
  const vd_fit_bound_def *bound = def->fit.bounds.item;
  for (size_t i = 0; i < def->fit.bounds.count; i++)
    if (strcasecmp(bound[i].figure, name) == 0)
      return &bound[i];
  return NULL;
}

static double *value_called(stage_run *r, const char *name) {
  vd_tyre_figure figure;
  return name && vd_figures_find(r->tyre, name, &figure) ? figure.value : NULL;
}

/* Bounds of a figure that no group has: its range as an input, of which ends that are far off count as none. */
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
  const vd_fit_bound_def *bound = bound_of(r->def, name);
  if (index_of(r, name) >= 0 || r->count == SEARCHED || !vd_figures_find(r->tyre, name, &figure))
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

static bool was_found(const vd_fit_result *done, const char *name) {
  for (size_t i = 0; i < done->coefficients; i++)
    if (strcasecmp(done->coefficient[i].name, name) == 0)
      return true;
  return false;
}

/* What an earlier stage found is held, unless it is named. */
static void add_group(stage_run *r, int stage, const vd_names *fixed, const vd_fit_result *done, bool again) {
  size_t count;
  const vd_figure_row *row = vd_tyre_figure_rows((enum vd_tyre_model)r->tyre->def.model, &count);
  for (size_t i = 0; i < count; i++)
    if ((int)row[i].stage == stage && !is_listed(fixed, row[i].name) && (again || !was_found(done, row[i].name)))
      add_figure(r, row[i].name, false);
}

static int index_of_value(const stage_run *r, const double *value) {
  for (size_t k = 0; k < r->count; k++)
    if (value && r->all[k].value == value)
      return (int)k;
  return -1;
}

static void link_figures(stage_run *r) {
  for (size_t k = 0; k < r->count; k++) {
    r->all[k].times_at = index_of_value(r, r->all[k].times);
    r->all[k].over_at = index_of_value(r, r->all[k].over);
  }
}

/* Puts figures behind those that they are relative to, whatever the order in which they were named; references go in no
 * circle. */
static void order_figures(stage_run *r) {
  for (size_t k = 0; k < r->count;) {
    int times = index_of_value(r, r->all[k].times), over = index_of_value(r, r->all[k].over);
    int from = times > over ? times : over;
    if (from <= (int)k) {
      k++;
      continue;
    }
    searched moved = r->all[from];
    memmove(&r->all[k + 1], &r->all[k], ((size_t)from - k) * sizeof *r->all);
    r->all[k] = moved;
  }
  link_figures(r);
}

static void choose_figures(stage_run *r, const vd_fit_stage_def *def, const vd_fit_result *done) {
  if (def->free.count == 0)
    add_group(r, def->stage, &def->fixed, done, false);
  for (size_t i = 0; i < def->free.count; i++) {
    int group = -1;
    for (int k = 0; k < VD_FIT_ALL; k++)
      if (strcmp(def->free.name[i], vd_fit_stage_names[k]) == 0)
        group = k;
    if (group >= 0)
      add_group(r, group, &def->fixed, done, true);
    else if (!is_listed(&def->fixed, def->free.name[i]))
      add_figure(r, def->free.name[i], true);
  }
  order_figures(r);
}

static void leave_out(stage_run *r, size_t index, vd_buf *left_out) {
  vd_buf_printf(left_out, "%s%s", left_out->length > 0 ? ", " : "", r->all[index].name);
  *r->all[index].value = r->all[index].begin;
  memmove(&r->all[index], &r->all[index + 1], (r->count - index - 1) * sizeof *r->all);
  r->count--;
  link_figures(r);
}

/* ---- rows ---- */

static void choose_rows(stage_run *r, vd_arena *arena) {
  const vd_fit_def *def = r->def;
  r->row = vd_arena_alloc(arena, (def->rows + 1) * sizeof *r->row);
  size_t most = def->rows * VD_FIT_OUTPUTS + 1;
  double *measured = vd_arena_alloc(arena, most * sizeof *measured),
         *weight = vd_arena_alloc(arena, most * sizeof *weight);
  size_t *group = vd_arena_alloc(arena, most * sizeof *group), values = 0;
  r->at = vd_arena_alloc(arena, most * sizeof *r->at);
  for (size_t i = 0; i < def->rows; i++) {
    const vd_fit_row *row = &def->row[i];
    size_t before = values;
    for (unsigned k = 0; k < VD_FIT_OUTPUTS; k++) {
      if (isnan(row->measured[k]) || !(row->weight > 0.0) || !(row->load > 0.0) ||
          !vd_fit_takes(&def->fit, r->stage, row, k))
        continue;
      measured[values] = row->measured[k];
      weight[values] = row->weight;
      group[values] = k;
      r->aligning |= k == VD_FIT_MZ;
      r->at[values++] = r->rows * VD_FIT_OUTPUTS + k;
    }
    if (values > before)
      r->row[r->rows++] = row;
  }
  r->output = vd_arena_alloc(arena, (r->rows + 1) * VD_FIT_OUTPUTS * sizeof *r->output);
  r->problem = (vd_ls_problem){.rows = values,
                               .groups = VD_FIT_OUTPUTS,
                               .measured = measured,
                               .weight = weight,
                               .group = group,
                               .emphasis = def->fit.emphasis,
                               .loss = (enum vd_loss)def->fit.loss,
                               .iterations = def->fit.iterations,
                               .model = model,
                               .context = r,
                               .step = step};
}

/* ---- a stage ---- */

static void list_marked(const stage_run *r, const vd_ls_solution *s, vd_buf *out) {
  for (size_t k = 0; k < r->count; k++)
    if (s->marked[k])
      vd_buf_printf(out, "%s%s", out->length > 0 ? ", " : "", r->all[k].name);
}

/* Leaves out figures of groups that the rows do not determine: at the start all that are marked, at the end the last.
 * False: a figure that was named is among them. */
static bool reduce(stage_run *r, const vd_ls_solution *s, vd_buf *left_out) {
  bool start = s->iterations == 0;
  for (size_t k = 0; k < r->count && start; k++)
    if (s->marked[k] && r->all[k].named)
      return false;
  bool some = false;
  for (size_t k = r->count; k-- > 0 && (start || !some);)
    if (s->marked[k] && !r->all[k].named) {
      leave_out(r, k, left_out);
      some = true;
    }
  return some;
}

static bool report(const stage_run *r, const vd_ls_solution *s, vd_diag *d) {
  const char *name = vd_fit_stage_names[r->stage];
  vd_buf marked = {0};
  list_marked(r, s, &marked);
  switch (s->status) {
  case VD_LS_SOLVED: break;
  case VD_LS_SLOW:
    vd_warning(d, r->place, "stage '%s' has not converged after %d iterations; the best figures so far are taken", name,
               s->iterations);
    break;
  case VD_LS_NOT_FINITE: vd_error(d, r->place, "stage '%s': the tyre gives no finite force at the start", name); break;
  case VD_LS_NO_EFFECT:
    vd_error(d, r->place, "stage '%s': its rows do not depend on %s, at the start or apart from the figures before",
             name, marked.text);
    break;
  case VD_LS_UNDETERMINED:
    vd_error(d, r->place, "stage '%s': its rows do not determine %s apart from each other%s", name, marked.text,
             s->iterations == 0 ? " and from the figures before" : "; hold some of them with 'fixed'");
    break;
  }
  vd_buf_finish(&marked);
  return s->status == VD_LS_SOLVED || s->status == VD_LS_SLOW;
}

/* Radical inverse of i in a base: Halton's sequence, evenly spread in 0..1. */
static double spread(unsigned i, unsigned base) {
  double value = 0.0, digit = 1.0;
  for (; i > 0; i /= base) {
    digit /= base;
    value += digit * (i % base);
  }
  return value;
}

/* A start: 0 the tyre's own, 1 the usual values of the groups, then values around these, by a factor of 0.4 to 2.5 or
 * by two sizes. */
static double start_at(const stage_run *r, size_t k, int start) {
  static const unsigned prime[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
  const searched *s = &r->all[k];
  if (start == 0 || isnan(s->usual))
    return s->x.start;
  double far = start == 1 ? 0.0 : 2.0 * spread((unsigned)start + (unsigned)k, prime[k % VD_COUNT(prime)]) - 1.0;
  double x = s->usual != 0.0 ? s->usual * vd_exp(0.9 * far) : 2.0 * s->x.size * far;
  return vd_min(vd_max(x, s->x.low), s->x.high);
}

/* Solves from x with every stride-th row and few iterations. The cost of all rows; x receives the result. */
static double try_start(stage_run *r, size_t stride, int iterations, vd_arena *arena, vd_ls_parameter *x) {
  stage_run part = *r;
  size_t count = r->problem.rows + 1, values = 0;
  double *measured = vd_arena_alloc(arena, 3 * count * sizeof *measured), *weight = measured + count;
  size_t *group = vd_arena_alloc(arena, 2 * count * sizeof *group);
  vd_ls_solution s;
  part.row = vd_arena_alloc(arena, (r->rows / stride + 2) * sizeof *part.row);
  part.at = group + count;
  part.rows = 0;
  for (size_t i = 0; i < r->rows; i += stride)
    part.row[part.rows++] = r->row[i];
  for (size_t i = 0; i < r->problem.rows; i++)
    if (r->at[i] / VD_FIT_OUTPUTS % stride == 0) {
      measured[values] = r->problem.measured[i];
      weight[values] = r->problem.weight[i];
      group[values] = r->problem.group[i];
      part.at[values++] = r->at[i] / VD_FIT_OUTPUTS / stride * VD_FIT_OUTPUTS + r->problem.group[i];
    }
  part.problem.context = &part;
  part.problem.work = VD_LS_EXPLORE;
  part.problem.iterations = iterations;
  part.problem.parameters = r->count;
  part.problem.parameter = x;
  part.problem.rows = values;
  part.problem.measured = measured;
  part.problem.weight = weight;
  part.problem.group = group;
  if (values <= r->count)
    return INFINITY;
  vd_ls_solve(&part.problem, arena, &s);
  if (s.status == VD_LS_NOT_FINITE)
    return INFINITY;
  for (size_t k = 0; k < r->count; k++)
    x[k].start = s.parameter[k];
  s.value = weight + count;
  model(r, s.parameter, s.value);
  return vd_ls_cost(&r->problem, s.value);
}

/* A start that was tried. */
typedef struct trial {
  double cost;
  vd_ls_parameter x[SEARCHED];
} trial;

static int by_cost(const void *a, const void *b) {
  const trial *x = a, *y = b;
  return (x->cost > y->cost) - (x->cost < y->cost);
}

/* Curves of this kind have several minima. Few iterations from all starts with a part of the rows, then from the best
 * of them with more rows, say from where to begin. Equal costs stay in the order of the starts. */
static void explore(stage_run *r, vd_arena *arena) {
  enum { ROWS = 160, MOST_ROWS = 800, ITERATIONS = 20, BEST = 3 };
  int starts = r->def->fit.starts;
  trial *all = vd_arena_alloc(arena, (size_t)starts * sizeof *all), *best = all;
  for (int start = 0; start < starts; start++) {
    for (size_t k = 0; k < r->count; k++) {
      all[start].x[k] = r->all[k].x;
      all[start].x[k].start = start_at(r, k, start);
    }
    all[start].cost = try_start(r, r->rows / ROWS + 1, ITERATIONS, arena, all[start].x);
  }
  qsort(all, (size_t)starts, sizeof *all, by_cost);
  for (int i = 0; i < starts && i < BEST; i++) {
    all[i].cost = try_start(r, r->rows / MOST_ROWS + 1, ITERATIONS, arena, all[i].x);
    best = all[i].cost < best->cost ? &all[i] : best;
  }
  for (size_t k = 0; k < r->count && isfinite(best->cost); k++)
    r->all[k].x.start = best->x[k].start;
}

static void too_few(const stage_run *r, size_t figures, vd_diag *d) {
  vd_error(d, r->place, "stage '%s' has %zu values for %zu figures; it needs more rows or fewer figures",
           vd_fit_stage_names[r->stage], r->problem.rows, figures);
}

static bool solve_stage(stage_run *r, vd_buf *left_out, vd_arena *arena, vd_diag *d, vd_ls_solution *s) {
  bool checked = false, good = true;
  size_t named = 0;
  for (size_t k = 0; k < r->count; k++)
    named += r->all[k].named ? 1 : 0;
  if (!(r->problem.rows > named)) {
    too_few(r, named, d);
    return false;
  }
  if (r->def->fit.starts > 1 && r->count > 0)
    explore(r, arena);
  for (bool again = true; again;) {
    vd_ls_parameter x[SEARCHED];
    for (size_t k = 0; k < r->count; k++)
      x[k] = r->all[k].x;
    r->problem.parameters = r->count;
    r->problem.parameter = x;
    r->problem.work = checked ? VD_LS_SOLVE : VD_LS_CHECK;
    vd_ls_solve(&r->problem, arena, s);
    bool lacks = s->status == VD_LS_NO_EFFECT || s->status == VD_LS_UNDETERMINED;
    bool less = lacks && reduce(r, s, left_out), enough = r->problem.rows > r->count;
    again = less || (!checked && !lacks && s->status != VD_LS_NOT_FINITE && enough);
    checked |= again && !less;
    if (!again && !enough)
      too_few(r, r->count, d);
    good = again || (enough && report(r, s, d));
  }
  if (good)
    set_figures(r, s->parameter);
  return good;
}

/* Adds `scale` times the derivatives of a figure by what is searched: value = x times/over. */
static void add_slopes(const stage_run *r, size_t k, double scale, double *slope) {
  const searched *s = &r->all[k];
  slope[k] += scale * base_of(s);
  if (s->times_at >= 0)
    add_slopes(r, (size_t)s->times_at, scale * *s->value / *s->times, slope);
  if (s->over_at >= 0)
    add_slopes(r, (size_t)s->over_at, -scale * *s->value / *s->over, slope);
}

/* Standard deviation of a figure. */
static double deviation_of(const stage_run *r, const vd_ls_solution *s, size_t k) {
  size_t n = r->count;
  double slope[SEARCHED] = {0.0}, variance = 0.0;
  add_slopes(r, k, 1.0, slope);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      variance += slope[i] != 0.0 && slope[j] != 0.0 ? slope[i] * slope[j] * s->covariance[i * n + j] : 0.0;
  return s->at_bound[k] ? NAN : sqrt(variance);
}

static void keep(const stage_run *r, const vd_ls_solution *s, vd_fit_result *out, vd_diag *d) {
  vd_buf bounded = {0};
  for (size_t k = 0; k < r->count; k++) {
    const searched *a = &r->all[k];
    vd_tyre_figure figure;
    double base = base_of(a);
    vd_figures_find(r->tyre, a->name, &figure);
    size_t at = 0;
    while (at < out->coefficients && strcmp(out->coefficient[at].name, a->name) != 0)
      at++;
    double first = at < out->coefficients ? out->coefficient[at].start : a->begin;
    out->coefficient[at] = (vd_fit_coefficient){.name = a->name,
                                                .unit = figure.unit,
                                                .stage = r->stage,
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
  for (size_t i = 0; i < r->problem.rows; i++) {
    size_t row = (size_t)(r->row[r->at[i] / VD_FIT_OUTPUTS] - r->def->row);
    out->row_weight[row * VD_FIT_OUTPUTS + r->problem.group[i]] = s->row_weight[i];
  }
  for (int k = 0; k < VD_FIT_OUTPUTS; k++)
    stage->output[k].scatter = s->scatter[k];
}

static bool run_stage(stage_run *r, const vd_fit_stage_def *def, vd_arena *arena, vd_diag *d, vd_fit_result *out) {
  vd_ls_solution s;
  vd_buf left_out = {0};
  choose_figures(r, def, out);
  bool good = solve_stage(r, &left_out, arena, d, &s);
  if (good) {
    vd_fit_stage *stage = &out->stage[out->stages++];
    *stage = (vd_fit_stage){.stage = r->stage,
                            .rows = r->rows,
                            .coefficients = r->count,
                            .iterations = s.iterations,
                            .left_out = vd_arena_copy(arena, left_out.text ? left_out.text : "", left_out.length)};
    keep_rows(r, &s, out, stage);
    keep(r, &s, out, d);
  }
  vd_buf_finish(&left_out);
  return good;
}

/* ---- all stages ---- */

static void find_quality(const vd_fit_def *def, const vd_fit_result *r, vd_fit_stage *stage) {
  for (unsigned k = 0; k < VD_FIT_OUTPUTS; k++) {
    vd_fit_quality *q = &stage->output[k];
    double squares = 0.0;
    for (size_t i = 0; i < def->rows; i++) {
      double measured = def->row[i].measured[k], residual = r->fitted[i * VD_FIT_OUTPUTS + k] - measured;
      if (isnan(residual) || !vd_fit_takes(&def->fit, stage->stage, &def->row[i], k))
        continue;
      if (!(def->row[i].weight > 0.0)) {
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

static void evaluate_all(const vd_fit_def *def, vd_arena *arena, vd_fit_result *out) {
  const vd_fit_row **row = vd_arena_alloc(arena, (def->rows + 1) * sizeof *row);
  for (size_t i = 0; i < def->rows; i++)
    row[i] = &def->row[i];
  vd_fit_evaluate(&def->rig, &out->tyre.def, row, def->rows, true, out->fitted);
  for (size_t i = 0; i < out->stages; i++)
    find_quality(def, out, &out->stage[i]);
}

/* Says where the figures are from, in place of what the start said. */
static void sign(const vd_fit_def *def, vd_arena *arena, vd_tyre_def *tyre) {
  vd_buf text = {0};
  vd_buf_printf(&text, "fit of vdsim-run to %zu measured rows%s%s", def->rows, *tyre->name ? ", from the start " : "",
                tyre->name);
  tyre->source = vd_arena_copy(arena, text.text, text.length);
  tyre->name = *def->rig.title ? def->rig.title : "fitted";
  vd_buf_finish(&text);
}

bool vd_fit_run(const vd_fit_def *def, const vd_fit_progress *progress, vd_arena *arena, vd_diag *d,
                vd_fit_result *out) {
  bool given = def->fit.stages.count > 0, good = true;
  size_t stages = given ? def->fit.stages.count : VD_FIT_ALL, values = (def->rows + 1) * VD_FIT_OUTPUTS;
  *out = (vd_fit_result){.stage = vd_arena_alloc(arena, stages * sizeof *out->stage),
                         .coefficient = vd_arena_alloc(arena, SEARCHED * stages * sizeof *out->coefficient),
                         .fitted = vd_arena_alloc(arena, values * sizeof *out->fitted),
                         .row_weight = vd_arena_alloc(arena, values * sizeof *out->row_weight)};
  for (size_t i = 0; i < values; i++)
    out->row_weight[i] = 1.0;
  vd_figures_init(&def->rig.tyre, arena, &out->tyre);
  stage_run *r = vd_arena_alloc(arena, sizeof *r);
  for (size_t i = 0; i < stages && good; i++) {
    const vd_fit_stage_def automatic = {.stage = (int)i};
    const vd_fit_stage_def *stage = given ? (const vd_fit_stage_def *)def->fit.stages.item + i : &automatic;
    char path[60] = "fit";
    if (given)
      snprintf(path, sizeof path, "fit.stages.%zu", i);
    *r = (stage_run){.def = def,
                     .tyre = &out->tyre,
                     .stage = stage->stage,
                     .place = vd_tree_place(def->root, path),
                     .progress = progress,
                     .from = (double)i / (double)stages,
                     .to = (double)(i + 1) / (double)stages};
    choose_rows(r, arena);
    if (r->problem.rows > 0 || given)
      good = run_stage(r, stage, arena, d, out);
  }
  if (good && out->stages == 0) {
    vd_error(d, vd_tree_place(def->root, "fit"), "no row is of any stage");
    good = false;
  }
  if (good) {
    evaluate_all(def, arena, out);
    vd_figures_finish(&out->tyre, arena);
    sign(def, arena, &out->tyre.def);
  }
  return good;
}
