/* The coupled shafts of one evaluation: wheels and motor, and the clutch, differentials and brakes between them. */
#ifndef VD_TRAIN_H
#define VD_TRAIN_H

#include "model/model.h"

typedef struct vd_train {
  /* the clutch's torque drives the wheels forward; with their speed this gives the direction of power and thus of the
   * losses */
  bool ahead;
  int shafts;         /* lanes, then the motor if its speed is a state */
  vd_coupling clutch; /* in the present gear, with its losses */
  vd_coupled solved;
  bool stuck[VD_COUPLINGS];
  double applied[VD_SHAFTS]; /* N m: all torques except those of tyres, brakes and sticking couplings */
  /* N m: drive torques without the clutch's: direct ones, and the motor's if its speed is not a state */
  double direct[VD_WHEELS];
  double torque[VD_COUPLINGS]; /* N m of slipping clutch and differentials */
} vd_train;

/* Makes the constants of the couplings: their rows, which ones exist, which ones never slip. */
void vd_train_build(vd_model *m);

/* Computes all torques that are known before the loads; `ahead' is an input. Writes coupling_slip and coupling_capacity
 * of e; the capacities of the brakes must be known. */
void vd_train_prepare(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                      vd_train *train);

/* Computes the accelerations (rad/s2) of all shafts under the torques of tyres and slipping brakes (N m, [lanes]). */
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

/* Finishes an evaluation: torques of the couplings, drive torques, motor acceleration. torque: as in
 * vd_train_accelerate. */
void vd_train_finish(const vd_model *m, const vd_train *train, const double *mode, const double *torque, vd_eval *e);

/* True if the clutch of a finished evaluation transmits drive torque, not drag. */
bool vd_train_drives(const vd_eval *e);

/* Sets the terms of the ledger in dx that are powers of motor, clutch, gears and differentials, W. */
void vd_train_ledger(const vd_model *m, const vd_train *train, const double *x, const vd_eval *e, double *dx);

/* Changes the speeds of the shafts by the least impulses with which all couplings that never slip are satisfied. */
void vd_train_align(const vd_model *m, vd_state_vector *s);

#endif
