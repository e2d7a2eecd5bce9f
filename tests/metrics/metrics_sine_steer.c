/* One period of sine steering of a system that responds with a gain and a pure delay: the metrics must return both. */
#include "histories.h"

enum { TESTS = 33 };

/* amplitude and frequency of the steering wheel, gain and delay of the yaw rate, gain and delay of ay */
enum { SIZE, HZ, YAW, YAW_LAG, AY, AY_LAG };

static double period(const double *p, double t) {
  double s = t - 1.0;
  return s > 0.0 && s < 1.0 / p[HZ] ? p[SIZE] * sin(2.0 * VD_PI * p[HZ] * s) : 0.0;
}

static void delayed(const double *p, double t, vd_row *row) {
  row->eval.steering.steering_wheel = period(p, t);
  row->eval.motion.yaw_rate = p[YAW] * period(p, t - p[YAW_LAG]);
  row->eval.body.ay = p[AY] * period(p, t - p[AY_LAG]);
  row->eval.motion.vx = 27.0;
}

/* Sets a row of a response whose half waves grow: the second is 2.65 times as high as the first. */
static void ringing(const double *p, double t, vd_row *row) {
  double s = t - 1.0, w = 2.0 * VD_PI * p[HZ];
  delayed(p, t, row);
  row->eval.motion.yaw_rate = s > 0.0 ? p[YAW] * s * sin(w * s) : 0.0;
}

static const vd_metrics *run(history *at, const double *p, double duration) {
  vd_recorder r = {0};
  history_record(&r, at, p, duration, VD_L2);
  return history_metrics("sine_steer", &r, &history_options);
}

static void test_delays(const double *p, const char *what) {
  const vd_metrics *m = run(delayed, p, 6.0);
  is(m, "sine_speed_mps", 27.0, 1e-12, what);
  /* peaks are between samples: a parabola through three of them errs by at most (w h)^4/42 = 4e-11, w h = 0.0063 */
  is(m, "sine_wheel_peak_1_rad", fabs(p[SIZE]), 1e-9, what);
  is(m, "sine_wheel_peak_2_rad", fabs(p[SIZE]), 1e-9, what);
  is(m, "sine_frequency_Hz", p[HZ], 1e-6, what);
  is(m, "sine_yaw_rate_lag_1_s", p[YAW_LAG], 1e-7, what);
  is(m, "sine_yaw_rate_lag_2_s", p[YAW_LAG], 1e-7, what);
  is(m, "sine_ay_lag_1_s", p[AY_LAG], 1e-7, what);
  is(m, "sine_ay_lag_2_s", p[AY_LAG], 1e-7, what);
  is(m, "sine_yaw_rate_gain_1_radps_per_rad", p[YAW], 1e-8, what);
  is(m, "sine_yaw_rate_gain_2_radps_per_rad", p[YAW], 1e-8, what);
  is(m, "sine_ay_gain_1_mps2_per_rad", p[AY], 1e-7, what);
  is(m, "sine_ay_gain_2_mps2_per_rad", p[AY], 1e-7, what);
  is(m, "sine_ay_peak_1_mps2", fabs(p[AY] * p[SIZE]), 1e-8, what);
}

int main(void) {
  double left[] = {0.3, 0.5, 0.4, 0.1037, 12.0, 0.1511}, right[] = {-0.3, 1.0, 0.4, 0.06, 12.0, 0.2};
  tap_plan(TESTS);
  test_delays(left, "left first");
  test_delays(right, "right first, 1 Hz");
  /* s sin(w s) peaks where tan(w s) = -w s: w s = 2.02875783811, then 4.91318043943 */
  const vd_metrics *m = run(ringing, left, 6.0);
  double w = 2.0 * VD_PI * left[HZ], first = 2.028757838110434 / w, second = 4.913180439434884 / w;
  is(m, "sine_yaw_rate_lag_1_s", first - 0.25 / left[HZ], 1e-6, "growing swings");
  is(m, "sine_yaw_rate_lag_2_s", second - 0.75 / left[HZ], 1e-6, "growing swings");
  is(m, "sine_yaw_rate_gain_2_radps_per_rad", left[YAW] * second * fabs(sin(w * second)) / left[SIZE], 1e-6,
     "growing swings");
  m = run(delayed, left, 1.4);
  refuses(m, "sine_wheel_peak_1_rad", "still grows at the end of the run", "a run that ends early");
  refuses(m, "sine_yaw_rate_lag_1_s", "still grows", "a run that ends early");
  double rest[] = {0.0, 0.5, 0.4, 0.1, 12.0, 0.1};
  m = run(delayed, rest, 3.0);
  refuses(m, "sine_speed_mps", "does not move", "no steering");
  refuses(m, "sine_ay_lag_2_s", "does not move", "no steering");
  return tap_done();
}
