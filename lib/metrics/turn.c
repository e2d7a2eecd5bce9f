/* Braking (ISO 7975:2019) and power-off (ISO 9816) in a turn, with the steering wheel fixed. Neither standard was read
 * completely; the quantities follow the literature.
 *
 * At t0 the car turns steadily with speed v0, yaw rate r0 and side slip angle b0, on a circle of radius v0/r0. If the
 * car stayed on this circle while it slows down, its yaw rate would be the reference r0 v(t)/v0, and its lateral
 * acceleration the reference r0 v(t)^2/v0. A ratio to these references above 1 means that the car turns in; a ratio
 * below 1 means that it runs wide. v is the speed of the centre of gravity, sqrt(vx^2 + vy^2). */
#include "metrics/metrics_impl.h"

#include "base/elementary.h"

#include <math.h>

static const double pedal_off = 1e-6;
static const double min_turn = 1e-3; /* rad/s */

enum { INSTANTS = 3 };
static const double after[INSTANTS] = {0.5, 1.0, 2.0}; /* s after t0 */

typedef struct turn_study {
  const vd_recorder *r;
  size_t onset;                     /* first sample at or after t0 */
  double t0, side;                  /* s; +1: to the left */
  double speed, yaw_rate, sideslip; /* steady values before t0: m/s, rad/s, rad */
  double centre[2], radius;         /* m, of the reference circle */
} turn_study;

static double speed_of(const vd_sample *p) {
  return vd_hypot(p->vx, p->vy);
}

/* Finds the instant t0 at which the brake is applied. *onset: the first sample after t0. Returns the position of t0 in
 * the interval before this sample, from 0 to 1. */
static vd_result find_brake(const vd_recorder *r, size_t *onset) {
  vd_series brake = vd_series_of(r, VD_SERIES_BRAKE);
  *onset = vd_metric_onset(&brake, pedal_off);
  return *onset < r->count ? vd_metric_known(vd_metric_leaves_rest(&brake, *onset))
                           : vd_metric_refused("the brake is never applied");
}

/* Finds the instant t0 from which the throttle is closed to the end of the run. Sets *onset and returns a position like
 * find_brake. */
static vd_result find_closing(const vd_recorder *r, size_t *onset) {
  vd_series throttle = vd_series_of(r, VD_SERIES_THROTTLE);
  size_t i = r->count;
  while (i > 0 && !(r->sample[i - 1].throttle > pedal_off))
    i--;
  if (i == 0 || i == r->count)
    return i ? vd_metric_refused("the throttle is open at the end") : vd_metric_refused("the throttle is never open");
  *onset = i;
  return vd_metric_known(vd_metric_comes_to_rest(&throttle, i));
}

/* Sets the reference circle. The centre of gravity moves in the direction heading + side slip angle; the centre of the
 * circle lies at right angles to this direction. */
static void set_circle(turn_study *s) {
  double course = vd_metric_value(s->r, VD_SERIES_YAW, s->t0) + vd_metric_value(s->r, VD_SERIES_SIDESLIP, s->t0);
  s->radius = s->speed / fabs(s->yaw_rate);
  s->centre[0] = vd_metric_value(s->r, VD_SERIES_X, s->t0) - s->side * s->radius * vd_sin(course);
  s->centre[1] = vd_metric_value(s->r, VD_SERIES_Y, s->t0) + s->side * s->radius * vd_cos(course);
}

static vd_result study(const vd_recorder *r, double window, vd_result (*find)(const vd_recorder *r, size_t *onset),
                       turn_study *s) {
  vd_result checked = VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_THROTTLE, VD_SERIES_BRAKE, VD_SERIES_VX,
                                       VD_SERIES_VY, VD_SERIES_X, VD_SERIES_Y, VD_SERIES_YAW, VD_SERIES_YAW_RATE,
                                       VD_SERIES_AY, VD_SERIES_SIDESLIP, VD_SERIES_DISTANCE);
  *s = (turn_study){.r = r};
  if (vd_metric_good(&checked))
    checked = find(r, &s->onset);
  if (!vd_metric_good(&checked))
    return checked;
  vd_series time = vd_series_of(r, VD_SERIES_TIME);
  s->t0 = vd_metric_between(&time, s->onset, checked.value);
  vd_result yaw = vd_metric_steady_until(r, VD_SERIES_YAW_RATE, window, s->t0);
  vd_result slip = vd_metric_steady_until(r, VD_SERIES_SIDESLIP, window, s->t0);
  vd_result vx = vd_metric_steady_until(r, VD_SERIES_VX, window, s->t0);
  vd_result steady = vd_metric_both(yaw, vd_metric_both(slip, vx));
  if (!vd_metric_good(&steady))
    return steady;
  if (!(fabs(yaw.value) > min_turn))
    return vd_metric_refused("the car does not turn before t0");
  s->yaw_rate = yaw.value;
  s->sideslip = slip.value;
  s->speed = vx.value / vd_cos(slip.value);
  s->side = copysign(1.0, yaw.value);
  set_circle(s);
  return vd_metric_known(0.0);
}

