/* L4, and L5 with rigid links: equations of motion of the travels and of the body; see l4_multibody.c. */
#ifndef VD_L4_EQUATIONS_H
#define VD_L4_EQUATIONS_H

#include "model/link_bodies.h"
#include "model/linkage_poses.h"
#include "model/spins.h"

/* Generalised forces and arms of the travels. */
typedef struct vd_travels {
  /* vd_l4_contact_arms */
  vd_wide3 contact, turn;     /* dP/dz; w_z, rad/m */
  vd_wide3 rack, rack_turn;   /* dP/dr; w_r */
  vd_wide3 other, other_turn; /* joined wheels: derivatives by the travel of the other wheel */
  /* vd_l4_travel_forces */
  vd_wide force;        /* N, all of the right side of the travel's equation */
  vd_wide mass;         /* kg */
  vd_wide coupling;     /* kg, for joined wheels: inertia of the travel against the other travel's acceleration */
  vd_wide3 known;       /* m/s2, k */
  bool has_link_bodies; /* some linkage has masses of its own; not with joined wheels */
  vd_link_bodies bodies;
} vd_travels;

/* The travels' equations: mass z'' + coupling z_other'' + b . (A, alpha) = force; and solved for z'': z'' = rest -
 * shared . (A, alpha). */
typedef struct vd_travel_rows {
  vd_wide b[6], force, shared[6], rest;
} vd_travel_rows;

/* Six equations: forces along x, y, z and moments about them, at O. Unknowns: the acceleration of O and the angular
 * acceleration. A row has its coefficients, its right side and a zero. */
typedef struct vd_l4_equations {
  double row[6][8];
} vd_l4_equations;

enum { VD_L4_RIGHT = 6 };

/* Computes the arms: derivatives of contact points and knuckles by the inputs. Reads contacts, h; writes arms of t. */
VD_INLINE void vd_l4_contact_arms(const vd_work *w, const vd_linkage_poses *h, vd_travels *t) {
  const vd_contacts *k = &w->contact;
  vd_wide3 around = vd_wide_cross(h->axle, k->down);
  vd_wide rise = vd_wide_dot(h->axle_travel, k->down), aside = vd_wide_dot(h->axle_rack, k->down);
  t->contact =
      vd_wide_plus(vd_wide_plus(h->by_travel, vd_wide_scaled(-rise, h->axle)), vd_wide_scaled(h->spin, around));
  t->rack = vd_wide_plus(h->by_rack, vd_wide_scaled(-aside, h->axle));
  t->turn = vd_wide_plus(vd_wide_cross(h->axle, h->axle_travel), vd_wide_scaled(h->spin, h->axle));
  t->rack_turn = vd_wide_cross(h->axle, h->axle_rack);
  if (!h->joined)
    return;
  vd_wide lift = vd_wide_dot(h->axle_other, k->down);
  t->other =
      vd_wide_plus(vd_wide_plus(h->by_other, vd_wide_scaled(-lift, h->axle)), vd_wide_scaled(h->other_spin, around));
  t->other_turn = vd_wide_plus(vd_wide_cross(h->axle, h->axle_other), vd_wide_scaled(h->other_spin, h->axle));
}

/* Returns mass times acceleration of the unsprung masses, N. */
VD_INLINE vd_wide3 vd_l4_inertia(const vd_ride *ride, vd_wide3 accel) {
  vd_wide mass = vd_wide_load(ride->unsprung_mass), shared = vd_wide_load(ride->link.shared_mass);
  return vd_wide_plus(vd_wide_scaled(mass - shared, accel), vd_wide_scaled(shared, vd_wide3_swapped(accel)));
}

/* Returns the generalised force of the unsprung masses' inertia on the travels. */
VD_INLINE vd_wide vd_l4_inertia_work(const vd_ride *ride, const vd_linkage_poses *h, vd_wide3 accel) {
  if (!h->joined)
    return vd_wide_load(ride->unsprung_mass) * vd_wide_dot(h->mass_travel, accel);
  vd_wide3 force = vd_l4_inertia(ride, accel);
  return vd_wide_dot(force, h->mass_travel) + vd_wide_swapped(vd_wide_dot(force, h->mass_other));
}

