/* Makes the runs of a fit with values of its free figures, and computes the values of these runs that are compared. */
#include "study/fit_impl.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "input/schema.h"
#include "kc/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Number of points of a sweep whose measured rows are not evenly spaced; linear interpolation between so many points is
 * accurate enough. */
enum { SWEEP_POINTS = 201 };

struct vd_run_model {
  const vd_run_fit *fit;
  vd_study_reader *reader; /* [experiments] */
  bool *reads;
  vd_run_record *record; /* [datas] */
  size_t experiment;     /* experiment of the present run */
  size_t swept;          /* data of the present sweep */
};

/* --- records --- */

/* Returns memory for the next row. */
static double *next_row(vd_run_model *m, size_t data) {
  vd_run_record *r = &m->record[data];
  r->columns = m->fit->data[data].columns;
  if (r->rows == r->capacity) {
    r->capacity = r->capacity ? 2 * r->capacity : 1024;
    r->value = vd_reallocate(r->value, r->capacity * (r->columns + VD_RUN_EXTREMES), sizeof *r->value);
  }
  return r->value + r->rows * (r->columns + VD_RUN_EXTREMES);
}

static void end_row(vd_run_record *r) {
  double *row = r->value + r->rows * (r->columns + VD_RUN_EXTREMES), x = row[0];
  const double *before = r->rows > 0 ? row - VD_RUN_EXTREMES : (const double[]){x, x};
  row[r->columns] = vd_max(before[0], x);
  row[r->columns + 1] = vd_min(before[1], x);
  r->rows++;
}

/* Stores a vehicle's row, or the values of all columns of a rig or track car. */
static void take(vd_run_model *m, const vd_row *row, const double *value) {
  size_t count;
  for (size_t k = 0; k < m->fit->datas; k++) {
    const vd_run_data *data = &m->fit->data[k];
    if (data->experiment != m->experiment || !data->from)
      continue;
    const vd_channel *table = vd_kind_channels(m->fit->experiment[data->experiment].base.kind, &count);
    double *to = next_row(m, k);
    for (size_t c = 0; c < data->columns; c++)
      to[c] = row ? vd_channel_value(data->from[c], row) : value[data->from[c] - table];
    end_row(&m->record[k]);
  }
}

static void take_row(void *context, const vd_row *row) {
  take(context, row, NULL);
}

static void take_values(void *context, const double *value) {
  take(context, NULL, value);
}

/* --- sweeps --- */

