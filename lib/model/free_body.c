/* L5, a body that is free in space: it may fly, stand on its head and meet any surface on any side.
 *
 * Coordinates. The body has the world position of O (the place of the whole centre of gravity at design load), a quaternion
 * and velocities u, w in body axes. Wheels are held in one of three ways:
 *   hub      at rest against the body: the whole car is one rigid body on its tyres
 *   strut    each a point mass, free in the world, that stiff springs hold on a line along the body's z through its design place
 *   linkage  the same, held on the path of its linkage
 * With r the wheel's place from O in body axes, s its velocity against the body, z = r_z - design the travel and (x, y)(z, rack)
 * the path (a straight line for struts), off = (r_x - x, r_y - y) is the way by which the links give. All that acts between body
 * and wheel is a function of r, s and the steering, so it does the same work on both: a force f on the wheel and -f on the body,
 * at the wheel's place,
 *
 *   f_x = -k off_x - c off_x',   f_y likewise,
 *   f_z = -f_x dx/dz - f_y dy/dz - spring - damper - bar + (d x F + M) . w_z + what the spins add
 *
 * F, M force and couple of the road, d from the wheel centre to the contact point, w_z the knuckle's turn per travel. The slope of the
 * path in f_z is what makes anti-dive, anti-squat and roll centres; no factors. The knuckle turns with the body, with the travel
 * and with the steering, so the contact point's velocity is v + (w + w_z z' + w_s) x d, and the same arms bring the
 * contact force to the body: d x F + M, by which the road's force acts on the car at the contact point and not at the hub. Spins
 * are those of multibody.c; their reactions act on the body, in the air as well.
 *
 *   wheel   m_u a = F + f + m_u g
 *   body    m a_c = sum(-f) + air + m g,   I w' + w x I w = sum(d x F + M - dH/dt - (r - c) x f) + air, about its centre c
 *
 * Nothing couples these accelerations as long as wheels turn freely. A locked wheel turns with its knuckle and a coupled train
 * shares its inertia; what they resist, y = w' . a + p z'', is found from four equations (hold_spins).
 *
 * A frozen contact keeps the road's tangent planes of the beginning of the step, which is wrong by the step's share of the road's
 * curvature; it is there to show how much. */
#include "model/free_impl.h"

#include <math.h>

/* What acts between the parts, body axes. */
typedef struct acting {
  vd_wide3 knuckle;           /* N m, d x F + M */
  vd_wide3 link;              /* N, f: on the wheel */
  double force[3], moment[3]; /* N, N m about O: on the body, gravity apart */
} acting;

/* Accelerations in body axes. */
typedef struct motion {
  double at_o[3], alpha[3]; /* m/s2, of O; rad/s2 */
  vd_wide3 wheel;           /* m/s2 */
  vd_wide rise;             /* m/s2, z'' */
} motion;

/* --- contact --- */

VD_INLINE void stand(const vd_model *m, const vd_frame *f, const double *x, const double *mode, const vd_free_wheels *w,
                     vd_eval *restrict e, vd_contacts *k) {
  vd_wide3 normal, centre = vd_into_world(f, x, w->centre), axle = vd_out_of_body(f, w->axle);
  vd_wide distance = {0.0};
  if (m->ride.plane && !m->patches && !m->options.frozen_contact) {
    normal = vd_wide_all(m->ground.normal);
    distance = vd_wide_dot(normal, centre);
    vd_wide_store(0.0 * distance + m->ground.friction, e->friction);
  } else if (m->options.frozen_contact) {
    normal = vd_wide3_load(mode + VD_M_PLANE);
    distance = vd_wide_dot(normal, centre) - vd_wide_load(mode + VD_M_PLANE + 3 * VD_WHEELS);
    vd_wide_store(vd_wide_load(mode + VD_M_FRICTION), e->friction);
  } else {
    double hint[VD_WHEELS];
    vd_wide_store(vd_wide_load(mode + VD_M_FACE), hint);
    vd_free_roads(m, f, x, &centre, &axle, hint, &distance, &normal, e->friction);
  }
  vd_stand(m, w->centre, w->axle, distance, vd_into_body(f, normal), e, k);
  k->post_lift = 0.0 * normal.z;
  if (m->lanes.cambers)
    vd_lean_cambers(k, e);
}

