/* L4, the hardpoint multibody car: the free body of L3, each wheel on its own linkage.
 *
 * Coordinates are those of L3: the body, a travel z of each wheel centre along the body's z, a spin of each wheel relative to its
 * knuckle. Of each linkage the travel is the independent coordinate, and all others follow from it and the rack (coordinate
 * partition; linkage_map.h): the constraints hold to rounding error and need no stabilisation. With c the wheel centre, a its axle,
 * p the knuckle's turn about it per travel, ' the derivative by travel, all functions of travel and rack r in body axes:
 *
 *   knuckle's own turning      w_z = a x a' + p a per travel,  w_r = a x da/dr per rack
 *   contact point P = c + d    dP/dz = c' + w_z x d = c' - a (a' . d) + p (a x d),   dP/dr = dc/dr - a (da/dr . d)
 *   wheel's spin               O_abs = O + w . a + p z',   momentum H = I O_abs along a, which turns at t = w x a + a' z' + da/dr r'
 *
 * (a . d = 0). A turn of the knuckle about the axle that steering brings about counts to the wheel's spin. By d'Alembert's
 * principle every force enters every coordinate through the arm by which that coordinate enters the point's velocity:
 *
 *   travel   m q . (A + alpha x s + q z'' + k) = F . dP/dz + M . w_z - F_spring dl/dz - F_damper dl/dz - bar + p T_drive - dH/dt . w_z
 *
 * s the place of the unsprung mass, a point that goes with the wheel centre of the middle rack (steering does not move it), q = ds/dz,
 * k what its acceleration has besides; A and alpha the body's accelerations, less gravity. A free wheel's dH/dt along a is the sum
 * T_drive + T of its torques, which leaves -p T, T of tyre and slipping brake: the drive torque comes from the body through a
 * shaft, the brake's from the knuckle. A locked wheel turns with its knuckle and adds I p^2 to the travel's mass. Anti-dive and -squat,
 * jacking, roll-centre migration and bump steer are in these arms; there are no factors for them.
 * Solved for z'', the travels leave six equations for the body.
 *
 * Springs, dampers and stops are those of L3, taken along the real springs and dampers: their travel is the element's shortening over
 * its motion ratio at design, so that load and rate at design are those of L3 and everything else is geometry. The bar couples the
 * travels. Wheels that move with the rack do work on it (work_steering). */
#include "model/multibody_spin.h"

#include <string.h>

/* Generalised forces and arms of the travels. */
typedef struct travels {
  vd_wide3 contact, turn;   /* dP/dz; w_z, rad/m */
  vd_wide3 rack, rack_turn; /* dP/dr; w_r */
  vd_wide force;            /* N, all of the right side above */
  vd_wide mass;             /* kg */
  vd_wide3 known;           /* m/s2, k */
} travels;

/* Six equations: forces along x, y, z, moments about them, of O; accelerations of O and of the turning. */
typedef struct equations {
  double a[6][6], b[6];
} equations;

/* --- motion of the wheels --- */

VD_INLINE vd_wide3 wide_rates(vd_wide3 by_travel, vd_wide3 by_rack, const vd_held_wheels *h) {
  return vd_wide_plus(vd_wide_scaled(h->rate, by_travel),
                      (vd_wide3){h->rack_rate * by_rack.x, h->rack_rate * by_rack.y, h->rack_rate * by_rack.z});
}

VD_INLINE void arms(const vd_held_wheels *h, const vd_contacts *k, travels *t) {
  vd_wide3 around = vd_wide_cross(h->axle, k->down);
  vd_wide rise = vd_wide_dot(h->axle_travel, k->down), aside = vd_wide_dot(h->axle_rack, k->down);
  t->contact =
      vd_wide_plus(vd_wide_plus(h->by_travel, vd_wide_scaled(-rise, h->axle)), vd_wide_scaled(h->spin, around));
  t->rack = vd_wide_plus(h->by_rack, vd_wide_scaled(-aside, h->axle));
  t->turn = vd_wide_plus(vd_wide_cross(h->axle, h->axle_travel), vd_wide_scaled(h->spin, h->axle));
  t->rack_turn = vd_wide_cross(h->axle, h->axle_rack);
}

