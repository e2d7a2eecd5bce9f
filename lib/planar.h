/* The motion in the ground plane that L1 and L2 share: forces at the contact points, wheel spins, ledger.
 * L1 is the same car with each axle's two wheels in one lane on its centre line. */
#ifndef VD_PLANAR_H
#define VD_PLANAR_H

#include "model.h"

bool vd_planar_rates(const vd_model *m, const vd_command *c, const double *x, const double *mode, vd_eval *e,
                     double *dx);

/* Smooth sign of a rolling speed, odd, +-1 within 1 % beyond 7 times the speed `soft`: rolling resistance fades through
 * standstill instead of jumping. */
double vd_rolling_sign(double speed);

/* Throttle and brake (0..1) from the command, by the speed controller if a speed is held; the rate of its integral. */
void vd_pedals(const vd_model *m, const vd_command *c, double vx, double integral, double *throttle, double *brake,
               double *integral_rate);

/* Share of the full motor torque that the power limit leaves at this mean speed of the driven wheels (rad/s). */
double vd_power_share(const vd_model *m, double wheel_speed);

#endif
