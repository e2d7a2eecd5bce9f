#include "run/instance.h"

#include "base/memory.h"
#include "run/scenario_impl.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool at_start(const vd_instance *in) {
  return in->sim.step == 0 && in->sim.t <= 0.0;
}

static void start(vd_instance *in) {
  vd_sim_setup setup = vd_scenario_setup(in->def);
  setup.outside = &in->outside;
  setup.controls = in->controls;
  bool started = !in->controls || vd_controls_start(in->controls);
  vd_sim_start(&in->sim, &in->model, &setup);
  if (!started && in->sim.status == VD_SIM_OK)
    in->sim.status = VD_SIM_CONTROLLER;
  in->kept = VD_BACK_NONE;
  in->unsettled = false;
}

void vd_instance_restart(vd_instance *in) {
  for (int i = 0; i < VD_INPUT_KINDS; i++) {
    in->outside.input[i].profile = (vd_profile){.type = VD_PROFILE_NONE};
    in->set[i] = false;
  }
  if (in->widened)
    vd_scenario_model(in->def, false, &in->model);
  in->widened = false;
  start(in);
}

void vd_instance_start(vd_instance *in, const vd_scenario_def *def, bool driven) {
  memset(in, 0, offsetof(vd_instance, model));
  in->def = def;
  in->driven = driven;
  in->steps = vd_scenario_steps(def);
  vd_scenario_model(def, false, &in->model);
  in->controls = vd_scenario_controls(def, &in->model);
  vd_instance_restart(in);
}

void vd_instance_finish(vd_instance *in) {
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    free(in->points[i]);
  vd_controls_destroy(in->controls);
}

bool vd_instance_allows(const vd_instance *in, enum vd_input i) {
  if (vd_scenario_displaced(in->def, i))
    return false;
  if (i >= VD_IN_WIND_X && i <= VD_IN_DRAWBAR)
    return in->model.options.pushed;
  if (vd_scenario_no_road(in->def, i))
    return false;
  if (i >= VD_IN_DRIVE_REQUEST_FL && i <= VD_IN_BRAKE_VALVE_RR)
    return in->model.options.requests;
  /* a prescribed motion that starts during the run would be a jump */
  if (i >= VD_IN_PRESCRIBED_SPEED && i <= VD_IN_PRESCRIBED_YAW)
    return false;
  return i != VD_IN_ACCELERATION || in->model.options.acceleration_control || at_start(in);
}

static void reserve(vd_instance *in, enum vd_input i, size_t points) {
  if (points <= in->room[i])
    return;
  size_t room = points > 2 * in->room[i] + 4 ? points : 2 * in->room[i] + 4;
  in->points[i] = vd_reallocate(in->points[i], 2 * room, sizeof *in->points[i]);
  if (vd_profile_is_given(&in->outside.input[i].profile))
    in->outside.input[i].profile.as.table.points.xy = in->points[i];
  in->room[i] = room;
}

/* Appends a point to the table of an input. Points that no step from t on needs are dropped first. */
static void add_point(vd_instance *in, enum vd_input i, double t, double value) {
  vd_points *points = &in->outside.input[i].profile.as.table.points;
  double *xy = in->points[i];
  size_t old = 0;
  while (old + 1 < points->count && xy[2 * (old + 1)] <= t - in->sim.inputs.dead_time)
    old++;
  if (old > 0)
    memmove(xy, xy + 2 * old, 2 * (points->count - old) * sizeof *xy);
  points->count -= old;
  if (points->count > 0 && !(xy[2 * (points->count - 1)] < t))
    points->count--;
  reserve(in, i, points->count + 1);
  xy = in->points[i];
  xy[2 * points->count] = t;
  xy[2 * points->count + 1] = value;
  points->xy = xy;
  points->count++;
}

void vd_instance_outside(vd_instance *in, enum vd_input i, bool given, size_t points) {
  vd_profile *profile = &in->outside.input[i].profile;
  *profile = (vd_profile){.type = VD_PROFILE_NONE};
  if (!given)
    return;
  profile->type = VD_PROFILE_TABLE;
  profile->as.table = (vd_profile_table){.points = {in->points[i], points}, .interpolation = VD_INTERPOLATE_HOLD};
}

