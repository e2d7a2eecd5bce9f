/* Runs for claims: a vehicle's scenario is read, changed, searched and run. */
#include "validation/performed_impl.h"

#include "base/base.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the mirrored scenario --- */

static void mirror_inputs(vd_inputs_def *in, vd_arena *arena) {
  static const enum vd_input left[] = {VD_IN_DRIVE_FL, VD_IN_DRIVE_RL, VD_IN_BRAKE_FL,
                                       VD_IN_BRAKE_RL, VD_IN_POST_FL,  VD_IN_POST_RL};
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    if (vd_input_table[i].lateral || i == VD_IN_WIND_Y || i == VD_IN_PUSH_Y || i == VD_IN_PRESCRIBED_Y ||
        i == VD_IN_PRESCRIBED_YAW)
      vd_profile_negate(&in->input[i].profile, arena);
  for (size_t i = 0; i < VD_COUNT(left); i++) { /* the right wheel's stands next to it */
    vd_profile_def kept = in->input[left[i]];
    in->input[left[i]] = in->input[left[i] + 1];
    in->input[left[i] + 1] = kept;
  }
}

/* The car with its loads, and what acts on it from outside. */
static void mirror_loads(vd_scenario_def *def, vd_arena *arena) {
  vd_vehicle_def *v = &def->vehicle;
  vd_weight_def *load = vd_arena_alloc(arena, (v->loads.count + 1) * sizeof *load);
  vd_wind_def *wind = vd_arena_alloc(arena, (def->wind.count + 1) * sizeof *wind);
  for (size_t i = 0; i < v->loads.count; i++) {
    load[i] = ((const vd_weight_def *)v->loads.item)[i];
    load[i].at[1] = -load[i].at[1];
    if (load[i].shape == VD_WEIGHT_BODY)
      for (int k = VD_PRODUCT_XY; k <= VD_PRODUCT_YZ; k += VD_PRODUCT_YZ - VD_PRODUCT_XY)
        load[i].as.body.product[k] = -load[i].as.body.product[k];
  }
  for (size_t i = 0; i < def->wind.count; i++) {
    wind[i] = ((const vd_wind_def *)def->wind.item)[i];
    wind[i].direction = -wind[i].direction;
  }
  v->loads.item = load;
  def->wind.item = wind;
  v->cg_left = -v->cg_left;
  v->product[VD_PRODUCT_XY] = -v->product[VD_PRODUCT_XY];
  v->product[VD_PRODUCT_YZ] = -v->product[VD_PRODUCT_YZ];
  v->hitch.at[1] = -v->hitch.at[1];
  def->push.at[1] = -def->push.at[1];
}

/* NULL, or what cannot be mirrored here. */
static const char *mirror(vd_scenario_def *def, vd_arena *arena) {
  vd_event_def *events = vd_arena_alloc(arena, (def->events.count + 1) * sizeof *events);
  if (!vd_ground_is_flat(&def->ground))
    return "only flat ground is mirrored by itself: say the other run with against or against_set";
  if (def->track.count > 0)
    return "a path is not mirrored by itself: say the other run with against or against_set";
  for (size_t i = 0; i < def->events.count; i++) {
    events[i] = ((const vd_event_def *)def->events.item)[i];
    if (events[i].when == VD_EVENT_ABOVE || events[i].when == VD_EVENT_BELOW)
      return "an event of a channel is not mirrored by itself: say the other run with against or against_set";
    mirror_inputs(&events[i].inputs, arena);
  }
  def->events.item = events;
  mirror_inputs(&def->inputs, arena);
  mirror_loads(def, arena);
  def->initial.y = -def->initial.y;
  def->initial.yaw = -def->initial.yaw;
  def->initial.roll = -def->initial.roll;
  def->initial.vy = -def->initial.vy;
  def->initial.yaw_rate = -def->initial.yaw_rate;
  def->initial.roll_rate = -def->initial.roll_rate;
  return NULL;
}

/* --- reading --- */

/* Sets that the claims ask for besides those of the scenario. */
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

static bool read_scenario(const vd_claim_run *run, const vd_perform_options *options, vd_performed *p) {
  vd_setting *set = vd_arena_alloc(p->arena, (run->set_count + 2) * sizeof *set);
  size_t count = 0;
  vd_buf text = {0};
  for (; count < run->set_count; count++)
    set[count] = run->set[count];
  if (options->step > 0.0)
    set[count++].text = vd_performed_number(p->arena, "run.step", options->step);
  if (options->rate > 0.0)
    set[count++].text = vd_performed_number(p->arena, "log.rate", options->rate);
  p->def = vd_arena_alloc(p->arena, sizeof *p->def);
  if (!vd_scenario_read(run->scenario, set, count, p->arena, p->d, p->def)) {
    p->why = vd_performed_words(p->d);
    return false;
  }
  vd_schema_write(&vd_scenario_schema, p->def, &text);
  vd_performed_resolve(p, &text);
  add_sets(p, options->sets);
  const char *odd = options->mirrored ? mirror(p->def, p->arena) : NULL;
  if (odd)
    p->why = strcpy(vd_allocate(strlen(odd) + 1, 1), odd);
  return p->read = !odd;
}

/* --- running --- */

