/* Compliance steer of driven and braked wheels, compared with a second solver.
 *
 * For linear compliance the solver's columns, rotations per unit load, are compared. The force of a driven wheel acts
 * at its centre, that of a braked wheel at the contact.
 *
 * For nonlinear compliance toe and camber of a wheel in a run agree with the second solver at the run's travel, rack
 * and loads, within 1e-3 degrees (1e-4 on a live axle that does not steer). The loads come from the log: forces and
 * moments of the tyre on its disc, which stands on a level road. The angles in the log give the disc's axle. The
 * bearing transmits no moment about the axle; only the brake's torque acts on the knuckle. */
#include "balance_corner.h"
#include "scene.h"
#include "linkage/corner_def.h"
#include "model/l4_compliance.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REAR_LEFT = 2 };

static const double radius = 0.32; /* m, of the sedan's wheels */

/* Rotations of the wheel to the left per load, rad per unit, by differences of the second solver. */
typedef struct columns {
  double centre, contact, side, moment; /* 1/N, 1/N, 1/N, 1/(N m) */
} columns;

static double slope(balance_rig *r, double *load, double size) {
  double toe[2];
  for (int k = 0; k < 2; k++) {
    *load = k ? size : -size;
    toe[k] = balance_solve(&r->scene, 1) ? balance_toe(&r->scene, r->wheel) : NAN;
  }
  *load = 0.0;
  return -(toe[1] - toe[0]) / (2.0 * size) * VD_PI / 180.0;
}

static columns five_link_columns(void) {
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_corner corner;
  balance_rig r;
  bool read = vd_corner_read("scenarios/suspensions/5link_rear_sports.yaml", NULL, 0, arena, d, &corner, NULL);
  corner.points.static_radius = radius;
  balance_corner(&corner, 0.0, NAN, &r);
  r.wheel->support = SUPPORT_CENTRE;
  columns c = {slope(&r, &r.wheel->centre_force[0], 20.0), slope(&r, &r.wheel->force[0], 20.0),
               slope(&r, &r.wheel->force[1], 20.0), slope(&r, &r.wheel->moment[2], 2.0)};
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return read ? c : (columns){NAN, NAN, NAN, NAN};
}

static const char straight[] = "vehicle: ../vehicles/sedan.yaml\n"
                               "run: {duration: 2 s, level: L4, compliance: linear}\n"
                               "initial: {speed: 20 m/s}\n";

/* Compares the compliance steer of the rear left wheel with the column of its longitudinal force. */
static void compare(const char *input, bool braked, const char *what) {
  const columns c = five_link_columns();
  scene *s = scene_make(straight, input, "vehicle.front.linkage=scenarios/suspensions/dw_front_sports.yaml",
                        "vehicle.rear.linkage=scenarios/suspensions/5link_rear_sports.yaml", NULL);
  scene_run(s, 1.0);
  const vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  double fx = e->tyre.fx[REAR_LEFT];
  double held = e->log.brake_torque[REAR_LEFT] / radius; /* N, the part of fx whose moment the brake reacts */
  double expected =
      c.centre * (fx - held) + c.contact * held + c.side * e->tyre.fy[REAR_LEFT] + c.moment * e->tyre.mz[REAR_LEFT];
  /* slopes by differences over motions of 1e-5, to a thousandth */
  tap_near(fabs(fx) > 500.0 ? e->suspension.compliance_steer[REAR_LEFT] / expected : NAN, 1.0, 1e-3,
           "%s: the compliance steer agrees with the second solver's columns at fx %.0f N", what, fx);
  tap_near(held / fx, braked ? 1.0 : 0.0, 0.1, "%s: the brake holds its share of fx, except for the wheel's inertia",
           what);
  scene_free(s);
}

/* --- wheels that are joined --- */

/* The second solver's model of both wheels of an axle. housing: moment on the housing of an axle that steers, NULL on
 * other axles; left: number of the left wheel. */
typedef struct pair {
  balance_rig rig;
  balance_part *housing;
  int left;
  double wheel_load;
  bool live;
} pair;

/* Sets the forces on both wheels of a run as loads of the second solver. A live axle reacts the moment of fx; on an
 * axle that steers its housing reacts it. */
