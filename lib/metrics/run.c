/* The set of metrics `run`, which is computed for every run. */
#include "metrics/metrics_impl.h"

#include <math.h>

static vd_result extreme(const vd_recorder *r, double value) {
  if (r->rows == 0)
    return vd_metric_refused("the run has no steps");
  return isfinite(value) ? vd_metric_known(value) : vd_metric_refused("not a finite number at some step");
}

/* Returns the estimated error of the integration. A remark names the state with the greatest error, and states any
 * doubt about the estimate. */
static vd_result integration_error(const vd_recorder *r) {
  vd_error_share error = r->error;
  vd_result out = {.value = error.share};
  if (!isfinite(error.share))
    return vd_metric_refused("the error was not estimated");
  error.doubts |= r->min_load > 0.0 ? 0u : VD_ERROR_LIFTS;
  vd_error_describe(&error, out.reason, sizeof out.reason);
  return out;
}

static const vd_metric_info metrics[] = {
    {"duration_s", "s", "time from first to last step"},
    {"distance_m", "m", "path length of the centre of gravity from first to last step"},
    {"final_speed_mps", "m/s", "vx at the last step"},
    {"peak_ay_mps2", "m/s2", "largest |ay| over all steps"},
    {"peak_yaw_rate_radps", "rad/s", "largest |yaw rate| over all steps"},
    {"peak_sideslip_rad", "rad", "largest |side slip angle| of the centre of gravity over all steps faster than 1 m/s"},
    {"ledger_residual", "1",
     "largest |energy - energy at start - work|, divided by the static energy of springs and tyres plus the greatest "
     "sum of kinetic energy and |works| until that step"},
    {"integration_error", "1",
     "estimated largest error that the steps cause in a state, divided by the greater of its scale and its greatest "
     "change; the note names this state, another one whose error is greater relative to its own change, and reasons "
     "for doubt"},
    {"least_wheel_load_N", "N", "smallest load of any wheel over all steps"},
    {"tipping_time_s", "s", "time in which the roll moment exceeds the moment that the wheel loads can balance"},
};

static void compute(const vd_recorder *r, vd_metrics *out) {
  vd_result tips = r->rows && r->level == VD_L0 ? vd_metric_refused("this level does not tip over")
                   : r->rows && r->level > VD_L2
                       ? vd_metric_refused("at this level the body itself rolls over, and the run ends")
                       : extreme(r, r->tipping_time);
  vd_set_metric(out, "duration_s", extreme(r, vd_recorder_last(r)->t - r->first.t));
  vd_set_metric(out, "distance_m", extreme(r, vd_recorder_last(r)->distance - r->first.distance));
  vd_set_metric(out, "final_speed_mps", extreme(r, vd_recorder_last(r)->vx));
  vd_set_metric(out, "peak_ay_mps2", extreme(r, r->peak_ay));
  vd_set_metric(out, "peak_yaw_rate_radps", extreme(r, r->peak_yaw_rate));
  vd_set_metric(out, "peak_sideslip_rad",
                r->moved || r->rows == 0 ? extreme(r, r->peak_sideslip)
                                         : vd_metric_refused("the vehicle never reaches 1 m/s"));
  vd_set_metric(out, "ledger_residual", extreme(r, r->ledger.share));
  vd_set_metric(out, "integration_error", integration_error(r));
  vd_set_metric(out, "least_wheel_load_N",
                r->rows && r->level == VD_L0 ? vd_metric_refused("this level has no wheel loads")
                                             : extreme(r, r->min_load));
  vd_set_metric(out, "tipping_time_s", tips);
}

const vd_metric_set vd_metrics_run = {VD_METRIC_SET(run, metrics, compute), .title = "every run",
                                      .needs = VD_NEEDS_NO_ROWS};
