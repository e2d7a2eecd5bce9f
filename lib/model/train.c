#include "model/train.h"

#include "base/elementary.h"
#include "model/pedals.h"

#include <math.h>

static double dot(int n, const double *a, const double *b) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static void set_both(vd_coupling *k, int shaft, double value) {
  k->a[shaft] = k->b[shaft] = value;
}

static const vd_differential *differential(const vd_model *m, int mode) {
  const vd_drivetrain *d = &m->vehicle.drivetrain;
  return mode == VD_M_FRONT ? &d->front : mode == VD_M_REAR ? &d->rear : &d->centre;
}

void vd_train_build(vd_model *m) {
  const vd_lanes *lanes = &m->lanes;
  bool double_track = lanes->count == 4;
  m->motor_shaft = m->vehicle.drivetrain.inertia > 0.0;
  for (int i = 0; i < lanes->count; i++) {
    set_both(&m->shafts.coupling[VD_M_BRAKE + i], i, 1.0);
    set_both(&m->shafts.coupling[VD_M_CLUTCH], i, lanes->drive_share[i]);
    set_both(&m->shafts.coupling[VD_M_CENTRE], i, (i < lanes->count / 2 ? 1.0 : -1.0) * (double_track ? 0.5 : 1.0));
  }
  set_both(&m->shafts.coupling[VD_M_CLUTCH], lanes->count, -1.0);
  if (double_track) {
    set_both(&m->shafts.coupling[VD_M_FRONT], VD_FL, 1.0);
    set_both(&m->shafts.coupling[VD_M_FRONT], VD_FR, -1.0);
    set_both(&m->shafts.coupling[VD_M_REAR], VD_RL, 1.0);
    set_both(&m->shafts.coupling[VD_M_REAR], VD_RR, -1.0);
  }
  m->coupled = m->motor_shaft;
  m->shafts.permanent[VD_M_CLUTCH] = m->motor_shaft && !m->vehicle.drivetrain.engine;
  for (int k = double_track ? VD_M_FRONT : VD_M_CENTRE; k <= VD_M_CENTRE; k++) {
    m->shafts.permanent[k] = differential(m, k)->type == VD_DIFFERENTIAL_LOCKED;
    m->coupled |= differential(m, k)->type != VD_DIFFERENTIAL_OPEN;
  }
}

static bool has_slip(const vd_model *m, int k) {
  return differential(m, k)->type == VD_DIFFERENTIAL_LIMITED_SLIP && (m->lanes.count == 4 || k == VD_M_CENTRE);
}

/* Returns the torque of the dry friction of a differential, which may stick; the torque of the ramp is viscous and
 * never sticks. */
static double differential_capacity(const vd_model *m, int k) {
  if (m->shafts.permanent[k])
    return INFINITY;
  return has_slip(m, k) ? differential(m, k)->preload : 0.0;
}

/* Speed of the gearbox input, rad/s, below which losses are proportional to it: a friction that jumps with the sign of
 * the speed would require infinitely many steps at standstill. */
static const double full_losses = 0.1;

/* Returns the factor of the gears on the motor's torque. Losses reduce the output: it is less than 1 if the motor
 * drives the wheels, and more than 1 if they drive the motor. */
static double gear_factor(double efficiency, double flow) {
  double share = vd_min(fabs(flow) / full_losses, 1.0);
  return 1.0 + share * ((flow >= 0.0 ? efficiency : 1.0 / efficiency) - 1.0);
}

/* Computes the rows of the clutch in the present gear. An electric motor has one ratio and also runs backwards. */
static void clutch_rows(const vd_model *m, const vd_eval *e, bool ahead, const double *speed, vd_coupling *clutch) {
  double ratio = vd_gear_ratio(&m->vehicle.drivetrain, m->vehicle.drivetrain.engine ? e->drive.gear : 1), input = 0.0;
  *clutch = m->shafts.coupling[VD_M_CLUTCH];
  for (int i = 0; i < m->lanes.count; i++) {
    clutch->a[i] *= ratio;
    input += clutch->a[i] * speed[i];
  }
  double through = gear_factor(m->vehicle.drivetrain.efficiency, ahead ? input : -input);
  for (int i = 0; i < m->lanes.count; i++)
    clutch->b[i] = clutch->a[i] * through;
}

