/* Converts any level of longitudinal control to throttle, brakes and torques within this car's limits. */
#ifndef VD_PEDALS_H
#define VD_PEDALS_H

#include "model/model.h"

#include <math.h>

/* Returns a smooth sign of a rolling speed: odd, within about 1 % of +-1 beyond 7 times the speed `soft', so that
 * rolling resistance has no jump at standstill. */
static inline double vd_rolling_sign(double speed) {
  const double soft = 0.05; /* m/s */
  return speed / sqrt(speed * speed + soft * soft);
}

/* Returns the rolling resistance over its value at standstill, with the sign of the rolling speed. It grows with the
 * speed and with its square. growth: s2/m2; slope: s/m */
static inline double vd_rolling_share(double speed, double growth, double slope) {
  return vd_rolling_sign(speed) * (1.0 + growth * speed * speed + slope * fabs(speed));
}

/* Compute vd_rolling_share for lane i, whose wheels spin at omega, rad/s, and for all lanes. */
static inline double vd_lane_rolling_share(const vd_model *m, int i, double omega) {
  const vd_lanes *lanes = &m->lanes;
  double speed = omega * lanes->radius[i];
  return lanes->rolling_grows ? vd_rolling_share(speed, lanes->rolling_growth[i], m->vehicle.rolling_slope)
                              : vd_rolling_sign(speed);
}

VD_INLINE vd_wide vd_lane_rolling_shares(const vd_model *m, vd_wide omega) {
  const double soft = 0.05; /* m/s */
  vd_wide speed = omega * vd_wide_load(m->lanes.radius), sign = speed / vd_wide_sqrt(speed * speed + soft * soft);
  if (!m->lanes.rolling_grows)
    return sign;
  return sign *
         (1.0 + vd_wide_load(m->lanes.rolling_growth) * speed * speed + m->vehicle.rolling_slope * vd_wide_abs(speed));
}

/* Returns drag plus rolling resistance less the slope's pull, N, at a speed; pull: m/s2, gravity along the car, forward
 * > 0. */
double vd_running_resistance(const vd_model *m, double speed, double pull);

/* Sets throttle, brake, handbrake, gear, motor_torque, demand, saturated of e (and direct and retard if vd_bypassed)
 * and the rate of the speed controller's integral. Velocities, spins and pull of e must be known.
 *
 *   force         the wheel torque F R acts directly on the shafts, by the shares of the drivetrain or of the brakes
 *   acceleration  F = M a + resistance + 3/s M z, z the integral of the error a - ax, so that ax converges to a at 3/s
 *   speed         F = M (v' + 6/s (v - vx)) + integral at 9/s2 M, both poles at 3/s; M contains the rotating masses
 *
 * The force is then converted to pedals: full throttle and the drag of the closed throttle limit the motor's part, the
 * brakes deliver the rest. While the car cannot deliver more, the integrals stop (anti-windup), so their rates jump. If
 * the force would grow while the integral runs and fall while it is stopped, the force stays at its limit and the
 * integral runs part of the time. The force does not jump, so the motion is accurate; only the estimate of the error of
 * a step with such a switch is too large. */
void vd_pedals(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
               double *integral_rate);

/* True if the command's torques bypass motor and clutch. */
static inline bool vd_direct_level(const vd_command *c) {
  return c->longitudinal >= VD_LON_WHEEL_TORQUE && c->longitudinal <= VD_LON_FORCE;
}

/* True if some torques bypass drivetrain and pedal: those of a direct level, of requests or of motors. */
static inline bool vd_bypassed(const vd_model *m, const vd_command *c) {
  return m->bypass || vd_direct_level(c);
}

/* Returns the rate of the acceleration controller's z, after ax is known. */
double vd_acceleration_integral_rate(const vd_command *c, const vd_eval *e);

#endif
