/* Stages of wheels that are guided along paths in the body (L4; L5 with rigid links): velocities, suspension, work. */
#ifndef VD_GUIDED_WHEELS_H
#define VD_GUIDED_WHEELS_H

#include "model/l4_equations.h"
#include "model/ledger.h"

/* Returns the velocities of the contact points, as points of the knuckles. */
VD_INLINE vd_wide3 vd_guided_velocities(const vd_work *w, const vd_linkage_poses *h, const vd_travels *t) {
  const vd_frame *f = &w->frame;
  vd_wide3 v = vd_wide_plus(vd_wide_cross(vd_wide3_repeat(f->w), w->contact.at),
                            vd_linkage_rates(t->contact, t->rack, &t->other, h));
  v.x += f->u[0];
  v.y += f->u[1];
  v.z += f->u[2];
  return v;
}

/* Computes the forces of springs, bars and dampers. spring, spring_slope: m, compression of the springs and its
 * derivative by the travel; damper_rate, damper_slope: m/s, rate of the dampers' compression and derivative of the
 * compression by the travel. Reads travels of e; writes forces at the eyes and at the wheels of e. */
VD_INLINE void vd_suspension_forces(vd_work *w, const vd_wide *spring, const vd_wide *spring_slope,
                                    const vd_wide *damper_rate, const vd_wide *damper_slope) {
  const vd_ride *ride = &w->m->ride;
  vd_eval *restrict e = w->e;
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_suspension *s = &w->m->vehicle.axle[vd_axle_of(i)].suspension;
    double across = e->motion.travel[i] - e->motion.travel[vd_other_side(i)];
    e->suspension.spring_eye[i] = vd_suspension_spring(s, (*spring)[i]);
    e->suspension.damper_eye[i] = vd_suspension_damper(s, (*damper_rate)[i]);
    if (w->m->options.requests)
      e->suspension.damper_eye[i] += w->c->damper_request[i];
    e->suspension.spring_force[i] =
        e->suspension.spring_eye[i] * (*spring_slope)[i] + ride->bar[vd_axle_of(i)] * across;
    e->suspension.damper_force[i] = e->suspension.damper_eye[i] * (*damper_slope)[i];
  }
}

/* Computes the suspension forces of wheels on linkages. Reads h and travels of e; writes the results of
 * vd_suspension_forces. */
VD_INLINE void vd_guided_suspension(vd_work *w, const vd_linkage_poses *h) {
  vd_eval *restrict e = w->e;
  vd_wide rate = h->damper[1] * h->rate + h->damper[2] * h->rack_rate;
  if (h->joined)
    rate += h->damper[3] * h->other_rate;
  vd_suspension_forces(w, &h->spring[0], &h->spring[1], &rate, &h->damper[1]);
  for (int i = 0; i < VD_WHEELS && h->joined; i++) { /* the other wheel's spring and damper also load this travel */
    e->suspension.spring_force[i] += e->suspension.spring_eye[vd_other_side(i)] * h->spring[3][vd_other_side(i)];
    e->suspension.damper_force[i] += e->suspension.damper_eye[vd_other_side(i)] * h->damper[3][vd_other_side(i)];
  }
}

VD_INLINE vd_knuckle_motion vd_guided_knuckles(const vd_linkage_poses *h) {
  vd_wide rise = (h->spin_travel * h->rate + h->spin_rack * h->rack_rate) * h->rate;
  if (h->joined)
    rise += ((h->spin_other + h->other_spin_travel) * h->rate + h->other_spin_other * h->other_rate +
             h->other_spin_rack * h->rack_rate) *
            h->other_rate;
  return (vd_knuckle_motion){vd_linkage_rates(h->axle_travel, h->axle_rack, &h->axle_other, h), vd_linkage_turn(h),
                             rise};
}

/* Returns the angular velocities of the knuckles relative to the world. */
VD_INLINE vd_wide3 vd_guided_turning(const vd_work *w, const vd_linkage_poses *h, const vd_travels *t) {
  return vd_wide_plus(vd_wide3_repeat(w->frame.w), vd_linkage_rates(t->turn, t->rack_turn, &t->other_turn, h));
}

/* Returns the power of the drive torques, W, apart from that on the wheels' spins relative to their knuckles. A shaft
 * from the body also turns with the knuckle about the wheel's axle, at `shaft', rad/s. If shafts are not coupled,
 * shaft_speed of vd_power contains this speed, and only the rest of the power is returned. The final drive of a live
 * axle does not turn with the knuckle, but the propeller shaft turns the axle about x; for a live axle that steers,
 * `shaft' is the speed of the shafts in the axle less that of the wheels on their knuckles. */
VD_INLINE double vd_drive_on_travels(const vd_work *w, const vd_linkage_poses *h, const vd_travels *t, vd_wide torque,
                                     vd_wide shaft) {
  if (!h->joined)
    return w->m->coupled ? vd_wide_sum(torque * h->spin * h->rate) : 0.0;
  vd_wide roll = vd_l4_shaft_slope(&w->m->ride, t) * h->rate * vd_wide_pairs(torque);
  return vd_wide_sum(w->m->coupled ? torque * shaft + roll : roll);
}

