/* What a fit writes: tables for programs and pictures. */
#include "run/fit_impl.h"

#include "base/base.h"
#include "base/elementary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *unit_suffix(enum vd_fit_output output) {
  return strcmp(vd_fit_outputs[output].unit, "N") == 0 ? "N" : "Nm";
}

/* No column of pressures without any. */
static bool has_pressure(const vd_fit_def *def) {
  bool some = false;
  for (size_t i = 0; i < def->rows; i++)
    some |= !isnan(def->row[i].pressure);
  return some;
}

static void write_operating_header(bool pressure, vd_output *o) {
  vd_output_puts(o, "fz_N,");
  vd_output_puts(o, pressure ? "pressure_Pa," : "");
  vd_output_puts(o, "camber_rad,vx_mps,kappa,alpha_rad");
}

static size_t operating_point(const vd_fit_row *row, bool pressure, double *value) {
  const double all[] = {row->camber, row->vx, row->kappa, row->alpha};
  size_t count = 0;
  value[count++] = row->load;
  if (pressure)
    value[count++] = row->pressure;
  for (size_t i = 0; i < VD_COUNT(all); i++)
    value[count++] = all[i] + 0.0;
  return count;
}

void vd_fit_write_rows(const vd_fit_def *def, const vd_fit_result *r, enum vd_digits digits, vd_output *o) {
  bool pressure = has_pressure(def);
  vd_output_puts(o, "file,row,");
  write_operating_header(pressure, o);
  for (unsigned k = 0; k < VD_FIT_OUTPUTS; k++)
    if (def->has[k]) {
      char names[160];
      const char *key = vd_fit_outputs[k].key, *unit = unit_suffix(k);
      snprintf(names, sizeof names, ",%s_%s,%s_fit_%s,%s_residual_%s,%s_weight", key, unit, key, unit, key, unit, key);
      vd_output_puts(o, names);
    }
  vd_output_puts(o, "\n");
  for (size_t i = 0; i < def->rows; i++) {
    const vd_fit_row *row = &def->row[i];
    double value[8 + 4 * VD_FIT_OUTPUTS] = {(double)row->file, (double)row->number};
    size_t count = 2 + operating_point(row, pressure, value + 2);
    for (unsigned k = 0; k < VD_FIT_OUTPUTS; k++)
      if (def->has[k]) {
        double fitted = r->fitted[i * VD_FIT_OUTPUTS + k], residual = row->measured[k] - fitted;
        value[count++] = row->measured[k] + 0.0;
        value[count++] = fitted + 0.0;
        value[count++] = residual + 0.0;
        value[count++] = isnan(residual) ? NAN : row->weight * r->row_weight[i * VD_FIT_OUTPUTS + k];
      }
    vd_output_row(o, value, count, digits);
  }
}

const char vd_fit_at_bound[] = "at a bound";

void vd_fit_interval(const vd_fit_coefficient *c, double confidence, double *low, double *high) {
  double half = vd_ls_quantile(confidence, c->freedom) * c->deviation;
  *low = c->logarithm ? c->value * vd_exp(-half) : c->value - half;
  *high = c->logarithm ? c->value * vd_exp(half) : c->value + half;
}

void vd_fit_write_coefficients(const vd_fit_coefficient *all, size_t count, double confidence, enum vd_digits digits,
                               vd_output *o) {
  vd_output_puts(o, "figure,unit,stage,start,value,deviation,interval_low,interval_high,bound_low,bound_high,note\n");
  for (size_t i = 0; i < count; i++) {
    const vd_fit_coefficient *c = &all[i];
    double low = NAN, high = NAN;
    if (!isnan(c->deviation))
      vd_fit_interval(c, confidence, &low, &high);
    const double value[] = {c->start + 0.0,
                            c->value + 0.0,
                            c->logarithm ? c->value * c->deviation : c->deviation,
                            low + 0.0,
                            high + 0.0,
                            isfinite(c->low) ? c->low + 0.0 : NAN,
                            isfinite(c->high) ? c->high + 0.0 : NAN};
    vd_output_field(o, c->name);
    vd_output_puts(o, ",");
    vd_output_field(o, c->unit);
    vd_output_puts(o, ",");
    vd_output_puts(o, vd_fit_stage_names[c->stage]);
    vd_output_puts(o, ",");
    vd_output_numbers(o, value, VD_COUNT(value), digits);
    vd_output_puts(o, c->note);
    vd_output_puts(o, "\n");
  }
}

