#include "run/subject.h"

#include "input/schema.h"
#include "kc/sweep.h"
#include "linkage/corner_def.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- reading --- */

bool vd_subject_read(enum vd_kind kind, int source, const vd_setting *settings, size_t count, vd_arena *arena,
                     vd_diag *d, vd_buf *text, vd_subject *out) {
  bool good = false;
  const void *def = NULL; /* the object that the schema writes */
  out->kind = kind;
  switch (kind) {
  case VD_KIND_VEHICLE:
    def = out->as.vehicle = vd_arena_alloc(arena, sizeof *out->as.vehicle);
    good = vd_scenario_read_source(source, settings, count, arena, d, out->as.vehicle);
    break;
  case VD_KIND_TYRE_RIG:
    def = out->as.rig = vd_arena_alloc(arena, sizeof *out->as.rig);
    good = vd_rig_read_source(source, settings, count, arena, d, out->as.rig);
    break;
  case VD_KIND_TRACK_CAR:
    def = out->as.track = vd_arena_alloc(arena, sizeof *out->as.track);
    good = vd_track_read_source(source, settings, count, arena, d, out->as.track);
    break;
  case VD_KIND_ENVELOPE:
  case VD_KIND_DIAGRAM:
  case VD_KIND_LAP:
    def = out->as.limits = vd_arena_alloc(arena, sizeof *out->as.limits);
    good = vd_limits_read_source(kind, source, settings, count, arena, d, out->as.limits);
    break;
  case VD_KIND_SUSPENSION:
    out->as.corner = vd_arena_alloc(arena, sizeof *out->as.corner);
    return vd_corner_read_source(source, settings, count, arena, d, out->as.corner, text);
  case VD_KIND_TYRE_FIT:
  case VD_KIND_RUN_FIT:
  case VD_KIND_OPTIMISE:
  case VD_KIND_STUDY: return false;
  }
  if (good && text)
    vd_schema_write(vd_kinds[kind].schema, def, text);
  return good;
}

bool vd_subject_searches(const vd_subject *s) {
  return s->kind == VD_KIND_VEHICLE && vd_search_asked(&s->as.vehicle->search);
}

/* --- metrics --- */

static void add_metric(vd_metrics *all, const char *name, const char *unit, double value) {
  if (all->count < VD_METRICS_MAX)
    all->metric[all->count++] = (vd_metric){.name = name, .unit = unit, .value = value, .definition = ""};
}

static void list_vehicle(const vd_scenario_def *def, vd_arena *arena, vd_metrics *all) {
  if (vd_search_asked(&def->search)) {
    vd_search none;
    vd_search_init(&none, &def->search);
    vd_search_next(&none); /* adds the first trials, which are listed but not run */
    vd_search_metrics(&none, arena, all);
    vd_search_finish(&none);
    return;
  }
  vd_metrics_add_rows(vd_metric_sets[0], all);
  for (size_t i = 0; i < def->metrics.sets.count; i++)
    vd_metrics_add_rows(vd_metric_set_called(def->metrics.sets.name[i]), all);
}

void vd_subject_metrics(const vd_subject *s, vd_arena *arena, vd_metrics *all) {
  all->count = 0;
  if (s->kind == VD_KIND_VEHICLE) {
    list_vehicle(s->as.vehicle, arena, all);
  } else if (s->kind == VD_KIND_SUSPENSION) {
    const vd_kc_figure_info *f;
    for (size_t i = 0; (f = vd_kc_metric_at(i)); i++)
      add_metric(all, f->name, f->unit, NAN);
  } else {
    for (size_t i = 0; i < vd_kinds[s->kind].sets; i++)
      vd_metrics_add_rows(vd_kinds[s->kind].set[i], all);
  }
}

/* --- running --- */

static void drive(const vd_scenario_def *def, const vd_run_options *options, vd_output *log, vd_outcome *out) {
  vd_recorder recorder;
  vd_recorder_init(&recorder, true);
  vd_simulate(def, options, log, &recorder, &out->report);
  vd_run_metrics(def, &recorder, &out->metrics);
  out->peak_kinetic = recorder.peak_kinetic;
  out->peak_ledger = recorder.peak_ledger;
  vd_recorder_finish(&recorder);
}

static const char *sweep(const vd_corner *corner, vd_arena *arena, vd_metrics *out) {
  const vd_kc_plan plan = vd_kc_plan_default();
  const char *failure = NULL;
  vd_kc_metrics figures;
  vd_kc_report report;
  bool good = vd_kc_metrics_of(corner, &plan, &figures, &report);
  for (size_t i = 0; good && i < figures.count; i++) {
    const vd_kc_metric *m = &figures.metric[i];
    add_metric(out, vd_kc_figures[m->figure].name, vd_kc_figures[m->figure].unit, m->value);
    snprintf(out->metric[out->count - 1].reason, sizeof out->metric->reason, "%s", m->reason);
  }
  if (!good)
    failure = vd_arena_printf(arena, "%s", report.messages.length ? report.messages.text : "there is no linkage");
  vd_buf_finish(&report.messages);
  return failure;
}

bool vd_subject_run(const vd_subject *s, const vd_run_options *options, vd_output *log, vd_arena *arena,
                    vd_outcome *out) {
  out->metrics.count = 0;
  out->failure = NULL;
  out->report = (vd_run_report){.status = VD_SIM_OK};
  switch (s->kind) {
  case VD_KIND_VEHICLE: drive(s->as.vehicle, options, log, out); break;
  case VD_KIND_TYRE_RIG:
    if (options->values)
      vd_rig_run(s->as.rig, options, log, &out->report);
    else
      vd_rig_measure(s->as.rig, options, log, &out->metrics, &out->report);
    break;
  case VD_KIND_TRACK_CAR: vd_track_run(s->as.track, options, log, &out->metrics, &out->report); break;
  case VD_KIND_ENVELOPE:
  case VD_KIND_DIAGRAM:
  case VD_KIND_LAP: vd_limits_run(s->as.limits, options, log, &out->metrics, &out->report); break;
  case VD_KIND_SUSPENSION: out->failure = sweep(s->as.corner, arena, &out->metrics); break;
  case VD_KIND_TYRE_FIT:
  case VD_KIND_RUN_FIT:
  case VD_KIND_OPTIMISE:
  case VD_KIND_STUDY: out->failure = "a study, a fit or an optimisation consists of many runs"; break;
  }
  if (out->report.status != VD_SIM_OK)
    out->failure = vd_arena_printf(arena, "%s", out->report.failure);
  return out->failure == NULL;
}

/* --- trials --- */

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
