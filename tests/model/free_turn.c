/* The free body on the road: load transfer by hand for wheels on hubs, struts and linkages, roll for hubs and struts;
 * comparison with other levels. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

static const double g = VD_GRAVITY, degree = VD_PI / 180.0;

static void take(double *worst_value, double value) {
  *worst_value = tap_max(*worst_value, fabs(value));
}

static double wheel_spin(const vd_vehicle_def *v, const vd_eval *e) {
  double sum = 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    sum += v->axle[vd_axle_of(i)].wheel_inertia * e->motion.omega[i];
  return sum;
}

#define TURNING                                                                                                        \
  "run: {duration: 40 s, level: L5}\n"                                                                                 \
  "initial: {speed: 25 m/s}\n"                                                                                         \
  "speed: 25 m/s\n"                                                                                                    \
  "lateral_acceleration: {type: step, start: 0.5 s, rise: 2 s, value: 4}\n"

static const char turning[] = "vehicle: ../vehicles/sedan.yaml\n" TURNING;

static const struct {
  const char *name, *unsprung, *vehicle;
} kinds[] = {
    {"hub", "run.unsprung=hub", "vehicle=scenarios/vehicles/sedan.yaml"},
    {"strut", "run.unsprung=strut", "vehicle=scenarios/vehicles/sedan.yaml"},
    {"linkage", "run.unsprung=linkage", "vehicle=scenarios/vehicles/sedan_hardpoints.yaml"},
};

/* --- load transfer ---
 *
 * Load transfers by the balance of the whole car about its contact points, with the horizontal acceleration a of its
 * mass centre, the present height h and the present distances T, L of the contacts, the displacements e_y, e_x of the
 * centre outward and forward from its static place above the contacts, the yaw rate r, and the inertias I_w and spins w
 * of the wheels:
 *   lateral       [m a_y h + r sum(I_w w) + m g e_y]/T
 *   longitudinal  [m a_x h + sum(I_w w') - m g e_x - sum(M_y)]/L, M_y < 0 due to rolling resistance. The drag
 *                 acts along the pitched body (pitch theta): it lifts the car by drag x theta, the rear axle by the
 *                 share cg_to_front/wheelbase.
 * A steady turn has a = r x v. */

typedef struct level_motion {
  double ay, ax, yaw_rate; /* m/s2: r v of a steady turn; along x of the body, level; rad/s about the vertical */
} level_motion;

static void contact_axes(const vd_eval *e, double *ahead, double *track, double *base) {
  double x = e->contact.contact_x[VD_FL] + e->contact.contact_x[VD_FR] - e->contact.contact_x[VD_RL] -
             e->contact.contact_x[VD_RR];
  double y = e->contact.contact_y[VD_FL] + e->contact.contact_y[VD_FR] - e->contact.contact_y[VD_RL] -
             e->contact.contact_y[VD_RR];
  double length = hypot(x, y), across = 0.0;
  ahead[0] = x / length;
  ahead[1] = y / length;
  for (int i = 0; i < VD_WHEELS; i++)
    across += (vd_is_right(i) ? -0.5 : 0.5) * (ahead[0] * e->contact.contact_y[i] - ahead[1] * e->contact.contact_x[i]);
  *track = across;
  *base = 0.5 * length;
}

static level_motion motion_of(const vd_eval *e) {
  double ahead[2], track, base;
  contact_axes(e, ahead, &track, &base);
  double cr = cos(e->log.roll), sr = sin(e->log.roll), cp = cos(e->log.pitch), sp = sin(e->log.pitch);
  level_motion m;
  /* the body's rates and accelerations in level axes along its yaw */
  m.yaw_rate = -sp * e->motion.roll_rate + cp * (sr * e->motion.pitch_rate + cr * e->motion.yaw_rate);
  m.ay = m.yaw_rate * (ahead[0] * e->log.cg_speed[0] + ahead[1] * e->log.cg_speed[1]);
  m.ax = cp * e->body.ax + sp * (sr * e->body.ay + cr * e->body.az);
  return m;
}

