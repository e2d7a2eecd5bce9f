/* Writes a fit of runs: tables for programs and pictures, settings for the next run. */
#include "study/fit_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Writes data, target, its unit, and the channel over which it is given. */
static void write_target(const vd_run_fit *fit, const vd_run_target *t, vd_output *o) {
  const vd_run_data *data = &fit->data[t->data];
  const char *const word[] = {data->name, t->name, t->unit, t->column > 0 ? data->channel[0] : ""};
  vd_fit_write_words(word, VD_COUNT(word), o);
}

void vd_run_fit_write_rows(const vd_fit *of, const vd_fit_result *r, enum vd_digits digits, vd_output *o) {
  const vd_run_fit *fit = &of->as.runs;
  const double *again = r->resampled_half;
  vd_output_puts(o, "data,target,unit,over,x,measured,start,fitted,residual,scatters,weight,low,high");
  vd_output_puts(o, again ? ",resampled_low,resampled_high\n" : "\n");
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
                              fit->weight[at] * r->row_weight[at],
                              r->value[at] - r->half[at],
                              r->value[at] + r->half[at],
                              again ? r->value[at] - again[at] : NAN,
                              again ? r->value[at] + again[at] : NAN};
      write_target(fit, target, o);
      vd_output_row(o, value, VD_COUNT(value) - (again ? 0 : 2), digits);
    }
  }
}

/* Writes the names of all free figures, each after a comma, and ends the line. */
static void write_figure_names(const vd_run_fit *fit, vd_output *o) {
  for (size_t i = 0; i < fit->frees; i++) {
    vd_output_puts(o, ",");
    vd_output_field(o, fit->free[i].name);
  }
  vd_output_puts(o, "\n");
}

void vd_run_fit_write_correlations(const vd_fit *of, const vd_fit_result *r, enum vd_digits digits, vd_output *o) {
  const vd_run_fit *fit = &of->as.runs;
  size_t n = fit->frees;
  vd_output_puts(o, "figure");
  write_figure_names(fit, o);
  for (size_t i = 0; i < n; i++) {
    vd_fit_write_words(&fit->free[i].name, 1, o);
    vd_output_row(o, r->correlation + i * n, n, digits);
  }
}

void vd_run_fit_write_profile(const vd_fit *of, const vd_fit_result *r, enum vd_digits digits, vd_output *o) {
  const vd_run_fit *fit = &of->as.runs;
  vd_output_puts(o, "held,offset,rise");
  write_figure_names(fit, o);
  for (size_t i = 0; i < r->profiles; i++) {
    const vd_fit_profile *p = &r->profile[i];
    vd_fit_write_words(&fit->free[p->figure].name, 1, o);
    vd_output_numbers(o, (const double[]){p->offset, p->rise}, 2, digits);
    vd_output_row(o, p->value, fit->frees, digits);
  }
}

void vd_run_fit_write_resamples(const vd_fit *of, const vd_fit_result *r, enum vd_digits digits, vd_output *o) {
  const vd_run_fit *fit = &of->as.runs;
  vd_output_puts(o, "resample");
  for (size_t i = 0; i < fit->datas; i++) {
    vd_output_puts(o, ",drawn_");
    vd_output_puts(o, fit->data[i].name);
  }
  write_figure_names(fit, o);
  for (size_t i = 0; i < r->resamples; i++) {
    double first = (double)i;
    vd_output_numbers(o, &first, 1, digits);
    for (size_t k = 0; k < fit->datas; k++) {
      double drawn = r->resample[i].drawn[k];
      vd_output_numbers(o, &drawn, 1, digits);
    }
    vd_output_row(o, r->resample[i].value, fit->frees, digits);
  }
}

/* --- curves --- */

enum { POINTS = 401 };

static double x_of_point(const vd_run_data *data, size_t i) {
  double low = data->x[0], high = low, share = (double)i / (POINTS - 1);
  for (size_t k = 1; k < data->rows; k++) {
    low = vd_min(low, data->x[k]);
    high = vd_max(high, data->x[k]);
  }
  return (1.0 - share) * low + share * high;
}

/* Makes all runs with the figures of the start or, if `end', of the result, and stores the curve of each target
 * [POINTS]. */
