/* Cars under loads: their position of rest, and their motion as rigid bodies with these loads.
 *
 * Statics in closed form, for the sedan with equal axles and roll centres on the ground. k, kt: spring and tyre of one
 * wheel, both linear. A load m over the middle lowers the body by m g/4 (1/k + 1/kt). A load m at y to the left rolls
 * it by
 *
 *   phi = m g y/(S - m_s g h_s),   S = 2/(1/K + 1/(Kt - m_u h_u g)),   K = k T^2/2,   Kt = kt T^2/2,
 *
 * by the balance of each axle on its tyres and of the body on both axles (T: track; m_s, h_s: sprung mass and its
 * height; m_u, h_u: mass of two wheels and its height). A load m at x pitches it by theta, nose up: the rear load obeys
 * Fr L = sum(m g x) + M g (h - R) theta, since the wheels move along the body and the mass above their centres leans;
 * theta = (dFr - dFf)/2 (1/k + 1/kt)/L (L: wheelbase; M, h: mass and height of the car; R: wheel radius; dFf, dFr:
 * additional loads of the axles). Both hold to first order: terms of second order are smaller by the factor of the
 * angle, at most 0.01, and by the few millimetres by which the body sinks relative to h. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

static const double g = VD_GRAVITY;

static const char standing[] = "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 2 s, level: L3}\n";
static const char hardpoints[] = "vehicle: ../vehicles/sedan_hardpoints.yaml\nrun: {duration: 2 s, level: L4}\n";

static vd_statics statics_of(scene *s) {
  vd_statics out;
  if (!vd_model_statics(&s->model, &s->sim.command, &s->sim.state, &out))
    out.rise[0] = out.roll = NAN;
  return out;
}

static double flex_of(const vd_vehicle_def *v) {
  return 1.0 / v->axle[0].spring_stiffness + 1.0 / v->axle[0].tyre.common.vertical_stiffness;
}

static void check_heave(void) {
  scene *s =
      scene_make(standing, "vehicle.cg_to_front=1.35", "vehicle.loads=[{mass: 200 kg, at: [-1.35, 0, 0.6]}]", NULL);
  vd_statics rest = statics_of(s);
  double force = 200.0 * g / 4.0, stiffness = s->def.vehicle.axle[0].spring_stiffness;
  tap_near(rest.rise[0], -force * flex_of(&s->def.vehicle), 1e-10, "a load over the middle lowers the body: %.6f m",
           rest.rise[0]);
  tap_near(rest.rise[1], rest.rise[0], 1e-10,
           "a load over the middle lowers the body at both axles by the same amount");
  for (int i = 0; i < VD_WHEELS; i++) {
    tap_near(rest.load[i], 1700.0 * g / 4.0, 1e-6, "wheel %d carries a quarter", i);
    tap_near(rest.travel[i], force / stiffness, 1e-10, "wheel %d travels by the compression of its spring", i);
  }
  scene_free(s);
}

static void check_spring_load(void) {
  scene *s = scene_make(standing, "vehicle.cg_to_front=1.35", "vehicle.front.spring_load=3000 N",
                        "vehicle.rear.spring_load=3000 N", NULL);
  vd_statics rest = statics_of(s);
  double force = 1340.0 * g / 4.0 - 3000.0, stiffness = s->def.vehicle.axle[0].spring_stiffness;
  tap_near(rest.travel[0], force / stiffness, 1e-10, "a car on springs of a given load settles: %.6f m",
           rest.travel[0]);
  tap_near(rest.rise[0], -force / stiffness, 1e-10,
           "the tyres of a car that settles on its springs have the same loads");
  scene_free(s);
}

static void check_roll(void) {
  const double load = 30.0, left = 0.6, high = 0.5;
  scene *s =
      scene_make(standing, "vehicle.cg_to_front=1.35", "vehicle.loads=[{mass: 30 kg, at: [-1.35, 0.6, 0.5]}]", NULL);
  const vd_vehicle_def *v = &s->def.vehicle;
  vd_statics rest = statics_of(s);
  double square = 0.5 * v->axle[0].track * v->axle[0].track;
  double spring = v->axle[0].spring_stiffness * square, tyre = v->axle[0].tyre.common.vertical_stiffness * square;
  double stiffness = 2.0 / (1.0 / spring + 1.0 / (tyre - 80.0 * 0.32 * g));
  double first = 1500.0 * 0.55 - 160.0 * 0.32 + load * high;
  double roll = -load * g * left / (stiffness - first * g);
  tap_near(rest.roll / roll, 1.0, 1e-3, "a load to the left rolls the body by %.5f deg, as in closed form",
           rest.roll * 180.0 / VD_PI);
  double across = rest.load[0] + rest.load[2] - rest.load[1] - rest.load[3];
  double due = 2.0 * (load * g * left - first * g * roll - 160.0 * 0.32 * g * roll * spring / (spring + tyre)) / 1.55;
  tap_near(across / due, 1.0, 1e-3, "the left wheels carry %.2f N more than the right ones, as by hand", across);
  scene_free(s);
}

static void check_pitch(void) {
  const double load = 60.0, behind = 3.2, high = 0.7;
  scene *s = scene_make(standing, "vehicle.loads=[{mass: 60 kg, at: [-3.2, 0, 0.7]}]", NULL);
  const vd_vehicle_def *v = &s->def.vehicle;
  vd_statics rest = statics_of(s);
  /* dFr L = m g x + N theta, dFf = m g - dFr, theta L = (dFr - dFf) flex/2 */
  double lean = (1500.0 * (0.55 - 0.32) + load * (high - 0.32)) * g, flex = flex_of(v), length = 2.7;
  double theta = load * g * (2.0 * behind / length - 1.0) * flex / 2.0 / (length - lean / length * flex);
  double rear = (load * g * behind + lean * theta) / length;
  tap_near(-rest.pitch / theta, 1.0, 2e-3, "a load in the boot pitches the body by %.5f deg, as in closed form",
           -rest.pitch * 180.0 / VD_PI);
  tap_near(rest.load[2] + rest.load[3] - 1500.0 * g * 1.2 / length, rear, 1e-3 * rear,
           "a load in the boot loads the rear axle by %.2f N", rear);
  scene_free(s);
}