static void check_lateral(int kind, double ay) {
  char demand[80];
  snprintf(demand, sizeof demand, "lateral_acceleration.value=%g", ay);
  scene *s = scene_make(turning, kinds[kind].vehicle, kinds[kind].unsprung, demand, NULL);
  scene_run(s, 20.0);
  vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  const vd_vehicle_def *v = &s->def.vehicle;
  double ahead[2], track, base;
  contact_axes(e, ahead, &track, &base);
  level_motion m = motion_of(e);
  double got = 0.5 * (e->tyre.load[VD_FR] + e->tyre.load[VD_RR] - e->tyre.load[VD_FL] - e->tyre.load[VD_RL]);
  double spin = m.yaw_rate * wheel_spin(v, e) / track, lean = v->mass * g * e->log.ey / track;
  double hand = v->mass * m.ay * e->log.cg[2] / track + spin + lean;
  tap_ok(s->sim.status == VD_SIM_OK && fabs(m.ay - ay) < 0.05 * ay, "%s: turns at %.3f m/s2", kinds[kind].name, m.ay);
  tap_near(got / hand, 1.0, 0.002,
           "%s, %.0f m/s2: the transfer is %.1f N, by hand %.1f (spins %.0f, displacement %.0f)", kinds[kind].name, ay,
           got, hand, spin, lean);
  scene_free(s);
}

static void check_longitudinal(int kind, bool drive, double pedal, double least, double most) {
  char input[80];
  snprintf(input, sizeof input, "%s={type: step, start: 0.2, rise: 0.5, value: %g}", drive ? "throttle" : "brake",
           pedal);
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\n"
                        "run: {duration: 10 s, level: L5}\n"
                        "steer: 0\n",
                        kinds[kind].vehicle, kinds[kind].unsprung, drive ? "initial.speed=10" : "initial.speed=45",
                        input, NULL);
  scene_run(s, 4.0);
  vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  const vd_vehicle_def *v = &s->def.vehicle;
  double ahead[2], track, base, spins = 0.0, my = 0.0;
  contact_axes(e, ahead, &track, &base);
  level_motion m = motion_of(e);
  for (int i = 0; i < VD_WHEELS; i++) {
    spins += v->axle[vd_axle_of(i)].wheel_inertia * s->sim.rates[VD_S_SPIN + i];
    my += e->tyre.my[i];
  }
  double got = e->tyre.load[VD_RL] + e->tyre.load[VD_RR] - v->mass * g * v->cg_to_front / v->wheelbase -
               e->outside.downforce[VD_REAR];
  double hand = (v->mass * m.ax * e->log.cg[2] + spins - my - v->mass * g * e->log.ex) / base -
                e->outside.drag * e->log.body_pitch * v->cg_to_front / v->wheelbase;
  tap_ok(s->sim.status == VD_SIM_OK && m.ax > least && m.ax < most, "%s: %s at %.3f m/s2", kinds[kind].name,
         drive ? "drives" : "brakes", m.ax);
  tap_near(got / hand, 1.0, 0.002,
           "%s, %.1f m/s2: the transfer is %.1f N, by hand %.1f (spins %.0f, displacement %.0f)", kinds[kind].name,
           m.ax, got, hand, spins / base, -v->mass * g * e->log.ex / base);
  scene_free(s);
}

