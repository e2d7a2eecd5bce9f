/* Baselines: results of a scenario at the time when its baseline was written, with fewer rows and six digits. A claim
 * states that the results have not changed. */
#include "validation/claim_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/num.h"
#include "base/system.h"
#include "input/schema.h"
#include "run/rig.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 25 };

/* clang-format off */
static const vd_field tolerance_keys[] = {
  {VD_F_STRING(vd_baseline_tolerance_def, name, "name", NULL, "channels or metrics, a name or a glob")},
  {VD_F_LIST(vd_baseline_tolerance_def, tolerance, "tolerance", NULL,
             "allowed change: absolute, relative, or both; the greater one is used")},
};
static const vd_schema tolerance_schema = {.name = "tolerance",
                                           .size = sizeof(vd_baseline_tolerance_def),
                                           .field = tolerance_keys,
                                           .count = VD_COUNT(tolerance_keys)};

static const vd_field keys[] = {
  {VD_F_PATH(vd_claim_def, as.baseline.path, "baseline", NULL,
             "CSV of an earlier run; the file of its metrics is beside it"),
   .only = VD_WHEN(VD_CLAIM_BASELINE)},
  {VD_F_STRUCTS(vd_claim_def, as.baseline.tolerances, "tolerances", "1", &tolerance_schema, "[]",
                "wider tolerances of channels and metrics, in place of the unit's; if several fit a name, the last one "
                "is used"),
   .only = VD_WHEN(VD_CLAIM_BASELINE)},
};
/* clang-format on */

/* The main channels of a run: pose, motion, loads and forces, slips, travels, energy. */
static const char *const main_channels[] = {
    "t_s",           "x_m",
    "y_m",           "z_m",
    "roll_rad",      "pitch_rad",
    "yaw_rad",       "vx_mps",
    "vy_mps",        "yaw_rate_radps",
    "ax_mps2",       "ay_mps2",
    "az_mps2",       "steer_actual_rad",
    "gear",          "motor_speed_radps",
    "fx_*_N",        "fy_*_N",
    "fz_*_N",        "alpha_??_rad",
    "omega_*_radps", "travel_*_m",
    "energy_J",      "work_J",
};

size_t vd_baseline_channels(enum vd_kind kind, int level, size_t *index, size_t size) {
  size_t count, found = 0;
  bool wanted[VD_CLAIM_CHANNELS] = {false};
  const vd_channel *table = vd_kind_channels(kind, &count);
  for (size_t i = 0; i < VD_COUNT(main_channels) && kind == VD_KIND_VEHICLE; i++)
    vd_channel_match(main_channels[i], (enum vd_level)level, wanted);
  for (size_t i = 0; i < count && kind != VD_KIND_VEHICLE; i++) /* a steady rig has only some of the channels */
    wanted[i] = table[i].levels == 0 || (table[i].levels & VD_WHEN(level));
  for (size_t i = 0; i < count && found < size; i++)
    if (wanted[i])
      index[found++] = i;
  return found;
}

static void need(enum vd_kind kind, bool *channels) {
  size_t index[VD_CLAIM_CHANNELS];
  for (int level = 0; vd_level_names[level]; level++)
    for (size_t count = vd_baseline_channels(kind, level, index, VD_CLAIM_CHANNELS), i = 0; i < count; i++)
      channels[index[i]] = true;
}

/* Finds the channels of a run. */
static size_t channels_of(const vd_performed *run, size_t *index) {
  int level = run->kind == VD_KIND_VEHICLE ? (int)run->def->run.level
              : run->timeless              ? VD_RIG_STEADY
                                           : VD_RIG_TRANSIENT;
  return vd_baseline_channels(run->kind, level, index, VD_CLAIM_CHANNELS);
}

size_t vd_baseline_rows(size_t steps, size_t *row, size_t size) {
  size_t rows = steps < size ? steps : size;
  for (size_t i = 0; i < rows; i++)
    row[i] = rows > 1 ? i * (steps - 1) / (rows - 1) : 0;
  return rows;
}

/* --- reading --- */

