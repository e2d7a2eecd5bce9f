/* Stages of drive, brakes and tyres: torques of the command, slips, forces and moments of the tyres, coupled shafts. */
#ifndef VD_TYRE_FORCES_H
#define VD_TYRE_FORCES_H

#include "model/lanes.h"
#include "model/work.h"

/* Computes the drive torques and brake capacities from the command. The speed controllers also use gravity along the
 * road, in the directions of the rear wheels. Reads gravity and contacts, velocities and loads of e; writes pull,
 * pedals, torques and capacities of e, and the rate of the speed controller's integral. */
VD_INLINE void vd_drive_and_brakes(vd_work *w) {
  const vd_model *m = w->m;
  vd_wide3 g = vd_wide3_repeat(w->gravity);
  vd_wide ahead = vd_wide_dot(g, w->contact.ahead), aside = vd_wide_dot(g, w->contact.aside);
  w->e->motion.pull_x = 0.5 * (ahead[VD_RL] + ahead[VD_RR]);
  w->e->motion.pull_y = 0.5 * (aside[VD_RL] + aside[VD_RR]);
  vd_pedals(m, w->c, w->x, w->mode, w->e, &w->dx[VD_S_SPEED_INTEGRAL]);
  vd_lane_torques(VD_WHEELS, m, w->c, w->x, w->e);
  if (m->vehicle.brakes.load_dependent)
    vd_lane_share_by_load(VD_WHEELS, m, w->x, w->e);
}

/* Computes slips. Reads spins and contact velocities of e; writes its slips, and the rates of the tyres'
 * deflections. */
VD_INLINE void vd_slips(vd_work *w) {
  if (w->m->transient)
    vd_lane_transient_slips(VD_WHEELS, w->m, w->x, w->e);
  else
    vd_lane_steady_slips(VD_WHEELS, w->m, w->e);
}

/* Computes turn slips. turning: rad/s, of the knuckles relative to the world. Reads contacts, spins and contact
 * velocities of e; writes turn slips of e, and the rates of the tyres' twists. */
VD_INLINE void vd_wheel_turn_slips(const vd_work *w, vd_wide3 turning) {
  double rate[VD_WHEELS];
  vd_wide_store(vd_wide_dot(w->contact.normal, turning), rate);
  vd_turn_slips(w->m, w->x, rate, w->e);
}

/* Sets the forces in the road plane and all moments of the tyres to zero: posts have no friction. */
static inline void vd_no_friction(vd_eval *restrict e) {
  for (int i = 0; i < VD_WHEELS; i++)
    e->tyre.fx[i] = e->tyre.fy[i] = e->tyre.mx[i] = e->tyre.my[i] = e->tyre.mz[i] = 0.0;
}

VD_INLINE void vd_tyres_at_loads(const vd_model *m, const double *x, vd_eval *restrict e) {
  const vd_tyre_results out = {.fx = e->tyre.fx,
                               .fy = e->tyre.fy,
                               .mx = e->tyre.mx,
                               .my = e->tyre.my,
                               .mz = e->tyre.mz,
                               .rate_x = e->slip.deflection_rate_x,
                               .rate_y = e->slip.deflection_rate_y,
                               .damped = e->tyre.damped};
  vd_bristle_inputs bristle_inputs;
  vd_contact contact;
  vd_lane_contact(m, e, x, &bristle_inputs, &contact);
  contact.camber = e->contact.camber;
  vd_tyre_at_loads(&m->lanes.row, &contact, e->contact.friction, e->tyre.load, &out);
}

/* Computes the forces and moments of the tyres; my includes the rolling resistance. Reads slips, loads, friction,
 * cambers of e; writes fx, fy, mx, my, mz of e, and the rates of bristles. */
VD_INLINE void vd_forces_at_slips(vd_work *w) {
  const vd_model *m = w->m;
  vd_eval *restrict e = w->e;
  if (m->ride.on_posts) {
    vd_no_friction(e);
    return;
  }
  vd_tyres_at_loads(m, w->x, e);
  const vd_wide shares = vd_lane_rolling_shares(m, vd_wide_load(e->motion.omega));
  vd_wide_store(vd_wide_load(e->tyre.my) - vd_wide_load(m->lanes.rolling) * shares * vd_wide_load(e->tyre.load),
                e->tyre.my);
}

/* Computes the forces and moments of the tyres. If relaxation lengths depend on the loads, also computes the rates of
 * these tyres' deflections. */
VD_INLINE void vd_wheel_tyre_forces(vd_work *w) {
  vd_forces_at_slips(w);
  if (w->m->lengths_by_load)
    vd_lane_rates_at_loads(VD_WHEELS, w->m, w->x, w->e);
}

