/* The free body in the air: motions of a rigid body that are known in closed form, and quantities that a car conserves
 * for any motion of its wheels.
 *
 * Gravity is the only external force (no ground, no aerodynamics), so that the mass centre moves along a parabola and
 * the angular momentum about it is constant.
 *
 * Errors of the integration. For a quantity that turns at the rate w, the error of RK4 is (w h)^5/120 per step of h, so
 * w (w h)^4/120 per second. At 2 rad/s and 1 ms that is 2.7e-13 1/s, 2.7e-11 after 100 s: below 1e-10. */
#include "free_states.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>
#include <stdio.h>

static const double g = VD_GRAVITY;

#define IN_THE_AIR "ground: {type: none}\n"

/* A car and the suspension of its wheels. */
typedef struct carrier {
  const char *name, *car, *unsprung, *links;
} carrier;

static scene *in_the_air(const char *text, const carrier *kind, const char *one, const char *other) {
  static const char *const still[] = {"vehicle.aero.drag=0", "vehicle.aero.downforce_front=0",
                                      "vehicle.aero.downforce_rear=0", "run.level=L5"};
  return scene_make(text, kind->car, still[0], still[1], still[2], still[3], kind->unsprung, kind->links, one, other,
                    NULL);
}

/* Starts a flight. velocity: of the mass centre, in the world; turning: rad/s, body axes. Wheels are at rest in their
 * design places. */
static void throw_it(scene *s, vec velocity, vec turning) {
  double *x = s->sim.state.x;
  const double *q = x + VD_S_QUATERNION, back[4] = {q[0], -q[1], -q[2], -q[3]};
  vec u = turned_by(back, velocity);
  x[VD_S_VX] = u.v[0];
  x[VD_S_VY] = u.v[1];
  x[VD_S_VZ] = u.v[2];
  x[VD_S_ROLL_RATE] = turning.v[0];
  x[VD_S_PITCH_RATE] = turning.v[1];
  x[VD_S_YAW_RATE] = turning.v[2];
  for (int i = 0; i < VD_WHEELS && vd_on_stiff_links(&s->model.options); i++) {
    vec v = turned_by(q, add(u, 1.0, cross(turning, design_place(s, i))));
    for (int j = 0; j < 3; j++)
      x[VD_S_WHEEL_SPEED + VD_WHEELS * j + i] = v.v[j];
  }
}

static vec turning_of(const scene *s) {
  const double *x = s->sim.state.x;
  return vec_of(x[VD_S_ROLL_RATE], x[VD_S_PITCH_RATE], x[VD_S_YAW_RATE]);
}

static double norm_error(const scene *s) {
  const double *q = s->sim.state.x + VD_S_QUATERNION;
  return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1.0;
}

/* --- a rigid body ---
 *
 * On hubs the car is one rigid body: the sprung mass with its inertia about its own centre, and four points at the
 * wheel centres. Wheels at rest relative to the world (their spin relative to the body is the opposite of its pitch
 * rate) have no spin momentum, and no moment changes it; locked wheels add their spin inertia about the body's y axis.
 *
 * Landau and Lifshitz, Mechanics, section 37: with I1 < I2 < I3, E the energy, M the momentum and M^2 > 2 E I2
 *   w1 = sqrt((2 E I3 - M^2)/(I1 (I3 - I1))) cn,  w2 = sqrt((2 E I3 - M^2)/(I2 (I3 - I2))) sn,
 *   w3 = sqrt((M^2 - 2 E I1)/(I3 (I3 - I1))) dn,  functions of  tau = t sqrt((I3 - I2)(M^2 - 2 E I1)/(I1 I2 I3)),
 *   m = (I2 - I1)(2 E I3 - M^2)/((I3 - I2)(M^2 - 2 E I1)),  period 4 K(m) of tau.
 * From the start (0, W, e), cn = 0 and tau = K at first; 2 E I3 - M^2 = I2 (I3 - I2) W^2, and M^2 - 2 E I1 = p + q with
 * p = I2 (I2 - I1) W^2, q = I3 (I3 - I1) e^2, so that m = p/(p + q) and 1 - m = q/(p + q). */

