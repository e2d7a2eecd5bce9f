/* The power of every kind of work, written in one place for L3, L4 and L5. */
#ifndef VD_LEDGER_H
#define VD_LEDGER_H

#include "model/lanes.h"
#include "model/work.h"

/* Quantities that each level computes in its own way. */
typedef struct vd_power {
  /* rad/s, relative to the world: angular velocity at which the tyres' overturning and aligning moments work */
  vd_wide3 turning;
  vd_wide drive;       /* N m, drive torques that acted */
  vd_wide shaft_speed; /* rad/s, at which the drive torques work */
  double drive_travel; /* W, power of the drive torques on travels; not part of that of coupled shafts */
  vd_wide axle_rate;   /* rad/s, of the knuckles about the axles, relative to the world */
  vd_wide dampers;     /* W, dissipated */
  vd_wide steering;    /* W, delivered by the steering, without the racks, whose power is computed separately */
  double links;        /* W, dissipated by the links across the wheels' paths */
} vd_power;

/* Returns the power of the air forces, W. */
VD_INLINE double vd_air_power(const vd_work *w) {
  const vd_model *m = w->m;
  const vd_frame *f = &w->frame;
  const vd_eval *e = w->e;
  double q = f->w[1], height = m->vehicle.cg_height;
  return -e->outside.drag * (f->u[0] - q * height) -
         e->outside.downforce[VD_FRONT] * (f->u[2] - q * m->vehicle.masses.to_axle[VD_FRONT]) -
         e->outside.downforce[VD_REAR] * (f->u[2] + q * m->vehicle.masses.to_axle[VD_REAR]);
}

/* Writes the power of each term of the equations. Reads frame, contacts, outside, train, forces and speeds of e; writes
 * the works of dx, and the rates of the tyres' deflections, which store part of the work of the slip. */
VD_INLINE void vd_book_power(const vd_work *w, const vd_power *p) {
  const vd_model *m = w->m;
  const vd_contacts *k = &w->contact;
  const vd_eval *e = w->e;
  double *dx = w->dx;
  vd_wide omega = vd_wide_load(e->motion.omega), load = vd_wide_load(e->tyre.load), my = vd_wide_load(e->tyre.my);
  vd_wide tyre =
      vd_wide_load(e->tyre.fx) * (vd_wide_load(e->contact.vx_contact) - vd_wide_load(m->lanes.radius) * omega) +
      vd_wide_load(e->tyre.fy) * vd_wide_load(e->contact.vy_contact) +
      vd_wide_load(e->tyre.mz) * vd_wide_dot(k->normal, p->turning) +
      vd_wide_load(e->tyre.mx) * vd_wide_dot(k->ahead, p->turning);
  vd_wide first =
      vd_wide_sums(p->drive * p->shaft_speed, vd_wide_load(w->mode) * vd_wide_load(e->drive.brake_capacity) * omega,
                   tyre, my * (omega + p->axle_rate));
  vd_wide second = vd_wide_sums(p->dampers, (k->elastic - load * k->cosine) * k->rate, p->steering,
                                load * k->post_lift * vd_wide_load(w->c->post_rate));
  dx[VD_S_WORK_DRIVE] = first[0];
  dx[VD_S_WORK_BRAKE] = -first[1];
  dx[VD_S_WORK_TYRE] = first[2];
  dx[VD_S_WORK_ROLLING] = first[3];
  dx[VD_S_WORK_SUSPENSION] = -second[0];
  dx[VD_S_WORK_TYRE_VERTICAL] = second[1];
  dx[VD_S_WORK_STEERING] = second[2];
  dx[VD_S_WORK_OUTSIDE] = second[3] + w->outside.lean_power;
  dx[VD_S_WORK_LINK] = -p->links;
  dx[VD_S_WORK_AERO] = m->outside ? w->outside.air_power : vd_air_power(w);
  if (m->outside)
    dx[VD_S_WORK_OUTSIDE] += w->outside.push_power;
  if (m->coupled)
    vd_train_ledger(m, w->train, w->x, e, dx);
  dx[VD_S_WORK_DRIVE] += p->drive_travel;
  if (m->transient)
    vd_lane_deflection_ledger(VD_WHEELS, m, w->x, e, dx);
  if (m->turn_slip)
    vd_turn_ledger(m, w->c, w->x, e, dx);
}

#endif
