#include "vdsim.h"

#include "vdsim_impl.h"

#include "base/memory.h"
#include "base/system.h"
#include "input/file.h"
#include "input/schema.h"
#include "run/kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A time that differs from the end of a step, or from the present instant, by less than this share of a step counts as
 * equal to it, as for corners in the simulation. */
static const double snap = 1e-9;

const char *vd_version_string(void) {
  return VDSIM_VERSION;
}

int vd_abi(void) {
  return VD_ABI;
}

const char *vd_status_text(vd_status status) {
  switch (status) {
  case VD_OK: return "good";
  case VD_OVER: return "the run has reached its end";
  case VD_FAILED: return "the run ended early";
  case VD_BAD_INPUT: return "the scenario has errors";
  case VD_BAD_ARGUMENT: return "a bad argument";
  case VD_BAD_VALUE: return "an input out of its range";
  case VD_UNAVAILABLE: return "not available in this run";
  case VD_MISMATCH: return "a saved state that is damaged or not of this scenario and version";
  case VD_NO_MEMORY: return "out of memory";
  }
  return "unknown status";
}

/* ---- case ---- */

static void list_channels(vd_case *c) {
  size_t count;
  const vd_channel *table = vd_channel_table(&count);
  bool wanted[VD_CHANNELS];
  vd_log_columns(c->def, wanted);
  c->channel = vd_arena_alloc(c->arena, count * sizeof *c->channel);
  c->logged = vd_arena_alloc(c->arena, count * sizeof *c->logged);
  for (size_t i = 0; i < count; i++) {
    if (!(table[i].levels & VD_WHEN(c->def->run.level)))
      continue;
    c->channel[c->channels] = &table[i];
    c->logged[c->channels++] = wanted[i];
  }
}

static bool read_input(const vd_loading *l, vd_case *c) {
  const char *path = l->path, *shipped = path && access(path, F_OK) != 0 ? vd_file_in_data(c->arena, path) : NULL;
  int source;
  c->source = -1;
  if (!path)
    source = vd_diag_add_source(c->diag, l->name ? l->name : "<text>", l->text, l->length);
  else if (!vd_schema_slurp(shipped ? shipped : path, c->diag, &source))
    return false;
  c->source = source;
  c->kind = vd_kind_of_any(c->source, c->diag);
  if (c->kind != VD_KIND_VEHICLE)
    return vd_case_read_other(c);
  vd_scenario_def *def = vd_arena_alloc(c->arena, sizeof *def);
  if (!vd_scenario_read_source(c->source, c->set, c->set_count, c->arena, c->diag, def))
    return false;
  c->def = def;
  vd_schema_write(&vd_scenario_schema, def, &c->resolved);
  return true;
}

static const char *copy_of(vd_arena *arena, const char *text) {
  return text ? vd_arena_copy(arena, text, strlen(text)) : NULL;
}

static void load_work(void *context) {
  const vd_loading *l = context;
  vd_case *c = l->c;
  c->arena = vd_arena_create();
  c->diag = vd_diag_create();
  c->set = vd_arena_alloc(c->arena, (l->count + 1) * sizeof *c->set);
  c->set_count = l->count;
  for (size_t i = 0; i < l->count; i++)
    c->set[i] = (vd_setting){.text = copy_of(c->arena, l->set[i].text), .folder = copy_of(c->arena, l->set[i].folder)};
  c->good = read_input(l, c);
  vd_diag_write(c->diag, false, &c->messages);
  if (!c->good)
    return;
  c->identity =
      vd_state_hash(vd_state_hash(0, VDSIM_VERSION, strlen(VDSIM_VERSION)), c->resolved.text, c->resolved.length);
  if (c->def)
    list_channels(c);
}

vd_status vd_case_load(vd_loading *l, vd_case **out) {
  l->c = calloc(1, sizeof *l->c);
  if (!l->c)
    return VD_NO_MEMORY;
  atomic_init(&l->c->users, 1);
  if (!vd_memory_try(load_work, l)) {
    vd_case_free(l->c);
    return VD_NO_MEMORY;
  }
  *out = l->c;
  return l->c->good ? VD_OK : VD_BAD_INPUT;
}

