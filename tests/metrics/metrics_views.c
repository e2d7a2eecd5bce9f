/* Rows between steps have only the quantities that the sets of metrics name (vd_metric_set.view); the others are NAN.
 * To find a set that reads more than it names, all metrics of shipped scenarios are computed again from complete rows,
 * and must be the same to the bit. Only the ledger's residual, the greatest of all rows with energies, may differ. */
#include "metrics/metrics_impl.h"
#include "run/run.h"
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <string.h>

/* The sets, each with a manoeuvre for which the set is made. */
static const struct {
  const char *set, *base;
} runs[] = {
    {"step_steer", "step_steer.yaml"},
    {"step_steer", "../hardpoints/step_steer.yaml"},
    {"acceleration", "../road/accelerate.yaml"},
    {"braking", "stopping_distance_l3.yaml"},
    {"path", "lane_change_80_l3.yaml"},
    {"ride", "../ride/iso8608_c_80.yaml"},
    {"handling", "../hardpoints/step_steer.yaml"},
    {"modes", "sine_steer_l3.yaml"},
    {"statics", "sine_steer_l3.yaml"},
    {"stunt", "../stunt/jump.yaml"},
    {"steady_circular", "constant_speed_l3.yaml"},
    {"understeer_budget", "constant_speed_l3.yaml"},
    {"understeer_budget", "../hardpoints/constant_radius.yaml"},
    {"sine_steer", "sine_steer_l3.yaml"},
    {"lane_change", "lane_change_80_l3.yaml"},
    {"driven_lap", "../../validation/data/driven_lap/lap.yaml"},
    {"braking_in_turn", "braking_in_turn.yaml"},
    {"power_off", "power_off_in_turn.yaml"},
    {"stopping", "stopping_distance_l3.yaml"},
    {"split_friction", "split_mu_braking.yaml"},
    {"slowly_increasing_steer", "slowly_increasing_steer.yaml"},
    {"sine_with_dwell", "sine_with_dwell_l3.yaml"},
    {"on_centre", "weave_l3.yaml"},
    {"on_centre", "weave_torque.yaml"},
    {"transition", "transition.yaml"},
    {"free_steer", "free_steer.yaml"},
    {"crosswind", "crosswind.yaml"},
    {"rollover", "../road/fishhook_l3.yaml"},
    {"cycle", "../cycles/wltc_class3b.yaml"},
    {"frequency_response", "random_steer.yaml"},
};

static void ignore(void *context, const vd_row *row) {
  (void)context;
  (void)row;
}

static void run(const char *text, const char *setting, unsigned view, vd_metrics *out) {
  scene *s = scene_make(text, "run.step=auto", setting, NULL);
  const vd_run_options options = {.row = ignore, .view = view};
  vd_run_report report;
  vd_recorder recorder;
  vd_recorder_init(&recorder, true);
  vd_simulate(&s->def, &options, NULL, &recorder, &report);
  vd_run_metrics(&s->def, &recorder, out);
  vd_recorder_finish(&recorder);
  scene_free(s);
}

static bool same_value(const vd_metric *a, const vd_metric *b) {
  bool number = a->value == b->value || (isnan(a->value) && isnan(b->value));
  return number && strcmp(a->reason, b->reason) == 0;
}

static void check(const char *set, const char *base) {
  static vd_metrics brief, complete;
  char text[96], setting[64];
  size_t differ = 0, known = 0;
  snprintf(text, sizeof text, "base: %s\n", base);
  snprintf(setting, sizeof setting, "metrics.sets=%s", set);
  run(text, setting, 0, &brief);
  run(text, setting, VD_VIEW_ALL, &complete);
  for (size_t i = 0; i < brief.count && i < complete.count; i++) {
    const vd_metric *a = &brief.metric[i], *b = &complete.metric[i];
    known += i >= vd_metric_sets[0]->count && !isnan(b->value);
    if (strcmp(a->name, "ledger_residual") == 0 || same_value(a, b))
      continue;
    tap_diag("%s: %.17g (%s), of complete rows %.17g (%s)", a->name, a->value, a->reason, b->value, b->reason);
    differ++;
  }
  tap_ok(differ == 0 && known > 0 && brief.count == complete.count,
         "%s of %s: the value equals that from complete rows", set, base);
}

int main(void) {
  tap_plan(VD_COUNT(runs) + VD_METRIC_SET_COUNT - 1);
  for (int i = 0; i < (int)VD_COUNT(runs); i++)
    if (!tap_left_out(1, i, 3))
      check(runs[i].set, runs[i].base);
  for (size_t k = 1; k < VD_METRIC_SET_COUNT; k++) {
    bool seen = false;
    for (size_t i = 0; i < VD_COUNT(runs); i++)
      seen |= strcmp(runs[i].set, vd_metric_sets[k]->key) == 0;
    tap_ok(seen, "set %s is among the runs of this test", vd_metric_sets[k]->key);
  }
  return tap_done();
}
