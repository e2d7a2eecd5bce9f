/* The steering column, the steering axes and the rear wheels, checked by laws that the code does not use: power along
 * the motion, closed forms of statics, a linear single track with a free steering wheel, kinematics of the K&C sweep,
 * mirror images, order of convergence. */
#include "kc/kc.h"
#include "ride_runs.h"
/* both headers of checks define a function `take' */
#define take take_of_states
#include "ride_states.h"
#undef take

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>

/* --- power at random states --- */

#define REAR_RACK                                                                                                      \
  "vehicle.rear.linkage={base: scenarios/suspensions/5link_rear_sports.yaml, steering: rack}",                         \
      "vehicle.steering.rear={gain: [[0, -0.5], [30, 0.1]]}"

static const struct {
  const char *name, *level;
  int what;
  const char *setting[4];
} cars[] = {
    {"L1", "run.level=L1", 0, {"run.lean=true"}},
    {"L2", "run.level=L2", 0, {"run.lean=true"}},
    {"L2, transient slip, brakes that lock", "run.level=L2", LOCKED, {"run.slip=transient"}},
    {"L2, on a slope", "run.level=L2", 0, {"ground={type: inclined, grade: 0.1, bank: -0.08}"}},
    {"L3", "run.level=L3", 0, {"run.lean=true"}},
    {"L3, brakes that lock", "run.level=L3", LOCKED, {"run.slip=transient"}},
    {"L3, on a slope, a variable ratio",
     "run.level=L3",
     0,
     {"ground={type: inclined, grade: 0.1, bank: -0.08}",
      "vehicle.steering.ratio_curve=[[0, 1], [1, 0.9], [3, 0.75], [6, 0.7]]"}},
    {"L3, Magic Formula with moments and camber",
     "run.level=L3",
     0,
     {"vehicle.front.tyre=scenarios/tyres/mf61_synthetic.yaml",
      "vehicle.rear.tyre=scenarios/tyres/mf61_synthetic.yaml"}},
    {"L3, axes without a column", "run.level=L3", 0, {"vehicle.steering.column=[]", "vehicle.steering.assist=[]"}},
    {"L2, axes without a column", "run.level=L2", 0, {"vehicle.steering.column=[]", "vehicle.steering.assist=[]"}},
    {"L1, rear wheels", "run.level=L1", 0, {"vehicle.steering.rear={gain: [[0, -0.3], [30, 0.1]]}"}},
    {"L3, rear wheels", "run.level=L3", 0, {"vehicle.steering.rear={gain: [[0, -0.3], [30, 0.1]]}"}},
    {"L4, rear wheels on a rack", "run.level=L4", LOCKED, {REAR_RACK, "run.slip=transient"}},
    {"L4, rear wheels on a rack, nonlinear bushings", "run.level=L4", 0, {REAR_RACK, "run.compliance=nonlinear"}},
    {"L4", "run.level=L4", 0, {"run.lean=true"}},
    {"L4, nonlinear bushings", "run.level=L4", 0, {"run.compliance=nonlinear"}},
};

/* The power steering of the shipped car; L4 has the hardpoints of another car. */
static const char driven[] = "vehicle: ../vehicles/sedan_eps.yaml\nrun: {duration: 1 s}\nthrottle: 0.5\n";
static const char linked[] = "vehicle:\n"
                             "  base: ../vehicles/sedan_hardpoints.yaml\n"
                             "  steering:\n"
                             "    column: {wheel_friction: 0.2, gear_friction: 0.5}\n"
                             "    assist: {speed: 0, torque: [[0, 0], [2, 1], [5, 20], [9, 60]]}\n"
                             "run: {duration: 1 s}\nthrottle: 0.5\n";

static void check_cars(void) {
  enum { STATES = 150 };
  for (size_t k = 0; k < VD_COUNT(cars); k++) {
    scene *s = scene_make(strstr(cars[k].level, "L4") ? linked : driven, cars[k].level, cars[k].setting[0],
                          cars[k].setting[1], cars[k].setting[2], NULL);
    worst w = {0};
    seed = 500 + k;
    const double h = 1e-5; /* the torsion bar's motions are fast */
    for (int i = 0; i < STATES; i++) {
      sample p;
      nearby n;
      vd_eval e;
      double dx[VD_STATES];
      next_sample(s, cars[k].what, h, &p, &e, dx, &n);
      check_power(&n, dx, h, &w);
    }
    tap_near(w.power, 0.0, 1e-7, "%s: energy changes by the work done, within %.1e of all powers", cars[k].name,
             w.power);
    scene_free(s);
  }
}

