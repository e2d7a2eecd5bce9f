/* The fourteen-DOF level's equations of motion: masses of the axles and the body, solved for their accelerations. */
#ifndef VD_FOURTEEN_BODY_H
#define VD_FOURTEEN_BODY_H

#include "fourteen_spin.h"

/* Sums over the masses for the equations of the body, accelerations less gravity. */
typedef struct body_work {
  double matrix[3][3]; /* of the angular acceleration, lower half */
  double f[3], t[3];   /* N, N m about O */
} body_work;

/* Masses and first moments about O that answer a forward and a lateral acceleration, kg and kg m. */
typedef struct first_moments {
  double mass, z, y;
  double lateral_mass, lateral_z, lateral_x;
} first_moments;

/* An axle's masses: what is known of their motion before that of the body. */
typedef struct axle_work {
  double lift, roll;       /* N, N m: Q_s, Q_f */
  double mass, lateral;    /* kg: of one wheel; of the axle, for the body */
  double mean_y, mean_z;   /* m, of the masses from the roll centre */
  double known_y, known_z; /* m/s2: means of the accelerations of their places without u', w', s'', f'' */
  double known_turn;       /* m2/s2, K: sum(z y_acc - y z_acc) of both, places from their mean */
} axle_work;

/* Generalised forces on mean travel and turn: the contact forces along the contacts' paths, less the suspension. */
static inline void axle_forces(const vd_model *m, const vd_eval *restrict e, const contacts *k, const beam *b, int a,
                               axle_work *w) {
  const vd_ride *ride = &m->ride;
  double own[2];
  w->lift = w->roll = 0.0;
  for (int side = 0; side < 2; side++) {
    int i = 2 * a + side;
    const double *force = k->force[i], *at = k->at[i];
    own[side] = ride->brake_slope[a] * force[0] + ride->drive_slope[a] * e->drive_torque[i] - e->spring_force[i] -
                e->damper_force[i];
    w->lift += force[2] + own[side];
    w->roll += (at[2] - b->centre_z) * force[1] - at[1] * force[2];
  }
  w->roll += ride->half_track[a] * (own[1] - own[0]);
}

/* The unsprung masses of one axle: their part of the system's matrix and right side. The acceleration of each place is
 * A + w' x r + c + what s'' and f'' add, with c = w x (w x r) + 2 w x v - f'^2 (0, Y, Z). */
static inline void add_axle(const vd_model *m, const frame *f, const beam *b, int a, first_moments *sums,
                            body_work *body, axle_work *w) {
  const vd_ride *ride = &m->ride;
  double p = f->w[0], q = f->w[1], r = f->w[2], square = dot(f->w, f->w), x = m->lanes.x[2 * a];
  double mass = w->mass = ride->unsprung_mass[a], half = ride->half_track[a];
  w->mean_y = ride->swing[a] * b->sine;
  w->mean_z = ride->swing[a] * b->cosine;
  w->known_y = w->known_z = w->known_turn = 0.0;
  for (int side = 0; side < 2; side++) {
    double yz[2];
    on_beam(b, m->lanes.y[2 * a + side], ride->swing[a], yz);
    double at[3] = {x, yz[0], b->centre_z + yz[1]};
    double vy = b->turn * yz[1], vz = b->rise - b->turn * yz[0], whirl = b->turn * b->turn;
    double along = dot(f->w, at);
    double cx = p * along - square * at[0] + 2.0 * (q * vz - r * vy);
    double cy = q * along - square * at[1] - 2.0 * p * vz - whirl * yz[0];
    double cz = r * along - square * at[2] + 2.0 * p * vy - whirl * yz[1];
    w->known_y += 0.5 * cy;
    w->known_z += 0.5 * cz;
    w->known_turn += (yz[1] - w->mean_z) * cy - (yz[0] - w->mean_y) * cz;
    body->f[0] -= mass * cx;
    body->t[1] -= mass * at[2] * cx;
    body->t[2] += mass * at[1] * cx;
    body->matrix[1][1] += mass * at[2] * at[2];
    body->matrix[2][2] += mass * at[1] * at[1];
    body->matrix[2][1] -= mass * at[1] * at[2];
    sums->z += mass * at[2];
    sums->y += mass * at[1];
  }
  double inertia = half * half + w->mean_z * w->mean_z, z = b->centre_z;
  double lateral = w->lateral = 2.0 * mass * half * half / inertia;
  double known = lateral * w->known_y + w->mean_z / inertia * (w->roll + w->mean_y * w->lift - mass * w->known_turn);
  body->f[1] -= known;
  body->f[2] -= w->lift;
  body->t[0] += w->roll + z * known;
  body->t[1] += x * w->lift;
  body->t[2] -= x * known;
  body->matrix[0][0] += lateral * z * z;
  body->matrix[2][0] -= lateral * x * z;
  body->matrix[2][2] += lateral * x * x;
  sums->lateral_mass += lateral;
  sums->lateral_z += lateral * z;
  sums->lateral_x += lateral * x;
  sums->mass += 2.0 * mass;
}

