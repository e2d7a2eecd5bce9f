/* Slowly increasing steer and sine with dwell, of constructed responses in closed form. */
#include "histories.h"

enum { TESTS = 68 };

static const double deg = VD_PI / 180.0, hz = 0.7, dwell = 0.5, roll_delay = 0.05;

/* side, amplitude (rad), offsets of steering wheel, yaw rate and ay, rate of ay (m/s3), instant of the second peak of
 * the yaw rate */
enum { SIDE, SIZE, WHEEL_OFF, YAW_OFF, AY_OFF, AY_RATE, PEAK_AT };

/* Returns the steering wheel angle of a sine with dwell from 1 s on. */
static double steer(double t) {
  double s = t - 1.0, w = 2.0 * VD_PI * hz, hold = 0.75 / hz;
  if (s <= 0.0 || s >= 1.0 / hz + dwell)
    return 0.0;
  return s < hold ? sin(w * s) : s < hold + dwell ? -1.0 : -cos(w * (s - hold - dwell));
}

static double bell(double t, double at, double width) {
  double u = (t - at) / width;
  return exp(-u * u);
}

/* Returns a yaw rate with a high peak while the steering wheel is on the first side, later a lower peak on the other
 * side, and then a small one. */
static double yaw(const double *p, double t) {
  return t > 1.0 ? 0.9 * bell(t, 1.5, 0.15) - 0.6 * bell(t, p[PEAK_AT], 0.3) - 0.2 * bell(t, 4.2, 0.3) : 0.0;
}

static void sine_with_dwell(const double *p, double t, vd_row *row) {
  vd_eval *e = &row->eval;
  e->motion.vx = 22.0 - t;
  e->steering.steering_wheel = p[WHEEL_OFF] + p[SIDE] * p[SIZE] * steer(t);
  e->motion.yaw_rate = p[YAW_OFF] + p[SIDE] * yaw(p, t);
  e->body.ay = p[AY_OFF] + p[SIDE] * p[AY_RATE] * fmax(0.0, t - 1.0);
  e->log.body_roll = p[SIDE] * 0.1 * yaw(p, t - roll_delay);
}

static const vd_metrics *run(const char *set, history *at, const double *p, double duration, double unit) {
  vd_metrics_options options = history_options;
  vd_recorder r = {0};
  options.unit_angle = unit;
  history_record(&r, at, p, duration, VD_L2);
  return history_metrics(set, &r, &options);
}

static void test_dwell(const double *p, const char *what) {
  double w = 2.0 * VD_PI * hz, span = 1.07;
  const vd_metrics *m = run("sine_with_dwell", sine_with_dwell, p, 6.0, 20.0 * deg);
  double begin = 1.0 + asin(5.0 * deg / p[SIZE]) / w, late = begin - 1.0;
  double end = 1.0 + 1.0 / hz + dwell;
  /* the sine bends by w h^2/8 = 5e-7 s between two rows; a corner between two rows is found at the later one */
  is(m, "swd_begin_s", begin, 1e-6, what);
  is(m, "swd_end_s", end + 0.5 * history_step, 0.5 * history_step, what);
  is(m, "swd_speed_mps", 22.0 - begin, 1e-6, what);
  /* the dwell holds the second peak */
  is(m, "swd_amplitude_rad", p[SIZE], 1e-12, what);
  is(m, "swd_amplitude_per_a", p[SIZE] / (20.0 * deg), 1e-11, what);
  double top = 1e-3; /* share of the other bells at the peak; they shift the peak by less than a millisecond */
  is(m, "swd_yaw_rate_peak_s", p[PEAK_AT], top, what);
  is(m, "swd_yaw_rate_peak_radps", fabs(yaw(p, p[PEAK_AT])), 1e-5, what);
  double late100 = end + 1.0, late175 = end + 1.75, rate = 2.0; /* 1/s: a bound of the ratio's slope there */
  is(m, "swd_yaw_ratio_100", fabs(yaw(p, late100) / yaw(p, p[PEAK_AT])), rate * history_step, what);
  is(m, "swd_yaw_ratio_175", fabs(yaw(p, late175) / yaw(p, p[PEAK_AT])), rate * history_step, what);
  is(m, "swd_displacement_m", p[AY_RATE] * (0.5 * late * span * span + span * span * span / 6.0), 1e-5, what);
}

