/* Runs of the free body: order of convergence, ledger, contacts found at each stage or each step, stiff and rigid
 * links, mirror images. */
#include "ride_runs.h"

/* --- order and ledger: as for the fourteen DOF in ride_run.c ---
 *
 * Stiff links have only 1e6 N/m here, so that the steps resolve their rate, sqrt(k/m) = 158 1/s, as well as the other
 * rates of the car.
 *
 * The coarse step is the longest of 1, 2, 4 ms at which every fast rate has z = rate h < 1/2: then all steps are
 * classical ones (math/rk4.h), and the next term of the error, z/6 of the first, changes the measured order by log2((1
 * - z/12)/(1 - z/6)) < 0.07. At 30 m/s spins have rates of 112 to 114 1/s, wheels on their tyres and springs
 * sqrt(250e3/40) = 79 1/s: the step is 4 ms, with stiff links 2 ms. At 45 m/s through a loop of 100 m the loads are
 * three times as high, and so are the slopes of the tyres: 114 x 30/45 x 3 = 228 1/s, a step of 2 ms. In a flight only
 * the angular velocity, 1.9 rad/s, and the steering angle change: the step is 10 ms. At half of it the error is (1.9 x
 * 5e-3)^4/120 = 7e-11 per radian, well above rounding. */

static const char flight[] =
    "vehicle: {base: ../vehicles/sedan.yaml, aero: {drag: 0, downforce_front: 0, downforce_rear: 0}}\n"
    "ground: {type: none}\n"
    "run: {duration: 10 s, level: L5}\n"
    "initial: {speed: 30 m/s, z: 0}\n"
    "steer: {type: sine, amplitude: 0.3, frequency: 0.7 Hz}\n";

#define SMOOTH                                                                                                         \
  "vehicle: ../vehicles/sedan_hardpoints.yaml\n"                                                                       \
  "initial: {speed: 30 m/s}\n"                                                                                         \
  "throttle: {type: sine, from: 0.5, amplitude: 0.3, frequency: 2 Hz}\n"                                               \
  "steer: {type: sine, amplitude: 0.02, frequency: 1.5 Hz}\n"
static const char smooth[] = SMOOTH "run: {duration: 10 s, level: L5}\n";
static const char smooth_stiff[] = SMOOTH "run: {duration: 10 s, level: L5, links: stiff, link_stiffness: 1e6}\n";

static const char wide_loop[] =
    "vehicle: ../vehicles/sedan.yaml\n"
    "run: {duration: 10 s, level: L5}\n"
    "ground: {type: flat, also: [{type: loop, at: 0, y: 0, radius: 100 m, offset: 4 m, width: 4 m}]}\n"
    "initial: {speed: 45}\n"
    "steer: 0\n";

static const char driving[] = "vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                              "ground: {type: inclined, grade: 0.05, bank: -0.04}\n"
                              "run: {duration: 8 s, level: L5}\n"
                              "initial: {speed: 20 m/s, yaw: 0.3}\n"
                              "throttle: {type: sine, from: 0.5, amplitude: 0.4, frequency: 0.5 Hz}\n"
                              "steer: {type: sine, amplitude: 0.03, frequency: 0.5 Hz}\n";

static void tumble(scene *s) {
  double *x = s->sim.state.x;
  x[VD_S_ROLL_RATE] = 1.0;
  x[VD_S_PITCH_RATE] = -0.7;
  x[VD_S_YAW_RATE] = 1.2;
  scene_restart(s);
}

/* Places the car on the circle of a loop at x = 0, turning with the loop. angle: position along the loop; above: height
 * of O above the road. */
static void put_on_loop(scene *s, double radius, double angle, double above) {
  double *x = s->sim.state.x;
  x[VD_S_ALONG] = (radius - above) * sin(angle);
  x[VD_S_HEIGHT] = radius - (radius - above) * cos(angle);
  x[VD_S_QUATERNION] = cos(0.5 * angle);
  x[VD_S_QUATERNION + 2] = -sin(0.5 * angle);
  x[VD_S_PITCH_RATE] = -x[VD_S_VX] / (radius - above);
  scene_restart(s);
}

/* Loads of m (v^2/R + g) are three times the loads at rest: tyres of 880 kN/m deflect by 34 mm more. By the curvature
 * of the loop the road under the wheels is 9 mm higher than in the middle between them. */
