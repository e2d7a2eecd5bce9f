/* Runs with rigid axles and twist beams: compared with the fourteen-DOF level, whose axles are such beams; roll steer,
 * propeller shaft and roll centre compared with hand calculations; order, ledger, mirror images; maps compared with
 * linkages; cars at rest, and the free body. */
#include "ride_runs.h"

static const char coupe[] = "vehicle=scenarios/vehicles/coupe_live_axle.yaml";
static const char compact[] = "vehicle=scenarios/vehicles/compact_twist_beam.yaml";
static const char offroad[] = "vehicle=scenarios/vehicles/offroad_axles.yaml";

/* --- compared with L3 ---
 *
 * A Panhard axle whose rods are level has the roll centre at its Panhard rod, h = 0.30 m, and does not steer in roll.
 * It is equal to L3's beam with roll_centre_height h. Springs and dampers stand at the wheels, so that the stiffness in
 * roll is L3's. The front wheels are on level parallel arms, with the roll centre in the road. They are light, as their
 * masses act on the body, not on a beam (multibody_links.c). The arcs of the rods have effects of second order: 1 % up
 * to 3 m/s2. `slope` is the slope of all rods, positive if they rise forwards. */

static const double panhard = 0.30, rod = 0.60; /* m */

static scene *on_axle(const char *level, double slope, const char *more, const char *drive, const char *input) {
  char front[640], rear[640];
  snprintf(front, sizeof front,
           "vehicle.front.linkage={type: double_wishbone,"
           " wheel: {center: [0, 0.775, 0.32], spin_axis: [0, 1, 0], static_radius: 0.32},"
           " lca: {chassis_front: [0.2, 0.30, 0.15], chassis_rear: [-0.2, 0.30, 0.15], knuckle: [0, 0.75, 0.15]},"
           " uca: {chassis_front: [0.2, 0.30, 0.50], chassis_rear: [-0.2, 0.30, 0.50], knuckle: [0, 0.75, 0.50]},"
           " tie_rod: {rack: [-0.15, 0.30, 0.2], knuckle: [-0.15, 0.75, 0.2]}}");
  snprintf(rear, sizeof rear,
           "vehicle.rear.linkage={type: panhard_axle,"
           " wheel: {center: [0, 0.775, 0.32], spin_axis: [0, 1, 0], static_radius: 0.32},"
           " links: {lower_left: {chassis: [%.17g, 0.5, %.17g], knuckle: [0, 0.5, 0.25]},"
           " upper: {chassis: [%.17g, 0, %.17g], knuckle: [0, 0, 0.45]},"
           " panhard: {chassis: [0, -0.55, %.17g], knuckle: [0, 0.55, %.17g]}},"
           " spring: {chassis: [0, 0.775, 0.9], eye: [0, 0.775, 0.32], part: knuckle},"
           " damper: {chassis: [0, 0.775, 0.9], eye: [0, 0.775, 0.32], part: knuckle}}",
           rod, 0.25 + slope * rod, rod, 0.45 + slope * rod, panhard, panhard);
  return scene_make("vehicle: ../vehicles/sedan.yaml\n"
                    "run: {duration: 40 s, level: L3}\n"
                    "initial: {speed: 25 m/s}\n",
                    level, front, rear, more, drive, input, "vehicle.rear.roll_centre_height=0.30 m",
                    "vehicle.front.unsprung_mass=4 kg", "vehicle.front.wheel_inertia=2 kg m2",
                    "vehicle.front.antiroll_stiffness=12 kN m/rad", NULL);
}

/* Returns a car in a steady turn at 25 m/s. */
static scene *in_turn(const char *level, double slope, double demand) {
  char lateral[128];
  snprintf(lateral, sizeof lateral, "lateral_acceleration={type: step, start: 0.5 s, rise: 2 s, value: %g}", demand);
  scene *s = on_axle(level, slope, "run.lean=true", "speed=25 m/s", lateral);
  scene_run(s, 30.0);
  return s;
}

