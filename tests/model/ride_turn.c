/* The fourteen-DOF level in steady turns, driving and braking: roll angles and load transfer by hand, and compared with
 * L2. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

static const double g = VD_GRAVITY, degree = VD_PI / 180.0;

static double wheel_spin(const vd_vehicle_def *v, const vd_eval *e) {
  double sum = 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    sum += v->axle[vd_axle_of(i)].wheel_inertia * e->motion.omega[i];
  return sum;
}

static const char turning[] = "vehicle: ../vehicles/sedan.yaml\n"
                              "run: {duration: 40 s, level: L3}\n"
                              "initial: {speed: 25 m/s}\n"
                              "speed: 25 m/s\n"
                              "lateral_acceleration: {type: step, start: 0.5 s, rise: 2 s, value: 4}\n";

/* --- steady roll, roll centres on the ground ---
 *
 * The springs carry the moment M of the sprung mass about the roll axis on the ground and of the wheels' spins, which
 * turn with the car; the tyres carry M and the moment of the unsprung masses:
 *   M = m_s h_s (ay + g phi) + r sum(I w),  phi_s = M/(K_spring + K_arb),  phi_a = (M + m_u h_u ay)/K_tyre,
 * phi = phi_s + phi_a; K_spring = (k_l + k_r)(T/2)^2, K_tyre = k_t T^2/2, sums over the axles, which are equal here.
 *
 * Springs act along the body, which leans outwards, so that the side force relieves them: the body rises by m_s [ay sin
 * phi + g (1 - cos phi)]/sum(k), 4 mm at 5 m/s2 and 4 deg. This is 0.7 % of h_s, more than the tolerance; so h_s
 * contains the rise, and ay cos phi + g sin phi replaces ay + g phi. The simple formula is printed as well. */
static void check_roll(const char *what, const char *height, const char *front, const char *rear, double ay) {
  char demand[80], spring[2][80];
  snprintf(demand, sizeof demand, "lateral_acceleration.value=%g", ay);
  snprintf(spring[0], sizeof spring[0], "vehicle.front.%s", front);
  snprintf(spring[1], sizeof spring[1], "vehicle.rear.%s", rear);
  scene *s = scene_make(turning, height, spring[0], spring[1], demand, NULL);
  scene_run(s, 30.0);
  vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  const vd_vehicle_def *v = &s->def.vehicle;
  vd_masses m = masses_of(v);
  double ks = 0.0, kt = 0.0, unsprung = 0.0, susp = 0.0, axle = 0.0, springs = 0.0;
  for (int a = 0; a < VD_AXLES; a++) {
    double half = 0.5 * v->axle[a].track;
    ks += 2.0 * v->axle[a].spring_stiffness * half * half + v->axle[a].antiroll_stiffness;
    kt += 2.0 * v->axle[a].tyre.common.vertical_stiffness * half * half;
    springs += 2.0 * v->axle[a].spring_stiffness;
    unsprung += m.unsprung[a] * v->axle[a].unsprung_height;
    susp += 0.5 * (e->motion.travel[2 * a + 1] - e->motion.travel[2 * a]) / (2.0 * half);
    axle += 0.5 * (e->contact.deflection[2 * a + 1] - e->contact.deflection[2 * a]) / (2.0 * half);
  }
  double u = unsprung * e->body.ay, gyro = e->motion.yaw_rate * wheel_spin(v, e), phi = 0.0, moment = 0.0, plain = 0.0;
  for (int round = 0; round < 40; round++) { /* each iteration reduces the error to about a tenth */
    double rise = m.sprung * (e->body.ay * sin(phi) + g * (1.0 - cos(phi))) / springs;
    moment = m.sprung * (m.sprung_height + rise) * (e->body.ay * cos(phi) + g * sin(phi)) + gyro;
    phi = moment / ks + (moment + u) / kt;
    plain = (m.sprung * m.sprung_height * (e->body.ay + g * plain) + gyro) * (1.0 / ks + 1.0 / kt) + u / kt;
  }
  tap_near(e->body.ay, ay, 0.05 * ay, "%s: turns at %.3f m/s2", what, e->body.ay);
  tap_near(susp / (moment / ks), 1.0, 0.005, "%s, %.0f m/s2: springs roll by %.4f deg, by hand %.4f", what, ay,
           susp / degree, moment / ks / degree);
  tap_near(axle / ((moment + u) / kt), 1.0, 0.005, "%s, %.0f m/s2: axles roll by %.4f deg, by hand %.4f", what, ay,
           axle / degree, (moment + u) / kt / degree);
  tap_near(e->log.body_roll / phi, 1.0, 0.005, "%s, %.0f m/s2: body rolls by %.4f deg, by hand %.4f (plain %.4f)", what,
           ay, e->log.body_roll / degree, phi / degree, plain / degree);
  scene_free(s);
}