typedef struct principal {
  double inertia[3]; /* rising */
  vec axis[3];       /* right-handed */
} principal;

/* Computes the inertia of the whole car about its mass centre, which is O. locked: kg m2, addition of locked wheels
 * about y. */
static void inertia_by_hand(const scene *s, double locked, double (*a)[3]) {
  const vd_vehicle_def *v = vehicle_of(s);
  double own[3] = {v->roll_inertia, v->pitch_inertia + locked, v->yaw_inertia};
  for (int k = 0; k < MASSES; k++) {
    vec at = k < VD_WHEELS ? design_place(s, k) : sprung_place(v);
    double square = dot(at, at);
    own[2] -= mass_of(v, k) * (square - at.v[2] * at.v[2]); /* yaw_inertia belongs to the whole car */
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        a[i][j] = (k == 0 ? 0.0 : a[i][j]) + mass_of(v, k) * ((i == j ? square : 0.0) - at.v[i] * at.v[j]);
  }
  for (int i = 0; i < 3; i++)
    a[i][i] += own[i];
}

static principal principal_of(double (*a)[3]) {
  principal p;
  gsl_matrix *m = gsl_matrix_alloc(3, 3), *vectors = gsl_matrix_alloc(3, 3);
  gsl_vector *values = gsl_vector_alloc(3);
  gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(3);
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++)
      gsl_matrix_set(m, i, j, a[i][j]);
  gsl_eigen_symmv(m, values, vectors, work);
  gsl_eigen_symmv_sort(values, vectors, GSL_EIGEN_SORT_VAL_ASC);
  for (size_t k = 0; k < 3; k++) {
    p.inertia[k] = gsl_vector_get(values, k);
    p.axis[k] = vec_of(gsl_matrix_get(vectors, 0, k), gsl_matrix_get(vectors, 1, k), gsl_matrix_get(vectors, 2, k));
  }
  p.axis[2] = cross(p.axis[0], p.axis[1]);
  gsl_matrix_free(m);
  gsl_matrix_free(vectors);
  gsl_vector_free(values);
  gsl_eigen_symmv_free(work);
  return p;
}

/* The motion in closed form. */
typedef struct tumble {
  principal p;
  double peak[3], rate, m, quarter; /* rad/s, 1/s, -, K */
} tumble;

static tumble tumble_of(const principal *p, double about2, double about3) {
  double i1 = p->inertia[0], i2 = p->inertia[1], i3 = p->inertia[2];
  double a = i2 * (i3 - i2) * about2 * about2, b = i2 * (i2 - i1) * about2 * about2,
         c = i3 * (i3 - i1) * about3 * about3;
  tumble t = {.p = *p, .m = b / (b + c)};
  t.peak[0] = sqrt(a / (i1 * (i3 - i1)));
  t.peak[1] = about2;
  t.peak[2] = sqrt((b + c) / (i3 * (i3 - i1)));
  t.rate = sqrt((i3 - i2) * (b + c) / (i1 * i2 * i3));
  t.quarter = gsl_sf_ellint_RF(0.0, c / (b + c), 1.0, GSL_PREC_DOUBLE); /* Carlson: K(m) = R_F(0, 1 - m, 1) */
  return t;
}

static vec tumbling(const tumble *t, double time) {
  double sn, cn, dn;
  vec w = vec_of(0, 0, 0);
  gsl_sf_elljac_e(fmod(t->quarter + t->rate * time, 4.0 * t->quarter), t->m, &sn, &cn, &dn);
  w = add(w, t->peak[0] * cn, t->p.axis[0]);
  w = add(w, t->peak[1] * sn, t->p.axis[1]);
  return add(w, t->peak[2] * dn, t->p.axis[2]);
}

/* Returns the zero of a cubic with these values and slopes at the ends of a step h, as a share of h. */
static double zero_between(double from, double to, double from_rate, double to_rate, double h) {
  double low = 0.0, high = 1.0;
  for (int k = 0; k < 60; k++) {
    double u = 0.5 * (low + high), v = 1.0 - u;
    double y = v * v * ((1.0 + 2.0 * u) * from + u * h * from_rate) + u * u * ((1.0 + 2.0 * v) * to - v * h * to_rate);
    if ((y > 0.0) == (to > 0.0))
      high = u;
    else
      low = u;
  }
  return 0.5 * (low + high);
}

