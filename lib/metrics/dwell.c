/* Slowly increasing steer and sine with dwell, FMVSS 126 and UN R140. Secondary sources agree on the instants and
 * thresholds below, which were not compared with the text of the regulations. The limits of the regulations are not
 * checked; the user judges the results. */
#include "base/elementary.h"
#include "base/memory.h"
#include "math/butterworth.h"
#include "metrics/metrics_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double deg = VD_PI / 180.0;
/* slowly increasing steer */
static const double fit_from = 0.1, fit_to = 0.375, unit_at = 0.3; /* g */
/* beginning of steer: the steering wheel passes begin_angle after it has turned faster than begin_rate for begin_time;
 * offsets are means over zero_time before this instant */
static const double begin_angle = 5.0, begin_rate = 75.0; /* deg, deg/s */
static const double begin_time = 0.2, zero_time = 1.0;    /* s */
static const double displaced_after = 1.07;               /* s after the beginning of steer */
static const double decayed_after[] = {1.0, 1.75};        /* s after the completion of steer */

/* filters without phase shift: each is applied forward in time, then backward */
static const double wheel_cutoff = 10.0, motion_cutoff = 6.0; /* Hz */
enum { POLES = 12 };
/* s: in this time the response of the slowest root of the filters, 6 Hz at 75 deg, falls by the factor exp(-2 pi 6
 * cos(75 deg) 1.2) = 8e-6 */
static const double settle = 1.2;

static void filter(vd_recorder *r, size_t member, double cutoff) {
  double *x = vd_reallocate(NULL, r->count, sizeof *x);
  for (size_t i = 0; i < r->count; i++)
    memcpy(&x[i], (const char *)&r->sample[i] + member, sizeof x[i]);
  vd_butterworth(x, r->count, vd_metric_rate(r), cutoff, POLES);
  for (size_t i = 0; i < r->count; i++)
    memcpy((char *)&r->sample[i] + member, &x[i], sizeof x[i]);
  free(x);
}

/* Returns a copy of the run with filtered steering wheel angle, yaw rate and ay. The caller frees its samples. */
static vd_recorder filtered(const vd_recorder *r) {
  vd_recorder out = *r;
  out.sample = vd_reallocate(NULL, r->count, sizeof *out.sample);
  memcpy(out.sample, r->sample, r->count * sizeof *out.sample);
  filter(&out, offsetof(vd_sample, steering_wheel), wheel_cutoff);
  filter(&out, offsetof(vd_sample, yaw_rate), motion_cutoff);
  filter(&out, offsetof(vd_sample, ay), motion_cutoff);
  return out;
}

typedef void measure(const vd_recorder *r, vd_metrics *out);

/* Measures the run, after filtering if filters are requested and the sampling rate is high enough. */
static void measure_filtered(measure *of, const vd_recorder *r, vd_metrics *out) {
  vd_result checked = VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_WHEEL, VD_SERIES_YAW_RATE, VD_SERIES_AY);
  double rate = vd_metric_good(&checked) ? vd_metric_rate(r) : 0.0;
  if (!r->options->filtered || !(rate > 4.0 * wheel_cutoff)) {
    of(r, out);
    return;
  }
  vd_recorder smooth = filtered(r);
  of(&smooth, out);
  free(smooth.sample);
}

/* ---- slowly increasing steer ---- */

static const vd_metric_info slowly_increasing[] = {
    {"sis_angle_rad", "rad",
     "A: steering wheel angle at 0.3 g on the straight line through |ay| as a function of |steering wheel "
     "angle| from 0.1 to 0.375 g; FMVSS 126"},
    {"sis_gain_mps2_per_rad", "m/(s2 rad)", "slope of the line of sis_angle_rad"},
    {"sis_rate_radps", "rad/s", "mean rate of the steering wheel from 0.1 to 0.375 g"},
    {"sis_speed_mps", "m/s", "mean vx from 0.1 to 0.375 g"},
};

