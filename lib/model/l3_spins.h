/* L3: wheel spins about axles fixed in the body, and their reactions on it. */
#ifndef VD_L3_SPINS_H
#define VD_L3_SPINS_H

#include "model/tyre_forces.h"

/* Inertia of the spins against the body's angular acceleration, and their moments on the body: see
 * vd_l3_spin_reactions. */
typedef struct vd_l3_spins {
  vd_wide momentum;             /* kg m2/s, about the axle, with the body's rotation included */
  vd_wide drift;                /* rad/s2: w . d(axle)/dt */
  vd_wide axle_rate;            /* rad/s, w . axle */
  vd_wide along;                /* rad/s, component of w along the wheel's heading, at right angles to the axle */
  double moment[3], inertia[3]; /* on the body: moment, N m; inertia, kg m2: xx, yy, xy */
} vd_l3_spins;

/* Returns the axles of the spins. */
VD_INLINE vd_wide3 vd_l3_spin_axles(const vd_work *w) {
  vd_wide sine = vd_wide_load(w->c->sin_angle);
  return (vd_wide3){-sine, vd_wide_load(w->c->cos_angle), 0.0 * sine};
}

/* Computes the reactions of coupled spins. The spin of wheel i relative to the world is O_i + w . e_i, e_i = (-sin,
 * cos, 0) its axle, so with the torque T_i about it
 *
 *   I_i (O_i' + w' . e_i + w . e_i') = T_i,   O' = A (T - I (E w' + drift))
 *
 * The rows of E are the e_i. A is 1/I for a free wheel, 0 for a locked one, and the matrix of the coupled train
 * otherwise. The reaction on the body is -sum e_i I_i (O_i' + w' . e_i + drift_i) - gyroscopic term. Its part with w'
 * is the inertia sum I_i e_i e_i - sum_ij e_i I_i A_ij I_j e_j, which is zero for a free wheel. */
static void vd_l3_coupled_reactions(const vd_model *m, const vd_command *c, const vd_train *train, const double *base,
                                    vd_l3_spins *s) {
  const vd_lanes *lanes = &m->lanes;
  for (int i = 0; i < VD_WHEELS; i++) {
    double ex = -c->sin_angle[i], ey = c->cos_angle[i], inertia = lanes->inertia[i];
    double moment = inertia * (base[i] + s->drift[i]);
    s->moment[0] -= ex * moment;
    s->moment[1] -= ey * moment;
    for (int j = 0; j < VD_WHEELS; j++) {
      double fx = -c->sin_angle[j], fy = c->cos_angle[j];
      double share = (i == j ? inertia : 0.0) - inertia * train->solved.accel[i][j] * lanes->inertia[j];
      s->inertia[0] += share * ex * fx;
      s->inertia[1] += share * ey * fy;
      s->inertia[2] += share * ex * fy;
    }
  }
}

/* Computes the moments and inertia of the spins on the body. Reads frame, train, torques and tyre forces of e; writes
 * `s`. */
VD_INLINE void vd_l3_spin_reactions(const vd_work *w, vd_l3_spins *s) {
  const vd_model *m = w->m;
  const vd_command *c = w->c;
  const double *turning = w->frame.w;
  vd_eval *restrict e = w->e;
  vd_wide cosine = vd_wide_load(c->cos_angle), sine = vd_wide_load(c->sin_angle);
  vd_wide rate = vd_wide_load(c->angle_rate), inertia = vd_wide_load(m->lanes.inertia);
  vd_wide turn = turning[2] + rate, torque = vd_tyre_and_brake_torques(w);
  s->along = turning[0] * cosine + turning[1] * sine;
  s->axle_rate = turning[1] * cosine - turning[0] * sine;
  s->drift = -rate * s->along;
  s->momentum = inertia * (vd_wide_load(e->motion.omega) + s->axle_rate);
  vd_wide about_x = s->momentum * turn * cosine, about_y = s->momentum * turn * sine;
  vd_wide about_z = s->momentum * s->along;
  s->inertia[0] = s->inertia[1] = s->inertia[2] = 0.0;
  if (m->coupled) {
    double driven[VD_WHEELS], accel[VD_SHAFTS];
    vd_wide_store(torque - inertia * s->drift, driven);
    vd_train_accelerate(w->train, VD_WHEELS, driven, accel);
    s->moment[0] = vd_wide_sum(about_x);
    s->moment[1] = vd_wide_sum(about_y);
    s->moment[2] = -vd_wide_sum(about_z);
    vd_l3_coupled_reactions(m, c, w->train, accel, s);
    return;
  }
  vd_wide_mask locked = vd_wide_load(w->mode) == 0.0;
  vd_wide none = inertia * 0.0, locked_inertia = vd_wide_select(locked, inertia, none);
  vd_wide net = vd_wide_select(locked, inertia * s->drift, vd_wide_load(e->drive.drive_torque) + torque);
  vd_wide moments = vd_wide_sums(about_x + sine * net, about_y - cosine * net, about_z, locked_inertia);
  s->moment[0] = moments[0];
  s->moment[1] = moments[1];
  s->moment[2] = -moments[2];
  if (moments[3] > 0.0) {
    s->inertia[0] = vd_wide_sum(locked_inertia * sine * sine);
    s->inertia[1] = vd_wide_sum(locked_inertia * cosine * cosine);
    s->inertia[2] = -vd_wide_sum(locked_inertia * sine * cosine);
  }
}

#endif
