/* Metrics of speeding up and slowing down: acceleration, braking, stopping, and braking with one side slippery. */
#include "metrics/metrics_impl.h"

#include <math.h>

static const double pedal_off = 1e-6;
static const double stopped = 0.1;          /* m/s */
static const double speed_tolerance = 1e-6; /* m/s */

/* An instant on the way. */
typedef struct mark {
  double t, distance;
} mark;

static mark mark_at(const vd_recorder *r, size_t i, double part) {
  vd_series t = vd_series_of(r, VD_SERIES_TIME), distance = vd_series_of(r, VD_SERIES_DISTANCE);
  return (mark){vd_metric_between(&t, i, part), vd_metric_between(&distance, i, part)};
}

static const enum vd_series_channel motion[] = {VD_SERIES_TIME, VD_SERIES_VX, VD_SERIES_DISTANCE};

/* The largest value from a sample to another, both included. */
static double largest(const vd_series *x, size_t from, size_t to) {
  double value = -INFINITY;
  for (size_t i = from; i <= to && i < x->count; i++)
    value = fmax(value, vd_series_at(x, i));
  return value;
}

static vd_result find_speeds(const vd_recorder *r, double from, double to, mark *begin, mark *end) {
  vd_series vx = vd_series_of(r, VD_SERIES_VX);
  vd_result checked = vd_metric_usable(r, motion, VD_COUNT(motion));
  if (!vd_metric_good(&checked))
    return checked;
  if (!(from < to))
    return vd_metric_refused("from_speed is not below to_speed");
  size_t last = vd_metric_rises_through(&vx, 1, to);
  if (last == 0)
    return vd_series_at(&vx, 0) >= to
               ? vd_metric_refused("vx starts at %.4g m/s, not below %.4g", vd_series_at(&vx, 0), to)
               : vd_metric_refused("vx never reaches %.4g m/s: its highest value is %.4g m/s", to,
                                   largest(&vx, 0, vx.count - 1));
  size_t first = last; /* the sample after the last one at or below from_speed */
  while (first > 0 && !(vd_series_at(&vx, first - 1) <= from + speed_tolerance))
    first--;
  if (first == 0)
    return vd_metric_refused("vx starts at %.4g m/s, above %.4g m/s", vd_series_at(&vx, 0), from);
  *begin = mark_at(r, first, vd_metric_share(&vx, first, from));
  *end = mark_at(r, last, vd_metric_share(&vx, last, to));
  return vd_metric_known(0.0);
}

void vd_metrics_acceleration(const vd_recorder *r, const vd_metrics_options *options, vd_metrics *out) {
  double from = options->from_speed, to = options->to_speed;
  mark begin = {0}, end = {0};
  vd_result found = find_speeds(r, from, to, &begin, &end), peak = vd_metric_usable_one(r, VD_SERIES_AX);
  vd_series ax = vd_series_of(r, VD_SERIES_AX);
  vd_result time = vd_metric_good(&found) ? vd_metric_known(end.t - begin.t) : found;
  vd_result distance = vd_metric_good(&found) ? vd_metric_known(end.distance - begin.distance) : found;
  vd_result gain = vd_metric_good(&found) ? vd_metric_known(to - from) : found;
  vd_metric_add(out, "acceleration_time_s", "s", time,
                "from the last instant at from_speed to the first instant at to_speed (vx)");
  vd_metric_add(out, "acceleration_distance_m", "m", distance,
                "path length from the last instant at from_speed to the first instant at to_speed (vx)");
  vd_metric_add(out, "acceleration_mean_mps2", "m/s2", vd_metric_divide(gain, time),
                "(to_speed - from_speed)/acceleration time");
  vd_metric_add(out, "acceleration_peak_mps2", "m/s2",
                vd_metric_good(&peak) ? vd_metric_known(largest(&ax, 0, ax.count - 1)) : peak,
                "largest ax over the run");
}

