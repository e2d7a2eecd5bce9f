/* L5: places and velocities of the wheels, and their distances from the paths on which links hold them; see
 * l5_free_body.c and l4_multibody.c. */
#ifndef VD_L5_WHEELS_H
#define VD_L5_WHEELS_H

#include "model/frame.h"
#include "model/linkage_poses.h"
#include "model/steered.h"

/* Wheels that are free in the world; vectors in body axes. Rates are relative to the body unless stated otherwise. */
typedef struct vd_free_wheels {
  vd_wide3 centre, speed;      /* of the point mass: m, from O; m/s, in the world */
  vd_wide3 shift;              /* m, from the mass to the wheel's centre, due to steering, in the plane x-y */
  vd_wide shift_slope[2];      /* derivative of the shift by the travel */
  vd_wide3 axle, axle_rate;    /* unit, to the left; its rate, 1/s */
  vd_wide3 turn;               /* rad/m, rotation of the knuckle per travel */
  vd_wide3 steer;              /* rad/s, rotation rate of the knuckle due to steering */
  vd_wide spin, spin_rate;     /* rad/m, rotation about the axle per travel; rad/(m s), its rate */
  vd_wide knuckle_spin;        /* rad/s, rotation rate of the knuckle about the axle */
  vd_wide travel, rate;        /* m, m/s */
  vd_wide off[2], off_rate[2]; /* m, m/s: displacement of the mass along x and y from its path */
  vd_wide path[2];             /* derivatives of this path's x and y by the travel */
  vd_wide3 shift_steer;        /* m/s, rate of the shift due to steering */
  /* derivatives of knuckle, shift, spring, damper, and of the rotation about the axle that is part of the spin: by the
   * rack for a linkage, by the wheel's angle otherwise */
  vd_wide3 by_turn, by_shift;
  vd_wide by_spring, by_damper, by_spin, rack_rate;
  /* compression as in vd_mapped, m; its derivative by travel; m/s, its rate due to steering */
  vd_wide spring, spring_slope, spring_steer;
  vd_wide damper_slope, damper_steer;
} vd_free_wheels;

static inline bool vd_free_linked(const vd_model *m) {
  return m->options.unsprung == VD_UNSPRUNG_LINKAGE;
}

/* Wheels on steering axes (steered.h): displacements and axles, with their derivatives by the wheels' angles. */
typedef struct vd_axis_wheels {
  vd_wide3 move, move_slope, axle, axle_slope; /* m, m/rad; unit, 1/rad */
  vd_wide about;                               /* rad/rad, rotation about the axle */
} vd_axis_wheels;

VD_INLINE void vd_axis_wheels_at(const vd_model *m, const vd_command *c, vd_axis_wheels *w) {
  vd_steered_wheels s;
  vd_steered_poses(m, c, &s);
  w->move = vd_wide3_load(s.move[0]);
  w->move_slope = vd_wide3_load(s.move_slope[0]);
  w->axle = vd_wide3_load(s.axle[0]);
  w->axle_slope = vd_wide3_load(s.axle_slope[0]);
  w->about = vd_wide_dot(vd_wide3_load(s.turn[0]), w->axle);
}

VD_INLINE void vd_free_axis_wheels(const vd_model *m, const vd_command *c, vd_free_wheels *w) {
  vd_wide rate = vd_wide_load(c->angle_rate);
  vd_axis_wheels s;
  vd_axis_wheels_at(m, c, &s);
  w->axle = s.axle;
  w->axle_rate = vd_wide_scaled(rate, s.axle_slope);
  w->by_turn = vd_wide_cross(s.axle, s.axle_slope);
  w->steer = vd_wide_scaled(rate, w->by_turn);
  w->shift = s.move;
  w->by_shift = s.move_slope;
  w->shift_steer = vd_wide_scaled(rate, s.move_slope);
  w->by_spin = s.about;
}

/* Rotates the wheels about the body's z, or about their steering axes. */
VD_INLINE void vd_free_steered_wheels(const vd_model *m, const vd_command *c, vd_free_wheels *w) {
  vd_wide sine = vd_wide_load(c->sin_angle), cosine = vd_wide_load(c->cos_angle), rate = vd_wide_load(c->angle_rate);
  vd_wide none = 0.0 * sine;
  w->axle = (vd_wide3){-sine, cosine, none};
  w->axle_rate = (vd_wide3){-rate * cosine, -rate * sine, none};
  w->steer = (vd_wide3){none, none, rate};
  w->by_turn = (vd_wide3){none, none, none + 1.0};
  w->turn = (vd_wide3){none, none, none};
  w->spin = w->spin_rate = w->knuckle_spin = none;
  w->spring = w->travel;
  w->spring_slope = w->damper_slope = none + 1.0;
  w->spring_steer = w->damper_steer = w->by_spring = w->by_damper = w->by_spin = none;
  w->shift = w->shift_steer = w->by_shift = w->turn;
  for (int k = 0; k < 2; k++)
    w->path[k] = w->shift_slope[k] = none;
  if (m->steering_axes)
    vd_free_axis_wheels(m, c, w);
}

