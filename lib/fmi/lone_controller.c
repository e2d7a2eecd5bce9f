#include "fmi/lone_controller.h"

#include <math.h>
#include <string.h>

/* Importers compute times as sums of steps. A time that differs from an instant of the grid by less than this share of
 * a step is taken as this instant. */
static const double snap = 1e-6;

size_t vd_lone_find(const vd_case *c, const char *kind) {
  for (size_t i = 0; i < c->def->all_controllers.count; i++) {
    const vd_controller_def *def = vd_lone_def(c, i);
    if (!vd_controller_is_outside(def) && strcmp(vd_controller_kind_name(def), kind) == 0)
      return i;
  }
  return VD_NONE;
}

const vd_controller_def *vd_lone_def(const vd_case *c, size_t controller) {
  return (const vd_controller_def *)c->def->all_controllers.item + controller;
}

bool vd_lone_start(vd_run *run) {
  return vd_controls_start(run->instance.controls);
}

const char *vd_lone_failure(const vd_run *run) {
  return run->instance.controls->failure;
}

/* Returns the first instant of the grid that is not before t, in steps. */
static long instant_from(const vd_run *run, double t) {
  return (long)ceil(t / run->of->def->run.step - snap);
}

bool vd_lone_decide(vd_run *run, size_t controller, double from, double to, const double *sensed) {
  vd_controls *all = run->instance.controls;
  for (long step = instant_from(run, from); step < instant_from(run, to); step++)
    if (vd_controls_due(all, controller, step) && !vd_controls_decide(all, controller, step, sensed))
      return false;
  return true;
}

double vd_lone_request(const vd_run *run, size_t controller, size_t j, double t) {
  const vd_controls *all = run->instance.controls;
  const double h = run->of->def->run.step;
  long last = instant_from(run, t) - 1, turned = last;
  double rate;
  if (last < 0)
    return vd_controls_start_value(all, controller, j);
  while (turned > 0 && !vd_controls_turn(all, controller, turned))
    turned--;
  const double value = vd_controls_request(all, controller, j, last, &rate);
  return value + rate * (t - (double)turned * h);
}
