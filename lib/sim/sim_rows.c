#include "sim/sim_impl.h"

#include "base/elementary.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Raises the polynomial to fourth order by an evaluation, which also becomes the row's evaluation. */
static bool complete(const vd_sim *sim, vd_within *in, vd_command *c, vd_row *row) {
  double rates[VD_STATES];
  row->t = in->from + vd_dense_place * in->dense.of.h;
  vd_dense_at(&in->dense, vd_dense_place, row->state.x);
  vd_sim_command_at(sim, in->inside, row->t, c);
  if (!vd_model_rates(sim->model, c, row->state.x, row->state.mode, &row->eval, rates))
    return false;
  vd_dense_complete(&in->dense, rates);
  in->complete = true;
  return true;
}

/* Computes a row from the polynomial. c: the command at the previous row or at the start of the step; it becomes the
 * command at this row. */
static bool row_of_polynomial(const vd_sim *sim, vd_within *in, vd_command *c, vd_row *row) {
  double rates[VD_STATES], t = row->t;
  if (!in->complete && in->before > 0.0) {
    vd_dense_continue(&in->dense, in->before, in->before_rates);
    in->complete = true;
  }
  if (!in->complete && !complete(sim, in, c, row))
    return false;
  row->t = t;
  vd_dense_at(&in->dense, vd_min((t - in->from) / in->dense.of.h, 1.0), row->state.x);
  vd_sim_command_at(sim, in->inside, t, c);
  vd_model_end_step(sim->model, c, &row->state);
  return vd_model_rates(sim->model, c, row->state.x, row->state.mode, &row->eval, rates);
}

/* Computes a row as the end of a separate step, which is shorter than the accurate step. */
static bool row_of_step(const vd_sim *sim, const vd_within *in, vd_command *c, vd_row *row) {
  double rates[VD_STATES];
  vd_step_trial trial;
  trial.eval = &row->eval;
  vd_trial_prepare(sim, in->from, row->t, in->inside, &trial);
  vd_trial_make(&trial, row->t - in->from, &row->state, rates);
  *c = trial.end;
  vd_model_end_step(sim->model, c, &row->state);
  return trial.closed;
}

/* Computes a row at the end of the step. */
static void row_of_end(const vd_sim *sim, const vd_within *in, const vd_step_trial *trial, vd_row *row) {
  memcpy(row->state.x, in->dense.of.x1, (size_t)in->dense.of.n * sizeof *row->state.x);
  memcpy(&row->eval, trial->eval, offsetof(vd_eval, log)); /* vd_model_observe makes the log */
  vd_model_end_step(sim->model, &trial->end, &row->state);
}

void vd_within_begin(const vd_sim *sim, const vd_step_ends *step, double max_decay, vd_within *in) {
  double fastest = 0.0;
  for (int j = 0; j < sim->decay.count; j++)
    fastest = vd_max(fastest, sim->decay.rate[j]);
  in->dense.of = *step;
  memset(in->dense.c, 0, (size_t)step->n * sizeof *in->dense.c);
  in->complete = false;
  in->sought = 0;
  in->by_steps = fastest * step->h > max_decay;
}

void vd_within_at(const vd_sim *sim, vd_within *in, double share, vd_step_trial *trial, vd_state_vector *at,
                  double *rates) {
  const double h = share * in->dense.of.h, t = in->from + h;
  in->sought += in->by_steps ? 4 : 1;
  if (in->by_steps) {
    vd_trial_prepare(sim, in->from, t, in->inside, trial);
    vd_trial_make(trial, h, at, rates);
    return;
  }
  vd_dense_at(&in->dense, share, at->x);
  memcpy(at->mode, sim->state.mode, sizeof at->mode);
  vd_sim_command_at(sim, in->inside, t, &trial->end);
  vd_trial_evaluate(trial, at, rates);
}

static double row_time(const vd_sim *sim, const vd_sim_rows *rows, int k) {
  return (double)(sim->step * rows->parts + k) * (sim->grid / rows->parts);
}

