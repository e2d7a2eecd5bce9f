/* Wheels on the road, tyres and what acts from outside: the same for all levels whose body is free in space. */
#ifndef VD_FOURTEEN_ROAD_H
#define VD_FOURTEEN_ROAD_H

#include "model/feet.h"
#include "model/fourteen_impl.h"

#include <math.h>

/* Deflection over which the tyre's vertical damping builds up, so that touching the road is no blow. */
static const double vd_damping_run = 0.005; /* m */

/* What the wheels know about the road, all vectors in body axes. */
typedef struct vd_contacts {
  vd_wide3 at;           /* m, contact points from O */
  vd_wide3 down;         /* m, from the wheel centres to them */
  vd_wide3 normal;       /* of the road */
  vd_wide3 ahead, aside; /* contact axes in the road plane */
  vd_wide3 swept;        /* m, by which they move over the steering angle */
  vd_wide3 force;        /* N, of the road on the tyre */
  vd_wide3 couple;       /* N m, likewise: overturning, aligning and rolling moments */
  vd_wide cosine;        /* of the angle between disc and normal */
  vd_wide lean;          /* sine of the angle by which the normal leans against the disc */
  vd_wide rate;          /* m/s, of the tyre's deflection */
  vd_wide elastic;       /* N, k d */
  vd_wide post_lift;     /* normal's share along the world's z */
} vd_contacts;

/* All that acts on the car from outside, gravity apart. */
typedef struct vd_outside {
  double force[3], moment[3]; /* N, N m about O, body axes */
  double lean_power;          /* W, of the couple that takes the lean's weight off */
} vd_outside;

/* centre: world; axle: body axes. */
VD_INLINE vd_wide vd_roads_below(const vd_model *m, const vd_command *c, const vd_frame *f, vd_wide3 centre,
                                 vd_wide3 axle, vd_wide3 *normal, double *friction) {
  if (m->ride.plane) {
    *normal = vd_wide_all(m->ground.normal);
    return vd_wide_dot(*normal, centre) - normal->z * vd_wide_load(c->post);
  }
  vd_wide distance = {0.0};
  vd_wide3 along = vd_out_of_body(f, axle);
  vd_feet(m, c, &centre, &along, &distance, normal, friction);
  return distance;
}

/* Cosine of the angle between disc and normal below which a wheel lies on its side: it has no tread on the road there. */
static const double vd_least_upright = 0.01;

/* Discs over tangent planes: contact points, axes, deflections. centre, axle, n the normals: body axes; distance: m, of the centres
 * from the planes. */
VD_INLINE void vd_stand(const vd_model *m, vd_wide3 centre, vd_wide3 axle, vd_wide distance, vd_wide3 n,
                        vd_eval *restrict e, vd_contacts *k) {
  k->normal = n;
  /* disc: the normal less its part along the wheel's axle */
  vd_wide lean = vd_wide_dot(n, axle), none = 0.0 * lean;
  vd_wide upright = vd_wide_sqrt(vd_wide_most(1.0 - lean * lean, none + vd_least_upright * vd_least_upright));
  vd_wide inverse = 1.0 / upright, length = distance * inverse;
  vd_wide3 disc = {(n.x - lean * axle.x) * inverse, (n.y - lean * axle.y) * inverse, (n.z - lean * axle.z) * inverse};
  vd_wide3 down = k->down = (vd_wide3){-length * disc.x, -length * disc.y, -length * disc.z};
  k->aside =
      (vd_wide3){upright * axle.x - lean * disc.x, upright * axle.y - lean * disc.y, upright * axle.z - lean * disc.z};
  k->ahead = vd_wide_cross(axle, disc);
  k->at = (vd_wide3){centre.x + down.x, centre.y + down.y, centre.z + down.z};
  k->cosine = upright;
  k->lean = lean;
  vd_wide_store(upright, e->upright);
  vd_wide_store(vd_wide_load(m->ride.free_radius) - length, e->deflection);
  vd_wide_store(k->at.x, e->contact_x);
  vd_wide_store(k->at.y, e->contact_y);
  vd_wide_store(k->at.z, e->contact_z);
}

