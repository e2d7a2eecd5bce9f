/* L3, fourteen degrees of freedom: a free sprung body, four unsprung masses, four wheel spins, in one state.
 *
 * Coordinates. The body has the world position of its reference point O (the place of the whole centre of gravity at design
 * load), yaw, pitch and roll (ISO 8855: about z, y, x in turn), and velocities u, w in body axes. Each wheel has a travel s from
 * the design position along the body's z, bump > 0, and a spin relative to its knuckle. Nothing is small: the car may stand on any
 * slope, fall, and land; only pitch has to stay below a right angle.
 *
 * Kinematics of the links, by axle. Against the body the two wheels move as if a beam held them that slides along the body's z by
 * the mean travel and turns by -f, f = (s_right - s_left)/track, about the roll centre at height h_rc: upright on the road as far as
 * the tyres let them, whatever the body does. So lateral forces reach the body at the roll centre, load the springs with the
 * sprung mass alone and do not jack it up. Contact points also move by e s forward; e is the anti-dive or anti-lift slope. The
 * contact point is that of a thin disc in the wheel's plane: wheel centre - d e, e the road normal projected into that plane.
 * Spins turn about axles fixed in the body, so that their reactions reach the springs.
 *
 * Equations, by virtual work. With the velocity of each point a linear function of the rates of the coordinates, every force enters
 * every coordinate through the same arm by which that coordinate enters the point's velocity. In the coordinates s (mean) and f of
 * an axle, with Y, Z the places of the masses m and of the contacts from the roll centre, sums over both wheels:
 *
 *   sum(m a_z) = Q_s = sum(F_z + W),            sum(m (Z a_y - Y a_z)) = Q_f = sum(Z F_y - Y F_z) + track/2 (W_r - W_l)
 *   W = e F_x + (e_drive - e) T/R - spring - damper - bar
 *
 * and for the whole car  sum(m a) = F,  I w' + w x I w + sum(r x m a) = sum(r_contact x F) + M - sum(d/dt spin momentum).
 * Gravity is uniform, so all accelerations are taken less gravity, and it appears nowhere else. Solved for s'' and f'', the masses
 * of an axle act on the body as a lateral mass 2 m/(1 + (2 Zm/track)^2) at the roll centre, Zm their mean height over it, and by
 * Q_s and Q_f; what is left is a symmetric 3 x 3 system for the angular acceleration.
 *
 * Springs, dampers and stops are in suspension.h. Tyres are vertical springs between the disc and the road's tangent plane, with
 * damping, that cannot pull: F (n . e) = k d + c d'. */
#include "fourteen_body.h"

/* Deflection over which the tyre's vertical damping builds up, so that touching the road is no blow. */
static const double damping_run = 0.005; /* m */

/* --- where things are --- */

/* Distance of a point from the road's tangent plane, and that plane's normal, world. The plane is that of the point's foot: first
 * straight below, then, where the road is no plane, below the foot that was found. */
static inline double road_below(const vd_model *m, const double *p, double lift, double *normal) {
  vd_road road;
  double distance = 0.0, at[2] = {p[0], p[1]};
  for (int round = m->ride.plane ? 1 : 0; round < 2; round++) {
    vd_ground_road(&m->ground, at[0], at[1], &road);
    double scale = 1.0 / sqrt(1.0 + road.slope_x * road.slope_x + road.slope_y * road.slope_y);
    normal[0] = -road.slope_x * scale;
    normal[1] = -road.slope_y * scale;
    normal[2] = scale;
    distance = normal[0] * (p[0] - at[0]) + normal[1] * (p[1] - at[1]) + normal[2] * (p[2] - road.z - lift);
    at[0] = p[0] - distance * normal[0];
    at[1] = p[1] - distance * normal[1];
  }
  return distance;
}