static void check_levels(double ay) {
  scene *three = in_turn("run.level=L3", 0.0, ay), *four = in_turn("run.level=L4", 0.0, ay);
  vd_row a = scene_row(three), b = scene_row(four);
  double load = 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    take(&load, b.eval.tyre.load[i] / a.eval.tyre.load[i] - 1.0);
  /* The driver commands v r: both cars must have reached it before they are compared. */
  tap_ok(fabs(b.eval.motion.yaw_rate * 25.0 / ay - 1.0) <= 1e-6 &&
             fabs(a.eval.motion.yaw_rate * 25.0 / ay - 1.0) <= 1e-6,
         "%.0f m/s2: L4 and L3 have reached the commanded yaw rate, %.5f rad/s", ay, ay / 25.0);
  tap_near(b.eval.log.sideslip / a.eval.log.sideslip, 1.0, 0.01,
           "%.0f m/s2: the side slip of L4, %.5f rad, is that of L3, %.5f", ay, b.eval.log.sideslip,
           a.eval.log.sideslip);
  tap_near(b.eval.steering.steer_actual / a.eval.steering.steer_actual, 1.0, 0.01,
           "%.0f m/s2: the steering angle of L4, %.5f rad, is that of L3, %.5f", ay, b.eval.steering.steer_actual,
           a.eval.steering.steer_actual);
  tap_near(b.eval.log.body_roll / a.eval.log.body_roll, 1.0, 0.01,
           "%.0f m/s2: the roll of L4, %.5f rad, is that of L3, %.5f", ay, b.eval.log.body_roll, a.eval.log.body_roll);
  tap_near(load, 0.0, 0.01, "%.0f m/s2: the loads of L4 and L3 differ by at most %.2f %%", ay, 100.0 * load);
  scene_free(three);
  scene_free(four);
}

/* Rods that fall towards the axle by `slope' move their rear ends back by `slope' per rise of the axle. In roll the
 * outer end of the axle rises in the body by phi times its distance from the middle, so that the axle turns by -slope
 * phi about z, out of the turn. This is roll oversteer; rods that rise towards the axle cause understeer (Gillespie,
 * Fundamentals of Vehicle Dynamics, ch. 6). The slope is relative to the body's axes, and is reduced by the mean travel
 * divided by the rod's length. The slip angles of both axles stay the same, so that the driver turns the front wheels
 * by as much more as the rear axle steers. */
static void check_roll_steer(double slope) {
  scene *level = in_turn("run.level=L4", 0.0, 2.0), *steep = in_turn("run.level=L4", slope, 2.0);
  vd_row a = scene_row(level), b = scene_row(steep);
  double track = steep->def.vehicle.axle[VD_REAR].track;
  const double *travel = b.eval.motion.travel + VD_RL;
  double roll = (travel[1] - travel[0]) / track, now = slope - 0.5 * (travel[0] + travel[1]) / rod;
  double angle = 0.5 * (b.eval.steering.angle[VD_RL] + b.eval.steering.angle[VD_RR]);
  double before = 0.5 * (a.eval.steering.angle[VD_RL] + a.eval.steering.angle[VD_RR]);
  tap_near(angle / (-now * roll), 1.0, 0.01, "rods that fall by %.2f: the axle steers by %.6f rad, by hand %.6f", slope,
           angle, -now * roll);
  tap_near((b.eval.steering.steer_actual - a.eval.steering.steer_actual) / (angle - before), 1.0, 0.01,
           "the driver of a car with rods that fall steers by %.6f rad more than with level rods",
           b.eval.steering.steer_actual - a.eval.steering.steer_actual);
  scene_free(level);
  scene_free(steep);
}

/* --- the propeller shaft ---
 *
 * The shaft applies the torque T to the axle and -T to the body. Their rolls relative to the road are psi and phi. With
 * the roll stiffness K of springs and bars (_f: front, _R: rear), and k of tyres,
 *   body  T = K_F phi + K_R (phi - psi),   axle  -T = k_R psi - K_R (phi - psi),   K_F = K_f k_f/(K_f + k_f),
 * so the tyres of both axles carry the moment T/(1 + K_R/k_R + K_R/K_F) between left and right; this moment loads the
 * left rear wheel. Level rods do not steer, and without `lean` the weight of the leaning body has no moment; but the
 * wheels of the leaning body have side forces, whose moment m ay h is 1 % of T. */
