/* Runs of the hardpoint level: order of convergence, ledger, mirror images, maps compared with linkages, a parked car,
 * a lifted wheel. */
#include "ride_runs.h"

/* --- order, ledger: as for the fourteen DOF in ride_run.c --- */

/* No stop is reached and no wheel lifts. The second derivatives of maps have kinks every 5 mm. Their errors are of
 * third order, but small: a kink of f'''' h = 1e2/m3 x 5 mm, at 0.3 m/s of travel and a step of 4 ms, makes an error of
 * 0.5/m2 (1.2 mm)^3/6 = 1e-10 of the forces. */
static const char smooth[] = "vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                             "run: {duration: 10 s, level: L4}\n"
                             "initial: {speed: 30 m/s}\n"
                             "throttle: {type: sine, from: 0.5, amplitude: 0.3, frequency: 2 Hz}\n"
                             "steer: {type: sine, amplitude: 0.02, frequency: 1.5 Hz}\n";

static const char driving[] = "vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                              "ground: {type: inclined, grade: 0.05, bank: -0.04}\n"
                              "run: {duration: 8 s, level: L4}\n"
                              "initial: {speed: 20 m/s, yaw: 0.3}\n"
                              "throttle: {type: sine, from: 0.5, amplitude: 0.4, frequency: 0.5 Hz}\n"
                              "steer: {type: sine, amplitude: 0.03, frequency: 0.5 Hz}\n";

static const char braking[] = "vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                              "run: {duration: 4 s, level: L4}\n"
                              "initial: {speed: 30 m/s}\n"
                              "steer: {type: sine, amplitude: 0.02, frequency: 0.5 Hz}\n"
                              "brake: {type: ramp, rate: 0.1, duration: 2 s}\n";

static const char kerb[] = "vehicle: ../vehicles/sports_hardpoints.yaml\n"
                           "ground: ../grounds/kerb_left.yaml\n"
                           "run: {level: L4, duration: 4 s}\n"
                           "initial: {x: 12 m, speed: 20 km/h}\n"
                           "steer: 0\n";

static const char sedan[] = "vehicle=scenarios/vehicles/sedan_hardpoints.yaml";
static const char sports[] = "vehicle=scenarios/vehicles/sports_hardpoints.yaml";

/* --- mirror images --- */

static const char turns[] = "vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                            "run: {duration: 8 s, level: L4}\n"
                            "initial: {speed: 20 m/s}\n"
                            "throttle: {type: sine, from: 0.3, amplitude: 0.2, frequency: 0.5 Hz}\n"
                            "steer: {type: sine, amplitude: 0.04, frequency: 0.5 Hz}\n";

/* Checks a straight run over waves that are equal under both sides, driving and braking: all lateral quantities must
 * stay exactly zero. Sums over coupled shafts are not computed in mirrored order, so that a rounding error of states up
 * to 1e2 and works up to 1e5 remains. */
static void check_straight(const char *what, const char *car, const char *more, double allowed) {
  scene *s = scene_make("vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                        "ground: {type: rough, amplitude: 10 mm, wavelength: 7 m}\n"
                        "run: {duration: 10 s, level: L4}\n"
                        "initial: {speed: 20 m/s}\n"
                        "throttle: {type: step, start: 1 s, rise: 0.5 s, value: 0.6}\n"
                        "brake: {type: step, start: 4 s, rise: 0.5 s, value: 0.3}\n"
                        "steer: 0\n",
                        car, more, NULL);
  double aside = 0.0;
  for (int k = 1; k <= 50; k++) {
    scene_run(s, 0.1 * k);
    for (int i = 0; i < VD_STATES; i++)
      if (parity(i) < 0.0 || partner(i) != i)
        take(&aside, s->sim.state.x[i] - parity(i) * s->sim.state.x[partner(i)]);
  }
  if (s->sim.status != VD_SIM_OK)
    aside = NAN;
  tap_near(aside, 0.0, allowed, "%s: a straight run is straight within %.1e (<= %g)", what, aside, allowed);
  scene_free(s);
}

/* Roll leans both wheels of an axle with the body; the links turn each wheel relative to the body by the same angle. In
 * a level turn to the left the left wheels rebound and the right ones bump: the camber by the links has opposite signs,
 * top outwards and top inwards. */
