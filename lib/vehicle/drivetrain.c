#include "vehicle/drivetrain.h"

#include "base/elementary.h"

#include <math.h>

double vd_gear_ratio(const vd_drivetrain *d, int gear) {
  return gear > 0 ? d->ratio[gear < d->gears ? gear : d->gears] : gear < 0 ? -d->ratio[0] : 0.0;
}

/* Interpolates the torque map at one speed: torque[i] belongs to throttle[i]. */
static void map_column(const vd_drivetrain *d, double speed, double *torque) {
  int k = 0;
  while (k + 2 < d->speeds && d->speed[k + 1] <= speed)
    k++;
  double u = d->speeds < 2 ? 0.0 : (speed - d->speed[k]) / (d->speed[k + 1] - d->speed[k]);
  u = vd_min(vd_max(u, 0.0), 1.0);
  for (int i = 0; i < d->throttles; i++)
    torque[i] = d->speeds < 2 ? d->torque[i][0] : d->torque[i][k] + u * (d->torque[i][k + 1] - d->torque[i][k]);
}

/* Two functions return the shares, 0 to 1, by which the governor opens and the limiter closes the throttle. */
static double governor_share(const vd_drivetrain *d, double speed) {
  return vd_min(vd_max((d->idle - speed) / (0.1 * d->idle), 0.0), 1.0);
}

static double limiter_share(const vd_drivetrain *d, double speed) {
  return vd_min(vd_max((speed - d->redline) / (0.02 * d->redline), 0.0), 1.0);
}

static double motor_limit(const vd_drivetrain *d, double speed) {
  double power = d->max_torque * speed;
  return power > d->max_power ? d->max_power / speed : d->max_torque;
}

double vd_motor_torque(const vd_drivetrain *d, double throttle, double speed) {
  if (!d->engine)
    return throttle * motor_limit(d, speed);
  double column[VD_MAP_THROTTLES];
  map_column(d, speed, column);
  int i = 0, last = d->throttles - 1;
  while (i + 1 < last && d->throttle[i + 1] <= throttle)
    i++;
  double u = (throttle - d->throttle[i]) / (d->throttle[i + 1] - d->throttle[i]);
  double torque = column[i] + u * (column[i + 1] - column[i]);
  torque += governor_share(d, speed) * (column[last] - torque);
  return torque + limiter_share(d, speed) * (column[0] - torque);
}

double vd_motor_throttle(const vd_drivetrain *d, double torque, double speed) {
  if (!d->engine) {
    double limit = motor_limit(d, speed);
    return limit > 0.0 ? vd_min(vd_max(torque / limit, 0.0), 1.0) : 0.0;
  }
  double column[VD_MAP_THROTTLES];
  map_column(d, speed, column);
  int last = d->throttles - 1;
  double governor = governor_share(d, speed), limiter = limiter_share(d, speed);
  if (limiter < 1.0)
    torque = (torque - limiter * column[0]) / (1.0 - limiter);
  if (governor < 1.0)
    torque = (torque - governor * column[last]) / (1.0 - governor);
  if (!(torque > column[0]))
    return 0.0;
  int i = 0;
  while (i < last && column[i + 1] < torque)
    i++;
  if (i == last)
    return 1.0;
  double u = (torque - column[i]) / (column[i + 1] - column[i]);
  return d->throttle[i] + u * (d->throttle[i + 1] - d->throttle[i]);
}

double vd_clutch_capacity(const vd_drivetrain *d, double engine_speed, bool shifting) {
  if (!d->engine)
    return INFINITY;
  if (shifting)
    return 0.0;
  double u = vd_min(vd_max((engine_speed - d->idle) / (d->launch_speed - d->idle), 0.0), 1.0);
  return d->clutch_torque * u * u * (3.0 - 2.0 * u);
}

int vd_gear_for(const vd_drivetrain *d, double wheel_speed) {
  int gear = d->gears;
  while (gear > 1 && d->ratio[gear] * wheel_speed < 1.1 * d->shift_down)
    gear--;
  return gear;
}
