/* Weave test about the straight-ahead position, ISO 13674-1:2023, whose full text was not read: the cross plots of yaw
 * rate, of ay and of the steering torque over the steering wheel angle, and the plot of the torque over ay. The
 * steering torque of a car with a column contains friction and assistance, as in the standard; without a column it is
 * the torque of the tyres alone.
 *
 * For a sine x = X sin(w t) and a response y = Y sin(w t - p) the plot is an ellipse. The ellipse crosses x = 0 at y =
 * -+ Y sin p, and y = 0 at x = +- X sin p, so that the dead bands are 2 Y sin p and 2 X sin p. The slope where y = 0 is
 * Y/(X cos p), the slope of the straight line through all points with |x| below a bound is (Y/X) cos p. The area is pi
 * X Y sin p, the lag p/w. The slope at y = Y sin a is (Y/X) cos a/cos(a + p).
 *
 * Minimum sensitivity, torque at 0.1 g and linearity are quantities of Norman (SAE 840069). The definitions of the
 * standard were not available, so that each metric states its own definition. */
#include "metrics/metrics_impl.h"

#include "base/elementary.h"

#include <math.h>

static const double middle = 0.5; /* share of the amplitude of x within which the straight line is fitted */
static const double tenth_g = 0.1 * VD_GRAVITY;

/* Whole periods between two rises of the steering wheel through zero; the first period after the start is left out. */
typedef struct weave {
  const vd_recorder *r;
  size_t from, to; /* first samples after the first and the last rise */
  double begin, end;
  double cycles;
  double size; /* rad, amplitude of the fundamental */
} weave;

/* Quantities of one cross plot, in the units of y and x. */
typedef struct loop {
  double ordinate, abscissa; /* mean widths of the loop at x = 0 and at y = 0 */
  double slope, slope_zero;  /* slope of the straight line; mean slope of the two branches at y = 0 */
  double area;
  double size, lag; /* amplitude of the fundamental of y; lag behind x, s */
} loop;

static vd_result find_cycles(const vd_recorder *r, weave *w) {
  vd_result checked =
      VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_WHEEL, VD_SERIES_YAW_RATE, VD_SERIES_AY, VD_SERIES_VX);
  vd_series x = vd_series_of(r, VD_SERIES_WHEEL), t = vd_series_of(r, VD_SERIES_TIME);
  size_t rises = 0;
  *w = (weave){.r = r};
  if (!vd_metric_good(&checked))
    return checked;
  for (size_t i = vd_metric_rises_through(&x, 1, 0.0); i; i = vd_metric_rises_through(&x, i + 1, 0.0)) {
    double at = vd_metric_between(&t, i, vd_metric_share(&x, i, 0.0));
    if (++rises == 1) {
      w->from = i;
      w->begin = at;
    }
    w->to = i;
    w->end = at;
  }
  w->cycles = (double)rises - 1.0;
  return rises >= 2 ? vd_metric_known(w->cycles)
                    : vd_metric_refused("the steering wheel does not weave: it rises through zero %zu times", rises);
}

static double angular(const weave *w) {
  return 2.0 * VD_PI * w->cycles / (w->end - w->begin);
}

/* Computes the fundamental of a channel over the whole periods: 2/T times the integral of its product with sine and
 * cosine, by the trapezoidal rule. For a smooth periodic function these sums over whole periods are exact, except in
 * the two steps within which the periods begin and end. */
static void fundamental(const weave *w, enum vd_series_channel channel, double *sine, double *cosine) {
  double rate = angular(w), t = w->begin, s0 = 0.0, c0 = 0.0, a = vd_metric_value(w->r, channel, t);
  for (size_t i = w->from; i <= w->to; i++) {
    double next = vd_min(w->r->sample[i].t, w->end), b = vd_metric_value(w->r, channel, next), h = next - t;
    s0 += 0.5 * h * (a * vd_sin(rate * (t - w->begin)) + b * vd_sin(rate * (next - w->begin)));
    c0 += 0.5 * h * (a * vd_cos(rate * (t - w->begin)) + b * vd_cos(rate * (next - w->begin)));
    t = next;
    a = b;
  }
  *sine = 2.0 * s0 / (w->end - w->begin);
  *cosine = 2.0 * c0 / (w->end - w->begin);
}

