/* Frequency response to the steering wheel, ISO 7401:2011 (random, pulse and continuous sine input), whose full text
 * was not read. The responses of yaw rate and ay are H1: the cross spectrum divided by the spectrum of the input
 * (spectrum.h). Gain and phase are interpolated linearly between two lines. */
#include "base/elementary.h"
#include "base/memory.h"
#include "metrics/metrics_impl.h"
#include "metrics/response.h"

#include <math.h>
#include <stdlib.h>

/* Hz: lowest frequency in the diagrams of the standard; highest frequency of the metrics */
static const double lowest = 0.2, highest = 3.0;
static const double half_power = 0.70794578438413791; /* -3 dB */
static const double quarter = VD_PI / 4.0;            /* rad */

typedef struct curve {
  vd_result valid;
  double spacing;       /* Hz */
  size_t first, last;   /* lines of the spectrum that enclose the lowest and the highest frequency */
  double *gain, *phase; /* [last + 1], set from `first` on; phase: rad, without jumps */
} curve;

/* Returns the length of a segment for the spectrum, in samples: the segment of the scenario's response, or the whole
 * run if there is none. */
static size_t segment_of(const vd_recorder *r) {
  double step = (vd_recorder_last(r)->t - r->first.t) / (double)(r->count - 1);
  return r->options->segment > 0.0 ? (size_t)lround(r->options->segment / step) : r->count - 1;
}

static void take_lines(const vd_spectrum *s, curve *c) {
  double before = NAN;
  for (size_t k = c->first; k <= c->last; k++) {
    vd_transfer h = vd_spectrum_transfer(s, k);
    c->gain[k - c->first] = h.gain;
    before = c->phase[k - c->first] = vd_response_unwrapped(h.phase, before);
    if (vd_metric_good(&c->valid) && !(isfinite(h.gain) && isfinite(h.phase)))
      c->valid = vd_metric_refused("the steering wheel has no content at %.3g Hz", (double)k * c->spacing);
  }
}

static curve take(const vd_recorder *r, enum vd_series_channel channel) {
  curve c = {.valid = VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_WHEEL, channel)};
  if (!vd_metric_good(&c.valid))
    return c;
  vd_series x = vd_series_of(r, VD_SERIES_WHEEL), y = vd_series_of(r, channel);
  size_t segment = segment_of(r);
  double rate = vd_metric_rate(r);
  c.spacing = rate / (double)segment;
  c.first = (size_t)floor(lowest / c.spacing * (1.0 + 1e-9));
  c.last = (size_t)ceil(highest / c.spacing * (1.0 - 1e-9));
  if (segment > r->count) {
    c.valid = vd_metric_refused("the segment of %.4g s is longer than the run", r->options->segment);
    return c;
  }
  if (c.first < 1 || c.last > segment / 2) {
    c.valid = vd_metric_refused("lines at a spacing of %.3g Hz do not reach from %.3g to %.3g Hz", c.spacing, lowest,
                                highest);
    return c;
  }
  double *in = vd_reallocate(NULL, r->count, sizeof *in), *out = vd_reallocate(NULL, r->count, sizeof *out);
  for (size_t i = 0; i < r->count; i++) {
    in[i] = vd_series_at(&x, i);
    out[i] = vd_series_at(&y, i);
  }
  c.gain = vd_reallocate(NULL, c.last - c.first + 1, sizeof *c.gain);
  c.phase = vd_reallocate(NULL, c.last - c.first + 1, sizeof *c.phase);
  vd_spectrum s;
  vd_spectrum_make(in, out, r->count, rate, segment, r->options->segment > 0.0 ? r->options->window : VD_WINDOW_NONE,
                   &s);
  take_lines(&s, &c);
  vd_spectrum_finish(&s);
  free(in);
  free(out);
  return c;
}

static void free_curve(curve *c) {
  free(c->gain);
  free(c->phase);
}

static double frequency(const curve *c, size_t i) {
  return (double)(c->first + i) * c->spacing;
}

/* Returns a gain or a phase at a frequency, by interpolation. */
static double read(const curve *c, const double *value, double hz) {
  double place = hz / c->spacing - (double)c->first;
  size_t i = (size_t)vd_min(floor(vd_max(place, 0.0)), (double)(c->last - c->first) - 1.0);
  return value[i] + (place - (double)i) * (value[i + 1] - value[i]);
}

/* Finds the first frequency above the lowest frequency at which a value has fallen to a level. */
static vd_result falls_to(const curve *c, const double *value, double level, const char *what) {
  if (!vd_metric_good(&c->valid))
    return c->valid;
  double hz = lowest, before = read(c, value, lowest);
  for (size_t i = 0; i <= c->last - c->first; i++) {
    double here = frequency(c, i);
    if (here <= lowest)
      continue;
    if (before > level && value[i] <= level)
      return vd_metric_known(hz + (level - before) / (value[i] - before) * (here - hz));
    hz = here;
    before = value[i];
  }
  return vd_metric_refused("%s up to %.3g Hz", what, highest);
}

