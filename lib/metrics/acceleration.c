/* Time and distance of an acceleration from one speed to another. */
#include "metrics/metrics_impl.h"

static const double speed_tolerance = 1e-6; /* m/s */

static const enum vd_series_channel motion[] = {VD_SERIES_TIME, VD_SERIES_VX, VD_SERIES_DISTANCE};

static vd_result find_speeds(const vd_recorder *r, double from, double to, vd_mark *begin, vd_mark *end) {
  vd_series vx = vd_series_of(r, VD_SERIES_VX);
  vd_result checked = vd_metric_usable(r, motion, VD_COUNT(motion));
  if (!vd_metric_good(&checked))
    return checked;
  if (!(from < to))
    return vd_metric_refused("from_speed is not below to_speed");
  size_t last = vd_metric_rises_through(&vx, 1, to);
  if (last == 0)
    return vd_series_at(&vx, 0) >= to
               ? vd_metric_refused("vx starts at %.4g m/s, not below %.4g", vd_series_at(&vx, 0), to)
               : vd_metric_refused("vx never reaches %.4g m/s: its highest value is %.4g m/s", to,
                                   vd_metric_largest(&vx, 0, vx.count - 1));
  size_t first = last; /* first: the sample after the last one at or below from_speed */
  while (first > 0 && !(vd_series_at(&vx, first - 1) <= from + speed_tolerance))
    first--;
  if (first == 0)
    return vd_metric_refused("vx starts at %.4g m/s, above %.4g m/s", vd_series_at(&vx, 0), from);
  *begin = vd_metric_mark(r, first, vd_metric_share(&vx, first, from));
  *end = vd_metric_mark(r, last, vd_metric_share(&vx, last, to));
  return vd_metric_known(0.0);
}

static const vd_metric_info metrics[] = {
    {"acceleration_time_s", "s", "time from the last instant at from_speed to the first instant at to_speed (vx)"},
    {"acceleration_distance_m", "m",
     "path length from the last instant at from_speed to the first instant at to_speed (vx)"},
    {"acceleration_mean_mps2", "m/s2", "(to_speed - from_speed)/acceleration time"},
    {"acceleration_peak_mps2", "m/s2", "largest ax over the run"},
};

static void compute(const vd_recorder *r, vd_metrics *out) {
  double from = r->options->from_speed, to = r->options->to_speed;
  vd_mark begin = {0}, end = {0};
  vd_result found = find_speeds(r, from, to, &begin, &end), peak = VD_METRIC_USABLE(r, VD_SERIES_AX);
  vd_series ax = vd_series_of(r, VD_SERIES_AX);
  vd_result time = vd_metric_of(found, end.t - begin.t);
  vd_result distance = vd_metric_of(found, end.distance - begin.distance);
  vd_result gain = vd_metric_of(found, to - from);
  vd_set_metric(out, "acceleration_time_s", time);
  vd_set_metric(out, "acceleration_distance_m", distance);
  vd_set_metric(out, "acceleration_mean_mps2", vd_metric_divide(gain, time));
  vd_set_metric(out, "acceleration_peak_mps2",
                vd_metric_good(&peak) ? vd_metric_known(vd_metric_largest(&ax, 0, ax.count - 1)) : peak);
}

const vd_metric_set vd_metrics_acceleration = {VD_METRIC_SET(acceleration, metrics, compute),
                                               .title = "time and distance from one speed to another"};