/* Checks peaks and times that ISO 19365 compares. Between the bell-shaped peaks the yaw rate changes sign once. */
static void test_waves(const double *p, const char *what) {
  const vd_metrics *m = run("sine_with_dwell", sine_with_dwell, p, 6.0, NAN);
  double begin = 1.0 + asin(5.0 * deg / p[SIZE]) / (2.0 * VD_PI * hz), low = 1.5, high = p[PEAK_AT], top = 1e-3;
  while (high - low > 1e-12) {
    double middle = 0.5 * (low + high);
    *(yaw(p, middle) > 0.0 ? &low : &high) = middle;
  }
  is(m, "swd_yaw_rate_peak_1_radps", 0.9, 1e-4, what);
  is(m, "swd_yaw_rate_peak_1_time_s", 1.5 - begin, top, what);
  is(m, "swd_yaw_rate_zero_time_s", low - begin, 1e-5, what);
  is(m, "swd_yaw_rate_peak_2_radps", fabs(yaw(p, p[PEAK_AT])), 1e-5, what);
  is(m, "swd_yaw_rate_peak_2_time_s", p[PEAK_AT] - begin, top, what);
  is(m, "swd_roll_peak_1_rad", 0.09, 1e-5, what);
  is(m, "swd_roll_peak_1_time_s", 1.5 + roll_delay - begin, top, what);
  is(m, "swd_roll_zero_time_s", low + roll_delay - begin, 1e-5, what);
  is(m, "swd_roll_peak_2_rad", 0.1 * fabs(yaw(p, p[PEAK_AT])), 1e-6, what);
  is(m, "swd_roll_peak_2_time_s", p[PEAK_AT] + roll_delay - begin, top, what);
  /* ay grows until the end, 5 s after the start */
  is(m, "swd_ay_peak_1_mps2", 5.0 * p[AY_RATE], 1e-9, what);
}

/* Checks refusals. Only ay has an offset, by which the car drifts. */
static void test_refusals(void) {
  double p[] = {1.0, 100.0 * deg, 0.0, 0.0, 0.0, 3.0, 2.4};
  const vd_metrics *m = run("sine_with_dwell", sine_with_dwell, p, 4.0, NAN);
  refuses(m, "swd_amplitude_per_a", "unit_angle", "A is not given");
  refuses(m, "swd_yaw_ratio_175", "the run ends before", "a short run");
  is(m, "swd_yaw_ratio_100", fabs(yaw(p, 3.93) / yaw(p, 2.4)), 2e-3, "a short run");
  refuses(m, "swd_ay_zero_time_s", "no peak to the other side", "ay that grows on");
  m = run("sine_with_dwell", sine_with_dwell, p, 2.0, NAN);
  refuses(m, "swd_end_s", "return to zero", "a run that ends in the dwell");
  refuses(m, "swd_displacement_m", "return to zero", "a run that ends in the dwell");
  /* 2 pi 0.7 Hz x 17 deg = 74.8 deg/s; with 18.5 deg the steering wheel is faster than 75 deg/s for only 0.18 s, and
   * for half of this at the start */
  double slow[] = {1.0, 17.0 * deg, 0.0, 0.0, 0.0, 3.0, 2.4}, brief[] = {1.0, 18.5 * deg, 0.0, 0.0, 0.0, 3.0, 2.4};
  m = run("sine_with_dwell", sine_with_dwell, slow, 6.0, NAN);
  refuses(m, "swd_begin_s", "never turns at", "too slow");
  m = run("sine_with_dwell", sine_with_dwell, brief, 6.0, NAN);
  refuses(m, "swd_begin_s", "for 0.2 s", "fast for too short a time");
}

/* Sets a row with a ripple of 50 Hz on yaw rate and ay, whose local peaks must not count. The filters pass 8 parts in
 * 1e12 of the ripple. They remove the content of the bells above 6 Hz: exp(-(pi 6 Hz 0.15 s)^2) = 3e-4 of the
 * narrowest. They round the corners of the steering angle: the filter's weight lies within 0.1 s of an instant, with
 * its mean there, so that the instants move by a few hundredths of a second at most. */
static void rippled(const double *p, double t, vd_row *row) {
  sine_with_dwell(p, t, row);
  row->eval.motion.yaw_rate += 0.05 * sin(2.0 * VD_PI * 50.0 * t);
  row->eval.body.ay += 0.5 * sin(2.0 * VD_PI * 50.0 * t);
}

