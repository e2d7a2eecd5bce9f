/* Results, which are a value or a reason, and quantities of a series. */
#include "metrics/metrics_impl.h"

#include "base/elementary.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double steady_spread = 0.02; /* greatest spread within the window, as a share of the mean */
static const double steady_slope = 0.05;  /* 1/s, greatest slope, as a share of the mean */

vd_result vd_metric_refused(const char *format, ...) {
  vd_result out = {.value = NAN};
  va_list args;
  va_start(args, format);
  vsnprintf(out.reason, sizeof out.reason, format, args);
  va_end(args);
  return out;
}

void vd_set_metric(vd_metrics *out, const char *name, vd_result r) {
  const vd_metric *found = vd_metric_called(out, name);
  assert(found);
  vd_metric *m = &out->metric[found - out->metric];
  m->value = r.value;
  memcpy(m->reason, r.reason, sizeof m->reason);
}

void vd_set_metric_named(vd_metrics *out, vd_result r, const char *format, ...) {
  char name[64];
  va_list args;
  va_start(args, format);
  vsnprintf(name, sizeof name, format, args);
  va_end(args);
  vd_set_metric(out, name, r);
}

vd_result vd_metric_known(double value) {
  /* adding 0.0 avoids negative zeros */
  return isfinite(value) ? (vd_result){.value = value + 0.0} : vd_metric_refused("not a finite number");
}

bool vd_metric_good(const vd_result *r) {
  return !*r->reason;
}

vd_result vd_metric_of(vd_result possible, double value) {
  return vd_metric_good(&possible) ? vd_metric_known(value) : possible;
}

vd_result vd_metric_both(vd_result a, vd_result b) {
  return vd_metric_good(&a) ? b : a;
}

vd_result vd_metric_subtract(vd_result a, vd_result b) {
  return vd_metric_of(vd_metric_both(a, b), a.value - b.value);
}

vd_result vd_metric_divide(vd_result a, vd_result b) {
  vd_result both = vd_metric_both(a, b);
  if (!vd_metric_good(&both))
    return both;
  return b.value != 0.0 ? vd_metric_known(a.value / b.value) : vd_metric_refused("the divisor is zero");
}

#define OF_SAMPLE(id, name, member, floor) [VD_SERIES_##id] = {name, offsetof(vd_sample, member), floor},
#define OF_WHEEL(wheel, name, words, channel, quantity, member)                                                        \
  [channel + wheel] = {quantity ", " words, offsetof(vd_ride_sample, member[wheel]), 0.0},

/* clang-format off */
const vd_series_info vd_series_table[] = {
  VD_SAMPLE_SERIES(OF_SAMPLE)
  [VD_SERIES_AZ] = {"az", offsetof(vd_ride_sample, az), 1e-6},
  VD_EACH_WHEEL(OF_WHEEL, VD_SERIES_LOAD, "wheel load", load)
  VD_EACH_WHEEL(OF_WHEEL, VD_SERIES_TRAVEL, "suspension travel", travel)
  VD_EACH_WHEEL(OF_WHEEL, VD_SERIES_DEFLECTION, "tyre deflection", deflection)
};
/* clang-format on */

vd_series vd_series_of(const vd_recorder *r, enum vd_series_channel channel) {
  return (vd_series){.sample = r->sample, .ride = r->ride, .count = r->count, .channel = channel, .sign = 1.0};
}

vd_result vd_metric_usable(const vd_recorder *r, const enum vd_series_channel *channel, size_t count) {
  if (r->count < 2)
    return vd_metric_refused("no samples were kept");
  for (size_t k = 0; k < count; k++) {
    if (channel[k] >= VD_SERIES_AZ && !r->ride)
      return vd_metric_refused("no samples of the ride were kept");
    vd_series x = vd_series_of(r, channel[k]);
    for (size_t i = 0; i < r->count; i++)
      if (!isfinite(vd_series_at(&x, i)))
        return vd_metric_refused("%s is not a finite number at t = %.9g s", vd_series_table[channel[k]].name,
                                 r->sample[i].t);
  }
  return vd_metric_known(0.0);
}

size_t vd_metric_rises_through(const vd_series *x, size_t from, double level) {
  for (size_t i = from ? from : 1; i < x->count; i++)
    if (vd_series_at(x, i - 1) < level && vd_series_at(x, i) >= level)
      return i;
  return 0;
}

size_t vd_metric_onset(vd_series *x, double level) {
  size_t i = 0;
  while (i < x->count && !(fabs(vd_series_at(x, i)) > level))
    i++;
  if (i < x->count)
    x->sign *= copysign(1.0, vd_series_at(x, i));
  return i;
}

double vd_metric_share(const vd_series *x, size_t i, double level) {
  double low = vd_series_at(x, i - 1), high = vd_series_at(x, i);
  return low < level && level < high ? (level - low) / (high - low) : level <= low ? 0.0 : 1.0;
}