/* Loads with the settings of l->set, and after them those of a caller. */
static vd_status load_with(vd_loading *l, const char *const *settings, size_t count, vd_case **out) {
  if (!out)
    return VD_BAD_ARGUMENT;
  *out = NULL;
  if ((!l->path && !l->text) || (count > 0 && !settings))
    return VD_BAD_ARGUMENT;
  for (size_t i = 0; i < count; i++)
    if (!settings[i])
      return VD_BAD_ARGUMENT;
  vd_setting *set = calloc(l->count + count + 1, sizeof *set);
  if (!set)
    return VD_NO_MEMORY;
  for (size_t i = 0; i < l->count; i++)
    set[i] = l->set[i];
  for (size_t i = 0; i < count; i++)
    set[l->count++].text = settings[i];
  l->set = set;
  vd_status status = vd_case_load(l, out);
  free(set);
  return status;
}

vd_status vd_load_file(const char *path, const char *const *settings, size_t count, vd_case **out) {
  return load_with(&(vd_loading){.path = path}, settings, count, out);
}

vd_status vd_load_text(const char *text, size_t length, const char *name, const char *const *settings, size_t count,
                       vd_case **out) {
  return load_with(&(vd_loading){.text = text, .length = length, .name = name}, settings, count, out);
}

vd_status vd_case_set(const vd_case *from, const char *const *settings, size_t count, vd_case **out) {
  if (!from || !out)
    return VD_BAD_ARGUMENT;
  *out = NULL;
  if (from->source < 0)
    return VD_UNAVAILABLE;
  vd_loading l = {.name = vd_diag_source_name(from->diag, from->source), .set = from->set, .count = from->set_count};
  l.length = vd_diag_source_text(from->diag, from->source, &l.text);
  return load_with(&l, settings, count, out);
}

void vd_case_free(vd_case *c) {
  if (!c || atomic_fetch_sub(&c->users, 1) > 1)
    return;
  vd_buf_finish(&c->messages);
  vd_buf_finish(&c->resolved);
  vd_diag_destroy(c->diag);
  vd_arena_destroy(c->arena);
  free(c);
}

size_t vd_message_count(const vd_case *c) {
  return c ? vd_diag_count(c->diag) : 0;
}

vd_status vd_message_at(const vd_case *c, size_t index, vd_message *out) {
  static const vd_message_kind kind[] = {[VD_ERROR] = VD_MESSAGE_ERROR,
                                         [VD_WARNING] = VD_MESSAGE_WARNING,
                                         [VD_NOTE] = VD_MESSAGE_NOTE,
                                         [VD_REMARK] = VD_MESSAGE_NOTE};
  enum vd_severity severity;
  vd_place at;
  if (!out || index >= vd_message_count(c))
    return VD_BAD_ARGUMENT;
  vd_diag_message(c->diag, index, &severity, &at, &out->text);
  out->kind = kind[severity];
  out->file = vd_diag_source_name(c->diag, at.source);
  out->line = at.line;
  out->column = at.column;
  out->length = at.length;
  return VD_OK;
}

const char *vd_messages_text(const vd_case *c) {
  return !c ? NULL : c->messages.text ? c->messages.text : "";
}

static bool good(const vd_case *c) {
  return c && c->good;
}

/* Whether the case is a vehicle that can be driven. */
static bool drives(const vd_case *c) {
  return c && c->def;
}

const char *vd_resolved_text(const vd_case *c) {
  return good(c) ? c->resolved.text : NULL;
}

const char *vd_title(const vd_case *c) {
  return drives(c) ? c->def->title : NULL;
}

double vd_step_size(const vd_case *c) {
  return drives(c) ? c->def->run.step : NAN;
}

double vd_duration(const vd_case *c) {
  return drives(c) ? (double)vd_scenario_steps(c->def) * c->def->run.step : NAN;
}

double vd_log_time(const vd_case *c, size_t row) {
  return drives(c) ? (double)row * (double)vd_scenario_log_stride(c->def) * c->def->run.step : NAN;
}

double vd_log_interval(const vd_case *c) {
  return vd_log_time(c, 1);
}

/* ---- channels and inputs ---- */

size_t vd_channel_count(const vd_case *c) {
  return c ? c->channels : 0;
}

const char *vd_channel_name(const vd_case *c, size_t index) {
  return index < vd_channel_count(c) ? c->channel[index]->name : NULL;
}