VD_INLINE void vd_free_linked_wheels(const vd_linkage_poses *h, vd_free_wheels *w) {
  vd_wide rack_rate = h->rack_rate;
  vd_wide3 by_rack = vd_wide_scaled(rack_rate, h->axle_rack);
  w->axle = h->axle;
  w->axle_rate = vd_wide_plus(vd_wide_scaled(h->rate, h->axle_travel), by_rack);
  w->turn = vd_wide_plus(vd_wide_cross(h->axle, h->axle_travel), vd_wide_scaled(h->spin, h->axle));
  w->steer = vd_wide_cross(h->axle, by_rack);
  w->spin = h->spin;
  w->knuckle_spin = vd_linkage_turn(h);
  w->spin_rate = h->spin_travel * h->rate + h->spin_rack * rack_rate;
  w->spring = h->spring[0];
  w->spring_slope = h->spring[1];
  w->spring_steer = h->spring[2] * rack_rate;
  w->damper_slope = h->damper[1];
  w->damper_steer = h->damper[2] * rack_rate;
  w->path[0] = h->mass_travel.x;
  w->path[1] = h->mass_travel.y;
  w->shift = (vd_wide3){h->centre.x - h->mass.x, h->centre.y - h->mass.y, 0.0 * rack_rate};
  if (h->joined)
    w->shift.z = h->lift;
  w->shift_slope[0] = h->by_travel.x - h->mass_travel.x;
  w->shift_slope[1] = h->by_travel.y - h->mass_travel.y;
  w->shift_steer = vd_wide_scaled(rack_rate, h->by_rack);
  w->by_turn = vd_wide_cross(h->axle, h->axle_rack);
  w->by_shift = h->by_rack;
  w->by_spring = h->spring[2];
  w->by_damper = h->damper[2];
  w->by_spin = h->rack_spin;
  w->rack_rate = h->rack_rate;
}

/* Return the wheels' centres, and the velocities of these relative to the world. turning: angular velocity of the body,
 * rad/s. */
VD_INLINE vd_wide3 vd_free_hub(const vd_free_wheels *w) {
  return vd_wide_plus(w->centre, w->shift);
}

VD_INLINE vd_wide3 vd_free_hub_speed(const vd_free_wheels *w, vd_wide3 turning) {
  const vd_wide3 own = {w->shift_slope[0] * w->rate + w->shift_steer.x, w->shift_slope[1] * w->rate + w->shift_steer.y,
                        w->shift_steer.z};
  return vd_wide_plus(vd_wide_plus(w->speed, own), vd_wide_cross(turning, w->shift));
}

/* Describes wheels on lines along the body's z like wheels on linkages: each has a straight path and turns with the
 * steering only; derivatives by the rack are derivatives by time. */
VD_INLINE void vd_strut_poses(const vd_model *m, const vd_command *c, const double *x, vd_linkage_poses *h) {
  vd_wide sine = vd_wide_load(c->sin_angle), cosine = vd_wide_load(c->cos_angle), rate = vd_wide_load(c->angle_rate);
  vd_wide travel = vd_wide_load(x + VD_S_TRAVEL), none = 0.0 * sine, one = none + 1.0;
  h->centre = (vd_wide3){vd_wide_load(m->lanes.x), vd_wide_load(m->lanes.y), vd_wide_load(m->ride.wheel_z) + travel};
  h->by_travel = (vd_wide3){none, none, one};
  h->axle = (vd_wide3){-sine, cosine, none};
  h->axle_rack = (vd_wide3){-rate * cosine, -rate * sine, none};
  h->by_rack = h->axle_travel = h->mass_travel2 = (vd_wide3){none, none, none};
  h->spin = h->spin_travel = h->spin_rack = h->rack_spin = none;
  h->spring[0] = h->damper[0] = travel;
  h->spring[1] = h->damper[1] = one;
  h->spring[2] = h->damper[2] = none;
  h->mass = h->centre;
  h->mass_travel = h->by_travel;
  h->rate = vd_wide_load(x + VD_S_TRAVEL_RATE);
  h->rack[VD_FRONT] = h->rack[VD_REAR] = 0.0;
  h->rack_rate = one;
  if (!m->steering_axes)
    return;
  vd_axis_wheels s;
  vd_axis_wheels_at(m, c, &s);
  h->centre = vd_wide_plus(h->centre, s.move);
  h->by_rack = vd_wide_scaled(rate, s.move_slope);
  h->axle = s.axle;
  h->axle_rack = vd_wide_scaled(rate, s.axle_slope);
}

