/* The free body as laws see it: attitude, places and angular momentum from its state, by figures of the car and the
 * log. */
#ifndef VD_FREE_STATES_H
#define VD_FREE_STATES_H

#include "ride_states.h"

static inline vec turned_by(const double *q, vec b) {
  vec i = vec_of(q[1], q[2], q[3]), t = cross(i, b);
  double square = dot(i, i) + q[0] * q[0];
  return add(add(b, 2.0 * q[0] / square, t), 2.0 / square, cross(i, t));
}

static inline vec world_of(const double *x, vec body) {
  return add(vec_of(x[VD_S_ALONG], x[VD_S_ACROSS], x[VD_S_HEIGHT]), 1.0, turned_by(x + VD_S_QUATERNION, body));
}

static inline vec design_place(const scene *s, int i) {
  const vd_vehicle_def *v = vehicle_of(s);
  return vec_of(axle_x(v, i / 2), half(v, i), v->axle[i / 2].wheel_radius - v->cg_height);
}

/* Of a wheel in the body: to the left. */
static inline vec axle_in_body(const vd_eval *e, int i) {
  double side = i % 2 ? -1.0 : 1.0, up = -side * sin(e->linkage_camber[i]), level = sqrt(1.0 - up * up);
  return vec_of(-sin(e->angle[i]) * level, cos(e->angle[i]) * level, up);
}

/* What a knuckle turns about its axle per travel, rad/m. */
static inline double knuckle_spin(const scene *s, const vd_eval *e, int i) {
  const vd_linkage_map *map = vehicle_of(s)->axle[i / 2].map;
  vd_corner_pose at;
  if (s->model.options.unsprung != VD_UNSPRUNG_LINKAGE)
    return 0.0;
  vd_linkage_map_at(map, e->travel[i], i >= 2 ? 0.0 : i % 2 ? -e->rack : e->rack, &at);
  return at.value[VD_MAP_SPIN];
}

/* The mass of a wheel with one of its own, world axes. On rigid links it is on the path that the car's file gives, at
 * the travel that the state has. */
static inline vec wheel_mass_at(const scene *s, const double *x, int i, vec *velocity) {
  const double *q = x + VD_S_QUATERNION, *at = x + VD_S_WHEEL_PLACE + i, *to = x + VD_S_WHEEL_SPEED + i;
  if (vd_on_stiff_links(&s->model.options)) {
    *velocity = vec_of(to[0], to[VD_WHEELS], to[2 * VD_WHEELS]);
    return vec_of(at[0], at[VD_WHEELS], at[2 * VD_WHEELS]);
  }
  double travel = x[VD_S_TRAVEL + i], side = i % 2 ? -1.0 : 1.0;
  vd_corner_pose on_path = {.path = {0.0}};
  if (s->model.options.unsprung == VD_UNSPRUNG_LINKAGE)
    vd_linkage_map_at(vehicle_of(s)->axle[i / 2].map, travel, 0.0, &on_path);
  vec place = add(design_place(s, i), 1.0, vec_of(on_path.path[0], side * on_path.path[1], travel));
  vec slope = vec_of(on_path.path[2], side * on_path.path[3], 1.0);
  vec w = vec_of(x[VD_S_ROLL_RATE], x[VD_S_PITCH_RATE], x[VD_S_YAW_RATE]);
  vec v = add(vec_of(x[VD_S_VX], x[VD_S_VY], x[VD_S_VZ]), 1.0, cross(w, place));
  *velocity = turned_by(q, add(v, x[VD_S_TRAVEL_RATE + i], slope));
  return world_of(x, place);
}

/* About a place at rest, world axes: spins of the wheels, their points of mass, the body. */
static inline vec angular_momentum(const scene *s, const double *x, const vd_eval *e, vec about) {
  const vd_ride *ride = &s->model.ride;
  const double *q = x + VD_S_QUATERNION;
  vec w = vec_of(x[VD_S_ROLL_RATE], x[VD_S_PITCH_RATE], x[VD_S_YAW_RATE]), spin, sum;
  vec centre = vec_of(ride->body_centre[0], ride->body_centre[1], ride->body_centre[2]);
  for (int j = 0; j < 3; j++)
    spin.v[j] =
        ride->body_inertia[j][0] * w.v[0] + ride->body_inertia[j][1] * w.v[1] + ride->body_inertia[j][2] * w.v[2];
  vec v = turned_by(q, add(vec_of(x[VD_S_VX], x[VD_S_VY], x[VD_S_VZ]), 1.0, cross(w, centre)));
  for (int i = 0; i < VD_WHEELS; i++) {
    vec axle = axle_in_body(e, i);
    spin = add(
        spin, s->model.lanes.inertia[i] * (x[VD_S_SPIN + i] + dot(w, axle) + knuckle_spin(s, e, i) * e->travel_rate[i]),
        axle);
  }
  sum = add(turned_by(q, spin), ride->body_mass, cross(add(world_of(x, centre), -1.0, about), v));
  for (int i = 0; i < VD_WHEELS && s->model.options.unsprung != VD_UNSPRUNG_HUB; i++) {
    vec velocity, place = add(wheel_mass_at(s, x, i, &velocity), -1.0, about);
    sum = add(sum, ride->unsprung_mass[i], cross(place, velocity));
  }
  return sum;
}

#endif
