/* L3, fourteen degrees of freedom: a free sprung body, four unsprung masses, four wheel spins, in one state.
 *
 * Coordinates. The body has the world position of its reference point O (the place of the whole centre of gravity at design
 * load), yaw, pitch and roll (ISO 8855: about z, y, x in turn), and velocities u, w in body axes. Each wheel has a travel s from
 * the design position along the body's z, bump > 0, and a spin relative to its knuckle. Nothing is small: the car may stand on any
 * slope, fall, and land; it must not lie on its side, where nothing but tyres would touch the road and pitch may pass a right angle.
 *
 * Kinematics of the links, by axle. Against the body the two wheels move as if a beam held them that slides along the body's z by
 * the mean travel and turns by -f, f = (s_right - s_left)/track, about the roll centre at height h_rc: upright on the road as far as
 * the tyres let them, whatever the body does. So lateral forces reach the body at the roll centre, load the springs with the
 * sprung mass alone and do not jack it up. Contact points also move by e s forward; e is the anti-dive or anti-lift slope. The
 * contact point is that of a thin disc in the wheel's plane: wheel centre - d e, e the road normal projected into that plane.
 * Spins turn about axles fixed in the body, so that their reactions reach the springs.
 *
 * Equations, by virtual work. With the velocity of each point a linear function of the rates of the coordinates, every force enters
 * every coordinate through the same arm by which that coordinate enters the point's velocity. In the coordinates s (mean) and f of
 * an axle, with Y, Z the places of the masses m and of the contacts from the roll centre, sums over both wheels:
 *
 *   sum(m a_z) = Q_s = sum(F_z + W),            sum(m (Z a_y - Y a_z)) = Q_f = sum(Z F_y - Y F_z) + track/2 (W_r - W_l)
 *   W = e F_x + (e_drive - e) T/R - spring - damper - bar
 *
 * and for the whole car  sum(m a) = F,  I w' + w x I w + sum(r x m a) = sum(r_contact x F) + M - sum(d/dt spin momentum).
 * Gravity is uniform, so all accelerations are taken less gravity, and it appears nowhere else. Solved for s'' and f'', the masses
 * of an axle act on the body as a lateral mass 2 m/(1 + (2 Zm/track)^2) at the roll centre, Zm their mean height over it, and by
 * Q_s and Q_f; what is left is a symmetric 3 x 3 system for the angular acceleration.
 *
 * Springs, dampers and stops are in suspension.h. Tyres are vertical springs between the disc and the road's tangent plane, with
 * damping, that cannot pull: F (n . e) = k d + c d'. */
#include "model/fourteen_body.h"

/* --- where things are --- */

/* The beam's own turn gains camber on top. */
VD_INLINE void cambers(const vd_model *m, const vd_contacts *k, vd_wide turned, vd_eval *restrict e) {
  vd_lean_cambers(k, e);
  for (int i = 0; i < VD_WHEELS; i++)
    e->camber[i] += m->ride.camber_gain[i / 2] * asin(turned[i]);
}

/* The discs of the wheels on their roads. */
VD_INLINE void touch(const vd_model *m, const vd_command *c, const vd_frame *f, const double *x, const vd_beams *b,
                     vd_eval *restrict e, vd_contacts *k, vd_wide3 *swept) {
  const vd_ride *ride = &m->ride;
  vd_wide cosine = vd_wide_load(c->cos_angle), sine = vd_wide_load(c->sin_angle);
  vd_wide3 centre;
  centre.x = vd_wide_load(m->lanes.x) + vd_wide_load(ride->brake_slope) * vd_wide_load(x + VD_S_TRAVEL);
  vd_on_beams(b, vd_wide_load(m->lanes.y), vd_wide_load(ride->wheel_above), &centre.y, &centre.z);
  centre.z += b->centre_z;
  vd_wide3 axle = {-sine, cosine * b->cosine, -cosine * b->sine}, pivot = {0.0 * sine, b->sine, b->cosine};
  vd_touch(m, c, f, x, centre, axle, e, k);
  *swept = vd_wide_cross(pivot, k->down);
  if (m->lanes.cambers)
    cambers(m, k, b->sine, e);
}

/* Velocities of the contact points, as points of the knuckles, and the loads. */
VD_INLINE void press(const vd_model *m, const vd_command *c, const vd_frame *f, const double *x, const vd_beams *b,
                     vd_wide3 swept, vd_eval *restrict e, vd_contacts *k) {
  vd_wide rate = vd_wide_load(c->angle_rate);
  vd_wide3 v = vd_wide_cross(vd_wide_all(f->w), k->at);
  v.x += f->u[0] + vd_wide_load(m->ride.brake_slope) * vd_wide_load(x + VD_S_TRAVEL_RATE) + rate * swept.x;
  v.y += f->u[1] + b->turn * (k->at.z - b->centre_z) + rate * swept.y;
  v.z += f->u[2] + b->rise - b->turn * k->at.y + rate * swept.z;
  vd_press(m, c, v, e, k);
}

/* --- forces --- */

VD_INLINE void suspension_forces(const vd_model *m, vd_eval *restrict e) {
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_suspension *s = &m->ride.suspension[i / 2];
    double across = e->travel[i] - e->travel[i ^ 1];
    e->spring_force[i] = vd_suspension_spring(s, e->travel[i]) + m->ride.bar[i / 2] * across;
    e->damper_force[i] = vd_suspension_damper(s, e->travel_rate[i]);
  }
}

