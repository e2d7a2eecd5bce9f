/* Metrics of constructed runs whose results are known in closed form, and of the linear bicycle. */
#include "histories.h"
#include "math/weighting.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TESTS = 247 };

static const double step = 1e-3; /* s */
static const double ratio = 16.0;
static const vd_metrics_options usual = {.steady_window = 0.5, .from_speed = 0.0, .to_speed = 20.0};

/* ---- tools ---- */

static void feed(vd_recorder *r, const vd_row *row) {
  vd_recorder_add(r, row, VD_L2);
}

/* The row of a constructed run at time t. */
typedef void scene(const double *p, double t, vd_row *row);

static void record(vd_recorder *r, scene *at, const double *p, double duration) {
  vd_recorder_init(r, true);
  long steps = lround(duration / step);
  for (long i = 0; i <= steps; i++) {
    vd_row row = {.t = (double)i * step, .view = VD_VIEW_ALL};
    at(p, row.t, &row);
    feed(r, &row);
  }
}

static double rising(double (*f)(const double *p, double t), const double *p, double level, double low, double high) {
  for (int i = 0; i < 200; i++) {
    double middle = 0.5 * (low + high);
    *(f(p, middle) < level ? &low : &high) = middle;
  }
  return 0.5 * (low + high);
}

/* ---- responses to a step at 1 s; p: gain, time constants ---- */

static void put(double wheel, double yaw, double ay, vd_row *row) {
  vd_eval *e = &row->eval;
  e->steering.steering_wheel = wheel;
  e->steering.steer = wheel / ratio;
  e->motion.yaw_rate = yaw;
  e->body.ay = ay;
  e->log.sideslip = -0.1 * ay;
  e->log.body_roll = 0.02 * ay;
  e->motion.vx = 30.0 - 0.01 * row->t;
}

static double first_order(const double *p, double t) {
  return t > 0.0 ? 1.0 - exp(-t / p[1]) : 0.0;
}

/* Computes a step response of second order. p[1]: natural frequency, p[2]: damping ratio below 1 */
static double second_order(const double *p, double t) {
  double damped = p[1] * sqrt(1.0 - p[2] * p[2]);
  if (t <= 0.0)
    return 0.0;
  return 1.0 - exp(-p[2] * p[1] * t) * (cos(damped * t) + p[2] * p[1] / damped * sin(damped * t));
}

static double since(double t) {
  return t - 1.0 < -1e-9 ? -1.0 : fmax(0.0, t - 1.0);
}

/* Computes a step response of first order. p: size, time constant */
static void slow_step(const double *p, double t, vd_row *row) {
  double y = p[0] * first_order(p, since(t));
  put(since(t) >= 0.0 ? p[0] : 0.0, 0.5 * y, 4.0 * y, row);
}

static void springy_step(const double *p, double t, vd_row *row) {
  double y = p[0] * second_order(p, since(t));
  put(since(t) >= 0.0 ? p[0] : 0.0, 0.5 * y, 4.0 * y, row);
}

static void test_first_order(double size, const char *what) {
  double p[] = {size, 0.15};
  vd_recorder r;
  record(&r, slow_step, p, 5.0);
  const vd_metrics *m = history_metrics("step_steer", &r, &usual);
  is(m, "step_time_s", 1.0, 1e-12, what);
  is(m, "steering_rise_time_s", 0.0, 1e-12, what);
  is(m, "steering_wheel_steady_rad", size, 1e-12, what);
  is(m, "steer_steady_rad", size / ratio, 1e-12, what);
  is(m, "yaw_rate_steady_radps", 0.5 * size, 1e-9, what);
  is(m, "yaw_rate_gain_radps_per_rad", 0.5, 1e-9, what);
  is(m, "ay_gain_mps2_per_rad", 4.0, 1e-9, what);
  is(m, "yaw_rate_road_wheel_gain_radps_per_rad", 0.5 * ratio, 1e-8, what);
  is(m, "ay_road_wheel_gain_mps2_per_rad", 4.0 * ratio, 1e-8, what);
  is(m, "sideslip_per_ay_rad_per_mps2", -0.1, 1e-12, what);
  is(m, "roll_per_ay_rad_per_mps2", 0.02, 1e-12, what);
  is(m, "yaw_rate_response_time_s", 0.15 * log(10.0), 1e-6, what);
  is(m, "ay_response_time_s", 0.15 * log(10.0), 1e-6, what);
  is(m, "step_speed_mps", 29.99, 1e-9, what);
  is(m, "speed_change_mps", -0.04, 1e-9, what);
  refuses(m, "yaw_rate_overshoot", "never exceeds its steady value", what);
  refuses(m, "yaw_rate_peak_response_time_s", "no overshoot", what);
  refuses(m, "tb_factor_deg_s", "no overshoot", what);
}

