/* Checks of whole runs that levels with a free body share: order of convergence, ledger, mirror images. */
#ifndef VD_RIDE_RUNS_H
#define VD_RIDE_RUNS_H

#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

static inline void take(double *worst_value, double value) {
  *worst_value = tap_max(*worst_value, fabs(value));
}

/* --- order: distances of all states between three steps, at many instants --- */

enum { RUNS = 3, INSTANTS = 20 };

typedef struct order_run {
  double x[RUNS][INSTANTS][VD_STATES]; /* each run at half the step of the one before */
} order_run;

/* Runs a scenario with three steps, each half of the one before. begin: changes the start; NULL: nothing does. */
static inline const order_run *run_for_order(const char *text, const char *setting, double coarse,
                                             void (*begin)(scene *s)) {
  static order_run o;
  for (int r = 0; r < RUNS; r++) {
    scene *s = scene_make(text, setting, NULL);
    scene_restep(s, coarse / (double)(1 << r));
    if (begin)
      begin(s);
    for (int k = 0; k < INSTANTS; k++) {
      scene_run(s, 0.2 * (k + 1));
      for (int i = 0; i < VD_STATES; i++)
        o.x[r][k][i] = s->sim.state.x[i];
    }
    if (s->sim.status != VD_SIM_OK)
      o.x[r][0][0] = NAN;
    scene_free(s);
  }
  return &o;
}

static inline double distance(const order_run *o, int r, int i) {
  double worst = 0.0;
  for (int k = 0; k < INSTANTS; k++)
    take(&worst, o->x[r][k][i] - o->x[r + 1][k][i]);
  return worst;
}

/* Returns whether a state has no order of convergence: it is unused, or its change is rounding, such as the loss of a
 * sticking clutch or of an undamped tyre. */
static inline bool without_order(int i, double d) {
  return d == 0.0 || i == VD_S_WORK_CLUTCH || i == VD_S_WORK_TYRE_VERTICAL;
}

static inline void judge_order(const char *what, const order_run *o, int least) {
  double worst = INFINITY;
  int counted = 0;
  for (int i = 0; i < VD_STATES; i++) {
    double d1 = distance(o, 0, i), d2 = distance(o, 1, i);
    if (without_order(i, d2))
      continue;
    double order = log2(d1 / d2);
    worst = tap_min(worst, order);
    if (!(order >= 3.8))
      tap_diag("%s %-20s %.3g %.3g order %.3f", what, vd_state_table[i].name, d1, d2, order);
    counted++;
  }
  tap_ok(worst >= 3.8 && counted >= least, "%s: each of %d states converges with order %.2f or better (>= 3.8)", what,
         counted, worst);
}

static inline void check_order(const char *what, const char *text, const char *setting, double coarse) {
  judge_order(what, run_for_order(text, setting, coarse, NULL), 25);
}

/* Judges the order of all states together, each divided by its largest value. The order of a single state has no
 * meaning where its errors of fourth and fifth order cancel. */
static inline void judge_joint_order(const char *what, const order_run *o, int least) {
  double sum[2] = {0.0, 0.0};
  int counted = 0;
  for (int i = 0; i < VD_STATES; i++) {
    double peak = 0.0, d1 = distance(o, 0, i), d2 = distance(o, 1, i);
    if (without_order(i, d2))
      continue;
    for (int k = 0; k < INSTANTS; k++)
      take(&peak, o->x[2][k][i]);
    sum[0] += d1 * d1 / (peak * peak);
    sum[1] += d2 * d2 / (peak * peak);
    counted++;
  }
  double order = 0.5 * log2(sum[0] / sum[1]);
  tap_ok(order >= 3.8 && order <= 4.6 && counted >= least,
         "%s: %d states converge with order %.2f (3.8 to 4.6), from %.1e to %.1e", what, counted, order,
         sqrt(sum[0] / counted), sqrt(sum[1] / counted));
}

/* Leaves out two of three runs; another third is tried at each commit. */
static inline bool run_left_out(int tests) {
  static int number;
  return tap_left_out(tests, number++, 3);
}

static inline void check_joint_order(const char *what, const char *text, const char *setting, double coarse) {
  if (run_left_out(1))
    return;
  judge_joint_order(what, run_for_order(text, setting, coarse, NULL), 25);
}

/* --- ledger --- */

typedef struct record {
  double ledger, kinetic; /* J, peaks */
} record;

static inline record follow(scene *s, double until) {
  record r = {0};
  for (long k = lround(until / s->model.options.step); k > 0 && s->sim.status == VD_SIM_OK; k--) {
    vd_sim_step(&s->sim);
    vd_row row = scene_row(s);
    take(&r.ledger, row.eval.log.ledger);
    r.kinetic = tap_max(r.kinetic, row.eval.log.energy_kinetic + row.eval.log.energy_spin);
  }
  if (s->sim.status != VD_SIM_OK)
    r.ledger = NAN;
  return r;
}

static inline void check_ledger(const char *what, const char *text, const char *one, const char *other, double until,
                                double allowed) {
  if (run_left_out(1))
    return;
  scene *s = scene_make(text, one, other, NULL);
  record r = follow(s, until);
  tap_near(r.ledger / r.kinetic, 0.0, allowed, "%s: ledger closes to %.1e of the peak kinetic energy (<= %g)", what,
           r.ledger / r.kinetic, allowed);
  scene_free(s);
}

/* --- mirror images --- */