static bool draw(const vd_run_fit *fit, const vd_fit_result *r, bool end, vd_run_model *model, double *curve) {
  double figure[VD_RUN_FIT_FREE], *value = vd_allocate(fit->values, sizeof *value);
  char why[200];
  bool good = true;
  for (size_t i = 0; i < fit->frees; i++)
    figure[i] = end ? r->coefficient[i].value : r->coefficient[i].start;
  for (size_t i = 0; i < fit->experiments && good; i++)
    good = vd_run_model_values(model, i, figure, value, why, sizeof why);
  free(value);
  for (size_t t = 0; t < fit->targets && good; t++) {
    const vd_run_target *target = &fit->target[t];
    const vd_run_data *data = &fit->data[target->data];
    for (size_t i = 0; i < POINTS && target->column > 0; i++) {
      const vd_run_record *record = vd_run_model_record(model, target->data);
      curve[t * POINTS + i] = vd_run_record_at(record, target->column, x_of_point(data, i), NULL);
    }
  }
  return good;
}

void vd_run_fit_write_curves(const vd_fit *of, const vd_fit_result *r, enum vd_digits digits, vd_output *o) {
  const vd_run_fit *fit = &of->as.runs;
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
      const double value[] = {x_of_point(data, i) + 0.0, start[t * POINTS + i] + 0.0, end[t * POINTS + i] + 0.0};
      write_target(fit, target, o);
      vd_output_row(o, value, VD_COUNT(value), digits);
    }
  }
  vd_run_model_finish(model);
  vd_arena_destroy(arena);
}

/* --- settings --- */

/* Writes the settings. Formulas use the numbers of the first experiment that has their key. */
void vd_run_fit_write_settings(const vd_fit *of, const vd_fit_result *r, enum vd_digits digits, vd_output *o) {
  const vd_run_fit *fit = &of->as.runs;
  double figure[VD_RUN_FIT_FREE];
  char why[200], number[VD_NUM_MAX];
  vd_buf text = {0}, *out = &text;
  (void)digits; /* the shortest text that reads back as the same number is always used */
  vd_buf_puts(out, "# ");
  /* the title must be one line: a second line would be read as a setting */
  for (const char *p = fit->def.title; *p; p++)
    vd_buf_add(out, (unsigned char)*p < ' ' ? " " : p, 1);
  vd_buf_printf(out, "%sfound by a fit of vdsim-run; for --set @FILE\n", *fit->def.title ? ": " : "");
  for (size_t i = 0; i < fit->frees; i++)
    figure[i] = r->coefficient[i].value;
  for (size_t e = 0; e < fit->experiments; e++)
    for (size_t k = 0; k < fit->experiment[e].settings; k++) {
      const vd_run_setting *s = &fit->experiment[e].setting[k];
      bool before = false;
      for (size_t i = 0; i < e; i++)
        for (size_t j = 0; j < fit->experiment[i].settings; j++)
          before |= strcmp(fit->experiment[i].setting[j].key, s->key) == 0;
      double value =
          s->formula ? vd_run_formula(fit, &fit->experiment[e], s->formula, figure, why, sizeof why) : figure[s->free];
      vd_num_print_shortest(value + 0.0, number);
      if (!before)
        vd_buf_printf(out, "%s=%s\n", s->key, number);
    }
  vd_fit_write_text(out, o);
}

/* --- metrics --- */

