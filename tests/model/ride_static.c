/* The fourteen-DOF level at rest, and under aerodynamic forces: loads, springs and attitude in closed form.
 *
 * Roll on a bank. With g_y along the slope and g_n along its normal, phi the body's roll relative to the road, M_a the
 * moment that the springs of axle a carry and phi_a the axle's roll on its tyres,
 *
 *   sum M_a = m_s (h_s - h_rc) (g_y + g_n phi),   M_a = K_a (phi - phi_a),   K_a = 2 k (T/2)^2 + K_bar
 *   k_t T^2/2 phi_a = M_a + m_sa h_rc (g_y + g_n phi_a) + m_ua h_u (g_y + g_n phi_a)
 *
 * where h_s - h_rc is the height above the mean roll axis and m_sa is the axle's share: a linear equation for phi.
 * Without lean the couple -m_s g (h_s - h_rc) phi is added to the first equation.
 *
 * Pitch on a grade. The wheels move only along the body, and their contacts stay below their centres, so that the mass
 * above the wheel centres, m (h - R), leans. With g_x down the slope to the rear and theta nose up:
 *
 *   transfer N = m [g_x h + g_n (h - R) theta]/L
 *   axle forces on the tyres: g_n/g x static -+ N
 *   axle forces on the springs, along the body: minus the unsprung weight, minus theta x the holding force m g_x
 *
 * The holding force acts at the braked wheels: at all wheels in proportion to their static loads, or at the rear
 * wheels. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

static const double g = VD_GRAVITY, degree = VD_PI / 180.0;

static void take(double *worst_value, double value) {
  *worst_value = tap_max(*worst_value, fabs(value));
}

static double roll_on_bank(const vd_vehicle_def *v, double bank, bool lean) {
  vd_masses m = masses_of(v);
  double gy = g * sin(bank), gn = g * cos(bank), arm = m.sprung_height;
  /* M_a = c phi + d, summed */
  double c = 0.0, d = 0.0;
  for (int a = 0; a < VD_AXLES; a++) {
    const vd_axle_def *axle = &v->axle[a];
    double share = m.sprung * m.sprung_share[a], half = 0.5 * axle->track;
    double spring = 2.0 * axle->spring_stiffness * half * half + axle->antiroll_stiffness;
    double tyre = 2.0 * axle->tyre.common.vertical_stiffness * half * half;
    double first = share * axle->roll_centre_height + m.unsprung[a] * axle->unsprung_height;
    /* (tyre - first gn) (phi - M/spring) = M + first gy */
    double left = tyre - first * gn;
    c += left / (1.0 + left / spring);
    d -= first * gy / (1.0 + left / spring);
    arm -= m.sprung_share[a] * axle->roll_centre_height;
  }
  double moment = m.sprung * arm;
  return (moment * gy - d) / (c - moment * (gn - (lean ? 0.0 : g)));
}

static double pitch_on_grade(const vd_vehicle_def *v, double grade, bool lean, bool handbrake) {
  vd_masses m = masses_of(v);
  double gx = g * sin(grade), gn = g * cos(grade), length = v->wheelbase;
  double radius = v->axle[0].wheel_radius, theta = 0.0;
  double lever = m.total * (v->cg_height - radius), lift = lean ? 0.0 : m.sprung * (m.sprung_height - radius) * g;
  for (int round = 0; round < 20; round++) { /* the error falls to about 3 % at each iteration */
    double transfer = (m.total * gx * v->cg_height + (gn * lever - lift) * theta) / length, rise[VD_AXLES];
    for (int a = 0; a < VD_AXLES; a++) {
      const vd_axle_def *axle = &v->axle[a];
      double load = m.total * m.to_axle[1 - a] / length, change = (a == VD_FRONT ? transfer : -transfer);
      double held = m.total * gx * (handbrake ? a : m.to_axle[1 - a] / length);
      double tyre = change + (g - gn) * load;
      double spring = tyre - (g - gn) * m.unsprung[a] + theta * (held - gx * m.unsprung[a]);
      rise[a] = tyre / (2.0 * axle->tyre.common.vertical_stiffness) + spring / (2.0 * axle->spring_stiffness);
    }
    theta = (rise[VD_FRONT] - rise[VD_REAR]) / length;
  }
  return theta;
}

static const int lossy_works[] = {VD_S_WORK_BRAKE, VD_S_WORK_DAMPER, VD_S_WORK_SUSPENSION, VD_S_WORK_TYRE_VERTICAL};

/* `rise' does not contain the power of the tyres' slip: the tread's energy has the stiffness at the static load
 * (relax.h), so that a change of load on a deflected tread adds or removes a little energy. */
typedef struct rest {
  vd_row row;
  double speed;        /* m/s, after settling */
  double lost, ledger; /* J */
  double rise, fed;    /* J: greatest rise of energy minus outside work in 10 ms; energy added by dampers or brakes */
} rest;