static const char boot[] = "vehicle.loads=[{mass: 75 kg, at: [-1.2, 0.37, 0.6]}, {mass: 120 kg, at: [-3.3, 0.2, 0.7], "
                           "shape: box, size: [0.8, 1.0, 0.5]}]";

/* Checks that planar levels have the static loads that springs and tyres give. */
static void check_planar(void) {
  scene *two = scene_make(standing, boot, "run.level=L2", NULL), *three = scene_make(standing, boot, NULL);
  vd_statics a = statics_of(two), b = statics_of(three);
  /* planar levels lack the lean: M g (h - R) theta/L is 35 N, laterally 20 N */
  for (int i = 0; i < VD_WHEELS; i++)
    tap_near(a.load[i], b.load[i], 30.0, "wheel %d rests with %.0f N at L2 and %.0f N at L3", i, a.load[i], b.load[i]);
  tap_near(a.cg_height, b.cg_height, 2e-3, "the centre of gravity at rest is %.4f m high at L2, %.4f m at L3",
           a.cg_height, b.cg_height);
  scene_free(two);
  scene_free(three);
}

/* Checks the largest change of heave, attitude and travels in a second after the start. */
static void check_rest(const char *what, const char *text, const char *one, const char *two, double allowed) {
  scene *s = scene_make(text, boot, one, two, NULL);
  vd_state_vector first = s->sim.state;
  static const int watched[] = {VD_S_HEIGHT,     VD_S_ROLL,       VD_S_PITCH,     VD_S_TRAVEL,
                                VD_S_TRAVEL + 1, VD_S_TRAVEL + 2, VD_S_TRAVEL + 3};
  double worst = 0.0;
  for (int k = 1; k <= 10; k++) {
    scene_run(s, 0.1 * k);
    for (size_t i = 0; i < VD_COUNT(watched); i++)
      worst = tap_max(worst, fabs(s->sim.state.x[watched[i]] - first.x[watched[i]]));
  }
  if (s->sim.status != VD_SIM_OK)
    worst = NAN;
  tap_near(worst, 0.0, allowed, "%s: the car starts at rest, within %.1e m in a second", what, worst);
  scene_free(s);
}

static const char weaving[] = "vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                              "run: {duration: 4 s}\n"
                              "initial: {speed: 20 m/s}\n"
                              "throttle: 0.2\n"
                              "steer: {type: sine, amplitude: 0.03, frequency: 0.5 Hz}\n";

