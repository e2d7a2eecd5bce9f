/* L3, fourteen degrees of freedom: a free sprung body, four unsprung masses, four wheel spins, in one state.
 *
 * Coordinates. The body has the world position of its reference point O (the place of the car's centre of gravity in
 * the design position), yaw, pitch and roll (ISO 8855: about z, y, x in turn), and in body axes the velocity u of O and
 * the angular velocity w. Each wheel has a travel s from the design position along the body's z, bump > 0, and a spin
 * relative to its knuckle. No angle or velocity is assumed to be small: the car may stand on any slope, fall, and land.
 * It must not lie on its side, since only tyres touch the road, and pitch must stay below a right angle.
 *
 * Kinematics of the links, by axle. Relative to the body the two wheels move as if they were fixed to a beam, which
 * slides along the body's z by the mean travel and turns by -f, f = (s_right - s_left)/track, about the roll centre at
 * height h_rc: except for tyre deflections the wheels stay upright on the road, whatever the body does. So lateral
 * forces reach the body at the roll centre, only the moment of the sprung mass about it loads the springs, and the body
 * is not jacked up. Contact points also move by e s forward, where e is the anti-dive or anti-lift slope. The contact
 * point is that of a thin disc in the wheel's plane: wheel centre - l v, with the unit vector v of the road normal n
 * projected into that plane, and the distance l of wheel centre and road. Spin momenta are about axles fixed in the
 * body, not in the beams: their reactions act on the body, and the springs carry them.
 *
 * Equations, by virtual work. The velocity of each point is a linear function of the rates of the coordinates, and
 * every force acts on every coordinate by the same arm with which that coordinate enters the point's velocity. In the
 * coordinates s (mean) and f of an axle, with Y, Z the places of the masses m and of the contacts relative to the roll
 * centre, sums over both wheels:
 *
 *   sum(m a_z) = Q_s = sum(F_z + W),            sum(m (Z a_y - Y a_z)) = Q_f = sum(Z F_y - Y F_z) + track/2 (W_r - W_l)
 *   W = e F_x + (e_drive - e) T/R - spring - damper - bar
 *
 * with W the force along the travel, T the drive torque, R the wheel radius, e_drive the slope under drive torque,
 *
 * and for the whole car sum(m a) = F, I w' + w x I w + sum(r x m a) = sum(r_contact x F) + M - sum(dH/dt), where H is
 * the angular momentum of a spin. Gravity is uniform: a is the acceleration minus gravity throughout, and gravity
 * appears nowhere else. After s'' and f'' are eliminated, the masses of an axle act on the body by Q_s, Q_f and a
 * lateral mass 2 m/(1 + (2 Zm/track)^2) at the roll centre, where Zm is their mean height above it. A symmetric 3 x 3
 * system for the angular acceleration remains.
 *
 * Springs, dampers and stops are in suspension.h. Tyres are springs with damping along v between the disc and the
 * road's tangent plane, and cannot pull: F (n . v) = k d + c d' at a deflection d. */
#include "model/l3_equations.h"

#include "base/elementary.h"
#include "model/contacts.h"
#include "model/ledger.h"
#include "model/model_impl.h"
#include "model/space.h"
#include "model/state_rates.h"
#include "model/steered.h"

/* Computes the places of the wheels on their beams. pivot: unit vectors about which the wheels are steered. */
VD_INLINE void wheel_poses(vd_work *w, vd_beams *b, vd_wide3 *pivot) {
  const vd_ride *ride = &w->m->ride;
  vd_wide cosine = vd_wide_load(w->c->cos_angle), sine = vd_wide_load(w->c->sin_angle);
  w->centre.x = vd_wide_load(w->m->lanes.x) + vd_wide_load(ride->beam.brake_slope) * vd_wide_load(w->x + VD_S_TRAVEL);
  vd_on_beams(b, vd_wide_load(w->m->lanes.y), vd_wide_load(ride->beam.wheel_above), &w->centre.y, &w->centre.z);
  w->centre.z += b->centre_z;
  w->axle = (vd_wide3){-sine, cosine * b->cosine, -cosine * b->sine};
  *pivot = (vd_wide3){0.0 * sine, b->sine, b->cosine};
}

