/* What a fit of runs writes: tables for programs and pictures, settings for the next run. */
#include "study/run_fit_impl.h"

#include "base/memory.h"
#include "base/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void set_name(vd_output *o, const char *name) {
  vd_output_field(o, name);
  vd_output_puts(o, ",");
}

void vd_run_fit_write_rows(const vd_run_fit *fit, const vd_run_fit_result *r, enum vd_digits digits, vd_output *o) {
  vd_output_puts(o, "data,target,unit,over,x,measured,start,fitted,residual,scatters,weight\n");
  for (size_t t = 0; t < fit->targets; t++) {
    const vd_run_target *target = &fit->target[t];
    const vd_run_data *data = &fit->data[target->data];
    for (size_t i = 0; i < target->rows; i++) {
      size_t at = target->first + i;
      double residual = fit->measured[at] - r->value[at];
      const double value[] = {target->column > 0 ? data->x[i] + 0.0 : NAN,
                              fit->measured[at] + 0.0,
                              r->start[at] + 0.0,
                              r->value[at] + 0.0,
                              residual + 0.0,
                              residual / r->scatter[t] + 0.0,
                              fit->weight[at] * r->row_weight[at]};
      set_name(o, data->name);
      set_name(o, target->name);
      set_name(o, target->unit);
      set_name(o, target->column > 0 ? data->channel[0] : "");
      vd_output_row(o, value, sizeof value / sizeof *value, digits);
    }
  }
}

void vd_run_fit_write_correlations(const vd_run_fit *fit, const vd_run_fit_result *r, enum vd_digits digits,
                                   vd_output *o) {
  size_t n = fit->frees;
  vd_output_puts(o, "figure");
  for (size_t i = 0; i < n; i++) {
    vd_output_puts(o, ",");
    vd_output_field(o, fit->free[i].name);
  }
  vd_output_puts(o, "\n");
  for (size_t i = 0; i < n; i++) {
    set_name(o, fit->free[i].name);
    vd_output_row(o, r->correlation + i * n, n, digits);
  }
}

/* --- curves --- */

enum { POINTS = 401 };

/* Runs all with the values of the start, or of the end, and keeps the curves of each target [POINTS]. */
static bool draw(const vd_run_fit *fit, const vd_run_fit_result *r, bool end, vd_run_model *model, double *curve) {
  double figure[VD_RUN_FIT_FREE], *value = vd_allocate(fit->values, sizeof *value);
  char why[200];
  bool good = true;
  for (size_t i = 0; i < fit->frees; i++)
    figure[i] = end ? r->figure[i].value : r->figure[i].start;
  for (size_t i = 0; i < fit->experiments && good; i++)
    good = vd_run_model_values(model, i, figure, value, why, sizeof why);
  free(value);
  for (size_t t = 0; t < fit->targets && good; t++) {
    const vd_run_target *target = &fit->target[t];
    const vd_run_data *data = &fit->data[target->data];
    for (size_t i = 0; i < POINTS && target->column > 0; i++) {
      double share = (double)i / (POINTS - 1);
      double x = (1.0 - share) * vd_run_data_end(data, false) + share * vd_run_data_end(data, true);
      curve[t * POINTS + i] = vd_run_record_at(vd_run_model_record(model, target->data), target->column, x, NULL);
    }
  }
  return good;
}

void vd_run_fit_write_curves(const vd_run_fit *fit, const vd_run_fit_result *r, enum vd_digits digits, vd_output *o) {
  vd_arena *arena = vd_arena_create();
  size_t count = fit->targets * POINTS;
  double *start = vd_arena_alloc(arena, 2 * count * sizeof *start), *end = start + count;
  vd_run_model *model = vd_run_model_start(fit);
  bool good = draw(fit, r, false, model, start) && draw(fit, r, true, model, end);
  vd_output_puts(o, "data,target,unit,over,x,start,fitted\n");
  for (size_t t = 0; t < fit->targets && good; t++) {
    const vd_run_target *target = &fit->target[t];
    const vd_run_data *data = &fit->data[target->data];
    for (size_t i = 0; i < POINTS && target->column > 0; i++) {
      double share = (double)i / (POINTS - 1);
      double x = (1.0 - share) * vd_run_data_end(data, false) + share * vd_run_data_end(data, true);
      const double value[] = {x + 0.0, start[t * POINTS + i] + 0.0, end[t * POINTS + i] + 0.0};
      set_name(o, data->name);
      set_name(o, target->name);
      set_name(o, target->unit);
      set_name(o, data->channel[0]);
      vd_output_row(o, value, sizeof value / sizeof *value, digits);
    }
  }
  vd_run_model_finish(model);
  vd_arena_destroy(arena);
}

/* --- settings --- */