static void check_ledger(const char *level, const char *setting) {
  scene *s = scene_make(weaving, boot, level, setting, NULL);
  double worst = 0.0, kinetic = 0.0;
  for (int k = 1; k <= 40; k++) {
    scene_run(s, 0.1 * k);
    vd_row row = scene_row(s);
    worst = tap_max(worst, fabs(row.eval.log.ledger));
    kinetic = tap_max(kinetic, row.eval.log.energy_kinetic);
  }
  if (s->sim.status != VD_SIM_OK)
    worst = NAN;
  tap_near(worst / kinetic, 0.0, 1e-6, "%s, %s: the ledger closes to %.1e", level, setting, worst / kinetic);
  scene_free(s);
}

/* Compares the loaded car with its mirror image. */
static void check_mirror(const char *level) {
  scene *left = scene_make(weaving, boot, level, "steer.amplitude=0.03", NULL);
  scene *right =
      scene_make(weaving,
                 "vehicle.loads=[{mass: 75 kg, at: [-1.2, -0.37, 0.6]}, {mass: 120 kg, at: [-3.3, -0.2, 0.7], "
                 "shape: box, size: [0.8, 1.0, 0.5]}]",
                 level, "steer.amplitude=-0.03", NULL);
  double worst = 0.0;
  for (int k = 1; k <= 20; k++) {
    scene_run(left, 0.1 * k);
    scene_run(right, 0.1 * k);
    vd_eval a = scene_row(left).eval, b = scene_row(right).eval;
    const double off[] = {a.motion.yaw_rate + b.motion.yaw_rate,
                          a.motion.vy + b.motion.vy,
                          a.log.roll + b.log.roll,
                          a.log.pitch - b.log.pitch,
                          a.motion.vx - b.motion.vx,
                          (a.tyre.load[0] - b.tyre.load[1]) * 1e-4,
                          (a.tyre.load[3] - b.tyre.load[2]) * 1e-4};
    for (size_t i = 0; i < VD_COUNT(off); i++)
      worst = tap_max(worst, fabs(off[i]));
  }
  tap_near(worst, 0.0, 1e-12,
           "%s: a car with its load on the right is the mirror image of one with its load on the left (%.1e)", level,
           worst);
  scene_free(left);
  scene_free(right);
}

/* Checks that halving the step divides the change of the final state by 16. */
static void check_order(const char *level) {
  static const double step[] = {0.002, 0.001, 0.0005};
  double end[3][3];
  scene *s = scene_make(weaving, boot, level, "run.v_low=10", "throttle=0", NULL);
  for (int k = 0; k < 3; k++) {
    scene_restep(s, step[k]);
    scene_run(s, 2.0);
    const double *x = s->sim.state.x;
    const double seen[] = {x[VD_S_ACROSS], x[VD_S_YAW_RATE], x[VD_S_ROLL]};
    for (int j = 0; j < 3; j++)
      end[k][j] = seen[j];
  }
  for (int j = 0; j < 2; j++) {
    double ratio = (end[0][j] - end[1][j]) / (end[1][j] - end[2][j]);
    tap_ok(ratio > 12.0 && ratio < 21.0, "%s: halving the step divides the error by %.1f", level, ratio);
  }
  scene_free(s);
}

int main(void) {
  tap_plan(10 + 2 + 2 + 2 + 5 + 5 + 6 + 3 + 4);
  check_heave();
  check_spring_load();
  check_roll();
  check_pitch();
  check_planar();
  check_rest("L3", standing, "run.level=L3", "vehicle.cg_left=0", 1e-9);
  check_rest("L4 on hardpoints", hardpoints, "run.level=L4", "vehicle.cg_left=0", 1e-9);
  check_rest("L5 on struts", standing, "run.level=L5", "vehicle.cg_left=0", 1e-9);
  check_rest("L5 on linkages", hardpoints, "run.level=L5", "run.unsprung=linkage", 1e-9);
  check_rest("L5 on hubs", standing, "run.level=L5", "run.unsprung=hub", 1e-9);
  check_ledger("run.level=L2", "run.lean=true");
  check_ledger("run.level=L3", "run.lean=true");
  check_ledger("run.level=L4", "run.lean=true");
  check_ledger("run.level=L5", "run.unsprung=linkage");
  check_ledger("run.level=L5", "run.unsprung=strut");
  check_ledger("run.level=L5", "run.unsprung=hub");
  check_mirror("run.level=L2");
  check_mirror("run.level=L3");
  check_mirror("run.level=L4");
  check_order("run.level=L3");
  check_order("run.level=L4");
  return tap_done();
}
