/* Steady-state circular driving after ISO 4138:2021, by any of its methods: constant radius, constant speed, constant
 * steering wheel angle. The full text of the standard was not read; the definitions follow the literature (Zomotor,
 * Fahrwerktechnik: Fahrverhalten; Mitschke, Wallentowitz, Dynamik der Kraftfahrzeuge).
 *
 * A run that changes slowly is a sequence of nearly steady states. In each state the curvature of the path of the
 * centre of gravity is 1/R = r/v, with the yaw rate r, the speed v and the side of the turn counted positive. The
 * geometry of the turn requires the road wheel angle L/R, with the wheelbase L. The additional road wheel angle is
 * delta - L/R. The slope of this angle over ay is the understeer gradient
 *   U = d(delta)/d(ay) - d(L/R)/d(ay).
 * The second term is 0 on a constant radius and L/v^2 at a constant speed. At a constant steering angle the first term
 * is 0. */
#include "metrics/metrics_impl.h"

#include "base/elementary.h"

#include <assert.h>
#include <math.h>

static const double slow = 1.0; /* m/s, least speed of the evaluated states */
/* nearly steady: ay changes by at most this rate over the span before and after */
static const double quasi_steady_rate = 1.0;  /* m/s3 */
static const double quasi_steady_span = 0.25; /* s */
static const double min_cover = 0.75;         /* share of a window of ay that must be covered for a slope */
static const double speed_may_fall = 0.01;    /* allowed fall of the speed, as a share of the highest speed so far */
/* factors: at the limit, an increase of the demand (speed and steering) by more_demand increases ay by less than
 * more_ay */
static const double more_demand = 1.1, more_ay = 1.02;
static const double near = 0.5; /* m/s2, half of the window for a gradient about one ay */

/* Quantities that are fitted over ay. */
enum quantity { WHEEL, GEOMETRY, BEYOND, SIDESLIP, OWN_SIDESLIP, ROLL, QUANTITIES };

/* Quantities, one of which a method keeps constant. */
enum controlled { SPEED, RADIUS, STEER, CONTROLLED };

typedef struct circle_fit {
  vd_result valid;
  vd_fitted_line line[QUANTITIES];
  double least[CONTROLLED], highest[CONTROLLED], sum[CONTROLLED];
} circle_fit;

typedef struct circle_study {
  const vd_recorder *r;
  size_t reach;
  double side; /* +1: the turn with the greatest nearly steady ay goes to the left */
  double most; /* m/s2, greatest change of ay within the span for a nearly steady state */
  double greatest;
} circle_study;

static bool steady_at(const circle_study *s, size_t i) {
  vd_series ay = vd_series_of(s->r, VD_SERIES_AY);
  return s->r->sample[i].vx > slow && vd_metric_quasi_steady(&ay, i, s->reach, s->most);
}

static double curvature(const vd_sample *p) {
  return p->yaw_rate / vd_hypot(p->vx, p->vy);
}

static double beyond(const circle_study *s, const vd_sample *p) {
  return s->side * (p->steer - s->r->car.wheelbase * curvature(p));
}

static vd_result study(const vd_recorder *r, circle_study *s) {
  vd_result checked = VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_STEER, VD_SERIES_WHEEL, VD_SERIES_VX, VD_SERIES_VY,
                                       VD_SERIES_AY, VD_SERIES_ROLL, VD_SERIES_SIDESLIP, VD_SERIES_YAW_RATE);
  if (!vd_metric_good(&checked))
    return checked;
  *s = (circle_study){.r = r, .side = 1.0, .reach = vd_metric_reach(r, quasi_steady_span), .greatest = -INFINITY};
  s->most = quasi_steady_rate * (double)s->reach * (vd_recorder_last(r)->t - r->first.t) / (double)(r->count - 1);
  for (size_t i = 0; i < r->count; i++)
    if (steady_at(s, i) && fabs(r->sample[i].ay) > s->greatest) {
      s->greatest = fabs(r->sample[i].ay);
      s->side = copysign(1.0, r->sample[i].ay);
    }
  return s->greatest >= 0.0 ? vd_metric_known(s->greatest)
                            : vd_metric_refused("ay is nowhere nearly steady at more than 1 m/s");
}

