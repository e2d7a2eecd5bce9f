/* The hardpoint level compared with hand calculations: linkages of parallel arms and of one hinge, whose paths have
 * closed forms, in turns and under brakes; springs on their linkages; the car at rest on uneven posts.
 *
 * A steady travel obeys virtual work along it: with P the contact and q the place of the unsprung mass, both relative
 * to the body, F and M the road's force and moment, A the acceleration of q,
 *
 *   static load + k z = F . dP/dz + M . w_z - m_u (A - g) . dq/dz + p (T_drive - I w'),
 *
 * w_z is the knuckle's rotation per travel, p its component along the axle, I and w' the wheel's inertia and spin
 * acceleration; roll and pitch transform forces into the body's axes. */
#include "scene.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double g = VD_GRAVITY;

static void take(double *worst_value, double value) {
  *worst_value = tap_max(*worst_value, fabs(value));
}

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Transforms a vector from the axes of a level road, with x along the body, into body axes. */
static void into_body(const vd_eval *e, const double *road, double *body) {
  double cr = cos(e->log.roll), sr = sin(e->log.roll), cp = cos(e->log.pitch), sp = sin(e->log.pitch);
  double x = cp * road[0] - sp * road[2], up = sp * road[0] + cp * road[2];
  body[0] = x;
  body[1] = cr * road[1] + sr * up;
  body[2] = cr * up - sr * road[1];
}

/* Computes the force of the road on a wheel and the force m (g - A) of its unsprung mass, body axes; A is the
 * acceleration of the mass in a steady turn. */
static void forces_on(const scene *s, const vd_eval *e, int i, double *road, double *mass) {
  double c = cos(e->steering.angle[i]), t = sin(e->steering.angle[i]),
         mu = s->def.vehicle.axle[vd_axle_of(i)].unsprung_mass;
  const double force[3] = {c * e->tyre.fx[i] - t * e->tyre.fy[i], t * e->tyre.fx[i] + c * e->tyre.fy[i],
                           e->tyre.load[i]};
  const vd_vehicle_def *v = &s->def.vehicle;
  double x = v->cg_to_front - (i < 2 ? 0.0 : v->wheelbase),
         y = (vd_is_right(i) ? -0.5 : 0.5) * v->axle[vd_axle_of(i)].track;
  double square = e->motion.yaw_rate * e->motion.yaw_rate;
  const double pull[3] = {-mu * (e->body.ax - square * x), -mu * (e->body.ay - square * y), -mu * (g + e->body.az)};
  into_body(e, force, road);
  into_body(e, pull, mass);
}

/* Returns the spring force at the design position, N. */
static double static_spring(const scene *s, int a) {
  const vd_vehicle_def *v = &s->def.vehicle;
  double other = a == VD_FRONT ? v->wheelbase - v->cg_to_front : v->cg_to_front;
  return (0.5 * v->mass * other / v->wheelbase - v->axle[a].unsprung_mass) * g;
}

/* --- parallel arms ---
 *
 * Two equal parallel arms of length l and a tie rod parallel to them: the knuckle does not turn, its points move along
 * arcs. With the outer ends `drop` below the inner ones and y = sqrt(l^2 - drop^2), the contact moves outwards by dy/dz
 * = (drop - z)/y at the travel z, and the height of the roll centre is T/2 drop/y.
 *
 * Wheels lean with the body, and their moments about the road act on it: the springs carry the moment of the unsprung
 * masses, too, which only the tyres carry on a beam of the fourteen-DOF level. To first order, with K the springs' and
 * K_t the tyres' stiffness,
 *   M = (m_s h_s + sum m_u h_u)(ay + g phi) + r sum(I w),  phi = M (1/K + 1/K_t):
 * 160 kg x 0.32 m add 6.6 % of roll to 1340 kg x 0.578 m. From 3 m/s2 on the arcs matter: outer wheels move up and
 * inwards, which increases the slope of their paths. All other quantities depend mainly on the tyres' side force, and
 * should agree within 1 %. */

static const double arm = 0.45; /* m */