static void load_pair(pair *p, const vd_eval *e) {
  balance_part *const wheel[2] = {p->rig.wheel, p->rig.right};
  double wheel_load = p->wheel_load;
  if (p->housing)
    p->housing->moment[1] = -p->rig.wheel->radius * (e->tyre.fx[p->left] + e->tyre.fx[p->left + 1]);
  for (int k = 0; k < 2; k++) {
    int i = p->left + k;
    const double held = p->live && !p->housing ? e->tyre.fx[i] : 0.0;
    const vd_wheel_load load = {.fx = held,
                                .fy = e->tyre.fy[i],
                                .fz = wheel_load,
                                .mz = e->tyre.mz[i],
                                .centre = {e->tyre.fx[i] - held, 0.0, 0.0}};
    balance_load_wheel(wheel[k], &load);
  }
}

/* Returns the rotation of the left wheel to the left at the design position, rad, under a share of a run's loads. */
static double turn_of(pair *p, const vd_eval *e, double share) {
  double toe[2];
  for (int k = 0; k < 2; k++) {
    vd_eval part = *e;
    for (int i = p->left; i < p->left + 2; i++) {
      part.tyre.fx[i] *= k ? share : 0.0;
      part.tyre.fy[i] *= k ? share : 0.0;
      part.tyre.mz[i] *= k ? share : 0.0;
    }
    load_pair(p, &part);
    toe[k] = balance_solve(&p->rig.scene, 1) ? balance_toe(&p->rig.scene, p->rig.wheel) : NAN;
  }
  return -(toe[1] - toe[0]) * VD_PI / 180.0;
}

/* Checks that the compliance steer of the left wheel follows from the loads of both wheels: it agrees with the slopes
 * at their travels within 1e-3, the error of differences, and with the whole equilibrium except for nonlinear terms.
 * Displacements of some millimetres on arms of half a metre cause terms of 2 %, or below 1e-3 deg for a rigid axle that
 * does not steer. */
static void compare_axle(const char *vehicle, const char *input, int end, bool live, const char *what) {
  scene *s = scene_make("run: {duration: 6 s, level: L4, compliance: linear}\n"
                        "vehicle: ../vehicles/sedan.yaml\n"
                        "initial: {speed: 20 m/s}\n",
                        vehicle, input, "steer=0.03", NULL);
  scene_run(s, 5.0);
  const vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  const vd_axle_def *axle = &s->def.vehicle.axle[end];
  vd_corner corner = *axle->corner;
  pair p = {.left = 2 * end, .wheel_load = corner.wheel_load, .live = live};
  corner.points.static_radius = vd_axle_loaded_radius(axle);
  balance_corner(&corner, 0.0, balance_spring_load(&corner, corner.wheel_load), &p.rig);
  p.rig.wheel->support = p.rig.right->support = SUPPORT_CENTRE;
  double rise[2];
  balance_rises(&corner, e->motion.travel + p.left, 0.0, rise);
  p.rig.wheel->lift = rise[0];
  p.rig.right->lift = rise[1];
  if (corner.points.steer.given)
    p.housing = balance_add(&p.rig.scene, DEAD_LOAD, GROUND, p.rig.knuckle, corner.points.wheel_center);
  const double small = 0.01;
  double slope = turn_of(&p, e, small) / small;
  double turn = turn_of(&p, e, 1.0), given = e->suspension.compliance_steer[p.left];
  tap_near(fabs(e->tyre.fy[p.left]) > 300.0 ? given / slope : NAN, 1.0, 1e-3,
           "%s: both wheels' forces steer the left one by %.3g deg", what, given * 180.0 / VD_PI);
  tap_near(given / turn, 1.0, 0.02, "%s: the compliance steer agrees with the equilibrium under both wheels' loads",
           what);
  tap_near((given - turn) * 180.0 / VD_PI, 0.0, corner.points.steer.given || !live ? 0.01 : 1e-3,
           "%s: the compliance steer, deg, agrees with the equilibrium at travels of %.0f and %.0f mm", what,
           1e3 * rise[0], 1e3 * rise[1]);
  scene_free(s);
}

/* Steering all wheels by one angle changes the side slip of the car, not its yaw rate: in the linear range the yaw rate
 * depends on the front wheels' angle minus the rear wheels' angle. The twist beam steers out of the turn: it
 * oversteers. */
