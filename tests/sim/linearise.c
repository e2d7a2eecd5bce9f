/* The linear system of a car compared with known results.
 *
 * L1, linear tyres, straight ahead. With axle stiffnesses C_f, C_r and the road wheels' angle d,
 *
 *   m (vy' + v r) = -C_f (vy + a r)/v - C_r (vy - b r)/v + C_f d + Y,   I r' = -a C_f (...) + b C_r (...) + a C_f d
 *
 * so that A and B of vy and r are known (Riekert and Schunck 1940), with s^2 + a1 s + a0, and a0 = 0 at the critical
 * speed of an oversteering car, v^2 = C_f C_r L^2/(m (a C_f - b C_r)). With relaxation lengths sigma of all tyres the
 * side forces follow by (sigma/v) F' + F = -C alpha, and
 *
 *   (s + T s^2)^2 + a1 (s + T s^2) + a0 - G v T s = 0,   T = sigma/v,   G = (a C_f - b C_r)/(I v)
 *
 * For other cars the motion itself is the reference: two runs that start on both sides of a steady turn depart from
 * each other by exp(A t). Half of their difference has no terms of second order. A start with 1e-4 of the scale of vx,
 * 1 mm/s, causes a slip of 5e-5, while the tyres are nonlinear on a scale of 0.05: terms of third order are 1e-6. */
#include "scene.h"
#include "sim/modes.h"
#include "tap.h"

#include <gsl/gsl_poly.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char straight[] = "vehicle: ../vehicles/textbook_linear.yaml\n"
                               "run: {level: L1, duration: 5 s}\n"
                               "push_y: 0\n";

/* The car's numbers. */
typedef struct numbers {
  double m, inertia, a, b, cf, cr, v;
} numbers;

static numbers numbers_of(const scene *s, double v) {
  const vd_model *m = &s->model;
  return (numbers){m->vehicle.mass,
                   m->vehicle.yaw_inertia,
                   m->vehicle.masses.to_axle[VD_FRONT],
                   m->vehicle.masses.to_axle[VD_REAR],
                   160e3,
                   160e3,
                   v};
}

static double a1_of(const numbers *n) {
  return (n->cf + n->cr) / (n->m * n->v) + (n->a * n->a * n->cf + n->b * n->b * n->cr) / (n->inertia * n->v);
}

static double a0_of(const numbers *n) {
  double l = n->a + n->b;
  return n->cf * n->cr * l * l / (n->m * n->inertia * n->v * n->v) + (n->b * n->cr - n->a * n->cf) / n->inertia;
}

static scene *straight_on(double v, const char *setting) {
  char speed[48];
  snprintf(speed, sizeof speed, "initial.speed=%.17g", v);
  return scene_make(straight, speed, setting, NULL);
}

static vd_linear *linearised(const scene *s) {
  static bool left[VD_STATES];
  vd_linear *l = calloc(1, sizeof *l);
  if (!vd_linearise(&s->model, &s->sim.command, &s->sim.state, NULL, 0, l))
    tap_diag("the linear system is not finite");
  vd_linear_reduce(l, left);
  return l;
}

static int row_of(const vd_linear *l, int state) {
  for (int i = 0; i < l->count; i++)
    if (l->state[i] == state)
      return i;
  return -1;
}

/* --- L1 in closed form --- */

enum { SPEEDS = 3, SINGLE = SPEEDS * (8 + 7) };

static void near_share(double got, double expected, const char *what, double v) {
  tap_near(got / expected, 1.0, 1e-6, "%g m/s: %s is %.9g", v, what, expected);
}

/* Compares the entries of the linear system; differences of fourth order have an error of 1e-6 of an entry. L2 has two
 * tracks, with tyres that do not depend on the load; wheels whose spins stay constant resist a yaw rate r by their
 * slips, +-r T/(2 v), with the track T. */