/* Returns the part of the drive torques that is known before the accelerations of body and travels: those of shafts
 * that are not coupled. */
VD_INLINE vd_wide vd_l4_known_drive(const vd_work *w, const vd_axle_spins *s) {
  vd_wide drive = vd_wide_load(w->e->drive.drive_torque);
  if (!w->m->coupled)
    return drive;
  vd_wide_mask locked = vd_wide_load(w->mode) == 0.0;
  return vd_wide_select(locked, drive, s->along - vd_tyre_and_brake_torques(w));
}

/* Returns the moment of the propeller shaft on each travel, per drive torque of one wheel. */
VD_INLINE vd_wide vd_l4_shaft_slope(const vd_ride *ride, const vd_travels *t) {
  return vd_wide_load(ride->link.shaft) * (t->turn.x + vd_wide_swapped(t->other_turn.x));
}

/* Adds the forces on the travels of joined wheels: those by derivatives with respect to the other travel, and those of
 * the drive torques that the axle carries. A live axle carries the reactions to the drive torque of its final drive and
 * to its brakes, so that the whole of -dH/dt works on it. In a live axle that steers, the joints in its shafts work on
 * the knuckles' rotations. Adds to force, mass and known of `t`; writes its coupling. */
VD_INLINE void vd_l4_joined_forces(const vd_work *w, const vd_linkage_poses *h, const vd_axle_spins *s, vd_travels *t) {
  const vd_contacts *k = &w->contact;
  const vd_ride *ride = &w->m->ride;
  vd_wide live = vd_wide_load(ride->link.on_live_axle), knuckle = vd_knuckle_torques(w, s), locked = s->locked_inertia;
  /* torque that a shaft from the body would transmit instead of the knuckle */
  vd_wide shaft_torque = live * (s->along + knuckle);
  vd_wide other = vd_wide_dot(k->force, t->other) + vd_wide_dot(k->couple, t->other_turn) -
                  s->momentum * vd_wide_dot(s->turning, t->other_turn) + h->other_spin * (knuckle - shaft_torque);
  vd_wide drive = vd_l4_known_drive(w, s);
  t->force += vd_wide_pairs(drive) * vd_l4_shaft_slope(ride, t) + drive * h->shaft[0] - shaft_torque * h->spin +
              vd_wide_swapped(other + drive * h->shaft[1]);
  /* momenta of both masses per rate of one travel */
  vd_wide3 across = vd_wide3_swapped(h->mass_other);
  vd_wide mass = vd_wide_load(ride->unsprung_mass), shared = vd_wide_load(ride->link.shared_mass);
  vd_wide3 first = vd_wide_plus(vd_wide_scaled(mass - shared, h->mass_travel), vd_wide_scaled(shared, across));
  vd_wide3 second = vd_wide_plus(vd_wide_scaled(mass - shared, across), vd_wide_scaled(shared, h->mass_travel));
  t->mass = vd_wide_dot(first, h->mass_travel) + vd_wide_dot(second, across) + locked * h->spin * h->spin +
            vd_wide_swapped(locked * h->other_spin * h->other_spin);
  t->coupling = vd_wide_dot(first, h->mass_other) + vd_wide_dot(second, vd_wide3_swapped(h->mass_travel)) +
                vd_wide_pairs(locked * h->spin * h->other_spin);
  vd_wide3 bend = vd_wide_plus(vd_wide_scaled(2.0 * h->rate * h->other_rate, h->mass_mixed),
                               vd_wide_scaled(h->other_rate * h->other_rate, h->mass_other2));
  t->known = vd_wide_plus(t->known, bend);
}

/* Computes the forces on the travels. Reads contacts and their forces, `h`, `s`, torques and suspension forces of e;
 * writes the rest of `t`. */
