/* Spins of wheels whose axles turn with knuckles: hardpoint and free-body levels. */
#ifndef VD_MULTIBODY_SPIN_H
#define VD_MULTIBODY_SPIN_H

#include "model/multibody_impl.h"

/* What the spins do, see multibody.c. */
typedef struct vd_axle_spins {
  vd_wide3 turning;  /* 1/s, t */
  vd_wide momentum;  /* kg m2/s, H */
  vd_wide axle_rate; /* rad/s, of the knuckle about the axle: w . a + p z' */
  vd_wide drift;     /* rad/s2, of O_abs without O', alpha and z'' */
  vd_wide along;     /* N m, the known part of dH/dt along a */
  vd_wide held;      /* kg m2, inertia of locked wheels */
  vd_train train;
  double base[VD_WHEELS];             /* rad/s2, of coupled shafts while the body's accelerations are not known */
  double share[VD_WHEELS][VD_WHEELS]; /* kg m2, how coupled spins resist those */
} vd_axle_spins;

/* As in fourteen_spin.h: O' = A (T - I (alpha . a + p z'' + drift)) with the matrix A of the coupled train, so the spins resist
 * alpha . a + p z'' with the inertia I - I A I. */
VD_INLINE void vd_coupled_spins(const vd_model *m, vd_wide torque, vd_axle_spins *s) {
  const double *inertia = m->lanes.inertia;
  double driven[VD_WHEELS], accel[VD_SHAFTS];
  vd_wide_store(torque - vd_wide_load(inertia) * s->drift, driven);
  vd_train_accelerate(&s->train, VD_WHEELS, driven, accel);
  for (int i = 0; i < VD_WHEELS; i++) {
    s->base[i] = accel[i];
    s->along[i] = inertia[i] * (accel[i] + s->drift[i]);
    for (int j = 0; j < VD_WHEELS; j++)
      s->share[i][j] = (i == j ? inertia[i] : 0.0) - inertia[i] * s->train.solved.accel[i][j] * inertia[j];
  }
}

/* w: the body's turning; own: 1/s, of the axles against the body; turn: rad/s, of the knuckles about them, against the body; rise:
 * rad/s2, what that gains without z''. Body axes. */
VD_INLINE void vd_spin_motion(const vd_model *m, const double *mode, vd_wide3 w, vd_wide3 axle, vd_wide3 own,
                              vd_wide turn, vd_wide rise, const vd_eval *restrict e, vd_axle_spins *s) {
  vd_wide inertia = vd_wide_load(m->lanes.inertia), none = 0.0 * inertia;
  vd_wide_mask locked = vd_wide_load(mode) == 0.0;
  s->turning = vd_wide_plus(vd_wide_cross(w, axle), own);
  s->axle_rate = vd_wide_dot(w, axle) + turn;
  s->momentum = inertia * (vd_wide_load(e->omega) + s->axle_rate);
  s->drift = vd_wide_dot(w, own) + rise;
  s->held = vd_wide_select(locked, inertia, none);
  vd_wide torque = vd_wheel_torques(m, mode, e);
  s->along = vd_wide_select(locked, inertia * s->drift, vd_wide_load(e->drive_torque) + torque);
  if (m->coupled)
    vd_coupled_spins(m, torque, s);
}

/* Once the accelerations are known. back: rad/s2, alpha . a + p z''. */
VD_INLINE void vd_finish_axle_spins(const vd_model *m, const double *mode, vd_wide back, vd_axle_spins *s,
                                    vd_eval *restrict e) {
  vd_wide inertia = vd_wide_load(m->lanes.inertia), modes = vd_wide_load(mode);
  vd_wide brake = modes * vd_wide_load(e->brake_capacity), torque = vd_wheel_torques(m, mode, e);
  vd_wide_mask locked = modes == 0.0;
  vd_wide resist = inertia * (s->drift + back);
  if (!m->coupled) {
    vd_wide free = vd_wide_load(e->drive_torque) + torque;
    vd_wide_store(vd_wide_select(locked, free - resist, free) + brake, e->spin_torque);
    vd_wide_store(vd_wide_select(locked, 0.0 * free, free * vd_wide_load(m->lanes.inverse_inertia) - s->drift - back),
                  e->spin_accel);
    return;
  }
  double accel[VD_SHAFTS], all[VD_WHEELS];
  torque = torque - resist;
  vd_wide_store(torque, all);
  vd_train_accelerate(&s->train, VD_WHEELS, all, accel);
  vd_train_finish(m, &s->train, mode, all, e);
  for (int i = 0; i < VD_WHEELS; i++)
    e->spin_accel[i] = accel[i];
  vd_wide_store(vd_wide_load(e->drive_torque) + torque + brake, e->spin_torque);
}

#endif
