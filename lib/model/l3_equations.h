/* L3: equations of motion of the axles' and the body's masses, solved for the accelerations; see l3_fourteen_dof.c. */
#ifndef VD_L3_EQUATIONS_H
#define VD_L3_EQUATIONS_H

#include "model/l3_beams.h"
#include "model/l3_spins.h"

/* Sums over the masses for the equations of the body, whose unknowns are accelerations less gravity. */
typedef struct vd_body_equations {
  double matrix[3][3]; /* coefficients of the angular acceleration, lower half */
  double f[3], t[3];   /* N, N m about O */
} vd_body_equations;

/* Masses that resist a forward and a lateral acceleration, and their first moments about O, kg and kg m. */
typedef struct vd_first_moments {
  double mass, z, y;
  double lateral_mass, lateral_z, lateral_x;
} vd_first_moments;

/* Quantities of the axles' masses that are known before the body's accelerations. Left and right are equal. */
typedef struct vd_axle_equations {
  vd_wide lift, roll;       /* N, N m: Q_s, Q_f */
  vd_wide mean_y, mean_z;   /* m, mean place of the masses from the roll centre */
  vd_wide known_y, known_z; /* m/s2: mean accelerations of their places without the parts of u', w', s'', f'' */
  vd_wide known_turn;       /* m2/s2, K: sum over both of (z y_acc - y z_acc), places relative to their mean */
  vd_wide inertia;          /* m2: (track/2)^2 + mean_z^2 */
} vd_axle_equations;

/* Computes the generalised forces Q_s and Q_f on mean travel and beam angle: those of contact forces and drive torques
 * less those of the suspension. */
VD_INLINE void vd_axle_forces(const vd_work *w, const vd_beams *b, vd_axle_equations *axles) {
  const vd_wide outward = {-1.0, 1.0, -1.0, 1.0};
  const vd_ride *ride = &w->m->ride;
  const vd_wide3 *at = &w->contact.at, *force = &w->contact.force;
  const vd_eval *e = w->e;
  vd_wide own = vd_wide_load(ride->beam.brake_slope) * force->x +
                vd_wide_load(ride->beam.drive_slope) * vd_wide_load(e->drive.drive_torque) -
                vd_wide_load(e->suspension.spring_force) - vd_wide_load(e->suspension.damper_force);
  axles->lift = vd_wide_pairs(force->z + own);
  axles->roll = vd_wide_pairs((at->z - b->centre_z) * force->y - at->y * force->z +
                              vd_wide_load(ride->beam.half_track) * outward * own);
}

/* Adds the unsprung masses to the matrix and right side of the system. The acceleration of each of their places is A +
 * w' x r + c + the parts of s'' and f'', with c = w x (w x r) + 2 w x v - f'^2 (0, Y, Z). */
VD_INLINE void vd_add_axles(const vd_work *w, const vd_beams *b, vd_first_moments *sums, vd_body_equations *body,
                            vd_axle_equations *axles) {
  const vd_ride *ride = &w->m->ride;
  const vd_frame *f = &w->frame;
  double p = f->w[0], q = f->w[1], r = f->w[2], square = vd_dot(f->w, f->w);
  vd_wide x = vd_wide_load(w->m->lanes.x), mass = vd_wide_load(ride->unsprung_mass);
  vd_wide half = vd_wide_load(ride->beam.half_track), swing = vd_wide_load(ride->beam.mass_above), y, z;
  vd_on_beams(b, vd_wide_load(w->m->lanes.y), swing, &y, &z);
  vd_wide up = b->centre_z + z, vy = b->turn * z, vz = b->rise - b->turn * y, whirl = b->turn * b->turn;
  vd_wide along = p * x + q * y + r * up;
  vd_wide cx = p * along - square * x + 2.0 * (q * vz - r * vy);
  vd_wide cy = q * along - square * y - 2.0 * p * vz - whirl * y;
  vd_wide cz = r * along - square * up + 2.0 * p * vy - whirl * z;
  axles->mean_y = swing * b->sine;
  axles->mean_z = swing * b->cosine;
  axles->known_y = 0.5 * vd_wide_pairs(cy);
  axles->known_z = 0.5 * vd_wide_pairs(cz);
  axles->known_turn = vd_wide_pairs((z - axles->mean_z) * cy - (y - axles->mean_y) * cz);
  vd_wide my = mass * y, mz = mass * up;
  vd_wide first = vd_wide_sums(mass * cx, mz * cx, my * cx, mz), second = vd_wide_sums(mz * up, my * y, my * up, my);
  body->f[0] -= first[0];
  body->t[1] -= first[1];
  body->t[2] += first[2];
  sums->z += first[3];
  body->matrix[1][1] += second[0];
  body->matrix[2][2] += second[1];
  body->matrix[2][1] -= second[2];
  sums->y += second[3];
  sums->mass += ride->unsprung_sum;

  axles->inertia = half * half + axles->mean_z * axles->mean_z;
  vd_wide inverse = 1.0 / axles->inertia, lateral = 2.0 * mass * half * half * inverse, at = b->centre_z;
  vd_wide known = lateral * axles->known_y +
                  axles->mean_z * inverse * (axles->roll + axles->mean_y * axles->lift - mass * axles->known_turn);
  vd_wide la = lateral * at, lx = lateral * x;
  vd_wide third = vd_wide_sums_both(known, axles->lift, axles->roll + at * known, x * axles->lift);
  vd_wide fourth = vd_wide_sums_both(x * known, la * at, la * x, lx * x);
  vd_wide fifth = vd_wide_sums_both(lateral, la, lx, lx);
  body->f[1] -= third[0];
  body->f[2] -= third[1];
  body->t[0] += third[2];
  body->t[1] += third[3];
  body->t[2] -= fourth[0];
  body->matrix[0][0] += fourth[1];
  body->matrix[2][0] -= fourth[2];
  body->matrix[2][2] += fourth[3];
  sums->lateral_mass += fifth[0];
  sums->lateral_z += fifth[1];
  sums->lateral_x += fifth[2];
}