VD_INLINE void vd_l4_travel_forces(const vd_work *w, const vd_linkage_poses *h, const vd_axle_spins *s, vd_travels *t) {
  const vd_contacts *k = &w->contact;
  const vd_eval *e = w->e;
  t->force = vd_wide_dot(k->force, t->contact) + vd_wide_dot(k->couple, t->turn) -
             vd_wide_load(e->suspension.spring_force) - vd_wide_load(e->suspension.damper_force) -
             s->momentum * vd_wide_dot(s->turning, t->turn) + h->spin * vd_knuckle_torques(w, s);
  vd_wide mass = vd_wide_load(w->m->ride.unsprung_mass);
  t->mass = mass * vd_wide_dot(h->mass_travel, h->mass_travel) + s->locked_inertia * h->spin * h->spin;
  vd_wide3 turning = vd_wide3_repeat(w->frame.w), v = vd_mass_rate(h);
  v = vd_wide_plus(v, v);
  t->known = vd_wide_plus(vd_wide_cross(turning, vd_wide_plus(vd_wide_cross(turning, h->mass), v)),
                          vd_wide_scaled(h->rate * h->rate, h->mass_travel2));
  if (h->joined)
    vd_l4_joined_forces(w, h, s, t);
  if (t->has_link_bodies) {
    vd_link_bodies_at(w, h, &t->bodies);
    t->mass += t->bodies.mass;
  }
}

/* Computes the right sides of the body's equations: all external forces on the sprung mass and the velocity terms of
 * its rotation. */
VD_INLINE void vd_l4_body_forces(const vd_work *w, double *right) {
  const vd_ride *ride = &w->m->ride;
  const vd_frame *f = &w->frame;
  const vd_outside *outside = &w->outside;
  double ms = ride->sprung_mass, s[3] = {ride->sprung_x, ride->sprung_y, ride->sprung_z}, c[3], gyro[3], tangential[3];
  double xy = ride->product[VD_PRODUCT_XY], xz = ride->product[VD_PRODUCT_XZ], yz = ride->product[VD_PRODUCT_YZ];
  double square = vd_dot(f->w, f->w), along = vd_dot(f->w, s);
  const double spin[3] = {ride->inertia_x * f->w[0] - xy * f->w[1] - xz * f->w[2],
                          ride->inertia_y * f->w[1] - xy * f->w[0] - yz * f->w[2],
                          ride->inertia_z * f->w[2] - xz * f->w[0] - yz * f->w[1]};
  for (int j = 0; j < 3; j++)
    c[j] = f->w[j] * along - s[j] * square;
  vd_cross(f->w, spin, gyro);
  vd_cross(s, c, tangential);
  for (int j = 0; j < 3; j++) {
    right[j] = outside->force[j] - ms * c[j];
    right[3 + j] = outside->moment[j] - gyro[j] - ms * tangential[j];
  }
}

/* The part of one wheel in an entry of the matrix after elimination of its travel. */
#define VD_L4_ENTRY(own, row, column) ((own)-b[row] * shared[column])

/* Adds to the columns of joined wheels that the travel of one wheel also moves the mass of the other wheel, and turns
 * the knuckle of the other wheel, with its spin if it is locked. */
VD_INLINE void vd_l4_joined_columns(const vd_ride *ride, const vd_linkage_poses *h, vd_wide3 locked, vd_wide *b) {
  vd_wide shared = vd_wide_load(ride->link.shared_mass), mass = vd_wide_load(ride->unsprung_mass) - shared;
  vd_wide3 across = vd_wide3_swapped(h->mass_other), back = vd_wide_scaled(-shared, h->mass_travel);
  /* terms in addition to the column of a single wheel's mass */
  vd_wide3 here = vd_wide_plus(back, vd_wide_scaled(shared, across));
  vd_wide3 there = vd_wide_plus(vd_wide_scaled(mass, across), vd_wide_scaled(shared, h->mass_travel));
  vd_wide3 sum = vd_wide_plus(here, there);
  vd_wide3 moment = vd_wide_plus(vd_wide_cross(h->mass, here), vd_wide_cross(vd_wide3_swapped(h->mass), there));
  moment = vd_wide_plus(moment, vd_wide3_swapped(vd_wide_scaled(h->other_spin, locked)));
  const vd_wide more[6] = {sum.x, sum.y, sum.z, moment.x, moment.y, moment.z};
  for (int k = 0; k < 6; k++)
    b[k] += more[k];
}