static void measure_slowly(const vd_recorder *r, vd_metrics *out) {
  vd_result checked = VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_WHEEL, VD_SERIES_AY, VD_SERIES_VX);
  vd_fitted_line ay = {0}, time = {0}, speed = {0};
  for (size_t i = 0; vd_metric_good(&checked) && i < r->count; i++) {
    const vd_sample *p = &r->sample[i];
    double g = fabs(p->ay) / VD_GRAVITY;
    if (g > fit_to)
      break;
    if (g >= fit_from) {
      vd_line_add(&ay, fabs(p->steering_wheel), g);
      vd_line_add(&time, p->t, fabs(p->steering_wheel));
      vd_line_add(&speed, p->t, p->vx);
    }
  }
  vd_result most = vd_metric_peak(r, checked, VD_SERIES_AY);
  if (vd_metric_good(&checked) && !(most.value > fit_to * VD_GRAVITY))
    checked = vd_metric_refused("ay never reaches %.3g g", fit_to);
  else if (vd_metric_good(&checked) && !(ay.n > 2.0 && ay.xx > 0.0 && ay.xy > 0.0))
    checked = vd_metric_refused("ay does not rise with the steering wheel from %.3g to %.3g g", fit_from, fit_to);
  vd_set_metric(out, "sis_angle_rad", vd_metric_of(checked, ay.x + (unit_at - ay.y) / vd_line_slope(&ay)));
  vd_set_metric(out, "sis_gain_mps2_per_rad", vd_metric_of(checked, VD_GRAVITY * vd_line_slope(&ay)));
  vd_set_metric(out, "sis_rate_radps", vd_metric_of(checked, vd_line_slope(&time)));
  vd_set_metric(out, "sis_speed_mps", vd_metric_of(checked, speed.y));
}

/* ---- sine with dwell ---- */

typedef struct dwell_study {
  const vd_recorder *r;
  double side;                          /* sign of the steering in the first half period */
  double zero_wheel, zero_yaw, zero_ay; /* offsets */
  double begin, end;                    /* s: beginning and completion of steer */
  double amplitude;                     /* rad */
  /* rad/s, > 0: first peak of the yaw rate to the other side; s: time of this peak */
  double peak, peak_time;
} dwell_study;

/* Finds the first sample from which the steering wheel turns faster than begin_rate to one side for begin_time. */
static bool find_turning(const vd_recorder *r, size_t *start, double *side) {
  size_t run = 0;
  double before = 0.0;
  for (size_t i = 1; i < r->count; i++) {
    double dt = r->sample[i].t - r->sample[i - 1].t;
    double rate = (r->sample[i].steering_wheel - r->sample[i - 1].steering_wheel) / dt;
    bool fast = fabs(rate) > begin_rate * deg;
    run = fast ? run && rate * before > 0.0 ? run + 1 : 1 : 0;
    before = rate;
    if (run && r->sample[i].t - r->sample[i - run].t >= begin_time - 1e-9) {
      *start = i - run;
      *side = copysign(1.0, rate);
      return true;
    }
  }
  return false;
}

/* Returns the mean over zero_time before sample `end`. The time in which the filters settle at the start of the run is
 * left out, if the run is long enough. */
static double mean_before(const vd_recorder *r, enum vd_series_channel channel, size_t end) {
  vd_series x = vd_series_of(r, channel);
  double sum = 0.0, n = 0.0, from = r->sample[end].t - zero_time, settled = r->first.t + settle;
  if (r->options->filtered && settled < r->sample[end].t)
    from = vd_max(from, settled);
  for (size_t i = end + 1; i > 0 && r->sample[i - 1].t >= from - 1e-9; i--) {
    sum += vd_series_at(&x, i - 1);
    n += 1.0;
  }
  return sum / n;
}

/* Returns the steering wheel angle without its offset, positive in the first half period. */
static double wheel(const dwell_study *s, size_t i) {
  return s->side * (s->r->sample[i].steering_wheel - s->zero_wheel);
}

/* Returns the instant before sample i at which wheel() passes a level, s. */
static double passing(const dwell_study *s, size_t i, double level) {
  double a = wheel(s, i - 1), b = wheel(s, i), t = s->r->sample[i - 1].t;
  return t + (b != a ? (level - a) / (b - a) : 1.0) * (s->r->sample[i].t - t);
}