static scene *on_arms(const char *level, double drop, double demand) {
  char linkage[2][640], lateral[128];
  double inner = 0.75 - sqrt(arm * arm - drop * drop);
  static const char *const axle[] = {"front", "rear"};
  for (int a = 0; a < VD_AXLES; a++)
    snprintf(linkage[a], sizeof linkage[a],
             "vehicle.%s.linkage={type: double_wishbone,"
             " wheel: {center: [0, 0.775, 0.32], spin_axis: [0, 1, 0], static_radius: 0.32},"
             " lca: {chassis_front: [0.2, %.17g, %.17g], chassis_rear: [-0.2, %.17g, %.17g], knuckle: [0, 0.75, 0.15]},"
             " uca: {chassis_front: [0.2, %.17g, %.17g], chassis_rear: [-0.2, %.17g, %.17g], knuckle: [0, 0.75, 0.50]},"
             " tie_rod: {rack: [-0.15, %.17g, %.17g], knuckle: [-0.15, 0.75, 0.2]}}",
             axle[a], inner, 0.15 + drop, inner, 0.15 + drop, inner, 0.50 + drop, inner, 0.50 + drop, inner,
             0.2 + drop);
  snprintf(lateral, sizeof lateral, "lateral_acceleration={type: step, start: 0.5 s, rise: 2 s, value: %g}", demand);
  scene *s = scene_make("vehicle: ../vehicles/sedan.yaml\n"
                        "run: {duration: 40 s, level: L3}\n"
                        "initial: {speed: 25 m/s}\n"
                        "speed: 25 m/s\n",
                        level, linkage[0], linkage[1], lateral, NULL);
  scene_run(s, 40.0);
  return s;
}

/* Returns the roll by the formula above; ride_turn.c checks the roll of L3, whose springs do not carry the unsprung
 * masses' moment. */
static double roll_by_hand(const scene *s, const vd_eval *e) {
  const vd_vehicle_def *v = &s->def.vehicle;
  vd_masses m = masses_of(v);
  double moment = m.sprung * m.sprung_height, spring = 0.0, tyre = 0.0, spin = 0.0, phi = 0.0;
  for (int a = 0; a < VD_AXLES; a++) {
    double square = 0.25 * v->axle[a].track * v->axle[a].track;
    moment += m.unsprung[a] * v->axle[a].unsprung_height;
    spring += 2.0 * v->axle[a].spring_stiffness * square;
    tyre += 2.0 * v->axle[a].tyre.common.vertical_stiffness * square;
    for (int i = 2 * a; i < 2 * a + 2; i++)
      spin += v->axle[a].wheel_inertia * e->motion.omega[i];
  }
  for (int round = 0; round < 40; round++)
    phi = (moment * (e->body.ay + g * phi) + e->motion.yaw_rate * spin) * (1.0 / spring + 1.0 / tyre);
  return phi;
}

static void travels_by_hand(const scene *s, const vd_eval *e, double drop, double *travel) {
  for (int i = 0; i < VD_WHEELS; i++) {
    double out = drop - e->motion.travel[i], slope = vd_side_sign(i) * out / sqrt(arm * arm - out * out);
    double road[3], mass[3];
    const double path[3] = {0.0, slope, 1.0};
    forces_on(s, e, i, road, mass);
    travel[i] = (dot(road, path) + dot(mass, path) - static_spring(s, vd_axle_of(i))) /
                s->def.vehicle.axle[vd_axle_of(i)].spring_stiffness;
  }
}

static void check_levels(double ay) {
  scene *three = on_arms("run.level=L3", 0.0, ay), *four = on_arms("run.level=L4", 0.0, ay);
  vd_row a = scene_row(three), b = scene_row(four);
  double load = 0.0, off = 0.0, travel[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++)
    take(&load, b.eval.tyre.load[i] / a.eval.tyre.load[i] - 1.0);
  travels_by_hand(four, &b.eval, 0.0, travel);
  for (int i = 0; i < VD_WHEELS; i++)
    take(&off, b.eval.motion.travel[i] - travel[i]);
  tap_near(b.eval.motion.yaw_rate / a.eval.motion.yaw_rate, 1.0, 0.01,
           "%.0f m/s2: the yaw rate of L4, %.5f rad/s, is that of L3, %.5f", ay, b.eval.motion.yaw_rate,
           a.eval.motion.yaw_rate);
  tap_near(b.eval.log.sideslip / a.eval.log.sideslip, 1.0, 0.01,
           "%.0f m/s2: the side slip of L4, %.5f rad, is that of L3, %.5f", ay, b.eval.log.sideslip,
           a.eval.log.sideslip);
  tap_near(b.eval.steering.steer_actual / a.eval.steering.steer_actual, 1.0, 0.01,
           "%.0f m/s2: the steering angle of L4, %.5f rad, is that of L3, %.5f", ay, b.eval.steering.steer_actual,
           a.eval.steering.steer_actual);
  tap_near(load, 0.0, 0.01, "%.0f m/s2: the loads of L4 and L3 differ by at most %.2f %%", ay, 100.0 * load);
  tap_near(off, 0.0, 1e-5, "%.0f m/s2: travels agree with virtual work within %.1e m", ay, off);
  double roll = roll_by_hand(four, &b.eval);
  tap_diag("%.0f m/s2: roll of L4 %.5f, of L3 %.5f rad; to first order by hand %.5f", ay, b.eval.log.body_roll,
           a.eval.log.body_roll, roll);
  if (ay <= 2.0)
    tap_near(b.eval.log.body_roll / roll, 1.0, 0.01, "%.0f m/s2: the car rolls by %.5f rad, by hand %.5f", ay,
             b.eval.log.body_roll, roll);
  scene_free(three);
  scene_free(four);
}

