#include "model/space.h"

#include "base/elementary.h"

#include <math.h>

void vd_quaternion(double yaw, double pitch, double roll, double *q) {
  double cy = vd_cos(0.5 * yaw), sy = vd_sin(0.5 * yaw), cp = vd_cos(0.5 * pitch), sp = vd_sin(0.5 * pitch);
  double cr = vd_cos(0.5 * roll), sr = vd_sin(0.5 * roll);
  q[0] = cy * cp * cr + sy * sp * sr;
  q[1] = cy * cp * sr - sy * sp * cr;
  q[2] = cy * sp * cr + sy * cp * sr;
  q[3] = sy * cp * cr - cy * sp * sr;
}

void vd_show_attitude(const vd_frame *f, double *roll, double *pitch, double *yaw) {
  const double(*a)[3] = f->to_world;
  *pitch = vd_asin(vd_max(-1.0, vd_min(1.0, -a[2][0])));
  *roll = vd_atan2(a[2][1], a[2][2]);
  *yaw += remainder(vd_atan2(a[1][0], a[0][0]) - *yaw, 2.0 * VD_PI);
}

void vd_add_mass_point(double mass, const double *at, const double *speed, vd_eval *e, vd_mass_sums *sums) {
  double arm[3];
  vd_cross(at, speed, arm);
  e->log.energy_kinetic += 0.5 * mass * vd_dot(speed, speed);
  for (int j = 0; j < 3; j++) {
    sums->moment[j] += mass * at[j];
    sums->momentum[j] += mass * speed[j];
    sums->angular[j] += mass * arm[j];
  }
}

void vd_sprung_energy(const vd_model *m, const vd_frame *f, vd_eval *e, vd_mass_sums *sums) {
  const vd_ride *ride = &m->ride;
  const double *w = f->w, at[3] = {ride->sprung_x, ride->sprung_y, ride->sprung_z}, *p = ride->product;
  double v[3];
  vd_cross(w, at, v);
  for (int j = 0; j < 3; j++) {
    v[j] += f->u[j];
    sums->moment[j] = ride->sprung_mass * at[j];
    sums->momentum[j] = ride->sprung_mass * v[j];
    sums->angular[j] = 0.0;
  }
  e->log.energy_kinetic =
      0.5 * (ride->sprung_mass * vd_dot(v, v) + ride->inertia_x * w[0] * w[0] + ride->inertia_y * w[1] * w[1] +
             ride->inertia_z * w[2] * w[2]) -
      (p[VD_PRODUCT_XY] * w[0] * w[1] + p[VD_PRODUCT_XZ] * w[0] * w[2] + p[VD_PRODUCT_YZ] * w[1] * w[2]);
}

/* Computes the directions forward and to the left from the contact points of opposite wheels; world axes. */
static void between_contacts(const vd_eval *e, double *ahead, double *aside) {
  const double *place[3] = {e->contact.contact_x, e->contact.contact_y, e->contact.contact_z};
  for (int j = 0; j < 3; j++) {
    const double *p = place[j];
    ahead[j] = 0.5 * (p[VD_FL] + p[VD_FR]) - 0.5 * (p[VD_RL] + p[VD_RR]);
    aside[j] = 0.5 * (p[VD_FL] + p[VD_RL] - p[VD_FR] - p[VD_RR]);
  }
}

/* Computes the normal of the plane through the contact points, a unit vector in the body's axes. */
static void contact_normal(const vd_frame *f, const vd_eval *e, double *in_body) {
  double ahead[3], aside[3], normal[3];
  between_contacts(e, ahead, aside);
  vd_cross(ahead, aside, normal);
  double scale = 1.0 / vd_norm(normal);
  for (int j = 0; j < 3; j++)
    in_body[j] =
        scale * (normal[0] * f->to_world[0][j] + normal[1] * f->to_world[1][j] + normal[2] * f->to_world[2][j]);
}

void vd_observe_place(const vd_state_vector *s, vd_eval *e) {
  e->log.x = s->x[VD_S_ALONG];
  e->log.y = s->x[VD_S_ACROSS];
  e->log.z = s->x[VD_S_HEIGHT];
  e->log.yaw = s->x[VD_S_YAW];
  e->log.pitch = s->x[VD_S_PITCH];
  e->log.roll = s->x[VD_S_ROLL];
}

void vd_observe_lean(const vd_frame *f, const vd_state_vector *s, vd_eval *e) {
  double in_body[3];
  vd_wide3 contact = {vd_wide_load(e->contact.contact_x), vd_wide_load(e->contact.contact_y),
                      vd_wide_load(e->contact.contact_z)};
  contact = vd_into_world(f, s->x, contact);
  vd_wide_store(contact.x, e->contact.contact_x);
  vd_wide_store(contact.y, e->contact.contact_y);
  vd_wide_store(contact.z, e->contact.contact_z);
  contact_normal(f, e, in_body);
  e->log.body_roll = vd_asin(vd_max(-1.0, vd_min(1.0, in_body[1])));
  e->log.body_pitch = -vd_asin(vd_max(-1.0, vd_min(1.0, in_body[0])));
}