/* --- statics --- */

/* The linear textbook car in a steady turn: its front axle carries m ay b/L; with the axle's and the tyre's trails n
 * and t the steering torque is m ay (b/L) (n + t)/ratio. This is checked at L1, with small angles. The aligning moments
 * take part in the yaw balance: F_f a - F_r b = t (F_f + F_r), F_f + F_r = m ay, so that F_f = m ay (b + t)/L. */
static const char textbook[] = "vehicle:\n"
                               "  base: ../vehicles/textbook_linear.yaml\n"
                               "  front: {tyre: {pneumatic_trail: 30 mm}}\n"
                               "  rear: {tyre: {pneumatic_trail: 30 mm}}\n"
                               "  steering: {trail: 20 mm, column: {gear_friction: 0}}\n"
                               "run: {duration: 20 s, level: L1}\n"
                               "initial: {speed: 20 m/s}\n"
                               "speed: 20 m/s\n"
                               "steering_wheel: {type: step, start: 0.1 s, rise: 1 s, value: 0.05}\n";

static void check_turn(void) {
  scene *s = scene_make(textbook, NULL);
  scene_run(s, 15.0);
  vd_row row = scene_row(s);
  const double mass = 1573.0, length = 2.68, b = 1.58, trail = 0.030, ratio = 16.0;
  double front = mass * row.eval.body.ay * (b + trail) / length, torque = front * (0.020 + trail) / ratio;
  /* products of two small angles are neglected: 1e-5 */
  tap_near(
      row.eval.steering.steering_torque / torque, 1.0, 1e-4,
      "steady turn of %.2f m/s2: the torque %.4f N m is the front axle's force on both trails divided by the ratio",
      row.eval.body.ay, row.eval.steering.steering_torque);
  double twist = row.eval.steering.steering_wheel - row.eval.steering.column_angle, stiffness = 2.0 * 180.0 / VD_PI;
  tap_near(twist * stiffness / torque, 1.0, 1e-4,
           "the steering torque of a steady turn twists the torsion bar by %.3f deg", twist * 180.0 / VD_PI);
  scene_free(s);
  /* an assistance of twice the driver's torque leaves a third of the torque to the driver, at any speed */
  scene *half = scene_make(textbook, "vehicle.steering.assist={speed: 0, torque: [[0, 0], [10, 20]]}", NULL);
  scene_run(half, 15.0);
  row = scene_row(half);
  front = mass * row.eval.body.ay * (b + trail) / length;
  torque = front * (0.020 + trail) / ratio / 3.0;
  tap_near(row.eval.steering.steering_torque / torque, 1.0, 1e-4,
           "an assistance of twice the torque leaves a third to the driver: %.4f N m",
           row.eval.steering.steering_torque);
  tap_near(row.eval.steering.assist_torque / (2.0 * torque), 1.0, 1e-4,
           "an assistance of twice the torque provides two thirds of the torque on the gear");
  scene_free(half);
}

static const char *run_of(const char *level, char out[96]) {
  snprintf(out, 96, "run={duration: 20 s, level: %s}", level);
  return out;
}

/* Checks the torque of the weight on inclined steering axes. The axis is inclined by s and meets the ground r_s inside
 * of the contact. The wheel centre moves by -(1 - cos p)(R sin^2 s + r_s sin s cos s) relative to the body as the wheel
 * turns by p, and the car rises by as much. With p = d/cos s for small heading angles d the load F has the moment F tan
 * s (R tan s + r_s) d about each axis. */
static void check_weight(void) {
  static const char *const level[] = {
      "L1", "L2", "L3", "L5, unsprung: hub", "L5, unsprung: strut", "L5, unsprung: strut, links: stiff"};
  char run[96];
  for (size_t k = 0; k < VD_COUNT(level); k++) {
    scene *s = scene_make("vehicle:\n"
                          "  base: ../vehicles/textbook_linear.yaml\n"
                          "  steering: {scrub: 30 mm, inclination: 12 deg, ackermann: 0}\n"
                          "steering_wheel: 0.08\n",
                          run_of(level[k], run), NULL);
    scene_run(s, 15.0); /* at rest, once the car has settled at L3 */
    vd_row row = scene_row(s);
    double slope = tan(12.0 * VD_PI / 180.0), weight = 1573.0 * VD_GRAVITY * 1.58 / 2.68;
    double angle = 0.08 / 16.0;
    double torque = weight * slope * (0.30 * slope + 0.030) * angle / 16.0;
    /* terms of third order in an angle of 0.005 rad */
    tap_near(row.eval.steering.steering_torque / torque, 1.0, 1e-3,
             "%s at rest: the steering torque is that of the weight, %.5f N m, by F tan s (R tan s + r_s)", level[k],
             torque);
    scene_free(s);
  }
}