static double clutch_capacity(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                              const vd_eval *e) {
  if (!m->motor_shaft)
    return 0.0;
  if (m->vehicle.drivetrain.engine && (e->drive.gear == VD_GEAR_NEUTRAL || vd_direct_level(c)))
    return 0.0;
  return vd_clutch_capacity(&m->vehicle.drivetrain, x[VD_S_MOTOR], mode[VD_M_SHIFTING] != 0.0);
}

void vd_train_prepare(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                      vd_train *train) {
  const vd_lanes *lanes = &m->lanes;
  int n = lanes->count;
  double speed[VD_SHAFTS], inverse_inertia[VD_SHAFTS];
  vd_coupling row[VD_COUPLINGS];
  train->shafts = n + (m->motor_shaft ? 1 : 0);
  for (int i = 0; i < n; i++) {
    speed[i] = e->motion.omega[i];
    inverse_inertia[i] = lanes->inverse_inertia[i];
    train->applied[i] = (vd_bypassed(m, c) ? e->drive.direct[i] : 0.0) +
                        (m->motor_shaft ? 0.0 : lanes->drive_share[i] * e->drive.motor_torque);
    train->direct[i] = train->applied[i];
  }
  if (m->motor_shaft) {
    speed[n] = x[VD_S_MOTOR];
    inverse_inertia[n] = 1.0 / m->vehicle.drivetrain.inertia;
    train->applied[n] = e->drive.motor_torque;
  }
  clutch_rows(m, e, train->ahead, speed, &train->clutch);
  for (int k = 0; k < VD_COUPLINGS; k++) {
    row[k] = k == VD_M_CLUTCH ? train->clutch : m->shafts.coupling[k];
    bool brake = k < VD_M_CLUTCH, exists = brake ? k < n : true;
    e->drive.coupling_slip[k] = exists ? dot(train->shafts, row[k].a, speed) : 0.0;
    if (brake)
      e->drive.coupling_capacity[k] = exists ? e->drive.brake_capacity[k] : 0.0;
    else if (k == VD_M_CLUTCH)
      e->drive.coupling_capacity[k] = clutch_capacity(m, c, x, mode, e);
    else
      e->drive.coupling_capacity[k] = differential_capacity(m, k);
    /* a brake without torque sticks until the next event, other couplings without torque do not */
    train->stuck[k] = exists && mode[k] == 0.0 && (brake || e->drive.coupling_capacity[k] > 0.0);
    train->torque[k] = 0.0;
    if (brake || train->stuck[k])
      continue;
    if (e->drive.coupling_capacity[k] > 0.0)
      train->torque[k] = -mode[k] * e->drive.coupling_capacity[k];
    if (k > VD_M_CLUTCH && has_slip(m, k))
      train->torque[k] -= differential(m, k)->ramp * e->drive.coupling_slip[k];
    for (int i = 0; i < train->shafts; i++)
      train->applied[i] += train->torque[k] * row[k].b[i];
  }
  vd_coupled_solve(train->shafts, inverse_inertia, VD_COUPLINGS, row, train->stuck, &train->solved);
  for (int i = 0; i < n; i++) /* the spin of a wheel that is locked by its brake is exactly zero */
    for (int j = 0; j < train->shafts && train->stuck[i]; j++)
      train->solved.accel[i][j] = 0.0;
}