static void check_oversteer(void) {
  double rate[2], rear = NAN, front = NAN;
  for (int k = 0; k < 2; k++) {
    scene *s = scene_make("run: {duration: 6 s, level: L4}\n"
                          "vehicle: ../vehicles/sedan.yaml\n"
                          "initial: {speed: 20 m/s}\n",
                          "vehicle=scenarios/vehicles/compact_twist_beam.yaml", "speed=20 m/s", "steer=0.005",
                          k ? "run.compliance=linear" : "run.compliance=none", NULL);
    scene_run(s, 5.0);
    const vd_row row = scene_row(s);
    const vd_eval *e = &row.eval;
    rate[k] = row.state.x[VD_S_YAW_RATE];
    rear = 0.5 * (e->suspension.compliance_steer[REAR_LEFT] + e->suspension.compliance_steer[REAR_LEFT + 1]);
    front = 0.005 + 0.5 * (e->suspension.compliance_steer[0] + e->suspension.compliance_steer[1]);
    scene_free(s);
  }
  tap_near(rate[1] / rate[0], (front - rear) / 0.005, 0.01,
           "a twist beam oversteers: compliance raises the yaw rate as it raises the front minus the rear angle");
}

static void check_joined(void) {
  compare_axle("vehicle=scenarios/vehicles/compact_twist_beam.yaml", "speed=20 m/s", VD_REAR, false, "twist beam");
  compare_axle("vehicle=scenarios/vehicles/compact_twist_beam.yaml", "throttle=0.3", VD_REAR, false,
               "twist beam, driven in front");
  compare_axle("vehicle=scenarios/vehicles/coupe_live_axle.yaml", "speed=20 m/s", VD_REAR, true, "live axle");
  compare_axle("vehicle=scenarios/vehicles/offroad_axles.yaml", "speed=20 m/s", VD_FRONT, true, "axle that steers");
}

/* --- nonlinear --- */