static const char *const metric_columns[] = {"metric", "value", "unit"};

/* Checks that fields are numbers, or empty where there is no value. */
static void check_numbers(const vd_cells *table, size_t first, size_t end) {
  double value;
  for (size_t row = 0; row < table->rows; row++)
    for (size_t column = first; column < end; column++)
      if (*table->text[row * table->columns + column])
        vd_cells_number(table, row, column, &value);
}

static bool is_same_file(const char *a, const char *b) {
  struct stat one, other;
  return strcmp(a, b) == 0 ||
         (stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino);
}

/* Refuses a baseline that another claim uses: the baseline would count twice, and vdsim-validate would overwrite it
 * when it writes baselines. A claim whose file is read twice is allowed to share it with itself. */
static void refuse_shared(vd_claim_context *ctx) {
  const vd_claim *own = ctx->out;
  for (const vd_claim *other = ctx->all->claim; other < own; other++) {
    const char *path = vd_claim_baseline_path(other);
    if (path && !(other->number == own->number && strcmp(other->file, own->file) == 0) &&
        is_same_file(path, own->def->as.baseline.path)) {
      vd_error(ctx->d, vd_claim_at(ctx, "baseline"), "'%s' is the baseline of claim %s already",
               own->def->as.baseline.path, other->name);
      return;
    }
  }
}

/* Reads which columns a log of vdsim-run has. The user of vdsim-run chose its rows and columns. */
static void read_log_columns(vd_claim_context *ctx, const char *stem) {
  vd_claim *out = ctx->out;
  size_t count;
  const vd_channel *table = vd_kind_channels(out->run.kind, &count);
  out->as.baseline.provenance = vd_baseline_provenance(ctx, vd_claim_format(ctx, "%s.provenance.yaml", stem));
  out->as.baseline.is_log = vd_baseline_says(out->as.baseline.provenance, "tool: ", "vdsim-run");
  for (size_t i = 0; i < count && out->as.baseline.is_log; i++)
    out->channels[i] |= vd_cells_column(&out->as.baseline.log, table[i].name) >= 0;
}

/* True if a name or pattern fits a channel, or a metric of any set. */
static bool fits_any(const vd_claim_context *ctx, const char *name) {
  size_t count;
  bool vehicle = ctx->out->run.kind == VD_KIND_VEHICLE, found = !vehicle; /* metrics of other kinds are not listed */
  const vd_channel *table = vd_kind_channels(ctx->out->run.kind, &count);
  for (size_t i = 0; i < count && !found; i++)
    found = fnmatch(name, table[i].name, 0) == 0;
  for (size_t s = 0; s < VD_METRIC_SET_COUNT && !found; s++)
    for (size_t i = 0; i < vd_metric_sets[s]->count && !found; i++)
      found = fnmatch(name, vd_metric_sets[s]->metric[i].name, 0) == 0;
  return found;
}

static void read_tolerances(vd_claim_context *ctx) {
  const vd_structs *list = &ctx->def->as.baseline.tolerances;
  const vd_baseline_tolerance_def *def = list->item;
  vd_tolerance *out = vd_arena_alloc(ctx->arena, (list->count + 1) * sizeof *out);
  for (size_t i = 0; i < list->count; i++) {
    out[i] = (vd_tolerance){.bare = true};
    if (!fits_any(ctx, def[i].name))
      vd_error(ctx->d, vd_claim_at(ctx, vd_claim_format(ctx, "tolerances.%zu.name", i)),
               "no channel or metric has the name '%s'", def[i].name);
    for (size_t n = 0; n < def[i].tolerance.count; n++)
      vd_tolerance_read(def[i].tolerance.name[n], vd_claim_at(ctx, vd_claim_format(ctx, "tolerances.%zu.tolerance", i)),
                        ctx->d, &out[i]);
  }
  ctx->out->as.baseline.tolerance = out;
}

/* Reads the metrics of the baseline from the file beside it. A baseline without this file is allowed: not every run has
 * metrics. */
