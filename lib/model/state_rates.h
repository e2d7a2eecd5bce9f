/* The last stages of an evaluation: rates of the state from the accelerations. */
#ifndef VD_STATE_RATES_H
#define VD_STATE_RATES_H

#include "model/lanes.h"
#include "model/work.h"

/* Computes the rates of place, angles and travels at L3 and L4. Reads frame, travel rates of e; writes dx. */
VD_INLINE void vd_place_rates(const vd_work *w) {
  const vd_frame *f = &w->frame;
  const double *u = f->u, *turning = f->w;
  double *dx = w->dx;
  dx[VD_S_ALONG] = vd_dot(f->to_world[0], u);
  dx[VD_S_ACROSS] = vd_dot(f->to_world[1], u);
  dx[VD_S_HEIGHT] = vd_dot(f->to_world[2], u);
  double yaw = (turning[1] * f->sin_roll + turning[2] * f->cos_roll) / f->cos_pitch;
  dx[VD_S_YAW] = yaw;
  dx[VD_S_ROLL] = turning[0] + yaw * f->sin_pitch;
  dx[VD_S_PITCH] = turning[1] * f->cos_roll - turning[2] * f->sin_roll;
  dx[VD_S_DISTANCE] = sqrt(u[0] * u[0] + u[1] * u[1]);
  for (int i = 0; i < VD_WHEELS; i++)
    dx[VD_S_TRAVEL + i] = w->e->motion.travel_rate[i];
}

/* Computes the rates of place, attitude and velocities of the body at L3 and L4. less_gravity: m/s2, acceleration of O
 * less gravity; alpha: rad/s2. Reads frame, gravity; writes dx, accelerations of e. */
VD_INLINE void vd_body_rates(const vd_work *w, const double *less_gravity, const double *alpha) {
  const vd_frame *f = &w->frame;
  bool on_posts = w->m->ride.on_posts;
  vd_eval *restrict e = w->e;
  double *dx = w->dx, turning[3], accel[3];
  vd_cross(f->w, f->u, turning);
  accel[0] = less_gravity[0] + w->gravity[0];
  accel[1] = less_gravity[1] + w->gravity[1];
  accel[2] = less_gravity[2] + w->gravity[2];
  e->body.ax = vd_dot(f->plane[0], accel);
  e->body.ay = vd_dot(f->plane[1], accel);
  e->body.az = vd_dot(f->plane[2], accel);
  e->body.yaw_accel = alpha[2];
  dx[VD_S_VX] = on_posts ? 0.0 : accel[0] - turning[0];
  dx[VD_S_VY] = on_posts ? 0.0 : accel[1] - turning[1];
  dx[VD_S_VZ] = accel[2] - turning[2];
  dx[VD_S_ROLL_RATE] = alpha[0];
  dx[VD_S_PITCH_RATE] = alpha[1];
  dx[VD_S_YAW_RATE] = alpha[2];
  vd_place_rates(w);
}

/* Computes the rates of spins, motor and controllers. Reads e; writes dx. */
VD_INLINE void vd_other_rates(const vd_work *w) {
  const vd_model *m = w->m;
  vd_eval *restrict e = w->e;
  double *dx = w->dx;
  for (int i = 0; i < VD_WHEELS; i++)
    dx[VD_S_SPIN + i] = e->spin.spin_accel[i];
  if (m->coupled)
    dx[VD_S_MOTOR] = e->drive.motor_accel;
  dx[VD_S_ACCELERATION_INTEGRAL] = vd_acceleration_integral_rate(w->c, e);
  if (m->abs)
    vd_lane_antilock(VD_WHEELS, m, w->c, w->x, w->mode, e, dx);
  if (m->hydraulic)
    vd_lane_pressures(VD_WHEELS, m, w->c, w->x, e, dx);
  e->loop.passes = 1;
  e->loop.residual = 0.0;
}

#endif
