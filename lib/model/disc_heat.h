/* Temperatures of brake discs as states, and the pads' friction at these temperatures (vehicle/brake_heat.h). */
#ifndef VD_DISC_HEAT_H
#define VD_DISC_HEAT_H

#include "base/elementary.h"
#include "model/model.h"

#include <math.h>

/* Returns the factor on the brake torque of a lane, due to the disc's temperature and the wheel's circumferential
 * speed. */
static inline double vd_lane_fade(const vd_model *m, const double *x, int i) {
  const vd_brake_heat *heat = &m->vehicle.brakes.heat;
  return vd_brake_curve_at(&heat->by_heat, x[VD_S_DISC + i], 1.0) *
         vd_brake_curve_at(&heat->by_sliding, fabs(m->lanes.radius[i] * x[VD_S_SPIN + i]), 1.0);
}

/* Computes the rates of the temperatures; the brakes' torques and modes must be known. A lane of two wheels heats two
 * discs with half the power each. */
static inline void vd_disc_rates(const vd_model *m, const double *x, const double *mode, const vd_eval *e, double *dx) {
  const vd_brake_heat *heat = &m->vehicle.brakes.heat;
  for (int i = 0; i < m->lanes.count; i++) {
    const int a = vd_axle_of_lane(m->lanes.count, i);
    const bool slides = mode[VD_M_BRAKE + i] != 0.0;
    const double power = slides ? fabs(e->drive.brake_capacity[i] * x[VD_S_SPIN + i]) / m->lanes.wheels : 0.0;
    const double cooling = vd_brake_curve_at(&heat->by_speed[a], fabs(e->motion.vx), 0.0);
    dx[VD_S_DISC + i] = (power - cooling * x[VD_S_DISC + i]) / heat->capacity[a];
  }
}

#endif