static void read_keys(vd_claim_context *ctx) {
  const char *path = ctx->def->as.baseline.path;
  size_t length = strlen(path);
  read_tolerances(ctx);
  if (length < 5 || strcmp(path + length - 4, ".csv") != 0) {
    vd_error(ctx->d, vd_claim_at(ctx, "baseline"), "a baseline is a CSV file, NAME.csv");
    return;
  }
  refuse_shared(ctx);
  const char *metrics = vd_claim_format(ctx, "%.*s.metrics.csv", (int)(length - 4), path);
  struct stat info;
  if (ctx->no_baselines || !vd_claim_cells(ctx, path, vd_claim_at(ctx, "baseline"), &ctx->out->as.baseline.log))
    return;
  vd_cells_to_si(&ctx->out->as.baseline.log);
  check_numbers(&ctx->out->as.baseline.log, 0, ctx->out->as.baseline.log.columns);
  read_log_columns(ctx, vd_claim_format(ctx, "%.*s", (int)(length - 4), path));
  ctx->out->as.baseline.input =
      vd_baseline_input(ctx, vd_claim_format(ctx, "%.*s.resolved.yaml", (int)(length - 4), path));
  if (stat(metrics, &info) == 0 &&
      vd_claim_cells(ctx, metrics, vd_claim_at(ctx, "baseline"), &ctx->out->as.baseline.metrics)) {
    const vd_cells *m = &ctx->out->as.baseline.metrics;
    int column[VD_COUNT(metric_columns)] = {0};
    for (size_t i = 0; i < VD_COUNT(metric_columns); i++)
      column[i] = vd_claim_find_column(ctx, m, metric_columns[i], vd_claim_at(ctx, "baseline"));
    if (column[1] >= 0)
      check_numbers(m, (size_t)column[1], (size_t)column[1] + 1);
  }
}

/* --- comparing --- */

typedef struct comparing {
  const vd_claim_case *c;
  size_t differ, all;
  char first[120]; /* the first deviation in the order of the rows, as text */
} comparing;

/* Returns the tolerance of the unit, or a wider tolerance of the claim. what: name of a channel or metric. */
static double allowed_change(const vd_claim_case *c, double expected, const char *unit, const char *what) {
  const vd_structs *list = &c->claim->def->as.baseline.tolerances;
  const vd_baseline_tolerance_def *def = list->item;
  vd_channel_tolerance t = vd_channel_tolerated(unit);
  double allowed = vd_max(t.absolute, t.relative * fabs(expected)), given = 0.0;
  for (size_t i = 0; i < list->count; i++) {
    const vd_tolerance *own = &c->claim->as.baseline.tolerance[i];
    if (fnmatch(def[i].name, what, 0) != 0)
      continue;
    bool fits = !own->has_absolute || own->bare || vd_claim_fits(&(vd_quantity){.unit = own->unit}, unit);
    if (!fits && strpbrk(def[i].name, "*?[")) /* a pattern applies only to names whose unit fits the tolerance */
      continue;
    if (!fits)
      vd_case_refuse(c, "the tolerance of '%s' is not in '%s'", what, unit);
    given = vd_claim_allowed_in(own, expected, unit);
  }
  return vd_max(allowed, given);
}

/* Compares a value. what: the channel or metric; name: the place of the value. */
static void compare_value(comparing *k, double expected, double got, const vd_channel *what, const char *name) {
  const char *unit = what->unit;
  double allowed = allowed_change(k->c, expected, unit, what->name);
  k->all++;
  if (isnan(expected) && isnan(got))
    return;
  if (!(fabs(got - expected) <= k->c->how->scale * allowed)) {
    if (k->differ++ == 0)
      snprintf(k->first, sizeof k->first, "%s", name);
  }
  vd_case_compare(k->c, expected, got, allowed, unit, name);
}

static double cell(const vd_cells *table, size_t row, size_t column) {
  const char *text = table->text[row * table->columns + column];
  double value;
  size_t used;
  return vd_num_parse(text, strlen(text), &value, &used) && text[used] == '\0' ? value : NAN;
}

