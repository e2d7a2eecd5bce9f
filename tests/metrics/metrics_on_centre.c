/* The weave test: sines and their ellipses, whose widths, slopes, areas and lags are known. */
#include "histories.h"

enum { TESTS = 66 };

/* amplitude of the steering wheel, frequency, start; gain and phase of ay, of the yaw rate, of the torque */
enum { SIZE, HZ, START, AY, AY_PHASE, YAW, YAW_PHASE, TORQUE, TORQUE_PHASE };

static void weave(const double *p, double t, vd_row *row) {
  vd_eval *e = &row->eval;
  double a = 2.0 * VD_PI * p[HZ] * (t - p[START]);
  e->motion.vx = 27.8;
  if (a <= 0.0)
    return;
  e->steering.steering_wheel = p[SIZE] * sin(a);
  e->body.ay = p[SIZE] * p[AY] * sin(a - p[AY_PHASE]);
  e->motion.yaw_rate = p[SIZE] * p[YAW] * sin(a - p[YAW_PHASE]);
  e->steering.steering_torque = p[SIZE] * p[TORQUE] * sin(a - p[TORQUE_PHASE]);
}

static const vd_metrics *run(const double *p, double duration) {
  vd_recorder r = {0};
  history_record(&r, weave, p, duration, VD_L2);
  return history_metrics("on_centre", &r, &history_options);
}

static void test_ellipse(const double *p, double duration, double cycles, const char *what) {
  const vd_metrics *m = run(p, duration);
  double ay = p[SIZE] * p[AY], yaw = p[SIZE] * p[YAW], w = 2.0 * VD_PI * p[HZ];
  /* the error of trapezoids and straight lines between rows is (w h)^2/8 < 2e-6 of a quantity, and w h/(2 pi cycles) if
   * a sum starts and ends within a step */
  double part = 2e-6;
  is(m, "weave_cycles", cycles, 0.0, what);
  is(m, "weave_frequency_Hz", p[HZ], 1e-9, what);
  is(m, "weave_speed_mps", 27.8, 1e-12, what);
  is(m, "weave_wheel_rad", p[SIZE], part * p[SIZE], what);
  is(m, "weave_ay_mps2", ay, part * ay, what);
  is(m, "weave_yaw_rate_radps", yaw, part * yaw, what);
  is(m, "weave_ay_lag_s", p[AY_PHASE] / w, part / w, what);
  is(m, "weave_yaw_rate_lag_s", p[YAW_PHASE] / w, part / w, what);
  is(m, "weave_ay_deadband_mps2", 2.0 * ay * sin(p[AY_PHASE]), part * ay, what);
  is(m, "weave_ay_wheel_deadband_rad", 2.0 * p[SIZE] * sin(p[AY_PHASE]), part * p[SIZE], what);
  is(m, "weave_yaw_rate_deadband_radps", 2.0 * yaw * sin(p[YAW_PHASE]), part * yaw, what);
  is(m, "weave_yaw_rate_wheel_deadband_rad", 2.0 * p[SIZE] * sin(p[YAW_PHASE]), part * p[SIZE], what);
  double sensitivity = p[AY] / cos(p[AY_PHASE]) * 100.0 * VD_PI / 180.0 / VD_GRAVITY;
  is(m, "weave_sensitivity_g_per_100deg", sensitivity, 3.0 * part * sensitivity, what);
  double si = p[AY] / cos(p[AY_PHASE]);
  is(m, "weave_sensitivity_mps2_per_rad", si, 3.0 * part * si, what);
  is(m, "weave_ay_hysteresis_radmps2", VD_PI * p[SIZE] * ay * sin(p[AY_PHASE]), part * p[SIZE] * ay, what);
  is(m, "weave_yaw_rate_hysteresis_rad2ps", VD_PI * p[SIZE] * yaw * sin(p[YAW_PHASE]), part * p[SIZE] * yaw, what);
  /* the two branches of the fit may each be a row longer or shorter at their ends: one row of 1000 */
  is(m, "weave_ay_slope_mps2_per_rad", p[AY] * cos(p[AY_PHASE]), 1e-3 * p[AY], what);
  is(m, "weave_yaw_rate_slope_radps_per_rad", p[YAW] * cos(p[YAW_PHASE]), 1e-3 * p[YAW], what);
  /* slope of the ellipse, (ay/wheel) cos a/cos(a + p), where ay is its amplitude times sin a; a chord over two rows */
  double reach = asin(fmin(0.5, 0.1 * VD_GRAVITY / ay)), per = p[AY] * 100.0 * VD_PI / 180.0 / VD_GRAVITY;
  double least = cos(reach) / cos(p[AY_PHASE] - reach), most = cos(reach) / cos(p[AY_PHASE] + reach),
         row = 2.0 * w * 1e-3;
  is(m, "weave_sensitivity_min_g_per_100deg", per * least, row * per, what);
  is(m, "weave_sensitivity_linearity", least / most, row, what);
  /* relative to ay the torque leads by the difference of the phases */
  double torque = p[SIZE] * p[TORQUE], ahead = p[AY_PHASE] - p[TORQUE_PHASE];
  is(m, "weave_torque_Nm", torque, part * torque, what);
  is(m, "weave_torque_lag_s", p[TORQUE_PHASE] / w, part / w, what);
  is(m, "weave_torque_slope_Nm_per_rad", p[TORQUE] * cos(p[TORQUE_PHASE]), 1e-3 * p[TORQUE], what);
  is(m, "weave_torque_hysteresis_Nmrad", VD_PI * p[SIZE] * torque * sin(p[TORQUE_PHASE]), part * p[SIZE] * torque,
     what);
  is(m, "weave_torque_0g_Nm", torque * sin(ahead), part * torque, what);
  is(m, "weave_torque_gradient_Nm_per_mps2", torque / ay * cos(ahead), 1e-3 * torque / ay, what);
  is(m, "weave_torque_ay_deadband_mps2", 2.0 * ay * sin(ahead), part * ay, what);
  is(m, "weave_torque_wheel_deadband_rad", 2.0 * p[SIZE] * sin(p[TORQUE_PHASE]), part * p[SIZE], what);
  double half = asin(0.5), tenth = asin(0.1 * VD_GRAVITY / ay);
  is(m, "weave_torque_linearity", cos(half + ahead) / cos(half) / cos(ahead), 1e-4, what);
  if (ay > 0.1 * VD_GRAVITY)
    is(m, "weave_torque_tenth_g_Nm", torque * sin(tenth + ahead), part * torque, what);
  else
    refuses(m, "weave_torque_tenth_g_Nm", "stays below 0.1 g", what);
}