/* A braking from its onset at sample `onset`. */
typedef struct stop_study {
  const vd_recorder *r;
  size_t onset;
  double v0; /* m/s */
  mark begin;
} stop_study;

static vd_result find_onset(const vd_recorder *r, stop_study *s) {
  static const enum vd_series_channel needed[] = {VD_SERIES_TIME, VD_SERIES_VX, VD_SERIES_DISTANCE, VD_SERIES_BRAKE};
  vd_series brake = vd_series_of(r, VD_SERIES_BRAKE);
  vd_result checked = vd_metric_usable(r, needed, VD_COUNT(needed));
  if (!vd_metric_good(&checked))
    return checked;
  size_t i = 0;
  while (i < r->count && !(vd_series_at(&brake, i) > pedal_off))
    i++;
  if (i == r->count)
    return vd_metric_refused("the brake is never applied");
  const vd_sample *sample = &r->sample[i];
  if (!(sample->vx > stopped))
    return vd_metric_refused("vx is only %.4g m/s at brake onset", sample->vx);
  *s = (stop_study){r, i, sample->vx, {sample->t, sample->distance}};
  return vd_metric_known(0.0);
}

/* The first instant after onset at which vx has fallen to a speed; *i: the sample after it. */
static vd_result falls_to(const stop_study *s, double speed, size_t *i, mark *m) {
  vd_series vx = vd_series_of(s->r, VD_SERIES_VX);
  vx.sign = -1.0;
  *i = vd_metric_rises_through(&vx, s->onset + 1, -speed);
  if (*i == 0)
    return vd_metric_refused("vx never falls to %.4g m/s: it is %.4g m/s at the end", speed, s->r->last.vx);
  *m = mark_at(s->r, *i, vd_metric_share(&vx, *i, -speed));
  return vd_metric_known(0.0);
}

static vd_result fully_developed(const stop_study *s) {
  double vb = 0.8 * s->v0, ve = 0.1 * s->v0;
  mark b = {0}, e = {0};
  size_t i;
  vd_result begun = falls_to(s, vb, &i, &b), ended = falls_to(s, ve, &i, &e);
  if (!vd_metric_good(&begun) || !vd_metric_good(&ended))
    return vd_metric_good(&begun) ? ended : begun;
  return vd_metric_divide(vd_metric_known(vb * vb - ve * ve), vd_metric_known(2.0 * (e.distance - b.distance)));
}

void vd_metrics_braking(const vd_recorder *r, vd_metrics *out) {
  stop_study s = {0};
  mark end = {0};
  size_t last = 0;
  vd_result onset = find_onset(r, &s);
  vd_result stop = vd_metric_good(&onset) ? falls_to(&s, stopped, &last, &end) : onset;
  vd_result distance = vd_metric_good(&stop) ? vd_metric_known(end.distance - s.begin.distance) : stop;
  vd_result peak = vd_metric_good(&onset) ? vd_metric_usable_one(r, VD_SERIES_AX) : onset;
  vd_series decel = vd_series_of(r, VD_SERIES_AX);
  decel.sign = -1.0;
  vd_metric_add(out, "brake_onset_s", "s", vd_metric_good(&onset) ? vd_metric_known(s.begin.t) : onset,
                "first step with the brake pedal above zero");
  vd_metric_add(out, "brake_initial_speed_mps", "m/s", vd_metric_good(&onset) ? vd_metric_known(s.v0) : onset,
                "v0: vx at brake onset");
  vd_metric_add(out, "stopping_distance_m", "m", distance,
                "path length from brake onset until vx has fallen to 0.1 m/s");
  vd_metric_add(out, "stopping_time_s", "s", vd_metric_good(&stop) ? vd_metric_known(end.t - s.begin.t) : stop,
                "time from brake onset until vx has fallen to 0.1 m/s");
  vd_metric_add(
      out, "mfdd_mps2", "m/s2", vd_metric_good(&onset) ? fully_developed(&s) : onset,
      "mean fully developed deceleration (vb^2 - ve^2)/(2 (se - sb)), vb = 0.8 v0, ve = 0.1 v0; after UN R13-H");
  vd_metric_add(out, "deceleration_peak_mps2", "m/s2",
                vd_metric_good(&peak) ? vd_metric_known(largest(&decel, s.onset, last ? last - 1 : r->count - 1))
                                      : peak,
                "largest -ax from brake onset until vx has fallen to 0.1 m/s or the run ends");
  vd_metric_add(out, "deceleration_mean_mps2", "m/s2",
                vd_metric_good(&distance)
                    ? vd_metric_divide(vd_metric_known(s.v0 * s.v0), vd_metric_known(2.0 * distance.value))
                    : distance,
                "v0^2/(2 stopping distance)");
}