VD_INLINE void press(const vd_model *m, const vd_command *c, const vd_frame *f, const vd_free_wheels *w,
                     vd_eval *restrict e, vd_contacts *k) {
  vd_wide3 turning = vd_wide_plus(vd_wide_all(f->w), vd_wide_plus(vd_wide_scaled(w->rate, w->turn), w->steer));
  vd_press(m, c, vd_wide_plus(w->speed, vd_wide_cross(turning, k->down)), e, k);
  vd_wide_store(vd_wide_least(vd_wide_load(e->load), vd_wide_load(m->ride.most_load)), e->load);
}

/* Landings press tyres to many times their static load, and they damp the spins as much faster: v_low, which keeps that stable up to
 * twice the static load, rises with what is over it. */
VD_INLINE void steady_slips(const vd_model *m, vd_eval *restrict e) {
  vd_wide vx = vd_wide_load(e->vx_contact), one = 0.0 * vx + 1.0;
  vd_wide hard = vd_wide_most(vd_wide_load(e->load) / vd_wide_load(m->ride.calm_load), one);
  vd_wide inverse = 1.0 / vd_wide_most(vd_wide_abs(vx), m->options.v_low * hard);
  vd_wide_store((vd_wide_load(m->lanes.radius) * vd_wide_load(e->omega) - vx) * inverse, e->kappa);
  vd_wide_store(vd_wide_load(e->vy_contact) * inverse, e->tan_alpha);
}

/* --- forces --- */

VD_INLINE void suspension_forces(const vd_model *m, const vd_free_wheels *w, vd_eval *restrict e) {
  vd_wide shortening = w->damper_slope * w->rate + w->damper_steer;
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_suspension *s = &m->ride.suspension[i / 2];
    e->spring_eye[i] = vd_suspension_spring(s, w->spring[i]);
    e->damper_eye[i] = vd_suspension_damper(s, shortening[i]);
    e->spring_force[i] = e->spring_eye[i] * w->spring_slope[i] + m->ride.bar[i / 2] * (w->travel[i] - w->travel[i ^ 1]);
    e->damper_force[i] = e->damper_eye[i] * w->damper_slope[i];
  }
}

/* f, and what it does to the body. Hubs hand on what the road gives them. */
VD_INLINE void join(const vd_model *m, const double *mode, const vd_free_wheels *w, const vd_contacts *k,
                    const vd_axle_spins *s, const vd_eval *restrict e, acting *a) {
  a->knuckle = vd_wide_plus(vd_wide_cross(k->down, k->force), k->couple);
  if (vd_free_hubs(m)) {
    a->link = (vd_wide3){-k->force.x, -k->force.y, -k->force.z};
  } else {
    double stiffness = m->options.link_stiffness;
    vd_wide damping = vd_wide_load(m->ride.link_damping);
    vd_wide_mask locked = vd_wide_load(mode) == 0.0;
    vd_wide spin = vd_wide_select(locked, vd_wide_load(e->drive_torque) - vd_wide_load(m->lanes.inertia) * s->drift,
                                  -vd_wheel_torques(m, mode, e));
    vd_wide fx = -stiffness * w->off[0] - damping * w->off_rate[0];
    vd_wide fy = -stiffness * w->off[1] - damping * w->off_rate[1];
    vd_wide fz = vd_wide_dot(a->knuckle, w->turn) - s->momentum * vd_wide_dot(s->turning, w->turn) + w->spin * spin -
                 vd_wide_load(e->spring_force) - vd_wide_load(e->damper_force);
    a->link = (vd_wide3){fx, fy, fz - fx * w->path[0] - fy * w->path[1]};
  }
  vd_wide3 arm = vd_wide_cross(w->centre, a->link);
  vd_wide3 spins = vd_wide_plus(vd_wide_scaled(s->momentum, s->turning), vd_wide_scaled(s->along, w->axle));
  vd_wide force = vd_wide_sums(a->link.x, a->link.y, a->link.z, 0.0 * arm.x);
  vd_wide moment = vd_wide_sums(a->knuckle.x - spins.x - arm.x, a->knuckle.y - spins.y - arm.y,
                                a->knuckle.z - spins.z - arm.z, 0.0 * arm.x);
  for (int j = 0; j < 3; j++) {
    a->force[j] = -force[j];
    a->moment[j] = moment[j];
  }
}