/* The discs of the wheels on their roads. centre, axle: body axes. */
VD_INLINE void vd_touch(const vd_model *m, const vd_command *c, const vd_frame *f, const double *x, vd_wide3 centre,
                        vd_wide3 axle, vd_eval *restrict e, vd_contacts *k) {
  const vd_ride *ride = &m->ride;
  vd_wide3 normal;
  vd_wide_store(0.0 * axle.x + m->ground.friction, e->friction);
  vd_wide distance = vd_roads_below(m, c, f, vd_into_world(f, x, centre), axle, &normal, e->friction);
  vd_stand(m, centre, axle, distance, ride->plane ? vd_wide_all(f->level[2]) : vd_into_body(f, normal), e, k);
  k->post_lift = normal.z;
  if (m->patches && vd_ground_heights(&m->ground)) {
    vd_wide3 world = vd_into_world(f, x, k->at);
    for (int i = 0; i < VD_WHEELS; i++)
      e->friction[i] = vd_ground_friction(&m->ground, world.x[i], world.y[i]);
  }
}

/* Camber that tyres feel on wheels that stand as their axles do; only those of property files ask for it. */
VD_INLINE void vd_lean_cambers(const vd_contacts *k, vd_eval *restrict e) {
  for (int i = 0; i < VD_WHEELS; i++)
    e->camber[i] = asin(fmax(-1.0, fmin(1.0, k->lean[i])));
}

/* The loads, from the velocities v of the contact points as points of the knuckles. */
VD_INLINE void vd_press(const vd_model *m, const vd_command *c, vd_wide3 v, vd_eval *restrict e, vd_contacts *k) {
  const vd_ride *ride = &m->ride;
  vd_wide none = 0.0 * v.x;
  vd_wide_store(vd_wide_dot(k->ahead, v), e->vx_contact);
  vd_wide_store(vd_wide_dot(k->aside, v), e->vy_contact);

  vd_wide inverse = 1.0 / k->cosine, deflection = vd_wide_load(e->deflection);
  k->rate = (k->post_lift * vd_wide_load(c->post_rate) - vd_wide_dot(k->normal, v)) * inverse;
  k->elastic = vd_wide_load(ride->tyre_stiffness) * vd_wide_most(deflection, none);
  vd_wide force = k->elastic;
  if (ride->damped) {
    vd_wide share = vd_wide_least(vd_wide_most(deflection, none) * (1.0 / vd_damping_run), none + 1.0);
    force += vd_wide_load(ride->tyre_damping) * share * k->rate;
  }
  vd_wide_store(vd_wide_most(force, none) * inverse, e->load);
}

/* --- tyres --- */

/* On posts without friction. */
static inline void vd_no_friction(vd_eval *restrict e) {
  for (int i = 0; i < VD_WHEELS; i++)
    e->fx[i] = e->fy[i] = e->mx[i] = e->my[i] = e->mz[i] = 0.0;
}

VD_INLINE void vd_tyres(const vd_model *m, const double *x, vd_eval *restrict e) {
  const vd_lanes *lanes = &m->lanes;
  const vd_tyre_results out = {.fx = e->fx,
                               .fy = e->fy,
                               .mx = e->mx,
                               .my = e->my,
                               .mz = e->mz,
                               .rate_x = e->deflection_rate_x,
                               .rate_y = e->deflection_rate_y};
  vd_bending bending;
  vd_contact contact;
  vd_lane_contact(m, e, x, &bending, &contact);
  contact.camber = e->camber;
  vd_tyre_at_loads(&lanes->row, &contact, e->friction, e->load, &out);
  for (int i = 0; i < VD_WHEELS; i++)
    e->my[i] -= lanes->rolling[i] * vd_rolling_sign(e->omega[i] * lanes->radius[i]) * e->load[i];
}

/* --- forces from outside --- */