/* ---- metrics ---- */

static const char *named(vd_arena *arena, const char *stage, const char *output, const char *what) {
  vd_buf text = {0};
  vd_buf_printf(&text, "%s%s%s_%s", stage, *output ? "_" : "", output, what);
  const char *out = vd_arena_copy(arena, text.text, text.length);
  vd_buf_finish(&text);
  return out;
}

static void put(vd_metrics *out, const char *name, const char *unit, double value, const char *definition) {
  if (out->count < VD_METRICS_MAX)
    out->metric[out->count++] = (vd_metric){.name = name, .unit = unit, .value = value, .definition = definition};
}

/* Those of a stage; outputs that it does not have are left out, if not all are asked for. */
static void set_stage(const vd_fit_stage *s, bool all, vd_arena *arena, vd_metrics *out) {
  const char *stage = vd_fit_stage_names[s->stage];
  put(out, named(arena, stage, "", "rows"), "1", (double)s->rows, "rows of the stage");
  put(out, named(arena, stage, "", "figures"), "1", (double)s->coefficients, "figures that the stage found");
  put(out, named(arena, stage, "", "iterations"), "1", s->iterations,
      "iterations of the solver, in all rounds of weights");
  for (int k = 0; k < VD_FIT_OUTPUTS; k++) {
    const vd_fit_quality *q = &s->output[k];
    const char *key = vd_fit_outputs[k].key, *unit = vd_fit_outputs[k].unit;
    if (all || q->rows > 0) {
      put(out, named(arena, stage, key, "rms"), unit, q->rms, "root mean square of the residuals of the final tyre");
      put(out, named(arena, stage, key, "max"), unit, q->largest, "greatest magnitude of these residuals");
      put(out, named(arena, stage, key, "share"), "1", q->rms / q->peak,
          "root mean square of these residuals over the greatest measured magnitude");
      put(out, named(arena, stage, key, "scatter"), unit, q->scatter,
          "standard deviation of the noise, as the stage estimates it");
    }
    if (all || q->checked > 0)
      put(out, named(arena, stage, key, "check"), unit, q->deviation,
          "greatest magnitude of the residuals in rows of weight 0, which take no part in the fit");
  }
}

void vd_fit_metrics(const vd_fit_result *r, vd_arena *arena, vd_metrics *out) {
  out->count = 0;
  for (size_t i = 0; i < r->stages; i++)
    set_stage(&r->stage[i], false, arena, out);
}

void vd_fit_list_metrics(vd_arena *arena, vd_metrics *out) {
  out->count = 0;
  for (int stage = 0; stage < VD_FIT_STAGES; stage++) {
    const vd_fit_stage empty = {.stage = stage};
    set_stage(&empty, true, arena, out);
  }
}

/* ---- curves ---- */

enum { POINTS = 101, LEVELS = 12 };

/* Loads of the rows of a stage, in clusters: a new one where the gap to the next load is above 8 % of it. */
typedef struct levels {
  size_t count;
  double load[LEVELS], pressure[LEVELS], vx[LEVELS]; /* means */
} levels;

static int by_load(const void *a, const void *b) {
  const vd_fit_row *const *x = a, *const *y = b;
  return ((*x)->load > (*y)->load) - ((*x)->load < (*y)->load);
}

