/* Transition test from straight ahead into a turn, ISO 13674-2, whose text was not read: the steering wheel turns
 * slowly and at a constant rate from the middle position. Yaw rate, lateral acceleration and steering torque are
 * evaluated over the steering wheel angle and over each other. Each metric states its own definition. All straight
 * lines are fitted over the same samples, with |ay| from fit_from to fit_to before the steering wheel stops.
 *
 * The response of a linear car to a ramp of the rate q is y = G q (t - T) when its modes have decayed: the slope over
 * the angle x = q t is the gain G, and the line crosses zero at x = q T. For a car without friction and play the dead
 * band is thus the rate times the delay, and goes to zero with the rate. The remaining dead band of a real car is
 * caused by friction. */
#include "metrics/metrics_impl.h"

#include "base/elementary.h"

#include <math.h>

static const double min_cover = 0.75; /* share of the window of ay that must be covered to fit lines over it */

/* Lines that are fitted to one quantity over another quantity. */
enum graph { YAW_WHEEL, AY_WHEEL, TORQUE_WHEEL, YAW_TIME, AY_TIME, WHEEL_TIME, TORQUE_AY, YAW_TORQUE, GRAPHS };

static const struct {
  enum vd_series_channel y, x;
} graphs[GRAPHS] = {
    [YAW_WHEEL] = {VD_SERIES_YAW_RATE, VD_SERIES_WHEEL},  [AY_WHEEL] = {VD_SERIES_AY, VD_SERIES_WHEEL},
    [TORQUE_WHEEL] = {VD_SERIES_TORQUE, VD_SERIES_WHEEL}, [YAW_TIME] = {VD_SERIES_YAW_RATE, VD_SERIES_TIME},
    [AY_TIME] = {VD_SERIES_AY, VD_SERIES_TIME},           [WHEEL_TIME] = {VD_SERIES_WHEEL, VD_SERIES_TIME},
    [TORQUE_AY] = {VD_SERIES_TORQUE, VD_SERIES_AY},       [YAW_TORQUE] = {VD_SERIES_YAW_RATE, VD_SERIES_TORQUE},
};

typedef struct passage {
  size_t from, to; /* first sample in which the steering wheel moves; last sample before it stops */
  double begins;   /* s */
  double side;     /* +1: to the left */
  double speed;    /* m/s, mean over the window */
  vd_fitted_line line[GRAPHS];
} passage;

static vd_result find(const vd_recorder *r, passage *p) {
  vd_result checked =
      VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_WHEEL, VD_SERIES_YAW_RATE, VD_SERIES_AY, VD_SERIES_VX);
  vd_series x = vd_series_of(r, VD_SERIES_WHEEL), t = vd_series_of(r, VD_SERIES_TIME);
  *p = (passage){.side = 1.0};
  if (!vd_metric_good(&checked))
    return checked;
  size_t i = p->from = vd_metric_onset(&x, vd_series_table[VD_SERIES_WHEEL].floor);
  if (i == r->count)
    return vd_metric_refused("the steering wheel does not move");
  if (i == 0)
    return vd_metric_refused("the steering wheel is turned from the start");
  p->begins = vd_metric_between(&t, i, vd_metric_leaves_rest(&x, i));
  p->side = x.sign;
  while (i + 1 < r->count && vd_series_at(&x, i + 1) > vd_series_at(&x, i))
    i++;
  p->to = i;
  return vd_metric_known(p->begins);
}

/* Returns the value of a channel at sample i. The time is counted from the start of the steering; all other values are
 * positive towards the side of the turn. */
static double value(const passage *p, const vd_recorder *r, enum vd_series_channel channel, size_t i) {
  vd_series x = vd_series_of(r, channel);
  return channel == VD_SERIES_TIME ? vd_series_at(&x, i) - p->begins : p->side * vd_series_at(&x, i);
}

static vd_result fit(const vd_recorder *r, double low, double high, passage *p) {
  double speed = 0.0, least = INFINITY, most = -INFINITY;
  for (size_t i = p->from; i <= p->to; i++) {
    double ay = p->side * r->sample[i].ay;
    if (!(ay >= low && ay <= high))
      continue;
    for (int k = 0; k < GRAPHS; k++)
      vd_line_add(&p->line[k], value(p, r, graphs[k].x, i), value(p, r, graphs[k].y, i));
    speed += r->sample[i].vx;
    least = vd_min(least, ay);
    most = vd_max(most, ay);
  }
  double n = p->line[AY_TIME].n;
  p->speed = speed / n;
  if (n > 2.0 && most - least >= min_cover * (high - low))
    return vd_metric_known(n);
  return n > 0.0
             ? vd_metric_refused("while the steering wheel turns, ay covers only %.3g to %.3g of %.3g to %.3g m/s2",
                                 least, most, low, high)
             : vd_metric_refused("while the steering wheel turns, ay is never between %.3g and %.3g m/s2", low, high);
}

