/* Forces from outside: wind with maps of the coefficients, a force at a point of the body, a drawbar pull.
 *
 * - The ledger of runs with all of them closes at every level: the power of each force is the force times the velocity
 *   of its point.
 * - Air from the other side gives the mirrored run.
 * - A car in the air under a force has the accelerations of a rigid body, F/m and I^-1 (r x F), by the tensor of
 *   vd_vehicle_total (which tests/vehicle/weights.c checks).
 * - A wind along the car changes the speed in the formula of the drag: c (v - w)^2.
 * - Air from the left pushes to the right, turns the nose to the right and rolls the right side down (SAE J1594), by q
 *   A C, q A L C about the middle of the wheelbase, and q A L C.
 * - Coefficients that depend on the ride heights are cubic splines of both heights.
 * - The wind has its full speed in the middle of its zone, half of it at the edge, and is zero outside. */
#include "scene.h"
#include "tap.h"

#include "model/outside.h"

#include <math.h>
#include <stdio.h>

#define MAPS                                                                                                           \
  "vehicle.aero.side_map=[[0, 0], [0.3, 0.7], [0.8, 1.5], [1.6, 1.4]]",                                                \
      "vehicle.aero.yaw_map=[[0, 0], [0.3, 0.13], [0.8, 0.2], [1.6, 0.02]]",                                           \
      "vehicle.aero.roll_map=[[0, 0], [0.3, 0.12], [1.6, 0.24]]",                                                      \
      "vehicle.aero.drag_map=[[0, 0.3], [0.4, 0.36], [1.6, 0]]", "vehicle.aero.front_map=[[0, 0.05], [0.9, -0.3]]"

static const char blown[] = "vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                            "run: {duration: 4 s}\n"
                            "initial: {speed: 25 m/s}\n"
                            "throttle: 0.3\n"
                            "wind: {speed: 8 m/s, direction: 60 deg, x_from: 20 m, x_to: 70 m, edge: 20 m}\n"
                            "wind_y: {type: sine, amplitude: 6, frequency: 0.5 Hz}\n"
                            "push: {at: [0.5, 0.3, 0.7]}\n"
                            "push_x: {type: sine, amplitude: 300, frequency: 0.5 Hz}\n"
                            "push_y: {type: sine, amplitude: 800, frequency: 0.7 Hz}\n"
                            "push_z: {type: sine, amplitude: 300, frequency: 0.9 Hz}\n"
                            "push_mx: {type: sine, amplitude: 200, frequency: 0.8 Hz}\n"
                            "push_my: {type: sine, amplitude: 300, frequency: 0.6 Hz}\n"
                            "push_mz: {type: sine, amplitude: 400, frequency: 0.4 Hz}\n"
                            "drawbar: {type: sine, from: 500, amplitude: 300, frequency: 0.3 Hz}\n";

static const char hitch[] = "vehicle.hitch={at: [-3.6, 0, 0.4], load: 60 kg}";

static void check_ledger(const char *level, const char *setting, const char *axes) {
  scene *s = scene_make(blown, MAPS, hitch, level, setting, axes, NULL);
  double worst = 0.0, kinetic = 0.0, air = 0.0, push = 0.0;
  for (int k = 1; k <= 40; k++) {
    scene_run(s, 0.1 * k);
    vd_row row = scene_row(s);
    worst = tap_max(worst, fabs(row.eval.log.ledger));
    kinetic = tap_max(kinetic, row.eval.log.energy_kinetic);
    air = tap_max(air, fabs(row.state.x[VD_S_WORK_AERO]));
    push = tap_max(push, fabs(row.state.x[VD_S_WORK_OUTSIDE]));
  }
  if (s->sim.status != VD_SIM_OK || !(air > 1e-3 * kinetic && push > 1e-3 * kinetic))
    worst = NAN;
  tap_near(worst / kinetic, 0.0, 1e-6,
           "%s, %s: the ledger closes to %.1e, with work of %.0f J by the air and %.0f J by pushes", level, setting,
           worst / kinetic, air, push);
  scene_free(s);
}