/* Solves the travels' equations. b = (m q, e x m q + I p a of a locked wheel) (l4_multibody.c) is the column of z'' in
 * the body's equations and the row of the body's accelerations in the travel's equation. The travels of joined wheels
 * make pairs of equations. */
VD_INLINE void vd_l4_solve_travels(const vd_work *w, const vd_linkage_poses *h, const vd_axle_spins *s,
                                   const vd_travels *t, vd_travel_rows *z) {
  vd_wide mass = vd_wide_load(w->m->ride.unsprung_mass);
  vd_wide3 arm = vd_wide_cross(h->mass, h->mass_travel), locked = vd_wide_scaled(s->locked_inertia, h->axle);
  z->b[0] = mass * h->mass_travel.x;
  z->b[1] = mass * h->mass_travel.y;
  z->b[2] = mass * h->mass_travel.z;
  z->b[3] = mass * arm.x + h->spin * locked.x;
  z->b[4] = mass * arm.y + h->spin * locked.y;
  z->b[5] = mass * arm.z + h->spin * locked.z;
  vd_wide known = vd_l4_inertia_work(&w->m->ride, h, t->known);
  if (t->has_link_bodies) {
    const vd_link_bodies *more = &t->bodies;
    const vd_wide column[6] = {more->push.x, more->push.y, more->push.z, more->turn.x, more->turn.y, more->turn.z};
    for (int k = 0; k < 6; k++)
      z->b[k] += column[k];
    known += more->known;
  }
  vd_wide force = z->force = t->force - known;
  if (!h->joined) {
    vd_wide inverse = 1.0 / t->mass;
    z->rest = force * inverse;
    for (int k = 0; k < 6; k++)
      z->shared[k] = z->b[k] * inverse;
    return;
  }
  vd_l4_joined_columns(&w->m->ride, h, locked, z->b);
  vd_wide other = vd_wide_swapped(t->mass), over = 1.0 / (t->mass * other - t->coupling * t->coupling);
  vd_wide own = other * over, cross = -t->coupling * over;
  z->rest = force * own + vd_wide_swapped(force) * cross;
  for (int k = 0; k < 6; k++)
    z->shared[k] = z->b[k] * own + vd_wide_swapped(z->b[k]) * cross;
}

VD_INLINE void vd_l4_add_bodies(const vd_link_bodies *more, vd_wide3 *first, vd_wide_tensor *tensor, vd_wide3 *force,
                                vd_wide3 *moment) {
  *first = vd_wide_plus(*first, more->first);
  tensor->xx += more->tensor.xx;
  tensor->yy += more->tensor.yy;
  tensor->zz += more->tensor.zz;
  tensor->xy += more->tensor.xy;
  tensor->xz += more->tensor.xz;
  tensor->yz += more->tensor.yz;
  *force = vd_wide_plus(*force, more->force);
  *moment = vd_wide_plus(*moment, more->moment);
}

/* Forms the body's equations from its constant coefficients and the wheels with their masses and spins, with the
 * travels eliminated, which adds -b shared. */