/* A column of the baseline over its first column, with the same column of the run. */
typedef struct overlay {
  const char *name, *x_name, *x_unit, *unit;
  const double *x, *y; /* abscissa and values of the run */
  size_t count;
  size_t rows;         /* number of rows of the baseline */
  const double *where; /* steps of the run at these rows, which may be between two steps */
  int column[2];
} overlay;

/* Returns the value at a step, or between two steps by interpolation. */
static double value_at(const double *value, double where) {
  size_t i = (size_t)where;
  double part = where - (double)i;
  return part > 0.0 ? value[i] + part * (value[i + 1] - value[i]) : value[i];
}

static void draw_column(const comparing *k, const overlay *o) {
  const vd_cells *b = &k->c->claim->as.baseline.log;
  double *x = vd_allocate(o->rows, sizeof *x), *y = vd_allocate(o->rows, sizeof *y), share = 0.0;
  for (size_t i = 0; i < o->rows; i++) {
    x[i] = cell(b, i, (size_t)o->column[0]);
    y[i] = cell(b, i, (size_t)o->column[1]);
    share = vd_max(share, fabs(y[i] - value_at(o->y, o->where[i])) / allowed_change(k->c, y[i], o->unit, o->name));
  }
  vd_picture *p = vd_case_picture(k->c, o->name, o->x_name, o->x_unit, o->unit, share);
  vd_picture_add(p, VD_STROKE_RUN, "run", o->x, o->y, o->count);
  vd_picture_add(p, VD_STROKE_POINTS, "baseline", x, y, o->rows);
  free(x);
  free(y);
}

/* True if every column of the baseline is a channel of the run. index: the channels that a complete baseline must have;
 * for a log, it is set to the channels of the log. column: set to their columns in the baseline. */
static bool same_columns(const vd_claim_case *c, const vd_performed *run, size_t *index, size_t *count, int *column) {
  const vd_cells *b = &c->claim->as.baseline.log;
  bool is_log = c->claim->as.baseline.is_log;
  size_t total, found = 0, wanted = is_log ? 0 : *count;
  const vd_channel *table = vd_kind_channels(run->kind, &total);
  for (size_t i = 0; i < total && is_log; i++)
    if (run->value[i] && vd_cells_column(b, table[i].name) >= 0)
      index[wanted++] = i;
  for (size_t k = 0; k < wanted; k++) {
    column[k] = vd_cells_column(b, table[index[k]].name);
    found += column[k] >= 0;
  }
  for (size_t i = 0; i < b->columns && found < b->columns; i++) {
    bool ours = false;
    for (size_t k = 0; k < wanted; k++)
      ours |= column[k] == (int)i;
    if (!ours)
      return vd_case_refuse(c, "the run does not have the column '%s' of the baseline", b->name[i]);
  }
  for (size_t k = 0; k < wanted; k++)
    if (column[k] < 0)
      return vd_case_refuse(c, "the baseline has no column '%s'", table[index[k]].name);
  *count = wanted;
  return wanted > 0;
}

/* Names the place of a row: its time, or its number. */
static void place_name(const vd_performed *run, bool timed, size_t row, double where, char *name, size_t size) {
  if (timed)
    snprintf(name, size, "at %.6g s", value_at(run->t, where));
  else
    snprintf(name, size, "in row %zu", row + 1);
}

/* Finds the steps of the run at the times of a log's rows. */
static bool log_rows(const vd_claim_case *c, const vd_performed *run, int time, double *where) {
  const vd_cells *b = &c->claim->as.baseline.log;
  size_t at = 0;
  double last = run->t[run->steps - 1];
  for (size_t i = 0; i < b->rows; i++) {
    double t = cell(b, i, (size_t)time);
    if (!(t >= run->t[0] - 1e-6 && t <= last + 1e-5 * fabs(last) + 1e-6))
      return vd_case_refuse(c, "the run ends at %.6g s, the baseline has a row at %.6g s", last, t);
    if (i > 0 && t < cell(b, i - 1, (size_t)time))
      at = 0;
    while (at + 2 < run->steps && run->t[at + 1] <= t)
      at++;
    double part = run->steps > 1 ? (t - run->t[at]) / (run->t[at + 1] - run->t[at]) : 0.0;
    bool exact = fabs(part - (part < 0.5 ? 0.0 : 1.0)) < 1e-5; /* rounded digits of the log */
    where[i] = (double)at + (exact ? (part < 0.5 ? 0.0 : 1.0) : part);
  }
  return true;
}

