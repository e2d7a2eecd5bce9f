#include "sim.h"

#include <math.h>
#include <string.h>

enum { MAX_SPLITS = 32, ROOT_ROUNDS = 60 };

/* An input corner this close to a grid point (in steps) is taken to lie on it. */
static const double corner_snap = 1e-9;
/* Brake events are found to this share of a step. */
static const double root_tolerance = 1e-12;

/* What a Runge-Kutta step needs beside the state. */
typedef struct step_context {
  const vd_model *model;
  vd_command command[3]; /* at the start, middle and end */
  double mode[VD_MODES];
  vd_eval eval;
  bool closed;
} step_context;

static void step_rates(void *context, int stage, const double *x, double *dx) {
  static const int instant[] = {0, 1, 1, 2};
  step_context *ctx = context;
  ctx->closed &= vd_model_rates(ctx->model, &ctx->command[instant[stage]], x, ctx->mode, &ctx->eval, dx);
}

static void command_at(const vd_sim *sim, double inside, double t, vd_command *c) {
  const vd_inputs *in = sim->inputs;
  double unused;
  vd_profile_at(&in->steer, inside, t, &c->steer, &c->steer_rate);
  c->steer /= in->steer_ratio;
  c->steer_rate /= in->steer_ratio;
  vd_profile_at(&in->throttle, inside, t, &c->throttle, &unused);
  vd_profile_at(&in->brake, inside, t, &c->brake, &unused);
  c->hold_speed = in->speed.type != VD_PROFILE_NONE;
  vd_profile_at(&in->speed, inside, t, &c->speed, &unused);
  vd_command_lower(sim->model, c);
}

static double next_corner(const vd_inputs *in, double t) {
  double steer = vd_profile_next_corner(&in->steer, t), throttle = vd_profile_next_corner(&in->throttle, t);
  double brake = vd_profile_next_corner(&in->brake, t), speed = vd_profile_next_corner(&in->speed, t);
  return fmin(fmin(steer, throttle), fmin(brake, speed));
}

static bool fail(vd_sim *sim, enum vd_sim_status status, double t) {
  sim->status = status;
  sim->bad_time = t;
  return false;
}

/* 0 x is 0 for every finite x and NaN for the others. */
static bool check_state(vd_sim *sim, double t) {
  double probe = 0.0;
  for (int i = 0; i < VD_STATES; i++)
    probe += 0.0 * sim->state.x[i];
  if (probe == 0.0)
    return true;
  for (int i = VD_STATES - 1; i >= 0; i--)
    if (!isfinite(sim->state.x[i]))
      sim->bad_state = i;
  return fail(sim, VD_SIM_BAD_STATE, t);
}

/* Rates at the present state under sim->command. */
static bool evaluate(vd_sim *sim, double t) {
  if (vd_model_rates(sim->model, &sim->command, sim->state.x, sim->state.mode, &sim->eval, sim->rates))
    return true;
  return check_state(sim, t) ? fail(sim, VD_SIM_NO_LOADS, t) : false;
}

static double lowest_guard(const vd_sim *sim, const vd_state_vector *s, const vd_eval *e) {
  double guard[VD_MODES], lowest = INFINITY;
  for (int i = 0; i < VD_MODES; i++)
    guard[i] = INFINITY;
  vd_model_guards(sim->model, s, e, guard);
  for (int i = 0; i < VD_MODES; i++)
    lowest = fmin(lowest, guard[i]);
  return lowest;
}

/* Settles the modes where the future begins: after the start, a corner, or a brake event. */
static bool settle(vd_sim *sim, double inside, double t) {
  command_at(sim, inside, t, &sim->command);
  bool closed = vd_model_switch(sim->model, &sim->command, &sim->state);
  return evaluate(sim, t) && (closed || fail(sim, VD_SIM_NO_LOADS, t));
}

/* Integrates a trial from `from` (state and rates in sim) over h under ctx's commands; the rates at the end go to ctx. */
static void trial(const vd_sim *sim, step_context *ctx, double h, vd_state_vector *end, double *end_rates) {
  *end = sim->state;
  ctx->closed = true;
  memcpy(ctx->mode, sim->state.mode, sizeof ctx->mode);
  vd_rk4(step_rates, ctx, h, VD_S_SPIN + sim->model->lanes.count, sim->rates, end->x);
  step_rates(ctx, 3, end->x, end_rates);
}