static void add_figure(const vd_run_fit *fit, const vd_fit_result *r, size_t i, vd_arena *arena, vd_metrics *out) {
  const vd_fit_coefficient *c = r ? &r->coefficient[i] : NULL;
  const char *unit = fit->free[i].unit;
  double low = NAN, high = NAN;
  if (c && !isnan(c->deviation))
    vd_fit_interval(c, r->confidence, &low, &high);
  const vd_fit_metric all[] = {{"", unit, "figure that was found", c ? c->value : NAN},
                               {"low", unit, "lower end of the interval of confidence", low},
                               {"high", unit, "upper end of the interval of confidence", high}};
  vd_fit_add_metrics(all, VD_COUNT(all), (const char *const[]){fit->free[i].name, ""}, arena, out);
  if (fit->def.fit.profile > 0 && r)
    vd_run_fit_profile_interval(r, i, &low, &high);
  const vd_fit_metric profile[] = {
      {"profile_low", unit, "lower end of the interval of confidence by the profile", low},
      {"profile_high", unit, "upper end of the interval of confidence by the profile", high}};
  if (fit->def.fit.profile > 0)
    vd_fit_add_metrics(profile, VD_COUNT(profile), (const char *const[]){fit->free[i].name, ""}, arena, out);
  const vd_fit_metric again = {"resampled_deviation", unit, "standard deviation over the fits to drawn data",
                               r ? vd_run_fit_resampled_deviation(r, i) : NAN};
  if (fit->def.fit.resamples > 0)
    vd_fit_add_metrics(&again, 1, (const char *const[]){fit->free[i].name, ""}, arena, out);
}

static void add_target(const vd_run_fit *fit, const vd_fit_result *r, size_t t, vd_arena *arena, vd_metrics *out) {
  const vd_run_target *target = &fit->target[t];
  double squares = 0.0, largest = 0.0;
  for (size_t i = target->first; r && i < target->first + target->rows; i++) {
    double residual = fit->measured[i] - r->value[i];
    squares += residual * residual;
    largest = fabs(residual) > largest ? fabs(residual) : largest;
  }
  const vd_fit_metric all[] = {
      {"rms", target->unit, "root mean square of the residuals", sqrt(squares / (double)target->rows)},
      {"max", target->unit, "greatest magnitude of the residuals", largest},
      {"scatter", target->unit, "standard deviation of the noise, as given or estimated", r ? r->scatter[t] : NAN}};
  vd_fit_add_metrics(all, VD_COUNT(all), (const char *const[]){fit->data[target->data].name, target->name}, arena, out);
}

void vd_run_fit_metrics(const vd_fit *of, const vd_fit_result *r, vd_arena *arena, vd_metrics *out) {
  const vd_run_fit *fit = &of->as.runs;
  const vd_fit_metric all[] = {
      {"values", "1", "number of values that are compared", (double)fit->values},
      {"freedom", "1", "number of fitted values minus number of figures", r ? r->freedom : NAN},
      {"held", "1", "number of figures that the data do not determine", r ? (double)r->undetermined : NAN},
      {"at_bounds", "1", "number of figures that end at a bound", r ? (double)r->at_bounds : NAN},
      {"beyond_bounds", "1", "number of other figures whose intervals extend beyond a bound",
       r ? (double)r->beyond_bounds : NAN},
      {"missed", "1", "number of targets whose residuals are larger than their scatter explains",
       r ? (double)r->missed : NAN},
      {"misfit", "1", "mean square of the residuals divided by known scatters; about 1 if model and scatters are right",
       r ? r->misfit : NAN},
      {"runs", "1", "number of runs", r ? (double)r->runs : NAN},
      {"iterations", "1", "number of iterations of the solver, summed over the rounds in which weights are adapted",
       r ? (double)r->iterations : NAN}};
  vd_fit_add_metrics(all, VD_COUNT(all), (const char *const[]){"", ""}, arena, out);
  for (size_t i = 0; i < fit->frees; i++)
    add_figure(fit, r, i, arena, out);
  for (size_t t = 0; t < fit->targets; t++)
    add_target(fit, r, t, arena, out);
}

void vd_run_fit_remark(const vd_fit *of, const vd_fit_result *r, const char *name, vd_buf *out) {
  const vd_run_fit *fit = &of->as.runs;
  vd_buf_printf(out, "%s: %zu values, %zu figures, %zu runs\n", name, fit->values, fit->frees - r->undetermined,
                r->runs);
  for (size_t i = 0; i < r->coefficients; i++) {
    const vd_fit_coefficient *c = &r->coefficient[i];
    double low, high;
    vd_fit_interval(c, r->confidence, &low, &high);
    vd_buf_printf(out, "%s: %s = %.6g %s", name, c->name, c->value, c->unit);
    if (!isnan(c->deviation))
      vd_buf_printf(out, ", %g %% within %.6g to %.6g", 100.0 * r->confidence, low, high);
    vd_buf_puts(out, "\n");
  }
}