static void set_setting(const char *key, double value, vd_buf *out) {
  char number[VD_NUM_MAX];
  vd_num_print_shortest(value + 0.0, number);
  vd_buf_printf(out, "%s=%s\n", key, number);
}

/* Formulas have the numbers of the first experiment that has their key. */
void vd_run_fit_write_settings(const vd_run_fit *fit, const vd_run_fit_result *r, vd_buf *out) {
  double figure[VD_RUN_FIT_FREE];
  char why[200];
  vd_buf_puts(out, "# ");
  for (const char *p = fit->def.title; *p; p++) /* in one line: the next one would be a setting */
    vd_buf_add(out, (unsigned char)*p < ' ' ? " " : p, 1);
  vd_buf_printf(out, "%sfound by a fit of vdsim-run; for --set @FILE\n", *fit->def.title ? ": " : "");
  for (size_t i = 0; i < fit->frees; i++)
    figure[i] = r->figure[i].value;
  for (size_t e = 0; e < fit->experiments; e++)
    for (size_t k = 0; k < fit->experiment[e].settings; k++) {
      const vd_run_setting *s = &fit->experiment[e].setting[k];
      bool before = false;
      for (size_t i = 0; i < e; i++)
        for (size_t j = 0; j < fit->experiment[i].settings; j++)
          before |= strcmp(fit->experiment[i].setting[j].key, s->key) == 0;
      double value =
          s->formula ? vd_run_formula(fit, &fit->experiment[e], s->formula, figure, why, sizeof why) : figure[s->free];
      if (!before)
        set_setting(s->key, value, out);
    }
}

/* --- metrics --- */

static void put(vd_metrics *all, vd_arena *arena, const char *a, const char *b, const char *unit, double value,
                const char *definition) {
  vd_buf name = {0};
  vd_buf_printf(&name, "%s%s", a, b);
  if (all->count < VD_METRICS_MAX)
    all->metric[all->count++] = (vd_metric){
        .name = vd_arena_copy(arena, name.text, name.length), .unit = unit, .value = value, .definition = definition};
  vd_buf_finish(&name);
}

static void set_figure(const vd_run_fit *fit, const vd_fit_coefficient *c, size_t i, vd_arena *arena, vd_metrics *out) {
  const char *name = fit->free[i].name, *unit = fit->free[i].unit;
  double low = NAN, high = NAN;
  if (c && !isnan(c->deviation))
    vd_fit_interval(c, fit->def.fit.confidence, &low, &high);
  put(out, arena, name, "", unit, c ? c->value : NAN, "figure that was found");
  put(out, arena, name, "_low", unit, low, "lower end of its interval of confidence");
  put(out, arena, name, "_high", unit, high, "its upper end");
}

static void set_target(const vd_run_fit *fit, const vd_run_fit_result *r, size_t t, vd_arena *arena, vd_metrics *out) {
  const vd_run_target *target = &fit->target[t];
  vd_buf name = {0};
  double squares = 0.0, largest = 0.0;
  for (size_t i = target->first; r && i < target->first + target->rows; i++) {
    double residual = fit->measured[i] - r->value[i];
    squares += residual * residual;
    largest = fabs(residual) > largest ? fabs(residual) : largest;
  }
  vd_buf_printf(&name, "%s_%s", fit->data[target->data].name, target->name);
  put(out, arena, name.text, "_rms", target->unit, sqrt(squares / (double)target->rows),
      "root mean square of the residuals");
  put(out, arena, name.text, "_max", target->unit, largest, "greatest magnitude of these residuals");
  put(out, arena, name.text, "_scatter", target->unit, r ? r->scatter[t] : NAN,
      "standard deviation of the noise, as given or estimated");
  vd_buf_finish(&name);
}

void vd_run_fit_metrics(const vd_run_fit *fit, const vd_run_fit_result *r, vd_arena *arena, vd_metrics *out) {
  out->count = 0;
  put(out, arena, "values", "", "1", (double)fit->values, "values that are compared");
  put(out, arena, "freedom", "", "1", r ? r->freedom : NAN, "values that take part, less figures that are found");
  put(out, arena, "held", "", "1", r ? (double)r->held : NAN, "figures that the data do not determine");
  put(out, arena, "misfit", "", "1", r ? r->misfit : NAN,
      "mean square of the residuals over the scatters that are known; about 1 if both are right");
  put(out, arena, "runs", "", "1", r ? (double)r->runs : NAN, "runs that were made");
  put(out, arena, "iterations", "", "1", r ? (double)r->iterations : NAN,
      "iterations of the solver, in all rounds of weights");
  for (size_t i = 0; i < fit->frees; i++)
    set_figure(fit, r ? &r->figure[i] : NULL, i, arena, out);
  for (size_t t = 0; t < fit->targets; t++)
    set_target(fit, r, t, arena, out);
}
