/* Ride metrics: effects of the road on passengers and wheels. */
#include "base/elementary.h"
#include "base/memory.h"
#include "metrics/metrics_impl.h"
#include "math/weighting.h"

#include <math.h>
#include <stdlib.h>

static const double wd_factor = 1.0, wk_factor = 1.0; /* factors of the axes for comfort, ISO 2631-1 8.2.2.1 */

static double mean_value(const vd_series *x) {
  double sum = 0.0;
  for (size_t i = 1; i < x->count; i++)
    sum += 0.5 * (x->sample[i].t - x->sample[i - 1].t) * (vd_series_at(x, i - 1) + vd_series_at(x, i));
  return sum / (x->sample[x->count - 1].t - x->sample[0].t);
}

static vd_result rms(const vd_recorder *r, vd_result possible) {
  vd_series az = vd_series_of(r, VD_SERIES_AZ);
  vd_result checked = vd_metric_checked(r, possible, VD_SERIES_AZ);
  return vd_metric_good(&checked) ? vd_metric_known(vd_metric_root_mean_square(&az, 0.0)) : checked;
}

enum { ALONG, ACROSS, UP, AXES }; /* directions of the weighted accelerations */

/* Computes the weighted r.m.s. of the three accelerations. moves: the result for az if no reason is against it. */
static void weighted_rms(const vd_recorder *r, vd_result moves, vd_result *out) {
  static const enum vd_series_channel channels[] = {VD_SERIES_AX, VD_SERIES_AY, VD_SERIES_AZ};
  static const enum vd_weighting_kind kinds[] = {VD_WD, VD_WD, VD_WK};
  const size_t from = r->options->from_rest ? 0 : (size_t)ceil(vd_weighting_settle * vd_metric_rate(r) * (1.0 - 1e-9));
  double *values = NULL;
  vd_weighted signal[AXES];
  size_t signals = 0;
  for (int j = 0; j < AXES; j++) {
    out[j] = vd_metric_checked(r, j == UP ? moves : vd_metric_known(0.0), channels[j]);
    if (!vd_metric_good(&out[j]))
      continue;
    if (from + 2 > r->count) {
      out[j] = vd_metric_refused("a run of %.3g s is too short: the weighting settles in %.3g s; with from_rest: true "
                                 "the whole run is used",
                                 vd_recorder_last(r)->t - r->first.t, vd_weighting_settle);
      continue;
    }
    values = values ? values : vd_reallocate(NULL, AXES * r->count, sizeof *values);
    const vd_series x = vd_series_of(r, channels[j]);
    signal[signals] = (vd_weighted){kinds[j], values + signals * r->count};
    for (size_t i = 0; i < r->count; i++)
      signal[signals].x[i] = vd_series_at(&x, i);
    signals++;
  }
  vd_weighting_apply(signal, signals, r->count, vd_metric_rate(r));
  signals = 0;
  for (int j = 0; j < AXES; j++) {
    double sum = 0.0;
    if (!vd_metric_good(&out[j]))
      continue;
    const double *a = signal[signals++].x;
    for (size_t i = from + 1; i < r->count; i++)
      sum += 0.5 * (a[i - 1] * a[i - 1] + a[i] * a[i]);
    out[j] = vd_metric_known(sqrt(sum / (double)(r->count - 1 - from)));
  }
  free(values);
}

static vd_result total_value(vd_result x, vd_result y, vd_result z) {
  return vd_metric_of(vd_metric_both(z, vd_metric_both(x, y)),
                      sqrt(wd_factor * wd_factor * (x.value * x.value + y.value * y.value) +
                           wk_factor * wk_factor * z.value * z.value));
}

/* Returns the dynamic load coefficient of a wheel's loads. */
static vd_result load_coefficient(const vd_series *x) {
  double mean = mean_value(x);
  return mean > 0.0 ? vd_metric_known(vd_metric_root_mean_square(x, mean) / mean)
                    : vd_metric_refused("the wheel has no load");
}

/* Returns the sum of the intervals without load, s. Each interval lasts from its first step to the next step with
 * load. */
static double lift_time(const vd_series *x) {
  double time = 0.0;
  for (size_t i = 1; i < x->count; i++)
    if (!(vd_series_at(x, i - 1) > 0.0))
      time += x->sample[i].t - x->sample[i - 1].t;
  return time;
}

static void set_travel(const vd_recorder *r, enum vd_axle axle, const char *name, vd_metrics *out) {
  enum vd_series_channel left = (enum vd_series_channel)(VD_SERIES_TRAVEL + vd_left_wheel(axle)),
                         right = (enum vd_series_channel)(VD_SERIES_TRAVEL + vd_right_wheel(axle));
  vd_series x[] = {vd_series_of(r, left), vd_series_of(r, right)};
  vd_result checked = vd_metric_checked(r, vd_metric_from_level(r, VD_L3, "vertical motion"), left);
  checked = vd_metric_both(checked, VD_METRIC_USABLE(r, right));
  bool good = vd_metric_good(&checked);
  double least = INFINITY, greatest = -INFINITY, square = 0.0;
  for (size_t side = 0; good && side < VD_COUNT(x); side++) {
    double spread = vd_metric_root_mean_square(&x[side], mean_value(&x[side]));
    square += 0.5 * spread * spread;
    for (size_t i = 0; i < r->count; i++) {
      least = vd_min(least, vd_series_at(&x[side], i));
      greatest = vd_max(greatest, vd_series_at(&x[side], i));
    }
  }
  vd_set_metric_named(out, vd_metric_of(checked, least), "travel_%s_min_m", name);
  vd_set_metric_named(out, vd_metric_of(checked, greatest), "travel_%s_max_m", name);
  vd_set_metric_named(out, vd_metric_of(checked, sqrt(square)), "travel_%s_rms_m", name);
}

