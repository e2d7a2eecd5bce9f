/* Further fits of a fit of runs. They show the errors of its intervals, which assume a linear model.
 *
 * A profile fixes a figure at values around its result, and fits the other figures again. If the model is linear in the
 * figures, the sum of squares of (residual/scatter) rises as the square of the offset in standard deviations. The
 * interval by likelihood ends where this sum has risen by the square of the quantile of a normal distribution (Bates
 * and Watts, Nonlinear Regression Analysis, 1988, 6.1).
 *
 * A resample draws experiments with replacement, as many as there are, and fits the data of the drawn experiments. The
 * residuals of one manoeuvre have common causes, such as its speed or its road, so they are not independent
 * measurements; whole manoeuvres are independent. Few manoeuvres determine the scatter of the fits only roughly: three
 * manoeuvres have ten combinations, each of which is fitted once.
 *
 * Scatters that were estimated and weights of a robust loss stay as the fit found them. */
#include "study/fit_impl.h"

#include "base/elementary.h"
#include "math/chance.h"

#include <math.h>
#include <string.h>

/* The points of a profile extend over the interval of confidence times this factor, so that both ends of the interval
 * lie between points. */
static const double profile_reach = 1.25;
static const uint64_t seed = 1; /* seed of the draws */
/* For the progress: duration of the first fit in durations of a further fit, which starts near its result. */
static const double first_cost = 2.0;

typedef struct repeating {
  const vd_run_fit *fit;
  vd_fit_search *search;
  const vd_ls_solution *found;
  double *weight, *x; /* [rows], [frees]; x: start of the search */
  const double *scale;
  vd_fit_result *result;
  size_t passed; /* number of further fits that were made */
} repeating;

static size_t repeats(const vd_run_fit *f) {
  return 2 * (size_t)f->def.fit.profile * f->frees + (size_t)f->def.fit.resamples;
}

double vd_run_fit_first_share(const vd_run_fit *f) {
  return first_cost / (first_cost + (double)repeats(f));
}

static void pass(repeating *g) {
  const vd_fit_progress *p = g->search->progress;
  double first = vd_run_fit_first_share(g->fit), part = (double)++g->passed / (double)repeats(g->fit);
  if (p && p->show)
    p->show(p->context, first + (1.0 - first) * part);
}

static double squares(const repeating *g, const double *value) {
  double sum = 0.0;
  for (size_t i = 0; i < g->search->problem.rows; i++) {
    double u = g->weight[i] * (value[i] - g->search->problem.measured[i]);
    sum += g->weight[i] > 0.0 ? u * u : 0.0;
  }
  return sum;
}

/* Fits again from x, with the figure `held' fixed, and stores the figures, SI; NAN: there is no fit. */
static bool fit_again(const repeating *g, const double *x, size_t held, vd_ls_solution *s, double *figure) {
  const vd_run_fit *f = g->fit;
  vd_fit_search_again(g->search, x, held, s);
  bool good = s->status == VD_LS_SOLVED || s->status == VD_LS_SLOW;
  for (size_t k = 0; k < f->frees; k++)
    figure[k] = good ? vd_run_from_search(&f->free[k], x[k]) : NAN;
  for (size_t k = 0, i = 0; k < g->search->count && good; k++)
    if (g->search->at[k] != held)
      figure[g->search->at[k]] = vd_run_from_search(&f->free[g->search->at[k]], s->parameter[i++]);
  return good;
}

/* --- profiles --- */

static void profile_point(repeating *g, size_t figure, double offset, double least) {
  const vd_run_fit *f = g->fit;
  const vd_fit_coefficient *c = &g->result->coefficient[figure];
  const vd_ls_parameter *bounds = &g->search->parameter[figure].x;
  vd_fit_profile *p = &g->result->profile[g->result->profiles];
  vd_ls_solution s;
  double before = g->x[figure], x = before + offset * c->deviation;
  if (!(x > bounds->low && x < bounds->high))
    return;
  *p = (vd_fit_profile){.figure = figure,
                        .offset = offset,
                        .rise = NAN,
                        .value = vd_arena_alloc(g->search->arena, f->frees * sizeof *p->value)};
  g->x[figure] = x;
  if (fit_again(g, g->x, figure, &s, p->value))
    p->rise = copysign(sqrt(vd_max(squares(g, s.value) - least, 0.0)), offset);
  g->x[figure] = before;
  g->result->profiles++;
}