typedef struct taking {
  vd_performed *p;
  size_t capacity;
} taking;

static void take_row(void *context, const vd_row *row) {
  taking *k = context;
  vd_performed *p = k->p;
  size_t count;
  const vd_channel *table = vd_channel_table(&count);
  if (p->steps == k->capacity) {
    k->capacity = k->capacity ? 2 * k->capacity : 4096;
    p->t = vd_performed_grown(p->t, k->capacity);
    for (size_t i = 0; i < count; i++)
      p->value[i] = p->value[i] ? vd_performed_grown(p->value[i], k->capacity) : NULL;
  }
  p->t[p->steps] = row->t;
  for (size_t i = 0; i < count; i++)
    if (p->value[i])
      p->value[i][p->steps] = vd_channel_value(&table[i], row) + 0.0; /* no minus zeros */
  p->steps++;
}

/* --- searching --- */

/* One trial: the scenario with the key at a value. */
static void try_value(const vd_claim_run *run, const vd_search_def *def, vd_trial *t) {
  vd_arena *arena = vd_arena_create();
  vd_setting *set = vd_arena_alloc(arena, (run->set_count + 1) * sizeof *set);
  for (size_t i = 0; i < run->set_count; i++)
    set[i] = run->set[i];
  set[run->set_count].text = vd_performed_number(arena, def->key, t->value);
  const vd_claim_run one = {.kind = run->kind, .scenario = run->scenario, .set = set, .set_count = run->set_count + 1};
  const vd_perform_options plain = {.sets = 0};
  vd_performed p;
  if (!vd_perform(&one, &plain, &p))
    snprintf(t->failure, sizeof t->failure, "%.*s", (int)strcspn(p.why, "\n"), p.why);
  for (size_t k = 0; k < def->goals.count; k++) {
    t->metric[k] = NAN;
    for (size_t i = 0; i < p.metrics.count; i++)
      if (strcmp(p.metrics.metric[i].name, ((const vd_goal_def *)def->goals.item)[k].metric) == 0)
        t->metric[k] = p.metrics.metric[i].value;
  }
  t->end_time = p.report.end_time;
  vd_performed_finish(&p);
  vd_arena_destroy(arena);
}

static void search(const vd_claim_run *run, vd_performed *p) {
  vd_search s;
  vd_search_init(&s, &p->def->search);
  for (size_t count; (count = vd_search_next(&s)) > 0;)
    for (size_t i = s.count - count; i < s.count; i++)
      try_value(run, &p->def->search, &s.trial[i]);
  vd_search_metrics(&s, p->arena, &p->found);
  p->searched = true;
  vd_search_finish(&s);
}

static bool perform_vehicle(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out) {
  size_t count;
  const vd_channel *table = vd_channel_table(&count);
  vd_recorder recorder;
  assert(count <= VD_CLAIM_CHANNELS);
  if (!read_scenario(run, options, out))
    return false;
  if (options->search && vd_search_asked(&out->def->search))
    search(run, out);
  if (options->read_only)
    return out->ended = true;
  unsigned level = VD_WHEN(out->def->run.level), view = VD_VIEW_BRIEF;
  for (size_t i = 0; i < count; i++)
    if (options->channels[i] && (table[i].levels & level)) {
      out->value[i] = vd_performed_grown(NULL, 1);
      view |= vd_channel_view(&table[i]);
    }
  taking take = {.p = out};
  vd_run_options how = {.row = take_row, .row_context = &take, .view = view};
  out->responds = vd_response_asked(&out->def->response);
  out->step = vd_scenario_row_interval(out->def);
  if (out->responds) {
    vd_response_init(&out->response, &out->def->response, out->step);
    how.response = &out->response;
    out->spectrum = vd_allocate(out->response.channels, sizeof *out->spectrum);
  }
  vd_recorder_init(&recorder, true);
  vd_simulate(out->def, &how, NULL, &recorder, &out->report);
  vd_run_metrics(out->def, &recorder, &out->metrics);
  out->peak_kinetic = recorder.peak_kinetic;
  out->peak_ledger = recorder.peak_ledger;
  vd_recorder_finish(&recorder);
  out->ended = out->report.status == VD_SIM_OK;
  if (!out->ended)
    out->why = strcpy(vd_allocate(strlen(out->report.failure) + 1, 1), out->report.failure);
  return out->ended;
}

static bool perform(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out) {
  switch (run->kind) {
  case VD_KIND_VEHICLE: return perform_vehicle(run, options, out);
  case VD_KIND_TYRE_RIG: return vd_perform_rig(run, options, out);
  case VD_KIND_TRACK_CAR: return vd_perform_track_car(run, options, out);
  case VD_KIND_FIT: return vd_perform_fit(run, options, out);
  case VD_KIND_RUN_FIT: return vd_perform_run_fit(run, options, out);
  case VD_KIND_STUDY: return vd_perform_study(run, options, out);
  case VD_KIND_SUSPENSION: return vd_perform_suspension(run, out);
  }
  return false;
}

bool vd_perform(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out) {
  *out = (vd_performed){.arena = vd_arena_create(), .d = vd_performed_diag(run), .kind = run->kind, .swept = -1};
  bool ended = perform(run, options, out);
  vd_performed_note(run, out->d);
  return ended;
}
