/* External forces on the car: moving air, a force at a point, the drawbar pull of a trailer.
 *
 * Coefficients as functions of the aerodynamic yaw angle are those of a wind tunnel balance (SAE J1594): forces in the
 * ground plane at half the wheelbase, moments about that point divided by the wheelbase; for air from the left, the
 * side force to the right, the yaw moment with the nose to the right and the roll moment with the right side down are >
 * 0. The dynamic pressure is that of the air relative to the car. All except drag and lifts change their sign with the
 * side from which the air comes.
 *
 * Each of these forces acts at a point of the body, and its power is the force times the velocity of that point
 * relative to the road: wind does work on a car. */
#ifndef VD_OUTSIDE_H
#define VD_OUTSIDE_H

#include "base/elementary.h"
#include "base/vec.h"
#include "model/model.h"

#include <math.h>

/* Forces of the air in body axes. */
typedef struct vd_air {
  double drag, side;          /* N, rearward; to the left */
  double downforce[VD_AXLES]; /* N */
  double roll, turn;          /* N m, about x and z through the ground below half the wheelbase */
} vd_air;

/* Returns the value of a curve at an angle >= 0, constant beyond its last point. */
static inline double vd_air_coefficient(const vd_curve *curve, double angle) {
  return vd_curve_at(curve, vd_fast_min(angle, curve->x[curve->count - 1]), NULL);
}

/* Adapts the forces of the air to the ride heights. */
static inline void vd_air_by_heights(const vd_model *m, const double *rise, double speed, double ahead, vd_air *a) {
  double change[VD_AIR_MAPS], force = m->air.area * speed;
  vd_air_heights_at(&m->air.heights, rise, change);
  a->drag += force * ahead * change[VD_AIR_DRAG];
  a->side *= change[VD_AIR_SIDE];
  a->turn *= change[VD_AIR_YAW];
  a->roll *= change[VD_AIR_ROLL];
  for (int i = 0; i < VD_AXLES; i++)
    a->downforce[i] += force * speed * change[VD_AIR_FRONT + i];
}

/* Computes the forces of the air. ahead, left: m/s, of the car relative to the air; rise: m, of the body above the
 * axles from the design position. */
static inline void vd_air_at(const vd_model *m, double ahead, double left, const double *rise, vd_air *a) {
  const vd_curve *map = m->air.map;
  double square = ahead * ahead + left * left, side = left < 0.0 ? -1.0 : 1.0, angle = vd_atan2(fabs(left), ahead);
  double force = m->air.area * square, moment = side * force * m->vehicle.wheelbase;
  *a = (vd_air){.drag = m->air.drag * sqrt(square) * ahead};
  for (int i = 0; i < VD_AXLES; i++)
    a->downforce[i] = m->air.downforce[i] * square;
  if (map[VD_AIR_DRAG].count > 0)
    a->drag = force * vd_air_coefficient(&map[VD_AIR_DRAG], angle);
  if (map[VD_AIR_SIDE].count > 0)
    a->side = -side * force * vd_air_coefficient(&map[VD_AIR_SIDE], angle);
  if (map[VD_AIR_YAW].count > 0)
    a->turn = -moment * vd_air_coefficient(&map[VD_AIR_YAW], angle);
  if (map[VD_AIR_ROLL].count > 0)
    a->roll = moment * vd_air_coefficient(&map[VD_AIR_ROLL], angle);
  for (int i = 0; i < VD_AXLES; i++)
    if (map[VD_AIR_FRONT + i].count > 0)
      a->downforce[i] = force * vd_air_coefficient(&map[VD_AIR_FRONT + i], angle);
  if (m->air.heights.count[VD_FRONT] > 0)
    vd_air_by_heights(m, rise, sqrt(square), ahead, a);
}

/* Returns the share of the wind at a place: 3 u^2 - 2 u^3 across the edges of its zone. */
static inline double vd_wind_share(const vd_wind *wind, double x) {
  double share = 1.0;
  for (int end = 0; end < 2; end++) {
    double depth = end == 0 ? x - wind->from : wind->to - x;
    if (isnan(depth))
      continue;
    double u = wind->edge > 0.0 ? vd_min(vd_max(0.5 + depth / wind->edge, 0.0), 1.0) : depth >= 0.0 ? 1.0 : 0.0;
    share *= u * u * (3.0 - 2.0 * u);
  }
  return share;
}

/* Computes the velocity of the air at a place, m/s, along world x and y. */
static inline void vd_wind_at(const vd_model *m, const vd_command *c, double x, double *speed) {
  const vd_wind *wind = &m->options.wind;
  double share = vd_wind_share(wind, x);
  for (int k = 0; k < 2; k++)
    speed[k] = share * (wind->speed[k] + c->wind[k]);
}

/* A force on the body and its point of action. */
typedef struct vd_push {
  double force[3], at[3]; /* N, in body or road axes; m, from the ground below O in the design position */
} vd_push;

