/* Metrics of the Fishhook and the J-turn of NHTSA's rollover tests, from secondary sources: the time at which both
 * wheels of a side lift off the road, and their height.
 *
 * A wheel without load is lifted. At levels with vertical motion a lifted wheel has a negative tyre deflection, whose
 * magnitude is the height of the lowest point of the wheel. */
#include "metrics/metrics_impl.h"

#include "base/elementary.h"

#include <math.h>

static const double min_lift = 0.0508; /* m, two inches: least height that counts as a two-wheel lift */

/* The steering input of the manoeuvre. */
typedef struct hook {
  size_t onset;          /* first sample at which the steering wheel moves */
  size_t reversal;       /* last sample before the steering wheel turns back; 0: it never turns back */
  double onset_share;    /* share of the interval that ends at `onset' after which the motion begins */
  double reversal_share; /* share of the interval that begins at `reversal' after which the steering wheel turns back */
  double side;           /* +1: first to the left */
} hook;

/* Intervals in which both wheels of a side are lifted. */
typedef struct lift {
  double first, longest; /* s: first instant, NAN: none; longest duration */
  double height;         /* m, greatest height of the lower one of the two wheels */
} lift;

static vd_result find_hook(const vd_recorder *r, hook *h) {
  vd_series x = vd_series_of(r, VD_SERIES_WHEEL);
  vd_result checked = VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_WHEEL, VD_SERIES_VX, VD_SERIES_AY);
  double floor = vd_series_table[VD_SERIES_WHEEL].floor;
  *h = (hook){.side = 1.0};
  if (!vd_metric_good(&checked))
    return checked;
  size_t i = h->onset = vd_metric_onset(&x, floor);
  if (i == r->count)
    return vd_metric_refused("the steering wheel does not move");
  h->onset_share = vd_metric_leaves_rest(&x, i);
  h->side = x.sign;
  while (i + 1 < r->count && vd_series_at(&x, i + 1) >= vd_series_at(&x, i) - floor)
    i++;
  h->reversal = i + 1 < r->count ? i : 0;
  h->reversal_share = vd_metric_leaves_rest(&x, i + 1);
  return vd_metric_known(0.0);
}

static vd_result wheels_known(const vd_recorder *r) {
  vd_result sides = vd_metric_from_level(r, VD_L2, "wheels on two sides");
  for (enum vd_series_channel i = VD_SERIES_LOAD; i < VD_SERIES_DEFLECTION + VD_WHEELS; i++)
    if (i < VD_SERIES_LOAD + VD_WHEELS || i >= VD_SERIES_DEFLECTION)
      sides = vd_metric_both(sides, VD_METRIC_USABLE(r, VD_SERIES_TIME, i));
  return sides;
}

/* Returns the instant, s, within the interval that ends at sample i, from which both wheels are without load (lifts),
 * or at which one of them has load again. Loads are assumed to fall to zero and to rise from zero at a constant
 * rate. */
static double instant_of(const vd_recorder *r, const int wheel[2], size_t i, bool lifts) {
  vd_series t = vd_series_of(r, VD_SERIES_TIME);
  double share = lifts ? 0.0 : 1.0;
  for (int k = 0; k < 2; k++) {
    vd_series load = vd_series_of(r, (enum vd_series_channel)(VD_SERIES_LOAD + wheel[k]));
    if (lifts && i > 0 && vd_series_at(&load, i - 1) > 0.0)
      share = vd_max(share, vd_metric_comes_to_rest(&load, i));
    else if (!lifts && vd_series_at(&load, i) > 0.0)
      share = vd_min(share, vd_metric_leaves_rest(&load, i));
  }
  return i > 0 ? vd_metric_between(&t, i, share) : vd_series_at(&t, 0);
}

static void find_lift(const vd_recorder *r, int front, int rear, lift *out) {
  const int wheel[2] = {front, rear};
  double from = NAN; /* s: instant since which both wheels are without load */
  for (size_t i = 0; i < r->count; i++) {
    const vd_ride_sample *p = &r->ride[i];
    bool up = !(p->load[front] > 0.0) && !(p->load[rear] > 0.0);
    if (up && isnan(from))
      from = instant_of(r, wheel, i, true);
    if (up && !(out->first <= from))
      out->first = from;
    if (!isnan(from))
      out->longest = vd_max(out->longest, (up ? r->sample[i].t : instant_of(r, wheel, i, false)) - from);
    if (up)
      out->height = vd_max(out->height, -vd_max(p->deflection[front], p->deflection[rear]));
    else
      from = NAN;
  }
}

static vd_result height_of(const vd_recorder *r, vd_result wheels, double height) {
  if (!vd_metric_good(&wheels))
    return wheels;
  return r->level <= VD_L2 ? vd_metric_refused("at this level no wheel has a height") : vd_metric_known(height);
}

static vd_result at_onset(vd_result found, const vd_recorder *r, enum vd_series_channel channel, const hook *h) {
  vd_series x = vd_series_of(r, channel);
  return vd_metric_good(&found) ? vd_metric_known(vd_metric_between(&x, h->onset, h->onset_share)) : found;
}

/* Returns the value at the reversal, extrapolated from the step before the reversal, because the acceleration of the
 * steering wheel changes there. */
static vd_result at_reversal(vd_result turned, const vd_recorder *r, enum vd_series_channel channel, const hook *h) {
  vd_series x = vd_series_of(r, channel);
  size_t i = h->reversal;
  if (!vd_metric_good(&turned))
    return turned;
  double now = vd_series_at(&x, i), slope = (now - vd_series_at(&x, i - 1)) / (r->sample[i].t - r->sample[i - 1].t);
  return vd_metric_known(now + h->reversal_share * (r->sample[i + 1].t - r->sample[i].t) * slope);
}

