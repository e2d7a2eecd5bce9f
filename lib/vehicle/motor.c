#include "vehicle/motor.h"

#include "base/elementary.h"

#include <math.h>

double vd_motor_limit(const vd_motor *m, double speed, double voltage) {
  const vd_motor_electric *l = &m->electric;
  const double w = fabs(speed);
  if (l->limit_map)
    return vd_multilinear_at(l->limit_map, (const double[VD_GRID_AXES]){w, voltage, 0.0});
  const double power = isnan(l->voltage) ? m->max_power : m->max_power * voltage / l->voltage;
  return m->max_torque * w > power ? power / w : m->max_torque;
}

double vd_motor_loss(const vd_motor *m, double torque, double speed, double voltage, double *inverter) {
  const vd_motor_electric *l = &m->electric;
  const double w = fabs(speed), driving = speed < 0.0 ? -torque : torque;
  double lost = l->constant + l->copper * torque * torque + w * (l->iron + l->windage * w * w);
  if (l->loss_map) { /* a map without negative torques holds for both directions */
    const bool same = l->loss_map->axis[1][0] >= 0.0;
    lost = vd_multilinear_at(l->loss_map, (const double[VD_GRID_AXES]){w, same ? fabs(torque) : driving, voltage});
  }
  *inverter = l->inverter_constant + l->inverter_share * fabs(torque * speed + lost);
  return lost;
}