static void check_shaft(void) {
  scene *s = on_axle("run.level=L4", 0.0, "run.lean=false",
                     "vehicle.drivetrain=scenarios/vehicles/drivetrains/sedan_automatic.yaml",
                     "throttle={type: step, start: 0.5 s, rise: 1 s, value: 0.5}");
  scene_run(s, 5.0);
  vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  const vd_axle_def *axle = s->def.vehicle.axle;
  double stiffness[2], tyre[2];
  for (int a = 0; a < VD_AXLES; a++) {
    double square = 0.25 * axle[a].track * axle[a].track;
    stiffness[a] = 2.0 * axle[a].spring_stiffness * square + axle[a].antiroll_stiffness;
    tyre[a] = 2.0 * axle[a].tyre.common.vertical_stiffness * square;
  }
  double front = stiffness[0] * tyre[0] / (stiffness[0] + tyre[0]);
  double torque = (e->drive.drive_torque[VD_RL] + e->drive.drive_torque[VD_RR]) / s->def.vehicle.drivetrain.final_drive;
  double hand = torque / (1.0 + stiffness[1] / tyre[1] + stiffness[1] / front);
  double rear = 0.5 * axle[VD_REAR].track * (e->tyre.load[VD_RL] - e->tyre.load[VD_RR]);
  double ahead = 0.5 * axle[VD_FRONT].track * (e->tyre.load[VD_FR] - e->tyre.load[VD_FL]);
  double aside = -s->def.vehicle.mass * e->body.ay * s->def.vehicle.cg_height;
  tap_near(ahead / hand, 1.0, 0.02, "a propeller shaft with %.1f N m loads the front wheels by %.2f N m, by hand %.2f",
           torque, ahead, hand);
  tap_near(
      (rear - ahead - aside) / torque, 0.0, 0.01,
      "the moment of the rear wheels' loads, %.2f N m, is that of the shaft, less the front wheels', plus %.2f of ay",
      rear, aside);
  scene_free(s);
}

/* --- order, ledger, mirror images: as in multibody_run.c --- */

static const char smooth[] = "vehicle: ../vehicles/coupe_live_axle.yaml\n"
                             "run: {duration: 10 s, level: L4}\n"
                             "initial: {speed: 30 m/s}\n"
                             "gear: 4\n"
                             "throttle: {type: sine, from: 0.5, amplitude: 0.3, frequency: 2 Hz}\n"
                             "steer: {type: sine, amplitude: 0.02, frequency: 1.5 Hz}\n";

static const char weave[] = "vehicle: ../vehicles/compact_twist_beam.yaml\n"
                            "run: {duration: 10 s, level: L4}\n"
                            "initial: {speed: 30 m/s}\n"
                            "throttle: {type: sine, from: 0.5, amplitude: 0.3, frequency: 2 Hz}\n"
                            "steer: {type: sine, amplitude: 0.02, frequency: 1.5 Hz}\n";

static const char driving[] = "vehicle: ../vehicles/compact_twist_beam.yaml\n"
                              "ground: {type: inclined, grade: 0.05, bank: -0.04}\n"
                              "run: {duration: 8 s, level: L4}\n"
                              "initial: {speed: 20 m/s, yaw: 0.3}\n"
                              "throttle: {type: sine, from: 0.5, amplitude: 0.4, frequency: 0.5 Hz}\n"
                              "steer: {type: sine, amplitude: 0.03, frequency: 0.5 Hz}\n";

static const char braking[] = "vehicle: ../vehicles/compact_twist_beam.yaml\n"
                              "run: {duration: 4 s, level: L4}\n"
                              "initial: {speed: 30 m/s}\n"
                              "steer: {type: sine, amplitude: 0.02, frequency: 0.5 Hz}\n"
                              "brake: {type: ramp, rate: 0.1, duration: 2 s}\n";

static const char kerb[] = "vehicle: ../vehicles/compact_twist_beam.yaml\n"
                           "ground: ../grounds/kerb_left.yaml\n"
                           "run: {level: L4, duration: 4 s, step: 0.25 ms}\n"
                           "initial: {x: 12 m, speed: 20 km/h}\n"
                           "steer: 0\n";

static const char turns[] = "vehicle: ../vehicles/compact_twist_beam.yaml\n"
                            "run: {duration: 8 s, level: L4}\n"
                            "initial: {speed: 20 m/s}\n"
                            "throttle: {type: sine, from: 0.3, amplitude: 0.2, frequency: 0.5 Hz}\n"
                            "steer: {type: sine, amplitude: 0.04, frequency: 0.5 Hz}\n";