VD_INLINE void vd_l4_form(const vd_work *w, const vd_linkage_poses *h, const vd_axle_spins *s, const vd_travels *t,
                          const vd_travel_rows *z, vd_l4_equations *q) {
  vd_wide mass = vd_wide_load(w->m->ride.unsprung_mass), none = 0.0 * mass;
  const vd_wide *b = z->b, *shared = z->shared;
  vd_wide rest = z->rest;
  vd_wide3 r = h->mass, locked = vd_wide_scaled(s->locked_inertia, h->axle);
  vd_wide3 mx = h->joined ? vd_l4_inertia(&w->m->ride, r) : vd_wide_scaled(mass, r);
  vd_wide3 tangential = vd_wide_cross(mx, t->known);
  vd_wide3 spin = vd_wide_plus(vd_wide_scaled(s->momentum, s->turning), vd_wide_scaled(s->along, h->axle));
  vd_wide3 pull = vd_wide_scaled(mass, t->known);
  vd_wide_tensor own = {
      mx.y * r.y + mx.z * r.z, mx.x * r.x + mx.z * r.z, mx.x * r.x + mx.y * r.y, -mx.x * r.y, -mx.x * r.z, -mx.y * r.z};
  if (t->has_link_bodies)
    vd_l4_add_bodies(&t->bodies, &mx, &own, &pull, &tangential);
  vd_wide xx = VD_L4_ENTRY(mass, 0, 0), yx = VD_L4_ENTRY(none, 1, 0), yy = VD_L4_ENTRY(mass, 1, 1);
  vd_wide zx = VD_L4_ENTRY(none, 2, 0), zy = VD_L4_ENTRY(none, 2, 1), zz = VD_L4_ENTRY(mass, 2, 2);
  vd_wide px = VD_L4_ENTRY(none, 3, 0), py = VD_L4_ENTRY(-mx.z, 3, 1), pz = VD_L4_ENTRY(mx.y, 3, 2);
  vd_wide qx = VD_L4_ENTRY(mx.z, 4, 0), qy = VD_L4_ENTRY(none, 4, 1), qz = VD_L4_ENTRY(-mx.x, 4, 2);
  vd_wide rx = VD_L4_ENTRY(-mx.y, 5, 0), ry = VD_L4_ENTRY(mx.x, 5, 1), rz = VD_L4_ENTRY(none, 5, 2);
  vd_wide pp = VD_L4_ENTRY(own.xx + locked.x * h->axle.x, 3, 3);
  vd_wide qp = VD_L4_ENTRY(own.xy + locked.x * h->axle.y, 4, 3);
  vd_wide qq = VD_L4_ENTRY(own.yy + locked.y * h->axle.y, 4, 4);
  vd_wide rp = VD_L4_ENTRY(own.xz + locked.x * h->axle.z, 5, 3);
  vd_wide rq = VD_L4_ENTRY(own.yz + locked.y * h->axle.z, 5, 4);
  vd_wide rr = VD_L4_ENTRY(own.zz + locked.z * h->axle.z, 5, 5);
  const vd_wide sums[6][2] = {
      {vd_wide_sums(xx, yx, zx, px), vd_wide_sums(qx, rx, -(pull.x + b[0] * rest), none)},
      {vd_wide_sums(yx, yy, zy, py), vd_wide_sums(qy, ry, -(pull.y + b[1] * rest), none)},
      {vd_wide_sums(zx, zy, zz, pz), vd_wide_sums(qz, rz, -(pull.z + b[2] * rest), none)},
      {vd_wide_sums(px, py, pz, pp), vd_wide_sums(qp, rp, -(tangential.x + spin.x + b[3] * rest), none)},
      {vd_wide_sums(qx, qy, qz, qp), vd_wide_sums(qq, rq, -(tangential.y + spin.y + b[4] * rest), none)},
      {vd_wide_sums(rx, ry, rz, rp), vd_wide_sums(rq, rr, -(tangential.z + spin.z + b[5] * rest), none)}};
  double right[6];
  vd_l4_body_forces(w, right);
  for (int i = 0; i < 6; i++) {
    const double *body = w->m->ride.body_matrix[i];
    vd_wide last = vd_wide_load(body + 4) + sums[i][1];
    last[VD_L4_RIGHT - 4] += right[i];
    vd_wide_store(vd_wide_load(body) + sums[i][0], q->row[i]);
    vd_wide_store(last, q->row[i] + 4);
  }
}
#undef VD_L4_ENTRY

/* Adds coupled spins, which resist the body's rotation and the travels by their shared inertia; vd_l4_form contains the
 * inertia of locked wheels. The body's equations thus contain the travels of other wheels, but the equation of a travel
 * contains no other wheel: the whole drive torque of a wheel acts on its travel. */
