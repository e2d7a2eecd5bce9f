/* Stages of the wheels on the road: contact points, wheel loads, and the forces of the road and the air on the body. */
#ifndef VD_CONTACTS_H
#define VD_CONTACTS_H

#include "base/elementary.h"
#include "model/lanes.h"
#include "model/outside.h"
#include "model/road_planes.h"
#include "model/work.h"

#include <math.h>

/* Deflection over which the tyre's vertical damping grows to its full value, so that the load does not jump when a
 * wheel lands. */
static const double vd_damping_run = 0.005; /* m */

/* Cosine of the angle between disc and normal below which a wheel lies on its side: its tread does not touch the
 * road. */
static const double vd_min_cos_inclination = 0.01;

/* Computes the contacts of discs with tangent planes. n: the normals; distance: m, of the wheel centres from the
 * planes. Reads centre and axle; writes the contacts' places and axes, and contact places and deflections of e. */
VD_INLINE void vd_wheel_contacts(vd_work *w, vd_wide distance, vd_wide3 n) {
  vd_contacts *k = &w->contact;
  vd_eval *restrict e = w->e;
  vd_wide3 centre = w->centre, axle = w->axle;
  k->normal = n;
  /* direction in the disc: the normal less its component along the wheel's axle */
  vd_wide sine = vd_wide_dot(n, axle), none = 0.0 * sine;
  vd_wide cosine = vd_wide_sqrt(vd_wide_max(1.0 - sine * sine, none + vd_min_cos_inclination * vd_min_cos_inclination));
  vd_wide inverse = 1.0 / cosine, length = distance * inverse;
  vd_wide3 disc = {(n.x - sine * axle.x) * inverse, (n.y - sine * axle.y) * inverse, (n.z - sine * axle.z) * inverse};
  vd_wide3 down = k->down = (vd_wide3){-length * disc.x, -length * disc.y, -length * disc.z};
  k->aside =
      (vd_wide3){cosine * axle.x - sine * disc.x, cosine * axle.y - sine * disc.y, cosine * axle.z - sine * disc.z};
  k->ahead = vd_wide_cross(axle, disc);
  k->at = (vd_wide3){centre.x + down.x, centre.y + down.y, centre.z + down.z};
  k->cosine = cosine;
  k->sin_inclination = sine;
  vd_wide_store(cosine, e->contact.cos_inclination);
  vd_wide_store(vd_wide_load(w->m->ride.free_radius) - length, e->contact.deflection);
  vd_wide_store(k->at.x, e->contact.contact_x);
  vd_wide_store(k->at.y, e->contact.contact_y);
  vd_wide_store(k->at.z, e->contact.contact_z);
}

/* Computes the friction under the wheels, from the patches of the ground. Reads frame, contacts; writes friction of
 * e. */
VD_INLINE void vd_patch_friction(vd_work *w) {
  vd_wide3 world = vd_into_world(&w->frame, w->x, w->contact.at);
  for (int i = 0; i < VD_WHEELS; i++)
    w->e->contact.friction[i] = vd_ground_friction(&w->m->ground, world.x[i], world.y[i]);
}

/* Computes the contacts of the wheels with roads, which posts may move, at L3 and L4. Reads centre, axle, frame; writes
 * the results of vd_wheel_contacts, post_lift, and friction of e. */
VD_INLINE void vd_road_contacts(vd_work *w) {
  const vd_model *m = w->m;
  const vd_frame *f = &w->frame;
  vd_eval *restrict e = w->e;
  vd_wide3 centre = vd_into_world(f, w->x, w->centre);
  vd_wide_store(0.0 * w->axle.x + m->ground.friction, e->contact.friction);
  if (m->ride.plane && !w->c->tilted) {
    vd_wide3 normal = vd_wide3_repeat(m->ground.normal);
    vd_wheel_contacts(w, vd_wide_dot(normal, centre) - normal.z * vd_wide_load(w->c->post),
                      vd_wide3_repeat(f->plane[2]));
    w->contact.post_lift = normal.z;
  } else {
    const vd_discs discs = {centre, vd_out_of_body(f, w->axle)};
    vd_planes planes;
    if (w->c->tilted)
      vd_commanded_planes(m, w->c, &discs, &planes);
    else
      vd_road_planes(m, w->c, &discs, e->contact.friction, &planes);
    vd_wheel_contacts(w, planes.distance, vd_into_body(f, planes.normal));
    w->contact.post_lift = planes.normal.z;
  }
  if (m->patches && vd_ground_heights(&m->ground))
    vd_patch_friction(w);
  vd_command_friction(w->c, VD_WHEELS, e->contact.friction);
}

/* Computes the camber of the tyres relative to the road, from the axles' directions. If no tyre depends on the camber,
 * it is computed only for the log. Reads contacts; writes sin_inclination and camber of e. */
VD_INLINE void vd_contact_cambers(vd_work *w) {
  vd_wide_store(w->contact.sin_inclination, w->e->contact.sin_inclination);
  if (w->m->lanes.cambers)
    vd_find_cambers(w->e);
}