/* The off-road car's front axle is not symmetric: its mirror image has Panhard rod, upper rod, pitman arm and drag link
 * on the other side. A motor has no propeller shaft. Figures that a vehicle takes from the left spring and the left
 * wheel by default are given. */
static const char motor_turns[] = "vehicle: {base: ../vehicles/offroad_axles.yaml,"
                                  " drivetrain: {type: motor, drive: all, max_torque: 300 N m, ratio: 5.0},"
                                  " front: {unsprung_mass: 82 kg, unsprung_roll_inertia: 45, damper: 2500,"
                                  " spring_stiffness: 33 N/mm}}\n"
                                  "run: {duration: 8 s, level: L4}\n"
                                  "initial: {speed: 20 m/s}\n"
                                  "throttle: {type: sine, from: 0.3, amplitude: 0.2, frequency: 0.5 Hz}\n"
                                  "steer: {type: sine, amplitude: 0.04, frequency: 0.5 Hz}\n";
static const char *const left_hand_drive[] = {
    "steer.amplitude=0.04",
    "vehicle.front.linkage={base: scenarios/suspensions/panhard_front_offroad.yaml, spring: {rate: auto},"
    "damper: {rate: auto}, wheel_load: 4960 N, tyre_rate: 220 N/mm, car: {axle: front, brake_share: 62 %}}"};
static const char *const right_hand_drive[] = {
    "steer.amplitude=-0.04", "vehicle.front.linkage={base: scenarios/suspensions/panhard_front_offroad.yaml, links: {"
                             "upper: {chassis: [-0.560, 0.260, 0.560], knuckle: [-0.030, 0.260, 0.490]},"
                             "panhard: {chassis: [0.140, -0.440, 0.500], knuckle: [0.140, 0.480, 0.420]}}, steering: {"
                             "pivot: [0.360, -0.400, 0.530],"
                             "drag_link: {gear: [0.190, -0.400, 0.510], knuckle: [0.160, 0.620, 0.425]}},"
                             "spring: {rate: auto}, damper: {rate: auto}, wheel_load: 4960 N, tyre_rate: 220 N/mm, "
                             "car: {axle: front, brake_share: 62 %}}"};

static const char four_links[] = "vehicle.rear.linkage=scenarios/suspensions/four_link_rear_suv.yaml";

/* --- maps compared with linkages, the free body with L4 --- */

static const char step_steer[] = "vehicle: ../vehicles/compact_twist_beam.yaml\n"
                                 "run: {level: L4, duration: 4 s}\n"
                                 "initial: {speed: 25 m/s}\n"
                                 "speed: 25 m/s\n"
                                 "steer: {type: step, start: 0.2 s, rise: 0.1 s, value: 0.04}\n";

/* At a steering angle of 0.04 rad the high off-road car leans by 7 degrees, and L4 and L5 differ by 3.5e-6 rad at any
 * step size, with wishbones in front by 9.6e-6 rad. */
static const char gentle_steer[] = "vehicle: ../vehicles/compact_twist_beam.yaml\n"
                                   "run: {level: L4, duration: 4 s}\n"
                                   "initial: {speed: 25 m/s}\n"
                                   "speed: 25 m/s\n"
                                   "steer: {type: step, start: 0.2 s, rise: 0.1 s, value: 0.02}\n";

static void check_pair(const char *what, const char *text, const char *car, const char *one, const char *other,
                       double allowed) {
  if (run_left_out(1))
    return;
  scene *a = scene_make(text, car, one, "run.unsprung=linkage", "run.step=0.5 ms", NULL);
  scene *b = scene_make(text, car, other, "run.unsprung=linkage", "run.step=0.5 ms", NULL);
  double angle = 0.0, place = 0.0, moved = 0.0;
  for (int k = 1; k <= 40; k++) {
    scene_run(a, 0.1 * k);
    scene_run(b, 0.1 * k);
    vd_row first = scene_row(a), second = scene_row(b);
    for (int i = 0; i < VD_WHEELS; i++) {
      take(&angle, first.eval.log.toe[i] - second.eval.log.toe[i]);
      take(&angle, first.eval.log.linkage_camber[i] - second.eval.log.linkage_camber[i]);
      take(&place, first.eval.motion.travel[i] - second.eval.motion.travel[i]);
      take(&moved, first.eval.motion.travel[i]);
    }
  }
  if (a->sim.status != VD_SIM_OK || b->sim.status != VD_SIM_OK)
    angle = NAN;
  tap_near(angle, 0.0, allowed, "%s: the wheels' angles agree within %.1e rad, travels within %.1e of %.3f m", what,
           angle, place, moved);
  scene_free(a);
  scene_free(b);
}