/* Means at the instants at which a series passes zero: two means of another series, one for each direction of the pass,
 * and the mean slope of y over x. */
typedef struct passes {
  double rising, falling; /* mean values */
  double slope;           /* mean slope of y over x */
} passes;

/* Returns the slope of y over x about sample i. */
static double chord(const vd_series *x, const vd_series *y, size_t i) {
  return (vd_series_at(y, i + 1) - vd_series_at(y, i - 1)) / (vd_series_at(x, i + 1) - vd_series_at(x, i - 1));
}

static passes pass(const weave *w, const vd_series *zero, const vd_series *value, const vd_series *x,
                   const vd_series *y) {
  double sum[2] = {0.0, 0.0}, count[2] = {0.0, 0.0}, slope = 0.0;
  for (size_t i = w->from; i < w->to; i++) {
    double a = vd_series_at(zero, i - 1), b = vd_series_at(zero, i);
    if ((a < 0.0) == (b < 0.0))
      continue;
    double part = a / (a - b);
    sum[a > b] += vd_series_at(value, i - 1) + part * (vd_series_at(value, i) - vd_series_at(value, i - 1));
    count[a > b] += 1.0;
    slope += (1.0 - part) * chord(x, y, i - 1) + part * chord(x, y, i);
  }
  return (passes){sum[0] / count[0], sum[1] / count[1], slope / (count[0] + count[1])};
}

/* Means at all instants at which |x| rises through a level: the mean of y, with the sign reversed for x < 0, and the
 * mean slope of y over x. */
typedef struct outward {
  double value, slope, count;
} outward;

static outward pass_outward(const weave *w, const vd_series *x, const vd_series *y, double level) {
  outward o = {0.0, 0.0, 0.0};
  for (size_t i = w->from; i < w->to; i++) {
    double b = vd_series_at(x, i), side = b < 0.0 ? -1.0 : 1.0, a = side * vd_series_at(x, i - 1);
    b *= side;
    if (!(a < level && b >= level))
      continue;
    double part = (level - a) / (b - a), from = vd_series_at(y, i - 1), to = vd_series_at(y, i);
    o.value += side * (from + part * (to - from));
    o.slope += (1.0 - part) * chord(x, y, i - 1) + part * chord(x, y, i);
    o.count += 1.0;
  }
  o.value /= o.count;
  o.slope /= o.count;
  return o;
}

static vd_result study(const weave *w, vd_result found, enum vd_series_channel over, enum vd_series_channel channel,
                       loop *out) {
  vd_series x = vd_series_of(w->r, over), y = vd_series_of(w->r, channel);
  double sine, cosine, xs, xc;
  if (!vd_metric_good(&found))
    return found;
  if (w->from < 2 || w->to + 2 >= w->r->count)
    return vd_metric_refused("there are no samples before and after the whole periods");
  fundamental(w, over, &xs, &xc);
  fundamental(w, channel, &sine, &cosine);
  double size = vd_hypot(xs, xc), lag = remainder(vd_atan2(xc, xs) - vd_atan2(cosine, sine), 2.0 * VD_PI);
  out->size = vd_hypot(sine, cosine);
  out->lag = lag / angular(w);
  if (!(out->size > vd_series_table[channel].floor) || !(size > vd_series_table[over].floor))
    return vd_metric_refused("%s does not respond",
                             vd_series_table[out->size > vd_series_table[channel].floor ? over : channel].name);
  vd_fitted_line line = {0};
  double x0 = vd_metric_value(w->r, over, w->begin), y0 = vd_metric_value(w->r, channel, w->begin);
  out->area = 0.0;
  for (size_t i = w->from; i <= w->to; i++) {
    double t = vd_min(w->r->sample[i].t, w->end);
    double x1 = vd_metric_value(w->r, over, t), y1 = vd_metric_value(w->r, channel, t);
    out->area += 0.5 * (y0 + y1) * (x1 - x0);
    if (fabs(x1) <= middle * size)
      vd_line_add(&line, x1, y1);
    x0 = x1;
    y0 = y1;
  }
  out->area = fabs(out->area) / w->cycles;
  out->slope = vd_line_slope(&line);
  passes at_x = pass(w, &x, &y, &x, &y), at_y = pass(w, &y, &x, &x, &y);
  out->ordinate = fabs(at_x.rising - at_x.falling);
  out->abscissa = fabs(at_y.rising - at_y.falling);
  out->slope_zero = at_y.slope;
  return vd_metric_known(size);
}