/* Computes the wheel loads: tyres are vertical springs with damping that cannot pull. v: velocities of the contact
 * points, as points of the knuckles. Reads contacts; writes rate and elastic force of the contacts, loads and contact
 * velocities of e. */
VD_INLINE void vd_tyre_loads(vd_work *w, vd_wide3 v) {
  const vd_ride *ride = &w->m->ride;
  vd_contacts *k = &w->contact;
  vd_eval *restrict e = w->e;
  vd_wide none = 0.0 * v.x;
  vd_wide_store(vd_wide_dot(k->ahead, v), e->contact.vx_contact);
  vd_wide_store(vd_wide_dot(k->aside, v), e->contact.vy_contact);

  vd_wide inverse = 1.0 / k->cosine, deflection = vd_wide_load(e->contact.deflection);
  k->rate = (k->post_lift * vd_wide_load(w->c->post_rate) - vd_wide_dot(k->normal, v)) * inverse;
  k->elastic = vd_wide_load(ride->tyre_stiffness) * vd_wide_max(deflection, none);
  if (ride->curved) {
    double curved[VD_WHEELS];
    vd_ride_tyre_forces(w->m, e->contact.deflection, curved);
    k->elastic = vd_wide_load(curved);
  }
  vd_wide force = k->elastic;
  if (ride->damped) {
    vd_wide share = vd_wide_min(vd_wide_max(deflection, none) * (1.0 / vd_damping_run), none + 1.0);
    force += vd_wide_load(ride->tyre_damping) * share * k->rate;
  }
  vd_wide_store(vd_wide_max(force, none) * inverse, e->tyre.load);
}

/* Computes the forces and couples of the road on the tyres. axle: spin axes of the wheels. Reads contacts, tyre forces
 * and loads of e; writes force and couple of the contacts. */
VD_INLINE void vd_contact_forces(vd_work *w, vd_wide3 axle) {
  const vd_eval *e = w->e;
  vd_contacts *k = &w->contact;
  vd_wide fx = vd_wide_load(e->tyre.fx), fy = vd_wide_load(e->tyre.fy), fz = vd_wide_load(e->tyre.load),
          my = vd_wide_load(e->tyre.my);
  vd_wide mx = vd_wide_load(e->tyre.mx), mz = vd_wide_load(e->tyre.mz);
  k->force = (vd_wide3){fx * k->ahead.x + fy * k->aside.x + fz * k->normal.x,
                        fx * k->ahead.y + fy * k->aside.y + fz * k->normal.y,
                        fx * k->ahead.z + fy * k->aside.z + fz * k->normal.z};
  k->couple =
      (vd_wide3){mx * k->ahead.x + mz * k->normal.x + my * axle.x, mx * k->ahead.y + mz * k->normal.y + my * axle.y,
                 mx * k->ahead.z + mz * k->normal.z + my * axle.z};
}

/* Computes the rise of the body above the road at its axles from the design position, due to rebound of the wheels and
 * expansion of the tyres. */
static inline void vd_axle_rises(const vd_work *w, double *rise) {
  const vd_eval *e = w->e;
  for (int a = 0; a < VD_AXLES; a++) {
    int left = vd_left_wheel(a), right = vd_right_wheel(a);
    double spread = w->m->ride.free_radius[left] - w->m->vehicle.axle[a].loaded_radius;
    double other = w->m->ride.free_radius[right] - w->m->vehicle.axle[a].loaded_radius;
    rise[a] = 0.5 * ((spread - e->contact.deflection[left] - e->motion.travel[left]) +
                     (other - e->contact.deflection[right] - e->motion.travel[right]));
  }
}

/* Computes the forces of moving air, and forces from outside. Air forces act in the ground plane of the design position
 * at half the wheelbase, downforces at the axles. */