/* Checks the car in the air, where no moment acts on it: its angular momentum about the centre of gravity is constant,
 * while the axle moves and wheels are driven. */
static void check_flight(const char *what, const char *car) {
  scene *s =
      scene_make("vehicle: ../vehicles/coupe_live_axle.yaml\n"
                 "run: {level: L5, unsprung: linkage, duration: 3 s}\n"
                 "initial: {speed: 10 m/s, z: 20 m}\n"
                 "throttle: {type: sine, from: 0.4, amplitude: 0.3, frequency: 1 Hz}\n"
                 "steer: {type: sine, amplitude: 0.1, frequency: 0.7 Hz}\n",
                 car, "vehicle.aero.drag=0", "vehicle.aero.downforce_front=0", "vehicle.aero.downforce_rear=0", NULL);
  double worst = 0.0, start[3], size, swing = 0.0;
  s->sim.state.x[VD_S_ROLL_RATE] = 0.8;
  s->sim.state.x[VD_S_YAW_RATE] = 0.5;
  s->sim.state.x[VD_S_TRAVEL_RATE + VD_RL] = 0.4;
  scene_run(s, 0.01);
  vd_row row = scene_row(s);
  for (int j = 0; j < 3; j++)
    start[j] = row.eval.log.angular_momentum[j];
  size = sqrt(start[0] * start[0] + start[1] * start[1] + start[2] * start[2]);
  for (int k = 1; k <= 17; k++) {
    scene_run(s, 0.1 * k);
    row = scene_row(s);
    for (int j = 0; j < 3; j++)
      take(&worst, (row.eval.log.angular_momentum[j] - start[j]) / size);
    take(&swing, row.eval.motion.travel[VD_RL] - row.eval.motion.travel[VD_RR]);
  }
  if (s->sim.status != VD_SIM_OK || row.eval.tyre.load[VD_RL] != 0.0 || size < 100.0)
    worst = NAN;
  tap_near(worst, 0.0, 1e-8, "%s: in the air the angular momentum stays within %.1e; the travels differ by %.0f mm",
           what, worst, 1e3 * swing);
  scene_free(s);
}

/* Tramp: the axle rolls on its tyres and springs while the body is at rest. The frequency is sqrt(K/J) with its own
 * inertia J, not the inertia of masses at its wheels. On posts the body cannot move in the plane, and it is too heavy
 * to roll. K is the roll stiffness of the springs at 0.52 m and of the tyres at the half track. The contacts move
 * sideways, below the Panhard rod, so that the wheel loads F reduce K by 2 F h = 2.5 kN m/rad, 1 % (h: height of the
 * rod). */
static void check_tramp(double inertia) {
  char setting[64];
  snprintf(setting, sizeof setting, "vehicle.rear.unsprung_roll_inertia=%g kg m2", inertia);
  scene *s = scene_make("kind: four_post\n"
                        "vehicle: ../vehicles/coupe_live_axle.yaml\n"
                        "run: {duration: 10 s, level: L4, step: 0.5 ms}\n"
                        "post_fl: {type: step, start: 9 s, value: 1 mm}\n",
                        setting, "vehicle.roll_inertia=5e6", "vehicle.pitch_inertia=5e6", "vehicle.yaw_inertia=5e6",
                        "vehicle.rear.damper={bump: 1}", "vehicle.rear.linkage.0.damper.rate=auto", NULL);
  const vd_axle_def *axle = &s->def.vehicle.axle[VD_REAR];
  double half = 0.5 * axle->track;
  s->sim.state.x[VD_S_TRAVEL_RATE + VD_RL] = 0.05;
  s->sim.state.x[VD_S_TRAVEL_RATE + VD_RR] = -0.05;
  double before = 1.0, first = 0.0, last = 0.0;
  int crossings = 0;
  for (int k = 1; k <= 2000; k++) {
    vd_sim_step(&s->sim);
    double now = s->sim.state.x[VD_S_TRAVEL + VD_RL] - s->sim.state.x[VD_S_TRAVEL + VD_RR];
    if (before > 0.0 && now <= 0.0) {
      last = 0.0005 * (k - now / (now - before));
      first = crossings++ == 0 ? last : first;
    }
    before = now;
  }
  double k = 2.0 * axle->spring_stiffness * 0.52 * 0.52 + 2.0 * axle->tyre.common.vertical_stiffness * half * half;
  double hand = sqrt(k / inertia) / (2.0 * VD_PI), found = (crossings - 1) / (last - first);
  tap_near(found / hand, 1.0, 0.02, "an axle of %.0f kg m2 tramps at %.3f Hz, by hand %.3f", inertia, found, hand);
  scene_free(s);
}