const char *vd_channel_unit(const vd_case *c, size_t index) {
  return index < vd_channel_count(c) ? c->channel[index]->unit : NULL;
}

const char *vd_channel_meaning(const vd_case *c, size_t index) {
  return index < vd_channel_count(c) ? c->channel[index]->help : NULL;
}

int vd_channel_logged(const vd_case *c, size_t index) {
  return index < vd_channel_count(c) && c->logged[index];
}

size_t vd_channel_find(const vd_case *c, const char *name) {
  for (size_t i = 0; name && i < vd_channel_count(c); i++)
    if (strcmp(c->channel[i]->name, name) == 0)
      return i;
  return VD_NONE;
}

size_t vd_input_count(void) {
  return VD_INPUT_KINDS;
}

const char *vd_input_name(size_t index) {
  return index < VD_INPUT_KINDS ? vd_input_table[index].key : NULL;
}

const char *vd_input_unit(size_t index) {
  const char *unit = index < VD_INPUT_KINDS ? vd_input_table[index].unit : NULL;
  return unit && strcmp(unit, "1") == 0 ? "" : unit;
}

const char *vd_input_meaning(size_t index) {
  for (size_t i = 0; index < VD_INPUT_KINDS && i < vd_event_schema.count; i++)
    if (strcmp(vd_event_schema.field[i].key, vd_input_table[index].key) == 0)
      return vd_event_schema.field[i].help;
  return NULL;
}

size_t vd_input_find(const char *name) {
  for (size_t i = 0; name && i < VD_INPUT_KINDS; i++)
    if (strcmp(vd_input_table[i].key, name) == 0)
      return i;
  return VD_NONE;
}

vd_status vd_input_range(const vd_case *c, size_t index, double *lowest, double *highest) {
  double low, high;
  if (!drives(c) || index >= VD_INPUT_KINDS)
    return VD_BAD_ARGUMENT;
  vd_scenario_input_range((enum vd_input)index, &c->def->vehicle, &low, &high);
  if (lowest)
    *lowest = low;
  if (highest)
    *highest = high;
  return VD_OK;
}

/* ---- run ---- */

static vd_status status_of(const vd_instance *in) {
  if (in->sim.status != VD_SIM_OK)
    return VD_FAILED;
  return vd_instance_has_ended(in) ? VD_OVER : VD_OK;
}

static void restart_work(void *context) {
  vd_run *run = context;
  bool keep = run->recorder.keep;
  vd_recorder_finish(&run->recorder);
  vd_recorder_init(&run->recorder, keep);
  run->fresh = false;
  run->between.count = 0;
  vd_instance_restart(&run->instance);
}

static void build_work(void *context) {
  vd_run *run = context;
  vd_instance_start(&run->instance, run->of->def, true);
}

vd_status vd_build(vd_case *c, unsigned flags, vd_run **out) {
  if (!c || !out || (flags & ~VD_KEEP_METRICS))
    return VD_BAD_ARGUMENT;
  *out = NULL;
  if (!c->good)
    return VD_BAD_INPUT;
  if (!c->def)
    return VD_UNAVAILABLE;
  vd_run *run = calloc(1, sizeof *run);
  if (!run)
    return VD_NO_MEMORY;
  atomic_fetch_add(&c->users, 1);
  run->of = c;
  vd_recorder_init(&run->recorder, (flags & VD_KEEP_METRICS) != 0);
  run->between.parts = vd_scenario_parts(run->of->def);
  if (!vd_memory_try(build_work, run)) {
    vd_run_free(run);
    return VD_NO_MEMORY;
  }
  *out = run;
  return status_of(&run->instance);
}

void vd_run_free(vd_run *run) {
  if (!run)
    return;
  vd_instance_finish(&run->instance);
  vd_recorder_finish(&run->recorder);
  free(run->metrics);
  vd_case_free(run->of);
  free(run);
}

vd_status vd_restart(vd_run *run) {
  if (!run)
    return VD_BAD_ARGUMENT;
  return vd_memory_try(restart_work, run) ? status_of(&run->instance) : VD_NO_MEMORY;
}

/* Arguments of set_work. */
typedef struct setting {
  vd_run *run;
  enum vd_input input;
  double value;
} setting;

