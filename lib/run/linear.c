#include "run/linear.h"

#include "base/memory.h"
#include "run/instance.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t choose_outputs(const vd_scenario_def *def, const vd_channel **output) {
  size_t channels, count = 0;
  const vd_channel *table = vd_channel_table(&channels);
  bool wanted[VD_CHANNELS];
  vd_log_columns(def, wanted);
  for (size_t i = 0; i < channels && count < VD_LINEAR_OUTPUTS; i++)
    if (wanted[i] && strcmp(table[i].unit, "J") != 0 && strcmp(table[i].name, "t_s") != 0)
      output[count++] = &table[i];
  return count;
}

static void run_to(vd_instance *in, double at) {
  while (!vd_instance_has_ended(in) && !((double)(in->sim.step + 1) * in->def->run.step > at))
    vd_instance_step(in, NULL);
  if (!vd_instance_has_ended(in) && in->sim.t < at)
    vd_instance_within(in, at, NULL);
  vd_instance_apply_inputs(in);
}

static const char *failed(const vd_instance *in, double at, bool *ended, char *text, size_t size) {
  vd_instance_failure(in, text, size);
  *ended = *text != '\0';
  if (!*ended && isfinite(at) && in->sim.t < at)
    snprintf(text, size, "--at %g: the run ends at %.9g s", at, in->sim.t);
  return *text ? text : NULL;
}

static void describe(const vd_scenario_def *def, const vd_instance *in, vd_linear_analysis *a) {
  const vd_linear *l = &a->system;
  const vd_command *c = &in->sim.command;
  a->level = in->model.options.level;
  a->t = in->sim.t;
  a->driver = vd_lat_controlled(c->lateral);
  a->closed_loop = c->longitudinal >= VD_LON_ACCELERATION;
  a->delay = def->vehicle.steering.dead_time;
  a->change = 0.0;
  a->changing = -1;
  for (int i = 0; i < l->count; i++) {
    double change = fabs(l->rate[i]) / vd_state_table[l->state[i]].scale;
    if (change > a->change) {
      a->change = change;
      a->changing = l->state[i];
    }
  }
}

static const char *analyse(const vd_scenario_def *def, vd_instance *in, double at, vd_linear_analysis *a, bool *ended,
                           char *text, size_t size) {
  const vd_channel *output[VD_LINEAR_OUTPUTS];
  size_t outputs = choose_outputs(def, output);
  run_to(in, at);
  if (failed(in, at, ended, text, size))
    return text;
  if (!vd_linearise(&in->model, &in->sim.command, &in->sim.state, output, (int)outputs, &a->system))
    return "a derivative is not finite";
  vd_linear_reduce(&a->system, a->left);
  describe(def, in, a);
  a->eigens = vd_linear_eigen(&a->system, &in->model, a->eigen);
  return a->eigens < 0 ? "the eigenvalues could not be found" : NULL;
}

const char *vd_linear_of(const vd_scenario_def *def, double at, vd_linear_analysis *a, bool *ended, char *text,
                         size_t size) {
  vd_scenario_def pushed = *def;
  vd_profile *push = &pushed.inputs.input[VD_IN_PUSH_Y].profile;
  *ended = false;
  if (def->run.level == VD_L0)
    return "the car of level L0 follows its wheels without forces: there is nothing to linearise; L1 and above have "
           "modes";
  if (def->run.level == VD_L5 && def->run.unsprung != VD_UNSPRUNG_HUB && def->run.links == VD_LINKS_STIFF)
    return "wheels on stiff links are free bodies: their modes are motions on the links; 'run.links: rigid' "
           "gives the modes of the car";
  if (def->kind != VD_SCENARIO_FOUR_POST && !vd_profile_is_given(push))
    *push = (vd_profile){.type = VD_PROFILE_CONSTANT};
  vd_instance *in = vd_allocate(1, sizeof *in);
  vd_instance_start(in, &pushed, false);
  const char *why = analyse(&pushed, in, isnan(at) ? INFINITY : at, a, ended, text, size);
  vd_instance_finish(in);
  free(in);
  return why;
}
