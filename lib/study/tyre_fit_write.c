/* Writes a fit of a tyre: tables for programs and pictures. */
#include "study/fit_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *unit_suffix(enum vd_fit_output output) {
  return strcmp(vd_fit_outputs[output].unit, "N") == 0 ? "N" : "Nm";
}

/* True if any row has a pressure; otherwise the table has no column for it. */
static bool has_pressure(const vd_tyre_fit *fit) {
  bool some = false;
  for (size_t i = 0; i < fit->rows; i++)
    some |= !isnan(fit->row[i].pressure);
  return some;
}

static void write_operating_header(bool pressure, vd_output *o) {
  vd_output_puts(o, "fz_N,");
  vd_output_puts(o, pressure ? "pressure_Pa," : "");
  vd_output_puts(o, "camber_rad,vx_mps,kappa,alpha_rad");
}

static size_t operating_point(const vd_tyre_fit_row *row, bool pressure, double *value) {
  const double all[] = {row->camber, row->vx, row->kappa, row->alpha};
  size_t count = 0;
  value[count++] = row->load;
  if (pressure)
    value[count++] = row->pressure;
  for (size_t i = 0; i < VD_COUNT(all); i++)
    value[count++] = all[i] + 0.0;
  return count;
}

void vd_tyre_fit_write_rows(const vd_fit *of, const vd_fit_result *r, enum vd_digits digits, vd_output *o) {
  const vd_tyre_fit *fit = &of->as.tyre;
  bool pressure = has_pressure(fit);
  vd_output_puts(o, "file,row,");
  write_operating_header(pressure, o);
  for (unsigned k = 0; k < VD_FIT_OUTPUTS; k++)
    if (fit->has[k]) {
      char names[160];
      const char *key = vd_fit_outputs[k].key, *unit = unit_suffix(k);
      snprintf(names, sizeof names, ",%s_%s,%s_fit_%s,%s_residual_%s,%s_weight", key, unit, key, unit, key, unit, key);
      vd_output_puts(o, names);
    }
  vd_output_puts(o, "\n");
  for (size_t i = 0; i < fit->rows; i++) {
    const vd_tyre_fit_row *row = &fit->row[i];
    double value[8 + 4 * VD_FIT_OUTPUTS] = {(double)row->file, (double)row->number};
    size_t count = 2 + operating_point(row, pressure, value + 2);
    for (unsigned k = 0; k < VD_FIT_OUTPUTS; k++)
      if (fit->has[k]) {
        double fitted = r->value[i * VD_FIT_OUTPUTS + k], residual = row->measured[k] - fitted;
        value[count++] = row->measured[k] + 0.0;
        value[count++] = fitted + 0.0;
        value[count++] = residual + 0.0;
        value[count++] = isnan(residual) ? NAN : row->weight * r->row_weight[i * VD_FIT_OUTPUTS + k];
      }
    vd_output_row(o, value, count, digits);
  }
}

/* ---- metrics ---- */

/* Adds the metrics of a stage; outputs that the stage does not have are left out, unless `all'. */
static void add_stage(const vd_fit_stage *s, bool all, vd_arena *arena, vd_metrics *out) {
  const char *stage = vd_fit_stage_names[s->stage];
  const vd_fit_metric of_stage[] = {
      {"rows", "1", "number of rows of the stage", (double)s->rows},
      {"figures", "1", "number of figures that the stage found", (double)s->coefficients},
      {"iterations", "1", "iterations of the solver, in all rounds of weights", s->iterations}};
  vd_fit_add_metrics(of_stage, VD_COUNT(of_stage), (const char *const[]){stage, ""}, arena, out);
  for (int k = 0; k < VD_FIT_OUTPUTS; k++) {
    const vd_fit_quality *q = &s->output[k];
    const char *unit = vd_fit_outputs[k].unit, *const before[] = {stage, vd_fit_outputs[k].key};
    const vd_fit_metric fitted[] = {
        {"rms", unit, "root mean square of the residuals of the final tyre", q->rms},
        {"max", unit, "greatest magnitude of the residuals of the final tyre", q->largest},
        {"share", "1", "root mean square of the residuals divided by the greatest measured magnitude",
         q->rms / q->peak},
        {"scatter", unit, "standard deviation of the noise, as the stage estimates it", q->scatter}};
    const vd_fit_metric checked = {
        "check", unit, "greatest magnitude of the residuals in rows of weight 0, which are not fitted", q->deviation};
    if (all || q->rows > 0)
      vd_fit_add_metrics(fitted, VD_COUNT(fitted), before, arena, out);
    if (all || q->checked > 0)
      vd_fit_add_metrics(&checked, 1, before, arena, out);
  }
}

void vd_tyre_fit_metrics(const vd_fit *fit, const vd_fit_result *r, vd_arena *arena, vd_metrics *out) {
  (void)fit;
  for (size_t i = 0; r && i < r->stages; i++)
    add_stage(&r->stage[i], false, arena, out);
  for (int stage = 0; !r && stage < VD_FIT_STAGES; stage++)
    add_stage(&(vd_fit_stage){.stage = stage}, true, arena, out);
}

/* ---- curves ---- */