VD_INLINE vd_wide3 contact_velocities(const vd_frame *f, const vd_held_wheels *h, const vd_contacts *k,
                                      const travels *t) {
  vd_wide3 v = vd_wide_plus(vd_wide_cross(vd_wide_all(f->w), k->at), wide_rates(t->contact, t->rack, h));
  v.x += f->u[0];
  v.y += f->u[1];
  v.z += f->u[2];
  return v;
}

VD_INLINE void suspension_forces(const vd_model *m, const vd_held_wheels *h, vd_eval *restrict e) {
  vd_wide rate = h->damper[1] * h->rate + h->damper[2] * h->rack_rate;
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_suspension *s = &m->ride.suspension[i / 2];
    double across = e->travel[i] - e->travel[i ^ 1];
    e->spring_eye[i] = vd_suspension_spring(s, h->spring[0][i]);
    e->damper_eye[i] = vd_suspension_damper(s, rate[i]);
    e->spring_force[i] = e->spring_eye[i] * h->spring[1][i] + m->ride.bar[i / 2] * across;
    e->damper_force[i] = e->damper_eye[i] * h->damper[1][i];
  }
}

/* --- spins --- */

VD_INLINE void spin_motion(const vd_model *m, const double *mode, const vd_frame *f, const vd_held_wheels *h,
                           const vd_eval *restrict e, vd_axle_spins *s) {
  vd_wide3 own = wide_rates(h->axle_travel, h->axle_rack, h);
  vd_wide turn = h->spin * h->rate, rise = (h->spin_travel * h->rate + h->spin_rack * h->rack_rate) * h->rate;
  vd_spin_motion(m, mode, vd_wide_all(f->w), h->axle, own, turn, rise, e, s);
}

/* --- equations --- */

VD_INLINE void travel_forces(const vd_model *m, const double *mode, const vd_frame *f, const vd_held_wheels *h,
                             const vd_contacts *k, const vd_axle_spins *s, const vd_eval *restrict e, travels *t) {
  vd_wide_mask locked = vd_wide_load(mode) == 0.0;
  vd_wide torque = vd_wheel_torques(m, mode, e), inertia = vd_wide_load(m->lanes.inertia);
  vd_wide along = vd_wide_select(locked, vd_wide_load(e->drive_torque) - inertia * s->drift, -torque);
  t->force = vd_wide_dot(k->force, t->contact) + vd_wide_dot(k->couple, t->turn) - vd_wide_load(e->spring_force) -
             vd_wide_load(e->damper_force) - s->momentum * vd_wide_dot(s->turning, t->turn) + h->spin * along;
  vd_wide mass = vd_wide_load(m->ride.unsprung_mass);
  t->mass = mass * vd_wide_dot(h->mass_travel, h->mass_travel) + s->held * h->spin * h->spin;
  vd_wide3 w = vd_wide_all(f->w), v = vd_wide_scaled(2.0 * h->rate, h->mass_travel);
  t->known = vd_wide_plus(vd_wide_cross(w, vd_wide_plus(vd_wide_cross(w, h->mass), v)),
                          vd_wide_scaled(h->rate * h->rate, h->mass_travel2));
}

