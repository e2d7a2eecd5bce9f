/* Deviations of a car from its path. */
#include "base/elementary.h"
#include "metrics/metrics_impl.h"

#include <math.h>

/* Returns the speed at the start of the path, or at the first step if the run starts on the path. */
static vd_result entry_speed(const vd_recorder *r) {
  vd_series s = vd_series_of(r, VD_SERIES_PATH_S), vx = vd_series_of(r, VD_SERIES_VX);
  if (vd_series_at(&s, 0) >= 0.0)
    return vd_metric_known(vd_series_at(&vx, 0));
  size_t i = vd_metric_rises_through(&s, 1, 0.0);
  return i ? vd_metric_known(vd_metric_between(&vx, i, vd_metric_share(&s, i, 0.0)))
           : vd_metric_refused("the start of the path is never reached");
}

/* Returns the largest heading error while the car moves; at standstill the direction of motion has no meaning. */
static vd_result heading_error(const vd_recorder *r) {
  vd_series angle = vd_series_of(r, VD_SERIES_PATH_HEADING);
  double largest = NAN;
  for (size_t i = 0; i < r->count; i++)
    if (!(vd_hypot(r->sample[i].vx, r->sample[i].vy) < vd_metric_lowest_speed))
      largest = fabs(vd_series_at(&angle, i)) <= largest ? largest : fabs(vd_series_at(&angle, i));
  return isnan(largest) ? vd_metric_refused("the vehicle never reaches 1 m/s") : vd_metric_known(largest);
}

static const vd_metric_info metrics[] = {
    {"path_error_rms_m", "m",
     "root of the mean over time of the squared offset of the centre of gravity from the path"},
    {"path_error_max_m", "m", "largest |offset| of the centre of gravity from the path"},
    {"path_heading_error_max_rad", "rad",
     "largest |angle| between the direction of motion and the path over all steps faster than 1 m/s"},
    {"path_entry_speed_mps", "m/s",
     "vx at the start of the path, or at the first step of a run that starts on the "
     "path"},
    {"path_exit_speed_mps", "m/s", "vx at the last step"},
};

static void compute(const vd_recorder *r, vd_metrics *out) {
  vd_series error = vd_series_of(r, VD_SERIES_PATH_ERROR);
  vd_result none = r->rows && !r->path ? vd_metric_refused("there is no path, or the car stands at its start")
                                       : vd_metric_known(0.0);
  vd_result checked = vd_metric_checked(r, none, VD_SERIES_PATH_ERROR);
  vd_result turned =
      vd_metric_both(none, VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_PATH_HEADING, VD_SERIES_VX, VD_SERIES_VY));
  vd_result entered = vd_metric_both(none, VD_METRIC_USABLE(r, VD_SERIES_PATH_S, VD_SERIES_VX));
  vd_set_metric(out, "path_error_rms_m",
                vd_metric_good(&checked) ? vd_metric_known(vd_metric_root_mean_square(&error, 0.0)) : checked);
  vd_set_metric(out, "path_error_max_m", vd_metric_peak(r, none, VD_SERIES_PATH_ERROR));
  vd_set_metric(out, "path_heading_error_max_rad", vd_metric_good(&turned) ? heading_error(r) : turned);
  vd_set_metric(out, "path_entry_speed_mps", vd_metric_good(&entered) ? entry_speed(r) : entered);
  vd_set_metric(out, "path_exit_speed_mps", vd_metric_of(entered, vd_recorder_last(r)->vx));
}

const vd_metric_set vd_metrics_path = {VD_METRIC_SET(path, metrics, compute),
                                       .title = "deviation of the car from its path"};