/* Returns `fitted`, or the reason why there is no steering torque. */
static vd_result torque_known(const vd_recorder *r, vd_result fitted) {
  return vd_metric_both(fitted, vd_metric_both(vd_metric_from_level(r, VD_L1, "a steering torque"),
                                               VD_METRIC_USABLE(r, VD_SERIES_TORQUE)));
}

static vd_result slope(vd_result valid, const vd_fitted_line *line) {
  return vd_metric_of(valid, vd_line_slope(line));
}

/* Returns the abscissa at which the line is zero. */
static vd_result zero(vd_result valid, const vd_fitted_line *line) {
  return vd_metric_of(valid, line->x - line->y / vd_line_slope(line));
}

static vd_result at_zero(vd_result valid, const vd_fitted_line *line) {
  return vd_metric_of(valid, vd_line_at(line, 0.0));
}

static const vd_metric_info metrics[] = {
    {"transition_start_s", "s", "instant at which the steering wheel leaves zero"},
    {"transition_speed_mps", "m/s",
     "mean vx where |ay| is from fit_from to fit_to; lines are fitted over these samples, before the steering wheel "
     "stops"},
    {"transition_wheel_rate_radps", "rad/s", "rate of the steering wheel: slope of the steering-wheel angle over time"},
    {"transition_ay_rate_mps3", "m/s3", "rate of |ay|: slope of |ay| over time"},
    {"transition_yaw_rate_gradient_radps_per_rad", "1/s", "slope of the line of the yaw rate over the steering wheel"},
    {"transition_yaw_rate_wheel_deadband_rad", "rad",
     "steering-wheel angle at which the line of the yaw rate over this angle is zero"},
    {"transition_yaw_rate_delay_s", "s", "time after the start at which the line of the yaw rate over time is zero"},
    {"transition_ay_gradient_mps2_per_rad", "m/(s2 rad)", "slope of the line of ay over the steering wheel"},
    {"transition_ay_wheel_deadband_rad", "rad", "steering-wheel angle at which the line of ay over this angle is zero"},
    {"transition_ay_delay_s", "s", "time after the start at which the line of ay over time is zero"},
    {"transition_torque_gradient_Nm_per_rad", "N m/rad",
     "slope of the line of the steering torque over the steering wheel, to the side of the turn > 0"},
    {"transition_torque_0deg_Nm", "N m",
     "torque at the steering-wheel angle zero, on the line of the torque over "
     "this angle"},
    {"transition_torque_gradient_Nm_per_mps2", "N m s2/m", "slope of the line of the steering torque over ay"},
    {"transition_torque_0g_Nm", "N m", "torque at ay zero on the line of the torque over ay"},
    {"transition_torque_deadband_Nm", "N m", "torque at which the line of the yaw rate over the torque is zero"},
};

static void compute(const vd_recorder *r, vd_metrics *out) {
  passage p;
  const vd_result found = find(r, &p);
  const vd_result fitted = vd_metric_good(&found) ? fit(r, r->options->fit_from, r->options->fit_to, &p) : found;
  const vd_result torque = torque_known(r, fitted);
  const vd_fitted_line *line = p.line;
  vd_set_metric(out, "transition_start_s", found);
  vd_set_metric(out, "transition_speed_mps", vd_metric_of(fitted, p.speed));
  vd_set_metric(out, "transition_wheel_rate_radps", slope(fitted, &line[WHEEL_TIME]));
  vd_set_metric(out, "transition_ay_rate_mps3", slope(fitted, &line[AY_TIME]));
  vd_set_metric(out, "transition_yaw_rate_gradient_radps_per_rad", slope(fitted, &line[YAW_WHEEL]));
  vd_set_metric(out, "transition_yaw_rate_wheel_deadband_rad", zero(fitted, &line[YAW_WHEEL]));
  vd_set_metric(out, "transition_yaw_rate_delay_s", zero(fitted, &line[YAW_TIME]));
  vd_set_metric(out, "transition_ay_gradient_mps2_per_rad", slope(fitted, &line[AY_WHEEL]));
  vd_set_metric(out, "transition_ay_wheel_deadband_rad", zero(fitted, &line[AY_WHEEL]));
  vd_set_metric(out, "transition_ay_delay_s", zero(fitted, &line[AY_TIME]));
  vd_set_metric(out, "transition_torque_gradient_Nm_per_rad", slope(torque, &line[TORQUE_WHEEL]));
  vd_set_metric(out, "transition_torque_0deg_Nm", at_zero(torque, &line[TORQUE_WHEEL]));
  vd_set_metric(out, "transition_torque_gradient_Nm_per_mps2", slope(torque, &line[TORQUE_AY]));
  vd_set_metric(out, "transition_torque_0g_Nm", at_zero(torque, &line[TORQUE_AY]));
  vd_set_metric(out, "transition_torque_deadband_Nm", zero(torque, &line[YAW_TORQUE]));
}

const vd_metric_set vd_metrics_transition = {VD_METRIC_SET(transition, metrics, compute),
                                             .title = "transition from straight ahead into a turn",
                                             .standard = "ISO 13674-2, not read", .view = VD_VIEW_STEERING};
