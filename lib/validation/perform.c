/* Makes runs for claims: reads a scenario or a suspension, changes it, runs its search and its motion, and keeps the
 * results in memory. */
#include "validation/performed_impl.h"

#include "base/memory.h"
#include "input/schema.h"
#include "run/subject.h"
#include "study/fit.h"
#include "study/summary.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- rows --- */

typedef struct taking {
  vd_performed *p;
  const vd_channel *table;
  size_t columns, time; /* number of columns; column of the time, SIZE_MAX: none */
  size_t history;       /* column with the number of the time history; SIZE_MAX: none */
  size_t capacity;
} taking;

/* Prepares the requested columns that exist in the mode or at the level. *view: the set of views that these columns
 * need. */
static taking start_taking(vd_performed *p, const vd_perform_options *options, unsigned mode, unsigned *view) {
  taking k = {.p = p, .time = SIZE_MAX, .history = SIZE_MAX};
  k.table = vd_kind_channels(p->kind, &k.columns);
  assert(k.columns <= VD_CLAIM_CHANNELS);
  for (size_t i = 0; i < k.columns; i++) {
    if (k.table[i].levels && !(k.table[i].levels & mode))
      continue;
    if (strcmp(k.table[i].name, "t_s") == 0)
      k.time = i;
    if (strcmp(k.table[i].name, "case") == 0)
      k.history = i;
    if (options->channels[i]) {
      p->value[i] = vd_performed_grown(NULL, 1);
      *view |= p->kind == VD_KIND_VEHICLE ? vd_channel_view(&k.table[i]) : 0;
    }
  }
  return k;
}

static void make_room(taking *k) {
  vd_performed *p = k->p;
  if (p->steps < k->capacity)
    return;
  k->capacity = k->capacity ? 2 * k->capacity : 4096;
  p->t = vd_performed_grown(p->t, k->capacity);
  for (size_t i = 0; i < k->columns; i++)
    p->value[i] = p->value[i] ? vd_performed_grown(p->value[i], k->capacity) : NULL;
}

static void take_row(void *context, const vd_row *row) {
  taking *k = context;
  vd_performed *p = k->p;
  make_room(k);
  p->t[p->steps] = row->t;
  for (size_t i = 0; i < k->columns; i++)
    if (p->value[i])
      p->value[i][p->steps] = vd_channel_value(&k->table[i], row) + 0.0; /* avoids negative zeros */
  p->steps++;
}

static void take_values(void *context, const double *value) {
  taking *k = context;
  vd_performed *p = k->p;
  make_room(k);
  for (size_t i = 0; i < k->columns; i++)
    if (p->value[i])
      p->value[i][p->steps] = value[i];
  if (k->history != SIZE_MAX)
    p->histories = (size_t)value[k->history] + 1;
  p->t[p->steps] = k->time == SIZE_MAX ? (double)(p->steps + 1) : value[k->time];
  p->steps++;
}

/* --- reading --- */

static bool stop(vd_performed *p, const char *why) {
  p->why = strcpy(vd_allocate(strlen(why) + 1, 1), why);
  return false;
}

/* Returns the settings of the run, and settings of its step and of the rate of its rows, whose keys depend on the
 * kind. */
static const vd_setting *settings_of(const vd_claim_run *run, const vd_perform_options *options, vd_arena *arena,
                                     size_t *count) {
  const bool rig = run->kind == VD_KIND_TYRE_RIG;
  vd_setting *set = vd_arena_alloc(arena, (run->set_count + 2) * sizeof *set);
  for (*count = 0; *count < run->set_count; ++*count)
    set[*count] = run->set[*count];
  if (options->step > 0.0)
    set[(*count)++] = vd_setting_of_number(arena, rig ? "step" : "run.step", options->step);
  if (options->rate > 0.0)
    set[(*count)++] = vd_setting_of_number(arena, rig ? "rate" : "log.rate", options->rate);
  return set;
}

/* Adds the sets of metrics that claims request to the sets of the scenario. */
static void add_sets(vd_performed *p, unsigned sets) {
  vd_names *asked = &p->def->metrics.sets;
  const char **all = vd_arena_alloc(p->arena, (asked->count + VD_METRIC_SET_COUNT) * sizeof *all);
  size_t count = 0;
  p->own_sets = asked->count;
  for (size_t i = 0; i < asked->count; i++)
    all[count++] = asked->name[i];
  for (size_t s = 0; s < VD_METRIC_SET_COUNT; s++) {
    bool there = !(sets & 1u << s);
    for (size_t i = 0; i < asked->count; i++)
      there |= strcmp(asked->name[i], vd_metric_sets[s]->key) == 0;
    if (!there)
      all[count++] = vd_metric_sets[s]->key;
  }
  *asked = (vd_names){all, count};
}

/* A subject that consists of many runs. */
typedef struct many {
  vd_study study;
  vd_fit fit;
} many;

/* Reads the subject of the run: a study or a fit into *of, any other kind into *is. */
static bool read(const vd_claim_run *run, const vd_perform_options *options, vd_performed *p, int *source,
                 vd_subject *is, many *of) {
  size_t count;
  const vd_setting *set = settings_of(run, options, p->arena, &count);
  vd_buf text = {0};
  bool good = vd_schema_slurp(run->scenario, p->d, source);
  if (good && run->kind == VD_KIND_STUDY) {
    good = vd_study_read_source(*source, set, count, p->arena, p->d, &of->study);
    if (good)
      vd_schema_write(&vd_study_schema, &of->study.def, &text);
  } else if (good && vd_kind_fits(run->kind)) {
    good = vd_fit_read_source(*source, set, count, p->arena, p->d, &of->fit);
    if (good)
      vd_fit_resolve(&of->fit, &text);
  } else if (good) {
    good = vd_subject_read(run->kind, *source, set, count, p->arena, p->d, &text, is);
  }
  if (good)
    vd_performed_resolve(p, &text);
  else
    p->why = vd_performed_words(p->d);
  vd_buf_finish(&text);
  if (good && run->kind == VD_KIND_VEHICLE) {
    p->def = is->as.vehicle;
    add_sets(p, options->sets);
  }
  return good;
}