static vec rates_of_turning(const scene *s) {
  const double *dx = s->sim.rates;
  return vec_of(dx[VD_S_ROLL_RATE], dx[VD_S_PITCH_RATE], dx[VD_S_YAW_RATE]);
}

static const carrier hub = {"hub", "vehicle=scenarios/vehicles/sedan.yaml", "run.unsprung=hub", "run.links=rigid"};

/* The fall of 100 s ends at 981 m/s after 49 km; the energy of the fall is 7e8 J, that of the rotation 5e3 J. */
static void check_rigid_body(const char *what, const char *more, bool locked) {
  const double about2 = 2.0, about3 = 0.1, until = 100.0;
  scene *s = in_the_air(IN_THE_AIR "run: {duration: 100 s}\n"
                                   "initial: {z: 0}\n",
                        &hub, more, locked ? "brake=1" : "brake=0");
  double inertia[3][3], wheels = 0.0, norms = 0.0, momentum = 0.0, turning_energy = 0.0, whole = 0.0, off = 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    wheels += vehicle_of(s)->axle[vd_axle_of(i)].wheel_inertia;
  inertia_by_hand(s, locked ? wheels : 0.0, inertia);
  principal p = principal_of(inertia);
  tumble t = tumble_of(&p, about2, about3);
  vec zero = vec_of(0, 0, 0), w = tumbling(&t, 0.0);
  throw_it(s, zero, w);
  for (int i = 0; i < VD_WHEELS && !locked; i++) {
    s->sim.state.x[VD_S_SPIN + i] = -w.v[1];
    s->sim.state.mode[VD_M_BRAKE + i] = sign_of(-w.v[1]);
  }
  scene_restart(s);

  double first = 0.0, last = 0.0, energy0 = 0.0, before = about2, rate_before = 0.0, step = s->model.options.step;
  vec momentum0 = zero;
  long crossings = 0, steps = lround(until / step);
  for (long n = 0; n <= steps && s->sim.status == VD_SIM_OK; n++) {
    if (n > 0)
      vd_sim_step(&s->sim);
    w = turning_of(s);
    vec m = zero;
    for (int j = 0; j < 3; j++)
      m.v[j] = inertia[j][0] * w.v[0] + inertia[j][1] * w.v[1] + inertia[j][2] * w.v[2];
    double energy = 0.5 * dot(w, m);
    m = turned_by(s->sim.state.x + VD_S_QUATERNION, m);
    if (n == 0) {
      energy0 = energy;
      momentum0 = m;
    }
    take(&norms, norm_error(s));
    take(&turning_energy, energy / energy0 - 1.0);
    take(&momentum, norm(add(m, -1.0, momentum0)) / norm(momentum0));
    if (n % 10 == 0) {
      vd_row row = scene_row(s);
      take(&off, norm(add(w, -1.0, tumbling(&t, (double)n * step))));
      take(&whole, row.eval.log.ledger / (energy0 + 0.5 * vehicle_of(s)->mass * g * g * until * until));
    }
    double now = dot(w, p.axis[1]), rate = dot(rates_of_turning(s), p.axis[1]);
    if (n > 0 && before < 0.0 && now >= 0.0) {
      last = ((double)(n - 1) + zero_between(before, now, rate_before, rate, step)) * step;
      first = crossings++ ? first : last;
    }
    before = now;
    rate_before = rate;
  }
  double period = (last - first) / (double)(crossings - 1), theory = 4.0 * t.quarter / t.rate;
  tap_diag("%s: %.3f, %.3f, %.3f kg m2 about the principal axes; %ld turns over in %.0f s", what, p.inertia[0],
           p.inertia[1], p.inertia[2], 2 * crossings, until);
  tap_near(norms, 0.0, 1e-14, "%s: the quaternion has length 1 within %.1e", what, norms);
  tap_near(turning_energy, 0.0, 1e-10, "%s: the energy of rotation is constant within %.1e", what, turning_energy);
  tap_near(whole, 0.0, 1e-10, "%s: the energy in flight is constant within %.1e", what, whole);
  tap_near(momentum, 0.0, 1e-10, "%s: angular momentum is constant in the world within %.1e", what, momentum);
  tap_near(off / about2, 0.0, 1e-9, "%s: turns as Jacobi's functions within %.1e", what, off / about2);
  tap_near(period / theory, 1.0, 1e-6, "%s: turns over every %.9f s, by the elliptic integral %.9f (%.1e)", what,
           period, theory, period / theory - 1.0);
  scene_free(s);
}