/* Transforms a vector of each wheel from its beam's axes to the body's. */
VD_INLINE vd_wide3 from_beam(const vd_beams *b, double (*v)[VD_WHEELS]) {
  vd_wide y, z;
  vd_on_beams(b, vd_wide_load(v[1]), vd_wide_load(v[2]), &y, &z);
  return (vd_wide3){vd_wide_load(v[0]), y, z};
}

/* Computes places, axles and rotations of wheels on steering axes (steered.h). Reads `b`; adds to centre, writes axle,
 * pivot, and the derivatives of centre and axle by the angles. */
VD_INLINE void axis_poses(vd_work *w, const vd_beams *b, vd_wide3 *pivot, vd_wide3 *centre_slope,
                          vd_wide3 *axle_slope) {
  vd_steered_wheels s;
  vd_steered_poses(w->m, w->c, &s);
  w->centre = vd_wide_plus(w->centre, from_beam(b, s.move));
  w->axle = from_beam(b, s.axle);
  *pivot = from_beam(b, s.turn);
  *centre_slope = from_beam(b, s.move_slope);
  *axle_slope = from_beam(b, s.axle_slope);
}

void vd_fourteen_dof_wheels(const vd_model *m, const vd_command *c, const vd_state_vector *s, vd_eval *e) {
  vd_work w = {.m = m, .c = c, .x = s->x};
  vd_beams b;
  vd_wide3 pivot, centre_slope, axle_slope;
  vd_beam_poses(m, s->x, &w.frame, &b);
  wheel_poses(&w, &b, &pivot);
  if (m->steering_axes)
    axis_poses(&w, &b, &pivot, &centre_slope, &axle_slope);
  vd_show_wheels(w.centre, w.axle, e);
  vd_observe_wheels(&w.frame, s, e);
}

/* Returns the derivatives of the contact points by the wheels' angles, m/rad: c' - a (a' . down), with the derivatives
 * c' of the wheel centre and a' of the axle a, as at L4. */
VD_INLINE vd_wide3 axis_arms(const vd_work *w, vd_wide3 centre_slope, vd_wide3 axle_slope) {
  return vd_wide_plus(centre_slope, vd_wide_scaled(-vd_wide_dot(axle_slope, w->contact.down), w->axle));
}

/* Returns the velocities of the contact points, as points of the knuckles. steered: m/rad, derivatives of the contact
 * points by the wheels' angles. */
VD_INLINE vd_wide3 contact_velocities(const vd_work *w, const vd_beams *b, vd_wide3 steered) {
  const vd_frame *f = &w->frame;
  const vd_contacts *k = &w->contact;
  vd_wide rate = vd_wide_load(w->c->angle_rate);
  vd_wide3 v = vd_wide_cross(vd_wide3_repeat(f->w), k->at);
  v.x += f->u[0] + vd_wide_load(w->m->ride.beam.brake_slope) * vd_wide_load(w->x + VD_S_TRAVEL_RATE) + rate * steered.x;
  v.y += f->u[1] + b->turn * (k->at.z - b->centre_z) + rate * steered.y;
  v.z += f->u[2] + b->rise - b->turn * k->at.y + rate * steered.z;
  return v;
}

/* Computes the forces of springs, stops, bars and dampers. Reads travels and their rates in e; writes spring and damper
 * forces of e. */
VD_INLINE void suspension_forces(vd_work *w) {
  const vd_ride *ride = &w->m->ride;
  vd_eval *restrict e = w->e;
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_suspension *s = &w->m->vehicle.axle[vd_axle_of(i)].suspension;
    double across = e->motion.travel[i] - e->motion.travel[vd_other_side(i)];
    e->suspension.spring_force[i] = vd_suspension_spring(s, e->motion.travel[i]) + ride->bar[vd_axle_of(i)] * across;
    e->suspension.damper_force[i] = vd_suspension_damper(s, e->motion.travel_rate[i]);
    if (w->m->options.requests)
      e->suspension.damper_force[i] += w->c->damper_request[i];
  }
}

/* Computes the moments of forces, spins and the tyres' couples about the steering axes. The couples act on knuckles
 * that steer: their power is added to the work of the tyres and taken from that of the steering. */