/* Returns the torques of tyres and slipping brakes on the wheels. */
VD_INLINE vd_wide vd_tyre_and_brake_torques(const vd_work *w) {
  const vd_eval *e = w->e;
  return vd_wide_load(e->tyre.my) - vd_wide_load(e->tyre.fx) * vd_wide_load(w->m->lanes.radius) -
         vd_wide_load(w->mode) * vd_wide_load(e->drive.brake_capacity);
}

/* Returns the torque of the wheel on its brake, > 0 forward: the capacity in the direction of the spin if the brake
 * slips, otherwise all that locks the wheel. */
static inline double vd_torque_on_brake(const vd_work *w, int i) {
  const vd_eval *e = w->e;
  if (w->mode[i] != 0.0)
    return w->mode[i] * e->drive.brake_capacity[i];
  double drive = w->m->coupled ? 0.0 : e->drive.drive_torque[i]; /* coupled shafts are solved later */
  return drive + e->tyre.my[i] - e->tyre.fx[i] * w->m->lanes.radius[i];
}

/* Returns the part of the brake torque that the knuckle carries: 0 for inboard brakes, which act through shafts. */
static inline double vd_knuckle_brake(const vd_work *w, int i) {
  return w->m->ride.inboard[i] ? 0.0 : vd_torque_on_brake(w, i);
}

/* Computes the drive torques of coupled shafts: power through the gears is first assumed in the direction of the motor
 * torque, and in the other one if the result contradicts, as `loads' in planar.c does. Reads tyre forces and capacities
 * of e; writes train and drive, drive torques of e. */
VD_INLINE void vd_coupled_drive(vd_work *w) {
  const vd_model *m = w->m;
  vd_eval *restrict e = w->e;
  if (m->coupled) {
    bool ahead = e->drive.motor_torque >= 0.0;
    for (int round = 0; round < 2; round++) {
      double torque[VD_WHEELS];
      w->train->ahead = ahead;
      vd_train_prepare(m, w->c, w->x, w->mode, e, w->train);
      vd_wide_store(vd_tyre_and_brake_torques(w), torque);
      vd_train_finish(m, w->train, w->mode, torque, e);
      if (vd_train_drives(e) == ahead || m->vehicle.drivetrain.efficiency == 1.0)
        break;
      ahead = !ahead;
    }
  }
  w->drive = vd_wide_load(e->drive.drive_torque);
}

/* Finishes coupled shafts. torque: N m, of tyres and slipping brakes, less inertia times (drift + back), see
 * vd_spin_accelerations. Reads train; writes torques of couplings and drive, spin torques and accelerations of e. */
VD_INLINE void vd_coupled_spin_accelerations(vd_work *w, vd_wide torque) {
  vd_eval *restrict e = w->e;
  double accel[VD_SHAFTS], all[VD_WHEELS];
  vd_wide brake = vd_wide_load(w->mode) * vd_wide_load(e->drive.brake_capacity);
  vd_wide_store(torque, all);
  vd_train_accelerate(w->train, VD_WHEELS, all, accel);
  vd_train_finish(w->m, w->train, w->mode, all, e);
  for (int i = 0; i < VD_WHEELS; i++)
    e->spin.spin_accel[i] = accel[i];
  vd_wide_store(vd_wide_load(e->drive.drive_torque) + torque + brake, e->spin.spin_torque);
}

/* Computes the accelerations of the spins, once those of body and knuckles are known, and the torques on the wheels
 * without the brakes, which those of locked wheels must resist. drift, back: rad/s2, accelerations of the knuckles
 * about the wheels' axles, relative to the world: by velocities, and by the accelerations of body and knuckles. Reads
 * train, torques and tyre forces of e; writes spin torques and accelerations of e. */
VD_INLINE void vd_spin_accelerations(vd_work *w, vd_wide drift, vd_wide back) {
  const vd_model *m = w->m;
  vd_eval *restrict e = w->e;
  vd_wide inertia = vd_wide_load(m->lanes.inertia), modes = vd_wide_load(w->mode);
  vd_wide brake = modes * vd_wide_load(e->drive.brake_capacity), torque = vd_tyre_and_brake_torques(w);
  vd_wide_mask locked = modes == 0.0;
  vd_wide resist = inertia * (drift + back);
  if (m->coupled) {
    vd_coupled_spin_accelerations(w, torque - resist);
    return;
  }
  vd_wide free = vd_wide_load(e->drive.drive_torque) + torque;
  vd_wide_store(vd_wide_select(locked, free - resist, free) + brake, e->spin.spin_torque);
  vd_wide_store(vd_wide_select(locked, 0.0 * inertia, free * vd_wide_load(m->lanes.inverse_inertia) - drift - back),
                e->spin.spin_accel);
}

#endif