/* --- roll ---
 *
 * Wheels of struts move along the body's z at their places: they lean with the body, the roll centre is on the road,
 * and across the body's z the links transmit all forces of the road and of the wheel's inertia. So the springs carry
 * the whole transfer, also the unsprung masses' part. About the line on the road under the car, to first order in the
 * lean phi,
 *   M = m h (a_y + g phi) + r sum(I w),  phi = M (1/K + 1/K_t),  K = sum (k_l + k_r)(T/2)^2, K_t the sum for the tyres.
 * On hubs there are tyres alone, 1/K = 0. Sedan: K = 4 x 30 kN/m x 0.775^2 m^2 = 72.1 kN m/rad, K_t = 4 x 220 kN/m x
 * 0.775^2 = 528.6 kN m/rad, together 63.4; m h = 825 kg m, so that the weight reduces the stiffness by 8.09 kN m/rad
 * and phi/a_y = 825 kg m/(55.3 kN m/rad) = 14.9 mrad s2/m = 8.4 deg/g; the spins add 3 %. With the arm h - R, 345 kg m,
 * phi/a_y would be 345/60.0 = 5.75 mrad s2/m = 3.2 deg/g.
 *
 * To second order: a spring acts along the body's z and carries F cos - F_y sin (outer wheel; F wheel load, F_y side
 * force). With s = difference of the side forces/difference of the loads, outer minus inner, springs carry cos - s sin
 * of the transfer, and tyres cos. Contacts are T/cos apart. The body rises as in ride_turn.c, by m_s [a_y sin + g (1 -
 * cos)]/sum(k). At 4 m/s2, with s near 0.4, the lean reduces the roll by 2.4 %, and the rise adds 0.6 %. */

typedef struct roll_figures {
  double k, tyre, springs; /* N m/rad, N m/rad, N/m; k and springs are not used on hubs */
  double arm;              /* m */
  double share;            /* s of the text above: side force over load, outer minus inner */
} roll_figures;

static roll_figures figures_of(const vd_vehicle_def *v, const vd_eval *e) {
  roll_figures f = {.arm = v->cg_height};
  double side = 0.0, load = 0.0;
  for (int a = 0; a < VD_AXLES; a++) {
    double square = 0.25 * v->axle[a].track * v->axle[a].track;
    f.k += 2.0 * v->axle[a].spring_stiffness * square;
    f.springs += 2.0 * v->axle[a].spring_stiffness;
    f.tyre += 2.0 * v->axle[a].tyre.common.vertical_stiffness * square;
  }
  for (int i = 0; i < VD_WHEELS; i++) {
    double angle = e->steering.angle[i], sign = -vd_side_sign(i);
    side += sign * (cos(angle) * e->tyre.fy[i] + sin(angle) * e->tyre.fx[i]);
    load += sign * e->tyre.load[i];
  }
  f.share = side / load;
  return f;
}

/* Returns the roll to first order. */
static double plain_roll(const vd_vehicle_def *v, const level_motion *m, double spin, const roll_figures *f, bool hub) {
  double give = 1.0 / f->tyre + (hub ? 0.0 : 1.0 / f->k), phi = 0.0;
  for (int round = 0; round < 60; round++)
    phi = (v->mass * f->arm * (m->ay + g * phi) + m->yaw_rate * spin) * give;
  return phi;
}

static double roll_by_hand(const vd_vehicle_def *v, const level_motion *m, double spin, const roll_figures *f,
                           bool hub) {
  double phi = 0.0, sprung = masses_of(v).sprung;
  for (int round = 0; round < 60; round++) {
    double c = cos(phi), s = sin(phi), rise = hub ? 0.0 : sprung * (m->ay * s + g * (1.0 - c)) / f->springs;
    double moment = v->mass * (f->arm + rise) * (m->ay * c + g * s) + m->yaw_rate * spin;
    phi = atan(moment * c * (c / f->tyre + (hub ? 0.0 : (c - f->share * s) / f->k)));
  }
  return phi;
}

static void check_roll(int kind, double ay) {
  char demand[80];
  snprintf(demand, sizeof demand, "lateral_acceleration.value=%g", ay);
  scene *s = scene_make(turning, kinds[kind].vehicle, kinds[kind].unsprung, demand, NULL);
  scene_run(s, 20.0);
  vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  const vd_vehicle_def *v = &s->def.vehicle;
  level_motion m = motion_of(e);
  roll_figures f = figures_of(v, e);
  bool hub = kind == 0;
  double spin = wheel_spin(v, e), hand = roll_by_hand(v, &m, spin, &f, hub), per_g = g / (m.ay * degree);
  double plain = plain_roll(v, &m, spin, &f, hub);
  f.arm -= v->axle[0].wheel_radius;
  double low = plain_roll(v, &m, spin, &f, hub);
  tap_diag("%s, %.0f m/s2: to first order %.3f deg/g; with the arm h - R it would be %.3f", kinds[kind].name, ay,
           plain * per_g, low * per_g);
  tap_near(e->log.body_roll / hand, 1.0, 0.01, "%s, %.0f m/s2: rolls by %.3f deg/g, by hand with the arm h %.3f",
           kinds[kind].name, ay, e->log.body_roll * per_g, hand * per_g);
  scene_free(s);
}

