/* L0, the kinematic single track: neither axle slips, so speed and steering angle determine all velocities:
 *
 *   vy = b k vx,  r = k vx,  k = tan(delta)/L,  speed of the front axle vx/cos(delta), of the rear axle vx.
 *
 * Constraint forces do no work, so the kinetic energy 1/2 M(delta) vx^2 changes only by the power of the applied forces
 * (Gibbs-Appell with the only speed vx: M vx' + M' vx/2 = Q). The state is p = vx sqrt(M), with p' = Q/sqrt(M): no
 * steering rate appears, a step of the steering angle conserves the energy, and 1/2 p^2 is the whole kinetic energy. */
#include "model/model_impl.h"

#include "base/elementary.h"
#include "model/outside.h"
#include "model/pedals.h"

#include <math.h>

/* Geometry and moving mass at a steering angle. mass: M, kg. */
typedef struct moving {
  double curvature;  /* 1/m */
  double front;      /* speed of the front axle over vx */
  double mass;       /* kg */
  double mass_slope; /* kg/rad */
} moving;

static moving moving_mass(const vd_model *m, const vd_command *c) {
  double tangent = c->sin_angle[0] / c->cos_angle[0], length = m->vehicle.wheelbase,
         b = m->vehicle.masses.to_axle[VD_REAR];
  moving v = {.curvature = tangent / length, .front = 1.0 / c->cos_angle[0]};
  double turning = m->balance.mass * b * b + m->vehicle.yaw_inertia;
  double wheel[VD_AXLES];
  for (int i = 0; i < VD_AXLES; i++)
    wheel[i] = m->lanes.inertia[i] / (m->lanes.radius[i] * m->lanes.radius[i]);
  v.mass = m->balance.mass + turning * v.curvature * v.curvature + wheel[VD_FRONT] * v.front * v.front + wheel[VD_REAR];
  v.mass_slope = 2.0 * v.front * v.front * (turning * v.curvature / length + wheel[VD_FRONT] * tangent);
  return v;
}

double vd_kinematic_momentum(const vd_model *m, const vd_command *c, double vx) {
  return vx * sqrt(moving_mass(m, c).mass);
}

/* The brakes of the whole car have one mode, because wheels that do not slip stop together. spin_torque[0] is the
 * generalised force without the brakes, brake_capacity[0] the greatest resistance of the brakes, both in N on vx. */
