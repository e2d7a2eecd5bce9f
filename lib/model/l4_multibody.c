/* L4, the hardpoint multibody car: the free body of L3, each wheel on its own linkage.
 *
 * Coordinates are as at L3: the body, a travel z of each wheel centre along the body's z, a spin of each wheel
 * relative to its knuckle. The travel is the independent coordinate of each linkage, and all others follow from it
 * and the rack (coordinate partition; linkage_map.h): the constraints hold to rounding error and need no
 * stabilisation. With c the wheel centre, a its axle, p the knuckle's turn about it per travel, ' the derivative by
 * travel, all functions of travel and rack r in body axes:
 *
 *   knuckle's own turning      w_z = a x a' + p a per travel,  w_r = a x da/dr per rack
 *   contact point P = c + d    dP/dz = c' + w_z x d = c' - a (a' . d) + p (a x d),   dP/dr = dc/dr - a (da/dr . d)
 *   wheel's spin               O_abs = O + w . a + p z',   momentum H = I O_abs along a,
 *                              which turns at t = w x a + a' z' + da/dr r'
 *
 * (a . d = 0). A turn of the knuckle about the axle that steering brings about counts to the wheel's spin. By
 * d'Alembert's principle every force enters every coordinate through the arm by which that coordinate enters the
 * point's velocity:
 *
 *   travel   m q . (A + alpha x s + q z'' + k) = F . dP/dz + M . w_z - F_spring dl/dz - F_damper dl/dz - bar
 *                                                + p T_drive - dH/dt . w_z
 *
 * s the place of the unsprung mass, a point that goes with the wheel centre of the middle rack (steering does not
 * move it), q = ds/dz, k what its acceleration has besides; A and alpha the body's accelerations, less gravity. A
 * free wheel's dH/dt along a is the sum T_drive + T of its torques, which leaves -p T, T of tyre and slipping brake:
 * the drive torque comes from the body through a shaft, the brake's from the knuckle. A locked wheel turns with its
 * knuckle and adds I p^2 to the travel's mass. Anti-dive and -squat, jacking, roll-centre migration and bump steer
 * are in these arms; there are no factors for them. Solved for z'', the travels leave six equations for the body.
 *
 * Springs, dampers and stops are as at L3, taken along the real springs and dampers: their travel is the element's
 * shortening over its motion ratio at design, so that load and rate at design equal those of L3 and everything else
 * is geometry. The bar couples the travels. Wheels that move with the rack do work on it (work_steering). */
#include "model/contacts.h"
#include "model/elastic.h"
#include "model/guided_wheels.h"
#include "model/l4_compliance.h"
#include "model/model_impl.h"
#include "model/state_rates.h"

VD_INLINE void body_frame(vd_work *w) {
  double unused[2] = {0.0, 0.0};
  vd_frame_from_angles(w->m, w->x, unused, &w->frame);
}

/* Wheels on their linkages. False: a linkage did not close. */
VD_INLINE bool wheel_poses(vd_work *w, vd_linkage_poses *h) {
  vd_linkage_racks(w->c, h);
  for (int a = 0; a < VD_AXLES; a++)
    w->e->steering.rack[a] = h->rack[a];
  if (!vd_linkage_poses_at(w->m, w->x + VD_S_TRAVEL, w->x + VD_S_TRAVEL_RATE, h))
    return false;
  w->centre = h->centre;
  w->axle = h->axle;
  return true;
}

VD_WIDE bool vd_multibody_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode,
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
  body_frame(&w);
  vd_body_motion(&w);
  if (!wheel_poses(&w, &h))
    return false;
  if (elastic)
    vd_elastic_displace(&w, &h, &displaced);
  vd_road_contacts(&w);
  vd_contact_cambers(&w);
  vd_l4_contact_arms(&w, on, &t);
  vd_tyre_loads(&w, vd_guided_velocities(&w, on, &t));
  vd_slips(&w);
  if (m->turn_slip)
    vd_wheel_turn_slips(&w, vd_guided_turning(&w, on, &t));
  vd_drive_and_brakes(&w);
  vd_guided_suspension(&w, &h);
  if (!m->ride.bushing.compliant)
    vd_wheel_tyre_forces(&w);
  else if (!vd_compliant_tyre_forces(&w))
    return false;
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

  vd_body_rates(&w, accel, accel + 3);
  vd_guided_power(&w, &h, &s, &t);
  if (elastic)
    vd_elastic_power(&w, &h, &s, &t, &displaced);
  if (m->ride.brakes_inboard)
    vd_inboard_power(&w, &h);
  vd_other_rates(&w);
  return true;
}