int main(void) {
  tap_plan(3 * 5 + 2 * 2 + 2 + 3 + 10 + 3 * 2 + 6 + 3 + 3 * 3 + 2);
  for (int k = 1; k <= 3; k++)
    check_levels(k);
  check_roll_steer(0.10);
  check_roll_steer(-0.06);
  check_shaft();

  check_joint_order("live axle, smooth", smooth, coupe, 0.002);
  check_joint_order("twist beam, smooth", weave, compact, 0.004);
  check_joint_order("steered axle, smooth", smooth, offroad, 0.002);

  check_ledger("live axle, engine", smooth, "gear=4", NULL, 8.0, 1e-6);
  check_ledger("live axle, limited slip", smooth,
               "vehicle.drivetrain.rear_differential={type: limited_slip, preload: 50, ramp: 40}", NULL, 8.0, 1e-6);
  check_ledger("live axle, motor, on a slope", driving, coupe,
               "vehicle.drivetrain={type: motor, drive: rear, max_torque: 300 N m, ratio: 5.0}", 8.0, 1e-6);
  check_ledger("twist beam on a slope", driving, compact, "run.lean=true", 8.0, 1e-6);
  check_ledger("twist beam, transient slip", driving, compact, "run.slip=transient", 8.0, 1e-6);
  check_ledger("steered axle on a slope", driving, offroad, "run.lean=true", 8.0, 1e-6);
  check_ledger("steered axle, free body", driving, offroad, "run.level=L5", 8.0, 1e-6);
  check_ledger("steered axle, gentle braking in a weave", braking, offroad, "run.lean=true", 4.0, 1e-6);
  check_ledger("gentle braking in a weave", braking, compact, "run.lean=true", 4.0, 1e-6);
  /* where the wheels meet the kerb's edge the error is of first order in the step: see ride_run.c */
  check_ledger("kerb, twist beam", kerb, compact, "run.lean=true", 4.0, 1e-4);

  check_mirror("turns on a bank, twist beam", turns, compact, left_turn, right_turn);
  check_mirror("turns on a bank, four links", turns, four_links, left_turn, right_turn);
  check_mirror("turns with the steering on either side", motor_turns, "run.slip=steady", left_hand_drive,
               right_hand_drive);

  check_pair("maps and linkages, twist beam", step_steer, compact, "run.linkage=maps", "run.linkage=exact", 1e-6);
  check_pair("maps and linkages, live axle", step_steer, coupe, "run.linkage=maps", "run.linkage=exact", 1e-6);
  check_pair("L4 and L5, twist beam", step_steer, compact, "run.level=L4", "run.level=L5", 1e-6);
  check_pair("L4 and L5, live axle", step_steer, coupe, "run.level=L4", "run.level=L5", 1e-6);
  check_pair("maps and linkages, steered axle", step_steer, offroad, "run.linkage=maps", "run.linkage=exact", 1e-6);
  check_pair("L4 and L5, steered axle", gentle_steer, offroad, "run.level=L4", "run.level=L5", 1e-6);
  check_flight("live axle", coupe);
  check_flight("steered axle", offroad);
  check_flight("twist beam", compact);

  check_parked("live axle on a grade", coupe, "ground={type: inclined, grade: 0.1}");
  check_parked("twist beam on a bank", compact, "ground={type: inclined, grade: 0.05, bank: 0.08}");
  check_parked("steered axle on a bank", offroad, "ground={type: inclined, grade: 0.05, bank: 0.08}");
  check_tramp(25.0);
  check_tramp(50.0);
  return tap_done();
}