static void on_wide_loop(scene *s) {
  put_on_loop(s, 100.0, 0.0524, 0.55 - 0.034 + 0.009);
}

static void check_ledgers(void) {
  static const char *const kinds[] = {"run.unsprung=hub", "run.unsprung=strut", "run.unsprung=linkage"};
  for (size_t k = 0; k < VD_COUNT(kinds); k++)
    check_ledger(kinds[k] + 13, driving, kinds[k], NULL, 8.0, 1e-6);
  for (size_t k = 1; k < VD_COUNT(kinds); k++)
    check_ledger(k == 1 ? "strut, stiff links" : "linkage, stiff links", driving, kinds[k], "run.links=stiff", 8.0,
                 1e-6);
}

/* --- a contact that is found once a step ---
 *
 * On the inside of a circle of radius R a wheel centre moves along a circle of radius R_c = R - loaded radius at the
 * speed v. Within a step the road departs from the tangent plane of its beginning by (v h)^2/(2 R_c). By this distance
 * the tyre is compressed suddenly when the next plane is taken: an error of the energy of k d v^2 h/(2 R_c) per time,
 * where k d is the tyre's elastic force. Summed over the run this is the residual of the ledger, to first order in h.
 * The contact's speed is v R/R_c, as the body turns about the middle of the loop. Entry and exit are 4 m apart: the
 * road is a helix that shifts by 4 m over 63 m, 0.4 % less curved along the car. If the contact is found at every
 * stage, the residual is that of RK4, of fourth order. */

static const char tight_loop[] =
    "vehicle: ../vehicles/sedan.yaml\n"
    "run: {duration: 10 s, level: L5, unsprung: hub}\n"
    "ground: {type: flat, also: [{type: loop, at: 0, y: 0, radius: 10 m, offset: 4 m, width: 4 m}]}\n"
    "initial: {speed: 25}\n"
    "steer: 0\n";

typedef struct coast {
  double ledger, by_hand, kinetic; /* J; kinetic: greatest kinetic energy */
} coast;

/* Coasts from 0.3 rad to behind the top; the sum of the loads falls from 115 kN to 20 kN, and no wheel lifts. */
static coast coast_round(const char *contact, double step) {
  const double radius = 10.0;
  scene *s = scene_make(tight_loop, contact, NULL);
  coast c = {0};
  scene_restep(s, step);
  put_on_loop(s, radius, 0.3, 0.55 - 0.11 + 0.09);
  for (long k = lround(2.0 / step); k > 0 && s->sim.status == VD_SIM_OK; k--) {
    vd_sim_step(&s->sim);
    const vd_eval *e = &s->sim.eval;
    for (int i = 0; i < VD_WHEELS; i++) {
      double path = radius - s->model.ride.free_radius[i] + e->contact.deflection[i],
             v = e->contact.vx_contact[i] * path / radius;
      double elastic = s->model.ride.tyre_stiffness[i] * e->contact.deflection[i];
      c.by_hand += step * elastic * v * v * step / (2.0 * path);
    }
    vd_row row = scene_row(s);
    take(&c.ledger, row.eval.log.ledger);
    c.kinetic = tap_max(c.kinetic, row.eval.log.energy_kinetic + row.eval.log.energy_spin);
  }
  if (s->sim.status != VD_SIM_OK)
    c.ledger = NAN;
  scene_free(s);
  return c;
}

static void check_contact(void) {
  static const char *const contact[] = {"run.contact=stage", "run.contact=step"};
  coast c[2][3];
  for (int k = 0; k < 2; k++)
    for (int n = 0; n < 3; n++) {
      double step = 5e-4 / (double)(1 << n);
      c[k][n] = coast_round(contact[k], step);
      tap_diag("%s, %g ms: residual %.3g J, %.2e of the kinetic energy", contact[k], 1e3 * step, c[k][n].ledger,
               c[k][n].ledger / c[k][n].kinetic);
    }
  tap_near(c[0][0].ledger / c[0][0].kinetic, 0.0, 1e-6, "contact of a stage: the ledger closes to %.1e (<= 1e-6)",
           c[0][0].ledger / c[0][0].kinetic);
  for (int n = 0; n < 2; n++) {
    double order[2];
    for (int k = 0; k < 2; k++)
      order[k] = log2(c[k][n].ledger / c[k][n + 1].ledger);
    tap_ok(order[0] >= 3.8, "contact of a stage: the residual falls with order %.2f (>= 3.8)", order[0]);
    tap_near(order[1], 1.0, 0.05, "contact of a step: the residual falls with order %.2f", order[1]);
  }
  for (int n = 0; n < 3; n++)
    tap_near(c[1][n].ledger / c[1][n].by_hand, 1.0, 0.01, "contact of a step: the residual is %.0f J, by hand %.0f",
             c[1][n].ledger, c[1][n].by_hand);
}

