/* The understeer budget of a steady turn: the parts of model/understeer.h as gradients. Each part's gradient is the
 * slope of a line over ay, fitted to the nearly steady states of the window in which the set `steady_circular` finds
 * the understeer gradient. The gradients of the parts add up, because the parts add up. The understeer gradient itself
 * is not the sum of these gradients; it is computed from the steering angle and the course of the car. The difference
 * between the gradient and the sum of the parts is a separate metric. */
#include "metrics/metrics_impl.h"

#include "base/elementary.h"

#include <math.h>

#define PER_G "deg/g"

/* clang-format off */
#define CAUSE(id, key, name, words)                                                                                    \
  {"understeer_by_" key "_deg_per_g", PER_G, "part of the understeer gradient by " words},                             \
  {"understeer_by_" key "_front_deg_per_g", PER_G, "contribution of the front axle by " words},                        \
  {"understeer_by_" key "_rear_deg_per_g", PER_G, "contribution of the rear axle, which reduces understeer, by " words},

static const vd_metric_info metrics[] = {
  {"budget_gradient_deg_per_g", PER_G,
   "understeer gradient from fit_from to fit_to, from the steering angle and the course of the car; ISO 4138"},
  {"budget_sum_deg_per_g", PER_G, "sum of the following parts of the front axle minus the parts of the rear axle"},
  {"budget_rest_deg_per_g", PER_G,
   "budget_gradient minus budget_sum: effects of three or more causes together, and of sines and tangents of angles"},
  {"cornering_compliance_front_deg_per_g", PER_G,
   "sum of the parts of the front axle; Bundorf, SAE 760713"},
  {"cornering_compliance_rear_deg_per_g", PER_G, "sum of the parts of the rear axle"},
  VD_UNDERSTEER_LIST(CAUSE)
};
/* clang-format on */

enum { PARTS = VD_UNDERSTEER_CAUSES * VD_AXLES };

static const char *const keys[] = {
#define VD_KEY(id, key, name, words) key,
    VD_UNDERSTEER_LIST(VD_KEY)
#undef VD_KEY
};

static bool parts_at(const vd_recorder *r, size_t row, double *value) {
  const vd_budget_sample *at = &r->budget[row];
  for (int k = 0; at->taken && k < PARTS; k++)
    value[k] = at->understeer.part[k / VD_AXLES][k % VD_AXLES];
  return at->taken;
}

static vd_result part(vd_result gradient, const vd_fitted_line *line) {
  if (!vd_metric_good(&gradient))
    return gradient;
  if (!(line->n > 2.0))
    return vd_metric_refused("the window has fewer than three states at intervals of 0.1 s");
  double slope = vd_line_slope(line);
  return isfinite(slope) ? vd_metric_known(slope * VD_GRAVITY * 180.0 / VD_PI)
                         : vd_metric_refused("the axle has no steady state with this cause alone, or without it");
}

static vd_result sum(vd_result a, vd_result b) {
  return vd_metric_of(vd_metric_both(a, b), a.value + b.value);
}

static void compute(const vd_recorder *r, vd_metrics *out) {
  vd_fitted_line line[PARTS] = {{.n = 0.0}};
  vd_result gradient = vd_metric_from_level(r, VD_L2, "wheels with loads of their own"), axle[VD_AXLES];
  if (vd_metric_good(&gradient))
    gradient = vd_circle_lines(r, parts_at, PARTS, line);
  axle[VD_FRONT] = axle[VD_REAR] = vd_metric_known(0.0);
  for (int k = 0; k < VD_UNDERSTEER_CAUSES; k++) {
    vd_result front = part(gradient, &line[VD_AXLES * k]), rear = part(gradient, &line[VD_AXLES * k + 1]);
    vd_set_metric_named(out, vd_metric_subtract(front, rear), "understeer_by_%s_deg_per_g", keys[k]);
    vd_set_metric_named(out, front, "understeer_by_%s_front_deg_per_g", keys[k]);
    vd_set_metric_named(out, rear, "understeer_by_%s_rear_deg_per_g", keys[k]);
    axle[VD_FRONT] = sum(axle[VD_FRONT], front);
    axle[VD_REAR] = sum(axle[VD_REAR], rear);
  }
  vd_result whole = vd_metric_subtract(axle[VD_FRONT], axle[VD_REAR]);
  gradient = vd_metric_scaled(gradient, 180.0 / VD_PI * VD_GRAVITY);
  vd_set_metric(out, "budget_gradient_deg_per_g", gradient);
  vd_set_metric(out, "budget_sum_deg_per_g", whole);
  vd_set_metric(out, "budget_rest_deg_per_g", vd_metric_subtract(gradient, whole));
  vd_set_metric(out, "cornering_compliance_front_deg_per_g", axle[VD_FRONT]);
  vd_set_metric(out, "cornering_compliance_rear_deg_per_g", axle[VD_REAR]);
}

const vd_metric_set vd_metrics_understeer_budget = {
    VD_METRIC_SET(understeer_budget, metrics, compute),
    .title = "understeer budget: contributions to the understeer gradient", .needs = VD_NEEDS_EVEN | VD_NEEDS_BUDGET,
    .view = VD_VIEW_LEAN | VD_VIEW_DETAILS};
