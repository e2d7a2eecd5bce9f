/* Metrics of a body on springs: ride, handling, modes. */
#include "base/memory.h"
#include "metrics/metrics_impl.h"
#include "math/weighting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double slow = 1.0; /* m/s, below it nothing is quasi-steady */
/* quasi-steady: what the gradients of `handling` are taken from */
static const double quasi_steady_rate = 2.0;  /* m/s3 */
static const double quasi_steady_span = 0.25; /* s, before and after: a peak is not steady because its slope is zero */
static const double roll_limit = 6.0, pitch_limit = 10.0; /* m/s2 */
static const double gradient_least_span = 1.0;            /* m/s2 */

/* ---- ride ---- */

static const double wd_factor = 1.0, wk_factor = 1.0; /* of the axes for comfort, ISO 2631-1 8.2.2.1 */

static double mean_value(const vd_series *x) {
  double sum = 0.0;
  for (size_t i = 1; i < x->count; i++)
    sum += 0.5 * (x->sample[i].t - x->sample[i - 1].t) * (vd_series_at(x, i - 1) + vd_series_at(x, i));
  return sum / (x->sample[x->count - 1].t - x->sample[0].t);
}

/* Of levels that have wheel loads; of those that move up and down. */
static vd_result loaded(const vd_recorder *r) {
  return r->rows && r->level == VD_L0 ? vd_metric_refused("this level has no wheel loads") : vd_metric_known(0.0);
}

static vd_result vertical(const vd_recorder *r) {
  return r->rows && r->level <= VD_L2 ? vd_metric_refused("this level has no vertical motion") : vd_metric_known(0.0);
}

static vd_result checked_channel(const vd_recorder *r, vd_result possible, enum vd_series_channel channel) {
  const enum vd_series_channel needed[] = {VD_SERIES_TIME, channel};
  return vd_metric_good(&possible) ? vd_metric_usable(r, needed, VD_COUNT(needed)) : possible;
}

static vd_result rms(const vd_recorder *r, vd_result possible, enum vd_series_channel channel, double level) {
  vd_series x = vd_series_of(r, channel);
  vd_result checked = checked_channel(r, possible, channel);
  return vd_metric_good(&checked) ? vd_metric_known(vd_metric_root_mean_square(&x, level)) : checked;
}

static vd_result weighted_rms(const vd_recorder *r, vd_result possible, enum vd_series_channel channel,
                              enum vd_weighting_kind kind) {
  vd_series x = vd_series_of(r, channel);
  vd_result checked = checked_channel(r, possible, channel);
  if (!vd_metric_good(&checked))
    return checked;
  double *a = vd_reallocate(NULL, r->count, sizeof *a), sum = 0.0;
  for (size_t i = 0; i < r->count; i++)
    a[i] = vd_series_at(&x, i);
  vd_weighting_apply(kind, a, r->count, (double)(r->count - 1) / (r->last.t - r->first.t));
  for (size_t i = 1; i < r->count; i++)
    sum += 0.5 * (a[i - 1] * a[i - 1] + a[i] * a[i]);
  free(a);
  return vd_metric_known(sqrt(sum / (double)(r->count - 1)));
}

/* Root of the sum of squares, with factors. */
static vd_result total_value(vd_result x, vd_result y, vd_result z) {
  if (!vd_metric_good(&x) || !vd_metric_good(&y) || !vd_metric_good(&z))
    return !vd_metric_good(&z) ? z : vd_metric_good(&x) ? y : x;
  return vd_metric_known(sqrt(wd_factor * wd_factor * (x.value * x.value + y.value * y.value) +
                              wk_factor * wk_factor * z.value * z.value));
}

static vd_result load_coefficient(const vd_recorder *r, int wheel) {
  enum vd_series_channel channel = (enum vd_series_channel)(VD_SERIES_LOAD + wheel);
  vd_series x = vd_series_of(r, channel);
  vd_result checked = checked_channel(r, loaded(r), channel);
  if (!vd_metric_good(&checked))
    return checked;
  double mean = mean_value(&x);
  return mean > 0.0 ? vd_metric_known(vd_metric_root_mean_square(&x, mean) / mean)
                    : vd_metric_refused("the wheel carries nothing");
}