/* Settings for a run whose steering is a sine. */
static const char *const left_turn[] = {"ground={type: inclined, grade: 0.05, bank: 0.06}", "steer.amplitude=0.04"};
static const char *const right_turn[] = {"ground={type: inclined, grade: 0.05, bank: -0.06}", "steer.amplitude=-0.04"};
static const char *const left_kerb[] = {"ground={type: step, at: 20 m, height: 0.1 m, y_from: 0.3 m}", "steer=0"};
static const char *const right_kerb[] = {"ground={type: step, at: 20 m, height: 0.1 m, y_to: -0.3 m}", "steer=0"};

/* Returns the state with which state i changes places in the mirror image. */
static inline int partner(int i) {
  static const int lanes[] = {VD_S_SPIN,
                              VD_S_PRESSURE,
                              VD_S_DEFLECTION_X,
                              VD_S_DEFLECTION_Y,
                              VD_S_TWIST,
                              VD_S_TRAVEL,
                              VD_S_TRAVEL_RATE,
                              VD_S_WHEEL_PLACE,
                              VD_S_WHEEL_PLACE + VD_WHEELS,
                              VD_S_WHEEL_PLACE + 2 * VD_WHEELS,
                              VD_S_WHEEL_SPEED,
                              VD_S_WHEEL_SPEED + VD_WHEELS,
                              VD_S_WHEEL_SPEED + 2 * VD_WHEELS,
                              VD_S_BUSHING,
                              VD_S_BUSHING_FY,
                              VD_S_BUSHING_MX,
                              VD_S_BUSHING_MY,
                              VD_S_BUSHING_MZ};
  for (size_t k = 0; k < VD_COUNT(lanes); k++)
    if (i >= lanes[k] && i < lanes[k] + VD_WHEELS)
      return lanes[k] + ((i - lanes[k]) ^ 1);
  return i;
}

static inline double parity(int i) {
  static const int odd[] = {VD_S_ACROSS,
                            VD_S_YAW,
                            VD_S_VY,
                            VD_S_YAW_RATE,
                            VD_S_STEER,
                            VD_S_ROLL,
                            VD_S_ROLL_RATE,
                            VD_S_QUATERNION + 1, /* rotations about x and z */
                            VD_S_QUATERNION + 3,
                            VD_S_HAND,
                            VD_S_HAND_RATE,
                            VD_S_GEAR,
                            VD_S_GEAR_RATE,
                            VD_S_HAND_FRICTION,
                            VD_S_GEAR_FRICTION,
                            VD_S_REAR_STEER};
  static const int odd_lanes[] = {VD_S_DEFLECTION_Y, VD_S_TWIST, VD_S_WHEEL_PLACE + VD_WHEELS,
                                  VD_S_WHEEL_SPEED + VD_WHEELS};
  for (size_t k = 0; k < VD_COUNT(odd); k++)
    if (i == odd[k])
      return -1.0;
  for (size_t k = 0; k < VD_COUNT(odd_lanes); k++)
    if (i >= odd_lanes[k] && i < odd_lanes[k] + VD_WHEELS)
      return -1.0;
  return 1.0;
}

static inline void check_mirror_within(const char *what, const char *text, const char *both, const char *const *left,
                                       const char *const *right, double allowed) {
  if (run_left_out(2))
    return;
  scene *a = scene_make(text, both, left[0], left[1], NULL), *b = scene_make(text, both, right[0], right[1], NULL);
  double worst = 0.0, moved = 0.0;
  for (int k = 1; k <= 50; k++) {
    scene_run(a, 0.08 * k);
    scene_run(b, 0.08 * k);
    const double *x = a->sim.state.x, *y = b->sim.state.x;
    for (int i = 0; i < VD_STATES; i++)
      if (i != VD_S_WORK_CLUTCH) /* rounding alone, for a clutch that sticks */
        take(&worst, (parity(i) * y[partner(i)] - x[i]) / (1.0 + fabs(x[i])));
    moved = tap_max(moved, fabs(x[VD_S_ROLL]));
  }
  if (a->sim.status != VD_SIM_OK || b->sim.status != VD_SIM_OK)
    worst = NAN;
  tap_near(worst, 0.0, allowed, "%s: left and right are mirror images within %.1e", what, worst);
  tap_ok(moved > 1e-3, "%s: the car rolls by up to %.4f rad", what, moved);
  scene_free(a);
  scene_free(b);
}

static inline void check_mirror(const char *what, const char *text, const char *both, const char *const *left,
                                const char *const *right) {
  check_mirror_within(what, text, both, left, right, 1e-12);
}

/* --- at rest --- */

/* Checks that a car that is released on a slope with the brakes on oscillates, comes to rest and stays there: the
 * deflections of tyres and bushings carry it, without friction of the links. */
static inline void check_parked(const char *what, const char *car, const char *ground) {
  scene *s = scene_make("vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                        "run: {duration: 60 s, level: L4, slip: transient}\n"
                        "brake: 1\n",
                        car, ground, NULL);
  scene_run(s, 20.0);
  const double *x = s->sim.state.x;
  double along = x[VD_S_ALONG], across = x[VD_S_ACROSS], yaw = x[VD_S_YAW];
  scene_run(s, 50.0);
  vd_row row = scene_row(s);
  double crept = hypot(x[VD_S_ALONG] - along, x[VD_S_ACROSS] - across), turned = fabs(x[VD_S_YAW] - yaw), held = 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    held += row.eval.tyre.load[i];
  const double *n = s->model.ground.normal;
  tap_near(crept, 0.0, 1e-6, "%s: the car creeps by %.1e m in 30 s", what, crept);
  tap_near(turned, 0.0, 1e-6, "%s: the car yaws by %.1e rad", what, turned);
  tap_near(held / (s->def.vehicle.mass * VD_GRAVITY * n[2]), 1.0, 1e-6, "%s: the tyres carry m g cos(slope)", what);
  scene_free(s);
}

#endif