/* --- comparison with other levels ---
 *
 * Both cars of a comparison have the same speed and the same angle of the wheels, which turn within 2 s and then stay.
 *
 * Struts and L3 have roll centres on the road, no anti-dive, no camber force. L3's unsprung masses are on beams that do
 * not lean with the body, and load only the tyres. Unsprung masses of struts lean with the body, and load the springs.
 * So here L3 has its unsprung masses on the roll axis (unsprung_height 1 mm, which keeps the whole car's height and
 * raises the sprung mass): with unsprung masses at R it rolls 6 % less, as 160 kg x 0.32 m are 6 % of 1500 kg x 0.55 m.
 * Side forces on leaning struts, s sin above, have no counterpart on a beam; their effect grows with a_y^2 to 2.6 % at
 * 4.1 m/s2, the fastest turn compared. The arcs of parallel arms have the opposite effect, of the same size
 * (multibody_links.c).
 *
 * L5 on linkages is compared with L4 on the sedan's own linkages, and on parallel arms, which have the kinematics of L3
 * (multibody_links.c). */

typedef struct state {
  double yaw_rate, roll, sideslip, ay, load[VD_WHEELS];
} state;

static state turned(const char *const *setting, double angle) {
  char steer[96];
  snprintf(steer, sizeof steer, "steer={type: step, start: 0.5, rise: 2, value: %.9g}", angle);
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\n"
                        "run: {duration: 30 s, level: L5}\n"
                        "initial: {speed: 25 m/s}\n"
                        "speed: 25 m/s\n",
                        steer, setting[0], setting[1], setting[2], setting[3], setting[4], NULL);
  scene_run(s, 15.0);
  vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  state t = {e->motion.yaw_rate, e->log.body_roll, e->log.sideslip, e->body.ay, {0.0}};
  if (e->log.roll != 0.0 && s->def.run.level == VD_L5)
    t.yaw_rate = motion_of(e).yaw_rate;
  for (int i = 0; i < VD_WHEELS; i++)
    t.load[i] = e->tyre.load[i];
  if (s->sim.status != VD_SIM_OK)
    t.yaw_rate = NAN;
  scene_free(s);
  return t;
}

enum { SETTINGS = 5 };

static const char *const on_struts[SETTINGS] = {"run.unsprung=strut"};
static const char *const on_beams[SETTINGS] = {"run.level=L3", "vehicle.front.unsprung_height=1 mm",
                                               "vehicle.rear.unsprung_height=1 mm"};
static const char *const on_high_beams[SETTINGS] = {"run.level=L3"};
static const char *const in_the_plane[SETTINGS] = {"run.level=L2"};

#define HARDPOINTS "vehicle=scenarios/vehicles/sedan_hardpoints.yaml"
static const char *const on_linkages[SETTINGS] = {HARDPOINTS, "run.unsprung=linkage"};
static const char *const at_four[SETTINGS] = {HARDPOINTS, "run.level=L4"};

/* Level arms of equal lengths and an equal tie rod: the knuckle does not turn, and its points move along arcs that are
 * vertical at design. */
