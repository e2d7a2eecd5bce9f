/* One period of a sine at the steering wheel, ISO 7401:2011 clause 11; the full text of the standard was not read. Lags
 * are measured from the peaks of the actual steering wheel angle, not from the commanded sine. */
#include "metrics/metrics_impl.h"

#include "base/elementary.h"

#include <math.h>

static const double small = 0.05; /* share of the largest magnitude, at smaller values the manoeuvre has not begun */

enum { PEAKS = 2 };

typedef struct half_periods {
  vd_result t[PEAKS], height[PEAKS]; /* s; unit of the channel, both positive */
} half_periods;

/* Finds the peak of the first part, from sample `from` on, in which x rises above the level. The part ends when x falls
 * below zero; *end: the first sample after the part. */
static vd_result top(const vd_series *x, size_t from, double level, size_t *end, double *t, double *height) {
  size_t i = from;
  while (i < x->count && !(vd_series_at(x, i) > level))
    i++;
  if (i == x->count)
    return vd_metric_refused("%s has no peak on this side", vd_series_table[x->channel].name);
  size_t best = i;
  for (; i < x->count && vd_series_at(x, i) >= 0.0; i++)
    if (vd_series_at(x, i) > vd_series_at(x, best))
      best = i;
  if (best + 1 >= x->count)
    return vd_metric_refused("%s still grows at the end of the run", vd_series_table[x->channel].name);
  *end = i;
  vd_metric_refine_peak(x, best, t, height);
  return vd_metric_known(0.0);
}

/* Finds the peaks of both half periods of a channel from sample `from` on; `sign` is the side of the first half
 * period. */
static half_periods study(const vd_recorder *r, enum vd_series_channel channel, double sign, size_t from) {
  half_periods out;
  vd_series x = vd_series_of(r, channel);
  double level = small * vd_metric_largest_magnitude(&x);
  x.sign = sign;
  for (int k = 0; k < PEAKS; k++) {
    double t = NAN, height = NAN;
    vd_result found = k && !vd_metric_good(&out.t[0])
                          ? out.t[0]
                          : top(&x, from, vd_max(level, vd_series_table[channel].floor), &from, &t, &height);
    out.t[k] = vd_metric_of(found, t);
    out.height[k] = vd_metric_of(found, height);
    x.sign = -x.sign;
  }
  return out;
}

static half_periods none(vd_result why) {
  return (half_periods){{why, why}, {why, why}};
}

/* clang-format off */
#define RESPONSE(name, suffix, unit) \
  {"sine_" name "_lag_1_s", "s", \
   "lag of the first peak of the response behind the first peak of the steering wheel; ISO 7401"}, \
  {"sine_" name "_lag_2_s", "s", \
   "lag of the second peak of the response behind the second peak of the steering wheel; ISO 7401"}, \
  {"sine_" name "_gain_1_" suffix "_per_rad", unit, \
   "first peak of the response divided by the first peak of the steering wheel; after ISO 7401"}, \
  {"sine_" name "_gain_2_" suffix "_per_rad", unit, \
   "second peak of the response divided by the second peak of the steering wheel; after ISO 7401"}

static const vd_metric_info metrics[] = {
  {"sine_speed_mps", "m/s", "vx when the steering wheel reaches 5 % of its largest angle"},
  {"sine_wheel_peak_1_rad", "rad", "size of the steering wheel's first peak"},
  {"sine_wheel_peak_2_rad", "rad", "size of the steering wheel's second peak, to the other side"},
  {"sine_ay_peak_1_mps2", "m/s2", "size of the first peak of ay"},
  {"sine_ay_peak_2_mps2", "m/s2", "size of the second peak of ay, to the other side"},
  {"sine_frequency_Hz", "Hz", "frequency of the steering wheel: half of the inverse of the time from its first to its "
    "second peak"},
  RESPONSE("yaw_rate", "radps", "1/s"),
  RESPONSE("ay", "mps2", "m/(s2 rad)"),
};
/* clang-format on */

static void set_response(const half_periods *input, const half_periods *output, const char *name, const char *unit,
                         vd_metrics *out) {
  for (int k = 0; k < PEAKS; k++) {
    vd_set_metric_named(out, vd_metric_subtract(output->t[k], input->t[k]), "sine_%s_lag_%d_s", name, k + 1);
    vd_set_metric_named(out, vd_metric_divide(output->height[k], input->height[k]), "sine_%s_gain_%d_%s_per_rad", name,
                        k + 1, unit);
  }
}

static void compute(const vd_recorder *r, vd_metrics *out) {
  vd_result checked =
                VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_WHEEL, VD_SERIES_VX, VD_SERIES_YAW_RATE, VD_SERIES_AY),
            speed = checked;
  half_periods wheel = none(checked), yaw = none(checked), ay = none(checked);
  if (vd_metric_good(&checked)) {
    vd_series x = vd_series_of(r, VD_SERIES_WHEEL);
    double level = small * vd_metric_largest_magnitude(&x);
    size_t i = vd_metric_onset(&x, vd_max(level, vd_series_table[VD_SERIES_WHEEL].floor));
    if (i == r->count) {
      wheel = yaw = ay = none(vd_metric_refused("the steering wheel does not move"));
      speed = wheel.t[0];
    } else {
      wheel = study(r, VD_SERIES_WHEEL, x.sign, 0);
      yaw = study(r, VD_SERIES_YAW_RATE, x.sign, 0);
      ay = study(r, VD_SERIES_AY, x.sign, 0);
      speed = vd_metric_known(r->sample[i].vx);
    }
  }
  vd_set_metric(out, "sine_speed_mps", speed);
  vd_set_metric(out, "sine_wheel_peak_1_rad", wheel.height[0]);
  vd_set_metric(out, "sine_wheel_peak_2_rad", wheel.height[1]);
  vd_set_metric(out, "sine_ay_peak_1_mps2", ay.height[0]);
  vd_set_metric(out, "sine_ay_peak_2_mps2", ay.height[1]);
  vd_set_metric(out, "sine_frequency_Hz",
                vd_metric_divide(vd_metric_known(0.5), vd_metric_subtract(wheel.t[1], wheel.t[0])));
  set_response(&wheel, &yaw, "yaw_rate", "radps", out);
  set_response(&wheel, &ay, "ay", "mps2", out);
}

const vd_metric_set vd_metrics_sine_steer = {VD_METRIC_SET(sine_steer, metrics, compute),
                                             .title = "one period of a sine at the steering wheel",
                                             .standard = "ISO 7401"};