double vd_metric_between(const vd_series *x, size_t i, double part) {
  return part < 1.0 ? vd_series_at(x, i - 1) + part * (vd_series_at(x, i) - vd_series_at(x, i - 1))
                    : vd_series_at(x, i);
}

/* Returns the change over the interval that ends at sample i, divided by the change that the rate of the interval that
 * ends at `other` would give; at most 1, and NAN for a jump. */
static double moving_share(const vd_series *x, size_t i, size_t other) {
  /* rounding errors and sines up to 30 Hz give smaller shares, a jump gives greater ones */
  static const double max_rise = 1.05;
  const vd_sample *s = x->sample;
  double change = vd_series_at(x, i) - vd_series_at(x, i - 1),
         even = vd_series_at(x, other) - vd_series_at(x, other - 1);
  double share = change * (s[other].t - s[other - 1].t) / (even * (s[i].t - s[i - 1].t));
  return share > 0.0 && share <= max_rise ? vd_min(share, 1.0) : NAN;
}

double vd_metric_leaves_rest(const vd_series *x, size_t i) {
  double share = i > 0 && i + 1 < x->count ? moving_share(x, i, i + 1) : NAN;
  return isnan(share) ? 1.0 : 1.0 - share;
}

double vd_metric_comes_to_rest(const vd_series *x, size_t i) {
  double share = i > 1 ? moving_share(x, i, i - 1) : NAN;
  return isnan(share) ? 1.0 : share;
}

/* Returns the second divided difference about sample i: half the curvature. */
static double curvature(const vd_series *x, size_t i) {
  const vd_sample *s = x->sample;
  double before = (vd_series_at(x, i) - vd_series_at(x, i - 1)) / (s[i].t - s[i - 1].t);
  double after = (vd_series_at(x, i + 1) - vd_series_at(x, i)) / (s[i + 1].t - s[i].t);
  return (after - before) / (s[i + 1].t - s[i - 1].t);
}

void vd_metric_refine_peak(const vd_series *x, size_t i, double *t, double *height) {
  *t = x->sample[i].t;
  *height = vd_series_at(x, i);
  if (i < 2 || i + 2 >= x->count)
    return;
  double bend = curvature(x, i);
  double around = vd_min(fabs(curvature(x, i - 1)), fabs(curvature(x, i + 1)));
  if (!(bend < 0.0 && fabs(bend) <= 2.0 * around))
    return;
  double before = *t - x->sample[i - 1].t;
  double slope = (*height - vd_series_at(x, i - 1)) / before + bend * before;
  *t -= slope / (2.0 * bend);
  *height -= slope * slope / (4.0 * bend);
}

vd_result vd_metric_steady_until(const vd_recorder *r, enum vd_series_channel channel, double window, double end) {
  vd_series x = vd_series_of(r, channel);
  vd_result checked = VD_METRIC_USABLE(r, channel);
  if (!vd_metric_good(&checked))
    return checked;
  double start = end - window * (1.0 + 1e-9);
  if (!(window > 0.0 && start >= r->first.t - 2e-9 * window))
    return vd_metric_refused("the run of %.4g s is too short for a steady window of %.4g s", end - r->first.t, window);
  size_t begin = r->count, after = r->count;
  while (after > 0 && r->sample[after - 1].t > end)
    after--;
  double sum = 0.0, middle = 0.0, lowest = INFINITY, highest = -INFINITY;
  for (begin = after; begin > 0 && r->sample[begin - 1].t >= start; begin--) {
    double value = vd_series_at(&x, begin - 1);
    sum += value;
    middle += r->sample[begin - 1].t - end;
    lowest = vd_min(lowest, value);
    highest = vd_max(highest, value);
  }
  double n = (double)(after - begin), mean = sum / n, xx = 0.0, xy = 0.0;
  if (n < 3.0)
    return vd_metric_refused("fewer than three samples in the steady window of %.4g s", window);
  for (size_t i = begin; i < after; i++) { /* the slope of the straight line by least squares is xy/xx */
    const double off = r->sample[i].t - end - middle / n;
    xx += off * off;
    xy += off * (vd_series_at(&x, i) - mean);
  }
  double size = fabs(mean), floor = vd_series_table[channel].floor, slope = xy / xx;
  if (!(highest - lowest <= steady_spread * size + floor))
    return vd_metric_refused("%s is not steady: it goes from %.4g to %.4g within the %s %.4g s",
                             vd_series_table[channel].name, lowest, highest,
                             after == r->count ? "last" : "steady window's", window);
  if (!(fabs(slope) <= steady_slope * size + floor))
    return vd_metric_refused("%s is not steady: it changes by %.3g per s about %.4g", vd_series_table[channel].name,
                             slope, mean);
  return vd_metric_known(mean);
}

