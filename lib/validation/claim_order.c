/* Claims about the order of convergence p, from three steps. If the error is c h^p, then y(h) - y(h/2) = c h^p (1 -
 * 2^-p), and y(h/2) - y(h/4) is 2^p times smaller. */
#include "validation/claim_impl.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
static const vd_field keys[] = {
  {VD_F_NUMBER(vd_claim_def, as.order.step, "step", "s", 1e-6, 0.01, 0, NULL,
               "coarsest of the three steps; the others are half and a quarter of it"),
   .only = VD_WHEN(VD_CLAIM_ORDER)},
};
/* clang-format on */

static void read(vd_claim_context *ctx) {
  vd_claim_read_figure(ctx, false);
  vd_claim_read_bounds(ctx, "1");
}

/* Draws differences over steps, and the claimed slopes through the finer difference. */
static void draw_order(const vd_claim_case *c, double coarse, double fine, const char *unit) {
  const vd_claim *claim = c->claim;
  double step[] = {claim->def->as.order.step, 0.5 * claim->def->as.order.step};
  const vd_expected *bound[] = {&claim->above, &claim->below};
  vd_picture *p = vd_case_picture(c, "difference to half the step", "step", "s", unit, 0.0);
  if (!p)
    return;
  p->log_x = p->log_y = true;
  vd_picture_add(p, VD_STROKE_MARKS, "run", step, (double[]){coarse, fine}, 2);
  for (size_t i = 0; i < VD_COUNT(bound); i++)
    if (bound[i]->given) {
      char name[48];
      double order = vd_claim_expected(c, bound[i], NULL);
      snprintf(name, sizeof name, "order %.3g", order);
      vd_picture_add(p, VD_STROKE_LIMIT, name, step, (double[]){fine * vd_pow(2.0, order), fine}, 2);
    }
}

static void judge(const vd_claim_case *c, const vd_performed *unused, const vd_performed *other) {
  enum { STEPS = 3 };
  (void)unused;
  (void)other;
  vd_claim_figure f[STEPS] = {{.value = NAN}};
  double step = c->claim->def->as.order.step;
  for (int i = 0; i < STEPS; i++) {
    vd_perform_options o = {.sets = c->claim->sets, .step = ldexp(step, -i), .rate = 1.0 / step};
    vd_performed run;
    memcpy(o.channels, c->claim->channels, sizeof o.channels);
    bool good = vd_perform(&c->claim->run, &o, &run);
    if (!good)
      vd_case_refuse(c, "with a step of %g s: %.*s", o.step, (int)strcspn(run.why, "\n"), run.why);
    good = good && vd_figure_of(c, &run, &f[i]);
    vd_performed_finish(&run);
    if (!good)
      return;
  }
  double coarse = fabs(f[0].value - f[1].value), fine = fabs(f[1].value - f[2].value);
  /* differences of a few hundred rounding errors have no order */
  if (!(fine > 1e-13 * fabs(f[2].value))) {
    vd_case_refuse(c, "%s changes by %.3g and %.3g, which are rounding errors: a greater step is needed", f[0].name,
                   coarse, fine);
    return;
  }
  draw_order(c, coarse, fine, f[0].unit);
  vd_claim_figure order = {.value = vd_log2(coarse / fine), .unit = "1"};
  snprintf(order.name, sizeof order.name, "order by %.60s", f[0].name);
  vd_judge_bounds(c, NULL, &order);
}

const vd_claim_variant vd_order_variant = {
    .rows = {.field = keys, .count = VD_COUNT(keys)}, .needs_scenario = true, .read = read, .judge = judge};