/* Checks jacking. With roll centres at T/2 drop/y the greater side force of the outer wheel pushes the body up more
 * than the side force of the inner wheel pulls it down: by (F_o - F_i) drop/y on the axle's springs to first order.
 * travels_by_hand contains all orders. */
static void check_jacking(double drop, double ay) {
  scene *flat = on_arms("run.level=L4", 0.0, ay), *high = on_arms("run.level=L4", drop, ay);
  vd_row a = scene_row(flat), b = scene_row(high);
  double travel[VD_WHEELS], off = 0.0;
  travels_by_hand(high, &b.eval, drop, travel);
  for (int i = 0; i < VD_WHEELS; i++)
    take(&off, b.eval.motion.travel[i] - travel[i]);
  tap_near(off, 0.0, 1e-5, "arms drop by %.2f m, %.0f m/s2: travels agree with virtual work within %.1e m", drop, ay,
           off);
  for (int k = 0; k < VD_AXLES; k++) {
    double mean = 0.5 * (b.eval.motion.travel[2 * k] + b.eval.motion.travel[2 * k + 1]);
    double hand = 0.5 * (travel[2 * k] + travel[2 * k + 1]);
    double first = -fabs(b.eval.tyre.fy[2 * k + 1] - b.eval.tyre.fy[2 * k]) * drop / sqrt(arm * arm - drop * drop) /
                   (2.0 * high->def.vehicle.axle[k].spring_stiffness);
    tap_near(mean / hand, 1.0, 0.01, "the %s axle lifts the body by %.3f mm, by hand %.3f (%.3f of it jacking)",
             k ? "rear" : "front", -1e3 * mean, -1e3 * hand, -1e3 * first);
  }
  tap_ok(b.eval.log.z > a.eval.log.z + 1e-3, "the body stands at %.4f m, on flat arms at %.4f m", b.eval.log.z,
         a.eval.log.z);
  scene_free(flat);
  scene_free(high);
}

/* --- a trailing arm under brakes and under drive torque ---
 *
 * The arm turns about its axis u through a point p: a point r of the arm moves by u x (r - p)/(u x (c - p))_z per
 * travel of the wheel centre c. With a brake on the knuckle Fx does work along the path of the contact; with a shaft
 * from the body, whose torque is Fx R, along the path of the wheel centre. At design, with u = (0.05, 0.2, -0.02), c -
 * p = (-0.55, 0.36, 0.085) and R = 0.305, the slopes are (0.2 (0.085 - R) + 0.02 x 0.36)/(0.05 x 0.36 + 0.2 x 0.55) =
 * -0.2875 and (0.2 x 0.085 + 0.02 x 0.36)/0.128 = 0.1891. */

typedef struct hinge {
  double at[3], axis[3];
} hinge;

static hinge rear_hinge(void) {
  hinge h = {{-0.80, 0.42, 0.22}, {0.05, 0.20, -0.02}};
  double length = sqrt(dot(h.axis, h.axis));
  for (int j = 0; j < 3; j++)
    h.axis[j] /= length;
  return h;
}