static void test_filters(void) {
  double p[] = {1.0, 100.0 * deg, 0.0, 0.0, 0.0, 3.0, 2.4};
  vd_metrics_options options = history_options;
  vd_recorder r = {0};
  options.filtered = true;
  history_record(&r, rippled, p, 8.0, VD_L2);
  const vd_metrics *m = history_metrics("sine_with_dwell", &r, &options);
  is(m, "swd_yaw_rate_peak_s", 2.4, 1e-3, "filtered");
  is(m, "swd_yaw_rate_peak_radps", 0.6, 3e-4, "filtered");
  is(m, "swd_begin_s", 1.01, 0.02, "filtered");
  is(m, "swd_end_s", 2.93, 0.02, "filtered");
  history_record(&r, rippled, p, 8.0, VD_L2);
  m = history_metrics("sine_with_dwell", &r, &history_options);
  tap_ok(fabs(history_find(m, "swd_yaw_rate_peak_s")->value - 2.4) > 0.05,
         "not filtered: a ripple is taken for the peak");
}

/* Sets a row of a car that is steered at 1.6 s. In the first 0.05 s yaw rate and ay are 100 times their later
 * values. */
static void jolted(const double *p, double t, vd_row *row) {
  sine_with_dwell(p, t - 0.6, row);
  row->eval.motion.yaw_rate += t < 0.05 ? 60.0 : 0.0;
  row->eval.body.ay += t < 0.05 ? 500.0 : 0.0;
}

static void calm(const double *p, double t, vd_row *row) {
  sine_with_dwell(p, t - 0.6, row);
}

static void test_start(void) {
  static const char *const name[] = {"swd_yaw_rate_peak_radps", "swd_yaw_ratio_100", "swd_displacement_m"};
  double p[] = {1.0, 100.0 * deg, 0.0, 0.0, 0.0, 3.0, 2.4}, expected[VD_COUNT(name)];
  vd_metrics_options options = history_options;
  options.filtered = true;
  for (int jolt = 0; jolt < 2; jolt++) {
    vd_recorder r = {0};
    history_record(&r, jolt ? jolted : calm, p, 8.0, VD_L2);
    const vd_metrics *m = history_metrics("sine_with_dwell", &r, &options);
    for (size_t i = 0; i < VD_COUNT(name); i++)
      if (jolt)
        is(m, name[i], expected[i], 1e-3 * expected[i], "a start of 100 times the later values");
      else
        expected[i] = history_find(m, name[i])->value;
  }
}

/* Sets a row; p: side, g per rad, speed. ay follows the steering angle up to 0.4 g and then falls. */
static void slowly(const double *p, double t, vd_row *row) {
  double wheel = 13.5 * deg * fmax(0.0, t - 1.0), g = p[1] * wheel;
  row->eval.steering.steering_wheel = p[0] * wheel;
  row->eval.body.ay = p[0] * VD_GRAVITY * (g < 0.4 ? g : 0.4 + 0.2 * (g - 0.4));
  row->eval.motion.vx = p[2];
}

static void test_slowly(double side, const char *what) {
  double p[] = {side, 0.8, 80.0 / 3.6};
  const vd_metrics *m = run("slowly_increasing_steer", slowly, p, 5.0, NAN);
  is(m, "sis_angle_rad", 0.3 / 0.8, 1e-12, what);
  is(m, "sis_gain_mps2_per_rad", 0.8 * VD_GRAVITY, 1e-11, what);
  is(m, "sis_rate_radps", 13.5 * deg, 1e-12, what);
  is(m, "sis_speed_mps", 80.0 / 3.6, 1e-12, what);
}

int main(void) {
  double plain[] = {1.0, 100.0 * deg, 0.0, 0.0, 0.0, 3.0, 2.4};
  double off[] = {-1.0, 120.0 * deg, 0.02, -0.01, 0.3, 4.0, 2.5};
  tap_plan(TESTS);
  test_dwell(plain, "left first");
  test_dwell(off, "right first, with offsets");
  test_waves(plain, "left first");
  test_waves(off, "right first, with offsets");
  test_filters();
  test_start();
  test_refusals();
  test_slowly(1.0, "to the left");
  test_slowly(-1.0, "to the right");
  double p[] = {1.0, 0.8, 22.0};
  const vd_metrics *m = run("slowly_increasing_steer", slowly, p, 2.0, NAN);
  refuses(m, "sis_angle_rad", "never reaches 0.375 g", "a short run");
  double rest[] = {1.0, -0.8, 22.0};
  m = run("slowly_increasing_steer", slowly, rest, 5.0, NAN);
  is(m, "sis_angle_rad", 0.3 / 0.8, 1e-12, "a car that turns the other way");
  return tap_done();
}
