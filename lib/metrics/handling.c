/* Roll and pitch gradients: angles of the body over the accelerations that cause them. */
#include "metrics/metrics_impl.h"

/* Gradients are fitted to quasi-steady samples: the speed is above SLOW, m/s, and the acceleration changes by at most
 * RATE, m/s3, within SPAN, s, before and after. A sharp peak therefore does not count, although the slope is zero
 * there. ay and -ax are below limits, m/s2. The definitions below contain these numbers. */
#define SLOW        1
#define RATE        2
#define SPAN        0.25
#define ROLL_LIMIT  6
#define PITCH_LIMIT 10
static const double least_range = 1.0; /* m/s2, least range of the acceleration for which a slope is computed */

/* Returns the slope of y over x by least squares, over the quasi-steady part of the run, for x from low to high. */
static vd_result gradient(const vd_recorder *r, enum vd_series_channel over, enum vd_series_channel of, double low,
                          double high) {
  vd_result checked = VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_VX, over, of);
  if (!vd_metric_good(&checked))
    return checked;
  vd_series x = vd_series_of(r, over), y = vd_series_of(r, of);
  double step = (vd_recorder_last(r)->t - r->first.t) / (double)(r->count - 1);
  size_t reach = vd_metric_reach(r, SPAN);
  vd_fitted_line line = {0};
  for (size_t i = reach; i + reach < r->count; i++) {
    double value = vd_series_at(&x, i);
    bool steady = vd_metric_quasi_steady(&x, i, reach, RATE * (double)reach * step);
    if (steady && value >= low && value <= high && r->sample[i].vx > SLOW)
      vd_line_add(&line, value, vd_series_at(&y, i));
  }
  if (!(line.n > 0.0))
    return vd_metric_refused("%s is nowhere quasi-steady", vd_series_table[over].name);
  if (!(line.highest - line.least >= least_range))
    return vd_metric_refused("%s spans only %.3g m/s2 while it is quasi-steady: no slope", vd_series_table[over].name,
                             line.highest - line.least);
  return vd_metric_known(vd_line_slope(&line));
}

/* clang-format off */
#define VALUE_TEXT(value) #value
#define TEXT(macro) VALUE_TEXT(macro)
#define QUASI_STEADY \
  " changes by at most " TEXT(RATE) " m/s2 a second within " TEXT(SPAN) " s before and after, vx > " TEXT(SLOW) " m/s"

static const vd_metric_info metrics[] = {
  {"roll_gradient_deg_per_g", "deg/g",
   "least-squares slope of body roll over ay where |ay| <= " TEXT(ROLL_LIMIT) " m/s2" QUASI_STEADY "; after the idea "
   "of ISO 4138"},
  {"pitch_gradient_deg_per_g", "deg/g",
   "least-squares slope of body pitch, nose down > 0, over the deceleration -ax from 0 to " TEXT(PITCH_LIMIT) " m/s2 "
   "where it" QUASI_STEADY},
  {"peak_roll_rad", "rad", "largest |roll| of the body relative to the road"},
  {"peak_pitch_rad", "rad", "largest |pitch| of the body relative to the road"},
};
/* clang-format on */

static void compute(const vd_recorder *r, vd_metrics *out) {
  double deg_per_g = 180.0 / VD_PI * VD_GRAVITY;
  vd_result rolls = vd_metric_from_level(r, VD_L2, "body roll"), pitches = vd_metric_from_level(r, VD_L1, "body pitch");
  vd_result roll = vd_metric_good(&rolls) ? gradient(r, VD_SERIES_AY, VD_SERIES_ROLL, -ROLL_LIMIT, ROLL_LIMIT) : rolls;
  vd_result pitch = vd_metric_good(&pitches) ? gradient(r, VD_SERIES_AX, VD_SERIES_PITCH, -PITCH_LIMIT, 0.0) : pitches;
  vd_set_metric(out, "roll_gradient_deg_per_g", vd_metric_scaled(roll, deg_per_g));
  vd_set_metric(out, "pitch_gradient_deg_per_g", vd_metric_scaled(pitch, -deg_per_g));
  vd_set_metric(out, "peak_roll_rad", vd_metric_peak(r, rolls, VD_SERIES_ROLL));
  vd_set_metric(out, "peak_pitch_rad", vd_metric_peak(r, pitches, VD_SERIES_PITCH));
}

const vd_metric_set vd_metrics_handling = {VD_METRIC_SET(handling, metrics, compute),
                                           .title = "roll and pitch of the body as functions of the accelerations",
                                           .needs = VD_NEEDS_EVEN, .view = VD_VIEW_LEAN};