static void make_profiles(repeating *g) {
  vd_fit_result *r = g->result;
  const int points = g->fit->def.fit.profile;
  const double least = squares(g, g->found->value);
  r->profile = vd_arena_alloc(g->search->arena, 2 * (size_t)points * g->fit->frees * sizeof *r->profile);
  for (size_t k = 0; k < g->fit->frees; k++) {
    const vd_fit_coefficient *c = &r->coefficient[k];
    double most = profile_reach * vd_ls_quantile(r->confidence, c->freedom);
    for (int i = -points; i <= points && !isnan(c->deviation); i++)
      if (i != 0) {
        profile_point(g, k, most * i / points, least);
        pass(g);
      }
  }
}

/* Returns the offset at which the rise of a figure's profile reaches a value, linear between points. */
static double offset_at(const vd_fit_result *r, size_t figure, double rise) {
  double last = 0.0, at = 0.0;
  for (size_t i = 0; i < r->profiles; i++) {
    /* outward from the middle: for the lower side, points are in the reverse order */
    const vd_fit_profile *p = &r->profile[rise > 0.0 ? i : r->profiles - 1 - i];
    if (p->figure != figure || !(p->offset * rise > 0.0))
      continue;
    if (fabs(p->rise) >= fabs(rise))
      return at + (p->offset - at) * (rise - last) / (p->rise - last);
    last = p->rise;
    at = p->offset;
  }
  return NAN;
}

void vd_run_fit_profile_interval(const vd_fit_result *r, size_t k, double *low, double *high) {
  const vd_fit_coefficient *c = &r->coefficient[k];
  double most = vd_ls_quantile(r->confidence, c->freedom);
  double down = offset_at(r, k, -most) * c->deviation, up = offset_at(r, k, most) * c->deviation;
  *low = c->logarithm ? c->value * vd_exp(down) : c->value + down;
  *high = c->logarithm ? c->value * vd_exp(up) : c->value + up;
}

/* --- resamples --- */

/* True if any value of the experiment is fitted. */
static bool is_fitted(const vd_run_fit *f, size_t experiment) {
  bool some = false;
  for (size_t t = 0; t < f->targets; t++)
    for (size_t i = 0; i < f->target[t].rows && f->data[f->target[t].data].experiment == experiment; i++)
      some |= f->weight[f->target[t].first + i] > 0.0;
  return some;
}

/* Returns how often each of the data is drawn by the random numbers of stream `number'. */
static int *draw(const repeating *g, size_t number) {
  const vd_run_fit *f = g->fit;
  size_t *fitted = vd_arena_alloc(g->search->arena, 2 * f->experiments * sizeof *fitted);
  size_t *drawn = fitted + f->experiments, count = 0;
  int *out = vd_arena_alloc(g->search->arena, f->datas * sizeof *out);
  for (size_t k = 0; k < f->experiments; k++) {
    drawn[k] = 0;
    if (is_fitted(f, k))
      fitted[count++] = k;
  }
  for (size_t k = 0; k < count; k++)
    drawn[fitted[(size_t)(vd_chance(seed, number, k) * (double)count)]]++;
  for (size_t k = 0; k < f->datas; k++)
    out[k] = (int)drawn[f->data[k].experiment];
  return out;
}

/* Fits the data that were drawn. deviation [values]: values of these runs minus the values of the result; the first
 * element is NAN if there is no fit. */
static void fit_drawn(repeating *g, const vd_fit_resample *out, double *deviation) {
  const vd_run_fit *f = g->fit;
  double *all = g->weight, *weight = vd_arena_alloc(g->search->arena, g->search->problem.rows * sizeof *weight);
  vd_ls_solution s;
  for (size_t i = 0; i < g->search->problem.rows; i++)
    weight[i] = all[i];
  for (size_t t = 0; t < f->targets; t++)
    for (size_t i = f->target[t].first; i < f->target[t].first + f->target[t].rows; i++)
      weight[i] *= sqrt(out->drawn[f->target[t].data]);
  g->search->problem.weight = weight;
  bool good = fit_again(g, g->x, SIZE_MAX, &s, out->value);
  g->search->problem.weight = all;
  deviation[0] = NAN;
  for (size_t i = 0; i < f->values && good; i++)
    deviation[i] = s.value[i] / g->scale[i] - g->result->value[i];
}

/* Makes one resample, and returns its deviations. Few experiments have few combinations; a combination that was drawn
 * before is not fitted again. */