/* Finds the steps of the run at the rows of the baseline. */
static bool rows_of(const vd_claim_case *c, const vd_performed *run, int time, double *where) {
  const vd_cells *b = &c->claim->as.baseline.log;
  size_t row[ROWS], rows = vd_baseline_rows(run->steps, row, ROWS);
  if (c->claim->as.baseline.is_log && time >= 0)
    return log_rows(c, run, time, where);
  if (c->claim->as.baseline.is_log)
    rows = run->steps;
  if (b->rows != rows)
    return vd_case_refuse(c, "the baseline has %zu rows, the run gives %zu", b->rows, rows);
  for (size_t i = 0; i < rows; i++)
    where[i] = c->claim->as.baseline.is_log ? (double)i : (double)row[i];
  double end = time >= 0 ? cell(b, rows - 1, (size_t)time) : 0.0, ended = run->t[run->steps - 1];
  if (time >= 0 && !(fabs(end - ended) <= 1e-5 * fabs(end) + 1e-6))
    return vd_case_refuse(c, "the run ends at %.6g s, the run of the baseline at %.6g s", ended, end);
  return true;
}

static void compare_rows(comparing *k, const vd_performed *run, const size_t *index, size_t count, const int *column,
                         const double *where) {
  const vd_cells *b = &k->c->claim->as.baseline.log;
  size_t total;
  const vd_channel *table = vd_kind_channels(run->kind, &total);
  bool timed = strcmp(table[index[0]].name, "t_s") == 0;
  char place[32], name[96];
  for (size_t i = 0; i < b->rows; i++) {
    place_name(run, timed, i, where[i], place, sizeof place);
    for (size_t n = 0; n < count; n++) {
      const vd_channel *channel = &table[index[n]];
      snprintf(name, sizeof name, "%.60s %s", channel->name, place);
      double got = run->value[index[n]] ? value_at(run->value[index[n]], where[i]) : NAN;
      compare_value(k, cell(b, i, (size_t)column[n]), got, channel, name);
    }
  }
  for (size_t n = 1; n < count && k->c->how->pictures; n++)
    if (run->value[index[n]])
      draw_column(k, &(overlay){.name = table[index[n]].name,
                                .x_name = timed ? "time" : table[index[0]].name,
                                .x_unit = table[index[0]].unit,
                                .unit = table[index[n]].unit,
                                .x = run->value[index[0]],
                                .y = run->value[index[n]],
                                .count = run->steps,
                                .rows = b->rows,
                                .where = where,
                                .column = {column[0], column[n]}});
}

static void compare_log(comparing *k, const vd_performed *run) {
  size_t index[VD_CLAIM_CHANNELS], count = channels_of(run, index);
  int column[VD_CLAIM_CHANNELS];
  double *where = vd_allocate(k->c->claim->as.baseline.log.rows + 1, sizeof *where);
  size_t total;
  if (same_columns(k->c, run, index, &count, column)) {
    bool timed = strcmp(vd_kind_channels(run->kind, &total)[index[0]].name, "t_s") == 0;
    if (rows_of(k->c, run, timed ? column[0] : -1, where))
      compare_rows(k, run, index, count, column, where);
  }
  free(where);
}

/* Returns the row of a metric in the baseline; -1 after a refusal. */
static int row_of(const comparing *k, const char *metric) {
  const vd_cells *b = &k->c->claim->as.baseline.metrics;
  size_t name = (size_t)vd_cells_column(b, "metric");
  int found = -1, count = 0;
  for (size_t i = 0; i < b->rows; i++)
    if (strcmp(b->text[i * b->columns + name], metric) == 0) {
      found = (int)i;
      count++;
    }
  if (count == 1)
    return found;
  vd_case_refuse(k->c, count == 0 ? "the baseline has no metric '%s'" : "the baseline has the metric '%s' twice",
                 metric);
  return -1;
}