/* --- flights ---
 *
 * The car spins in the air while it is steered, driven and braked, until wheels lock if no controller prevents it.
 * Forces inside do not move its mass centre, and moments inside keep its angular momentum.
 *
 * RK4 conserves sums of states to rounding, but the body's momentum is a product, attitude times velocity. The fastest
 * process: dampers stop the wheels, which drop on their springs, at the rate c/m_u = 3000/40 = 75 1/s. In 1/75 s the
 * attitude turns by 1.5/75, at a body speed of 0.5 m/s. The error of this product is 0.5 x (75 h)^4/120 x 1.5/75 m/s:
 * 1.6e-10 m/s at 0.5 ms, 1e-11 at 0.25 ms; stops and locking wheels are as fast and add similar errors. In a flight of
 * 2.5 s an error of 1.6e-10 m/s displaces the car by 0.4 nm, too near to the tolerance of 1 nm: the step is 0.25 ms. */

static const char flying[] = IN_THE_AIR "run: {duration: 10 s, step: 0.25 ms}\n"
                                        "initial: {speed: 20 m/s, z: 2}\n"
                                        "steer: {type: sine, amplitude: 0.3, frequency: 0.7 Hz}\n"
                                        "throttle: {type: pulse, start: 0.2 s, duration: 0.8 s, amplitude: 1}\n"
                                        "brake: {type: step, start: 1.2 s, rise: 0.2 s, value: 1}\n";

static void check_flight(const carrier *kind) {
  const double until = 2.5;
  const char *what = kind->name;
  scene *s = in_the_air(flying, kind, NULL, NULL);
  throw_it(s, vec_of(20.0, 3.0, 5.0), vec_of(0.8, -0.5, 1.1));
  scene_restart(s);
  vd_row row = scene_row(s);
  const double *x = s->sim.state.x;
  vec start = vec_of(row.eval.log.cg[0], row.eval.log.cg[1], row.eval.log.cg[2]);
  vec speed = vec_of(row.eval.log.cg_speed[0], row.eval.log.cg_speed[1], row.eval.log.cg_speed[2]);
  vec kept = angular_momentum(s, x, &row.eval, start);
  double off = 0.0, momentum = 0.0, shown = 0.0, norms = 0.0, swing = 0.0, first = fabs(x[VD_S_SPIN]), fastest = 0.0;
  double step = s->model.options.step;
  long steps = lround(until / step);
  for (long n = 1; n <= steps && s->sim.status == VD_SIM_OK; n++) {
    vd_sim_step(&s->sim);
    row = scene_row(s);
    double t = (double)n * step;
    const vd_eval *e = &row.eval;
    vec at = vec_of(e->log.cg[0], e->log.cg[1], e->log.cg[2]);
    vec hand = add(add(start, t, speed), -0.5 * t * t, vec_of(0.0, 0.0, g));
    take(&off, norm(add(at, -1.0, hand)));
    vec now = angular_momentum(s, x, e, at);
    take(&momentum, norm(add(now, -1.0, kept)) / norm(kept));
    take(&shown, norm(add(vec_of(e->log.angular_momentum[0], e->log.angular_momentum[1], e->log.angular_momentum[2]),
                          -1.0, now)) /
                     norm(kept));
    take(&norms, norm_error(s));
    swing = tap_max(swing, fabs(e->motion.travel[VD_FL] - e->motion.travel[VD_RR]));
    fastest = tap_max(fastest, fabs(x[VD_S_SPIN + VD_RL]));
  }
  if (s->sim.status != VD_SIM_OK)
    off = NAN;
  tap_diag("%s: wheels swing by %.0f mm, spin at %.0f to %.0f rad/s, the last %.1g", what, 1e3 * swing, first, fastest,
           x[VD_S_SPIN + VD_FL]);
  tap_near(off, 0.0, 1e-9, "%s: the mass centre flies along a parabola within %.1e m", what, off);
  tap_near(momentum, 0.0, 1e-9, "%s: the angular momentum about the mass centre is constant within %.1e", what,
           momentum);
  tap_near(shown, 0.0, 1e-12, "%s: the logged angular momentum is the sum over masses and spins within %.1e", what,
           shown);
  tap_near(norms, 0.0, 1e-14, "%s: the quaternion has length 1 within %.1e", what, norms);
  tap_ok(fastest > first + 50.0 && fabs(x[VD_S_SPIN + VD_FL]) < 0.8 * first, "%s: wheels were driven and braked", what);
  scene_free(s);
}

