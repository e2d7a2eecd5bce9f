/* Prescribed motion: speed, place and heading are given as functions of time.
 *
 * - The car follows them to rounding, at every level: at the points of their tables, and along a sine.
 * - The ledger of runs that steer, drive and brake during a prescribed motion closes, with the work of the prescribing
 *   forces.
 * - Momentum: straight ahead the mass times the acceleration of the centre of all masses is the sum of the tyres'
 *   forces and the force that prescribes the speed. With a prescribed place and heading this is also checked laterally.
 *   The acceleration is a central difference of the masses' momentum over four points h = 1 ms apart; for oscillations
 *   of a wheel, w = 75 rad/s, its error is (w h)^4/30 = 1e-6.
 * - About the vertical of L1 and L2, I r' is the moment of the tyres' side forces and of the force that prescribes the
 *   heading.
 * - A body that rolls, pitches and yaws has the prescribed second derivatives.
 * - A prescribed place of the other sign gives the mirrored run.
 * - Halving the step reduces the error to a sixteenth.
 * - A copy of the run at an instant continues to the same bits. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const levels[] = {"run={duration: 3 s, level: L1}",
                                     "run={duration: 3 s, level: L2}",
                                     "run={duration: 3 s, level: L3}",
                                     "run={duration: 3 s, level: L4}",
                                     "run={duration: 3 s, level: L5, unsprung: linkage}",
                                     "run={duration: 3 s, level: L5, unsprung: strut}",
                                     "run={duration: 3 s, level: L5, unsprung: strut, links: stiff}",
                                     "run={duration: 3 s, level: L5, unsprung: hub}"};
enum { LEVELS = VD_COUNT(levels), LONG = 3 };

static const char driven[] = "vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                             "run: {duration: 3 s}\n"
                             "throttle: {type: pulse, shape: half_sine, start: 0.2 s, duration: 1 s, amplitude: 0.4}\n"
                             "brake: {type: pulse, shape: half_sine, start: 1.5 s, duration: 1 s, amplitude: 0.1}\n"
                             "steering_wheel: {type: sine, amplitude: 20 deg, frequency: 0.5 Hz}\n";

#define SMOOTH(points) "{type: table, interpolation: smooth, points: [" points "]}"
static const char along_x[] = "prescribed_x=" SMOOTH("[0, 5], [1, 25], [2, 46], [3, 64]");
static const char along_y[] = "prescribed_y=" SMOOTH("[0, 0], [1, 0.5], [2, 2], [3, 2.2]");
static const char other_y[] = "prescribed_y=" SMOOTH("[0, 0], [1, -0.5], [2, -2], [3, -2.2]");
static const char heading[] = "prescribed_yaw=" SMOOTH("[0, 0.02], [1, 0.05], [2, 0.1], [3, 0.05]");
static const char wave[] = "prescribed_speed={type: sine, from: 25, amplitude: 3, frequency: 0.5 Hz}";
static const double x_at[] = {5.0, 25.0, 46.0, 64.0}, y_at[] = {0.0, 0.5, 2.0, 2.2}, yaw_at[] = {0.02, 0.05, 0.1, 0.05};

static double greater(double a, double b) {
  return !(b <= a) ? b : a;
}

/* Returns the largest residual of the ledger divided by the largest kinetic energy; sets the largest deviation from the
 * prescribed values. */
static double ledger_of(scene *s, double *off) {
  double worst = 0.0, kinetic = 0.0;
  *off = 0.0;
  for (int k = 1; k <= 10 * LONG; k++) {
    scene_run(s, 0.1 * k);
    vd_eval e = scene_row(s).eval;
    worst = greater(worst, fabs(e.log.ledger));
    kinetic = greater(kinetic, e.log.energy_kinetic);
    if (s->sim.command.prescribed & VD_PRESCRIBED_SPEED)
      *off = greater(*off, fabs(e.motion.vx - 25.0 - 3.0 * sin(3.14159265358979323846 * 0.1 * k)));
    else if (k % 10 == 0)
      *off = greater(*off, fabs(e.log.x - x_at[k / 10]) + fabs(e.log.y - y_at[k / 10]));
    if (s->sim.command.prescribed & VD_PRESCRIBED_YAW && k % 10 == 0)
      *off = greater(*off, fabs(e.log.yaw - yaw_at[k / 10]));
  }
  return s->sim.status == VD_SIM_OK ? worst / kinetic : NAN;
}

static void check_followed(const char *level) {
  const char *const motion[][3] = {{wave, NULL}, {along_x, along_y, NULL}, {along_x, along_y, heading}};
  static const char *const name[] = {"speed", "place", "place and heading"};
  for (size_t i = 0; i < VD_COUNT(motion); i++) {
    double off;
    scene *s = scene_make(driven, level, motion[i][0], motion[i][1], motion[i][2], NULL);
    double share = ledger_of(s, &off), work = s->sim.state.x[VD_S_WORK_OUTSIDE];
    tap_near(off, 0.0, 1e-13 * 64.0, "%s, %s: the car follows the prescribed values (%.1e)", level, name[i], off);
    tap_near(share, 0.0, 1e-6, "%s, %s: the ledger closes to %.1e, with work of %.0f J by the prescribing forces",
             level, name[i], share, work);
    scene_free(s);
  }
}

