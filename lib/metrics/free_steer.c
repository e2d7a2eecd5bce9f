/* Free control after a steady turn, ISO 17288, whose text was not read: the driver releases the steering wheel, and the
 * car returns to straight-ahead driving, or to a residual yaw rate because of friction. The metrics describe the
 * oscillation of the yaw rate about its value at the end of the run; each metric states its own definition.
 *
 * A motion e^(-s t) cos(w t) about a level has extremes on alternating sides, at intervals of pi/w. The distances of
 * successive extremes from the level have the ratio e^(-s pi/w) = e^(-pi z/sqrt(1 - z^2)), where z is the damping
 * ratio. */
#include "metrics/metrics_impl.h"

#include "base/elementary.h"

#include <math.h>

static const double returned = 0.1; /* share of the yaw rate before the release */

enum { EXTREMES = 3 };

typedef struct release {
  size_t at;             /* the first sample without torque */
  double t;              /* s */
  double before, ay;     /* rad/s, m/s2: means of yaw rate and ay before the release */
  double wheel;          /* rad, mean steering wheel angle before the release */
  double left, left_by;  /* rad/s, rad: yaw rate and steering wheel angle at the end of the run */
  size_t count;          /* number of extremes found */
  double when[EXTREMES]; /* s */
  double size[EXTREMES]; /* rad/s, distances from the yaw rate at the end */
} release;

/* Finds the release, after the last sample with a steering torque. */
static vd_result find(const vd_recorder *r, double window, release *f) {
  vd_result checked =
      vd_metric_both(VD_METRIC_USABLE(r, VD_SERIES_TIME, VD_SERIES_WHEEL, VD_SERIES_YAW_RATE, VD_SERIES_AY),
                     vd_metric_from_level(r, VD_L1, "a steering torque"));
  *f = (release){0};
  if (!vd_metric_good(&checked))
    return checked;
  size_t last = r->count;
  while (last > 0 && fabs(r->sample[last - 1].torque) <= vd_series_table[VD_SERIES_TORQUE].floor)
    last--;
  if (last == 0 || last + 2 >= r->count)
    return vd_metric_refused(last == 0 ? "there is no torque at the steering wheel"
                                       : "the steering wheel is never released");
  f->at = last;
  f->t = r->sample[last].t;
  vd_result yaw = vd_metric_steady_until(r, VD_SERIES_YAW_RATE, window, r->sample[last - 1].t);
  vd_result ay = vd_metric_steady_until(r, VD_SERIES_AY, window, r->sample[last - 1].t);
  vd_result wheel = vd_metric_steady_until(r, VD_SERIES_WHEEL, window, r->sample[last - 1].t);
  vd_result left = vd_metric_steady_value(r, VD_SERIES_YAW_RATE, window);
  vd_result left_by = vd_metric_steady_value(r, VD_SERIES_WHEEL, window);
  vd_result steady = vd_metric_both(yaw, vd_metric_both(ay, vd_metric_both(wheel, vd_metric_both(left, left_by))));
  if (!vd_metric_good(&steady))
    return steady;
  f->before = yaw.value;
  f->ay = ay.value;
  f->wheel = wheel.value;
  f->left = left.value;
  f->left_by = left_by.value;
  return fabs(f->before) > vd_series_table[VD_SERIES_YAW_RATE].floor
             ? vd_metric_known(f->t)
             : vd_metric_refused("the car does not turn before the release");
}

/* Finds the extremes of the yaw rate, on alternating sides of its value at the end, after the yaw rate first passes
 * this value. */
static void find_extremes(const vd_recorder *r, release *f) {
  double side = f->before > f->left ? -1.0 : 1.0;
  vd_series x = vd_series_of(r, VD_SERIES_YAW_RATE);
  size_t i = f->at;
  f->count = 0;
  while (f->count < EXTREMES) {
    while (i < r->count && !(side * (vd_series_at(&x, i) - f->left) > 0.0))
      i++;
    size_t highest = i;
    while (i < r->count && side * (vd_series_at(&x, i) - f->left) > 0.0) {
      if (side * vd_series_at(&x, i) > side * vd_series_at(&x, highest))
        highest = i;
      i++;
    }
    if (i >= r->count || highest == 0)
      return;
    double height;
    x.sign = side;
    vd_metric_refine_peak(&x, highest, &f->when[f->count], &height);
    x.sign = 1.0;
    f->size[f->count++] = height - side * f->left;
    side = -side;
  }
}

/* Returns the time after which the deviation of the yaw rate from its value at the end stays below a share of the yaw
 * rate before the release. */