static vd_result worst_of(const vd_result *r, size_t count) {
  vd_result worst = r[0];
  for (size_t i = 1; i < count; i++)
    if (vd_metric_good(&worst) && (!vd_metric_good(&r[i]) || r[i].value > worst.value))
      worst = r[i];
  return worst;
}

#define OF_WHEEL(wheel, name, words, quantity, suffix, unit, help) {quantity name suffix, unit, help},

/* clang-format off */
static const vd_metric_info metrics[] = {
  {"az_rms_mps2", "m/s2", "root of the mean over time of az^2, az of the centre of gravity"},
  {"az_peak_mps2", "m/s2", "largest |az|"},
  {"az_weighted_mps2", "m/s2", "r.m.s. of az with the weighting Wk of ISO 2631-1, at the centre of gravity"},
  {"ax_weighted_mps2", "m/s2", "r.m.s. of ax with the weighting Wd of ISO 2631-1, at the centre of gravity"},
  {"ay_weighted_mps2", "m/s2", "r.m.s. of ay with the weighting Wd of ISO 2631-1, at the centre of gravity"},
  {"vibration_total_mps2", "m/s2",
   "vibration total value: root of the sum of squares of the three weighted values, factors 1 as for comfort; ISO "
   "2631-1 6.5, 8.2.2.1"},
  VD_EACH_WHEEL(OF_WHEEL, "load_coefficient_", "", "1",
   "dynamic load coefficient: standard deviation of the wheel load over time, divided by its mean")
  {"load_coefficient_worst", "1", "greatest dynamic load coefficient of a wheel"},
  VD_EACH_WHEEL(OF_WHEEL, "lift_time_", "_s", "s", "time in which the wheel carries no load")
  {"travel_front_min_m", "m", "least suspension travel of the axle's two wheels, bump > 0"},
  {"travel_front_max_m", "m", "greatest suspension travel of the axle's two wheels, bump > 0"},
  {"travel_front_rms_m", "m",
   "root of the mean over time and both wheels of the squared deviation of the travel from the wheel's own mean"},
  {"travel_rear_min_m", "m", "least suspension travel of the axle's two wheels, bump > 0"},
  {"travel_rear_max_m", "m", "greatest suspension travel of the axle's two wheels, bump > 0"},
  {"travel_rear_rms_m", "m",
   "root of the mean over time and both wheels of the squared deviation of the travel from the wheel's own mean"},
};
/* clang-format on */

static void compute(const vd_recorder *r, vd_metrics *out) {
  vd_result moves = vd_metric_from_level(r, VD_L3, "vertical motion"), load[VD_WHEELS], weighted[AXES];
  weighted_rms(r, moves, weighted);
  for (int i = 0; i < VD_WHEELS; i++) {
    const enum vd_series_channel channel = (enum vd_series_channel)(VD_SERIES_LOAD + i);
    const vd_series x = vd_series_of(r, channel);
    const vd_result checked = vd_metric_checked(r, vd_metric_from_level(r, VD_L1, "wheel loads"), channel);
    const bool good = vd_metric_good(&checked);
    load[i] = good ? load_coefficient(&x) : checked;
    vd_set_metric_named(out, load[i], "load_coefficient_%s", vd_wheel_names[i]);
    vd_set_metric_named(out, good ? vd_metric_known(lift_time(&x)) : checked, "lift_time_%s_s", vd_wheel_names[i]);
  }
  set_travel(r, VD_FRONT, vd_axle_names[VD_FRONT], out);
  set_travel(r, VD_REAR, vd_axle_names[VD_REAR], out);
  vd_set_metric(out, "az_rms_mps2", rms(r, moves));
  vd_set_metric(out, "az_peak_mps2", vd_metric_peak(r, moves, VD_SERIES_AZ));
  vd_set_metric(out, "az_weighted_mps2", weighted[UP]);
  vd_set_metric(out, "ax_weighted_mps2", weighted[ALONG]);
  vd_set_metric(out, "ay_weighted_mps2", weighted[ACROSS]);
  vd_set_metric(out, "vibration_total_mps2", total_value(weighted[ALONG], weighted[ACROSS], weighted[UP]));
  vd_set_metric(out, "load_coefficient_worst", worst_of(load, VD_COUNT(load)));
}

const vd_metric_set vd_metrics_ride = {VD_METRIC_SET(ride, metrics, compute),
                                       .title = "effects of the road on passengers and wheels",
                                       .standard = "ISO 2631-1", .needs = VD_NEEDS_WHEELS | VD_NEEDS_EVEN};