/* The sprung mass and all that acts from outside. */
VD_INLINE void add_body(const vd_model *m, const vd_frame *f, const vd_outside *outside, equations *q) {
  const vd_ride *ride = &m->ride;
  double ms = ride->sprung_mass, s[3] = {ride->sprung_x, 0.0, ride->sprung_z}, c[3], moment[3];
  double inertia[3] = {ride->inertia_x, ride->inertia_y, ride->inertia_z}, spin[3];
  double square = vd_dot(f->w, f->w), along = vd_dot(f->w, s);
  for (int j = 0; j < 3; j++) {
    c[j] = f->w[j] * along - s[j] * square;
    spin[j] = inertia[j] * f->w[j];
  }
  double gyro[3], swing[3];
  vd_cross(f->w, spin, gyro);
  vd_cross(s, c, swing);
  for (int j = 0; j < 3; j++)
    moment[j] = outside->moment[j] - gyro[j] - ms * swing[j];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      q->a[i][j] = i == j ? ms : 0.0;
      q->a[3 + i][3 + j] = (i == j ? inertia[i] + ms * vd_dot(s, s) : 0.0) - ms * s[i] * s[j];
      q->a[i][3 + j] = q->a[3 + i][j] = 0.0;
    }
    q->b[i] = outside->force[i] - ms * c[i];
    q->b[3 + i] = moment[i];
  }
  /* a moment of m (s x A), a force of m (alpha x s) */
  q->a[0][4] = q->a[4][0] = ms * s[2];
  q->a[2][4] = q->a[4][2] = -ms * s[0];
  q->a[1][3] = q->a[3][1] = -ms * s[2];
  q->a[1][5] = q->a[5][1] = ms * s[0];
}

/* A symmetric contribution to the matrix, entry by entry in the order of this table. */
static const struct entry {
  int row, column;
} entries[] = {{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}, {3, 0}, {3, 1}, {3, 2}, {3, 3}, {4, 0},
               {4, 1}, {4, 2}, {4, 3}, {4, 4}, {5, 0}, {5, 1}, {5, 2}, {5, 3}, {5, 4}, {5, 5}};

/* Wheels: their masses and spins, less what goes into their travels. With b = (m q, m s x q + I p a of a locked wheel) the column of
 * z'' in the body's equations and the row of the body's accelerations in the travel's, the travel leaves -b b/mass. */
VD_INLINE void add_wheels(const vd_model *m, const vd_held_wheels *h, const vd_axle_spins *s, const travels *t,
                          equations *q) {
  vd_wide mass = vd_wide_load(m->ride.unsprung_mass), none = 0.0 * mass;
  vd_wide3 r = h->mass, arm = vd_wide_cross(h->mass, h->mass_travel), held = vd_wide_scaled(s->held, h->axle);
  vd_wide b[6] = {mass * h->mass_travel.x,         mass * h->mass_travel.y,         mass * h->mass_travel.z,
                  mass * arm.x + h->spin * held.x, mass * arm.y + h->spin * held.y, mass * arm.z + h->spin * held.z};
  vd_wide inverse = 1.0 / t->mass, known = mass * vd_wide_dot(h->mass_travel, t->known);
  vd_wide rest = (t->force - known) * inverse;
  vd_wide3 mx = vd_wide_scaled(mass, r), swing = vd_wide_cross(mx, t->known);
  vd_wide part[24] = {mass,
                      none,
                      mass,
                      none,
                      none,
                      mass,
                      none,
                      -mx.z,
                      mx.y,
                      mx.y * r.y + mx.z * r.z + held.x * h->axle.x,
                      mx.z,
                      none,
                      -mx.x,
                      -mx.x * r.y + held.x * h->axle.y,
                      mx.x * r.x + mx.z * r.z + held.y * h->axle.y,
                      -mx.y,
                      mx.x,
                      none,
                      -mx.x * r.z + held.x * h->axle.z,
                      -mx.y * r.z + held.y * h->axle.z,
                      mx.x * r.x + mx.y * r.y + held.z * h->axle.z,
                      none,
                      none,
                      none};
  for (size_t i = 0; i < VD_COUNT(entries); i++)
    part[i] -= b[entries[i].row] * (b[entries[i].column] * inverse);
  for (size_t i = 0; i < VD_COUNT(part); i += 4) {
    vd_wide sums = vd_wide_sums(part[i], part[i + 1], part[i + 2], part[i + 3]);
    for (size_t k = 0; k < 4 && i + k < VD_COUNT(entries); k++) {
      q->a[entries[i + k].row][entries[i + k].column] += sums[k];
      if (entries[i + k].row != entries[i + k].column)
        q->a[entries[i + k].column][entries[i + k].row] += sums[k];
    }
  }
  vd_wide3 spin = vd_wide_plus(vd_wide_scaled(s->momentum, s->turning), vd_wide_scaled(s->along, h->axle));
  vd_wide first = vd_wide_sums(mass * t->known.x + b[0] * rest, mass * t->known.y + b[1] * rest,
                               mass * t->known.z + b[2] * rest, none);
  vd_wide second = vd_wide_sums(swing.x + spin.x + b[3] * rest, swing.y + spin.y + b[4] * rest,
                                swing.z + spin.z + b[5] * rest, none);
  for (int i = 0; i < 3; i++) {
    q->b[i] -= first[i];
    q->b[3 + i] -= second[i];
  }
}

