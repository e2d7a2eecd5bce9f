/* L5: forces between body and wheels, and their accelerations; see l5_free_body.c. */
#ifndef VD_L5_EQUATIONS_H
#define VD_L5_EQUATIONS_H

#include "math/lu.h"
#include "model/l5_wheels.h"
#include "model/spins.h"

#include <math.h>

/* Forces between body and wheels, in body axes. */
typedef struct vd_l5_forces {
  vd_wide3 knuckle;           /* N m, d x F + M: moment of the road on the knuckle */
  vd_wide3 link;              /* N, f: force of the links on the wheel */
  double force[3], moment[3]; /* N, N m about O: on the body, without gravity */
} vd_l5_forces;

/* Accelerations in body axes. */
typedef struct vd_l5_motion {
  double at_o[3], alpha[3]; /* m/s2, of O; rad/s2 */
  vd_wide3 wheel;           /* m/s2 */
  vd_wide rise;             /* m/s2, z'' */
} vd_l5_motion;

/* Computes the force f of the links and its reaction on the body. Hubs transmit the forces of the road to the body.
 * Reads contacts and their forces, `h`, `s`, torques and suspension forces of e; writes `a`. */
VD_INLINE void vd_l5_link_forces(const vd_work *w, const vd_free_wheels *h, const vd_axle_spins *s, vd_l5_forces *a) {
  const vd_model *m = w->m;
  const vd_contacts *k = &w->contact;
  const vd_eval *e = w->e;
  a->knuckle = vd_wide_plus(vd_wide_cross(k->down, k->force), k->couple);
  if (vd_on_hubs(&m->options)) {
    a->link = (vd_wide3){-k->force.x, -k->force.y, -k->force.z};
  } else {
    double stiffness = m->options.link_stiffness;
    vd_wide damping = vd_wide_load(m->ride.free.link_damping);
    vd_wide fx = -stiffness * h->off[0] - damping * h->off_rate[0];
    vd_wide fy = -stiffness * h->off[1] - damping * h->off_rate[1];
    vd_wide fz = vd_wide_dot(a->knuckle, h->turn) - s->momentum * vd_wide_dot(s->turning, h->turn) +
                 h->spin * vd_knuckle_torques(w, s) - vd_wide_load(e->suspension.spring_force) -
                 vd_wide_load(e->suspension.damper_force) + k->force.x * h->shift_slope[0] +
                 k->force.y * h->shift_slope[1];
    a->link = (vd_wide3){fx, fy, fz - fx * h->path[0] - fy * h->path[1]};
  }
  /* the road's force acts at the wheel's centre, which steering shifts from the mass */
  vd_wide3 shifted = vd_wide_cross(h->shift, k->force);
  vd_wide3 arm = vd_wide_cross(h->centre, a->link);
  vd_wide3 spins = vd_wide_plus(vd_wide_scaled(s->momentum, s->turning), vd_wide_scaled(s->along, h->axle));
  vd_wide force = vd_wide_sums(a->link.x, a->link.y, a->link.z, 0.0 * arm.x);
  vd_wide moment = vd_wide_sums(a->knuckle.x + shifted.x - spins.x - arm.x, a->knuckle.y + shifted.y - spins.y - arm.y,
                                a->knuckle.z + shifted.z - spins.z - arm.z, 0.0 * arm.x);
  for (int j = 0; j < 3; j++) {
    a->force[j] = -force[j];
    a->moment[j] = moment[j];
  }
}

/* --- accelerations --- */

static inline void vd_apply(const double (*a)[3], const double *v, double *out) {
  for (int i = 0; i < 3; i++)
    out[i] = a[i][0] * v[0] + a[i][1] * v[1] + a[i][2] * v[2];
}

/* Computes the acceleration of O and angular acceleration of the body under a force and a moment about O, without the
 * terms of the angular velocity. */
static inline void vd_body_response(const vd_ride *ride, const double *force, const double *moment, double *at_o,
                                    double *alpha) {
  double arm[3], about[3], tangential[3];
  vd_cross(ride->free.body_centre, force, arm);
  for (int j = 0; j < 3; j++)
    about[j] = moment[j] - arm[j];
  vd_apply(ride->free.body_inverse, about, alpha);
  vd_cross(alpha, ride->free.body_centre, tangential);
  for (int j = 0; j < 3; j++)
    at_o[j] = force[j] / ride->free.body_mass - tangential[j];
}

/* Computes the accelerations of body and wheels under their forces. Reads frame, gravity, contact forces, `h`, `a`;
 * writes `n`. */