/* Checks the limit without lean and with a hundredth of the wheels' inertia (0.02 kg m2, which needs a short step).
 * Their spins still contribute 0.03 % of the moment. */
static void check_limit(void) {
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\n"
                        "run: {duration: 6 s, level: L3, lean: false, step: 2e-5}\n"
                        "initial: {speed: 25 m/s}\n"
                        "speed: 25 m/s\n"
                        "steer: {type: step, start: 0, rise: 0.5, value: 0.024}\n",
                        "vehicle.front.wheel_inertia=0.02", "vehicle.rear.wheel_inertia=0.02", NULL);
  scene_run(s, 5.0);
  vd_row row = scene_row(s);
  vd_masses m = masses_of(&s->def.vehicle);
  double ks = 2.0 * 2.0 * 30e3 * 0.775 * 0.775, phi = m.sprung * m.sprung_height * row.eval.body.ay / ks;
  double got = (row.eval.motion.travel[VD_FR] - row.eval.motion.travel[VD_FL]) / 1.55;
  tap_near(got / phi, 1.0, 0.005,
           "no lean, light wheels, %.2f m/s2: springs roll by m_s ay h/K, %.4f deg, by hand %.4f", row.eval.body.ay,
           got / degree, phi / degree);
  scene_free(s);
}

/* Checks that a bar with the rate k at wheels that move in opposite directions has the roll stiffness k T^2/2. */
static void check_bar(void) {
  scene *a = scene_make(turning, "vehicle.front.antiroll_stiffness=24025", NULL);
  scene *b = scene_make(turning, "vehicle.front.antiroll_wheel_rate=20000", NULL); /* 20e3 x 1.55^2/2 */
  scene_run(a, 5.0);
  scene_run(b, 5.0);
  vd_row one = scene_row(a), other = scene_row(b);
  tap_near(one.eval.log.body_roll / other.eval.log.body_roll, 1.0, 1e-12,
           "an anti-roll bar given by its wheel rate equals the bar given by its roll stiffness");
  double across = one.eval.motion.travel[VD_FR] - one.eval.motion.travel[VD_FL];
  double bar = one.eval.suspension.spring_force[VD_FR] - one.eval.suspension.spring_force[VD_FL] - 30e3 * across;
  tap_near(0.5 * bar * 1.55 / (24025.0 * across / 1.55), 1.0, 1e-9,
           "the bar's pair of forces is its stiffness x the axle's roll");
  scene_free(a);
  scene_free(b);
}

/* --- load transfer --- */

typedef struct transfer {
  double lateral, longitudinal; /* N */
  double by_hand_y, by_hand_x;
  double pitch;                                               /* rad */
  double spring[VD_AXLES], by_hand[VD_AXLES], load[VD_AXLES]; /* N, changes: springs, springs by hand, axle loads */
} transfer;

/* Computes the whole car's balance about the contacts. h is the present height of the centre of gravity above the flat
 * road, from its energy: links that carry brake or drive forces and springs that act along a leaning body lift it by up
 * to 8 mm, 1.4 % of the height, while the tolerance is 0.2 %. L is the present distance of the contacts, which move
 * with these links. The drag acts along the pitched body: by drag x pitch it relieves or loads the axles. Rolling
 * resistance, a moment here, moves loads to the rear.
 *
 * An axle's springs carry its tyres' load minus the unsprung weight and the force of the links. As springs act along
 * the pitched body, the component of the longitudinal force along them is subtracted, too. Links react forces along the
 * body, which contain theta x load. */