static const vd_metric_info metrics[] = {
    {"weave_cycles", "1",
     "number of whole periods of the steering wheel between its first rise through zero after the start and its last "
     "rise"},
    {"weave_frequency_Hz", "Hz", "frequency of the steering wheel, from its rises through zero"},
    {"weave_speed_mps", "m/s", "vx at the start of the first whole period"},
    {"weave_wheel_rad", "rad", "amplitude of the fundamental of the steering wheel angle"},
    {"weave_ay_mps2", "m/s2", "amplitude of the fundamental of ay"},
    {"weave_yaw_rate_radps", "rad/s", "amplitude of the fundamental of the yaw rate"},
    {"weave_ay_lag_s", "s", "phase of ay behind the steering wheel, divided by the angular frequency"},
    {"weave_yaw_rate_lag_s", "s", "phase of the yaw rate behind the steering wheel, divided by the angular frequency"},
    {"weave_ay_slope_mps2_per_rad", "m/(s2 rad)",
     "slope of ay over the steering wheel by least squares, within half of the steering wheel's amplitude"},
    {"weave_yaw_rate_slope_radps_per_rad", "1/s",
     "slope of the yaw rate over the steering wheel by least squares, within half of the steering wheel's amplitude"},
    {"weave_sensitivity_g_per_100deg", "g/100 deg",
     "steering sensitivity: slope of ay over the steering wheel where ay passes zero, mean of both branches"},
    {"weave_sensitivity_mps2_per_rad", "m/(s2 rad)",
     "steering sensitivity in SI: slope of ay over the steering wheel where ay passes zero, mean of both branches"},
    {"weave_sensitivity_min_g_per_100deg", "g/100 deg",
     "minimum steering sensitivity: least slope of ay over the steering wheel where |ay| is at most 0.1 g and half "
     "of its amplitude"},
    {"weave_sensitivity_linearity", "1",
     "least slope of ay over the steering wheel divided by the greatest, where |ay| is at most 0.1 g and half of its "
     "amplitude"},
    {"weave_ay_deadband_mps2", "m/s2",
     "width of the loop of ay over the steering wheel where the steering wheel passes zero"},
    {"weave_ay_wheel_deadband_rad", "rad",
     "width of the loop of ay over the steering wheel, along the steering wheel, where ay passes zero"},
    {"weave_ay_hysteresis_radmps2", "rad m/s2", "area of the loop of ay over the steering wheel, per period"},
    {"weave_yaw_rate_deadband_radps", "rad/s",
     "width of the loop of the yaw rate over the steering wheel where the steering wheel passes zero"},
    {"weave_yaw_rate_wheel_deadband_rad", "rad",
     "width of the loop of the yaw rate over the steering wheel, along the steering wheel, where the yaw rate passes "
     "zero"},
    {"weave_yaw_rate_hysteresis_rad2ps", "rad2/s",
     "area of the loop of the yaw rate over the steering wheel, per period"},
    {"weave_torque_Nm", "N m", "amplitude of the fundamental of the steering torque"},
    {"weave_torque_lag_s", "s",
     "phase of the steering torque behind the steering wheel, divided by the angular frequency"},
    {"weave_torque_slope_Nm_per_rad", "N m/rad",
     "steering stiffness: slope of the torque over the steering wheel by least squares, within half of the steering "
     "wheel's amplitude"},
    {"weave_torque_hysteresis_Nmrad", "N m rad", "area of the loop of the torque over the steering wheel, per period"},
    {"weave_torque_0g_Nm", "N m",
     "torque at 0 g: half of the width of the loop of the torque over ay where ay passes zero"},
    {"weave_torque_gradient_Nm_per_mps2", "N m s2/m",
     "torque gradient: slope of the torque over ay by least squares, within half of the amplitude of ay"},
    {"weave_torque_ay_deadband_mps2", "m/s2",
     "width of the loop of the torque over ay, along ay, where the torque passes zero"},
    {"weave_torque_wheel_deadband_rad", "rad",
     "steering hysteresis: width of the loop of the torque over the steering wheel along the steering wheel where the "
     "torque passes zero"},
    {"weave_torque_tenth_g_Nm", "N m",
     "torque at 0.1 g: mean of the torque where |ay| rises through 0.1 g, > 0 towards the side of ay"},
    {"weave_torque_linearity", "1",
     "slope of the torque over ay where |ay| rises through half of its amplitude, divided by the slope where ay passes "
     "zero; means over all passes"},
};