/* Adds the terms of products of inertia and of a centre of gravity off the middle plane. c: m/s2, known acceleration of
 * a centre of gravity in that plane. */
static void vd_add_asymmetric_body(const vd_ride *ride, const double *w, const double *c, vd_first_moments *sums,
                                   vd_body_equations *b) {
  double ms = ride->sprung_mass, xs = ride->sprung_x, ys = ride->sprung_y, zs = ride->sprung_z;
  double xy = ride->product[VD_PRODUCT_XY], xz = ride->product[VD_PRODUCT_XZ], yz = ride->product[VD_PRODUCT_YZ];
  double p = w[0], q = w[1], r = w[2];
  /* angular momentum due to the products of inertia, with reversed signs */
  double hx = xy * q + xz * r, hy = xy * p + yz * r, hz = xz * p + yz * q;
  const double d[3] = {p * q * ys, -(p * p + r * r) * ys, r * q * ys}; /* acceleration due to the distance ys */
  double(*a)[3] = b->matrix;
  a[0][0] += ms * ys * ys;
  a[2][2] += ms * ys * ys;
  a[1][0] -= xy + ms * xs * ys;
  a[2][0] -= xz;
  a[2][1] -= yz + ms * ys * zs;
  for (int j = 0; j < 3; j++)
    b->f[j] -= ms * d[j];
  b->t[0] += ms * (zs * d[1] - ys * (c[2] + d[2])) + q * hz - r * hy;
  b->t[1] += ms * (xs * d[2] - zs * d[0]) + r * hx - p * hz;
  b->t[2] += ms * (ys * (c[0] + d[0]) - xs * d[1]) + p * hy - q * hx;
  sums->y = ms * ys;
}

/* Adds the sprung mass to the matrix and right side. */
VD_INLINE void vd_add_body(const vd_work *w, const vd_l3_spins *s, vd_first_moments *sums, vd_body_equations *b) {
  const vd_ride *ride = &w->m->ride;
  const vd_frame *f = &w->frame;
  double ms = ride->sprung_mass, xs = ride->sprung_x, zs = ride->sprung_z;
  double ix = ride->inertia_x, iy = ride->inertia_y, iz = ride->inertia_z;
  double p = f->w[0], q = f->w[1], r = f->w[2], square = vd_dot(f->w, f->w), along = p * xs + r * zs;
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
  *sums = (vd_first_moments){.mass = ms, .z = ms * zs, .lateral_mass = ms, .lateral_z = ms * zs, .lateral_x = ms * xs};
  if (ride->asymmetric)
    vd_add_asymmetric_body(ride, f->w, c, sums, b);
}

/* Solves a symmetric positive definite system by LDL' without pivots. fixed: the yaw acceleration is 0. */
VD_INLINE void vd_turn_accelerations(double (*a)[3], const double *t, bool fixed, double *alpha) {
  double i0 = 1.0 / a[0][0], l10 = a[1][0] * i0, l20 = a[2][0] * i0;
  double i1 = 1.0 / (a[1][1] - l10 * a[1][0]), off = a[2][1] - l20 * a[1][0], l21 = off * i1;
  double d2 = a[2][2] - l20 * a[2][0] - l21 * off;
  double y1 = t[1] - l10 * t[0], y2 = t[2] - l20 * t[0] - l21 * y1;
  alpha[2] = fixed ? 0.0 : y2 / d2;
  alpha[1] = y1 * i1 - l21 * alpha[2];
  alpha[0] = t[0] * i0 - l10 * alpha[1] - l20 * alpha[2];
}