/* Returns the roll rate at the reversal. At L2 the roll angle is a function of the forces, so that there is no state of
 * the roll rate; the slope of the angle before the reversal is used instead. */
static vd_result rate_at_reversal(vd_result turned, vd_result rates, const vd_recorder *r, const hook *h) {
  size_t i = h->reversal;
  if (r->rows && r->level == VD_L2 && vd_metric_good(&turned))
    return i > 0 ? vd_metric_known((r->sample[i].roll - r->sample[i - 1].roll) / (r->sample[i].t - r->sample[i - 1].t))
                 : vd_metric_refused("the steering wheel turns back at the start");
  return vd_metric_good(&rates) ? at_reversal(turned, r, VD_SERIES_ROLL_RATE, h) : rates;
}

static vd_result stability_factor(const vd_recorder *r) {
  const vd_metrics_car *c = &r->car;
  return c->cg_height > 0.0 ? vd_metric_known(0.25 * (c->track[VD_FRONT] + c->track[VD_REAR]) / c->cg_height)
                            : vd_metric_refused("the height of the centre of gravity is not known");
}

static const vd_metric_info metrics[] = {
    {"static_stability_factor", "1", "mean track divided by twice the height of the centre of gravity"},
    {"rollover_onset_s", "s", "instant at which the steering wheel leaves zero"},
    {"rollover_speed_mps", "m/s", "vx at the instant at which the steering wheel leaves zero"},
    {"rollover_wheel_rad", "rad", "largest |steering wheel angle|"},
    {"steer_reversal_s", "s", "reversal: instant at which the steering wheel first turns back"},
    {"roll_rate_at_reversal_radps", "rad/s",
     "roll rate at the reversal, at L2 the slope of the roll angle before the reversal; a fishhook with feedback "
     "reverses the "
     "steering wheel when the roll rate has fallen near zero"},
    {"rollover_ay_mps2", "m/s2", "largest |ay|"},
    {"rollover_roll_rad", "rad", "largest |roll of the body|"},
    {"rollover_roll_rate_radps", "rad/s", "largest |roll rate|"},
    {"two_wheel_lift_start_s", "s", "first instant at which both wheels of a side carry no load"},
    {"two_wheel_lift_time_s", "s", "longest time for which both wheels of a side carry no load"},
    {"two_wheel_lift_height_m", "m",
     "greatest height above the road of the lower of the two wheels of a side that both carry no load"},
    {"two_wheel_lift", "1", "1: two_wheel_lift_height_m is 2 in, 50.8 mm, or more"},
};

static void compute(const vd_recorder *r, vd_metrics *out) {
  hook h;
  lift up = {.first = NAN};
  vd_result found = find_hook(r, &h), wheels = wheels_known(r);
  vd_result turned =
      vd_metric_good(&found) && h.reversal == 0 ? vd_metric_refused("the steering wheel does not turn back") : found;
  vd_result rolls = vd_metric_from_level(r, VD_L2, "body roll"), rates = vd_metric_from_level(r, VD_L3, "roll rate");
  if (vd_metric_good(&wheels)) {
    find_lift(r, VD_FL, VD_RL, &up);
    find_lift(r, VD_FR, VD_RR, &up);
  }
  vd_result height = height_of(r, wheels, up.height);
  bool lifted = vd_metric_good(&wheels) && !isnan(up.first);
  vd_set_metric(out, "static_stability_factor", stability_factor(r));
  vd_set_metric(out, "rollover_onset_s", at_onset(found, r, VD_SERIES_TIME, &h));
  vd_set_metric(out, "rollover_speed_mps", at_onset(found, r, VD_SERIES_VX, &h));
  vd_set_metric(out, "rollover_wheel_rad", vd_metric_peak(r, found, VD_SERIES_WHEEL));
  vd_set_metric(out, "steer_reversal_s", at_reversal(turned, r, VD_SERIES_TIME, &h));
  vd_set_metric(out, "roll_rate_at_reversal_radps", rate_at_reversal(turned, rates, r, &h));
  vd_set_metric(out, "rollover_ay_mps2", vd_metric_peak(r, found, VD_SERIES_AY));
  vd_set_metric(out, "rollover_roll_rad", vd_metric_peak(r, rolls, VD_SERIES_ROLL));
  vd_set_metric(out, "rollover_roll_rate_radps", vd_metric_peak(r, rates, VD_SERIES_ROLL_RATE));
  vd_set_metric(out, "two_wheel_lift_start_s",
                lifted                    ? vd_metric_known(up.first)
                : vd_metric_good(&wheels) ? vd_metric_refused("both wheels of a side are never off the road at the "
                                                              "same time")
                                          : wheels);
  vd_set_metric(out, "two_wheel_lift_time_s", vd_metric_of(wheels, up.longest));
  vd_set_metric(out, "two_wheel_lift_height_m", height);
  vd_set_metric(out, "two_wheel_lift", vd_metric_of(height, height.value >= min_lift ? 1.0 : 0.0));
}

const vd_metric_set vd_metrics_rollover = {VD_METRIC_SET(rollover, metrics, compute),
                                           .title = "two-wheel lift in a fishhook or J-turn", .standard = "NHTSA",
                                           .needs = VD_NEEDS_WHEELS, .view = VD_VIEW_LEAN};