/* True if the scenario itself requests a metric; other claims about the run may have requested more sets. */
static bool is_own(const vd_performed *run, const char *metric) {
  bool vehicle = run->kind == VD_KIND_VEHICLE;
  for (size_t s = 0; s < VD_METRIC_SET_COUNT && vehicle; s++) {
    bool own = s == 0; /* the set `run` */
    for (size_t i = 0; i < run->own_sets; i++)
      own |= strcmp(vd_metric_sets[s]->key, run->def->metrics.sets.name[i]) == 0;
    for (size_t i = 0; own && i < vd_metric_sets[s]->count; i++)
      if (strcmp(vd_metric_sets[s]->metric[i].name, metric) == 0)
        return true;
  }
  return !vehicle;
}

static bool compare_metric(comparing *k, const vd_metric *m) {
  const vd_cells *b = &k->c->claim->as.baseline.metrics;
  int row = row_of(k, m->name);
  if (row < 0)
    return false;
  const char *unit = b->text[(size_t)row * b->columns + (size_t)vd_cells_column(b, "unit")];
  if (strcmp(unit, m->unit) != 0)
    return vd_case_refuse(k->c, "the baseline has '%s' in '%s', the run in '%s'", m->name, unit, m->unit);
  vd_channel what = {.name = m->name, .unit = m->unit};
  compare_value(k, cell(b, (size_t)row, (size_t)vd_cells_column(b, "value")), m->value, &what, m->name);
  return true;
}

/* Compares metrics. Baseline and run must have the same metrics with the same units. */
static void compare_metrics(comparing *k, const vd_performed *run) {
  const vd_cells *b = &k->c->claim->as.baseline.metrics;
  const char *path = k->c->claim->def->as.baseline.path;
  if (b->columns == 0) {
    if (run->outcome.metrics.count > 0 && !k->c->claim->as.baseline.is_log)
      vd_case_refuse(k->c, "the baseline has no metrics: there is no file '%.*s.metrics.csv'", (int)strlen(path) - 4,
                     path);
    return;
  }
  for (size_t i = 0; i < b->rows; i++) {
    const char *name = b->text[i * b->columns + (size_t)vd_cells_column(b, "metric")];
    bool found = false;
    for (size_t m = 0; m < run->outcome.metrics.count; m++)
      found |= strcmp(run->outcome.metrics.metric[m].name, name) == 0 && is_own(run, name);
    if (!found) {
      vd_case_refuse(k->c, "the run does not have the metric '%s' of the baseline", name);
      return;
    }
  }
  for (size_t m = 0; m < run->outcome.metrics.count; m++)
    if (is_own(run, run->outcome.metrics.metric[m].name) && !compare_metric(k, &run->outcome.metrics.metric[m]))
      return;
}

static void summarise(const comparing *k) {
  vd_finding *f = k->c->out;
  if (f->verdict != VD_HOLDS && f->reason[0] == '\0')
    snprintf(f->reason, sizeof f->reason, "%zu of %zu values %s changed, first %s", k->differ, k->all,
             k->differ == 1 ? "has" : "have", k->first);
}

static void write_provenance(const vd_claim *claim, const vd_performed *run, vd_buf *b) {
  size_t row[ROWS];
  const char *scenario = strstr(claim->run.scenario, "scenarios/");
  vd_run_report report = run->outcome.report;
  report.rows = (long)vd_baseline_rows(run->steps, row, ROWS);
  const vd_origin from = {.tool = "vdsim-validate",
                          .scenario = scenario ? scenario : claim->run.scenario,
                          .resolved = run->text,
                          .length = strlen(run->text),
                          .kind = run->kind,
                          .level = run->kind == VD_KIND_VEHICLE ? (int)run->def->run.level : 0};
  vd_write_provenance(b, &from, &report);
}