vd_result vd_metric_steady_value(const vd_recorder *r, enum vd_series_channel channel, double window) {
  return vd_metric_steady_until(r, channel, window, vd_recorder_last(r)->t);
}

vd_result vd_metric_after(const vd_recorder *r, vd_result possible, double start, double span, const char *what) {
  double t = start + span;
  if (vd_metric_good(&possible) && !(t <= vd_recorder_last(r)->t + 1e-9))
    return vd_metric_refused("the run ends before %.3g s after %s", span, what);
  return vd_metric_of(possible, vd_min(t, vd_recorder_last(r)->t));
}

double vd_metric_rate(const vd_recorder *r) {
  return (double)(r->count - 1) / (vd_recorder_last(r)->t - r->first.t);
}

size_t vd_metric_index(const vd_recorder *r, double t) {
  size_t low = 0, high = r->count - 1; /* the sample is one of low to high */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (r->sample[middle].t >= t)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

double vd_metric_value(const vd_recorder *r, enum vd_series_channel channel, double t) {
  vd_series x = vd_series_of(r, channel), time = vd_series_of(r, VD_SERIES_TIME);
  size_t i = vd_metric_index(r, t);
  return i ? vd_metric_between(&x, i, vd_metric_share(&time, i, t)) : vd_series_at(&x, 0);
}

bool vd_metric_quasi_steady(const vd_series *x, size_t i, size_t reach, double max_rise) {
  enum { PLACES = 5 };
  bool steady = i >= reach && i + reach < x->count;
  for (size_t k = 1; steady && k <= PLACES; k++) {
    size_t off = (reach * k + PLACES - 1) / PLACES;
    steady &= fabs(vd_series_at(x, i + off) - vd_series_at(x, i)) <= max_rise &&
              fabs(vd_series_at(x, i - off) - vd_series_at(x, i)) <= max_rise;
  }
  return steady;
}

size_t vd_metric_reach(const vd_recorder *r, double time) {
  return (size_t)vd_max(1.0, round(time * (double)(r->count - 1) / (vd_recorder_last(r)->t - r->first.t)));
}

/* Adds a point by Welford's algorithm: sums of products of deviations from the running means. */
void vd_line_add(vd_fitted_line *line, double x, double y) {
  double dx = x - line->x;
  line->least = line->n > 0.0 ? vd_min(line->least, x) : x;
  line->highest = line->n > 0.0 ? vd_max(line->highest, x) : x;
  line->n += 1.0;
  line->x += dx / line->n;
  line->y += (y - line->y) / line->n;
  line->xx += dx * (x - line->x);
  line->xy += dx * (y - line->y);
}

vd_result vd_metric_scaled(vd_result r, double factor) {
  return vd_metric_of(r, factor * r.value);
}

double vd_metric_root_mean_square(const vd_series *x, double level) {
  double sum = 0.0;
  for (size_t i = 1; i < x->count; i++) {
    double a = vd_series_at(x, i - 1) - level, b = vd_series_at(x, i) - level;
    sum += (x->sample[i].t - x->sample[i - 1].t) * (a * a + a * b + b * b) / 3.0;
  }
  return sqrt(sum / (x->sample[x->count - 1].t - x->sample[0].t));
}

double vd_metric_largest_magnitude(const vd_series *x) {
  double value = 0.0;
  for (size_t i = 0; i < x->count; i++)
    value = vd_max(value, fabs(vd_series_at(x, i)));
  return value;
}

vd_result vd_metric_from_level(const vd_recorder *r, enum vd_level least, const char *what) {
  return r->rows && r->level < least ? vd_metric_refused("this level has no %s", what) : vd_metric_known(0.0);
}

vd_result vd_metric_checked(const vd_recorder *r, vd_result possible, enum vd_series_channel channel) {
  return vd_metric_both(possible, VD_METRIC_USABLE(r, VD_SERIES_TIME, channel));
}

vd_result vd_metric_peak(const vd_recorder *r, vd_result possible, enum vd_series_channel channel) {
  vd_series x = vd_series_of(r, channel);
  vd_result checked = vd_metric_checked(r, possible, channel);
  return vd_metric_good(&checked) ? vd_metric_known(vd_metric_largest_magnitude(&x)) : checked;
}

double vd_metric_largest(const vd_series *x, size_t from, size_t to) {
  double value = -INFINITY;
  for (size_t i = from; i <= to && i < x->count; i++)
    value = vd_max(value, vd_series_at(x, i));
  return value;
}

vd_mark vd_metric_mark(const vd_recorder *r, size_t i, double part) {
  vd_series t = vd_series_of(r, VD_SERIES_TIME), distance = vd_series_of(r, VD_SERIES_DISTANCE);
  return (vd_mark){vd_metric_between(&t, i, part), vd_metric_between(&distance, i, part)};
}