/* The disc of one wheel on its road: contact point, axes, deflection. */
static inline void touch(const vd_model *m, const vd_command *c, const frame *f, const double *x, const beam *b, int i,
                         vd_eval *restrict e, contacts *k) {
  const vd_ride *ride = &m->ride;
  int a = i / 2;
  double yz[2], world[3], normal[3], *n = k->normal[i];
  on_beam(b, m->lanes.y[i], ride->wheel_above[a], yz);
  double centre[3] = {m->lanes.x[i] + ride->brake_slope[a] * e->travel[i], yz[0], b->centre_z + yz[1]};
  into_world(f, x, centre, world);
  double distance = road_below(m, world, c->post[i], normal);
  for (int j = 0; j < 3; j++)
    n[j] = normal[0] * f->to_world[0][j] + normal[1] * f->to_world[1][j] + normal[2] * f->to_world[2][j];

  /* disc: the normal less its part along the wheel's axle */
  double axle[3] = {-c->sin_angle[i], c->cos_angle[i] * b->cosine, -c->cos_angle[i] * b->sine};
  double lean = dot(n, axle), upright = sqrt(1.0 - lean * lean), inverse = 1.0 / upright, length = distance * inverse;
  double disc[3], down[3];
  for (int j = 0; j < 3; j++) {
    disc[j] = (n[j] - lean * axle[j]) * inverse;
    k->aside[i][j] = upright * axle[j] - lean * disc[j];
    down[j] = -length * disc[j];
    k->at[i][j] = centre[j] + down[j];
  }
  cross(axle, disc, k->ahead[i]);
  double pivot[3] = {0.0, b->sine, b->cosine};
  cross(pivot, down, k->swept[i]);
  k->cosine[i] = upright;
  k->post_lift[i] = normal[2];
  e->deflection[i] = ride->free_radius[i] - length;
  e->camber[i] = 0.0;
  if (m->lanes.moments) /* only such tyres ask for it */
    e->camber[i] = asin(lean) + ride->camber_gain[a] * asin(b->sine);
  into_world(f, x, k->at[i], world);
  e->contact_x[i] = world[0];
  e->contact_y[i] = world[1];
  e->road[i] = world[2];
  e->friction[i] = vd_ground_friction(&m->ground, world[0], world[1]);
}

/* Velocities of the contact points, and the loads. */
static inline void press(const vd_model *m, const vd_command *c, const frame *f, const beam *b, int i,
                         vd_eval *restrict e, contacts *k) {
  const vd_ride *ride = &m->ride;
  double *v = k->v[i], *at = k->at[i];
  cross(f->w, at, v);
  v[0] += f->u[0] + ride->brake_slope[i / 2] * e->travel_rate[i];
  v[1] += f->u[1] + b->turn * (at[2] - b->centre_z);
  v[2] += f->u[2] + b->rise - b->turn * at[1];
  for (int j = 0; j < 3; j++)
    v[j] += c->angle_rate[i] * k->swept[i][j];
  e->vx_contact[i] = dot(k->ahead[i], v);
  e->vy_contact[i] = dot(k->aside[i], v);

  double inverse = 1.0 / k->cosine[i], deflection = e->deflection[i];
  k->rate[i] = (k->post_lift[i] * c->post_rate[i] - dot(k->normal[i], v)) * inverse;
  k->elastic[i] = deflection > 0.0 ? ride->tyre_stiffness[i] * deflection : 0.0;
  double force = k->elastic[i];
  if (ride->damped && deflection > 0.0)
    force += ride->tyre_damping[i] * fmin(deflection / damping_run, 1.0) * k->rate[i];
  e->load[i] = fmax(force, 0.0) * inverse;
}

/* --- forces --- */

static inline void suspension_forces(const vd_model *m, vd_eval *restrict e) {
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_suspension *s = &m->ride.suspension[i / 2];
    double across = e->travel[i] - e->travel[i ^ 1];
    e->spring_force[i] = vd_suspension_spring(s, e->travel[i]) + m->ride.bar[i / 2] * across;
    e->damper_force[i] = vd_suspension_damper(s, e->travel_rate[i]);
  }
}

/* On posts without friction. */
static void normal_forces(vd_eval *restrict e, contacts *k) {
  for (int i = 0; i < VD_WHEELS; i++) {
    e->fx[i] = e->fy[i] = e->mx[i] = e->my[i] = e->mz[i] = 0.0;
    for (int j = 0; j < 3; j++)
      k->force[i][j] = e->load[i] * k->normal[i][j];
  }
}