bool vd_kinematic_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                        double *dx) {
  const vd_lanes *lanes = &m->lanes;
  moving v = moving_mass(m, c);
  double root = sqrt(v.mass), b = m->vehicle.masses.to_axle[VD_REAR];
  e->motion.vx = x[VD_S_VX] / root;
  e->motion.vy = b * v.curvature * e->motion.vx;
  e->motion.yaw_rate = v.curvature * e->motion.vx;
  e->motion.omega[VD_FRONT] = e->motion.vx * v.front / lanes->radius[VD_FRONT];
  e->motion.omega[VD_REAR] = e->motion.vx / lanes->radius[VD_REAR];

  double cosine = vd_cos(x[VD_S_YAW]), sine = vd_sin(x[VD_S_YAW]);
  e->motion.pull_x = m->ground.pull_along * cosine + m->ground.pull_across * sine;
  e->motion.pull_y = m->ground.pull_across * cosine - m->ground.pull_along * sine;
  vd_pedals(m, c, x, mode, e, &dx[VD_S_SPEED_INTEGRAL]);
  bool direct = vd_bypassed(m, c);
  double capacity = e->drive.brake * m->vehicle.brakes.max_torque;
  double lever = e->drive.handbrake * m->vehicle.brakes.handbrake_torque;
  const double gearing[VD_AXLES] = {v.front / lanes->radius[VD_FRONT], 1.0 / lanes->radius[VD_REAR]};
  for (int i = 0; i < VD_AXLES; i++)
    e->outside.downforce[i] = m->air.downforce[i] * e->motion.vx * e->motion.vx;
  double aside = 0.0; /* N on vx: resistance by lateral forces and by moments */
  if (m->outside) {
    vd_outside_in_plane(m, c, x, 0.0, e);
    aside = (e->outside.outside_side * b + e->outside.outside_turn) * v.curvature;
  }
  double drive_force = 0.0, brake_force = 0.0, rolling_force = 0.0;
  for (int i = 0; i < VD_AXLES; i++) {
    drive_force += (lanes->drive_share[i] * e->drive.motor_torque + (direct ? e->drive.direct[i] : 0.0)) * gearing[i];
    double brake =
        lanes->brake_share[i] * capacity + lanes->handbrake_share[i] * lever + (direct ? e->drive.retard[i] : 0.0);
    brake_force += vd_max(brake, 0.0) * gearing[i];
    const double rim = e->motion.omega[i] * lanes->radius[i];
    const double share = lanes->rolling_grows
                             ? vd_rolling_share(rim, lanes->rolling_growth[i], m->vehicle.rolling_slope)
                             : vd_rolling_sign(rim);
    rolling_force -= lanes->rolling[i] * (m->balance.static_load[i] + e->outside.downforce[i]) * share * gearing[i];
  }
  if (!m->outside)
    e->outside.drag = m->air.drag * e->motion.vx * fabs(e->motion.vx);

  double pull = m->balance.mass * (e->motion.pull_x + b * v.curvature * e->motion.pull_y);
  double force = drive_force + rolling_force - e->outside.drag + pull;
  if (m->outside)
    force += aside;
  e->spin.spin_torque[0] = force;
  e->drive.brake_capacity[0] = brake_force;
  double turning = mode[0];
  double applied = turning == 0.0 ? 0.0 : force - turning * brake_force;

  double vx_rate = (applied - 0.5 * v.mass_slope * c->steer_rate * e->motion.vx) / v.mass;
  double curvature_rate = v.front * v.front / m->vehicle.wheelbase * c->steer_rate;
  e->body.yaw_accel = v.curvature * vx_rate + curvature_rate * e->motion.vx;
  e->body.ax = vx_rate - e->motion.vy * e->motion.yaw_rate;
  e->body.ay = b * e->body.yaw_accel + e->motion.vx * e->motion.yaw_rate;
  e->loop.passes = 0;
  e->loop.residual = 0.0;

  dx[VD_S_ALONG] = e->motion.vx * cosine - e->motion.vy * sine;
  dx[VD_S_ACROSS] = e->motion.vx * sine + e->motion.vy * cosine;
  dx[VD_S_YAW] = e->motion.yaw_rate;
  dx[VD_S_VX] = applied / root;
  dx[VD_S_VY] = 0.0;
  dx[VD_S_YAW_RATE] = 0.0;
  dx[VD_S_DISTANCE] = sqrt(e->motion.vx * e->motion.vx + e->motion.vy * e->motion.vy);
  dx[VD_S_WORK_DRIVE] = drive_force * e->motion.vx;
  dx[VD_S_WORK_BRAKE] = -turning * brake_force * e->motion.vx;
  dx[VD_S_WORK_TYRE] = 0.0;
  dx[VD_S_WORK_AERO] = m->outside ? e->outside.air_power : -e->outside.drag * e->motion.vx;
  if (m->outside)
    dx[VD_S_WORK_OUTSIDE] = e->outside.push_power;
  dx[VD_S_WORK_ROLLING] = rolling_force * e->motion.vx;
  for (int i = 0; i < VD_WHEELS; i++)
    dx[VD_S_SPIN + i] = 0.0;
  if (m->extras)
    dx[VD_S_ACCELERATION_INTEGRAL] = vd_acceleration_integral_rate(c, e);
  return true;
}

void vd_kinematic_observe(const vd_model *m, const vd_state_vector *s, vd_eval *e) {
  double mass = m->balance.mass;
  double body = 0.5 * mass * (e->motion.vx * e->motion.vx + e->motion.vy * e->motion.vy) +
                0.5 * m->vehicle.yaw_inertia * e->motion.yaw_rate * e->motion.yaw_rate;
  e->log.energy_kinetic = body;
  e->log.energy_spin = 0.5 * s->x[VD_S_VX] * s->x[VD_S_VX] - body;
  for (int axle = VD_AXLES - 1; axle >= 0; axle--)
    e->motion.omega[vd_left_wheel(axle)] = e->motion.omega[vd_right_wheel(axle)] = e->motion.omega[axle];
}