static transfer balance(scene *s) {
  vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  const vd_vehicle_def *v = &s->def.vehicle;
  double mass = v->mass, spin_rate = 0.0, my = 0.0, h = e->log.energy_gravity / (mass * g);
  transfer t = {0};
  double between = 0.5 * (e->contact.contact_x[VD_FL] + e->contact.contact_x[VD_FR] - e->contact.contact_x[VD_RL] -
                          e->contact.contact_x[VD_RR]);
  for (int i = 0; i < VD_WHEELS; i++) {
    spin_rate += v->axle[vd_axle_of(i)].wheel_inertia * s->sim.rates[VD_S_SPIN + i];
    my += e->tyre.my[i];
  }
  for (int a = 0; a < VD_AXLES; a++) {
    double other = a == VD_FRONT ? v->wheelbase - v->cg_to_front : v->cg_to_front;
    t.load[a] =
        e->tyre.load[2 * a] + e->tyre.load[2 * a + 1] - mass * g * other / v->wheelbase - e->outside.downforce[a];
    t.spring[a] = 2.0 * v->axle[a].spring_stiffness * 0.5 * (e->motion.travel[2 * a] + e->motion.travel[2 * a + 1]);
  }
  t.lateral = 0.5 * (e->tyre.load[VD_FR] + e->tyre.load[VD_RR] - e->tyre.load[VD_FL] - e->tyre.load[VD_RL]);
  t.longitudinal = t.load[VD_REAR];
  t.by_hand_y =
      (mass * e->body.ay * h + e->motion.yaw_rate * wheel_spin(v, e) + mass * g * e->log.ey) / v->axle[0].track;
  t.by_hand_x = (mass * e->body.ax * h + spin_rate - my - mass * g * e->log.ex) / between -
                e->outside.drag * e->log.body_pitch * v->cg_to_front / v->wheelbase;
  t.pitch = e->log.body_pitch;
  for (int a = 0; a < VD_AXLES; a++) {
    double fx = e->tyre.fx[2 * a] + e->tyre.fx[2 * a + 1];
    double part = a == VD_FRONT ? v->brakes.front_share : 1.0 - v->brakes.front_share;
    double links = (a == VD_FRONT ? 1.0 : -1.0) * v->axle[a].anti_brake / part * v->cg_height / v->wheelbase *
                   (fx - (e->tyre.load[2 * a] + e->tyre.load[2 * a + 1]) * e->log.body_pitch);
    t.by_hand[a] = t.load[a] + e->outside.downforce[a] + links +
                   (fx - 2.0 * v->axle[a].unsprung_mass * e->body.ax) * e->log.body_pitch;
  }
  if (s->sim.status != VD_SIM_OK)
    t.lateral = t.longitudinal = NAN;
  return t;
}

static scene *with_links(const char *text, double anti, double roll_centre) {
  char links[4][64], rc[2][64];
  snprintf(links[0], sizeof links[0], "vehicle.front.anti_brake=%g", anti);
  snprintf(links[1], sizeof links[1], "vehicle.rear.anti_brake=%g", anti);
  snprintf(links[2], sizeof links[2], "vehicle.front.anti_drive=%g", 0.0);
  snprintf(links[3], sizeof links[3], "vehicle.rear.anti_drive=%g", anti);
  snprintf(rc[0], sizeof rc[0], "vehicle.front.roll_centre_height=%g", roll_centre);
  snprintf(rc[1], sizeof rc[1], "vehicle.rear.roll_centre_height=%g", roll_centre);
  return scene_make(text, links[0], links[1], links[2], links[3], rc[0], rc[1], NULL);
}

static const char braking[] = "vehicle: ../vehicles/sedan.yaml\n"
                              "run: {duration: 10 s, level: L3}\n"
                              "initial: {speed: 45 m/s}\n"
                              "brake: {type: step, start: 0.2, rise: 0.5, value: 0.35}\n";

static const char driving[] = "vehicle: ../vehicles/sedan.yaml\n"
                              "run: {duration: 10 s, level: L3}\n"
                              "initial: {speed: 10 m/s}\n"
                              "throttle: {type: step, start: 0.2, rise: 0.5, value: 0.9}\n";

static void check_transfer(void) {
  static const double anti[] = {0.0, 0.5, 1.0}, centre[] = {0.0, 0.1};
  double pitch[2][3];
  for (int c = 0; c < 2; c++)
    for (int k = 0; k < 3; k++) {
      char what[64];
      snprintf(what, sizeof what, "anti %.1f, roll centres at %.1f m", anti[k], centre[c]);
      scene *s = with_links(turning, anti[k], centre[c]);
      scene_run(s, 20.0);
      transfer t = balance(s);
      tap_near(t.lateral / t.by_hand_y, 1.0, 2e-3, "%s: the lateral transfer is %.1f N, by hand %.1f", what, t.lateral,
               t.by_hand_y);
      scene_free(s);
      s = with_links(braking, anti[k], centre[c]);
      scene_run(s, 4.0);
      t = balance(s);
      tap_near(t.longitudinal / t.by_hand_x, 1.0, 2e-3, "%s: braking moves %.1f N, by hand %.1f", what, t.longitudinal,
               t.by_hand_x);
      pitch[0][k] = t.pitch;
      for (int a = 0; a < VD_AXLES; a++)
        tap_near(t.spring[a], t.by_hand[a], 0.005 * fabs(t.longitudinal),
                 "%s: the %s springs transfer %.1f N of the load, by hand %.1f", what, a == 0 ? "front" : "rear",
                 t.spring[a], t.by_hand[a]);
      scene_free(s);
      s = with_links(driving, anti[k], centre[c]);
      scene_run(s, 4.0);
      t = balance(s);
      tap_near(t.longitudinal / t.by_hand_x, 1.0, 2e-3, "%s: driving moves %.1f N, by hand %.1f", what, t.longitudinal,
               t.by_hand_x);
      pitch[1][k] = t.pitch;
      scene_free(s);
    }
  for (int k = 0; k < 2; k++)
    tap_ok(fabs(pitch[k][0]) > fabs(pitch[k][1]) && fabs(pitch[k][1]) > fabs(pitch[k][2]),
           "%s: pitch falls with the anti slopes: %.3f, %.3f, %.3f deg", k == 0 ? "braking" : "driving",
           pitch[k][0] / degree, pitch[k][1] / degree, pitch[k][2] / degree);
}