/* Coupled spins resist the body's turning and the travels by their shared inertia; locked wheels' own is in add_wheels. The body
 * feels the travels of other wheels so, but not they the body: drive torques reach a travel as they are. */
static void add_coupled(const vd_model *m, const vd_held_wheels *h, const vd_axle_spins *s, const travels *t,
                        equations *q) {
  for (int j = 0; j < VD_WHEELS; j++) {
    double aj[3] = {h->axle.x[j], h->axle.y[j], h->axle.z[j]};
    for (int i = 0; i < VD_WHEELS; i++) {
      double share = s->share[j][i] - (i == j ? s->held[i] : 0.0), mass = m->ride.unsprung_mass[i];
      if (share == 0.0)
        continue;
      double ai[3] = {h->axle.x[i], h->axle.y[i], h->axle.z[i]};
      double step[3] = {h->mass_travel.x[i], h->mass_travel.y[i], h->mass_travel.z[i]},
             at[3] = {h->mass.x[i], h->mass.y[i], h->mass.z[i]};
      double known[3] = {t->known.x[i], t->known.y[i], t->known.z[i]}, arm[3];
      vd_cross(at, step, arm);
      double over = share * h->spin[i] / t->mass[i], held = s->held[i] * h->spin[i];
      for (int k = 0; k < 3; k++) {
        for (int n = 0; n < 3; n++) {
          q->a[3 + k][n] -= aj[k] * over * mass * step[n];
          q->a[3 + k][3 + n] += aj[k] * (share * ai[n] - over * (mass * arm[n] + held * ai[n]));
        }
        q->b[3 + k] -= aj[k] * over * (t->force[i] - mass * vd_dot(step, known));
      }
    }
  }
}

/* A body on posts: its accelerations along x and y and its yaw are known. */
static void hold_body(const double *gravity, equations *q) {
  static const int held[] = {0, 1, 5};
  const double known[] = {-gravity[0], -gravity[1], 0.0};
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 6; i++) {
      q->b[i] -= q->a[i][held[k]] * known[k];
      q->a[i][held[k]] = q->a[held[k]][i] = 0.0;
    }
    q->a[held[k]][held[k]] = 1.0;
  }
  for (int k = 0; k < 3; k++)
    q->b[held[k]] = known[k];
}

/* Elimination without pivots: but for the small shares of add_coupled the matrix is symmetric and positive definite. */
VD_INLINE void solve(equations *q, double *x) {
  for (int k = 0; k < 6; k++) {
    double inverse = 1.0 / q->a[k][k];
    for (int i = k + 1; i < 6; i++) {
      double share = q->a[i][k] * inverse;
      for (int j = k + 1; j < 6; j++)
        q->a[i][j] -= share * q->a[k][j];
      q->b[i] -= share * q->b[k];
    }
  }
  for (int i = 5; i >= 0; i--) {
    double rest = q->b[i];
    for (int j = i + 1; j < 6; j++)
      rest -= q->a[i][j] * x[j];
    x[i] = rest / q->a[i][i];
  }
}