static void check_camber_in_roll(void) {
  scene *s = scene_make(turns, "throttle=0.3", "steer={type: step, start: 0.5, rise: 1, value: 0.04}", NULL);
  double before[VD_WHEELS];
  vd_row row = scene_row(s);
  for (int i = 0; i < VD_WHEELS; i++)
    before[i] = row.eval.log.linkage_camber[i];
  scene_run(s, 6.0);
  row = scene_row(s);
  for (int a = 0; a < VD_AXLES; a++) {
    double left = row.eval.log.linkage_camber[2 * a] - before[2 * a];
    double right = row.eval.log.linkage_camber[2 * a + 1] - before[2 * a + 1];
    double out = row.eval.motion.travel[2 * a] - row.eval.motion.travel[2 * a + 1];
    tap_ok(out < -0.01 && left > 1e-3 && right < -1e-3,
           "in a turn to the left the %s wheels stand %.4f and %.4f rad out of their static camber",
           a ? "rear" : "front", left, right);
  }
  scene_free(s);
}

/* --- maps compared with linkages --- */

/* Spline errors of places are 1e-9 m, and errors of angles, 5/384 f'''' h^4 for the direction of an axle on arms of 0.3
 * m, are 1e-9 rad. At the ends of the maps errors are ten times as great. The errors that these cause in runs are
 * within the tolerance of 1e-6 rad. */
static void check_exact(const char *what, const char *text, const char *car, double until) {
  if (run_left_out(1))
    return;
  scene *a = scene_make(text, car, "run.linkage=maps", NULL), *b = scene_make(text, car, "run.linkage=exact", NULL);
  double angle = 0.0, place = 0.0, moved = 0.0;
  long steps = lround(until / a->model.options.step);
  for (long k = 0; k < steps && a->sim.status == VD_SIM_OK && b->sim.status == VD_SIM_OK; k++) {
    vd_sim_step(&a->sim);
    vd_sim_step(&b->sim);
    vd_row one = scene_row(a), other = scene_row(b);
    for (int i = 0; i < VD_WHEELS; i++) {
      take(&angle, one.eval.log.toe[i] - other.eval.log.toe[i]);
      take(&angle, one.eval.log.linkage_camber[i] - other.eval.log.linkage_camber[i]);
      take(&place, one.eval.motion.travel[i] - other.eval.motion.travel[i]);
      take(&moved, one.eval.motion.travel[i]);
    }
  }
  if (a->sim.status != VD_SIM_OK || b->sim.status != VD_SIM_OK)
    angle = NAN;
  tap_near(angle, 0.0, 1e-6,
           "%s: the wheels' angles from maps and from linkages agree within %.1e rad, travels within %.1e of %.3f m",
           what, angle, place, moved);
  scene_free(a);
  scene_free(b);
}

static const char step_steer[] = "vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                                 "run: {level: L4, duration: 4 s}\n"
                                 "initial: {speed: 25 m/s}\n"
                                 "speed: 25 m/s\n"
                                 "steer: {type: step, start: 0.2 s, rise: 0.1 s, value: 0.04}\n";

/* Checks that the steering angle is the mean of both front wheels' angles with the body at its design position. */
static void check_steering(void) {
  scene *s = scene_make(step_steer, NULL);
  const double angle[] = {-0.5, -0.2, 0.05, 0.3, 0.5};
  double worst = 0.0, odd = 0.0;
  for (size_t k = 0; k < sizeof angle / sizeof *angle; k++) {
    vd_state_vector state = s->sim.state;
    vd_command c = s->sim.command;
    double rack[2];
    for (int side = 0; side < 2; side++) {
      double unused[VD_STATES] = {0.0};
      vd_eval e = {0};
      for (int i = 0; i < VD_WHEELS; i++)
        state.x[VD_S_TRAVEL + i] = state.x[VD_S_TRAVEL_RATE + i] = 0.0;
      c.steer = side ? -angle[k] : angle[k];
      c.steer_rate = 0.0;
      vd_command_set_angles(&s->model, &c);
      vd_model_rates(&s->model, &c, state.x, state.mode, &e, unused);
      vd_model_observe(&s->model, &c, &state, 0.0, VD_VIEW_ALL, &e);
      take(&worst, 0.5 * (e.steering.angle[VD_FL] + e.steering.angle[VD_FR]) - c.steer);
      rack[side] = c.rack[VD_FRONT];
    }
    take(&odd, rack[0] + rack[1]);
  }
  tap_near(worst, 0.0, 1e-6, "both front wheels turn by the steering angle on average (%.1e rad)", worst);
  tap_near(odd, 0.0, 1e-15, "the rack for opposite angles is opposite (%.1e m)", odd);
  scene_free(s);
}