/* Lets a car settle and returns its rest. lift: m, height from which the car is released, with a roll of lift x 0.5
 * rad/m. */
static rest settle(scene *s, double lift) {
  rest r = {.rise = 0.0};
  s->sim.state.x[VD_S_HEIGHT] += lift;
  s->sim.state.x[VD_S_ROLL] += 0.5 * lift;
  scene_restart(s);
  vd_row row = scene_row(s);
  double first = row.eval.log.energy, before = first, lossy = 0.0;
  for (int k = 0; k < 2000; k++) {
    scene_run(s, 0.01 * (k + 1));
    row = scene_row(s);
    const double *x = row.state.x;
    double energy = row.eval.log.energy - x[VD_S_WORK_OUTSIDE] - x[VD_S_WORK_TYRE], given = 0.0;
    for (size_t i = 0; i < VD_COUNT(lossy_works); i++)
      given += x[lossy_works[i]];
    r.rise = tap_max(r.rise, energy - before);
    r.fed = tap_max(r.fed, given - lossy);
    before = energy;
    lossy = given;
    take(&r.ledger, row.eval.log.ledger);
    if (k > 1800) {
      take(&r.speed, row.eval.motion.vx);
      take(&r.speed, row.eval.motion.vy);
      take(&r.speed, row.eval.motion.vz);
    }
  }
  r.row = row;
  r.lost = first - row.eval.log.energy + row.state.x[VD_S_WORK_OUTSIDE];
  if (s->sim.status != VD_SIM_OK)
    r.speed = NAN;
  return r;
}

static const char standing[] = "vehicle: ../vehicles/sedan.yaml\n"
                               "run: {duration: 20 s, level: L3, slip: transient}\n";

static void check_rest(const char *what, const char *car, const char *ground, const char *hold, const char *lean,
                       double lift) {
  scene *s = scene_make(standing, car, ground, hold, lean, NULL);
  const vd_vehicle_def *v = &s->def.vehicle;
  vd_masses m = masses_of(v);
  rest r = settle(s, lift);
  const vd_eval *e = &r.row.eval;
  double sum = 0.0, springs = 0.0, worst = 0.0, bank = s->def.ground.bank, grade = s->def.ground.grade;
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_axle_def *axle = &v->axle[vd_axle_of(i)];
    double bar = axle->antiroll_stiffness / (axle->track * axle->track) *
                 (e->motion.travel[i] - e->motion.travel[vd_other_side(i)]);
    double expected = axle->spring_stiffness * e->log.compression[i] + bar;
    take(&worst, e->suspension.spring_force[i] / expected - 1.0);
    sum += e->tyre.load[i];
    springs += e->suspension.spring_force[i];
  }
  /* the sum of the contact forces is m g upwards, and the links carry no force along the body's z */
  double carried = m.sprung * g * cos(e->log.roll) * cos(e->log.pitch), gn = s->model.ground.weight;
  tap_near(r.speed, 0.0, 1e-7, "%s: the car comes to rest (%.1e m/s)", what, r.speed);
  /* the energy may only rise by the error of the integration, which is greater where wheels leave the ground and land
   * */
  double allowed = (lift > 0.0 ? 1e-4 : 1e-6) * r.lost + 1e-9;
  tap_near(r.rise, 0.0, allowed, "%s: energy only falls, by %.4g J (rises by %.1e J)", what, r.lost, r.rise);
  tap_ok(r.fed <= 0.0, "%s: dampers and brakes never add energy", what);
  tap_near(r.ledger, 0.0, allowed, "%s: every part of the energy is accounted for, within %.1e J", what, r.ledger);
  tap_near(sum / (m.total * gn), 1.0, 1e-9, "%s: loads sum to m g n_z", what);
  tap_near(worst, 0.0, 1e-12, "%s: the springs' force is stiffness times compression", what);
  tap_near(springs / carried, 1.0, 1e-9, "%s: springs carry the sprung mass", what);
  double roll = roll_on_bank(v, bank, s->def.run.lean),
         pitch = pitch_on_grade(v, grade, s->def.run.lean, hold[0] == 'h');
  if (bank != 0.0)
    tap_near(e->log.body_roll / roll, 1.0, 0.005, "%s: rolls by %.4f deg against the road, by hand %.4f", what,
             e->log.body_roll / degree, roll / degree);
  else if (grade != 0.0)
    tap_near(-e->log.body_pitch / pitch, 1.0, 0.005, "%s: pitches by %.4f deg against the road, by hand %.4f", what,
             -e->log.body_pitch / degree, pitch / degree);
  else
    tap_near(fabs(e->log.body_roll) + fabs(e->log.body_pitch), 0.0, 1e-9, "%s: the car stands level", what);
  tap_diag("%s: world roll %.4f deg, pitch %.4f deg", what, e->log.roll / degree, e->log.pitch / degree);
  scene_free(s);
}