/* --- stiffness of the links ---
 *
 * A link is deflected by F/k: 4 kN and 1e7 N/m give 0.4 mm, by which a contact is nearer to the middle of the track,
 * and the body is further out by the same distance: 0.05 % of half the track of 1.55 m. All its effects are
 * proportional to 1/k, so that the change over one decade of k is ten times that over the next. */

typedef struct steady {
  double value[4]; /* yaw rate, side slip, roll, load of the outer front wheel */
  double link;     /* J */
} steady;

static steady turn_on_links(const char *stiffness) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\n"
                        "run: {duration: 20 s, level: L5, unsprung: strut, links: stiff}\n"
                        "initial: {speed: 25 m/s}\n"
                        "speed: 25 m/s\n"
                        "steer: {type: step, start: 0.5, rise: 1.5, value: 0.024}\n",
                        stiffness, NULL);
  scene_run(s, 20.0);
  vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  steady r = {{e->motion.yaw_rate, e->log.sideslip, e->log.body_roll, e->tyre.load[VD_FR]}, e->log.energy_link};
  tap_ok(s->sim.status == VD_SIM_OK && e->body.ay > 3.5 && fabs(e->log.ledger) < 1e-6 * e->log.energy_kinetic,
         "%s: the run is steady and stable at a step of %g ms, %.3f m/s2, ledger %.1e J", stiffness,
         1e3 * s->model.options.step, e->body.ay, e->log.ledger);
  scene_free(s);
  return r;
}

static void check_link_stiffness(void) {
  static const char *const name[] = {"yaw rate", "side slip", "roll", "load"};
  static const char *const stiffness[] = {"run.link_stiffness=1e7", "run.link_stiffness=1e8", "run.link_stiffness=1e9"};
  steady r[3];
  for (int k = 0; k < 3; k++)
    r[k] = turn_on_links(stiffness[k]);
  for (int j = 0; j < 4; j++) {
    double soft = r[0].value[j] - r[1].value[j], stiff = r[1].value[j] - r[2].value[j];
    tap_near(soft / r[1].value[j], 0.0, 0.005,
             "%s %.9g changes by the share %+.1e on softer links, by %+.1e on stiffer links", name[j], r[1].value[j],
             soft / r[1].value[j], -stiff / r[1].value[j]);
    tap_near(soft / stiff, 10.0, 0.2, "%s: a decade of stiffness changes it %.3f times as much as the next decade",
             name[j], soft / stiff);
  }
  for (int k = 0; k < 2; k++)
    tap_near(r[k].link / r[k + 1].link, 10.0, 0.2, "the energy of the links falls to a tenth, from %.4g J to %.4g J",
             r[k].link, r[k + 1].link);
}

/* --- rigid links ---
 *
 * Rigid links are the limit of stiff links. The effect of a stiff link is proportional to 1/k, like its displacement
 * F/k: over a decade of k the deviations from rigid links fall to a tenth. The next term is the link's delay, c/k = 2
 * sqrt(m_u/k), 4 ms for 1e7 N/m: 5 % of motions of 12 1/s, reduced to 1/sqrt(10) by each decade. Steps are short
 * relative to the periods of the links: RK4 with w h <= 0.2, w = sqrt(k/m_u), has an error of (w h)^4/120 = 1e-5 in
 * their motion. All runs have the same slip floors, which are never reached. */

#define LIMIT_RUN "run: {duration: 2 s, level: L5, v_low: 5, v_low_y: 1}\n"