/* Sets the least and the greatest slope of ay over the steering wheel angle where |ay| is at most 0.1 g and half of its
 * amplitude. */
static void set_sensitivities(const weave *w, vd_result swaying, double size, double unit, vd_metrics *out) {
  vd_series x = vd_series_of(w->r, VD_SERIES_WHEEL), y = vd_series_of(w->r, VD_SERIES_AY);
  double bound = vd_min(tenth_g, middle * size), least = INFINITY, most = -INFINITY;
  for (size_t i = w->from; i < w->to && vd_metric_good(&swaying); i++)
    if (fabs(vd_series_at(&y, i)) <= bound) {
      double slope = chord(&x, &y, i);
      least = vd_min(least, slope);
      most = vd_max(most, slope);
    }
  vd_set_metric(out, "weave_sensitivity_min_g_per_100deg", vd_metric_of(swaying, least * unit));
  vd_set_metric(out, "weave_sensitivity_linearity", vd_metric_of(swaying, least / most));
}

static void set_torque_over_ay(const weave *w, vd_result by_ay, double size, vd_metrics *out) {
  vd_series x = vd_series_of(w->r, VD_SERIES_AY), y = vd_series_of(w->r, VD_SERIES_TORQUE);
  vd_result at_tenth = by_ay, linear = by_ay;
  if (vd_metric_good(&by_ay)) {
    outward tenth = pass_outward(w, &x, &y, tenth_g), half = pass_outward(w, &x, &y, middle * size);
    passes zero = pass(w, &x, &y, &x, &y);
    at_tenth = tenth.count > 0.0 ? vd_metric_known(tenth.value)
                                 : vd_metric_refused("ay stays below 0.1 g: its amplitude is %.3g m/s2", size);
    linear = vd_metric_known(half.slope / zero.slope);
  }
  vd_set_metric(out, "weave_torque_tenth_g_Nm", at_tenth);
  vd_set_metric(out, "weave_torque_linearity", linear);
}

