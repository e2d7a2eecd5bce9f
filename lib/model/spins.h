/* Spins of wheels whose axles turn with knuckles (L4, L5): their reactions on the body, and their accelerations. */
#ifndef VD_SPINS_H
#define VD_SPINS_H

#include "model/tyre_forces.h"

/* Motion of the axles relative to the body, computed by the level. */
typedef struct vd_knuckle_motion {
  vd_wide3 rate; /* 1/s, of the axles */
  vd_wide turn;  /* rad/s, of the knuckles about the axles */
  vd_wide rise;  /* rad/s2, rate of `turn' without the term with z'' */
} vd_knuckle_motion;

/* Reactions of the spins, see l4_multibody.c. */
typedef struct vd_axle_spins {
  vd_wide3 turning;                   /* 1/s, t: rate of the axle's direction */
  vd_wide momentum;                   /* kg m2/s, H */
  vd_wide axle_rate;                  /* rad/s, of the knuckle about the axle: w . a + p z' */
  vd_wide drift;                      /* rad/s2, rate of O_abs without O', alpha and z'' */
  vd_wide along;                      /* N m, the known part of dH/dt along a */
  vd_wide locked_inertia;             /* kg m2, of locked wheels; 0 for free ones */
  double share[VD_WHEELS][VD_WHEELS]; /* kg m2, inertia of coupled spins against alpha . a + p z'' */
} vd_axle_spins;

/* Couples the spins as in l3_spins.h: O' = A (T - I (alpha . a + p z'' + drift)) with the matrix A of the coupled
 * train, so the inertia of the spins against alpha . a + p z'' is I - I A I. */
VD_INLINE void vd_coupled_spins(const vd_work *w, vd_wide torque, vd_axle_spins *s) {
  const double *inertia = w->m->lanes.inertia;
  const vd_train *train = w->train;
  double driven[VD_WHEELS], accel[VD_SHAFTS];
  vd_wide_store(torque - vd_wide_load(inertia) * s->drift, driven);
  vd_train_accelerate(train, VD_WHEELS, driven, accel);
  for (int i = 0; i < VD_WHEELS; i++) {
    s->along[i] = inertia[i] * (accel[i] + s->drift[i]);
    for (int j = 0; j < VD_WHEELS; j++)
      s->share[i][j] = (i == j ? inertia[i] : 0.0) - inertia[i] * train->solved.accel[i][j] * inertia[j];
  }
}

/* Computes the momentum of the spins and the known part of its rate. Reads axle, frame, train, torques and tyre forces
 * of e; writes `s`. */
VD_INLINE void vd_axle_spin_reactions(const vd_work *w, const vd_knuckle_motion *motion, vd_axle_spins *s) {
  const vd_model *m = w->m;
  vd_wide3 turning = vd_wide3_repeat(w->frame.w);
  vd_wide inertia = vd_wide_load(m->lanes.inertia), none = 0.0 * inertia;
  vd_wide_mask locked = vd_wide_load(w->mode) == 0.0;
  s->turning = vd_wide_plus(vd_wide_cross(turning, w->axle), motion->rate);
  s->axle_rate = vd_wide_dot(turning, w->axle) + motion->turn;
  s->momentum = inertia * (vd_wide_load(w->e->motion.omega) + s->axle_rate);
  s->drift = vd_wide_dot(turning, motion->rate) + motion->rise;
  s->locked_inertia = vd_wide_select(locked, inertia, none);
  vd_wide torque = vd_tyre_and_brake_torques(w);
  s->along = vd_wide_select(locked, inertia * s->drift, vd_wide_load(w->e->drive.drive_torque) + torque);
  if (m->coupled)
    vd_coupled_spins(w, torque, s);
}

/* Returns the torque of tyre and brake about the axle, which acts on the knuckle's travel by the arm p. The drive
 * torque is not part of it, as it comes from the body through a shaft. */
VD_INLINE vd_wide vd_knuckle_torques(const vd_work *w, const vd_axle_spins *s) {
  vd_wide_mask locked = vd_wide_load(w->mode) == 0.0;
  return vd_wide_select(locked, vd_wide_load(w->e->drive.drive_torque) - vd_wide_load(w->m->lanes.inertia) * s->drift,
                        -vd_tyre_and_brake_torques(w));
}

#endif
