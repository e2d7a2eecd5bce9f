/* Runs of the fourteen-DOF level: order of convergence, ledger, mirror images, falls, and wheels that lift. */
#include "ride_runs.h"

/* A smooth run: equal damping in bump and rebound, no stop is reached, no wheel lifts, and speeds are far above the
 * slip floor. Steps must be short relative to wheel hop, about 80 rad/s; the inputs are fast, so that errors are well
 * above rounding. */
static const char smooth[] = "vehicle: ../vehicles/sedan.yaml\n"
                             "run: {duration: 10 s, level: L3}\n"
                             "initial: {speed: 30 m/s}\n"
                             "throttle: {type: sine, from: 0.5, amplitude: 0.3, frequency: 2 Hz}\n"
                             "steer: {type: sine, amplitude: 0.02, frequency: 1.5 Hz}\n";

/* Waves of the road, equal under both sides, with transient slip. */
static const char waves[] = "vehicle: ../vehicles/sports.yaml\n"
                            "ground: {type: rough, amplitude: 5 mm, wavelength: 12 m}\n"
                            "run: {duration: 10 s, level: L3}\n"
                            "initial: {speed: 25 m/s}\n"
                            "throttle: {type: sine, from: 0.2, amplitude: 0.1, frequency: 0.4 Hz}\n"
                            "steer: {type: sine, amplitude: 0.002, frequency: 0.7 Hz}\n";

/* --- ledger --- */

static const char driving[] = "vehicle: ../vehicles/sedan.yaml\n"
                              "ground: {type: inclined, grade: 0.05, bank: -0.04}\n"
                              "run: {duration: 8 s, level: L3}\n"
                              "initial: {speed: 20 m/s, yaw: 0.3}\n"
                              "throttle: {type: sine, from: 0.5, amplitude: 0.4, frequency: 0.5 Hz}\n"
                              "steer: {type: sine, amplitude: 0.03, frequency: 0.5 Hz}\n";

static const char braking[] = "vehicle: ../vehicles/sedan.yaml\n"
                              "run: {duration: 4 s, level: L3}\n"
                              "initial: {speed: 30 m/s}\n"
                              "steer: {type: sine, amplitude: 0.02, frequency: 0.5 Hz}\n"
                              "brake: {type: ramp, rate: 0.1, duration: 2 s}\n";

static const char kerb[] = "vehicle: ../vehicles/sedan.yaml\n"
                           "ground: ../grounds/kerb.yaml\n"
                           "run: {duration: 5 s, level: L3}\n"
                           "initial: {speed: 10 m/s}\n"
                           "steer: {type: step, start: 1 s, rise: 0.5 s, value: 0.01}\n";

/* --- mirror images --- */

static const char turns[] = "vehicle: ../vehicles/sedan.yaml\n"
                            "run: {duration: 8 s, level: L3}\n"
                            "initial: {speed: 20 m/s}\n"
                            "throttle: {type: sine, from: 0.3, amplitude: 0.2, frequency: 0.5 Hz}\n"
                            "steer: {type: sine, amplitude: 0.04, frequency: 0.5 Hz}\n";

/* --- falls --- */

/* Checks a car dropped from 0.5 m. Until the wheels touch the ground the body falls by g t^2/2, and the springs push
 * the wheels to rebound. The kinetic energy is at most that of the fall; at rest dampers and tyre friction have
 * dissipated all of m g x 0.5 m. */