/* --- comparison with L2 --- */

typedef struct steady {
  double yaw_rate, sideslip, steer;
  double pull; /* N m, moment of the tyres' longitudinal forces about the centre of gravity */
} steady;

static double cornering[VD_AXLES]; /* N/rad */

static steady turn(const char *level, const char *demand, const char *more) {
  scene *s = scene_make(turning, level, demand, more, NULL);
  scene_run(s, 40.0);
  vd_row row = scene_row(s);
  steady r = {row.eval.motion.yaw_rate, row.eval.log.sideslip, row.eval.steering.steer_actual, 0.0};
  /* all contact forces along the body: m ax + drag */
  r.pull = -(s->def.vehicle.mass * row.eval.body.ax + row.eval.outside.drag) * row.eval.log.ey;
  for (int a = 0; a < VD_AXLES; a++)
    cornering[a] = s->model.slip.cornering[a];
  if (s->sim.status != VD_SIM_OK)
    r.yaw_rate = NAN;
  scene_free(s);
  return r;
}

static void check_levels(double ay) {
  char demand[80], angle[80];
  snprintf(demand, sizeof demand, "lateral_acceleration.value=%g", ay);
  steady two = turn("run.level=L2", demand, NULL), three = turn("run.level=L3", demand, NULL);
  double off = (three.sideslip - two.sideslip) / degree;
  tap_near(three.yaw_rate / two.yaw_rate, 1.0, 0.005, "%.0f m/s2: the yaw rate of L3, %.5f rad/s, is that of L2, %.5f",
           ay, three.yaw_rate, two.yaw_rate);
  tap_near(off, 0.0, fmax(0.01, 0.005 * fabs(two.sideslip / degree)),
           "%.0f m/s2: the side slip of L3, %.4f deg, is that of L2, %.4f", ay, three.sideslip / degree,
           two.sideslip / degree);
  /* The moment `pull' is balanced by -pull/L more side force in front and as much less behind. The front wheels' angle
   * grows by -pull/L (1/C_f + 1/C_r), and the side slip, equal to the rear axle's slip angle, by -pull/(L C_r). L2 has
   * no such moment, as its forces act in the middle. The moment explains most of the differences, which are printed for
   * information. */
  double length = 2.70, extra = -(three.pull) / length * (1.0 / cornering[VD_FRONT] + 1.0 / cornering[VD_REAR]);
  double aside = -(three.pull) / (length * cornering[VD_REAR]);
  tap_diag("at %.1f m/s2: L3's own angle off by %.3f %%, by hand %.3f %%; side slip by %.4f deg, by hand %.4f", ay,
           100.0 * (three.steer / two.steer - 1.0), 100.0 * extra / two.steer, off, aside / degree);
  snprintf(angle, sizeof angle, "steer={type: step, start: 0.5, rise: 2, value: %.12g}", two.steer);
  steady same = turn("run.level=L3", "lateral_acceleration={type: none}", angle);
  tap_diag("at %.1f m/s2, same angle %.5f rad: yaw rate off by %.3f %%, side slip by %.4f deg (%.2f %%)", ay, two.steer,
           100.0 * (same.yaw_rate / two.yaw_rate - 1.0), (same.sideslip - two.sideslip) / degree,
           100.0 * (same.sideslip / two.sideslip - 1.0));
}

int main(void) {
  tap_plan(4 * 11 + 1 + 2 + 6 * 5 + 2 + 10);
  for (int k = 1; k <= 5; k++) {
    check_roll("sedan", "vehicle.cg_height=0.55 m", "spring_stiffness=30 kN/m", "spring_stiffness=30 kN/m", k);
    check_roll("stiff and low", "vehicle.cg_height=0.45 m", "spring_stiffness=90 kN/m", "spring_stiffness=90 kN/m", k);
  }
  check_roll("soft and high", "vehicle.cg_height=0.75 m", "spring_stiffness=25 kN/m", "spring_stiffness=25 kN/m", 3.0);
  check_limit();
  check_bar();
  check_transfer();
  for (int k = 2; k <= 6; k++)
    check_levels(k);
  return tap_done();
}