/* Checks along axis k of the world: m a - sum of the tyres' forces - the prescribing force, divided by the greatest
 * prescribing force. */
static void check_momentum(const char *level, int k, const char *first, const char *second, const char *third) {
  static const char text[] = "vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                             "run: {duration: 3 s}\n"
                             "brake: {type: pulse, shape: half_sine, start: 0.2 s, duration: 2 s, amplitude: 0.2}\n";
  scene *s = scene_make(text, "vehicle.aero={}", level, first, second, third, NULL);
  double worst = 0.0, greatest = 0.0;
  const double h = 1e-3;
  for (int n = 1; n < 10; n++) {
    double speed[5];
    vd_eval e = {0};
    for (int j = 0; j < 5; j++) {
      scene_run(s, 0.25 * n + 0.1 + (j - 2) * h);
      speed[j] = scene_row(s).eval.log.cg_speed[k];
      e = j == 2 ? scene_row(s).eval : e;
    }
    double accel = (8.0 * (speed[3] - speed[1]) - (speed[4] - speed[0])) / (12.0 * h);
    /* at L5 the force is along the body's own axis */
    double tilt = s->model.options.level == VD_L5 && k == 0 ? cos(e.log.pitch) : 1.0,
           sum = tilt * e.outside.prescribed[k];
    greatest = greater(greatest, fabs(sum));
    /* contact axes: the wheels' angles, and the rotation of leaning axles about the vertical by pitch */
    for (int i = 0; i < VD_WHEELS; i++) {
      double angle = e.steering.angle[i] - atan(e.contact.sin_inclination[i] * sin(e.log.pitch));
      sum += k == 0 ? e.tyre.fx[i] * cos(angle) - e.tyre.fy[i] * sin(angle)
                    : e.tyre.fx[i] * sin(angle) + e.tyre.fy[i] * cos(angle);
    }
    worst = greater(worst, fabs(s->model.vehicle.mass * accel - sum));
  }
  tap_near(worst / greatest, 0.0, 1e-6, "%s, axis %d: m a is the sum of all forces, to %.1e of %.0f N", level, k,
           worst / greatest, greatest);
  scene_free(s);
}

static void check_moment(const char *level) {
  scene *s = scene_make(driven, level, along_x, along_y, heading, NULL);
  double worst = 0.0;
  for (int n = 1; n < 15; n++) {
    scene_run(s, 0.2 * n);
    const vd_eval *e = &s->sim.eval;
    const vd_command *c = &s->sim.command;
    double sum = e->outside.prescribed[2];
    for (int i = 0; i < s->model.lanes.count; i++) {
      double fx = e->tyre.fx[i] * c->cos_angle[i] - e->tyre.fy[i] * c->sin_angle[i];
      double fy = e->tyre.fx[i] * c->sin_angle[i] + e->tyre.fy[i] * c->cos_angle[i];
      sum += s->model.lanes.x[i] * fy - s->model.lanes.y[i] * fx + e->tyre.mz[i];
    }
    worst = greater(worst, fabs(sum - s->model.vehicle.yaw_inertia * c->given[VD_GIVEN_YAW][2]));
  }
  tap_near(worst, 0.0, 1e-8, "%s: I r' is the sum of all moments (%.1e N m)", level, worst);
  scene_free(s);
}

static void check_mirror(const char *level) {
  static const char text[] = "vehicle: ../vehicles/sedan_hardpoints.yaml\nrun: {duration: 3 s}\n";
  scene *right = scene_make(text, level, along_x, other_y, "steering_wheel=-10 deg", "initial.yaw=-0.02", NULL);
  scene *left = scene_make(text, level, along_x, along_y, "steering_wheel=10 deg", "initial.yaw=0.02", NULL);
  double worst = 0.0;
  for (int k = 1; k <= 15; k++) {
    scene_run(left, 0.2 * k);
    scene_run(right, 0.2 * k);
    vd_eval a = scene_row(left).eval, b = scene_row(right).eval;
    const double off[] = {a.motion.yaw_rate + b.motion.yaw_rate,
                          a.motion.vy + b.motion.vy,
                          a.motion.vx - b.motion.vx,
                          (a.tyre.load[0] - b.tyre.load[1]) * 1e-4,
                          (a.outside.prescribed[0] - b.outside.prescribed[0]) * 1e-4,
                          (a.outside.prescribed[1] + b.outside.prescribed[1]) * 1e-4};
    for (size_t i = 0; i < VD_COUNT(off); i++)
      worst = greater(worst, fabs(off[i]));
  }
  tap_near(worst, 0.0, 1e-12, "%s: prescribing the mirrored place mirrors the run (%.1e)", level, worst);
  scene_free(left);
  scene_free(right);
}

/* Checks a body that rolls, pitches and yaws: along the motion, the rates of place and heading and the speed change as
 * given. Differences over 2 h have an error of h^2 times the third derivative, about 1e4/s3 by wheel hop. */