/* Forces and couples of the road on the tyres, in body axes. */
VD_INLINE void vd_contact_forces(vd_wide3 axle, const vd_eval *restrict e, vd_contacts *k) {
  vd_wide fx = vd_wide_load(e->fx), fy = vd_wide_load(e->fy), fz = vd_wide_load(e->load), my = vd_wide_load(e->my);
  vd_wide mx = vd_wide_load(e->mx), mz = vd_wide_load(e->mz);
  k->force = (vd_wide3){fx * k->ahead.x + fy * k->aside.x + fz * k->normal.x,
                        fx * k->ahead.y + fy * k->aside.y + fz * k->normal.y,
                        fx * k->ahead.z + fy * k->aside.z + fz * k->normal.z};
  k->couple =
      (vd_wide3){mx * k->ahead.x + mz * k->normal.x + my * axle.x, mx * k->ahead.y + mz * k->normal.y + my * axle.y,
                 mx * k->ahead.z + mz * k->normal.z + my * axle.z};
}

/* Air forces act in the ground plane of the design position, as their coefficients are given. A pressure has no sign: backwards
 * only the drag turns round. */
VD_INLINE void vd_add_air(const vd_model *m, const vd_frame *f, vd_eval *restrict e, vd_outside *b) {
  double q = f->u[0] * f->u[0], height = m->vehicle.cg_height;
  double front = m->vehicle.masses.to_axle[VD_FRONT], rear = m->vehicle.masses.to_axle[VD_REAR];
  e->drag = m->drag * copysign(q, f->u[0]);
  for (int a = 0; a < VD_AXLES; a++)
    e->downforce[a] = m->downforce[a] * q;
  b->force[0] = b->force[0] - e->drag;
  b->force[2] = b->force[2] - (e->downforce[VD_FRONT] + e->downforce[VD_REAR]);
  b->moment[1] = b->moment[1] + height * e->drag + front * e->downforce[VD_FRONT] - rear * e->downforce[VD_REAR];
}

VD_INLINE void vd_external(const vd_model *m, vd_wide3 axle, const vd_frame *f, vd_contacts *k, vd_eval *restrict e,
                           vd_outside *b) {
  const vd_ride *ride = &m->ride;
  vd_contact_forces(axle, e, k);
  vd_wide3 force = k->force, couple = k->couple, moment = vd_wide_cross(k->at, force);
  vd_wide forces = vd_wide_sums(force.x, force.y, force.z, k->normal.x);
  vd_wide moments = vd_wide_sums(moment.x + couple.x, moment.y + couple.y, moment.z + couple.z, k->normal.y);
  double lean[2] = {-0.25 * ride->lean_roll * moments[3], 0.25 * ride->lean_pitch * forces[3]};
  b->lean_power = lean[0] * f->w[0] + lean[1] * f->w[1];
  for (int j = 0; j < 3; j++)
    b->force[j] = forces[j];
  b->moment[0] = moments[0] + lean[0];
  b->moment[1] = moments[1] + lean[1];
  b->moment[2] = moments[2];
  vd_add_air(m, f, e, b);
}

/* Power of the air forces, W. */
VD_INLINE double vd_air_power(const vd_model *m, const vd_frame *f, const vd_eval *restrict e) {
  double q = f->w[1], height = m->vehicle.cg_height;
  return -e->drag * (f->u[0] - q * height) -
         e->downforce[VD_FRONT] * (f->u[2] - q * m->vehicle.masses.to_axle[VD_FRONT]) -
         e->downforce[VD_REAR] * (f->u[2] + q * m->vehicle.masses.to_axle[VD_REAR]);
}

/* --- motion --- */

