#include "study/fit_search.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the model --- */

static void many(void *context, size_t count, const double *x, double *value) {
  const vd_fit_search *f = context;
  size_t n = f->parameters;
  double *all = vd_allocate(count * n + 1, sizeof *all);
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < n; k++)
      all[i * n + k] = f->parameter[k].before;
    for (size_t k = 0; k < f->count; k++)
      all[i * n + f->at[k]] = x[i * f->count + k];
  }
  f->model->values(f->context, count, all, value);
  free(all);
}

static void one(void *context, const double *x, double *value) {
  many(context, 1, x, value);
}

/* Shows the progress, which approaches f->to asymptotically. */
static void step(void *context) {
  vd_fit_search *f = context;
  f->steps++;
  if (f->progress && f->progress->show)
    f->progress->show(f->progress->context, f->to - (f->to - f->from) / (1.0 + f->pace * f->steps));
}

static void solve(vd_fit_search *f, enum vd_ls_work work, vd_ls_solution *s) {
  vd_ls_parameter *x = vd_arena_alloc(f->arena, (f->count + 1) * sizeof *x);
  vd_ls_problem p = f->problem;
  for (size_t k = 0; k < f->count; k++)
    x[k] = f->parameter[f->at[k]].x;
  p.parameter = x;
  p.parameters = f->count;
  p.work = work;
  p.model = one;
  p.many = f->model->at_once ? many : NULL;
  p.step = step;
  p.context = f;
  vd_ls_solve(&p, f->arena, s);
}

bool vd_fit_search_enough(const vd_fit_search *f) {
  return f->problem.rows >= f->count + f->model->spare;
}

/* --- starts --- */

typedef struct trial {
  double cost;
  double *x; /* [parameters] */
} trial;

/* Searches from a start with a part of the rows; x receives the end point. Returns the cost of all rows there. */
static double try_start(vd_fit_search *f, const vd_fit_round *round, double *x) {
  vd_fit_search part = *f;
  vd_ls_solution s;
  part.parameter = vd_arena_alloc(f->arena, (f->parameters + 1) * sizeof *part.parameter);
  for (size_t k = 0; k < f->parameters; k++) {
    part.parameter[k] = f->parameter[k];
    part.parameter[k].x.start = x[k];
  }
  if (round->rows > 0)
    part.context = f->model->thin(f->context, round->rows, f->arena, &part.problem);
  part.problem.iterations = round->iterations;
  if (!vd_fit_search_enough(&part))
    return INFINITY;
  solve(&part, VD_LS_EXPLORE, &s);
  if (s.status == VD_LS_NOT_FINITE)
    return INFINITY;
  for (size_t k = 0; k < f->count; k++)
    x[f->at[k]] = s.parameter[k];
  double *value = vd_arena_alloc(f->arena, f->problem.rows * sizeof *value);
  one(f, s.parameter, value);
  double cost = vd_ls_cost(&f->problem, value);
  return isnan(cost) ? INFINITY : cost;
}

/* Sets the start of the search to the start with the least cost; the first one, if several have this cost. */
static void explore(vd_fit_search *f) {
  size_t starts = (size_t)f->starts;
  trial *all = vd_arena_alloc(f->arena, starts * sizeof *all);
  for (size_t i = 0; i < starts; i++) {
    all[i].x = vd_arena_alloc(f->arena, (f->parameters + 1) * sizeof *all[i].x);
    for (size_t k = 0; k < f->parameters; k++)
      all[i].x[k] = f->parameter[k].x.start;
    if (i > 0)
      f->model->start(f->context, (int)i, all[i].x);
  }
  double from = f->from, part = 0.8 * (f->to - f->from) / (double)starts;
  for (const vd_fit_round *round = f->round; round < f->round + 2; round++)
    for (size_t i = 0; i < starts && (int)i < round->best; i++) {
      trial t = all[i];
      f->from = from + part * (double)i;
      f->to = f->from + part;
      t.cost = try_start(f, round, t.x);
      size_t place = i;
      for (; place > 0 && all[place - 1].cost > t.cost; place--)
        all[place] = all[place - 1];
      all[place] = t;
    }
  for (size_t k = 0; k < f->parameters && isfinite(all->cost); k++)
    f->parameter[k].x.start = all->x[k];
}

/* --- the search --- */

/* Leaves out marked parameters: at the start all of them, at the end only the last one. False: no parameter is marked,
 * or a marked one is needed. */
static bool prune(vd_fit_search *f, const vd_ls_solution *s) {
  bool start = s->iterations == 0, some = false;
  for (size_t k = 0; k < f->count && start; k++)
    if (s->marked[k] && f->parameter[f->at[k]].needed)
      return false;
  for (size_t k = f->count; k-- > 0 && (start || (f->model->prunes && !some));) {
    size_t i = f->at[k];
    if (!s->marked[k] || f->parameter[i].needed)
      continue;
    some = f->parameter[i].left_out = true;
    if (f->model->leave_out)
      f->model->leave_out(f->context, i);
    memmove(&f->at[k], &f->at[k + 1], (f->count - k - 1) * sizeof *f->at);
    f->count--;
  }
  return some;
}

bool vd_fit_search_run(vd_fit_search *f, vd_ls_solution *s) {
  double to = f->to;
  *s = (vd_ls_solution){.status = VD_LS_SOLVED};
  f->at = vd_arena_alloc(f->arena, (f->parameters + 1) * sizeof *f->at);
  f->count = f->parameters;
  for (size_t k = 0; k < f->parameters; k++)
    f->at[k] = k;
  if (f->starts > 1 && f->count > 0)
    explore(f);
  f->to = to;
  f->steps = 0;
  for (bool again = true; again;) {
    bool enough = vd_fit_search_enough(f);
    if (!f->model->prunes && (!enough || f->count == 0))
      return false;
    solve(f, enough ? VD_LS_SOLVE : VD_LS_CHECK, s);
    again = (s->status == VD_LS_NO_EFFECT || s->status == VD_LS_UNDETERMINED) && prune(f, s);
  }
  return vd_fit_search_enough(f);
}

void vd_fit_search_again(const vd_fit_search *f, const double *x, size_t held, vd_ls_solution *s) {
  vd_fit_search part = *f;
  part.parameter = vd_arena_alloc(f->arena, (f->parameters + 1) * sizeof *part.parameter);
  part.at = vd_arena_alloc(f->arena, (f->count + 1) * sizeof *part.at);
  part.count = 0;
  part.progress = NULL;
  for (size_t k = 0; k < f->parameters; k++) {
    part.parameter[k] = f->parameter[k];
    part.parameter[k].x.start = part.parameter[k].before = x[k];
  }
  for (size_t k = 0; k < f->count; k++)
    if (f->at[k] != held)
      part.at[part.count++] = f->at[k];
  solve(&part, VD_LS_EXPLORE, s);
}