/* Computes the acceleration of O less gravity (in body axes) and the angular acceleration, from forces and moments
 * about O. Inserting
 *   A_x = (f_x - S_z w'_y + S_y w'_z)/m,   A_y = (f_y + L_z w'_x - L_x w'_z)/m_l,
 *   A_z = (f_z + m_s x_s w'_y - m_s y_s w'_x)/m_s
 * leaves a 3 x 3 system. m, S: mass that resists a forward acceleration, and its first moment; m_l, L: the same of a
 * lateral acceleration (vd_first_moments); m_s, x_s, y_s: the sprung mass and its place. For a body on posts A_x, A_y
 * and w'_z are known instead. Reads frame, gravity, outside, `b`, `s`, forces of `axles`; writes the rest of `axles`,
 * and the accelerations. */
VD_INLINE void vd_l3_accelerations(const vd_work *w, const vd_beams *b, const vd_l3_spins *s, vd_axle_equations *axles,
                                   double *accel, double *alpha) {
  const double *force = w->outside.force, *moment = w->outside.moment;
  vd_body_equations body = {.f = {force[0], force[1], force[2]}, .t = {moment[0], moment[1], moment[2]}};
  vd_first_moments sum;
  bool on_posts = w->m->ride.on_posts;
  double(*a)[3] = body.matrix, *t = body.t;
  vd_add_body(w, s, &sum, &body);
  vd_add_axles(w, b, &sum, &body, axles);
  double back = w->m->ride.sprung_mass * w->m->ride.sprung_x, mz = 1.0 / w->m->ride.sprung_mass;
  double side = w->m->ride.sprung_mass * w->m->ride.sprung_y;
  double mx = on_posts ? 0.0 : 1.0 / sum.mass, my = on_posts ? 0.0 : 1.0 / sum.lateral_mass;
  double supported[3] = {body.f[0] * mx, body.f[1] * my};
  if (on_posts)
    vd_accelerations_on_posts(w, supported);
  double fx = supported[0], fy = supported[1], fz = body.f[2] * mz;
  a[0][0] -= sum.lateral_z * sum.lateral_z * my;
  a[1][1] -= sum.z * sum.z * mx + back * back * mz;
  a[2][2] -= sum.lateral_x * sum.lateral_x * my + sum.y * sum.y * mx;
  a[2][0] += sum.lateral_z * sum.lateral_x * my;
  a[2][1] += sum.z * sum.y * mx;
  t[0] += sum.lateral_z * fy;
  t[1] += back * fz - sum.z * fx;
  t[2] += sum.y * fx - sum.lateral_x * fy;
  if (w->m->ride.asymmetric) {
    a[0][0] -= side * side * mz;
    a[1][0] += side * back * mz;
    t[0] -= side * fz;
  }
  vd_turn_accelerations(a, t, on_posts, alpha);
  accel[0] = fx + (sum.y * alpha[2] - sum.z * alpha[1]) * mx;
  accel[1] = fy + (sum.lateral_z * alpha[0] - sum.lateral_x * alpha[2]) * my;
  accel[2] = fz + back * mz * alpha[1];
  if (w->m->ride.asymmetric)
    accel[2] -= side * mz * alpha[0];
}

/* Computes the second derivatives of the travels, once the body's accelerations are known. Reads `b`, `axles`; writes
 * dx. */
VD_INLINE void vd_l3_travel_rates(const vd_work *w, const vd_beams *b, const vd_axle_equations *axles,
                                  const double *accel, const double *alpha) {
  const vd_wide outward = {-1.0, 1.0, -1.0, 1.0};
  vd_wide half = vd_wide_load(w->m->ride.beam.half_track), x = vd_wide_load(w->m->lanes.x);
  vd_wide twice = 2.0 * vd_wide_load(w->m->ride.unsprung_mass);
  vd_wide mean_y = accel[1] + alpha[2] * x - alpha[0] * (b->centre_z + axles->mean_z) + axles->known_y;
  vd_wide mean_z = accel[2] + alpha[0] * axles->mean_y - alpha[1] * x + axles->known_z;
  vd_wide turn = axles->roll + axles->mean_y * axles->lift -
                 twice * (axles->mean_z * mean_y - alpha[0] * half * half + 0.5 * axles->known_turn);
  turn = turn / (twice * axles->inertia);
  vd_wide rise = axles->lift / twice - mean_z + axles->mean_y * turn;
  vd_wide_store(rise + outward * half * turn, w->dx + VD_S_TRAVEL_RATE);
}

#endif