/* Second derivatives of the travels, and what they and the body's turning add to the spins about the axles. */
VD_INLINE vd_wide finish_travels(const vd_model *m, const double *x, const vd_held_wheels *h, const vd_axle_spins *s,
                                 const travels *t, double *dx) {
  vd_wide3 turn = vd_wide_all(x + 3), accel = vd_wide_plus(vd_wide_cross(turn, h->mass), t->known);
  vd_wide own = vd_wide_dot(turn, h->axle);
  accel.x += x[0];
  accel.y += x[1];
  accel.z += x[2];
  vd_wide rise =
      (t->force - vd_wide_load(m->ride.unsprung_mass) * vd_wide_dot(h->mass_travel, accel) - s->held * h->spin * own) /
      t->mass;
  vd_wide_store(rise, dx + VD_S_TRAVEL_RATE);
  return own + h->spin * rise;
}

/* --- ledger --- */

/* Power of each kind of work, term by term of the equations. locked_drive: N m, drive torques that locked wheels' links felt. */
VD_INLINE void ledger(const vd_model *m, const vd_command *c, const double *x, const double *mode, const vd_frame *f,
                      const vd_held_wheels *h, const vd_contacts *k, const vd_axle_spins *s, const travels *t,
                      const double *drive, double outside, vd_eval *restrict e, double *dx) {
  vd_wide omega = vd_wide_load(e->omega), load = vd_wide_load(e->load), my = vd_wide_load(e->my);
  vd_wide_mask locked = vd_wide_load(mode) == 0.0;
  vd_wide torque = vd_wide_select(locked, vd_wide_load(drive), vd_wide_load(e->drive_torque));
  vd_wide3 w = vd_wide_plus(vd_wide_all(f->w), wide_rates(t->turn, t->rack_turn, h));
  vd_wide tyre = vd_wide_load(e->fx) * (vd_wide_load(e->vx_contact) - vd_wide_load(m->lanes.radius) * omega) +
                 vd_wide_load(e->fy) * vd_wide_load(e->vy_contact) + vd_wide_load(e->mz) * vd_wide_dot(k->normal, w) +
                 vd_wide_load(e->mx) * vd_wide_dot(k->ahead, w);
  vd_wide spring = vd_wide_load(e->spring_eye), damper = vd_wide_load(e->damper_eye);
  vd_wide rack = vd_wide_dot(k->force, t->rack) + vd_wide_dot(k->couple, t->rack_turn) - spring * h->spring[2] -
                 damper * h->damper[2] - s->momentum * vd_wide_dot(s->turning, t->rack_turn);
  vd_wide shortening = h->damper[1] * h->rate + h->damper[2] * h->rack_rate;
  vd_wide first =
      vd_wide_sums(torque * (omega + h->spin * h->rate), vd_wide_load(mode) * vd_wide_load(e->brake_capacity) * omega,
                   tyre, my * (omega + s->axle_rate));
  vd_wide second = vd_wide_sums(damper * shortening, (k->elastic - load * k->cosine) * k->rate, rack,
                                load * k->post_lift * vd_wide_load(c->post_rate));
  e->rack_force = second[2];
  dx[VD_S_WORK_DRIVE] = first[0];
  dx[VD_S_WORK_BRAKE] = -first[1];
  dx[VD_S_WORK_TYRE] = first[2];
  dx[VD_S_WORK_ROLLING] = first[3];
  dx[VD_S_WORK_SUSPENSION] = -second[0];
  dx[VD_S_WORK_TYRE_VERTICAL] = second[1];
  dx[VD_S_WORK_STEERING] = -second[2] * h->rack_rate;
  dx[VD_S_WORK_OUTSIDE] = second[3] + outside;
  dx[VD_S_WORK_AERO] = vd_air_power(m, f, e);
  if (m->coupled) {
    vd_train_ledger(m, &s->train, x, e, dx);
    dx[VD_S_WORK_DRIVE] += vd_wide_sum(torque * h->spin * h->rate);
  }
}

