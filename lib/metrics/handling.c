/* Roll and pitch gradients: angles of the body over the accelerations that cause them. */
#include "metrics/metrics_impl.h"

#include <math.h>

static const double slow = 1.0; /* m/s, below it nothing is quasi-steady */
/* quasi-steady: the samples that the gradients are fitted to */
static const double quasi_steady_rate = 2.0; /* m/s3 */
/* s, before and after, so that a sharp peak does not count as quasi-steady although its slope is zero */
static const double quasi_steady_span = 0.25;
static const double roll_limit = 6.0, pitch_limit = 10.0; /* m/s2 */
static const double gradient_min_span = 1.0;              /* m/s2 */

/* Slope of y over x by least squares, over the quasi-steady part of the run, for x from low to high. */
static vd_result gradient(const vd_recorder *r, enum vd_series_channel over, enum vd_series_channel of, double low,
                          double high) {
  const enum vd_series_channel needed[] = {VD_SERIES_TIME, VD_SERIES_VX, over, of};
  vd_result checked = vd_metric_usable(r, needed, VD_COUNT(needed));
  if (!vd_metric_good(&checked))
    return checked;
  vd_series x = vd_series_of(r, over), y = vd_series_of(r, of);
  double step = (r->last.t - r->first.t) / (double)(r->count - 1);
  size_t reach = vd_metric_reach(r, quasi_steady_span);
  vd_fitted_line line = {0};
  for (size_t i = reach; i + reach < r->count; i++) {
    double value = vd_series_at(&x, i);
    bool steady = vd_metric_quasi_steady(&x, i, reach, quasi_steady_rate * (double)reach * step);
    if (steady && value >= low && value <= high && r->sample[i].vx > slow)
      vd_line_add(&line, value, vd_series_at(&y, i));
  }
  if (!(line.n > 0.0))
    return vd_metric_refused("%s is nowhere quasi-steady", vd_series_name(over));
  if (!(line.highest - line.least >= gradient_min_span))
    return vd_metric_refused("%s spans only %.3g m/s2 while it is quasi-steady: no slope", vd_series_name(over),
                             line.highest - line.least);
  return vd_metric_known(vd_line_slope(&line));
}

static vd_result peak_angle(const vd_recorder *r, vd_result possible, enum vd_series_channel channel) {
  vd_series x = vd_series_of(r, channel);
  vd_result checked = vd_metric_checked(r, possible, channel);
  return vd_metric_good(&checked) ? vd_metric_known(vd_metric_largest_magnitude(&x)) : checked;
}

/* clang-format off */
static const vd_metric_info metrics[] = {
  {"roll_gradient_deg_per_g", "deg/g",
   "least-squares slope of body roll over ay where |ay| <= 6 m/s2 changes by at most 2 m/s2 a second, vx > 1 m/s; "
   "after the notion of ISO 4138"},
  {"pitch_gradient_deg_per_g", "deg/g",
   "least-squares slope of body pitch, nose down > 0, over the deceleration -ax from 0 to 10 m/s2 where it changes "
   "by at most 2 m/s2 a second, vx > 1 m/s"},
  {"peak_roll_rad", "rad", "largest |roll| of the body against the road"},
  {"peak_pitch_rad", "rad", "largest |pitch| of the body against the road"},
};
/* clang-format on */

static void compute(const vd_recorder *r, const vd_metrics_options *options, vd_metrics *out) {
  double deg_per_g = 180.0 / VD_PI * VD_GRAVITY;
  vd_result rolls = vd_metric_from_level(r, VD_L2, "body roll"), pitches = vd_metric_from_level(r, VD_L1, "body pitch");
  (void)options;
  vd_result roll = vd_metric_good(&rolls) ? gradient(r, VD_SERIES_AY, VD_SERIES_ROLL, -roll_limit, roll_limit) : rolls;
  vd_result pitch = vd_metric_good(&pitches) ? gradient(r, VD_SERIES_AX, VD_SERIES_PITCH, -pitch_limit, 0.0) : pitches;
  vd_set_metric(out, "roll_gradient_deg_per_g", vd_metric_scaled(roll, deg_per_g));
  vd_set_metric(out, "pitch_gradient_deg_per_g", vd_metric_scaled(pitch, -deg_per_g));
  vd_set_metric(out, "peak_roll_rad", peak_angle(r, rolls, VD_SERIES_ROLL));
  vd_set_metric(out, "peak_pitch_rad", peak_angle(r, pitches, VD_SERIES_PITCH));
}

const vd_metric_set vd_metrics_handling = {.key = "handling",
                                           .title = "roll and pitch of the body over the accelerations",
                                           .standard = "",
                                           .needs = VD_NEEDS_EVEN,
                                           .view = VD_VIEW_LEAN,
                                           .metric = metrics,
                                           .count = VD_COUNT(metrics),
                                           .compute = compute};