static void test_second_order(double size, const char *what) {
  double p[] = {size, 8.0, 0.5}, damped = 8.0 * sqrt(0.75);
  double overshoot = exp(-VD_PI * 0.5 / sqrt(0.75)), peak_time = VD_PI / damped;
  vd_recorder r;
  record(&r, springy_step, p, 8.0);
  const vd_metrics *m = history_metrics("step_steer", &r, &usual);
  double t90 = rising(second_order, p, 0.9, 0.0, peak_time);
  is(m, "yaw_rate_response_time_s", t90, 2e-6, what);
  is(m, "yaw_rate_peak_response_time_s", peak_time, 1e-6, what);
  is(m, "yaw_rate_overshoot", overshoot, 1e-8, what);
  is(m, "ay_response_time_s", t90, 2e-6, what);
  is(m, "ay_peak_response_time_s", peak_time, 1e-6, what);
  is(m, "ay_overshoot", overshoot, 1e-8, what);
  is(m, "tb_factor_deg_s", peak_time * fabs(0.4 * size) * 180.0 / VD_PI, 1e-4, what);
}

/* Computes the first-order response to a ramp that ends. p: size, time constant, rise time */
static void ramped_step(const double *p, double t, vd_row *row) {
  double s = fmax(0.0, t - 1.0), ramp = fmin(s / p[2], 1.0);
  double y = s < p[2] ? (s - p[1] * (1.0 - exp(-s / p[1]))) / p[2]
                      : 1.0 - p[1] / p[2] * (exp(p[2] / p[1]) - 1.0) * exp(-s / p[1]);
  put(p[0] * ramp, p[0] * 0.5 * y, p[0] * 4.0 * y, row);
}

static void test_ramp(void) {
  double p[] = {0.5, 0.15, 0.1};
  vd_recorder r;
  record(&r, ramped_step, p, 5.0);
  const vd_metrics *m = history_metrics("step_steer", &r, &usual);
  double t90 = 0.15 * log(10.0 * 0.15 / 0.1 * (exp(0.1 / 0.15) - 1.0)) - 0.05;
  is(m, "step_time_s", 1.05, 1e-12, "ramp");
  is(m, "steering_rise_time_s", 0.08, 1e-12, "ramp");
  is(m, "yaw_rate_response_time_s", t90, 1e-6, "ramp");
  is(m, "ay_response_time_s", t90, 1e-6, "ramp");
  /* instants between samples are also found */
  double q[] = {0.5, 0.15, 0.1003};
  record(&r, ramped_step, q, 5.0);
  m = history_metrics("step_steer", &r, &usual);
  is(m, "step_time_s", 1.05015, 1e-12, "ramp off the grid");
  is(m, "steering_rise_time_s", 0.08024, 1e-12, "ramp off the grid");
}

/* ---- refusals ---- */

/* Sets a row; p: size. The response keeps growing. */
static void drifting(const double *p, double t, vd_row *row) {
  double s = since(t);
  put(s >= 0.0 ? p[0] : 0.0, s > 0.0 ? 0.1 * s : 0.0, s > 0.0 ? 1.0 - exp(-s / 0.1) : 0.0, row);
}

static void weaving(const double *p, double t, vd_row *row) {
  put(p[0] * sin(3.0 * t), 0.1 * sin(3.0 * t), sin(3.0 * t), row);
}

static void straight(const double *p, double t, vd_row *row) {
  (void)p;
  (void)t;
  put(0.0, 0.0, 0.0, row);
}

static void turning(const double *p, double t, vd_row *row) {
  (void)t;
  put(p[0], 0.1, 3.0, row);
}

static void twice(const double *p, double t, vd_row *row) {
  double wheel = t < 1.0 || (t > 2.0 && t < 3.0) ? 0.0 : p[0];
  put(wheel, wheel, wheel, row);
}

static void test_not_steady(void) {
  double p[] = {0.5};
  vd_metrics_options brief = {.steady_window = 0.05};
  vd_recorder r;
  record(&r, drifting, p, 4.0);
  const vd_metrics *m = history_metrics("step_steer", &r, &usual);
  refuses(m, "yaw_rate_steady_radps", "yaw rate is not steady: it goes from", "drift");
  refuses(m, "yaw_rate_response_time_s", "not steady", "drift");
  refuses(m, "yaw_rate_gain_radps_per_rad", "not steady", "drift");
  is(m, "ay_response_time_s", 0.1 * log(10.0), 1e-5, "drift of another channel");
  is(m, "step_time_s", 1.0, 1e-12, "drift of another channel");
  record(&r, drifting, p, 4.0);
  m = history_metrics("step_steer", &r, &brief);
  refuses(m, "yaw_rate_steady_radps", "it changes by", "drift in a short window");
  record(&r, weaving, p, 4.0);
  m = history_metrics("step_steer", &r, &usual);
  refuses(m, "step_time_s", "steering wheel is not steady", "weaving");
  refuses(m, "ay_steady_mps2", "steering wheel is not steady", "weaving");
}