#define ARMS                                                                                                           \
  "linkage={type: double_wishbone, wheel: {center: [0, 0.775, 0.32], spin_axis: [0, 1, 0], static_radius: 0.32},"      \
  " lca: {chassis_front: [0.2, 0.3, 0.15], chassis_rear: [-0.2, 0.3, 0.15], knuckle: [0, 0.75, 0.15]},"                \
  " uca: {chassis_front: [0.2, 0.3, 0.50], chassis_rear: [-0.2, 0.3, 0.50], knuckle: [0, 0.75, 0.50]},"                \
  " tie_rod: {rack: [-0.15, 0.3, 0.2], knuckle: [-0.15, 0.75, 0.2]}}"
static const char *const on_arms[SETTINGS] = {"vehicle.front." ARMS, "vehicle.rear." ARMS, "run.unsprung=linkage"};
static const char *const arms_at_four[SETTINGS] = {"vehicle.front." ARMS, "vehicle.rear." ARMS, "run.level=L4"};

static void compare(const char *what, const char *const *one, const char *const *other, double angle, double rate,
                    double roll) {
  state a = turned(one, angle), b = turned(other, angle);
  double load = 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    take(&load, a.load[i] / b.load[i] - 1.0);
  tap_diag("%s, %.4f rad: side slip %.5f and %.5f rad, loads within %.2f %%, roll %.2f %%", what, angle, a.sideslip,
           b.sideslip, 100.0 * load, 100.0 * (a.roll / b.roll - 1.0));
  tap_near(a.yaw_rate / b.yaw_rate, 1.0, rate, "%s, %.2f m/s2: yaw rates %.5f and %.5f rad/s agree (%.2f %%)", what,
           a.ay, a.yaw_rate, b.yaw_rate, 100.0 * (a.yaw_rate / b.yaw_rate - 1.0));
  if (isfinite(roll))
    tap_near(a.roll / b.roll, 1.0, roll, "%s, %.2f m/s2: rolls %.5f and %.5f rad agree (%.2f %%)", what, a.ay, a.roll,
             b.roll, 100.0 * (a.roll / b.roll - 1.0));
}

/* --- kinks of the steering ---
 *
 * The wheels' steering rate jumps at both ends of a ramp. At L4 steering does not move the unsprung mass, so that no
 * mass has to follow the jump, and ay follows the angle, which is continuous. On stiff links too: ay of L5 and L4
 * differ by less than 1 % of the peak. */

static void check_steering_corners(const char *stiffness) {
  static const char text[] = "vehicle: ../vehicles/sedan.yaml\n"
                             "run: {duration: 2 s, level: L5}\n"
                             "initial: {speed: 25 m/s}\n"
                             "speed: 25 m/s\n"
                             "steer: {type: step, start: 0.5, rise: 0.1, value: 0.02}\n";
  scene *a = scene_make(text, on_linkages[0], on_linkages[1], "run.links=stiff", stiffness, NULL);
  scene *b = scene_make(text, at_four[0], at_four[1], NULL);
  double most = 0.0, off = 0.0;
  for (int k = 1; k <= 1000; k++) {
    scene_run(a, 1e-3 * k);
    scene_run(b, 1e-3 * k);
    vd_row one = scene_row(a), other = scene_row(b);
    take(&most, other.eval.body.ay);
    take(&off, one.eval.body.ay - other.eval.body.ay);
  }
  if (a->sim.status != VD_SIM_OK || b->sim.status != VD_SIM_OK)
    off = NAN;
  tap_near(off / most, 0.0, 0.01,
           "%s: ay in the first second of a steering ramp agrees with L4 within %.2f %% of its peak", stiffness,
           100.0 * off / most);
  scene_free(a);
  scene_free(b);
}

/* --- slopes ---
 *
 * Struts and L3 coast on the same road with the steering wheel straight: planes with bank and grade, and a hill of 2 m
 * from a height map. A bank of 6 deg has a lateral gravity of 1.03 m/s2: the car leans as in a turn at this
 * acceleration, at which struts and L3 differ by little. Drift, climb and loads must agree within 1 %. (With a speed
 * controller they differ by more: vx is parallel to the road at L3 and along the body here.) */