/* Computes the poses of wheels on linkages. Returns false if a linkage does not close. */
VD_INLINE bool vd_linked_poses(const vd_model *m, const vd_command *c, const double *x, vd_linkage_poses *h) {
  vd_linkage_racks(c, h);
  return vd_linkage_poses_at(m, x + VD_S_TRAVEL, x + VD_S_TRAVEL_RATE, h);
}

/* Computes the poses of wheels on rigid links at L5, on struts or linkages. Returns false if a linkage does not
 * close. */
VD_INLINE bool vd_guided_poses(const vd_model *m, const vd_command *c, const double *x, vd_linkage_poses *h) {
  if (h->joined || vd_free_linked(m))
    return vd_linked_poses(m, c, x, h);
  vd_strut_poses(m, c, x, h);
  return true;
}

/* Places free wheels exactly on their paths. */
VD_INLINE bool vd_guided_wheel_poses(const vd_model *m, const vd_command *c, const vd_frame *f, const double *x,
                                     vd_free_wheels *w) {
  vd_linkage_poses h = {.joined = m->ride.link.joined};
  if (!vd_guided_poses(m, c, x, &h))
    return false;
  vd_wide none = 0.0 * h.rate;
  vd_wide3 carried = vd_wide_cross(vd_wide3_repeat(f->w), h.mass), along = vd_mass_rate(&h);
  w->centre = h.mass;
  w->speed = (vd_wide3){f->u[0] + carried.x + along.x, f->u[1] + carried.y + along.y, f->u[2] + carried.z + along.z};
  w->travel = vd_wide_load(x + VD_S_TRAVEL);
  w->rate = h.rate;
  w->off[0] = w->off[1] = w->off_rate[0] = w->off_rate[1] = none;
  vd_free_linked_wheels(&h, w);
  if (m->steering_axes)
    w->shift.z = h.centre.z - h.mass.z;
  return true;
}

/* Finds the poses of free wheels. Returns false if a linkage does not close. */
VD_INLINE bool vd_free_wheel_poses(const vd_model *m, const vd_command *c, const vd_frame *f, const double *x,
                                   vd_free_wheels *w) {
  if (vd_on_rigid_links(&m->options))
    return vd_guided_wheel_poses(m, c, f, x, w);
  const vd_ride *ride = &m->ride;
  vd_wide3 design = {vd_wide_load(m->lanes.x), vd_wide_load(m->lanes.y), vd_wide_load(ride->wheel_z)}, path = design;
  vd_wide none = 0.0 * design.x;
  vd_wide3 turning = vd_wide3_repeat(f->w), body = {none + f->u[0], none + f->u[1], none + f->u[2]};
  if (vd_on_hubs(&m->options)) {
    w->centre = design;
    w->speed = vd_wide_plus(body, vd_wide_cross(turning, design));
    w->travel = w->rate = w->off[0] = w->off[1] = w->off_rate[0] = w->off_rate[1] = none;
    vd_free_steered_wheels(m, c, w);
    return true;
  }
  vd_wide3 place = vd_wide3_load(x + VD_S_WHEEL_PLACE);
  place.x -= x[VD_S_ALONG];
  place.y -= x[VD_S_ACROSS];
  place.z -= x[VD_S_HEIGHT];
  w->centre = vd_into_body(f, place);
  w->speed = vd_into_body(f, vd_wide3_load(x + VD_S_WHEEL_SPEED));
  vd_wide3 carried = vd_wide_plus(body, vd_wide_cross(turning, w->centre));
  w->travel = w->centre.z - design.z;
  w->rate = w->speed.z - carried.z;
  if (vd_free_linked(m)) {
    vd_linkage_poses h;
    h.joined = false; /* stiff links treat each wheel separately */
    vd_linkage_racks(c, &h);
    double travel[VD_WHEELS], rate[VD_WHEELS];
    vd_wide_store(w->travel, travel);
    vd_wide_store(w->rate, rate);
    if (!vd_linkage_poses_at(m, travel, rate, &h))
      return false;
    path = h.mass;
    vd_free_linked_wheels(&h, w);
  } else {
    vd_free_steered_wheels(m, c, w);
  }
  w->off[0] = w->centre.x - path.x;
  w->off[1] = w->centre.y - path.y;
  w->off_rate[0] = w->speed.x - carried.x - w->path[0] * w->rate;
  w->off_rate[1] = w->speed.y - carried.y - w->path[1] * w->rate;
  return true;
}

#endif
