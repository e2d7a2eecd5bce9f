/* The fourteen-DOF level's wheel spins, and what they do to the body. */
#ifndef VD_FOURTEEN_SPIN_H
#define VD_FOURTEEN_SPIN_H

#include "fourteen_impl.h"

/* How the spins answer the body's angular acceleration, and what they do to it: see spin_reactions. */
typedef struct spin_work {
  vd_train train;
  double momentum[VD_WHEELS];   /* kg m2/s, about the axle, body's own turning included */
  double drift[VD_WHEELS];      /* rad/s2: w . d(axle)/dt */
  double axle_rate[VD_WHEELS];  /* rad/s, w . axle */
  double moment[3], inertia[3]; /* on the body: N m; kg m2: xx, yy, xy */
} spin_work;

/* The spin of wheel i against the world is O_i + w . e_i, e_i = (-sin, cos, 0) its axle, so with T_i the torque about it
 *
 *   I_i (O_i' + w' . e_i + w . e_i') = T_i,   O' = A (T - I (E w' + drift))
 *
 * A is 1/I for a free wheel, 0 for a locked one, and the matrix of the coupled train. The body feels
 * -sum e_i I_i (O_i' + w' . e_i + drift_i) - gyroscopic term, of which the part with w' is inertia:
 * sum I_i e_i e_i - sum_ij e_i I_i A_ij I_j e_j, nothing for a free wheel. */
static void coupled_reactions(const vd_model *m, const vd_command *c, const double *base, spin_work *s) {
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

/* e->spin_accel as long as the body does not turn faster; what the spins do to the body. */
static inline void spin_reactions(const vd_model *m, const vd_command *c, const double *mode, const frame *f,
                                  vd_eval *restrict e, spin_work *s) {
  const vd_lanes *lanes = &m->lanes;
  double torque[VD_WHEELS];
  for (int j = 0; j < 3; j++)
    s->moment[j] = s->inertia[j] = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    double cosine = c->cos_angle[i], sine = c->sin_angle[i], inertia = lanes->inertia[i];
    double along = f->w[0] * cosine + f->w[1] * sine, turn = f->w[2] + c->angle_rate[i];
    s->axle_rate[i] = f->w[1] * cosine - f->w[0] * sine;
    s->drift[i] = -c->angle_rate[i] * along;
    s->momentum[i] = inertia * (e->omega[i] + s->axle_rate[i]);
    s->moment[0] += s->momentum[i] * turn * cosine;
    s->moment[1] += s->momentum[i] * turn * sine;
    s->moment[2] -= s->momentum[i] * along;
    torque[i] = e->my[i] - e->fx[i] * lanes->radius[i] - mode[i] * e->brake_capacity[i];
  }
  if (m->coupled) {
    double driven[VD_WHEELS], accel[VD_SHAFTS];
    for (int i = 0; i < VD_WHEELS; i++)
      driven[i] = torque[i] - lanes->inertia[i] * s->drift[i];
    vd_train_accelerate(&s->train, VD_WHEELS, driven, accel);
    for (int i = 0; i < VD_WHEELS; i++)
      e->spin_accel[i] = accel[i];
    coupled_reactions(m, c, e->spin_accel, s);
    return;
  }
  for (int i = 0; i < VD_WHEELS; i++) {
    double ex = -c->sin_angle[i], ey = c->cos_angle[i], inertia = lanes->inertia[i];
    bool locked = mode[i] == 0.0;
    double net = locked ? inertia * s->drift[i] : e->drive_torque[i] + torque[i];
    e->spin_accel[i] = locked ? 0.0 : net * lanes->inverse_inertia[i] - s->drift[i];
    s->moment[0] -= ex * net;
    s->moment[1] -= ey * net;
    if (locked) {
      s->inertia[0] += inertia * ex * ex;
      s->inertia[1] += inertia * ey * ey;
      s->inertia[2] += inertia * ex * ey;
    }
  }
}

/* The shafts once the body's angular acceleration is known, and the torque that a locked wheel's brake must hold. */
static inline void finish_spins(const vd_model *m, const vd_command *c, const double *mode, const double *alpha,
                                spin_work *s, vd_eval *restrict e) {
  const vd_lanes *lanes = &m->lanes;
  double back[VD_WHEELS], torque[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++)
    back[i] = alpha[1] * c->cos_angle[i] - alpha[0] * c->sin_angle[i];
  if (!m->coupled) {
    for (int i = 0; i < VD_WHEELS; i++) {
      e->spin_torque[i] = e->drive_torque[i] - e->fx[i] * lanes->radius[i] + e->my[i];
      if (mode[i] == 0.0)
        e->spin_torque[i] -= lanes->inertia[i] * (back[i] + s->drift[i]);
      else
        e->spin_accel[i] -= back[i];
    }
    return;
  }
  double accel[VD_SHAFTS];
  for (int i = 0; i < VD_WHEELS; i++)
    torque[i] = e->my[i] - e->fx[i] * lanes->radius[i] - mode[i] * e->brake_capacity[i] -
                lanes->inertia[i] * (s->drift[i] + back[i]);
  vd_train_accelerate(&s->train, VD_WHEELS, torque, accel);
  vd_train_finish(m, &s->train, mode, torque, e);
  for (int i = 0; i < VD_WHEELS; i++) {
    e->spin_accel[i] = accel[i];
    e->spin_torque[i] = e->drive_torque[i] + torque[i] + mode[i] * e->brake_capacity[i];
  }
}

#endif