/* Returns the yaw rate divided by its reference. */
static double yaw_ratio(const turn_study *s, const vd_sample *p) {
  return p->yaw_rate * s->speed / (s->yaw_rate * speed_of(p));
}

/* Quantities at a time after t0, in the order of the rows. */
enum quantity { DECELERATION, YAW_RATIO, AY_RATIO, SIDESLIP, DEVIATION, QUANTITIES };

static vd_sample sample_at(const vd_recorder *r, double t) {
  return (vd_sample){
      .t = t,
      .vx = vd_metric_value(r, VD_SERIES_VX, t),
      .vy = vd_metric_value(r, VD_SERIES_VY, t),
      .x = vd_metric_value(r, VD_SERIES_X, t),
      .y = vd_metric_value(r, VD_SERIES_Y, t),
      .ay = vd_metric_value(r, VD_SERIES_AY, t),
      .yaw_rate = vd_metric_value(r, VD_SERIES_YAW_RATE, t),
      .sideslip = vd_metric_value(r, VD_SERIES_SIDESLIP, t),
  };
}

static void look(const turn_study *s, vd_result studied, double span, vd_result out[QUANTITIES]) {
  vd_result why = studied;
  double t = s->t0 + span;
  if (vd_metric_good(&why) && !(t <= vd_recorder_last(s->r)->t + 1e-9))
    why = vd_metric_refused("the run ends before t0 + %.3g s", span);
  for (int q = 0; q < QUANTITIES; q++)
    out[q] = why;
  if (!vd_metric_good(&why))
    return;
  vd_sample p = sample_at(s->r, vd_min(t, vd_recorder_last(s->r)->t));
  double v = speed_of(&p);
  if (!(v > 1.0))
    why = vd_metric_refused("the car is slower than 1 m/s at t0 + %.3g s", span);
  bool good = vd_metric_good(&why);
  out[DECELERATION] = vd_metric_known((s->speed - v) / span);
  out[YAW_RATIO] = good ? vd_metric_known(yaw_ratio(s, &p)) : why;
  out[AY_RATIO] = vd_metric_of(why, p.ay * s->speed / (s->yaw_rate * v * v));
  out[SIDESLIP] = vd_metric_of(why, s->side * (p.sideslip - s->sideslip));
  out[DEVIATION] = vd_metric_known(vd_hypot(p.x - s->centre[0], p.y - s->centre[1]) - s->radius);
}

/* Returns the largest (sign 1) or least (sign -1) ratio of the yaw rate to its reference up to 2 s after t0, while the
 * car is faster than 1 m/s. */
static vd_result extreme_ratio(const turn_study *s, vd_result studied, double sign) {
  double best = -INFINITY;
  if (!vd_metric_good(&studied))
    return studied;
  for (size_t i = s->onset; i < s->r->count && s->r->sample[i].t <= s->t0 + after[INSTANTS - 1]; i++)
    if (speed_of(&s->r->sample[i]) > 1.0)
      best = vd_max(best, sign * yaw_ratio(s, &s->r->sample[i]));
  return vd_metric_known(sign * best);
}

/* clang-format off */
#define AT_INSTANTS(name, ending, unit, definition) \
  {name "_05" ending, unit, definition}, {name "_1" ending, unit, definition}, {name "_2" ending, unit, definition}

