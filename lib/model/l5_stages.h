/* L5: stages that wheels on rigid links, on stiff links and on hubs share. */
#ifndef VD_L5_STAGES_H
#define VD_L5_STAGES_H

#include "model/contacts.h"
#include "model/l5_wheels.h"
#include "model/state_rates.h"
#include "model/tyre_forces.h"

#include <math.h>

/* Finds the contacts with planes, with roads from outside, with the surfaces, or with the surfaces' tangent planes at
 * the beginning of the step. Reads centre, axle, frame; writes the results of vd_wheel_contacts, post_lift, and
 * friction of e. */
VD_INLINE void vd_surface_contacts(vd_work *w) {
  const vd_model *m = w->m;
  const vd_frame *f = &w->frame;
  const double *mode = w->mode;
  vd_eval *restrict e = w->e;
  const vd_discs discs = {vd_into_world(f, w->x, w->centre), vd_out_of_body(f, w->axle)};
  vd_planes planes;
  if (w->c->roads) {
    vd_commanded_planes(m, w->c, &discs, &planes);
    vd_wide_store(0.0 * planes.distance + m->ground.friction, e->contact.friction);
  } else if (m->ride.plane && !m->patches && !m->options.frozen_contact) {
    planes.normal = vd_wide3_repeat(m->ground.normal);
    planes.distance = vd_wide_dot(planes.normal, discs.centre);
    vd_wide_store(0.0 * planes.distance + m->ground.friction, e->contact.friction);
  } else if (m->options.frozen_contact) {
    planes.normal = vd_wide3_load(mode + VD_M_PLANE);
    planes.distance = vd_wide_dot(planes.normal, discs.centre) - vd_wide_load(mode + VD_M_PLANE + 3 * VD_WHEELS);
    vd_wide_store(vd_wide_load(mode + VD_M_FRICTION), e->contact.friction);
  } else {
    double hint[VD_WHEELS];
    vd_wide_store(vd_wide_load(mode + VD_M_FACE), hint);
    vd_surface_planes(m, w->x, &discs, hint, e->contact.friction, &planes);
  }
  vd_wheel_contacts(w, planes.distance, vd_into_body(f, planes.normal));
  w->contact.post_lift = (w->c->roads ? 1.0 : 0.0) * planes.normal.z;
  if (w->c->roads && m->patches)
    vd_patch_friction(w);
  vd_command_friction(w->c, VD_WHEELS, e->contact.friction);
}

/* Computes slips as vd_slips does, with floors of the speed that grow with the load. In landings the load is many times
 * the static load, and the damping near standstill grows in proportion; the floors of vd_slips keep the integration
 * stable up to the static load only. Reads loads, spins and contact velocities of e; writes its slips. */
VD_INLINE void vd_landing_slips(vd_work *w) {
  const vd_model *m = w->m;
  if (m->transient) {
    vd_slips(w);
    return;
  }
  vd_eval *restrict e = w->e;
  vd_wide vx = vd_wide_load(e->contact.vx_contact), vy = vd_wide_load(e->contact.vy_contact), speed = vd_wide_abs(vx);
  vd_wide slip = vd_wide_load(m->lanes.radius) * vd_wide_load(e->motion.omega) - vx, one = 0.0 * vx + 1.0;
  vd_wide hard = vd_wide_max(vd_wide_load(e->tyre.load) / vd_wide_load(m->ride.free.static_load), one);
  vd_wide floor = m->options.v_low * hard, floor_y = m->options.v_low_y * hard;
  vd_wide sliding = vd_wide_min((slip * slip + vy * vy) * 4.0 / floor, floor);
  vd_wide_store(slip * (1.0 / vd_wide_max(speed, floor)), e->slip.kappa);
  vd_wide_store(vy * (1.0 / vd_wide_max(vd_wide_max(speed, floor_y), sliding)), e->slip.tan_alpha);
}

/* Computes the rates of place, attitude and velocities of the body. at_o: m/s2, acceleration of O; alpha: rad/s2. Reads
 * frame; writes dx, accelerations of e. */
VD_INLINE void vd_free_rates(const vd_work *w, const double *at_o, const double *alpha) {
  static const int place[] = {VD_S_ALONG, VD_S_ACROSS, VD_S_HEIGHT}, speed[] = {VD_S_VX, VD_S_VY, VD_S_VZ};
  static const int turn[] = {VD_S_ROLL_RATE, VD_S_PITCH_RATE, VD_S_YAW_RATE};
  const vd_frame *f = &w->frame;
  const double *q = w->x + VD_S_QUATERNION, *p = f->w;
  vd_eval *restrict e = w->e;
  double *dx = w->dx, turning[3];
  vd_cross(f->w, f->u, turning);
  for (int j = 0; j < 3; j++) {
    dx[place[j]] = vd_dot(f->to_world[j], f->u);
    dx[speed[j]] = at_o[j] - turning[j];
    dx[turn[j]] = alpha[j];
  }
  dx[VD_S_DISTANCE] = sqrt(f->u[0] * f->u[0] + f->u[1] * f->u[1]);
  dx[VD_S_YAW] = dx[VD_S_PITCH] = dx[VD_S_ROLL] = 0.0;
  /* q' = 1/2 q (0, p) */
  dx[VD_S_QUATERNION] = -0.5 * (q[1] * p[0] + q[2] * p[1] + q[3] * p[2]);
  dx[VD_S_QUATERNION + 1] = 0.5 * (q[0] * p[0] + q[2] * p[2] - q[3] * p[1]);
  dx[VD_S_QUATERNION + 2] = 0.5 * (q[0] * p[1] + q[3] * p[0] - q[1] * p[2]);
  dx[VD_S_QUATERNION + 3] = 0.5 * (q[0] * p[2] + q[1] * p[1] - q[2] * p[0]);
  e->body.ax = at_o[0];
  e->body.ay = at_o[1];
  e->body.az = at_o[2];
  e->body.yaw_accel = alpha[2];
}

#endif
