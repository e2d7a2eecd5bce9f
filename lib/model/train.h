/* The coupled shafts of one evaluation: wheels and motor, and the clutch, differentials and brakes between them. */
#ifndef VD_TRAIN_H
#define VD_TRAIN_H

#include "model/model.h"

typedef struct vd_train {
  bool ahead; /* the clutch's torque turns the wheels ahead: with their speed it decides the side of the losses */
  int shafts; /* lanes, then the motor if its speed is a state */
  vd_coupling clutch; /* in the present gear, with its losses */
  vd_coupled solved;
  bool stuck[VD_COUPLINGS];
  double applied[VD_SHAFTS];   /* N m: all torques but those of tyres, brakes and stuck couplings */
  double direct[VD_WHEELS];    /* N m: drive torques from outside */
  double torque[VD_COUPLINGS]; /* N m of slipping clutch and differentials */
} vd_train;

/* Makes the constants of the couplings: their rows, which ones exist, which ones never slip. */
void vd_train_build(vd_model *m);

/* All torques that are known before the loads; `ahead` is an input. Fills coupling_slip and coupling_capacity of e;
 * the brakes' capacities are there already. */
void vd_train_prepare(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                      vd_train *train);

/* Accelerations (rad/s2) of all shafts under the torques of tyres and slipping brakes (N m, [lanes]). */
static inline void vd_train_accelerate(const vd_train *train, int n, const double *torque, double *accel) {
  double f[VD_SHAFTS];
  for (int i = 0; i < train->shafts; i++)
    f[i] = train->applied[i] + (i < n ? torque[i] : 0.0);
  for (int i = 0; i < train->shafts; i++) {
    accel[i] = 0.0;
    for (int j = 0; j < train->shafts; j++)
      accel[i] += train->solved.accel[i][j] * f[j];
  }
}

/* Torques of the couplings, drive torques, motor acceleration at the end. torque as above. */
void vd_train_finish(const vd_model *m, const vd_train *train, const double *mode, const double *torque, vd_eval *e);

/* Whether the clutch of a finished evaluation transmits drive torque, not drag. */
bool vd_train_drives(const vd_eval *e);

/* Power of motor, clutch, gears and differentials (W) into the terms of the ledger in dx. */
void vd_train_ledger(const vd_model *m, const vd_train *train, const double *x, const vd_eval *e, double *dx);

/* Changes the speeds of the shafts by the least impulses that satisfy all couplings that never slip. */
void vd_train_align(const vd_model *m, vd_state_vector *s);

#endif