static void set_torque(const weave *w, vd_result found, double sway, vd_metrics *out) {
  loop wheel = {0}, ay = {0};
  if (vd_metric_good(&found) && w->r->rows && w->r->level == VD_L0)
    found = vd_metric_refused("this level has no steering torque");
  found = vd_metric_both(found, VD_METRIC_USABLE(w->r, VD_SERIES_TORQUE));
  vd_result by_wheel = study(w, found, VD_SERIES_WHEEL, VD_SERIES_TORQUE, &wheel);
  vd_result by_ay = study(w, found, VD_SERIES_AY, VD_SERIES_TORQUE, &ay);
  vd_set_metric(out, "weave_torque_Nm", vd_metric_of(by_wheel, wheel.size));
  vd_set_metric(out, "weave_torque_lag_s", vd_metric_of(by_wheel, wheel.lag));
  vd_set_metric(out, "weave_torque_slope_Nm_per_rad", vd_metric_of(by_wheel, wheel.slope));
  vd_set_metric(out, "weave_torque_hysteresis_Nmrad", vd_metric_of(by_wheel, wheel.area));
  vd_set_metric(out, "weave_torque_0g_Nm", vd_metric_of(by_ay, 0.5 * ay.ordinate));
  vd_set_metric(out, "weave_torque_gradient_Nm_per_mps2", vd_metric_of(by_ay, ay.slope));
  vd_set_metric(out, "weave_torque_ay_deadband_mps2", vd_metric_of(by_ay, ay.abscissa));
  vd_set_metric(out, "weave_torque_wheel_deadband_rad", vd_metric_of(by_wheel, wheel.abscissa));
  set_torque_over_ay(w, by_ay, sway, out);
}

static void compute(const vd_recorder *r, vd_metrics *out) {
  weave w;
  loop yaw = {0}, ay = {0};
  double per_100_deg = 100.0 * VD_PI / 180.0 / VD_GRAVITY;
  vd_result found = find_cycles(r, &w);
  vd_result turning = study(&w, found, VD_SERIES_WHEEL, VD_SERIES_YAW_RATE, &yaw);
  vd_result swaying = study(&w, found, VD_SERIES_WHEEL, VD_SERIES_AY, &ay);
  bool good = vd_metric_good(&found);
  vd_set_metric(out, "weave_cycles", found);
  vd_set_metric(out, "weave_frequency_Hz", vd_metric_of(found, good ? w.cycles / (w.end - w.begin) : NAN));
  vd_set_metric(out, "weave_speed_mps", vd_metric_of(found, good ? vd_metric_value(r, VD_SERIES_VX, w.begin) : NAN));
  vd_set_metric(out, "weave_wheel_rad", swaying);
  vd_set_metric(out, "weave_ay_mps2", vd_metric_of(swaying, ay.size));
  vd_set_metric(out, "weave_yaw_rate_radps", vd_metric_of(turning, yaw.size));
  vd_set_metric(out, "weave_ay_lag_s", vd_metric_of(swaying, ay.lag));
  vd_set_metric(out, "weave_yaw_rate_lag_s", vd_metric_of(turning, yaw.lag));
  vd_set_metric(out, "weave_ay_slope_mps2_per_rad", vd_metric_of(swaying, ay.slope));
  vd_set_metric(out, "weave_yaw_rate_slope_radps_per_rad", vd_metric_of(turning, yaw.slope));
  vd_set_metric(out, "weave_sensitivity_g_per_100deg", vd_metric_of(swaying, ay.slope_zero * per_100_deg));
  vd_set_metric(out, "weave_sensitivity_mps2_per_rad", vd_metric_of(swaying, ay.slope_zero));
  vd_set_metric(out, "weave_ay_deadband_mps2", vd_metric_of(swaying, ay.ordinate));
  vd_set_metric(out, "weave_ay_wheel_deadband_rad", vd_metric_of(swaying, ay.abscissa));
  vd_set_metric(out, "weave_ay_hysteresis_radmps2", vd_metric_of(swaying, ay.area));
  vd_set_metric(out, "weave_yaw_rate_deadband_radps", vd_metric_of(turning, yaw.ordinate));
  vd_set_metric(out, "weave_yaw_rate_wheel_deadband_rad", vd_metric_of(turning, yaw.abscissa));
  vd_set_metric(out, "weave_yaw_rate_hysteresis_rad2ps", vd_metric_of(turning, yaw.area));
  set_sensitivities(&w, swaying, ay.size, per_100_deg, out);
  set_torque(&w, found, ay.size, out);
}

const vd_metric_set vd_metrics_on_centre = {VD_METRIC_SET(on_centre, metrics, compute),
                                            .title = "weave about straight ahead", .standard = "ISO 13674-1",
                                            .view = VD_VIEW_STEERING};
