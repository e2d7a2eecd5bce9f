#include "study/fit_impl.h"

#include "base/base.h"
#include "base/elementary.h"

#include <math.h>

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