/* --- all of it --- */

VD_INLINE void slips_and_tyres(const vd_model *m, const double *x, vd_eval *restrict e) {
  if (m->transient)
    vd_lane_transient_slips(VD_WHEELS, m, x, e);
  else
    vd_lane_steady_slips(VD_WHEELS, m, e);
  if (m->ride.held)
    vd_no_friction(e);
  else
    vd_tyres(m, x, e);
}

/* What the bushings give under the forces at hand: linear at the design position, without delay. */
static void give(const vd_ride *ride, const vd_eval *restrict e, double *steer, double *camber) {
  for (int i = 0; i < VD_WHEELS; i++) {
    const double force[3] = {e->fx[i], e->fy[i], e->mz[i]};
    steer[i] = camber[i] = 0.0;
    for (int k = 0; k < 3; k++) {
      steer[i] += ride->steer_give[k][i] * force[k];
      camber[i] += ride->camber_give[k][i] * force[k];
    }
  }
}

/* Steps to the angles d = g(d) at which wheels stand that turn under their own forces. */
typedef struct yield {
  double vx[VD_WHEELS], vy[VD_WHEELS], lean[VD_WHEELS]; /* of the contacts where the links hold them */
  double tried[VD_WHEELS], missed[VD_WHEELS];           /* the last angle and g(d) - d there */
} yield;

/* Contacts of the wheels turned by the angles at hand. */
static void turn_contacts(const yield *y, vd_eval *restrict e) {
  for (int i = 0; i < VD_WHEELS; i++) {
    double d = e->compliance_steer[i], c = vd_cos(d), s = vd_sin(d);
    e->vx_contact[i] = c * y->vx[i] + s * y->vy[i];
    e->vy_contact[i] = c * y->vy[i] - s * y->vx[i];
    e->camber[i] = y->lean[i] + e->compliance_camber[i];
  }
}

/* By the forces there to the next angles, by secants. Returns by how much the ones at hand missed, rad. */
static double next_angles(const vd_ride *ride, bool first, yield *y, vd_eval *restrict e) {
  double steer[VD_WHEELS], camber[VD_WHEELS], worst = 0.0;
  give(ride, e, steer, camber);
  for (int i = 0; i < VD_WHEELS; i++) {
    double at = e->compliance_steer[i], miss = steer[i] - at, step = at - y->tried[i];
    double slope = !first && step != 0.0 ? (miss - y->missed[i]) / step : -1.0;
    worst = vd_most(fabs(miss) + fabs(camber[i] - e->compliance_camber[i]), worst);
    y->tried[i] = at;
    y->missed[i] = miss;
    e->compliance_steer[i] = at - miss / (slope < -0.1 ? slope : -1.0);
    e->compliance_camber[i] = camber[i];
  }
  return worst;
}

/* The tyres' axes turned by the angle about the road's normal. */
static void turn_axes(const double *angle, vd_contacts *k) {
  for (int i = 0; i < VD_WHEELS; i++) {
    double c = vd_cos(angle[i]), s = vd_sin(angle[i]);
    double ahead[3] = {k->ahead.x[i], k->ahead.y[i], k->ahead.z[i]};
    double aside[3] = {k->aside.x[i], k->aside.y[i], k->aside.z[i]};
    k->ahead.x[i] = c * ahead[0] + s * aside[0];
    k->ahead.y[i] = c * ahead[1] + s * aside[1];
    k->ahead.z[i] = c * ahead[2] + s * aside[2];
    k->aside.x[i] = c * aside[0] - s * ahead[0];
    k->aside.y[i] = c * aside[1] - s * ahead[1];
    k->aside.z[i] = c * aside[2] - s * ahead[2];
  }
}