void vd_train_finish(const vd_model *m, const vd_train *train, const double *mode, const double *torque, vd_eval *e) {
  int n = m->lanes.count;
  double f[VD_SHAFTS], accel[VD_SHAFTS];
  for (int i = 0; i < train->shafts; i++)
    f[i] = train->applied[i] + (i < n ? torque[i] : 0.0);
  vd_train_accelerate(train, n, torque, accel);
  e->drive.motor_accel = m->motor_shaft ? accel[n] : 0.0;
  for (int k = 0; k < VD_COUPLINGS; k++) {
    if (k < VD_M_CLUTCH && !train->stuck[k])
      e->drive.coupling_torque[k] = k < n ? -mode[k] * e->drive.brake_capacity[k] : 0.0;
    else
      e->drive.coupling_torque[k] = train->stuck[k] ? dot(train->shafts, train->solved.hold[k], f) : train->torque[k];
  }
  for (int i = 0; i < n; i++) {
    e->drive.drive_torque[i] = train->applied[i];
    for (int k = VD_M_CLUTCH; k < VD_COUPLINGS; k++)
      if (train->stuck[k])
        e->drive.drive_torque[i] +=
            e->drive.coupling_torque[k] * (k == VD_M_CLUTCH ? train->clutch.b[i] : m->shafts.coupling[k].b[i]);
  }
}

bool vd_train_drives(const vd_eval *e) {
  return e->drive.coupling_torque[VD_M_CLUTCH] >= 0.0;
}

void vd_train_ledger(const vd_model *m, const vd_train *train, const double *x, const vd_eval *e, double *dx) {
  int n = m->lanes.count;
  double drive = m->motor_shaft ? e->drive.motor_torque * x[VD_S_MOTOR] : 0.0, gears = 0.0;
  for (int i = 0; i < n; i++) {
    drive += train->direct[i] * e->motion.omega[i];
    gears += (train->clutch.b[i] - train->clutch.a[i]) * e->motion.omega[i];
  }
  dx[VD_S_WORK_DRIVE] = drive;
  dx[VD_S_WORK_GEARS] = m->motor_shaft ? e->drive.coupling_torque[VD_M_CLUTCH] * gears : 0.0;
  dx[VD_S_WORK_CLUTCH] = e->drive.coupling_torque[VD_M_CLUTCH] * e->drive.coupling_slip[VD_M_CLUTCH];
  dx[VD_S_WORK_DIFFERENTIALS] = 0.0;
  for (int k = VD_M_FRONT; k <= VD_M_CENTRE; k++)
    dx[VD_S_WORK_DIFFERENTIALS] += e->drive.coupling_torque[k] * e->drive.coupling_slip[k];
}

void vd_train_align(const vd_model *m, vd_state_vector *s) {
  int n = m->lanes.count, shafts = n + (m->motor_shaft ? 1 : 0);
  double inverse_inertia[VD_SHAFTS], momentum[VD_SHAFTS];
  vd_coupling row[VD_COUPLINGS];
  bool stuck[VD_COUPLINGS];
  vd_coupled solved;
  vd_eval e = {.drive.gear = 1};
  for (int i = 0; i < shafts; i++) {
    double inertia = i < n ? m->lanes.inertia[i] : m->vehicle.drivetrain.inertia;
    inverse_inertia[i] = 1.0 / inertia;
    momentum[i] = inertia * (i < n ? s->x[VD_S_SPIN + i] : s->x[VD_S_MOTOR]);
  }
  for (int k = 0; k < VD_COUPLINGS; k++) {
    row[k] = m->shafts.coupling[k];
    stuck[k] = m->shafts.permanent[k];
  }
  clutch_rows(m, &e, true, (const double[VD_WHEELS]){0.0}, &row[VD_M_CLUTCH]); /* at rest without losses */
  vd_coupled_solve(shafts, inverse_inertia, VD_COUPLINGS, row, stuck, &solved);
  for (int i = 0; i < shafts; i++)
    *(i < n ? &s->x[VD_S_SPIN + i] : &s->x[VD_S_MOTOR]) = dot(shafts, solved.accel[i], momentum);
}