static void vd_l4_add_coupled(const vd_model *m, const vd_linkage_poses *h, const vd_axle_spins *s, const vd_travels *t,
                              vd_l4_equations *q) {
  for (int j = 0; j < VD_WHEELS; j++) {
    double aj[3] = {h->axle.x[j], h->axle.y[j], h->axle.z[j]};
    for (int i = 0; i < VD_WHEELS; i++) {
      double share = s->share[j][i] - (i == j ? s->locked_inertia[i] : 0.0), mass = m->ride.unsprung_mass[i];
      if (share == 0.0)
        continue;
      double ai[3] = {h->axle.x[i], h->axle.y[i], h->axle.z[i]};
      double step[3] = {h->mass_travel.x[i], h->mass_travel.y[i], h->mass_travel.z[i]},
             at[3] = {h->mass.x[i], h->mass.y[i], h->mass.z[i]};
      double known[3] = {t->known.x[i], t->known.y[i], t->known.z[i]}, arm[3];
      vd_cross(at, step, arm);
      double over = share * h->spin[i] / t->mass[i], locked = s->locked_inertia[i] * h->spin[i];
      for (int k = 0; k < 3; k++) {
        for (int n = 0; n < 3; n++) {
          q->row[3 + k][n] -= aj[k] * over * mass * step[n];
          q->row[3 + k][3 + n] += aj[k] * (share * ai[n] - over * (mass * arm[n] + locked * ai[n]));
        }
        q->row[3 + k][VD_L4_RIGHT] -= aj[k] * over * (t->force[i] - mass * vd_dot(step, known));
      }
      for (int k = 0; k < 3 && t->has_link_bodies; k++) {
        const vd_link_bodies *more = &t->bodies;
        const double column[6] = {more->push.x[i], more->push.y[i], more->push.z[i],
                                  more->turn.x[i], more->turn.y[i], more->turn.z[i]};
        for (int n = 0; n < 6; n++)
          q->row[3 + k][n] -= aj[k] * over * column[n];
        q->row[3 + k][VD_L4_RIGHT] += aj[k] * over * more->known[i];
      }
    }
  }
}

/* Replaces equations of a body on posts by its known accelerations: along x and y and in yaw. */
static void vd_l4_post_body(const vd_work *w, vd_l4_equations *q) {
  static const int fixed[] = {0, 1, 5};
  double known[3];
  vd_accelerations_on_posts(w, known);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 6; i++) {
      q->row[i][VD_L4_RIGHT] -= q->row[i][fixed[k]] * known[k];
      q->row[i][fixed[k]] = q->row[fixed[k]][i] = 0.0;
    }
    q->row[fixed[k]][fixed[k]] = 1.0;
  }
  for (int k = 0; k < 3; k++)
    q->row[fixed[k]][VD_L4_RIGHT] = known[k];
}

/* A row of eight numbers in two vectors. */
typedef struct vd_l4_row {
  vd_wide first, last;
} vd_l4_row;

VD_INLINE double vd_l4_at(const vd_l4_row *row, int column) {
  return column < 4 ? row->first[column] : row->last[column - 4];
}

/* Eliminates unknown k from the rows below row k. k is a constant at every call, so that all loops are unrolled and the
 * rows stay in registers. */
VD_INLINE void vd_l4_eliminate(vd_l4_row *row, int k) {
  double inverse = 1.0 / vd_l4_at(&row[k], k);
  for (int i = k + 1; i < 6; i++) {
    double share = vd_l4_at(&row[i], k) * inverse;
    if (k < 3)
      row[i].first -= share * row[k].first;
    row[i].last -= share * row[k].last;
  }
}

/* Solves by Gaussian elimination without pivots: apart from the small terms of vd_l4_add_coupled the matrix is
 * symmetric and positive definite. */
VD_INLINE void vd_l4_solve(const vd_l4_equations *q, double *x) {
  vd_l4_row row[6];
  for (int i = 0; i < 6; i++)
    row[i] = (vd_l4_row){vd_wide_load(q->row[i]), vd_wide_load(q->row[i] + 4)};
  vd_l4_eliminate(row, 0);
  vd_l4_eliminate(row, 1);
  vd_l4_eliminate(row, 2);
  vd_l4_eliminate(row, 3);
  vd_l4_eliminate(row, 4);
  for (int i = 5; i >= 0; i--) {
    double rest = row[i].last[VD_L4_RIGHT - 4];
    for (int j = i + 1; j < 6; j++)
      rest -= vd_l4_at(&row[i], j) * x[j];
    x[i] = rest / vd_l4_at(&row[i], i);
  }
}