/* Builds the model with or without the state of acceleration control, which it has only if the run needs it. */
static void widen(vd_instance *in, bool acceleration) {
  if (acceleration == in->model.options.acceleration_control)
    return;
  vd_scenario_model(in->def, acceleration, &in->model);
  in->widened = acceleration;
}

void vd_instance_reserve(vd_instance *in, const size_t *points, bool acceleration) {
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    reserve(in, (enum vd_input)i, points[i]);
  widen(in, acceleration);
}

void vd_instance_set(vd_instance *in, enum vd_input i, double value) {
  bool first = at_start(in);
  if (i == VD_IN_ACCELERATION)
    widen(in, true);
  if (!first && in->kept != VD_BACK_CORNER) {
    vd_sim_copy(&in->sim, &in->back);
    in->kept = VD_BACK_CORNER;
  }
  if (in->outside.input[i].profile.type == VD_PROFILE_NONE)
    vd_instance_outside(in, i, true, 0);
  add_point(in, i, in->sim.t, value);
  for (int k = 0; k < VD_INPUT_KINDS; k++)
    if (vd_inputs_displace(i, (enum vd_input)k)) {
      in->set[k] = false;
      if (first)
        in->outside.input[k].profile.type = VD_PROFILE_NONE;
    }
  in->set[i] = in->unsettled = true;
}

void vd_instance_apply_inputs(vd_instance *in) {
  if (!in->unsettled)
    return;
  if (at_start(in)) {
    start(in);
    return;
  }
  vd_sim_copy(&in->back, &in->sim);
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    if (in->set[i])
      vd_inputs_take(&in->sim.inputs, (enum vd_input)i, &in->outside.input[i].profile, in->sim.t,
                     in->sim.command.steer);
  vd_sim_decide_modes(&in->sim);
  in->unsettled = false;
}

bool vd_instance_on_grid(const vd_instance *in) {
  return in->sim.t <= (double)in->sim.step * in->def->run.step;
}

bool vd_instance_has_ended(const vd_instance *in) {
  return in->sim.status != VD_SIM_OK || in->sim.ended || in->sim.step >= in->steps;
}

/* Leaves the present instant: inputs can no longer be set at it. */
static void leave(vd_instance *in) {
  vd_instance_apply_inputs(in);
  if (in->kept == VD_BACK_CUT)
    vd_sim_copy(&in->back, &in->sim);
  in->kept = VD_BACK_NONE;
  memset(in->set, 0, sizeof in->set);
}

/* Interval between computations of the ledger, s. The ledger is also computed at the end of the run. One computation
 * takes a third of the time of a step. An energy error remains in the residual, so that a later computation finds
 * it. */
static const double watch_interval = 0.2;

static void watch(vd_instance *in) {
  vd_sim *sim = &in->sim;
  long steps = (long)vd_max(watch_interval / in->def->run.step, 1.0);
  bool due = vd_instance_on_grid(in) && sim->step % steps == 0;
  if (sim->status == VD_SIM_OK && (due || vd_instance_has_ended(in)))
    vd_sim_watch_ledger(sim);
}

/* Handles the arrival at a corner of an input. The modes may change here, also because of inputs that are set at this
 * instant. */
static void arrive(vd_instance *in) {
  watch(in);
  if (!in->sim.corner || in->sim.status != VD_SIM_OK)
    return;
  if (in->driven) {
    vd_sim_copy(&in->sim, &in->back);
    in->kept = VD_BACK_CORNER;
  }
  vd_sim_decide_modes(&in->sim);
  if (in->sim.ended)
    watch(in);
}

void vd_instance_step(vd_instance *in, vd_sim_rows *rows) {
  leave(in);
  vd_sim_integrate(&in->sim, INFINITY, rows);
  arrive(in);
}

