/* A battery: an open-circuit voltage U over the state of charge s behind a resistance R over s.
 *
 *   terminals  V = U - R I,  P = V I  =>  I = 2 P/(U + sqrt(U^2 - 4 R P)),  P at most U^2/(4 R)
 *   charge     s' = -I/Q
 *   energy     Q times the integral of U over s; it falls at U I, of which R I^2 is heat */
#ifndef VD_BATTERY_H
#define VD_BATTERY_H

#include "base/base.h"
#include "math/curve.h"

typedef struct vd_battery {
  bool given;
  double capacity;                   /* A s */
  double start;                      /* state of charge at the start, 0..1 */
  double max_discharge, max_charge;  /* A; INFINITY: not limited */
  double min_voltage, max_voltage;   /* V at the terminals; 0, INFINITY: not limited */
  double auxiliaries;                /* W */
  vd_curve open_voltage, resistance; /* V, ohm over the state of charge */
} vd_battery;

double vd_battery_open_voltage(const vd_battery *b, double charge); /* V */

/* Returns the current, A, discharging > 0, at which the terminals deliver a power, W. If the power is above the
 * greatest power, it returns the current at the greatest power. */
double vd_battery_current(const vd_battery *b, double charge, double power);

/* Returns the voltage at the terminals, V, under a current, A. */
double vd_battery_voltage(const vd_battery *b, double charge, double current);

/* vd_battery_most returns the greatest power, W, that the terminals deliver within the limits of current and voltage;
 * it falls to zero over the last 2 % of the charge. vd_battery_least returns the power, < 0, of the strongest charging
 * that the limits allow; it falls to zero above 98 % of the charge. */
double vd_battery_most(const vd_battery *b, double charge);
double vd_battery_least(const vd_battery *b, double charge);

double vd_battery_energy(const vd_battery *b, double charge); /* J; 0 at charge 0 */

#endif
