/* Reads the base of a study, which its factors vary: a scenario of a vehicle, a tyre rig or a track car, or a
 * suspension. */
#include "study/study_impl.h"

#include "base/system.h"
#include "input/file.h"
#include "input/schema.h"
#include "run/subject.h"

#include <stdio.h>
#include <string.h>

/* --- metrics --- */

const char vd_study_lacks_metric[] = "; the key 'metrics' of a scenario lists its sets";

/* Chooses metrics in the order of the scenario's metrics, each once. */
static void choose_metrics(vd_study_reading *r, const vd_metrics *all) {
  vd_study *s = r->study;
  vd_metric_info *chosen = vd_arena_alloc(s->arena, (all->count + 1) * sizeof *chosen);
  bool used[VD_METRICS_MAX] = {false};
  for (size_t i = 0; i < s->def.metrics.count; i++) {
    bool any = false;
    for (size_t k = 0; k < all->count; k++)
      if (fnmatch(s->def.metrics.name[i], all->metric[k].name, 0) == 0)
        any = used[k] = true;
    const char *wanted = s->def.metrics.name[i], *near = any ? NULL : vd_metric_near(all, wanted);
    if (!any)
      vd_error(r->d, vd_tree_place(s->root, vd_arena_printf(s->arena, "metrics.%zu", i)),
               "the varied scenario or suspension has no metric '%s'%s", wanted,
               near ? vd_did_you_mean(s->arena, near) : vd_study_lacks_metric);
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
    vd_error(r->d, at,
             "a study varies either a scenario or a suspension: give one of the keys 'scenario' and "
             "'suspension'");
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
  if (vd_kind_fits(s->kind) || s->kind == VD_KIND_STUDY) {
    vd_error(r->d, at, "a study varies vehicles, tyre rigs, track cars and suspensions; '%s' is a %s", s->path,
             vd_kinds[s->kind].name);
    return false;
  }
  return true;
}

void vd_study_check_name(const char *name, const char *what, bool taken, vd_place place, vd_diag *d) {
  if (!*name)
    vd_error(d, place, "%s without key needs a 'name'", what);
  else if (!vd_is_name(name))
    vd_error(d, place, "'%s' is not a name of %s: letters, digits and underscores, a letter first", name, what);
  else if (taken)
    vd_error(d, place, "the name '%s' is taken", name);
}

bool vd_study_is_called(const char *name, const char *own, const vd_names *keys) {
  bool is = strcmp(own, name) == 0;
  for (size_t k = 0; k < keys->count; k++)
    is |= strcmp(keys->name[k], name) == 0;
  return is;
}

vd_setting *vd_study_settings_of(const vd_study *s, size_t more, vd_arena *arena) {
  vd_setting *set = vd_arena_alloc(arena, (s->def.set.count + more + 1) * sizeof *set);
  for (size_t i = 0; i < s->def.set.count; i++)
    set[i] = (vd_setting){.text = s->def.set.name[i], .folder = s->folder};
  return set;
}

/* Reports which estimates of a car follow the values of a case. */
static void tell_followers(const vd_study_reading *r, const vd_vehicle_def *v) {
  vd_buf names = {0};
  size_t count = 0;
  for (; count < VD_COUNT(v->follows) && v->follows[count]; count++)
    vd_buf_printf(&names, "%s%s", count ? ", " : "", v->follows[count]);
  if (count > 0)
    vd_note(r->d, vd_tree_place(r->study->root, "scenario"),
            "the estimates %s follow the values of each case; %zu other estimates of the car do not change", names.text,
            v->estimates.count - count);
  vd_buf_finish(&names);
}

bool vd_study_read_base(vd_study_reading *r) {
  vd_study *s = r->study;
  vd_subject is;
  vd_buf text = {0};
  if (!find_kind(r) ||
      !vd_subject_read(s->kind, vd_diag_add_source(r->d, s->path, s->text, s->length),
                       vd_study_settings_of(s, 0, s->arena), s->def.set.count, s->arena, r->d, &text, &is))
    return false;
  const char *complete = vd_arena_copy(s->arena, text.text, text.length);
  s->plain = vd_tree_parse(s->arena, r->d, vd_diag_add_source(r->d, "resolved", complete, text.length));
  vd_buf_finish(&text);
  vd_metrics *all = vd_arena_alloc(s->arena, sizeof *all);
  r->history = vd_kinds[s->kind].channels && !vd_subject_searches(&is);
  vd_subject_metrics(&is, s->arena, all);
  choose_metrics(r, all);
  if (s->kind == VD_KIND_VEHICLE)
    tell_followers(r, &is.as.vehicle->vehicle);
  return true;
}

bool vd_study_try(vd_study_reading *r, const char *key, const char *value, const char **why) {
  const vd_study *s = r->study;
  vd_setting *set = vd_study_settings_of(s, 1, s->arena);
  vd_diag *d = vd_diag_create();
  vd_subject is;
  vd_diag_set_cache(d, s->maps);
  set[s->def.set.count] = (vd_setting){.text = vd_arena_printf(s->arena, "%s=%s", key, value), .folder = s->folder};
  bool good = vd_subject_read(s->kind, vd_diag_add_source(d, s->path, s->text, s->length), set, s->def.set.count + 1,
                              s->arena, d, NULL, &is);
  const char *words = vd_diag_first_error(d);
  *why = vd_arena_copy(s->arena, words, strlen(words));
  if (good)
    vd_diag_note_files(r->d, d);
  vd_diag_destroy(d);
  return good;
}

/* --- running --- */

/* Reads the scenario once without factors, so that its files are parsed only once, and each case decodes only the keys
 * that differ. */
void vd_study_reader_start(const vd_study *study, vd_study_reader *r) {
  vd_subject is;
  *r = (vd_study_reader){.arena = vd_arena_create(), .d = vd_diag_create()};
  r->cache = study->maps ? NULL : vd_cache_create();
  vd_diag_set_cache(r->d, study->maps ? study->maps : r->cache);
  r->source = vd_diag_add_source(r->d, study->path, study->text, study->length);
  vd_schema_keep(r->d, r->arena);
  vd_subject_read(study->kind, r->source, vd_study_settings_of(study, 0, r->arena), study->def.set.count, r->arena,
                  r->d, NULL, &is);
  vd_schema_keep(r->d, NULL);
  r->mark = vd_diag_mark(r->d);
}

void vd_study_reader_finish(vd_study_reader *r) {
  vd_diag_destroy(r->d);
  vd_cache_destroy(r->cache);
  vd_arena_destroy(r->arena);
}

bool vd_study_read_case(const vd_study *study, vd_study_reader *r, const vd_setting *set, size_t count, bool strict,
                        vd_arena *arena, vd_subject *out) {
  vd_diag_rewind(r->d, r->mark);
  vd_diag_set_strict(r->d, strict);
  return vd_subject_read(study->kind, r->source, set, count, arena, r->d, NULL, out) && vd_diag_errors(r->d) == 0;
}

static void end(vd_case_outcome *out, const char *word, const char *why) {
  snprintf(out->status, sizeof out->status, "%s: %s", word, why);
}

void vd_study_refuse(const vd_study_reader *r, vd_case_outcome *out) {
  out->refused = true;
  end(out, "refused", vd_diag_first_error(r->d));
}

static bool search(const vd_scenario_text *from, const vd_search_def *def, vd_arena *arena, vd_diag *d,
                   vd_case_outcome *out) {
  const vd_goal_def *goal = def->goals.item;
  vd_search s;
  bool read = vd_trial_search(from, def, d, &s);
  if (read)
    vd_search_metrics(&s, arena, &out->run.metrics);
  for (size_t k = def->goals.count; read && k-- > 0;) {
    vd_search_answer a;
    vd_search_find(&s, k, &a);
    if (a.outcome != VD_SEARCH_FOUND)
      end(out, "no answer", goal[k].name);
  }
  vd_search_finish(&s);
  return read;
}

void vd_study_run(const vd_study *study, vd_study_reader *r, const vd_subject *is, const vd_setting *set, size_t count,
                  enum vd_digits digits, vd_output *log, vd_arena *arena, vd_case_outcome *out) {
  const vd_run_options how = {.digits = digits};
  bool read = true;
  out->run.metrics.count = 0;
  strcpy(out->status, "ok");
  if (vd_subject_searches(is)) {
    const vd_scenario_text from = {study->path, study->text, study->length, set, count};
    read = search(&from, &is->as.vehicle->search, arena, r->d, out);
  } else if (!vd_subject_run(is, &how, log, arena, &out->run)) {
    end(out, "ended", out->run.failure);
  } else if (is->kind == VD_KIND_VEHICLE && is->as.vehicle->unreached) {
    end(out, "no answer", is->as.vehicle->unreached);
  }
  if (!read)
    vd_study_refuse(r, out);
}