static void check_mirror(const char *level) {
  static const char text[] = "vehicle: ../vehicles/sedan.yaml\n"
                             "run: {duration: 2 s}\n"
                             "initial: {speed: 25 m/s}\n"
                             "wind_x: -5\n"
                             "push: {at: [0.5, 0, 0.7]}\n";
  scene *left = scene_make(text, MAPS, "wind_y=9", "push_y=400", "push_mx=50", "push_mz=90", level, NULL);
  scene *right = scene_make(text, MAPS, "wind_y=-9", "push_y=-400", "push_mx=-50", "push_mz=-90", level, NULL);
  double worst = 0.0, moved = 0.0;
  for (int k = 1; k <= 10; k++) {
    scene_run(left, 0.2 * k);
    scene_run(right, 0.2 * k);
    vd_eval a = scene_row(left).eval, b = scene_row(right).eval;
    const double off[] = {a.motion.yaw_rate + b.motion.yaw_rate,
                          a.motion.vy + b.motion.vy,
                          a.log.roll + b.log.roll,
                          a.motion.vx - b.motion.vx,
                          (a.tyre.load[0] - b.tyre.load[1]) * 1e-4,
                          (a.tyre.load[3] - b.tyre.load[2]) * 1e-4};
    for (size_t i = 0; i < VD_COUNT(off); i++)
      worst = tap_max(worst, fabs(off[i]));
    moved = tap_max(moved, a.log.y);
  }
  tap_near(worst, 0.0, 1e-12, "%s: wind from the other side mirrors the run (%.1e)", level, worst);
  tap_ok(moved > 0.5, "%s: wind to the left moves the car to the left, by %.2f m", level, moved);
  scene_free(left);
  scene_free(right);
}

static void check_rigid_body(void) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s, level: L5, unsprung: hub}\n"
                        "initial: {lift: 2 m}\npush: {at: [0.6, 0.4, 0.9]}\npush_x: 500\npush_y: 700\npush_z: 300\n"
                        "push_mx: 40\npush_my: -60\npush_mz: 90\n",
                        "vehicle.aero={}", NULL);
  const vd_inertia whole = vd_vehicle_total(&s->model.vehicle);
  static const double force[3] = {500.0, 700.0, 300.0}, at[3] = {0.6, 0.4, 0.9}, couple[3] = {40.0, -60.0, 90.0};
  static const int speed[3] = {VD_S_VX, VD_S_VY, VD_S_VZ}, turn[3] = {VD_S_ROLL_RATE, VD_S_PITCH_RATE, VD_S_YAW_RATE};
  double arm[3], moment[3];
  vd_between(whole.centre, at, arm);
  vd_cross(arm, force, moment);
  for (int j = 0; j < 3; j++) {
    double gravity = j == 2 ? -VD_GRAVITY : 0.0;
    tap_near(s->sim.rates[speed[j]], force[j] / whole.mass + gravity, 1e-10,
             "a force on a car in the air: acceleration %d follows from the force", j);
    double resisted = 0.0;
    for (int k = 0; k < 3; k++)
      resisted += whole.tensor[j][k] * s->sim.rates[turn[k]];
    tap_near(resisted, moment[j] + couple[j], 1e-8,
             "a moment on a car in the air: moment %d follows from the angular acceleration", j);
  }
  scene_free(s);
}

/* Checks that a force at another point is equal to the same force and the moment r x F of its shift r = (0.4, 0, 0.4)
 * m, here of (300, 400, 200) N: (-160, 300 0.4 - 200 0.4, 160) N m. */
static void check_moment(const char *level) {
  static const char text[] = "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 2 s}\ninitial: {speed: 25 m/s}\n"
                             "push_x: 300\npush_y: 400\npush_z: 200\n";
  scene *shifted = scene_make(text, "push.at=[0.5, 0, 0.7]", level, NULL);
  scene *turned = scene_make(text, "push.at=[0.1, 0, 0.3]", "push_mx=-160", "push_my=40", "push_mz=160", level, NULL);
  scene_run(shifted, 1.5);
  scene_run(turned, 1.5);
  vd_eval a = scene_row(shifted).eval, b = scene_row(turned).eval;
  const double off[] = {a.motion.yaw_rate - b.motion.yaw_rate, a.motion.vy - b.motion.vy, a.log.roll - b.log.roll,
                        (a.tyre.load[0] - b.tyre.load[0]) * 1e-4, (a.tyre.load[3] - b.tyre.load[3]) * 1e-4};
  double worst = 0.0;
  for (size_t i = 0; i < VD_COUNT(off); i++)
    worst = tap_max(worst, fabs(off[i]));
  tap_near(worst, 0.0, 1e-10, "%s: a force at another point is the force and a moment", level);
  scene_free(shifted);
  scene_free(turned);
}