static inline void tyre_forces(const vd_model *m, const double *x, vd_eval *restrict e, contacts *k) {
  const vd_lanes *lanes = &m->lanes;
  vd_slide slide[VD_WHEELS];
  vd_tyre_forces tf;
  vd_bending bending;
  vd_contact contact;
  vd_lane_contact(m, e, x, &bending, &contact);
  contact.camber = e->camber;
  for (int i = 0; i < VD_WHEELS; i++)
    tf.mx[i] = tf.my[i] = 0.0; /* mf alone says them */
  vd_tyre_slide(lanes->tyre, VD_WHEELS, &contact, slide);
  vd_tyre_force(lanes->tyre, VD_WHEELS, slide, e->friction, e->load, &tf);
  vd_tyre_moments(lanes->tyre, VD_WHEELS, slide, e->load, e->vx_contact, tf.fy, e->mz);
  for (int i = 0; i < VD_WHEELS; i++) {
    e->fx[i] = tf.fx[i];
    e->fy[i] = tf.fy[i];
    e->mx[i] = tf.mx[i];
    e->my[i] = tf.my[i] - lanes->rolling[i] * vd_rolling_sign(e->omega[i] * lanes->radius[i]) * e->load[i];
    if (m->transient && slide[i].bristles) {
      e->deflection_rate_x[i] = tf.rate_x[i];
      e->deflection_rate_y[i] = tf.rate_y[i];
    }
    for (int j = 0; j < 3; j++)
      k->force[i][j] = e->fx[i] * k->ahead[i][j] + e->fy[i] * k->aside[i][j] + e->load[i] * k->normal[i][j];
  }
}

/* --- forces from outside --- */

static inline void external(const vd_model *m, const vd_command *c, const frame *f, const contacts *k,
                            vd_eval *restrict e, body_work *b, double *outside) {
  const vd_ride *ride = &m->ride;
  double q = f->u[0] * f->u[0],
         height = m->vehicle.cg_height; /* a pressure has no sign: backwards only the drag turns round */
  double front = m->masses.to_axle[VD_FRONT], rear = m->masses.to_axle[VD_REAR];
  e->drag = m->drag * copysign(q, f->u[0]);
  for (int a = 0; a < VD_AXLES; a++)
    e->downforce[a] = m->downforce[a] * q;
  /* in the ground plane of the design position, as the coefficients are given */
  b->f[0] = -e->drag;
  b->f[1] = 0.0;
  b->f[2] = -(e->downforce[VD_FRONT] + e->downforce[VD_REAR]);
  b->t[0] = -ride->lean_roll * k->mean_normal[1];
  b->t[1] = ride->lean_pitch * k->mean_normal[0];
  b->t[2] = 0.0;
  *outside = b->t[0] * f->w[0] + b->t[1] * f->w[1];
  b->t[1] += height * e->drag + front * e->downforce[VD_FRONT] - rear * e->downforce[VD_REAR];
  for (int i = 0; i < VD_WHEELS; i++) {
    double moment[3];
    cross(k->at[i], k->force[i], moment);
    for (int j = 0; j < 3; j++)
      b->t[j] += moment[j] + e->mx[i] * k->ahead[i][j] + e->mz[i] * k->normal[i][j];
    b->t[0] -= e->my[i] * c->sin_angle[i];
    b->t[1] += e->my[i] * c->cos_angle[i];
    for (int j = 0; j < 3; j++)
      b->f[j] += k->force[i][j];
  }
}

/* --- ledger --- */

