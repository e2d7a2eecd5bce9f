/* Stops of known length and course: ISO 21994, and split friction, ISO 14512. */
#include "histories.h"

#include <stdio.h>

enum { TESTS = 48 };

/* deceleration, speed at the onset at 1 s, course angle; amplitude (m) and angular frequency (rad/s) of the lateral
 * deviation; amplitude and angular frequency of the steering wheel */
enum { DECEL, SPEED, COURSE, SWING, RATE, WHEEL, WHEEL_RATE, PEDAL_RISE };

/* Sets a row. The lateral deviation from the course is SWING sin(RATE s), s the time; the heading deviates from the
 * course by half of this number in rad, and the yaw rate is its derivative. */
static void stop(const double *p, double t, vd_row *row) {
  vd_eval *e = &row->eval;
  double s = t - 1.0, end = p[SPEED] / p[DECEL], braked = fmin(fmax(s, 0.0), end);
  double d = s < 0.0 ? p[SPEED] * s : p[SPEED] * braked - 0.5 * p[DECEL] * braked * braked;
  double aside = p[SWING] * sin(p[RATE] * braked), c = cos(p[COURSE]), w = sin(p[COURSE]);
  e->log.x = c * d - w * aside;
  e->log.y = w * d + c * aside;
  e->log.yaw = p[COURSE] + 0.5 * aside;
  e->motion.yaw_rate = s > 0.0 && s < end ? 0.5 * p[SWING] * p[RATE] * cos(p[RATE] * braked) : 0.0;
  e->motion.vx = p[SPEED] - p[DECEL] * braked;
  e->body.ax = s >= -1e-9 ? -p[DECEL] : 0.0;
  e->steering.steering_wheel = 0.1 + p[WHEEL] * fmin(p[WHEEL_RATE] * braked, 1.0);
  e->log.sideslip = -0.1 * aside;
  e->drive.brake = s < -1e-9 ? 0.0 : p[PEDAL_RISE] > 0.0 ? fmin(1.0, 0.01 + s / p[PEDAL_RISE]) : 1.0;
  row->state.x[VD_S_DISTANCE] = d + 100.0;
}

static const vd_metrics *run(const char *set, const double *p, double duration) {
  vd_recorder r = {0};
  history_record(&r, stop, p, duration, VD_L2);
  return history_metrics(set, &r, &history_options);
}

static void test_stop(double v, double course, const char *what) {
  double p[] = {8.0, v, course, 0.3, 2.0, 0.0, 0.0, 0.2};
  const vd_metrics *m = run("stopping", p, 6.0);
  double nominal = history_options.nominal_speed, distance = (v * v - 0.01) / 16.0;
  is(m, "stopping_speed_deviation_mps", v - nominal, 1e-12, what);
  /* a straight line between two rows deviates from a parabola by at most a h^2/8 = 1e-6 m, before it is corrected */
  is(m, "stopping_distance_corrected_m", distance * nominal * nominal / (v * v), 2e-6, what);
  is(m, "pedal_rise_time_s", 0.2 * 0.89, 1e-12, what);
  /* the first peak is at pi/4 s, the stop at 3.5 s, after the peak to the other side */
  is(m, "stopping_lateral_deviation_m", 0.3, 1e-6, what);
  is(m, "stopping_heading_change_rad", 0.15, 1e-6, what);
}

/* Checks the formula of UN R13-H in km/h, 25.92 = 2 x 3.6^2. */
static void test_developed(void) {
  double p[] = {6.0, 30.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0}, v = 30.0 * 3.6;
  const vd_metrics *m = run("braking", p, 8.0);
  double sb = (30.0 * 30.0 - 24.0 * 24.0) / 12.0, se = (30.0 * 30.0 - 9.0) / 12.0;
  is(m, "mfdd_mps2", (0.64 - 0.01) * v * v / (25.92 * (se - sb)), 1e-6, "MFDD");
  is(m, "mfdd_mps2", 6.0, 1e-6, "MFDD");
  m = run("stopping", p, 8.0);
  is(m, "pedal_rise_time_s", 0.0, 0.0, "a pedal that jumps");
  is(m, "stopping_lateral_deviation_m", 0.0, 1e-12, "straight");
}

