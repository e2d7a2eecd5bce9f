/* The fourteen-DOF level's wheel spins, and what they do to the body. */
#ifndef VD_FOURTEEN_SPIN_H
#define VD_FOURTEEN_SPIN_H

#include "model/fourteen_impl.h"

/* How the spins answer the body's angular acceleration, and what they do to it: see vd_spin_reactions. */
typedef struct vd_spin_work {
  vd_train train;
  vd_wide momentum;             /* kg m2/s, about the axle, body's own turning included */
  vd_wide drift;                /* rad/s2: w . d(axle)/dt */
  vd_wide axle_rate;            /* rad/s, w . axle */
  vd_wide along;                /* rad/s, w across the axle */
  double moment[3], inertia[3]; /* on the body: N m; kg m2: xx, yy, xy */
} vd_spin_work;

/* The spin of wheel i against the world is O_i + w . e_i, e_i = (-sin, cos, 0) its axle, so with T_i the torque about it
 *
 *   I_i (O_i' + w' . e_i + w . e_i') = T_i,   O' = A (T - I (E w' + drift))
 *
 * A is 1/I for a free wheel, 0 for a locked one, and the matrix of the coupled train. The body feels
 * -sum e_i I_i (O_i' + w' . e_i + drift_i) - gyroscopic term, of which the part with w' is inertia:
 * sum I_i e_i e_i - sum_ij e_i I_i A_ij I_j e_j, nothing for a free wheel. */
static void vd_coupled_reactions(const vd_model *m, const vd_command *c, const double *base, vd_spin_work *s) {
  const vd_lanes *lanes = &m->lanes;
  for (int i = 0; i < VD_WHEELS; i++) {
    double ex = -c->sin_angle[i], ey = c->cos_angle[i], inertia = lanes->inertia[i];
    double moment = inertia * (base[i] + s->drift[i]);
    s->moment[0] -= ex * moment;
    s->moment[1] -= ey * moment;
    for (int j = 0; j < VD_WHEELS; j++) {
      double fx = -c->sin_angle[j], fy = c->cos_angle[j];
      double share = (i == j ? inertia : 0.0) - inertia * s->train.solved.accel[i][j] * lanes->inertia[j];
      s->inertia[0] += share * ex * fx;
      s->inertia[1] += share * ey * fy;
      s->inertia[2] += share * ex * fy;
    }
  }
}

/* Torques of tyres and slipping brakes. */
VD_INLINE vd_wide vd_wheel_torques(const vd_model *m, const double *mode, const vd_eval *restrict e) {
  return vd_wide_load(e->my) - vd_wide_load(e->fx) * vd_wide_load(m->lanes.radius) -
         vd_wide_load(mode) * vd_wide_load(e->brake_capacity);
}

/* e->spin_accel as long as the body does not turn faster; what the spins do to the body. */
VD_INLINE void vd_spin_reactions(const vd_model *m, const vd_command *c, const double *mode, const vd_frame *f,
                                 vd_eval *restrict e, vd_spin_work *s) {
  vd_wide cosine = vd_wide_load(c->cos_angle), sine = vd_wide_load(c->sin_angle);
  vd_wide rate = vd_wide_load(c->angle_rate), inertia = vd_wide_load(m->lanes.inertia);
  vd_wide turn = f->w[2] + rate, torque = vd_wheel_torques(m, mode, e);
  s->along = f->w[0] * cosine + f->w[1] * sine;
  s->axle_rate = f->w[1] * cosine - f->w[0] * sine;
  s->drift = -rate * s->along;
  s->momentum = inertia * (vd_wide_load(e->omega) + s->axle_rate);
  vd_wide about_x = s->momentum * turn * cosine, about_y = s->momentum * turn * sine;
  vd_wide about_z = s->momentum * s->along;
  for (int j = 0; j < 3; j++)
    s->inertia[j] = 0.0;
  if (m->coupled) {
    double driven[VD_WHEELS], accel[VD_SHAFTS];
    vd_wide_store(torque - inertia * s->drift, driven);
    vd_train_accelerate(&s->train, VD_WHEELS, driven, accel);
    for (int i = 0; i < VD_WHEELS; i++)
      e->spin_accel[i] = accel[i];
    s->moment[0] = vd_wide_sum(about_x);
    s->moment[1] = vd_wide_sum(about_y);
    s->moment[2] = -vd_wide_sum(about_z);
    vd_coupled_reactions(m, c, e->spin_accel, s);
    return;
  }
  vd_wide_mask locked = vd_wide_load(mode) == 0.0;
  vd_wide none = inertia * 0.0, held = vd_wide_select(locked, inertia, none);
  vd_wide net = vd_wide_select(locked, inertia * s->drift, vd_wide_load(e->drive_torque) + torque);
  vd_wide_store(vd_wide_select(locked, none, net * vd_wide_load(m->lanes.inverse_inertia) - s->drift), e->spin_accel);
  vd_wide moments = vd_wide_sums(about_x + sine * net, about_y - cosine * net, about_z, held);
  s->moment[0] = moments[0];
  s->moment[1] = moments[1];
  s->moment[2] = -moments[2];
  if (moments[3] > 0.0) {
    s->inertia[0] = vd_wide_sum(held * sine * sine);
    s->inertia[1] = vd_wide_sum(held * cosine * cosine);
    s->inertia[2] = -vd_wide_sum(held * sine * cosine);
  }
}

/* The shafts once the body's angular acceleration is known, and the torque that a locked wheel's brake must hold. */
VD_INLINE void vd_finish_spins(const vd_model *m, const vd_command *c, const double *mode, const double *alpha,
                               vd_spin_work *s, vd_eval *restrict e) {
  vd_wide back = alpha[1] * vd_wide_load(c->cos_angle) - alpha[0] * vd_wide_load(c->sin_angle);
  vd_wide inertia = vd_wide_load(m->lanes.inertia), modes = vd_wide_load(mode);
  vd_wide brake = modes * vd_wide_load(e->brake_capacity), torque = vd_wheel_torques(m, mode, e);
  vd_wide_mask locked = modes == 0.0;
  if (!m->coupled) {
    vd_wide free = vd_wide_load(e->drive_torque) + torque + brake;
    vd_wide_store(vd_wide_select(locked, free - inertia * (back + s->drift), free), e->spin_torque);
    vd_wide_store(vd_wide_select(locked, inertia * 0.0, vd_wide_load(e->spin_accel) - back), e->spin_accel);
    return;
  }
  double accel[VD_SHAFTS], all[VD_WHEELS];
  torque = torque - inertia * (s->drift + back);
  vd_wide_store(torque, all);
  vd_train_accelerate(&s->train, VD_WHEELS, all, accel);
  vd_train_finish(m, &s->train, mode, all, e);
  for (int i = 0; i < VD_WHEELS; i++)
    e->spin_accel[i] = accel[i];
  vd_wide_store(vd_wide_load(e->drive_torque) + torque + brake, e->spin_torque);
}

/* Drive torques of coupled shafts, for the side on which the gears lose; see coupled_loads in planar.c. */
static inline void vd_coupled_drive(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                                    vd_eval *restrict e, vd_train *train) {
  bool drives = e->motor_torque >= 0.0;
  for (int round = 0; round < 2; round++) {
    double torque[VD_WHEELS];
    vd_train_prepare(m, c, x, mode, drives, e, train);
    vd_wide_store(vd_wheel_torques(m, mode, e), torque);
    vd_train_finish(m, train, mode, torque, e);
    if (vd_train_drives(m, e) == drives || m->vehicle.drivetrain.efficiency == 1.0)
      break;
    drives = !drives;
  }
}

#endif