static vd_result at_place(const curve *c, const double *value, double hz) {
  return vd_metric_good(&c->valid) ? vd_metric_known(read(c, value, hz)) : c->valid;
}

/* Returns the greatest gain of all lines divided by the gain at the lowest frequency; *hz: frequency of the greatest
 * gain. */
static vd_result resonance(const curve *c, double *hz) {
  size_t best = 0;
  if (!vd_metric_good(&c->valid))
    return c->valid;
  for (size_t i = 0; i <= c->last - c->first; i++)
    if (frequency(c, i) >= lowest * (1.0 - 1e-9) &&
        (c->gain[i] > c->gain[best] || frequency(c, best) < lowest * (1.0 - 1e-9)))
      best = i;
  *hz = frequency(c, best);
  return vd_metric_known(c->gain[best] / read(c, c->gain, lowest));
}

/* clang-format off */
#define GAIN(name, suffix, unit, place, hz) \
  {"response_" name "_gain_" place "_" suffix "_per_rad", unit, \
   "gain to the steering wheel at " hz " Hz; after ISO 7401"}
#define PHASE(name, place, hz) \
  {"response_" name "_phase_" place "_rad", "rad", "phase to the steering wheel at " hz}
#define AT_PLACES(name, suffix, unit) \
  GAIN(name, suffix, unit, "02", "0.2"), GAIN(name, suffix, unit, "05", "0.5"), \
  GAIN(name, suffix, unit, "1", "1"), GAIN(name, suffix, unit, "2", "2"), \
  PHASE(name, "02", "0.2 Hz, lag < 0; after ISO 7401"), PHASE(name, "05", "0.5 Hz"), \
  PHASE(name, "1", "1 Hz"), PHASE(name, "2", "2 Hz")

static const vd_metric_info metrics[] = {
  AT_PLACES("yaw_rate", "radps", "1/s"),
  AT_PLACES("ay", "mps2", "m/(s2 rad)"),
  {"response_resonance", "1", "greatest gain of the yaw rate from 0.2 to 3 Hz, divided by the gain at 0.2 Hz"},
  {"response_resonance_Hz", "Hz", "frequency of the greatest gain of the yaw rate"},
  {"response_bandwidth_Hz", "Hz", "frequency at which the gain of the yaw rate has fallen by 3 dB from the gain at "
    "0.2 Hz"},
  {"response_45deg_Hz", "Hz", "frequency at which the yaw rate lags by 45 degrees"},
  {"response_equivalent_time_s", "s",
   "1/(2 pi f), where the yaw rate lags by 45 degrees at f: time constant of a first-order lag with the same "
   "frequency f"},
  {"response_ay_45deg_Hz", "Hz", "frequency at which ay lags by 45 degrees"},
};
/* clang-format on */

static void set_places(const curve *c, const char *name, const char *unit, vd_metrics *out) {
  static const struct {
    const char *name;
    double hz;
  } at[] = {{"02", 0.2}, {"05", 0.5}, {"1", 1.0}, {"2", 2.0}};
  for (size_t i = 0; i < VD_COUNT(at); i++) {
    vd_set_metric_named(out, at_place(c, c->gain, at[i].hz), "response_%s_gain_%s_%s_per_rad", name, at[i].name, unit);
    vd_set_metric_named(out, at_place(c, c->phase, at[i].hz), "response_%s_phase_%s_rad", name, at[i].name);
  }
}

static void compute(const vd_recorder *r, vd_metrics *out) {
  curve yaw = take(r, VD_SERIES_YAW_RATE), ay = take(r, VD_SERIES_AY);
  double hz = NAN, start = vd_metric_good(&yaw.valid) ? read(&yaw, yaw.gain, lowest) : NAN;
  vd_result peak = resonance(&yaw, &hz);
  vd_result lag = falls_to(&yaw, yaw.phase, -quarter, "the yaw rate lags by less than 45 degrees");
  set_places(&yaw, "yaw_rate", "radps", out);
  set_places(&ay, "ay", "mps2", out);
  vd_set_metric(out, "response_resonance", peak);
  vd_set_metric(out, "response_resonance_Hz", vd_metric_of(peak, hz));
  vd_set_metric(out, "response_bandwidth_Hz",
                falls_to(&yaw, yaw.gain, half_power * start, "the gain of the yaw rate does not fall by 3 dB"));
  vd_set_metric(out, "response_45deg_Hz", lag);
  vd_set_metric(out, "response_equivalent_time_s", vd_metric_of(lag, 1.0 / (2.0 * VD_PI * lag.value)));
  vd_set_metric(out, "response_ay_45deg_Hz", falls_to(&ay, ay.phase, -quarter, "ay lags by less than 45 degrees"));
  free_curve(&yaw);
  free_curve(&ay);
}

const vd_metric_set vd_metrics_frequency_response = {VD_METRIC_SET(frequency_response, metrics, compute),
                                                     .title = "frequency response of yaw rate and ay to steering",
                                                     .standard = "ISO 7401", .needs = VD_NEEDS_EVEN};
