#include "sim/sim_impl.h"

#include <string.h>

const double vd_corner_snap = 1e-9;

static void step_rates(void *context, int stage, const double *x, double *dx) {
  vd_step_trial *trial = context;
  const vd_command *c = stage == 3 ? &trial->end : &trial->middle;
  trial->closed &= vd_model_rates(trial->model, c, x, trial->mode, trial->eval, dx);
  if (vd_model_keeps(trial->model))
    vd_model_keep(trial->model, c, trial->eval, trial->mode);
}

/* Returns whether the numbers are identical, including the sign of zeros. */
static bool same(double a, double b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

void vd_sim_command_at(const vd_sim *sim, double inside, double t, vd_command *c) {
  const double steer = sim->command.steer, rate = sim->command.steer_rate; /* c may be sim->command */
  vd_inputs_at(&sim->inputs, inside, t, c);
  if (vd_lat_controlled(c->lateral))
    vd_driver_steer(sim->driver_def, &sim->driver, t, c);
  if (same(c->steer, steer) && same(c->steer_rate, rate))
    vd_command_copy_angles(&sim->command, c);
  else
    vd_command_set_angles(sim->model, c);
}

void vd_sim_fill_row(const vd_sim *sim, const vd_command *c, const vd_state_vector *s, const vd_eval *e, unsigned view,
                     vd_row *row) {
  row->t = c->t;
  row->view = view;
  row->state = *s;
  row->eval = *e;
  memcpy(row->control_mode, sim->control_mode, sizeof row->control_mode);
  vd_model_observe(sim->model, c, s, sim->energy0, view, &row->eval);
}

void vd_trial_prepare(const vd_sim *sim, double from, double to, double inside, vd_step_trial *trial) {
  trial->model = sim->model;
  trial->start = &sim->state;
  trial->rates = sim->rates;
  trial->decay = &sim->decay;
  vd_sim_command_at(sim, inside, 0.5 * (from + to), &trial->middle);
  vd_sim_command_at(sim, inside, to, &trial->end);
}

void vd_trial_make(vd_step_trial *trial, double h, vd_state_vector *end, double *end_rates) {
  int n = vd_model_states(trial->model);
  memcpy(end->x, trial->start->x, (size_t)n * sizeof *end->x);
  vd_model_pass_modes(trial->model, trial->start->mode, end->mode);
  trial->mode = end->mode;
  trial->closed = true;
  vd_rk4_decaying(step_rates, trial, h, n, trial->decay, trial->rates, end->x, trial->k4);
  step_rates(trial, 3, end->x, end_rates);
}

void vd_trial_evaluate(vd_step_trial *trial, vd_state_vector *at, double *rates) {
  trial->mode = at->mode;
  trial->closed = true;
  step_rates(trial, 3, at->x, rates);
}