/* ---- stopping, ISO 21994:2007, whose full text was not read ---- */

/* Largest way of the centre of gravity to a side of the line along which it moves at the onset, from there to sample `last`. */
static double aside(const stop_study *s, size_t last) {
  const vd_sample *p = &s->r->sample[s->onset];
  double course = p->yaw + p->sideslip, way = 0.0;
  for (size_t i = s->onset; i <= last; i++) {
    double dx = s->r->sample[i].x - p->x, dy = s->r->sample[i].y - p->y;
    way = fmax(way, fabs(dy * cos(course) - dx * sin(course)));
  }
  return way;
}

/* Largest change of a channel from the onset to sample `last`. */
static double change(const stop_study *s, enum vd_series_channel channel, size_t last) {
  vd_series x = vd_series_of(s->r, channel);
  double most = 0.0;
  for (size_t i = s->onset; i <= last; i++)
    most = fmax(most, fabs(vd_series_at(&x, i) - vd_series_at(&x, s->onset)));
  return most;
}

/* What both sets look at besides, checked. */
static vd_result find_stop(const vd_recorder *r, stop_study *s) {
  static const enum vd_series_channel needed[] = {VD_SERIES_X,        VD_SERIES_Y,        VD_SERIES_YAW,
                                                  VD_SERIES_SIDESLIP, VD_SERIES_YAW_RATE, VD_SERIES_WHEEL};
  vd_result onset = find_onset(r, s);
  return vd_metric_good(&onset) ? vd_metric_usable(r, needed, VD_COUNT(needed)) : onset;
}

/* From the onset until the pedal has reached 90 % of its greatest travel. */
static vd_result pedal_rise(const stop_study *s) {
  vd_series brake = vd_series_of(s->r, VD_SERIES_BRAKE), t = vd_series_of(s->r, VD_SERIES_TIME);
  double level = 0.9 * largest(&brake, s->onset, s->r->count - 1);
  size_t i = s->onset;
  while (vd_series_at(&brake, i) < level)
    i++;
  return vd_metric_known(i == s->onset ? 0.0
                                       : vd_metric_between(&t, i, vd_metric_share(&brake, i, level)) - s->begin.t);
}

void vd_metrics_stopping(const vd_recorder *r, const vd_metrics_options *options, vd_metrics *out) {
  stop_study s = {0};
  mark end = {0};
  size_t last = 0;
  vd_result onset = find_stop(r, &s);
  vd_result stop = vd_metric_good(&onset) ? falls_to(&s, stopped, &last, &end) : onset;
  bool begun = vd_metric_good(&onset), good = vd_metric_good(&stop);
  double ratio = begun ? options->nominal_speed / s.v0 : NAN;
  vd_metric_add(out, "stopping_speed_deviation_mps", "m/s",
                begun ? vd_metric_known(s.v0 - options->nominal_speed) : onset, "vx at brake onset less nominal_speed");
  vd_metric_add(out, "stopping_distance_corrected_m", "m",
                good ? vd_metric_known((end.distance - s.begin.distance) * ratio * ratio) : stop,
                "stopping distance x (nominal_speed/vx at brake onset)^2; after ISO 21994");
  vd_metric_add(out, "pedal_rise_time_s", "s", begun ? pedal_rise(&s) : onset,
                "from brake onset until the pedal has reached 90 % of its greatest travel");
  vd_metric_add(out, "stopping_lateral_deviation_m", "m", good ? vd_metric_known(aside(&s, last)) : stop,
                "largest way of the centre of gravity to a side of its line of motion at brake onset, until it stands");
  vd_metric_add(out, "stopping_heading_change_rad", "rad",
                good ? vd_metric_known(change(&s, VD_SERIES_YAW, last)) : stop,
                "largest change of the heading from brake onset until it stands");
}