enum { POINTS = 101, LEVELS = 12 };

/* Clusters of the loads of a stage's rows, sorted: a new cluster begins at a load that exceeds the previous one by more
 * than 8 %. */
typedef struct levels {
  size_t count;
  double load[LEVELS], pressure[LEVELS], vx[LEVELS]; /* means */
} levels;

static int by_load(const void *a, const void *b) {
  const vd_tyre_fit_row *const *x = a, *const *y = b;
  return ((*x)->load > (*y)->load) - ((*x)->load < (*y)->load);
}

static levels find_levels(const vd_tyre_fit_row **row, size_t count) {
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

static void write_curve(const vd_tyre_fit *fit, const vd_fit_result *r, const vd_tyre_fit_row *from,
                        const vd_tyre_fit_row *to, double number, enum vd_digits digits, vd_output *o) {
  vd_tyre_fit_row at[POINTS];
  const vd_tyre_fit_row *each[POINTS];
  double out[POINTS * VD_FIT_OUTPUTS];
  for (int i = 0; i < POINTS; i++) {
    double u = i / (POINTS - 1.0);
    at[i] = *from;
    at[i].kappa = from->kappa + u * (to->kappa - from->kappa);
    at[i].alpha = from->alpha + u * (to->alpha - from->alpha);
    at[i].tan_alpha = vd_tan(at[i].alpha);
    each[i] = &at[i];
  }
  vd_fit_evaluate(&fit->def.rig, &r->tyre.def, each, POINTS, true, out);
  for (int i = 0; i < POINTS; i++) {
    double value[7 + VD_FIT_OUTPUTS] = {number};
    size_t count = 1 + operating_point(&at[i], has_pressure(fit), value + 1);
    for (int k = 0; k < VD_FIT_OUTPUTS; k++)
      value[count++] = out[i * VD_FIT_OUTPUTS + k] + 0.0;
    vd_output_row(o, value, count, digits);
  }
}

void vd_tyre_fit_write_curves(const vd_fit *of, const vd_fit_result *r, enum vd_digits digits, vd_output *o) {
  const vd_tyre_fit *fit = &of->as.tyre;
  static const struct {
    enum vd_fit_output output;
    int stage;
  } shown[] = {{VD_FIT_FY, VD_TYRE_LATERAL}, {VD_FIT_FX, VD_TYRE_LONGITUDINAL}};
  double number = 0.0;
  vd_output_puts(o, "curve,");
  write_operating_header(has_pressure(fit), o);
  for (unsigned k = 0; k < VD_FIT_OUTPUTS; k++) {
    char name[32];
    snprintf(name, sizeof name, ",%s_%s", vd_fit_outputs[k].key, unit_suffix(k));
    vd_output_puts(o, name);
  }
  vd_output_puts(o, "\n");
  vd_arena *arena = vd_arena_create();
  const vd_tyre_fit_row **row = vd_arena_alloc(arena, (fit->rows + 1) * sizeof *row);
  for (size_t i = 0; i < VD_COUNT(shown); i++) {
    bool lateral = shown[i].stage == VD_TYRE_LATERAL;
    vd_tyre_fit_row from = {.load = 0.0}, to;
    size_t count = 0;
    to = from;
    for (size_t k = 0; k < fit->rows; k++) {
      const vd_tyre_fit_row *m = &fit->row[k];
      if (!vd_fit_takes(fit, shown[i].stage, m, shown[i].output) || isnan(m->measured[shown[i].output]))
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
      write_curve(fit, r, &from, &to, number++, digits, o);
    }
  }
  vd_arena_destroy(arena);
}

/* ---- the tyre ---- */

void vd_tyre_fit_write_tyre(const vd_fit *fit, const vd_fit_result *r, enum vd_digits digits, vd_output *o) {
  vd_buf text = {0};
  (void)fit;
  (void)digits;
  vd_schema_write(&vd_tyre_schema, &r->tyre.def, &text);
  vd_fit_write_text(&text, o);
}

void vd_tyre_fit_write_properties(const vd_fit *fit, const vd_fit_result *r, enum vd_digits digits, vd_output *o) {
  (void)fit;
  (void)digits;
  vd_output_puts(o, r->properties);
}

void vd_tyre_fit_remark(const vd_fit *fit, const vd_fit_result *r, const char *name, vd_buf *out) {
  (void)fit;
  for (size_t i = 0; i < r->stages; i++) {
    const vd_fit_stage *stage = &r->stage[i];
    vd_buf_printf(out, "%s: %s: %zu rows, %zu figures", name, vd_fit_stage_names[stage->stage], stage->rows,
                  stage->coefficients);
    for (int k = 0; k < VD_FIT_OUTPUTS; k++)
      if (stage->output[k].rows > 0 && stage->output[k].peak > 0.0)
        vd_buf_printf(out, ", %s rms %.3g (%.2g %% of its peak)", vd_fit_outputs[k].key, stage->output[k].rms,
                      100.0 * stage->output[k].rms / stage->output[k].peak);
    vd_buf_printf(out, "%s%s\n", *stage->left_out ? "; not determined and not changed: " : "", stage->left_out);
  }
}
