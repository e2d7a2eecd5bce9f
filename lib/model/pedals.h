/* Converts any level of longitudinal control to throttle, brakes and torques within this car's limits. */
#ifndef VD_PEDALS_H
#define VD_PEDALS_H

#include "model/model.h"

#include <math.h>

/* Direction of the rolling resistance, which is soft near standstill. */
static inline double vd_rolling_sign(double speed) {
  const double soft = 0.05; /* m/s */
  return speed / sqrt(speed * speed + soft * soft);
}

/* Rolling resistance at a rolling speed over that at standstill, with the sign of the speed: 1 and shares that grow
 * with the speed and its square, times a smooth sign, odd, within 1 % of +-1 beyond 7 times the speed `soft', so that
 * rolling resistance has no jump at standstill. growth: s2/m2; slope: s/m */
static inline double vd_rolling_share(double speed, double growth, double slope) {
  return vd_rolling_sign(speed) * (1.0 + growth * speed * speed + slope * fabs(speed));
}

/* The shares of all lanes at the speeds omega of their wheels, rad/s. */
VD_INLINE vd_wide vd_lane_rolling_shares(const vd_model *m, vd_wide omega) {
  const double soft = 0.05; /* m/s */
  vd_wide speed = omega * vd_wide_load(m->lanes.radius), sign = speed / vd_wide_sqrt(speed * speed + soft * soft);
  if (!m->lanes.rolling_grows)
    return sign;
  return sign *
         (1.0 + vd_wide_load(m->lanes.rolling_growth) * speed * speed + m->vehicle.rolling_slope * vd_wide_abs(speed));
}

/* Drag, rolling resistance and the slope's pull (N) at a speed; pull: m/s2, along the car. */
double vd_running_resistance(const vd_model *m, double speed, double pull);

/* Sets throttle, brake, handbrake, gear, motor_torque, demand, saturated of e (and direct and retard if vd_bypassed)
 * and the rate of the speed controller's integral. Velocities, spins and pull of e must be known.
 *
 *   force         the wheel torque F R acts directly on the shafts, by the shares of the drivetrain or of the brakes
 *   acceleration  F = M a + resistance + 3/s M z, z the integral of the error a - ax, so that ax converges to a at 3/s
 *   speed         F = M (v' + 6/s (v - vx)) + integral at 9/s2 M, both poles at 3/s; M with the turning masses
 *
 * The force is then converted to pedals: full throttle and the drag of the closed throttle limit the motor's part, the
 * brakes deliver the rest. Integrals stop while the car cannot deliver more (anti-windup), so their rate jumps. If the
 * force would grow while the integral runs and fall while it is stopped, the force stays at its limit and the integral
 * runs part of the time. The force does not jump, so the motion is accurate; only the estimate of the error of a step
 * with such a switch is too large. */
void vd_pedals(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
               double *integral_rate);

/* The command's torques bypass motor and clutch. */
static inline bool vd_direct_level(const vd_command *c) {
  return c->longitudinal >= VD_LON_WHEEL_TORQUE && c->longitudinal <= VD_LON_FORCE;
}

/* There are torques that bypass drivetrain and pedal: of a direct level, of requests, of motors. */
static inline bool vd_bypassed(const vd_model *m, const vd_command *c) {
  return m->bypass || vd_direct_level(c);
}

/* Rate of the acceleration controller's z, after ax is known. */
double vd_acceleration_integral_rate(const vd_command *c, const vd_eval *e);

#endif