static void compare_roads(const char *what, const char *ground, double least) {
  static const char text[] = "vehicle: ../vehicles/sedan.yaml\n"
                             "run: {duration: 10 s, level: L5}\n"
                             "initial: {speed: 60 km/h}\n"
                             "steer: 0\n";
  scene *a = scene_make(text, on_struts[0], ground, NULL);
  scene *b = scene_make(text, on_beams[0], on_beams[1], on_beams[2], ground, NULL);
  double off[3] = {0.0}, most[3] = {0.0}, still = 0.25 * a->def.vehicle.mass * g;
  for (int k = 1; k <= 100; k++) {
    scene_run(a, 0.05 * k);
    scene_run(b, 0.05 * k);
    vd_row one = scene_row(a), other = scene_row(b);
    const vd_eval *e = &one.eval, *f = &other.eval;
    take(&most[0], f->log.y);
    take(&most[1], f->log.z - a->def.vehicle.cg_height);
    take(&off[0], e->log.y - f->log.y);
    take(&off[1], e->log.z - f->log.z);
    for (int i = 0; i < VD_WHEELS; i++) {
      take(&off[2], (e->tyre.load[i] - f->tyre.load[i]) / still);
      take(&most[2], f->tyre.load[i] / still - 1.0);
    }
  }
  if (a->sim.status != VD_SIM_OK || b->sim.status != VD_SIM_OK)
    off[0] = NAN;
  tap_near(off[0], 0.0, 0.01 * most[0] + 1e-9,
           "%s: the car moves sideways by %.4f m, equally in both runs within %.1e m", what, most[0], off[0]);
  tap_near(off[1], 0.0, 0.01 * most[1], "%s: the car moves up or down by %.4f m, equally in both runs within %.1e m",
           what, most[1], off[1]);
  tap_near(off[2], 0.0, 0.01 * most[2],
           "%s: wheel loads differ from a quarter of the weight by %.1f %%, equally in both runs within %.2f %%", what,
           100.0 * most[2], 100.0 * off[2]);
  tap_ok(most[2] > least, "%s: the loads differ from a quarter of the weight by more than %.0f %%", what,
         100.0 * least);
  scene_free(a);
  scene_free(b);
}

int main(void) {
  tap_plan(3 * 14 + 10 + 3 * 10 + 2 + 4 * 4);
  for (int kind = 0; kind < 3; kind++) {
    for (int k = 2; k <= 6; k += 2)
      check_lateral(kind, k);
    check_longitudinal(kind, false, 0.17, -3.0, -2.0);
    check_longitudinal(kind, false, 0.33, -5.0, -3.5);
    check_longitudinal(kind, false, 0.48, -6.8, -5.0);
    check_longitudinal(kind, true, 0.95, 2.0, 3.5);
  }
  for (int kind = 0; kind < 2; kind++)
    for (int k = 1; k <= 5; k++)
      check_roll(kind, k);
  for (int k = 1; k <= 3; k++) {
    compare("struts and L3", on_struts, on_beams, 0.008 * k, 0.01, 0.03);
    compare("struts and L3, unsprung masses high", on_struts, on_high_beams, 0.008 * k, 0.01, INFINITY);
    compare("parallel arms and L3", on_arms, on_beams, 0.008 * k, 0.01, 0.03);
    compare("linkages and L4", on_linkages, at_four, 0.012 * k, 0.01, 0.03);
    compare("parallel arms and L4", on_arms, arms_at_four, 0.012 * k, 0.01, 0.03);
    compare("struts and L2", on_struts, in_the_plane, 0.006 * k, 0.01, INFINITY);
  }
  check_steering_corners("run.link_stiffness=1e8");
  check_steering_corners("run.link_stiffness=1e9");
  compare_roads("bank", "ground={type: inclined, bank: 6 deg}", 0.15);
  compare_roads("grade", "ground={type: inclined, grade: 5 deg}", 0.05);
  compare_roads("grade and bank", "ground={type: inclined, grade: 5 deg, bank: -6 deg}", 0.15);
  compare_roads("hill", "ground=scenarios/grounds/hill.yaml", 0.3);
  return tap_done();
}