/* Returns the rack force that the K&C sweep computes from rods and springs for the wheels' poses and loads, for a car
 * that stands braked with forces in its tyres. The sweep's road is parallel to the body. This body leans, so that its
 * contact point differs from the sweep's; a couple of forces, at the contact and at the wheel centre, corrects this.
 * The spring does not carry the wheel's own weight. */
static double swept_rack(const scene *s, const vd_row *row, int wheel) {
  const vd_axle_def *axle = &s->def.vehicle.axle[VD_FRONT];
  const vd_eval *e = &row->eval;
  double side = wheel == VD_FL ? 1.0 : -1.0; /* the right wheel is computed as a mirror image */
  vd_linkage linkage = *axle->map->linkage;
  double radius = linkage.points.static_radius = s->model.ride.free_radius[wheel] - e->contact.deflection[wheel];
  const double u[VD_INPUTS] = {e->motion.travel[wheel], side * e->steering.rack[VD_FRONT]};
  vd_pose at;
  vd_linkage_start(&linkage, &at);
  vd_linkage_move(&linkage, u, &at);
  vd_jet3 spin = vd_pose_direction(&at, linkage.spin_axis);
  pose body = pose_of(row->state.x);
  vec up = to_body(&body, vec_of(0.0, 0.0, 1.0)), left = vec_of(spin.x.v, spin.y.v, spin.z.v), zero = vec_of(0, 0, 0);
  up.v[1] *= side;
  vec ahead = unit(cross(left, up)), aside = cross(up, ahead), plumb = vec_of(0.0, 0.0, 1.0);
  vec down = add(zero, -radius, unit(add(up, -dot(up, left), left)));
  vec arm = add(zero, -radius, unit(add(plumb, -dot(plumb, left), left)));
  vec force = add(add(add(zero, e->tyre.fx[wheel], ahead), side * e->tyre.fy[wheel], aside), e->tyre.load[wheel], up);
  vec couple = add(cross(add(down, -1.0, arm), force), side * e->tyre.mz[wheel], up);
  double x = couple.v[1] / arm.v[2], y = -couple.v[0] / arm.v[2];
  const vd_wheel_load load = {.fx = force.v[0] + x,
                              .fy = force.v[1] + y,
                              .fz = force.v[2],
                              .mz = couple.v[2] - arm.v[0] * y + arm.v[1] * x,
                              .centre = {-x, -y, -axle->unsprung_mass * VD_GRAVITY}};
  const vd_kc_view view = {.along = {1.0, 0.0}, .load = &load};
  vd_kc_state state;
  vd_kc_state_in_view(axle->corner, &linkage, &at, &view, &state);
  return side * state.rack_force;
}

static void check_rack(void) {
  scene *s = scene_make("vehicle: ../vehicles/sedan_hardpoints.yaml\n"
                        "run: {duration: 20 s, level: L4, slip: transient}\n"
                        "brake: 0.5\n"
                        "steering_wheel: 2.5\n",
                        "vehicle.front.antiroll_stiffness=0", "vehicle.rear.antiroll_stiffness=0", NULL);
  static const double pull[VD_WHEELS] = {0.012, 0.004, -0.008, -0.008}, push[VD_WHEELS] = {0.01, -0.02, 0.005, 0.005};
  for (int i = 0; i < VD_WHEELS; i++) {
    s->sim.state.x[VD_S_DEFLECTION_X + i] = pull[i];
    s->sim.state.x[VD_S_DEFLECTION_Y + i] = push[i];
  }
  scene_restart(s);
  scene_run(s, 15.0);
  vd_row row = scene_row(s);
  double swept = swept_rack(s, &row, VD_FL) + swept_rack(s, &row, VD_FR);
  tap_diag("forces of the left wheel %.0f, %.0f, %.0f N, of the right %.0f, %.0f, %.0f N", row.eval.tyre.fx[0],
           row.eval.tyre.fy[0], row.eval.tyre.load[0], row.eval.tyre.fx[1], row.eval.tyre.fy[1], row.eval.tyre.load[1]);
  /* the brakes hold the forces at the rolling radius, in the sweep at the loaded radius, which is 1 % less */
  tap_near(row.eval.steering.rack_force[VD_FRONT] / -swept, 1.0, 2e-3,
           "a car at rest: the rack carries %.2f N; by the sweep %.2f N", row.eval.steering.rack_force[VD_FRONT],
           -swept);
  scene_free(s);
}

