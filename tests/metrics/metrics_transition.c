/* The transition test: straight lines with offsets over a ramp of the steering wheel. */
#include "histories.h"

enum { TESTS = 38 };

/* side, rate of the steering wheel, its start and end; gains and delays of yaw rate and ay; torque per angle, and the
 * torque of friction */
enum { SIDE, RATE, START, END, YAW, YAW_DELAY, AY, AY_DELAY, TORQUE, FRICTION };

static void ramp(const double *p, double t, vd_row *row) {
  vd_eval *e = &row->eval;
  double moved = fmax(0.0, fmin(t, p[END]) - p[START]), q = p[SIDE] * p[RATE];
  e->motion.vx = 27.0 - 0.1 * t;
  e->steering.steering_wheel = q * moved;
  e->motion.yaw_rate = p[YAW] * q * fmax(0.0, moved - p[YAW_DELAY]);
  e->body.ay = p[AY] * q * fmax(0.0, moved - p[AY_DELAY]);
  e->steering.steering_torque = moved > 0.0 ? p[SIDE] * p[FRICTION] + p[TORQUE] * q * moved : 0.0;
}

static const vd_metrics *run(const double *p, enum vd_level level, double duration) {
  vd_metrics_options options = history_options;
  vd_recorder r = {0};
  options.fit_from = 0.5;
  options.fit_to = 1.5;
  history_record(&r, ramp, p, duration, level);
  return history_metrics("transition", &r, &options);
}

static void test_lines(const double *p, const char *what) {
  const vd_metrics *m = run(p, VD_L2, 7.0);
  double q = p[RATE], middle = p[START] + p[AY_DELAY] + 1.0 / (p[AY] * q);
  is(m, "transition_start_s", p[START], 1e-12, what);
  /* vx falls evenly, so that its mean is the value where ay is 1 m/s2, within a row */
  is(m, "transition_speed_mps", 27.0 - 0.1 * middle, 1e-4, what);
  is(m, "transition_wheel_rate_radps", q, 1e-12, what);
  is(m, "transition_ay_rate_mps3", p[AY] * q, 1e-11, what);
  is(m, "transition_yaw_rate_gradient_radps_per_rad", p[YAW], 1e-11, what);
  is(m, "transition_yaw_rate_wheel_deadband_rad", q * p[YAW_DELAY], 1e-12, what);
  is(m, "transition_yaw_rate_delay_s", p[YAW_DELAY], 1e-11, what);
  is(m, "transition_ay_gradient_mps2_per_rad", p[AY], 1e-10, what);
  is(m, "transition_ay_wheel_deadband_rad", q * p[AY_DELAY], 1e-12, what);
  is(m, "transition_ay_delay_s", p[AY_DELAY], 1e-11, what);
  is(m, "transition_torque_gradient_Nm_per_rad", p[TORQUE], 1e-10, what);
  is(m, "transition_torque_0deg_Nm", p[FRICTION], 1e-11, what);
  is(m, "transition_torque_gradient_Nm_per_mps2", p[TORQUE] / p[AY], 1e-11, what);
  is(m, "transition_torque_0g_Nm", p[FRICTION] + p[TORQUE] * q * p[AY_DELAY], 1e-11, what);
  is(m, "transition_torque_deadband_Nm", p[FRICTION] + p[TORQUE] * q * p[YAW_DELAY], 1e-11, what);
}

int main(void) {
  static const double left[] = {1.0, 0.035, 1.0, 6.0, 0.4, 0.08, 12.0, 0.13, 20.0, 0.6};
  /* steering starts and stops between two rows */
  static const double right[] = {-1.0, 0.02, 0.5004, 6.9, 0.5, 0.2, 14.0, 0.4, 10.0, 0.0};
  static const double early[] = {1.0, 0.035, 1.0, 3.5, 0.4, 0.08, 12.0, 0.13, 20.0, 0.6};
  static const double none[] = {1.0, 0.0, 1.0, 6.0, 0.4, 0.08, 12.0, 0.13, 20.0, 0.6};
  static const double small[] = {1.0, 0.005, 1.0, 6.0, 0.4, 0.08, 12.0, 0.13, 20.0, 0.6};
  static const double from_start[] = {1.0, 0.035, -1.0, 6.0, 0.4, 0.08, 12.0, 0.13, 20.0, 0.6};
  const vd_metrics *m;
  tap_plan(TESTS);
  test_lines(left, "to the left");
  test_lines(right, "to the right");
  m = run(left, VD_L0, 7.0);
  is(m, "transition_yaw_rate_gradient_radps_per_rad", 0.4, 1e-11, "L0 has a yaw rate");
  refuses(m, "transition_torque_0g_Nm", "a steering torque", "L0 has no torque");
  m = run(early, VD_L2, 7.0);
  refuses(m, "transition_ay_gradient_mps2_per_rad", "covers only", "steering wheel stops early");
  is(m, "transition_start_s", 1.0, 1e-12, "the steering wheel has started");
  refuses(run(none, VD_L2, 7.0), "transition_start_s", "does not move", "no steering");
  m = run(small, VD_L2, 7.0);
  refuses(m, "transition_ay_gradient_mps2_per_rad", "never between", "a turn too wide");
  refuses(m, "transition_torque_0g_Nm", "never between", "a turn too wide, torque");
  refuses(run(from_start, VD_L2, 7.0), "transition_start_s", "from the start", "turned from the start");
  return tap_done();
}