static void check_accelerations(const char *level, const char *first, const char *second, const char *third) {
  scene *s = scene_make(driven, level, first, second, third, NULL);
  const double h = 1e-5;
  double dx[VD_STATES], at[VD_STATES], rates[VD_STATES], change[4] = {0.0}, off = 0.0;
  vd_eval e = s->sim.eval;
  vd_state_vector state = s->sim.state;
  const vd_command *c = &s->sim.command;
  double *x = state.x;
  x[VD_S_ROLL] += 0.1;
  x[VD_S_PITCH] -= 0.08;
  x[VD_S_ROLL_RATE] = 0.9;
  x[VD_S_PITCH_RATE] = -0.7;
  x[VD_S_YAW_RATE] = 0.8;
  x[VD_S_VY] = 1.5;
  vd_model_rates(&s->model, c, x, state.mode, &e, dx);
  for (int side = -1; side <= 1; side += 2) {
    for (int i = 0; i < VD_STATES; i++)
      at[i] = x[i] + side * h * dx[i];
    vd_model_rates(&s->model, c, at, state.mode, &e, rates);
    const double now[] = {e.motion.vx, rates[VD_S_ALONG], rates[VD_S_ACROSS], rates[VD_S_YAW]};
    for (int k = 0; k < 4; k++)
      change[k] += side * now[k] / (2.0 * h);
  }
  if (c->prescribed & VD_PRESCRIBED_SPEED)
    off = greater(off, fabs(change[0] - c->given[VD_GIVEN_SPEED][1]));
  for (int k = VD_GIVEN_X; k <= VD_GIVEN_YAW; k++)
    if (c->prescribed & (k == VD_GIVEN_YAW ? VD_PRESCRIBED_YAW : VD_PRESCRIBED_PLACE))
      off = greater(off, fabs(change[k] - c->given[k][2]));
  tap_near(off, 0.0, 1e-5, "%s: a tilted body has the prescribed accelerations (%.1e)", level, off);
  scene_free(s);
}

/* Computes yaw rate, side speed, and work of the forces from outside (in 100 kJ), after 2 s with fixed steps. */
static void state_after(const char *level, double step, double *out) {
  char setting[48];
  snprintf(setting, sizeof setting, "run.step=%g s", step);
  scene *s = scene_make(driven, level, wave, "log={rate: 50 Hz}", setting, NULL);
  scene_run(s, 2.0);
  out[0] = s->sim.state.x[VD_S_YAW_RATE];
  out[1] = s->sim.state.x[VD_S_VY];
  out[2] = s->sim.state.x[VD_S_WORK_OUTSIDE] * 1e-5;
  scene_free(s);
}

static void check_order(const char *level) {
  enum { STATES = 3 };
  double coarse[STATES], fine[STATES], finest[STATES], a = 0.0, b = 0.0;
  state_after(level, 4e-3, coarse);
  state_after(level, 2e-3, fine);
  state_after(level, 1e-3, finest);
  for (int i = 0; i < STATES; i++) {
    a = greater(a, fabs(coarse[i] - fine[i]));
    b = greater(b, fabs(fine[i] - finest[i]));
  }
  double order = log2(a / b);
  tap_ok(order > 3.7 && order < 5.0, "%s: half the step leaves 2^-%.2f of the error %.1e", level, order, a);
}

static void check_copy(const char *level) {
  scene *s = scene_make(driven, level, along_x, along_y, heading, NULL);
  scene_run(s, 1.3);
  vd_sim copy = s->sim;
  scene_run(s, 2.6);
  vd_state_vector end = s->sim.state;
  s->sim = copy;
  scene_run(s, 2.6);
  tap_ok(memcmp(&end, &s->sim.state, sizeof end) == 0, "%s: a copy continues to the same bits", level);
  scene_free(s);
}

int main(void) {
  tap_plan(6 * LEVELS + 5 + 1 + 2 + 5 + 4 + 4 + LEVELS);
  for (size_t i = 0; i < LEVELS; i++)
    check_followed(levels[i]);
  for (size_t i = 2; i < LEVELS; i++)
    if (i != 6)
      check_momentum(levels[i], 0, wave, "initial.y=0", "initial.x=0");
  check_momentum(levels[2], 1, along_x, along_y, "prescribed_yaw=0");
  check_moment(levels[0]);
  check_moment(levels[1]);
  check_mirror(levels[1]);
  check_mirror(levels[2]);
  check_mirror(levels[3]);
  check_mirror(levels[4]);
  check_mirror(levels[7]);
  for (int i = 2; i < 4; i++) { /* L3, L4 */
    check_accelerations(levels[i], along_x, along_y, heading);
    check_accelerations(levels[i], wave, heading, "initial.x=0");
  }
  check_order(levels[0]);
  check_order(levels[1]);
  check_order(levels[2]);
  check_order(levels[4]);
  for (size_t i = 0; i < LEVELS; i++)
    check_copy(levels[i]);
  return tap_done();
}