/* Checks friction by wheel, which multiplies the friction of all wheels; an axle of L1 has the mean of its two
 * wheels. */
static void check_friction(const char *level, double left, double right) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s}\ninitial: {speed: 25 m/s}\n", level,
                        "friction=0.8", "friction_fl=0.5", "friction_rr=0.25", NULL);
  scene_run(s, 0.1);
  vd_eval e = scene_row(s).eval;
  tap_near(e.contact.friction[VD_FL], left, 1e-15,
           "%s: the front left wheel has the friction of its own and of all wheels, or its axle's mean", level);
  tap_near(e.contact.friction[VD_FR], right, 1e-15,
           "%s: the front right wheel has the friction of all wheels, or its axle's mean", level);
  scene_free(s);
}

/* Checks that a car on roads of different heights has the loads of a car on posts of these heights. */
static void check_roads(const char *level, const char *car) {
  char vehicle[64];
  snprintf(vehicle, sizeof vehicle, "vehicle=scenarios/vehicles/%s", car);
  static const char text[] = "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 8 s}\n";
  scene *road = scene_make(text, vehicle, level, "road_fl={type: ramp, rate: 0.02, duration: 1 s}",
                           "road_rr={type: ramp, rate: 0.005, duration: 2 s}", NULL);
  scene *rig = scene_make(text, vehicle, level, "kind=four_post", "post_fl={type: ramp, rate: 0.02, duration: 1 s}",
                          "post_rr={type: ramp, rate: 0.005, duration: 2 s}", NULL);
  scene_run(road, 8.0);
  scene_run(rig, 8.0);
  vd_eval a = scene_row(road).eval, b = scene_row(rig).eval;
  double worst = 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    worst = tap_max(worst, fabs(a.tyre.load[i] - b.tyre.load[i]));
  tap_ok(a.tyre.load[0] - a.tyre.load[1] > 100.0, "%s: a higher road under one wheel loads it, by %.0f N", level,
         a.tyre.load[0] - a.tyre.load[1]);
  tap_near(worst, 0.0, 1.0, "%s: roads under single wheels give the loads of posts", level);
  tap_near(a.log.ledger, 0.0, 1e-3, "%s: the ledger closes", level);
  scene_free(road);
  scene_free(rig);
}

/* A road given from outside with the heights and slopes of an inclined plane, z = 0.03 x - 0.05 y, under each wheel at
 * the start: the car moves as on an inclined ground. Both runs solve the same equations; they differ by the rounding of
 * 2000 steps, which the car does not amplify. */