static void set_work(void *context) {
  const setting *s = context;
  vd_instance_set(&s->run->instance, s->input, s->value);
}

static bool is_post(enum vd_input i) {
  return i >= VD_IN_POST_FL && i <= VD_IN_POST_RR;
}

vd_status vd_set(vd_run *run, size_t input, double value) {
  double low, high;
  if (!run || input >= VD_INPUT_KINDS || !isfinite(value))
    return VD_BAD_ARGUMENT;
  const vd_scenario_def *def = run->of->def;
  enum vd_input i = (enum vd_input)input;
  vd_status status = status_of(&run->instance);
  if (status != VD_OK)
    return status;
  vd_scenario_input_range(i, &def->vehicle, &low, &high);
  if (is_post(i) != (def->kind == VD_SCENARIO_FOUR_POST) || !vd_instance_allows(&run->instance, i) ||
      !vd_scenario_input_possible(i, value, value, &def->vehicle))
    return VD_UNAVAILABLE;
  if (!(value >= low && value <= high) || (i == VD_IN_GEAR && value != round(value)))
    return VD_BAD_VALUE;
  run->fresh = false;
  return vd_memory_try(set_work, &(setting){run, i, value}) ? VD_OK : VD_NO_MEMORY;
}

/* Returns the row of the present instant, with the inputs that were set at it. A run that failed has none. */
static const vd_row *present_row(vd_run *run) {
  if (!run->fresh) {
    vd_instance_apply_inputs(&run->instance);
    if (run->instance.sim.status != VD_SIM_OK)
      return NULL;
    vd_instance_row(&run->instance, VD_VIEW_ALL, &run->row);
    run->fresh = true;
  }
  return &run->row;
}

/* Records the present instant. The recorder takes each instant once, just before the run leaves it or when metrics are
 * requested: instants of the grid, rows between them, and the end of the run. */
static void record(vd_run *run) {
  vd_instance *in = &run->instance;
  bool due = vd_instance_on_grid(in) || in->sim.ended;
  if (!run->recorder.keep || !due || (run->recorder.rows > 0 && !(vd_recorder_last(&run->recorder)->t < in->sim.t)))
    return;
  const vd_row *row = present_row(run);
  if (!row)
    return;
  if (run->recorder.rows == 0)
    vd_instance_prepare(in, &run->recorder);
  vd_recorder_add(&run->recorder, row, (enum vd_level)in->def->run.level);
}

/* Records the rows within the step that follows instant `first` of the grid, if they were not recorded before. */
static void record_between(vd_run *run, long first) {
  const vd_scenario_def *def = run->instance.def;
  size_t start = (size_t)first * (size_t)run->between.parts + 1;
  for (int k = 0; k < run->between.count; k++)
    if (run->recorder.rows == start + (size_t)k)
      vd_recorder_add(&run->recorder, &run->between.row[k], (enum vd_level)def->run.level);
}

static vd_sim_rows *rows_between(vd_run *run) {
  run->between.view = run->between.end_view = run->recorder.view;
  run->between.reads = run->recorder.reads.count ? &run->recorder.reads : NULL;
  return run->recorder.keep && run->between.parts > 1 ? &run->between : NULL;
}

static void advance_within(vd_run *run, double t) {
  run->before_cut = run->between.count;
  vd_instance_within(&run->instance, t, rows_between(run));
}

/* Computes the part of a step before the present instant again, because its rows are needed. */
void vd_run_recut(vd_run *run) {
  vd_instance *in = &run->instance;
  long start = in->sim.step * run->between.parts + 1;
  run->between.count = (int)vd_max((double)((long)run->recorder.rows - start), 0.0);
  if (in->kept == VD_BACK_CUT) {
    double t = in->sim.t;
    vd_sim_copy(&in->back, &in->sim);
    in->kept = VD_BACK_NONE;
    advance_within(run, t);
  }
}

typedef struct advance_arguments {
  vd_run *run;
  double to; /* s */
} advance_arguments;

