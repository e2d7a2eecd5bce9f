#include "vehicle/battery.h"

#include "base/elementary.h"

#include <math.h>

static const double reserve = 0.02; /* charge over which powers fall to zero */

static double resistance(const vd_battery *b, double charge) {
  return vd_max(vd_curve_at(&b->resistance, vd_min(vd_max(charge, 0.0), 1.0), NULL), 0.0);
}

double vd_battery_open_voltage(const vd_battery *b, double charge) {
  return vd_curve_at(&b->open_voltage, charge, NULL);
}

double vd_battery_current(const vd_battery *b, double charge, double power) {
  const double open = vd_battery_open_voltage(b, charge), under = open * open - 4.0 * resistance(b, charge) * power;
  return under > 0.0 ? 2.0 * power / (open + sqrt(under)) : 0.5 * open / resistance(b, charge);
}

double vd_battery_voltage(const vd_battery *b, double charge, double current) {
  return vd_battery_open_voltage(b, charge) - resistance(b, charge) * current;
}

double vd_battery_most(const vd_battery *b, double charge) {
  const double share = vd_min(charge / reserve, 1.0), open = vd_battery_open_voltage(b, charge);
  if (!(share > 0.0))
    return 0.0;
  const double r = resistance(b, charge); /* 0: currents without limit */
  const double to_voltage = open > b->min_voltage ? (open - b->min_voltage) / r : 0.0;
  const double current = vd_min(vd_min(b->max_discharge, 0.5 * open / r), to_voltage);
  return isinf(current) ? INFINITY : share * current * (open - r * current);
}

double vd_battery_least(const vd_battery *b, double charge) {
  const double share = vd_min((1.0 - charge) / reserve, 1.0);
  if (!(share > 0.0))
    return 0.0;
  const double room = b->max_voltage - vd_battery_open_voltage(b, charge);
  const double current = vd_min(b->max_charge, room > 0.0 ? room / resistance(b, charge) : 0.0);
  return isinf(current) ? -INFINITY : -share * current * vd_battery_voltage(b, charge, -current);
}

double vd_battery_energy(const vd_battery *b, double charge) {
  return b->capacity * vd_curve_integral(&b->open_voltage, charge);
}