static void single_track(bool two_tracks, double v) {
  scene *s = straight_on(v, two_tracks ? "run.level=L2" : "run.level=L1");
  vd_linear *l = linearised(s);
  numbers n = numbers_of(s, v);
  int y = row_of(l, VD_S_VY), r = row_of(l, VD_S_YAW_RATE);
  int wheel = vd_linear_input_called(l, "steering_wheel_rad"), push = vd_linear_input_called(l, "push_y_N");
  double moment = n.a * n.cf - n.b * n.cr, slips = two_tracks ? 4.0 * 160e3 * 0.75 * 0.75 : 0.0;
  near_share(l->a[y][y], -(n.cf + n.cr) / (n.m * v), "vy' by vy", v);
  near_share(l->a[y][r], -v - moment / (n.m * v), "vy' by r", v);
  near_share(l->a[r][y], -moment / (n.inertia * v), "r' by vy", v);
  near_share(l->a[r][r], -(n.a * n.a * n.cf + n.b * n.b * n.cr + slips) / (n.inertia * v), "r' by r", v);
  near_share(l->b[y][wheel], n.cf / n.m / s->model.vehicle.steering.ratio, "vy' by the steering wheel", v);
  near_share(l->b[r][wheel], n.a * n.cf / n.inertia / s->model.vehicle.steering.ratio, "r' by the steering wheel", v);
  near_share(l->b[y][push], 1.0 / n.m, "vy' by a side force", v);
  vd_modes modes;
  if (!vd_modes_at(&s->model, &s->sim.command, &s->sim.state, &modes))
    modes.yaw.frequency = NAN;
  double w = sqrt(a0_of(&n)), z = a1_of(&n) / (2.0 * w);
  if (!two_tracks)
    tap_near(hypot(modes.yaw.frequency * 2.0 * VD_PI / w - 1.0, modes.yaw.damping / z - 1.0), 0.0, 1e-6,
             "%g m/s: the plane motion has %.6g Hz and the damping ratio %.6g", v, w / (2.0 * VD_PI), z);
  free(l);
  scene_free(s);
}

/* Checks that at the critical speed one root passes through 0. Free rolling has another root, which is always 0. */
static void critical_speed(void) {
  for (int side = 0; side < 2; side++) {
    scene *s = straight_on(20.0, "vehicle.cg_to_front=1.58");
    numbers n = numbers_of(s, 1.0);
    double critical = sqrt(n.cf * n.cr * pow(n.a + n.b, 2) / (n.m * (n.a * n.cf - n.b * n.cr)));
    scene_free(s);
    double v = critical * (side ? 1.001 : 0.999);
    s = straight_on(v, "vehicle.cg_to_front=1.58");
    n = numbers_of(s, v);
    double a1 = a1_of(&n), a0 = a0_of(&n);
    double root = 0.5 * (sqrt(a1 * a1 - 4.0 * a0) - a1), nearest = INFINITY;
    vd_linear *l = linearised(s);
    vd_eigen eigen[VD_LINEAR_STATES];
    for (int i = 0, count = vd_linear_eigen(l, &s->model, eigen); i < count; i++)
      if (fabs(eigen[i].real - root) < fabs(nearest - root) && eigen[i].imaginary == 0.0)
        nearest = eigen[i].real;
    tap_near(nearest, root, 1e-6, "%s the critical speed of %.4f m/s the plane motion %s", side ? "above" : "below",
             critical, side ? "grows" : "decays");
    free(l);
    scene_free(s);
  }
}

/* Checks the roots of s^4 T^2 + 2 T s^3 + (1 + a1 T) s^2 + (a1 - G v T) s + a0. Differences of the tread's w + w |w|/K
 * over h = 1e-6 (sim/linearise.c) have the error h/K = 2e-5, with K = 0.05, the slip at which the slope at rest reaches
 * the friction limit. The standstill damper, whose time has fallen to tau/(1 + v^2)^2, changes the roots by 4e-6 at 15
 * m/s. */
