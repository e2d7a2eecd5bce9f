/* Sensitivity to lateral wind with fixed steering, ISO 12021, whose text was not read: the car drives straight ahead
 * and enters moving air. The metrics follow published tests, from memory: yaw rate, lateral acceleration, and the
 * deviation from the course some time after the entry. They also apply to other disturbances of a straight run, such as
 * an external force. The scenario gives the speed of the wind. */
#include "metrics/metrics_impl.h"

#include "base/elementary.h"

#include <math.h>

/* A peak with its sign, and its time. */
typedef struct peak {
  double value, after; /* unit of the channel; s after the entry */
} peak;

/* Finds the instant at which the lateral acceleration leaves zero. */
static vd_result find_entry(const vd_recorder *r) {
  const vd_result checked = vd_metric_both(VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_X, VD_SERIES_Y, VD_SERIES_YAW,
                                                            VD_SERIES_VX, VD_SERIES_AY, VD_SERIES_YAW_RATE),
                                           vd_metric_from_level(r, VD_L1, "side forces"));
  vd_series x = vd_series_of(r, VD_SERIES_AY);
  if (!vd_metric_good(&checked))
    return checked;
  size_t i = vd_metric_onset(&x, vd_series_table[VD_SERIES_AY].floor);
  if (i == r->count)
    return vd_metric_refused("the car drives straight ahead");
  if (i == 0 || i + 1 >= r->count)
    return vd_metric_known(r->sample[i].t);
  const double from = r->sample[i - 1].t, share = vd_metric_leaves_rest(&x, i);
  return vd_metric_known(from + share * (r->sample[i].t - from));
}

static peak find_peak(const vd_recorder *r, enum vd_series_channel channel, double entry) {
  vd_series x = vd_series_of(r, channel);
  size_t highest = 0;
  peak p;
  for (size_t i = 0; i < r->count; i++)
    if (fabs(vd_series_at(&x, i)) > fabs(vd_series_at(&x, highest)))
      highest = i;
  const double side = x.sign = copysign(1.0, vd_series_at(&x, highest));
  vd_metric_refine_peak(&x, highest, &p.after, &p.value);
  return (peak){side * p.value, vd_max(p.after - entry, 0.0)};
}

/* Returns the distance of the centre of gravity to the left of the initial longitudinal axis of the car, m, at a time
 * after the entry. */
static vd_result deviation(const vd_recorder *r, vd_result entry, double after) {
  const double t = entry.value + after, yaw = r->count > 0 ? r->sample[0].yaw : 0.0;
  if (!vd_metric_good(&entry))
    return entry;
  if (t > r->sample[r->count - 1].t)
    return vd_metric_refused("the run ends %.3g s after the entry", r->sample[r->count - 1].t - entry.value);
  const double x = vd_metric_value(r, VD_SERIES_X, t) - r->sample[0].x,
               y = vd_metric_value(r, VD_SERIES_Y, t) - r->sample[0].y;
  return vd_metric_known(y * vd_cos(yaw) - x * vd_sin(yaw));
}

static const vd_metric_info metrics[] = {
    {"crosswind_entry_s", "s", "entry: instant at which the lateral acceleration leaves zero"},
    {"crosswind_yaw_rate_peak_radps", "rad/s", "yaw rate of the largest magnitude"},
    {"crosswind_yaw_rate_peak_time_s", "s", "time of the peak of the yaw rate, after the entry"},
    {"crosswind_ay_peak_mps2", "m/s2", "lateral acceleration of the largest magnitude"},
    {"crosswind_ay_peak_time_s", "s", "time of the peak of the lateral acceleration, after the entry"},
    {"crosswind_deviation_1s_m", "m",
     "distance of the centre of gravity to the left of its straight course, 1 s after the entry"},
    {"crosswind_deviation_2s_m", "m",
     "distance of the centre of gravity to the left of its straight course, 2 s after the entry"},
    {"crosswind_heading_2s_rad", "rad", "change of the heading from the start until 2 s after the entry"},
};

static void compute(const vd_recorder *r, vd_metrics *out) {
  const vd_result entry = find_entry(r), two = deviation(r, entry, 2.0);
  peak yaw = {0.0, 0.0}, ay = {0.0, 0.0};
  if (vd_metric_good(&entry)) {
    yaw = find_peak(r, VD_SERIES_YAW_RATE, entry.value);
    ay = find_peak(r, VD_SERIES_AY, entry.value);
  }
  vd_set_metric(out, "crosswind_entry_s", entry);
  vd_set_metric(out, "crosswind_yaw_rate_peak_radps", vd_metric_of(entry, yaw.value));
  vd_set_metric(out, "crosswind_yaw_rate_peak_time_s", vd_metric_of(entry, yaw.after));
  vd_set_metric(out, "crosswind_ay_peak_mps2", vd_metric_of(entry, ay.value));
  vd_set_metric(out, "crosswind_ay_peak_time_s", vd_metric_of(entry, ay.after));
  vd_set_metric(out, "crosswind_deviation_1s_m", deviation(r, entry, 1.0));
  vd_set_metric(out, "crosswind_deviation_2s_m", two);
  vd_set_metric(out, "crosswind_heading_2s_rad",
                !vd_metric_good(&two)
                    ? two
                    : vd_metric_known(vd_metric_value(r, VD_SERIES_YAW, entry.value + 2.0) - r->sample[0].yaw));
}

const vd_metric_set vd_metrics_crosswind = {VD_METRIC_SET(crosswind, metrics, compute),
                                            .title = "a straight run that a crosswind disturbs",
                                            .standard = "ISO 12021, not read", .view = VD_VIEW_PLACE};