static levels find_levels(const vd_fit_row **row, size_t count) {
  levels l = {.count = 0};
  qsort(row, count, sizeof *row, by_load);
  for (size_t first = 0, last; first < count && l.count < LEVELS; first = last) {
    double load = 0.0, pressure = 0.0, vx = 0.0, n;
    for (last = first; last < count && (last == first || row[last]->load <= 1.08 * row[last - 1]->load); last++) {
      load += row[last]->load;
      pressure += row[last]->pressure;
      vx += row[last]->vx;
    }
    n = (double)(last - first);
    l.load[l.count] = load / n;
    l.pressure[l.count] = pressure / n;
    l.vx[l.count++] = vx / n;
  }
  return l;
}

static void write_curve(const vd_fit_def *def, const vd_fit_result *r, const vd_fit_row *from, const vd_fit_row *to,
                        double number, enum vd_digits digits, vd_output *o) {
  vd_fit_row at[POINTS];
  const vd_fit_row *each[POINTS];
  double out[POINTS * VD_FIT_OUTPUTS];
  for (int i = 0; i < POINTS; i++) {
    double u = i / (POINTS - 1.0);
    at[i] = *from;
    at[i].kappa = from->kappa + u * (to->kappa - from->kappa);
    at[i].alpha = from->alpha + u * (to->alpha - from->alpha);
    at[i].tan_alpha = vd_tan(at[i].alpha);
    each[i] = &at[i];
  }
  vd_fit_evaluate(&def->rig, &r->tyre.def, each, POINTS, true, out);
  for (int i = 0; i < POINTS; i++) {
    double value[7 + VD_FIT_OUTPUTS] = {number};
    size_t count = 1 + operating_point(&at[i], has_pressure(def), value + 1);
    for (int k = 0; k < VD_FIT_OUTPUTS; k++)
      value[count++] = out[i * VD_FIT_OUTPUTS + k] + 0.0;
    vd_output_row(o, value, count, digits);
  }
}

void vd_fit_write_curves(const vd_fit_def *def, const vd_fit_result *r, enum vd_digits digits, vd_output *o) {
  static const struct {
    enum vd_fit_output output;
    int stage;
  } shown[] = {{VD_FIT_FY, VD_TYRE_LATERAL}, {VD_FIT_FX, VD_TYRE_LONGITUDINAL}};
  double number = 0.0;
  vd_output_puts(o, "curve,");
  write_operating_header(has_pressure(def), o);
  for (unsigned k = 0; k < VD_FIT_OUTPUTS; k++) {
    char name[32];
    snprintf(name, sizeof name, ",%s_%s", vd_fit_outputs[k].key, unit_suffix(k));
    vd_output_puts(o, name);
  }
  vd_output_puts(o, "\n");
  vd_arena *arena = vd_arena_create();
  const vd_fit_row **row = vd_arena_alloc(arena, (def->rows + 1) * sizeof *row);
  for (size_t i = 0; i < VD_COUNT(shown); i++) {
    bool lateral = shown[i].stage == VD_TYRE_LATERAL;
    vd_fit_row from = {.load = 0.0}, to;
    size_t count = 0;
    to = from;
    for (size_t k = 0; k < def->rows; k++) {
      const vd_fit_row *m = &def->row[k];
      if (!vd_fit_takes(&def->fit, shown[i].stage, m, shown[i].output) || isnan(m->measured[shown[i].output]))
        continue;
      row[count++] = m;
      from.alpha = vd_min(from.alpha, lateral ? m->alpha : 0.0);
      to.alpha = vd_max(to.alpha, lateral ? m->alpha : 0.0);
      from.kappa = vd_min(from.kappa, lateral ? 0.0 : m->kappa);
      to.kappa = vd_max(to.kappa, lateral ? 0.0 : m->kappa);
    }
    levels l = find_levels(row, count);
    for (size_t k = 0; k < l.count; k++) {
      from.load = l.load[k];
      from.pressure = l.pressure[k];
      from.vx = l.vx[k];
      write_curve(def, r, &from, &to, number++, digits, o);
    }
  }
  vd_arena_destroy(arena);
}
