/* L4: equations of motion of the travels and of the body; see l4_multibody.c. */
#ifndef VD_L4_EQUATIONS_H
#define VD_L4_EQUATIONS_H

#include "model/linkage_poses.h"
#include "model/spins.h"

/* Generalised forces and arms of the travels. */
typedef struct vd_travels {
  /* vd_l4_contact_arms */
  vd_wide3 contact, turn;   /* dP/dz; w_z, rad/m */
  vd_wide3 rack, rack_turn; /* dP/dr; w_r */
  /* vd_l4_travel_forces */
  vd_wide force;  /* N, all of the right side of the travel's equation */
  vd_wide mass;   /* kg */
  vd_wide3 known; /* m/s2, k */
} vd_travels;

/* Six equations: forces along x, y, z and moments about them, at O. Unknowns: the acceleration of O and the angular
 * acceleration. */
typedef struct vd_l4_equations {
  double a[6][6], b[6];
} vd_l4_equations;

/* Reads contacts, `h`; writes arms of `t`. */
VD_INLINE void vd_l4_contact_arms(const vd_work *w, const vd_linkage_poses *h, vd_travels *t) {
  const vd_contacts *k = &w->contact;
  vd_wide3 around = vd_wide_cross(h->axle, k->down);
  vd_wide rise = vd_wide_dot(h->axle_travel, k->down), aside = vd_wide_dot(h->axle_rack, k->down);
  t->contact =
      vd_wide_plus(vd_wide_plus(h->by_travel, vd_wide_scaled(-rise, h->axle)), vd_wide_scaled(h->spin, around));
  t->rack = vd_wide_plus(h->by_rack, vd_wide_scaled(-aside, h->axle));
  t->turn = vd_wide_plus(vd_wide_cross(h->axle, h->axle_travel), vd_wide_scaled(h->spin, h->axle));
  t->rack_turn = vd_wide_cross(h->axle, h->axle_rack);
}

/* Reads contacts and their forces, `h`, `s`, torques and suspension forces of e; writes the rest of `t`. */
VD_INLINE void vd_l4_travel_forces(const vd_work *w, const vd_linkage_poses *h, const vd_axle_spins *s, vd_travels *t) {
  const vd_contacts *k = &w->contact;
  const vd_eval *e = w->e;
  t->force = vd_wide_dot(k->force, t->contact) + vd_wide_dot(k->couple, t->turn) - vd_wide_load(e->spring_force) -
             vd_wide_load(e->damper_force) - s->momentum * vd_wide_dot(s->turning, t->turn) +
             h->spin * vd_knuckle_torques(w, s);
  vd_wide mass = vd_wide_load(w->m->ride.unsprung_mass);
  t->mass = mass * vd_wide_dot(h->mass_travel, h->mass_travel) + s->locked_inertia * h->spin * h->spin;
  vd_wide3 turning = vd_wide_all(w->frame.w), v = vd_wide_scaled(2.0 * h->rate, h->mass_travel);
  t->known = vd_wide_plus(vd_wide_cross(turning, vd_wide_plus(vd_wide_cross(turning, h->mass), v)),
                          vd_wide_scaled(h->rate * h->rate, h->mass_travel2));
}