static void take(const circle_study *s, const vd_sample *p, circle_fit *fit) {
  double ay = s->side * p->ay, bend = s->side * curvature(p), value[CONTROLLED];
  double to_rear = s->r->car.wheelbase - s->r->car.to_front;
  vd_line_add(&fit->line[WHEEL], ay, s->side * p->steering_wheel);
  vd_line_add(&fit->line[GEOMETRY], ay, s->r->car.wheelbase * bend);
  vd_line_add(&fit->line[BEYOND], ay, beyond(s, p));
  vd_line_add(&fit->line[SIDESLIP], ay, s->side * p->sideslip);
  vd_line_add(&fit->line[OWN_SIDESLIP], ay, s->side * p->sideslip - to_rear * bend);
  vd_line_add(&fit->line[ROLL], ay, s->side * p->roll);
  value[SPEED] = p->vx;
  value[RADIUS] = 1.0 / bend;
  value[STEER] = s->side * p->steer;
  bool first = fit->line[ROLL].n == 1.0;
  for (int k = 0; k < CONTROLLED; k++) {
    fit->least[k] = first ? value[k] : vd_min(fit->least[k], value[k]);
    fit->highest[k] = first ? value[k] : vd_max(fit->highest[k], value[k]);
    fit->sum[k] += value[k];
  }
}

static bool within(const circle_study *s, size_t i, double low, double high) {
  const vd_sample *p = &s->r->sample[i];
  double ay = s->side * p->ay;
  return ay >= low && ay <= high && steady_at(s, i) && s->side * p->yaw_rate > 0.0;
}

/* Fits lines to the nearly steady states with ay from low to high, if the speed does not fall in this range. */
static circle_fit fit_over(const circle_study *s, double low, double high) {
  circle_fit fit = {.valid = vd_metric_known(0.0)};
  double fastest = 0.0;
  for (size_t i = 0; i < s->r->count; i++) {
    const vd_sample *p = &s->r->sample[i];
    if (!within(s, i, low, high))
      continue;
    fastest = vd_max(fastest, p->vx);
    if (!(p->vx >= (1.0 - speed_may_fall) * fastest)) {
      fit.valid =
          vd_metric_refused("the speed falls in the turn, from %.4g to %.4g m/s at t = %.4g s", fastest, p->vx, p->t);
      return fit;
    }
    take(s, p, &fit);
  }
  const vd_fitted_line *line = &fit.line[ROLL];
  if (!(line->n > 2.0 && line->highest - line->least >= min_cover * (high - low)))
    fit.valid = line->n > 0.0 ? vd_metric_refused("nearly steady ay covers only %.3g to %.3g of %.3g to %.3g m/s2",
                                                  line->least, line->highest, low, high)
                              : vd_metric_refused("ay is nowhere nearly steady between %.3g and %.3g m/s2", low, high);
  return fit;
}

static vd_result slope(const circle_fit *fit, enum quantity which) {
  return vd_metric_good(&fit->valid) ? vd_metric_known(vd_line_slope(&fit->line[which])) : fit->valid;
}

/* Studies the run, and fits lines over the whole window. *found: the greatest steady ay. */
static circle_fit fit_window(const vd_recorder *r, circle_study *s, vd_result *found) {
  *found = study(r, s);
  if (vd_metric_good(found) && !(r->car.wheelbase > 0.0))
    *found = vd_metric_refused("the wheelbase is not known");
  return vd_metric_good(found) ? fit_over(s, r->options->fit_from, r->options->fit_to) : (circle_fit){.valid = *found};
}

vd_result vd_circle_lines(const vd_recorder *r, vd_circle_values *values, size_t count, vd_fitted_line *line) {
  circle_study s = {0};
  vd_result found;
  circle_fit fit = fit_window(r, &s, &found);
  double value[VD_METRICS_MAX];
  assert(count <= VD_COUNT(value));
  for (size_t i = 0; vd_metric_good(&fit.valid) && i < r->count; i++)
    if (within(&s, i, r->options->fit_from, r->options->fit_to) && values(r, i, value))
      for (size_t k = 0; k < count; k++)
        vd_line_add(&line[k], s.side * r->sample[i].ay, s.side * value[k]);
  return slope(&fit, BEYOND);
}

/* Returns the first ay above the window of the fit at which delta - L/R differs from the fitted line by more than a
 * tolerance. */
static vd_result linear_range(const circle_study *s, const circle_fit *fit, double from, double tolerance) {
  if (!vd_metric_good(&fit->valid))
    return fit->valid;
  for (size_t i = 0; i < s->r->count; i++) {
    const vd_sample *p = &s->r->sample[i];
    double ay = s->side * p->ay;
    if (ay > from && steady_at(s, i) && !(fabs(beyond(s, p) - vd_line_at(&fit->line[BEYOND], ay)) <= tolerance))
      return vd_metric_known(ay);
  }
  return vd_metric_refused("the car is within the tolerance of the line up to the greatest steady ay, %.3g m/s2",
                           s->greatest);
}

/* Returns the ay that the car would have at a speed and steering angle if it were linear, v^2 delta/(L + U v^2). If the
 * car oversteers, U is set to 0, so that the growth of ay is not overestimated. */