/* Tyre forces of wheels that turn under them. The discs stay where the links hold them, only the tyres' axes turn about the road's
 * normal and their camber changes: the forces do the same work on the same velocities, and the ledger needs no new kind. Each
 * wheel's angle is found from none. False: not found. */
static bool compliant_tyres(const vd_model *m, const double *x, vd_eval *restrict e, vd_contacts *k) {
  enum { ROUNDS = 40 };
  const double enough = 1e-13; /* rad */
  yield y = {.tried = {0.0}};
  double worst = INFINITY;
  memcpy(y.vx, e->vx_contact, sizeof y.vx);
  memcpy(y.vy, e->vy_contact, sizeof y.vy);
  memcpy(y.lean, e->camber, sizeof y.lean);
  for (int i = 0; i < VD_WHEELS; i++)
    e->compliance_steer[i] = e->compliance_camber[i] = 0.0;
  for (int round = 0; round < ROUNDS && !(worst < enough); round++) {
    turn_contacts(&y, e);
    slips_and_tyres(m, x, e);
    worst = next_angles(&m->ride, round == 0, &y, e);
  }
  memcpy(e->compliance_steer, y.tried, sizeof y.tried);
  turn_axes(y.tried, k);
  return worst < enough;
}

VD_WIDE bool vd_multibody_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                                vd_eval *restrict e, double *dx) {
  vd_frame f;
  vd_held_wheels h;
  vd_contacts k;
  vd_outside out;
  travels t;
  vd_axle_spins s;
  equations q;
  double unused[VD_AXLES], gravity[3], accel[6], drive[VD_WHEELS];
  vd_make_frame(m, x, unused, &f);
  if (!vd_hold_wheels(m, x + VD_S_TRAVEL, x + VD_S_TRAVEL_RATE, c->rack, c->rack_rate, &h))
    return false;
  e->rack = c->rack;
  vd_read_state(&f, x, e);
  for (int j = 0; j < 3; j++)
    gravity[j] = -VD_GRAVITY * f.to_world[2][j];
  vd_touch(m, c, &f, x, h.centre, h.axle, e, &k);
  if (m->lanes.cambers)
    vd_lean_cambers(&k, e);
  arms(&h, &k, &t);
  vd_press(m, c, contact_velocities(&f, &h, &k, &t), e, &k);
  vd_slope_pull(gravity, &k, e);
  vd_lane_torques(VD_WHEELS, m, c, x, mode, e, &dx[VD_S_SPEED_HOLD]);
  if (m->vehicle.brakes.load_dependent)
    vd_lane_share_by_load(VD_WHEELS, m, x, e);
  suspension_forces(m, &h, e);
  if (!m->ride.compliant)
    slips_and_tyres(m, x, e);
  else if (!compliant_tyres(m, x, e, &k))
    return false;
  if (m->lengths_by_load)
    vd_lane_rates_at_loads(VD_WHEELS, m, x, e);
  if (m->coupled)
    vd_coupled_drive(m, c, x, mode, e, &s.train);
  for (int i = 0; i < VD_WHEELS; i++)
    drive[i] = e->drive_torque[i];

  spin_motion(m, mode, &f, &h, e, &s);
  vd_external(m, h.axle, &f, &k, e, &out);
  travel_forces(m, mode, &f, &h, &k, &s, e, &t);
  add_body(m, &f, &out, &q);
  add_wheels(m, &h, &s, &t, &q);
  if (m->coupled)
    add_coupled(m, &h, &s, &t, &q);
  if (m->ride.held)
    hold_body(gravity, &q);
  solve(&q, accel);
  vd_wide back = finish_travels(m, accel, &h, &s, &t, dx);
  vd_finish_axle_spins(m, mode, back, &s, e);

  vd_body_rates(m, &f, gravity, accel, accel + 3, e, dx);
  ledger(m, c, x, mode, &f, &h, &k, &s, &t, drive, out.lean_power, e, dx);
  vd_other_rates(m, c, x, e, dx);
  return true;
}