/* Returns how many rows are left up to `end`. */
static int rows_left(const vd_sim *sim, const vd_sim_rows *rows, double end) {
  int k = rows->count + 1;
  while (k < rows->parts && row_time(sim, rows, k) <= end + vd_corner_snap * sim->grid)
    k++;
  return k - rows->count - 1;
}

static void see(const vd_sim *sim, const vd_command *c, unsigned view, vd_row *row) {
  row->view = view;
  memcpy(row->control_mode, sim->control_mode, sizeof row->control_mode);
  vd_model_observe(sim->model, c, &row->state, sim->energy0, view, &row->eval);
}

/* Greatest decay z = rate h of a spin for which rows are interpolated. An error e of the spin changes its rate times h
 * by z e, and the polynomial by up to 0.05 z^2 e: at this z five times the error at the ends of the step. */
static const double max_decay = 10.0;

/* Least number of rows for which interpolation needs fewer evaluations than the rows themselves. */
enum { FEWEST_ROWS = 4 };

/* Returns whether the rows of the previous step were interpolated, and the rates do not jump at its end. */
static bool leads_on(const vd_sim *sim, double from) {
  return sim->past.end == from && isfinite(sim->gap);
}

/* Returns whether the values of rows follow from the state alone, so that they are smooth from step to step. */
static bool follows(const vd_sim *sim) {
  return !sim->command.prescribed && !sim->model->options.frozen_contact;
}

void vd_within_start(const vd_sim *sim, double from, double end, vd_sim_rows *rows, vd_within *in) {
  in->from = from;
  if (in->noted || !rows || !rows->reads || !follows(sim) || rows_left(sim, rows, end) < FEWEST_ROWS)
    return;
  in->noted = true;
  in->led = leads_on(sim, from);
  if (in->led) {
    memcpy(in->smooth.value[VD_SMOOTH_START], sim->past.value[VD_SMOOTH_END], sizeof sim->past.value[0]);
    return;
  }
  vd_row *work = &rows->work;
  vd_sim_fill_row(sim, &sim->command, &sim->state, &sim->eval, rows->view, work);
  vd_reads_take(rows->reads, work, in->smooth.value[VD_SMOOTH_START]);
}

/* Evaluates a place within the step. */
static bool take_place(const vd_sim *sim, enum vd_smooth_place i, double at, vd_within *in, vd_sim_rows *rows) {
  vd_row *work = &rows->work;
  vd_command c = sim->command;
  in->smooth.at[i] = at;
  work->t = in->from + at * in->dense.of.h;
  memcpy(work->state.mode, sim->state.mode, sizeof work->state.mode);
  bool good = in->by_steps           ? row_of_step(sim, in, &c, work)
              : i == VD_SMOOTH_INNER ? complete(sim, in, &c, work)
                                     : row_of_polynomial(sim, in, &c, work);
  if (!good)
    return false;
  see(sim, &c, rows->view, work);
  vd_reads_take(rows->reads, work, in->smooth.value[i]);
  return true;
}

/* Evaluates the end of the step. If this is also the end of the step of the grid, the row is kept for
 * vd_sim_end_row. */
static void take_end(const vd_sim *sim, const vd_step_trial *trial, vd_within *in, vd_sim_rows *rows) {
  vd_row *row = &rows->end;
  rows->ends = trial->end.t == (double)(sim->step + 1) * sim->grid;
  in->smooth.at[VD_SMOOTH_END] = 1.0;
  row->t = trial->end.t;
  memcpy(row->state.mode, sim->state.mode, sizeof row->state.mode);
  row_of_end(sim, in, trial, row);
  see(sim, &trial->end, rows->ends ? rows->end_view : rows->view, row);
  vd_reads_take(rows->reads, row, in->smooth.value[VD_SMOOTH_END]);
}

const vd_row *vd_sim_end_row(const vd_sim *sim, const vd_sim_rows *rows) {
  return rows->ends && leads_on(sim, sim->t) ? &rows->end : NULL;
}

