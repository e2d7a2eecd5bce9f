/* Metrics of braking: deceleration, stopping distance, and braking with one side slippery. */
#include "metrics/metrics_impl.h"

#include "base/elementary.h"

#include <math.h>

static const double pedal_off = 1e-6;
static const double stopped = 0.1; /* m/s */

typedef struct stop_study {
  const vd_recorder *r;
  size_t onset; /* the first sample with the pedal applied */
  double share; /* share of the interval before this sample after which the pedal leaves zero */
  double v0;    /* m/s */
  vd_mark begin;
} stop_study;

static vd_result find_onset(const vd_recorder *r, stop_study *s) {
  vd_series brake = vd_series_of(r, VD_SERIES_BRAKE);
  vd_result checked = VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_VX, VD_SERIES_DISTANCE, VD_SERIES_BRAKE);
  if (!vd_metric_good(&checked))
    return checked;
  size_t i = vd_metric_onset(&brake, pedal_off);
  if (i == r->count)
    return vd_metric_refused("the brake is never applied");
  vd_series vx = vd_series_of(r, VD_SERIES_VX);
  double share = vd_metric_leaves_rest(&brake, i), v0 = vd_metric_between(&vx, i, share);
  if (!(v0 > stopped))
    return vd_metric_refused("vx is only %.4g m/s at brake onset", v0);
  *s = (stop_study){r, i, share, v0, vd_metric_mark(r, i, share)};
  return vd_metric_known(0.0);
}

/* Finds the first instant after the onset at which vx has fallen to a speed, s; *i: the sample after this instant. */
static vd_result falls_to(const stop_study *s, double speed, size_t *i, vd_mark *m) {
  vd_series vx = vd_series_of(s->r, VD_SERIES_VX);
  vx.sign = -1.0;
  *i = vd_metric_rises_through(&vx, s->onset + 1, -speed);
  if (*i == 0)
    return vd_metric_refused("vx never falls to %.4g m/s: it is %.4g m/s at the end", speed,
                             vd_recorder_last(s->r)->vx);
  *m = vd_metric_mark(s->r, *i, vd_metric_share(&vx, *i, -speed));
  return vd_metric_known(m->t);
}

static vd_result fully_developed(const stop_study *s) {
  double vb = 0.8 * s->v0, ve = 0.1 * s->v0;
  vd_mark b = {0}, e = {0};
  size_t i;
  vd_result passed = vd_metric_both(falls_to(s, vb, &i, &b), falls_to(s, ve, &i, &e));
  return vd_metric_divide(vd_metric_of(passed, vb * vb - ve * ve), vd_metric_known(2.0 * (e.distance - b.distance)));
}

static const vd_metric_info braking[] = {
    {"brake_onset_s", "s", "onset: instant at which the brake pedal leaves zero"},
    {"brake_initial_speed_mps", "m/s", "v0: vx at brake onset"},
    {"stopping_distance_m", "m", "path length from brake onset until vx has fallen to 0.1 m/s"},
    {"stopping_time_s", "s", "time from brake onset until vx has fallen to 0.1 m/s"},
    {"mfdd_mps2", "m/s2",
     "mean fully developed deceleration (vb^2 - ve^2)/(2 (se - sb)), vb = 0.8 v0, ve = 0.1 v0; after UN R13-H"},
    {"deceleration_peak_mps2", "m/s2", "largest -ax from brake onset until vx has fallen to 0.1 m/s or the run ends"},
    {"deceleration_mean_mps2", "m/s2", "v0^2/(2 stopping distance)"},
};

static void compute_braking(const vd_recorder *r, vd_metrics *out) {
  stop_study s = {0};
  vd_mark end = {0};
  size_t last = 0;
  vd_result onset = find_onset(r, &s);
  vd_result stop = vd_metric_good(&onset) ? falls_to(&s, stopped, &last, &end) : onset;
  vd_result distance = vd_metric_of(stop, end.distance - s.begin.distance);
  vd_result peak = vd_metric_both(onset, VD_METRIC_USABLE(r, VD_SERIES_AX));
  vd_series decel = vd_series_of(r, VD_SERIES_AX);
  decel.sign = -1.0;
  vd_set_metric(out, "brake_onset_s", vd_metric_of(onset, s.begin.t));
  vd_set_metric(out, "brake_initial_speed_mps", vd_metric_of(onset, s.v0));
  vd_set_metric(out, "stopping_distance_m", distance);
  vd_set_metric(out, "stopping_time_s", vd_metric_of(stop, end.t - s.begin.t));
  vd_set_metric(out, "mfdd_mps2", vd_metric_good(&onset) ? fully_developed(&s) : onset);
  vd_set_metric(out, "deceleration_peak_mps2",
                vd_metric_good(&peak)
                    ? vd_metric_known(vd_metric_largest(&decel, s.onset, last ? last - 1 : r->count - 1))
                    : peak);
  vd_set_metric(out, "deceleration_mean_mps2",
                vd_metric_divide(vd_metric_known(s.v0 * s.v0), vd_metric_scaled(distance, 2.0)));
}