/* --- accelerations --- */

static void apply(const double (*a)[3], const double *v, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = a[i][0] * v[0] + a[i][1] * v[1] + a[i][2] * v[2];
}

/* Of O and of the turning under a force and a moment about O, but for what the turning itself brings. */
static void answer(const vd_ride *ride, const double *force, const double *moment, double *at_o, double *alpha) {
  double arm[3], about[3], swing[3];
  vd_cross(ride->body_centre, force, arm);
  for (int j = 0; j < 3; j++)
    about[j] = moment[j] - arm[j];
  apply(ride->body_inverse, about, alpha);
  vd_cross(alpha, ride->body_centre, swing);
  for (int j = 0; j < 3; j++)
    at_o[j] = force[j] / ride->body_mass - swing[j];
}

VD_INLINE void accelerate(const vd_model *m, const vd_frame *f, const double *gravity, const vd_free_wheels *w,
                          const vd_contacts *k, const acting *a, motion *n) {
  const vd_ride *ride = &m->ride;
  double spin[3], gyro[3], out[3], out2[3], moment[3];
  apply(ride->body_inertia, f->w, spin);
  vd_cross(f->w, spin, gyro);
  for (int j = 0; j < 3; j++)
    moment[j] = a->moment[j] - gyro[j];
  answer(ride, a->force, moment, n->at_o, n->alpha);
  vd_cross(f->w, ride->body_centre, out);
  vd_cross(f->w, out, out2);
  for (int j = 0; j < 3; j++)
    n->at_o[j] += gravity[j] - out2[j];
  if (vd_free_hubs(m)) {
    n->wheel = (vd_wide3){0.0 * w->rate, 0.0 * w->rate, 0.0 * w->rate};
    n->rise = 0.0 * w->rate;
    return;
  }
  vd_wide inverse = 1.0 / vd_wide_load(ride->unsprung_mass);
  n->wheel =
      (vd_wide3){(k->force.x + a->link.x) * inverse + gravity[0], (k->force.y + a->link.y) * inverse + gravity[1],
                 (k->force.z + a->link.z) * inverse + gravity[2]};
  /* against the body: less A, w' x r and w x (2 s + w x r) */
  vd_wide3 r = w->centre, turning = vd_wide_all(f->w), slide = vd_wide_cross(turning, r);
  slide = (vd_wide3){w->speed.x - f->u[0] - slide.x, w->speed.y - f->u[1] - slide.y, w->speed.z - f->u[2] - slide.z};
  vd_wide3 half = vd_wide_plus(vd_wide_scaled(2.0 + 0.0 * r.x, slide), vd_wide_cross(turning, r));
  n->rise = n->wheel.z - n->at_o[2] - (n->alpha[0] * r.y - n->alpha[1] * r.x) - (f->w[0] * half.y - f->w[1] * half.x);
}

/* What the spins of all wheels resist when body and travels accelerate like this. */
VD_INLINE vd_wide resisted(const motion *n, const vd_free_wheels *w) {
  return vd_wide_dot(vd_wide_all(n->alpha), w->axle) + w->spin * n->rise;
}