static vd_result find_steer(dwell_study *s, size_t start, size_t *change) {
  const vd_recorder *r = s->r;
  const double floor = vd_series_table[VD_SERIES_WHEEL].floor;
  size_t i = start;
  /* a rounding error of the mean must not make a steering wheel at rest count as turned */
  while (i > 0 && wheel(s, i) > floor)
    i--;
  while (i < r->count && !(wheel(s, i) >= begin_angle * deg))
    i++;
  if (i == r->count || i == 0)
    return vd_metric_refused("the steering wheel does not pass %.3g degrees", begin_angle);
  s->begin = passing(s, i, begin_angle * deg);
  while (i < r->count && !(wheel(s, i) < 0.0))
    i++;
  if (i == r->count)
    return vd_metric_refused("the steering wheel does not change to the other side");
  *change = i;
  size_t lowest = i;
  for (; i < r->count; i++)
    if (wheel(s, i) < wheel(s, lowest))
      lowest = i;
  for (i = lowest; i < r->count && !(wheel(s, i) >= -floor); i++)
    ;
  if (i == r->count)
    return vd_metric_refused("the steering wheel does not return to zero");
  s->end = passing(s, i, -floor);
  s->amplitude = vd_max(-wheel(s, lowest), 0.0);
  for (size_t k = start; k < *change; k++)
    s->amplitude = vd_max(s->amplitude, wheel(s, k));
  return vd_metric_known(0.0);
}

/* Finds the first local peak of the yaw rate to the other side, after the steering wheel has changed to the other
 * side. */
static vd_result find_peak(dwell_study *s, size_t change) {
  vd_series x = vd_series_of(s->r, VD_SERIES_YAW_RATE);
  x.sign = -s->side;
  double zero = -s->side * s->zero_yaw;
  for (size_t i = change; i + 1 < x.count; i++)
    if (vd_series_at(&x, i) > zero && vd_series_at(&x, i) > vd_series_at(&x, i - 1) &&
        vd_series_at(&x, i) >= vd_series_at(&x, i + 1)) {
      vd_metric_refine_peak(&x, i, &s->peak_time, &s->peak);
      s->peak -= zero;
      return vd_metric_known(s->peak);
    }
  return vd_metric_refused("the yaw rate has no peak after the steering wheel has changed to the other side");
}

static vd_result decayed(const dwell_study *s, vd_result found, double span) {
  vd_result at = vd_metric_after(s->r, found, s->end, span, "the completion of steer");
  if (!vd_metric_good(&at))
    return at;
  return vd_metric_known(fabs(vd_metric_value(s->r, VD_SERIES_YAW_RATE, at.value) - s->zero_yaw) / s->peak);
}

/* Integrates ay without its offset, linear between the samples, twice from the beginning of steer. Over a step h, in
 * which ay changes from a to b, the velocity v and the displacement y grow by
 *   v += h (a + b)/2,   y += h v + h^2 (2 a + b)/6 */
static vd_result displaced(const dwell_study *s, vd_result studied) {
  vd_result end = vd_metric_after(s->r, studied, s->begin, displaced_after, "the beginning of steer");
  if (!vd_metric_good(&end))
    return end;
  double to = end.value, t = s->begin, v = 0.0, y = 0.0;
  double a = vd_metric_value(s->r, VD_SERIES_AY, t) - s->zero_ay;
  for (size_t i = vd_metric_index(s->r, t); t < to && i < s->r->count; i++) {
    double next = vd_min(s->r->sample[i].t, to), h = next - t;
    double b = vd_metric_value(s->r, VD_SERIES_AY, next) - s->zero_ay;
    y += h * v + h * h * (2.0 * a + b) / 6.0;
    v += 0.5 * h * (a + b);
    t = next;
    a = b;
  }
  return vd_metric_known(s->side * y);
}

/* --- quantities that ISO 19365 compares; the text of the standard was not read --- */

/* The part of a motion on one side, until it changes to the other side. */
typedef struct wave {
  size_t end;        /* the first sample on the other side; the number of samples if there is none */
  double zero;       /* s: instant of the change to the other side; NAN: none */
  double peak, time; /* largest value without the offset; s: time of this value */
  bool found;
} wave;