#define SEDAN  "vehicle=scenarios/vehicles/sedan.yaml"
#define SPORTS "vehicle=scenarios/vehicles/sports.yaml"
#define BANK   "ground={type: inclined, bank: 6 deg}"
#define GRADE  "ground={type: inclined, grade: 5 deg}"

/* Checks the race car straight ahead at 60 m/s. The springs of each axle carry its downforce D_a. The body sinks, which
 * reduces the arm of the drag about the road; rolling resistance moves loads to the rear axle; and the drag, along the
 * body's x, pitches with the body. Anti-dive and anti-squat are off: the forces of links depend on the drive force. */
static void check_downforce(void) {
  scene *s = scene_make("vehicle: ../vehicles/race_car.yaml\n"
                        "run: {duration: 10 s, level: L3}\n"
                        "initial: {speed: 60 m/s}\n"
                        "speed: 60 m/s\n",
                        "vehicle.front.anti_brake=0", "vehicle.rear.anti_drive=0", NULL);
  scene_run(s, 10.0);
  vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  const vd_vehicle_def *v = &s->def.vehicle;
  double q = 0.5 * 1.225 * 1.90 * 60.0 * 60.0, drag = 0.50 * q, down[VD_AXLES] = {1.80 * q, 2.50 * q}, rolling = 0.0;
  double sum = 0.0, tilt = -sin(e->log.body_pitch) * drag; /* nose up > 0: the drag then points down */
  double drop[VD_AXLES];
  for (int i = 0; i < VD_WHEELS; i++) {
    sum += e->tyre.load[i];
    rolling -= e->tyre.my[i];
  }
  tap_near(sum / (900.0 * g + down[0] + down[1]), 1.0, 2e-3, "race car, 60 m/s: loads are weight and downforce, %.1f N",
           sum);
  tap_near(sum / (900.0 * g + down[0] + down[1] + tilt), 1.0, 1e-4,
           "race car, 60 m/s: loads differ from weight and downforce by the tilt of the drag, %.1f N", tilt);
  for (int a = 0; a < VD_AXLES; a++)
    drop[a] =
        down[a] / (2.0 * v->axle[a].spring_stiffness) + down[a] / (2.0 * v->axle[a].tyre.common.vertical_stiffness);
  double share = 1.0 - v->cg_to_front / v->wheelbase, sunk = share * drop[0] + (1.0 - share) * drop[1];
  for (int a = 0; a < VD_AXLES; a++) {
    double shift = (rolling - drag * sunk) / v->wheelbase;
    double load = down[a] + (a == VD_FRONT ? -shift : shift), heave = load / (2.0 * v->axle[a].spring_stiffness);
    double got = 0.5 * (e->motion.travel[2 * a] + e->motion.travel[2 * a + 1]);
    tap_near(got / heave, 1.0, 0.005,
             "race car, 60 m/s: %s springs sink by downforce/k, %.3f mm (downforce alone %.3f)",
             a == VD_FRONT ? "front" : "rear", 1e3 * got, 1e3 * down[a] / (2.0 * v->axle[a].spring_stiffness));
  }
  scene_free(s);
}

int main(void) {
  tap_plan(8 * 13 + 4);
  check_rest("released 3 cm high", SEDAN, "ground={}", "brake=1", "run.lean=true", 0.03);
  check_rest("released 3 cm high on the handbrake", SEDAN, "ground={}", "handbrake=1", "run.lean=true", 0.03);
  check_rest("bank of 6 deg", SEDAN, BANK, "brake=1", "run.lean=true", 0.0);
  check_rest("bank of 6 deg, handbrake", SEDAN, BANK, "handbrake=1", "run.lean=true", 0.0);
  check_rest("bank of 6 deg, released 3 cm high", SEDAN, BANK, "brake=1", "run.lean=true", 0.03);
  check_rest("bank of 6 deg, no lean", SEDAN, BANK, "brake=1", "run.lean=false", 0.0);
  check_rest("sports car, bank of 6 deg", SPORTS, BANK, "brake=1", "run.lean=true", 0.0);
  check_rest("sports car, bank of 6 deg, no lean", SPORTS, BANK, "brake=1", "run.lean=false", 0.0);
  check_rest("grade of 5 deg", SEDAN, GRADE, "brake=1", "run.lean=true", 0.0);
  check_rest("grade of 5 deg, handbrake", SEDAN, GRADE, "handbrake=1", "run.lean=true", 0.0);
  check_rest("grade of 5 deg, no lean", SEDAN, GRADE, "brake=1", "run.lean=false", 0.0);
  check_rest("sports car, grade of 5 deg", SPORTS, GRADE, "brake=1", "run.lean=true", 0.0);
  check_rest("sports car, downhill", SPORTS, "ground={type: inclined, grade: -5 deg}", "brake=1", "run.lean=true", 0.0);
  check_downforce();
  return tap_done();
}