/* --- a steering wheel that is released --- */

/* The linear single track with a column, from its text-book equations:
 *
 *   m (v' + V r) = F_f + F_r,   I r' = a F_f - b F_r + M_f + M_r,   F_f = -C ((v + a r - n d')/V - d),   M = -t F
 *   J_w w'' = -K (w - g) - c_t (w' - g'),   J_g g'' = K (w - g) + c_t (w' - g') - c_g g' + (M_f - n F_f)/i,  d = g/i
 *
 * with the angles w of the steering wheel and g of the gear's shaft, d of the front wheels, the trails n and t of axle
 * and tyres, the ratio i, K and c_t of the torsion bar. */
enum { MOTIONS = 6 };

static void linear_car(double v, double a[MOTIONS][MOTIONS]) {
  const double m = 1573.0, inertia = 2873.0, front = 1.10, rear = 1.58, c = 160e3, t = 0.030, n = 0.020, i = 16.0;
  const double wheel = 0.035, gear = 0.015, stiffness = 2.0 * 180.0 / VD_PI, twist = 0.1, damping = 0.3;
  /* states v, r, w, w', g, g'; force of the front and of the rear axle per state */
  const double ff[MOTIONS] = {-c / v, -c * front / v, 0.0, 0.0, c / i, c * n / (v * i)};
  const double fr[MOTIONS] = {-c / v, c * rear / v, 0.0, 0.0, 0.0, 0.0};
  memset(a, 0, sizeof(double) * MOTIONS * MOTIONS);
  for (int k = 0; k < MOTIONS; k++) {
    a[0][k] = (ff[k] + fr[k]) / m - (k == 1 ? v : 0.0);
    a[1][k] = ((front - t) * ff[k] - (rear + t) * fr[k]) / inertia;
    a[5][k] = -(n + t) * ff[k] / i / gear;
  }
  a[2][3] = a[4][5] = 1.0;
  a[3][2] = -stiffness / wheel;
  a[3][4] = stiffness / wheel;
  a[3][3] = -twist / wheel;
  a[3][5] = twist / wheel;
  a[5][2] += stiffness / gear;
  a[5][4] -= stiffness / gear;
  a[5][3] += twist / gear;
  a[5][5] -= (twist + damping) / gear;
}

/* Advances the solution of x' = A x by a short time h, by Taylor's series. */
static void advance(double a[MOTIONS][MOTIONS], double h, double *x) {
  double term[MOTIONS], next[MOTIONS];
  memcpy(term, x, sizeof term);
  for (int order = 1; order <= 12; order++) {
    for (int i = 0; i < MOTIONS; i++) {
      next[i] = 0.0;
      for (int k = 0; k < MOTIONS; k++)
        next[i] += a[i][k] * term[k] * h / order;
    }
    for (int i = 0; i < MOTIONS; i++)
      x[i] += term[i] = next[i];
  }
}

/* Computes the coefficients c of the polynomial whose roots are exp(z T), z the eigenvalues with frequencies multiplied
 * by `stretch'. Each motion is a sum of exp(z t), so that samples x_k at intervals T obey sum c_k x_k = 0. Returns the
 * greatest imaginary part of an eigenvalue below `fast`, which belongs to the oscillation of the car with its steering,
 * and sets its decay, 1/s. */