/* Commands for the piece [from, to] of the input. `present` is the command at `from`. */
static void prepare(const vd_sim *sim, double from, double to, double inside, step_context *ctx) {
  ctx->model = sim->model;
  ctx->command[0] = sim->command;
  command_at(sim, inside, 0.5 * (from + to), &ctx->command[1]);
  command_at(sim, inside, to, &ctx->command[2]);
}

/* The length of step, within (0, h), at which the lowest guard falls to zero: bisection on whole Runge-Kutta steps, so
 * that what is found is a state on the very path that is taken. Leaves the end state of that step in *end. */
static double find_event(const vd_sim *sim, double from, double h, double inside, step_context *ctx,
                         vd_state_vector *end, double *end_rates) {
  double low = 0.0, high = h;
  for (int i = 0; i < ROOT_ROUNDS && high - low > root_tolerance * h; i++) {
    double middle = 0.5 * (low + high);
    prepare(sim, from, from + middle, inside, ctx);
    trial(sim, ctx, middle, end, end_rates);
    if (lowest_guard(sim, end, &ctx->eval) < 0.0)
      high = middle;
    else
      low = middle;
  }
  prepare(sim, from, from + high, inside, ctx);
  trial(sim, ctx, high, end, end_rates);
  return high;
}

/* Advances from `from` to `to`, both within one piece of the inputs, splitting at brake events. */
static bool advance(vd_sim *sim, double from, double to) {
  step_context ctx;
  vd_state_vector end;
  double end_rates[VD_STATES], inside = 0.5 * (from + to);
  for (int split = 0; from < to; split++) {
    double h = to - from;
    prepare(sim, from, to, inside, &ctx);
    trial(sim, &ctx, h, &end, end_rates);
    bool event = lowest_guard(sim, &end, &ctx.eval) < 0.0;
    if (event && split >= MAX_SPLITS) {
      /* a brake at the edge of holding: the step goes on in the last mode, and the next one decides anew */
      event = false;
      sim->unsettled++;
    }
    if (event)
      h = find_event(sim, from, h, inside, &ctx, &end, end_rates);
    sim->state = end;
    if (!check_state(sim, from + h))
      return false;
    if (!ctx.closed)
      return fail(sim, VD_SIM_NO_LOADS, from + h);
    from = event ? from + h : to;
    sim->command = ctx.command[2];
    sim->eval = ctx.eval;
    memcpy(sim->rates, end_rates, sizeof sim->rates);
    if (event) {
      sim->splits++;
      if (!settle(sim, inside, from))
        return false;
    }
  }
  return true;
}

void vd_sim_start(vd_sim *sim, const vd_model *model, const vd_inputs *inputs, double x, double y, double yaw,
                  double speed) {
  *sim = (vd_sim){.model = model, .inputs = inputs};
  double h = model->options.step, inside = 0.5 * fmin(h, next_corner(inputs, corner_snap * h));
  command_at(sim, inside, 0.0, &sim->command);
  vd_model_start(model, x, y, yaw, speed, sim->command.steer, &sim->state);
  if (!settle(sim, inside, 0.0))
    return;
  vd_row row;
  vd_sim_row(sim, &row);
  sim->energy0 = row.eval.energy;
}

enum vd_sim_status vd_sim_step(vd_sim *sim) {
  double h = sim->model->options.step, t = (double)sim->step * h, end = (double)(sim->step + 1) * h;
  while (sim->status == VD_SIM_OK && t < end) {
    double corner = next_corner(sim->inputs, t + corner_snap * h);
    double to = corner < end - corner_snap * h ? corner : end;
    if (!advance(sim, t, to))
      break;
    t = to;
    /* at a corner the future differs from the past: look at it from the future's side */
    if (corner <= end + corner_snap * h) {
      double after = fmin(next_corner(sim->inputs, t + corner_snap * h), t + h);
      sim->splits++;
      if (!settle(sim, 0.5 * (t + after), t))
        break;
    }
  }
  sim->step++;
  return sim->status;
}

void vd_sim_row(vd_sim *sim, vd_row *row) {
  row->t = (double)sim->step * sim->model->options.step;
  row->state = sim->state;
  row->eval = sim->eval;
  vd_model_observe(sim->model, &sim->command, &sim->state, sim->energy0, &row->eval);
}