static void relaxation(double v) {
  const double sigma = 0.6;
  char speed[48];
  snprintf(speed, sizeof speed, "initial.speed=%.17g", v);
  scene *s = scene_make(straight, speed, "run.slip=transient", "vehicle.front.tyre.relaxation_lateral=0.6",
                        "vehicle.rear.tyre.relaxation_lateral=0.6", NULL);
  vd_linear *l = linearised(s);
  vd_eigen *eigen = calloc(VD_LINEAR_STATES, sizeof *eigen);
  numbers n = numbers_of(s, v);
  double t = sigma / v, g = (n.a * n.cf - n.b * n.cr) / (n.inertia * v), a1 = a1_of(&n), a0 = a0_of(&n), root[8];
  const double poly[5] = {a0, a1 - g * v * t, 1.0 + a1 * t, 2.0 * t, t * t};
  gsl_poly_complex_workspace *work = gsl_poly_complex_workspace_alloc(5);
  gsl_poly_complex_solve(poly, 5, work, root);
  int count = vd_linear_eigen(l, &s->model, eigen);
  for (int k = 0; k < 4; k++) {
    double nearest = INFINITY, size = hypot(root[2 * k], root[2 * k + 1]);
    for (int i = 0; i < count; i++)
      nearest = tap_min(nearest, hypot(eigen[i].real - root[2 * k], eigen[i].imaginary - fabs(root[2 * k + 1])));
    tap_near(nearest / size, 0.0, 5e-5, "%g m/s, relaxation length %g m: %.5g %+.5g j is an eigenvalue", v, sigma,
             root[2 * k], root[2 * k + 1]);
  }
  gsl_poly_complex_workspace_free(work);
  free(eigen);
  free(l);
  scene_free(s);
}

/* --- a turn --- */

static const char turn[] = "vehicle: ../vehicles/sedan.yaml\n"
                           "run: {level: L3, step: 1 ms, duration: 40 s}\n"
                           "initial: {speed: 20 m/s}\n"
                           "speed: 20 m/s\n"
                           "steer: {type: step, start: 0.5 s, value: 2 deg}\n";

enum { STEADY = 30, SPAN = 500, TURNS = 5, OF_TURN = 3 };

/* Advances x by h by the series of the exponential function. */
static void advance(const vd_linear *l, double h, double *x) {
  double term[VD_LINEAR_STATES], next[VD_LINEAR_STATES];
  memcpy(term, x, (size_t)l->count * sizeof *x);
  for (int order = 1; order <= 12; order++) {
    for (int i = 0; i < l->count; i++) {
      next[i] = 0.0;
      for (int k = 0; k < l->count; k++)
        next[i] += l->a[i][k] * term[k] * h / order;
    }
    for (int i = 0; i < l->count; i++)
      x[i] += term[i] = next[i];
  }
}

/* True for an attitude angle at L5: these angles are not coordinates there, and are neither perturbed nor compared. */
static bool is_angle(const scene *s, int state) {
  return s->model.options.level == VD_L5 && state >= VD_S_ROLL && state <= VD_S_PITCH;
}

/* Finds the greatest deviation, in scales, of half the difference of the runs from the linear motion, and the size of
 * the linear motion. */
static void depart(const scene *from, const vd_linear *l, int state, double amount, double *size, double *error) {
  scene *run[2];
  double x[VD_LINEAR_STATES] = {0.0};
  x[row_of(l, state)] = amount;
  for (int k = 0; k < 2; k++) {
    run[k] = malloc(sizeof *run[k]);
    memcpy(run[k], from, sizeof *from);
    run[k]->sim.model = &from->model;
    run[k]->sim.state.x[state] += k ? -amount : amount;
    vd_model_end_step(run[k]->sim.model, &run[k]->sim.command, &run[k]->sim.state);
    vd_sim_decide_modes(&run[k]->sim);
  }
  *size = *error = 0.0;
  for (int step = 0; step < SPAN; step++) {
    vd_sim_step(&run[0]->sim);
    vd_sim_step(&run[1]->sim);
    advance(l, 1e-3, x);
    for (int i = 0; i < l->count; i++) {
      double scale = vd_state_table[l->state[i]].scale;
      double half = 0.5 * (run[0]->sim.state.x[l->state[i]] - run[1]->sim.state.x[l->state[i]]);
      if (is_angle(from, l->state[i]))
        continue;
      *size = tap_max(*size, fabs(x[i]) / scale);
      *error = tap_max(*error, fabs(half - x[i]) / scale);
    }
  }
  free(run[0]);
  free(run[1]);
}