/* --- a lifted wheel --- */

/* Checks the car of ride_run.c whose wheel lifts, on linkages. */
static void check_lift(const char *what, const char *car) {
  scene *s = scene_make("vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                        "run: {duration: 12 s, level: L4}\n"
                        "ground: {friction: 1.8}\n"
                        "initial: {speed: 20 m/s}\n"
                        "speed: 20 m/s\n"
                        "lateral_acceleration: {type: table, points: [[0.2, 0], [2.2, 11.8], [6, 11.8], [8, 0]]}\n",
                        car, "vehicle.cg_height=0.50 m", "vehicle.front.antiroll_stiffness=74 kN m/rad", NULL);
  long lifted = 0, wrong = 0;
  for (int k = 0; k < 12000 && s->sim.status == VD_SIM_OK; k++) {
    vd_sim_step(&s->sim);
    vd_row row = scene_row(s);
    for (int i = 0; i < VD_WHEELS; i++) {
      bool off = row.eval.contact.deflection[i] <= 0.0;
      lifted += off;
      wrong += off ? !(row.eval.tyre.load[i] == 0.0 && row.eval.tyre.fx[i] == 0.0 && row.eval.tyre.fy[i] == 0.0)
                   : !(row.eval.tyre.load[i] > 0.0);
    }
  }
  vd_row row = scene_row(s);
  double least = INFINITY;
  for (int i = 0; i < VD_WHEELS; i++)
    least = tap_min(least, row.eval.tyre.load[i]);
  tap_ok(s->sim.status == VD_SIM_OK && lifted > 100 && wrong == 0,
         "%s: wheels are in the air for %ld rows, without force, and the road never pulls", what, lifted);
  tap_ok(least > 2000.0 && fabs(row.eval.log.body_roll) < 0.01,
         "%s: the car lands, at last with %.0f N or more on each wheel", what, least);
  tap_near(row.eval.log.ledger / row.eval.log.energy_kinetic, 0.0, 1e-4, "%s: the ledger closes to %.1e", what,
           row.eval.log.ledger / row.eval.log.energy_kinetic);
  scene_free(s);
}

/* Checks the cost of a loop with fixed steps of 1 ms (vdsim(3), Deadlines). A wheel that strikes the kerb, lifts and
 * lands costs nothing, since each step has four evaluations. Only where the limited-slip differential begins to slip,
 * or sticks, a step is split, once. Such a step takes at least 11 evaluations: the step (4), one place of the
 * polynomial, two to decide the mode, since a new mode needs its own evaluation, and the rest of the step (4). At most
 * it takes step, search, decision and rest. A search ends after 200 places, since one of five halves its interval, down
 * to 1e-12 (math/root.h). These places and the end have at most four evaluations each, and one evaluation completes the
 * polynomial. */
static void check_deadline(const char *what, const char *more) {
  scene *s = scene_make(kerb, sports, "run.step=1 ms", more, NULL);
  const long bound = 4 + 1 + 4 * (200 + 1) + VD_SWITCH_MOST + 4; /* 826 */
  long split = 0, wrong = 0, longest = 0;
  double least = INFINITY, most = 0.0; /* loads, N */
  for (int k = 0; k < 4000 && s->sim.status == VD_SIM_OK; k++) {
    const long parts = s->sim.parts, splits = s->sim.splits, sought = s->sim.sought;
    vd_state_vector before = s->sim.state;
    vd_sim_step(&s->sim);
    const long cut = s->sim.splits - splits, made = 4 * (s->sim.parts - parts) + s->sim.sought - sought;
    bool changed = false;
    for (int i = VD_M_CLUTCH; i <= VD_M_CENTRE; i++)
      changed |= s->sim.state.mode[i] != before.mode[i];
    wrong += s->sim.parts - parts != 1 + cut || cut != (changed ? 1 : 0);
    wrong += cut > 0 ? made < 11 || made > bound : made != 4;
    longest = made > longest ? made : longest;
    split += cut;
    for (int i = 0; i < VD_WHEELS; i++) {
      least = tap_min(least, s->sim.eval.tyre.load[i]);
      most = tap_max(most, s->sim.eval.tyre.load[i]);
    }
  }
  tap_ok(
      s->sim.status == VD_SIM_OK && wrong == 0 && split >= 1 && split <= 8 && most > 10000.0 && least < 1000.0,
      "%s: %ld of 4000 steps are split, each once and by a differential, with up to %ld evaluations, all others have "
      "4; loads from %.0f to %.0f N",
      what, split, longest, least, most);
  scene_free(s);
}