/* --- a start with angular velocities ---
 *
 * A start by the scenario's keys equals a start set by the test: wheels are at rest in their design places, and roll as
 * if on a road at design height below. */

static void check_start(const carrier *kind) {
  const char *what = kind->name;
  static const int body[] = {VD_S_VX, VD_S_VY, VD_S_VZ, VD_S_ROLL_RATE, VD_S_PITCH_RATE, VD_S_YAW_RATE};
  const vec turning = vec_of(0.8, -0.5, 1.1);
  scene *s = in_the_air(IN_THE_AIR "run: {duration: 1 s}\n"
                                   "initial: {speed: 20 m/s, vy: 3 m/s, z: 2, yaw: 0.6, pitch: -0.2, roll: 2.8,\n"
                                   "  roll_rate: 0.8, pitch_rate: -0.5, yaw_rate: 1.1}\n",
                        kind, "steer=0.1", NULL);
  const double *x = s->sim.state.x, hand[] = {20.0, 3.0, 0.0, turning.v[0], turning.v[1], turning.v[2]};
  double off = 0.0, wheels = 0.0, rolling = 0.0;
  for (size_t j = 0; j < VD_COUNT(body); j++)
    take(&off, x[body[j]] - hand[j]);
  tap_near(off, 0.0, 0.0, "%s: starts with the velocities of the scenario", what);
  for (int i = 0; i < VD_WHEELS; i++) {
    vec place = design_place(s, i), velocity = add(vec_of(20, 3, 0), 1.0, cross(turning, place));
    vec world = turned_by(x + VD_S_QUATERNION, velocity);
    if (s->model.options.unsprung != VD_UNSPRUNG_HUB) {
      vec own, at = wheel_mass_at(s, x, i, &own);
      take(&wheels, norm(add(own, -1.0, world)) + norm(add(at, -1.0, world_of(x, place))));
    }
    const vd_command *c = &s->sim.command;
    vec down = vec_of(place.v[0], place.v[1], -vehicle_of(s)->cg_height);
    velocity = add(vec_of(20, 3, 0), 1.0, cross(turning, down));
    take(&rolling, vehicle_of(s)->axle[vd_axle_of(i)].wheel_radius * x[VD_S_SPIN + i] -
                       velocity.v[0] * c->cos_angle[i] - velocity.v[1] * c->sin_angle[i]);
  }
  tap_near(wheels, 0.0, 1e-13, "%s: the wheels' masses start with the velocity of their places within %.1e m/s", what,
           wheels);
  tap_near(rolling, 0.0, 1e-13, "%s: each wheel starts to roll at the speed of its contact point within %.1e m/s", what,
           rolling);
  scene_free(s);
}

/* --- brakes and throttle in the air ---
 *
 * Without an angular velocity the car has the spin momentum of its wheels, L = sum(I_w W a) about its y axis; a = 1 is
 * the component of the wheel's axle along y. L is constant: L = I_y w + sum(I_w a (W + a w)), W the spins relative to
 * the body, so
 *   w = (L - sum(I_w W a))/(I_y + sum(I_w a^2)).
 * Locked wheels, W = 0, that rolled forward turn its nose down; wheels that a torque from the body has accelerated turn
 * it up. I_y is the present inertia of the car about its mass centre: the sprung mass's own inertia, and that of five
 * points. On hubs it has its value at the design position. Wheels on springs have reached their rebound stops by then,
 * which adds 8 kg m2. Wheels on linkages have also moved along and across and lean, a < 1; this alone makes the car
 * pitch slightly before a brake acts. Springs settle at k/c = 10 1/s, so that after 4 s the deviation is 4e-18. */