const vd_metric_set vd_metrics_braking = {VD_METRIC_SET(braking, braking, compute_braking),
                                          .title = "a stop: distance, time, deceleration", .standard = "UN R13-H"};

/* ---- stopping, ISO 21994:2007; the full text of the standard was not read ---- */

static double at_onset(const stop_study *s, enum vd_series_channel channel) {
  vd_series x = vd_series_of(s->r, channel);
  return vd_metric_between(&x, s->onset, s->share);
}

/* Returns the largest distance, until an instant, of the centre of gravity from the line along which it moves at the
 * onset, m. The instant may lie between two samples. */
static vd_result aside(const stop_study *s, vd_result end) {
  if (!vd_metric_good(&end))
    return end;
  double course = at_onset(s, VD_SERIES_YAW) + at_onset(s, VD_SERIES_SIDESLIP);
  double x = at_onset(s, VD_SERIES_X), y = at_onset(s, VD_SERIES_Y), c = vd_cos(course), d = vd_sin(course);
  double last_x = vd_metric_value(s->r, VD_SERIES_X, end.value), last_y = vd_metric_value(s->r, VD_SERIES_Y, end.value);
  double most = fabs((last_y - y) * c - (last_x - x) * d);
  for (size_t i = s->onset; i < s->r->count && s->r->sample[i].t <= end.value; i++)
    most = vd_max(most, fabs((s->r->sample[i].y - y) * c - (s->r->sample[i].x - x) * d));
  return vd_metric_known(most);
}

static vd_result change(const stop_study *s, enum vd_series_channel channel, vd_result end) {
  if (!vd_metric_good(&end))
    return end;
  vd_series x = vd_series_of(s->r, channel);
  double first = at_onset(s, channel), most = fabs(vd_metric_value(s->r, channel, end.value) - first);
  for (size_t i = s->onset; i < s->r->count && s->r->sample[i].t <= end.value; i++)
    most = vd_max(most, fabs(vd_series_at(&x, i) - first));
  return vd_metric_known(most);
}

static vd_result find_stop(const vd_recorder *r, stop_study *s) {
  return vd_metric_both(find_onset(r, s), VD_METRIC_USABLE(r, VD_SERIES_X, VD_SERIES_Y, VD_SERIES_YAW,
                                                           VD_SERIES_SIDESLIP, VD_SERIES_YAW_RATE, VD_SERIES_WHEEL));
}

/* Returns the time from the onset until the pedal has reached 90 % of its greatest travel, s. */
static vd_result pedal_rise(const stop_study *s) {
  vd_series brake = vd_series_of(s->r, VD_SERIES_BRAKE), t = vd_series_of(s->r, VD_SERIES_TIME);
  double level = 0.9 * vd_metric_largest(&brake, s->onset, s->r->count - 1);
  size_t i = s->onset;
  while (vd_series_at(&brake, i) < level)
    i++;
  bool jumps = i == s->onset && !(s->begin.t < s->r->sample[i].t);
  return vd_metric_known(jumps ? 0.0 : vd_metric_between(&t, i, vd_metric_share(&brake, i, level)) - s->begin.t);
}

static const vd_metric_info stopping[] = {
    {"stopping_speed_deviation_mps", "m/s", "vx at brake onset minus nominal_speed"},
    {"stopping_distance_corrected_m", "m", "stopping distance x (nominal_speed/vx at brake onset)^2; after ISO 21994"},
    {"pedal_rise_time_s", "s", "time from brake onset until the pedal has reached 90 % of its greatest travel"},
    {"stopping_lateral_deviation_m", "m",
     "largest distance of the centre of gravity from its line of motion at brake onset, until the car stands (0.1 "
     "m/s)"},
    {"stopping_heading_change_rad", "rad",
     "largest change of the heading from brake onset until the car stands (0.1 m/s)"},
};