static void cross(const double *a, const double *b, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Computes the road's normal in body axes: roll about x after pitch about y. */
static void normal_of(const vd_eval *e, double *n) {
  n[0] = -sin(e->log.pitch);
  n[1] = sin(e->log.roll) * cos(e->log.pitch);
  n[2] = cos(e->log.roll) * cos(e->log.pitch);
}

/* Computes force and moment about the wheel's centre, body axes, and steer and camber of the wheel with compliance. */
static void wrench_of(const scene *s, const vd_eval *e, int i, double *force, double *moment, double *steer,
                      double *camber) {
  const vd_vehicle_def *v = &s->def.vehicle;
  const vd_axle_def *axle = &v->axle[vd_axle_of(i)];
  double share = i < 2 ? 1.0 - v->cg_to_front / v->wheelbase : v->cg_to_front / v->wheelbase, n[3], ahead[3], aside[3];
  double rest = 0.5 * v->mass * VD_GRAVITY * share / axle->tyre.common.vertical_stiffness, down[3];
  double length = axle->wheel_radius + rest - e->contact.deflection[i];
  *steer = e->steering.angle[i] + e->suspension.compliance_steer[i];
  *camber = (vd_is_right(i) ? e->log.linkage_camber[i] : -e->log.linkage_camber[i]) +
            e->suspension.compliance_camber[i]; /* top to the right */
  const double a[3] = {-sin(*steer) * cos(*camber), cos(*steer) * cos(*camber), sin(*camber)};
  normal_of(e, n);
  double lean = dot(n, a), upright = sqrt(1.0 - lean * lean);
  cross(a, n, ahead);
  for (int k = 0; k < 3; k++) {
    ahead[k] /= upright;
    down[k] = -length * (n[k] - lean * a[k]) / upright;
  }
  cross(n, ahead, aside);
  for (int k = 0; k < 3; k++)
    force[k] = e->tyre.fx[i] * ahead[k] + e->tyre.fy[i] * aside[k] + e->tyre.load[i] * n[k];
  cross(down, force, moment);
  for (int k = 0; k < 3; k++)
    moment[k] += e->tyre.mx[i] * ahead[k] + e->tyre.mz[i] * n[k] + e->tyre.my[i] * a[k];
}

/* Adds the effect of the drive torque on knuckle and housing of an axle that steers. The joint of its shaft transmits
 * the moment J = T (n1 + n2)/(1 + n1 . n2) from the shaft's direction n1 at the housing to its direction n2 at the
 * wheel (Hunt 1973). The knuckle reacts this moment except for the part that turns the wheel. */
static void load_through_pins(const vd_corner *corner, const double *travel, const double *axle, double torque,
                              balance_part *knuckle, balance_part *housing) {
  vd_linkage l;
  vd_pose pose;
  vd_linkage_build(&corner->points, VD_PARALLEL, &l);
  vd_linkage_start(&l, &pose);
  vd_linkage_move(&l, travel, &pose);
  const double left[3] = {pose.turn[0][1], pose.turn[1][1], pose.turn[2][1]};
  for (int n = 0; n < 3; n++) {
    double joint = torque * (left[n] + axle[n]) / (1.0 + dot(left, axle));
    housing->moment[n] -= joint;
    knuckle->moment[n] += joint - torque * axle[n];
  }
}

/* Compares both wheels of an axle of a run. The moment about a wheel's axle comes from its brake and from the drive of
 * a live axle. Compliance is tenths of a degree on beams and axles that steer, and a hundredth of this on other rigid
 * axles. */
static void compare_joined(const char *vehicle, const char *input, const char *steered, const char *level, int end,
                           bool live, const char *what) {
  scene *s = scene_make("run: {duration: 6 s, level: L4, compliance: nonlinear}\n"
                        "vehicle: ../vehicles/sedan.yaml\n"
                        "initial: {speed: 20 m/s}\n",
                        vehicle, input, steered, level,
                        strcmp(level, "run.level=L5") == 0 ? "run.unsprung=linkage" : level, NULL);
  scene_run(s, 4.0);
  const vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  const vd_axle_def *axle = &s->def.vehicle.axle[end];
  vd_corner corner = *axle->corner;
  balance_rig r;
  double steer[2], camber[2], rise[2], moved;
  corner.points.static_radius = vd_axle_loaded_radius(axle);
  const bool pins = corner.points.steer.given;
  const double rack = pins ? e->steering.rack[end] : 0.0;
  balance_corner(&corner, rack, balance_spring_load(&corner, corner.wheel_load), &r);
  balance_rises(&corner, e->motion.travel + 2 * end, rack, rise);
  balance_part *const wheel[2] = {r.wheel, r.right};
  balance_part *housing = pins ? balance_add(&r.scene, DEAD_LOAD, GROUND, r.knuckle, corner.points.wheel_center) : NULL;
  for (int k = 0; k < 2; k++) {
    wheel[k]->support = SUPPORT_CENTRE;
    wheel[k]->lift = rise[k];
  }
  bool held = balance_solve(&r.scene, 8);
  double toe = balance_toe(&r.scene, r.wheel);
  for (int k = 0; k < 2; k++) {
    int i = 2 * end + k;
    wrench_of(s, e, i, wheel[k]->centre_force, wheel[k]->moment, &steer[k], &camber[k]);
    const double a[3] = {-sin(steer[k]) * cos(camber[k]), cos(steer[k]) * cos(camber[k]), sin(camber[k])};
    double about =
        -e->log.brake_torque[i] - (live && !pins ? e->drive.drive_torque[i] : 0.0) - dot(wheel[k]->moment, a);
    for (int n = 0; n < 3; n++)
      wheel[k]->moment[n] += about * a[n];
    if (pins)
      load_through_pins(&corner, e->motion.travel + 2 * end, a, e->drive.drive_torque[i], wheel[k], housing);
  }
  held &= balance_solve(&r.scene, 8);
  moved = balance_toe(&r.scene, r.wheel) - toe;
  double toe_off = balance_toe(&r.scene, r.wheel) + steer[0] * 180.0 / VD_PI;
  double camber_off = balance_camber(&r.scene, r.wheel) + camber[0] * 180.0 / VD_PI;
  const double within = live && !pins ? 1e-4 : 1e-3;
  tap_ok(held && fabs(moved) > 10.0 * within && fabs(toe_off) <= within && fabs(camber_off) <= within,
         "%s: travels %.0f and %.0f mm, side forces %.0f and %.0f N; toe moves by %.3f deg, and agrees with the second "
         "solver within %.1e deg, camber %.1e",
         what, 1e3 * rise[0], 1e3 * rise[1], e->tyre.fy[2 * end], e->tyre.fy[2 * end + 1], moved, toe_off, camber_off);
  scene_free(s);
}

static void check_nonlinear_pairs(void) {
  static const char beam[] = "vehicle=scenarios/vehicles/compact_twist_beam.yaml";
  static const char live[] = "vehicle=scenarios/vehicles/coupe_live_axle.yaml";
  static const char steered[] = "vehicle=scenarios/vehicles/offroad_axles.yaml";
  compare_joined(beam, "speed=20 m/s", "steer=0.05", "run.level=L4", VD_REAR, false, "twist beam to the left");
  compare_joined(beam, "brake=0.2", "steer=-0.03", "run.level=L4", VD_REAR, false, "twist beam, braked to the right");
  compare_joined(beam, "speed=20 m/s", "steer=0.05", "run.level=L5", VD_REAR, false, "twist beam at L5");
  compare_joined(live, "speed=20 m/s", "steer=0.05", "run.level=L4", VD_REAR, true, "live axle");
  compare_joined(live, "throttle=0.5", "steer=-0.03", "run.level=L4", VD_REAR, true, "live axle, driven");
  compare_joined(steered, "speed=15 m/s", "steer=0.05", "run.level=L4", VD_FRONT, true, "axle that steers");
  compare_joined(steered, "throttle=0.4", "steer=-0.03", "run.level=L4", VD_FRONT, true, "axle that steers, driven");
}

/* Compares a wheel of a run, under loads within the range of the map. A right wheel is the left wheel of the car's
 * mirror image. */
static void compare_wheel(const scene *s, const vd_eval *e, int i, bool inboard, const char *what) {
  static const char *const place[VD_WHEELS] = {"front", "front right", "rear", "rear right"};
  const double side = vd_side_sign(i);
  vd_corner corner = *s->def.vehicle.axle[vd_axle_of(i)].corner;
  balance_rig r;
  double steer, camber, moved;
  if (vd_is_right(i))
    vd_hardpoints_mirror(&s->def.vehicle.axle[vd_axle_of(i)].corner->points, &corner.points);
  balance_corner(&corner, i < VD_RL ? side * e->steering.rack[VD_FRONT] : 0.0, NAN, &r);
  r.wheel->support = SUPPORT_CENTRE;
  r.wheel->lift = e->motion.travel[i];
  bool held = balance_solve(&r.scene, 8);
  double toe = balance_toe(&r.scene, r.wheel);
  r.wheel->free_spin = true;
  r.wheel->torque = inboard ? 0.0 : -e->log.brake_torque[i]; /* N m, torque of the log on the wheel */
  wrench_of(s, e, i, r.wheel->centre_force, r.wheel->moment, &steer, &camber);
  r.wheel->centre_force[1] *= side;
  r.wheel->moment[0] *= side;
  r.wheel->moment[2] *= side;
  held &= balance_solve(&r.scene, 8);
  moved = balance_toe(&r.scene, r.wheel) - toe;
  double toe_off = balance_toe(&r.scene, r.wheel) + side * steer * 180.0 / VD_PI;
  double camber_off = balance_camber(&r.scene, r.wheel) + side * camber * 180.0 / VD_PI;
  tap_ok(held && fabs(moved) > 0.01 && fabs(toe_off) <= 1e-3 && fabs(camber_off) <= 1e-3,
         "%s, %s: toe moves by %.3f deg, and agrees with the second solver within %.1e deg, camber %.1e", what,
         place[i], moved, toe_off, camber_off);
}

static void compare_run(const char *input, const char *other, const char *settings[4], bool inboard, const char *what) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\n"
                        "run: {duration: 4 s, level: L4, compliance: nonlinear}\n"
                        "initial: {speed: 20 m/s}\n",
                        settings[0], settings[1], settings[2], settings[3], input, other, NULL);
  scene_run(s, 3.0);
  const vd_row row = scene_row(s);
  compare_wheel(s, &row.eval, 0, false, what);
  compare_wheel(s, &row.eval, 2, inboard, what);
  if (s->def.vehicle.axle[VD_FRONT].corner->points.gear.asymmetric)
    compare_wheel(s, &row.eval, 1, false, what);
  scene_free(s);
}