/* Turns the place or direction `from` by an angle (Rodrigues). */
static void turn(const hinge *h, const double *from, double angle, bool direction, double *out) {
  double r[3], side[3];
  for (int j = 0; j < 3; j++)
    r[j] = from[j] - (direction ? 0.0 : h->at[j]);
  cross(h->axis, r, side);
  double along = dot(h->axis, r);
  for (int j = 0; j < 3; j++)
    out[j] = r[j] * cos(angle) + side[j] * sin(angle) + h->axis[j] * along * (1.0 - cos(angle)) +
             (direction ? 0.0 : h->at[j]);
}

/* Paths of wheel centre and contact at a travel, the axle, and the rotation per travel. normal: the road's normal, body
 * axes; the contact is below the wheel centre along the normal's projection on the disc's plane. */
typedef struct hinge_paths {
  double centre[3], contact[3], axle[3], turn[3];
} hinge_paths;

static hinge_paths paths_at(double travel, double radius, const double *normal) {
  static const double wheel[3] = {-1.35, 0.78, 0.305}, straight[3] = {0.0, 1.0, 0.0};
  hinge h = rear_hinge();
  hinge_paths p;
  double low = -0.5, high = 0.5, at[3], r[3], contact[3];
  for (int round = 0; round < 80; round++) { /* u points to the left: a rotation above 0 raises the wheel */
    double middle = 0.5 * (low + high);
    turn(&h, wheel, middle, false, at);
    if (at[2] - wheel[2] > travel)
      high = middle;
    else
      low = middle;
  }
  turn(&h, wheel, low, false, at);
  turn(&h, straight, low, true, p.axle);
  double lean = dot(normal, p.axle), upright = sqrt(1.0 - lean * lean), rate[3];
  for (int j = 0; j < 3; j++) {
    double up = (normal[j] - lean * p.axle[j]) / upright;
    contact[j] = at[j] - radius * up - h.at[j];
    r[j] = at[j] - h.at[j];
  }
  cross(h.axis, r, rate);
  for (int j = 0; j < 3; j++)
    p.turn[j] = h.axis[j] / rate[2];
  cross(p.turn, r, p.centre);
  cross(p.turn, contact, p.contact);
  return p;
}

/* The left rear wheel: travel in the run and by hand, m, and forces of the road, N. */
typedef struct braked {
  double travel, by_hand, fx, load;
} braked;

static braked brake_rear(const char *torque) {
  scene *s = scene_make("vehicle:\n"
                        "  base: ../vehicles/sedan_hardpoints.yaml\n"
                        "  cg_to_front: 1.35 m\n"
                        "  rear: {wheel_radius: 0.305 m}\n"
                        "run: {duration: 5 s, level: L4, linkage: exact}\n"
                        "initial: {speed: 35 m/s}\n"
                        "steer: 0\n",
                        torque, NULL);
  scene_run(s, 4.0);
  vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  const vd_axle_def *axle = &s->def.vehicle.axle[VD_REAR];
  const int i = VD_RL;
  double radius = s->model.ride.free_radius[i] - e->contact.deflection[i], road[3], mass[3];
  const double up[3] = {0.0, 0.0, 1.0};
  double normal[3];
  into_body(e, up, normal);
  hinge_paths p = paths_at(e->motion.travel[i], radius, normal);
  forces_on(s, e, i, road, mass);
  double along = dot(p.turn, p.axle), spin = s->sim.rates[VD_S_SPIN + i];
  double work = dot(road, p.contact) + dot(mass, p.centre) + e->tyre.mz[i] * dot(p.turn, normal) +
                along * (e->tyre.my[i] + e->drive.drive_torque[i] - axle->wheel_inertia * spin);
  braked b = {e->motion.travel[i], (work - static_spring(s, VD_REAR)) / axle->spring_stiffness, e->tyre.fx[i],
              e->tyre.load[i]};
  tap_near(e->body.ax, -2.0, 0.6, "%s slows the car by %.3f m/s2", torque, -e->body.ax);
  tap_near(e->motion.travel_rate[i], 0.0, 1e-3, "the rear travel of a braked car is %.2f mm and steady",
           1e3 * e->motion.travel[i]);
  if (s->sim.status != VD_SIM_OK)
    b.travel = NAN;
  scene_free(s);
  return b;
}