static double pitch_inertia(const scene *s, const vd_eval *e) {
  const vd_vehicle_def *v = vehicle_of(s);
  const double *x = s->sim.state.x, *q = x + VD_S_QUATERNION;
  vec left = turned_by(q, vec_of(0, 1, 0)), centre = vec_of(e->log.cg[0], e->log.cg[1], e->log.cg[2]);
  double inertia = v->pitch_inertia;
  for (int k = 0; k < MASSES; k++) {
    vec velocity, place = k < VD_WHEELS && s->model.options.unsprung != VD_UNSPRUNG_HUB
                              ? wheel_mass_at(s, x, k, &velocity)
                              : world_of(x, k < VD_WHEELS ? design_place(s, k) : sprung_place(v));
    vec arm = cross(left, add(place, -1.0, centre));
    inertia += mass_of(v, k) * dot(arm, arm);
  }
  return inertia;
}

/* Returns w by the formula above. */
static double pitching_by_hand(scene *s, double momentum) {
  vd_row row = scene_row(s);
  double inertia = pitch_inertia(s, &row.eval);
  for (int i = 0; i < VD_WHEELS; i++) {
    double own = vehicle_of(s)->axle[vd_axle_of(i)].wheel_inertia, across = axle_in_body(&row.eval, i).v[1];
    momentum -= own * across * s->sim.state.x[VD_S_SPIN + i];
    inertia += own * across * across;
  }
  return momentum / inertia;
}

static void check_pitching(const carrier *kind, bool drive) {
  char what[64];
  snprintf(what, sizeof what, "%s, %s in the air", kind->name, drive ? "driven" : "braked");
  scene *s = in_the_air(IN_THE_AIR "run: {duration: 10 s}\n"
                                   "initial: {z: 0}\n",
                        kind, drive ? "initial.speed=0" : "initial.speed=20",
                        drive ? "throttle={type: pulse, start: 4 s, duration: 0.5 s, amplitude: 1}"
                              : "brake={type: step, start: 4 s, rise: 0.2 s, value: 1}");
  double momentum = 0.0, design[3][3];
  const double *x = s->sim.state.x;
  inertia_by_hand(s, 0.0, design);
  vd_row row = scene_row(s);
  for (int i = 0; i < VD_WHEELS; i++)
    momentum += vehicle_of(s)->axle[vd_axle_of(i)].wheel_inertia * x[VD_S_SPIN + i] * axle_in_body(&row.eval, i).v[1];
  scene_run(s, 4.0);
  double before = x[VD_S_PITCH_RATE], by_hand = pitching_by_hand(s, momentum);
  scene_run(s, 9.0);
  row = scene_row(s);
  double after = x[VD_S_PITCH_RATE], hand = pitching_by_hand(s, momentum);
  tap_diag("%s: %.4f kg m2 without spins, in the design position %.4f", what, pitch_inertia(s, &row.eval),
           design[1][1]);
  tap_near((before - by_hand) / hand, 0.0, 1e-6,
           "%s: before brake or throttle in the air the car pitches at %.9f rad/s, by hand %.9f", what, before,
           by_hand);
  tap_near(after / hand, 1.0, 1e-6,
           "%s: after brake or throttle in the air the car pitches at %.9f rad/s, by hand %.9f", what, after, hand);
  tap_ok(s->sim.status == VD_SIM_OK && (drive ? hand < -0.1 : hand > 0.1), "%s: the nose turns %s", what,
         drive ? "up" : "down");
  scene_free(s);
}

/* --- gyroscopic ---
 *
 * The spin momentum H = sum(I_w W) along y turns with the yaw rate r of the body, which requires a moment -r H about x;
 * its reaction r H about x acts on the body. As one body on hubs, I w' = (r H, -I_xz r^2, 0) gives w_x' = r H
 * I_zz/(I_xx I_zz - I_xz^2). Wheels on struts move with the body along x and y and are free along z, where the springs
 * have no moment about x yet: for them I_xx is less by their m y^2. Wheels on stiff links, which are at rest at first,
 * do not move with the body at all: the sprung mass alone accelerates, about its own principal axes, w_x' = r H/I_x. */