/* Returns whether this step and the one before are smooth together. */
static bool smooth_with_past(const vd_sim *sim, const vd_reads *reads, vd_within *in) {
  const double before = sim->past.h / in->dense.of.h;
  if (!in->led)
    return false;
  in->smooth.at[VD_SMOOTH_MORE] = (vd_dense_place - 1.0) * before;
  in->smooth.at[VD_SMOOTH_CHECK] = -before;
  memcpy(in->smooth.value[VD_SMOOTH_MORE], sim->past.value[VD_SMOOTH_INNER], sizeof sim->past.value[0]);
  memcpy(in->smooth.value[VD_SMOOTH_CHECK], sim->past.value[VD_SMOOTH_START], sizeof sim->past.value[0]);
  return vd_smooth_fit(reads, &in->smooth);
}

/* Interpolates the rows up to the end of the step; false, without any rows, if the step is not smooth enough. */
static bool interpolate(vd_sim *sim, const vd_step_trial *trial, vd_within *in, vd_sim_rows *rows) {
  const double h = in->dense.of.h;
  in->smooth.at[VD_SMOOTH_START] = 0.0;
  if (!take_place(sim, VD_SMOOTH_INNER, vd_dense_place, in, rows))
    return false;
  take_end(sim, trial, in, rows);
  bool holds = smooth_with_past(sim, rows->reads, in) ||
               (take_place(sim, VD_SMOOTH_MORE, 1.0 - vd_dense_place, in, rows) &&
                take_place(sim, VD_SMOOTH_CHECK, 0.5, in, rows) && vd_smooth_fit(rows->reads, &in->smooth));
  sim->past.end = trial->end.t;
  sim->past.h = h;
  for (int k = 0; k < VD_SMOOTH_PAST; k++) /* values that are not read stay 0: they are part of a saved state */
    memcpy(sim->past.value[k], in->smooth.value[k], (size_t)rows->reads->count * sizeof *sim->past.value[k]);
  if (!holds)
    return false;
  for (int left = rows_left(sim, rows, in->from + h); left > 0; left--, rows->count++) {
    vd_row *row = &rows->row[rows->count];
    row->t = row_time(sim, rows, rows->count + 1);
    row->view = rows->view;
    vd_smooth_give(rows->reads, &in->smooth, (row->t - in->from) / h, row);
  }
  return true;
}

/* Computes the rows one by one, until one of them fails. random: the road is random. */
static void take_rows(const vd_sim *sim, const vd_step_trial *trial, bool random, int left, vd_within *in,
                      vd_sim_rows *rows) {
  vd_command c = sim->command;
  for (; left > 0; left--) {
    vd_row *row =
        &rows->row[rows->count]; /* members of row->eval that an evaluation does not write keep their values */
    row->t = row_time(sim, rows, rows->count + 1);
    memcpy(row->state.mode, sim->state.mode, sizeof row->state.mode);
    bool at_end = random && fabs(row->t - trial->end.t) <= vd_corner_snap * sim->grid;
    if (at_end)
      row_of_end(sim, in, trial, row);
    else if (!(in->by_steps ? row_of_step(sim, in, &c, row) : row_of_polynomial(sim, in, &c, row)))
      return;
    see(sim, at_end ? &trial->end : &c, rows->view, row);
    rows->count++;
  }
}

void vd_within_look(vd_sim *sim, const vd_step_trial *trial, const vd_step_ends *step, vd_within *in,
                    vd_sim_rows *rows) {
  /* On a random road steps are short because the road is rough everywhere, so that the step before tells what an
   * evaluation would; elsewhere short steps follow a jump. */
  const bool random = vd_ground_random(&sim->model->ground) && follows(sim);
  const int left = rows_left(sim, rows, in->from + step->h);
  const bool noted = in->noted;
  in->noted = rows->ends = false;
  if (left > 0) {
    vd_within_begin(sim, step, max_decay, in);
    if (!(noted && left >= FEWEST_ROWS && interpolate(sim, trial, in, rows)))
      take_rows(sim, trial, random, left, in, rows);
  }
  if (!random)
    return;
  in->before = step->h;
  memcpy(in->before_rates, step->rates0, (size_t)step->n * sizeof *step->rates0);
}