static double return_time(const vd_recorder *r, const release *f) {
  double bound = returned * fabs(f->before);
  size_t i = r->count - 1;
  while (i > f->at && fabs(r->sample[i].yaw_rate - f->left) <= bound)
    i--;
  return r->sample[i].t - f->t;
}

/* Returns the greatest overshoot of the steering wheel angle beyond its value at the end, divided by the change of the
 * angle from before the release to the end. */
static double wheel_overshoot(const vd_recorder *r, const release *f) {
  double side = f->wheel > f->left_by ? -1.0 : 1.0, most = 0.0;
  for (size_t i = f->at; i < r->count; i++)
    most = vd_max(most, side * (r->sample[i].steering_wheel - f->left_by));
  return most / fabs(f->wheel - f->left_by);
}

static const vd_metric_info metrics[] = {
    {"free_steer_time_s", "s", "instant of the release: from this instant on the steering wheel has no torque"},
    {"free_steer_ay_mps2", "m/s2", "mean ay over the steady window before the release"},
    {"free_steer_yaw_rate_radps", "rad/s", "mean yaw rate over the steady window before the release"},
    {"free_steer_yaw_rate_residual", "1",
     "mean yaw rate over the steady window at the end of the run, divided by the mean before the release"},
    {"free_steer_wheel_residual_rad", "rad", "mean steering-wheel angle over the steady window at the end of the run"},
    {"free_steer_return_time_s", "s",
     "time from the release until the deviation of the yaw rate from its value at the end stays below 10 % of the yaw "
     "rate before the release"},
    {"free_steer_yaw_rate_overshoot", "1",
     "first extreme of the yaw rate beyond its value at the end, divided by the change from before the release to the "
     "end"},
    {"free_steer_wheel_overshoot", "1",
     "greatest overshoot of the steering-wheel angle beyond its value at the end, divided by the change from before "
     "the "
     "release to the end"},
    {"free_steer_frequency_Hz", "Hz",
     "frequency: half of the inverse of the time between the first two extremes of the yaw rate on alternating sides "
     "of its value at the end"},
    {"free_steer_damping", "1", "damping ratio from the ratio of the first two extremes of the yaw rate"},
    {"free_steer_damping_later", "1", "damping ratio from the ratio of the second and the third extreme"},
};

static vd_result oscillates(vd_result found, const release *f, size_t needed) {
  if (!vd_metric_good(&found) || f->count >= needed)
    return found;
  return vd_metric_refused("the yaw rate has %zu extremes beyond its value at the end; %zu are needed", f->count,
                           needed);
}

static double damping_of(double first, double second) {
  double decrement = vd_log(first / second);
  return decrement / vd_hypot(VD_PI, decrement);
}

static void compute(const vd_recorder *r, vd_metrics *out) {
  release f;
  vd_result found = find(r, r->options->steady_window, &f);
  bool good = vd_metric_good(&found);
  if (good)
    find_extremes(r, &f);
  const vd_result one = oscillates(found, &f, 1), two = oscillates(found, &f, 2), three = oscillates(found, &f, 3);
  vd_set_metric(out, "free_steer_time_s", found);
  vd_set_metric(out, "free_steer_ay_mps2", vd_metric_of(found, f.ay));
  vd_set_metric(out, "free_steer_yaw_rate_radps", vd_metric_of(found, f.before));
  vd_set_metric(out, "free_steer_yaw_rate_residual", vd_metric_of(found, f.left / f.before));
  vd_set_metric(out, "free_steer_wheel_residual_rad", vd_metric_of(found, f.left_by));
  vd_set_metric(out, "free_steer_return_time_s", vd_metric_of(found, good ? return_time(r, &f) : 0.0));
  vd_set_metric(out, "free_steer_yaw_rate_overshoot", vd_metric_of(one, f.size[0] / fabs(f.before - f.left)));
  vd_set_metric(out, "free_steer_wheel_overshoot", vd_metric_of(found, good ? wheel_overshoot(r, &f) : 0.0));
  vd_set_metric(out, "free_steer_frequency_Hz", vd_metric_of(two, 0.5 / (f.when[1] - f.when[0])));
  vd_set_metric(out, "free_steer_damping", vd_metric_of(two, damping_of(f.size[0], f.size[1])));
  vd_set_metric(out, "free_steer_damping_later", vd_metric_of(three, damping_of(f.size[1], f.size[2])));
}

const vd_metric_set vd_metrics_free_steer = {VD_METRIC_SET(free_steer, metrics, compute),
                                             .title = "steering wheel that is released in a turn",
                                             .standard = "ISO 17288", .view = VD_VIEW_STEERING};
