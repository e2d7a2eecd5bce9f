/* Controllers within a run: sensors, decisions, requests. */
#include "sim/sim_impl.h"

#include <string.h>

/* The sums of the requests of all controllers at this step. Several controllers can write an input only if its requests
 * add. */
typedef struct totals {
  double from[VD_INPUT_KINDS], slope[VD_INPUT_KINDS]; /* of inputs that a controller writes */
} totals;

static void add_up(const vd_sim *sim, totals *sum) {
  for (int adds = 0; adds < 2; adds++)
    for (size_t i = 0; i < sim->controls->count; i++) {
      const vd_controller_def *def = vd_controls_def(sim->controls, i);
      const vd_request_def *request = def->requests.item;
      for (size_t j = 0; j < def->requests.count; j++) {
        double slope = 0.0, from = adds ? vd_controls_request(sim->controls, i, j, sim->step, &slope) : 0.0;
        sum->from[request[j].index] = adds ? sum->from[request[j].index] + from : 0.0;
        sum->slope[request[j].index] = adds ? sum->slope[request[j].index] + slope : 0.0;
      }
    }
}

/* Sets the requests of controller i that act from this step on, and returns the news. A constant request is news only
 * if its value changes. A request that follows a line acts, but never jumps. */
static enum vd_sim_news turn(vd_sim *sim, const totals *sum, size_t i, double t) {
  const vd_controller_def *def = vd_controls_def(sim->controls, i);
  const vd_request_def *request = def->requests.item;
  const double *mode = vd_controls_modes(sim->controls, i, sim->step);
  enum vd_sim_news news = VD_SIM_NO_NEWS;
  if (mode)
    memcpy(sim->control_mode[def->kind], mode, sizeof sim->control_mode[def->kind]);
  for (size_t j = 0; j < def->requests.count; j++) {
    const enum vd_input input = (enum vd_input)request[j].index;
    const double before =
        sim->inputs.written[input].from + sim->inputs.written[input].slope * (t - sim->inputs.written[input].since);
    const double from = sum->from[input];
    const bool holds = request[j].course == VD_REQUEST_HOLD;
    if (holds && from != before)
      news = VD_SIM_REQUEST_JUMPS;
    else if (!holds && news == VD_SIM_NO_NEWS)
      news = VD_SIM_REQUEST_ACTS;
    sim->inputs.written[input].from = from;
    sim->inputs.written[input].slope = sum->slope[input];
    sim->inputs.written[input].since = t;
  }
  return news;
}

void vd_sim_start_controls(vd_sim *sim) {
  for (size_t i = 0; i < sim->controls->count; i++) {
    const vd_controller_def *def = vd_controls_def(sim->controls, i);
    const vd_request_def *request = def->requests.item;
    for (size_t j = 0; j < def->requests.count; j++)
      vd_inputs_give(&sim->inputs, (enum vd_input)request[j].index);
    for (size_t j = 0; j < def->requests.count; j++)
      sim->inputs.written[request[j].index].from += vd_controls_start_value(sim->controls, i, j);
  }
}

/* Computes the row for the controllers that decide at this step, with everything that one of them reads. */
static void fill_row(const vd_sim *sim, const vd_channel *channel, vd_row *row) {
  unsigned view = 0;
  for (size_t i = 0; i < sim->controls->count; i++) {
    const vd_controller_def *def = vd_controls_def(sim->controls, i);
    const vd_sensor_def *sensor = def->sensors.item;
    for (size_t s = 0; s < def->sensors.count && vd_controls_due(sim->controls, i, sim->step); s++)
      view |= vd_channel_view(&channel[sensor[s].index]);
  }
  if (view)
    vd_sim_fill_row(sim, &sim->command, &sim->state, &sim->eval, view, row);
}

static bool decide(const vd_sim *sim, size_t i, const vd_channel *channel, const vd_row *row) {
  const vd_controller_def *def = vd_controls_def(sim->controls, i);
  const vd_sensor_def *sensor = def->sensors.item;
  double sensed[VD_SENSORS];
  for (size_t s = 0; s < def->sensors.count; s++)
    sensed[s] = vd_channel_value(&channel[sensor[s].index], row);
  return vd_controls_decide(sim->controls, i, sim->step, sensed);
}

enum vd_sim_news vd_sim_control(vd_sim *sim, double t) {
  enum vd_sim_news news = VD_SIM_NO_NEWS;
  size_t channels;
  const vd_channel *channel = vd_channel_table(&channels);
  vd_row row;
  fill_row(sim, channel, &row);
  for (size_t i = 0; i < sim->controls->count; i++)
    if (vd_controls_due(sim->controls, i, sim->step) && !decide(sim, i, channel, &row))
      return VD_SIM_CONTROL_FAILED;
  totals sum;
  bool added = false;
  for (size_t i = 0; i < sim->controls->count; i++)
    if (vd_controls_turn(sim->controls, i, sim->step)) {
      if (!added)
        add_up(sim, &sum);
      added = true;
      const enum vd_sim_news own = turn(sim, &sum, i, t);
      news = own > news ? own : news;
    }
  return news;
}