/* Ends a run with the result of a whole step, with the same bits as without cuts. A cut step only shows that the end is
 * near. False if the whole step does not end the run, for example because the speed is below its lowest value only for
 * a moment; the result of the cut step then remains. */
static bool end_in_whole_step(vd_instance *in, vd_sim_rows *rows, int count) {
  vd_sim cut;
  vd_sim_copy(&in->sim, &cut);
  vd_sim_copy(&in->back, &in->sim);
  if (rows)
    rows->count = count;
  vd_sim_integrate(&in->sim, INFINITY, rows);
  if (in->sim.ended || in->sim.status != VD_SIM_OK)
    return true;
  vd_sim_copy(&cut, &in->sim);
  in->sim.ended = false;
  return false;
}

void vd_instance_within(vd_instance *in, double t, vd_sim_rows *rows) {
  int count = rows ? rows->count : 0;
  leave(in);
  vd_sim_copy(&in->sim, &in->back);
  bool cut = vd_sim_integrate(&in->sim, t, rows);
  if (in->sim.ended)
    cut = !end_in_whole_step(in, rows, count);
  in->kept = cut ? VD_BACK_CUT : VD_BACK_NONE;
  if (!cut)
    arrive(in);
}

void vd_instance_row(vd_instance *in, unsigned view, vd_row *row) {
  vd_instance_apply_inputs(in);
  vd_sim_row(&in->sim, view, row);
}

void vd_instance_prepare(vd_instance *in, vd_recorder *recorder) {
  const vd_names *sets = &in->def->metrics.sets;
  unsigned needs = 0; /* VD_NEEDS_* */
  for (size_t i = 0; i < sets->count; i++) {
    const vd_metric_set *set = vd_metric_set_called(sets->name[i]);
    needs |= set->needs;
    recorder->view |= set->view;
  }
  recorder->keeps |= recorder->keep ? needs & VD_NEEDS_SAMPLES : 0;
  recorder->model = &in->model;
  recorder->command = &in->sim.command;
  recorder->unread = vd_metrics_row_size(sets->name, sets->count) == 0;
  vd_recorder_choose(recorder);
  vd_ledger_share_start(&in->model, &recorder->ledger);
  if (recorder->keep)
    vd_error_start(&in->sim.state, &in->sim.error);
  recorder->mass = in->model.vehicle.masses.total;
  recorder->stands = (needs & VD_NEEDS_STATICS) && in->sim.status == VD_SIM_OK &&
                     vd_model_statics(&in->model, &in->sim.command, &in->sim.state, &recorder->statics);
  recorder->car = vd_metrics_car_of(&in->model);
  /* the set `modes` describes the car in its state at the start */
  recorder->linearised = (needs & VD_NEEDS_MODES) && recorder->keep && in->sim.status == VD_SIM_OK &&
                         vd_modes_at(&in->model, &in->sim.command, &in->sim.state, &recorder->modes);
}

/* Describes which part of the ledger did not close; returns the length of the text. */
static int describe_ledger(const vd_ledger_share *l, char *text, size_t size) {
  return snprintf(text, size,
                  "%.3g J %s between t = %.9g and %.9g s near x = %.4g m, y = %.4g m: %.2g of the energy that passed "
                  "through the run",
                  fabs(l->residual), l->residual < 0.0 ? "vanished" : "appeared without work", l->from, l->to, l->x,
                  l->y, l->share);
}

void vd_instance_doubt(const vd_instance *in, const vd_recorder *recorder, char *text, size_t size) {
  static const double doubtful = 1e-3;
  const vd_ledger_share *l = &in->sim.ledger;
  if (recorder && !(recorder->ledger.share <= l->share))
    l = &recorder->ledger;
  if (size > 0)
    *text = '\0';
  if (in->sim.status != VD_SIM_OK)
    return;
  if (!(l->share <= doubtful))
    describe_ledger(l, text, size);
  else if (in->sim.overloaded)
    snprintf(text, size,
             "from t = %.4g s on, the loads of the %s wheel were at times beyond the map of its bushings, "
             "so that they did not displace it further",
             in->sim.overloaded_from, vd_wheel_words[in->sim.overloaded_wheel]);
}