/* Six equations of the body and four of the travels, with their right sides. */
enum { VD_L4_ALL = 6 + VD_WHEELS };

typedef struct vd_l4_all {
  double row[VD_L4_ALL][VD_L4_ALL + 1];
} vd_l4_all;

/* Adds coupled spins of a car with joined wheels, which resist alpha . a + p z'' + p_other z_other'' by their shared
 * inertia; `q` and `z` already contain the inertia of locked wheels. The torques of these spins act on the body; those
 * of a live axle also act on its travels, like the drive torque through the propeller shaft. */
static void vd_l4_couple_joined(const vd_ride *ride, const vd_linkage_poses *h, const vd_axle_spins *s,
                                const vd_travels *t, vd_l4_all *q) {
  vd_wide slope = vd_l4_shaft_slope(ride, t);
  double column[VD_WHEELS][VD_L4_ALL] = {{0.0}};
  for (int i = 0; i < VD_WHEELS; i++) {
    const double turn[] = {h->axle.x[i], h->axle.y[i], h->axle.z[i]};
    for (int k = 0; k < 3; k++)
      column[i][3 + k] = turn[k];
    column[i][6 + i] = h->spin[i];
    column[i][6 + vd_other_side(i)] = h->other_spin[i];
  }
  for (int i = 0; i < VD_WHEELS; i++) {
    double on[VD_L4_ALL];
    for (int k = 0; k < VD_L4_ALL; k++)
      on[k] = k < 6 ? column[i][k]
              : k / 2 == 3 + vd_axle_of(i)
                  ? ride->link.on_live_axle[i] * column[i][k] - slope[k - 6] - h->shaft[k - 6 != i][i]
                  : 0.0;
    for (int j = 0; j < VD_WHEELS; j++) {
      double share = s->share[i][j] - (i == j ? s->locked_inertia[i] : 0.0);
      for (int k = 0; k < VD_L4_ALL && share != 0.0; k++)
        for (int n = 0; n < VD_L4_ALL; n++)
          q->row[k][n] += share * on[k] * column[j][n];
    }
  }
}

/* Eliminates without pivots, as vd_l4_solve does. */
static void vd_l4_eliminate_all(vd_l4_all *q, double *x) {
  for (int k = 0; k < VD_L4_ALL; k++)
    for (int i = k + 1; i < VD_L4_ALL; i++) {
      double share = q->row[i][k] / q->row[k][k];
      for (int j = k; j <= VD_L4_ALL; j++)
        q->row[i][j] -= share * q->row[k][j];
    }
  for (int i = VD_L4_ALL - 1; i >= 0; i--) {
    double rest = q->row[i][VD_L4_ALL];
    for (int j = i + 1; j < VD_L4_ALL; j++)
      rest -= q->row[i][j] * x[j];
    x[i] = rest / q->row[i][i];
  }
}

/* Solves a car with coupled shafts and joined wheels, whose travels are not eliminated. x: the body's accelerations,
 * then the second derivatives of the travels. body: the body's equations without the travels. */
static void vd_l4_solve_joined(const vd_work *w, const vd_linkage_poses *h, const vd_axle_spins *s, const vd_travels *t,
                               const vd_travel_rows *z, const vd_l4_equations *body, double *x) {
  vd_l4_all q = {{{0.0}}};
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++)
      q.row[i][j] = body->row[i][j];
    q.row[i][VD_L4_ALL] = body->row[i][VD_L4_RIGHT];
  }
  for (int n = 0; n < VD_WHEELS; n++) {
    for (int k = 0; k < 6; k++)
      q.row[k][6 + n] = q.row[6 + n][k] = z->b[k][n];
    q.row[6 + n][6 + n] = t->mass[n];
    q.row[6 + n][6 + vd_other_side(n)] = t->coupling[n];
    q.row[6 + n][VD_L4_ALL] = z->force[n];
  }
  vd_l4_couple_joined(&w->m->ride, h, s, t, &q);
  if (w->m->ride.on_posts) {
    static const int fixed[] = {0, 1, 5};
    double known[3];
    vd_accelerations_on_posts(w, known);
    for (int k = 0; k < 3; k++) {
      for (int j = 0; j < VD_L4_ALL; j++)
        q.row[fixed[k]][j] = j == fixed[k];
      q.row[fixed[k]][VD_L4_ALL] = known[k];
    }
  }
  vd_l4_eliminate_all(&q, x);
}