static void advance_work(void *context) {
  const advance_arguments *g = context;
  vd_run *run = g->run;
  vd_instance *in = &run->instance;
  double h = in->def->run.step;
  vd_instance_apply_inputs(in);
  while (!vd_instance_has_ended(in)) {
    long step = in->kept == VD_BACK_CUT ? in->back.step : in->sim.step;
    bool whole = g->to >= ((double)(step + 1) - snap) * h;
    if (!whole && !(g->to > in->sim.t + snap * h))
      break;
    if (in->kept == VD_BACK_CUT)
      run->between.count = run->before_cut;
    else
      record_between(run, step);
    record(run);
    run->fresh = false;
    if (vd_instance_on_grid(in))
      run->between.count = 0;
    if (!whole) {
      advance_within(run, g->to);
      if (in->kept != VD_BACK_CUT)
        record_between(run, step);
      break;
    }
    vd_instance_step(in, rows_between(run));
    record_between(run, step);
  }
}

vd_status vd_advance(vd_run *run, double t) {
  if (!run || !isfinite(t))
    return VD_BAD_ARGUMENT;
  vd_instance *in = &run->instance;
  if (in->sim.status == VD_SIM_OK && t < in->sim.t - snap * in->def->run.step)
    return VD_BAD_ARGUMENT;
  return vd_memory_try(advance_work, &(advance_arguments){run, t}) ? status_of(in) : VD_NO_MEMORY;
}

double vd_time(const vd_run *run) {
  if (!run)
    return NAN;
  return run->instance.sim.status == VD_SIM_OK ? run->instance.sim.t : run->instance.sim.failure_time;
}

vd_status vd_run_status(const vd_run *run) {
  return run ? status_of(&run->instance) : VD_BAD_ARGUMENT;
}

const char *vd_run_failure(vd_run *run) {
  if (!run)
    return NULL;
  vd_instance_failure(&run->instance, run->failure, sizeof run->failure);
  return run->failure;
}

const char *vd_run_doubt(vd_run *run) {
  if (!run)
    return NULL;
  const vd_recorder *recorder = run->recorder.rows > 0 ? &run->recorder : NULL;
  vd_instance_doubt(&run->instance, recorder, run->failure, sizeof run->failure);
  return run->failure;
}

double vd_value(vd_run *run, size_t channel) {
  double value;
  return vd_values(run, &channel, 1, &value) == VD_OK ? value : NAN;
}

vd_status vd_values(vd_run *run, const size_t *channels, size_t count, double *out) {
  if (!run || (count > 0 && !out))
    return VD_BAD_ARGUMENT;
  const vd_case *c = run->of;
  for (size_t i = 0; i < count; i++)
    if ((channels ? channels[i] : i) >= c->channels)
      return VD_BAD_ARGUMENT;
  const vd_row *row = present_row(run);
  for (size_t i = 0; i < count; i++)
    out[i] = row ? vd_channel_value(c->channel[channels ? channels[i] : i], row) + 0.0 : NAN; /* adding 0.0 avoids
                                                                                               * negative zeros */
  return row ? VD_OK : VD_FAILED;
}

/* ---- metrics ---- */

static void figures_work(void *context) {
  vd_run *run = context;
  vd_recorder so_far = run->recorder, *r = &run->recorder;
  if (!run->metrics)
    run->metrics = vd_allocate(1, sizeof *run->metrics);
  vd_instance_apply_inputs(&run->instance);
  record(run);
  r->error = vd_sim_error(&run->instance.sim);
  vd_run_metrics(run->of->def, r, run->metrics);
  /* the present instant is recorded again when the run leaves it, because inputs may still be set */
  so_far.sample = r->sample;
  so_far.ride = r->ride;
  so_far.stunt = r->stunt;
  so_far.budget = r->budget;
  so_far.capacity = r->capacity;
  *r = so_far;
}

vd_status vd_figures(vd_run *run, vd_figure *out, size_t room, size_t *count) {
  if (!run || (room > 0 && !out))
    return VD_BAD_ARGUMENT;
  if (!run->recorder.keep)
    return VD_UNAVAILABLE;
  if (!vd_memory_try(figures_work, run))
    return VD_NO_MEMORY;
  for (size_t i = 0; i < run->metrics->count && i < room; i++) {
    const vd_metric *m = &run->metrics->metric[i];
    out[i] = (vd_figure){m->name, m->value, m->unit, m->definition, m->reason};
  }
  if (count)
    *count = run->metrics->count;
  return VD_OK;
}