static void test_no_step(void) {
  double p[] = {0.5, 0.15};
  vd_metrics_options none = {.steady_window = NAN}, least = {.steady_window = 0.5 * step};
  vd_recorder r;
  record(&r, straight, p, 4.0);
  refuses(history_metrics("step_steer", &r, &usual), "yaw_rate_response_time_s", "no steer input", "straight on");
  record(&r, turning, p, 4.0);
  refuses(history_metrics("step_steer", &r, &usual), "step_time_s", "never rises through 50 %", "circle");
  record(&r, twice, p, 5.0);
  refuses(history_metrics("step_steer", &r, &usual), "step_time_s", "more than once", "two steps");
  record(&r, slow_step, p, 0.3);
  refuses(history_metrics("step_steer", &r, &usual), "yaw_rate_steady_radps", "too short", "short run");
  record(&r, slow_step, p, 5.0);
  refuses(history_metrics("step_steer", &r, &none), "ay_steady_mps2", "too short", "window NaN");
  record(&r, slow_step, p, 5.0);
  refuses(history_metrics("step_steer", &r, &least), "ay_steady_mps2", "fewer than three", "tiny window");
  vd_recorder_init(&r, true);
  refuses(history_metrics("step_steer", &r, &usual), "ay_gain_mps2_per_rad", "no samples", "empty run");
  record(&r, slow_step, p, 5.0);
  r.sample[700].yaw_rate = NAN;
  const vd_metrics *m = history_metrics("step_steer", &r, &usual);
  refuses(m, "yaw_rate_response_time_s", "yaw rate is not a finite number at t = 0.7 s", "NaN");
  is(m, "ay_response_time_s", 0.15 * log(10.0), 1e-6, "NaN in another channel");
  record(&r, slow_step, p, 5.0);
  r.sample[4990].steering_wheel = INFINITY;
  refuses(history_metrics("step_steer", &r, &usual), "step_time_s", "not a finite number", "infinity");
}

/* Sets a row in which ay jumps with the steering wheel beyond its steady value and then falls: the peak is the jump
 * itself. */
static void jumping(const double *p, double t, vd_row *row) {
  double s = since(t), wheel = s >= 0.0 ? p[0] : 0.0;
  put(wheel, wheel * first_order(p, s), s >= 0.0 ? p[0] * (1.0 + 2.0 * exp(-s / p[1])) : 0.0, row);
}

static void test_jump(void) {
  double p[] = {0.5, 0.15};
  vd_recorder r;
  record(&r, jumping, p, 5.0);
  const vd_metrics *m = history_metrics("step_steer", &r, &usual);
  is(m, "ay_response_time_s", 0.0, 1e-12, "jump");
  is(m, "ay_peak_response_time_s", 0.0, 1e-12, "jump");
  is(m, "ay_overshoot", 2.0, 1e-9, "jump");
}

/* ---- linear bicycle of analytic_reference.yaml ---- */

typedef struct bicycle {
  double m, iz, a, b, cf, cr, v;
} bicycle;

static void bicycle_rates(const bicycle *k, double steer, const double x[2], double dx[2]) {
  double front = k->cf * (steer - (x[0] + k->a * x[1]) / k->v);
  double rear = -k->cr * (x[0] - k->b * x[1]) / k->v;
  dx[0] = (front + rear) / k->m - k->v * x[1];
  dx[1] = (k->a * front - k->b * rear) / k->iz;
}