/* Solves for the acceleration of O less gravity and the angular acceleration, in body axes, and, if the travels are not
 * eliminated, for their second derivatives. Returns false, without writing the latter, if the travels are eliminated.
 * Reads frame, gravity, outside, `h`, `s`, `t`. */
VD_INLINE bool vd_l4_solve_stage(const vd_work *w, const vd_linkage_poses *h, const vd_axle_spins *s,
                                 const vd_travels *t, double *solution) {
  vd_l4_equations q;
  vd_travel_rows z;
  vd_l4_solve_travels(w, h, s, t, &z);
  if (h->joined && w->m->coupled) {
    vd_wide none = 0.0 * z.rest;
    z.rest = none;
    for (int k = 0; k < 6; k++)
      z.shared[k] = none;
    vd_l4_form(w, h, s, t, &z, &q);
    vd_l4_solve_joined(w, h, s, t, &z, &q, solution);
    return true;
  }
  vd_l4_form(w, h, s, t, &z, &q);
  if (w->m->coupled)
    vd_l4_add_coupled(w->m, h, s, t, &q);
  if (w->m->ride.on_posts)
    vd_l4_post_body(w, &q);
  vd_l4_solve(&q, solution);
  return false;
}

/* Returns the second derivatives of the eliminated travels, from the accelerations of the body. Reads `h`, `s`, `t`. */
VD_INLINE vd_wide vd_l4_rise(const vd_work *w, const vd_linkage_poses *h, const vd_axle_spins *s, const vd_travels *t,
                             const double *solution) {
  vd_wide3 turn = vd_wide3_repeat(solution + 3), accel = vd_wide_plus(vd_wide_cross(turn, h->mass), t->known);
  vd_wide own = vd_wide_dot(turn, h->axle);
  accel.x += solution[0];
  accel.y += solution[1];
  accel.z += solution[2];
  vd_wide force = t->force - vd_l4_inertia_work(&w->m->ride, h, accel) - s->locked_inertia * h->spin * own;
  if (t->has_link_bodies)
    force -=
        vd_wide_dot(t->bodies.push, vd_wide3_repeat(solution)) + vd_wide_dot(t->bodies.turn, turn) + t->bodies.known;
  if (!h->joined)
    return force / t->mass;
  force -= vd_wide_swapped(s->locked_inertia * h->other_spin * own);
  vd_wide other = vd_wide_swapped(t->mass);
  return (other * force - t->coupling * vd_wide_swapped(force)) / (t->mass * other - t->coupling * t->coupling);
}

/* Computes the accelerations of the body by vd_l4_solve_stage; solution: VD_L4_ALL numbers. Returns the contribution of
 * these and of the accelerations of the travels to the accelerations of the spins about the axles, rad/s2. Writes rates
 * of the travels to dx. */
VD_INLINE vd_wide vd_l4_accelerations(const vd_work *w, const vd_linkage_poses *h, const vd_axle_spins *s,
                                      const vd_travels *t, double *solution) {
  bool all = vd_l4_solve_stage(w, h, s, t, solution);
  vd_wide rise = all ? vd_wide_load(solution + 6) : vd_l4_rise(w, h, s, t, solution);
  vd_wide_store(rise, w->dx + VD_S_TRAVEL_RATE);
  vd_wide back = vd_wide_dot(vd_wide3_repeat(solution + 3), h->axle) + h->spin * rise;
  return h->joined ? back + h->other_spin * vd_wide_swapped(rise) : back;
}

#endif