/* Returns the torques of inboard brakes on the wheels. They come from the body through shafts, as drive torques do. The
 * brake torque of a locked wheel balances tyre and drive; the wheel still turns with its knuckle. Reads tyre forces and
 * torques of e. */
VD_INLINE vd_wide vd_inboard_torques(const vd_work *w) {
  double torque[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++)
    torque[i] = w->m->ride.inboard[i] ? -vd_torque_on_brake(w, i) : 0.0;
  return vd_wide_load(torque);
}

/* Adds the forces of the inboard brakes' torques on the travels to `t`. */
VD_INLINE void vd_inboard_forces(const vd_work *w, const vd_linkage_poses *h, vd_travels *t) {
  vd_wide torque = vd_inboard_torques(w);
  t->force += h->spin * torque;
  if (h->joined)
    t->force += vd_wide_swapped(h->other_spin * torque);
}

VD_INLINE void vd_inboard_power(const vd_work *w, const vd_linkage_poses *h) {
  vd_wide torque = vd_inboard_torques(w);
  w->dx[VD_S_WORK_BRAKE] += vd_wide_sum(h->joined ? torque * vd_linkage_turn(h) : torque * h->spin * h->rate);
}

/* Adds the forces of the wheels on their racks, N, to rack_force of e. Subtracts their power from the work of the
 * steering, and returns it, W. */
VD_INLINE double vd_add_to_racks(const vd_work *w, vd_wide rack_rate, vd_wide force) {
  const double front = force[VD_FL] + force[VD_FR], rear = force[VD_RL] + force[VD_RR];
  const double power = front * rack_rate[VD_FL] + rear * rack_rate[VD_RL];
  w->e->steering.rack_force[VD_FRONT] += front;
  w->e->steering.rack_force[VD_REAR] += rear;
  w->dx[VD_S_WORK_STEERING] -= power;
  return power;
}

/* Adds the works and rack forces of brakes on knuckles that the rack turns about the wheels' axles: the knuckle carries
 * the brake's torque, and the knuckle's rate is subtracted from the speed at which the brake slips. */
VD_INLINE void vd_brakes_on_rack(const vd_work *w, vd_wide rack_spin, vd_wide rack_rate) {
  double force[VD_WHEELS];
  for (int i = 0; i < VD_WHEELS; i++)
    force[i] = vd_knuckle_brake(w, i) * rack_spin[i];
  w->dx[VD_S_WORK_BRAKE] += vd_add_to_racks(w, rack_rate, vd_wide_load(force));
}

/* Books the power of guided wheels, and stores the forces of the links on the racks in e. */
VD_INLINE void vd_guided_power(const vd_work *w, const vd_linkage_poses *h, const vd_axle_spins *s,
                               const vd_travels *t) {
  const vd_contacts *k = &w->contact;
  vd_eval *restrict e = w->e;
  vd_wide_mask locked = vd_wide_load(w->mode) == 0.0;
  vd_wide torque = vd_wide_select(locked, w->drive, vd_wide_load(e->drive.drive_torque));
  vd_wide spring = vd_wide_load(e->suspension.spring_eye), damper = vd_wide_load(e->suspension.damper_eye);
  vd_wide rack = vd_wide_dot(k->force, t->rack) + vd_wide_dot(k->couple, t->rack_turn) - spring * h->spring[2] -
                 damper * h->damper[2] - s->momentum * vd_wide_dot(s->turning, t->rack_turn);
  if (h->joined)
    rack += torque * h->shaft[2];
  e->steering.rack_force[VD_FRONT] = e->steering.rack_force[VD_REAR] = 0.0;
  vd_wide shaft = vd_linkage_turn(h), shorter = h->damper[1] * h->rate + h->damper[2] * h->rack_rate;
  if (h->joined) {
    shaft = (1.0 - vd_wide_load(w->m->ride.link.on_live_axle)) * shaft;
    shaft += h->shaft[0] * h->rate + h->shaft[1] * h->other_rate + h->shaft[2] * h->rack_rate;
    shorter += h->damper[3] * h->other_rate;
  }
  vd_power p = {.turning = vd_guided_turning(w, h, t),
                .drive = torque,
                .shaft_speed = vd_wide_load(e->motion.omega) + shaft,
                .drive_travel = vd_drive_on_travels(w, h, t, torque, shaft),
                .axle_rate = s->axle_rate,
                .dampers = damper * shorter};
  vd_book_power(w, &p);
  vd_add_to_racks(w, h->rack_rate, rack);
  if (e->drive.brake_capacity[VD_FL] + e->drive.brake_capacity[VD_FR] > 0.0 || w->m->vehicle.steering.rear.gain)
    vd_brakes_on_rack(w, h->rack_spin, h->rack_rate);
}

#endif