static void check_slopes(const char *level, const char *car) {
  char vehicle[64], height[VD_WHEELS][40];
  snprintf(vehicle, sizeof vehicle, "vehicle=scenarios/vehicles/%s", car);
  static const char text[] = "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 3 s}\ninitial: {speed: 20 m/s, x: 7 m}\n"
                             "steer: {type: step, value: 0.02, start: 0.3 s, rise: 0.1 s}\n";
  scene *plane = scene_make(text, vehicle, level, "ground.type=inclined", "ground.grade=0.029991004856878",
                            "ground.bank=-0.049958395721943", NULL); /* rad: arc tangents */
  for (int i = 0; i < VD_WHEELS; i++)
    snprintf(height[i], sizeof height[i], "road_%s=%.17g", vd_wheel_names[i],
             0.03 * (7.0 + plane->model.lanes.x[i]) - 0.05 * plane->model.lanes.y[i]);
  scene *road =
      scene_make(text, vehicle, level, height[0], height[1], height[2], height[3], "road_slope_x_fl=0.03",
                 "road_slope_x_fr=0.03", "road_slope_x_rl=0.03", "road_slope_x_rr=0.03", "road_slope_y_fl=-0.05",
                 "road_slope_y_fr=-0.05", "road_slope_y_rl=-0.05", "road_slope_y_rr=-0.05", NULL);
  scene_run(plane, 2.0);
  scene_run(road, 2.0);
  vd_eval a = scene_row(plane).eval, b = scene_row(road).eval;
  double worst = 0.0, loads = 0.0;
  const double off[] = {a.log.x - b.log.x,     a.log.y - b.log.y,         a.log.z - b.log.z,
                        a.log.yaw - b.log.yaw, a.log.pitch - b.log.pitch, a.log.roll - b.log.roll};
  for (size_t i = 0; i < VD_COUNT(off); i++)
    worst = tap_max(worst, fabs(off[i]));
  for (int i = 0; i < VD_WHEELS; i++)
    loads = tap_max(loads, fabs(a.tyre.load[i] - b.tyre.load[i]));
  tap_ok(b.log.z > 1.0 && fabs(b.log.yaw) > 0.1, "%s: a car climbs a road from outside (%.2f m), and turns", level,
         b.log.z);
  tap_near(worst, 0.0, 1e-9, "%s: the place of the car equals that on the inclined ground (%.1e)", level, worst);
  tap_near(loads, 0.0, 1e-5, "%s: the wheel loads equal those on the inclined ground (%.1e N)", level, loads);
  tap_near(b.log.ledger, 0.0, 1e-4, "%s: the ledger closes (%.1e J)", level, b.log.ledger);
  scene_free(plane);
  scene_free(road);
}

/* Checks that jumps of a road's slope and height under a moving car do the work by which its tyres are compressed. */
static void check_slope_jumps(const char *level, const char *car) {
  char vehicle[64];
  snprintf(vehicle, sizeof vehicle, "vehicle=scenarios/vehicles/%s", car);
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 3 s}\ninitial: {speed: 20 m/s}\n"
                        "road_slope_y_fl: {type: step, value: 0.1, start: 0.5 s}\n"
                        "road_rr: {type: step, value: 0.02, start: 0.7 s}\nroad_slope_x_rr: 0\n",
                        vehicle, level, NULL);
  scene_run(s, 1.5);
  vd_eval e = scene_row(s).eval;
  tap_ok(e.log.roll != 0.0, "%s: a slope under one wheel moves the car", level);
  tap_near(e.log.ledger, 0.0, 1e-3, "%s: the ledger closes although a road jumps (%.1e J)", level, e.log.ledger);
  scene_free(s);
}

static void check_headwind(const char *level) {
  scene *still =
      scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s}\ninitial: {speed: 30 m/s}\nwind: 0\n", level,
                 "wind_x=0", NULL);
  scene *head = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s}\ninitial: {speed: 30 m/s}\nwind: 0\n",
                           level, "wind_x=-10", NULL);
  double a = scene_row(still).eval.outside.drag, b = scene_row(head).eval.outside.drag;
  tap_near(a, 0.5 * 1.225 * 2.2 * 0.3 * 900.0, 1e-9, "%s: the drag at 30 m/s is that of the coefficient", level);
  tap_near(b, 0.5 * 1.225 * 2.2 * 0.3 * 1600.0, 1e-9,
           "%s: the drag at 30 m/s with a head wind of 10 m/s equals that at 40 m/s", level);
  scene_free(still);
  scene_free(head);
}

/* Returns a cubic in both heights: splines reproduce it. Border values continue beyond the grid. */
static double polynomial(double f, double r) {
  return 0.3 + 2.0 * f - 3.0 * r + 40.0 * f * r + 500.0 * f * f * r + 2e4 * f * f * f * r * r * r;
}