static void check_nonlinear(void) {
  const char *wishbones[] = {
      "vehicle.front.linkage={base: scenarios/suspensions/dw_front_sports.yaml, bushings: default}",
      "vehicle.rear.linkage={base: scenarios/suspensions/5link_rear_sports.yaml, bushings: default}", "run.level=L4",
      "run.linkage=maps"};
  const char *struts[] = {"vehicle.front.linkage=scenarios/suspensions/mp_front_sedan.yaml",
                          "vehicle.rear.linkage=scenarios/suspensions/ta_rear_sedan.yaml", "run.level=L4",
                          "run.linkage=maps"};
  const char *free_body[] = {struts[0], struts[1], "run.level=L5", "run.unsprung=linkage"};
  const char *inboard[] = {wishbones[0], wishbones[1], "vehicle.rear.linkage.0.car.axle=rear",
                           "vehicle.rear.linkage.0.car.inboard_brakes=true"};
  compare_run("throttle=0.8", "steer=0.01", wishbones, false, "driven");
  compare_run("brake=0.2", "steer=0.01", wishbones, false, "braked");
  compare_run("brake=0.2", "steer=0.01", inboard, true, "braked inboard");
  compare_run("speed=20 m/s", "steer=0.05", wishbones, false, "cornering, double wishbones and five links");
  compare_run("speed=20 m/s", "steer=0.05", struts, false, "cornering, struts and trailing arms");
  compare_run("speed=20 m/s", "steer=0.05", free_body, false, "cornering, struts and trailing arms at L5");
  const char *arms[] = {
      "vehicle.front.linkage={base: scenarios/suspensions/dw_front_sports.yaml, steering: {type: relay, "
      "axis: [0.1, 0, 1], pivot: [-0.53, 0.345, 0.20], joint: [-0.30, 0.33, 0.185], "
      "other_pivot: [-0.50, -0.345, 0.20]}}",
      struts[1], "run.level=L4", "run.linkage=maps"};
  const char *free_arms[] = {arms[0], arms[1], "run.level=L5", "run.unsprung=linkage"};
  compare_run("brake=0.3", "steer=0.01", arms, false, "unequal pitman and idler arms, braked");
  compare_run("brake=0.3", "steer=-0.01", arms, false, "unequal pitman and idler arms, braked, to the right");
  compare_run("brake=0.3", "steer=-0.01", free_arms, false, "unequal arms at L5");
}