VD_INLINE void vd_l5_accelerations(const vd_work *w, const vd_free_wheels *h, const vd_l5_forces *a, vd_l5_motion *n) {
  const vd_ride *ride = &w->m->ride;
  const vd_frame *f = &w->frame;
  const vd_contacts *k = &w->contact;
  const double *gravity = w->gravity;
  double spin[3], gyro[3], out[3], out2[3], moment[3];
  vd_apply(ride->free.body_inertia, f->w, spin);
  vd_cross(f->w, spin, gyro);
  for (int j = 0; j < 3; j++)
    moment[j] = a->moment[j] - gyro[j];
  vd_body_response(ride, a->force, moment, n->at_o, n->alpha);
  vd_cross(f->w, ride->free.body_centre, out);
  vd_cross(f->w, out, out2);
  for (int j = 0; j < 3; j++)
    n->at_o[j] += gravity[j] - out2[j];
  if (vd_on_hubs(&w->m->options)) {
    n->wheel = (vd_wide3){0.0 * h->rate, 0.0 * h->rate, 0.0 * h->rate};
    n->rise = 0.0 * h->rate;
    return;
  }
  vd_wide inverse = 1.0 / vd_wide_load(ride->unsprung_mass);
  n->wheel =
      (vd_wide3){(k->force.x + a->link.x) * inverse + gravity[0], (k->force.y + a->link.y) * inverse + gravity[1],
                 (k->force.z + a->link.z) * inverse + gravity[2]};
  /* accelerations relative to the body: those in the world less A, w' x r and w x (2 s + w x r) */
  vd_wide3 r = h->centre, turning = vd_wide3_repeat(f->w), slide = vd_wide_cross(turning, r);
  slide = (vd_wide3){h->speed.x - f->u[0] - slide.x, h->speed.y - f->u[1] - slide.y, h->speed.z - f->u[2] - slide.z};
  vd_wide3 half = vd_wide_plus(vd_wide_scaled(2.0 + 0.0 * r.x, slide), vd_wide_cross(turning, r));
  n->rise = n->wheel.z - n->at_o[2] - (n->alpha[0] * r.y - n->alpha[1] * r.x) - (f->w[0] * half.y - f->w[1] * half.x);
}

/* Computes y, the angular accelerations of the knuckles about the axles, which the spins of all wheels resist. */
VD_INLINE vd_wide vd_l5_resisted(const vd_l5_motion *n, const vd_free_wheels *h) {
  return vd_wide_dot(vd_wide3_repeat(n->alpha), h->axle) + h->spin * n->rise;
}

/* A unit load for the columns of the system: a force and a moment on the body, or an acceleration along z of one
 * wheel. */
typedef struct vd_l5_trial {
  double force[3], moment[3];
  int wheel;   /* -1: none */
  double lift; /* m/s2 */
} vd_l5_trial;

/* Computes y under a unit load, which is a column of the four equations. */
static inline void vd_l5_response(const vd_model *m, const vd_free_wheels *h, const vd_l5_trial *load, double *y) {
  double at_o[3], alpha[3];
  vd_body_response(&m->ride, load->force, load->moment, at_o, alpha);
  for (int i = 0; i < VD_WHEELS; i++) {
    double axle[3] = {h->axle.x[i], h->axle.y[i], h->axle.z[i]};
    double rise = -at_o[2] - (alpha[0] * h->centre.y[i] - alpha[1] * h->centre.x[i]);
    y[i] = vd_dot(alpha, axle) + h->spin[i] * (i == load->wheel ? rise + load->lift : rise);
  }
}

/* Adds the reactions of the spins: on the body -a_j sum_i S_ji y_i, and for a locked wheel on its travel -p I y (a
 * drive torque acts on its travel in full, see l4_multibody.c). With B and T the y under unit moments and unit forces,
 * (1 - B S - T I) y = y0. y: y0 before the call. */
static inline void vd_l5_add_spin_inertia(const vd_model *m, const vd_free_wheels *h, const vd_axle_spins *s, double *y,
                                          vd_l5_forces *a) {
  double matrix[VD_WHEELS * VD_WHEELS], b[VD_WHEELS][VD_WHEELS], t[VD_WHEELS][VD_WHEELS];
  double share[VD_WHEELS][VD_WHEELS];
  size_t order[VD_WHEELS];
  for (int j = 0; j < VD_WHEELS; j++) {
    double p = h->spin[j];
    vd_l5_trial back = {{0.0, 0.0, 0.0}, {-h->axle.x[j], -h->axle.y[j], -h->axle.z[j]}, -1, 0.0};
    vd_l5_trial lift = {
        {0.0, 0.0, p}, {p * h->centre.y[j], -p * h->centre.x[j], 0.0}, j, -p / m->ride.unsprung_mass[j]};
    vd_l5_response(m, h, &back, b[j]);
    vd_l5_response(m, h, &lift, t[j]);
    for (int i = 0; i < VD_WHEELS; i++)
      share[j][i] = m->coupled ? s->share[j][i] : i == j ? s->locked_inertia[i] : 0.0;
  }
  for (int i = 0; i < VD_WHEELS; i++)
    for (int k = 0; k < VD_WHEELS; k++) {
      double sum = t[k][i] * s->locked_inertia[k];
      for (int j = 0; j < VD_WHEELS; j++)
        sum += b[j][i] * share[j][k];
      matrix[i * VD_WHEELS + k] = (i == k ? 1.0 : 0.0) - sum;
    }
  vd_lu_factorise(matrix, VD_WHEELS, order);
  vd_lu_solve(matrix, order, VD_WHEELS, y);
  for (int j = 0; j < VD_WHEELS; j++) {
    double axle[3] = {h->axle.x[j], h->axle.y[j], h->axle.z[j]}, resist = 0.0,
           lift = h->spin[j] * s->locked_inertia[j] * y[j];
    for (int i = 0; i < VD_WHEELS; i++)
      resist += share[j][i] * y[i];
    for (int i = 0; i < 3; i++)
      a->moment[i] -= axle[i] * resist;
    a->link.z[j] -= lift;
    a->force[2] += lift;
    a->moment[0] += h->centre.y[j] * lift;
    a->moment[1] -= h->centre.x[j] * lift;
  }
}

#endif