/* The rows of both sets of metrics. Their names differ only in their first part, `start`. */
#define TURN_ROWS(start, onset) { \
    {start "_onset_s", "s", "t0: " onset}, \
    {start "_speed_mps", "m/s", "v0: speed of the centre of gravity, mean over the steady window before t0"}, \
    {start "_ay_mps2", "m/s2", "r0 v0: lateral acceleration before t0"}, \
    {start "_radius_m", "m", "v0/r0: radius of the reference circle, along which the centre of gravity moves at t0"}, \
    AT_INSTANTS(start "_deceleration", "_mps2", "m/s2", "(v0 - v)/(t - t0): mean deceleration from t0"), \
    AT_INSTANTS(start "_yaw_ratio", "", "1", "yaw rate divided by its reference r0 v/v0"), \
    AT_INSTANTS(start "_ay_ratio", "", "1", "ay divided by its reference r0 v^2/v0"), \
    AT_INSTANTS(start "_sideslip_change", "_rad", "rad", \
                "side slip angle minus side slip angle before t0, positive to the side of the turn"), \
    AT_INSTANTS(start "_deviation", "_m", "m", \
                "distance of the centre of gravity from the reference circle, outside > 0"), \
    {start "_yaw_ratio_max", "1", "largest ratio of the yaw rate to its reference, from t0 to t0 + 2 s"}, \
    {start "_yaw_ratio_min", "1", "least ratio of the yaw rate to its reference, from t0 to t0 + 2 s"}, \
  }

static const vd_metric_info braking_in_turn[] = TURN_ROWS("turn_brake",
  "instant at which the brake pedal leaves zero; _05, _1, _2: 0.5, 1 and 2 s later; after ISO 7975");
static const vd_metric_info power_off[] = TURN_ROWS("power_off",
  "instant at which the throttle closes, for the rest of the run; _05, _1, _2: 0.5, 1 and 2 s later; after ISO 9816");
/* clang-format on */

/* Sets the metrics whose names begin with `set`; find: find_brake or find_closing. */
static void set_all(const vd_recorder *r, vd_result (*find)(const vd_recorder *r, size_t *onset), const char *set,
                    vd_metrics *out) {
  static const char *const instant[INSTANTS] = {"05", "1", "2"};
  turn_study turn, *s = &turn;
  vd_result studied = study(r, r->options->steady_window, find, s);
  vd_set_metric_named(out, vd_metric_of(studied, s->t0), "%s_onset_s", set);
  vd_set_metric_named(out, vd_metric_of(studied, s->speed), "%s_speed_mps", set);
  vd_set_metric_named(out, vd_metric_of(studied, fabs(s->yaw_rate) * s->speed), "%s_ay_mps2", set);
  vd_set_metric_named(out, vd_metric_of(studied, s->radius), "%s_radius_m", set);
  for (int i = 0; i < INSTANTS; i++) {
    vd_result value[QUANTITIES];
    look(s, studied, after[i], value);
    vd_set_metric_named(out, value[DECELERATION], "%s_deceleration_%s_mps2", set, instant[i]);
    vd_set_metric_named(out, value[YAW_RATIO], "%s_yaw_ratio_%s", set, instant[i]);
    vd_set_metric_named(out, value[AY_RATIO], "%s_ay_ratio_%s", set, instant[i]);
    vd_set_metric_named(out, value[SIDESLIP], "%s_sideslip_change_%s_rad", set, instant[i]);
    vd_set_metric_named(out, value[DEVIATION], "%s_deviation_%s_m", set, instant[i]);
  }
  vd_set_metric_named(out, extreme_ratio(s, studied, 1.0), "%s_yaw_ratio_max", set);
  vd_set_metric_named(out, extreme_ratio(s, studied, -1.0), "%s_yaw_ratio_min", set);
}

static void compute_braking_in_turn(const vd_recorder *r, vd_metrics *out) {
  set_all(r, find_brake, "turn_brake", out);
}

const vd_metric_set vd_metrics_braking_in_turn = {
    VD_METRIC_SET(braking_in_turn, braking_in_turn, compute_braking_in_turn),
    .title = "braking in a turn, steering wheel fixed", .standard = "ISO 7975", .view = VD_VIEW_PLACE};

static void compute_power_off(const vd_recorder *r, vd_metrics *out) {
  set_all(r, find_closing, "power_off", out);
}

const vd_metric_set vd_metrics_power_off = {VD_METRIC_SET(power_off, power_off, compute_power_off),
                                            .title = "power-off in a turn, steering wheel fixed",
                                            .standard = "ISO 9816", .view = VD_VIEW_PLACE};