/* --- the search for the angles --- */

static double between(double low, double high) {
  return low + (high - low) * rand() / RAND_MAX;
}

/* Solves for the angles at the state of an evaluation by a plain fixed-point iteration from zero angles: it turns the
 * contacts by the angles, evaluates the tyres, and takes half of the step to the angles that follow from their forces,
 * until the angles stay constant. Returns the greatest difference of the angles of `e` from the solution, rad, and sets
 * the greatest difference of forces, N, and moments, N m. */
static double off_iteration(const scene *s, const double *mode, const vd_eval *e, double *force) {
  enum { ROUNDS = 1000 };
  vd_eval at = *e;
  double dx[VD_STATES], vx[VD_WHEELS], vy[VD_WHEELS], d[2][VD_WHEELS] = {{0.0}}, moved = INFINITY, worst = 0.0;
  vd_work w = {.m = &s->model, .c = &s->sim.command, .x = s->sim.state.x, .mode = mode, .e = &at, .dx = dx};
  vd_load_compliance own;
  const vd_load_compliance *y = vd_find_load_compliance(&w, &own);
  for (int i = 0; i < VD_WHEELS; i++) {
    double cosine = cos(e->suspension.compliance_steer[i]), sine = sin(e->suspension.compliance_steer[i]);
    vx[i] = cosine * e->contact.vx_contact[i] - sine * e->contact.vy_contact[i];
    vy[i] = cosine * e->contact.vy_contact[i] + sine * e->contact.vx_contact[i];
  }
  for (int round = 0; round < ROUNDS && moved > 1e-16; round++) {
    for (int i = 0; i < VD_WHEELS; i++) {
      at.contact.vx_contact[i] = cos(d[0][i]) * vx[i] + sin(d[0][i]) * vy[i];
      at.contact.vy_contact[i] = cos(d[0][i]) * vy[i] - sin(d[0][i]) * vx[i];
      at.contact.camber[i] = e->contact.camber[i] - e->suspension.compliance_camber[i] + d[1][i];
    }
    vd_slips(&w);
    vd_forces_at_slips(&w);
    moved = 0.0;
    for (int i = 0; i < VD_WHEELS; i++) {
      double next[2] = {0.0, 0.0};
      for (int other = 0; other < 2; other++) {
        int j = other ? vd_other_side(i) : i;
        const double load[] = {at.tyre.fx[j], at.tyre.fy[j], at.tyre.mz[j], vd_knuckle_brake(&w, j)};
        for (int k = 0; k < VD_COMPLIANCE_LOADS; k++) {
          next[0] += y->steer[other][k][i] * load[k];
          next[1] += y->camber[other][k][i] * load[k];
        }
      }
      for (int k = 0; k < 2; k++) {
        moved = tap_max(moved, fabs(next[k] - d[k][i]));
        d[k][i] += 0.5 * (next[k] - d[k][i]);
      }
    }
  }
  *force = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    worst = tap_max(worst, fabs(e->suspension.compliance_steer[i] - d[0][i]));
    worst = tap_max(worst, fabs(e->suspension.compliance_camber[i] - d[1][i]));
    *force = tap_max(*force, fabs(e->tyre.fy[i] - at.tyre.fy[i]) + fabs(e->tyre.mz[i] - at.tyre.mz[i]));
  }
  return moved <= 1e-16 ? worst : NAN;
}