void vd_instance_failure(const vd_instance *in, char *text, size_t size) {
  const vd_sim *sim = &in->sim;
  if (size > 0)
    *text = '\0';
  switch (sim->status) {
  case VD_SIM_OK: break;
  case VD_SIM_BAD_STATE:
    snprintf(text, size, "state %s [%s] is no longer finite at t = %.9g s (step %ld)",
             vd_state_table[sim->failure_index].name, vd_state_table[sim->failure_index].unit, sim->failure_time,
             sim->step);
    break;
  case VD_SIM_OVERTURNED:
    snprintf(text, size, "the car has overturned at t = %.9g s; the model has contact with the road only at the tyres",
             sim->failure_time);
    break;
  case VD_SIM_STRUCK:
    snprintf(text, size,
             "the body has struck the ground at t = %.9g s; the model has contact with the road only at the tyres",
             sim->failure_time);
    break;
  case VD_SIM_CRUSHED:
    snprintf(text, size, "the %s tyre is deflected by %.3g m, more than its radius of %.3g m, at t = %.9g s",
             vd_wheel_words[sim->failure_index], sim->eval.contact.deflection[sim->failure_index],
             sim->model->ride.free_radius[sim->failure_index], sim->failure_time);
    break;
  case VD_SIM_OFF_ROAD:
    snprintf(text, size,
             "the %s wheel %s the measured road at t = %.9g s, near x = %.3g m, y = %.3g m: its file has "
             "no road there (BORDER_MODE_U or _V 0, or GRID_NAN_MODE 0; 2 goes on with the last height)",
             vd_wheel_words[sim->failure_index], sim->failure_time > 0.0 ? "has left" : "stands beside",
             sim->failure_time, sim->failure_place[0], sim->failure_place[1]);
    break;
  case VD_SIM_LOST:
    snprintf(text, size,
             "the car has lost its path: from t = %.4g s on it was more than 20 m off it or faced away from it; at "
             "t = %.9g s it is near x = %.4g m, y = %.4g m, %.3g m beside it (run.lost_after: 0 goes on)",
             sim->off_since, sim->failure_time, sim->failure_place[0], sim->failure_place[1],
             fabs(sim->eval.motion.path_error));
    break;
  case VD_SIM_LEDGER: {
    size_t length = (size_t)describe_ledger(&sim->ledger, text, size);
    if (length < size)
      snprintf(text + length, size - length, ", above run.ledger_limit (%g)", sim->ledger_limit);
    break;
  }
  case VD_SIM_CONTROLLER:
    snprintf(text, size, "at t = %.9g s a controller failed: %s", sim->failure_time, in->controls->failure);
    break;
  case VD_SIM_OUT_OF_REACH: {
    const vd_axis *axis = &sim->model->ride.link.map[sim->failure_index]->travel;
    snprintf(text, size, "the %s wheel has left the travel of %.3g to %.3g m that its linkage reaches, at t = %.9g s",
             vd_wheel_words[sim->failure_index], axis->from, axis->from + axis->cells * axis->step, sim->failure_time);
    break;
  }
  case VD_SIM_OUT_OF_RACK:
    snprintf(
        text, size,
        "the rear wheels are steered by more than the %.3g deg that their rack covers, at t = %.9g s; request less",
        sim->model->vehicle.axle[VD_REAR].map->most_steer * 180.0 / VD_PI, sim->failure_time);
    break;
  case VD_SIM_NO_LOADS:
    if (vd_model_linked(sim->model)) {
      snprintf(text, size, "a linkage, or a wheel in its bushings, found no position at t = %.9g s (step %ld)",
               sim->failure_time, sim->step);
      break;
    }
    snprintf(text, size,
             "wheel loads and tyre forces found no balance at t = %.9g s (step %ld); the car is about to tip",
             sim->failure_time, sim->step);
    break;
  }
}