static void check_heights(void) {
  double front[] = {-0.05, -0.03, 0.0, 0.01, 0.06}, rear[] = {-0.08, -0.01, 0.02, 0.05};
  enum { FRONT = VD_COUNT(front), REAR = VD_COUNT(rear) };
  double value[FRONT * REAR], change[VD_AIR_MAPS], worst = 0.0;
  for (int f = 0; f < FRONT; f++)
    for (int r = 0; r < REAR; r++)
      value[f * REAR + r] = polynomial(front[f], rear[r]);
  const vd_air_heights_def def = {.at = {{front, FRONT}, {rear, REAR}}, .value[VD_AIR_REAR] = {value, FRONT * REAR}};
  vd_air_heights h;
  vd_air_heights_build(&def, &h);
  for (int k = 0; k < 40; k++) {
    double rise[] = {-0.05 + 0.11 * k / 39.0, 0.05 - 0.13 * ((7 * k) % 40) / 39.0};
    vd_air_heights_at(&h, rise, change);
    worst = tap_max(worst, fabs(change[VD_AIR_REAR] - polynomial(rise[0], rise[1])));
  }
  tap_near(worst, 0.0, 1e-14, "coefficients as functions of both ride heights reproduce a cubic (%.1e)", worst);
  tap_near(change[VD_AIR_SIDE], 1.0, 0.0, "without values for ride heights the side force has a factor of 1");
  tap_near(change[VD_AIR_DRAG], 0.0, 0.0, "an empty map of ride heights adds nothing to the drag");
  vd_air_heights_at(&h, (const double[]){0.2, -0.3}, change);
  tap_near(change[VD_AIR_REAR], polynomial(0.06, -0.08), 1e-15, "beyond the grid the value of its corner remains");
}

/* Checks side wind with coefficients that rise in proportion to the angle, so that their values are known. */
static void check_side_wind(const char *level) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s}\ninitial: {speed: 30 m/s}\nwind_y: -8\n",
                        "vehicle.aero.side_map=[[0, 0], [1, 2]]", "vehicle.aero.yaw_map=[[0, 0], [1, 0.5]]",
                        "vehicle.aero.roll_map=[[0, 0], [1, 0.4]]", level, NULL);
  vd_eval e = scene_row(s).eval;
  double force = 0.5 * 1.225 * 2.2 * (30.0 * 30.0 + 8.0 * 8.0) * atan(8.0 / 30.0), moment = force * 2.70;
  double ahead_of_middle = 1.20 - 0.5 * 2.70; /* m, of the centre of gravity; the force acts in the middle */
  double turn = -0.5 * moment - 2.0 * force * ahead_of_middle;
  /* the car runs straight ahead, so that its tyres have no side force yet; at L3 its body begins to roll, which changes
   * both accelerations by some percent */
  bool flat = s->def.run.level < VD_L3;
  double yaw_accel = turn / 2500.0, across = -2.0 * force / 1500.0, part = flat ? 1e-9 : 0.05;
  tap_near(e.body.yaw_accel, yaw_accel, part * fabs(yaw_accel), "%s: air from the left turns the nose to the right",
           level);
  tap_near(s->sim.rates[VD_S_VY], across, part * fabs(across), "%s: air from the left pushes to the right", level);
  if (flat)
    tap_near(e.outside.outside_roll, 0.4 * moment, 1e-9, "%s: air from the left rolls the right side down", level);
  else
    tap_ok(s->sim.rates[VD_S_ROLL_RATE] > 0.0, "%s: the moment of air from the left rolls the right side down", level);
  scene_free(s);
}

/* A push forward has the same effect at any height, except for the moment F z, which loads the front axle by F z/L and
 * relieves the rear axle. The weight of the leaning body is switched off. */
static void check_push_height(const char *level) {
  static const char *const text[] = {"vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s}\ninitial: {speed: 20}\n"
                                     "push: {at: [0.5, 0, 0]}\npush_x: 900\n",
                                     "vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s}\ninitial: {speed: 20}\n"
                                     "push: {at: [0.5, 0, 0.7]}\npush_x: 900\n"};
  vd_eval e[2];
  for (int k = 0; k < 2; k++) {
    scene *s = scene_make(text[k], "vehicle.aero={}", "run.lean=false", level, NULL);
    e[k] = scene_row(s).eval;
    scene_free(s);
  }
  double front = e[1].tyre.load[0] + e[1].tyre.load[1] - e[0].tyre.load[0] - e[0].tyre.load[1];
  double rear = e[1].tyre.load[2] + e[1].tyre.load[3] - e[0].tyre.load[2] - e[0].tyre.load[3];
  tap_near(front, 900.0 * 0.7 / 2.70, 1e-6, "%s: a push forward at 0.7 m loads the front axle", level);
  tap_near(rear, -900.0 * 0.7 / 2.70, 1e-6, "%s: a push forward at 0.7 m relieves the rear axle", level);
}