int main(void) {
  /* the second frequency does not fit the rows */
  double slow[] = {0.17, 0.2, 1.0, 6.0, 0.31, 0.3, 0.12, 20.0, 0.21};
  double quick[] = {0.05, 0.2137, 0.4, 8.0, 0.52, 0.35, 0.2, 31.0, 0.08};
  tap_plan(TESTS);
  test_ellipse(slow, 61.5, 11.0, "0.2 Hz");
  test_ellipse(quick, 40.0, 7.0, "0.2137 Hz");
  double still[] = {0.0, 0.2, 1.0, 6.0, 0.3, 0.3, 0.1, 20.0, 0.2};
  const vd_metrics *m = run(still, 12.0);
  refuses(m, "weave_cycles", "does not weave", "a steering wheel at rest");
  refuses(m, "weave_ay_lag_s", "does not weave", "a steering wheel at rest");
  double deaf[] = {0.2, 0.2, 1.0, 0.0, 0.3, 0.3, 0.1, 20.0, 0.2};
  m = run(deaf, 22.0);
  refuses(m, "weave_ay_lag_s", "ay does not respond", "a car that does not sway");
  is(m, "weave_yaw_rate_lag_s", 0.1 / (2.0 * VD_PI * 0.2), 1e-5, "a car that does not sway");
  is(m, "weave_torque_lag_s", 0.2 / (2.0 * VD_PI * 0.2), 1e-5, "a car that does not sway");
  refuses(m, "weave_torque_0g_Nm", "ay does not respond", "a car that does not sway");
  return tap_done();
}