static void compute_stopping(const vd_recorder *r, vd_metrics *out) {
  stop_study s = {0};
  vd_mark end = {0};
  size_t last = 0;
  vd_result onset = find_stop(r, &s);
  vd_result stop = vd_metric_good(&onset) ? falls_to(&s, stopped, &last, &end) : onset;
  double ratio = r->options->nominal_speed / s.v0;
  vd_set_metric(out, "stopping_speed_deviation_mps", vd_metric_of(onset, s.v0 - r->options->nominal_speed));
  vd_set_metric(out, "stopping_distance_corrected_m",
                vd_metric_of(stop, (end.distance - s.begin.distance) * ratio * ratio));
  vd_set_metric(out, "pedal_rise_time_s", vd_metric_good(&onset) ? pedal_rise(&s) : onset);
  vd_set_metric(out, "stopping_lateral_deviation_m", aside(&s, stop));
  vd_set_metric(out, "stopping_heading_change_rad", change(&s, VD_SERIES_YAW, stop));
}

const vd_metric_set vd_metrics_stopping = {VD_METRIC_SET(stopping, stopping, compute_stopping),
                                           .title = "stopping distance from a nominal speed", .standard = "ISO 21994",
                                           .view = VD_VIEW_PLACE};

/* ---- split friction: ISO 14512:1999, and quantities of UN R13-H, annex 6; neither text was read completely ---- */

static const vd_metric_info split_friction[] = {
    {"split_yaw_rate_1_radps", "rad/s",
     "yaw rate 1 s after brake onset; a quantity of ISO 14512 if the steering wheel is fixed"},
    {"split_heading_change_1_rad", "rad", "largest change of the heading in the first second from brake onset"},
    {"split_wheel_1_rad", "rad",
     "largest change of the steering wheel angle in the first second from brake onset; 0: the steering wheel is fixed"},
    {"split_wheel_2_rad", "rad",
     "largest change of the steering wheel angle in the first 2 s from brake onset; a quantity of UN R13-H"},
    {"split_wheel_rad", "rad",
     "largest change of the steering wheel angle from brake onset until the car stands (0.1 m/s); a quantity of UN "
     "R13-H"},
    {"split_lateral_deviation_m", "m",
     "largest distance of the centre of gravity from its line of motion at brake onset, until the car stands (0.1 "
     "m/s)"},
    {"split_sideslip_rad", "rad", "largest change of the side slip angle in the first 2 s from brake onset"},
};

static void compute_split_friction(const vd_recorder *r, vd_metrics *out) {
  stop_study s = {0};
  vd_mark end = {0};
  size_t last = 0;
  vd_result onset = find_stop(r, &s);
  vd_result in_one = vd_metric_after(r, onset, s.begin.t, 1.0, "brake onset");
  vd_result in_two = vd_metric_after(r, onset, s.begin.t, 2.0, "brake onset");
  vd_result stop = vd_metric_good(&onset) ? falls_to(&s, stopped, &last, &end) : onset;
  vd_set_metric(out, "split_yaw_rate_1_radps",
                vd_metric_good(&in_one) ? vd_metric_known(vd_metric_value(r, VD_SERIES_YAW_RATE, in_one.value))
                                        : in_one);
  vd_set_metric(out, "split_heading_change_1_rad", change(&s, VD_SERIES_YAW, in_one));
  vd_set_metric(out, "split_wheel_1_rad", change(&s, VD_SERIES_WHEEL, in_one));
  vd_set_metric(out, "split_wheel_2_rad", change(&s, VD_SERIES_WHEEL, in_two));
  vd_set_metric(out, "split_wheel_rad", change(&s, VD_SERIES_WHEEL, stop));
  vd_set_metric(out, "split_lateral_deviation_m", aside(&s, stop));
  vd_set_metric(out, "split_sideslip_rad", change(&s, VD_SERIES_SIDESLIP, in_two));
}

const vd_metric_set vd_metrics_split_friction = {VD_METRIC_SET(split_friction, split_friction, compute_split_friction),
                                                 .title = "braking with one side slippery",
                                                 .standard = "ISO 14512, UN R13-H", .view = VD_VIEW_PLACE};
