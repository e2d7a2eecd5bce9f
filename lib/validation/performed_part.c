/* Tyre rigs, track cars and suspensions for claims: what their tools print, in memory. */
#include "validation/performed_impl.h"

#include "base/memory.h"

#include "kc/sweep.h"
#include "run/fit.h"
#include "run/rig.h"
#include "run/track_run.h"
#include "study/run_fit.h"
#include "study/summary.h"
#include "suspension/corner_def.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- rows --- */

typedef struct taking {
  vd_performed *p;
  size_t columns, time; /* its column; none: SIZE_MAX */
  size_t history;       /* the column that counts them; none: SIZE_MAX */
  size_t capacity;
} taking;

static taking start_taking(vd_performed *p, const vd_perform_options *options, unsigned mode) {
  taking k = {.p = p, .time = SIZE_MAX, .history = SIZE_MAX};
  const vd_channel *table = vd_kind_channels(p->kind, &k.columns);
  assert(k.columns <= VD_CLAIM_CHANNELS);
  for (size_t i = 0; i < k.columns; i++) {
    if (table[i].levels && !(table[i].levels & mode))
      continue;
    if (strcmp(table[i].name, "t_s") == 0)
      k.time = i;
    if (strcmp(table[i].name, "case") == 0)
      k.history = i;
    if (options->channels[i])
      p->value[i] = vd_performed_grown(NULL, 1);
  }
  return k;
}

static void take_values(void *context, const double *value) {
  taking *k = context;
  vd_performed *p = k->p;
  if (p->steps == k->capacity) {
    k->capacity = k->capacity ? 2 * k->capacity : 1024;
    p->t = vd_performed_grown(p->t, k->capacity);
    for (size_t i = 0; i < k->columns; i++)
      p->value[i] = p->value[i] ? vd_performed_grown(p->value[i], k->capacity) : NULL;
  }
  for (size_t i = 0; i < k->columns; i++)
    if (p->value[i])
      p->value[i][p->steps] = value[i];
  if (k->history != SIZE_MAX)
    p->histories = (size_t)value[k->history] + 1;
  p->steps++;
  p->t[p->steps - 1] = k->time == SIZE_MAX ? (double)p->steps : value[k->time];
}

/* --- reading --- */

/* The settings, and the step and the rows' rate under the names that they have here. */
static const vd_setting *settings_of(const vd_claim_run *run, const vd_perform_options *options, const char *step,
                                     const char *rate, vd_arena *arena, size_t *count) {
  vd_setting *set = vd_arena_alloc(arena, (run->set_count + 2) * sizeof *set);
  for (*count = 0; *count < run->set_count; ++*count)
    set[*count] = run->set[*count];
  if (options->step > 0.0)
    set[(*count)++] = (vd_setting){.text = vd_performed_number(arena, step, options->step)};
  if (options->rate > 0.0)
    set[(*count)++] = (vd_setting){.text = vd_performed_number(arena, rate, options->rate)};
  return set;
}

static bool settle_reading(vd_performed *p, bool good, vd_buf *text) {
  if (good)
    vd_performed_resolve(p, text);
  else
    p->why = vd_performed_words(p->d);
  vd_buf_finish(text);
  return p->read = good;
}

static bool settle_run(vd_performed *p) {
  p->ended = p->report.status == VD_SIM_OK;
  if (!p->ended)
    p->why = strcpy(vd_allocate(strlen(p->report.failure) + 1, 1), p->report.failure);
  return p->ended;
}

/* --- each --- */

static const double *mirrored(const double *value, size_t count, vd_arena *arena) {
  double *to = vd_arena_alloc(arena, (count + 1) * sizeof *to);
  for (size_t i = 0; i < count; i++)
    to[i] = -value[i];
  return to;
}

static void mirror_axis(vd_rig_axis *a, vd_arena *arena) {
  a->values.value = mirrored(a->values.value, a->values.count, arena);
  a->from = -a->from;
  a->to = -a->to;
}

/* The same tyre on the other side of the car, leaning and slipping the other way. */
static void mirror_rig(vd_rig_def *def, vd_arena *arena) {
  def->side = !def->side;
  mirror_axis(&def->axis[VD_RIG_CAMBER], arena);
  mirror_axis(&def->axis[VD_RIG_ALPHA], arena);
  for (int i = 0; i < 2; i++) {
    const double **column = &def->points.of[i == 0 ? VD_POINT_CAMBER : VD_POINT_ALPHA];
    *column = *column ? mirrored(*column, def->points.rows, arena) : NULL;
  }
  vd_profile_negate(&def->slip_angle.profile, arena);
  vd_profile_negate(&def->side_speed.profile, arena);
}

bool vd_perform_rig(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out) {
  size_t count;
  int source;
  const vd_setting *set = settings_of(run, options, "step", "rate", out->arena, &count);
  vd_rig_def *def = vd_arena_alloc(out->arena, sizeof *def);
  vd_buf text = {0};
  bool good = vd_schema_slurp(run->scenario, out->d, &source) &&
              vd_rig_read_source(source, set, count, out->arena, out->d, def);
  if (good)
    vd_schema_write(&vd_rig_schema, def, &text);
  if (!settle_reading(out, good, &text))
    return false;
  if (options->read_only)
    return out->ended = true;
  if (options->mirrored)
    mirror_rig(def, out->arena);
  taking take = start_taking(out, options, VD_WHEN(def->mode));
  vd_run_options how = {.values = take_values, .row_context = &take};
  out->timeless = def->mode == VD_RIG_STEADY;
  out->swept = out->timeless ? vd_rig_swept(def) : -1;
  if (out->swept >= 0 && !out->value[out->swept])
    out->value[out->swept] = vd_performed_grown(NULL, 1);
  out->step = out->timeless ? 1.0 : def->step;
  vd_rig_run(def, &how, NULL, &out->report);
  return settle_run(out);
}