static void check_trailing_arm(void) {
  const double level[3] = {0.0, 0.0, 1.0};
  hinge_paths p = paths_at(0.0, 0.305, level);
  double k = 30e3;
  tap_near(p.contact[0], -0.0368 / 0.128, 1e-12, "the contact moves by %.4f m forward per travel", p.contact[0]);
  tap_near(p.centre[0], 0.0242 / 0.128, 1e-12, "the wheel centre moves by %.4f m forward per travel", p.centre[0]);
  braked knuckle = brake_rear("brake_torque_rear={type: step, start: 0.5, rise: 0.5, value: 800}");
  braked shaft = brake_rear("drive_torque_rear={type: step, start: 0.5, rise: 0.5, value: -800}");
  tap_near(knuckle.travel, knuckle.by_hand, 1e-5, "brakes on the knuckles cause a travel of %.4f mm, by hand %.4f",
           1e3 * knuckle.travel, 1e3 * knuckle.by_hand);
  tap_near(shaft.travel, shaft.by_hand, 1e-5, "torque from the body causes a travel of %.4f mm, by hand %.4f",
           1e3 * shaft.travel, 1e3 * shaft.by_hand);
  /* the difference of both forces without the difference of the loads; paths_at contains the change of the arm's slope
   * with the travel */
  double differ = k * (shaft.travel - knuckle.travel) - (shaft.load - knuckle.load);
  double slope[2] = {paths_at(knuckle.travel, 0.305, level).contact[0], paths_at(shaft.travel, 0.305, level).centre[0]};
  double hand = shaft.fx * slope[1] - knuckle.fx * slope[0];
  tap_near(differ / hand, 1.0, 0.02,
           "wheel forces by torque from the body and from the knuckle differ by %.1f N, by the slopes %.1f N", differ,
           hand);
}

/* --- springs on their linkages --- */

/* Returns the forces at given travels, with nothing moving. */
static vd_eval placed(const scene *s, const double *travel) {
  vd_state_vector state = s->sim.state;
  vd_eval e = {0};
  double unused[VD_STATES] = {0.0};
  for (int i = 0; i < VD_WHEELS; i++) {
    state.x[VD_S_TRAVEL + i] = travel[i];
    state.x[VD_S_TRAVEL_RATE + i] = 0.0;
  }
  vd_model_rates(&s->model, &s->sim.command, state.x, state.mode, &e, unused);
  vd_model_observe(&s->model, &s->sim.command, &state, 0.0, VD_VIEW_ALL, &e);
  return e;
}

/* A coil of stiffness k_c along the strut or arm has the wheel rate k_c MR^2 at each travel, MR = dl/dz. For both
 * linkages the motion ratio and its change at -60 and +60 mm of travel are known to 0.1 %. */
static void check_coil(const char *what, const char *linkage, double ratio, double down, double up) {
  scene *s = scene_make("vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                        "run: {duration: 1 s, level: L4, linkage: exact}\n",
                        linkage, NULL);
  double travel[VD_WHEELS] = {0.0}, rate[2];
  tap_near(s->def.vehicle.axle[VD_FRONT].map->spring_ratio, ratio, 5e-4, "%s: the motion ratio is %.4f", what,
           s->def.vehicle.axle[VD_FRONT].map->spring_ratio);
  for (int k = 0; k < 2; k++) {
    travel[VD_FL] = k ? 0.06 : -0.06;
    vd_eval e = placed(s, travel);
    double relative = e.suspension.spring_force[VD_FL] / e.suspension.spring_eye[VD_FL];
    rate[k] = 100.0 * (relative * relative - 1.0);
  }
  tap_near(rate[0], down, 0.05, "%s: wheel rate changes by %.2f %% at 60 mm down", what, rate[0]);
  tap_near(rate[1], up, 0.05, "%s: wheel rate changes by %.2f %% at 60 mm up", what, rate[1]);
  /* the force along the travel is the slope of the energy: k_c x compression x MR, from the lengths */
  const vd_corner *corner = s->def.vehicle.axle[VD_FRONT].corner;
  vd_linkage l;
  vd_pose pose;
  vd_linkage_build(&corner->points, VD_PARALLEL, &l);
  vd_linkage_start(&l, &pose);
  vd_jet start = vd_element_length(&l, &pose, &corner->points.spring);
  double coil = s->def.vehicle.axle[VD_FRONT].spring_stiffness / (start.d[0] * start.d[0]), worst = 0.0;
  double preload = static_spring(s, VD_FRONT) / -start.d[0];
  for (double z = -0.07; z < 0.071; z += 0.01) { /* stops begin at a compression of 80 mm */
    const double u[VD_INPUTS] = {z, 0.0};
    vd_linkage_move(&l, u, &pose);
    vd_jet now = vd_element_length(&l, &pose, &corner->points.spring);
    travel[VD_FL] = z;
    double force = -(preload + coil * (start.v - now.v)) * now.d[0];
    take(&worst, placed(s, travel).suspension.spring_force[VD_FL] / force - 1.0);
  }
  tap_near(worst, 0.0, 1e-9, "%s: forces at the wheel agree with the coil's within %.1e", what, worst);
  scene_free(s);
}