VD_INLINE void axis_moments(const vd_work *w, const vd_l3_spins *s, vd_wide3 steered, vd_wide3 pivot) {
  const vd_contacts *k = &w->contact;
  vd_eval *restrict e = w->e;
  vd_wide couple = vd_wide_load(e->tyre.mz) * vd_wide_dot(k->normal, pivot) +
                   vd_wide_load(e->tyre.mx) * vd_wide_dot(k->ahead, pivot);
  vd_wide power = couple * vd_wide_load(w->c->angle_rate);
  vd_wide_store(vd_wide_dot(k->force, steered) - s->momentum * s->along + couple, e->steering.steer_moment);
  vd_wide_store(vd_wide_dot(pivot, w->axle), e->steering.steer_spin);
  w->dx[VD_S_WORK_TYRE] += vd_wide_sum(power);
  w->dx[VD_S_WORK_STEERING] -= vd_wide_sum(power);
}

VD_INLINE void book_power(const vd_work *w, const vd_l3_spins *s, vd_wide3 steered) {
  const vd_eval *e = w->e;
  vd_wide rate = vd_wide_load(e->motion.travel_rate), steer = vd_wide_load(w->c->angle_rate);
  vd_power p = {.turning = vd_wide3_repeat(w->frame.w),
                .drive = w->drive,
                .shaft_speed = vd_wide_load(e->motion.omega),
                .drive_travel = vd_wide_sum(w->drive * vd_wide_load(w->m->ride.beam.drive_slope) * rate),
                .axle_rate = s->axle_rate,
                .dampers = vd_wide_load(e->suspension.damper_force) * rate,
                .steering = steer * (s->momentum * s->along - vd_wide_dot(w->contact.force, steered))};
  vd_book_power(w, &p);
}

VD_WIDE bool vd_fourteen_dof_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                                   vd_eval *restrict e, double *dx) {
  vd_train train;
  vd_work w;
  w.m = m;
  w.c = c;
  w.x = x;
  w.mode = mode;
  w.e = e;
  w.dx = dx;
  w.train = &train;
  vd_beams b;
  vd_l3_spins s;
  vd_axle_equations axles;
  const vd_wide none = {0.0};
  vd_wide3 pivot, steered, centre_slope = {none, none, none}, axle_slope = centre_slope;
  double accel[3], alpha[3];
  vd_beam_poses(m, x, &w.frame, &b);
  vd_body_motion(&w);
  wheel_poses(&w, &b, &pivot);
  if (m->steering_axes)
    axis_poses(&w, &b, &pivot, &centre_slope, &axle_slope);
  vd_road_contacts(&w);
  vd_contact_cambers(&w);
  if (m->lanes.cambers)
    vd_beam_cambers(m, &b, e);
  steered = m->steering_axes ? axis_arms(&w, centre_slope, axle_slope) : vd_wide_cross(pivot, w.contact.down);
  vd_tyre_loads(&w, contact_velocities(&w, &b, steered));
  vd_slips(&w);
  if (m->turn_slip)
    vd_wheel_turn_slips(&w,
                        vd_wide_plus(vd_wide3_repeat(w.frame.w), vd_wide_scaled(vd_wide_load(c->angle_rate), pivot)));
  vd_drive_and_brakes(&w);
  suspension_forces(&w);
  vd_wheel_tyre_forces(&w);
  vd_coupled_drive(&w);

  vd_l3_spin_reactions(&w, &s);
  vd_contact_forces(&w, vd_l3_spin_axles(&w));
  vd_outside_forces(&w);
  vd_axle_forces(&w, &b, &axles);
  vd_l3_accelerations(&w, &b, &s, &axles, accel, alpha);
  vd_spin_accelerations(&w, s.drift, alpha[1] * vd_wide_load(c->cos_angle) - alpha[0] * vd_wide_load(c->sin_angle));

  vd_l3_travel_rates(&w, &b, &axles, accel, alpha);
  vd_body_rates(&w, accel, alpha);
  book_power(&w, &s, steered);
  if (m->steering_axes)
    axis_moments(&w, &s, steered, pivot);
  vd_other_rates(&w);
  return true;
}