/* Moves the car to a random state: slip angles to beyond the peak, at loads of other travels. */
static void random_slips(const double *start, double *x) {
  memcpy(x, start, VD_STATES * sizeof *x);
  x[VD_S_VY] += between(-4.0, 4.0);
  x[VD_S_YAW_RATE] += between(-0.6, 0.6);
  for (int i = 0; i < VD_WHEELS; i++) {
    x[VD_S_TRAVEL + i] += between(-0.03, 0.03);
    x[VD_S_SPIN + i] *= between(0.95, 1.05);
    x[VD_S_DEFLECTION_X + i] = between(-0.05, 0.05);
    x[VD_S_DEFLECTION_Y + i] = between(-0.15, 0.15);
  }
}

/* Checks that the angles at random states are those of the plain iteration, whether the search starts from zero, from
 * the angles of a state nearby, or from the angles of another random state. */
static void check_search(const char *run, const char *vehicle, const char *input, const char *other) {
  scene *s = scene_make("vehicle: ../vehicles/saloon.yaml\n"
                        "run: {duration: 6 s, level: L3}\n"
                        "initial: {speed: 20 m/s}\n",
                        run, vehicle, input, other, NULL);
  double start[VD_STATES], dx[VD_STATES], force, worst[3] = {0.0, 0.0, 0.0}, worst_force = 0.0;
  scene_run(s, 0.5);
  memcpy(start, s->sim.state.x, sizeof start);
  for (int n = 0; n < 100; n++) {
    for (int from = 0; from < 3; from++) {
      vd_state_vector *at = &s->sim.state;
      vd_eval e = s->sim.eval;
      double near = at->x[VD_S_VY];
      if (from == 0) {
        random_slips(start, at->x);
        vd_model_forget(at->mode);
      }
      if (from == 1)
        at->x[VD_S_VY] += 1e-3;
      bool found = vd_model_rates(&s->model, &s->sim.command, at->x, at->mode, &e, dx);
      double off = off_iteration(s, at->mode, &e, &force);
      worst[from] = tap_max(worst[from], found ? off : NAN);
      worst_force = tap_max(worst_force, force);
      vd_model_keep(&s->model, &s->sim.command, &e, at->mode);
      at->x[VD_S_VY] = near;
      if (from == 1)
        random_slips(start, at->x);
    }
  }
  tap_near(worst[0], 0.0, 1e-13, "%s, %s: from zero angles the search finds the angles of the iteration, rad", vehicle,
           run);
  tap_near(worst[1], 0.0, 1e-13, "%s, %s: from a state nearby the search finds the angles of the iteration, rad",
           vehicle, run);
  tap_near(worst[2], 0.0, 1e-13, "%s, %s: from another random state the search finds the angles of the iteration, rad",
           vehicle, run);
  tap_near(worst_force, 0.0, 1e-7,
           "%s, %s: side forces and aligning moments agree with those of the iteration, N and N m", vehicle, run);
  scene_free(s);
}

