/* Attitude, positions and angular momentum of the free body, computed from its state, the figures of the car and the
 * log. */
#ifndef VD_FREE_STATES_H
#define VD_FREE_STATES_H

#include "ride_states.h"

#include "base/vec.h"

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
  return vec_of(axle_x(v, vd_axle_of(i)), half(v, i), v->axle[vd_axle_of(i)].wheel_radius - v->cg_height);
}

/* Returns the spin axis of a wheel in body axes, to the left. */
static inline vec axle_in_body(const vd_eval *e, int i) {
  double side = vd_side_sign(i), up = -side * sin(e->log.linkage_camber[i]), level = sqrt(1.0 - up * up);
  return vec_of(-sin(e->steering.angle[i]) * level, cos(e->steering.angle[i]) * level, up);
}

/* Returns the rotation of a knuckle about the wheel's axle per travel, rad/m. */
static inline double knuckle_spin(const scene *s, const vd_eval *e, int i) {
  const vd_linkage_map *map = vehicle_of(s)->axle[vd_axle_of(i)].map;
  vd_corner_pose at;
  if (s->model.options.unsprung != VD_UNSPRUNG_LINKAGE)
    return 0.0;
  vd_linkage_map_at(map, e->motion.travel[i],
                    vd_is_right(i) ? -e->steering.rack[vd_axle_of(i)] : e->steering.rack[vd_axle_of(i)], &at);
  return at.value[VD_MAP_SPIN];
}

/* Returns the position of a wheel's mass in world axes, and its velocity. On rigid links it is on the path of the wheel
 * (a strut's is along the body's z), at the travel of the state. */
static inline vec wheel_mass_at(const scene *s, const double *x, int i, vec *velocity) {
  const double *q = x + VD_S_QUATERNION, *at = x + VD_S_WHEEL_PLACE + i, *to = x + VD_S_WHEEL_SPEED + i;
  if (vd_on_stiff_links(&s->model.options)) {
    *velocity = vec_of(to[0], to[VD_WHEELS], to[2 * VD_WHEELS]);
    return vec_of(at[0], at[VD_WHEELS], at[2 * VD_WHEELS]);
  }
  double travel = x[VD_S_TRAVEL + i], side = vd_side_sign(i);
  vd_corner_pose on_path = {.path = {0.0}};
  if (s->model.options.unsprung == VD_UNSPRUNG_LINKAGE)
    vd_linkage_map_at(vehicle_of(s)->axle[vd_axle_of(i)].map, travel, 0.0, &on_path);
  vec place = add(design_place(s, i), 1.0, vec_of(on_path.path[0], side * on_path.path[1], travel));
  vec slope = vec_of(on_path.path[2], side * on_path.path[3], 1.0);
  vec w = vec_of(x[VD_S_ROLL_RATE], x[VD_S_PITCH_RATE], x[VD_S_YAW_RATE]);
  vec v = add(vec_of(x[VD_S_VX], x[VD_S_VY], x[VD_S_VZ]), 1.0, cross(w, place));
  *velocity = turned_by(q, add(v, x[VD_S_TRAVEL_RATE + i], slope));
  return world_of(x, place);
}

/* The masses of a corner's linkage are points that move with their bodies: three for a bar, six for a knuckle, without
 * the wheel's inertia about the spin axis. The points are those of the left wheel, relative to the wheel centre at
 * design. */
enum { LINK_POINTS = 40 };

typedef struct link_points {
  int count;
  double mass[LINK_POINTS];
  vec at[LINK_POINTS];
} link_points;

static inline void put_link_point(const vd_linkage *l, double mass, vd_jet3 at, link_points *out) {
  const double *from = l->points.wheel_center;
  out->mass[out->count] = mass;
  out->at[out->count++] = vec_of(at.x.v - from[0], at.y.v - from[1], at.z.v - from[2]);
}

static inline void put_link_bar(const vd_linkage *l, const vd_pose *by, double mass, const double *inner,
                                const double *outer, link_points *out) {
  vd_jet3 a = vd_jet3_constant(inner), b = vd_pose_point(l, by, outer);
  vd_jet3 middle = {vd_jet_scale(0.5, vd_jet_add(a.x, b.x)), vd_jet_scale(0.5, vd_jet_add(a.y, b.y)),
                    vd_jet_scale(0.5, vd_jet_add(a.z, b.z))};
  put_link_point(l, mass / 6.0, a, out);
  put_link_point(l, mass / 6.0, b, out);
  put_link_point(l, mass * 4.0 / 6.0, middle, out);
}