/* From one step without load to the next step. */
static vd_result lift_time(const vd_recorder *r, int wheel) {
  enum vd_series_channel channel = (enum vd_series_channel)(VD_SERIES_LOAD + wheel);
  vd_series x = vd_series_of(r, channel);
  vd_result checked = checked_channel(r, loaded(r), channel);
  double time = 0.0;
  for (size_t i = 1; vd_metric_good(&checked) && i < r->count; i++)
    if (!(vd_series_at(&x, i - 1) > 0.0))
      time += r->sample[i].t - r->sample[i - 1].t;
  return vd_metric_good(&checked) ? vd_metric_known(time) : checked;
}

typedef struct travel_study {
  vd_result least, greatest, rms;
} travel_study;

static travel_study study_travel(const vd_recorder *r, enum vd_axle axle) {
  enum vd_series_channel left = (enum vd_series_channel)(VD_SERIES_TRAVEL + 2 * axle),
                         right = (enum vd_series_channel)(VD_SERIES_TRAVEL + 2 * axle + 1);
  vd_series x[] = {vd_series_of(r, left), vd_series_of(r, right)};
  vd_result checked = checked_channel(r, vertical(r), left);
  if (vd_metric_good(&checked))
    checked = vd_metric_usable_one(r, right);
  if (!vd_metric_good(&checked))
    return (travel_study){checked, checked, checked};
  double least = INFINITY, greatest = -INFINITY, square = 0.0;
  for (size_t side = 0; side < VD_COUNT(x); side++) {
    double spread = vd_metric_root_mean_square(&x[side], mean_value(&x[side]));
    square += 0.5 * spread * spread;
    for (size_t i = 0; i < r->count; i++) {
      least = fmin(least, vd_series_at(&x[side], i));
      greatest = fmax(greatest, vd_series_at(&x[side], i));
    }
  }
  return (travel_study){vd_metric_known(least), vd_metric_known(greatest), vd_metric_known(sqrt(square))};
}

static vd_result worst_of(const vd_result *r, size_t count) {
  vd_result worst = r[0];
  for (size_t i = 1; i < count; i++)
    if (vd_metric_good(&worst) && (!vd_metric_good(&r[i]) || r[i].value > worst.value))
      worst = r[i];
  return worst;
}

static void add_travel(const vd_recorder *r, enum vd_axle axle, const char *const name[3], vd_metrics *out) {
  travel_study s = study_travel(r, axle);
  vd_metric_add(out, name[0], "m", s.least, "least suspension travel of the axle's two wheels, bump > 0");
  vd_metric_add(out, name[1], "m", s.greatest, "greatest suspension travel of the axle's two wheels, bump > 0");
  vd_metric_add(out, name[2], "m", s.rms,
                "root of the mean over time and both wheels of the squared travel, each wheel's own mean taken off");
}