static int by_number(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Returns the range of a sweep, SI. Its points include the measured rows if these are evenly spaced. */
static vd_kc_range range_of(const vd_run_data *data) {
  double *x = vd_allocate(data->rows, sizeof *x);
  double unit = strcmp(vd_kc_column_unit(data->channel[0]), "mm") == 0 ? 1e-3 : 1.0;
  size_t count = 0;
  memcpy(x, data->x, data->rows * sizeof *x);
  qsort(x, data->rows, sizeof *x, by_number);
  for (size_t i = 0; i < data->rows; i++)
    if (count == 0 || x[i] > x[count - 1])
      x[count++] = x[i];
  double from = x[0], to = x[count - 1], step = count > 1 ? (to - from) / (double)(count - 1) : 0.0;
  bool even = count <= SWEEP_POINTS;
  for (size_t i = 0; i < count; i++)
    even = even && fabs(x[i] - from - (double)i * step) <= 1e-9 * (to - from);
  free(x);
  return (vd_kc_range){from * unit, to * unit, even ? (int)count : SWEEP_POINTS};
}

static void take_point(void *context, const double *value) {
  vd_run_model *m = context;
  const vd_run_data *data = &m->fit->data[m->swept];
  double *to = next_row(m, m->swept);
  for (size_t c = 0; c < data->columns; c++)
    for (int i = 0; i < VD_KC_COLUMNS; i++)
      if (strcmp(vd_kc_figures[i].column, data->channel[c]) == 0)
        to[c] = value[i];
  end_row(&m->record[m->swept]);
}

/* Stores the figures of a corner. False with the reason in the status. */
static bool take_corner(vd_run_model *m, const vd_corner *corner, vd_case_outcome *out) {
  for (size_t k = 0; k < m->fit->datas; k++) {
    const vd_run_data *data = &m->fit->data[k];
    if (data->experiment != m->experiment || data->columns == 0)
      continue;
    vd_kc_plan plan = vd_kc_plan_default();
    vd_kc_report report;
    int sweep = vd_kc_sweep_over(data->channel[0]);
    for (int i = 0; i < VD_KC_SWEEPS; i++)
      plan.sweep[i] = i == sweep;
    plan.range[sweep] = range_of(data);
    plan.take = take_point;
    plan.context = m;
    m->swept = k;
    bool good = vd_kc_sweep_write(corner, &plan, NULL, &report);
    if (!good)
      snprintf(out->status, sizeof out->status, "ended: %.*s",
               report.messages.length ? (int)strcspn(report.messages.text, "\n") : 0, report.messages.text);
    if (!good && report.messages.length == 0)
      snprintf(out->status, sizeof out->status, "ended: the linkage has no sweep of %s", data->channel[0]);
    vd_buf_finish(&report.messages);
    if (!good)
      return false;
  }
  return true;
}

/* --- values at x --- */

double vd_run_record_at(const vd_run_record *r, size_t column, double x, bool *beyond) {
  if (beyond)
    *beyond = true;
  if (r->rows == 0)
    return NAN;
  bool up = x >= vd_run_record_value(r, 0, 0);
  /* the row in which x is first reached is in [low, high] */
  size_t low = 0, high = r->rows, extreme = r->columns + (up ? 0 : 1);
  while (low < high) {
    size_t mid = low + (high - low) / 2;
    double reached = vd_run_record_value(r, mid, extreme);
    if (up ? reached >= x : reached <= x)
      high = mid;
    else
      low = mid + 1;
  }
  if (beyond)
    *beyond = low == r->rows;
  if (low == r->rows) /* x is not reached: the row with the nearest x */
    for (low = 0; vd_run_record_value(r, low, 0) != vd_run_record_value(r, r->rows - 1, extreme);)
      low++;
  else if (low > 0) {
    double before = vd_run_record_value(r, low - 1, 0);
    double share = (x - before) / (vd_run_record_value(r, low, 0) - before);
    return (1.0 - share) * vd_run_record_value(r, low - 1, column) + share * vd_run_record_value(r, low, column);
  }
  return vd_run_record_value(r, low, column);
}

/* --- a run --- */

typedef struct world {
  const vd_run_fit *fit;
  const vd_run_experiment *of;
  const double *figure;
} world;

static bool number_called(void *context, const char *name, double *value, const char **why) {
  const world *w = context;
  *why = NULL;
  for (size_t i = 0; i < w->fit->frees; i++) {
    const vd_run_free *f = &w->fit->free[i];
    if (vd_study_is_called(name, f->name, &f->def->keys)) {
      *value = w->figure[i];
      return true;
    }
  }
  return vd_study_number(&w->of->base, name, value);
}

double vd_run_formula(const vd_run_fit *fit, const vd_run_experiment *of, const vd_expression *formula,
                      const double *figure, char *why, size_t size) {
  const vd_expression_world w = {.context = &(world){fit, of, figure}, .name = number_called};
  return vd_expression_value(formula, &w, why, size);
}

/* Returns the settings of the fit and of the data, then a setting for each key. NULL: a formula has no value. */
static const vd_setting *settings_of(const vd_run_fit *fit, const vd_run_experiment *e, const double *figure,
                                     vd_arena *arena, size_t *count, char *why, size_t size) {
  vd_setting *set = vd_study_settings_of(&e->base, e->settings, arena);
  bool good = true;
  *count = e->base.def.set.count;
  for (size_t i = 0; i < e->settings && good; i++) {
    const vd_run_setting *s = &e->setting[i];
    double value = s->formula ? vd_run_formula(fit, e, s->formula, figure, why, size) : figure[s->free];
    good = !isnan(value);
    const char *text = good ? vd_arena_printf(arena, "%s=%s", s->key, vd_number_value(value, arena).text) : "";
    set[(*count)++] = (vd_setting){.text = text, .folder = fit->folder};
  }
  return good ? set : NULL;
}

/* Computes the values of a target after the run; false: there are none. */
static bool values_of(const vd_run_model *m, const vd_run_target *t, const vd_metrics *metrics, double *value,
                      char *why, size_t size) {
  const vd_run_data *data = &m->fit->data[t->data];
  if (t->column == 0) {
    const vd_metric *metric = vd_metric_called(metrics, t->name);
    value[t->first] = metric ? metric->value : NAN;
    if (isnan(value[t->first]))
      snprintf(why, size, "there is no %s%s%s", t->name, metric && *metric->reason ? ": " : "",
               metric ? metric->reason : "");
    return !isnan(value[t->first]);
  }
  bool good = true;
  for (size_t i = 0; i < t->rows && good; i++) {
    value[t->first + i] = vd_run_record_at(&m->record[t->data], t->column, data->x[i], NULL);
    good = isfinite(value[t->first + i]);
  }
  if (!good)
    snprintf(why, size, "%s has no value over %s", t->name, data->channel[0]);
  return good;
}

/* Returns the set of views that the rows of a run need. */
static unsigned view_of(const vd_run_fit *fit, size_t experiment) {
  unsigned view = VD_VIEW_BRIEF;
  for (size_t k = 0; k < fit->datas; k++)
    for (size_t c = 0; c < fit->data[k].columns && fit->data[k].from && fit->data[k].experiment == experiment; c++)
      view |= vd_channel_view(fit->data[k].from[c]);
  return view;
}

/* Runs an experiment. False with the reason in the status. */
static bool run(vd_run_model *m, const vd_run_experiment *e, const vd_setting *set, size_t count, vd_arena *arena,
                vd_case_outcome *out) {
  vd_study_reader *reader = &m->reader[m->experiment];
  const vd_run_options how = {
      .row = take_row, .view = view_of(m->fit, m->experiment), .values = take_values, .row_context = m};
  vd_subject is;
  if (!vd_study_read_case(&e->base, reader, set, count, false, arena, &is)) {
    vd_study_refuse(reader, out);
    return false;
  }
  if (vd_subject_searches(&is)) {
    vd_study_run(&e->base, reader, &is, set, count, VD_DIGITS_9, NULL, arena, out);
    return strcmp(out->status, "ok") == 0;
  }
  if (!vd_subject_run(&is, &how, NULL, arena, &out->run)) {
    snprintf(out->status, sizeof out->status, "ended: %s", out->run.failure);
    return false;
  }
  return is.kind != VD_KIND_SUSPENSION || take_corner(m, is.as.corner, out);
}

bool vd_run_model_values(vd_run_model *m, size_t experiment, const double *figure, double *value, char *why,
                         size_t size) {
  const vd_run_experiment *e = &m->fit->experiment[experiment];
  vd_arena *arena = vd_arena_create();
  vd_case_outcome *out = vd_arena_alloc(arena, sizeof *out);
  size_t count;
  m->experiment = experiment;
  for (size_t k = 0; k < m->fit->datas; k++)
    if (m->fit->data[k].experiment == experiment)
      m->record[k].rows = 0;
  if (!m->reads[experiment])
    vd_study_reader_start(&e->base, &m->reader[experiment]);
  m->reads[experiment] = true;
  const vd_setting *set = settings_of(m->fit, e, figure, arena, &count, why, size);
  bool good = set && run(m, e, set, count, arena, out);
  if (set && !good)
    snprintf(why, size, "%s", out->status);
  for (size_t i = 0; i < m->fit->targets && good; i++)
    if (m->fit->data[m->fit->target[i].data].experiment == experiment)
      good = values_of(m, &m->fit->target[i], &out->run.metrics, value, why, size);
  vd_arena_destroy(arena);
  return good;
}

const vd_run_record *vd_run_model_record(const vd_run_model *m, size_t data) {
  return &m->record[data];
}

vd_run_model *vd_run_model_start(const vd_run_fit *fit) {
  vd_run_model *m = vd_allocate(1, sizeof *m);
  *m = (vd_run_model){.fit = fit,
                      .reader = vd_allocate(fit->experiments, sizeof *m->reader),
                      .reads = vd_allocate(fit->experiments, sizeof *m->reads),
                      .record = vd_allocate(fit->datas, sizeof *m->record)};
  return m;
}

void vd_run_model_finish(vd_run_model *m) {
  if (!m)
    return;
  for (size_t i = 0; i < m->fit->experiments; i++)
    if (m->reads[i])
      vd_study_reader_finish(&m->reader[i]);
  for (size_t k = 0; k < m->fit->datas; k++)
    free(m->record[k].value);
  free(m->reader);
  free(m->reads);
  free(m->record);
  free(m);
}