/* Power of each kind of work, term by term of the equations. */
static inline void ledger(const vd_model *m, const vd_command *c, const double *x, const double *mode, const frame *f,
                          const contacts *k, const spin_work *s, const double *drive, const vd_eval *restrict e,
                          double *dx) {
  const vd_ride *ride = &m->ride;
  double driven[VD_WHEELS], links[VD_WHEELS], brake[VD_WHEELS], tyre[VD_WHEELS], rolling[VD_WHEELS];
  double damped[VD_WHEELS], radial[VD_WHEELS], steered[VD_WHEELS], posts[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++) {
    double along = f->w[0] * c->cos_angle[i] + f->w[1] * c->sin_angle[i];
    driven[i] = drive[i] * e->omega[i];
    links[i] = drive[i] * ride->drive_slope[i / 2] * e->travel_rate[i];
    brake[i] = -mode[i] * e->brake_capacity[i] * e->omega[i];
    tyre[i] = e->fx[i] * (e->vx_contact[i] - m->lanes.radius[i] * e->omega[i]) + e->fy[i] * e->vy_contact[i] +
              e->mz[i] * dot(k->normal[i], f->w) + e->mx[i] * dot(k->ahead[i], f->w);
    rolling[i] = e->my[i] * (e->omega[i] + s->axle_rate[i]);
    damped[i] = -e->damper_force[i] * e->travel_rate[i];
    radial[i] = (k->elastic[i] - e->load[i] * k->cosine[i]) * k->rate[i];
    steered[i] = c->angle_rate[i] * (s->momentum[i] * along - dot(k->force[i], k->swept[i]));
    posts[i] = e->load[i] * k->post_lift[i] * c->post_rate[i];
  }
  dx[VD_S_WORK_DRIVE] = vd_lane_sum(VD_WHEELS, driven);
  dx[VD_S_WORK_BRAKE] = vd_lane_sum(VD_WHEELS, brake);
  dx[VD_S_WORK_TYRE] = vd_lane_sum(VD_WHEELS, tyre);
  dx[VD_S_WORK_ROLLING] = vd_lane_sum(VD_WHEELS, rolling);
  dx[VD_S_WORK_SUSPENSION] = vd_lane_sum(VD_WHEELS, damped);
  dx[VD_S_WORK_TYRE_VERTICAL] = vd_lane_sum(VD_WHEELS, radial);
  dx[VD_S_WORK_STEERING] = vd_lane_sum(VD_WHEELS, steered);
  dx[VD_S_WORK_OUTSIDE] += vd_lane_sum(VD_WHEELS, posts);
  double q = f->w[1], height = m->vehicle.cg_height;
  dx[VD_S_WORK_AERO] = -e->drag * (f->u[0] - q * height) -
                       e->downforce[VD_FRONT] * (f->u[2] - q * m->masses.to_axle[VD_FRONT]) -
                       e->downforce[VD_REAR] * (f->u[2] + q * m->masses.to_axle[VD_REAR]);
  if (m->coupled)
    vd_train_ledger(m, &s->train, x, e, dx);
  dx[VD_S_WORK_DRIVE] += vd_lane_sum(VD_WHEELS, links);
}

/* --- all of it --- */

static inline void place(const frame *f, const vd_eval *restrict e, double *dx) {
  const double *u = f->u, *w = f->w;
  dx[VD_S_ALONG] = dot(f->to_world[0], u);
  dx[VD_S_ACROSS] = dot(f->to_world[1], u);
  dx[VD_S_HEIGHT] = dot(f->to_world[2], u);
  double turn = (w[1] * f->sin_roll + w[2] * f->cos_roll) / f->cos_pitch;
  dx[VD_S_YAW] = turn;
  dx[VD_S_ROLL] = w[0] + turn * f->sin_pitch;
  dx[VD_S_PITCH] = w[1] * f->cos_roll - w[2] * f->sin_roll;
  dx[VD_S_DISTANCE] = sqrt(u[0] * u[0] + u[1] * u[1]);
  for (int i = 0; i < VD_WHEELS; i++)
    dx[VD_S_TRAVEL + i] = e->travel_rate[i];
}

/* Gravity along the road, body's direction, for the controllers of the speed. */
static inline void slope_pull(const frame *f, const contacts *k, vd_eval *restrict e) {
  double ahead = 0.0, aside = 0.0;
  for (int j = 0; j < 3; j++) {
    ahead -= 0.5 * VD_GRAVITY * f->to_world[2][j] * (k->ahead[VD_RL][j] + k->ahead[VD_RR][j]);
    aside -= 0.5 * VD_GRAVITY * f->to_world[2][j] * (k->aside[VD_RL][j] + k->aside[VD_RR][j]);
  }
  e->pull_x = ahead;
  e->pull_y = aside;
}

/* Drive torques of coupled shafts, for the side on which the gears lose; see coupled_loads in planar.c. */
static void coupled_drive(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                          vd_eval *restrict e, vd_train *train) {
  bool drives = e->motor_torque >= 0.0;
  for (int round = 0; round < 2; round++) {
    double torque[VD_WHEELS];
    vd_train_prepare(m, c, x, mode, drives, e, train);
    for (int i = 0; i < VD_WHEELS; i++)
      torque[i] = e->my[i] - e->fx[i] * m->lanes.radius[i] - mode[i] * e->brake_capacity[i];
    vd_train_finish(m, train, mode, torque, e);
    if (vd_train_drives(m, e) == drives || m->drivetrain.efficiency == 1.0)
      break;
    drives = !drives;
  }
}

