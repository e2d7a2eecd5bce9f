/* L4, the hardpoint multibody car, and L5 with rigid links: a free body, each wheel on its own linkage or, at L5,
 * strut.
 *
 * Coordinates. The body is that of L3; at L5 its attitude is a quaternion, and the ground may be any surface. Each
 * wheel has a travel z of its centre along the body's z and a spin relative to its knuckle. The travel is the
 * independent coordinate of each linkage, and all others follow from it and the rack (coordinate partitioning;
 * linkage_map.h): the constraints hold to rounding error and need no stabilisation. A strut is a linkage whose path is
 * straight. With c the wheel centre, a its axle, p the knuckle's rotation about it per travel, ' the derivative by
 * travel, all functions of travel and rack r in body axes:
 *
 *   knuckle's rotation         w_z = a x a' + p a per travel,  w_r = a x da/dr per rack
 *   contact point P = c + d    dP/dz = c' + w_z x d = c' - a (a' . d) + p (a x d),   dP/dr = dc/dr - a (da/dr . d)
 *   wheel's spin               O_abs = O + w . a + p z.,   momentum H = I O_abs along a,
 *                              whose direction changes at t = w x a + a' z. + da/dr r.
 *   unsprung mass at e         a_e = A + alpha x e + q z.. + k,   q = e',   k = w x (w x e) + 2 w x q z. + q' z.^2
 *
 * (d leads from the wheel centre to the contact point, a . d = 0; O is the spin relative to the knuckle, w the body's
 * angular velocity; a dot is the derivative by time.) The unsprung mass is a point that moves with the wheel centre for
 * the middle of the rack: steering does not move it. A is the acceleration of the body's origin less gravity, alpha the
 * body's angular acceleration. A rotation of the knuckle about the axle due to steering is counted as part of the
 * wheel's spin.
 *
 * Equations, by virtual power: every force acts on every coordinate by the arm with which that coordinate enters the
 * point's velocity. The force of the path on the mass is normal to q and does no work, so it does not appear.
 *
 *   travel   m q . a_e = F . dP/dz + M . w_z - F_spring dl/dz - F_damper dl/dz - bar + p T_drive - dH/dt . w_z
 *   forces   m_s a_s + sum(m a_e) = sum(F) + air
 *   moments  J alpha + w x J w + s x m_s a_s + sum(e x m a_e) = sum(P x F + M - dH/dt) + air
 *
 * F, M: force and couple of the road on the tyre; l: compression of spring or damper; m_s, s, J: mass, centre and
 * inertia of the body; a_s = A + alpha x s + w x (w x s). A free wheel's dH/dt along a is the sum T_drive + T of its
 * torques, so -p T remains in the travel's equation, where T is the torque of tyre and slipping brake: the drive torque
 * comes from the body through a shaft, the brake's from the knuckle. A locked wheel turns with its knuckle and adds I
 * p^2 to the travel's mass. Anti-dive and anti-squat, jacking, roll-centre migration and bump steer are consequences of
 * these arms; there are no factors for them. Each travel occurs in its own equation and in those of the body only (of
 * two joined wheels, each pair of travels): the mass matrix has arrow form, with m q . q on the diagonal and the
 * columns b = (m q, e x m q + I p a of a locked wheel) to the body. Eliminating the travels leaves six equations, B -
 * sum(b b'/(m q . q)), which are symmetric and positive definite.
 *
 * Springs, dampers and stops are as at L3, but along the real springs and dampers: the travel of each is its
 * compression divided by its motion ratio in the design position, so that load and rate in this position equal those of
 * L3; all differences come from the geometry. The bar couples the travels. Wheels that move with the rack do work on it
 * (work_steering).
 *
 * Rigid links are the limit of stiff ones (l5_free_body.c) as their stiffness k grows: across the path a stiff link is
 * deflected by the path's force divided by k and stores the square of this force divided by 2 k, both of the order of
 * 1/k. */
#include "model/contacts.h"
#include "model/elastic.h"
#include "model/guided_wheels.h"
#include "model/l4_compliance.h"
#include "model/l5_stages.h"
#include "model/model_impl.h"
#include "model/state_rates.h"

/* Computes the attitude and velocities of the body. free: L5, a constant at every call. */
VD_INLINE void body_frame(bool free, vd_work *w) {
  double unused[2] = {0.0, 0.0};
  if (free)
    vd_frame_from_quaternion(w->x, &w->frame);
  else
    vd_frame_from_angles(w->m, w->x, unused, &w->frame);
  vd_body_motion(w);
}