/* ---- one side slippery: ISO 14512:1999 and the quantities of UN R13-H, annex 6; neither text was read in full ---- */

/* The last sample of a time behind the onset. */
static vd_result within(const stop_study *s, vd_result onset, double span, size_t *last) {
  double t = s->begin.t + span;
  if (!vd_metric_good(&onset))
    return onset;
  if (!(t <= s->r->last.t + 1e-9))
    return vd_metric_refused("the run ends before %.3g s after brake onset", span);
  *last = vd_metric_index(s->r, fmin(t, s->r->last.t) - 1e-9); /* t is rounded, as the samples' instants are */
  return vd_metric_known(0.0);
}

void vd_metrics_split_friction(const vd_recorder *r, const vd_metrics_options *options, vd_metrics *out) {
  stop_study s = {0};
  mark end = {0};
  size_t one = 0, two = 0, last = 0;
  vd_result onset = find_stop(r, &s);
  vd_result in_one = within(&s, onset, 1.0, &one), in_two = within(&s, onset, 2.0, &two);
  vd_result stop = vd_metric_good(&onset) ? falls_to(&s, stopped, &last, &end) : onset;
  (void)options;
  vd_metric_add(out, "split_yaw_rate_1_radps", "rad/s",
                vd_metric_good(&in_one)
                    ? vd_metric_known(vd_metric_value(r, VD_SERIES_YAW_RATE, fmin(s.begin.t + 1.0, r->last.t)))
                    : in_one,
                "yaw rate 1 s after brake onset; with the hand wheel fixed a quantity of ISO 14512");
  vd_metric_add(out, "split_heading_change_1_rad", "rad",
                vd_metric_good(&in_one) ? vd_metric_known(change(&s, VD_SERIES_YAW, one)) : in_one,
                "largest change of the heading in the first second from brake onset");
  vd_metric_add(out, "split_wheel_1_rad", "rad",
                vd_metric_good(&in_one) ? vd_metric_known(change(&s, VD_SERIES_WHEEL, one)) : in_one,
                "largest change of the hand wheel angle in the first second from brake onset; 0: it is fixed");
  vd_metric_add(out, "split_wheel_2_rad", "rad",
                vd_metric_good(&in_two) ? vd_metric_known(change(&s, VD_SERIES_WHEEL, two)) : in_two,
                "largest change of the hand wheel angle in the first 2 s from brake onset; a quantity of UN R13-H");
  vd_metric_add(out, "split_wheel_rad", "rad",
                vd_metric_good(&stop) ? vd_metric_known(change(&s, VD_SERIES_WHEEL, last)) : stop,
                "largest change of the hand wheel angle from brake onset until the car stands; a quantity of UN R13-H");
  vd_metric_add(out, "split_lateral_deviation_m", "m", vd_metric_good(&stop) ? vd_metric_known(aside(&s, last)) : stop,
                "largest way of the centre of gravity to a side of its line of motion at brake onset, until it stands");
  vd_metric_add(out, "split_sideslip_rad", "rad",
                vd_metric_good(&in_two) ? vd_metric_known(change(&s, VD_SERIES_SIDESLIP, two)) : in_two,
                "largest change of the side slip angle in the first 2 s from brake onset");
}