/* Sets a row in which the pedal leaves zero at a constant rate between two rows. From this instant the car decelerates
 * evenly: its distance to rest is V^2/(2 a), within a h^2/8, the error of straight lines between rows. */
static void ramp(const double *p, double t, vd_row *row) {
  double s = fmax(t - p[0], 0.0), end = 20.0 / 5.0, braked = fmin(s, end);
  row->eval.motion.vx = 20.0 - 5.0 * braked;
  row->eval.body.ax = s > 0.0 && s < end ? -5.0 : 0.0;
  row->eval.drive.brake = fmin(s / 0.2, 1.0);
  row->state.x[VD_S_DISTANCE] = 20.0 * fmin(t, p[0]) + 20.0 * braked - 2.5 * braked * braked;
}

static void test_onset(double onset) {
  vd_recorder r = {0};
  char what[60];
  snprintf(what, sizeof what, "a pedal that leaves zero at %g s", onset);
  history_record(&r, ramp, &onset, 6.0, VD_L2);
  const vd_metrics *m = history_metrics("braking", &r, &history_options);
  is(m, "brake_onset_s", onset, 1e-10, what);
  is(m, "brake_initial_speed_mps", 20.0, 5.0 * history_step, what);
  is(m, "stopping_distance_m", (20.0 * 20.0 - 0.01) / 10.0, 2e-6, what);
  vd_recorder again = {0};
  history_record(&again, ramp, &onset, 6.0, VD_L2);
  is(history_metrics("stopping", &again, &history_options), "pedal_rise_time_s", 0.18, 1e-10, what);
}

static void test_split(double course, const char *what) {
  double p[] = {4.0, 22.0, course, 0.3, 0.5, -1.2, 0.3, 0.0};
  const vd_metrics *m = run("split_friction", p, 8.0);
  is(m, "split_yaw_rate_1_radps", 0.15 * 0.5 * cos(0.5), 1e-12, what);
  is(m, "split_heading_change_1_rad", 0.15 * sin(0.5), 1e-12, what);
  is(m, "split_wheel_1_rad", 1.2 * 0.3, 1e-12, what);
  is(m, "split_wheel_2_rad", 1.2 * 0.6, 1e-12, what);
  is(m, "split_wheel_rad", 1.2, 1e-12, what);
  /* the peak comes at pi s, before the stop at 5.5 s */
  is(m, "split_lateral_deviation_m", 0.3, 1e-7, what);
  is(m, "split_sideslip_rad", 0.03 * sin(1.0), 1e-12, what);
}

static void test_refusals(void) {
  double p[] = {4.0, 22.0, 0.0, 0.3, 0.5, -1.2, 0.3, 0.0};
  const vd_metrics *m = run("split_friction", p, 2.5);
  is(m, "split_wheel_1_rad", 1.2 * 0.3, 1e-12, "a run of 2.5 s");
  refuses(m, "split_wheel_2_rad", "the run ends before", "a run of 2.5 s");
  refuses(m, "split_lateral_deviation_m", "never falls", "a run of 2.5 s");
  m = run("stopping", p, 2.5);
  refuses(m, "stopping_distance_corrected_m", "never falls", "a run of 2.5 s");
  m = run("stopping", p, 0.5);
  refuses(m, "pedal_rise_time_s", "never applied", "no braking");
  refuses(m, "stopping_speed_deviation_mps", "never applied", "no braking");
  m = run("split_friction", p, 0.5);
  refuses(m, "split_yaw_rate_1_radps", "never applied", "no braking");
  refuses(m, "split_wheel_rad", "never applied", "no braking");
}

int main(void) {
  tap_plan(TESTS);
  test_onset(1.0);
  test_onset(1.00025);
  test_onset(1.00087);
  test_stop(28.0, 0.0, "100.8 km/h");
  test_stop(27.0, 2.0, "97.2 km/h, on another course");
  test_developed();
  test_split(0.0, "split friction");
  test_split(-2.5, "split friction, on another course");
  test_refusals();
  return tap_done();
}