/* --- ledger --- */

/* Power of each kind of work, term by term of the equations. drive: N m, as it acted on the links. */
VD_INLINE void ledger(const vd_model *m, const vd_command *c, const double *x, const double *mode, const vd_frame *f,
                      const vd_contacts *k, vd_wide3 swept, const vd_spin_work *s, const double *drive, double outside,
                      const vd_eval *restrict e, double *dx) {
  vd_wide torque = vd_wide_load(drive), omega = vd_wide_load(e->omega), load = vd_wide_load(e->load);
  vd_wide rate = vd_wide_load(e->travel_rate), steer = vd_wide_load(c->angle_rate), my = vd_wide_load(e->my);
  vd_wide3 w = vd_wide_all(f->w);
  vd_wide tyre = vd_wide_load(e->fx) * (vd_wide_load(e->vx_contact) - vd_wide_load(m->lanes.radius) * omega) +
                 vd_wide_load(e->fy) * vd_wide_load(e->vy_contact) + vd_wide_load(e->mz) * vd_wide_dot(k->normal, w) +
                 vd_wide_load(e->mx) * vd_wide_dot(k->ahead, w);
  vd_wide first = vd_wide_sums(torque * omega, vd_wide_load(mode) * vd_wide_load(e->brake_capacity) * omega, tyre,
                               my * (omega + s->axle_rate));
  vd_wide second = vd_wide_sums(vd_wide_load(e->damper_force) * rate, (k->elastic - load * k->cosine) * k->rate,
                                steer * (s->momentum * s->along - vd_wide_dot(k->force, swept)),
                                load * k->post_lift * vd_wide_load(c->post_rate));
  dx[VD_S_WORK_DRIVE] = first[0];
  dx[VD_S_WORK_BRAKE] = -first[1];
  dx[VD_S_WORK_TYRE] = first[2];
  dx[VD_S_WORK_ROLLING] = first[3];
  dx[VD_S_WORK_SUSPENSION] = -second[0];
  dx[VD_S_WORK_TYRE_VERTICAL] = second[1];
  dx[VD_S_WORK_STEERING] = second[2];
  dx[VD_S_WORK_OUTSIDE] = second[3] + outside;
  dx[VD_S_WORK_AERO] = vd_air_power(m, f, e);
  if (m->coupled)
    vd_train_ledger(m, &s->train, x, e, dx);
  dx[VD_S_WORK_DRIVE] += vd_wide_sum(torque * vd_wide_load(m->ride.drive_slope) * rate);
}

/* --- all of it --- */

VD_WIDE bool vd_fourteen_dof_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode,
                                   vd_eval *restrict e, double *dx) {
  vd_frame f;
  vd_beams b;
  vd_contacts k;
  vd_spin_work s;
  vd_axle_work axles;
  vd_body_work body;
  vd_wide3 swept;
  vd_outside out;
  double beam_sine[VD_AXLES], gravity[3], accel[3], alpha[3], drive[VD_WHEELS];
  vd_make_frame(m, x, beam_sine, &f);
  vd_make_beams(m, x, beam_sine, &b);
  vd_read_state(&f, x, e);
  for (int j = 0; j < 3; j++)
    gravity[j] = -VD_GRAVITY * f.to_world[2][j];
  touch(m, c, &f, x, &b, e, &k, &swept);
  press(m, c, &f, x, &b, swept, e, &k);
  vd_slope_pull(gravity, &k, e);
  if (m->transient)
    vd_lane_transient_slips(VD_WHEELS, m, x, e);
  else
    vd_lane_steady_slips(VD_WHEELS, m, e);
  vd_lane_torques(VD_WHEELS, m, c, x, mode, e, &dx[VD_S_SPEED_HOLD]);
  if (m->vehicle.brakes.load_dependent)
    vd_lane_share_by_load(VD_WHEELS, m, x, e);
  suspension_forces(m, e);
  if (m->ride.held)
    vd_no_friction(e);
  else
    vd_tyres(m, x, e);
  if (m->lengths_by_load)
    vd_lane_rates_at_loads(VD_WHEELS, m, x, e);
  if (m->coupled)
    vd_coupled_drive(m, c, x, mode, e, &s.train);
  for (int i = 0; i < VD_WHEELS; i++)
    drive[i] = e->drive_torque[i];

  vd_spin_reactions(m, c, mode, &f, e, &s);
  vd_wide3 spin_axle = {-vd_wide_load(c->sin_angle), vd_wide_load(c->cos_angle), 0.0 * vd_wide_load(c->sin_angle)};
  vd_external(m, spin_axle, &f, &k, e, &out);
  vd_axle_forces(m, e, &k.at, &k.force, &b, &axles);
  vd_solve_body(m, &f, &b, &s, &out, gravity, &axles, &body, accel, alpha);
  vd_finish_spins(m, c, mode, alpha, &s, e);
  vd_travel_rates(m, accel, alpha, &b, &axles, dx);

  vd_body_rates(m, &f, gravity, accel, alpha, e, dx);
  ledger(m, c, x, mode, &f, &k, swept, &s, drive, out.lean_power, e, dx);
  vd_other_rates(m, c, x, e, dx);
  return true;
}