void vd_observe_wheels(const vd_frame *f, const vd_state_vector *s, vd_eval *e) {
  vd_wide3 centre = vd_wide3_load(e->log.wheel[0]), axle = vd_wide3_load(e->log.axle[0]);
  vd_show_wheels(vd_into_world(f, s->x, centre), vd_out_of_body(f, axle), e);
}

/* Computes the displacement of the centre of gravity along and across the plane of the contact points, relative to the
 * point below it at design load. */
static void displacement(const vd_model *m, vd_eval *e) {
  const double *place[3] = {e->contact.contact_x, e->contact.contact_y, e->contact.contact_z};
  double ahead[3], aside[3], normal[3], off[3], share = m->vehicle.masses.to_axle[VD_REAR] / m->vehicle.wheelbase;
  between_contacts(e, ahead, aside);
  vd_cross(ahead, aside, normal);
  vd_cross(normal, ahead, aside);
  for (int j = 0; j < 3; j++) {
    const double *p = place[j];
    double front = 0.5 * (p[VD_FL] + p[VD_FR]), rear = 0.5 * (p[VD_RL] + p[VD_RR]);
    off[j] = e->log.cg[j] - share * front - (1.0 - share) * rear;
  }
  e->log.ex = vd_dot(off, ahead) / vd_norm(ahead);
  e->log.ey = -vd_dot(off, aside) / vd_norm(aside);
}

/* Observes accelerations and rates in the body's axes, and in those of the plane through the contact points. */
static void observe_axes(const vd_frame *f, const double *gravity, vd_eval *e) {
  const double a[] = {e->body.ax, e->body.ay, e->body.az};
  double axis[3][3];
  for (int j = 0; j < 3; j++) {
    e->log.gyro[j] = f->w[j];
    e->log.body_a[j] = f->plane[0][j] * a[0] + f->plane[1][j] * a[1] + f->plane[2][j] * a[2];
    e->log.accelerometer[j] = e->log.body_a[j] - gravity[j];
  }
  contact_normal(f, e, axis[2]);
  const double forward[] = {1.0, 0.0, 0.0};
  vd_cross(axis[2], forward, axis[1]);
  double across = 1.0 / vd_norm(axis[1]);
  for (int j = 0; j < 3; j++)
    axis[1][j] *= across;
  vd_cross(axis[1], axis[2], axis[0]);
  for (int k = 0; k < 3; k++) {
    e->log.road_rate[k] = vd_dot(axis[k], f->w);
    e->log.road_a[k] = vd_dot(axis[k], e->log.body_a);
  }
}

/* Computes the camber with the sign conventions of both sides of the car. */
static void observe_cambers(const vd_model *m, vd_eval *e) {
  for (int i = 0; i < VD_WHEELS; i++) {
    double side = -vd_side_sign(i);
    e->log.outward[i] = side * e->contact.camber[i];
    e->log.compliance_outward[i] = m->options.level == VD_L4 ? side * e->suspension.compliance_camber[i] : 0.0;
  }
}

void vd_observe_masses(const vd_model *m, const vd_frame *f, const vd_mass_sums *sums, vd_eval *e) {
  double gravity[3], centre[3], velocity[3], carried[3], turning[3];
  for (int j = 0; j < 3; j++) {
    centre[j] = sums->moment[j] / m->vehicle.masses.total;
    velocity[j] = sums->momentum[j] / m->vehicle.masses.total;
  }
  vd_cross(centre, sums->momentum, carried);
  vd_between(carried, sums->angular, turning);
  vd_quaternion(e->log.yaw, e->log.pitch, e->log.roll, e->log.quaternion);
  vd_frame_gravity(f, gravity);
  e->log.specific_x = e->body.ax - vd_dot(f->plane[0], gravity);
  e->log.specific_y = e->body.ay - vd_dot(f->plane[1], gravity);
  e->log.specific_z = e->body.az - vd_dot(f->plane[2], gravity);
  observe_axes(f, gravity, e);
  observe_cambers(m, e);
  const double origin[] = {e->log.x, e->log.y, e->log.z};
  for (int j = 0; j < 3; j++) {
    e->log.cg[j] = origin[j] + vd_dot(f->to_world[j], centre);
    e->log.cg_speed[j] = vd_dot(f->to_world[j], velocity);
    e->log.angular_momentum[j] = vd_dot(f->to_world[j], turning);
  }
  e->log.energy_gravity = m->vehicle.masses.total * VD_GRAVITY * (e->log.z + vd_dot(f->to_world[2], centre));
  displacement(m, e);
}