static void check_gyroscopic(const carrier *kind, double yaw_rate, double speed) {
  char setting[64];
  snprintf(setting, sizeof setting, "initial.speed=%g", speed);
  scene *s = in_the_air(IN_THE_AIR "run: {duration: 1 s}\n"
                                   "initial: {z: 0}\n",
                        kind, setting, NULL);
  double inertia[3][3], momentum = 0.0;
  const vd_vehicle_def *v = vehicle_of(s);
  inertia_by_hand(s, 0.0, inertia);
  for (int i = 0; i < VD_WHEELS && s->model.options.unsprung != VD_UNSPRUNG_HUB; i++)
    inertia[0][0] -= v->axle[vd_axle_of(i)].unsprung_mass * half(v, i) * half(v, i);
  throw_it(s, vec_of(speed, 0.0, 0.0), vec_of(0.0, 0.0, yaw_rate));
  scene_restart(s);
  for (int i = 0; i < VD_WHEELS; i++)
    momentum += v->axle[vd_axle_of(i)].wheel_inertia * speed / v->axle[vd_axle_of(i)].wheel_radius;
  double hand = yaw_rate * momentum / v->roll_inertia;
  if (!vd_on_stiff_links(&s->model.options))
    hand = yaw_rate * momentum * inertia[2][2] / (inertia[0][0] * inertia[2][2] - inertia[0][2] * inertia[0][2]);
  double got = s->sim.rates[VD_S_ROLL_RATE];
  tap_near(got / hand, 1.0, 1e-9, "%s, yaw rate %+.1f rad/s at %+.0f m/s: rolls at %+.9f rad/s2, by hand %+.9f",
           kind->name, yaw_rate, speed, got, hand);
  scene_free(s);
}

#define SEDAN  "vehicle=scenarios/vehicles/sedan.yaml"
#define LINKED "vehicle=scenarios/vehicles/sedan_hardpoints.yaml"
#define SPORTS "vehicle=scenarios/vehicles/sports_hardpoints.yaml"
#define RIGID  "run.links=rigid"
#define STIFF  "run.links=stiff"

static const carrier kinds[] = {
    {"strut", SEDAN, "run.unsprung=strut", RIGID},
    {"strut, stiff links", SEDAN, "run.unsprung=strut", STIFF},
    {"linkage", LINKED, "run.unsprung=linkage", RIGID},
    {"linkage, stiff links", LINKED, "run.unsprung=linkage", STIFF},
    {"hub", SEDAN, "run.unsprung=hub", RIGID},
    /* the sports cars are not used in the case with brakes and throttle, as their wheels do not stop in time */
    {"sports car on linkages", SPORTS, "run.unsprung=linkage", RIGID},
    {"sports car on linkages, stiff links", SPORTS, "run.unsprung=linkage", STIFF},
};
enum { PITCHING = 5 };

int main(void) {
  tap_plan(3 * 6 + 7 * (5 + 3) + PITCHING * 2 * 3 + 3 * 4);
  check_rigid_body("free wheels", "vehicle.cg_to_front=1.35", false);
  check_rigid_body("skew axes", "vehicle.cg_to_front=1.1", false);
  check_rigid_body("locked wheels", "vehicle.cg_to_front=1.2", true);
  for (size_t k = 0; k < VD_COUNT(kinds); k++) {
    check_flight(&kinds[k]);
    check_start(&kinds[k]);
    if (k >= PITCHING)
      continue;
    check_pitching(&kinds[k], false);
    check_pitching(&kinds[k], true);
  }
  for (int k = 0; k < 4; k++) {
    double r = k % 2 ? -0.7 : 0.7, speed = k / 2 ? -15.0 : 30.0;
    check_gyroscopic(&hub, r, speed);
    check_gyroscopic(&kinds[0], r, speed);
    check_gyroscopic(&kinds[1], r, speed);
  }
  return tap_done();
}