static wave wave_of(const dwell_study *s, enum vd_series_channel channel, double offset, double side, size_t from) {
  vd_series x = vd_series_of(s->r, channel), t = vd_series_of(s->r, VD_SERIES_TIME);
  double zero = side * offset;
  size_t i = from, highest;
  wave w = {.zero = NAN};
  x.sign = side;
  while (i < x.count && !(vd_series_at(&x, i) > zero))
    i++;
  highest = i;
  for (; i < x.count && vd_series_at(&x, i) > zero; i++)
    if (vd_series_at(&x, i) > vd_series_at(&x, highest))
      highest = i;
  w.end = i;
  w.found = highest > 0 && highest < x.count;
  if (!w.found)
    return w;
  vd_metric_refine_peak(&x, highest, &w.time, &w.peak);
  w.peak -= zero;
  if (i < x.count) {
    double before = vd_series_at(&x, i - 1) - zero, after = vd_series_at(&x, i) - zero;
    w.zero = vd_metric_between(&t, i, before / (before - after));
  }
  return w;
}

/* A motion, with the parts of the names of its metrics. */
typedef struct measured {
  enum vd_series_channel channel;
  const char *name, *unit;
} measured;

static const measured yaws = {VD_SERIES_YAW_RATE, "yaw_rate", "radps"}, sways = {VD_SERIES_AY, "ay", "mps2"},
                      leans = {VD_SERIES_ROLL, "roll", "rad"};

static void set_waves(const dwell_study *s, vd_result valid, const measured *what, double offset, vd_metrics *out) {
  enum vd_series_channel channel = what->channel;
  const char *none = "%s has no peak to the %s side";
  wave one = {0}, two = {0};
  if (vd_metric_good(&valid)) {
    one = wave_of(s, channel, offset, s->side, vd_metric_index(s->r, s->begin));
    if (one.found && one.end < s->r->count)
      two = wave_of(s, channel, offset, -s->side, one.end);
  }
  const vd_result early = !vd_metric_good(&valid) ? valid
                          : one.found             ? vd_metric_known(one.peak)
                                                  : vd_metric_refused(none, vd_series_table[channel].name, "first");
  const vd_result late = !vd_metric_good(&early) ? early
                         : two.found             ? vd_metric_known(two.peak)
                                                 : vd_metric_refused(none, vd_series_table[channel].name, "other");
  vd_set_metric_named(out, early, "swd_%s_peak_1_%s", what->name, what->unit);
  vd_set_metric_named(out, vd_metric_of(early, one.time - s->begin), "swd_%s_peak_1_time_s", what->name);
  vd_set_metric_named(out, vd_metric_of(late, one.zero - s->begin), "swd_%s_zero_time_s", what->name);
  vd_set_metric_named(out, late, "swd_%s_peak_2_%s", what->name, what->unit);
  vd_set_metric_named(out, vd_metric_of(late, two.time - s->begin), "swd_%s_peak_2_time_s", what->name);
}

#define WAVES(name, suffix, unit, what)                                                                                \
  {"swd_" name "_peak_1_" suffix, unit,                                                                                \
   "largest " what " to the first side, before the first change of sides; ISO 19365, not read"},                       \
      {"swd_" name "_peak_1_time_s", "s", "time of the peak to the first side after the beginning of steer"},          \
      {"swd_" name "_zero_time_s", "s", "time after the beginning of steer at which the " what " changes sides"},      \
      {"swd_" name "_peak_2_" suffix, unit, "largest " what " to the other side, before the second change of sides"},  \
  {                                                                                                                    \
    "swd_" name "_peak_2_time_s", "s", "time of the peak to the other side after the beginning of steer"               \
  }

static const vd_metric_info dwell[] = {
    {"swd_begin_s", "s",
     "beginning of steer: the steering wheel passes 5 deg, turning faster than 75 deg/s for 0.2 s; FMVSS 126"},
    {"swd_end_s", "s", "completion of steer: the steering wheel returns to zero after the dwell"},
    {"swd_speed_mps", "m/s", "vx at the beginning of steer"},
    {"swd_amplitude_rad", "rad", "largest |steering wheel angle|"},
    {"swd_amplitude_per_a", "1", "largest |steering wheel angle| in units of A, unit_angle"},
    {"swd_yaw_rate_peak_radps", "rad/s",
     "first local peak of the yaw rate after the steering wheel has changed to the other side; FMVSS 126"},
    {"swd_yaw_rate_peak_s", "s", "instant of the peak swd_yaw_rate_peak"},
    {"swd_yaw_ratio_100", "1",
     "|yaw rate| 1.00 s after the completion of steer, divided by swd_yaw_rate_peak; FMVSS 126, UN R140"},
    {"swd_yaw_ratio_175", "1",
     "|yaw rate| 1.75 s after the completion of steer, divided by swd_yaw_rate_peak; FMVSS 126, UN R140"},
    {"swd_displacement_m", "m",
     "ay of the centre of gravity integrated twice from the beginning of steer to 1.07 s later, to the first side; "
     "FMVSS 126, UN R140"},
    WAVES("yaw_rate", "radps", "rad/s", "yaw rate"),
    WAVES("ay", "mps2", "m/s2", "ay"),
    WAVES("roll", "rad", "rad", "roll of the body"),
};