int main(void) {
  tap_plan(4 + 11 + 2 * 5 + 3 + 2 + 4 + 2 + 3 * 3 + 3 * 2 + 2);
  check_joint_order("struts, smooth", smooth, sedan, 0.004);
  check_joint_order("struts, exact", smooth, "run.linkage=exact", 0.004);
  check_joint_order("double wishbones, smooth", smooth, sports, 0.002);
  check_joint_order("struts on bushings, smooth", smooth, "run.compliance=nonlinear", 0.001);

  check_ledger("driving and steering on a slope", driving, sedan, "run.lean=true", 8.0, 1e-6);
  check_ledger("driving and steering on a slope, without lean", driving, sedan, "run.lean=false", 8.0, 1e-6);
  check_ledger("transient slip", driving, sedan, "run.slip=transient", 8.0, 1e-6);
  check_ledger("double wishbones, five links, limited slip", driving, sports, "run.slip=steady", 8.0, 1e-6);
  check_ledger("gentle braking in a weave", braking, sedan, "run.lean=true", 4.0, 1e-6);
  check_ledger("driving on bushings", driving, sedan, "run.compliance=nonlinear", 8.0, 1e-6);
  check_ledger("gentle braking on bushings", braking, sedan, "run.compliance=nonlinear", 4.0, 1e-6);
  /* where the wheels meet the kerb's edge the error is of first order in the step: see ride_run.c */
  check_ledger("kerb, double wishbones", kerb, sports, "run.step=0.25 ms", 4.0, 1e-4);
  check_ledger("kerb, struts", kerb, sedan, "run.step=0.25 ms", 4.0, 1e-4);

  check_ledger("unequal pitman and idler arms on bushings", driving,
               "vehicle.front.linkage={base: scenarios/suspensions/dw_front_sports.yaml, steering: {type: relay, "
               "axis: [0.1, 0, 1], pivot: [-0.53, 0.345, 0.20], joint: [-0.30, 0.33, 0.185], "
               "other_pivot: [-0.50, -0.345, 0.20]}}",
               "run.compliance=nonlinear", 8.0, 1e-6);

  check_ledger("kerb, on bushings", kerb, "run.compliance=nonlinear", "run.step=0.25 ms", 4.0, 1e-4);

  check_mirror("turns, on bushings", turns, "run.compliance=nonlinear", left_turn, right_turn);
  check_mirror("turns on a bank, struts", turns, sedan, left_turn, right_turn);
  check_mirror("turns, double wishbones", turns, sports, left_turn, right_turn);
  check_mirror("turns, transient slip", turns, "run.slip=transient", left_turn, right_turn);
  check_mirror("kerbs", kerb, "run.slip=steady", left_kerb, right_kerb);
  check_straight("struts", sedan, "run.linkage=maps", 0.0);
  check_straight("struts, exact", sedan, "run.linkage=exact", 0.0);
  check_straight("double wishbones, limited slip", sports, "run.linkage=maps", 1e-11);
  check_camber_in_roll();

  check_exact("step steer, struts", step_steer, sedan, 4.0);
  check_exact("step steer, double wishbones", step_steer, sports, 4.0);
  check_exact("kerb, struts", kerb, sedan, 4.0);
  check_exact("kerb, double wishbones", kerb, sports, 4.0);
  check_steering();

  check_parked("struts on a grade", sedan, "ground={type: inclined, grade: 0.1}");
  check_parked("double wishbones on a grade", sports, "ground={type: inclined, grade: -0.1}");
  check_parked("struts on a bank", sedan, "ground={type: inclined, grade: 0.05, bank: 0.08}");

  check_lift("struts", sedan);
  check_lift("double wishbones", sports);

  check_deadline("kerb", "run.compliance=none");
  check_deadline("kerb, on bushings", "run.compliance=nonlinear");
  return tap_done();
}