static void in_a_turn(const char *level, const char *more) {
  static const int started[OF_TURN] = {VD_S_VY, VD_S_YAW_RATE, VD_S_VX};
  scene *s = scene_make(turn, level, "run.accuracy=0", more, NULL);
  scene_run(s, STEADY);
  vd_linear *l = linearised(s);
  for (int k = 0; k < OF_TURN; k++) {
    double size, error;
    depart(s, l, started[k], 1e-4 * vd_state_table[started[k]].scale, &size, &error);
    tap_near(error / size, 0.0, 1e-5, "%s %s, in a turn: a departure of %s moves as exp(A t)", level, more ? more : "",
             vd_state_table[started[k]].name);
  }
  free(l);
  scene_free(s);
}

/* Checks that the modes of a car in space depend neither on the heading nor on the position. */
static void in_any_direction(void) {
  vd_eigen eigen[2][VD_LINEAR_STATES];
  int count[2];
  for (int k = 0; k < 2; k++) {
    scene *s =
        scene_make(turn, "run.level=L5", k ? "initial.yaw=2" : "initial.yaw=0", k ? "initial.x=100" : NULL, NULL);
    scene_run(s, 2.0);
    vd_linear *l = linearised(s);
    count[k] = vd_linear_eigen(l, &s->model, eigen[k]);
    free(l);
    scene_free(s);
  }
  double worst = count[0] == count[1] ? 0.0 : NAN;
  for (int i = 0; i < count[0] && i < count[1]; i++)
    worst = tap_max(worst, hypot(eigen[0][i].real - eigen[1][i].real, eigen[0][i].imaginary - eigen[1][i].imaginary) /
                               (2.0 * VD_PI * eigen[0][i].frequency));
  tap_near(worst, 0.0, 1e-5, "L5: the eigenvalues (%d) are equal for every heading and place", count[0]);
}

/* Checks L5: the rotation e between two bodies with the same angular velocity in their own axes is constant in space.
 * In axes of the heading, which turn at W0z, e' = -W0z z x e, also for a car that rolls and pitches. */
static void turned_in_space(void) {
  static const int angle[3] = {VD_S_ROLL, VD_S_PITCH, VD_S_YAW};
  scene *s = scene_make(turn, "run.level=L5", NULL);
  scene_run(s, 2.0);
  double *x = s->sim.state.x, *q = x + VD_S_QUATERNION, worst = 0.0;
  x[VD_S_ROLL_RATE] = 0.4;
  x[VD_S_PITCH_RATE] = -0.3;
  const double w[3] = {x[VD_S_ROLL_RATE], x[VD_S_PITCH_RATE], x[VD_S_YAW_RATE]};
  double up[3] = {2.0 * (q[1] * q[3] - q[0] * q[2]), 2.0 * (q[2] * q[3] + q[0] * q[1]),
                  1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2])};
  double about = up[0] * w[0] + up[1] * w[1] + up[2] * w[2];
  const double expected[3][3] = {{0.0, about, 0.0}, {-about, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  vd_linear *l = calloc(1, sizeof *l);
  bool good = vd_linearise(&s->model, &s->sim.command, &s->sim.state, NULL, 0, l);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      worst = tap_max(worst, fabs(l->a[row_of(l, angle[i])][row_of(l, angle[k])] - expected[i][k]));
  tap_near(good ? worst : NAN, 0.0, 1e-8,
           "L5: a rotation is constant in space while the car rolls and yaws at %.3f rad/s", about);
  free(l);
  scene_free(s);
}

int main(void) {
  tap_plan(SINGLE + 2 + 2 * 4 + TURNS * OF_TURN + 1 + 1);
  static const double speeds[SPEEDS] = {10.0, 20.0, 39.0};
  for (int i = 0; i < SPEEDS; i++) {
    single_track(false, speeds[i]);
    single_track(true, speeds[i]);
  }
  critical_speed();
  relaxation(15.0);
  relaxation(30.0);
  in_a_turn("run.level=L1", NULL);
  in_a_turn("run.level=L2", "run.slip=transient");
  in_a_turn("run.level=L3", NULL);
  in_a_turn("run.level=L5", NULL);
  in_a_turn("run.level=L5", "run.unsprung=hub");
  in_any_direction();
  turned_in_space();
  return tap_done();
}