static double recurrence(double a[MOTIONS][MOTIONS], double interval, double stretch, double fast, double *c,
                         double *decay) {
  double copy[MOTIONS * MOTIONS], found = 0.0;
  gsl_complex poly[MOTIONS + 1] = {gsl_complex_rect(1.0, 0.0)};
  memcpy(copy, a, sizeof copy);
  gsl_matrix_view view = gsl_matrix_view_array(copy, MOTIONS, MOTIONS);
  gsl_vector_complex *value = gsl_vector_complex_alloc(MOTIONS);
  gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc(MOTIONS);
  gsl_eigen_nonsymm(&view.matrix, value, work);
  for (int k = 0; k < MOTIONS; k++) {
    gsl_complex z = gsl_vector_complex_get(value, (size_t)k);
    if (GSL_IMAG(z) > found && GSL_IMAG(z) < fast) {
      found = GSL_IMAG(z);
      *decay = -GSL_REAL(z);
    }
    double size = exp(GSL_REAL(z) * interval), angle = stretch * GSL_IMAG(z) * interval;
    gsl_complex root = gsl_complex_rect(size * cos(angle), size * sin(angle));
    for (int i = k + 1; i >= 0; i--) /* poly (x - root), the lowest power first */
      poly[i] = gsl_complex_sub(i > 0 ? poly[i - 1] : gsl_complex_rect(0.0, 0.0),
                                i <= k ? gsl_complex_mul(poly[i], root) : gsl_complex_rect(0.0, 0.0));
  }
  for (int i = 0; i <= MOTIONS; i++)
    c[i] = GSL_REAL(poly[i]);
  gsl_eigen_nonsymm_free(work);
  gsl_vector_complex_free(value);
  return found;
}

/* Returns the greatest sum c_k x_k divided by the greatest term. */
static double missed(const double *x, int count, int every, const double *c) {
  double worst_sum = 0.0, size = 0.0;
  for (int i = 0; i + MOTIONS * every < count; i++) {
    double sum = 0.0;
    for (int k = 0; k <= MOTIONS; k++) {
      sum += c[k] * x[i + k * every];
      size = tap_max(size, fabs(c[k] * x[i + k * every]));
    }
    take(&worst_sum, sum);
  }
  return worst_sum / size;
}

static const int motion_state[MOTIONS] = {VD_S_VY, VD_S_YAW_RATE, VD_S_HAND, VD_S_HAND_RATE, VD_S_GEAR, VD_S_GEAR_RATE};

/* Checks a steering wheel released from a small angle; driving force and drag have no effect. */
static void check_release(double v) {
  enum { SAMPLES = 1000, EVERY = 15 };
  static double hand[SAMPLES];
  char speed[48];
  double a[MOTIONS][MOTIONS], x[MOTIONS] = {0.0, 0.0, 1e-3, 0.0, 1e-3, 0.0}, worst_off = 0.0;
  double c[MOTIONS + 1], other[MOTIONS + 1], decay = 0.0, unused;
  snprintf(speed, sizeof speed, "initial.speed=%g", v);
  scene *s = scene_make("vehicle:\n"
                        "  base: ../vehicles/textbook_linear.yaml\n"
                        "  front: {tyre: {pneumatic_trail: 30 mm}}\n"
                        "  rear: {tyre: {pneumatic_trail: 30 mm}}\n"
                        "  steering: {trail: 20 mm, column: {gear_friction: 0}}\n"
                        "run: {duration: 5 s, level: L1}\n"
                        "steering_torque: 0\n",
                        speed, NULL);
  for (int i = 0; i < MOTIONS; i++)
    s->sim.state.x[motion_state[i]] = x[i];
  scene_restart(s);
  linear_car(v, a);
  double frequency = recurrence(a, 1e-3 * EVERY, 1.0, 60.0, c, &decay);
  recurrence(a, 1e-3 * EVERY, 1.01, 60.0, other, &unused);
  for (int k = 0; k < SAMPLES; k++) {
    advance(a, 1e-3, x);
    vd_sim_step(&s->sim);
    hand[k] = s->sim.state.x[VD_S_HAND];
    for (int i = 0; i < MOTIONS; i++) {
      double scale = i == 3 || i == 5 ? 1e-3 * frequency : i == 0 ? 1e-3 * v / 16.0 : 1e-3;
      take(&worst_off, (s->sim.state.x[motion_state[i]] - x[i]) / scale);
    }
  }
  /* for 1e-3 rad nonlinear terms are a millionth of the motion; at 1 ms the error of RK4 for a rate of 110 1/s is
   * (0.11)^4/120 of the motion */
  tap_near(worst_off, 0.0, 1e-5,
           "released at %.0f m/s: all six motions agree with the linear car within %.1e of their amplitudes", v,
           worst_off);
  tap_near(
      missed(hand, SAMPLES, EVERY, c), 0.0, 1e-5,
      "a released steering wheel has the eigenvalues of the linear car, among them %.3f Hz with a decay of %.2f 1/s",
      frequency / VD_PI / 2.0, decay);
  tap_ok(missed(hand, SAMPLES, EVERY, other) > 1e-4,
         "the comparison would notice frequencies that are 1 %% higher: %.1e", missed(hand, SAMPLES, EVERY, other));
  scene_free(s);
}