static const char turning[] = "vehicle: ../vehicles/sedan_hardpoints.yaml\n" LIMIT_RUN "initial: {speed: 25 m/s}\n"
                              "throttle: {type: sine, from: 0.3, amplitude: 0.3, frequency: 1 Hz}\n"
                              "steer: {type: sine, amplitude: 0.03, frequency: 0.8 Hz}\n";
/* A tumble to any attitude. Only rounding limits the error here: 4e-15 m of places 20 m away times 1e10 N/m are 4e-5 N,
 * so that the last decade is left out. */
static const char tumbling[] =
    "vehicle: ../vehicles/sedan_hardpoints.yaml\n"
    "ground: {type: none}\n" LIMIT_RUN
    "initial: {speed: 20 m/s, z: 5, roll: 1, yaw: 0.4, roll_rate: 2, pitch_rate: -1, yaw_rate: 1.5}\n"
    "brake: 0.02\n"
    "steer: {type: sine, amplitude: 0.1, frequency: 0.8 Hz}\n";

enum { SHOWN = 8, TIMES = 10 };

/* Records every tenth of a second: velocities of the body, the travel of one wheel, the spin of another. */
static void every_tenth(const char *text, const char *unsprung, const char *stiffness, double step,
                        double (*shown)[SHOWN]) {
  char setting[64];
  snprintf(setting, sizeof setting, "run.link_stiffness=%s", stiffness ? stiffness : "auto");
  scene *s =
      scene_make(text, unsprung, stiffness ? "run.links=stiff" : "run.links=rigid", setting, "run.step=0.01 ms", NULL);
  scene_restep(s, step);
  for (int t = 0; t < TIMES; t++) {
    scene_run(s, 0.1 * (t + 1));
    const vd_eval *e = &s->sim.eval;
    const double *x = s->sim.state.x, now[SHOWN] = {x[VD_S_VX],
                                                    x[VD_S_VY],
                                                    x[VD_S_VZ],
                                                    x[VD_S_ROLL_RATE],
                                                    x[VD_S_PITCH_RATE],
                                                    x[VD_S_YAW_RATE],
                                                    e->motion.travel[VD_FL],
                                                    e->motion.omega[VD_RR]};
    for (int i = 0; i < SHOWN; i++)
      shown[t][i] = s->sim.status == VD_SIM_OK ? now[i] : NAN;
  }
  scene_free(s);
}

static void check_limit(const char *what, const char *text, const char *unsprung, size_t last) {
  static const struct {
    const char *stiffness;
    double step;
  } links[] = {{"1e7", 0.2e-3}, {"1e8", 0.1e-3}, {"1e9", 0.04e-3}, {"1e10", 0.0125e-3}};
  static double rigid[TIMES][SHOWN], stiff[TIMES][SHOWN];
  double off[VD_COUNT(links)][SHOWN] = {{0.0}}, allowed = 0.5;
  every_tenth(text, unsprung, NULL, 0.05e-3, rigid);
  for (size_t k = 0; k <= last; k++) {
    every_tenth(text, unsprung, links[k].stiffness, links[k].step, stiff);
    for (int t = 0; t < TIMES; t++)
      for (int i = 0; i < SHOWN; i++)
        off[k][i] = hypot(off[k][i], stiff[t][i] - rigid[t][i]);
  }
  for (size_t k = 0; k < last; k++) {
    double worst = 0.0, largest = 0.0;
    for (int i = 0; i < SHOWN; i++) {
      take(&worst, off[k][i] / off[k + 1][i] - 10.0);
      take(&largest, off[k + 1][i]);
    }
    tap_near(worst, 0.0, allowed,
             "%s: from links of %s to %s N/m, all distances from rigid links fall to a tenth (%.1e)", what,
             links[k].stiffness, links[k + 1].stiffness, largest);
    allowed /= sqrt(10.0);
  }
}

/* Scenarios with an unstable step are refused, so the test builds the model itself. Links of 1e9 N/m on 40 kg,
 * critically damped, have a rate of 5000 1/s: the rate times 1 ms is beyond 2.785, the stability limit of RK4, so that
 * an error grows by (5^4/24 - 5^3/6 + ...) = 13.7 a step: from rounding to an overflow within 300 steps. */