void vd_metrics_ride(const vd_recorder *r, vd_metrics *out) {
  static const char *const coefficient[] = {"load_coefficient_fl", "load_coefficient_fr", "load_coefficient_rl",
                                            "load_coefficient_rr"};
  static const char *const lift[] = {"lift_time_fl_s", "lift_time_fr_s", "lift_time_rl_s", "lift_time_rr_s"};
  static const char *const front[] = {"travel_front_min_m", "travel_front_max_m", "travel_front_rms_m"};
  static const char *const rear[] = {"travel_rear_min_m", "travel_rear_max_m", "travel_rear_rms_m"};
  vd_result moves = vertical(r), checked = checked_channel(r, moves, VD_SERIES_AZ), load[VD_WHEELS];
  vd_series az = vd_series_of(r, VD_SERIES_AZ);
  vd_result x = weighted_rms(r, vd_metric_known(0.0), VD_SERIES_AX, VD_WD),
            y = weighted_rms(r, vd_metric_known(0.0), VD_SERIES_AY, VD_WD);
  vd_result z = weighted_rms(r, moves, VD_SERIES_AZ, VD_WK);
  vd_metric_add(out, "az_rms_mps2", "m/s2", rms(r, moves, VD_SERIES_AZ, 0.0),
                "root of the mean over time of az^2, az of the centre of gravity");
  vd_metric_add(out, "az_peak_mps2", "m/s2",
                vd_metric_good(&checked) ? vd_metric_known(vd_metric_largest_magnitude(&az)) : checked, "largest |az|");
  vd_metric_add(out, "az_weighted_mps2", "m/s2", z,
                "r.m.s. of az with the weighting Wk of ISO 2631-1, at the centre of gravity");
  vd_metric_add(out, "ax_weighted_mps2", "m/s2", x,
                "r.m.s. of ax with the weighting Wd of ISO 2631-1, at the centre of gravity");
  vd_metric_add(out, "ay_weighted_mps2", "m/s2", y,
                "r.m.s. of ay with the weighting Wd of ISO 2631-1, at the centre of gravity");
  vd_metric_add(
      out, "vibration_total_mps2", "m/s2", total_value(x, y, z),
      "vibration total value: root of the sum of squares of the three weighted values, factors 1 as for comfort; ISO "
      "2631-1 "
      "6.5, 8.2.2.1");
  for (int i = 0; i < VD_WHEELS; i++) {
    load[i] = load_coefficient(r, i);
    vd_metric_add(out, coefficient[i], "1", load[i],
                  "dynamic load coefficient: standard deviation of the wheel load over time, over its mean");
  }
  vd_metric_add(out, "load_coefficient_worst", "1", worst_of(load, VD_COUNT(load)),
                "greatest dynamic load coefficient of a wheel");
  for (int i = 0; i < VD_WHEELS; i++)
    vd_metric_add(out, lift[i], "s", lift_time(r, i), "time for which the wheel carries no load");
  add_travel(r, VD_FRONT, front, out);
  add_travel(r, VD_REAR, rear, out);
}

/* ---- handling ---- */

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
  vd_line line = {0};
  for (size_t i = reach; i + reach < r->count; i++) {
    double value = vd_series_at(&x, i);
    bool steady = vd_metric_quasi_steady(&x, i, reach, quasi_steady_rate * (double)reach * step);
    if (steady && value >= low && value <= high && r->sample[i].vx > slow)
      vd_line_add(&line, value, vd_series_at(&y, i));
  }
  if (!(line.n > 0.0))
    return vd_metric_refused("%s is nowhere quasi-steady", vd_series_name(over));
  if (!(line.highest - line.least >= gradient_least_span))
    return vd_metric_refused("%s spans only %.3g m/s2 while it is quasi-steady: no slope", vd_series_name(over),
                             line.highest - line.least);
  return vd_metric_known(vd_line_slope(&line));
}

static vd_result peak_angle(const vd_recorder *r, vd_result possible, enum vd_series_channel channel) {
  vd_series x = vd_series_of(r, channel);
  vd_result checked = checked_channel(r, possible, channel);
  return vd_metric_good(&checked) ? vd_metric_known(vd_metric_largest_magnitude(&x)) : checked;
}

void vd_metrics_handling(const vd_recorder *r, vd_metrics *out) {
  double deg_per_g = 180.0 / VD_PI * VD_GRAVITY;
  vd_result rolls =
      r->rows && r->level < VD_L2 ? vd_metric_refused("this level has no body roll") : vd_metric_known(0.0);
  vd_result pitches =
      r->rows && r->level < VD_L1 ? vd_metric_refused("this level has no body pitch") : vd_metric_known(0.0);
  vd_result roll = vd_metric_good(&rolls) ? gradient(r, VD_SERIES_AY, VD_SERIES_ROLL, -roll_limit, roll_limit) : rolls;
  vd_result pitch = vd_metric_good(&pitches) ? gradient(r, VD_SERIES_AX, VD_SERIES_PITCH, -pitch_limit, 0.0) : pitches;
  vd_metric_add(
      out, "roll_gradient_deg_per_g", "deg/g", vd_metric_scaled(roll, deg_per_g),
      "least-squares slope of body roll over ay where |ay| <= 6 m/s2 changes by at most 2 m/s2 a second, vx > 1 m/s; "
      "after "
      "the notion of ISO 4138");
  vd_metric_add(
      out, "pitch_gradient_deg_per_g", "deg/g", vd_metric_scaled(pitch, -deg_per_g),
      "least-squares slope of body pitch, nose down > 0, over the deceleration -ax from 0 to 10 m/s2 where it changes "
      "by at most "
      "2 m/s2 a second, vx > 1 m/s");
  vd_metric_add(out, "peak_roll_rad", "rad", peak_angle(r, rolls, VD_SERIES_ROLL),
                "largest |roll| of the body against the road");
  vd_metric_add(out, "peak_pitch_rad", "rad", peak_angle(r, pitches, VD_SERIES_PITCH),
                "largest |pitch| of the body against the road");
}

