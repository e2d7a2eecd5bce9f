/* L5, a body that is free in space: it may fly, turn upside down and meet any surface on any side.
 *
 * Coordinates. The body has the world position of O (the car's centre of gravity in the design position), a quaternion,
 * and in body axes the velocity u of O and the angular velocity w. Wheels are carried in one of three ways:
 *   hub      fixed to the body: the whole car is one rigid body on its tyres
 *   strut    each wheel is a point mass on a line along the body's z through its design place
 *   linkage  each wheel is a point mass on the path of its linkage
 * Rigid links constrain the masses to their paths (l4_multibody.c). This file models hubs and stiff links. On stiff
 * links each mass is free in the world, and springs keep it on its path.
 *
 * With r the wheel's place from O in body axes, s its velocity relative to the body, z = r_z - design the travel and
 * (x, y)(z) the path of the wheel centre at the middle rack (a straight line for struts), off = (r_x - x, r_y - y) is
 * the deflection of the links. Steering does not move the mass, as at L4; it moves the wheel's centre, on which the
 * road acts, by shift(z, rack) from the mass. If the mass had to follow the rack on stiff links, each corner of the
 * steering input would be an impact. All forces between body and wheel are functions of r, s and the steering, so they
 * do the same work on both: a force f on the wheel and -f on the body, at the wheel's place,
 *
 *   f_x = -k off_x - c off_x',   f_y likewise,
 *   f_z = -f_x dx/dz - f_y dy/dz + F . dshift/dz - spring - damper - bar + (d x F + M) . w_z + reactions of the spins
 *
 * F and M are force and couple of the road, d leads from the wheel centre to the contact point, and w_z is the
 * knuckle's rotation per travel. The terms with dx/dz and dy/dz in f_z produce anti-dive, anti-squat and roll centres;
 * there are no factors for them. The knuckle turns with the body, with the travel and with the steering, so the contact
 * point's velocity is v + shift' + w x shift + (w + w_z z' + w_s) x d, and the contact force acts on the body by the
 * same arms: with (shift + d) x F + M the road's force acts on the car at the contact point and not at the hub. Spins
 * are computed as in l4_multibody.c; their reactions act on the body, in the air as well.
 *
 *   wheel   m_u a = F + f + m_u g
 *   body    m a_c = sum(-f) + air + m g,
 *           I w' + w x I w = sum((shift + d) x F + M - dH/dt - (r - c) x f) + air, about its centre c
 *
 * These accelerations are not coupled as long as wheels turn freely. A locked wheel turns with its knuckle, and a
 * coupled train distributes its inertia over the wheels; the accelerations that these inertias resist, y = w' . a + p
 * z'', follow from four equations (vd_l5_add_spin_inertia).
 *
 * A frozen contact keeps the road's tangent planes of the beginning of the step, so that the road's curvature over the
 * step is an error; the option exists to show this error. */
#include "model/l5_equations.h"
#include "model/l5_stages.h"
#include "model/guided_wheels.h"
#include "model/ledger.h"
#include "model/model_impl.h"

/* Computes the places of the wheels, from which the travels follow; the travels in the state are not used. Returns
 * false if a linkage does not close. */
VD_INLINE bool wheel_poses(vd_work *w, vd_free_wheels *h) {
  if (!vd_free_wheel_poses(w->m, w->c, &w->frame, w->x, h))
    return false;
  for (int a = 0; a < VD_AXLES; a++)
    w->e->steering.rack[a] = w->c->rack[a];
  w->centre = vd_free_hub(h);
  w->axle = h->axle;
  vd_wide_store(h->travel, w->e->motion.travel);
  vd_wide_store(h->rate, w->e->motion.travel_rate);
  return true;
}

/* Returns the angular velocities of the knuckles relative to the world. */
VD_INLINE vd_wide3 knuckle_turning(const vd_work *w, const vd_free_wheels *h) {
  return vd_wide_plus(vd_wide3_repeat(w->frame.w), vd_wide_plus(vd_wide_scaled(h->rate, h->turn), h->steer));
}

/* Computes the loads of the tyres, each at most max_load. */
VD_INLINE void capped_tyre_loads(vd_work *w, const vd_free_wheels *h) {
  vd_wide3 hub = vd_free_hub_speed(h, vd_wide3_repeat(w->frame.w)), turning = knuckle_turning(w, h);
  vd_tyre_loads(w, vd_wide_plus(hub, vd_wide_cross(turning, w->contact.down)));
  vd_wide_store(vd_wide_min(vd_wide_load(w->e->tyre.load), vd_wide_load(w->m->ride.free.max_load)), w->e->tyre.load);
}

/* Computes the accelerations of body, wheels and spins, including the inertia of locked and coupled wheels. */
VD_INLINE void accelerations(vd_work *w, const vd_free_wheels *h, const vd_axle_spins *s, vd_l5_forces *a,
                             vd_l5_motion *n) {
  vd_outside air = {.lean_power = 0.0};
  vd_air_forces(w, &air);
  w->outside.lean_power = 0.0;
  w->outside.air_power = air.air_power;
  w->outside.push_power = air.push_power;
  for (int j = 0; j < 3; j++) {
    a->force[j] += air.force[j];
    a->moment[j] += air.moment[j];
  }
  vd_l5_accelerations(w, h, a, n);
  if (w->m->coupled || vd_wide_any(s->locked_inertia)) {
    double resist[VD_WHEELS];
    vd_wide_store(vd_l5_resisted(n, h), resist);
    vd_l5_add_spin_inertia(w->m, h, s, resist, a);
    vd_l5_accelerations(w, h, a, n);
  }
  vd_spin_accelerations(w, s->drift, vd_l5_resisted(n, h));
}