static inline link_points link_points_of(const scene *s, int axle, double travel) {
  const vd_axle_def *a = &vehicle_of(s)->axle[axle];
  const vd_linkage *l = a->map->linkage;
  const vd_corner *c = a->corner;
  const double u[VD_INPUTS] = {travel, 0.0};
  link_points out = {.count = 0};
  vd_pose at;
  vd_linkage_start(l, &at);
  vd_linkage_move(l, u, &at);
  double inertia[3], half = 0.0;
  for (int k = 0; k < 3; k++)
    half += 0.5 * (inertia[k] = c->knuckle_inertia[k] - (k == 1 ? a->wheel_inertia : 0.0)); /* the spin axis is y */
  double square = half / c->knuckle_mass;
  for (int k = 0; k < 6; k++) {
    double place[3];
    memcpy(place, c->points.wheel_center, sizeof place);
    place[k / 2] += (k % 2 ? -1.0 : 1.0) * sqrt(square);
    put_link_point(l, 0.5 * (half - inertia[k / 2]) / square, vd_pose_point(l, &at, place), &out);
  }
  for (int k = 0; k < c->points.members; k++) {
    const vd_member *m = &c->points.member[k];
    const double *outer = m->kind == VD_HINGE ? c->points.wheel_center : m->knuckle;
    double legs[2] = {vd_distance(m->chassis[0], outer), m->kind == VD_ROD ? 0.0 : vd_distance(m->chassis[1], outer)};
    for (int leg = 0; leg < 2 && m->kind != VD_SLIDER; leg++)
      if (legs[leg] > 0.0)
        put_link_bar(l, &at, c->member_mass[k] * legs[leg] / (legs[0] + legs[1]), m->chassis[leg], outer, &out);
  }
  return out;
}

/* Computes the kinetic energy of knuckle and links, and their angular momentum about a resting point, in world axes;
 * both minus the values of the same masses fixed to the body in their design position. */
static inline vec link_sums(const scene *s, const double *x, int i, vec about, double *energy) {
  static const double step = 5e-4, aside[4] = {1.0, -1.0, 2.0, -2.0}, share[4] = {8.0, -8.0, -1.0, 1.0};
  const vec side = vec_of(1.0, vd_side_sign(i), 1.0),
            w = vec_of(x[VD_S_ROLL_RATE], x[VD_S_PITCH_RATE], x[VD_S_YAW_RATE]);
  double travel = x[VD_S_TRAVEL + i];
  link_points now = link_points_of(s, vd_axle_of(i), travel), design = link_points_of(s, vd_axle_of(i), 0.0), near[4];
  vec sum = vec_of(0, 0, 0);
  *energy = 0.0;
  for (int k = 0; k < 4; k++)
    near[k] = link_points_of(s, vd_axle_of(i), travel + aside[k] * step);
  for (int k = 0; k < now.count; k++)
    for (int moved = 0; moved < 2; moved++) {
      vec at = moved ? now.at[k] : design.at[k], v;
      for (int d = 0; d < 3; d++)
        at.v[d] = side.v[d] * at.v[d] + design_place(s, i).v[d];
      v = add(vec_of(x[VD_S_VX], x[VD_S_VY], x[VD_S_VZ]), 1.0, cross(w, at));
      for (int n = 0; n < 4 && moved; n++)
        for (int d = 0; d < 3; d++)
          v.v[d] += x[VD_S_TRAVEL_RATE + i] * share[n] / (12.0 * step) * side.v[d] * near[n].at[k].v[d];
      double mass = moved ? now.mass[k] : -now.mass[k];
      *energy += 0.5 * mass * dot(v, v);
      sum = add(sum, mass, cross(add(world_of(x, at), -1.0, about), turned_by(x + VD_S_QUATERNION, v)));
    }
  return sum;
}

/* Returns the angular momentum about a resting point, in world axes: of the body, the spins of the wheels, and, except
 * on hubs, the unsprung masses: points, or the bodies of linkages. */
static inline vec angular_momentum(const scene *s, const double *x, const vd_eval *e, vec about) {
  const vd_ride *ride = &s->model.ride;
  const double *q = x + VD_S_QUATERNION;
  vec w = vec_of(x[VD_S_ROLL_RATE], x[VD_S_PITCH_RATE], x[VD_S_YAW_RATE]), spin, sum;
  vec centre = vec_of(ride->free.body_centre[0], ride->free.body_centre[1], ride->free.body_centre[2]);
  for (int j = 0; j < 3; j++)
    spin.v[j] = ride->free.body_inertia[j][0] * w.v[0] + ride->free.body_inertia[j][1] * w.v[1] +
                ride->free.body_inertia[j][2] * w.v[2];
  vec v = turned_by(q, add(vec_of(x[VD_S_VX], x[VD_S_VY], x[VD_S_VZ]), 1.0, cross(w, centre)));
  for (int i = 0; i < VD_WHEELS; i++) {
    vec axle = axle_in_body(e, i);
    spin = add(spin,
               s->model.lanes.inertia[i] *
                   (x[VD_S_SPIN + i] + dot(w, axle) + knuckle_spin(s, e, i) * e->motion.travel_rate[i]),
               axle);
  }
  sum = add(turned_by(q, spin), ride->free.body_mass, cross(add(world_of(x, centre), -1.0, about), v));
  for (int i = 0; i < VD_WHEELS && s->model.options.unsprung != VD_UNSPRUNG_HUB; i++) {
    double energy;
    vec velocity, place = add(wheel_mass_at(s, x, i, &velocity), -1.0, about);
    if (ride->link.inertia[i]) {
      place = add(world_of(x, design_place(s, i)), -1.0, about);
      velocity = turned_by(q, add(vec_of(x[VD_S_VX], x[VD_S_VY], x[VD_S_VZ]), 1.0, cross(w, design_place(s, i))));
      sum = add(sum, 1.0, link_sums(s, x, i, about, &energy));
    }
    sum = add(sum, ride->unsprung_mass[i], cross(place, velocity));
  }
  return sum;
}

#endif