static void measure_dwell(const vd_recorder *r, vd_metrics *out) {
  dwell_study s = {.r = r};
  size_t start = 0, change = 0;
  vd_result found =
      VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_WHEEL, VD_SERIES_AY, VD_SERIES_VX, VD_SERIES_YAW_RATE);
  if (vd_metric_good(&found) && !find_turning(r, &start, &s.side))
    found = vd_metric_refused("the steering wheel never turns at %.3g deg/s for %.3g s", begin_rate, begin_time);
  if (vd_metric_good(&found)) {
    s.zero_wheel = mean_before(r, VD_SERIES_WHEEL, start);
    s.zero_yaw = mean_before(r, VD_SERIES_YAW_RATE, start);
    s.zero_ay = mean_before(r, VD_SERIES_AY, start);
    found = find_steer(&s, start, &change);
  }
  bool good = vd_metric_good(&found);
  vd_result peak = good ? find_peak(&s, change) : found;
  vd_result unit = isnan(r->options->unit_angle) ? vd_metric_refused("unit_angle, A, is not given")
                                                 : vd_metric_known(r->options->unit_angle);
  vd_set_metric(out, "swd_begin_s", vd_metric_of(found, s.begin));
  vd_set_metric(out, "swd_end_s", vd_metric_of(found, s.end));
  vd_set_metric(out, "swd_speed_mps", good ? vd_metric_known(vd_metric_value(r, VD_SERIES_VX, s.begin)) : found);
  vd_set_metric(out, "swd_amplitude_rad", vd_metric_of(found, s.amplitude));
  vd_set_metric(out, "swd_amplitude_per_a", good ? vd_metric_divide(vd_metric_known(s.amplitude), unit) : found);
  vd_set_metric(out, "swd_yaw_rate_peak_radps", peak);
  vd_set_metric(out, "swd_yaw_rate_peak_s", vd_metric_of(peak, s.peak_time));
  vd_set_metric(out, "swd_yaw_ratio_100", decayed(&s, peak, decayed_after[0]));
  vd_set_metric(out, "swd_yaw_ratio_175", decayed(&s, peak, decayed_after[1]));
  vd_set_metric(out, "swd_displacement_m", displaced(&s, found));
  set_waves(&s, found, &yaws, s.zero_yaw, out);
  set_waves(&s, found, &sways, s.zero_ay, out);
  vd_result rolling = vd_metric_both(
      found, vd_metric_both(vd_metric_from_level(r, VD_L2, "body roll"), VD_METRIC_USABLE(r, VD_SERIES_ROLL)));
  set_waves(&s, rolling, &leans, vd_metric_good(&rolling) ? mean_before(r, VD_SERIES_ROLL, start) : 0.0, out);
}

static void compute_slowly(const vd_recorder *r, vd_metrics *out) {
  measure_filtered(measure_slowly, r, out);
}

static void compute_dwell(const vd_recorder *r, vd_metrics *out) {
  measure_filtered(measure_dwell, r, out);
}

const vd_metric_set vd_metrics_slowly_increasing_steer = {
    VD_METRIC_SET(slowly_increasing_steer, slowly_increasing, compute_slowly), .title = "steering wheel angle at 0.3 g",
    .standard = "FMVSS 126, UN R140", .needs = VD_NEEDS_EVEN};

const vd_metric_set vd_metrics_sine_with_dwell = {
    VD_METRIC_SET(sine_with_dwell, dwell, compute_dwell), .title = "yaw and displacement after a sine with dwell",
    .standard = "FMVSS 126, UN R140", .needs = VD_NEEDS_EVEN, .view = VD_VIEW_LEAN};