/* Computes the rates of the wheels' places and velocities. */
VD_INLINE void wheel_rates(const vd_work *w, const vd_l5_motion *n) {
  double *dx = w->dx;
  for (int i = 0; i < 3 * VD_WHEELS; i++)
    dx[VD_S_WHEEL_PLACE + i] = w->x[VD_S_WHEEL_SPEED + i];
  vd_wide3_store(vd_out_of_body(&w->frame, n->wheel), dx + VD_S_WHEEL_SPEED);
  for (int i = 0; i < VD_WHEELS; i++)
    dx[VD_S_TRAVEL + i] = dx[VD_S_TRAVEL_RATE + i] = 0.0;
}

VD_INLINE void book_power(const vd_work *w, const vd_free_wheels *h, const vd_axle_spins *s, const vd_l5_forces *a) {
  const vd_eval *e = w->e;
  vd_wide_mask locked = vd_wide_load(w->mode) == 0.0;
  vd_wide torque = vd_wide_select(locked, w->drive, vd_wide_load(e->drive.drive_torque));
  vd_wide spring = vd_wide_load(e->suspension.spring_eye), damper = vd_wide_load(e->suspension.damper_eye);
  vd_wide damping = vd_wide_load(w->m->ride.free.link_damping);
  vd_wide steering = vd_wide_dot(a->knuckle, h->steer) - s->momentum * vd_wide_dot(s->turning, h->steer) -
                     spring * h->spring_steer - damper * h->damper_steer +
                     vd_wide_dot(w->contact.force, h->shift_steer);
  vd_power p = {.turning = knuckle_turning(w, h),
                .drive = torque,
                .shaft_speed = vd_wide_load(e->motion.omega) + h->spin * h->rate,
                .drive_travel = w->m->coupled ? vd_wide_sum(torque * h->spin * h->rate) : 0.0,
                .axle_rate = s->axle_rate,
                .dampers = damper * (h->damper_slope * h->rate + h->damper_steer),
                .steering = -steering,
                .links = vd_wide_sum(damping * (h->off_rate[0] * h->off_rate[0] + h->off_rate[1] * h->off_rate[1]))};
  vd_book_power(w, &p);
}

/* Computes the forces of the wheels on their racks, or moments on their angles. */
VD_INLINE void steering_forces(const vd_work *w, const vd_free_wheels *h, const vd_axle_spins *s,
                               const vd_l5_forces *a) {
  vd_eval *restrict e = w->e;
  vd_wide force = vd_wide_dot(a->knuckle, h->by_turn) - s->momentum * vd_wide_dot(s->turning, h->by_turn) +
                  vd_wide_dot(w->contact.force, h->by_shift) - vd_wide_load(e->suspension.spring_eye) * h->by_spring -
                  vd_wide_load(e->suspension.damper_eye) * h->by_damper;
  vd_wide_store(force, e->steering.steer_moment);
  vd_wide_store(h->by_spin, e->steering.steer_spin);
  for (int axle = 0; axle < VD_AXLES; axle++)
    e->steering.rack_force[axle] = force[vd_left_wheel(axle)] + force[vd_right_wheel(axle)];
  if (vd_free_linked(w->m))
    vd_brakes_on_rack(w, h->by_spin, h->rack_rate);
}

VD_WIDE bool vd_free_body_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode,
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
  vd_free_wheels h;
  vd_axle_spins s;
  vd_l5_forces a;
  vd_l5_motion n;
  vd_frame_from_quaternion(x, &w.frame);
  vd_body_motion(&w);
  if (!wheel_poses(&w, &h))
    return false;
  vd_surface_contacts(&w);
  vd_contact_cambers(&w);
  capped_tyre_loads(&w, &h);
  vd_landing_slips(&w);
  if (m->turn_slip)
    vd_wheel_turn_slips(&w, knuckle_turning(&w, &h));
  vd_drive_and_brakes(&w);
  const vd_wide damper_rate = h.damper_slope * h.rate + h.damper_steer;
  vd_suspension_forces(&w, &h.spring, &h.spring_slope, &damper_rate, &h.damper_slope);
  vd_wheel_tyre_forces(&w);
  vd_coupled_drive(&w);

  const vd_knuckle_motion motion = {h.axle_rate, h.spin * h.rate, h.spin_rate * h.rate};
  vd_axle_spin_reactions(&w, &motion, &s);
  vd_contact_forces(&w, w.axle);
  vd_l5_link_forces(&w, &h, &s, &a);
  accelerations(&w, &h, &s, &a, &n);

  vd_free_rates(&w, n.at_o, n.alpha);
  wheel_rates(&w, &n);
  book_power(&w, &h, &s, &a);
  steering_forces(&w, &h, &s, &a);
  vd_other_rates(&w);
  return true;
}
