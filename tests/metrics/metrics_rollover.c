/* Two-wheel lift, reversal and static stability factor of constructed fishhooks. */
#include "histories.h"

enum { TESTS = 40 };

/* side; lift of the inner wheels from 2 s on: heights (m) and durations of the front and the rear wheel */
enum { SIDE, FRONT, REAR, FRONT_TIME, REAR_TIME };

static double hump(double t, double from, double lasts) {
  double u = (t - from) / lasts;
  return u > 0.0 && u < 1.0 ? sin(VD_PI * u) : 0.0;
}

/* Sets a row of a fishhook. The steering wheel turns from 1 s to 1.2 s, then to the other side from 1.5 s to 1.9 s, and
 * stays. The roll rate falls to 0.02 rad/s at 1.5 s. */
static void fishhook(const double *p, double t, vd_row *row) {
  vd_eval *e = &row->eval;
  double up = fmin(fmax((t - 1.0) / 0.2, 0.0), 1.0), over = fmin(fmax((t - 1.5) / 0.4, 0.0), 1.0);
  int front = p[SIDE] > 0.0 ? VD_FR : VD_FL, rear = front + 2; /* inner wheels after the reversal */
  e->motion.vx = 15.0;
  e->steering.steering_wheel = p[SIDE] * 2.4 * (up - 2.0 * over);
  e->body.ay = p[SIDE] * 8.0 * (up - 2.0 * over);
  e->log.body_roll = p[SIDE] * 0.1 * (up - 2.0 * over);
  e->motion.roll_rate = p[SIDE] * (t < 1.0 ? 0.0 : 0.3 - 0.56 * (t - 1.0));
  for (int i = 0; i < VD_WHEELS; i++) {
    e->tyre.load[i] = 3000.0;
    e->contact.deflection[i] = 0.02;
  }
  double heights[] = {p[FRONT] * hump(t, 2.0, p[FRONT_TIME]), p[REAR] * hump(t, 2.0, p[REAR_TIME])};
  for (int k = 0; k < 2; k++)
    if (heights[k] > 0.0) {
      e->tyre.load[k ? rear : front] = 0.0;
      e->contact.deflection[k ? rear : front] = -heights[k];
    }
}

/* Sets a row in which the steering wheel leaves zero, and the loads of the left wheels reach and leave zero, at
 * constant rates and between rows. */
static void between_rows(const double *p, double t, vd_row *row) {
  vd_eval *e = &row->eval;
  (void)p;
  e->motion.vx = 15.0;
  e->steering.steering_wheel = 3.0 * fmax(t - 1.00037, 0.0);
  for (int i = 0; i < VD_WHEELS; i++)
    e->tyre.load[i] = 3000.0;
  e->tyre.load[VD_FL] = fmax(4e4 * (2.00061 - t), fmax(2e4 * (t - 2.7), 0.0));
  e->tyre.load[VD_RL] = fmax(3e4 * (2.00023 - t), fmax(1e4 * (t - 2.60042), 0.0));
}

/* Sets a row of a J-turn: the steering wheel stays on one side. */
static void j_turn(const double *p, double t, vd_row *row) {
  fishhook(p, fmin(t, 1.4), row);
}

static const vd_metrics *run(history *at, const double *p, enum vd_level level) {
  vd_recorder r = {.car = {.track = {1.5, 1.6}, .cg_height = 0.62}};
  history_record(&r, at, p, 5.0, level);
  return history_metrics("rollover", &r, &history_options);
}

static void test_lift(double side) {
  const char *what = side > 0.0 ? "left first" : "right first";
  double p[] = {side, 0.09, 0.07, 0.6, 0.8};
  const vd_metrics *m = run(fishhook, p, VD_L3);
  is(m, "static_stability_factor", 1.55 / 1.24, 1e-12, what);
  is(m, "rollover_onset_s", 1.0, 1e-12, what);
  is(m, "rollover_speed_mps", 15.0, 1e-12, what);
  is(m, "rollover_wheel_rad", 2.4, 1e-12, what);
  is(m, "steer_reversal_s", 1.5, 1e-12, what);
  is(m, "roll_rate_at_reversal_radps", side * 0.02, 1e-12, what);
  is(m, "rollover_ay_mps2", 8.0, 1e-12, what);
  is(m, "rollover_roll_rad", 0.1, 1e-12, what);
  /* the front wheel lands first, 0.6 s after 2 s; there are rows at both ends of the lift */
  is(m, "two_wheel_lift_start_s", 2.0005, 0.0006, what);
  is(m, "two_wheel_lift_time_s", 0.6, 1.1e-3, what);
  /* the height of the lower wheel counts. This is the rear wheel until both heights are equal, so that the maximum is
   * the rear wheel's peak or the height at this instant */
  double top = 0.0;
  for (int i = 1; i < 6000; i++)
    top = tap_max(top, tap_min(0.09 * hump(2.0 + i * 1e-4, 2.0, 0.6), 0.07 * hump(2.0 + i * 1e-4, 2.0, 0.8)));
  is(m, "two_wheel_lift_height_m", top, 1e-4, what);
  is(m, "two_wheel_lift", 1.0, 0.0, what);
}

/* Checks instants; straight lines between rows are exact here. */
static void test_instants(void) {
  const vd_metrics *m = run(between_rows, NULL, VD_L3);
  is(m, "rollover_onset_s", 1.00037, 1e-10, "between rows");
  is(m, "two_wheel_lift_start_s", 2.00061, 1e-10, "the wheel that lifts last");
  is(m, "two_wheel_lift_time_s", 2.60042 - 2.00061, 1e-10, "until the first wheel lands");
}

int main(void) {
  double low[] = {1.0, 0.09, 0.05, 0.6, 0.6}, one[] = {1.0, 0.2, 0.0, 0.6, 0.6},
         exact[] = {1.0, 0.09, 0.0509, 0.6, 0.6};
  tap_plan(TESTS);
  test_instants();
  test_lift(1.0);
  test_lift(-1.0);
  const vd_metrics *m = run(fishhook, low, VD_L3);
  is(m, "two_wheel_lift_height_m", 0.05, 1e-6, "5 cm");
  is(m, "two_wheel_lift", 0.0, 0.0, "5 cm");
  m = run(fishhook, exact, VD_L3);
  is(m, "two_wheel_lift", 1.0, 0.0, "two inches");
  m = run(fishhook, one, VD_L3);
  is(m, "two_wheel_lift_time_s", 0.0, 0.0, "one wheel alone");
  is(m, "two_wheel_lift_height_m", 0.0, 0.0, "one wheel alone");
  is(m, "two_wheel_lift", 0.0, 0.0, "one wheel alone");
  refuses(m, "two_wheel_lift_start_s", "are never off the road", "one wheel alone");
  m = run(j_turn, low, VD_L2);
  refuses(m, "steer_reversal_s", "does not turn back", "a turn that is held");
  refuses(m, "two_wheel_lift_height_m", "no wheel has a height", "L2");
  refuses(m, "roll_rate_at_reversal_radps", "no roll rate", "L2");
  is(m, "two_wheel_lift_time_s", 0.0, 0.0, "L2");
  m = run(j_turn, low, VD_L1);
  refuses(m, "two_wheel_lift_time_s", "no wheels on two sides", "L1");
  refuses(m, "rollover_roll_rad", "no body roll", "L1");
  return tap_done();
}