/* --- friction --- */

/* Checks a steering wheel turned by sines: the friction torque never exceeds its limit, reaches it at any speed, and is
 * constant at rest. */
static void check_friction(void) {
  const vd_friction f = {0.5, 0.5 / 0.02};
  double highest = 0.0, least = INFINITY;
  for (double hertz = 0.02; hertz < 5.0; hertz *= 2.0) {
    const double size = 0.2, w = 2.0 * VD_PI * hertz, h = 1e-5 / hertz;
    double torque = 0.0, peak = 0.0;
    for (double t = 0.0; t < 2.0 / hertz; t += h) {
      double speed = size * w * cos(w * t), middle = torque + 0.5 * h * vd_friction_rate(&f, speed, torque);
      torque += h * vd_friction_rate(&f, size * w * cos(w * (t + 0.5 * h)), middle);
      peak = tap_max(peak, fabs(torque));
    }
    highest = tap_max(highest, peak);
    least = tap_min(least, peak);
  }
  /* peak speeds are 0.025 to 3.2 rad/s: at the lowest one friction tends to 0.98 of the limit; 20 degrees on either
   * side of a sine's middle are enough to reach it */
  tap_ok(highest <= 0.5 && least >= 0.96 * 0.5,
         "friction of 0.5 N m has peaks from %.3f to %.3f N m at 0.02 to 2.56 Hz", least, highest);
  double held = 0.25, left = held;
  for (int i = 0; i < 30000; i++)
    left += 1e-3 * vd_friction_rate(&f, 0.0, left);
  tap_ok(left >= 0.75 * held, "half of the friction torque, constant at rest, is still %.3f of its value after 30 s",
         left / held);
}

/* --- rear wheels --- */

/* Checks that a linear single track steers by d_f - d_r: r = V (d_f - d_r)/(L + U V^2). */
static void check_rear(void) {
  scene *s = scene_make("vehicle:\n"
                        "  base: ../vehicles/textbook_linear.yaml\n"
                        "  steering: {rear: {gain: [[0, -0.4], [20, 0.25], [60, 0.25]]}}\n"
                        "run: {duration: 12 s, level: L1}\n"
                        "initial: {speed: 20 m/s}\nspeed: 20 m/s\n"
                        "steer: {type: step, start: 0.1 s, rise: 1 s, value: 0.005}\n",
                        NULL);
  scene_run(s, 10.0);
  vd_row row = scene_row(s);
  double yaw = 20.0 * 0.005 * (1.0 - 0.25) / (2.68 + 1.76082e-3 * 400.0);
  tap_near(row.eval.motion.yaw_rate / yaw, 1.0, 2e-4,
           "rear wheels with a quarter of the front angle take a quarter off the yaw rate: %.5f 1/s",
           row.eval.motion.yaw_rate);
  tap_near(row.eval.steering.angle[VD_RL] / (0.25 * 0.005), 1.0, 1e-4,
           "rear wheels with a gain of a quarter have a quarter of the front angle");
  scene_free(s);
}

/* Checks rear racks at walking pace, where wheels hardly slip: with the forward speed V cos b, r = V cos b (tan d_f -
 * tan d_r)/L. For linkages d is the mean of their wheels' angles at rest; the formula neglects a roll of 1e-4 rad and
 * the slip of the tyres at 0.04 m/s2. */