static void bicycle_step(const bicycle *k, double steer, double h, double x[2]) {
  static const double part[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
  double slope[2] = {0.0, 0.0}, sum[2] = {0.0, 0.0};
  for (int i = 0; i < 4; i++) {
    double y[2] = {x[0] + part[i] * h * slope[0], x[1] + part[i] * h * slope[1]};
    bicycle_rates(k, steer, y, slope);
    for (int j = 0; j < 2; j++)
      sum[j] += weight[i] * slope[j];
  }
  for (int j = 0; j < 2; j++)
    x[j] += h / 6.0 * sum[j];
}

static void ride(vd_recorder *r, double v, double steer) {
  const bicycle k = {1573.0, 2873.0, 1.1, 1.58, 160000.0, 160000.0, v};
  double x[2] = {0.0, 0.0}, dx[2];
  vd_recorder_init(r, true);
  for (int i = 0; i <= 6000; i++) {
    double now = i < 1000 ? 0.0 : steer;
    bicycle_rates(&k, now, x, dx);
    vd_row row = {.t = i * step, .view = VD_VIEW_ALL};
    vd_eval *e = &row.eval;
    e->motion.vx = v;
    e->motion.vy = x[0];
    e->motion.yaw_rate = x[1];
    e->body.ay = dx[0] + v * x[1];
    e->log.sideslip = x[0] / v;
    e->steering.steer = now;
    e->steering.steering_wheel = now * ratio;
    feed(r, &row);
    for (int j = 0; j < 10; j++)
      bicycle_step(&k, now, 0.1 * step, x);
  }
}

static const struct {
  double v, yaw_gain, ay_gain, beta_gain, t90, peak_time, overshoot;
} cases[] = {
    {10.0, 3.5012999229191424, 35.01299922919142, 0.4119204238140653, 0.12344202747047713, NAN, NAN},
    {20.0, 5.909592061742006, 118.19184123484013, -0.010071664829106887, 0.17922102935381745, 0.41034,
     0.6383034292784862e-2},
    {30.0, 7.034428452688219, 211.03285358064656, -0.48108294326085993, 0.1775731494878675, 0.36753,
     5.1399603522671145e-2},
    {40.0, 7.2762814943527365, 291.05125977410944, -0.8870411598609902, 0.1583545553079948, 0.34935,
     14.023215076937955e-2},
};

static void test_bicycle(double steer) {
  for (size_t i = 0; i < VD_COUNT(cases); i++) {
    vd_recorder r;
    char what[40];
    snprintf(what, sizeof what, "bicycle, %s, %g m/s", steer > 0.0 ? "left" : "right", cases[i].v);
    ride(&r, cases[i].v, steer);
    const vd_metrics *m = history_metrics("step_steer", &r, &usual);
    is(m, "yaw_rate_response_time_s", cases[i].t90, 5e-6, what);
    if (isnan(cases[i].overshoot)) {
      refuses(m, "yaw_rate_overshoot", "no overshoot", what);
    } else {
      is(m, "yaw_rate_peak_response_time_s", cases[i].peak_time, 1e-5, what);
      is(m, "yaw_rate_overshoot", cases[i].overshoot, 1e-7, what);
    }
    is(m, "yaw_rate_road_wheel_gain_radps_per_rad", cases[i].yaw_gain, 1e-8, what);
    is(m, "ay_road_wheel_gain_mps2_per_rad", cases[i].ay_gain, 1e-6, what);
    is(m, "sideslip_steady_rad", cases[i].beta_gain * steer, 1e-9, what);
  }
}

/* ---- acceleration and braking; p: speed, acceleration (from 1 s), brake ---- */

static void along(const double *p, double t, vd_row *row) {
  double s = fmax(0.0, t - 1.0), most = p[1] < 0.0 ? -p[0] / p[1] : 1e9, on = fmin(s, most);
  vd_eval *e = &row->eval;
  e->motion.vx = p[0] + p[1] * on;
  e->body.ax = since(t) >= 0.0 && on < most ? p[1] : 0.0;
  e->drive.brake = since(t) >= 0.0 ? p[2] : 0.0;
  row->state.x[VD_S_DISTANCE] = p[0] * fmin(t, 1.0) + (p[0] + 0.5 * p[1] * on) * on;
}

static void test_braking(void) {
  double p[] = {27.0, -8.0, 1.0}, v2 = 27.0 * 27.0 - 0.01;
  vd_recorder r;
  record(&r, along, p, 6.0);
  const vd_metrics *m = history_metrics("braking", &r, &usual);
  is(m, "brake_onset_s", 1.0, 1e-12, "braking");
  is(m, "brake_initial_speed_mps", 27.0, 1e-12, "braking");
  is(m, "stopping_distance_m", v2 / 16.0, 2e-6, "braking");
  is(m, "stopping_time_s", 26.9 / 8.0, 1e-9, "braking");
  is(m, "mfdd_mps2", 8.0, 1e-6, "braking");
  is(m, "deceleration_peak_mps2", 8.0, 1e-12, "braking");
  is(m, "deceleration_mean_mps2", 8.0 * 27.0 * 27.0 / v2, 1e-6, "braking");
  record(&r, along, p, 3.0);
  m = history_metrics("braking", &r, &usual);
  refuses(m, "stopping_distance_m", "vx never falls to 0.1 m/s: it is 11 m/s", "run too short");
  refuses(m, "deceleration_mean_mps2", "never falls", "run too short");
  refuses(m, "mfdd_mps2", "vx never falls to 2.7 m/s", "run too short");
  is(m, "deceleration_peak_mps2", 8.0, 1e-12, "run too short");
  record(&r, along, p, 4.2);
  is(history_metrics("braking", &r, &usual), "mfdd_mps2", 8.0, 1e-6, "almost stopped");
  double none[] = {27.0, -8.0, 0.0}, standing[] = {0.05, 0.0, 1.0};
  record(&r, along, none, 6.0);
  refuses(history_metrics("braking", &r, &usual), "mfdd_mps2", "never applied", "no brake");
  record(&r, along, standing, 6.0);
  refuses(history_metrics("braking", &r, &usual), "stopping_time_s", "only 0.05 m/s", "standing");
  record(&r, along, p, 6.0);
  r.sample[2000].distance = NAN;
  refuses(history_metrics("braking", &r, &usual), "stopping_distance_m", "distance is not a finite", "NaN");
  vd_recorder_init(&r, true);
  refuses(history_metrics("braking", &r, &usual), "stopping_distance_m", "no samples", "empty run");
}

static void test_acceleration(void) {
  double p[] = {0.0, 4.0, 0.0}, rolling[] = {5.0, 4.0, 0.0};
  vd_metrics_options middle = {.from_speed = 10.0003, .to_speed = 20.0};
  vd_recorder r;
  record(&r, along, p, 8.0);
  const vd_metrics *m = history_metrics("acceleration", &r, &usual);
  is(m, "acceleration_time_s", 5.0, 1e-9, "from rest");
  is(m, "acceleration_distance_m", 50.0, 2e-6, "from rest");
  is(m, "acceleration_mean_mps2", 4.0, 1e-9, "from rest");
  is(m, "acceleration_peak_mps2", 4.0, 1e-12, "from rest");
  record(&r, along, rolling, 8.0);
  m = history_metrics("acceleration", &r, &middle);
  is(m, "acceleration_time_s", 9.9997 / 4.0, 1e-9, "between speeds");
  is(m, "acceleration_distance_m", (400.0 - 10.0003 * 10.0003) / 8.0, 2e-6, "between speeds");
  record(&r, along, rolling, 8.0);
  refuses(history_metrics("acceleration", &r, &usual), "acceleration_time_s", "starts at 5 m/s", "rolling start");
  record(&r, along, p, 3.0);
  m = history_metrics("acceleration", &r, &usual);
  refuses(m, "acceleration_time_s", "vx never reaches 20 m/s: its highest value is 8 m/s", "short");
  refuses(m, "acceleration_mean_mps2", "never reaches", "short");
  double fast[] = {25.0, 1.0, 0.0};
  record(&r, along, fast, 3.0);
  refuses(history_metrics("acceleration", &r, &usual), "acceleration_distance_m", "not below 20", "fast");
  record(&r, along, p, 8.0);
  r.sample[10].ax = NAN;
  m = history_metrics("acceleration", &r, &usual);
  refuses(m, "acceleration_peak_mps2", "ax is not a finite number", "NaN in ax");
  is(m, "acceleration_time_s", 5.0, 1e-9, "NaN in ax");
}

/* ---- path; p: amplitudes of offset and heading error, place at the start ---- */

/* Sets a row of a car that starts at 10 m/s and gains 2 m/s every second; offset and heading error are sines with a
 * period of 2 s. */
static void along_path(const double *p, double t, vd_row *row) {
  vd_eval *e = &row->eval;
  e->motion.vx = 10.0 + 2.0 * t;
  e->log.path_s = p[2] + 10.0 * t + t * t;
  e->motion.path_error = p[0] * sin(VD_PI * t);
  e->log.path_heading_error = p[1] * cos(VD_PI * t);
}

/* Sets a row of a car that is exactly on its path. */
static void exactly(const double *p, double t, vd_row *row) {
  row->eval.motion.vx = p[0];
  row->eval.log.path_s = p[0] * t;
}

/* Sets a row of a car that slows from 6 m/s to a stop at 3 s. From 2.5 s on, when it has 1 m/s, the direction of motion
 * turns by up to 1 rad. */
static void stopping_on_path(const double *p, double t, vd_row *row) {
  row->eval.motion.vx = p[0] - 2.0 * t;
  row->eval.log.path_s = t;
  row->eval.log.path_heading_error = t < 2.5 ? 0.01 * t : 2.0 * (t - 2.5);
}

static void test_path(void) {
  double p[] = {-0.3, -0.02, 0.0}, before[] = {0.3, 0.02, -24.0}, far[] = {0.3, 0.02, -1e3};
  double rolling[] = {10.0}, standing[] = {0.0}, stopping[] = {6.0}, crawling[] = {0.9};
  vd_recorder r;
  record(&r, along_path, p, 4.0);
  const vd_metrics *m = history_metrics("path", &r, &usual);
  is(m, "path_error_rms_m", 0.3 * sqrt(0.5), 1e-6, "path");
  is(m, "path_error_max_m", 0.3, 1e-9, "path");
  is(m, "path_heading_error_max_rad", 0.02, 1e-12, "path");
  is(m, "path_entry_speed_mps", 10.0, 1e-12, "path");
  is(m, "path_exit_speed_mps", 18.0, 1e-12, "path");
  record(&r, along_path, before, 4.0); /* 10 t + t^2 = 24 at 2 s */
  is(history_metrics("path", &r, &usual), "path_entry_speed_mps", 14.0, 1e-9, "from before the path");
  record(&r, along_path, far, 4.0);
  m = history_metrics("path", &r, &usual);
  refuses(m, "path_entry_speed_mps", "never reached", "far before the path");
  is(m, "path_error_max_m", 0.3, 1e-9, "far before the path");
  record(&r, exactly, rolling, 4.0);
  m = history_metrics("path", &r, &usual);
  is(m, "path_error_rms_m", 0.0, 0.0, "on the path");
  is(m, "path_exit_speed_mps", 10.0, 0.0, "on the path");
  record(&r, stopping_on_path, stopping, 3.0);
  is(history_metrics("path", &r, &usual), "path_heading_error_max_rad", 0.025, 1e-4, "a stop");
  record(&r, stopping_on_path, crawling, 0.5);
  refuses(history_metrics("path", &r, &usual), "path_heading_error_max_rad", "never reaches 1 m/s", "a crawl");
  record(&r, exactly, standing, 4.0);
  m = history_metrics("path", &r, &usual);
  refuses(m, "path_error_rms_m", "there is no path", "no path");
  refuses(m, "path_error_max_m", "there is no path", "no path");
  refuses(m, "path_heading_error_max_rad", "there is no path", "no path");
  refuses(m, "path_entry_speed_mps", "there is no path", "no path");
  refuses(m, "path_exit_speed_mps", "there is no path", "no path");
  record(&r, along_path, p, 4.0);
  r.sample[10].path_error = NAN;
  m = history_metrics("path", &r, &usual);
  refuses(m, "path_error_rms_m", "path error is not a finite number at t = 0.01 s", "NaN");
  refuses(m, "path_error_max_m", "path error is not a finite number", "NaN");
  is(m, "path_heading_error_max_rad", 0.02, 1e-12, "NaN in another channel");
  vd_recorder_init(&r, true);
  refuses(history_metrics("path", &r, &usual), "path_error_rms_m", "no samples", "empty run");
}

/* ---- ride and handling ---- */

/* The lowest level with a free height. */
static const enum vd_level moving = VD_L3;

static void record_ride(vd_recorder *r, scene *at, const double *p, double duration, enum vd_level level) {
  vd_recorder_init(r, true);
  r->keeps = VD_NEEDS_WHEELS;
  for (long i = 0; i <= lround(duration / step); i++) {
    vd_row row = {.t = (double)i * step, .view = VD_VIEW_ALL};
    at(p, row.t, &row);
    vd_recorder_add(r, &row, level);
  }
}

/* Sets a row of sines with whole periods in 4 s; the rear right wheel is off the ground in one second of four. */
static void rough(const double *p, double t, vd_row *row) {
  vd_eval *e = &row->eval;
  double w = 2.0 * VD_PI * t;
  e->body.az = 1.2 * sin(4.0 * w);
  e->body.ax = -2.0 + 0.5 * sin(w);
  e->body.ay = 0.3 * sin(2.0 * w);
  e->tyre.load[VD_FL] = 4000.0 + 400.0 * sin(2.0 * w);
  e->tyre.load[VD_FR] = 3000.0 - 150.0 * cos(w);
  e->tyre.load[VD_RL] = 3500.0;
  e->tyre.load[VD_RR] = lround(1e3 * t) % 4000 < 1000 ? 0.0 : 4000.0;
  e->motion.travel[VD_FL] = 0.01 + 0.02 * sin(w);
  e->motion.travel[VD_FR] = 0.01;
  e->motion.travel[VD_RL] = -0.03 + 0.01 * sin(w);
  e->motion.travel[VD_RR] = 0.02 * sin(w);
  e->motion.vx = p[0];
}

/* Sets a row of the rough ride with additional decaying terms, at the start 100 times the r.m.s. values. */
static void bumped(const double *p, double t, vd_row *row) {
  double gone = 100.0 * sqrt(0.5) * exp(-t / 0.3);
  rough(p, t, row);
  row->eval.body.ax += 0.5 * gone;
  row->eval.body.az -= 1.2 * gone;
}

static double weighted(enum vd_weighting_kind kind, double frequency, double amplitude) {
  double h[2];
  vd_weighting(kind, frequency, h);
  return hypot(h[0], h[1]) * amplitude * sqrt(0.5);
}

static void test_ride(void) {
  double p[] = {20.0}, z = weighted(VD_WK, 4.0, 1.2), x = weighted(VD_WD, 1.0, 0.5), y = weighted(VD_WD, 2.0, 0.3);
  vd_recorder r;
  record_ride(&r, rough, p, 60.0, moving);
  const vd_metrics *m = history_metrics("ride", &r, &usual);
  /* straight lines between samples reduce a sine of f by (2 pi f h)^2/12: 5e-5 at 4 Hz */
  is(m, "az_rms_mps2", 1.2 * sqrt(0.5), 6e-5, "ride");
  is(m, "az_peak_mps2", 1.2, 1e-4, "ride");
  /* the filters start at rest and settle in about a second of the 60 */
  is(m, "az_weighted_mps2", z, 0.005 * z, "ride");
  is(m, "ax_weighted_mps2", x, 0.005 * x, "ride");
  is(m, "ay_weighted_mps2", y, 0.005 * y, "ride");
  is(m, "vibration_total_mps2", sqrt(x * x + y * y + z * z), 0.005 * z, "ride");
  is(m, "load_coefficient_fl", 0.1 * sqrt(0.5), 1e-5, "ride");
  is(m, "load_coefficient_fr", 0.05 * sqrt(0.5), 1e-5, "ride");
  is(m, "load_coefficient_rl", 0.0, 1e-12, "ride");
  /* the mean is 3/4, the mean square 3/4: sqrt(3/4 - 9/16)/(3/4); the edges are one sample wide */
  is(m, "load_coefficient_rr", sqrt(1.0 / 3.0), 1e-3, "ride");
  is(m, "load_coefficient_worst", sqrt(1.0 / 3.0), 1e-3, "ride");
  is(m, "lift_time_fl_s", 0.0, 0.0, "ride");
  is(m, "lift_time_rr_s", 15.0, 1e-9, "ride");
  is(m, "travel_front_min_m", -0.01, 1e-6, "ride");
  is(m, "travel_front_max_m", 0.03, 1e-6, "ride");
  is(m, "travel_front_rms_m", 0.01, 1e-6, "ride");
  is(m, "travel_rear_min_m", -0.04, 1e-6, "ride");
  is(m, "travel_rear_max_m", 0.02, 1e-6, "ride");
  is(m, "travel_rear_rms_m", sqrt(0.5 * (5e-5 + 2e-4)), 1e-6, "ride");

  /* a constant ax of -2 is a step at the start: its effect decays and is left out, but with from_rest it is part of the
   * run */
  tap_ok(fabs(history_find(m, "ax_weighted_mps2")->value - x) < 1e-3 * x,
         "ride: the transient at the start is left out");
  double before[] = {history_find(m, "ax_weighted_mps2")->value, history_find(m, "az_weighted_mps2")->value};
  record_ride(&r, bumped, p, 60.0, moving);
  m = history_metrics("ride", &r, &usual);
  is(m, "ax_weighted_mps2", before[0], 1e-3 * before[0], "a start of 100 times the r.m.s. value");
  is(m, "az_weighted_mps2", before[1], 1e-3 * before[1], "a start of 100 times the r.m.s. value");
  record_ride(&r, rough, p, 4.0, moving);
  refuses(history_metrics("ride", &r, &usual), "az_weighted_mps2", "with from_rest: true the whole run is used",
          "shorter than the settling");
  vd_metrics_options rest = usual;
  rest.from_rest = true;
  record_ride(&r, rough, p, 4.0, moving);
  is(history_metrics("ride", &r, &rest), "az_weighted_mps2", z, 0.05 * z, "from rest, a short run");

  record_ride(&r, rough, p, 4.0, moving);
  r.ride[700].az = NAN;
  r.ride[800].travel[VD_FR] = NAN;
  r.ride[900].load[VD_RL] = NAN;
  m = history_metrics("ride", &r, &usual);
  refuses(m, "az_rms_mps2", "az is not a finite number at t = 0.7 s", "NaN");
  refuses(m, "az_weighted_mps2", "az is not a finite number", "NaN");
  refuses(m, "vibration_total_mps2", "az is not a finite number", "NaN");
  refuses(m, "travel_front_max_m", "suspension travel, front right is not a finite number at t = 0.8 s", "NaN");
  refuses(m, "load_coefficient_worst", "wheel load, rear left is not a finite number", "NaN");
  is(m, "travel_rear_max_m", 0.02, 1e-6, "NaN in other channels");
  is(m, "load_coefficient_fl", 0.1 * sqrt(0.5), 1e-5, "NaN in other channels");
  record_ride(&r, rough, p, 4.0, VD_L2);
  m = history_metrics("ride", &r, &usual);
  refuses(m, "az_peak_mps2", "no vertical motion", "L2");
  refuses(m, "vibration_total_mps2", "no vertical motion", "L2");
  refuses(m, "travel_rear_rms_m", "no vertical motion", "L2");
  is(m, "lift_time_rr_s", 1.0, 1e-9, "L2");
  record_ride(&r, rough, p, 4.0, VD_L0);
  refuses(history_metrics("ride", &r, &usual), "load_coefficient_worst", "no wheel loads", "L0");
  record(&r, rough, p, 4.0);
  refuses(history_metrics("ride", &r, &usual), "lift_time_fl_s", "no samples of the ride", "not kept");
  vd_recorder_init(&r, true);
  refuses(history_metrics("ride", &r, &usual), "ax_weighted_mps2", "no samples", "empty run");
}

/* Makes a run for the gradients. p: slopes of roll by ay and of pitch by -ax, rad per m/s2; amplitude of ay. ay and the
 * deceleration rise by 0.8 m/s3 from 1 s to 6 s; from 7 s to 9 s ay oscillates with 2 Hz and the roll has another
 * slope. */
static void leaning(const double *p, double t, vd_row *row) {
  vd_eval *e = &row->eval;
  double ramp = 0.8 * fmin(fmax(t - 1.0, 0.0), 5.0), swing = t > 7.0 && t < 9.0 ? p[2] * sin(4.0 * VD_PI * t) : 0.0;
  e->motion.vx = 20.0;
  e->body.ay = ramp + swing;
  e->body.ax = -ramp;
  e->log.body_roll = p[0] * ramp - 0.5 * p[0] * swing + 1e-3;
  e->log.body_pitch = p[1] * ramp - 2e-3;
}

static void test_handling(void) {
  double p[] = {0.012, 0.004, 0.0}, swinging[] = {0.012, 0.004, 4.0}, right[] = {0.012, -0.004, 0.0};
  double scale = 180.0 / VD_PI * VD_GRAVITY;
  vd_recorder r;
  record(&r, leaning, p, 10.0);
  const vd_metrics *m = history_metrics("handling", &r, &usual);
  is(m, "roll_gradient_deg_per_g", 0.012 * scale, 1e-9, "ramp");
  is(m, "pitch_gradient_deg_per_g", 0.004 * scale, 1e-9, "ramp");
  is(m, "peak_roll_rad", 0.049, 1e-12, "ramp");
  is(m, "peak_pitch_rad", 0.014, 1e-12, "ramp");
  record(&r, leaning, swinging, 10.0);
  is(history_metrics("handling", &r, &usual), "roll_gradient_deg_per_g", 0.012 * scale, 1e-9,
     "an oscillation does not count");
  record(&r, leaning, right, 10.0);
  is(history_metrics("handling", &r, &usual), "pitch_gradient_deg_per_g", -0.004 * scale, 1e-9, "nose up");
  record(&r, leaning, p, 1.5);
  m = history_metrics("handling", &r, &usual);
  refuses(m, "roll_gradient_deg_per_g", "ay spans only", "short ramp");
  refuses(m, "pitch_gradient_deg_per_g", "ax spans only", "short ramp");
  record(&r, leaning, p, 0.4);
  refuses(history_metrics("handling", &r, &usual), "roll_gradient_deg_per_g", "nowhere quasi-steady", "too short");
  record_ride(&r, leaning, p, 10.0, VD_L1);
  m = history_metrics("handling", &r, &usual);
  refuses(m, "roll_gradient_deg_per_g", "no body roll", "L1");
  is(m, "pitch_gradient_deg_per_g", 0.004 * scale, 1e-9, "L1");
  record_ride(&r, leaning, p, 10.0, VD_L0);
  refuses(history_metrics("handling", &r, &usual), "peak_pitch_rad", "no body pitch", "L0");
  record(&r, leaning, p, 10.0);
  r.sample[3000].roll = NAN;
  m = history_metrics("handling", &r, &usual);
  refuses(m, "roll_gradient_deg_per_g", "body roll is not a finite number at t = 3 s", "NaN");
  is(m, "pitch_gradient_deg_per_g", 0.004 * scale, 1e-9, "NaN in another channel");
  vd_recorder_init(&r, true);
  refuses(history_metrics("handling", &r, &usual), "roll_gradient_deg_per_g", "no samples", "empty run");
}

/* ---- run ---- */

static void whole(const double *p, double t, vd_row *row) {
  vd_eval *e = &row->eval;
  e->motion.vx = 20.0 - t;
  e->body.ay = -3.0 * sin(t);
  e->motion.yaw_rate = p[0] * sin(t);
  e->log.sideslip = -0.05 * sin(t);
  e->log.energy_kinetic = 1000.0 * (20.0 - t);
  e->log.energy_spin = 10.0 * (20.0 - t);
  e->log.ledger = -1e-3 * sin(t);
  e->log.turnover = t > 2.0 ? 80800.0 : 20200.0;
  for (int i = 0; i < VD_WHEELS; i++)
    e->tyre.load[i] = 4000.0 - 1000.0 * sin(t) * i;
  e->log.tipping = t > 2.0005 && t < 2.5005 ? 1.0 : 0.0;
  row->state.x[VD_S_DISTANCE] = 20.0 * t - 0.5 * t * t;
}

static void test_run(void) {
  double p[] = {0.25}, bad[] = {NAN};
  vd_recorder r;
  record(&r, whole, p, 4.0);
  const vd_metrics *m = history_metrics("run", &r, &usual);
  is(m, "duration_s", 4.0, 1e-12, "run");
  is(m, "distance_m", 72.0, 1e-9, "run");
  is(m, "final_speed_mps", 16.0, 1e-12, "run");
  is(m, "peak_ay_mps2", 3.0, 1e-6, "run");
  is(m, "peak_yaw_rate_radps", 0.25, 1e-6, "run");
  is(m, "peak_sideslip_rad", 0.05, 1e-7, "run");
  is(m, "ledger_residual", 1e-3 / 20200.0, 1e-13,
     "run: the ledger's residual is divided by the energy that had passed when it was greatest, at pi/2 s");
  is(m, "least_wheel_load_N", 1000.0, 1e-2, "run");
  is(m, "tipping_time_s", 0.5, 1e-9, "run");
  record(&r, whole, bad, 4.0);
  m = history_metrics("run", &r, &usual);
  refuses(m, "peak_yaw_rate_radps", "not a finite number", "NaN at every step");
  is(m, "peak_ay_mps2", 3.0, 1e-6, "NaN in another channel");
  vd_recorder_init(&r, true);
  refuses(history_metrics("run", &r, &usual), "peak_ay_mps2", "no steps", "empty run");
  /* a NaN at one step is reported; levels without loads have a reason */
  vd_recorder_init(&r, false);
  r.ledger.rest = 150.0;
  vd_row row = {.view = VD_VIEW_ALL, .eval.body.ay = NAN};
  vd_recorder_add(&r, &row, VD_L0);
  row.eval.body.ay = 1.0;
  vd_recorder_add(&r, &row, VD_L0);
  tap_ok(r.rows == 2 && r.count == 0, "only requested metrics are kept");
  m = history_metrics("run", &r, &usual);
  refuses(m, "peak_ay_mps2", "not a finite number", "NaN once");
  refuses(m, "least_wheel_load_N", "no wheel loads", "L0");
  refuses(m, "tipping_time_s", "does not tip", "L0");
  refuses(m, "peak_sideslip_rad", "never reaches 1 m/s", "standing");
  is(m, "ledger_residual", 0.0, 0.0, "standing");
}

/* Requests every set, twice: each name is listed once. */
static void test_sets(void) {
  double p[] = {0.5, 8.0, 0.5};
  static vd_metrics all;
  vd_recorder r;
  record(&r, springy_step, p, 8.0);
  bool each = true;
  size_t first = 0;
  for (size_t i = 0; i < VD_METRIC_SET_COUNT; i++) {
    vd_metrics_compute(vd_metric_sets[i]->key, &r, &usual, &all);
    each &= all.count > first;
    first = all.count;
  }
  for (size_t i = 0; i < VD_METRIC_SET_COUNT; i++)
    vd_metrics_compute(vd_metric_sets[i]->key, &r, &usual, &all);
  bool once = true;
  size_t rows = 0;
  for (size_t i = 0; i < all.count; i++)
    for (size_t k = 0; k < i; k++)
      once &= strcmp(all.metric[i].name, all.metric[k].name) != 0;
  for (size_t i = 0; i < VD_METRIC_SET_COUNT; i++)
    rows += vd_metric_sets[i]->count;
  tap_ok(all.count == rows, "there is one metric for each row of the sets, %zu of %zu", all.count, rows);
  tap_ok(once && all.count == first, "no metric is listed twice, even if all are requested again");
  tap_ok(each, "each set adds metrics: %zu in all; there is room for %d", all.count, VD_METRICS_MAX);
  vd_recorder_finish(&r);
  tap_ok(!r.sample && r.count == 0, "a finished recorder is empty");
}

int main(void) {
  tap_plan(TESTS);
  test_first_order(0.5, "first order, left");
  test_first_order(-0.5, "first order, right");
  test_second_order(0.5, "second order, left");
  test_second_order(-0.5, "second order, right");
  test_ramp();
  test_jump();
  test_bicycle(0.01);
  test_bicycle(-0.01);
  test_not_steady();
  test_no_step();
  test_braking();
  test_acceleration();
  test_path();
  test_ride();
  test_handling();
  test_run();
  test_sets();
  return tap_done();
}