/* The sprung mass and all external forces. */
VD_INLINE void vd_l4_add_body(const vd_work *w, vd_l4_equations *q) {
  const vd_ride *ride = &w->m->ride;
  const vd_frame *f = &w->frame;
  const vd_outside *outside = &w->outside;
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

/* Adds a symmetric contribution to the matrix, entry by entry in the order of this table. */
static const struct vd_l4_entry {
  int row, column;
} vd_l4_entries[] = {{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}, {3, 0}, {3, 1}, {3, 2}, {3, 3}, {4, 0},
                     {4, 1}, {4, 2}, {4, 3}, {4, 4}, {5, 0}, {5, 1}, {5, 2}, {5, 3}, {5, 4}, {5, 5}};

/* Wheels: their masses and spins, less what goes into their travels. Let b = (m q, m s x q + I p a of a locked wheel)
 * be the column of z'' in the body's equations and the row of the body's accelerations in the travel's. Eliminating the
 * travel then adds -b b/mass. */
VD_INLINE void vd_l4_add_wheels(const vd_model *m, const vd_linkage_poses *h, const vd_axle_spins *s,
                                const vd_travels *t, vd_l4_equations *q) {
  vd_wide mass = vd_wide_load(m->ride.unsprung_mass), none = 0.0 * mass;
  vd_wide3 r = h->mass, arm = vd_wide_cross(h->mass, h->mass_travel),
           locked = vd_wide_scaled(s->locked_inertia, h->axle);
  vd_wide b[6] = {mass * h->mass_travel.x,           mass * h->mass_travel.y,
                  mass * h->mass_travel.z,           mass * arm.x + h->spin * locked.x,
                  mass * arm.y + h->spin * locked.y, mass * arm.z + h->spin * locked.z};
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
                      mx.y * r.y + mx.z * r.z + locked.x * h->axle.x,
                      mx.z,
                      none,
                      -mx.x,
                      -mx.x * r.y + locked.x * h->axle.y,
                      mx.x * r.x + mx.z * r.z + locked.y * h->axle.y,
                      -mx.y,
                      mx.x,
                      none,
                      -mx.x * r.z + locked.x * h->axle.z,
                      -mx.y * r.z + locked.y * h->axle.z,
                      mx.x * r.x + mx.y * r.y + locked.z * h->axle.z,
                      none,
                      none,
                      none};
  for (size_t i = 0; i < VD_COUNT(vd_l4_entries); i++)
    part[i] -= b[vd_l4_entries[i].row] * (b[vd_l4_entries[i].column] * inverse);
  for (size_t i = 0; i < VD_COUNT(part); i += 4) {
    vd_wide sums = vd_wide_sums(part[i], part[i + 1], part[i + 2], part[i + 3]);
    for (size_t k = 0; k < 4 && i + k < VD_COUNT(vd_l4_entries); k++) {
      q->a[vd_l4_entries[i + k].row][vd_l4_entries[i + k].column] += sums[k];
      if (vd_l4_entries[i + k].row != vd_l4_entries[i + k].column)
        q->a[vd_l4_entries[i + k].column][vd_l4_entries[i + k].row] += sums[k];
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

/* Coupled spins resist the body's rotation and the travels by their shared inertia; that of locked wheels is in
 * vd_l4_add_wheels. So the body's equations contain the travels of other wheels, but a travel's equation contains no
 * other wheel: a drive torque acts on its travel in full. */
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
          q->a[3 + k][n] -= aj[k] * over * mass * step[n];
          q->a[3 + k][3 + n] += aj[k] * (share * ai[n] - over * (mass * arm[n] + locked * ai[n]));
        }
        q->b[3 + k] -= aj[k] * over * (t->force[i] - mass * vd_dot(step, known));
      }
    }
  }
}

/* A body on posts: its accelerations along x and y and its yaw are known. */
static void vd_l4_post_body(const double *gravity, vd_l4_equations *q) {
  static const int fixed[] = {0, 1, 5};
  const double known[] = {-gravity[0], -gravity[1], 0.0};
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 6; i++) {
      q->b[i] -= q->a[i][fixed[k]] * known[k];
      q->a[i][fixed[k]] = q->a[fixed[k]][i] = 0.0;
    }
    q->a[fixed[k]][fixed[k]] = 1.0;
  }
  for (int k = 0; k < 3; k++)
    q->b[fixed[k]] = known[k];
}

/* Elimination without pivots: apart from the small terms of vd_l4_add_coupled the matrix is symmetric and positive
 * definite. */
VD_INLINE void vd_l4_solve(vd_l4_equations *q, double *x) {
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

/* Acceleration of O less gravity and angular acceleration, in body axes. Reads frame, gravity, outside, `h`, `s`, `t`;
 * writes them into solution. */
VD_INLINE void vd_l4_accelerations(const vd_work *w, const vd_linkage_poses *h, const vd_axle_spins *s,
                                   const vd_travels *t, double *solution) {
  vd_l4_equations q;
  vd_l4_add_body(w, &q);
  vd_l4_add_wheels(w->m, h, s, t, &q);
  if (w->m->coupled)
    vd_l4_add_coupled(w->m, h, s, t, &q);
  if (w->m->ride.posted)
    vd_l4_post_body(w->gravity, &q);
  vd_l4_solve(&q, solution);
}

/* Second derivatives of the travels. solution: accelerations of the body. Returns what both add to the accelerations of
 * the spins about the axles, rad/s2. Reads `h`, `s`, `t`; writes dx. */
VD_INLINE vd_wide vd_l4_travel_rates(const vd_work *w, const vd_linkage_poses *h, const vd_axle_spins *s,
                                     const vd_travels *t, const double *solution) {
  vd_wide3 turn = vd_wide_all(solution + 3), accel = vd_wide_plus(vd_wide_cross(turn, h->mass), t->known);
  vd_wide own = vd_wide_dot(turn, h->axle);
  accel.x += solution[0];
  accel.y += solution[1];
  accel.z += solution[2];
  vd_wide rise = (t->force - vd_wide_load(w->m->ride.unsprung_mass) * vd_wide_dot(h->mass_travel, accel) -
                  s->locked_inertia * h->spin * own) /
                 t->mass;
  vd_wide_store(rise, w->dx + VD_S_TRAVEL_RATE);
  return own + h->spin * rise;
}

#endif