bool vd_perform_track_car(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out) {
  size_t count;
  int source;
  const vd_setting *set = settings_of(run, options, "run.step", "log.rate", out->arena, &count);
  vd_track_def *def = vd_arena_alloc(out->arena, sizeof *def);
  vd_buf text = {0};
  bool good = vd_schema_slurp(run->scenario, out->d, &source) &&
              vd_track_read_source(source, set, count, out->arena, out->d, def);
  if (good)
    vd_schema_write(&vd_track_schema, def, &text);
  if (!settle_reading(out, good, &text))
    return false;
  if (options->read_only)
    return out->ended = true;
  taking take = start_taking(out, options, 0);
  vd_run_options how = {.values = take_values, .row_context = &take};
  out->step = def->run.step;
  vd_track_run(def, &how, NULL, &out->metrics, &out->report);
  return settle_run(out);
}

bool vd_perform_fit(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out) {
  int source;
  vd_fit_def *def = vd_arena_alloc(out->arena, sizeof *def);
  vd_fit_result result;
  vd_buf text = {0};
  bool good = vd_schema_slurp(run->scenario, out->d, &source) &&
              vd_fit_read_source(source, run->set, run->set_count, out->arena, out->d, def);
  if (good)
    vd_schema_write(&vd_fit_schema, def, &text);
  if (!settle_reading(out, good, &text))
    return false;
  if (options->read_only)
    return out->ended = true;
  out->ended = vd_fit_run(def, NULL, out->arena, out->d, &result);
  if (out->ended)
    vd_fit_metrics(&result, out->arena, &out->metrics);
  else
    out->why = vd_performed_words(out->d);
  return out->ended;
}

bool vd_perform_run_fit(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out) {
  int source;
  vd_run_fit *fit = vd_arena_alloc(out->arena, sizeof *fit);
  vd_run_fit_result result;
  vd_buf text = {0};
  bool good = vd_schema_slurp(run->scenario, out->d, &source) &&
              vd_run_fit_read_source(source, run->set, run->set_count, out->arena, out->d, fit);
  if (good)
    vd_schema_write(&vd_run_fit_schema, &fit->def, &text);
  if (!settle_reading(out, good, &text))
    return false;
  if (options->read_only)
    return out->ended = true;
  out->ended = vd_run_fit_solve(fit, NULL, out->arena, out->d, &result);
  if (out->ended)
    vd_run_fit_metrics(fit, &result, out->arena, &out->metrics);
  else
    out->why = vd_performed_words(out->d);
  return out->ended;
}

/* All cases, one after the other. */
bool vd_perform_study(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out) {
  int source;
  vd_study *study = vd_arena_alloc(out->arena, sizeof *study);
  vd_buf text = {0}, line = {0};
  bool good = vd_schema_slurp(run->scenario, out->d, &source) &&
              vd_study_read_source(source, run->set, run->set_count, out->arena, out->d, study);
  if (good)
    vd_schema_write(&vd_study_schema, &study->def, &text);
  if (!settle_reading(out, good, &text))
    return false;
  if (options->read_only)
    return out->ended = true;
  const vd_case_options how = {.digits = VD_DIGITS_EXACT};
  vd_study_walk *walk = vd_study_walk_start(study);
  vd_summary *summary = vd_summary_start(study);
  for (size_t i = 0; i < study->count; i++) {
    line.length = 0;
    vd_study_case(walk, i, &how, &line);
    vd_summary_add(summary, line.text);
  }
  vd_buf_finish(&line);
  out->ended = vd_summary_collect(summary, out->arena, &out->metrics);
  if (!out->ended) {
    static const char why[] = "the study has too many figures for claims: let it keep fewer metrics";
    out->why = strcpy(vd_allocate(sizeof why, 1), why);
  }
  vd_summary_finish(summary);
  vd_study_walk_finish(walk);
  return out->ended;
}

bool vd_perform_suspension(const vd_claim_run *run, vd_performed *out) {
  vd_corner corner;
  vd_kc_metrics figures;
  vd_kc_report report;
  vd_buf text = {0};
  const vd_kc_plan plan = vd_kc_plan_default();
  bool good = vd_corner_read(run->scenario, run->set, run->set_count, out->arena, out->d, &corner, &text);
  if (!settle_reading(out, good, &text))
    return false;
  out->ended = vd_kc_metrics_of(&corner, &plan, &figures, &report);
  for (size_t i = 0; out->ended && i < figures.count; i++) {
    const vd_kc_metric *m = &figures.metric[i];
    vd_metric *to = &out->metrics.metric[out->metrics.count++];
    *to = (vd_metric){.name = m->name, .unit = m->unit, .value = m->value, .definition = ""};
    snprintf(to->reason, sizeof to->reason, "%s", m->reason);
  }
  if (!out->ended)
    out->why = strcpy(vd_allocate(report.messages.length + 1, 1), report.messages.text);
  vd_buf_finish(&report.messages);
  return out->ended;
}