/* --- searching --- */

/* Runs the search of the scenario as written in its file with the settings of the claim; steps, rates and sets that
 * claims add do not apply. */
static bool search(const vd_claim_run *run, int source, vd_performed *p) {
  const char *text;
  size_t length = vd_diag_source_text(p->d, source, &text);
  const vd_scenario_text from = {run->scenario, text, length, run->set, run->set_count};
  vd_search s;
  p->searched = vd_trial_search(&from, &p->def->search, p->d, &s);
  if (p->searched)
    vd_search_metrics(&s, p->arena, &p->found);
  else
    p->why = vd_performed_words(p->d);
  vd_search_finish(&s);
  return p->searched;
}

/* --- running --- */

/* Runs all cases, one after the other. */
static bool run_cases(const void *context, const vd_study *study, vd_buf *line) {
  const vd_case_options how = {.digits = VD_DIGITS_EXACT};
  vd_study_walk *walk = vd_study_walk_start(study);
  (void)context;
  for (size_t i = 0; i < study->count; i++)
    vd_study_case(walk, i, &how, &line[i]);
  vd_study_walk_finish(walk);
  return true;
}

static bool perform_study(const vd_study *study, const vd_case_runner *cases, vd_performed *out) {
  vd_buf *line = vd_allocate(study->count + 1, sizeof *line);
  const bool all = (cases->run ? cases->run : run_cases)(cases->context, study, line);
  vd_summary *summary = vd_summary_start(study);
  for (size_t i = 0; i < study->count; i++) {
    if (all)
      vd_summary_add(summary, line[i].text);
    vd_buf_finish(&line[i]);
  }
  free(line);
  const bool room = vd_summary_collect(summary, out->arena, &out->outcome.metrics);
  vd_summary_finish(summary);
  if (!all)
    return stop(out, "not all cases of the study could be run");
  return room || stop(out, "the study has too many figures for claims: reduce its list of metrics");
}

static bool perform_fit(const vd_fit *fit, vd_performed *out) {
  vd_fit_result result;
  bool good = vd_fit_solve(fit, NULL, out->arena, out->d, &result);
  if (good)
    vd_fit_metrics(fit, &result, out->arena, &out->outcome.metrics);
  else
    out->why = vd_performed_words(out->d);
  return good;
}

/* Prepares the rows of a rig. */
static void prepare_rig(const vd_rig_def *def, vd_performed *out) {
  out->timeless = def->mode == VD_RIG_STEADY;
  out->swept = out->timeless ? vd_rig_swept(def) : -1;
  if (out->swept >= 0 && !out->value[out->swept])
    out->value[out->swept] = vd_performed_grown(NULL, 1);
  out->step = out->timeless ? 1.0 : def->step;
}

static void prepare_response(vd_performed *out, vd_run_options *how) {
  vd_response_init(&out->response, &out->def->response, out->step);
  how->response = &out->response;
  out->spectrum = vd_allocate(out->response.channels, sizeof *out->spectrum);
}

static bool run_subject(const vd_subject *is, const vd_perform_options *options, vd_performed *out) {
  bool vehicle = is->kind == VD_KIND_VEHICLE, rig = is->kind == VD_KIND_TYRE_RIG;
  unsigned view = VD_VIEW_BRIEF, mode = vehicle ? VD_WHEN(out->def->run.level) : rig ? VD_WHEN(is->as.rig->mode) : 0;
  taking take = start_taking(out, options, mode, &view);
  vd_run_options how = {.view = view, .row_context = &take};
  if (vehicle) {
    how.row = take_row;
    out->step = vd_scenario_row_interval(out->def);
    out->responds = vd_response_asked(&out->def->response);
  } else {
    how.values = take_values;
  }
  if (out->responds)
    prepare_response(out, &how);
  if (rig)
    prepare_rig(is->as.rig, out);
  if (is->kind == VD_KIND_TRACK_CAR)
    out->step = is->as.track->run.step;
  return vd_subject_run(is, &how, NULL, out->arena, &out->outcome) || stop(out, out->outcome.failure);
}

static bool perform(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out) {
  many *of = vd_arena_alloc(out->arena, sizeof *of);
  vd_subject is;
  int source;
  if (!read(run, options, out, &source, &is, of))
    return false;
  bool study = run->kind == VD_KIND_STUDY, single = !study && !vd_kind_fits(run->kind);
  const char *refusal = options->mirrored && single ? vd_perform_mirror(&is, out->arena) : NULL;
  if (refusal)
    return stop(out, refusal);
  out->read = true;
  if (options->search && single && vd_subject_searches(&is) && !search(run, source, out))
    return false;
  if (options->read_only && run->kind != VD_KIND_SUSPENSION) /* figures of a suspension need no motion */
    return true;
  return single  ? run_subject(&is, options, out)
         : study ? perform_study(&of->study, &options->cases, out)
                 : perform_fit(&of->fit, out);
}

bool vd_perform(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out) {
  *out = (vd_performed){.arena = vd_arena_create(), .d = vd_performed_diag(run), .kind = run->kind, .swept = -1};
  out->ended = perform(run, options, out);
  vd_performed_note(run, out->d);
  return out->ended;
}