/* Compares the hashes of the inputs, which show a change of the input even if the baseline has no input file. */
static void compare_hashes(const vd_claim_case *c, const vd_performed *run) {
  static const char key[] = "resolved_fnv1a64: ";
  const char *was = c->claim->as.baseline.provenance;
  vd_buf now = {0};
  write_provenance(c->claim, run, &now);
  char *line = strstr(now.text, key);
  line[strcspn(line, "\n")] = '\0';
  if (vd_baseline_says(was, "tool: ", "vdsim-validate") && !vd_baseline_says(was, key, line + sizeof key - 1)) {
    size_t used = strlen(c->out->reason);
    snprintf(c->out->reason + used, sizeof c->out->reason - used,
             "; the input has changed, or the set of keys in resolved inputs");
  }
  vd_buf_finish(&now);
}

static void judge(const vd_claim_case *c, const vd_performed *run, const vd_performed *other) {
  (void)other;
  comparing k = {.c = c};
  compare_log(&k, run);
  if (c->out->reason[0] == '\0')
    compare_metrics(&k, run);
  summarise(&k);
  if (c->out->verdict == VD_HOLDS)
    return;
  if (c->claim->as.baseline.input)
    vd_baseline_input_changes(c->claim->as.baseline.input, run->resolved, c->out->reason, sizeof c->out->reason);
  else
    compare_hashes(c, run);
}

const vd_claim_variant vd_baseline_variant = {
    .rows = {.field = keys, .count = VD_COUNT(keys)},
    .needs_scenario = true,
    .shares_run = true,
    .enough = VD_ENOUGH_STEPS,
    .read = read_keys,
    .need = need,
    .judge = judge,
};

const char *vd_claim_baseline_path(const vd_claim *claim) {
  return claim->def->kind == VD_CLAIM_BASELINE ? claim->def->as.baseline.path : NULL;
}

/* --- writing --- */

static void write_number(vd_buf *b, double value) {
  if (!isnan(value))
    vd_buf_printf(b, "%.6g", value + 0.0);
}

static void write_log(const vd_performed *run, vd_buf *b) {
  size_t index[VD_CLAIM_CHANNELS], row[ROWS], total;
  const vd_channel *table = vd_kind_channels(run->kind, &total);
  size_t count = channels_of(run, index), rows = vd_baseline_rows(run->steps, row, ROWS);
  for (size_t n = 0; n < count; n++)
    vd_buf_printf(b, "%s%s", n ? "," : "", table[index[n]].name);
  vd_buf_puts(b, "\n");
  for (size_t i = 0; i < rows; i++)
    for (size_t n = 0; n < count; n++) {
      write_number(b, run->value[index[n]][row[i]]);
      vd_buf_puts(b, n + 1 < count ? "," : "\n");
    }
}

static void write_metrics(const vd_performed *run, vd_buf *b) {
  vd_buf_puts(b, "metric,value,unit\n");
  for (size_t i = 0; i < run->outcome.metrics.count; i++) {
    vd_buf_printf(b, "%s,", run->outcome.metrics.metric[i].name);
    write_number(b, run->outcome.metrics.metric[i].value);
    vd_buf_printf(b, ",%s\n", run->outcome.metrics.metric[i].unit);
  }
}

void vd_baseline_text_finish(vd_baseline_text *text) {
  vd_buf_finish(&text->log);
  vd_buf_finish(&text->metrics);
  vd_buf_finish(&text->provenance);
  vd_buf_finish(&text->resolved);
}

bool vd_baseline_write(const vd_claim *claim, vd_baseline_text *out, char *why, size_t size) {
  vd_perform_options o = {.sets = 0};
  vd_performed run;
  need(claim->run.kind, o.channels);
  vd_perform(&claim->run, &o, &run);
  bool good = run.steps > 0; /* a run that failed has results up to its failure */
  if (good) {
    write_log(&run, &out->log);
    if (run.outcome.metrics.count > 0)
      write_metrics(&run, &out->metrics);
    write_provenance(claim, &run, &out->provenance);
    vd_buf_puts(&out->resolved, run.text);
  } else {
    snprintf(why, size, "%s", run.why ? run.why : "it has no rows, which a baseline needs");
  }
  vd_performed_finish(&run);
  return good;
}
