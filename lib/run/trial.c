#include "run/trial.h"

#include "input/schema.h"
#include "run/subject.h"

#include <math.h>
#include <string.h>

bool vd_trial_read(const vd_scenario_text *from, const vd_search_def *search, double value, vd_arena *arena, vd_diag *d,
                   vd_scenario_def *def) {
  vd_setting *set = vd_arena_alloc(arena, (from->count + 1) * sizeof *set);
  for (size_t i = 0; i < from->count; i++)
    set[i] = from->set[i];
  set[from->count] = vd_setting_of_number(arena, search->key, value);
  int source = vd_diag_add_source(d, from->name, from->text, from->length);
  return vd_scenario_read_source(source, set, from->count + 1, arena, d, def);
}

bool vd_trial_run(const vd_scenario_text *from, const vd_search_def *search, vd_diag *d, vd_trial *trial) {
  vd_arena *arena = vd_arena_create();
  vd_scenario_def *def = vd_arena_alloc(arena, sizeof *def);
  bool read = vd_trial_read(from, search, trial->value, arena, d, def);
  if (read) {
    const vd_run_options options = {.digits = VD_DIGITS_9};
    const vd_subject is = {.kind = VD_KIND_VEHICLE, .as.vehicle = def};
    vd_outcome *out = vd_arena_alloc(arena, sizeof *out);
    vd_subject_run(&is, &options, NULL, arena, out);
    memcpy(trial->failure, out->report.failure, sizeof trial->failure);
    trial->end_time = out->report.end_time;
    const vd_goal_def *goal = search->goals.item;
    for (size_t k = 0; k < search->goals.count; k++) {
      const vd_metric *metric = vd_metric_called(&out->metrics, goal[k].metric);
      trial->metric[k] = metric ? metric->value : NAN;
    }
  }
  vd_arena_destroy(arena);
  return read;
}

bool vd_trial_search(const vd_scenario_text *from, const vd_search_def *def, vd_diag *d, vd_search *s) {
  bool read = true;
  vd_search_init(s, def);
  for (size_t count; read && (count = vd_search_next(s)) > 0;)
    for (size_t i = s->count - count; read && i < s->count; i++)
      read = vd_trial_run(from, def, d, &s->trial[i]);
  return read;
}