VD_INLINE void vd_place_rates(const vd_frame *f, const vd_eval *restrict e, double *dx) {
  const double *u = f->u, *w = f->w;
  dx[VD_S_ALONG] = vd_dot(f->to_world[0], u);
  dx[VD_S_ACROSS] = vd_dot(f->to_world[1], u);
  dx[VD_S_HEIGHT] = vd_dot(f->to_world[2], u);
  double turn = (w[1] * f->sin_roll + w[2] * f->cos_roll) / f->cos_pitch;
  dx[VD_S_YAW] = turn;
  dx[VD_S_ROLL] = w[0] + turn * f->sin_pitch;
  dx[VD_S_PITCH] = w[1] * f->cos_roll - w[2] * f->sin_roll;
  dx[VD_S_DISTANCE] = sqrt(u[0] * u[0] + u[1] * u[1]);
  for (int i = 0; i < VD_WHEELS; i++)
    dx[VD_S_TRAVEL + i] = e->travel_rate[i];
}

/* Gravity along the road, in the directions of the rear wheels, for the controllers of the speed. */
VD_INLINE void vd_slope_pull(const double *gravity, const vd_contacts *k, vd_eval *restrict e) {
  vd_wide3 g = vd_wide_all(gravity);
  vd_wide ahead = vd_wide_dot(g, k->ahead), aside = vd_wide_dot(g, k->aside);
  e->pull_x = 0.5 * (ahead[VD_RL] + ahead[VD_RR]);
  e->pull_y = 0.5 * (aside[VD_RL] + aside[VD_RR]);
}

VD_INLINE void vd_read_state(const vd_frame *f, const double *x, vd_eval *restrict e) {
  e->vx = vd_dot(f->level[0], f->u);
  e->vy = vd_dot(f->level[1], f->u);
  e->vz = vd_dot(f->level[2], f->u);
  e->roll_rate = vd_dot(f->level[0], f->w);
  e->pitch_rate = vd_dot(f->level[1], f->w);
  e->yaw_rate = vd_dot(f->level[2], f->w);
  for (int i = 0; i < VD_WHEELS; i++) {
    e->omega[i] = x[VD_S_SPIN + i];
    e->travel[i] = x[VD_S_TRAVEL + i];
    e->travel_rate[i] = x[VD_S_TRAVEL_RATE + i];
  }
}

/* Rates of place, attitude and velocities. accel: of O less gravity, made complete here; alpha: rad/s2; body axes. */
VD_INLINE void vd_body_rates(const vd_model *m, const vd_frame *f, const double *gravity, double *accel,
                             const double *alpha, vd_eval *restrict e, double *dx) {
  double turning[3];
  vd_cross(f->w, f->u, turning);
  for (int j = 0; j < 3; j++)
    accel[j] += gravity[j];
  e->ax = vd_dot(f->level[0], accel);
  e->ay = vd_dot(f->level[1], accel);
  e->az = vd_dot(f->level[2], accel);
  e->yaw_accel = alpha[2];
  dx[VD_S_VX] = m->ride.held ? 0.0 : accel[0] - turning[0];
  dx[VD_S_VY] = m->ride.held ? 0.0 : accel[1] - turning[1];
  dx[VD_S_VZ] = accel[2] - turning[2];
  dx[VD_S_ROLL_RATE] = alpha[0];
  dx[VD_S_PITCH_RATE] = alpha[1];
  dx[VD_S_YAW_RATE] = alpha[2];
  vd_place_rates(f, e, dx);
}

/* Rates of spins, motor, controllers and tyres, once the ledger has its own. */
VD_INLINE void vd_other_rates(const vd_model *m, const vd_command *c, const double *x, vd_eval *restrict e,
                              double *dx) {
  for (int i = 0; i < VD_WHEELS; i++)
    dx[VD_S_SPIN + i] = e->spin_accel[i];
  if (m->coupled)
    dx[VD_S_MOTOR] = e->motor_accel;
  dx[VD_S_ACCELERATION_HOLD] = vd_acceleration_hold_rate(c, e);
  if (m->transient)
    vd_lane_deflection_ledger(VD_WHEELS, m, x, e, dx);
  if (m->abs)
    vd_lane_antilock(VD_WHEELS, m, c, x, e, dx);
  e->passes = 1;
  e->residual = 0.0;
}

#endif