/* Checks that smooth driving takes two evaluations of the tyres in each evaluation of the rates. */
static void check_rounds(const char *run) {
  scene *s = scene_make("vehicle: ../vehicles/saloon.yaml\n"
                        "run: {duration: 3 s, level: L3}\n"
                        "initial: {speed: 25 m/s}\n"
                        "steering_wheel: {type: sine, start: 0.1 s, amplitude: 40 deg, frequency: 0.5 Hz}\n",
                        run, NULL);
  int sum = 0, count = 0;
  while (s->sim.t < 2.0) {
    vd_sim_step(&s->sim);
    sum += s->sim.eval.suspension.compliance_rounds;
    count++;
  }
  double mean = (double)sum / count;
  tap_ok(mean <= 2.1, "%s: the search takes %.2f evaluations of the tyres at the ends of steps, in the mean", run,
         mean);
  scene_free(s);
}

/* Checks at L1 and L2 that accelerations at random states do not depend on where the search starts. They differ from
 * those of a search from zero by at most twice the error that vd_turn_enough and the loads' tolerance leave: a force of
 * 3e-10 of the weight; for the yaw acceleration it acts at the end of the wheelbase. */
static void check_planar_search(const char *level) {
  scene *s = scene_make("vehicle: ../vehicles/saloon.yaml\n"
                        "run: {duration: 6 s, level: L2, slip: transient}\n"
                        "initial: {speed: 20 m/s}\n",
                        level, "speed=20 m/s", "run.compliance=linear", NULL);
  const double accel = 2.0 * 3e-10 * 9.80665, arm = s->model.vehicle.wheelbase, mass = s->model.balance.mass;
  double start[VD_STATES], dx[VD_STATES], again[VD_STATES], worst = 0.0;
  scene_run(s, 0.5);
  memcpy(start, s->sim.state.x, sizeof start);
  for (int n = 0; n < 100; n++) {
    vd_state_vector *at = &s->sim.state, bare;
    vd_eval e = s->sim.eval;
    random_slips(start, at->x);
    bare = *at;
    vd_model_forget(bare.mode);
    bool found = vd_model_rates(&s->model, &s->sim.command, at->x, at->mode, &e, dx);
    vd_model_keep(&s->model, &s->sim.command, &e, at->mode);
    found = vd_model_rates(&s->model, &s->sim.command, bare.x, bare.mode, &e, again) && found;
    double yaw = s->model.vehicle.yaw_inertia / (mass * arm) * fabs(dx[VD_S_YAW_RATE] - again[VD_S_YAW_RATE]);
    double off = fabs(dx[VD_S_VX] - again[VD_S_VX]) + fabs(dx[VD_S_VY] - again[VD_S_VY]) + yaw;
    worst = tap_max(worst, found ? off : NAN);
  }
  tap_near(worst, 0.0, accel,
           "%s: accelerations at random states are equal from the angles before and from zero angles, m/s2", level);
  scene_free(s);
}

int main(void) {
  tap_plan(4 + 12 + 1 + 12 + 9 + 7 + 5 * 4 + 2 + 2);
  compare("throttle=0.8", false, "driven by a shaft");
  compare("brake=0.3", true, "braked on its knuckle");
  check_joined();
  check_oversteer();
  check_nonlinear();
  check_nonlinear_pairs();
  const char *saloon = "vehicle=scenarios/vehicles/saloon.yaml", *hold = "speed=20 m/s",
             *linear = "run.compliance=linear";
  check_search("run.slip=transient", saloon, hold, linear);
  check_search("run.slip=steady", saloon, hold, linear);
  check_search("run.slip=steady", "vehicle=scenarios/vehicles/sports_saloon.yaml", "brake=0.3", linear);
  check_search("run.level=L4", "vehicle=scenarios/vehicles/compact_twist_beam.yaml", hold, linear);
  check_search("run.slip=transient", "vehicle=scenarios/vehicles/compact_tables.yaml",
               "vehicle.front.tyre=scenarios/tyres/lugre_touring.yaml", linear);
  check_rounds("run.slip=transient");
  check_rounds("run.slip=steady");
  check_planar_search("run.level=L1");
  check_planar_search("run.level=L2");
  return tap_done();
}