static void check_drop(const char *what, const char *car, const char *more) {
  static const double height = 0.5, g = VD_GRAVITY;
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\n"
                        "run: {duration: 20 s, level: L3, slip: transient}\n"
                        "brake: 1\n",
                        car, more, NULL);
  double mass = s->def.vehicle.mass, z0 = s->sim.state.x[VD_S_HEIGHT], worst = 0.0, ledger = 0.0, kinetic = 0.0;
  double before = scene_row(s).eval.log.energy;
  s->sim.state.x[VD_S_HEIGHT] += height;
  scene_restart(s);
  double start = scene_row(s).eval.log.energy;
  tap_near((start - before) / (mass * g * height), 1.0, 0.2, "%s: the lift raises the energy by %.0f J", what,
           start - before);
  double base = scene_row(s).eval.log.energy_gravity / (mass * g), landed = 0.0;
  long wrong = 0;
  for (int k = 1; k <= 15000; k++) {
    double t = 1e-3 * k;
    vd_sim_step(&s->sim);
    vd_row row = scene_row(s);
    bool touches = false;
    for (int i = 0; i < VD_WHEELS; i++) {
      touches |= row.eval.contact.deflection[i] > 0.0;
      wrong += row.eval.contact.deflection[i] <= 0.0 ? row.eval.tyre.load[i] != 0.0 : !(row.eval.tyre.load[i] >= 0.0);
    }
    if (touches && landed == 0.0)
      landed = t;
    if (landed == 0.0) /* height of the centre of all masses, from its energy */
      take(&worst, row.eval.log.energy_gravity / (mass * g) - base + 0.5 * g * t * t);
    take(&ledger, row.eval.log.ledger);
    kinetic = tap_max(kinetic, row.eval.log.energy_kinetic);
  }
  vd_row row = scene_row(s);
  double sum = 0.0, speed = hypot(hypot(row.eval.motion.vx, row.eval.motion.vy), row.eval.motion.vz);
  for (int i = 0; i < VD_WHEELS; i++)
    sum += row.eval.tyre.load[i];
  tap_near(worst, 0.0, 1e-9, "%s: falls by g t^2/2 until %.3f s, within %.1e m", what, landed, worst);
  tap_ok(landed > 0.2 && landed < sqrt(2.0 * height / g), "%s: lands before the time of %.3f s", what,
         sqrt(2.0 * height / g));
  tap_ok(wrong == 0, "%s: loads are exactly 0 in the air and never negative", what);
  tap_ok(kinetic <= mass * g * (height + 0.1), "%s: the kinetic energy is at most the energy of the fall, %.0f J", what,
         kinetic);
  tap_near(speed, 0.0, 1e-7, "%s: the car settles (%.1e m/s)", what, speed);
  tap_near(row.state.x[VD_S_HEIGHT], z0, 1e-6, "%s: a car that settles stays at its place", what);
  tap_near(sum / (mass * g), 1.0, 1e-9, "%s: the wheels carry the weight again", what);
  tap_near(ledger / kinetic, 0.0, 1e-4, "%s: the ledger closes to %.1e of the peak kinetic energy", what,
           ledger / kinetic);
  scene_free(s);
}

/* Checks a car at 1.2 g with a stiff front axle and its centre of gravity at 0.5 m: m ay h = 1500 kg x 11.8 m/s2 x 0.5
 * m is 8.8 kN m, of which the front axle's 110 of 146 kN m/rad carry 6.6. This transfers 4.3 kN over 1.55 m, more than
 * half of the front axle's load of 8.2 kN: its inner wheel lifts. The car does not tip, as T/(2 h) is 1.55 g. */
static void check_lift(void) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\n"
                        "run: {duration: 8 s, level: L3}\n"
                        "ground: {friction: 1.8}\n"
                        "initial: {speed: 20 m/s}\n"
                        "speed: 20 m/s\n"
                        "lateral_acceleration: {type: step, start: 0.2 s, rise: 2 s, value: 11.8}\n",
                        "vehicle.cg_height=0.50 m", "vehicle.front.antiroll_stiffness=74 kN m/rad", NULL);
  double most = 0.0;
  long lifted = 0, wrong = 0;
  for (int k = 0; k < 7000 && s->sim.status == VD_SIM_OK; k++) {
    vd_sim_step(&s->sim);
    vd_row row = scene_row(s);
    most = tap_max(most, fabs(row.eval.log.specific_y));
    for (int i = 0; i < VD_WHEELS; i++) {
      bool off = row.eval.contact.deflection[i] <= 0.0;
      lifted += off;
      wrong += off ? !(row.eval.tyre.load[i] == 0.0 && row.eval.tyre.fx[i] == 0.0 && row.eval.tyre.fy[i] == 0.0)
                   : !(row.eval.tyre.load[i] > 0.0);
    }
  }
  vd_row row = scene_row(s);
  tap_ok(s->sim.status == VD_SIM_OK && most >= 1.19 * VD_GRAVITY && most < 1.3 * VD_GRAVITY && lifted > 100,
         "stiff front axle: at %.2f g, wheels are off the ground for %ld wheel rows", most / VD_GRAVITY, lifted);
  tap_ok(wrong == 0, "stiff front axle: a lifted wheel has no force, and the road never pulls a wheel");
  tap_near(row.eval.log.ledger / row.eval.log.energy_kinetic, 0.0, 1e-4, "stiff front axle: the ledger closes to %.1e",
           row.eval.log.ledger / row.eval.log.energy_kinetic);
  scene_free(s);
}