enum { VD_PUSHES = 2 };

static inline void vd_pushes(const vd_model *m, const vd_command *c, vd_push *push) {
  const vd_vehicle *v = &m->vehicle;
  const double *place[VD_PUSHES] = {m->options.push_at, v->hitch};
  const double back[3] = {-c->drawbar, 0.0, 0.0}, *force[VD_PUSHES] = {c->push, back};
  for (int k = 0; k < VD_PUSHES; k++)
    for (int j = 0; j < 3; j++) {
      push[k].force[j] = force[k][j];
      push[k].at[j] = place[k][j] + (j == 0 ? v->cg_to_front : 0.0);
    }
}

/* Computes the external forces of the planar levels, about the ground below the centre of gravity. Reads speeds of e;
 * writes drag, downforce and outside_* of e. left: m, of the centre of gravity from the middle plane. */
static inline void vd_outside_in_plane(const vd_model *m, const vd_command *c, const double *x, double left,
                                       vd_eval *e) {
  const double *along = m->ground.along, *across = m->ground.across; /* axes of the state in the plane of the road */
  double cosine, sine, wind[2], px, py;
  vd_sin_cos(x[VD_S_YAW], &sine, &cosine);
  static const double design[VD_AXLES] = {0.0, 0.0};
  double length = m->vehicle.wheelbase, front = m->vehicle.masses.to_axle[VD_FRONT], middle = front - 0.5 * length;
  vd_air air;
  vd_push push[VD_PUSHES];
  vd_model_plan(m, x[VD_S_ALONG], x[VD_S_ACROSS], &px, &py);
  vd_wind_at(m, c, px, wind);
  double ahead = wind[0] * along[0] + wind[1] * along[1], left_of = wind[0] * across[0] + wind[1] * across[1];
  vd_air_at(m, e->motion.vx - (ahead * cosine + left_of * sine), e->motion.vy - (left_of * cosine - ahead * sine),
            design, &air);
  e->outside.drag = air.drag;
  e->outside.outside_side = air.side;
  e->outside.outside_turn = air.turn + air.side * middle - left * air.drag;
  e->outside.outside_roll = air.roll;
  e->outside.outside_rear = 0.0;
  e->outside.air_power =
      -air.drag * e->motion.vx + air.side * e->motion.vy + e->outside.outside_turn * e->motion.yaw_rate;
  e->outside.push_power = 0.0;
  e->outside.outside_up[VD_FRONT] = e->outside.outside_up[VD_REAR] = 0.0;
  vd_pushes(m, c, push);
  for (int k = 0; k < VD_PUSHES; k++) {
    const double *f = push[k].force, *at = push[k].at;
    double aside = at[1] - left, turn = at[0] * f[1] - aside * f[0];
    e->outside.drag -= f[0];
    e->outside.outside_side += f[1];
    e->outside.outside_turn += turn;
    e->outside.outside_roll += at[1] * f[2] - at[2] * f[1];
    e->outside.outside_rear -= at[2] * f[0];
    e->outside.outside_up[VD_FRONT] += f[2] * (at[0] + length - front) / length;
    e->outside.outside_up[VD_REAR] += f[2] * (front - at[0]) / length;
    e->outside.push_power += f[0] * e->motion.vx + f[1] * e->motion.vy + turn * e->motion.yaw_rate;
  }
  e->outside.outside_turn += c->push_moment[2];
  e->outside.outside_roll += c->push_moment[0];
  e->outside.outside_rear -= c->push_moment[1];
  e->outside.push_power += c->push_moment[2] * e->motion.yaw_rate;
  if (c->prescribed) { /* constraint forces act at the height of the centre of gravity */
    const double *f = c->constraint_force, height = m->vehicle.cg_height;
    e->outside.drag -= f[0];
    e->outside.outside_side += f[1];
    e->outside.outside_turn += c->constraint_moment[2];
    e->outside.outside_roll -= height * f[1];
    e->outside.outside_rear -= height * f[0];
    e->outside.push_power += f[0] * e->motion.vx + f[1] * e->motion.vy + c->constraint_moment[2] * e->motion.yaw_rate;
  }
  for (int i = 0; i < VD_AXLES; i++)
    e->outside.downforce[i] = air.downforce[i] - e->outside.outside_up[i];
  e->outside.outside_ahead = air.drag - e->outside.drag;
}

/* Adds a force at a place relative to O to the sum of forces and moments, in body axes. Returns its power, W. */
static inline double vd_add_push(const double *u, const double *w, const double *force, const double *at, double *sum,
                                 double *moment) {
  double arm[3], speed[3];
  vd_cross(at, force, arm);
  vd_cross(w, at, speed);
  for (int j = 0; j < 3; j++) {
    sum[j] += force[j];
    moment[j] += arm[j];
    speed[j] += u[j];
  }
  return vd_dot(force, speed);
}

#endif
