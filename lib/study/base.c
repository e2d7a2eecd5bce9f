/* What a study varies: a scenario of a vehicle or a track car, or a suspension. */
#include "study/study_impl.h"

#include "base/memory.h"
#include "input/file.h"
#include "kc/sweep.h"
#include "run/track_run.h"
#include "run/trial.h"
#include "suspension/corner_def.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What was read of a case; of one kind. */
typedef struct subject {
  vd_scenario_def *vehicle;
  vd_track_def *track;
  vd_corner *corner;
} subject;

static int register_text(const vd_study *s, vd_diag *d) {
  return vd_diag_add_source(d, s->path, s->text, s->length);
}

/* effective (may be NULL): of a suspension, its complete file. */
static bool read_subject(const vd_study *s, int source, const vd_setting *set, size_t count, vd_arena *arena,
                         vd_diag *d, vd_buf *effective, subject *out) {
  *out = (subject){.vehicle = NULL};
  switch (s->kind) {
  case VD_KIND_TRACK_CAR:
    out->track = vd_arena_alloc(arena, sizeof *out->track);
    return vd_track_read_source(source, set, count, arena, d, out->track);
  case VD_KIND_SUSPENSION:
    out->corner = vd_arena_alloc(arena, sizeof *out->corner);
    return vd_corner_read_source(source, set, count, arena, d, out->corner, effective);
  case VD_KIND_VEHICLE:
    out->vehicle = vd_arena_alloc(arena, sizeof *out->vehicle);
    return vd_scenario_read_source(source, set, count, arena, d, out->vehicle);
  case VD_KIND_TYRE_RIG:
  case VD_KIND_FIT:
  case VD_KIND_RUN_FIT:
  case VD_KIND_STUDY: break; /* refused when the study is read */
  }
  return false;
}

/* Its first error. */
static void first_error(const vd_diag *d, char *text, size_t size) {
  enum vd_severity severity = VD_REMARK;
  const char *words = "";
  vd_place at;
  for (size_t i = 0; i < vd_diag_count(d) && severity != VD_ERROR; i++)
    vd_diag_message(d, i, &severity, &at, &words);
  snprintf(text, size, "%s", words);
}

/* --- metrics --- */

static void add_metric(vd_metrics *all, const char *name, const char *unit) {
  if (all->count < VD_METRICS_MAX)
    all->metric[all->count++] = (vd_metric){.name = name, .unit = unit, .value = NAN, .definition = ""};
}

static void list_metrics(const subject *of, vd_arena *arena, vd_metrics *all) {
  size_t count;
  all->count = 0;
  if (of->corner) {
    const vd_kc_metric_info *info = vd_kc_metric_table(&count);
    for (size_t i = 0; i < count; i++)
      add_metric(all, info[i].name, info[i].unit);
  } else if (of->track) {
    vd_metrics_add_rows(&vd_track_metrics, all);
  } else if (vd_search_asked(&of->vehicle->search)) {
    vd_search none;
    vd_search_init(&none, &of->vehicle->search);
    vd_search_next(&none); /* the first trials, which are not run, but have their places */
    vd_search_metrics(&none, arena, all);
    vd_search_finish(&none);
  } else {
    vd_metrics_add_rows(vd_metric_sets[0], all);
    for (size_t i = 0; i < of->vehicle->metrics.sets.count; i++)
      vd_metrics_add_rows(vd_metric_set_called(of->vehicle->metrics.sets.name[i]), all);
  }
}

static void no_metric(vd_study_reading *r, size_t i, const vd_metrics *all) {
  const char *names[VD_METRICS_MAX], *wanted = r->study->def.metrics.name[i];
  char path[40];
  for (size_t k = 0; k < all->count; k++)
    names[k] = all->metric[k].name;
  const char *near = vd_suggest(wanted, names, all->count);
  snprintf(path, sizeof path, "metrics.%zu", i);
  vd_error(r->d, vd_tree_place(r->study->root, path), "no metric of what is varied is called '%s'%s%s%s", wanted,
           near ? "; did you mean '" : "", near ? near : "",
           near ? "'?" : "; a scenario has the sets that its key metrics asks for");
}