static double *resample(repeating *g, size_t number, double *const *before) {
  const vd_run_fit *f = g->fit;
  vd_fit_resample *all = g->result->resample, *out = &all[number];
  *out = (vd_fit_resample){draw(g, number), vd_arena_alloc(g->search->arena, f->frees * sizeof *out->value)};
  for (size_t k = 0; k < number; k++)
    if (memcmp(all[k].drawn, out->drawn, f->datas * sizeof *out->drawn) == 0) {
      memcpy(out->value, all[k].value, f->frees * sizeof *out->value);
      return before[k];
    }
  double *deviation = vd_arena_alloc(g->search->arena, f->values * sizeof *deviation);
  fit_drawn(g, out, deviation);
  return deviation;
}

static void make_resamples(repeating *g) {
  const vd_run_fit *f = g->fit;
  vd_fit_result *r = g->result;
  vd_arena *arena = g->search->arena;
  double quantile = vd_ls_quantile(r->confidence, INFINITY), growth = r->misfit > 1.0 ? r->misfit : 1.0;
  r->resamples = (size_t)f->def.fit.resamples;
  r->resample = vd_arena_alloc(arena, r->resamples * sizeof *r->resample);
  r->resampled_half = vd_arena_alloc(arena, f->values * sizeof *r->resampled_half);
  double **deviation = vd_arena_alloc(arena, r->resamples * sizeof *deviation);
  for (size_t k = 0; k < r->resamples; k++) {
    deviation[k] = resample(g, k, deviation);
    pass(g);
  }
  for (size_t t = 0; t < f->targets; t++)
    for (size_t i = f->target[t].first; i < f->target[t].first + f->target[t].rows; i++) {
      double count = 0.0, sum = 0.0, squares_sum = 0.0;
      for (size_t k = 0; k < r->resamples; k++) {
        bool good = !isnan(deviation[k][0]);
        count += good ? 1.0 : 0.0;
        sum += good ? deviation[k][i] : 0.0;
        squares_sum += good ? deviation[k][i] * deviation[k][i] : 0.0;
      }
      double variance = (squares_sum - sum * sum / count) / (count - 1.0);
      r->resampled_half[i] = quantile * sqrt(vd_max(variance, 0.0) + growth * r->scatter[t] * r->scatter[t]);
      if (!(count > 1.0))
        r->resampled_half[i] = NAN;
    }
}

double vd_run_fit_resampled_deviation(const vd_fit_result *r, size_t k) {
  double sum = 0.0, sum_of_squares = 0.0, count = 0.0;
  for (size_t i = 0; i < r->resamples; i++) {
    double d = r->resample[i].value[k] - r->coefficient[k].value;
    if (isnan(d))
      continue;
    sum += d;
    sum_of_squares += d * d;
    count += 1.0;
  }
  return count > 1.0 ? sqrt(vd_max((sum_of_squares - sum * sum / count) / (count - 1.0), 0.0)) : NAN;
}

/* --- both --- */

void vd_run_fit_again(const vd_run_fit *f, vd_fit_search *search, const vd_ls_solution *found, double *weight,
                      const double *scale, vd_fit_result *r) {
  const vd_run_fit_settings *wants = &f->def.fit;
  repeating g = {f, search, found, weight, vd_arena_alloc(search->arena, (f->frees + 1) * sizeof *g.x), scale, r, 0};
  bool *known = vd_arena_alloc(search->arena, search->problem.groups * sizeof *known);
  if (wants->profile == 0)
    r->tables &= ~VD_WHEN(VD_FIT_PROFILE);
  if (wants->resamples == 0)
    r->tables &= ~VD_WHEN(VD_FIT_RESAMPLES);
  if (wants->profile == 0 && wants->resamples == 0)
    return;
  for (size_t i = 0; i < search->problem.rows; i++)
    weight[i] *= sqrt(found->row_weight[i]) / found->scatter[search->problem.group[i]];
  for (size_t i = 0; i < search->problem.groups; i++)
    known[i] = true;
  search->problem.known = known;
  search->problem.loss = VD_LOSS_SQUARES;
  for (size_t k = 0; k < f->frees; k++)
    g.x[k] = vd_run_to_search(&f->free[k], r->coefficient[k].value);
  if (wants->profile > 0)
    make_profiles(&g);
  if (wants->resamples > 0)
    make_resamples(&g);
}