/* --- at rest --- */

/* Checks a car at rest on posts. If the spin axis is not level, the contact moves sideways with the travel. A bar and
 * uneven posts give every wheel a different travel. Each travel must balance the load along the contact's path, taken
 * from the linkage itself; toe and camber must be the linkage's at this travel. */
static void check_rest(const char *what, const char *front, const char *rear) {
  scene *s = scene_make("kind: four_post\n"
                        "vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                        "run: {duration: 30 s, level: L4, linkage: exact}\n"
                        "post_fl: 35 mm\n"
                        "post_fr: -20 mm\n"
                        "post_rl: -30 mm\n"
                        "post_rr: 10 mm\n",
                        "vehicle.front.antiroll_stiffness=20000", front, rear, NULL);
  scene_run(s, 30.0);
  vd_row row = scene_row(s);
  const vd_eval *e = &row.eval;
  double angle = 0.0, off = 0.0, sum = 0.0, least = INFINITY;
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_axle_def *axle = &s->def.vehicle.axle[vd_axle_of(i)];
    vd_linkage l;
    vd_pose pose[3];
    double z = e->motion.travel[i], side = vd_side_sign(i);
    vd_linkage_build(&axle->corner->points, VD_PARALLEL, &l);
    for (int k = 0; k < 3; k++) {
      const double u[VD_INPUTS] = {z + 1e-4 * (k - 1), 0.0};
      vd_linkage_start(&l, &pose[k]);
      if (vd_linkage_move(&l, u, &pose[k]) != VD_LINKAGE_OK)
        angle = NAN;
    }
    /* the left wheel's axle; right wheel and road are mirrored */
    vd_jet3 a = vd_pose_direction(&pose[1], l.spin_axis);
    const double axis[3] = {a.x.v, a.y.v, a.z.v}, up[3] = {0.0, 0.0, 1.0};
    double normal[3], pull[3], down[3], path[3], centre[3], mass[3], spring[2], shorter = 0.0, slope = 1.0;
    const double weight[3] = {0.0, 0.0, -axle->unsprung_mass * g};
    into_body(e, up, normal);
    into_body(e, weight, pull);
    normal[1] *= side;
    pull[1] *= side;
    take(&angle, e->log.toe[i] - atan2(axis[0], axis[1]));
    take(&angle, e->log.linkage_camber[i] - atan2(-axis[2], hypot(axis[0], axis[1])));
    double lean = dot(normal, axis), length = s->model.ride.free_radius[i] - e->contact.deflection[i];
    for (int j = 0; j < 3; j++)
      down[j] = -length * (normal[j] - lean * axis[j]) / sqrt(1.0 - lean * lean);
    for (int j = 0; j < 3; j++) { /* the contact as a point of the knuckle, by differences of places */
      double ends[2];
      for (int k = 0; k < 2; k++) {
        const vd_pose *p = &pose[2 * k];
        double design = 0.0;
        for (int n = 0; n < 3; n++) {
          double own = 0.0;
          for (int q = 0; q < 3; q++)
            own += pose[1].turn[q][n] * down[q];
          design += p->turn[j][n] * own;
        }
        ends[k] = p->at[j] + design;
      }
      path[j] = (ends[1] - ends[0]) / 2e-4;
      centre[j] = (pose[2].at[j] - pose[0].at[j]) / 2e-4;
      mass[j] = pull[j];
    }
    if (axle->corner->points.spring.given) {
      vd_pose design;
      vd_linkage_start(&l, &design);
      vd_jet first = vd_element_length(&l, &design, &axle->corner->points.spring);
      vd_jet now = vd_element_length(&l, &pose[1], &axle->corner->points.spring);
      shorter = (now.v - first.v) / first.d[0];
      slope = now.d[0] / first.d[0];
    } else {
      shorter = z;
    }
    spring[0] = (static_spring(s, vd_axle_of(i)) + axle->spring_stiffness * shorter) * slope;
    spring[1] = axle->antiroll_stiffness / (axle->track * axle->track) * (z - e->motion.travel[vd_other_side(i)]);
    double given = e->tyre.load[i] * dot(normal, path) + dot(mass, centre);
    take(&off, (given - spring[0] - spring[1]) / axle->spring_stiffness);
    sum += e->tyre.load[i];
    least = tap_min(least, fabs(z));
  }
  tap_near(angle, 0.0, 1e-9, "%s: toe and camber are the linkages' at these travels within %.1e rad", what, angle);
  tap_near(off, 0.0, 1e-7, "%s: travels of %.1f mm and more balance the loads within %.1e m", what, 1e3 * least, off);
  tap_near(sum / (s->def.vehicle.mass * g), 1.0, 1e-9, "%s: the posts carry the car", what);
  scene_free(s);
}