/* In the order of the scenario's, each once. */
static void choose_metrics(vd_study_reading *r, const vd_metrics *all) {
  vd_study *s = r->study;
  vd_metric_info *chosen = vd_arena_alloc(s->arena, (all->count + 1) * sizeof *chosen);
  bool used[VD_METRICS_MAX] = {false};
  for (size_t i = 0; i < s->def.metrics.count; i++) {
    bool any = false;
    for (size_t k = 0; k < all->count; k++)
      if (fnmatch(s->def.metrics.name[i], all->metric[k].name, 0) == 0)
        any = used[k] = true;
    if (!any)
      no_metric(r, i, all);
  }
  for (size_t k = 0; k < all->count; k++)
    if (used[k])
      chosen[s->metrics++] = (vd_metric_info){all->metric[k].name, all->metric[k].unit, ""};
  s->metric = chosen;
}

/* --- reading --- */

static bool find_kind(vd_study_reading *r) {
  vd_study *s = r->study;
  bool scenario = *s->def.scenario != '\0', suspension = *s->def.suspension != '\0';
  vd_place at = vd_tree_place(s->root, suspension ? "suspension" : "scenario");
  int source;
  if (scenario == suspension) {
    vd_error(r->d, at, "a study varies either a scenario or a suspension: one of the keys 'scenario' and 'suspension'");
    return false;
  }
  if (!vd_schema_slurp(scenario ? s->def.scenario : s->def.suspension, r->d, &source))
    return false;
  const char *text, *name = vd_diag_source_name(r->d, source);
  if (scenario)
    s->def.scenario = vd_file_full(s->arena, s->def.scenario);
  else
    s->def.suspension = vd_file_full(s->arena, s->def.suspension);
  s->length = vd_diag_source_text(r->d, source, &text);
  s->text = vd_arena_copy(s->arena, text, s->length);
  s->path = vd_arena_copy(s->arena, name, strlen(name));
  s->kind = suspension ? VD_KIND_SUSPENSION : vd_kind_of(source, r->d);
  if (s->kind == VD_KIND_TYRE_RIG || s->kind == VD_KIND_FIT || s->kind == VD_KIND_RUN_FIT || s->kind == VD_KIND_STUDY) {
    vd_error(r->d, at, "vehicles, track cars and suspensions can be varied; '%s' is a %s", s->path,
             vd_kinds[s->kind].name);
    return false;
  }
  return true;
}

static void write_plain(vd_study *s, const subject *is, vd_diag *d, vd_buf *text) {
  if (is->track)
    vd_schema_write(&vd_track_schema, is->track, text);
  else if (is->vehicle)
    vd_schema_write(&vd_scenario_schema, is->vehicle, text);
  const char *kept = vd_arena_copy(s->arena, text->text ? text->text : "", text->length);
  if (text->length > 0)
    s->plain = vd_tree_parse(s->arena, d, vd_diag_add_source(d, "resolved", kept, text->length));
}

static vd_setting *settings_of(const vd_study *s, vd_arena *arena, size_t more) {
  vd_setting *set = vd_arena_alloc(arena, (s->def.set.count + more + 1) * sizeof *set);
  for (size_t i = 0; i < s->def.set.count; i++)
    set[i] = (vd_setting){.text = s->def.set.name[i], .folder = s->folder};
  return set;
}

bool vd_study_read_base(vd_study_reading *r) {
  vd_study *s = r->study;
  subject is;
  vd_buf text = {0};
  if (!find_kind(r) || !read_subject(s, register_text(s, r->d), settings_of(s, s->arena, 0), s->def.set.count, s->arena,
                                     r->d, &text, &is))
    return false;
  write_plain(s, &is, r->d, &text);
  vd_buf_finish(&text);
  vd_metrics *all = vd_arena_alloc(s->arena, sizeof *all);
  list_metrics(&is, s->arena, all);
  choose_metrics(r, all);
  return true;
}

bool vd_study_try(vd_study_reading *r, const char *key, const char *value, const char **why) {
  const vd_study *s = r->study;
  vd_setting *set = settings_of(s, s->arena, 1);
  vd_diag *d = vd_diag_create();
  vd_buf text = {0};
  char words[300];
  subject is;
  vd_buf_printf(&text, "%s=%s", key, value);
  set[s->def.set.count] = (vd_setting){.text = vd_arena_copy(s->arena, text.text, text.length), .folder = s->folder};
  bool good = read_subject(s, register_text(s, d), set, s->def.set.count + 1, s->arena, d, NULL, &is);
  first_error(d, words, sizeof words);
  *why = vd_arena_copy(s->arena, words, strlen(words));
  if (good)
    vd_diag_note_files(r->d, d);
  vd_buf_finish(&text);
  vd_diag_destroy(d);
  return good;
}

/* --- running --- */

static void end(vd_outcome *out, const char *word, const char *why) {
  snprintf(out->status, sizeof out->status, "%s: %s", word, why);
}