static void check_unstable(void) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\n"
                        "run: {duration: 2 s, level: L5, unsprung: strut, links: stiff, link_stiffness: 1e9}\n"
                        "initial: {speed: 25 m/s}\n"
                        "steer: 0.01\n",
                        NULL);
  scene_restep(s, 1e-3);
  scene_run(s, 1.0);
  tap_ok(s->sim.status != VD_SIM_OK && s->sim.failure_time < 0.4,
         "an unstable step ends the run, at %g s, with status %d", s->sim.failure_time, (int)s->sim.status);
  scene_free(s);
}

/* --- mirror --- */

#define TURNS                                                                                                          \
  "vehicle: ../vehicles/sedan_hardpoints.yaml\n"                                                                       \
  "initial: {speed: 20 m/s}\n"                                                                                         \
  "throttle: {type: sine, from: 0.3, amplitude: 0.2, frequency: 0.5 Hz}\n"                                             \
  "brake: {type: step, start: 2.5, rise: 0.3, value: 0.3}\n"
static const char turns[] = TURNS "run: {duration: 8 s, level: L5}\n";
static const char stiff_turns[] = TURNS "run: {duration: 8 s, level: L5, links: stiff}\n";
static const char *const left_weave[] = {"ground={type: inclined, grade: 0.05, bank: 0.06}",
                                         "steer={type: sine, amplitude: 0.04, frequency: 0.5}"};
static const char *const right_weave[] = {"ground={type: inclined, grade: 0.05, bank: -0.06}",
                                          "steer={type: sine, amplitude: -0.04, frequency: 0.5}"};
static const char *const left_flat[] = {"ground={type: flat}", "steer={type: sine, amplitude: 0.05, frequency: 0.5}"};
static const char *const right_flat[] = {"ground={type: flat}", "steer={type: sine, amplitude: -0.05, frequency: 0.5}"};
/* leaning and steering in the air */
static const char *const left_flight[] = {"ground={type: none}", "initial={speed: 20 m/s, z: 10, roll: 0.3, yaw: 0.2}"};
static const char *const right_flight[] = {"ground={type: none}",
                                           "initial={speed: 20 m/s, z: 10, roll: -0.3, yaw: -0.2}"};

int main(void) {
  tap_plan(7 + 5 + 8 + 13 + 10 + 1 + 14);
  judge_order("flight", run_for_order(flight, "run.unsprung=hub", 0.01, tumble), 20);
  check_joint_order("hubs, smooth", smooth, "run.unsprung=hub", 0.004);
  check_joint_order("struts, smooth", smooth, "run.unsprung=strut", 0.004);
  check_joint_order("linkages, smooth", smooth, "run.unsprung=linkage", 0.004);
  check_joint_order("struts on stiff links, smooth", smooth_stiff, "run.unsprung=strut", 0.002);
  check_joint_order("linkages on stiff links, smooth", smooth_stiff, "run.unsprung=linkage", 0.002);
  judge_joint_order("hubs, loop", run_for_order(wide_loop, "run.unsprung=hub", 0.002, on_wide_loop), 20);
  check_ledgers();
  check_contact();
  check_link_stiffness();
  check_limit("a turn on struts", turning, "run.unsprung=strut", 3);
  check_limit("a turn on linkages", turning, "run.unsprung=linkage", 3);
  check_limit("a braked tumble on struts", tumbling, "run.unsprung=strut", 2);
  check_limit("a braked tumble on linkages", tumbling, "run.unsprung=linkage", 2);
  check_unstable();
  check_mirror("turns, hubs", turns, "run.unsprung=hub", left_flat, right_flat);
  check_mirror("turns, struts", turns, "run.unsprung=strut", left_flat, right_flat);
  check_mirror("turns on a bank, struts", turns, "run.unsprung=strut", left_weave, right_weave);
  check_mirror("turns on a bank, linkages", turns, "run.unsprung=linkage", left_weave, right_weave);
  check_mirror("turns, struts on stiff links", stiff_turns, "run.unsprung=strut", left_flat, right_flat);
  /* the linkages' paths at opposite racks differ in their last bits, 1e-16 m, which on links of 1e8 N/m cause forces of
   * 1e-8 N on the 1500 kg */
  check_mirror_within("turns on a bank, linkages on stiff links", stiff_turns, "run.unsprung=linkage", left_weave,
                      right_weave, 1e-10);
  check_mirror("flight, struts", turns, "run.unsprung=strut", left_flight, right_flight);
  return tap_done();
}