/* Checks overturning. With T/(2 h) = 0.65 a car overturns before its tyres slide, and the run ends at 80 deg, when its
 * side would touch the road. */
static void check_overturning(void) {
  scene *s = scene_make(turns, "vehicle.cg_height=1.2 m", "ground.friction=1.5",
                        "steer={type: step, start: 0.2 s, rise: 0.2 s, value: 0.2}", "initial.speed=25", NULL);
  for (long k = 0; k < 4000 && s->sim.status == VD_SIM_OK; k++)
    vd_sim_step(&s->sim);
  double tilt = fabs(s->sim.state.x[VD_S_ROLL]);
  tap_ok(s->sim.status == VD_SIM_OVERTURNED && tilt >= 1.4 && tilt < 1.45, "a high car overturns at t = %.2f s",
         s->sim.failure_time);
  scene_free(s);
}

int main(void) {
  tap_plan(4 + 10 + 2 * 5 + 9 * 3 + 3 + 1);
  check_order("smooth", smooth, "run.lean=true", 0.004);
  check_order("smooth, no lean", smooth, "run.lean=false", 0.004);
  check_order("transient slip", smooth, "run.slip=transient", 0.001);
  check_order("waves", waves, "run.lean=true", 0.002);

  check_ledger("driving and steering on a slope", driving, "run.lean=true", "run.slip=steady", 8.0, 1e-6);
  check_ledger("driving and steering on a slope, without lean", driving, "run.lean=false", "run.slip=steady", 8.0,
               1e-6);
  check_ledger("transient slip", driving, "run.lean=true", "run.slip=transient", 8.0, 1e-6);
  check_ledger("all-wheel drive, bars", driving, "vehicle.drivetrain.drive=all",
               "vehicle.front.antiroll_stiffness=20000", 8.0, 1e-6);
  check_ledger("damped tyres", driving, "vehicle.front.tyre.vertical_damping=500",
               "vehicle.rear.tyre.vertical_damping=500", 8.0, 1e-6);
  check_ledger("gentle braking in a weave", braking, "vehicle.front.anti_brake=0.5", "vehicle.rear.anti_brake=0.5", 4.0,
               1e-6);
  /* Where both wheels of an axle pass from the road to the kerb's face the direction of the force jumps; the error of a
   * step that contains the jump is of first order, 1.8e-4 at 1 ms here. */
  check_ledger("kerb", kerb, "run.step=0.25 ms", "run.slip=steady", 4.0, 1e-4);
  check_ledger("kerb, transient slip", kerb, "run.step=0.25 ms", "run.slip=transient", 4.0, 1e-4);
  check_ledger("kerb under the left wheels", kerb, "ground=scenarios/grounds/kerb_left.yaml", "run.slip=steady", 4.0,
               1e-4);
  check_ledger("bump", kerb, "ground=scenarios/grounds/bump.yaml", "run.slip=steady", 4.0, 1e-4);

  check_mirror("turns on a bank", turns, "run.slip=steady", left_turn, right_turn);
  check_mirror("turns, transient slip", turns, "run.slip=transient", left_turn, right_turn);
  check_mirror("turns, limited-slip differential", turns, "vehicle=scenarios/vehicles/sports.yaml", left_turn,
               right_turn);
  check_mirror("kerbs", kerb, "steer=0", left_kerb, right_kerb);
  check_mirror("kerbs, transient slip", kerb, "run.slip=transient", left_kerb, right_kerb);

  check_drop("sedan", "vehicle=scenarios/vehicles/sedan.yaml", "brake=1");
  check_drop("sedan, damped tyres, bars", "vehicle.front.antiroll_stiffness=20000",
             "vehicle.front.tyre.vertical_damping=500");
  check_drop("sports car", "vehicle=scenarios/vehicles/sports.yaml", "brake=1");
  check_lift();
  check_overturning();
  return tap_done();
}