/* Computes the places of the wheels on their linkages. Returns false if a linkage does not close. */
VD_INLINE bool wheel_poses(bool free, vd_work *w, vd_linkage_poses *h) {
  if (!(free ? vd_guided_poses(w->m, w->c, w->x, h) : vd_linked_poses(w->m, w->c, w->x, h)))
    return false;
  for (int a = 0; a < VD_AXLES; a++)
    w->e->steering.rack[a] = w->c->rack[a];
  w->centre = h->centre;
  w->axle = h->axle;
  return true;
}

/* Computes the rates of the body's state. less_gravity: m/s2, acceleration of O less gravity. */
VD_INLINE void state_rates(bool free, const vd_work *w, const double *less_gravity, const double *alpha) {
  double at_o[3];
  if (!free) {
    vd_body_rates(w, less_gravity, alpha);
    return;
  }
  for (int j = 0; j < 3; j++)
    at_o[j] = less_gravity[j] + w->gravity[j];
  vd_free_rates(w, at_o, alpha);
  for (int i = 0; i < VD_WHEELS; i++)
    w->dx[VD_S_TRAVEL + i] = w->e->motion.travel_rate[i];
}

/* Computes the moments on the angles of wheels that turn about steering axes on struts. Reads contacts, s; writes e. */
static void axis_moments(const vd_work *w, const vd_axle_spins *s) {
  const vd_contacts *k = &w->contact;
  vd_axis_wheels a;
  vd_axis_wheels_at(w->m, w->c, &a);
  vd_wide3 turn = vd_wide_cross(a.axle, a.axle_slope);
  vd_wide3 arm = vd_wide_plus(a.move_slope, vd_wide_scaled(-vd_wide_dot(a.axle_slope, k->down), a.axle));
  vd_wide_store(vd_wide_dot(k->force, arm) + vd_wide_dot(k->couple, turn) - s->momentum * vd_wide_dot(s->turning, turn),
                w->e->steering.steer_moment);
  vd_wide_store(a.about, w->e->steering.steer_spin);
}

/* Makes one evaluation. free is a constant at every call, so that the compiler leaves out the stages of the other
 * level. */
VD_INLINE bool rates(bool free, vd_work *w) {
  const vd_model *m = w->m;
  const bool elastic = m->ride.bushing.elastic_map[VD_FL] != NULL;
  vd_linkage_poses h;
  h.joined = m->ride.link.joined;
  vd_elastic_wheels displaced;
  const vd_linkage_poses *on = elastic ? &displaced.at : &h; /* poses of the tyres' discs */
  vd_travels t;
  t.has_link_bodies = m->ride.link.has_link_bodies;
  vd_axle_spins s;
  double accel[VD_L4_ALL];
  body_frame(free, w);
  if (!wheel_poses(free, w, &h))
    return false;
  if (elastic)
    vd_elastic_displace(w, &h, &displaced);
  if (free)
    vd_surface_contacts(w);
  else
    vd_road_contacts(w);
  vd_contact_cambers(w);
  vd_l4_contact_arms(w, on, &t);
  vd_tyre_loads(w, vd_guided_velocities(w, on, &t));
  if (free)
    vd_landing_slips(w);
  else
    vd_slips(w);
  if (m->turn_slip)
    vd_wheel_turn_slips(w, vd_guided_turning(w, on, &t));
  vd_drive_and_brakes(w);
  vd_guided_suspension(w, &h);
  if (free || !m->ride.bushing.compliant)
    vd_wheel_tyre_forces(w);
  else if (!vd_compliant_tyre_forces(w))
    return false;
  vd_coupled_drive(w);

  const vd_knuckle_motion motion = vd_guided_knuckles(&h);
  w->axle = h.axle;
  vd_axle_spin_reactions(w, &motion, &s);
  vd_contact_forces(w, on->axle);
  vd_outside_forces(w);
  vd_l4_travel_forces(w, &h, &s, &t);
  if (elastic)
    vd_elastic_forces(w, &h, &s, &displaced, &t);
  if (m->ride.brakes_inboard)
    vd_inboard_forces(w, &h, &t);
  vd_spin_accelerations(w, s.drift, vd_l4_accelerations(w, &h, &s, &t, accel));

  state_rates(free, w, accel, accel + 3);
  vd_guided_power(w, &h, &s, &t);
  if (free && m->steering_axes)
    axis_moments(w, &s);
  if (elastic)
    vd_elastic_power(w, &h, &s, &t, &displaced);
  if (m->ride.brakes_inboard)
    vd_inboard_power(w, &h);
  vd_other_rates(w);
  return true;
}

VD_WIDE bool vd_multibody_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode,
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
  return rates(false, &w);
}

VD_WIDE bool vd_guided_body_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode,
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
  return rates(true, &w);
}