/* Without stops the map should reach 150 mm. The rockers of these push rods are in line with their rods at 127 and -132
 * mm, before the arms are, so the map has to end at these travels. */
static void check_rocker(void) {
  scene *s = scene_make("vehicle: ../vehicles/sports.yaml\n"
                        "run: {duration: 1 s, level: L4}\n",
                        "vehicle.front.linkage=scenarios/suspensions/pushrod_front_formula.yaml",
                        "vehicle.rear.linkage=scenarios/suspensions/5link_rear_sports.yaml",
                        "vehicle.front.bump_stop.stiffness=0", "vehicle.front.spring_stiffness=auto",
                        "vehicle.front.damper.bump=auto", NULL);
  const vd_linkage_map *map = s->def.vehicle.axle[VD_FRONT].map;
  double from = map->travel.from, to = from + map->travel.cells * map->travel.step, off = 0.0;
  for (int i = 0; i <= 20; i++) {
    vd_corner_pose pose;
    vd_linkage_map_at(map, from + 0.05 * i * (to - from), 0.0, &pose);
    take(&off, pose.value[VD_MAP_SPRING] - pose.value[VD_MAP_DAMPER]); /* both are on one line */
  }
  tap_ok(from > -0.133 && from < -0.1 && to > 0.1 && to < 0.128,
         "push rods: a map of %.0f to %.0f mm ends before the limits of its rockers", 1e3 * from, 1e3 * to);
  tap_near(off, 0.0, 1e-15, "push rods: all values of the map are finite");
  scene_free(s);
}

/* Linkages in front and behind; one pair is tried for each commit. */
static const struct {
  const char *what, *front, *rear;
} rests[] = {
    {"struts, trailing arms", "vehicle.front.linkage=scenarios/suspensions/mp_front_sedan.yaml",
     "vehicle.rear.linkage=scenarios/suspensions/ta_rear_sedan.yaml"},
    {"double wishbones, five links", "vehicle.front.linkage=scenarios/suspensions/dw_front_sports.yaml",
     "vehicle.rear.linkage=scenarios/suspensions/5link_rear_sports.yaml"},
    {"set toe and camber",
     "vehicle.front.linkage={base: scenarios/suspensions/dw_front_sports.yaml, wheel: {spin_axis: [0.01, 1, 0.03]}}",
     "vehicle.rear.linkage={base: scenarios/suspensions/ta_rear_sedan.yaml, wheel: {spin_axis: [-0.01, 1, 0.04]}}"},
};

int main(void) {
  int chosen = 0;
  for (int k = 0; k < 3; k++)
    chosen += tap_sampled(k, 3);
  tap_plan(6 * 5 + 2 + 2 * 4 + 2 + 4 + 2 + 1 + 2 * 4 + chosen * 3 + 2);
  for (int k = 1; k <= 6; k++)
    check_levels(k);
  check_jacking(0.06, 4.0);
  check_jacking(0.10, 6.0);
  check_trailing_arm();
  check_coil("strut", "vehicle.front.linkage=scenarios/suspensions/mp_front_sedan.yaml", 0.949, -7.0, 9.7);
  check_coil("double wishbone", "vehicle.front.linkage=scenarios/suspensions/dw_front_sports.yaml", 0.530, -6.9, 11.7);
  for (int k = 0; k < 3; k++)
    if (tap_sampled(k, 3))
      check_rest(rests[k].what, rests[k].front, rests[k].rear);
  check_rocker();
  return tap_done();
}