static void vd_outside_in_space(const vd_work *w, vd_outside *out) {
  const vd_model *m = w->m;
  const vd_frame *f = &w->frame;
  const double *u = f->u, *turn = f->w, *up = f->to_world[2];
  double wind[2], air_speed[2], rise[VD_AXLES], ground = -m->vehicle.cg_height;
  double front = m->vehicle.masses.to_axle[VD_FRONT], rear = m->vehicle.masses.to_axle[VD_REAR];
  vd_air air;
  vd_push push[VD_PUSHES];
  vd_wind_at(m, w->c, w->x[VD_S_ALONG], wind);
  for (int j = 0; j < 2; j++)
    air_speed[j] = u[j] - f->to_world[0][j] * wind[0] - f->to_world[1][j] * wind[1];
  vd_axle_rises(w, rise);
  vd_air_at(m, air_speed[0], air_speed[1], rise, &air);
  w->e->outside.drag = air.drag;
  for (int a = 0; a < VD_AXLES; a++)
    w->e->outside.downforce[a] = air.downforce[a];
  const double along[3] = {-air.drag, air.side, 0.0}, middle[3] = {0.5 * (front - rear), 0.0, ground};
  const double lift[VD_AXLES][3] = {{0.0, 0.0, -air.downforce[VD_FRONT]}, {0.0, 0.0, -air.downforce[VD_REAR]}};
  const double axle[VD_AXLES][3] = {{front, 0.0, ground}, {-rear, 0.0, ground}};
  out->air_power =
      vd_add_push(u, turn, along, middle, out->force, out->moment) + air.roll * turn[0] + air.turn * turn[2];
  for (int a = 0; a < VD_AXLES; a++)
    out->air_power += vd_add_push(u, turn, lift[a], axle[a], out->force, out->moment);
  out->moment[0] += air.roll;
  out->moment[2] += air.turn;
  vd_pushes(m, w->c, push);
  double level[3][3], scale = 1.0 / sqrt(vd_max(1.0 - up[0] * up[0], 1e-12));
  for (int j = 0; j < 3; j++) {
    level[2][j] = up[j];
    level[0][j] = ((j == 0 ? 1.0 : 0.0) - up[0] * up[j]) * scale;
  }
  vd_cross(level[2], level[0], level[1]);
  out->push_power = 0.0;
  for (int k = 0; k < VD_PUSHES; k++) {
    double force[3], at[3] = {push[k].at[0], push[k].at[1], push[k].at[2] + ground};
    for (int j = 0; j < 3; j++)
      force[j] = m->options.push_level && k == 0
                     ? level[0][j] * push[k].force[0] + level[1][j] * push[k].force[1] + level[2][j] * push[k].force[2]
                     : push[k].force[j];
    out->push_power += vd_add_push(u, turn, force, at, out->force, out->moment);
  }
  for (int k = 0; k < 3; k++) { /* the moment from outside, from its own axes to the body's */
    const double *moment = w->c->push_moment;
    double axis =
        m->options.push_level ? level[0][k] * moment[0] + level[1][k] * moment[1] + level[2][k] * moment[2] : moment[k];
    out->moment[k] += axis;
    out->push_power += axis * turn[k];
  }
  if (w->c->prescribed) {
    out->push_power += vd_dot(w->c->constraint_force, u) + vd_dot(w->c->constraint_moment, turn);
    for (int j = 0; j < 3; j++) {
      out->force[j] += w->c->constraint_force[j];
      out->moment[j] += w->c->constraint_moment[j];
    }
  }
}

/* Computes the forces of still air. They act in the ground plane of the design position, to which their coefficients
 * refer. The dynamic pressure has no sign: when the car moves backwards, only the drag changes its direction. Reads
 * frame; writes drag and downforces of e, adds to `out`. */
VD_INLINE void vd_air_forces(const vd_work *w, vd_outside *out) {
  const vd_model *m = w->m;
  if (m->outside) {
    vd_outside_in_space(w, out);
    return;
  }
  vd_eval *e = w->e;
  double forward = w->frame.u[0], q = forward * forward, height = m->vehicle.cg_height;
  double front = m->vehicle.masses.to_axle[VD_FRONT], rear = m->vehicle.masses.to_axle[VD_REAR];
  e->outside.drag = m->air.drag * copysign(q, forward);
  for (int a = 0; a < VD_AXLES; a++)
    e->outside.downforce[a] = m->air.downforce[a] * q;
  out->force[0] = out->force[0] - e->outside.drag;
  out->force[2] = out->force[2] - (e->outside.downforce[VD_FRONT] + e->outside.downforce[VD_REAR]);
  out->moment[1] = out->moment[1] + height * e->outside.drag + front * e->outside.downforce[VD_FRONT] -
                   rear * e->outside.downforce[VD_REAR];
}

/* Adds up all external forces on the car at L3 and L4 and, if `lean` is off, the couple that cancels the moment of the
 * leaning body's weight. Reads frame, contacts with their forces; writes outside. */
VD_INLINE void vd_outside_forces(vd_work *w) {
  const vd_ride *ride = &w->m->ride;
  const vd_contacts *k = &w->contact;
  vd_outside *out = &w->outside;
  vd_wide3 force = k->force, couple = k->couple, moment = vd_wide_cross(k->at, force);
  vd_wide forces = vd_wide_sums(force.x, force.y, force.z, k->normal.x);
  vd_wide moments = vd_wide_sums(moment.x + couple.x, moment.y + couple.y, moment.z + couple.z, k->normal.y);
  double lean[2] = {-0.25 * ride->lean_roll * moments[3], 0.25 * ride->lean_pitch * forces[3]};
  out->lean_power = lean[0] * w->frame.w[0] + lean[1] * w->frame.w[1];
  out->force[0] = forces[0];
  out->force[1] = forces[1];
  out->force[2] = forces[2];
  out->moment[0] = moments[0] + lean[0];
  out->moment[1] = moments[1] + lean[1];
  out->moment[2] = moments[2];
  vd_air_forces(w, out);
}

#endif
