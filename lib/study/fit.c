#include "study/fit_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/schema.h"

#include <math.h>
#include <string.h>

void *vd_fit_grown(vd_arena *arena, const void *old, size_t count, size_t more, size_t size) {
  void *all = vd_arena_alloc(arena, (count + more + 1) * size);
  if (count > 0)
    memcpy(all, old, count * size);
  return all;
}

static const vd_fit_functions *functions_of(const vd_fit *fit) {
  return fit->kind == VD_KIND_TYRE_FIT   ? &vd_tyre_fit_functions
         : fit->kind == VD_KIND_OPTIMISE ? &vd_optimise_functions
                                         : &vd_run_fit_functions;
}

bool vd_fit_read_source(int source, const vd_setting *settings, size_t count, vd_arena *arena, vd_diag *d,
                        vd_fit *out) {
  out->kind = vd_kind_of(source, d);
  if (!functions_of(out)->read(source, settings, count, arena, d, out))
    return false;
  out->hash = vd_study_hash_inputs(source, settings, count, d);
  return true;
}

void vd_fit_resolve(const vd_fit *fit, vd_buf *out) {
  /* the keys are the first member of both kinds of fit */
  vd_schema_write(vd_kinds[fit->kind].schema, &fit->as, out);
}

/* Notes figures that end at their bounds, or whose intervals extend beyond their bounds. A search that approaches a
 * bound stops a little before it. Therefore a value counts as at a bound if its distance from the bound is less than a
 * thousandth of the range. */
static void look_at_bounds(vd_place place, vd_diag *d, vd_fit_result *r) {
  const double near = 1e-3;
  vd_buf at = {0}, beyond = {0};
  for (size_t i = 0; i < r->coefficients; i++) {
    vd_fit_coefficient *c = &r->coefficient[i];
    double least = vd_min(c->low, c->high), most = vd_max(c->low, c->high), low = NAN, high = NAN;
    double scale = isfinite(most - least) ? most - least : fabs(c->value);
    bool below = c->value - least < most - c->value, known = c->note == vd_fit_at_bound;
    if (!isnan(c->deviation))
      vd_fit_interval(c, r->confidence, &low, &high);
    if (known || vd_min(c->value - least, most - c->value) < near * scale) {
      r->at_bounds++;
      if (!known)
        vd_buf_printf(&at, "%s'%s' = %.7g of %.7g %s", at.length > 0 ? ", " : "", c->name, c->value,
                      below ? least : most, c->unit);
      c->note = *c->note ? c->note : vd_fit_at_bound;
    } else if (low < least || high > most) {
      r->beyond_bounds++;
      vd_buf_printf(&beyond, "%s'%s' from %.4g to %.4g %s", beyond.length > 0 ? ", " : "", c->name, low, high, c->unit);
      c->note = *c->note ? c->note : "the interval extends beyond a bound";
    }
  }
  if (at.length > 0)
    vd_warning(d, place, "the result is at a bound; values beyond the bound may fit the data better: %s", at.text);
  if (beyond.length > 0)
    vd_warning(d, place, "intervals extend beyond bounds, since the data hardly determine these figures: %s",
               beyond.text);
  vd_buf_finish(&at);
  vd_buf_finish(&beyond);
}

bool vd_fit_solve(const vd_fit *fit, const vd_fit_options *options, vd_arena *arena, vd_diag *d, vd_fit_result *out) {
  static const vd_fit_options none;
  const vd_fit_functions *does = functions_of(fit);
  *out = (vd_fit_result){.rows = 0};
  for (int i = 0; i < VD_FIT_TABLES; i++)
    out->tables |= does->write[i] ? VD_WHEN(i) : 0u;
  if (!does->solve(fit, options ? options : &none, arena, d, out))
    return false;
  const vd_node *root = fit->kind == VD_KIND_TYRE_FIT ? fit->as.tyre.root : fit->as.runs.root;
  if (does->estimates)
    look_at_bounds(vd_tree_place(root, "fit"), d, out);
  return true;
}

void vd_fit_write(const vd_fit *fit, const vd_fit_result *r, enum vd_fit_table table, enum vd_digits digits,
                  vd_output *o) {
  functions_of(fit)->write[table](fit, r, digits, o);
}

void vd_fit_metrics(const vd_fit *fit, const vd_fit_result *r, vd_arena *arena, vd_metrics *out) {
  out->count = 0;
  functions_of(fit)->metrics(fit, r, arena, out);
}

void vd_fit_remark(const vd_fit *fit, const vd_fit_result *r, const char *name, vd_buf *out) {
  functions_of(fit)->remark(fit, r, name, out);
}

/* --- functions for both kinds --- */

const char vd_fit_at_bound[] = "at a bound";

void vd_fit_interval(const vd_fit_coefficient *c, double confidence, double *low, double *high) {
  double half = vd_ls_quantile(confidence, c->freedom) * c->deviation;
  *low = c->logarithm ? c->value * vd_exp(-half) : c->value - half;
  *high = c->logarithm ? c->value * vd_exp(half) : c->value + half;
}

void vd_fit_add_metrics(const vd_fit_metric *add, size_t count, const char *const before[2], vd_arena *arena,
                        vd_metrics *all) {
  for (size_t i = 0; i < count && all->count < VD_METRICS_MAX; i++) {
    const char *const part[] = {before[0], before[1], add[i].name};
    const char *name = "";
    for (size_t k = 0; k < VD_COUNT(part); k++)
      if (*part[k])
        name = vd_arena_printf(arena, "%s%s%s", name, *name ? "_" : "", part[k]);
    all->metric[all->count++] =
        (vd_metric){.name = name, .unit = add[i].unit, .value = add[i].value, .definition = add[i].definition};
  }
}

void vd_fit_write_text(vd_buf *text, vd_output *o) {
  vd_output_bytes(o, text->text ? text->text : "", text->length);
  vd_buf_finish(text);
}

void vd_fit_write_words(const char *const *word, size_t count, vd_output *o) {
  for (size_t i = 0; i < count; i++) {
    vd_output_field(o, word[i]);
    vd_output_puts(o, ",");
  }
}

void vd_fit_write_figures(const vd_fit *fit, const vd_fit_result *r, enum vd_digits digits, vd_output *o) {
  (void)fit;
  vd_output_puts(o, "figure,unit,stage,start,value,deviation,interval_low,interval_high,bound_low,bound_high,note\n");
  for (size_t i = 0; i < r->coefficients; i++) {
    const vd_fit_coefficient *c = &r->coefficient[i];
    const char *const words[] = {c->name, c->unit, c->stage};
    double low = NAN, high = NAN;
    if (!isnan(c->deviation))
      vd_fit_interval(c, r->confidence, &low, &high);
    const double value[] = {c->start + 0.0,
                            c->value + 0.0,
                            c->logarithm ? c->value * c->deviation : c->deviation,
                            low + 0.0,
                            high + 0.0,
                            isfinite(c->low) ? c->low + 0.0 : NAN,
                            isfinite(c->high) ? c->high + 0.0 : NAN};
    vd_fit_write_words(words, VD_COUNT(words), o);
    vd_output_numbers(o, value, VD_COUNT(value), digits);
    vd_output_puts(o, c->note);
    vd_output_puts(o, "\n");
  }
}