static double linear_ay(const circle_study *s, const vd_sample *p, double gradient) {
  double v2 = p->vx * p->vx;
  return v2 * s->side * p->steer / (s->r->car.wheelbase + vd_max(gradient, 0.0) * v2);
}

/* Returns the greatest steady ay, if the run shows that this ay is the limit: at the end of the run more demand hardly
 * increases ay. */
static vd_result limit(const circle_study *s, vd_result gradient) {
  double first = INFINITY, last = 0.0;
  for (size_t i = 0; vd_metric_good(&gradient) && i < s->r->count; i++) {
    const vd_sample *p = &s->r->sample[i];
    double wanted = steady_at(s, i) ? linear_ay(s, p, gradient.value) : NAN;
    if (wanted > last)
      last = wanted;
    if (wanted < first && s->side * p->ay * more_ay >= s->greatest)
      first = wanted;
  }
  if (!vd_metric_good(&gradient) || last > more_demand * first)
    return vd_metric_of(gradient, s->greatest);
  return vd_metric_refused("the run ends at %.3g m/s2 before the car's limit: faster or tighter turns increase ay",
                           s->greatest);
}

/* Returns the speed sqrt(L/|U|) if U has the given sign; otherwise the result has the reason `why'. */
static vd_result special_speed(const vd_recorder *r, vd_result gradient, double sign, const char *why) {
  if (!vd_metric_good(&gradient))
    return gradient;
  return sign * gradient.value > 0.0 ? vd_metric_known(sqrt(r->car.wheelbase / (sign * gradient.value)))
                                     : vd_metric_refused("%s", why);
}

static const vd_metric_info metrics[] = {
    {"circular_fit_from_mps2", "m/s2",
     "least |ay| of the nearly steady states from fit_from to fit_to, over which the lines are fitted"},
    {"circular_fit_to_mps2", "m/s2", "greatest |ay| of the nearly steady states from fit_from to fit_to"},
    {"circular_speed_mps", "m/s", "mean vx within the window from fit_from to fit_to"},
    {"circular_speed_spread", "1",
     "(highest - least)/mean of vx within the window; near 0 if the method keeps vx constant"},
    {"circular_radius_m", "m", "mean radius of the course of the centre of gravity within the window"},
    {"circular_radius_spread", "1",
     "(highest - least)/mean of the radius within the window; near 0 if the method keeps the radius constant"},
    {"circular_steer_rad", "rad", "mean road wheel angle within the window, into the turn > 0"},
    {"circular_steer_spread", "1",
     "(highest - least)/mean of the road wheel angle within the window; near 0 if the method keeps the angle constant"},
    {"understeer_gradient_rad_per_mps2", "rad s2/m",
     "d(delta)/d(ay) - d(L/R)/d(ay), delta the mean road wheel angle, 1/R = yaw rate/speed; ISO 4138"},
    {"understeer_gradient_deg_per_g", "deg/g", "understeer gradient in degrees per g"},
    {"steering_wheel_gradient_rad_per_mps2", "rad s2/m",
     "d(steering wheel angle)/d(ay), including the part by geometry; ISO 4138"},
    {"ackermann_gradient_rad_per_mps2", "rad s2/m",
     "d(L/R)/d(ay): 0 on a constant radius, L/v^2 at a constant speed; ISO 4138"},
    {"sideslip_gradient_rad_per_mps2", "rad s2/m", "d(side slip angle)/d(ay) of the centre of gravity; ISO 4138"},
    {"sideslip_own_gradient_rad_per_mps2", "rad s2/m",
     "d(side slip angle - b/R)/d(ay), b the distance from the centre of gravity to the rear axle: the part by the "
     "geometry of the turn is left out"},
    {"roll_gradient_rad_per_mps2", "rad s2/m", "d(roll of the body)/d(ay); ISO 4138"},
    {"stability_factor_s2pm2", "s2/m2",
     "K = understeer gradient/wheelbase, so that yaw rate/delta = v/(L (1 + K v^2))"},
    {"characteristic_speed_mps", "m/s",
     "sqrt(1/K): speed at which the yaw rate gain of an understeering car is greatest"},
    {"critical_speed_mps", "m/s", "sqrt(-1/K): speed above which an oversteering car is unstable"},
    {"understeer_gradient_2_rad_per_mps2", "rad s2/m", "understeer gradient over ay from 1.5 to 2.5 m/s2"},
    {"understeer_gradient_4_rad_per_mps2", "rad s2/m", "understeer gradient over ay from 3.5 to 4.5 m/s2"},
    {"understeer_gradient_6_rad_per_mps2", "rad s2/m", "understeer gradient over ay from 5.5 to 6.5 m/s2"},
    {"linear_range_mps2", "m/s2",
     "first |ay| above fit_to at which delta - L/R deviates from the fitted line by more than linear_tolerance"},
    {"steady_ay_reached_mps2", "m/s2",
     "greatest |ay| that changes by no more than 1 m/s3 over 0.25 s before and after; the run may end below the car's "
     "limit"},
    {"steady_ay_limit_mps2", "m/s2",
     "steady_ay_reached, if it is the car's limit: over the last 2 % of ay, the ay of a linear car, v^2 delta/(L + U "
     "v^2) with U at least 0, grows by 10 %"},
};