static void search(const vd_scenario_text *from, const vd_scenario_def *def, vd_arena *arena, vd_diag *d,
                   vd_outcome *out) {
  const vd_goal_def *goal = def->search.goals.item;
  vd_search s;
  bool read = true;
  vd_search_init(&s, &def->search);
  for (size_t count; read && (count = vd_search_next(&s)) > 0;)
    for (size_t i = s.count - count; read && i < s.count; i++)
      read = vd_trial_run(from, &def->search, d, &s.trial[i]);
  if (read)
    vd_search_metrics(&s, arena, &out->metrics);
  for (size_t k = def->search.goals.count; read && k-- > 0;) {
    vd_search_answer a;
    vd_search_find(&s, k, &a);
    if (a.outcome != VD_SEARCH_FOUND)
      end(out, "no answer", goal[k].name);
  }
  vd_search_finish(&s);
}

static void simulate(const vd_scenario_def *def, const vd_case_options *options, vd_output *log, vd_outcome *out) {
  vd_run_options how = {.digits = options->digits};
  if (options->seen) {
    how.row = options->seen->row;
    how.view = options->seen->view;
    how.row_context = options->seen->context;
  }
  vd_recorder recorder;
  vd_run_report report;
  vd_recorder_init(&recorder, true);
  vd_simulate(def, &how, log, &recorder, &report);
  vd_run_metrics(def, &recorder, &out->metrics);
  vd_recorder_finish(&recorder);
  if (report.status != VD_SIM_OK)
    end(out, "ended", report.failure);
}

static void drive_track(const vd_track_def *def, const vd_case_options *options, vd_output *log, vd_outcome *out) {
  vd_run_options how = {.digits = options->digits};
  if (options->seen) {
    how.values = options->seen->values;
    how.row_context = options->seen->context;
  }
  vd_run_report report;
  vd_track_run(def, &how, log, &out->metrics, &report);
  if (report.status != VD_SIM_OK)
    end(out, "ended", report.failure);
}

static void sweep(const vd_corner *corner, vd_outcome *out) {
  const vd_kc_plan plan = vd_kc_plan_default();
  vd_kc_metrics figures;
  vd_kc_report report;
  bool good = vd_kc_metrics_of(corner, &plan, &figures, &report);
  for (size_t i = 0; good && i < figures.count; i++) {
    add_metric(&out->metrics, figures.metric[i].name, figures.metric[i].unit);
    out->metrics.metric[i].value = figures.metric[i].value;
  }
  if (!good)
    end(out, "ended", report.messages.length ? report.messages.text : "there is no linkage");
  vd_buf_finish(&report.messages);
}

/* The scenario is read once without factors, so that its files are parsed once. */
void vd_study_reader_start(const vd_study *study, vd_study_reader *r) {
  vd_arena *passing = vd_arena_create();
  subject is;
  *r = (vd_study_reader){.arena = vd_arena_create(), .d = vd_diag_create()};
  r->source = register_text(study, r->d);
  vd_schema_keep(r->d, r->arena);
  read_subject(study, r->source, settings_of(study, passing, 0), study->def.set.count, passing, r->d, NULL, &is);
  vd_schema_keep(r->d, NULL);
  r->mark = vd_diag_mark(r->d);
  vd_arena_destroy(passing);
}

void vd_study_reader_finish(vd_study_reader *r) {
  vd_diag_destroy(r->d);
  vd_arena_destroy(r->arena);
}

void vd_study_run(const vd_study *study, vd_study_reader *r, const vd_setting *set, size_t count,
                  const vd_case_options *options, vd_output *log, vd_arena *arena, vd_outcome *out) {
  vd_diag *d = r->d;
  subject is;
  vd_diag_rewind(d, r->mark);
  vd_diag_set_strict(d, options->strict);
  out->metrics.count = 0;
  strcpy(out->status, "ok");
  bool read = read_subject(study, r->source, set, count, arena, d, NULL, &is);
  if (read && is.vehicle && vd_search_asked(&is.vehicle->search)) {
    const vd_scenario_text from = {study->path, study->text, study->length, set, count};
    search(&from, is.vehicle, arena, d, out);
  } else if (read && is.vehicle) {
    simulate(is.vehicle, options, log, out);
  } else if (read && is.track) {
    drive_track(is.track, options, log, out);
  } else if (read) {
    sweep(is.corner, out);
    if (options->seen && options->seen->corner)
      options->seen->corner(options->seen->context, is.corner);
  }
  if (vd_diag_errors(d) > 0) {
    char words[sizeof out->status - 16];
    first_error(d, words, sizeof words);
    end(out, "refused", words);
  }
}