/* How y answers a force and moments on the body and a force along z on one wheel: a column of the four equations. */
static void answers(const vd_model *m, const vd_free_wheels *w, const double *force, const double *moment, int wheel,
                    double lift, double *y) {
  double at_o[3], alpha[3];
  answer(&m->ride, force, moment, at_o, alpha);
  for (int i = 0; i < VD_WHEELS; i++) {
    double axle[3] = {w->axle.x[i], w->axle.y[i], w->axle.z[i]};
    double rise = -at_o[2] - (alpha[0] * w->centre.y[i] - alpha[1] * w->centre.x[i]);
    y[i] = vd_dot(alpha, axle) + w->spin[i] * (i == wheel ? rise + lift : rise);
  }
}

/* Gauss with pivots. */
static void solve4(double (*a)[VD_WHEELS], double *b) {
  for (int k = 0; k < VD_WHEELS; k++) {
    int pivot = k;
    for (int i = k + 1; i < VD_WHEELS; i++)
      if (fabs(a[i][k]) > fabs(a[pivot][k]))
        pivot = i;
    for (int j = 0; j < VD_WHEELS; j++) {
      double swap = a[k][j];
      a[k][j] = a[pivot][j];
      a[pivot][j] = swap;
    }
    double swap = b[k];
    b[k] = b[pivot];
    b[pivot] = swap;
    for (int i = k + 1; i < VD_WHEELS; i++) {
      double share = a[i][k] / a[k][k];
      for (int j = k; j < VD_WHEELS; j++)
        a[i][j] -= share * a[k][j];
      b[i] -= share * b[k];
    }
  }
  for (int i = VD_WHEELS - 1; i >= 0; i--) {
    for (int j = i + 1; j < VD_WHEELS; j++)
      b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
}

/* The body feels -a_j sum_i S_ji y_i of the spins, a locked wheel's travel -p I y of its own (drive torques reach a travel as
 * they are, see multibody.c). With B and T the answers of y to such moments and forces, (1 - B S - T I) y = y0. y: y0 at first. */
static void hold_spins(const vd_model *m, const vd_free_wheels *w, const vd_axle_spins *s, double *y, acting *a) {
  double matrix[VD_WHEELS][VD_WHEELS], b[VD_WHEELS][VD_WHEELS], t[VD_WHEELS][VD_WHEELS];
  const double none[3] = {0.0, 0.0, 0.0};
  double share[VD_WHEELS][VD_WHEELS];
  for (int j = 0; j < VD_WHEELS; j++) {
    double back[3] = {-w->axle.x[j], -w->axle.y[j], -w->axle.z[j]}, p = w->spin[j];
    double force[3] = {0.0, 0.0, p}, moment[3] = {p * w->centre.y[j], -p * w->centre.x[j], 0.0};
    answers(m, w, none, back, -1, 0.0, b[j]);
    answers(m, w, force, moment, j, -p / m->ride.unsprung_mass[j], t[j]);
    for (int i = 0; i < VD_WHEELS; i++)
      share[j][i] = m->coupled ? s->share[j][i] : i == j ? s->held[i] : 0.0;
  }
  for (int i = 0; i < VD_WHEELS; i++)
    for (int k = 0; k < VD_WHEELS; k++) {
      double sum = t[k][i] * s->held[k];
      for (int j = 0; j < VD_WHEELS; j++)
        sum += b[j][i] * share[j][k];
      matrix[i][k] = (i == k ? 1.0 : 0.0) - sum;
    }
  solve4(matrix, y);
  for (int j = 0; j < VD_WHEELS; j++) {
    double axle[3] = {w->axle.x[j], w->axle.y[j], w->axle.z[j]}, resist = 0.0, lift = w->spin[j] * s->held[j] * y[j];
    for (int i = 0; i < VD_WHEELS; i++)
      resist += share[j][i] * y[i];
    for (int i = 0; i < 3; i++)
      a->moment[i] -= axle[i] * resist;
    a->link.z[j] -= lift;
    a->force[2] += lift;
    a->moment[0] += w->centre.y[j] * lift;
    a->moment[1] -= w->centre.x[j] * lift;
  }
}

/* --- ledger --- */

/* Power of each kind of work, term by term of the equations. drive: N m, as they reached locked wheels' links. */
VD_INLINE void ledger(const vd_model *m, const double *x, const double *mode, const vd_frame *f,
                      const vd_free_wheels *w, const vd_contacts *k, const vd_axle_spins *s, const acting *a,
                      const double *drive, const vd_eval *restrict e, double *dx) {
  vd_wide omega = vd_wide_load(e->omega), load = vd_wide_load(e->load), my = vd_wide_load(e->my);
  vd_wide damping = vd_wide_load(m->ride.link_damping);
  vd_wide_mask locked = vd_wide_load(mode) == 0.0;
  vd_wide torque = vd_wide_select(locked, vd_wide_load(drive), vd_wide_load(e->drive_torque));
  vd_wide3 turning = vd_wide_plus(vd_wide_all(f->w), vd_wide_plus(vd_wide_scaled(w->rate, w->turn), w->steer));
  vd_wide tyre = vd_wide_load(e->fx) * (vd_wide_load(e->vx_contact) - vd_wide_load(m->lanes.radius) * omega) +
                 vd_wide_load(e->fy) * vd_wide_load(e->vy_contact) +
                 vd_wide_load(e->mz) * vd_wide_dot(k->normal, turning) +
                 vd_wide_load(e->mx) * vd_wide_dot(k->ahead, turning);
  vd_wide spring = vd_wide_load(e->spring_eye), damper = vd_wide_load(e->damper_eye);
  vd_wide steering = vd_wide_dot(a->knuckle, w->steer) - s->momentum * vd_wide_dot(s->turning, w->steer) -
                     spring * w->spring_steer - damper * w->damper_steer - a->link.x * w->path_steer[0] -
                     a->link.y * w->path_steer[1];
  vd_wide shortening = w->damper_slope * w->rate + w->damper_steer;
  vd_wide first =
      vd_wide_sums(torque * (omega + w->spin * w->rate), vd_wide_load(mode) * vd_wide_load(e->brake_capacity) * omega,
                   tyre, my * (omega + s->axle_rate));
  vd_wide second = vd_wide_sums(damper * shortening, (k->elastic - load * k->cosine) * k->rate, steering,
                                damping * (w->off_rate[0] * w->off_rate[0] + w->off_rate[1] * w->off_rate[1]));
  dx[VD_S_WORK_DRIVE] = first[0];
  dx[VD_S_WORK_BRAKE] = -first[1];
  dx[VD_S_WORK_TYRE] = first[2];
  dx[VD_S_WORK_ROLLING] = first[3];
  dx[VD_S_WORK_SUSPENSION] = -second[0];
  dx[VD_S_WORK_TYRE_VERTICAL] = second[1];
  dx[VD_S_WORK_STEERING] = -second[2];
  dx[VD_S_WORK_LINK] = -second[3];
  dx[VD_S_WORK_OUTSIDE] = 0.0;
  dx[VD_S_WORK_AERO] = vd_air_power(m, f, e);
  if (m->coupled) {
    vd_train_ledger(m, &s->train, x, e, dx);
    dx[VD_S_WORK_DRIVE] += vd_wide_sum(torque * w->spin * w->rate);
  }
}

/* --- motion --- */

static void rates_of_motion(const vd_frame *f, const double *x, const motion *n, vd_eval *restrict e, double *dx) {
  static const int place[] = {VD_S_ALONG, VD_S_ACROSS, VD_S_HEIGHT}, speed[] = {VD_S_VX, VD_S_VY, VD_S_VZ};
  static const int turn[] = {VD_S_ROLL_RATE, VD_S_PITCH_RATE, VD_S_YAW_RATE};
  double turning[3];
  const double *q = x + VD_S_QUATERNION, *w = f->w;
  vd_cross(f->w, f->u, turning);
  for (int j = 0; j < 3; j++) {
    dx[place[j]] = vd_dot(f->to_world[j], f->u);
    dx[speed[j]] = n->at_o[j] - turning[j];
    dx[turn[j]] = n->alpha[j];
  }
  dx[VD_S_DISTANCE] = sqrt(f->u[0] * f->u[0] + f->u[1] * f->u[1]);
  dx[VD_S_YAW] = dx[VD_S_PITCH] = dx[VD_S_ROLL] = 0.0;
  /* q' = 1/2 q (0, w) */
  dx[VD_S_QUATERNION] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
  dx[VD_S_QUATERNION + 1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
  dx[VD_S_QUATERNION + 2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
  dx[VD_S_QUATERNION + 3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
  for (int i = 0; i < 3 * VD_WHEELS; i++)
    dx[VD_S_WHEEL_PLACE + i] = x[VD_S_WHEEL_SPEED + i];
  vd_wide3_store(vd_out_of_body(f, n->wheel), dx + VD_S_WHEEL_SPEED);
  for (int i = 0; i < VD_WHEELS; i++)
    dx[VD_S_TRAVEL + i] = dx[VD_S_TRAVEL_RATE + i] = 0.0;
  e->ax = n->at_o[0];
  e->ay = n->at_o[1];
  e->az = n->at_o[2];
  e->yaw_accel = n->alpha[2];
}

/* --- all of it --- */

VD_WIDE bool vd_free_body_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                                vd_eval *restrict e, double *dx) {
  vd_frame f;
  vd_free_wheels w;
  vd_contacts k;
  vd_axle_spins s;
  acting a;
  motion n;
  double gravity[3], drive[VD_WHEELS];
  vd_free_frame(x, &f);
  if (!vd_free_hold(m, c, &f, x, &w))
    return false;
  e->rack = c->rack;
  vd_read_state(&f, x, e);
  vd_wide_store(w.travel, e->travel);
  vd_wide_store(w.rate, e->travel_rate);
  for (int j = 0; j < 3; j++)
    gravity[j] = -VD_GRAVITY * f.to_world[2][j];
  stand(m, &f, x, mode, &w, e, &k);
  press(m, c, &f, &w, e, &k);
  vd_slope_pull(gravity, &k, e);
  if (m->transient)
    vd_lane_transient_slips(VD_WHEELS, m, x, e);
  else
    steady_slips(m, e);
  vd_lane_torques(VD_WHEELS, m, c, x, mode, e, &dx[VD_S_SPEED_HOLD]);
  if (m->vehicle.brakes.load_dependent)
    vd_lane_share_by_load(VD_WHEELS, m, x, e);
  suspension_forces(m, &w, e);
  vd_tyres(m, x, e);
  if (m->lengths_by_load)
    vd_lane_rates_at_loads(VD_WHEELS, m, x, e);
  if (m->coupled)
    vd_coupled_drive(m, c, x, mode, e, &s.train);
  for (int i = 0; i < VD_WHEELS; i++)
    drive[i] = e->drive_torque[i];

  vd_spin_motion(m, mode, vd_wide_all(f.w), w.axle, w.own, w.spin * w.rate, w.spin_rate * w.rate, e, &s);
  vd_contact_forces(w.axle, e, &k);
  join(m, mode, &w, &k, &s, e, &a);
  vd_outside air = {{0.0}, {0.0}, 0.0};
  vd_add_air(m, &f, e, &air);
  for (int j = 0; j < 3; j++) {
    a.force[j] += air.force[j];
    a.moment[j] += air.moment[j];
  }
  accelerate(m, &f, gravity, &w, &k, &a, &n);
  if (m->coupled || vd_wide_some(s.held)) {
    double resist[VD_WHEELS];
    vd_wide_store(resisted(&n, &w), resist);
    hold_spins(m, &w, &s, resist, &a);
    accelerate(m, &f, gravity, &w, &k, &a, &n);
  }
  vd_finish_axle_spins(m, mode, resisted(&n, &w), &s, e);

  rates_of_motion(&f, x, &n, e, dx);
  ledger(m, x, mode, &f, &w, &k, &s, &a, drive, e, dx);
  vd_other_rates(m, c, x, e, dx);
  return true;
}
