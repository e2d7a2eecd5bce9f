#include "scene.h"

#include "input/schema.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bail_out(scene *s, const char *why) {
  vd_diag_print(s->diag, stderr, false);
  printf("Bail out! the test's scenario %s\n", why);
  exit(2);
}

/* Returns whether the messages that a key or point has no effect are those that contain `words'; NULL: none may be. */
static bool has_effect(const vd_diag *d, const char *words) {
  bool found = false, other = false;
  for (size_t i = 0; i < vd_diag_count(d); i++) {
    enum vd_severity severity;
    vd_place at;
    const char *text;
    vd_diag_message(d, i, &severity, &at, &text);
    bool without = strstr(text, "no effect"), meant = words && strstr(text, words);
    found |= without && meant;
    other |= without && !meant;
  }
  return !other && found == (words != NULL);
}

scene *scene_make(const char *yaml, ...) {
  scene *s = calloc(1, sizeof *s);
  s->arena = vd_arena_create();
  s->diag = vd_diag_create();
  vd_setting setting[32];
  size_t count = 0;
  va_list args;
  va_start(args, yaml);
  bool named = false;
  const char *idle = NULL;
  for (const char *text; (text = va_arg(args, const char *));) {
    if (count == VD_COUNT(setting))
      bail_out(s, "has too many settings");
    named |= strncmp(text, "run.step=", 9) == 0;
    if (strncmp(text, "no effect: ", 11) == 0)
      idle = text + 11;
    else
      setting[count++] = (vd_setting){.text = text};
  }
  va_end(args);

  int source = vd_diag_add_source(s->diag, "scenarios/iso/test.yaml", yaml, strlen(yaml));
  if (!vd_scenario_read_source(source, setting, count, s->arena, s->diag, &s->def))
    bail_out(s, "was refused");
  if (!has_effect(s->diag, idle))
    bail_out(s, idle ? "was expected to have a key without effect" : "has a key without effect");
  if (!named)
    s->def.run.step = vd_run_stable_step(&s->def.run);
  scene_build(s);
  return s;
}

void scene_build(scene *s) {
  vd_sim_setup setup = vd_scenario_setup(&s->def);
  vd_scenario_model(&s->def, false, &s->model);
  vd_controls_destroy(s->controls);
  setup.controls = s->controls = vd_scenario_controls(&s->def, &s->model);
  if (s->controls && !vd_controls_start(s->controls))
    tap_diag("a controller failed: %s", s->controls->failure);
  vd_sim_start(&s->sim, &s->model, &setup);
}

void scene_free(scene *s) {
  vd_controls_destroy(s->controls);
  vd_diag_destroy(s->diag);
  vd_arena_destroy(s->arena);
  free(s);
}

void scene_restep(scene *s, double step) {
  s->def.run.step = step;
  s->def.run.accuracy = 0.0;
  scene_build(s);
}

void scene_restart(scene *s) {
  vd_sim *sim = &s->sim;
  vd_model_end_step(sim->model, &sim->command, &sim->state);
  if (!vd_model_switch(sim->model, &sim->command, &sim->state, &sim->eval, sim->rates, &sim->sought))
    sim->status = VD_SIM_NO_LOADS;
  sim->energy0 = 0.0;
  sim->energy0 = scene_row(s).eval.log.ledger;
}

void scene_run(scene *s, double t) {
  long target = lround(t / s->def.run.step);
  while (s->sim.step < target && s->sim.status == VD_SIM_OK)
    vd_sim_step(&s->sim);
  if (s->sim.status != VD_SIM_OK)
    tap_diag("the run failed: status %d at t = %g s", (int)s->sim.status, s->sim.failure_time);
}

vd_row scene_row(scene *s) {
  vd_row row;
  memset(&row, 0, sizeof row);
  vd_sim_row(&s->sim, VD_VIEW_ALL, &row);
  return row;
}

vd_masses masses_of(const vd_vehicle_def *v) {
  vd_vehicle built;
  vd_vehicle_dimensions(v, &built);
  return built.masses;
}

double sprung_yaw_inertia_of(const vd_vehicle_def *v) {
  vd_vehicle built;
  vd_vehicle_dimensions(v, &built);
  return vd_vehicle_sprung_yaw_inertia(&built);
}