static inline void read_state(const frame *f, const double *x, vd_eval *restrict e) {
  e->vx = dot(f->level[0], f->u);
  e->vy = dot(f->level[1], f->u);
  e->vz = dot(f->level[2], f->u);
  e->roll_rate = dot(f->level[0], f->w);
  e->pitch_rate = dot(f->level[1], f->w);
  e->yaw_rate = dot(f->level[2], f->w);
  for (int i = 0; i < VD_WHEELS; i++) {
    e->omega[i] = x[VD_S_SPIN + i];
    e->travel[i] = x[VD_S_TRAVEL + i];
    e->travel_rate[i] = x[VD_S_TRAVEL_RATE + i];
  }
}

bool vd_fourteen_dof_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                           vd_eval *restrict e, double *dx) {
  frame f;
  beam beams[VD_AXLES];
  contacts k;
  spin_work s;
  axle_work axles[VD_AXLES];
  body_work b;
  double gravity[3], accel[3], alpha[3], drive[VD_WHEELS];
  make_frame(m, x, &f);
  read_state(&f, x, e);
  for (int j = 0; j < 3; j++)
    gravity[j] = -VD_GRAVITY * f.to_world[2][j];
  make_beams(m, e, beams);
  for (int i = 0; i < VD_WHEELS; i++)
    touch(m, c, &f, x, &beams[i / 2], i, e, &k);
  for (int i = 0; i < VD_WHEELS; i++)
    press(m, c, &f, &beams[i / 2], i, e, &k);
  for (int j = 0; j < 3; j++)
    k.mean_normal[j] = 0.25 * (k.normal[0][j] + k.normal[1][j] + k.normal[2][j] + k.normal[3][j]);
  slope_pull(&f, &k, e);
  if (m->transient)
    vd_lane_transient_slips(VD_WHEELS, m, x, e);
  else
    vd_lane_steady_slips(VD_WHEELS, m, e);
  vd_lane_torques(VD_WHEELS, m, c, x, mode, e, &dx[VD_S_SPEED_HOLD]);
  if (m->vehicle.brakes.load_dependent)
    vd_lane_share_by_load(VD_WHEELS, m, x, e);
  suspension_forces(m, e);
  if (m->ride.held)
    normal_forces(e, &k);
  else
    tyre_forces(m, x, e, &k);
  if (m->lengths_by_load)
    vd_lane_rates_at_loads(VD_WHEELS, m, x, e);
  if (m->coupled)
    coupled_drive(m, c, x, mode, e, &s.train);
  for (int i = 0; i < VD_WHEELS; i++)
    drive[i] = e->drive_torque[i];

  spin_reactions(m, c, mode, &f, e, &s);
  external(m, c, &f, &k, e, &b, &dx[VD_S_WORK_OUTSIDE]);
  for (int a = 0; a < VD_AXLES; a++)
    axle_forces(m, e, &k, &beams[a], a, &axles[a]);
  solve_body(m, &f, beams, &s, gravity, axles, &b, accel, alpha);
  finish_spins(m, c, mode, alpha, &s, e);
  travel_rates(m, accel, alpha, beams, axles, dx);

  double turning[3];
  cross(f.w, f.u, turning);
  for (int j = 0; j < 3; j++)
    accel[j] += gravity[j];
  e->ax = dot(f.level[0], accel);
  e->ay = dot(f.level[1], accel);
  e->az = dot(f.level[2], accel);
  e->yaw_accel = alpha[2];
  dx[VD_S_VX] = m->ride.held ? 0.0 : accel[0] - turning[0];
  dx[VD_S_VY] = m->ride.held ? 0.0 : accel[1] - turning[1];
  dx[VD_S_VZ] = accel[2] - turning[2];
  dx[VD_S_ROLL_RATE] = alpha[0];
  dx[VD_S_PITCH_RATE] = alpha[1];
  dx[VD_S_YAW_RATE] = alpha[2];
  place(&f, e, dx);
  for (int i = 0; i < VD_WHEELS; i++)
    dx[VD_S_SPIN + i] = e->spin_accel[i];
  for (int i = VD_S_EXTRAS; i < VD_S_RIDE; i++)
    dx[i] = 0.0;
  ledger(m, c, x, mode, &f, &k, &s, drive, e, dx);
  if (m->coupled)
    dx[VD_S_MOTOR] = e->motor_accel;
  dx[VD_S_ACCELERATION_HOLD] = vd_acceleration_hold_rate(c, e);
  if (m->transient)
    vd_lane_deflection_ledger(VD_WHEELS, m, x, e, dx);
  if (m->abs)
    vd_lane_antilock(VD_WHEELS, m, c, x, e, dx);
  e->passes = 1;
  e->residual = 0.0;
  return true;
}
