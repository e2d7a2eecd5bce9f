/* Braking and power-off in a turn: a car on circles of known radius with known side slip. */
#include "histories.h"

#include <stdio.h>

enum { TESTS = 72 };

/* The car drives on a circle about the origin with a side slip angle; from t0 on the car decelerates and follows a
 * circle of another radius (INFINITY: straight), while its side slip grows evenly. */
enum { SIDE, RADIUS, SPEED, SLIP, T0, DECEL, NEXT, SLIP_RATE };

static void drive(const double *p, double t, vd_row *row) {
  vd_eval *e = &row->eval;
  double s = fmax(0.0, t - p[T0]), v = p[SPEED] - p[DECEL] * s, d = (p[SPEED] - 0.5 * p[DECEL] * s) * s;
  double before = p[SPEED] * fmin(t - p[T0], 0.0) / p[RADIUS]; /* angle on the first circle, 0 at t0 */
  double bend = s > 0.0 ? 1.0 / p[NEXT] : 1.0 / p[RADIUS];
  double turn = before + d / p[NEXT];
  /* at t0 the car is at (0, -R) and moves along x */
  double x = p[RADIUS] * sin(before), y = -p[RADIUS] * cos(before);
  x += isinf(p[NEXT]) ? d : p[NEXT] * sin(d / p[NEXT]);
  y += isinf(p[NEXT]) ? 0.0 : p[NEXT] * (1.0 - cos(d / p[NEXT]));
  double slip = p[SLIP] + p[SLIP_RATE] * s;
  e->log.x = x;
  e->log.y = p[SIDE] * y;
  e->log.sideslip = p[SIDE] * slip;
  e->log.yaw = p[SIDE] * (turn - slip);
  e->motion.vx = v * cos(slip);
  e->motion.vy = v * sin(e->log.sideslip);
  e->motion.yaw_rate = p[SIDE] * v * bend;
  e->body.ay = p[SIDE] * v * v * bend;
  e->drive.throttle = t < p[T0] - 1e-9 ? 0.2 : 0.0;
  e->drive.brake = t < p[T0] - 1e-9 ? 0.0 : 0.3;
}

/* Sets a row of the turn above without the brake. */
static void coast(const double *p, double t, vd_row *row) {
  drive(p, t, row);
  row->eval.drive.brake = 0.0;
}

static const vd_metrics *run(const char *set, history *at, const double *p, double duration) {
  vd_recorder r = {0};
  history_record(&r, at, p, duration, VD_L2);
  return history_metrics(set, &r, &history_options);
}

/* Returns the distance from the first circle's centre after a distance d on the next circle, which touches the first
 * circle at t0. */
static double off_circle(const double *p, double d) {
  double r = p[RADIUS], q = p[NEXT];
  if (isinf(q))
    return hypot(r, d) - r;
  return sqrt((r - q) * (r - q) + q * q + 2.0 * (r - q) * q * cos(d / q)) - r;
}

static void test_turn(const double *p, const char *set, const char *prefix, const char *what) {
  static const double after[] = {0.5, 1.0, 2.0};
  static const char *const part[] = {"05", "1", "2"};
  static const char *const unit[] = {"", "", "_rad", "_m", "_mps2"};
  const vd_metrics *m = run(set, strcmp(set, "power_off") == 0 ? coast : drive, p, 8.0);
  char name[96];
  double ratio = p[RADIUS] / p[NEXT];
  for (int i = 0; i < 3; i++) {
    double d = (p[SPEED] - 0.5 * p[DECEL] * after[i]) * after[i];
    double expected[] = {ratio, ratio, p[SLIP_RATE] * after[i], off_circle(p, d), p[DECEL]};
    const char *const quantity[] = {"yaw_ratio", "ay_ratio", "sideslip_change", "deviation", "deceleration"};
    for (int k = 0; k < 5; k++) {
      snprintf(name, sizeof name, "%s_%s_%s%s", prefix, quantity[k], part[i], unit[k]);
      is(m, name, expected[k], 1e-9, what);
    }
  }
}

static void test_start(const double *p, const char *what) {
  const vd_metrics *m = run("braking_in_turn", drive, p, 8.0);
  is(m, "turn_brake_onset_s", p[T0], 1e-12, what);
  is(m, "turn_brake_speed_mps", p[SPEED], 1e-10, what);
  is(m, "turn_brake_radius_m", p[RADIUS], 1e-9, what);
  is(m, "turn_brake_ay_mps2", p[SPEED] * p[SPEED] / p[RADIUS], 1e-10, what);
  is(m, "turn_brake_yaw_ratio_max", fmax(1.0, p[RADIUS] / p[NEXT]), 1e-10, what);
  is(m, "turn_brake_yaw_ratio_min", fmin(1.0, p[RADIUS] / p[NEXT]), 1e-10, what);
}

int main(void) {
  double v = 80.5 / 3.6;
  double along[] = {1.0, 100.0, v, -0.01, 3.0, 4.0, 100.0, 0.0};
  double in[] = {-1.0, 100.0, v, -0.02, 3.0, 4.0, 80.0, -0.01};
  double straight[] = {1.0, 100.0, v, 0.01, 3.0, 3.0, INFINITY, 0.0};
  tap_plan(TESTS);
  test_turn(along, "braking_in_turn", "turn_brake", "along the circle");
  test_turn(in, "braking_in_turn", "turn_brake", "to the right, inwards");
  test_turn(straight, "braking_in_turn", "turn_brake", "straight on");
  test_turn(in, "power_off", "power_off", "power-off");
  test_start(in, "to the right, inwards");
  double stop[] = {1.0, 100.0, v, 0.0, 3.0, 15.0, 100.0, 0.0};
  const vd_metrics *m = run("braking_in_turn", drive, stop, 4.4);
  is(m, "turn_brake_yaw_ratio_1", 1.0, 1e-10, "nearly at a stop");
  refuses(m, "turn_brake_yaw_ratio_2", "the run ends before", "nearly at a stop");
  double never[] = {1.0, 100.0, v, 0.0, 30.0, 4.0, 100.0, 0.0};
  m = run("braking_in_turn", drive, never, 4.0);
  refuses(m, "turn_brake_onset_s", "never applied", "no braking");
  m = run("power_off", drive, never, 4.0);
  refuses(m, "power_off_onset_s", "open at the end", "no power-off");
  /* the turn tightens until t0: not steady */
  double swerving[] = {1.0, 100.0, v, 0.0, 0.2, 4.0, 80.0, 0.0};
  m = run("braking_in_turn", drive, swerving, 4.0);
  refuses(m, "turn_brake_yaw_ratio_1", "too short for a steady window", "a start too late");
  double ahead[] = {1.0, 1e9, v, 0.0, 3.0, 4.0, 1e9, 0.0};
  m = run("braking_in_turn", drive, ahead, 6.0);
  refuses(m, "turn_brake_yaw_ratio_1", "does not turn", "straight ahead");
  return tap_done();
}