static void set_controlled(const circle_fit *fit, vd_metrics *out) {
  static const char *const name[CONTROLLED] = {[SPEED] = "speed", [RADIUS] = "radius", [STEER] = "steer"};
  static const char *const unit[CONTROLLED] = {[SPEED] = "mps", [RADIUS] = "m", [STEER] = "rad"};
  bool good = vd_metric_good(&fit->valid);
  for (int i = 0; i < CONTROLLED; i++) {
    double average = good ? fit->sum[i] / fit->line[ROLL].n : NAN,
           spread = good ? (fit->highest[i] - fit->least[i]) / fabs(average) : NAN;
    vd_set_metric_named(out, vd_metric_of(fit->valid, average), "circular_%s_%s", name[i], unit[i]);
    vd_set_metric_named(out, vd_metric_of(fit->valid, spread), "circular_%s_spread", name[i]);
  }
}

static void set_gradients(const circle_fit *fit, vd_result rolls, vd_metrics *out) {
  vd_result roll = vd_metric_good(&rolls) ? slope(fit, ROLL) : rolls;
  vd_set_metric(out, "understeer_gradient_rad_per_mps2", slope(fit, BEYOND));
  vd_set_metric(out, "understeer_gradient_deg_per_g", vd_metric_scaled(slope(fit, BEYOND), 180.0 / VD_PI * VD_GRAVITY));
  vd_set_metric(out, "steering_wheel_gradient_rad_per_mps2", slope(fit, WHEEL));
  vd_set_metric(out, "ackermann_gradient_rad_per_mps2", slope(fit, GEOMETRY));
  vd_set_metric(out, "sideslip_gradient_rad_per_mps2", slope(fit, SIDESLIP));
  vd_set_metric(out, "sideslip_own_gradient_rad_per_mps2", slope(fit, OWN_SIDESLIP));
  vd_set_metric(out, "roll_gradient_rad_per_mps2", roll);
}

static void set_local(const circle_study *s, vd_result found, vd_metrics *out) {
  for (int ay = 2; ay <= 6; ay += 2) {
    circle_fit fit = {.valid = found};
    if (vd_metric_good(&found))
      fit = fit_over(s, ay - near, ay + near);
    vd_set_metric_named(out, slope(&fit, BEYOND), "understeer_gradient_%d_rad_per_mps2", ay);
  }
}

static void compute(const vd_recorder *r, vd_metrics *out) {
  circle_study s = {0};
  vd_result rolls = vd_metric_from_level(r, VD_L2, "body roll");
  vd_result found;
  circle_fit fit = fit_window(r, &s, &found);
  bool good = vd_metric_good(&fit.valid);
  vd_result gradient = slope(&fit, BEYOND);
  vd_set_metric(out, "circular_fit_from_mps2", good ? vd_metric_known(fit.line[ROLL].least) : fit.valid);
  vd_set_metric(out, "circular_fit_to_mps2", good ? vd_metric_known(fit.line[ROLL].highest) : fit.valid);
  set_controlled(&fit, out);
  set_gradients(&fit, rolls, out);
  vd_set_metric(out, "stability_factor_s2pm2", vd_metric_divide(gradient, vd_metric_known(r->car.wheelbase)));
  vd_set_metric(out, "characteristic_speed_mps",
                special_speed(r, gradient, 1.0, "the car does not understeer: it has no characteristic speed"));
  vd_set_metric(out, "critical_speed_mps",
                special_speed(r, gradient, -1.0, "the car does not oversteer: it has no critical speed"));
  set_local(&s, found, out);
  vd_set_metric(out, "linear_range_mps2", linear_range(&s, &fit, r->options->fit_to, r->options->linear_tolerance));
  vd_set_metric(out, "steady_ay_reached_mps2", found);
  vd_set_metric(out, "steady_ay_limit_mps2", limit(&s, gradient));
}

const vd_metric_set vd_metrics_steady_circular = {VD_METRIC_SET(steady_circular, metrics, compute),
                                                  .title = "steady circular driving: understeer and its gradients",
                                                  .standard = "ISO 4138", .needs = VD_NEEDS_EVEN, .view = VD_VIEW_LEAN};