/* The sprung mass: its part of the matrix and right side. */
static inline void add_body(const vd_model *m, const frame *f, const spin_work *s, first_moments *sums, body_work *b) {
  const vd_ride *ride = &m->ride;
  double ms = ride->sprung_mass, xs = ride->sprung_x, zs = ride->sprung_z;
  double ix = ride->inertia_x, iy = ride->inertia_y, iz = ride->inertia_z;
  double p = f->w[0], q = f->w[1], r = f->w[2], square = dot(f->w, f->w), along = p * xs + r * zs;
  double c[3] = {p * along - square * xs, q * along, r * along - square * zs};
  double(*a)[3] = b->matrix;
  a[0][0] = ix + ms * zs * zs + s->inertia[0];
  a[1][1] = iy + ms * (zs * zs + xs * xs) + s->inertia[1];
  a[2][2] = iz + ms * xs * xs;
  a[1][0] = s->inertia[2];
  a[2][0] = -ms * xs * zs;
  a[2][1] = 0.0;
  for (int j = 0; j < 3; j++) {
    b->f[j] -= ms * c[j];
    b->t[j] += s->moment[j];
  }
  b->t[0] += ms * zs * c[1] - (iz - iy) * q * r;
  b->t[1] += ms * (xs * c[2] - zs * c[0]) - (ix - iz) * r * p;
  b->t[2] += -ms * xs * c[1] - (iy - ix) * p * q;
  *sums = (first_moments){.mass = ms, .z = ms * zs, .lateral_mass = ms, .lateral_z = ms * zs, .lateral_x = ms * xs};
}

/* LDL' of the symmetric matrix without pivots: it is positive definite. fixed: no yaw. */
static inline void turn_accelerations(double (*a)[3], const double *t, bool fixed, double *alpha) {
  double l10 = a[1][0] / a[0][0], l20 = a[2][0] / a[0][0];
  double d1 = a[1][1] - l10 * a[1][0], l21 = (a[2][1] - l20 * a[1][0]) / d1;
  double d2 = a[2][2] - l20 * a[2][0] - l21 * l21 * d1;
  double y1 = t[1] - l10 * t[0], y2 = t[2] - l20 * t[0] - l21 * y1;
  alpha[2] = fixed ? 0.0 : y2 / d2;
  alpha[1] = y1 / d1 - l21 * alpha[2];
  alpha[0] = t[0] / a[0][0] - l10 * alpha[1] - l20 * alpha[2];
}

/* Accelerations of O less gravity (given in body axes) and of the body's rotation, from forces and moments about O:
 *   A_x = (f_x - S_z w'_y + S_y w'_z)/m,   A_y = (f_y + L_z w'_x - L_x w'_z)/m_l,   A_z = (f_z + m_s x_s w'_y)/m_s
 * leave a 3 x 3 system. A held body's A_x, A_y and w'_z are known instead. */
static inline void solve_body(const vd_model *m, const frame *f, const beam *beams, const spin_work *s,
                              const double *gravity, axle_work *axles, body_work *b, double *accel, double *alpha) {
  first_moments sum;
  bool held = m->ride.held;
  double(*a)[3] = b->matrix, *t = b->t;
  add_body(m, f, s, &sum, b);
  for (int i = 0; i < VD_AXLES; i++)
    add_axle(m, f, &beams[i], i, &sum, b, &axles[i]);
  double back = m->ride.sprung_mass * m->ride.sprung_x, mz = 1.0 / m->ride.sprung_mass;
  double mx = held ? 0.0 : 1.0 / sum.mass, my = held ? 0.0 : 1.0 / sum.lateral_mass;
  double fx = held ? -gravity[0] : b->f[0] * mx, fy = held ? -gravity[1] : b->f[1] * my, fz = b->f[2] * mz;
  a[0][0] -= sum.lateral_z * sum.lateral_z * my;
  a[1][1] -= sum.z * sum.z * mx + back * back * mz;
  a[2][2] -= sum.lateral_x * sum.lateral_x * my + sum.y * sum.y * mx;
  a[2][0] += sum.lateral_z * sum.lateral_x * my;
  a[2][1] += sum.z * sum.y * mx;
  t[0] += sum.lateral_z * fy;
  t[1] += back * fz - sum.z * fx;
  t[2] += sum.y * fx - sum.lateral_x * fy;
  turn_accelerations(a, t, held, alpha);
  accel[0] = fx + (sum.y * alpha[2] - sum.z * alpha[1]) * mx;
  accel[1] = fy + (sum.lateral_z * alpha[0] - sum.lateral_x * alpha[2]) * my;
  accel[2] = fz + back * mz * alpha[1];
}

/* Second derivatives of the travels, once the body's accelerations are known. */
static inline void travel_rates(const vd_model *m, const double *accel, const double *alpha, const beam *beams,
                                const axle_work *axles, double *dx) {
  for (int a = 0; a < VD_AXLES; a++) {
    const axle_work *w = &axles[a];
    double half = m->ride.half_track[a], x = m->lanes.x[2 * a], mass = w->mass;
    double mean_y = accel[1] + alpha[2] * x - alpha[0] * (beams[a].centre_z + w->mean_z) + w->known_y;
    double mean_z = accel[2] + alpha[0] * w->mean_y - alpha[1] * x + w->known_z;
    double turn = w->roll + w->mean_y * w->lift - 2.0 * mass * w->mean_z * mean_y +
                  mass * (2.0 * alpha[0] * half * half - w->known_turn);
    turn /= 2.0 * mass * (half * half + w->mean_z * w->mean_z);
    double rise = 0.5 * w->lift / mass - mean_z + w->mean_y * turn;
    dx[VD_S_TRAVEL_RATE + 2 * a] = rise - half * turn;
    dx[VD_S_TRAVEL_RATE + 2 * a + 1] = rise + half * turn;
  }
}

#endif