/* ---- modes ---- */

static vd_result of_mode(const vd_recorder *r, vd_result possible, double value) {
  if (!vd_metric_good(&possible))
    return possible;
  return isfinite(value) ? vd_metric_known(value)
         : r->linearised ? vd_metric_refused("no oscillating mode has this shape: it may be damped too much")
                         : vd_metric_refused("nothing was linearised");
}

void vd_metrics_modes(const vd_recorder *r, vd_metrics *out) {
#define FREQUENCY "natural frequency |s|/2 pi of the eigenvalue pair s of the car linearised at the start, "
#define DAMPING   "-Re s/|s| of the same eigenvalues"
#define TYRE_ONLY                                                                                                      \
  "sqrt(tyre's vertical stiffness/unsprung mass)/2 pi: a rule of thumb, not the hop's frequency, which is higher: "    \
  "the "                                                                                                               \
  "wheel moves against the suspension's spring too, which is missing here"
#define SPRING_ONLY                                                                                                    \
  "damper/(2 sqrt(spring x unsprung mass)): a rule of thumb, not the hop's damping ratio, which is lower: it takes "   \
  "the "                                                                                                               \
  "suspension's spring, while the tyre's stiffness, many times that, gives the wheel its frequency"
  static const struct {
    const char *frequency, *damping, *shape;
  } mode[VD_RIDE_MODES] = {
      [VD_RIDE_HEAVE] = {"heave_frequency_Hz", "heave_damping", FREQUENCY "in which the body rises and sinks"},
      [VD_RIDE_PITCH] = {"pitch_frequency_Hz", "pitch_damping", FREQUENCY "in which the body pitches"},
      [VD_RIDE_ROLL] = {"roll_frequency_Hz", "roll_damping", FREQUENCY "in which the body rolls"},
      [VD_RIDE_FRONT_HOP] = {"front_hop_frequency_Hz", "front_hop_damping",
                             FREQUENCY "in which the front wheels move up and down together"},
      [VD_RIDE_FRONT_TRAMP] = {"front_tramp_frequency_Hz", "front_tramp_damping",
                               FREQUENCY "in which the front wheels move up and down against each other"},
      [VD_RIDE_REAR_HOP] = {"rear_hop_frequency_Hz", "rear_hop_damping",
                            FREQUENCY "in which the rear wheels move up and down together"},
      [VD_RIDE_REAR_TRAMP] = {"rear_tramp_frequency_Hz", "rear_tramp_damping",
                              FREQUENCY "in which the rear wheels move up and down against each other"},
  };
  vd_result possible =
      r->rows && r->level < VD_L3 ? vd_metric_refused("this level has no ride modes") : vd_metric_known(0.0);
  for (int i = 0; i < VD_RIDE_MODES; i++) {
    vd_metric_add(out, mode[i].frequency, "Hz", of_mode(r, possible, r->linearised ? r->modes.mode[i].frequency : NAN),
                  mode[i].shape);
    vd_metric_add(out, mode[i].damping, "1", of_mode(r, possible, r->linearised ? r->modes.mode[i].damping : NAN),
                  DAMPING);
  }
  static const char *const tyre_only[] = {"front_tyre_only_frequency_Hz", "rear_tyre_only_frequency_Hz"};
  static const char *const spring_only[] = {"front_spring_only_damping", "rear_spring_only_damping"};
  for (int a = 0; a < VD_AXLES; a++) {
    vd_metric_add(out, tyre_only[a], "Hz", of_mode(r, possible, r->linearised ? r->modes.tyre_only_frequency[a] : NAN),
                  TYRE_ONLY);
    vd_metric_add(out, spring_only[a], "1", of_mode(r, possible, r->linearised ? r->modes.spring_only_damping[a] : NAN),
                  SPRING_ONLY);
  }
}