/* Checks the wind that acts on the car: side wind of 8 m/s from the left in 50 .. 80 m, with edges of 4 m. */
static void check_zone(void) {
  /* the edge from 48 to 52 m follows u^2 (3 - 2 u), which is smooth at its ends; at u = 1/4 it is 5/32 */
  static const struct {
    const char *x;
    double share;
    const char *what;
  } places[] = {{"initial.x=65", 1.0, "the whole wind acts within its zone"},
                {"initial.x=50", 0.5, "half of the wind acts at the limit of its zone"},
                {"initial.x=49", 5.0 / 32.0, "5/32 of the wind acts after a quarter of the first edge"},
                {"initial.x=81", 5.0 / 32.0, "5/32 of the wind acts before the last quarter of the second edge"},
                {"initial.x=47.9", 0.0, "no wind acts before its zone"},
                {"initial.x=82.1", 0.0, "no wind acts behind its zone"}};
  for (size_t k = 0; k < VD_COUNT(places); k++) {
    scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\nrun: {duration: 1 s, level: L1}\ninitial: {speed: 30 m/s}\n"
                          "wind: {speed: 8 m/s, direction: -90 deg, x_from: 50 m, x_to: 80 m, edge: 4 m}\n",
                          "vehicle.aero.side_map=[[0, 0], [1, 2]]", places[k].x, NULL);
    double wind = 8.0 * places[k].share;
    double force = 0.5 * 1.225 * 2.2 * (30.0 * 30.0 + wind * wind) * 2.0 * atan(wind / 30.0);
    tap_near(scene_row(s).eval.outside.outside_side, -force, 1e-9, "%s", places[k].what);
    scene_free(s);
  }
}

int main(void) {
  tap_plan(8 + 4 + 6 + 8 + 9 + 4 + 6 + 4 + 3 + 4 + 6 + 12 + 4);
  check_ledger("run.level=L0", "run.lean=true", "push.axes=body");
  check_ledger("run.level=L1", "run.lean=true", "push.axes=body");
  check_ledger("run.level=L2", "run.lean=true", "push.axes=body");
  check_ledger("run.level=L3", "run.lean=true", "push.axes=road");
  check_ledger("run.level=L4", "run.lean=true", "push.axes=body");
  check_ledger("run.level=L5", "run.unsprung=linkage", "push.axes=road");
  check_ledger("run.level=L5", "run.unsprung=strut", "push.axes=body");
  check_ledger("run.level=L5", "run.unsprung=hub", "push.axes=body");
  check_mirror("run.level=L2");
  check_mirror("run.level=L3");
  check_rigid_body();
  check_moment("run.level=L1");
  check_moment("run.level=L2");
  check_moment("run.level=L3");
  check_friction("run.level=L1", 0.8 * 0.75, 0.8 * 0.75);
  check_friction("run.level=L3", 0.8 * 0.5, 0.8);
  check_roads("run.level=L3", "sedan.yaml");
  check_roads("run.level=L4", "sedan_hardpoints.yaml");
  check_slopes("run.level=L3", "sedan.yaml");
  check_slopes("run.level=L4", "sedan_hardpoints.yaml");
  check_slopes("run.level=L5", "sedan.yaml");
  check_slope_jumps("run.level=L3", "sedan.yaml");
  check_slope_jumps("run.level=L5", "sedan.yaml");
  check_headwind("run.level=L0");
  check_headwind("run.level=L1");
  check_headwind("run.level=L2");
  check_headwind("run.level=L3");
  check_side_wind("run.level=L1");
  check_side_wind("run.level=L2");
  check_side_wind("run.level=L3");
  check_push_height("run.level=L1");
  check_push_height("run.level=L2");
  check_zone();
  check_heights();
  return tap_done();
}
