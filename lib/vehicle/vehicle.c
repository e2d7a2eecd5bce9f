#include "vehicle/vehicle.h"

#include "base/elementary.h"

#include <math.h>

vd_masses vd_vehicle_masses(const vd_vehicle *v) {
  vd_masses m = {
      .total = v->mass,
      .unsprung = {2.0 * v->axle[VD_FRONT].unsprung_mass, 2.0 * v->axle[VD_REAR].unsprung_mass},
      .to_axle = {v->cg_to_front, v->wheelbase - v->cg_to_front},
  };
  m.sprung = m.total - m.unsprung[VD_FRONT] - m.unsprung[VD_REAR];
  m.sprung_height = m.total * v->cg_height;
  for (int i = 0; i < VD_AXLES; i++) {
    double carried = m.total * m.to_axle[1 - i] / v->wheelbase;
    m.sprung_share[i] = (carried - m.unsprung[i]) / m.sprung;
    m.sprung_height -= m.unsprung[i] * v->axle[i].unsprung_height;
  }
  m.sprung_height /= m.sprung;
  return m;
}

void vd_steering_angles(const vd_vehicle *v, double mean, double *angle, double *slope) {
  angle[0] = angle[1] = mean;
  slope[0] = slope[1] = 1.0;
  if (v->steering.ackermann == 0.0)
    return;
  double t = vd_sin(mean) / vd_cos(mean), lever = v->axle[VD_FRONT].track / (2.0 * v->wheelbase);
  for (int i = 0; i < 2; i++) {
    double base = 1.0 - (i == 0 ? lever * t : -lever * t);
    angle[i] += v->steering.ackermann * ((base > 0.0 ? vd_atan(t / base) : atan2(t, base)) - mean);
    slope[i] += v->steering.ackermann * ((1.0 + t * t) / (base * base + t * t) - 1.0);
  }
}

double vd_vehicle_sprung_yaw_inertia(const vd_vehicle *v) {
  vd_masses m = vd_vehicle_masses(v);
  double inertia = v->yaw_inertia, first = 0.0;
  for (int i = 0; i < VD_AXLES; i++) {
    double half = 0.5 * v->axle[i].track, x = i == VD_FRONT ? m.to_axle[i] : -m.to_axle[i];
    inertia -= m.unsprung[i] * (x * x + half * half);
    first += m.unsprung[i] * x;
  }
  return inertia - first * first / m.sprung;
}
