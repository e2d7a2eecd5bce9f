/* L5 with rigid links: the free body of l5_free_body.c, each wheel constrained to its path.
 *
 * Coordinates. The body as there; for each wheel the travel z along the body's z and the spin. Its mass m is a point
 * at p(z) in body axes, on the line of a strut, p = (x, y, z_design + z), or on the path of a linkage at the middle
 * rack. Steering does not move it. With u, w the velocities of the body in body axes, ' the derivative by the travel
 * and a dot the derivative by time, its velocity and its acceleration less gravity are
 *
 *   v = u + w x p + p' z.
 *   a = A + alpha x p + p' z.. + k,   k = w x (w x p) + 2 w x p' z. + p'' z.^2,   A = u. + w x u - g
 *
 * The knuckle turns at w + w_z z. + w_s by body, travel and steering, and the wheel about its axle a with the momentum
 * H = I (O + w . a + p_a z.) along a, p_a = w_z . a. The contact point P is a point of the knuckle.
 *
 * Equations, by virtual power. A virtual velocity (du, dw, dz.) moves the mass by du + dw x p + p' dz., the contact
 * point by du + dw x P + dP/dz dz., the knuckle by dw + w_z dz.. The force of the path on the mass is normal to p' and
 * does no work, so it appears nowhere. What is left for each of the eleven velocities:
 *
 *   z     m p' . a = F . dP/dz + M . w_z - spring - damper - bar + p_a T_drive - dH/dt . w_z
 *   u     m_s a_s + sum(m a) = sum(F) + air
 *   w     I alpha + w x I w + s x m_s a_s + sum(p x m a) = sum(P x F + M - dH/dt) + air
 *
 * m_s, s, I: mass, centre and inertia of the body; a_s = A + alpha x s + w x (w x s). Each travel occurs in its own
 * equation and in those of the body alone: the mass matrix is an arrow, with m p' . p' on its shaft (plus I p_a^2 of a
 * locked wheel, which turns with its knuckle) and the columns b = (m p', p x m p' + I p_a a) to the body. Eliminating
 * the travels leaves six equations, B - sum(b b'/(m p' . p')), which are symmetric and positive definite: they are the
 * body's and, across its path, each wheel's. All of this is L4's (l4_equations.h), for nothing there is small; here the
 * attitude is a quaternion, the ground any surface, and a strut is a linkage whose path is straight.
 *
 * It is the limit of stiff links as their stiffness k grows: across the path a stiff link yields by the path's force
 * over k and stores its square over 2 k, both of the order of 1/k. */
#include "model/elastic.h"
#include "model/guided_wheels.h"
#include "model/l5_stages.h"
#include "model/model_impl.h"

/* Finds the poses of the wheels. False: a linkage did not close. */
VD_INLINE bool wheel_poses(vd_work *w, vd_linkage_poses *h) {
  if (!vd_guided_poses(w->m, w->c, w->x, h))
    return false;
  for (int a = 0; a < VD_AXLES; a++)
    w->e->steering.rack[a] = w->c->rack[a];
  w->centre = h->centre;
  w->axle = h->axle;
  return true;
}

/* less_gravity: m/s2, acceleration of O. */
VD_INLINE void state_rates(const vd_work *w, const double *less_gravity, const double *alpha) {
  double at_o[3];
  for (int j = 0; j < 3; j++)
    at_o[j] = less_gravity[j] + w->gravity[j];
  vd_free_rates(w, at_o, alpha);
  for (int i = 0; i < VD_WHEELS; i++)
    w->dx[VD_S_TRAVEL + i] = w->e->motion.travel_rate[i];
}

/* Adds the moments on the angles of wheels that turn about steering axes on struts. Reads contacts, `s`; writes e. */
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

VD_WIDE bool vd_guided_body_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                                  vd_eval *restrict e, double *dx) {
  const bool elastic = m->ride.bushing.elastic_map[VD_FL] != NULL;
  vd_train train;
  vd_work w;
  w.m = m;
  w.c = c;
  w.x = x;
  w.mode = mode;
  w.e = e;
  w.dx = dx;
  w.train = &train;
  vd_linkage_poses h;
  h.joined = m->ride.link.joined;
  vd_elastic_wheels displaced;
  const vd_linkage_poses *on = elastic ? &displaced.at : &h; /* poses of the tyres' discs */
  vd_travels t;
  t.has_link_bodies = m->ride.link.has_link_bodies;
  vd_axle_spins s;
  double accel[VD_L4_ALL];
  vd_frame_from_quaternion(x, &w.frame);
  vd_body_motion(&w);
  if (!wheel_poses(&w, &h))
    return false;
  if (elastic)
    vd_elastic_displace(&w, &h, &displaced);
  vd_surface_contacts(&w);
  vd_contact_cambers(&w);
  vd_l4_contact_arms(&w, on, &t);
  vd_tyre_loads(&w, vd_guided_velocities(&w, on, &t));
  vd_landing_slips(&w);
  if (m->turn_slip)
    vd_wheel_turn_slips(&w, vd_guided_turning(&w, on, &t));
  vd_drive_and_brakes(&w);
  vd_guided_suspension(&w, &h);
  vd_wheel_tyre_forces(&w);
  vd_coupled_drive(&w);

  const vd_knuckle_motion motion = vd_guided_knuckles(&h);
  w.axle = h.axle;
  vd_axle_spin_reactions(&w, &motion, &s);
  vd_contact_forces(&w, on->axle);
  vd_outside_forces(&w);
  vd_l4_travel_forces(&w, &h, &s, &t);
  if (elastic)
    vd_elastic_forces(&w, &h, &s, &displaced, &t);
  if (m->ride.brakes_inboard)
    vd_inboard_forces(&w, &h, &t);
  vd_axle_spin_accelerations(&w, &s, vd_l4_accelerations(&w, &h, &s, &t, accel));

  state_rates(&w, accel, accel + 3);
  vd_guided_power(&w, &h, &s, &t);
  if (m->steering_axes)
    axis_moments(&w, &s);
  if (elastic)
    vd_elastic_power(&w, &h, &s, &t, &displaced);
  if (m->ride.brakes_inboard)
    vd_inboard_power(&w, &h);
  vd_other_rates(&w);
  return true;
}