static void check_rear_racks(void) {
  static const char *const run[] = {"L3",
                                    "L4",
                                    "L4, linkage: exact",
                                    "L5, unsprung: strut",
                                    "L5, unsprung: linkage",
                                    "L5, unsprung: linkage, links: stiff",
                                    "L1", /* from here on with tables */
                                    "L2",
                                    "L3"};
  static const char rack[] = "vehicle.rear.linkage={base: scenarios/suspensions/5link_rear_sports.yaml,"
                             " wheel: {static_radius: 0.33 m}, steering: rack}",
                    tables[] = "vehicle.base=scenarios/vehicles/sports_tables.yaml";
  char setting[96];
  double shift = 0.0;
  for (size_t k = 0; k < VD_COUNT(run); k++) {
    scene *s = scene_make("vehicle:\n"
                          "  base: ../vehicles/sports_hardpoints.yaml\n"
                          "  steering: {ackermann: 0, rear: {gain: [[0, -0.4], [5, -0.4]]}}\n"
                          "initial: {speed: 1 m/s}\nspeed: 1 m/s\n"
                          "steer: {type: step, start: 0.1 s, rise: 1 s, value: 0.05}\n",
                          run_of(run[k], setting), "vehicle.drivetrain.rear_differential={type: open}",
                          k < 6 ? rack : tables, NULL);
    scene_run(s, 10.0);
    const vd_eval e = scene_row(s).eval;
    const double *angle = e.steering.angle, length = s->def.vehicle.wheelbase;
    double rear = 0.5 * (angle[VD_RL] + angle[VD_RR]), front = 0.5 * (angle[VD_FL] + angle[VD_FR]);
    tap_near(rear / (-0.4 * 0.05), 1.0, 0.01, "%s: rear wheels stand at %.5f rad", run[k], rear);
    tap_near(e.motion.yaw_rate / (e.motion.vx * (tan(front) - tan(rear)) / length), 1.0, 5e-3,
             "steered rear wheels turn the car with the front ones: %.5f 1/s", e.motion.yaw_rate);
    if (k == 1)
      shift = e.steering.rack[VD_REAR];
    else if (k > 1 && k < 6) /* one linkage needs one rack shift for an angle; struts have no rack */
      tap_near(e.steering.rack[VD_REAR] / shift, k == 3 ? 0.0 : 1.0, 1e-3,
               "the rear rack is shifted by the same %.2f mm for the same angle", 1e3 * shift);
    scene_free(s);
  }
}

/* --- order and mirror images --- */

static const char smooth[] = "vehicle: ../vehicles/sedan_eps.yaml\n"
                             "run: {duration: 10 s, v_low: 20}\n"
                             "initial: {speed: 30 m/s}\n"
                             "throttle: 0.2\n"
                             "steering_torque: {type: sine, amplitude: 0.6, frequency: 0.8 Hz}\n";

static const char turned[] = "vehicle: ../vehicles/sedan_eps.yaml\n"
                             "run: {duration: 5 s}\n"
                             "initial: {speed: 25 m/s}\n"
                             "throttle: 0.2\n"
                             "events: {when: time, time: 2.5 s, steering_torque: 0}\n";

static void check_runs(void) {
  /* the torque stays below the second point of the assistance, whose curvature jumps at its points; friction reverses
   * smoothly */
  for (int level = 1; level <= 4; level++) {
    char setting[32];
    snprintf(setting, sizeof setting, "run.level=L%d", level);
    const char *text = smooth;
    char other[1024];
    if (level == 4) {
      snprintf(other, sizeof other,
               "%sinitial: {speed: 30 m/s}\nsteering_torque: {type: sine, amplitude: 0.6, frequency: 0.8 Hz}\n",
               linked);
      text = other;
    }
    judge_joint_order(setting + 10, run_for_order(text, setting, 0.002, NULL), 15);
  }
  static const char *const left[] = {"steering_wheel={type: step, start: 0.1, rise: 0.3, value: 0.3}", NULL},
                           *const right[] = {"steering_wheel={type: step, start: 0.1, rise: 0.3, value: -0.3}", NULL};
  check_mirror("L3, released in a turn", turned, "run.level=L3", left, right);
  check_mirror("L5, released in a turn", turned, "run.level=L5", left, right);
  char other[1024];
  snprintf(other, sizeof other, "%sinitial: {speed: 25 m/s}\nevents: {when: time, time: 2.5 s, steering_torque: 0}\n",
           linked);
  check_mirror("L4, released in a turn", other, "run.level=L4", left, right);
}

int main(void) {
  tap_plan((int)VD_COUNT(cars) + 4 + 6 + 1 + 6 + 2 + 2 + 18 + 4 + 4 + 6);
  check_cars();
  check_turn();
  check_weight();
  check_rack();
  check_release(8.0);
  check_release(25.0);
  check_friction();
  check_rear();
  check_rear_racks();
  check_runs();
  return tap_done();
}
